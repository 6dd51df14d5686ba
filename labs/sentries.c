// Sentries: Q-learning places three guards, beside guards that wait at random places.
#include "labs/sentries.h"

#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/hash.h"
#include "ploy/learn/actor.h"

enum { SENTRIES_HASHED = 160 }; // states in a tick: all 9,826 in 62 ticks

typedef struct sentries_def {
    uint32_t cookie;
    int32_t speed;
    bool show;
    float rate, discount, explore;
} sentries_def;

static const ploy_field sentries_fields[] = {
    PLOY_FIELD_I32(sentries_def, speed, 2000, 0, 100000, "", "steps learned in a tick; 0 pauses"),
    PLOY_FIELD_BOOL(sentries_def, show, true, "play an episode with what was learned"),
    PLOY_FIELD_F32(sentries_def, rate, 0.3, 0.001, 1, "", "learning rate at first"),
    PLOY_FIELD_F32(sentries_def, discount, 0.7, 0.01, 0.999, "", "worth of a later reward"),
    PLOY_FIELD_F32(sentries_def, explore, 0.3, 0, 1, "", "share of random actions"),
};

static ploy_fields sentries_get_fields(void) {
    return PLOY_FIELDS(sentries_def, sentries_fields);
}

// Who plays on the picture, and how it went.
typedef struct sentries_stage {
    ploy_problem *problem;
    int64_t episodes;
    double returns; // sum over the episodes that ended
} sentries_stage;

typedef struct sentries_lab {
    sentries_def def;
    ploy_env env;
    uint64_t seed;
    ploy_problem *problem; // learned in
    ploy_actor actor;
    ploy_play_task *task;
    uint64_t table; // hash of the values, a part of them in each tick
    int64_t hashed; // state that comes next
    sentries_stage learned, scattered;
} sentries_lab;

static ploy_result sentries_begin(sentries_lab *lab) {
    ploy_play_cancel(lab->task);
    ploy_actor_destroy(lab->actor);
    ploy_problem_destroy(lab->problem);
    lab->task = NULL;
    lab->problem = NULL;
    lab->actor.type = NULL;
    ploy_q_def settings = ploy_q_def_default();
    settings.explore_schedule = PLOY_Q_CONSTANT;
    settings.rate_schedule = PLOY_Q_GEOMETRIC; // at a constant rate luck never averages out
    settings.rate = lab->def.rate;
    settings.rate_last = lab->def.rate / 60.0f;
    settings.schedule_steps = 300000;
    settings.explore = settings.explore_last = lab->def.explore;
    settings.discount = lab->def.discount;
    const ploy_problem_type *type = sentries_problem();
    ploy_result result = ploy_problem_create(type, &lab->env, &lab->problem);
    if (result == PLOY_OK) {
        result = ploy_actor_create(ploy_actors_find("q"), &settings, &type->space, lab->seed,
                                   &lab->env, &lab->actor);
    }
    if (result == PLOY_OK) {
        result = ploy_play_begin(lab->problem, lab->actor, INT64_MAX, 0.0f, lab->seed, &lab->env,
                                 &lab->task);
    }
    return result;
}

static ploy_result sentries_create_lab(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    sentries_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    ploy_result result = ploy_problem_create(sentries_problem(), env, &lab->learned.problem);
    if (result == PLOY_OK) {
        result = ploy_problem_create(sentries_scattered(), env, &lab->scattered.problem);
    }
    if (result == PLOY_OK) result = sentries_begin(lab);
    if (result != PLOY_OK) return result;
    ploy_problem_reset(lab->learned.problem, lab->seed);
    ploy_problem_reset(lab->scattered.problem, lab->seed + 1);
    *out = lab;
    return PLOY_OK;
}

// One step on a stage, with the best action or without moves.
static void sentries_show(sentries_stage *stage, const ploy_actor *actor, ploy_trace *trace) {
    int32_t action = SENTRIES_STAY;
    if (actor != NULL) {
        bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
        (void)ploy_problem_allowed(stage->problem, allowed);
        ploy_situation now = {ploy_problem_state(stage->problem), NULL, allowed};
        action = ploy_actor_best(*actor, &now);
        ploy_actor_explain(*actor, &now, ploy_agent_id_make(1, 1), trace);
    }
    ploy_problem_result result = ploy_problem_step(stage->problem, action);
    stage->returns += (double)result.reward;
    if (!result.terminated && !result.truncated) return;
    stage->episodes++;
    ploy_problem_restart(stage->problem, -1);
}

// The whole table has 452,000 values: a hash of all of them in every tick would take most of the time.
static void sentries_hash(sentries_lab *lab) {
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    for (int32_t i = 0; i < SENTRIES_HASHED; i++) {
        ploy_situation now = {lab->hashed, NULL, NULL};
        ploy_actor_values(lab->actor, &now, values);
        for (int32_t a = 0; a < SENTRIES_ACTIONS; a++) {
            uint64_t bits;
            memcpy(&bits, &values[a], sizeof bits);
            lab->table = ploy_hash_combine(lab->table, bits);
        }
        lab->hashed = (lab->hashed + 1) % sentries_problem()->space.states;
    }
}

