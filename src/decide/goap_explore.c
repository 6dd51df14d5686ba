// Estimates over the relaxed domain, in slices: costs of facts, and the relaxed plan (FF).
//
// A job goes through its stages (goap_relax.h) and stops wherever `allow` is used up: the next call
// goes on at the same fact and operator, so that many short calls give the same bits as a long one.
// Facts of the world cost 0, the others what reaching them costs at least, by Dijkstra's algorithm.
//
// Invariant: (1) between two calls nothing but the job's own stages changes the scratch of the
// relaxed domain, or another goal is set first, which empties the buckets.
#include <string.h>

#include "goap_relax.h"

static void goap_explore_facts(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    double *costs = PLOY_ARRAY_ITEMS(&relax->costs, double);
    int32_t *held = PLOY_ARRAY_ITEMS(&relax->held, int32_t);
    int32_t end = ployi_goap_job_end(job, relax->facts, allow);
    for (int32_t f = job->at; f < end; f++) {
        costs[f] = (double)INFINITY;
        held[f] = -1;
    }
    ployi_goap_job_reach(job, end, relax->facts, PLOYI_GOAP_OPS);
}

static void goap_explore_ops(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    double *sums = PLOY_ARRAY_ITEMS(&relax->sums, double);
    int32_t *left = PLOY_ARRAY_ITEMS(&relax->left, int32_t);
    int32_t end = ployi_goap_job_end(job, relax->ops.count, allow);
    for (int32_t o = job->at; o < end; o++) {
        left[o] = ops[o].pre_count;
        op_costs[o] = ops[o].cost;
        sums[o] = 0.0;
    }
    ployi_goap_job_reach(job, end, relax->ops.count, PLOYI_GOAP_KNOWN);
}

// The facts of the world that an operator needs.
static void goap_explore_given(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const int32_t *firsts = PLOY_ARRAY_ITEMS(&relax->firsts, int32_t);
    const int32_t *starts = PLOY_ARRAY_ITEMS(&relax->need_starts, int32_t);
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&relax->type->vars, ployi_goap_var);
    double *costs = PLOY_ARRAY_ITEMS(&relax->costs, double);
    int32_t *best = PLOY_ARRAY_ITEMS(&relax->best, int32_t);
    int32_t *given = PLOY_ARRAY_ITEMS(&relax->given, int32_t); // there is room for all
    int32_t count = relax->given.count;
    if (job->at == 0) {
        count = 0;
        given[count++] = 0;
    }
    int32_t end = ployi_goap_job_end(job, relax->firsts.count, allow);
    for (int32_t i = job->at; i < end; i++) {
        if (firsts[i] < 0) continue;
        int32_t fact = firsts[i] + (ployi_goap_read(&vars[i], job->world) - vars[i].min);
        if (starts[fact] == starts[fact + 1]) {
            costs[fact] = 0.0;
            best[fact] = -1;
            continue;
        }
        given[count++] = fact;
    }
    relax->given.count = count;
    ployi_goap_job_reach(job, end, relax->firsts.count, PLOYI_GOAP_OPEN);
}

static bool goap_explore_sums(const ployi_goap_job *job) {
    return job->heuristic == PLOY_GOAP_ADD || job->heuristic == PLOY_GOAP_FF;
}

static void goap_explore_open(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    if (job->at == 0) job->wave = ployi_goap_wave_make(relax, !goap_explore_sums(job));
    int32_t end = ployi_goap_job_end(job, relax->given.count, allow);
    for (int32_t i = job->at; i < end; i++) {
        int32_t fact = PLOY_ARRAY_ITEMS(&relax->given, int32_t)[i];
        PLOY_ARRAY_ITEMS(&relax->best, int32_t)[fact] = -1;
        ployi_goap_wave_lower(&job->wave, fact, 0.0);
    }
    job->fact = -1;
    ployi_goap_job_reach(job, end, relax->given.count, PLOYI_GOAP_WAVE);
}

