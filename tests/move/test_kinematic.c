// States, requests and views.
#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/move/kinematic.h"
#include "tests/move/scene.h"
#include "tests/test.h"

TEST(orientations_and_vectors_turn_into_each_other) {
    // MOV-02: the book's (x, z) for 0, pi/2, pi, -pi/2 is (0,1), (1,0), (0,-1), (-1,0); ploy (x, y)
    // is its (z, x).
    static const struct {
        float angle, x, y;
    } rows[] = {
        {0.0f, 1, 0}, {PLOY_HALF_PI_F, 0, 1}, {-PLOY_PI_F, -1, 0}, {-PLOY_HALF_PI_F, 0, -1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_vec2 heading = ploy_angle_heading(rows[i].angle);
        CHECK_NEAR(heading.x, rows[i].x, 1e-6);
        CHECK_NEAR(heading.y, rows[i].y, 1e-6);
        CHECK_NEAR(ploy_angle_difference(rows[i].angle,
                                         ploy_angle_of(ploy_vec2_make(rows[i].x, rows[i].y))),
                   0.0, 1e-6);
    }
}

TEST(requests_add_and_scale_component_by_component) {
    // MOV-01.
    ploy_steering a = ploy_steering_make(ploy_vec2_make(1.0f, 2.0f), 3.0f);
    ploy_steering b = ploy_steering_make(ploy_vec2_make(10.0f, 20.0f), 30.0f);
    ploy_steering sum = ploy_steering_add(a, ploy_steering_scale(b, 0.5f));
    CHECK_SAME(sum.linear.x, 6.0f);
    CHECK_SAME(sum.linear.y, 12.0f);
    CHECK_SAME(sum.angular, 18.0f);
    CHECK_UINT(sum.requested, 1);
    // No request counts as zero, and two of them are none.
    sum = ploy_steering_add(a, ploy_steering_none());
    CHECK_BYTES(&sum, &a, sizeof a);
    CHECK_UINT(ploy_steering_add(ploy_steering_none(), ploy_steering_none()).requested, 0);
    CHECK_UINT(ploy_steering_scale(ploy_steering_none(), 4.0f).requested, 0);
    ploy_steering3 c =
        ploy_steering3_make(ploy_vec3_make(1.0f, 2.0f, 3.0f), ploy_vec3_make(4.0f, 5.0f, 6.0f));
    ploy_steering3 sum3 = ploy_steering3_add(ploy_steering3_scale(c, 2.0f), ploy_steering3_none());
    CHECK_SAME(sum3.linear.z, 6.0f);
    CHECK_SAME(sum3.angular.x, 8.0f);
    CHECK_UINT(sum3.requested, 1);
    CHECK_SAME(ploy_steering3_from_force(ploy_vec3_make(0.0f, 0.0f, 9.0f), 3.0f).linear.z, 3.0f);
    CHECK_UINT(ploy_steering3_from_force(ploy_vec3_make(0.0f, 0.0f, 9.0f), -3.0f).requested,
               PLOY_STEERING_INVALID);
}

TEST(a_motion_replaces_the_velocity_at_once) {
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 2.0f), 0.5f);
    ploy_kinematic_output motion = {{3.0f, 4.0f}, 0.25f, 1};
    agent = ploy_kinematic_output_apply(motion, agent);
    CHECK_SAME(agent.velocity.y, 4.0f);
    CHECK_SAME(agent.rotation, 0.25f);
    CHECK_SAME(agent.position.x, 1.0f);
    ploy_kinematic_output none = {{0.0f, 0.0f}, 0.0f, 0};
    agent = ploy_kinematic_output_apply(none, agent);
    CHECK_SAME(agent.velocity.y, 0.0f);
}

TEST(structs_have_no_padding_that_a_snapshot_could_find_different) {
    CHECK_INT(sizeof(ploy_kinematic), 6 * sizeof(float));
    CHECK_INT(sizeof(ploy_kinematic3), 13 * sizeof(float));
    CHECK_INT(sizeof(ploy_steering), 4 * sizeof(float));
    CHECK_INT(sizeof(ploy_steering3), 7 * sizeof(float));
    CHECK_INT(sizeof(ploy_kinematic_output), 4 * sizeof(float));
}

