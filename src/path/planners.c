// Planners: the service and its tickets; see the header, and planners_internal.h for the
// invariants.
#include <string.h>

#include "path/planners_internal.h"
#include "ploy/base/math.h"

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

ploy_fields ploy_planners_fields(void) {
    return PLOY_FIELDS(ploy_planners_def, planners_fields);
}

ploy_planners_def ploy_planners_def_default(void) {
    ploy_planners_def def;
    ploy_fields_default(ploy_planners_fields(), &def);
    return def;
}

ploy_path_options ploy_path_options_make(void) {
    ploy_path_options wish = {0, 0, NULL, NULL, {NULL, NULL}};
    return wish;
}

ploy_planners_mesh ploy_planners_mesh_make(const ploy_navmesh *mesh) {
    ploy_planners_mesh made = {mesh, ploy_navmesh_filter_default(), PLOY_NAVMESH_CROSSINGS, 2.0f,
                               1e6f};
    return made;
}

// ---- life ----

static bool planners_mesh_is_good(const ploy_planners_mesh *mesh) {
    if (mesh == NULL || mesh->mesh == NULL || (unsigned)mesh->method > PLOY_NAVMESH_CROSSINGS ||
        !ploy_in_range(mesh->reach, 0.0f, 1e9f) || !ploy_in_range(mesh->height, 0.0f, 1e9f) ||
        !ploy_in_range(mesh->filter.clearance, 0.0f, 1e9f)) {
        return false;
    }
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        if (!ploy_in_range(mesh->filter.cost[i], 1e-3f, 1e6f)) return false;
    }
    return true;
}

static void planners_free_ground(ploy_planners *planners, ployi_planners_ground *ground) {
    int32_t searches = planners->def.searches;
    for (int32_t i = 0; i < searches && ground->queries != NULL; i++) {
        ploy_navmesh_query_destroy(ground->queries[i]);
    }
    for (int32_t i = 0; i < searches && ground->searches != NULL; i++) {
        ploy_grid_search_destroy(ground->searches[i]);
    }
    ploy_env_free(&planners->env, ground->queries, (size_t)searches * sizeof *ground->queries);
    ploy_env_free(&planners->env, ground->searches, (size_t)searches * sizeof *ground->searches);
    ground->queries = NULL;
    ground->searches = NULL;
}

// A ground over a mesh, with a query for each worker.
static ploy_result planners_make_queries(ploy_planners *planners, const ploy_planners_mesh *mesh,
                                         ployi_planners_ground *out) {
    int32_t searches = planners->def.searches;
    memset(out, 0, sizeof *out);
    out->mesh = *mesh;
    out->queries = ploy_env_alloc_zero(&planners->env, (size_t)searches * sizeof *out->queries);
    ploy_result result = out->queries != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < searches && result == PLOY_OK; i++) {
        result = ploy_navmesh_query_create(mesh->mesh, &planners->env, &out->queries[i]);
    }
    if (result != PLOY_OK) planners_free_ground(planners, out);
    return result;
}

// A ground over a grid map, with a search for each worker.
static ploy_result planners_make_grids(ploy_planners *planners, const ploy_grid_map *map,
                                       ploy_grid_algorithm algorithm, ployi_planners_ground *out) {
    int32_t searches = planners->def.searches;
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = algorithm;
    memset(out, 0, sizeof *out);
    out->map = map;
    out->searches = ploy_env_alloc_zero(&planners->env, (size_t)searches * sizeof *out->searches);
    ploy_result result = out->searches != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < searches && result == PLOY_OK; i++) {
        result = ploy_grid_search_create(&def, &planners->env, &out->searches[i]);
    }
    if (result != PLOY_OK) planners_free_ground(planners, out);
    return result;
}

