/// @file ploy/path/finder.h
/// The finder: one interface for everything that finds a path.
///
/// Grid searches, any-angle searches, meshes, graphs and hierarchies differ in what they store and
/// in what they can promise. A caller sees none of that: it begins a request, steps it with a
/// budget, and takes a ploy_path. A finder says before the search what it cannot serve, so that the
/// caller can try another one (ploy/path/planners.h does).
///
///     serves --> begin --> step, step, ... --> outcome --> path, states, cost
///                            peek: the best path so far      cancel: at any time
///
/// A finder stores the generation of the map, mesh or graph that its search began on. If that has
/// changed since, step, path and peek return PLOY_ERR_CHANGED and read nothing of it; begin starts
/// again on what is there now.
///
/// The type is shared and immutable, `self` is one search's memory. A factory makes as many finders
/// as are needed: searches that run at the same time need one each.
///
/// Units: metres. One unit of budget is one node taken from the open list, or what the search's own
/// header says. The same request gives the same path in one step or in a thousand.
/// Threads: one caller for each finder; several finders may share a map, which must not change
/// while one of them steps.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/json.h"
#include "ploy/exec/path_service.h"
#include "ploy/path/costs.h"
#include "ploy/search/space.h"

/// What a finder can do. The rest it refuses (serves) or does not have.
typedef enum ploy_finder_trait {
    PLOY_FINDER_OPTIMAL = 1,   ///< no path in its own measure costs less
    PLOY_FINDER_COSTS = 2,     ///< accepts a cost hook
    PLOY_FINDER_PREDICATE = 4, ///< accepts a goal by predicate
    PLOY_FINDER_PARTIAL = 8,   ///< without a path it leads to the nearest reachable point
    PLOY_FINDER_VARIETY = 16   ///< accepts a request's variety
} ploy_finder_trait;

/// The request. Plain data; start from ploy_finder_request_make().
typedef struct ploy_finder_request {
    ploy_path_request path; ///< from, to, radius, mask, agent
    /// Any state (cell, node, polygon) that satisfies this, the cheapest; `to` is not read then.
    /// NULL: the place.
    bool (*is_goal)(void *user, int32_t state);
    void *user;       ///< of is_goal
    uint32_t variety; ///< not 0: a different path for each number
    float vary;       ///< share by which estimates or prices vary then, 0 to 0.99
    bool partial;     ///< without a path, lead to the nearest reachable point if you can
} ploy_finder_request;

/// A request for a place, with every member set: no variety, not partial.
PLOY_API ploy_finder_request ploy_finder_request_make(const ploy_path_request *path);

/// What every finder keeps: the first member of its `self`. ploy_finder_begin and ploy_finder_step
/// write the first group, the type's begin, step and path the second.
typedef struct ploy_finder_state {
    ploy_finder_request request; ///< of the last begin
    ploy_cost_hook costs;        ///< likewise
    uint64_t generation;         ///< of what the search began on
    int64_t units;               ///< spent by the steps since begin
    bool begun;                  ///< there is a search: open or ended, not cancelled or changed
    // ---- the type's ----
    ploy_path_outcome outcome; ///< PLOY_PATH_OPEN while it is under way
    double cost;               ///< of the path found, in the finder's own measure
    int64_t taken, opened;     ///< nodes taken from the open list, and put on it
    int64_t work;              ///< units of work done; a search may be ahead of the units paid
    int32_t start, end;        ///< states of the path's ends; PLOY_STATE_NONE if there are none
    int32_t lead;              ///< points of the last path before that of the first state
} ploy_finder_state;

