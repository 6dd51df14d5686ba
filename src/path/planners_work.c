// Planners: beginning searches, giving each its turn, and ending them; see the headers.
#include "path/grid_internal.h"
#include "path/planners_internal.h"
#include "ploy/base/math.h"

// ---- what a worker searches ----

static ploy_result planners_expand(void *user, int32_t state, ploy_edges *out) {
    ployi_planners_worker *worker = user;
    const ploy_cost_hook *hook = &worker->costs;
    if (hook->fn == NULL) return worker->inner.expand(worker->inner.user, state, out);
    ploy_edges_clear(&worker->edges);
    ploy_result result = worker->inner.expand(worker->inner.user, state, &worker->edges);
    for (int32_t i = 0; i < worker->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &worker->edges.view[i];
        double cost = hook->fn(hook->user, state, edge->to, edge->label, edge->cost);
        result = ploy_edges_add(out, edge->to, cost, edge->label);
    }
    return result;
}

static double planners_estimate(void *user, int32_t state, int32_t goal) {
    const ployi_planners_worker *worker = user;
    if (worker->inner.estimate == NULL) return 0.0;
    double estimate = worker->inner.estimate(worker->inner.user, state, goal);
    return worker->varied ? estimate * ploy_heuristic_noise(&worker->noise, state) : estimate;
}

// A mesh's estimates cannot vary, so its prices do: each polygon's by a share of its own.
static double planners_price(void *user, int32_t from, int32_t to, int32_t label, double base) {
    const ployi_planners_worker *worker = user;
    const ploy_cost_hook *hook = &worker->costs;
    if (hook->fn != NULL) base = hook->fn(hook->user, from, to, label, base);
    return base * (worker->noise.noise + ploy_heuristic_noise(&worker->noise, to));
}

static void planners_set_noise(ploy_planners *planners, ployi_planners_worker *worker,
                               const ployi_planners_slot *slot) {
    worker->costs = ployi_planners_hook(planners, slot);
    worker->varied = slot->wish.variety != 0;
    worker->noise = ploy_heuristic_def_default();
    worker->noise.noise = (double)planners->def.variety;
    worker->noise.seed = slot->wish.variety;
}

static void planners_set_space(ployi_planners_worker *worker, const ploy_representation *division) {
    worker->inner = division->space;
    worker->space = division->space;
    if (!worker->varied && worker->costs.fn == NULL) return;
    worker->space.expand = planners_expand;
    worker->space.expand_back = NULL;
    worker->space.estimate = planners_estimate;
    worker->space.user = worker;
}

ployi_planners_worker *ployi_planners_worker_of(ploy_planners *planners, int32_t index) {
    for (int32_t i = 0; i < planners->def.searches; i++) {
        if (planners->workers[i].slot == index) return &planners->workers[i];
    }
    return NULL;
}

void ployi_planners_stop(ployi_planners_worker *worker) {
    if (worker->query != NULL) ploy_navmesh_query_cancel(worker->query);
    if (worker->grid != NULL) ploy_grid_search_cancel(worker->grid);
    ploy_search_cancel(worker->search);
    worker->query = NULL;
    worker->grid = NULL;
    worker->slot = -1;
}

static ploy_result planners_advance(ployi_planners_worker *worker, ploy_budget *budget) {
    if (worker->query != NULL) return ploy_navmesh_query_step(worker->query, budget);
    if (worker->grid != NULL) return ploy_grid_search_step(worker->grid, budget);
    return ploy_search_step(worker->search, budget);
}

// ---- beginning ----

typedef enum planners_begun {
    PLANNERS_BEGUN_SEARCH,
    PLANNERS_BEGUN_ANSWERED,
    PLANNERS_BEGUN_FAILED
} planners_begun;

// A way that others may use too: one that nobody asked for in a way of its own.
static bool planners_is_common(const ployi_planners_slot *slot) {
    return slot->wish.variety == 0 && slot->wish.costs.fn == NULL;
}

