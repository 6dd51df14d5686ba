// Files of nets beside libfann: what fann_save writes gives fann_run's outputs here, and what is
// written here gives them there. Prints the largest difference.
#include <floatfann.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ploy/base/os.h"
#include "ploy/data/fann.h"

static void need(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "fann_peer: %s\n", what);
    exit(1);
}

static double compare(struct fann *fann, const ploy_net *net) {
    float in[8], out[4], scratch[1024];
    double worst = 0.0;
    ploy_rng rng = ploy_rng_make(5);
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 8; i++) in[i] = 3.0f * ploy_rng_binomial(&rng);
        const float *want = fann_run(fann, in);
        ploy_net_run(net, in, out, scratch);
        for (int i = 0; i < 4; i++) worst = fmax(worst, fabs((double)want[i] - (double)out[i]));
    }
    return worst;
}

int main(int argc, char **argv) {
    need(argc == 2, "usage: fann_peer FILE");
    static const enum fann_activationfunc_enum functions[] = {
        FANN_LINEAR,           FANN_SIGMOID,
        FANN_SIGMOID_STEPWISE, FANN_SIGMOID_SYMMETRIC,
        FANN_GAUSSIAN,         FANN_SIGMOID_SYMMETRIC_STEPWISE,
        FANN_THRESHOLD,        FANN_THRESHOLD_SYMMETRIC};
    double worst = 0.0;
    ploy_env env = ploy_env_default();
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            struct fann *fann = sparse ? fann_create_sparse(0.5f, 4, 8, 12, 9, 4)
                                       : fann_create_standard(4, 8, 12, 9, 4);
            need(fann != NULL, "no net");
            fann_set_activation_function_hidden(fann, functions[f]);
            fann_set_activation_function_output(fann, FANN_SIGMOID_SYMMETRIC);
            fann_set_activation_steepness_hidden(fann, 0.75f);
            fann_randomize_weights(fann, -1.0f, 1.0f);
            need(fann_save(fann, argv[1]) == 0, "fann_save");
            ploy_buffer bytes;
            ploy_net *net = NULL;
            need(ploy_os_read_file(argv[1], 1 << 24, &env, &bytes) == PLOY_OK, "read");
            need(ploy_fann_load(bytes.bytes, bytes.size, argv[1], &env, NULL, &net) == PLOY_OK,
                 "ploy_fann_load");
            worst = fmax(worst, compare(fann, net));
            ploy_buffer_clear(&bytes);
            ploy_writer writer = ploy_buffer_writer(&bytes);
            need(ploy_fann_save(net, &writer, NULL) == PLOY_OK, "ploy_fann_save");
            need(ploy_os_write_file(argv[1], bytes.bytes, bytes.size, &env) == PLOY_OK, "write");
            struct fann *again = fann_create_from_file(argv[1]);
            need(again != NULL, "fann_create_from_file");
            worst = fmax(worst, compare(again, net));
            fann_destroy(again);
            fann_destroy(fann);
            ploy_net_destroy(net);
            ploy_buffer_fini(&bytes);
        }
    }
    printf("largest difference %.3g\n", worst);
    need(worst < 1e-5, "outputs differ");
    return 0;
}
