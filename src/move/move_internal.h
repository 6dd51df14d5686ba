// What the files of `move` share: vector arithmetic that serves plane and space with one body, and
// the lanes through which a kernel sees a view. Kernels are made by base/compiler.h.
#pragma once

#include <float.h>
#include <math.h>

#include "base/compiler.h"
#include "ploy/base/math.h"
#include "ploy/base/trace.h"
#include "ploy/move/aim.h"
#include "ploy/move/arrive.h"
#include "ploy/move/assign.h"
#include "ploy/move/combine.h"
#include "ploy/move/escort.h"
#include "ploy/move/flee.h"
#include "ploy/move/flight.h"
#include "ploy/move/formation.h"
#include "ploy/move/jump.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/motor.h"
#include "ploy/move/moves.h"
#include "ploy/move/orca.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/predict.h"
#include "ploy/move/reckon.h"
#include "ploy/move/seek.h"
#include "ploy/move/trajectory.h"
#include "ploy/move/wander.h"

// The values of an agent with that mark.
void ployi_kinematic_visit(ploy_visit *v, ploy_mark mark, ploy_kinematic *agent);

// ---- one body for plane and space ----
//
// Vectors travel as ploy_vec3; `n` is 2 or 3 and a constant wherever the body is inlined, so that
// on the plane z is never looked at and costs nothing. Sums of squares add z last: on the plane
// x*x + y*y, which is the same for (x, y) and (y, x), so turning a scene by 90 degrees turns every
// result exactly.

PLOYI_INLINE ploy_vec3 ployi_plane(ploy_vec2 v) {
    ploy_vec3 out = {v.x, v.y, 0.0f};
    return out;
}

// The velocity of an agent that was passed by value.
PLOYI_INLINE ploy_vec3 ployi_velocity(const ploy_kinematic *agent) {
    float x = agent->velocity.x, y = agent->velocity.y;
    PLOYI_SCALAR(x);
    PLOYI_SCALAR(y);
    ploy_vec3 out = {x, y, 0.0f};
    return out;
}

PLOYI_INLINE ploy_vec2 ployi_planar(ploy_vec3 v) {
    ploy_vec2 out = {v.x, v.y};
    return out;
}

PLOYI_INLINE float ployi_square(ploy_vec3 v, int n) {
    float sum = v.x * v.x + v.y * v.y;
    return n == 3 ? sum + v.z * v.z : sum;
}

PLOYI_INLINE ploy_vec3 ployi_minus(ploy_vec3 a, ploy_vec3 b) {
    ploy_vec3 out = {a.x - b.x, a.y - b.y, a.z - b.z};
    return out;
}

PLOYI_INLINE ploy_vec3 ployi_times(ploy_vec3 v, float s) {
    ploy_vec3 out = {v.x * s, v.y * s, v.z * s};
    return out;
}

// Squared lengths up to this count as no length at all (1e-15 m, 1e-15 m/s): their squares are
// close to numbers that are stored with few digits, and a direction taken from them is noise.
#define PLOYI_TINY_SQUARED 1e-30f

// factor / |v|, or 0 where v has no direction. square is |v|^2.
PLOYI_INLINE float ployi_over_length(float factor, float square) {
    bool has = square > PLOYI_TINY_SQUARED;
    float quotient = factor / sqrtf(has ? square : 1.0f);
    return has ? quotient : 0.0f;
}

// The factor that brings a vector of squared length `square` down to `max`: 1 if it is short
// enough. Root and division are most of what a kernel costs, so kernels only find out whether any
// vector of a chunk is too long, and a second pass clips the chunk if so: multiplying by 1 changes
// no bit, so leaving it out does not either.
PLOYI_INLINE float ployi_clip_factor(float square, float max) {
    bool over = square > max * max;
    float quotient = max / sqrtf(over ? square : 1.0f);
    return over ? quotient : 1.0f;
}

PLOYI_INLINE ploy_vec3 ployi_clip(ploy_vec3 v, float max, int n) {
    return ployi_times(v, ployi_clip_factor(ployi_square(v, n), max));
}

// The same bits with a branch, for one agent at a time: most requests are short enough, and then the
// root and the division are not paid for.
PLOYI_INLINE ploy_vec3 ployi_cut(ploy_vec3 v, float max, int n) {
    float square = ployi_square(v, n);
    return square > max * max ? ployi_times(v, max / sqrtf(square)) : v;
}

