// Map flooding.
#include "ploy/tactics/flood.h"
#include "tests/state.h"

#include <math.h>
#include <stdlib.h>

#include "ploy/base/rng.h"
#include "tests/test.h"

static ploy_flood *make_flood(test_context *t, const ploy_flood_def *def, const ploy_places *places,
                              const ploy_space *space) {
    ploy_env env = ploy_env_default();
    ploy_flood *flood = NULL;
    CHECK_OK(ploy_flood_create(def, places, space, &env, &flood));
    return flood;
}

TEST(two_cities_share_a_line) {
    ploy_places places = ploy_places_grid(11, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_flood_source cities[] = {{0, 10.0f}, {10, 4.0f}};
    for (int32_t mode = 0; mode < 4; mode++) {
        ploy_flood_def def = ploy_flood_def_default();
        def.type.threshold = 1.0f;
        def.contiguous = mode % 2 == 0;
        def.measure = (ploy_flood_measure)(mode / 2);
        ploy_flood *flood = make_flood(t, &def, &places, NULL);
        CHECK_OK(ploy_flood_run(flood, cities, 2));
        for (int32_t i = 0; i < 11; i++) CHECK_INT(ploy_flood_owner(flood, i), i > 7);
        CHECK_NEAR(ploy_flood_value(flood, 7), 1.25, 1e-6);
        CHECK_NEAR(ploy_flood_value(flood, 8), 1.3333, 1e-4);
        CHECK_INT(ploy_flood_count(flood, 0), 8);
        CHECK_INT(ploy_flood_count(flood, 1), 3);
        CHECK_INT(ploy_flood_cut(flood), 0);
        CHECK_OK(ploy_flood_run(flood, cities, 1)); // the strength falls to 1 at distance 9
        CHECK_INT(ploy_flood_count(flood, 0), 10);
        CHECK_INT(ploy_flood_owner(flood, 10), -1);
        CHECK(isnan(ploy_flood_value(flood, 10)));
        ploy_flood_destroy(flood);
    }
}

TEST(a_strong_city_reaches_past_a_weak_one_unless_territory_is_contiguous) {
    ploy_places places = ploy_places_grid(12, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_flood_source cities[] = {{0, 20.0f}, {6, 4.0f}};
    ploy_flood_def def = ploy_flood_def_default();
    ploy_flood *flood = make_flood(t, &def, &places, NULL);
    CHECK_OK(ploy_flood_run(flood, cities, 2)); // 6 keeps its place: the way on is closed
    CHECK_INT(ploy_flood_owner(flood, 6), 1);
    CHECK_INT(ploy_flood_owner(flood, 11), 1);
    ploy_flood_destroy(flood);
    def.contiguous = false;
    flood = make_flood(t, &def, &places, NULL);
    CHECK_OK(ploy_flood_run(flood, cities, 2)); // 20 / 12 beats 4 / 6
    CHECK_INT(ploy_flood_owner(flood, 6), 1);
    CHECK_INT(ploy_flood_owner(flood, 11), 0);
    ploy_flood_destroy(flood);
    def.contiguous = true;
    def.absorbs = true;
    cities[1].strength = 2.0f;
    flood = make_flood(t, &def, &places, NULL);
    CHECK_OK(ploy_flood_run(flood, cities, 2)); // 20 / 7 beats 2
    CHECK_INT(ploy_flood_count(flood, 0), 12);
    ploy_flood_destroy(flood);
}

// ---- random maps

typedef struct flood_level {
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_space space;
    ploy_places places;
    ploy_flood_source sources[12];
} flood_level;

static void make_level(test_context *t, uint64_t seed, flood_level *level) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = 24;
    def.height = 19;
    CHECK_OK(ploy_tiles_create(&def, &env, &level->tiles));
    CHECK_OK(ploy_tiles_set_cost(level->tiles, 2, 2.5f));
    for (int32_t i = 0; i < 24 * 19; i++) {
        float draw = ploy_rng_range(&rng, 0.0f, 1.0f);
        uint8_t kind = draw < 0.25f ? PLOY_TILE_BLOCKED : draw < 0.4f ? 2 : PLOY_TILE_OPEN;
        CHECK_OK(ploy_tiles_set(level->tiles, i, kind));
    }
    for (int32_t i = 0; i < 12; i++) {
        level->sources[i].place = ploy_rng_int(&rng, 0, 24 * 19 - 1);
        level->sources[i].strength = ploy_rng_range(&rng, 1.0f, 9.0f);
    }
    level->walker = ploy_tiles_walker_make(level->tiles, NULL);
    level->space = ploy_tiles_space(&level->walker);
    level->places = ploy_places_tiles(level->tiles);
}

// Dijkstra without a heap.
static void plain_distances(const flood_level *level, int32_t from, double *out) {
    int32_t count = level->places.count;
    bool *done = calloc((size_t)count, sizeof *done);
    ploy_edges edges;
    ploy_env env = ploy_env_default();
    ploy_edges_init(&edges, &env);
    for (int32_t i = 0; i < count; i++) out[i] = INFINITY;
    out[from] = 0.0;
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && out[i] < INFINITY && (best < 0 || out[i] < out[best])) best = i;
        }
        if (best < 0) break;
        done[best] = true;
        ploy_edges_clear(&edges);
        if (level->space.expand(level->space.user, best, &edges) != PLOY_OK) break;
        for (int32_t k = 0; k < edges.count; k++) {
            double to = out[best] + edges.view[k].cost;
            if (to < out[edges.view[k].to]) out[edges.view[k].to] = to;
        }
    }
    ploy_edges_fini(&edges);
    free(done);
}

