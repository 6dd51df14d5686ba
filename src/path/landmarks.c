// Landmark tables; see heuristic_tables.h.
//
// Invariant: from[l x states + s] is what the cheapest path from landmark l to state s costs and
// to[...] that from s to l, INFINITY where there is none.
#include <math.h>

#include "path/path_flood.h"

#include "path/path_internal.h"
#include "ploy/path/heuristic_tables.h"

struct ploy_landmarks {
    ploy_env env;
    size_t size;
    int32_t states, count;
    double *from, *to;
};

static bool landmarks_can(const ploy_space *space, const ploy_env *env) {
    return space != NULL && env != NULL && space->expand != NULL && space->count > 0;
}

ploy_result ploy_landmarks_choose(const ploy_space *space, int32_t seed, int32_t count,
                                  const ploy_env *env, int32_t *out, int32_t *found) {
    if (!landmarks_can(space, env) || out == NULL || found == NULL || count < 1 ||
        count > PLOY_LANDMARKS_MAX || seed < 0 || seed >= space->count) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_search *search = NULL;
    ploy_search_start starts[PLOY_LANDMARKS_MAX] = {{seed, 0.0}};
    int32_t chosen = 0;
    ploy_result result = ployi_flood_create(env, &search);
    while (result == PLOY_OK && chosen < count) {
        // The first search begins at the seed, which is then replaced by what is furthest from it.
        result = ployi_flood_run(search, space, starts, chosen == 0 ? 1 : chosen, false);
        int32_t furthest = PLOY_STATE_NONE;
        double cost = chosen == 0 ? -1.0 : 0.0;
        for (int32_t state = 0; state < space->count && result == PLOY_OK; state++) {
            double here = ployi_flood_cost(search, state);
            if (!(here > cost && here < INFINITY)) continue;
            furthest = state;
            cost = here;
        }
        if (furthest == PLOY_STATE_NONE) break; // everything else is a landmark or out of reach
        starts[chosen].state = furthest;
        starts[chosen++].cost = 0.0;
    }
    ploy_search_destroy(search);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < chosen; i++) out[i] = starts[i].state;
    *found = chosen;
    return PLOY_OK;
}

static ploy_result landmarks_fill(ploy_search *search, const ploy_space *space, int32_t state,
                                  bool backward, double *out) {
    ploy_search_start start = {state, 0.0};
    ploy_result result = ployi_flood_run(search, space, &start, 1, backward);
    for (int32_t i = 0; i < space->count && result == PLOY_OK; i++) {
        out[i] = ployi_flood_cost(search, i);
    }
    return result;
}

ploy_result ploy_landmarks_create(const ploy_space *space, const int32_t *states, int32_t count,
                                  const ploy_env *env, ploy_landmarks **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (!landmarks_can(space, env) || space->expand_back == NULL || states == NULL || count < 1 ||
        count > PLOY_LANDMARKS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (states[i] < 0 || states[i] >= space->count) return PLOY_ERR_ARGUMENT;
    }
    // A multiple of the alignment, so that the tables behind it are aligned on every system.
    size_t head = (sizeof(ploy_landmarks) + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
    size_t size = 0;
    if (!ploy_size_add_array(head, 2 * (int64_t)count * space->count, sizeof(double), &size)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_landmarks *landmarks = ploy_env_alloc(env, size);
    if (landmarks == NULL) return PLOY_ERR_MEMORY;
    landmarks->env = *env;
    landmarks->size = size;
    landmarks->states = space->count;
    landmarks->count = count;
    landmarks->from = (double *)((char *)landmarks + head);
    landmarks->to = landmarks->from + (size_t)count * (size_t)space->count;
    ploy_search *search = NULL;
    ploy_result result = ployi_flood_create(env, &search);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        size_t row = (size_t)i * (size_t)space->count;
        result = landmarks_fill(search, space, states[i], false, landmarks->from + row);
        if (result != PLOY_OK) break;
        result = landmarks_fill(search, space, states[i], true, landmarks->to + row);
    }
    ploy_search_destroy(search);
    if (result != PLOY_OK) {
        ploy_landmarks_destroy(landmarks);
        return result;
    }
    *out = landmarks;
    return PLOY_OK;
}

void ploy_landmarks_destroy(ploy_landmarks *landmarks) {
    if (landmarks == NULL) return;
    ploy_env env = landmarks->env;
    ploy_env_free(&env, landmarks, landmarks->size);
}

double ployi_landmarks_estimate(const ploy_landmarks *landmarks, int32_t state, int32_t goal) {
    int32_t states = landmarks->states;
    if (state < 0 || state >= states || goal < 0 || goal >= states) return 0.0;
    double guess = 0.0;
    for (int32_t i = 0; i < landmarks->count; i++) {
        const double *from = landmarks->from + (size_t)i * (size_t)states;
        const double *to = landmarks->to + (size_t)i * (size_t)states;
        // The landmark reaches the state but not the goal, or the goal reaches the landmark and
        // the state does not: then there is no path. Infinity less something finite says just that.
        if (from[state] < INFINITY) guess = ployi_most(guess, from[goal] - from[state]);
        if (to[goal] < INFINITY) guess = ployi_most(guess, to[state] - to[goal]);
    }
    return guess;
}

int32_t ployi_landmarks_count(const ploy_landmarks *landmarks) {
    return landmarks->count;
}

void ploy_landmarks_memory(const ploy_landmarks *landmarks, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"landmarks", landmarks->size, 1};
    fn(user, &item);
}
