// Planners: the service over any division; see the header.
//
// Invariants, from create to destroy:
//   (1) a slot is free (and in the free list), queued (and in the queue), active (and some search's)
//       or done;
//   (2) the queue's key is turn - priority x 2^40, so equal priorities come in the order of turns;
//   (3) a slot's path holds its answer while the slot is done;
//   (4) a remembered way belongs to the present version, or it is empty.
#include "ploy/path/planners.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"
#include "ploy/path/heuristic.h"
#include "ploy/search/search.h"

static const char *const planners_smooth[] = {"none", "quick", "precise", "shortest"};

static const ploy_field planners_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_planners_def, capacity, 64, 1, 1 << 16, "", "most tickets at once"),
    PLOY_FIELD_I32_FIXED(ploy_planners_def, searches, 4, 1, 256, "", "searches under way"),
    PLOY_FIELD_I32(ploy_planners_def, slice, 16, 1, 1 << 20, "", "states before the next's turn"),
    PLOY_FIELD_I32_FIXED(ploy_planners_def, cached, 32, 0, 4096, "", "ways that are remembered"),
    PLOY_FIELD_BOOL(ploy_planners_def, straight, true, "try the straight way first"),
    PLOY_FIELD_BOOL(ploy_planners_def, partial, true, "go as near as one can get"),
    PLOY_FIELD_ENUM(ploy_planners_def, smooth, PLOY_SMOOTH_QUICK, planners_smooth,
                    "how ways are smoothed"),
    PLOY_FIELD_F32(ploy_planners_def, turn_radius, 0, 0, 1e6f, "m", "smallest turn of smoothing"),
    PLOY_FIELD_F32(ploy_planners_def, variety, 0.3, 0, 0.99, "", "how much estimates vary"),
};

typedef enum planners_state {
    PLANNERS_FREE,
    PLANNERS_QUEUED,
    PLANNERS_ACTIVE,
    PLANNERS_DONE
} planners_state;

typedef struct planners_slot {
    ploy_path_request request;
    ploy_planners_wish wish;
    ploy_path *path;
    int64_t units;
    uint64_t turn;
    planners_state state;
    ploy_path_outcome outcome;
    uint32_t generation;
    int32_t start, end;
    int32_t cached; // 1: from an earlier way
} planners_slot;

// One of the searches. `space` is what it searches: the division's, or with estimates that vary.
typedef struct planners_worker {
    ploy_search *search;
    ploy_space space, inner;
    ploy_heuristic_def noise;
    ploy_budget budget; // of a step over jobs
    ploy_result result;
    int32_t slot; // -1: idle
} planners_worker;

typedef struct planners_way {
    ploy_array edges; // ploy_edge; empty: unused
    uint64_t used;
    int32_t start, goal, profile;
    int32_t reserved;
} planners_way;

struct ploy_planners {
    ploy_env env;
    ploy_planners_def def;
    ploy_planners_fn listener;
    void *listener_user;
    ploy_division divisions[PLOY_PLANNERS_PROFILES + 1]; // the first is create's
    ploy_name profiles[PLOY_PLANNERS_PROFILES + 1];
    ploy_planners_stats stats;
    ploy_indexed_heap queue;
    ploy_array edges; // ploy_edge, scratch
    ploy_path *raw;   // scratch
    planners_worker *workers;
    planners_way *ways;
    int32_t *free_slots;
    uint64_t next_turn, clock;
    int32_t profile_count, free_count, cursor, reserved;
    size_t size;
    planners_slot slots[];
};

ploy_fields ploy_planners_fields(void) {
    return PLOY_FIELDS(ploy_planners_def, planners_fields);
}

ploy_planners_def ploy_planners_def_default(void) {
    ploy_planners_def def;
    ploy_fields_default(ploy_planners_fields(), &def);
    return def;
}

ploy_planners_wish ploy_planners_wish_make(void) {
    ploy_planners_wish wish = {0, 0, NULL, NULL};
    return wish;
}

