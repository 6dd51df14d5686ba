/// @file ploy/move/overlap.h
/// Overlap: moves overlapping bodies apart.
///
/// Steering keeps agents apart most of the time; the functions here correct the overlaps that
/// remain after a step, by moving positions. They ignore mass and velocity: this is not physics,
/// and a push may end in a third body or a wall. In a dense crowd one pass leaves small overlaps;
/// the next step's pass removes most of them.
///
///     one by one   ploy_overlap_leave moves one agent out of all the others, in their order, by
///                  the whole depth. The result depends on the order
///     at once      ploy_overlap_find returns the push of each agent from the present positions;
///                  each takes its share. The same bits for any order and number of workers
/// Technique: the zero-overlap constraint of Buckland, "Programming Game AI by Example", 3.
///
/// Units: metres. Cost: O(others), with an index O(nearby agents); no allocation.
/// Threads: find may run for disjoint ranges at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/index.h"
#include "ploy/move/kinematic.h"

/// Returns the push after which a body only touches another: along the line of their centres, by
/// the depth. Zero if they do not overlap, or a radius is below 0. Two bodies at exactly the same
/// position move in directions that depend on `self`.
PLOY_API ploy_vec2 ploy_overlap_push(ploy_vec2 position, float radius, ploy_vec2 other,
                                     float other_radius, int32_t self);
PLOY_API ploy_vec3 ploy_overlap_push3(ploy_vec3 position, float radius, ploy_vec3 other,
                                      float other_radius, int32_t self);

/// Moves agent `self` out of all the others, in their order.
/// @param radii  m, number i of agent i.
/// @return the number of agents it overlapped; 0 if self is not in the view.
PLOY_API int32_t ploy_overlap_leave(const ploy_kinematics *agents, const float *radii,
                                    int32_t self);
PLOY_API int32_t ploy_overlap_leave3(const ploy_kinematics3 *agents, const float *radii,
                                     int32_t self);

/// Settings of the form for all at once. Start from ploy_overlap_def_default().
typedef struct ploy_overlap_def {
    uint32_t cookie;  ///< set by the default; leave alone
    float share;      ///< fraction of each depth that an agent takes; half if the other takes half
    float max_push;   ///< m in one step
    float max_radius; ///< m, of the largest body; only used for index queries
} ploy_overlap_def;

PLOY_API ploy_overlap_def ploy_overlap_def_default(void);
PLOY_API ploy_fields ploy_overlap_fields(void);

/// The most neighbours of one agent that are requested from an index; only heaps have more, and the
/// following steps take them apart.
#define PLOY_OVERLAP_NEAR_MAX 64

/// Computes the pushes of agents [first, first + count) from the present positions of the view.
/// @param index   of the view's positions, the ids are the agents' numbers; NULL: tests all agents.
///                The same bits, except in heaps.
/// @param pushes  m, number i of agent i; add them to the positions.
/// @return PLOY_ERR_ARGUMENT if a setting, the view or the range is invalid.
PLOY_API ploy_result ploy_overlap_find(const ploy_overlap_def *def, const ploy_kinematics *agents,
                                       const float *radii, int32_t first, int32_t count,
                                       const ploy_index2 *index, ploy_vec2 *pushes);
PLOY_API ploy_result ploy_overlap_find3(const ploy_overlap_def *def, const ploy_kinematics3 *agents,
                                        const float *radii, int32_t first, int32_t count,
                                        const ploy_index3 *index, ploy_vec3 *pushes);
/// Adds the pushes to the positions of the range.
PLOY_API ploy_result ploy_overlap_apply(const ploy_kinematics *agents, int32_t first, int32_t count,
                                        const ploy_vec2 *pushes);
PLOY_API ploy_result ploy_overlap_apply3(const ploy_kinematics3 *agents, int32_t first,
                                         int32_t count, const ploy_vec3 *pushes);
