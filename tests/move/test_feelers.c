// Wall avoidance and wall following over a scene.
#include "ploy/geom/angle.h"
#include "ploy/move/feelers.h"
#include "ploy/move/integrate.h"
#include <stddef.h>

#include "tests/move/vectors.h"

static ploy_plain_scene *scene_of(test_context *t, const ploy_vec2 *points, int32_t count,
                                  bool closed) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &scene));
    CHECK_OK(ploy_plain_scene_add_outline(scene, points, count, closed, 0.0f, 1, NULL));
    return scene;
}

static ploy_kinematic stepped(ploy_kinematic agent, ploy_steering steering, float speed) {
    agent.velocity = ploy_vec2_add_scaled(agent.velocity, steering.linear, 0.02f);
    agent.velocity = ploy_vec2_limit(agent.velocity, speed);
    agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
    return agent;
}

TEST(the_push_is_that_of_the_feeler_that_went_in) {
    // STE-12: the printed loop returns (-21.248, 0).
    static const ploy_vec2 wall[] = {{30, 50}, {30, -50}};
    ploy_plain_scene *plain = scene_of(t, wall, 2, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers_def def = ploy_feelers_def_default();
    def.response = PLOY_FEELERS_PUSH;
    def.length = 40.0f;
    def.whisker_length = 20.0f;
    def.strength = 1.0f;
    def.seek.max_acceleration = 1e6f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    CHECK_VEC2(ploy_avoid_walls(&def, NULL, agent, &scene, 0.0f).linear, -10.0, 0.0, 1e-4);
    // MOV-26: the point is the hit plus avoid_distance along the normal.
    def.response = PLOY_FEELERS_SEEK;
    def.seek.time_to_target = 1.0f;
    agent.velocity = ploy_vec2_make(1.0f, 0.0f);
    def.avoid_distance = 40.0f;
    CHECK_VEC2(ploy_avoid_walls(&def, NULL, agent, &scene, 0.0f).linear, -6.0, 0.0, 1e-4);
    ploy_plain_scene_destroy(plain);
}

TEST(the_mask_is_a_setting_like_the_others) {
    static const ploy_vec2 wall[] = {{3, 5}, {3, -5}};
    ploy_plain_scene *plain = scene_of(t, wall, 2, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers_def def = ploy_feelers_def_default();
    uint32_t offset = 0;
    CHECK(ploy_fields_find(ploy_feelers_fields(), "mask", &offset) != NULL);
    CHECK_UINT(offset, offsetof(ploy_feelers_def, mask));
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    CHECK(ploy_vec2_length(ploy_avoid_walls(&def, NULL, agent, &scene, 0.0f).linear) > 0.0f);
    def.mask = (uint64_t)1 << 31; // a layer that the wall is not in
    CHECK_VEC2(ploy_avoid_walls(&def, NULL, agent, &scene, 0.0f).linear, 0.0, 0.0, 1e-6);
    ploy_plain_scene_destroy(plain);
}

TEST(each_layout_has_its_rays) {
    ploy_feelers_def def = ploy_feelers_def_default();
    ploy_kinematic agent = mover(0.0f, 0.0f, 2.0f, 0.0f);
    ploy_feeler rays[3];
    def.layout = PLOY_FEELERS_SINGLE;
    CHECK_INT(ploy_feelers_make(&def, NULL, agent, rays), 1);
    CHECK_VEC2(rays[0].to, 4.0, 0.0, 1e-6);
    def.layout = PLOY_FEELERS_PARALLEL;
    CHECK_INT(ploy_feelers_make(&def, NULL, agent, rays), 2);
    CHECK_VEC2(rays[0].from, 0.0, 0.4, 1e-6);
    CHECK_VEC2(rays[1].to, 4.0, -0.4, 1e-6);
    def.layout = PLOY_FEELERS_FAN;
    CHECK_INT(ploy_feelers_make(&def, NULL, agent, rays), 3);
    CHECK_VEC2(rays[1].to, 1.41421, 1.41421, 1e-4);
    CHECK_VEC2(rays[2].to, 1.41421, -1.41421, 1e-4);
    // At rest they look where the agent does.
    agent.velocity = ploy_vec2_zero();
    agent.orientation = PLOY_HALF_PI_F;
    CHECK_INT(ploy_feelers_make(&def, NULL, agent, rays), 3);
    CHECK_VEC2(rays[0].to, 0.0, 4.0, 1e-5);
    def.length = 0.0f;
    CHECK_INT(ploy_feelers_make(&def, NULL, agent, rays), 0);
}

TEST(the_fan_opens_at_walls_and_closes_again) {
    // MOV-27.
    static const ploy_vec2 wall[] = {{3, 50}, {3, -50}};
    ploy_plain_scene *plain = scene_of(t, wall, 2, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers_def def = ploy_feelers_def_default();
    def.widen_rate = 1.0f;
    def.narrow_rate = 2.0f;
    ploy_feelers state;
    memset(&state, 0, sizeof state);
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    ploy_avoid_walls(&def, &state, agent, &scene, 0.25f);
    CHECK_NEAR(state.spread, 0.25, 1e-6);
    for (int32_t i = 0; i < 9; i++) ploy_avoid_walls(&def, &state, agent, &scene, 0.25f);
    CHECK_NEAR(state.spread, 1.3 - 0.785398163, 1e-5);
    ploy_avoid_walls(&def, &state, agent, NULL, 0.1f);
    CHECK_NEAR(state.spread, 1.3 - 0.785398163 - 0.2, 1e-5);
    ploy_plain_scene_destroy(plain);
}

TEST(an_agent_in_a_room_never_leaves_it) {
    static const ploy_vec2 room[] = {{-8, -8}, {8, -8}, {8, 8}, {-8, 8}};
    ploy_plain_scene *plain = scene_of(t, room, 4, true);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    for (int32_t degrees = 0; degrees < 360; degrees += 23) {
        ploy_feelers_def def = ploy_feelers_def_default();
        def.seek.max_acceleration = 20.0f;
        ploy_feelers state;
        memset(&state, 0, sizeof state);
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        ploy_vec2 heading = ploy_angle_heading(ploy_angle_from_degrees((float)degrees));
        agent.velocity = ploy_vec2_scale(heading, 3.0f);
        for (int32_t tick = 0; tick < 1500; tick++) {
            ploy_steering steering = ploy_avoid_walls(&def, &state, agent, &scene, 0.02f);
            agent = stepped(agent, steering, 3.0f);
            CHECK(fabsf(agent.position.x) < 8.0f && fabsf(agent.position.y) < 8.0f);
        }
    }
    ploy_plain_scene_destroy(plain);
}

TEST(a_corner_trap_is_noticed) {
    // MOV-28: hits that change sides often make one side deaf for a while.
    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = PLOY_FEELERS_PARALLEL;
    static const ploy_vec2 corner[] = {{2.0f, 3.0f}, {4.0f, 0.0f}, {2.0f, -3.0f}};
    ploy_plain_scene *plain = scene_of(t, corner, 3, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers state;
    memset(&state, 0, sizeof state);
    bool held = false;
    for (int32_t tick = 0; tick < 12; tick++) {
        // The agent swings from side to side.
        ploy_kinematic agent = mover(0.0f, tick % 2 == 0 ? 0.1f : -0.1f, 1.0f, 0.0f);
        ploy_avoid_walls(&def, &state, agent, &scene, 0.05f);
        held = held || state.hold_left > 0.0f;
    }
    CHECK(held);
    CHECK(state.held == 1 || state.held == -1);
    memset(&state, 0, sizeof state);
    def.trap_count = 0;
    for (int32_t tick = 0; tick < 12; tick++) {
        ploy_kinematic agent = mover(0.0f, tick % 2 == 0 ? 0.1f : -0.1f, 1.0f, 0.0f);
        ploy_avoid_walls(&def, &state, agent, &scene, 0.05f);
    }
    CHECK_SAME(state.hold_left, 0.0f);
    ploy_plain_scene_destroy(plain);
}

TEST(a_swept_body_meets_what_rays_miss) {
    // MOV-29: a post beside the line.
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &plain));
    CHECK_OK(ploy_plain_scene_add_circle(plain, ploy_vec2_make(3.0f, 0.3f), 0.05f, 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers_def def = ploy_feelers_def_default();
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    CHECK_UINT(ploy_avoid_walls(&def, NULL, agent, &scene, 0.0f).requested, 0);
    ploy_steering steering = ploy_avoid_walls_swept(&def, agent, &scene);
    CHECK_UINT(steering.requested, 1);
    CHECK(steering.linear.y < 0.0f);
    ploy_plain_scene_destroy(plain);
}

TEST(a_wall_is_followed_round_a_room) {
    static const ploy_vec2 room[] = {{-8, -8}, {8, -8}, {8, 8}, {-8, 8}};
    for (int32_t right = 0; right < 2; right++) {
        ploy_plain_scene *plain = scene_of(t, room, 4, true);
        ploy_scene scene = ploy_plain_scene_interface(plain);
        ploy_wall_follow_def def = ploy_wall_follow_def_default();
        def.right = right != 0;
        def.seek.max_speed = 2.0f;
        ploy_kinematic agent = mover(0.0f, -7.0f, right != 0 ? 2.0f : -2.0f, 0.0f);
        float turned = 0.0f;
        for (int32_t tick = 0; tick < 2500; tick++) {
            ploy_vec2 before = agent.position;
            agent = stepped(agent, ploy_wall_follow(&def, agent, &scene), 2.0f);
            turned += ploy_vec2_angle_to(before, agent.position);
            CHECK(fabsf(agent.position.x) < 8.0f && fabsf(agent.position.y) < 8.0f);
        }
        CHECK(right != 0 ? turned > 6.3f : turned < -6.3f);
        CHECK_UINT(ploy_wall_follow(&def, agent, NULL).requested, 0);
        def.reach = 0.0f;
        CHECK_UINT(ploy_wall_follow(&def, agent, &scene).requested, PLOY_STEERING_INVALID);
        ploy_plain_scene_destroy(plain);
    }
}

TEST(batches_equal_single_calls_and_bad_settings_are_refused) {
    static const ploy_vec2 wall[] = {{3, 50}, {3, -50}};
    ploy_plain_scene *plain = scene_of(t, wall, 2, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_feelers_def def = ploy_feelers_def_default();
    ploy_kinematic agents[3] = {mover(0, 0, 1, 0), mover(1, 0, 0, 1), mover(2, 0, 1, 1)};
    ploy_feelers states[3], state;
    memset(states, 0, sizeof states);
    ploy_steering got[3];
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    ploy_steerings out = ploy_steerings_of(got, 3);
    CHECK_OK(ploy_avoid_walls_batch(&def, states, &view, 0, 3, &scene, 0.1f, &out));
    for (int32_t i = 0; i < 3; i++) {
        memset(&state, 0, sizeof state);
        ploy_steering want = ploy_avoid_walls(&def, &state, agents[i], &scene, 0.1f);
        CHECK_BYTES(&got[i], &want, sizeof want);
        CHECK_BYTES(&states[i], &state, sizeof state);
    }
    CHECK_OK(ploy_avoid_walls_batch(&def, NULL, &view, 0, 3, &scene, 0.0f, &out));
    CHECK_INT(ploy_avoid_walls_batch(&def, NULL, &view, 0, 3, &scene, 2.0f, &out),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_walls_batch(&def, NULL, &view, 0, 4, &scene, 0.1f, &out),
              PLOY_ERR_ARGUMENT);
    winner_trace w;
    ploy_avoid_walls_trace(&def, NULL, agents[0], &scene, somebody(), winner_start(&w));
    CHECK_TEXT(w.winner, "centre");
    CHECK_INT(w.depth, 0);
    def.angle = NAN;
    CHECK_UINT(ploy_avoid_walls(&def, NULL, agents[0], &scene, 0.1f).requested,
               PLOY_STEERING_INVALID);
    CHECK_INT(ploy_avoid_walls_batch(&def, NULL, &view, 0, 3, &scene, 0.1f, &out),
              PLOY_ERR_ARGUMENT);
    ploy_plain_scene_destroy(plain);
}

// A floor at z = 0: what a game's own physics would say of a ball.
static bool floor_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                        ploy_scene_hit *hit) {
    (void)user, (void)mask;
    if (to.z >= radius || from.z < radius) return false;
    float part = (from.z - radius) / (from.z - to.z);
    hit->distance = part * ploy_vec3_distance(from, to);
    hit->point = ploy_vec3_lerp(from, to, part);
    hit->point.z = 0.0f;
    hit->normal = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    hit->object = ploy_id_none();
    hit->layers = 1;
    hit->inside = false;
    return true;
}

TEST(a_diving_flyer_pulls_up_before_the_ground) {
    ploy_scene scene;
    memset(&scene, 0, sizeof scene);
    scene.sweep = floor_sweep;
    ploy_feelers_def def = ploy_feelers_def_default();
    def.length = 6.0f;
    def.seek.max_speed = 4.0f;
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 4.0f;
    ploy_kinematic3 flyer = ploy_kinematic3_make(ploy_vec3_make(0, 0, 10));
    flyer.velocity = ploy_vec3_make(3, 0, -3);
    float lowest = 10.0f;
    for (int tick = 0; tick < 600; tick++) {
        ploy_steering3 steering = ploy_avoid_walls_swept3(&def, flyer, &scene);
        flyer = ploy_integrate3(&motion, flyer, steering, 0.02f);
        lowest = ploy_minf(lowest, flyer.position.z);
    }
    CHECK(lowest > def.radius);
    CHECK(lowest < 5.0f); // it did dive
    CHECK_UINT(ploy_avoid_walls_swept3(&def, flyer, NULL).requested, 0);
    // On the plane the two are one.
    ploy_kinematic agent = mover(0, 0, 1, 0);
    ploy_kinematic3 same = ploy_kinematic3_make(ploy_vec3_zero());
    same.velocity = ploy_vec3_make(1, 0, 0);
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &plain));
    CHECK_OK(ploy_plain_scene_add_circle(plain, ploy_vec2_make(3.0f, 0.3f), 0.05f, 1, NULL));
    scene = ploy_plain_scene_interface(plain);
    ploy_steering flat = ploy_avoid_walls_swept(&def, agent, &scene);
    ploy_steering3 space = ploy_avoid_walls_swept3(&def, same, &scene);
    CHECK_NEAR(space.linear.x, flat.linear.x, 1e-5);
    CHECK_NEAR(space.linear.y, flat.linear.y, 1e-5);
    ploy_plain_scene_destroy(plain);
}

// Runs into an acute corner, straight on where nothing is in the way. True if it comes out again;
// *through is set if it goes through a wall.
static bool leaves_corner(ploy_feeler_layout layout, ploy_feeler_response response, int32_t run,
                          const ploy_scene *scene, bool *through) {
    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = layout;
    def.response = response;
    ploy_feelers state;
    memset(&state, 0, sizeof state);
    float angle = -0.2f + 0.4f * (float)(run % 8) / 7.0f;
    ploy_vec2 heading = ploy_angle_heading(angle);
    ploy_kinematic agent =
        ploy_kinematic_make(ploy_vec2_make(-10.0f, -1.0f + 2.0f * (float)(run / 8) / 4.0f), angle);
    agent.velocity = ploy_vec2_scale(heading, 5.0f);
    for (int32_t tick = 0; tick < 50 * 30; tick++) {
        ploy_steering steering = ploy_avoid_walls(&def, &state, agent, scene, 0.02f);
        ploy_vec2 ahead = ploy_vec2_add(agent.position, agent.velocity);
        if (steering.requested == 0) steering = ploy_seek(&def.seek, agent, ahead);
        ploy_vec2 before = agent.position;
        agent = stepped(agent, steering, 5.0f);
        if (!ploy_scene_sees2(scene, before, agent.position, PLOY_SCENE_ALL)) *through = true;
        if (agent.position.x < -13.0f) return true;
    }
    return false;
}

TEST(an_agent_gets_out_of_an_acute_corner) {
    // MOV-28: a wedge of 28 degrees, its tip at the origin. Parallel feelers without the
    // remedy go through its walls in all runs.
    static const ploy_vec2 wedge[] = {{-12.0f, 3.0f}, {0.0f, 0.0f}, {-12.0f, -3.0f}};
    static const struct {
        const char *row;
        ploy_feeler_layout layout;
        ploy_feeler_response response;
    } rows[] = {{"fan", PLOY_FEELERS_FAN, PLOY_FEELERS_SEEK},
                {"fan, push", PLOY_FEELERS_FAN, PLOY_FEELERS_PUSH},
                {"parallel", PLOY_FEELERS_PARALLEL, PLOY_FEELERS_SEEK}};
    ploy_plain_scene *plain = scene_of(t, wedge, 3, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int32_t out = 0, through = 0;
        for (int32_t run = 0; run < 40; run++) {
            bool went = false;
            bool left = leaves_corner(rows[i].layout, rows[i].response, run, &scene, &went);
            out += left && !went;
            through += went;
        }
        CHECK(out >= 38);
        CHECK_INT(through, 0);
    }
    ploy_plain_scene_destroy(plain);
}

TEST(changes_of_side_are_counted_over_the_last_seconds) {
    // Two before and two after the middle of the time are four within it, wherever it begins.
    static const ploy_vec2 corner[] = {{2.0f, 3.0f}, {4.0f, 0.0f}, {2.0f, -3.0f}};
    ploy_plain_scene *plain = scene_of(t, corner, 3, false);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    for (int32_t offset = 0; offset < 10; offset++) {
        ploy_feelers_def def = ploy_feelers_def_default();
        def.layout = PLOY_FEELERS_PARALLEL;
        ploy_feelers state;
        memset(&state, 0, sizeof state);
        bool held = false;
        for (int32_t tick = 0; tick < offset + 9; tick++) {
            // Nothing in the way at first, then a change of side every tenth of a second.
            float y = tick < offset ? 0.0f : tick % 2 == 0 ? 0.1f : -0.1f;
            ploy_kinematic agent = mover(tick < offset ? -50.0f : 0.0f, y, 1.0f, 0.0f);
            ploy_avoid_walls(&def, &state, agent, &scene, 0.1f);
            held = held || state.hold_left > 0.0f;
        }
        CHECK(held);
    }
    ploy_plain_scene_destroy(plain);
}
