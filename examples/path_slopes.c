// One hill and one swamp for three units: a scout climbs, a cart goes round, a coach can do neither.
// Shows ploy_tiles_walker: costs by kind of cell, by slope and by unit, on one shared map.
#include <math.h>
#include <stdio.h>

#include "ploy/path/tiles.h"
#include "ploy/search/search.h"

enum { WIDTH = 9, HEIGHT = 5, CELLS = WIDTH * HEIGHT, SWAMP = 2, FROM = 2 * WIDTH, TO = FROM + 8 };

static void walk(const char *unit, const ploy_tiles_walker *walker, ploy_search *search) {
    ploy_space space = ploy_tiles_space(walker);
    ploy_search_start start = {FROM, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, TO);
    ploy_edge edges[CELLS];
    double cost = 0.0;
    if (ploy_search_run(search, &query) != PLOY_OK) return;
    int32_t count = ploy_search_path(search, TO, edges, CELLS, &cost);
    printf("%s: one step up costs %.2f, down %.2f; ", unit,
           ploy_tiles_walker_step(walker, FROM + 2, 0),
           ploy_tiles_walker_step(walker, FROM + 6, 0));
    if (count < 0) printf("no path\n");
    if (count < 0) return;
    printf("path costs %.1f, rows", cost);
    for (int32_t i = 0; i < count; i++) printf(" %d", (int)(edges[i].to / WIDTH));
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_tiles *tiles = NULL;
    ploy_search *search = NULL;
    float heights[CELLS];
    def.width = WIDTH;
    def.height = HEIGHT;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    if (ploy_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
    for (int32_t i = 0; i < CELLS; i++) { // a ridge along column 4, a swamp in the top row
        int32_t off = i % WIDTH > 4 ? i % WIDTH - 4 : 4 - i % WIDTH;
        heights[i] = i / WIDTH > 0 && i / WIDTH < 4 && off < 3 ? 0.5f * (float)(3 - off) : 0.0f;
        if (i / WIDTH == 4 || i / WIDTH == 0) ploy_tiles_set(tiles, i, SWAMP);
    }
    ploy_heightfield field =
        ploy_heightfield_make(heights, WIDTH, HEIGHT, ploy_vec2_make(0.5f, 0.5f), 1.0f);
    float costs[PLOY_TILE_KINDS];
    for (int32_t i = 0; i < PLOY_TILE_KINDS; i++) costs[i] = 1.0f;
    costs[PLOY_TILE_BLOCKED] = INFINITY;
    costs[SWAMP] = 3.0f;
    ploy_tiles_walker scout = ploy_tiles_walker_make(tiles, costs);
    scout.heights = &field;
    scout.uphill = 1.0f;
    scout.downhill = 0.2f;
    walk("scout", &scout, search);
    ploy_tiles_walker cart = scout;
    cart.max_slope = 0.3f; // round the hill, through the swamp
    walk("cart", &cart, search);
    costs[SWAMP] = INFINITY;
    ploy_tiles_walker coach = ploy_tiles_walker_make(tiles, costs);
    coach.heights = &field;
    coach.max_slope = 0.3f;
    walk("coach", &coach, search);
    ploy_search_destroy(search);
    ploy_tiles_destroy(tiles);
    return 0;
}
