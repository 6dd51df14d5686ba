// Views of a level as places.
#include "ploy/tactics/places.h"

#include <math.h>

#include "tests/test.h"

// What every view promises.
static void check_places(test_context *t, const ploy_places *places, int32_t count) {
    CHECK(ploy_places_is_complete(places));
    CHECK_INT(places->count, count);
    for (int32_t i = 0; i < places->count; i++) {
        if (!places->open(places, i)) continue;
        int32_t found[32], fewer[1];
        int32_t neighbours = places->neighbours(places, i, found, 32);
        CHECK(neighbours <= 32);
        CHECK_INT(places->neighbours(places, i, fewer, 1), neighbours);
        for (int32_t k = 0; k < neighbours; k++) {
            CHECK(found[k] >= 0 && found[k] < count && found[k] != i);
        }
        CHECK_INT(places->nearest(places, places->position(places, i)), i);
    }
    CHECK(!places->open(places, -1) && !places->open(places, count));
    CHECK_INT(places->neighbours(places, count, NULL, 0), 0);
}

TEST(a_grid_needs_no_map) {
    ploy_places places = ploy_places_grid(5, 3, ploy_vec2_make(-2, 10), 0.5f);
    check_places(t, &places, 15);
    int32_t found[8];
    CHECK_INT(places.neighbours(&places, 0, found, 8), 3);
    CHECK_INT(places.neighbours(&places, 6, found, 8), 8);
    CHECK_INT(found[0], 7);
    CHECK_INT(found[1], 12);
    CHECK_INT(places.nearest(&places, ploy_vec3_make(-2.1f, 10, 0)), PLOY_PLACE_NONE);
    CHECK_INT(places.nearest(&places, ploy_vec3_make(0.49f, 11.4f, 0)), 14);
    CHECK_INT(places.nearest(&places, ploy_vec3_make(NAN, 11, 0)), PLOY_PLACE_NONE);
    CHECK_INT(ploy_places_cell(&places, 5, 0), PLOY_PLACE_NONE);
    places.wrap_x = true;
    CHECK_INT(ploy_places_cell(&places, -1, 1), 9);
    ploy_places bad = ploy_places_grid(5, 3, ploy_vec2_make(0, 0), NAN);
    CHECK(!ploy_places_is_complete(&bad));
    CHECK(!ploy_places_is_complete(NULL));
}

TEST(tiles_are_a_grid_unless_they_are_hexagons) {
    static const struct {
        const char *row;
        ploy_tile_neighbours neighbours;
        int32_t inner, width;
    } rows[] = {{"four", PLOY_TILE_FOUR, 4, 6},
                {"eight", PLOY_TILE_EIGHT, 8, 6},
                {"hexagons", PLOY_TILE_HEX, 6, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = 6;
        def.height = 6;
        def.neighbours = rows[i].neighbours;
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
        CHECK_OK(ploy_tiles_set(tiles, 9, PLOY_TILE_BLOCKED));
        ploy_places places = ploy_places_tiles(tiles);
        check_places(t, &places, 36);
        CHECK_INT(places.width, rows[i].width);
        CHECK_INT(places.neighbours(&places, 14, NULL, 0), rows[i].inner);
        CHECK(!places.open(&places, 9));
        ploy_tiles_destroy(tiles);
    }
}

TEST(graphs_and_meshes_are_places) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 4; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)i * 3, 0, (float)i), NULL));
    }
    int32_t shut = 0;
    CHECK_OK(ploy_graph_add_both(graph, 0, 1, 3, 0));
    CHECK_OK(ploy_graph_add_both(graph, 1, 2, 3, 0));
    CHECK_OK(ploy_graph_add_edge(graph, 1, 3, 3, 0, &shut));
    CHECK_OK(ploy_graph_set_open(graph, shut, false));
    CHECK_OK(ploy_graph_remove_node(graph, 0));
    ploy_places places = ploy_places_graph(graph);
    check_places(t, &places, 4);
    CHECK(!places.open(&places, 0));
    int32_t found[4];
    CHECK_INT(places.neighbours(&places, 1, found, 4), 1);
    CHECK_INT(found[0], 2);
    CHECK_INT(places.nearest(&places, ploy_vec3_make(-5, 0, 0)), 1);
    ploy_graph_destroy(graph);

    static const ploy_vec2 hall[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    static const ploy_vec2 pillar[] = {{4, 4}, {4, 5}, {5, 5}, {5, 4}};
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    mesh_def.radius = 0.0f;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    CHECK_OK(ploy_rings_add(rings, pillar, 4));
    CHECK_OK(ploy_navmesh_create_rings(&mesh_def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL,
                                       &mesh));
    ploy_places floor = ploy_places_navmesh(mesh);
    check_places(t, &floor, ploy_navmesh_stats_of(mesh).polygons);
    CHECK(floor.count >= 4);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
}
