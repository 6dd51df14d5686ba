// Path and waypoint following: places, windows, ends, tubes.
#include "ploy/move/integrate.h"
#include "ploy/move/path_follow.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

static const ploy_vec2 u_turn[] = {{0, 0}, {10, 0}, {10, 1}, {0, 1}};

// Carries out a request for a fiftieth of a second, at 5 m/s at most.
static ploy_kinematic stepped(ploy_kinematic agent, ploy_steering steering) {
    agent.velocity =
        ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, steering.linear, 0.02f), 5.0f);
    agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
    return agent;
}

TEST(a_window_keeps_the_follower_on_its_own_strand) {
    // MOV-22.
    ploy_polyline path = ploy_polyline_make(u_turn, 4, false);
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_kinematic agent = mover(2.0f, 0.6f, 0.0f, 0.0f);
    float along = 2.0f;
    ploy_path_follow(&def, agent, &path, &along);
    CHECK_NEAR(along, 19.0, 1e-5);
    def.window = 3.0f;
    along = 2.0f;
    ploy_path_follow(&def, agent, &path, &along);
    CHECK_NEAR(along, 2.0, 1e-5);
}

TEST(the_rabbit_runs_ahead_or_back) {
    // MOV-20.
    ploy_polyline path = ploy_polyline_make(u_turn, 4, false);
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.arrive.time_to_target = 1.0f;
    def.arrive.max_acceleration = 1e6f;
    ploy_kinematic agent = mover(4.0f, 0.0f, 0.0f, 0.0f);
    float along = 4.0f;
    CHECK_VEC2(ploy_path_follow(&def, agent, &path, &along).linear, 5.0, 0.0, 1e-5);
    def.ahead = -2.0f;
    CHECK_VEC2(ploy_path_follow(&def, agent, &path, &along).linear, -5.0, 0.0, 1e-5);
}

TEST(followers_go_all_the_way_and_stop_there) {
    for (int32_t form = 0; form < 2; form++) {
        ploy_polyline path = ploy_polyline_make(u_turn, 4, false);
        ploy_path_follow_def def = ploy_path_follow_def_default();
        def.form = (ploy_path_follow_form)form;
        def.window = 2.0f;
        def.ahead = 0.5f;
        def.arrive.slow_radius = 1.0f;
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        float along = 0.0f, before = 0.0f;
        for (int32_t tick = 0; tick < 1000; tick++) {
            agent = stepped(agent, ploy_path_follow(&def, agent, &path, &along));
            // MOV-21: the predictive form never steps back.
            if (form == PLOY_PATH_FOLLOW_PREDICTIVE) CHECK(along >= before);
            before = along;
        }
        CHECK(ploy_path_follow_done(&def, agent, &path, along));
        CHECK(ploy_vec2_length(agent.velocity) < 0.1f);
        CHECK(ploy_vec2_distance(agent.position, u_turn[3]) < 0.11f);
    }
}

TEST(inside_the_tube_nothing_is_asked_for) {
    // NTU-37.
    ploy_polyline path = ploy_polyline_make(u_turn, 2, false);
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.form = PLOY_PATH_FOLLOW_TUBE;
    def.predict_time = 0.5f;
    float along = 0.0f;
    CHECK_UINT(ploy_path_follow(&def, mover(3, 0.9f, 1, 0), &path, &along).requested, 0);
    CHECK_UINT(ploy_path_follow(&def, mover(3, 0.9f, 1, 1), &path, &along).requested, 1);
    CHECK(ploy_path_follow(&def, mover(3, 2.0f, 0, 0), &path, &along).linear.y < 0.0f);
    // But the end of the way is braked at.
    CHECK_UINT(ploy_path_follow(&def, mover(9.5f, 0, 3, 0), &path, &along).requested, 1);
}

