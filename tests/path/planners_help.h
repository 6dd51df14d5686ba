// Levels to plan on for the tests of divisions and planners.
#pragma once

#include "ploy/base/rng.h"
#include "ploy/path/finders.h"
#include "ploy/path/planners.h"
#include "tests/test.h"

#define LEVEL_UNUSED __attribute__((unused)) static

// A map of tiles with walls thrown in, its corners free.
typedef struct tile_level {
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_representation representation;
} tile_level;

LEVEL_UNUSED void tile_level_make(test_context *t, int32_t side, float walls, uint64_t seed,
                                  tile_level *out) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_rng rng = ploy_rng_make(seed);
    def.width = def.height = side;
    CHECK_OK(ploy_tiles_create(&def, &env, &out->tiles));
    for (int32_t i = 1; i + 1 < side * side; i++) {
        if (ploy_rng_chance(&rng, walls)) CHECK_OK(ploy_tiles_set(out->tiles, i, 0));
    }
    out->walker = ploy_tiles_walker_make(out->tiles, NULL);
    out->representation = ploy_tiles_representation(&out->walker);
}

LEVEL_UNUSED ploy_path_request level_ask(ploy_vec3 from, ploy_vec3 to) {
    return ploy_path_request_make(ploy_agent_id_none(), from, to);
}

// From cell to cell.
LEVEL_UNUSED ploy_path_request level_ask_cells(const tile_level *level, int32_t from, int32_t to) {
    return level_ask(level->representation.localise(level->representation.user, from),
                     level->representation.localise(level->representation.user, to));
}

// Planners with A* over a representation for requests without a profile.
LEVEL_UNUSED ploy_result level_planners(const ploy_planners_def *def,
                                        const ploy_representation *representation,
                                        const ploy_env *env, ploy_planners **out) {
    ploy_finder_factory finder = ploy_representation_finder(representation, PLOY_SPACE_ASTAR);
    ploy_result result = ploy_planners_create(def, env, out);
    if (result == PLOY_OK) result = ploy_planners_add_finder(*out, (ploy_name){0}, &finder);
    if (result != PLOY_OK) {
        ploy_planners_destroy(*out);
        *out = NULL;
    }
    return result;
}

LEVEL_UNUSED ploy_path *level_path(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    return path;
}
