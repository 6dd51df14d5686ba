// Tactical costs and graphs.
#include "ploy/tactics/costs.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/path/finders.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/path/graph_views.h"
#include "ploy/path/heuristic.h"
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

// A map with walls and two concerns, danger to avoid and cover to seek.
typedef struct random_level {
    ploy_tiles *tiles;
    ploy_places places;
    ploy_tactics_layer *danger, *cover;
    ploy_tactical_costs *costs;
    ploy_cost_hook hook;
    ploy_tiles_walker walker;
    ploy_space space;
    double scale;
} random_level;

enum { RANDOM_SIDE = 20, RANDOM_LAST = RANDOM_SIDE * RANDOM_SIDE - 1 };

static void random_make(test_context *t, int64_t round, const ploy_env *env, random_level *out) {
    ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
    ploy_tiles_def tiles_def = ploy_tiles_def_default();
    tiles_def.width = tiles_def.height = RANDOM_SIDE;
    CHECK_OK(ploy_tiles_create(&tiles_def, env, &out->tiles));
    out->places = ploy_places_tiles(out->tiles);
    out->danger = make_layer(t, &out->places);
    out->cover = make_layer(t, &out->places);
    for (int32_t i = 0; i <= RANDOM_LAST; i++) {
        float wall = ploy_rng_range(&rng, 0.0f, 1.0f);
        float a = ploy_rng_range(&rng, 0.0f, 3.0f), b = ploy_rng_range(&rng, 0.0f, 1.0f);
        bool corner = i == 0 || i == RANDOM_LAST;
        if (wall < 0.2f && !corner) CHECK_OK(ploy_tiles_set(out->tiles, i, PLOY_TILE_BLOCKED));
        CHECK_OK(ploy_tactics_layer_set(out->danger, i, a));
        CHECK_OK(ploy_tactics_layer_set(out->cover, i, b));
    }
    ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
    def.edge = round % 2 == 0 ? PLOY_TACTICAL_MEAN : PLOY_TACTICAL_WORST;
    def.cached = round % 4 == 0;
    def.by_length = round % 3 == 0;
    CHECK_OK(ploy_tactical_costs_create(&def, &out->places, env, &out->costs));
    CHECK_OK(ploy_tactical_costs_add(out->costs, out->danger));
    CHECK_OK(ploy_tactical_costs_add(out->costs, out->cover));
    // A part of the rounds clamps, and then the scale is 0.
    ploy_tactical_profile profile = {{0.3f, round % 5 == 0 ? -1.6f : -0.7f}, 2};
    CHECK_OK(ploy_tactical_costs_set(out->costs, &profile));
    out->hook = ploy_tactical_costs_hook(out->costs);
    out->walker = ploy_tiles_walker_make(out->tiles, NULL);
    out->space = ploy_tiles_space(&out->walker);
    CHECK_OK(ploy_tactical_costs_scale(out->costs, &out->space, &out->scale));
    CHECK(out->scale >= 0.0 && out->scale <= 1.0);
    CHECK(ploy_tactical_costs_stats(out->costs).clamped == 0 || out->scale == 0.0);
}

static void random_free(random_level *level) {
    ploy_tactical_costs_destroy(level->costs);
    ploy_tactics_layer_destroy(level->danger);
    ploy_tactics_layer_destroy(level->cover);
    ploy_tiles_destroy(level->tiles);
}

TEST(tactical_a_star_equals_dijkstra_where_the_scale_is_safe) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    int64_t fewer = 0;
    for (int64_t round = 0; round < test_rounds(100); round++) { // make soak: 1,000 and more
        TEST_SEED(round + 1);
        random_level level;
        random_make(t, round, &env, &level);
        ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
        ploy_lazy_costs *lazy = NULL;
        CHECK_OK(ploy_lazy_costs_create(&lazy_def, &level.space, level.hook.fn, level.hook.user,
                                        &env, &lazy));
        ploy_space tactical = ploy_lazy_costs_space(lazy);
        int64_t a_star = 0, dijkstra = 0;
        double best = find_cost(t, &tactical, 0.0, 0, RANDOM_LAST, &dijkstra);
        CHECK_NEAR(find_cost(t, &tactical, level.scale, 0, RANDOM_LAST, &a_star), best, 1e-9);
        fewer += dijkstra - a_star;
        ploy_lazy_costs_destroy(lazy);
        random_free(&level);
    }
    CHECK(fewer > 0);
}

