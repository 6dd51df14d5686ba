// The Rete network at work: facts into patterns' memories, partial matches through the joins.
//
// The order in which matches arise and vanish is that of CLIPS 6.30, because the default strategy
// fires the newest activation first: left memories are walked newest first, right ones oldest
// first, joins under a node newest first; a retracted fact's patterns are left newest first.
//
// Invariants:
//   (1) a left token is in the left memory of its owner under the hash of its left keys, and in the
//       lists of children of its parents; a join without a left one has one empty root token;
//   (2) a left token of a negation or existence has a blocker if and only if a right match agrees
//       with it, and that is the first such one in memory; a negation has children only without,
//       an existence only with a blocker;
//   (3) nothing new is made with a fact that is going, so nothing of it is left when it is gone;
//   (4) removing a partial match removes all that was made from it, their activations and supports.
#include <string.h>

#include "decide/rules_internal.h"

// ---- Values -------------------------------------------------------------------------------------

ploy_rule_value ployi_ref_get_far(const ployi_ref *ref, const ployi_alpha *alpha) {
    if (alpha == NULL) return ploy_rule_none();
    if (ref->kind == PLOYI_REF_FACT || ref->kind == PLOYI_REF_BIND) {
        return ploy_rule_fact(alpha->fact);
    }
    const ploy_rule_value *slot = &ployi_fact_values(alpha->fact)[ref->slot];
    if (ref->kind == PLOYI_REF_SLOT) return *slot;
    const int32_t *marks = ployi_marks(alpha);
    if (ref->kind == PLOYI_REF_MULTI) {
        const int32_t *mark = &marks[2 * ref->mark1];
        return ploy_rule_multi(slot->as.items + mark[0], mark[1]);
    }
    int32_t at = ref->field;
    for (int32_t i = ref->mark0; i < ref->mark1; i++) at += marks[2 * i + 1];
    if (at >= slot->count) return ploy_rule_none();
    return slot->as.items[at];
}

ploy_rule_value ploy_rule_frame_get(const ploy_rule_frame *frame, int32_t variable) {
    return ployi_ref_get(&frame->refs[variable], frame->left, frame->right);
}

void *ploy_rule_frame_user(const ploy_rule_frame *frame) {
    return frame->rules->def.user;
}

static bool match_in_range(const ployi_test *test, const ploy_rule_value *value) {
    double at;
    if (value->type == PLOY_RULE_INTEGER) {
        at = (double)value->as.integer;
    } else if (value->type == PLOY_RULE_FLOAT) {
        at = value->as.real;
    } else {
        return false;
    }
    const ploy_rule_value *ends[2] = {&test->value, &test->high};
    for (int i = 0; i < 2; i++) { // an end that is no number is open
        double end =
            ends[i]->type == PLOY_RULE_INTEGER ? (double)ends[i]->as.integer : ends[i]->as.real;
        if (ends[i]->type != PLOY_RULE_INTEGER && ends[i]->type != PLOY_RULE_FLOAT) continue;
        bool inside =
            i == 0 ? (test->strict ? at > end : at >= end) : (test->strict ? at < end : at <= end);
        if (!inside) return false;
    }
    return true;
}

static bool match_test(const ploy_rules *rules, const ployi_test *test, ployi_alpha *const *left,
                       ployi_alpha *const *right) {
    bool holds = false;
    ploy_rule_value a = ploy_rule_none();
    if (test->kind != PLOY_RULE_HOLDS) a = ployi_ref_get(&test->a, left, right);
    switch (test->kind) {
    case PLOY_RULE_IS: holds = ployi_rule_same(&a, &test->value); break;
    case PLOY_RULE_RANGE: holds = match_in_range(test, &a); break;
    case PLOY_RULE_SAME: {
        ploy_rule_value b = ployi_ref_get(&test->b, left, right);
        holds = ployi_rule_same(&a, &b);
        break;
    }
    default: {
        ploy_rule_frame frame = {rules, left, right, NULL};
        if (test->ref_count > 0) frame.refs = PLOYI_REF(rules->base, test->refs);
        ploy_rule_value answer = test->fn(&frame, test->data);
        if (test->kind == PLOY_RULE_HOLDS) {
            holds =
                answer.type != PLOY_RULE_SYMBOL || answer.as.text != rules->base->false_name.hash;
        } else {
            holds = ploy_rule_equal(&a, &answer);
        }
    }
    }
    return holds != (test->negated != 0);
}

