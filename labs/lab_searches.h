// Every search of a grid behind one interface: all finders of a map of tiles, and beside them blocks
// and a flow field. They answer the same question on the same tiles.
#pragma once

#include <string.h>

#include "ploy/path/finders.h"
#include "ploy/path/grid_blocks.h"
#include "ploy/path/grid_flow.h"

// In the order of ploy_tiles_finders, with blocks and flow before those over any representation.
typedef enum lab_search {
    LAB_SEARCH_GRID_LAST = PLOY_GRID_FAST,
    LAB_SEARCH_THETA,
    LAB_SEARCH_LAZY,
    LAB_SEARCH_ANYA,
    LAB_SEARCH_BLOCKS,   // its legs as they are found, not smoothed
    LAB_SEARCH_FLOW,     // from the goal to everywhere
    LAB_SEARCH_GENERIC,  // the same as the grid's A*, through the space
    LAB_SEARCH_WEIGHTED, // weight 3: at most three times too long
    LAB_SEARCH_GREEDY,
    LAB_SEARCH_BREADTH,
    LAB_SEARCH_DEPTH,
    LAB_SEARCH_COUNT
} lab_search;

static const char *const lab_search_names[] = {"dijkstra", "astar",  "jps",     "fast", "theta",
                                               "lazy",     "anya",   "blocks",  "flow", "generic",
                                               "weighted", "greedy", "breadth", "depth"};

// What one of them made of the question, so far.
typedef struct lab_search_result {
    double length; // in cells, 0 if there is no way
    int64_t taken; // cells, pieces or places
    int64_t units; // of work
    ploy_result result;
    ploy_search_outcome outcome;
} lab_search_result;

typedef struct lab_searches {
    ploy_env env;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_representation level;
    ploy_grid_map *map;
    ploy_grid_blocks *blocks;
    ploy_grid_flow *flow;
    ploy_grid_route *route;
    ploy_finder finders[LAB_SEARCH_COUNT]; // none of blocks and flow, nor of the map's without one
    ploy_result map_result, blocks_result; // why there is none
    int32_t start, goal;
} lab_searches;

// Makes those that outlive any map; env is the block's already.
static inline ploy_result lab_searches_make(lab_searches *all) {
    return ploy_grid_route_create(&all->env, &all->route);
}

static inline void lab_searches_drop_map(lab_searches *all) {
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        ploy_finder_destroy(all->finders[i]);
        all->finders[i].type = NULL;
        all->finders[i].self = NULL;
    }
    ploy_grid_flow_destroy(all->flow);
    ploy_grid_blocks_destroy(all->blocks);
    ploy_grid_map_destroy(all->map);
    all->flow = NULL;
    all->blocks = NULL;
    all->map = NULL;
}

// Takes other tiles in place of the old ones, which go.
static inline void lab_searches_set_tiles(lab_searches *all, ploy_tiles *tiles) {
    lab_searches_drop_map(all);
    ploy_tiles_destroy(all->tiles);
    all->tiles = tiles;
    all->walker = ploy_tiles_walker_make(tiles, NULL);
    all->level = ploy_tiles_representation(&all->walker);
}

