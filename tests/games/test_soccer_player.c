// The field players of Simple Soccer, state by state.
#include "ploy/base/math.h"
#include "tests/games/soccer_test.h"

// The game is on, everybody is out of the way, the ball lies in the middle.
static void player_scene(test_context *t, soccer_scene *scene, uint64_t seed) {
    soccer_scene_begin(t, scene, seed, NULL);
    soccer_scene_run(t, scene, 2);
    soccer_scene_clear(scene);
    soccer_scene_ball(scene, 0, 0, 0, 0);
    CHECK(scene->match->game_on);
}

static int32_t player_state(const soccer_scene *scene, int32_t player) {
    return scene->match->players[player].machine.state;
}

// Runs until the player is in that state; false after so many ticks.
static bool player_reaches(test_context *t, soccer_scene *scene, int32_t player, int32_t state,
                           int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        if (player_state(scene, player) == state) return true;
        soccer_scene_run(t, scene, 1);
        soccer_scene_check(t, scene);
    }
    return player_state(scene, player) == state;
}

TEST(the_nearest_runs_for_the_ball_and_kicks_it) { // SOC-18, 19, 21
    soccer_scene scene;
    player_scene(t, &scene, 1);
    soccer_scene_put(&scene, 1, -6, 0, 0);
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(player_state(&scene, 1), SOCCER_CHASE);
    CHECK(player_reaches(t, &scene, 1, SOCCER_KICK, 120));
    CHECK_INT(scene.match->teams[0].controlling, 1);
    soccer_scene_run(t, &scene, 1);
    CHECK(player_state(&scene, 1) != SOCCER_KICK);
    CHECK_INT(scene.match->last_touch == 1 || player_state(&scene, 1) == SOCCER_DRIBBLE, 1);
    soccer_scene_end(&scene);
}

TEST(an_open_goal_is_shot_at) { // SOC-21
    soccer_scene scene;
    player_scene(t, &scene, 2);
    soccer_scene_put(&scene, 1, 14, 0, 0);
    soccer_scene_ball(&scene, 15.5f, 0, 0, 0);
    int64_t goals = scene.match->teams[0].goals;
    for (int32_t i = 0; i < 120; i++) soccer_scene_run(t, &scene, 1);
    CHECK(scene.match->teams[0].shots >= 1);
    CHECK_INT(scene.match->teams[0].goals, goals + 1);
    CHECK(!scene.match->game_on);
    soccer_scene_end(&scene);
}

TEST(a_threatened_player_passes) { // SOC-21, 20
    soccer_scene scene;
    player_scene(t, &scene, 3);
    soccer_scene_put(&scene, 1, -2, 0, 0);
    soccer_scene_put(&scene, 6, 3, 0.2f, -PLOY_PI_F); // in front
    soccer_scene_put(&scene, 5, 31, 0, -PLOY_PI_F);
    soccer_scene_put(&scene, 2, 10, -15, 0); // free, and far enough
    soccer_scene_put(&scene, 4, -20, 10, 0);
    int32_t ticks = 0;
    while (scene.match->teams[0].passes == 0 && ticks++ < 60) {
        soccer_scene_run(t, &scene, 1);
        soccer_scene_check(t, &scene);
    }
    CHECK_INT(scene.match->teams[0].passes, 1);
    int32_t receiver = scene.match->teams[0].receiver;
    CHECK(receiver > 0 && receiver < SOCCER_TEAM_SIZE);
    CHECK_INT(player_state(&scene, receiver), SOCCER_RECEIVE);
    // It waits now, or was asked to support the receiver.
    CHECK(player_state(&scene, 1) == SOCCER_WAIT || player_state(&scene, 1) == SOCCER_SUPPORT);
    soccer_scene_end(&scene);
}

