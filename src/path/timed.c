// States with time; see the header.
#include "ploy/path/timed.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/search/states.h"

static const ploy_field timed_fields[] = {
    PLOY_FIELD_F64(ploy_timed_def, tick, 0.0625, 1e-6, 1e6, "s", "arrivals are rounded up to it"),
    PLOY_FIELD_F64(ploy_timed_def, wait, 0, 0, 1e6, "s", "that one may wait at a time"),
    PLOY_FIELD_BOOL(ploy_timed_def, check_wait, false, "fn decides about waiting, too"),
    PLOY_FIELD_F64(ploy_timed_def, horizon, 600, 0, 1e6, "s", "nothing is planned beyond"),
    PLOY_FIELD_I32_FIXED(ploy_timed_def, max_states, 1 << 20, 1, 1 << 28, "", "places at times"),
};

typedef struct timed_key {
    int32_t place, tick;
} timed_key;

struct ploy_timed {
    ploy_env env;
    ploy_timed_def def;
    ploy_space places;
    ploy_timed_fn fn;
    void *user;
    ploy_states *states;
    ploy_edges edges; // of the places
    int32_t goal, reserved;
};

ploy_fields ploy_timed_fields(void) {
    return PLOY_FIELDS(ploy_timed_def, timed_fields);
}

ploy_timed_def ploy_timed_def_default(void) {
    ploy_timed_def def;
    ploy_fields_default(ploy_timed_fields(), &def);
    return def;
}

ploy_result ploy_timed_create(const ploy_timed_def *def, const ploy_space *places, ploy_timed_fn fn,
                              void *user, const ploy_env *env, ploy_timed **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_timed_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (places == NULL || places->expand == NULL || fn == NULL || def->horizon / def->tick > 1e9) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_timed *timed = ploy_env_alloc_zero(env, sizeof *timed);
    if (timed == NULL) return PLOY_ERR_MEMORY;
    timed->env = *env;
    timed->def = *def;
    timed->places = *places;
    timed->fn = fn;
    timed->user = user;
    timed->goal = PLOY_STATE_NONE;
    ploy_edges_init(&timed->edges, env);
    ploy_states_def states = ploy_states_def_default();
    states.size = (int32_t)sizeof(timed_key);
    states.capacity = def->max_states;
    states.merge = true;
    result = ploy_states_create(&states, env, &timed->states);
    if (result != PLOY_OK) {
        ploy_timed_destroy(timed);
        return result;
    }
    *out = timed;
    return PLOY_OK;
}

void ploy_timed_destroy(ploy_timed *timed) {
    if (timed == NULL) return;
    ploy_env env = timed->env;
    ploy_states_destroy(timed->states);
    ploy_edges_fini(&timed->edges);
    ploy_env_free(&env, timed, sizeof *timed);
}

void ploy_timed_clear(ploy_timed *timed, int32_t goal) {
    ploy_states_clear(timed->states);
    timed->goal = goal;
}

ploy_result ploy_timed_state(ploy_timed *timed, int32_t place, double time, int32_t *out) {
    if (place < 0 || !(time >= 0.0) || time > timed->def.horizon) return PLOY_ERR_ARGUMENT;
    timed_key key = {place, (int32_t)ceil(time / timed->def.tick - 1e-9)};
    return ploy_states_find(timed->states, &key, out);
}

static timed_key timed_get(const ploy_timed *timed, int32_t state) {
    timed_key key = {PLOY_STATE_NONE, 0};
    const void *bytes = ploy_states_get(timed->states, state);
    if (bytes != NULL) memcpy(&key, bytes, sizeof key);
    return key;
}

int32_t ploy_timed_place(const ploy_timed *timed, int32_t state) {
    return timed_get(timed, state).place;
}

double ploy_timed_time(const ploy_timed *timed, int32_t state) {
    return (double)timed_get(timed, state).tick * timed->def.tick;
}

// Adds an edge to a place at a time.
static ploy_result timed_add(ploy_timed *timed, int32_t place, double now, double arrive,
                             int32_t label, ploy_edges *out) {
    int32_t next = 0;
    if (!(arrive >= now)) return PLOY_ERR_CALLBACK; // no agent arrives before departing
    if (arrive > timed->def.horizon) return PLOY_OK;
    ploy_result result = ploy_timed_state(timed, place, arrive, &next);
    if (result != PLOY_OK) return result;
    return ploy_edges_add(out, next, ploy_timed_time(timed, next) - now, label);
}

static ploy_result timed_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_timed *timed = user;
    int32_t place = ploy_timed_place(timed, state);
    double now = ploy_timed_time(timed, state);
    ploy_edges_clear(&timed->edges);
    ploy_result result = timed->places.expand(timed->places.user, place, &timed->edges);
    for (int32_t i = 0; i < timed->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &timed->edges.view[i];
        double arrive = timed->fn(timed->user, place, edge, now);
        result = timed_add(timed, edge->to, now, arrive, edge->label, out);
    }
    if (result == PLOY_OK && timed->def.wait > 0.0) {
        ploy_edge wait = {place, -1, timed->def.wait};
        double until = now + timed->def.wait;
        if (timed->def.check_wait) until = timed->fn(timed->user, place, &wait, now);
        result = timed_add(timed, place, now, until, -1, out);
    }
    return result;
}

static double timed_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_timed *timed = user;
    (void)goal;
    if (timed->places.estimate == NULL || timed->goal < 0) return 0.0;
    return timed->places.estimate(timed->places.user, ploy_timed_place(timed, state), timed->goal);
}

ploy_space ploy_timed_space(ploy_timed *timed) {
    ploy_space space = {0, timed_expand, NULL, timed_estimate, timed};
    return space;
}

bool ployi_timed_at_goal(void *user, int32_t state) {
    const ploy_timed *timed = user;
    return ploy_timed_place(timed, state) == timed->goal;
}

void ploy_timed_memory(const ploy_timed *timed, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {
        "timed", sizeof *timed + (size_t)timed->edges.capacity * sizeof *timed->edges.items,
        timed->edges.capacity > 0 ? 2 : 1};
    fn(user, &item);
    ploy_states_memory(timed->states, fn, user);
}
