// The calls through a path service, and the service that only knows straight lines.
//
// Invariants of ploy_direct_paths, from create to destroy:
//   (1) every slot is free, waiting or answered; free ones are in one list, waiting ones in
//       another, the oldest first; count counts those that are not free;
//   (2) a ticket fits its slot's generation from request until its answer is fetched or cancelled;
//   (3) every byte of a slot is set, so that equal states have equal bytes.
#include "ploy/exec/path_service.h"

#include <string.h>

#include "ploy/base/math.h"

static const ploy_field direct_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_direct_paths_def, capacity, 256, 1, 1 << 20, "",
                         "most tickets at once"),
};

// A request is stored in regions, where gaps would hold whatever the stack held.
_Static_assert(sizeof(ploy_path_request) == 48, "ploy_path_request must have no gaps");

typedef enum direct_state { DIRECT_FREE, DIRECT_WAITING, DIRECT_FOUND, DIRECT_NONE } direct_state;

typedef struct direct_slot {
    ploy_path_request request;
    direct_state state;
    uint32_t generation;
    int32_t next, previous; // in the list of those that wait; next also in that of the free; or -1
} direct_slot;

struct ploy_direct_paths {
    ploy_env env;
    ploy_scene scene;
    size_t size; // of this block
    int32_t capacity;
    int32_t count;
    int32_t first_free;
    int32_t oldest, newest; // of those that wait, or -1
    int32_t reserved;
    direct_slot slots[];
};

ploy_path_request ploy_path_request_make(ploy_agent_id agent, ploy_vec3 from, ploy_vec3 to) {
    ploy_path_request request;
    memset(&request, 0, sizeof request);
    request.agent = agent;
    request.from = from;
    request.to = to;
    request.mask = PLOY_SCENE_ALL;
    return request;
}

static bool direct_finite(ploy_vec3 v) {
    return ploy_is_finite(v.x) && ploy_is_finite(v.y) && ploy_is_finite(v.z);
}

ploy_result ploy_path_request_check(const ploy_path_request *request) {
    if (request == NULL) return PLOY_ERR_ARGUMENT;
    bool fine = direct_finite(request->from) && direct_finite(request->to) &&
                ploy_is_finite(request->radius) && request->radius >= 0.0f;
    return fine ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

const char *ploy_path_outcome_text(ploy_path_outcome outcome) {
    switch (outcome) {
    case PLOY_PATH_OPEN: return "open";
    case PLOY_PATH_FOUND: return "found";
    case PLOY_PATH_PARTIAL: return "partial";
    case PLOY_PATH_NONE: return "none";
    }
    return "?";
}

// ---- the calls

ploy_result ploy_path_service_request(const ploy_path_service *service,
                                      const ploy_path_request *request, ploy_path_ticket *out) {
    if (service == NULL || service->request == NULL) return PLOY_ERR_UNSUPPORTED;
    if (out == NULL) return PLOY_ERR_ARGUMENT; // no caller could fetch the answer
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    return service->request(service->user, request, out);
}

ploy_result ploy_path_service_poll(const ploy_path_service *service, ploy_path_ticket ticket,
                                   ploy_path *path, ploy_path_outcome *outcome) {
    if (service == NULL || service->poll == NULL) return PLOY_ERR_UNSUPPORTED;
    if (outcome == NULL) return PLOY_ERR_ARGUMENT;
    return service->poll(service->user, ticket, path, outcome);
}

ploy_result ploy_path_service_move(const ploy_path_service *service, ploy_path_ticket ticket,
                                   ploy_vec3 from) {
    if (service == NULL || service->move == NULL) return PLOY_ERR_UNSUPPORTED;
    if (!direct_finite(from)) return PLOY_ERR_ARGUMENT;
    return service->move(service->user, ticket, from);
}

ploy_result ploy_path_service_cancel(const ploy_path_service *service, ploy_path_ticket ticket) {
    if (service == NULL || service->cancel == NULL) return PLOY_ERR_UNSUPPORTED;
    return service->cancel(service->user, ticket);
}

ploy_result ploy_path_service_step(const ploy_path_service *service, ploy_budget *budget) {
    if (service == NULL || service->step == NULL) return PLOY_ERR_UNSUPPORTED;
    return service->step(service->user, budget);
}

void ploy_path_service_describe(const ploy_path_service *service, ploy_describe *out) {
    if (service == NULL || service->describe == NULL || out == NULL) return;
    service->describe(service->user, out);
}

void ploy_path_service_draw(const ploy_path_service *service, ploy_draw *out) {
    if (service == NULL || service->draw == NULL || out == NULL) return;
    service->draw(service->user, out);
}

// ---- straight lines

ploy_direct_paths_def ploy_direct_paths_def_default(void) {
    ploy_direct_paths_def def;
    ploy_fields_default(ploy_direct_paths_fields(), &def);
    return def;
}

ploy_fields ploy_direct_paths_fields(void) {
    return PLOY_FIELDS(ploy_direct_paths_def, direct_fields);
}

ploy_result ploy_direct_paths_create(const ploy_direct_paths_def *def, const ploy_scene *scene,
                                     const ploy_env *env, ploy_direct_paths **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_direct_paths_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_direct_paths), def->capacity, sizeof(direct_slot),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_direct_paths *paths = ploy_env_alloc_zero(env, size);
    if (paths == NULL) return PLOY_ERR_MEMORY;
    paths->env = *env;
    if (scene != NULL) paths->scene = *scene;
    paths->size = size;
    paths->capacity = def->capacity;
    paths->oldest = -1;
    paths->newest = -1;
    for (int32_t i = 0; i < def->capacity; i++) {
        paths->slots[i].generation = 1;
        paths->slots[i].next = i + 1 < def->capacity ? i + 1 : -1;
        paths->slots[i].previous = -1;
    }
    *out = paths;
    return PLOY_OK;
}

