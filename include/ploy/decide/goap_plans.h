/// @file ploy/decide/goap_plans.h
/// What planners of the academy do and ploy/decide/goap.h leaves out: things that must not change
/// on the way, and plans whose steps have an order only where it matters.
///
/// Constraints: a domain like another one, in which no action may break some conditions. Any method
/// and heuristic then plans within them, and heuristics know of what is forbidden.
///
/// Partial order: two actions commute if neither changes what the other needs or changes. A plan is
/// sorted into stages; the steps of one stage may be done in any order or at the same time, by
/// several characters or hands. Technique: de-ordering, after Backstrom, "Computational aspects of
/// reordering plans", 1998: every order that keeps the pairs which do not commute comes to the same
/// world.
///
/// Threads: finished types may be used by many at once.
#pragma once

#include "ploy/decide/goap.h"

/// Makes a domain of the same variables and actions, with the same numbers, in which the conditions
/// stay true from a world in which they hold. An action that would break one whatever the world is
/// can never be done there; one that would in some worlds needs more.
/// @param type  finished; its ids are copied, its actions' functions and users must stay.
/// @param keep  the conditions, all at once.
/// @param out   finished, on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT for a condition of no variable, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_type_keep(const ploy_goap_type *type, const ploy_goap_need *keep,
                                         int32_t count, const ploy_env *env, ploy_goap_type **out);

/// Does it not matter which of two actions is done first? False if there is no such action. Those
/// with a function (`allowed`, `price`) count as needing every variable.
PLOY_API bool ploy_goap_type_commute(const ploy_goap_type *type, int32_t a, int32_t b);

/// Sorts a plan into stages, the earliest for each step: O(count^2).
/// @param plan    actions of the type, count of them.
/// @param stages  which each step belongs to, from 0; room for count.
/// @return how many stages there are.
PLOY_API int32_t ploy_goap_plan_stages(const ploy_goap_type *type, const int32_t *plan,
                                       int32_t count, int32_t *stages);
