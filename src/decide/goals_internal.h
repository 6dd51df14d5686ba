// Shared between the files of goal-driven behavior.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/goals.h"

enum { PLOYI_GOALS_NONE = -1 };

typedef struct ployi_goals_node {
    const ploy_goal_type *type;
    uint64_t data[PLOY_GOAL_DATA_MAX / 8];
    uint64_t params[PLOY_GOAL_PARAMS_MAX / 8];
    double replanned; // when it was planned again last
    uint32_t generation;
    int32_t parent, first, last, next;
    int32_t replans, depth;
    uint8_t status;
    bool suspended, repeat, reported; // reported: its failure was returned by a step
    int32_t nested;                   // from 1, of the pool; 0: none
} ployi_goals_node;

// A behavior of a goal, or of none now: it waits for the next goal of its type.
typedef struct ployi_goals_nested {
    const ploy_goal_type *type;
    ploy_nested nested;
    bool used;
} ployi_goals_nested;

struct ploy_goals {
    ploy_env env;
    ploy_goals_def def;
    void *owner;
    size_t size;
    ploy_array known;               // const ploy_goal_type *, that a saved tree may hold
    ploy_array pool;                // ployi_goals_nested
    const ploy_goals_type *made_of; // NULL: made alone
    int32_t count, free;
    ployi_goals_node nodes[]; // [0] is the root
};

ploy_goal_turn ployi_goals_turn(ploy_goals *goals, int32_t index, ploy_step_context *context);
// Puts a place at the end of a parent's chain.
void ployi_goals_append(ploy_goals *goals, int32_t parent, int32_t index);
// The goal after another one in the order of lines: children before siblings. PLOYI_GOALS_NONE at
// the end.
int32_t ployi_goals_after(const ploy_goals *goals, int32_t index);

void ployi_goals_visit(ploy_visit *v, void *object);

// The behavior of a goal; NULL if it has none.
ploy_nested *ployi_goals_nested_of(const ploy_goals *goals, int32_t index);
// The goals of its definition and its owner, when a tree is entered (goals_type.c).
ploy_result ployi_goals_begin(ploy_goals *goals, ploy_step_context *context);
void ployi_goals_own(ploy_goals *goals, const ploy_step_context *context);
