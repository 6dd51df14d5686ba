/// @file ploy/exec/scheduler.h
/// A scheduler: which items are due in a tick, in what order, and how many units each may spend.
///
/// It does not depend on behaviors: items are numbers (0, 1, 2, ...) chosen by the caller, each
/// with a ploy_schedule. Engines, groups and a game's own loop use it alike:
///
///     ploy_scheduler_begin(scheduler, tick, units);
///     ploy_turn turn;
///     while (ploy_scheduler_next(scheduler, &turn)) {
///         int64_t spent = run(turn.item, turn.allowed);
///         ploy_scheduler_report(scheduler, turn.item, spent);
///     }
///     ploy_scheduler_end(scheduler);
///
/// Due: an item is due when (tick + phase) mod period is 0. A postponed turn stays due until it
/// takes place.
///
/// Order: postponed turns come first, the longest waiting first. Next are items whose last turn is
/// max_interval or more ticks ago. The other due items follow by rising number; if a turn was
/// postponed in the tick before, they begin after the last item that had a turn, else at 0. Under
/// PLOY_POLICY_REQUEST the order is: items postponed `patience` times, the longest waiting first,
/// then by falling priority, then the longest waiting, then by number.
///
/// Share: the policy decides. Every turn costs the reported units, at least 1. When the units are
/// used up, the remaining turns are postponed; so is a turn whose least slice exceeds what is left,
/// unless it is the first of the tick, which always takes place. A tick therefore exceeds its units
/// by at most one turn.
///
/// Starvation: if every tick has at least one unit, N items wait at most N - 1 ticks from the tick
/// in which they are due until their turn (N - 1 + patience under PLOY_POLICY_REQUEST), whatever
/// the others do. From turn to turn that is period + N - 1 ticks.
///
/// Shares are counted in units, so that a tick is the same on every machine. A game that has
/// milliseconds converts them first: ploy/exec/pace.h.
///
/// Techniques: Millington, "AI for Games", 3rd ed. 2019, chapter 10: frequency scheduling with
/// phases in its direct-access form, load balancing, priority, request and adaptive policies, with
/// the listings' modulo and sums corrected; automatic phasing after Wright and Marshall,
/// "Egocentric AI Processing for Computer Entertainment", 2000. Differences: long periods wait in a
/// heap instead of as many lists; postponed turns and their order are ours.
///
/// Cost: begin O(p + due x log p + long x log N), with p different periods up to
/// PLOY_SCHEDULER_DIRECT_MAX and `long` the due items with longer ones; items that are not due cost
/// nothing. The rest is O(1), but for adding (the walk to its place in a list, and with auto_phase
/// the look-ahead). Memory: one record an item, and two numbers for each tick of a period in use.
/// Only adding allocates.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/visit.h"
#include "ploy/exec/schedule.h"

/// Longest period that has a list for each phase; items with longer ones wait in a heap.
#define PLOY_SCHEDULER_DIRECT_MAX 256

/// Most items.
#define PLOY_SCHEDULER_ITEMS_MAX (1 << 24)

/// How the units of a tick are divided.
typedef enum ploy_policy {
    PLOY_POLICY_PRIORITY,      ///< remaining x priority / priorities still to come
    PLOY_POLICY_EVEN,          ///< remaining / turns still to come: load balancing
    PLOY_POLICY_PRIORITY_ONLY, ///< by priority, and all in every tick: periods don't count
    PLOY_POLICY_REQUEST,       ///< what each requests, in order of priority
    PLOY_POLICY_ADAPTIVE,      ///< by priority, less for those that overspend again and again
    PLOY_POLICY_CUSTOM         ///< by the caller's function
} ploy_policy;

/// "priority", "even", "priority_only", "request", "adaptive", "custom".
PLOY_API const char *ploy_policy_text(ploy_policy policy);

typedef struct ploy_scheduler ploy_scheduler;

typedef struct ploy_scheduler_def {
    uint32_t cookie;
    ploy_policy policy;
    int32_t capacity;   ///< items that fit before it grows
    int32_t look_ahead; ///< ticks that automatic phasing looks at
    int32_t patience;   ///< times that a request is postponed before it goes first
    bool predict;       ///< postpone turns whose mean cost so far exceeds what is left
} ploy_scheduler_def;

PLOY_API ploy_scheduler_def ploy_scheduler_def_default(void);
PLOY_API ploy_fields ploy_scheduler_fields(void);

/// Creates a scheduler without items, before tick 0.
PLOY_API ploy_result ploy_scheduler_create(const ploy_scheduler_def *def, const ploy_env *env,
                                           ploy_scheduler **out);
/// NULL is allowed.
PLOY_API void ploy_scheduler_destroy(ploy_scheduler *scheduler);

/// Makes room for items 0 to capacity - 1, so that adding one of them allocates only if its period
/// is new.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_scheduler_reserve(ploy_scheduler *scheduler, int32_t capacity);

/// Adds an item; it takes part from the next tick on.
/// @return PLOY_ERR_ARGUMENT for a bad schedule or number, PLOY_ERR_EXISTS, PLOY_ERR_MEMORY;
///         nothing has changed then.
PLOY_API ploy_result ploy_scheduler_add(ploy_scheduler *scheduler, int32_t item,
                                        const ploy_schedule *schedule);
