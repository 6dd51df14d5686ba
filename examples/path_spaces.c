// One level in four world representations: tiles, a quadtree of them, corridors with a width
// (generalised cylinders), and a graph that stores no costs. The same search runs on each.
// Shows ploy/path/quad_regions.h, ploy_graph_add_cylinders and ploy/path/graph_straight.h.
#include <stdio.h>

#include "ploy/path/graph_frozen.h"
#include "ploy/path/graph_straight.h"
#include "ploy/path/graph_tools.h"
#include "ploy/path/quad_regions.h"
#include "ploy/search/search.h"

// Reports what a search from one state to another took.
static void report(const char *name, const ploy_space *space, int32_t from, int32_t to,
                   const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    if (ploy_search_create(&def, env, &search) != PLOY_OK) return;
    if (ploy_search_run(search, &query) == PLOY_OK) {
        double cost = 0.0;
        int32_t edges = ploy_search_path(search, to, NULL, 0, &cost);
        printf("%-9s %4d states, %3d taken, %2d edges, cost %.1f\n", name, (int)space->count,
               (int)ploy_search_stats_of(search).taken, (int)edges, cost);
    }
    ploy_search_destroy(search);
}

static void sum(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = def.height = 32;
    ploy_tiles *tiles = NULL;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t y = 0; y < 24; y++) { // a wall with its passage at the top
        if (ploy_tiles_set(tiles, ploy_tiles_cell(tiles, 16, y), PLOY_TILE_BLOCKED) != PLOY_OK) {
            return 1;
        }
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_space plain = ploy_tiles_space(&walker);
    int32_t from = ploy_tiles_cell(tiles, 4, 4), to = ploy_tiles_cell(tiles, 28, 4);
    report("tiles", &plain, from, to, &env);

    ploy_quad_regions *quads = NULL;
    if (ploy_quad_regions_create(tiles, &env, &quads) != PLOY_OK) return 1;
    ploy_representation squares = ploy_quad_regions_view(quads);
    ploy_representation_body body = {0.0f, 0};
    report("quadtree", &squares.space,
           squares.quantise(squares.user, ploy_vec3_make(4.5f, 4.5f, 0), &body),
           squares.quantise(squares.user, ploy_vec3_make(28.5f, 4.5f, 0), &body), &env);
    // An edit of the map: the squares around it are divided again.
    if (ploy_tiles_set(tiles, ploy_tiles_cell(tiles, 5, 20), PLOY_TILE_BLOCKED) != PLOY_OK ||
        ploy_quad_regions_rebuild(quads) != PLOY_OK) {
        return 1;
    }
    printf("%-9s %4d states after one cell was blocked\n", "", ploy_quad_regions_count(quads));

    ploy_capsule corridors[3] = {
        ploy_capsule_make(ploy_vec3_make(4.5f, 4.5f, 0), ploy_vec3_make(4.5f, 28, 0), 4.0f),
        ploy_capsule_make(ploy_vec3_make(4.5f, 28, 0), ploy_vec3_make(28.5f, 28, 0), 4.0f),
        ploy_capsule_make(ploy_vec3_make(28.5f, 28, 0), ploy_vec3_make(28.5f, 4.5f, 0), 3.0f)};
    ploy_graph_def empty = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    int32_t nodes = 0;
    if (ploy_graph_create(&empty, &env, &graph) != PLOY_OK ||
        ploy_graph_add_cylinders(graph, corridors, 3, 0.5f, NULL, &nodes) != PLOY_OK) {
        return 1;
    }
    int32_t first = -1, last = -1;
    for (int32_t n = 0; n < nodes; n++) { // the ends of the first and the last corridor
        ploy_vec3 at = ploy_graph_position(graph, n);
        if (at.y < 5.0f && at.x < 16.0f) first = n;
        if (at.y < 5.0f && at.x > 16.0f) last = n;
    }
    ploy_space cylinders = ploy_graph_space(graph);
    report("cylinders", &cylinders, first, last, &env);

    ploy_straight_graph *straight = NULL;
    ploy_frozen_graph *frozen = NULL;
    if (ploy_straight_graph_create(graph, 1.0, &env, &straight) != PLOY_OK ||
        ploy_graph_freeze(graph, &env, &frozen) != PLOY_OK) {
        return 1;
    }
    ploy_space compact = ploy_straight_graph_space(straight);
    report("straight", &compact, first, last, &env);
    size_t small = 0, large = 0;
    ploy_straight_graph_memory(straight, sum, &small);
    ploy_frozen_graph_memory(frozen, sum, &large);
    printf("a graph without costs is smaller: %s\n", small < large ? "yes" : "no");
    ploy_straight_graph_destroy(straight);
    ploy_frozen_graph_destroy(frozen);
    ploy_graph_destroy(graph);
    ploy_quad_regions_destroy(quads);
    ploy_tiles_destroy(tiles);
    return 0;
}
