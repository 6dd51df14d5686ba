// Joins along the sides of tiles, against building everything at once.
#include "ploy/path/navmesh_tiles.h"
#include "tests/path/navmesh_help.h"

static ploy_navmesh_tiles *join_floor(test_context *t, float side, float radius) {
    static const ploy_vec2 outline[] = {{0, 0}, {37, 0}, {41, 29}, {3, 33}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles *tiles = NULL;
    CHECK_OK(nav_tiled(outline, 4, side, radius, &env, &tiles));
    return tiles;
}

// Boxes whose sides lie on tile lines now and then, where joins are delicate.
static void join_box(ploy_rng *rng, ploy_vec2 *corners) {
    float x = (float)ploy_rng_int(rng, 1, 34), y = (float)ploy_rng_int(rng, 1, 28);
    float w = (float)ploy_rng_int(rng, 1, 6), h = (float)ploy_rng_int(rng, 1, 6);
    float tilt = ploy_rng_chance(rng, 0.5f) ? ploy_rng_range(rng, 0.0f, 0.7f) : 0.0f;
    ploy_vec2 box[4] = {{x, y}, {x + w, y + tilt}, {x + w, y + h + tilt}, {x, y + h}};
    memcpy(corners, box, sizeof box);
}

// The polygons of a mesh built anew by the builder that knows of no tiles: nothing is left to mend,
// and every edge has the same behind it.
static void check_joins(test_context *t, const ploy_navmesh *mesh) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh_soup *soup = NULL;
    ploy_navmesh *whole = NULL;
    CHECK_OK(ploy_navmesh_soup_create(mesh, &env, &soup));
    def.weld = 0.0f;
    def.stitch = true;
    CHECK_OK(ploy_navmesh_create(&def, soup, &env, NULL, &whole));
    ploy_navmesh_soup_destroy(soup);
    ploy_navmesh_stats got = ploy_navmesh_stats_of(mesh), want = ploy_navmesh_stats_of(whole);
    CHECK_INT(got.edges, want.edges);
    CHECK_INT(got.vertices, want.vertices);
    CHECK_INT(got.portals, want.portals);
    CHECK_INT(got.islands, want.islands);
    CHECK_UINT(nav_hash(mesh), nav_hash(whole));
    for (int32_t e = 0; e < want.edges; e++) {
        ploy_navmesh_edge a = ploy_navmesh_edge_at(mesh, e), b = ploy_navmesh_edge_at(whole, e);
        CHECK_INT(a.twin, b.twin);
        CHECK_INT(a.neighbour, b.neighbour);
        CHECK_INT(a.wall_from, b.wall_from);
    }
    ploy_navmesh_destroy(whole);
}

TEST(joined_tiles_are_what_building_everything_would_make) {
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float side = 4.0f + 2.0f * (float)(seed % 3), radius = seed % 2 == 0 ? 0.0f : 0.35f;
        ploy_navmesh_tiles *tiles = join_floor(t, side, radius);
        ploy_navmesh_tiles_stats stats = ploy_navmesh_tiles_stats_of(tiles);
        ploy_id ids[12];
        bool there[12] = {false};
        for (int32_t edit = 0; edit < 30; edit++) {
            int32_t k = ploy_rng_int(&rng, 0, 11);
            ploy_vec2 corners[4];
            join_box(&rng, corners);
            if (edit % 3 == 2) {
                CHECK_OK(ploy_navmesh_tiles_set_loaded(
                    tiles, ploy_rng_int(&rng, 0, stats.columns - 1),
                    ploy_rng_int(&rng, 0, stats.rows - 1), ploy_rng_chance(&rng, 0.5f)));
            } else if (there[k]) {
                CHECK_OK(ploy_navmesh_tiles_remove(tiles, ids[k]));
                there[k] = false;
            } else {
                CHECK_OK(ploy_navmesh_tiles_add(tiles, corners, 4, &ids[k]));
                there[k] = true;
            }
            if (edit % 4 == 1) continue; // several edits at once
            CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
            check_joins(t, ploy_navmesh_tiles_mesh(tiles));
        }
        ploy_navmesh_tiles_destroy(tiles);
    }
}

