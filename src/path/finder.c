// The finder's front: what is the same for all of them; see the header.
//
// Invariants, from make to destroy:
//   (1) state.begun exactly while there is a search, open or ended, that began on state.generation;
//   (2) a type's step, path, peek, states, describe and draw are called only while (1) holds and
//       the generation is still that one.
#include "ploy/path/finder.h"

#include <string.h>

#include "path/finder_internal.h"
#include "path/path_internal.h"
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

ploy_result ployi_finder_replay(ploy_finder finder, const ploy_finder_request *request,
                                const ploy_cost_hook *costs, int64_t units, bool open) {
    ploy_result result = ploy_finder_begin(finder, request, costs);
    if (result != PLOY_OK) return result;
    // A search that ended may need to be asked once more than it has units to notice.
    ploy_budget budget = ploy_budget_units(units);
    result = ploy_finder_step(finder, open ? &budget : NULL);
    if (result < PLOY_OK) return result;
    finder_state(finder)->units = units;
    return PLOY_OK;
}

static void finder_rebuild(void *object) {
    ploy_finder finder = *(const ploy_finder *)object;
    ploy_finder_state was = *finder_state(finder);
    finder_state(finder)->begun = true; // whatever it searches now is given up
    ploy_finder_cancel(finder);
    if (!was.begun) return;
    bool open = was.outcome == PLOY_PATH_OPEN;
    ploy_result result = ployi_finder_replay(finder, &was.request, &was.costs, was.units, open);
    if (result < PLOY_OK) ploy_finder_cancel(finder);
}

static const char *finder_outcome_text(int32_t outcome) {
    return ploy_path_outcome_text((ploy_path_outcome)outcome);
}

// Predicates and hooks are code: those of the last begin stay.
static void finder_visit_state(ploy_visit *v, ploy_finder_state *state) {
    ploy_visit_struct(v, "finder", state, sizeof *state);
    PLOY_VISIT_SCRATCH(v, state->request.is_goal);
    PLOY_VISIT_SCRATCH(v, state->request.user);
    PLOY_VISIT_SCRATCH(v, state->costs);
    PLOY_VISIT_SCRATCH(v, state->cost);
    PLOY_VISIT_SCRATCH(v, state->taken);
    PLOY_VISIT_SCRATCH(v, state->opened);
    PLOY_VISIT_SCRATCH(v, state->work);
    PLOY_VISIT_SCRATCH(v, state->start);
    PLOY_VISIT_SCRATCH(v, state->end);
    PLOY_VISIT_SCRATCH(v, state->lead);
    ploy_visit_bool(v, "begun", PLOY_SAVED, &state->begun);
    ploy_visit_u64(v, "generation", PLOY_SAVED, &state->generation);
    ploy_visit_i64_in(v, "units", PLOY_SAVED, &state->units, 0, INT64_MAX);
    PLOY_VISIT_ENUM(v, "outcome", PLOY_SAVED, state->outcome, finder_outcome_text,
                    PLOY_PATH_NONE + 1);
    ploy_visit_begin(v, "request", PLOY_SAVED);
    ployi_path_request_visit(v, PLOY_SAVED, &state->request.path);
    ploy_visit_u32(v, "variety", PLOY_SAVED, &state->request.variety);
    ploy_visit_f32_in(v, "vary", PLOY_SAVED, &state->request.vary, 0.0f, 0.99f);
    ploy_visit_bool(v, "partial", PLOY_SAVED, &state->request.partial);
    ploy_visit_end(v);
}

void ploy_finder_visit(ploy_visit *v, void *object) {
    ploy_finder *finder = object;
    ploy_finder_state *state = finder_state(*finder);
    if (state == NULL) {
        ploy_visit_result(v, PLOY_ERR_ARGUMENT);
        return;
    }
    if (v->memory != NULL) ploy_finder_memory(*finder, v->memory, v->memory_user);
    if (v->describe != NULL) ploy_finder_describe(*finder, v->describe);
    ploy_visit_after(v, finder_rebuild, finder);
    ploy_value name = ploy_value_text(finder->type->name);
    ploy_visit_same(v, "finder", PLOY_SAVED, &name);
    finder_visit_state(v, state);
    bool current = !state->begun || state->generation == finder->type->generation(finder->self);
    if (ploy_visit_loads(v) && !current) ploy_visit_result(v, PLOY_ERR_CHANGED);
}

void ployi_path_request_visit(ploy_visit *v, ploy_mark mark, ploy_path_request *request) {
    ploy_vec3 *from = &request->from, *to = &request->to;
    ploy_visit_struct(v, "request", request, sizeof *request);
    ploy_visit_id(v, "agent", mark, &request->agent.id);
    ploy_visit_name(v, "profile", mark, &request->profile);
    ploy_visit_vec3(v, "from", mark, &from->x, &from->y, &from->z);
    ploy_visit_vec3(v, "to", mark, &to->x, &to->y, &to->z);
    ploy_visit_f32_in(v, "radius", mark, &request->radius, 0.0f, INFINITY);
    ploy_visit_u32(v, "mask", mark, &request->mask);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        bool ok = ploy_path_request_check(request) == PLOY_OK;
        ploy_visit_check(v, ok, "request is not valid", NULL);
    }
}