void ploy_direct_paths_destroy(ploy_direct_paths *paths) {
    if (paths == NULL) return;
    ploy_env env = paths->env;
    ploy_env_free(&env, paths, paths->size);
}

// The index behind a ticket, or -1.
static int32_t direct_find(const ploy_direct_paths *paths, ploy_path_ticket ticket) {
    if (ploy_id_is_none(ticket.id) || ticket.id.index >= (uint32_t)paths->capacity) return -1;
    const direct_slot *slot = &paths->slots[ticket.id.index];
    bool fits = slot->state != DIRECT_FREE && slot->generation == ticket.id.generation;
    return fits ? (int32_t)ticket.id.index : -1;
}

static void direct_unlink(ploy_direct_paths *paths, int32_t index) {
    direct_slot *slot = &paths->slots[index];
    if (slot->previous >= 0) {
        paths->slots[slot->previous].next = slot->next;
    } else {
        paths->oldest = slot->next;
    }
    if (slot->next >= 0) {
        paths->slots[slot->next].previous = slot->previous;
    } else {
        paths->newest = slot->previous;
    }
    slot->next = -1;
    slot->previous = -1;
}

static void direct_free(ploy_direct_paths *paths, int32_t index) {
    direct_slot *slot = &paths->slots[index];
    if (slot->state == DIRECT_WAITING) direct_unlink(paths, index);
    uint32_t generation = slot->generation + 1;
    memset(slot, 0, sizeof *slot); // keeps (3)
    slot->generation = generation != 0 ? generation : 1;
    slot->next = paths->first_free;
    slot->previous = -1;
    paths->first_free = index;
    paths->count--;
}

static ploy_result direct_request(void *user, const ploy_path_request *request,
                                  ploy_path_ticket *out) {
    ploy_direct_paths *paths = user;
    if (paths->first_free < 0) return PLOY_ERR_CAPACITY;
    int32_t index = paths->first_free;
    direct_slot *slot = &paths->slots[index];
    paths->first_free = slot->next;
    slot->request = *request;
    slot->state = DIRECT_WAITING;
    slot->next = -1;
    slot->previous = paths->newest;
    if (paths->newest >= 0) {
        paths->slots[paths->newest].next = index;
    } else {
        paths->oldest = index;
    }
    paths->newest = index; // keeps (1)
    paths->count++;
    out->id = ploy_id_make((uint32_t)index, slot->generation);
    return PLOY_OK;
}

static bool direct_same(ploy_vec3 a, ploy_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static ploy_result direct_write(const ploy_path_request *request, ploy_path *path) {
    ploy_path_clear(path);
    ploy_vec3 a = request->from, b = request->to;
    ploy_result result = ploy_path_append(path, ploy_vec2_make(a.x, a.y), a.z, NULL);
    if (result == PLOY_OK && !direct_same(a, b)) {
        result = ploy_path_append(path, ploy_vec2_make(b.x, b.y), b.z, NULL);
    }
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}

static ploy_result direct_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                               ploy_path_outcome *outcome) {
    ploy_direct_paths *paths = user;
    int32_t index = direct_find(paths, ticket);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    const direct_slot *slot = &paths->slots[index];
    if (slot->state == DIRECT_WAITING) {
        *outcome = PLOY_PATH_OPEN;
        return PLOY_OK;
    }
    bool found = slot->state == DIRECT_FOUND;
    if (found && path != NULL) {
        ploy_result result = direct_write(&slot->request, path);
        if (result != PLOY_OK) return result;
    }
    *outcome = found ? PLOY_PATH_FOUND : PLOY_PATH_NONE;
    direct_free(paths, index);
    return PLOY_OK;
}