static bool match_tests(const ploy_rules *rules, ployi_span span, ployi_alpha *const *left,
                        ployi_alpha *const *right) {
    bool clause = false, group = true;
    for (int32_t i = 0; i < span.count; i++) {
        const ployi_test *test = PLOYI_TEST(rules->base, span.first + i);
        if (!clause && group) group = match_test(rules, test, left, right);
        if (test->group_end) {
            if (group) clause = true;
            group = true;
        }
        if (test->clause_end) {
            if (!clause) return false;
            clause = false;
        }
    }
    return true;
}

static uint32_t match_hash(const ploy_rules *rules, ployi_span keys, ployi_alpha *const *left,
                           ployi_alpha *const *right) {
    uint32_t hash = 0;
    for (int32_t i = 0; i < keys.count; i++) {
        ploy_rule_value value = ployi_ref_get(PLOYI_REF(rules->base, keys.first + i), left, right);
        hash = ployi_rule_fold(&value, hash + 1);
    }
    return hash;
}

// What the right side of a join's test is called with: the binds of a group's token, or the fact.
static ployi_alpha *const *match_right(ployi_pm *const *pm, const ployi_join *join) {
    return join->memory >= 0 ? (ployi_alpha *const *)(uintptr_t)pm : ployi_binds(*pm);
}

static bool match_agree(const ploy_rules *rules, const ployi_join *join, const ployi_pm *left,
                        ployi_pm *right) {
    ployi_alpha *const *lefts = ployi_binds(left);
    ployi_alpha *const *rights = match_right(&right, join);
    for (int32_t i = 0; i < join->left_keys.count; i++) {
        const ployi_ref *a = PLOYI_REF(rules->base, join->left_keys.first + i);
        const ployi_ref *b = PLOYI_REF(rules->base, join->right_keys.first + i);
        if (a->kind == PLOYI_REF_BIND) {
            if (lefts[a->pattern] != rights[b->pattern]) return false;
            continue;
        }
        ploy_rule_value x = ployi_ref_get(a, lefts, rights);
        ploy_rule_value y = ployi_ref_get(b, lefts, rights);
        if (!ployi_rule_same(&x, &y)) return false;
    }
    return join->tests.count == 0 || match_tests(rules, join->tests, lefts, rights);
}

// ---- Memories -----------------------------------------------------------------------------------

static ployi_memory *match_left(const ploy_rules *rules, int32_t join) {
    return &PLOY_ARRAY_ITEMS(&rules->left, ployi_memory)[join];
}

static ployi_memory *match_right_memory(const ploy_rules *rules, const ployi_join *join,
                                        int32_t index) {
    return join->memory >= 0 ? &PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[join->memory]
                             : &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[index];
}

static bool match_memory_size(ploy_rules *rules, ployi_memory *memory, int32_t size, bool tails) {
    size_t bytes = (size_t)size * sizeof(ployi_pm *);
    ployi_pm **heads = ploy_env_alloc_zero(&rules->env, bytes);
    ployi_pm **ends = heads == NULL || !tails ? NULL : ploy_env_alloc_zero(&rules->env, bytes);
    if (heads == NULL || (tails && ends == NULL)) {
        ploy_env_free(&rules->env, heads, bytes);
        return false;
    }
    // Chains are split in order; (hash & size - 1) keeps equal hashes together.
    for (int32_t i = 0; i < memory->size; i++) {
        ployi_pm *lasts[2] = {NULL, NULL};
        ployi_pm *pm = memory->heads[i];
        while (pm != NULL) {
            ployi_pm *next = pm->next;
            uint32_t at = pm->hash & (uint32_t)(size - 1);
            int half = at >= (uint32_t)memory->size;
            pm->prev = lasts[half];
            pm->next = NULL;
            if (lasts[half] != NULL) {
                lasts[half]->next = pm;
            } else {
                heads[at] = pm;
            }
            lasts[half] = pm;
            if (tails) ends[at] = pm;
            pm = next;
        }
    }
    size_t old = (size_t)memory->size * sizeof(ployi_pm *);
    ploy_env_free(&rules->env, memory->heads, old);
    if (tails) ploy_env_free(&rules->env, memory->tails, old);
    memory->heads = heads;
    memory->tails = ends;
    memory->size = size;
    return true;
}

