// Rule bases: templates, and the tree of tests that each template's facts go through.
//
// The tree's siblings are kept newest first and a field's constants hang under one selector, found
// by hashing: a fact then reaches the memories in the order in which CLIPS 6.30 would fill them,
// and that order decides which of several new activations is the newest.
//
// Invariants:
//   (1) indices only: nothing in the base points into its own arrays, so they may grow;
//   (2) a node with a memory holds the identity of that memory's keys, any other -1; two patterns
//       share nodes up to the first difference of place, test, end or keys;
//   (3) a rule is published last; a failed add leaves nodes that no rule uses.
#include "ploy/decide/rulebase.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "decide/rules_internal.h"
#include "ploy/base/hash.h"

ploy_result ploy_rulebase_create(const ploy_env *env, ploy_rulebase **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_rulebase *base = ploy_env_alloc_zero(env, sizeof *base);
    if (base == NULL) return PLOY_ERR_MEMORY;
    base->env = *env;
    ploy_array_init(&base->templates, sizeof(ployi_template), env);
    ploy_array_init(&base->slots, sizeof(ployi_slot), env);
    ploy_array_init(&base->nodes, sizeof(ployi_anode), env);
    ploy_array_init(&base->memories, sizeof(ployi_amem), env);
    ploy_array_init(&base->joins, sizeof(ployi_join), env);
    ploy_array_init(&base->links, sizeof(ployi_link), env);
    ploy_array_init(&base->tests, sizeof(ployi_test), env);
    ploy_array_init(&base->refs, sizeof(ployi_ref), env);
    ploy_array_init(&base->rules, sizeof(ployi_rule), env);
    ploy_array_init(&base->variables, sizeof(ployi_variable), env);
    ploy_map_init(&base->by_name, sizeof(int32_t), env);
    ploy_map_init(&base->constants, sizeof(int32_t), env);
    base->first_join = -1;
    ploy_result result = ploy_names_create(env, &base->names);
    if (result == PLOY_OK) result = ploy_names_add(base->names, "FALSE", &base->false_name);
    if (result != PLOY_OK) {
        ploy_rulebase_destroy(base);
        return result;
    }
    *out = base;
    return PLOY_OK;
}

void ploy_rulebase_destroy(ploy_rulebase *base) {
    if (base == NULL) return;
    ploy_env env = base->env;
    ploy_names_destroy(base->names);
    ploy_array_fini(&base->templates);
    ploy_array_fini(&base->slots);
    ploy_array_fini(&base->nodes);
    ploy_array_fini(&base->memories);
    ploy_array_fini(&base->joins);
    ploy_array_fini(&base->links);
    ploy_array_fini(&base->tests);
    ploy_array_fini(&base->refs);
    ploy_array_fini(&base->rules);
    ploy_array_fini(&base->variables);
    ploy_map_fini(&base->by_name);
    ploy_map_fini(&base->constants);
    ploy_env_free(&env, base, sizeof *base);
}

