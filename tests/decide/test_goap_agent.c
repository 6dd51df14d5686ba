// A planning character: does its plan, skips what came about by itself, repairs what broke.
#include "ploy/decide/goap_agent.h"
#include "tests/decide/goap_test.h"

// The kitchen's cook: each action takes two steps.
typedef struct cook {
    int32_t stage, steps, fail, stops, acted;
    bool spoil; // the next finished action does nothing
} cook;

static ploy_result cook_sense(void *user, ploy_step_context *context, const ploy_goap_type *type,
                              uint64_t *world) {
    (void)context;
    return ploy_goap_world_set(type, world, ploy_goap_type_find(type, "stage"),
                               ((cook *)user)->stage);
}

static ploy_result cook_act(void *user, ploy_step_context *context, int32_t action, bool first,
                            ploy_status *status) {
    cook *own = user;
    (void)context;
    own->acted++;
    own->steps = first ? 1 : own->steps + 1;
    *status = PLOY_STATUS_RUNNING;
    if (own->steps < 2) return PLOY_OK;
    *status = own->fail > 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    if (own->fail > 0) {
        own->fail--;
    } else if (!own->spoil) {
        own->stage = action + 1;
    }
    own->spoil = false;
    return PLOY_OK;
}

static void cook_stop(void *user, ploy_step_context *context, int32_t action) {
    (void)context, (void)action;
    ((cook *)user)->stops++;
}

typedef struct scene {
    ploy_goap_type *type;
    ploy_goap_agent *agent;
    ploy_behavior behavior;
    ploy_step_context context;
    cook cook;
} scene;

static void scene_begin(test_context *t, scene *s, bool watch, int32_t repairs,
                        const ploy_env *env) {
    memset(s, 0, sizeof *s);
    CHECK_OK(goap_make_kitchen(env, 0, &s->type));
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    def.watch = watch;
    def.max_repairs = repairs;
    ploy_goap_hands hands = {cook_sense, cook_act, cook_stop, &s->cook};
    CHECK_OK(ploy_goap_agent_create(&def, s->type, &hands, env, &s->agent));
    ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(s->type, "stage"), 5);
    CHECK_OK(ploy_goap_agent_set_goal(s->agent, &fed, 1));
    s->behavior = ploy_goap_agent_get(s->agent);
    CHECK_OK(ploy_behavior_enter(s->behavior, &s->context));
}

static ploy_status scene_run(test_context *t, scene *s, int32_t steps) {
    ploy_status status = PLOY_STATUS_RUNNING;
    for (int32_t i = 0; i < steps && status == PLOY_STATUS_RUNNING; i++) {
        CHECK_OK(ploy_behavior_step(s->behavior, &s->context, &status));
    }
    return status;
}

static void scene_end(scene *s) {
    ploy_behavior_exit(s->behavior, &s->context, PLOY_EXIT_REMOVED);
    ploy_goap_agent_destroy(s->agent);
    ploy_goap_type_destroy(s->type);
}

TEST(a_plan_is_done_action_by_action) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, 8, &env);
    CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_SUCCESS);
    ploy_goap_agent_stats stats = ploy_goap_agent_get_stats(s.agent);
    CHECK_INT(stats.plans, 1);
    CHECK_INT(stats.actions, 5);
    CHECK_INT(s.cook.acted, 10);
    scene_end(&s);
}

TEST(what_came_about_by_itself_is_skipped_without_a_new_plan) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, 8, &env);
    CHECK_INT(scene_run(t, &s, 2), PLOY_STATUS_RUNNING); // one action done
    s.cook.stage = 3;                                    // somebody else cooked
    CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_SUCCESS);
    ploy_goap_agent_stats stats = ploy_goap_agent_get_stats(s.agent);
    CHECK_INT(stats.plans, 1);
    CHECK_INT(stats.skipped, 2);
    CHECK_INT(stats.actions, 3);
    scene_end(&s);
}

