/// @file ploy/generate/backtrack.h
/// Backtracking: grows a tree of places of any kind, depth first.
///
/// A stack holds the route from the start to the present place. Each turn asks the caller to
/// connect the place on top to a new one: cells of a grid, caves, rooms, prefabricated pieces. If
/// there is no new place, the top is removed and the one before it tries again. When the stack is
/// empty, everything within reach is filled. Every place but the first has one connection back, so
/// n places have n - 1 connections and exactly one route between any two. Technique: Millington,
/// "AI for Games", 8.4.1. The stack can be large: on a grid of 64 by 64 cells it holds about 1,750
/// of the 4,096 at its peak.
///
/// Unit of budget: one try to connect. Memory: the stack. Threads: one caller.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/budget.h"
#include "ploy/base/rng.h"

/// The result of a try to connect.
typedef enum ploy_backtrack_turn {
    PLOY_BACKTRACK_NONE,  ///< the place has no free neighbour: go back
    PLOY_BACKTRACK_NEW,   ///< a new place: continue from there
    PLOY_BACKTRACK_RETRY, ///< a dead end was placed: try the same place again
    PLOY_BACKTRACK_FAILED ///< out of memory
} ploy_backtrack_turn;

/// The work. Open; counts may be read at any time.
typedef struct ploy_backtrack {
    ploy_array stack;  ///< int32_t places
    int32_t places;    ///< so far, the start included
    int32_t dead_ends; ///< places that were left without a connection beyond them
    int32_t peak;      ///< maximum number of places on the stack so far
    int64_t tries;     ///< to connect
    int64_t max_tries; ///< limit; 0: none. Set it after init
    bool fresh;        ///< the place on top has no connection beyond it yet
    bool enough;       ///< the caller's rule ended it
    bool out_of_tries; ///< max_tries ended it
} ploy_backtrack;

/// The caller's side.
typedef struct ploy_backtrack_places {
    /// Tries to connect a place to a new one, with random choices from `rng`.
    ploy_backtrack_turn (*connect)(void *user, int32_t place, ploy_rng *rng, int32_t *next);
    /// Called after every connection: true ends the work (sizes, branches, dead ends, rooms
    /// placed). May be NULL.
    bool (*enough)(void *user, const ploy_backtrack *work);
    void *user;
} ploy_backtrack_places;

PLOY_API void ploy_backtrack_init(ploy_backtrack *work, const ploy_env *env);
PLOY_API void ploy_backtrack_fini(ploy_backtrack *work);
/// Begins at a place; discards earlier work. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_backtrack_start(ploy_backtrack *work, int32_t place);
/// @return PLOY_IN_PROGRESS, PLOY_OK when nothing is left or a limit was reached, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_backtrack_step(ploy_backtrack *work, const ploy_backtrack_places *places,
                                         ploy_rng *rng, ploy_budget *budget);
