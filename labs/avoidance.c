// Obstacle avoidance learned by three methods, beside the rule that was made by hand. All four cross
// the same layouts, which no learner has trained on; training goes on in other layouts meanwhile.
#include "labs/avoidance.h"

#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/trainer.h"

enum {
    AVOIDANCE_HIDDEN = 48,
    AVOIDANCE_LOG = 16384,  // logged examples of the rule
    AVOIDANCE_AHEAD = 24,   // steps over which the weakly supervised net answers for an action
    AVOIDANCE_SCORED = 200, // layouts in the moving share
    AVOIDANCE_TRAIL = 128,
    AVOIDANCE_TRIALS = 50,        // layouts on which a net of the DQN is scored
    AVOIDANCE_TRIALS_EVERY = 5000 // steps of training
};

typedef enum avoidance_method {
    AVOIDANCE_RULE,
    AVOIDANCE_TAUGHT,   // a net trained with the rule's logged decisions
    AVOIDANCE_WEAK,     // a net that is graded by its results
    AVOIDANCE_REWARDED, // reinforcement: DQN
    AVOIDANCE_METHODS
} avoidance_method;

static const char *const avoidance_names[AVOIDANCE_METHODS] = {"rule", "taught", "weak",
                                                               "rewarded"};
static const ploy_style avoidance_styles[AVOIDANCE_METHODS] = {PLOY_STYLE_GHOST, PLOY_STYLE_AGENT_A,
                                                               PLOY_STYLE_WARNING, PLOY_STYLE_GOOD};

typedef struct avoidance_def {
    uint32_t cookie;
    int32_t speed, show, posts;
    float taught_rate, weak_rate, rewarded_rate;
    float drives, berth;
} avoidance_def;

static const ploy_field avoidance_items[] = {
    PLOY_FIELD_I32(avoidance_def, speed, 100, 0, 100000, "",
                   "steps that each learner trains in a tick; 0 pauses"),
    PLOY_FIELD_I32(avoidance_def, show, 1, 0, 10000, "", "steps of the shown runners in a tick"),
    PLOY_FIELD_I32(avoidance_def, posts, 16, 0, AVOIDANCE_POSTS_MAX, "", "posts of a layout"),
    PLOY_FIELD_F32(avoidance_def, taught_rate, 0.004, 0, 1, "", "learning rate of the taught net"),
    PLOY_FIELD_F32(avoidance_def, weak_rate, 0.001, 0, 1, "",
                   "learning rate of the weakly supervised net"),
    PLOY_FIELD_F32(avoidance_def, rewarded_rate, 0.0003, 0, 1, "", "learning rate of the DQN"),
    PLOY_FIELD_F32(
        avoidance_def, drives, 0.8, 0, 1, "",
        "share of training layouts in which the taught net drives and the rule is asked"),
    PLOY_FIELD_F32(avoidance_def, berth, 0.3, 0, 2, "m", "distance at which the rule passes posts"),
};

static ploy_fields avoidance_fields(void) {
    return PLOY_FIELDS(avoidance_def, avoidance_items);
}

typedef struct avoidance_example {
    float seen[AVOIDANCE_OBSERVED];
    int32_t action;
    float reward; // of the step; of the weakly supervised net only
} avoidance_example;

typedef struct avoidance_show {
    avoidance_course course;
    ploy_vec2 trail[AVOIDANCE_TRAIL]; // of the present layout, a ring
    bool crossed[AVOIDANCE_SCORED];   // the last layouts, a ring
} avoidance_show;

typedef struct avoidance_lab {
    avoidance_def def;
    ploy_env env;
    ploy_rng_key training, testing, draws, trial_key;
    avoidance_course courses[AVOIDANCE_METHODS]; // of training; the rule's is where it is logged
    int64_t layouts[AVOIDANCE_METHODS], steps[AVOIDANCE_METHODS];
    ploy_net *taught, *weak;
    ploy_trainer *taught_trainer, *weak_trainer;
    float *scratch;
    avoidance_example log[AVOIDANCE_LOG];
    avoidance_example recent[AVOIDANCE_AHEAD]; // of the weakly supervised net, a ring
    int32_t recent_count;
    float usual; // running mean of what the next steps bring
    ploy_actor actor;
    avoidance_course trial; // where its net is scored
    avoidance_show shown[AVOIDANCE_METHODS];
    int64_t tested; // layouts that all four have finished
} avoidance_lab;

