// Alarms: a queue by time beside a table of stable ids, because an alarm that repeats keeps its id
// while it goes through the queue again and again.
//
// Invariants:
//   (1) every alarm in the pool is in the queue once, at the time it is due next;
//   (2) the queue has room for all alarms of the pool, so that repeating cannot fail.
#include "ploy/world/alarms.h"

#include "world/world_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/pool.h"
#include "world/events_internal.h"
#include "world/queue_internal.h"
#include "world/ring_internal.h"

static const ploy_field alarms_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_alarms_def, capacity, 32, 0, 1 << 24, "",
                         "alarms that fit before it grows"),
    PLOY_FIELD_F64(ploy_alarms_def, day, 86400, 1e-3, 1e9, "s", "of the clock in a day"),
    PLOY_FIELD_F64(ploy_alarms_def, start, 0, -1e12, 1e12, "s", "the clock at first"),
};

typedef struct alarms_item {
    ploy_event event;
    double base;   // s, a time at which it is due; the others are base + n * repeat
    double repeat; // s; 0: once
    double at;     // s, next time
    ploy_id place; // in the queue
    uint64_t order;
} alarms_item;

struct ploy_alarms {
    ploy_env env;
    ploy_alarms_def def;
    ploy_events *events;
    ploy_pool *pool;   // alarms_item
    ployi_queue queue; // ids in the pool
    double now;
    uint64_t next_order;
};

ploy_fields ploy_alarms_fields(void) {
    return PLOY_FIELDS(ploy_alarms_def, alarms_fields);
}

ploy_alarms_def ploy_alarms_def_default(void) {
    ploy_alarms_def def;
    ploy_fields_default(ploy_alarms_fields(), &def);
    return def;
}

ploy_result ploy_alarms_create(const ploy_alarms_def *def, ploy_events *events, const ploy_env *env,
                               ploy_alarms **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || events == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_alarms_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_alarms *alarms = ploy_env_alloc_zero(env, sizeof *alarms);
    if (alarms == NULL) return PLOY_ERR_MEMORY;
    alarms->env = *env;
    alarms->def = *def;
    alarms->events = events;
    alarms->now = def->start;
    ployi_queue_init(&alarms->queue, sizeof(ploy_id), env);
    result = ploy_pool_create(sizeof(alarms_item), 0, 0, env, &alarms->pool);
    if (result == PLOY_OK) result = ploy_alarms_reserve(alarms, PLOY_CAPACITY(def->capacity));
    if (result != PLOY_OK) {
        ploy_alarms_destroy(alarms);
        return result;
    }
    *out = alarms;
    return PLOY_OK;
}

void ploy_alarms_destroy(ploy_alarms *alarms) {
    if (alarms == NULL) return;
    ploy_env env = alarms->env;
    ploy_pool_destroy(alarms->pool);
    ployi_queue_fini(&alarms->queue);
    ploy_env_free(&env, alarms, sizeof *alarms);
}

ploy_result ploy_alarms_reserve(ploy_alarms *alarms, int32_t count) {
    if (alarms == NULL || count < 0 || count > PLOY_POOL_MAX) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_pool_reserve(alarms->pool, count);
    return result == PLOY_OK ? ployi_queue_reserve(&alarms->queue, count) : result;
}

double ploy_alarms_time(const ploy_alarms *alarms, int32_t hours, int32_t minutes, double seconds) {
    double day = alarms != NULL ? alarms->def.day : 86400.0;
    return (hours * 3600.0 + minutes * 60.0 + seconds) * (day / 86400.0);
}

// Puts an alarm into the queue at its time. There is room: (2).
static void alarms_enqueue(ploy_alarms *alarms, ploy_id id, alarms_item *item) {
    ploy_result result =
        ployi_queue_push(&alarms->queue, item->at, 0, item->order, &id, &item->place);
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
}

