// Groups: hierarchical scheduling, and many agents as one.
//
// Invariants, between calls:
//   (1) a place in use has a behavior with a type and an item in the scheduler, enabled unless the
//       member has ended;
//   (2) a member that is entered has entered and not exited; no other has;
//   (3) ran is set from a member's turn until the group's commit, for entered ones only;
//   (4) no place below free_from is free.
#include "group_internal.h"

#include <stdio.h>
#include <string.h>

static const ploy_field group_member_fields[] = {
    PLOY_FIELD_DEF(ploy_group_member, schedule, ploy_schedule_fields, "in turns of the group"),
    PLOY_FIELD_BOOL(ploy_group_member, once, false, "when finished, stays so"),
};

ploy_group_member ploy_group_member_default(void) {
    ploy_group_member member;
    ploy_fields_default(ploy_group_member_fields(), &member);
    return member;
}

ploy_fields ploy_group_member_fields(void) {
    return PLOY_FIELDS(ploy_group_member, group_member_fields);
}

ploy_result ploy_group_create(const ploy_scheduler_def *def, const ploy_env *env,
                              ploy_group **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_group *group = ploy_env_alloc_zero(env, sizeof *group);
    if (group == NULL) return PLOY_ERR_MEMORY;
    group->env = *env;
    ploy_result result = ploy_scheduler_create(def, env, &group->scheduler);
    if (result != PLOY_OK) {
        ploy_env_free(env, group, sizeof *group);
        return result;
    }
    *out = group;
    return PLOY_OK;
}

// A context for a hook outside a step of the group.
static ploy_step_context group_no_context(void) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    return context;
}

// What a member sees of the group's context.
ploy_step_context ployi_group_context(const ployi_group_place *place,
                                      const ploy_step_context *outer) {
    ploy_step_context own = *outer;
    if (ploy_id_is_none(place->agent.id)) return own;
    own.agent = place->agent;
    own.blackboard = place->blackboard;
    return own;
}

static void group_exit(ployi_group_place *place, const ploy_step_context *outer,
                       ploy_exit_reason reason) {
    if (!place->entered) return;
    place->entered = false;
    place->ran = false; // keeps (3)
    ploy_step_context context = ployi_group_context(place, outer);
    ploy_behavior_exit(place->behavior, &context, reason);
}

// The scheduler is lent to the game, so it may have items that are no members.
static bool group_is_member(const ploy_group *group, int32_t index) {
    return ploy_range_within(index, 1, group->capacity) &&
           group->places[index].behavior.type != NULL;
}

