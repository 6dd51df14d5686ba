// Grids in blocks: entrances where blocks touch, and edits that make few blocks anew.
#include "ploy/path/grid_blocks.h"

#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_grid_blocks_fields(), NULL));
}

static ploy_grid_blocks *make_blocks(test_context *t, const ploy_grid_map *map, int32_t side) {
    ploy_env env = ploy_env_default();
    ploy_grid_blocks_def def = ploy_grid_blocks_def_default();
    def.side = side;
    ploy_grid_blocks *blocks = NULL;
    CHECK_OK(ploy_grid_blocks_create(&def, map, &env, &blocks));
    return blocks;
}

TEST(entrances_are_found_where_blocks_touch) {
    static const struct {
        const char *row, *map; // 8 x 4 in two blocks of 4 x 4
        int32_t places;
    } rows[] = {
        {"one stretch, one place on each side",
         "........"
         "........"
         "........"
         "........",
         2},
        {"two stretches",
         "........"
         "...#...."
         "........"
         "........",
         4},
        {"a wall",
         "...#...."
         "....#..."
         "...#...."
         "...#....",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tiles *tiles = maps_text(t, rows[i].map, 8, 4);
        ploy_grid_map *map = maps_grid(t, tiles, 1, false);
        ploy_grid_blocks *blocks = make_blocks(t, map, 4);
        CHECK_INT(ploy_grid_blocks_places(blocks), rows[i].places);
        ploy_grid_blocks_destroy(blocks);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(following_edits_is_as_good_as_starting_anew) {
    for (int64_t seed = 0; seed < test_rounds(8); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, ploy_rng_int(&rng, 3, 70), ploy_rng_int(&rng, 3, 70));
        maps_scatter(tiles, &rng, 0.25f);
        if (seed % 2 == 1) CHECK_OK(ploy_tiles_set_cost(tiles, 2, 3.0f));
        int32_t count = maps_count(tiles), side = ploy_rng_int(&rng, 4, 16);
        ploy_grid_map *map = maps_grid(t, tiles, 1 + (int32_t)(seed % 3), false);
        ploy_grid_blocks *blocks = make_blocks(t, map, side);
        for (int32_t turn = 0; turn < 5; turn++) {
            int32_t edits = turn == 3 ? 100 : ploy_rng_int(&rng, 1, 4); // 100: past the journal
            for (int32_t i = 0; i < edits; i++) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK_OK(ploy_tiles_set(tiles, cell, (uint8_t)ploy_rng_below(&rng, 3)));
            }
            CHECK_OK(ploy_grid_map_refresh(map));
            int32_t made = ploy_grid_blocks_refresh(blocks);
            if (edits < 5 && seed % 3 == 0) CHECK(made <= 3 * edits); // itself, and two beside it
            CHECK_INT(ploy_grid_blocks_refresh(blocks), 0);
            ploy_grid_blocks *fresh = make_blocks(t, map, side);
            CHECK_UINT(ploy_grid_blocks_hash(blocks), ploy_grid_blocks_hash(fresh));
            ploy_grid_blocks_destroy(fresh);
        }
        ploy_grid_blocks_destroy(blocks);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

static ploy_result create_one(const ploy_env *env, void *arg) {
    ploy_grid_blocks_def def = ploy_grid_blocks_def_default();
    ploy_grid_blocks *blocks = NULL;
    ploy_result result = ploy_grid_blocks_create(&def, arg, env, &blocks);
    ploy_grid_blocks_destroy(blocks);
    return result;
}

TEST(create_survives_failing_allocations_and_refuses_cut_corners) {
    ploy_tiles *tiles = maps_plain(t, 160, 160);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(create_one, map);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_grid_blocks_def def = ploy_grid_blocks_def_default();
    ploy_grid_blocks *blocks = NULL;
    CHECK_OK(ploy_grid_blocks_create(&def, map, &env, &blocks));
    int64_t bytes = 0;
    ploy_grid_blocks_memory(blocks, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    CHECK((double)bytes / (160.0 * 160.0) < 19.0);
    ploy_grid_blocks_destroy(blocks);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    ploy_tiles_def cut = ploy_tiles_def_default();
    cut.corners = PLOY_TILE_CORNERS_CUT;
    tiles = maps_make(t, &cut);
    map = maps_grid(t, tiles, 1, false);
    CHECK_INT(ploy_grid_blocks_create(&def, map, &env, &blocks), PLOY_ERR_UNSUPPORTED);
    CHECK(blocks == NULL);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
