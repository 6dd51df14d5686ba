// Choose a level of detail without flicker. You will see that ranges which overlap keep the level
// that runs while importance wavers at their border, and which of several fitting levels each of
// the four arbitrations takes when none runs. Shows ploy_lod_find.
#include <stdio.h>

#include "ploy/exec/lod.h"

static ploy_result idle(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self, (void)context;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

int main(void) {
    static const ploy_behavior_type type = {.name = "level", .step = idle};
    const ploy_lod_level levels[] = {{.name = "A 0-6", .min = 0, .max = 6, .type = &type},
                                     {.name = "B 4-10", .min = 4, .max = 10, .type = &type},
                                     {.name = "C 5.5-7", .min = 5.5f, .max = 7, .type = &type}};
    ploy_env env = ploy_env_default();
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    ploy_lod *lod = NULL;
    if (ploy_lod_create(&def, &env, &lod) != PLOY_OK) return 1;
    const float wavering[] = {3, 5, 6.5f, 5, 4.5f, 3, 5};
    int32_t level = PLOY_LOD_NONE;
    printf("hysteresis:\n");
    for (size_t i = 0; i < sizeof wavering / sizeof wavering[0]; i++) {
        int32_t next = ploy_lod_find(lod, wavering[i], level);
        printf("  importance %.1f: %s%s\n", (double)wavering[i], ploy_lod_level_name(lod, next),
               next == level ? ", as before" : "");
        level = next;
    }
    ploy_lod_destroy(lod);
    printf("from none, at 5.6 and 6.9:\n");
    def.level_count = 3;
    for (int32_t i = PLOY_LOD_FIRST; i <= PLOY_LOD_ANY_FIT; i++) {
        def.arbitration = (ploy_lod_arbitration)i;
        if (ploy_lod_create(&def, &env, &lod) != PLOY_OK) return 1;
        int32_t low = ploy_lod_find(lod, 5.6f, PLOY_LOD_NONE);
        int32_t high = ploy_lod_find(lod, 6.9f, PLOY_LOD_NONE);
        bool fits = low != PLOY_LOD_NONE && high != PLOY_LOD_NONE;
        if (def.arbitration == PLOY_LOD_ANY_FIT) { // no promise which
            printf("  any: %s\n", fits ? "one that fits" : "none");
        } else {
            printf("  %s: %s, %s\n", ploy_lod_arbitration_text(def.arbitration),
                   ploy_lod_level_name(lod, low), ploy_lod_level_name(lod, high));
        }
        ploy_lod_destroy(lod);
    }
    return 0;
}
