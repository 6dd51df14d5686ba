// Q-learning, SARSA and expected SARSA over three stores; described in the header.
//
// A pair of state and action has a key: its number in the table or map, or the tiles that it lights. Traces and
// n-step returns keep keys of the last steps.
#include <math.h>
#include <string.h>

#include "learn/actor_internal.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

enum { Q_TRACES = 64, Q_STEPS = 16, Q_TILINGS = 16 };

static const char *const q_stores[] = {"dense", "hash", "tiles"};
static const char *const q_schedules[] = {"constant", "linear", "geometric", "visits"};

static const ploy_field q_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_q_def, store, PLOY_Q_DENSE, q_stores, "where values are kept"),
    PLOY_FIELD_ENUM_FIXED(ploy_q_def, rate_schedule, PLOY_Q_VISITS, q_schedules,
                          "how the learning rate changes"),
    PLOY_FIELD_F32(ploy_q_def, rate, 0.3, 0, 1, "", "learning rate at first"),
    PLOY_FIELD_F32(ploy_q_def, rate_last, 0.001, 0, 1, "", "learning rate at the end"),
    PLOY_FIELD_F32(ploy_q_def, discount, 0, 0, 1, "", "worth of the next reward; 0: the problem's"),
    PLOY_FIELD_ENUM_FIXED(ploy_q_def, explore_schedule, PLOY_Q_CONSTANT, q_schedules,
                          "how exploration changes"),
    PLOY_FIELD_F32(ploy_q_def, explore, 0.5, 0, 1, "", "share of random actions at first"),
    PLOY_FIELD_F32(ploy_q_def, explore_last, 0.05, 0, 1, "", "share of random actions at the end"),
    PLOY_FIELD_I32_FIXED(ploy_q_def, schedule_steps, 100000, 1, 1 << 30, "",
                         "steps over which both change"),
    PLOY_FIELD_F32(ploy_q_def, trace, 0, 0, 1, "", "lambda of eligibility traces"),
    PLOY_FIELD_I32_FIXED(ploy_q_def, steps, 1, 1, Q_STEPS, "", "steps that a return looks ahead"),
    PLOY_FIELD_I32_FIXED(ploy_q_def, tilings, 8, 1, Q_TILINGS, "", "overlapping grids"),
    PLOY_FIELD_I32_FIXED(ploy_q_def, tiles, 8, 1, 64, "", "tiles of each dimension"),
    PLOY_FIELD_I32_FIXED(ploy_q_def, states_max, 1 << 20, 1, 1 << 26, "", "most values"),
};

ploy_fields ploy_q_fields(void) {
    return PLOY_FIELDS(ploy_q_def, q_fields);
}

ploy_q_def ploy_q_def_default(void) {
    ploy_q_def def;
    ploy_fields_default(ploy_q_fields(), &def);
    return def;
}

typedef struct q_entry {
    double value;
    int64_t visits;
} q_entry;

// What the hash store has met, in order.
typedef struct q_met {
    int64_t pair;
    q_entry entry;
} q_met;

typedef struct q_key {
    int64_t pair;
    int32_t tiles[Q_TILINGS];
} q_key;

typedef struct q_step {
    q_key key;
    float reward;
} q_step;

typedef struct q_trace {
    q_key key;
    double eligibility;
} q_trace;

typedef enum q_rule { Q_MAX, Q_TAKEN, Q_EXPECTED } q_rule;

typedef struct q_actor {
    ploy_actor_common common;
    ploy_q_def def;
    q_rule rule;
    float discount;
    int64_t entry_count; // of the dense table or all tiles
    q_entry *entries;
    ploy_array met; // of q_met
    ploy_map map;   // pair -> index in met
    int32_t step_count, trace_count;
    q_step steps[Q_STEPS];
    q_trace traces[Q_TRACES];
} q_actor;

// ---- stores

