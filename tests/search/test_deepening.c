// Iterative deepening: the texts' limits, every setting against costs found the slow way, puzzles.
#include "ploy/search/deepening.h"

#include <stdlib.h>

#include "ploy/search/states.h"
#include "tests/search/toy_space.h"
#include "tests/test.h"

// A toy space as a tree: a state's bytes are its number.
typedef struct toy_tree {
    ploy_tree tree;
    toy_space *toy;
    int32_t goal;
} toy_tree;

static ploy_result tree_expand(void *user, const void *state, ploy_branches *out) {
    const toy_tree *self = user;
    int32_t from = 0;
    memcpy(&from, state, sizeof from);
    for (int32_t i = 0; i < self->toy->out_count[from]; i++) {
        const ploy_edge *edge = &self->toy->out[from][i];
        ploy_result result = ploy_branches_add(out, &edge->to, edge->cost, edge->label);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool tree_is_goal(void *user, const void *state) {
    const toy_tree *self = user;
    return memcmp(state, &self->goal, sizeof self->goal) == 0;
}

static double tree_estimate(void *user, const void *state) {
    const toy_tree *self = user;
    int32_t at = 0;
    memcpy(&at, state, sizeof at);
    return self->toy->estimates[at];
}

static toy_tree tree_over(toy_space *toy, int32_t goal) {
    toy_tree self = {{sizeof(int32_t), tree_expand, tree_is_goal, tree_estimate, NULL}, toy, goal};
    return self;
}

static ploy_deepening *made(test_context *t, const ploy_deepening_def *def, const ploy_env *env) {
    ploy_deepening *deepening = NULL;
    CHECK_OK(ploy_deepening_create(def, env, &deepening));
    return deepening;
}

TEST(limits_on_the_exercise_graph_are_the_texts) {
    // PTH-40: with the estimates of PTH-05, and without any.
    enum { S, A, B, C, D, G };
    static const int32_t edges[][3] = {{S, A, 6}, {S, B, 15}, {A, C, 6}, {A, D, 12},
                                       {B, D, 3}, {B, G, 15}, {D, C, 9}, {D, G, 6}};
    static const double estimates[] = {0, 6, 9, 3, 3, 0};
    static const double limits[2][6] = {{0, 12, 15, 21, 24, -1}, {0, 6, 12, 15, 18, 24}};
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 6);
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        toy_add(toy, edges[i][0], edges[i][1], edges[i][2]);
    }
    memcpy(toy->estimates, estimates, sizeof estimates);
    for (int32_t blind = 0; blind < 2; blind++) {
        toy_tree self = tree_over(toy, G);
        self.tree.user = &self;
        if (blind) self.tree.estimate = NULL;
        ploy_deepening_def def = ploy_deepening_def_default();
        ploy_deepening *deepening = made(t, &def, &env);
        int32_t start = S, seen = 0;
        CHECK_OK(ploy_deepening_begin(deepening, &self.tree, &start));
        while (ploy_deepening_outcome(deepening) == PLOY_SEARCH_OPEN) {
            ploy_budget one = ploy_budget_units(1);
            ploy_deepening_step(deepening, &one);
            ploy_deepening_stats stats = ploy_deepening_stats_of(deepening);
            if (stats.rounds == seen) continue;
            CHECK_INT(stats.rounds, seen + 1);
            CHECK_SAME(stats.limit, limits[blind][seen]);
            seen++;
        }
        CHECK_INT(seen, blind ? 6 : 5);
        ploy_edge path[8];
        double cost = 0.0;
        CHECK_INT(ploy_deepening_path(deepening, path, 8, &cost), 3);
        CHECK_SAME(cost, 24);
        static const int32_t want[] = {0, 3, 7}; // S-A, A-D, D-G
        for (int32_t i = 0; i < 3; i++) CHECK_INT(path[i].label, want[i]);
        ploy_deepening_destroy(deepening);
    }
    free(toy);
}

