/// @file ploy/decide/goap.h
/// Goal-oriented action planning: which actions, in which order, lead to the goal.
///
/// A ploy_goap_type is the domain: variables (bools, whole numbers of a range, choices) and actions
/// with their needs, changes and costs. It is built once, finished and shared. A world packs all
/// variables into a few 64-bit words, so that copying, comparing and hashing it is cheap; it may
/// hold what a character believes rather than the truth. A ploy_goap searches for plans:
///
///     method    finds                                            over
///     astar     the cheapest plan                                ploy/search/search.h
///     breadth   the fewest actions                               the same
///     greedy    some plan, quickly                               the same
///     ida       the cheapest, in little memory                   its own stack and table
///     value     within max_depth, the actions after which a      depth-first
///               number of yours (discontentment) is least
///
/// Forward search goes from the world to the goal. Backward search goes from the goal to the
/// conditions it needs, which is better when many actions are possible and few matter to the goal.
///
/// Techniques: Orkin, "Applying Goal-Oriented Action Planning to Games", 2003; Millington, "AI for
/// Games", 5.7 (value, IDA* with a table; follows the book's text where its listings differ). The
/// heuristics ignore negative effects: the largest (hmax) and the sum (hadd) of the costs of single
/// conditions, Bonet and Geffner 2001; the actions of a relaxed plan (FF), Hoffmann and Nebel 2001;
/// landmark cuts (LM-cut), Helmert and Domshlak 2009, the best that never overestimates.
///
/// Work is sliced: one unit of budget is one world expanded, or 4,096 parts of it: conditions and
/// changes of an action, 64-bit words of a world, facts and operators of an estimate. A unit may
/// exceed that by one action, never by more, however many actions and variables the domain has: the
/// search stops in the middle of a world and of an estimate and goes on there. Slices of one unit
/// find what one call finds. Begin takes time in proportion to the domain. A search that needs no
/// more memory than an earlier one allocates nothing. Threads: a finished type may be used by many
/// threads; a planner takes one caller at a time.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/base/writer.h"
#include "ploy/search/search.h"

/// Most values of a number or choice, most bits of a world, most conditions or effects of an
/// action.
#define PLOY_GOAP_VALUES_MAX 65536
#define PLOY_GOAP_BITS_MAX 65536
#define PLOY_GOAP_PARTS_MAX 4096

/// The domain. Opaque.
typedef struct ploy_goap_type ploy_goap_type;

/// A variable of one type. All zero means none.
typedef struct ploy_goap_var {
    uint32_t number;
} ploy_goap_var;

typedef enum ploy_goap_test {
    PLOY_GOAP_EQUAL,
    PLOY_GOAP_DIFFERENT,
    PLOY_GOAP_AT_LEAST,
    PLOY_GOAP_AT_MOST
} ploy_goap_test;

/// A condition on one variable. Bools are 0 and 1, choices count from 0.
typedef struct ploy_goap_need {
    ploy_goap_var var;
    ploy_goap_test test;
    int32_t value;
} ploy_goap_need;

/// A change of one variable: to a value or by a value, clamped to its range.
typedef struct ploy_goap_gain {
    ploy_goap_var var;
    bool add; ///< true: changes by the value, not to it
    int32_t value;
} ploy_goap_gain;

PLOY_API ploy_goap_need ploy_goap_need_make(ploy_goap_var var, ploy_goap_test test, int32_t value);
/// var = value.
PLOY_API ploy_goap_need ploy_goap_is(ploy_goap_var var, int32_t value);
PLOY_API ploy_goap_gain ploy_goap_set_to(ploy_goap_var var, int32_t value);
PLOY_API ploy_goap_gain ploy_goap_add_to(ploy_goap_var var, int32_t value);

/// An action. Start from ploy_goap_action_make().
typedef struct ploy_goap_action {
    const char *id;
    const ploy_goap_need *needs; ///< all must hold
    int32_t need_count;
    const ploy_goap_gain *gains; ///< of different variables
    int32_t gain_count;
    double cost; ///< 0 or more; with a price: the lower bound of the price
    /// Returns whether the action is possible in this world, for tests too complex for needs. NULL:
    /// always. Backward searches call it with the start world, the only world they have.
    bool (*allowed)(void *user, const ploy_goap_type *type, const uint64_t *world);
    /// Returns the cost in this world, `cost` or more; INFINITY: not possible. NULL: cost.
    double (*price)(void *user, const ploy_goap_type *type, const uint64_t *world);
    void *user;
} ploy_goap_action;

/// An action without needs and changes.
PLOY_API ploy_goap_action ploy_goap_action_make(const char *id, double cost);

/// Creates a domain without variables and actions. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_type_create(const ploy_env *env, ploy_goap_type **out);
/// NULL is allowed. Destroy its planners first.
PLOY_API void ploy_goap_type_destroy(ploy_goap_type *type);

