// Scatter: distances, counts of the catalog, types, areas, limits.
#include "ploy/generate/dungeon.h"
#include "ploy/generate/heightmap.h"
#include "ploy/generate/scatter.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static ploy_scatter *run(test_context *t, const ploy_scatter_def *def, uint64_t seed,
                         const ploy_scatter_input *input, const ploy_placed **items,
                         int32_t *count) {
    ploy_env env = ploy_env_default();
    ploy_scatter *scatter = NULL;
    CHECK_OK(ploy_scatter_begin(def, ploy_rng_key_make(seed), input, NULL, &env, &scatter));
    CHECK_OK(ploy_scatter_step(scatter, NULL));
    *items = ploy_scatter_points(scatter, count);
    return scatter;
}

static double distance(const ploy_placed *a, const ploy_placed *b) {
    double dx = (double)a->position.x - (double)b->position.x;
    double dy = (double)a->position.y - (double)b->position.y;
    return sqrt(dx * dx + dy * dy);
}

TEST(rings_hold_the_known_number_of_discs) {
    CHECK_INT(ploy_scatter_ring_count(1.0f, 2.0f), 6);
    CHECK_INT(ploy_scatter_ring_count(1.0f, 2.5f), 7);
    CHECK_INT(ploy_scatter_ring_count(1.0f, 3.0f), 9);
    CHECK_INT(ploy_scatter_ring_count(1.0f, 4.0f), 12);
    CHECK_INT(ploy_scatter_ring_count(1.0f, 1.9f), 0);
}

TEST(counts_are_those_of_the_catalog) {
    static const struct {
        const char *row;
        float separation;
        int32_t tries;
        double mean; // of eight seeds
    } rows[] = {
        {"0.05 and 6", 0.05f, 6, 312}, {"0.05 and 12", 0.05f, 12, 341}, {"1 and 6", 1.0f, 6, 259},
        {"1 and 12", 1.0f, 12, 277},   {"2 and 12", 2.0f, 12, 246},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_scatter_def def = ploy_scatter_def_default();
        def.separation = rows[i].separation;
        def.tries = rows[i].tries;
        double sum = 0.0;
        enum { SEEDS = 40 };
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const ploy_placed *items;
            int32_t count;
            ploy_scatter_cancel(run(t, &def, seed, NULL, &items, &count));
            sum += count;
        }
        CHECK_NEAR(sum / SEEDS, rows[i].mean, 0.02 * rows[i].mean);
    }
}

// Every pair apart, every centre inside, and no active disc left.
static void check_apart(test_context *t, const ploy_scatter_def *def, const ploy_placed *items,
                        int32_t count, float gap) {
    for (int32_t i = 0; i < count; i++) {
        CHECK(items[i].position.x >= 0.0f && items[i].position.x <= def->width);
        CHECK(items[i].position.y >= 0.0f && items[i].position.y <= def->height);
        for (int32_t k = 0; k < i; k++) {
            double least = (double)(items[i].radius + items[k].radius + gap);
            if (distance(&items[i], &items[k]) < least - 1e-5) {
                CHECK_NEAR(distance(&items[i], &items[k]), least, 1e-5);
            }
        }
    }
}

TEST(discs_never_overlap_over_a_thousand_seeds) {
    for (int64_t seed = 0; seed < test_rounds(1000); seed++) {
        TEST_SEED(seed);
        ploy_scatter_def def = ploy_scatter_def_default();
        def.width = 24.0f + (float)(seed % 7);
        def.height = 18.0f;
        def.method = seed % 3 == 2 ? PLOY_SCATTER_REJECTION : PLOY_SCATTER_BRIDSON;
        def.source = (int32_t)(seed / 3 % 2);
        def.count = 60;
        def.order = (int32_t)(seed / 2 % 2);
        def.separation = (float)(seed % 5) * 0.4f;
        def.fixed_angle = seed % 11 == 0;
        def.centre_start = seed % 4 != 0;
        def.radius_min = seed % 2 == 0 ? 0.4f : 1.0f;
        def.whole_inside = seed % 13 == 0;
        def.restarts = seed % 6 == 0 ? 50 : 0;
        const ploy_placed *items;
        int32_t count;
        ploy_scatter *scatter = run(t, &def, (uint64_t)seed, NULL, &items, &count);
        CHECK(count >= (def.method == PLOY_SCATTER_REJECTION ? 60 : 20));
        check_apart(t, &def, items, count, 0.0f);
        CHECK(!ploy_scatter_outcome(scatter).partial);
        if (def.whole_inside) {
            for (int32_t i = 0; i < count; i++) {
                CHECK(items[i].position.x >= items[i].radius);
                CHECK(items[i].position.y <= def.height - items[i].radius);
            }
        }
        ploy_scatter_cancel(scatter);
    }
}