// ---- the learners

static ploy_result avoidance_make_net(avoidance_lab *lab, float rate, uint64_t seed, ploy_net **net,
                                      ploy_trainer **trainer) {
    const ploy_net_layer layers[2] = {ploy_net_dense(AVOIDANCE_HIDDEN, PLOY_NET_TANH),
                                      ploy_net_dense(AVOIDANCE_ACTIONS, PLOY_NET_SOFTMAX)};
    ploy_trainer_destroy(*trainer);
    ploy_net_destroy(*net);
    *trainer = NULL;
    *net = NULL;
    ploy_result result = ploy_net_create(ploy_net_inputs(AVOIDANCE_OBSERVED), layers, 2,
                                         ploy_rng_key_split(lab->draws, seed), &lab->env, net);
    if (result != PLOY_OK) return result;
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_CROSS_ENTROPY;
    def.rate = rate;
    def.rate_end = 0.1f * rate;
    def.rate_updates = 20000;
    def.batch = 16;
    return ploy_trainer_create(&def, *net, &lab->env, trainer);
}

static ploy_result avoidance_begin(avoidance_lab *lab) {
    ploy_result result =
        avoidance_make_net(lab, lab->def.taught_rate, 1, &lab->taught, &lab->taught_trainer);
    if (result == PLOY_OK) {
        result = avoidance_make_net(lab, lab->def.weak_rate, 2, &lab->weak, &lab->weak_trainer);
    }
    ploy_actor_destroy(lab->actor);
    memset(&lab->actor, 0, sizeof lab->actor);
    ploy_dqn_def def = ploy_dqn_def_default();
    def.hidden = def.hidden2 = AVOIDANCE_HIDDEN;
    def.rate = lab->def.rewarded_rate;
    def.buffer = 10000;
    def.batch = 32;
    def.target_every = 1000;
    def.explore_steps = 20000;
    ploy_problem_space space = avoidance_space();
    if (result == PLOY_OK) {
        result = ploy_actor_create(ploy_actors_find("dqn"), &def, &space, lab->draws.bits,
                                   &lab->env, &lab->actor);
    }
    memset(lab->steps, 0, sizeof lab->steps);
    memset(lab->layouts, 0, sizeof lab->layouts);
    memset(lab->log, 0, sizeof lab->log);
    lab->recent_count = 0;
    lab->usual = 0.0f;
    lab->tested = 0;
    for (int32_t i = 0; i < AVOIDANCE_METHODS && result == PLOY_OK; i++) {
        memset(lab->shown[i].crossed, 0, sizeof lab->shown[i].crossed);
        result = avoidance_lay(&lab->courses[i], lab->training, 0, lab->def.posts);
        if (result == PLOY_OK) {
            result = avoidance_lay(&lab->shown[i].course, lab->testing, 0, lab->def.posts);
        }
    }
    return result;
}

static ploy_result avoidance_next_layout(avoidance_lab *lab, avoidance_method method) {
    if (lab->courses[method].end == AVOIDANCE_RUNS) return PLOY_OK;
    lab->layouts[method]++;
    return avoidance_lay(&lab->courses[method], lab->training, (uint64_t)lab->layouts[method],
                         lab->def.posts);
}

// A number of a method's present training step.
static float avoidance_number(const avoidance_lab *lab, avoidance_method method, uint32_t draw) {
    return ploy_rng_float_at(lab->draws, (uint32_t)method, (uint64_t)lab->steps[method], draw);
}

static int32_t avoidance_index(float number, int32_t count) {
    return ploy_mini((int32_t)(number * (float)count), count - 1);
}