// What a finder's path from the first cell to the last costs by the hook, INFINITY without one; and what
// its edges cost one by one.
static double finder_cost(test_context *t, ploy_finder_factory factory, const random_level *level,
                          const ploy_representation *floor) {
    ploy_env env = ploy_env_default();
    ploy_finder finder;
    CHECK((factory.traits & PLOY_FINDER_COSTS) != 0);
    CHECK_OK(ploy_finder_make(&factory, &env, &finder));
    ploy_path_request ask =
        ploy_path_request_make(ploy_agent_id_none(), floor->localise(floor->user, 0),
                               floor->localise(floor->user, RANDOM_LAST));
    ploy_finder_request request = ploy_finder_request_make(&ask);
    CHECK_OK(ploy_finder_run(finder, &request, &level->hook));
    double cost = INFINITY;
    if (ploy_finder_outcome(finder) == PLOY_PATH_FOUND) {
        int32_t cells[RANDOM_LAST + 1];
        int32_t count = ploy_finder_states(finder, cells, RANDOM_LAST + 1);
        cost = ploy_finder_state_of(finder)->cost;
        CHECK(count > 1 && cells[0] == 0 && cells[count - 1] == RANDOM_LAST);
        double sum = 0.0;
        for (int32_t i = 1; i < count; i++) {
            bool slanted = cells[i] % RANDOM_SIDE != cells[i - 1] % RANDOM_SIDE &&
                           cells[i] / RANDOM_SIDE != cells[i - 1] / RANDOM_SIDE;
            sum += ploy_tactical_costs_edge(level->costs, cells[i - 1], cells[i],
                                            slanted ? sqrt(2.0) : 1.0);
        }
        CHECK_NEAR(cost, sum, 1e-5 * (1.0 + sum));
    }
    ploy_finder_destroy(finder);
    return cost;
}

// Every finder that accepts hooks, over estimates with the measured scale: optimal ones find the cost of
// Dijkstra's search, the others a path whenever there is one.
TEST(finders_take_tactical_costs) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    int32_t found = 0;
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round + 1);
        random_level level;
        random_make(t, round, &env, &level);
        ploy_representation floor = ploy_tiles_representation(&level.walker);
        ploy_heuristic_def heuristic = ploy_heuristic_def_default();
        heuristic.kind = PLOY_HEURISTIC_OCTILE;
        heuristic.scale = level.scale;
        ploy_guide guide = ploy_guide_make(&level.space, &heuristic, floor.localise, floor.user);
        floor.space = ploy_guide_space(&guide);
        ploy_frozen_graph *frozen = NULL;
        CHECK_OK(ploy_space_freeze(&level.space, floor.localise, floor.user, &env, &frozen));
        ploy_frozen_finder_def both[2] = {{frozen, &floor, false, 0}, {frozen, &floor, true, 0}};
        ploy_finder_factory factories[PLOY_SPACE_METHOD_COUNT + 2];
        for (int32_t i = 0; i < PLOY_SPACE_METHOD_COUNT; i++) {
            factories[i] = ploy_representation_finder(&floor, (ploy_space_method)i);
        }
        for (int32_t i = 0; i < 2; i++) {
            factories[PLOY_SPACE_METHOD_COUNT + i] = ploy_frozen_graph_finder(&both[i]);
        }
        ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
        ploy_lazy_costs *lazy = NULL;
        CHECK_OK(ploy_lazy_costs_create(&lazy_def, &level.space, level.hook.fn, level.hook.user,
                                        &env, &lazy));
        ploy_space tactical = ploy_lazy_costs_space(lazy);
        int64_t taken = 0;
        double best = find_cost(t, &tactical, 0.0, 0, RANDOM_LAST, &taken);
        for (size_t i = 0; i < COUNT_OF(factories); i++) {
            t->row = factories[i].name;
            double cost = finder_cost(t, factories[i], &level, &floor);
            CHECK((cost < INFINITY) == (best < INFINITY));
            if (!(best < INFINITY)) continue;
            CHECK(cost >= best - 1e-5 * (1.0 + best));
            bool optimal = (factories[i].traits & PLOY_FINDER_OPTIMAL) != 0;
            if (optimal) CHECK_NEAR(cost, best, 1e-5 * (1.0 + best));
            if (i == PLOY_SPACE_WEIGHTED) CHECK(cost <= 3.0 * best + 1e-5);
            found += optimal;
        }
        ploy_lazy_costs_destroy(lazy);
        ploy_frozen_graph_destroy(frozen);
        random_free(&level);
    }
    CHECK(found > 100);
}

