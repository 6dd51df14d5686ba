// Facts into the network: the tree of tests of their template, the patterns' memories; and the
// network as it begins and grows. The joins are in rules_match.c.
#include <string.h>

#include "decide/decide_internal.h"
#include "decide/rules_internal.h"

enum { PATTERN_MARKS_MAX = PLOY_RULE_FIELDS_MAX + 1 };

typedef struct pattern_scan {
    ploy_rules *rules;
    ploy_fact *fact;
    ployi_alpha *draft;  // its marks are those of the path so far
    int32_t from_memory; // memories below this one are full already
} pattern_scan;

static void pattern_hit(pattern_scan *scan, const ployi_anode *node) {
    ploy_rules *rules = scan->rules;
    int32_t memory = node->memory;
    if (memory < scan->from_memory || memory >= rules->known_memories) return;
    const ployi_amem *form = PLOYI_MEMORY(rules->base, memory);
    size_t marks = (size_t)form->marks * 2 * sizeof(int32_t);
    ployi_alpha *alpha = ployi_rules_take(rules, sizeof *alpha + marks);
    if (alpha == NULL) return;
    alpha->fact = scan->fact;
    alpha->mark_count = form->marks;
    memcpy(ployi_marks(alpha), ployi_marks(scan->draft), marks);
    alpha->pm.owner = memory;
    if (form->keys.count > 0) {
        ployi_alpha *const right[1] = {alpha};
        alpha->pm.hash = ployi_match_hash(rules, form->keys, right);
    }
    ployi_memory *to = &PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[memory];
    if (!ployi_match_insert(rules, to, &alpha->pm, true, form->keys.count > 0)) {
        ployi_rules_give(rules, alpha, sizeof *alpha + marks);
        return;
    }
    rules->matches++;
    alpha->next_of_fact = scan->fact->matches;
    scan->fact->matches = alpha;
    for (int32_t join = form->join; join >= 0 && rules->fault == PLOY_OK;
         join = PLOYI_JOINS(rules->base, join)->next_in_memory) {
        if (join < rules->known_joins) ployi_match_assert_right(rules, &alpha->pm, join);
    }
}

static void pattern_siblings(pattern_scan *scan, int32_t index);

static void pattern_pass(pattern_scan *scan, const ployi_anode *node) {
    if (node->tests.count > 0 && !node->constant) {
        ployi_alpha *const right[1] = {scan->draft};
        if (!ployi_match_tests(scan->rules, node->tests, NULL, right)) return;
    }
    if (node->memory >= 0) pattern_hit(scan, node);
    pattern_siblings(scan, node->child);
}

static void pattern_constants(pattern_scan *scan, int32_t selector, const ploy_rule_value *value) {
    const ploy_rulebase *base = scan->rules->base;
    int32_t node = ployi_rulebase_constant(base, selector, value);
    for (; node >= 0; node = PLOYI_NODE(base, node)->sibling) {
        pattern_pass(scan, PLOYI_NODE(base, node));
    }
}

static void pattern_node(pattern_scan *scan, int32_t index) {
    const ployi_anode *node = PLOYI_NODE(scan->rules->base, index);
    const ploy_rule_value *slot = &ployi_fact_values(scan->fact)[node->slot];
    int32_t *marks = ployi_marks(scan->draft);
    int32_t at = node->from_end ? slot->count - 1 - node->leave : node->field;
    if (node->check == 2 && slot->count != node->length) return;
    if (node->check == 1 && slot->count < node->length) return;
    switch (node->kind) {
    case PLOYI_STEP_ANY: pattern_pass(scan, node); return;
    case PLOYI_STEP_EMPTY:
        if (slot->count == 0) pattern_pass(scan, node);
        return;
    case PLOYI_STEP_SLOT:
        if (node->selector) {
            pattern_constants(scan, index, slot);
        } else {
            pattern_pass(scan, node);
        }
        return;
    case PLOYI_STEP_FIELD:
        for (int32_t i = node->mark0; i < node->mark1; i++) at += marks[2 * i + 1];
        // Behind several sequences the last one must end where the slot does.
        if (node->mark0 < node->mark1 && node->end && at + 1 + node->leave != slot->count) return;
        if (at < 0 || at >= slot->count) return;
        if (node->selector) {
            pattern_constants(scan, index, &slot->as.items[at]);
        } else {
            pattern_pass(scan, node);
        }
        return;
    default: break;
    }
    // A sequence: all lengths that leave enough for what follows, the longest first.
    for (int32_t i = node->mark0; i < node->mark1; i++) at += marks[2 * i + 1];
    int32_t most = slot->count - at - node->leave;
    int32_t least = node->end ? most : 0;
    for (int32_t length = most; length >= least && length >= 0; length--) {
        marks[2 * node->mark1] = at;
        marks[2 * node->mark1 + 1] = length;
        pattern_pass(scan, node);
        if (scan->rules->fault != PLOY_OK) return;
    }
}

