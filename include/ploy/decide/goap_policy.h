/// @file ploy/decide/goap_policy.h
/// Planning with uncertain outcomes: the result is not a list of actions but the best action in
/// each world state that may occur.
///
/// A gamble is an action with several possible outcomes, each with a probability. A branch is an
/// action of a ploy_goap_type, whose effects are the outcome. A gamble is possible if all of its
/// branches are; it costs as much as the first one. The policy finds all world states that can be
/// reached, and in each the gamble with the least expected cost. Giving up is always possible and
/// has a fixed cost, so a policy never expects to pay more. In a domain of ploy_goap_type_keep, no
/// gamble may break a kept condition.
///
///     ploy_goap_policy_begin, step ...            once for a world and a goal
///     ploy_goap_policy_choice(policy, world)      in each world that occurs
///
/// As a behavior, made by a ploy_goap_policy_type: enter begins to solve from the world on the
/// blackboard, over as many steps as the budget requires; then each step reads the board and
/// carries out the best gamble there, whose behavior may take many steps. SUCCESS when the goal
/// holds, FAILURE when giving up is best. If a world occurs that the policy does not cover, the
/// policy is solved again from it. After a load, the running gamble continues, and the policy is
/// solved again from the current world.
///
/// Technique: a stochastic shortest path with dead ends that cost a fixed sum (Kolobov, Mausam and
/// Weld 2012), by value iteration in place (Bellman 1957), from above, so that the policy of every
/// sweep can be followed; branches that lead back to the same world are solved directly.
///
/// Units: one unit of budget is one world visited, also in a sweep, or 4,096 parts of the actions
/// and worlds that it needs (ploy/decide/goap.h): a world with many gambles takes several units.
/// Cost of a sweep: O(worlds times gambles times branches). Threads: one caller at a time.
#pragma once

#include "ploy/decide/goap.h"
#include "ploy/exec/maker.h"

/// Most branches of a gamble.
#define PLOY_GOAP_BRANCHES_MAX 64

/// One outcome of a gamble.
typedef struct ploy_goap_branch {
    int32_t action; ///< of the type: its gains are applied
    double chance;  ///< 0 to 1; the chances of a gamble add up to 1
} ploy_goap_branch;

typedef struct ploy_goap_gamble {
    const ploy_goap_branch *branches;
    int32_t count;
} ploy_goap_gamble;

typedef struct ploy_goap_policy_def {
    uint32_t cookie;
    int32_t max_worlds; ///< branches that lead beyond them count as giving up
    int32_t max_sweeps; ///< most sweeps over all worlds, for each of the two kinds
    double give_up;     ///< cost of giving up
    double tolerance;   ///< sweeps end when no value changes by more
} ploy_goap_policy_def;

PLOY_API ploy_goap_policy_def ploy_goap_policy_def_default(void);
PLOY_API ploy_fields ploy_goap_policy_fields(void);

/// Opaque.
typedef struct ploy_goap_policy ploy_goap_policy;

/// @param type     finished; must outlive the policy.
/// @param gambles  copied.
/// @return PLOY_ERR_ARGUMENT for a bad def, no such action, chances that do not add up to 1 within
///         1e-6, or too many branches; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_create(const ploy_goap_policy_def *def,
                                             const ploy_goap_type *type,
                                             const ploy_goap_gamble *gambles, int32_t count,
                                             const ploy_env *env, ploy_goap_policy **out);
/// NULL is allowed.
PLOY_API void ploy_goap_policy_destroy(ploy_goap_policy *policy);

/// Begins to solve; world and goal are copied, and an earlier policy is dropped.
PLOY_API ploy_result ploy_goap_policy_begin(ploy_goap_policy *policy, const uint64_t *world,
                                            const ploy_goap_need *goal, int32_t count);
/// Solves until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return PLOY_ERR_STATE before begin, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_step(ploy_goap_policy *policy, ploy_budget *budget);
/// Stops and drops the policy.
PLOY_API void ploy_goap_policy_cancel(ploy_goap_policy *policy);

/// Returns the number of the best gamble in a world; -1 if the goal holds, giving up is best, or
/// the policy does not cover the world.
PLOY_API int32_t ploy_goap_policy_choice(const ploy_goap_policy *policy, const uint64_t *world);
/// Expected cost from a world, including giving up; NaN if the policy does not cover the world.
PLOY_API double ploy_goap_policy_cost(const ploy_goap_policy *policy, const uint64_t *world);
/// Probability of reaching the goal from a world; NaN if the policy does not cover the world.
PLOY_API double ploy_goap_policy_chance(const ploy_goap_policy *policy, const uint64_t *world);

PLOY_API void ploy_goap_policy_describe(const ploy_goap_policy *policy, ploy_describe *out);

// ---- as a definition, over a blackboard ----

/// Gambles and a goal that all characters of a kind share. Opaque.
typedef struct ploy_goap_policy_type ploy_goap_policy_type;

/// @param domain   finished; must outlive the type.
/// @param gambles  copied; each begins with a different action.
/// @param layout   as in ploy_goap_agent_type_create; may be NULL.
/// @return as ploy_goap_policy_create and ploy_goap_agent_type_create.
PLOY_API ploy_result ploy_goap_policy_type_create(const ploy_goap_policy_def *def,
                                                  const ploy_goap_type *domain,
                                                  const ploy_goap_gamble *gambles, int32_t count,
                                                  const ploy_blackboard_layout *layout,
                                                  const ploy_env *env, ploy_goap_policy_type **out);
/// NULL is allowed. Destroy its behaviors first.
PLOY_API void ploy_goap_policy_type_destroy(ploy_goap_policy_type *type);
/// @return PLOY_ERR_ARGUMENT if a condition has no variable, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_type_set_goal(ploy_goap_policy_type *type,
                                                    const ploy_goap_need *goal, int32_t count);
/// A maker that creates behaviors of the type, which must outlive them and must no longer change.
PLOY_API ploy_maker ploy_goap_policy_type_maker(ploy_goap_policy_type *type);
