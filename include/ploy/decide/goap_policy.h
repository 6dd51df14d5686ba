/// @file ploy/decide/goap_policy.h
/// Planning with uncertain outcomes: the result is not a list of actions but the best action in each
/// world state that may occur.
///
/// A gamble is an action with several possible outcomes, each with a probability. A branch is an
/// action of a ploy_goap_type, whose effects are the outcome. A gamble is possible if all of its
/// branches are; it costs as much as the first one. The policy finds all world states that can be
/// reached, and in each the gamble with the least expected cost. Giving up is always possible and
/// has a fixed cost, so a policy never expects to pay more. In a domain of ploy_goap_type_keep, no
/// gamble may break a kept condition.
///
///     ploy_goap_policy_begin, step ...            once for a world and a goal
///     ploy_goap_policy_choice(policy, world)      in each world that came about
///
/// As a behavior, made by a ploy_goap_policy_type: enter begins to solve from the world as the
/// blackboard has it, in as many steps as the budget needs; then each step looks at the board and
/// carries out the gamble that is best there, whose behavior may take many steps. SUCCESS when the
/// goal holds, FAILURE when giving up is best. A world that never came up is solved again. When it
/// is loaded the gamble that ran continues, and the policy is solved again from where it is.
///
/// Technique: a stochastic shortest path with dead ends that cost a fixed sum (Kolobov, Mausam and
/// Weld 2012), by value iteration in place (Bellman 1957), from above, so that every sweep's policy
/// can be kept to; what leads back to the same world is solved at once.
///
/// Units: one unit of budget is one world looked at, in a sweep too. Cost of a sweep: O(worlds
/// times gambles times branches). Threads: one caller at a time.
#pragma once

#include "ploy/decide/goap.h"
#include "ploy/exec/maker.h"

/// Most branches of a gamble.
#define PLOY_GOAP_BRANCHES_MAX 64

/// One outcome of a gamble.
typedef struct ploy_goap_branch {
    int32_t action; ///< of the type: its gains happen
    double chance;  ///< 0 to 1; those of a gamble add up to 1
} ploy_goap_branch;

typedef struct ploy_goap_gamble {
    const ploy_goap_branch *branches;
    int32_t count;
} ploy_goap_gamble;

typedef struct ploy_goap_policy_def {
    uint32_t cookie;
    int32_t max_worlds; ///< what leads beyond them counts as given up
    int32_t max_sweeps; ///< over all worlds, at most, of each of the two kinds
    double give_up;     ///< cost of giving up
    double tolerance;   ///< sweeps end when no number changes by more
} ploy_goap_policy_def;

PLOY_API ploy_goap_policy_def ploy_goap_policy_def_default(void);
PLOY_API ploy_fields ploy_goap_policy_fields(void);

/// Opaque.
typedef struct ploy_goap_policy ploy_goap_policy;

/// @param type     finished; must outlive it.
/// @param gambles  copied.
/// @return PLOY_ERR_ARGUMENT for a bad def, no such action, chances that do not add up to 1 within
///         1e-6, or too many branches; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_create(const ploy_goap_policy_def *def,
                                             const ploy_goap_type *type,
                                             const ploy_goap_gamble *gambles, int32_t count,
                                             const ploy_env *env, ploy_goap_policy **out);
/// NULL is allowed.
PLOY_API void ploy_goap_policy_destroy(ploy_goap_policy *policy);

/// Begins; world and goal are copied, what was known is forgotten.
PLOY_API ploy_result ploy_goap_policy_begin(ploy_goap_policy *policy, const uint64_t *world,
                                            const ploy_goap_need *goal, int32_t count);
/// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return PLOY_ERR_STATE before begin, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_step(ploy_goap_policy *policy, ploy_budget *budget);
/// Stops and forgets.
PLOY_API void ploy_goap_policy_cancel(ploy_goap_policy *policy);

/// What to do in a world: a gamble's number; -1 where the goal holds, giving up is best, or the
/// world never came up.
PLOY_API int32_t ploy_goap_policy_choice(const ploy_goap_policy *policy, const uint64_t *world);
/// What it is expected to cost from there, giving up included; NaN for a world that never came up.
PLOY_API double ploy_goap_policy_cost(const ploy_goap_policy *policy, const uint64_t *world);
/// How likely the goal is reached from there; NaN for a world that never came up.
PLOY_API double ploy_goap_policy_chance(const ploy_goap_policy *policy, const uint64_t *world);

PLOY_API void ploy_goap_policy_describe(const ploy_goap_policy *policy, ploy_describe *out);

// ---- as a definition, over a blackboard ----

/// Gambles and a goal that all characters of a kind share. Opaque.
typedef struct ploy_goap_policy_type ploy_goap_policy_type;

/// @param domain   finished; must outlive it. @param gambles  copied; each begins with another
///         action.
/// @param layout   as in ploy_goap_agent_type_create; may be NULL.
/// @return as ploy_goap_policy_create and ploy_goap_agent_type_create.
PLOY_API ploy_result ploy_goap_policy_type_create(const ploy_goap_policy_def *def,
                                                  const ploy_goap_type *domain,
                                                  const ploy_goap_gamble *gambles, int32_t count,
                                                  const ploy_blackboard_layout *layout,
                                                  const ploy_env *env, ploy_goap_policy_type **out);
/// NULL is allowed. Its behaviors must be gone.
PLOY_API void ploy_goap_policy_type_destroy(ploy_goap_policy_type *type);
/// @return PLOY_ERR_ARGUMENT for a condition of no variable, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_policy_type_set_goal(ploy_goap_policy_type *type,
                                                    const ploy_goap_need *goal, int32_t count);
/// Makes behaviors of the type, which must outlive them and is not to be changed any more.
PLOY_API ploy_maker ploy_goap_policy_type_maker(ploy_goap_policy_type *type);
