// Roads: costs of the first road against a plain search, networks that join all places, loops, limits.
#include "tests/generate/terrain_test.h"

#include <stdlib.h>

#include "ploy/generate/roads.h"

static ploy_roads *roads_test_run(test_context *t, const ploy_heightmap *map,
                                  const ploy_roads_def *def, const ploy_vec2 *places, int32_t count,
                                  const ploy_env *env) {
    ploy_roads *roads = NULL;
    CHECK_OK(ploy_roads_begin(def, ploy_rng_key_make(2), map, places, count, NULL, env, &roads));
    CHECK_OK(ploy_roads_step(roads, NULL));
    CHECK(ploy_roads_outcome(roads).done);
    return roads;
}

static float roads_test_step(const float *elevation, int32_t columns, int32_t from, int32_t to,
                             const ploy_roads_def *def) {
    int32_t dx = abs(from % columns - to % columns), dy = abs(from / columns - to / columns);
    float run = dx + dy == 2 ? 1.41421356f : 1.0f;
    float slope = fabsf(elevation[to] - elevation[from]) / run;
    return slope <= def->max_slope ? run * (1.0f + def->slope_cost * slope * slope) : INFINITY;
}

// Cheapest cost between two cells, by relaxing until nothing changes.
static double roads_test_cost(const ploy_heightmap *map, int32_t from, int32_t to,
                              const ploy_roads_def *def) {
    int32_t columns = ploy_heightmap_def_of(map)->columns, rows = ploy_heightmap_def_of(map)->rows;
    double *cost = malloc(sizeof(double) * (size_t)(columns * rows));
    for (int32_t i = 0; i < columns * rows; i++) cost[i] = i == from ? 0.0 : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < columns * rows; i++) {
            for (int32_t d = 0; d < 9; d++) {
                int32_t x = i % columns + d % 3 - 1, y = i / columns + d / 3 - 1;
                if (d == 4 || x < 0 || y < 0 || x >= columns || y >= rows) continue;
                int32_t near = y * columns + x;
                double next = cost[near] + (double)roads_test_step(ploy_heightmap_elevation(map),
                                                                   columns, near, i, def);
                if (next < cost[i]) {
                    cost[i] = next;
                    changed = true;
                }
            }
        }
    }
    double result = cost[to];
    free(cost);
    return result;
}

TEST(a_road_is_the_cheapest_path_over_the_slopes) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        TEST_SEED(seed);
        ploy_heightmap *map = terrain_test_hills(t, 30, 24, 10.0f, seed, &env);
        ploy_roads_def def = ploy_roads_def_default();
        ploy_vec2 places[2] = {{2, 3}, {27, 20}};
        ploy_roads *roads = roads_test_run(t, map, &def, places, 2, &env);
        int32_t links = 0, nodes = 0;
        const ploy_road_link *link = ploy_roads_links(roads, &links);
        const ploy_road_node *node = ploy_roads_nodes(roads, &nodes);
        CHECK_INT(links, 1);
        CHECK_INT(nodes, 2);
        const ploy_vec3 *points = ploy_roads_points(roads) + link->first;
        double cost = 0.0;
        for (int32_t i = 1; i < link->count; i++) {
            int32_t a =
                ploy_heightmap_quantise(map, ploy_vec2_make(points[i - 1].x, points[i - 1].y));
            int32_t b = ploy_heightmap_quantise(map, ploy_vec2_make(points[i].x, points[i].y));
            cost += (double)roads_test_step(ploy_heightmap_elevation(map), 30, a, b, &def);
        }
        double want = roads_test_cost(map, node[0].cell, node[1].cell, &def);
        CHECK_NEAR(cost, want, 1e-4 * want);
        ploy_roads_cancel(roads);
        ploy_heightmap_destroy(map);
    }
}

// Number of parts that links join the nodes into.
static int32_t roads_test_parts(const ploy_roads *roads) {
    int32_t nodes = 0, links = 0, part[256], parts = 0;
    ploy_roads_nodes(roads, &nodes);
    const ploy_road_link *link = ploy_roads_links(roads, &links);
    for (int32_t i = 0; i < nodes; i++) part[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < links; i++) {
            int32_t low = ploy_mini(part[link[i].from], part[link[i].to]);
            changed = changed || part[link[i].from] != low || part[link[i].to] != low;
            part[link[i].from] = part[link[i].to] = low;
        }
    }
    for (int32_t i = 0; i < nodes; i++) parts += part[i] == i;
    return parts;
}

