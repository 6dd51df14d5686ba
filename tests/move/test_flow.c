// Flow following and containment.
#include "ploy/move/flow.h"
#include "ploy/move/integrate.h"
#include "tests/move/vectors.h"

static const ploy_vec2 corners[] = {{1, 0}, {3, 0}, {1, 4}, {3, 4}};
static const ploy_flow_grid small_grid = {{0.0f, 0.0f}, 2.0f, 2, 2, corners};

TEST(a_grid_is_blended_between_its_points) {
    CHECK_VEC2(ploy_flow_grid_at(&small_grid, ploy_vec2_make(0.0f, 0.0f)), 1.0, 0.0, 1e-6);
    CHECK_VEC2(ploy_flow_grid_at(&small_grid, ploy_vec2_make(1.0f, 0.0f)), 2.0, 0.0, 1e-6);
    CHECK_VEC2(ploy_flow_grid_at(&small_grid, ploy_vec2_make(1.0f, 1.0f)), 2.0, 2.0, 1e-6);
    CHECK_VEC2(ploy_flow_grid_at(&small_grid, ploy_vec2_make(2.0f, 2.0f)), 3.0, 4.0, 1e-6);
    // Outside as at the edge.
    CHECK_VEC2(ploy_flow_grid_at(&small_grid, ploy_vec2_make(-1e9f, 1e9f)), 1.0, 4.0, 1e-6);
    CHECK_VEC2(ploy_flow_grid_at(NULL, ploy_vec2_zero()), 0.0, 0.0, 0.0);
    ploy_flow_grid one = {{5.0f, 5.0f}, 1.0f, 1, 1, corners};
    CHECK_VEC2(ploy_flow_grid_at(&one, ploy_vec2_make(9.0f, -9.0f)), 1.0, 0.0, 0.0);
    one.spacing = 0.0f;
    CHECK_VEC2(ploy_flow_grid_at(&one, ploy_vec2_zero()), 0.0, 0.0, 0.0);
}

TEST(the_field_s_velocity_is_taken_on) {
    // NTU-38.
    ploy_flow_def def = ploy_flow_def_default();
    def.match.max_acceleration = 1e6f;
    def.match.time_to_target = 1.0f;
    def.predict_time = 0.5f;
    ploy_flow_field field = ploy_flow_grid_field(&small_grid);
    // Looks at (1, 1), where the field is (2, 2).
    ploy_kinematic agent = mover(0.5f, 1.0f, 1.0f, 0.0f);
    CHECK_VEC2(ploy_flow_follow(&def, agent, &field).linear, 1.0, 2.0, 1e-5);
    def.speed_factor = 2.0f;
    CHECK_VEC2(ploy_flow_follow(&def, agent, &field).linear, 3.0, 4.0, 1e-5);
    ploy_steering got;
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_steerings out = ploy_steerings_of(&got, 1);
    CHECK_OK(ploy_flow_follow_batch(&def, &view, 0, 1, &field, &out));
    ploy_steering want = ploy_flow_follow(&def, agent, &field);
    CHECK_BYTES(&got, &want, sizeof want);
    CHECK_INT(ploy_flow_follow_batch(&def, &view, 0, 1, NULL, &out), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_flow_follow(&def, agent, NULL).requested, 0);
    def.predict_time = NAN;
    CHECK_UINT(ploy_flow_follow(&def, agent, &field).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_flow_follow_batch(&def, &view, 0, 1, &field, &out), PLOY_ERR_ARGUMENT);
}

static ploy_vec2 broken_field(const void *user, ploy_vec2 point) {
    (void)point;
    return ploy_vec2_make(*(const float *)user, 0.0f);
}

TEST(a_field_that_is_not_finite_asks_for_nothing) {
    static const float values[] = {NAN, INFINITY};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        ploy_flow_field field = {broken_field, &values[i]};
        ploy_flow_def def = ploy_flow_def_default();
        CHECK_UINT(ploy_flow_follow(&def, mover(0, 0, 0, 0), &field).requested, 0);
    }
    float huge = 1e38f;
    ploy_flow_field field = {broken_field, &huge};
    ploy_flow_def def = ploy_flow_def_default();
    CHECK_NEAR(ploy_flow_follow(&def, mover(0, 0, 0, 0), &field).linear.x, 10.0, 1e-3);
}

TEST(who_will_be_outside_turns_back) {
    ploy_contain_def def = ploy_contain_def_default();
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(-5.0f, -5.0f), ploy_vec2_make(5.0f, 5.0f));
    CHECK_UINT(ploy_contain(&def, mover(0.0f, 0.0f, 3.0f, 0.0f), box).requested, 0);
    CHECK(ploy_contain(&def, mover(4.0f, 0.0f, 4.0f, 0.0f), box).linear.x < 0.0f);
    CHECK(ploy_contain(&def, mover(0.0f, -9.0f, 0.0f, 0.0f), box).linear.y > 0.0f);
    ploy_kinematic agent = mover(0.0f, 0.0f, 3.0f, 2.0f);
    for (int32_t tick = 0; tick < 3000; tick++) {
        ploy_vec2 a = ploy_contain(&def, agent, box).linear;
        agent.velocity = ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, a, 0.02f), 5.0f);
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
        CHECK(fabsf(agent.position.x) < 5.0f && fabsf(agent.position.y) < 5.0f);
    }
    def.margin = 50.0f; // more than there is: the middle
    CHECK(ploy_contain(&def, mover(3.0f, 0.0f, 0.0f, 0.0f), box).linear.x < 0.0f);
    def.margin = NAN;
    CHECK_UINT(ploy_contain(&def, agent, box).requested, PLOY_STEERING_INVALID);
}

static ploy_vec3 updraft(const void *user, ploy_vec3 point) {
    const float *limit = user;
    return ploy_vec3_make(0.0f, 0.0f, point.x < *limit ? 3.0f : NAN);
}

TEST(a_field_of_space_is_taken_on_too) {
    float limit = 10.0f;
    ploy_flow_field3 wind = {updraft, &limit};
    ploy_flow_def def = ploy_flow_def_default();
    ploy_kinematic3 flyer = ploy_kinematic3_make(ploy_vec3_zero());
    ploy_integrate_def motion = ploy_integrate_def_default();
    for (int tick = 0; tick < 200; tick++) {
        flyer = ploy_integrate3(&motion, flyer, ploy_flow_follow3(&def, flyer, &wind), 0.02f);
    }
    CHECK_NEAR(flyer.velocity.z, (double)(3.0f * def.speed_factor), 1e-3);
    flyer.position.x = 20.0f;
    CHECK_UINT(ploy_flow_follow3(&def, flyer, &wind).requested, 0);
    CHECK_UINT(ploy_flow_follow3(&def, flyer, NULL).requested, 0);
}
