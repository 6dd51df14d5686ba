// Hierarchies: groups, who stands for them, and what it costs to cross them.
#include "path/path_internal.h"
#include "ploy/path/hierarchy.h"

#include "ploy/path/graph_instances.h"
#include "tests/path/toy_levels.h"

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_hierarchy_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_hierarchy_search_fields(), NULL));
}

// PTH-30: rooms A (0), B (1), C (2 to 8, its seven places) and D (9, 10). Entered from A, C takes 4
// to cross; from B 1. Both exits cost 1.
static ploy_frozen_graph *four_rooms(test_context *t, int32_t groups[11]) {
    static const toy_way ways[] = {{0, 2, 1}, {1, 7, 1},  {2, 3, 1}, {3, 4, 1},
                                   {4, 5, 1}, {5, 6, 1},  {7, 8, 1}, {5, 7, 9},
                                   {6, 9, 1}, {8, 10, 1}, {9, 10, 1}};
    static const int32_t rooms[11] = {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3};
    memcpy(groups, rooms, sizeof rooms);
    return toy_freeze(t, toy_graph_make(t, false, 11, ways, COUNT_OF(ways)));
}

// PTH-30: A's cells are 0 to 5, B's 6 to 16 (B1 is 6), C1 is 17.
static ploy_frozen_graph *corridor_rooms(test_context *t, int32_t groups[18]) {
    static const char map[] = "012#345#6#7#8#9#abc##de##fgh"; // nodes as base-36 digits, a = 10
    static const int32_t width = 4, height = 7;
    toy_way ways[64];
    size_t count = 0;
    int32_t nodes[28];
    for (int32_t i = 0; i < 28; i++) {
        char c = map[i];
        nodes[i] = c == '#' ? -1 : c <= '9' ? c - '0' : c - 'a' + 10;
        if (nodes[i] >= 0) groups[nodes[i]] = nodes[i] < 6 ? 0 : nodes[i] < 17 ? 1 : 2;
    }
    for (int32_t i = 0; i < width * height; i++) {
        int32_t next[2] = {i % width + 1 < width ? i + 1 : -1, i + width < 28 ? i + width : -1};
        for (int32_t k = 0; k < 2; k++) {
            if (nodes[i] < 0 || next[k] < 0 || nodes[next[k]] < 0) continue;
            ways[count].from = nodes[i];
            ways[count].to = nodes[next[k]];
            ways[count++].cost = 1.0;
        }
    }
    return toy_freeze(t, toy_graph_make(t, false, 18, ways, count));
}