TEST(a_flood_equals_one_dijkstra_for_each_city) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round + 1);
        flood_level level;
        make_level(t, (uint64_t)round + 1, &level);
        static double distances[12][24 * 19];
        for (int32_t c = 0; c < 12; c++) {
            plain_distances(&level, level.sources[c].place, distances[c]);
        }
        for (int32_t mode = 0; mode < 3; mode++) {
            ploy_flood_def def = ploy_flood_def_default();
            def.absorbs = true;
            def.contiguous = mode == 2; // nearest is the same either way
            def.nearest = mode >= 1;
            def.type.threshold = mode == 0 ? 0.4f : 0.0f;
            def.type.radius = mode == 0 ? INFINITY : 15.0f;
            ploy_flood *flood = make_flood(t, &def, &level.places, &level.space);
            CHECK_OK(ploy_flood_run(flood, level.sources, 12));
            for (int32_t i = 0; i < level.places.count; i++) {
                double best = -INFINITY;
                for (int32_t c = 0; c < 12; c++) {
                    double d = distances[c][i];
                    float value = mode == 0 ? level.sources[c].strength *
                                                  ploy_influence_type_share(&def.type, (float)d)
                                            : (float)-d;
                    bool ends = mode == 0 ? value < 0.4f : d > 15.0;
                    if (d < INFINITY && !ends && (double)value > best) best = (double)value;
                }
                if (best > -INFINITY) {
                    CHECK_NEAR(ploy_flood_value(flood, i), best, 1e-6);
                    int32_t owner = ploy_flood_owner(flood, i);
                    CHECK(distances[owner][i] < INFINITY);
                } else {
                    CHECK_INT(ploy_flood_owner(flood, i), -1);
                }
            }
            ploy_flood_destroy(flood);
        }
        ploy_tiles_destroy(level.tiles);
    }
}

// Every place is connected with its source through places of the same owner.
static void check_contiguous(test_context *t, const flood_level *level, const ploy_flood *flood) {
    int32_t count = level->places.count;
    int32_t *list = malloc((size_t)count * sizeof *list), size = 0;
    bool *joined = calloc((size_t)count, sizeof *joined);
    for (int32_t c = 0; c < 12; c++) {
        int32_t home = level->sources[c].place;
        if (ploy_flood_owner(flood, home) == c && !joined[home]) {
            joined[home] = true;
            list[size++] = home;
        }
    }
    for (int32_t i = 0; i < size; i++) {
        int32_t around[8], n = level->places.neighbours(&level->places, list[i], around, 8);
        for (int32_t k = 0; k < n; k++) {
            if (joined[around[k]]) continue;
            if (ploy_flood_owner(flood, around[k]) != ploy_flood_owner(flood, list[i])) continue;
            joined[around[k]] = true;
            list[size++] = around[k];
        }
    }
    for (int32_t i = 0; i < count; i++) CHECK(ploy_flood_owner(flood, i) < 0 || joined[i]);
    free(list);
    free(joined);
}

