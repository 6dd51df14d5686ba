// Craft: INT-20, and flocking by the rudder: INT-17.
#include "ploy/move/craft.h"

#include "tests/move/scene.h"
#include "tests/move/vectors.h"
#include "tests/test.h"

static ploy_kinematic run(const ploy_craft_def *def, ploy_kinematic craft, float thrust,
                          float steer, float dt, int steps) {
    ploy_craft_controls controls = {thrust, steer};
    for (int i = 0; i < steps; i++) craft = ploy_craft_step(def, craft, controls, dt);
    return craft;
}

TEST(forces_are_those_of_a_rigid_body_pushed_at_the_bow) {
    ploy_craft_def def = ploy_craft_def_default();
    def.mass = 4.0f, def.inertia = 3.0f, def.length = 6.0f, def.thrust = 20.0f, def.thruster = 8.0f;
    ploy_craft_controls controls = {0.5f, 1.0f};
    ploy_steering out = ploy_craft_forces(&def, ploy_kinematic_make(ploy_vec2_zero(), 0), controls);
    CHECK_VEC2(out.linear, 2.5f, 2.0f, 1e-6);       // 10 N ahead, 8 N to the left, 4 kg
    CHECK_NEAR(out.angular, 8.0 * 3.0 / 3.0, 1e-6); // the force times half the length
    ploy_kinematic north = ploy_kinematic_make(ploy_vec2_zero(), PLOY_HALF_PI_F);
    CHECK_VEC2(ploy_craft_forces(&def, north, controls).linear, -2.0f, 2.5f, 1e-6);
    controls.steer = -7.0f, controls.thrust = -1.0f; // held within the range
    CHECK_VEC2(ploy_craft_forces(&def, north, controls).linear, 2.0f, 0.0f, 1e-6);
    controls.steer = NAN, controls.thrust = NAN;
    CHECK_VEC2(ploy_craft_forces(&def, north, controls).linear, 0.0f, 0.0f, 0.0);
    def.mass = 0.0f;
    CHECK_UINT(ploy_craft_forces(&def, north, controls).requested, PLOY_STEERING_INVALID);
}

TEST(it_reaches_its_top_speed_and_turns_to_the_side_it_is_steered) {
    ploy_craft_def def = ploy_craft_def_default();
    ploy_kinematic craft = run(&def, ploy_kinematic_make(ploy_vec2_zero(), 0), 1, 0, 0.02f, 1000);
    CHECK_NEAR(craft.velocity.x, (double)(def.thrust / def.drag), 0.05); // by the step
    CHECK_SAME(craft.velocity.y, 0.0f);
    // Steady turning: torque over angular drag; then the curve is a circle.
    craft = run(&def, craft, 1, 0.5f, 0.02f, 1000);
    double spin = 0.5 * (double)(def.thruster * 0.5f * def.length / def.angular_drag);
    CHECK_NEAR(craft.rotation, spin, 0.05);
    CHECK(run(&def, craft, 1, -0.5f, 0.02f, 1000).rotation < 0.0f);
    // The keel: sliding dies out much sooner than gliding.
    ploy_kinematic slide = mover(0, 0, 2, 2);
    slide = run(&def, slide, 0, 0, 0.02f, 50);
    CHECK(slide.velocity.x > 0.5f && slide.velocity.y < 0.05f);
}

TEST(drag_is_exact_and_halving_the_step_converges_with_first_order) {
    ploy_craft_def def = ploy_craft_def_default();
    // Without controls any step gives the same velocity.
    ploy_kinematic glide = mover(0, 0, 3, 0);
    CHECK_NEAR(run(&def, glide, 0, 0, 1.0f, 1).velocity.x,
               (double)run(&def, glide, 0, 0, 0.01f, 100).velocity.x, 1e-5);
    ploy_kinematic start = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_vec2 truth = run(&def, start, 1, 0.3f, 1.0f / 8192, 16384).position;
    double last = 0.0;
    for (int n = 32; n <= 256; n *= 2) {
        ploy_vec2 at = run(&def, start, 1, 0.3f, 1.0f / (float)n, 2 * n).position;
        double error = (double)ploy_vec2_distance(at, truth);
        if (n > 32) CHECK(error < 0.6 * last && error > 0.35 * last);
        last = error;
    }
}

