// Integrators, limits and facing policies: the vectors of the books, orders of convergence, equal
// bits of single and batch.
#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_integrate_def free_def(ploy_integrator integrator, float max_speed) {
    ploy_integrate_def def = ploy_integrate_def_default();
    def.integrator = integrator;
    def.facing = PLOY_FACING_FREE;
    def.max_speed = max_speed;
    return def;
}

TEST(one_step_is_what_the_book_computes) {
    // MOV-03, exercise 3.6; ploy (x, y) is the book's (z, x).
    static const struct {
        const char *row;
        ploy_integrator integrator;
        ploy_vec2 a;
        double px, py, vx, vy;
    } rows[] = {
        {"newton-euler", PLOY_INTEGRATOR_NEWTON_EULER, {-3.2f, 2.4f}, 6.05, 5.05, 2.946667, 3.04},
        {"second order",
         PLOY_INTEGRATOR_SECOND_ORDER,
         {-3.2f, 2.4f},
         6.0495556,
         5.0503333,
         2.946667,
         3.04},
        {"fleeing", PLOY_INTEGRATOR_NEWTON_EULER, {3.2f, -2.4f}, 6.05, 5.05, 3.0533333, 2.96},
        {"semi-implicit",
         PLOY_INTEGRATOR_SEMI_IMPLICIT,
         {-3.2f, 2.4f},
         6.0491111,
         5.0506667,
         2.946667,
         3.04},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_integrate_def def = free_def(rows[i].integrator, 5.0f);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(6.0f, 5.0f), 0.7f);
        agent.velocity = ploy_vec2_make(3.0f, 3.0f);
        ploy_kinematic out =
            ploy_integrate(&def, agent, ploy_steering_make(rows[i].a, 0.0f), 1.0f / 60.0f);
        CHECK_NEAR(out.position.x, rows[i].px, 1e-6);
        CHECK_NEAR(out.position.y, rows[i].py, 1e-6);
        CHECK_NEAR(out.velocity.x, rows[i].vx, 1e-6);
        CHECK_NEAR(out.velocity.y, rows[i].vy, 1e-6);
        CHECK_SAME(out.orientation, 0.7f);
        CHECK_SAME(out.rotation, 0.0f);
    }
    // 1 m/s for 20 ms is 20 mm.
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_NEWTON_EULER, 5.0f);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity.x = 1.0f;
    CHECK_NEAR(ploy_integrate(&def, agent, ploy_steering_none(), 0.02f).position.x, 0.02, 1e-9);
}

TEST(a_force_moves_a_point_mass_up_to_its_largest_speed) {
    // MTH-14.
    ploy_integrate_def def = ploy_integrate_def_default();
    def.max_speed = 150.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    static const float speeds[] = {40.0f, 80.0f, 120.0f, 150.0f, 150.0f};
    static const float places[] = {4.0f, 12.0f, 24.0f, 39.0f, 54.0f};
    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        ploy_steering push = ploy_steering_from_force(ploy_vec2_make(400.0f, 0.0f), 1.0f);
        agent = ploy_integrate(&def, agent, push, 0.1f);
        CHECK_NEAR(agent.velocity.x, speeds[i], 1e-4);
        CHECK_NEAR(agent.position.x, places[i], 1e-4);
    }
    // 2000 kg at 1.5 m/s^2 take 3000 N.
    CHECK_SAME(ploy_steering_from_force(ploy_vec2_make(3000.0f, 0.0f), 2000.0f).linear.x, 1.5f);
    CHECK_UINT(ploy_steering_from_force(ploy_vec2_make(1.0f, 0.0f), 0.0f).requested,
               PLOY_STEERING_INVALID);
}

// The error after one second of falling towards a spring, x'' = -x, in steps of 1 / steps.
static double spring_error(ploy_integrator integrator, int steps) {
    ploy_integrate_def def = free_def(integrator, 1e6f);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 0.0f), 0.0f);
    for (int i = 0; i < steps; i++) {
        ploy_steering pull = ploy_steering_make(ploy_vec2_make(-agent.position.x, 0.0f), 0.0f);
        agent = ploy_integrate(&def, agent, pull, 1.0f / (float)steps);
    }
    return fabs((double)agent.position.x - 0.54030230586);
}

