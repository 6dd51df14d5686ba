/// @file ploy/path/smooth.h
/// Smoothing: removes the corners of a path that only the search's graph caused.
///
///     quick      merges an edge with the next while its start sees the end: n - 1 tests
///     precise    merges an edge up to the last one that its start sees: O(n^2) tests
///     shortest   the shortest chain of the path's points that see each other: O(n^2) tests
///
/// Edges that are travelled specially (a kind, a link, a speed limit) are kept unchanged. A merged
/// edge costs as much for a metre as its pieces. Start and end do not move.
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 8 (quick and precise);
/// Millington's greedy rule, "AI for Games", is the quick one (his listing never tests the last
/// point; here it is tested like the others). Curves: Catmull and Rom 1974, with every piece tested
/// again. The navigation mesh itself does string pulling (ploy/path/navmesh_query.h).
///
/// Units: metres. Memory: the output path grows as needed; shortest allocates temporary memory.
/// Threads: no state.
#pragma once

#include "ploy/geom/path.h"

typedef enum ploy_smooth_kind {
    PLOY_SMOOTH_NONE, ///< a copy
    PLOY_SMOOTH_QUICK,
    PLOY_SMOOTH_PRECISE,
    PLOY_SMOOTH_SHORTEST
} ploy_smooth_kind;

/// Returns true if the body can walk straight from one point to another. Must consider the body's
/// size: a ray is too thin.
typedef bool (*ploy_smooth_clear_fn)(void *user, ploy_vec3 from, ploy_vec3 to);

typedef struct ploy_smooth_rule {
    ploy_smooth_kind kind;
    float
        turn_radius; ///< m; above 0 an edge is not merged if the turn into it would not fit. Not of
                     ///< shortest
    ploy_smooth_clear_fn clear;
    void *user;
} ploy_smooth_rule;

/// A rule without a turning radius.
PLOY_API ploy_smooth_rule ploy_smooth_rule_make(ploy_smooth_kind kind, ploy_smooth_clear_fn clear,
                                                void *user);

/// Writes the smoothed path to another one.
/// @param asked  number of tests made; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a rule without clear, a closed path, or if from and out are the
/// same;
///         PLOY_ERR_MEMORY with out empty.
PLOY_API ploy_result ploy_path_smooth(const ploy_path *from, const ploy_smooth_rule *rule,
                                      const ploy_env *env, ploy_path *out, int32_t *asked);

/// Writes a path as a curve through its points: centripetal Catmull-Rom, which makes no loops. A
/// span stays straight if the curve would leave the free floor, or if its edge is travelled
/// specially.
/// @param tolerance  m, largest distance between the curve and its pieces; above 0.
/// @param clear      NULL: everything is free.
/// @return as ploy_path_smooth.
PLOY_API ploy_result ploy_path_curve(const ploy_path *from, float tolerance,
                                     ploy_smooth_clear_fn clear, void *user, const ploy_env *env,
                                     ploy_path *out);
