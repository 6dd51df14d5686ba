// Every behavior among three others, in every form that it has: the table over which the tests of
// what all behaviors have in common run.
#pragma once

#include "ploy/move/agitate.h"
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/combine.h"
#include "ploy/move/context.h"
#include "ploy/move/craft.h"
#include "ploy/move/errand.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/formation.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"
#include "ploy/move/intercept.h"
#include "ploy/move/jump.h"
#include "ploy/move/match.h"
#include "ploy/move/motor.h"
#include "ploy/move/moves.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/orca.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/pursue.h"
#include "tests/move/scene.h"

enum { OTHERS = 3, BATCH = 70 };

// A behavior among three others, at its defaults. The others serve as targets, leaders, neighbours
// or obstacles of one metre, as it needs them. Forms that it does not have are NULL.
typedef struct behavior {
    const char *name;
    ploy_steering (*one)(ploy_kinematic agent, const ploy_kinematic *o);
    ploy_steering3 (*one3)(ploy_kinematic3 agent, const ploy_kinematic3 *o);
    // Everybody has the same others.
    ploy_result (*batch)(const ploy_kinematics *agents, int32_t first, int32_t count,
                         const ploy_kinematic *o, const ploy_steerings *out);
    ploy_result (*batch3)(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                          const ploy_kinematic3 *o, const ploy_steerings3 *out);
    // What it is in a mirror, if it knows left from right; NULL: itself.
    ploy_steering (*mirrored)(ploy_kinematic agent, const ploy_kinematic *o);
    bool relative; // only relative motion counts: one velocity added to all changes nothing
    bool boxed;    // along the world's axes: turns by right angles only
    // A force without jumps, but for rare moments: carried out in smaller steps it comes nearer to its
    // true way. The others choose between things, or look whether something is near enough.
    bool smooth;
    // Why a form is missing; NULL: none is.
    const char *lacks;
} behavior;

static ploy_kinematics one_of(const ploy_kinematic *o) {
    return ploy_kinematics_of((ploy_kinematic *)o, 1);
}
static ploy_kinematics3 one_of3(const ploy_kinematic3 *o) {
    return ploy_kinematics3_of((ploy_kinematic3 *)o, 1);
}

// The shapes that most behaviors have: one other, or the place of one, by default settings.
#define BEHAVIOR_OF_POINT(fn)                                                                   \
    static ploy_steering fn##_one(ploy_kinematic agent, const ploy_kinematic *o) {              \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        return ploy_##fn(&def, agent, o[0].position);                                           \
    }                                                                                           \
    static ploy_steering3 fn##_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {          \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        return ploy_##fn##3(&def, agent, o[0].position);                                        \
    }                                                                                           \
    static ploy_result fn##_many(const ploy_kinematics *agents, int32_t first, int32_t count,   \
                                 const ploy_kinematic *o, const ploy_steerings *out) {          \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        ploy_points point = ploy_points_one(&o[0].position);                                    \
        return ploy_##fn##_batch(&def, agents, first, count, &point, out);                      \
    }                                                                                           \
    static ploy_result fn##_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count, \
                                  const ploy_kinematic3 *o, const ploy_steerings3 *out) {       \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        ploy_points3 point = ploy_points3_one(&o[0].position);                                  \
        return ploy_##fn##3_batch(&def, agents, first, count, &point, out);                     \
    }
BEHAVIOR_OF_POINT(seek)
BEHAVIOR_OF_POINT(flee)
BEHAVIOR_OF_POINT(arrive)

static ploy_steering seek_full(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_seek_def def = ploy_seek_def_default();
    def.mode = PLOY_PULL_FULL;
    return ploy_seek(&def, agent, o[0].position);
}

#define BEHAVIOR_OF_ONE(fn)                                                                     \
    static ploy_steering fn##_one(ploy_kinematic agent, const ploy_kinematic *o) {              \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        return ploy_##fn(&def, agent, o[0]);                                                    \
    }                                                                                           \
    static ploy_steering3 fn##_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {          \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        return ploy_##fn##3(&def, agent, o[0]);                                                 \
    }                                                                                           \
    static ploy_result fn##_many(const ploy_kinematics *agents, int32_t first, int32_t count,   \
                                 const ploy_kinematic *o, const ploy_steerings *out) {          \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        ploy_kinematics other = one_of(o);                                                      \
        return ploy_##fn##_batch(&def, agents, first, count, &other, out);                      \
    }                                                                                           \
    static ploy_result fn##_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count, \
                                  const ploy_kinematic3 *o, const ploy_steerings3 *out) {       \
        ploy_##fn##_def def = ploy_##fn##_def_default();                                        \
        ploy_kinematics3 other = one_of3(o);                                                    \
        return ploy_##fn##3_batch(&def, agents, first, count, &other, out);                     \
    }
BEHAVIOR_OF_ONE(pursue)
BEHAVIOR_OF_ONE(evade)
BEHAVIOR_OF_ONE(intercept)
BEHAVIOR_OF_ONE(fly_by)
BEHAVIOR_OF_ONE(follow)

static ploy_steering intercept_exact(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_intercept_def def = ploy_intercept_def_default();
    def.method = PLOY_INTERCEPT_EXACT;
    return ploy_intercept(&def, agent, o[0]);
}

