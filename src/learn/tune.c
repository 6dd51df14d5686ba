// Parameter search; the methods are described in the header.
//
// Inside, larger is always better: scores are negated if they are energies. A step makes a list of
// candidates, asks for the scores of those that are not known yet, and moves when it has enough of
// them. Candidate 0 is the present point where it must be scored too.
//
// Invariants:
//   (1) candidates[0..count) are within their ranges; known[i] tells whether scores[i] is there;
//   (2) asked lists the unknown candidates that the caller is scoring, each `repeats` times.
#include "ploy/learn/tune.h"

#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include <string.h>

static const char *const tune_methods[] = {"steepest", "first", "direct", "boltzmann", "spsa"};
static const char *const tune_coolings[] = {"geometric", "linear"};
static const char *const tune_spreads[] = {"random", "halton", "grid"};
static const char *const tune_reasons[] = {"",       "optimum",    "evaluations", "steps",
                                           "target", "stagnation", "cold"};
typedef enum tune_reason {
    TUNE_GOES_ON,
    TUNE_OPTIMUM,
    TUNE_EVALUATIONS,
    TUNE_STEPS,
    TUNE_TARGET,
    TUNE_STAGNATION,
    TUNE_COLD,
    TUNE_REASONS
} tune_reason;

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

typedef struct tune_memo {
    uint64_t key; // hash of the point
    double score;
} tune_memo;

struct ploy_tune {
    ploy_env env;
    ploy_tune_def def;
    int32_t n;    // parameters
    int32_t room; // candidates
    size_t size;  // of the block that starts at `ranges`
    ploy_tune_range *ranges;
    double *x, *best;    // n each
    double *candidates;  // room * n
    double *scores;      // room
    double *asked;       // room * repeats * n, scratch
    double *start;       // n, scratch
    int32_t *moves;      // room: 2 * parameter + (up ? 1 : 0); -1 for the present point
    int32_t *order;      // room: candidates in the order in which they are tried
    bool *known;         // room
    int32_t count;       // candidates of this step; 0: a step begins
    int32_t cursor;      // first and boltzmann: place in `order`
    int32_t asked_count; // candidates asked for; 0: none
    ploy_rng rng;
    double score, best_score, temperature, scale, improvement;
    bool scored, has_best, done;
    int32_t last_move; // -1: none
    int32_t trial, stale, reason;
    int64_t steps, trial_steps, evaluations, saved, iteration;
    double pairs, sum_a, sum_b, sum_aa, sum_bb, sum_ab; // of neighbouring scores
    ploy_array memo;                                    // tune_memo, in the order of evaluation
    ploy_map index; // key to int32_t in memo; rebuilt after a load
};

ploy_fields ploy_tune_fields(void) {
    return PLOY_FIELDS(ploy_tune_def, tune_fields);
}

ploy_tune_def ploy_tune_def_default(void) {
    ploy_tune_def def;
    ploy_fields_default(ploy_tune_fields(), &def);
    return def;
}

