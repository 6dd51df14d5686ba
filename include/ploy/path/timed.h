/// @file ploy/path/timed.h
/// States with time: a search in which costs depend on the time of arrival.
///
/// A search assumes that an edge costs the same however its state was reached. Doors that open on
/// the hour, traffic, ferries and patrols break that assumption; it holds again if the state
/// includes the time of arrival. The graph of places and times is infinite, so states are created
/// only when a search reaches them.
///
/// Technique: Millington, "AI for Games", continuous time pathfinding. Units: seconds, rounded up
/// to ticks. Memory: 8 bytes a state in addition to the search's. Threads: one caller.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/path/finder.h"
#include "ploy/path/representation.h"
#include "ploy/search/space.h"

/// Returns the arrival time of an agent that departs at a given time, in seconds; INFINITY: not
/// possible at that time.
typedef double (*ploy_timed_fn)(void *user, int32_t from, const ploy_edge *edge, double depart);

/// Opaque.
typedef struct ploy_timed ploy_timed;

typedef struct ploy_timed_def {
    uint32_t cookie;
    double tick;        ///< s; arrivals are rounded up to it
    double wait;        ///< s of one wait; 0: no waiting
    bool check_wait;    ///< fn also decides about waiting: an edge to the same place, label -1
    double horizon;     ///< s; nothing is planned beyond
    int32_t max_states; ///< pairs of place and time
} ploy_timed_def;

PLOY_API ploy_timed_def ploy_timed_def_default(void);
PLOY_API ploy_fields ploy_timed_fields(void);
/// @param places  the space without time; copied. Its estimate must be in seconds.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_timed_create(const ploy_timed_def *def, const ploy_space *places,
                                       ploy_timed_fn fn, void *user, const ploy_env *env,
                                       ploy_timed **out);
/// NULL is allowed.
PLOY_API void ploy_timed_destroy(ploy_timed *timed);

/// Drops all states and sets the goal of searches, for a search whose goal is a place at any time, and for estimates.
PLOY_API void ploy_timed_clear(ploy_timed *timed, int32_t goal);
/// Finds the state of a place at a time. @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_timed_state(ploy_timed *timed, int32_t place, double time, int32_t *out);
/// Return the place and the time of a state.
PLOY_API int32_t ploy_timed_place(const ploy_timed *timed, int32_t state);
PLOY_API double ploy_timed_time(const ploy_timed *timed, int32_t state);
/// Returns the space: costs are seconds, labels are those of the places' edges, -1 for waiting.
PLOY_API ploy_space ploy_timed_space(ploy_timed *timed);
PLOY_API void ploy_timed_memory(const ploy_timed *timed, ploy_memory_fn fn, void *user);

/// Places and a timetable to search. Start from ploy_timed_finder_def_default().
typedef struct ploy_timed_finder_def {
    /// The places. Read by make; what it points to must outlive the finders.
    const ploy_representation *level;
    ploy_timed_def timed;      ///< horizon: s after departure
    ploy_timed_fn fn;          ///< when an agent arrives; times on the same clock as `now`
    double (*now)(void *user); ///< s: when the agent of a request departs; NULL: at 0
    /// Identifies the timetable: different after every change. NULL: it never changes.
    uint64_t (*generation)(void *user);
    void *user;  ///< of the three
    double pace; ///< s, least time for an edge that costs 1; scales the level's estimates; 0: none
} ploy_timed_finder_def;

PLOY_API ploy_timed_finder_def ploy_timed_finder_def_default(void);
/// Finders of the earliest arrival: "timed", optimal. The path's costs are seconds; edges of the
/// kind "wait" stay in place. They accept a goal by predicate and lead to the nearest place if
/// there is no path. They refuse cost hooks and variety.
/// @param def  must stay valid as long as the factory is used.
PLOY_API ploy_finder_factory ploy_timed_finder(const ploy_timed_finder_def *def);
