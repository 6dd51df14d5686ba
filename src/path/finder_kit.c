// Every finder of one map of tiles; see the header.
//
// Invariants, from create to destroy:
//   (1) what a finder needs is there exactly if its name was requested since the last refresh, and
//       is right for the tiles as they were then;
//   (2) the defs that factories point to are members, so that factories stay valid.
#include "ploy/path/finder_kit.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/path/conflicts.h"
#include "ploy/path/cooperative.h"
#include "ploy/path/grid_blocks.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/timed.h"

static const ploy_field finder_kit_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_finder_kit_def, side, 8, 4, 16, "",
                         "cells of a block and of a hierarchy's squares"),
};

// Those beside ploy_tiles_finders, in the order of the list.
enum {
    KIT_BLOCKS,
    KIT_FLOW,
    KIT_FROZEN,
    KIT_BOTH,
    KIT_HIERARCHY,
    KIT_TIMED,
    KIT_COOPERATIVE,
    KIT_CONFLICTS,
    KIT_MORE
};

struct ploy_finder_kit {
    ploy_env env;
    ploy_finder_kit_def def;
    const ploy_grid_map *map;
    ploy_tiles_walker walker;
    ploy_representation level;
    ploy_grid_blocks *blocks;
    ploy_frozen_graph *frozen;
    ploy_hierarchy *hierarchy;
    ploy_cooperative *group;
    ploy_frozen_finder_def one_way, both_ways;
    ploy_hierarchy_finder_def rooms;
    ploy_timed_finder_def timetable;
    ploy_cooperative_finder_def crowd;
    ploy_conflicts_finder_def others;
};

ploy_fields ploy_finder_kit_fields(void) {
    return PLOY_FIELDS(ploy_finder_kit_def, finder_kit_fields);
}

ploy_finder_kit_def ploy_finder_kit_def_default(void) {
    ploy_finder_kit_def def;
    ploy_fields_default(ploy_finder_kit_fields(), &def);
    return def;
}

// The timetable of a world without one.
static double finder_kit_arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    (void)user;
    (void)from;
    return depart + edge->cost;
}

static ploy_vec3 finder_kit_place(const void *user, int32_t state) {
    const ploy_finder_kit *kit = user;
    return kit->level.localise(kit->level.user, state);
}

// ---- life ----

// Points the factories' defs to what there is; keeps (2).
static void finder_kit_point(ploy_finder_kit *kit) {
    kit->one_way.frozen = kit->both_ways.frozen = kit->frozen;
    kit->rooms.hierarchy = kit->hierarchy;
    kit->crowd.group = kit->group;
}

ploy_result ploy_finder_kit_create(const ploy_finder_kit_def *def, const ploy_grid_map *map,
                                   const ploy_tiles *tiles, const ploy_env *env,
                                   ploy_finder_kit **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || tiles == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_finder_kit_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_finder_kit *kit = ploy_env_alloc_zero(env, sizeof *kit);
    if (kit == NULL) return PLOY_ERR_MEMORY;
    kit->env = *env;
    kit->def = *def;
    kit->map = map;
    kit->walker = ploy_tiles_walker_make(tiles, NULL);
    if (map != NULL) kit->walker.size = ploy_grid_map_size(map);
    kit->level = ploy_tiles_representation(&kit->walker);
    kit->one_way.level = kit->both_ways.level = &kit->level;
    kit->both_ways.both = true;
    kit->rooms = ploy_hierarchy_finder_def_default();
    kit->rooms.level = &kit->level;
    kit->timetable = ploy_timed_finder_def_default();
    kit->timetable.level = &kit->level;
    kit->timetable.timed.tick = 0.5;    // coarse, so that few times differ for each place
    kit->timetable.timed.horizon = 1e5; // s: across any map, there and back
    kit->timetable.fn = finder_kit_arrive;
    kit->timetable.pace = 1.0;
    kit->crowd = ploy_cooperative_finder_def_default();
    kit->crowd.level = &kit->level;
    kit->others = ploy_conflicts_finder_def_default();
    kit->others.level = &kit->level;
    *out = kit;
    return PLOY_OK;
}

// Drops what is right for the tiles as they were.
static void finder_kit_drop_graph(ploy_finder_kit *kit) {
    ploy_hierarchy_destroy(kit->hierarchy);
    ploy_frozen_graph_destroy(kit->frozen);
    kit->hierarchy = NULL;
    kit->frozen = NULL;
    finder_kit_point(kit);
}

