// Groups; the technique is described in the header.
//
// Invariants, outside the functions here:
//   (1) every member has a type with a step;
//   (2) running: it has had an enter and no exit;
//   (3) a member with an error is not running;
//   (4) 0 <= next < count, or both 0: whose turn comes first.
#include "ploy/exec/lod_group.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"

static const ploy_field lod_group_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_lod_group_def, capacity, 16, 0, 1 << 20, "",
                         "members that fit before it grows"),
};

typedef struct lod_group_member {
    ploy_behavior behavior;
    ploy_agent_id agent;
    ploy_blackboard *blackboard;
    int64_t turns;
    ploy_result result;
    float waited; // s
    bool running;
    bool stepped;  // in this step: has something to commit
    bool finished; // its exit waits for the commit, as with any holder of behaviors
} lod_group_member;

struct ploy_lod_group {
    ploy_env env;
    ploy_array members;
    int32_t next;
    bool busy; // members are being called: none may be added
};

ploy_fields ploy_lod_group_fields(void) {
    return PLOY_FIELDS(ploy_lod_group_def, lod_group_fields);
}

ploy_lod_group_def ploy_lod_group_def_default(void) {
    ploy_lod_group_def def;
    ploy_fields_default(ploy_lod_group_fields(), &def);
    return def;
}

ploy_result ploy_lod_group_create(const ploy_lod_group_def *def, const ploy_env *env,
                                  ploy_lod_group **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_lod_group_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_lod_group *group = ploy_env_alloc_zero(env, sizeof *group);
    if (group == NULL) return PLOY_ERR_MEMORY;
    group->env = *env;
    ploy_array_init(&group->members, sizeof(lod_group_member), env);
    result = ploy_array_reserve(&group->members, ploy_mini(def->capacity, PLOY_CAPACITY(1 << 20)));
    if (result != PLOY_OK) {
        ploy_lod_group_destroy(group);
        return result;
    }
    *out = group;
    return PLOY_OK;
}

static lod_group_member *lod_group_at(const ploy_lod_group *group, int32_t index) {
    return PLOY_ARRAY_ITEMS(&group->members, lod_group_member) + index;
}

void ploy_lod_group_destroy(ploy_lod_group *group) {
    if (group == NULL) return;
    for (int32_t i = group->members.count - 1; i >= 0; i--) {
        ploy_behavior_destroy(lod_group_at(group, i)->behavior);
    }
    ploy_array_fini(&group->members);
    ploy_env env = group->env;
    ploy_env_free(&env, group, sizeof *group);
}

ploy_result ploy_lod_group_add(ploy_lod_group *group, ploy_behavior behavior, ploy_agent_id agent,
                               ploy_blackboard *blackboard) {
    if (behavior.type == NULL || behavior.type->step == NULL) return PLOY_ERR_ARGUMENT;
    if (group->busy) return PLOY_ERR_STATE;
    lod_group_member *member = ploy_array_add(&group->members);
    if (member == NULL) return PLOY_ERR_MEMORY;
    member->behavior = behavior;
    member->agent = agent;
    member->blackboard = blackboard;
    return PLOY_OK;
}

int32_t ploy_lod_group_count(const ploy_lod_group *group) {
    return group->members.count;
}

ploy_result ploy_lod_group_get(const ploy_lod_group *group, int32_t index, ploy_lod_member *out) {
    if (!ploy_range_within(index, 1, group->members.count)) return PLOY_ERR_NOT_FOUND;
    const lod_group_member *member = lod_group_at(group, index);
    memset(out, 0, sizeof *out);
    out->behavior = member->behavior;
    out->agent = member->agent;
    out->running = member->running;
    out->result = member->result;
    out->waited = member->waited;
    out->turns = member->turns;
    return PLOY_OK;
}

void ploy_lod_group_memory(const ploy_lod_group *group, ploy_memory_fn fn, void *user) {
    if (group == NULL || fn == NULL) return;
    ploy_memory_item item = {"lod group", sizeof *group, 1};
    fn(user, &item);
    ploy_array_memory(&group->members, fn, user);
}

