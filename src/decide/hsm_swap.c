// Exchange of a hierarchical machine's definition while it runs, matched by the states' ids.
#include "hsm_internal.h"

#include <string.h>

static uint32_t hsm_swap_match(const ploy_hsm_type *from, const ploy_hsm_type *to,
                               uint32_t number) {
    ploy_hsm_state state = {number};
    return ploy_hsm_type_find(to, ploy_hsm_type_id(from, state)).number;
}

static bool hsm_swap_same_maker(const ployi_hsm_node *a, const ployi_hsm_node *b) {
    return a->maker >= 0 && b->maker >= 0 && ploy_maker_equal(a->inside, b->inside);
}

// Fills fresh->active with what goes on: from the outermost inward, one child of a compound state.
// Those of the old machine that go on are taken off `leave`.
static int32_t hsm_swap_keep(const ploy_hsm *old, ploy_hsm *fresh, uint64_t *leave) {
    int32_t kept = 0;
    for (uint32_t i = 1; i < (uint32_t)fresh->type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(fresh->type, i);
        uint32_t match = hsm_swap_match(fresh->type, old->type, i);
        if (match == 0 || !ployi_hsm_has(old->active, match)) continue;
        if (node->kind >= PLOY_HSM_HISTORY) continue;
        if (node->parent != 0 && !ployi_hsm_has(fresh->active, node->parent)) continue;
        const ployi_hsm_node *parent = ployi_hsm_node_at(fresh->type, node->parent);
        bool taken = false; // another child of a compound state goes on already
        for (uint32_t k = node->parent + 1; k < i && parent->kind == PLOY_HSM_STATE;
             k = ployi_hsm_node_at(fresh->type, k)->last + 1) {
            taken = taken || ployi_hsm_has(fresh->active, k);
        }
        if (taken) continue;
        ployi_hsm_put(fresh->active, i);
        ployi_hsm_drop(leave, match);
        kept++;
    }
    return kept;
}

// The behaviors of states that go on are handed over; of the others, those that run are exited.
// States that go on and had no behavior before are put into `begin`.
static void hsm_swap_move_insides(ploy_hsm *old, ploy_hsm *fresh, ploy_step_context *context,
                                  uint64_t *begin) {
    for (uint32_t i = 1; i < (uint32_t)fresh->type->nodes.count; i++) {
        const ployi_hsm_node *to = ployi_hsm_node_at(fresh->type, i);
        if (!ployi_hsm_has(fresh->active, i) || to->maker < 0) continue;
        uint32_t match = hsm_swap_match(fresh->type, old->type, i);
        const ployi_hsm_node *from = ployi_hsm_node_at(old->type, match);
        if (from->maker < 0) {
            ployi_hsm_put(begin, i);
            continue;
        }
        ploy_hsm_state state = {i};
        ploy_result result = ploy_nested_hand_over(
            &old->insides[from->maker], &fresh->insides[to->maker], hsm_swap_same_maker(from, to),
            &fresh->env, ploy_hsm_type_id(fresh->type, state), context, NULL);
        if (result == PLOY_OK) continue;
        // The machine is half exchanged by now: without memory for the hand-over it restarts.
        ploy_env_log(&fresh->env, PLOY_SEVERITY_WARNING,
                     "no memory to hand a nested behavior over: it restarts");
        ployi_hsm_put(begin, i);
    }
    for (int32_t i = 0; i < old->type->makers; i++) {
        ploy_nested_exit(&old->insides[i], context, PLOY_EXIT_REPLACED);
    }
}

// What histories remember, where all of it still lies in the history's parent.
static void hsm_swap_move_histories(const ploy_hsm *old, ploy_hsm *fresh) {
    for (uint32_t i = 1; i < (uint32_t)old->type->nodes.count; i++) {
        const ployi_hsm_node *from = ployi_hsm_node_at(old->type, i);
        uint32_t match = hsm_swap_match(old->type, fresh->type, i);
        if (from->history < 0 || match == 0) continue;
        const ployi_hsm_node *to = ployi_hsm_node_at(fresh->type, match);
        if (to->kind != from->kind) continue;
        const uint64_t *remembered = ployi_hsm_history(old, from);
        uint64_t *out = ployi_hsm_history(fresh, to);
        bool whole = true;
        for (uint32_t k = 1; k < (uint32_t)old->type->nodes.count && whole; k++) {
            if (!ployi_hsm_has(remembered, k)) continue;
            uint32_t state = hsm_swap_match(old->type, fresh->type, k);
            whole = state != 0 && ployi_hsm_within(fresh->type, state, to->parent) &&
                    ployi_hsm_node_at(fresh->type, state)->kind < PLOY_HSM_HISTORY;
            if (whole) ployi_hsm_put(out, state);
        }
        if (!whole) memset(out, 0, (size_t)fresh->words * sizeof *out);
    }
}