static ploy_result sentries_step_lab(void *state, const ploy_sim_context *context) {
    sentries_lab *lab = state;
    sentries_def before;
    memcpy(&before, &lab->def, sizeof before);
    memcpy(&lab->def, context->params, sizeof lab->def);
    before.speed = lab->def.speed;
    before.show = lab->def.show;
    bool changed = before.rate != lab->def.rate || before.discount != lab->def.discount ||
                   before.explore != lab->def.explore;
    if (changed || lab_input_count(context, "again") > 0) {
        ploy_result result = sentries_begin(lab);
        if (result != PLOY_OK) return result;
        lab->learned.episodes = lab->scattered.episodes = 0;
        lab->learned.returns = lab->scattered.returns = 0.0;
    }
    if (lab->def.show) {
        sentries_show(&lab->learned, &lab->actor, context->trace);
        sentries_show(&lab->scattered, NULL, NULL);
    }
    sentries_hash(lab);
    if (lab->def.speed == 0) return PLOY_OK;
    ploy_budget budget = ploy_budget_units(lab->def.speed);
    ploy_result result = ploy_play_step(lab->task, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

static double sentries_mean(const sentries_stage *stage) {
    return stage->episodes > 0 ? stage->returns / (double)stage->episodes : 0.0;
}

static void sentries_draw_lab(const void *state, ploy_draw *out) {
    const sentries_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_GOOD, "sentry");
    ploy_draw_key(out, PLOY_STYLE_BAD, "player, and who sees it");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "entrance");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "places for sentries");
    ploy_problem_draw(lab->learned.problem, out);
    char text[160];
    snprintf(text, sizeof text, "%lld steps learned; return %.2f, at random places %.2f",
             (long long)ploy_play_result(lab->task).steps, sentries_mean(&lab->learned),
             sentries_mean(&lab->scattered));
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 11.6f), text);
}

static void sentries_describe_stage(const char *name, const sentries_stage *stage,
                                    ploy_describe *out) {
    ploy_describe_begin(out, name);
    ploy_describe_i64(out, "episodes", PLOY_STATE, stage->episodes);
    ploy_describe_f64(out, "returns", PLOY_STATE, stage->returns);
    ploy_describe_f64(out, "mean", PLOY_DERIVED, sentries_mean(stage));
    ploy_visit_describe(ploy_problem_visit, stage->problem, NULL, out);
    ploy_describe_end(out);
}

// What was learned: the values of the states that both problems are in, and the hash of the others.
static void sentries_describe_learner(const sentries_lab *lab, ploy_describe *out) {
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    const ploy_problem *problems[] = {lab->problem, lab->learned.problem};
    ploy_describe_begin(out, "learner");
    ploy_describe_i64(out, "steps", PLOY_STATE, ploy_actor_steps(lab->actor));
    ploy_describe_u64(out, "table", PLOY_STATE, lab->table);
    ploy_describe_i64(out, "hashed", PLOY_STATE, lab->hashed);
    for (int32_t i = 0; i < 2; i++) {
        ploy_situation now = {ploy_problem_state(problems[i]), NULL, NULL};
        ploy_actor_values(lab->actor, &now, values);
        ploy_describe_begin(out, i == 0 ? "values" : "values_shown");
        for (int32_t a = 0; a < SENTRIES_ACTIONS; a++) {
            ploy_describe_f64(out, "value", PLOY_STATE, values[a]);
        }
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void sentries_describe_lab(const void *state, ploy_describe *out) {
    const sentries_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->seed);
    ploy_describe_begin(out, "play");
    ploy_visit_describe(ploy_play_visit, lab->task, NULL, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "problem");
    ploy_visit_describe(ploy_problem_visit, lab->problem, NULL, out);
    ploy_describe_end(out);
    sentries_describe_learner(lab, out);
    sentries_describe_stage("learned", &lab->learned, out);
    sentries_describe_stage("scattered", &lab->scattered, out);
}

static const ploy_command sentries_commands[] = {
    {"again", "forget everything and begin again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_sentries; // in labs.c
const ploy_sim_type ploy_lab_sentries = {
    .name = "sentries",
    .title = "Sentries that learn where to wait",
    .help = "Three guards learn by Q-learning at which of 15 places to wait for an intruder, who "
            "takes a random route to the entrance on the right. Beside them, guards at random "
            "places are counted.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, -0.5f, 24.5f, 12.5f},
    .fields = sentries_get_fields,
    .commands = sentries_commands,
    .command_count = sizeof sentries_commands / sizeof sentries_commands[0],
    .create = sentries_create_lab,
    .destroy = NULL, // the region goes with the simulation
    .step = sentries_step_lab,
    .draw = sentries_draw_lab,
    .describe = sentries_describe_lab,
};
