// Tactical costs and graphs.
#include "ploy/tactics/costs.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/path/graph_views.h"
#include "ploy/search/search.h"
#include "tests/state.h"

static ploy_tactics_layer *make_layer(test_context *t, const ploy_places *places) {
    ploy_env env = ploy_env_default();
    ploy_tactics_layer *layer = NULL;
    CHECK_OK(ploy_tactics_layer_create(places, PLOY_TACTICS_NUMBERS, &env, &layer));
    return layer;
}

TEST(a_squad_is_as_careful_as_its_weakest_member) {
    ploy_tactical_profile members[] = {ploy_tactical_profile_scout(),
                                       ploy_tactical_profile_artillery(),
                                       ploy_tactical_profile_infantry()};
    ploy_tactical_profile squad = ploy_tactical_blend(members, 3);
    CHECK_INT(squad.count, 3);
    CHECK_SAME(squad.weights[0], 1.4f);
    CHECK_SAME(squad.weights[1], 1.0f);
    CHECK_SAME(squad.weights[2], 1.0f);
    // Signs: a scout seeks sight and avoids enemies most, heavy artillery avoids everything.
    CHECK(members[0].weights[2] < 0.0f && members[0].weights[1] > members[2].weights[1]);
    CHECK(members[0].weights[0] < members[2].weights[0]);
    CHECK(members[2].weights[0] < members[1].weights[0]);
    CHECK_INT(ploy_tactical_blend(NULL, 0).count, 0);
    ploy_tactical_profile one = {{-0.5f}, 1}, none = {{0}, 0};
    ploy_tactical_profile pair[] = {one, none};
    CHECK_SAME(ploy_tactical_blend(pair, 1).weights[0], -0.5f);
    CHECK_SAME(ploy_tactical_blend(pair, 2).weights[0], 0.0f);
}

TEST(an_edge_costs_its_length_and_weighted_qualities) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_places places = ploy_places_grid(5, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *danger = make_layer(t, &places), *sight = make_layer(t, &places);
    static const float dangers[] = {1, 3, 0, 8, 0};
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_tactics_layer_set(danger, i, dangers[i]));
    CHECK_OK(ploy_tactics_layer_fill(sight, 2.0f));
    CHECK_OK(ploy_tactics_layer_set(sight, 4, NAN));
    for (int32_t cached = 0; cached < 2; cached++) {
        ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
        def.cached = cached == 1;
        def.unknown = 10.0f;
        ploy_tactical_costs *costs = NULL;
        CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
        CHECK_OK(ploy_tactical_costs_add(costs, danger));
        CHECK_OK(ploy_tactical_costs_add(costs, sight));
        ploy_tactical_profile profile = {{0.5f, -1.0f}, 2};
        CHECK_OK(ploy_tactical_costs_set(costs, &profile));
        ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
        CHECK_SAME(hook.fn(hook.user, 0, 1, 0, 4.0), 4.0 + 0.5 * 2.0 - 2.0);
        CHECK_SAME(hook.fn(hook.user, 3, 4, 0, 9.0), 9.0 + 0.5 * 4.0 - 6.0);
        CHECK_INT(ploy_tactical_costs_stats(costs).clamped, 0);
        CHECK_SAME(hook.fn(hook.user, 1, 2, 0, 1.0), 0.0); // 1 + 0.75 - 2
        CHECK_SAME(hook.fn(hook.user, 2, 1, 0, 1.0), 0.0);
        ploy_tactical_stats stats = ploy_tactical_costs_stats(costs);
        CHECK_INT(stats.edges, 4);
        CHECK_INT(stats.clamped, 2);
        CHECK_INT(stats.from, 1);
        CHECK_INT(stats.to, 2);
        CHECK_SAME(stats.cost, -0.25);
        profile.count = 1;
        CHECK_INT(ploy_tactical_costs_set(costs, &profile), PLOY_ERR_ARGUMENT);
        profile.count = 2;
        profile.weights[0] = NAN;
        CHECK_INT(ploy_tactical_costs_set(costs, &profile), PLOY_ERR_ARGUMENT);
        // Half the base weight is the same as twice the others.
        ploy_tactical_profile twice = {{2.0f, -1.0f}, 2}, single = {{1.0f, -0.5f}, 2};
        CHECK_OK(ploy_tactical_costs_set(costs, &twice));
        double doubled = ploy_tactical_costs_edge(costs, 0, 1, 6.0);
        ploy_tactical_costs_destroy(costs);
        def.base_weight = 0.5f;
        CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
        CHECK_OK(ploy_tactical_costs_add(costs, danger));
        CHECK_OK(ploy_tactical_costs_add(costs, sight));
        CHECK_OK(ploy_tactical_costs_set(costs, &single));
        CHECK_SAME(2.0 * ploy_tactical_costs_edge(costs, 0, 1, 6.0), doubled);
        CHECK_SAME(ploy_tactical_costs_at(costs, 1), 3.0 - 1.0);
        ploy_tactical_costs_destroy(costs);
    }
    ploy_tactics_layer_destroy(danger);
    ploy_tactics_layer_destroy(sight);
}