/// Add variables; return none after a fault, which finish returns.
PLOY_API ploy_goap_var ploy_goap_type_bool(ploy_goap_type *type, const char *id);
PLOY_API ploy_goap_var ploy_goap_type_int(ploy_goap_type *type, const char *id, int32_t min,
                                          int32_t max);
/// The texts of the choices are names for people; copied.
PLOY_API ploy_goap_var ploy_goap_type_choice(ploy_goap_type *type, const char *id,
                                             const char *const *choices, int32_t count);
/// Adds an action; copied. @return its number, from 0; -1 after a fault.
PLOY_API int32_t ploy_goap_type_action(ploy_goap_type *type, const ploy_goap_action *action);
/// Finishes the domain. @return the first fault.
PLOY_API ploy_result ploy_goap_type_finish(ploy_goap_type *type);

/// Number of variables and of actions.
PLOY_API int32_t ploy_goap_type_vars(const ploy_goap_type *type);
PLOY_API int32_t ploy_goap_type_actions(const ploy_goap_type *type);
/// Number of 64-bit words in a world.
PLOY_API int32_t ploy_goap_type_words(const ploy_goap_type *type);
PLOY_API ploy_goap_var ploy_goap_type_find(const ploy_goap_type *type, const char *id);
/// -1 if there is none.
PLOY_API int32_t ploy_goap_type_find_action(const ploy_goap_type *type, const char *id);
/// "" for none.
PLOY_API const char *ploy_goap_type_action_id(const ploy_goap_type *type, int32_t action);
/// The action as it was added, with pointers into the type; false if there is none.
PLOY_API bool ploy_goap_type_action_at(const ploy_goap_type *type, int32_t action,
                                       ploy_goap_action *out);

/// Worlds: ploy_goap_type_words() words, owned by the caller. Sets every variable to its least
/// value.
PLOY_API void ploy_goap_world_clear(const ploy_goap_type *type, uint64_t *world);
/// Reads a variable; 0 for none.
PLOY_API int32_t ploy_goap_world_get(const ploy_goap_type *type, const uint64_t *world,
                                     ploy_goap_var var);
/// @return PLOY_ERR_ARGUMENT for no variable or a value out of its range.
PLOY_API ploy_result ploy_goap_world_set(const ploy_goap_type *type, uint64_t *world,
                                         ploy_goap_var var, int32_t value);
/// Applies the action: changes the world by its gains, without testing its needs.
PLOY_API void ploy_goap_world_apply(const ploy_goap_type *type, uint64_t *world, int32_t action);
/// Checks whether the plan is possible from the world and the goal holds at its end.
/// @param cost  cost of the plan; may be NULL.
/// @param scratch  room for two worlds.
/// @return the first step that is not possible, count if the goal does not hold, -1 if the plan is
///         valid.
PLOY_API int32_t ploy_goap_plan_check(const ploy_goap_type *type, const uint64_t *world,
                                      const ploy_goap_need *goal, int32_t goal_count,
                                      const int32_t *plan, int32_t count, uint64_t *scratch,
                                      double *cost);
/// Describes every variable under its id.
PLOY_API void ploy_goap_world_describe(const ploy_goap_type *type, const uint64_t *world,
                                       ploy_describe *out);

typedef enum ploy_goap_method {
    PLOY_GOAP_ASTAR,
    PLOY_GOAP_BREADTH,
    PLOY_GOAP_GREEDY,
    PLOY_GOAP_IDA
} ploy_goap_method;

typedef enum ploy_goap_heuristic {
    PLOY_GOAP_BLIND,    ///< 0
    PLOY_GOAP_COUNT,    ///< number of unmet conditions / the most that one action meets
    PLOY_GOAP_MAX,      ///< the most expensive single condition; never overestimates
    PLOY_GOAP_ADD,      ///< the sum of all; often overestimates; for greedy
    PLOY_GOAP_FF,       ///< the cost of a relaxed plan; sometimes overestimates; for greedy
    PLOY_GOAP_LANDMARKS ///< LM-cut: expensive, and the closest of those that never overestimate
} ploy_goap_heuristic;

typedef struct ploy_goap_def {
    uint32_t cookie;
    ploy_goap_method method;
    ploy_goap_heuristic heuristic;
    bool backward;      ///< from the goal; only astar, breadth, greedy. LM-cut becomes max, FF add
    double weight;      ///< of the heuristic, in astar
    int32_t max_depth;  ///< longest plan of ida and value
    int32_t max_states; ///< most worlds of the other methods
    int32_t table;      ///< worlds in ida's table; 0: no table
    bool anytime;       ///< value: shorter plans count too, not only dead ends and full ones
    bool prune;         ///< value: never takes an action that raises the value
} ploy_goap_def;

PLOY_API ploy_goap_def ploy_goap_def_default(void);
PLOY_API ploy_fields ploy_goap_fields(void);

