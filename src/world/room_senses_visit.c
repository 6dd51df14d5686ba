// Senses through rooms, described, saved and loaded: sensors, percepts on their way, smells in rooms
// and on links. The graph is the game's and stays; a load needs the same one.
#include <float.h>
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"

#include "world/room_senses_internal.h"
#include "world/world_internal.h"

// Agents to their sensors again. There is room: a load has made it.
static void room_visit_rebuild(void *object) {
    ploy_room_senses *senses = object;
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    ploy_map_clear(&senses->by_agent);
    senses->lists_stale = true;
    while (ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        const ployi_graph_sensor *sensor = item;
        uint64_t bits = ploy_id_to_u64(id);
        ploy_result result =
            ploy_map_put(&senses->by_agent, ploy_id_to_u64(sensor->sensor.agent.id), &bits);
        PLOY_ASSERT(result == PLOY_OK);
        (void)result;
    }
    senses->active_cells = 0;
    for (int32_t i = 0; i < senses->node_count * senses->smell_count; i++) {
        senses->active_cells += senses->cells[i].active;
    }
}

static void room_visit_links(ploy_visit *v, ploy_room_senses *senses) {
    int32_t count = ploy_visit_fixed(v, "links", PLOY_STATE, senses->link_count);
    for (int32_t i = 0; i < count; i++) {
        if (v->describe != NULL && senses->gain[i] == 1.0f) continue;
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_f32_in(v, "gain", PLOY_STATE, &senses->gain[i], 0.0f, FLT_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void room_visit_sensor(ploy_visit *v, ploy_room_senses *senses, ploy_id id,
                              ployi_graph_sensor *sensor) {
    ploy_visit_begin_item(v, id.index, PLOY_STATE);
    ploy_visit_sensor(v, "sensor", PLOY_STATE, &sensor->sensor);
    ploy_visit_i32_in(v, "node", PLOY_STATE, &sensor->node, -1, senses->node_count - 1);
    int32_t smells = ploy_visit_fixed(v, "next smell", PLOY_SAVED, senses->smell_count);
    for (int32_t s = 0; s < smells; s++) {
        ploy_visit_f64(v, "next smell", PLOY_STATE, &sensor->next_smell[s]);
    }
    ploy_visit_end(v);
    ploy_visit_scratch(v, sensor->next_smell + senses->smell_count,
                       (size_t)(PLOY_MODALITIES_MAX - senses->smell_count) *
                           sizeof sensor->next_smell[0]);
    ploy_visit_check(v,
                     ployi_modalities_check_sensor(senses->modalities, &sensor->sensor) == PLOY_OK,
                     "invalid sensor", NULL);
    ploy_visit_end(v);
}

static void room_visit_sensors(ploy_visit *v, ploy_room_senses *senses) {
    ploy_visit_pool(v, "sensor places", senses->sensors, 1 << 20);
    int32_t left = ploy_visit_fixed(v, "sensors", PLOY_STATE, ploy_pool_count(senses->sensors));
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (left-- > 0 && ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        room_visit_sensor(v, senses, id, item);
    }
    ploy_visit_end(v);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    int32_t count = ploy_pool_count(senses->sensors);
    if (!ploy_visit_result(v, ploy_map_reserve(&senses->by_agent, count))) return;
    if (!ploy_visit_result(v, ploy_array_reserve(&senses->node_list, count))) return;
    room_visit_rebuild(senses); // two sensors of one agent take one place
    ploy_visit_check(v, ploy_map_count(&senses->by_agent) == count, "duplicate sensor of an agent",
                     NULL);
}

// Room for all that a record may go through, as ployi_graph_reserve_records makes it.
static bool room_visit_reserve(ploy_visit *v, ploy_room_senses *senses) {
    int32_t capacity = senses->records.capacity;
    return ploy_visit_result(v, ploy_heap_reserve(&senses->due, capacity)) &&
           ploy_visit_result(v, ploy_heap_reserve(&senses->sorter, capacity)) &&
           ploy_visit_result(v, ploy_array_reserve(&senses->late, capacity)) &&
           ploy_visit_result(v, ploy_array_reserve(&senses->batch, capacity));
}

static void room_visit_record(ploy_visit *v, ploy_room_senses *senses, int32_t index) {
    ployi_graph_record *record = PLOY_ARRAY_AT(&senses->records, ployi_graph_record, index);
    bool shown = v->describe == NULL || !ploy_id_is_none(record->sensor);
    if (!shown) return;
    ploy_visit_begin_item(v, index, PLOY_STATE);
    ploy_visit_id(v, "sensor", PLOY_SAVED, &record->sensor);
    ploy_visit_i32_in(v, "next_free", PLOY_SAVED, &record->next_free, -1, INT32_MAX - 1);
    if (ploy_id_is_none(record->sensor)) {
        PLOY_VISIT_SCRATCH(v, record->percept);
    } else {
        ploy_visit_percept(v, "percept", PLOY_STATE, &record->percept);
        ploy_visit_check(
            v,
            ployi_modalities_check_signal(senses->modalities, &record->percept.signal) == PLOY_OK,
            "invalid signal", NULL);
    }
    ploy_visit_end(v);
}

// Whether each record is free or due once: invariant (2).
static bool room_visit_records_fit(const ploy_room_senses *senses) {
    int32_t count = senses->records.count, steps = 0, taken = 0;
    uint64_t waiting = 0, queued = 0;
    for (int32_t i = 0; i < count; i++) {
        const ployi_graph_record *record = PLOY_ARRAY_AT(&senses->records, ployi_graph_record, i);
        if (ploy_id_is_none(record->sensor)) continue;
        taken++;
        waiting += ploy_hash_combine(1, (uint64_t)i);
    }
    for (int32_t at = senses->free_record; at >= 0; steps++) {
        const ployi_graph_record *record = PLOY_ARRAY_AT(&senses->records, ployi_graph_record, at);
        if (record == NULL || steps >= count || !ploy_id_is_none(record->sensor)) return false;
        at = record->next_free;
    }
    if (steps != senses->free_count || steps + taken != count) return false;
    if (senses->due.count != taken) return false;
    for (int32_t i = 0; i < taken; i++) {
        const ploy_heap_entry *entry = &senses->due.entries[i];
        if (entry->payload >= (uint64_t)count) return false;
        const ployi_graph_record *record =
            PLOY_ARRAY_AT(&senses->records, ployi_graph_record, (int32_t)entry->payload);
        if (ploy_id_is_none(record->sensor) || record->percept.time != entry->key) return false;
        queued += ploy_hash_combine(1, entry->payload); // differs if one is there twice
    }
    return queued == waiting;
}

static void room_visit_pending(ploy_visit *v, ploy_room_senses *senses) {
    int32_t count = ploy_visit_array(v, "pending", PLOY_STATE, &senses->records, 1 << 20);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v) && !room_visit_reserve(v, senses)) count = 0;
    for (int32_t i = 0; i < count; i++) room_visit_record(v, senses, i);
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "free_record", PLOY_SAVED, &senses->free_record, -1, INT32_MAX - 1);
    ploy_visit_i32_in(v, "free_count", PLOY_SAVED, &senses->free_count, 0, INT32_MAX - 1);
    ploy_visit_heap(v, "due", &senses->due, 1 << 20);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, room_visit_records_fit(senses), "inconsistent queue and percepts",
                         NULL);
    }
}