TEST(small_angles_give_small_corrections) {
    ploy_kinematic craft = ploy_kinematic_make(ploy_vec2_make(1, 1), 0.0f);
    CHECK_NEAR(ploy_craft_toward(craft, ploy_vec2_make(11, 1), 1), 0.0, 1e-6);
    CHECK_NEAR(ploy_craft_toward(craft, ploy_vec2_make(2, 2), PLOY_HALF_PI_F), 0.5, 1e-6);
    CHECK_NEAR(ploy_craft_toward(craft, ploy_vec2_make(2, 0), PLOY_HALF_PI_F), -0.5, 1e-6);
    CHECK_SAME(ploy_craft_toward(craft, ploy_vec2_make(1, 9), 0.5f), 1.0f);
    CHECK_SAME(ploy_craft_toward(craft, craft.position, 1), 0.0f);
    CHECK_SAME(ploy_craft_toward(craft, ploy_vec2_make(1, 9), 0.0f), 0.0f);
}

TEST(each_rule_steers_by_its_response_curve) {
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    def.radius = 20.0f;
    def.separation_weight = def.alignment_weight = def.cohesion_weight = 0.0f;
    def.separation_radius = 4.0f;
    ploy_kinematic craft = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_kinematic other = mover(5, 5, 0, 1); // 45 degrees to the left, going left
    ploy_kinematics others = ploy_kinematics_of(&other, 1);
    CHECK_SAME(ploy_craft_flock(&def, craft, &others, -1), 0.0f);
    def.cohesion_weight = 1.0f; // INT-17: F * angle / pi
    CHECK_NEAR(ploy_craft_flock(&def, craft, &others, -1), 0.25, 1e-6);
    def.cohesion_weight = 0.0f, def.alignment_weight = 1.0f;
    CHECK_NEAR(ploy_craft_flock(&def, craft, &others, -1), 0.5, 1e-6);
    def.alignment_weight = 0.0f, def.separation_weight = 0.1f;
    CHECK_SAME(ploy_craft_flock(&def, craft, &others, -1), 0.0f); // too far away to push
    other.position = ploy_vec2_make(0, 2);
    CHECK_NEAR(ploy_craft_flock(&def, craft, &others, -1), -0.2, 1e-6); // F * 4 / 2, to the right
    other.position = ploy_vec2_make(0, -2);
    CHECK_NEAR(ploy_craft_flock(&def, craft, &others, -1), 0.2, 1e-6);
    other.position = ploy_vec2_make(0, -1e-6f);
    CHECK_SAME(ploy_craft_flock(&def, craft, &others, -1), 1.0f); // held within the range
    CHECK_SAME(ploy_craft_flock(&def, craft, &others, 0), 0.0f);  // it is itself
    def.view = PLOY_VIEW_NARROW;
    other.position = ploy_vec2_make(0, -2);
    CHECK_SAME(ploy_craft_flock(&def, craft, &others, -1), 0.0f); // not seen
}

static double mean_distance(const ploy_kinematic *craft, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < i; j++) {
            sum += (double)ploy_vec2_distance(craft[i].position, craft[j].position);
        }
    }
    return sum / (0.5 * count * (count - 1));
}

TEST(a_fleet_comes_together_and_takes_one_course) {
    enum { FLEET = 12 };
    ploy_flock_def flock = ploy_flock_def_default();
    flock.view = PLOY_VIEW_ALL;
    flock.radius = 100.0f;
    flock.separation_radius = 3.0f;
    flock.separation_weight = 0.2f;
    flock.alignment_weight = 2.0f;
    flock.cohesion_weight = 1.0f;
    ploy_craft_def def = ploy_craft_def_default();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic craft[FLEET], next[FLEET];
        for (int32_t i = 0; i < FLEET; i++) {
            craft[i] = ploy_kinematic_make(scene_near2(&rng, 15.0f), 0.0f);
            craft[i].orientation = ploy_rng_range(&rng, -3.0f, 3.0f);
            craft[i].velocity = ploy_angle_heading(craft[i].orientation);
        }
        double before = mean_distance(craft, FLEET);
        for (int step = 0; step < 1500; step++) {
            ploy_kinematics view = ploy_kinematics_of(craft, FLEET);
            for (int32_t i = 0; i < FLEET; i++) {
                ploy_craft_controls controls = {1.0f, ploy_craft_flock(&flock, craft[i], &view, i)};
                next[i] = ploy_craft_step(&def, craft[i], controls, 0.02f);
            }
            memcpy(craft, next, sizeof craft);
        }
        ploy_vec2 course = ploy_vec2_zero();
        for (int32_t i = 0; i < FLEET; i++) {
            course = ploy_vec2_add(course, ploy_angle_heading(craft[i].orientation));
        }
        CHECK(mean_distance(craft, FLEET) < 0.5 * before);
        CHECK(ploy_vec2_length(course) > 0.8f * FLEET);
    }
}

