// The finder's front: what is the same for all of them; see the header.
//
// Invariants, from make to destroy:
//   (1) state.begun exactly while there is a search, open or ended, that began on state.generation;
//   (2) a type's step, path, peek, states, describe and draw are called only while (1) holds and
//       the generation is still that one.
#include "ploy/path/finder.h"

#include <string.h>

#include "ploy/base/math.h"

ploy_finder_request ploy_finder_request_make(const ploy_path_request *path) {
    ploy_finder_request request;
    memset(&request, 0, sizeof request);
    request.path = *path;
    return request;
}

static ploy_finder_state *finder_state(ploy_finder finder) {
    return finder.type != NULL ? finder.self : NULL;
}

// There is a search, and what it searches is as it was.
static bool finder_is_current(ploy_finder finder) {
    const ploy_finder_state *state = finder_state(finder);
    return state != NULL && state->begun &&
           finder.type->generation(finder.self) == state->generation;
}

// Why there is nothing to read.
static ploy_result finder_why(ploy_finder finder) {
    const ploy_finder_state *state = finder_state(finder);
    return state != NULL && state->begun ? PLOY_ERR_CHANGED : PLOY_ERR_STATE;
}

static ploy_result finder_checked(ploy_result result) {
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

// ---- life ----

ploy_result ploy_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                             ploy_finder *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    if (factory == NULL || factory->make == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    return finder_checked(factory->make(factory, env, out));
}

void ploy_finder_destroy(ploy_finder finder) {
    if (finder.type != NULL && finder.type->destroy != NULL) finder.type->destroy(finder.self);
}

// ---- searching ----

const char *ploy_finder_serves(ploy_finder finder, const ploy_finder_request *request,
                               const ploy_cost_hook *costs) {
    if (finder.type == NULL) return "missing finder";
    uint32_t traits = finder.type->traits;
    bool hooked = costs != NULL && costs->fn != NULL;
    if (hooked && (traits & PLOY_FINDER_COSTS) == 0) return "a cost hook is not supported";
    if (request->is_goal != NULL && (traits & PLOY_FINDER_PREDICATE) == 0) {
        return "a goal by predicate is not supported";
    }
    if (request->variety != 0 && (traits & PLOY_FINDER_VARIETY) == 0) {
        return "variety is not supported";
    }
    ploy_cost_hook none = ploy_cost_hook_none();
    if (finder.type->serves == NULL) return NULL;
    return finder.type->serves(finder.self, request, hooked ? costs : &none);
}

ploy_result ploy_finder_begin(ploy_finder finder, const ploy_finder_request *request,
                              const ploy_cost_hook *costs) {
    ploy_finder_state *state = finder_state(finder);
    if (state == NULL || request == NULL) return PLOY_ERR_ARGUMENT;
    ploy_finder_cancel(finder);
    ploy_result result = ploy_path_request_check(&request->path);
    if (result != PLOY_OK) return result;
    if (!ploy_in_range(request->vary, 0.0f, 0.99f)) return PLOY_ERR_ARGUMENT;
    if (ploy_finder_serves(finder, request, costs) != NULL) return PLOY_ERR_UNSUPPORTED;
    memset(state, 0, sizeof *state);
    state->request = *request;
    state->costs = costs != NULL ? *costs : ploy_cost_hook_none();
    state->start = state->end = PLOY_STATE_NONE;
    state->outcome = PLOY_PATH_OPEN;
    result = finder_checked(finder.type->begin(finder.self));
    state->generation = finder.type->generation(finder.self);
    state->begun = result == PLOY_OK; // keeps (1)
    return result;
}

ploy_result ploy_finder_step(ploy_finder finder, ploy_budget *budget) {
    ploy_finder_state *state = finder_state(finder);
    if (state == NULL || !state->begun) return PLOY_ERR_STATE;
    if (!finder_is_current(finder)) {
        ploy_finder_cancel(finder);
        return PLOY_ERR_CHANGED;
    }
    if (state->outcome != PLOY_PATH_OPEN) return PLOY_OK;
    ploy_budget all = ploy_budget_unlimited();
    if (budget == NULL) budget = &all;
    int64_t before = budget->spent;
    ploy_result result = finder.type->step(finder.self, budget);
    state->units += budget->spent - before;
    if (result < PLOY_OK) ploy_finder_cancel(finder);
    return result;
}

void ploy_finder_cancel(ploy_finder finder) {
    ploy_finder_state *state = finder_state(finder);
    if (state == NULL || !state->begun) return;
    state->begun = false;
    state->outcome = PLOY_PATH_NONE;
    state->start = state->end = PLOY_STATE_NONE;
    if (finder.type->cancel != NULL) finder.type->cancel(finder.self);
}

ploy_result ploy_finder_run(ploy_finder finder, const ploy_finder_request *request,
                            const ploy_cost_hook *costs) {
    ploy_result result = ploy_finder_begin(finder, request, costs);
    return result == PLOY_OK ? ploy_finder_step(finder, NULL) : result;
}

// ---- answers ----

const ploy_finder_state *ploy_finder_state_of(ploy_finder finder) {
    return finder_state(finder);
}

ploy_path_outcome ploy_finder_outcome(ploy_finder finder) {
    const ploy_finder_state *state = finder_state(finder);
    return state != NULL && state->begun ? state->outcome : PLOY_PATH_NONE;
}

static bool finder_has_path(ploy_finder finder) {
    ploy_path_outcome outcome = ploy_finder_outcome(finder);
    return outcome == PLOY_PATH_FOUND || outcome == PLOY_PATH_PARTIAL;
}

ploy_result ploy_finder_path(ploy_finder finder, ploy_path *path) {
    ploy_path_clear(path);
    if (!finder_is_current(finder)) return finder_why(finder);
    if (!finder_has_path(finder)) return PLOY_ERR_STATE;
    ploy_result result = finder_checked(finder.type->path(finder.self, path));
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}

ploy_result ploy_finder_peek(ploy_finder finder, ploy_path *path) {
    ploy_path_clear(path);
    if (!finder_is_current(finder)) return finder_why(finder);
    if (finder_has_path(finder)) return ploy_finder_path(finder, path);
    if (ploy_finder_outcome(finder) == PLOY_PATH_NONE) return PLOY_ERR_STATE;
    if (finder.type->peek == NULL) return PLOY_ERR_UNSUPPORTED;
    ploy_result result = finder_checked(finder.type->peek(finder.self, path));
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}

int32_t ploy_finder_states(ploy_finder finder, int32_t *out, int32_t capacity) {
    if (!finder_is_current(finder) || !finder_has_path(finder)) return -1;
    return finder.type->states != NULL ? finder.type->states(finder.self, out, capacity) : -1;
}

uint64_t ploy_finder_generation(ploy_finder finder) {
    return finder.type != NULL ? finder.type->generation(finder.self) : 0;
}

// ---- sight ----

void ploy_finder_describe(ploy_finder finder, ploy_describe *out) {
    if (!finder_is_current(finder) || finder.type->describe == NULL) return;
    finder.type->describe(finder.self, out);
}

void ploy_finder_draw(ploy_finder finder, ploy_draw *out) {
    if (!finder_is_current(finder) || finder.type->draw == NULL) return;
    finder.type->draw(finder.self, out);
}

void ploy_finder_memory(ploy_finder finder, ploy_memory_fn fn, void *user) {
    if (finder.type != NULL && finder.type->memory != NULL) {
        finder.type->memory(finder.self, fn, user);
    }
}

// ---- saving ----

static void finder_save_place(ploy_json_writer *out, const char *key, ploy_vec3 at) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    ploy_json_write_f32(out, at.x);
    ploy_json_write_f32(out, at.y);
    ploy_json_write_f32(out, at.z);
    ploy_json_write_end_array(out);
}

