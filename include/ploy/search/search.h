/// @file ploy/search/search.h
/// The search: one object for every method of finding a path through a state space.
///
/// `method` selects the technique. All methods share create, begin, step, cancel, outcome, path and
/// statistics, so a caller that can run one can run all of them.
///
///     method          technique                            for
///     best first      A* and its relatives (see below)     nearly everything
///     depth limited   depth first down to max_depth        what is at most that many edges away
///     deepening       iterative deepening                  fewest edges, memory of one path
///     ida*            IDA*, with or without a table        cheapest path, memory of one path
///     sma*            SMA* in `capacity` states            cheapest path that fits into memory
///     bidirectional   two fills that meet                  spaces without a good estimate
///     lpa*            lifelong planning A*                 one query while edge costs change
///     d* lite         D* Lite                              the same, and the start moves
///
/// Best first takes the first open state, tests it for the goal, closes it and opens the states
/// that its edges lead to. The order in which states are taken gives the textbook searches:
///
///     settings                        gives
///     order best, weight 0            Dijkstra: to a goal, to all, to the nearest of a kind
///     order best, weight 1            A*
///     order best, weight above 1      weighted A*: at most that factor too long, much faster
///     ... with weight_step            anytime repairing A*: a path soon, a better one later
///     ... with frontier               beam search, simplified SMA*: a bounded open list
///     ... with open fringe            fringe search: A* without keeping an order
///     order greedy                    best-first by the estimate alone
///     order breadth, depth            uninformed
///
/// What each method supports; begin refuses the rest with PLOY_ERR_UNSUPPORTED and a log line:
///
///                     several   backward   goal by     no goal:     allow   changed   move
///                     starts               predicate   reach all
///     best first      yes       yes        yes         yes          yes     -         -
///     depth limited,  -         -          yes         -            yes     -         -
///       deepening, ida*
///     sma*            -         -          yes         -            yes     -         -
///     bidirectional   -         -          -           -            yes     -         -
///     lpa*            -         -          -           -            -       yes       -
///     d* lite         -         -          -           -            -       yes       yes
///
/// Bidirectional, lpa* and d* lite need a space with expand_back, and estimates between any two
/// states. With estimates that are never too large, best first (by default), ida* (limit_step 0),
/// sma* (if nothing was cut off) and bidirectional find the cheapest path; lpa* and d* lite need
/// consistent estimates: no larger than the cost of an edge plus the estimate at its end.
///
/// A search is resumed by counted work: one unit is one state taken (deepening methods: visited;
/// sma*: created). The same query gives the same order of states, path and statistics in one step
/// or in a thousand, with any ordered kind of open list. Ties go to the state further along (larger
/// cost so far), then to the lower state.
///
/// Techniques: Dijkstra 1959; Hart, Nilsson, Raphael 1968 (A*), with closed states re-opened when a
/// cheaper path to them appears, as inconsistent estimates need; Likhachev, Gordon, Thrun 2003
/// (ARA*); Pohl's weight; the termination rules of Millington, "AI for Games", chapter 4. Korf,
/// "Depth-First Iterative-Deepening", 1985 (states exactly at the limit are within it); the table
/// after Reinefeld and Marsland, 1994. Russell, "Efficient Memory-Bounded Search Methods", 1992,
/// with a value kept for each forgotten child and states already on the path skipped. Nicholson
/// 1966 and Pohl 1971 for two fills that meet; both continue until no path through an open state
/// can be cheaper than the best meeting. Koenig, Likhachev and Furcy, "Lifelong Planning A*", 2004;
/// Koenig and Likhachev, "D* Lite", 2002, the optimised version, which serves the purpose of D* and
/// focused D* (Stentz 1994, 1995). This implementation compares costs first and edge counts second,
/// so edges may cost 0.
///
/// Memory: best first and bidirectional 48 bytes a state (and side) and 28 in the open list,
/// allocated for all states of the space (flat) or in pages as states are reached; lpa* and d* lite
/// 56 bytes a state; deepening methods depth x branching edges; sma* capacity x (80 + 12 x
/// branching) bytes. A search that needs no more memory than an earlier one allocates nothing.
/// Threads: one caller at a time; several searches may share a space.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/search/open_list.h"
#include "ploy/search/space.h"
#include "ploy/search/states.h"

