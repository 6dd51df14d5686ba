/// @file ploy/search/search.h
/// The search: one loop over any state space, best-first, breadth-first or depth-first.
///
///     take the first open state  ->  is it a goal?  ->  close it  ->  open what its edges lead to
///
/// What is taken first makes the difference between the textbooks' searches:
///
///     settings                        gives
///     order best, weight 0            Dijkstra: to a goal, to all, to the nearest of a kind
///     order best, weight 1            A*
///     order best, weight above 1      weighted A*: at most so many times too long, much faster
///     ... with weight_step            anytime repairing A*: a path soon, a better one later
///     ... with frontier               beam search, simplified SMA*: a bounded open list
///     ... with open fringe            fringe search: A* without keeping an order
///     order greedy                    best-first by the estimate alone
///     order breadth, depth            uninformed
///
/// A search is resumed by counted work: one unit is one state taken from the open list. The same
/// query gives the same order of states, path and statistics in one step or in a thousand, with
/// any ordered kind of open list. Ties go to the state further along (larger cost so far), then to the
/// lower state.
///
/// Techniques: Dijkstra 1959; Hart, Nilsson, Raphael 1968 (A*), with closed states re-opened when a
/// cheaper way to them appears, as inconsistent estimates need; Likhachev, Gordon, Thrun 2003
/// (ARA*). Pohl's weight; the termination rules of Millington, "AI for Games", chapter 4.
///
/// Memory: 48 bytes a state and 28 in the open list; flat for all states of the space, or in pages
/// as states are reached. Nothing allocates in a search that needs no more than an earlier one did.
/// Threads: one caller at a time; several searches may share a space.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/search/open_list.h"
#include "ploy/search/space.h"

typedef enum ploy_search_order {
    PLOY_SEARCH_BEST,    ///< cost so far + weight x estimate
    PLOY_SEARCH_GREEDY,  ///< the estimate alone
    PLOY_SEARCH_BREADTH, ///< first seen, first taken: fewest edges
    PLOY_SEARCH_DEPTH    ///< last seen, first taken; of one state's edges the first is followed
} ploy_search_order;

typedef enum ploy_search_stop {
    /// When a goal is taken from the open list: optimal if no estimate is too large.
    PLOY_SEARCH_STOP_SELECTED,
    /// When a goal is first seen: sooner, perhaps longer.
    PLOY_SEARCH_STOP_SEEN,
    /// When nothing cheaper can be left, whatever the estimates: always optimal, looks at the most.
    PLOY_SEARCH_STOP_PROVEN
} ploy_search_stop;

typedef enum ploy_search_storage {
    PLOY_SEARCH_FLAT, ///< a record for every state: fastest
    PLOY_SEARCH_PAGES ///< records in pages, made when a state of theirs is reached: for large spaces
} ploy_search_storage;

typedef struct ploy_search_def {
    uint32_t cookie;
    ploy_search_order order;
    ploy_open_kind open;  ///< of best and greedy; the others have their own
    double bucket_width;  ///< of PLOY_OPEN_BUCKETS
    double weight;        ///< of the estimate
    double weight_step;   ///< above 0: after each path found, lower the weight by this and go on
    bool reopen;          ///< closed states are taken again when a cheaper way appears
    bool pathmax;         ///< an estimate is at least its parent's less the edge
    bool last_edge_first; ///< depth-first follows the last edge of a state, not the first
    ploy_search_stop stop;
    ploy_search_storage storage;
    double max_cost;    ///< states further than this are not opened
    int32_t max_states; ///< most states reached; beyond it the search ends as PRUNED
    int32_t frontier;   ///< most open states, 0 for no limit: the worst are forgotten
    bool frontier_grow; ///< begin again with twice the frontier if that was too little
} ploy_search_def;

PLOY_API ploy_search_def ploy_search_def_default(void);
PLOY_API ploy_fields ploy_search_fields(void);

/// Opaque.
typedef struct ploy_search ploy_search;

/// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_create(const ploy_search_def *def, const ploy_env *env,
                                        ploy_search **out);
/// NULL is allowed.
PLOY_API void ploy_search_destroy(ploy_search *search);

/// Where a search begins.
typedef struct ploy_search_start {
    int32_t state;
    double cost; ///< paid already, 0 or more
} ploy_search_start;

/// What is looked for. Start from ploy_search_query_make(). Copied by begin, except the starts'
/// array, which is read by begin alone, and what the pointers point to.
typedef struct ploy_search_query {
    const ploy_space *space;
    const ploy_search_start *starts;
    int32_t start_count;
    int32_t goal; ///< or PLOY_STATE_NONE
    /// Is a state a goal? May be NULL. With neither a goal nor this the search reaches everything.
    bool (*is_goal)(void *user, int32_t state);
    /// May a state be entered? NULL: every one. For exclusions and corridors.
    bool (*allow)(void *user, int32_t state);
    void *user;
    bool backward; ///< along edges into states: what it costs to get here, from everywhere
} ploy_search_query;

/// From one state (borrowed until begin) to another.
PLOY_API ploy_search_query ploy_search_query_make(const ploy_space *space,
                                                  const ploy_search_start *start, int32_t goal);

