// A small level of tiles with everything that finders beside the grid's own need: blocks, a frozen
// graph, a hierarchy, a timetable, a group and other agents.
#pragma once

#include <stdlib.h>

#include "ploy/path/conflicts.h"
#include "ploy/path/cooperative.h"
#include "ploy/path/grid_blocks.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/timed.h"
#include "tests/path/tile_maps.h"

enum { KIT_SIDE = 4, KIT_KINDS = 8, KIT_OTHERS = 3 };

typedef struct kit {
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_tiles_walker walker;
    ploy_representation view;
    ploy_grid_blocks *blocks;
    ploy_frozen_graph *frozen;
    ploy_hierarchy *hierarchy;
    ploy_cooperative *group;
    ploy_frozen_finder_def one_way, both_ways;
    ploy_hierarchy_finder_def rooms;
    ploy_timed_finder_def timetable;
    ploy_cooperative_finder_def crowd;
    ploy_conflicts_finder_def others;
    ploy_conflicts_agent agents[KIT_OTHERS]; // of conflicts
    int32_t agent_count;
    double now; // of the timetable
    ploy_finder_factory finders[KIT_KINDS];
} kit;

// Straight steps take 1 s, diagonal ones 1.5 s.
static inline double kit_seconds(int32_t label) {
    return label % 2 != 0 ? 1.5 : 1.0;
}

// The gate of a column is open in every other pair of seconds.
static inline bool kit_gate_open(int32_t column, double time) {
    return column != 4 || (int64_t)time % 4 < 2;
}

static inline double kit_arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    const kit *self = user;
    int32_t width = ploy_tiles_width(self->tiles);
    (void)from;
    if (!kit_gate_open(edge->to % width, depart)) return (double)INFINITY;
    return depart + kit_seconds(edge->label);
}

static inline double kit_now(void *user) {
    return ((const kit *)user)->now;
}

static inline int32_t kit_others(void *user, const ploy_path_request *request,
                                 ploy_conflicts_agent *out, int32_t capacity) {
    const kit *self = user;
    (void)request;
    int32_t count = self->agent_count < capacity ? self->agent_count : capacity;
    for (int32_t i = 0; i < count; i++) out[i] = self->agents[i];
    return count;
}

static inline ploy_vec3 kit_place(const void *user, int32_t cell) {
    const ploy_representation *view = user;
    return view->localise(view->user, cell);
}

// Groups: what hangs together inside of a square of cells. Walls are groups by themselves.
static inline int32_t kit_groups(const kit *self, int32_t *groups) {
    int32_t count = maps_count(self->tiles), width = ploy_tiles_width(self->tiles), made = 0;
    int32_t *queue = malloc((size_t)count * sizeof *queue);
    for (int32_t i = 0; i < count; i++) groups[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        if (groups[i] >= 0) continue;
        int32_t head = 0, tail = 0;
        queue[tail++] = i;
        groups[i] = made;
        for (; head < tail; head++) {
            int32_t at = queue[head];
            for (int32_t k = 0; k < 8 && ploy_tiles_passable(self->tiles, at); k++) {
                if (!(ploy_tiles_walker_step(&self->walker, at, k) < (double)INFINITY)) continue;
                int32_t to = ploy_tiles_neighbour(self->tiles, at, k);
                bool same = at % width / KIT_SIDE == to % width / KIT_SIDE &&
                            at / width / KIT_SIDE == to / width / KIT_SIDE;
                if (!same || groups[to] >= 0) continue;
                groups[to] = made;
                queue[tail++] = to;
            }
        }
        made++;
    }
    free(queue);
    return made;
}

// Makes everything on tiles, which the kit then owns.
static inline void kit_make(test_context *t, ploy_tiles *tiles, kit *out) {
    ploy_env env = ploy_env_default();
    memset(out, 0, sizeof *out);
    out->tiles = tiles;
    out->map = maps_grid(t, tiles, 1, false);
    out->walker = ploy_tiles_walker_make(tiles, NULL);
    out->view = ploy_tiles_representation(&out->walker);
    ploy_grid_blocks_def blocks = ploy_grid_blocks_def_default();
    blocks.side = KIT_SIDE;
    CHECK_OK(ploy_grid_blocks_create(&blocks, out->map, &env, &out->blocks));
    CHECK_OK(ploy_space_freeze(&out->view.space, kit_place, &out->view, &env, &out->frozen));
    ploy_hierarchy_def hierarchy = ploy_hierarchy_def_default();
    CHECK_OK(ploy_hierarchy_create(&hierarchy, out->frozen, &env, &out->hierarchy));
    int32_t *groups = malloc((size_t)maps_count(tiles) * sizeof *groups);
    int32_t count = kit_groups(out, groups);
    CHECK_OK(ploy_hierarchy_add_level(out->hierarchy, groups, count, NULL));
    free(groups);
    ploy_cooperative_def group = ploy_cooperative_def_default();
    group.capacity = KIT_OTHERS;
    group.window = 8;
    group.renew = 8;
    CHECK_OK(ploy_cooperative_create(&group, &out->view.space, &env, &out->group));
    out->one_way.frozen = out->both_ways.frozen = out->frozen;
    out->one_way.level = out->both_ways.level = &out->view;
    out->both_ways.both = true;
    out->rooms = ploy_hierarchy_finder_def_default();
    out->rooms.hierarchy = out->hierarchy;
    out->rooms.level = &out->view;
    out->timetable = ploy_timed_finder_def_default();
    out->timetable.level = &out->view;
    out->timetable.timed.tick = 0.5;
    out->timetable.timed.wait = 0.5;
    out->timetable.timed.horizon = 60.0;
    out->timetable.fn = kit_arrive;
    out->timetable.now = kit_now;
    out->timetable.user = out;
    out->timetable.pace = 1.0;
    out->crowd = ploy_cooperative_finder_def_default();
    out->crowd.group = out->group;
    out->crowd.level = &out->view;
    out->crowd.max_ticks = 200;
    out->others = ploy_conflicts_finder_def_default();
    out->others.level = &out->view;
    out->others.others = kit_others;
    out->others.user = out;
    ploy_finder_factory finders[KIT_KINDS] = {
        ploy_grid_blocks_finder(out->blocks),    ploy_grid_flow_finder(out->map),
        ploy_frozen_graph_finder(&out->one_way), ploy_frozen_graph_finder(&out->both_ways),
        ploy_hierarchy_finder(&out->rooms),      ploy_timed_finder(&out->timetable),
        ploy_cooperative_finder(&out->crowd),    ploy_conflicts_finder(&out->others),
    };
    memcpy(out->finders, finders, sizeof finders);
}

static inline void kit_free(kit *in) {
    ploy_cooperative_destroy(in->group);
    ploy_hierarchy_destroy(in->hierarchy);
    ploy_frozen_graph_destroy(in->frozen);
    ploy_grid_blocks_destroy(in->blocks);
    ploy_grid_map_destroy(in->map);
    ploy_tiles_destroy(in->tiles);
}
