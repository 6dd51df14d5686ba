// Rules as a behavior; see the header.
//
// Invariants of one: (1) of each key, `fact` is the index of the fact that represents it, or -1;
// (2) `seen` is the hash of the key's value when it was last taken in or written.
#include "ploy/decide/rules_type.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "choice.h"
#include "decide/rules_internal.h"
#include "decide_internal.h"

enum { RULES_TYPE_FIELDS_MAX = 4 };

typedef struct rules_type_key {
    ploy_slot slot;
    ploy_value_type type;
    int32_t relation;
} rules_type_key;

typedef struct rules_type_fact {
    int32_t template_index, first, count; // values, items of sequences behind the slots
} rules_type_fact;

struct ploy_rules_type {
    ploy_env env;
    ploy_rules_def def;
    const ploy_rulebase *base;
    const ploy_blackboard_layout *layout;
    ploy_array keys;   // rules_type_key
    ploy_array makers; // ploy_maker of each rule
    ploy_array facts;  // rules_type_fact
    ploy_array values; // ploy_rule_value
    int32_t message;   // the relation, or -1
};

typedef struct rules_mind_key {
    int64_t fact;
    uint64_t seen;
} rules_mind_key;

typedef struct rules_mind {
    ploy_env env;
    const ploy_rules_type *type;
    ploy_rules *rules;
    ployi_choice choice; // of the rules' behaviors
    ploy_array keys;     // rules_mind_key
    uint64_t entered;    // firings when it was entered
    int32_t pending;     // a rule whose behavior is to run, or -1
} rules_mind;

