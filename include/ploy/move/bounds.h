/// @file ploy/move/bounds.h
/// Bounds: what happens at the edge of a rectangular world.
///
/// WRAP makes the world a torus: an agent that leaves on one side enters on the other. Neighbour
/// searches and steering do not look across the seam; use ploy_bounds_offset for the shortest
/// offset across it. WALL stops agents at the edge and removes the outward part of the velocity, so
/// that they slide along it. NONE lets all agents through.
///
/// Units: metres. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

typedef enum ploy_bounds_edge {
    PLOY_BOUNDS_WRAP,
    PLOY_BOUNDS_WALL,
    PLOY_BOUNDS_NONE
} ploy_bounds_edge;

/// Settings. Start from ploy_bounds_def_default() and change what you need.
typedef struct ploy_bounds_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_bounds_edge edge;
    ploy_vec3 min; ///< m; z is used only for agents in space
    ploy_vec3 max; ///< m; an axis on which max is not above min has no edge
} ploy_bounds_def;

PLOY_API ploy_bounds_def ploy_bounds_def_default(void);
PLOY_API ploy_fields ploy_bounds_fields(void);

/// Returns the agent with the edge applied. Wrapped coordinates are in [min, max).
PLOY_API ploy_kinematic ploy_bounds_apply(const ploy_bounds_def *def, ploy_kinematic agent);
PLOY_API ploy_kinematic3 ploy_bounds_apply3(const ploy_bounds_def *def, ploy_kinematic3 agent);

/// The same for agents [first, first + count) of a view, in place and bit for bit.
/// @return PLOY_ERR_ARGUMENT if the view or the range is invalid.
PLOY_API ploy_result ploy_bounds_apply_batch(const ploy_bounds_def *def,
                                             const ploy_kinematics *agents, int32_t first,
                                             int32_t count);
PLOY_API ploy_result ploy_bounds_apply3_batch(const ploy_bounds_def *def,
                                              const ploy_kinematics3 *agents, int32_t first,
                                              int32_t count);

/// Returns the shortest offset from one point to another, across the seam if the edge wraps.
PLOY_API ploy_vec2 ploy_bounds_offset(const ploy_bounds_def *def, ploy_vec2 from, ploy_vec2 to);
PLOY_API ploy_vec3 ploy_bounds_offset3(const ploy_bounds_def *def, ploy_vec3 from, ploy_vec3 to);

/// Draws the edge of the plane.
PLOY_API void ploy_bounds_draw(const ploy_bounds_def *def, ploy_draw *out);