static ploy_result planners_parts(ploy_planners *planners) {
    const ploy_env *env = &planners->env;
    int32_t searches = planners->def.searches, ways = planners->def.cached;
    int32_t capacity = planners->def.capacity;
    ploy_path_def path = ploy_path_def_default();
    ploy_search_def search = ploy_search_def_default();
    planners->workers = ploy_env_alloc_zero(env, (size_t)searches * sizeof(planners_worker));
    planners->ways = ploy_env_alloc_zero(env, (size_t)(ways + 1) * sizeof(planners_way));
    planners->free_slots = ploy_env_alloc_zero(env, (size_t)capacity * sizeof(int32_t));
    if (planners->workers == NULL || planners->ways == NULL || planners->free_slots == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < ways; i++) {
        ploy_array_init(&planners->ways[i].edges, sizeof(ploy_edge), env);
    }
    ploy_result result = ploy_indexed_heap_reserve(&planners->queue, capacity);
    for (int32_t i = 0; i < searches; i++) planners->workers[i].slot = -1;
    for (int32_t i = 0; i < searches && result == PLOY_OK; i++) {
        result = ploy_search_create(&search, env, &planners->workers[i].search);
    }
    if (result == PLOY_OK) result = ploy_path_create(&path, env, &planners->raw);
    for (int32_t i = 0; i < capacity && result == PLOY_OK; i++) {
        planners->slots[i].generation = 1;
        planners->free_slots[i] = capacity - 1 - i; // the lowest is taken first
        result = ploy_path_create(&path, env, &planners->slots[i].path);
    }
    planners->free_count = capacity;
    return result;
}

ploy_result ploy_planners_create(const ploy_planners_def *def, const ploy_division *division,
                                 const ploy_env *env, ploy_planners **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!ploy_division_is_complete(division) || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_planners_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_planners), def->capacity, sizeof(planners_slot), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_planners *planners = ploy_env_alloc_zero(env, size);
    if (planners == NULL) return PLOY_ERR_MEMORY;
    planners->env = *env;
    planners->def = *def;
    planners->size = size;
    planners->divisions[0] = *division;
    planners->profile_count = 1;
    ploy_array_init(&planners->edges, sizeof(ploy_edge), env);
    result = ploy_indexed_heap_init(&planners->queue, 4, env);
    if (result == PLOY_OK) result = planners_parts(planners);
    if (result != PLOY_OK) {
        ploy_planners_destroy(planners);
        return result;
    }
    *out = planners;
    return PLOY_OK;
}

void ploy_planners_destroy(ploy_planners *planners) {
    if (planners == NULL) return;
    ploy_env env = planners->env;
    const ploy_planners_def *def = &planners->def;
    for (int32_t i = 0; i < def->capacity; i++) ploy_path_destroy(planners->slots[i].path);
    ploy_path_destroy(planners->raw);
    for (int32_t i = 0; i < def->searches && planners->workers != NULL; i++) {
        ploy_search_destroy(planners->workers[i].search);
    }
    // A way that was not set up yet has no item size and owns nothing.
    for (int32_t i = 0; i < def->cached && planners->ways != NULL; i++) {
        if (planners->ways[i].edges.item_size > 0) ploy_array_fini(&planners->ways[i].edges);
    }
    ploy_indexed_heap_fini(&planners->queue);
    ploy_array_fini(&planners->edges);
    ploy_env_free(&env, planners->free_slots, (size_t)def->capacity * sizeof(int32_t));
    ploy_env_free(&env, planners->ways, (size_t)(def->cached + 1) * sizeof(planners_way));
    ploy_env_free(&env, planners->workers, (size_t)def->searches * sizeof(planners_worker));
    ploy_env_free(&env, planners, planners->size);
}

static int32_t planners_profile(const ploy_planners *planners, ploy_name name) {
    for (int32_t i = 1; i < planners->profile_count; i++) {
        if (planners->profiles[i].hash == name.hash) return i;
    }
    return 0;
}

static void planners_forget(ploy_planners *planners) {
    for (int32_t i = 0; i < planners->def.cached; i++) {
        ploy_array_clear(&planners->ways[i].edges); // keeps (4)
    }
}

ploy_result ploy_planners_set_profile(ploy_planners *planners, ploy_name profile,
                                      const ploy_division *division) {
    if (profile.hash == 0 || !ploy_division_is_complete(division)) return PLOY_ERR_ARGUMENT;
    int32_t at = planners_profile(planners, profile);
    if (at == 0 && planners->profile_count > PLOY_PLANNERS_PROFILES) return PLOY_ERR_CAPACITY;
    if (at == 0) at = planners->profile_count++;
    planners->profiles[at] = profile;
    planners->divisions[at] = *division;
    ploy_planners_changed(planners);
    return PLOY_OK;
}

