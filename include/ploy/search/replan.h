/// @file ploy/search/replan.h
/// Replanning: a shortest path that is kept right while the space changes.
///
/// A door closes, a bridge falls: most of what an earlier search found still holds. A replanner
/// remembers it all and works only on what a change reaches, which is often a hundredth of a new
/// search. It comes in two directions:
///
///     direction   technique    for
///     follow      D* Lite      an agent on its way: the start moves, the goal stays
///     otherwise   LPA*         one question asked again and again while costs change
///
/// Say what changed with ploy_replanner_changed, then step; the path is the one a new search would
/// find, at the same cost. Techniques: Koenig and Likhachev, "Lifelong Planning A*", 2004 (with
/// Furcy), and "D* Lite", 2002, the optimised version; it does what D* and focused D* (Stentz 1994,
/// 1995) do in a simpler way.
///
/// The space must know its edges both ways, and every edge must cost more than 0. Estimates must be consistent: no larger than an edge
/// plus the estimate behind it. Memory: 44 bytes a state. One unit of budget is one state taken.
/// Threads: one caller at a time.
#pragma once

#include "ploy/search/search.h"

typedef struct ploy_replanner_def {
    uint32_t cookie;
    bool follow; ///< the start moves: searches from the goal
} ploy_replanner_def;

PLOY_API ploy_replanner_def ploy_replanner_def_default(void);
PLOY_API ploy_fields ploy_replanner_fields(void);

/// Opaque.
typedef struct ploy_replanner ploy_replanner;

/// Creates a replanner that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_replanner_create(const ploy_replanner_def *def, const ploy_env *env,
                                           ploy_replanner **out);
/// NULL is allowed.
PLOY_API void ploy_replanner_destroy(ploy_replanner *replanner);

/// Forgets everything and begins. The space is copied; its user must stay.
/// @return PLOY_ERR_ARGUMENT for a space that lacks expand or expand_back or a state out of range,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_replanner_begin(ploy_replanner *replanner, const ploy_space *space,
                                          int32_t start, int32_t goal);

/// Some edge from one state to another appeared, went, or costs something else now; the space tells
/// the new cost already. Cheap: the work is done by step. In the midst of a step's slices, too.
/// @return PLOY_ERR_STATE before begin; PLOY_ERR_ARGUMENT; what expand returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_replanner_changed(ploy_replanner *replanner, int32_t from, int32_t to);

/// The agent is somewhere else now. @return PLOY_ERR_STATE if it does not follow or before begin,
/// PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_replanner_move(ploy_replanner *replanner, int32_t start);

/// Works until the path is right again (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return as ploy_search_step.
PLOY_API ploy_result ploy_replanner_step(ploy_replanner *replanner, ploy_budget *budget);

/// OPEN while there is work left, then FOUND or NONE.
PLOY_API ploy_search_outcome ploy_replanner_outcome(const ploy_replanner *replanner);

/// The path from start to goal; among equally good ways the lowest state, then the first edge.
/// @return how many edges, perhaps more than capacity; -1 unless the outcome is FOUND, or if expand
///         fails.
PLOY_API int32_t ploy_replanner_path(ploy_replanner *replanner, ploy_edge *out, int32_t capacity,
                                     double *cost);

/// What is known of a state: what it costs from the start (following: to the goal), INFINITY if
/// nothing. Right only where a search had to look.
PLOY_API double ploy_replanner_cost(const ploy_replanner *replanner, int32_t state);
/// States taken since begin, in all steps.
PLOY_API int64_t ploy_replanner_taken(const ploy_replanner *replanner);

PLOY_API void ploy_replanner_describe(const ploy_replanner *replanner, ploy_describe *out);
PLOY_API void ploy_replanner_memory(const ploy_replanner *replanner, ploy_memory_fn fn, void *user);
