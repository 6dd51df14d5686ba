// Shared between the files that walk through a behavior tree: bt_step.c goes from node to node and
// asks the others what a node does.
#pragma once

#include <string.h>

#include "decide/bt_internal.h"

// What the walk holds in hand.
typedef struct ployi_bt_walk {
    ploy_bt_instance *instance;
    ploy_step_context *context;
    const ploy_bt *bt;
    const ployi_bt_node *nodes;
    unsigned char *status;
    uint32_t *words;
    ploy_result error;
    bool cut; // the budget ended within the step
} ployi_bt_walk;

// Where a visit or a child's answer leads.
typedef enum ployi_bt_way {
    PLOYI_BT_DOWN,
    PLOYI_BT_ANSWER,
    PLOYI_BT_YIELD,
    PLOYI_BT_FAULT // walk->error
} ployi_bt_way;

// The mark in a composite's place that one of its children has answered RUNNING in this run: then
// not all were skipped, even if that one is in the end. Set when the child is taken up again,
// because a leaf that yields does not bother those above it.
#define PLOYI_BT_RAN 0x80000000u

static inline bool ployi_bt_runs(const ployi_bt_walk *walk, uint32_t node) {
    return walk->status[node] == PLOYI_BT_RUNS;
}

static inline double ployi_bt_time(const uint32_t *words) {
    double time;
    memcpy(&time, words, sizeof time);
    return time;
}

static inline void ployi_bt_set_time(uint32_t *words, double time) {
    memcpy(words, &time, sizeof time);
}

// ---- bt_settings.c ----

static inline bool ployi_bt_keyed(const ployi_bt_extra *extra, int32_t setting) {
    return extra->keys[setting] != PLOYI_BT_NONE;
}
// How often, at most: the count, or what its key holds, not below least.
int32_t ployi_bt_count(const ployi_bt_walk *walk, const ployi_bt_extra *extra, int32_t least);
// How many of a Parallel's children decide. *from_all: given as counted from all of them.
int32_t ployi_bt_threshold(const ployi_bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                           int32_t setting, bool *from_all);
// A time in seconds: PLOYI_BT_SETTING_SECONDS or _MAX.
double ployi_bt_seconds(const ployi_bt_walk *walk, const ployi_bt_extra *extra, int32_t setting);
// Takes the first value off a Loop's queue and writes it to the Loop's key. False: it is empty, or,
// with *wrong, it does not begin with a value of that type.
bool ployi_bt_take(const ployi_bt_walk *walk, const ployi_bt_extra *extra, bool *wrong);

// ---- bt_halt.c ----

void ployi_bt_effects(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                      uint32_t when);
// The board that a behavior leaf is shown: that of its scope.
ploy_blackboard *ployi_bt_board_of(const ploy_bt_instance *instance, uint32_t node);
void ployi_bt_leave(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                    ploy_exit_reason reason);
// What a node does when its run ends, however it ends.
void ployi_bt_end(ploy_bt_instance *instance, const ploy_step_context *context,
                  const ployi_bt_node *node);
void ployi_bt_halt_node(const ployi_bt_walk *walk, uint32_t node);
void ployi_bt_halt_children(const ployi_bt_walk *walk, uint32_t node);

// ---- bt_act.c ----

// True if a condition before the node answers for it.
bool ployi_bt_before(ployi_bt_walk *walk, uint32_t node, ploy_status *answer);
void ployi_bt_after(ployi_bt_walk *walk, uint32_t node, ploy_status status);
void ployi_bt_tell(const ployi_bt_walk *walk, uint32_t node, ploy_status status);
// Steps a leaf of the game; RUNNING included in the answer. False: walk->error.
bool ployi_bt_step_leaf(ployi_bt_walk *walk, uint32_t node, ploy_bt_call *call,
                        ploy_status *status);
// Steps a built-in leaf or a behavior. False: walk->error.
bool ployi_bt_act(ployi_bt_walk *walk, uint32_t node, ploy_status *status);
uint32_t ployi_bt_changes(const ployi_bt_walk *walk, const ployi_bt_extra *extra);
ploy_rng_key ployi_bt_key(const ployi_bt_walk *walk);

// ---- bt_compose.c ----

void ployi_bt_mark_above(const ployi_bt_walk *walk, uint32_t node);
// Visits a composite that starts or goes on: *next is the child, or *status the answer.
ployi_bt_way ployi_bt_compose(ployi_bt_walk *walk, uint32_t node, uint32_t *next,
                              ploy_status *status);
// The next child in a sequence or fallback after one that did not decide.
ployi_bt_way ployi_bt_go_on(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                            ploy_status *status, ploy_status through);
// The rarer composites: a child answered *status, RUNNING too. Answers with RUNNING mean: pass on.
ployi_bt_way ployi_bt_hear(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                           ploy_status *status);

// ---- bt_control.c ----

// A node of the game's own chooses: when it is visited (child is PLOYI_BT_NONE), or after a child's
// answer, which is *status.
ployi_bt_way ployi_bt_choose(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                             ploy_status *status);

// ---- bt_decorate.c ----

// Visits a decorator; its child is the next node.
ployi_bt_way ployi_bt_decorate(ployi_bt_walk *walk, uint32_t node, ploy_status *status);
// A decorator's child answered.
ployi_bt_way ployi_bt_filter(ployi_bt_walk *walk, uint32_t node, uint32_t *next,
                             ploy_status *status);