void ploy_planners_set_listener(ploy_planners *planners, ploy_planners_fn fn, void *user) {
    planners->listener = fn;
    planners->listener_user = user;
}

// ---- tickets ----

static planners_slot *planners_find(const ploy_planners *planners, ploy_path_ticket ticket) {
    if (ploy_id_is_none(ticket.id) || ticket.id.index >= (uint32_t)planners->def.capacity) {
        return NULL;
    }
    // The slots are the service's own; const is about the caller's view of it.
    planners_slot *slot = (planners_slot *)(uintptr_t)&planners->slots[ticket.id.index];
    bool fits = slot->state != PLANNERS_FREE && slot->generation == ticket.id.generation;
    return fits ? slot : NULL;
}

static ploy_result planners_enqueue(ploy_planners *planners, int32_t index) {
    planners_slot *slot = &planners->slots[index];
    slot->state = PLANNERS_QUEUED;
    double key = (double)slot->turn - (double)slot->wish.priority * 1099511627776.0; // keeps (2)
    return ploy_indexed_heap_push(&planners->queue, index, key);
}

ploy_result ploy_planners_request(ploy_planners *planners, const ploy_path_request *request,
                                  const ploy_planners_wish *wish, ploy_path_ticket *out) {
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    ploy_planners_wish plain = ploy_planners_wish_make();
    if (wish == NULL) wish = &plain;
    if (out == NULL || wish->priority < -1000 || wish->priority > 1000) return PLOY_ERR_ARGUMENT;
    if (planners->free_count == 0) return PLOY_ERR_CAPACITY;
    int32_t index = planners->free_slots[planners->free_count - 1];
    planners_slot *slot = &planners->slots[index];
    slot->request = *request;
    slot->wish = *wish;
    slot->turn = planners->next_turn;
    slot->outcome = PLOY_PATH_OPEN;
    slot->units = 0;
    slot->start = slot->end = PLOY_STATE_NONE;
    slot->cached = 0;
    result = planners_enqueue(planners, index); // room was made at create
    if (result != PLOY_OK) {
        slot->state = PLANNERS_FREE;
        return result;
    }
    planners->free_count--;
    planners->next_turn++;
    planners->stats.requests++;
    out->id = ploy_id_make((uint32_t)index, slot->generation);
    return PLOY_OK;
}

bool ploy_planners_get(const ploy_planners *planners, ploy_path_ticket ticket,
                       ploy_planners_status *out) {
    const planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return false;
    out->stage = slot->state == PLANNERS_QUEUED   ? PLOY_PLANNERS_QUEUED
                 : slot->state == PLANNERS_ACTIVE ? PLOY_PLANNERS_ACTIVE
                                                  : PLOY_PLANNERS_DONE;
    out->outcome = slot->outcome;
    out->units = slot->units;
    out->end_state = slot->end;
    out->cached = slot->cached != 0;
    return true;
}

static planners_worker *planners_worker_of(ploy_planners *planners, int32_t index) {
    for (int32_t i = 0; i < planners->def.searches; i++) {
        if (planners->workers[i].slot == index) return &planners->workers[i];
    }
    return NULL;
}

static void planners_release(ploy_planners *planners, planners_slot *slot) {
    int32_t index = (int32_t)(slot - planners->slots);
    if (slot->state == PLANNERS_QUEUED) (void)ploy_indexed_heap_remove(&planners->queue, index);
    if (slot->state == PLANNERS_ACTIVE) {
        planners_worker *worker = planners_worker_of(planners, index);
        ploy_search_cancel(worker->search);
        worker->slot = -1;
    }
    slot->state = PLANNERS_FREE;
    if (++slot->generation == 0) slot->generation = 1;
    ploy_path_clear(slot->path);
    planners->free_slots[planners->free_count++] = index; // keeps (1)
}

// ---- from edges to a path ----

typedef struct planners_sight {
    const ploy_division *division;
    ploy_division_body body;
} planners_sight;

static bool planners_clear(void *user, ploy_vec3 from, ploy_vec3 to) {
    const planners_sight *sight = user;
    return sight->division->clear(sight->division->user, from, to, &sight->body);
}

