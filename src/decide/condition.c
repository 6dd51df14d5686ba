// Conditions; the technique is described in the header.
//
// A condition is a node of a flat array, added after its parts. Invariants:
//   (1) the parts of a node have smaller numbers than it, so there are no loops;
//   (2) depth and size are bounded, so testing may recurse and ends;
//   (3) after a fault nothing is added any more, and result says which was the first.
#include "condition_internal.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <string.h>

#include "expression_internal.h"
#include "ploy/base/math.h"

enum { CONDITION_TIE_DRAW = 0x7165 }; // apart from the draws of behaviors

bool ployi_tie(int32_t ties, int32_t equal, const ploy_moment *moment) {
    if (ties != PLOY_TIES_RANDOM) return ties == PLOY_TIES_LAST;
    const ploy_step_context *context = moment->context;
    if (context == NULL) return false;
    // The n-th of equals takes the place of those before it once in n times.
    return ploy_rng_float_at(context->key, context->agent.id.index, context->tick,
                             CONDITION_TIE_DRAW + (uint32_t)equal) *
               (float)equal <
           1.0f;
}

ploy_moment ploy_moment_make(ploy_step_context *context) {
    ploy_moment moment = {context, NULL, 0.0, PLOY_STATUS_RUNNING, NULL};
    return moment;
}

ploy_result ploy_conditions_create(const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_conditions **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_conditions *set = ploy_env_alloc_zero(env, sizeof *set);
    if (set == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ployi_build_init(&set->build, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, set, sizeof *set);
        return result;
    }
    set->layout = layout;
    ploy_array_init(&set->nodes, sizeof(condition_node), env);
    ploy_array_init(&set->values, sizeof(int64_t), env);
    ploy_array_init(&set->words, sizeof(condition_word), env);
    ploy_array_init(&set->args, sizeof(float), env);
    ploy_array_init(&set->scores, sizeof(condition_score), env);
    ploy_array_init(&set->sources, sizeof(condition_source), env);
    ploy_array_init(&set->slots, sizeof(ploy_slot), env);
    *out = set;
    return PLOY_OK;
}

void ploy_conditions_destroy(ploy_conditions *set) {
    if (set == NULL) return;
    ploy_env env = set->build.env;
    ploy_array_fini(&set->nodes);
    ploy_array_fini(&set->values);
    ploy_array_fini(&set->words);
    ploy_array_fini(&set->args);
    for (int32_t i = 0; i < set->sources.count; i++) {
        ploy_expression_destroy(PLOY_ARRAY_ITEMS(&set->sources, condition_source)[i].expression);
    }
    ploy_array_fini(&set->scores);
    ploy_array_fini(&set->sources);
    ploy_array_fini(&set->slots);
    ployi_build_fini(&set->build);
    ploy_env_free(&env, set, sizeof *set);
}

void ploy_conditions_memory(const ploy_conditions *set, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&set->nodes,  &set->values,  &set->words, &set->args,
                                  &set->scores, &set->sources, &set->slots};
    ploy_memory_item item = {"conditions", sizeof *set, 1};
    fn(user, &item);
    ploy_names_memory(set->build.names, fn, user);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    for (int32_t i = 0; i < set->sources.count; i++) {
        ployi_expression_memory(PLOY_ARRAY_ITEMS(&set->sources, condition_source)[i].expression, fn,
                                user);
    }
}

const ploy_blackboard_layout *ployi_conditions_layout(const ploy_conditions *set) {
    return set->layout;
}

ploy_result ploy_conditions_result(const ploy_conditions *set) {
    return set->build.result;
}

static const condition_node *condition_at(const ploy_conditions *set, uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&set->nodes, condition_node)[number - 1];
}

condition_node ployi_condition_make(condition_kind kind) {
    condition_node node;
    memset(&node, 0, sizeof node);
    node.kind = kind;
    node.depth = 1;
    node.size = 1;
    node.cost = 1.0f;
    return node;
}

ploy_condition ployi_condition_add(ploy_conditions *set, const condition_node *node) {
    ploy_condition out = {0};
    if (!ployi_build_open(&set->build)) return out;
    ploy_result result = ploy_array_push(&set->nodes, node);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&set->build, result, "out of memory for a condition", "");
    } else {
        out.number = (uint32_t)set->nodes.count;
    }
    return out;
}