ploy_result ploy_rulebase_text(ploy_rulebase *base, const char *text, ploy_name *out) {
    if (base == NULL || text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (text[0] == '\0') {
        out->hash = 0;
        return PLOY_OK;
    }
    return ploy_names_add(base->names, text, out);
}

static const char *rulebase_get_text(const ploy_rulebase *base, ploy_name name) {
    const char *text = ploy_names_text(base->names, name);
    return text == NULL ? "" : text;
}

// Names of slots are there and differ. A set of hashes is enough: names whose hashes are equal
// could not be told apart later either.
static ploy_result rulebase_check_slots(const ploy_rulebase *base, const ploy_rule_slot *slots,
                                        int32_t count) {
    ploy_map seen;
    ploy_map_init(&seen, 0, &base->env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        if (slots[i].name == NULL || slots[i].name[0] == '\0') {
            result = PLOY_ERR_ARGUMENT;
        } else if (ploy_map_has(&seen, ploy_name_of(slots[i].name).hash)) {
            result = PLOY_ERR_EXISTS;
        } else if (count > 1) {
            result = ploy_map_put(&seen, ploy_name_of(slots[i].name).hash, NULL);
        }
    }
    ploy_map_fini(&seen);
    return result;
}

static ploy_result rulebase_add(ploy_rulebase *base, const char *name, const ploy_rule_slot *slots,
                                int32_t count, bool ordered, int32_t *out) {
    if (base == NULL || name == NULL || name[0] == '\0' || count < 0 ||
        count > PLOY_RULE_SLOTS_MAX || (count > 0 && slots == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = rulebase_check_slots(base, slots, count);
    if (result != PLOY_OK) return result;
    ployi_template made = {.slots = {base->slots.count, count}, .ordered = ordered, .root = -1};
    result = ploy_names_add(base->names, name, &made.name);
    if (result != PLOY_OK) return result;
    if (ploy_map_has(&base->by_name, made.name.hash)) return PLOY_ERR_EXISTS;
    int32_t index = base->templates.count;
    for (int32_t i = 0; result == PLOY_OK && i < count; i++) {
        ployi_slot slot = {.multi = slots[i].multi};
        result = ploy_names_add(base->names, slots[i].name, &slot.name);
        if (result == PLOY_OK) result = ploy_array_push(&base->slots, &slot);
    }
    if (result == PLOY_OK) result = ploy_array_push(&base->templates, &made);
    if (result == PLOY_OK) {
        result = ploy_map_put(&base->by_name, made.name.hash, &index);
        if (result != PLOY_OK) ploy_array_pop(&base->templates, NULL);
    }
    if (result != PLOY_OK) {
        while (base->slots.count > made.slots.first) ploy_array_pop(&base->slots, NULL);
        return result;
    }
    if (out != NULL) *out = index;
    return PLOY_OK;
}

ploy_result ploy_rulebase_add_template(ploy_rulebase *base, const char *name,
                                       const ploy_rule_slot *slots, int32_t count, int32_t *out) {
    return rulebase_add(base, name, slots, count, false, out);
}

ploy_result ploy_rulebase_add_relation(ploy_rulebase *base, const char *name, int32_t *out) {
    ploy_rule_slot implied = {"implied", true};
    return rulebase_add(base, name, &implied, 1, true, out);
}

int32_t ploy_rulebase_find_template(const ploy_rulebase *base, const char *name) {
    if (name == NULL) return -1;
    const int32_t *index = ploy_map_get(&base->by_name, ploy_name_of(name).hash);
    return index == NULL ? -1 : *index;
}

int32_t ploy_rulebase_template_count(const ploy_rulebase *base) {
    return base->templates.count;
}

static const ployi_template *rulebase_template(const ploy_rulebase *base, int32_t index) {
    return ploy_array_at(&base->templates, index);
}

const char *ploy_rulebase_template_name(const ploy_rulebase *base, int32_t template_index) {
    const ployi_template *found = rulebase_template(base, template_index);
    return found == NULL ? NULL : rulebase_get_text(base, found->name);
}

bool ploy_rulebase_template_ordered(const ploy_rulebase *base, int32_t template_index) {
    const ployi_template *found = rulebase_template(base, template_index);
    return found != NULL && found->ordered;
}

int32_t ploy_rulebase_slot_count(const ploy_rulebase *base, int32_t template_index) {
    const ployi_template *found = rulebase_template(base, template_index);
    return found == NULL ? 0 : found->slots.count;
}

ploy_rule_slot ploy_rulebase_slot(const ploy_rulebase *base, int32_t template_index, int32_t slot) {
    const ployi_template *found = rulebase_template(base, template_index);
    ploy_rule_slot none = {NULL, false};
    if (found == NULL || slot < 0 || slot >= found->slots.count) return none;
    const ployi_slot *made = PLOYI_SLOT(base, found->slots.first + slot);
    ploy_rule_slot result = {rulebase_get_text(base, made->name), made->multi != 0};
    return result;
}

int32_t ploy_rulebase_find_slot(const ploy_rulebase *base, int32_t template_index,
                                const char *name) {
    int32_t count = ploy_rulebase_slot_count(base, template_index);
    if (name == NULL) return -1;
    uint64_t hash = ploy_name_of(name).hash;
    for (int32_t i = 0; i < count; i++) {
        const ployi_template *found = rulebase_template(base, template_index);
        if (PLOYI_SLOT(base, found->slots.first + i)->name.hash == hash) return i;
    }
    return -1;
}

// ---- Lists of tests and refs --------------------------------------------------------------------

bool ployi_rulebase_same_refs(const ploy_rulebase *base, ployi_span span, const ployi_ref *refs,
                              int32_t count) {
    if (span.count != count) return false;
    return count == 0 ||
           memcmp(PLOYI_REF(base, span.first), refs, (size_t)count * sizeof *refs) == 0;
}

static bool rulebase_same_test(const ploy_rulebase *base, const ployi_test *a,
                               const ployi_test *b) {
    if (a->kind != b->kind || a->negated != b->negated || a->strict != b->strict ||
        a->group_end != b->group_end || a->clause_end != b->clause_end ||
        a->ref_count != b->ref_count || a->fn != b->fn || a->pair != b->pair || a->key != b->key) {
        return false;
    }
    bool call = a->kind == PLOY_RULE_HOLDS || a->kind == PLOY_RULE_COMPUTED;
    if (call && a->key == 0) return false; // like no other
    if (memcmp(&a->a, &b->a, sizeof a->a) != 0 || memcmp(&a->b, &b->b, sizeof a->b) != 0) {
        return false;
    }
    if (!ploy_rule_equal(&a->value, &b->value) || !ploy_rule_equal(&a->high, &b->high)) {
        return false;
    }
    return a->ref_count == 0 || memcmp(PLOYI_REF(base, a->refs), PLOYI_REF(base, b->refs),
                                       (size_t)a->ref_count * sizeof(ployi_ref)) == 0;
}

bool ployi_rulebase_same_tests(const ploy_rulebase *base, ployi_span span, const ployi_test *tests,
                               int32_t count) {
    if (span.count != count) return false;
    for (int32_t i = 0; i < count; i++) {
        if (!rulebase_same_test(base, PLOYI_TEST(base, span.first + i), &tests[i])) return false;
    }
    return true;
}

ploy_result ployi_rulebase_store_tests(ploy_rulebase *base, const ployi_test *tests, int32_t count,
                                       ployi_span *out) {
    ployi_span span = {base->tests.count, count};
    ploy_result result = ploy_array_push_many(&base->tests, tests, count);
    if (result == PLOY_OK) *out = span;
    return result;
}

ploy_result ployi_rulebase_store_refs(ploy_rulebase *base, const ployi_ref *refs, int32_t count,
                                      ployi_span *out) {
    ployi_span span = {base->refs.count, count};
    ploy_result result = ploy_array_push_many(&base->refs, refs, count);
    if (result == PLOY_OK) *out = span;
    return result;
}

// ---- The tree of tests --------------------------------------------------------------------------

// Where a list of siblings begins: the template's root, or a node's child.
static int32_t *rulebase_siblings(ploy_rulebase *base, int32_t template_index, int32_t parent) {
    return parent < 0 ? &PLOYI_TEMPLATE(base, template_index)->root
                      : &PLOYI_NODE(base, parent)->child;
}

static ploy_result rulebase_new_node(ploy_rulebase *base, int32_t template_index, int32_t parent,
                                     const ployi_anode *like, const ployi_test *tests,
                                     int32_t test_count, int32_t *out) {
    ployi_anode node = *like;
    node.child = -1;
    node.memory = -1;
    ploy_result result = ployi_rulebase_store_tests(base, tests, test_count, &node.tests);
    if (result != PLOY_OK) return result;
    node.sibling = *rulebase_siblings(base, template_index, parent);
    result = ploy_array_push(&base->nodes, &node);
    if (result != PLOY_OK) return result;
    *out = base->nodes.count - 1;
    *rulebase_siblings(base, template_index, parent) = *out;
    return PLOY_OK;
}

static bool rulebase_same_place(const ployi_anode *a, const ployi_anode *b) {
    return a->kind == b->kind && a->end == b->end && a->selector == b->selector &&
           a->slot == b->slot && a->field == b->field && a->leave == b->leave &&
           a->mark0 == b->mark0 && a->mark1 == b->mark1 && a->check == b->check &&
           a->length == b->length && a->from_end == b->from_end;
}

static uint64_t rulebase_constant_key(int32_t selector, const ploy_rule_value *value) {
    return ploy_hash_combine(ploy_hash_combine((uint64_t)selector + 1, value->as.bits),
                             (uint64_t)value->type);
}

// The node under a selector that requires this value, or -1; slot gets the map's key to use for it.
static int32_t rulebase_find_constant(const ploy_rulebase *base, int32_t selector,
                                      const ploy_rule_value *value, int32_t keys,
                                      uint64_t *free_key) {
    uint64_t key = rulebase_constant_key(selector, value);
    for (;; key++) { // a taken key with another value is a collision: the next one then
        const int32_t *node = ploy_map_get(&base->constants, key);
        *free_key = key;
        if (node == NULL) return -1;
        const ployi_test *test = PLOYI_TEST(base, PLOYI_NODE(base, *node)->tests.first);
        if (!ploy_rule_equal(&test->value, value)) continue;
        int32_t found = *node;
        while (found >= 0 && PLOYI_NODE(base, found)->keys != keys) {
            found = PLOYI_NODE(base, found)->sibling;
        }
        return found;
    }
}

int32_t ployi_rulebase_constant(const ploy_rulebase *base, int32_t selector,
                                const ploy_rule_value *value) {
    for (uint64_t key = rulebase_constant_key(selector, value);; key++) {
        const int32_t *node = ploy_map_get(&base->constants, key);
        if (node == NULL) return -1;
        const ployi_test *test = PLOYI_TEST(base, PLOYI_NODE(base, *node)->tests.first);
        if (ploy_rule_equal(&test->value, value)) return *node;
    }
}

// The identity of a memory's keys: the first memory that has the same ones, or a new number.
static int32_t rulebase_keys_id(const ploy_rulebase *base, const ployi_ref *keys, int32_t count) {
    if (count == 0) return 0;
    for (int32_t i = 0; i < base->memories.count; i++) {
        const ployi_amem *memory = PLOYI_MEMORY(base, i);
        if (ployi_rulebase_same_refs(base, memory->keys, keys, count)) {
            return PLOYI_NODE(base, memory->node)->keys;
        }
    }
    return base->memories.count + 1;
}

// One step down the tree; makes the node if it is new.
static ploy_result rulebase_descend(ploy_rulebase *base, int32_t template_index, int32_t parent,
                                    const ployi_step *step, int32_t keys, int32_t *out) {
    ployi_anode want = step->node;
    want.keys = keys;
    want.selector = step->constant != NULL;
    // CLIPS never shares the node of a relation's pattern that tests nothing, which shows in the
    // order of matches.
    bool own = want.kind == PLOYI_STEP_ANY && PLOYI_TEMPLATE(base, template_index)->ordered;
    int32_t found = own ? -1 : *rulebase_siblings(base, template_index, parent);
    for (; found >= 0; found = PLOYI_NODE(base, found)->sibling) {
        const ployi_anode *node = PLOYI_NODE(base, found);
        if (!rulebase_same_place(node, &want)) continue;
        if (want.selector) break;
        if (node->keys == keys &&
            ployi_rulebase_same_tests(base, node->tests, step->tests, step->test_count)) {
            break;
        }
    }
    ploy_result result = PLOY_OK;
    if (found < 0) {
        if (want.selector) want.keys = -1;
        result = rulebase_new_node(base, template_index, parent, &want, step->tests,
                                   want.selector ? 0 : step->test_count, &found);
        if (result != PLOY_OK) return result;
    }
    if (!want.selector) {
        *out = found;
        return PLOY_OK;
    }
    uint64_t free_key = 0;
    int32_t constant = rulebase_find_constant(base, found, step->constant, keys, &free_key);
    if (constant < 0) {
        want.selector = 0;
        want.constant = 1;
        want.keys = keys;
        want.child = -1;
        want.memory = -1;
        // Nodes of one value, which differ in their keys, form a list, the newest first.
        const int32_t *head = ploy_map_get(&base->constants, free_key);
        want.sibling = head == NULL ? -1 : *head;
        result = ployi_rulebase_store_tests(base, step->tests, step->test_count, &want.tests);
        if (result == PLOY_OK) result = ploy_array_push(&base->nodes, &want);
        if (result != PLOY_OK) return result;
        constant = base->nodes.count - 1;
        result = ploy_map_put(&base->constants, free_key, &constant);
        if (result != PLOY_OK) return result;
    }
    *out = constant;
    return PLOY_OK;
}

ploy_result ployi_rulebase_place(ploy_rulebase *base, int32_t template_index,
                                 const ployi_step *steps, int32_t step_count, const ployi_ref *keys,
                                 int32_t key_count, int32_t marks, int32_t *out) {
    int32_t keys_id = rulebase_keys_id(base, keys, key_count);
    int32_t node = -1;
    for (int32_t i = 0; i < step_count; i++) {
        ploy_result result = rulebase_descend(base, template_index, node, &steps[i],
                                              i + 1 == step_count ? keys_id : 0, &node);
        if (result != PLOY_OK) return result;
    }
    if (PLOYI_NODE(base, node)->memory < 0) {
        ployi_amem memory = {
            .node = node, .join = -1, .marks = marks, .template_index = template_index};
        ploy_result result = ployi_rulebase_store_refs(base, keys, key_count, &memory.keys);
        if (result == PLOY_OK) result = ploy_array_push(&base->memories, &memory);
        if (result != PLOY_OK) return result;
        PLOYI_NODE(base, node)->memory = base->memories.count - 1;
    }
    *out = PLOYI_NODE(base, node)->memory;
    return PLOY_OK;
}

// ---- Reading ------------------------------------------------------------------------------------

int32_t ploy_rulebase_rule_count(const ploy_rulebase *base) {
    return base->rules.count;
}

const char *ploy_rulebase_rule_name(const ploy_rulebase *base, int32_t rule) {
    const ployi_rule *found = ploy_array_at(&base->rules, rule);
    return found == NULL ? NULL : rulebase_get_text(base, found->name);
}

int32_t ployi_rulebase_variable_count(const ploy_rulebase *base, int32_t rule) {
    const ployi_rule *found = ploy_array_at(&base->rules, rule);
    return found == NULL ? 0 : found->variables.count;
}

const char *ployi_rulebase_variable_name(const ploy_rulebase *base, int32_t rule,
                                         int32_t variable) {
    const ployi_rule *found = ploy_array_at(&base->rules, rule);
    if (found == NULL || variable < 0 || variable >= found->variables.count) return NULL;
    const ployi_variable *variables = PLOY_ARRAY_ITEMS(&base->variables, ployi_variable);
    return rulebase_get_text(base, variables[found->variables.first + variable].name);
}

int32_t ploy_rulebase_find_variable(const ploy_rulebase *base, int32_t rule, const char *name) {
    const ployi_rule *found = ploy_array_at(&base->rules, rule);
    if (found == NULL || name == NULL) return -1;
    uint64_t hash = ploy_name_of(name).hash;
    const ployi_variable *variables = PLOY_ARRAY_ITEMS(&base->variables, ployi_variable);
    for (int32_t i = 0; i < found->variables.count; i++) {
        if (variables[found->variables.first + i].name.hash == hash) return i;
    }
    return -1;
}

ploy_rulebase_size ployi_rulebase_size_of(const ploy_rulebase *base) {
    ploy_rulebase_size size = {base->nodes.count, base->memories.count, base->joins.count,
                               base->rules.count};
    return size;
}

void ploy_rulebase_describe(const ploy_rulebase *base, ploy_describe *out) {
    ploy_rulebase_size size = ployi_rulebase_size_of(base);
    ploy_describe_begin(out, "rulebase");
    ploy_describe_i64(out, "templates", PLOY_DERIVED, base->templates.count);
    ploy_describe_i64(out, "tests", PLOY_DERIVED, size.tests);
    ploy_describe_i64(out, "memories", PLOY_DERIVED, size.memories);
    ploy_describe_i64(out, "joins", PLOY_DERIVED, size.joins);
    ploy_describe_i64(out, "rules", PLOY_DERIVED, size.rules);
    ploy_describe_end(out);
}
