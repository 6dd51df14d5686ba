// Raw heights: both formats read back, sizes and numbers that are wrong are reported.
#include "tests/test.h"

#include "ploy/data/heights.h"

static ploy_heightmap_def heights_test_def(void) {
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 5;
    def.rows = 3;
    def.spacing = 2.0f;
    return def;
}

static ploy_heightmap *heights_test_map(test_context *t, const ploy_env *env) {
    ploy_heightmap_def def = heights_test_def();
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, env, &map));
    for (int32_t i = 0; i < 15; i++) ploy_heightmap_elevation(map)[i] = 0.7f * (float)(i - 4);
    return map;
}

TEST(raw_heights_read_back) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = heights_test_map(t, &env), *read = NULL;
    ploy_heightmap_def def = heights_test_def();
    for (int32_t wide = 0; wide < 2; wide++) {
        ploy_height_type type = wide ? PLOY_HEIGHT_F32 : PLOY_HEIGHT_U16;
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_heights_save(map, type, -4.0f, 8.0f, &writer));
        CHECK_INT(buffer.size, wide ? 60 : 30);
        CHECK_OK(ploy_heights_load(buffer.bytes, buffer.size, type, -4.0f, 8.0f, &def, "a.raw",
                                   &env, NULL, &read));
        CHECK_SAME(ploy_heightmap_def_of(read)->spacing, 2.0f);
        for (int32_t i = 0; i < 15; i++) {
            float tolerance = wide ? 0.0f : 12.0f / 65535.0f;
            CHECK_NEAR(ploy_heightmap_elevation(read)[i], ploy_heightmap_elevation(map)[i],
                       tolerance);
        }
        ploy_heightmap_destroy(read);
        ploy_buffer_fini(&buffer);
    }
    ploy_heightmap_destroy(map);
}

TEST(samples_are_little_endian_and_held_within_the_range) {
    static const unsigned char bytes[8] = {0, 0, 255, 255, 0, 128, 1, 0};
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = heights_test_def();
    def.columns = def.rows = 2;
    ploy_heightmap *map = NULL;
    CHECK_OK(
        ploy_heights_load(bytes, 8, PLOY_HEIGHT_U16, 0.0f, 65535.0f, &def, NULL, &env, NULL, &map));
    CHECK_SAME(ploy_heightmap_elevation(map)[1], 65535.0f);
    CHECK_SAME(ploy_heightmap_elevation(map)[2], 32768.0f);
    CHECK_SAME(ploy_heightmap_elevation(map)[3], 1.0f);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_heights_save(map, PLOY_HEIGHT_U16, 0.5f, 40000.0f, &writer));
    CHECK_INT((unsigned char)buffer.bytes[0], 0);
    CHECK_INT((unsigned char)buffer.bytes[2], 255);
    CHECK_INT(ploy_heights_save(map, PLOY_HEIGHT_U16, 1.0f, 1.0f, &writer), PLOY_ERR_ARGUMENT);
    ploy_buffer_fini(&buffer);
    ploy_heightmap_destroy(map);
}

TEST(wrong_files_are_reported) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = heights_test_def();
    ploy_heightmap *map = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    float samples[15] = {0};
    CHECK_INT(
        ploy_heights_load(samples, 59, PLOY_HEIGHT_F32, 0, 0, &def, "a.raw", &env, diags, &map),
        PLOY_ERR_FORMAT);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "file has 59 bytes; expected 60");
    samples[7] = NAN;
    CHECK_INT(
        ploy_heights_load(samples, 60, PLOY_HEIGHT_F32, 0, 0, &def, "a.raw", &env, diags, &map),
        PLOY_ERR_FORMAT);
    CHECK_TEXT(ploy_diags_get(diags, 1)->message, "sample 7 is not finite");
    CHECK(map == NULL);
    ploy_diags_destroy(diags);
}

static ploy_result heights_test_load(const ploy_env *env, void *arg) {
    (void)arg;
    static const float samples[15] = {0};
    ploy_heightmap_def def = heights_test_def();
    ploy_heightmap *map = NULL;
    ploy_result result =
        ploy_heights_load(samples, 60, PLOY_HEIGHT_F32, 0, 0, &def, "a.raw", env, NULL, &map);
    ploy_heightmap_destroy(map);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    CHECK_FAIL_NTH(heights_test_load, NULL);
}
