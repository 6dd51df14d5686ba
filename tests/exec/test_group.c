#include "ploy/exec/group.h"

#include "ploy/exec/task_behavior.h"
#include "tests/exec/engine_probe.h"
#include "tests/test.h"

static ploy_group *group_of(test_context *t, ploy_policy policy) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = policy;
    def.capacity = 1;
    ploy_group *group = NULL;
    CHECK_OK(ploy_group_create(&def, &env, &group));
    return group;
}

static int32_t join(test_context *t, ploy_group *group, probe *p, int32_t period,
                    int32_t priority) {
    ploy_group_member member = ploy_group_member_default();
    member.behavior.type = &probe_type;
    member.behavior.self = p;
    member.schedule.period = period;
    member.schedule.priority = priority;
    int32_t index = -1;
    CHECK_OK(ploy_group_add(group, &member, &index));
    return index;
}

static ploy_engine_id enlist(test_context *t, ploy_engine *engine, ploy_behavior behavior,
                             int32_t index) {
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = behavior;
    entry.agent = agent(index);
    entry.once = true;
    ploy_engine_id id = {{0, 0}};
    CHECK_OK(ploy_engine_register(engine, &entry, &id));
    return id;
}

TEST(a_group_divides_its_share_by_a_policy_of_its_own) { // EXE-11
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        ploy_group *first = group_of(t, PLOY_POLICY_EVEN);
        ploy_group *second = group_of(t, PLOY_POLICY_PRIORITY);
        probe a[2] = {0}, b[2] = {0}, alone = {0};
        for (int32_t i = 0; i < 2; i++) {
            a[i].spends = 10;
            b[i].spends = i == 0 ? 5 : 15;
            join(t, first, &a[i], 1, 1 + 8 * i);
            join(t, second, &b[i], 1, 1 + 2 * i);
        }
        alone.spends = 20;
        enlist(t, engine, ploy_group_behavior(first), 1);
        enlist(t, engine, ploy_group_behavior(second), 2);
        add(t, engine, &alone, 3);
        for (int32_t i = 0; i < 3; i++) {
            ploy_budget budget = ploy_budget_units(60);
            CHECK_OK(ploy_engine_step(engine, 0.25f, &budget, NULL));
            CHECK_INT(budget.units, 0);
        }
        CHECK_INT(alone.allowed, 20);
        CHECK_INT(a[0].allowed, 10); // evenly
        CHECK_INT(a[1].allowed, 10);
        CHECK_INT(b[0].allowed, 5); // 1 to 3
        CHECK_INT(b[1].allowed, 15);
        CHECK_INT(a[1].commits, 3);
        CHECK_SAME(a[1].dt, 0.25f);
        CHECK_INT(ploy_group_count(first), 2);
        ploy_engine_destroy(engine); // and with it the groups
        CHECK_INT(a[0].destroys, 1);
        CHECK_INT(b[1].exits, 1);
        CHECK_INT(b[1].last_exit, PLOY_EXIT_REMOVED);
    }
}

TEST(members_count_turns_of_the_group_and_groups_nest) { // EXE-11
    ploy_engine *engine = engine_of(t, false);
    ploy_group *outer = group_of(t, PLOY_POLICY_EVEN), *inner = group_of(t, PLOY_POLICY_EVEN);
    probe every_turn = {0}, every_third = {0}, deep = {0};
    join(t, outer, &every_turn, 1, 1);
    join(t, outer, &every_third, 3, 1);
    join(t, inner, &deep, 2, 1);
    ploy_group_member member = ploy_group_member_default();
    member.behavior = ploy_group_behavior(inner);
    CHECK_OK(ploy_group_add(outer, &member, NULL));
    ploy_engine_id id = enlist(t, engine, ploy_group_behavior(outer), 1);
    CHECK_OK(set_schedule(engine, id, 2, 0, 1));
    step(t, engine, 3);
    CHECK_INT(every_turn.steps, 2);
    CHECK_SAME(every_turn.dt, 0.25f * 2); // not counted from the end of a tick that is not over
    step(t, engine, 21);                  // 12 turns of the group
    CHECK_INT(every_turn.steps, 12);
    CHECK_INT(every_third.steps, 4);
    CHECK_INT(deep.steps, 6);
    CHECK_SAME(every_third.dt, 0.25f * 6); // since its own last turn
    ploy_message message = ploy_message_make(agent(9), agent(1), ploy_name_of("x"));
    bool handled = false;
    CHECK_OK(ploy_engine_send(engine, &message, NULL, &handled));
    CHECK(handled);
    CHECK_INT(deep.messages, 1);
    CHECK_INT(every_turn.messages, 1);
    ploy_engine_destroy(engine);
    CHECK_INT(deep.destroys, 1);
}