// A dense result: every place further than two diameters from all discs would still be free.
TEST(bridson_leaves_no_large_hole) {
    ploy_scatter_def def = ploy_scatter_def_default();
    for (uint64_t seed = 0; seed < 10; seed++) {
        TEST_SEED(seed);
        const ploy_placed *items;
        int32_t count;
        ploy_scatter *scatter = run(t, &def, seed, NULL, &items, &count);
        for (float y = 0.0f; y <= 40.0f; y += 0.5f) {
            for (float x = 0.0f; x <= 40.0f; x += 0.5f) {
                ploy_placed here = {{x, y}, 0.0f, 0.0f, 0};
                double nearest = 1e9;
                for (int32_t i = 0; i < count; i++) {
                    nearest = fmin(nearest, distance(&here, &items[i]));
                }
                CHECK(nearest < 3.6);
            }
        }
        ploy_scatter_cancel(scatter);
    }
}

TEST(types_keep_their_margins_and_forbidden_pairs) {
    static const ploy_scatter_type types[] = {{3, 0.5f, 1.0f}, {1, 1.0f, 1.5f}, {2, 0.2f, 0.3f}};
    static const float margins[] = {0.0f, 0.5f, 0.0f, 0.0f, 1.0f, 0.2f, 0.0f, 0.0f, 0.1f};
    static const bool forbidden[] = {false, false, false, false, false, true, false, false, false};
    ploy_scatter_types table = {types, 3, margins, forbidden, 4.0f};
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.types = &table;
    int32_t seen[3] = {0};
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_scatter_def def = ploy_scatter_def_default();
        def.method = (int32_t)(seed % 2);
        const ploy_placed *items;
        int32_t count;
        ploy_scatter *scatter = run(t, &def, (uint64_t)seed, &input, &items, &count);
        for (int32_t i = 0; i < count; i++) {
            int32_t a = items[i].type;
            CHECK(a >= 0 && a < 3);
            seen[a]++;
            CHECK(items[i].radius >= types[a].radius_min && items[i].radius <= types[a].radius_max);
            for (int32_t k = 0; k < i; k++) {
                int32_t b = items[k].type;
                float margin = fmaxf(margins[a * 3 + b], margins[b * 3 + a]);
                double least = (double)(items[i].radius + items[k].radius + margin);
                CHECK(distance(&items[i], &items[k]) >= least - 1e-5);
                bool pair = forbidden[a * 3 + b] || forbidden[b * 3 + a];
                if (pair) CHECK(distance(&items[i], &items[k]) >= 4.0 - 1e-5);
            }
        }
        ploy_scatter_cancel(scatter);
    }
    CHECK(seen[0] > 100 && seen[1] > 20 && seen[2] > 100);
}

TEST(wrong_types_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_scatter_def def = ploy_scatter_def_default();
    ploy_scatter_type type = {1, 0.5f, 1.0f};
    float margin = 0.0f;
    ploy_scatter_types table = {&type, 1, &margin, NULL, 0.0f};
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.types = &table;
    ploy_scatter *scatter = NULL;
    for (int32_t i = 0; i < 6; i++) {
        type = (ploy_scatter_type){1, 0.5f, 1.0f};
        margin = 0.0f;
        table.count = 1;
        if (i == 0) type.weight = 0.0f;
        if (i == 1) type.radius_min = 2.0f;
        if (i == 2) type.radius_max = NAN;
        if (i == 3) margin = -1.0f;
        if (i == 4) table.count = 0;
        if (i == 5) table.count = PLOY_SCATTER_TYPES + 1;
        CHECK_INT(ploy_scatter_begin(&def, ploy_rng_key_make(1), &input, NULL, &env, &scatter),
                  PLOY_ERR_ARGUMENT);
        CHECK(scatter == NULL);
    }
    ploy_placed bad = {{NAN, 0.0f}, 1.0f, 0.0f, 0};
    input.types = NULL;
    input.placed = &bad;
    input.placed_count = 1;
    CHECK_INT(ploy_scatter_begin(&def, ploy_rng_key_make(1), &input, NULL, &env, &scatter),
              PLOY_ERR_ARGUMENT);
}