TEST(a_pass_that_does_not_come_is_given_up) {
    soccer_scene scene;
    player_scene(t, &scene, 4);
    // The ball rests, yet somebody was told that it would come.
    soccer_scene_put(&scene, 2, 12, 5, 0);
    soccer_set_control(scene.match, &scene.match->teams[0], 2);
    ploy_sim_context context = {0};
    context.key = scene.key;
    scene.match->context = &context;
    soccer_call(scene.match, 1, 2, "receive_ball", ploy_vec2_make(12, 5));
    scene.match->context = NULL;
    CHECK_INT(player_state(&scene, 2), SOCCER_RECEIVE);
    CHECK_INT(scene.match->teams[0].receiver, 2);
    CHECK(player_reaches(t, &scene, 2, SOCCER_CHASE, 60));
    CHECK_INT(scene.match->teams[0].receiver, SOCCER_NOBODY);
    soccer_scene_end(&scene);
}

TEST(messages_are_understood_in_every_state) { // SOC-17
    static const struct {
        const char *message;
        int32_t state;
    } rows[] = {{"go_home", SOCCER_GO_HOME},
                {"wait", SOCCER_WAIT},
                {"support_attacker", SOCCER_SUPPORT},
                {"receive_ball", SOCCER_RECEIVE}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].message;
        soccer_scene scene;
        player_scene(t, &scene, 5);
        ploy_sim_context context = {0};
        context.key = scene.key;
        scene.match->context = &context;
        for (size_t k = 0; k < COUNT_OF(rows); k++) {
            soccer_call(scene.match, SOCCER_NOBODY, 3, rows[k].message, ploy_vec2_make(3, 3));
            soccer_call(scene.match, SOCCER_NOBODY, 3, rows[i].message, ploy_vec2_make(3, 3));
            CHECK_INT(player_state(&scene, 3), rows[i].state);
        }
        // What nobody knows changes nothing.
        soccer_call(scene.match, SOCCER_NOBODY, 3, "dance", ploy_vec2_make(3, 3));
        CHECK_INT(player_state(&scene, 3), rows[i].state);
        scene.match->context = NULL;
        soccer_scene_end(&scene);
    }
}

TEST(who_calls_gets_the_ball_only_from_one_who_has_it) { // SOC-17, 35
    for (int32_t has = 0; has < 2; has++) {
        soccer_scene scene;
        player_scene(t, &scene, 6);
        soccer_scene_put(&scene, 1, has == 1 ? -0.5f : -8.0f, 0, 0);
        soccer_scene_put(&scene, 2, 15, 0, 0);
        soccer_set_control(scene.match, &scene.match->teams[0], 1);
        for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
            soccer_team_measure(scene.match, &scene.match->teams[i]);
        }
        ploy_sim_context context = {0};
        context.key = scene.key;
        scene.match->context = &context;
        scene.match->tick = 100;
        soccer_call(scene.match, 2, 1, "pass_to_me", ploy_vec2_make(0, 0));
        CHECK_INT(scene.match->players[1].act.kind,
                  has == 1 ? (int32_t)SOCCER_ACT_PASS : (int32_t)SOCCER_ACT_NONE);
        soccer_play(scene.match);
        scene.match->context = NULL;
        CHECK_INT(scene.match->teams[0].passes, has);
        CHECK_INT(scene.match->teams[0].receiver, has == 1 ? 2 : SOCCER_NOBODY);
        CHECK_INT(ploy_vec2_length(scene.match->ball.velocity) > 0.0f, has);
        soccer_scene_end(&scene);
    }
}

TEST(two_from_opposite_sides_do_not_stand_off) { // SOC-40, the pitfall
    for (int64_t round = 0; round < test_rounds(10); round++) {
        TEST_SEED(round);
        soccer_scene scene;
        player_scene(t, &scene, (uint64_t)round);
        soccer_scene_put(&scene, 1, -6, 0, 0);
        soccer_scene_put(&scene, 6, 6, 0, -PLOY_PI_F);
        int32_t ticks = 0;
        while (scene.match->last_touch == SOCCER_NOBODY && ticks++ < 120) {
            soccer_scene_run(t, &scene, 1);
        }
        CHECK(ticks < 120);
        soccer_scene_end(&scene);
    }
}

