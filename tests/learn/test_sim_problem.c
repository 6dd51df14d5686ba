// Simulations as problems: a runner in a corridor, played by Q-learning through its commands.
#include "ploy/learn/sim_problem.h"

#include "ploy/learn/actor.h"
#include "tests/state.h"
#include "tests/test.h"

// Seven places in a row. The prize is at one end, which the seed decides and a sign shows.
typedef struct corridor_def {
    uint32_t cookie;
    int32_t places;
} corridor_def;

static const ploy_field corridor_items[] = {
    PLOY_FIELD_I32_FIXED(corridor_def, places, 7, 3, 99, "", "places in the corridor"),
};
static ploy_fields corridor_fields(void) {
    return PLOY_FIELDS(corridor_def, corridor_items);
}

typedef struct corridor {
    ploy_env env;
    int32_t places, at, sign, score;
} corridor;

static ploy_result corridor_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    corridor *c = ploy_env_alloc_zero(env, sizeof *c);
    if (c == NULL) return PLOY_ERR_MEMORY;
    c->env = *env;
    c->places = ((const corridor_def *)params)->places;
    c->at = c->places / 2;
    c->sign = ploy_rng_int_at(key, 0, 0, 0, 0, 1);
    *out = c;
    return PLOY_OK;
}

static ploy_result corridor_step(void *state, const ploy_sim_context *context) {
    corridor *c = state;
    for (int32_t i = 0; i < context->input_count; i++) {
        if (context->inputs[i].kind != PLOY_INPUT_COMMAND) continue;
        c->at += (int32_t)context->inputs[i].value.as.i64;
    }
    if (c->at >= c->places) return PLOY_ERR_STATE; // ran through the wall: the game stops
    if (c->at < 0) c->at = 0;
    if (c->at == (c->sign == 1 ? c->places - 1 : 0)) c->score++;
    return PLOY_OK;
}

static void corridor_describe(const void *state, ploy_describe *out) {
    const corridor *c = state;
    ploy_describe_i64(out, "at", PLOY_STATE, c->at);
    ploy_describe_i64(out, "sign", PLOY_STATE, c->sign);
    ploy_describe_begin(out, "summary");
    ploy_describe_i64(out, "score", PLOY_STATE, c->score);
    ploy_describe_bool(out, "over", PLOY_DERIVED, c->score > 0);
    ploy_describe_end(out);
}

static void corridor_draw(const void *state, ploy_draw *out) {
    (void)state, (void)out;
}

static const ploy_command corridor_commands[] = {
    {"run", "moves by that many places", PLOY_VALUE_I64, false, NULL}};

static const ploy_sim_type corridor_sim = {
    .name = "corridor",
    .title = "Corridor",
    .help = "A runner looks for the prize.",
    .version = 1,
    .dt = 0.1f,
    .view = {0, 0, 7, 1},
    .fields = corridor_fields,
    .commands = corridor_commands,
    .command_count = 1,
    .create = corridor_create,
    .step = corridor_step,
    .draw = corridor_draw,
    .describe = corridor_describe,
};

static const ploy_sim_action corridor_actions[] = {{"run", {{0, 0}}, {PLOY_VALUE_I64, {.i64 = -1}}},
                                                   {"run", {{0, 0}}, {PLOY_VALUE_I64, {.i64 = 1}}},
                                                   {NULL, {{0, 0}}, {PLOY_VALUE_NONE, {.i64 = 0}}}};

static const ploy_sim_observation corridor_observed[] = {{"state.at", 0.0f, 7.0f, 7},
                                                         {"state.sign", 0.0f, 2.0f, 2}};

static ploy_sim_problem_def corridor_problem(void) {
    ploy_sim_problem_def def = ploy_sim_problem_def_default();
    def.sim = &corridor_sim;
    def.actions = corridor_actions;
    def.action_count = 3;
    def.observed = corridor_observed;
    def.observed_count = 2;
    def.reward = "state.summary.score";
    def.ended = "state.summary.over";
    def.step_limit = 30;
    def.region_mib = 1;
    return def;
}

TEST(q_learning_plays_a_simulation_through_its_commands) {
    ploy_env env = ploy_env_default();
    ploy_sim_problem_def def = corridor_problem();
    ploy_sim_problem kind;
    CHECK_OK(ploy_sim_problem_init(&kind, &def, &env));
    CHECK_INT(kind.type.space.states, 14);
    CHECK_INT(kind.type.space.observed, 2);
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    CHECK_OK(ploy_problem_create(&kind.type, &env, &problem));
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), NULL, &kind.type.space, 1, &env, &actor));
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_play_begin(problem, actor, 4000, 0.0f, 1, &env, &task));
    CHECK_OK(ploy_play_step(task, NULL));
    ploy_play_cancel(task);
    CHECK_NEAR(ploy_play_greedy(problem, actor, 20, 500), 1.0, 1e-9);
    // From the middle to the end that the sign shows, three steps for seven places.
    for (uint64_t seed = 0; seed < 4; seed++) {
        ploy_problem_reset(problem, seed);
        ploy_problem_result step = {0.0f, false, false};
        while (!step.terminated && !step.truncated) {
            ploy_situation now = {ploy_problem_state(problem), NULL, NULL};
            step = ploy_problem_step(problem, ploy_actor_best(actor, &now));
        }
        CHECK_INT(ploy_problem_steps(problem), 3);
        CHECK_SAME(step.reward, 1.0f);
    }
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
}