TEST(halving_the_step_halves_the_error) {
    static const char *const names[] = {"semi-implicit", "newton-euler", "second order"};
    for (int i = 0; i < 3; i++) {
        t->row = names[i];
        double coarse = spring_error((ploy_integrator)i, 32);
        double fine = spring_error((ploy_integrator)i, 64);
        // The velocity is of first order in all three, so the position is too.
        CHECK(coarse / fine > 1.8);
        CHECK(coarse / fine < 2.2);
    }
}

TEST(second_order_is_exact_for_a_constant_acceleration) {
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_SECOND_ORDER, 1e6f);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_steering push = ploy_steering_make(ploy_vec2_make(2.0f, 0.0f), 0.0f);
    // MTH-13: from rest with a = 2, v at 0..5 s is 0, 2, ... 10; from 1 s to 3 s it goes 8 m.
    float at_one = 0.0f;
    for (int i = 1; i <= 5 * 64; i++) {
        agent = ploy_integrate(&def, agent, push, 1.0f / 64.0f);
        if (i % 64 == 0) CHECK_NEAR(agent.velocity.x, 2.0 * i / 64, 1e-5);
        if (i == 64) at_one = agent.position.x;
        if (i == 192) CHECK_NEAR(agent.position.x - at_one, 8.0, 1e-4);
    }
}

TEST(drag_sets_the_top_speed_and_never_turns_a_velocity_round) {
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_SEMI_IMPLICIT, 1e6f);
    def.drag = 2.0f;
    def.angular_drag = 4.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_steering push = ploy_steering_make(ploy_vec2_make(6.0f, 8.0f), 4.0f);
    for (int i = 0; i < 4000; i++) agent = ploy_integrate(&def, agent, push, 0.001f);
    CHECK_NEAR(ploy_vec2_length(agent.velocity), 5.0, 0.01); // a / drag
    CHECK_NEAR(agent.rotation, 1.0, 0.01);
    def.drag = 1e4f;
    agent = ploy_integrate(&def, agent, ploy_steering_none(), 1.0f);
    CHECK(agent.velocity.x >= 0.0f);
    CHECK(agent.velocity.x < 1e-6f);
    // The decay is the same for one long step as for many short ones.
    def.drag = 3.0f;
    ploy_kinematic once = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    once.velocity.x = 7.0f;
    ploy_kinematic often = once;
    once = ploy_integrate(&def, once, ploy_steering_none(), 0.5f);
    for (int i = 0; i < 50; i++) often = ploy_integrate(&def, often, ploy_steering_none(), 0.01f);
    CHECK_NEAR(once.velocity.x, often.velocity.x, 1e-5);
    CHECK_NEAR(once.velocity.x, 7.0 * exp(-1.5), 1e-5);
}

TEST(rotation_turns_the_orientation_and_is_limited) {
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_SEMI_IMPLICIT, 5.0f);
    def.max_rotation = 2.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 3.0f);
    agent.velocity = ploy_vec2_make(0.0f, -1.0f); // looks elsewhere than it goes
    ploy_steering spin = ploy_steering_make(ploy_vec2_make(0.0f, 0.0f), 100.0f);
    agent = ploy_integrate(&def, agent, spin, 0.1f);
    CHECK_SAME(agent.rotation, 2.0f);
    CHECK_NEAR(agent.orientation, 3.2 - 2.0 * PLOY_PI, 1e-6); // wrapped
    spin.angular = -100.0f;
    agent = ploy_integrate(&def, agent, spin, 0.1f);
    CHECK_SAME(agent.rotation, -2.0f);
    // However fast it spins, the orientation stays an angle.
    def.max_rotation = 1e6f;
    agent.rotation = 123456.7f;
    agent = ploy_integrate(&def, agent, ploy_steering_none(), 1.0f);
    CHECK(agent.orientation >= -PLOY_PI_F && agent.orientation < PLOY_PI_F);
}

