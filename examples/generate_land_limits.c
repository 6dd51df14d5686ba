// Limits are results. You will see three generators that reach one: each ends well, names the limit and
// keeps what it has made so far. Shows the outcome in ploy/generate/generator.h.
#include <stdio.h>

#include "ploy/generate/erosion.h"
#include "ploy/generate/hills.h"
#include "ploy/generate/lsystem.h"

static void report(const char *name, ploy_generate_outcome outcome) {
    printf("%-8s %s", name, outcome.partial ? "partial" : "complete");
    if (outcome.partial) printf(", limit %s", outcome.limit);
    printf(", made %lld\n", (long long)outcome.count);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rng_key key = ploy_rng_key_make(5);

    ploy_growth_def tree = ploy_growth_def_default();
    ploy_growth *growth = NULL;
    tree.max_branches = 100;
    if (ploy_growth_begin(&tree, key, NULL, NULL, &env, &growth) != PLOY_OK) return 1;
    if (ploy_growth_step(growth, NULL) != PLOY_OK) return 1;
    report("tree", ploy_growth_outcome(growth));
    ploy_growth_cancel(growth);

    ploy_lsystem_def letters = ploy_lsystem_def_default();
    ploy_lsystem *lsystem = NULL;
    letters.generations = 50;
    letters.max_symbols = 2000;
    if (ploy_lsystem_begin(&letters, key, NULL, NULL, &env, &lsystem) != PLOY_OK) return 1;
    if (ploy_lsystem_step(lsystem, NULL) != PLOY_OK) return 1;
    report("letters", ploy_lsystem_outcome(lsystem));
    ploy_lsystem_cancel(lsystem);

    // Ground that should come to rest, with too few passes and with enough.
    ploy_hills_def hills = ploy_hills_def_default();
    ploy_terrain *high = NULL;
    hills.columns = hills.rows = 48;
    hills.high = 60.0f;
    if (ploy_hills_begin(&hills, key, NULL, NULL, &env, &high) != PLOY_OK) return 1;
    if (ploy_terrain_step(high, NULL) != PLOY_OK) return 1;
    for (int passes = 20; passes <= 20000; passes *= 1000) {
        ploy_thermal_def slide = ploy_thermal_def_default();
        ploy_terrain *terrain = NULL;
        slide.settle = 1e-3f;
        slide.passes = passes;
        if (ploy_thermal_begin(&slide, key, ploy_terrain_heights(high), NULL, &env, &terrain) !=
            PLOY_OK) {
            return 1;
        }
        if (ploy_terrain_step(terrain, NULL) != PLOY_OK) return 1;
        report("slide", ploy_terrain_outcome(terrain));
        ploy_terrain_cancel(terrain);
    }
    ploy_terrain_cancel(high);
    return 0;
}