TEST(a_saved_episode_is_executed_again) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_sim_problem_def def = corridor_problem();
    ploy_sim_problem kind;
    CHECK_OK(ploy_sim_problem_init(&kind, &def, &env));
    ploy_problem *a = NULL, *b = NULL;
    CHECK_OK(ploy_problem_create(&kind.type, &env, &a));
    CHECK_OK(ploy_problem_create(&kind.type, &env, &b));
    ploy_problem_reset(a, 7);
    ploy_problem_reset(b, 8);
    static const int32_t actions[] = {0, 1, 1, 2, 0};
    for (size_t i = 0; i < COUNT_OF(actions); i++) (void)ploy_problem_step(a, actions[i]);
    state_check s = {ploy_problem_visit, a, NULL, NULL, NULL};
    state_check_copy(t, &s, b);
    CHECK_INT(ploy_problem_state(a), ploy_problem_state(b));
    float seen[2][PLOY_PROBLEM_OBSERVED_MAX];
    for (int32_t i = 0; i < 3; i++) {
        ploy_problem_observe(a, seen[0]);
        ploy_problem_observe(b, seen[1]);
        CHECK_SAME(seen[0][0], seen[1][0]);
        CHECK_SAME(seen[0][1], seen[1][1]);
        ploy_problem_result x = ploy_problem_step(a, 1), y = ploy_problem_step(b, 1);
        CHECK_SAME(x.reward, y.reward);
        CHECK_INT(x.terminated, y.terminated);
    }
    ploy_problem_destroy(a);
    ploy_problem_destroy(b);
    CHECK_INT(counts.bytes, 0);
}

TEST(a_simulation_that_stops_ends_the_episode) {
    ploy_env env = ploy_env_default();
    ploy_sim_problem_def def = corridor_problem();
    def.ended = NULL;
    ploy_sim_problem kind;
    CHECK_OK(ploy_sim_problem_init(&kind, &def, &env));
    ploy_problem *problem = NULL;
    CHECK_OK(ploy_problem_create(&kind.type, &env, &problem));
    for (int32_t i = 0; i < 3; i++) CHECK(!ploy_problem_step(problem, 1).terminated);
    CHECK(ploy_problem_step(problem, 1).terminated); // through the wall
    CHECK_SAME(ploy_problem_step(problem, 1).reward, 0.0f);
    ploy_problem_restart(problem, -1);
    CHECK(!ploy_problem_step(problem, 2).terminated);
    for (int32_t i = 0; i < 28; i++) CHECK(!ploy_problem_step(problem, 2).truncated);
    CHECK(ploy_problem_step(problem, 2).truncated); // the 30th step
    ploy_problem_destroy(problem);
}

TEST(states_above_the_limit_and_unknown_names_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_sim_problem kind;
    ploy_sim_problem_def def = corridor_problem();
    def.states_max = 13;
    CHECK_INT(ploy_sim_problem_init(&kind, &def, &env), PLOY_ERR_LIMIT);
    // 100 places, 20 characters, 4 health, 5 weapons, 4 ammunition: 8,000 states of one character.
    static const int32_t one[] = {100, 4, 5, 4};
    int32_t many[16];
    ploy_state_code code;
    CHECK_OK(ploy_state_code_make(one, 4, 1000000, &env, &code));
    CHECK_UINT(code.states, 8000);
    for (int32_t i = 0; i < 16; i++) many[i] = one[i % 4];
    CHECK_INT(ploy_state_code_make(many, 16, 1000000, &env, &code), PLOY_ERR_LIMIT);
    ploy_sim_action actions[] = {{"rum", {{0, 0}}, {PLOY_VALUE_NONE, {.i64 = 0}}}};
    def = corridor_problem();
    def.actions = actions;
    def.action_count = 1;
    CHECK_INT(ploy_sim_problem_init(&kind, &def, &env), PLOY_ERR_NOT_FOUND);
    def = corridor_problem();
    def.reward = NULL;
    CHECK_INT(ploy_sim_problem_init(&kind, &def, &env), PLOY_ERR_ARGUMENT);
    ploy_sim_observation flat[] = {{"state.at", 1.0f, 1.0f, 2}};
    def = corridor_problem();
    def.observed = flat;
    def.observed_count = 1;
    CHECK_INT(ploy_sim_problem_init(&kind, &def, &env), PLOY_ERR_ARGUMENT);
    def = corridor_problem();
    def.reward = "state.summary.scroe";
    CHECK_OK(ploy_sim_problem_init(&kind, &def, &env));
    ploy_problem *problem = NULL;
    CHECK_INT(ploy_problem_create(&kind.type, &env, &problem), PLOY_ERR_NOT_FOUND);
    CHECK(problem == NULL);
}

static ploy_result corridor_once(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_sim_problem_def def = corridor_problem();
    ploy_sim_problem kind;
    ploy_problem *problem = NULL;
    ploy_result result = ploy_sim_problem_init(&kind, &def, env);
    if (result == PLOY_OK) result = ploy_problem_create(&kind.type, env, &problem);
    ploy_problem_destroy(problem);
    return result;
}

TEST(memory_may_fail) {
    CHECK_FAIL_NTH(corridor_once, NULL);
}