TEST(snap_looks_where_it_goes_and_keeps_looking_there_at_rest) {
    // MOV-04 and STE-03.
    ploy_integrate_def def = ploy_integrate_def_default();
    CHECK_INT(def.facing, PLOY_FACING_SNAP);
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 1.5f);
        agent.velocity = scene_vec2(&rng, 1e5f);
        float speed = ploy_vec2_length(agent.velocity);
        ploy_kinematic out = ploy_integrate(&def, agent, ploy_steering_none(), 0.0f);
        CHECK(out.orientation >= -PLOY_PI_F && out.orientation < PLOY_PI_F);
        if (speed > 1.001e-4f) {
            float error = ploy_angle_difference(ploy_angle_of(agent.velocity), out.orientation);
            CHECK_NEAR(error, 0.0, 5e-7);
        } else if (speed < 0.999e-4f) {
            CHECK_SAME(out.orientation, 1.5f);
        }
        CHECK_SAME(out.position.x, 0.0f); // dt 0 moves nobody
    }
    static const struct {
        float x, y;
        double want;
    } rows[] = {{1, 0, 0.0},
                {0, 1, PLOY_PI / 2},
                {-1, 0, -PLOY_PI},
                {0, -1, -PLOY_PI / 2},
                {1, 1, PLOY_PI / 4},
                {-1, 1, 3 * PLOY_PI / 4},
                {-1, -1, -3 * PLOY_PI / 4},
                {-1, -0.0f, -PLOY_PI}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
        agent.velocity = ploy_vec2_make(rows[i].x, rows[i].y);
        CHECK_NEAR(ploy_integrate(&def, agent, ploy_steering_none(), 0.1f).orientation,
                   rows[i].want, 5e-7);
    }
    def.face_at_rest = true;
    def.rest_orientation = 7.0f;
    ploy_kinematic still = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 1.5f);
    CHECK_NEAR(ploy_integrate(&def, still, ploy_steering_none(), 0.1f).orientation,
               7.0 - 2.0 * PLOY_PI, 1e-6);
}

TEST(smooth_turns_the_same_share_of_the_way_at_any_frame_rate) {
    // MOV-04: half the way each period gives pi/4, 3 pi/8, 7 pi/16.
    ploy_integrate_def def = ploy_integrate_def_default();
    def.facing = PLOY_FACING_SMOOTH;
    def.facing_fraction = 0.5f;
    def.facing_period = 0.1f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity = ploy_vec2_make(0.0f, 2.0f);
    ploy_kinematic fine = agent;
    static const double want[] = {PLOY_PI / 4, 3 * PLOY_PI / 8, 7 * PLOY_PI / 16};
    for (int i = 0; i < 3; i++) {
        agent = ploy_integrate(&def, agent, ploy_steering_none(), 0.1f);
        CHECK_NEAR(agent.orientation, want[i], 1e-6);
        for (int k = 0; k < 10; k++) fine = ploy_integrate(&def, fine, ploy_steering_none(), 0.01f);
        CHECK_NEAR(fine.orientation, want[i], 1e-5);
    }
    // By the short way, across the seam at pi, even from an orientation that was never wrapped.
    agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 3.0f + 4.0f * PLOY_PI_F);
    agent.velocity = ploy_vec2_make(-1.0f, -0.1f);
    agent = ploy_integrate(&def, agent, ploy_steering_none(), 0.1f);
    double goal = -PLOY_PI + 0.0996687;
    CHECK_NEAR(agent.orientation, 3.0 + 0.5 * (goal + 2 * PLOY_PI - 3.0), 1e-5);
    CHECK_SAME(ploy_smooth_fraction(0.5f, 0.1f, 0.0f), 0.0f);
    CHECK_NEAR(ploy_smooth_fraction(0.5f, 0.1f, 0.2f), 0.75, 1e-6);
    CHECK_SAME(ploy_smooth_fraction(1.0f, 0.1f, 0.01f), 1.0f);
    CHECK_SAME(ploy_smooth_fraction(0.0f, 0.1f, 0.01f), 0.0f);
}

