// Exchange of a state machine's definition while it runs, matched by the states' ids.
#include "fsm_internal.h"

#include <string.h>

// The state of the new type with the same id, or 0.
static uint32_t fsm_swap_match(const ploy_fsm *fsm, const ploy_fsm_type *type, uint32_t number) {
    ploy_fsm_state state = {number};
    return ploy_fsm_type_find(type, ploy_fsm_type_id(fsm->type, state)).number;
}

// Moves private bytes and behaviors of states that are in both types, and the states put aside.
static void fsm_swap_move(ploy_fsm *old, ploy_fsm *fresh) {
    for (uint32_t i = 1; i <= (uint32_t)old->type->items.count; i++) {
        uint32_t match = fsm_swap_match(old, fresh->type, i);
        if (match == 0) continue;
        const ployi_fsm_item *from = ployi_fsm_item_at(old->type, i);
        const ployi_fsm_item *to = ployi_fsm_item_at(fresh->type, match);
        if (from->data_size > 0 && from->data_size == to->data_size) {
            memcpy(fresh->data + to->data_at, old->data + from->data_at, from->data_size);
        }
        if (from->maker < 0 || to->maker < 0 || !ploy_maker_equal(from->inside, to->inside)) {
            continue;
        }
        ploy_nested kept = old->insides[from->maker];
        old->insides[from->maker] = fresh->insides[to->maker];
        fresh->insides[to->maker] = kept;
    }
    for (int32_t i = 0; i < old->depth; i++) {
        uint32_t match = fsm_swap_match(old, fresh->type, old->stack[i]);
        if (match != 0 && fresh->depth < fresh->type->def.stack) {
            fresh->stack[fresh->depth++] = match;
        }
    }
}

// The behavior of the state that goes on, if the makers differ. Before anything else is moved, so
// that a failure changes nothing.
static ploy_result fsm_swap_inside(ploy_fsm *old, ploy_fsm *fresh, ploy_step_context *context) {
    const ployi_fsm_item *from = ployi_fsm_item_at(old->type, old->current);
    const ployi_fsm_item *to = ployi_fsm_item_at(fresh->type, fresh->current);
    ploy_nested none;
    memset(&none, 0, sizeof none);
    ploy_nested *left = from->maker >= 0 ? &old->insides[from->maker] : &none;
    ploy_nested *right = to->maker >= 0 ? &fresh->insides[to->maker] : &none;
    if (from->maker >= 0 && to->maker >= 0 && ploy_maker_equal(from->inside, to->inside)) {
        return PLOY_OK; // moved with the others
    }
    ploy_fsm_state state = {fresh->current};
    const char *id = ploy_fsm_type_id(fresh->type, state);
    if (from->maker < 0 && to->maker >= 0) {
        (void)ploy_nested_enter(right, &fresh->env, id, context);
        return PLOY_OK;
    }
    return ploy_nested_hand_over(left, right, false, &fresh->env, id, context, NULL);
}

ploy_result ploy_fsm_swap(ploy_fsm *fsm, ploy_step_context *context, const ploy_fsm_type *type,
                          bool keep, bool *kept) {
    if (context == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    // A hook or a behavior of the old type is under way: it must not return into another one.
    if (!type->build.finished || fsm->leaving || fsm->busy || fsm->stepping || fsm->nesting > 0) {
        return PLOY_ERR_STATE;
    }
    ploy_fsm fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.env = fsm->env;
    fresh.type = type;
    fresh.owner = fsm->owner;
    fresh.last = -1;
    ploy_result result = ployi_fsm_make_block(&fresh);
    if (result != PLOY_OK) return result;
    uint32_t match = keep && fsm->started ? fsm_swap_match(fsm, type, fsm->current) : 0;
    fresh.changes = fsm->changes + 1;
    if (match == 0) {
        if (kept != NULL) *kept = false;
        bool started = fsm->started;
        ployi_fsm_exit(fsm, context, PLOY_EXIT_REPLACED);
        ployi_fsm_free_block(fsm);
        *fsm = fresh;
        return started ? ployi_fsm_enter(fsm, context) : PLOY_OK;
    }
    fresh.current = match;
    result = fsm_swap_inside(fsm, &fresh, context);
    if (result != PLOY_OK) {
        ployi_fsm_free_block(&fresh);
        return result;
    }
    if (kept != NULL) *kept = true;
    fsm_swap_move(fsm, &fresh);
    if (fsm->previous != 0) fresh.previous = fsm_swap_match(fsm, type, fsm->previous);
    fresh.elapsed = fsm->elapsed;
    fresh.started = true;
    ployi_fsm_free_block(fsm);
    *fsm = fresh;
    return PLOY_OK;
}
