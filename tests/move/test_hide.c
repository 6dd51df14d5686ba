// Hide: the spots, and which one is taken.
#include "ploy/base/math.h"
#include "ploy/move/hide.h"
#include "tests/move/vectors.h"

TEST(spots_lie_behind_the_obstacles) {
    // STE-14.
    ploy_hide_def def = ploy_hide_def_default();
    def.gap = 30.0f;
    ploy_vec2 hunter = {0.0f, 0.0f};
    CHECK_VEC2(ploy_hide_spot(&def, ploy_circle_make(ploy_vec2_make(100, 0), 20), hunter), 150.0,
               0.0, 1e-4);
    CHECK_VEC2(ploy_hide_spot(&def, ploy_circle_make(ploy_vec2_make(60, 80), 20), hunter), 90.0,
               120.0, 1e-4);
    CHECK_VEC2(ploy_hide_spot(&def, ploy_circle_make(hunter, 20), hunter), 50.0, 0.0, 1e-4);
}

TEST(the_nearest_spot_is_taken_and_the_hunter_s_back_counts) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_circle obstacles[] = {ploy_circle_make(ploy_vec2_make(10.0f, 0.0f), 1.0f),
                               ploy_circle_make(ploy_vec2_make(-10.0f, 0.0f), 1.0f)};
    ploy_kinematic hunter = mover(0.0f, 0.0f, 0.0f, 0.0f); // looks along +x
    ploy_kinematic agent = mover(1.0f, 5.0f, 0.0f, 0.0f);
    CHECK_INT(ploy_hide_find(&def, agent, hunter, obstacles, 2), 0);
    def.behind_bias = 0.8f;
    CHECK_INT(ploy_hide_find(&def, agent, hunter, obstacles, 2), 1);
    CHECK_INT(ploy_hide_find(&def, agent, hunter, NULL, 2), -1);
}

TEST(without_cover_it_evades_and_far_away_it_does_nothing) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_kinematic hunter = mover(0.0f, 0.0f, 0.0f, 0.0f), agent = mover(5.0f, 0.0f, 0.0f, 0.0f);
    ploy_steering got = ploy_hide(&def, agent, hunter, NULL, 0);
    ploy_steering want = ploy_evade(&def.evade, agent, hunter);
    CHECK_BYTES(&got, &want, sizeof want);
    def.threat_range = 4.0f;
    CHECK_UINT(ploy_hide(&def, agent, hunter, NULL, 0).requested, 0);
    def.gap = NAN;
    CHECK_UINT(ploy_hide(&def, agent, hunter, NULL, 0).requested, PLOY_STEERING_INVALID);
}