// ---- ranges ----
//
// The tables of the defs and the checks at run time read the same numbers. They are chosen so that
// no intermediate result of any behavior overflows: the largest is the square of an acceleration.
#define PLOYI_ACCELERATION_MAX 1e9 // m/s^2
#define PLOYI_ROTATION_MAX 1e6     // rad/s
#define PLOYI_TIME_MIN 1e-3        // s, of a time_to_target: 1 / it must stay moderate
#define PLOYI_TIME_MAX 1e4         // s

// As ploy_in_range, but inline: the single forms check their settings at every call.
static inline bool ployi_within(float value, double min, double max) {
    return (value >= (float)min) & (value <= (float)max);
}
static inline bool ployi_speed_ok(float speed) {
    return ployi_within(speed, 0, PLOY_SPEED_MAX_MPS);
}
static inline bool ployi_acceleration_ok(float acceleration) {
    return ployi_within(acceleration, 0, PLOYI_ACCELERATION_MAX);
}
static inline bool ployi_time_ok(float time) {
    return ployi_within(time, PLOYI_TIME_MIN, PLOYI_TIME_MAX);
}
static inline bool ployi_distance_ok(float distance) {
    return ployi_within(distance, 0, PLOY_POSITION_MAX_M);
}
static inline bool ployi_rotation_ok(float rotation) {
    return ployi_within(rotation, 0, PLOYI_ROTATION_MAX);
}

// ---- lanes ----
//
// One number of every agent of a range, packed. Where the view is packed already the lane is the
// view's own memory; otherwise it is gathered into `buffer` (PLOYI_CHUNK floats) and, after the
// kernel, scattered back. `at` may be NULL: reads give 0, writes are dropped.
#define PLOYI_CHUNK 256

// Agents at a time. Chunks that need no buffer may be longer; what a kernel works on should stay in
// the first cache from one pass over it to the next.
static inline int32_t ployi_chunk(bool in_place) {
    return in_place ? 4 * PLOYI_CHUNK : PLOYI_CHUNK;
}

// Out of line, because a chunk that needs them has other worries than a call.
void ployi_lane_gather(const float *at, size_t stride, int32_t first, int32_t n, float *buffer);
void ployi_lane_scatter(float *at, size_t stride, int32_t first, int32_t n, const float *buffer);
void ployi_lane_scatter_u32(uint32_t *at, size_t stride, int32_t first, int32_t n,
                            const uint32_t *buffer);

static inline bool ployi_lane_packed(const void *at, size_t stride) {
    return at != NULL && stride == sizeof(float);
}

static inline const float *ployi_lane_in(const float *at, size_t stride, int32_t first, int32_t n,
                                         float *buffer) {
    if (ployi_lane_packed(at, stride)) return at + first;
    ployi_lane_gather(at, stride, first, n, buffer);
    return buffer;
}

static inline float *ployi_lane_out(float *at, size_t stride, int32_t first, float *buffer) {
    return ployi_lane_packed(at, stride) ? at + first : buffer;
}

static inline float *ployi_lane_inout(float *at, size_t stride, int32_t first, int32_t n,
                                      float *buffer) {
    if (ployi_lane_packed(at, stride)) return at + first;
    ployi_lane_gather(at, stride, first, n, buffer);
    return buffer;
}

// Puts a lane back that was handed out by out or inout; does nothing where it was the view itself.
static inline void ployi_lane_store(float *at, size_t stride, int32_t first, int32_t n,
                                    const float *buffer) {
    if (at != NULL && stride != sizeof(float)) ployi_lane_scatter(at, stride, first, n, buffer);
}

static inline uint32_t *ployi_lane_out_u32(uint32_t *at, size_t stride, int32_t first,
                                           uint32_t *buffer) {
    return ployi_lane_packed(at, stride) ? at + first : buffer;
}

static inline void ployi_lane_store_u32(uint32_t *at, size_t stride, int32_t first, int32_t n,
                                        const uint32_t *buffer) {
    if (at != NULL && stride != sizeof(uint32_t)) {
        ployi_lane_scatter_u32(at, stride, first, n, buffer);
    }
}

