// Any bytes as a set of tiles and as a list of runs. A set that loads is run on a small board, and the result has
// only allowed pairs; a text that does not load has a fault.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/wfc_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void run(const ploy_wfc_model *model, const ploy_env *env) {
    ploy_wfc_def def = ploy_wfc_def_default();
    def.columns = def.rows = 4;
    def.max_backtracks = 20;
    def.max_restarts = 1;
    ploy_wfc *wfc = NULL;
    must(ploy_wfc_begin(&def, ploy_rng_key_make(1), model, NULL, env, &wfc) == PLOY_OK);
    ploy_budget budget = ploy_budget_units(20000);
    ploy_result result = ploy_wfc_step(wfc, &budget);
    must(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    const int32_t *tiles = ploy_wfc_tiles(wfc);
    ploy_generate_outcome outcome = ploy_wfc_outcome(wfc);
    for (int32_t i = 0; i < 16 && outcome.done && !outcome.partial; i++) {
        int32_t right = i / 4 * 4 + (i + 1) % 4, up = (i + 4) % 16;
        must(ploy_wfc_model_allows(model, tiles[i], tiles[right], 0));
        must(ploy_wfc_model_allows(model, tiles[i], tiles[up], 1));
    }
    ploy_wfc_cancel(wfc);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_wfc_set *set = NULL;
    if (ploy_wfc_set_load(bytes, size, "fuzz", NULL, &env, diags, &set) == PLOY_OK) {
        if (ploy_wfc_model_count(ploy_wfc_set_model(set)) <= 64) run(ploy_wfc_set_model(set), &env);
    } else {
        must(set == NULL && ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    }
    ploy_wfc_set_destroy(set);
    ploy_wfc_samples *samples = NULL;
    if (ploy_wfc_samples_load(bytes, size, "fuzz", &env, NULL, &samples) == PLOY_OK) {
        for (int32_t i = 0; i < ploy_wfc_samples_count(samples); i++) {
            must(ploy_wfc_samples_at(samples, i)->name != NULL);
        }
    }
    ploy_wfc_samples_destroy(samples);
    ploy_diags_destroy(diags);
    return 0;
}
