// Goal-oriented behavior as a behavior: motives over time, guards, saving.
#include "ploy/decide/gob_agent.h"
#include "tests/test.h"

static const ploy_blackboard_key keys[] = {
    {"food", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"fear", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
};

// Eats for three steps; fails without food, and with an error if food is negative.
static ploy_result eat_step(void *user, void *state, ploy_step_context *context,
                            ploy_status *status) {
    int32_t *bites = state;
    (void)user;
    int64_t food = ploy_blackboard_get_i64(context->blackboard, (ploy_slot){1});
    if (food < 0) return PLOY_ERR_STATE;
    *status = food == 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING;
    if (food > 0 && ++*bites == 3) *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_function eat = {.name = "eat", .step = eat_step, .state_size = sizeof(int32_t)};

typedef struct scene {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_gob_agent_type *type;
    ploy_gob_agent *agent;
    ploy_step_context context;
} scene;

static ploy_result make_type(const ploy_env *env, const ploy_blackboard_layout *layout,
                             ploy_gob_agent_type **out) {
    static const float eating[] = {-5, 0}, sleeping[] = {1, -3};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_result result = ploy_gob_agent_type_create(&def, layout, env, out);
    if (result != PLOY_OK) return result;
    ploy_motive hunger = ploy_motive_make("hunger", 4), fear = ploy_motive_make("fear", 0);
    hunger.rate = 1.0f;
    ploy_conditions *set = ploy_gob_agent_type_conditions(*out);
    (void)ploy_gob_agent_type_motive(*out, &hunger, ploy_score_none());
    (void)ploy_gob_agent_type_motive(*out, &fear, ploy_score_text(set, "fear * 10"));
    ploy_gob_action meal = {"meal", eating, 0, 0, {0, 0}}, hide = {"hide", sleeping, 2, 0, {0, 0}};
    (void)ploy_gob_agent_type_action(*out, &meal, ploy_condition_text(set, "food != 0"),
                                     ploy_function_maker(&eat));
    (void)ploy_gob_agent_type_action(*out, &hide, ploy_condition_text(set, "fear > 0"),
                                     ploy_maker_none());
    return ploy_gob_agent_type_finish(*out);
}

static void begin(test_context *t, scene *s) {
    memset(s, 0, sizeof *s);
    s->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "k", &s->env, NULL, &s->layout));
    CHECK_OK(ploy_blackboard_create(s->layout, &s->env, &s->board));
    CHECK_OK(make_type(&s->env, s->layout, &s->type));
    CHECK_OK(ploy_gob_agent_create(s->type, &s->env, &s->agent));
    s->context.blackboard = s->board;
    s->context.dt = 0.5f;
}

static void end(scene *s) {
    ploy_gob_agent_destroy(s->agent);
    ploy_gob_agent_type_destroy(s->type);
    ploy_blackboard_destroy(s->board);
    ploy_blackboard_layout_destroy(s->layout);
}

static ploy_status step(test_context *t, scene *s) {
    ploy_status status = PLOY_STATUS_SKIPPED;
    CHECK_OK(ploy_behavior_step(ploy_gob_agent_behavior(s->agent), &s->context, &status));
    return status;
}

TEST(an_agent_does_what_relieves_it_and_only_what_is_possible) {
    scene s;
    begin(t, &s);
    CHECK_INT(step(t, &s), PLOY_STATUS_FAILURE); // nothing to eat, nothing to fear
    CHECK_OK(ploy_blackboard_set_i64(s.board, (ploy_slot){1}, 1));
    const ploy_motive *motives = ploy_gob_agent_motives(s.agent, NULL);
    for (int32_t i = 0; i < 2; i++) CHECK_INT(step(t, &s), PLOY_STATUS_RUNNING);
    CHECK_TEXT(ploy_gob_agent_action(s.agent), "meal");
    CHECK_NEAR(motives[0].value, 5.5, 1e-6); // grew by 1 a second
    CHECK_INT(step(t, &s), PLOY_STATUS_RUNNING);
    CHECK_TEXT(ploy_gob_agent_action(s.agent), ""); // done
    CHECK_NEAR(motives[0].value, 1.0, 1e-6);
    // Fear is read from the board, and hiding takes two seconds.
    CHECK_OK(ploy_blackboard_set_f32(s.board, (ploy_slot){2}, 0.5f));
    CHECK_INT(step(t, &s), PLOY_STATUS_RUNNING);
    CHECK_TEXT(ploy_gob_agent_action(s.agent), "hide");
    CHECK_NEAR(motives[1].value, 5.0, 1e-6);
    for (int32_t i = 0; i < 3; i++) step(t, &s);
    CHECK_TEXT(ploy_gob_agent_action(s.agent), "");
    CHECK_NEAR(motives[1].value, 5.0, 1e-6); // the game's to change
    end(&s);
}

