// Levels drawn as text, and one level for mesh, scene and crowd: one call each.
#include "ploy/data/tiles_text.h"

#include <string.h>

#include "ploy/data/obj.h"
#include "ploy/data/tiled_use.h"
#include "ploy/geom/scene.h"
#include "ploy/move/crowd.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/outlines.h"
#include "tests/test.h"

static const char text_level[] = "########\n"
                                 "#a.#...#\n"
                                 "#..#.#.#\n"
                                 "#......#\n"
                                 "###.####\n"
                                 "#.....1#\n"
                                 "########\n";

static ploy_tiles *text_load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_from_text(text, strlen(text), "#", "level.txt", &env, NULL, &tiles));
    return tiles;
}

TEST(a_text_becomes_tiles_whose_kinds_are_its_characters) {
    ploy_tiles *tiles = text_load(t, text_level);
    CHECK_INT(ploy_tiles_width(tiles), 8);
    CHECK_INT(ploy_tiles_height(tiles), 7);
    ploy_vec2 at = {0, 0};
    CHECK(ploy_tiles_find_kind(tiles, 'a', &at)); // y goes up
    CHECK_SAME(at.x, 1.5f);
    CHECK_SAME(at.y, 5.5f);
    CHECK(ploy_tiles_find_kind(tiles, '1', &at));
    CHECK_SAME(at.y, 1.5f);
    CHECK(!ploy_tiles_find_kind(tiles, '2', &at));
    CHECK(!ploy_tiles_passable(tiles, 0));
    ploy_tiles_destroy(tiles);
}

TEST(faults_of_a_text_have_their_places) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
    } rows[] = {
        {"empty", "", 1, 1},
        {"an empty first line", "\n##\n", 2, 1},
        {"too short", "####\n#.#\n####\n", 2, 4},
        {"too long", "####\n#..##\n####\n", 2, 5},
        {"not ASCII", "####\n#\xc3\xa4#\n####\n", 2, 2},
        {"a tab", "###\n#\t#\n", 2, 2},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        ploy_tiles *tiles = NULL;
        CHECK_INT(ploy_tiles_from_text(rows[i].text, strlen(rows[i].text), "#", "level.txt", &env,
                                       diags, &tiles),
                  PLOY_ERR_FORMAT);
        CHECK(tiles == NULL);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK(diag != NULL);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
    t->row = NULL;
}

static ploy_result text_try(const ploy_env *env, void *user) {
    (void)user;
    ploy_tiles *tiles = NULL;
    ploy_rings *walls = NULL, *floor = NULL;
    ploy_result result = ploy_tiles_from_text(text_level, sizeof text_level - 1, "#", "level.txt",
                                              env, NULL, &tiles);
    if (result == PLOY_OK) result = ploy_rings_create(env, &walls);
    if (result == PLOY_OK) result = ploy_rings_create(env, &floor);
    if (result == PLOY_OK) result = ploy_rings_from_tiles(tiles, env, walls, floor);
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&def, floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL, &mesh);
    }
    if (result == PLOY_OK) result = ploy_rings_from_navmesh(mesh, env, walls, floor);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(walls);
    ploy_rings_destroy(floor);
    ploy_tiles_destroy(tiles);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(text_try, NULL);
}

// Rings hold exactly the cells of their kind, for random maps.
TEST(rings_of_tiles_hold_the_cells_and_nothing_else) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        t->seed = seed;
        ploy_rng rng = ploy_rng_make(seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = 2 + (int32_t)(seed % 9);
        def.height = 2 + (int32_t)(seed % 7);
        def.origin = ploy_vec2_make(-3, 5);
        def.size = 0.5f;
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
        int32_t cells = def.width * def.height, blocked = 0;
        for (int32_t i = 0; i < cells; i++) {
            bool wall = ploy_rng_chance(&rng, 0.45f);
            blocked += wall;
            CHECK_OK(ploy_tiles_set(tiles, i, wall ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN));
        }
        ploy_rings *walls = NULL, *floor = NULL;
        CHECK_OK(ploy_rings_create(&env, &walls));
        CHECK_OK(ploy_rings_create(&env, &floor));
        CHECK_OK(ploy_rings_from_tiles(tiles, &env, walls, floor));
        for (int32_t i = 0; i < cells; i++) {
            ploy_vec2 centre = ploy_tiles_localise(tiles, i);
            bool open = ploy_tiles_passable(tiles, i);
            CHECK_INT(ploy_rings_contains(walls, centre, PLOY_FILL_NON_ZERO), !open);
            CHECK_INT(ploy_rings_contains(floor, centre, PLOY_FILL_NON_ZERO), open);
        }
        CHECK_NEAR(ploy_rings_area(walls), 0.25 * blocked, 1e-3);
        CHECK_NEAR(ploy_rings_area(floor), 0.25 * (cells - blocked), 1e-3);
        // Every corner turns.
        for (int32_t i = 0; i < ploy_rings_count(walls); i++) {
            ploy_polygon ring = ploy_rings_get(walls, i);
            for (int32_t k = 0; k < ring.count; k++) {
                ploy_vec2 a = ring.points[k], b = ring.points[(k + 1) % ring.count];
                ploy_vec2 c = ring.points[(k + 2) % ring.count];
                CHECK((a.x == b.x) != (b.x == c.x));
            }
        }
        ploy_rings_destroy(walls);
        ploy_rings_destroy(floor);
        ploy_tiles_destroy(tiles);
    }
}