// Once a ground stands in its place: the division of a grid map looks through the walker there.
static void planners_settle_ground(ployi_planners_ground *ground) {
    if (ground->map == NULL) return;
    ground->walker = ploy_tiles_walker_make(ploy_grid_map_tiles(ground->map), NULL);
    ground->walker.size = ploy_grid_map_size(ground->map);
    ground->division = ploy_tiles_representation(&ground->walker);
}

static bool planners_grid_is_good(const ploy_grid_map *map, ploy_grid_algorithm algorithm) {
    return map != NULL && (unsigned)algorithm < PLOY_GRID_ALGORITHM_COUNT;
}

static ploy_result planners_parts(ploy_planners *planners) {
    const ploy_env *env = &planners->env;
    int32_t searches = planners->def.searches, ways = planners->def.cached;
    int32_t capacity = planners->def.capacity;
    ploy_path_def path = ploy_path_def_default();
    ploy_search_def search = ploy_search_def_default();
    planners->workers = ploy_env_alloc_zero(env, (size_t)searches * sizeof(ployi_planners_worker));
    planners->ways = ploy_env_alloc_zero(env, (size_t)(ways + 1) * sizeof(ployi_planners_way));
    planners->free_slots = ploy_env_alloc_zero(env, (size_t)capacity * sizeof(int32_t));
    if (planners->workers == NULL || planners->ways == NULL || planners->free_slots == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < ways; i++) {
        ploy_array_init(&planners->ways[i].edges, sizeof(ploy_edge), env);
    }
    ploy_result result = ploy_indexed_heap_reserve(&planners->queue, capacity);
    for (int32_t i = 0; i < searches; i++) {
        planners->workers[i].slot = -1;
        ploy_edges_init(&planners->workers[i].edges, env);
    }
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

// A division or a mesh is what it begins with.
static ploy_result planners_create(const ploy_planners_def *def,
                                   const ploy_representation *division,
                                   const ploy_planners_mesh *mesh, const ploy_env *env,
                                   ploy_planners **out) {
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
    planners->ground_count = 1;
    ploy_array_init(&planners->edges, sizeof(ploy_edge), env);
    ploy_array_init(&planners->cells, sizeof(int32_t), env);
    result = ploy_indexed_heap_init(&planners->queue, 4, env);
    if (result == PLOY_OK) result = planners_parts(planners);
    if (division != NULL) planners->grounds[0].division = *division;
    if (result == PLOY_OK && mesh != NULL) {
        result = planners_make_queries(planners, mesh, &planners->grounds[0]);
    }
    if (result != PLOY_OK) {
        ploy_planners_destroy(planners);
        return result;
    }
    *out = planners;
    return PLOY_OK;
}

ploy_result ploy_planners_create(const ploy_planners_def *def, const ploy_representation *division,
                                 const ploy_env *env, ploy_planners **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!ploy_representation_is_complete(division)) return PLOY_ERR_ARGUMENT;
    return planners_create(def, division, NULL, env, out);
}

ploy_result ploy_planners_create_grid(const ploy_planners_def *def, const ploy_grid_map *map,
                                      ploy_grid_algorithm algorithm, const ploy_env *env,
                                      ploy_planners **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!planners_grid_is_good(map, algorithm)) return PLOY_ERR_ARGUMENT;
    ploy_planners *planners = NULL;
    ploy_result result = planners_create(def, NULL, NULL, env, &planners);
    if (result == PLOY_OK) {
        result = planners_make_grids(planners, map, algorithm, &planners->grounds[0]);
    }
    if (result != PLOY_OK) {
        ploy_planners_destroy(planners);
        return result;
    }
    planners_settle_ground(&planners->grounds[0]);
    *out = planners;
    return PLOY_OK;
}

ploy_result ploy_planners_create_mesh(const ploy_planners_def *def, const ploy_planners_mesh *mesh,
                                      const ploy_env *env, ploy_planners **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!planners_mesh_is_good(mesh)) return PLOY_ERR_ARGUMENT;
    return planners_create(def, NULL, mesh, env, out);
}

