// Planners: beginning searches, giving each its turn, and ending them; see the headers.
#include "path/planners_internal.h"
#include "ploy/base/math.h"

ployi_planners_worker *ployi_planners_worker_of(ploy_planners *planners, int32_t index) {
    for (int32_t i = 0; i < planners->def.searches; i++) {
        if (planners->workers[i].slot == index) return &planners->workers[i];
    }
    return NULL;
}

// The next slot at or after an index that waits for another's answer; -1: none.
static int32_t planners_next_joined(const ploy_planners *planners, int32_t leader, int32_t index) {
    while (index < planners->def.capacity && planners->slots[index].joined != leader + 1) index++;
    return index < planners->def.capacity ? index : -1;
}

static void planners_retire(ployi_planners_worker *worker) {
    ploy_finder_cancel(worker->finder);
    worker->finder.type = NULL;
    worker->finder.self = NULL;
    worker->slot = -1;
}

void ployi_planners_stop(ploy_planners *planners, ployi_planners_worker *worker) {
    int32_t leader = worker->slot;
    for (int32_t i = planners_next_joined(planners, leader, 0); i >= 0;
         i = planners_next_joined(planners, leader, i + 1)) {
        (void)ployi_planners_enqueue(planners, i); // in its old place; there is room for all
    }
    planners_retire(worker);
}

static const ployi_planners_profile *planners_profile(const ploy_planners *planners,
                                                      const ployi_planners_slot *slot) {
    return &planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)];
}

// ---- beginning ----

typedef enum planners_begun {
    PLANNERS_BEGUN_SEARCH,
    PLANNERS_BEGUN_ANSWERED,
    PLANNERS_BEGUN_FAILED
} planners_begun;

// The next finder after one that found no path, if that can do more: it has partial paths, which
// were requested. -1: there is none.
static int32_t planners_other(const ploy_planners *planners, const ployi_planners_slot *slot,
                              int32_t which) {
    const ployi_planners_profile *profile = planners_profile(planners, slot);
    const ploy_finder_type *type = profile->finders[which].made[0].type;
    if (!planners->def.partial || (type->traits & PLOY_FINDER_PARTIAL) != 0) return -1;
    ploy_finder_request request = ployi_planners_ask(planners, slot);
    ploy_cost_hook costs = ployi_planners_hook(planners, slot);
    for (int32_t i = which + 1; i < profile->count; i++) {
        ploy_finder finder = profile->finders[i].made[0];
        if ((finder.type->traits & PLOY_FINDER_PARTIAL) != 0 &&
            ploy_finder_serves(finder, &request, &costs) == NULL) {
            return i;
        }
    }
    return -1;
}

// Answers without a search where it can. The path is written before the slot is done.
static ploy_result planners_shortcut(ploy_planners *planners, ployi_planners_slot *slot,
                                     ploy_finder finder, int32_t which, bool *answered) {
    ploy_result result = ployi_planners_straight(planners, slot, finder, answered);
    if (result != PLOY_OK || *answered) return result;
    return ployi_planners_recall(planners, slot, finder, which, answered);
}

// Tries one finder. *state stays PLANNERS_BEGUN_FAILED, and the result is PLOY_OK, if the next one
// is to be tried.
static ploy_result planners_try(ploy_planners *planners, ployi_planners_worker *worker,
                                ployi_planners_slot *slot, ploy_finder finder,
                                planners_begun *state) {
    ploy_finder_request request = ployi_planners_ask(planners, slot);
    ploy_cost_hook costs = ployi_planners_hook(planners, slot);
    bool answered = false;
    if (ploy_finder_serves(finder, &request, &costs) != NULL) return PLOY_OK;
    slot->finder = finder.type->name;
    slot->which = worker->which;
    ploy_result result = planners_shortcut(planners, slot, finder, worker->which, &answered);
    if (result != PLOY_OK) return result;
    if (answered) {
        slot->outcome = PLOY_PATH_FOUND;
        *state = PLANNERS_BEGUN_ANSWERED;
        return PLOY_OK;
    }
    result = ploy_finder_begin(finder, &request, &costs);
    if (result == PLOY_ERR_UNSUPPORTED || result == PLOY_ERR_LIMIT) {
        slot->result = result;
        return PLOY_OK;
    }
    if (result != PLOY_OK) return result;
    if (ploy_finder_outcome(finder) == PLOY_PATH_OPEN) {
        worker->finder = finder;
        *state = PLANNERS_BEGUN_SEARCH;
        return PLOY_OK;
    }
    slot->result = PLOY_OK;
    bool none = ploy_finder_outcome(finder) == PLOY_PATH_NONE;
    if (none && planners_other(planners, slot, worker->which) >= 0) return PLOY_OK;
    ploy_path_outcome outcome = ploy_finder_outcome(finder);
    result = ployi_planners_take(planners, slot, finder, worker->which);
    ploy_finder_cancel(finder);
    if (result != PLOY_OK) return result;
    slot->outcome = outcome;
    *state = PLANNERS_BEGUN_ANSWERED;
    return PLOY_OK;
}

