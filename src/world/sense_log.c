// The ring of examinations; see the header.
//
// Invariant: cleared is the number of the first record that was not forgotten; it is not above the
// ring's next.
#include "ploy/world/sense_log.h"

#include "world/world_internal.h"

#include <string.h>

#include "ploy/base/math.h"
#include "world/ring_internal.h"

#define SENSE_LOG_CAPACITY_MAX (1 << 20)

struct ploy_sense_log {
    ploy_env env;
    ployi_ring ring; // ploy_sense_entry
    uint64_t cleared;
};

ploy_result ploy_sense_log_create(int32_t capacity, const ploy_env *env, ploy_sense_log **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (capacity < 1 || capacity > SENSE_LOG_CAPACITY_MAX) return PLOY_ERR_ARGUMENT;
    ploy_sense_log *log = ploy_env_alloc_zero(env, sizeof *log);
    if (log == NULL) return PLOY_ERR_MEMORY;
    log->env = *env;
    ploy_result result = ployi_ring_init(&log->ring, sizeof(ploy_sense_entry), capacity, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, log, sizeof *log);
        return result;
    }
    *out = log;
    return PLOY_OK;
}

void ploy_sense_log_destroy(ploy_sense_log *log) {
    if (log == NULL) return;
    ploy_env env = log->env;
    ployi_ring_fini(&log->ring);
    ploy_env_free(&env, log, sizeof *log);
}

void ployi_sense_log_add(ploy_sense_log *log, const ploy_sense_entry *entry) {
    if (log == NULL) return;
    uint64_t number = 0;
    ploy_sense_entry *record = ployi_ring_push(&log->ring, &number);
    *record = *entry;
}

void ployi_sense_log_add_test(ploy_sense_log *log, const ploy_sense_test *test,
                              ploy_sense_reason reason, ploy_sense_method method, int32_t through) {
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
    entry.method = method;
    entry.through = through;
    entry.reason = reason;
    entry.detail = test->detail;
    ployi_sense_log_add(log, &entry);
}

int32_t ploy_sense_log_count(const ploy_sense_log *log) {
    uint64_t since = log->ring.next - log->cleared;
    int32_t kept = ployi_ring_count(&log->ring);
    return since < (uint64_t)kept ? (int32_t)since : kept;
}

uint64_t ployi_sense_log_total(const ploy_sense_log *log) {
    return log->ring.next;
}

const ploy_sense_entry *ploy_sense_log_get(const ploy_sense_log *log, int32_t age) {
    return age < ploy_sense_log_count(log) ? ployi_ring_newest(&log->ring, age) : NULL;
}

const ploy_sense_entry *ploy_sense_log_find(const ploy_sense_log *log, ploy_agent_id sensor,
                                            ploy_agent_id source, uint64_t order) {
    for (int32_t age = 0; age < ploy_sense_log_count(log); age++) {
        const ploy_sense_entry *entry = ploy_sense_log_get(log, age);
        if (!ploy_id_equal(entry->sensor.id, sensor.id)) continue;
        if (!ploy_id_equal(entry->source.id, source.id)) continue;
        if (order == UINT64_MAX || entry->order == order) return entry;
    }
    return NULL;
}

void ploy_sense_log_clear(ploy_sense_log *log) {
    log->cleared = log->ring.next;
}

static const char *sense_log_reason_text(int32_t reason) {
    return ployi_sense_reason_text((ploy_sense_reason)reason);
}

static const char *sense_log_method_text(int32_t method) {
    return ployi_sense_method_text((ploy_sense_method)method);
}

static void sense_log_visit_entry(ploy_visit *v, ploy_sense_entry *entry) {
    ploy_visit_id(v, "sensor", PLOY_NOTE, &entry->sensor.id);
    ploy_visit_id(v, "source", PLOY_NOTE, &entry->source.id);
    ploy_visit_name(v, "cause", PLOY_NOTE, &entry->cause);
    ploy_visit_u64(v, "order", PLOY_SAVED, &entry->order);
    ploy_visit_i32(v, "modality", PLOY_NOTE, &entry->modality);
    PLOY_VISIT_ENUM(v, "became", PLOY_NOTE, entry->reason, sense_log_reason_text,
                    PLOY_SENSE_REASON_COUNT);
    ploy_visit_i32(v, "detail", PLOY_NOTE, &entry->detail);
    ploy_visit_f64(v, "time", PLOY_NOTE, &entry->time);
    ploy_visit_f32(v, "intensity", PLOY_NOTE, &entry->intensity);
    ploy_visit_f32(v, "threshold", PLOY_NOTE, &entry->threshold);
    ploy_visit_f32(v, "distance", PLOY_NOTE, &entry->distance);
    PLOY_VISIT_ENUM(v, "method", PLOY_NOTE, entry->method, sense_log_method_text,
                    PLOY_SENSE_LINGERING + 1);
    ploy_visit_i32(v, "through", PLOY_NOTE, &entry->through);
}

void ploy_sense_log_visit(ploy_visit *v, void *object) {
    ploy_sense_log *log = object;
    const int32_t *most = v->context;
    ploy_visit_object(v, "sense log", log, sizeof *log);
    PLOY_VISIT_SCRATCH(v, log->env);
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, "total", PLOY_NOTE, log->ring.next);
        int32_t count = ploy_sense_log_count(log);
        if (most != NULL) count = ploy_mini(count, *most);
        for (int32_t age = 0; age < count; age++) {
            ploy_visit_begin_item(v, age, PLOY_STATE);
            sense_log_visit_entry(v, ployi_ring_record(&log->ring, age));
            ploy_visit_end(v);
        }
        return;
    }
    int32_t records = ployi_ring_visit(v, "entries", &log->ring);
    for (int32_t age = 0; age < records; age++) {
        ploy_visit_begin_item(v, age, PLOY_STATE);
        sense_log_visit_entry(v, ployi_ring_record(&log->ring, age));
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_u64(v, "cleared", PLOY_SAVED, &log->cleared);
    (void)ploy_visit_check(v, log->cleared <= log->ring.next, "too many entries are cleared",
                           "at most as many as were made");
}

void ploy_sense_log_describe(const ploy_sense_log *log, int32_t most, ploy_describe *out) {
    ploy_visit_describe(ploy_sense_log_visit, log, &most, out);
}

void ploy_sense_log_memory(const ploy_sense_log *log, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_sense_log_visit, log, fn, user);
}

#undef SENSE_LOG_CAPACITY_MAX
