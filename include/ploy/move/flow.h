/// @file ploy/move/flow.h
/// Flow and containment: following a vector field, and staying inside a box.
///
/// Flow following takes on the velocity of a vector field at the agent's position in predict_time.
/// Use it for currents, crowds on a plaza, or a search's gradient for a thousand units. The field
/// is a function of the game, or a grid of vectors with interpolation.
///
/// Containment keeps an agent inside a box: while the position in predict_time is within the box
/// (less `margin`), it requests nothing; otherwise the agent moves in the direction from that
/// position to the nearest point inside. Technique: Reynolds, GDC 1999.
///
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation. Threads: pure functions
/// if the field's function is pure.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/move/match.h"
#include "ploy/move/seek.h"
#include "ploy/move/source.h"

/// A field of velocities on the plane.
typedef struct ploy_flow_field {
    ploy_vec2 (*at)(const void *user, ploy_vec2 point); ///< m/s
    const void *user;
} ploy_flow_field;

/// A field of velocities in space: wind, water.
typedef struct ploy_flow_field3 {
    ploy_vec3 (*at)(const void *user, ploy_vec3 point); ///< m/s
    const void *user;
} ploy_flow_field3;

/// Vectors on a grid, borrowed: row by row from the lowest y, x within a row.
typedef struct ploy_flow_grid {
    ploy_vec2 origin;         ///< m, of the first vector
    float spacing;            ///< m between neighbours, above 0
    int32_t columns, rows;    ///< at least 1
    const ploy_vec2 *vectors; ///< columns * rows, m/s
} ploy_flow_grid;

/// Returns the field at a point, interpolated between the four vectors around it; outside, the
/// value at the edge. Zero for a grid without vectors.
PLOY_API ploy_vec2 ploy_flow_grid_at(const ploy_flow_grid *grid, ploy_vec2 point);
/// Makes a field of a grid; valid as long as the grid.
PLOY_API ploy_flow_field ploy_flow_grid_field(const ploy_flow_grid *grid);

/// Settings. Start from ploy_flow_def_default() and change what you need.
typedef struct ploy_flow_def {
    uint32_t cookie;      ///< set by the default; leave alone
    ploy_match_def match; ///< how it takes on the field's velocity
    float predict_time;   ///< s
    float speed_factor;   ///< factor from the field's vectors to velocities
} ploy_flow_def;

PLOY_API ploy_flow_def ploy_flow_def_default(void);
PLOY_API ploy_fields ploy_flow_fields(void);

/// The acceleration of one agent. Requests nothing without a field, or where the field is not
/// finite. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_flow_follow(const ploy_flow_def *def, ploy_kinematic agent,
                                        const ploy_flow_field *field);
PLOY_API ploy_steering3 ploy_flow_follow3(const ploy_flow_def *def, ploy_kinematic3 agent,
                                          const ploy_flow_field3 *field);
/// The same for agents [first, first + count) of a view, bit for bit.
PLOY_API ploy_result ploy_flow_follow_batch(const ploy_flow_def *def, const ploy_kinematics *agents,
                                            int32_t first, int32_t count,
                                            const ploy_flow_field *field,
                                            const ploy_steerings *out);
PLOY_API ploy_result ploy_flow_follow3_batch(const ploy_flow_def *def,
                                             const ploy_kinematics3 *agents, int32_t first,
                                             int32_t count, const ploy_flow_field3 *field,
                                             const ploy_steerings3 *out);

/// Settings of containment.
typedef struct ploy_contain_def {
    uint32_t cookie;    ///< set by the default; leave alone
    ploy_seek_def seek; ///< how it returns
    float predict_time; ///< s
    float margin;       ///< m to keep from the edge
} ploy_contain_def;

PLOY_API ploy_contain_def ploy_contain_def_default(void);
PLOY_API ploy_fields ploy_contain_fields(void);

/// The acceleration of one agent. Requests nothing while the predicted position is inside. A box
/// smaller than the margins counts as its centre.
PLOY_API ploy_steering ploy_contain(const ploy_contain_def *def, ploy_kinematic agent,
                                    ploy_box2 box);
PLOY_API ploy_steering3 ploy_contain3(const ploy_contain_def *def, ploy_kinematic3 agent,
                                      ploy_box3 box);
PLOY_API ploy_result ploy_contain_batch(const ploy_contain_def *def, const ploy_kinematics *agents,
                                        int32_t first, int32_t count, ploy_box2 box,
                                        const ploy_steerings *out);
PLOY_API ploy_result ploy_contain3_batch(const ploy_contain_def *def,
                                         const ploy_kinematics3 *agents, int32_t first,
                                         int32_t count, ploy_box3 box, const ploy_steerings3 *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_flow_follow_source(const ploy_flow_def *def, const ploy_flow_field *field,
                                             const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_contain_source(const ploy_contain_def *def, const ploy_box2 *box,
                                         const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_flow_follow3_source(const ploy_flow_def *def,
                                              const ploy_flow_field3 *field, const ploy_env *env,
                                              ploy_steering_source *out);
PLOY_API ploy_result ploy_contain3_source(const ploy_contain_def *def, const ploy_box3 *box,
                                          const ploy_env *env, ploy_steering_source *out);