static ploy_condition condition_fault(ploy_conditions *set, ploy_result code, const char *what,
                                      const char *name) {
    (void)ployi_build_fault(&set->build, code, what, name);
    return ploy_condition_none();
}

// Adds a test of a key that has one of two types; the kinds follow the types.
static ploy_condition condition_add_key(ploy_conditions *set, const char *key, ploy_value_type a,
                                        condition_kind kind_a, ploy_value_type b,
                                        condition_kind kind_b, condition_node *node) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    ploy_slot slot = ploy_slot_none();
    if (set->layout != NULL && key != NULL) slot = ploy_blackboard_layout_find(set->layout, key);
    if (ploy_slot_is_none(slot)) {
        return condition_fault(set, PLOY_ERR_NOT_FOUND, "unknown blackboard key", key);
    }
    ploy_value_type type = ploy_blackboard_layout_type(set->layout, slot);
    if (type != a && type != b) {
        return condition_fault(set, PLOY_ERR_ARGUMENT, "wrong type of tested key", key);
    }
    node->kind = type == a ? kind_a : kind_b;
    node->slot = slot;
    return ployi_condition_add(set, node);
}

ploy_condition ploy_condition_always(ploy_conditions *set) {
    condition_node node = ployi_condition_make(CONDITION_ALWAYS);
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_bool(ploy_conditions *set, const char *key) {
    condition_node node = ployi_condition_make(CONDITION_BOOL);
    return condition_add_key(set, key, PLOY_VALUE_BOOL, CONDITION_BOOL, PLOY_VALUE_BOOL,
                             CONDITION_BOOL, &node);
}

ploy_condition ploy_condition_int(ploy_conditions *set, const char *key, int64_t min, int64_t max) {
    condition_node node = ployi_condition_make(CONDITION_I64);
    node.as.whole.min = min;
    node.as.whole.max = max;
    return condition_add_key(set, key, PLOY_VALUE_I64, CONDITION_I64, PLOY_VALUE_U64, CONDITION_U64,
                             &node);
}

ploy_condition ploy_condition_any_of(ploy_conditions *set, const char *key, const int64_t *values,
                                     int32_t count) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    if (values == NULL || count < 1 || count > UINT16_MAX) {
        return condition_fault(set, PLOY_ERR_ARGUMENT, "empty set of values for key", key);
    }
    condition_node node = ployi_condition_make(CONDITION_SET);
    node.a = (uint32_t)set->values.count;
    node.b = (uint32_t)count;
    ploy_result result = ploy_array_push_many(&set->values, values, count);
    if (result != PLOY_OK) return condition_fault(set, result, "out of memory for the set of", key);
    return condition_add_key(set, key, PLOY_VALUE_I64, CONDITION_SET, PLOY_VALUE_I64, CONDITION_SET,
                             &node);
}

ploy_condition ploy_condition_is(ploy_conditions *set, const char *key, const char *text) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    condition_node node = ployi_condition_make(CONDITION_NAME);
    node.as.name = ployi_build_name(&set->build, "invalid name", text);
    return condition_add_key(set, key, PLOY_VALUE_NAME, CONDITION_NAME, PLOY_VALUE_NAME,
                             CONDITION_NAME, &node);
}

ploy_condition ploy_condition_range(ploy_conditions *set, const char *key, double min, double max) {
    condition_node node = ployi_condition_make(CONDITION_F32);
    node.as.real.min = min;
    node.as.real.max = max;
    if (!(min <= max)) {
        if (!ployi_build_open(&set->build)) return ploy_condition_none();
        return condition_fault(set, PLOY_ERR_ARGUMENT, "empty range for key", key);
    }
    return condition_add_key(set, key, PLOY_VALUE_F32, CONDITION_F32, PLOY_VALUE_F64, CONDITION_F64,
                             &node);
}

ploy_condition ploy_condition_length(ploy_conditions *set, const char *key, float min, float max) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    if (!(min <= max) || !(max >= 0.0f)) {
        return condition_fault(set, PLOY_ERR_ARGUMENT, "invalid range of lengths for key", key);
    }
    condition_node node = ployi_condition_make(CONDITION_LENGTH);
    // Squares are compared; a lower end below zero takes every length.
    node.as.real.min = min > 0.0f ? (double)min * (double)min : 0.0;
    node.as.real.max = (double)max * (double)max;
    return condition_add_key(set, key, PLOY_VALUE_VEC2, CONDITION_LENGTH, PLOY_VALUE_VEC3,
                             CONDITION_LENGTH, &node);
}