TEST(areas_restrict_places) {
    static const ploy_vec2 corners[] = {{5, 5}, {35, 5}, {20, 35}};
    ploy_polygon triangle = ploy_polygon_make(corners, 3);
    float heights[41 * 41];
    for (int32_t i = 0; i < 41 * 41; i++) {
        int32_t x = i % 41;
        heights[i] = x < 20 ? (float)x * 0.1f : 2.0f + (float)(x - 20) * 2.0f; // then a cliff
    }
    ploy_scatter_terrain terrain = {ploy_heightfield_make(heights, 41, 41, ploy_vec2_make(0, 0), 1),
                                    0.5f, 100.0f, 0.5f};
    int32_t numbers[16];
    for (int32_t i = 0; i < 16; i++) numbers[i] = i % 4 + i / 4;
    ploy_scatter_tiles tiles = {ploy_content_none(), 3, 3}; // a diagonal
    tiles.content.kinds = PLOY_CONTENT_TILES;
    tiles.content.area = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(40, 40));
    tiles.content.tiles = numbers;
    tiles.content.tile_columns = tiles.content.tile_rows = 4;
    tiles.content.tile_size = 10.0f;
    for (int32_t which = 0; which < 3; which++) {
        ploy_scatter_input input;
        memset(&input, 0, sizeof input);
        input.area = which == 0   ? ploy_scatter_area_polygon(&triangle)
                     : which == 1 ? ploy_scatter_area_terrain(&terrain)
                                  : ploy_scatter_area_tiles(&tiles);
        ploy_scatter_def def = ploy_scatter_def_default();
        def.centre_start = false;
        def.restarts = 300; // tiles of a diagonal touch at corners only
        const ploy_placed *items;
        int32_t count;
        ploy_scatter *scatter = run(t, &def, 5, &input, &items, &count);
        CHECK(count > 40);
        check_apart(t, &def, items, count, 0.0f);
        bool visited[4] = {false};
        for (int32_t i = 0; i < count; i++) {
            ploy_vec2 at = items[i].position;
            if (which == 0) CHECK(ploy_polygon_contains(triangle, at));
            if (which == 1) CHECK(at.x >= 4.99f && at.x <= 20.01f);
            if (which == 2) {
                int32_t column = (int32_t)(at.x / 10.0f), row = (int32_t)(at.y / 10.0f);
                CHECK_INT(column + row, 3);
                visited[column] = true;
            }
        }
        if (which == 2) CHECK(visited[0] && visited[1] && visited[2] && visited[3]);
        ploy_scatter_cancel(scatter);
    }
}

TEST(placed_discs_stay_and_are_avoided) {
    ploy_placed house = {{20.0f, 20.0f}, 6.0f, 0.0f, 9};
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.placed = &house;
    input.placed_count = 1;
    for (int32_t method = 0; method < 2; method++) {
        ploy_scatter_def def = ploy_scatter_def_default();
        def.method = method;
        def.count = 100;
        const ploy_placed *items;
        int32_t count;
        ploy_scatter *scatter = run(t, &def, 2, &input, &items, &count);
        CHECK_INT(items[0].type, 9);
        CHECK(count > 80);
        check_apart(t, &def, items, count, 0.0f);
        ploy_scatter_cancel(scatter);
    }
}

TEST(limits_end_with_a_partial_result) {
    ploy_scatter_def def = ploy_scatter_def_default();
    const ploy_placed *items;
    int32_t count;
    def.max_points = 10;
    ploy_scatter *scatter = run(t, &def, 1, NULL, &items, &count);
    CHECK_INT(count, 10);
    CHECK_TEXT(ploy_scatter_outcome(scatter).limit, "max_points");
    ploy_scatter_cancel(scatter);
    def = ploy_scatter_def_default();
    def.method = PLOY_SCATTER_REJECTION;
    def.count = 5000; // far more than fit
    def.max_attempts = 3000;
    scatter = run(t, &def, 1, NULL, &items, &count);
    CHECK(count > 150 && count < 400);
    ploy_generate_outcome outcome = ploy_scatter_outcome(scatter);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, "max_attempts");
    CHECK_INT(outcome.attempts, 3000);
    CHECK_INT(outcome.rejected, 3000 - count);
    ploy_scatter_cancel(scatter);
}