/// Removes an item. In the middle of a tick it gets no further turn. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_scheduler_remove(ploy_scheduler *scheduler, int32_t item);

/// Gives an item another schedule from the next tick on; a postponed turn stays postponed.
/// @return as ploy_scheduler_add, and PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_scheduler_set(ploy_scheduler *scheduler, int32_t item,
                                        const ploy_schedule *schedule);
/// Its schedule, with the phase that was chosen for it, if any. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_scheduler_get(const ploy_scheduler *scheduler, int32_t item,
                                        ploy_schedule *out);
/// Disables an item at once, or enables it from the next tick on. A disabled item has no turns, and
/// none are postponed.
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_scheduler_set_enabled(ploy_scheduler *scheduler, int32_t item,
                                                bool enabled);
PLOY_API int32_t ploy_scheduler_count(const ploy_scheduler *scheduler);

/// What a custom policy knows about a turn.
typedef struct ploy_turn_ask {
    int32_t item;
    int32_t priority, request, min_slice, max_slice;
    int64_t waits; ///< consecutive ticks in which it was postponed
    int64_t cost;  ///< units, mean of its turns so far
} ploy_turn_ask;

/// Fills allowances, one for each turn, in order; 0 or less postpones the turn. Called once a tick.
/// Must not call the scheduler.
typedef void (*ploy_allocate_fn)(void *user, const ploy_turn_ask *asks, int32_t count,
                                 int64_t units, int64_t *allowances);

/// Changes the policy between two ticks. @param allocate for PLOY_POLICY_CUSTOM, else NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE in the middle of a tick, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_scheduler_set_policy(ploy_scheduler *scheduler, ploy_policy policy,
                                               ploy_allocate_fn allocate, void *user);

/// One turn.
typedef struct ploy_turn {
    int32_t item;
    int64_t allowed; ///< units, at least 1
} ploy_turn;

/// Lists the items that are due. Ticks must rise; turns due in skipped ticks are lost.
/// @param units  for all turns; PLOY_BUDGET_UNLIMITED for no limit; below 1 postpones all.
/// @param due  how many are due, including those postponed before; may be NULL.
/// @return PLOY_ERR_STATE if a tick is under way, PLOY_ERR_ARGUMENT if it is not after the last
///         one.
PLOY_API ploy_result ploy_scheduler_begin(ploy_scheduler *scheduler, uint64_t tick, int64_t units,
                                          int32_t *due);
/// The next turn, with its share of the units that remain: report each turn before taking the next.
/// @return false if there is none left.
PLOY_API bool ploy_scheduler_next(ploy_scheduler *scheduler, ploy_turn *out);
/// All turns at once, assuming that each spends exactly what it is allowed: for thinking in
/// parallel, where shares must be fixed before the first turn. Use it instead of
/// ploy_scheduler_next, not together with it.
/// @param turns  room for as many as begin reported as due.
/// @return how many.
PLOY_API int32_t ploy_scheduler_plan(ploy_scheduler *scheduler, ploy_turn *turns);
/// Reports what a turn spent.
PLOY_API void ploy_scheduler_report(ploy_scheduler *scheduler, int32_t item, int64_t spent);
/// Ends the tick; turns not taken are postponed.
PLOY_API void ploy_scheduler_end(ploy_scheduler *scheduler);

/// Postponed items, the longest waiting first; -1 out of range. Call between ticks.
PLOY_API int32_t ploy_scheduler_waiting_count(const ploy_scheduler *scheduler);

/// Statistics of one item: the quality of the service it gets.
typedef struct ploy_service {
    int64_t turns;
    int64_t waits;      ///< ticks in which it was postponed
    int64_t waiting;    ///< consecutive ones until now
    int64_t spent;      ///< units in all turns
    int64_t most_spent; ///< units in the most expensive
    int64_t overruns;   ///< turns that spent more than they were allowed
    int64_t allowed;    ///< units in the last turn
    int64_t last_spent; ///< units in the last turn
    uint64_t last_tick; ///< of the last turn
    uint64_t
        worst_interval; ///< ticks, longest interval between two turns, or from its start to the first
    double mean;        ///< units a turn
    double share;       ///< of all units spent by all items, 0 to 1
    float bias;         ///< factor of an adaptive policy: 1 is its full priority
    bool put_off;       ///< its turn is postponed now
    bool enabled;
} ploy_service;

/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_scheduler_service(const ploy_scheduler *scheduler, int32_t item,
                                            ploy_service *out);

/// The earliest tick that can begin next.
PLOY_API uint64_t ploy_scheduler_tick(const ploy_scheduler *scheduler);

/// Visits a ploy_scheduler (ploy/base/visit.h). The same items must be in it before a load. Not
/// during a tick.
PLOY_API void ploy_scheduler_visit(ploy_visit *v, void *scheduler);
PLOY_API void ploy_scheduler_describe(const ploy_scheduler *scheduler, ploy_describe *out);
PLOY_API void ploy_scheduler_memory(const ploy_scheduler *scheduler, ploy_memory_fn fn, void *user);