// Makes the first table, or a larger one. A memory that cannot grow works on with longer chains;
// only the first table must be.
static void match_grow(ploy_rules *rules, ployi_memory *memory, bool tails) {
    int32_t size = memory->size == 0 ? 1 : memory->size * 2;
    if (!match_memory_size(rules, memory, size, tails) && memory->size == 0) {
        rules->fault = PLOY_ERR_MEMORY;
    }
}

// At the front of a left memory, at the end of a right one. `hashed`: it has keys at all.
static inline void match_insert(ploy_rules *rules, ployi_memory *memory, ployi_pm *pm, bool tails,
                                bool hashed) {
    if (memory->size == 0 || (hashed && memory->count >= 2 * memory->size)) {
        match_grow(rules, memory, tails);
        if (memory->size == 0) return;
    }
    uint32_t at = pm->hash & (uint32_t)(memory->size - 1);
    if (tails) {
        pm->prev = memory->tails[at];
        pm->next = NULL;
        if (pm->prev != NULL) {
            pm->prev->next = pm;
        } else {
            memory->heads[at] = pm;
        }
        memory->tails[at] = pm;
    } else {
        pm->next = memory->heads[at];
        pm->prev = NULL;
        if (pm->next != NULL) pm->next->prev = pm;
        memory->heads[at] = pm;
    }
    memory->count++;
}

static void match_take_out(ployi_memory *memory, ployi_pm *pm, bool tails) {
    uint32_t at = pm->hash & (uint32_t)(memory->size - 1);
    if (pm->next != NULL) {
        pm->next->prev = pm->prev;
    } else if (tails) {
        memory->tails[at] = pm->prev;
    }
    if (pm->prev != NULL) {
        pm->prev->next = pm->next;
    } else {
        memory->heads[at] = pm->next;
    }
    memory->count--;
}

static ployi_pm *match_chain(const ployi_memory *memory, uint32_t hash) {
    return memory->size == 0 ? NULL : memory->heads[hash & (uint32_t)(memory->size - 1)];
}

// ---- Blocking -----------------------------------------------------------------------------------

static void match_block(ployi_pm *left, ployi_pm *right) {
    left->blocker = right;
    left->prev_blocked = NULL;
    left->next_blocked = right->blocked;
    if (right->blocked != NULL) right->blocked->prev_blocked = left;
    right->blocked = left;
}

static void match_unblock(ployi_pm *left) {
    if (left->blocker == NULL) return;
    if (left->prev_blocked != NULL) {
        left->prev_blocked->next_blocked = left->next_blocked;
    } else {
        left->blocker->blocked = left->next_blocked;
    }
    if (left->next_blocked != NULL) left->next_blocked->prev_blocked = left->prev_blocked;
    left->blocker = left->next_blocked = left->prev_blocked = NULL;
}

// ---- Driving down -------------------------------------------------------------------------------

static size_t match_token_size(int32_t count) {
    return sizeof(ployi_pm) + (size_t)count * sizeof(ployi_alpha *);
}

static void match_assert_left(ploy_rules *rules, ployi_pm *left, int32_t index);
static void match_assert_right(ploy_rules *rules, ployi_pm *right, int32_t index);

static void match_drive_to(ploy_rules *rules, ployi_pm *left, ployi_pm *right,
                           const ployi_link *link) {
    int32_t index = link->join, side = link->side;
    if (index >= rules->known_joins) return; // added to the base, not yet taken in
    const ployi_join *child = PLOYI_JOINS(rules->base, index);
    ployi_pm *token = ployi_rules_take_raw(rules, match_token_size(left->count + 1));
    if (token == NULL) return;
    memset(token, 0, sizeof *token); // of a known size, so a few stores
    token->owner = index;
    token->side = (int16_t)side;
    token->count = left->count + 1;
    ployi_alpha **binds = ployi_binds(token), **from = ployi_binds(left);
    for (int32_t i = 0; i < left->count; i++) binds[i] = from[i];
    binds[left->count] = (ployi_alpha *)(void *)right;
    ployi_span keys = side == PLOYI_LEFT ? child->left_keys : child->right_keys;
    if (keys.count > 0) token->hash = match_hash(rules, keys, binds, binds);
    bool tails = side == PLOYI_RIGHT;
    ployi_memory *memory =
        tails ? &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[index] : match_left(rules, index);
    match_insert(rules, memory, token, tails, keys.count > 0);
    if (memory->size == 0) {
        ployi_rules_give(rules, token, match_token_size(token->count));
        return;
    }
    rules->tokens++;
    token->left_parent = left;
    token->next_left = left->children;
    if (left->children != NULL) left->children->prev_left = token;
    left->children = token;
    if (right != NULL) {
        token->right_parent = right;
        token->next_right = right->children;
        if (right->children != NULL) right->children->prev_right = token;
        right->children = token;
    }
    if (side == PLOYI_LEFT) {
        match_assert_left(rules, token, index);
    } else {
        match_assert_right(rules, token, index);
    }
}

