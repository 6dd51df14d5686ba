/// @file ploy/exec/lod_group.h
/// Groups in level of detail: a behavior of many behaviors, which runs or rests as one.
///
/// Far away a whole town is one behavior; near by it is its blocks, and the block where the player
/// stands is its people. Each of these is a selector (ploy/exec/lod.h), and a group is what lies
/// between: the level that means "everybody below, one by one".
///
///     town selector:   economy | group of --> block selector:   block | group of --> people
///
/// A group that does not run costs nothing: nobody in it is looked at. Its members share its budget
/// evenly, each as remaining / members still to come; when it is empty the rest wait, and come
/// first next time. A member that fails stops alone and is logged; one that finishes begins again.
/// Technique: group LOD; Millington, "AI for Games", 3rd ed. 2019, chapter 10.
///
/// Cost: O(members that have a turn); no allocation in a step.
/// Threads: a group thinks on one thread; different groups may think at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/exec/behavior.h"

typedef struct ploy_lod_group_def {
    uint32_t cookie;
    int32_t capacity; ///< members that fit before it grows; it grows in add only
} ploy_lod_group_def;

PLOY_API ploy_lod_group_def ploy_lod_group_def_default(void);
PLOY_API ploy_fields ploy_lod_group_fields(void);

/// Opaque.
typedef struct ploy_lod_group ploy_lod_group;

PLOY_API ploy_result ploy_lod_group_create(const ploy_lod_group_def *def, const ploy_env *env,
                                           ploy_lod_group **out);
/// Destroys the members too, last added first. Only for one that was not handed to somebody as a
/// behavior. NULL is allowed.
PLOY_API void ploy_lod_group_destroy(ploy_lod_group *group);

/// Adds a member, which is the group's from now on; it enters when the group next steps.
/// @param blackboard  handed to the member; may be NULL; the caller's.
/// @return PLOY_ERR_ARGUMENT for one that cannot step, PLOY_ERR_STATE from within a step,
///         PLOY_ERR_MEMORY; the behavior is still the caller's then.
PLOY_API ploy_result ploy_lod_group_add(ploy_lod_group *group, ploy_behavior behavior,
                                        ploy_agent_id agent, ploy_blackboard *blackboard);

/// It as a behavior; destroying that destroys the group. Its status is always RUNNING.
PLOY_API ploy_behavior ploy_lod_group_behavior(ploy_lod_group *group);

typedef struct ploy_lod_member {
    ploy_behavior behavior;
    ploy_agent_id agent;
    bool running;       ///< it has entered
    ploy_result result; ///< the error that stopped it, until the group enters again
    float waited;       ///< s since its last turn
    int64_t turns;      ///< so far
} ploy_lod_member;

PLOY_API int32_t ploy_lod_group_count(const ploy_lod_group *group);
/// @return PLOY_ERR_NOT_FOUND out of range.
PLOY_API ploy_result ploy_lod_group_get(const ploy_lod_group *group, int32_t index,
                                        ploy_lod_member *out);
PLOY_API void ploy_lod_group_memory(const ploy_lod_group *group, ploy_memory_fn fn, void *user);
