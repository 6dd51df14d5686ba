// What all behaviors have in common, each in every form: scenes that are moved, turned or mirrored
// give moved, turned or mirrored wishes; whatever the numbers, the wish is finite and no longer than
// it may be; single and batch give the same bits; the plane is space at z = 0.
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/combine.h"
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
#include "ploy/move/path_follow.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/pursue.h"
#include "tests/move/scene.h"
#include "tests/test.h"

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
    bool handed;   // knows left from right, so a mirror changes it
    bool relative; // only relative motion counts: one velocity added to all changes nothing
} behavior;

static ploy_kinematics one_of(const ploy_kinematic *o) {
    return ploy_kinematics_of((ploy_kinematic *)o, 1);
}
static ploy_kinematics3 one_of3(const ploy_kinematic3 *o) {
    return ploy_kinematics3_of((ploy_kinematic3 *)o, 1);
}

// The shapes that most behaviors have: one other, by default settings.
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

static ploy_steering path_of(ploy_path_follow_form form, ploy_kinematic agent,
                             const ploy_kinematic *o) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = form;
    ploy_vec2 points[OTHERS];
    for (int32_t i = 0; i < OTHERS; i++) points[i] = o[i].position;
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    float along = 0.0f;
    return ploy_path_follow(&def, agent, &path, &along);
}
static ploy_steering path_rabbit(ploy_kinematic agent, const ploy_kinematic *o) {
    return path_of(PLOY_PATH_FOLLOW_RABBIT, agent, o);
}
static ploy_steering path_predictive(ploy_kinematic agent, const ploy_kinematic *o) {
    return path_of(PLOY_PATH_FOLLOW_PREDICTIVE, agent, o);
}
static ploy_steering path_tube(ploy_kinematic agent, const ploy_kinematic *o) {
    return path_of(PLOY_PATH_FOLLOW_TUBE, agent, o);
}

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
    for (int32_t i = 0; i < OTHERS; i++) points[i] = o[i].position;
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    int32_t next = 1;
    return ploy_waypoints(&def, agent, &path, &next);
}
static ploy_steering3 waypoints_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec3 points[OTHERS];
    for (int32_t i = 0; i < OTHERS; i++) points[i] = o[i].position;
    int32_t next = 1;
    return ploy_waypoints3(&def, agent, points, OTHERS, false, &next);
}

static ploy_steering spline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_vec2 points[OTHERS + 1] = {agent.position, o[0].position, o[1].position, o[2].position};
    ploy_spline2 spline = ploy_spline2_make(points, OTHERS + 1, PLOY_SPLINE_CENTRIPETAL, false);
    float along = 0.0f;
    def.window = 3.0f;
    return ploy_spline_follow(&def, agent, &spline, &along);
}
static ploy_steering3 spline_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_vec3 points[OTHERS + 1] = {agent.position, o[0].position, o[1].position, o[2].position};
    ploy_spline3 spline = ploy_spline3_make(points, OTHERS + 1, PLOY_SPLINE_CENTRIPETAL, false);
    float along = 0.0f;
    def.window = 3.0f;
    return ploy_spline_follow3(&def, agent, &spline, &along);
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