static void match_drive(ploy_rules *rules, ployi_pm *left, ployi_pm *right,
                        const ployi_join *join) {
    for (int32_t at = join->link; at >= 0; at = PLOYI_LINK(rules->base, at)->next) {
        match_drive_to(rules, left, right, PLOYI_LINK(rules->base, at));
        if (rules->fault != PLOY_OK) return;
    }
}

// Passes on what a negation or existence lets through, if the tests after it hold.
static void match_drive_alone(ploy_rules *rules, ployi_pm *left, const ployi_join *join) {
    if (join->after.count > 0 &&
        !match_tests(rules, join->after, ployi_binds(left), ployi_binds(left))) {
        return;
    }
    match_drive(rules, left, NULL, join);
}

static void match_assert_left(ploy_rules *rules, ployi_pm *left, int32_t index) {
    const ployi_join *join = PLOYI_JOINS(rules->base, index);
    if (join->kind == PLOYI_TERMINAL) {
        if (join->rule >= 0) ployi_agenda_add(rules, join->rule, left);
        return;
    }
    if (join->kind == PLOYI_PRIME) {
        if (match_tests(rules, join->tests, ployi_binds(left), ployi_binds(left))) {
            match_drive(rules, left, NULL, join);
        }
        return;
    }
    const ployi_memory *memory = match_right_memory(rules, join, index);
    for (ployi_pm *right = match_chain(memory, left->hash); right != NULL; right = right->next) {
        if (right->hash != left->hash || right->going) continue;
        if (!match_agree(rules, join, left, right)) continue;
        if (join->kind == PLOYI_JOIN) {
            match_drive(rules, left, right, join);
            if (rules->fault != PLOY_OK) return;
            continue;
        }
        match_block(left, right); // keeps (2): the first in memory
        if (join->kind == PLOYI_EXISTS) match_drive_alone(rules, left, join);
        return;
    }
    if (join->kind == PLOYI_NOT) match_drive_alone(rules, left, join);
}

static void match_remove_children(ploy_rules *rules, ployi_pm *parent);

static void match_assert_right(ploy_rules *rules, ployi_pm *right, int32_t index) {
    const ployi_join *join = PLOYI_JOINS(rules->base, index);
    ployi_pm *next = NULL;
    for (ployi_pm *left = match_chain(match_left(rules, index), right->hash); left != NULL;
         left = next) {
        next = left->next;
        if (left->hash != right->hash) continue;
        if (join->kind != PLOYI_JOIN && left->blocker != NULL) continue;
        if (!match_agree(rules, join, left, right)) continue;
        if (join->kind == PLOYI_JOIN) {
            match_drive(rules, left, right, join);
        } else {
            match_block(left, right);
            if (join->kind == PLOYI_EXISTS) {
                match_drive_alone(rules, left, join);
            } else if (left->children != NULL) {
                match_remove_children(rules, left);
            }
        }
        if (rules->fault != PLOY_OK) return;
    }
}

// ---- Removing -----------------------------------------------------------------------------------

// A right match is going: those it blocks look for another one, or go on.
static void match_release_blocked(ploy_rules *rules, ployi_pm *right) {
    while (right->blocked != NULL) {
        ployi_pm *left = right->blocked;
        const ployi_join *join = PLOYI_JOINS(rules->base, left->owner);
        match_unblock(left);
        ployi_pm *other = right->next;
        while (other != NULL && (other->hash != left->hash || other->going ||
                                 !match_agree(rules, join, left, other))) {
            other = other->next;
        }
        if (other != NULL) {
            match_block(left, other);
        } else if (join->kind == PLOYI_EXISTS) {
            if (left->children != NULL) match_remove_children(rules, left);
        } else if (rules->fault == PLOY_OK) {
            match_drive_alone(rules, left, join);
        }
    }
}

