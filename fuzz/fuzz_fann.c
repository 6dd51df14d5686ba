// Any bytes as a net or as training data of FANN: refused, or loaded, written and loaded again.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/fann.h"

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
    ploy_result result = ploy_fann_load(data, size, "fuzz", &env, diags, &net);
    must((result == PLOY_OK) == (net != NULL));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    if (net != NULL) {
        must(ploy_fann_save(net, &writer, diags) == PLOY_OK);
        must(ploy_fann_load(buffer.bytes, buffer.size, "again", &env, diags, &again) == PLOY_OK);
        must(ploy_net_weight_count(net) == ploy_net_weight_count(again));
    }
    ploy_net_destroy(net);
    ploy_net_destroy(again);
    ploy_examples *table = NULL, *copy = NULL;
    result = ploy_fann_data_load(data, size, "fuzz", &env, diags, &table);
    must((result == PLOY_OK) == (table != NULL));
    if (table != NULL) {
        ploy_buffer_clear(&buffer);
        must(ploy_fann_data_save(table, &writer) == PLOY_OK);
        must(ploy_fann_data_load(buffer.bytes, buffer.size, "copy", &env, diags, &copy) == PLOY_OK);
        must(ploy_examples_hash(table) == ploy_examples_hash(copy));
    }
    ploy_examples_destroy(table);
    ploy_examples_destroy(copy);
    ploy_buffer_fini(&buffer);
    ploy_diags_destroy(diags);
    return 0;
}