// Costs are known: what the heuristic makes of them.
static void goap_explore_end(ployi_goap_relax *relax) {
    ployi_goap_job *job = &relax->job;
    double cost = PLOY_ARRAY_ITEMS(&relax->costs, double)[relax->goal];
    job->at = 0;
    job->total = cost;
    job->stage = PLOYI_GOAP_DONE;
    if (!(cost < (double)INFINITY)) return;
    if (job->heuristic == PLOY_GOAP_FF && cost > 0.0) {
        job->stage = PLOYI_GOAP_FF_FACTS;
        job->total = 0.0;
    }
    if (job->heuristic == PLOY_GOAP_LANDMARKS) {
        job->stage = PLOYI_GOAP_CUT;
        job->total = 0.0;
    }
}

static void goap_explore_wave(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    ployi_goap_wave wave = job->wave;
    bool sum = goap_explore_sums(job);
    const double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    double *costs = PLOY_ARRAY_ITEMS(&relax->costs, double);
    double *sums = PLOY_ARRAY_ITEMS(&relax->sums, double);
    int32_t *left = PLOY_ARRAY_ITEMS(&relax->left, int32_t);
    int32_t *best = PLOY_ARRAY_ITEMS(&relax->best, int32_t);
    const int32_t *starts = PLOY_ARRAY_ITEMS(&relax->need_starts, int32_t);
    const int32_t *needing = PLOY_ARRAY_ITEMS(&relax->need_ops, int32_t);
    const int32_t *adds = PLOY_ARRAY_ITEMS(&relax->live_adds, int32_t);
    const int32_t *live = PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t);
    int32_t fact = job->fact, i = job->at;
    double cost = job->cost;
    int64_t may = *allow;
    bool more = true;
    while (may > 0) {
        if (fact < 0) {
            more = ployi_goap_wave_take(&wave, &fact, &cost);
            if (!more) break;
            i = starts[fact];
            may--;
        }
        int32_t end = starts[fact + 1];
        for (; i < end && may > 0; i++) {
            int32_t o = needing[i];
            may--;
            if (sum) sums[o] += cost;
            if (--left[o] > 0) continue;
            if (!sum) sums[o] = cost; // facts come in the order of cost: this is the most expensive
            ployi_goap_relax_hold(relax, fact, o);
            double reached = sums[o] + op_costs[o];
            may -= live[o + 1] - live[o];
            for (int32_t a = live[o]; a < live[o + 1]; a++) {
                if (!(reached < costs[adds[a]])) continue;
                best[adds[a]] = o;
                ployi_goap_wave_lower(&wave, adds[a], reached);
            }
        }
        if (i == end) fact = -1;
    }
    job->wave = wave;
    job->fact = fact;
    job->at = i;
    job->cost = cost;
    *allow = may;
    if (!more) goap_explore_end(relax);
}

// The cost of the operators of a relaxed plan, each counted once.
static void goap_explore_ff(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    uint8_t *used = PLOY_ARRAY_ITEMS(&relax->used, uint8_t);
    int32_t fact = 0;
    while (*allow > 0) {
        if (!ployi_goap_relax_pop(relax, &fact)) {
            job->stage = PLOYI_GOAP_DONE;
            return;
        }
        --*allow;
        int32_t o = PLOY_ARRAY_ITEMS(&relax->best, int32_t)[fact];
        if (o < 0 || used[o]) continue;
        used[o] = 1;
        job->total += ops[o].cost;
        *allow -= ops[o].pre_count;
        for (int32_t i = ops[o].first_pre; i < ops[o].first_pre + ops[o].pre_count; i++) {
            ployi_goap_relax_mark(relax, PLOY_ARRAY_ITEMS(&relax->pres, int32_t)[i], 1);
        }
    }
}

static void goap_explore_ff_facts(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    int32_t end = ployi_goap_job_end(job, relax->facts, allow);
    memset(PLOY_ARRAY_ITEMS(&relax->marks, uint8_t) + job->at, 0, (size_t)(end - job->at));
    ployi_goap_job_reach(job, end, relax->facts, PLOYI_GOAP_FF_OPS);
}

