// The landmark cut (LM-cut): how much every plan costs at least.
//
// Along each operator's most expensive need the relaxed domain is a graph from the world to the goal. The
// operators that cross into the part from which the goal costs nothing more are a landmark: every
// plan does one of them. Its cost, the least among them, is counted and taken off each; then the
// facts' costs are lowered where that changed something, and the next cut is taken until the goal
// costs nothing.
//
// A world that one action makes of another shares that one's landmarks, but those that hold the
// action: a plan from there would be one from here with the action in front. So the search keeps
// the landmarks of the world that it expands, and only what is missing is looked for in the others.
//
// Each step of this is a stage of a job (goap_relax.h) that may stop anywhere and go on later.
//
// Techniques: Helmert and Domshlak 2009; Pommerening and Helmert 2013 (incremental). Cost of a cut:
// O(operators that it changes), of a world O(operators) for the first costs.
#include <string.h>

#include "goap_relax.h"

enum { GOAP_CUT_GOAL = 1, GOAP_CUT_BEFORE = 2 };

// The landmarks that the world shares with its parent: what they cost is paid.
static void goap_cut_known(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    const int32_t *known = PLOY_ARRAY_ITEMS(&relax->known_ops, int32_t);
    const int32_t *ends = PLOY_ARRAY_ITEMS(&relax->known_ends, int32_t);
    double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    while (job->share == PLOYI_GOAP_CHILD && job->in < relax->known_ends.count) {
        int32_t first = job->in > 0 ? ends[job->in - 1] : 0, end = ends[job->in];
        bool stays = true;
        if (!job->paying) {
            int32_t stop = ployi_goap_job_end(job, end, allow);
            for (; job->at < stop && stays; job->at++) {
                stays = ops[known[job->at]].action != job->action;
            }
            if (stays && job->at < end) return;
            job->paying = stays;
            job->at = stays ? first : end;
        }
        if (job->paying) {
            double cost = PLOY_ARRAY_ITEMS(&relax->known_costs, double)[job->in];
            int32_t stop = ployi_goap_job_end(job, end, allow);
            for (; job->at < stop; job->at++) op_costs[known[job->at]] -= cost;
            if (job->at < end) return;
            job->known += cost;
        }
        job->paying = false;
        job->in++;
        if (*allow <= 0) return;
    }
    job->at = job->in = 0;
    job->stage = PLOYI_GOAP_GIVEN;
}

// A cut begins, unless the goal costs nothing more. Where memory is short, what was counted so far
// stays right.
static void goap_cut_begin(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    if (!(PLOY_ARRAY_ITEMS(&relax->costs, double)[relax->goal] > 0.0) || relax->starved) {
        relax->starved = false;
        job->stage = PLOYI_GOAP_DONE;
        return;
    }
    int32_t end = ployi_goap_job_end(job, relax->facts, allow);
    memset(PLOY_ARRAY_ITEMS(&relax->marks, uint8_t) + job->at, 0, (size_t)(end - job->at));
    ployi_goap_job_reach(job, end, relax->facts, PLOYI_GOAP_CUT_ZONE);
    if (job->stage != PLOYI_GOAP_CUT_ZONE) return;
    ploy_array_clear(&relax->stack);
    ployi_goap_relax_mark(relax, relax->goal, GOAP_CUT_GOAL);
    job->fact = -1;
}

// Facts from which the goal costs nothing more, along each operator's most expensive need.
static void goap_cut_zone(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const int32_t *starts = PLOY_ARRAY_ITEMS(&relax->add_starts, int32_t);
    const int32_t *adding = PLOY_ARRAY_ITEMS(&relax->add_ops, int32_t);
    const double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    const int32_t *left = PLOY_ARRAY_ITEMS(&relax->left, int32_t);
    const int32_t *support = PLOY_ARRAY_ITEMS(&relax->support, int32_t);
    int64_t may = *allow;
    int32_t fact = job->fact, at = job->at;
    bool more = true;
    while (may > 0) {
        if (fact < 0) {
            more = ployi_goap_relax_pop(relax, &fact);
            if (!more) break;
            at = starts[fact];
            may--;
        }
        int32_t count = starts[fact + 1], end = count - at <= may ? count : at + (int32_t)may;
        may -= end - at;
        for (; at < end; at++) {
            int32_t o = adding[at];
            if (op_costs[o] > 0.0 || left[o] > 0) continue;
            ployi_goap_relax_mark(relax, support[o], GOAP_CUT_GOAL);
        }
        if (end == count) fact = -1;
    }
    *allow = may;
    job->fact = fact;
    job->at = at;
    if (more) return;
    ploy_array_clear(&relax->cut);
    job->least = (double)INFINITY;
    job->at = 0;
    job->stage = PLOYI_GOAP_CUT_GIVEN;
}

