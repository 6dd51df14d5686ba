// Mining movement logs; see the header.
#include "ploy/path/graph_mine.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

static const ploy_field mine_fields[] = {
    PLOY_FIELD_F32(ploy_graph_mine_def, cell, 0.5, 1e-3f, 1e6f, "m", "of the raster"),
    PLOY_FIELD_F32(ploy_graph_mine_def, apart, 3, 0, 1e6f, "m", "between two nodes"),
    PLOY_FIELD_I32(ploy_graph_mine_def, max_nodes, 256, 1, 1 << 16, "", "the highest peaks"),
    PLOY_FIELD_I32(ploy_graph_mine_def, transitions, 2, 1, 1 << 20, "", "that an edge needs"),
    PLOY_FIELD_F32(ploy_graph_mine_def, max_gap, 1, 0, 1e6f, "s", "between entries of a step"),
};

// One cell of the raster.
typedef struct mine_cell {
    double x, y, z; // sums of positions
    int32_t count, blurred;
} mine_cell;

// Steps from a node to another.
typedef struct mine_passage {
    double seconds;
    uint32_t flags;
    int32_t count;
} mine_passage;

// The last entry of a character.
typedef struct mine_last {
    double entered, time; // when it came into the node's domain, and its last entry
    int32_t node;
    uint32_t flags;
} mine_last;

typedef struct mine_run {
    const ploy_graph_mine_def *def;
    ploy_graph *graph;
    const ploy_log_entry *entries;
    int32_t count;
    ploy_vec2 origin;
    ploy_map cells, ways, lasts;
    ploy_graph_mine_report report;
} mine_run;

ploy_fields ploy_graph_mine_fields(void) {
    return PLOY_FIELDS(ploy_graph_mine_def, mine_fields);
}

ploy_graph_mine_def ploy_graph_mine_def_default(void) {
    ploy_graph_mine_def def;
    ploy_fields_default(ploy_graph_mine_fields(), &def);
    return def;
}

static uint64_t mine_key(const mine_run *run, ploy_vec3 at, int32_t dx, int32_t dy) {
    double x = floor(((double)at.x - (double)run->origin.x) / (double)run->def->cell) + dx + 1.0;
    double y = floor(((double)at.y - (double)run->origin.y) / (double)run->def->cell) + dy + 1.0;
    return (uint64_t)x << 32 | (uint64_t)y;
}

static ploy_result mine_count(mine_run *run) {
    for (int32_t i = 0; i < run->count; i++) {
        void *value = NULL;
        bool added = false;
        ploy_vec3 at = run->entries[i].position;
        ploy_result result = ploy_map_ensure(&run->cells, mine_key(run, at, 0, 0), &value, &added);
        if (result != PLOY_OK) return result;
        mine_cell *cell = value;
        if (added) memset(cell, 0, sizeof *cell);
        cell->x += (double)at.x;
        cell->y += (double)at.y;
        cell->z += (double)at.z;
        cell->count++;
    }
    return PLOY_OK;
}

// The sum over a cell and its eight neighbours, so that a crowd across a border is one peak.
static void mine_blur(mine_run *run) {
    int32_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (ploy_map_next(&run->cells, &cursor, &key, &value)) {
        mine_cell *cell = value;
        cell->blurred = 0;
        for (int32_t i = 0; i < 9; i++) {
            uint64_t x = (key >> 32) + (uint64_t)(i % 3) - 1u;
            uint64_t y = (key & 0xffffffffu) + (uint64_t)(i / 3) - 1u;
            const mine_cell *near = ploy_map_get(&run->cells, x << 32 | (y & 0xffffffffu));
            if (near != NULL) cell->blurred += near->count;
        }
        run->report.cells++;
        run->report.once += cell->count == 1;
    }
}

static bool mine_is_apart(const mine_run *run, ploy_vec3 at) {
    for (int32_t n = ploy_graph_next_node(run->graph, 0); n >= 0;
         n = ploy_graph_next_node(run->graph, n + 1)) {
        if (ploy_vec3_distance(at, ploy_graph_position(run->graph, n)) < run->def->apart) {
            return false;
        }
    }
    return true;
}

static ploy_vec3 mine_middle(const mine_cell *cell) {
    double n = cell->count;
    return ploy_vec3_make((float)(cell->x / n), (float)(cell->y / n), (float)(cell->z / n));
}

// Peaks in falling order; of equals the one that was visited first.
static ploy_result mine_nodes(mine_run *run) {
    while (run->report.nodes < run->def->max_nodes) {
        const mine_cell *best = NULL;
        int32_t cursor = 0;
        uint64_t key = 0;
        void *value = NULL;
        while (ploy_map_next(&run->cells, &cursor, &key, &value)) {
            mine_cell *cell = value;
            if (cell->blurred == 0 || (best != NULL && cell->blurred <= best->blurred)) continue;
            if (mine_is_apart(run, mine_middle(cell))) {
                best = cell;
            } else {
                cell->blurred = 0; // it never will be
            }
        }
        if (best == NULL) return PLOY_OK;
        ploy_result result = ploy_graph_add_node(run->graph, mine_middle(best), NULL);
        if (result != PLOY_OK) return result;
        run->report.nodes++;
    }
    return PLOY_OK;
}

