/// @file ploy/search/deepening.h
/// Iterative deepening: depth-first with a limit, again and again with a larger one.
///
/// Keeps only the path it is on, so that it searches spaces that no memory would hold; the price is
/// that early states are visited again in every round. Most states lie at the rim, so the price is
/// small where branching is large.
///
///     settings                              gives
///     by cost (the default)                 IDA*: the limit is on cost so far + estimate
///     ... with a table                      IDA* with transpositions
///     by depth                              iterative deepening: the fewest edges
///     by depth, first_limit = max_limit     one depth-limited search
///
/// States are blocks of bytes on the search's own stack; nothing is numbered or kept.
///
/// With estimates that are never too large the first path found by cost is the cheapest. Technique:
/// Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree Search", 1985; the table after
/// Reinefeld and Marsland, 1994. States as good as the limit count as within it, else an exact
/// estimate would fail in its first round.
///
/// Cost: memory is (depth x branching) states. One unit of budget is one state visited. Threads:
/// one caller at a time.
#pragma once

#include "ploy/search/search.h"

/// What expand fills: the states one step away.
typedef struct ploy_branches ploy_branches;

/// Adds a state that one edge leads to. Its bytes are copied.
/// @return PLOY_ERR_MEMORY; PLOY_ERR_CALLBACK for a cost below 0 or NaN. An infinite cost is left
///         out.
PLOY_API ploy_result ploy_branches_add(ploy_branches *branches, const void *state, double cost,
                                       int32_t label);

/// A space whose states are blocks of bytes.
typedef struct ploy_tree {
    int32_t size; ///< bytes of a state, 1 to 65,536
    /// Adds every state that is one step away, in a fixed order. Required.
    ploy_result (*expand)(void *user, const void *state, ploy_branches *out);
    bool (*is_goal)(void *user, const void *state); ///< required
    /// What may still be to pay; 0 or more. May be NULL: 0.
    double (*estimate)(void *user, const void *state);
    void *user;
} ploy_tree;

typedef enum ploy_cycles {
    PLOY_CYCLES_PATH,   ///< no state twice on a path
    PLOY_CYCLES_PARENT, ///< a step is not taken back at once: cheaper, often enough
    PLOY_CYCLES_ALLOWED ///< for spaces without cycles
} ploy_cycles;

typedef struct ploy_deepening_def {
    uint32_t cookie;
    bool by_depth;      ///< the limit is on edges, not on cost and estimate
    double first_limit; ///< of the first round; below the root's own it is raised to that
    double
        limit_step; ///< raises the limit by at least this much: fewer rounds, perhaps a dearer path
    double max_limit;  ///< gives up beyond
    int32_t max_depth; ///< longest path looked at
    ploy_cycles cycles;
    int32_t
        table; ///< states remembered within a round, so as not to search below them twice; 0: none
} ploy_deepening_def;

PLOY_API ploy_deepening_def ploy_deepening_def_default(void);
PLOY_API ploy_fields ploy_deepening_fields(void);

/// Opaque.
typedef struct ploy_deepening ploy_deepening;

/// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_deepening_create(const ploy_deepening_def *def, const ploy_env *env,
                                           ploy_deepening **out);
/// NULL is allowed.
PLOY_API void ploy_deepening_destroy(ploy_deepening *deepening);

/// Forgets the last search and begins another from a state, whose bytes are copied.
/// @return PLOY_ERR_ARGUMENT for a tree that lacks something, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_deepening_begin(ploy_deepening *deepening, const ploy_tree *tree,
                                          const void *start);
/// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return as ploy_search_step.
PLOY_API ploy_result ploy_deepening_step(ploy_deepening *deepening, ploy_budget *budget);
/// Stops.
PLOY_API void ploy_deepening_cancel(ploy_deepening *deepening);
/// As a task for whoever holds any long work.
PLOY_API ploy_task ploy_deepening_task(ploy_deepening *deepening);

/// PRUNED if max_limit or max_depth cut something off, NONE if there is no way.
PLOY_API ploy_search_outcome ploy_deepening_outcome(const ploy_deepening *deepening);

/// The edges of the path found; `to` is not used.
/// @return how many, perhaps more than capacity; -1 if there is none.
PLOY_API int32_t ploy_deepening_path(const ploy_deepening *deepening, ploy_edge *out,
                                     int32_t capacity, double *cost);
/// The states on the path that the search is on: 0 is the start. NULL out of range.
PLOY_API const void *ploy_deepening_state(const ploy_deepening *deepening, int32_t index);

typedef struct ploy_deepening_stats {
    int64_t visited;    ///< states, in all rounds
    int64_t edges;      ///< edges looked at
    int64_t remembered; ///< states not visited because the table knew them
    int32_t rounds;
    double limit; ///< of the present round
} ploy_deepening_stats;

/// What the search has done since begin.
PLOY_API ploy_deepening_stats ploy_deepening_stats_of(const ploy_deepening *deepening);
PLOY_API void ploy_deepening_describe(const ploy_deepening *deepening, ploy_describe *out);
PLOY_API void ploy_deepening_memory(const ploy_deepening *deepening, ploy_memory_fn fn, void *user);