// Takes a token without children out of everything and frees it.
static void match_free_token(ploy_rules *rules, ployi_pm *pm) {
    if (pm->activation != NULL) ployi_agenda_remove(rules, pm->activation);
    match_unblock(pm);
    bool tails = pm->side == PLOYI_RIGHT;
    match_take_out(tails ? &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[pm->owner]
                         : match_left(rules, pm->owner),
                   pm, tails);
    if (pm->left_parent != NULL) {
        if (pm->prev_left != NULL) {
            pm->prev_left->next_left = pm->next_left;
        } else {
            pm->left_parent->children = pm->next_left;
        }
        if (pm->next_left != NULL) pm->next_left->prev_left = pm->prev_left;
    }
    if (pm->right_parent != NULL) {
        if (pm->prev_right != NULL) {
            pm->prev_right->next_right = pm->next_right;
        } else {
            pm->right_parent->children = pm->next_right;
        }
        if (pm->next_right != NULL) pm->next_right->prev_right = pm->prev_right;
    }
    if (pm->supports != NULL) ployi_support_drop_match(rules, pm);
    rules->tokens--;
    if (rules->firing_pm == pm) rules->firing_pm = NULL; // the action reads a copy of its binds
    ployi_rules_give(rules, pm, match_token_size(pm->count));
}

// Everything below, the deepest first. Not recursive in the depth of the network's chains.
static void match_remove_children(ploy_rules *rules, ployi_pm *parent) {
    ployi_pm *pm = parent->children;
    while (pm != NULL) {
        if (pm->children != NULL) {
            pm = pm->children;
            continue;
        }
        ployi_pm *next = pm->next_left;
        ployi_pm *up = pm->left_parent;
        if (pm->side == PLOYI_RIGHT && pm->blocked != NULL) {
            match_release_blocked(rules, pm);
            next = pm->next_left;
        }
        match_free_token(rules, pm);
        if (next != NULL) {
            pm = next;
        } else if (up == parent) {
            pm = parent->children; // what a release may have added
        } else {
            pm = up;
        }
    }
}

static void match_remove_alpha(ploy_rules *rules, ployi_alpha *alpha) {
    ployi_pm *right = &alpha->pm;
    while (right->children != NULL) {
        ployi_pm *pm = right->children;
        if (pm->children != NULL) match_remove_children(rules, pm);
        if (pm->side == PLOYI_RIGHT && pm->blocked != NULL) match_release_blocked(rules, pm);
        match_free_token(rules, pm);
    }
    if (right->blocked != NULL) match_release_blocked(rules, right);
    match_take_out(&PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[right->owner], right, true);
    rules->matches--;
    ployi_rules_give(rules, alpha, sizeof *alpha + (size_t)alpha->mark_count * 2 * sizeof(int32_t));
}

void ployi_rules_unmatch(ploy_rules *rules, ploy_fact *fact) {
    rules->busy++;
    for (ployi_alpha *at = fact->matches; at != NULL; at = at->next_of_fact) at->pm.going = 1;
    while (fact->matches != NULL) {
        ployi_alpha *alpha = fact->matches;
        fact->matches = alpha->next_of_fact;
        match_remove_alpha(rules, alpha);
    }
    rules->busy--;
}

// ---- Facts into the network ---------------------------------------------------------------------

enum { MATCH_MARKS_MAX = PLOY_RULE_FIELDS_MAX + 1 };

typedef struct match_scan {
    ploy_rules *rules;
    ploy_fact *fact;
    ployi_alpha *draft;  // its marks are those of the path so far
    int32_t from_memory; // memories below this one are full already
} match_scan;

static void match_hit(match_scan *scan, const ployi_anode *node) {
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
        alpha->pm.hash = match_hash(rules, form->keys, NULL, right);
    }
    ployi_memory *to = &PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[memory];
    match_insert(rules, to, &alpha->pm, true, form->keys.count > 0);
    if (to->size == 0) {
        ployi_rules_give(rules, alpha, sizeof *alpha + marks);
        return;
    }
    rules->matches++;
    alpha->next_of_fact = scan->fact->matches;
    scan->fact->matches = alpha;
    for (int32_t join = form->join; join >= 0 && rules->fault == PLOY_OK;
         join = PLOYI_JOINS(rules->base, join)->next_in_memory) {
        if (join < rules->known_joins) match_assert_right(rules, &alpha->pm, join);
    }
}