/// Forgets the last search and begins another.
/// @return PLOY_ERR_ARGUMENT for a query without space or start, a state or cost out of range, or a
///         backward one in a space that has no way back; PLOY_ERR_MEMORY. The search has nothing to
///         do then.
PLOY_API ploy_result ploy_search_begin(ploy_search *search, const ploy_search_query *query);

/// Works until it is finished (PLOY_OK: ask for the outcome) or the budget is empty
/// (PLOY_IN_PROGRESS). One unit is one state taken. NULL: until it is finished.
/// @return PLOY_ERR_STATE if there is nothing to do; what expand returned; PLOY_ERR_CALLBACK if an
///         edge or estimate breaks the contract (the log says which); PLOY_ERR_MEMORY. After an
///         error there is nothing to do until the next begin.
PLOY_API ploy_result ploy_search_step(ploy_search *search, ploy_budget *budget);

/// Stops; what was found so far can still be read.
PLOY_API void ploy_search_cancel(ploy_search *search);

/// begin, then step to the end.
PLOY_API ploy_result ploy_search_run(ploy_search *search, const ploy_search_query *query);

/// As a task for whoever holds any long work.
PLOY_API ploy_task ploy_search_task(ploy_search *search);

typedef enum ploy_search_outcome {
    PLOY_SEARCH_IDLE,  ///< nothing asked for, cancelled or failed
    PLOY_SEARCH_OPEN,  ///< still looking
    PLOY_SEARCH_FOUND, ///< a goal was reached; without a goal: everything reachable was
    PLOY_SEARCH_NONE,  ///< there is no way
    PLOY_SEARCH_PRUNED ///< not found, but a limit cut something off: frontier, states or cost
} ploy_search_outcome;

/// "idle", "open", "found", "none", "pruned".
PLOY_API const char *ploy_search_outcome_text(ploy_search_outcome outcome);
PLOY_API ploy_search_outcome ploy_search_outcome_of(const ploy_search *search);

/// The goal that was reached, also by the first answer of an anytime search; PLOY_STATE_NONE before.
PLOY_API int32_t ploy_search_goal(const ploy_search *search);
/// Counts the answers: 1 when the first path is there, more as an anytime search improves it.
PLOY_API int32_t ploy_search_version(const ploy_search *search);
/// The path at hand costs at most this many times the least; 1 if it is optimal, INFINITY if nothing
/// is known. Counts on estimates that are never too large.
PLOY_API double ploy_search_bound(const ploy_search *search);
/// The reached state with the least estimate (among equals the cheapest, then the lowest): what to
/// make for while the search goes on, or where there is no way. PLOY_STATE_NONE before begin.
PLOY_API int32_t ploy_search_nearest(const ploy_search *search);

/// The edges from a start to any reached state; backwards they come in the order of travel too, and
/// each leads to its `to`.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @param cost  of the whole path, with what the start had paid; in the midst of an anytime search
///              it may be less by now. May be NULL.
/// @return how many edges there are, perhaps more than capacity, of which the last are left out; 0
///         for a start; -1 for a state that was not reached.
PLOY_API int32_t ploy_search_path(const ploy_search *search, int32_t state, ploy_edge *out,
                                  int32_t capacity, double *cost);

typedef enum ploy_search_status {
    PLOY_SEARCH_UNSEEN,
    PLOY_SEARCH_SEEN, ///< on the open list
    PLOY_SEARCH_CLOSED
} ploy_search_status;

/// What a search knows of a state.
typedef struct ploy_search_node {
    ploy_search_status status;
    int32_t parent; ///< the state before it; PLOY_STATE_NONE for a start
    int32_t label;  ///< of the edge from there
    int32_t start;  ///< where that path begins
    double cost;    ///< so far
    double estimate;
} ploy_search_node;

/// @return false, leaving out alone, if the state was not reached.
PLOY_API bool ploy_search_get(const ploy_search *search, int32_t state, ploy_search_node *out);
/// How many states were reached, and each in the order of first sight: the fill.
PLOY_API int32_t ploy_search_reached(const ploy_search *search);
PLOY_API int32_t ploy_search_reached_at(const ploy_search *search, int32_t index);
/// The open list, for looking at.
PLOY_API const ploy_open_list *ploy_search_open_list(const ploy_search *search);

typedef struct ploy_search_stats {
    int64_t taken;     ///< states taken from the open list
    int64_t opened;    ///< states put on it
    int64_t reopened;  ///< of those, closed before
    int64_t edges;     ///< edges looked at
    int64_t estimates; ///< calls of estimate
    int64_t forgotten; ///< states dropped by the frontier
    int32_t peak_open; ///< most open at once
} ploy_search_stats;

/// What the search has done since begin.
PLOY_API ploy_search_stats ploy_search_stats_of(const ploy_search *search);

/// Outcome, statistics, the open list's length and all records folded into one number.
PLOY_API void ploy_search_describe(const ploy_search *search, ploy_describe *out);
PLOY_API void ploy_search_memory(const ploy_search *search, ploy_memory_fn fn, void *user);
