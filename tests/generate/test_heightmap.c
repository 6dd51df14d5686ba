// Height maps: layers, positions, blending, copies and failures.
#include "tests/generate/terrain_test.h"

#include "ploy/base/describe.h"

TEST(a_map_starts_level_with_one_layer) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 5, 4, &env);
    CHECK_INT(ploy_heightmap_cells(map), 20);
    CHECK_INT(ploy_heightmap_layer_count(map), 1);
    ploy_heightmap_type type = PLOY_HEIGHTMAP_U8;
    CHECK_TEXT(ploy_heightmap_layer_name(map, 0, &type), "elevation");
    CHECK_INT(type, PLOY_HEIGHTMAP_F32);
    CHECK_TEXT(ploy_heightmap_type_text(type), "f32");
    CHECK(ploy_heightmap_layer_name(map, 1, NULL) == NULL);
    for (int32_t i = 0; i < 20; i++) CHECK_SAME(ploy_heightmap_elevation(map)[i], 0.0f);
    ploy_heightmap_destroy(map);
}

TEST(layers_are_found_by_name_and_type) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 3, 3, &env);
    void *rock = NULL, *again = NULL, *offset = NULL;
    CHECK_OK(ploy_heightmap_add(map, "rock", PLOY_HEIGHTMAP_U8, &rock));
    CHECK_OK(ploy_heightmap_add(map, "rock", PLOY_HEIGHTMAP_U8, &again));
    CHECK(rock == again);
    CHECK_INT(ploy_heightmap_add(map, "rock", PLOY_HEIGHTMAP_I32, &again), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_heightmap_add(map, "", PLOY_HEIGHTMAP_I32, &again), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_heightmap_add(map, "a name that is much too long", PLOY_HEIGHTMAP_I32, &again),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_heightmap_add(map, "offset", PLOY_HEIGHTMAP_VEC2, &offset));
    CHECK(ploy_heightmap_layer(map, "rock", PLOY_HEIGHTMAP_U8) == rock);
    CHECK(ploy_heightmap_layer(map, "rock", PLOY_HEIGHTMAP_F32) == NULL);
    CHECK(!ploy_heightmap_remove(map, "elevation"));
    CHECK(ploy_heightmap_remove(map, "rock"));
    CHECK(!ploy_heightmap_remove(map, "rock"));
    CHECK(ploy_heightmap_layer(map, "offset", PLOY_HEIGHTMAP_VEC2) == offset);
    for (int32_t i = ploy_heightmap_layer_count(map); i < PLOY_HEIGHTMAP_LAYERS; i++) {
        char name[8];
        snprintf(name, sizeof name, "l%d", (int)i);
        CHECK_OK(ploy_heightmap_add(map, name, PLOY_HEIGHTMAP_F32, &again));
    }
    CHECK_INT(ploy_heightmap_add(map, "one more", PLOY_HEIGHTMAP_F32, &again), PLOY_ERR_CAPACITY);
    ploy_heightmap_destroy(map);
}

TEST(positions_and_cells_agree) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 7;
    def.rows = 5;
    def.spacing = 2.5f;
    def.origin = ploy_vec2_make(-3.0f, 11.0f);
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, &env, &map));
    for (int32_t cell = 0; cell < ploy_heightmap_cells(map); cell++) {
        CHECK_INT(ploy_heightmap_quantise(map, ploy_heightmap_position(map, cell)), cell);
    }
    CHECK_INT(ploy_heightmap_quantise(map, ploy_vec2_make(-4.5f, 11.0f)), -1);
    CHECK_INT(ploy_heightmap_quantise(map, ploy_vec2_make(NAN, 11.0f)), -1);
    // Between cells the height field answers: heights, slopes, normals.
    ploy_heightmap_elevation(map)[1] = 5.0f;
    ploy_heightfield field = ploy_heightmap_field(map);
    float height = 0.0f, slope = 0.0f;
    CHECK(ploy_heightfield_height(&field, ploy_vec2_make(-1.75f, 11.0f), &height));
    CHECK_NEAR(height, 2.5f, 1e-5f);
    CHECK(ploy_heightfield_slope(&field, ploy_vec2_make(-1.5f, 11.1f), &slope));
    CHECK_NEAR(slope, 2.0f * 1.41421356f, 1e-4f);
    ploy_heightmap_destroy(map);
}