void ploy_planners_destroy(ploy_planners *planners) {
    if (planners == NULL) return;
    ploy_env env = planners->env;
    const ploy_planners_def *def = &planners->def;
    for (int32_t i = 0; i < def->capacity; i++) ploy_path_destroy(planners->slots[i].path);
    ploy_path_destroy(planners->raw);
    for (int32_t i = 0; i < def->searches && planners->workers != NULL; i++) {
        ploy_search_destroy(planners->workers[i].search);
        ploy_edges_fini(&planners->workers[i].edges);
    }
    for (int32_t i = 0; i < planners->ground_count; i++) {
        planners_free_ground(planners, &planners->grounds[i]);
    }
    // A way that was not set up yet has no item size and owns nothing.
    for (int32_t i = 0; i < def->cached && planners->ways != NULL; i++) {
        if (planners->ways[i].edges.item_size > 0) ploy_array_fini(&planners->ways[i].edges);
    }
    ploy_indexed_heap_fini(&planners->queue);
    ploy_array_fini(&planners->cells);
    ploy_array_fini(&planners->edges);
    ploy_env_free(&env, planners->free_slots, (size_t)def->capacity * sizeof(int32_t));
    ploy_env_free(&env, planners->ways, (size_t)(def->cached + 1) * sizeof(ployi_planners_way));
    ploy_env_free(&env, planners->workers, (size_t)def->searches * sizeof(ployi_planners_worker));
    ploy_env_free(&env, planners, planners->size);
}

// ---- profiles ----

int32_t ployi_planners_find_ground(const ploy_planners *planners, ploy_name profile) {
    for (int32_t i = 1; i < planners->ground_count; i++) {
        if (planners->grounds[i].profile.hash == profile.hash) return i;
    }
    return 0;
}

// The number of a profile that is to be set, perhaps a new one; -1 if there is no room.
static int32_t planners_place(const ploy_planners *planners, ploy_name profile) {
    int32_t at = ployi_planners_find_ground(planners, profile);
    if (at > 0 || profile.hash == 0) return at;
    return planners->ground_count > PLOY_PLANNERS_PROFILES ? -1 : planners->ground_count;
}

// Puts a ground in its place. Searches that are under way on the old one begin again.
static void planners_set_ground(ploy_planners *planners, int32_t at, ploy_name profile,
                                const ployi_planners_ground *ground) {
    ploy_planners_changed(planners);
    planners_free_ground(planners, &planners->grounds[at]);
    ploy_cost_hook costs = planners->grounds[at].costs;
    planners->grounds[at] = *ground;
    planners->grounds[at].profile = profile;
    planners->grounds[at].costs = costs; // the profile's, whatever it walks on
    planners_settle_ground(&planners->grounds[at]);
    planners->ground_count = ploy_maxi(planners->ground_count, at + 1);
}

ploy_result ploy_planners_set_profile(ploy_planners *planners, ploy_name profile,
                                      const ploy_representation *division) {
    if (profile.hash == 0 || !ploy_representation_is_complete(division)) return PLOY_ERR_ARGUMENT;
    int32_t at = planners_place(planners, profile);
    if (at < 0) return PLOY_ERR_CAPACITY;
    ployi_planners_ground ground;
    memset(&ground, 0, sizeof ground);
    ground.division = *division;
    planners_set_ground(planners, at, profile, &ground);
    return PLOY_OK;
}

ploy_result ploy_planners_set_mesh(ploy_planners *planners, ploy_name profile,
                                   const ploy_planners_mesh *mesh) {
    int32_t at = planners_place(planners, profile);
    if (!planners_mesh_is_good(mesh)) return PLOY_ERR_ARGUMENT;
    if (at < 0) return PLOY_ERR_CAPACITY;
    ployi_planners_ground ground;
    ploy_result result = planners_make_queries(planners, mesh, &ground);
    if (result == PLOY_OK) planners_set_ground(planners, at, profile, &ground);
    return result;
}