TEST(views_read_and_write_component_arrays_with_strides_of_their_own) {
    ploy_vec2 positions[3] = {{1, 2}, {3, 4}, {5, 6}};
    struct {
        float angle, speed_limit;
        ploy_vec2 velocity;
    } bodies[3] = {{0.5f, 9, {7, 8}}, {0.25f, 9, {9, 10}}, {0.125f, 9, {11, 12}}};
    float rotations[3] = {1, 2, 3};
    ploy_kinematics view = ploy_kinematics_make(3, &positions[0].x, &positions[0].y,
                                                &bodies[0].angle, &bodies[0].velocity.x,
                                                &bodies[0].velocity.y, rotations, sizeof(float));
    view.position_stride = sizeof positions[0];
    view.velocity_stride = view.orientation_stride = sizeof bodies[0];
    CHECK_OK(ployi_kinematics_check(&view, 0, 3));
    ploy_kinematic agent = ploy_kinematics_get(&view, 1);
    CHECK_SAME(agent.position.y, 4.0f);
    CHECK_SAME(agent.orientation, 0.25f);
    CHECK_SAME(agent.velocity.x, 9.0f);
    CHECK_SAME(agent.rotation, 2.0f);
    agent.velocity.y = -1.0f;
    agent.rotation = -2.0f;
    ploy_kinematics_set(&view, 1, agent);
    CHECK_SAME(bodies[1].velocity.y, -1.0f);
    CHECK_SAME(rotations[1], -2.0f);
    CHECK_SAME(bodies[1].speed_limit, 9.0f);
    CHECK_SAME(bodies[2].velocity.y, 12.0f);
}

TEST(get_and_set_agree_for_every_kind_of_view) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agents[3], agent = scene_agent(&rng);
        ploy_kinematic3 agents3[3], agent3 = scene_agent3(&rng);
        ploy_steering steerings[3], steering = ploy_steering_make(scene_vec2(&rng, 9.0f), 2.0f);
        ploy_steering3 steerings3[3];
        ploy_vec3 angular = scene_vec3(&rng, 9.0f);
        ploy_steering3 steering3 = ploy_steering3_make(scene_vec3(&rng, 9.0f), angular);
        memset(agents, 0, sizeof agents);
        memset(agents3, 0, sizeof agents3);
        memset(steerings, 0, sizeof steerings);
        memset(steerings3, 0, sizeof steerings3);
        ploy_kinematics view = ploy_kinematics_of(agents, 3);
        ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, 3);
        ploy_steerings requests = ploy_steerings_of(steerings, 3);
        ploy_steerings3 requests3 = ploy_steerings3_of(steerings3, 3);
        ploy_kinematics_set(&view, 2, agent);
        ploy_kinematics3_set(&view3, 2, agent3);
        ploy_steerings_set(&requests, 2, steering);
        ploy_steerings3_set(&requests3, 2, steering3);
        CHECK_BYTES(&agents[2], &agent, sizeof agent);
        CHECK_BYTES(&agents3[2], &agent3, sizeof agent3);
        CHECK_BYTES(&steerings[2], &steering, sizeof steering);
        CHECK_BYTES(&steerings3[2], &steering3, sizeof steering3);
        ploy_kinematic back = ploy_kinematics_get(&view, 2);
        ploy_kinematic3 back3 = ploy_kinematics3_get(&view3, 2);
        ploy_steering request = ploy_steerings_get(&requests, 2);
        ploy_steering3 request3 = ploy_steerings3_get(&requests3, 2);
        CHECK_BYTES(&back, &agent, sizeof agent);
        CHECK_BYTES(&back3, &agent3, sizeof agent3);
        CHECK_BYTES(&request, &steering, sizeof steering);
        CHECK_BYTES(&request3, &steering3, sizeof steering3);
    }
}

