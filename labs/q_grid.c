// Reinforcement learning on a grid: an arrow for the best action of every cell, larger and greener with its
// value, and a red ring around the states of a loop that the greedy policy never leaves.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/learn/actor.h"

static const char *const q_grid_problems[] = {"grid4", "grid5", "windy", "windy_king",
                                              "cliff", "lake",  "trap",  "trap_short"};
static const char *const q_grid_learners[] = {"q", "sarsa", "expected_sarsa"};

typedef struct q_grid_def {
    uint32_t cookie;
    int32_t problem, learner; // of the lists above
    int32_t speed;
    float restart;
    ploy_q_def settings;
} q_grid_def;

static const ploy_field q_grid_fields[] = {
    PLOY_FIELD_ENUM(q_grid_def, problem, 4, q_grid_problems, "what is learned"),
    PLOY_FIELD_ENUM(q_grid_def, learner, 0, q_grid_learners, "how it is learned"),
    PLOY_FIELD_I32(q_grid_def, speed, 50, 0, 100000, "", "steps in a tick; 0 pauses"),
    PLOY_FIELD_F32(q_grid_def, restart, 0, 0, 1, "",
                   "share of steps that start again in a random state"),
    PLOY_FIELD_DEF(q_grid_def, settings, ploy_q_fields, "the learner's settings"),
};

static ploy_fields q_grid_get_fields(void) {
    return PLOY_FIELDS(q_grid_def, q_grid_fields);
}

typedef struct q_grid_lab {
    q_grid_def def;
    ploy_env env;
    uint64_t seed;
    ploy_problem *problem;
    ploy_actor actor;
    ploy_play_task *task;
} q_grid_lab;

static ploy_result q_grid_begin(q_grid_lab *lab) {
    ploy_play_cancel(lab->task);
    ploy_actor_destroy(lab->actor);
    ploy_problem_destroy(lab->problem);
    lab->task = NULL;
    lab->problem = NULL;
    const ploy_problem_type *type = ploy_problems_find(q_grid_problems[lab->def.problem]);
    const ploy_actor_type *kind = ploy_actors_find(q_grid_learners[lab->def.learner]);
    ploy_q_def settings = lab->def.settings;
    if (settings.store == PLOY_Q_TILES) settings.store = PLOY_Q_DENSE; // a grid has nothing to tile
    ploy_result result = ploy_problem_create(type, &lab->env, &lab->problem);
    lab->actor.type = NULL;
    if (result == PLOY_OK) {
        result =
            ploy_actor_create(kind, &settings, &type->space, lab->seed, &lab->env, &lab->actor);
    }
    if (result == PLOY_OK) {
        result = ploy_play_begin(lab->problem, lab->actor, INT64_MAX, lab->def.restart, lab->seed,
                                 &lab->env, &lab->task);
    }
    return result;
}

static ploy_result q_grid_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    q_grid_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    ploy_result result = q_grid_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result q_grid_step(void *state, const ploy_sim_context *context) {
    q_grid_lab *lab = state;
    q_grid_def before;
    memcpy(&before, &lab->def, sizeof before);
    memcpy(&lab->def, context->params, sizeof lab->def);
    before.speed = lab->def.speed;
    bool again =
        lab_input_count(context, "again") > 0 || memcmp(&before, &lab->def, sizeof before) != 0;
    if (again) {
        ploy_result result = q_grid_begin(lab);
        if (result != PLOY_OK) return result;
    }
    ploy_situation now = {ploy_problem_state(lab->problem), NULL, NULL};
    ploy_actor_explain(lab->actor, &now, ploy_agent_id_make(1, 1), context->trace);
    if (lab->def.speed == 0) return PLOY_OK;
    ploy_budget budget = ploy_budget_units(lab->def.speed);
    ploy_result result = ploy_play_step(lab->task, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

static ploy_vec2 q_grid_at(const ploy_problem_type *type, int64_t state) {
    return ploy_vec2_make((float)(state % type->columns) + 0.5f,
                          -(float)(state / type->columns) - 0.5f);
}

// True if the learner knows nothing of a state yet: a cliff, for example, is never a state.
static bool q_grid_unknown(const q_grid_lab *lab, const ploy_problem_type *type, int64_t state) {
    if (lab->actor.type->visits == NULL) return false;
    ploy_situation now = {state, NULL, NULL};
    for (int32_t action = 0; action < type->space.actions; action++) {
        if (lab->actor.type->visits(lab->actor.self, &now, action) > 0) return false;
    }
    return true;
}

// Where the best action most probably leads.
static int64_t q_grid_next(const q_grid_lab *lab, const ploy_problem_type *type, int64_t state) {
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    ploy_situation now = {state, NULL, NULL};
    int32_t count = type->model(state, ploy_actor_best(lab->actor, &now), outcomes), likely = 0;
    for (int32_t i = 1; i < count; i++) {
        if (outcomes[i].probability > outcomes[likely].probability) likely = i;
    }
    return count > 0 ? outcomes[likely].state : state;
}

// The arrow of one cell: up, right, down, left and the diagonals, as in ploy/learn/problem.h.
static void q_grid_arrow(const q_grid_lab *lab, const ploy_problem_type *type, int64_t state,
                         double low, double high, ploy_draw *out) {
    static const float dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {1, 0, -1, 0, 1, -1, -1, 1};
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    ploy_vec2 at = q_grid_at(type, state);
    if (type->model(state, 0, outcomes) == 0) {
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, ploy_agent_id_none(), at, 0.4f,
                       0.5f);
        return;
    }
    if (q_grid_unknown(lab, type, state)) {
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WALL, ploy_agent_id_none(), at, 0.48f,
                       0.4f);
        return;
    }
    ploy_situation now = {state, NULL, NULL};
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    ploy_actor_values(lab->actor, &now, values);
    int32_t best = ploy_actor_best(lab->actor, &now);
    float share = high > low ? (float)((values[best] - low) / (high - low)) : 0.0f;
    ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_GOOD, ploy_agent_id_none(), at, 0.48f,
                   0.6f * share);
    bool row = type->columns == type->space.states; // on or back, whatever the action is called
    int32_t direction = !row ? best : q_grid_next(lab, type, state) > state ? 1 : 3;
    ploy_vec2 to = ploy_vec2_make(at.x + 0.35f * dx[direction], at.y + 0.35f * dy[direction]);
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, ploy_agent_id_none(), at, to);
    if (!row) return;
    for (int32_t action = 0; action < 2; action++) {
        char text[32];
        snprintf(text, sizeof text, "%.3f", values[action]);
        ploy_draw_text(out, ploy_agent_id_none(),
                       ploy_vec2_make(at.x - 0.4f, at.y - (action == 0 ? 0.75f : 1.15f)), text);
    }
}

