/// @file ploy/move/kinematic.h
/// Motion data: the state of one agent, the request of a steering behavior, and views of many
/// agents.
///
/// A behavior reads the state (`ploy_kinematic`) and returns a request: an acceleration
/// (`ploy_steering`, for bodies with inertia) or a velocity (`ploy_kinematic_output`, for movers
/// that change speed at once). ploy/move/integrate.h, or the game's own physics, carries out the
/// request. An agent is a point here; its size matters only to the behaviors whose headers say so.
///
/// Crowds are passed as views: pointers to the first agent's numbers, and the number of bytes from
/// one agent to the next. A view can describe a structure of arrays, component arrays, or a game's
/// own array of structs; the caller owns the memory. Contiguous numbers (a stride of sizeof(float))
/// use vector code without a copy; others are gathered a few hundred at a time. Both give the same
/// bits as the form for a single agent.
///
/// Units: metres, seconds, radians. Orientation 0 looks along +x, counter-clockwise positive; in
/// space x is forward, y left, z up. Positions up to 1e9 m and speeds up to 1e6 m/s give finite
/// results. Threads: plain data. Disjoint ranges of one view may be processed at the same time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/quat.h"
#include "ploy/geom/vec.h"

/// The longest step that integrators and behaviors accept, in seconds.
#define PLOY_DT_MAX_S 1.0f
/// The ranges within which finite input gives finite output.
#define PLOY_POSITION_MAX_M 1e9f
#define PLOY_SPEED_MAX_MPS 1e6f

/// An agent on the plane.
typedef struct ploy_kinematic {
    ploy_vec2 position; ///< m
    float orientation;  ///< rad, in [-pi, pi)
    ploy_vec2 velocity; ///< m/s
    float rotation;     ///< rad/s; does not wrap
} ploy_kinematic;

/// An agent in space.
typedef struct ploy_kinematic3 {
    ploy_vec3 position;    ///< m
    ploy_quat orientation; ///< unit, from the agent's axes to the world's
    ploy_vec3 velocity;    ///< m/s
    ploy_vec3 rotation;    ///< rad/s about the world's axes
} ploy_kinematic3;

/// An agent at rest.
PLOY_API ploy_kinematic ploy_kinematic_make(ploy_vec2 position, float orientation);
/// An agent at rest that looks along +x, upright.
PLOY_API ploy_kinematic3 ploy_kinematic3_make(ploy_vec3 position);

/// The accelerations that a behavior requests. Requests are weighted and added component by
/// component.
typedef struct ploy_steering {
    ploy_vec2 linear;   ///< m/s^2
    float angular;      ///< rad/s^2
    uint32_t requested; ///< the bits below; 0 if nothing was requested; then the other fields are 0
} ploy_steering;

typedef struct ploy_steering3 {
    ploy_vec3 linear;   ///< m/s^2
    ploy_vec3 angular;  ///< rad/s^2 about the world's axes
    uint32_t requested; ///< as in ploy_steering
} ploy_steering3;

/// Bits of `requested`. A call whose settings are out of range returns INVALID alone, and zero
/// accelerations; the sum of a request and an invalid one has both bits.
#define PLOY_STEERING_REQUESTED 1u
#define PLOY_STEERING_INVALID 2u

/// No request: for example, what arrive returns at its target. Counts as a zero request wherever
/// requests are combined; only reports distinguish the two.
static inline ploy_steering ploy_steering_none(void) {
    ploy_steering out = {{0.0f, 0.0f}, 0.0f, 0};
    return out;
}
static inline ploy_steering3 ploy_steering3_none(void) {
    ploy_steering3 out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0};
    return out;
}
/// The result of a call whose settings are out of range.
static inline ploy_steering ploy_steering_invalid(void) {
    ploy_steering out = {{0.0f, 0.0f}, 0.0f, PLOY_STEERING_INVALID};
    return out;
}
static inline ploy_steering3 ploy_steering3_invalid(void) {
    ploy_steering3 out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, PLOY_STEERING_INVALID};
    return out;
}
static inline ploy_steering ploy_steering_make(ploy_vec2 linear, float angular) {
    ploy_steering out = {linear, angular, PLOY_STEERING_REQUESTED};
    return out;
}
static inline ploy_steering3 ploy_steering3_make(ploy_vec3 linear, ploy_vec3 angular) {
    ploy_steering3 out = {linear, angular, PLOY_STEERING_REQUESTED};
    return out;
}
/// Returns the sum: requested if either is, invalid if either is.
PLOY_API ploy_steering ploy_steering_add(ploy_steering a, ploy_steering b);
PLOY_API ploy_steering3 ploy_steering3_add(ploy_steering3 a, ploy_steering3 b);
PLOY_API ploy_steering ploy_steering_scale(ploy_steering steering, float factor);
PLOY_API ploy_steering3 ploy_steering3_scale(ploy_steering3 steering, float factor);
/// Returns the acceleration that a force (N) gives a mass (kg), by Newton's second law. Invalid
/// unless mass is above 0.
PLOY_API ploy_steering ploy_steering_from_force(ploy_vec2 force, float mass);
PLOY_API ploy_steering3 ploy_steering3_from_force(ploy_vec3 force, float mass);

