// Grid maps: what they refuse, and that following edits is as good as starting anew.
#include "path/path_internal.h"
#include "ploy/path/grid_map.h"

#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_grid_map_fields(), NULL));
}

static ploy_result make_map(const ploy_tiles *tiles, int32_t size, bool tables,
                            ploy_grid_map **out) {
    ploy_env env = ploy_env_default();
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.size = size;
    def.tables = tables;
    return ploy_grid_map_create(&def, tiles, &env, out);
}

TEST(what_has_no_bitmaps_is_refused) {
    static const struct {
        const char *row;
        ploy_tile_neighbours neighbours;
        ploy_tile_corners corners;
        bool wrap, tables;
        float cost;
        ploy_result want;
    } rows[] = {
        {"a plain map", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CLEAR, false, true, 1.0f, PLOY_OK},
        {"hexagons", PLOY_TILE_HEX, PLOY_TILE_CORNERS_CLEAR, false, false, 1.0f,
         PLOY_ERR_UNSUPPORTED},
        {"wrapped", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CLEAR, true, false, 1.0f,
         PLOY_ERR_UNSUPPORTED},
        {"four ways", PLOY_TILE_FOUR, PLOY_TILE_CORNERS_CLEAR, false, false, 1.0f, PLOY_OK},
        {"tables of four ways", PLOY_TILE_FOUR, PLOY_TILE_CORNERS_CLEAR, false, true, 1.0f,
         PLOY_ERR_UNSUPPORTED},
        {"tables with corners cut", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CUT, false, true, 1.0f,
         PLOY_ERR_UNSUPPORTED},
        {"a whole cost", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CLEAR, false, false, 3.0f, PLOY_OK},
        {"tables with a cost", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CLEAR, false, true, 3.0f,
         PLOY_ERR_UNSUPPORTED},
        {"half a cost", PLOY_TILE_EIGHT, PLOY_TILE_CORNERS_CLEAR, false, false, 1.5f,
         PLOY_ERR_UNSUPPORTED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tiles_def def = ploy_tiles_def_default();
        def.neighbours = rows[i].neighbours;
        def.corners = rows[i].corners;
        def.wrap_x = rows[i].wrap;
        ploy_tiles *tiles = maps_make(t, &def);
        CHECK_OK(ploy_tiles_set(tiles, 9, 2));
        CHECK_OK(ploy_tiles_set_cost(tiles, 2, rows[i].cost));
        ploy_grid_map *map = NULL;
        CHECK_INT(make_map(tiles, 1, rows[i].tables, &map), rows[i].want);
        CHECK((map != NULL) == (rows[i].want == PLOY_OK));
        if (map != NULL) {
            CHECK_INT(ployi_grid_map_weighted(map), rows[i].cost > 1.0f);
            CHECK_INT(ployi_grid_map_prepared(map), rows[i].tables);
        }
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

static ploy_result create_one(const ploy_env *env, void *arg) {
    const ploy_tiles *tiles = arg;
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = ploy_tiles_cost(tiles, 2) == 1.0f;
    ploy_grid_map *map = NULL;
    ploy_result result = ploy_grid_map_create(&def, tiles, env, &map);
    ploy_grid_map_destroy(map);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    ploy_tiles *tiles = maps_plain(t, 20, 20);
    CHECK_OK(ploy_tiles_set(tiles, 7, 2));
    CHECK_FAIL_NTH(create_one, tiles);
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 3.0f));
    CHECK_FAIL_NTH(create_one, tiles);
    ploy_tiles_destroy(tiles);
}

TEST(following_edits_is_as_good_as_starting_anew) {
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, ploy_rng_int(&rng, 1, 140), ploy_rng_int(&rng, 1, 140));
        maps_scatter(tiles, &rng, 0.3f);
        int32_t count = maps_count(tiles), size = 1 + (int32_t)(seed % 3);
        ploy_grid_map *map = NULL;
        CHECK_OK(make_map(tiles, size, true, &map));
        for (int32_t turn = 0; turn < 8; turn++) {
            uint64_t before = ploy_tiles_generation(tiles), made = ploy_grid_map_generation(map);
            int32_t edits = turn == 5 ? 100 : ploy_rng_int(&rng, 1, 6); // 100: past the journal
            for (int32_t i = 0; i < edits; i++) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK_OK(ploy_tiles_set(tiles, cell, (uint8_t)ploy_rng_below(&rng, 2)));
            }
            CHECK_OK(ploy_grid_map_refresh(map));
            CHECK_INT(ploy_grid_map_generation(map) != made,
                      ploy_tiles_generation(tiles) != before);
            CHECK_OK(ploy_grid_map_prepare(map));
            ploy_grid_map *fresh = NULL;
            CHECK_OK(make_map(tiles, size, true, &fresh));
            CHECK_UINT(ployi_grid_map_hash(map), ployi_grid_map_hash(fresh));
            for (int32_t i = 0; i < 300; i++) {
                int32_t a = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                int32_t b = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK_INT(ploy_grid_map_connected(map, a, b), ploy_grid_map_connected(fresh, a, b));
                CHECK_INT(ploy_grid_map_fits(map, a), ployi_tiles_clearance(tiles, a) >= size);
                if (size == 1) {
                    ploy_tiles_refresh(tiles);
                    CHECK_INT(ploy_grid_map_connected(map, a, b),
                              ploy_tiles_connected(tiles, a, b));
                }
            }
            ploy_grid_map_destroy(fresh);
        }
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(costs_that_cannot_be_followed_leave_the_map_as_it_was) {
    ploy_tiles *tiles = maps_plain(t, 8, 8);
    ploy_grid_map *map = NULL;
    CHECK_OK(make_map(tiles, 1, true, &map));
    uint64_t before = ployi_grid_map_hash(map), generation = ploy_grid_map_generation(map);
    CHECK_OK(ploy_tiles_set(tiles, 3, 2));
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 1.25f));
    CHECK_INT(ploy_grid_map_refresh(map), PLOY_ERR_UNSUPPORTED);
    CHECK_UINT(ployi_grid_map_hash(map), before);
    CHECK_UINT(ploy_grid_map_generation(map), generation);
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 5.0f));
    CHECK_OK(ploy_grid_map_refresh(map));
    CHECK(ployi_grid_map_weighted(map));
    CHECK_OK(ploy_grid_map_prepare(map));
    CHECK(!ployi_grid_map_prepared(map)); // jumps are wrong on such a map
    CHECK_OK(ploy_tiles_set(tiles, 3, 1));
    CHECK_OK(ploy_grid_map_refresh(map));
    CHECK(!ployi_grid_map_weighted(map));
    CHECK_OK(ploy_grid_map_prepare(map));
    CHECK_UINT(ployi_grid_map_hash(map), before);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

static void sum_bytes(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(a_map_takes_as_much_as_the_header_says) {
    ploy_tiles *tiles = maps_plain(t, 512, 512);
    ploy_grid_map *map = NULL;
    CHECK_OK(make_map(tiles, 1, false, &map));
    size_t bytes = 0;
    ploy_grid_map_memory(map, sum_bytes, &bytes);
    CHECK((double)bytes / (512.0 * 512.0) < 5.6);
    ploy_grid_map_destroy(map);
    CHECK_OK(make_map(tiles, 1, true, &map));
    bytes = 0;
    ploy_grid_map_memory(map, sum_bytes, &bytes);
    CHECK((double)bytes / (512.0 * 512.0) < 37.7); // four landmarks
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
