// Jumping: PHY-11 to PHY-15. The book's (x, y, z), y up, is ploy's (z, x, y).
#include "move/move_internal.h"
#include "ploy/move/jump.h"

#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_jump_def strong_jumper(float take_off_speed) {
    ploy_jump_def def = ploy_jump_def_default();
    def.take_off_speed = take_off_speed;
    def.max_speed = 1000.0f;
    return def;
}

TEST(the_time_in_the_air_fixes_the_velocity) {
    // PHY-12, exercises 3.16 and 3.17: (10,3,12) to (12,3,20), vy 2.
    ploy_jump_def def = strong_jumper(2.0f);
    ploy_jump_need need;
    CHECK(ploy_jump_find(&def, ploy_vec3_make(12, 10, 3), ploy_vec3_make(20, 12, 3), &need));
    CHECK_NEAR(need.time, 0.4077472, 1e-6);
    CHECK_NEAR(need.velocity.x, 19.62, 1e-4);
    CHECK_NEAR(need.velocity.y, 4.905, 1e-5);
    CHECK_NEAR(ploy_vec2_length(need.velocity), 20.2238, 1e-3);
    // The derived rows: vy 6, by height of the landing; rising first where allowed.
    static const struct {
        float height;
        bool rising, can;
        double time;
    } rows[] = {{1, true, true, 0.1990600},
                {1, false, true, 1.0241816},
                {0, true, true, 1.2232416},
                {-2, true, true, 1.4958307},
                {3, false, false, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        def = strong_jumper(6.0f);
        def.rising = rows[i].rising;
        ploy_vec3 landing = {1.0f, 0.0f, rows[i].height};
        CHECK_INT(ploy_jump_find(&def, ploy_vec3_zero(), landing, &need), rows[i].can);
        if (rows[i].can) CHECK_NEAR(need.time, rows[i].time, 1e-6);
    }
    // Too slow for it.
    def.max_speed = 0.5f;
    CHECK(!ploy_jump_find(&def, ploy_vec3_zero(), ploy_vec3_make(5, 0, 0), &need));
    CHECK(!ploy_jump_find(&def, ploy_vec3_zero(), ploy_vec3_make(NAN, 0, 0), &need));
    def.gravity = 0.0f;
    CHECK(!ploy_jump_find(&def, ploy_vec3_zero(), ploy_vec3_make(0.1f, 0, 0), &need));
}

TEST(two_ways_to_accept_a_velocity) {
    // PHY-11.
    ploy_vec2 needed = {4.0f, 0.0f};
    static const struct {
        float x, y;
        bool match, at_least;
    } rows[] = {{4, 0, true, true},  {4.1f, 0.1f, true, true}, {6, 0, false, true},
                {4, 5, false, true}, {3.8f, 0, true, false},   {-4, 0, false, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_vec2 velocity = {rows[i].x, rows[i].y};
        CHECK_INT(ployi_jump_accepts(PLOY_JUMP_MATCH, needed, 0.25f, velocity), rows[i].match);
        CHECK_INT(ployi_jump_accepts(PLOY_JUMP_AT_LEAST, needed, 0.25f, velocity),
                  rows[i].at_least);
    }
}

TEST(run_up_take_off_and_landing_from_anywhere) {
    // PHY-13: whoever can make it does, from every side, and comes down on the pad.
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_jump_def def = ploy_jump_def_default();
        ploy_integrate_def law = ploy_integrate_def_default();
        law.max_speed = def.max_speed;
        ploy_jump_point point = {{0, 0, 0}, {0, 0, 0}, PLOY_JUMP_MATCH, 0, {0, 0}};
        point.landing = scene_near3(&rng, 3.5f);
        point.landing.z *= 0.3f;
        ploy_kinematic agent = ploy_kinematic_make(scene_near2(&rng, 8.0f), 0.0f);
        ploy_jump jump = ploy_jump_begin(&def, &point, agent.position);
        ploy_jump_need need;
        if (!ploy_jump_find(&def, point.take_off, point.landing, &need)) {
            CHECK_INT(jump.phase, PLOY_JUMP_IMPOSSIBLE);
            CHECK_UINT(ploy_jump_steer(&def, &jump, agent).requested, 0);
            continue;
        }
        for (int i = 0; i < 3000 && jump.phase != PLOY_JUMP_NOW; i++) {
            ploy_steering push = ploy_jump_steer(&def, &jump, agent);
            if (jump.phase == PLOY_JUMP_NOW) break;
            CHECK(jump.phase != PLOY_JUMP_MISSED);
            agent = ploy_integrate(&law, agent, push, 1.0f / 60.0f);
        }
        CHECK_INT(jump.phase, PLOY_JUMP_NOW);
        ploy_vec3 velocity = ploy_jump_velocity(&def, &jump, agent.velocity);
        ploy_vec2 down = ploy_vec2_add_scaled(
            agent.position, ploy_vec2_make(velocity.x, velocity.y), jump.need.time);
        ploy_vec2 pad = ploy_vec2_from_vec3(point.landing);
        CHECK_NEAR(ploy_vec2_distance(down, pad), 0.0, (double)def.near_distance + 1e-3);
    }
}

TEST(an_authored_velocity_is_met) {
    // PHY-11: the designer says how fast; a long walkway is faster than the shortest jump needs.
    ploy_jump_def def = ploy_jump_def_default();
    ploy_jump_point point = {{0, 0, 0}, {2, 0, 0}, PLOY_JUMP_MATCH, 0, {0, 0}};
    ploy_vec2 here = {-1.0f, 3.0f};
    ploy_jump_need need = ploy_jump_begin(&def, &point, here).need;
    point.velocity = ploy_vec2_make(4.5f, 0.5f);
    ploy_jump_need authored = ploy_jump_begin(&def, &point, here).need;
    CHECK(authored.velocity.x > need.velocity.x + 1.0f);
    CHECK_SAME(authored.time, need.time);
    CHECK(ployi_jump_cost(&def, &point) < INFINITY);
    ploy_integrate_def law = ploy_integrate_def_default();
    law.max_speed = def.max_speed;
    ploy_kinematic agent = ploy_kinematic_make(here, 0.0f);
    ploy_jump jump = ploy_jump_begin(&def, &point, agent.position);
    for (int i = 0; i < 3000 && jump.phase != PLOY_JUMP_NOW; i++) {
        ploy_steering push = ploy_jump_steer(&def, &jump, agent);
        if (jump.phase != PLOY_JUMP_NOW) agent = ploy_integrate(&law, agent, push, 1.0f / 60.0f);
    }
    CHECK_INT(jump.phase, PLOY_JUMP_NOW);
    CHECK_NEAR(ploy_vec2_distance(agent.velocity, point.velocity), 0.0, (double)def.near_speed);
    point.velocity.x = def.max_speed + 1.0f;
    CHECK_INT(ploy_jump_begin(&def, &point, agent.position).phase, PLOY_JUMP_IMPOSSIBLE);
    point.velocity = ploy_vec2_make(NAN, 0.0f);
    CHECK_INT(ploy_jump_begin(&def, &point, here).phase, PLOY_JUMP_IMPOSSIBLE);
    point.velocity = ploy_vec2_make(4.0f, 0.0f);
    point.landing.z = 50.0f;
    CHECK_INT(ploy_jump_begin(&def, &point, here).phase, PLOY_JUMP_IMPOSSIBLE);
}

TEST(a_push_on_the_way_is_noticed) {
    ploy_jump_def def = ploy_jump_def_default();
    ploy_jump_point point = {{0, 0, 0}, {4, 0, 0}, PLOY_JUMP_MATCH, 0, {0, 0}};
    ploy_jump jump = ploy_jump_begin(&def, &point, ploy_vec2_make(-6, 0));
    CHECK_INT(jump.phase, PLOY_JUMP_RUNNING); // behind the start and on the line
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 2.0f), 0.0f); // blown past it
    CHECK_UINT(ploy_jump_steer(&def, &jump, agent).requested, 0);
    CHECK_TEXT(ploy_jump_phase_text(jump.phase), "missed");
}

