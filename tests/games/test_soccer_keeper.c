// The keepers of Simple Soccer.
#include "tests/games/soccer_test.h"

TEST(the_rear_point_follows_the_ball_across_the_goal) { // SOC-27
    static const float rows[][2] = {{20, 150}, {110, 175}, {200, 200}, {290, 225}, {380, 250}};
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        soccer_scene_ball(&scene, 0, (rows[i][0] - 200.0f) / 10.0f, 0, 0);
        ploy_vec2 rear = soccer_keeper_rear(scene.match, &scene.match->teams[0]);
        CHECK_NEAR(rear.y, (rows[i][1] - 200.0f) / 10.0f, 1e-4);
        CHECK_NEAR(rear.x, -33, 0);
    }
    soccer_scene_end(&scene);
}

// A ball that rolls slowly at the red keeper, with everybody else far away.
static void keeper_scene(test_context *t, soccer_scene *scene) {
    soccer_scene_begin(t, scene, 5, NULL);
    soccer_scene_run(t, scene, 1);
    soccer_scene_clear(scene);
    soccer_scene_put(scene, 0, -31, 0, 0);
    soccer_scene_ball(scene, -27, 0, -12, 0);
    scene->match->last_touch = 6;
    scene->match->shooter = 6;
}

TEST(a_keeper_saves_a_shot_and_throws_the_ball_to_a_team_mate) { // SOC-27, 29
    soccer_scene scene;
    keeper_scene(t, &scene);
    int32_t ticks = 0;
    while (scene.match->holder == SOCCER_NOBODY && ticks++ < 60) soccer_scene_run(t, &scene, 1);
    CHECK_INT(scene.match->holder, 0);
    CHECK_INT(scene.match->teams[0].saves, 1);
    CHECK_INT(scene.match->teams[0].controlling, 0);
    CHECK_INT(scene.match->players[0].machine.state, SOCCER_PUT_BACK);
    // Everybody of the field was sent home.
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        const soccer_player *player = &scene.match->players[i];
        if (player->role == SOCCER_KEEPER) continue;
        CHECK(player->machine.state == SOCCER_GO_HOME || player->machine.state == SOCCER_WAIT);
    }
    ticks = 0;
    while (scene.match->holder != SOCCER_NOBODY && ticks++ < 300) soccer_scene_run(t, &scene, 1);
    CHECK(ticks < 300);
    CHECK_INT(scene.match->teams[0].passes, 1);
    soccer_scene_run(t, &scene, 1);
    // It does not grab its own throw at once.
    CHECK_INT(scene.match->holder, SOCCER_NOBODY);
    CHECK(ploy_vec2_length(scene.match->ball.velocity) > 10.0f);
    soccer_scene_end(&scene);
}

TEST(a_keeper_without_a_pass_clears_the_ball) { // SOC-29
    soccer_scene scene;
    keeper_scene(t, &scene);
    scene.def.red.keeper_min_pass = 70; // nobody is far enough
    scene.def.red.hold_max = 1;
    int32_t held = 0;
    for (int32_t i = 0; i < 200; i++) {
        soccer_scene_run(t, &scene, 1);
        held += scene.match->holder == 0 ? 1 : 0;
        if (held > 0 && scene.match->holder == SOCCER_NOBODY) break;
    }
    CHECK(held >= 59 && held <= 62);
    CHECK_INT(scene.match->teams[0].passes, 0);
    CHECK(scene.match->ball.velocity.x > 0.0f);
    soccer_scene_end(&scene);
}

TEST(a_keeper_comes_out_only_while_the_others_have_the_ball) { // SOC-27, 30
    for (int32_t own = 0; own < 2; own++) {
        soccer_scene scene;
        soccer_scene_begin(t, &scene, 5, NULL);
        soccer_scene_run(t, &scene, 1);
        soccer_scene_clear(&scene);
        soccer_scene_put(&scene, 0, -31, 0, 0);
        soccer_scene_put(&scene, own == 1 ? 1 : 6, -25, 0, 0);
        soccer_scene_ball(&scene, -25, 0, 0, 0);
        soccer_set_control(scene.match, &scene.match->teams[1 - own], own == 1 ? 1 : 6);
        soccer_scene_run(t, &scene, 1);
        CHECK_INT(scene.match->players[0].machine.state,
                  own == 1 ? (int32_t)SOCCER_TEND : (int32_t)SOCCER_INTERCEPT);
        soccer_scene_end(&scene);
    }
}