// The others as posts of three metres, through the interface that a game fills in.
static bool posts_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                      ploy_scene_hit *hit) {
    const ploy_kinematic *o = user;
    ploy_vec2 start = ploy_vec2_from_vec3(from);
    ploy_vec2 way = ploy_vec2_sub(ploy_vec2_from_vec3(to), start);
    float length = ploy_vec2_length(way), best = length;
    ploy_vec2 unit = ploy_vec2_normalise(way);
    bool found = false;
    (void)mask;
    for (int32_t i = 0; i < OTHERS; i++) {
        ploy_vec2 off = ploy_vec2_sub(o[i].position, start);
        float along = ploy_vec2_dot(off, unit), across = ploy_vec2_cross(unit, off);
        float square = 9.0f - across * across;
        float distance = along - sqrtf(ploy_maxf(square, 0.0f));
        if (!(square > 0.0f) || !(distance > 0.0f) || !(distance < best)) continue;
        best = distance;
        found = true;
        ploy_vec2 at = ploy_vec2_add_scaled(start, unit, distance);
        ploy_vec2 normal = ploy_vec2_normalise(ploy_vec2_sub(at, o[i].position));
        hit->distance = distance;
        hit->point = ploy_vec3_from_vec2(at, 0.0f);
        hit->normal = ploy_vec3_from_vec2(normal, 0.0f);
        hit->object = ploy_id_none();
        hit->layers = 1;
        hit->inside = false;
    }
    return found;
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
static ploy_steering walls_of(ploy_feeler_layout layout, ploy_feeler_response response,
                              ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = layout;
    def.response = response;
    def.length = 25.0f;
    def.whisker_length = 15.0f;
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
static ploy_steering walls_swept(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = ploy_feelers_def_default();
    def.length = 25.0f;
    ploy_scene scene = posts_of(o);
    return ploy_avoid_walls_swept(&def, agent, &scene);
}
static ploy_steering wall_follow_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_wall_follow_def def = ploy_wall_follow_def_default();
    def.reach = def.ahead = 12.0f;
    ploy_scene scene = posts_of(o);
    return ploy_wall_follow(&def, agent, &scene);
}

// ---- combinations, bodies, patterns ----

static ploy_steering pipeline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = o[0].position;
    ploy_keep_out circles[2] = {{o[1].position, 2.0f, 1.4f}, {o[2].position, 2.0f, 1.4f}};
    ploy_constraint constraints[2] = {ploy_keep_out_constraint(&circles[0]),
                                      ploy_keep_out_constraint(&circles[1])};
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_steering_source none = {"none", NULL, NULL};
    ploy_pipeline pipeline = {
        &targeter, 1, NULL, 0, constraints, 2, ploy_plain_actuator_make(&actuator), none, 4};
    ploy_steering_context context = scene_context(agent);
    return ploy_pipeline_steer(&pipeline, &context, NULL);
}

// Two behaviors of this table as sources.
typedef struct source_of {
    ploy_steering (*one)(ploy_kinematic agent, const ploy_kinematic *o);
    const ploy_kinematic *o;
} source_of;
static ploy_steering source_steer(void *user, const ploy_steering_context *context) {
    const source_of *source = user;
    return source->one(context->agent, source->o);
}
static ploy_steering combined(ploy_combine_mode mode, ploy_kinematic agent,
                              const ploy_kinematic *o) {
    source_of first = {collision_one, o}, second = {pursue_one, o};
    ploy_steering_source avoid = {"avoid", source_steer, &first};
    ploy_steering_source chase = {"chase", source_steer, &second};
    ploy_combine_part parts[2] = {ploy_combine_part_make(avoid, 1.0f),
                                  ploy_combine_part_make(chase, 0.7f)};
    parts[1].group = 1;
    ploy_combination combination = {ploy_combine_def_default(), parts, 2, NULL, NULL};
    combination.def.mode = mode;
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
    ploy_steering wish = ploy_steering_join(parts, agent);
    wish.linear = ploy_vec2_add(wish.linear, ploy_vec2_limit(out.velocity, 10.0f));
    wish.angular = out.rotation;
    return wish;
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
static ploy_steering moves_one(ploy_kinematic agent, const ploy_kinematic *o) {
    static const ploy_move list[] = {{0.7f, 2.0f, {0}}};
    ploy_moves moves = {list, 1, PLOY_MOVES_LOOP};
    ploy_moves_state state;
    ploy_kinematic moved = agent;
    memset(&state, 0, sizeof state);
    (void)o;
    ploy_moves_step(&moves, &state, &moved, NULL);
    return ploy_steering_make(ploy_angle_heading(moved.orientation), 0.0f);
}
static ploy_steering maneuver_one(ploy_kinematic agent, const ploy_kinematic *o) {
    static const ploy_maneuver list[] = {{1.0f, 1.0f, 1.5f, 0.0f}};
    ploy_maneuvers maneuvers = {list, 1, 1, 0.05f};
    // Begun with another heading, so that a part of the turn is done.
    ploy_kinematic begun = agent;
    begun.orientation = ploy_angle_wrap(agent.orientation - 0.5f);
    ploy_maneuver_state state = ploy_maneuver_begin(begun);
    ploy_maneuver_output out = {0.0f, 0.0f};
    (void)o;
    ploy_maneuver_step(&maneuvers, &state, agent, &out);
    ploy_steering_parts parts = {out.thrust, out.steer, 0.0f};
    return ploy_steering_join(parts, agent);
}

static ploy_steering jump_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_jump_def def = ploy_jump_def_default();
    ploy_vec2 way = ploy_vec2_with_length(ploy_vec2_sub(o[1].position, o[0].position), 3.0f);
    ploy_jump_point point = {ploy_vec3_from_vec2(o[0].position, 0.0f),
                             ploy_vec3_from_vec2(ploy_vec2_add(o[0].position, way), 0.0f),
                             PLOY_JUMP_AT_LEAST, 1.0f};
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
static ploy_steering separate_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_neighbours seen = ploy_neighbours_find(&def, agent, &others, -1);
    return ploy_separate(&def, &seen);
}
static ploy_steering conform_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_neighbours seen = ploy_neighbours_find(&def, agent, &others, -1);
    return ploy_conform(&def, agent, &seen);
}