static ploy_result planners_append(ploy_path *path, ploy_vec3 at, const ploy_path_edge *edge) {
    int32_t count = ploy_path_count(path);
    ploy_vec2 point = ploy_vec2_from_vec3(at);
    // Standing on a node already is no edge of its own.
    if (edge == NULL && count > 0 && ploy_vec2_equal(ploy_path_point(path, count - 1), point)) {
        return PLOY_OK;
    }
    return ploy_path_append(path, point, at.z, edge);
}

// Writes from, the states' places and (if it gets there) to, smoothed.
static ploy_result planners_compose(ploy_planners *planners, const planners_slot *slot,
                                    const ploy_edge *edges, int32_t count, bool arrives,
                                    ploy_path *out) {
    const ploy_path_request *asked = &slot->request;
    int32_t profile = planners_profile(planners, asked->profile);
    planners_sight sight = {&planners->divisions[profile], {asked->radius, asked->mask}};
    const ploy_division *division = sight.division;
    ploy_path *raw = planners->raw;
    ploy_path_clear(raw);
    ploy_result result = planners_append(raw, asked->from, NULL);
    if (result == PLOY_OK) {
        result = planners_append(raw, division->localise(division->user, slot->start), NULL);
    }
    int32_t at = slot->start;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_path_edge way;
        memset(&way, 0, sizeof way);
        way.cost = (float)edges[i].cost;
        if (division->travel != NULL) division->travel(division->user, at, &edges[i], &way);
        result = planners_append(raw, division->localise(division->user, edges[i].to), &way);
        at = edges[i].to;
    }
    if (result == PLOY_OK && arrives) result = planners_append(raw, asked->to, NULL);
    ploy_smooth_rule rule = ploy_smooth_rule_make(planners->def.smooth, planners_clear, &sight);
    rule.turn_radius = planners->def.turn_radius;
    if (division->clear == NULL) rule.kind = PLOY_SMOOTH_NONE;
    if (result == PLOY_OK) result = ploy_path_smooth(raw, &rule, &planners->env, out, NULL);
    if (result != PLOY_OK) ploy_path_clear(out);
    return result;
}

// The edges of a search's way to a state, in the scratch array.
static ploy_result planners_edges(ploy_planners *planners, const ploy_search *search,
                                  int32_t state) {
    int32_t count = ploy_search_path(search, state, NULL, 0, NULL);
    ploy_result result = ploy_array_resize(&planners->edges, ploy_maxi(count, 0));
    if (result == PLOY_OK && count > 0) {
        (void)ploy_search_path(search, state, planners->edges.items, count, NULL);
    }
    return result;
}

// ---- what is remembered ----

// A known way to the goal that passes the start, and from which edge on it is wanted.
static const planners_way *planners_recall(ploy_planners *planners, int32_t profile, int32_t start,
                                           int32_t goal, int32_t *from) {
    for (int32_t i = 0; i < planners->def.cached; i++) {
        planners_way *way = &planners->ways[i];
        if (way->edges.count == 0 || way->goal != goal || way->profile != profile) continue;
        const ploy_edge *edges = PLOY_ARRAY_ITEMS(&way->edges, ploy_edge);
        for (int32_t k = 0; k < way->edges.count; k++) {
            if ((k == 0 ? way->start : edges[k - 1].to) != start) continue;
            way->used = ++planners->clock;
            *from = k;
            return way;
        }
    }
    return NULL;
}

// Remembers the scratch edges in place of what was used longest ago. Out of memory: it does not.
static void planners_remember(ploy_planners *planners, int32_t profile, int32_t start,
                              int32_t goal) {
    if (planners->def.cached == 0 || planners->edges.count == 0) return;
    planners_way *oldest = &planners->ways[0];
    for (int32_t i = 1; i < planners->def.cached; i++) {
        planners_way *way = &planners->ways[i];
        bool empty = way->edges.count == 0 && oldest->edges.count > 0;
        if (empty || (way->used < oldest->used && (oldest->edges.count > 0))) oldest = way;
    }
    ploy_array_clear(&oldest->edges);
    if (ploy_array_push_many(&oldest->edges, planners->edges.items, planners->edges.count) !=
        PLOY_OK) {
        ploy_array_clear(&oldest->edges);
        return;
    }
    oldest->start = start;
    oldest->goal = goal;
    oldest->profile = profile;
    oldest->used = ++planners->clock;
}