static void match_siblings(match_scan *scan, int32_t index);

static void match_pass(match_scan *scan, const ployi_anode *node) {
    if (node->tests.count > 0 && !node->constant) {
        ployi_alpha *const right[1] = {scan->draft};
        if (!match_tests(scan->rules, node->tests, NULL, right)) return;
    }
    if (node->memory >= 0) match_hit(scan, node);
    match_siblings(scan, node->child);
}

static void match_constants(match_scan *scan, int32_t selector, const ploy_rule_value *value) {
    const ploy_rulebase *base = scan->rules->base;
    int32_t node = ployi_rulebase_constant(base, selector, value);
    for (; node >= 0; node = PLOYI_NODE(base, node)->sibling) {
        match_pass(scan, PLOYI_NODE(base, node));
    }
}

static void match_node(match_scan *scan, int32_t index) {
    const ployi_anode *node = PLOYI_NODE(scan->rules->base, index);
    const ploy_rule_value *slot = &ployi_fact_values(scan->fact)[node->slot];
    int32_t *marks = ployi_marks(scan->draft);
    int32_t at = node->field;
    switch (node->kind) {
    case PLOYI_STEP_ANY: match_pass(scan, node); return;
    case PLOYI_STEP_EMPTY:
        if (slot->count == 0) match_pass(scan, node);
        return;
    case PLOYI_STEP_SLOT:
        if (node->selector) {
            match_constants(scan, index, slot);
        } else {
            match_pass(scan, node);
        }
        return;
    case PLOYI_STEP_FIELD:
        for (int32_t i = node->mark0; i < node->mark1; i++) at += marks[2 * i + 1];
        if (node->end ? at + 1 != slot->count : at + 1 + node->leave > slot->count) return;
        if (node->selector) {
            match_constants(scan, index, &slot->as.items[at]);
        } else {
            match_pass(scan, node);
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
        match_pass(scan, node);
        if (scan->rules->fault != PLOY_OK) return;
    }
}

static void match_siblings(match_scan *scan, int32_t index) {
    for (; index >= 0 && scan->rules->fault == PLOY_OK;
         index = PLOYI_NODE(scan->rules->base, index)->sibling) {
        match_node(scan, index);
    }
}

static void match_scan_fact(ploy_rules *rules, ploy_fact *fact, int32_t from_memory) {
    union {
        ployi_alpha alpha;
        char room[sizeof(ployi_alpha) + (size_t)MATCH_MARKS_MAX * 2 * sizeof(int32_t)];
    } draft;
    memset(&draft.alpha, 0, sizeof draft.alpha);
    draft.alpha.fact = fact;
    match_scan scan = {rules, fact, &draft.alpha, from_memory};
    match_siblings(&scan, PLOYI_TEMPLATE(rules->base, fact->template_index)->root);
}

void ployi_rules_match(ploy_rules *rules, ploy_fact *fact) {
    rules->busy++;
    match_scan_fact(rules, fact, 0);
    rules->busy--;
}

// ---- Priming and growing ------------------------------------------------------------------------

// Joins that need no fact pass their root token on: first those without a right side, then the
// negations, the newest first as in CLIPS. Only joins from `from` on.
static void match_prime(ploy_rules *rules, int32_t from) {
    const ploy_rulebase *base = rules->base;
    rules->busy++;
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = base->first_join; i >= 0 && rules->fault == PLOY_OK;
             i = PLOYI_JOINS(base, i)->next_first) {
            const ployi_join *join = PLOYI_JOINS(base, i);
            if (i < from || join->kind != (kind == 0 ? PLOYI_PRIME : PLOYI_NOT)) continue;
            ployi_pm *root = match_left(rules, i)->heads[0];
            if (kind == 0) {
                match_assert_left(rules, root, i);
            } else if (root->blocker == NULL && root->children == NULL) {
                match_drive_alone(rules, root, join);
            }
        }
    }
    rules->busy--;
}

void ployi_rules_prime(ploy_rules *rules) {
    match_prime(rules, 0);
}

