// Costs from outside: a way with a hook is the way over ground that was built with those costs, on
// tiles, graphs, meshes and the grid's own search; and it bends around danger.
#include "ploy/path/costs.h"

#include "ploy/path/graph_views.h"
#include "tests/path/navmesh_help.h"
#include "tests/path/planners_help.h"
#include "tests/path/tile_maps.h"

TEST(a_layer_makes_ways_through_it_dearer) {
    static const float values[] = {0.0f, 2.0f, INFINITY, -3.0f, NAN};
    static const struct {
        const char *row;
        int32_t to;
        double base, want;
    } rows[] = {
        {"nothing there", 0, 4.0, 4.0},
        {"twice, at half the weight", 1, 4.0, 8.0},
        {"closed", 2, 4.0, (double)INFINITY},
        {"closed, although it costs nothing", 2, 0.0, (double)INFINITY},
        {"below nothing is nothing", 3, 4.0, 4.0},
        {"no number is nothing", 4, 4.0, 4.0},
        {"beyond the layer", 5, 4.0, 4.0},
        {"no state", -1, 4.0, 4.0},
    };
    ploy_cost_layer layer = {values, 5, 0.5f};
    ploy_cost_hook hook = ploy_cost_layer_hook(&layer);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_SAME(hook.fn(hook.user, 0, rows[i].to, 0, rows[i].base), rows[i].want);
    }
    CHECK(ploy_cost_hook_none().fn == NULL);
}

// Asks a service for one way and says what it costs; -1 if there is none.
static double served_cost(test_context *t, ploy_planners *planners,
                          const ploy_path_request *request, const ploy_cost_hook *costs) {
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_options wish = ploy_path_options_make();
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    ploy_path *path = level_path(t);
    if (costs != NULL) wish.costs = *costs;
    CHECK_OK(ploy_planners_request(planners, request, &wish, &ticket));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
    double cost = outcome == PLOY_PATH_FOUND ? ploy_path_cost(path) : -1.0;
    ploy_path_destroy(path);
    return cost;
}

static ploy_planners *plain_planners(test_context *t, const ploy_representation *representation) {
    ploy_env env = ploy_env_default();
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    def.smooth = PLOY_SMOOTH_NONE;
    def.straight = false;
    def.partial = false;
    CHECK_OK(level_planners(&def, representation, &env, &planners));
    return planners;
}

