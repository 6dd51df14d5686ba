// Shared by the files of groups: group.c runs them, group_visit.c shows, writes and reads them, group_type.c
// makes them from a definition.
#pragma once

#include "ploy/exec/group.h"

typedef struct ployi_group_place {
    ploy_behavior behavior; // type NULL: the place is free
    ploy_agent_id agent;    // none: the group's
    ploy_blackboard *blackboard;
    double since;       // s of the group's clock at the end of the last turn
    ploy_status status; // of the last turn
    ploy_result result; // the error that stopped it
    bool once, entered, ended, ran;
    bool told;        // the log knows of the error
    const char *name; // its stable id; NULL: its place
} ployi_group_place;

struct ploy_group {
    ploy_env env;
    ploy_scheduler *scheduler;
    ployi_group_place *places;
    int32_t capacity, count;
    int32_t free_from;
    uint64_t turns;
    double clock; // s, all that its own turns were given: the engine's now skips what it waits
    bool busy;    // a step is under way
};

// What a member sees of the group's context.
ploy_step_context ployi_group_context(const ployi_group_place *place,
                                      const ploy_step_context *outer);
// Gives every member turns again.
ploy_result ployi_group_enter(void *self, ploy_step_context *context);
void ployi_group_visit(ploy_visit *v, void *object);
