// Floors in tiles: obstacles that come and go, tiles that are loaded and unloaded.
#include "ploy/path/navmesh_tiles.h"

#include "ploy/path/navmesh_exact.h"
#include "tests/path/navmesh_help.h"

static ploy_navmesh_tiles *tiled(test_context *t, float radius, float side) {
    static const ploy_vec2 hall[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles *tiles = NULL;
    CHECK_OK(nav_tiled(hall, 4, side, radius, &env, &tiles));
    return tiles;
}

// A block of three to six corners.
static int32_t block(ploy_rng *rng, ploy_vec2 *corners) {
    int32_t count = ploy_rng_int(rng, 3, 6);
    float x = ploy_rng_range(rng, 2.0f, 38.0f), y = ploy_rng_range(rng, 2.0f, 28.0f);
    float turn = ploy_rng_range(rng, 0.0f, 6.28f), radius = ploy_rng_range(rng, 0.5f, 3.0f);
    for (int32_t k = 0; k < count; k++) {
        float sine, cosine;
        ploy_sincosf(turn + PLOY_TWO_PI_F * (float)k / (float)count, &sine, &cosine);
        corners[k] = ploy_vec2_make(x + radius * cosine, y + radius * sine);
    }
    return count;
}

static double shortest(test_context *t, const ploy_navmesh *mesh, ploy_vec2 from, ploy_vec2 to) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
    ploy_navmesh_exact *exact = NULL;
    ploy_navmesh_query *query = NULL;
    CHECK_OK(ploy_navmesh_exact_create(&def, mesh, &env, &exact));
    CHECK_OK(ploy_navmesh_query_create(mesh, &env, &query));
    CHECK_OK(ploy_navmesh_exact_begin(exact, nav_at(t, query, from.x, from.y),
                                      nav_at(t, query, to.x, to.y)));
    CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
    float length = 0.0f;
    bool found = ploy_navmesh_exact_outcome(exact, &length) == PLOY_PATH_FOUND;
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_exact_destroy(exact);
    return found ? (double)length : -1.0;
}

static uint64_t tiles_hash(const ploy_navmesh_tiles *tiles) {
    return nav_hash(ploy_navmesh_tiles_mesh(tiles));
}

TEST(tiles_are_joined_into_one_floor) {
    for (int32_t i = 0; i < 3; i++) {
        ploy_navmesh_tiles *tiles = tiled(t, 0.0f, 5.0f + 3.0f * (float)i);
        CHECK(ploy_navmesh_tiles_mesh(tiles) == NULL);
        CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles));
        CHECK_INT(stats.islands, 1);
        CHECK_INT(stats.t_junctions, 0);
        CHECK_NEAR(stats.area, 1200.0, 0.1);
        double way = shortest(t, ploy_navmesh_tiles_mesh(tiles), ploy_vec2_make(1, 1),
                              ploy_vec2_make(39, 29));
        CHECK_NEAR(way, sqrt(38.0 * 38.0 + 28.0 * 28.0), 1e-3);
        ploy_navmesh_tiles_destroy(tiles);
    }
}