// The log has the rule's decisions. In most layouts the net drives, so that it also learns what the
// rule would do in the trouble that the net gets into. It studies four of them for each step.
static ploy_result avoidance_teach(avoidance_lab *lab) {
    avoidance_course *course = &lab->courses[AVOIDANCE_TAUGHT];
    avoidance_example *now = &lab->log[lab->steps[AVOIDANCE_TAUGHT] % AVOIDANCE_LOG];
    avoidance_observe(course, now->seen);
    now->action = avoidance_rule(course, lab->def.berth);
    float draw =
        ploy_rng_float_at(lab->draws, AVOIDANCE_RULE, (uint64_t)lab->layouts[AVOIDANCE_TAUGHT], 0);
    int32_t action = now->action;
    if (draw < lab->def.drives) {
        float shares[AVOIDANCE_ACTIONS];
        ploy_net_run(lab->taught, now->seen, shares, lab->scratch);
        action = ploy_net_largest(shares, AVOIDANCE_ACTIONS);
    }
    (void)avoidance_step(course, action);
    lab->steps[AVOIDANCE_TAUGHT]++;
    int32_t logged =
        (int32_t)(lab->steps[AVOIDANCE_TAUGHT] < AVOIDANCE_LOG ? lab->steps[AVOIDANCE_TAUGHT]
                                                               : AVOIDANCE_LOG);
    for (uint32_t i = 0; i < 4; i++) {
        int32_t at = avoidance_index(avoidance_number(lab, AVOIDANCE_TAUGHT, 2 + i), logged);
        float target[AVOIDANCE_ACTIONS] = {0};
        target[lab->log[at].action] = 1.0f;
        (void)ploy_trainer_learn(lab->taught_trainer, lab->log[at].seen, target);
    }
    return avoidance_next_layout(lab, AVOIDANCE_TAUGHT);
}

// The oldest action answers for what came after it: more than usual raises it, less lowers it.
static void avoidance_judge(avoidance_lab *lab, int32_t oldest) {
    float sum = 0.0f, weight = 1.0f;
    for (int32_t i = oldest; i < lab->recent_count; i++, weight *= 0.9f) {
        sum += weight * lab->recent[i % AVOIDANCE_AHEAD].reward;
    }
    const avoidance_example *then = &lab->recent[oldest % AVOIDANCE_AHEAD];
    float shares[AVOIDANCE_ACTIONS];
    ploy_net_run(lab->weak, then->seen, shares, lab->scratch);
    // Likely actions are evaluated more often, so each time by less.
    float reward = (sum - lab->usual) / ploy_maxf(shares[then->action], 0.05f);
    ploy_trainer_reward(lab->weak_trainer, then->seen, then->action, reward);
    lab->usual += 0.001f * (sum - lab->usual);
}

static ploy_result avoidance_try(avoidance_lab *lab) {
    avoidance_course *course = &lab->courses[AVOIDANCE_WEAK];
    avoidance_example *now = &lab->recent[lab->recent_count % AVOIDANCE_AHEAD];
    avoidance_observe(course, now->seen);
    float shares[AVOIDANCE_ACTIONS], number = avoidance_number(lab, AVOIDANCE_WEAK, 0);
    ploy_net_run(lab->weak, now->seen, shares, lab->scratch);
    now->action = 0;
    for (; now->action < AVOIDANCE_ACTIONS - 1 && number >= shares[now->action]; now->action++) {
        number -= shares[now->action];
    }
    ploy_problem_result result = avoidance_step(course, now->action);
    now->reward = result.reward;
    lab->recent_count++;
    lab->steps[AVOIDANCE_WEAK]++;
    if (course->end != AVOIDANCE_RUNS) {
        int32_t first = ploy_maxi(lab->recent_count - AVOIDANCE_AHEAD, 0);
        for (int32_t i = first; i < lab->recent_count; i++) avoidance_judge(lab, i);
        lab->recent_count = 0;
    } else if (lab->recent_count >= AVOIDANCE_AHEAD) {
        avoidance_judge(lab, lab->recent_count - AVOIDANCE_AHEAD);
    }
    return avoidance_next_layout(lab, AVOIDANCE_WEAK);
}

static ploy_situation avoidance_situation(const float *seen) {
    ploy_situation now = {-1, seen, NULL};
    return now;
}

// A DQN forgets, so its best net counts: the one that crosses most of these layouts, which are
// neither trained on nor shown.
static ploy_result avoidance_keep(avoidance_lab *lab) {
    int32_t crossed = 0;
    for (int32_t i = 0; i < AVOIDANCE_TRIALS; i++) {
        ploy_result result =
            avoidance_lay(&lab->trial, lab->trial_key, (uint64_t)i, lab->def.posts);
        if (result != PLOY_OK) return result;
        while (lab->trial.end == AVOIDANCE_RUNS) {
            float seen[AVOIDANCE_OBSERVED];
            avoidance_observe(&lab->trial, seen);
            ploy_situation now = avoidance_situation(seen);
            (void)avoidance_step(&lab->trial, ploy_actor_best(lab->actor, &now));
        }
        crossed += lab->trial.end == AVOIDANCE_CROSSED ? 1 : 0;
    }
    (void)ploy_actor_keep_best(lab->actor, (double)crossed);
    return PLOY_OK;
}

