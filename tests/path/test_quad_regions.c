// Quadtree regions: squares that cover the floor, edges that can be walked, paths that exist.
#include "ploy/path/quad_regions.h"

#include <math.h>

#include "ploy/search/search.h"
#include "tests/path/planners_help.h"

static bool same_kind(const ploy_tiles *tiles, ploy_quad_region square) {
    int32_t width = ploy_tiles_width(tiles);
    uint8_t kind = ploy_tiles_get(tiles, square.y * width + square.x);
    for (int32_t y = square.y; y < square.y + square.side; y++) {
        for (int32_t x = square.x; x < square.x + square.side; x++) {
            int32_t cell = ploy_tiles_cell(tiles, x, y);
            if (cell < 0 || ploy_tiles_get(tiles, cell) != kind) return false;
        }
    }
    return ploy_tiles_passable(tiles, square.y * width + square.x);
}

// Every passable cell is in exactly one square of one kind.
static void check_cover(test_context *t, const ploy_tiles *tiles, const ploy_quad_regions *quads) {
    ploy_representation view = ploy_quad_regions_view(quads);
    ploy_representation_body body = {0.0f, 1};
    int64_t covered = 0, passable = 0;
    for (int32_t i = 0; i < ploy_quad_regions_count(quads); i++) {
        ploy_quad_region square = ploy_quad_regions_at(quads, i);
        CHECK(same_kind(tiles, square));
        covered += (int64_t)square.side * square.side;
    }
    int32_t cells = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
    for (int32_t cell = 0; cell < cells; cell++) {
        ploy_vec3 at = ploy_vec3_from_vec2(ploy_tiles_localise(tiles, cell), 0.0f);
        int32_t state = view.quantise(view.user, at, &body);
        passable += ploy_tiles_passable(tiles, cell);
        CHECK((state >= 0) == ploy_tiles_passable(tiles, cell));
        if (state < 0) continue;
        ploy_quad_region square = ploy_quad_regions_at(quads, state);
        int32_t x = cell % ploy_tiles_width(tiles), y = cell / ploy_tiles_width(tiles);
        CHECK(x >= square.x && x < square.x + square.side);
        CHECK(y >= square.y && y < square.y + square.side);
    }
    CHECK_INT(covered, passable);
}

static bool reaches(test_context *t, const ploy_space *space, int32_t from, int32_t to,
                    double weight, double *cost) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    def.weight = weight;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    CHECK_OK(ploy_search_run(search, &query));
    bool found = ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND;
    if (found) (void)ploy_search_path(search, to, NULL, 0, cost);
    ploy_search_destroy(search);
    return found;
}

TEST(squares_cover_the_floor_and_lead_wherever_straight_steps_do) { // PTH-13, NTU-12
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.neighbours = PLOY_TILE_FOUR; // squares that touch at a corner are not joined
        def.width = 1 + (int32_t)ploy_rng_below(&rng, 40);
        def.height = 1 + (int32_t)ploy_rng_below(&rng, 40);
        def.origin = ploy_vec2_make(-3.0f, 7.0f);
        def.size = 0.5f;
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
        CHECK_OK(ploy_tiles_set_cost(tiles, 2, 3.0f));
        float walls = ploy_rng_range(&rng, 0.0f, 0.4f);
        int32_t cells = def.width * def.height;
        for (int32_t i = 0; i < cells; i++) {
            if (ploy_rng_chance(&rng, walls)) CHECK_OK(ploy_tiles_set(tiles, i, 0));
            if (ploy_rng_chance(&rng, 0.05f)) CHECK_OK(ploy_tiles_set(tiles, i, 2));
        }
        ploy_quad_regions *quads = NULL;
        CHECK_OK(ploy_quad_regions_create(tiles, &env, &quads));
        check_cover(t, tiles, quads);
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        ploy_space plain = ploy_tiles_space(&walker);
        ploy_representation view = ploy_quad_regions_view(quads);
        ploy_representation_body body = {0.0f, 1};
        for (int32_t i = 0; i < 20; i++) {
            int32_t a = (int32_t)ploy_rng_below(&rng, (uint32_t)cells);
            int32_t b = (int32_t)ploy_rng_below(&rng, (uint32_t)cells);
            if (!ploy_tiles_passable(tiles, a) || !ploy_tiles_passable(tiles, b)) continue;
            ploy_vec3 from = ploy_vec3_from_vec2(ploy_tiles_localise(tiles, a), 0.0f);
            ploy_vec3 to = ploy_vec3_from_vec2(ploy_tiles_localise(tiles, b), 0.0f);
            int32_t first = view.quantise(view.user, from, &body);
            int32_t last = view.quantise(view.user, to, &body);
            double want = 0.0, got = 0.0, least = 0.0;
            bool reachable = reaches(t, &plain, a, b, 1.0, &want);
            CHECK(reaches(t, &view.space, first, last, 1.0, &got) == reachable);
            if (!reachable) continue;
            CHECK(reaches(t, &view.space, first, last, 0.0, &least)); // Dijkstra
            CHECK_NEAR(got, least, 1e-9 * (1.0 + least));
        }
        // An edit shows after the squares were made again.
        for (int32_t i = 0; i < 5; i++) {
            int32_t cell = (int32_t)ploy_rng_below(&rng, (uint32_t)cells);
            CHECK_OK(ploy_tiles_set(tiles, cell, (uint8_t)ploy_rng_below(&rng, 3)));
        }
        uint64_t before = view.generation(view.user);
        CHECK_OK(ploy_quad_regions_rebuild(quads));
        CHECK(view.generation(view.user) != before);
        check_cover(t, tiles, quads);
        ploy_quad_regions_destroy(quads);
        ploy_tiles_destroy(tiles);
    }
}