static const behavior behaviors[] = {
    {"pursue", pursue_one, pursue_one3, pursue_many, pursue_many3, false, false},
    {"evade", evade_one, evade_one3, evade_many, evade_many3, false, false},
    {"intercept", intercept_one, intercept_one3, intercept_many, intercept_many3, false, false},
    {"intercept exact", intercept_exact, NULL, NULL, NULL, false, false},
    {"fly by", fly_by_one, fly_by_one3, fly_by_many, fly_by_many3, false, false},
    {"follow", follow_one, follow_one3, follow_many, follow_many3, false, false},
    {"interpose", interpose_one, interpose_one3, interpose_many, interpose_many3, false, false},
    {"offset pursuit", offset_one, offset_one3, offset_many, offset_many3, false, false},
    {"face", face_one, face_one3, face_many, face_many3, false, false},
    {"look", look_one, look_one3, look_many, look_many3, false, false},
    {"match velocity", match_one, match_one3, match_many, match_many3, false, true},
    {"path rabbit", path_rabbit, NULL, NULL, NULL, false, false},
    {"path predictive", path_predictive, NULL, NULL, NULL, false, false},
    {"path tube", path_tube, NULL, NULL, NULL, false, false},
    {"avoid obstacles", obstacle_one, obstacle_one3, obstacle_many, obstacle_many3, false, false},
    {"hide", hide_one, hide_one3, hide_many, NULL, false, false},
    {"avoid collision", collision_one, collision_one3, NULL, NULL, false, true},
    {"avoid cone", cone_one, cone_one3, NULL, NULL, false, true},
    {"flock", flock_one, flock_one3, NULL, NULL, false, false},
    {"flock inverse square", flock_square, NULL, NULL, NULL, false, false},
    {"flock linear", flock_linear, NULL, NULL, NULL, false, false},
    {"contain", contain_one, contain_one3, contain_many, contain_many3, false, false},
    {"waypoints", waypoints_one, waypoints_one3, NULL, NULL, false, false},
    {"spline follow", spline_one, spline_one3, NULL, NULL, false, false},
    {"flow", flow_one, flow_one3, NULL, NULL, false, false},
    {"walls single", walls_single, NULL, NULL, NULL, false, false},
    {"walls parallel", walls_parallel, NULL, NULL, NULL, false, false},
    {"walls fan", walls_fan, NULL, NULL, NULL, false, false},
    {"walls swept", walls_swept, NULL, NULL, NULL, false, false},
    {"wall follow", wall_follow_one, NULL, NULL, NULL, true, false},
    {"pipeline", pipeline_one, NULL, NULL, NULL, false, false},
    {"combine sum", combine_sum, NULL, NULL, NULL, false, false},
    {"combine running sum", combine_running, NULL, NULL, NULL, false, false},
    {"combine priority", combine_priority, NULL, NULL, NULL, false, false},
    {"motor filter", motor_filtered, NULL, NULL, NULL, false, false},
    {"motor human", motor_human, NULL, NULL, NULL, false, false},
    {"motor car", motor_car, NULL, NULL, NULL, false, false},
    {"motor motorbike", motor_bike, NULL, NULL, NULL, false, false},
    {"motor tank", motor_tank, NULL, NULL, NULL, false, false},
    {"moves", moves_one, NULL, NULL, NULL, true, false},
    {"maneuver", maneuver_one, NULL, NULL, NULL, true, false},
    {"jump", jump_one, NULL, NULL, NULL, false, false},
    {"formation slot", slot_one, NULL, NULL, NULL, false, false},
    {"errand", errand_one, NULL, NULL, NULL, false, false},
    {"craft", craft_one, NULL, NULL, NULL, false, false},
    {"pursue relative", pursue_relative, pursue_relative3, NULL, NULL, false, true},
    {"evade relative", evade_relative, NULL, NULL, NULL, false, true},
    {"separate", separate_one, NULL, NULL, NULL, false, true},
    {"conform", conform_one, NULL, NULL, NULL, false, true},
};