typedef enum ploy_search_method {
    PLOY_SEARCH_METHOD_BEST_FIRST,
    PLOY_SEARCH_METHOD_DEPTH_LIMITED,
    PLOY_SEARCH_METHOD_DEEPENING,
    PLOY_SEARCH_METHOD_IDA_STAR,
    PLOY_SEARCH_METHOD_SMA_STAR,
    PLOY_SEARCH_METHOD_BIDIRECTIONAL,
    PLOY_SEARCH_METHOD_LPA_STAR,
    PLOY_SEARCH_METHOD_D_STAR_LITE,
    PLOY_SEARCH_METHOD_COUNT
} ploy_search_method;

/// "best first", "depth limited", "deepening", "ida*", "sma*", "bidirectional", "lpa*", "d* lite";
/// "?" for any other value.
PLOY_API const char *ploy_search_method_text(ploy_search_method method);
/// Finds a method by name. @return false, leaving out alone, if there is none.
PLOY_API bool ploy_search_method_find(const char *text, ploy_search_method *out);

typedef enum ploy_search_order {
    PLOY_SEARCH_BEST,    ///< cost so far + weight x estimate
    PLOY_SEARCH_GREEDY,  ///< the estimate alone
    PLOY_SEARCH_BREADTH, ///< first seen, first taken: fewest edges
    PLOY_SEARCH_DEPTH    ///< last seen, first taken; follows a state's first edge
} ploy_search_order;

typedef enum ploy_search_stop {
    /// When a goal is taken from the open list: optimal if no estimate is too large.
    PLOY_SEARCH_STOP_SELECTED,
    /// When a goal is first seen: ends sooner, but the path may be longer.
    PLOY_SEARCH_STOP_SEEN,
    /// When no cheaper path can be left, whatever the estimates: always optimal, and the slowest.
    PLOY_SEARCH_STOP_PROVEN
} ploy_search_stop;

typedef enum ploy_search_storage {
    PLOY_SEARCH_FLAT, ///< a record for every state: fastest
    PLOY_SEARCH_PAGES ///< records in pages, allocated as states are reached: for large spaces
} ploy_search_storage;

/// Which repeated states are skipped by methods that keep only the current path.
typedef enum ploy_search_cycles {
    PLOY_SEARCH_CYCLES_PATH,   ///< no state twice on a path
    PLOY_SEARCH_CYCLES_PARENT, ///< no step straight back: cheaper to check, often enough
    PLOY_SEARCH_CYCLES_ALLOWED ///< for spaces without cycles
} ploy_search_cycles;

/// Settings. A method ignores those that do not name it, except that create refuses order, stop,
/// weight_step and frontier other than the default with a method that cannot honour them.
typedef struct ploy_search_def {
    uint32_t cookie;
    ploy_search_method method;
    ploy_search_order order; ///< best first
    ploy_open_kind open;     ///< best first (order best, greedy), bidirectional, lpa*, d* lite
    double bucket_width;     ///< of PLOY_OPEN_BUCKETS
    /// Weight of the estimate; depth limited and deepening ignore it. At most 1 for bidirectional,
    /// lpa* and d* lite.
    double weight;
    double weight_step; ///< best first; above 0: lower the weight after each path and continue
    bool reopen;  ///< best first, bidirectional: reopen closed states if a cheaper path appears
    bool pathmax; ///< best first, bidirectional: keep estimates >= the parent's minus the edge
    bool last_edge_first;        ///< best first, order depth: follow the last edge of a state
    ploy_search_stop stop;       ///< best first
    ploy_search_storage storage; ///< best first, bidirectional
    double max_cost;             ///< all but lpa*, d* lite: states further than this are not opened
    int32_t max_states; ///< best first, bidirectional (each side): most states reached, then PRUNED
    int32_t frontier;   ///< best first: limit of open states, 0 for none; drops the worst
    bool frontier_grow; ///< restart with twice the frontier if no path was found
    /// Limit of the first round: edges in deepening, cost + estimate in ida*. Raised to the start's
    /// value.
    double first_limit;
    double limit_step; ///< deepening, ida*: least rise of the limit; fewer rounds, costlier path
    int32_t max_depth; ///< depth limited, deepening, ida*: longest path, in edges
    ploy_search_cycles cycles; ///< depth limited, deepening, ida*
    int32_t table;    ///< depth limited, deepening, ida*: states remembered within a round; 0: none
    int32_t capacity; ///< sma*: states kept at once; no path can be longer
    int32_t branching; ///< sma*: most edges out of a state; PLOY_ERR_LIMIT beyond
} ploy_search_def;