// ---- beginning and ending ----

static void planners_done(ploy_planners *planners, int32_t index, ploy_path_outcome outcome) {
    planners_slot *slot = &planners->slots[index];
    slot->state = PLANNERS_DONE;
    slot->outcome = outcome;
    planners->stats.answers++;
    if (planners->listener == NULL) return;
    ploy_path_ticket ticket = {ploy_id_make((uint32_t)index, slot->generation)};
    planners->listener(planners->listener_user, ticket, slot->request.agent, outcome, slot->end);
}

static ploy_result planners_expand(void *user, int32_t state, ploy_edges *out) {
    const planners_worker *worker = user;
    return worker->inner.expand(worker->inner.user, state, out);
}

static double planners_estimate(void *user, int32_t state, int32_t goal) {
    const planners_worker *worker = user;
    if (worker->inner.estimate == NULL) return 0.0;
    return worker->inner.estimate(worker->inner.user, state, goal) *
           ploy_heuristic_noise(&worker->noise, state);
}

static void planners_set_space(ploy_planners *planners, planners_worker *worker,
                               const planners_slot *slot, const ploy_division *division) {
    worker->inner = division->space;
    worker->space = division->space;
    if (slot->wish.variety == 0) return;
    worker->noise = ploy_heuristic_def_default();
    worker->noise.noise = (double)planners->def.variety;
    worker->noise.seed = slot->wish.variety;
    worker->space.expand = planners_expand;
    worker->space.expand_back = NULL;
    worker->space.estimate = planners_estimate;
    worker->space.user = worker;
}

typedef enum planners_begun {
    PLANNERS_BEGUN_SEARCH,
    PLANNERS_BEGUN_ANSWERED,
    PLANNERS_BEGUN_FAILED
} planners_begun;

// Answers without a search where it can. The path is written before the slot is done.
static ploy_result planners_shortcut(ploy_planners *planners, planners_slot *slot, int32_t profile,
                                     bool *answered, ploy_path_outcome *outcome) {
    const ploy_path_request *asked = &slot->request;
    const ploy_division *division = &planners->divisions[profile];
    ploy_division_body body = {asked->radius, asked->mask};
    bool place = slot->wish.is_goal == NULL;
    *answered = true;
    *outcome = PLOY_PATH_FOUND;
    slot->start = division->quantise(division->user, asked->from, &body);
    slot->end = place ? division->quantise(division->user, asked->to, &body) : PLOY_STATE_NONE;
    if (place && planners->def.straight && division->clear != NULL &&
        division->clear(division->user, asked->from, asked->to, &body)) {
        ploy_path_clear(slot->path);
        ploy_result result = planners_append(slot->path, asked->from, NULL);
        if (result == PLOY_OK) result = planners_append(slot->path, asked->to, NULL);
        planners->stats.straight += result == PLOY_OK;
        return result;
    }
    if (slot->start < 0 || (place && slot->end < 0)) {
        *outcome = PLOY_PATH_NONE;
        slot->end = PLOY_STATE_NONE;
        return PLOY_OK;
    }
    if (place && slot->start == slot->end) {
        return planners_compose(planners, slot, NULL, 0, true, slot->path);
    }
    if (place && slot->wish.variety == 0 && planners->def.cached > 0) {
        int32_t from = 0;
        const planners_way *way = planners_recall(planners, profile, slot->start, slot->end, &from);
        planners->stats.hits += way != NULL;
        planners->stats.misses += way == NULL;
        if (way != NULL) {
            slot->cached = 1;
            return planners_compose(planners, slot, PLOY_ARRAY_ITEMS(&way->edges, ploy_edge) + from,
                                    way->edges.count - from, true, slot->path);
        }
    }
    *answered = false;
    return PLOY_OK;
}