// After any edits the floor is that of a fresh start with the same obstacles, and as good as a mesh
// that was built in one piece.
TEST(an_edited_floor_equals_one_made_at_once) {
    for (int64_t seed = 1; seed <= test_rounds(6); seed++) {
        TEST_SEED(seed);
        enum { BLOCKS = 10 };
        ploy_env env = ploy_env_default();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float radius = seed % 2 == 0 ? 0.0f : 0.4f;
        ploy_navmesh_tiles *edited = tiled(t, radius, 8.0f), *fresh = tiled(t, radius, 8.0f);
        ploy_vec2 corners[BLOCKS][6];
        int32_t counts[BLOCKS];
        ploy_id ids[BLOCKS];
        for (int32_t i = 0; i < BLOCKS; i++) {
            counts[i] = block(&rng, corners[i]);
            CHECK_OK(ploy_navmesh_tiles_add(edited, corners[i], counts[i], &ids[i]));
            if (i % 3 == 0) CHECK_OK(ploy_navmesh_tiles_refresh(edited, NULL));
        }
        for (int32_t i = 1; i < BLOCKS; i += 3) {
            CHECK_OK(ploy_navmesh_tiles_remove(edited, ids[i]));
            CHECK_INT(ploy_navmesh_tiles_remove(edited, ids[i]), PLOY_ERR_NOT_FOUND);
        }
        CHECK_OK(ploy_navmesh_tiles_refresh(edited, NULL));
        ploy_rings *hall = NULL, *blocks = NULL, *rest = NULL;
        ploy_arena *scratch = NULL;
        static const ploy_vec2 outline[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}};
        CHECK_OK(ploy_arena_create(0, 0, &env, &scratch));
        CHECK_OK(ploy_rings_create(&env, &hall));
        CHECK_OK(ploy_rings_create(&env, &blocks));
        CHECK_OK(ploy_rings_create(&env, &rest));
        CHECK_OK(ploy_rings_add(hall, outline, 4));
        for (int32_t i = 0; i < BLOCKS; i++) {
            if (i % 3 == 1) continue;
            CHECK_OK(ploy_navmesh_tiles_add(fresh, corners[i], counts[i], NULL));
            CHECK_OK(ploy_rings_add(blocks, corners[i], counts[i]));
        }
        CHECK_OK(ploy_navmesh_tiles_refresh(fresh, NULL));
        CHECK_UINT(tiles_hash(edited), tiles_hash(fresh));
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(edited));
        CHECK_INT(stats.skipped, 0);
        CHECK_INT(ploy_navmesh_tiles_stats_of(edited).obstacles,
                  ploy_navmesh_tiles_stats_of(fresh).obstacles);

        ploy_navmesh_def def = ploy_navmesh_def_default();
        ploy_navmesh *whole = NULL;
        def.radius = radius;
        CHECK_OK(ploy_rings_boolean(hall, blocks, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO,
                                    scratch, rest));
        CHECK_OK(
            ploy_navmesh_create_rings(&def, rest, PLOY_FILL_NON_ZERO, NULL, 0, &env, NULL, &whole));
        CHECK_NEAR(stats.area, ploy_navmesh_stats_of(whole).area, radius > 0.0f ? 2.0 : 0.05);
        for (int32_t i = 0; i < 10; i++) {
            ploy_vec2 a = {ploy_rng_range(&rng, 1, 39), ploy_rng_range(&rng, 1, 29)};
            ploy_vec2 b = {ploy_rng_range(&rng, 1, 39), ploy_rng_range(&rng, 1, 29)};
            double want = shortest(t, whole, a, b);
            double got = shortest(t, ploy_navmesh_tiles_mesh(edited), a, b);
            CHECK_NEAR(got, want, radius > 0.0f ? 0.2 + 0.01 * want : 1e-2);
        }
        ploy_navmesh_destroy(whole);
        ploy_rings_destroy(rest);
        ploy_rings_destroy(blocks);
        ploy_rings_destroy(hall);
        ploy_arena_destroy(scratch);
        ploy_navmesh_tiles_destroy(edited);
        ploy_navmesh_tiles_destroy(fresh);
    }
}

TEST(only_what_an_obstacle_touches_is_cut) {
    static const ploy_vec2 crate[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
    static const ploy_vec2 beam[] = {{7, 2}, {17, 2}, {17, 3}, {7, 3}};
    ploy_navmesh_tiles *tiles = tiled(t, 0.3f, 8.0f);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    ploy_navmesh_tiles_stats stats = ploy_navmesh_tiles_stats_of(tiles);
    CHECK_INT(stats.columns * stats.rows, stats.cut);
    uint64_t empty = tiles_hash(tiles);
    const ploy_navmesh *before = ploy_navmesh_tiles_mesh(tiles);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK(ploy_navmesh_tiles_mesh(tiles) == before); // nothing to do
    ploy_id id, other;
    CHECK_OK(ploy_navmesh_tiles_add(tiles, crate, 4, &id));
    CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).dirty, 1);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).cut, 1);
    CHECK_OK(ploy_navmesh_tiles_add(tiles, beam, 4, &other));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).cut, 3);
    CHECK_OK(ploy_navmesh_tiles_remove(tiles, id));
    CHECK_OK(ploy_navmesh_tiles_remove(tiles, other));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_UINT(tiles_hash(tiles), empty);
    ploy_navmesh_tiles_destroy(tiles);
}