PLOY_API ploy_search_def ploy_search_def_default(void);
PLOY_API ploy_fields ploy_search_fields(void);

/// Opaque.
typedef struct ploy_search ploy_search;

/// Creates an idle search.
/// @return PLOY_ERR_ARGUMENT for a setting out of range or settings that cannot work together (the
///         log says which), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_create(const ploy_search_def *def, const ploy_env *env,
                                        ploy_search **out);
/// NULL is allowed.
PLOY_API void ploy_search_destroy(ploy_search *search);

/// Makes room for searches in a space of that many states, so that no step of the best-first method
/// with flat storage allocates. The other methods and storages still grow as they need to.
/// @return PLOY_ERR_ARGUMENT if states is negative, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_reserve(ploy_search *search, int32_t states);

/// Where a search begins.
typedef struct ploy_search_start {
    int32_t state;
    double cost; ///< already paid, 0 or more; must be 0 for lpa* and d* lite
} ploy_search_start;

/// What to search for. Start from ploy_search_query_make(). begin copies the query and reads the
/// array of starts; what the other pointers point to must stay valid.
typedef struct ploy_search_query {
    const ploy_space *space;
    const ploy_search_start *starts;
    int32_t start_count;
    int32_t goal; ///< or PLOY_STATE_NONE
    /// Returns true if a state is a goal. May be NULL. Without this and without a goal, the search
    /// reaches every state it can.
    bool (*is_goal)(void *user, int32_t state);
    /// Returns true if a state may be entered. NULL: every state. For exclusions and corridors.
    bool (*allow)(void *user, int32_t state);
    void *user;
    bool backward; ///< follows edges into states: the cost to get here from everywhere
    /// The space's states, if the search may remove those it no longer holds. Depth limited,
    /// deepening and ida* then need memory for depth x branching states only, and compare states by
    /// their bytes. They remove the states found last, so nothing else may add states while the
    /// search runs. Other methods ignore this. May be NULL.
    ploy_states *states;
} ploy_search_query;

/// Makes a query from one state (borrowed until begin) to another.
PLOY_API ploy_search_query ploy_search_query_make(const ploy_space *space,
                                                  const ploy_search_start *start, int32_t goal);

/// Discards the last search and begins another.
/// @return PLOY_ERR_ARGUMENT for a query without space or start, a state or cost out of range, or a
///         space without expand_back where it is needed; PLOY_ERR_UNSUPPORTED if the method cannot
///         serve the query (the log gives the reason); PLOY_ERR_MEMORY. The search is idle then.
PLOY_API ploy_result ploy_search_begin(ploy_search *search, const ploy_search_query *query);

/// Searches until finished (PLOY_OK: read the outcome) or until the budget is empty
/// (PLOY_IN_PROGRESS). budget NULL: until finished.
/// @return PLOY_ERR_STATE if the search is idle; the error of expand; PLOY_ERR_CALLBACK if an
///         edge or estimate breaks the contract (the log names it); PLOY_ERR_LIMIT for a state
///         with more edges than sma* has room for; PLOY_ERR_MEMORY. After an error the search is
///         idle until the next begin.
PLOY_API ploy_result ploy_search_step(ploy_search *search, ploy_budget *budget);

/// Stops the search; results found so far can still be read.
PLOY_API void ploy_search_cancel(ploy_search *search);

/// Calls begin, then steps to the end.
PLOY_API ploy_result ploy_search_run(ploy_search *search, const ploy_search_query *query);

/// Returns the search as a task, for schedulers of long-running work.
PLOY_API ploy_task ploy_search_task(ploy_search *search);

/// Reports that an edge from one state to another appeared, disappeared or changed its cost. The
/// space must already return the new cost. Cheap: the next step does the work, and only where the
/// change matters. Also allowed between the slices of a step.
/// @return PLOY_ERR_UNSUPPORTED unless the method is lpa* or d* lite; PLOY_ERR_STATE before begin;
///         PLOY_ERR_ARGUMENT; the error of expand; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_changed(ploy_search *search, int32_t from, int32_t to);

/// Moves the start, as the agent moves along its path. Step then updates the path.
/// @return PLOY_ERR_UNSUPPORTED unless the method is d* lite; PLOY_ERR_STATE before begin;
///         PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_move(ploy_search *search, int32_t start);