static void goap_cut_given(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    int32_t end = ployi_goap_job_end(job, relax->given.count, allow);
    for (int32_t i = job->at; i < end; i++) {
        ployi_goap_relax_mark(relax, PLOY_ARRAY_ITEMS(&relax->given, int32_t)[i], GOAP_CUT_BEFORE);
    }
    job->in = -1;
    ployi_goap_job_reach(job, end, relax->given.count, PLOYI_GOAP_CUT_FIND);
}

// The operators that lead into the goal's zone from what the world reaches without it, and the
// least cost among them.
static void goap_cut_find(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const int32_t *live = PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t);
    const int32_t *adds = PLOY_ARRAY_ITEMS(&relax->live_adds, int32_t);
    const int32_t *held = PLOY_ARRAY_ITEMS(&relax->held, int32_t);
    const int32_t *nexts = PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t);
    const double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    const uint8_t *marks = PLOY_ARRAY_ITEMS(&relax->marks, uint8_t);
    int32_t *cut = PLOY_ARRAY_ITEMS(&relax->cut, int32_t);
    int32_t fact = 0, o = job->in, crossing = relax->cut.count;
    int64_t may = *allow;
    double least = job->least;
    bool more = true;
    for (; may > 0; may--) {
        if (o < 0) {
            more = ployi_goap_relax_pop(relax, &fact);
            if (!more) break;
            o = held[fact];
            continue;
        }
        bool into = false;
        may -= live[o + 1] - live[o];
        for (int32_t a = live[o]; a < live[o + 1]; a++) into |= marks[adds[a]] == GOAP_CUT_GOAL;
        if (into) {
            cut[crossing++] = o; // there is room
            if (op_costs[o] < least) least = op_costs[o];
        } else {
            for (int32_t a = live[o]; a < live[o + 1]; a++) {
                ployi_goap_relax_mark(relax, adds[a], GOAP_CUT_BEFORE);
            }
        }
        o = nexts[o];
    }
    *allow = may;
    relax->cut.count = crossing;
    job->least = least;
    job->in = o;
    if (more) return;
    job->at = 0;
    job->kept_ops = relax->known_ops.count;
    job->kept_ends = relax->known_ends.count;
    job->stage = PLOYI_GOAP_CUT_KEEP;
    // A rounding error: what there is stays right.
    if (!(least < (double)INFINITY)) job->stage = PLOYI_GOAP_DONE;
    if (job->stage == PLOYI_GOAP_DONE) relax->starved = false;
}

// What an operator gives, opened where it has become cheaper.
static void goap_cut_open(ployi_goap_wave *wave, int32_t op) {
    const ployi_goap_relax *relax = wave->relax;
    const int32_t *live = PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t);
    const int32_t *adds = PLOY_ARRAY_ITEMS(&relax->live_adds, int32_t);
    double reached =
        PLOY_ARRAY_ITEMS(&relax->sums, double)[op] + PLOY_ARRAY_ITEMS(&relax->op_costs, double)[op];
    for (int32_t a = live[op]; a < live[op + 1]; a++) {
        if (reached < wave->costs[adds[a]]) ployi_goap_wave_lower(wave, adds[a], reached);
    }
}

// Gives an operator the most expensive of its needs again. @return its cost.
static double goap_cut_hold(ployi_goap_relax *relax, int32_t op) {
    const ployi_goap_op *item = &PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op)[op];
    const int32_t *pres = PLOY_ARRAY_ITEMS(&relax->pres, int32_t) + item->first_pre;
    const double *costs = PLOY_ARRAY_ITEMS(&relax->costs, double);
    int32_t *nexts = PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t);
    int32_t *befores = PLOY_ARRAY_ITEMS(&relax->held_befores, int32_t);
    int32_t was = PLOY_ARRAY_ITEMS(&relax->support, int32_t)[op], dearest = was;
    for (int32_t k = 0; k < item->pre_count; k++) {
        if (costs[pres[k]] > costs[dearest]) dearest = pres[k];
    }
    if (dearest != was) {
        int32_t next = nexts[op], before = befores[op];
        if (before >= 0) {
            nexts[before] = next;
        } else {
            PLOY_ARRAY_ITEMS(&relax->held, int32_t)[was] = next;
        }
        if (next >= 0) befores[next] = before;
        ployi_goap_relax_hold(relax, dearest, op);
    }
    return costs[dearest];
}

