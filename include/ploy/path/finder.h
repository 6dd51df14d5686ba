/// @file ploy/path/finder.h
/// The finder: one interface for everything that finds a path.
///
/// Grid searches, any-angle searches, meshes, graphs and hierarchies differ in what they store and
/// in what they can promise. The caller does not see that: it begins a request, steps it with a
/// budget and takes a ploy_path. A finder reports before the search what it cannot serve, so that
/// the caller can try another one (ploy/path/planners.h does).
///
///     serves --> begin --> step, step, ... --> outcome --> path, states, cost
///                            peek: the best path so far      cancel: at any time
///
/// A finder stores the generation of the map, mesh or graph that its search began on. If that
/// generation has changed, step, path and peek return PLOY_ERR_CHANGED without reading the data;
/// begin starts again on the current data.
///
/// The type is shared and immutable; `self` holds the memory of one search. A factory makes as many
/// finders as are needed: searches that run at the same time need one each.
///
/// Units: metres. One unit of budget is one node taken from the open list, unless the search's own
/// header says otherwise. The same request gives the same path in one step or in a thousand.
/// Threads: one caller for each finder; several finders may share a map, which must not change
/// while one of them steps.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/json.h"
#include "ploy/exec/path_service.h"
#include "ploy/path/costs.h"
#include "ploy/search/space.h"

/// What a finder can do. It refuses everything else (serves).
typedef enum ploy_finder_trait {
    PLOY_FINDER_OPTIMAL = 1,   ///< no path in its own measure costs less
    PLOY_FINDER_COSTS = 2,     ///< accepts a cost hook
    PLOY_FINDER_PREDICATE = 4, ///< accepts a goal by predicate
    PLOY_FINDER_PARTIAL = 8,   ///< if there is no path, leads to the nearest reachable point
    PLOY_FINDER_VARIETY = 16,  ///< accepts a request's variety
    PLOY_FINDER_AGENT = 32     ///< the path depends on the agent or the time: it is not shared
} ploy_finder_trait;

/// The request. Plain data; start from ploy_finder_request_make().
typedef struct ploy_finder_request {
    ploy_path_request path; ///< from, to, radius, mask, agent
    /// The goal is the cheapest state (cell, node, polygon) that satisfies this, and `to` is not
    /// read. NULL: the goal is `to`.
    bool (*is_goal)(void *user, int32_t state);
    void *user;       ///< of is_goal
    uint32_t variety; ///< not 0: a different path for each number
    float vary;       ///< share by which estimates or prices then vary, 0 to 0.99
    bool partial;     ///< if there is no path, lead to the nearest reachable point if supported
} ploy_finder_request;

/// A request for a place, with every member set: no variety, not partial.
PLOY_API ploy_finder_request ploy_finder_request_make(const ploy_path_request *path);

/// State common to all finders: the first member of `self`. ploy_finder_begin and ploy_finder_step
/// write the first group of members; the type's begin, step and path write the second.
typedef struct ploy_finder_state {
    ploy_finder_request request; ///< of the last begin
    ploy_cost_hook costs;        ///< likewise
    uint64_t generation;         ///< of what the search began on
    int64_t units;               ///< spent by the steps since begin
    bool begun;                  ///< a search exists: open or ended, not cancelled or changed
    // ---- written by the type ----
    ploy_path_outcome outcome; ///< PLOY_PATH_OPEN while the search runs
    double cost;               ///< of the path found, in the finder's own measure
    int64_t taken, opened;     ///< nodes taken from the open list, and put on it
    int64_t work;              ///< units of work done; a search may be ahead of the units paid
    int32_t start, end;        ///< states of the path's ends; PLOY_STATE_NONE if there are none
    int32_t lead;              ///< number of points of the last path before the first state's point
} ploy_finder_state;

/// A kind of finder. Callbacks get `self`, whose first member is a ploy_finder_state. Callbacks
/// after `generation` may be NULL.
typedef struct ploy_finder_type {
    const char *name;
    uint32_t traits; ///< ploy_finder_trait
    /// Begins the state's request with its hook. Sets the outcome if it is already known, otherwise
    /// PLOY_PATH_OPEN. PLOY_ERR_UNSUPPORTED: the finder cannot serve this request after all.
    ploy_result (*begin)(void *self);
    /// Continues the search. PLOY_OK: the outcome is set and is not PLOY_PATH_OPEN.
    /// PLOY_IN_PROGRESS: the budget is empty. An error ends the search.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// Writes the path that the search found into an empty path.
    ploy_result (*path)(void *self, ploy_path *path);
    /// Returns the generation of the data it would search now. Must not access data that may have
    /// been destroyed.
    uint64_t (*generation)(const void *self);
    /// Returns why it cannot serve a request, beyond what the traits say; NULL if it can.
    const char *(*serves)(const void *self, const ploy_finder_request *request,
                          const ploy_cost_hook *costs);
    void (*cancel)(void *self);
    /// Writes the path to the nearest point reached so far. The search is not affected.
    ploy_result (*peek)(void *self, ploy_path *path);
    /// Returns the states (cells, nodes, polygons) of the path, beginning at the start.
    int32_t (*states)(const void *self, int32_t *out, int32_t capacity);
    /// Returns the state that contains a place, or PLOY_STATE_NONE. Caching paths requires this and
    /// `states`.
    int32_t (*locate)(const void *self, ploy_vec3 place, const ploy_path_request *body);
    /// Returns true if the straight line is free for the body and nowhere more expensive than
    /// elsewhere. Smoothing paths requires this.
    bool (*clear)(const void *self, ploy_vec3 from, ploy_vec3 to, const ploy_path_request *body);
    void (*describe)(const void *self, ploy_describe *out);
    void (*draw)(const void *self, ploy_draw *out);
    void (*memory)(const void *self, ploy_memory_fn fn, void *user);
    void (*destroy)(void *self);
    /// Makes room for any search of the data as it is now, so that none allocates.
    ploy_result (*reserve)(void *self);
} ploy_finder_type;

