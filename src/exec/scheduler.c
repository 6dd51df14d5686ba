// The scheduler's items: their records, the lists by period and phase, and what is reported of them.
//
//     buckets[3] -> | 0: 4, 7, 9 | 1: - | 2: 5 |      items of period 3 by tick mod 3
//     buckets[8] -> | 0: 1 | 1: 2, 3 | ... | 7: - |
//     later      -> heap of (next tick, item) for periods above PLOY_SCHEDULER_DIRECT_MAX
//
// Invariants, between calls:
//   (1) an enabled item with a short period is in the list of its slot, the lists rise; one
//       with a long period is in the heap, under a tick that is not after its next turn, and,
//       enabled or not, in the one list of [0], which does not rise;
//   (2) a bucket's count and weight are those of all items of its slot, enabled or not; [0] has
//       one bucket for all long periods;
//   (3) put_off items are enabled and are in waiting, once; waiting holds no others;
//   (4) listed is set only in the middle of a tick, for items in order[at..due);
//   (5) every byte of an item is set, so that equal states have equal bytes.
#include "ploy/exec/scheduler.h"

#include "exec/exec_internal.h"

#include <float.h>
#include <string.h>

#include "exec/scheduler_internal.h"

static const char *const scheduler_policies[] = {"priority", "even",     "priority_only",
                                                 "request",  "adaptive", "custom"};

static const ploy_field scheduler_fields[] = {
    PLOY_FIELD_ENUM(ploy_scheduler_def, policy, PLOY_POLICY_PRIORITY, scheduler_policies,
                    "how the units of a tick are divided"),
    PLOY_FIELD_I32_FIXED(ploy_scheduler_def, capacity, 64, 1, PLOY_SCHEDULER_ITEMS_MAX, "",
                         "items that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_scheduler_def, look_ahead, 64, 1, 1 << 16, "ticks",
                         "that automatic phasing looks at"),
    PLOY_FIELD_I32(ploy_scheduler_def, patience, 8, 0, 1 << 20, "",
                   "times that a request is put off before it goes first"),
    PLOY_FIELD_BOOL(ploy_scheduler_def, predict, false,
                    "put off turns whose mean cost so far is more than what is left"),
};

ploy_scheduler_def ploy_scheduler_def_default(void) {
    ploy_scheduler_def def;
    ploy_fields_default(ploy_scheduler_fields(), &def);
    return def;
}

ploy_fields ploy_scheduler_fields(void) {
    return PLOY_FIELDS(ploy_scheduler_def, scheduler_fields);
}

const char *ploy_policy_text(ploy_policy policy) {
    size_t count = sizeof scheduler_policies / sizeof scheduler_policies[0];
    return (size_t)policy < count ? scheduler_policies[policy] : "?";
}

// ---- memory

static size_t scheduler_order_size(int32_t capacity) {
    return (size_t)capacity * 5 * sizeof(int32_t);
}

static size_t scheduler_ask_size(int32_t capacity) {
    return (size_t)capacity * (sizeof(ploy_turn_ask) + sizeof(int64_t));
}

static size_t scheduler_list_size(int32_t period) {
    return (size_t)(period > 0 ? period : 1) * sizeof(ployi_scheduler_bucket);
}

static void scheduler_take_asks(ploy_scheduler *scheduler, void *block, int32_t capacity) {
    scheduler->asks = block;
    scheduler->allowances = (int64_t *)(void *)(scheduler->asks + capacity);
}