static ploy_steering interpose_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_interpose_def def = ploy_interpose_def_default();
    return ploy_interpose(&def, agent, o[0], o[1]);
}
static ploy_steering3 interpose_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_interpose_def def = ploy_interpose_def_default();
    return ploy_interpose3(&def, agent, o[0], o[1]);
}
static ploy_result interpose_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_interpose_def def = ploy_interpose_def_default();
    ploy_kinematics a = one_of(o), b = one_of(o + 1);
    return ploy_interpose_batch(&def, agents, first, count, &a, &b, out);
}
static ploy_result interpose_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                   const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_interpose_def def = ploy_interpose_def_default();
    ploy_kinematics3 a = one_of3(o), b = one_of3(o + 1);
    return ploy_interpose3_batch(&def, agents, first, count, &a, &b, out);
}

// Straight behind, so that mirroring the scene mirrors the slot.
static const ploy_vec3 slot = {-2.0f, 0.0f, 0.0f};
static ploy_steering offset_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_offset_pursuit_def def = ploy_offset_pursuit_def_default();
    return ploy_offset_pursuit(&def, agent, o[0], ploy_vec2_from_vec3(slot));
}
static ploy_steering3 offset_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_offset_pursuit_def def = ploy_offset_pursuit_def_default();
    return ploy_offset_pursuit3(&def, agent, o[0], slot);
}
static ploy_result offset_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                               const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_offset_pursuit_def def = ploy_offset_pursuit_def_default();
    ploy_kinematics leader = one_of(o);
    ploy_vec2 at = ploy_vec2_from_vec3(slot);
    ploy_points offsets = ploy_points_one(&at);
    return ploy_offset_pursuit_batch(&def, agents, first, count, &leader, &offsets, out);
}
static ploy_result offset_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_offset_pursuit_def def = ploy_offset_pursuit_def_default();
    ploy_kinematics3 leader = one_of3(o);
    ploy_points3 offsets = ploy_points3_one(&slot);
    return ploy_offset_pursuit3_batch(&def, agents, first, count, &leader, &offsets, out);
}

static ploy_steering face_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_align_def def = ploy_align_def_default();
    return ploy_face(&def, agent, o[0].position);
}
static ploy_steering3 face_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_align_def def = ploy_align_def_default();
    return ploy_face3(&def, agent, o[0].position);
}
static ploy_result face_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                             const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_align_def def = ploy_align_def_default();
    ploy_points points = ploy_points_one(&o[0].position);
    return ploy_face_batch(&def, agents, first, count, &points, out);
}
static ploy_result face_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                              const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_align_def def = ploy_align_def_default();
    ploy_points3 points = ploy_points3_one(&o[0].position);
    return ploy_face3_batch(&def, agents, first, count, &points, out);
}

static ploy_steering align_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_align_def def = ploy_align_def_default();
    return ploy_align(&def, agent, o[0].orientation);
}
static ploy_steering3 align_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_align_def def = ploy_align_def_default();
    return ploy_align3(&def, agent, o[0].orientation);
}
static ploy_result align_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                              const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_align_def def = ploy_align_def_default();
    float orientations[BATCH];
    for (int32_t i = 0; i < BATCH; i++) orientations[i] = o[0].orientation;
    return ploy_align_batch(&def, agents, first, count, orientations, out);
}
static ploy_result align_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                               const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_align_def def = ploy_align_def_default();
    ploy_quat orientations[BATCH];
    for (int32_t i = 0; i < BATCH; i++) orientations[i] = o[0].orientation;
    return ploy_align3_batch(&def, agents, first, count, orientations, out);
}

static ploy_steering look_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_align_def def = ploy_align_def_default();
    (void)o;
    return ploy_look(&def, agent);
}
static ploy_steering3 look_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_align_def def = ploy_align_def_default();
    (void)o;
    return ploy_look3(&def, agent);
}
static ploy_result look_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                             const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_align_def def = ploy_align_def_default();
    (void)o;
    return ploy_look_batch(&def, agents, first, count, out);
}
static ploy_result look_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                              const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_align_def def = ploy_align_def_default();
    (void)o;
    return ploy_look3_batch(&def, agents, first, count, out);
}

static ploy_steering match_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_match_def def = ploy_match_def_default();
    return ploy_match_velocity(&def, agent, o[0].velocity);
}
static ploy_steering3 match_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_match_def def = ploy_match_def_default();
    return ploy_match_velocity3(&def, agent, o[0].velocity);
}
static ploy_result match_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                              const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_match_def def = ploy_match_def_default();
    ploy_points velocities = ploy_points_one(&o[0].velocity);
    return ploy_match_velocity_batch(&def, agents, first, count, &velocities, out);
}
static ploy_result match_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                               const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_match_def def = ploy_match_def_default();
    ploy_points3 velocities = ploy_points3_one(&o[0].velocity);
    return ploy_match_velocity3_batch(&def, agents, first, count, &velocities, out);
}

static ploy_steering rotation_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_match_def def = ploy_match_def_default();
    return ploy_match_rotation(&def, agent, o[0].rotation);
}
static ploy_steering3 rotation_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_match_def def = ploy_match_def_default();
    return ploy_match_rotation3(&def, agent, o[0].rotation);
}
static ploy_result rotation_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                 const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_match_def def = ploy_match_def_default();
    float rotations[BATCH];
    for (int32_t i = 0; i < BATCH; i++) rotations[i] = o[0].rotation;
    return ploy_match_rotation_batch(&def, agents, first, count, rotations, out);
}
static ploy_result rotation_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                  const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_match_def def = ploy_match_def_default();
    ploy_points3 rotations = ploy_points3_one(&o[0].rotation);
    return ploy_match_rotation3_batch(&def, agents, first, count, &rotations, out);
}