/// A kind of finder. Callbacks get `self`, whose first member is a ploy_finder_state. Those after
/// `generation` may be NULL.
typedef struct ploy_finder_type {
    const char *name;
    uint32_t traits; ///< ploy_finder_trait
    /// Begins the state's request with its hook. Sets the outcome if it is known already, else
    /// PLOY_PATH_OPEN. PLOY_ERR_UNSUPPORTED: it cannot serve this one after all.
    ploy_result (*begin)(void *self);
    /// Goes on. PLOY_OK: the outcome is set and is not PLOY_PATH_OPEN. PLOY_IN_PROGRESS: the budget
    /// is empty. An error ends the search.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// Writes the path of a search that ended with one into an empty path.
    ploy_result (*path)(void *self, ploy_path *path);
    /// Of what it would search now. Must not touch what may have been destroyed.
    uint64_t (*generation)(const void *self);
    /// Why it cannot serve a request, beyond what the traits say; NULL: it can.
    const char *(*serves)(const void *self, const ploy_finder_request *request,
                          const ploy_cost_hook *costs);
    void (*cancel)(void *self);
    /// The path to the nearest point reached so far; the search goes on as if it had not been
    /// called.
    ploy_result (*peek)(void *self, ploy_path *path);
    /// The states (cells, nodes, polygons) of the path, the start's first.
    int32_t (*states)(const void *self, int32_t *out, int32_t capacity);
    /// The state that a place is in, or PLOY_STATE_NONE. With it and states, paths can be cached.
    int32_t (*locate)(const void *self, ploy_vec3 place, const ploy_path_request *body);
    /// Is the straight line free for the body, and nowhere more expensive than elsewhere? With it,
    /// paths can be smoothed.
    bool (*clear)(const void *self, ploy_vec3 from, ploy_vec3 to, const ploy_path_request *body);
    void (*describe)(const void *self, ploy_describe *out);
    void (*draw)(const void *self, ploy_draw *out);
    void (*memory)(const void *self, ploy_memory_fn fn, void *user);
    void (*destroy)(void *self);
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
    const void *user; ///< the map, mesh or settings; read by make, and as its maker says
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

/// Why a finder cannot serve a request: a reason in words, or NULL if it can. Cheap: call it before
/// the search. @param costs  NULL: none.
PLOY_API const char *ploy_finder_serves(ploy_finder finder, const ploy_finder_request *request,
                                        const ploy_cost_hook *costs);

/// Begins a search; one under way is forgotten. The outcome may be known at once.
/// @param costs  copied; NULL: none.
/// @return PLOY_ERR_ARGUMENT for a request that is out of range, PLOY_ERR_UNSUPPORTED if serves has
///         a reason, PLOY_ERR_MEMORY. There is no search then.
PLOY_API ploy_result ploy_finder_begin(ploy_finder finder, const ploy_finder_request *request,
                                       const ploy_cost_hook *costs);
/// Goes on until the search ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). NULL: to the
/// end. @return PLOY_ERR_STATE without a search; PLOY_ERR_CHANGED if what it searches has changed,
/// or another error of the search: there is no search then.
PLOY_API ploy_result ploy_finder_step(ploy_finder finder, ploy_budget *budget);
/// Forgets the search.
PLOY_API void ploy_finder_cancel(ploy_finder finder);
/// begin, then step to the end.
PLOY_API ploy_result ploy_finder_run(ploy_finder finder, const ploy_finder_request *request,
                                     const ploy_cost_hook *costs);

/// Request, outcome, cost and statistics; NULL for none.
PLOY_API const ploy_finder_state *ploy_finder_state_of(ploy_finder finder);
/// PLOY_PATH_OPEN while it searches; PLOY_PATH_NONE without a search.
PLOY_API ploy_path_outcome ploy_finder_outcome(ploy_finder finder);
/// Writes the path that was found: its first point is the request's `from`, or the nearest point of
/// the floor. @return PLOY_ERR_STATE if there is none; PLOY_ERR_CHANGED, PLOY_ERR_MEMORY. The path
/// is empty then.
PLOY_API ploy_result ploy_finder_path(ploy_finder finder, ploy_path *path);
/// Writes the best path so far: to the nearest point reached. The search goes on unchanged.
/// @return PLOY_ERR_STATE without a search, PLOY_ERR_UNSUPPORTED if the finder has none,
///         PLOY_ERR_CHANGED, PLOY_ERR_MEMORY. The path is empty then.
PLOY_API ploy_result ploy_finder_peek(ploy_finder finder, ploy_path *path);
/// The states (cells, nodes, polygons) of the path that was found, the start's first.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @return how many there are, perhaps more than capacity, of which the last are left out; -1 if
///         there is no path or the finder keeps none.
PLOY_API int32_t ploy_finder_states(ploy_finder finder, int32_t *out, int32_t capacity);
/// The generation of what the finder would search now.
PLOY_API uint64_t ploy_finder_generation(ploy_finder finder);

/// Outcome, units and what the search describes. Nothing of a search that has changed.
PLOY_API void ploy_finder_describe(ploy_finder finder, ploy_describe *out);
/// What the search has reached, and its path.
PLOY_API void ploy_finder_draw(ploy_finder finder, ploy_draw *out);
PLOY_API void ploy_finder_memory(ploy_finder finder, ploy_memory_fn fn, void *user);

/// Visits a ploy_finder (ploy/base/visit.h): request and units spent. A load begins the request and
/// spends the units again, which gives the same search to the last bit; without memory for that
/// there is no search. Predicates and hooks are code: those of the finder's last begin stay. A load
/// fails with PLOY_ERR_CHANGED if the search was saved on another generation.
PLOY_API void ploy_finder_visit(ploy_visit *v, void *finder);