static q_key q_key_of(const q_actor *q, const ploy_situation *now, int32_t action) {
    q_key key;
    memset(&key, 0, sizeof key);
    if (q->def.store != PLOY_Q_TILES) {
        key.pair = now->state * q->common.space.actions + action;
        return key;
    }
    int64_t each = q->entry_count / q->common.space.actions / q->def.tilings;
    for (int32_t t = 0; t < q->def.tilings; t++) {
        int64_t at = 0;
        for (int32_t i = 0; i < q->common.space.observed; i++) {
            float low = q->common.space.low[i], high = q->common.space.high[i];
            float share = (now->observation[i] - low) / (high - low) * (float)(q->def.tiles - 1);
            // Each tiling is shifted by another odd multiple of a fraction of a tile.
            float shift = (float)((t * (2 * i + 1)) % q->def.tilings) / (float)q->def.tilings;
            int32_t tile = (int32_t)ploy_clampf(share + shift, 0.0f, (float)(q->def.tiles - 1));
            at = at * q->def.tiles + tile;
        }
        key.tiles[t] = (int32_t)(((int64_t)action * q->def.tilings + t) * each + at);
    }
    return key;
}

// The entry of a pair in the map, or NULL.
static q_entry *q_find(const q_actor *q, const q_key *key) {
    const int32_t *index = ploy_map_get(&q->map, (uint64_t)key->pair);
    return index == NULL ? NULL : &PLOY_ARRAY_AT(&q->met, q_met, *index)->entry;
}

static double q_read(const q_actor *q, const q_key *key) {
    if (q->def.store == PLOY_Q_DENSE) return q->entries[key->pair].value;
    if (q->def.store == PLOY_Q_HASH) {
        const q_entry *entry = q_find(q, key);
        return entry == NULL ? 0.0 : entry->value;
    }
    double sum = 0.0;
    for (int32_t t = 0; t < q->def.tilings; t++) sum += q->entries[key->tiles[t]].value;
    return sum;
}

// Counts a visit; the number of them, or below 0 without memory.
static int64_t q_visit_pair(q_actor *q, const q_key *key) {
    if (q->def.store == PLOY_Q_DENSE) return ++q->entries[key->pair].visits;
    if (q->def.store == PLOY_Q_TILES) return ++q->entries[key->tiles[0]].visits;
    q_entry *entry = q_find(q, key);
    if (entry != NULL) return ++entry->visits;
    if (q->map.count >= q->def.states_max) return -2;
    q_met met = {key->pair, {0.0, 1}};
    int32_t index = q->met.count;
    if (ploy_array_push(&q->met, &met) != PLOY_OK) return -1;
    if (ploy_map_put(&q->map, (uint64_t)key->pair, &index) == PLOY_OK) return 1;
    q->met.count--;
    return -1;
}

static void q_change(q_actor *q, const q_key *key, double by) {
    if (q->def.store == PLOY_Q_DENSE) {
        q->entries[key->pair].value += by;
    } else if (q->def.store == PLOY_Q_HASH) {
        q_entry *entry = q_find(q, key);
        if (entry != NULL) entry->value += by;
    } else {
        for (int32_t t = 0; t < q->def.tilings; t++) {
            q->entries[key->tiles[t]].value += by / q->def.tilings;
        }
    }
}

static float q_schedule_at(ploy_q_schedule kind, float first, float last, int64_t step,
                           int32_t steps) {
    float share = step >= steps ? 1.0f : (float)step / (float)steps;
    if (kind == PLOY_Q_LINEAR) return ploy_lerpf(first, last, share);
    if (kind == PLOY_Q_GEOMETRIC)
        return first * ploy_powf(ploy_maxf(last, 1e-6f) / ploy_maxf(first, 1e-6f), share);
    return first;
}

static double q_rate(const q_actor *q, int64_t visits) {
    if (q->def.rate_schedule == PLOY_Q_VISITS) {
        double rate = 1.0 / ploy_pow((double)visits, 0.65);
        return rate > (double)q->def.rate_last ? rate : (double)q->def.rate_last;
    }
    return (double)q_schedule_at(q->def.rate_schedule, q->def.rate, q->def.rate_last,
                                 q->common.steps, q->def.schedule_steps);
}

static double q_explore(const q_actor *q) {
    return (double)q_schedule_at(q->def.explore_schedule, q->def.explore, q->def.explore_last,
                                 q->common.steps, q->def.schedule_steps);
}

// ---- acting and learning

