// The ring of examinations; see the header.
//
// Invariant: entry number n, counted from 0 over all time, lies at n % capacity while it is among
// the last `capacity` ones since the last clear.
#include "ploy/world/sense_log.h"

#include <string.h>

#define SENSE_LOG_CAPACITY_MAX (1 << 20)

struct ploy_sense_log {
    ploy_env env;
    size_t size;
    uint64_t total;
    int32_t capacity;
    int32_t count;
    ploy_sense_entry entries[];
};

ploy_result ploy_sense_log_create(int32_t capacity, const ploy_env *env, ploy_sense_log **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (capacity < 1 || capacity > SENSE_LOG_CAPACITY_MAX) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_sense_log), capacity, sizeof(ploy_sense_entry), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_sense_log *log = ploy_env_alloc_zero(env, size);
    if (log == NULL) return PLOY_ERR_MEMORY;
    log->env = *env;
    log->size = size;
    log->capacity = capacity;
    *out = log;
    return PLOY_OK;
}

void ploy_sense_log_destroy(ploy_sense_log *log) {
    if (log == NULL) return;
    ploy_env env = log->env;
    ploy_env_free(&env, log, log->size);
}

void ploy_sense_log_add(ploy_sense_log *log, const ploy_sense_entry *entry) {
    if (log == NULL) return;
    log->entries[log->total % (uint64_t)log->capacity] = *entry;
    log->total++;
    if (log->count < log->capacity) log->count++;
}

void ploy_sense_log_add_test(ploy_sense_log *log, const ploy_sense_test *test,
                             ploy_sense_reason reason, ploy_sense_way way, int32_t through) {
    if (log == NULL) return;
    int32_t modality = test->signal->modality;
    ploy_sense_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.sensor = test->sensor->agent;
    entry.source = test->signal->source;
    entry.cause = test->signal->cause;
    entry.order = test->signal->order;
    entry.time = test->now;
    entry.intensity = test->intensity;
    if (modality >= 0 && modality < PLOY_MODALITIES_MAX) {
        entry.threshold = test->sensor->channels[modality].threshold;
    }
    entry.distance = test->distance;
    entry.modality = modality;
    entry.way = way;
    entry.through = through;
    entry.reason = reason;
    entry.detail = test->detail;
    ploy_sense_log_add(log, &entry);
}

int32_t ploy_sense_log_count(const ploy_sense_log *log) {
    return log->count;
}

uint64_t ploy_sense_log_total(const ploy_sense_log *log) {
    return log->total;
}

const ploy_sense_entry *ploy_sense_log_get(const ploy_sense_log *log, int32_t age) {
    if (age < 0 || age >= log->count) return NULL;
    return &log->entries[(log->total - 1 - (uint64_t)age) % (uint64_t)log->capacity];
}

const ploy_sense_entry *ploy_sense_log_find(const ploy_sense_log *log, ploy_agent_id sensor,
                                            ploy_agent_id source, uint64_t order) {
    for (int32_t age = 0; age < log->count; age++) {
        const ploy_sense_entry *entry = ploy_sense_log_get(log, age);
        if (!ploy_id_equal(entry->sensor.id, sensor.id)) continue;
        if (!ploy_id_equal(entry->source.id, source.id)) continue;
        if (order == UINT64_MAX || entry->order == order) return entry;
    }
    return NULL;
}

void ploy_sense_log_clear(ploy_sense_log *log) {
    log->count = 0;
}

void ploy_sense_log_describe(const ploy_sense_log *log, int32_t most, ploy_describe *out) {
    ploy_describe_u64(out, "total", PLOY_NOTE, log->total);
    for (int32_t age = 0; age < log->count && age < most; age++) {
        const ploy_sense_entry *entry = ploy_sense_log_get(log, age);
        ploy_describe_begin_item(out, age);
        ploy_describe_id(out, "sensor", PLOY_NOTE, entry->sensor.id);
        ploy_describe_id(out, "source", PLOY_NOTE, entry->source.id);
        ploy_describe_name(out, "cause", PLOY_NOTE, entry->cause);
        ploy_describe_i64(out, "modality", PLOY_NOTE, entry->modality);
        ploy_describe_text(out, "became", PLOY_NOTE, ploy_sense_reason_text(entry->reason));
        ploy_describe_i64(out, "detail", PLOY_NOTE, entry->detail);
        ploy_describe_f64(out, "time", PLOY_NOTE, entry->time);
        ploy_describe_f32(out, "intensity", PLOY_NOTE, entry->intensity);
        ploy_describe_f32(out, "threshold", PLOY_NOTE, entry->threshold);
        ploy_describe_f32(out, "distance", PLOY_NOTE, entry->distance);
        ploy_describe_text(out, "way", PLOY_NOTE, ploy_sense_way_text(entry->way));
        ploy_describe_i64(out, "through", PLOY_NOTE, entry->through);
        ploy_describe_end(out);
    }
}

void ploy_sense_log_memory(const ploy_sense_log *log, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"sense log", log->size, 1};
    fn(user, &item);
}

#undef SENSE_LOG_CAPACITY_MAX
