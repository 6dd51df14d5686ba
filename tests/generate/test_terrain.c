// Faults and altitude filters: the catalog's vectors, slices, workers, failures.
#include "tests/generate/terrain_test.h"

#include "ploy/base/fields.h"
#include "ploy/generate/erosion.h"
#include "ploy/generate/terrain.h"

TEST(a_fault_raises_one_side_and_lowers_the_other) {
    ploy_fault fault = {{1.5f, 0.0f}, 0.0f, 0.0f, 1.0f, 0.0f};
    static const double plain[] = {1, 1, -1, -1};
    static const double fading[] = {0.571429, 0.8, -0.8, -0.571429};
    for (int32_t y = 0; y < 4; y++) {
        for (int32_t x = 0; x < 4; x++) {
            ploy_vec2 at = {(float)x, (float)y};
            fault.fade = 0.0f;
            CHECK_SAME(ploy_fault_change(&fault, at), plain[x]);
            fault.fade = 2.0f;
            CHECK_NEAR(ploy_fault_change(&fault, at), fading[x], 1e-6);
        }
    }
    // On the line counts as the low side.
    fault.fade = 0.0f;
    CHECK_SAME(ploy_fault_change(&fault, ploy_vec2_make(1.5f, 3.0f)), -1.0f);
}

TEST(a_curved_fault_raises_the_inside_of_a_circle) {
    ploy_fault fault = {{10.0f, 10.0f}, 0.0f, 5.0f, 2.0f, 0.0f};
    CHECK_SAME(ploy_fault_change(&fault, ploy_vec2_make(13.0f, 13.0f)), 2.0f);
    CHECK_SAME(ploy_fault_change(&fault, ploy_vec2_make(13.0f, 14.0f)),
               -2.0f); // 5 m away: the line
    CHECK_SAME(ploy_fault_change(&fault, ploy_vec2_make(14.0f, 14.0f)), -2.0f);
    fault.fade = 3.0f;
    CHECK_NEAR(ploy_fault_change(&fault, ploy_vec2_make(10.0f, 10.0f)), 2.0 * 3.0 / 8.0, 1e-6);
}

TEST(faults_of_a_map_are_the_sum_of_their_faults) {
    ploy_env env = ploy_env_default();
    ploy_faults_def def = ploy_faults_def_default();
    def.count = 40;
    def.fade = 3.0f;
    def.curved = 0.5f;
    ploy_rng_key key = ploy_rng_key_make(5);
    ploy_heightmap *map = terrain_test_map(t, 23, 17, &env);
    int32_t circles = 0;
    double want[23 * 17] = {0};
    for (int32_t i = 0; i < def.count; i++) {
        ploy_fault fault = ploy_faults_at(&def, key, map, i);
        circles += fault.radius > 0.0f;
        CHECK_NEAR(fabsf(fault.depth), 1.0 - 0.8 * i / 39.0, 1e-6);
        for (int32_t cell = 0; cell < 23 * 17; cell++) {
            want[cell] += (double)ploy_fault_change(&fault, ploy_heightmap_position(map, cell));
        }
    }
    CHECK(circles > 5 && circles < 35);
    CHECK_OK(ploy_faults_run(&def, key, map, &env));
    for (int32_t cell = 0; cell < 23 * 17; cell++) {
        CHECK_NEAR(ploy_heightmap_elevation(map)[cell], want[cell], 1e-4);
    }
    ploy_heightmap_destroy(map);
}

TEST(filters_have_the_published_curves) {
    static const struct {
        const char *row;
        ploy_filter_kind kind;
        float sharpness;
        bool rescale;
        double in, want;
    } rows[] = {
        {"desert 0", PLOY_FILTER_DESERT, 6, false, 0, 0.247262},
        {"desert 25", PLOY_FILTER_DESERT, 6, false, 25, 4.742587},
        {"desert 50", PLOY_FILTER_DESERT, 6, false, 50, 50},
        {"desert 75", PLOY_FILTER_DESERT, 6, false, 75, 95.257413},
        {"desert 100", PLOY_FILTER_DESERT, 6, false, 100, 99.752738},
        {"rescaled 0", PLOY_FILTER_DESERT, 6, true, 0, 0},
        {"rescaled 25", PLOY_FILTER_DESERT, 6, true, 25, 4.517666},
        {"rescaled 50", PLOY_FILTER_DESERT, 6, true, 50, 50},
        {"rescaled 75", PLOY_FILTER_DESERT, 6, true, 75, 95.482334},
        {"rescaled 100", PLOY_FILTER_DESERT, 6, true, 100, 100},
        {"glacier 0", PLOY_FILTER_GLACIER, 4, false, 0, 3.597242},
        {"glacier 25", PLOY_FILTER_GLACIER, 4, false, 25, 9.485175},
        {"glacier 50", PLOY_FILTER_GLACIER, 4, false, 50, 23.840584},
        {"glacier 75", PLOY_FILTER_GLACIER, 4, false, 75, 53.788284},
        {"glacier 100", PLOY_FILTER_GLACIER, 4, false, 100, 100},
        {"glacier rescaled", PLOY_FILTER_GLACIER, 4, true, 0, 0},
        {"terrace 0", PLOY_FILTER_TERRACE, 1, false, 0, 0},
        {"terrace 6.25", PLOY_FILTER_TERRACE, 1, false, 6.25, 2.271126},
        {"terrace 12.5", PLOY_FILTER_TERRACE, 1, false, 12.5, 12.5},
        {"terrace 18.75", PLOY_FILTER_TERRACE, 1, false, 18.75, 22.728874},
        {"terrace 25", PLOY_FILTER_TERRACE, 1, false, 25, 25},
        {"terrace 100", PLOY_FILTER_TERRACE, 1, false, 100, 100},
        {"steps 24", PLOY_FILTER_STEPS, 1, false, 24, 0},
        {"steps 99", PLOY_FILTER_STEPS, 1, false, 99, 75},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_filter_def def = ploy_filter_def_default();
        def.kind = rows[i].kind;
        def.sharpness = rows[i].sharpness;
        def.rescale = rows[i].rescale;
        CHECK_NEAR(ploy_filter_height(&def, 100.0f, (float)rows[i].in), rows[i].want, 5e-6);
    }
}