/// A request in the agent's own axes: throttle and steering for wheeled vehicles.
typedef struct ploy_steering_parts {
    float forward; ///< m/s^2 along the orientation; below 0 brakes
    float side;    ///< m/s^2 to the left
    float up;      ///< m/s^2, in space; else 0
} ploy_steering_parts;

/// Splits the linear request into parts along and across the agent's heading.
PLOY_API ploy_steering_parts ploy_steering_split(ploy_steering steering, ploy_kinematic agent);
PLOY_API ploy_steering_parts ploy_steering3_split(ploy_steering3 steering, ploy_kinematic3 agent);
/// Makes a request from such parts, without a turn.
PLOY_API ploy_steering ploy_steering_join(ploy_steering_parts parts, ploy_kinematic agent);
PLOY_API ploy_steering3 ploy_steering3_join(ploy_steering_parts parts, ploy_kinematic3 agent);

/// The velocity that a kinematic behavior requests, effective at once.
typedef struct ploy_kinematic_output {
    ploy_vec2 velocity; ///< m/s
    float rotation;     ///< rad/s
    uint32_t requested; ///< as in ploy_steering
} ploy_kinematic_output;

typedef struct ploy_kinematic3_output {
    ploy_vec3 velocity; ///< m/s
    ploy_vec3 rotation; ///< rad/s about the world's axes
    uint32_t requested;
} ploy_kinematic3_output;

/// Returns the agent with the output's velocity and rotation; both are 0 if nothing was requested.
PLOY_API ploy_kinematic ploy_kinematic_output_apply(ploy_kinematic_output output,
                                                    ploy_kinematic agent);
PLOY_API ploy_kinematic3 ploy_kinematic3_output_apply(ploy_kinematic3_output output,
                                                      ploy_kinematic3 agent);

/// A view of agents on the plane. Strides are in bytes, a multiple of sizeof(float).
typedef struct ploy_kinematics {
    int32_t count;
    float *x; ///< of agent 0; agent i is position_stride * i bytes after it
    float *y;
    float *orientation; ///< NULL: agents without a facing
    float *vx;
    float *vy;
    float *rotation; ///< NULL: taken as 0 and not written
    size_t position_stride;
    size_t orientation_stride;
    size_t velocity_stride;
    size_t rotation_stride;
} ploy_kinematics;

/// A view of agents in space.
typedef struct ploy_kinematics3 {
    int32_t count;
    float *x;
    float *y;
    float *z;
    float *qw; ///< the orientation's four parts; all four NULL: agents without a facing
    float *qx;
    float *qy;
    float *qz;
    float *vx;
    float *vy;
    float *vz;
    float *rx; ///< the rotation's three parts; all three NULL: taken as 0 and not written
    float *ry;
    float *rz;
    size_t position_stride;
    size_t orientation_stride;
    size_t velocity_stride;
    size_t rotation_stride;
} ploy_kinematics3;

/// A view with one stride for everything: sizeof(float) for one array per number, the size of the
/// game's struct for an array of structs. For component arrays, set the four strides separately.
PLOY_API ploy_kinematics ploy_kinematics_make(int32_t count, float *x, float *y, float *orientation,
                                              float *vx, float *vy, float *rotation, size_t stride);
/// A view of an array of ploy_kinematic.
PLOY_API ploy_kinematics ploy_kinematics_of(ploy_kinematic *agents, int32_t count);
PLOY_API ploy_kinematics3 ploy_kinematics3_of(ploy_kinematic3 *agents, int32_t count);

