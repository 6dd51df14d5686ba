// Every search of a grid behind one interface: the grid's own, lines at any angle, blocks, a flow
// field, and the generic core. They answer the same question on the same tiles.
#pragma once

#include <string.h>

#include "ploy/path/grid_angle.h"
#include "ploy/path/grid_anya.h"
#include "ploy/path/grid_blocks.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/tiles.h"

// Those that `ploy path --algo list` lists come first, in its order.
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
    ploy_space space;
    ploy_grid_map *map;
    ploy_grid_blocks *blocks;
    ploy_grid_flow *flow;
    ploy_grid_search *grids[LAB_SEARCH_GRID_LAST + 1];
    ploy_grid_angle *angles[2];
    ploy_grid_anya *anya;
    ploy_grid_route *route;
    ploy_search *generics[LAB_SEARCH_COUNT - LAB_SEARCH_GENERIC];
    ploy_result map_result, blocks_result; // why there is none
    int32_t start, goal;
} lab_searches;

static inline ploy_search *lab_searches_generic(const lab_searches *all, lab_search search) {
    return all->generics[search - LAB_SEARCH_GENERIC];
}

static inline ploy_grid_angle *lab_searches_angle(const lab_searches *all, lab_search search) {
    return all->angles[search - LAB_SEARCH_THETA];
}

static inline bool lab_search_is_angle(lab_search search) {
    return search == LAB_SEARCH_THETA || search == LAB_SEARCH_LAZY;
}

// Makes those that outlive any map; env is the block's already.
static inline ploy_result lab_searches_make(lab_searches *all) {
    const ploy_env *env = &all->env;
    ploy_result result = ploy_grid_anya_create(env, &all->anya);
    if (result == PLOY_OK) result = ploy_grid_route_create(env, &all->route);
    for (int32_t i = 0; i <= LAB_SEARCH_GRID_LAST && result == PLOY_OK; i++) {
        ploy_grid_search_def def = ploy_grid_search_def_default();
        def.algorithm = (ploy_grid_algorithm)i;
        result = ploy_grid_search_create(&def, env, &all->grids[i]);
    }
    for (int32_t i = 0; i < PLOY_GRID_ANGLE_COUNT && result == PLOY_OK; i++) {
        ploy_grid_angle_def def = ploy_grid_angle_def_default();
        def.algorithm = (ploy_grid_angle_algorithm)i;
        result = ploy_grid_angle_create(&def, env, &all->angles[i]);
    }
    for (int32_t i = LAB_SEARCH_GENERIC; i < LAB_SEARCH_COUNT && result == PLOY_OK; i++) {
        ploy_search_def def = ploy_search_def_default();
        if (i == LAB_SEARCH_WEIGHTED) def.weight = 3.0;
        if (i == LAB_SEARCH_GREEDY) def.order = PLOY_SEARCH_GREEDY;
        if (i == LAB_SEARCH_BREADTH) def.order = PLOY_SEARCH_BREADTH;
        if (i == LAB_SEARCH_DEPTH) def.order = PLOY_SEARCH_DEPTH;
        result = ploy_search_create(&def, env, &all->generics[i - LAB_SEARCH_GENERIC]);
    }
    return result;
}

static inline void lab_searches_drop_map(lab_searches *all) {
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
    all->space = ploy_tiles_space(&all->walker);
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
    if (all->map_result != PLOY_OK) {
        return all->map_result == PLOY_ERR_MEMORY ? PLOY_ERR_MEMORY : PLOY_OK;
    }
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
    if (search >= LAB_SEARCH_GENERIC) {
        ploy_search_start from = {start, 0.0};
        ploy_search_query query = ploy_search_query_make(&all->space, &from, goal);
        return ploy_search_begin(lab_searches_generic(all, search), &query);
    }
    if (all->map == NULL) return all->map_result;
    if (lab_search_is_angle(search)) {
        return ploy_grid_angle_begin(lab_searches_angle(all, search), all->map, start, goal);
    }
    if (search == LAB_SEARCH_ANYA) return ploy_grid_anya_begin(all->anya, all->map, start, goal);
    if (search == LAB_SEARCH_FLOW) return ploy_grid_flow_begin(all->flow, &goal, 1);
    if (search == LAB_SEARCH_BLOCKS) {
        if (all->blocks == NULL) return all->blocks_result;
        return ploy_grid_route_begin(all->route, all->blocks, start, goal);
    }
    return ploy_grid_search_begin(all->grids[search], all->map, start, goal);
}

