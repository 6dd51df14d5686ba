// The pitch of Simple Soccer: regions, goals, ball. The catalog's numbers are pixels and ticks; a
// pixel is a tenth of a metre, and where only ratios count they stand as they are.
#include "ploy/base/math.h"
#include "tests/games/soccer_test.h"

TEST(regions_are_where_they_are_numbered) { // SOC-03, D16
    static const int32_t ids[SOCCER_COLUMNS][SOCCER_ROWS] = {
        {17, 16, 15}, {14, 13, 12}, {11, 10, 9}, {8, 7, 6}, {5, 4, 3}, {2, 1, 0}};
    for (int32_t c = 0; c < SOCCER_COLUMNS; c++) {
        for (int32_t r = 0; r < SOCCER_ROWS; r++) {
            ploy_vec2 centre = soccer_region_centre(ids[c][r]);
            CHECK_NEAR(centre.x, (75.0f + 110.0f * (float)c - 350.0f) / 10.0f, 1e-4);
            CHECK_NEAR(centre.y, (80.0f + 120.0f * (float)r - 200.0f) / 10.0f, 1e-4);
            CHECK_INT(soccer_region_at(centre), ids[c][r]);
            CHECK_INT(soccer_region_mirrored(ids[c][r]), ids[SOCCER_COLUMNS - 1 - c][r]);
        }
    }
}

TEST(half_a_region_is_its_inner_half) { // SOC-03
    soccer_region region = soccer_region_get(16);
    ploy_vec2 centre = soccer_region_centre(16);
    CHECK(soccer_region_contains(region, centre, true));
    ploy_vec2 near_edge = {centre.x + 5.0f, centre.y};
    CHECK(soccer_region_contains(region, near_edge, false));
    CHECK(!soccer_region_contains(region, near_edge, true));
    CHECK(soccer_region_contains(region, ploy_vec2_make(centre.x + 2.7f, centre.y - 2.9f), true));
    CHECK(!soccer_region_contains(region, ploy_vec2_make(centre.x + 5.6f, centre.y), false));
}

TEST(a_goal_is_scored_when_the_centre_crosses_between_the_posts) { // SOC-04
    static const struct {
        const char *row;
        float from_x, from_y, to_x, to_y, offset;
        bool scored;
    } rows[] = {
        {"straight in", 32.5f, 0, 33.2f, 0, 0, true},
        {"not yet", 32.0f, 0, 32.9f, 0, 0, false},
        {"beside the post", 32.5f, 5.5f, 33.2f, 5.5f, 0, false},
        {"past the post from outside", 32.5f, 5.5f, 33.5f, 4.0f, 0, true},
        {"back out of the net", 33.5f, 0, 32.5f, 0, 0, false},
        {"the edge counts", 32.3f, 0, 32.6f, 0, 0.5f, true},
        {"the edge is not there", 32.0f, 0, 32.4f, 0, 0.5f, false},
    };
    for (int32_t side = -1; side <= 1; side += 2) {
        soccer_goal goal = soccer_goal_make(-(float)side, 10.0f);
        CHECK_NEAR(goal.facing.x, -(float)side, 0);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i].row;
            ploy_vec2 from = {(float)side * rows[i].from_x, rows[i].from_y};
            ploy_vec2 to = {(float)side * rows[i].to_x, rows[i].to_y};
            CHECK_INT(soccer_goal_scored(&goal, from, to, rows[i].offset), rows[i].scored);
        }
    }
}

TEST(a_ball_is_predicted_until_it_stops) { // SOC-06
    ploy_vec2 at = {100, 100}, velocity = {3, 0};
    CHECK_NEAR(soccer_ball_future(at, velocity, 0.015f, 100).x, 325, 1e-3);
    CHECK_NEAR(soccer_ball_future(at, velocity, 0.015f, 200).x, 400, 1e-3);
    CHECK_NEAR(soccer_ball_future(at, velocity, 0.015f, 300).x, 400, 1e-3);
    ploy_vec2 end = soccer_ball_future(ploy_vec2_make(0, 0), ploy_vec2_make(3, 4), 0.5f, 10.0f);
    CHECK_NEAR(end.x, 15, 1e-4);
    CHECK_NEAR(end.y, 20, 1e-4);
    ploy_vec2 rests = soccer_ball_future(at, ploy_vec2_make(0, 0), 0.5f, 10.0f);
    CHECK(rests.x == at.x && rests.y == at.y);
}