static void points_of(const ploy_kinematic *o, ploy_vec2 out[OTHERS]) {
    for (int32_t i = 0; i < OTHERS; i++) out[i] = o[i].position;
}
static void points_of3(const ploy_kinematic3 *o, ploy_vec3 out[OTHERS]) {
    for (int32_t i = 0; i < OTHERS; i++) out[i] = o[i].position;
}

static ploy_steering path_of(ploy_path_follow_form form, ploy_kinematic agent,
                             const ploy_kinematic *o) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = form;
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    float along = 0.0f;
    return ploy_path_follow(&def, agent, &path, &along);
}
static ploy_steering3 path_of3(ploy_path_follow_form form, ploy_kinematic3 agent,
                               const ploy_kinematic3 *o) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = form;
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    float along = 0.0f;
    return ploy_path_follow3(&def, agent, points, OTHERS, false, &along);
}
static ploy_result path_many_of(ploy_path_follow_form form, const ploy_kinematics *agents,
                                int32_t first, int32_t count, const ploy_kinematic *o,
                                const ploy_steerings *out) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = form;
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    float alongs[BATCH] = {0.0f};
    return ploy_path_follow_batch(&def, agents, first, count, &path, alongs, out);
}
static ploy_result path_many_of3(ploy_path_follow_form form, const ploy_kinematics3 *agents,
                                 int32_t first, int32_t count, const ploy_kinematic3 *o,
                                 const ploy_steerings3 *out) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = form;
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    float alongs[BATCH] = {0.0f};
    return ploy_path_follow3_batch(&def, agents, first, count, points, OTHERS, false, alongs, out);
}
#define BEHAVIOR_OF_PATH(name, form)                                                              \
    static ploy_steering name(ploy_kinematic agent, const ploy_kinematic *o) {                    \
        return path_of(form, agent, o);                                                           \
    }                                                                                             \
    static ploy_steering3 name##3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {              \
        return path_of3(form, agent, o);                                                          \
    }                                                                                             \
    static ploy_result name##_many(const ploy_kinematics *agents, int32_t first, int32_t count,   \
                                   const ploy_kinematic *o, const ploy_steerings *out) {          \
        return path_many_of(form, agents, first, count, o, out);                                  \
    }                                                                                             \
    static ploy_result name##_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count, \
                                    const ploy_kinematic3 *o, const ploy_steerings3 *out) {       \
        return path_many_of3(form, agents, first, count, o, out);                                 \
    }
BEHAVIOR_OF_PATH(path_rabbit, PLOY_PATH_FOLLOW_RABBIT)
BEHAVIOR_OF_PATH(path_predictive, PLOY_PATH_FOLLOW_PREDICTIVE)
BEHAVIOR_OF_PATH(path_tube, PLOY_PATH_FOLLOW_TUBE)

static void circles_of(const ploy_kinematic *o, ploy_circle out[OTHERS]) {
    for (int32_t i = 0; i < OTHERS; i++) out[i] = ploy_circle_make(o[i].position, 1.0f);
}
static void spheres_of(const ploy_kinematic3 *o, ploy_sphere out[OTHERS]) {
    for (int32_t i = 0; i < OTHERS; i++) out[i] = ploy_sphere_make(o[i].position, 1.0f);
}

static ploy_obstacle_def obstacle_def(void) {
    ploy_obstacle_def def = ploy_obstacle_def_default();
    def.look_ahead = 15.0f; // so that something stands in the way now and then
    def.radius = 4.0f;
    return def;
}
static ploy_steering obstacle_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_obstacle_def def = obstacle_def();
    ploy_circle circles[OTHERS];
    circles_of(o, circles);
    return ploy_avoid_obstacles(&def, agent, circles, OTHERS);
}
static ploy_steering3 obstacle_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_obstacle_def def = obstacle_def();
    ploy_sphere spheres[OTHERS];
    spheres_of(o, spheres);
    return ploy_avoid_obstacles3(&def, agent, spheres, OTHERS);
}
static ploy_result obstacle_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                 const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_obstacle_def def = obstacle_def();
    ploy_circle circles[OTHERS];
    circles_of(o, circles);
    return ploy_avoid_obstacles_batch(&def, agents, first, count, circles, OTHERS, out);
}
static ploy_result obstacle_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                  const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_obstacle_def def = obstacle_def();
    ploy_sphere spheres[OTHERS];
    spheres_of(o, spheres);
    return ploy_avoid_obstacles3_batch(&def, agents, first, count, spheres, OTHERS, out);
}

static ploy_steering hide_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_circle circles[OTHERS];
    circles_of(o, circles);
    return ploy_hide(&def, agent, o[0], circles + 1, OTHERS - 1);
}
static ploy_steering3 hide_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_sphere spheres[OTHERS];
    spheres_of(o, spheres);
    return ploy_hide3(&def, agent, o[0], spheres + 1, OTHERS - 1);
}
static ploy_result hide_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                             const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_circle circles[OTHERS];
    circles_of(o, circles);
    return ploy_hide_batch(&def, agents, first, count, o[0], circles + 1, OTHERS - 1, out);
}

static ploy_result hide_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                              const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_sphere spheres[OTHERS];
    spheres_of(o, spheres);
    return ploy_hide3_batch(&def, agents, first, count, o[0], spheres + 1, OTHERS - 1, out);
}

static ploy_collision_def collision_def(void) {
    ploy_collision_def def = ploy_collision_def_default();
    def.radius = 4.0f;
    def.horizon = 50.0f;
    return def;
}
static ploy_steering collision_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_collision_def def = collision_def();
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    return ploy_avoid_collision(&def, agent, &others, -1);
}
static ploy_steering3 collision_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_collision_def def = collision_def();
    ploy_kinematics3 others = ploy_kinematics3_of((ploy_kinematic3 *)o, OTHERS);
    return ploy_avoid_collision3(&def, agent, &others, -1);
}