// ---- words

// Words that every set knows; a registered word of the same name hides one.
static bool condition_after(void *user, const ploy_moment *moment, const float *args) {
    (void)user;
    return moment->elapsed >= (double)args[0];
}

static ploy_condition condition_on(void *user, ploy_conditions *set, const char *text) {
    (void)user;
    return ploy_condition_message(set, text);
}

static ploy_condition condition_returned(void *user, ploy_conditions *set, const char *text) {
    (void)user;
    for (int32_t i = 0; i <= PLOY_STATUS_SKIPPED; i++) {
        if (strcmp(ploy_status_text((ploy_status)i), text) != 0) continue;
        return ploy_condition_status(set, (ploy_status)i);
    }
    return ploy_condition_none();
}

static const struct {
    const char *name;
    condition_word word;
} condition_built_in[] = {
    {"after", {{0}, condition_after, NULL, NULL, NULL, 1}},
    {"on", {{0}, NULL, NULL, condition_on, NULL, PLOYI_CONDITION_QUOTED}},
    {"status", {{0}, NULL, NULL, condition_returned, NULL, PLOYI_CONDITION_QUOTED}},
};
enum { CONDITION_BUILT_IN = 3, CONDITION_BUILT_IN_FIRST = 0x40000000 };

static const condition_word *condition_word_at(const ploy_conditions *set, uint32_t word) {
    if (word >= CONDITION_BUILT_IN_FIRST) {
        return &condition_built_in[word - CONDITION_BUILT_IN_FIRST].word;
    }
    return &PLOY_ARRAY_ITEMS(&set->words, condition_word)[word - 1];
}

uint32_t ployi_conditions_word(const ploy_conditions *set, const char *name) {
    ploy_name wanted = ploy_name_of(name);
    const condition_word *words = PLOY_ARRAY_ITEMS(&set->words, condition_word);
    for (int32_t i = 0; i < set->words.count; i++) {
        if (words[i].arity == PLOYI_CONDITION_UNNAMED) continue;
        if (ploy_name_equal(words[i].name, wanted)) return (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < CONDITION_BUILT_IN && name != NULL; i++) {
        if (strcmp(condition_built_in[i].name, name) == 0) return CONDITION_BUILT_IN_FIRST + i;
    }
    return 0;
}

int32_t ployi_conditions_arity(const ploy_conditions *set, uint32_t word) {
    return condition_word_at(set, word)->arity;
}

bool ployi_conditions_is_test(const ploy_conditions *set, uint32_t word) {
    return condition_word_at(set, word)->fn != NULL;
}

ploy_condition ployi_conditions_quoted(ploy_conditions *set, uint32_t word, const char *text) {
    const condition_word *found = condition_word_at(set, word);
    return found->quoted(found->user, set, text);
}

double ployi_conditions_call(const ploy_conditions *set, uint32_t word, const ploy_moment *moment,
                             const float *args) {
    const condition_word *found = condition_word_at(set, word);
    if (found->fn == NULL) return (double)found->score(found->user, moment, args);
    return found->fn(found->user, moment, args) ? 1.0 : 0.0;
}

const char *ployi_conditions_nearest(const ploy_conditions *set, const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name != NULL ? name : "");
    const condition_word *words = PLOY_ARRAY_ITEMS(&set->words, condition_word);
    for (int32_t i = 0; i < set->words.count; i++) {
        if (words[i].arity == PLOYI_CONDITION_UNNAMED) continue;
        ploy_nearest_offer(&nearest, ployi_build_text(&set->build, words[i].name));
    }
    for (int32_t i = 0; i < CONDITION_BUILT_IN; i++) {
        ploy_nearest_offer(&nearest, condition_built_in[i].name);
    }
    int32_t keys = set->layout != NULL ? ploy_blackboard_layout_count(set->layout) : 0;
    for (int32_t i = 0; i < keys; i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(set->layout, slot));
    }
    return nearest.best;
}

// Adds a word without a check for doubles.
static ploy_result condition_add_word(ploy_conditions *set, const char *name, condition_word word) {
    word.name = ployi_build_name(&set->build, "invalid function name", name);
    if (set->build.result != PLOY_OK) return set->build.result;
    ploy_result result = ploy_array_push(&set->words, &word);
    if (result != PLOY_OK) {
        return ployi_build_fault(&set->build, result, "out of memory for function", name);
    }
    return PLOY_OK;
}