static void q_values(const void *self, const ploy_situation *now, double *out) {
    const q_actor *q = self;
    for (int32_t a = 0; a < q->common.space.actions; a++) {
        q_key key = q_key_of(q, now, a);
        out[a] = q_read(q, &key);
    }
}

static int64_t q_visits(const void *self, const ploy_situation *now, int32_t action) {
    const q_actor *q = self;
    q_key key = q_key_of(q, now, action);
    if (q->def.store == PLOY_Q_DENSE) return q->entries[key.pair].visits;
    if (q->def.store == PLOY_Q_TILES) return -1;
    const q_entry *entry = q_find(q, &key);
    return entry == NULL ? 0 : entry->visits;
}

static int32_t q_choose(void *self, const ploy_situation *now) {
    q_actor *q = self;
    return ployi_actor_explore(&q->common, now, q_values, self, (float)q_explore(q));
}

// What the next situation is worth under the rule.
static double q_next_value(q_actor *q, const ploy_situation *next, int32_t next_action) {
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    q_values(q, next, values);
    int32_t best = ployi_actor_best(&q->common, next, values);
    if (best < 0) return 0.0; // nothing can be done there
    if (q->rule == Q_MAX) return values[best];
    if (q->rule == Q_TAKEN) return next_action < 0 ? values[best] : values[next_action];
    double sum = 0.0, explore = q_explore(q);
    int32_t count = 0;
    for (int32_t a = 0; a < q->common.space.actions; a++) {
        if (next->allowed != NULL && !next->allowed[a]) continue;
        sum += values[a];
        count++;
    }
    return (1.0 - explore) * values[best] + explore * sum / count;
}

static ploy_result q_apply(q_actor *q, const q_key *key, double target) {
    int64_t visits = q_visit_pair(q, key);
    if (visits < 0) return visits == -2 ? PLOY_ERR_LIMIT : PLOY_ERR_MEMORY;
    q_change(q, key, q_rate(q, visits) * (target - q_read(q, key)));
    return PLOY_OK;
}

// Replacing traces: a pair that is met again starts at 1.
static ploy_result q_learn_traces(q_actor *q, const q_key *key, double target, bool ends,
                                  bool greedy) {
    int64_t visits = q_visit_pair(q, key);
    if (visits < 0) return visits == -2 ? PLOY_ERR_LIMIT : PLOY_ERR_MEMORY;
    double error = target - q_read(q, key), rate = q_rate(q, visits);
    int32_t at = 0;
    while (at < q->trace_count && memcmp(&q->traces[at].key, key, sizeof *key) != 0) at++;
    if (at == Q_TRACES) { // the oldest is the faintest
        memmove(&q->traces[0], &q->traces[1], (Q_TRACES - 1) * sizeof q->traces[0]);
        at--;
    } else if (at == q->trace_count) {
        q->trace_count++;
    }
    q->traces[at].key = *key;
    q->traces[at].eligibility = 1.0;
    int32_t kept = 0;
    for (int32_t i = 0; i < q->trace_count; i++) {
        q_trace trace = q->traces[i];
        q_change(q, &trace.key, rate * error * trace.eligibility);
        trace.eligibility *= (double)(q->discount * q->def.trace);
        if (trace.eligibility > 1e-4) q->traces[kept++] = trace;
    }
    // Q-learning follows the greedy policy: behind a random action the chain is broken (Watkins).
    q->trace_count = ends || (q->rule == Q_MAX && !greedy) ? 0 : kept;
    return PLOY_OK;
}

// The oldest step's return: its rewards, and the value where the last one led.
static double q_return(const q_actor *q, int32_t from, double value) {
    for (int32_t i = q->step_count - 1; i >= from; i--) {
        value = (double)q->steps[i].reward + (double)q->discount * value;
    }
    return value;
}