// ---- smells

// A smell is of the modality that its place in the table is for.
static void room_visit_smell(ploy_visit *v, ploy_room_senses *senses, int32_t index,
                             ploy_signal *signal) {
    ploy_visit_signal(v, "signal", PLOY_STATE, signal);
    ploy_visit_check(v,
                     signal->modality == senses->modality_of[index % senses->smell_count] &&
                         ployi_modalities_check_signal(senses->modalities, signal) == PLOY_OK,
                     "invalid smell", NULL);
}

static void room_visit_cell(ploy_visit *v, ploy_room_senses *senses, int32_t index) {
    ployi_graph_cell *cell = &senses->cells[index], none;
    memset(&none, 0, sizeof none);
    if (v->describe != NULL && !cell->active) return;
    ploy_visit_begin_item(v, index, PLOY_STATE);
    bool active = ploy_visit_optional(v, "intensity", cell->active);
    if (ploy_visit_loads(v)) {
        if (!active) ploy_visit_write(v, cell, &none, sizeof none);
        ploy_visit_write(v, &cell->active, &active, sizeof active);
    }
    PLOY_VISIT_SCRATCH(v, cell->active); // saved as the presence of the rest
    if (active) {
        ploy_visit_f32_in(v, "intensity", PLOY_STATE, &cell->intensity, 0.0f, FLT_MAX);
        ploy_visit_f32_in(v, "way", PLOY_STATE, &cell->travelled, 0.0f, FLT_MAX);
        ploy_visit_i32_in(v, "through", PLOY_STATE, &cell->through, -1, senses->link_count - 1);
        ploy_visit_f64(v, "updated", PLOY_STATE, &cell->updated);
        ploy_visit_f64(v, "since", PLOY_STATE, &cell->since);
        ploy_visit_vec3(v, "entry", PLOY_STATE, &cell->entry.x, &cell->entry.y, &cell->entry.z);
        room_visit_smell(v, senses, index, &cell->signal);
    } else {
        ploy_visit_scratch(v, cell, sizeof *cell);
    }
    ploy_visit_end(v);
}

