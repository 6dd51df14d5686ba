// What all behaviors have in common, each in every form: scenes that are moved, turned or mirrored
// give moved, turned or mirrored wishes; whatever the numbers, the wish is finite and no longer than
// it may be; single and batch give the same bits; the plane is space at z = 0.
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/escort.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/hide.h"
#include "ploy/move/intercept.h"
#include "ploy/move/match.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
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

static const behavior behaviors[] = {
    {"pursue", pursue_one, pursue_one3, pursue_many, pursue_many3},
    {"evade", evade_one, evade_one3, evade_many, evade_many3},
    {"intercept", intercept_one, intercept_one3, intercept_many, intercept_many3},
    {"intercept exact", intercept_exact, NULL, NULL, NULL},
    {"fly by", fly_by_one, fly_by_one3, fly_by_many, fly_by_many3},
    {"follow", follow_one, follow_one3, follow_many, follow_many3},
    {"interpose", interpose_one, interpose_one3, interpose_many, interpose_many3},
    {"offset pursuit", offset_one, offset_one3, offset_many, offset_many3},
    {"face", face_one, face_one3, face_many, face_many3},
    {"look", look_one, look_one3, look_many, look_many3},
    {"match velocity", match_one, match_one3, match_many, match_many3},
    {"path rabbit", path_rabbit, NULL, NULL, NULL},
    {"path predictive", path_predictive, NULL, NULL, NULL},
    {"path tube", path_tube, NULL, NULL, NULL},
    {"avoid obstacles", obstacle_one, obstacle_one3, obstacle_many, obstacle_many3},
    {"hide", hide_one, hide_one3, hide_many, NULL},
    {"avoid collision", collision_one, collision_one3, NULL, NULL},
    {"avoid cone", cone_one, cone_one3, NULL, NULL},
    {"flock", flock_one, flock_one3, NULL, NULL},
    {"flock inverse square", flock_square, NULL, NULL, NULL},
    {"flock linear", flock_linear, NULL, NULL, NULL},
    {"contain", contain_one, contain_one3, contain_many, contain_many3},
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
        ploy_flock_fields(),
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
