// Parameter search: settings, life, asking and telling. The methods are described in the header,
// the state in tune_internal.h.
#include "ploy/learn/tune.h"

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include "learn/tune_internal.h"

#include <string.h>

static const char *const tune_methods[] = {"steepest",  "first", "direct",
                                           "boltzmann", "spsa",  "cma"};
static const char *const tune_coolings[] = {"geometric", "linear"};
static const char *const tune_spreads[] = {"random", "halton", "grid"};
const char *const ployi_tune_reasons[TUNE_REASONS] = {
    "", "optimum", "evaluations", "steps", "target", "stagnation", "cold"};
static const ploy_field tune_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_tune_def, method, PLOY_TUNE_STEEPEST, tune_methods,
                          "how the search moves"),
    PLOY_FIELD_BOOL(ploy_tune_def, minimise, false, "smaller scores are better"),
    PLOY_FIELD_F64(ploy_tune_def, momentum, 0, 0, 0.999, "", "bonus of a repeated move"),
    PLOY_FIELD_BOOL(ploy_tune_def, accumulate, false, "momentum adds up over moves"),
    PLOY_FIELD_BOOL(ploy_tune_def, adaptive, false, "steps grow and shrink"),
    PLOY_FIELD_F64(ploy_tune_def, step_up, 1.2, 1, 10, "", "factor after a success"),
    PLOY_FIELD_F64(ploy_tune_def, step_down, 0.5, 0.01, 0.99, "", "factor after a failure"),
    PLOY_FIELD_F64(ploy_tune_def, min_step, 0.01, 1e-9, 1, "", "share of a step that ends a trial"),
    PLOY_FIELD_F64(ploy_tune_def, max_step, 16, 1, 1e6, "", "largest share of a step"),
    PLOY_FIELD_F64(ploy_tune_def, sigma, 4, 1e-3, 1e3, "", "first spread of CMA-ES, in steps"),
    PLOY_FIELD_I32_FIXED(ploy_tune_def, population, 0, 0, 1024, "",
                         "points in a generation of CMA-ES; 0: by the parameters"),
    PLOY_FIELD_BOOL(ploy_tune_def, random_order, false, "neighbours in random order"),
    PLOY_FIELD_I32(ploy_tune_def, starts, 1, 1, 1 << 20, "", "trials"),
    PLOY_FIELD_ENUM(ploy_tune_def, spread, PLOY_TUNE_RANDOM, tune_spreads, "where trials start"),
    PLOY_FIELD_F64(ploy_tune_def, temperature, 1, 0, 1e9, "", "temperature at first"),
    PLOY_FIELD_F64(ploy_tune_def, min_temperature, 1e-3, 1e-12, 1e9, "", "ends annealing"),
    PLOY_FIELD_F64(ploy_tune_def, cooling, 0.98, 1e-9, 1, "", "factor or share a step"),
    PLOY_FIELD_ENUM(ploy_tune_def, schedule, PLOY_TUNE_GEOMETRIC, tune_coolings, "how it cools"),
    PLOY_FIELD_I32_FIXED(ploy_tune_def, repeats, 1, 1, 1000, "", "evaluations of each point"),
    PLOY_FIELD_BOOL(ploy_tune_def, reevaluate, false, "score the present point in every step"),
    PLOY_FIELD_BOOL(ploy_tune_def, memo, false, "never ask for a point twice"),
    PLOY_FIELD_I32(ploy_tune_def, max_evaluations, 10000, 1, 1 << 30, "", "evaluations"),
    PLOY_FIELD_I32(ploy_tune_def, max_steps, 1 << 20, 1, 1 << 30, "", "steps of a trial"),
    PLOY_FIELD_I32(ploy_tune_def, stagnation, 0, 0, 1 << 30, "",
                   "steps without a new best; 0: no limit"),
    PLOY_FIELD_BOOL(ploy_tune_def, has_target, false, "stop at the target"),
    PLOY_FIELD_F64(ploy_tune_def, target, 0, -1e300, 1e300, "", "score that is good enough"),
    PLOY_FIELD_U64(ploy_tune_def, seed, 1, "seed of the random numbers"),
};

ploy_fields ploy_tune_fields(void) {
    return PLOY_FIELDS(ploy_tune_def, tune_fields);
}

ploy_tune_def ploy_tune_def_default(void) {
    ploy_tune_def def;
    ploy_fields_default(ploy_tune_fields(), &def);
    return def;
}

// ---- life

static bool tune_range_valid(const ploy_tune_range *r) {
    return ploy_is_finite_d(r->min) && ploy_is_finite_d(r->max) && r->min <= r->max &&
           ploy_is_finite_d(r->step) && r->step > 0.0 && r->initial >= r->min &&
           r->initial <= r->max;
}

