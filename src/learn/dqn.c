// Q-learning with a network: described in the header.
#include <string.h>

#include "learn/actor_internal.h"
#include "ploy/base/math.h"
#include "ploy/learn/trainer.h"

static const ploy_field dqn_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, hidden, 64, 1, 1024, "", "units of the first hidden layer"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, hidden2, 64, 0, 1024, "", "units of the second; 0: none"),
    PLOY_FIELD_F32(ploy_dqn_def, rate, 0.001, 0, 1, "", "learning rate"),
    PLOY_FIELD_F32(ploy_dqn_def, discount, 0, 0, 1, "",
                   "worth of the next reward; 0: the problem's"),
    PLOY_FIELD_F32(ploy_dqn_def, explore, 1, 0, 1, "", "share of random actions at first"),
    PLOY_FIELD_F32(ploy_dqn_def, explore_last, 0.05, 0, 1, "",
                   "share of random actions at the end"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, explore_steps, 10000, 1, 1 << 30, "", "steps until the end"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, buffer, 50000, 1, 1 << 22, "", "steps remembered"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, batch, 64, 1, 1024, "", "steps learned at a time"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, every, 2, 1, 1000, "", "steps between two batches"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, target_every, 500, 1, 1 << 20, "",
                         "steps between two copies to the target"),
    PLOY_FIELD_I32_FIXED(ploy_dqn_def, warm_up, 1000, 1, 1 << 20, "", "steps before it learns"),
    PLOY_FIELD_BOOL(ploy_dqn_def, doubled, true, "the net chooses, the target gives the value"),
};

ploy_fields ploy_dqn_fields(void) {
    return PLOY_FIELDS(ploy_dqn_def, dqn_fields);
}

ploy_dqn_def ploy_dqn_def_default(void) {
    ploy_dqn_def def;
    ploy_fields_default(ploy_dqn_fields(), &def);
    return def;
}

enum { DQN_STATES_MAX = 4096 };

typedef struct dqn_step {
    int32_t action;
    float reward;
    bool terminated;
    uint64_t allowed[2]; // actions of the next situation, a bit each
} dqn_step;

typedef struct dqn {
    ploy_actor_common common;
    ploy_dqn_def def;
    float discount;
    int32_t inputs;
    ploy_net *net, *target;
    ploy_net *best; // of the frozen actor
    bool has_best;  // best was scored
    double best_score;
    ploy_trainer *trainer;
    int32_t stored, place; // of the ring
    dqn_step *steps;
    float *seen;    // observation before and after each step
    float *scratch; // of the nets, then input, values and errors
    size_t seen_size, scratch_size;
} dqn;

static void dqn_destroy(void *self) {
    dqn *d = self;
    ploy_env env = d->common.env;
    ploy_trainer_destroy(d->trainer);
    ploy_net_destroy(d->net);
    ploy_net_destroy(d->target);
    ploy_net_destroy(d->best);
    ploy_env_free(&env, d->steps, (size_t)d->def.buffer * sizeof(dqn_step));
    ploy_env_free(&env, d->seen, d->seen_size);
    ploy_env_free(&env, d->scratch, d->scratch_size);
    ploy_env_free(&env, d, sizeof *d);
}

static ploy_result dqn_make_nets(dqn *d, const ploy_env *env) {
    ploy_net_layer layers[3] = {ploy_net_dense(d->def.hidden, PLOY_NET_RELU),
                                ploy_net_dense(ploy_maxi(d->def.hidden2, 1), PLOY_NET_RELU),
                                ploy_net_dense(d->common.space.actions, PLOY_NET_LINEAR)};
    int32_t count = 3;
    if (d->def.hidden2 == 0) layers[1] = layers[--count];
    uint64_t bits = ploy_rng_u64(&d->common.rng);
    ploy_result result = ploy_net_create(ploy_net_inputs(d->inputs), layers, count,
                                         ploy_rng_key_make(bits), env, &d->net);
    if (result == PLOY_OK) result = ploy_net_copy(d->net, env, &d->target);
    if (result == PLOY_OK) result = ploy_net_copy(d->net, env, &d->best);
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.rate = d->def.rate;
    def.batch = 0;
    def.clip = 10.0f;
    if (result == PLOY_OK) result = ploy_trainer_create(&def, d->net, env, &d->trainer);
    return result;
}