TEST(tiles_with_a_layer_are_tiles_built_with_those_costs) {
    enum { SIDE = 14, CELLS = SIDE * SIDE };
    const ploy_name nobody = {0};
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        tile_level plain, built;
        float danger[CELLS];
        uint8_t extra[CELLS];
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 100);
        tile_level_make(t, SIDE, 0.15f, (uint64_t)seed, &plain);
        tile_level_make(t, SIDE, 0.15f, (uint64_t)seed, &built);
        for (int32_t kind = 2; kind < 6; kind++) {
            CHECK_OK(ploy_tiles_set_cost(built.tiles, (uint8_t)kind, (float)kind));
        }
        for (int32_t i = 0; i < CELLS; i++) {
            int32_t more = ploy_rng_int(&rng, 0, 4);
            danger[i] = 0.5f * (float)more;
            extra[i] = (uint8_t)more;
            if (more == 0 || !ploy_tiles_passable(built.tiles, i)) continue;
            CHECK_OK(ploy_tiles_set(built.tiles, i, (uint8_t)(1 + more)));
        }
        built.walker = ploy_tiles_walker_make(built.tiles, NULL);
        built.representation = ploy_tiles_representation(&built.walker);
        ploy_cost_layer layer = {danger, CELLS, 2.0f};
        ploy_cost_hook hook = ploy_cost_layer_hook(&layer);
        ploy_planners *hooked = plain_planners(t, &plain.representation);
        ploy_planners *rebuilt = plain_planners(t, &built.representation);
        ploy_grid_map *plain_map = maps_grid(t, plain.tiles, 1, false);
        ploy_grid_map *built_map = maps_grid(t, built.tiles, 1, false);
        ploy_grid_search *with = maps_search(t, PLOY_GRID_ASTAR);
        ploy_grid_search *without = maps_search(t, PLOY_GRID_DIJKSTRA);
        ploy_grid_search_set_layer(with, extra);
        for (int32_t k = 0; k < 5; k++) {
            int32_t from = ploy_rng_int(&rng, 0, CELLS - 1), to = ploy_rng_int(&rng, 0, CELLS - 1);
            ploy_path_request request = level_ask_cells(&plain, from, to);
            double want = served_cost(t, rebuilt, &request, NULL);
            CHECK_NEAR(served_cost(t, hooked, &request, &hook), want, 1e-4);
            // The grid's own counts in whole numbers: exactly the same.
            ploy_grid_cost a = ploy_grid_cost_make(0, 0), b = a;
            CHECK_OK(ploy_grid_search_run(with, plain_map, from, to));
            CHECK_OK(ploy_grid_search_run(without, built_map, from, to));
            CHECK_INT(ploy_grid_search_outcome(with), ploy_grid_search_outcome(without));
            if (want < 0.0) continue;
            CHECK(ploy_grid_search_cost(with, to, &a) && ploy_grid_search_cost(without, to, &b));
            CHECK_INT(a.units, b.units);
            CHECK_NEAR(a.length, want, 1e-4);
        }
        // As a profile's, for requests that say nothing of costs.
        ploy_path_request request = level_ask_cells(&plain, 0, CELLS - 1);
        CHECK_OK(ploy_planners_set_costs(hooked, nobody, &hook));
        CHECK_NEAR(served_cost(t, hooked, &request, NULL), served_cost(t, rebuilt, &request, NULL),
                   1e-4);
        ploy_grid_search_destroy(with);
        ploy_grid_search_destroy(without);
        ploy_grid_map_destroy(plain_map);
        ploy_grid_map_destroy(built_map);
        ploy_planners_destroy(hooked);
        ploy_planners_destroy(rebuilt);
        ploy_tiles_destroy(plain.tiles);
        ploy_tiles_destroy(built.tiles);
    }
}

TEST(jumps_refuse_a_layer) {
    uint8_t extra[81] = {0};
    ploy_tiles *tiles = maps_plain(t, 9, 9);
    ploy_grid_map *map = maps_grid(t, tiles, 1, true);
    static const ploy_grid_algorithm jumps[] = {PLOY_GRID_JPS, PLOY_GRID_FAST};
    for (size_t i = 0; i < COUNT_OF(jumps); i++) {
        ploy_grid_search *search = maps_search(t, jumps[i]);
        ploy_grid_search_set_layer(search, extra);
        CHECK_INT(ploy_grid_search_begin(search, map, 0, 80), PLOY_ERR_UNSUPPORTED);
        ploy_grid_search_set_layer(search, NULL);
        CHECK_OK(ploy_grid_search_run(search, map, 0, 80));
        ploy_grid_search_destroy(search);
    }
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

TEST(a_graph_with_a_hook_is_a_graph_with_those_costs) {
    enum { NODES = 30, EDGES = 90 };
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_graph_def def = ploy_graph_def_default();
        ploy_graph *graphs[2] = {NULL, NULL};
        float danger[NODES];
        for (int32_t g = 0; g < 2; g++) CHECK_OK(ploy_graph_create(&def, &env, &graphs[g]));
        for (int32_t i = 0; i < NODES; i++) {
            ploy_vec3 at =
                ploy_vec3_make(ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50), 0);
            danger[i] = (float)ploy_rng_int(&rng, 0, 3);
            for (int32_t g = 0; g < 2; g++) CHECK_OK(ploy_graph_add_node(graphs[g], at, NULL));
        }
        for (int32_t i = 0; i < EDGES; i++) {
            int32_t a = ploy_rng_int(&rng, 0, NODES - 1);
            int32_t b = (a + ploy_rng_int(&rng, 1, NODES - 1)) % NODES;
            double cost = 1.0 + (double)ploy_rng_int(&rng, 0, 9);
            CHECK_OK(ploy_graph_add_edge(graphs[0], a, b, cost, 0, NULL));
            cost *= 1.0 + 0.25 * (double)danger[b];
            CHECK_OK(ploy_graph_add_edge(graphs[1], a, b, cost, 0, NULL));
        }
        ploy_graph_representation_def made = ploy_graph_representation_def_default();
        made.cost_per_m = 0.0f;
        ploy_graph_representation *divisions[2] = {NULL, NULL};
        ploy_planners *planners[2];
        for (int32_t g = 0; g < 2; g++) {
            CHECK_OK(ploy_graph_representation_create(&made, graphs[g], NULL, &env, &divisions[g]));
            ploy_representation representation = ploy_graph_representation_view(divisions[g]);
            planners[g] = plain_planners(t, &representation);
        }
        ploy_cost_layer layer = {danger, NODES, 0.25f};
        ploy_cost_hook hook = ploy_cost_layer_hook(&layer);
        for (int32_t k = 0; k < 8; k++) {
            ploy_representation representation = ploy_graph_representation_view(divisions[0]);
            int32_t a = ploy_rng_int(&rng, 0, NODES - 1), b = ploy_rng_int(&rng, 0, NODES - 1);
            ploy_path_request request = level_ask(representation.localise(representation.user, a),
                                                  representation.localise(representation.user, b));
            CHECK_NEAR(served_cost(t, planners[0], &request, &hook),
                       served_cost(t, planners[1], &request, NULL), 1e-4);
        }
        for (int32_t g = 0; g < 2; g++) {
            ploy_planners_destroy(planners[g]);
            ploy_graph_representation_destroy(divisions[g]);
            ploy_graph_destroy(graphs[g]);
        }
    }
}