ploy_result ploy_tune_create(const ploy_tune_def *def, const ploy_tune_range *ranges,
                             int32_t parameters, const ploy_env *env, ploy_tune **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || ranges == NULL || parameters < 1 || parameters > PLOY_TUNE_PARAMETERS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_tune_fields(), def, env);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < parameters; i++) {
        if (tune_range_valid(&ranges[i])) continue;
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "range of a parameter is invalid");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_tune *tune = ploy_env_alloc_zero(env, sizeof *tune);
    if (tune == NULL) return PLOY_ERR_MEMORY;
    size_t n = (size_t)parameters, room = 2 * n + 1, cma = 0;
    if (def->method == PLOY_TUNE_CMA) {
        room = (size_t)ployi_tune_cma_population(def, parameters);
        cma = ployi_tune_cma_doubles(parameters);
    }
    size_t doubles = 3 * n + room * n + room + room * (size_t)def->repeats * n + cma;
    tune->size = n * sizeof(ploy_tune_range) + doubles * sizeof(double) +
                 2 * room * sizeof(int32_t) + room * sizeof(bool);
    tune->ranges = ploy_env_alloc_zero(env, tune->size);
    if (tune->ranges == NULL) {
        ploy_env_free(env, tune, sizeof *tune);
        return PLOY_ERR_MEMORY;
    }
    tune->x = (double *)(void *)(tune->ranges + n);
    tune->best = tune->x + n;
    tune->start = tune->best + n;
    tune->candidates = tune->start + n;
    tune->scores = tune->candidates + room * n;
    tune->asked = tune->scores + room;
    double *end = tune->asked + room * (size_t)def->repeats * n;
    if (cma > 0) tune->cma = end;
    tune->moves = (int32_t *)(void *)(end + cma);
    tune->order = tune->moves + room;
    tune->known = (bool *)(void *)(tune->order + room);
    tune->env = *env;
    tune->def = *def;
    tune->n = parameters;
    tune->room = (int32_t)room;
    memcpy(tune->ranges, ranges, n * sizeof *ranges);
    for (int32_t i = 0; i < parameters; i++) tune->x[i] = tune->best[i] = ranges[i].initial;
    tune->rng = ploy_rng_make(def->seed);
    tune->temperature = def->temperature;
    tune->scale = 1.0;
    tune->last_move = -1;
    if (cma > 0) ployi_tune_cma_reset(tune);
    ploy_array_init(&tune->memo, sizeof(tune_memo), env);
    ploy_map_init(&tune->index, sizeof(int32_t), env);
    *out = tune;
    return PLOY_OK;
}

void ploy_tune_destroy(ploy_tune *tune) {
    if (tune == NULL) return;
    ploy_env env = tune->env;
    ploy_map_fini(&tune->index);
    ploy_array_fini(&tune->memo);
    ploy_env_free(&env, tune->ranges, tune->size);
    ploy_env_free(&env, tune, sizeof *tune);
}

// ---- asking and telling

static uint64_t tune_memo_key(const ploy_tune *tune, const double *point) {
    return ploy_hash_bytes(point, (size_t)tune->n * sizeof *point, 1);
}

static void tune_recall(ploy_tune *tune) {
    for (int32_t i = 0; i < tune->count && tune->def.memo; i++) {
        if (tune->known[i]) continue;
        const int32_t *found =
            ploy_map_get(&tune->index, tune_memo_key(tune, ployi_tune_candidate(tune, i)));
        if (found == NULL) continue;
        tune->scores[i] = PLOY_ARRAY_AT(&tune->memo, tune_memo, *found)->score;
        tune->known[i] = true;
        tune->saved += tune->def.repeats;
    }
}

// A score whose square, and the sum of as many as there can be, is finite; NaN becomes the worst.
static double tune_limited(double score) {
    const double most = 1e150;
    return !(score > -most) ? -most : score > most ? most : score;
}

static void tune_pair(ploy_tune *tune, double a, double b) {
    tune->pairs += 1.0;
    tune->sum_a += a;
    tune->sum_b += b;
    tune->sum_aa += a * a;
    tune->sum_bb += b * b;
    tune->sum_ab += a * b;
}

static void tune_remember(ploy_tune *tune, const double *point, double score) {
    if (tune->has_best && !(score > tune->best_score)) return;
    memcpy(tune->best, point, (size_t)tune->n * sizeof *point);
    tune->best_score = score;
    tune->has_best = true;
    tune->stale = -1; // the end of the step counts it
}

static int32_t tune_wanted(const ploy_tune *tune) {
    int32_t wanted = 0;
    for (int32_t i = 0; i < tune->count; i++) wanted += !tune->known[i];
    if (tune->scored && ployi_tune_sequential(tune) && wanted > 1) wanted = 1;
    return wanted;
}