// Checks requests that are read: as ployi_steerings_check, and in debug builds the numbers too.
ploy_result ployi_steerings_check_in(const ploy_steerings *view, int32_t first, int32_t count);
ploy_result ployi_steerings3_check_in(const ploy_steerings3 *view, int32_t first, int32_t count);
// Sets [first, first + n) to 0.
void ployi_lane_zero(float *at, size_t stride, int32_t first, int32_t n);
static inline void ployi_lane_clear(float *at, size_t stride, int32_t first, int32_t n) {
    if (at != NULL) ployi_lane_zero(at, stride, first, n);
}

// ---- approach: the one law behind seek, flee and arrive ----
//
//     desired      = offset * (|offset| > slow_radius ? reach / |offset| : slope)
//     acceleration = clip((desired - match * velocity) * rate, max_acceleration)
//
// Inside a radius (and on the very point, where there is no direction) desired is 0, and nothing is
// asked for without brake or when standing; nothing either beyond another radius. Seek has no
// radii; flee's reach is negative; full acceleration is match 0, reach = max_acceleration and rate
// 1. The kinematic forms return `wanted` itself.
//
// A law without radii (seek, and flee without a panic distance) is `open`: what remains is
//     acceleration = clip((offset * reach / |offset| - match * velocity) * rate, max_acceleration)
// bit for bit, and a separate kernel does that in three quarters of the time.
typedef struct ployi_approach_law {
    float reach;
    float slope;          // of desired by distance, within slow_radius
    float slow_squared;   // m^2
    float inside_squared; // m^2
    float within_squared; // m^2
    float match;          // 1, or 0 to disregard the velocity
    float rate;           // 1/s
    float brake;          // 1, or 0 to request nothing inside
    float still_squared;  // m^2/s^2; braking requests nothing when it is no faster
    float max_acceleration;
} ployi_approach_law;

PLOYI_INLINE ploy_vec3 ployi_approach_wanted(ployi_approach_law law, ploy_vec3 offset, float square,
                                             bool inside) {
    float factor = ployi_over_length(law.reach, square);
    factor = square > law.slow_squared ? factor : law.slope;
    return ployi_times(offset, inside ? 0.0f : factor);
}

PLOYI_INLINE bool ployi_approach_inside(ployi_approach_law law, float square) {
    return (square < law.inside_squared) | (square <= PLOYI_TINY_SQUARED);
}

// The acceleration before it is cut to max_acceleration.
PLOYI_INLINE ploy_vec3 ployi_approach_uncut(ployi_approach_law law, ploy_vec3 offset,
                                            ploy_vec3 velocity, int n, uint32_t *requested) {
    float square = ployi_square(offset, n);
    bool inside = ployi_approach_inside(law, square);
    bool within = square <= law.within_squared;
    bool outside = !inside;
    bool braking = (ployi_square(velocity, n) > law.still_squared) & (law.brake > 0.0f);
    ploy_vec3 wanted = ployi_approach_wanted(law, offset, square, inside);
    ploy_vec3 error = ployi_minus(wanted, ployi_times(velocity, law.match));
    bool asked = within & (outside | braking);
    *requested = (uint32_t)asked;
    return ployi_times(error, asked ? law.rate : 0.0f);
}

static inline bool ployi_approach_is_open(const ployi_approach_law *law) {
    return law->slow_squared == 0.0f && law->inside_squared == 0.0f &&
           law->within_squared == FLT_MAX && law->still_squared < 0.0f;
}

PLOYI_INLINE ploy_vec3 ployi_approach(ployi_approach_law law, ploy_vec3 offset, ploy_vec3 velocity,
                                      int n, uint32_t *requested) {
    ploy_vec3 out = ployi_approach_uncut(law, offset, velocity, n, requested);
    return ployi_clip(out, law.max_acceleration, n);
}

// The same bits for one agent.
PLOYI_INLINE ploy_vec3 ployi_approach_single(ployi_approach_law law, ploy_vec3 offset,
                                             ploy_vec3 velocity, int n, uint32_t *requested) {
    ploy_vec3 out = ployi_approach_uncut(law, offset, velocity, n, requested);
    return ployi_cut(out, law.max_acceleration, n);
}

PLOYI_INLINE ploy_vec3 ployi_approach_velocity(ployi_approach_law law, ploy_vec3 offset, int n,
                                               uint32_t *requested) {
    float square = ployi_square(offset, n);
    bool outside = !ployi_approach_inside(law, square);
    bool asked = outside & (square <= law.within_squared);
    *requested = (uint32_t)asked;
    return ployi_approach_wanted(law, offset, square, !asked);
}