TEST(every_edge_can_be_walked_between_the_centres) { // PTH-13
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        tile_level level;
        tile_level_make(t, 24, 0.15f, (uint64_t)seed, &level);
        ploy_quad_regions *quads = NULL;
        CHECK_OK(ploy_quad_regions_create(level.tiles, &env, &quads));
        ploy_representation view = ploy_quad_regions_view(quads);
        ploy_representation_body body = {0.0f, 1};
        int32_t faults = -1;
        CHECK_OK(ploy_representation_check(&view, &body, 0, 0.0f, 1, &env, NULL, 0, &faults));
        CHECK_INT(faults, 0);
        ploy_quad_regions_destroy(quads);
        ploy_tiles_destroy(level.tiles);
    }
}

TEST(an_open_field_is_one_square_and_takes_few_states) {
    ploy_env env = ploy_env_default();
    tile_level level;
    tile_level_make(t, 64, 0.0f, 1, &level);
    ploy_quad_regions *quads = NULL;
    CHECK_OK(ploy_quad_regions_create(level.tiles, &env, &quads));
    CHECK_INT(ploy_quad_regions_count(quads), 1);
    CHECK_OK(ploy_tiles_set(level.tiles, 0, 0));
    CHECK_OK(ploy_quad_regions_rebuild(quads));
    CHECK_INT(ploy_quad_regions_count(quads), 3 * 6); // three quarters on each of six levels
    ploy_quad_regions_destroy(quads);
    ploy_tiles_destroy(level.tiles);
}

TEST(planners_find_paths_over_squares) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        tile_level level;
        tile_level_make(t, 32, 0.2f, (uint64_t)seed, &level);
        ploy_quad_regions *quads = NULL;
        CHECK_OK(ploy_quad_regions_create(level.tiles, &env, &quads));
        ploy_representation view = ploy_quad_regions_view(quads);
        ploy_planners_def def = ploy_planners_def_default();
        ploy_planners *planners = NULL;
        CHECK_OK(level_planners(&def, &view, &env, &planners));
        ploy_path_service service = ploy_planners_service(planners);
        ploy_path *path = level_path(t);
        ploy_path_request request = level_ask_cells(&level, 0, 32 * 32 - 1);
        ploy_path_ticket ticket;
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        for (int32_t i = 0; outcome == PLOY_PATH_FOUND && i + 1 < ploy_path_count(path); i++) {
            ploy_vec3 a = ploy_vec3_from_vec2(ploy_path_point(path, i), 0.0f);
            ploy_vec3 b = ploy_vec3_from_vec2(ploy_path_point(path, i + 1), 0.0f);
            ploy_representation_body body = {0.0f, 1};
            CHECK(level.representation.clear(level.representation.user, a, b, &body));
        }
        ploy_path_destroy(path);
        ploy_planners_destroy(planners);
        ploy_quad_regions_destroy(quads);
        ploy_tiles_destroy(level.tiles);
    }
}

static ploy_result make_one(const ploy_env *env, void *arg) {
    const tile_level *level = arg;
    ploy_quad_regions *quads = NULL;
    ploy_result result = ploy_quad_regions_create(level->tiles, env, &quads);
    if (result == PLOY_OK) result = ploy_quad_regions_rebuild(quads);
    ploy_quad_regions_destroy(quads);
    return result;
}

TEST(bad_maps_are_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.neighbours = PLOY_TILE_HEX;
    ploy_tiles *hexagons = NULL;
    ploy_quad_regions *quads = NULL;
    CHECK_OK(ploy_tiles_create(&def, &env, &hexagons));
    CHECK_INT(ploy_quad_regions_create(hexagons, &env, &quads), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(ploy_quad_regions_create(NULL, &env, &quads), PLOY_ERR_ARGUMENT);
    ploy_tiles_destroy(hexagons);
    tile_level level;
    tile_level_make(t, 9, 0.3f, 4, &level);
    CHECK_FAIL_NTH(make_one, &level);
    test_counts counts = {0, 0, 0};
    env = test_counting_env(&counts);
    CHECK_OK(ploy_quad_regions_create(level.tiles, &env, &quads));
    int64_t told = 0;
    ploy_quad_regions_memory(quads, test_sum_memory, &told);
    CHECK_INT(told, counts.bytes);
    ploy_quad_regions_destroy(quads);
    CHECK_INT(counts.blocks, 0);
    ploy_tiles_destroy(level.tiles);
}