TEST(members_end_fail_and_begin_again) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        ploy_group *group = group_of(t, PLOY_POLICY_EVEN);
        probe good = {.status = PLOY_STATUS_SUCCESS}, bad = {.step_result = PLOY_ERR_LIMIT};
        probe again = {.status = PLOY_STATUS_SUCCESS};
        ploy_group_member member = ploy_group_member_default();
        member.behavior.type = &probe_type;
        member.behavior.self = &good;
        member.once = true;
        CHECK_OK(ploy_group_add(group, &member, NULL));
        int32_t bad_at = join(t, group, &bad, 1, 1);
        int32_t again_at = join(t, group, &again, 1, 1);
        ploy_engine_id id = enlist(t, engine, ploy_group_behavior(group), 1);
        step(t, engine, 3);
        CHECK_INT(good.steps, 1);
        CHECK_INT(good.exits, 1);
        CHECK_INT(good.commits, 1);
        CHECK_INT(good.last_exit, PLOY_EXIT_FINISHED);
        CHECK_INT(bad.steps, 1);
        CHECK_INT(bad.exits, 1);
        CHECK_INT(bad.last_exit, PLOY_EXIT_ERROR);
        CHECK_INT(again.steps, 3);
        CHECK_INT(again.enters, 3);
        CHECK_INT(again.exits, 3);
        CHECK_INT(turn_of(t, engine, id), PLOY_ENGINE_TURN_RAN);
        CHECK_OK(ploy_group_remove(group, again_at));
        CHECK_INT(again.destroys, 1);
        CHECK_INT(ploy_group_remove(group, again_at), PLOY_ERR_NOT_FOUND);
        step(t, engine, 1); // nobody is left: the group is done, and not well
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(engine, id, &info));
        CHECK_INT(info.turn, PLOY_ENGINE_TURN_DONE);
        CHECK_INT(info.status, PLOY_STATUS_FAILURE);
        CHECK_OK(ploy_group_remove(group, bad_at));
        CHECK_OK(ploy_engine_restart(engine, id));
        step(t, engine, 1);
        CHECK_INT(good.steps, 2); // all begin again with the group
        CHECK_OK(ploy_engine_get(engine, id, &info));
        CHECK_INT(info.status, PLOY_STATUS_SUCCESS);
        ploy_engine_destroy(engine);
        CHECK_INT(good.enters, good.exits);
        CHECK_INT(bad.destroys, 1);
    }
}

static void add_from_within(probe *self, ploy_step_context *context) {
    (void)context;
    ploy_group_member member = ploy_group_member_default();
    member.behavior.type = &probe_type;
    member.behavior.self = self;
    self->spends = ploy_group_add(self->user, &member, NULL);
    self->draw = (uint64_t)-ploy_group_remove(self->user, 0);
}

TEST(a_group_is_not_changed_from_within) {
    ploy_engine *engine = engine_of(t, false);
    ploy_group *group = group_of(t, PLOY_POLICY_EVEN);
    probe p = {.on_step = add_from_within, .user = group};
    join(t, group, &p, 1, 1);
    enlist(t, engine, ploy_group_behavior(group), 1);
    step(t, engine, 1);
    CHECK_INT(p.spends, PLOY_ERR_STATE);
    CHECK_UINT(p.draw, (uint64_t)-PLOY_ERR_STATE);
    ploy_group_member member = ploy_group_member_default();
    CHECK_INT(ploy_group_add(group, &member, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_group_add(group, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_group_member_fields(), NULL));
    ploy_engine_destroy(engine);
}

static ploy_result make_group(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.capacity = 1;
    ploy_group *group = NULL;
    ploy_result result = ploy_group_create(&def, env, &group);
    if (result != PLOY_OK) return group == NULL ? result : PLOY_ERR_STATE;
    probe p[12] = {0};
    int32_t added = 0;
    while (added < 12 && result == PLOY_OK) {
        ploy_group_member member = ploy_group_member_default();
        member.behavior.type = &probe_type;
        member.behavior.self = &p[added];
        result = ploy_group_add(group, &member, NULL);
        if (result == PLOY_OK) added++;
    }
    if (ploy_group_count(group) != added) result = PLOY_ERR_STATE;
    ploy_group_destroy(group);
    for (int32_t i = 0; i < 12; i++) {
        if (p[i].destroys != (i < added ? 1 : 0)) result = PLOY_ERR_STATE;
    }
    return result;
}

TEST(every_failing_allocation_of_a_group_is_survived) {
    CHECK_FAIL_NTH(make_group, NULL);
    ploy_group_destroy(NULL);
}