static ploy_result planners_begin(ploy_planners *planners, ployi_planners_worker *worker,
                                  int32_t index, planners_begun *state) {
    ployi_planners_slot *slot = &planners->slots[index];
    const ployi_planners_profile *profile = planners_profile(planners, slot);
    ptrdiff_t number = worker - planners->workers;
    bool tried = slot->first > 0; // and it ended: that is an answer, if none is better
    *state = PLANNERS_BEGUN_FAILED;
    for (int32_t i = slot->first; i < profile->count; i++) {
        worker->which = i;
        slot->result = tried ? slot->result : PLOY_ERR_UNSUPPORTED;
        ploy_result result =
            planners_try(planners, worker, slot, profile->finders[i].made[number], state);
        if (result != PLOY_OK) return result;
        tried = tried || slot->result != PLOY_ERR_UNSUPPORTED;
        if (*state == PLANNERS_BEGUN_FAILED) continue;
        slot->result = PLOY_OK;
        if (*state == PLANNERS_BEGUN_ANSWERED) {
            ployi_planners_done(planners, index, slot->outcome);
        } else {
            slot->state = PLOYI_PLANNERS_ACTIVE;
            worker->slot = index;
        }
        return PLOY_OK;
    }
    if (!tried) { // it could be served when it was made
        slot->result = PLOY_ERR_UNSUPPORTED;
        ployi_planners_explain(planners, slot);
    }
    *state = PLANNERS_BEGUN_ANSWERED;
    slot->end = PLOY_STATE_NONE;
    ploy_path_clear(slot->path);
    ployi_planners_done(planners, index, PLOY_PATH_NONE);
    return PLOY_OK;
}

// ---- ending ----

// After an error, or a change of the map: the request waits again.
static void planners_give_back(ploy_planners *planners, ployi_planners_worker *worker) {
    int32_t index = worker->slot;
    ployi_planners_stop(planners, worker);
    (void)ployi_planners_enqueue(planners, index);
}

// Hands the request over to a later finder of its profile.
static void planners_hand_over(ploy_planners *planners, ployi_planners_worker *worker,
                               int32_t which, ploy_result why) {
    ployi_planners_slot *slot = &planners->slots[worker->slot];
    slot->first = which;
    slot->result = why;
    planners_give_back(planners, worker);
}

// Copies an answer to the slots that wait for it. Without memory they search for themselves.
static void planners_share(ploy_planners *planners, int32_t leader, ploy_path_outcome outcome) {
    const ployi_planners_slot *answer = &planners->slots[leader];
    for (int32_t i = planners_next_joined(planners, leader, 0); i >= 0;
         i = planners_next_joined(planners, leader, i + 1)) {
        ployi_planners_slot *slot = &planners->slots[i];
        if (ploy_path_copy(slot->path, answer->path) != PLOY_OK) {
            (void)ployi_planners_enqueue(planners, i);
            continue;
        }
        slot->state = PLOYI_PLANNERS_DONE; // joined until it is announced
        slot->outcome = outcome;
        slot->result = answer->result;
        slot->finder = answer->finder;
        slot->which = answer->which;
        slot->end = answer->end;
        slot->cached = 1;
    }
}

// Announces the shared answers after the leader's own. A listener may fetch or cancel any of them.
static void planners_announce(ploy_planners *planners, int32_t leader) {
    for (int32_t i = planners_next_joined(planners, leader, 0); i >= 0;
         i = planners_next_joined(planners, leader, i + 1)) {
        planners->slots[i].joined = 0;
        planners->stats.merged++;
        ployi_planners_done(planners, i, planners->slots[i].outcome);
    }
}

