// Shared between the files of the blackboard architecture.
#pragma once

#include "choice.h"
#include "decide_internal.h"
#include "ploy/decide/experts.h"
#include "rule_set_internal.h"

// A rule that acts as an expert.
typedef struct ployi_expert_rule {
    const ploy_rule_set_type *rules;
    int32_t entry;
    int32_t reserved;
} ployi_expert_rule;

struct ploy_experts_type {
    ployi_build build;
    ploy_experts_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_expert experts[PLOY_EXPERTS_MAX];
    ployi_expert_rule rules[PLOY_EXPERTS_MAX]; // of those that are rules
    int32_t count;
};

// How much an expert insists now.
float ployi_expert_insists(const ploy_experts_type *type, int32_t expert,
                           const ploy_expert_turn *turn);