static void room_visit_arrival(ploy_visit *v, ploy_room_senses *senses, int32_t index) {
    ployi_graph_arrival *arrival = &senses->arrivals[index], none;
    memset(&none, 0, sizeof none);
    if (v->describe != NULL && !arrival->on_way) return;
    ploy_visit_begin_item(v, index, PLOY_STATE);
    bool on_way = ploy_visit_optional(v, "time", arrival->on_way);
    if (ploy_visit_loads(v)) {
        if (!on_way) ploy_visit_write(v, arrival, &none, sizeof none);
        ploy_visit_write(v, &arrival->on_way, &on_way, sizeof on_way);
    }
    PLOY_VISIT_SCRATCH(v, arrival->on_way);
    if (on_way) {
        ploy_visit_f64(v, "time", PLOY_STATE, &arrival->time);
        ploy_visit_f32_in(v, "intensity", PLOY_STATE, &arrival->intensity, 0.0f, FLT_MAX);
        ploy_visit_f32_in(v, "way", PLOY_STATE, &arrival->travelled, 0.0f, FLT_MAX);
        room_visit_smell(v, senses, index, &arrival->signal);
    } else {
        ploy_visit_scratch(v, arrival, sizeof *arrival);
    }
    ploy_visit_end(v);
}

// Whether each arrival on its way is in the heap once, at its time.
static bool room_visit_arrivals_fit(const ploy_room_senses *senses) {
    int32_t all = senses->link_count * senses->smell_count, on_way = 0;
    uint64_t waiting = 0, queued = 0;
    for (int32_t i = 0; i < all; i++) {
        if (!senses->arrivals[i].on_way) continue;
        on_way++;
        waiting += ploy_hash_combine(1, (uint64_t)i);
    }
    if (senses->arriving.count != on_way) return false;
    for (int32_t i = 0; i < on_way; i++) {
        const ploy_heap_entry *entry = &senses->arriving.entries[i];
        if (entry->payload >= (uint64_t)all) return false;
        if (senses->arrivals[entry->payload].time != entry->key) return false;
        queued += ploy_hash_combine(1, entry->payload);
    }
    return queued == waiting;
}

static void room_visit_smells(ploy_visit *v, ploy_room_senses *senses) {
    int32_t cells = senses->node_count * senses->smell_count;
    int32_t links = senses->link_count * senses->smell_count;
    ploy_visit_begin(v, "smells", PLOY_STATE);
    ploy_visit_f64(v, "run", PLOY_STATE, &senses->run_now);
    ploy_visit_f64(v, "run before", PLOY_STATE, &senses->run_before);
    ploy_describe_i64(v->describe, "cursor", PLOY_STATE, senses->running ? senses->cursor : -1);
    ploy_visit_bool(v, "running", PLOY_SAVED, &senses->running);
    ploy_visit_i32_in(v, "cursor", PLOY_SAVED, &senses->cursor, 0, cells);
    int32_t count = ploy_visit_fixed(v, "cells", PLOY_SAVED, cells);
    for (int32_t i = 0; i < count; i++) room_visit_cell(v, senses, i);
    ploy_visit_end(v);
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "arrivals", PLOY_STATE, links);
    for (int32_t i = 0; i < count; i++) room_visit_arrival(v, senses, i);
    ploy_visit_end(v);
    ploy_visit_heap(v, "arriving", &senses->arriving, links);
    count = ploy_visit_array(v, "sources", PLOY_STATE, &senses->sources, 1 << 20);
    for (int32_t i = 0; i < count; i++) {
        ploy_signal *source = PLOY_ARRAY_AT(&senses->sources, ploy_signal, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_signal(v, "signal", PLOY_STATE, source);
        ploy_visit_check(v, ployi_modalities_check_signal(senses->modalities, source) == PLOY_OK,
                         "invalid signal", NULL);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, room_visit_arrivals_fit(senses), "inconsistent queue and arrivals",
                         NULL);
    }
}

// ---- the whole

