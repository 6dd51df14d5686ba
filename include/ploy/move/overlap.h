/// @file ploy/move/overlap.h
/// Overlap: overlapping bodies are moved apart.
///
/// Steering keeps agents off each other most of the time; what still overlaps after a step is put
/// right here, by moving positions. Neither mass nor velocity counts: it is no physics, and a push
/// may end in a third body or a wall. In a dense crowd one pass leaves a little, the next step's
/// takes most of that.
///
///     one by one   ploy_overlap_leave moves one agent out of all the others, in their order, by
///                  the whole depth. The result depends on who comes first
///     at once      ploy_overlap_find returns the push of each agent from the present positions, each
///                  taking its share. Any order, any number of workers, the same bits
/// Technique: the zero-overlap constraint of Buckland, "Programming Game AI by Example", 3.
///
/// Units: metres. Cost: O(others), with an index O(near ones); no allocation.
/// Threads: find may run for disjoint ranges at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/index.h"
#include "ploy/move/kinematic.h"

/// How a body has to move to only touch another: out along the line of their centres by the depth.
/// Zero if they do not overlap, or a radius is below 0. Of two on the very same spot each goes in a
/// direction that depends on `self`.
PLOY_API ploy_vec2 ploy_overlap_push(ploy_vec2 position, float radius, ploy_vec2 other,
                                     float other_radius, int32_t self);
PLOY_API ploy_vec3 ploy_overlap_push3(ploy_vec3 position, float radius, ploy_vec3 other,
                                      float other_radius, int32_t self);

/// Moves agent `self` out of all the others, in their order.
/// @param radii  m, number i of agent i.
/// @return how many it stood in; 0 if self is not in the view.
PLOY_API int32_t ploy_overlap_leave(const ploy_kinematics *agents, const float *radii,
                                    int32_t self);
PLOY_API int32_t ploy_overlap_leave3(const ploy_kinematics3 *agents, const float *radii,
                                     int32_t self);

/// Settings of the form for all at once. Start from ploy_overlap_def_default().
typedef struct ploy_overlap_def {
    uint32_t cookie;  ///< set by the default; leave alone
    float share;      ///< part of each depth that an agent takes: half, where the other does too
    float max_push;   ///< m in one step
    float max_radius; ///< m, of the largest body; only used to ask the index
} ploy_overlap_def;

PLOY_API ploy_overlap_def ploy_overlap_def_default(void);
PLOY_API ploy_fields ploy_overlap_fields(void);

/// The most neighbours of one agent that an index is requested; more overlap in heaps only, which
/// the following steps take apart.
#define PLOY_OVERLAP_NEAR_MAX 64

/// The pushes of agents [first, first + count), from where all of the view are now.
/// @param index   of the view's positions, the ids are the agents' numbers; NULL: tests all agents.
///                The same bits, but for heaps.
/// @param pushes  m, number i of agent i; add them to the positions.
/// @return PLOY_ERR_ARGUMENT if a setting, the view or the range is invalid.
PLOY_API ploy_result ploy_overlap_find(const ploy_overlap_def *def, const ploy_kinematics *agents,
                                       const float *radii, int32_t first, int32_t count,
                                       const ploy_index2 *index, ploy_vec2 *pushes);
PLOY_API ploy_result ploy_overlap_find3(const ploy_overlap_def *def, const ploy_kinematics3 *agents,
                                        const float *radii, int32_t first, int32_t count,
                                        const ploy_index3 *index, ploy_vec3 *pushes);
/// Adds pushes to positions of the range.
PLOY_API ploy_result ploy_overlap_apply(const ploy_kinematics *agents, int32_t first, int32_t count,
                                        const ploy_vec2 *pushes);
PLOY_API ploy_result ploy_overlap_apply3(const ploy_kinematics3 *agents, int32_t first,
                                         int32_t count, const ploy_vec3 *pushes);
