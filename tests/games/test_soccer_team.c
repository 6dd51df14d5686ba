// The teams of Simple Soccer: kick-off, control, line-ups, supporters.
#include "tests/games/soccer_test.h"

TEST(a_match_begins_with_a_kick_off) { // SOC-13
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    CHECK(!scene.match->game_on);
    soccer_scene_run(t, &scene, 1);
    CHECK(scene.match->game_on);
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
        CHECK_INT(scene.match->teams[i].machine.state, SOCCER_DEFEND);
    }
    soccer_scene_end(&scene);
}

TEST(after_a_goal_everybody_goes_back_and_it_is_kicked_off_again) { // SOC-13, 02
    for (int32_t side = -1; side <= 1; side += 2) {
        soccer_scene scene;
        soccer_scene_begin(t, &scene, 2, NULL);
        soccer_scene_run(t, &scene, 300);
        soccer_scene_put(&scene, side > 0 ? 5 : 0, 0, 15, 0); // a keeper far from home
        soccer_scene_ball(&scene, (float)side * 32.5f, 0, (float)side * 40.0f, 0);
        scene.match->holder = SOCCER_NOBODY;
        int64_t goals = scene.match->teams[side > 0 ? 0 : 1].goals;
        soccer_scene_run(t, &scene, 1);
        CHECK_INT(scene.match->teams[side > 0 ? 0 : 1].goals, goals + 1);
        CHECK(!scene.match->game_on);
        CHECK(scene.match->ball.position.x == 0.0f && scene.match->ball.position.y == 0.0f);
        int32_t ticks = 0;
        while (!scene.match->game_on && ticks++ < 600) {
            CHECK(ploy_vec2_length(scene.match->ball.velocity) == 0.0f); // nobody kicks meanwhile
            CHECK(!soccer_in_control(&scene.match->teams[0]));
            CHECK(!soccer_in_control(&scene.match->teams[1]));
            soccer_scene_run(t, &scene, 1);
        }
        CHECK(ticks < 600);
        CHECK_INT(scene.match->teams[0].goals + scene.match->teams[1].goals, goals + 1);
        soccer_scene_end(&scene);
    }
}

TEST(one_team_at_most_is_in_control) { // SOC-11
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 3, NULL);
    soccer_team *red = &scene.match->teams[0], *blue = &scene.match->teams[1];
    soccer_set_control(scene.match, red, 1);
    CHECK(soccer_in_control(red) && !soccer_in_control(blue));
    soccer_set_control(scene.match, blue, 6);
    CHECK(!soccer_in_control(red) && soccer_in_control(blue));
    soccer_set_control(scene.match, red, SOCCER_NOBODY);
    CHECK_INT(blue->controlling, 6);
    soccer_scene_end(&scene);
}

TEST(homes_follow_the_ball_from_attack_to_defence) { // SOC-14, 15, D16
    static const int32_t homes[2][2][SOCCER_TEAM_SIZE] = {{{16, 9, 11, 12, 14}, {16, 3, 5, 9, 13}},
                                                          {{1, 6, 8, 3, 5}, {1, 12, 14, 6, 4}}};
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 4, NULL);
    soccer_scene_run(t, &scene, 1);
    for (int32_t team = 0; team < SOCCER_TEAMS; team++) {
        for (int32_t attacking = 0; attacking < 2; attacking++) {
            soccer_team_homes(scene.match, &scene.match->teams[team], attacking == 1);
            for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
                CHECK_INT(scene.match->players[team * SOCCER_TEAM_SIZE + i].home,
                          homes[team][attacking][i]);
            }
        }
    }
    soccer_set_control(scene.match, &scene.match->teams[0], 1);
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(scene.match->teams[0].machine.state, SOCCER_ATTACK);
    CHECK_INT(scene.match->teams[1].machine.state, SOCCER_DEFEND);
    soccer_set_control(scene.match, &scene.match->teams[1], 6);
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(scene.match->teams[0].machine.state, SOCCER_DEFEND);
    CHECK_INT(scene.match->teams[1].machine.state, SOCCER_ATTACK);
    soccer_scene_end(&scene);
}

