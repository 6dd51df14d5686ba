// Heuristics over positions, guides and validators; see the header.
#include "ploy/path/heuristic.h"

#include "path/path_internal.h"

#include <math.h>

#include "path/path_flood.h"
#include "ploy/base/rng.h"
#include "ploy/path/heuristic_tables.h"

static const char *const heuristic_kinds[] = {"zero",      "euclid", "manhattan", "octile",
                                              "chebyshev", "hex",    "squared"};

static const ploy_field heuristic_fields[] = {
    PLOY_FIELD_ENUM(ploy_heuristic_def, kind, PLOY_HEURISTIC_EUCLID, heuristic_kinds,
                    "how distance is measured"),
    PLOY_FIELD_F64(ploy_heuristic_def, scale, 1, 0, 1e6, "", "cost of a metre"),
    PLOY_FIELD_F64(ploy_heuristic_def, speed, 1, 1e-6, 1e6, "m/s", "largest speed"),
    PLOY_FIELD_F64(ploy_heuristic_def, noise, 0, 0, 1, "", "how far guesses are spread"),
    PLOY_FIELD_U64(ploy_heuristic_def, seed, 1, "of the noise"),
};

const char *ploy_heuristic_kind_text(ploy_heuristic_kind kind) {
    if ((int32_t)kind < 0 || kind > PLOY_HEURISTIC_SQUARED) return "?";
    return heuristic_kinds[kind];
}

ploy_fields ploy_heuristic_fields(void) {
    return PLOY_FIELDS(ploy_heuristic_def, heuristic_fields);
}

ploy_heuristic_def ploy_heuristic_def_default(void) {
    ploy_heuristic_def def;
    ploy_fields_default(ploy_heuristic_fields(), &def);
    return def;
}

// Moves of length 1, sqrt(2) and sqrt(3): as many of the longest as the least side allows, then as
// many of the next as the middle one does.
static double heuristic_octile(double x, double y, double z) {
    double most = ployi_most(x, ployi_most(y, z)), least = ployi_least(x, ployi_least(y, z));
    double middle = ployi_most(ployi_least(x, y), ployi_least(ployi_most(x, y), z));
    return (sqrt(3.0) - sqrt(2.0)) * least + (sqrt(2.0) - 1.0) * middle + most;
}

double ploy_heuristic_between(const ploy_heuristic_def *def, ploy_vec3 from, ploy_vec3 to) {
    // In double: floats as large as positions may be have squares that a float cannot hold.
    double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
    double z = fabs((double)to.z - (double)from.z), hex = fabs(x + y);
    double guess = 0.0;
    x = fabs(x);
    y = fabs(y);
    switch (def->kind) {
    case PLOY_HEURISTIC_ZERO: break;
    case PLOY_HEURISTIC_EUCLID: guess = sqrt(x * x + y * y + z * z); break;
    case PLOY_HEURISTIC_MANHATTAN: guess = x + y + z; break;
    case PLOY_HEURISTIC_OCTILE: guess = heuristic_octile(x, y, z); break;
    case PLOY_HEURISTIC_CHEBYSHEV: guess = ployi_most(x, ployi_most(y, z)); break;
    case PLOY_HEURISTIC_HEX: guess = (x + y + hex) / 2.0 + z; break;
    case PLOY_HEURISTIC_SQUARED: guess = x * x + y * y + z * z; break;
    }
    return guess * (def->scale / def->speed);
}

double ploy_heuristic_noise(const ploy_heuristic_def *def, int32_t state) {
    if (!(def->noise > 0.0)) return 1.0;
    // By state and not by call: a guess must not change while its state waits in the open list.
    double draw = (double)ploy_rng_float_at(ploy_rng_key_make(def->seed), (uint32_t)state, 0, 0);
    return 1.0 + def->noise * (2.0 * draw - 1.0);
}

ploy_guide ploy_guide_make(const ploy_space *inner, const ploy_heuristic_def *def,
                           ploy_position_fn position, const void *position_user) {
    ploy_guide guide = {*inner,   def != NULL ? *def : ploy_heuristic_def_default(),
                        position, position_user,
                        NULL,     0,
                        NULL,     NULL};
    return guide;
}

// The guess to one goal.
static double heuristic_to(const ploy_guide *guide, int32_t state, int32_t goal) {
    double guess = 0.0;
    if (guide->position != NULL && guide->heuristic.kind != PLOY_HEURISTIC_ZERO) {
        guess =
            ploy_heuristic_between(&guide->heuristic, guide->position(guide->position_user, state),
                                   guide->position(guide->position_user, goal));
    }
    if (guide->landmarks != NULL) {
        guess = ployi_most(guess, ployi_landmarks_estimate(guide->landmarks, state, goal));
    }
    if (guide->clusters != NULL) {
        guess = ployi_most(guess, ployi_clusters_estimate(guide->clusters, state, goal, guess));
    }
    return guess;
}

