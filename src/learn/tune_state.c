// The state of a parameter search, written down once.
#include "learn/tune_internal.h"

static const char *tune_reason_text(int32_t reason) {
    return reason == 0 ? "none" : ployi_tune_reasons[reason];
}

static void tune_restore(void *object) {
    ploy_tune *tune = object;
    ploy_map_clear(&tune->index);
    for (int32_t i = 0; i < tune->memo.count; i++) {
        (void)ploy_map_put(&tune->index, PLOY_ARRAY_AT(&tune->memo, tune_memo, i)->key, &i);
    }
}

// Points of the search; 0 is valid outside the ranges where `unused` allows it.
static void tune_visit_points(ploy_visit *v, ploy_tune *tune, const char *name, double *points,
                              int32_t count, bool unused) {
    ploy_visit_fixed(v, name, PLOY_STATE, count * tune->n);
    for (int32_t i = 0; i < count * tune->n; i++) {
        const ploy_tune_range *r = &tune->ranges[i % tune->n];
        ploy_visit_f64_in(v, "value", PLOY_STATE, &points[i], unused && r->min > 0.0 ? 0.0 : r->min,
                          unused && r->max < 0.0 ? 0.0 : r->max);
    }
    ploy_visit_end(v);
}

// keeps (1) of tune_internal.h
static bool tune_candidate_in_range(const ploy_tune *tune, int32_t candidate) {
    const double *point = ployi_tune_candidate(tune, candidate);
    for (int32_t i = 0; i < tune->n; i++) {
        if (point[i] < tune->ranges[i].min || point[i] > tune->ranges[i].max) return false;
    }
    return true;
}

static void tune_visit_candidates(ploy_visit *v, ploy_tune *tune) {
    tune_visit_points(v, tune, "candidates", tune->candidates, tune->room, true);
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
        fits = fits && tune->order[i] < tune->count && tune_candidate_in_range(tune, i);
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
    PLOY_VISIT_SCRATCH(v, tune->cma);
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
    tune_visit_points(v, tune, "point", tune->x, 1, false);
    ploy_visit_f64(v, "score", PLOY_STATE, &tune->score);
    tune_visit_points(v, tune, "best", tune->best, 1, false);
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
    if (tune->cma != NULL) ployi_tune_cma_visit(v, tune);
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