TEST(the_attacker_nearest_to_the_best_spot_supports) { // SOC-36
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 5, NULL);
    soccer_scene_run(t, &scene, 2);
    ploy_sim_context context = {0};
    context.key = scene.key;
    scene.match->context = &context;
    soccer_team *red = &scene.match->teams[0];
    red->best_spot = 3;
    soccer_set_control(scene.match, red, 3); // a defender has the ball
    ploy_vec2 spot = soccer_support_spot(scene.match, red);
    soccer_scene_put(&scene, 1, spot.x - 8, spot.y, 0);
    soccer_scene_put(&scene, 2, spot.x - 2, spot.y, 0);
    soccer_find_support(scene.match, red);
    CHECK_INT(red->supporting, 2);
    CHECK_INT(scene.match->players[2].machine.state, SOCCER_SUPPORT);
    // The other is nearer now: it takes over, and the first goes home.
    soccer_scene_put(&scene, 1, spot.x - 1, spot.y, 0);
    soccer_find_support(scene.match, red);
    CHECK_INT(red->supporting, 1);
    CHECK_INT(scene.match->players[1].machine.state, SOCCER_SUPPORT);
    CHECK_INT(scene.match->players[2].machine.state, SOCCER_GO_HOME);
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

static void team_marks(soccer_def *def) {
    def->blue.marking = true;
}

TEST(a_defender_steps_between_an_attacker_and_its_supporter) { // SOC-41, 2
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 6, team_marks);
    soccer_scene_run(t, &scene, 2);
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 1, -10, 0, 0);
    soccer_scene_put(&scene, 2, 10, 8, 0);
    soccer_scene_ball(&scene, -30, -17, 0, 0); // far from everybody who is looked at
    soccer_team *red = &scene.match->teams[0];
    red->controlling = 1;
    red->supporting = 2;
    soccer_player *defender = &scene.match->players[8];
    defender->machine.state = SOCCER_WAIT;
    scene.match->players[9].machine.state = SOCCER_GO_HOME;
    ploy_sim_context context = {0};
    context.key = scene.key;
    scene.match->context = &context;
    soccer_team *blue = &scene.match->teams[1];
    CHECK_OK(soccer_team_think(scene.match, 1, &blue->machine, NULL));
    soccer_team_commit(scene.match, blue);
    scene.match->context = NULL;
    CHECK_NEAR(defender->target.x, 0, 1e-4);
    CHECK_NEAR(defender->target.y, 4, 1e-4);
    soccer_scene_end(&scene);
}

static void team_swaps(soccer_def *def) {
    def->swap_sides = true;
}

TEST(sides_are_swapped_at_the_next_kick_off) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 7, team_swaps);
    CHECK_NEAR(scene.match->teams[0].side, -1, 0);
    CHECK_NEAR(scene.match->teams[0].home_goal.centre.x, SOCCER_HALF_LENGTH, 0);
    CHECK(scene.match->players[0].body.position.x > 0.0f);
    soccer_scene_run(t, &scene, 1); // the kick-off
    scene.def.swap_sides = false;
    soccer_scene_run(t, &scene, 200);
    CHECK_NEAR(scene.match->teams[0].side, -1, 0);
    soccer_scene_ball(&scene, 32.5f, 0, 40, 0); // into red's goal
    scene.match->holder = SOCCER_NOBODY;
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(scene.match->teams[1].goals, 1);
    CHECK_NEAR(scene.match->teams[0].side, 1, 0);
    int32_t ticks = 0;
    while (!scene.match->game_on && ticks++ < 600) soccer_scene_run(t, &scene, 1);
    CHECK(ticks < 600); // the whole pitch, and still in time
    soccer_scene_end(&scene);
}

static void team_presses(soccer_def *def) {
    def->blue.pressing = true;
}

