// Mazes: trees, statistics of the catalog, Wilson's uniformity, rooms, walls and loops.
#include "tests/generate/level_check.h"

#include "ploy/base/rng.h"
#include "ploy/generate/maze.h"

static ploy_maze *run(test_context *t, const ploy_maze_def *def, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_maze *maze = NULL;
    CHECK_OK(ploy_maze_begin(def, ploy_rng_key_make(seed), NULL, NULL, &env, &maze));
    CHECK_OK(ploy_maze_step(maze, NULL));
    CHECK(ploy_maze_outcome(maze).done);
    return maze;
}

TEST(the_table_of_fields_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_maze_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_plan_roles_fields(), NULL));
}

TEST(every_method_makes_a_tree) {
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        for (int32_t method = 0; method < 4; method++) {
            ploy_maze_def def = ploy_maze_def_default();
            def.width = 1 + (int32_t)(seed * 7 % 30);
            def.height = 1 + (int32_t)(seed * 5 % 23);
            def.method = method;
            def.start = (int32_t)(seed % 3);
            ploy_maze *maze = run(t, &def, (uint64_t)seed);
            int32_t n = def.width * def.height;
            ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_maze_plan(maze));
            CHECK_INT(stats.open, n);
            CHECK_INT(stats.passages, n - 1); // and connected: so one route between any two
            CHECK_INT(stats.loops, 0);
            CHECK_INT(ploy_maze_outcome(maze).count, n);
            CHECK(!ploy_maze_outcome(maze).partial);
            level_check(t, ploy_maze_plan(maze));
            // Expanded: the same tree with a cell for every passage.
            def.walls = PLOY_MAZE_EXPAND;
            ploy_maze *thick = run(t, &def, (uint64_t)seed);
            stats = ploy_floor_plan_stats_of(ploy_maze_plan(thick));
            CHECK_INT(stats.open, n + n - 1);
            level_check(t, ploy_maze_plan(thick));
            ploy_floor_plan_view view = ploy_floor_plan_get(ploy_maze_plan(thick));
            uint8_t *tiles = malloc((size_t)view.width * (size_t)view.height);
            ploy_floor_plan_tiles(ploy_maze_plan(maze), 0, tiles);
            CHECK_BYTES(tiles, view.kinds, (size_t)view.width * (size_t)view.height);
            free(tiles);
            ploy_maze_cancel(maze);
            ploy_maze_cancel(thick);
        }
    }
}

// The deepest cells of a growing maze, and the first of them that a search from the entrance meets: what the
// plan has as its exit, also where a limit ended the maze.
TEST(the_exit_is_the_first_of_the_farthest_cells) {
    int32_t ties = 0;
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_maze_def def = ploy_maze_def_default();
        def.width = 1 + (int32_t)(seed * 7 % 13);
        def.height = 1 + (int32_t)(seed * 5 % 11);
        def.start = (int32_t)(seed % 3);
        def.walls = seed % 2 == 0 ? PLOY_MAZE_THIN : PLOY_MAZE_EXPAND;
        if (seed % 5 == 0) def.max_cells = 40;
        if (seed % 7 == 0) def.max_attempts = 60;
        ploy_maze *maze = run(t, &def, (uint64_t)seed);
        level_check(t, ploy_maze_plan(maze)); // the distances
        ploy_floor_plan_view plan = ploy_floor_plan_get(ploy_maze_plan(maze));
        // A search in the order of directions.
        int32_t cells = plan.width * plan.height, head = 0, tail = 0, first = -1, equal = 0;
        int32_t *queue = malloc((size_t)cells * sizeof *queue);
        bool *seen = calloc((size_t)cells, sizeof *seen);
        queue[tail++] = plan.entrance;
        seen[plan.entrance] = true;
        while (head < tail) {
            int32_t cell = queue[head++];
            equal = first >= 0 && plan.distances[cell] == plan.distances[first] ? equal + 1 : 0;
            if (first < 0 || plan.distances[cell] > plan.distances[first]) first = cell;
            for (int32_t way = 0; way < 4; way++) {
                int32_t next = cell + ploy_plan_step_x(way) + ploy_plan_step_y(way) * plan.width;
                if ((plan.exits[cell] >> way & 1) == 0 || seen[next]) continue;
                seen[next] = true;
                queue[tail++] = next;
            }
        }
        CHECK_INT(plan.exit, first);
        ties += equal > 0;
        free(queue);
        free(seen);
        ploy_maze_cancel(maze);
    }
    CHECK(ties > 20);
}