TEST(jumps_are_edges_of_a_route_and_cost_what_failing_does) {
    // PHY-14.
    ploy_jump_def def = ploy_jump_def_default();
    ploy_jump_point easy = {{0, 0, 0}, {2, 0, 0}, PLOY_JUMP_MATCH, 10, {0, 0}};
    ploy_jump_point hard = {{0, 0, 0}, {5, 0, 0}, PLOY_JUMP_MATCH, 10, {0, 0}};
    ploy_jump_point lava = {{0, 0, 0}, {2, 0, 0}, PLOY_JUMP_MATCH, 1000, {0, 0}};
    ploy_jump_point not = {{0, 0, 0}, {50, 0, 0}, PLOY_JUMP_MATCH, 0, {0, 0}};
    CHECK(ployi_jump_cost(&def, &easy) < ployi_jump_cost(&def, &hard));
    CHECK(ployi_jump_cost(&def, &hard) < ployi_jump_cost(&def, &lava));
    CHECK(ployi_jump_cost(&def, &not ) == INFINITY);
    ploy_path_edge edge = ploy_jump_edge(&def, &easy, ploy_id_make(3, 1));
    CHECK(ploy_jump_is_edge(&edge));
    CHECK_SAME(edge.cost, ployi_jump_cost(&def, &easy));
    edge.kind = ploy_name_of("door");
    CHECK(!ploy_jump_is_edge(&edge));
}

