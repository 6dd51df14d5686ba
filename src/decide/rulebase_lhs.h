// Shared between the two files that compile conditions: their normal form, and what both need.
#pragma once

#include "decide/rules_internal.h"
#include "ploy/base/arena.h"

// A condition on the way to its normal form.
typedef struct ployi_lhs_node {
    ploy_rule_ce_kind kind;
    bool logical;
    const ploy_rule_ce *ce;
    struct ployi_lhs_node **items;
    int32_t count;
} ployi_lhs_node;

// Alternatives, each a list of conditions.
typedef struct ployi_lhs_list {
    ployi_lhs_node **items;
    int32_t count;
} ployi_lhs_list;
typedef struct ployi_lhs_ways {
    ployi_lhs_list *items;
    int32_t count;
} ployi_lhs_ways;

typedef struct ployi_lhs_variable {
    uint64_t name;
    int32_t group;
    ployi_ref ref;
} ployi_lhs_variable;

typedef struct ployi_lhs_context {
    ploy_rulebase *base;
    ploy_arena *arena;
    ploy_diags *diags;
    const ploy_rule_def *def;
    ploy_result result;
    ployi_lhs_variable *scope;
    int32_t scope_count, scope_room;
    int32_t next_group, nodes, cost;
} ployi_lhs_context;

void *ployi_lhs_alloc(ployi_lhs_context *context, int64_t count, size_t size);
void ployi_lhs_fault(ployi_lhs_context *context, ploy_result code, const char *message,
                     const char *what);

// The alternatives without `or` that a condition comes to.
ployi_lhs_ways ployi_lhs_expand(ployi_lhs_context *context, const ploy_rule_ce *ce);