// Takes the answer out of a search that is finished. Out of memory the search keeps it, and the
// next step tries again.
static ploy_result planners_finish(ploy_planners *planners, ployi_planners_worker *worker) {
    int32_t index = worker->slot;
    ployi_planners_slot *slot = &planners->slots[index];
    ploy_path_outcome outcome = ploy_finder_outcome(worker->finder);
    int32_t other = outcome == PLOY_PATH_NONE ? planners_other(planners, slot, worker->which) : -1;
    if (other >= 0) {
        planners_hand_over(planners, worker, other, PLOY_OK);
        return PLOY_OK;
    }
    ploy_result result = ployi_planners_take(planners, slot, worker->finder, worker->which);
    if (result == PLOY_ERR_CHANGED) {
        planners->stats.restarted++;
        planners_hand_over(planners, worker, 0, PLOY_OK);
        return PLOY_OK;
    }
    if (result != PLOY_OK) return result;
    planners_share(planners, index, outcome);
    planners->stats.searched++;
    planners_retire(worker);
    ployi_planners_done(planners, index, outcome);
    planners_announce(planners, index);
    return PLOY_OK;
}

int32_t ployi_planners_active(const ploy_planners *planners) {
    int32_t active = 0;
    for (int32_t i = 0; i < planners->def.searches; i++) {
        active += planners->workers[i].slot >= 0;
    }
    return active;
}

static void planners_spend(ploy_planners *planners, ployi_planners_slot *slot, ploy_budget *budget,
                           int64_t units) {
    slot->units += units;
    planners->stats.units += units;
    if (budget != NULL && units > 0) (void)ploy_budget_spend(budget, units);
}

static bool planners_is_agents(const ployi_planners_profile *profile) {
    for (int32_t i = 0; i < profile->count; i++) {
        if ((profile->finders[i].made[0].type->traits & PLOY_FINDER_AGENT) != 0) return true;
    }
    return false;
}

// True if the answer to one request also answers the other.
static bool planners_is_equal(const ploy_planners *planners, const ployi_planners_slot *a,
                              const ployi_planners_slot *b) {
    const ploy_path_request *one = &a->request, *two = &b->request;
    const ployi_planners_profile *profile = planners_profile(planners, a);
    return a->options.is_goal == NULL && b->options.is_goal == NULL &&
           a->options.costs.fn == NULL && b->options.costs.fn == NULL &&
           a->options.variety == b->options.variety && one->radius == two->radius &&
           one->mask == two->mask && ploy_vec3_equal(one->from, two->from) &&
           ploy_vec3_equal(one->to, two->to) && planners_profile(planners, b) == profile &&
           !planners_is_agents(profile);
}

// Lets a waiting request join the search for an equal one, if there is any.
static bool planners_join(ploy_planners *planners, int32_t index) {
    ployi_planners_slot *slot = &planners->slots[index];
    if (slot->first > 0) return false; // it has an answer already, and looks for a better one
    for (int32_t i = 0; i < planners->def.searches; i++) {
        int32_t leader = planners->workers[i].slot;
        if (leader < 0 || !planners_is_equal(planners, slot, &planners->slots[leader])) continue;
        slot->joined = leader + 1; // keeps (1)
        return true;
    }
    return false;
}

// Hands waiting requests to idle searches, as long as the budget lasts.
static ploy_result planners_fill(ploy_planners *planners, ploy_budget *budget) {
    for (int32_t i = 0; i < planners->def.searches; i++) {
        ployi_planners_worker *worker = &planners->workers[i];
        while (worker->slot < 0) {
            int32_t index = 0;
            double key = 0.0;
            if (ploy_indexed_heap_count(&planners->queue) == 0) return PLOY_OK;
            if (ploy_budget_empty(budget)) return PLOY_OK;
            (void)ploy_indexed_heap_pop(&planners->queue, &index, &key);
            if (planners_join(planners, index)) continue;
            planners_begun begun = PLANNERS_BEGUN_FAILED;
            ployi_planners_slot *slot = &planners->slots[index];
            ploy_result result = planners_begin(planners, worker, index, &begun);
            if (begun == PLANNERS_BEGUN_ANSWERED) planners_spend(planners, slot, budget, 1);
            if (begun == PLANNERS_BEGUN_FAILED) {
                (void)ployi_planners_enqueue(planners, index); // in its old place
                return result;
            }
        }
    }
    return PLOY_OK;
}

// One turn of a search whose step returned this.
static ploy_result planners_settle(ploy_planners *planners, ployi_planners_worker *worker,
                                   ploy_result result) {
    if (result == PLOY_OK) return planners_finish(planners, worker);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    if (result == PLOY_ERR_CHANGED) {
        planners->stats.restarted++;
        planners_hand_over(planners, worker, 0, PLOY_OK);
        return PLOY_OK;
    }
    if (result == PLOY_ERR_LIMIT || result == PLOY_ERR_UNSUPPORTED) {
        planners_hand_over(planners, worker, worker->which + 1, result);
        return PLOY_OK;
    }
    planners_give_back(planners, worker);
    return result;
}