static ploy_result condition_register(ploy_conditions *set, const char *name, condition_word word) {
    if (!ployi_build_open(&set->build)) return PLOY_ERR_STATE;
    bool callable = word.fn != NULL || word.score != NULL || word.quoted != NULL;
    if (!callable || (word.quoted == NULL && word.arity < 0) ||
        word.arity > PLOY_CONDITION_ARGS_MAX) {
        return ployi_build_fault(&set->build, PLOY_ERR_ARGUMENT, "invalid function", name);
    }
    uint32_t known = ployi_conditions_word(set, name);
    if (known != 0 && known < CONDITION_BUILT_IN_FIRST) {
        return ployi_build_fault(&set->build, PLOY_ERR_EXISTS, "duplicate function", name);
    }
    return condition_add_word(set, name, word);
}

ploy_result ploy_conditions_register(ploy_conditions *set, const char *name, ploy_condition_fn fn,
                                     void *user, int32_t arity) {
    condition_word word = {{0}, fn, NULL, NULL, user, arity};
    return condition_register(set, name, word);
}

ploy_result ploy_conditions_register_quoted(ploy_conditions *set, const char *name,
                                            ploy_condition_quoted_fn fn, void *user) {
    condition_word word = {{0}, NULL, NULL, fn, user, PLOYI_CONDITION_QUOTED};
    return condition_register(set, name, word);
}

ploy_result ploy_conditions_register_words(ploy_conditions *set, const ploy_word *words,
                                           int32_t count) {
    if (count < 0 || (count > 0 && words == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        condition_word word = {{0}, words[i].test, NULL, NULL, words[i].user, words[i].arity};
        if (word.fn == NULL) word.score = words[i].score;
        result = condition_register(set, words[i].name, word);
    }
    return result;
}

ploy_condition ploy_condition_call(ploy_conditions *set, const char *name, ploy_condition_fn fn,
                                   void *user) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    if (fn == NULL) return condition_fault(set, PLOY_ERR_ARGUMENT, "missing function for", name);
    condition_word word = {{0}, fn, NULL, NULL, user, PLOYI_CONDITION_UNNAMED};
    if (condition_add_word(set, name, word) != PLOY_OK) return ploy_condition_none();
    condition_node node = ployi_condition_make(CONDITION_CALL);
    node.a = (uint32_t)set->words.count;
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_named(ploy_conditions *set, const char *name, const float *args,
                                    int32_t count) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    uint32_t word = ployi_conditions_word(set, name);
    if (word == 0 || condition_word_at(set, word)->fn == NULL) {
        const char *nearest = ployi_conditions_nearest(set, name);
        return condition_fault(set, PLOY_ERR_NOT_FOUND,
                               nearest == NULL ? "unknown function"
                                               : "unknown function, the nearest is",
                               nearest == NULL ? name : nearest);
    }
    if (count != condition_word_at(set, word)->arity || (count > 0 && args == NULL)) {
        return condition_fault(set, PLOY_ERR_ARGUMENT, "wrong number of arguments for", name);
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_is_finite_d((double)args[i])) {
            return condition_fault(set, PLOY_ERR_ARGUMENT, "invalid argument of", name);
        }
    }
    condition_node node = ployi_condition_make(CONDITION_CALL);
    node.a = word;
    node.b = (uint32_t)set->args.count;
    node.args = count;
    ploy_result result = ploy_array_push_many(&set->args, args, count);
    if (result != PLOY_OK)
        return condition_fault(set, result, "out of memory for arguments of", name);
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_elapsed(ploy_conditions *set, double seconds) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    if (!(seconds >= 0.0))
        return condition_fault(set, PLOY_ERR_ARGUMENT, "invalid time", "elapsed");
    condition_node node = ployi_condition_make(CONDITION_ELAPSED);
    node.as.real.min = seconds;
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_status(ploy_conditions *set, ploy_status status) {
    condition_node node = ployi_condition_make(CONDITION_STATUS);
    node.as.whole.min = (int64_t)status;
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_message(ploy_conditions *set, const char *kind) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    condition_node node = ployi_condition_make(CONDITION_MESSAGE);
    node.as.name = ployi_build_name(&set->build, "invalid kind of message", kind);
    return ployi_condition_add(set, &node);
}

bool ployi_condition_valid(const ploy_conditions *set, ploy_condition condition) {
    return condition.number <= (uint32_t)set->nodes.count;
}