TEST(curves_never_fall) {
    for (int32_t kind = 0; kind <= PLOY_FILTER_CANYON; kind++) {
        ploy_filter_def def = ploy_filter_def_default();
        def.kind = (ploy_filter_kind)kind;
        float last = -1.0f;
        for (int32_t i = 0; i <= 1000; i++) {
            float height = ploy_filter_height(&def, 50.0f, 0.05f * (float)i);
            CHECK(height >= last - 1e-6f);
            last = height;
        }
    }
    // Terraces are level at each tier and twice as steep half-way between.
    ploy_filter_def def = ploy_filter_def_default();
    def.kind = PLOY_FILTER_TERRACE;
    CHECK_NEAR(ploy_filter_height(&def, 100, 25.1f) - ploy_filter_height(&def, 100, 24.9f), 0,
               1e-4);
    CHECK_NEAR(ploy_filter_height(&def, 100, 12.6f) - ploy_filter_height(&def, 100, 12.4f), 0.4,
               1e-3);
    // A canyon keeps the plateau and drops below its rim.
    def.kind = PLOY_FILTER_CANYON;
    CHECK_NEAR(ploy_filter_height(&def, 100, 60.0f), 60.0, 1e-3);
    CHECK(ploy_filter_height(&def, 100, 25.0f) < 2.0f);
}

TEST(an_island_fades_over_its_outer_quarter) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 256, 256, &env);
    float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < 256 * 256; i++) elevation[i] = 10.0f;
    ploy_filter_def def = ploy_filter_def_default();
    def.kind = PLOY_FILTER_ISLAND;
    CHECK_OK(ploy_filter_run(&def, ploy_rng_key_make(1), map, &env));
    const float *row = elevation + 128 * 256;
    CHECK_SAME(row[128], 10.0f);
    CHECK_SAME(row[224], 10.0f);
    CHECK_SAME(row[240], 5.0f);
    CHECK_SAME(row[0], 0.0f);
    CHECK_SAME(elevation[0], 0.0f);
    CHECK_SAME(elevation[255], 0.0f);
    ploy_heightmap_destroy(map);
}