static ploy_result avoidance_reward(avoidance_lab *lab) {
    avoidance_course *course = &lab->courses[AVOIDANCE_REWARDED];
    float before[AVOIDANCE_OBSERVED], after[AVOIDANCE_OBSERVED];
    avoidance_observe(course, before);
    ploy_situation now = avoidance_situation(before), next = avoidance_situation(after);
    int32_t action = ploy_actor_choose(lab->actor, &now);
    ploy_problem_result result = avoidance_step(course, action);
    avoidance_observe(course, after);
    lab->steps[AVOIDANCE_REWARDED]++;
    ploy_result done = ploy_actor_learn(lab->actor, &now, action, result, &next, -1);
    if (done == PLOY_OK && lab->steps[AVOIDANCE_REWARDED] % AVOIDANCE_TRIALS_EVERY == 0) {
        done = avoidance_keep(lab);
    }
    return done == PLOY_OK ? avoidance_next_layout(lab, AVOIDANCE_REWARDED) : done;
}

// ---- what is shown: no learner explores here

static ploy_agent_id avoidance_id(int32_t method) {
    return ploy_agent_id_make((uint32_t)method + 1, 1);
}

// Writes how much each turn is worth to a method, and returns the turn that it takes.
static int32_t avoidance_act(const avoidance_lab *lab, avoidance_method method, double *worth) {
    const avoidance_course *course = &lab->shown[method].course;
    float seen[AVOIDANCE_OBSERVED], shares[AVOIDANCE_ACTIONS];
    if (method == AVOIDANCE_RULE) {
        int32_t action = avoidance_rule(course, lab->def.berth);
        for (int32_t i = 0; i < AVOIDANCE_ACTIONS; i++) worth[i] = i == action ? 1.0 : 0.0;
        return action;
    }
    avoidance_observe(course, seen);
    if (method == AVOIDANCE_REWARDED) {
        double values[PLOY_PROBLEM_ACTIONS_MAX];
        ploy_situation now = avoidance_situation(seen);
        ploy_actor_freeze(lab->actor, true); // its best net
        ploy_actor_values(lab->actor, &now, values);
        int32_t best = ploy_actor_best(lab->actor, &now);
        ploy_actor_freeze(lab->actor, false);
        memcpy(worth, values, AVOIDANCE_ACTIONS * sizeof(double));
        return best;
    }
    ploy_net_run(method == AVOIDANCE_TAUGHT ? lab->taught : lab->weak, seen, shares, lab->scratch);
    for (int32_t i = 0; i < AVOIDANCE_ACTIONS; i++) worth[i] = (double)shares[i];
    return ploy_net_largest(shares, AVOIDANCE_ACTIONS);
}

static void avoidance_explain(avoidance_method method, int32_t action, const double *worth,
                              ploy_trace *trace) {
    static const char *const turns[AVOIDANCE_ACTIONS] = {"hard right", "right", "straight on",
                                                         "left", "hard left"};
    static const char *const reasons[AVOIDANCE_METHODS] = {
        "the push of the post ahead, or toward the far side", "how likely the rule would turn so",
        "share of the net's output", "expected progress, less crashes"};
    if (trace == NULL) return;
    ploy_trace_begin(trace, avoidance_id((int32_t)method), "turn", avoidance_names[method]);
    for (int32_t i = 0; i < AVOIDANCE_ACTIONS; i++) {
        ploy_trace_option(trace, turns[i], i == action ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          worth[i], reasons[method]);
    }
    ploy_trace_end(trace);
}

static ploy_result avoidance_show_step(avoidance_lab *lab, ploy_trace *trace) {
    bool runs = false;
    for (int32_t i = 0; i < AVOIDANCE_METHODS; i++) {
        avoidance_show *show = &lab->shown[i];
        double worth[AVOIDANCE_ACTIONS];
        if (show->course.end != AVOIDANCE_RUNS) continue;
        show->trail[show->course.steps % AVOIDANCE_TRAIL] = show->course.body.position;
        int32_t action = avoidance_act(lab, (avoidance_method)i, worth);
        avoidance_explain((avoidance_method)i, action, worth, trace);
        (void)avoidance_step(&show->course, action);
        runs = runs || show->course.end == AVOIDANCE_RUNS;
    }
    if (runs) return PLOY_OK;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < AVOIDANCE_METHODS && result == PLOY_OK; i++) {
        avoidance_show *show = &lab->shown[i];
        show->crossed[lab->tested % AVOIDANCE_SCORED] = show->course.end == AVOIDANCE_CROSSED;
        result =
            avoidance_lay(&show->course, lab->testing, (uint64_t)lab->tested + 1, lab->def.posts);
    }
    lab->tested++;
    return result;
}

