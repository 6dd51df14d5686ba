// The files of Raven that a running match reads again: personalities, skills, fuzzy rules and the
// table of weapons. The first byte chooses the file. Whatever the check accepts, a match can use.
#include <stdlib.h>

#include "games/games.h"
#include "games/raven/raven_goals.h"

static const ploy_sim_type *fuzz_type(void) {
    return ploy_sim_type_find(ploy_games(), "raven", NULL);
}

// A match that lives as long as the process: making one takes longer than reading a file.
static ploy_sim *fuzz_match(void) {
    static ploy_sim *sim;
    if (sim != NULL) return sim;
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    raven_def params;
    ploy_fields_default(raven_fields(), &params);
    params.bots = 2;
    if (ploy_sim_create(&def, fuzz_type(), &params, NULL, &env, &sim) != PLOY_OK) abort();
    return sim;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    ploy_sim *sim = fuzz_match();
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    if (ploy_diags_create(16, &env, &diags) != PLOY_OK) abort();
    // All but the map, which has a target for its format.
    int32_t file = RAVEN_DEFINITION_WEAPONS + data[0] % (RAVEN_DEFINITIONS - 1);
    ploy_input input = {.kind = PLOY_INPUT_RELOAD, .name = raven_definitions[file].name};
    input.bytes = data + 1;
    input.size = size - 1;
    if (ploy_sim_check_input(sim, &input, diags) == PLOY_OK) {
        if (ploy_sim_step(sim, &input, 1, NULL) != PLOY_OK) abort();
        for (int i = 0; i < 40; i++) {
            if (ploy_sim_step(sim, NULL, 0, NULL) != PLOY_OK) abort();
        }
    }
    ploy_diags_destroy(diags);
    return 0;
}