TEST(bad_settings_and_steps_leave_the_agent_alone) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row;
        float dt, max_speed, drag, fraction, period;
        int32_t integrator;
        bool ok;
    } rows[] = {
        {"fine", 0.1f, 5.0f, 0.0f, 0.5f, 0.1f, 0, true},
        {"no time passes", 0.0f, 5.0f, 0.0f, 0.5f, 0.1f, 0, true},
        {"a whole second", 1.0f, 5.0f, 0.0f, 0.5f, 0.1f, 2, true},
        {"too long", 1.1f, 5.0f, 0.0f, 0.5f, 0.1f, 0, false},
        {"backwards", -0.1f, 5.0f, 0.0f, 0.5f, 0.1f, 0, false},
        {"invalid time", NAN, 5.0f, 0.0f, 0.5f, 0.1f, 0, false},
        {"not a speed", 0.1f, NAN, 0.0f, 0.5f, 0.1f, 0, false},
        {"negative drag", 0.1f, 5.0f, -1.0f, 0.5f, 0.1f, 0, false},
        {"more than all", 0.1f, 5.0f, 0.0f, 1.5f, 0.1f, 0, false},
        {"no period", 0.1f, 5.0f, 0.0f, 0.5f, 0.0f, 0, false},
        {"no such integrator", 0.1f, 5.0f, 0.0f, 0.5f, 0.1f, 3, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_integrate_def def = ploy_integrate_def_default();
        def.max_speed = rows[i].max_speed;
        def.drag = rows[i].drag;
        def.facing_fraction = rows[i].fraction;
        def.facing_period = rows[i].period;
        memcpy(&def.integrator, &rows[i].integrator, sizeof def.integrator);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 2.0f), 0.5f);
        agent.velocity = ploy_vec2_make(3.0f, 0.0f);
        ploy_kinematic copy = agent, out;
        ploy_steering push = ploy_steering_make(ploy_vec2_make(1.0f, 1.0f), 0.0f);
        out = ploy_integrate(&def, agent, push, rows[i].dt);
        if (!rows[i].ok) CHECK_BYTES(&out, &agent, sizeof out);
        ploy_kinematics view = ploy_kinematics_of(&copy, 1);
        ploy_steerings pushes = ploy_steerings_of(&push, 1);
        ploy_result want = rows[i].ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
        CHECK_INT(ploy_integrate_batch(&def, &view, 0, 1, &pushes, rows[i].dt), want);
        CHECK_BYTES(&copy, &out, sizeof out);
        if (rows[i].dt >= 0.0f && rows[i].dt <= 1.0f) {
            CHECK_INT(ploy_fields_check(ploy_integrate_fields(), &def, &env), want);
        }
    }
    CHECK_INT(ploy_integrate_batch(NULL, NULL, 0, 0, NULL, 0.1f), PLOY_ERR_ARGUMENT);
}

enum { MANY = 1300 }; // more than a chunk of the batch forms

TEST(batch_gives_the_bits_of_single_wherever_the_agents_lie) {
    static ploy_kinematic agents[MANY], want[MANY], got[MANY];
    static ploy_steering pushes[MANY];
    static float lanes[9][MANY];
    for (uint64_t seed = 1; seed <= 24; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_integrate_def def = ploy_integrate_def_default();
        def.integrator = (ploy_integrator)(seed % 3);
        def.facing = (ploy_facing)(seed / 3 % 3);
        def.max_speed = ploy_rng_chance(&rng, 0.5f) ? 20.0f : 1e6f;
        def.drag = ploy_rng_chance(&rng, 0.5f) ? 0.0f : 0.3f;
        def.max_rotation = 3.0f;
        def.face_at_rest = ploy_rng_chance(&rng, 0.5f);
        def.rest_orientation = 1.0f;
        float dt = ploy_rng_range(&rng, 0.0f, 1.0f);
        for (int32_t i = 0; i < MANY; i++) {
            agents[i] = scene_agent(&rng);
            ploy_vec2 push = scene_vec2(&rng, 1e4f);
            pushes[i] = ploy_steering_make(push, ploy_rng_range(&rng, -9.0f, 9.0f));
            want[i] = ploy_integrate(&def, agents[i], pushes[i], dt);
            CHECK(ploy_vec2_is_finite(want[i].position));
            CHECK(ploy_vec2_is_finite(want[i].velocity));
            CHECK(ploy_vec2_length(want[i].velocity) <= def.max_speed * 1.000001f);
            CHECK(want[i].orientation >= -PLOY_PI_F && want[i].orientation < PLOY_PI_F);
            lanes[0][i] = agents[i].position.x;
            lanes[1][i] = agents[i].position.y;
            lanes[2][i] = agents[i].orientation;
            lanes[3][i] = agents[i].velocity.x;
            lanes[4][i] = agents[i].velocity.y;
            lanes[5][i] = agents[i].rotation;
            lanes[6][i] = pushes[i].linear.x;
            lanes[7][i] = pushes[i].linear.y;
            lanes[8][i] = pushes[i].angular;
        }
        memcpy(got, agents, sizeof got);
        ploy_kinematics view = ploy_kinematics_of(got, MANY);
        ploy_steerings steerings = ploy_steerings_of(pushes, MANY);
        CHECK_OK(ploy_integrate_batch(&def, &view, 0, MANY, &steerings, dt));
        CHECK_BYTES(got, want, sizeof got);
        view = ploy_kinematics_make(MANY, lanes[0], lanes[1], lanes[2], lanes[3], lanes[4],
                                    lanes[5], sizeof(float));
        steerings = ploy_steerings_make(MANY, lanes[6], lanes[7], lanes[8], NULL, sizeof(float));
        static const int32_t cuts[] = {0, 3, 259, 260, 1297, MANY};
        for (size_t c = COUNT_OF(cuts) - 1; c-- > 0;) {
            CHECK_OK(
                ploy_integrate_batch(&def, &view, cuts[c], cuts[c + 1] - cuts[c], &steerings, dt));
        }
        for (int32_t i = 0; i < MANY; i++) got[i] = ploy_kinematics_get(&view, i);
        CHECK_BYTES(got, want, sizeof got);
    }
}

