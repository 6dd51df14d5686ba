// Small predictions: PHY-10.
#include "move/move_internal.h"
#include "ploy/move/reckon.h"

#include "tests/move/scene.h"
#include "tests/test.h"

TEST(a_correction_snaps_or_glides) {
    ploy_reckoning remote;
    memset(&remote, 0, sizeof remote);
    CHECK_OK(ploy_reckoning_correct(&remote, ploy_vec2_make(0, 0), ploy_vec2_make(2, 0), 0.0f));
    ploy_reckoning_step(&remote, 1.0f);
    CHECK_NEAR(ploy_reckoning_position(&remote).x, 2.0, 1e-6);
    ploy_reckoning gliding = remote;
    CHECK_OK(ploy_reckoning_correct(&remote, ploy_vec2_make(3, 1), ploy_vec2_make(0, 0), 0.0f));
    CHECK_NEAR(ploy_reckoning_position(&remote).x, 3.0, 1e-6);
    CHECK_OK(ploy_reckoning_correct(&gliding, ploy_vec2_make(3, 1), ploy_vec2_make(0, 0), 0.5f));
    static const double at[] = {2.0, 2.5, 3.0, 3.0};
    for (size_t i = 0; i < COUNT_OF(at); i++) {
        CHECK_NEAR(ploy_reckoning_position(&gliding).x, at[i], 1e-6);
        ploy_reckoning_step(&gliding, 0.25f);
    }
    CHECK_INT(ploy_reckoning_correct(&remote, ploy_vec2_make(NAN, 0), ploy_vec2_zero(), 0.0f),
              PLOY_ERR_ARGUMENT);
    CHECK_NEAR(ploy_reckoning_position(&remote).x, 3.0, 1e-6);
}

TEST(the_bat_knows_where_the_ball_comes) {
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 ball = {0.0f, ploy_rng_range(&rng, 0.0f, 10.0f)};
        ploy_vec2 velocity = {ploy_rng_range(&rng, 1.0f, 5.0f), ploy_rng_range(&rng, -9.0f, 9.0f)};
        float y = -1.0f, time = -1.0f;
        CHECK(ploy_reckon_bounce(ball, velocity, 20.0f, 0.0f, 10.0f, &y, &time));
        // Walked in small steps with mirrors at the walls.
        double x = 0.0, at = (double)ball.y, up = (double)velocity.y;
        while (x < 20.0) {
            double dt = 1e-3;
            x += (double)velocity.x * dt;
            at += up * dt;
            if (at < 0.0) at = -at, up = -up;
            if (at > 10.0) at = 20.0 - at, up = -up;
        }
        CHECK_NEAR(y, at, 0.03);
        CHECK_NEAR(time, 20.0 / (double)velocity.x, 1e-4);
    }
    float y = 7.0f;
    CHECK(!ploy_reckon_bounce(ploy_vec2_zero(), ploy_vec2_make(-1, 1), 5, 0, 10, &y, NULL));
    CHECK(!ploy_reckon_bounce(ploy_vec2_zero(), ploy_vec2_make(1, 1), 5, 10, 10, &y, NULL));
    CHECK_SAME(y, 7.0f);
}

static float table_trial(void *user, int32_t i) {
    return ((const float *)user)[i];
}

TEST(walls_stop_the_predicted_and_the_best_trial_wins) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    CHECK_OK(
        ploy_plain_scene_add_segment(plain, ploy_vec2_make(5, -5), ploy_vec2_make(5, 5), 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_vec2 at =
        ployi_reckon_walled(&scene, 1, ploy_vec2_zero(), ploy_vec2_make(4, 0), 0.5f, 2.0f);
    CHECK_NEAR(at.x, 4.5, 1e-4);
    at = ployi_reckon_walled(&scene, 1, ploy_vec2_zero(), ploy_vec2_make(4, 0), 0.5f, 1.0f);
    CHECK_NEAR(at.x, 4.0, 1e-6);
    ploy_plain_scene_destroy(plain);
    float table[] = {NAN, 3.0f, 1.0f, 1.0f}, distance = 0.0f;
    CHECK_INT(ployi_reckon_best(table_trial, table, 4, &distance), 2);
    CHECK_SAME(distance, 1.0f);
    CHECK_INT(ployi_reckon_best(table_trial, table, 1, &distance), -1);
}