TEST(crossing_costs_are_those_of_the_policy) {
    static const struct {
        const char *row;
        int32_t level; // scene
        float minimum, maximin, average;
        double want;
    } rows[] = {
        {"minimum", 0, 1, 0, 0, 1.0},
        {"maximin", 0, 0, 1, 0, 5.0},
        {"average", 0, 0, 0, 1, 3.5},
        {"all three alike", 0, 2, 2, 2, 9.5 / 3.0},
        {"corridors, minimum", 1, 1, 0, 0, 1.0},
        {"corridors, maximin", 1, 0, 1, 0, 7.0},
        {"corridors, average", 1, 0, 0, 1, 6.0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int32_t groups[18];
        bool first = rows[i].level == 0;
        ploy_frozen_graph *graph = first ? four_rooms(t, groups) : corridor_rooms(t, groups);
        ploy_hierarchy *hierarchy =
            toy_hierarchy(t, graph, rows[i].minimum, rows[i].maximin, rows[i].average);
        CHECK_OK(ploy_hierarchy_add_level(hierarchy, groups, first ? 4 : 3, NULL));
        CHECK_NEAR(ploy_hierarchy_cost(hierarchy, 1, first ? 2 : 1, first ? 3 : 2), rows[i].want,
                   1e-12);
        CHECK_SAME(ploy_hierarchy_cost(hierarchy, 1, 0, first ? 3 : 2), (double)INFINITY);
        ploy_hierarchy_destroy(hierarchy);
        ploy_frozen_graph_destroy(graph);
    }
}

// Two groups are joined exactly if nodes of theirs are; costs lie between minimum and maximin.
TEST(levels_join_what_is_joined_below) {
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, 40, 30);
        maps_scatter(tiles, &rng, 0.25f);
        toy_floor floor = toy_floor_make(t, tiles);
        ploy_hierarchy *levels[3];
        for (int32_t i = 0; i < 3; i++) {
            levels[i] = toy_hierarchy(t, floor.graph, i == 0, i == 1, i == 2);
            toy_add_blocks(t, levels[i], 5.0f, 2);
            CHECK_INT(ployi_hierarchy_levels(levels[i]), 3);
        }
        for (int32_t level = 1; level < 3; level++) {
            const ploy_frozen_graph *below = ployi_hierarchy_graph(levels[0], level - 1);
            int32_t count = ploy_frozen_graph_node_count(ployi_hierarchy_graph(levels[0], level));
            bool *joined = calloc((size_t)count * (size_t)count, sizeof *joined);
            for (int32_t n = 0; n < ploy_frozen_graph_node_count(below); n++) {
                const ploy_edge *edges;
                int32_t ways = ployi_frozen_graph_out(below, n, &edges);
                int32_t from = ploy_hierarchy_node(levels[0], level - 1, n, level);
                for (int32_t k = 0; k < ways; k++) {
                    int32_t to = ploy_hierarchy_node(levels[0], level - 1, edges[k].to, level);
                    joined[from * count + to] = from != to;
                }
            }
            for (int32_t i = 0; i < count * count; i++) {
                double least = ploy_hierarchy_cost(levels[0], level, i / count, i % count);
                double most = ploy_hierarchy_cost(levels[1], level, i / count, i % count);
                double mean = ploy_hierarchy_cost(levels[2], level, i / count, i % count);
                CHECK_INT(joined[i], least < (double)INFINITY);
                if (!joined[i] || level > 1) continue; // higher ones stand on different costs
                CHECK(least <= mean + 1e-9 && mean <= most + 1e-9);
            }
            for (int32_t g = 0; g < count; g++) {
                // Down to who stands for it, and up again.
                int32_t down = ploy_hierarchy_node(levels[0], level, g, 0);
                CHECK_INT(ploy_hierarchy_node(levels[0], 0, down, level), g);
            }
            free(joined);
        }
        for (int32_t i = 0; i < 3; i++) ploy_hierarchy_destroy(levels[i]);
        toy_floor_free(&floor);
    }
}

TEST(groups_that_are_none_are_refused) {
    static const struct {
        const char *row;
        int32_t groups[11], count, centre;
        ploy_result want;
    } rows[] = {
        {"rooms", {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3}, 4, -1, PLOY_OK},
        {"an empty one", {0, 1, 2, 2, 2, 2, 2, 2, 2, 4, 4}, 5, -1, PLOY_ERR_ARGUMENT},
        {"beyond the count", {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 4}, 4, -1, PLOY_ERR_ARGUMENT},
        {"below 0", {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, -1}, 4, -1, PLOY_ERR_ARGUMENT},
        {"in two pieces", {0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2}, 3, -1, PLOY_ERR_ARGUMENT},
        {"a centre elsewhere", {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3}, 4, 9, PLOY_ERR_ARGUMENT},
        {"a centre of its own", {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3}, 4, 6, PLOY_OK},
    };
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_hierarchy *hierarchy = toy_hierarchy(t, graph, 0, 0, 1);
        int32_t centres[4] = {0, 1, rows[i].centre, 10};
        const int32_t *given = rows[i].centre >= 0 ? centres : NULL;
        CHECK_INT(ploy_hierarchy_add_level(hierarchy, rows[i].groups, rows[i].count, given),
                  rows[i].want);
        CHECK_INT(ployi_hierarchy_levels(hierarchy), rows[i].want == PLOY_OK ? 2 : 1);
        if (given != NULL && rows[i].want == PLOY_OK) {
            CHECK_INT(ploy_hierarchy_node(hierarchy, 1, 2, 0), rows[i].centre);
        }
        ploy_hierarchy_destroy(hierarchy);
    }
    ploy_env env = ploy_env_default();
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy *none = NULL;
    def.average = 0.0f;
    CHECK_INT(ploy_hierarchy_create(&def, graph, &env, &none), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hierarchy_create(NULL, graph, &env, &none), PLOY_ERR_ARGUMENT);
    CHECK(none == NULL);
    ploy_frozen_graph_destroy(graph);
}