TEST(a_view_without_orientation_or_steering_moves_all_the_same) {
    float x[3] = {0, 1, 2}, y[3] = {0, 0, 0}, vx[3] = {1, 2, 3}, vy[3] = {0, 0, 4};
    ploy_kinematics view = ploy_kinematics_make(3, x, y, NULL, vx, vy, NULL, sizeof(float));
    ploy_integrate_def def = ploy_integrate_def_default();
    CHECK_OK(ploy_integrate_batch(&def, &view, 1, 2, NULL, 0.5f));
    CHECK_SAME(x[0], 0.0f);
    CHECK_SAME(x[1], 2.0f);
    CHECK_SAME(x[2], 3.5f);
    CHECK_SAME(y[2], 2.0f);
}

TEST(space_integrates_like_the_plane_and_turns_exactly) {
    static ploy_kinematic3 agents[MANY], want[MANY];
    static ploy_steering3 pushes[MANY];
    for (uint64_t seed = 1; seed <= 18; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_integrate_def def = ploy_integrate_def_default();
        def.integrator = (ploy_integrator)(seed % 3);
        def.facing = (ploy_facing)(seed / 3 % 3);
        def.max_speed = 30.0f;
        def.max_rotation = 4.0f;
        def.drag = 0.1f;
        def.angular_drag = 0.2f;
        float dt = ploy_rng_range(&rng, 0.0f, 0.2f);
        for (int32_t i = 0; i < MANY; i++) {
            agents[i] = scene_agent3(&rng);
            ploy_vec3 push = scene_vec3(&rng, 1e3f);
            pushes[i] = ploy_steering3_make(push, scene_vec3(&rng, 9.0f));
            want[i] = ploy_integrate3(&def, agents[i], pushes[i], dt);
            CHECK(ploy_vec3_is_finite(want[i].position));
            CHECK(ploy_vec3_length(want[i].velocity) <= 30.0f * 1.000001f);
            CHECK_NEAR(ploy_quat_dot(want[i].orientation, want[i].orientation), 1.0, 1e-5);
            float speed = ploy_vec3_length(want[i].velocity);
            if (def.facing == PLOY_FACING_SNAP && speed > 1.001e-4f) {
                ploy_vec3 nose = ploy_quat_forward(want[i].orientation);
                CHECK_NEAR(ploy_vec3_dot(nose, want[i].velocity) / speed, 1.0, 1e-5);
            }
        }
        ploy_kinematics3 view = ploy_kinematics3_of(agents, MANY);
        ploy_steerings3 steerings = ploy_steerings3_of(pushes, MANY);
        CHECK_OK(ploy_integrate3_batch(&def, &view, 300, MANY - 300, &steerings, dt));
        CHECK_OK(ploy_integrate3_batch(&def, &view, 0, 300, &steerings, dt));
        CHECK_BYTES(agents, want, sizeof want);
    }
    // M3D-02: a constant rotation about up, one turn in a second, in one step or in a hundred.
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_SEMI_IMPLICIT, 10.0f);
    ploy_kinematic3 once = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f));
    once.rotation = ploy_vec3_make(0.0f, 0.0f, PLOY_HALF_PI_F);
    ploy_kinematic3 often = once;
    once = ploy_integrate3(&def, once, ploy_steering3_none(), 1.0f);
    for (int i = 0; i < 100; i++) {
        often = ploy_integrate3(&def, often, ploy_steering3_none(), 0.01f);
    }
    CHECK_NEAR(ploy_quat_forward(once.orientation).y, 1.0, 1e-6);
    CHECK_NEAR(ploy_quat_forward(often.orientation).y, 1.0, 1e-5);
    // The first-order form of the book, q + (0, r) q dt / 2 normalised, agrees for a short step.
    ploy_kinematic3 agent = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f));
    agent.orientation = ploy_quat_from_axis_angle(ploy_vec3_make(1.0f, 2.0f, 3.0f), 0.8f);
    agent.rotation = ploy_vec3_make(0.4f, -0.7f, 0.2f);
    ploy_quat q = agent.orientation;
    ploy_quat spin = ploy_quat_multiply(
        ploy_quat_make(0.0f, agent.rotation.x, agent.rotation.y, agent.rotation.z), q);
    float half = 0.5f * 0.001f;
    ploy_quat want_q = ploy_quat_normalise(ploy_quat_make(
        q.w + spin.w * half, q.x + spin.x * half, q.y + spin.y * half, q.z + spin.z * half));
    agent = ploy_integrate3(&def, agent, ploy_steering3_none(), 0.001f);
    CHECK_NEAR(ploy_quat_angle_between(agent.orientation, want_q), 0.0, 1e-3);
    CHECK_NEAR(agent.orientation.w, want_q.w, 1e-6);
    CHECK_NEAR(agent.orientation.x, want_q.x, 1e-6);
    CHECK_NEAR(agent.orientation.y, want_q.y, 1e-6);
    CHECK_NEAR(agent.orientation.z, want_q.z, 1e-6);
}

