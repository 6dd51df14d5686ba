// The explorer: it never walks through walls, covers what it can reach, seeks what it has seldom
// seen, and stops when there is no news.
#include "ploy/path/explorer.h"

#include "ploy/base/math.h"
#include "tests/draw_count.h"
#include "tests/test.h"

// Two rooms of 9 by 8 joined by a door, a closet that nobody can enter, and a pillar.
static const char *const explorer_level[] = {
    "####################", "#........#.........#", "#........#.........#", "#...##...#.....###.#",
    "#...##.......#.#.#.#", "#........#...#.###.#", "#........#...#.....#", "#........#.........#",
    "#........#.........#", "####################"};
enum { EXPLORER_WIDE = 20, EXPLORER_HIGH = 10 };

static bool level_open(float x, float y) {
    int32_t column = (int32_t)floorf(x), row = (int32_t)floorf(y);
    if (column < 0 || row < 0 || column >= EXPLORER_WIDE || row >= EXPLORER_HIGH) return false;
    return explorer_level[EXPLORER_HIGH - 1 - row][column] != '#';
}

static bool level_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    for (int32_t i = 0; i <= 16; i++) {
        float share = (float)i / 16.0f;
        if (!level_open(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)) {
            return false;
        }
    }
    return true;
}

static ploy_explorer *explorer_start(test_context *t, const ploy_explorer_def *def) {
    ploy_env env = ploy_env_default();
    ploy_box2 bounds = {{0, 0}, {EXPLORER_WIDE, EXPLORER_HIGH}};
    ploy_explorer *explorer = NULL;
    CHECK_OK(ploy_explorer_create(def, bounds, ploy_vec2_make(2.5f, 2.5f), level_walks, NULL, &env,
                                  &explorer));
    return explorer;
}

static int32_t level_cells(void) {
    int32_t open = 0;
    for (int32_t y = 0; y < EXPLORER_HIGH; y++) {
        for (int32_t x = 0; x < EXPLORER_WIDE; x++) {
            open += level_open((float)x + 0.5f, (float)y + 0.5f) ? 1 : 0;
        }
    }
    return open - 1; // without the closet
}

TEST(it_walks_where_one_can_walk_and_counts_where_it_was) { // TLS-09: log and coverage
    for (int64_t seed = 1; seed <= test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_explorer_def def = ploy_explorer_def_default();
        def.seed = (uint64_t)seed;
        def.frontier = seed % 2 == 0 ? 0.0f : 0.8f;
        def.run = 20.0f;
        def.max_entries = 3000;
        ploy_explorer *explorer = explorer_start(t, &def);
        CHECK_OK(ploy_explorer_step(explorer, NULL));
        int32_t count = 0, visits[EXPLORER_WIDE * EXPLORER_HIGH] = {0}, last = -1;
        const ploy_log_entry *entries = ploy_explorer_entries(explorer, &count);
        CHECK(entries[0].jumped);
        int32_t jumps = 0;
        for (int32_t i = 0; i < count; i++) {
            ploy_vec3 at = entries[i].position;
            CHECK(level_open(at.x, at.y));
            CHECK_NEAR(entries[i].time, 0.2 * i, 1e-4 * (i + 1));
            if (!entries[i].jumped) CHECK(level_walks(NULL, entries[i - 1].position, at));
            jumps += entries[i].jumped ? 1 : 0;
            int32_t cell = (int32_t)floorf(at.y) * EXPLORER_WIDE + (int32_t)floorf(at.x);
            if (cell != last || entries[i].jumped) visits[cell]++;
            last = cell;
        }
        ploy_explorer_coverage coverage = ploy_explorer_coverage_of(explorer);
        CHECK_DRAWS(1, ploy_explorer_draw(explorer, ploy_agent_id_none(), &drawing));
        int32_t visited = 0, once = 0;
        for (size_t i = 0; i < COUNT_OF(visits); i++) {
            visited += visits[i] > 0 ? 1 : 0;
            once += visits[i] == 1 ? 1 : 0;
        }
        CHECK_INT(coverage.reachable, level_cells());
        CHECK_INT(coverage.visited, visited);
        CHECK_INT(coverage.once, once);
        CHECK_INT(coverage.runs, jumps);
        CHECK(jumps >= (int32_t)(0.2 * count / 20.0)); // no run is longer than that
        CHECK_NEAR(coverage.share, (double)visited / coverage.reachable, 1e-6);
        ploy_explorer_destroy(explorer);
    }
}

