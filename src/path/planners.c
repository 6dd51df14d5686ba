// Planners: the service and its tickets; see the header, and planners_internal.h for the
// invariants.
#include <stdio.h>
#include <string.h>

#include "path/planners_internal.h"

#include "path/path_internal.h"

#include "ploy/base/math.h"

static const char *const planners_smooth[] = {"none", "quick", "precise", "shortest"};

static const ploy_field planners_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_planners_def, capacity, 64, 1, 1 << 16, "", "most tickets at once"),
    PLOY_FIELD_I32_FIXED(ploy_planners_def, searches, 4, 1, 256, "", "searches under way"),
    PLOY_FIELD_I32(ploy_planners_def, slice, 16, 1, 1 << 20, "", "units before the next's turn"),
    PLOY_FIELD_I32_FIXED(ploy_planners_def, cached, 32, 0, 4096, "", "paths kept for reuse"),
    PLOY_FIELD_BOOL(ploy_planners_def, straight, true, "try the straight line first"),
    PLOY_FIELD_BOOL(ploy_planners_def, partial, true, "lead to the nearest reachable point"),
    PLOY_FIELD_ENUM(ploy_planners_def, smooth, PLOY_SMOOTH_QUICK, planners_smooth,
                    "how paths are smoothed"),
    PLOY_FIELD_F32(ploy_planners_def, turn_radius, 0, 0, 1e6f, "m", "smallest turn of smoothing"),
    PLOY_FIELD_F32(ploy_planners_def, variety, 0.3, 0, 0.99, "", "how much estimates vary"),
};

ploy_fields ploy_planners_fields(void) {
    return PLOY_FIELDS(ploy_planners_def, planners_fields);
}

ploy_planners_def ploy_planners_def_default(void) {
    ploy_planners_def def;
    ploy_fields_default(ploy_planners_fields(), &def);
    return def;
}

ploy_path_options ploy_path_options_make(void) {
    ploy_path_options options = {0, 0, NULL, NULL, {NULL, NULL}};
    return options;
}

// ---- life ----