TEST(turned_and_mirrored_scenes_step_to_turned_and_mirrored_ones) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_integrate_def def = ploy_integrate_def_default();
        def.integrator = (ploy_integrator)(seed % 3);
        def.facing = (ploy_facing)(seed / 3 % 3);
        def.max_speed = 20.0f;
        def.drag = 0.5f;
        ploy_kinematic agent = scene_agent(&rng);
        ploy_vec2 a = scene_vec2(&rng, 1e3f);
        float angular = ploy_rng_range(&rng, -4.0f, 4.0f);
        ploy_kinematic out = ploy_integrate(&def, agent, ploy_steering_make(a, angular), 0.05f);
        ploy_kinematic turned = ploy_integrate(&def, scene_turn_agent(agent),
                                               ploy_steering_make(scene_turn(a), angular), 0.05f);
        CHECK_SAME(turned.position.x, -out.position.y);
        CHECK_SAME(turned.position.y, out.position.x);
        CHECK_SAME(turned.velocity.x, -out.velocity.y);
        CHECK_SAME(turned.velocity.y, out.velocity.x);
        float turn = ploy_angle_difference(out.orientation, turned.orientation);
        CHECK_NEAR(ploy_angle_difference(PLOY_HALF_PI_F, turn), 0.0, 2e-6);
        ploy_kinematic mirrored = ploy_integrate(
            &def, scene_mirror_agent(agent), ploy_steering_make(scene_mirror(a), -angular), 0.05f);
        CHECK_SAME(mirrored.position.x, out.position.x);
        CHECK_SAME(mirrored.position.y, -out.position.y);
        CHECK_SAME(mirrored.velocity.y, -out.velocity.y);
        float sum = ploy_angle_difference(-out.orientation, mirrored.orientation);
        // Backwards and half-way turns are their own mirror images.
        if (fabsf(out.orientation) < 3.1f && def.facing != PLOY_FACING_SMOOTH) {
            CHECK_NEAR(sum, 0.0, 2e-6);
        }
    }
}