static void pattern_siblings(pattern_scan *scan, int32_t index) {
    for (; index >= 0 && scan->rules->fault == PLOY_OK;
         index = PLOYI_NODE(scan->rules->base, index)->sibling) {
        pattern_node(scan, index);
    }
}

static void pattern_scan_fact(ploy_rules *rules, ploy_fact *fact, int32_t from_memory) {
    union {
        ployi_alpha alpha;
        char room[sizeof(ployi_alpha) + (size_t)PATTERN_MARKS_MAX * 2 * sizeof(int32_t)];
    } draft;
    memset(&draft.alpha, 0, sizeof draft.alpha);
    draft.alpha.fact = fact;
    pattern_scan scan = {rules, fact, &draft.alpha, from_memory};
    pattern_siblings(&scan, PLOYI_TEMPLATE(rules->base, fact->template_index)->root);
}

void ployi_rules_match(ploy_rules *rules, ploy_fact *fact) {
    rules->busy++;
    pattern_scan_fact(rules, fact, 0);
    rules->busy--;
}

// ---- Priming and growing ------------------------------------------------------------------------

// Joins that need no fact pass their root token on: first those without a right side, then the
// negations, the newest first as in CLIPS. Only joins from `from` on.
static void pattern_prime(ploy_rules *rules, int32_t from) {
    const ploy_rulebase *base = rules->base;
    rules->busy++;
    for (int32_t kind = 0; kind < 2; kind++) {
        // The list has the newest first, which have the highest numbers: it ends where old ones begin,
        // or every rule that is added would look at all before it.
        for (int32_t i = base->first_join; i >= from && i >= 0 && rules->fault == PLOY_OK;
             i = PLOYI_JOINS(base, i)->next_first) {
            const ployi_join *join = PLOYI_JOINS(base, i);
            if (join->kind != (kind == 0 ? PLOYI_PRIME : PLOYI_NOT)) continue;
            ployi_joined *root = (ployi_joined *)(void *)ployi_match_left(rules, i)->heads[0];
            if (kind == 0) {
                ployi_match_assert_left(rules, root, i);
            } else if (root->blocker == NULL && root->pm.children == NULL) {
                ployi_match_drive_alone(rules, root, join);
            }
        }
    }
    rules->busy--;
}

void ployi_rules_prime(ploy_rules *rules) {
    pattern_prime(rules, 0);
}

// Gives a join that is new under an old one all that the old one has passed on already.
static void pattern_catch_up(ploy_rules *rules, int32_t parent_index, const ployi_link *link) {
    const ployi_join *parent = PLOYI_JOINS(rules->base, parent_index);
    const ployi_memory *lefts = ployi_match_left(rules, parent_index);
    const ployi_memory *rights = ployi_match_right(rules, parent, parent_index);
    for (int32_t i = 0; i < lefts->size; i++) {
        for (ployi_pm *at = lefts->heads[i]; at != NULL && rules->fault == PLOY_OK; at = at->next) {
            ployi_joined *left = (ployi_joined *)(void *)at;
            if (parent->kind == PLOYI_JOIN) {
                for (ployi_pm *right = ployi_match_chain(rights, at->hash); right != NULL;
                     right = right->next) {
                    if (right->hash == at->hash && ployi_match_agree(rules, parent, left, right)) {
                        ployi_match_drive_to(rules, left, right, link);
                    }
                }
            } else if (parent->kind == PLOYI_PRIME) {
                if (ployi_match_tests(rules, parent->tests, ployi_binds(left), ployi_binds(left))) {
                    ployi_match_drive_to(rules, left, NULL, link);
                }
            } else if ((left->blocker != NULL) == (parent->kind == PLOYI_EXISTS)) {
                if (parent->after.count == 0 ||
                    ployi_match_tests(rules, parent->after, ployi_binds(left), ployi_binds(left))) {
                    ployi_match_drive_to(rules, left, NULL, link);
                }
            }
        }
    }
}

