// Visibility maps.
#include "ploy/tactics/sight_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/rng.h"
#include "ploy/geom/visibility.h"
#include "tests/test.h"

static ploy_sight_map *make_sight(test_context *t, const ploy_sight_map_def *def,
                                  const ploy_places *places) {
    ploy_env env = ploy_env_default();
    ploy_sight_map *map = NULL;
    CHECK_OK(ploy_sight_map_create(def, places, &env, &map));
    return map;
}

static ploy_tiles *random_tiles(test_context *t, uint64_t seed, int32_t width, int32_t height,
                                float walls) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = width;
    def.height = height;
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    for (int32_t i = 0; i < width * height; i++) {
        float draw = ploy_rng_range(&rng, 0.0f, 1.0f);
        if (draw < walls) CHECK_OK(ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED));
    }
    return tiles;
}

// The reference: the line touches an open cell in each row (or column) between its ends.
static bool plain_open(const ploy_tiles *tiles, int32_t x, int32_t y) {
    return ploy_tiles_passable(tiles, ploy_tiles_cell(tiles, x, y));
}

static bool plain_sees(const ploy_tiles *tiles, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    int32_t dx = x1 - x0, dy = y1 - y0, n = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    for (int32_t i = 1; i < n; i++) {
        int32_t side = abs(dx) > abs(dy) ? dy : dx; // crossing at side * i / n
        int32_t doubled = 2 * side * i, low = (doubled - n) / (2 * n) - 1;
        bool open = false;
        for (int32_t c = low; c <= low + 3; c++) {
            if (abs(doubled - 2 * n * c) > n) continue;
            open = open || (abs(dx) > abs(dy) ? plain_open(tiles, x0 + (dx < 0 ? -i : i), y0 + c)
                                              : plain_open(tiles, x0 + c, y0 + (dy < 0 ? -i : i)));
        }
        if (!open) return false;
    }
    return true;
}

static void check_from(test_context *t, const ploy_tiles *tiles, ploy_sight_map *map, int32_t from,
                       uint8_t *seen, bool lines) {
    int32_t width = ploy_tiles_width(tiles), count = width * ploy_tiles_height(tiles), want = 0;
    int32_t got = ploy_sight_map_mark(map, from, seen);
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_tiles_passable(tiles, i)) {
            CHECK_INT(seen[i], 0);
            continue;
        }
        bool sees = plain_sees(tiles, from % width, from / width, i % width, i / width);
        if (seen[i] != sees) printf("from %d to %d\n", from, i);
        CHECK_INT(seen[i], sees);
        if (lines) CHECK_INT(ploy_sight_map_sees(map, from, i), sees);
        want += sees && i != from;
    }
    CHECK_INT(got, want);
    CHECK_SAME(ploy_sight_map_at(map, from), want);
}

TEST(shadow_casting_equals_the_lines_and_is_symmetric) {
    static const float densities[] = {0.02f, 0.1f, 0.3f, 0.5f};
    for (int64_t round = 0; round < test_rounds(12); round++) {
        TEST_SEED(round + 1);
        ploy_tiles *tiles = random_tiles(t, (uint64_t)round + 1, 17 + (int32_t)(round % 60), 23,
                                         densities[round % 4]);
        ploy_places places = ploy_places_tiles(tiles);
        ploy_sight_map_def def = ploy_sight_map_def_default();
        ploy_sight_map *map = make_sight(t, &def, &places);
        size_t count = (size_t)places.count;
        uint8_t *seen = malloc(count * count);
        for (int32_t i = 0; i < places.count; i++) {
            if (places.open(&places, i)) {
                check_from(t, tiles, map, i, seen + (size_t)i * count, round % 6 == 0);
            } else {
                CHECK_INT(ploy_sight_map_mark(map, i, seen + (size_t)i * count), 0);
            }
        }
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < a; b++) CHECK_INT(seen[a * count + b], seen[b * count + a]);
        }
        free(seen);
        ploy_sight_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