// The fewest edges between two states, the slow way: every edge costs 1.
static double fewest_edges(const toy_space *toy, int32_t from, int32_t goal) {
    toy_space *flat = malloc(sizeof *flat);
    *flat = *toy;
    for (int32_t s = 0; s < flat->space.count; s++) {
        for (int32_t i = 0; i < flat->out_count[s]; i++) flat->out[s][i].cost = 1.0;
    }
    double costs[TOY_STATES];
    toy_costs(flat, from, false, costs);
    free(flat);
    return costs[goal];
}

TEST(the_first_path_is_the_best_whatever_is_left_out) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goal = (int32_t)ploy_rng_below(&rng, 9);
        toy_random(toy, &rng, (toy_estimates)(seed % TOY_ANY), goal);
        toy->space.count = toy->space.count < 12 ? toy->space.count : 12; // small: paths are many
        for (int32_t s = 0; s < 12; s++) {
            int32_t kept = 0;
            for (int32_t i = 0; i < toy->out_count[s]; i++) {
                if (toy->out[s][i].to < toy->space.count) toy->out[s][kept++] = toy->out[s][i];
            }
            toy->out_count[s] = kept < 4 ? kept : 4;
        }
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->space.count);
        double exact[TOY_STATES], costs[TOY_STATES];
        toy_costs(toy, goal, true, exact);
        for (int32_t s = 0; s < toy->space.count;
             s++) { // edges went: estimates must not grow wrong
            if (toy->estimates[s] > exact[s]) toy->estimates[s] = exact[s];
        }
        toy_costs(toy, from, false, costs);
        ploy_deepening_def def = ploy_deepening_def_default();
        def.by_depth = seed % 3 == 0;
        def.table = seed % 2 == 0 ? 7 : 0;
        ploy_deepening *deepening = made(t, &def, &env);
        toy_tree self = tree_over(toy, goal);
        self.tree.user = &self;
        double best = def.by_depth ? fewest_edges(toy, from, goal) : costs[goal];
        for (int32_t slices = 0; slices < 2; slices++) {
            CHECK_OK(ploy_deepening_begin(deepening, &self.tree, &from));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slices == 0 ? PLOY_BUDGET_UNLIMITED : 1);
                result = ploy_deepening_step(deepening, &budget);
            }
            CHECK_OK(result);
            double cost = 0.0;
            ploy_edge path[TOY_STATES];
            int32_t count = ploy_deepening_path(deepening, path, TOY_STATES, &cost);
            CHECK_INT(ploy_deepening_outcome(deepening),
                      best < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
            if (best == INFINITY) continue;
            CHECK_SAME(def.by_depth ? (double)count : cost, best);
            double sum = 0.0;
            for (int32_t i = 0; i < count; i++) sum += path[i].cost;
            CHECK_SAME(sum, cost);
            CHECK_BYTES(ploy_deepening_state(deepening, count), &goal, sizeof goal);
        }
        ploy_deepening_destroy(deepening);
    }
    free(toy);
}

