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
    s->behavior = ploy_goap_agent_behavior(s->agent);
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
    ploy_goap_agent_stats stats = ploy_goap_agent_stats_of(s.agent);
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
    ploy_goap_agent_stats stats = ploy_goap_agent_stats_of(s.agent);
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
        ploy_goap_agent_stats stats = ploy_goap_agent_stats_of(s.agent);
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
    CHECK_INT(ploy_goap_agent_stats_of(s.agent).plans, 3);
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
        result = ploy_behavior_step(ploy_goap_agent_behavior(agent), &context, &status);
    }
    ploy_goap_agent_destroy(agent);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(a_planning_character_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(agent_once, NULL);
}

// ---- a task by recipes

// Whoever is hungry cooks if there is meat, else eats bread; the meat is `raw`, and may come later.
typedef struct diner {
    ploy_goap_type *type;
    ploy_htn_type *recipes;
    ploy_goap_agent *agent;
    ploy_step_context context;
    int32_t meat, bread, sat, steps, stops;
    char log[128];
} diner;

static ploy_result diner_sense(void *user, ploy_step_context *context, const ploy_goap_type *type,
                               uint64_t *world) {
    const diner *own = user;
    (void)context;
    ploy_goap_world_set(type, world, ploy_goap_type_find(type, "meat"), own->meat);
    ploy_goap_world_set(type, world, ploy_goap_type_find(type, "bread"), own->bread);
    ploy_goap_world_set(type, world, ploy_goap_type_find(type, "sat"), own->sat);
    return PLOY_OK;
}

static ploy_result diner_act(void *user, ploy_step_context *context, int32_t action, bool first,
                             ploy_status *status) {
    diner *own = user;
    (void)context;
    const char *id = ploy_goap_type_action_id(own->type, action);
    own->steps = first ? 1 : own->steps + 1;
    *status = own->steps < 2 ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    if (own->steps < 2) return PLOY_OK;
    strncat(own->log, id, sizeof own->log - strlen(own->log) - 1);
    strncat(own->log, " ", sizeof own->log - strlen(own->log) - 1);
    if (strcmp(id, "sit") == 0) own->sat = 1;
    if (strcmp(id, "eat bread") == 0) own->bread = 0;
    if (strcmp(id, "eat meat") == 0) own->meat = 0;
    return PLOY_OK;
}

static void diner_stop(void *user, ploy_step_context *context, int32_t action) {
    (void)context, (void)action;
    ((diner *)user)->stops++;
}

static ploy_result diner_begin(diner *own, bool watch, const ploy_env *env) {
    static const char *const names[] = {"meat", "bread", "sat"};
    static const char *const actions[] = {"eat meat", "eat bread", "sit"};
    memset(own, 0, sizeof *own);
    ploy_result result = ploy_goap_type_create(env, &own->type);
    if (result != PLOY_OK) return result;
    ploy_goap_var vars[3];
    for (int32_t i = 0; i < 3; i++) vars[i] = ploy_goap_type_bool(own->type, names[i]);
    for (int32_t i = 0; i < 3; i++) {
        const ploy_goap_need needs[] = {ploy_goap_is(vars[i], i < 2), ploy_goap_is(vars[2], 1)};
        ploy_goap_gain gain = ploy_goap_set_to(vars[i], i == 2);
        ploy_goap_action action = ploy_goap_action_make(actions[i], 1.0);
        action.needs = needs;
        action.need_count = i < 2 ? 2 : 1;
        action.gains = &gain;
        action.gain_count = 1;
        (void)ploy_goap_type_action(own->type, &action); // finish tells of faults
    }
    result = ploy_goap_type_finish(own->type);
    if (result == PLOY_OK) result = ploy_htn_type_create(own->type, env, &own->recipes);
    if (result == PLOY_OK) {
        ploy_htn_task dine = ploy_htn_type_task(own->recipes, "dine");
        ploy_htn_task place = ploy_htn_type_task(own->recipes, "take a place");
        for (int32_t i = 0; i < 2; i++) {
            ploy_goap_need has = ploy_goap_is(vars[i], 1);
            ploy_htn_task steps[] = {place, ploy_htn_type_action(own->recipes, actions[i])};
            (void)ploy_htn_type_method(own->recipes, dine, names[i], &has, 1, steps, 2);
        }
        ploy_goap_need sits = ploy_goap_is(vars[2], 1);
        ploy_htn_task sit = ploy_htn_type_action(own->recipes, "sit");
        (void)ploy_htn_type_method(own->recipes, place, "sits", &sits, 1, NULL, 0);
        (void)ploy_htn_type_method(own->recipes, place, "stands", NULL, 0, &sit, 1);
        result = ploy_htn_type_finish(own->recipes);
    }
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    def.watch = watch;
    ploy_goap_hands hands = {diner_sense, diner_act, diner_stop, own};
    if (result == PLOY_OK) {
        result = ploy_goap_agent_create(&def, own->type, &hands, env, &own->agent);
    }
    if (result == PLOY_OK) {
        result = ploy_goap_agent_set_task(own->agent, own->recipes,
                                          ploy_htn_type_find(own->recipes, "dine"));
    }
    return result;
}

static void diner_end(diner *own) {
    ploy_goap_agent_destroy(own->agent);
    ploy_htn_type_destroy(own->recipes);
    ploy_goap_type_destroy(own->type);
}

