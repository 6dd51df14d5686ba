// Reduction, and the checks of domains and floors.
#include "ploy/path/graph_tools.h"
#include "tests/path/planners_help.h"

static ploy_graph *lattice(test_context *t, const ploy_env *env, int32_t width, int32_t height,
                           const char *cells) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, env, &graph));
    int32_t nodes[256];
    for (int32_t i = 0; i < width * height; i++) {
        nodes[i] = -1;
        if (cells[i] != '.') continue;
        ploy_vec3 at = {(float)(i % width), (float)(i / width), 0};
        CHECK_OK(ploy_graph_add_node(graph, at, &nodes[i]));
        if (i % width > 0 && nodes[i - 1] >= 0) {
            CHECK_OK(ploy_graph_add_both(graph, nodes[i - 1], nodes[i], 1, 0));
        }
        if (i >= width && nodes[i - width] >= 0) {
            CHECK_OK(ploy_graph_add_both(graph, nodes[i - width], nodes[i], 1, 0));
        }
    }
    return graph;
}

TEST(few_nodes_stand_for_all_and_doorways_are_kept) { // TLS-08
    ploy_env env = ploy_env_default();
    // Two rooms with a door of one cell: the door is the only way.
    static const char rooms[] = "....#...."
                                "....#...."
                                "........."
                                "....#...."
                                "....#....";
    ploy_graph *graph = lattice(t, &env, 9, 5, rooms), *small = NULL;
    ploy_graph_def def = ploy_graph_def_default();
    CHECK_OK(ploy_graph_create(&def, &env, &small));
    int32_t owners[64];
    CHECK_OK(ploy_graph_reduce(graph, 2.5f, NULL, NULL, small, owners));
    ploy_graph_report before, after;
    CHECK_OK(ploy_graph_report_of(graph, &before));
    CHECK_OK(ploy_graph_report_of(small, &after));
    CHECK(after.nodes * 3 <= before.nodes);
    CHECK(after.connected && after.euclidean);
    bool door = false;
    for (int32_t n = 0; n < ploy_graph_node_slots(small); n++) {
        ploy_vec3 at = ploy_graph_position(small, n);
        door = door || (at.x == 4 && at.y == 2);
    }
    CHECK(door);
    for (int32_t i = 0; i < before.nodes; i++) {
        CHECK(owners[i] >= 0);
        CHECK(ploy_vec3_distance(ploy_graph_position(graph, i),
                                 ploy_graph_position(small, owners[i])) <= 2.5f);
    }
    CHECK_INT(ploy_graph_reduce(graph, 2.5f, NULL, NULL, small, NULL),
              PLOY_ERR_ARGUMENT); // not empty
    CHECK_INT(ploy_graph_reduce(graph, NAN, NULL, NULL, small, NULL), PLOY_ERR_ARGUMENT);
    ploy_graph_destroy(small);
    ploy_graph_destroy(graph);
}

TEST(cells_behind_a_wall_from_their_point_are_told) { // TLS-03
    ploy_env env = ploy_env_default();
    tile_level level;
    tile_level_make(t, 9, 0.0f, 1, &level);
    for (int32_t x = 0; x < 9; x++) CHECK_OK(ploy_tiles_set(level.tiles, 3 * 9 + x, 0));
    ploy_vec3 points[2] = {level.representation.localise(level.representation.user, 2 * 9 + 4),
                           level.representation.localise(level.representation.user, 7 * 9 + 4)};
    ploy_domains domains = {PLOY_DOMAIN_PLAIN, points, NULL, 2, NULL, NULL};
    ploy_domains_issue issues[32];
    int32_t count = 0;
    CHECK_OK(ploy_domains_check(&domains, &level.walker, 1, &env, issues, 32, &count));
    CHECK_INT(count, 9);
    for (int32_t i = 0; i < 9; i++) {
        CHECK_INT(issues[i].kind, PLOY_DOMAINS_MISCLASSIFIED);
        CHECK_INT(issues[i].cell, 4 * 9 + i);
        CHECK_INT(issues[i].owner, 0);
        CHECK_INT(issues[i].nearer, 1);
    }
    domains.count = 1; // nothing in the larger corridor
    CHECK_OK(ploy_domains_check(&domains, &level.walker, 1, &env, issues, 0, &count));
    CHECK_INT(count, 45);
    ploy_tiles_destroy(level.tiles);
}

// A square of 4 x 4 quads, two triangles each.
static void quads(int32_t *corners) {
    for (int32_t i = 0; i < 16; i++) {
        int32_t a = i / 4 * 5 + i % 4, *at = corners + 6 * i;
        int32_t two[6] = {a, a + 1, a + 6, a, a + 6, a + 5};
        memcpy(at, two, sizeof two);
    }
}

TEST(holes_in_a_floor_are_found_and_floors_become_graphs) { // TLS-04
    ploy_env env = ploy_env_default();
    int32_t corners[96], patches[8], count = -1;
    bool is_floor[32];
    ploy_vec3 points[25];
    quads(corners);
    for (int32_t i = 0; i < 25; i++) points[i] = ploy_vec3_make((float)(i % 5), (float)(i / 5), 0);
    for (int32_t i = 0; i < 32; i++) is_floor[i] = true;
    is_floor[0] = false;                 // at the rim: a wall
    is_floor[10] = is_floor[11] = false; // the quad in the middle: forgotten
    ploy_floor floor = {corners, is_floor, 32};
    CHECK_OK(ploy_floor_check(&floor, &env, patches, 8, &count));
    CHECK_INT(count, 1);
    CHECK_INT(patches[0], 10);
    ploy_graph_def def = ploy_graph_def_default();
    int32_t edges[2];
    for (int32_t one = 0; one < 2; one++) {
        ploy_graph *graph = NULL;
        int32_t added = 0;
        CHECK_OK(ploy_graph_create(&def, &env, &graph));
        CHECK_OK(ploy_graph_add_floor(graph, &floor, points, one == 1, NULL, &added));
        CHECK_INT(added, 29);
        edges[one] = ploy_graph_edge_count(graph);
        for (int32_t n = 0; n < 29 && one == 0; n++) {
            int32_t neighbours = 0;
            for (int32_t e = ploy_graph_first_out(graph, n); e >= 0;
                 e = ploy_graph_next_out(graph, e)) {
                neighbours++;
            }
            CHECK(neighbours <= 3);
        }
        ploy_graph_destroy(graph);
    }
    CHECK(edges[1] > 2 * edges[0]);
    corners[0] = -1;
    CHECK_INT(ploy_floor_check(&floor, &env, patches, 8, &count), PLOY_ERR_ARGUMENT);
}

static ploy_result check_floor(const ploy_env *env, void *arg) {
    int32_t count = 0;
    return ploy_floor_check(arg, env, NULL, 0, &count);
}

TEST(checks_survive_every_failing_allocation) {
    int32_t corners[96];
    bool is_floor[32] = {false};
    quads(corners);
    ploy_floor floor = {corners, is_floor, 32};
    CHECK_FAIL_NTH(check_floor, &floor);
}
