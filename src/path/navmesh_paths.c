// A path service over a navigation mesh.
//
// Invariants, from create to destroy:
//   (1) every slot is free, waiting, being searched for (at most one) or answered;
//   (2) turns grow by one with every request, so the waiting slot with the lowest is the oldest;
//   (3) a slot's path holds its answer while the slot is answered.
#include "ploy/path/navmesh_paths.h"

#include "ploy/base/math.h"

#include <string.h>

static const char *const navpaths_methods[] = {"edges", "polygons"};

static const ploy_field navpaths_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_navmesh_paths_def, capacity, 64, 1, 1 << 16, "",
                         "most tickets at once"),
    PLOY_FIELD_F32(ploy_navmesh_paths_def, reach, 2, 0, 1e6f, "m", "how far from the floor"),
    PLOY_FIELD_F32(ploy_navmesh_paths_def, height, 1e6f, 0, 1e6f, "m", "how far up and down"),
    PLOY_FIELD_ENUM(ploy_navmesh_paths_def, method, PLOY_NAVMESH_EDGES, navpaths_methods,
                    "what is searched"),
};

typedef enum navpaths_state {
    NAVPATHS_FREE,
    NAVPATHS_WAITING,
    NAVPATHS_SEARCHED,
    NAVPATHS_ANSWERED
} navpaths_state;

typedef struct navpaths_slot {
    ploy_path_request request;
    uint64_t turn;
    navpaths_state state;
    ploy_path_outcome outcome;
    uint32_t generation;
    ploy_path *path;
} navpaths_slot;

typedef struct navpaths_profile {
    ploy_name name;
    ploy_navmesh_filter filter;
} navpaths_profile;

struct ploy_navmesh_paths {
    ploy_env env;
    ploy_navmesh_paths_def def;
    ploy_navmesh_query *query;
    uint64_t next_turn;
    int32_t searched; // the slot whose search is under way; -1
    int32_t count;
    int32_t profile_count;
    navpaths_profile profiles[PLOY_NAVMESH_PROFILES];
    size_t size;
    navpaths_slot slots[];
};

ploy_fields ploy_navmesh_paths_fields(void) {
    return PLOY_FIELDS(ploy_navmesh_paths_def, navpaths_fields);
}

ploy_navmesh_paths_def ploy_navmesh_paths_def_default(void) {
    ploy_navmesh_paths_def def;
    ploy_fields_default(ploy_navmesh_paths_fields(), &def);
    return def;
}

ploy_result ploy_navmesh_paths_create(const ploy_navmesh_paths_def *def, const ploy_navmesh *mesh,
                                      const ploy_env *env, ploy_navmesh_paths **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_paths_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_navmesh_paths), def->capacity, sizeof(navpaths_slot),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_navmesh_paths *paths = ploy_env_alloc_zero(env, size);
    if (paths == NULL) return PLOY_ERR_MEMORY;
    paths->env = *env;
    paths->def = *def;
    paths->size = size;
    paths->searched = -1;
    result = ploy_navmesh_query_create(mesh, env, &paths->query);
    ploy_path_def path_def = ploy_path_def_default();
    for (int32_t i = 0; i < def->capacity && result == PLOY_OK; i++) {
        paths->slots[i].generation = 1;
        result = ploy_path_create(&path_def, env, &paths->slots[i].path);
    }
    if (result == PLOY_OK) {
        *out = paths;
    } else {
        ploy_navmesh_paths_destroy(paths);
    }
    return result;
}

void ploy_navmesh_paths_destroy(ploy_navmesh_paths *paths) {
    if (paths == NULL) return;
    ploy_env env = paths->env;
    for (int32_t i = 0; i < paths->def.capacity; i++) ploy_path_destroy(paths->slots[i].path);
    ploy_navmesh_query_destroy(paths->query);
    ploy_env_free(&env, paths, paths->size);
}

static const navpaths_profile *navpaths_find_profile(const ploy_navmesh_paths *paths,
                                                     ploy_name name) {
    for (int32_t i = 0; i < paths->profile_count; i++) {
        if (paths->profiles[i].name.hash == name.hash) return &paths->profiles[i];
    }
    return NULL;
}

