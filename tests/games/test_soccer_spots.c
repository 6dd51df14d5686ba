// The support spots of Simple Soccer.
#include "tests/games/soccer_test.h"

TEST(spots_are_a_grid_in_the_opponents_half) { // SOC-12
    static const double columns[] = {624.154, 578.462, 532.769, 487.077, 441.385};
    static const double rows[] = {80, 128, 176, 224, 272, 320};
    for (int32_t c = 0; c < SOCCER_SPOT_COLUMNS; c++) {
        for (int32_t r = 0; r < SOCCER_SPOT_ROWS; r++) {
            ploy_vec2 red = soccer_spot(1.0f, c * SOCCER_SPOT_ROWS + r);
            ploy_vec2 blue = soccer_spot(-1.0f, c * SOCCER_SPOT_ROWS + r);
            CHECK_NEAR(red.x, (columns[c] - 350.0) / 10.0, 1e-3);
            CHECK_NEAR(red.y, (rows[r] - 200.0) / 10.0, 1e-3);
            CHECK_NEAR(blue.x, -red.x, 0);
        }
    }
}

TEST(the_score_by_distance_peaks_and_fades) { // SOC-12
    static const double rows[][2] = {{0, 0},      {50, 0.5},  {100, 1}, {150, 1.5},
                                     {200, 2},    {250, 1.5}, {300, 1}, {350, 0.5},
                                     {399, 0.01}, {400, 0},   {500, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(soccer_spot_distance_score((float)rows[i][0], 200.0f, 2.0f), rows[i][1], 1e-5);
    }
}

TEST(the_best_spot_has_the_highest_score_and_is_looked_for_once_a_second) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 3, NULL);
    int32_t looks = 0, attacks = 0;
    float before[SOCCER_SPOTS] = {0};
    for (int32_t i = 0; i < 6000; i++) {
        soccer_scene_run(t, &scene, 1);
        const soccer_team *team = &scene.match->teams[0];
        if (team->best_spot == SOCCER_NOBODY) continue;
        attacks += team->machine.state == SOCCER_ATTACK ? 1 : 0;
        looks += memcmp(before, team->spot_scores, sizeof before) != 0 ? 1 : 0;
        memcpy(before, team->spot_scores, sizeof before);
        for (int32_t k = 0; k < SOCCER_SPOTS; k++) {
            CHECK(team->spot_scores[k] <= team->spot_scores[team->best_spot]);
            CHECK(team->spot_scores[k] >= 1.0f && team->spot_scores[k] <= 6.0f);
            if (k < team->best_spot) {
                CHECK(team->spot_scores[k] < team->spot_scores[team->best_spot]);
            }
        }
    }
    CHECK(attacks > 600);
    CHECK(looks > attacks / 60 / 2);
    CHECK(looks < attacks / 60 * 2 + 20); // more than once a second only after kick-offs
    soccer_scene_end(&scene);
}