static ploy_condition condition_join(ploy_conditions *set, condition_kind kind, ploy_condition a,
                                     ploy_condition b) {
    if (!ployi_build_open(&set->build)) return ploy_condition_none();
    bool one = kind == CONDITION_JOIN_NOT;
    if (ploy_condition_is_none(a) || !ployi_condition_valid(set, a) ||
        (!one && (ploy_condition_is_none(b) || !ployi_condition_valid(set, b)))) {
        return condition_fault(set, PLOY_ERR_ARGUMENT, "unknown part of", "this set");
    }
    condition_node node = ployi_condition_make(kind);
    const condition_node *first = condition_at(set, a.number);
    const condition_node *second = one ? first : condition_at(set, b.number);
    node.a = a.number;
    node.b = one ? 0 : b.number;
    node.depth = 1 + (first->depth > second->depth ? first->depth : second->depth);
    node.size = first->size + (one ? 0 : second->size);
    if (node.depth > PLOY_CONDITION_DEPTH_MAX || node.size > PLOY_CONDITION_SIZE_MAX) {
        return condition_fault(set, PLOY_ERR_LIMIT, "conditions are nested too deeply in",
                               "this set");
    }
    return ployi_condition_add(set, &node);
}

ploy_condition ploy_condition_and(ploy_conditions *set, ploy_condition a, ploy_condition b) {
    return condition_join(set, CONDITION_JOIN_AND, a, b);
}

ploy_condition ploy_condition_or(ploy_conditions *set, ploy_condition a, ploy_condition b) {
    return condition_join(set, CONDITION_JOIN_OR, a, b);
}

ploy_condition ploy_condition_xor(ploy_conditions *set, ploy_condition a, ploy_condition b) {
    return condition_join(set, CONDITION_JOIN_XOR, a, b);
}

ploy_condition ploy_condition_not(ploy_conditions *set, ploy_condition a) {
    return condition_join(set, CONDITION_JOIN_NOT, a, ploy_condition_none());
}

ploy_condition_join ploy_condition_parts(const ploy_conditions *set, ploy_condition condition,
                                         ploy_condition *a, ploy_condition *b) {
    ploy_condition_join join = PLOY_CONDITION_TEST;
    ploy_condition first = {0}, second = {0};
    if (!ploy_condition_is_none(condition) && ployi_condition_valid(set, condition)) {
        const condition_node *node = condition_at(set, condition.number);
        if (node->kind >= CONDITION_JOIN_NOT) {
            join = (ploy_condition_join)(PLOY_CONDITION_NOT + (node->kind - CONDITION_JOIN_NOT));
            first.number = node->a;
            second.number = node->b;
        }
    }
    if (a != NULL) *a = first;
    if (b != NULL) *b = second;
    return join;
}

ploy_result ployi_condition_set_cost(ploy_conditions *set, ploy_condition condition, float cost) {
    if (ploy_condition_is_none(condition) || !ployi_condition_valid(set, condition) ||
        !ploy_in_range(cost, 0.0f, 1e30f) ||
        ploy_condition_parts(set, condition, NULL, NULL) != PLOY_CONDITION_TEST) {
        return PLOY_ERR_ARGUMENT;
    }
    PLOY_ARRAY_ITEMS(&set->nodes, condition_node)[condition.number - 1].cost = cost;
    return PLOY_OK;
}

float ployi_condition_cost(const ploy_conditions *set, ploy_condition condition) {
    if (ploy_condition_is_none(condition) || !ployi_condition_valid(set, condition)) return 0.0f;
    ploy_condition a, b;
    if (ploy_condition_parts(set, condition, &a, &b) == PLOY_CONDITION_TEST) {
        return condition_at(set, condition.number)->cost;
    }
    return ployi_condition_cost(set, a) + ployi_condition_cost(set, b);
}

int32_t ployi_condition_size(const ploy_conditions *set, ploy_condition condition) {
    if (ploy_condition_is_none(condition) || !ployi_condition_valid(set, condition)) return 0;
    return condition_at(set, condition.number)->size;
}

static bool condition_length_in(const ploy_blackboard *board, const condition_node *node) {
    float vec[4];
    ploy_blackboard_get_vec(board, node->slot, vec);
    double square = 0.0;
    for (int i = 0; i < 3; i++) square += (double)vec[i] * (double)vec[i];
    return square >= node->as.real.min && square <= node->as.real.max;
}

