/// @file ploy/search/bounded.h
/// A* in a fixed number of states: SMA*, the memory-bounded search that forgets and remembers.
///
/// It grows a tree and always works on the deepest of its best leaves. When there is no room left,
/// the worst leaf is forgotten, and only what it promised is kept in its parent; should everything
/// else turn out worse than that, it is made again. So a search of a few hundred states finds its
/// way through spaces that A* would need millions for, at the price of doing work again.
///
/// It finds the cheapest path whose states fit into memory at once, if estimates are never too
/// large; ploy_search with `frontier` is the simpler form that forgets for good. Technique: Russell,
/// "Efficient Memory-Bounded Search Methods", 1992, with a value kept for each forgotten child and
/// states on the path itself left out.
///
/// Memory: capacity x (80 + 12 x branching) bytes, all taken by create. One unit of budget is one
/// state made. Threads: one caller at a time.
#pragma once

#include "ploy/search/search.h"

typedef struct ploy_bounded_def {
    uint32_t cookie;
    int32_t capacity;  ///< states kept at once; a path cannot be longer
    int32_t branching; ///< most edges out of a state; more is PLOY_ERR_LIMIT
} ploy_bounded_def;

PLOY_API ploy_bounded_def ploy_bounded_def_default(void);
PLOY_API ploy_fields ploy_bounded_fields(void);

/// Opaque.
typedef struct ploy_bounded ploy_bounded;

/// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bounded_create(const ploy_bounded_def *def, const ploy_env *env,
                                         ploy_bounded **out);
/// NULL is allowed.
PLOY_API void ploy_bounded_destroy(ploy_bounded *bounded);

/// Forgets the last search and begins another. The space is copied; its user must stay.
/// @return PLOY_ERR_ARGUMENT for a space without expand or a state out of range.
PLOY_API ploy_result ploy_bounded_begin(ploy_bounded *bounded, const ploy_space *space,
                                        int32_t start, int32_t goal);
/// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return as ploy_search_step; PLOY_ERR_LIMIT for a state with too many edges.
PLOY_API ploy_result ploy_bounded_step(ploy_bounded *bounded, ploy_budget *budget);
/// Stops.
PLOY_API void ploy_bounded_cancel(ploy_bounded *bounded);

/// PRUNED if there may be a path that does not fit, NONE if there is no way.
PLOY_API ploy_search_outcome ploy_bounded_outcome(const ploy_bounded *bounded);
/// The path. @return how many edges, perhaps more than capacity; -1 if there is none.
PLOY_API int32_t ploy_bounded_path(const ploy_bounded *bounded, ploy_edge *out, int32_t capacity,
                                   double *cost);

typedef struct ploy_bounded_stats {
    int64_t made;      ///< states
    int64_t again;     ///< of those, forgotten before
    int64_t forgotten; ///< states dropped for want of room
    int32_t kept;      ///< states in memory now
    int32_t peak;      ///< most at once
} ploy_bounded_stats;

/// What the search has done since begin.
PLOY_API ploy_bounded_stats ploy_bounded_stats_of(const ploy_bounded *bounded);
PLOY_API void ploy_bounded_describe(const ploy_bounded *bounded, ploy_describe *out);
PLOY_API void ploy_bounded_memory(const ploy_bounded *bounded, ploy_memory_fn fn, void *user);