ploy_result ploy_scheduler_reserve(ploy_scheduler *scheduler, int32_t capacity) {
    if (scheduler == NULL || capacity < 0 || capacity > PLOY_SCHEDULER_ITEMS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t old = scheduler->capacity;
    if (capacity <= old) return PLOY_OK;
    const ploy_env *env = &scheduler->env;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, sizeof(ployi_scheduler_item), &size)) {
        return PLOY_ERR_MEMORY;
    }
    ployi_scheduler_item *items = ploy_env_alloc_zero(env, size);
    int32_t *order = ploy_env_alloc_zero(env, scheduler_order_size(capacity));
    bool custom = scheduler->asks != NULL;
    void *asks = custom ? ploy_env_alloc_zero(env, scheduler_ask_size(capacity)) : NULL;
    bool made = items != NULL && order != NULL && (asks != NULL || !custom);
    if (!made || ploy_indexed_heap_reserve(&scheduler->later, capacity) != PLOY_OK) {
        ploy_env_free(env, items, size);
        ploy_env_free(env, order, scheduler_order_size(capacity));
        ploy_env_free(env, asks, scheduler_ask_size(capacity));
        return PLOY_ERR_MEMORY;
    }
    int32_t *merge = order + capacity, *waiting = merge + capacity;
    int32_t *next = waiting + capacity, *prev = next + capacity;
    if (old > 0) {
        memcpy(items, scheduler->items, (size_t)old * sizeof *items);
        memcpy(order, scheduler->order, (size_t)old * sizeof *order);
        memcpy(waiting, scheduler->waiting, (size_t)old * sizeof *waiting);
        memcpy(next, scheduler->next, (size_t)old * sizeof *next);
        memcpy(prev, scheduler->prev, (size_t)old * sizeof *prev);
    }
    if (custom) {
        memcpy(asks, scheduler->asks, (size_t)old * sizeof(ploy_turn_ask));
        memcpy((ploy_turn_ask *)asks + capacity, scheduler->allowances,
               (size_t)old * sizeof(int64_t));
        ploy_env_free(env, scheduler->asks, scheduler_ask_size(old));
        scheduler_take_asks(scheduler, asks, capacity);
    }
    ploy_env_free(env, scheduler->items, (size_t)old * sizeof *items);
    ploy_env_free(env, scheduler->order, scheduler_order_size(old));
    scheduler->items = items;
    scheduler->order = order;
    scheduler->merge = merge;
    scheduler->waiting = waiting;
    scheduler->next = next;
    scheduler->prev = prev;
    scheduler->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_scheduler_create(const ploy_scheduler_def *def, const ploy_env *env,
                                  ploy_scheduler **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_scheduler_fields(), def, env);
    if (result != PLOY_OK) return result;
    // Its function has to come with it.
    if (def->policy == PLOY_POLICY_CUSTOM) return PLOY_ERR_ARGUMENT;
    ploy_scheduler *scheduler = ploy_env_alloc_zero(env, sizeof *scheduler);
    if (scheduler == NULL) return PLOY_ERR_MEMORY;
    scheduler->env = *env;
    scheduler->def = *def;
    result = ploy_indexed_heap_init(&scheduler->later, 4, env);
    PLOY_ASSERT(result == PLOY_OK);
    scheduler->loads = ploy_env_alloc_zero(env, (size_t)def->look_ahead * sizeof(int64_t));
    result = scheduler->loads != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_scheduler_reserve(scheduler, def->capacity);
    if (result != PLOY_OK) {
        ploy_scheduler_destroy(scheduler);
        return result;
    }
    *out = scheduler;
    return PLOY_OK;
}

void ploy_scheduler_destroy(ploy_scheduler *scheduler) {
    if (scheduler == NULL) return;
    ploy_env env = scheduler->env;
    for (int32_t i = 0; i <= PLOY_SCHEDULER_DIRECT_MAX; i++) {
        ploy_env_free(&env, scheduler->buckets[i], scheduler_list_size(i));
    }
    ploy_indexed_heap_fini(&scheduler->later);
    ploy_env_free(&env, scheduler->loads, (size_t)scheduler->def.look_ahead * sizeof(int64_t));
    ploy_env_free(&env, scheduler->items, (size_t)scheduler->capacity * sizeof *scheduler->items);
    ploy_env_free(&env, scheduler->order, scheduler_order_size(scheduler->capacity));
    ploy_env_free(&env, scheduler->asks, scheduler_ask_size(scheduler->capacity));
    ploy_env_free(&env, scheduler, sizeof *scheduler);
}

// ---- lists

