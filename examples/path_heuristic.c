// Six guesses of the same distance on a map with eight directions: the better the guess, the fewer states; a
// guess that is much too large finds a worse path. Shows ploy/path/heuristic.h.
#include <stdio.h>

#include "ploy/path/heuristic.h"
#include "ploy/path/tiles.h"
#include "ploy/search/search.h"

enum { SIDE = 24, SWAMP = 2, FROM = 12 * SIDE + 2, TO = 10 * SIDE + 21 };

static ploy_vec3 place(const void *user, int32_t cell) {
    return ploy_vec3_from_vec2(ploy_tiles_localise(user, cell), 0);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_heuristic_def def = ploy_heuristic_def_default();
    ploy_tiles *tiles = NULL;
    ploy_search *search = NULL;
    map.width = map.height = SIDE;
    if (ploy_tiles_create(&map, &env, &tiles) != PLOY_OK) return 1;
    if (ploy_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
    for (int32_t i = 0; i < SIDE * SIDE; i++) { // a swamp on the straight line
        if (i % SIDE >= 8 && i % SIDE < 16 && i / SIDE >= 5) ploy_tiles_set(tiles, i, SWAMP);
    }
    ploy_tiles_set_cost(tiles, SWAMP, 4.0f);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_space space = ploy_tiles_space(&walker);
    static const ploy_heuristic_kind kinds[] = {PLOY_HEURISTIC_ZERO,      PLOY_HEURISTIC_CHEBYSHEV,
                                                PLOY_HEURISTIC_EUCLID,    PLOY_HEURISTIC_OCTILE,
                                                PLOY_HEURISTIC_MANHATTAN, PLOY_HEURISTIC_SQUARED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        def.kind = kinds[i];
        ploy_guide guide = ploy_guide_make(&space, &def, place, tiles);
        ploy_space guided = ploy_guide_space(&guide);
        ploy_search_start start = {FROM, 0.0};
        ploy_search_query query = ploy_search_query_make(&guided, &start, TO);
        double cost = 0.0;
        if (ploy_search_run(search, &query) != PLOY_OK) return 1;
        ploy_search_path(search, TO, NULL, 0, &cost);
        bool fair = ploy_heuristic_is_admissible(&guided, TO, 1e-9, &env, NULL) == PLOY_OK;
        printf("%-9s guesses %5.1f, path %.1f, %d states%s\n", ploy_heuristic_kind_text(kinds[i]),
               ploy_guide_estimate(&guide, FROM, TO), cost, (int)ploy_search_stats_of(search).taken,
               fair ? "" : ", not admissible");
        ploy_heuristic_fault fault;
        if (ploy_heuristic_is_consistent(&guided, TO, 1e-9, &env, &fault) != PLOY_OK) {
            printf("          and drops by more than the step from %d to %d costs\n",
                   (int)fault.state, (int)fault.edge.to);
        }
    }
    def.kind = PLOY_HEURISTIC_EUCLID; // by time, and noisy
    def.speed = 2.0;
    def.noise = 0.1;
    printf("at 2 m/s: %.2f s for 5 m;",
           ploy_heuristic_between(&def, ploy_vec3_zero(), ploy_vec3_make(3, 4, 0)));
    for (def.seed = 1; def.seed <= 3; def.seed++) {
        printf(" agent %d x %.3f", (int)def.seed, ploy_heuristic_noise(&def, FROM));
    }
    int32_t goals[] = {TO, FROM + 3};
    ploy_guide nearest = ploy_guide_make(&space, NULL, place, tiles);
    nearest.goals = goals;
    nearest.goal_count = 2;
    printf("\nnearest of two goals: %.1f\n", ploy_guide_estimate(&nearest, FROM, PLOY_STATE_NONE));
    ploy_search_destroy(search);
    ploy_tiles_destroy(tiles);
    return 0;
}