static ploy_steering cone_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_cone_def def = ploy_cone_def_default();
    def.distance = 50.0f;
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    return ploy_avoid_cone(&def, agent, &others, -1);
}
static ploy_steering3 cone_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_cone_def def = ploy_cone_def_default();
    def.distance = 50.0f;
    ploy_kinematics3 others = ploy_kinematics3_of((ploy_kinematic3 *)o, OTHERS);
    return ploy_avoid_cone3(&def, agent, &others, -1);
}

static ploy_flock_def flock_def(ploy_separation_mode mode) {
    ploy_flock_def def = ploy_flock_def_default();
    def.separation = mode;
    def.radius = def.separation_radius = 50.0f;
    return def;
}
static ploy_steering flock_of(ploy_separation_mode mode, ploy_kinematic agent,
                              const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(mode);
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_neighbours seen = ploy_neighbours_find(&def, agent, &others, -1);
    return ploy_flock_steer(&def, agent, &seen);
}
static ploy_steering flock_one(ploy_kinematic agent, const ploy_kinematic *o) {
    return flock_of(PLOY_SEPARATION_INVERSE, agent, o);
}
static ploy_steering flock_square(ploy_kinematic agent, const ploy_kinematic *o) {
    return flock_of(PLOY_SEPARATION_INVERSE_SQUARE, agent, o);
}
static ploy_steering flock_linear(ploy_kinematic agent, const ploy_kinematic *o) {
    return flock_of(PLOY_SEPARATION_LINEAR, agent, o);
}
static ploy_steering3 flock_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_kinematics3 others = ploy_kinematics3_of((ploy_kinematic3 *)o, OTHERS);
    ploy_neighbours3 seen = ploy_neighbours3_find(&def, agent, &others, -1);
    return ploy_flock3_steer(&def, agent, &seen);
}

static ploy_steering contain_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_contain_def def = ploy_contain_def_default();
    return ploy_contain(&def, agent, ploy_box2_make(o[0].position, o[1].position));
}
static ploy_steering3 contain_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_contain_def def = ploy_contain_def_default();
    return ploy_contain3(&def, agent, ploy_box3_make(o[0].position, o[1].position));
}
static ploy_result contain_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_contain_def def = ploy_contain_def_default();
    return ploy_contain_batch(&def, agents, first, count,
                              ploy_box2_make(o[0].position, o[1].position), out);
}
static ploy_result contain_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                 const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_contain_def def = ploy_contain_def_default();
    return ploy_contain3_batch(&def, agents, first, count,
                               ploy_box3_make(o[0].position, o[1].position), out);
}

// ---- ways, fields, walls ----

static ploy_steering waypoints_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    int32_t next = 1;
    return ploy_waypoints(&def, agent, &path, &next);
}
static ploy_steering3 waypoints_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    int32_t next = 1;
    return ploy_waypoints3(&def, agent, points, OTHERS, false, &next);
}
static ploy_result waypoints_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    int32_t nexts[BATCH];
    for (int32_t i = 0; i < BATCH; i++) nexts[i] = 1;
    return ploy_waypoints_batch(&def, agents, first, count, &path, nexts, out);
}
static ploy_result waypoints_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                   const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    int32_t nexts[BATCH];
    for (int32_t i = 0; i < BATCH; i++) nexts[i] = 1;
    return ploy_waypoints3_batch(&def, agents, first, count, points, OTHERS, false, nexts, out);
}

static ploy_path_follow_def spline_def(void) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.window = 3.0f;
    return def;
}
static ploy_spline2 spline_of(const ploy_kinematic *o, ploy_vec2 points[OTHERS]) {
    points_of(o, points);
    return ploy_spline2_make(points, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
}
static ploy_spline3 spline_of3(const ploy_kinematic3 *o, ploy_vec3 points[OTHERS]) {
    points_of3(o, points);
    return ploy_spline3_make(points, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
}
static ploy_steering spline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_path_follow_def def = spline_def();
    ploy_vec2 points[OTHERS];
    ploy_spline2 spline = spline_of(o, points);
    float along = 0.0f;
    return ploy_spline_follow(&def, agent, &spline, &along);
}
static ploy_steering3 spline_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_path_follow_def def = spline_def();
    ploy_vec3 points[OTHERS];
    ploy_spline3 spline = spline_of3(o, points);
    float along = 0.0f;
    return ploy_spline_follow3(&def, agent, &spline, &along);
}
static ploy_result spline_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                               const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_path_follow_def def = spline_def();
    ploy_vec2 points[OTHERS];
    ploy_spline2 spline = spline_of(o, points);
    float alongs[BATCH] = {0.0f};
    return ploy_spline_follow_batch(&def, agents, first, count, &spline, alongs, out);
}
static ploy_result spline_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_path_follow_def def = spline_def();
    ploy_vec3 points[OTHERS];
    ploy_spline3 spline = spline_of3(o, points);
    float alongs[BATCH] = {0.0f};
    return ploy_spline_follow3_batch(&def, agents, first, count, &spline, alongs, out);
}

