// Prediction times, by every formula.
#include "move/move_internal.h"
#include "ploy/move/predict.h"
#include "ploy/move/pursue.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

TEST(each_formula_has_its_own_time) {
    ploy_kinematic agent = mover(0.0f, 0.0f, 3.0f, 4.0f), target = mover(30.0f, 40.0f, 10.0f, 0.0f);
    static const struct {
        const char *row;
        ploy_prediction method;
        double want;
    } rows[] = {
        {"50 m at 5 m/s", PLOY_PREDICTION_OWN_SPEED, 10.0},
        {"50 m at 12.5 m/s", PLOY_PREDICTION_MAX_SPEED, 4.0},
        {"50 m at 12.5 and 10 m/s", PLOY_PREDICTION_BOTH_SPEEDS, 50.0 / 22.5},
        {"0.1 s a metre (NTU-33)", PLOY_PREDICTION_SCALED, 5.0},
        {"50 m at |(7, -4)| m/s", PLOY_PREDICTION_CLOSING, 6.20173673},
        {"12.5 t = |(30 + 10 t, 40)|", PLOY_PREDICTION_EXACT, 13.8708326},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_predict_def def = ploy_predict_def_default();
        def.method = rows[i].method;
        def.max_time = 100.0f;
        CHECK_NEAR(ploy_predict_time(&def, 12.5f, agent, target), rows[i].want, 1e-4);
        def.max_time = 1.0f;
        CHECK_SAME(ploy_predict_time(&def, 12.5f, agent, target), 1.0f);
        CHECK(strcmp(ployi_prediction_text(rows[i].method), "?") != 0);
    }
    CHECK_TEXT(ployi_prediction_text((ploy_prediction)99), "?");
}

TEST(ten_metres_and_a_tenth_make_one_second) {
    // NTU-33: D 10, c 0.1, v (2, 0): two metres on.
    ploy_predict_def def = ploy_predict_def_default();
    def.method = PLOY_PREDICTION_SCALED;
    ploy_kinematic target = mover(10.0f, 0.0f, 2.0f, 0.0f);
    float time = ploy_predict_time(&def, 1.0f, mover(0.0f, 0.0f, 0.0f, 0.0f), target);
    CHECK_VEC2(ploy_predict_position(target, time), 12.0, 0.0, 1e-5);
}

TEST(turning_round_costs_time) {
    // STE-08: 0 ahead, 0.5 at the side, 1 behind.
    static const struct {
        float x, y;
        double want;
    } rows[] = {{9.0f, 0.0f, 0.0}, {0.0f, 9.0f, 0.5}, {0.0f, -9.0f, 0.5}, {-9.0f, 0.0f, 1.0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_predict_def def = ploy_predict_def_default();
        def.method = PLOY_PREDICTION_SCALED;
        def.scale = 0.0f;
        def.turn_time = 0.5f;
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        CHECK_NEAR(ploy_predict_time(&def, 1.0f, agent, mover(rows[i].x, rows[i].y, 0.0f, 0.0f)),
                   rows[i].want, 1e-6);
    }
}

TEST(the_exact_time_is_when_both_are_there) {
    int64_t met = 0;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_predict_def def = ploy_predict_def_default();
        def.method = PLOY_PREDICTION_EXACT;
        def.max_time = 1000.0f;
        ploy_kinematic3 agent = scene_agent3(&rng), target = scene_agent3(&rng);
        agent.position = scene_near3(&rng, 100.0f);
        target.position = scene_near3(&rng, 100.0f);
        target.velocity = scene_near3(&rng, 10.0f);
        float speed = ploy_rng_range(&rng, 0.0f, 15.0f);
        float time = ployi_predict_time3(&def, speed, agent, target);
        if (time >= 1000.0f) continue;
        met++;
        float way = ploy_vec3_distance(ployi_predict_position3(target, time), agent.position);
        CHECK_NEAR(way, speed * time, 1e-3f * (way + 1.0f));
    }
    CHECK(met > 500);
}

TEST(settings_out_of_range_look_ahead_by_nothing) {
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f), target = mover(9.0f, 0.0f, 1.0f, 0.0f);
    static const float bad[] = {NAN, -1.0f, INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ploy_predict_def def = ploy_predict_def_default();
        def.max_time = bad[i];
        CHECK_SAME(ploy_predict_time(&def, 1.0f, agent, target), 0.0f);
        def = ploy_predict_def_default();
        CHECK_SAME(ploy_predict_time(&def, bad[i], agent, target), 0.0f);
    }
}
