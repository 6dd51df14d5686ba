// A tank that cannot turn on the spot needs room to come round; with a reverse gear it backs out of a
// lane. Shows ploy/path/headings.h: the state is a cell and a heading, and turns have a price.
#include <stdio.h>

#include "ploy/path/headings.h"
#include "ploy/search/search.h"

enum { WIDTH = 7, HEIGHT = 3, CELLS = WIDTH * HEIGHT, HEADINGS = 4 };
static const char *const looks[HEADINGS] = {"right", "up", "left", "down"};

static void drive(const char *title, const ploy_tiles_walker *walker, const ploy_headings_def *def,
                  int32_t from, int32_t heading, int32_t to, const ploy_env *env) {
    ploy_headings headings;
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_edge edges[4 * CELLS];
    double best = -1.0;
    if (ploy_headings_make(def, walker, env, &headings) != PLOY_OK) return;
    if (ploy_search_create(&search_def, env, &search) != PLOY_OK) return;
    ploy_space space = ploy_headings_space(&headings);
    ploy_search_start start = {from * HEADINGS + heading, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, to);
    printf("%s: ", title);
    if (ploy_search_run(search, &query) == PLOY_OK) {
        int32_t count = ploy_search_path(search, to, edges, 4 * CELLS, &best);
        if (count < 0) printf("no path");
        if (count >= 0) printf("%d moves, cost %.1f:", (int)count, best);
        for (int32_t i = 0; i < count; i++) {
            int32_t cell = edges[i].to / HEADINGS;
            printf(" %d,%d %s", (int)(cell % WIDTH), (int)(cell / WIDTH),
                   looks[edges[i].to % HEADINGS]);
        }
    }
    printf("\n");
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
    for (int32_t i = 0; i < CELLS; i++) { // a yard on the left, a lane on the right
        if (i % WIDTH > 2 && i / WIDTH != 1) ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED);
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_headings_def def = ploy_headings_def_default();
    int32_t yard = WIDTH + 1, lane = WIDTH + 5;
    def.headings = HEADINGS;
    def.max_turn = 1;
    def.turn_cost = 0.5;
    def.spin = def.reverse = false;
    drive("turn round in the yard", &walker, &def, yard, 0, yard * HEADINGS + 2, &env);
    drive("turn round in the lane", &walker, &def, lane, 0, yard * HEADINGS + 2, &env);
    def.reverse = true;
    def.reverse_cost = 2.0;
    drive("back out of the lane", &walker, &def, lane, 0, yard * HEADINGS, &env);
    def.reverse = false;
    def.spin = true;
    def.spin_cost = 1.0;
    drive("spin in the lane", &walker, &def, lane, 0, yard * HEADINGS + 2, &env);
    ploy_tiles_destroy(tiles);
    return 0;
}
