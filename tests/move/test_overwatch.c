// Bounding overwatch: FRM-14.
#include "ploy/move/overwatch.h"

#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/test.h"

static ploy_overwatch *new_overwatch(ploy_overwatch_def def) {
    ploy_env env = ploy_env_default();
    ploy_overwatch *out = NULL;
    return ploy_overwatch_create(&def, &env, &out) == PLOY_OK ? out : NULL;
}

TEST(the_one_at_the_back_goes_to_the_front) {
    // FRM-14: cover at x = 0, 2, ..., 10; anchor 3, then 5.1.
    static const ploy_vec2 cover[6] = {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {8, 0}, {10, 0}};
    ploy_points points = ploy_points_make(cover, 6);
    ploy_overwatch *squad = new_overwatch(ploy_overwatch_def_default());
    static const int32_t want[2][4] = {{0, 1, 2, 3}, {4, 1, 2, 3}};
    static const float anchors[2] = {3.0f, 5.1f};
    static const int32_t moves[2] = {4, 1};
    int32_t moved = -1;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(ploy_overwatch_step(squad, ploy_vec2_make(anchors[k], 0.0f), &points, &moved));
        CHECK_INT(moved, moves[k]);
        for (int32_t i = 0; i < 4; i++) CHECK_INT(ploy_overwatch_cover(squad, i), want[k][i]);
    }
    CHECK_DRAWS(4, ploy_overwatch_draw(squad, &points, &drawing));
    CHECK_INT(ploy_overwatch_step(squad, ploy_vec2_make(NAN, 0.0f), &points, &moved),
              PLOY_ERR_ARGUMENT);
    ploy_overwatch_destroy(squad);
}

TEST(slots_hold_the_nearest_points_each_once) {
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 cover[40];
        int32_t n = ploy_rng_int(&rng, 1, 40);
        for (int32_t i = 0; i < n; i++) {
            cover[i].x = ploy_rng_range(&rng, -20.0f, 20.0f);
            cover[i].y = ploy_rng_range(&rng, -20.0f, 20.0f);
        }
        ploy_overwatch_def def = ploy_overwatch_def_default();
        def.slots = ploy_rng_int(&rng, 1, 8);
        def.keep_clear = ploy_rng_chance(&rng, 0.5f) ? 3.0f : 0.0f;
        ploy_overwatch *squad = new_overwatch(def);
        ploy_points points = ploy_points_make(cover, n);
        for (int step = 0; step < 10; step++) {
            ploy_vec2 anchor;
            anchor.x = ploy_rng_range(&rng, -20.0f, 20.0f);
            anchor.y = ploy_rng_range(&rng, -20.0f, 20.0f);
            CHECK_OK(ploy_overwatch_step(squad, anchor, &points, NULL));
            // Every point nearer than the farthest slot is taken (those too near are worth
            // nothing, and only leave when something better is there).
            float farthest = 0.0f;
            uint64_t taken = 0;
            int32_t held = 0;
            for (int32_t i = 0; i < def.slots; i++) {
                int32_t point = ploy_overwatch_cover(squad, i);
                if (point < 0) continue;
                CHECK(!(taken >> point & 1u));
                taken |= (uint64_t)1 << point;
                held++;
                float here = ploy_vec2_distance(cover[point], anchor);
                if (here >= def.keep_clear) farthest = fmaxf(farthest, here);
            }
            for (int32_t j = 0; j < n; j++) {
                float here = ploy_vec2_distance(cover[j], anchor);
                if (here >= def.keep_clear && here < farthest) CHECK(taken >> j & 1u);
                if (here >= def.keep_clear && held < def.slots) CHECK(taken >> j & 1u);
            }
        }
        ploy_overwatch_destroy(squad);
    }
}

TEST(the_margin_stops_flicker) {
    static const ploy_vec2 cover[2] = {{-1, 0}, {1, 0}};
    ploy_points points = ploy_points_make(cover, 2);
    ploy_overwatch_def def = ploy_overwatch_def_default();
    def.slots = 1;
    def.margin = 0.5f;
    ploy_overwatch *squad = new_overwatch(def);
    int32_t moved = 0;
    CHECK_OK(ploy_overwatch_step(squad, ploy_vec2_make(-0.1f, 0.0f), &points, &moved));
    for (int i = 0; i < 10; i++) {
        float wobble = i % 2 == 0 ? 0.1f : -0.1f;
        CHECK_OK(ploy_overwatch_step(squad, ploy_vec2_make(wobble, 0.0f), &points, &moved));
        CHECK_INT(moved, 0);
    }
    CHECK_OK(ploy_overwatch_step(squad, ploy_vec2_make(0.9f, 0.0f), &points, &moved));
    CHECK_INT(moved, 1);
    ploy_overwatch_destroy(squad);
}

static ploy_result create_overwatch(const ploy_env *env, void *arg) {
    ploy_overwatch *squad = NULL;
    ploy_result result = ploy_overwatch_create(arg, env, &squad);
    ploy_overwatch_destroy(squad);
    return result;
}

TEST(create_survives_short_memory_and_refuses_bad_settings) {
    ploy_overwatch_def def = ploy_overwatch_def_default();
    CHECK_FAIL_NTH(create_overwatch, &def);
    ploy_env env = ploy_env_default();
    def.margin = NAN;
    CHECK_INT(create_overwatch(&env, &def), PLOY_ERR_ARGUMENT);
}
