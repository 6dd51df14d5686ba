// A guard runs to the nearest alarm point. The player blocks the near one: a search for any alarm
// fills the whole level before it turns round, unless alarms that are known to be blocked are left
// out. Shows goals by predicate of ploy/search/search.h.
#include <stdio.h>
#include <string.h>

#include "ploy/path/tiles.h"
#include "ploy/search/search.h"

enum { WIDTH = 40, HEIGHT = 12, ALARMS = 2 };

typedef struct alarms {
    const ploy_tiles *tiles;
    int32_t cells[ALARMS];
    bool known_blocked[ALARMS];
} alarms;

static bool is_alarm(void *user, int32_t state) {
    const alarms *a = user;
    for (int32_t i = 0; i < ALARMS; i++) {
        if (state == a->cells[i] && !a->known_blocked[i]) return true;
    }
    return false;
}

// To the nearest alarm that counts, as the crow flies.
static double to_nearest(void *user, int32_t state, int32_t goal) {
    const alarms *a = user;
    double best = 1e9;
    (void)goal;
    for (int32_t i = 0; i < ALARMS; i++) {
        if (a->known_blocked[i]) continue;
        ploy_vec2 from = ploy_tiles_localise(a->tiles, state);
        double away = (double)ploy_vec2_distance(from, ploy_tiles_localise(a->tiles, a->cells[i]));
        best = away < best ? away : best;
    }
    return best < 1e9 ? best : 0.0;
}

static ploy_tiles_walker *walker_of; // both callbacks of a space share one user

static ploy_result step(void *user, int32_t state, ploy_edges *out) {
    ploy_space space = ploy_tiles_space(walker_of);
    (void)user;
    return space.expand(space.user, state, out);
}

static void run(const char *when, alarms *a, int32_t guard, const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = WIDTH * HEIGHT;
    space.expand = step;
    space.estimate = to_nearest;
    space.user = a;
    ploy_search_start start = {guard, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = is_alarm;
    query.user = a;
    if (ploy_search_create(&def, env, &search) != PLOY_OK) return;
    if (ploy_search_run(search, &query) == PLOY_OK) {
        double cost = 0.0;
        int32_t goal = ploy_search_goal(search);
        if (goal >= 0) ploy_search_path(search, goal, NULL, 0, &cost);
        printf("%s: alarm %c, %.1f m, %d cells taken\n", when,
               goal < 0              ? '-'
               : goal == a->cells[0] ? 'A'
                                     : 'B',
               cost, (int)ploy_search_stats_of(search).taken);
    }
    ploy_search_destroy(search);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    map.width = WIDTH;
    map.height = HEIGHT;
    map.neighbours = PLOY_TILE_FOUR;
    if (ploy_tiles_create(&map, &env, &tiles) != PLOY_OK) return 1;
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker_of = &walker;
    alarms a = {tiles, {6 * WIDTH + 8, 6 * WIDTH + 38}, {false, false}};
    int32_t guard = 6 * WIDTH + 16;
    run("all is open", &a, guard, &env);
    static const int32_t around[4] = {-1, 1, -WIDTH, WIDTH}; // the player is in front of A
    for (int32_t i = 0; i < 4; i++) {
        ploy_tiles_set(tiles, a.cells[0] + around[i], PLOY_TILE_BLOCKED);
    }
    run("A is walled in", &a, guard, &env);
    a.known_blocked[0] = true;
    run("and the guard knows", &a, guard, &env);
    ploy_tiles_destroy(tiles);
    return 0;
}