TEST(prim_and_kruskal_make_the_same_maze_of_the_same_costs) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        TEST_SEED(seed);
        ploy_maze_def def = ploy_maze_def_default();
        def.method = PLOY_MAZE_PRIM;
        ploy_maze *prim = run(t, &def, seed);
        def.method = PLOY_MAZE_KRUSKAL;
        ploy_maze *kruskal = run(t, &def, seed);
        CHECK_BYTES(ploy_floor_plan_get(ploy_maze_plan(prim)).exits,
                    ploy_floor_plan_get(ploy_maze_plan(kruskal)).exits,
                    (size_t)def.width * (size_t)def.height);
        ploy_maze_cancel(prim);
        ploy_maze_cancel(kruskal);
    }
}

TEST(dead_ends_and_stacks_are_as_in_the_catalog) {
    static const struct {
        const char *row;
        int32_t side;
        double dead_ends, peak;
        double tolerance; // the catalog's numbers are means of 20 mazes
    } rows[] = {{"8", 8, 8.7, 45, 0.08},
                {"16", 16, 28, 154, 0.05},
                {"32", 32, 106, 502, 0.05},
                {"64", 64, 414, 1754, 0.05}};
    enum { SEEDS = 200 };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        double ends = 0.0, peak = 0.0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            ploy_maze_def def = ploy_maze_def_default();
            def.width = def.height = rows[i].side;
            ploy_maze *maze = run(t, &def, seed);
            ends += ploy_floor_plan_stats_of(ploy_maze_plan(maze)).dead_ends;
            peak += ploy_maze_peak(maze);
            ploy_maze_cancel(maze);
        }
        CHECK_NEAR(ends / SEEDS / rows[i].dead_ends, 1.0, rows[i].tolerance);
        CHECK_NEAR(peak / SEEDS / rows[i].peak, 1.0, rows[i].tolerance);
    }
}

// The number of a tree of at most 4 by 4 cells: a bit for each side between two of them.
static int32_t tree_number(const ploy_floor_plan *plan) {
    ploy_floor_plan_view view = ploy_floor_plan_get(plan);
    int32_t number = 0, bit = 0, width = view.width;
    for (int32_t y = 0; y < view.height; y++) {
        for (int32_t x = 0; x + 1 < width; x++, bit++) {
            number |= (view.exits[y * width + x] & 1) << bit;
        }
    }
    for (int32_t y = 0; y + 1 < view.height; y++) {
        for (int32_t x = 0; x < width; x++, bit++) {
            number |= (view.exits[y * width + x] >> 1 & 1) << bit;
        }
    }
    return number;
}

// Chi-square over the 192 trees of 3 by 3, 191 degrees of freedom.
static double tree_chi_square(test_context *t, int32_t method, int32_t rounds, int32_t *seen) {
    static int32_t counts[4096];
    memset(counts, 0, sizeof counts);
    ploy_maze_def def = ploy_maze_def_default();
    def.width = def.height = 3;
    def.method = method;
    for (int32_t i = 0; i < rounds; i++) {
        ploy_maze *maze = run(t, &def, (uint64_t)i);
        counts[tree_number(ploy_maze_plan(maze))]++;
        ploy_maze_cancel(maze);
    }
    double sum = 0.0, want = rounds / 192.0;
    *seen = 0;
    for (int32_t i = 0; i < 4096; i++) {
        if (counts[i] == 0) continue;
        (*seen)++;
        sum += (counts[i] - want) * (counts[i] - want) / want;
    }
    return sum + (192 - *seen) * want; // trees that never came
}

