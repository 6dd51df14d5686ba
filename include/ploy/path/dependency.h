/// @file ploy/path/dependency.h
/// Dependencies: technology trees, recipes, quests, and what they reveal about an opponent.
///
/// Things are numbered from 0. A need states that one thing is required before another can be made,
/// and what that costs (wood, gold, minutes). All needs of a thing have to be met, but those that
/// share a group above 0 are alternatives, of which one is enough (arrows of wood or of bone).
/// Cycles are not allowed: adding one is refused, and the log names the things on it.
///
/// Owned things are a list of bool, one for each thing. Things without needs can be made at once.
/// Making x pays for each need of x once.
///
/// Cost: queries are O(things + needs), the cheapest plan with alternatives takes a search whose
/// size grows with the number of choices. Queries allocate temporary memory. Threads: one caller at
/// a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"

/// Most things.
#define PLOY_DEPENDENCY_MAX 4096

/// Opaque.
typedef struct ploy_dependency ploy_dependency;

/// Creates a set of things without needs. @param count  things, 1 to PLOY_DEPENDENCY_MAX.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_dependency_create(int32_t count, const ploy_env *env,
                                            ploy_dependency **out);
/// NULL is allowed.
PLOY_API void ploy_dependency_destroy(ploy_dependency *tree);

/// Adds a need: `thing` needs `needed`.
/// @param cost   what it takes, 0 or more.
/// @param group  0: always needed; above 0: one of the thing's needs in that group is enough.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_EXISTS if the need exists; PLOY_ERR_STATE if it would
///         close a cycle (the log names it); PLOY_ERR_MEMORY. Nothing changes on failure.
PLOY_API ploy_result ploy_dependency_add(ploy_dependency *tree, int32_t thing, int32_t needed,
                                         double cost, int32_t group);

/// Lists everything that has to exist before x: its needs, their needs, and so on. All alternatives
/// are listed, because any may be used; ploy_dependency_implies lists what is certain.
/// @param out  things in an order in which they can be made (among equals the lower first); room
/// for
///             capacity. May be NULL with capacity 0.
/// @return their number; -1 for a thing out of range or if memory runs out.
PLOY_API int32_t ploy_dependency_before(const ploy_dependency *tree, int32_t x, int32_t *out,
                                        int32_t capacity);
/// Lists what a player who has x certainly has: everything without which x cannot be made.
PLOY_API int32_t ploy_dependency_implies(const ploy_dependency *tree, int32_t x, int32_t *out,
                                         int32_t capacity);
/// Lists everything that is not owned and can be made at once: what the owner may make next.
PLOY_API int32_t ploy_dependency_next(const ploy_dependency *tree, const bool *owned, int32_t *out,
                                      int32_t capacity);
/// Returns how many of the required things need x. It shows, for example, why the barracks come
/// before the mill.
/// @param wanted  one bool for each thing; NULL: all are required.
/// @param direct  counts only things that need x themselves.
PLOY_API int32_t ploy_dependency_unlocks(const ploy_dependency *tree, int32_t x, const bool *wanted,
                                         bool direct);
/// Lists what to take from an opponent so that it can no longer make x: owned things any one of
/// which breaks the chain, lower ones first. A chain holds while every link is owned and has its
/// own needs met in the same way: a forge without its mill is soon useless. Empty if the chain is
/// already broken.
PLOY_API int32_t ploy_dependency_critical(const ploy_dependency *tree, int32_t x, const bool *owned,
                                          int32_t *out, int32_t capacity);

/// Finds the cheapest plan for x from what is owned. Alternatives are chosen so that the sum is
/// least; things that several others need count once.
/// @param owned   NULL: nothing. @param limit  most states visited; there may be exponentially
///                many.
/// @param out     what to make, in an order in which it can be made, x last; room for capacity.
/// @param count   how many; 0 if x is owned. @param cost  their sum; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT if that was not enough, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_dependency_plan(const ploy_dependency *tree, int32_t x, const bool *owned,
                                          int32_t limit, int32_t *out, int32_t capacity,
                                          int32_t *count, double *cost);

PLOY_API void ploy_dependency_describe(const ploy_dependency *tree, ploy_describe *out);
PLOY_API void ploy_dependency_memory(const ploy_dependency *tree, ploy_memory_fn fn, void *user);