TEST(contiguous_territories_are_connected_and_slices_change_nothing) {
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round + 1);
        flood_level level;
        make_level(t, (uint64_t)round + 1, &level);
        for (int32_t mode = 0; mode < 4; mode++) {
            ploy_flood_def def = ploy_flood_def_default();
            def.measure = (ploy_flood_measure)(mode % 2);
            def.absorbs = mode / 2 == 1;
            def.type.threshold = 0.3f;
            ploy_flood *flood = make_flood(t, &def, &level.places, &level.space);
            ploy_flood *sliced = make_flood(t, &def, &level.places, &level.space);
            CHECK_OK(ploy_flood_run(flood, level.sources, 12));
            check_contiguous(t, &level, flood);
            CHECK_OK(ploy_flood_begin(sliced, level.sources, 12));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(1);
                result = ploy_flood_step(sliced, &budget);
            }
            CHECK_OK(result);
            for (int32_t i = 0; i < level.places.count; i++) {
                CHECK_INT(ploy_flood_owner(sliced, i), ploy_flood_owner(flood, i));
            }
            if (mode % 2 == 0) CHECK_INT(ploy_flood_cut(flood), 0);
            ploy_flood_destroy(flood);
            ploy_flood_destroy(sliced);
        }
        ploy_tiles_destroy(level.tiles);
    }
}

TEST(a_flood_fills_layers_and_refuses_wrong_places) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(5, 1, ploy_vec2_make(0, 0), 2.0f);
    ploy_flood_def def = ploy_flood_def_default();
    def.type.radius = 1.0f;
    ploy_flood *flood = make_flood(t, &def, &places, NULL);
    ploy_flood_source source = {1, 6.0f}, bad = {5, 1.0f}, weak = {0, NAN};
    CHECK_INT(ploy_flood_step(flood, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_flood_begin(flood, &bad, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_flood_begin(flood, &weak, 1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_flood_run(flood, &source, 1));
    ploy_tactics_layer *numbers = NULL, *owners = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &numbers));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &owners));
    CHECK_OK(ploy_flood_read(flood, numbers));
    CHECK_OK(ploy_flood_read(flood, owners));
    CHECK_SAME(ploy_tactics_layer_at(numbers, 1), 6.0);
    CHECK_SAME(ploy_tactics_layer_at(numbers, 2), 3.0);
    CHECK(isnan(ploy_tactics_layer_at(numbers, 3)));
    CHECK_SAME(ploy_tactics_layer_at(owners, 0), 1.0);
    CHECK_SAME(ploy_tactics_layer_at(owners, 4), 0.0);
    CHECK_OK(ploy_flood_run(flood, NULL, 0));
    CHECK_INT(ploy_flood_owner(flood, 1), -1);
    ploy_tactics_layer_destroy(numbers);
    ploy_tactics_layer_destroy(owners);
    ploy_flood_destroy(flood);
}

TEST(a_flood_is_saved_after_any_unit) {
    for (int32_t mode = 0; mode < 8; mode++) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
        ploy_flood_def def = ploy_flood_def_default();
        ploy_places places = ploy_places_grid(6, 5, ploy_vec2_make(0, 0), 1.0f);
        ploy_flood_source sources[3] = {{0, 5.0f}, {17, 3.0f}, {29, 4.0f}};
        def.contiguous = mode % 2 == 0;
        def.nearest = mode / 2 % 2 == 1;
        def.measure = mode < 4 ? PLOY_FLOOD_PATH : PLOY_FLOOD_STRAIGHT;
        ploy_flood *one = NULL, *two = NULL;
        CHECK_OK(ploy_flood_create(&def, &places, NULL, &env, &one));
        CHECK_OK(ploy_flood_create(&def, &places, NULL, &plain, &two));
        CHECK_OK(ploy_flood_begin(one, sources, 3));
        static const char *const skip[] = {"source", "order", NULL};
        state_check s = {ploy_flood_visit, one, NULL, skip, NULL};
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t unit = 0; result == PLOY_IN_PROGRESS && unit < 400; unit++) {
            t->row = "a unit";
            state_check_cover(t, &s);
            state_check_memory(t, &s, &counts);
            if (unit == 9) state_check_files(t, &s);
            state_check_copy(t, &s, two);
            CHECK_OK(ploy_flood_step(two, NULL)); // the copy goes on alone
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_flood_step(one, &budget);
        }
        CHECK_OK(result);
        CHECK_UINT(ploy_visit_hash(ploy_flood_visit, two, NULL), state_hash(&s));
        ploy_flood_destroy(one);
        ploy_flood_destroy(two);
        CHECK_INT(counts.bytes, 0);
    }
}

// ---- tiles are read directly

// The same space under another name, which the flood has to ask place by place.
static ploy_result ask_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_space *inner = user;
    return inner->expand(inner->user, state, out);
}

