// A runner learns when to jump. The game is a ploy_sim that knows nothing of learning: its command is
// the action, described values are the observation, and the change of its score is the reward. Shows
// ploy/learn/sim_problem.h.
#include <stdio.h>

#include "ploy/ploy.h"

typedef struct runner_def {
    uint32_t cookie;
    int32_t jump; // ticks in the air
} runner_def;
static const ploy_field runner_table[] = {
    PLOY_FIELD_I32(runner_def, jump, 3, 1, 9, "", "ticks in the air")};
static ploy_fields runner_fields(void) {
    return PLOY_FIELDS(runner_def, runner_table);
}

typedef struct runner {
    int32_t gap, air, score, hurt; // tiles to the next hurdle, ticks left in the air
} runner;

static ploy_result runner_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    (void)params;
    runner *r = ploy_env_alloc_zero(env, sizeof *r);
    if (r == NULL) return PLOY_ERR_MEMORY;
    r->gap = ploy_rng_int_at(key, 0, 0, 0, 5, 9);
    *out = r;
    return PLOY_OK;
}

static ploy_result runner_step(void *state, const ploy_sim_context *context) {
    runner *r = state;
    if (context->input_count > 0 && r->air == 0)
        r->air = ((const runner_def *)context->params)->jump;
    if (--r->gap == 0) {
        r->hurt += r->air == 0;
        r->score += r->air > 0;
        r->gap = ploy_rng_int_at(context->key, 0, context->tick, 1, 5, 9);
    }
    if (r->air > 0) r->air--;
    return PLOY_OK;
}

static void runner_describe(const void *state, ploy_describe *out) {
    const runner *r = state;
    ploy_describe_i64(out, "gap", PLOY_STATE, r->gap);
    ploy_describe_i64(out, "air", PLOY_STATE, r->air);
    ploy_describe_i64(out, "score", PLOY_STATE, r->score);
    ploy_describe_i64(out, "hurt", PLOY_STATE, r->hurt);
}

int main(void) {
    static const ploy_command commands[] = {{"jump", "jumps", PLOY_VALUE_NONE, false, "Space"}};
    static const ploy_sim_type game = {.name = "runner",
                                       .title = "Runner",
                                       .help = "Hurdles.",
                                       .version = 1,
                                       .dt = 0.1f,
                                       .view = {0, 0, 10, 2},
                                       .fields = runner_fields,
                                       .commands = commands,
                                       .command_count = 1,
                                       .create = runner_create,
                                       .step = runner_step,
                                       .describe = runner_describe};
    const ploy_sim_action actions[] = {{NULL, {{0, 0}}, ploy_value_none()},
                                       {"jump", {{0, 0}}, ploy_value_none()}};
    const ploy_sim_observation observed[] = {{"state.gap", 0, 10, 10}, {"state.air", 0, 4, 4}};
    ploy_env env = ploy_env_default();
    ploy_sim_problem_def def = ploy_sim_problem_def_default();
    def.sim = &game;
    def.actions = actions;
    def.action_count = 2;
    def.observed = observed;
    def.observed_count = 2;
    def.reward = "state.score";
    def.ended = "state.hurt";
    def.step_limit = 100;
    def.region_mib = 1;
    ploy_sim_problem kind;
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    ploy_play_task *task = NULL;
    if (ploy_sim_problem_init(&kind, &def, &env) != PLOY_OK ||
        ploy_problem_create(&kind.type, &env, &problem) != PLOY_OK ||
        ploy_actor_create(ploy_actors_find("q"), NULL, &kind.type.space, 1, &env, &actor) !=
            PLOY_OK) {
        return 1;
    }
    printf("%lld states, %d actions\n", (long long)kind.type.space.states, kind.type.space.actions);
    printf("untrained: %.1f hurdles in 100 ticks\n", ploy_play_greedy(problem, actor, 20, 1));
    if (ploy_play_begin(problem, actor, 5000, 0.0f, 1, &env, &task) != PLOY_OK ||
        ploy_play_step(task, NULL) != PLOY_OK) {
        return 1;
    }
    printf("after 5,000 steps: %.1f hurdles\n", ploy_play_greedy(problem, actor, 20, 1));
    ploy_play_cancel(task);
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    return 0;
}
