// The Rete network at work: partial matches through the joins. How facts get into the patterns'
// memories is in rules_pattern.c.
//
// The order in which matches arise and vanish is that of CLIPS 6.30, because the default strategy
// fires the newest activation first: left memories are walked newest first, right ones oldest
// first, joins under a node newest first; a retracted fact's patterns are left newest first.
//
// Invariants:
//   (1) a left match is in the left memory of its owner under the hash of its left keys, and in the
//       lists of children of its parents; a join without a left one has one empty root match;
//   (2) a left match of a negation or existence has a blocker if and only if a right match agrees
//       with it, and that is the first such one in memory; a negation has children only without,
//       an existence only with a blocker;
//   (3) nothing new is made with a fact that is going, so nothing of it is left when it is gone;
//   (4) removing a partial match removes all that was made from it, their activations and supports.
#include <string.h>

#include "decide/rules_internal.h"

// ---- Values -------------------------------------------------------------------------------------

ploy_rule_value ployi_ref_get_far(const ployi_ref *ref, const ployi_alpha *alpha) {
    if (alpha == NULL) return ploy_rule_none();
    if (ref->kind == PLOYI_REF_FACT) return ploy_rule_fact(alpha->fact);
    const ploy_rule_value *slot = &ployi_fact_values(alpha->fact)[ref->slot];
    if (ref->kind == PLOYI_REF_SLOT) return *slot;
    const int32_t *marks = ployi_marks(alpha);
    int32_t at = ref->field;
    switch (ref->kind) {
    case PLOYI_REF_MULTI:
        return ploy_rule_multi(slot->as.items + marks[2 * ref->mark1], marks[2 * ref->mark1 + 1]);
    case PLOYI_REF_REST:
        if (slot->count < ref->mark0) return ploy_rule_none();
        return ploy_rule_multi(slot->as.items + at, slot->count - ref->mark0);
    case PLOYI_REF_END: at = slot->count - 1 - at; break;
    default:
        for (int32_t i = ref->mark0; i < ref->mark1; i++) at += marks[2 * i + 1];
    }
    if (at < 0 || at >= slot->count) return ploy_rule_none();
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
    for (int i = 0; i < 2; i++) { // an end that is NaN is open
        double end =
            ends[i]->type == PLOY_RULE_INTEGER ? (double)ends[i]->as.integer : ends[i]->as.real;
        if (ends[i]->type != PLOY_RULE_INTEGER && ends[i]->type != PLOY_RULE_FLOAT) continue;
        bool inside =
            i == 0 ? (test->strict ? at > end : at >= end) : (test->strict ? at < end : at <= end);
        if (!inside) return false;
    }
    return true;
}

static inline bool match_test(const ploy_rules *rules, const ployi_test *test,
                              ployi_alpha *const *left, ployi_alpha *const *right) {
    bool holds = false;
    ploy_rule_value a_room, b_room;
    switch (test->kind) {
    case PLOY_RULE_SAME:
        holds = ployi_rule_same(ployi_ref_see(&test->a, left, right, &a_room),
                                ployi_ref_see(&test->b, left, right, &b_room));
        break;
    case PLOY_RULE_IS:
        holds = ployi_rule_same(ployi_ref_see(&test->a, left, right, &a_room), &test->value);
        break;
    case PLOY_RULE_RANGE:
        holds = match_in_range(test, ployi_ref_see(&test->a, left, right, &a_room));
        break;
    default: {
        if (test->pair != NULL) {
            const ployi_ref *refs = PLOYI_REF(rules->base, test->refs);
            if (test->pair(rules->def.user, ployi_ref_see(&refs[0], left, right, &a_room),
                           ployi_ref_see(&refs[1], left, right, &b_room), &holds)) {
                break;
            }
        }
        ploy_rule_frame frame = {rules, left, right, NULL};
        if (test->ref_count > 0) frame.refs = PLOYI_REF(rules->base, test->refs);
        ploy_rule_value answer = test->fn(&frame, test->data);
        if (test->kind == PLOY_RULE_HOLDS) {
            holds =
                answer.type != PLOY_RULE_SYMBOL || answer.as.text != rules->base->false_name.hash;
        } else {
            holds = ploy_rule_equal(ployi_ref_see(&test->a, left, right, &a_room), &answer);
        }
    }
    }
    return holds != (test->negated != 0);
}