TEST(parts_that_a_view_has_not_read_as_nothing_and_are_not_written) {
    float x = 1, y = 2, z = 3, vx = 4, vy = 5, vz = 6;
    ploy_kinematics view = ploy_kinematics_make(1, &x, &y, NULL, &vx, &vy, NULL, sizeof(float));
    ploy_kinematic agent = ploy_kinematics_get(&view, 0);
    CHECK_SAME(agent.orientation, 0.0f);
    CHECK_SAME(agent.rotation, 0.0f);
    agent.orientation = 1.0f;
    ploy_kinematics_set(&view, 0, agent);
    ploy_kinematics3 view3;
    memset(&view3, 0, sizeof view3);
    view3.count = 1;
    view3.x = &x;
    view3.y = &y;
    view3.z = &z;
    view3.vx = &vx;
    view3.vy = &vy;
    view3.vz = &vz;
    view3.position_stride = view3.velocity_stride = sizeof(float);
    CHECK_OK(ployi_kinematics3_check(&view3, 0, 1));
    ploy_kinematic3 agent3 = ploy_kinematics3_get(&view3, 0);
    CHECK_SAME(agent3.orientation.w, 1.0f); // looks along +x
    CHECK_SAME(agent3.velocity.z, 6.0f);
    ploy_kinematics3_set(&view3, 0, agent3);
    float part = 0.0f;
    view3.qx = &part; // one of four
    CHECK_INT(ployi_kinematics3_check(&view3, 0, 1), PLOY_ERR_ARGUMENT);
    view3.qx = NULL;
    view3.rz = &part; // one of three
    CHECK_INT(ployi_kinematics3_check(&view3, 0, 1), PLOY_ERR_ARGUMENT);
    // A steering view without the columns that nobody wants.
    ploy_steerings requests = ploy_steerings_make(1, &x, &y, NULL, NULL, sizeof(float));
    CHECK_OK(ployi_steerings_check(&requests, 0, 1));
    ploy_steerings_set(&requests, 0, ploy_steering_make(ploy_vec2_make(8.0f, 9.0f), 1.0f));
    CHECK_SAME(x, 8.0f);
    CHECK_UINT(ploy_steerings_get(&requests, 0).requested, 1);
    CHECK_SAME(ploy_steerings_get(&requests, 0).angular, 0.0f);
}

TEST(checks_find_what_is_wrong_with_a_view) {
    static ploy_kinematic3 agents3[2];
    static ploy_steering3 steerings3[2];
    ploy_kinematics3 good3 = ploy_kinematics3_of(agents3, 2);
    agents3[0].orientation = agents3[1].orientation = ploy_quat_identity();
    CHECK_OK(ployi_kinematics3_check(&good3, 0, 2));
    CHECK_INT(ployi_kinematics3_check(&good3, 1, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_kinematics3_check(NULL, 0, 0), PLOY_ERR_ARGUMENT);
    ploy_kinematics3 bad3 = good3;
    bad3.vz = NULL;
    CHECK_INT(ployi_kinematics3_check(&bad3, 0, 2), PLOY_ERR_ARGUMENT);
    bad3 = good3;
    bad3.rotation_stride = 3;
    CHECK_INT(ployi_kinematics3_check(&bad3, 0, 2), PLOY_ERR_ARGUMENT);
    ploy_steerings3 out3 = ploy_steerings3_of(steerings3, 2);
    CHECK_OK(ployi_steerings3_check(&out3, 0, 2));
    out3.az = NULL;
    CHECK_INT(ployi_steerings3_check(&out3, 0, 2), PLOY_ERR_ARGUMENT);
    out3.ax = out3.ay = NULL;
    CHECK_OK(ployi_steerings3_check(&out3, 0, 2));
    ploy_vec3 point = {1, 2, 3};
    ploy_points3 points = ploy_points3_one(&point);
    CHECK_OK(ployi_points3_check(&points, 1000, 1000));
    points.z = NULL;
    CHECK_INT(ployi_points3_check(&points, 0, 1), PLOY_ERR_ARGUMENT);
    points = ploy_points3_make(&point, 1);
    CHECK_INT(ployi_points3_check(&points, 0, 2), PLOY_ERR_ARGUMENT);
    // An address that no float can have.
    ploy_points flat = ploy_points_make((const ploy_vec2 *)&point, 1);
    flat.x = (const float *)(const void *)((const char *)&point + 2);
    CHECK_INT(ployi_points_check(&flat, 0, 1), PLOY_ERR_ARGUMENT);
    // Nothing at all is a view of nobody.
    ploy_kinematics nobody = ploy_kinematics_of(NULL, 5);
    CHECK_OK(ployi_kinematics_check(&nobody, 0, 0));
    CHECK_INT(ployi_kinematics_check(&nobody, 0, 1), PLOY_ERR_ARGUMENT);
}

TEST(agents_can_be_the_targets_of_others) {
    static ploy_kinematic agents[2];
    static ploy_kinematic3 agents3[2];
    agents[1].position = ploy_vec2_make(3.0f, 4.0f);
    agents3[1].position = ploy_vec3_make(3.0f, 4.0f, 5.0f);
    ploy_kinematics view = ploy_kinematics_of(agents, 2);
    ploy_points points = ploy_points_of_agents(&view);
    CHECK_SAME(ploy_points_get(&points, 1).y, 4.0f);
    ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, 2);
    ploy_points3 points3 = ploy_points3_of_agents(&view3);
    CHECK_SAME(*(const float *)(const void *)((const char *)points3.z + points3.stride), 5.0f);
}