// Maps of all kinds: four, six and eight neighbours, every rule for corners, wrapped, down to one cell
// wide, with costs below and above 1.
static void make_any_level(test_context *t, uint64_t seed, flood_level *level) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = seed % 7 == 0 ? ploy_rng_int(&rng, 1, 3) : ploy_rng_int(&rng, 3, 40);
    def.height = seed % 11 == 0 ? ploy_rng_int(&rng, 1, 3) : ploy_rng_int(&rng, 3, 40);
    def.neighbours = (ploy_tile_neighbours)ploy_rng_int(&rng, 0, 2);
    def.corners = (ploy_tile_corners)ploy_rng_int(&rng, 0, 2);
    def.wrap_x = seed % 5 == 0 && def.width >= 3;
    CHECK_OK(ploy_tiles_create(&def, &env, &level->tiles));
    bool plain = ploy_rng_chance(&rng, 0.4f); // one cost alone
    CHECK_OK(ploy_tiles_set_cost(level->tiles, 2, 2.5f));
    CHECK_OK(ploy_tiles_set_cost(level->tiles, 3, 0.3f));
    CHECK_OK(ploy_tiles_set_cost(level->tiles, 4, 70.0f)); // beyond all buckets
    for (int32_t i = 0; i < def.width * def.height; i++) {
        uint8_t kind = ploy_rng_chance(&rng, 0.25f) ? PLOY_TILE_BLOCKED
                       : plain                      ? PLOY_TILE_OPEN
                                                    : (uint8_t)ploy_rng_int(&rng, 1, 4);
        CHECK_OK(ploy_tiles_set(level->tiles, i, kind));
    }
    for (int32_t i = 0; i < 12; i++) {
        level->sources[i].place = ploy_rng_int(&rng, 0, def.width * def.height - 1);
        level->sources[i].strength = ploy_rng_range(&rng, 1.0f, 9.0f);
    }
    level->walker = ploy_tiles_walker_make(level->tiles, NULL);
    level->space = ploy_tiles_space(&level->walker);
    level->places = ploy_places_tiles(level->tiles);
}

// Runs both floods to the end, unit by unit or at once, and compares them.
static void check_equal_floods(test_context *t, const flood_level *level, ploy_flood *one,
                               ploy_flood *two, int64_t slice) {
    CHECK_OK(ploy_flood_begin(one, level->sources, 12));
    CHECK_OK(ploy_flood_begin(two, level->sources, 12));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget first = ploy_budget_units(slice), second = ploy_budget_units(slice);
        result = ploy_flood_step(one, &first);
        CHECK_INT(ploy_flood_step(two, &second), result);
        CHECK_INT(first.spent, second.spent);
        CHECK_UINT(ploy_visit_hash(ploy_flood_visit, one, NULL),
                   ploy_visit_hash(ploy_flood_visit, two, NULL));
    }
    CHECK_OK(result);
}

TEST(a_flood_over_tiles_equals_one_that_asks_place_by_place) {
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round + 1);
        flood_level level;
        make_any_level(t, (uint64_t)round + 1, &level);
        ploy_space asked = level.space;
        asked.expand = ask_expand;
        asked.user = &level.space;
        CHECK(ploy_tiles_space_walker(&level.space) == &level.walker);
        CHECK(ploy_tiles_space_walker(&asked) == NULL);
        for (int32_t mode = 0; mode < 8; mode++) {
            ploy_flood_def def = ploy_flood_def_default();
            def.contiguous = mode % 2 == 0;
            def.nearest = mode / 2 % 2 == 1;
            def.measure = mode < 4 ? PLOY_FLOOD_PATH : PLOY_FLOOD_STRAIGHT;
            def.absorbs = round % 3 == 0;
            if (round % 4 == 0) def.type.radius = 9.0f;
            ploy_flood *one = make_flood(t, &def, &level.places, &level.space);
            ploy_flood *two = make_flood(t, &def, &level.places, &asked);
            check_equal_floods(t, &level, one, two, 13);
            // Edited maps are read again, also if only a cost changed; so are other walkers.
            int32_t cell = (int32_t)(round * 7 % level.places.count);
            uint8_t kind = ploy_tiles_get(level.tiles, cell);
            CHECK_OK(ploy_tiles_set(level.tiles, cell, kind == PLOY_TILE_BLOCKED ? 1 : 0));
            check_equal_floods(t, &level, one, two, INT64_MAX);
            CHECK_OK(ploy_tiles_set_cost(level.tiles, 1, 0.5f + (float)mode));
            check_equal_floods(t, &level, one, two, INT64_MAX);
            float costs[PLOY_TILE_KINDS];
            for (int32_t i = 0; i < PLOY_TILE_KINDS; i++) costs[i] = (float)(1 + i % 3);
            level.walker.costs = costs;
            check_equal_floods(t, &level, one, two, INT64_MAX);
            level.walker.costs = NULL;
            check_equal_floods(t, &level, one, two, INT64_MAX);
            ploy_flood_destroy(one);
            ploy_flood_destroy(two);
        }
        ploy_tiles_destroy(level.tiles);
    }
}