// Red 2 has the ball, everybody of blue waits.
static void team_press_scene(test_context *t, soccer_scene *scene, float x) {
    soccer_scene_begin(t, scene, 8, team_presses);
    soccer_scene_run(t, scene, 2);
    soccer_scene_clear(scene);
    soccer_scene_put(scene, 1, x, 0, 0);
    soccer_scene_ball(scene, x, 0, 0, 0);
    soccer_set_control(scene->match, &scene->match->teams[0], 1);
    for (int32_t i = 6; i < SOCCER_PLAYERS; i++) {
        soccer_scene_put(scene, i, 10.0f + (float)i, 3.0f * (float)(i - 7), 0);
        scene->match->players[i].machine.state = SOCCER_WAIT;
    }
}

static void team_think(test_context *t, soccer_scene *scene, int32_t team) {
    soccer_team *one = &scene->match->teams[team];
    CHECK_OK(soccer_team_think(scene->match, team, &one->machine, NULL));
    soccer_team_commit(scene->match, one);
}

TEST(a_pressing_team_hems_in_the_opponent_with_the_ball) { // SOC-41, 4
    soccer_scene scene;
    team_press_scene(t, &scene, -10); // in red's half
    soccer_team *blue = &scene.match->teams[1];
    team_think(t, &scene, 1);
    CHECK_INT(blue->machine.state, SOCCER_HEM_IN);
    int32_t above = 0, below = 0;
    for (int32_t i = 6; i < SOCCER_PLAYERS; i++) {
        ploy_vec2 target = scene.match->players[i].target;
        if (ploy_vec2_distance(target, ploy_vec2_make(-10, 0)) > 6.0f) continue;
        CHECK_NEAR(target.x, -6, 1e-4); // between it and blue's goal
        above += target.y > 3.9f ? 1 : 0;
        below += target.y < -3.9f ? 1 : 0;
    }
    CHECK_INT(above, 1);
    CHECK_INT(below, 1);
    // With the ball it attacks; without pressing it only defends.
    soccer_set_control(scene.match, blue, 6);
    team_think(t, &scene, 1);
    CHECK_INT(blue->machine.state, SOCCER_ATTACK);
    scene.match->def.blue.pressing = false;
    soccer_set_control(scene.match, &scene.match->teams[0], 1);
    team_think(t, &scene, 1);
    CHECK_INT(blue->machine.state, SOCCER_DEFEND);
    soccer_scene_end(&scene);
}

TEST(near_its_goal_each_threat_gets_a_guard) { // SOC-41, 4
    soccer_scene scene;
    team_press_scene(t, &scene, 20); // in blue's half, whose goal is at x = 33
    soccer_scene_put(&scene, 2, 25, 8, 0);
    soccer_scene_put(&scene, 3, -20, 0, 0); // no threat
    soccer_scene_put(&scene, 4, -20, 5, 0);
    soccer_team *blue = &scene.match->teams[1];
    team_think(t, &scene, 1);
    CHECK_INT(blue->machine.state, SOCCER_MAN_MARK);
    const ploy_vec2 goal = blue->home_goal.centre;
    for (int32_t threat = 1; threat <= 2; threat++) {
        ploy_vec2 at = scene.match->players[threat].body.position;
        int32_t guards = 0;
        for (int32_t i = 6; i < SOCCER_PLAYERS; i++) {
            ploy_vec2 target = scene.match->players[i].target;
            if (ploy_vec2_distance(target, at) > 2.6f) continue;
            guards++;
            CHECK(ploy_vec2_distance(target, goal) < ploy_vec2_distance(at, goal) - 2.0f);
        }
        CHECK_INT(guards, 1);
    }
    soccer_scene_end(&scene);
}

TEST(matches_of_a_pressing_team_keep_to_the_rules) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        soccer_scene scene;
        soccer_scene_begin(t, &scene, seed, team_presses);
        int32_t seen[SOCCER_TEAM_STATES] = {0};
        for (int32_t i = 0; i < 3000; i++) {
            soccer_scene_run(t, &scene, 1);
            soccer_scene_check(t, &scene);
            seen[scene.match->teams[1].machine.state]++;
        }
        CHECK(seen[SOCCER_HEM_IN] > 0 && seen[SOCCER_MAN_MARK] > 0 && seen[SOCCER_ATTACK] > 0);
        soccer_scene_end(&scene);
    }
}