static void finder_save_u64(ploy_json_writer *out, const char *key, uint64_t value) {
    ploy_json_write_key(out, key);
    ploy_json_write_u64(out, value);
}

void ploy_finder_save(ploy_finder finder, ploy_json_writer *out) {
    const ploy_finder_state *state = finder_state(finder);
    if (state == NULL || !state->begun) {
        ploy_json_write_null(out);
        return;
    }
    const ploy_path_request *path = &state->request.path;
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "finder");
    ploy_json_write_text(out, finder.type->name);
    finder_save_u64(out, "generation", state->generation);
    finder_save_u64(out, "units", (uint64_t)state->units);
    ploy_json_write_key(out, "open");
    ploy_json_write_bool(out, state->outcome == PLOY_PATH_OPEN);
    finder_save_place(out, "from", path->from);
    finder_save_place(out, "to", path->to);
    ploy_json_write_key(out, "radius");
    ploy_json_write_f32(out, path->radius);
    finder_save_u64(out, "mask", path->mask);
    finder_save_u64(out, "agent", (uint64_t)path->agent.id.generation << 32 | path->agent.id.index);
    finder_save_u64(out, "profile", path->profile.hash);
    finder_save_u64(out, "variety", state->request.variety);
    ploy_json_write_key(out, "vary");
    ploy_json_write_f32(out, state->request.vary);
    ploy_json_write_key(out, "partial");
    ploy_json_write_bool(out, state->request.partial);
    ploy_json_write_end_object(out);
}