// ---- the behavior

// What a member sees: the group's context with its own agent, blackboard and budget.
static ploy_step_context lod_group_context(const lod_group_member *member,
                                           const ploy_step_context *context, ploy_budget *budget) {
    ploy_step_context own = *context;
    own.agent = member->agent;
    own.blackboard = member->blackboard;
    own.budget = budget;
    own.dt = member->waited;
    return own;
}

static void lod_group_stop(lod_group_member *member, ploy_step_context *own,
                           ploy_exit_reason reason) {
    if (!member->running) return;
    member->running = false;
    member->stepped = false;
    member->finished = false;
    ploy_behavior_exit(member->behavior, own, reason);
}

// One error stops one member; the others know nothing of it.
static void lod_group_fail(ploy_lod_group *group, lod_group_member *member, ploy_step_context *own,
                           ploy_result result) {
    lod_group_stop(member, own, PLOY_EXIT_ERROR);
    member->result = result; // keeps (3)
    ploy_env_log(&group->env, PLOY_SEVERITY_ERROR, "a member of a group was stopped by an error");
}

static void lod_group_turn(ploy_lod_group *group, lod_group_member *member,
                           const ploy_step_context *context, ploy_budget *budget) {
    ploy_step_context own = lod_group_context(member, context, budget);
    ploy_result result = PLOY_OK;
    ploy_status status = PLOY_STATUS_RUNNING;
    // Nobody commits for a holder without a commit phase of its own.
    if (member->finished) lod_group_stop(member, &own, PLOY_EXIT_FINISHED);
    if (!member->running) {
        member->running = true;
        result = ploy_behavior_enter(member->behavior, &own);
    }
    if (result == PLOY_OK) result = ploy_behavior_step(member->behavior, &own, &status);
    member->turns++;
    member->waited = 0.0f;
    if (!member->running) return; // stopped by what its own message led to
    if (result != PLOY_OK) {
        lod_group_fail(group, member, &own, result);
    } else {
        member->stepped = true;
        member->finished = status != PLOY_STATUS_RUNNING;
    }
}

// A share of what is left, and of the same deadline.
static ploy_budget lod_group_share(const ploy_budget *whole, int32_t members) {
    ploy_budget share = *whole;
    if (whole->units != PLOY_BUDGET_UNLIMITED) {
        share.units = whole->units / members > 1 ? whole->units / members : 1;
    }
    share.spent = 0;
    share.check_at = 0;
    return share;
}

static int32_t lod_group_healthy(const ploy_lod_group *group) {
    int32_t healthy = 0;
    for (int32_t i = 0; i < group->members.count; i++) {
        if (lod_group_at(group, i)->result == PLOY_OK) healthy++;
    }
    return healthy;
}

static ploy_result lod_group_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_lod_group *group = self;
    int32_t count = group->members.count, left = lod_group_healthy(group), start = group->next;
    group->busy = true;
    bool waits = false;
    for (int32_t n = 0; n < count; n++) {
        int32_t index = (start + n) % count;
        lod_group_member *member = lod_group_at(group, index);
        if (member->result != PLOY_OK) continue;
        member->waited += context->dt;
        if (!waits && ploy_budget_empty(context->budget)) {
            waits = true;
            group->next = index; // keeps (4)
        }
        if (waits) continue;
        if (context->budget == NULL) {
            lod_group_turn(group, member, context, NULL);
        } else {
            ploy_budget share = lod_group_share(context->budget, left);
            lod_group_turn(group, member, context, &share);
            ploy_budget_spend(context->budget, share.spent > 1 ? share.spent : 1);
        }
        left--;
    }
    group->busy = false;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result lod_group_commit(void *self, ploy_step_context *context) {
    ploy_lod_group *group = self;
    group->busy = true;
    for (int32_t i = 0; i < group->members.count; i++) {
        lod_group_member *member = lod_group_at(group, i);
        if (!member->stepped) continue;
        member->stepped = false;
        ploy_step_context own = lod_group_context(member, context, context->budget);
        ploy_result result = ploy_behavior_commit(member->behavior, &own);
        if (result != PLOY_OK) {
            lod_group_fail(group, member, &own, result);
        } else if (member->finished) {
            lod_group_stop(member, &own, PLOY_EXIT_FINISHED);
        }
    }
    group->busy = false;
    return PLOY_OK;
}

