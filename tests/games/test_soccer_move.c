// How the players of Simple Soccer move.
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "tests/games/soccer_test.h"

static void move_scene(test_context *t, soccer_scene *scene, ploy_sim_context *context) {
    soccer_scene_begin(t, scene, 1, NULL);
    soccer_scene_run(t, scene, 1);
    soccer_scene_clear(scene);
    memset(context, 0, sizeof *context);
    context->key = scene->key;
    scene->match->context = context;
}

TEST(a_player_turns_round_for_a_target_right_behind_it) { // SOC-16
    soccer_scene scene;
    ploy_sim_context context;
    move_scene(t, &scene, &context);
    soccer_player *player = &scene.match->players[1];
    soccer_scene_put(&scene, 1, 0, 0, 0);
    player->body.velocity = ploy_vec2_make(5, 0);
    player->target = ploy_vec2_make(-10, 0);
    player->on = SOCCER_SEEK;
    player->max_speed = 9.6f;
    float last = 0.0f;
    for (int32_t i = 0; i < 120; i++) {
        float before = player->body.orientation;
        soccer_steer(scene.match, player);
        soccer_move(scene.match, player);
        float turn = fabsf(ploy_angle_difference(before, player->body.orientation));
        CHECK(turn <= scene.match->def.turn_rate * scene.match->dt + 1e-4f);
        // It goes where it looks, and never backwards.
        ploy_vec2 heading = ploy_angle_heading(player->body.orientation);
        CHECK(ploy_vec2_dot(player->body.velocity, heading) >= -1e-4f);
        if (i > 30 && player->body.position.x > -9.0f) CHECK(player->body.position.x < last);
        last = player->body.position.x;
        if (last < -9.0f) break;
    }
    CHECK(last < -9.0f);
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

TEST(whoever_arrives_stays_there) { // SOC-40
    soccer_scene scene;
    ploy_sim_context context;
    move_scene(t, &scene, &context);
    for (int32_t k = 0; k < 2; k++) { // a keeper and a field player
        soccer_player *player = &scene.match->players[k];
        soccer_scene_put(&scene, k, 0, 0, 1);
        player->target = ploy_vec2_make(6, 4);
        player->on = SOCCER_ARRIVE;
        player->max_speed = 9.6f;
        for (int32_t i = 0; i < 180; i++) {
            soccer_steer(scene.match, player);
            soccer_move(scene.match, player);
        }
        CHECK_NEAR(ploy_vec2_distance(player->body.position, player->target), 0, 0.2);
        CHECK_NEAR(ploy_vec2_length(player->body.velocity), 0, 0.2);
    }
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

TEST(a_keeper_stands_between_the_ball_and_the_point_behind_it) { // SOC-40: interpose
    soccer_scene scene;
    ploy_sim_context context;
    move_scene(t, &scene, &context);
    soccer_player *keeper = &scene.match->players[0];
    soccer_scene_put(&scene, 0, -30, 3, 0);
    soccer_scene_ball(&scene, -10, -6, 0, 0);
    keeper->on = SOCCER_INTERPOSE;
    keeper->max_speed = 9.6f;
    keeper->target = soccer_keeper_rear(scene.match, &scene.match->teams[0]);
    for (int32_t i = 0; i < 180; i++) {
        soccer_steer(scene.match, keeper);
        soccer_move(scene.match, keeper);
    }
    ploy_vec2 way = ploy_vec2_sub(scene.match->ball.position, keeper->target);
    ploy_vec2 want = ploy_vec2_add(keeper->target, ploy_vec2_with_length(way, 2.0f));
    CHECK_NEAR(ploy_vec2_distance(keeper->body.position, want), 0, 0.1);
    // And looks at the ball.
    ploy_vec2 to = ploy_vec2_sub(scene.match->ball.position, keeper->body.position);
    CHECK_NEAR(ploy_angle_difference(keeper->body.orientation, ploy_angle_of(to)), 0, 1e-3);
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

TEST(bodies_do_not_overlap_for_long) {
    soccer_scene scene;
    ploy_sim_context context;
    move_scene(t, &scene, &context);
    for (int32_t i = 0; i < 4; i++) {
        soccer_scene_put(&scene, 1 + i, 0.3f * (float)i, 0.2f * (float)(i % 2), 0);
        scene.match->players[1 + i].on = 0;
    }
    for (int32_t i = 0; i < 60; i++) soccer_move_all(scene.match);
    for (int32_t i = 1; i < 5; i++) {
        for (int32_t k = i + 1; k < 5; k++) {
            CHECK(ploy_vec2_distance(scene.match->players[i].body.position,
                                     scene.match->players[k].body.position) > 1.75f);
        }
    }
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

static void move_tires(soccer_def *def) {
    def->red.stamina = 20;
}

TEST(who_runs_tires_and_who_stands_recovers) { // SOC-41, 6
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, move_tires);
    float least = 1.0f;
    for (int32_t i = 0; i < 3000; i++) {
        soccer_scene_run(t, &scene, 1);
        for (int32_t k = 0; k < SOCCER_PLAYERS; k++) {
            const soccer_player *player = &scene.match->players[k];
            CHECK(player->stamina >= 0.0f && player->stamina <= 1.0f);
            if (player->team == 1) CHECK_NEAR(player->stamina, 1, 0);
            least = fminf(least, player->stamina);
            CHECK(player->max_speed <= 9.6f * (0.5f + 0.5f * player->stamina) + 0.1f);
        }
    }
    CHECK(least < 0.9f);
    soccer_scene_end(&scene);
}

TEST(the_referee_sees_the_ball_and_keeps_off) { // SOC-41, 7
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    double distance = 0.0;
    int32_t near_player = 0;
    for (int32_t i = 0; i < 3000; i++) {
        soccer_scene_run(t, &scene, 1);
        ploy_vec2 at = scene.match->referee.position;
        distance += (double)ploy_vec2_distance(at, scene.match->ball.position);
        for (int32_t k = 0; k < SOCCER_PLAYERS; k++) {
            near_player +=
                ploy_vec2_distance(at, scene.match->players[k].body.position) < 1.0f ? 1 : 0;
        }
    }
    CHECK(distance / 3000.0 > 4.0 && distance / 3000.0 < 25.0);
    CHECK(near_player < 30);
    soccer_scene_end(&scene);
}
