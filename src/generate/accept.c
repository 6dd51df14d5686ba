// Generate and test; see the header.
#include "ploy/generate/accept.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ploy_field accept_fields[] = {
    PLOY_FIELD_I32(ploy_accept_def, max_attempts, 100, 1, 1 << 24, "", "most attempts"),
    PLOY_FIELD_F32(ploy_accept_def, threshold, 1, -1e9f, 1e9f, "", "least score to win"),
    PLOY_FIELD_F32(ploy_accept_def, relax, 0, 0, 1e9f, "",
                   "how much the threshold sinks after each attempt"),
    PLOY_FIELD_F32(ploy_accept_def, least, -1e9f, -1e9f, 1e9f, "",
                   "the threshold sinks no further"),
    PLOY_FIELD_BOOL(ploy_accept_def, allow_partial, 0,
                    "content that ended at a limit of its generator may win"),
};

ploy_fields ploy_accept_fields(void) {
    return PLOY_FIELDS(ploy_accept_def, accept_fields);
}

ploy_accept_def ploy_accept_def_default(void) {
    ploy_accept_def def;
    ploy_fields_default(ploy_accept_fields(), &def);
    return def;
}

struct ploy_accept {
    ploy_env env;
    ploy_accept_def def;
    ploy_accept_input input;
    ploy_rng_key key;
    ploy_trace *trace;
    ploy_generator current, best; // none between attempts, and before the first usable one
    ploy_accept_statistics statistics;
    double sum, best_score;
    int64_t scored, units;
    bool done, won;
    size_t size;
    unsigned char generator_def[]; // a copy, so that the caller's may leave scope
};

ploy_result ploy_accept_begin(const ploy_accept_def *def, const ploy_accept_input *input,
                              ploy_rng_key key, ploy_trace *trace, const ploy_env *env,
                              ploy_accept **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_accept_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (input == NULL || input->type == NULL || input->score == NULL) return PLOY_ERR_ARGUMENT;
    ploy_fields fields = input->type->fields();
    size_t size = sizeof(ploy_accept) + fields.size;
    ploy_accept *accept = ploy_env_alloc_zero(env, size);
    if (accept == NULL) return PLOY_ERR_MEMORY;
    accept->env = *env;
    accept->def = *def;
    accept->input = *input;
    accept->key = key;
    accept->trace = trace;
    accept->size = size;
    accept->best_score = (double)NAN;
    accept->statistics.threshold = (double)def->threshold;
    if (input->def != NULL) {
        memcpy(accept->generator_def, input->def, fields.size);
    } else {
        ploy_fields_default(fields, accept->generator_def);
    }
    // The first attempt begins here, so that settings out of range are refused at once.
    result = ploy_generator_begin(input->type, accept->generator_def, ploy_rng_key_split(key, 0),
                                  input->input, NULL, env, &accept->current);
    if (result != PLOY_OK) {
        ploy_accept_cancel(accept);
        return result;
    }
    *out = accept;
    return PLOY_OK;
}

static void accept_tell(const ploy_accept *accept, double score, bool won, const char *reason) {
    if (accept->trace == NULL) return;
    char name[40];
    snprintf(name, sizeof name, "attempt %lld", (long long)accept->statistics.attempts);
    ploy_trace_begin(accept->trace, ploy_agent_id_none(), accept->input.type->name, "accept");
    ploy_trace_option(accept->trace, name, won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, score,
                      reason);
    ploy_trace_end(accept->trace);
}