ploy_result ploy_rules_type_create(const ploy_rules_def *def, const ploy_rulebase *base,
                                   const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_rules_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (base == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_rules_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_rules_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    type->base = base;
    type->layout = layout;
    ploy_array_init(&type->keys, sizeof(rules_type_key), env);
    ploy_array_init(&type->makers, sizeof(ploy_maker), env);
    ploy_array_init(&type->facts, sizeof(rules_type_fact), env);
    ploy_array_init(&type->values, sizeof(ploy_rule_value), env);
    type->message = ploy_rulebase_find_template(base, "message");
    if (type->message >= 0 && !ploy_rulebase_template_ordered(base, type->message)) {
        type->message = -1;
    }
    result = ploy_array_resize(&type->makers, base->rules.count);
    int32_t count = layout != NULL ? ploy_blackboard_layout_count(layout) : 0;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        int32_t relation =
            ploy_rulebase_find_template(base, ploy_blackboard_layout_name(layout, slot));
        if (relation < 0 || !ploy_rulebase_template_ordered(base, relation)) continue;
        rules_type_key key = {slot, ploy_blackboard_layout_type(layout, slot), relation};
        result = ploy_array_push(&type->keys, &key);
    }
    if (result != PLOY_OK) {
        ploy_rules_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_rules_type_destroy(ploy_rules_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_array_fini(&type->keys);
    ploy_array_fini(&type->makers);
    ploy_array_fini(&type->facts);
    ploy_array_fini(&type->values);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ployi_rules_type_assert(ploy_rules_type *type, int32_t template_index,
                                    const ploy_rule_value *values, int32_t count) {
    if (template_index < 0 || template_index >= type->base->templates.count || count < 0 ||
        count != PLOYI_TEMPLATE(type->base, template_index)->slots.count ||
        (count > 0 && values == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    rules_type_fact fact = {template_index, type->values.count, count};
    ploy_result result = PLOY_OK;
    if (count > 0) result = ploy_array_push_many(&type->values, values, count);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        if (values[i].type != PLOY_RULE_MULTI || values[i].count == 0) continue;
        result = ploy_array_push_many(&type->values, values[i].as.items, values[i].count);
    }
    if (result == PLOY_OK) result = ploy_array_push(&type->facts, &fact);
    if (result != PLOY_OK) (void)ploy_array_resize(&type->values, fact.first);
    return result;
}

ploy_result ploy_rules_type_set_behavior(ploy_rules_type *type, const char *rule,
                                         ploy_maker maker) {
    if (rule == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_ERR_NOT_FOUND;
    for (int32_t i = 0; i < type->makers.count; i++) { // all alternatives of the name
        if (strcmp(ploy_rulebase_rule_name(type->base, i), rule) != 0) continue;
        PLOY_ARRAY_ITEMS(&type->makers, ploy_maker)[i] = maker;
        result = PLOY_OK;
    }
    return result;
}

ploy_step_context *ploy_rules_context(const ploy_rules *rules) {
    return rules->context;
}

// ---- keys and facts ----

static const rules_type_key *rules_mind_key_type(const rules_mind *mind, int32_t i) {
    return PLOY_ARRAY_AT(&mind->type->keys, rules_type_key, i);
}

static rules_mind_key *rules_mind_key_at(const rules_mind *mind, int32_t i) {
    return PLOY_ARRAY_AT(&mind->keys, rules_mind_key, i);
}

static bool rules_mind_knows(const rules_mind *mind, const ploy_blackboard *board) {
    return board != NULL && mind->type->layout != NULL &&
           ploy_blackboard_layout_of(board) == mind->type->layout;
}

// A key's value as the fields of a fact. @return how many, -1 without memory for a text.
static int32_t rules_mind_read(rules_mind *mind, const ploy_blackboard *board,
                               const rules_type_key *key, ploy_rule_value *out) {
    float vector[4];
    ploy_id id;
    ploy_name name = {0};
    switch (key->type) {
    case PLOY_VALUE_BOOL:
        out[0] = ploy_rule_symbol(
            ploy_name_of(ploy_blackboard_get_bool(board, key->slot) ? "TRUE" : "FALSE"));
        return 1;
    case PLOY_VALUE_I64:
        out[0] = ploy_rule_integer(ploy_blackboard_get_i64(board, key->slot));
        return 1;
    case PLOY_VALUE_U64:
        out[0] = ploy_rule_integer((int64_t)ploy_blackboard_get_u64(board, key->slot));
        return 1;
    case PLOY_VALUE_F32:
        out[0] = ploy_rule_float((double)ploy_blackboard_get_f32(board, key->slot));
        return 1;
    case PLOY_VALUE_F64:
        out[0] = ploy_rule_float(ploy_blackboard_get_f64(board, key->slot));
        return 1;
    case PLOY_VALUE_NAME:
        out[0] = ploy_rule_symbol(ploy_blackboard_get_name(board, key->slot));
        return 1;
    case PLOY_VALUE_TEXT:
        if (ploy_rules_text(mind->rules, ploy_blackboard_get_text(board, key->slot), &name) !=
            PLOY_OK) {
            return -1;
        }
        out[0] = ploy_rule_string(name);
        return 1;
    case PLOY_VALUE_ID:
        id = ploy_blackboard_get_id(board, key->slot);
        out[0] = ploy_rule_integer(id.index);
        out[1] = ploy_rule_integer(id.generation);
        return 2;
    default: break;
    }
    int32_t count = key->type == PLOY_VALUE_VEC2 ? 2 : key->type == PLOY_VALUE_VEC3 ? 3 : 4;
    ploy_blackboard_get_vec(board, key->slot, vector);
    for (int32_t i = 0; i < count; i++) out[i] = ploy_rule_float((double)vector[i]);
    return count;
}

static uint64_t rules_mind_hash(const ploy_rule_value *values, int32_t count) {
    uint32_t hash = (uint32_t)count;
    for (int32_t i = 0; i < count; i++) hash = ployi_rule_hash(&values[i], hash);
    return (uint64_t)hash + 1; // never 0
}

static bool rules_mind_same(const ploy_fact *fact, const ploy_rule_value *values, int32_t count) {
    ploy_rule_value own = ploy_rule_multi(values, count), have = ploy_fact_slot(fact, 0);
    return ploy_rule_equal(&have, &own);
}

// Takes in what changed on the board.
static ploy_result rules_mind_take_in(rules_mind *mind, const ploy_blackboard *board) {
    if (!rules_mind_knows(mind, board)) return PLOY_OK;
    for (int32_t i = 0; i < mind->type->keys.count; i++) {
        const rules_type_key *type = rules_mind_key_type(mind, i);
        rules_mind_key *key = rules_mind_key_at(mind, i);
        ploy_rule_value values[RULES_TYPE_FIELDS_MAX];
        int32_t count = rules_mind_read(mind, board, type, values);
        if (count < 0) return PLOY_ERR_MEMORY;
        uint64_t hash = rules_mind_hash(values, count);
        ploy_fact *fact = key->fact >= 0 ? ploy_rules_find_fact(mind->rules, key->fact) : NULL;
        if (fact == NULL ? hash == key->seen : rules_mind_same(fact, values, count)) {
            key->seen = hash;
            continue;
        }
        if (fact != NULL) (void)ploy_rules_retract(mind->rules, fact);
        ploy_fact *made = NULL;
        ploy_result result =
            ploy_rules_assert_ordered(mind->rules, type->relation, values, count, &made);
        if (result != PLOY_OK && result != PLOY_ERR_EXISTS) return result;
        key->fact = made != NULL ? ploy_fact_index(made) : -1;
        key->seen = hash;
    }
    return PLOY_OK;
}

static double rules_mind_number(const ploy_rule_value *value) {
    return value->type == PLOY_RULE_FLOAT     ? value->as.real
           : value->type == PLOY_RULE_INTEGER ? (double)value->as.integer
                                              : 0.0;
}

static bool rules_mind_numbers(const ploy_rule_value *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (values[i].type != PLOY_RULE_FLOAT && values[i].type != PLOY_RULE_INTEGER) return false;
    }
    return true;
}

// Writes the fields of a fact to its key. False if they do not fit the key's type.
static bool rules_mind_write(const rules_mind *mind, ploy_blackboard *board,
                             const rules_type_key *key, const ploy_rule_value *sequence) {
    const ploy_rule_value *values = sequence->as.items;
    int32_t count = sequence->count;
    int32_t wanted = key->type == PLOY_VALUE_ID || key->type == PLOY_VALUE_VEC2 ? 2
                     : key->type == PLOY_VALUE_VEC3                             ? 3
                     : key->type == PLOY_VALUE_VEC4                             ? 4
                                                                                : 1;
    if (count != wanted) return false;
    float vector[4] = {0, 0, 0, 0};
    ploy_name name = {values[0].as.text};
    bool text = values[0].type == PLOY_RULE_SYMBOL || values[0].type == PLOY_RULE_STRING;
    bool integers =
        values[0].type == PLOY_RULE_INTEGER && (count == 1 || values[1].type == PLOY_RULE_INTEGER);
    ploy_id id = {0, 0};
    switch (key->type) {
    case PLOY_VALUE_BOOL:
        return values[0].type == PLOY_RULE_SYMBOL &&
               ploy_blackboard_set_bool(board, key->slot,
                                        !ploy_name_equal(name, ploy_name_of("FALSE"))) == PLOY_OK;
    case PLOY_VALUE_I64:
        return integers &&
               ploy_blackboard_set_i64(board, key->slot, values[0].as.integer) == PLOY_OK;
    case PLOY_VALUE_U64:
        return integers &&
               ploy_blackboard_set_u64(board, key->slot, (uint64_t)values[0].as.integer) == PLOY_OK;
    case PLOY_VALUE_F32:
        return rules_mind_numbers(values, 1) &&
               ploy_blackboard_set_f32(board, key->slot, (float)rules_mind_number(&values[0])) ==
                   PLOY_OK;
    case PLOY_VALUE_F64:
        return rules_mind_numbers(values, 1) &&
               ploy_blackboard_set_f64(board, key->slot, rules_mind_number(&values[0])) == PLOY_OK;
    case PLOY_VALUE_NAME:
        return text && ploy_blackboard_set_name(board, key->slot, name) == PLOY_OK;
    case PLOY_VALUE_TEXT:
        return text && ploy_blackboard_set_text(board, key->slot,
                                                ploy_rules_text_of(mind->rules, name)) == PLOY_OK;
    case PLOY_VALUE_ID:
        if (!integers) return false;
        id.index = (uint32_t)values[0].as.integer;
        id.generation = (uint32_t)values[1].as.integer;
        return ploy_blackboard_set_id(board, key->slot, id) == PLOY_OK;
    default: break;
    }
    if (!rules_mind_numbers(values, count)) return false;
    for (int32_t i = 0; i < count; i++) vector[i] = (float)rules_mind_number(&values[i]);
    return ploy_blackboard_set_vec(board, key->slot, vector) == PLOY_OK;
}

// Writes what the rules asserted; the newest fact of a key stays alone.
static ploy_result rules_mind_write_out(rules_mind *mind, ploy_step_context *context) {
    ploy_blackboard *board = context->blackboard;
    if (!rules_mind_knows(mind, board)) return PLOY_OK;
    for (int32_t i = 0; i < mind->type->keys.count; i++) {
        const rules_type_key *type = rules_mind_key_type(mind, i);
        rules_mind_key *key = rules_mind_key_at(mind, i);
        const ployi_fact_list *list = ploy_array_at(&mind->rules->of_template, type->relation);
        const ploy_fact *newest = list->last;
        if (newest == NULL) { // a rule took it out
            bool was = key->fact >= 0;
            key->fact = -1;
            if (was && type->type == PLOY_VALUE_BOOL) {
                ploy_result result = ploy_blackboard_set_bool(board, type->slot, false);
                if (result != PLOY_OK) return result;
                key->seen = 0; // (key FALSE) comes with the next step
            }
            continue;
        }
        if (newest->index == key->fact) continue;
        ploy_rule_value sequence = ploy_fact_slot(newest, 0);
        if (!rules_mind_write(mind, board, type, &sequence)) {
            ploy_trace_text(context->trace,
                            ploy_blackboard_layout_name(mind->type->layout, type->slot),
                            "a fact does not fit its key");
            continue;
        }
        key->fact = newest->index;
        key->seen = rules_mind_hash(sequence.as.items, sequence.count);
        while (list->first != newest) {
            ploy_result result = ploy_rules_retract(mind->rules, list->first);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// ---- the behavior ----

static void rules_mind_fired(void *user, int32_t rule) {
    rules_mind *mind = user;
    if (!ployi_choice_has(&mind->choice, rule)) return;
    mind->pending = rule;
    mind->rules->halted = true; // until its behavior has run
}

static ploy_result rules_mind_enter(void *self, ploy_step_context *context) {
    rules_mind *mind = self;
    const ploy_rules_type *type = mind->type;
    mind->pending = -1;
    for (int32_t i = 0; i < mind->keys.count; i++) {
        rules_mind_key *key = rules_mind_key_at(mind, i);
        key->fact = -1;
        key->seen = 0;
    }
    ploy_result result = ploy_rules_reset(mind->rules);
    mind->entered = ploy_rules_fired(mind->rules);
    for (int32_t i = 0; i < type->facts.count && result == PLOY_OK; i++) {
        const rules_type_fact *fact = PLOY_ARRAY_AT(&type->facts, rules_type_fact, i);
        const ploy_rule_value *values =
            PLOY_ARRAY_ITEMS(&type->values, ploy_rule_value) + fact->first;
        const ploy_rule_value *items = values + fact->count;
        ploy_rule_value slots[PLOY_RULE_FIELDS_MAX];
        if (fact->count > PLOY_RULE_FIELDS_MAX) return PLOY_ERR_LIMIT;
        for (int32_t k = 0; k < fact->count; k++) {
            slots[k] = values[k];
            if (values[k].type != PLOY_RULE_MULTI) continue;
            slots[k] = ploy_rule_multi(items, values[k].count);
            items += values[k].count;
        }
        result = ploy_rules_assert(mind->rules, fact->template_index, slots, fact->count, NULL);
        if (result == PLOY_ERR_EXISTS) result = PLOY_OK;
    }
    (void)context;
    return result;
}

static const char *rules_mind_name(const rules_mind *mind, int32_t rule) {
    return rule >= 0 ? ploy_rulebase_rule_name(mind->type->base, rule) : "";
}

// Messages are facts of one step.
static ploy_result rules_mind_forget_messages(rules_mind *mind) {
    if (mind->type->message < 0) return PLOY_OK;
    const ployi_fact_list *list = ploy_array_at(&mind->rules->of_template, mind->type->message);
    ploy_result result = PLOY_OK;
    while (list->first != NULL && result == PLOY_OK) {
        result = ploy_rules_retract(mind->rules, list->first);
    }
    return result;
}

// Fires and runs behaviors until nothing is left, the budget is empty, or one of them needs more
// time. *status is RUNNING in the last two cases.
static ploy_result rules_mind_work(rules_mind *mind, ploy_step_context *context,
                                   ploy_status *status) {
    *status = PLOY_STATUS_RUNNING;
    for (;;) {
        if (mind->choice.running >= 0) mind->pending = mind->choice.running;
        if (mind->pending >= 0) {
            int32_t rule = mind->pending;
            mind->pending = -1;
            ploy_status inside =
                ployi_choice_step(&mind->choice, context, rule, rules_mind_name(mind, rule));
            if (inside == PLOY_STATUS_RUNNING) return PLOY_OK;
        }
        ploy_result result = ploy_rules_step(mind->rules, context->budget, context->trace);
        if (result == PLOY_IN_PROGRESS) return PLOY_OK;
        if (result != PLOY_OK) return result;
        if (mind->pending >= 0) continue;
        bool fired = ploy_rules_fired(mind->rules) > mind->entered;
        if (mind->rules->halted) {
            *status = PLOY_STATUS_SUCCESS;
        } else if (!mind->type->def.loop) {
            *status = fired ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        }
        return rules_mind_forget_messages(mind);
    }
}

static ploy_result rules_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    rules_mind *mind = self;
    mind->rules->context = context;
    mind->rules->now = context->now;
    ploy_result result = rules_mind_take_in(mind, context->blackboard);
    if (result == PLOY_OK) result = rules_mind_work(mind, context, status);
    if (result == PLOY_OK) result = rules_mind_write_out(mind, context);
    mind->rules->context = NULL;
    return result;
}

static void rules_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    rules_mind *mind = self;
    mind->pending = -1;
    ployi_choice_leave(&mind->choice, context, reason);
}

static ploy_result rules_mind_commit(void *self, ploy_step_context *context) {
    rules_mind *mind = self;
    ployi_choice_commit(&mind->choice, context, rules_mind_name(mind, mind->choice.running));
    return PLOY_OK;
}

static ploy_result rules_mind_message(void *self, ploy_step_context *context,
                                      const ploy_message *message, bool *handled) {
    rules_mind *mind = self;
    *handled = ployi_choice_message(&mind->choice, context, message,
                                    rules_mind_name(mind, mind->choice.running));
    if (*handled || mind->type->message < 0 || mind->rules->firing_rule >= 0) return PLOY_OK;
    ploy_rule_value kind = ploy_rule_symbol(message->kind);
    ploy_result result =
        ploy_rules_assert_ordered(mind->rules, mind->type->message, &kind, 1, NULL);
    if (result != PLOY_OK && result != PLOY_ERR_EXISTS) return result;
    *handled = true;
    return PLOY_OK;
}

static void rules_mind_destroy(void *self) {
    rules_mind *mind = self;
    ploy_env env = mind->env;
    ploy_rules_destroy(mind->rules);
    ployi_choice_fini(&mind->choice);
    ploy_array_fini(&mind->keys);
    ploy_env_free(&env, mind, sizeof *mind);
}

static void rules_mind_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const rules_mind *)self)->choice, out);
}

static const char *rules_mind_text(const void *user, uint32_t number) {
    const rules_mind *mind = user;
    bool there = number < (uint32_t)mind->type->makers.count;
    return there ? rules_mind_name(mind, (int32_t)number) : "";
}

static const char *rules_mind_key_name(const rules_mind *mind, int32_t index) {
    return ploy_blackboard_layout_name(mind->type->layout, rules_mind_key_type(mind, index)->slot);
}

static void rules_mind_visit_keys(ploy_visit *v, rules_mind *mind) {
    ploy_visit_begin(v, "keys", PLOY_STATE);
    for (int32_t i = 0; i < mind->keys.count; i++) {
        rules_mind_key *key = rules_mind_key_at(mind, i);
        ploy_visit_struct(v, "key", key, sizeof *key);
        if (ploy_visit_tolerates(v)) {
            key->fact = -1;
            key->seen = 0;
        }
        ploy_visit_begin(v, rules_mind_key_name(mind, i), PLOY_STATE);
        ploy_visit_i64_in(v, "fact", PLOY_STATE, &key->fact, -1, INT64_MAX);
        ploy_visit_hex64(v, "seen", PLOY_STATE, &key->seen);
        ploy_visit_end(v);
        if (!ploy_visit_loads(v) || key->fact < 0) continue;
        const ploy_fact *fact = ploy_rules_find_fact(mind->rules, key->fact);
        int64_t none = -1;
        if (fact == NULL || fact->template_index != rules_mind_key_type(mind, i)->relation) {
            PLOY_VISIT_WRITE(v, key->fact, none); // keeps (1)
        }
    }
    ploy_visit_end(v);
}

// { "rules": what ploy_rules_save writes, "entered": 3, "keys": { "health": { "fact": 4,
// "seen": "..." } }, "behavior": { "id": "flee", "alternative": 0, "behavior": { ... } } }
static void rules_mind_visit(ploy_visit *v, void *object) {
    rules_mind *mind = object;
    ploy_visit_table behaviors = {rules_mind_text,
                                  NULL,
                                  mind,
                                  (uint32_t)mind->type->makers.count,
                                  "the behavior of rule",
                                  "no longer exists: it restarts"};
    if (ploy_visit_tolerates(v)) {
        mind->pending = -1;
        mind->entered = 0;
    }
    ploy_visit_object(v, "rules", mind, sizeof *mind);
    PLOY_VISIT_SCRATCH(v, mind->env);
    PLOY_VISIT_SCRATCH(v, mind->type);
    PLOY_VISIT_SCRATCH(v, mind->rules);
    PLOY_VISIT_SCRATCH(v, mind->pending); // only within a step
    ploy_visit_buffer(v, "rules.keys", &mind->keys);
    ployi_rules_visit(v, "rules", mind->rules);
    ploy_visit_u64(v, "entered", PLOY_STATE, &mind->entered);
    rules_mind_visit_keys(v, mind);
    ployi_choice_visit(v, &mind->choice, "behavior", &behaviors);
}

static const ploy_behavior_type rules_mind_type = {.name = "rules",
                                                   .enter = rules_mind_enter,
                                                   .step = rules_mind_step,
                                                   .exit = rules_mind_exit,
                                                   .commit = rules_mind_commit,
                                                   .message = rules_mind_message,
                                                   .destroy = rules_mind_destroy,
                                                   .draw = rules_mind_draw,
                                                   .visit = rules_mind_visit};

static ploy_maker rules_mind_maker(const void *user, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const ploy_rules_type *)user)->makers, ploy_maker)[index];
}