TEST(a_mesh_with_a_hook_is_a_mesh_with_those_areas) {
    static nav_tiles tiles;
    enum { COLUMNS = 12, ROWS = 9, COUNT = COLUMNS * ROWS };
    static const float prices[] = {1.0f, 2.0f, 4.0f};
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float danger[COUNT];
        ploy_navmesh_soup soup = nav_grid(&tiles, COLUMNS, ROWS);
        nav_floor plain = nav_soup(t, soup);
        for (int32_t i = 0; i < COUNT; i++) {
            tiles.areas[i] = (uint8_t)ploy_rng_int(&rng, 0, 2);
            danger[i] = prices[tiles.areas[i]] - 1.0f;
        }
        nav_floor built = nav_soup(t, soup);
        ploy_navmesh_filter filter = ploy_navmesh_filter_default();
        for (int32_t i = 0; i < 3; i++) filter.cost[i] = prices[i];
        CHECK_OK(ploy_navmesh_query_set_filter(built.query, &filter));
        ploy_cost_layer layer = {danger, COUNT, 1.0f};
        ploy_cost_hook hook = ploy_cost_layer_hook(&layer);
        ploy_navmesh_query_set_costs(plain.query, &hook);
        for (int32_t method = PLOY_NAVMESH_EDGES; method <= PLOY_NAVMESH_CROSSINGS; method++) {
            ploy_navmesh_answer a, b;
            ploy_navmesh_request request = ploy_navmesh_request_make(
                nav_at(t, plain.query, 0.5f, ploy_rng_range(&rng, 0, 9)),
                nav_at(t, plain.query, 11.5f, ploy_rng_range(&rng, 0, 9)));
            request.method = (ploy_navmesh_method)method;
            CHECK_OK(ploy_navmesh_find_path(plain.query, &request, NULL, &a));
            CHECK_OK(ploy_navmesh_find_path(built.query, &request, NULL, &b));
            CHECK_INT(a.outcome, PLOY_PATH_FOUND);
            int32_t count_a, count_b;
            const int32_t *row_a = ploy_navmesh_query_corridor(plain.query, &count_a);
            const int32_t *row_b = ploy_navmesh_query_corridor(built.query, &count_b);
            CHECK_SAME(a.cost, b.cost);
            CHECK_INT(count_a, count_b);
            CHECK_BYTES(row_a, row_b, (size_t)count_a * sizeof *row_a);
        }
        nav_close(&plain);
        nav_close(&built);
    }
}