static ploy_tiles *read_map(test_context *t, const char *name) {
    char path[512];
    if (test_data_dir() == NULL) return NULL;
    snprintf(path, sizeof path, "%s/maps/%s.map", test_data_dir(), name);
    char *text = test_read_file(path, NULL);
    if (text == NULL) return NULL;
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL;
    const char *at = strstr(text, "height ");
    def.height = atoi(at + 7);
    def.width = atoi(strstr(text, "width ") + 6);
    at = strstr(at, "map") + 3;
    while (*at == '\r' || *at == '\n') at++;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    for (int32_t y = 0; y < def.height; y++) {
        for (int32_t x = 0; x < def.width; x++, at++) {
            bool open = *at == '.' || *at == 'G' || *at == 'S';
            if (!open) CHECK_OK(ploy_tiles_set(tiles, y * def.width + x, PLOY_TILE_BLOCKED));
        }
        while (*at == '\r' || *at == '\n') at++;
    }
    free(text);
    return tiles;
}

// Sums over the pairs that see each other, in one direction and in the other: equal if sight is symmetric.
static void add_pairs(uint32_t from, const uint8_t *seen, int32_t count, uint64_t sums[2]) {
    for (uint32_t to = 0; to < (uint32_t)count; to++) {
        if (!seen[to]) continue;
        uint32_t forth[2] = {from, to}, back[2] = {to, from};
        sums[0] += ploy_hash_bytes(forth, sizeof forth, 1);
        sums[1] += ploy_hash_bytes(back, sizeof back, 1);
    }
}

// From every cell in the soak, from some in the suite.
TEST(shadow_casting_equals_the_lines_on_real_maps) {
    static const char *const names[] = {"dao/arena", "dao/ost003d", "da2/ht_chantry",
                                        "cities/Berlin_0_256"};
    bool every = test_rounds(1) > 1;
    for (size_t m = 0; m < COUNT_OF(names); m++) {
        t->row = names[m];
        ploy_tiles *tiles = read_map(t, names[m]);
        if (tiles == NULL) {
            test_skip(t, "no maps");
            return;
        }
        ploy_places places = ploy_places_tiles(tiles);
        ploy_sight_map_def def = ploy_sight_map_def_default();
        ploy_sight_map *map = make_sight(t, &def, &places);
        uint8_t *seen = malloc((size_t)places.count);
        uint64_t sums[2] = {0, 0};
        ploy_rng rng = ploy_rng_make(m + 1);
        for (int32_t i = 0; i < (every ? places.count : 24); i++) {
            int32_t from = every ? i : ploy_rng_int(&rng, 0, places.count - 1);
            if (!places.open(&places, from)) continue;
            check_from(t, tiles, map, from, seen, false);
            if (every) add_pairs((uint32_t)from, seen, places.count, sums);
        }
        CHECK_UINT(sums[0], sums[1]);
        free(seen);
        ploy_sight_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(an_empty_map_is_seen_everywhere) {
    static const int32_t sizes[][2] = {{1, 1}, {7, 5}, {1, 9}, {70, 66}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        ploy_env env = ploy_env_default();
        int32_t count = sizes[i][0] * sizes[i][1];
        ploy_places places = ploy_places_grid(sizes[i][0], sizes[i][1], ploy_vec2_make(0, 0), 1.0f);
        ploy_sight_map_def def = ploy_sight_map_def_default();
        ploy_sight_map *map = make_sight(t, &def, &places);
        ploy_tactics_layer *layer = NULL, *slices = NULL;
        CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &layer));
        CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &slices));
        CHECK_OK(ploy_sight_map_run(map, layer));
        for (int32_t k = 0; k < count; k++) CHECK_SAME(ploy_tactics_layer_at(layer, k), count - 1);
        CHECK_OK(ploy_sight_map_begin(map, slices));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_sight_map_step(map, &budget);
        }
        CHECK_OK(result);
        CHECK_BYTES(ploy_tactics_layer_numbers(slices), ploy_tactics_layer_numbers(layer),
                    (size_t)count * sizeof(float));
        CHECK_INT(ploy_sight_map_step(map, NULL), PLOY_ERR_STATE);
        ploy_tactics_layer_destroy(layer);
        ploy_tactics_layer_destroy(slices);
        ploy_sight_map_destroy(map);
    }
}