// Names of ploy_pull_mode, and the law behind the settings that seek and flee share.
// @param sign    1 to seek, -1 to flee.
// @param within  m; 0 means any distance.
// @return false if a setting is out of range.
extern const char *const ployi_pull_modes[2];
PLOYI_INLINE bool ployi_approach_pull_velocity(float max_speed, float sign, float within,
                                               ployi_approach_law *out) {
    if (!ployi_speed_ok(max_speed) || !ployi_distance_ok(within)) return false;
    out->reach = sign * max_speed;
    out->slope = 0.0f;
    out->slow_squared = 0.0f;
    out->inside_squared = 0.0f;
    out->within_squared = within > 0.0f ? within * within : FLT_MAX;
    out->match = 1.0f;
    out->rate = 1.0f;
    out->brake = 1.0f;
    out->still_squared = -1.0f; // brakes at any speed, which costs no comparison
    out->max_acceleration = 0.0f;
    return true;
}

PLOYI_INLINE bool ployi_approach_pull(int32_t mode, float max_speed, float max_acceleration,
                                      float time_to_target, float sign, float within,
                                      ployi_approach_law *out) {
    if (mode != PLOY_PULL_VELOCITY && mode != PLOY_PULL_FULL) return false;
    if (!ployi_acceleration_ok(max_acceleration) || !ployi_time_ok(time_to_target)) return false;
    if (!ployi_approach_pull_velocity(max_speed, sign, within, out)) return false;
    out->max_acceleration = max_acceleration;
    out->rate = 1.0f / time_to_target;
    if (mode == PLOY_PULL_FULL) {
        out->reach = sign * max_acceleration;
        out->match = 0.0f;
        out->rate = 1.0f;
        out->brake = 0.0f;
    }
    return true;
}

// The law for one agent and over a range of views; views are checked.
PLOYI_INLINE ploy_steering ployi_approach_one(const ployi_approach_law *law,
                                              const ploy_kinematic *agent, ploy_vec2 target) {
    ploy_vec3 offset = {target.x - agent->position.x, target.y - agent->position.y, 0.0f};
    ploy_steering out = {{0.0f, 0.0f}, 0.0f, 0};
    out.linear =
        ployi_planar(ployi_approach_single(*law, offset, ployi_velocity(agent), 2, &out.requested));
    return out;
}

PLOYI_INLINE ploy_steering3 ployi_approach3_one(const ployi_approach_law *law,
                                                const ploy_kinematic3 *agent, ploy_vec3 target) {
    ploy_vec3 offset = ployi_minus(target, agent->position);
    ploy_steering3 out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0};
    out.linear = ployi_approach_single(*law, offset, agent->velocity, 3, &out.requested);
    return out;
}

ploy_kinematic_output ployi_approach_velocity_one(const ployi_approach_law *law, ploy_vec2 position,
                                                  ploy_vec2 target);
ploy_kinematic3_output ployi_approach3_velocity_one(const ployi_approach_law *law,
                                                    ploy_vec3 position, ploy_vec3 target);
ploy_result ployi_approach_batch(const ployi_approach_law *law, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_points *targets,
                                 const ploy_steerings *out);
ploy_result ployi_approach3_batch(const ployi_approach_law *law, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_points3 *targets,
                                  const ploy_steerings3 *out);
ploy_result ployi_approach_velocity_batch(const ployi_approach_law *law,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_points *targets);
ploy_result ployi_approach3_velocity_batch(const ployi_approach_law *law,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_points3 *targets);

// Traces the values behind an acceleration, and whether it was cut, within an open decision.
void ployi_approach_trace(const ployi_approach_law *law, ploy_vec3 offset, ploy_vec3 velocity,
                          int n, ploy_trace *trace);
// A vector as vec2 or vec3.
void ployi_trace_vec(ploy_trace *trace, const char *name, ploy_vec3 v, int n);

// ---- wander, planar and spatial ----

// The settings of a wander, prepared for one step.
typedef struct ployi_wander_law {
    ploy_wander_def def;
    float scale;             // of random numbers, by pace and dt
    ployi_approach_law seek; // of the form SEEK
} ployi_wander_law;

// @return false if a setting or dt is out of range.
bool ployi_wander_law_make(const ploy_wander_def *def, float dt, ployi_wander_law *out);
// All settings of a body are within their ranges.
bool ployi_motor_ok(const ploy_motor_def *def);
// The most agents of a group.
#define PLOYI_WANDER_CAPACITY_MAX (1 << 24)

