// Every finder of a map of tiles. They answer the same question on the same tiles.
#pragma once

#include <string.h>

#include "ploy/path/finder_kit.h"

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
    LAB_SEARCH_FROZEN,
    LAB_SEARCH_BOTH, // from both ends
    LAB_SEARCH_HIERARCHY,
    LAB_SEARCH_TIMED, // this and the rest count seconds or ticks
    LAB_SEARCH_COOPERATIVE,
    LAB_SEARCH_CONFLICTS,
    LAB_SEARCH_ANYTIME,
    LAB_SEARCH_BIDIRECTIONAL,
    LAB_SEARCH_COUNT
} lab_search;

static const char *const lab_search_names[] = {
    "dijkstra",    "astar",     "jps",     "fast",         "theta",     "lazy",
    "anya",        "blocks",    "flow",    "generic",      "weighted",  "greedy",
    "breadth",     "depth",     "frozen",  "frozen.both",  "hierarchy", "timed",
    "cooperative", "conflicts", "anytime", "bidirectional"};

// What one of them made of the question, so far.
typedef struct lab_search_result {
    double length; // in cells, 0 if there is no path
    int64_t taken; // cells, pieces or places
    int64_t units; // of work
    ploy_result result;
    ploy_search_outcome outcome;
} lab_search_result;

typedef struct lab_searches {
    ploy_env env;
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_finder_kit *kit;
    ploy_finder finders[LAB_SEARCH_COUNT];
    ploy_result map_result;                // why there is no map
    ploy_result results[LAB_SEARCH_COUNT]; // why there is no finder
    int32_t start, goal;
} lab_searches;

static inline void lab_searches_drop(lab_searches *all, lab_search search) {
    ploy_finder_destroy(all->finders[search]);
    all->finders[search].type = NULL;
    all->finders[search].self = NULL;
}

static inline void lab_searches_drop_map(lab_searches *all) {
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) lab_searches_drop(all, (lab_search)i);
    ploy_finder_kit_destroy(all->kit);
    ploy_grid_map_destroy(all->map);
    all->kit = NULL;
    all->map = NULL;
}

// Takes other tiles in place of the old ones, which go.
static inline void lab_searches_set_tiles(lab_searches *all, ploy_tiles *tiles) {
    lab_searches_drop_map(all);
    ploy_tiles_destroy(all->tiles);
    all->tiles = tiles;
}

// Makes the finders that are not there, if the map allows them. @return PLOY_ERR_MEMORY.
static inline ploy_result lab_searches_make_finders(lab_searches *all) {
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        if (all->finders[i].type != NULL) continue;
        ploy_finder_factory factory;
        ploy_result result = ploy_finder_kit_find(all->kit, lab_search_names[i], &factory);
        if (result == PLOY_OK) {
            result = ploy_finder_make(&factory, &all->env, &all->finders[i]);
        }
        if (result == PLOY_ERR_MEMORY) return result;
        bool grid = i < LAB_SEARCH_GENERIC;
        all->results[i] = grid && all->map == NULL ? all->map_result : result;
    }
    return PLOY_OK;
}

// The map of bits as it is now, and what is built on it; costs that it cannot hold leave it out.
static inline ploy_result lab_searches_make_map(lab_searches *all) {
    lab_searches_drop_map(all);
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    all->map_result = ploy_grid_map_create(&def, all->tiles, &all->env, &all->map);
    if (all->map_result == PLOY_ERR_UNSUPPORTED) {
        def.tables = false; // A* and Dijkstra may still do
        all->map_result = ploy_grid_map_create(&def, all->tiles, &all->env, &all->map);
    }
    if (all->map_result == PLOY_ERR_MEMORY) return PLOY_ERR_MEMORY;
    ploy_finder_kit_def kit = ploy_finder_kit_def_default();
    kit.side = 8; // the maps are small
    ploy_result result = ploy_finder_kit_create(&kit, all->map, all->tiles, &all->env, &all->kit);
    return result == PLOY_OK ? lab_searches_make_finders(all) : result;
}