static ploy_result q_learn(void *self, const ploy_situation *now, int32_t action,
                           ploy_problem_result result, const ploy_situation *next,
                           int32_t next_action) {
    q_actor *q = self;
    bool ends = result.terminated || next_action < 0;
    double value = result.terminated ? 0.0 : q_next_value(q, next, next_action);
    q_key key = q_key_of(q, now, action);
    if (q->def.trace > 0.0f) {
        bool greedy = ends;
        if (!ends) {
            double values[PLOY_PROBLEM_ACTIONS_MAX];
            q_values(q, next, values);
            greedy = ployi_actor_best(&q->common, next, values) == next_action;
        }
        return q_learn_traces(
            q, &key, ploy_q_update(0, 1, (double)result.reward, (double)q->discount, value), ends,
            greedy);
    }
    q->steps[q->step_count].key = key;
    q->steps[q->step_count].reward = result.reward;
    q->step_count++;
    ploy_result learned = PLOY_OK;
    if (q->step_count == q->def.steps) {
        learned = q_apply(q, &q->steps[0].key, q_return(q, 0, value));
        memmove(&q->steps[0], &q->steps[1], (size_t)(q->step_count - 1) * sizeof q->steps[0]);
        q->step_count--;
    }
    if (ends) { // the rest of the chain, each with what is left
        for (int32_t i = 0; i < q->step_count && learned == PLOY_OK; i++) {
            learned = q_apply(q, &q->steps[i].key, q_return(q, i, value));
        }
        q->step_count = 0;
    }
    return learned;
}

// ---- life

static void q_destroy(void *self) {
    q_actor *q = self;
    ploy_env env = q->common.env;
    ploy_map_fini(&q->map);
    ploy_array_fini(&q->met);
    ploy_env_free(&env, q->entries, (size_t)q->entry_count * sizeof(q_entry));
    ploy_env_free(&env, q, sizeof *q);
}

// Number of values of a store; -1 if it is out of range.
static int64_t q_count(const ploy_q_def *def, const ploy_problem_space *space) {
    if (def->store == PLOY_Q_HASH) return space->states > 0 ? 0 : -1;
    if (def->store == PLOY_Q_DENSE) {
        return space->states > 0 && space->states <= def->states_max / space->actions
                   ? space->states * space->actions
                   : -1;
    }
    if (space->observed < 1 || space->observed > PLOY_PROBLEM_RANGES_MAX) return -1;
    int64_t count = (int64_t)space->actions * def->tilings;
    for (int32_t i = 0; i < space->observed; i++) {
        if (!(space->high[i] > space->low[i])) return -1;
        count *= def->tiles;
        if (count > def->states_max) return -1;
    }
    return count;
}

static ploy_result q_create(const ploy_q_def *def, const ploy_actor_common *common, q_rule rule,
                            void **out) {
    int64_t count = q_count(def, &common->space);
    if (count < 0) {
        ploy_env_log(&common->env, PLOY_SEVERITY_ERROR,
                     "the store does not suit the problem, or is too large");
        return PLOY_ERR_ARGUMENT;
    }
    q_actor *q = ploy_env_alloc_zero(&common->env, sizeof *q);
    if (q == NULL) return PLOY_ERR_MEMORY;
    q->common = *common;
    q->def = *def;
    q->rule = rule;
    q->discount = def->discount > 0.0f ? def->discount : common->space.discount;
    ploy_map_init(&q->map, sizeof(int32_t), &common->env);
    ploy_array_init(&q->met, sizeof(q_met), &common->env);
    if (count > 0) {
        q->entries = ploy_env_alloc_zero(&common->env, (size_t)count * sizeof(q_entry));
        if (q->entries == NULL) {
            q_destroy(q);
            return PLOY_ERR_MEMORY;
        }
    }
    q->entry_count = count;
    *out = q;
    return PLOY_OK;
}

static ploy_result q_create_max(const void *def, const ploy_actor_common *common, void **out) {
    return q_create(def, common, Q_MAX, out);
}
static ploy_result q_create_taken(const void *def, const ploy_actor_common *common, void **out) {
    return q_create(def, common, Q_TAKEN, out);
}
static ploy_result q_create_expected(const void *def, const ploy_actor_common *common, void **out) {
    return q_create(def, common, Q_EXPECTED, out);
}

static void q_reset(void *self) {
    q_actor *q = self;
    if (q->entry_count > 0) memset(q->entries, 0, (size_t)q->entry_count * sizeof *q->entries);
    q->met.count = 0;
    ploy_map_clear(&q->map);
    q->step_count = q->trace_count = 0;
}