// How many different trees come in so many rounds.
static int32_t tree_kinds(test_context *t, int32_t side, int32_t rounds) {
    static uint8_t came[1 << 21]; // a bit for each number
    memset(came, 0, sizeof came);
    ploy_maze_def def = ploy_maze_def_default();
    def.width = def.height = side;
    def.method = PLOY_MAZE_WILSON;
    int32_t kinds = 0;
    for (int32_t i = 0; i < rounds; i++) {
        ploy_maze *maze = run(t, &def, (uint64_t)i);
        int32_t number = tree_number(ploy_maze_plan(maze));
        kinds += (came[number >> 3] >> (number & 7) & 1) == 0;
        came[number >> 3] |= (uint8_t)(1 << (number & 7));
        ploy_maze_cancel(maze);
    }
    return kinds;
}

// 2 by 2 cells have 4 trees, 4 by 4 have 100,352: in the soak all of them come, and no other.
TEST(wilson_makes_every_tree) {
    CHECK_INT(tree_kinds(t, 2, 200), 4);
    if (test_rounds(1) > 1) {
        CHECK_INT(tree_kinds(t, 4, 2500000), 100352);
        return;
    }
    // What equal shares give: draws that repeat an earlier one are a Poisson variable.
    double trees = 100352.0, rounds = 20000.0;
    double repeats = rounds - trees * (1.0 - pow(1.0 - 1.0 / trees, rounds));
    CHECK_NEAR(tree_kinds(t, 4, (int32_t)rounds), rounds - repeats, 4.0 * sqrt(repeats));
}

TEST(wilson_is_uniform_over_the_192_trees_and_backtracking_is_not) {
    int32_t seen = 0;
    double limit = 239.4; // of chi-square with 191 degrees of freedom at 1 %
    double wilson = tree_chi_square(t, PLOY_MAZE_WILSON, 40000, &seen);
    CHECK_INT(seen, 192);
    CHECK(wilson < limit);
    CHECK(tree_chi_square(t, PLOY_MAZE_BACKTRACK, 40000, &seen) > limit);
    CHECK(tree_chi_square(t, PLOY_MAZE_PRIM, 40000, &seen) > limit);
}

TEST(rejected_walls_leave_no_square_open_and_fill_half) {
    enum { SEEDS = 300, SIDE = 21 };
    double fill = 0.0;
    int32_t corners = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        TEST_SEED(seed);
        ploy_maze_def def = ploy_maze_def_default();
        def.width = def.height = SIDE;
        def.walls = PLOY_MAZE_REJECT;
        ploy_maze *maze = run(t, &def, seed);
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_maze_plan(maze));
        ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_maze_plan(maze));
        CHECK_INT(stats.passages, stats.open - 1); // open cells side by side are all linked
        for (int32_t y = 0; y + 1 < SIDE; y++) {
            for (int32_t x = 0; x + 1 < SIDE; x++) {
                const uint8_t *at = view.kinds + y * SIDE + x;
                CHECK(at[0] == 0 || at[1] == 0 || at[SIDE] == 0 || at[SIDE + 1] == 0);
            }
        }
        fill += stats.open / (double)(SIDE * SIDE);
        corners += view.kinds[SIDE * SIDE - 1] != PLOY_PLAN_SOLID;
        level_check(t, ploy_maze_plan(maze));
        ploy_maze_cancel(maze);
    }
    CHECK_NEAR(fill / SEEDS, 0.524, 0.005);
    CHECK_NEAR(corners / (double)SEEDS, 0.86, 0.07);
}

TEST(rooms_are_placed_by_every_method_and_wall) {
    int32_t rooms = 0, doors = 0;
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_maze_def def = ploy_maze_def_default();
        def.method = (int32_t)(seed % 4);
        def.walls = (int32_t)(seed / 4 % 3);
        def.rooms = 6;
        def.room_chance = seed % 5 == 0 ? 1.0f : 0.2f;
        def.rooms_lead_on = seed % 7 < 3;
        def.roles.locks = 2;
        ploy_maze *maze = run(t, &def, (uint64_t)seed);
        level_check(t, ploy_maze_plan(maze));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_maze_plan(maze));
        ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_maze_plan(maze));
        CHECK(view.room_count <= 6);
        rooms += view.room_count;
        doors += view.door_count;
        if (view.thin) CHECK_INT(stats.loops, 0); // rooms counted as one place, still a tree
        ploy_maze_cancel(maze);
    }
    CHECK(rooms > 400);
    CHECK(doors >= rooms);
}