TEST(a_refresh_in_slices_makes_the_same_mesh_and_keeps_the_old_one_until_then) {
    static const ploy_vec2 block_at[] = {{8, 8}, {22, 8}, {22, 12}, {8, 12}};
    static const ploy_vec2 late[] = {{30, 20}, {33, 20}, {33, 23}, {30, 23}};
    ploy_navmesh_tiles *sliced = tiled(t, 0.3f, 5.0f), *whole = tiled(t, 0.3f, 5.0f);
    CHECK_OK(ploy_navmesh_tiles_refresh(sliced, NULL));
    CHECK_OK(ploy_navmesh_tiles_add(sliced, block_at, 4, NULL));
    CHECK_OK(ploy_navmesh_tiles_add(whole, block_at, 4, NULL));
    CHECK_OK(ploy_navmesh_tiles_add(whole, late, 4, NULL));
    CHECK_OK(ploy_navmesh_tiles_refresh(whole, NULL));
    uint64_t before = tiles_hash(sliced), generation = ploy_navmesh_tiles_generation(sliced);
    int32_t dirty = ploy_navmesh_tiles_stats_of(sliced).dirty, calls = 0;
    CHECK(dirty >= 4);
    ploy_budget none = ploy_budget_units(0);
    CHECK_INT(ploy_navmesh_tiles_step(sliced, &none, NULL), PLOY_IN_PROGRESS);
    CHECK_INT(ploy_navmesh_tiles_stats_of(sliced).dirty, dirty);
    for (ploy_result result = PLOY_IN_PROGRESS; result == PLOY_IN_PROGRESS; calls++) {
        CHECK(tiles_hash(sliced) == before); // the old mesh stays as it was
        CHECK(ploy_navmesh_tiles_generation(sliced) == generation);
        CHECK_INT(ploy_navmesh_tiles_stats_of(sliced).dirty, dirty - calls > 0 ? dirty - calls : 0);
        if (calls == 2) { // a change in the middle is taken along
            CHECK_OK(ploy_navmesh_tiles_add(sliced, late, 4, NULL));
            dirty = ploy_navmesh_tiles_stats_of(sliced).dirty + calls;
        }
        ploy_budget one = ploy_budget_units(1);
        result = ploy_navmesh_tiles_step(sliced, &one, NULL);
        CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    }
    CHECK_INT(calls, dirty + 1); // each tile, and the mesh
    CHECK_INT(ploy_navmesh_tiles_stats_of(sliced).cut, dirty);
    CHECK(tiles_hash(sliced) == tiles_hash(whole));
    CHECK(ploy_navmesh_tiles_generation(sliced) != generation);
    ploy_navmesh_tiles_destroy(sliced);
    ploy_navmesh_tiles_destroy(whole);
}

TEST(unloaded_tiles_have_no_floor_and_come_back_the_same) {
    ploy_navmesh_tiles *tiles = tiled(t, 0.0f, 10.0f);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    uint64_t all = tiles_hash(tiles);
    ploy_vec2 a = ploy_vec2_make(5, 15), b = ploy_vec2_make(35, 15);
    CHECK_NEAR(shortest(t, ploy_navmesh_tiles_mesh(tiles), a, b), 30.0, 1e-3);
    CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 2, 1, false)); // x 20 to 30, y 10 to 20
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_NEAR(ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles)).area, 1100.0, 0.1);
    double round = sqrt(15.0 * 15.0 + 25.0) + 10.0 + sqrt(25.0 + 25.0);
    CHECK_NEAR(shortest(t, ploy_navmesh_tiles_mesh(tiles), a, b), round, 1e-3);
    CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 2, 0, false));
    CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 2, 2, false));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_INT(ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles)).islands, 2);
    for (int32_t y = 0; y < 3; y++) CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 2, y, true));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_UINT(tiles_hash(tiles), all);
    CHECK_INT(ploy_navmesh_tiles_set_loaded(tiles, 4, 0, true), PLOY_ERR_ARGUMENT);
    ploy_navmesh_tiles_destroy(tiles);
}