ploy_result ploy_planners_set_grid(ploy_planners *planners, ploy_name profile,
                                   const ploy_grid_map *map, ploy_grid_algorithm algorithm) {
    int32_t at = planners_place(planners, profile);
    if (!planners_grid_is_good(map, algorithm)) return PLOY_ERR_ARGUMENT;
    if (at < 0) return PLOY_ERR_CAPACITY;
    ployi_planners_ground ground;
    ploy_result result = planners_make_grids(planners, map, algorithm, &ground);
    if (result == PLOY_OK) planners_set_ground(planners, at, profile, &ground);
    return result;
}

ploy_result ploy_planners_set_costs(ploy_planners *planners, ploy_name profile,
                                    const ploy_cost_hook *costs) {
    int32_t at = ployi_planners_find_ground(planners, profile);
    if (at == 0 && profile.hash != 0) return PLOY_ERR_NOT_FOUND;
    planners->grounds[at].costs = costs != NULL ? *costs : ploy_cost_hook_none();
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
    double key = (double)slot->turn - (double)slot->wish.priority * 1099511627776.0; // keeps (2)
    return ploy_indexed_heap_push(&planners->queue, index, key);
}

ploy_result ploy_planners_request(ploy_planners *planners, const ploy_path_request *request,
                                  const ploy_path_options *wish, ploy_path_ticket *out) {
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    ploy_path_options plain = ploy_path_options_make();
    if (wish == NULL) wish = &plain;
    if (out == NULL || wish->priority < -1000 || wish->priority > 1000) return PLOY_ERR_ARGUMENT;
    if (planners->free_count == 0) return PLOY_ERR_CAPACITY;
    int32_t index = planners->free_slots[planners->free_count - 1];
    ployi_planners_slot *slot = &planners->slots[index];
    slot->request = *request;
    slot->wish = *wish;
    slot->turn = planners->next_turn;
    slot->outcome = PLOY_PATH_OPEN;
    slot->units = 0;
    slot->start = slot->end = PLOY_STATE_NONE;
    slot->cached = 0;
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
    out->units = slot->units;
    out->end_state = slot->end;
    out->cached = slot->cached != 0;
    return true;
}

static void planners_release(ploy_planners *planners, ployi_planners_slot *slot) {
    int32_t index = (int32_t)(slot - planners->slots);
    if (slot->state == PLOYI_PLANNERS_QUEUED)
        (void)ploy_indexed_heap_remove(&planners->queue, index);
    if (slot->state == PLOYI_PLANNERS_ACTIVE) {
        ployi_planners_stop(ployi_planners_worker_of(planners, index));
    }
    slot->state = PLOYI_PLANNERS_FREE;
    if (++slot->generation == 0) slot->generation = 1;
    ploy_path_clear(slot->path);
    planners->free_slots[planners->free_count++] = index; // keeps (1)
}

void ployi_planners_done(ploy_planners *planners, int32_t index, ploy_path_outcome outcome) {
    ployi_planners_slot *slot = &planners->slots[index];
    slot->state = PLOYI_PLANNERS_DONE;
    slot->outcome = outcome;
    planners->stats.answers++;
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
    if (worker->query != NULL) return ploy_navmesh_query_peek(worker->query, path);
    const ploy_grid_search *grid = worker->grid;
    ploy_result result =
        grid != NULL
            ? ployi_planners_take_cells(planners, slot, grid, ploy_grid_search_nearest(grid))
            : ployi_planners_take_edges(planners, worker->search,
                                        ploy_search_nearest(worker->search));
    if (result != PLOY_OK) return result;
    return ployi_planners_compose(planners, slot, planners->edges.items, planners->edges.count,
                                  false, path);
}

