// Shared between the files that compile conditions: their normal form, chains, patterns.
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
    ployi_ref ref;
} ployi_lhs_variable;

// Tests that are being gathered.
typedef struct ployi_lhs_tests {
    ployi_test *items;
    int32_t count, room;
} ployi_lhs_tests;

typedef struct ployi_lhs_keys {
    ployi_ref left[PLOY_RULE_FIELDS_MAX], right[PLOY_RULE_FIELDS_MAX];
    int32_t count;
} ployi_lhs_keys;

// A chain of joins under construction: a rule's, or that of a group in brackets.
typedef struct ployi_lhs_chain {
    struct ployi_lhs_chain *outer; // what it is a group of, or NULL
    int32_t join;                  // the last one, or -1
    int32_t depth;                 // binds so far
    int32_t scope;                 // variables that were bound when it began
    ployi_lhs_keys *outside;       // those of them that it uses
} ployi_lhs_chain;

// The pattern under construction.
typedef struct ployi_lhs_pattern {
    const ployi_lhs_chain *chain;
    ployi_lhs_variable locals[PLOY_RULE_FIELDS_MAX];
    int32_t local_count;
    ployi_lhs_tests join;
    ployi_lhs_keys *keys;
    ployi_step *steps;
    int32_t step_count;
    int32_t marks;
} ployi_lhs_pattern;

typedef struct ployi_lhs_context {
    ploy_rulebase *base;
    ploy_arena *arena;
    ploy_diags *diags;
    const ploy_rule_def *def;
    ploy_result result;
    ployi_lhs_variable *scope;
    int32_t scope_count, scope_room;
    int32_t nodes, cost;
} ployi_lhs_context;

void *ployi_lhs_alloc(ployi_lhs_context *context, int64_t count, size_t size);
void ployi_lhs_fault(ployi_lhs_context *context, ploy_result code, const char *message,
                     const char *what);

// The alternatives without `or` that a condition comes to.
ployi_lhs_ways ployi_lhs_expand(ployi_lhs_context *context, const ploy_rule_ce *ce);

// Patterns (rulebase_field.c).
void ployi_lhs_bind(ployi_lhs_context *context, uint64_t name, ployi_ref ref);
void ployi_lhs_add_test(ployi_lhs_context *context, ployi_lhs_tests *tests, const ployi_test *test);
void ployi_lhs_add_key(ployi_lhs_context *context, ployi_lhs_keys *keys, ployi_ref left,
                       ployi_ref right);
// Resolves the variables of a call. pattern: NULL for a test between patterns. True if it needs
// other facts than the pattern's own.
bool ployi_lhs_call(ployi_lhs_context *context, const ployi_lhs_pattern *pattern,
                    const ployi_lhs_chain *chain, const ploy_rule_call *call, ployi_test *test);
// A variable at a place of the pattern: binds it, or compares. alpha: tests of the fact alone.
void ployi_lhs_variable_at(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                           ployi_lhs_tests *alpha, const char *variable, ployi_ref place);
// A slot's fields as steps, tests and keys of the pattern.
void ployi_lhs_slot(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                    const ploy_rule_slot_pattern *slot, bool multi);