// Figure 6.20: cover, an exposed strip, cover; and a covered detour.
TEST(the_mean_takes_the_exposed_strip_and_the_worst_sample_the_detour) {
    ploy_env env = ploy_env_default();
    ploy_places cells = ploy_places_grid(11, 5, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *exposed = make_layer(t, &cells);
    for (int32_t x = 2; x < 9; x++) CHECK_OK(ploy_tactics_layer_set(exposed, x, 10.0f));
    // Nodes are cells: two cover points and a path round the strip.
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&graph_def, &env, &graph));
    for (int32_t i = 0; i < 55; i++) {
        CHECK_OK(ploy_graph_add_node(graph, cells.position(&cells, i), NULL));
    }
    CHECK_OK(ploy_graph_add_both(graph, 0, 10, 10.0, 0));
    CHECK_OK(ploy_graph_add_both(graph, 0, 44, 4.0, 0));
    CHECK_OK(ploy_graph_add_both(graph, 44, 54, 10.0, 0));
    CHECK_OK(ploy_graph_add_both(graph, 54, 10, 4.0, 0));
    ploy_space space = ploy_graph_space(graph);
    for (int32_t edge = 0; edge < 2; edge++) {
        ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
        def.edge = (ploy_tactical_edge)edge;
        ploy_tactical_costs *costs = NULL;
        CHECK_OK(ploy_tactical_costs_create(&def, &cells, &env, &costs));
        CHECK_OK(ploy_tactical_costs_add(costs, exposed));
        ploy_tactical_profile profile = {{1.0f}, 1};
        CHECK_OK(ploy_tactical_costs_set(costs, &profile));
        ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
        ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
        ploy_lazy_costs *lazy = NULL;
        CHECK_OK(ploy_lazy_costs_create(&lazy_def, &space, hook.fn, hook.user, &env, &lazy));
        ploy_space tactical = ploy_lazy_costs_space(lazy);
        ploy_search_def search_def = ploy_search_def_default();
        ploy_search *search = NULL;
        CHECK_OK(ploy_search_create(&search_def, &env, &search));
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&tactical, &start, 10);
        CHECK_OK(ploy_search_run(search, &query));
        double cost = 0.0;
        CHECK_INT(ploy_search_path(search, 10, NULL, 0, &cost), edge == 0 ? 1 : 3);
        CHECK_SAME(cost, edge == 0 ? 10.0 : 18.0);
        ploy_search_destroy(search);
        ploy_lazy_costs_destroy(lazy);
        ploy_tactical_costs_destroy(costs);
    }
    ploy_graph_destroy(graph);
    ploy_tactics_layer_destroy(exposed);
}

static double find_cost(test_context *t, const ploy_space *space, double weight, int32_t from,
                        int32_t to, int64_t *taken) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    def.weight = weight;
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    CHECK_OK(ploy_search_run(search, &query));
    double cost = INFINITY;
    if (ploy_search_path(search, to, NULL, 0, &cost) < 0) cost = INFINITY;
    *taken = ploy_search_stats_of(search).taken;
    ploy_search_destroy(search);
    return cost;
}

