// Values of states: temporal differences with traces, and the actor with its critic.
#include <string.h>

#include "learn/actor_internal.h"
#include "ploy/base/math.h"

static const ploy_field critic_td_fields[] = {
    PLOY_FIELD_F32(ploy_td_def, rate, 1, 0, 1, "", "largest learning rate"),
    PLOY_FIELD_F32(ploy_td_def, rate_last, 0.0001, 0, 1, "", "smallest learning rate"),
    PLOY_FIELD_F32(ploy_td_def, discount, 0, 0, 1, "",
                   "worth of the next reward; 0: the problem's"),
    PLOY_FIELD_F32(ploy_td_def, explore, 0.2, 0, 1, "", "share of random actions"),
    PLOY_FIELD_F32(ploy_td_def, trace, 0, 0, 1, "", "lambda of eligibility traces"),
    PLOY_FIELD_I32_FIXED(ploy_td_def, states_max, 1 << 20, 1, 1 << 26, "", "most states"),
};

ploy_fields ploy_td_fields(void) {
    return PLOY_FIELDS(ploy_td_def, critic_td_fields);
}

ploy_td_def ploy_td_def_default(void) {
    ploy_td_def def;
    ploy_fields_default(ploy_td_fields(), &def);
    return def;
}

static const ploy_field critic_fields[] = {
    PLOY_FIELD_F32(ploy_actor_critic_def, critic_rate, 0.2, 0, 1, "",
                   "learning rate of the critic"),
    PLOY_FIELD_F32(ploy_actor_critic_def, actor_rate, 0.1, 0, 10, "",
                   "learning rate of the preferences"),
    PLOY_FIELD_F32(ploy_actor_critic_def, discount, 0, 0, 1, "",
                   "worth of the next reward; 0: the problem's"),
    PLOY_FIELD_F32(ploy_actor_critic_def, temperature, 1, 0.001, 1000, "",
                   "of the softmax over preferences"),
    PLOY_FIELD_I32_FIXED(ploy_actor_critic_def, states_max, 1 << 20, 1, 1 << 26, "", "most values"),
};

ploy_fields ploy_actor_critic_fields(void) {
    return PLOY_FIELDS(ploy_actor_critic_def, critic_fields);
}

ploy_actor_critic_def ploy_actor_critic_def_default(void) {
    ploy_actor_critic_def def;
    ploy_fields_default(ploy_actor_critic_fields(), &def);
    return def;
}

// One block of numbers for both: a value for each state, then eligibilities and visits or preferences.
typedef struct critic {
    ploy_actor_common common;
    ploy_td_def td;
    ploy_actor_critic_def def;
    double discount;
    int64_t count; // of numbers
    double *values;
    double *second; // eligibility of each state; of the actor: preferences of each pair
    double *visits; // of each state; NULL in the actor
} critic;

static void critic_destroy(void *self) {
    critic *c = self;
    ploy_env env = c->common.env;
    ploy_env_free(&env, c->values, (size_t)c->count * sizeof(double));
    ploy_env_free(&env, c, sizeof *c);
}

static ploy_result critic_make(const ploy_actor_common *common, int32_t states_max, int64_t each,
                               float discount, critic **out) {
    int64_t states = common->space.states;
    if (states < 1 || states > states_max / each) {
        ploy_env_log(&common->env, PLOY_SEVERITY_ERROR,
                     "it needs countable states, and not more than states_max");
        return PLOY_ERR_ARGUMENT;
    }
    critic *c = ploy_env_alloc_zero(&common->env, sizeof *c);
    if (c == NULL) return PLOY_ERR_MEMORY;
    c->common = *common;
    c->discount = (double)(discount > 0.0f ? discount : common->space.discount);
    c->values = ploy_env_alloc_zero(&common->env, (size_t)(states * each) * sizeof(double));
    if (c->values == NULL) {
        ploy_env_free(&common->env, c, sizeof *c);
        return PLOY_ERR_MEMORY;
    }
    c->count = states * each;
    c->second = c->values + states;
    *out = c;
    return PLOY_OK;
}

static void critic_reset(void *self) {
    critic *c = self;
    memset(c->values, 0, (size_t)c->count * sizeof *c->values);
}

static void critic_visit(ploy_visit *v, void *self) {
    critic *c = self;
    ploy_visit_block(v, "critic", c, sizeof *c);
    ploy_visit_block(v, "critic.values", c->values, (size_t)c->count * sizeof(double));
    int32_t count = ploy_visit_fixed(v, "values", PLOY_STATE, (int32_t)c->count);
    for (int32_t i = 0; i < count; i++) ploy_visit_f64(v, "value", PLOY_STATE, &c->values[i]);
    ploy_visit_end(v);
}

// ---- td