TEST(samples_converge_and_important_places_count_alone) {
    ploy_tiles *tiles = random_tiles(t, 8, 30, 30, 0.1f);
    ploy_places places = ploy_places_tiles(tiles);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_sight_map *exact = make_sight(t, &def, &places);
    def.mode = PLOY_SIGHT_RANDOM;
    def.samples = 4000;
    ploy_sight_map *sampled = make_sight(t, &def, &places);
    def.mode = PLOY_SIGHT_IMPORTANT;
    ploy_sight_map *listed = make_sight(t, &def, &places);
    int32_t list[900], from = 0, seen = 0;
    while (!places.open(&places, from)) from++;
    for (int32_t i = 0; i < 900; i++) list[i] = i;
    CHECK_NEAR(ploy_sight_map_at(sampled, from), ploy_sight_map_at(exact, from), 20.0);
    CHECK_OK(ploy_sight_map_set_important(listed, list, 900));
    CHECK_SAME(ploy_sight_map_at(listed, from), ploy_sight_map_at(exact, from));
    CHECK_OK(ploy_sight_map_set_important(listed, list + 40, 9));
    for (int32_t i = 40; i < 49; i++) seen += ploy_sight_map_sees(exact, from, i) && i != from;
    CHECK_SAME(ploy_sight_map_at(listed, from), seen);
    list[0] = 900;
    CHECK_INT(ploy_sight_map_set_important(listed, list, 1), PLOY_ERR_ARGUMENT);
    ploy_sight_map_destroy(exact);
    ploy_sight_map_destroy(sampled);
    ploy_sight_map_destroy(listed);
    // An empty map: every sample is seen, so the estimate is exact.
    ploy_places empty = ploy_places_grid(12, 9, ploy_vec2_make(0, 0), 1.0f);
    def.mode = PLOY_SIGHT_RANDOM;
    def.samples = 5;
    sampled = make_sight(t, &def, &empty);
    CHECK_SAME(ploy_sight_map_at(sampled, 50), 107.0);
    ploy_sight_map_destroy(sampled);
    ploy_tiles_destroy(tiles);
}

TEST(a_radius_limits_sight) {
    ploy_places places = ploy_places_grid(31, 31, ploy_vec2_make(0, 0), 1.0f);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    def.radius = 10.0f;
    ploy_sight_map *map = make_sight(t, &def, &places);
    int32_t want = 0;
    for (int32_t i = 0; i < 961; i++) {
        int32_t dx = i % 31 - 15, dy = i / 31 - 15;
        bool inside = dx * dx + dy * dy <= 100;
        want += inside && i != 15 * 31 + 15;
        CHECK_INT(ploy_sight_map_sees(map, 15 * 31 + 15, i), inside);
    }
    CHECK_SAME(ploy_sight_map_at(map, 15 * 31 + 15), want);
    ploy_sight_map_destroy(map);
}

TEST(hills_hide_what_is_behind_them) {
    float heights[11 * 11];
    for (int32_t i = 0; i < 121; i++) heights[i] = i % 11 == 5 ? 10.0f : 0.0f; // a ridge
    ploy_heightfield field = ploy_heightfield_make(heights, 11, 11, ploy_vec2_make(0, 0), 1.0f);
    ploy_places places = ploy_places_grid(10, 10, ploy_vec2_make(0, 0), 1.0f);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_sight_map *map = make_sight(t, &def, &places);
    CHECK(ploy_sight_map_sees(map, 11, 18));
    ploy_sight_map_set_heights(map, &field);
    CHECK(!ploy_sight_map_sees(map, 11, 18));
    CHECK(ploy_sight_map_sees(map, 11, 13));
    CHECK_SAME(ploy_sight_map_at(map, 0), 49.0); // its own side of the ridge, five columns
    ploy_sight_map_set_heights(map, NULL);
    CHECK_SAME(ploy_sight_map_at(map, 0), 99.0);
    ploy_sight_map_destroy(map);
}