typedef enum ploy_search_outcome {
    PLOY_SEARCH_IDLE,  ///< not begun, cancelled or failed
    PLOY_SEARCH_OPEN,  ///< still searching
    PLOY_SEARCH_FOUND, ///< a goal was reached; without a goal: every reachable state was
    PLOY_SEARCH_NONE,  ///< there is no path
    PLOY_SEARCH_PRUNED ///< not found, but a limit cut something off: frontier, states, depth, cost
} ploy_search_outcome;

/// "idle", "open", "found", "none", "pruned".
PLOY_API const char *ploy_search_outcome_text(ploy_search_outcome outcome);
PLOY_API ploy_search_outcome ploy_search_outcome_of(const ploy_search *search);

/// The goal that was reached; an anytime search sets it with its first path. PLOY_STATE_NONE
/// before.
PLOY_API int32_t ploy_search_goal(const ploy_search *search);
/// The reached state with the least estimate (among equals the cheapest, then the lowest): where to
/// go while the search runs, or if there is no path. Best first, and the forward side of
/// bidirectional; PLOY_STATE_NONE for other methods and before begin.
PLOY_API int32_t ploy_search_nearest(const ploy_search *search);

/// The edges from a start to a state, in the order of travel, even for a backward search; each
/// leads to its `to`. The state is the goal (ploy_search_goal), or
///     best first                        any state that was reached
///     depth limited, deepening, ida*    any state on the current path
///     sma*                              any state in memory
///     bidirectional                     any state that the forward side reached
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @param cost  of the whole path, including the start's cost; during an anytime search
///              it may have dropped since. May be NULL.
/// @return the number of edges, even if above capacity (the last edges are then left out); 0
///         for a start; -1 if there is no such path.
PLOY_API int32_t ploy_search_path(const ploy_search *search, int32_t state, ploy_edge *out,
                                  int32_t capacity, double *cost);

typedef enum ploy_search_status {
    PLOY_SEARCH_UNSEEN,
    PLOY_SEARCH_SEEN, ///< on the open list
    PLOY_SEARCH_CLOSED
} ploy_search_status;

/// What the search has stored about a state.
typedef struct ploy_search_node {
    ploy_search_status status;
    int32_t parent; ///< the previous state; PLOY_STATE_NONE for a start, and in lpa* and d* lite
    int32_t label;  ///< of the edge from the parent
    int32_t start;  ///< the state where the path begins
    /// Cost so far. In d* lite, and for states reached only by the backward side of bidirectional:
    /// cost to the goal.
    double cost;
    double estimate;
} ploy_search_node;

/// @return false, leaving out alone, if the state was not reached. O(1) in best first,
///         bidirectional (plus the path's length), lpa* and d* lite; others scan the states they
///         hold.
PLOY_API bool ploy_search_get(const ploy_search *search, int32_t state, ploy_search_node *out);
/// The number of states that the search holds, and each state by index, in the order first seen.
/// Bidirectional lists the forward side, then the backward side; deepening methods hold the current
/// path, sma* the states in memory.
PLOY_API int32_t ploy_search_reached(const ploy_search *search);
PLOY_API int32_t ploy_search_reached_at(const ploy_search *search, int32_t index);

typedef struct ploy_search_stats {
    int64_t taken;      ///< states taken, visited by deepening methods, worked on by sma*
    int64_t opened;     ///< states put on the open list; created by sma*
    int64_t reopened;   ///< of those, previously closed; previously forgotten by sma*
    int64_t edges;      ///< edges examined
    int64_t estimates;  ///< calls of estimate
    int64_t forgotten;  ///< states dropped by the frontier, or by sma* for lack of room
    int64_t remembered; ///< states skipped because a deepening method's table had them
    double limit;       ///< of a deepening method's current round
    int32_t rounds;     ///< of a deepening method
    int32_t peak_open;  ///< most states open at once; for sma*, in memory at once
} ploy_search_stats;

/// Statistics since begin.
PLOY_API ploy_search_stats ploy_search_stats_of(const ploy_search *search);

/// Writes the outcome, statistics, the open list's length and a hash of all records.
PLOY_API void ploy_search_describe(const ploy_search *search, ploy_describe *out);
PLOY_API void ploy_search_memory(const ploy_search *search, ploy_memory_fn fn, void *user);