TEST(the_time_to_cover_a_way_is_known) { // SOC-07
    static const struct {
        float speed, distance;
        double time;
    } rows[] = {{3, 0, 0},         {3, 50, 17.4258},   {3, 100, 36.7007}, {3, 150, 58.5786},
                {3, 200, 84.5299}, {3, 299, 188.453},  {3, 300, -1},      {1.5f, 50, 42.2650},
                {6, 400, 73.4014}, {6, 1199, 388.453}, {6, 1201, -1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(soccer_time_to_cover(rows[i].speed, rows[i].distance, 0.015f), rows[i].time,
                   0.03);
    }
}

TEST(a_pass_is_as_hard_as_it_must_be) { // SOC-41
    CHECK_NEAR(soccer_speed_to_arrive(0.5f, 150, 0.015f), 2.17945, 1e-4);
    CHECK_NEAR(soccer_speed_to_arrive(1, 100, 0.015f), 2, 1e-4);
    CHECK_NEAR(soccer_speed_to_arrive(0, 300, 0.015f), 3, 1e-4);
}

TEST(a_ball_rolls_as_far_as_the_formula_says) { // SOC-07: 100.455 px in 37 ticks
    soccer_def def;
    ploy_fields_default(soccer_fields(), &def);
    def.friction = 0.0015f;
    soccer_ball ball;
    soccer_ball_place(&ball, ploy_vec2_make(0, 0));
    ball.velocity = ploy_vec2_make(0.3f, 0);
    for (int32_t i = 0; i < 37; i++) soccer_ball_step(&ball, &def, 1.0f);
    CHECK_NEAR(ball.position.x, 10.0455, 1e-3);
    def.friction = 0.15f;
    soccer_ball_step(&ball, &def, 1.0f);
    soccer_ball_step(&ball, &def, 1.0f);
    CHECK_NEAR(ploy_vec2_length(ball.velocity), 0, 0);
}

TEST(a_ball_stays_on_the_pitch_or_goes_through_a_goal) { // SOC-05
    soccer_def def;
    ploy_fields_default(soccer_fields(), &def);
    int32_t goals = 0;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        def.bounce = ploy_rng_range(&rng, 0.2f, 1.0f);
        def.friction = ploy_rng_range(&rng, 0.1f, 10.0f);
        def.ball_radius = ploy_rng_range(&rng, 0.1f, 0.9f);
        soccer_ball ball;
        soccer_ball_place(
            &ball, ploy_vec2_make(ploy_rng_range(&rng, -32, 32), ploy_rng_range(&rng, -17, 17)));
        ball.velocity = ploy_vec2_rotate(ploy_vec2_make(ploy_rng_range(&rng, 0, 100), 0),
                                         ploy_rng_range(&rng, -PLOY_PI_F, PLOY_PI_F));
        float speed = ploy_vec2_length(ball.velocity);
        for (int32_t i = 0; i < 120; i++) {
            soccer_ball_step(&ball, &def, 1.0f / 60.0f);
            float now = ploy_vec2_length(ball.velocity);
            CHECK(now <= speed * 1.00001f);
            speed = now;
            if (fabsf(ball.position.x) > SOCCER_HALF_LENGTH) {
                CHECK(fabsf(ball.position.y) < 0.5f * def.goal_width);
                goals++;
                break;
            }
            CHECK(fabsf(ball.position.y) <= SOCCER_HALF_WIDTH - def.ball_radius + 1e-4f);
        }
    }
    CHECK(goals > 0);
}

TEST(a_ball_bounces_off_a_post) { // SOC-05, with end caps
    soccer_def def;
    ploy_fields_default(soccer_fields(), &def);
    def.bounce = 1.0f;
    soccer_ball ball;
    soccer_ball_place(&ball, ploy_vec2_make(31.0f, 4.9f));
    ball.velocity = ploy_vec2_make(20.0f, 0.0f);
    for (int32_t i = 0; i < 12; i++) soccer_ball_step(&ball, &def, 1.0f / 60.0f);
    CHECK(ball.velocity.x < 0.0f); // nearly straight back
    CHECK(ball.velocity.y < 0.0f);
    CHECK(ball.position.x < SOCCER_HALF_LENGTH);
}