const double *ploy_tune_ask(ploy_tune *tune, int32_t *count) {
    if (tune == NULL || count == NULL) return NULL;
    *count = 0;
    while (tune->asked_count == 0 && !tune->done) {
        if (tune->evaluations >= tune->def.max_evaluations) {
            ployi_tune_end_trial(tune, TUNE_EVALUATIONS);
            break;
        }
        if (tune->count == 0) {
            ployi_tune_begin_step(tune);
            tune_recall(tune);
        }
        if (ployi_tune_advance(tune)) continue;
        int32_t wanted = tune_wanted(tune);
        int64_t cost = (int64_t)wanted * tune->def.repeats;
        if (tune->evaluations + cost > tune->def.max_evaluations) {
            ployi_tune_end_trial(tune, TUNE_EVALUATIONS); // a step's points belong together
            break;
        }
        tune->asked_count = wanted;
    }
    if (tune->done) return NULL;
    int32_t written = 0;
    for (int32_t k = 0, asked = 0; k < tune->count && asked < tune->asked_count; k++) {
        int32_t i = tune->order[k];
        if (tune->known[i]) continue;
        asked++;
        for (int32_t r = 0; r < tune->def.repeats; r++) {
            memcpy(tune->asked + (size_t)written++ * (size_t)tune->n, ployi_tune_candidate(tune, i),
                   (size_t)tune->n * sizeof *tune->asked);
        }
    }
    *count = written;
    return tune->asked;
}

ploy_result ploy_tune_tell(ploy_tune *tune, const double *scores) {
    if (tune == NULL || scores == NULL) return PLOY_ERR_ARGUMENT;
    if (tune->asked_count == 0 || tune->done) return PLOY_ERR_STATE;
    if (tune->def.memo) {
        int32_t more = tune->memo.count + tune->asked_count;
        ploy_result result = ploy_map_reserve(&tune->index, more);
        if (result == PLOY_OK && tune->memo.capacity < more) {
            result = ploy_array_reserve(&tune->memo, more + more / 2);
        }
        if (result != PLOY_OK) return result;
    }
    for (int32_t k = 0; k < tune->count && tune->asked_count > 0; k++) {
        int32_t i = tune->order[k];
        if (tune->known[i]) continue;
        double sum = 0.0;
        for (int32_t r = 0; r < tune->def.repeats; r++) sum += *scores++;
        double score = sum / tune->def.repeats;
        if (tune->def.minimise) score = -score;
        score = tune_limited(score);
        tune->scores[i] = score;
        tune->known[i] = true;
        tune->asked_count--;
        tune->evaluations += tune->def.repeats;
        if (tune->def.memo) {
            tune_memo memo = {tune_memo_key(tune, ployi_tune_candidate(tune, i)), score};
            (void)ploy_map_put(&tune->index, memo.key, &tune->memo.count);
            (void)ploy_array_push(&tune->memo, &memo);
        }
        if (tune->moves[i] >= 0) tune_pair(tune, tune->score, score);
        if (tune->moves[i] < 0 && tune->scored && !ployi_tune_samples(tune)) {
            tune->score = score; // the present point, scored again
        }
        tune_remember(tune, ployi_tune_candidate(tune, i), score);
    }
    tune->asked_count = 0;
    double target = tune->def.minimise ? -tune->def.target : tune->def.target;
    if (tune->def.has_target && tune->best_score >= target) ployi_tune_end_trial(tune, TUNE_TARGET);
    return PLOY_OK;
}

ploy_result ploy_tune_step(ploy_tune *tune, ploy_tune_fn fn, void *user, ploy_budget *budget) {
    if (tune == NULL || fn == NULL) return PLOY_ERR_ARGUMENT;
    double scores[64];
    for (;;) {
        int32_t count = 0;
        const double *points = ploy_tune_ask(tune, &count);
        if (points == NULL) return PLOY_OK;
        if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
        size_t size = (size_t)count * sizeof *scores;
        double *all = count <= 64 ? scores : ploy_env_alloc(&tune->env, size);
        if (all == NULL) return PLOY_ERR_MEMORY;
        for (int32_t i = 0; i < count; i++) {
            all[i] = fn(user, points + (size_t)i * (size_t)tune->n, tune->n);
        }
        if (budget != NULL)
            (void)ploy_budget_spend(budget, count); // a step's points belong together
        ploy_result result = ploy_tune_tell(tune, all);
        if (all != scores) ploy_env_free(&tune->env, all, size);
        if (result != PLOY_OK) return result;
    }
}

ploy_tune_outcome ploy_tune_outcome_of(const ploy_tune *tune) {
    ploy_tune_outcome out;
    memset(&out, 0, sizeof out);
    out.reason = "";
    if (tune == NULL) return out;
    double sign = tune->def.minimise ? -1.0 : 1.0;
    out.done = tune->done;
    out.reason = ployi_tune_reasons[tune->reason];
    out.evaluations = tune->evaluations;
    out.saved = tune->saved;
    out.steps = tune->steps;
    out.trial = tune->trial;
    out.score = sign * tune->score;
    out.best = sign * tune->best_score;
    out.step = tune->scale;
    out.temperature = tune->temperature;
    double a = tune->pairs * tune->sum_aa - tune->sum_a * tune->sum_a;
    double b = tune->pairs * tune->sum_bb - tune->sum_b * tune->sum_b;
    if (a > 0.0 && b > 0.0) {
        double both = tune->pairs * tune->sum_ab - tune->sum_a * tune->sum_b;
        out.ruggedness = 1.0 - both / (sqrt(a) * sqrt(b));
    }
    return out;
}

const double *ploy_tune_best(const ploy_tune *tune) {
    return tune == NULL ? NULL : tune->best;
}

const double *ploy_tune_at(const ploy_tune *tune) {
    return tune == NULL ? NULL : tune->x;
}