/// Reads or writes agent i by value. i must be within the view; parts missing from the view are
/// read as 0 (facing along +x).
PLOY_API ploy_kinematic ploy_kinematics_get(const ploy_kinematics *view, int32_t i);
PLOY_API void ploy_kinematics_set(const ploy_kinematics *view, int32_t i, ploy_kinematic agent);
PLOY_API ploy_kinematic3 ploy_kinematics3_get(const ploy_kinematics3 *view, int32_t i);
PLOY_API void ploy_kinematics3_set(const ploy_kinematics3 *view, int32_t i, ploy_kinematic3 agent);

/// Where batch forms write their requests. linear and angular must not overlap the agents' memory.
typedef struct ploy_steerings {
    int32_t count;
    float *x; ///< linear, m/s^2
    float *y;
    float *angular;      ///< rad/s^2; NULL: not needed
    uint32_t *requested; ///< as in ploy_steering; NULL: not needed
    size_t stride;       ///< bytes, of all four
} ploy_steerings;

typedef struct ploy_steerings3 {
    int32_t count;
    float *x; ///< linear, m/s^2
    float *y;
    float *z;
    float *ax; ///< angular, rad/s^2; all three NULL: not needed
    float *ay;
    float *az;
    uint32_t *requested; ///< as in ploy_steering; NULL: not needed
    size_t stride;       ///< bytes, of all seven
} ploy_steerings3;

/// A view of separate columns, and of an array of requests.
PLOY_API ploy_steerings ploy_steerings_make(int32_t count, float *x, float *y, float *angular,
                                            uint32_t *requested, size_t stride);
PLOY_API ploy_steerings ploy_steerings_of(ploy_steering *steerings, int32_t count);
PLOY_API ploy_steerings3 ploy_steerings3_of(ploy_steering3 *steerings, int32_t count);
/// Reads or writes request i by value. Without a `requested` column, every request counts as made.
PLOY_API ploy_steering ploy_steerings_get(const ploy_steerings *view, int32_t i);
PLOY_API void ploy_steerings_set(const ploy_steerings *view, int32_t i, ploy_steering steering);
PLOY_API ploy_steering3 ploy_steerings3_get(const ploy_steerings3 *view, int32_t i);
PLOY_API void ploy_steerings3_set(const ploy_steerings3 *view, int32_t i, ploy_steering3 steering);

/// The target points of batch forms: number i for agent i, or, with a stride of 0, one for all. The
/// plane's ploy_points is in ploy/geom/vec.h.
typedef struct ploy_points3 {
    const float *x;
    const float *y;
    const float *z;
    size_t stride; ///< bytes from one point to the next; 0: the first is used for all
    int32_t count;
} ploy_points3;

/// The view of an array of vectors.
PLOY_API ploy_points3 ploy_points3_make(const ploy_vec3 *points, int32_t count);
/// The same point for all agents; the pointer must stay valid while the view is used.
PLOY_API ploy_points ploy_points_one(const ploy_vec2 *point);
PLOY_API ploy_points3 ploy_points3_one(const ploy_vec3 *point);
/// The positions of a view's agents.
PLOY_API ploy_points ploy_points_of_agents(const ploy_kinematics *agents);
PLOY_API ploy_points3 ploy_points3_of_agents(const ploy_kinematics3 *agents);

/// Visits an agent (ploy/base/visit.h), without a group around it.
PLOY_API void ploy_kinematic_visit(ploy_visit *v, void *agent);
PLOY_API void ploy_kinematic3_visit(ploy_visit *v, void *agent);
/// Writes the values one by one, without a group around them; mark is STATE for live agents, NOTE
/// for values that are only shown.
PLOY_API void ploy_kinematic_describe(const ploy_kinematic *agent, ploy_mark mark,
                                      ploy_describe *out);
PLOY_API void ploy_kinematic3_describe(const ploy_kinematic3 *agent, ploy_mark mark,
                                       ploy_describe *out);
PLOY_API void ploy_steering_describe(const ploy_steering *steering, ploy_mark mark,
                                     ploy_describe *out);
PLOY_API void ploy_steering3_describe(const ploy_steering3 *steering, ploy_mark mark,
                                      ploy_describe *out);

/// Draws the body with its nose, and an arrow to its position in one second.
/// @param radius  m, of the drawn body.
PLOY_API void ploy_kinematic_draw(const ploy_kinematic *agent, float radius, ploy_style style,
                                  ploy_agent_id owner, ploy_draw *out);
/// Draws an arrow from the agent along the acceleration; 1 m/s^2 is `scale` metres long. Draws
/// nothing without a request.
PLOY_API void ploy_steering_draw(const ploy_steering *steering, ploy_vec2 from, float scale,
                                 ploy_agent_id owner, ploy_draw *out);