static ploy_result planners_begin(ploy_planners *planners, planners_worker *worker, int32_t index,
                                  planners_begun *begun) {
    planners_slot *slot = &planners->slots[index];
    int32_t profile = planners_profile(planners, slot->request.profile);
    ploy_path_outcome outcome = PLOY_PATH_NONE;
    bool answered = false;
    *begun = PLANNERS_BEGUN_FAILED;
    ploy_result result = planners_shortcut(planners, slot, profile, &answered, &outcome);
    if (result != PLOY_OK) return result;
    if (answered) {
        planners_done(planners, index, outcome);
        *begun = PLANNERS_BEGUN_ANSWERED;
        return PLOY_OK;
    }
    planners_set_space(planners, worker, slot, &planners->divisions[profile]);
    ploy_search_start start = {slot->start, 0.0};
    ploy_search_query query = ploy_search_query_make(&worker->space, &start, slot->end);
    query.is_goal = slot->wish.is_goal;
    query.user = slot->wish.user;
    result = ploy_search_begin(worker->search, &query);
    if (result != PLOY_OK) return result;
    slot->state = PLANNERS_ACTIVE;
    worker->slot = index;
    *begun = PLANNERS_BEGUN_SEARCH;
    return PLOY_OK;
}

// Takes the answer out of a search that is finished.
static ploy_result planners_finish(ploy_planners *planners, planners_worker *worker) {
    int32_t index = worker->slot;
    planners_slot *slot = &planners->slots[index];
    bool found = ploy_search_get_outcome(worker->search) == PLOY_SEARCH_FOUND;
    bool place = slot->wish.is_goal == NULL;
    int32_t end = found ? ploy_search_goal(worker->search) : PLOY_STATE_NONE;
    if (!found && planners->def.partial && place) end = ploy_search_nearest(worker->search);
    ploy_path_outcome outcome = found ? PLOY_PATH_FOUND : PLOY_PATH_NONE;
    if (end >= 0) {
        if (!found) outcome = PLOY_PATH_PARTIAL;
        ploy_result result = planners_edges(planners, worker->search, end);
        if (result == PLOY_OK) {
            result = planners_compose(planners, slot, planners->edges.items, planners->edges.count,
                                      found && place, slot->path);
        }
        if (result != PLOY_OK) return result; // the search keeps its answer: the next step retries
        if (found && place && slot->wish.variety == 0) {
            int32_t profile = planners_profile(planners, slot->request.profile);
            planners_remember(planners, profile, slot->start, slot->end);
        }
    }
    slot->end = end;
    worker->slot = -1;
    ploy_search_cancel(worker->search);
    planners->stats.searched++;
    planners_done(planners, index, outcome);
    return PLOY_OK;
}

static int32_t planners_active(const ploy_planners *planners) {
    int32_t active = 0;
    for (int32_t i = 0; i < planners->def.searches; i++) {
        active += planners->workers[i].slot >= 0;
    }
    return active;
}

static void planners_spend(ploy_planners *planners, planners_slot *slot, ploy_budget *budget,
                           int64_t units) {
    slot->units += units;
    planners->stats.units += units;
    if (budget != NULL && units > 0) (void)ploy_budget_spend(budget, units);
}

// Hands waiting requests to idle searches, as long as the budget lasts.
static ploy_result planners_fill(ploy_planners *planners, ploy_budget *budget) {
    for (int32_t i = 0; i < planners->def.searches; i++) {
        planners_worker *worker = &planners->workers[i];
        while (worker->slot < 0) {
            int32_t index = 0;
            double key = 0.0;
            if (ploy_indexed_heap_count(&planners->queue) == 0) return PLOY_OK;
            if (ploy_budget_empty(budget)) return PLOY_OK;
            (void)ploy_indexed_heap_pop(&planners->queue, &index, &key);
            planners_begun begun = PLANNERS_BEGUN_FAILED;
            planners_slot *slot = &planners->slots[index];
            ploy_result result = planners_begin(planners, worker, index, &begun);
            if (begun == PLANNERS_BEGUN_ANSWERED) planners_spend(planners, slot, budget, 1);
            if (begun == PLANNERS_BEGUN_FAILED) {
                (void)planners_enqueue(planners, index); // its place in the queue is the old one
                return result;
            }
        }
    }
    return PLOY_OK;
}

// After an error a search has nothing to do: its request waits again.
static void planners_give_back(ploy_planners *planners, planners_worker *worker) {
    int32_t index = worker->slot;
    worker->slot = -1;
    (void)planners_enqueue(planners, index);
}

// One turn of a search whose step returned this.
static ploy_result planners_settle(ploy_planners *planners, planners_worker *worker,
                                   ploy_result result) {
    if (result == PLOY_OK) return planners_finish(planners, worker);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    planners_give_back(planners, worker);
    return result;
}