/// A planner. Opaque.
typedef struct ploy_goap ploy_goap;

/// @param type  finished; must outlive the planner.
PLOY_API ploy_result ploy_goap_create(const ploy_goap_def *def, const ploy_goap_type *type,
                                      const ploy_env *env, ploy_goap **out);
/// NULL is allowed.
PLOY_API void ploy_goap_destroy(ploy_goap *goap);

/// Begins a search for a plan; world and goal are copied.
/// @return PLOY_ERR_ARGUMENT if a condition has no variable, PLOY_ERR_UNSUPPORTED for a backward
///         search over `different` inside a range, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_begin(ploy_goap *goap, const uint64_t *world,
                                     const ploy_goap_need *goal, int32_t count);
/// Begins a search for at most max_depth actions after which `value` is least.
PLOY_API ploy_result ploy_goap_begin_value(ploy_goap *goap, const uint64_t *world,
                                           double (*value)(void *user, const ploy_goap_type *type,
                                                           const uint64_t *world),
                                           void *user);
/// Searches until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS); as
/// ploy_search_step.
PLOY_API ploy_result ploy_goap_step(ploy_goap *goap, ploy_budget *budget);
/// Stops the search.
PLOY_API void ploy_goap_cancel(ploy_goap *goap);
/// Calls begin, then step until the search is finished.
PLOY_API ploy_result ploy_goap_run(ploy_goap *goap, const uint64_t *world,
                                   const ploy_goap_need *goal, int32_t count);
/// Returns the planner as a task, for schedulers of long work.
PLOY_API ploy_task ploy_goap_task(ploy_goap *goap);

/// FOUND, NONE (there is no plan), PRUNED (none within the limits), OPEN or IDLE.
PLOY_API ploy_search_outcome ploy_goap_outcome(const ploy_goap *goap);
/// The actions of the plan. @param out  room for capacity actions; may be NULL if capacity is 0.
/// @return the length of the plan, which may exceed capacity; -1 if there is no plan.
PLOY_API int32_t ploy_goap_plan(const ploy_goap *goap, int32_t *out, int32_t capacity);
/// Cost of the plan; for a value search, the least value.
PLOY_API double ploy_goap_cost(const ploy_goap *goap);

typedef struct ploy_goap_stats {
    int64_t taken;      ///< worlds expanded
    int64_t edges;      ///< actions applied in the search
    int64_t estimates;  ///< heuristics computed
    int64_t remembered; ///< worlds that ida skipped because of its table
    int32_t rounds;     ///< of ida
    int32_t states;     ///< different worlds kept
    double limit;       ///< of ida's last round
    int64_t work;       ///< parts of actions and worlds, facts and operators looked at
} ploy_goap_stats;
/// Statistics of the planner since begin.
PLOY_API ploy_goap_stats ploy_goap_stats_of(const ploy_goap *goap);

/// Explains why there is no plan. From the world and goal of the last begin, finds the conditions
/// that no actions could achieve even if nothing were ever undone, and traces each to its cause: a
/// missing action, or a need that nothing meets. Writes one sentence per line.
/// @return the number of goal conditions that cannot be reached; 0 if each can be reached alone, so
///         that they conflict with each other (or a limit was too small).
PLOY_API int32_t ploy_goap_explain(ploy_goap *goap, ploy_writer *writer);

/// Writes the plan as text, with the costs of its worlds, to a trace; also reports that there is
/// none.
PLOY_API void ploy_goap_trace(ploy_goap *goap, ploy_agent_id agent, ploy_trace *trace);
PLOY_API void ploy_goap_describe(const ploy_goap *goap, ploy_describe *out);
PLOY_API void ploy_goap_memory(const ploy_goap *goap, ploy_memory_fn fn, void *user);

/// The transposition table of ida as a separate object: a fixed number of places, one world each.
typedef struct ploy_goap_table ploy_goap_table;
/// @param words  number of 64-bit words of a world. @param places  1 or more.
PLOY_API ploy_result ploy_goap_table_create(int32_t words, int32_t places, const ploy_env *env,
                                            ploy_goap_table **out);
/// NULL is allowed.
PLOY_API void ploy_goap_table_destroy(ploy_goap_table *table);
/// Removes all worlds, in O(1).
PLOY_API void ploy_goap_table_clear(ploy_goap_table *table);
/// Stores a world with a depth and cost. An equal world is replaced at a smaller depth, or at the
/// same depth and a smaller cost; a different world only at a smaller depth, because worlds near
/// the root save more.
PLOY_API void ploy_goap_table_add(ploy_goap_table *table, const uint64_t *world, int32_t depth,
                                  double cost);
/// Returns whether a world is stored. @param depth, cost  those stored with the world; may be NULL.
PLOY_API bool ploy_goap_table_has(const ploy_goap_table *table, const uint64_t *world,
                                  int32_t *depth, double *cost);
