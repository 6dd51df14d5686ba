// What a region sense manager knows, described, saved and loaded.
#include <string.h>

#include "ploy/base/hash.h"

#include "world/senses_internal.h"
#include "world/world_internal.h"

// All agents to their slots again. There is room: a load has made it.
static void senses_visit_rebuild(void *object) {
    ploy_senses *senses = object;
    ploy_map_clear(&senses->by_agent);
    senses->count = 0;
    senses->stale = true;
    for (int32_t i = 0; i < senses->def.capacity; i++) {
        if (!senses->used[i]) continue;
        ploy_result result =
            ploy_map_put(&senses->by_agent, ploy_id_to_u64(senses->slots[i].agent.id), &i);
        PLOY_ASSERT(result == PLOY_OK);
        (void)result;
        senses->count++;
    }
}

static void senses_visit_sensors(ploy_visit *v, ploy_senses *senses) {
    int32_t count = ploy_visit_fixed(v, "sensors", PLOY_STATE, senses->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_sensor none;
        memset(&none, 0, sizeof none);
        if (v->describe != NULL && !senses->used[i]) continue;
        ploy_visit_begin_item(v, i, PLOY_STATE);
        bool used = ploy_visit_optional(v, "sensor", senses->used[i]);
        if (ploy_visit_loads(v)) {
            ploy_visit_write(v, &senses->used[i], &used, sizeof used);
            if (!used) ploy_visit_write(v, &senses->slots[i], &none, sizeof none);
        }
        if (used) {
            ploy_visit_sensor(v, "sensor", PLOY_STATE, &senses->slots[i]);
            ploy_visit_check(
                v,
                ployi_modalities_check_sensor(senses->def.modalities, &senses->slots[i]) == PLOY_OK,
                "invalid sensor", NULL);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void senses_visit_active(ploy_visit *v, ploy_senses *senses) {
    int32_t count = ploy_visit_array(v, "active", PLOY_STATE, &senses->active, 1 << 24);
    int64_t bits = (int64_t)senses->active.count * senses->words;
    if (ploy_visit_loads(v) &&
        (bits > INT32_MAX || !ploy_visit_resize(v, &senses->heard, (int32_t)bits))) {
        count = 0;
    }
    ploy_visit_buffer(v, "senses.heard", &senses->heard);
    for (int32_t i = 0; i < count; i++) {
        ploy_signal *signal = PLOY_ARRAY_AT(&senses->active, ploy_signal, i);
        uint32_t *heard = &PLOY_ARRAY_ITEMS(&senses->heard, uint32_t)[i * senses->words];
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_signal(v, "signal", PLOY_STATE, signal);
        int32_t words = ploy_visit_fixed(v, "heard", PLOY_SAVED, senses->words);
        for (int32_t j = 0; j < words; j++) ploy_visit_u32(v, "heard", PLOY_STATE, &heard[j]);
        ploy_visit_end(v);
        ploy_visit_check(v,
                         ployi_modalities_check_signal(senses->def.modalities, signal) == PLOY_OK,
                         "invalid signal", NULL);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

// Whether the queue holds each percept once, at its time: invariant (3). As many entries as
// percepts, all of them alive; the sums of mixed ids differ if one is there twice.
static bool senses_visit_queue_fits(const ploy_senses *senses) {
    uint64_t queued = 0, alive = 0;
    if (senses->queue.count != ploy_pool_count(senses->pending)) return false;
    for (int32_t i = 0; i < senses->queue.count; i++) {
        const ploy_heap_entry *entry = &senses->queue.entries[i];
        const ploy_percept *percept =
            ploy_pool_get(senses->pending, ploy_id_from_u64(entry->payload));
        if (percept == NULL || percept->time != entry->key) return false;
        queued += ploy_hash_combine(1, entry->payload);
    }
    uint32_t cursor = 0;
    ploy_id id;
    while (ploy_pool_next(senses->pending, &cursor, &id, NULL)) {
        alive += ploy_hash_combine(1, ploy_id_to_u64(id));
    }
    return queued == alive;
}

static void senses_visit_pending(ploy_visit *v, ploy_senses *senses) {
    ploy_visit_pool(v, "places", senses->pending, 1 << 16);
    ploy_visit_heap(v, "queue", &senses->queue, 1 << 16);
    int32_t left = ploy_visit_fixed(v, "pending", PLOY_STATE, ploy_pool_count(senses->pending));
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (left-- > 0 && ploy_pool_next(senses->pending, &cursor, &id, &item)) {
        ploy_percept *percept = item;
        ploy_visit_begin_item(v, (int64_t)id.index, PLOY_STATE);
        ploy_visit_percept(v, "percept", PLOY_STATE, percept);
        ploy_visit_check(
            v, ployi_modalities_check_signal(senses->def.modalities, &percept->signal) == PLOY_OK,
            "invalid signal", NULL);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, senses_visit_queue_fits(senses), "inconsistent queue and percepts",
                         NULL);
    }
}

static void senses_visit_scratch(ploy_visit *v, ploy_senses *senses) {
    PLOY_VISIT_SCRATCH(v, senses->env);
    PLOY_VISIT_SCRATCH(v, senses->def);
    PLOY_VISIT_SCRATCH(v, senses->slots_size);
    PLOY_VISIT_SCRATCH(v, senses->slots);
    PLOY_VISIT_SCRATCH(v, senses->poses);
    PLOY_VISIT_SCRATCH(v, senses->x);
    PLOY_VISIT_SCRATCH(v, senses->y);
    PLOY_VISIT_SCRATCH(v, senses->found);
    PLOY_VISIT_SCRATCH(v, senses->used);
    PLOY_VISIT_SCRATCH(v, senses->by_agent);
    PLOY_VISIT_SCRATCH(v, senses->grid);
    PLOY_VISIT_SCRATCH(v, senses->pending);
    PLOY_VISIT_SCRATCH(v, senses->sampled);
    PLOY_VISIT_SCRATCH(v, senses->count);
    PLOY_VISIT_SCRATCH(v, senses->words);
    PLOY_VISIT_SCRATCH(v, senses->stale);
    PLOY_VISIT_SCRATCH(v, senses->stepping);
    ploy_visit_buffer(v, "senses.waiting", &senses->waiting); // empty outside a step
    ploy_visit_block(v, "senses.slots", senses->slots, senses->slots_size);
    if (v->memory == NULL) return;
    ploy_map_memory(&senses->by_agent, v->memory, v->memory_user);
    ploy_grid_memory(senses->grid, v->memory, v->memory_user);
}

void ploy_senses_visit(ploy_visit *v, void *object) {
    ploy_senses *senses = object;
    ploy_visit_object(v, "senses", senses, sizeof *senses);
    senses_visit_scratch(v, senses);
    if (!ploy_visit_check(v, !senses->stepping, "cannot load while percepts are being delivered",
                          NULL))
        return;
    ploy_visit_after(v, senses_visit_rebuild, senses);
    ploy_visit_f64(v, "now", PLOY_STATE, &senses->now);
    ploy_visit_f64(v, "last step", PLOY_STATE, &senses->last_step);
    ploy_visit_bool(v, "started", PLOY_STATE, &senses->started);
    ploy_visit_u64(v, "next order", PLOY_STATE, &senses->next_order);
    ploy_visit_vec3(v, "wind", PLOY_STATE, &senses->wind.x, &senses->wind.y, &senses->wind.z);
    senses_visit_sensors(v, senses);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v) &&
        ploy_visit_result(v, ploy_map_reserve(&senses->by_agent, senses->def.capacity))) {
        senses_visit_rebuild(senses); // two sensors of one agent take one place
        ploy_visit_check(v, ploy_map_count(&senses->by_agent) == senses->count,
                         "duplicate sensor of an agent", NULL);
    }
    senses_visit_active(v, senses);
    senses_visit_pending(v, senses);
}

void ploy_senses_describe(const ploy_senses *senses, ploy_describe *out) {
    ploy_visit_describe(ploy_senses_visit, senses, NULL, out);
}

void ploy_senses_memory(const ploy_senses *senses, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_senses_visit, senses, fn, user);
}