TEST(rays_measure_the_area_of_the_visibility_polygon) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_arena_create(1 << 20, 0, &env, &arena));
    CHECK_OK(ploy_rings_create(&env, &rings));
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        ploy_plain_scene_def def = ploy_plain_scene_def_default();
        ploy_plain_scene *scene = NULL;
        CHECK_OK(ploy_plain_scene_create(&def, &env, &scene));
        for (int32_t i = 0; i < 8; i++) {
            float x = ploy_rng_range(&rng, 4.0f, 20.0f), y = ploy_rng_range(&rng, -20.0f, 20.0f);
            float dx = ploy_rng_range(&rng, -6.0f, 6.0f), dy = ploy_rng_range(&rng, -6.0f, 6.0f);
            if (i % 2 == 0) x = -x;
            CHECK_OK(ploy_plain_scene_add_segment(scene, ploy_vec2_make(x, y),
                                                  ploy_vec2_make(x + dx, y + dy), 1, NULL));
        }
        ploy_plain_scene_tidy(scene);
        ploy_visibility_def look = ploy_visibility_def_default();
        look.radius = 30.0f;
        look.tolerance = 0.01f;
        CHECK_OK(ploy_visibility_find_scene(&look, ploy_vec2_make(0, 0), scene, UINT32_MAX, arena,
                                            rings));
        ploy_scene view = ploy_plain_scene_interface(scene);
        ploy_sight_rays rays =
            ploy_sight_rays_cast(&view, ploy_vec3_make(0, 0, 0), 30.0f, 720, UINT32_MAX);
        double want = (double)ploy_rings_area(rings);
        CHECK_NEAR(rays.area, want, 0.01 * want);
        CHECK(rays.hits <= 720 && rays.mean <= 30.0f);
        ploy_plain_scene_destroy(scene);
        ploy_arena_reset(arena);
    }
    ploy_rings_destroy(rings);
    ploy_arena_destroy(arena);
}

static ploy_result sight_body(const ploy_env *env, void *arg) {
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_sight_map *map = NULL;
    int32_t place = 3;
    ploy_result result = ploy_sight_map_create(&def, arg, env, &map);
    if (result == PLOY_OK) result = ploy_sight_map_set_important(map, &place, 1);
    TEST_REPORT(result, env, map, ploy_sight_map_memory);
    ploy_sight_map_destroy(map);
    return result;
}

TEST(creating_a_sight_map_survives_failing_allocations) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(sight_body, &places);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    def.mode = PLOY_SIGHT_RAYS; // without a radius
    ploy_env env = ploy_env_default();
    ploy_sight_map *map = NULL;
    CHECK_INT(ploy_sight_map_create(&def, &places, &env, &map), PLOY_ERR_ARGUMENT);
    def.radius = 20.0f;
    def.samples = 64;
    map = make_sight(t, &def, &places);
    CHECK_SAME(ploy_sight_map_at(map, 2), 20.0); // nothing blocks
    ploy_sight_map_destroy(map);
}

TEST(a_sight_map_allocates_nothing_once_it_is_made) {
    ploy_tiles *tiles = random_tiles(t, 3, 40, 30, 0.2f);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_places places = ploy_places_tiles(tiles);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_sight_map *map = NULL;
    ploy_tactics_layer *layer = NULL;
    CHECK_OK(ploy_sight_map_create(&def, &places, &env, &map));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &layer));
    int64_t before = counts.calls;
    CHECK_OK(ploy_sight_map_run(map, layer));
    ploy_sight_map_refresh(map);
    CHECK_OK(ploy_sight_map_run(map, layer));
    CHECK_INT(counts.calls, before);
    ploy_tactics_layer_destroy(layer);
    ploy_sight_map_destroy(map);
    CHECK_INT(counts.bytes, 0);
    ploy_tiles_destroy(tiles);
}