static float avoidance_share(const avoidance_lab *lab, int32_t method) {
    int64_t count = lab->tested < AVOIDANCE_SCORED ? lab->tested : AVOIDANCE_SCORED, crossed = 0;
    for (int64_t i = 0; i < count; i++) crossed += lab->shown[method].crossed[i] ? 1 : 0;
    return count > 0 ? (float)crossed / (float)count : 0.0f;
}

static ploy_result avoidance_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    avoidance_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->training = ploy_rng_key_split(key, 1);
    lab->testing = ploy_rng_key_split(key, 2);
    lab->draws = ploy_rng_key_split(key, 3);
    lab->trial_key = ploy_rng_key_split(key, 4);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < AVOIDANCE_METHODS && result == PLOY_OK; i++) {
        result = avoidance_init(&lab->courses[i], env);
        if (result == PLOY_OK) result = avoidance_init(&lab->shown[i].course, env);
    }
    if (result == PLOY_OK) result = avoidance_init(&lab->trial, env);
    if (result == PLOY_OK) result = avoidance_begin(lab);
    if (result != PLOY_OK) return result;
    lab->scratch = ploy_env_alloc(env, (size_t)ploy_net_scratch(lab->taught) * sizeof(float));
    if (lab->scratch == NULL) return PLOY_ERR_MEMORY;
    *out = lab;
    return PLOY_OK;
}

static ploy_result avoidance_step_lab(void *state, const ploy_sim_context *context) {
    avoidance_lab *lab = state;
    avoidance_def before = lab->def;
    memcpy(&lab->def, context->params, sizeof lab->def);
    bool again = before.posts != lab->def.posts || before.taught_rate != lab->def.taught_rate ||
                 before.weak_rate != lab->def.weak_rate ||
                 before.rewarded_rate != lab->def.rewarded_rate ||
                 before.drives != lab->def.drives || before.berth != lab->def.berth ||
                 lab_input_count(context, "again") > 0;
    ploy_result result = again ? avoidance_begin(lab) : PLOY_OK;
    for (int32_t i = 0; i < lab->def.speed && result == PLOY_OK; i++) {
        result = avoidance_teach(lab);
        if (result == PLOY_OK) result = avoidance_try(lab);
        if (result == PLOY_OK) result = avoidance_reward(lab);
    }
    for (int32_t i = 0; i < lab->def.show && result == PLOY_OK; i++) {
        result = avoidance_show_step(lab, i == 0 ? context->trace : NULL);
    }
    return result;
}

// ---- sight

static void avoidance_draw_trail(const avoidance_show *show, ploy_style style, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    int32_t first = ploy_maxi(show->course.steps - AVOIDANCE_TRAIL, 0);
    for (int32_t i = first; i < show->course.steps; i++) {
        ploy_vec2 from = show->trail[i % AVOIDANCE_TRAIL];
        ploy_vec2 to = i + 1 < show->course.steps ? show->trail[(i + 1) % AVOIDANCE_TRAIL]
                                                  : show->course.body.position;
        ploy_draw_line(out, PLOY_LAYER_PATHS, style, none, from, to);
    }
}