// What a saved search says, each member needed.
typedef struct finder_saved {
    ploy_finder_request request;
    uint64_t generation, units;
    bool open;
} finder_saved;

static ploy_result finder_load_place(const ploy_json *doc, ploy_json_node node, ploy_vec3 *out) {
    ploy_result result = ploy_json_f32(doc, ploy_json_at(doc, node, 0), &out->x);
    if (result == PLOY_OK) result = ploy_json_f32(doc, ploy_json_at(doc, node, 1), &out->y);
    if (result == PLOY_OK) result = ploy_json_f32(doc, ploy_json_at(doc, node, 2), &out->z);
    return result;
}

static ploy_result finder_load_saved(const ploy_json *doc, ploy_json_node node, finder_saved *out) {
    ploy_finder_request *request = &out->request;
    ploy_path_request *path = &request->path;
    uint64_t mask = 0, agent = 0, variety = 0;
    memset(out, 0, sizeof *out);
    ploy_result results[] = {
        ploy_json_u64(doc, ploy_json_member(doc, node, "generation"), &out->generation),
        ploy_json_u64(doc, ploy_json_member(doc, node, "units"), &out->units),
        ploy_json_bool(doc, ploy_json_member(doc, node, "open"), &out->open),
        finder_load_place(doc, ploy_json_member(doc, node, "from"), &path->from),
        finder_load_place(doc, ploy_json_member(doc, node, "to"), &path->to),
        ploy_json_f32(doc, ploy_json_member(doc, node, "radius"), &path->radius),
        ploy_json_u64(doc, ploy_json_member(doc, node, "mask"), &mask),
        ploy_json_u64(doc, ploy_json_member(doc, node, "agent"), &agent),
        ploy_json_u64(doc, ploy_json_member(doc, node, "profile"), &path->profile.hash),
        ploy_json_u64(doc, ploy_json_member(doc, node, "variety"), &variety),
        ploy_json_f32(doc, ploy_json_member(doc, node, "vary"), &request->vary),
        ploy_json_bool(doc, ploy_json_member(doc, node, "partial"), &request->partial),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (results[i] != PLOY_OK) return PLOY_ERR_FORMAT;
    }
    if (mask > UINT32_MAX || variety > UINT32_MAX || out->units > INT64_MAX) return PLOY_ERR_FORMAT;
    path->mask = (uint32_t)mask;
    path->agent.id = ploy_id_make((uint32_t)agent, (uint32_t)(agent >> 32));
    request->variety = (uint32_t)variety;
    return PLOY_OK;
}

ploy_result ploy_finder_load(ploy_finder finder, const ploy_json *doc, ploy_json_node saved,
                             const ploy_finder_request *predicate, const ploy_cost_hook *costs) {
    if (finder.type == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    ploy_finder_cancel(finder);
    size_t size = 0;
    const char *name = ploy_json_text(doc, ploy_json_member(doc, saved, "finder"), &size);
    if (name == NULL || size != strlen(finder.type->name) ||
        memcmp(name, finder.type->name, size) != 0) {
        return PLOY_ERR_FORMAT;
    }
    finder_saved from;
    ploy_result result = finder_load_saved(doc, saved, &from);
    if (result != PLOY_OK) return result;
    if (from.generation != finder.type->generation(finder.self)) return PLOY_ERR_CHANGED;
    if (predicate != NULL) {
        from.request.is_goal = predicate->is_goal;
        from.request.user = predicate->user;
    }
    result = ploy_finder_begin(finder, &from.request, costs);
    if (result != PLOY_OK) return result;
    // A search that ended may need to be asked once more than it has units to notice.
    ploy_budget budget = ploy_budget_units((int64_t)from.units);
    result = ploy_finder_step(finder, from.open ? &budget : NULL);
    if (result < PLOY_OK) return result;
    finder_state(finder)->units = (int64_t)from.units;
    return PLOY_OK;
}