TEST(with_a_bias_to_the_frontier_it_covers_more_in_the_same_time) { // TLS-09: frontier bias
    double share[2] = {0.0, 0.0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int32_t biased = 0; biased < 2; biased++) {
            ploy_explorer_def def = ploy_explorer_def_default();
            def.seed = seed;
            def.frontier = biased == 1 ? 0.8f : 0.0f;
            def.new_cells = 0.0f;  // time alone stops it
            def.max_entries = 300; // a minute
            ploy_explorer *explorer = explorer_start(t, &def);
            CHECK_OK(ploy_explorer_step(explorer, NULL));
            share[biased] += (double)ploy_explorer_coverage_of(explorer).share / 20.0;
            ploy_explorer_destroy(explorer);
        }
    }
    printf("covered in a minute: %.2f without the bias, %.2f with it\n", share[0], share[1]);
    CHECK(share[1] > share[0] + 0.1);
}

TEST(it_stops_when_there_is_no_news) { // TLS-09: stop rule
    ploy_explorer_def def = ploy_explorer_def_default();
    def.frontier = 0.0f;
    def.new_cells = 6.0f;
    def.max_entries = 200000;
    ploy_explorer *explorer = explorer_start(t, &def);
    CHECK_OK(ploy_explorer_step(explorer, NULL));
    ploy_explorer_coverage coverage = ploy_explorer_coverage_of(explorer);
    CHECK_INT(coverage.end, PLOY_EXPLORER_NO_NEWS);
    CHECK(coverage.fresh < 6 && coverage.seconds >= 120.0);
    // By the log: too little in the last minute, and in the one before this run began.
    int32_t count = 0, news[2] = {0, 0};
    const ploy_log_entry *entries = ploy_explorer_entries(explorer, &count);
    bool seen[EXPLORER_WIDE * EXPLORER_HIGH] = {false};
    double ends[2] = {0.0, coverage.seconds};
    for (int32_t i = 0; i < count; i++) ends[0] = entries[i].jumped ? entries[i].time : ends[0];
    CHECK(ends[1] - ends[0] >= 60.0 - 1e-3);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 at = entries[i].position;
        int32_t cell = (int32_t)floorf(at.y) * EXPLORER_WIDE + (int32_t)floorf(at.x);
        for (int32_t k = 0; k < 2 && !seen[cell]; k++) {
            news[k] += entries[i].time >= ends[k] - 59.0 && entries[i].time < ends[k] ? 1 : 0;
        }
        seen[cell] = true;
    }
    CHECK(news[0] < 6 && news[1] < 6);
    CHECK(coverage.share > 0.5f && coverage.share < 1.0f);
    CHECK_OK(ploy_explorer_step(explorer, NULL)); // and stays so
    CHECK(ploy_explorer_coverage_of(explorer).seconds == coverage.seconds);
    ploy_explorer_destroy(explorer);
    def.frontier = 1.0f;
    def.new_cells = 0.0f;
    explorer = explorer_start(t, &def);
    CHECK_OK(ploy_explorer_step(explorer, NULL));
    CHECK_INT(ploy_explorer_coverage_of(explorer).end, PLOY_EXPLORER_COMPLETE);
    CHECK_NEAR(ploy_explorer_coverage_of(explorer).share, 1, 0);
    ploy_explorer_destroy(explorer);
    def.max_entries = 10;
    explorer = explorer_start(t, &def);
    CHECK_OK(ploy_explorer_step(explorer, NULL));
    CHECK_INT(ploy_explorer_coverage_of(explorer).end, PLOY_EXPLORER_FULL);
    ploy_explorer_destroy(explorer);
}

