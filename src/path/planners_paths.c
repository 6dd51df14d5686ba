// Planners: paths as finders write them, straightened, smoothed and cached; see the headers.
#include <string.h>

#include "path/finder_internal.h"
#include "path/planners_internal.h"
#include "ploy/base/math.h"

typedef struct planners_sight {
    ploy_finder finder;
    const ploy_path_request *request;
} planners_sight;

static bool planners_clear(void *user, ploy_vec3 from, ploy_vec3 to) {
    const planners_sight *sight = user;
    return sight->finder.type->clear(sight->finder.self, from, to, sight->request);
}

ploy_result ployi_planners_smooth(ploy_planners *planners, const ployi_planners_slot *slot,
                                  ploy_finder finder, const ploy_path *from, ploy_path *out) {
    planners_sight sight = {finder, &slot->request};
    ploy_smooth_rule rule = ploy_smooth_rule_make(planners->def.smooth, planners_clear, &sight);
    rule.turn_radius = planners->def.turn_radius;
    // Smoothing knows no prices: it would cut through what a hook avoids.
    bool plain = finder.type->clear != NULL && ployi_planners_hook(planners, slot).fn == NULL;
    if (!plain) rule.kind = PLOY_SMOOTH_NONE;
    ploy_result result = ploy_path_smooth(from, &rule, &planners->env, out, NULL);
    if (result != PLOY_OK) ploy_path_clear(out);
    return result;
}

ploy_result ployi_planners_straight(ploy_planners *planners, ployi_planners_slot *slot,
                                    ploy_finder finder, bool *out) {
    const ploy_path_request *asked = &slot->request;
    *out = false;
    if (!planners->def.straight || finder.type->clear == NULL || slot->options.is_goal != NULL ||
        ployi_planners_hook(planners, slot).fn != NULL ||
        !finder.type->clear(finder.self, asked->from, asked->to, asked)) {
        return PLOY_OK;
    }
    ploy_path_clear(slot->path);
    ploy_result result = ployi_finder_append(slot->path, asked->from, NULL);
    if (result == PLOY_OK) result = ployi_finder_append(slot->path, asked->to, NULL);
    if (result != PLOY_OK) return result;
    slot->end = finder.type->locate != NULL ? finder.type->locate(finder.self, asked->to, asked)
                                            : PLOY_STATE_NONE;
    planners->stats.straight++;
    *out = true;
    return PLOY_OK;
}

// ---- agents that have moved ----

// The last point of a path that can be seen from a place, before the first edge that is travelled in
// a special edge; -1: none.
static int32_t planners_seen(const ployi_planners_slot *slot, ploy_finder finder) {
    int32_t seen = -1;
    for (int32_t i = 0; i < ploy_path_count(slot->path); i++) {
        const ploy_path_edge *edge = i > 0 ? ploy_path_edge_from(slot->path, i - 1) : NULL;
        bool special = edge != NULL && (edge->kind.hash != 0 || !ploy_id_is_none(edge->link));
        if (special) break;
        ploy_vec3 at =
            ploy_vec3_from_vec2(ploy_path_point(slot->path, i), ploy_path_height(slot->path, i));
        if (finder.type->clear(finder.self, slot->now, at, &slot->request)) seen = i;
    }
    return seen;
}

ploy_result ployi_planners_join(ploy_planners *planners, ployi_planners_slot *slot, bool *again) {
    enum { PLANNERS_AGAIN = 3 }; // then the path is what it is: the agent does not stop
    const ployi_planners_profile *profile =
        &planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)];
    *again = false;
    if (ploy_vec3_equal(slot->now, slot->request.from) || slot->outcome == PLOY_PATH_NONE ||
        slot->which >= profile->count) {
        return PLOY_OK;
    }
    ploy_finder finder = profile->finders[slot->which].made[0];
    int32_t seen = finder.type->clear != NULL ? planners_seen(slot, finder) : -1;
    if (seen < 0) {
        *again = slot->asked < PLANNERS_AGAIN;
        slot->asked += *again;
        return PLOY_OK;
    }
    ploy_path *raw = planners->raw;
    ploy_path_clear(raw);
    ploy_result result = ployi_finder_append(raw, slot->now, NULL);
    for (int32_t i = seen; i < ploy_path_count(slot->path) && result == PLOY_OK; i++) {
        const ploy_path_edge *edge = i > seen ? ploy_path_edge_from(slot->path, i - 1) : NULL;
        ploy_vec3 at =
            ploy_vec3_from_vec2(ploy_path_point(slot->path, i), ploy_path_height(slot->path, i));
        result = ployi_finder_append(raw, at, edge);
    }
    if (result == PLOY_OK) result = ploy_path_copy(slot->path, raw);
    if (result == PLOY_OK) slot->request.from = slot->now;
    return result;
}

// ---- the cache ----

// A path that others may use too: one that no request asked for with separate settings.
static bool planners_is_common(const ploy_planners *planners, const ployi_planners_slot *slot,
                               ploy_finder finder) {
    return planners->def.cached > 0 && finder.type->locate != NULL && finder.type->states != NULL &&
           slot->options.is_goal == NULL && slot->options.variety == 0 &&
           slot->options.costs.fn == NULL;
}

static void planners_forget_one(ployi_planners_known *known) {
    ploy_array_clear(&known->states);
    ploy_path_clear(known->path);
}