typedef struct ploy_finder {
    const ploy_finder_type *type; ///< NULL means none
    void *self;
} ploy_finder;

/// Makes finders of one kind on one map. Plain data, copied by the code that keeps it.
typedef struct ploy_finder_factory {
    /// @return PLOY_ERR_ARGUMENT (the log names the fault), PLOY_ERR_MEMORY.
    ploy_result (*make)(const struct ploy_finder_factory *factory, const ploy_env *env,
                        ploy_finder *out);
    const void *user; ///< the map, mesh or settings; read by make; its creator says for how long
    int32_t variant;  ///< which of several algorithms
    uint32_t traits;  ///< of the finders it makes
    const char *name; ///< "jps"
    const char *help; ///< one line
} ploy_finder_factory;

/// Makes a finder. @param out  none on failure.
PLOY_API ploy_result ploy_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                      ploy_finder *out);
/// None is allowed.
PLOY_API void ploy_finder_destroy(ploy_finder finder);

/// Returns the reason why a finder cannot serve a request, as text, or NULL if it can. Cheap; call
/// it before the search. @param costs  NULL: none.
PLOY_API const char *ploy_finder_serves(ploy_finder finder, const ploy_finder_request *request,
                                        const ploy_cost_hook *costs);

/// Begins a search and drops any search under way. The outcome may be known at once.
/// @param costs  copied; NULL: none.
/// @return PLOY_ERR_ARGUMENT for a request that is out of range, PLOY_ERR_UNSUPPORTED if serves has
///         a reason, PLOY_ERR_MEMORY. There is no search then.
PLOY_API ploy_result ploy_finder_begin(ploy_finder finder, const ploy_finder_request *request,
                                       const ploy_cost_hook *costs);
/// Continues until the search ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). A NULL
/// budget runs to the end. @return PLOY_ERR_STATE without a search; PLOY_ERR_CHANGED if the
/// searched data has changed, or another error of the search: there is no search then.
PLOY_API ploy_result ploy_finder_step(ploy_finder finder, ploy_budget *budget);
/// Drops the search.
PLOY_API void ploy_finder_cancel(ploy_finder finder);
/// Begins a search and steps it to the end.
PLOY_API ploy_result ploy_finder_run(ploy_finder finder, const ploy_finder_request *request,
                                     const ploy_cost_hook *costs);

/// Returns request, outcome, cost and statistics; NULL for no finder.
PLOY_API const ploy_finder_state *ploy_finder_state_of(ploy_finder finder);
/// PLOY_PATH_OPEN while the search runs; PLOY_PATH_NONE without a search.
PLOY_API ploy_path_outcome ploy_finder_outcome(ploy_finder finder);
/// Writes the path that was found: its first point is the request's `from`, or the nearest point of
/// the floor. @return PLOY_ERR_STATE if there is none; PLOY_ERR_CHANGED, PLOY_ERR_MEMORY. The path
/// is empty then.
PLOY_API ploy_result ploy_finder_path(ploy_finder finder, ploy_path *path);
/// Writes the best path so far, which leads to the nearest point reached. The search is not
/// affected.
/// @return PLOY_ERR_STATE without a search, PLOY_ERR_UNSUPPORTED if the finder has none,
///         PLOY_ERR_CHANGED, PLOY_ERR_MEMORY. The path is empty then.
PLOY_API ploy_result ploy_finder_peek(ploy_finder finder, ploy_path *path);
/// Returns the states (cells, nodes, polygons) of the path that was found, beginning at the start.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @return their number, which may exceed capacity (the last are then left out); -1 if
///         there is no path or the finder keeps none.
PLOY_API int32_t ploy_finder_states(ploy_finder finder, int32_t *out, int32_t capacity);
/// Returns the generation of the data that the finder would search now.
PLOY_API uint64_t ploy_finder_generation(ploy_finder finder);

/// Describes outcome, units and search. Omits a search whose data has changed.
PLOY_API void ploy_finder_describe(ploy_finder finder, ploy_describe *out);
/// Draws what the search has reached, and its path.
PLOY_API void ploy_finder_draw(ploy_finder finder, ploy_draw *out);
PLOY_API void ploy_finder_memory(ploy_finder finder, ploy_memory_fn fn, void *user);

/// Visits a ploy_finder (ploy/base/visit.h): request and units spent. A load begins the request and
/// spends the same units again, which reproduces the search bit for bit; if memory runs out, there
/// is no search. Predicates and hooks are code and are not saved: those of the finder's last begin
/// stay in use. A load fails with PLOY_ERR_CHANGED if the search was saved on another generation.
PLOY_API void ploy_finder_visit(ploy_visit *v, void *finder);