// The finders of the list, each where its name is.
static inline ploy_result lab_searches_make_finders(lab_searches *all) {
    ploy_finder_factory list[LAB_SEARCH_COUNT];
    int32_t count = ploy_tiles_finders(all->map, &all->level, list, LAB_SEARCH_COUNT);
    for (int32_t i = 0; i < count && i < LAB_SEARCH_COUNT; i++) {
        for (int32_t k = 0; k < LAB_SEARCH_COUNT; k++) {
            if (strcmp(list[i].name, lab_search_names[k]) != 0) continue;
            if (all->map == NULL && k < LAB_SEARCH_GENERIC) continue;
            ploy_result result = ploy_finder_make(&list[i], &all->env, &all->finders[k]);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// The map of bits as it is now, and what stands on it; costs that it cannot hold leave it out.
static inline ploy_result lab_searches_make_map(lab_searches *all) {
    lab_searches_drop_map(all);
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    all->map_result = ploy_grid_map_create(&def, all->tiles, &all->env, &all->map);
    if (all->map_result == PLOY_ERR_UNSUPPORTED) {
        def.tables = false; // A* and Dijkstra may still do
        all->map_result = ploy_grid_map_create(&def, all->tiles, &all->env, &all->map);
    }
    all->blocks_result = all->map_result;
    if (all->map_result == PLOY_ERR_MEMORY) return PLOY_ERR_MEMORY;
    ploy_result result = lab_searches_make_finders(all);
    if (result != PLOY_OK || all->map == NULL) return result;
    ploy_grid_blocks_def blocks = ploy_grid_blocks_def_default();
    blocks.side = 8; // the maps are small
    all->blocks_result = ploy_grid_blocks_create(&blocks, all->map, &all->env, &all->blocks);
    if (all->blocks_result == PLOY_ERR_MEMORY) return PLOY_ERR_MEMORY;
    ploy_grid_flow_def flow = ploy_grid_flow_def_default();
    return ploy_grid_flow_create(&flow, all->map, &all->env, &all->flow);
}

// Follows the tiles. @return PLOY_ERR_MEMORY.
static inline ploy_result lab_searches_refresh(lab_searches *all) {
    if (all->map == NULL || ploy_grid_map_refresh(all->map) != PLOY_OK) {
        return lab_searches_make_map(all);
    }
    if (all->blocks != NULL) ploy_grid_blocks_refresh(all->blocks);
    return ploy_grid_map_prepare(all->map) == PLOY_OK ? PLOY_OK : PLOY_ERR_MEMORY;
}

static inline ploy_result lab_searches_begin(lab_searches *all, lab_search search) {
    int32_t start = all->start, goal = all->goal;
    if (all->map == NULL && search < LAB_SEARCH_GENERIC) return all->map_result;
    if (search == LAB_SEARCH_FLOW) return ploy_grid_flow_begin(all->flow, &goal, 1);
    if (search == LAB_SEARCH_BLOCKS) {
        if (all->blocks == NULL) return all->blocks_result;
        return ploy_grid_route_begin(all->route, all->blocks, start, goal);
    }
    ploy_vec3 from = ploy_vec3_from_vec2(ploy_tiles_localise(all->tiles, start), 0.0f);
    ploy_vec3 to = ploy_vec3_from_vec2(ploy_tiles_localise(all->tiles, goal), 0.0f);
    ploy_path_request path = ploy_path_request_make(ploy_agent_id_none(), from, to);
    ploy_finder_request request = ploy_finder_request_make(&path);
    return ploy_finder_begin(all->finders[search], &request, NULL);
}

static inline ploy_result lab_searches_step(lab_searches *all, lab_search search,
                                            ploy_budget *budget) {
    if (search == LAB_SEARCH_FLOW) return ploy_grid_flow_step(all->flow, budget);
    if (search == LAB_SEARCH_BLOCKS) return ploy_grid_route_step(all->route, budget);
    return ploy_finder_step(all->finders[search], budget);
}

static inline void lab_searches_read_flow(const lab_searches *all, lab_search_result *out) {
    ploy_grid_flow_stats stats = ploy_grid_flow_stats_of(all->flow);
    ploy_grid_cost cost;
    out->taken = stats.taken;
    out->units = stats.units;
    out->outcome = PLOY_SEARCH_OPEN;
    if (!ploy_grid_flow_ready(all->flow)) return;
    bool found = ploy_grid_flow_cost(all->flow, all->start, &cost);
    out->outcome = found ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE;
    if (found) out->length = cost.length;
}

// How far it is; result is what begin or step returned.
static inline lab_search_result lab_searches_read(const lab_searches *all, lab_search search,
                                                  ploy_result result) {
    lab_search_result out;
    memset(&out, 0, sizeof out);
    out.result = result;
    if (result < PLOY_OK) return out;
    if (search == LAB_SEARCH_FLOW) {
        lab_searches_read_flow(all, &out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        out.outcome = ploy_grid_route_outcome(all->route);
        out.taken = out.units = ploy_grid_route_taken(all->route);
        out.length = ploy_grid_route_length(all->route);
    } else {
        const ploy_finder_state *state = ploy_finder_state_of(all->finders[search]);
        out.outcome = state->outcome == PLOY_PATH_OPEN    ? PLOY_SEARCH_OPEN
                      : state->outcome == PLOY_PATH_FOUND ? PLOY_SEARCH_FOUND
                                                          : PLOY_SEARCH_NONE;
        out.taken = state->taken;
        out.units = state->work;
        if (out.outcome == PLOY_SEARCH_FOUND) out.length = state->cost;
    }
    return out;
}

// ---- sight ----

static inline void lab_searches_draw_flow(const lab_searches *all, ploy_draw *out) {
    ploy_grid_flow_draw(all->flow, out);
    if (!ploy_grid_flow_ready(all->flow)) return;
    for (int32_t at = all->start, next; (next = ploy_grid_flow_next(all->flow, at)) >= 0;
         at = next) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                       ploy_tiles_localise(all->tiles, at), ploy_tiles_localise(all->tiles, next));
    }
}

// Fill and path of one that has begun.
static inline void lab_searches_draw(const lab_searches *all, lab_search search, ploy_draw *out) {
    if (search == LAB_SEARCH_FLOW) {
        lab_searches_draw_flow(all, out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        ploy_grid_blocks_draw(all->blocks, out);
        ploy_grid_route_draw(all->route, out);
    } else {
        ploy_finder_draw(all->finders[search], out);
    }
}

static inline void lab_searches_describe(const lab_searches *all, lab_search search,
                                         ploy_describe *out) {
    if (search == LAB_SEARCH_FLOW) {
        if (all->flow != NULL) ploy_grid_flow_describe(all->flow, out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        ploy_grid_route_describe(all->route, out);
    } else {
        ploy_finder_describe(all->finders[search], out);
    }
}