// Answers without a search where it can. The path is written before the slot is done.
static ploy_result planners_shortcut(ploy_planners *planners, ployi_planners_slot *slot,
                                     int32_t ground, bool *answered, ploy_path_outcome *outcome) {
    const ploy_path_request *asked = &slot->request;
    const ploy_representation *division = &planners->grounds[ground].division;
    ploy_representation_body body = {asked->radius, asked->mask};
    bool place = slot->wish.is_goal == NULL;
    bool plain = ployi_planners_hook(planners, slot).fn == NULL;
    *answered = true;
    *outcome = PLOY_PATH_FOUND;
    slot->start = division->quantise(division->user, asked->from, &body);
    slot->end = place ? division->quantise(division->user, asked->to, &body) : PLOY_STATE_NONE;
    if (place && plain && planners->def.straight && division->clear != NULL &&
        division->clear(division->user, asked->from, asked->to, &body)) {
        ploy_path_clear(slot->path);
        ploy_result result = ployi_planners_append(slot->path, asked->from, NULL);
        if (result == PLOY_OK) result = ployi_planners_append(slot->path, asked->to, NULL);
        planners->stats.straight += result == PLOY_OK;
        return result;
    }
    if (slot->start < 0 || (place && slot->end < 0)) {
        *outcome = PLOY_PATH_NONE;
        slot->end = PLOY_STATE_NONE;
        return PLOY_OK;
    }
    if (place && slot->start == slot->end) {
        return ployi_planners_compose(planners, slot, NULL, 0, true, slot->path);
    }
    if (place && planners_is_common(slot) && planners->def.cached > 0) {
        int32_t from = 0;
        const ployi_planners_way *way =
            ployi_planners_recall(planners, ground, slot->start, slot->end, &from);
        planners->stats.hits += way != NULL;
        planners->stats.misses += way == NULL;
        if (way != NULL) {
            slot->cached = 1;
            return ployi_planners_compose(planners, slot,
                                          PLOY_ARRAY_ITEMS(&way->edges, ploy_edge) + from,
                                          way->edges.count - from, true, slot->path);
        }
    }
    *answered = false;
    return PLOY_OK;
}

// Begins the grid map's own search. False if the division has to do, PLOY_ERR_MEMORY among the
// reasons: then it will say so, or do with what it has.
static bool planners_begin_grid(const ploy_planners *planners, ployi_planners_worker *worker,
                                const ployi_planners_slot *slot) {
    const ployi_planners_ground *ground = ployi_planners_ground_of(planners, slot);
    bool follows = ground->searches != NULL && ployi_grid_map_follows(ground->map);
    if (!follows || slot->wish.is_goal != NULL || worker->varied || worker->costs.fn != NULL) {
        return false;
    }
    ploy_grid_search *grid = ground->searches[worker - planners->workers];
    if (ploy_grid_search_begin(grid, ground->map, slot->start, slot->end) != PLOY_OK) return false;
    // There is no way: the division knows the nearest place.
    bool none = ploy_grid_search_outcome(grid) == PLOY_SEARCH_NONE;
    if (none && planners->def.partial) return false;
    worker->grid = grid;
    return true;
}

// A worker's search of a division. *begun: it is under way, and nothing is answered.
static ploy_result planners_begin_search(ploy_planners *planners, ployi_planners_worker *worker,
                                         ployi_planners_slot *slot, ploy_path_outcome *outcome,
                                         bool *begun) {
    int32_t ground = ployi_planners_find_ground(planners, slot->request.profile);
    bool answered = false;
    *begun = false;
    ploy_result result = planners_shortcut(planners, slot, ground, &answered, outcome);
    if (result != PLOY_OK || answered) return result;
    *begun = planners_begin_grid(planners, worker, slot);
    if (*begun) return PLOY_OK;
    planners_set_space(worker, &planners->grounds[ground].division);
    ploy_search_start start = {slot->start, 0.0};
    ploy_search_query query = ploy_search_query_make(&worker->space, &start, slot->end);
    query.is_goal = slot->wish.is_goal;
    query.user = slot->wish.user;
    result = ploy_search_begin(worker->search, &query);
    *begun = result == PLOY_OK;
    return result;
}