void ploy_finder_kit_destroy(ploy_finder_kit *kit) {
    if (kit == NULL) return;
    ploy_env env = kit->env;
    finder_kit_drop_graph(kit);
    ploy_cooperative_destroy(kit->group);
    ploy_grid_blocks_destroy(kit->blocks);
    ploy_env_free(&env, kit, sizeof *kit);
}

// ---- preparing ----

static ploy_result finder_kit_need_blocks(ploy_finder_kit *kit) {
    if (kit->map == NULL) return PLOY_ERR_UNSUPPORTED;
    if (kit->blocks != NULL) return PLOY_OK;
    ploy_grid_blocks_def def = ploy_grid_blocks_def_default();
    def.side = kit->def.side;
    return ploy_grid_blocks_create(&def, kit->map, &kit->env, &kit->blocks);
}

static ploy_result finder_kit_need_frozen(ploy_finder_kit *kit) {
    if (kit->frozen != NULL) return PLOY_OK;
    uint64_t generation = kit->level.generation(kit->level.user);
    kit->one_way.generation = kit->both_ways.generation = kit->rooms.generation = generation;
    return ploy_space_freeze(&kit->level.space, finder_kit_place, kit, &kit->env, &kit->frozen);
}

// Do two cells lie in one square?
static bool finder_kit_same_square(const ploy_finder_kit *kit, int32_t a, int32_t b) {
    int32_t width = ploy_tiles_width(kit->walker.tiles), side = kit->def.side;
    return a % width / side == b % width / side && a / width / side == b / width / side;
}

// Is there an edge back? Groups must hang together in both directions.
static bool finder_kit_joined(const ploy_finder_kit *kit, int32_t a, int32_t b) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_out(kit->frozen, b, &edges);
    for (int32_t i = 0; i < count; i++) {
        if (edges[i].to == a) return true;
    }
    return false;
}

// Groups: the cells of a square that reach each other inside of it. @return how many.
static int32_t finder_kit_group_cells(const ploy_finder_kit *kit, int32_t *groups, int32_t *queue) {
    int32_t count = ploy_frozen_graph_node_count(kit->frozen), made = 0;
    for (int32_t i = 0; i < count; i++) groups[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        if (groups[i] >= 0) continue;
        int32_t tail = 0;
        queue[tail++] = i;
        groups[i] = made;
        for (int32_t head = 0; head < tail; head++) {
            const ploy_edge *edges = NULL;
            int32_t out = ployi_frozen_graph_out(kit->frozen, queue[head], &edges);
            for (int32_t k = 0; k < out; k++) {
                int32_t to = edges[k].to;
                if (groups[to] >= 0 || !finder_kit_same_square(kit, queue[head], to)) continue;
                if (!finder_kit_joined(kit, queue[head], to)) continue;
                groups[to] = made;
                queue[tail++] = to;
            }
        }
        made++;
    }
    return made;
}

static ploy_result finder_kit_need_hierarchy(ploy_finder_kit *kit) {
    ploy_result result = finder_kit_need_frozen(kit);
    if (result != PLOY_OK || kit->hierarchy != NULL) return result;
    ploy_array groups, queue;
    ploy_array_init(&groups, sizeof(int32_t), &kit->env);
    ploy_array_init(&queue, sizeof(int32_t), &kit->env);
    int32_t count = ploy_frozen_graph_node_count(kit->frozen);
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    result = ploy_array_resize(&groups, count);
    if (result == PLOY_OK) result = ploy_array_resize(&queue, count);
    if (result == PLOY_OK) {
        result = ploy_hierarchy_create(&def, kit->frozen, &kit->env, &kit->hierarchy);
    }
    if (result == PLOY_OK) {
        int32_t *cells = PLOY_ARRAY_ITEMS(&groups, int32_t);
        int32_t made = finder_kit_group_cells(kit, cells, PLOY_ARRAY_ITEMS(&queue, int32_t));
        result = ploy_hierarchy_add_level(kit->hierarchy, cells, made, NULL);
    }
    ploy_array_fini(&groups);
    ploy_array_fini(&queue);
    if (result != PLOY_OK) {
        ploy_hierarchy_destroy(kit->hierarchy);
        kit->hierarchy = NULL;
    }
    return result;
}