static bool planners_is_finished(const ployi_planners_worker *worker) {
    return ploy_finder_outcome(worker->finder) != PLOY_PATH_OPEN;
}

// Fills idle searches and counts those under way. PLOY_OK: there is nothing to do.
static ploy_result planners_prepare(ploy_planners *planners, ploy_budget *budget, int32_t *active) {
    ploy_result result = planners_fill(planners, budget);
    if (result != PLOY_OK) return result;
    *active = ployi_planners_active(planners);
    bool idle = *active == 0 && ploy_indexed_heap_count(&planners->queue) == 0;
    return idle ? PLOY_OK : PLOY_IN_PROGRESS;
}

ploy_result ployi_planners_step(void *user, ploy_budget *budget) {
    ploy_planners *planners = user;
    int32_t searches = planners->def.searches;
    planners->steps++;
    for (;;) {
        int32_t active = 0;
        ploy_result result = planners_prepare(planners, budget, &active);
        if (result != PLOY_IN_PROGRESS || ploy_budget_empty(budget)) return result;
        if (active == 0) continue; // all at hand were answered at once
        while (planners->workers[planners->cursor].slot < 0) {
            planners->cursor = (planners->cursor + 1) % searches;
        }
        ployi_planners_worker *worker = &planners->workers[planners->cursor];
        ployi_planners_slot *slot = &planners->slots[worker->slot];
        planners->cursor = (planners->cursor + 1) % searches; // kept from step to step
        if (planners_is_finished(worker)) {
            result = planners_finish(planners, worker); // it ran out of memory when it was due
        } else {
            int64_t units = planners->def.slice;
            if (budget != NULL && budget->units < units) units = budget->units;
            ploy_budget turn = ploy_budget_units(units);
            result = ploy_finder_step(worker->finder, &turn);
            planners_spend(planners, slot, budget, turn.spent);
            result = planners_settle(planners, worker, result);
        }
        if (result != PLOY_OK) return result;
    }
}

static void planners_job(void *arg, int32_t first, int32_t count, int32_t thread) {
    ploy_planners *planners = arg;
    (void)thread;
    for (int32_t i = first; i < first + count; i++) {
        ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0 || worker->budget.units == 0) continue;
        worker->result = ploy_finder_step(worker->finder, &worker->budget);
    }
}

ploy_result ploy_planners_step_jobs(ploy_planners *planners, ploy_budget *budget,
                                    const ploy_jobs *jobs) {
    int32_t searches = planners->def.searches;
    planners->steps++;
    for (;;) {
        int32_t active = 0;
        ploy_result result = planners_prepare(planners, budget, &active);
        if (result != PLOY_IN_PROGRESS || ploy_budget_empty(budget)) return result;
        if (active == 0) continue;
        // Shared out beforehand: what one search takes does not depend on the others.
        int64_t left = budget != NULL ? budget->units : PLOY_BUDGET_UNLIMITED;
        int64_t share = left / active, most = 64 * (int64_t)planners->def.slice;
        if (share > most) share = most;
        int64_t more = share == left / active ? left % active : 0;
        for (int32_t i = 0; i < searches; i++) {
            ployi_planners_worker *worker = &planners->workers[(planners->cursor + i) % searches];
            worker->result = PLOY_IN_PROGRESS;
            if (worker->slot < 0) continue;
            worker->budget = ploy_budget_units(share + (more > 0 ? 1 : 0));
            more -= more > 0;
            if (planners_is_finished(worker)) {
                worker->budget = ploy_budget_units(0);
                worker->result = PLOY_OK;
            }
        }
        planners->cursor = (planners->cursor + 1) % searches;
        ploy_jobs_run(jobs, planners_job, planners, searches, 1);
        result = PLOY_OK;
        for (int32_t i = 0; i < searches; i++) {
            ployi_planners_worker *worker = &planners->workers[i];
            if (worker->slot < 0) continue;
            planners_spend(planners, &planners->slots[worker->slot], budget, worker->budget.spent);
            ploy_result settled = planners_settle(planners, worker, worker->result);
            if (result == PLOY_OK) result = settled;
        }
        if (result != PLOY_OK) return result;
    }
}

void ployi_planners_restart(ploy_planners *planners) {
    for (int32_t i = 0; i < planners->def.capacity; i++) planners->slots[i].first = 0;
    for (int32_t i = 0; i < planners->def.searches; i++) {
        ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot >= 0) planners_give_back(planners, worker);
    }
}

void ploy_planners_changed(ploy_planners *planners) {
    ployi_planners_forget(planners, -1); // keeps (4)
    ployi_planners_restart(planners);
}