// An ordinary scene: within 20 m, up to 5 m/s, nothing at rest.
static ploy_kinematic ordinary(ploy_rng *rng) {
    ploy_kinematic agent;
    agent.position = scene_near2(rng, 20.0f);
    agent.orientation = ploy_rng_range(rng, -3.1f, 3.1f);
    agent.velocity = scene_near2(rng, 5.0f);
    agent.rotation = ploy_rng_range(rng, -2.0f, 2.0f);
    return agent;
}

static ploy_kinematic3 raise(ploy_kinematic agent) {
    ploy_kinematic3 out;
    out.position = ploy_vec3_from_vec2(agent.position, 0.0f);
    out.orientation = ploy_quat_from_orientation(agent.orientation);
    out.velocity = ploy_vec3_from_vec2(agent.velocity, 0.0f);
    out.rotation = ploy_vec3_make(0.0f, 0.0f, agent.rotation);
    return out;
}

typedef enum change { MOVED, TURNED, MIRRORED, CHANGES } change;
static const ploy_vec2 shift = {128.0f, -64.0f};

static ploy_kinematic change_agent(change how, ploy_kinematic agent) {
    if (how == TURNED) return scene_turn_agent(agent);
    if (how == MIRRORED) return scene_mirror_agent(agent);
    agent.position = ploy_vec2_add(agent.position, shift);
    return agent;
}

static ploy_steering change_wish(change how, ploy_steering wish) {
    if (how == TURNED) wish.linear = scene_turn(wish.linear);
    if (how == MIRRORED) {
        wish.linear = scene_mirror(wish.linear);
        wish.angular = -wish.angular;
    }
    return wish;
}