// Two halves of a hall, joined by two links that are switched one by one.
TEST(links_are_switched_one_by_one) {
    ploy_navmesh_tiles *tiles = tiled(t, 0.0f, 10.0f);
    ploy_navmesh_link links[2] = {
        ploy_navmesh_link_make(ploy_vec3_make(15, 5, 0), ploy_vec3_make(35, 5, 0)),
        ploy_navmesh_link_make(ploy_vec3_make(15, 25, 0), ploy_vec3_make(35, 25, 0))};
    ploy_id ids[2];
    for (int32_t y = 0; y < 3; y++) CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 2, y, false));
    for (int32_t i = 0; i < 2; i++) {
        links[i].two_way = 1;
        CHECK_OK(ploy_navmesh_tiles_add_link(tiles, &links[i], &ids[i]));
    }
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    uint64_t both = tiles_hash(tiles);
    static const struct {
        bool first, second;
        int32_t links, islands;
    } rows[] = {{true, false, 1, 1}, {false, false, 0, 2}, {false, true, 1, 1}, {true, true, 2, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_OK(ploy_navmesh_tiles_set_link(tiles, ids[0], rows[i].first));
        CHECK_OK(ploy_navmesh_tiles_set_link(tiles, ids[1], rows[i].second));
        uint64_t generation = ploy_navmesh_tiles_generation(tiles);
        CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
        CHECK(ploy_navmesh_tiles_generation(tiles) != generation);
        CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).cut, 0); // no tile is cut for a link
        CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).links, rows[i].links);
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles));
        CHECK_INT(stats.links, rows[i].links);
        CHECK_INT(stats.islands, rows[i].islands);
    }
    CHECK_UINT(tiles_hash(tiles), both);
    CHECK_OK(ploy_navmesh_tiles_remove_link(tiles, ids[1]));
    CHECK_INT(ploy_navmesh_tiles_remove_link(tiles, ids[1]), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_navmesh_tiles_set_link(tiles, ids[1], true), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_INT(ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles)).links, 1);
    links[0].from.x = NAN;
    CHECK_INT(ploy_navmesh_tiles_add_link(tiles, &links[0], NULL), PLOY_ERR_ARGUMENT);
    ploy_navmesh_tiles_destroy(tiles);
}

TEST(obstacles_that_are_none_are_refused) {
    static const ploy_vec2 flat[] = {{1, 1}, {2, 2}, {3, 3}};
    static const ploy_vec2 bad[] = {{1, 1}, {2, NAN}, {3, 3}};
    ploy_navmesh_tiles *tiles = tiled(t, 0.3f, 8.0f);
    CHECK_INT(ploy_navmesh_tiles_add(tiles, flat, 3, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_tiles_add(tiles, bad, 3, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_tiles_add(tiles, flat, 2, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_tiles_add(tiles, NULL, 3, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_tiles_remove(tiles, ploy_id_none()), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_navmesh_tiles_remove(tiles, ploy_id_make(7, 1)), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_navmesh_tiles_stats_of(tiles).obstacles, 0);
    ploy_navmesh_tiles_destroy(tiles);
}

static ploy_result tiles_nth(const ploy_env *env, void *arg) {
    static const ploy_vec2 room[] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    static const ploy_vec2 crate[] = {{3, 3}, {5, 3}, {5, 5}, {3, 5}};
    ploy_navmesh_tiles *tiles = NULL;
    (void)arg;
    ploy_result result = nav_tiled(room, 4, 4.0f, 0.3f, env, &tiles);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_add(tiles, crate, 4, NULL);
    ploy_navmesh_link jump =
        ploy_navmesh_link_make(ploy_vec3_make(1, 1, 0), ploy_vec3_make(7, 7, 0));
    if (result == PLOY_OK) result = ploy_navmesh_tiles_add_link(tiles, &jump, NULL);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    ploy_navmesh_tiles_destroy(tiles);
    return result;
}

TEST(making_tiles_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(tiles_nth, NULL);
}