TEST(a_partial_maze_stops_as_asked) {
    ploy_maze_def def = ploy_maze_def_default();
    for (int32_t method = 0; method < 4; method++) {
        def.method = method;
        def.max_cells = 40;
        ploy_maze *maze = run(t, &def, 3);
        CHECK_INT(ploy_floor_plan_stats_of(ploy_maze_plan(maze)).open, 40);
        CHECK_INT(ploy_floor_plan_stats_of(ploy_maze_plan(maze)).passages, 39);
        CHECK(!ploy_maze_outcome(maze).partial);
        level_check(t, ploy_maze_plan(maze));
        ploy_maze_cancel(maze);
    }
    def = ploy_maze_def_default();
    def.max_dead_ends = 3;
    ploy_maze *maze = run(t, &def, 3);
    CHECK(ploy_maze_outcome(maze).count < def.width * def.height);
    ploy_maze_cancel(maze);
    def = ploy_maze_def_default();
    def.rooms = 2;
    def.room_chance = 1.0f;
    def.stop_with_rooms = true;
    maze = run(t, &def, 3);
    CHECK_INT(ploy_floor_plan_get(ploy_maze_plan(maze)).room_count, 2);
    CHECK(ploy_maze_outcome(maze).count < 100);
    ploy_maze_cancel(maze);
}

TEST(a_limit_is_a_result) {
    for (int32_t method = 0; method < 4; method++) {
        ploy_maze_def def = ploy_maze_def_default();
        def.method = method;
        def.max_attempts = 150;
        ploy_maze *maze = run(t, &def, 9);
        ploy_generate_outcome outcome = ploy_maze_outcome(maze);
        CHECK(outcome.partial);
        CHECK_TEXT(outcome.limit, "max_attempts");
        level_check(t, ploy_maze_plan(maze));
        ploy_maze_cancel(maze);
    }
}

TEST(braiding_removes_dead_ends) {
    for (int32_t walls = 0; walls < 3; walls++) {
        ploy_maze_def def = ploy_maze_def_default();
        def.walls = walls;
        ploy_maze *tree = run(t, &def, 11);
        def.braid = 1.0f;
        ploy_maze *braided = run(t, &def, 11);
        level_check(t, ploy_maze_plan(braided));
        int32_t before = ploy_floor_plan_stats_of(ploy_maze_plan(tree)).dead_ends;
        int32_t after = ploy_floor_plan_stats_of(ploy_maze_plan(braided)).dead_ends;
        CHECK(before > 10);
        if (walls == PLOY_MAZE_REJECT) {
            CHECK(after < before); // some have only the edge or blocked corners beside them
        } else {
            CHECK_INT(after, 0);
        }
        ploy_maze_cancel(tree);
        ploy_maze_cancel(braided);
    }
}

TEST(blocked_cells_stay_solid) {
    ploy_maze_def def = ploy_maze_def_default();
    uint8_t blocked[24 * 16] = {0};
    for (int32_t y = 2; y < 14; y++) blocked[y * 24 + 12] = 1;
    ploy_env env = ploy_env_default();
    for (int32_t method = 0; method < 4; method++) {
        def.method = method;
        ploy_maze *maze = NULL;
        CHECK_OK(ploy_maze_begin(&def, ploy_rng_key_make(5), blocked, NULL, &env, &maze));
        CHECK_OK(ploy_maze_step(maze, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_maze_plan(maze));
        for (int32_t i = 0; i < 24 * 16; i++) {
            CHECK_INT(view.kinds[i] == PLOY_PLAN_SOLID, blocked[i] != 0);
        }
        level_check(t, ploy_maze_plan(maze));
        ploy_maze_cancel(maze);
    }
}