// A current with the first one's velocity that also draws toward it.
static ploy_vec2 current_at(const void *user, ploy_vec2 point) {
    const ploy_kinematic *o = user;
    ploy_vec2 toward = ploy_vec2_limit(ploy_vec2_sub(o[0].position, point), 10.0f);
    return ploy_vec2_add_scaled(o[0].velocity, toward, 0.2f);
}
static ploy_steering flow_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field field = {current_at, o};
    return ploy_flow_follow(&def, agent, &field);
}
static ploy_vec3 current_at3(const void *user, ploy_vec3 point) {
    const ploy_kinematic3 *o = user;
    ploy_vec3 toward = ploy_vec3_limit(ploy_vec3_sub(o[0].position, point), 10.0f);
    return ploy_vec3_add_scaled(o[0].velocity, toward, 0.2f);
}
static ploy_steering3 flow_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field3 field = {current_at3, o};
    return ploy_flow_follow3(&def, agent, &field);
}
static ploy_result flow_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                             const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field field = {current_at, o};
    return ploy_flow_follow_batch(&def, agents, first, count, &field, out);
}
static ploy_result flow_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                              const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field3 field = {current_at3, o};
    return ploy_flow_follow3_batch(&def, agents, first, count, &field, out);
}

// The others as balls of three metres, through the interface that a game fills in.
static bool balls_ray(const ploy_vec3 centres[OTHERS], ploy_vec3 from, ploy_vec3 to,
                      ploy_scene_hit *hit) {
    ploy_vec3 way = ploy_vec3_sub(to, from), unit = ploy_vec3_normalise(way);
    float best = ploy_vec3_length(way);
    bool found = false;
    for (int32_t i = 0; i < OTHERS; i++) {
        ploy_vec3 off = ploy_vec3_sub(centres[i], from);
        float along = ploy_vec3_dot(off, unit);
        float square = 9.0f - ploy_vec3_length_sq(ploy_vec3_add_scaled(off, unit, -along));
        float distance = along - sqrtf(ploy_maxf(square, 0.0f));
        if (!(square > 0.0f) || !(distance > 0.0f) || !(distance < best)) continue;
        best = distance;
        found = true;
        hit->distance = distance;
        hit->point = ploy_vec3_add_scaled(from, unit, distance);
        hit->normal = ploy_vec3_normalise(ploy_vec3_sub(hit->point, centres[i]));
        hit->object = ploy_id_none();
        hit->layers = 1;
        hit->inside = false;
    }
    return found;
}
static bool posts_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                      ploy_scene_hit *hit) {
    const ploy_kinematic *o = user;
    ploy_vec3 centres[OTHERS];
    (void)mask;
    for (int32_t i = 0; i < OTHERS; i++) centres[i] = ploy_vec3_from_vec2(o[i].position, 0.0f);
    return balls_ray(centres, from, to, hit);
}
static bool balls_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                        ploy_scene_hit *hit) {
    const ploy_kinematic3 *o = user;
    ploy_vec3 centres[OTHERS];
    (void)mask, (void)radius; // thin bodies
    points_of3(o, centres);
    return balls_ray(centres, from, to, hit);
}
static ploy_scene balls_of(const ploy_kinematic3 *o) {
    ploy_scene scene = {NULL, balls_sweep, NULL, NULL, (void *)o};
    return scene;
}
static bool posts_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                        ploy_scene_hit *hit) {
    (void)radius; // thin bodies
    return posts_ray(user, from, to, mask, hit);
}
static ploy_scene posts_of(const ploy_kinematic *o) {
    ploy_scene scene = {posts_ray, posts_sweep, NULL, NULL, (void *)o};
    return scene;
}
static ploy_feelers_def walls_def(ploy_feeler_layout layout, ploy_feeler_response response) {
    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = layout;
    def.response = response;
    def.length = 25.0f;
    def.whisker_length = 15.0f;
    return def;
}
static ploy_steering walls_of(ploy_feeler_layout layout, ploy_feeler_response response,
                              ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = walls_def(layout, response);
    ploy_scene scene = posts_of(o);
    ploy_feelers state;
    memset(&state, 0, sizeof state);
    return ploy_avoid_walls(&def, &state, agent, &scene, 0.02f);
}
static ploy_steering walls_single(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK, agent, o);
}
static ploy_steering walls_parallel(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_PARALLEL, PLOY_FEELERS_PUSH, agent, o);
}
static ploy_steering walls_fan(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_FAN, PLOY_FEELERS_SEEK, agent, o);
}
static ploy_result walls_fan_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_FAN, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    ploy_feelers states[BATCH];
    memset(states, 0, sizeof states);
    return ploy_avoid_walls_batch(&def, states, agents, first, count, &scene, 0.02f, out);
}
static ploy_steering walls_swept(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    return ploy_avoid_walls_swept(&def, agent, &scene);
}
static ploy_steering3 walls_swept3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = balls_of(o);
    return ploy_avoid_walls_swept3(&def, agent, &scene);
}
static ploy_result walls_swept_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                    const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    return ploy_avoid_walls_swept_batch(&def, agents, first, count, &scene, out);
}
static ploy_result walls_swept_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                     const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = balls_of(o);
    return ploy_avoid_walls_swept3_batch(&def, agents, first, count, &scene, out);
}
static ploy_wall_follow_def wall_follow_def(bool right) {
    ploy_wall_follow_def def = ploy_wall_follow_def_default();
    def.reach = def.ahead = 12.0f;
    def.right = right;
    return def;
}
static ploy_steering wall_follow_at(bool right, ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_wall_follow_def def = wall_follow_def(right);
    ploy_scene scene = posts_of(o);
    return ploy_wall_follow(&def, agent, &scene);
}
static ploy_result wall_follow_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                    const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_wall_follow_def def = wall_follow_def(false);
    ploy_scene scene = posts_of(o);
    return ploy_wall_follow_batch(&def, agents, first, count, &scene, out);
}
static ploy_steering wall_follow_one(ploy_kinematic agent, const ploy_kinematic *o) {
    return wall_follow_at(false, agent, o);
}
static ploy_steering wall_follow_right(ploy_kinematic agent, const ploy_kinematic *o) {
    return wall_follow_at(true, agent, o);
}