static ploy_result critic_td_create(const void *def, const ploy_actor_common *common, void **out) {
    const ploy_td_def *td = def;
    critic *c = NULL;
    ploy_result result = critic_make(common, td->states_max, 3, td->discount, &c);
    if (result != PLOY_OK) return result;
    c->td = *td;
    c->visits = c->second + common->space.states;
    *out = c;
    return PLOY_OK;
}

// What each action should bring, by the model; the state's own value without one.
static void critic_td_values(const void *self, const ploy_situation *now, double *out) {
    const critic *c = self;
    for (int32_t a = 0; a < c->common.space.actions; a++) {
        out[a] = c->values[now->state];
        if (c->td.model == NULL) continue;
        ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
        int32_t count = c->td.model(now->state, a, outcomes);
        out[a] = 0.0;
        for (int32_t i = 0; i < count; i++) {
            double later = outcomes[i].terminated ? 0.0 : c->values[outcomes[i].state];
            out[a] += outcomes[i].probability * (outcomes[i].reward + c->discount * later);
        }
    }
}

static int32_t critic_td_choose(void *self, const ploy_situation *now) {
    critic *c = self;
    return ployi_actor_explore(&c->common, now, critic_td_values, self, c->td.explore);
}

static ploy_result critic_td_learn(void *self, const ploy_situation *now, int32_t action,
                                   ploy_problem_result result, const ploy_situation *next,
                                   int32_t next_action) {
    critic *c = self;
    (void)action;
    double later = result.terminated ? 0.0 : c->values[next->state];
    double error = (double)result.reward + c->discount * later - c->values[now->state];
    double rate = 1.0 / ploy_pow(++c->visits[now->state], 0.7);
    rate = rate > (double)c->td.rate ? (double)c->td.rate : rate;
    rate = rate < (double)c->td.rate_last ? (double)c->td.rate_last : rate;
    if (c->td.trace == 0.0f) {
        c->values[now->state] += rate * error;
        return PLOY_OK;
    }
    c->second[now->state] = 1.0;
    double fade = c->discount * (double)c->td.trace;
    for (int64_t i = 0; i < c->common.space.states; i++) {
        c->values[i] += rate * error * c->second[i];
        c->second[i] = next_action < 0 ? 0.0 : c->second[i] * fade;
    }
    return PLOY_OK;
}

const ploy_actor_type ployi_actor_td = {"td",
                                        "values of states by temporal differences",
                                        ploy_td_fields,
                                        critic_td_create,
                                        critic_destroy,
                                        critic_td_choose,
                                        critic_td_learn,
                                        critic_td_values,
                                        NULL,
                                        critic_visit,
                                        NULL,
                                        critic_reset};

// ---- actor and critic

static ploy_result critic_create(const void *def, const ploy_actor_common *common, void **out) {
    const ploy_actor_critic_def *settings = def;
    critic *c = NULL;
    ploy_result result = critic_make(common, settings->states_max, 1 + common->space.actions,
                                     settings->discount, &c);
    if (result != PLOY_OK) return result;
    c->def = *settings;
    *out = c;
    return PLOY_OK;
}

static void critic_preferences(const void *self, const ploy_situation *now, double *out) {
    const critic *c = self;
    int32_t actions = c->common.space.actions;
    memcpy(out, c->second + now->state * actions, (size_t)actions * sizeof(double));
}

// Softmax over what is allowed.
static int32_t critic_choose(void *self, const ploy_situation *now) {
    critic *c = self;
    int32_t actions = c->common.space.actions;
    float shares[PLOY_PROBLEM_ACTIONS_MAX];
    double preferences[PLOY_PROBLEM_ACTIONS_MAX];
    critic_preferences(self, now, preferences);
    int32_t best = ployi_actor_best(&c->common, now, preferences);
    if (best < 0) return 0;
    for (int32_t a = 0; a < actions; a++) {
        bool allowed = now->allowed == NULL || now->allowed[a];
        double above = (preferences[a] - preferences[best]) / (double)c->def.temperature;
        shares[a] = allowed ? (float)ploy_exp(above) : 0.0f;
    }
    return ploy_rng_weighted(&c->common.rng, shares, actions);
}

static ploy_result critic_learn(void *self, const ploy_situation *now, int32_t action,
                                ploy_problem_result result, const ploy_situation *next,
                                int32_t next_action) {
    critic *c = self;
    (void)next_action;
    double later = result.terminated ? 0.0 : c->values[next->state];
    double critique = (double)result.reward + c->discount * later - c->values[now->state];
    c->values[now->state] += (double)c->def.critic_rate * critique;
    c->second[now->state * c->common.space.actions + action] +=
        (double)c->def.actor_rate * critique;
    return PLOY_OK;
}

const ploy_actor_type ployi_actor_critic = {"actor_critic",
                                            "preferences trained by a state's critic",
                                            ploy_actor_critic_fields,
                                            critic_create,
                                            critic_destroy,
                                            critic_choose,
                                            critic_learn,
                                            critic_preferences,
                                            NULL,
                                            critic_visit,
                                            NULL,
                                            critic_reset};