static void q_visit_key(ploy_visit *v, q_actor *q, q_key *key) {
    int64_t most = q->def.store == PLOY_Q_DENSE ? q->entry_count - 1 : INT64_MAX;
    ploy_visit_i64_in(v, "pair", PLOY_STATE, &key->pair, 0, most);
    int32_t tiles =
        ploy_visit_fixed(v, "tiles", PLOY_STATE, q->def.store == PLOY_Q_TILES ? q->def.tilings : 0);
    for (int32_t i = 0; i < tiles; i++) {
        ploy_visit_i32_in(v, "tile", PLOY_STATE, &key->tiles[i], 0, (int32_t)q->entry_count - 1);
    }
    ploy_visit_end(v);
}

static void q_visit_entry(ploy_visit *v, int64_t index, q_entry *entry) {
    ploy_visit_begin_item(v, index, PLOY_STATE);
    ploy_visit_f64(v, "value", PLOY_STATE, &entry->value);
    ploy_visit_i64_in(v, "visits", PLOY_STATE, &entry->visits, 0, INT64_MAX);
    ploy_visit_end(v);
}

// The map, from what was met. Room was reserved before.
static void q_rebuild(void *object) {
    q_actor *q = object;
    ploy_map_clear(&q->map);
    for (int32_t i = 0; i < q->met.count; i++) {
        (void)ploy_map_put(&q->map, (uint64_t)PLOY_ARRAY_AT(&q->met, q_met, i)->pair, &i);
    }
}

static void q_visit_met(ploy_visit *v, q_actor *q) {
    ploy_visit_after(v, q_rebuild, q);
    int32_t count = ploy_visit_array(v, "met", PLOY_STATE, &q->met, q->def.states_max);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        (void)ploy_visit_result(v, ploy_map_reserve(&q->map, ploy_maxi(count, q->map.count)));
    }
    for (int32_t i = 0; i < count; i++) {
        q_met *met = PLOY_ARRAY_AT(&q->met, q_met, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i64_in(v, "pair", PLOY_STATE, &met->pair, 0, INT64_MAX);
        ploy_visit_f64(v, "value", PLOY_STATE, &met->entry.value);
        ploy_visit_i64_in(v, "visits", PLOY_STATE, &met->entry.visits, 0, INT64_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void q_visit(ploy_visit *v, void *self) {
    q_actor *q = self;
    ploy_visit_block(v, "q", q, sizeof *q);
    ploy_visit_block(v, "q.entries", q->entries, (size_t)q->entry_count * sizeof(q_entry));
    ploy_visit_block(v, "q.map", q->map.keys, q->map.size);
    int32_t entries = ploy_visit_fixed(v, "entries", PLOY_STATE, (int32_t)q->entry_count);
    for (int32_t i = 0; i < entries; i++) q_visit_entry(v, i, &q->entries[i]);
    ploy_visit_end(v);
    if (q->def.store == PLOY_Q_HASH) q_visit_met(v, q);
    int32_t steps = ploy_visit_list(v, "steps", PLOY_STATE, &q->step_count, Q_STEPS - 1);
    for (int32_t i = 0; i < steps; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        q_visit_key(v, q, &q->steps[i].key);
        ploy_visit_f32(v, "reward", PLOY_STATE, &q->steps[i].reward);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t traces = ploy_visit_list(v, "traces", PLOY_STATE, &q->trace_count, Q_TRACES);
    for (int32_t i = 0; i < traces; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        q_visit_key(v, q, &q->traces[i].key);
        ploy_visit_f64_in(v, "eligibility", PLOY_STATE, &q->traces[i].eligibility, 0.0, 1.0);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

#define Q_TYPE(name, help, create)                                                           \
    {                                                                                        \
        name, help, ploy_q_fields, create, q_destroy, q_choose, q_learn, q_values, q_visits, \
            q_visit, NULL, q_reset                                                           \
    }

const ploy_actor_type ployi_actor_q = Q_TYPE("q", "Q-learning", q_create_max);
const ploy_actor_type ployi_actor_sarsa =
    Q_TYPE("sarsa", "on-policy: the value of what it does", q_create_taken);
const ploy_actor_type ployi_actor_expected =
    Q_TYPE("expected_sarsa", "on-policy: the mean over the next actions", q_create_expected);