// ---- combinations, bodies, patterns ----

static ploy_steering pipeline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_steering_goal goal = ploy_steering_goal_at(o[0].position);
    ploy_keep_out circles[2] = {ploy_keep_out_make(o[1].position, 2.0f, 1.4f),
                                ploy_keep_out_make(o[2].position, 2.0f, 1.4f)};
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    for (int i = 0; i < 2; i++) {
        ploy_pipeline_add_constraint(&pipeline, ploy_keep_out_constraint(&circles[i]));
    }
    ploy_steering_context context = scene_context(agent);
    return ploy_pipeline_steer(&pipeline, &context, NULL);
}

static ploy_steering combined(ploy_combine_mode mode, ploy_kinematic agent,
                              const ploy_kinematic *o) {
    ploy_collision_def collision = collision_def();
    ploy_pursue_def pursue = ploy_pursue_def_default();
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_steering_source avoid, chase;
    ploy_avoid_collision_source(&collision, &others, -1, NULL, &avoid);
    ploy_pursue_source(&pursue, o, NULL, &chase);
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    ploy_combination combination;
    ploy_combination_init(&combination, &def, NULL);
    ploy_combination_add(&combination, "avoid", avoid, 1.0f);
    ploy_combination_add(&combination, "chase", chase, 0.7f);
    combination.parts[1].group = 1;
    ploy_steering_context context = scene_context(agent);
    return ploy_combine(&combination, &context);
}
static ploy_steering combine_sum(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_SUM, agent, o);
}
static ploy_steering combine_running(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_RUNNING_SUM, agent, o);
}
static ploy_steering combine_priority(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_PRIORITY, agent, o);
}

static ploy_steering motor_filtered(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    return ploy_motor_filter(&def, agent, pursue_one(agent, o), false, false);
}
// The controls of a body as a request: throttle less brake along the nose, and the turn.
static ploy_steering driven(ploy_motor_body body, ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_motor_def def = ploy_motor_def_of(body);
    ploy_motor_output out = ploy_motor_control(&def, agent, o[0].position);
    ploy_steering_parts parts = {out.throttle - out.brake, 0.0f, 0.0f};
    ploy_steering steering = ploy_steering_join(parts, agent);
    steering.linear = ploy_vec2_add(steering.linear, ploy_vec2_limit(out.velocity, 10.0f));
    steering.angular = out.rotation;
    return steering;
}
static ploy_steering motor_human(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_HUMAN, agent, o);
}
static ploy_steering motor_car(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_CAR, agent, o);
}
static ploy_steering motor_bike(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_MOTORBIKE, agent, o);
}
static ploy_steering motor_tank(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_TANK, agent, o);
}

// A move of two metres after a turn to the left; a maneuver to the left. Where it then looks.
static ploy_steering moves_by(float turn, ploy_kinematic agent) {
    ploy_move list[] = {{turn, 2.0f, {0}}};
    ploy_moves moves = {list, 1, PLOY_MOVES_LOOP};
    ploy_moves_state state;
    ploy_kinematic moved = agent;
    memset(&state, 0, sizeof state);
    ploy_moves_step(&moves, &state, &moved, NULL);
    return ploy_steering_make(ploy_angle_heading(moved.orientation), 0.0f);
}
static ploy_steering moves_one(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return moves_by(0.7f, agent);
}
static ploy_steering moves_mirrored(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return moves_by(-0.7f, agent);
}
// side is 1 to the left.
static ploy_steering maneuver_by(float side, ploy_kinematic agent) {
    ploy_maneuver list[] = {{side, 1.0f, 1.5f, 0.0f}};
    ploy_maneuvers maneuvers = {list, 1, 1, 0.05f};
    // Begun with another heading, so that a part of the turn is done.
    ploy_kinematic begun = agent;
    begun.orientation = ploy_angle_wrap(agent.orientation - 0.5f * side);
    ploy_maneuver_state state = ploy_maneuver_begin(begun);
    ploy_maneuver_output out = {0.0f, 0.0f};
    ploy_maneuver_step(&maneuvers, &state, agent, &out);
    ploy_steering_parts parts = {out.thrust, out.steer, 0.0f};
    return ploy_steering_join(parts, agent);
}
static ploy_steering maneuver_one(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return maneuver_by(1.0f, agent);
}
static ploy_steering maneuver_mirrored(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return maneuver_by(-1.0f, agent);
}

static ploy_steering jump_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_jump_def def = ploy_jump_def_default();
    ploy_vec2 way = ploy_vec2_with_length(ploy_vec2_sub(o[1].position, o[0].position), 3.0f);
    ploy_jump_point point = {ploy_vec3_from_vec2(o[0].position, 0.0f),
                             ploy_vec3_from_vec2(ploy_vec2_add(o[0].position, way), 0.0f),
                             PLOY_JUMP_AT_LEAST,
                             1.0f,
                             {0, 0}};
    ploy_jump jump = ploy_jump_begin(&def, &point, agent.position);
    return ploy_jump_steer(&def, &jump, agent);
}