// Gives a join that is new under an old one all that the old one has passed on already.
static void match_catch_up(ploy_rules *rules, int32_t parent_index, const ployi_link *link) {
    const ployi_join *parent = PLOYI_JOINS(rules->base, parent_index);
    const ployi_memory *lefts = match_left(rules, parent_index);
    const ployi_memory *rights = match_right_memory(rules, parent, parent_index);
    for (int32_t i = 0; i < lefts->size; i++) {
        for (ployi_pm *left = lefts->heads[i]; left != NULL && rules->fault == PLOY_OK;
             left = left->next) {
            if (parent->kind == PLOYI_JOIN) {
                for (ployi_pm *right = match_chain(rights, left->hash); right != NULL;
                     right = right->next) {
                    if (right->hash == left->hash && match_agree(rules, parent, left, right)) {
                        match_drive_to(rules, left, right, link);
                    }
                }
            } else if (parent->kind == PLOYI_PRIME) {
                if (match_tests(rules, parent->tests, ployi_binds(left), ployi_binds(left))) {
                    match_drive_to(rules, left, NULL, link);
                }
            } else if ((left->blocker != NULL) == (parent->kind == PLOYI_EXISTS)) {
                if (parent->after.count == 0 ||
                    match_tests(rules, parent->after, ployi_binds(left), ployi_binds(left))) {
                    match_drive_to(rules, left, NULL, link);
                }
            }
        }
    }
}

static bool match_make_root(ploy_rules *rules, int32_t index) {
    if (PLOYI_JOINS(rules->base, index)->left >= 0) return true;
    ployi_pm *root = ployi_rules_take(rules, match_token_size(0));
    if (root == NULL) return false;
    root->owner = index;
    match_insert(rules, match_left(rules, index), root, false, false);
    if (match_left(rules, index)->size > 0) return true;
    ployi_rules_give(rules, root, match_token_size(0));
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
        if (match_left(rules, i)->count == 0 && !match_make_root(rules, i)) return PLOY_ERR_MEMORY;
    }
    // New patterns take the facts in before any join hears of them.
    rules->busy++;
    rules->known_memories = base->memories.count;
    for (ploy_fact *fact = rules->first_fact; fact != NULL && rules->fault == PLOY_OK;
         fact = fact->next) {
        if (base->memories.count > memories) match_scan_fact(rules, fact, memories);
    }
    // Joins under old ones catch up, joins without a left one begin; all others hear from those.
    rules->known_joins = base->joins.count;
    for (int32_t i = joins; i < base->joins.count && rules->fault == PLOY_OK; i++) {
        const ployi_join *join = PLOYI_JOINS(base, i);
        ployi_link left = {i, PLOYI_LEFT, -1}, right = {i, PLOYI_RIGHT, -1};
        if (join->group >= 0 && join->group < joins) match_catch_up(rules, join->group, &right);
        if (join->left >= 0 && join->left < joins) match_catch_up(rules, join->left, &left);
        if (join->left < 0 && join->memory >= 0) {
            const ployi_memory *memory = match_right_memory(rules, join, i);
            for (int32_t k = 0; k < memory->size; k++) {
                for (ployi_pm *pm = memory->heads[k]; pm != NULL; pm = pm->next) {
                    match_assert_right(rules, pm, i);
                }
            }
        }
    }
    rules->busy--;
    if (rules->fault == PLOY_OK) match_prime(rules, joins);
    return rules->fault;
}

// Frees every token and match at once, without passing anything on.
void ployi_rules_forget(ploy_rules *rules) {
    for (int32_t i = 0; i < rules->left.count; i++) {
        ployi_memory *memory = match_left(rules, i);
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
        if (!match_make_root(rules, i)) rules->fault = PLOY_ERR_MEMORY;
    }
}

void ploy_rules_matches(const ploy_rules *rules, int32_t rule, ploy_rule_match_fn fn, void *user) {
    const ployi_rule *found = ploy_array_at(&rules->base->rules, rule);
    if (found == NULL || found->terminal >= rules->known_joins) return;
    const ployi_memory *memory = match_left(rules, found->terminal);
    ploy_fact *facts[PLOY_RULE_PATTERNS_MAX + 1];
    for (int32_t i = 0; i < memory->size; i++) {
        for (const ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            ployi_alpha **binds = ployi_binds(pm);
            for (int32_t k = 0; k < pm->count; k++) {
                facts[k] = binds[k] == NULL ? NULL : binds[k]->fact;
            }
            fn(user, facts, pm->count);
        }
    }
}
