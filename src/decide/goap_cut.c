// The landmark cut (LM-cut): how much every plan costs at least.
//
// Along each operator's dearest need the relaxed domain is a graph from the world to the goal. The
// operators that cross into the part from which the goal costs nothing more are a landmark: every
// plan does one of them. Its cost, the least among them, is counted and taken off each; then the
// facts' costs are lowered where that changed something, and the next cut is taken until the goal
// costs nothing.
//
// A world that one action makes of another shares that one's landmarks, but those that hold the
// action: a plan from there would be one from here with the action in front. So the search keeps
// the landmarks of the world that it expands, and only what is missing is looked for in the others.
//
// Techniques: Helmert and Domshlak 2009; Pommerening and Helmert 2013 (incremental). Cost of a cut:
// O(operators that it changes), of a world O(operators) for the first costs.
#include <string.h>

#include "goap_relax.h"

enum { GOAP_CUT_GOAL = 1, GOAP_CUT_BEFORE = 2 };

// Facts from which the goal costs nothing more, along each operator's dearest need.
static void goap_cut_zone(ployi_goap_relax *relax) {
    const int32_t *starts = PLOY_ARRAY_ITEMS(&relax->add_starts, int32_t);
    const int32_t *adding = PLOY_ARRAY_ITEMS(&relax->add_ops, int32_t);
    const double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    const int32_t *left = PLOY_ARRAY_ITEMS(&relax->left, int32_t);
    const int32_t *support = PLOY_ARRAY_ITEMS(&relax->support, int32_t);
    memset(relax->marks.items, 0, (size_t)relax->facts);
    ploy_array_clear(&relax->stack);
    ployi_goap_relax_mark(relax, relax->goal, GOAP_CUT_GOAL);
    while (relax->stack.count > 0) {
        int32_t fact = PLOY_ARRAY_ITEMS(&relax->stack, int32_t)[--relax->stack.count];
        for (int32_t i = starts[fact]; i < starts[fact + 1]; i++) {
            int32_t o = adding[i];
            if (op_costs[o] > 0.0 || left[o] > 0) continue;
            ployi_goap_relax_mark(relax, support[o], GOAP_CUT_GOAL);
        }
    }
}

// The operators that lead into the goal's zone from what the world reaches without it.
// @return the least cost among them.
static double goap_cut_find(ployi_goap_relax *relax) {
    const int32_t *live = PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t);
    const int32_t *adds = PLOY_ARRAY_ITEMS(&relax->live_adds, int32_t);
    const int32_t *held = PLOY_ARRAY_ITEMS(&relax->held, int32_t);
    const int32_t *nexts = PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t);
    const double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    const uint8_t *marks = PLOY_ARRAY_ITEMS(&relax->marks, uint8_t);
    int32_t *cut = PLOY_ARRAY_ITEMS(&relax->cut, int32_t);
    double least = (double)INFINITY;
    ploy_array_clear(&relax->stack);
    ploy_array_clear(&relax->cut);
    for (int32_t i = 0; i < relax->given.count; i++) {
        ployi_goap_relax_mark(relax, PLOY_ARRAY_ITEMS(&relax->given, int32_t)[i], GOAP_CUT_BEFORE);
    }
    while (relax->stack.count > 0) {
        int32_t fact = PLOY_ARRAY_ITEMS(&relax->stack, int32_t)[--relax->stack.count];
        for (int32_t o = held[fact]; o >= 0; o = nexts[o]) {
            bool into = false;
            for (int32_t a = live[o]; a < live[o + 1]; a++) into |= marks[adds[a]] == GOAP_CUT_GOAL;
            if (into) {
                cut[relax->cut.count++] = o; // there is room
                if (op_costs[o] < least) least = op_costs[o];
                continue;
            }
            for (int32_t a = live[o]; a < live[o + 1]; a++) {
                ployi_goap_relax_mark(relax, adds[a], GOAP_CUT_BEFORE);
            }
        }
    }
    return least;
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

// Gives an operator the dearest of its needs anew. @return its cost.
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