TEST(a_bitmap_layer_is_blended_in) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 8, 8, 6.0f, 2, &env);
    ploy_filter_def def = ploy_filter_def_default();
    def.kind = PLOY_FILTER_BLEND;
    def.share = 0.25f;
    float before = ploy_heightmap_elevation(map)[20];
    CHECK_OK(ploy_filter_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_SAME(ploy_heightmap_elevation(map)[20], before); // no bitmap: nothing changes
    void *bitmap = NULL;
    CHECK_OK(ploy_heightmap_add(map, "bitmap", PLOY_HEIGHTMAP_F32, &bitmap));
    ((float *)bitmap)[20] = 8.0f;
    CHECK_OK(ploy_filter_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_NEAR(ploy_heightmap_elevation(map)[20], 2.0f + 0.75f * before, 1e-6);
    ploy_heightmap_destroy(map);
}

// ---- all modifiers

static ploy_content terrain_test_input(const ploy_heightmap *map) {
    ploy_content input = ploy_content_none();
    input.kinds = PLOY_CONTENT_HEIGHTS;
    input.heights = map;
    return input;
}

typedef const ploy_generator_type *(*terrain_test_type)(void);

static const terrain_test_type terrain_test_types[] = {
    ploy_faults_generator, ploy_filter_generator, ploy_thermal_generator, ploy_hydraulic_generator,
    ploy_droplets_generator};

// Fewer rounds than the default, so that the slow cuts stay quick.
static void terrain_test_def(const ploy_generator_type *type, void *def) {
    ploy_fields_default(type->fields(), def);
    static const char *const counts[] = {"count", "passes"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (ploy_fields_find(type->fields(), counts[i], NULL) == NULL) continue;
        ploy_fields_set_text(type->fields(), def, counts[i], "12", NULL);
    }
}

typedef union terrain_test_any {
    ploy_faults_def faults;
    ploy_filter_def filter;
    ploy_thermal_def thermal;
    ploy_hydraulic_def hydraulic;
    ploy_droplets_def droplets;
} terrain_test_any;

TEST(slices_and_workers_change_no_bit) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 37, 50, 12.0f, 9, &env);
    ploy_content input = terrain_test_input(map);
    for (size_t i = 0; i < COUNT_OF(terrain_test_types); i++) {
        const ploy_generator_type *type = terrain_test_types[i]();
        t->row = type->name;
        terrain_test_any def;
        terrain_test_def(type, &def);
        uint64_t want = 0;
        for (int32_t run = 0; run < 5; run++) {
            ploy_generator generator;
            CHECK_OK(ploy_generator_begin(type, &def, ploy_rng_key_make(3), &input, NULL, &env,
                                          &generator));
            ploy_job_pool *pool = NULL;
            if (run >= 3 && ploy_job_pool_create(run == 3 ? 2 : 4, &env, &pool) == PLOY_OK) {
                ploy_terrain_set_jobs(generator.self, ploy_job_pool_jobs(pool));
            }
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(run == 0 ? INT64_MAX : run == 1 ? 1 : 7);
                result = ploy_generator_step(generator, &budget);
            }
            CHECK_OK(result);
            uint64_t hash = ploy_generator_hash(generator);
            if (run == 0) want = hash;
            CHECK_UINT(hash, want);
            CHECK(ploy_generator_outcome(generator).done);
            ploy_generator_cancel(generator);
            ploy_job_pool_destroy(pool);
        }
    }
    ploy_heightmap_destroy(map);
}

TEST(a_step_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_heightmap *map = terrain_test_hills(t, 32, 32, 12.0f, 9, &env);
    ploy_content input = terrain_test_input(map);
    for (size_t i = 0; i < COUNT_OF(terrain_test_types); i++) {
        const ploy_generator_type *type = terrain_test_types[i]();
        t->row = type->name;
        terrain_test_any def;
        terrain_test_def(type, &def);
        ploy_generator generator;
        CHECK_OK(
            ploy_generator_begin(type, &def, ploy_rng_key_make(3), &input, NULL, &env, &generator));
        int64_t calls = counts.calls;
        CHECK_OK(ploy_generator_step(generator, NULL));
        CHECK_INT(counts.calls, calls);
        int64_t bytes = 0;
        ploy_generator_memory(generator, test_sum_memory, &bytes);
        int64_t before = counts.bytes;
        ploy_generator_cancel(generator);
        CHECK_INT(before - counts.bytes, bytes);
    }
    ploy_heightmap_destroy(map);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result terrain_test_begin(const ploy_env *env, void *arg) {
    const ploy_generator_type *type = arg;
    ploy_env quiet = ploy_env_default();
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = size.rows = 6;
    ploy_heightmap *map = NULL;
    ploy_result result = ploy_heightmap_create(&size, &quiet, &map);
    ploy_content input = terrain_test_input(map);
    ploy_generator generator = {NULL, NULL};
    terrain_test_any def;
    terrain_test_def(type, &def);
    if (result == PLOY_OK) {
        result =
            ploy_generator_run(type, &def, ploy_rng_key_make(1), &input, NULL, env, &generator);
    }
    ploy_generator_cancel(generator);
    ploy_heightmap_destroy(map);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    for (size_t i = 0; i < COUNT_OF(terrain_test_types); i++) {
        t->row = terrain_test_types[i]()->name;
        ploy_generator_type type = *terrain_test_types[i]();
        CHECK_FAIL_NTH(terrain_test_begin, &type);
    }
}

TEST(begin_refuses_bad_settings_and_no_map) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 4, 4, &env);
    ploy_terrain *terrain = NULL;
    ploy_faults_def def = ploy_faults_def_default();
    CHECK_INT(ploy_faults_begin(&def, ploy_rng_key_make(1), NULL, NULL, &env, &terrain),
              PLOY_ERR_ARGUMENT);
    def.count = 0;
    CHECK_INT(ploy_faults_begin(&def, ploy_rng_key_make(1), map, NULL, &env, &terrain),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_faults_run(&def, ploy_rng_key_make(1), map, &env), PLOY_ERR_ARGUMENT);
    CHECK(terrain == NULL);
    // "water" of another type stands in the way of erosion.
    void *layer = NULL;
    CHECK_OK(ploy_heightmap_add(map, "water", PLOY_HEIGHTMAP_U8, &layer));
    ploy_hydraulic_def rain = ploy_hydraulic_def_default();
    CHECK_INT(ploy_hydraulic_begin(&rain, ploy_rng_key_make(1), map, NULL, &env, &terrain),
              PLOY_ERR_EXISTS);
    ploy_heightmap_destroy(map);
}