TEST(slices_of_one_are_the_same_walk) {
    ploy_explorer_def def = ploy_explorer_def_default();
    def.max_entries = 500;
    ploy_explorer *whole = explorer_start(t, &def), *sliced = explorer_start(t, &def);
    CHECK_OK(ploy_explorer_step(whole, NULL));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(1);
        result = ploy_explorer_step(sliced, &budget);
    }
    int32_t a = 0, b = 0;
    const ploy_log_entry *one = ploy_explorer_entries(whole, &a);
    const ploy_log_entry *two = ploy_explorer_entries(sliced, &b);
    CHECK_INT(a, b);
    CHECK_BYTES(one, two, (size_t)a * sizeof *one);
    ploy_explorer_destroy(sliced);
    ploy_explorer_destroy(whole);
}

TEST(a_graph_mined_from_its_log_joins_both_rooms) {
    ploy_env env = ploy_env_default();
    ploy_explorer_def def = ploy_explorer_def_default();
    ploy_explorer *explorer = explorer_start(t, &def);
    CHECK_OK(ploy_explorer_step(explorer, NULL));
    ploy_graph_def graph_def = ploy_graph_def_default();
    graph_def.directed = true;
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&graph_def, &env, &graph));
    ploy_graph_mine_def mine = ploy_graph_mine_def_default();
    ploy_graph_mine_report report;
    int32_t count = 0;
    const ploy_log_entry *entries = ploy_explorer_entries(explorer, &count);
    CHECK_OK(ploy_graph_mine(graph, &mine, entries, count, &env, &report));
    CHECK(report.nodes >= 6 && report.edges >= report.nodes);
    // Somebody walked from each room into the other.
    bool east = false, west = false;
    for (int32_t i = 0; i < ploy_graph_edge_slots(graph); i++) {
        ploy_graph_edge edge;
        ploy_graph_node from, to;
        if (!ploy_graph_edge_at(graph, i, &edge)) continue;
        CHECK(ploy_graph_node_at(graph, edge.from, &from) &&
              ploy_graph_node_at(graph, edge.to, &to));
        east = east || (from.position.x < 9.5f && to.position.x > 9.5f);
        west = west || (from.position.x > 9.5f && to.position.x < 9.5f);
    }
    CHECK(east && west);
    ploy_graph_destroy(graph);
    ploy_explorer_destroy(explorer);
}

static ploy_result explorer_short(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_explorer_def def = ploy_explorer_def_default();
    def.max_entries = 64;
    ploy_box2 bounds = {{0, 0}, {EXPLORER_WIDE, EXPLORER_HIGH}};
    ploy_explorer *explorer = NULL;
    ploy_result result = ploy_explorer_create(&def, bounds, ploy_vec2_make(2.5f, 2.5f), level_walks,
                                              NULL, env, &explorer);
    ploy_explorer_destroy(explorer);
    return result;
}

TEST(create_refuses_what_makes_no_sense_and_survives_failing_allocations) {
    ploy_env env = ploy_env_default();
    ploy_explorer *explorer = NULL;
    ploy_explorer_def def = ploy_explorer_def_default();
    static const struct {
        const char *row;
        ploy_box2 bounds;
        ploy_vec2 start;
        ploy_result want;
    } rows[] = {{"in a wall", {{0, 0}, {20, 10}}, {0.5f, 0.5f}, PLOY_ERR_ARGUMENT},
                {"outside", {{0, 0}, {20, 10}}, {30, 5}, PLOY_ERR_ARGUMENT},
                {"no room", {{0, 0}, {0, 10}}, {0, 5}, PLOY_ERR_ARGUMENT},
                {"not finite", {{0, 0}, {INFINITY, 10}}, {2, 2}, PLOY_ERR_ARGUMENT},
                {"too many cells", {{0, 0}, {1e6f, 1e6f}}, {2, 2}, PLOY_ERR_LIMIT}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_explorer_create(&def, rows[i].bounds, rows[i].start, level_walks, NULL, &env,
                                       &explorer),
                  rows[i].want);
        CHECK(explorer == NULL);
    }
    t->row = NULL;
    CHECK_FAIL_NTH(explorer_short, NULL);
}