TEST(scenes_that_are_moved_turned_or_mirrored_give_such_wishes) {
    int64_t asked[COUNT_OF(behaviors)] = {0};
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS], changed[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) o[i] = ordinary(&rng);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering plain = behaviors[b].one(agent, o);
            asked[b] += plain.requested;
            for (change how = MOVED; how < CHANGES; how++) {
                if (how == MIRRORED && behaviors[b].handed) continue;
                for (int32_t i = 0; i < OTHERS; i++) changed[i] = change_agent(how, o[i]);
                ploy_steering want = change_wish(how, plain);
                ploy_steering got = behaviors[b].one(change_agent(how, agent), changed);
                CHECK_UINT(got.requested, want.requested);
                CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
                CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
                CHECK_NEAR(got.angular, want.angular, 5e-3);
            }
        }
    }
    // A behavior that never asks for anything would pass all of that.
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        CHECK(asked[b] > 20);
    }
}

TEST(one_velocity_added_to_everybody_changes_nothing_where_motion_is_relative) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS], drifting[OTHERS], self = agent;
        ploy_vec2 drift = scene_whole2(&rng, 16);
        self.velocity = ploy_vec2_add(self.velocity, drift);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = drifting[i] = ordinary(&rng);
            drifting[i].velocity = ploy_vec2_add(o[i].velocity, drift);
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (!behaviors[b].relative) continue;
            t->row = behaviors[b].name;
            ploy_steering want = behaviors[b].one(agent, o);
            ploy_steering got = behaviors[b].one(self, drifting);
            CHECK_UINT(got.requested, want.requested);
            CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
            CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
        }
    }
}

// Where an agent is after two seconds in steps of 1 / rate, the others keeping their velocities.
static ploy_vec2 carried_out(const behavior *b, ploy_kinematic agent, const ploy_kinematic *start,
                             int32_t rate) {
    ploy_kinematic o[OTHERS];
    ploy_integrate_def motion = ploy_integrate_def_default();
    memcpy(o, start, sizeof o);
    for (int32_t tick = 0; tick < 2 * rate; tick++) {
        agent = ploy_integrate(&motion, agent, b->one(agent, o), 1.0f / (float)rate);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i].position = ploy_vec2_add_scaled(o[i].position, o[i].velocity, 1.0f / (float)rate);
        }
    }
    return agent.position;
}

TEST(halving_the_step_halves_the_error_of_what_has_no_corners) {
    // Semi-implicit steps are of first order. Behaviors that switch (avoidance, hiding, arcs) have
    // no order, nor has anything at the moment at which it is cut: so means over many scenes.
    static const char *const smooth[] = {"pursue",          "evade",          "interpose",
                                         "offset pursuit",  "match velocity", "flow",
                                         "pursue relative", "formation slot"};
    for (size_t s = 0; s < COUNT_OF(smooth); s++) {
        const behavior *b = NULL;
        for (size_t i = 0; i < COUNT_OF(behaviors); i++) {
            if (strcmp(behaviors[i].name, smooth[s]) == 0) b = &behaviors[i];
        }
        t->row = smooth[s];
        CHECK(b != NULL);
        double errors[3] = {0.0, 0.0, 0.0};
        for (int64_t round = 0; round < test_rounds(24); round++) {
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            ploy_kinematic agent = ordinary(&rng), o[OTHERS];
            for (int32_t i = 0; i < OTHERS; i++) o[i] = ordinary(&rng);
            ploy_vec2 truth = carried_out(b, agent, o, 2048);
            for (int32_t k = 0; k < 3; k++) {
                ploy_vec2 at = carried_out(b, agent, o, 32 << k);
                errors[k] += (double)ploy_vec2_distance(at, truth);
            }
        }
        CHECK(errors[1] < 0.65 * errors[0] && errors[1] > 0.35 * errors[0]);
        CHECK(errors[2] < 0.65 * errors[1] && errors[2] > 0.35 * errors[1]);
    }
}