// The same over a mesh. What lies too far from the floor, or where it may not stand, has no way.
static bool planners_begin_mesh(const ploy_planners *planners, ployi_planners_worker *worker,
                                ployi_planners_slot *slot) {
    const ployi_planners_ground *ground = ployi_planners_ground_of(planners, slot);
    const ploy_path_request *asked = &slot->request;
    ploy_navmesh_query *query = ground->queries[worker - planners->workers];
    ploy_navmesh_reach reach = {ground->mesh.reach, ground->mesh.height, PLOY_NAVMESH_DROP};
    ploy_cost_hook varied = {planners_price, worker};
    ploy_navmesh_place from, to;
    bool place = slot->wish.is_goal == NULL;
    ploy_navmesh_query_set_filter(query, &ground->mesh.filter);
    ploy_navmesh_query_set_costs(query, worker->varied ? &varied : &worker->costs);
    if (ploy_navmesh_find_nearest(query, asked->from, -1, &reach, &from) != PLOY_OK) return false;
    to = from;
    if (place && ploy_navmesh_find_nearest(query, asked->to, -1, &reach, &to) != PLOY_OK) {
        return false;
    }
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    request.method = ground->mesh.method;
    request.radius = asked->radius;
    request.is_goal = slot->wish.is_goal;
    request.user = slot->wish.user;
    if (ploy_navmesh_query_begin(query, &request) != PLOY_OK) return false;
    slot->start = from.polygon;
    slot->end = place ? to.polygon : PLOY_STATE_NONE;
    worker->query = query;
    return true;
}

static ploy_result planners_begin(ploy_planners *planners, ployi_planners_worker *worker,
                                  int32_t index, planners_begun *state) {
    ployi_planners_slot *slot = &planners->slots[index];
    ploy_path_outcome outcome = PLOY_PATH_NONE;
    bool begun = false;
    *state = PLANNERS_BEGUN_FAILED;
    planners_set_noise(planners, worker, slot);
    if (ployi_planners_ground_of(planners, slot)->queries != NULL) {
        begun = planners_begin_mesh(planners, worker, slot);
    } else {
        ploy_result result = planners_begin_search(planners, worker, slot, &outcome, &begun);
        if (result != PLOY_OK) return result;
    }
    *state = begun ? PLANNERS_BEGUN_SEARCH : PLANNERS_BEGUN_ANSWERED;
    if (begun) {
        slot->state = PLOYI_PLANNERS_ACTIVE;
        worker->slot = index;
    } else {
        ployi_planners_done(planners, index, outcome);
    }
    return PLOY_OK;
}

// ---- ending ----

// What a mesh's query found.
static ploy_result planners_take_mesh(ploy_planners *planners, ployi_planners_worker *worker,
                                      ployi_planners_slot *slot, ploy_path_outcome *outcome) {
    ploy_navmesh_answer answer = ploy_navmesh_query_answer(worker->query);
    *outcome = answer.outcome;
    slot->end = answer.end.polygon;
    bool none = answer.outcome == PLOY_PATH_NONE;
    if (none || (answer.outcome == PLOY_PATH_PARTIAL && !planners->def.partial)) {
        *outcome = PLOY_PATH_NONE;
        slot->end = PLOY_STATE_NONE;
        return PLOY_OK;
    }
    return ploy_navmesh_query_path(worker->query, slot->path);
}