static bool pattern_make_root(ploy_rules *rules, int32_t index) {
    if (PLOYI_JOINS(rules->base, index)->left >= 0) return true;
    ployi_joined *root = ployi_rules_take(rules, ployi_joined_size(0));
    if (root == NULL) return false;
    root->pm.owner = index;
    if (ployi_match_insert(rules, ployi_match_left(rules, index), &root->pm, false, false)) {
        return true;
    }
    ployi_rules_give(rules, root, ployi_joined_size(0));
    return false;
}

ploy_result ployi_rules_grow(ploy_rules *rules) {
    const ploy_rulebase *base = rules->base;
    ploy_result result = ploy_array_resize(&rules->left, base->joins.count);
    if (result == PLOY_OK) result = ploy_array_resize(&rules->right, base->joins.count);
    if (result == PLOY_OK) result = ploy_array_resize(&rules->alpha, base->memories.count);
    if (result != PLOY_OK) return result;
    int32_t joins = rules->known_joins, memories = rules->known_memories;
    for (int32_t i = joins; i < base->joins.count; i++) {
        if (ployi_match_left(rules, i)->count == 0 && !pattern_make_root(rules, i))
            return PLOY_ERR_MEMORY;
    }
    // New patterns take the facts in before any join hears of them.
    rules->busy++;
    rules->known_memories = base->memories.count;
    for (ploy_fact *fact = rules->first_fact; fact != NULL && rules->fault == PLOY_OK;
         fact = fact->next) {
        if (base->memories.count > memories) pattern_scan_fact(rules, fact, memories);
    }
    // Joins under old ones catch up, joins without a left one begin; all others hear from those.
    rules->known_joins = base->joins.count;
    for (int32_t i = joins; i < base->joins.count && rules->fault == PLOY_OK; i++) {
        const ployi_join *join = PLOYI_JOINS(base, i);
        ployi_link left = {i, PLOYI_LEFT, -1}, right = {i, PLOYI_RIGHT, -1};
        if (join->group >= 0 && join->group < joins) pattern_catch_up(rules, join->group, &right);
        if (join->left >= 0 && join->left < joins) pattern_catch_up(rules, join->left, &left);
        if (join->left < 0 && join->memory >= 0) {
            const ployi_memory *memory = ployi_match_right(rules, join, i);
            for (int32_t k = 0; k < memory->size; k++) {
                for (ployi_pm *pm = memory->heads[k]; pm != NULL; pm = pm->next) {
                    ployi_match_assert_right(rules, pm, i);
                }
            }
        }
    }
    rules->busy--;
    if (rules->fault == PLOY_OK) pattern_prime(rules, joins);
    return rules->fault;
}

// Frees every token and match at once, without passing anything on.
void ployi_rules_forget(ploy_rules *rules) {
    for (int32_t i = 0; i < rules->left.count; i++) {
        ployi_memory *memory = ployi_match_left(rules, i);
        if (memory->size > 0) memset(memory->heads, 0, (size_t)memory->size * sizeof(ployi_pm *));
        memory->count = 0;
    }
    ploy_array *tailed[2] = {&rules->right, &rules->alpha};
    for (int k = 0; k < 2; k++) {
        for (int32_t i = 0; i < tailed[k]->count; i++) {
            ployi_memory *memory = &PLOY_ARRAY_ITEMS(tailed[k], ployi_memory)[i];
            memory->count = 0;
            if (memory->size == 0) continue;
            memset(memory->heads, 0, (size_t)memory->size * sizeof(ployi_pm *));
            memset(memory->tails, 0, (size_t)memory->size * sizeof(ployi_pm *));
        }
    }
    rules->tokens = 0;
    rules->matches = 0;
    for (int32_t i = 0; i < rules->known_joins && rules->fault == PLOY_OK; i++) {
        if (!pattern_make_root(rules, i)) rules->fault = PLOY_ERR_MEMORY;
    }
}

void ployi_rules_matches(const ploy_rules *rules, int32_t rule, ploy_rule_match_fn fn, void *user) {
    const ployi_rule *found = ploy_array_at(&rules->base->rules, rule);
    if (found == NULL || found->terminal >= rules->known_joins) return;
    const ployi_memory *memory = ployi_match_left(rules, found->terminal);
    ploy_fact *facts[PLOY_RULE_PATTERNS_MAX + 1];
    for (int32_t i = 0; i < memory->size; i++) {
        for (const ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            ployi_alpha **binds = ployi_binds((const ployi_joined *)(const void *)pm);
            for (int32_t k = 0; k < pm->count; k++) {
                facts[k] = binds[k] == NULL ? NULL : binds[k]->fact;
            }
            fn(user, facts, pm->count);
        }
    }
}