void ployi_planners_forget(ploy_planners *planners, int32_t profile) {
    for (int32_t i = 0; i < planners->def.cached; i++) {
        ployi_planners_known *known = &planners->known[i];
        if (profile < 0 || known->profile == profile) planners_forget_one(known);
    }
}

// The rest of a cached path from its state `first` on, between the ends of a request.
static ploy_result planners_compose(ploy_path *out, const ployi_planners_known *known,
                                    int32_t first, const ploy_path_request *asked) {
    ploy_path_clear(out);
    ploy_result result = ployi_finder_append(out, asked->from, NULL);
    for (int32_t i = first; i < ploy_path_count(known->path) && result == PLOY_OK; i++) {
        const ploy_path_edge *edge = i > first ? ploy_path_edge_from(known->path, i - 1) : NULL;
        ploy_vec3 at =
            ploy_vec3_from_vec2(ploy_path_point(known->path, i), ploy_path_height(known->path, i));
        result = ployi_finder_append(out, at, edge);
    }
    return result == PLOY_OK ? ployi_finder_append(out, asked->to, NULL) : result;
}

ploy_result ployi_planners_recall(ploy_planners *planners, ployi_planners_slot *slot,
                                  ploy_finder finder, int32_t which, bool *out) {
    const ploy_path_request *asked = &slot->request;
    *out = false;
    if (!planners_is_common(planners, slot, finder)) return PLOY_OK;
    int32_t start = finder.type->locate(finder.self, asked->from, asked);
    int32_t goal = finder.type->locate(finder.self, asked->to, asked);
    if (start < 0 || goal < 0 || start == goal) return PLOY_OK; // the finder knows at once
    int32_t profile = ployi_planners_profile_of(planners, asked->profile);
    uint64_t generation = ploy_finder_generation(finder);
    for (int32_t i = 0; i < planners->def.cached; i++) {
        ployi_planners_known *known = &planners->known[i];
        if (known->states.count == 0 || known->profile != profile || known->finder != which ||
            known->goal != goal) {
            continue;
        }
        if (known->generation != generation) { // an edit may have put a wall across it
            planners_forget_one(known);
            continue;
        }
        const int32_t *states = PLOY_ARRAY_ITEMS(&known->states, int32_t);
        int32_t k = 0;
        while (k + 1 < known->states.count && states[k] != start) k++;
        if (k + 1 >= known->states.count) continue;
        ploy_result result = planners_compose(planners->raw, known, k, asked);
        if (result == PLOY_OK) {
            result = ployi_planners_smooth(planners, slot, finder, planners->raw, slot->path);
        }
        if (result != PLOY_OK) return result;
        known->used = ++planners->clock;
        slot->cached = 1;
        slot->end = goal;
        planners->stats.hits++;
        *out = true;
        return PLOY_OK;
    }
    planners->stats.misses++;
    return PLOY_OK;
}

// Caches the scratch path in place of the one used longest ago. Out of memory: it does not.
static void planners_remember(ploy_planners *planners, const ployi_planners_slot *slot,
                              ploy_finder finder, int32_t which) {
    const ploy_finder_state *state = ploy_finder_state_of(finder);
    int32_t count = ploy_finder_states(finder, NULL, 0), lead = state->lead;
    if (count < 2 || lead + count > ploy_path_count(planners->raw)) return;
    ployi_planners_known *oldest = &planners->known[0];
    for (int32_t i = 1; i < planners->def.cached; i++) {
        ployi_planners_known *known = &planners->known[i];
        bool empty = known->states.count == 0 && oldest->states.count > 0;
        if (empty || (known->used < oldest->used && oldest->states.count > 0)) oldest = known;
    }
    planners_forget_one(oldest);
    ploy_result result = ploy_array_resize(&oldest->states, count);
    if (result == PLOY_OK) {
        ploy_finder_states(finder, PLOY_ARRAY_ITEMS(&oldest->states, int32_t), count);
    }
    for (int32_t i = lead; i < lead + count && result == PLOY_OK; i++) {
        const ploy_path_edge *edge = i > lead ? ploy_path_edge_from(planners->raw, i - 1) : NULL;
        result = ploy_path_append(oldest->path, ploy_path_point(planners->raw, i),
                                  ploy_path_height(planners->raw, i), edge);
    }
    if (result != PLOY_OK) {
        planners_forget_one(oldest);
        return;
    }
    oldest->goal = state->end;
    oldest->profile = ployi_planners_profile_of(planners, slot->request.profile);
    oldest->finder = which;
    oldest->generation = state->generation; // keeps (4)
    oldest->used = ++planners->clock;
}

ploy_result ployi_planners_take(ploy_planners *planners, ployi_planners_slot *slot,
                                ploy_finder finder, int32_t which) {
    const ploy_finder_state *state = ploy_finder_state_of(finder);
    slot->end = state->end;
    if (state->outcome == PLOY_PATH_NONE) {
        ploy_path_clear(slot->path);
        return PLOY_OK;
    }
    ploy_result result = ploy_finder_path(finder, planners->raw);
    if (result == PLOY_OK) {
        result = ployi_planners_smooth(planners, slot, finder, planners->raw, slot->path);
    }
    if (result != PLOY_OK) return result;
    bool found = state->outcome == PLOY_PATH_FOUND;
    if (found && planners_is_common(planners, slot, finder)) {
        planners_remember(planners, slot, finder, which);
    }
    return PLOY_OK;
}