TEST(a_broken_expectation_is_planned_around) {
    static const char *const rows[] = {"an action failed", "it did nothing", "thrown back"};
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < 3; i++) {
        scene s;
        t->row = rows[i];
        scene_begin(t, &s, false, 8, &env);
        CHECK_INT(scene_run(t, &s, 4), PLOY_STATUS_RUNNING); // two actions done
        if (i == 0) s.cook.fail = 1;
        if (i == 1) s.cook.spoil = true;
        if (i == 2) s.cook.stage = 0;
        CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_SUCCESS);
        ploy_goap_agent_stats stats = ploy_goap_agent_get_stats(s.agent);
        CHECK_INT(stats.plans, 2);
        CHECK_INT(stats.failed, i == 0 ? 1 : 0);
        scene_end(&s);
    }
}

TEST(watching_interrupts_an_action_that_has_become_pointless) {
    ploy_env env = ploy_env_default();
    for (int32_t watch = 0; watch < 2; watch++) {
        scene s;
        scene_begin(t, &s, watch != 0, 8, &env);
        CHECK_INT(scene_run(t, &s, 3), PLOY_STATUS_RUNNING); // in the midst of the second
        s.cook.stage = 4;
        CHECK_INT(scene_run(t, &s, 1), PLOY_STATUS_RUNNING);
        CHECK_INT(s.cook.stops, watch);
        scene_end(&s);
    }
}

TEST(repairs_without_an_action_done_end_in_failure_and_so_does_no_plan) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, 3, &env);
    s.cook.fail = 1000;
    CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_FAILURE);
    CHECK_INT(ploy_goap_agent_get_stats(s.agent).plans, 3);
    scene_end(&s);
    scene_begin(t, &s, false, 3, &env);
    ploy_goap_var stage = ploy_goap_type_find(s.type, "stage");
    ploy_goap_need both[] = {ploy_goap_is(stage, 5), ploy_goap_is(stage, 4)};
    CHECK_OK(ploy_goap_agent_set_goal(s.agent, both, 2));
    CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_FAILURE);
    ploy_goap_var none = {0};
    ploy_goap_need bad = ploy_goap_is(none, 1);
    CHECK_INT(ploy_goap_agent_set_goal(s.agent, &bad, 1), PLOY_ERR_ARGUMENT);
    scene_end(&s);
}

TEST(planning_takes_as_many_frames_as_its_budget_says) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, 8, &env);
    int32_t frames = 0;
    ploy_status status = PLOY_STATUS_RUNNING;
    while (s.cook.acted == 0) {
        ploy_budget budget = ploy_budget_units(1);
        s.context.budget = &budget;
        CHECK_OK(ploy_behavior_step(s.behavior, &s.context, &status));
        frames++;
    }
    CHECK(frames >= 5);
    s.context.budget = NULL;
    CHECK_INT(scene_run(t, &s, 100), PLOY_STATUS_SUCCESS);
    scene_end(&s);
}

static ploy_result agent_once(const ploy_env *env, void *arg) {
    cook own = {0, 0, 0, 0, 0, false};
    ploy_goap_hands hands = {cook_sense, cook_act, cook_stop, &own};
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_goap_agent *agent = NULL;
    ploy_goap_type *type = NULL;
    (void)arg;
    ploy_result result = goap_make_kitchen(env, 1, &type);
    if (result == PLOY_OK) result = ploy_goap_agent_create(&def, type, &hands, env, &agent);
    if (result == PLOY_OK) {
        ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
        result = ploy_goap_agent_set_goal(agent, &fed, 1);
    }
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_status status = PLOY_STATUS_RUNNING;
    for (int32_t i = 0; i < 20 && result == PLOY_OK && status == PLOY_STATUS_RUNNING; i++) {
        result = ploy_behavior_step(ploy_goap_agent_get(agent), &context, &status);
    }
    ploy_goap_agent_destroy(agent);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(a_planning_character_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(agent_once, NULL);
}