// GRA-13: a tree of eight children; a state is its depth.
static ploy_result eight_expand(void *user, const void *state, ploy_branches *out) {
    (void)user;
    unsigned char next = *(const unsigned char *)state;
    next++;
    for (int32_t i = 0; i < 8; i++) {
        ploy_result result = ploy_branches_add(out, &next, 1.0, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool never(void *user, const void *state) {
    (void)user;
    (void)state;
    return false;
}

TEST(a_depth_limit_visits_what_the_texts_table_counts) {
    static const int64_t totals[] = {1, 9, 73, 585, 4681, 37449};
    ploy_env env = ploy_env_default();
    ploy_tree tree = {1, eight_expand, never, NULL, NULL};
    for (int32_t depth = 0; depth < 6; depth++) {
        ploy_deepening_def def = ploy_deepening_def_default();
        def.by_depth = true;
        def.first_limit = def.max_limit = depth;
        def.cycles = PLOY_CYCLES_ALLOWED;
        ploy_deepening *deepening = made(t, &def, &env);
        unsigned char root = 0;
        CHECK_OK(ploy_deepening_begin(deepening, &tree, &root));
        CHECK_OK(ploy_deepening_step(deepening, NULL));
        CHECK_INT(ploy_deepening_outcome(deepening), PLOY_SEARCH_PRUNED);
        CHECK_INT(ploy_deepening_stats_of(deepening).visited, totals[depth]);
        CHECK_INT(ploy_deepening_stats_of(deepening).rounds, 1);
        ploy_deepening_destroy(deepening);
    }
}

// The 15-puzzle: four bits a tile, tile i at home in place i, the blank is 0.
static double tiles_estimate(void *user, const void *state) {
    (void)user;
    uint64_t board = 0;
    memcpy(&board, state, sizeof board);
    int32_t sum = 0;
    for (int32_t at = 0; at < 16; at++) {
        int32_t tile = (int32_t)(board >> (4 * at)) & 15;
        if (tile != 0) sum += abs(at % 4 - tile % 4) + abs(at / 4 - tile / 4);
    }
    return sum;
}

static bool tiles_is_goal(void *user, const void *state) {
    uint64_t board = 0;
    memcpy(&board, state, sizeof board);
    (void)user;
    return board == 0xFEDCBA9876543210u;
}

static ploy_result tiles_expand(void *user, const void *state, ploy_branches *out) {
    (void)user;
    uint64_t board = 0;
    memcpy(&board, state, sizeof board);
    int32_t blank = 0;
    while ((board >> (4 * blank) & 15) != 0) blank++;
    static const int32_t dx[] = {0, -1, 1, 0}, dy[] = {-1, 0, 0, 1};
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = blank % 4 + dx[i], y = blank / 4 + dy[i];
        if (x < 0 || x > 3 || y < 0 || y > 3) continue;
        int32_t at = y * 4 + x;
        uint64_t tile = board >> (4 * at) & 15;
        uint64_t next = (board & ~(UINT64_C(15) << (4 * at))) | tile << (4 * blank);
        ploy_result result = ploy_branches_add(out, &next, 1.0, (int32_t)tile);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static const ploy_tree tiles = {8, tiles_expand, tiles_is_goal, tiles_estimate, NULL};

TEST(scrambled_tiles_come_home_by_a_shortest_way) {
    // Walks of up to 22 steps from home: never longer back, of the same parity, and A* agrees.
    ploy_env env = ploy_env_default();
    ploy_deepening_def def = ploy_deepening_def_default();
    def.cycles = PLOY_CYCLES_PARENT;
    ploy_deepening *deepening = made(t, &def, &env);
    for (int64_t seed = 0; seed < test_rounds(50); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        uint64_t board = 0xFEDCBA9876543210u;
        int32_t steps = (int32_t)ploy_rng_below(&rng, 23), blank = 0;
        for (int32_t i = 0; i < steps;) {
            int32_t at = (int32_t)ploy_rng_below(&rng, 16);
            if (abs(at % 4 - blank % 4) + abs(at / 4 - blank / 4) != 1) continue;
            uint64_t tile = board >> (4 * at) & 15;
            board = (board & ~(UINT64_C(15) << (4 * at))) | tile << (4 * blank);
            blank = at;
            i++;
        }
        CHECK_OK(ploy_deepening_begin(deepening, &tiles, &board));
        CHECK_OK(ploy_deepening_step(deepening, NULL));
        double cost = 0.0;
        int32_t count = ploy_deepening_path(deepening, NULL, 0, &cost);
        CHECK(count >= 0 && count <= steps);
        CHECK_INT(count % 2, steps % 2);
        CHECK(count >= tiles_estimate(NULL, &board));
    }
    ploy_deepening_destroy(deepening);
}

TEST(korfs_puzzles_have_korfs_lengths_and_node_counts) {
    char path[512];
    const char *dir = test_data_dir();
    if (dir == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    snprintf(path, sizeof path, "%s/planning/puzzles/korf15-odd.txt", dir);
    char *text = test_read_file(path, NULL);
    if (text == NULL) {
        test_skip(t, "no puzzles");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_deepening_def def = ploy_deepening_def_default();
    def.cycles = PLOY_CYCLES_PARENT;
    ploy_deepening *deepening = made(t, &def, &env);
    int32_t solved = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == '#') continue;
        long values[19];
        int32_t count = 0;
        for (char *at = line, *end = NULL; count < 19; at = end) {
            values[count] = strtol(at, &end, 10);
            if (end == at) break;
            count++;
        }
        if (count < 19 || values[2] > test_rounds(1000000)) continue;
        uint64_t board = 0;
        for (int32_t i = 0; i < 16; i++) board |= (uint64_t)values[i + 3] << (4 * i);
        CHECK_OK(ploy_deepening_begin(deepening, &tiles, &board));
        CHECK_OK(ploy_deepening_step(deepening, NULL));
        CHECK_INT(ploy_deepening_path(deepening, NULL, 0, NULL), values[1]);
        solved++;
        // Korf counted states made and not taken back; ours is cut off elsewhere in the last round.
        ploy_deepening_stats stats = ploy_deepening_stats_of(deepening);
        CHECK_NEAR(stats.edges - stats.visited, values[2], 100);
    }
    CHECK(solved > 0);
    ploy_deepening_destroy(deepening);
    free(text);
}

static ploy_result bad_expand(void *user, const void *state, ploy_branches *out) {
    return ploy_branches_add(out, state, *(double *)user, 0);
}

static double bad_estimate(void *user, const void *state) {
    (void)user;
    (void)state;
    return NAN;
}

TEST(broken_trees_and_bad_arguments_are_errors) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_deepening_def def = ploy_deepening_def_default();
    ploy_deepening *deepening = made(t, &def, &env);
    double below = -1.0;
    unsigned char root = 0;
    ploy_tree tree = {1, bad_expand, never, NULL, &below};
    CHECK_INT(ploy_deepening_step(deepening, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_deepening_begin(deepening, NULL, &root), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_deepening_begin(deepening, &tree, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_deepening_begin(deepening, &tree, &root));
    CHECK_INT(ploy_deepening_step(deepening, NULL), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_deepening_step(deepening, NULL), PLOY_ERR_STATE);
    tree.estimate = bad_estimate;
    CHECK_OK(ploy_deepening_begin(deepening, &tree, &root));
    CHECK_INT(ploy_deepening_step(deepening, NULL), PLOY_ERR_CALLBACK);
    tree.size = 0;
    CHECK_INT(ploy_deepening_begin(deepening, &tree, &root), PLOY_ERR_ARGUMENT);
    ploy_deepening_destroy(deepening);
    // A loop costs a round or two and no more; without the check only the limits end it.
    double one = 1.0;
    ploy_tree loop = {1, bad_expand, never, NULL, &one};
    deepening = made(t, &def, &env);
    CHECK_OK(ploy_deepening_begin(deepening, &loop, &root));
    CHECK_OK(ploy_deepening_step(deepening, NULL));
    CHECK_INT(ploy_deepening_outcome(deepening), PLOY_SEARCH_NONE);
    ploy_deepening_destroy(deepening);
    def.cycles = PLOY_CYCLES_ALLOWED;
    def.max_depth = 9;
    def.first_limit = 100;
    deepening = made(t, &def, &env);
    CHECK_OK(ploy_deepening_begin(deepening, &loop, &root));
    CHECK_OK(ploy_deepening_step(deepening, NULL));
    CHECK_INT(ploy_deepening_outcome(deepening), PLOY_SEARCH_PRUNED);
    CHECK_INT(ploy_deepening_stats_of(deepening).visited, 10);
    ploy_deepening_destroy(deepening);
}

static ploy_result deepened(const ploy_env *env, void *arg) {
    ploy_deepening_def def = ploy_deepening_def_default();
    def.table = 64;
    ploy_deepening *deepening = NULL;
    ploy_result result = ploy_deepening_create(&def, env, &deepening);
    if (result == PLOY_OK) result = ploy_deepening_begin(deepening, &tiles, arg);
    if (result == PLOY_OK) result = ploy_deepening_step(deepening, NULL);
    ploy_deepening_destroy(deepening);
    return result;
}

TEST(memory_may_run_out_on_the_way_down) {
    uint64_t board = 0xFEDCBA9876503214u; // the blank went four steps
    CHECK_FAIL_NTH(deepened, &board);
}