// The current attempt has ended: it wins, becomes the best so far, or is dropped.
static void accept_judge(ploy_accept *accept) {
    ploy_accept_statistics *s = &accept->statistics;
    const char *reason = "";
    double score = accept->input.score(accept->input.user, accept->current, &reason);
    bool partial = ploy_generator_outcome(accept->current).partial;
    bool usable = score == score;
    s->attempts++;
    s->partial += partial;
    s->unusable += !usable;
    bool enough = usable && score >= s->threshold && (!partial || accept->def.allow_partial);
    if (reason == NULL || reason[0] == 0) {
        reason = enough ? "reaches the threshold" : partial ? "partial" : "below the threshold";
    }
    accept_tell(accept, score, enough, reason);
    if (usable) {
        accept->scored++;
        accept->sum += score;
        s->mean = accept->sum / (double)accept->scored;
        if (accept->scored == 1 || score < s->worst) s->worst = score;
        if (accept->scored == 1 || score > s->best) s->best = score;
    }
    // Among equal scores the first stays. The winner counts even if a partial one scored higher.
    if (usable && (enough || accept->best.type == NULL || score > accept->best_score)) {
        ploy_generator_cancel(accept->best);
        accept->best = accept->current;
        accept->best_score = score;
    } else {
        ploy_generator_cancel(accept->current);
    }
    accept->current.type = NULL;
    accept->current.self = NULL;
    accept->won = enough;
    accept->done = enough || s->attempts >= accept->def.max_attempts;
    double next = s->threshold - (double)accept->def.relax;
    double least = fmin((double)accept->def.least, (double)accept->def.threshold);
    if (!accept->done) s->threshold = fmax(next, least);
}

ploy_result ploy_accept_step(ploy_accept *accept, ploy_budget *budget) {
    while (!accept->done) {
        if (accept->current.type == NULL) {
            if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
            ploy_rng_key key =
                ploy_rng_key_split(accept->key, (uint64_t)accept->statistics.attempts);
            ploy_result result =
                ploy_generator_begin(accept->input.type, accept->generator_def, key,
                                     accept->input.input, NULL, &accept->env, &accept->current);
            if (result != PLOY_OK) return result;
        }
        int64_t before = ploy_generator_outcome(accept->current).units;
        ploy_result result = ploy_generator_step(accept->current, budget);
        accept->units += ploy_generator_outcome(accept->current).units - before;
        if (result != PLOY_OK) return result;
        accept_judge(accept);
    }
    return PLOY_OK;
}

ploy_generate_outcome ploy_accept_outcome(const ploy_accept *accept) {
    ploy_generate_outcome outcome = ploy_generator_outcome(accept->best);
    outcome.done = accept->done;
    outcome.partial = accept->done && !accept->won;
    outcome.limit = outcome.partial ? "max_attempts" : "";
    outcome.count = accept->best.type != NULL;
    outcome.attempts = accept->statistics.attempts;
    outcome.rejected = accept->statistics.attempts - (accept->won ? 1 : 0);
    outcome.units = accept->units;
    return outcome;
}

ploy_generator ploy_accept_best(const ploy_accept *accept) {
    return accept->best;
}

ploy_accept_statistics ploy_accept_statistics_of(const ploy_accept *accept) {
    ploy_accept_statistics statistics = accept->statistics;
    if (accept->scored == 0) {
        statistics.best = statistics.worst = statistics.mean = (double)NAN;
    }
    return statistics;
}

void ploy_accept_cancel(ploy_accept *accept) {
    if (accept == NULL) return;
    ploy_env env = accept->env;
    ploy_generator_cancel(accept->current);
    ploy_generator_cancel(accept->best);
    ploy_env_free(&env, accept, accept->size);
}

void ploy_accept_describe(const ploy_accept *accept, ploy_describe *out) {
    ploy_generate_outcome outcome = ploy_accept_outcome(accept);
    ploy_accept_statistics statistics = ploy_accept_statistics_of(accept);
    ploy_generate_outcome_describe(&outcome, out);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "partial", PLOY_STATE, statistics.partial);
    ploy_describe_i64(out, "unusable", PLOY_STATE, statistics.unusable);
    ploy_describe_f64(out, "best", PLOY_STATE, statistics.best);
    ploy_describe_f64(out, "worst", PLOY_STATE, statistics.worst);
    ploy_describe_f64(out, "mean", PLOY_STATE, statistics.mean);
    ploy_describe_f64(out, "threshold", PLOY_STATE, statistics.threshold);
    ploy_describe_end(out);
    ploy_describe_begin(out, "best");
    ploy_generator_describe(accept->best, out);
    ploy_describe_end(out);
}