// What a search of a division found, or that of its grid map.
static ploy_result planners_take_search(ploy_planners *planners, ployi_planners_worker *worker,
                                        ployi_planners_slot *slot, ploy_path_outcome *outcome) {
    const ploy_grid_search *grid = worker->grid;
    bool place = slot->wish.is_goal == NULL;
    bool found = (grid != NULL ? ploy_grid_search_outcome(grid)
                               : ploy_search_outcome_of(worker->search)) == PLOY_SEARCH_FOUND;
    int32_t end = PLOY_STATE_NONE;
    if (grid != NULL) {
        end = found ? slot->end : PLOY_STATE_NONE;
    } else if (found) {
        end = ploy_search_goal(worker->search);
    } else if (planners->def.partial && place) {
        end = ploy_search_nearest(worker->search);
    }
    *outcome = found ? PLOY_PATH_FOUND : end >= 0 ? PLOY_PATH_PARTIAL : PLOY_PATH_NONE;
    if (end >= 0) {
        ploy_result result = grid != NULL
                                 ? ployi_planners_take_cells(planners, slot, grid, end)
                                 : ployi_planners_take_edges(planners, worker->search, end);
        if (result == PLOY_OK) {
            result = ployi_planners_compose(planners, slot, planners->edges.items,
                                            planners->edges.count, found && place, slot->path);
        }
        if (result != PLOY_OK) return result;
        if (found && place && planners_is_common(slot)) {
            int32_t ground = ployi_planners_find_ground(planners, slot->request.profile);
            ployi_planners_remember(planners, ground, slot->start, slot->end);
        }
    }
    slot->end = end;
    return PLOY_OK;
}

// Takes the answer out of a search that is finished. Out of memory the search keeps it, and the
// next step tries again.
static ploy_result planners_finish(ploy_planners *planners, ployi_planners_worker *worker) {
    int32_t index = worker->slot;
    ployi_planners_slot *slot = &planners->slots[index];
    ploy_path_outcome outcome = PLOY_PATH_NONE;
    ploy_result result = worker->query != NULL
                             ? planners_take_mesh(planners, worker, slot, &outcome)
                             : planners_take_search(planners, worker, slot, &outcome);
    if (result != PLOY_OK) return result;
    ployi_planners_stop(worker);
    planners->stats.searched++;
    ployi_planners_done(planners, index, outcome);
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
            planners_begun begun = PLANNERS_BEGUN_FAILED;
            ployi_planners_slot *slot = &planners->slots[index];
            ploy_result result = planners_begin(planners, worker, index, &begun);
            if (begun == PLANNERS_BEGUN_ANSWERED) planners_spend(planners, slot, budget, 1);
            if (begun == PLANNERS_BEGUN_FAILED) {
                (void)ployi_planners_enqueue(planners,
                                             index); // its place in the queue is the old one
                return result;
            }
        }
    }
    return PLOY_OK;
}

// After an error a search has nothing to do: its request waits again.
static void planners_give_back(ploy_planners *planners, ployi_planners_worker *worker) {
    int32_t index = worker->slot;
    ployi_planners_stop(worker);
    (void)ployi_planners_enqueue(planners, index);
}

// One turn of a search whose step returned this.
static ploy_result planners_settle(ploy_planners *planners, ployi_planners_worker *worker,
                                   ploy_result result) {
    if (result == PLOY_OK) return planners_finish(planners, worker);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    planners_give_back(planners, worker);
    return result;
}

static bool planners_is_finished(const ployi_planners_worker *worker) {
    if (worker->query != NULL) {
        return ploy_navmesh_query_answer(worker->query).outcome != PLOY_PATH_OPEN;
    }
    ploy_search_outcome outcome = worker->grid != NULL ? ploy_grid_search_outcome(worker->grid)
                                                       : ploy_search_outcome_of(worker->search);
    return outcome != PLOY_SEARCH_OPEN && outcome != PLOY_SEARCH_IDLE;
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
            result = planners_advance(worker, &turn);
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
        worker->result = planners_advance(worker, &worker->budget);
    }
}

ploy_result ploy_planners_step_jobs(ploy_planners *planners, ploy_budget *budget,
                                    const ploy_jobs *jobs) {
    int32_t searches = planners->def.searches;
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

void ploy_planners_changed(ploy_planners *planners) {
    for (int32_t i = 0; i < planners->def.cached; i++) {
        ploy_array_clear(&planners->ways[i].edges); // keeps (4)
    }
    for (int32_t i = 0; i < planners->def.searches; i++) {
        ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        planners_give_back(planners, worker);
    }
}
