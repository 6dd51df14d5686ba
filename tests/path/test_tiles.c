// Tiles: places and cells, edits, what hangs together, clearance.
#include "path/path_internal.h"
#include "ploy/path/tiles.h"

#include "ploy/geom/draw.h"
#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_tiles_fields(), NULL));
}

TEST(create_refuses_maps_that_cannot_be) {
    static const struct {
        const char *row;
        int32_t width, height;
        ploy_tile_neighbours neighbours;
        bool wrap;
        float size;
        ploy_result want;
    } rows[] = {
        {"the smallest", 1, 1, PLOY_TILE_EIGHT, false, 1.0f, PLOY_OK},
        {"no cell", 0, 4, PLOY_TILE_EIGHT, false, 1.0f, PLOY_ERR_ARGUMENT},
        {"too many cells", 1 << 20, 1 << 10, PLOY_TILE_EIGHT, false, 1.0f, PLOY_ERR_ARGUMENT},
        {"wrapped onto itself", 2, 8, PLOY_TILE_EIGHT, true, 1.0f, PLOY_ERR_ARGUMENT},
        {"hexagons wrapped over odd rows", 8, 5, PLOY_TILE_HEX, true, 1.0f, PLOY_ERR_ARGUMENT},
        {"hexagons wrapped over even rows", 8, 6, PLOY_TILE_HEX, true, 1.0f, PLOY_OK},
        {"a size that is none", 4, 4, PLOY_TILE_EIGHT, false, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = rows[i].width;
        def.height = rows[i].height;
        def.neighbours = rows[i].neighbours;
        def.wrap_x = def.wrap_y = rows[i].wrap;
        def.size = rows[i].size;
        ploy_tiles *tiles = NULL;
        CHECK_INT(ploy_tiles_create(&def, &env, &tiles), rows[i].want);
        CHECK((tiles != NULL) == (rows[i].want == PLOY_OK));
        ploy_tiles_destroy(tiles);
    }
    ploy_tiles_def zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    ploy_tiles *tiles = NULL;
    CHECK_INT(ploy_tiles_create(&zeroed, &env, &tiles), PLOY_ERR_ARGUMENT);
}

static ploy_result create_one(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_tiles_create(&def, env, &tiles);
    ploy_tiles_destroy(tiles);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(create_one, NULL);
}

// PTH-14: (3.9, -0.1) with cells of 2 m is (1, -1).
TEST(quantising_is_a_true_floor) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.size = 2.0f;
    ploy_tiles *tiles = maps_make(t, &def);
    CHECK_INT(ploy_tiles_quantise(tiles, ploy_vec2_make(3.9f, -0.1f)), PLOY_STATE_NONE);
    CHECK_INT(ploy_tiles_quantise(tiles, ploy_vec2_make(3.9f, 0.1f)), 1);
    CHECK_INT(ploy_tiles_quantise(tiles, ploy_vec2_make(NAN, 0.1f)), PLOY_STATE_NONE);
    CHECK_INT(ploy_tiles_quantise(tiles, ploy_vec2_make(3e38f, 0.1f)), PLOY_STATE_NONE);
    ploy_tiles_destroy(tiles);
    def.wrap_y = true;
    def.origin = ploy_vec2_make(-10.0f, 6.0f);
    tiles = maps_make(t, &def);
    CHECK_INT(ploy_tiles_quantise(tiles, ploy_vec2_make(-10.0f + 3.9f, 6.0f - 0.1f)),
              ploy_tiles_cell(tiles, 1, -1));
    CHECK_INT(ploy_tiles_cell(tiles, 1, -1), 63 * 64 + 1);
    CHECK_INT(ploy_tiles_cell(tiles, -1, 0), PLOY_STATE_NONE);
    ploy_tiles_destroy(tiles);
}

