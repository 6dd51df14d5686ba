// Hierarchies for the tests: rooms in words, and blocks of tiles.
#pragma once

#include "path/path_internal.h"
#include "ploy/path/hierarchy.h"
#include "tests/path/tile_maps.h"
#include "tests/path/toy_graph.h"

static inline ploy_frozen_graph *toy_freeze(test_context *t, ploy_graph *graph) {
    ploy_env env = ploy_env_default();
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    ploy_graph_destroy(graph);
    return frozen;
}

static inline ploy_hierarchy *toy_hierarchy(test_context *t, const ploy_frozen_graph *graph,
                                            float minimum, float maximin, float average) {
    ploy_env env = ploy_env_default();
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    def.minimum = minimum;
    def.maximin = maximin;
    def.average = average;
    ploy_hierarchy *hierarchy = NULL;
    CHECK_OK(ploy_hierarchy_create(&def, graph, &env, &hierarchy));
    return hierarchy;
}

// The free cells of a map as a graph without gaps: node n is cell cells[n]; -1 in nodes is no node.
typedef struct toy_floor {
    ploy_tiles *tiles;
    ploy_frozen_graph *graph;
    int32_t *cells, *nodes;
    int32_t count;
} toy_floor;

static inline toy_floor toy_floor_make(test_context *t, ploy_tiles *tiles) {
    toy_floor floor = {tiles, NULL, NULL, NULL, 0};
    size_t bytes = (size_t)maps_count(tiles) * sizeof(int32_t);
    floor.cells = malloc(bytes);
    floor.nodes = malloc(bytes);
    ploy_graph *graph = toy_graph_make(t, true, 0, NULL, 0);
    for (int32_t i = 0; i < maps_count(tiles); i++) {
        floor.nodes[i] = ploy_tiles_passable(tiles, i) ? floor.count : -1;
        if (floor.nodes[i] < 0) continue;
        ploy_vec2 at = ploy_tiles_localise(tiles, i);
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make(at.x, at.y, 0.0f), NULL));
        floor.cells[floor.count++] = i;
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    for (int32_t n = 0; n < floor.count; n++) {
        for (int32_t way = 0; way < 8; way++) {
            double cost = ploy_tiles_walker_step(&walker, floor.cells[n], way);
            if (!(cost < (double)INFINITY)) continue;
            int32_t to = floor.nodes[ploy_tiles_neighbour(tiles, floor.cells[n], way)];
            CHECK_OK(ploy_graph_add_edge(graph, n, to, cost, 0, NULL));
        }
    }
    floor.graph = toy_freeze(t, graph);
    return floor;
}

static inline void toy_floor_free(toy_floor *floor) {
    ploy_frozen_graph_destroy(floor->graph);
    ploy_tiles_destroy(floor->tiles);
    free(floor->cells);
    free(floor->nodes);
}

// Groups for the nodes of a level: what hangs together within blocks of `side` metres.
static inline int32_t toy_blocks(const ploy_frozen_graph *graph, float side, int32_t *groups) {
    int32_t nodes = ploy_frozen_graph_node_count(graph), count = 0, head, tail;
    int32_t *queue = malloc((size_t)nodes * sizeof *queue);
    for (int32_t n = 0; n < nodes; n++) groups[n] = -1;
    for (int32_t n = 0; n < nodes; n++) {
        if (groups[n] >= 0) continue;
        ploy_vec3 home = ployi_frozen_graph_position(graph, n);
        groups[n] = count;
        queue[0] = n;
        for (head = 0, tail = 1; head < tail; head++) {
            const ploy_edge *edges;
            int32_t ways = ployi_frozen_graph_out(graph, queue[head], &edges);
            for (int32_t i = 0; i < ways; i++) {
                ploy_vec3 at = ployi_frozen_graph_position(graph, edges[i].to);
                if (groups[edges[i].to] >= 0 || floorf(at.x / side) != floorf(home.x / side) ||
                    floorf(at.y / side) != floorf(home.y / side)) {
                    continue;
                }
                groups[edges[i].to] = count;
                queue[tail++] = edges[i].to;
            }
        }
        count++;
    }
    free(queue);
    return count;
}

// Adds levels of blocks, each twice or more as wide as the one below.
static inline void toy_add_blocks(test_context *t, ploy_hierarchy *hierarchy, float side,
                                  int32_t levels) {
    for (int32_t i = 0; i < levels; i++, side *= 3.0f) {
        const ploy_frozen_graph *top = ployi_hierarchy_graph(hierarchy, i);
        int32_t *groups = malloc((size_t)ploy_frozen_graph_node_count(top) * sizeof *groups);
        int32_t count = toy_blocks(top, side, groups);
        CHECK_OK(ploy_hierarchy_add_level(hierarchy, groups, count, NULL));
        free(groups);
    }
}
