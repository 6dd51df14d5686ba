/// @file ploy/path/smooth.h
/// Smoothing: taking the corners out of a path that only the search's graph put in.
///
///     quick      an edge swallows the next one while its start sees the end: n - 1 questions
///     precise    an edge swallows up to the last one that its start sees: O(n^2) questions
///     shortest   the shortest chain of the path's points that see each other: O(n^2) questions
///
/// Edges that are travelled specially (a kind, a link, a speed limit) stay as they are.
/// A merged edge costs what its pieces cost for a metre. Ends stay where they are.
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 8 (quick and precise);
/// Millington's greedy rule, "AI for Games", is the quick one (his listing never looks at the last
/// point; here it is asked about like the others). Curves: Catmull and Rom 1974, with every piece
/// asked about again. Strings are pulled by the navigation mesh itself (ploy/path/navmesh_query.h).
///
/// Units: metres. Memory: the path written to grows as it must; shortest needs room for a moment.
/// Threads: no state.
#pragma once

#include "ploy/geom/path.h"

typedef enum ploy_smooth_kind {
    PLOY_SMOOTH_NONE, ///< a copy
    PLOY_SMOOTH_QUICK,
    PLOY_SMOOTH_PRECISE,
    PLOY_SMOOTH_SHORTEST
} ploy_smooth_kind;

/// Can the body walk straight from one point to another? Its size counts: a ray is too thin.
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
/// @param asked  how many questions it took; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a rule without clear, a closed path, or from and out being one;
///         PLOY_ERR_MEMORY with out empty.
PLOY_API ploy_result ploy_path_smooth(const ploy_path *from, const ploy_smooth_rule *rule,
                                      const ploy_env *env, ploy_path *out, int32_t *asked);

/// Writes a path as a curve through its points: centripetal Catmull-Rom, which makes no loops. A
/// span stays straight where the curve leaves the free floor, and where an edge is travelled
/// specially.
/// @param tolerance  m, between the curve and its pieces; above 0.
/// @param clear      NULL: everything is free.
/// @return as ploy_path_smooth.
PLOY_API ploy_result ploy_path_curve(const ploy_path *from, float tolerance,
                                     ploy_smooth_clear_fn clear, void *user, const ploy_env *env,
                                     ploy_path *out);
