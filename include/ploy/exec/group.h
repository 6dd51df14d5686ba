/// @file ploy/exec/group.h
/// A group: behaviors under a separate scheduler that is itself a behavior.
///
/// The parts of one mind. The engine divides its time among characters; each character's group
/// divides its share among the parts (route planning, emotions, steering), by its own policy. So
/// one character's mind can be rebuilt without affecting the others' time, and the holder of the
/// group need not know what is in it.
///
/// Many minds as one. Far away a whole town is one behavior; near by it is its blocks, and the
/// block around the player is its people. Each of these is a selector (ploy/exec/lod.h). Between
/// them is a group whose members are separate agents: the level that means "all agents below, one
/// by one". A group that has no turn costs nothing: no member is visited.
///
///     town selector:   economy | group of --> block selector:   block | group of --> people
///
/// Periods and phases of members count the group's own turns, not the engine's ticks: in a group
/// that has a turn every third tick, a member with period 2 has one every sixth tick. A member's dt
/// is the time since its own last turn. Units that the members do not spend go back to the level
/// above; the group's deadline applies to its members too.
///
/// A member that finishes restarts, unless it is `once`; an error stops that member until the
/// group enters again. The group runs on while a member may still have turns; when all have ended
/// it is done, with PLOY_STATUS_SUCCESS if each succeeded, else PLOY_STATUS_FAILURE. A message
/// reaches the members that have entered: those whose agent is its receiver if there are any, else
/// all. Commit hooks run for those that had a turn.
/// Techniques: hierarchical scheduling and group LOD, Millington, "AI for Games", 3rd ed. 2019,
/// 10.1.6 and 10.2.
///
/// Cost: as ploy/exec/scheduler.h, one call a turn, and a look at each member. A step allocates
/// nothing. A group takes about 5 KB plus 260 bytes for each member (def.capacity). Threads: like
/// any behavior, different groups may think at the same time. Members must not change the group.
#pragma once

#include "ploy/exec/maker.h"
#include "ploy/exec/scheduler.h"

typedef struct ploy_group ploy_group;
/// A group as a definition: the members as makers. Opaque.
typedef struct ploy_group_type ploy_group_type;

/// What joins a group. Start from ploy_group_member_default().
typedef struct ploy_group_member {
    uint32_t cookie;
    ploy_schedule schedule;      ///< in turns of the group
    bool once;                   ///< stays finished
    ploy_behavior behavior;      ///< owned by the group from now on
    ploy_agent_id agent;         ///< whose behavior it is; none: the group's own agent
    ploy_blackboard *blackboard; ///< of that agent, the caller's, or NULL; only with an agent
    const char *name;            ///< its stable id in saved groups; borrowed. NULL: its place
} ploy_group_member;

PLOY_API ploy_group_member ploy_group_member_default(void);
PLOY_API ploy_fields ploy_group_member_fields(void);

/// An empty group. @param def  of its scheduler.
PLOY_API ploy_result ploy_group_create(const ploy_scheduler_def *def, const ploy_env *env,
                                       ploy_group **out);
/// Exits and destroys all members. NULL is allowed. An engine that owns the group calls it.
PLOY_API void ploy_group_destroy(ploy_group *group);

/// Adds a member, which enters in the group's next turn. Not from within a step.
/// @param index  its place, for the calls below; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE, PLOY_ERR_MEMORY; the behavior is still the caller's
///         then.
PLOY_API ploy_result ploy_group_add(ploy_group *group, const ploy_group_member *member,
                                    int32_t *index);
/// Exits and destroys a member; its place is used again. Not from within a step.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_STATE.
PLOY_API ploy_result ploy_group_remove(ploy_group *group, int32_t index);
PLOY_API int32_t ploy_group_count(const ploy_group *group);

/// The state of a member. The scheduler has its statistics.
typedef struct ploy_group_info {
    ploy_behavior behavior;
    ploy_agent_id agent; ///< none: the group's
    bool entered;
    bool ended;         ///< has no more turns: finished once and for all, or stopped
    ploy_status status; ///< of its last turn
    ploy_result result; ///< the error that stopped it, until the group enters again
    float waited;       ///< s since its own last turn; 0 before it enters
} ploy_group_info;

/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_group_get(const ploy_group *group, int32_t index, ploy_group_info *out);

/// The scheduler: sets the policy, and has statistics of each member by its place.
PLOY_API ploy_scheduler *ploy_group_scheduler(ploy_group *group);

/// The group as a behavior: to register, or to use as a member of another group or as a level of
/// detail. A saved group continues with its members by their names, each where it was, with the
/// turns, costs and waiting times that its scheduler had counted; a member that was added since
/// begins, and one that is gone is reported.
PLOY_API ploy_behavior ploy_group_behavior(ploy_group *group);

PLOY_API void ploy_group_memory(const ploy_group *group, ploy_memory_fn fn, void *user);

/// ---- as a definition ----

/// An empty definition. @param def  of the groups' schedulers.
PLOY_API ploy_result ploy_group_type_create(const ploy_scheduler_def *def, const ploy_env *env,
                                            ploy_group_type **out);
/// NULL is allowed. Its groups must be gone.
PLOY_API void ploy_group_type_destroy(ploy_group_type *type);
/// Adds a member to every group that is made from now on.
/// @param name    its stable id; copied. @param member  schedule and `once`; without a behavior,
///                agent and blackboard, which a definition cannot hold. @param maker  its behavior.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_EXISTS for a name used twice, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_group_type_add(ploy_group_type *type, const char *name,
                                         const ploy_group_member *member, ploy_maker maker);
/// Makes groups of the type, which must outlive them: a mind whose parts divide its time.
PLOY_API ploy_maker ploy_group_type_maker(ploy_group_type *type);