// Where the lists of a period are kept.
static int32_t scheduler_group(int32_t period) {
    return period <= PLOY_SCHEDULER_DIRECT_MAX ? period : 0;
}

static ploy_result scheduler_make_lists(ploy_scheduler *scheduler, int32_t period) {
    int32_t group = scheduler_group(period);
    if (scheduler->buckets[group] != NULL) return PLOY_OK;
    ployi_scheduler_bucket *buckets =
        ploy_env_alloc_zero(&scheduler->env, scheduler_list_size(group));
    if (buckets == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < (group > 0 ? group : 1); i++) {
        buckets[i].first = -1;
        buckets[i].last = -1;
    }
    scheduler->buckets[group] = buckets;
    // Kept in rising order, so that nothing depends on which came first.
    if (group == 0) return PLOY_OK;
    int32_t at = scheduler->period_count++;
    while (at > 0 && scheduler->periods[at - 1] > group) {
        scheduler->periods[at] = scheduler->periods[at - 1];
        at--;
    }
    scheduler->periods[at] = group;
    return PLOY_OK;
}

static ployi_scheduler_bucket *scheduler_bucket(const ploy_scheduler *scheduler,
                                                const ployi_scheduler_item *record) {
    int32_t group = scheduler_group(record->schedule.period);
    return &scheduler->buckets[group][group > 0 ? record->slot : 0];
}

// Puts an item into its list: a short period when it is enabled, a long one for good.
static void scheduler_insert(ploy_scheduler *scheduler, int32_t item) {
    const ployi_scheduler_item *record = &scheduler->items[item];
    ployi_scheduler_bucket *bucket = scheduler_bucket(scheduler, record);
    // From the end: most are added in order. Those with long periods are sorted by the heap.
    bool sorted = record->schedule.period <= PLOY_SCHEDULER_DIRECT_MAX;
    int32_t after = bucket->last;
    while (sorted && after > item) after = scheduler->prev[after];
    int32_t before = after >= 0 ? scheduler->next[after] : bucket->first;
    scheduler->prev[item] = after;
    scheduler->next[item] = before;
    *(after >= 0 ? &scheduler->next[after] : &bucket->first) = item;
    *(before >= 0 ? &scheduler->prev[before] : &bucket->last) = item;
}

static void scheduler_extract(ploy_scheduler *scheduler, int32_t item) {
    ployi_scheduler_bucket *bucket = scheduler_bucket(scheduler, &scheduler->items[item]);
    int32_t after = scheduler->prev[item], before = scheduler->next[item];
    *(after >= 0 ? &scheduler->next[after] : &bucket->first) = before;
    *(before >= 0 ? &scheduler->prev[before] : &bucket->last) = after;
}

// Lets an item be found by a search for what is due.
static void scheduler_link(ploy_scheduler *scheduler, int32_t item) {
    const ployi_scheduler_item *record = &scheduler->items[item];
    int32_t period = record->schedule.period;
    if (scheduler_group(period) > 0) {
        scheduler->linked[period]++;
        scheduler_insert(scheduler, item);
        return;
    }
    // The tick under way has been listed already.
    uint64_t from = scheduler->tick + (scheduler->phase != PLOYI_SCHEDULER_IDLE ? 1 : 0);
    uint64_t due = ployi_scheduler_next_due(from, period, record->slot);
    ploy_result result = ploy_indexed_heap_push(&scheduler->later, item, (double)due);
    PLOY_ASSERT(result == PLOY_OK); // there is room, and ticks are no NaN
    (void)result;
}

static void scheduler_unlink(ploy_scheduler *scheduler, int32_t item) {
    int32_t group = scheduler_group(scheduler->items[item].schedule.period);
    if (group > 0) {
        scheduler->linked[group]--;
        scheduler_extract(scheduler, item);
    } else {
        ploy_indexed_heap_remove(&scheduler->later, item);
    }
}