TEST(a_copy_has_all_layers_and_is_separate) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 9, 6, 4.0f, 3, &env), *copy = NULL;
    void *wet = NULL;
    CHECK_OK(ploy_heightmap_add(map, "wet", PLOY_HEIGHTMAP_I32, &wet));
    ((int32_t *)wet)[53] = 42;
    CHECK_OK(ploy_heightmap_copy(map, &env, &copy));
    ploy_hash_sink one, two;
    ploy_hash_sink_init(&one);
    ploy_hash_sink_init(&two);
    ploy_describe a = ploy_hash_sink_describe(&one), b = ploy_hash_sink_describe(&two);
    ploy_heightmap_describe(map, &a);
    ploy_heightmap_describe(copy, &b);
    CHECK_UINT(ploy_hash_sink_result(&one), ploy_hash_sink_result(&two));
    ((int32_t *)wet)[53] = 43;
    const int32_t *copied = ploy_heightmap_layer(copy, "wet", PLOY_HEIGHTMAP_I32);
    CHECK_INT(copied[53], 42);
    ploy_heightmap_destroy(map);
    ploy_heightmap_destroy(copy);
}

static float heightmap_test_double(void *user, int32_t cell, float elevation) {
    *(int32_t *)user += cell;
    return 2.0f * elevation;
}

TEST(heights_rescale_apply_and_blend) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 8, 8, 10.0f, 1, &env);
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    CHECK_SAME(low, 0.0f);
    CHECK_NEAR(high, 10.0f, 1e-5f);
    int32_t sum = 0;
    ploy_heightmap_apply(map, heightmap_test_double, &sum);
    CHECK_INT(sum, 63 * 64 / 2);
    ploy_heightmap_range(map, &low, &high);
    CHECK_NEAR(high, 20.0f, 1e-5f);
    // A bitmap of another size is stretched: a plane stays a plane.
    float plane[3 * 2] = {0, 7, 14, 0, 7, 14};
    ploy_heightfield other = ploy_heightfield_make(plane, 3, 2, ploy_vec2_make(5, 5), 3.0f);
    float before = ploy_heightmap_elevation(map)[8 + 3];
    CHECK_OK(ploy_heightmap_blend(map, &other, 0.25f));
    CHECK_NEAR(ploy_heightmap_elevation(map)[8 + 3], 0.25f * 6.0f + 0.75f * before, 1e-5f);
    CHECK_OK(ploy_heightmap_blend(map, &other, 1.0f));
    for (int32_t i = 0; i < 64; i++) {
        CHECK_NEAR(ploy_heightmap_elevation(map)[i], 2.0f * (float)(i % 8), 1e-5f);
    }
    CHECK_INT(ploy_heightmap_blend(map, &other, 1.5f), PLOY_ERR_ARGUMENT);
    ploy_heightmap_destroy(map);
}

TEST(create_refuses_settings_out_of_range) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 1;
    ploy_heightmap *map = NULL;
    CHECK_INT(ploy_heightmap_create(&def, &env, &map), PLOY_ERR_ARGUMENT);
    def = ploy_heightmap_def_default();
    def.spacing = NAN;
    CHECK_INT(ploy_heightmap_create(&def, &env, &map), PLOY_ERR_ARGUMENT);
    CHECK(map == NULL);
}

static ploy_result heightmap_test_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = def.rows = 4;
    ploy_heightmap *map = NULL, *copy = NULL;
    void *layer = NULL;
    ploy_result result = ploy_heightmap_create(&def, env, &map);
    if (result == PLOY_OK) result = ploy_heightmap_add(map, "a", PLOY_HEIGHTMAP_U8, &layer);
    if (result == PLOY_OK) result = ploy_heightmap_copy(map, env, &copy);
    ploy_heightmap_destroy(map);
    ploy_heightmap_destroy(copy);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    CHECK_FAIL_NTH(heightmap_test_make, NULL);
}

static void heightmap_test_item(void *user, const ploy_draw_item *item) {
    (void)item;
    (*(int32_t *)user)++;
}

TEST(memory_and_draw_report_what_is_there) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 16, 16, 4.0f, 1, &env);
    int64_t bytes = 0;
    ploy_heightmap_memory(map, test_sum_memory, &bytes);
    CHECK(bytes > 1024);
    int32_t items = 0;
    ploy_draw draw = {heightmap_test_item, &items, ~0u};
    ploy_heightmap_draw(map, 4, &draw);
    CHECK(items >= 16 && items <= 64);
    ploy_heightmap_destroy(map);
}
