/// @file ploy/move/assign.h
/// Assignment: gives members slots so that the sum of costs is small.
///
/// A table holds the cost for each member to take each slot: a bad role, a long distance, little
/// cover. There are two solvers:
/// - EXACT finds the smallest sum (the linear assignment problem, by shortest augmenting paths with
///   potentials, Jonker and Volgenant 1987; not NP-complete, contrary to some texts);
/// - GREEDY lets the members with the fewest good slots choose first (ease = the sum of 1 / (1 +
///   cost)); each takes its cheapest free slot: Millington, "AI for Games", 3.7. Cheaper, usually
///   good, sometimes far off.
/// A cost of `limit` or more (or INFINITY, or NaN) excludes the slot. EXACT places as many members
/// as possible, at the lowest total cost; GREEDY may place fewer. No two members share a slot.
///
/// Cost: exact O(members^2 * slots), greedy O(members * slots^2) at worst; scratch from an arena,
/// given back before the call returns. Ties are broken by index. Threads: pure functions.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/budget.h"
#include "ploy/base/trace.h"

typedef enum ploy_assign_mode { PLOY_ASSIGN_EXACT, PLOY_ASSIGN_GREEDY } ploy_assign_mode;

/// The largest cost and limit. Costs are added, so they must stay far below the largest float.
#define PLOY_ASSIGN_COST_MAX 1e12f

/// Assigns slots.
/// @param costs    member i to slot j: costs[i * slots + j], 0 or more.
/// @param limit    above 0; costs at or above it exclude the slot.
/// @param slot_of  one for each member: its slot, or -1 for none. Set only on PLOY_OK.
/// @param total    the sum of the costs; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a cost is below 0 or a count negative, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_assign_find(ploy_assign_mode mode, const float *costs, int32_t members,
                                      int32_t slots, float limit, ploy_arena *scratch,
                                      int32_t *slot_of, double *total);

/// The exact solver in slices: for groups of hundreds, which take longer than a frame. Opaque.
typedef struct ploy_assign ploy_assign;

/// @return PLOY_ERR_MEMORY with nothing left allocated.
PLOY_API ploy_result ploy_assign_create(const ploy_env *env, ploy_assign **out);
PLOY_API void ploy_assign_destroy(ploy_assign *assign);
/// Begins an assignment and replaces any under way. Memory grows with the largest assignment so
/// far.
/// @param costs  as in ploy_assign_find; borrowed until the result is read.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; then nothing is under way.
PLOY_API ploy_result ploy_assign_begin(ploy_assign *assign, const float *costs, int32_t members,
                                       int32_t slots, float limit);
/// Continues. A unit is one slot settled on a member's augmenting path: O(members + slots) of work.
/// At worst there are members^2 / 2 units; for distances in the plane below members^2 / 4: 1,024
/// members take 64 frames of 4,096 units or fewer.
/// @return PLOY_IN_PROGRESS, PLOY_OK when it is done, PLOY_ERR_ARGUMENT if nothing was begun.
PLOY_API ploy_result ploy_assign_step(ploy_assign *assign, ploy_budget *budget);
/// Returns the assignment, the same as ploy_assign_find finds, bit for bit.
/// @param slot_of  one for each member, or -1. @param total  may be NULL.
/// @return PLOY_IN_PROGRESS while it is not done, PLOY_ERR_ARGUMENT if nothing was begun.
PLOY_API ploy_result ploy_assign_result(const ploy_assign *assign, int32_t *slot_of, double *total);
/// Cancels the assignment under way.
PLOY_API void ploy_assign_cancel(ploy_assign *assign);

/// Reports to a trace each member's slot and cost, and its cheapest slot.
PLOY_API void ploy_assign_trace(ploy_assign_mode mode, const float *costs, int32_t members,
                                int32_t slots, const int32_t *slot_of, ploy_agent_id id,
                                ploy_trace *trace);
