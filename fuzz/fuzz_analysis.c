// Any bytes as combinations of layers for an analysis server, and as a kernel of a filter: each loads
// whole or not at all, and what loads runs within a budget without harm.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/tactics/analysis.h"
#include "ploy/tactics/convolve.h"

static void must(bool ok) {
    if (!ok) abort();
}

static void fill(void *user, int32_t first, int32_t count, float *out) {
    (void)user;
    for (int32_t i = 0; i < count; i++) out[i] = (float)(first + i) * 0.25f - 8.0f;
}

static void try_kernel(const uint8_t *bytes, size_t size, const ploy_places *places,
                       const ploy_env *env) {
    char text[256];
    ploy_convolve_kernel kernel;
    ploy_convolve *convolve = NULL;
    ploy_tactics_layer *layer = NULL;
    size = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (ploy_convolve_kernel_read(text, 1.0f, NULL, &kernel) != PLOY_OK) return;
    must(kernel.size >= 0 && kernel.size <= PLOY_CONVOLVE_SIZE);
    must(ploy_convolve_create(places, env, &convolve) == PLOY_OK);
    must(ploy_tactics_layer_create(places, PLOY_TACTICS_NUMBERS, env, &layer) == PLOY_OK);
    ploy_convolve_options options = ploy_convolve_options_default();
    must(ploy_convolve_run(convolve, &kernel, &options, layer, layer) == PLOY_OK);
    ploy_tactics_layer_destroy(layer);
    ploy_convolve_destroy(convolve);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    ploy_analysis_server *server = NULL;
    ploy_places places = ploy_places_grid(9, 7, ploy_vec2_make(0, 0), 1.0f);
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    ploy_analysis_fill fills[2] = {{fill, NULL, NULL, 0}, {fill, NULL, NULL, 0}};
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    must(ploy_analysis_server_create(&def, &places, &env, &server) == PLOY_OK);
    must(ploy_analysis_server_add(server, "a", PLOY_ANALYSIS_SLOW,
                                  ploy_analysis_fill_make(&fills[0]), NULL) == PLOY_OK);
    must(ploy_analysis_server_add(server, "b", PLOY_ANALYSIS_SLOW,
                                  ploy_analysis_fill_make(&fills[1]), NULL) == PLOY_OK);
    int32_t before = ploy_analysis_server_count(server);
    ploy_result result =
        ploy_analysis_server_read(server, (const char *)bytes, size, "fuzz", diags);
    if (result != PLOY_OK) must(ploy_analysis_server_count(server) == before);
    for (int32_t i = 0; i < 8; i++) must(ploy_analysis_server_step(server) >= 0);
    ploy_analysis_server_destroy(server);
    ploy_diags_destroy(diags);
    try_kernel(bytes, size, &places, &env);
    return 0;
}