// Follows the tiles. @return PLOY_ERR_MEMORY.
static inline ploy_result lab_searches_refresh(lab_searches *all) {
    if (all->map == NULL || ploy_grid_map_refresh(all->map) != PLOY_OK) {
        return lab_searches_make_map(all);
    }
    if (ploy_grid_map_prepare(all->map) != PLOY_OK) return PLOY_ERR_MEMORY;
    for (int32_t i = LAB_SEARCH_FROZEN; i <= LAB_SEARCH_HIERARCHY; i++) {
        lab_searches_drop(all, (lab_search)i);
    }
    ploy_result result = ploy_finder_kit_refresh(all->kit);
    return result == PLOY_OK ? lab_searches_make_finders(all) : result;
}

static inline ploy_result lab_searches_begin(lab_searches *all, lab_search search) {
    if (search == LAB_SEARCH_FLOW && all->map != NULL) {
        // A flow finder keeps its field; the work of making one is what is shown.
        lab_searches_drop(all, search);
        ploy_result result = lab_searches_make_finders(all);
        if (result != PLOY_OK) return result;
    }
    if (all->finders[search].type == NULL) return all->results[search];
    ploy_vec3 from = ploy_vec3_from_vec2(ploy_tiles_localise(all->tiles, all->start), 0.0f);
    ploy_vec3 to = ploy_vec3_from_vec2(ploy_tiles_localise(all->tiles, all->goal), 0.0f);
    ploy_path_request path = ploy_path_request_make(ploy_agent_id_none(), from, to);
    ploy_finder_request request = ploy_finder_request_make(&path);
    return ploy_finder_begin(all->finders[search], &request, NULL);
}

static inline ploy_result lab_searches_step(lab_searches *all, lab_search search,
                                            ploy_budget *budget) {
    return ploy_finder_step(all->finders[search], budget);
}

// What the steps of a path cost, whatever its finder counts; waits cost nothing.
static inline double lab_searches_steps(const lab_searches *all, lab_search search) {
    enum { MOST = 8192 };
    int32_t cells[MOST], count = ploy_finder_states(all->finders[search], cells, MOST);
    ploy_tiles_walker walker = ploy_tiles_walker_make(all->tiles, NULL);
    double length = 0.0;
    for (int32_t i = 1; i < count && i < MOST; i++) {
        for (int32_t k = 0; k < 8; k++) {
            if (ploy_tiles_neighbour(all->tiles, cells[i - 1], k) != cells[i]) continue;
            length += ploy_tiles_walker_step(&walker, cells[i - 1], k);
            break;
        }
    }
    return length;
}

// How far it is; result is what begin or step returned.
static inline lab_search_result lab_searches_read(const lab_searches *all, lab_search search,
                                                  ploy_result result) {
    lab_search_result out;
    memset(&out, 0, sizeof out);
    out.result = result;
    if (result < PLOY_OK) return out;
    const ploy_finder_state *state = ploy_finder_state_of(all->finders[search]);
    out.outcome = state->outcome == PLOY_PATH_OPEN    ? PLOY_SEARCH_OPEN
                  : state->outcome == PLOY_PATH_FOUND ? PLOY_SEARCH_FOUND
                                                      : PLOY_SEARCH_NONE;
    out.taken = state->taken;
    out.units = state->work;
    if (out.outcome != PLOY_SEARCH_FOUND) return out;
    out.length = search >= LAB_SEARCH_TIMED ? lab_searches_steps(all, search) : state->cost;
    return out;
}

// ---- sight ----

// Fill and path of one that has begun.
static inline void lab_searches_draw(const lab_searches *all, lab_search search, ploy_draw *out) {
    ploy_finder_draw(all->finders[search], out);
}

static inline void lab_searches_describe(const lab_searches *all, lab_search search,
                                         ploy_describe *out) {
    ploy_finder_describe(all->finders[search], out);
}