TEST(levels_have_a_limit) {
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    ploy_hierarchy *hierarchy = toy_hierarchy(t, graph, 0, 0, 1);
    static const int32_t same[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (int32_t i = 1; i < PLOY_HIERARCHY_LEVELS_MAX; i++) {
        CHECK_OK(ploy_hierarchy_add_level(hierarchy, same, 11, NULL));
    }
    CHECK_INT(ploy_hierarchy_add_level(hierarchy, same, 11, NULL), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_hierarchy_node(hierarchy, 0, 7, PLOY_HIERARCHY_LEVELS_MAX - 1), 7);
    CHECK_INT(ploy_hierarchy_node(hierarchy, 0, 11, 1), PLOY_STATE_NONE);
    CHECK_INT(ploy_hierarchy_node(hierarchy, 0, 1, 16), PLOY_STATE_NONE);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(graph);
}

// A lane of four places with two farmhouses, of three rooms each, that are one graph; each
// farmhouse is one node of the level above.
static ploy_vec3 farm_position(const void *user, int32_t node) {
    (void)user;
    return ploy_vec3_make((float)node, node < 4 ? 0.0f : 5.0f, 0.0f);
}

TEST(instances_are_nodes_of_a_hierarchy) { // PTH-34: each instance is one node higher up
    static const toy_way lane[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}};
    static const toy_way rooms[] = {{0, 1, 2}, {1, 2, 2}};
    static const int32_t groups[10] = {0, 0, 1, 1, 2, 2, 2, 3, 3, 3};
    ploy_env env = ploy_env_default();
    ploy_graph *world = toy_graph_make(t, false, 4, lane, COUNT_OF(lane));
    ploy_graph *house = toy_graph_make(t, false, 3, rooms, COUNT_OF(rooms));
    ploy_space spaces[2] = {ploy_graph_space(world), ploy_graph_space(house)};
    ploy_graph_instances *all = NULL;
    CHECK_OK(ploy_graph_instances_create(&spaces[0], &env, &all));
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_graph_instances_add(all, &spaces[1], NULL));
        // The front door at one end of the lane, the back door a place further on.
        CHECK_OK(ploy_graph_instances_add_door(all, i, 0, 2 * i, PLOY_DOOR_BOTH, 0.0, NULL));
        CHECK_OK(ploy_graph_instances_add_door(all, i, 2, 2 * i + 1, PLOY_DOOR_BOTH, 0.0, NULL));
    }
    ploy_space whole = ploy_graph_instances_space(all);
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy *hierarchy = NULL;
    CHECK_OK(ploy_hierarchy_create_space(&def, &whole, farm_position, NULL, &env, &hierarchy));
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, groups, 4, NULL));
    CHECK_INT(ploy_hierarchy_node(hierarchy, 0, 5, 1), 2); // a room is in its farmhouse
    CHECK(ployi_hierarchy_graph(hierarchy, 0) == NULL);
    CHECK(ploy_hierarchy_cost(hierarchy, 0, 0, 4) == 0.0); // the front door
    // The whole path costs what a plain search costs: through both farmhouses.
    ploy_hierarchy_search_def search_def = ploy_hierarchy_search_def_default();
    search_def.mode = PLOY_HIERARCHY_EXCLUDE;
    search_def.widen = 2;
    ploy_hierarchy_search *search = NULL;
    CHECK_OK(ploy_hierarchy_search_create(&search_def, &env, &search));
    CHECK_OK(ploy_hierarchy_search_run(search, hierarchy, 0, 3));
    double cost = 0.0;
    CHECK(ploy_hierarchy_search_path(search, NULL, 0, &cost) > 0);
    CHECK_NEAR(cost, 4 + 10 + 4, 1e-9);
    // Without a way back there are no hierarchies.
    whole.expand_back = NULL;
    ploy_hierarchy *none = NULL;
    CHECK_INT(ploy_hierarchy_create_space(&def, &whole, NULL, NULL, &env, &none),
              PLOY_ERR_ARGUMENT);
    ploy_hierarchy_search_destroy(search);
    ploy_hierarchy_destroy(hierarchy);
    ploy_graph_instances_destroy(all);
    ploy_graph_destroy(world);
    ploy_graph_destroy(house);
}

