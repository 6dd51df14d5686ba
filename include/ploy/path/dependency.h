/// @file ploy/path/dependency.h
/// What needs what: technology trees, recipes, quests, and what they reveal about an opponent.
///
/// Things are numbered from 0. A need says that one thing is required before another can be made,
/// and what that takes (wood, gold, minutes). Needs of a thing all have to be met; those that share
/// a group above 0 are alternatives, of which one will do (arrows of wood or of bone). There are no
/// circles: adding one is refused, and the things on it are named.
///
/// Owned things are a list of bool, one for each thing. Things whose making needs nothing can be
/// made at once. Making x pays for each need of x once.
///
/// Cost: queries are O(things + needs), the cheapest plan with alternatives takes a search whose
/// size grows with the number of choices. Queries allocate for a moment. Threads: one caller at a
/// time.
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

/// Says that `thing` needs `needed`.
/// @param cost   what it takes, 0 or more.
/// @param group  0: needed in any case; above: one of the same thing's needs of that group will do.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_EXISTS if it is said already; PLOY_ERR_STATE if it would
///         close a circle (the log names it); PLOY_ERR_MEMORY. Nothing changes then.
PLOY_API ploy_result ploy_dependency_add(ploy_dependency *tree, int32_t thing, int32_t needed,
                                         double cost, int32_t group);
PLOY_API int32_t ploy_dependency_count(const ploy_dependency *tree);

/// Everything that has to be there before x: what it needs, what that needs, and so on. Of
/// alternatives all are listed, since any may turn out to be the one; ploy_dependency_implies lists
/// what is certain.
/// @param out  things in an order in which they can be made (of equals the lower first); room for
///             capacity. May be NULL with capacity 0.
/// @return how many there are; -1 for a thing out of range or if memory is short.
PLOY_API int32_t ploy_dependency_before(const ploy_dependency *tree, int32_t x, int32_t *out,
                                        int32_t capacity);
/// What is certain if a player has x: everything that x cannot be made without.
PLOY_API int32_t ploy_dependency_implies(const ploy_dependency *tree, int32_t x, int32_t *out,
                                         int32_t capacity);
/// Everything that is not owned and can be made at once: what an owner of this may do next.
PLOY_API int32_t ploy_dependency_next(const ploy_dependency *tree, const bool *owned, int32_t *out,
                                      int32_t capacity);
/// How many of the required things need x: why the barracks come before the mill.
/// @param wanted  one bool for each thing; NULL: all are required.
/// @param direct  counts only things that need x themselves.
PLOY_API int32_t ploy_dependency_unlocks(const ploy_dependency *tree, int32_t x, const bool *wanted,
                                         bool direct);
/// What to take from an opponent so that it can make no more x: owned things any one of which
/// breaks the chain, lower ones first. A chain holds while every link is owned and has its own
/// needs met in the same way: a forge without its mill is no use for long. Nothing if the chain is
/// broken now.
PLOY_API int32_t ploy_dependency_critical(const ploy_dependency *tree, int32_t x, const bool *owned,
                                          int32_t *out, int32_t capacity);

/// The cheapest plan for x from what is owned: choices between alternatives are made so that the
/// sum is least, counting what several things share once.
/// @param owned   NULL: nothing. @param limit  most states looked at; there may be exponentially
///                many.
/// @param out     what to make, in an order in which it can be made, x last; room for capacity.
/// @param count   how many; 0 if x is owned. @param cost  their sum; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT if it was too much to look at, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_dependency_plan(const ploy_dependency *tree, int32_t x, const bool *owned,
                                          int32_t limit, int32_t *out, int32_t capacity,
                                          int32_t *count, double *cost);

PLOY_API void ploy_dependency_describe(const ploy_dependency *tree, ploy_describe *out);
PLOY_API void ploy_dependency_memory(const ploy_dependency *tree, ploy_memory_fn fn, void *user);