ploy_blackboard *ployi_condition_board(const ploy_conditions *set, const ploy_moment *moment) {
    ploy_blackboard *board = moment->context != NULL ? moment->context->blackboard : NULL;
    if (board == NULL || ploy_blackboard_layout_of(board) != set->layout) return NULL;
    return board;
}

double ployi_condition_number(const ploy_blackboard *board, ploy_slot slot, ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_BOOL: return ploy_blackboard_get_bool(board, slot) ? 1.0 : 0.0;
    case PLOY_VALUE_I64: return (double)ploy_blackboard_get_i64(board, slot);
    case PLOY_VALUE_U64: return (double)ploy_blackboard_get_u64(board, slot);
    case PLOY_VALUE_F32: return (double)ploy_blackboard_get_f32(board, slot);
    case PLOY_VALUE_F64: return ploy_blackboard_get_f64(board, slot);
    default: return 0.0;
    }
}

static bool condition_compare(const condition_node *node, double value) {
    double with = node->as.real.min;
    switch ((ployi_expression_op)node->compare) {
    case PLOYI_EXPRESSION_EQUAL: return value == with;
    case PLOYI_EXPRESSION_DIFFERENT: return value != with;
    case PLOYI_EXPRESSION_LESS_EQUAL: return value <= with;
    case PLOYI_EXPRESSION_GREATER_EQUAL: return value >= with;
    case PLOYI_EXPRESSION_LESS: return value < with;
    default: return value > with;
    }
}

// A test of a key, on a board of the right layout.
static bool condition_test_key(const ploy_conditions *set, const condition_node *node,
                               const ploy_blackboard *board) {
    switch (node->kind) {
    case CONDITION_BOOL: return ploy_blackboard_get_bool(board, node->slot);
    case CONDITION_I64: {
        int64_t value = ploy_blackboard_get_i64(board, node->slot);
        return value >= node->as.whole.min && value <= node->as.whole.max;
    }
    case CONDITION_U64: {
        uint64_t value = ploy_blackboard_get_u64(board, node->slot);
        if (node->as.whole.max < 0) return false;
        return (node->as.whole.min <= 0 || value >= (uint64_t)node->as.whole.min) &&
               value <= (uint64_t)node->as.whole.max;
    }
    case CONDITION_SET: {
        int64_t value = ploy_blackboard_get_i64(board, node->slot);
        const int64_t *values = PLOY_ARRAY_ITEMS(&set->values, int64_t) + node->a;
        for (uint32_t i = 0; i < node->b; i++) {
            if (values[i] == value) return true;
        }
        return false;
    }
    case CONDITION_NAME:
        return ploy_name_equal(ploy_blackboard_get_name(board, node->slot), node->as.name);
    case CONDITION_F32: {
        double value = (double)ploy_blackboard_get_f32(board, node->slot);
        return value >= node->as.real.min && value <= node->as.real.max;
    }
    case CONDITION_F64: {
        double value = ploy_blackboard_get_f64(board, node->slot);
        return value >= node->as.real.min && value <= node->as.real.max;
    }
    case CONDITION_LENGTH: return condition_length_in(board, node);
    case CONDITION_COMPARE:
        return condition_compare(node, ployi_condition_number(board, node->slot, node->type));
    default: return false;
    }
}

bool ploy_condition_test(const ploy_conditions *set, ploy_condition condition,
                         const ploy_moment *moment) {
    if (ploy_condition_is_none(condition)) return true;
    if (!ployi_condition_valid(set, condition)) return false;
    const condition_node *node = condition_at(set, condition.number);
    ploy_condition a = {node->a}, b = {node->b};
    switch (node->kind) {
    case CONDITION_ALWAYS: return true;
    case CONDITION_CALL: {
        const condition_word *word = condition_word_at(set, node->a);
        const float *args = node->args > 0 ? PLOY_ARRAY_ITEMS(&set->args, float) + node->b : NULL;
        return word->fn(word->user, moment, args);
    }
    case CONDITION_ELAPSED: return moment->elapsed >= node->as.real.min;
    case CONDITION_STATUS: return (int64_t)moment->status == node->as.whole.min;
    case CONDITION_MESSAGE:
        return moment->message != NULL && ploy_name_equal(moment->message->kind, node->as.name);
    case CONDITION_JOIN_NOT: return !ploy_condition_test(set, a, moment);
    case CONDITION_JOIN_AND:
        return ploy_condition_test(set, a, moment) && ploy_condition_test(set, b, moment);
    case CONDITION_JOIN_OR:
        return ploy_condition_test(set, a, moment) || ploy_condition_test(set, b, moment);
    case CONDITION_JOIN_XOR:
        return ploy_condition_test(set, a, moment) != ploy_condition_test(set, b, moment);
    case CONDITION_EXPRESSION: return ployi_condition_test_text(set, node, moment);
    default: break;
    }
    const ploy_blackboard *board = ployi_condition_board(set, moment);
    return board != NULL && condition_test_key(set, node, board);
}