TEST(the_largest_child_can_stand_for_its_group) { // PTH-29
    ploy_env env = ploy_env_default();
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    def.centre = PLOY_HIERARCHY_CENTRE_LARGEST;
    float areas[11] = {1, 1, 2, 2, 2, 9, 2, 2, 2, 3, 4};
    ploy_hierarchy *hierarchy = NULL;
    CHECK_OK(ploy_hierarchy_create(&def, graph, &env, &hierarchy));
    areas[3] = NAN;
    CHECK_INT(ploy_hierarchy_set_areas(hierarchy, areas), PLOY_ERR_ARGUMENT);
    areas[3] = 2;
    CHECK_OK(ploy_hierarchy_set_areas(hierarchy, areas));
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, groups, 4, NULL));
    CHECK_INT(ploy_hierarchy_node(hierarchy, 1, groups[5], 0), 5);
    CHECK_INT(ploy_hierarchy_node(hierarchy, 1, groups[10], 0), 10);
    // One level up a group's area is the sum: the room of 21 stands for the house.
    static const int32_t house[4] = {0, 0, 0, 0};
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, house, 1, NULL));
    CHECK_INT(ploy_hierarchy_node(hierarchy, 2, 0, 1), groups[5]);
    CHECK_INT(ploy_hierarchy_set_areas(hierarchy, areas), PLOY_ERR_STATE);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(graph);
}

TEST(costs_between_groups_can_be_authored) { // PTH-30
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    ploy_hierarchy *hierarchy = toy_hierarchy(t, graph, 0, 0, 1);
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, groups, 4, NULL));
    CHECK_NEAR(ploy_hierarchy_cost(hierarchy, 1, 2, 3), 3.5, 1e-12);
    CHECK_OK(ploy_hierarchy_set_cost(hierarchy, 1, 2, 3, 42.0));
    CHECK_NEAR(ploy_hierarchy_cost(hierarchy, 1, 2, 3), 42.0, 0);
    CHECK_INT(ploy_hierarchy_set_cost(hierarchy, 1, 0, 3, 1.0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_hierarchy_set_cost(hierarchy, 1, 2, 3, -1.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hierarchy_set_cost(hierarchy, 0, 2, 3, 1.0), PLOY_ERR_ARGUMENT);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(graph);
}

static ploy_result build_one(const ploy_env *env, void *arg) {
    static const int32_t groups[11] = {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3}, above[4] = {0, 1, 1, 1};
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy *hierarchy = NULL;
    static const float areas[11] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    ploy_result result = ploy_hierarchy_create(&def, arg, env, &hierarchy);
    if (result == PLOY_OK) result = ploy_hierarchy_set_areas(hierarchy, areas);
    if (result == PLOY_OK) result = ploy_hierarchy_add_level(hierarchy, groups, 4, NULL);
    if (result == PLOY_OK) result = ploy_hierarchy_add_level(hierarchy, above, 2, NULL);
    TEST_REPORT(result, env, hierarchy, ploy_hierarchy_memory);
    ploy_hierarchy_destroy(hierarchy);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    CHECK_FAIL_NTH(build_one, graph);
    ploy_frozen_graph_destroy(graph);
}
