// Any bytes as the text of an L-system: refused with a reason, or loaded; then a few generations are
// rewritten and drawn within small limits, and everything is finite.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/generate/lsystem.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_lsystem_rules *rules = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result =
        ploy_lsystem_rules_load((const char *)data, size, "fuzz", &env, diags, &rules);
    must((result == PLOY_OK) == (rules != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    if (rules != NULL) {
        ploy_lsystem_def def = ploy_lsystem_def_default();
        def.max_symbols = 2000;
        def.max_branches = 500;
        def.jitter = 0.3f;
        ploy_lsystem *lsystem = NULL;
        must(ploy_lsystem_begin(&def, ploy_rng_key_make(1), rules, NULL, &env, &lsystem) ==
             PLOY_OK);
        must(ploy_lsystem_step(lsystem, NULL) == PLOY_OK);
        int32_t length = 0, count = 0;
        const char *string = ploy_lsystem_string(lsystem, &length);
        must(string != NULL && strlen(string) == (size_t)length);
        const ploy_plant_branch *branches =
            ploy_plant_branches(ploy_lsystem_plant(lsystem), &count);
        must(count <= 500);
        for (int32_t i = 0; i < count; i++) {
            ploy_vec3 end = ploy_plant_end(&branches[i]);
            must(ploy_is_finite(end.x) && ploy_is_finite(end.y) && ploy_is_finite(end.z));
            must(branches[i].parent < i);
        }
        ploy_lsystem_cancel(lsystem);
    }
    ploy_lsystem_rules_destroy(rules);
    ploy_diags_destroy(diags);
    return 0;
}