ploy_result ploy_navmesh_paths_set_profile(ploy_navmesh_paths *paths, ploy_name profile,
                                           const ploy_navmesh_filter *filter) {
    if (profile.hash == 0 || filter == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        if (!ploy_in_range(filter->cost[i], 1e-3f, 1e6f)) return PLOY_ERR_ARGUMENT;
    }
    const navpaths_profile *known = navpaths_find_profile(paths, profile);
    if (known == NULL && paths->profile_count == PLOY_NAVMESH_PROFILES) return PLOY_ERR_CAPACITY;
    int32_t at = known != NULL ? (int32_t)(known - paths->profiles) : paths->profile_count++;
    paths->profiles[at].name = profile;
    paths->profiles[at].filter = *filter;
    return PLOY_OK;
}

// ---- the service ----

// The slot behind a ticket, or NULL.
static navpaths_slot *navpaths_find(ploy_navmesh_paths *paths, ploy_path_ticket ticket) {
    if (ploy_id_is_none(ticket.id) || ticket.id.index >= (uint32_t)paths->def.capacity) return NULL;
    navpaths_slot *slot = &paths->slots[ticket.id.index];
    bool fits = slot->state != NAVPATHS_FREE && slot->generation == ticket.id.generation;
    return fits ? slot : NULL;
}

static void navpaths_free(ploy_navmesh_paths *paths, navpaths_slot *slot) {
    if (slot->state == NAVPATHS_SEARCHED) {
        ploy_navmesh_query_cancel(paths->query);
        paths->searched = -1;
    }
    slot->state = NAVPATHS_FREE;
    if (++slot->generation == 0) slot->generation = 1;
    ploy_path_clear(slot->path);
    paths->count--;
}

static ploy_result navpaths_request(void *user, const ploy_path_request *request,
                                    ploy_path_ticket *out) {
    ploy_navmesh_paths *paths = user;
    for (int32_t i = 0; i < paths->def.capacity; i++) {
        navpaths_slot *slot = &paths->slots[i];
        if (slot->state != NAVPATHS_FREE) continue;
        slot->request = *request;
        slot->turn = paths->next_turn++; // keeps (2)
        slot->state = NAVPATHS_WAITING;
        slot->outcome = PLOY_PATH_OPEN;
        paths->count++;
        out->id = ploy_id_make((uint32_t)i, slot->generation);
        return PLOY_OK;
    }
    return PLOY_ERR_CAPACITY;
}