static double tune_clamp(double value, const ploy_tune_range *range) {
    return value < range->min ? range->min : value > range->max ? range->max : value;
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
    size_t n = (size_t)parameters, room = 2 * n + 1;
    size_t doubles = 3 * n + room * n + room + room * (size_t)def->repeats * n;
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
    tune->moves = (int32_t *)(void *)(tune->asked + room * (size_t)def->repeats * n);
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

// ---- trials

static double tune_radical_inverse(int64_t index, int64_t base) {
    double sum = 0.0, share = 1.0 / (double)base;
    for (; index > 0; index /= base, share /= (double)base) sum += share * (double)(index % base);
    return sum;
}

static int64_t tune_prime(int32_t index) {
    int64_t prime = 2;
    for (;; prime++) {
        bool is_prime = true;
        for (int64_t d = 2; d * d <= prime && is_prime; d++) is_prime = prime % d != 0;
        if (is_prime && index-- == 0) return prime;
    }
}

static void tune_place(ploy_tune *tune) {
    int32_t side = 1;
    while (ploy_pow(side, tune->n) < tune->def.starts - 1) side++;
    int64_t cell = tune->trial - 1;
    for (int32_t i = 0; i < tune->n; i++) {
        const ploy_tune_range *r = &tune->ranges[i];
        double share = 0.0;
        switch (tune->def.spread) {
        case PLOY_TUNE_RANDOM: share = ploy_rng_double(&tune->rng); break;
        case PLOY_TUNE_HALTON: share = tune_radical_inverse(tune->trial, tune_prime(i)); break;
        case PLOY_TUNE_GRID:
            share = ((double)(cell % side) + 0.5) / side;
            cell /= side;
            break;
        }
        tune->x[i] = r->min + share * (r->max - r->min);
    }
}

// Ends a trial, and the search if it was the last one or the reason ends all.
static void tune_end_trial(ploy_tune *tune, tune_reason reason) {
    tune->reason = (int32_t)reason;
    tune->count = 0;
    bool all = reason == TUNE_EVALUATIONS || reason == TUNE_TARGET;
    if (all || tune->trial + 1 >= tune->def.starts) {
        tune->done = true;
        return;
    }
    tune->trial++;
    tune_place(tune);
    tune->scored = false;
    tune->scale = 1.0;
    tune->temperature = tune->def.temperature;
    tune->improvement = 0.0;
    tune->last_move = -1;
    tune->trial_steps = tune->iteration = 0;
    tune->stale = 0;
    tune->reason = TUNE_GOES_ON;
}

// ---- candidates

static bool tune_sequential(const ploy_tune *tune) {
    return tune->def.method == PLOY_TUNE_FIRST || tune->def.method == PLOY_TUNE_BOLTZMANN;
}

static double *tune_candidate(const ploy_tune *tune, int32_t index) {
    return tune->candidates + (size_t)index * (size_t)tune->n;
}

static void tune_add(ploy_tune *tune, int32_t move, double change) {
    double *point = tune_candidate(tune, tune->count);
    memcpy(point, tune->x, (size_t)tune->n * sizeof *point);
    if (move >= 0) {
        int32_t i = move / 2;
        point[i] = tune_clamp(point[i] + change, &tune->ranges[i]);
        if (point[i] == tune->x[i]) return; // at the edge
    }
    tune->moves[tune->count] = move;
    tune->known[tune->count] = false;
    tune->order[tune->count] = tune->count;
    tune->count++;
}

static void tune_spsa_points(ploy_tune *tune) {
    // Spall's gains: the step shrinks slowly, the difference more slowly.
    double c = ploy_pow((double)tune->iteration + 1.0, -0.101) * tune->scale;
    for (int32_t i = 0; i < tune->n; i++) {
        tune->start[i] = ploy_rng_u32(&tune->rng) % 2 == 0 ? 1.0 : -1.0;
    }
    for (int32_t side = 0; side < 2; side++) {
        double *point = tune_candidate(tune, side);
        for (int32_t i = 0; i < tune->n; i++) {
            double change = (side == 0 ? c : -c) * tune->start[i] * tune->ranges[i].step;
            point[i] = tune_clamp(tune->x[i] + change, &tune->ranges[i]);
        }
        tune->moves[side] = -1;
        tune->known[side] = false;
        tune->order[side] = side;
    }
    tune->count = 2;
}

static void tune_begin_step(ploy_tune *tune) {
    tune->count = tune->cursor = 0;
    if (!tune->scored) {
        tune_add(tune, -1, 0.0);
        return;
    }
    if (tune->def.method == PLOY_TUNE_SPSA) {
        tune_spsa_points(tune);
        return;
    }
    if (tune->def.reevaluate) tune_add(tune, -1, 0.0);
    int32_t first = tune->count;
    for (int32_t i = 0; i < tune->n; i++) {
        double step = tune->ranges[i].step * tune->scale;
        tune_add(tune, 2 * i, -step);
        tune_add(tune, 2 * i + 1, step);
    }
    if (tune_sequential(tune) && tune->def.random_order) {
        ploy_rng_shuffle(&tune->rng, tune->order + first, tune->count - first, sizeof(int32_t));
    }
}

static uint64_t tune_memo_key(const ploy_tune *tune, const double *point) {
    return ploy_hash_bytes(point, (size_t)tune->n * sizeof *point, 1);
}

static void tune_recall(ploy_tune *tune) {
    for (int32_t i = 0; i < tune->count && tune->def.memo; i++) {
        if (tune->known[i]) continue;
        const int32_t *found =
            ploy_map_get(&tune->index, tune_memo_key(tune, tune_candidate(tune, i)));
        if (found == NULL) continue;
        tune->scores[i] = PLOY_ARRAY_AT(&tune->memo, tune_memo, *found)->score;
        tune->known[i] = true;
        tune->saved += tune->def.repeats;
    }
}

// ---- moving

static void tune_pair(ploy_tune *tune, double a, double b) {
    if (!ploy_is_finite_d(a) || !ploy_is_finite_d(b)) return;
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

static void tune_move(ploy_tune *tune, int32_t candidate) {
    double gain = tune->scores[candidate] - tune->score;
    memcpy(tune->x, tune_candidate(tune, candidate), (size_t)tune->n * sizeof *tune->x);
    tune->score = tune->scores[candidate];
    bool repeats = tune->def.accumulate && tune->moves[candidate] == tune->last_move;
    // Accumulating: what is carried over is m (M + gain); the bonus multiplies by m once more.
    tune->improvement = gain + (repeats ? tune->def.momentum * tune->improvement : 0.0);
    tune->last_move = tune->moves[candidate];
    if (tune->def.adaptive && gain > 0.0) {
        tune->scale *= tune->def.step_up;
        if (tune->scale > tune->def.max_step) tune->scale = tune->def.max_step;
    }
}

// Ends a step: cools, and applies the rules that stop.
static void tune_end_step(ploy_tune *tune, bool moved) {
    tune->count = 0;
    tune->steps++;
    tune->trial_steps++;
    tune->stale++;
    bool anneals = tune->def.method == PLOY_TUNE_DIRECT || tune->def.method == PLOY_TUNE_BOLTZMANN;
    if (anneals) {
        if (tune->def.schedule == PLOY_TUNE_GEOMETRIC) {
            tune->temperature *= tune->def.cooling;
        } else {
            tune->temperature -= tune->def.cooling * tune->def.temperature;
        }
    }
    tune_reason reason = TUNE_GOES_ON;
    if (!moved && tune->def.adaptive) {
        tune->scale *= tune->def.step_down;
        if (tune->scale < tune->def.min_step) reason = TUNE_OPTIMUM;
    } else if (!moved && !anneals && tune->def.method != PLOY_TUNE_SPSA && !tune->def.reevaluate) {
        reason = TUNE_OPTIMUM;
    }
    if (anneals && !(tune->temperature > tune->def.min_temperature)) reason = TUNE_COLD;
    if (tune->trial_steps >= tune->def.max_steps) reason = TUNE_STEPS;
    if (tune->def.stagnation > 0 && tune->stale >= tune->def.stagnation) reason = TUNE_STAGNATION;
    if (reason != TUNE_GOES_ON) tune_end_trial(tune, reason);
}

static void tune_steepest(ploy_tune *tune) {
    int32_t best = -1;
    double best_value = tune->score;
    for (int32_t i = 0; i < tune->count; i++) {
        if (tune->moves[i] < 0) continue;
        double value = tune->scores[i];
        if (tune->def.method == PLOY_TUNE_DIRECT) {
            double noise = (double)ploy_rng_binomial(&tune->rng);
            value += noise * (tune->temperature > 0.0 ? tune->temperature : 0.0);
        }
        if (tune->moves[i] == tune->last_move) value += tune->def.momentum * tune->improvement;
        if (!(value > best_value)) continue; // the first of equal ones wins
        best_value = value;
        best = i;
    }
    if (best >= 0) tune_move(tune, best);
    tune_end_step(tune, best >= 0);
}

// Looks at the known candidate under the cursor. @return true if the step is over.
static bool tune_sequence(ploy_tune *tune) {
    int32_t i = tune->order[tune->cursor++];
    if (tune->moves[i] < 0) return false;
    double value = tune->scores[i], loss = tune->score - value;
    if (tune->moves[i] == tune->last_move) value += tune->def.momentum * tune->improvement;
    bool take = value > tune->score;
    if (!take && tune->def.method == PLOY_TUNE_BOLTZMANN && tune->temperature > 0.0) {
        double chance = loss <= 0.0 ? 1.0 : ploy_exp(-loss / tune->temperature);
        take = ploy_rng_double(&tune->rng) < chance;
    }
    if (take) tune_move(tune, i);
    return take;
}

static void tune_spsa(ploy_tune *tune) {
    double k = (double)tune->iteration + 1.0;
    double a = ploy_pow(k + 0.1 * tune->def.max_steps / (1.0 + tune->def.max_steps), -0.602);
    double c = ploy_pow(k, -0.101) * tune->scale;
    double slope = (tune->scores[0] - tune->scores[1]) / (2.0 * c);
    double before = tune->score;
    for (int32_t i = 0; i < tune->n; i++) {
        double sign = tune_candidate(tune, 0)[i] >= tune_candidate(tune, 1)[i] ? 1.0 : -1.0;
        double change = a * slope * sign;
        if (change > 2.0) change = 2.0; // no more than two steps at once
        if (change < -2.0) change = -2.0;
        tune->x[i] = tune_clamp(tune->x[i] + change * tune->ranges[i].step, &tune->ranges[i]);
    }
    tune->score = 0.5 * (tune->scores[0] + tune->scores[1]); // an estimate
    tune->iteration++;
    tune_end_step(tune, tune->score > before);
}

// Uses the scores that are known. @return true if it got on without asking.
static bool tune_advance(ploy_tune *tune) {
    if (!tune->scored) {
        if (!tune->known[0]) return false;
        tune->score = tune->scores[0];
        tune->scored = true;
        tune->count = 0;
        return true;
    }
    if (tune_sequential(tune)) {
        while (tune->cursor < tune->count) {
            if (!tune->known[tune->order[tune->cursor]]) return false;
            if (tune_sequence(tune)) {
                tune_end_step(tune, true);
                return true;
            }
        }
        tune_end_step(tune, false);
        return true;
    }
    for (int32_t i = 0; i < tune->count; i++) {
        if (!tune->known[i]) return false;
    }
    if (tune->def.method == PLOY_TUNE_SPSA) {
        tune_spsa(tune);
    } else {
        tune_steepest(tune);
    }
    return true;
}

// ---- asking and telling

static int32_t tune_wanted(const ploy_tune *tune) {
    int32_t wanted = 0;
    for (int32_t i = 0; i < tune->count; i++) wanted += !tune->known[i];
    if (tune->scored && tune_sequential(tune) && wanted > 1) wanted = 1;
    return wanted;
}

const double *ploy_tune_ask(ploy_tune *tune, int32_t *count) {
    if (tune == NULL || count == NULL) return NULL;
    *count = 0;
    while (tune->asked_count == 0 && !tune->done) {
        if (tune->evaluations >= tune->def.max_evaluations) {
            tune_end_trial(tune, TUNE_EVALUATIONS);
            break;
        }
        if (tune->count == 0) {
            tune_begin_step(tune);
            tune_recall(tune);
        }
        if (tune_advance(tune)) continue;
        tune->asked_count = tune_wanted(tune);
    }
    if (tune->done) return NULL;
    int32_t written = 0;
    for (int32_t k = 0, asked = 0; k < tune->count && asked < tune->asked_count; k++) {
        int32_t i = tune->order[k];
        if (tune->known[i]) continue;
        asked++;
        for (int32_t r = 0; r < tune->def.repeats; r++) {
            memcpy(tune->asked + (size_t)written++ * (size_t)tune->n, tune_candidate(tune, i),
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
        if (!ploy_is_finite_d(score)) score = score > 0.0 ? 1e300 : -1e300;
        tune->scores[i] = score;
        tune->known[i] = true;
        tune->asked_count--;
        tune->evaluations += tune->def.repeats;
        if (tune->def.memo) {
            tune_memo memo = {tune_memo_key(tune, tune_candidate(tune, i)), score};
            (void)ploy_map_put(&tune->index, memo.key, &tune->memo.count);
            (void)ploy_array_push(&tune->memo, &memo);
        }
        if (tune->moves[i] >= 0) tune_pair(tune, tune->score, score);
        if (tune->moves[i] < 0 && tune->scored && tune->def.method != PLOY_TUNE_SPSA) {
            tune->score = score; // the present point, scored again
        }
        tune_remember(tune, tune_candidate(tune, i), score);
    }
    tune->asked_count = 0;
    double target = tune->def.minimise ? -tune->def.target : tune->def.target;
    if (tune->def.has_target && tune->best_score >= target) tune_end_trial(tune, TUNE_TARGET);
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
    out.reason = tune_reasons[tune->reason];
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

// ---- state

static const char *tune_reason_text(int32_t reason) {
    return reason == 0 ? "none" : tune_reasons[reason];
}

static void tune_restore(void *object) {
    ploy_tune *tune = object;
    ploy_map_clear(&tune->index);
    for (int32_t i = 0; i < tune->memo.count; i++) {
        (void)ploy_map_put(&tune->index, PLOY_ARRAY_AT(&tune->memo, tune_memo, i)->key, &i);
    }
}

static void tune_visit_points(ploy_visit *v, ploy_tune *tune, const char *name, double *points,
                              int32_t count) {
    ploy_visit_fixed(v, name, PLOY_STATE, count * tune->n);
    for (int32_t i = 0; i < count * tune->n; i++) {
        const ploy_tune_range *r = &tune->ranges[i % tune->n];
        ploy_visit_f64_in(v, "value", PLOY_STATE, &points[i], r->min < 0.0 ? r->min : 0.0,
                          r->max > 0.0 ? r->max : 0.0); // those not used yet are 0
    }
    ploy_visit_end(v);
}

static void tune_visit_candidates(ploy_visit *v, ploy_tune *tune) {
    tune_visit_points(v, tune, "candidates", tune->candidates, tune->room);
    ploy_visit_fixed(v, "details", PLOY_STATE, tune->room);
    for (int32_t i = 0; i < tune->room; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f64(v, "score", PLOY_STATE, &tune->scores[i]);
        ploy_visit_i32_in(v, "move", PLOY_STATE, &tune->moves[i], -1, 2 * tune->n - 1);
        ploy_visit_i32_in(v, "order", PLOY_STATE, &tune->order[i], 0, tune->room - 1);
        ploy_visit_bool(v, "known", PLOY_STATE, &tune->known[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "count", PLOY_STATE, &tune->count, 0, tune->room);
    ploy_visit_i32_in(v, "cursor", PLOY_STATE, &tune->cursor, 0, tune->room);
    ploy_visit_i32_in(v, "asked", PLOY_STATE, &tune->asked_count, 0, tune->room);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    // The order names each candidate once, and as many are unknown as were requested at least.
    int32_t unknown = 0;
    bool fits = true;
    for (int32_t i = 0; i < tune->count; i++) {
        unknown += !tune->known[i];
        fits = fits && tune->order[i] < tune->count;
        for (int32_t k = 0; k < i; k++) fits = fits && tune->order[k] != tune->order[i];
    }
    fits = fits && tune->asked_count <= unknown && (tune->scored || tune->count <= 1) &&
           tune->cursor <= tune->count;
    ploy_visit_check(v, fits, "the candidates do not match", NULL);
}

void ploy_tune_visit(ploy_visit *v, void *object) {
    ploy_tune *tune = object;
    ploy_visit_object(v, "tune", tune, sizeof *tune);
    ploy_visit_after(v, tune_restore, tune);
    PLOY_VISIT_SCRATCH(v, tune->env);
    PLOY_VISIT_SCRATCH(v, tune->def);
    PLOY_VISIT_SCRATCH(v, tune->n);
    PLOY_VISIT_SCRATCH(v, tune->room);
    PLOY_VISIT_SCRATCH(v, tune->size);
    PLOY_VISIT_SCRATCH(v, tune->ranges);
    PLOY_VISIT_SCRATCH(v, tune->x);
    PLOY_VISIT_SCRATCH(v, tune->best);
    PLOY_VISIT_SCRATCH(v, tune->start);
    PLOY_VISIT_SCRATCH(v, tune->candidates);
    PLOY_VISIT_SCRATCH(v, tune->scores);
    PLOY_VISIT_SCRATCH(v, tune->asked);
    PLOY_VISIT_SCRATCH(v, tune->moves);
    PLOY_VISIT_SCRATCH(v, tune->order);
    PLOY_VISIT_SCRATCH(v, tune->known);
    PLOY_VISIT_SCRATCH(v, tune->index);
    ploy_visit_object(v, "tune.points", tune->ranges, tune->size);
    ploy_visit_scratch(v, tune->ranges, (size_t)tune->n * sizeof *tune->ranges);
    ploy_visit_scratch(v, tune->start, (size_t)tune->n * sizeof *tune->start);
    ploy_visit_scratch(v, tune->asked,
                       (size_t)tune->room * (size_t)tune->def.repeats * (size_t)tune->n *
                           sizeof *tune->asked);
    if (v->memory != NULL) ploy_map_memory(&tune->index, v->memory, v->memory_user);
    ploy_visit_bool(v, "scored", PLOY_STATE, &tune->scored);
    ploy_visit_bool(v, "done", PLOY_STATE, &tune->done);
    ploy_visit_bool(v, "has_best", PLOY_STATE, &tune->has_best);
    PLOY_VISIT_ENUM(v, "reason", PLOY_STATE, tune->reason, tune_reason_text, TUNE_REASONS);
    tune_visit_points(v, tune, "point", tune->x, 1);
    ploy_visit_f64(v, "score", PLOY_STATE, &tune->score);
    tune_visit_points(v, tune, "best", tune->best, 1);
    ploy_visit_f64(v, "best_score", PLOY_STATE, &tune->best_score);
    ploy_visit_f64_in(v, "scale", PLOY_STATE, &tune->scale, 1e-12, 1e12);
    ploy_visit_f64(v, "temperature", PLOY_STATE, &tune->temperature);
    ploy_visit_f64(v, "improvement", PLOY_STATE, &tune->improvement);
    ploy_visit_i32_in(v, "last_move", PLOY_STATE, &tune->last_move, -1, 2 * tune->n - 1);
    ploy_visit_i32_in(v, "trial", PLOY_STATE, &tune->trial, 0, tune->def.starts - 1);
    ploy_visit_i32_in(v, "stale", PLOY_STATE, &tune->stale, -1, 1 << 30);
    ploy_visit_i64_in(v, "steps", PLOY_STATE, &tune->steps, 0, INT64_C(1) << 60);
    ploy_visit_i64_in(v, "trial_steps", PLOY_STATE, &tune->trial_steps, 0, INT64_C(1) << 60);
    ploy_visit_i64_in(v, "evaluations", PLOY_STATE, &tune->evaluations, 0, INT64_C(1) << 60);
    ploy_visit_i64_in(v, "saved", PLOY_STATE, &tune->saved, 0, INT64_C(1) << 60);
    ploy_visit_i64_in(v, "iteration", PLOY_STATE, &tune->iteration, 0, INT64_C(1) << 60);
    ploy_visit_f64(v, "pairs", PLOY_STATE, &tune->pairs);
    ploy_visit_f64(v, "sum_a", PLOY_STATE, &tune->sum_a);
    ploy_visit_f64(v, "sum_b", PLOY_STATE, &tune->sum_b);
    ploy_visit_f64(v, "sum_aa", PLOY_STATE, &tune->sum_aa);
    ploy_visit_f64(v, "sum_bb", PLOY_STATE, &tune->sum_bb);
    ploy_visit_f64(v, "sum_ab", PLOY_STATE, &tune->sum_ab);
    ploy_visit_rng(v, "rng", PLOY_STATE, &tune->rng);
    tune_visit_candidates(v, tune);
    int32_t count = ploy_visit_array(v, "memo", PLOY_STATE, &tune->memo, 1 << 28);
    for (int32_t i = 0; i < count; i++) {
        tune_memo *memo = PLOY_ARRAY_AT(&tune->memo, tune_memo, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_u64(v, "key", PLOY_STATE, &memo->key);
        ploy_visit_f64(v, "score", PLOY_STATE, &memo->score);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        (void)ploy_visit_result(v, ploy_map_reserve(&tune->index, count));
    }
}
