/// @file ploy/path/heuristic.h
/// Heuristics: estimates of the remaining cost, which turn Dijkstra's search into A*.
///
/// A good estimate is never too large (admissible: the path found is the cheapest) and never drops
/// by more than an edge costs (consistent: no state is taken twice). Within these limits, a larger
/// estimate means that fewer states are visited. If estimates are at most x too large, the path
/// costs at most x more than the best.
///
///     zero        0; A* is Dijkstra's search then
///     euclid      the straight line; right wherever costs are distances
///     manhattan   |dx| + |dy| + |dz|: grids with four neighbours
///     octile      grids with eight neighbours (26 in space) with diagonals of their true length
///     chebyshev   the largest of |dx|, |dy|, |dz|: grids with eight neighbours with diagonals of cost 1
///     hex         hexagons in axial coordinates, x = q, y = r, plus |dz|
///     squared     the straight line squared: much too large, for comparison only
///
/// A ploy_guide puts a heuristic, and tables if there are any (ploy/path/heuristic_tables.h), in
/// front of a space that has no estimate. Threads: no state; a guide is read by its searches.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/vec.h"
#include "ploy/search/space.h"

typedef enum ploy_heuristic_kind {
    PLOY_HEURISTIC_ZERO,
    PLOY_HEURISTIC_EUCLID,
    PLOY_HEURISTIC_MANHATTAN,
    PLOY_HEURISTIC_OCTILE,
    PLOY_HEURISTIC_CHEBYSHEV,
    PLOY_HEURISTIC_HEX,
    PLOY_HEURISTIC_SQUARED
} ploy_heuristic_kind;

/// "zero", "euclid", "manhattan", "octile", "chebyshev", "hex", "squared".
PLOY_API const char *ploy_heuristic_kind_text(ploy_heuristic_kind kind);

typedef struct ploy_heuristic_def {
    uint32_t cookie;
    ploy_heuristic_kind kind;
    double scale; ///< cost of a metre (of a cell on grids); above the true one: weighted A*
    double speed; ///< m/s; other than 1: costs are seconds at the largest speed
    /// Each state's estimate is multiplied by a separate number in [1 - noise, 1 + noise], so that
    /// agents with different seeds take different paths. Paths may be longer by design.
    double noise;
    uint64_t seed; ///< of the noise
} ploy_heuristic_def;

PLOY_API ploy_heuristic_def ploy_heuristic_def_default(void);
PLOY_API ploy_fields ploy_heuristic_fields(void);

/// Returns the estimate between two places, without noise.
PLOY_API double ploy_heuristic_between(const ploy_heuristic_def *def, ploy_vec3 from, ploy_vec3 to);
/// Returns the noise factor of a state's estimate: the same for the same seed and state.
PLOY_API double ploy_heuristic_noise(const ploy_heuristic_def *def, int32_t state);

/// Returns the position of a state.
typedef ploy_vec3 (*ploy_position_fn)(const void *user, int32_t state);

struct ploy_landmarks;
struct ploy_clusters;

/// A space with a heuristic in front of it. Start from ploy_guide_make(); the caller owns it and
/// must not move it while it is searched.
typedef struct ploy_guide {
    ploy_space inner;
    ploy_heuristic_def heuristic;
    ploy_position_fn position;
    const void *position_user;
    /// For queries without a goal: the estimate is the least to any of these. NULL: 0.
    const int32_t *goals;
    int32_t goal_count;
    const struct ploy_landmarks *landmarks; ///< or NULL; the larger estimate counts
    const struct ploy_clusters *clusters;   ///< or NULL; likewise
} ploy_guide;

/// Makes a guide for a space.
/// @param def       NULL: the default, the straight line.
/// @param position  NULL: the heuristic kind is treated as zero.
PLOY_API ploy_guide ploy_guide_make(const ploy_space *inner, const ploy_heuristic_def *def,
                                    ploy_position_fn position, const void *position_user);
/// Returns the estimate from a state to a goal.
PLOY_API double ploy_guide_estimate(const ploy_guide *guide, int32_t state, int32_t goal);
/// Returns the guide as a space, valid while the guide does not move. The inner space's own
/// estimate is ignored.
PLOY_API ploy_space ploy_guide_space(const ploy_guide *guide);

/// A wrong estimate.
typedef struct ploy_heuristic_fault {
    int32_t state;   ///< whose estimate it is
    double estimate; ///< that estimate
    ploy_edge edge;  ///< is_consistent: the edge over which it drops too far
    double allowed;  ///< the largest correct estimate: the true cost, or edge cost + next estimate
} ploy_heuristic_fault;

/// Checks that no estimate to this goal is too large. Compares them with a backward search from the
/// goal.
/// @param tolerance  allowed excess, as a share of the true cost: sums of doubles are rounded.
/// @param fault      the state with the largest excess, set only with PLOY_ERR_CALLBACK; may be
///         NULL.
/// @return PLOY_OK if so; PLOY_ERR_CALLBACK if not, or for a NaN or negative estimate;
///         PLOY_ERR_ARGUMENT for a space without count, estimate or reverse edges; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_heuristic_is_admissible(const ploy_space *space, int32_t goal,
                                                  double tolerance, const ploy_env *env,
                                                  ploy_heuristic_fault *fault);
/// Checks that no estimate drops by more than an edge costs. Examines every edge of every state.
/// Otherwise as above, but reverse edges are not needed, and the fault is the first edge in the
/// order of states.
PLOY_API ploy_result ploy_heuristic_is_consistent(const ploy_space *space, int32_t goal,
                                                  double tolerance, const ploy_env *env,
                                                  ploy_heuristic_fault *fault);