static void condition_print_range(const char *key, double min, double max, ploy_writer *writer) {
    ploy_write_text(writer, key);
    ploy_write_text(writer, " in [");
    ploy_write_f64(writer, min);
    ploy_write_text(writer, ", ");
    ploy_write_f64(writer, max);
    ploy_write_char(writer, ']');
}

static void condition_print_test(const ploy_conditions *set, const condition_node *node,
                                 ploy_writer *writer) {
    const char *key = ploy_blackboard_layout_name(set->layout, node->slot);
    switch (node->kind) {
    case CONDITION_BOOL: ploy_write_text(writer, key); break;
    case CONDITION_I64:
    case CONDITION_U64:
        ploy_write_text(writer, key);
        ploy_write_text(writer, " in [");
        ploy_write_i64(writer, node->as.whole.min);
        ploy_write_text(writer, ", ");
        ploy_write_i64(writer, node->as.whole.max);
        ploy_write_char(writer, ']');
        break;
    case CONDITION_SET:
        ploy_write_text(writer, key);
        for (uint32_t i = 0; i < node->b; i++) {
            ploy_write_text(writer, i == 0 ? " in {" : ", ");
            ploy_write_i64(writer, PLOY_ARRAY_ITEMS(&set->values, int64_t)[node->a + i]);
        }
        ploy_write_char(writer, '}');
        break;
    case CONDITION_NAME:
        ploy_write_text(writer, key);
        ploy_write_text(writer, " is ");
        ploy_write_text(writer, ployi_build_text(&set->build, node->as.name));
        break;
    case CONDITION_COMPARE: {
        static const char *const signs[] = {" == ", " != ", " <= ", " >= ", " < ", " > "};
        ploy_write_text(writer, key);
        ploy_write_text(writer, signs[node->compare - PLOYI_EXPRESSION_EQUAL]);
        ploy_write_f64(writer, node->as.real.min);
        break;
    }
    case CONDITION_LENGTH:
        ploy_write_char(writer, '|');
        ploy_write_text(writer, key);
        condition_print_range("|", sqrt(node->as.real.min), sqrt(node->as.real.max), writer);
        break;
    default: condition_print_range(key, node->as.real.min, node->as.real.max, writer); break;
    }
}

void ploy_condition_print(const ploy_conditions *set, ploy_condition condition,
                          ploy_writer *writer) {
    if (ploy_condition_is_none(condition) || !ployi_condition_valid(set, condition)) {
        ploy_write_text(writer, "always");
        return;
    }
    const condition_node *node = condition_at(set, condition.number);
    ploy_condition a = {node->a}, b = {node->b};
    static const char *const words[] = {" and ", " or ", " xor "};
    switch (node->kind) {
    case CONDITION_ALWAYS: ploy_write_text(writer, "always"); break;
    case CONDITION_EXPRESSION:
        ploy_write_text(writer,
                        ploy_expression_text(
                            PLOY_ARRAY_ITEMS(&set->sources, condition_source)[node->a].expression));
        break;
    case CONDITION_CALL: {
        ploy_write_text(writer,
                        node->a >= CONDITION_BUILT_IN_FIRST
                            ? condition_built_in[node->a - CONDITION_BUILT_IN_FIRST].name
                            : ployi_build_text(&set->build, condition_word_at(set, node->a)->name));
        for (int32_t i = 0; i < node->args; i++) {
            ploy_write_text(writer, i == 0 ? "(" : ", ");
            ploy_write_f32(writer, PLOY_ARRAY_ITEMS(&set->args, float)[node->b + (uint32_t)i]);
        }
        if (node->args > 0) ploy_write_char(writer, ')');
        break;
    }
    case CONDITION_ELAPSED:
        ploy_write_text(writer, "after ");
        ploy_write_f64(writer, node->as.real.min);
        ploy_write_text(writer, " s");
        break;
    case CONDITION_STATUS:
        ploy_write_text(writer, ploy_status_text((ploy_status)node->as.whole.min));
        break;
    case CONDITION_MESSAGE:
        ploy_write_text(writer, "on ");
        ploy_write_text(writer, ployi_build_text(&set->build, node->as.name));
        break;
    case CONDITION_JOIN_NOT:
        ploy_write_text(writer, "not ");
        ploy_condition_print(set, a, writer);
        break;
    case CONDITION_JOIN_AND:
    case CONDITION_JOIN_OR:
    case CONDITION_JOIN_XOR:
        ploy_write_char(writer, '(');
        ploy_condition_print(set, a, writer);
        ploy_write_text(writer, words[node->kind - CONDITION_JOIN_AND]);
        ploy_condition_print(set, b, writer);
        ploy_write_char(writer, ')');
        break;
    default: condition_print_test(set, node, writer); break;
    }
}