TEST(the_plane_is_space_at_height_zero) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = raise(agent), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = ordinary(&rng);
            o3[i] = raise(o[i]);
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (behaviors[b].one3 == NULL || strcmp(behaviors[b].name, "contain") == 0) continue;
            t->row = behaviors[b].name;
            ploy_steering plane = behaviors[b].one(agent, o);
            ploy_steering3 space = behaviors[b].one3(agent3, o3);
            CHECK_UINT(space.requested, plane.requested);
            CHECK_NEAR(space.linear.x, plane.linear.x, 5e-3);
            CHECK_NEAR(space.linear.y, plane.linear.y, 5e-3);
            CHECK_NEAR(space.linear.z, 0.0, 1e-5);
            CHECK_NEAR(space.angular.z, plane.angular, 5e-3);
        }
    }
}

TEST(whatever_the_numbers_the_wish_is_finite_and_not_too_long) {
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = scene_agent3(&rng), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = scene_agent(&rng);
            o3[i] = scene_agent3(&rng);
            // Often one on the other, or with the same velocity.
            if (ploy_rng_chance(&rng, 0.3f)) o[i].position = agent.position;
            if (ploy_rng_chance(&rng, 0.3f)) o[i].velocity = agent.velocity;
            if (ploy_rng_chance(&rng, 0.3f)) o3[i].position = agent3.position;
            if (ploy_rng_chance(&rng, 0.3f)) o3[i].velocity = agent3.velocity;
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering wish = behaviors[b].one(agent, o);
            CHECK(ploy_vec2_is_finite(wish.linear) && ploy_is_finite(wish.angular));
            CHECK(ploy_vec2_length(wish.linear) <= 20.001f && fabsf(wish.angular) <= 20.001f);
            if (wish.requested == 0) {
                CHECK(ploy_vec2_is_zero(wish.linear) && wish.angular == 0.0f);
            }
            if (behaviors[b].one3 == NULL) continue;
            ploy_steering3 wish3 = behaviors[b].one3(agent3, o3);
            CHECK(ploy_vec3_is_finite(wish3.linear) && ploy_vec3_is_finite(wish3.angular));
            CHECK(ploy_vec3_length(wish3.linear) <= 20.001f);
            CHECK(ploy_vec3_length(wish3.angular) <= 20.001f);
        }
    }
}

// What carries wishes out: each by its own body, for a step of dt.
typedef struct mover_row {
    const char *name;
    ploy_kinematic (*step)(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target, float dt);
} mover_row;

static ploy_kinematic integrate_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                     float dt) {
    ploy_integrate_def def = ploy_integrate_def_default();
    (void)target;
    return ploy_integrate(&def, agent, wish, dt);
}
static ploy_kinematic movers_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                  float dt) {
    ploy_movers_def def = ploy_movers_def_default();
    (void)target;
    return ploy_mover_step(&def, agent, wish, dt);
}
static ploy_kinematic craft_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                 float dt) {
    ploy_craft_def def = ploy_craft_def_default();
    ploy_craft_controls controls = {1.0f, ploy_craft_toward(agent, target, 1.0f)};
    (void)wish;
    return ploy_craft_step(&def, agent, controls, dt);
}
static ploy_kinematic drive_step(ploy_motor_body body, ploy_kinematic agent, ploy_vec2 target,
                                 float dt) {
    ploy_motor_def def = ploy_motor_def_of(body);
    return ploy_motor_drive(&def, agent, ploy_motor_control(&def, agent, target), dt);
}
static ploy_kinematic human_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                 float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_HUMAN, agent, target, dt);
}
static ploy_kinematic car_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                               float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_CAR, agent, target, dt);
}
static ploy_kinematic bike_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_MOTORBIKE, agent, target, dt);
}
static ploy_kinematic tank_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_TANK, agent, target, dt);
}