// Polygons of tiles from one column and row to another.
static int32_t count_within(const ploy_navmesh *mesh, float low_x, float low_y, float high_x,
                            float high_y) {
    int32_t count = 0;
    for (int32_t i = 0; i < ploy_navmesh_stats_of(mesh).polygons; i++) {
        ploy_vec3 at = ploy_navmesh_polygon_at(mesh, i).centre;
        count += at.x > low_x && at.x < high_x && at.y > low_y && at.y < high_y;
    }
    return count;
}

TEST(a_change_touches_the_tile_and_those_beside_it_alone) {
    static const ploy_vec2 crate[] = {{17, 17}, {19, 17}, {18, 19}};
    ploy_navmesh_tiles *tiles = join_floor(t, 5.0f, 0.2f);
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    ploy_navmesh_tiles_stats stats = ploy_navmesh_tiles_stats_of(tiles);
    CHECK_INT(stats.joined, stats.columns * stats.rows);
    CHECK_INT(stats.touched, ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles)).polygons);
    for (int32_t i = 0; i < 3; i++) { // an obstacle in tile 3, 3; the tile gone; and back
        if (i == 0) CHECK_OK(ploy_navmesh_tiles_add(tiles, crate, 3, NULL));
        if (i > 0) CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 3, 3, i == 2));
        CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
        const ploy_navmesh *mesh = ploy_navmesh_tiles_mesh(tiles);
        stats = ploy_navmesh_tiles_stats_of(tiles);
        CHECK_INT(stats.cut, 1);
        CHECK_INT(stats.joined, 5);
        CHECK_INT(stats.touched, count_within(mesh, 10, 15, 25, 20) +
                                     count_within(mesh, 15, 10, 20, 15) +
                                     count_within(mesh, 15, 20, 20, 25));
        CHECK(stats.touched < ploy_navmesh_stats_of(mesh).polygons / 3);
    }
    ploy_navmesh_tiles_destroy(tiles);
}

// Four tiles meet in a point; whichever of them are there, the vertex is one.
TEST(tiles_that_meet_in_a_corner_share_its_vertex) {
    for (int32_t which = 0; which < 16; which++) {
        TEST_SEED(which);
        ploy_navmesh_tiles *tiles = join_floor(t, 10.0f, 0.0f);
        for (int32_t k = 0; k < 4; k++) { // round (20, 20)
            CHECK_OK(ploy_navmesh_tiles_set_loaded(tiles, 1 + k % 2, 1 + k / 2, (which >> k & 1)));
        }
        CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
        const ploy_navmesh *mesh = ploy_navmesh_tiles_mesh(tiles);
        ploy_env env = ploy_env_default();
        ploy_navmesh_soup *soup = NULL;
        CHECK_OK(ploy_navmesh_soup_create(mesh, &env, &soup));
        int32_t there = 0;
        for (int32_t i = 0; i < soup->vertex_count; i++) {
            there += soup->vertices[i].x == 20.0f && soup->vertices[i].y == 20.0f;
        }
        ploy_navmesh_soup_destroy(soup);
        CHECK_INT(there, which != 0);
        check_joins(t, mesh);
        ploy_navmesh_tiles_destroy(tiles);
    }
}

// A refresh that fails leaves the old mesh, and the next one does all that was left.
static ploy_result refresh_nth(const ploy_env *env, void *arg) {
    static const ploy_vec2 room[] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    static const ploy_vec2 crate[] = {{3, 3}, {5, 3}, {5, 5}, {3, 5}};
    ploy_navmesh_tiles *tiles = NULL;
    test_context *t = arg;
    ploy_result result = nav_tiled(room, 4, 4.0f, 0.0f, env, &tiles);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_add(tiles, crate, 4, NULL);
    if (result == PLOY_OK) {
        const ploy_navmesh *before = ploy_navmesh_tiles_mesh(tiles);
        result = ploy_navmesh_tiles_refresh(tiles, NULL);
        if (result != PLOY_OK) {
            CHECK(ploy_navmesh_tiles_mesh(tiles) == before);
            if (ploy_navmesh_tiles_refresh(tiles, NULL) == PLOY_OK) {
                check_joins(t, ploy_navmesh_tiles_mesh(tiles));
                CHECK_NEAR(ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(tiles)).area, 60, 1e-3);
            }
        }
    }
    ploy_navmesh_tiles_destroy(tiles);
    return result;
}

TEST(a_refresh_that_fails_is_made_up_for_by_the_next) {
    CHECK_FAIL_NTH(refresh_nth, t);
}