TEST(a_player_that_faces_its_own_goal_brings_the_ball_round) { // SOC-22
    soccer_scene scene;
    player_scene(t, &scene, 7);
    scene.def.red.potshot_chance = 0;
    soccer_scene_put(&scene, 1, 4, 0, -PLOY_PI_F); // runs toward its own goal
    int32_t ticks = 0;
    while (scene.match->ball.velocity.x <= 1.0f && ticks++ < 300) soccer_scene_run(t, &scene, 1);
    CHECK(ticks < 300);
    CHECK_INT(scene.match->last_touch, 1);
    soccer_scene_end(&scene);
}

TEST(kicks_are_limited) { // SOC-39
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 8, NULL);
    uint64_t last[SOCCER_PLAYERS] = {0};
    for (int32_t i = 0; i < 3000; i++) {
        soccer_scene_run(t, &scene, 1);
        const soccer_match *match = scene.match;
        int32_t player = match->last_touch;
        if (match->touch_tick != match->tick || player == SOCCER_NOBODY || !match->game_on)
            continue;
        if (match->players[player].role == SOCCER_KEEPER) continue;
        // 8 a second at 60 ticks; a dribble comes up to two ticks after the limit was asked.
        if (last[player] > 0) CHECK(match->tick - last[player] >= 6);
        last[player] = match->tick;
    }
    soccer_scene_end(&scene);
}

TEST(a_dribbler_does_not_outrun_its_supporter) { // SOC-41, 1
    for (int32_t behind = 0; behind < 2; behind++) {
        soccer_scene scene;
        player_scene(t, &scene, 9);
        scene.def.red.lead = 10.0f;
        soccer_scene_run(t, &scene, 1); // the parameter is set
        soccer_scene_put(&scene, 1, 0, 0, 0);
        soccer_scene_put(&scene, 2, behind == 1 ? -15.0f : 5.0f, 8, 0);
        soccer_scene_ball(&scene, 0.5f, 0, 0, 0);
        scene.match->teams[0].supporting = 2;
        scene.match->players[2].machine.state = SOCCER_SUPPORT;
        soccer_set_control(scene.match, &scene.match->teams[0], 1);
        soccer_self self = soccer_self_of(scene.match, &scene.match->players[1]);
        self.player->machine.state = SOCCER_DRIBBLE;
        soccer_player_machine(&self, &self.player->machine, PLOY_CODE_UPDATE, NULL);
        CHECK_INT(self.player->act.kind, SOCCER_ACT_DRIBBLE);
        CHECK_NEAR(self.player->act.strength, behind == 1 ? 0.4f * 9.0f : 9.0f, 1e-5);
        soccer_scene_end(&scene);
    }
}

// Red 2 supports red 1, who has the ball; nobody else is near.
static void support_scene(test_context *t, soccer_scene *scene, float x, float y) {
    player_scene(t, scene, 11);
    soccer_team *red = &scene->match->teams[0];
    soccer_scene_put(scene, 1, 0, -10, 0);
    soccer_scene_put(scene, 2, x, y, 0);
    soccer_scene_ball(scene, 0, -12, 0, 0);
    red->best_spot = 7;
    soccer_set_control(scene->match, red, 1);
    soccer_call(scene->match, SOCCER_NOBODY, 2, "support_attacker", ploy_vec2_make(0, 0));
    red->supporting = 2;
}

// One thought of a player, without the engine.
static soccer_player *support_thinks(soccer_scene *scene, ploy_outbox *outbox) {
    soccer_self self = soccer_self_of(scene->match, &scene->match->players[2]);
    self.outbox = outbox;
    soccer_player_machine(&self, &self.player->machine, PLOY_CODE_UPDATE, NULL);
    return self.player;
}