// Takes the cut's cost off its operators and lowers what that makes cheaper: an operator is looked
// at again only when the fact that is its dearest need has become cheaper.
static void goap_cut_pay(ployi_goap_relax *relax, double least) {
    ployi_goap_wave wave = ployi_goap_wave_make(relax, true);
    const int32_t *nexts = PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t);
    double *sums = PLOY_ARRAY_ITEMS(&relax->sums, double);
    for (int32_t i = 0; i < relax->cut.count; i++) {
        int32_t o = PLOY_ARRAY_ITEMS(&relax->cut, int32_t)[i];
        PLOY_ARRAY_ITEMS(&relax->op_costs, double)[o] -= least;
        goap_cut_open(&wave, o);
    }
    int32_t fact = 0;
    double cost = 0.0;
    while (ployi_goap_wave_take(&wave, &fact, &cost)) {
        for (int32_t o = PLOY_ARRAY_ITEMS(&relax->held, int32_t)[fact], next; o >= 0; o = next) {
            next = nexts[o]; // before the operator goes elsewhere
            if (!(sums[o] > cost)) continue;
            double dearest = goap_cut_hold(relax, o);
            if (!(dearest < sums[o])) continue;
            sums[o] = dearest;
            goap_cut_open(&wave, o);
        }
    }
}

// Remembers a landmark, if there is memory for it: without it there is only more to look for.
static void goap_cut_keep(ployi_goap_relax *relax, double least) {
    int32_t ops = relax->known_ops.count, ends = relax->known_ends.count;
    if (ploy_array_push_many(&relax->known_ops, relax->cut.items, relax->cut.count) == PLOY_OK &&
        ploy_array_push(&relax->known_ends, &relax->known_ops.count) == PLOY_OK &&
        ploy_array_push(&relax->known_costs, &least) == PLOY_OK) {
        return;
    }
    (void)ploy_array_resize(&relax->known_ops, ops);
    (void)ploy_array_resize(&relax->known_ends, ends);
}

double ployi_goap_cut_all(ployi_goap_relax *relax, bool keep) {
    double total = 0.0;
    // Where memory is short, what was counted so far stays right.
    while (PLOY_ARRAY_ITEMS(&relax->costs, double)[relax->goal] > 0.0 && !relax->starved) {
        relax->work += relax->facts + relax->ops.count; // at most: each is looked at once
        goap_cut_zone(relax);
        double least = goap_cut_find(relax);
        if (!(least < (double)INFINITY)) break; // a rounding error: what there is stays right
        total += least;
        if (keep) goap_cut_keep(relax, least);
        goap_cut_pay(relax, least);
    }
    relax->starved = false;
    return total;
}

double ployi_goap_cut_parent(ployi_goap_relax *relax, const uint64_t *world) {
    ploy_array_clear(&relax->known_ops);
    ploy_array_clear(&relax->known_ends);
    ploy_array_clear(&relax->known_costs);
    ployi_goap_relax_reset(relax);
    ployi_goap_relax_explore(relax, world, false);
    double cost = PLOY_ARRAY_ITEMS(&relax->costs, double)[relax->goal];
    return cost < (double)INFINITY ? ployi_goap_cut_all(relax, true) : cost;
}

double ployi_goap_cut_child(ployi_goap_relax *relax, const uint64_t *world, int32_t action) {
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    const int32_t *known = PLOY_ARRAY_ITEMS(&relax->known_ops, int32_t);
    const int32_t *ends = PLOY_ARRAY_ITEMS(&relax->known_ends, int32_t);
    double *op_costs = PLOY_ARRAY_ITEMS(&relax->op_costs, double);
    double total = 0.0;
    ployi_goap_relax_reset(relax);
    for (int32_t k = 0, first = 0; k < relax->known_ends.count; first = ends[k], k++) {
        double cost = PLOY_ARRAY_ITEMS(&relax->known_costs, double)[k];
        bool stays = true;
        for (int32_t i = first; i < ends[k] && stays; i++) stays = ops[known[i]].action != action;
        if (!stays) continue;
        for (int32_t i = first; i < ends[k]; i++) op_costs[known[i]] -= cost;
        total += cost;
    }
    ployi_goap_relax_explore(relax, world, false);
    double cost = PLOY_ARRAY_ITEMS(&relax->costs, double)[relax->goal];
    return cost < (double)INFINITY ? total + ployi_goap_cut_all(relax, false) : cost;
}
