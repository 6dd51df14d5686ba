// Filters and automata on one small map: a spike is blurred by three kernels, spreads from its
// source, and is cut into classes that an automaton smooths. Shows ploy_convolve_run,
// ploy_automata_run and ploy_tactics_layer_print.
#include "ploy/tactics/automata.h"
#include "ploy/tactics/convolve.h"

#include <stdio.h>

static ploy_result print_bytes(void *user, const void *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_CALLBACK;
}

int main(void) {
    static const float row[3] = {0.25f, 0.5f, 0.25f};
    static const float cross[9] = {0, 1, 0, 1, 4, 1, 0, 1, 0}, levels[2] = {0.05f, 0.1f};
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(7, 5, ploy_vec2_make(0, 0), 2.0f);
    ploy_tactics_layer *spike = NULL, *out = NULL, *kinds = NULL, *next = NULL;
    ploy_convolve *convolve = NULL;
    ploy_convolve_kernel kernels[3] = {ploy_convolve_kernel_box(1)};
    if (ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &spike) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &out) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &kinds) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &next) != PLOY_OK ||
        ploy_convolve_create(&places, &env, &convolve) != PLOY_OK ||
        ploy_convolve_kernel_separable(row, row, 3, &kernels[1]) != PLOY_OK ||
        ploy_convolve_kernel_full(cross, 3, 8.0f, &kernels[2]) != PLOY_OK ||
        ploy_tactics_layer_set(spike, 17, 1.0f) != PLOY_OK) {
        return 1;
    }
    ploy_convolve_options options = ploy_convolve_options_default();
    ploy_vec3 beside = {9.0f, 5.0f, 0.0f}; // one cell to the right of the spike
    for (int32_t i = 0; i < 3; i++) {
        if (ploy_convolve_run(convolve, &kernels[i], &options, spike, out) != PLOY_OK) return 1;
        printf("%s border: %.4f beside the spike\n", ploy_convolve_border_text(options.border),
               (double)ploy_tactics_layer_value(out, beside));
    }
    options.mode = PLOY_CONVOLVE_SCALE; // the source is added in each pass, the total stays
    options.sources = spike;
    options.times = 20;
    if (ploy_convolve_run(convolve, &kernels[1], &options, spike, out) != PLOY_OK) return 1;
    printf("spread from the source: %.4f beside it\n",
           (double)ploy_tactics_layer_value(out, beside));
    options = ploy_convolve_options_default();
    options.times = 1000;
    options.settle = 1e-4f;
    if (ploy_convolve_run(convolve, &kernels[1], &options, spike, out) != PLOY_OK) return 1;
    printf("without a source it is flat after %d passes, change %.5f\n",
           ploy_convolve_passes(convolve), (double)ploy_convolve_change(convolve));
    options.times = 1;
    if (ploy_convolve_run(convolve, &kernels[1], &options, spike, out) != PLOY_OK) return 1;
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = 7;
    def.height = 5;
    def.border = PLOY_AUTOMATON_OPEN;
    ploy_automaton *automaton = NULL;
    ploy_automaton_rule contour = ploy_automata_contour(), fill = ploy_automata_at_least(3, true);
    if (ploy_tactics_layer_classify(out, levels, 2, kinds) != PLOY_OK ||
        ploy_automaton_create(&def, &env, &automaton) != PLOY_OK ||
        ploy_automata_run(automaton, &contour, 1, kinds) != PLOY_OK ||
        ploy_automata_run(automaton, &fill, 1, kinds) != PLOY_OK ||
        ploy_automata_share(kinds, 1, 0.5f, true, next) != PLOY_OK) {
        return 1;
    }
    ploy_writer writer = ploy_writer_make(print_bytes, NULL);
    if (ploy_tactics_layer_print(next, &writer) != PLOY_OK) return 1;
    ploy_automaton_destroy(automaton);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(next);
    ploy_tactics_layer_destroy(kinds);
    ploy_tactics_layer_destroy(out);
    ploy_tactics_layer_destroy(spike);
    return 0;
}