static ploy_result rules_mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_rules_type *type = user;
    rules_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->type = type;
    mind->pending = -1;
    mind->choice.running = -1;
    ploy_array_init(&mind->keys, sizeof(rules_mind_key), env);
    ploy_result result = ploy_array_resize(&mind->keys, type->keys.count);
    if (result == PLOY_OK) {
        result = ployi_choice_init(&mind->choice, type->makers.count, rules_mind_maker, type, env);
    }
    if (result == PLOY_OK) {
        result = ploy_rules_create(&type->def, type->base, env, &mind->rules);
    }
    if (result != PLOY_OK) {
        rules_mind_destroy(mind);
        return result;
    }
    mind->rules->fired_hook = rules_mind_fired;
    mind->rules->hook_user = mind;
    out->type = &rules_mind_type;
    out->self = mind;
    return PLOY_OK;
}

static ploy_result rules_mind_check(const void *user, const ploy_blackboard_layout *layout,
                                    ploy_diags *diags) {
    const ploy_rules_type *type = user;
    return ployi_choice_check(type->makers.count, rules_mind_maker, type, &type->env, type->layout,
                              layout, diags);
}

ploy_maker ploy_rules_type_maker(ploy_rules_type *type) {
    ploy_maker maker = {rules_mind_make, type, NULL, rules_mind_check};
    return maker;
}

ploy_rules *ployi_rules_of(ploy_behavior behavior) {
    return behavior.type == &rules_mind_type ? ((rules_mind *)behavior.self)->rules : NULL;
}