TEST(who_hides_ends_up_out_of_sight) {
    ploy_hide_def def = ploy_hide_def_default();
    ploy_circle obstacles[] = {ploy_circle_make(ploy_vec2_make(5.0f, 1.0f), 1.5f),
                               ploy_circle_make(ploy_vec2_make(-4.0f, 6.0f), 1.5f)};
    ploy_kinematic hunter = mover(0.0f, 0.0f, 0.0f, 0.0f), agent = mover(1.0f, 6.0f, 0.0f, 0.0f);
    for (int32_t tick = 0; tick < 1000; tick++) {
        ploy_vec2 a = ploy_hide(&def, agent, hunter, obstacles, 2).linear;
        agent.velocity = ploy_vec2_add_scaled(agent.velocity, a, 0.02f);
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
    }
    bool covered = false;
    for (int32_t i = 0; i < 2; i++) {
        ploy_segment2 sight = ploy_segment2_make(hunter.position, agent.position);
        covered = covered || ploy_circle_overlaps_segment(obstacles[i], sight);
    }
    CHECK(covered);
    winner_trace w;
    ploy_hide_trace(&def, agent, hunter, obstacles, 2, somebody(), winner_start(&w));
    CHECK_INT(w.depth, 0);
    CHECK(w.begun == 1);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_steering got;
    ploy_steerings out = ploy_steerings_of(&got, 1);
    CHECK_INT(ploy_hide_batch(&def, &view, 0, 1, hunter, NULL, 1, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hide_batch(NULL, &view, 0, 1, hunter, obstacles, 2, &out), PLOY_ERR_ARGUMENT);
}

TEST(it_hides_from_whom_it_saw_and_forgets) {
    // STE-14, options 1 and 2: field of view, memory, and mutual sight.
    static const struct {
        const char *row;
        ploy_hide_when when;
        float agent_looks, hunter_looks; // rad; the hunter is along +x
        bool blocked, want;
    } rows[] = {
        {"always", PLOY_HIDE_ALWAYS, PLOY_PI_F, 0.0f, true, true},
        {"it looks at the hunter", PLOY_HIDE_SEES, 0.0f, 0.0f, false, true},
        {"it looks away", PLOY_HIDE_SEES, PLOY_PI_F, 0.0f, false, false},
        {"a pillar is between them", PLOY_HIDE_SEES, 0.0f, PLOY_PI_F, true, false},
        {"only it sees", PLOY_HIDE_MUTUAL, 0.0f, 0.0f, false, false},
        {"both see", PLOY_HIDE_MUTUAL, 0.0f, PLOY_PI_F, false, true},
        {"only the hunter sees", PLOY_HIDE_MUTUAL, PLOY_PI_F, PLOY_PI_F, false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_hide_def def = ploy_hide_def_default();
        def.when = rows[i].when;
        def.view_angle = 1.0f;
        def.memory = 2.0f;
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f),
                       hunter = mover(10.0f, 0.0f, 0.0f, 0.0f);
        agent.orientation = rows[i].agent_looks;
        hunter.orientation = rows[i].hunter_looks;
        ploy_circle pillar =
            ploy_circle_make(ploy_vec2_make(5.0f, rows[i].blocked ? 0.5f : 3.0f), 1);
        ploy_hide_memory memory = {false, 0.0f};
        CHECK_INT(ploy_hide_aware(&def, &memory, agent, hunter, &pillar, 1, 0.1f), rows[i].want);
        ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
        ploy_kinematic3 hawk = ploy_kinematic3_make(ploy_vec3_make(10.0f, 0.0f, 0.0f));
        ploy_vec3 up = {0.0f, 0.0f, 1.0f};
        bird.orientation = ploy_quat_from_axis_angle(up, rows[i].agent_looks);
        hawk.orientation = ploy_quat_from_axis_angle(up, rows[i].hunter_looks);
        ploy_sphere ball = ploy_sphere_make(ploy_vec3_make(5.0f, pillar.centre.y, 0.0f), 1.0f);
        ploy_hide_memory memory3 = {false, 0.0f};
        CHECK_INT(ploy_hide3_aware(&def, &memory3, bird, hawk, &ball, 1, 0.1f), rows[i].want);
        if (def.when == PLOY_HIDE_ALWAYS) continue;
        // Turned away it remembers for two seconds, not for three.
        agent.orientation = PLOY_PI_F - 0.01f;
        for (int k = 0; k < 19; k++) {
            CHECK_INT(ploy_hide_aware(&def, &memory, agent, hunter, &pillar, 1, 0.1f),
                      rows[i].want);
        }
        for (int k = 0; k < 3; k++) {
            (void)ploy_hide_aware(&def, &memory, agent, hunter, &pillar, 1, 0.1f);
        }
        CHECK(!ploy_hide_aware(&def, &memory, agent, hunter, &pillar, 1, 0.1f));
    }
    ploy_hide_def def = ploy_hide_def_default();
    def.view_angle = NAN;
    ploy_hide_memory memory = {false, 0.0f};
    ploy_kinematic one = mover(0.0f, 0.0f, 0.0f, 0.0f);
    CHECK(!ploy_hide_aware(&def, &memory, one, one, NULL, 0, 0.1f));
}
