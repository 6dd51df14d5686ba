// Hierarchies: groups, who stands for them, and what it costs to cross them.
#include "ploy/path/hierarchy.h"

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
            CHECK_INT(ploy_hierarchy_levels(levels[i]), 3);
        }
        for (int32_t level = 1; level < 3; level++) {
            const ploy_frozen_graph *below = ploy_hierarchy_graph(levels[0], level - 1);
            int32_t count = ploy_frozen_graph_node_count(ploy_hierarchy_graph(levels[0], level));
            bool *joined = calloc((size_t)count * (size_t)count, sizeof *joined);
            for (int32_t n = 0; n < ploy_frozen_graph_node_count(below); n++) {
                const ploy_edge *edges;
                int32_t ways = ploy_frozen_graph_out(below, n, &edges);
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
        CHECK_INT(ploy_hierarchy_levels(hierarchy), rows[i].want == PLOY_OK ? 2 : 1);
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

static ploy_result build_one(const ploy_env *env, void *arg) {
    static const int32_t groups[11] = {0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3}, above[4] = {0, 1, 1, 1};
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy *hierarchy = NULL;
    ploy_result result = ploy_hierarchy_create(&def, arg, env, &hierarchy);
    if (result == PLOY_OK) result = ploy_hierarchy_add_level(hierarchy, groups, 4, NULL);
    if (result == PLOY_OK) result = ploy_hierarchy_add_level(hierarchy, above, 2, NULL);
    ploy_hierarchy_destroy(hierarchy);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    int32_t groups[11];
    ploy_frozen_graph *graph = four_rooms(t, groups);
    CHECK_FAIL_NTH(build_one, graph);
    ploy_frozen_graph_destroy(graph);
}