// A hall with a pillar: the short side of it, above, is in the enemy's sight.
TEST(a_mesh_is_crossed_where_it_is_safe) {
    static const ploy_vec2 hall[] = {{0, 0}, {30, 0}, {30, 10}, {0, 10}};
    static const ploy_vec2 pillar[] = {{10, 3}, {10, 6}, {20, 6}, {20, 3}};
    ploy_env env = ploy_env_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    CHECK_OK(ploy_rings_add(rings, pillar, 4));
    CHECK_OK(ploy_navmesh_create_rings(&mesh_def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL,
                                       &mesh));
    ploy_places places = ploy_places_navmesh(mesh);
    ploy_tactics_layer *danger = make_layer(t, &places);
    for (int32_t i = 0; i < places.count; i++) {
        ploy_vec3 at = places.position(&places, i);
        bool seen = at.x > 8.0f && at.x < 22.0f && at.y > 5.0f;
        CHECK_OK(ploy_tactics_layer_set(danger, i, seen ? 5.0f : 0.0f));
    }
    ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
    ploy_tactical_costs *costs = NULL;
    def.by_length = true;
    CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
    CHECK_OK(ploy_tactical_costs_add(costs, danger));
    ploy_navmesh_finder_def finder_def = ploy_navmesh_finder_def_default();
    finder_def.mesh = mesh;
    ploy_finder_factory factory = ploy_navmesh_finder(&finder_def);
    ploy_finder finder;
    CHECK_OK(ploy_finder_make(&factory, &env, &finder));
    ploy_path_def path_def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&path_def, &env, &path));
    ploy_path_request ask = ploy_path_request_make(ploy_agent_id_none(), ploy_vec3_make(2, 6.5f, 0),
                                                   ploy_vec3_make(28, 6.5f, 0));
    ploy_finder_request request = ploy_finder_request_make(&ask);
    for (int32_t careful = 0; careful < 2; careful++) {
        ploy_tactical_profile profile = {{careful != 0 ? 1.0f : 0.0f}, 1};
        CHECK_OK(ploy_tactical_costs_set(costs, &profile));
        ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
        CHECK_OK(ploy_finder_run(finder, &request, &hook));
        CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
        CHECK_OK(ploy_finder_path(finder, path));
        bool above = true, below = true;
        for (float along = 0.0f; along < ploy_path_length(path); along += 0.25f) {
            ploy_vec3 at = ploy_path_at(path, along);
            bool beside = at.x > 10.0f && at.x < 20.0f;
            above = above && (!beside || at.y >= 6.0f);
            below = below && (!beside || at.y <= 3.0f);
        }
        CHECK(careful != 0 ? below : above);
    }
    ploy_path_destroy(path);
    ploy_finder_destroy(finder);
    ploy_tactical_costs_destroy(costs);
    ploy_tactics_layer_destroy(danger);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
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

TEST(costs_allocate_nothing_once_they_are_made) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_places places = ploy_places_grid(12, 9, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = make_layer(t, &places);
    for (int32_t i = 0; i < places.count; i++) {
        CHECK_OK(ploy_tactics_layer_set(layer, i, (float)(i % 5)));
    }
    for (int32_t kind = 0; kind < 4; kind++) {
        ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
        def.cached = kind % 2 == 1;
        def.edge = kind < 2 ? PLOY_TACTICAL_MEAN : PLOY_TACTICAL_WORST;
        ploy_tactical_costs *costs = NULL;
        CHECK_OK(ploy_tactical_costs_create(&def, &places, &env, &costs));
        int64_t before = counts.calls;
        CHECK_OK(ploy_tactical_costs_add(costs, layer));
        ploy_tactical_profile profile = {{0.5f}, 1};
        CHECK_OK(ploy_tactical_costs_set(costs, &profile));
        for (int32_t i = 0; i + 1 < places.count; i++) {
            CHECK(ploy_tactical_costs_edge(costs, i, i + 1, 1.0) >= 1.0);
        }
        CHECK_INT(counts.calls, before);
        ploy_tactical_costs_destroy(costs);
    }
    CHECK_INT(counts.bytes, 0);
    ploy_tactics_layer_destroy(layer);
}