TEST(all_places_are_joined_into_one_network) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        TEST_SEED(seed);
        ploy_heightmap *map = terrain_test_hills(t, 64, 48, 12.0f, seed, &env);
        ploy_roads_def def = ploy_roads_def_default();
        def.places = 12;
        def.neighbours = 0;
        ploy_roads *roads = roads_test_run(t, map, &def, NULL, 0, &env);
        int32_t nodes = 0, links = 0, points = 0, places = 0, cells = 0;
        const ploy_road_node *node = ploy_roads_nodes(roads, &nodes);
        const ploy_road_link *link = ploy_roads_links(roads, &links);
        const uint8_t *road =
            ploy_heightmap_layer(ploy_roads_heights(roads), "road", PLOY_HEIGHTMAP_U8);
        for (int32_t i = 0; i < nodes; i++) {
            places += node[i].place >= 0;
            CHECK_INT(road[node[i].cell], 1);
        }
        CHECK_INT(places, 12);
        CHECK_INT(roads_test_parts(roads), 1);
        CHECK_INT(links, nodes - 1); // without loops a tree
        for (int32_t i = 0; i < links; i++) points += link[i].count - 2;
        for (int32_t i = 0; i < 64 * 48; i++) cells += road[i];
        CHECK_INT(points + nodes, cells); // every road cell is a node or inside exactly one link
        double before = 0.0, after = 0.0;
        for (int32_t i = 0; i < links; i++) before += (double)link[i].length;
        ploy_roads_cancel(roads);
        // With loops there is more road, and still one network.
        def.neighbours = 3;
        def.detour = 1.05f;
        roads = roads_test_run(t, map, &def, NULL, 0, &env);
        CHECK_INT(roads_test_parts(roads), 1);
        link = ploy_roads_links(roads, &links);
        ploy_roads_nodes(roads, &nodes);
        for (int32_t i = 0; i < links; i++) after += (double)link[i].length;
        CHECK(after >= before && links >= nodes);
        ploy_roads_cancel(roads);
        ploy_heightmap_destroy(map);
    }
}

TEST(cliffs_are_not_crossed_and_bridges_are_dear) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 21, 21, &env);
    float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < 21; i++) elevation[i * 21 + 10] = 50.0f; // a wall
    ploy_vec2 places[3] = {{3, 10}, {17, 10}, {400, 3}};
    ploy_roads_def def = ploy_roads_def_default();
    ploy_roads *roads = roads_test_run(t, map, &def, places, 3, &env);
    int32_t links = 0;
    ploy_roads_links(roads, &links);
    CHECK_INT(links, 0);
    CHECK_INT(ploy_roads_outcome(roads).rejected, 2); // off the map, and behind the wall
    ploy_roads_cancel(roads);
    elevation[18 * 21 + 10] = 0.0f; // a gap
    roads = roads_test_run(t, map, &def, places, 2, &env);
    const ploy_road_link *link = ploy_roads_links(roads, &links);
    CHECK_INT(links, 1);
    float around = link->length;
    CHECK(around > 20.0f);
    ploy_roads_cancel(roads);
    // Instead of the wall a river: a bridge where it is cheaper than the gap.
    void *water = NULL;
    CHECK_OK(ploy_heightmap_add(map, "water", PLOY_HEIGHTMAP_F32, &water));
    for (int32_t i = 0; i < 18; i++) {
        elevation[i * 21 + 10] = 0.0f;
        ((float *)water)[i * 21 + 10] = 1.0f;
    }
    roads = roads_test_run(t, map, &def, places, 2, &env);
    CHECK_NEAR(ploy_roads_links(roads, &links)->length, 14.0, 1e-4);
    ploy_roads_cancel(roads);
    def.bridge = 50.0f;
    roads = roads_test_run(t, map, &def, places, 2, &env);
    CHECK_NEAR(ploy_roads_links(roads, &links)->length, around, 1e-3);
    ploy_roads_cancel(roads);
    ploy_heightmap_destroy(map);
}

TEST(slices_change_nothing_and_the_limit_is_a_result) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 40, 40, 12.0f, 4, &env);
    ploy_roads_def def = ploy_roads_def_default();
    ploy_roads *whole = roads_test_run(t, map, &def, NULL, 0, &env), *cut = NULL;
    CHECK_OK(ploy_roads_begin(&def, ploy_rng_key_make(2), map, NULL, 0, NULL, &env, &cut));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(7);
        result = ploy_roads_step(cut, &budget);
    }
    CHECK_OK(result);
    int32_t a = 0, b = 0;
    const ploy_road_link *one = ploy_roads_links(whole, &a), *two = ploy_roads_links(cut, &b);
    CHECK_INT(a, b);
    for (int32_t i = 0; i < a; i++) CHECK_SAME(one[i].length, two[i].length);
    CHECK_INT(ploy_roads_outcome(whole).units, ploy_roads_outcome(cut).units);
    ploy_roads_cancel(whole);
    ploy_roads_cancel(cut);
    def.max_states = 500;
    whole = roads_test_run(t, map, &def, NULL, 0, &env);
    CHECK(ploy_roads_outcome(whole).partial);
    CHECK_TEXT(ploy_roads_outcome(whole).limit, "max_states");
    ploy_roads_cancel(whole);
    ploy_heightmap_destroy(map);
}

static ploy_result roads_test_make(const ploy_env *env, void *arg) {
    ploy_roads_def def = ploy_roads_def_default();
    ploy_roads *roads = NULL;
    ploy_result result =
        ploy_roads_begin(&def, ploy_rng_key_make(2), arg, NULL, 0, NULL, env, &roads);
    if (result == PLOY_OK) result = ploy_roads_step(roads, NULL);
    ploy_roads_cancel(roads);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 12, 12, 3.0f, 1, &env);
    CHECK_FAIL_NTH(roads_test_make, map);
    ploy_heightmap_destroy(map);
}
