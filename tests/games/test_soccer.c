// Whole matches of Simple Soccer, with everything that must hold checked in every tick, and how the
// play turns out. `make soak` plays 400 of them, 20,000 ticks each.
#include "tests/games/soccer_test.h"

static bool match_swapped;
static void match_sides(soccer_def *def) {
    def->swap_sides = match_swapped;
}

// Whether so many of the whole could as well be half of it: a two-sided test at 1 %, by the normal
// approximation of the binomial with its correction by a half.
static bool match_fair(int64_t part, int64_t whole) {
    double off = fabs((double)part - 0.5 * (double)whole) - 0.5;
    return off <= 2.5758 * 0.5 * sqrt((double)whole);
}

TEST(matches_keep_to_the_rules_and_are_fair) {
    int64_t rounds = test_rounds(20), goals[SOCCER_TEAMS] = {0, 0}, left = 0, passes = 0,
            completed = 0;
    bool whole = rounds > 20;
    int32_t ticks = whole ? 20000 : 3000;
    for (int64_t seed = 1; seed <= rounds; seed++) {
        TEST_SEED(seed);
        soccer_scene scene;
        match_swapped = seed % 2 == 0;
        soccer_scene_begin(t, &scene, (uint64_t)seed, match_sides);
        const soccer_match *match = scene.match;
        for (int32_t i = 0; i < ticks; i++) {
            soccer_scene_run(t, &scene, 1);
            soccer_scene_check(t, &scene);
            CHECK(match->longest_stall < 300); // 5 s
            CHECK(match->game_on || match->tick - match->kick_off_tick < 600);
            CHECK(match->holder == SOCCER_NOBODY ||
                  match->tick - match->players[match->holder].since < 300);
        }
        for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
            const soccer_team *team = &match->teams[i];
            goals[i] += team->goals;
            left += team->side > 0.0f ? team->goals : 0;
            passes += team->passes;
            completed += team->passes_completed;
            CHECK(team->passes_completed <= team->passes);
            CHECK(team->potshots <= team->shots);
        }
        soccer_scene_end(&scene);
    }
    int64_t all = goals[0] + goals[1];
    double each = (double)all / (double)rounds * 20000.0 / (double)ticks;
    printf("%d matches of %d ticks: red %d, blue %d, from the left %d; %.2f goals in 20,000 ticks; "
           "%.1f passes, %.1f %% completed\n",
           (int)rounds, (int)ticks, (int)goals[0], (int)goals[1], (int)left, each,
           (double)passes / (double)rounds, 100.0 * (double)completed / (double)passes);
    CHECK(passes > 0);
    CHECK(each >= 1.0 && each <= 12.0);
    CHECK(match_fair(goals[0], all));
    CHECK(match_fair(left, all));
}

TEST(the_same_seed_is_the_same_match) {
    soccer_scene a, b, c;
    match_swapped = false;
    soccer_scene_begin(t, &a, 9, NULL);
    soccer_scene_begin(t, &b, 9, NULL);
    soccer_scene_begin(t, &c, 10, NULL);
    for (int32_t i = 0; i < 2000; i++) {
        soccer_scene_run(t, &a, 1);
        soccer_scene_run(t, &b, 1);
        soccer_scene_run(t, &c, 1);
        CHECK_BYTES(&a.match->ball, &b.match->ball, sizeof a.match->ball);
    }
    CHECK(memcmp(&a.match->ball, &c.match->ball, sizeof a.match->ball) != 0);
    soccer_scene_end(&c);
    soccer_scene_end(&b);
    soccer_scene_end(&a);
}

TEST(whoever_is_robbed_of_the_ball_stumbles) {
    static const struct {
        const char *row;
        int32_t first, second;
        float distance;
        bool stumbles;
    } rows[] = {{"by an opponent at its side", 1, 6, 1.5f, true},
                {"by one far away", 1, 6, 5.0f, false},
                {"by a team mate", 1, 2, 1.5f, false},
                {"a keeper never", 0, 6, 1.5f, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        soccer_scene scene;
        soccer_scene_begin(t, &scene, 1, NULL);
        soccer_scene_run(t, &scene, 10);
        soccer_scene_clear(&scene);
        soccer_player *first = &scene.match->players[rows[i].first];
        soccer_scene_put(&scene, rows[i].first, 0, 0, 0);
        soccer_scene_put(&scene, rows[i].second, rows[i].distance, 0, 0);
        soccer_kick(scene.match, first, ploy_vec2_make(1, 0), 9.0f);
        soccer_kick(scene.match, &scene.match->players[rows[i].second], ploy_vec2_make(1, 0), 9.0f);
        CHECK_INT(first->stumbles_until > scene.match->tick, rows[i].stumbles);
        if (rows[i].stumbles) { // 0.4 s, in which it neither kicks nor runs as it could
            CHECK_INT(first->stumbles_until - scene.match->tick, 24);
            soccer_scene_run(t, &scene, 1);
            CHECK(first->max_speed < 4.0f);
            soccer_scene_ball(&scene, 0, 0, 0, 0);
            CHECK(!ploy_regulator_ready(&first->kick_limit, (double)scene.tick / 60.0));
            soccer_scene_run(t, &scene, 24);
            CHECK(first->max_speed > 7.0f);
        }
        soccer_scene_end(&scene);
    }
}

TEST(kick_noise_is_as_large_as_the_accuracy_says) { // SOC-08, N7
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    ploy_sim_context context = {0};
    context.key = scene.key;
    scene.match->context = &context;
    soccer_scene_ball(&scene, 0, 0, 0, 0);
    float most = 0.0f, sum = 0.0f;
    for (int32_t i = 0; i < 2000; i++) {
        ploy_vec2 target =
            soccer_add_noise(scene.match, &scene.match->players[1], ploy_vec2_make(10, 0));
        float angle = ploy_vec2_angle_to(ploy_vec2_make(1, 0), target);
        most = fmaxf(most, fabsf(angle));
        sum += angle;
        CHECK_NEAR(ploy_vec2_length(target), 10, 1e-3);
    }
    CHECK(most <= 0.0314160f && most > 0.03f);
    CHECK_NEAR(sum / 2000.0f, 0, 0.002);
    scene.match->context = NULL;
    soccer_scene_end(&scene);
}