// Turns to close a difference of angles: full rotation outside slow_angle, in proportion within it;
// the acceleration that gets there in time_to_turn, cut. difference is in [-pi, pi].
float ployi_align(const ploy_wander_def *def, float difference, float rotation);

// True if there is a formula: no squared drag, no lift, no callback.
bool ployi_flight_is_exact(const ploy_flight *flight);

// The most trials that a find with those settings makes.
int32_t ployi_aim_trials_max(const ploy_aim_def *def);

// True if the service found no route to the present goal.
bool ployi_route_is_blocked(const ploy_route *route);

// Moves on: the next index by the end policy, or -1 (and finished) if there is none.
int32_t ployi_moves_next(int32_t count, ploy_moves_end end, ploy_moves_state *state);

// True for an allowed tile; false off the map.
bool ployi_track_has(const ploy_track *track, ploy_tile tile);

int32_t ployi_wander_capacity(const ploy_wander *wander);

// @return PLOY_ERR_ARGUMENT out of range or not finite.
ploy_result ployi_wander_set_drift(ploy_wander *wander, int32_t i, float drift);

int32_t ployi_wander3_capacity(const ploy_wander3 *wander);

// Normalises. @return PLOY_ERR_ARGUMENT out of range, not finite or zero.
ploy_result ployi_wander3_set_drift(ploy_wander3 *wander, int32_t i, ploy_vec3 drift);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_kinematics_check(const ploy_kinematics *view, int32_t first, int32_t count);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_kinematics3_check(const ploy_kinematics3 *view, int32_t first, int32_t count);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_steerings_check(const ploy_steerings *view, int32_t first, int32_t count);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_steerings3_check(const ploy_steerings3 *view, int32_t first, int32_t count);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_points_check(const ploy_points *view, int32_t first, int32_t count);

// Checks a view: pointers that belong together are all there or all NULL, aligned, and strides
// are multiples of sizeof(float). Debug builds also look at every number of [first, first +
// count): not a number, or beyond the ranges above, is an error there. Batch forms call this.
// @return PLOY_ERR_ARGUMENT if something is wrong or the range is outside the view.
ploy_result ployi_points3_check(const ploy_points3 *view, int32_t first, int32_t count);

ploy_vec3 ployi_projectile_velocity(const ploy_projectile *projectile, float t);

// Tests the trajectory against a scene, in `segments` straight pieces.
// @param radius    m, of the projectile.
// @param segments  1 to 1000.
// @return true if something is in the way before `time`; then *hit (may be NULL) says what.
bool ployi_projectile_blocked(const ploy_projectile *projectile, float time, float radius,
                              const ploy_scene *scene, uint32_t mask, int32_t segments,
                              ploy_scene_hit *hit);

// Sets the weight of a part. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT if it is not finite.
ploy_result ployi_combination_weigh(ploy_combination *combination, const char *name, float weight);

// True if every number is finite and within its range.
bool ployi_orca_agent_ok(const ploy_orca_agent *agent);

// The linear program alone, for half-planes of your own.
// @param lines      count, up to PLOY_ORCA_LINES_MAX; normals are unit.
// @param hard       this many first ones are kept if at all possible, the others broken as little
//                   as possible.
// @param max_speed  m/s; the desired velocity is cut to it first.
// @return a zero result if a number is not finite, or a count or max_speed is out of range.
ploy_orca_result ployi_orca_solve_lines(const ploy_orca_line *lines, int32_t count, int32_t hard,
                                        ploy_vec2 wanted, float max_speed);

ploy_vec3 ployi_predict_position3(ploy_kinematic3 target, float time);

// Seconds since the pattern was taken.
float ployi_formation_time(const ploy_formation *formation);

// Where a slot is, occupied or not.
ploy_place ployi_formation_slot(const ploy_formation *formation, int32_t slot);

// What a planner counts for the jump: its time in the air and on the run-up, and the cost of
// failing by how little one has in hand (the part of max_speed that is needed).
// @return INFINITY if it cannot be done.
float ployi_jump_cost(const ploy_jump_def *def, const ploy_jump_point *point);

// The point that an agent with that drift goes for.
ploy_vec2 ployi_wander_point(const ploy_wander_def *def, ploy_kinematic agent, float drift);

// Gives every agent a random drift, so that a group that starts together does not march together.
void ployi_wander_scatter(ploy_wander *wander, ploy_rng_key key);