bool ployi_match_tests(const ploy_rules *rules, ployi_span span, ployi_alpha *const *left,
                       ployi_alpha *const *right) {
    if (span.count == 0) return true; // there may be no tests at all to point at
    const ployi_test *test = PLOYI_TEST(rules->base, span.first), *end = test + span.count;
    if (span.count == 1) return match_test(rules, test, left, right);
    bool clause = false, group = true;
    for (; test < end; test++) {
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

static inline uint32_t match_hash(const ploy_rules *rules, ployi_span keys,
                                  ployi_alpha *const *binds) {
    const ployi_ref *ref = PLOYI_REF(rules->base, keys.first), *end = ref + keys.count;
    uint32_t hash = 0;
    for (; ref < end; ref++) {
        ploy_rule_value room;
        hash = ployi_rule_fold(ployi_ref_key(ref, binds, &room), hash + 1);
    }
    return hash;
}

uint32_t ployi_match_hash(const ploy_rules *rules, ployi_span keys, ployi_alpha *const *binds) {
    return match_hash(rules, keys, binds);
}

static inline bool match_agree(const ploy_rules *rules, const ployi_join *join,
                               const ployi_joined *left, ployi_pm *right) {
    // What the right side is: the fact itself, or the binds of a group's match.
    ployi_alpha *const fact[1] = {(ployi_alpha *)(void *)right};
    ployi_alpha *const *lefts = ployi_binds(left);
    ployi_alpha *const *rights =
        join->memory >= 0 ? fact : ployi_binds((const ployi_joined *)(void *)right);
    int32_t count = join->left_keys.count;
    if (count > 0) { // equal hashes are nearly always equal values, but not quite
        const ployi_ref *a = PLOYI_REF(rules->base, join->left_keys.first);
        const ployi_ref *b = PLOYI_REF(rules->base, join->right_keys.first);
        for (int32_t i = 0; i < count; i++, a++, b++) {
            ploy_rule_value a_room, b_room;
            if (!ployi_rule_same(ployi_ref_key(a, lefts, &a_room),
                                 ployi_ref_key(b, rights, &b_room))) {
                return false;
            }
        }
    }
    if (join->tests.count == 0) return true;
    if (join->tests.count > 1) return ployi_match_tests(rules, join->tests, lefts, rights);
    return match_test(rules, PLOYI_TEST(rules->base, join->tests.first), lefts, rights);
}

bool ployi_match_agree(const ploy_rules *rules, const ployi_join *join, const ployi_joined *left,
                       ployi_pm *right) {
    return match_agree(rules, join, left, right);
}

// ---- Memories -----------------------------------------------------------------------------------

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

static inline bool match_insert(ploy_rules *rules, ployi_memory *memory, ployi_pm *pm, bool tails,
                                bool hashed) {
    if (memory->size == 0 || (hashed && memory->count >= 2 * memory->size)) {
        match_grow(rules, memory, tails);
        if (memory->size == 0) return false;
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
    return true;
}

bool ployi_match_insert(ploy_rules *rules, ployi_memory *memory, ployi_pm *pm, bool tails,
                        bool hashed) {
    return match_insert(rules, memory, pm, tails, hashed);
}

static inline void match_take_out(ployi_memory *memory, ployi_pm *pm, bool tails) {
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

// ---- Blocking -----------------------------------------------------------------------------------

static void match_block(ployi_joined *left, ployi_pm *right) {
    left->blocker = right;
    left->prev_blocked = NULL;
    left->next_blocked = right->blocked;
    if (right->blocked != NULL) right->blocked->prev_blocked = left;
    right->blocked = left;
}

static void match_unblock(ployi_joined *left) {
    if (left->prev_blocked != NULL) {
        left->prev_blocked->next_blocked = left->next_blocked;
    } else {
        left->blocker->blocked = left->next_blocked;
    }
    if (left->next_blocked != NULL) left->next_blocked->prev_blocked = left->prev_blocked;
    left->blocker = NULL;
    left->next_blocked = left->prev_blocked = NULL;
}

static bool match_holds_going(const ployi_joined *joined) {
    ployi_alpha **binds = ployi_binds(joined);
    for (int32_t i = 0; i < joined->pm.count; i++) {
        if (binds[i] != NULL && binds[i]->pm.going) return true;
    }
    return false;
}

// True if a fact of a match is being retracted: it is going too, so nothing new is made with it and
// it blocks nothing any more. `fact`: it is a fact in a pattern's memory.
static inline bool match_going(const ploy_rules *rules, const ployi_pm *pm, bool fact) {
    if (fact) return pm->going != 0;
    return rules->retracting > 0 && match_holds_going((const ployi_joined *)(const void *)pm);
}

// ---- Driving down -------------------------------------------------------------------------------

static inline size_t match_joined_size(int32_t count, bool last) {
    return ployi_joined_size(count) + (last ? sizeof(ployi_activation) : 0);
}

// Two at a time, so that a compiler makes it one move and not a loop with a beginning and an end.
static inline void match_copy_binds(ployi_alpha **to, ployi_alpha *const *from, int32_t count) {
    int32_t i = 0;
    for (; i + 1 < count; i += 2) {
        ployi_alpha *a = from[i], *b = from[i + 1];
        to[i] = a;
        to[i + 1] = b;
    }
    if (i < count) to[i] = from[i];
}

PLOYI_INLINE void match_assert_left(ploy_rules *rules, ployi_joined *left, int32_t index,
                                    const ployi_join *join);

// Makes the match of a join's child. `last` and `tails` are constants where it is called, so that
// each kind of child has its own short code.
PLOYI_INLINE void match_make(ploy_rules *rules, ployi_joined *left, ployi_pm *right, int32_t index,
                             const ployi_join *child, bool last, bool tails) {
    int32_t count = left->pm.count + 1;
    ployi_joined *made = ployi_rules_take_quick(rules, match_joined_size(count, last));
    if (made == NULL) return;
    ployi_alpha **binds = ployi_binds(made);
    match_copy_binds(binds, ployi_binds(left), count - 1);
    binds[count - 1] = (ployi_alpha *)(void *)right;
    ployi_span keys = tails ? child->right_keys : child->left_keys;
    bool hashed = !last && keys.count > 0;
    made->pm.hash = hashed ? match_hash(rules, keys, binds) : 0;
    made->pm.owner = index;
    made->pm.side = last ? PLOYI_LAST : tails ? PLOYI_RIGHT : PLOYI_LEFT;
    made->pm.going = 0;
    made->pm.count = count;
    made->pm.children = NULL;
    made->pm.blocked = NULL;
    ployi_memory *memory = tails ? &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[index]
                                 : ployi_match_left(rules, index);
    if (!match_insert(rules, memory, &made->pm, tails, hashed)) {
        ployi_rules_give(rules, made, match_joined_size(count, last));
        return;
    }
    rules->tokens++;
    made->left_parent = left;
    made->prev_left = NULL;
    made->next_left = left->pm.children;
    if (left->pm.children != NULL) left->pm.children->prev_left = made;
    left->pm.children = made;
    made->right_parent = right;
    made->prev_right = made->next_right = NULL;
    if (right != NULL) {
        made->next_right = right->children;
        if (right->children != NULL) right->children->prev_right = made;
        right->children = made;
    }
    made->supports = NULL;
    made->blocker = NULL;
    made->next_blocked = made->prev_blocked = NULL;
    if (last) {
        made->activation = NULL;
        if (child->rule >= 0) ployi_agenda_add(rules, child->rule, made);
    } else if (tails) {
        ployi_match_assert_right(rules, &made->pm, index);
    } else {
        match_assert_left(rules, made, index, child);
    }
}

// One function for each kind of child; joins call each other through these alone.
PLOYI_OUTLINE void match_make_last(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                                   int32_t index, const ployi_join *child) {
    match_make(rules, left, right, index, child, true, false);
}
PLOYI_OUTLINE void match_make_left(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                                   int32_t index, const ployi_join *child) {
    match_make(rules, left, right, index, child, false, false);
}
PLOYI_OUTLINE void match_make_right(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                                    int32_t index, const ployi_join *child) {
    match_make(rules, left, right, index, child, false, true);
}

static inline void match_drive_to(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                                  const ployi_link *link) {
    int32_t index = link->join;
    if (index >= rules->known_joins) return; // added to the base, not yet taken in
    const ployi_join *child = PLOYI_JOINS(rules->base, index);
    if (child->kind == PLOYI_TERMINAL) {
        match_make_last(rules, left, right, index, child);
    } else if (link->side == PLOYI_LEFT) {
        match_make_left(rules, left, right, index, child);
    } else {
        match_make_right(rules, left, right, index, child);
    }
}

void ployi_match_drive_to(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                          const ployi_link *link) {
    match_drive_to(rules, left, right, link);
}

PLOYI_INLINE void match_drive(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                              const ployi_join *join) {
    for (int32_t at = join->link; at >= 0;) {
        const ployi_link *link = PLOYI_LINK(rules->base, at);
        at = link->next;
        match_drive_to(rules, left, right, link);
        if (rules->fault != PLOY_OK) return;
    }
}

// Passes on what a negation or existence lets through, if the tests after it hold.
PLOYI_INLINE void match_drive_alone(ploy_rules *rules, ployi_joined *left, const ployi_join *join) {
    if (join->after.count > 0 &&
        !ployi_match_tests(rules, join->after, ployi_binds(left), ployi_binds(left))) {
        return;
    }
    match_drive(rules, left, NULL, join);
}

void ployi_match_drive_alone(ploy_rules *rules, ployi_joined *left, const ployi_join *join) {
    match_drive_alone(rules, left, join);
}

PLOYI_INLINE void match_assert_left(ploy_rules *rules, ployi_joined *left, int32_t index,
                                    const ployi_join *join) {
    if (join->kind == PLOYI_PRIME) {
        if (ployi_match_tests(rules, join->tests, ployi_binds(left), ployi_binds(left))) {
            match_drive(rules, left, NULL, join);
        }
        return;
    }
    uint32_t hash = left->pm.hash;
    bool facts = join->memory >= 0;
    ployi_pm *right = ployi_match_chain(ployi_match_right(rules, join, index), hash);
    for (; right != NULL; right = right->next) {
        if (right->hash != hash || match_going(rules, right, facts)) continue;
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

void ployi_match_assert_left(ploy_rules *rules, ployi_joined *left, int32_t index) {
    match_assert_left(rules, left, index, PLOYI_JOINS(rules->base, index));
}

static void match_remove_children(ploy_rules *rules, ployi_joined *parent);

void ployi_match_assert_right(ploy_rules *rules, ployi_pm *right, int32_t index) {
    const ployi_join *join = PLOYI_JOINS(rules->base, index);
    uint32_t hash = right->hash;
    ployi_pm *next = NULL;
    for (ployi_pm *at = ployi_match_chain(ployi_match_left(rules, index), hash); at != NULL;
         at = next) {
        next = at->next;
        if (at->hash != hash) continue;
        ployi_joined *left = (ployi_joined *)(void *)at;
        if (join->kind == PLOYI_JOIN) {
            if (match_agree(rules, join, left, right)) match_drive(rules, left, right, join);
        } else if (left->blocker == NULL && match_agree(rules, join, left, right)) {
            match_block(left, right);
            if (join->kind == PLOYI_EXISTS) {
                ployi_match_drive_alone(rules, left, join);
            } else if (left->pm.children != NULL) {
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
        ployi_joined *left = right->blocked;
        const ployi_join *join = PLOYI_JOINS(rules->base, left->pm.owner);
        match_unblock(left);
        ployi_pm *other = right->next;
        while (other != NULL &&
               (other->hash != left->pm.hash || match_going(rules, other, join->memory >= 0) ||
                !match_agree(rules, join, left, other))) {
            other = other->next;
        }
        if (other != NULL) {
            match_block(left, other);
        } else if (join->kind == PLOYI_EXISTS) {
            if (left->pm.children != NULL) match_remove_children(rules, left);
        } else if (rules->fault == PLOY_OK && !match_going(rules, &left->pm, false)) {
            ployi_match_drive_alone(rules, left, join);
        }
    }
}

// Takes a match without children out of everything and frees it.
static inline void match_free(ploy_rules *rules, ployi_joined *match) {
    bool last = match->pm.side == PLOYI_LAST, tails = match->pm.side == PLOYI_RIGHT;
    if (last) {
        if (match->activation != NULL) ployi_agenda_remove(rules, match->activation);
    } else if (match->blocker != NULL) {
        match_unblock(match);
    }
    match_take_out(tails ? &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[match->pm.owner]
                         : ployi_match_left(rules, match->pm.owner),
                   &match->pm, tails);
    if (match->prev_left != NULL) {
        match->prev_left->next_left = match->next_left;
    } else {
        match->left_parent->pm.children = match->next_left;
    }
    if (match->next_left != NULL) match->next_left->prev_left = match->prev_left;
    if (match->right_parent != NULL) {
        if (match->prev_right != NULL) {
            match->prev_right->next_right = match->next_right;
        } else {
            match->right_parent->children = match->next_right;
        }
        if (match->next_right != NULL) match->next_right->prev_right = match->prev_right;
    }
    if (match->supports != NULL) ployi_support_drop_match(rules, match);
    rules->tokens--;
    // What it asserts from now on has no ground any more.
    if (rules->firing_logical == match) rules->firing_logical = NULL;
    ployi_rules_give_quick(rules, match, match_joined_size(match->pm.count, last));
}

// Everything below, the deepest first. Not recursive in the depth of the network's chains.
static void match_remove_children(ploy_rules *rules, ployi_joined *parent) {
    ployi_joined *at = parent->pm.children;
    while (at != NULL) {
        if (at->pm.children != NULL) {
            at = at->pm.children;
            continue;
        }
        ployi_joined *up = at->left_parent;
        if (at->pm.blocked != NULL) match_release_blocked(rules, &at->pm);
        ployi_joined *next = at->next_left;
        match_free(rules, at);
        if (next != NULL) {
            at = next;
        } else if (up == parent) {
            at = parent->pm.children; // what a release may have added
        } else {
            at = up;
        }
    }
}

static void match_remove_alpha(ploy_rules *rules, ployi_alpha *alpha) {
    ployi_pm *right = &alpha->pm;
    while (right->children != NULL) {
        ployi_joined *match = right->children;
        if (match->pm.children != NULL) match_remove_children(rules, match);
        if (match->pm.blocked != NULL) match_release_blocked(rules, &match->pm);
        match_free(rules, match);
    }
    if (right->blocked != NULL) match_release_blocked(rules, right);
    match_take_out(&PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[right->owner], right, true);
    rules->matches--;
    ployi_rules_give(rules, alpha, sizeof *alpha + (size_t)alpha->mark_count * 2 * sizeof(int32_t));
}

void ployi_rules_unmatch(ploy_rules *rules, ploy_fact *fact) {
    rules->busy++;
    rules->retracting++;
    for (ployi_alpha *at = fact->matches; at != NULL; at = at->next_of_fact) at->pm.going = 1;
    while (fact->matches != NULL) {
        ployi_alpha *alpha = fact->matches;
        fact->matches = alpha->next_of_fact;
        match_remove_alpha(rules, alpha);
    }
    rules->retracting--;
    rules->busy--;
}