// Moves what waits; false if not all of it has room.
static bool hsm_swap_move_queue(const ploy_hsm *old, const ployi_hsm_queue *from,
                                const ploy_hsm *fresh, ployi_hsm_queue *to) {
    int32_t room = fresh->type->def.queue;
    for (int32_t i = 0; i < from->count && i < room; i++) {
        to->events[i] = from->events[(from->first + i) % old->type->def.queue];
        to->count++;
    }
    return from->count <= room;
}

static bool hsm_swap_move_events(const ploy_hsm *old, ploy_hsm *fresh) {
    bool inner = hsm_swap_move_queue(old, &old->inner, fresh, &fresh->inner);
    bool outer = hsm_swap_move_queue(old, &old->outer, fresh, &fresh->outer);
    int32_t room = fresh->type->def.queue;
    for (int32_t i = 0; i < old->later_count && i < room; i++) {
        fresh->later[fresh->later_count++] = old->later[i];
    }
    return inner && outer && old->later_count <= room;
}

// Puts the new block in place of the old one.
static void hsm_swap_publish(ploy_hsm *hsm, const ploy_hsm *fresh) {
    ployi_hsm_free_block(hsm);
    *hsm = *fresh;
}

// Goes on in the new type with the states that are in both; the others are left and entered.
static ploy_result hsm_swap_go_on(ploy_hsm *hsm, ploy_hsm *fresh, ploy_step_context *context,
                                  int32_t *kept) {
    // No set is in use between steps; entering needs those before the last.
    uint64_t *leave = hsm->scratch;
    uint64_t *begin = fresh->scratch + (size_t)(PLOYI_HSM_SETS - 1) * (size_t)fresh->words;
    memcpy(leave, hsm->active, (size_t)hsm->words * sizeof *leave);
    *kept = hsm_swap_keep(hsm, fresh, leave);
    hsm->busy = true;
    hsm->result = PLOY_OK;
    ployi_hsm_exit_set(hsm, context, leave, PLOY_EXIT_REPLACED);
    hsm_swap_move_insides(hsm, fresh, context, begin);
    hsm_swap_move_histories(hsm, fresh);
    if (!hsm_swap_move_events(hsm, fresh)) ployi_hsm_note(hsm, PLOY_ERR_CAPACITY);
    fresh->result = hsm->result;
    fresh->busy = true;
    fresh->started = true;
    hsm_swap_publish(hsm, fresh);
    ployi_hsm_fill(hsm, context);
    for (uint32_t i = 1; i < (uint32_t)hsm->type->nodes.count; i++) {
        if (ployi_hsm_has(begin, i)) ployi_hsm_enter_inside(hsm, context, i);
    }
    hsm->busy = false;
    return hsm->result;
}

ploy_result ploy_hsm_swap(ploy_hsm *hsm, ploy_step_context *context, const ploy_hsm_type *type,
                          int32_t *kept) {
    if (hsm == NULL || context == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished || hsm->busy) return PLOY_ERR_STATE;
    int32_t room = type->def.queue;
    if (hsm->inner.count > room || hsm->outer.count > room || hsm->later_count > room) {
        return PLOY_ERR_CAPACITY;
    }
    ploy_hsm fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.env = hsm->env;
    fresh.type = type;
    fresh.owner = hsm->owner;
    ploy_result result = ployi_hsm_make_block(&fresh);
    if (result != PLOY_OK) return result;
    fresh.changes = hsm->changes + 1;
    bool started = hsm->started;
    bool levels = hsm->type->def.policy != PLOY_HSM_SCXML || type->def.policy != PLOY_HSM_SCXML;
    int32_t count = 0;
    if (started && !levels) {
        result = hsm_swap_go_on(hsm, &fresh, context, &count);
    } else if (started) {
        ploy_behavior_exit(ploy_hsm_behavior(hsm), context, PLOY_EXIT_REPLACED);
        hsm_swap_publish(hsm, &fresh);
        result = ploy_behavior_enter(ploy_hsm_behavior(hsm), context);
    } else {
        (void)hsm_swap_move_events(hsm, &fresh); // there is room, as was seen
        hsm_swap_publish(hsm, &fresh);
    }
    if (kept != NULL) *kept = count;
    return result;
}