ploy_result ploy_alarms_set(ploy_alarms *alarms, double at, double repeat, const ploy_event *event,
                            ploy_alarm_id *out) {
    if (alarms == NULL || event == NULL || !ploy_is_finite_d(at) || !ploy_is_finite_d(repeat) ||
        repeat < 0.0 || (repeat > 0.0 && repeat < 1e-3)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t count = ploy_pool_count(alarms->pool) + 1;
    if (count > ployi_queue_capacity(&alarms->queue)) {
        int32_t more = count + count / 2 + PLOY_CAPACITY(8);
        ploy_result reserved = ployi_queue_reserve(&alarms->queue, more);
        if (reserved != PLOY_OK) return reserved;
    }
    ploy_id id;
    void *place = NULL;
    ploy_result result = ploy_pool_add(alarms->pool, &id, &place);
    if (result != PLOY_OK) return result;
    alarms_item *item = place;
    item->event = *event;
    item->base = item->at = at;
    item->repeat = repeat;
    item->order = alarms->next_order++;
    alarms_enqueue(alarms, id, item);
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

// The first time of an alarm after t. Counted from the base, so that sums do not drift.
static double alarms_after(const alarms_item *item, double t) {
    double turns = floor((t - item->base) / item->repeat) + 1.0;
    double at = item->base + turns * item->repeat;
    // Rounding may leave it one short.
    if (!(at > t)) at = item->base + (turns + 1.0) * item->repeat;
    // Far from zero a step of the clock is longer than the repeat: the next step then.
    return at > t ? at : t + (t < 0.0 ? -t : t) * DBL_EPSILON;
}

ploy_result ploy_alarms_set_daily(ploy_alarms *alarms, double time_of_day, bool daily,
                                  const ploy_event *event, ploy_alarm_id *out) {
    if (alarms == NULL || !ploy_is_finite_d(time_of_day) || time_of_day < 0.0 ||
        time_of_day > alarms->def.day) {
        return PLOY_ERR_ARGUMENT;
    }
    double day = alarms->def.day;
    double at = floor(alarms->now / day) * day + time_of_day;
    if (at < alarms->now) at += day;
    return ploy_alarms_set(alarms, at, daily ? day : 0.0, event, out);
}

ploy_result ploy_alarms_cancel(ploy_alarms *alarms, ploy_alarm_id id) {
    alarms_item *item = alarms != NULL ? ploy_pool_get(alarms->pool, id.id) : NULL;
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    ployi_queue_remove(&alarms->queue, item->place);
    ploy_pool_remove(alarms->pool, id.id);
    return PLOY_OK;
}

// Takes the first alarm's turn: it goes, or waits for its first time after `after`.
static void alarms_turn(ploy_alarms *alarms, double after) {
    ploy_id id;
    ployi_queue_pop(&alarms->queue, &id);
    alarms_item *item = ploy_pool_get(alarms->pool, id);
    if (item->repeat > 0.0) {
        item->at = alarms_after(item, after);
        alarms_enqueue(alarms, id, item);
    } else {
        ploy_pool_remove(alarms->pool, id);
    }
}

// Passes all alarms up to now, and raises at most PLOY_ALARMS_RAISED_MAX events. `each`: as often as they were passed; `raise`: their events too.
static ploy_result alarms_pass(ploy_alarms *alarms, double now, bool raise, bool each,
                               int32_t *fired) {
    int32_t count = 0;
    ploy_result result = PLOY_OK;
    const ployi_queue_entry *first = NULL;
    while ((first = ployi_queue_first(&alarms->queue)) != NULL && first->time <= now) {
        if (raise && count == PLOY_ALARMS_RAISED_MAX) {
            result = PLOY_IN_PROGRESS;
            if (first->time > alarms->now) alarms->now = first->time;
            break;
        }
        const ploy_id *id = ployi_queue_at(&alarms->queue, first->place, NULL);
        const alarms_item *item = ploy_pool_get(alarms->pool, *id);
        if (raise) result = ploy_events_raise(alarms->events, &item->event);
        if (result != PLOY_OK) {
            if (first->time > alarms->now) alarms->now = first->time;
            break;
        }
        if (raise) count++;
        alarms_turn(alarms, each ? first->time : now);
    }
    if (result == PLOY_OK) alarms->now = now;
    if (fired != NULL) *fired = count;
    return result;
}

ploy_result ploy_alarms_step(ploy_alarms *alarms, double now, int32_t *fired) {
    if (alarms == NULL || !ploy_is_finite_d(now) || now < alarms->now) return PLOY_ERR_ARGUMENT;
    return alarms_pass(alarms, now, true, true, fired);
}

ploy_result ploy_alarms_jump(ploy_alarms *alarms, double now, ploy_alarms_jump_rule rule,
                             int32_t *fired) {
    bool known = rule == PLOY_ALARMS_SKIP || rule == PLOY_ALARMS_ONCE || rule == PLOY_ALARMS_EACH;
    if (alarms == NULL || !ploy_is_finite_d(now) || !known) return PLOY_ERR_ARGUMENT;
    if (now >= alarms->now) {
        bool raise = rule != PLOY_ALARMS_SKIP, each = rule == PLOY_ALARMS_EACH;
        return alarms_pass(alarms, now, raise, each, fired);
    }
    alarms->now = now;
    uint32_t cursor = 0;
    ploy_id id;
    void *place = NULL;
    while (ploy_pool_next(alarms->pool, &cursor, &id, &place)) {
        alarms_item *item = place;
        if (!(item->repeat > 0.0)) continue;
        ployi_queue_remove(&alarms->queue, item->place);
        item->at = alarms_after(item, now);
        alarms_enqueue(alarms, id, item);
    }
    if (fired != NULL) *fired = 0;
    return PLOY_OK;
}

double ploy_alarms_now(const ploy_alarms *alarms) {
    return alarms != NULL ? alarms->now : 0.0;
}

double ploy_alarms_time_of_day(const ploy_alarms *alarms) {
    if (alarms == NULL) return 0.0;
    return alarms->now - floor(alarms->now / alarms->def.day) * alarms->def.day;
}

int64_t ploy_alarms_day(const ploy_alarms *alarms) {
    if (alarms == NULL) return 0;
    double day = floor(alarms->now / alarms->def.day);
    return day >= 9e18 ? INT64_MAX : day <= -9e18 ? INT64_MIN : (int64_t)day;
}

int32_t ploy_alarms_count(const ploy_alarms *alarms) {
    return alarms != NULL ? ploy_pool_count(alarms->pool) : 0;
}

bool ployi_alarms_next(const ploy_alarms *alarms, ploy_alarm_id id, double *at) {
    const alarms_item *item = alarms != NULL ? ploy_pool_get(alarms->pool, id.id) : NULL;
    if (item == NULL || at == NULL) return false;
    *at = item->at;
    return true;
}

static void alarms_visit_item(ploy_visit *v, ploy_id id, alarms_item *item) {
    char name[24];
    ployi_print_id(id, name, sizeof name);
    ploy_visit_begin(v, name, PLOY_STATE);
    if (v->describe != NULL) {
        ployi_describe_name(v->describe, "name", PLOY_STATE, v->context, item->event.name);
    }
    ploy_visit_f64(v, "at", PLOY_STATE, &item->at);
    ploy_visit_f64_in(v, "repeat", PLOY_STATE, &item->repeat, 0.0, DBL_MAX);
    ploy_visit_f64(v, "base", PLOY_STATE, &item->base);
    ploy_visit_u64(v, "order", PLOY_STATE, &item->order);
    ploy_visit_begin(v, "event", PLOY_SAVED);
    ployi_event_visit(v, &item->event, PLOY_SAVED);
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, item->place);
    ploy_visit_check(v, !(item->repeat > 0.0) || item->repeat >= 1e-3, "period is too short",
                     "0 or at least 0.001");
    ploy_visit_end(v);
}

// The queue again from the alarms. There is room: (2).
static void alarms_rebuild(void *object) {
    ploy_alarms *alarms = object;
    while (ployi_queue_first(&alarms->queue) != NULL) {
        ploy_id id;
        ployi_queue_pop(&alarms->queue, &id);
    }
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(alarms->pool, &cursor, &id, &item)) alarms_enqueue(alarms, id, item);
}