TEST(a_hole_filler_makes_it_run_and_jump_at_the_edge) {
    // PHY-15: a chasm along y, filled; whoever runs at it jumps where it begins.
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &plain));
    ploy_obstacle filler = {{{6, -50}, {6, 50}}, 1.0f, 2};
    CHECK_OK(ploy_plain_scene_add(plain, &filler, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_jump_def def = ploy_jump_def_default();
    ploy_integrate_def law = ploy_integrate_def_default();
    law.max_speed = def.max_speed;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.3f);
    bool now = false;
    CHECK_UINT(ploy_jump_detect(&def, &scene, 2, agent, 3.0f, 0.4f, 5.0f, &now).requested, 0);
    for (int i = 0; i < 600 && !now; i++) {
        ploy_steering push = ploy_jump_detect(&def, &scene, 2, agent, 9.0f, 0.4f, 5.0f, &now);
        CHECK_UINT(push.requested, 1);
        agent = ploy_integrate(&law, agent, push, 1.0f / 60.0f);
    }
    CHECK(now);
    CHECK(agent.position.x > 4.3f && agent.position.x < 5.2f);
    CHECK_UINT(ploy_jump_detect(&def, &scene, 1, agent, 9.0f, 0.4f, 5.0f, &now).requested, 0);
    CHECK(!now);
    ploy_plain_scene_destroy(plain);
}

TEST(jumps_tell_and_draw_what_they_need) {
    ploy_jump_def def = ploy_jump_def_default();
    static const float gaps[2] = {3.0f, 40.0f};
    static const char *const winners[2] = {"running", ""};
    for (int i = 0; i < 2; i++) {
        ploy_jump_point point = {{0, 0, 0}, {gaps[i], 0, 0}, PLOY_JUMP_MATCH, 0, {0, 0}};
        ploy_jump jump = ploy_jump_begin(&def, &point, ploy_vec2_make(-9, 0));
        scene_told told;
        ploy_trace trace = scene_trace(&told);
        ploy_jump_trace(&def, &jump, ploy_agent_id_make(1, 1), &trace);
        CHECK_INT(told.depth, 0);
        CHECK_TEXT(told.winner, winners[i]);
        ploy_draw draw = scene_draw(&told);
        ploy_jump_draw(&jump, ploy_agent_id_make(1, 1), &draw);
        CHECK_INT(told.items, 3);
    }
}