// To a slot straight behind the first one, as a formation places it.
static ploy_steering slot_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_arrive_def def = ploy_arrive_def_default();
    ploy_place anchor = {o[0].position, o[0].orientation};
    ploy_place slot_in = {ploy_vec2_from_vec3(slot), 0.0f};
    return ploy_arrive(&def, agent, ploy_place_in(slot_in, anchor).position);
}

static ploy_steering errand_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_errand_def def = ploy_errand_def_default();
    ploy_errand_stop stops[2] = {{o[0].position, 5.0f}, {o[1].position, 5.0f}};
    ploy_errand errand = ploy_errand_begin(&def, stops, 2, o[2].position);
    ploy_steering_context context = scene_context(agent);
    return ploy_errand_steer(&errand, &context);
}

static ploy_steering craft_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_craft_def craft = ploy_craft_def_default();
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_craft_controls controls = {1.0f, ploy_craft_flock(&def, agent, &others, -1)};
    return ploy_craft_forces(&craft, agent, controls);
}

// ---- those to whom only relative motion matters ----

static ploy_pursue_def pursue_relative_def(void) {
    ploy_pursue_def def = ploy_pursue_def_default();
    def.predict.method = PLOY_PREDICTION_RELATIVE;
    return def;
}
static ploy_steering pursue_relative(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_pursue_def def = pursue_relative_def();
    return ploy_pursue(&def, agent, o[0]);
}
static ploy_steering3 pursue_relative3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_pursue_def def = pursue_relative_def();
    return ploy_pursue3(&def, agent, o[0]);
}
static ploy_steering evade_relative(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_evade_def def = ploy_evade_def_default();
    def.predict = pursue_relative_def().predict;
    return ploy_evade(&def, agent, o[0]);
}
static ploy_steering3 evade_relative3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_evade_def def = ploy_evade_def_default();
    def.predict = pursue_relative_def().predict;
    return ploy_evade3(&def, agent, o[0]);
}

// One rule of flocking by itself.
static ploy_neighbours seen_by(const ploy_flock_def *def, ploy_kinematic agent,
                               const ploy_kinematic *o) {
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    return ploy_neighbours_find(def, agent, &others, -1);
}
static ploy_neighbours3 seen_by3(const ploy_flock_def *def, ploy_kinematic3 agent,
                                 const ploy_kinematic3 *o) {
    ploy_kinematics3 others = ploy_kinematics3_of((ploy_kinematic3 *)o, OTHERS);
    return ploy_neighbours3_find(def, agent, &others, -1);
}
static ploy_steering separate_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_separate(&def, &seen);
}
static ploy_steering3 separate_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_separate3(&def, &seen);
}
static ploy_steering conform_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_conform(&def, agent, &seen);
}
static ploy_steering3 conform_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_conform3(&def, agent, &seen);
}
static ploy_steering cohere_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_cohere(&def, agent, &seen);
}
static ploy_steering3 cohere_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_cohere3(&def, agent, &seen);
}

// ---- what answers with a velocity or a direction, as a request no longer than others' ----

static ploy_steering orca_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_orca_def def = ploy_orca_def_default();
    def.range = 50.0f;
    ploy_orca_agent self = ploy_orca_agent_make(agent.position, 1.0f, 6.0f, 0);
    ploy_orca_agent others[OTHERS];
    self.velocity = self.wanted = agent.velocity;
    for (int32_t i = 0; i < OTHERS; i++) {
        others[i] = ploy_orca_agent_make(o[i].position, 1.0f, 6.0f, (uint32_t)i + 1);
        others[i].velocity = o[i].velocity;
    }
    ploy_orca_result found = ploy_orca_find(&def, &self, others, OTHERS, NULL, 0, 0.1f, NULL);
    return ploy_steering_make(ploy_vec2_limit(found.velocity, 10.0f), 0.0f);
}

// To the first, keeping off the other two.
static ploy_steering context_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_context_def def = ploy_context_def_default();
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_context_add_interest(&context, ploy_vec2_sub(o[0].position, agent.position), 1.0f);
    for (int32_t i = 1; i < OTHERS; i++) {
        ploy_context_add_body(&context, agent.position, o[i].position, 2.0f, 20.0f);
    }
    ploy_context_choice choice = ploy_context_decide(&context, &def, -1);
    if (choice.slot < 0) return ploy_steering_none();
    return ploy_steering_make(choice.direction, 0.0f);
}

static ploy_steering pass_by_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_vec2 way = ploy_pass_by(agent.position, agent.velocity, o[0].position, 1.0f, 30.0f);
    return ploy_steering_make(ploy_vec2_limit(way, 10.0f), 0.0f);
}
static ploy_steering3 pass_by_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_vec3 way = ploy_pass_by3(agent.position, agent.velocity, o[0].position, 1.0f, 30.0f);
    return ploy_steering3_make(ploy_vec3_limit(way, 10.0f), ploy_vec3_zero());
}

// Out of patience with the first.
static ploy_steering agitate_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_agitate_def def = ploy_agitate_def_default();
    float waited = 2.0f * def.patience;
    float side = ploy_vec2_cross(agent.velocity, ploy_vec2_sub(o[0].position, agent.position));
    ploy_vec2 kick = ploy_agitate(&def, &waited, agent.velocity, side, 0.01f);
    return ploy_steering_make(ploy_vec2_limit(kick, 10.0f), 0.0f);
}
static ploy_steering3 agitate_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_agitate_def def = ploy_agitate_def_default();
    float waited = 2.0f * def.patience;
    ploy_vec3 toward = ploy_vec3_sub(o[0].position, agent.position);
    ploy_vec3 kick = ploy_agitate3(&def, &waited, agent.velocity, toward, 0.01f);
    return ploy_steering3_make(ploy_vec3_limit(kick, 10.0f), ploy_vec3_zero());
}