TEST(whatever_the_numbers_a_step_of_any_length_ends_finite) {
    static const mover_row rows[] = {
        {"integrate", integrate_step}, {"movers", movers_step}, {"craft", craft_step},
        {"human", human_step},         {"car", car_step},       {"motorbike", bike_step},
        {"tank", tank_step},
    };
    static const float steps[] = {0.0f, 1e-4f, 1.0f / 60.0f, 1.0f};
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng);
        ploy_vec2 target = scene_target(&rng, agent.position);
        ploy_steering wish = ploy_steering_make(scene_vec2(&rng, 1e6f), scene_number(&rng, 1e3f));
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            t->row = rows[r].name;
            for (size_t i = 0; i < COUNT_OF(steps); i++) {
                ploy_kinematic after = rows[r].step(agent, wish, target, steps[i]);
                CHECK(ploy_vec2_is_finite(after.position) && ploy_vec2_is_finite(after.velocity));
                CHECK(ploy_is_finite(after.orientation) && ploy_is_finite(after.rotation));
                if (steps[i] > 0.0f) continue;
                CHECK_BYTES(&after.position, &agent.position, sizeof after.position);
            }
        }
    }
}

TEST(single_and_batch_give_the_same_bits) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agents[BATCH], o[OTHERS];
        ploy_kinematic3 agents3[BATCH], o3[OTHERS];
        ploy_steering got[BATCH];
        ploy_steering3 got3[BATCH];
        for (int32_t i = 0; i < BATCH; i++) {
            agents[i] = i % 2 == 0 ? ordinary(&rng) : scene_agent(&rng);
            agents3[i] = i % 2 == 0 ? raise(ordinary(&rng)) : scene_agent3(&rng);
        }
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = ordinary(&rng);
            o3[i] = raise(ordinary(&rng));
        }
        ploy_kinematics view = ploy_kinematics_of(agents, BATCH);
        ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, BATCH);
        ploy_steerings out = ploy_steerings_of(got, BATCH);
        ploy_steerings3 out3 = ploy_steerings3_of(got3, BATCH);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            if (behaviors[b].batch != NULL) {
                memset(got, 0x55, sizeof got);
                CHECK_OK(behaviors[b].batch(&view, 3, BATCH - 5, o, &out));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering want;
                    memset(&want, 0x55, sizeof want);
                    if (i >= 3 && i < BATCH - 2) want = behaviors[b].one(agents[i], o);
                    CHECK_BYTES(&got[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch(&view, 0, BATCH + 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, -1, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(NULL, 0, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, 0, 1, o, NULL), PLOY_ERR_ARGUMENT);
            }
            if (behaviors[b].batch3 != NULL) {
                CHECK_OK(behaviors[b].batch3(&view3, 0, BATCH, o3, &out3));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering3 want = behaviors[b].one3(agents3[i], o3);
                    CHECK_BYTES(&got3[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch3(&view3, 0, BATCH + 1, o3, &out3), PLOY_ERR_ARGUMENT);
            }
        }
    }
}

TEST(every_table_is_sound_and_its_default_passes_its_own_check) {
    ploy_fields tables[] = {
        ploy_pursue_fields(),    ploy_evade_fields(),       ploy_predict_fields(),
        ploy_intercept_fields(), ploy_interpose_fields(),   ploy_offset_pursuit_fields(),
        ploy_fly_by_fields(),    ploy_follow_fields(),      ploy_align_fields(),
        ploy_match_fields(),     ploy_path_follow_fields(), ploy_waypoints_fields(),
        ploy_flow_fields(),      ploy_contain_fields(),     ploy_obstacle_fields(),
        ploy_hide_fields(),      ploy_collision_fields(),   ploy_cone_fields(),
        ploy_flock_fields(),     ploy_motor_fields(),       ploy_jump_fields(),
        ploy_feelers_fields(),   ploy_wall_follow_fields(), ploy_combine_fields(),
        ploy_formation_fields(), ploy_route_fields(),
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        t->row = tables[i].type_name;
        double def[256];
        CHECK(tables[i].size <= sizeof def);
        CHECK_OK(ploy_fields_check_table(tables[i], NULL));
        ploy_fields_default(tables[i], def);
        CHECK_OK(ploy_fields_check(tables[i], def, &env));
    }
}