TEST(whatever_the_numbers_the_craft_is_finite_and_mirrors) {
    ploy_craft_def def = ploy_craft_def_default();
    ploy_flock_def flock = ploy_flock_def_default();
    flock.radius = flock.separation_radius = 50.0f;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic craft = scene_agent(&rng),
                       others[2] = {scene_agent(&rng), scene_agent(&rng)};
        if (ploy_rng_chance(&rng, 0.3f)) others[0].position = craft.position;
        ploy_kinematics view = ploy_kinematics_of(others, 2);
        ploy_craft_controls controls = {1.0f, ploy_craft_flock(&flock, craft, &view, -1)};
        CHECK(fabsf(controls.steer) <= 1.0f);
        static const float steps[] = {0.0f, 1.0f / 60.0f, 1.0f};
        for (size_t i = 0; i < COUNT_OF(steps); i++) {
            ploy_kinematic after = ploy_craft_step(&def, craft, controls, steps[i]);
            CHECK(ploy_vec2_is_finite(after.position) && ploy_vec2_is_finite(after.velocity));
            CHECK(ploy_is_finite(after.orientation) && ploy_is_finite(after.rotation));
            ploy_craft_controls other_way = {1.0f, -controls.steer};
            ploy_kinematic mirrored =
                ploy_craft_step(&def, scene_mirror_agent(craft), other_way, steps[i]);
            CHECK_NEAR(mirrored.rotation, -after.rotation, 1e-4);
        }
    }
    ploy_kinematic still = mover(1, 2, 3, 4);
    ploy_craft_controls full = {1, 1};
    ploy_kinematic same = ploy_craft_step(&def, still, full, 1.5f);
    CHECK_BYTES(&same, &still, sizeof same);
    def.drag = -1.0f;
    same = ploy_craft_step(&def, still, full, 0.1f);
    CHECK_BYTES(&same, &still, sizeof same);
    CHECK_OK(ploy_fields_check_table(ploy_craft_fields(), NULL));
}

TEST(a_batch_steps_its_range_with_the_bits_of_single_and_refuses_what_is_not_right) {
    enum { CRAFT = 9 };
    ploy_craft_def def = ploy_craft_def_default();
    ploy_kinematic fleet[CRAFT], before[CRAFT];
    ploy_craft_controls controls[CRAFT];
    ploy_rng rng = ploy_rng_make(3);
    memset(fleet, 0, sizeof fleet);
    for (int32_t i = 0; i < CRAFT; i++) {
        fleet[i] = ploy_kinematic_make(scene_near2(&rng, 9.0f), ploy_rng_range(&rng, -3, 3));
        fleet[i].velocity = scene_near2(&rng, 3.0f);
        controls[i].thrust = ploy_rng_range(&rng, 0, 1);
        controls[i].steer = ploy_rng_range(&rng, -1, 1);
    }
    memcpy(before, fleet, sizeof fleet);
    ploy_kinematics view = ploy_kinematics_of(fleet, CRAFT);
    CHECK_INT(ploy_craft_step_batch(&def, &view, 0, CRAFT + 1, controls, 0.1f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_craft_step_batch(&def, &view, 0, CRAFT, NULL, 0.1f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_craft_step_batch(&def, &view, 0, CRAFT, controls, NAN), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(fleet, before, sizeof fleet);
    CHECK_OK(ploy_craft_step_batch(&def, &view, 2, 5, controls, 0.1f));
    for (int32_t i = 0; i < CRAFT; i++) {
        bool stepped = i >= 2 && i < 7;
        ploy_kinematic want =
            stepped ? ploy_craft_step(&def, before[i], controls[i], 0.1f) : before[i];
        CHECK_BYTES(&fleet[i], &want, sizeof want);
    }
    def.mass = NAN;
    CHECK_INT(ploy_craft_step_batch(&def, &view, 0, CRAFT, controls, 0.1f), PLOY_ERR_ARGUMENT);
}
