// Writes nets of every layer and activation that ONNX has, with inputs and our outputs, for
// tests/soak/onnx.mjs, which runs them in onnxruntime-web: FOLDER/0.onnx, FOLDER/0.json, ...
#include <stdio.h>
#include <stdlib.h>

#include "ploy/base/os.h"
#include "ploy/data/onnx.h"

enum { ROWS = 20, VALUES = 512 };

static void need(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "onnx_peer: %s\n", what);
    exit(1);
}

static void print_list(FILE *file, const char *name, const float *values, int32_t count) {
    fprintf(file, "\"%s\":[", name);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, "%s%.9g", i > 0 ? "," : "", (double)values[i]);
    fprintf(file, "]");
}

// Nets without an image have the dimensions [1, values].
static void write_net(const char *folder, int32_t number, ploy_net_size size,
                      const ploy_net_layer *layers, int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_net *net = NULL;
    ploy_rng_key key = ploy_rng_key_make((uint64_t)number + 1);
    need(ploy_net_create(size, layers, count, key, &env, &net) == PLOY_OK, "create");
    ploy_rng rng = ploy_rng_make((uint64_t)number + 1);
    for (int32_t l = 0; l < count; l++) { // biases are 0 at first
        for (int32_t u = 0; u < layers[l].units; u++) {
            *ploy_net_bias(net, l, u) = ploy_rng_binomial(&rng);
        }
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    need(ploy_onnx_save(net, &env, &writer, NULL) == PLOY_OK, "save");
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.onnx", folder, (int)number);
    need(ploy_os_write_file(path, buffer.bytes, buffer.size, &env) == PLOY_OK, path);
    ploy_buffer_fini(&buffer);
    snprintf(path, sizeof path, "%s/%d.json", folder, (int)number);
    FILE *file = fopen(path, "w");
    need(file != NULL, path);
    bool image = size.width * size.height > 1;
    int32_t inputs = ploy_net_input_count(net), outputs = ploy_net_output_count(net);
    fprintf(file, image ? "{\"size\":[1,%d,%d,%d],\"rows\":[" : "{\"size\":[1,%d],\"rows\":[",
            (int)size.channels, (int)size.height, (int)size.width);
    float *scratch = malloc((size_t)ploy_net_scratch(net) * sizeof(float));
    need(scratch != NULL && inputs <= VALUES && outputs <= VALUES, "room");
    for (int32_t row = 0; row < ROWS; row++) {
        float in[VALUES], out[VALUES];
        for (int32_t i = 0; i < inputs; i++) in[i] = 3.0f * ploy_rng_binomial(&rng);
        ploy_net_run(net, in, out, scratch);
        fprintf(file, row > 0 ? ",{" : "{");
        print_list(file, "in", in, inputs);
        fprintf(file, ",");
        print_list(file, "out", out, outputs);
        fprintf(file, "}");
    }
    fprintf(file, "]}\n");
    need(fclose(file) == 0, path);
    free(scratch);
    ploy_net_destroy(net);
}

int main(int argc, char **argv) {
    static const ploy_net_activation kinds[] = {PLOY_NET_LINEAR,  PLOY_NET_RELU,
                                                PLOY_NET_LEAKY,   PLOY_NET_TANH,
                                                PLOY_NET_SIGMOID, PLOY_NET_SOFTPLUS};
    need(argc == 2, "usage: onnx_peer FOLDER");
    int32_t number = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        ploy_net_layer dense[] = {ploy_net_dense(33, kinds[i]), ploy_net_dense(9, kinds[i]),
                                  ploy_net_dense(4, PLOY_NET_SOFTMAX)};
        dense[2].shape = 0.5f;
        if (kinds[i] != PLOY_NET_SOFTPLUS) dense[1].shape = 1.25f;
        write_net(argv[1], number++, ploy_net_inputs(17), dense, 3);
        ploy_net_layer image[] = {
            ploy_net_conv(6, 3, kinds[i]), ploy_net_pool(PLOY_NET_MAX_POOL, 2),
            ploy_net_conv(5, 3, kinds[i]), ploy_net_pool(PLOY_NET_MEAN_POOL, 2),
            ploy_net_dense(5, kinds[i])};
        image[2].window[1] = 2; // not square
        image[2].stride[1] = 2;
        image[2].pad[1] = 0;
        image[3].stride[0] = image[3].stride[1] = 1;
        image[3].pad[0] = 1;
        write_net(argv[1], number++, (ploy_net_size){2, 9, 10}, image, 5);
    }
    printf("%d\n", (int)number);
    return 0;
}
