// Any bytes as an ONNX file: refused, or loaded, run, and written and loaded again.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/onnx.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 16) return 0;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_net *net = NULL, *again = NULL;
    ploy_result result =
        ploy_onnx_load(size > 0 ? data : (const uint8_t *)"", size, "fuzz", &env, diags, &net);
    must((result == PLOY_OK) == (net != NULL));
    if (net != NULL) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        must(ploy_onnx_save(net, &env, &writer, diags) == PLOY_OK);
        must(ploy_onnx_load(buffer.bytes, buffer.size, "again", &env, diags, &again) == PLOY_OK);
        must(ploy_net_weight_count(net) == ploy_net_weight_count(again));
        ploy_buffer_fini(&buffer);
        size_t floats = (size_t)ploy_net_input_count(net) + (size_t)ploy_net_output_count(net) +
                        (size_t)ploy_net_scratch(net);
        float *room = calloc(floats, sizeof *room);
        must(room != NULL);
        float *out = room + ploy_net_input_count(net);
        ploy_net_run(net, room, out, out + ploy_net_output_count(net));
        free(room);
    }
    ploy_net_destroy(net);
    ploy_net_destroy(again);
    ploy_diags_destroy(diags);
    return 0;
}
