/// @file ploy/decide/goap_plans.h
/// Additions to ploy/decide/goap.h from academic planners: conditions that must stay true during a
/// plan, and plans whose steps are ordered only where it matters.
///
/// Constraints: a copy of a domain in which no action may break given conditions. Any method and
/// heuristic then plans within them, and the heuristics take them into account.
///
/// Partial order: two actions commute if neither changes what the other needs or changes. A plan is
/// sorted into stages; the steps of one stage may be carried out in any order or at the same time,
/// also by several characters. Technique: de-ordering, after Backstrom, "Computational aspects of
/// reordering plans", 1998: every order that keeps the order of pairs that do not commute leads to
/// the same world.
///
/// Threads: finished types may be used by many threads at once.
#pragma once

#include "ploy/decide/goap.h"

/// Creates a domain of the same variables and actions, with the same numbers, in which the
/// conditions stay true from a world in which they hold. An action that would break a condition in
/// every world is never possible in it; one that would do so only in some worlds has additional
/// needs.
/// @param type  finished; its ids are copied; its actions' functions and users must stay valid.
/// @param keep  the conditions, all at once.
/// @param out   finished, on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a condition has no variable, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_type_keep(const ploy_goap_type *type, const ploy_goap_need *keep,
                                         int32_t count, const ploy_env *env, ploy_goap_type **out);

/// Returns whether two actions commute: their order does not matter. False if there is no such
/// action. Actions with a function (`allowed`, `price`) count as needing every variable.
PLOY_API bool ploy_goap_type_commute(const ploy_goap_type *type, int32_t a, int32_t b);

/// Sorts a plan into stages, the earliest possible for each step: O(count^2).
/// @param plan    actions of the type, count of them.
/// @param stages  the stage of each step, from 0; room for count.
/// @return the number of stages.
PLOY_API int32_t ploy_goap_plan_stages(const ploy_goap_type *type, const int32_t *plan,
                                       int32_t count, int32_t *stages);
