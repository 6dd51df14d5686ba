// Terrain difficulty.
#include "ploy/tactics/difficulty.h"

#include <math.h>

#include "tests/test.h"

// A plane that rises by 2 m a cell to the right, and a spike.
static float slope[11 * 11];

static ploy_heightfield make_heights(void) {
    for (int32_t i = 0; i < 121; i++) slope[i] = 2.0f * (float)(i % 11);
    return ploy_heightfield_make(slope, 11, 11, ploy_vec2_make(0, 0), 1.0f);
}

TEST(ruggedness_is_gradient_range_or_variance) {
    ploy_places places = ploy_places_grid(10, 10, ploy_vec2_make(0, 0), 1.0f);
    ploy_heightfield field = make_heights();
    ploy_difficulty_def def = ploy_difficulty_def_default();
    CHECK_NEAR(ploy_difficulty_rugged(&def, &places, &field, 55), 2.0, 1e-5);
    def.rugged = PLOY_RUGGED_RANGE;
    def.samples = 2000;
    CHECK_NEAR(ploy_difficulty_rugged(&def, &places, &field, 55), 2.0, 0.02);
    def.rugged = PLOY_RUGGED_VARIANCE; // of an even distribution over 2 m
    CHECK_NEAR(ploy_difficulty_rugged(&def, &places, &field, 55), 4.0 / 12.0, 0.02);
    ploy_places far = ploy_places_grid(2, 2, ploy_vec2_make(100, 0), 1.0f);
    CHECK(isnan(ploy_difficulty_rugged(&def, &far, &field, 0)));
    def.rugged = PLOY_RUGGED_GRADIENT;
    CHECK(isnan(ploy_difficulty_rugged(&def, &far, &field, 0)));
}

TEST(difficulty_is_a_sum_or_a_product) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(10, 10, ploy_vec2_make(0, 0), 1.0f);
    ploy_heightfield field = make_heights();
    ploy_tactics_layer *kinds = NULL, *extra = NULL, *out = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &kinds));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &extra));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &out));
    CHECK_OK(ploy_tactics_layer_fill(kinds, 2.0f));
    CHECK_OK(ploy_tactics_layer_fill(extra, 0.5f));
    CHECK_OK(ploy_tactics_layer_set(kinds, 1, NAN));
    float costs[256] = {0};
    costs[2] = 3.0f;
    ploy_difficulty_terrain terrain = {kinds, costs, &field, extra};
    ploy_difficulty_def def = ploy_difficulty_def_default();
    def.rugged_weight = 0.5f;
    def.extra_weight = 2.0f;
    CHECK_OK(ploy_difficulty_read(&def, &terrain, 0, 100, out));
    CHECK_NEAR(ploy_tactics_layer_at(out, 55), 3.0 + 0.5 * 2.0 + 2.0 * 0.5, 1e-5);
    CHECK(isnan(ploy_tactics_layer_at(out, 1)));
    def.combine = PLOY_DIFFICULTY_PRODUCT;
    CHECK_OK(ploy_difficulty_read(&def, &terrain, 55, 1, out));
    CHECK_NEAR(ploy_tactics_layer_at(out, 55), 3.0 * 2.0 * 2.0, 1e-5);
    ploy_difficulty_terrain nothing = {NULL, NULL, NULL, NULL};
    CHECK_OK(ploy_difficulty_read(&def, &nothing, 0, 100, out));
    CHECK_SAME(ploy_tactics_layer_at(out, 1), 1.0);
    CHECK_INT(ploy_difficulty_read(&def, &nothing, 0, 101, out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_difficulty_read(&def, &nothing, 0, 100, kinds), PLOY_ERR_ARGUMENT);
    ploy_tactics_layer_destroy(kinds);
    ploy_tactics_layer_destroy(extra);
    ploy_tactics_layer_destroy(out);
}