// A ring around each state of the loop, joined in the order of its steps.
static void q_grid_loop(const q_grid_lab *lab, const ploy_problem_type *type, const ploy_trap *trap,
                        ploy_draw *out) {
    int64_t state = trap->state;
    for (int64_t i = 0; i < trap->length; i++) {
        int64_t next = q_grid_next(lab, type, state);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, ploy_agent_id_none(),
                         q_grid_at(type, state), 0.45f);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, ploy_agent_id_none(),
                       q_grid_at(type, state), q_grid_at(type, next));
        state = next;
    }
}

static void q_grid_draw(const void *state, ploy_draw *out) {
    const q_grid_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "learner");
    ploy_draw_key(out, PLOY_STYLE_VELOCITY, "best action");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "value of the best action");
    ploy_draw_key(out, PLOY_STYLE_BAD, "loop that is never left");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "end of an episode");
    ploy_draw_key(out, PLOY_STYLE_WALL, "never visited: the cliff, or not reached yet");
    const ploy_problem_type *type = ploy_problem_type_of(lab->problem);
    double low = 1e30, high = -1e30, values[PLOY_PROBLEM_ACTIONS_MAX];
    for (int64_t s = 0; s < type->space.states; s++) {
        if (q_grid_unknown(lab, type, s)) continue;
        ploy_situation now = {s, NULL, NULL};
        ploy_actor_values(lab->actor, &now, values);
        double best = values[ploy_actor_best(lab->actor, &now)];
        low = best < low ? best : low;
        high = best > high ? best : high;
    }
    for (int64_t s = 0; s < type->space.states; s++) q_grid_arrow(lab, type, s, low, high, out);
    ploy_trap traps[8];
    ploy_env env = ploy_env_default();
    int32_t count = ploy_oracle_traps(type, lab->actor, &env, traps, 8);
    for (int32_t i = 0; i < count && i < 8; i++) q_grid_loop(lab, type, &traps[i], out);
    ploy_problem_draw(lab->problem, out);
    ploy_play_report report = ploy_play_result(lab->task);
    char text[160];
    snprintf(text, sizeof text, "%lld steps, %lld episodes, mean return %.2f, %d loops",
             (long long)report.steps, (long long)report.episodes, report.mean_return,
             (int)(count < 0 ? 0 : count));
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 0.6f), text);
    if (type->columns == type->space.states) {
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.1f, -2.15f),
                       "below each state: the values of its two actions");
    }
}

static void q_grid_describe(const void *state, ploy_describe *out) {
    const q_grid_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->seed);
    ploy_describe_begin(out, "play");
    ploy_visit_describe(ploy_play_visit, lab->task, NULL, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "problem");
    ploy_visit_describe(ploy_problem_visit, lab->problem, NULL, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "learner");
    ploy_visit_describe(ploy_actor_visit, &lab->actor, NULL, out);
    ploy_describe_end(out);
}

static const ploy_command q_grid_commands[] = {
    {"again", "forget everything and begin again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_q_grid; // in labs.c
const ploy_sim_type ploy_lab_q_grid = {
    .name = "q_grid",
    .title = "Q-learning on a grid",
    .help = "Arrows are the best actions so far, discs their values. Compare q with sarsa on the "
            "cliff, and watch "
            "the small reward of trap keep the learner from the goal: a red ring marks the loop.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -7.5f, 12.5f, 1.2f},
    .fields = q_grid_get_fields,
    .commands = q_grid_commands,
    .command_count = sizeof q_grid_commands / sizeof q_grid_commands[0],
    .create = q_grid_create,
    .destroy = NULL, // the region goes with the simulation
    .step = q_grid_step,
    .draw = q_grid_draw,
    .describe = q_grid_describe,
};