static void group_free_place(ployi_group_place *place) {
    ploy_step_context context = group_no_context();
    group_exit(place, &context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(place->behavior);
    memset(place, 0, sizeof *place);
}

void ploy_group_destroy(ploy_group *group) {
    if (group == NULL) return;
    ploy_env env = group->env;
    group->busy = true; // an addition in an exit hook is refused
    for (int32_t i = 0; i < group->capacity; i++) {
        if (group->places[i].behavior.type != NULL) group_free_place(&group->places[i]);
    }
    ploy_scheduler_destroy(group->scheduler);
    ploy_env_free(&env, group->places, (size_t)group->capacity * sizeof *group->places);
    ploy_env_free(&env, group, sizeof *group);
}

static ploy_result group_grow(ploy_group *group) {
    int32_t capacity = group->capacity > 0 ? group->capacity * 2 : PLOY_CAPACITY(8);
    if (group->capacity > PLOY_SCHEDULER_ITEMS_MAX / 2) return PLOY_ERR_MEMORY;
    size_t old = (size_t)group->capacity * sizeof *group->places;
    size_t size = (size_t)capacity * sizeof *group->places;
    ployi_group_place *places = ploy_env_resize(&group->env, group->places, old, size);
    if (places == NULL) return PLOY_ERR_MEMORY;
    memset(places + group->capacity, 0, size - old);
    group->places = places;
    group->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_group_add(ploy_group *group, const ploy_group_member *member, int32_t *index) {
    if (group == NULL || member == NULL) return PLOY_ERR_ARGUMENT;
    if (group->busy) return PLOY_ERR_STATE;
    ploy_result result = ploy_fields_check(ploy_group_member_fields(), member, &group->env);
    if (result != PLOY_OK) return result;
    if (member->behavior.type == NULL || member->behavior.type->step == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t at = group->free_from;
    while (at < group->capacity && group->places[at].behavior.type != NULL) at++;
    group->free_from = at;
    if (at == group->capacity) result = group_grow(group);
    if (result == PLOY_OK) result = ploy_scheduler_add(group->scheduler, at, &member->schedule);
    if (result != PLOY_OK) return result;
    ployi_group_place *place = &group->places[at];
    place->behavior = member->behavior;
    place->once = member->once;
    place->agent = member->agent;
    place->blackboard = member->blackboard;
    place->name = member->name;
    group->count++;
    group->free_from++; // keeps (4)
    if (index != NULL) *index = at;
    return PLOY_OK;
}

ploy_result ploy_group_remove(ploy_group *group, int32_t index) {
    if (group == NULL) return PLOY_ERR_ARGUMENT;
    if (group->busy) return PLOY_ERR_STATE;
    if (!group_is_member(group, index)) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_scheduler_remove(group->scheduler, index);
    if (result != PLOY_OK) return result;
    group->busy = true;
    group_free_place(&group->places[index]);
    group->busy = false;
    group->count--;
    if (index < group->free_from) group->free_from = index;
    return PLOY_OK;
}

int32_t ploy_group_count(const ploy_group *group) {
    return group->count;
}

ploy_result ploy_group_get(const ploy_group *group, int32_t index, ploy_group_info *out) {
    if (!group_is_member(group, index)) return PLOY_ERR_NOT_FOUND;
    const ployi_group_place *place = &group->places[index];
    memset(out, 0, sizeof *out);
    out->behavior = place->behavior;
    out->agent = place->agent;
    out->entered = place->entered;
    out->ended = place->ended;
    out->status = place->status;
    out->result = place->result;
    out->waited = place->entered ? (float)(group->clock - place->since) : 0.0f;
    return PLOY_OK;
}

ploy_scheduler *ploy_group_scheduler(ploy_group *group) {
    return group->scheduler;
}

// ---- as a behavior

static void group_stop(ploy_group *group, int32_t index, const ploy_step_context *outer,
                       ploy_result error) {
    ployi_group_place *place = &group->places[index];
    place->ended = true;
    place->result = error;
    ploy_scheduler_set_enabled(group->scheduler, index, false);
    group_exit(place, outer, PLOY_EXIT_ERROR);
}

// All may have turns again; each enters in the first of them.
ploy_result ployi_group_enter(void *self, ploy_step_context *context) {
    ploy_group *group = self;
    for (int32_t i = 0; i < group->capacity; i++) {
        ployi_group_place *place = &group->places[i];
        if (place->behavior.type == NULL) continue;
        place->ended = false;
        place->result = PLOY_OK;
        place->status = PLOY_STATUS_RUNNING;
        place->told = false;
        ploy_scheduler_set_enabled(group->scheduler, i, true);
    }
    (void)context;
    return PLOY_OK;
}

// What a turn may spend: its units, before the group's own deadline if there is one.
static ploy_budget group_budget(const ploy_budget *whole, int64_t units) {
    if (whole == NULL) return ploy_budget_units(units);
    ploy_budget budget = *whole;
    budget.units = units;
    budget.spent = 0;
    budget.check_at = 0;
    return budget;
}

static void group_turn(ploy_group *group, ploy_turn turn, ploy_step_context *outer) {
    if (!group_is_member(group, turn.item)) {
        ploy_scheduler_report(group->scheduler, turn.item, 1);
        return;
    }
    ployi_group_place *place = &group->places[turn.item];
    ploy_step_context context = ployi_group_context(place, outer);
    ploy_budget budget = group_budget(outer->budget, turn.allowed);
    bool limited = outer->budget != NULL || turn.allowed != PLOY_BUDGET_UNLIMITED;
    context.budget = limited ? &budget : NULL;
    ploy_result result = PLOY_OK;
    bool enters = !place->entered;
    if (enters) place->since = group->clock - (double)outer->dt;
    context.dt = (float)(group->clock - place->since);
    if (enters) {
        place->entered = true;
        result = ploy_behavior_enter(place->behavior, &context);
    }
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_arena_mark mark = {0};
    if (context.scratch != NULL) mark = ploy_arena_mark_of(context.scratch);
    if (result == PLOY_OK) result = ploy_behavior_step(place->behavior, &context, &status);
    if (context.scratch != NULL) ploy_arena_rewind(context.scratch, mark);
    int64_t cost = budget.spent > 1 ? budget.spent : 1;
    ploy_scheduler_report(group->scheduler, turn.item, cost);
    ploy_budget_spend(outer->budget, cost);
    place->since = group->clock;
    if (!place->entered) return; // stopped by what its own message led to
    if (result != PLOY_OK) {
        group_stop(group, turn.item, outer, result);
        return;
    }
    place->status = status;
    place->ran = true;
}

// What members' turns came to: after the commit, which those that finish still have.
static void group_settle(ploy_group *group, ploy_step_context *context) {
    for (int32_t i = 0; i < group->capacity; i++) {
        ployi_group_place *place = &group->places[i];
        if (!place->entered || place->ended || place->status == PLOY_STATUS_RUNNING) continue;
        group_exit(place, context, PLOY_EXIT_FINISHED);
        if (!place->once) {
            place->status = PLOY_STATUS_RUNNING;
            continue;
        }
        place->ended = true;
        ploy_scheduler_set_enabled(group->scheduler, i, false);
    }
}

static ploy_status group_status(const ploy_group *group) {
    bool all_well = true;
    for (int32_t i = 0; i < group->capacity; i++) {
        const ployi_group_place *place = &group->places[i];
        if (place->behavior.type == NULL) continue;
        bool ends = place->once && place->entered && place->status != PLOY_STATUS_RUNNING;
        if (!place->ended && !ends) return PLOY_STATUS_RUNNING;
        if (place->result != PLOY_OK || place->status != PLOY_STATUS_SUCCESS) all_well = false;
    }
    return all_well ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
}

static ploy_result group_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_group *group = self;
    int64_t units = context->budget != NULL ? context->budget->units : PLOY_BUDGET_UNLIMITED;
    group->busy = true;
    group->clock += (double)context->dt;
    group_settle(group, context); // the holder of the group may leave commits out
    ploy_result result = ploy_scheduler_begin(group->scheduler, group->turns++, units, NULL);
    ploy_turn turn;
    while (result == PLOY_OK && !ploy_budget_empty(context->budget) &&
           ploy_scheduler_next(group->scheduler, &turn)) {
        group_turn(group, turn, context);
    }
    ploy_scheduler_end(group->scheduler);
    group->busy = false;
    *status = group_status(group);
    return result;
}

static void group_leave(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_group *group = self;
    group->busy = true;
    group_settle(group, context);
    for (int32_t i = 0; i < group->capacity; i++) {
        group_exit(&group->places[i], context, reason);
    }
    group->busy = false;
}

// While no other agent thinks: a log need not support several callers.
static void group_tell(ploy_group *group) {
    for (int32_t i = 0; i < group->capacity; i++) {
        ployi_group_place *place = &group->places[i];
        if (place->result == PLOY_OK || place->told) continue;
        place->told = true;
        char text[200];
        snprintf(text, sizeof text, "group member '%.60s' has stopped: %.80s",
                 place->behavior.type->name != NULL ? place->behavior.type->name : "",
                 ploy_result_text(place->result));
        ploy_env_log(&group->env, PLOY_SEVERITY_ERROR, text);
    }
}

static ploy_result group_commit(void *self, ploy_step_context *context) {
    ploy_group *group = self;
    group->busy = true;
    for (int32_t i = 0; i < group->capacity; i++) {
        ployi_group_place *place = &group->places[i];
        if (!place->ran) continue;
        place->ran = false;
        ploy_step_context own = ployi_group_context(place, context);
        ploy_result result = ploy_behavior_commit(place->behavior, &own);
        if (result != PLOY_OK) group_stop(group, i, context, result);
    }
    group_settle(group, context);
    group_tell(group);
    group->busy = false;
    return PLOY_OK;
}

static bool group_has_agent(const ploy_group *group, ploy_agent_id agent) {
    for (int32_t i = 0; i < group->capacity; i++) {
        if (!ploy_id_is_none(agent.id) && ploy_id_equal(group->places[i].agent.id, agent.id)) {
            return true;
        }
    }
    return false;
}

static ploy_result group_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    ploy_group *group = self;
    bool busy = group->busy, any = false; // a member may send while it steps
    bool addressed = group_has_agent(group, message->receiver);
    group->busy = true;
    for (int32_t i = 0; i < group->capacity; i++) {
        const ployi_group_place *place = &group->places[i];
        if (!place->entered) continue;
        if (addressed && !ploy_id_equal(place->agent.id, message->receiver.id)) continue;
        ploy_step_context own = ployi_group_context(place, context);
        bool meant = false;
        ploy_result result = ploy_behavior_message(place->behavior, &own, message, &meant);
        any = any || meant;
        if (result != PLOY_OK) group_stop(group, i, context, result);
    }
    group->busy = busy;
    *handled = any;
    return PLOY_OK;
}

static void group_free(void *self) {
    ploy_group_destroy(self);
}

static void group_draw(const void *self, ploy_draw *out) {
    const ploy_group *group = self;
    for (int32_t i = 0; i < group->capacity; i++) {
        if (group->places[i].entered) ploy_behavior_draw(group->places[i].behavior, out);
    }
}

static const ploy_behavior_type group_type = {
    .name = "group",
    .enter = ployi_group_enter,
    .step = group_step,
    .exit = group_leave,
    .commit = group_commit,
    .message = group_message,
    .destroy = group_free,
    .draw = group_draw,
    .visit = ployi_group_visit,
};

ploy_behavior ploy_group_behavior(ploy_group *group) {
    ploy_behavior behavior = {&group_type, group};
    return behavior;
}