TEST(an_action_that_fails_changes_nothing) {
    for (int32_t error = 0; error < 2; error++) {
        scene s;
        begin(t, &s);
        CHECK_OK(ploy_blackboard_set_i64(s.board, (ploy_slot){1}, 1));
        step(t, &s);
        CHECK_OK(ploy_blackboard_set_i64(s.board, (ploy_slot){1}, error != 0 ? -1 : 0));
        CHECK_INT(step(t, &s), PLOY_STATUS_RUNNING);
        CHECK_TEXT(ploy_gob_agent_action(s.agent), "");
        CHECK_NEAR(ploy_gob_agent_motives(s.agent, NULL)[0].value, 5.0, 1e-6);
        end(&s);
    }
}

TEST(a_saved_agent_goes_on_where_it_was) {
    for (int32_t at = 0; at < 8; at++) {
        scene s, other;
        t->seed = (uint64_t)at;
        begin(t, &s);
        begin(t, &other);
        CHECK_OK(ploy_blackboard_set_f32(s.board, (ploy_slot){2}, 0.5f));
        CHECK_OK(ploy_blackboard_set_f32(other.board, (ploy_slot){2}, 0.5f));
        for (int32_t i = 0; i < at; i++) step(t, &s);
        ploy_buffer text;
        ploy_buffer_init(&text, 0, &s.env);
        ploy_writer writer = ploy_buffer_writer(&text);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_behavior_save(ploy_gob_agent_behavior(s.agent), &json);
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        CHECK_OK(ploy_json_load(text.bytes, text.size, "saved", &def, &s.env, NULL, &doc));
        CHECK_OK(ploy_behavior_load(ploy_gob_agent_behavior(other.agent), &other.context, doc,
                                    ploy_json_root(doc), NULL));
        for (int32_t i = 0; i < 8; i++) {
            CHECK_INT(step(t, &s), step(t, &other));
            CHECK_TEXT(ploy_gob_agent_action(s.agent), ploy_gob_agent_action(other.agent));
            CHECK_SAME(ploy_gob_agent_motives(s.agent, NULL)[0].value,
                       ploy_gob_agent_motives(other.agent, NULL)[0].value);
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&text);
        end(&s);
        end(&other);
    }
}

static ploy_result make_agent(const ploy_env *env, void *arg) {
    ploy_gob_agent_type *type = NULL;
    ploy_gob_agent *agent = NULL;
    ploy_result result = make_type(env, arg, &type);
    if (result == PLOY_OK) result = ploy_gob_agent_create(type, env, &agent);
    ploy_gob_agent_destroy(agent);
    ploy_gob_agent_type_destroy(type);
    return result;
}

TEST(making_survives_every_failing_allocation_and_bad_settings_are_faults) {
    scene s;
    begin(t, &s);
    CHECK_FAIL_NTH(make_agent, s.layout);
    for (int32_t i = 0; i < 4; i++) {
        ploy_gob_def def = ploy_gob_def_default();
        ploy_gob_agent_type *type = NULL;
        static const float changes[] = {-1};
        CHECK_OK(ploy_gob_agent_type_create(&def, s.layout, &s.env, &type));
        ploy_conditions *set = ploy_gob_agent_type_conditions(type);
        ploy_motive one = ploy_motive_make("one", i == 0 ? NAN : 1);
        ploy_score score = i == 1 ? ploy_score_key(set, "nothing") : ploy_score_none();
        (void)ploy_gob_agent_type_motive(type, &one, score);
        ploy_gob_action act = {"act", changes, i == 2 ? -1.0f : 0.0f, 0, {0, 0}};
        (void)ploy_gob_agent_type_action(type, &act, ploy_condition_none(), ploy_maker_none());
        if (i == 3) {
            (void)ploy_gob_agent_type_action(type, &act, ploy_condition_none(), ploy_maker_none());
        }
        static const ploy_result want[] = {PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT,
                                           PLOY_ERR_EXISTS};
        CHECK_INT(ploy_gob_agent_type_finish(type), want[i]);
        ploy_gob_agent_type_destroy(type);
    }
    end(&s);
}