// The middle of a room is watched: the way leads round it, whatever the room is made of, and
// through it if it is closed everywhere else.
TEST(a_way_bends_around_danger) {
    enum { SIDE = 11, CELLS = SIDE * SIDE };
    ploy_env env = ploy_env_default();
    static nav_tiles squares;
    nav_floor floor = nav_soup(t, nav_grid(&squares, SIDE, SIDE));
    tile_level level;
    tile_level_make(t, SIDE, 0.0f, 1, &level);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    CHECK_OK(level_planners(&def, &level.representation, &env, &planners));
    ploy_navmesh_finder_def mesh = ploy_navmesh_finder_def_default();
    mesh.mesh = floor.mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&mesh);
    CHECK_OK(ploy_planners_add_finder(planners, ploy_name_of("mesh"), &finder));
    ploy_path_service service = ploy_planners_service(planners);
    float danger[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % SIDE - SIDE / 2, y = i / SIDE - SIDE / 2;
        danger[i] = x * x + y * y <= 9 ? 50.0f : 0.0f;
    }
    ploy_cost_layer layer = {danger, CELLS, 1.0f};
    ploy_path_options wish = ploy_path_options_make();
    ploy_path *path = level_path(t);
    for (int32_t round = 0; round < 6; round++) {
        bool hooked = round / 2 > 0, closed = round / 2 == 2;
        ploy_path_request request =
            level_ask(ploy_vec3_make(0.5f, 5.5f, 0), ploy_vec3_make(10.5f, 5.5f, 0));
        if (round % 2 == 1) request.profile = ploy_name_of("mesh");
        wish.costs = hooked ? ploy_cost_layer_hook(&layer) : ploy_cost_hook_none();
        for (int32_t i = 0; i < CELLS && closed; i++) danger[i] = i % SIDE == 5 ? INFINITY : 0.0f;
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        CHECK_OK(ploy_planners_request(planners, &request, &wish, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        CHECK_INT(outcome, closed ? PLOY_PATH_PARTIAL : PLOY_PATH_FOUND);
        if (closed) continue;
        float nearest = 100.0f, length = ploy_path_length(path);
        for (int32_t i = 0; i <= 200; i++) {
            ploy_vec3 at = ploy_path_at(path, length * (float)i / 200.0f);
            nearest = ploy_minf(
                nearest, ploy_vec2_distance(ploy_vec2_from_vec3(at), ploy_vec2_make(5.5f, 5.5f)));
        }
        if (hooked) {
            CHECK(nearest > 2.0f);
        } else {
            CHECK(nearest < 0.1f);
        }
    }
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    nav_close(&floor);
    ploy_tiles_destroy(level.tiles);
}

static double odd_cost(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)from;
    (void)to;
    (void)label;
    (void)base;
    return *(const double *)user;
}

TEST(what_is_no_cost_ends_in_a_result_and_never_in_a_circle) {
    static nav_tiles squares;
    static double odd[] = {-1.0, (double)NAN, -(double)INFINITY};
    nav_floor floor = nav_soup(t, nav_grid(&squares, 5, 5));
    tile_level level;
    tile_level_make(t, 5, 0.0f, 1, &level);
    ploy_planners *planners = plain_planners(t, &level.representation);
    ploy_path_service service = ploy_planners_service(planners);
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        ploy_cost_hook hook = {odd_cost, &odd[i]};
        ploy_navmesh_answer answer;
        ploy_navmesh_request request = ploy_navmesh_request_make(
            nav_at(t, floor.query, 0.5f, 0.5f), nav_at(t, floor.query, 4.5f, 4.5f));
        ploy_navmesh_query_set_costs(floor.query, &hook);
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
        CHECK_INT(answer.outcome, PLOY_PATH_PARTIAL); // everything is closed
        // The search's own contract: the service says what is wrong.
        ploy_path_options wish = ploy_path_options_make();
        ploy_path_request asked = level_ask_cells(&level, 0, 24);
        ploy_path_ticket ticket;
        wish.costs = hook;
        CHECK_OK(ploy_planners_request(planners, &asked, &wish, &ticket));
        CHECK(ploy_path_service_step(&service, NULL) < PLOY_OK);
        CHECK_OK(ploy_path_service_cancel(&service, ticket));
    }
    ploy_planners_destroy(planners);
    nav_close(&floor);
    ploy_tiles_destroy(level.tiles);
}