double ploy_guide_estimate(const ploy_guide *guide, int32_t state, int32_t goal) {
    double guess = 0.0;
    if (goal != PLOY_STATE_NONE) {
        guess = heuristic_to(guide, state, goal);
    } else if (guide->goals != NULL && guide->goal_count > 0) {
        guess = INFINITY;
        for (int32_t i = 0; i < guide->goal_count; i++) {
            guess = ployi_least(guess, heuristic_to(guide, state, guide->goals[i]));
        }
    }
    return guess > 0.0 ? guess * ploy_heuristic_noise(&guide->heuristic, state) : guess;
}

static ploy_result heuristic_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_guide *guide = user;
    return guide->inner.expand(guide->inner.user, state, out);
}

static ploy_result heuristic_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_guide *guide = user;
    return guide->inner.expand_back(guide->inner.user, state, out);
}

static double heuristic_estimate(void *user, int32_t state, int32_t goal) {
    return ploy_guide_estimate(user, state, goal);
}

ploy_space ploy_guide_space(const ploy_guide *guide) {
    ploy_space space = {guide->inner.count, heuristic_expand, NULL, heuristic_estimate,
                        (void *)(uintptr_t)guide};
    if (guide->inner.expand_back != NULL) space.expand_back = heuristic_expand_back;
    return space;
}

static bool heuristic_can_check(const ploy_space *space, int32_t goal, double tolerance,
                                const ploy_env *env) {
    return space != NULL && env != NULL && space->expand != NULL && space->estimate != NULL &&
           goal >= 0 && goal < space->count && tolerance >= 0.0;
}

// Is a guess larger than it may be? True for NaN and negative guesses.
static bool heuristic_exceeds(double guess, double allowed, double tolerance) {
    return !(guess >= 0.0 && (guess <= allowed || guess <= allowed + allowed * tolerance));
}

ploy_result ploy_heuristic_is_admissible(const ploy_space *space, int32_t goal, double tolerance,
                                         const ploy_env *env, ploy_heuristic_fault *fault) {
    if (!heuristic_can_check(space, goal, tolerance, env) || space->expand_back == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_search *search = NULL;
    ploy_search_start start = {goal, 0.0};
    ploy_result result = ployi_flood_create(env, &search);
    if (result == PLOY_OK) result = ployi_flood_run(search, space, &start, 1, true);
    ploy_heuristic_fault worst = {PLOY_STATE_NONE, 0.0, {PLOY_STATE_NONE, -1, 0.0}, 0.0};
    for (int32_t state = 0; state < space->count && result == PLOY_OK; state++) {
        double guess = space->estimate(space->user, state, goal);
        double truth = ployi_flood_cost(search, state);
        if (!heuristic_exceeds(guess, truth, tolerance)) continue;
        // A guess that is NaN is worse than any that is; it compares as not smaller.
        if (worst.state >= 0 && guess - truth <= worst.estimate - worst.allowed) continue;
        worst.state = state;
        worst.estimate = guess;
        worst.allowed = truth;
    }
    ploy_search_destroy(search);
    if (result != PLOY_OK || worst.state < 0) return result;
    if (fault != NULL) *fault = worst;
    return PLOY_ERR_CALLBACK;
}

ploy_result ploy_heuristic_is_consistent(const ploy_space *space, int32_t goal, double tolerance,
                                         const ploy_env *env, ploy_heuristic_fault *fault) {
    if (!heuristic_can_check(space, goal, tolerance, env)) return PLOY_ERR_ARGUMENT;
    ploy_edges edges;
    ploy_edges_init(&edges, env);
    ploy_result result = PLOY_OK;
    for (int32_t state = 0; state < space->count && result == PLOY_OK; state++) {
        ploy_edges_clear(&edges);
        double guess = space->estimate(space->user, state, goal);
        result = space->expand(space->user, state, &edges);
        for (int32_t i = 0; i < edges.count && result == PLOY_OK; i++) {
            const ploy_edge *edge = &edges.view[i];
            double allowed = edge->cost + space->estimate(space->user, edge->to, goal);
            if (!heuristic_exceeds(guess, allowed, tolerance)) continue;
            if (fault != NULL) {
                ploy_heuristic_fault found = {state, guess, *edge, allowed};
                *fault = found;
            }
            result = PLOY_ERR_CALLBACK;
        }
    }
    ploy_edges_fini(&edges);
    return result;
}