static ploy_result direct_cancel(void *user, ploy_path_ticket ticket) {
    ploy_direct_paths *paths = user;
    int32_t index = direct_find(paths, ticket);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    direct_free(paths, index);
    return PLOY_OK;
}

static ploy_result direct_step(void *user, ploy_budget *budget) {
    ploy_direct_paths *paths = user;
    while (paths->oldest >= 0) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int32_t index = paths->oldest;
        direct_slot *slot = &paths->slots[index];
        const ploy_path_request *request = &slot->request;
        bool met = ploy_scene_sweep(&paths->scene, request->from, request->to, request->radius,
                                    request->mask, NULL);
        direct_unlink(paths, index);
        slot->state = met ? DIRECT_NONE : DIRECT_FOUND;
    }
    return PLOY_OK;
}

static const char *direct_state_text(direct_state state) {
    switch (state) {
    case DIRECT_WAITING: return "open";
    case DIRECT_FOUND: return "found";
    case DIRECT_NONE: return "none";
    case DIRECT_FREE: break;
    }
    return "free";
}

static void direct_describe(const void *user, ploy_describe *out) {
    const ploy_direct_paths *paths = user;
    ploy_describe_i64(out, "tickets", PLOY_DERIVED, paths->count);
    // Those that wait in their order, which decides whom a small budget serves; then the others.
    for (int32_t i = paths->oldest; i >= 0; i = paths->slots[i].next) {
        ploy_describe_i64(out, "waiting", PLOY_STATE, i);
    }
    for (int32_t i = 0; i < paths->capacity; i++) {
        const direct_slot *slot = &paths->slots[i];
        if (slot->state == DIRECT_FREE) continue;
        const ploy_path_request *request = &slot->request;
        char name[24];
        ploy_value number = ploy_value_i64(i);
        ploy_value_print(&number, name, sizeof name);
        ploy_describe_begin_agent(out, name, request->agent);
        ploy_describe_u64(out, "generation", PLOY_STATE, slot->generation);
        ploy_describe_text(out, "state", PLOY_STATE, direct_state_text(slot->state));
        ploy_describe_vec3(out, "from", PLOY_STATE, request->from.x, request->from.y,
                           request->from.z);
        ploy_describe_vec3(out, "to", PLOY_STATE, request->to.x, request->to.y, request->to.z);
        ploy_describe_f32(out, "radius", PLOY_STATE, request->radius);
        ploy_describe_u64(out, "mask", PLOY_STATE, request->mask);
        ploy_describe_name(out, "profile", PLOY_STATE, request->profile);
        ploy_describe_end(out);
    }
}

static void direct_draw(const void *user, ploy_draw *out) {
    const ploy_direct_paths *paths = user;
    for (int32_t i = 0; i < paths->capacity; i++) {
        const direct_slot *slot = &paths->slots[i];
        if (slot->state == DIRECT_FREE) continue;
        ploy_style style = PLOY_STYLE_GHOST;
        if (slot->state == DIRECT_FOUND) style = PLOY_STYLE_PATH;
        if (slot->state == DIRECT_NONE) style = PLOY_STYLE_BAD;
        ploy_vec3 a = slot->request.from, b = slot->request.to;
        ploy_draw_line(out, PLOY_LAYER_PATHS, style, slot->request.agent, ploy_vec2_make(a.x, a.y),
                       ploy_vec2_make(b.x, b.y));
    }
}

// The sweep has not been made while it waits; an answer stays as it is.
static ploy_result direct_move(void *user, ploy_path_ticket ticket, ploy_vec3 from) {
    ploy_direct_paths *paths = user;
    int32_t index = direct_find(paths, ticket);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    direct_slot *slot = &paths->slots[index];
    if (slot->state == DIRECT_WAITING) slot->request.from = from;
    return PLOY_OK;
}

ploy_path_service ploy_direct_paths_service(ploy_direct_paths *paths) {
    ploy_path_service service = {direct_request, direct_poll,     direct_cancel, direct_step,
                                 direct_move,    direct_describe, direct_draw,   paths};
    return service;
}

void ploy_direct_paths_memory(const ploy_direct_paths *paths, ploy_memory_fn fn, void *user) {
    if (paths == NULL || fn == NULL) return;
    ploy_memory_item item = {"direct_paths", paths->size, 1};
    fn(user, &item);
}