static bool planners_is_finished(const planners_worker *worker) {
    ploy_search_outcome outcome = ploy_search_get_outcome(worker->search);
    return outcome != PLOY_SEARCH_OPEN && outcome != PLOY_SEARCH_IDLE;
}

// Fills idle searches and counts those under way. PLOY_OK: there is nothing to do.
static ploy_result planners_prepare(ploy_planners *planners, ploy_budget *budget, int32_t *active) {
    ploy_result result = planners_fill(planners, budget);
    if (result != PLOY_OK) return result;
    *active = planners_active(planners);
    bool idle = *active == 0 && ploy_indexed_heap_count(&planners->queue) == 0;
    return idle ? PLOY_OK : PLOY_IN_PROGRESS;
}

static ploy_result planners_step(void *user, ploy_budget *budget) {
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
        planners_worker *worker = &planners->workers[planners->cursor];
        planners_slot *slot = &planners->slots[worker->slot];
        planners->cursor = (planners->cursor + 1) % searches; // kept from step to step
        if (planners_is_finished(worker)) {
            result = planners_finish(planners, worker); // it ran out of memory when it was due
        } else {
            int64_t units = planners->def.slice;
            if (budget != NULL && budget->units < units) units = budget->units;
            ploy_budget turn = ploy_budget_units(units);
            result = ploy_search_step(worker->search, &turn);
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
        planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0 || worker->budget.units == 0) continue;
        worker->result = ploy_search_step(worker->search, &worker->budget);
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
            planners_worker *worker = &planners->workers[(planners->cursor + i) % searches];
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
            planners_worker *worker = &planners->workers[i];
            if (worker->slot < 0) continue;
            planners_spend(planners, &planners->slots[worker->slot], budget, worker->budget.spent);
            ploy_result settled = planners_settle(planners, worker, worker->result);
            if (result == PLOY_OK) result = settled;
        }
        if (result != PLOY_OK) return result;
    }
}

ploy_result ploy_planners_peek(ploy_planners *planners, ploy_path_ticket ticket, ploy_path *path) {
    planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    if (slot->state == PLANNERS_QUEUED) return PLOY_ERR_STATE;
    if (slot->state == PLANNERS_DONE) return ploy_path_copy(path, slot->path);
    const planners_worker *worker = planners_worker_of(planners, (int32_t)(slot - planners->slots));
    ploy_result result =
        planners_edges(planners, worker->search, ploy_search_nearest(worker->search));
    if (result != PLOY_OK) return result;
    return planners_compose(planners, slot, planners->edges.items, planners->edges.count, false,
                            path);
}

void ploy_planners_changed(ploy_planners *planners) {
    planners_forget(planners);
    for (int32_t i = 0; i < planners->def.searches; i++) {
        planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        ploy_search_cancel(worker->search);
        planners_give_back(planners, worker);
    }
}

ploy_planners_stats ploy_planners_get_stats(const ploy_planners *planners) {
    ploy_planners_stats stats = planners->stats;
    stats.queued = ploy_indexed_heap_count(&planners->queue);
    stats.active = planners_active(planners);
    return stats;
}

// ---- the service ----

static ploy_result planners_request_plain(void *user, const ploy_path_request *request,
                                          ploy_path_ticket *out) {
    return ploy_planners_request(user, request, NULL, out);
}

static ploy_result planners_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                                 ploy_path_outcome *outcome) {
    ploy_planners *planners = user;
    planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    bool done = slot->state == PLANNERS_DONE;
    if (done && slot->outcome != PLOY_PATH_NONE && path != NULL) {
        ploy_result result = ploy_path_copy(path, slot->path);
        if (result != PLOY_OK) {
            ploy_path_clear(path);
            return result;
        }
    }
    *outcome = slot->outcome;
    if (done) planners_release(planners, slot);
    return PLOY_OK;
}

static ploy_result planners_cancel(void *user, ploy_path_ticket ticket) {
    ploy_planners *planners = user;
    planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    planners->stats.cancelled++;
    planners_release(planners, slot);
    return PLOY_OK;
}

