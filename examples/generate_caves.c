// Caves worn by an automaton and caves of circles, as letters. Shows ploy/generate/caves.h.
#include "ploy/generate/caves.h"

#include <stdio.h>

int main(void) {
    ploy_env env = ploy_env_default();
    for (int32_t method = PLOY_CAVES_AUTOMATON; method <= PLOY_CAVES_CIRCLES; method++) {
        ploy_caves_def def = ploy_caves_def_default();
        def.width = 60;
        def.height = 18;
        def.method = method;
        def.radius_max = 4.0f;
        ploy_caves *caves = NULL;
        if (ploy_caves_begin(&def, ploy_rng_key_make(2), NULL, &env, &caves) != PLOY_OK) return 1;
        if (ploy_caves_step(caves, NULL) != PLOY_OK) return 1;
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_caves_plan(caves));
        for (int32_t y = view.height - 1; y >= 0; y--) {
            for (int32_t x = 0; x < view.width; x++) {
                int32_t cell = y * view.width + x;
                char letter = view.kinds[cell] == PLOY_PLAN_SOLID ? '#' : '.';
                if (view.kinds[cell] == PLOY_PLAN_ROOM)
                    letter = (char)('a' + view.owners[cell] % 26);
                if (cell == view.entrance) letter = '<';
                if (cell == view.exit) letter = '>';
                putchar(letter);
            }
            putchar('\n');
        }
        int32_t circles = 0;
        ploy_caves_circles(caves, &circles);
        printf("%d caves, %d of them circles, %d tries rejected\n\n",
               (int)ploy_caves_outcome(caves).count, (int)circles,
               (int)ploy_caves_outcome(caves).rejected);
        ploy_caves_cancel(caves);
    }
    return 0;
}
