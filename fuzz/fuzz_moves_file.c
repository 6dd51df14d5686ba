// Any bytes as a file of movement patterns: refused with a reason, or loaded; then every pattern is
// played for a while, and the mover stays finite.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/data/moves_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_moves_file *file = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_moves_file_load(data, size, "fuzz", &env, diags, &file);
    must((result == PLOY_OK) == (file != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    for (int32_t i = 0; file != NULL && i < ploy_moves_file_count(file); i++) {
        ploy_moves moves = ploy_moves_file_at(file, i);
        ploy_moves_state state;
        ploy_kinematic mover = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        memset(&state, 0, sizeof state);
        for (int32_t k = 0; k < 50 && ploy_moves_step(&moves, &state, &mover, NULL); k++) {
            must(ploy_is_finite(mover.position.x) && ploy_is_finite(mover.orientation));
        }
    }
    ploy_moves_file_destroy(file);
    ploy_diags_destroy(diags);
    return 0;
}