void ploy_alarms_visit(ploy_visit *v, void *object) {
    ploy_alarms *alarms = object;
    ploy_visit_object(v, "alarms", alarms, sizeof *alarms);
    ploy_visit_after(v, alarms_rebuild, alarms);
    PLOY_VISIT_SCRATCH(v, alarms->env);
    PLOY_VISIT_SCRATCH(v, alarms->def);
    PLOY_VISIT_SCRATCH(v, alarms->events);
    PLOY_VISIT_SCRATCH(v, alarms->pool);
    PLOY_VISIT_SCRATCH(v, alarms->queue); // which places it uses is not visible to callers
    if (v->memory != NULL) ployi_queue_memory(&alarms->queue, v->memory, v->memory_user);
    ploy_visit_f64(v, "now", PLOY_STATE, &alarms->now);
    ploy_describe_f64(v->describe, "time of day", PLOY_DERIVED, ploy_alarms_time_of_day(alarms));
    ploy_visit_u64(v, "next order", PLOY_STATE, &alarms->next_order);
    ploy_visit_pool(v, "places", alarms->pool, 1 << 24);
    int32_t count = ploy_pool_count(alarms->pool);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_result(v, ployi_queue_reserve(&alarms->queue, count));
    }
    int32_t left = ploy_visit_fixed(v, "alarms", PLOY_SAVED, count);
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (left-- > 0 && ploy_pool_next(alarms->pool, &cursor, &id, &item)) {
        alarms_visit_item(v, id, item);
    }
    ploy_visit_end(v);
}

void ploy_alarms_describe(const ploy_alarms *alarms, const ploy_names *names, ploy_describe *out) {
    ploy_visit_describe(ploy_alarms_visit, alarms, (void *)(uintptr_t)names, out);
}

void ploy_alarms_memory(const ploy_alarms *alarms, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_alarms_visit, alarms, fn, user);
}
