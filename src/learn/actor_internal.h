// Shared by the actors.
#pragma once

#include "ploy/learn/actor.h"

// The best of the values among the allowed actions; -1 if none is allowed.
int32_t ployi_actor_best(const ploy_actor_common *common, const ploy_situation *now,
                         const double *values);
// With that probability any allowed action, else the best one, equal ones drawn among.
int32_t ployi_actor_explore(ploy_actor_common *common, const ploy_situation *now,
                            void (*values)(const void *self, const ploy_situation *now,
                                           double *out),
                            const void *self, float explore);

extern const ploy_actor_type ployi_actor_q, ployi_actor_sarsa, ployi_actor_expected, ployi_actor_td,
    ployi_actor_critic, ployi_actor_dqn;
