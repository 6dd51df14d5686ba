// Which rule of a state machine fires: the arbiters, and what they write to the trace.
#include <math.h>

#include "fsm_internal.h"

// Why a rule is no candidate now, or NULL. Sets target and leaf if it is one.
static const char *fsm_choose_refuse(ploy_fsm *fsm, const ployi_fsm_link *link,
                                     const ploy_moment *moment, ployi_fsm_choice *out) {
    const ploy_fsm_type *type = fsm->type;
    const ploy_fsm_rule *rule = &link->rule;
    uint32_t *to = &out->to;
    *to = rule->to.number;
    out->leaf = NULL;
    if (rule->from.number == 0 && *to == fsm->current && *to != 0) return "already there";
    if (link->level > 0 && ployi_fsm_item_at(type, fsm->current)->level >= link->level) {
        return "a higher alarm is answered";
    }
    if (rule->effect == PLOY_FSM_PUSH && fsm->depth >= type->def.stack) return "the stack is full";
    if (rule->effect == PLOY_FSM_POP) {
        if (fsm->depth == 0) return "nothing was put aside";
        *to = fsm->stack[fsm->depth - 1];
    }
    if (rule->effect == PLOY_FSM_REVERT) {
        if (fsm->previous == 0) return "there is no state before";
        *to = fsm->previous;
    }
    if (!ploy_condition_test(type->conditions, rule->when, moment)) return "does not hold";
    if (link->tree < 0) return NULL;
    uint32_t leaf = ploy_decision_evaluate(fsm->decisions[link->tree], moment).number;
    if (leaf == 0) return "the tree says stay";
    out->leaf =
        &PLOY_ARRAY_ITEMS(&type->targets, ployi_fsm_target)[link->targets + (int32_t)leaf - 1];
    *to = out->leaf->to;
    // A tree that names the present state leaves it alone, as no action would.
    return *to == fsm->current ? "the tree says stay" : NULL;
}

// The measure by which the best candidate wins; among equals the first does.
static double fsm_choose_score(const ploy_fsm *fsm, int32_t index, const ploy_moment *moment,
                               int32_t candidates) {
    const ployi_fsm_link *link = ployi_fsm_link_at(fsm->type, index);
    switch (fsm->type->def.arbiter) {
    case PLOY_FSM_FIRST: return -(double)candidates;
    case PLOY_FSM_LAST: return (double)candidates;
    case PLOY_FSM_LEAST_RECENT: return -(double)fsm->fired[index];
    case PLOY_FSM_MOST_SPECIFIC: return (double)link->size;
    case PLOY_FSM_SCORE:
        return (double)ploy_score_value(fsm->type->conditions, link->rule.score, moment);
    case PLOY_FSM_RANDOM: {
        ploy_rng_key key = ploy_rng_key_split(moment->context->key, link->id.hash);
        uint32_t agent = moment->context->agent.id.index;
        return ploy_rng_float_at(key, agent, moment->context->tick, 0);
    }
    }
    return 0.0;
}

// The first rule that holds, without a message and a trace: what almost every step asks.
static ployi_fsm_choice fsm_choose_first(ploy_fsm *fsm, ploy_step_context *context) {
    const ploy_fsm_type *type = fsm->type;
    const ployi_fsm_item *item = ployi_fsm_item_at(type, fsm->current);
    const ployi_fsm_quick *quick = PLOY_ARRAY_ITEMS(&type->quick, ployi_fsm_quick) + item->first;
    const ployi_fsm_quick *end = quick + item->count;
    ploy_moment moment = {context, NULL, fsm->elapsed, ployi_fsm_status(fsm), NULL};
    const ploy_blackboard *board = context->blackboard;
    // As a condition, a key of another layout's board does not hold.
    if (board != NULL && ploy_blackboard_layout_of(board) != type->layout) board = NULL;
    ployi_fsm_choice choice = {-1, 0, NULL};
    for (; quick != end; quick++) {
        if (quick->plain) {
            bool holds = ploy_slot_is_none(quick->slot)
                             ? ploy_condition_test(type->conditions, quick->when, &moment)
                             : (board != NULL && ploy_blackboard_get_bool(board, quick->slot)) ==
                                   quick->want;
            if (!holds) continue;
            choice.to = quick->to;
        } else {
            if (quick->message) continue;
            const ployi_fsm_link *link = ployi_fsm_link_at(type, quick->link);
            if (fsm_choose_refuse(fsm, link, &moment, &choice) != NULL) continue;
        }
        choice.rule = quick->link;
        break;
    }
    return choice;
}

ployi_fsm_choice ployi_fsm_choose(ploy_fsm *fsm, ploy_step_context *context,
                                  const ploy_message *message) {
    const ploy_fsm_type *type = fsm->type;
    const ployi_fsm_item *item = ployi_fsm_item_at(type, fsm->current);
    ployi_fsm_choice choice = {-1, 0, NULL};
    if (item->count == 0) return choice;
    if (type->def.arbiter == PLOY_FSM_FIRST && message == NULL && context->trace == NULL) {
        return fsm_choose_first(fsm, context);
    }
    ploy_moment now = {context, message, fsm->elapsed, ployi_fsm_status(fsm), NULL};
    const ploy_moment *moment = &now;
    const int32_t *order = PLOY_ARRAY_ITEMS(&type->order, int32_t) + item->first;
    ploy_name on = {0};
    if (message != NULL) on = message->kind;
    ploy_trace *trace = context->trace;
    int32_t best = -1, candidates = 0;
    double best_score = 0.0;
    if (trace != NULL) {
        ploy_trace_begin(trace, context->agent, "transition", "state machine");
        ploy_trace_text(trace, "state", ployi_build_text(&type->build, item->id));
    }
    for (int32_t k = 0; k < item->count; k++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, order[k]);
        if (!ploy_name_equal(link->on, on)) continue;
        const char *name = trace != NULL ? ployi_build_text(&type->build, link->id) : "";
        if (best >= 0 && type->def.arbiter == PLOY_FSM_FIRST) {
            if (trace == NULL) break;
            ploy_trace_option(trace, name, PLOY_OUTCOME_SKIPPED, (double)NAN, "one fired before");
            continue;
        }
        ployi_fsm_choice candidate = {order[k], 0, NULL};
        const char *refused = fsm_choose_refuse(fsm, link, moment, &candidate);
        if (refused != NULL) {
            ploy_trace_option(trace, name, PLOY_OUTCOME_REJECTED, (double)NAN, refused);
            continue;
        }
        double score = fsm_choose_score(fsm, order[k], moment, candidates++);
        if (isnan(score)) score = -HUGE_VAL; // a score that is NaN loses to every other
        bool better = best < 0 || score > best_score;
        if (trace != NULL && better && best >= 0) {
            const ployi_fsm_link *loser = ployi_fsm_link_at(type, best);
            ploy_trace_option(trace, ployi_build_text(&type->build, loser->id), PLOY_OUTCOME_LOST,
                              best_score, "another was better");
        }
        if (!better) {
            ploy_trace_option(trace, name, PLOY_OUTCOME_LOST, score, "another was better");
            continue;
        }
        best = order[k];
        best_score = score;
        choice = candidate;
    }
    if (trace != NULL) {
        if (best >= 0) {
            const ployi_fsm_link *link = ployi_fsm_link_at(type, best);
            ploy_trace_option(trace, ployi_build_text(&type->build, link->id), PLOY_OUTCOME_WON,
                              best_score, "fires");
        }
        ploy_trace_end(trace);
    }
    return choice;
}