TEST(hexagons_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = def.height = 4;
    def.neighbours = PLOY_TILE_HEX;
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    CHECK_INT(ploy_rings_from_tiles(tiles, &env, NULL, NULL), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(ploy_rings_from_tiles(NULL, &env, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_tiles_destroy(tiles);
}

TEST(one_level_feeds_mesh_scene_and_crowd) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = text_load(t, text_level);
    ploy_rings *walls = NULL, *floor = NULL;
    CHECK_OK(ploy_rings_create(&env, &walls));
    CHECK_OK(ploy_rings_create(&env, &floor));
    CHECK_OK(ploy_rings_from_tiles(tiles, &env, walls, floor));
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.3f;
    ploy_navmesh *mesh = NULL;
    CHECK_OK(
        ploy_navmesh_create_rings(&def, floor, PLOY_FILL_NON_ZERO, NULL, 0, &env, NULL, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).islands, 1);
    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&plain, &env, &scene));
    CHECK_OK(ploy_plain_scene_add_rings(scene, walls, 0, 1, NULL));
    ploy_scene rays = ploy_plain_scene_interface(scene);
    CHECK(ploy_scene_ray(&rays, ploy_vec3_make(1.5f, 5.5f, 0), ploy_vec3_make(4.5f, 5.5f, 0), 1,
                         NULL));
    CHECK(!ploy_scene_ray(&rays, ploy_vec3_make(1.5f, 3.5f, 0), ploy_vec3_make(6.5f, 3.5f, 0), 1,
                          NULL));
    ploy_crowd_def crowd_def = ploy_crowd_def_default();
    crowd_def.capacity = 4;
    ploy_crowd *crowd = NULL;
    CHECK_OK(ploy_crowd_create(&crowd_def, &env, &crowd));
    CHECK_OK(ploy_crowd_add_rings(crowd, walls));
    int32_t edges = 0;
    (void)ploy_crowd_walls(crowd, &edges);
    CHECK_INT(edges, ploy_rings_corners(walls));
    // The walls stop a body that walks into them.
    ploy_orca_agent agent = ploy_orca_agent_make(ploy_vec2_make(1.5f, 5.5f), 0.3f, 2, 0);
    ploy_agent_id id;
    CHECK_OK(ploy_crowd_add(crowd, &agent, &id));
    for (int32_t i = 0; i < 120; i++) {
        CHECK_OK(ploy_crowd_set_wanted(crowd, id, ploy_vec2_make(2, 0)));
        CHECK_OK(ploy_crowd_step(crowd, 1.0f / 60, NULL));
    }
    CHECK_OK(ploy_crowd_get(crowd, id, &agent));
    CHECK(agent.position.x < 2.75f && agent.position.x > 2.5f);
    ploy_crowd_destroy(crowd);
    ploy_plain_scene_destroy(scene);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(walls);
    ploy_rings_destroy(floor);
    ploy_tiles_destroy(tiles);
}

TEST(the_rims_of_a_mesh_from_obj_are_walls_and_floor) {
    // A floor of 3 x 3 squares without the one in the middle.
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\n"
                              "v 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\n"
                              "v 0 2 0\nv 1 2 0\nv 2 2 0\nv 3 2 0\n"
                              "v 0 3 0\nv 1 3 0\nv 2 3 0\nv 3 3 0\n"
                              "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 5 6 10 9\n"
                              "f 7 8 12 11\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\n";
    ploy_env env = ploy_env_default();
    ploy_obj *file = NULL;
    CHECK_OK(ploy_obj_load(obj, sizeof obj - 1, PLOY_AXES_PLOY, "floor.obj", &env, NULL, &file));
    ploy_navmesh_soup soup = ploy_obj_soup(file);
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &mesh));
    ploy_rings *walls = NULL, *floor = NULL;
    CHECK_OK(ploy_rings_create(&env, &walls));
    CHECK_OK(ploy_rings_create(&env, &floor));
    CHECK_OK(ploy_rings_from_navmesh(mesh, &env, walls, floor));
    CHECK_INT(ploy_rings_count(floor), 2);
    CHECK_INT(ploy_rings_corners(floor), 8); // straight corners are left out
    CHECK_NEAR(ploy_rings_area(floor), 8, 1e-5);
    CHECK_NEAR(ploy_rings_area(walls), -8, 1e-5); // the other way round
    CHECK(ploy_rings_contains(floor, ploy_vec2_make(0.5f, 0.5f), PLOY_FILL_NON_ZERO));
    CHECK(!ploy_rings_contains(floor, ploy_vec2_make(1.5f, 1.5f), PLOY_FILL_NON_ZERO));
    ploy_rings_destroy(walls);
    ploy_rings_destroy(floor);
    ploy_navmesh_destroy(mesh);
    ploy_obj_destroy(file);
}

TEST(a_level_is_written_as_text_with_marks) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = text_load(t, "####\n#..#\n####\n");
    ploy_tiles_mark marks[] = {{{1.5f, 1.5f}, 'a'}, {{1.2f, 1.9f}, 'b'}, {{9, 9}, 'c'}};
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_tiles_write_text(tiles, marks, 3, &writer));
    CHECK_TEXT(ploy_buffer_text(&text), "####\n#b.#\n####\n"); // the last mark of a cell
    ploy_buffer_fini(&text);
    ploy_tiles_destroy(tiles);
}