TEST(tactical_a_star_equals_dijkstra_where_the_scale_is_safe) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    int64_t fewer = 0;
    for (int64_t round = 0; round < test_rounds(100); round++) { // make soak: 1,000 and more
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        ploy_tiles_def tiles_def = ploy_tiles_def_default();
        tiles_def.width = tiles_def.height = 20;
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_create(&tiles_def, &env, &tiles));
        ploy_places places = ploy_places_tiles(tiles);
        ploy_tactics_layer *danger = make_layer(t, &places), *cover = make_layer(t, &places);
        for (int32_t i = 0; i < 400; i++) {
            float wall = ploy_rng_range(&rng, 0.0f, 1.0f);
            float a = ploy_rng_range(&rng, 0.0f, 3.0f), b = ploy_rng_range(&rng, 0.0f, 1.0f);
            if (wall < 0.2f) CHECK_OK(ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED));
            CHECK_OK(ploy_tactics_layer_set(danger, i, a));
            CHECK_OK(ploy_tactics_layer_set(cover, i, b));
        }
        ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
        def.edge = round % 2 == 0 ? PLOY_TACTICAL_MEAN : PLOY_TACTICAL_WORST;
        def.cached = round % 4 == 0;
        def.by_length = round % 3 == 0;
        ploy_tactical_costs *costs = NULL;
        CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
        CHECK_OK(ploy_tactical_costs_add(costs, danger));
        CHECK_OK(ploy_tactical_costs_add(costs, cover));
        // A part of the rounds clamps, and then the scale is 0.
        ploy_tactical_profile profile = {{0.3f, round % 5 == 0 ? -1.6f : -0.7f}, 2};
        CHECK_OK(ploy_tactical_costs_set(costs, &profile));
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        ploy_space space = ploy_tiles_space(&walker);
        double scale = -1.0;
        CHECK_OK(ploy_tactical_costs_scale(costs, &space, &scale));
        CHECK(scale >= 0.0 && scale <= 1.0);
        CHECK(ploy_tactical_costs_stats(costs).clamped == 0 || scale == 0.0);
        ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
        ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
        lazy_def.labels = 0;
        ploy_lazy_costs *lazy = NULL;
        CHECK_OK(ploy_lazy_costs_create(&lazy_def, &space, hook.fn, hook.user, &env, &lazy));
        ploy_space tactical = ploy_lazy_costs_space(lazy);
        int64_t a_star = 0, dijkstra = 0;
        double best = find_cost(t, &tactical, 0.0, 0, 399, &dijkstra);
        CHECK_NEAR(find_cost(t, &tactical, scale, 0, 399, &a_star), best, 1e-9);
        fewer += dijkstra - a_star;
        ploy_lazy_costs_destroy(lazy);
        ploy_tactical_costs_destroy(costs);
        ploy_tactics_layer_destroy(danger);
        ploy_tactics_layer_destroy(cover);
        ploy_tiles_destroy(tiles);
    }
    CHECK(fewer > 0);
}

TEST(the_state_of_costs_is_visited_completely) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
    ploy_places places = ploy_places_grid(6, 5, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = make_layer(t, &places);
    for (int32_t i = 0; i < 30; i++) CHECK_OK(ploy_tactics_layer_set(layer, i, (float)(i % 7)));
    ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
    def.cached = true;
    ploy_tactical_costs *costs = NULL, *other = NULL;
    CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
    CHECK_OK(ploy_tactical_costs_create(&def, &places, &plain, &other));
    ploy_tactical_profile profile = {{-3.0f}, 1};
    CHECK_OK(ploy_tactical_costs_add(costs, layer));
    CHECK_OK(ploy_tactical_costs_add(other, layer));
    CHECK_OK(ploy_tactical_costs_set(costs, &profile));
    ploy_tactical_costs_refresh(costs);
    CHECK_OK(ploy_tactics_layer_set(layer, 3, 5.0f)); // the cache is older than the layer
    double before = ploy_tactical_costs_edge(costs, 3, 4, 1.0);
    CHECK_INT(ploy_tactical_costs_stats(costs).clamped, 1);
    static const char *const refused[] = {"concerns", NULL};
    // Described are the weights that it follows from, and counts as notes.
    static const char *const hidden[] = {"cache", "clamped_from", "clamped_to", "clamped_cost",
                                         NULL};
    state_check s = {ploy_tactical_costs_visit, costs, NULL, hidden, refused};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    state_check_memory(t, &s, &counts);
    CHECK_SAME(ploy_tactical_costs_edge(other, 3, 4, 1.0), before);
    CHECK_SAME(ploy_tactical_costs_at(other, 3), ploy_tactical_costs_at(costs, 3));
    ploy_tactical_costs_destroy(costs);
    ploy_tactical_costs_destroy(other);
    ploy_tactics_layer_destroy(layer);
}