// Why forms are missing.
#define AMONG_ITSELF "a batch looks at the crowd itself: tested with it"
#define ON_THE_GROUND "of bodies on the ground"
#define VARIANT "the same function with another setting"
#define MADE_OF_ONES "made of behaviors that each have their forms"
#define ONE_AGENT "of one agent's own plan"

// Four forms, whether only relative motion counts, whether it is smooth.
#define ALL_FORMS(name, fn, many, relative, smooth) \
    { name, fn, fn##3, many, many##3, NULL, relative, false, smooth, NULL }

static const behavior behaviors[] = {
    ALL_FORMS("seek", seek_one, seek_many, false, true),
    {"seek full", seek_full, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    ALL_FORMS("flee", flee_one, flee_many, false, true),
    ALL_FORMS("arrive", arrive_one, arrive_many, false, true),
    ALL_FORMS("pursue", pursue_one, pursue_many, false, true),
    ALL_FORMS("evade", evade_one, evade_many, false, true),
    ALL_FORMS("intercept", intercept_one, intercept_many, false, true),
    {"intercept exact", intercept_exact, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    ALL_FORMS("fly by", fly_by_one, fly_by_many, false, true),
    ALL_FORMS("follow", follow_one, follow_many, false, true),
    ALL_FORMS("interpose", interpose_one, interpose_many, false, true),
    ALL_FORMS("offset pursuit", offset_one, offset_many, false, true),
    ALL_FORMS("align", align_one, align_many, false, true),
    ALL_FORMS("face", face_one, face_many, false, true),
    ALL_FORMS("look", look_one, look_many, false, true),
    ALL_FORMS("match velocity", match_one, match_many, true, true),
    ALL_FORMS("match rotation", rotation_one, rotation_many, true, true),
    ALL_FORMS("path rabbit", path_rabbit, path_rabbit_many, false, true),
    ALL_FORMS("path predictive", path_predictive, path_predictive_many, false, true),
    ALL_FORMS("path tube", path_tube, path_tube_many, false, false),
    ALL_FORMS("avoid obstacles", obstacle_one, obstacle_many, false, false),
    ALL_FORMS("hide", hide_one, hide_many, false, false),
    {"avoid collision", collision_one, collision_one3, NULL, NULL, NULL, true, false, false,
     AMONG_ITSELF},
    {"avoid cone", cone_one, cone_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"flock", flock_one, flock_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"flock inverse square", flock_square, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    {"flock linear", flock_linear, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    {"contain", contain_one, contain_one3, contain_many, contain_many3, NULL, false, true, false,
     NULL},
    ALL_FORMS("waypoints", waypoints_one, waypoints_many, false, true),
    ALL_FORMS("spline follow", spline_one, spline_many, false, true),
    ALL_FORMS("flow", flow_one, flow_many, false, true),
    {"walls single", walls_single, NULL, NULL, NULL, NULL, false, false, false, VARIANT},
    {"walls parallel", walls_parallel, NULL, NULL, NULL, NULL, false, false, false, VARIANT},
    {"walls fan", walls_fan, NULL, walls_fan_many, NULL, NULL, false, false, false,
     "feelers lie in the plane; space has the swept form"},
    ALL_FORMS("walls swept", walls_swept, walls_swept_many, false, false),
    {"wall follow", wall_follow_one, NULL, wall_follow_many, NULL, wall_follow_right, false, false,
     false, ON_THE_GROUND},
    {"pipeline", pipeline_one, NULL, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"combine sum", combine_sum, NULL, NULL, NULL, NULL, false, false, false, MADE_OF_ONES},
    {"combine running sum", combine_running, NULL, NULL, NULL, NULL, false, false, false,
     MADE_OF_ONES},
    {"combine priority", combine_priority, NULL, NULL, NULL, NULL, false, false, false,
     MADE_OF_ONES},
    {"motor filter", motor_filtered, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor human", motor_human, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor car", motor_car, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor motorbike", motor_bike, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor tank", motor_tank, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"moves", moves_one, NULL, NULL, NULL, moves_mirrored, false, false, false, ONE_AGENT},
    {"maneuver", maneuver_one, NULL, NULL, NULL, maneuver_mirrored, false, false, false, ONE_AGENT},
    {"jump", jump_one, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"formation slot", slot_one, NULL, NULL, NULL, NULL, false, false, true, ON_THE_GROUND},
    {"errand", errand_one, NULL, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"craft", craft_one, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"pursue relative", pursue_relative, pursue_relative3, NULL, NULL, NULL, true, false, true,
     VARIANT},
    {"evade relative", evade_relative, evade_relative3, NULL, NULL, NULL, true, false, true,
     VARIANT},
    {"separate", separate_one, separate_one3, NULL, NULL, NULL, true, false, true, AMONG_ITSELF},
    {"conform", conform_one, conform_one3, NULL, NULL, NULL, true, false, true, AMONG_ITSELF},
    {"cohere", cohere_one, cohere_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"orca", orca_one, NULL, NULL, NULL, NULL, false, false, false, AMONG_ITSELF},
    {"context", context_one, NULL, NULL, NULL, NULL, false, true, false, ON_THE_GROUND},
    {"pass by", pass_by_one, pass_by_one3, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"agitate", agitate_one, agitate_one3, NULL, NULL, NULL, false, false, false, ONE_AGENT},
};