static void room_visit_memory(ploy_visit *v, ploy_room_senses *senses) {
    size_t nodes = (size_t)senses->node_count, links = (size_t)senses->link_count;
    size_t smells = (size_t)senses->smell_count;
    ploy_visit_object(v, "room senses", senses, sizeof *senses);
    ploy_visit_block(v, "room senses.nodes", senses->node_first, (nodes + 1) * sizeof(int32_t));
    ploy_visit_block(v, "room senses.seen", senses->seen, nodes * sizeof *senses->seen);
    ploy_visit_block(v, "room senses.gain", senses->gain, (links + 1) * sizeof(float));
    ploy_visit_object(v, "room senses.cells", senses->cells,
                      nodes * smells * sizeof *senses->cells);
    ploy_visit_object(v, "room senses.arrivals", senses->arrivals,
                      links * smells * sizeof *senses->arrivals);
    ploy_visit_buffer(v, "room senses.list", &senses->node_list);
    ploy_visit_buffer(v, "room senses.entries", &senses->entries);
    ploy_visit_buffer(v, "room senses.batch", &senses->batch);
    ploy_visit_buffer(v, "room senses.late", &senses->late);
    if (v->memory == NULL) return;
    ploy_map_memory(&senses->by_agent, v->memory, v->memory_user);
    ploy_heap_memory(&senses->wave, v->memory, v->memory_user);
    ploy_heap_memory(&senses->sorter, v->memory, v->memory_user);
    if (senses->log != NULL) ploy_sense_log_memory(senses->log, v->memory, v->memory_user);
}

static void room_visit_scratch(ploy_visit *v, ploy_room_senses *senses) {
    PLOY_VISIT_SCRATCH(v, senses->env);
    PLOY_VISIT_SCRATCH(v, senses->def);
    PLOY_VISIT_SCRATCH(v, senses->graph);
    PLOY_VISIT_SCRATCH(v, senses->modalities);
    PLOY_VISIT_SCRATCH(v, senses->poses);
    PLOY_VISIT_SCRATCH(v, senses->locate);
    PLOY_VISIT_SCRATCH(v, senses->locate_user);
    PLOY_VISIT_SCRATCH(v, senses->node_count);
    PLOY_VISIT_SCRATCH(v, senses->link_count);
    PLOY_VISIT_SCRATCH(v, senses->sensors);
    PLOY_VISIT_SCRATCH(v, senses->by_agent);
    PLOY_VISIT_SCRATCH(v, senses->node_first);
    PLOY_VISIT_SCRATCH(v, senses->lists_stale);
    PLOY_VISIT_SCRATCH(v, senses->gain);
    PLOY_VISIT_SCRATCH(v, senses->seen);
    PLOY_VISIT_SCRATCH(v, senses->wave_count);
    PLOY_VISIT_SCRATCH(v, senses->wave);
    PLOY_VISIT_SCRATCH(v, senses->sorter);
    PLOY_VISIT_SCRATCH(v, senses->smell_count);
    PLOY_VISIT_SCRATCH(v, senses->smell_of);
    PLOY_VISIT_SCRATCH(v, senses->modality_of);
    PLOY_VISIT_SCRATCH(v, senses->cells);
    PLOY_VISIT_SCRATCH(v, senses->arrivals);
    PLOY_VISIT_SCRATCH(v, senses->active_cells);
    PLOY_VISIT_SCRATCH(v, senses->busy);
    PLOY_VISIT_SCRATCH(v, senses->log); // of examinations, for people; not saved
}

void ploy_room_senses_visit(ploy_visit *v, void *object) {
    ploy_room_senses *senses = object;
    room_visit_memory(v, senses);
    room_visit_scratch(v, senses);
    if (!ploy_visit_check(v, !senses->busy, "cannot load while percepts are being delivered", NULL))
        return;
    ploy_visit_after(v, room_visit_rebuild, senses);
    ploy_visit_f64(v, "now", PLOY_STATE, &senses->now);
    ploy_visit_u64(v, "signals", PLOY_STATE, &senses->next_order);
    ploy_visit_vec3(v, "wind", PLOY_STATE, &senses->wind.x, &senses->wind.y, &senses->wind.z);
    ploy_visit_bool(v, "stepped", PLOY_SAVED, &senses->stepped);
    room_visit_links(v, senses);
    room_visit_sensors(v, senses);
    room_visit_pending(v, senses);
    room_visit_smells(v, senses);
    if (v->describe == NULL || senses->log == NULL) return;
    ploy_describe_begin(v->describe, "log");
    ploy_sense_log_describe(senses->log, 16, v->describe);
    ploy_describe_end(v->describe);
}

void ploy_room_senses_describe(const ploy_room_senses *senses, ploy_describe *out) {
    ploy_visit_describe(ploy_room_senses_visit, senses, NULL, out);
}

void ploy_room_senses_memory(const ploy_room_senses *senses, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_room_senses_visit, senses, fn, user);
}