TEST(a_supporter_goes_to_the_best_spot_and_follows_it) { // SOC-23, enter and 2
    soccer_scene scene;
    support_scene(t, &scene, -10, 12);
    soccer_player *player = &scene.match->players[2];
    ploy_sim_context context = {0};
    context.key = scene.key;
    scene.match->context = &context;
    soccer_team *red = &scene.match->teams[0];
    CHECK_INT(player->machine.state, SOCCER_SUPPORT);
    CHECK((player->on & SOCCER_ARRIVE) != 0);
    CHECK_NEAR(ploy_vec2_distance(player->target, soccer_spot(red->side, 7)), 0, 0);
    red->best_spot = 20; // it moves
    player->on &= ~(uint32_t)SOCCER_ARRIVE;
    support_thinks(&scene, NULL);
    CHECK_NEAR(ploy_vec2_distance(player->target, soccer_spot(red->side, 20)), 0, 0);
    CHECK((player->on & SOCCER_ARRIVE) != 0);
    CHECK(!player->machine.changing);
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}

TEST(a_supporter_goes_home_when_the_ball_is_lost) { // SOC-23, 1 and exit
    soccer_scene scene;
    support_scene(t, &scene, -10, 12);
    soccer_set_control(scene.match, &scene.match->teams[1], 6);
    soccer_scene_put(&scene, 6, 0, -11, 0);
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(player_state(&scene, 2), SOCCER_GO_HOME);
    CHECK_INT(scene.match->teams[0].supporting, SOCCER_NOBODY);
    soccer_scene_end(&scene);
}

TEST(a_supporter_at_its_spot_stands_still_and_calls_unless_it_is_threatened) { // SOC-23, 3 and 4
    static const struct {
        const char *row;
        bool there, threatened, shot;
        bool calls, still;
    } rows[] = {{"at the spot", true, false, false, true, true},
                {"at the spot, an opponent before it", true, true, false, false, true},
                {"on its way", false, false, false, false, false},
                {"on its way, with a free shot", false, false, true, true, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        soccer_scene scene;
        ploy_vec2 spot = soccer_spot(1.0f, 7);
        float back = rows[i].there ? 0.0f : rows[i].shot ? 3.0f : 20.0f;
        support_scene(t, &scene, spot.x - back, spot.y);
        ploy_sim_context context = {0};
        context.key = scene.key;
        scene.match->context = &context;
        scene.match->def.red.request_chance = 1.0f;
        // A wall of opponents before the goal stops every shot.
        for (int32_t k = 5; k < SOCCER_PLAYERS && !rows[i].shot; k++) {
            soccer_scene_put(&scene, k, 32, 2.0f * (float)(k - 7), 0);
        }
        if (rows[i].threatened) soccer_scene_put(&scene, 9, spot.x + 2, spot.y, 0);
        scene.match->players[2].body.velocity = ploy_vec2_make(3, 0);
        ploy_env env = ploy_env_default();
        ploy_outbox *outbox = NULL;
        CHECK_OK(ploy_outbox_create(soccer_id(2), 4, 0, &env, &outbox));
        soccer_player *player = support_thinks(&scene, outbox);
        CHECK_INT(ploy_outbox_message_count(outbox) > 0, rows[i].calls);
        if (rows[i].calls) {
            const ploy_message *call = ploy_outbox_message_at(outbox, 0);
            CHECK(ploy_name_equal(call->kind, ploy_name_of("pass_to_me")));
            CHECK(ploy_id_equal(call->receiver.id, soccer_id(1).id));
        }
        CHECK_INT(ploy_vec2_length(player->body.velocity) == 0.0f, rows[i].still);
        CHECK_INT((player->on & SOCCER_ARRIVE) == 0, rows[i].still);
        ploy_outbox_destroy(outbox);
        scene.match->context = NULL;
        soccer_scene_end(&scene);
    }
}
