/// @file ploy/search/bidirectional.h
/// Two searches at once, from the start and from the goal, until they meet.
///
/// Two small fills cover less ground than one large one: in a space that branches alike both ways,
/// about the square root of it. With estimates the gain is smaller, since a good estimate keeps the
/// fill thin already; without any it is large.
///
/// The path is the cheapest: meeting is not enough (the first meeting place is often not on the best
/// path), so both go on until no path through anything still open can be cheaper than the best
/// meeting. Technique: Nicholson 1966, Pohl 1971; the rule for estimates that each side's own open
/// list bounds what is left.
///
/// The space must know its edges both ways; estimates must never be too large. One unit of budget is
/// one state taken, forward and backward in turn. Threads: one caller at a time.
#pragma once

#include "ploy/search/search.h"

/// Opaque.
typedef struct ploy_bidirectional ploy_bidirectional;

/// Creates a search that has nothing to do yet.
/// @param def  for both sides: weight 0 to 1, order best, no frontier, no weight_step, an ordered open
///             list; others are refused.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bidirectional_create(const ploy_search_def *def, const ploy_env *env,
                                               ploy_bidirectional **out);
/// NULL is allowed.
PLOY_API void ploy_bidirectional_destroy(ploy_bidirectional *both);

/// Forgets the last search and begins another. The space is copied; its user must stay.
/// @return PLOY_ERR_ARGUMENT for a space without a way back or a state out of range,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bidirectional_begin(ploy_bidirectional *both, const ploy_space *space,
                                              int32_t start, int32_t goal);
/// @return as ploy_search_step.
PLOY_API ploy_result ploy_bidirectional_step(ploy_bidirectional *both, ploy_budget *budget);
/// Stops.
PLOY_API void ploy_bidirectional_cancel(ploy_bidirectional *both);
PLOY_API ploy_search_outcome ploy_bidirectional_outcome(const ploy_bidirectional *both);

/// The path from start to goal. @return how many edges, perhaps more than capacity; -1 if there is
/// none.
PLOY_API int32_t ploy_bidirectional_path(const ploy_bidirectional *both, ploy_edge *out,
                                         int32_t capacity, double *cost);
/// Where the two parts of the path meet; PLOY_STATE_NONE before.
PLOY_API int32_t ploy_bidirectional_meeting(const ploy_bidirectional *both);
/// The two searches, for looking at their fills.
PLOY_API const ploy_search *ploy_bidirectional_forward(const ploy_bidirectional *both);
PLOY_API const ploy_search *ploy_bidirectional_backward(const ploy_bidirectional *both);

PLOY_API void ploy_bidirectional_describe(const ploy_bidirectional *both, ploy_describe *out);
PLOY_API void ploy_bidirectional_memory(const ploy_bidirectional *both, ploy_memory_fn fn,
                                        void *user);