static int32_t mine_nearest(const mine_run *run, ploy_vec3 at) {
    int32_t nearest = -1;
    float best = INFINITY;
    for (int32_t n = ploy_graph_next_node(run->graph, 0); n >= 0;
         n = ploy_graph_next_node(run->graph, n + 1)) {
        float away = ploy_vec3_distance_sq(at, ploy_graph_position(run->graph, n));
        if (away >= best) continue;
        best = away;
        nearest = n;
    }
    return nearest;
}

static ploy_result mine_step(mine_run *run, const ploy_log_entry *entry) {
    void *value = NULL;
    bool added = false;
    ploy_result result =
        ploy_map_ensure(&run->lasts, (uint64_t)(uint32_t)entry->character, &value, &added);
    if (result != PLOY_OK) return result;
    mine_last *last = value;
    int32_t node = mine_nearest(run, entry->position);
    bool gap = !added && (entry->jumped || entry->time - last->time > (double)run->def->max_gap ||
                          entry->time < last->time);
    run->report.ignored += gap;
    if (added || gap) {
        mine_last fresh = {entry->time, entry->time, node, 0};
        *last = fresh;
        return PLOY_OK;
    }
    last->flags |= entry->flags;
    last->time = entry->time;
    if (node == last->node) return PLOY_OK;
    result =
        ploy_map_ensure(&run->ways, (uint64_t)last->node << 32 | (uint32_t)node, &value, &added);
    if (result != PLOY_OK) return result;
    mine_passage *passage = value;
    if (added) memset(passage, 0, sizeof *passage);
    passage->seconds += entry->time - last->entered;
    passage->flags |= last->flags & ~PLOY_GRAPH_CLOSED;
    passage->count++;
    last->node = node;
    last->entered = entry->time;
    last->flags = 0;
    return PLOY_OK;
}

static ploy_result mine_edges(mine_run *run) {
    for (int32_t i = 0; i < run->count; i++) {
        ploy_result result = mine_step(run, &run->entries[i]);
        if (result != PLOY_OK) return result;
    }
    int32_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (ploy_map_next(&run->ways, &cursor, &key, &value)) {
        const mine_passage *passage = value;
        if (passage->count < run->def->transitions) continue;
        ploy_result result =
            ploy_graph_add_edge(run->graph, (int32_t)(key >> 32), (int32_t)(uint32_t)key,
                                passage->seconds / passage->count, passage->flags, NULL);
        if (result != PLOY_OK) return result;
        run->report.edges++;
    }
    return PLOY_OK;
}

// The log's least corner. @return what is wrong with it.
static ploy_result mine_look(mine_run *run) {
    ploy_vec2 least = ploy_vec2_make(INFINITY, INFINITY),
              most = ploy_vec2_make(-INFINITY, -INFINITY);
    for (int32_t i = 0; i < run->count; i++) {
        ploy_vec3 at = run->entries[i].position;
        if (!ploy_vec3_is_finite(at) || !ploy_is_finite_d(run->entries[i].time)) {
            return PLOY_ERR_ARGUMENT;
        }
        least = ploy_vec2_min(least, ploy_vec2_from_vec3(at));
        most = ploy_vec2_max(most, ploy_vec2_from_vec3(at));
    }
    run->origin = run->count > 0 ? least : ploy_vec2_zero();
    if (run->count == 0) return PLOY_OK;
    double cell = (double)run->def->cell;
    double columns = ceil(((double)most.x - (double)least.x) / cell) + 1.0;
    double rows = ceil(((double)most.y - (double)least.y) / cell) + 1.0;
    return columns * rows > 67108864.0 ? PLOY_ERR_LIMIT : PLOY_OK;
}

ploy_result ploy_graph_mine(ploy_graph *graph, const ploy_graph_mine_def *def,
                            const ploy_log_entry *entries, int32_t count, const ploy_env *env,
                            ploy_graph_mine_report *report) {
    ploy_result result = ploy_fields_check(ploy_graph_mine_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (graph == NULL || count < 0 || (entries == NULL && count > 0) ||
        ploy_graph_node_slots(graph) != 0 || !ployi_graph_def_of(graph).directed) {
        return PLOY_ERR_ARGUMENT;
    }
    mine_run run;
    memset(&run, 0, sizeof run);
    run.def = def;
    run.graph = graph;
    run.entries = entries;
    run.count = count;
    ploy_map_init(&run.cells, sizeof(mine_cell), env);
    ploy_map_init(&run.ways, sizeof(mine_passage), env);
    ploy_map_init(&run.lasts, sizeof(mine_last), env);
    result = mine_look(&run);
    if (result == PLOY_OK) result = mine_count(&run);
    if (result == PLOY_OK) {
        mine_blur(&run);
        result = mine_nodes(&run);
    }
    if (result == PLOY_OK) result = mine_edges(&run);
    ploy_map_fini(&run.cells);
    ploy_map_fini(&run.ways);
    ploy_map_fini(&run.lasts);
    if (result != PLOY_OK) {
        ploy_graph_clear(graph);
    } else if (report != NULL) {
        *report = run.report;
    }
    return result;
}