static void lod_group_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_lod_group *group = self;
    group->busy = true;
    for (int32_t i = 0; i < group->members.count; i++) {
        lod_group_member *member = lod_group_at(group, i);
        ploy_step_context own = lod_group_context(member, context, context->budget);
        lod_group_stop(member, &own, member->finished ? PLOY_EXIT_FINISHED : reason);
        member->result = PLOY_OK;
        member->waited = 0.0f;
    }
    group->next = 0;
    group->busy = false;
}

static ploy_result lod_group_message(void *self, ploy_step_context *context,
                                     const ploy_message *message, bool *handled) {
    ploy_lod_group *group = self;
    bool addressed = false;
    for (int32_t i = 0; i < group->members.count; i++) {
        if (ploy_id_equal(lod_group_at(group, i)->agent.id, message->receiver.id)) addressed = true;
    }
    *handled = false;
    bool busy = group->busy; // a member may answer another's message while it steps
    group->busy = true;
    for (int32_t i = 0; i < group->members.count; i++) {
        lod_group_member *member = lod_group_at(group, i);
        if (!member->running) continue;
        if (addressed && !ploy_id_equal(member->agent.id, message->receiver.id)) continue;
        ploy_step_context own = lod_group_context(member, context, context->budget);
        bool taken = false;
        ploy_result result = ploy_behavior_message(member->behavior, &own, message, &taken);
        if (result != PLOY_OK) lod_group_fail(group, member, &own, result);
        if (taken) *handled = true;
    }
    group->busy = busy;
    return PLOY_OK;
}

static void lod_group_free(void *self) {
    ploy_lod_group_destroy(self);
}

static void lod_group_describe(const void *self, ploy_describe *out) {
    const ploy_lod_group *group = self;
    ploy_describe_i64(out, "members", PLOY_STATE, group->members.count);
    ploy_describe_i64(out, "next", PLOY_STATE, group->next);
    for (int32_t i = 0; i < group->members.count; i++) {
        const lod_group_member *member = lod_group_at(group, i);
        char name[24];
        ploy_value number = ploy_value_i64(i);
        ploy_value_print(&number, name, sizeof name);
        ploy_describe_begin_agent(out, name, member->agent);
        ploy_describe_bool(out, "running", PLOY_STATE, member->running);
        ploy_describe_bool(out, "stepped", PLOY_STATE, member->stepped);
        ploy_describe_bool(out, "finished", PLOY_STATE, member->finished);
        ploy_describe_text(out, "result", PLOY_STATE, ploy_result_name(member->result));
        ploy_describe_f32(out, "waited", PLOY_STATE, member->waited);
        ploy_describe_i64(out, "turns", PLOY_NOTE, member->turns);
        if (member->running) ploy_behavior_describe(member->behavior, out);
        ploy_describe_end(out);
    }
}

static void lod_group_draw(const void *self, ploy_draw *out) {
    const ploy_lod_group *group = self;
    for (int32_t i = 0; i < group->members.count; i++) {
        const lod_group_member *member = lod_group_at(group, i);
        if (member->running) ploy_behavior_draw(member->behavior, out);
    }
}

ploy_behavior ploy_lod_group_behavior(ploy_lod_group *group) {
    static const ploy_behavior_type type = {
        "group",           NULL,           lod_group_step,     lod_group_exit, lod_group_commit,
        lod_group_message, lod_group_free, lod_group_describe, lod_group_draw,
    };
    ploy_behavior behavior = {&type, group};
    return behavior;
}
