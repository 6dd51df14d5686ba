// Passes and shots of Simple Soccer.
#include "tests/games/soccer_test.h"

TEST(an_opponent_cuts_a_pass_that_it_reaches_in_time) { // SOC-31
    static const struct {
        const char *row;
        float x, y;
        bool receiver, safe;
    } rows[] = {
        {"behind the passer", -10, 0, false, true},
        {"just near enough", 100, 73, false, false},
        {"just too far", 100, 74, false, true},
        {"near the passer", 50, 40, false, false},
        {"a little farther", 50, 45, false, true},
        {"past the target", 210, 0, false, true},
        {"past it, and the receiver is nearer", 210, 0, true, true},
        {"past it, and nearer than the receiver", 203, 0, true, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        soccer_pass_ask ask = {{0, 0}, {200, 0}, 3, 0.015f, rows[i].receiver, {195, 0}};
        CHECK_INT(soccer_pass_safe_from(&ask, ploy_vec2_make(rows[i].x, rows[i].y), 1.6f, 15.0f),
                  rows[i].safe);
    }
}

TEST(whoever_cuts_a_pass_can_be_seen_to_do_it) {
    int32_t cut = 0;
    for (int64_t round = 0; round < test_rounds(3000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        soccer_pass_ask ask = {{0, 0}, {ploy_rng_range(&rng, 5, 30), 0}, 18, 5.4f, false, {0, 0}};
        ploy_vec2 opponent = {ploy_rng_range(&rng, -5, 30), ploy_rng_range(&rng, -15, 15)};
        if (soccer_pass_safe_from(&ask, opponent, 9.6f, 1.4f)) continue;
        cut++;
        bool met = false; // the ball rolls, the opponent runs straight at some place of its way
        for (int32_t i = 0; i <= 4000 && !met; i++) {
            float time = (float)i * 0.001f;
            ploy_vec2 ball = soccer_ball_future(ask.from, ploy_vec2_make(ask.speed, 0), 5.4f, time);
            met = ploy_vec2_distance(ball, opponent) <= 9.6f * time + 1.4f + 0.02f;
        }
        CHECK(met);
    }
    CHECK(cut > 100);
}

TEST(a_pass_may_go_beside_its_receiver) { // SOC-34
    static soccer_match match;
    memset(&match, 0, sizeof match);
    match.def.friction = 0.015f;
    ploy_vec2 places[3];
    CHECK_INT(
        soccer_pass_places(&match, ploy_vec2_make(0, 0), ploy_vec2_make(150, 0), 3, 1.6f, places),
        3);
    CHECK_NEAR(places[0].x, 150, 0);
    CHECK_NEAR(places[1].x, 144.729, 0.01);
    CHECK_NEAR(fabsf(places[1].y), 27.6193, 0.01);
    CHECK_NEAR(places[2].x, 144.729, 0.01);
    CHECK_NEAR(places[1].y + places[2].y, 0, 0.01);
    // Too far for the ball; and a ball so near that no tangent exists.
    CHECK_INT(
        soccer_pass_places(&match, ploy_vec2_make(0, 0), ploy_vec2_make(301, 0), 3, 1.6f, places),
        0);
    CHECK_INT(
        soccer_pass_places(&match, ploy_vec2_make(0, 0), ploy_vec2_make(150, 0), 3, 100.0f, places),
        1);
}

TEST(a_shot_goes_between_the_posts) { // SOC-32: along the goal line, not across it
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round);
        soccer_scene scene;
        soccer_scene_begin(t, &scene, (uint64_t)round, NULL);
        soccer_scene_run(t, &scene, 1);
        soccer_scene_clear(&scene);
        ploy_sim_context context = {0};
        context.key = scene.key;
        scene.match->context = &context;
        ploy_vec2 target;
        soccer_team *team = &scene.match->teams[round % 2];
        soccer_player *player = &scene.match->players[team->index * SOCCER_TEAM_SIZE + 1];
        ploy_vec2 from = {team->side * 20.0f, 0.0f};
        CHECK(soccer_can_shoot(scene.match, team, soccer_dice_of(scene.match, player), from, 36.0f,
                               NULL, &target));
        CHECK_NEAR(target.x, team->side * SOCCER_HALF_LENGTH, 1e-4);
        CHECK(fabsf(target.y) <= 4.5f);
        // Too weak, or with somebody before the muzzle: no, but still with a target to try.
        target = ploy_vec2_make(0, 0);
        CHECK(!soccer_can_shoot(scene.match, team, soccer_dice_of(scene.match, player), from, 2.0f,
                                NULL, &target));
        CHECK_NEAR(target.x, team->side * SOCCER_HALF_LENGTH, 1e-4);
        int32_t blocker = (1 - team->index) * SOCCER_TEAM_SIZE;
        soccer_scene_put(&scene, blocker, team->side * 20.9f, 0.0f, 0.0f);
        CHECK(!soccer_can_shoot(scene.match, team, soccer_dice_of(scene.match, player), from, 36.0f,
                                NULL, &target));
        scene.match->context = NULL;
        soccer_scene_end(&scene);
    }
}

TEST(the_best_pass_is_the_one_nearest_to_their_goal) { // SOC-33
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        soccer_scene scene;
        soccer_scene_begin(t, &scene, (uint64_t)round, NULL);
        soccer_scene_run(t, &scene, 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
            soccer_scene_put(&scene, i, ploy_rng_range(&rng, -30, 30),
                             ploy_rng_range(&rng, -16, 16), 0);
        }
        soccer_player *passer = &scene.match->players[round % SOCCER_PLAYERS];
        soccer_scene_ball(&scene, passer->body.position.x, passer->body.position.y, 0, 0);
        int32_t receiver = SOCCER_NOBODY, best = SOCCER_NOBODY;
        ploy_vec2 target, place;
        soccer_self self = soccer_self_of(scene.match, passer);
        bool found = soccer_find_pass(&self, 18.0f, 8.0f, &receiver, &target);
        float goal = scene.match->teams[passer->team].their_goal.centre.x, least = INFINITY;
        for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
            soccer_player *mate = &scene.match->players[passer->team * SOCCER_TEAM_SIZE + i];
            if (mate == passer) continue;
            if (ploy_vec2_distance(mate->body.position, passer->body.position) <= 8.0f) continue;
            if (!soccer_best_pass_to(scene.match, passer, mate, 18.0f, NULL, &place)) continue;
            if (fabsf(place.x - goal) >= least) continue;
            least = fabsf(place.x - goal);
            best = mate->index;
        }
        CHECK_INT(found, best != SOCCER_NOBODY);
        CHECK_INT(receiver, best);
        if (found) CHECK_NEAR(fabsf(target.x - goal), least, 0);
        soccer_scene_end(&scene);
    }
}

static void pass_soft(soccer_def *def) {
    def->red.soft_passes = true;
}

TEST(a_soft_pass_arrives_slowly) { // SOC-41, 5
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, pass_soft);
    soccer_scene_ball(&scene, 0, 0, 0, 0);
    soccer_player *red = &scene.match->players[1], *blue = &scene.match->players[6];
    float strength = soccer_pass_strength(scene.match, red, ploy_vec2_make(15, 0), 18.0f);
    CHECK_NEAR(strength, soccer_speed_to_arrive(6.0f, 15.0f, 5.4f), 1e-4);
    CHECK_NEAR(soccer_pass_strength(scene.match, red, ploy_vec2_make(60, 0), 18.0f), 18, 0);
    CHECK_NEAR(soccer_pass_strength(scene.match, blue, ploy_vec2_make(15, 0), 18.0f), 18, 0);
    soccer_scene_end(&scene);
}