ploy_planners_stats ploy_planners_stats_of(const ploy_planners *planners) {
    ploy_planners_stats stats = planners->stats;
    stats.queued = ploy_indexed_heap_count(&planners->queue);
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
    bool done = slot->state == PLOYI_PLANNERS_DONE;
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
    ployi_planners_slot *slot = planners_find(planners, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    planners->stats.cancelled++;
    planners_release(planners, slot);
    return PLOY_OK;
}

static void planners_describe(const void *user, ploy_describe *out) {
    const ploy_planners *planners = user;
    ploy_planners_stats stats = ploy_planners_stats_of(planners);
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
        const ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        ploy_describe_begin(out, "search");
        ploy_describe_i64(out, "slot", PLOY_STATE, worker->slot);
        if (worker->query != NULL) {
            ploy_navmesh_query_describe(worker->query, out);
        } else if (worker->grid != NULL) {
            ploy_grid_search_describe(worker->grid, out);
        } else {
            ploy_search_describe(worker->search, out);
        }
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        const ployi_planners_slot *slot = &planners->slots[i];
        if (slot->state == PLOYI_PLANNERS_FREE) continue;
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
        const ployi_planners_worker *worker = &planners->workers[i];
        if (worker->slot < 0) continue;
        const ployi_planners_slot *slot = &planners->slots[worker->slot];
        const ploy_representation *division = &ployi_planners_ground_of(planners, slot)->division;
        if (worker->query != NULL) ploy_navmesh_query_draw(worker->query, out);
        if (worker->grid != NULL) ploy_grid_search_draw(worker->grid, out);
        if (worker->query != NULL || worker->grid != NULL) continue;
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
        const ployi_planners_slot *slot = &planners->slots[i];
        if (slot->state == PLOYI_PLANNERS_DONE)
            ploy_path_draw(slot->path, slot->request.agent, out);
    }
}

ploy_path_service ploy_planners_service(ploy_planners *planners) {
    ploy_path_service service = {
        planners_request_plain, planners_poll, planners_cancel, ployi_planners_step,
        planners_describe,      planners_draw, planners};
    return service;
}

void ploy_planners_memory(const ploy_planners *planners, ploy_memory_fn fn, void *user) {
    const ploy_planners_def *def = &planners->def;
    size_t parts = (size_t)def->searches * sizeof(ployi_planners_worker) +
                   (size_t)(def->cached + 1) * sizeof(ployi_planners_way) +
                   (size_t)def->capacity * sizeof(int32_t);
    ploy_memory_item item = {"planners", planners->size + parts, 4};
    fn(user, &item);
    ploy_indexed_heap_memory(&planners->queue, fn, user);
    ploy_array_memory(&planners->edges, fn, user);
    ploy_array_memory(&planners->cells, fn, user);
    ploy_path_memory(planners->raw, fn, user);
    for (int32_t i = 0; i < def->searches; i++) {
        const ploy_edges *edges = &planners->workers[i].edges;
        ploy_memory_item behind = {"planners edges", (size_t)edges->capacity * sizeof *edges->items,
                                   1};
        if (edges->capacity > 0) fn(user, &behind);
        ploy_search_memory(planners->workers[i].search, fn, user);
    }
    for (int32_t i = 0; i < planners->ground_count; i++) {
        const ployi_planners_ground *ground = &planners->grounds[i];
        ploy_memory_item list = {"planners searches", (size_t)def->searches * sizeof(void *), 1};
        if (ground->queries != NULL || ground->searches != NULL) fn(user, &list);
        for (int32_t k = 0; k < def->searches && ground->queries != NULL; k++) {
            ploy_navmesh_query_memory(ground->queries[k], fn, user);
        }
        for (int32_t k = 0; k < def->searches && ground->searches != NULL; k++) {
            ploy_grid_search_memory(ground->searches[k], fn, user);
        }
    }
    for (int32_t i = 0; i < def->cached; i++) ploy_array_memory(&planners->ways[i].edges, fn, user);
    for (int32_t i = 0; i < def->capacity; i++) ploy_path_memory(planners->slots[i].path, fn, user);
}