TEST(describing_marks_what_is_state_and_what_is_derived) {
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 2.0f), 0.5f);
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        if (i == 2) agent.rotation = 1e-6f;
        ploy_kinematic_describe(&agent, PLOY_STATE, &out);
        ploy_kinematic3 agent3 = ploy_kinematic3_make(ploy_vec3_make(1.0f, 2.0f, 3.0f));
        ploy_kinematic3_describe(&agent3, PLOY_NOTE, &out);
        ploy_steering steering = ploy_steering_none();
        steering.angular = (float)i; // a note, so it must not count
        ploy_steering_describe(&steering, PLOY_NOTE, &out);
        ploy_steering3 steering3 = ploy_steering3_none();
        ploy_steering3_describe(&steering3, PLOY_NOTE, &out);
        hashes[i] = ploy_hash_sink_result(&sink);
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] != hashes[2]);
}

typedef struct drawn {
    int32_t items[PLOY_SHAPE_COUNT];
    ploy_vec3 last;
} drawn;

static void drawn_item(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    seen->items[item->shape]++;
    seen->last = item->points[item->count - 1];
}

TEST(agents_draw_a_body_and_arrows) {
    drawn seen;
    memset(&seen, 0, sizeof seen);
    ploy_draw out = {drawn_item, &seen, UINT32_MAX};
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 2.0f), 0.5f);
    agent.velocity = ploy_vec2_make(3.0f, 4.0f);
    ploy_kinematic_draw(&agent, 0.5f, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1), &out);
    CHECK_INT(seen.items[PLOY_SHAPE_AGENT], 1);
    CHECK_INT(seen.items[PLOY_SHAPE_ARROW], 1);
    CHECK_SAME(seen.last.y, 6.0f);
    ploy_steering push = ploy_steering_make(ploy_vec2_make(10.0f, 0.0f), 0.0f);
    ploy_steering_draw(&push, agent.position, 0.5f, ploy_agent_id_make(1, 1), &out);
    CHECK_INT(seen.items[PLOY_SHAPE_ARROW], 2);
    CHECK_SAME(seen.last.x, 6.0f);
    push = ploy_steering_none();
    ploy_steering_draw(&push, agent.position, 0.5f, ploy_agent_id_make(1, 1), &out);
    CHECK_INT(seen.items[PLOY_SHAPE_ARROW], 2);
}

TEST(a_request_splits_into_throttle_and_steering_and_joins_again) {
    // STE-28: heading . F and side . F.
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), PLOY_HALF_PI_F);
    ploy_steering_parts parts =
        ploy_steering_split(ploy_steering_make(ploy_vec2_make(-3.0f, 4.0f), 1.0f), agent);
    CHECK_NEAR(parts.forward, 4.0, 1e-6);
    CHECK_NEAR(parts.side, 3.0, 1e-6); // west is to the left of north
    CHECK_SAME(parts.up, 0.0f);
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_vec3 force = {ploy_rng_range(&rng, -9, 9), 0, 0};
        force.y = ploy_rng_range(&rng, -9, 9);
        force.z = ploy_rng_range(&rng, -9, 9);
        agent.orientation = ploy_rng_range(&rng, -3.1f, 3.1f);
        ploy_steering flat = ploy_steering_make(ploy_vec2_from_vec3(force), 0.0f);
        ploy_vec2 back = ploy_steering_join(ploy_steering_split(flat, agent), agent).linear;
        CHECK_NEAR(back.x, force.x, 1e-5);
        CHECK_NEAR(back.y, force.y, 1e-5);
        ploy_kinematic3 flyer = ploy_kinematic3_make(ploy_vec3_zero());
        ploy_vec3 axis = {ploy_rng_range(&rng, -1, 1), 0.3f, 0.2f};
        flyer.orientation = ploy_quat_from_axis_angle(axis, ploy_rng_range(&rng, -3, 3));
        ploy_steering3 full = ploy_steering3_make(force, ploy_vec3_zero());
        parts = ploy_steering3_split(full, flyer);
        CHECK_NEAR(parts.forward, ploy_vec3_dot(ploy_quat_forward(flyer.orientation), force), 1e-4);
        CHECK_NEAR(parts.up, ploy_vec3_dot(ploy_quat_up(flyer.orientation), force), 1e-4);
        ploy_vec3 again = ploy_steering3_join(parts, flyer).linear;
        CHECK_NEAR(ploy_vec3_distance(again, force), 0.0, 1e-4);
    }
}