// Counts an item in its bucket (sign 1) or out of it (-1).
static void scheduler_weigh(ploy_scheduler *scheduler, int32_t item, int32_t sign) {
    const ployi_scheduler_item *record = &scheduler->items[item];
    ployi_scheduler_bucket *bucket = scheduler_bucket(scheduler, record);
    bucket->count += sign;
    bucket->weight += sign * record->cost;
    if (record->schedule.max_interval > 0) scheduler->bounded += sign;
    if (record->schedule.period <= PLOY_SCHEDULER_DIRECT_MAX) return;
    if (sign > 0) {
        scheduler_insert(scheduler, item);
    } else {
        scheduler_extract(scheduler, item);
    }
}

static void scheduler_stop_waiting(ploy_scheduler *scheduler, int32_t item) {
    ployi_scheduler_item *record = &scheduler->items[item];
    record->listed = false;
    record->streak = 0;
    if (!record->put_off) return;
    record->put_off = false;
    int32_t at = 0;
    while (scheduler->waiting[at] != item) at++;
    scheduler->waiting_count--;
    memmove(&scheduler->waiting[at], &scheduler->waiting[at + 1],
            (size_t)(scheduler->waiting_count - at) * sizeof *scheduler->waiting); // keeps (3)
}

static void scheduler_set_schedule(ploy_scheduler *scheduler, ployi_scheduler_item *record,
                                   const ploy_schedule *schedule) {
    record->schedule = *schedule;
    record->plain = schedule->wants_spare && !schedule->indivisible && schedule->min_slice == 0 &&
                    schedule->max_slice == 0;
    int32_t period = schedule->period;
    int32_t slot = (int32_t)((period - (int64_t)schedule->phase % period) % period);
    if (schedule->auto_phase) {
        slot = ployi_scheduler_pick_slot(scheduler, period);
        record->schedule.phase = slot > 0 ? period - slot : 0;
    }
    record->slot = slot;
}

ploy_result ploy_scheduler_add(ploy_scheduler *scheduler, int32_t item,
                               const ploy_schedule *schedule) {
    if (scheduler == NULL || item < 0 || item >= PLOY_SCHEDULER_ITEMS_MAX) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_schedule_check(schedule, &scheduler->env);
    if (result != PLOY_OK) return result;
    if (ployi_scheduler_find(scheduler, item) != NULL) return PLOY_ERR_EXISTS;
    if (item >= scheduler->capacity) {
        int32_t more = scheduler->capacity < PLOY_SCHEDULER_ITEMS_MAX / 2
                           ? scheduler->capacity * 2
                           : PLOY_SCHEDULER_ITEMS_MAX;
        result = ploy_scheduler_reserve(scheduler, item < more ? more : item + 1);
        if (result != PLOY_OK) return result;
    }
    result = scheduler_make_lists(scheduler, schedule->period);
    if (result != PLOY_OK) return result;
    ployi_scheduler_item *record = &scheduler->items[item];
    memset(record, 0, sizeof *record);
    scheduler_set_schedule(scheduler, record, schedule);
    record->used = true;
    record->enabled = true;
    record->cost = (int64_t)schedule->cost * PLOYI_SCHEDULER_COST_ONE;
    record->from = scheduler->tick;
    record->ratio = 1.0f;
    record->bias = 1.0f;
    scheduler_weigh(scheduler, item, 1);
    scheduler_link(scheduler, item);
    scheduler->count++;
    return PLOY_OK;
}

void ployi_scheduler_set_cost(ploy_scheduler *scheduler, int32_t item, int64_t cost) {
    scheduler_weigh(scheduler, item, -1);
    scheduler->items[item].cost = cost;
    scheduler_weigh(scheduler, item, 1);
}

ploy_result ploy_scheduler_remove(ploy_scheduler *scheduler, int32_t item) {
    if (scheduler == NULL) return PLOY_ERR_ARGUMENT;
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    scheduler_stop_waiting(scheduler, item);
    if (record->enabled) scheduler_unlink(scheduler, item);
    scheduler_weigh(scheduler, item, -1);
    memset(record, 0, sizeof *record); // keeps (5)
    scheduler->count--;
    return PLOY_OK;
}