TEST(a_closed_way_goes_round_and_round) {
    static const ploy_vec2 square[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    ploy_polyline path = ploy_polyline_make(square, 4, true);
    ploy_spline2 spline = ploy_spline2_make(square, 4, PLOY_SPLINE_UNIFORM, true);
    for (int32_t curved = 0; curved < 2; curved++) {
        ploy_path_follow_def def = ploy_path_follow_def_default();
        def.window = 4.0f;
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        float along = 0.0f, before = 0.0f;
        int32_t rounds = 0;
        for (int32_t tick = 0; tick < 2500; tick++) {
            agent = stepped(agent, curved != 0 ? ploy_spline_follow(&def, agent, &spline, &along)
                                               : ploy_path_follow(&def, agent, &path, &along));
            if (along < before - 20.0f) rounds++;
            before = along;
            CHECK(ploy_polyline_find(&path, agent.position).distance_sq < 9.0f);
        }
        CHECK(rounds >= 4);
        CHECK(!ploy_path_follow_done(&def, agent, &path, along));
    }
}

TEST(waypoints_are_taken_one_after_the_other) {
    // STE-15.
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_polyline open = ploy_polyline_make(u_turn, 4, false);
    ploy_polyline closed = ploy_polyline_make(u_turn, 4, true);
    int32_t next = 0;
    ploy_waypoints(&def, mover(2.0f, 0.0f, 0.0f, 0.0f), &open, &next);
    CHECK_INT(next, 0);
    ploy_waypoints(&def, mover(0.5f, 0.0f, 0.0f, 0.0f), &open, &next);
    CHECK_INT(next, 1);
    next = 3;
    ploy_waypoints(&def, mover(0.5f, 1.0f, 0.0f, 0.0f), &open, &next);
    CHECK_INT(next, 3);
    ploy_waypoints(&def, mover(0.5f, 1.0f, 0.0f, 0.0f), &closed, &next);
    CHECK_INT(next, 0);
    next = 99;
    CHECK_UINT(ploy_waypoints(&def, mover(5.0f, 5.0f, 0.0f, 0.0f), &open, &next).requested, 1);
    CHECK_INT(next, 0);
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    for (int32_t tick = 0; tick < 1500; tick++) {
        agent = stepped(agent, ploy_waypoints(&def, agent, &open, &next));
    }
    CHECK_INT(next, 3);
    CHECK(ploy_vec2_distance(agent.position, u_turn[3]) < 0.11f);
}

TEST(ways_without_points_and_bad_settings_ask_for_nothing) {
    ploy_polyline empty = ploy_polyline_make(NULL, 0, false);
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_waypoints_def waypoints = ploy_waypoints_def_default();
    ploy_kinematic agents[2] = {mover(1, 1, 1, 1), mover(2, 0, 1, 1)};
    float along = 0.0f, alongs[2] = {0.0f, 0.0f};
    int32_t next = 0;
    CHECK_UINT(ploy_path_follow(&def, agents[0], &empty, &along).requested, 0);
    CHECK_UINT(ploy_path_follow(&def, agents[0], NULL, &along).requested, 0);
    CHECK_UINT(ploy_spline_follow(&def, agents[0], NULL, &along).requested, 0);
    CHECK_UINT(ploy_waypoints(&waypoints, agents[0], &empty, &next).requested, 0);
    ploy_steering got[2];
    ploy_kinematics view = ploy_kinematics_of(agents, 2);
    ploy_steerings out = ploy_steerings_of(got, 2);
    ploy_polyline path = ploy_polyline_make(u_turn, 4, false);
    CHECK_OK(ploy_path_follow_batch(&def, &view, 0, 2, &path, alongs, &out));
    for (int32_t i = 0; i < 2; i++) {
        along = 0.0f;
        ploy_steering want = ploy_path_follow(&def, agents[i], &path, &along);
        CHECK_BYTES(&got[i], &want, sizeof want);
        CHECK_SAME(alongs[i], along);
    }
    CHECK_INT(ploy_path_follow_batch(&def, &view, 0, 2, &path, NULL, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_follow_batch(&def, &view, 1, 2, &path, alongs, &out), PLOY_ERR_ARGUMENT);
    winner_trace w;
    ploy_path_follow_trace(&def, agents[0], &path, 0.0f, somebody(), winner_start(&w));
    CHECK_TEXT(w.technique, "path follow");
    CHECK_INT(w.depth, 0);
    def.window = NAN;
    CHECK_UINT(ploy_path_follow(&def, agents[0], &path, &along).requested, PLOY_STEERING_INVALID);
    waypoints.radius = -1.0f;
    CHECK_UINT(ploy_waypoints(&waypoints, agents[0], &path, &next).requested,
               PLOY_STEERING_INVALID);
}

TEST(a_flyer_follows_a_curve_in_space_and_stops_at_its_end) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {10, 0, 5}, {20, 8, 5}, {30, 8, 12}, {40, 0, 0}};
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    for (int form = 0; form < 2; form++) {
        def.form = (ploy_path_follow_form)form;
        ploy_spline3 spline = ploy_spline3_make(points, 5, PLOY_SPLINE_CENTRIPETAL, false);
        ploy_kinematic3 flyer = ploy_kinematic3_make(points[0]);
        float along = 0.0f, last = 0.0f;
        double worst = 0.0;
        for (int tick = 0; tick < 1500; tick++) {
            ploy_steering3 steering = ploy_spline_follow3(&def, flyer, &spline, &along);
            flyer = ploy_integrate3(&motion, flyer, steering, 0.02f);
            CHECK(along >= last - 0.3f);
            last = along;
            ploy_spline_nearest3 nearest = ploy_spline3_find(&spline, flyer.position);
            worst = fmax(worst, (double)sqrtf(nearest.distance_sq));
        }
        CHECK(worst < 1.5);
        CHECK(ploy_vec3_distance(flyer.position, points[4]) < 0.5f);
        CHECK(ploy_vec3_length(flyer.velocity) < 0.1f);
    }
    float along = 3.0f;
    ploy_kinematic3 flyer = ploy_kinematic3_make(points[0]);
    CHECK_UINT(ploy_spline_follow3(&def, flyer, NULL, &along).requested, 0);
    CHECK_SAME(along, 3.0f);
}