TEST(a_task_is_done_by_its_best_recipe_as_things_change) {
    static const struct {
        const char *row;
        int32_t meat, bread, meat_at, bread_gone_at; // steps at which meat comes, bread goes
        bool watch;
        int32_t budget; // units a step, 0: all
        ploy_status status;
        const char *log;
        int32_t plans, better, stops;
    } rows[] = {
        {"the first recipe", 1, 1, 99, 99, false, 0, PLOY_STATUS_SUCCESS, "sit eat meat ", 1, 0, 0},
        {"the second", 0, 1, 99, 99, false, 0, PLOY_STATUS_SUCCESS, "sit eat bread ", 1, 0, 0},
        {"a better one between actions", 0, 1, 2, 99, false, 0, PLOY_STATUS_SUCCESS,
         "sit eat meat ", 1, 1, 0},
        {"not in the middle of an action", 0, 1, 3, 99, false, 0, PLOY_STATUS_SUCCESS,
         "sit eat bread ", 1, 0, 0},
        {"unless it watches", 0, 1, 3, 99, true, 0, PLOY_STATUS_SUCCESS, "sit eat meat ", 1, 1, 1},
        {"too slow to find it in time", 0, 1, 2, 99, true, 1, PLOY_STATUS_SUCCESS, "sit eat bread ",
         1, 0, 0},
        {"what it counted on is gone", 0, 1, 99, 1, false, 0, PLOY_STATUS_FAILURE, "sit ", 2, 0, 0},
        {"nothing from the start", 0, 0, 99, 99, false, 0, PLOY_STATUS_FAILURE, "", 1, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        diner own;
        CHECK_OK(diner_begin(&own, rows[i].watch, &env));
        own.meat = rows[i].meat;
        own.bread = rows[i].bread;
        ploy_behavior mind = ploy_goap_agent_behavior(own.agent);
        CHECK_OK(ploy_behavior_enter(mind, &own.context));
        ploy_status status = PLOY_STATUS_RUNNING;
        for (int32_t k = 0; k < 40 && status == PLOY_STATUS_RUNNING; k++) {
            // Counted in steps of actions, so that a small budget changes nothing.
            int32_t done = 2 * (own.sat != 0) + (own.sat != 0 && own.steps == 1);
            if (done >= rows[i].meat_at) own.meat = strstr(own.log, "meat") == NULL;
            if (own.steps > 0 && done + 1 >= rows[i].bread_gone_at) own.bread = 0;
            ploy_budget budget = ploy_budget_units(rows[i].budget);
            own.context.budget = rows[i].budget > 0 ? &budget : NULL;
            CHECK_OK(ploy_behavior_step(mind, &own.context, &status));
        }
        CHECK_INT(status, rows[i].status);
        CHECK_TEXT(own.log, rows[i].log);
        ploy_goap_agent_stats stats = ploy_goap_agent_stats_of(own.agent);
        CHECK_INT(stats.plans, rows[i].plans);
        CHECK_INT(stats.better, rows[i].better);
        CHECK_INT(own.stops, rows[i].stops);
        if (status == PLOY_STATUS_FAILURE) {
            ploy_buffer buffer;
            ploy_buffer_init(&buffer, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&buffer);
            ploy_goap_agent_explain(own.agent, &writer);
            CHECK_TEXT(ploy_buffer_text(&buffer),
                       "after 0 actions 'dine' has no method that applies\n"
                       "  method 'meat': needs 'meat'\n"
                       "  method 'bread': needs 'bread'\n");
            ploy_buffer_fini(&buffer);
        }
        ploy_behavior_exit(mind, &own.context, PLOY_EXIT_REMOVED);
        diner_end(&own);
    }
}

static ploy_result diner_fail(const ploy_env *env, void *arg) {
    diner own;
    (void)arg;
    ploy_result result = diner_begin(&own, false, env);
    own.bread = 1;
    ploy_status status = PLOY_STATUS_RUNNING;
    if (result == PLOY_OK) {
        ploy_behavior mind = ploy_goap_agent_behavior(own.agent);
        result = ploy_behavior_enter(mind, &own.context);
        for (int32_t i = 0; i < 9 && result == PLOY_OK && status == PLOY_STATUS_RUNNING; i++) {
            if (i == 2) own.meat = 1;
            result = ploy_behavior_step(mind, &own.context, &status);
        }
        ploy_behavior_exit(mind, &own.context, PLOY_EXIT_REMOVED);
    }
    diner_end(&own);
    return result;
}

TEST(tasks_survive_every_failing_allocation_and_refuse_what_is_none) {
    CHECK_FAIL_NTH(diner_fail, NULL);
    ploy_env env = ploy_env_default();
    diner own, other;
    CHECK_OK(diner_begin(&own, false, &env));
    CHECK_OK(diner_begin(&other, false, &env));
    ploy_htn_task dine = ploy_htn_type_find(own.recipes, "dine"), none = {0};
    CHECK_INT(ploy_goap_agent_set_task(own.agent, NULL, dine), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_agent_set_task(own.agent, own.recipes, none), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_agent_set_task(own.agent, other.recipes, dine), PLOY_ERR_ARGUMENT);
    diner_end(&other);
    diner_end(&own);
}