// The point that an agent with that drift goes for.
ploy_vec3 ployi_wander3_point(const ploy_wander_def *def, ploy_kinematic3 agent, ploy_vec3 drift);

void ployi_wander3_scatter(ploy_wander3 *wander, ploy_rng_key key);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_arrive_velocity_batch(const ploy_arrive_def *def, const ploy_kinematics *agents,
                                        int32_t first, int32_t count, const ploy_points *targets);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_arrive3_velocity_batch(const ploy_arrive_def *def, const ploy_kinematics3 *agents,
                                         int32_t first, int32_t count, const ploy_points3 *targets);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_flee_velocity_batch(const ploy_flee_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_points *threats);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_flee3_velocity_batch(const ploy_flee_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *threats);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_seek_velocity_batch(const ploy_seek_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_points *targets);

// Gives agents [first, first + count) that velocity; 0 where nothing is requested.
ploy_result ployi_seek3_velocity_batch(const ploy_seek_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *targets);

// "exact", "greedy".
const char *ployi_assign_mode_text(ploy_assign_mode mode);

// "own speed", "max speed", "both speeds", "scaled", "closing", "exact",
// "relative".
const char *ployi_prediction_text(ploy_prediction prediction);

// ---- of ploy/move/assign.h, for its sources and tests

// Returns how easily a member is placed: the sum of 1 / (1 + cost) over the slots below the limit.
double ployi_assign_ease(const float *costs, int32_t slots, float limit);

// ---- of ploy/move/escort.h, for its sources and tests

// True if the agent is in the area ahead of the leader that followers keep clear.
bool ployi_follow_blocks(const ploy_follow_def *def, ploy_vec2 position, ploy_kinematic leader);

// ---- of ploy/move/formation.h, for its sources and tests

// Returns the correction that makes the anchor the centre of the occupied slots.
ploy_place ployi_formation_drift(const ploy_formation *formation);

// ---- of ploy/move/jump.h, for its sources and tests

// @param tolerance  m/s, of MATCH.
bool ployi_jump_accepts(ploy_jump_accept accept, ploy_vec2 needed, float tolerance,
                        ploy_vec2 velocity);

// ---- of ploy/move/trajectory.h, for its sources and tests

// The same on uneven terrain: repeatedly lands at the height of the terrain below the last
// estimate, until two estimates are within `tolerance` metres. Convergence is not guaranteed; it
// gives up after `iterations`. On ledges, check with the scene whether the point is walkable.
// @param iterations  1 to 1000.
// @return false, leaving out unchanged, if it did not converge, misses the height, or leaves the
//         terrain.
bool ployi_projectile_landing_on(const ploy_projectile *projectile, const ploy_scene *scene,
                                 uint32_t mask, float tolerance, int32_t iterations,
                                 ploy_landing *out);

// ---- of ploy/move/reckon.h, for its sources and tests

// @return the candidate that ended nearest (of equals, the first), or -1 if none is possible.
int32_t ployi_reckon_best(ploy_reckon_trial_fn trial, void *user, int32_t count, float *distance);

// Returns where an agent with that velocity will be after t seconds, if walls stop it a radius
// away.
ploy_vec2 ployi_reckon_walled(const ploy_scene *scene, uint32_t mask, ploy_vec2 position,
                              ploy_vec2 velocity, float radius, float t);

// ---- of ploy/move/pipeline.h, for its sources and tests

// Channels set in `more` overwrite those of goal. @return the channels that were set in both.
uint32_t ployi_steering_goal_merge(ploy_steering_goal *goal, ploy_steering_goal more);

// ---- of ploy/move/moves.h, for its sources and tests

// Makes a list relative to its first tile, so that it can be played anywhere.
void ployi_tiles_normalise(ploy_tile *tiles, int32_t count);

// ---- of ploy/move/arrive.h, for its sources and tests

ploy_kinematic3_output ployi_arrive3_velocity(const ploy_arrive_def *def, ploy_vec3 position,
                                              ploy_vec3 target);

// ---- of ploy/move/flee.h, for its sources and tests

ploy_kinematic3_output ployi_flee3_velocity(const ploy_flee_def *def, ploy_vec3 position,
                                            ploy_vec3 threat);

// ---- of ploy/move/predict.h, for its sources and tests

float ployi_predict_time3(const ploy_predict_def *def, float max_speed, ploy_kinematic3 agent,
                          ploy_kinematic3 target);