static void avoidance_draw(const void *state, ploy_draw *out) {
    static const char *const keys[AVOIDANCE_METHODS] = {
        "rule made by hand", "net taught by the rule", "net graded by its results",
        "DQN, rewarded for progress"};
    const avoidance_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_BAD, "runner that crashed");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "finish");
    ploy_agent_id none = ploy_agent_id_none();
    ploy_plain_scene_draw(lab->shown[0].course.scene, out);
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, none,
                   ploy_vec2_make(AVOIDANCE_LENGTH, -AVOIDANCE_HALF_WIDTH),
                   ploy_vec2_make(AVOIDANCE_LENGTH, AVOIDANCE_HALF_WIDTH));
    char text[320];
    int used = snprintf(text, sizeof text, "lrr\nrunner\tlast %d layouts crossed\tsteps trained",
                        (int)AVOIDANCE_SCORED);
    for (int32_t i = 0; i < AVOIDANCE_METHODS; i++) {
        const avoidance_course *course = &lab->shown[i].course;
        ploy_draw_key(out, avoidance_styles[i], keys[i]);
        avoidance_draw_trail(&lab->shown[i], avoidance_styles[i], out);
        ploy_draw_agent(
            out, course->end == AVOIDANCE_CRASHED ? PLOY_STYLE_BAD : avoidance_styles[i],
            avoidance_id(i), course->body.position, course->body.orientation, AVOIDANCE_RADIUS);
        if (used < (int)sizeof text - 64) {
            used += snprintf(text + used, sizeof text - (size_t)used, "\n%s\t%.1f %%\t%lld",
                             avoidance_names[i], 100.0 * (double)avoidance_share(lab, i),
                             (long long)lab->steps[i]);
        }
    }
    ploy_draw_table(out, none, ploy_vec2_make(0.0f, 11.5f), text);
}

static void avoidance_describe_method(const avoidance_lab *lab, int32_t i, ploy_describe *out) {
    const avoidance_show *show = &lab->shown[i];
    ploy_describe_begin_agent(out, avoidance_names[i], avoidance_id(i));
    ploy_describe_f32(out, "share", PLOY_DERIVED, avoidance_share(lab, i));
    ploy_describe_i64(out, "trained", PLOY_STATE, lab->steps[i]);
    ploy_describe_i64(out, "layouts", PLOY_STATE, lab->layouts[i]);
    ploy_describe_begin(out, "training");
    avoidance_describe(&lab->courses[i], out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "shown");
    avoidance_describe(&show->course, out);
    ploy_describe_end(out);
    char crossed[AVOIDANCE_SCORED + 1];
    for (int32_t k = 0; k < AVOIDANCE_SCORED; k++) crossed[k] = show->crossed[k] ? 'x' : '.';
    crossed[AVOIDANCE_SCORED] = 0;
    ploy_describe_text(out, "crossed", PLOY_STATE, crossed);
    ploy_describe_end(out);
}

static void avoidance_describe_lab(const void *state, ploy_describe *out) {
    const avoidance_lab *lab = state;
    ploy_describe_u64(out, "key", PLOY_STATE, lab->draws.bits);
    ploy_describe_i64(out, "tested", PLOY_STATE, lab->tested);
    for (int32_t i = 0; i < AVOIDANCE_METHODS; i++) avoidance_describe_method(lab, i, out);
    ploy_describe_f32(out, "usual", PLOY_STATE, lab->usual);
    ploy_describe_i64(out, "recent", PLOY_STATE, lab->recent_count);
    ploy_describe_u64(out, "taught net", PLOY_STATE, ploy_net_hash(lab->taught));
    ploy_describe_u64(out, "taught trainer", PLOY_STATE,
                      ploy_visit_hash(ploy_trainer_visit, lab->taught_trainer, NULL));
    ploy_describe_u64(out, "weak net", PLOY_STATE, ploy_net_hash(lab->weak));
    ploy_describe_u64(out, "weak trainer", PLOY_STATE,
                      ploy_visit_hash(ploy_trainer_visit, lab->weak_trainer, NULL));
    ploy_describe_u64(out, "DQN", PLOY_STATE, ploy_actor_hash(lab->actor));
}

static const ploy_command avoidance_commands[] = {
    {"again", "forget everything and begin again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_avoidance; // in labs.c
const ploy_sim_type ploy_lab_avoidance = {
    .name = "avoidance",
    .title = "Obstacle avoidance learned by three methods",
    .help = "Four runners cross layouts of posts that they have never seen: a rule made by hand, a "
            "net taught with the rule's logged decisions, a net graded by its results, "
            "and a DQN that is rewarded for progress. Training uses other layouts.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 10.0f,
    .view = {-1.0f, -7.0f, 32.0f, 12.5f},
    .fields = avoidance_fields,
    .commands = avoidance_commands,
    .command_count = sizeof avoidance_commands / sizeof avoidance_commands[0],
    .create = avoidance_create,
    .destroy = NULL, // the region goes with the simulation
    .step = avoidance_step_lab,
    .draw = avoidance_draw,
    .describe = avoidance_describe_lab,
};
