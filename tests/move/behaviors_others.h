// Behaviors by targets, neighbours and obstacles, for the table in behaviors.h.
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