// A dungeon's floor as the area of a scatter, through the front, as a recipe joins them.
TEST(things_are_scattered_on_the_floor_of_a_plan) {
    ploy_env env = ploy_env_default();
    ploy_generator dungeon, things;
    CHECK_OK(ploy_generator_run(ploy_dungeon_generator(), NULL, ploy_rng_key_make(3), NULL, NULL,
                                &env, &dungeon));
    ploy_content level = ploy_generator_content(dungeon);
    ploy_scatter_def def = ploy_scatter_def_default();
    def.method = PLOY_SCATTER_REJECTION; // growth does not cross walls
    def.width = 64.0f;
    def.height = 48.0f;
    def.radius_min = def.radius_max = 0.4f;
    CHECK_OK(ploy_generator_run(ploy_scatter_generator(), &def, ploy_rng_key_make(4), &level, NULL,
                                &env, &things));
    ploy_content content = ploy_generator_content(things);
    ploy_floor_plan_view plan = ploy_floor_plan_get(level.plan);
    CHECK(content.point_count > 20);
    for (int32_t i = 0; i < content.point_count; i++) {
        const ploy_placed *one = &content.points[i];
        int32_t left = (int32_t)floorf(one->position.x - one->radius), y = (int32_t)one->position.y;
        CHECK(plan.kinds[y * plan.width + (int32_t)one->position.x] != PLOY_PLAN_SOLID);
        CHECK(plan.kinds[y * plan.width + left] != PLOY_PLAN_SOLID);
    }
    ploy_generator_cancel(things);
    ploy_generator_cancel(dungeon);
}

TEST(things_are_scattered_on_ground_of_some_height_and_slope) {
    ploy_env env = ploy_env_default();
    ploy_generator hills, discs;
    CHECK_OK(ploy_generator_run(ploy_generators_find("hills"), NULL, ploy_rng_key_make(2), NULL,
                                NULL, &env, &hills));
    ploy_content land = ploy_generator_content(hills);
    ploy_heightfield field = ploy_heightmap_field(land.heights);
    ploy_scatter_def def = ploy_scatter_def_default();
    def.width = def.height = 127.0f;
    def.restarts = 500;
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(land.heights, &low, &high);
    def.height_min = low + 0.3f * (high - low);
    def.height_max = low + 0.7f * (high - low);
    def.slope_max = 0.5f;
    CHECK_OK(ploy_generator_run(ploy_scatter_generator(), &def, ploy_rng_key_make(2), &land, NULL,
                                &env, &discs));
    ploy_content placed = ploy_generator_content(discs);
    CHECK(placed.point_count > 50);
    for (int32_t i = 0; i < placed.point_count; i++) {
        float height = 0.0f, slope = 0.0f;
        CHECK(ploy_heightfield_height(&field, placed.points[i].position, &height));
        CHECK(ploy_heightfield_slope(&field, placed.points[i].position, &slope));
        CHECK(height >= def.height_min && height <= def.height_max && slope <= 0.5f);
    }
    ploy_generator_cancel(discs);
    ploy_generator_cancel(hills);
}

TEST(things_are_scattered_on_tiles_of_some_numbers) {
    ploy_env env = ploy_env_default();
    static const int32_t tiles[6] = {1, 2, 3, 3, 2, 9};
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_TILES;
    content.tile_columns = 3;
    content.tile_rows = 2;
    content.tiles = tiles;
    content.tile_size = 10.0f;
    content.area = ploy_box2_make(ploy_vec2_make(0.0f, 0.0f), ploy_vec2_make(30.0f, 20.0f));
    ploy_scatter_def def = ploy_scatter_def_default();
    def.method = PLOY_SCATTER_REJECTION;
    def.width = 30.0f;
    def.height = 20.0f;
    def.radius_min = def.radius_max = 0.5f;
    def.count = 80;
    def.tile_min = 2;
    def.tile_max = 3;
    ploy_generator discs;
    CHECK_OK(ploy_generator_run(ploy_scatter_generator(), &def, ploy_rng_key_make(5), &content,
                                NULL, &env, &discs));
    ploy_content placed = ploy_generator_content(discs);
    CHECK_INT(placed.point_count, 80);
    for (int32_t i = 0; i < placed.point_count; i++) {
        ploy_vec2 at = placed.points[i].position;
        int32_t tile = tiles[(int32_t)(at.y / 10.0f) * 3 + (int32_t)(at.x / 10.0f)];
        CHECK(tile == 2 || tile == 3);
    }
    ploy_generator_cancel(discs);
}