// Remembers a landmark, if there is memory for it: without it there is only more to look for.
static void goap_cut_keep(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    if (job->share != PLOYI_GOAP_PARENT) {
        job->stage = PLOYI_GOAP_CUT_PAY; // at is 0
        return;
    }
    ploy_result result = PLOY_OK;
    int32_t count = relax->cut.count;
    int32_t end = ployi_goap_job_end(job, count, allow);
    result = ploy_array_push_many(&relax->known_ops,
                                  PLOY_ARRAY_ITEMS(&relax->cut, int32_t) + job->at, end - job->at);
    if (result == PLOY_OK && end == count && count > 0) {
        result = ploy_array_push(&relax->known_ends, &relax->known_ops.count);
        if (result == PLOY_OK) result = ploy_array_push(&relax->known_costs, &job->least);
    }
    if (result != PLOY_OK) {
        (void)ploy_array_resize(&relax->known_ops, job->kept_ops);
        (void)ploy_array_resize(&relax->known_ends, job->kept_ends);
        end = count;
    }
    ployi_goap_job_reach(job, end, count, PLOYI_GOAP_CUT_PAY);
}

// Takes the cut's cost off its operators.
static void goap_cut_pay(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    if (job->at == 0) {
        job->total += job->least;
        job->wave = ployi_goap_wave_make(relax, true);
    }
    ployi_goap_wave wave = job->wave;
    double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double), least = job->least;
    int32_t end = ployi_goap_job_end(job, relax->cut.count, allow);
    for (int32_t i = job->at; i < end; i++) {
        int32_t o = PLOY_ARRAY_ITEMS(&relax->cut, int32_t)[i];
        op_costs[o] -= least;
        goap_cut_open(&wave, o);
    }
    job->wave = wave;
    job->fact = job->in = -1;
    ployi_goap_job_reach(job, end, relax->cut.count, PLOYI_GOAP_CUT_WAVE);
}

// Lowers what the payment makes cheaper: an operator is looked at again only when the fact that is
// its most expensive need has become cheaper.
static void goap_cut_wave(ployi_goap_relax *relax, int64_t *allow) {
    ployi_goap_job *job = &relax->job;
    const int32_t *nexts = PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t);
    const int32_t *held = PLOY_ARRAY_ITEMS(&relax->held, int32_t);
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    double *sums = PLOY_ARRAY_ITEMS(&relax->sums, double);
    ployi_goap_wave wave = job->wave;
    int32_t o = job->in, fact = job->fact;
    double cost = job->cost;
    int64_t may = *allow;
    bool more = true;
    for (; may > 0; may--) {
        if (o < 0) {
            more = ployi_goap_wave_take(&wave, &fact, &cost);
            if (!more) break;
            o = held[fact];
            continue;
        }
        int32_t next = nexts[o]; // before the operator goes elsewhere
        if (sums[o] > cost) {
            may -= ops[o].pre_count;
            double dearest = goap_cut_hold(relax, o);
            if (dearest < sums[o]) {
                sums[o] = dearest;
                goap_cut_open(&wave, o);
            }
        }
        o = next;
    }
    *allow = may;
    job->wave = wave;
    job->fact = fact;
    job->cost = cost;
    job->in = o;
    if (more) return;
    job->at = 0;
    job->stage = PLOYI_GOAP_CUT;
}

void ployi_goap_cut_run(ployi_goap_relax *relax, int64_t *allow) {
    switch (relax->job.stage) {
    case PLOYI_GOAP_KNOWN: goap_cut_known(relax, allow); break;
    case PLOYI_GOAP_CUT: goap_cut_begin(relax, allow); break;
    case PLOYI_GOAP_CUT_ZONE: goap_cut_zone(relax, allow); break;
    case PLOYI_GOAP_CUT_GIVEN: goap_cut_given(relax, allow); break;
    case PLOYI_GOAP_CUT_FIND: goap_cut_find(relax, allow); break;
    case PLOYI_GOAP_CUT_KEEP: goap_cut_keep(relax, allow); break;
    case PLOYI_GOAP_CUT_PAY: goap_cut_pay(relax, allow); break;
    default: goap_cut_wave(relax, allow); break;
    }
}