static ploy_result finder_kit_need_group(ploy_finder_kit *kit) {
    if (kit->group != NULL) return PLOY_OK;
    if (kit->level.space.expand_back == NULL) return PLOY_ERR_UNSUPPORTED;
    ploy_cooperative_def def = ploy_cooperative_def_default();
    def.capacity = 1; // none is added
    return ploy_cooperative_create(&def, &kit->level.space, &kit->env, &kit->group);
}

static ploy_result finder_kit_prepare(ploy_finder_kit *kit, int32_t kind) {
    ploy_result result = PLOY_OK;
    switch (kind) {
    case KIT_BLOCKS: result = finder_kit_need_blocks(kit); break;
    case KIT_FLOW: result = kit->map != NULL ? PLOY_OK : PLOY_ERR_UNSUPPORTED; break;
    case KIT_FROZEN:
    case KIT_BOTH: result = finder_kit_need_frozen(kit); break;
    case KIT_HIERARCHY: result = finder_kit_need_hierarchy(kit); break;
    case KIT_COOPERATIVE: result = finder_kit_need_group(kit); break;
    case KIT_CONFLICTS:
        if (kit->level.space.expand_back == NULL) result = PLOY_ERR_UNSUPPORTED;
        break;
    default: break;
    }
    finder_kit_point(kit);
    return result;
}

// ---- the list ----

static ploy_finder_factory finder_kit_more(const ploy_finder_kit *kit, int32_t kind) {
    static const ploy_frozen_finder_def both = {NULL, NULL, true, 0};
    bool here = kit != NULL;
    switch (kind) {
    case KIT_BLOCKS: return ploy_grid_blocks_finder(here ? kit->blocks : NULL);
    case KIT_FLOW: return ploy_grid_flow_finder(here ? kit->map : NULL);
    case KIT_FROZEN: return ploy_frozen_graph_finder(here ? &kit->one_way : NULL);
    case KIT_BOTH: return ploy_frozen_graph_finder(here ? &kit->both_ways : &both);
    case KIT_HIERARCHY: return ploy_hierarchy_finder(here ? &kit->rooms : NULL);
    case KIT_TIMED: return ploy_timed_finder(here ? &kit->timetable : NULL);
    case KIT_COOPERATIVE: return ploy_cooperative_finder(here ? &kit->crowd : NULL);
    default: return ploy_conflicts_finder(here ? &kit->others : NULL);
    }
}

int32_t ploy_finder_kit_list(const ploy_finder_kit *kit, ploy_finder_factory *out,
                             int32_t capacity) {
    int32_t count = ploy_tiles_finders(kit != NULL ? kit->map : NULL,
                                       kit != NULL ? &kit->level : NULL, out, capacity);
    for (int32_t i = 0; i < KIT_MORE; i++, count++) {
        if (count < capacity) out[count] = finder_kit_more(kit, i);
    }
    return count;
}

ploy_result ploy_finder_kit_find(ploy_finder_kit *kit, const char *name, ploy_finder_factory *out) {
    if (kit == NULL || name == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < KIT_MORE; i++) {
        if (strcmp(finder_kit_more(kit, i).name, name) != 0) continue;
        ploy_result result = finder_kit_prepare(kit, i);
        if (result == PLOY_OK) *out = finder_kit_more(kit, i);
        return result;
    }
    enum { PLAIN = 64 };
    ploy_finder_factory plain[PLAIN];
    int32_t count = ploy_tiles_finders(kit->map, &kit->level, plain, PLAIN);
    for (int32_t i = 0; i < count && i < PLAIN; i++) {
        if (strcmp(plain[i].name, name) != 0) continue;
        if (plain[i].user == NULL) return PLOY_ERR_UNSUPPORTED; // without a map
        *out = plain[i];
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}

ploy_result ploy_finder_kit_refresh(ploy_finder_kit *kit) {
    finder_kit_drop_graph(kit);
    if (kit->blocks != NULL) ploy_grid_blocks_refresh(kit->blocks);
    return kit->group != NULL ? ploy_cooperative_changed(kit->group) : PLOY_OK;
}

void ploy_finder_kit_memory(const ploy_finder_kit *kit, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"finder kit", sizeof *kit, 1};
    fn(user, &item);
    if (kit->blocks != NULL) ploy_grid_blocks_memory(kit->blocks, fn, user);
    if (kit->frozen != NULL) ploy_frozen_graph_memory(kit->frozen, fn, user);
    if (kit->hierarchy != NULL) ploy_hierarchy_memory(kit->hierarchy, fn, user);
    if (kit->group != NULL) ploy_cooperative_memory(kit->group, fn, user);
}