TEST(points_are_linked_into_a_graph) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 4; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make(4.0f * (float)i, 0, 0), NULL));
        if (i > 0) CHECK_OK(ploy_graph_add_both(graph, i - 1, i, 4.0, 0));
    }
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &scene));
    CHECK_OK(
        ploy_plain_scene_add_segment(scene, ploy_vec2_make(6, -9), ploy_vec2_make(6, 9), 1, NULL));
    ploy_scene view = ploy_plain_scene_interface(scene);
    ploy_vec3 points[] = {{5, 3, 0}, {50, 0, 0}};
    int32_t nodes[2], joined[2];
    CHECK_OK(ploy_tactics_link_points(graph, points, 2, 6.0f, &view, UINT32_MAX, nodes, joined));
    CHECK_INT(nodes[0], 4);
    CHECK_INT(joined[0], 2); // nodes 0 and 1 at (0, 0) and (4, 0); node 2 is behind the wall
    CHECK_INT(joined[1], 0); // needs a waypoint nearby
    CHECK(ploy_graph_find_edge(graph, 4, 1) != PLOY_GRAPH_NONE);
    CHECK(ploy_graph_find_edge(graph, 1, 4) != PLOY_GRAPH_NONE);
    CHECK_INT(ploy_graph_find_edge(graph, 4, 2), PLOY_GRAPH_NONE);
    CHECK_INT(ploy_tactics_link_points(graph, points, 1, 0.0f, NULL, 0, NULL, NULL),
              PLOY_ERR_ARGUMENT);
    ploy_plain_scene_destroy(scene);
    ploy_graph_destroy(graph);
}

TEST(a_grid_becomes_a_graph_without_steep_steps) {
    ploy_env env = ploy_env_default();
    float heights[6 * 3];
    for (int32_t i = 0; i < 18; i++) heights[i] = i % 6 >= 3 ? 5.0f : 0.0f; // a cliff
    ploy_heightfield field = ploy_heightfield_make(heights, 6, 3, ploy_vec2_make(0, 0), 1.0f);
    ploy_tiles_def tiles_def = ploy_tiles_def_default();
    tiles_def.width = 5;
    tiles_def.height = 2;
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(&tiles_def, &env, &tiles));
    CHECK_OK(ploy_tiles_set(tiles, 0, PLOY_TILE_BLOCKED));
    ploy_places places = ploy_places_tiles(tiles);
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    CHECK_OK(ploy_tactics_place_graph(&places, &field, 1.0f, graph));
    CHECK_INT(ploy_graph_node_count(graph), 9);
    CHECK(!ploy_graph_has_node(graph, 0));
    CHECK(ploy_graph_find_edge(graph, 1, 6) != PLOY_GRAPH_NONE);
    CHECK(ploy_graph_find_edge(graph, 3, 4) != PLOY_GRAPH_NONE);
    CHECK_INT(ploy_graph_find_edge(graph, 1, 2), PLOY_GRAPH_NONE); // up the cliff
    CHECK_INT(ploy_tactics_place_graph(&places, &field, 1.0f, graph), PLOY_ERR_ARGUMENT);
    ploy_graph_destroy(graph);
    ploy_tiles_destroy(tiles);
}

static ploy_result costs_body(const ploy_env *env, void *arg) {
    ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
    ploy_tactical_costs *costs = NULL;
    def.cached = true;
    ploy_result result = ploy_tactical_costs_create(&def, arg, env, &costs);
    ploy_tactical_costs_destroy(costs);
    return result;
}

static ploy_result graph_body(const ploy_env *env, void *arg) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) result = ploy_tactics_place_graph(arg, NULL, 1.0f, graph);
    ploy_vec3 point = {1, 1, 0};
    if (result == PLOY_OK) {
        result = ploy_tactics_link_points(graph, &point, 1, 2.0f, NULL, 0, NULL, NULL);
    }
    ploy_graph_destroy(graph);
    return result;
}

TEST(costs_and_graphs_survive_failing_allocations) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(costs_body, &places);
    CHECK_FAIL_NTH(graph_body, &places);
}