TEST(a_point_lies_in_the_cell_with_the_nearest_centre) {
    for (int32_t kind = 0; kind < 2; kind++) {
        ploy_tiles_def def = ploy_tiles_def_default();
        def.neighbours = kind == 0 ? PLOY_TILE_EIGHT : PLOY_TILE_HEX;
        def.width = 9;
        def.height = 8;
        def.origin = ploy_vec2_make(-3.0f, 20.0f);
        def.size = 1.5f;
        ploy_tiles *tiles = maps_make(t, &def);
        ploy_rng rng = ploy_rng_make(5);
        for (int32_t cell = 0; cell < 72; cell++) {
            CHECK_INT(ploy_tiles_quantise(tiles, ploy_tiles_localise(tiles, cell)), cell);
        }
        for (int32_t i = 0; i < 2000; i++) {
            ploy_vec2 point = {ploy_rng_range(&rng, -1.0f, 8.0f),
                               ploy_rng_range(&rng, 22.0f, 28.0f)};
            int32_t best = 0;
            for (int32_t cell = 1; cell < 72; cell++) {
                if (ploy_vec2_distance_sq(ploy_tiles_localise(tiles, cell), point) <
                    ploy_vec2_distance_sq(ploy_tiles_localise(tiles, best), point)) {
                    best = cell;
                }
            }
            int32_t got = ploy_tiles_quantise(tiles, point);
            CHECK(got >= 0);
            CHECK_NEAR(ploy_vec2_distance(ploy_tiles_localise(tiles, got), point),
                       ploy_vec2_distance(ploy_tiles_localise(tiles, best), point), 1e-5);
        }
        ploy_tiles_destroy(tiles);
    }
}

TEST(neighbours_are_mutual_and_as_far_as_the_size_says) {
    for (int32_t kind = 0; kind < 6; kind++) {
        ploy_tiles_def def = ploy_tiles_def_default();
        def.neighbours = (ploy_tile_neighbours)(kind % 3);
        def.wrap_x = def.wrap_y = kind >= 3;
        def.width = 7;
        def.height = 6;
        ploy_tiles *tiles = maps_make(t, &def);
        int32_t ways = kind % 3 == 0 ? 4 : kind % 3 == 1 ? 8 : 6;
        for (int32_t cell = 0; cell < 42; cell++) {
            CHECK_INT(ploy_tiles_neighbour(tiles, cell, ways), PLOY_STATE_NONE);
            CHECK_INT(ploy_tiles_neighbour(tiles, cell, -1), PLOY_STATE_NONE);
            for (int32_t way = 0; way < ways; way++) {
                int32_t to = ploy_tiles_neighbour(tiles, cell, way);
                if (kind >= 3) CHECK(to >= 0);
                if (to < 0) continue;
                CHECK_INT(ploy_tiles_neighbour(tiles, to, (way + ways / 2) % ways), cell);
                if (kind >= 3) continue;
                float length = ploy_vec2_distance(ploy_tiles_localise(tiles, cell),
                                                  ploy_tiles_localise(tiles, to));
                CHECK_NEAR(length, ways == 8 && way % 2 != 0 ? sqrt(2.0) : 1.0, 1e-5);
            }
        }
        ploy_tiles_destroy(tiles);
    }
}

static int32_t slow_clearance(const ploy_tiles *tiles, int32_t cell) {
    int32_t width = ploy_tiles_width(tiles), x = cell % width, y = cell / width, side = 0;
    for (;; side++) {
        for (int32_t i = 0; i <= side; i++) {
            if (!ploy_tiles_passable(tiles, ploy_tiles_cell(tiles, x + side, y + i)) ||
                !ploy_tiles_passable(tiles, ploy_tiles_cell(tiles, x + i, y + side))) {
                return side;
            }
        }
    }
}

TEST(edits_keep_clearance_and_labels_right) {
    for (int64_t seed = 0; seed < test_rounds(24); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 3, 24);
        def.height = 2 * ploy_rng_int(&rng, 2, 12);
        def.neighbours = (ploy_tile_neighbours)(seed % 3);
        def.corners = (ploy_tile_corners)(seed / 3 % 3);
        def.wrap_x = seed % 5 == 4;
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, 0.4f);
        CHECK(!ployi_tiles_labelled(tiles));
        ploy_tiles_refresh(tiles);
        bool plain = def.neighbours != PLOY_TILE_HEX && !def.wrap_x;
        int32_t count = maps_count(tiles), kept = 0;
        for (int32_t turn = 0; turn < 60; turn++) {
            int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            uint64_t before = ploy_tiles_generation(tiles);
            CHECK_OK(ploy_tiles_set(tiles, cell, ploy_tiles_passable(tiles, cell) ? 0 : 1));
            CHECK(ploy_tiles_generation(tiles) != before);
            kept += ployi_tiles_labelled(tiles);
            int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            bool *reached = maps_flood(tiles, from);
            for (int32_t to = 0; to < count; to++) {
                bool connected = ploy_tiles_connected(tiles, from, to);
                if (!connected) CHECK(!reached[to]); // false is certain
                if (ployi_tiles_labelled(tiles)) CHECK_INT(connected, reached[to]);
                int32_t clear = ploy_tiles_passable(tiles, to) ? 1 : 0;
                if (plain) clear = slow_clearance(tiles, to);
                CHECK_INT(ployi_tiles_clearance(tiles, to), clear);
            }
            free(reached);
            if (turn % 7 == 6) ploy_tiles_refresh(tiles);
        }
        CHECK(kept > 5); // not every edit makes the labels useless
        ploy_tiles_destroy(tiles);
    }
}

