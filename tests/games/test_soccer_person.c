// A person in Simple Soccer.
#include "ploy/base/math.h"
#include "tests/games/soccer_test.h"

TEST(a_person_takes_a_player_runs_kicks_and_gives_it_back) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    soccer_scene_run(t, &scene, 5);
    soccer_scene_command(t, &scene, "take", 2, ploy_value_none());
    soccer_player *player = &scene.match->players[2];
    CHECK(player->taken);
    CHECK_INT(player->machine.state, SOCCER_TAKEN);
    static const struct {
        const char *command;
        float x, y;
    } rows[] = {{"up", 0, 1}, {"down", 0, -1}, {"left", -1, 0}, {"right", 1, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].command;
        soccer_scene_clear(&scene);
        soccer_scene_put(&scene, 2, 0, 0, 0);
        soccer_scene_ball(&scene, -20, 0, 0, 0);
        soccer_scene_command(t, &scene, rows[i].command, SOCCER_NOBODY, ploy_value_none());
        soccer_scene_run(t, &scene, 29);
        ploy_vec2 way = {rows[i].x, rows[i].y};
        CHECK(ploy_vec2_dot(player->body.position, way) > 2.5f);
    }
    t->row = "all eight ways, as long as keys are held";
    for (int32_t i = 0; i < 9; i++) {
        float x = (float)(i % 3 - 1), y = (float)(i / 3 - 1);
        soccer_scene_clear(&scene);
        soccer_scene_put(&scene, 2, 0, 0, 0);
        soccer_scene_ball(&scene, -20, 0, 0, 0);
        soccer_scene_command(t, &scene, "run", SOCCER_NOBODY, ploy_value_vec2(x, y));
        soccer_scene_run(t, &scene, 29);
        ploy_vec2 way = ploy_vec2_normalise(ploy_vec2_make(x, y));
        float far = ploy_vec2_dot(player->body.position, way);
        CHECK(x == 0.0f && y == 0.0f ? far < 0.1f : far > 2.5f);
        CHECK(fabsf(ploy_vec2_cross(player->body.position, way)) < 1.5f);
    }
    t->row = NULL;
    soccer_scene_command(t, &scene, "run", SOCCER_NOBODY, ploy_value_vec2(0, 0));
    soccer_scene_run(t, &scene, 30);
    CHECK_NEAR(ploy_vec2_length(player->body.velocity), 0, 0.1);
    soccer_scene_command(t, &scene, "right", SOCCER_NOBODY, ploy_value_none());
    soccer_scene_command(t, &scene, "stand", SOCCER_NOBODY, ploy_value_none());
    soccer_scene_run(t, &scene, 30);
    CHECK_NEAR(ploy_vec2_length(player->body.velocity), 0, 0.1);
    soccer_scene_command(t, &scene, "go", SOCCER_NOBODY, ploy_value_vec2(5, 5));
    soccer_scene_run(t, &scene, 120);
    CHECK_NEAR(ploy_vec2_distance(player->body.position, ploy_vec2_make(5, 5)), 0, 1.2);
    // The ball at its foot: it goes where the player looks.
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 2, 0, 0, 0);
    soccer_scene_ball(&scene, 0.5f, 0, 0, 0);
    int64_t shots = scene.match->teams[0].shots;
    soccer_scene_command(t, &scene, "shoot", SOCCER_NOBODY, ploy_value_none());
    CHECK_INT(scene.match->teams[0].shots, shots + 1);
    CHECK(scene.match->ball.velocity.x > 30.0f);
    soccer_scene_run(t, &scene, 30);
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 2, 0, 0, 0);
    soccer_scene_ball(&scene, 0.5f, 0, 0, 0);
    int64_t passes = scene.match->teams[0].passes;
    soccer_scene_command(t, &scene, "pass", SOCCER_NOBODY, ploy_value_none());
    CHECK_INT(scene.match->teams[0].passes, passes + 1);
    soccer_scene_command(t, &scene, "release", SOCCER_NOBODY, ploy_value_none());
    CHECK(!player->taken);
    CHECK(player->machine.state != SOCCER_TAKEN);
    soccer_scene_end(&scene);
}

TEST(who_names_nobody_gets_the_red_player_nearest_to_the_ball) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    soccer_scene_run(t, &scene, 5);
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 3, 5, 0, 0);
    soccer_scene_ball(&scene, 8, 0, 0, 0);
    soccer_scene_run(t, &scene, 1);
    soccer_scene_command(t, &scene, "take", SOCCER_NOBODY, ploy_value_none());
    CHECK(scene.match->players[3].taken);
    // Taking again goes on to whoever is nearest now, and lets the first go.
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 1, 5, 0, 0);
    soccer_scene_run(t, &scene, 1);
    soccer_scene_command(t, &scene, "take", SOCCER_NOBODY, ploy_value_none());
    CHECK(scene.match->players[1].taken && !scene.match->players[3].taken);
    // A keeper, and agents that do not exist, are not to be had.
    soccer_scene_command(t, &scene, "take", 5, ploy_value_none());
    CHECK(!scene.match->players[5].taken);
    soccer_scene_command(t, &scene, "take", 77, ploy_value_none());
    soccer_scene_end(&scene);
}

TEST(commands_without_a_player_do_nothing) {
    soccer_scene scene, other;
    soccer_scene_begin(t, &scene, 3, NULL);
    soccer_scene_begin(t, &other, 3, NULL);
    static const char *const names[] = {"up", "down", "left", "right", "stand", "shoot", "release"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        soccer_scene_command(t, &scene, names[i], 3, ploy_value_none());
        soccer_scene_run(t, &other, 1);
    }
    CHECK(scene.match->ball.position.x == other.match->ball.position.x);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        CHECK_BYTES(&scene.match->players[i].body, &other.match->players[i].body,
                    sizeof scene.match->players[i].body);
    }
    soccer_scene_end(&other);
    soccer_scene_end(&scene);
}

TEST(a_taken_player_goes_home_for_a_kick_off_and_plays_on) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 4, NULL);
    soccer_scene_run(t, &scene, 200);
    soccer_scene_command(t, &scene, "take", 2, ploy_value_none());
    soccer_scene_command(t, &scene, "right", SOCCER_NOBODY, ploy_value_none());
    soccer_scene_ball(&scene, 32.5f, 0, 40, 0);
    scene.match->holder = SOCCER_NOBODY;
    soccer_scene_run(t, &scene, 1);
    CHECK(!scene.match->game_on);
    int32_t ticks = 0;
    while (!scene.match->game_on && ticks++ < 600) soccer_scene_run(t, &scene, 1);
    CHECK(ticks < 600);
    soccer_scene_run(t, &scene, 2);
    CHECK_INT(scene.match->players[2].machine.state, SOCCER_TAKEN);
    soccer_scene_end(&scene);
}

TEST(a_match_goes_on_beside_a_person_who_does_nothing) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 5, NULL);
    soccer_scene_run(t, &scene, 5);
    soccer_scene_command(t, &scene, "take", 1, ploy_value_none());
    for (int32_t i = 0; i < 6000; i++) {
        soccer_scene_run(t, &scene, 1);
        soccer_scene_check(t, &scene);
    }
    CHECK(scene.match->longest_stall < 600);
    CHECK(scene.match->teams[0].passes > 5);
    soccer_scene_end(&scene);
}