static void planners_describe(const void *user, ploy_describe *out) {
    const ploy_planners *planners = user;
    ploy_planners_stats stats = ploy_planners_get_stats(planners);
    ploy_describe_i64(out, "requests", PLOY_STATE, stats.requests);
    ploy_describe_i64(out, "answers", PLOY_STATE, stats.answers);
    ploy_describe_i64(out, "cancelled", PLOY_STATE, stats.cancelled);
    ploy_describe_i64(out, "units", PLOY_STATE, stats.units);
    ploy_describe_i64(out, "hits", PLOY_STATE, stats.hits);
    ploy_describe_i64(out, "misses", PLOY_STATE, stats.misses);
    ploy_describe_i64(out, "queued", PLOY_DERIVED, stats.queued);
    ploy_describe_i64(out, "active", PLOY_DERIVED, stats.active);
    ploy_describe_i64(out, "cursor", PLOY_STATE, planners->cursor);
    for (int32_t i = 0; i < planners->def.searches; i++) {
        const planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        ploy_describe_begin(out, "search");
        ploy_describe_i64(out, "slot", PLOY_STATE, worker->slot);
        ploy_search_describe(worker->search, out);
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        const planners_slot *slot = &planners->slots[i];
        if (slot->state == PLANNERS_FREE) continue;
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "generation", PLOY_STATE, slot->generation);
        ploy_describe_u64(out, "turn", PLOY_STATE, slot->turn);
        ploy_describe_i64(out, "priority", PLOY_STATE, slot->wish.priority);
        ploy_describe_text(out, "outcome", PLOY_STATE, ploy_path_outcome_text(slot->outcome));
        ploy_describe_id(out, "agent", PLOY_STATE, slot->request.agent.id);
        ploy_vec3 a = slot->request.from, b = slot->request.to;
        ploy_describe_vec3(out, "from", PLOY_STATE, a.x, a.y, a.z);
        ploy_describe_vec3(out, "to", PLOY_STATE, b.x, b.y, b.z);
        ploy_describe_i64(out, "units", PLOY_STATE, slot->units);
        ploy_describe_i64(out, "points", PLOY_STATE, ploy_path_count(slot->path));
        ploy_describe_end(out);
    }
}

// What the searches have reached, and the answers that wait.
static void planners_draw(const void *user, ploy_draw *out) {
    const ploy_planners *planners = user;
    for (int32_t i = 0; i < planners->def.searches; i++) {
        const planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        const planners_slot *slot = &planners->slots[worker->slot];
        int32_t profile = planners_profile(planners, slot->request.profile);
        const ploy_division *division = &planners->divisions[profile];
        for (int32_t k = 0; k < ploy_search_reached(worker->search); k++) {
            int32_t state = ploy_search_reached_at(worker->search, k);
            ploy_search_node node;
            bool open =
                ploy_search_get(worker->search, state, &node) && node.status == PLOY_SEARCH_SEEN;
            ploy_draw_point(out, PLOY_LAYER_PATHS, open ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED,
                            slot->request.agent,
                            ploy_vec2_from_vec3(division->localise(division->user, state)));
        }
    }
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        const planners_slot *slot = &planners->slots[i];
        if (slot->state == PLANNERS_DONE) ploy_path_draw(slot->path, slot->request.agent, out);
    }
}

ploy_path_service ploy_planners_service(ploy_planners *planners) {
    ploy_path_service service = {
        planners_request_plain, planners_poll, planners_cancel, planners_step,
        planners_describe,      planners_draw, planners};
    return service;
}

void ploy_planners_memory(const ploy_planners *planners, ploy_memory_fn fn, void *user) {
    const ploy_planners_def *def = &planners->def;
    size_t parts = (size_t)def->searches * sizeof(planners_worker) +
                   (size_t)(def->cached + 1) * sizeof(planners_way) +
                   (size_t)def->capacity * sizeof(int32_t);
    ploy_memory_item item = {"planners", planners->size + parts, 4};
    fn(user, &item);
    ploy_indexed_heap_memory(&planners->queue, fn, user);
    ploy_array_memory(&planners->edges, fn, user);
    ploy_path_memory(planners->raw, fn, user);
    for (int32_t i = 0; i < def->searches; i++) {
        ploy_search_memory(planners->workers[i].search, fn, user);
    }
    for (int32_t i = 0; i < def->cached; i++) ploy_array_memory(&planners->ways[i].edges, fn, user);
    for (int32_t i = 0; i < def->capacity; i++) ploy_path_memory(planners->slots[i].path, fn, user);
}