ploy_result ploy_scheduler_set(ploy_scheduler *scheduler, int32_t item,
                               const ploy_schedule *schedule) {
    if (scheduler == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_schedule_check(schedule, &scheduler->env);
    if (result != PLOY_OK) return result;
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    result = scheduler_make_lists(scheduler, schedule->period);
    if (result != PLOY_OK) return result;
    if (record->enabled) scheduler_unlink(scheduler, item);
    scheduler_weigh(scheduler, item, -1);
    scheduler_set_schedule(scheduler, record, schedule); // looks ahead without this one
    if (record->turns == 0) record->cost = (int64_t)schedule->cost * PLOYI_SCHEDULER_COST_ONE;
    scheduler_weigh(scheduler, item, 1);
    if (record->enabled) scheduler_link(scheduler, item);
    return PLOY_OK;
}

ploy_result ploy_scheduler_get(const ploy_scheduler *scheduler, int32_t item, ploy_schedule *out) {
    if (scheduler == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    *out = record->schedule;
    return PLOY_OK;
}

ploy_result ployi_scheduler_set_request(ploy_scheduler *scheduler, int32_t item, int32_t units) {
    if (scheduler == NULL || units < 1 || units > 1 << 30) return PLOY_ERR_ARGUMENT;
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    record->schedule.request = units;
    return PLOY_OK;
}

ploy_result ploy_scheduler_set_enabled(ploy_scheduler *scheduler, int32_t item, bool enabled) {
    if (scheduler == NULL) return PLOY_ERR_ARGUMENT;
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    if (enabled == record->enabled) return PLOY_OK;
    if (enabled) {
        record->from = scheduler->tick;
        scheduler_link(scheduler, item);
    } else {
        scheduler_stop_waiting(scheduler, item);
        scheduler_unlink(scheduler, item);
    }
    record->enabled = enabled;
    return PLOY_OK;
}

bool ployi_scheduler_contains(const ploy_scheduler *scheduler, int32_t item) {
    return ployi_scheduler_find(scheduler, item) != NULL;
}

int32_t ploy_scheduler_count(const ploy_scheduler *scheduler) {
    return scheduler->count;
}

ploy_result ploy_scheduler_set_policy(ploy_scheduler *scheduler, ploy_policy policy,
                                      ploy_allocate_fn allocate, void *user) {
    if (scheduler == NULL || policy < 0 || policy > PLOY_POLICY_CUSTOM ||
        (policy == PLOY_POLICY_CUSTOM) != (allocate != NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (scheduler->phase != PLOYI_SCHEDULER_IDLE) return PLOY_ERR_STATE;
    if (policy == PLOY_POLICY_CUSTOM && scheduler->asks == NULL) {
        void *asks = ploy_env_alloc_zero(&scheduler->env, scheduler_ask_size(scheduler->capacity));
        if (asks == NULL) return PLOY_ERR_MEMORY;
        scheduler_take_asks(scheduler, asks, scheduler->capacity);
    }
    scheduler->def.policy = policy;
    scheduler->allocate = allocate;
    scheduler->allocate_user = user;
    return PLOY_OK;
}

// ---- asking

ploy_result ploy_scheduler_service(const ploy_scheduler *scheduler, int32_t item,
                                   ploy_service *out) {
    if (scheduler == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return PLOY_ERR_NOT_FOUND;
    memset(out, 0, sizeof *out);
    out->turns = record->turns;
    out->waits = record->waits;
    out->waiting = record->streak;
    out->spent = record->spent;
    out->most_spent = record->most_spent;
    out->overruns = record->overruns;
    out->allowed = record->allowed;
    out->last_spent = record->last_spent;
    out->last_tick = record->last;
    out->worst_interval = record->worst_interval;
    if (record->turns > 0) out->mean = (double)record->spent / (double)record->turns;
    if (scheduler->spent > 0) out->share = (double)record->spent / (double)scheduler->spent;
    out->bias = record->bias;
    out->put_off = record->put_off;
    out->enabled = record->enabled;
    return PLOY_OK;
}

uint64_t ploy_scheduler_tick(const ploy_scheduler *scheduler) {
    return scheduler->tick;
}

int32_t ploy_scheduler_waiting_count(const ploy_scheduler *scheduler) {
    return scheduler->waiting_count;
}

int32_t ployi_scheduler_waiting(const ploy_scheduler *scheduler, int32_t index) {
    bool there = index >= 0 && index < scheduler->waiting_count;
    return there ? scheduler->waiting[index] : -1;
}

// ---- visiting

// Lists, loads and the heap again from the items: for after a load.
static void scheduler_rebuild(void *object) {
    ploy_scheduler *scheduler = object;
    for (int32_t i = 0; i <= PLOY_SCHEDULER_DIRECT_MAX; i++) {
        scheduler->linked[i] = 0;
        for (int32_t k = 0; k < (i > 0 ? i : 1) && scheduler->buckets[i] != NULL; k++) {
            ployi_scheduler_bucket empty = {-1, -1, 0, 0};
            scheduler->buckets[i][k] = empty;
        }
    }
    ploy_indexed_heap_clear(&scheduler->later);
    scheduler->bounded = 0;
    for (int32_t i = 0; i < scheduler->capacity; i++) {
        ployi_scheduler_item *record = &scheduler->items[i];
        if (!record->used) continue;
        const ploy_schedule *schedule = &record->schedule;
        int32_t period = schedule->period;
        record->slot = (int32_t)((period - (int64_t)schedule->phase % period) % period);
        record->plain = schedule->wants_spare && !schedule->indivisible &&
                        schedule->min_slice == 0 && schedule->max_slice == 0;
        scheduler_weigh(scheduler, i, 1);
        if (record->enabled) scheduler_link(scheduler, i);
    }
}

void ployi_scheduler_visit_service(ploy_visit *v, ployi_scheduler_item *record) {
    int64_t most = INT64_MAX / 4;
    ploy_visit_i64_in(v, "waiting", PLOY_STATE, &record->streak, 0, most);
    ploy_visit_u64(v, "last_tick", PLOY_NOTE, &record->last);
    ploy_visit_u64(v, "since", PLOY_STATE, &record->from);
    ploy_visit_i64_in(v, "mean_cost_16", PLOY_STATE, &record->cost, 0, (int64_t)1 << 40);
    ploy_visit_f32_in(v, "ratio", PLOY_STATE, &record->ratio, 0.0f, FLT_MAX);
    ploy_visit_f32_in(v, "bias", PLOY_STATE, &record->bias, 0.0f, FLT_MAX);
    ploy_visit_i64_in(v, "turns", PLOY_STATE, &record->turns, 0, most); // cost counts until 1
    ploy_visit_i64_in(v, "waits", PLOY_NOTE, &record->waits, 0, most);
    ploy_visit_i64_in(v, "allowed", PLOY_NOTE, &record->allowed, 0, INT64_MAX); // or unlimited
    ploy_visit_i64_in(v, "last_spent", PLOY_NOTE, &record->last_spent, 0, most);
    ploy_visit_i64_in(v, "spent", PLOY_NOTE, &record->spent, 0, most);
    ploy_visit_i64_in(v, "most_spent", PLOY_NOTE, &record->most_spent, 0, most);
    ploy_visit_i64_in(v, "overruns", PLOY_NOTE, &record->overruns, 0, most);
    ploy_visit_u64(v, "worst_interval", PLOY_NOTE, &record->worst_interval);
}

void ployi_scheduler_visit_item(ploy_visit *v, ploy_scheduler *scheduler, int32_t item) {
    ployi_scheduler_item *record = &scheduler->items[item];
    ploy_visit_fields(v, "schedule", PLOY_STATE, ploy_schedule_fields(), &record->schedule);
    ploy_visit_bool(v, "put_off", PLOY_STATE, &record->put_off);
    ployi_scheduler_visit_service(v, record);
    if (v->describe != NULL) {
        double share = 0.0;
        if (scheduler->spent > 0) share = (double)record->spent / (double)scheduler->spent;
        ploy_describe_f64(v->describe, "share", PLOY_NOTE, share);
    }
    PLOY_VISIT_SCRATCH(v, record->slot);
    PLOY_VISIT_SCRATCH(v, record->used);
    PLOY_VISIT_SCRATCH(v, record->enabled);
    PLOY_VISIT_SCRATCH(v, record->listed);
    PLOY_VISIT_SCRATCH(v, record->plain);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    ploy_visit_check(v, ployi_schedule_check(&record->schedule, NULL) == PLOY_OK,
                     "invalid schedule", NULL);
    if (ploy_visit_is_ok(v)) {
        ploy_visit_result(v, scheduler_make_lists(scheduler, record->schedule.period));
    }
}

static const char *scheduler_policy_text(int32_t policy) {
    return ploy_policy_text((ploy_policy)policy);
}

void ployi_scheduler_visit_all(ploy_visit *v, ploy_scheduler *scheduler) {
    PLOY_VISIT_ENUM(v, "policy", PLOY_STATE, scheduler->def.policy, scheduler_policy_text,
                    PLOY_POLICY_CUSTOM + 1);
    ploy_visit_check(v, scheduler->def.policy != PLOY_POLICY_CUSTOM || scheduler->allocate != NULL,
                     "missing function of the custom policy", NULL);
    ploy_visit_i32_in(v, "cursor", PLOY_STATE, &scheduler->cursor, 0, scheduler->capacity);
    ploy_visit_i64_in(v, "spent", PLOY_SAVED, &scheduler->spent, 0, INT64_MAX / 4);
    int32_t count =
        ploy_visit_list(v, "waiting", PLOY_SAVED, &scheduler->waiting_count, scheduler->capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "waiting", PLOY_STATE, &scheduler->waiting[i], 0,
                          scheduler->capacity - 1);
    }
    ploy_visit_end(v);
}

// Invariant (3).
bool ployi_scheduler_waiting_is_sound(ploy_scheduler *scheduler) {
    int32_t marked = 0, seen = 0;
    bool sound = true;
    for (int32_t i = 0; i < scheduler->capacity; i++) {
        const ployi_scheduler_item *record = &scheduler->items[i];
        marked += record->used && record->put_off;
        if (record->put_off && !record->enabled) sound = false;
    }
    // Outside a tick nothing is listed, so the flag says whether one was met before.
    for (; seen < scheduler->waiting_count && sound; seen++) {
        ployi_scheduler_item *record = &scheduler->items[scheduler->waiting[seen]];
        sound = record->used && record->put_off && !record->listed;
        record->listed = true;
    }
    for (int32_t i = 0; i < seen; i++) {
        scheduler->items[scheduler->waiting[i]].listed = false;
    }
    return sound && marked == scheduler->waiting_count;
}

static void scheduler_visit_scratch(ploy_visit *v, ploy_scheduler *scheduler) {
    PLOY_VISIT_SCRATCH(v, scheduler->env);
    PLOY_VISIT_SCRATCH(v, scheduler->def);
    PLOY_VISIT_SCRATCH(v, scheduler->allocate);
    PLOY_VISIT_SCRATCH(v, scheduler->allocate_user);
    PLOY_VISIT_SCRATCH(v, scheduler->items);
    PLOY_VISIT_SCRATCH(v, scheduler->order);
    PLOY_VISIT_SCRATCH(v, scheduler->merge);
    PLOY_VISIT_SCRATCH(v, scheduler->waiting);
    PLOY_VISIT_SCRATCH(v, scheduler->next);
    PLOY_VISIT_SCRATCH(v, scheduler->prev);
    PLOY_VISIT_SCRATCH(v, scheduler->capacity);
    PLOY_VISIT_SCRATCH(v, scheduler->count);
    PLOY_VISIT_SCRATCH(v, scheduler->bounded);
    PLOY_VISIT_SCRATCH(v, scheduler->at);
    PLOY_VISIT_SCRATCH(v, scheduler->due);
    PLOY_VISIT_SCRATCH(v, scheduler->served);
    PLOY_VISIT_SCRATCH(v, scheduler->shares);
    PLOY_VISIT_SCRATCH(v, scheduler->phase);
    PLOY_VISIT_SCRATCH(v, scheduler->units);
    PLOY_VISIT_SCRATCH(v, scheduler->remaining);
    PLOY_VISIT_SCRATCH(v, scheduler->weight);
    PLOY_VISIT_SCRATCH(v, scheduler->total_weight);
    PLOY_VISIT_SCRATCH(v, scheduler->buckets);
    PLOY_VISIT_SCRATCH(v, scheduler->linked);
    PLOY_VISIT_SCRATCH(v, scheduler->periods);
    PLOY_VISIT_SCRATCH(v, scheduler->period_count);
    PLOY_VISIT_SCRATCH(v, scheduler->reserved);
    PLOY_VISIT_SCRATCH(v, scheduler->later);
    PLOY_VISIT_SCRATCH(v, scheduler->loads);
    PLOY_VISIT_SCRATCH(v, scheduler->asks);
    PLOY_VISIT_SCRATCH(v, scheduler->allowances);
}

void ployi_scheduler_visit_memory(ploy_visit *v, ploy_scheduler *scheduler) {
    int32_t capacity = scheduler->capacity;
    ploy_visit_object(v, "scheduler", scheduler, sizeof *scheduler);
    ploy_visit_block(v, "scheduler.items", scheduler->items,
                     (size_t)capacity * sizeof *scheduler->items);
    ploy_visit_block(v, "scheduler.order", scheduler->order, scheduler_order_size(capacity));
    ploy_visit_block(v, "scheduler.loads", scheduler->loads,
                     (size_t)scheduler->def.look_ahead * sizeof(int64_t));
    ploy_visit_block(v, "scheduler.asks", scheduler->asks, scheduler_ask_size(capacity));
    for (int32_t i = 0; i <= PLOY_SCHEDULER_DIRECT_MAX; i++) {
        ploy_visit_block(v, "scheduler.lists", scheduler->buckets[i], scheduler_list_size(i));
    }
    if (v->memory != NULL) {
        ploy_indexed_heap_memory(&scheduler->later, v->memory, v->memory_user);
    }
    scheduler_visit_scratch(v, scheduler);
    ploy_visit_check(v, scheduler->phase == PLOYI_SCHEDULER_IDLE, "cannot load during a tick",
                     NULL);
    ploy_visit_after(v, scheduler_rebuild, scheduler);
    ploy_visit_u64(v, "tick", PLOY_SAVED, &scheduler->tick);
}

void ploy_scheduler_visit(ploy_visit *v, void *object) {
    ploy_scheduler *scheduler = object;
    ploy_describe_u64(v->describe, "tick", PLOY_STATE, scheduler->tick);
    ploy_describe_i64(v->describe, "items", PLOY_DERIVED, scheduler->count);
    ployi_scheduler_visit_memory(v, scheduler);
    ployi_scheduler_visit_all(v, scheduler);
    int32_t left = ploy_visit_fixed(v, "items", PLOY_SAVED, scheduler->count);
    for (int32_t i = 0; i < scheduler->capacity && left > 0; i++) {
        ployi_scheduler_item *record = &scheduler->items[i];
        if (!record->used) continue;
        ploy_value number = ploy_value_i64(i);
        ploy_visit_struct(v, "scheduler.item", record, sizeof *record);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_same(v, "item", PLOY_SAVED, &number);
        ploy_visit_bool(v, "enabled", PLOY_STATE, &record->enabled);
        ployi_scheduler_visit_item(v, scheduler, i);
        ploy_visit_end(v);
        left--;
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, ployi_scheduler_waiting_is_sound(scheduler),
                         "inconsistent list of waiting items", NULL);
    }
}

void ploy_scheduler_describe(const ploy_scheduler *scheduler, ploy_describe *out) {
    ploy_visit_describe(ploy_scheduler_visit, scheduler, NULL, out);
}

void ploy_scheduler_memory(const ploy_scheduler *scheduler, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_scheduler_visit, scheduler, fn, user);
}