TEST(a_flood_over_tiles_is_saved_after_any_unit) {
    for (int32_t round = 0; round < 3; round++) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
        flood_level level;
        ploy_flood_def def = ploy_flood_def_default();
        make_level(t, (uint64_t)round + 50, &level);
        def.nearest = true;
        ploy_flood *one = NULL, *two = NULL;
        CHECK_OK(ploy_flood_create(&def, &level.places, &level.space, &env, &one));
        CHECK_OK(ploy_flood_create(&def, &level.places, &level.space, &plain, &two));
        CHECK_OK(ploy_flood_begin(one, level.sources, 12));
        static const char *const skip[] = {"source", "order", NULL};
        state_check s = {ploy_flood_visit, one, NULL, skip, NULL};
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t unit = 0; result == PLOY_IN_PROGRESS; unit++) {
            if (unit % 20 == 0) {
                state_check_cover(t, &s);
                state_check_memory(t, &s, &counts);
            }
            state_check_copy(t, &s, two);
            CHECK_OK(ploy_flood_step(two, NULL)); // the copy goes on alone
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_flood_step(one, &budget);
        }
        CHECK_OK(result);
        CHECK_UINT(ploy_visit_hash(ploy_flood_visit, two, NULL), state_hash(&s));
        ploy_flood_destroy(one);
        ploy_flood_destroy(two);
        CHECK_INT(counts.bytes, 0);
        ploy_tiles_destroy(level.tiles);
    }
}

static ploy_result flood_body(const ploy_env *env, void *arg) {
    ploy_flood_def def = ploy_flood_def_default();
    ploy_flood_source sources[2] = {{0, 5.0f}, {3, 2.0f}};
    ploy_flood *flood = NULL;
    ploy_result result = ploy_flood_create(&def, arg, NULL, env, &flood);
    if (result == PLOY_OK) result = ploy_flood_run(flood, sources, 2);
    ploy_flood_destroy(flood);
    return result;
}

static ploy_result flood_tiles_body(const ploy_env *env, void *arg) {
    const flood_level *level = arg;
    ploy_flood_def def = ploy_flood_def_default();
    ploy_flood *flood = NULL;
    def.nearest = true;
    ploy_result result = ploy_flood_create(&def, &level->places, &level->space, env, &flood);
    if (result == PLOY_OK) result = ploy_flood_run(flood, level->sources, 12);
    ploy_flood_destroy(flood);
    return result;
}

TEST(floods_survive_failing_allocations_and_stay_warm) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(flood_body, &places);
    flood_level level;
    make_level(t, 3, &level);
    CHECK_FAIL_NTH(flood_tiles_body, &level);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_flood_def def = ploy_flood_def_default();
    for (int32_t mode = 0; mode < 8; mode++) { // of every kind, over tiles
        def.nearest = (mode & 1) != 0;
        def.contiguous = (mode & 2) != 0;
        def.measure = (ploy_flood_measure)(mode / 4);
        ploy_flood *warm = NULL;
        CHECK_OK(ploy_flood_create(&def, &level.places, &level.space, &env, &warm));
        CHECK_OK(ploy_flood_run(warm, level.sources, 12));
        int64_t before = counts.calls;
        for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_flood_run(warm, level.sources, 12));
        CHECK_INT(counts.calls, before);
        ploy_flood_destroy(warm);
    }
    CHECK_INT(counts.bytes, 0);
    ploy_tiles_destroy(level.tiles);
    def = ploy_flood_def_default();
    ploy_flood_source sources[2] = {{0, 5.0f}, {3, 2.0f}};
    ploy_flood *flood = NULL;
    CHECK_OK(ploy_flood_create(&def, &places, NULL, &env, &flood));
    CHECK_OK(ploy_flood_run(flood, sources, 2));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 10; i++) CHECK_OK(ploy_flood_run(flood, sources, 2));
    CHECK_INT(counts.calls, calls);
    int64_t bytes = 0;
    ploy_flood_memory(flood, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_flood_destroy(flood);
}