static ploy_result planners_parts(ploy_planners *planners) {
    const ploy_env *env = &planners->env;
    int32_t searches = planners->def.searches, cached = planners->def.cached;
    int32_t capacity = planners->def.capacity;
    ploy_path_def path = ploy_path_def_default();
    planners->workers = ploy_env_alloc_zero(env, (size_t)searches * sizeof(ployi_planners_worker));
    planners->known = ploy_env_alloc_zero(env, (size_t)(cached + 1) * sizeof(ployi_planners_known));
    planners->free_slots = ploy_env_alloc_zero(env, (size_t)capacity * sizeof(int32_t));
    if (planners->workers == NULL || planners->known == NULL || planners->free_slots == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < cached; i++) {
        ploy_array_init(&planners->known[i].states, sizeof(int32_t), env);
    }
    for (int32_t i = 0; i < searches; i++) planners->workers[i].slot = -1;
    ploy_result result = ploy_indexed_heap_reserve(&planners->queue, capacity);
    for (int32_t i = 0; i < cached && result == PLOY_OK; i++) {
        result = ploy_path_create(&path, env, &planners->known[i].path);
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

ploy_result ploy_planners_create(const ploy_planners_def *def, const ploy_env *env,
                                 ploy_planners **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_planners_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_planners), def->capacity, sizeof(ployi_planners_slot),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_planners *planners = ploy_env_alloc_zero(env, size);
    if (planners == NULL) return PLOY_ERR_MEMORY;
    planners->env = *env;
    planners->def = *def;
    planners->size = size;
    planners->profile_count = 1;
    result = ploy_indexed_heap_init(&planners->queue, 4, env);
    if (result == PLOY_OK) result = planners_parts(planners);
    if (result != PLOY_OK) {
        ploy_planners_destroy(planners);
        return result;
    }
    *out = planners;
    return PLOY_OK;
}

static void planners_free_finder(ploy_planners *planners, ployi_planners_finder *finder) {
    int32_t searches = planners->def.searches;
    for (int32_t i = 0; i < searches && finder->made != NULL; i++) {
        ploy_finder_destroy(finder->made[i]);
    }
    ploy_env_free(&planners->env, finder->made, (size_t)searches * sizeof *finder->made);
    finder->made = NULL;
}

static void planners_free_profile(ploy_planners *planners, ployi_planners_profile *profile) {
    for (int32_t i = 0; i < profile->count; i++) {
        planners_free_finder(planners, &profile->finders[i]);
    }
    profile->count = 0;
}

void ploy_planners_destroy(ploy_planners *planners) {
    if (planners == NULL) return;
    ploy_env env = planners->env;
    const ploy_planners_def *def = &planners->def;
    for (int32_t i = 0; i < def->capacity; i++) ploy_path_destroy(planners->slots[i].path);
    ploy_path_destroy(planners->raw);
    for (int32_t i = 0; i < planners->profile_count; i++) {
        planners_free_profile(planners, &planners->profiles[i]);
    }
    // A cached path that was not set up yet has no item size and owns nothing.
    for (int32_t i = 0; i < def->cached && planners->known != NULL; i++) {
        ploy_path_destroy(planners->known[i].path);
        if (planners->known[i].states.item_size > 0) ploy_array_fini(&planners->known[i].states);
    }
    ploy_indexed_heap_fini(&planners->queue);
    ploy_env_free(&env, planners->free_slots, (size_t)def->capacity * sizeof(int32_t));
    ploy_env_free(&env, planners->known, (size_t)(def->cached + 1) * sizeof(ployi_planners_known));
    ploy_env_free(&env, planners->workers, (size_t)def->searches * sizeof(ployi_planners_worker));
    ploy_env_free(&env, planners, planners->size);
}

// ---- profiles ----

// The number of a profile by its name, also one without finders; -1.
static int32_t planners_find_profile(const ploy_planners *planners, ploy_name profile) {
    if (profile.hash == 0) return 0;
    for (int32_t i = 1; i < planners->profile_count; i++) {
        if (planners->profiles[i].name.hash == profile.hash) return i;
    }
    return -1;
}

int32_t ployi_planners_profile_of(const ploy_planners *planners, ploy_name profile) {
    int32_t at = planners_find_profile(planners, profile);
    return at > 0 && planners->profiles[at].count > 0 ? at : 0;
}

ploy_result ploy_planners_add_finder(ploy_planners *planners, ploy_name profile,
                                     const ploy_finder_factory *factory) {
    if (factory == NULL || factory->make == NULL) return PLOY_ERR_ARGUMENT;
    int32_t at = planners_find_profile(planners, profile), searches = planners->def.searches;
    if (at < 0) at = planners->profile_count;
    if (at > PLOY_PLANNERS_PROFILES) return PLOY_ERR_CAPACITY;
    ployi_planners_profile *place = &planners->profiles[at];
    if (place->count == PLOY_PLANNERS_FINDERS) return PLOY_ERR_CAPACITY;
    ployi_planners_finder finder = {NULL, factory->name};
    finder.made = ploy_env_alloc_zero(&planners->env, (size_t)searches * sizeof *finder.made);
    ploy_result result = finder.made != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < searches && result == PLOY_OK; i++) {
        result = ploy_finder_make(factory, &planners->env, &finder.made[i]);
    }
    if (result != PLOY_OK) {
        planners_free_finder(planners, &finder);
        return result;
    }
    ployi_planners_restart(planners);
    place->name = profile;
    place->finders[place->count++] = finder; // keeps (5)
    planners->profile_count = ploy_maxi(planners->profile_count, at + 1);
    return PLOY_OK;
}

ploy_result ploy_planners_reserve(ploy_planners *planners, int32_t points) {
    if (points < 0) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_path_reserve(planners->raw, points);
    for (int32_t i = 0; i < planners->def.capacity && result == PLOY_OK; i++) {
        result = ploy_path_reserve(planners->slots[i].path, points);
    }
    for (int32_t p = 0; p < planners->profile_count; p++) {
        const ployi_planners_profile *profile = &planners->profiles[p];
        for (int32_t i = 0; i < profile->count * planners->def.searches; i++) {
            ploy_finder finder =
                profile->finders[i / planners->def.searches].made[i % planners->def.searches];
            if (result != PLOY_OK || finder.type->reserve == NULL) continue;
            result = finder.type->reserve(finder.self);
        }
    }
    return result;
}

ploy_result ployi_planners_remove_finders(ploy_planners *planners, ploy_name profile) {
    int32_t at = planners_find_profile(planners, profile);
    if (at < 0) return PLOY_ERR_NOT_FOUND;
    ployi_planners_restart(planners);
    ployi_planners_forget(planners, at);
    planners_free_profile(planners, &planners->profiles[at]);
    return PLOY_OK;
}

ploy_result ploy_planners_set_costs(ploy_planners *planners, ploy_name profile,
                                    const ploy_cost_hook *costs) {
    int32_t at = planners_find_profile(planners, profile);
    if (at < 0) return PLOY_ERR_NOT_FOUND;
    planners->profiles[at].costs = costs != NULL ? *costs : ploy_cost_hook_none();
    ploy_planners_changed(planners);
    return PLOY_OK;
}