static ploy_result dqn_create(const void *def, const ploy_actor_common *common, void **out) {
    const ploy_problem_space *space = &common->space;
    if (space->observed == 0 && (space->states < 1 || space->states > DQN_STATES_MAX)) {
        ploy_env_log(&common->env, PLOY_SEVERITY_ERROR,
                     "it needs an observation or at most 4096 states");
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_env *env = &common->env;
    dqn *d = ploy_env_alloc_zero(env, sizeof *d);
    if (d == NULL) return PLOY_ERR_MEMORY;
    d->common = *common;
    d->def = *(const ploy_dqn_def *)def;
    d->discount = d->def.discount > 0.0f ? d->def.discount : space->discount;
    d->inputs = space->observed > 0 ? space->observed : (int32_t)space->states;
    ploy_result result = dqn_make_nets(d, env);
    if (result == PLOY_OK) {
        d->seen_size = (size_t)d->def.buffer * 2 * (size_t)d->inputs * sizeof(float);
        size_t floats =
            (size_t)ploy_net_scratch(d->net) + (size_t)d->inputs + 3 * PLOY_PROBLEM_ACTIONS_MAX;
        d->scratch_size = floats * sizeof(float);
        d->steps = ploy_env_alloc_zero(env, (size_t)d->def.buffer * sizeof(dqn_step));
        d->seen = ploy_env_alloc_zero(env, d->seen_size);
        d->scratch = ploy_env_alloc_zero(env, d->scratch_size);
        if (d->steps == NULL || d->seen == NULL || d->scratch == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        dqn_destroy(d);
        return result;
    }
    *out = d;
    return PLOY_OK;
}

// The net's input: the observation, or a 1 in the state's place.
static void dqn_input(const dqn *d, const ploy_situation *now, float *out) {
    if (d->common.space.observed > 0) {
        memcpy(out, now->observation, (size_t)d->inputs * sizeof(float));
        return;
    }
    memset(out, 0, (size_t)d->inputs * sizeof(float));
    if (now->state >= 0 && now->state < d->inputs) out[now->state] = 1.0f;
}

static void dqn_values(const void *self, const ploy_situation *now, double *out) {
    const dqn *d = self;
    float *input = d->scratch + ploy_net_scratch(d->net), *values = input + d->inputs;
    dqn_input(d, now, input);
    ploy_net_run(d->common.frozen && d->has_best ? d->best : d->net, input, values, d->scratch);
    for (int32_t a = 0; a < d->common.space.actions; a++) out[a] = (double)values[a];
}

static int32_t dqn_choose(void *self, const ploy_situation *now) {
    dqn *d = self;
    float share = ploy_minf((float)d->common.steps / (float)d->def.explore_steps, 1.0f);
    return ployi_actor_explore(&d->common, now, dqn_values, self,
                               ploy_lerpf(d->def.explore, d->def.explore_last, share));
}

// The best action that is allowed in the situation behind a step.
static int32_t dqn_best(const dqn_step *step, const float *values, int32_t actions) {
    int32_t best = -1;
    for (int32_t a = 0; a < actions; a++) {
        if ((step->allowed[a / 64] >> (a % 64) & 1) == 0) continue;
        if (best < 0 || values[a] > values[best]) best = a;
    }
    return best < 0 ? 0 : best;
}

// One remembered step: the error of its action, a large one cut to 1 (Huber's loss).
static void dqn_study(dqn *d, int32_t index) {
    const dqn_step *step = &d->steps[index];
    const float *before = d->seen + (int64_t)index * 2 * d->inputs, *after = before + d->inputs;
    float *values = d->scratch + ploy_net_scratch(d->net) + d->inputs;
    float *own = values + PLOY_PROBLEM_ACTIONS_MAX, *errors = own + PLOY_PROBLEM_ACTIONS_MAX;
    int32_t actions = d->common.space.actions;
    float goal = step->reward;
    if (!step->terminated) {
        ploy_net_run(d->target, after, values, d->scratch);
        int32_t best = dqn_best(step, values, actions);
        if (d->def.doubled) {
            ploy_net_run(d->net, after, own, d->scratch);
            best = dqn_best(step, own, actions);
        }
        goal += d->discount * values[best];
    }
    ploy_net_run(d->net, before, own, d->scratch);
    for (int32_t a = 0; a < actions; a++) errors[a] = 0.0f;
    errors[step->action] = ploy_clampf(goal - own[step->action], -1.0f, 1.0f);
    ploy_trainer_correct(d->trainer, before, errors);
}

static ploy_result dqn_learn(void *self, const ploy_situation *now, int32_t action,
                             ploy_problem_result result, const ploy_situation *next,
                             int32_t next_action) {
    dqn *d = self;
    (void)next_action;
    dqn_step *step = &d->steps[d->place];
    step->action = action;
    step->reward = result.reward;
    step->terminated = result.terminated;
    step->allowed[0] = step->allowed[1] = 0;
    for (int32_t a = 0; a < d->common.space.actions; a++) {
        bool allowed = next->allowed == NULL || next->allowed[a];
        if (allowed) step->allowed[a / 64] |= UINT64_C(1) << (a % 64);
    }
    dqn_input(d, now, d->seen + (int64_t)d->place * 2 * d->inputs);
    dqn_input(d, next, d->seen + ((int64_t)d->place * 2 + 1) * d->inputs);
    d->place = (d->place + 1) % d->def.buffer;
    d->stored = ploy_mini(d->stored + 1, d->def.buffer);
    int64_t steps = d->common.steps + 1;
    if (steps >= d->def.warm_up && steps % d->def.every == 0) {
        for (int32_t i = 0; i < d->def.batch; i++) {
            int32_t index = ploy_rng_int(&d->common.rng, 0, d->stored - 1);
            dqn_study(d, index);
        }
        ploy_trainer_update(d->trainer);
    }
    if (steps % d->def.target_every == 0) (void)ploy_net_assign(d->target, d->net);
    return PLOY_OK;
}

// As after create: the first draw makes the weights.
static void dqn_reset(void *self) {
    dqn *d = self;
    ploy_net_randomise(d->net, ploy_rng_key_make(ploy_rng_u64(&d->common.rng)));
    (void)ploy_net_assign(d->target, d->net); // has the same layers
    (void)ploy_net_assign(d->best, d->net);
    ploy_trainer_reset(d->trainer);
    d->has_best = false;
    d->best_score = 0.0;
    d->stored = d->place = 0;
    memset(d->steps, 0, (size_t)d->def.buffer * sizeof *d->steps);
    memset(d->seen, 0, d->seen_size);
}

static bool dqn_keep_best(void *self, double score) {
    dqn *d = self;
    if (d->has_best && !(score > d->best_score)) return false;
    (void)ploy_net_assign(d->best, d->net); // has the same layers
    d->best_score = score;
    d->has_best = true;
    return true;
}

// Files of actors that were never scored have no best net.
static void dqn_visit_best(ploy_visit *v, dqn *d) {
    bool has_best = ploy_visit_optional(v, "best", d->has_best);
    if (ploy_visit_loads(v)) PLOY_VISIT_WRITE(v, d->has_best, has_best);
    PLOY_VISIT_SCRATCH(v, d->has_best);
    if (!has_best) {
        PLOY_VISIT_SCRATCH(v, d->best_score);
        if (v->memory != NULL) ploy_net_visit(v, d->best);
        return;
    }
    ploy_visit_begin(v, "best", PLOY_STATE);
    ploy_net_visit(v, d->best);
    ploy_visit_end(v);
    ploy_visit_f64(v, "best_score", PLOY_STATE, &d->best_score);
}

static void dqn_visit(ploy_visit *v, void *self) {
    dqn *d = self;
    (void)d->common; // visited by the front
    ploy_visit_object(v, "dqn", d, sizeof *d);
    PLOY_VISIT_SCRATCH(v, d->def);
    PLOY_VISIT_SCRATCH(v, d->discount);
    PLOY_VISIT_SCRATCH(v, d->inputs);
    PLOY_VISIT_SCRATCH(v, d->net);
    PLOY_VISIT_SCRATCH(v, d->target);
    PLOY_VISIT_SCRATCH(v, d->best);
    PLOY_VISIT_SCRATCH(v, d->trainer);
    PLOY_VISIT_SCRATCH(v, d->steps);
    PLOY_VISIT_SCRATCH(v, d->seen);
    PLOY_VISIT_SCRATCH(v, d->scratch);
    PLOY_VISIT_SCRATCH(v, d->seen_size);
    PLOY_VISIT_SCRATCH(v, d->scratch_size);
    ploy_visit_block(v, "dqn.seen", d->seen, d->seen_size);
    ploy_visit_block(v, "dqn.scratch", d->scratch, d->scratch_size);
    ploy_visit_block(v, "dqn.steps", d->steps, (size_t)d->def.buffer * sizeof(dqn_step));
    ploy_visit_begin(v, "net", PLOY_STATE);
    ploy_net_visit(v, d->net);
    ploy_visit_end(v);
    ploy_visit_begin(v, "target", PLOY_STATE);
    ploy_net_visit(v, d->target);
    ploy_visit_end(v);
    dqn_visit_best(v, d);
    ploy_visit_begin(v, "trainer", PLOY_STATE);
    ploy_trainer_visit(v, d->trainer);
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "place", PLOY_STATE, &d->place, 0, d->def.buffer - 1);
    int32_t stored = ploy_visit_list(v, "stored", PLOY_STATE, &d->stored, d->def.buffer);
    for (int32_t i = 0; i < stored; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i32_in(v, "action", PLOY_STATE, &d->steps[i].action, 0,
                          d->common.space.actions - 1);
        ploy_visit_f32(v, "reward", PLOY_STATE, &d->steps[i].reward);
        ploy_visit_bool(v, "terminated", PLOY_STATE, &d->steps[i].terminated);
        ploy_visit_hex64(v, "allowed", PLOY_STATE, &d->steps[i].allowed[0]);
        ploy_visit_hex64(v, "allowed_more", PLOY_STATE, &d->steps[i].allowed[1]);
        int32_t seen = ploy_visit_fixed(v, "seen", PLOY_STATE, 2 * d->inputs);
        for (int32_t k = 0; k < seen; k++) {
            ploy_visit_f32(v, "value", PLOY_STATE, &d->seen[(int64_t)i * 2 * d->inputs + k]);
        }
        ploy_visit_end(v);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

const ploy_actor_type ployi_actor_dqn = {"dqn",
                                         "Q-learning with a network and a replay buffer",
                                         ploy_dqn_fields,
                                         dqn_create,
                                         dqn_destroy,
                                         dqn_choose,
                                         dqn_learn,
                                         dqn_values,
                                         NULL,
                                         dqn_visit,
                                         dqn_keep_best,
                                         dqn_reset};

const ploy_net *ploy_dqn_net(ploy_actor actor) {
    if (actor.type != &ployi_actor_dqn) return NULL;
    const dqn *d = actor.self;
    return d->has_best ? d->best : d->net;
}