TEST(lines_in_space_at_one_height_are_followed_as_on_the_plane) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_vec2 flat[6];
        ploy_vec3 points[6];
        int32_t count = ploy_rng_int(&rng, 1, 6);
        // There and back on one edge are equally near, and rounding says which: not so.
        bool closed = count > 2 && ploy_rng_chance(&rng, 0.5f);
        for (int32_t i = 0; i < count; i++) {
            flat[i] = scene_near2(&rng, 20.0f);
            if (i > 0 && !closed && ploy_rng_chance(&rng, 0.1f)) flat[i] = flat[i - 1];
            points[i] = ploy_vec3_from_vec2(flat[i], 7.0f);
        }
        ploy_polyline path = ploy_polyline_make(flat, count, closed);
        ploy_path_follow_def def = ploy_path_follow_def_default();
        def.form = (ploy_path_follow_form)ploy_rng_int(&rng, 0, 2);
        def.window = ploy_rng_chance(&rng, 0.5f) ? 0.0f : ploy_rng_range(&rng, 0.5f, 60.0f);
        def.ahead = ploy_rng_range(&rng, -4.0f, 4.0f);
        ploy_kinematic agent = scene_ordinary(&rng);
        ploy_kinematic3 flyer = scene_raise(agent);
        flyer.position.z = 7.0f;
        float along = ploy_rng_range(&rng, -10.0f, 150.0f), along3 = along;
        ploy_steering want = ploy_path_follow(&def, agent, &path, &along);
        ploy_steering3 got = ploy_path_follow3(&def, flyer, points, count, closed, &along3);
        CHECK_NEAR(along3, along, 1e-3);
        CHECK_UINT(got.requested, want.requested);
        CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
        CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
        CHECK_NEAR(got.linear.z, 0.0, 1e-3);
    }
}

TEST(a_flyer_follows_a_line_round_and_round) {
    static const ploy_vec3 square[] = {{0, 0, 0}, {10, 0, 4}, {10, 10, 8}, {0, 10, 4}};
    ploy_path_follow_def def = ploy_path_follow_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    def.window = 5.0f;
    ploy_kinematic3 flyer = ploy_kinematic3_make(square[0]);
    float along = 0.0f, last = 0.0f;
    int32_t rounds = 0;
    for (int tick = 0; tick < 2000; tick++) {
        ploy_steering3 steering = ploy_path_follow3(&def, flyer, square, 4, true, &along);
        flyer = ploy_integrate3(&motion, flyer, steering, 0.02f);
        rounds += along < last - 20.0f;
        last = along;
    }
    CHECK(rounds >= 3);
    CHECK_UINT(ploy_path_follow3(&def, flyer, NULL, 4, true, &along).requested, 0);
    CHECK_UINT(ploy_path_follow3(&def, flyer, square, 0, true, &along).requested, 0);
    CHECK_SAME(along, last);
}

TEST(waypoints_in_space_are_taken_one_after_the_other) {
    static const ploy_vec3 points[] = {{5, 0, 0}, {5, 5, 5}, {0, 5, 5}};
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematic3 flyer = ploy_kinematic3_make(ploy_vec3_zero());
    int32_t next = 0, rounds = 0, last = 0;
    for (int tick = 0; tick < 1000; tick++) {
        flyer = ploy_integrate3(&motion, flyer,
                                ploy_waypoints3(&def, flyer, points, 3, false, &next), 0.02f);
    }
    CHECK_INT(next, 2);
    CHECK(ploy_vec3_distance(flyer.position, points[2]) < 0.5f);
    for (int tick = 0; tick < 2000; tick++) {
        flyer = ploy_integrate3(&motion, flyer,
                                ploy_waypoints3(&def, flyer, points, 3, true, &next), 0.02f);
        rounds += next < last;
        last = next;
    }
    CHECK(rounds >= 3);
    next = 77;
    CHECK_UINT(ploy_waypoints3(&def, flyer, NULL, 3, true, &next).requested, 0);
    CHECK_UINT(ploy_waypoints3(&def, flyer, points, 0, true, &next).requested, 0);
    CHECK_INT(next, 77);
}