void ploy_planners_set_listener(ploy_planners *planners, ploy_planners_fn fn, void *user) {
    planners->listener = fn;
    planners->listener_user = user;
}

// ---- tickets ----

static ployi_planners_slot *planners_find(const ploy_planners *planners, ploy_path_ticket ticket) {
    if (ploy_id_is_none(ticket.id) || ticket.id.index >= (uint32_t)planners->def.capacity) {
        return NULL;
    }
    // The slots are the service's own; const is about the caller's view of it.
    ployi_planners_slot *slot = (ployi_planners_slot *)(uintptr_t)&planners->slots[ticket.id.index];
    bool fits = slot->state != PLOYI_PLANNERS_FREE && slot->generation == ticket.id.generation;
    return fits ? slot : NULL;
}

ploy_result ployi_planners_enqueue(ploy_planners *planners, int32_t index) {
    ployi_planners_slot *slot = &planners->slots[index];
    slot->state = PLOYI_PLANNERS_QUEUED;
    slot->joined = 0;
    double key = (double)slot->turn - (double)slot->options.priority * 1099511627776.0; // keeps (2)
    return ploy_indexed_heap_push(&planners->queue, index, key);
}

ploy_finder_request ployi_planners_ask(const ploy_planners *planners,
                                       const ployi_planners_slot *slot) {
    ploy_finder_request request = ploy_finder_request_make(&slot->request);
    request.is_goal = slot->options.is_goal;
    request.user = slot->options.user;
    request.variety = slot->options.variety;
    request.vary = planners->def.variety;
    request.partial = planners->def.partial;
    return request;
}

void ployi_planners_explain(const ploy_planners *planners, const ployi_planners_slot *slot) {
    const ployi_planners_profile *profile =
        &planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)];
    ploy_finder_request request = ployi_planners_ask(planners, slot);
    ploy_cost_hook costs = ployi_planners_hook(planners, slot);
    if (profile->count == 0) {
        ploy_env_log(&planners->env, PLOY_SEVERITY_WARNING, "planners: profile has no finder");
    }
    for (int32_t i = 0; i < profile->count; i++) {
        const char *why = ploy_finder_serves(profile->finders[i].made[0], &request, &costs);
        char text[192];
        if (why == NULL) continue;
        snprintf(text, sizeof text, "planners: finder '%s' cannot serve a request: %s",
                 profile->finders[i].name, why);
        ploy_env_log(&planners->env, PLOY_SEVERITY_WARNING, text);
    }
}

// True if one of its finders can serve a request.
static bool planners_serve(const ploy_planners *planners, const ployi_planners_slot *slot) {
    const ployi_planners_profile *profile =
        &planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)];
    ploy_finder_request request = ployi_planners_ask(planners, slot);
    ploy_cost_hook costs = ployi_planners_hook(planners, slot);
    for (int32_t i = 0; i < profile->count; i++) {
        if (ploy_finder_serves(profile->finders[i].made[0], &request, &costs) == NULL) return true;
    }
    return false;
}