TEST(clearance_ends_at_its_limit) {
    ploy_tiles *tiles = maps_plain(t, 300, 280);
    CHECK_INT(ployi_tiles_clearance(tiles, 0), PLOY_TILES_CLEARANCE_MAX);
    CHECK_OK(ploy_tiles_set(tiles, 260 * 300 + 260, PLOY_TILE_BLOCKED));
    CHECK_INT(ployi_tiles_clearance(tiles, 0), PLOY_TILES_CLEARANCE_MAX);
    CHECK_INT(ployi_tiles_clearance(tiles, 20 * 300 + 20), 240);
    CHECK_OK(ploy_tiles_set(tiles, 260 * 300 + 260, PLOY_TILE_OPEN));
    CHECK_INT(ployi_tiles_clearance(tiles, 20 * 300 + 20), PLOY_TILES_CLEARANCE_MAX);
    ploy_tiles_destroy(tiles);
}

TEST(wrong_cells_and_costs_are_refused) {
    ploy_tiles *tiles = maps_plain(t, 4, 3);
    uint64_t before = ploy_tiles_generation(tiles);
    CHECK_INT(ploy_tiles_set(tiles, -1, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tiles_set(tiles, 12, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tiles_set_cost(tiles, PLOY_TILE_BLOCKED, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tiles_set_cost(tiles, 2, 0.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tiles_set_cost(tiles, 2, NAN), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_tiles_generation(tiles), before);
    CHECK_INT(ploy_tiles_get(tiles, 12), PLOY_TILE_BLOCKED);
    CHECK(!ploy_tiles_passable(tiles, -1));
    CHECK(!ploy_tiles_connected(tiles, 0, 12));
    CHECK_OK(ploy_tiles_set(tiles, 5, 7));
    CHECK_OK(ploy_tiles_set_cost(tiles, 7, INFINITY));
    CHECK(!ploy_tiles_passable(tiles, 5));
    CHECK_INT(ployi_tiles_clearance(tiles, 0), 1);
    ploy_tiles_destroy(tiles);
}

// ---- sight ----

typedef struct drawn {
    int32_t walls, others;
    double area; // of what was filled
} drawn;

static void count_item(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    if (item->style == PLOY_STYLE_WALL) {
        seen->walls++;
    } else {
        seen->others++;
    }
    for (int32_t i = 0; i < item->count; i++) {
        ploy_vec3 a = item->points[i], b = item->points[(i + 1) % item->count];
        seen->area += 0.5 * ((double)a.x * (double)b.y - (double)b.x * (double)a.y);
    }
}

TEST(walls_are_drawn_whole_and_dear_cells_shaded) {
    ploy_tiles *tiles = maps_text(t,
                                  "##..#"
                                  "..22.",
                                  5, 2);
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 4.0f));
    drawn seen = {0, 0, 0.0};
    ploy_draw draw = {count_item, &seen, ~0u};
    ploy_tiles_draw(tiles, &draw);
    CHECK_INT(seen.walls, 2);
    CHECK_INT(seen.others, 1);
    CHECK_NEAR(seen.area, 5.0, 1e-6);
    ploy_tiles_destroy(tiles);

    ploy_tiles_def def = ploy_tiles_def_default();
    def.neighbours = PLOY_TILE_HEX;
    tiles = maps_make(t, &def);
    memset(&seen, 0, sizeof seen);
    ploy_tiles_draw_cells(tiles, 0, 3, PLOY_LAYER_PATHS, PLOY_STYLE_OPEN, 1.0f, &draw);
    CHECK_NEAR(seen.area, 3.0 * sqrt(3.0) / 2.0, 1e-4);
    ploy_tiles_destroy(tiles);
}

static uint64_t hash_of(const ploy_tiles *tiles) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_tiles_describe(tiles, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_tells_cells_and_costs) {
    ploy_tiles *tiles = maps_plain(t, 6, 6), *other = maps_plain(t, 6, 6);
    CHECK_UINT(hash_of(tiles), hash_of(other));
    CHECK_OK(ploy_tiles_set(tiles, 3, 2));
    CHECK_OK(ploy_tiles_set(other, 4, 2));
    CHECK(hash_of(tiles) != hash_of(other));
    ploy_tiles_destroy(tiles);
    ploy_tiles_destroy(other);
}