static inline ploy_result lab_searches_step(lab_searches *all, lab_search search,
                                            ploy_budget *budget) {
    if (search >= LAB_SEARCH_GENERIC) {
        return ploy_search_step(lab_searches_generic(all, search), budget);
    }
    if (lab_search_is_angle(search)) {
        return ploy_grid_angle_step(lab_searches_angle(all, search), budget);
    }
    if (search == LAB_SEARCH_ANYA) return ploy_grid_anya_step(all->anya, budget);
    if (search == LAB_SEARCH_FLOW) return ploy_grid_flow_step(all->flow, budget);
    if (search == LAB_SEARCH_BLOCKS) return ploy_grid_route_step(all->route, budget);
    return ploy_grid_search_step(all->grids[search], budget);
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

// Where it stands; result is what begin or step returned.
static inline lab_search_result lab_searches_read(const lab_searches *all, lab_search search,
                                                  ploy_result result) {
    lab_search_result out;
    memset(&out, 0, sizeof out);
    out.result = result;
    if (result < PLOY_OK) return out;
    if (search >= LAB_SEARCH_GENERIC) {
        const ploy_search *generic = lab_searches_generic(all, search);
        out.outcome = ploy_search_outcome_of(generic);
        out.taken = out.units = ploy_search_stats_of(generic).taken;
        if (out.outcome == PLOY_SEARCH_FOUND) {
            ploy_search_path(generic, all->goal, NULL, 0, &out.length);
        }
    } else if (lab_search_is_angle(search)) {
        const ploy_grid_angle *angle = lab_searches_angle(all, search);
        out.outcome = ploy_grid_angle_outcome(angle);
        out.taken = ploy_grid_angle_stats_of(angle).taken;
        out.units = ploy_grid_angle_stats_of(angle).units;
        out.length = ploy_grid_angle_length(angle);
    } else if (search == LAB_SEARCH_ANYA) {
        out.outcome = ploy_grid_anya_outcome(all->anya);
        out.taken = ploy_grid_anya_stats_of(all->anya).taken;
        out.units = ploy_grid_anya_stats_of(all->anya).units;
        out.length = ploy_grid_anya_length(all->anya);
    } else if (search == LAB_SEARCH_FLOW) {
        lab_searches_read_flow(all, &out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        out.outcome = ploy_grid_route_outcome(all->route);
        out.taken = out.units = ploy_grid_route_taken(all->route);
        out.length = ploy_grid_route_length(all->route);
    } else {
        const ploy_grid_search *grid = all->grids[search];
        ploy_grid_cost cost;
        out.outcome = ploy_grid_search_outcome(grid);
        out.taken = ploy_grid_search_stats_of(grid).taken;
        out.units = ploy_grid_search_stats_of(grid).units;
        if (out.outcome == PLOY_SEARCH_FOUND && ploy_grid_search_cost(grid, all->goal, &cost)) {
            out.length = cost.length;
        }
    }
    return out;
}

// ---- sight ----

static inline void lab_searches_draw_generic(const lab_searches *all, const ploy_search *search,
                                             ploy_draw *out) {
    for (int32_t i = 0; i < ploy_search_reached(search); i++) {
        int32_t cell = ploy_search_reached_at(search, i);
        ploy_search_node node;
        if (!ploy_search_get(search, cell, &node)) continue;
        ploy_tiles_draw_cells(all->tiles, cell, 1, PLOY_LAYER_PATHS,
                              node.status == PLOY_SEARCH_SEEN ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED,
                              0.5f, out);
    }
    int32_t at = ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND ? all->goal
                                                                     : ploy_search_nearest(search);
    ploy_search_node node;
    for (; at >= 0 && ploy_search_get(search, at, &node) && node.parent >= 0; at = node.parent) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                       ploy_tiles_localise(all->tiles, node.parent),
                       ploy_tiles_localise(all->tiles, at));
    }
}

static inline void lab_searches_draw_flow(const lab_searches *all, ploy_draw *out) {
    ploy_grid_flow_draw(all->flow, out);
    if (!ploy_grid_flow_ready(all->flow)) return;
    for (int32_t at = all->start, next; (next = ploy_grid_flow_next(all->flow, at)) >= 0;
         at = next) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                       ploy_tiles_localise(all->tiles, at), ploy_tiles_localise(all->tiles, next));
    }
}

// Fill and way of one that has begun.
static inline void lab_searches_draw(const lab_searches *all, lab_search search, ploy_draw *out) {
    if (search >= LAB_SEARCH_GENERIC) {
        lab_searches_draw_generic(all, lab_searches_generic(all, search), out);
    } else if (lab_search_is_angle(search)) {
        ploy_grid_angle_draw(lab_searches_angle(all, search), out);
    } else if (search == LAB_SEARCH_ANYA) {
        ploy_grid_anya_draw(all->anya, out);
    } else if (search == LAB_SEARCH_FLOW) {
        lab_searches_draw_flow(all, out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        ploy_grid_blocks_draw(all->blocks, out);
        ploy_grid_route_draw(all->route, out);
    } else {
        ploy_grid_search_draw(all->grids[search], out);
    }
}

static inline void lab_searches_describe(const lab_searches *all, lab_search search,
                                         ploy_describe *out) {
    if (search >= LAB_SEARCH_GENERIC) {
        ploy_search_describe(lab_searches_generic(all, search), out);
    } else if (lab_search_is_angle(search)) {
        ploy_grid_angle_describe(lab_searches_angle(all, search), out);
    } else if (search == LAB_SEARCH_ANYA) {
        ploy_grid_anya_describe(all->anya, out);
    } else if (search == LAB_SEARCH_FLOW) {
        if (all->flow != NULL) ploy_grid_flow_describe(all->flow, out);
    } else if (search == LAB_SEARCH_BLOCKS) {
        ploy_grid_route_describe(all->route, out);
    } else {
        ploy_grid_search_describe(all->grids[search], out);
    }
}