static ploy_result navpaths_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                                 ploy_path_outcome *outcome) {
    ploy_navmesh_paths *paths = user;
    navpaths_slot *slot = navpaths_find(paths, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    if (slot->state == NAVPATHS_ANSWERED && slot->outcome != PLOY_PATH_NONE && path != NULL) {
        ploy_result result = ploy_path_copy(path, slot->path);
        if (result != PLOY_OK) {
            ploy_path_clear(path);
            return result;
        }
    }
    *outcome = slot->outcome;
    if (slot->state == NAVPATHS_ANSWERED) navpaths_free(paths, slot);
    return PLOY_OK;
}

static ploy_result navpaths_cancel(void *user, ploy_path_ticket ticket) {
    ploy_navmesh_paths *paths = user;
    navpaths_slot *slot = navpaths_find(paths, ticket);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    navpaths_free(paths, slot);
    return PLOY_OK;
}

// The slot that has waited longest, -1: none.
static int32_t navpaths_oldest(const ploy_navmesh_paths *paths) {
    int32_t oldest = -1;
    for (int32_t i = 0; i < paths->def.capacity; i++) {
        if (paths->slots[i].state != NAVPATHS_WAITING) continue;
        if (oldest < 0 || paths->slots[i].turn < paths->slots[oldest].turn) oldest = i;
    }
    return oldest;
}

static void navpaths_answer(ploy_navmesh_paths *paths, navpaths_slot *slot,
                            ploy_path_outcome outcome) {
    slot->state = NAVPATHS_ANSWERED;
    slot->outcome = outcome;
    paths->searched = -1;
}

// Begins the search of a slot. @return false if it is answered at once: there is no way.
static bool navpaths_begin(ploy_navmesh_paths *paths, int32_t index) {
    navpaths_slot *slot = &paths->slots[index];
    const ploy_path_request *asked = &slot->request;
    const navpaths_profile *profile = navpaths_find_profile(paths, asked->profile);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    if (profile != NULL) filter = profile->filter;
    ploy_navmesh_query_set_filter(paths->query, &filter);
    ploy_navmesh_reach reach = {paths->def.reach, paths->def.height, PLOY_NAVMESH_DROP};
    ploy_navmesh_place from, to;
    bool on = ploy_navmesh_find_nearest(paths->query, asked->from, -1, &reach, &from) == PLOY_OK &&
              ploy_navmesh_find_nearest(paths->query, asked->to, -1, &reach, &to) == PLOY_OK;
    if (on) {
        ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
        request.method = paths->def.method;
        request.radius = asked->radius;
        on = ploy_navmesh_query_begin(paths->query, &request) == PLOY_OK;
    }
    slot->state = NAVPATHS_SEARCHED;
    paths->searched = index;
    if (!on) navpaths_answer(paths, slot, PLOY_PATH_NONE);
    return on;
}

static ploy_result navpaths_step(void *user, ploy_budget *budget) {
    ploy_navmesh_paths *paths = user;
    for (;;) {
        if (paths->searched < 0) {
            int32_t oldest = navpaths_oldest(paths);
            if (oldest < 0) return PLOY_OK;
            if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
            if (!navpaths_begin(paths, oldest)) {
                if (budget != NULL) ploy_budget_spend(budget, 1);
                continue;
            }
        }
        ploy_result result = ploy_navmesh_query_step(paths->query, budget);
        if (result != PLOY_OK) return result;
        navpaths_slot *slot = &paths->slots[paths->searched];
        result = ploy_navmesh_query_path(paths->query, slot->path);
        if (result != PLOY_OK) return result; // out of memory: the next step tries again
        navpaths_answer(paths, slot, ploy_navmesh_query_answer(paths->query).outcome);
    }
}

static void navpaths_describe(const void *user, ploy_describe *out) {
    const ploy_navmesh_paths *paths = user;
    ploy_describe_i64(out, "tickets", PLOY_DERIVED, paths->count);
    ploy_describe_u64(out, "next_turn", PLOY_STATE, paths->next_turn);
    ploy_describe_begin(out, "search");
    ploy_describe_i64(out, "slot", PLOY_STATE, paths->searched);
    ploy_navmesh_query_describe(paths->query, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < paths->def.capacity; i++) {
        const navpaths_slot *slot = &paths->slots[i];
        if (slot->state == NAVPATHS_FREE) continue;
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "generation", PLOY_STATE, slot->generation);
        ploy_describe_u64(out, "turn", PLOY_STATE, slot->turn);
        ploy_describe_text(out, "outcome", PLOY_STATE, ploy_path_outcome_text(slot->outcome));
        ploy_describe_id(out, "agent", PLOY_STATE, slot->request.agent.id);
        ploy_describe_name(out, "profile", PLOY_STATE, slot->request.profile);
        ploy_describe_f32(out, "radius", PLOY_STATE, slot->request.radius);
        ploy_vec3 a = slot->request.from, b = slot->request.to;
        ploy_describe_vec3(out, "from", PLOY_STATE, a.x, a.y, a.z);
        ploy_describe_vec3(out, "to", PLOY_STATE, b.x, b.y, b.z);
        ploy_describe_i64(out, "points", PLOY_STATE, ploy_path_count(slot->path));
        ploy_describe_end(out);
    }
}

static void navpaths_draw(const void *user, ploy_draw *out) {
    const ploy_navmesh_paths *paths = user;
    for (int32_t i = 0; i < paths->def.capacity; i++) {
        const navpaths_slot *slot = &paths->slots[i];
        if (slot->state == NAVPATHS_ANSWERED) ploy_path_draw(slot->path, slot->request.agent, out);
    }
    if (paths->searched >= 0) ploy_navmesh_query_draw(paths->query, out);
}

ploy_path_service ploy_navmesh_paths_service(ploy_navmesh_paths *paths) {
    ploy_path_service service = {
        navpaths_request, navpaths_poll, navpaths_cancel, navpaths_step, navpaths_describe,
        navpaths_draw,    paths};
    return service;
}

void ploy_navmesh_paths_memory(const ploy_navmesh_paths *paths, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"navmesh paths", paths->size, 1};
    fn(user, &item);
    ploy_navmesh_query_memory(paths->query, fn, user);
    for (int32_t i = 0; i < paths->def.capacity; i++) {
        ploy_path_memory(paths->slots[i].path, fn, user);
    }
}