static void goap_explore_ff_ops(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    int32_t end = ployi_goap_job_end(job, relax->ops.count, allow);
    memset(PLOY_ARRAY_ITEMS(&relax->used, uint8_t) + job->at, 0, (size_t)(end - job->at));
    ployi_goap_job_reach(job, end, relax->ops.count, PLOYI_GOAP_FF);
    if (job->stage != PLOYI_GOAP_FF) return;
    ploy_array_clear(&relax->stack);
    ployi_goap_relax_mark(relax, relax->goal, 1);
}

// ---- the job

static void goap_explore_begin(ployi_goap_relax *relax, const uint64_t *world,
                               ploy_goap_heuristic heuristic, ployi_goap_share share,
                               int32_t action) {
    ployi_goap_job *job = &relax->job;
    memset(job, 0, sizeof *job);
    job->stage = PLOYI_GOAP_FACTS;
    job->heuristic = heuristic;
    job->share = share;
    job->action = action;
    job->world = world;
    job->fact = -1;
}

void ployi_goap_relax_begin(ployi_goap_relax *relax, const uint64_t *world,
                            ploy_goap_heuristic heuristic) {
    goap_explore_begin(relax, world, heuristic, PLOYI_GOAP_ALONE, -1);
}

void ployi_goap_relax_begin_parent(ployi_goap_relax *relax, const uint64_t *world) {
    ploy_array_clear(&relax->known_ops);
    ploy_array_clear(&relax->known_ends);
    ploy_array_clear(&relax->known_costs);
    goap_explore_begin(relax, world, PLOY_GOAP_LANDMARKS, PLOYI_GOAP_PARENT, -1);
}

void ployi_goap_relax_begin_child(ployi_goap_relax *relax, const uint64_t *world, int32_t action) {
    goap_explore_begin(relax, world, PLOY_GOAP_LANDMARKS, PLOYI_GOAP_CHILD, action);
}

bool ployi_goap_relax_run(ployi_goap_relax *relax, int64_t *allow, double *out) {
    const ployi_goap_job *job = &relax->job;
    while (job->stage != PLOYI_GOAP_DONE) {
        if (*allow <= 0) return false;
        switch (job->stage) {
        case PLOYI_GOAP_FACTS: goap_explore_facts(relax, allow); break;
        case PLOYI_GOAP_OPS: goap_explore_ops(relax, allow); break;
        case PLOYI_GOAP_GIVEN: goap_explore_given(relax, allow); break;
        case PLOYI_GOAP_OPEN: goap_explore_open(relax, allow); break;
        case PLOYI_GOAP_WAVE: goap_explore_wave(relax, allow); break;
        case PLOYI_GOAP_FF_FACTS: goap_explore_ff_facts(relax, allow); break;
        case PLOYI_GOAP_FF_OPS: goap_explore_ff_ops(relax, allow); break;
        case PLOYI_GOAP_FF: goap_explore_ff(relax, allow); break;
        default: ployi_goap_cut_run(relax, allow); break;
        }
    }
    *out = job->known + job->total;
    return true;
}

static double goap_explore_whole(ployi_goap_relax *relax) {
    int64_t allow = PLOYI_GOAP_ENDLESS;
    double out = 0.0;
    (void)ployi_goap_relax_run(relax, &allow, &out);
    return out;
}

double ployi_goap_relax_estimate(ployi_goap_relax *relax, const uint64_t *world,
                                 ploy_goap_heuristic heuristic) {
    ployi_goap_relax_begin(relax, world, heuristic);
    return goap_explore_whole(relax);
}

double ployi_goap_relax_parent(ployi_goap_relax *relax, const uint64_t *world) {
    ployi_goap_relax_begin_parent(relax, world);
    return goap_explore_whole(relax);
}

double ployi_goap_relax_child(ployi_goap_relax *relax, const uint64_t *world, int32_t action) {
    ployi_goap_relax_begin_child(relax, world, action);
    return goap_explore_whole(relax);
}