ploy_result ploy_planners_request(ploy_planners *planners, const ploy_path_request *request,
                                  const ploy_path_options *options, ploy_path_ticket *out) {
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    ploy_path_options plain = ploy_path_options_make();
    if (options == NULL) options = &plain;
    if (out == NULL || options->priority < -1000 || options->priority > 1000) {
        return PLOY_ERR_ARGUMENT;
    }
    if (planners->free_count == 0) return PLOY_ERR_CAPACITY;
    int32_t index = planners->free_slots[planners->free_count - 1];
    ployi_planners_slot *slot = &planners->slots[index];
    slot->request = *request;
    slot->options = *options;
    slot->now = request->from;
    slot->turn = planners->next_turn;
    slot->since = planners->steps;
    slot->outcome = PLOY_PATH_OPEN;
    slot->result = PLOY_OK;
    slot->units = 0;
    slot->finder = NULL;
    slot->end = PLOY_STATE_NONE;
    slot->first = slot->which = slot->asked = slot->cached = slot->joined = 0;
    if (!planners_serve(planners, slot)) {
        ployi_planners_explain(planners, slot);
        return PLOY_ERR_UNSUPPORTED;
    }
    result = ployi_planners_enqueue(planners, index); // room was made at create
    if (result != PLOY_OK) {
        slot->state = PLOYI_PLANNERS_FREE;
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
    const ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return false;
    out->stage = slot->state == PLOYI_PLANNERS_QUEUED   ? PLOY_PLANNERS_QUEUED
                 : slot->state == PLOYI_PLANNERS_ACTIVE ? PLOY_PLANNERS_ACTIVE
                                                        : PLOY_PLANNERS_DONE;
    out->outcome = slot->outcome;
    out->result = slot->result;
    out->finder = slot->finder;
    out->units = slot->units;
    out->end_state = slot->end;
    out->cached = slot->cached != 0;
    return true;
}

static void planners_release(ploy_planners *planners, ployi_planners_slot *slot) {
    int32_t index = (int32_t)(slot - planners->slots);
    if (slot->state == PLOYI_PLANNERS_QUEUED && slot->joined == 0) {
        (void)ploy_indexed_heap_remove(&planners->queue, index);
    }
    if (slot->state == PLOYI_PLANNERS_ACTIVE) {
        ployi_planners_stop(planners, ployi_planners_worker_of(planners, index));
    }
    slot->state = PLOYI_PLANNERS_FREE;
    slot->joined = 0;
    if (++slot->generation == 0) slot->generation = 1;
    ploy_path_clear(slot->path);
    planners->free_slots[planners->free_count++] = index; // keeps (1)
}

void ployi_planners_done(ploy_planners *planners, int32_t index, ploy_path_outcome outcome) {
    ployi_planners_slot *slot = &planners->slots[index];
    slot->state = PLOYI_PLANNERS_DONE;
    slot->outcome = outcome;
    planners->stats.answers++;
    int64_t waited = planners->steps - slot->since;
    planners->stats.waited += waited;
    if (waited > planners->stats.longest_wait) planners->stats.longest_wait = waited;
    if (planners->listener == NULL) return;
    ploy_path_ticket ticket = {ploy_id_make((uint32_t)index, slot->generation)};
    planners->listener(planners->listener_user, ticket, slot->request.agent, outcome, slot->end);
}

ploy_result ploy_planners_peek(ploy_planners *planners, ploy_path_ticket ticket, ploy_path *path) {
    ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    if (slot->state == PLOYI_PLANNERS_QUEUED) return PLOY_ERR_STATE;
    if (slot->state == PLOYI_PLANNERS_DONE) return ploy_path_copy(path, slot->path);
    const ployi_planners_worker *worker =
        ployi_planners_worker_of(planners, (int32_t)(slot - planners->slots));
    ploy_result result = ploy_finder_peek(worker->finder, planners->raw);
    if (result != PLOY_OK) return result;
    return ployi_planners_smooth(planners, slot, worker->finder, planners->raw, path);
}

ploy_planners_stats ploy_planners_stats_of(const ploy_planners *planners) {
    ploy_planners_stats stats = planners->stats;
    stats.queued = 0; // joined ones wait, too
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        stats.queued += planners->slots[i].state == PLOYI_PLANNERS_QUEUED;
    }
    stats.active = ployi_planners_active(planners);
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
    ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    bool done = slot->state == PLOYI_PLANNERS_DONE, again = false;
    if (done && path != NULL) {
        ploy_result result = ployi_planners_join(planners, slot, &again);
        if (result != PLOY_OK) {
            ploy_path_clear(path);
            return result;
        }
    }
    if (again) { // from where the agent is, in its old place in the queue
        slot->request.from = slot->now;
        slot->outcome = *outcome = PLOY_PATH_OPEN;
        slot->first = slot->cached = 0;
        return ployi_planners_enqueue(planners, (int32_t)(slot - planners->slots));
    }
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

static ploy_result planners_move(void *user, ploy_path_ticket ticket, ploy_vec3 from) {
    ploy_planners *planners = user;
    ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    slot->now = from;
    if (slot->state == PLOYI_PLANNERS_QUEUED && slot->joined == 0) slot->request.from = from;
    return PLOY_OK;
}

static ploy_result planners_cancel(void *user, ploy_path_ticket ticket) {
    ploy_planners *planners = user;
    ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    planners->stats.cancelled++;
    planners_release(planners, slot);
    return PLOY_OK;
}

// What the searches have reached, and the answers that were not fetched yet.
static void planners_draw(const void *user, ploy_draw *out) {
    const ploy_planners *planners = user;
    for (int32_t i = 0; i < planners->def.searches; i++) {
        const ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        ploy_finder_draw(worker->finder, out);
    }
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        const ployi_planners_slot *slot = &planners->slots[i];
        if (slot->state == PLOYI_PLANNERS_DONE)
            ploy_path_draw(slot->path, slot->request.agent, out);
    }
}

ploy_path_service ploy_planners_service(ploy_planners *planners) {
    ploy_path_service service = {planners_request_plain, planners_poll, planners_cancel,
                                 ployi_planners_step,    planners_move, ployi_planners_describe,
                                 planners_draw,          planners};
    return service;
}