// ---- scores

static ploy_score condition_add_score(ploy_conditions *set, const condition_score *score,
                                      const char *name) {
    ploy_score out = {0};
    ploy_result result = ploy_array_push(&set->scores, score);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&set->build, result, "out of memory for a score of", name);
    } else {
        out.number = (uint32_t)set->scores.count;
    }
    return out;
}

ploy_score ploy_score_key(ploy_conditions *set, const char *key) {
    condition_score score;
    memset(&score, 0, sizeof score);
    if (!ployi_build_open(&set->build)) return ploy_score_none();
    if (set->layout != NULL && key != NULL) {
        score.slot = ploy_blackboard_layout_find(set->layout, key);
        score.type = ploy_blackboard_layout_type(set->layout, score.slot);
    }
    if (score.type < PLOY_VALUE_BOOL || score.type > PLOY_VALUE_F64) {
        bool unknown = ploy_slot_is_none(score.slot);
        (void)ployi_build_fault(
            &set->build, unknown ? PLOY_ERR_NOT_FOUND : PLOY_ERR_ARGUMENT,
            unknown ? "unknown blackboard key" : "expected a numeric key, found", key);
        return ploy_score_none();
    }
    return condition_add_score(set, &score, key);
}

ploy_score ploy_score_call(ploy_conditions *set, const char *name, ploy_score_fn fn, void *user) {
    if (!ployi_build_open(&set->build)) return ploy_score_none();
    condition_word word = {{0}, NULL, fn, NULL, user, PLOYI_CONDITION_UNNAMED};
    if (fn == NULL) {
        (void)ployi_build_fault(&set->build, PLOY_ERR_ARGUMENT, "missing function for", name);
        return ploy_score_none();
    }
    if (condition_add_word(set, name, word) != PLOY_OK) return ploy_score_none();
    condition_score score;
    memset(&score, 0, sizeof score);
    score.word = (uint32_t)set->words.count;
    return condition_add_score(set, &score, name);
}

bool ployi_score_valid(const ploy_conditions *set, ploy_score score) {
    return score.number <= (uint32_t)set->scores.count;
}

float ploy_score_value(const ploy_conditions *set, ploy_score score, const ploy_moment *moment) {
    if (ploy_score_is_none(score)) return 0.0f;
    if (!ployi_score_valid(set, score)) return (float)NAN;
    const condition_score *item =
        &PLOY_ARRAY_ITEMS(&set->scores, condition_score)[score.number - 1];
    if (item->word != 0) return (float)ployi_conditions_call(set, item->word, moment, NULL);
    if (item->source != 0) return ployi_score_text_value(set, item->source - 1, moment);
    const ploy_blackboard *board = ployi_condition_board(set, moment);
    return board != NULL ? (float)ployi_condition_number(board, item->slot, item->type)
                         : (float)NAN;
}

bool ployi_condition_is_bool(const ploy_conditions *set, ploy_condition condition, ploy_slot *slot,
                             bool *want) {
    *want = true;
    while (!ploy_condition_is_none(condition) && ployi_condition_valid(set, condition)) {
        const condition_node *node = condition_at(set, condition.number);
        if (node->kind == CONDITION_BOOL) {
            *slot = node->slot;
            return true;
        }
        if (node->kind != CONDITION_JOIN_NOT) return false;
        *want = !*want;
        condition.number = node->a;
    }
    return false;
}
