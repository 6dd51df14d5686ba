// Every method of the search over the same random spaces, against costs found the slow way.
#include <stdio.h>
#include <stdlib.h>

#include "ploy/base/describe.h"
#include "ploy/search/search.h"
#include "search/search_internal.h"
#include "tests/search/toy_space.h"
#include "tests/test.h"

typedef struct method_row {
    const char *row;
    ploy_search_method method;
    bool by_cost;  // finds a cheapest path
    bool by_edges; // finds a path with the fewest edges
    bool is_goal, starts, backward, no_goal, allow, paid, changes, moves;
} method_row;

static const method_row rows[] = {
    {"best first", PLOY_SEARCH_METHOD_BEST_FIRST, true, false, true, true, true, true, true, true,
     false, false},
    {"depth limited", PLOY_SEARCH_METHOD_DEPTH_LIMITED, false, false, true, false, false, false,
     true, true, false, false},
    {"deepening", PLOY_SEARCH_METHOD_DEEPENING, false, true, true, false, false, false, true, true,
     false, false},
    {"ida*", PLOY_SEARCH_METHOD_IDA_STAR, true, false, true, false, false, false, true, true, false,
     false},
    {"sma*", PLOY_SEARCH_METHOD_SMA_STAR, true, false, true, false, false, false, true, true, false,
     false},
    {"bidirectional", PLOY_SEARCH_METHOD_BIDIRECTIONAL, true, false, false, false, false, false,
     true, true, false, false},
    {"lpa*", PLOY_SEARCH_METHOD_LPA_STAR, true, false, false, false, false, false, false, false,
     true, false},
    {"d* lite", PLOY_SEARCH_METHOD_D_STAR_LITE, true, false, false, false, false, false, false,
     false, true, true},
};

// A space of few states and edges, so that trees stay small, with estimates between any two states.
enum { FEW = 12 };

typedef struct few_space {
    toy_space toy;
    double pairs[FEW][FEW]; // estimates
} few_space;

static double few_estimate(void *user, int32_t state, int32_t goal) {
    const few_space *few = user;
    return goal == PLOY_STATE_NONE ? 0.0 : few->pairs[state][goal];
}

static void few_make(few_space *few, ploy_rng *rng) {
    toy_init(&few->toy, 2 + (int32_t)ploy_rng_below(rng, FEW - 1));
    int32_t count = few->toy.space.count;
    for (int32_t i = 0; i < count * 3; i++) {
        int32_t from = (int32_t)ploy_rng_below(rng, (uint64_t)count);
        int32_t to = (int32_t)ploy_rng_below(rng, (uint64_t)count);
        if (few->toy.out_count[from] == 4) continue;
        toy_add(&few->toy, from, to, (double)ploy_rng_below(rng, 10));
    }
    for (int32_t goal = 0; goal < count; goal++) {
        double exact[TOY_STATES];
        toy_costs(&few->toy, goal, true, exact);
        for (int32_t s = 0; s < count; s++) {
            // Half the truth, rounded down, is consistent.
            few->pairs[s][goal] = exact[s] < INFINITY ? floor(exact[s] / 2.0) : INFINITY;
        }
    }
    few->toy.space.user = few; // toy is its first member
    few->toy.space.estimate = few_estimate;
}

static ploy_search *made(test_context *t, const method_row *row, int32_t variant,
                         const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    def.method = row->method;
    def.max_depth = FEW;
    def.table = variant % 2 == 0 ? 0 : 5;
    // Only the check of the whole path lets a search by depth find out that there is no path.
    bool costs = row->method == PLOY_SEARCH_METHOD_IDA_STAR;
    def.cycles = costs && variant % 4 < 2 ? PLOY_SEARCH_CYCLES_PARENT : PLOY_SEARCH_CYCLES_PATH;
    def.capacity = 64;
    def.branching = 4;
    def.open = (ploy_open_kind)(variant % PLOY_OPEN_ORDERED);
    def.storage = variant % 3 == 0 ? PLOY_SEARCH_PAGES : PLOY_SEARCH_FLAT;
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, env, &search));
    return search;
}

static uint64_t hash_of(const ploy_search *search) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_search_describe(search, &out);
    return ploy_hash_sink_result(&sink);
}

// The fewest edges from one state to all, the slow way.
static void few_edges(const few_space *few, int32_t from, double *out) {
    toy_space *flat = malloc(sizeof *flat);
    *flat = few->toy;
    for (int32_t s = 0; s < flat->space.count; s++) {
        for (int32_t i = 0; i < flat->out_count[s]; i++) flat->out[s][i].cost = 1.0;
    }
    toy_costs(flat, from, false, out);
    free(flat);
}

TEST(every_method_finds_what_the_slow_way_finds) {
    ploy_env env = ploy_env_default();
    few_space *few = malloc(sizeof *few);
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        few_make(few, &rng);
        int32_t count = few->toy.space.count;
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
        int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
        double costs[TOY_STATES], edges[TOY_STATES];
        toy_costs(&few->toy, from, false, costs);
        few_edges(few, from, edges);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i].row;
            ploy_search *search = made(t, &rows[i], (int32_t)(seed % 12), &env);
            ploy_search_start start = {from, rows[i].paid ? (double)(seed % 3) : 0.0};
            ploy_search_query query = ploy_search_query_make(&few->toy.space, &start, goal);
            CHECK_OK(ploy_search_run(search, &query));
            ploy_search_outcome outcome = ploy_search_outcome_of(search);
            CHECK_INT(outcome, costs[goal] < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
            CHECK_INT(ploy_search_goal(search),
                      outcome == PLOY_SEARCH_FOUND ? goal : PLOY_STATE_NONE);
            if (outcome == PLOY_SEARCH_FOUND) {
                ploy_edge path[TOY_STATES];
                double cost = -1.0;
                int32_t length = ploy_search_path(search, goal, path, TOY_STATES, &cost);
                toy_check_path(t, &few->toy, from, goal, path, length, cost - start.cost);
                if (rows[i].by_cost) CHECK_SAME(cost - start.cost, costs[goal]);
                if (rows[i].by_cost) CHECK_SAME(ployi_search_bound(search), 1.0);
                if (rows[i].by_edges) CHECK_SAME((double)length, edges[goal]);
                CHECK(cost - start.cost >= costs[goal]);
                CHECK(ployi_search_version(search) >= 1);
                // Room for a part of the path: its first edges.
                ploy_edge part[1] = {{-7, -7, -7.0}};
                CHECK_INT(ploy_search_path(search, goal, part, length > 0, NULL), length);
                if (length > 0) CHECK_INT(part[0].label, path[0].label);
            }
            for (int32_t k = 0; k < ploy_search_reached(search); k++) {
                ploy_search_node node;
                int32_t state = ploy_search_reached_at(search, k);
                CHECK(state >= 0 && state < count);
                if (ploy_search_get(search, state, &node)) CHECK(node.cost >= 0.0);
            }
            CHECK_INT(ploy_search_reached_at(search, -1), PLOY_STATE_NONE);
            CHECK_INT(ploy_search_reached_at(search, ploy_search_reached(search)), PLOY_STATE_NONE);
            CHECK_INT(ploy_search_path(search, -1, NULL, 0, NULL), -1);
            ploy_search_destroy(search);
        }
    }
    free(few);
}

TEST(slices_of_one_equal_one_run_in_used_memory_too) {
    ploy_env env = ploy_env_default();
    few_space *few = malloc(sizeof *few);
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        few_make(few, &rng);
        int32_t goal = few->toy.space.count - 1;
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i].row;
            ploy_search *search = made(t, &rows[i], (int32_t)(seed % 12), &env);
            ploy_search_start start = {0, 0.0};
            ploy_search_query query = ploy_search_query_make(&few->toy.space, &start, goal);
            CHECK_OK(ploy_search_run(search, &query));
            uint64_t whole = hash_of(search);
            ploy_search_stats stats = ploy_search_stats_of(search);
            int64_t units = 0;
            CHECK_OK(ploy_search_begin(search, &query));
            ploy_task task = ploy_search_task(search);
            for (ploy_result result = PLOY_IN_PROGRESS; result != PLOY_OK; units++) {
                ploy_budget one = ploy_budget_units(1);
                result = ploy_task_step(task, &one);
                CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
                CHECK(units < 1000000);
            }
            CHECK_UINT(hash_of(search), whole);
            CHECK_INT(ploy_search_stats_of(search).taken, stats.taken);
            CHECK_INT(ploy_search_stats_of(search).edges, stats.edges);
            CHECK_INT(ploy_search_stats_of(search).estimates, stats.estimates);
            CHECK(units >= stats.taken);
            ploy_search_destroy(search);
        }
    }
    free(few);
}

static bool is_last(void *user, int32_t state) {
    return state == *(int32_t *)user;
}

static bool any(void *user, int32_t state) {
    (void)user;
    (void)state;
    return true;
}

static void count_lines(void *user, ploy_severity severity, const char *text) {
    (void)severity;
    (void)text;
    ++*(int32_t *)user;
}

TEST(what_a_method_does_not_support_is_refused_and_the_log_says_so) {
    int32_t lines = 0;
    ploy_env env = ploy_env_default();
    env.log = count_lines;
    env.log_user = &lines;
    few_space *few = malloc(sizeof *few);
    ploy_rng rng = ploy_rng_make(4);
    few_make(few, &rng);
    int32_t goal = few->toy.space.count - 1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_search *search = made(t, &rows[i], 0, &env);
        ploy_search_start starts[2] = {{0, 0.0}, {1, 0.0}}, paid = {0, 2.0};
        for (int32_t what = 0; what < 6; what++) {
            ploy_search_query query = ploy_search_query_make(&few->toy.space, starts, goal);
            query.user = &goal;
            bool supported = false;
            switch (what) {
            case 0: query.start_count = 2, supported = rows[i].starts; break;
            case 1: query.backward = true, supported = rows[i].backward; break;
            case 2: query.is_goal = is_last, supported = rows[i].is_goal; break;
            case 3: query.goal = PLOY_STATE_NONE, supported = rows[i].no_goal; break;
            case 4: query.allow = any, supported = rows[i].allow; break;
            default: query.starts = &paid, supported = rows[i].paid; break;
            }
            lines = 0;
            CHECK_INT(ploy_search_run(search, &query), supported ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
            CHECK_INT(lines, supported ? 0 : 1);
            if (!supported) CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
            if (!supported) CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_IDLE);
        }
        ploy_search_query query = ploy_search_query_make(&few->toy.space, starts, goal);
        CHECK_OK(ploy_search_run(search, &query));
        CHECK_INT(ploy_search_changed(search, 0, 1),
                  rows[i].changes ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
        CHECK_INT(ploy_search_move(search, 1), rows[i].moves ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
        ploy_search_destroy(search);
    }
    free(few);
}

TEST(settings_that_cannot_work_together_are_refused) {
    int32_t lines = 0;
    ploy_env env = ploy_env_default();
    env.log = count_lines;
    env.log_user = &lines;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bool first = rows[i].method == PLOY_SEARCH_METHOD_BEST_FIRST;
        bool two = rows[i].method == PLOY_SEARCH_METHOD_BIDIRECTIONAL || rows[i].changes;
        for (int32_t what = 0; what < 6; what++) {
            ploy_search_def def = ploy_search_def_default();
            def.method = rows[i].method;
            bool fine = first;
            switch (what) {
            case 0: def.order = PLOY_SEARCH_GREEDY; break;
            case 1: def.stop = PLOY_SEARCH_STOP_SEEN; break;
            case 2: def.weight = 2.0, def.weight_step = 1.0; break;
            case 3: def.frontier = 3; break;
            case 4: def.weight = 1.5, fine = !two; break;
            default: def.open = PLOY_OPEN_FRINGE, fine = !two; break;
            }
            ploy_search *search = NULL;
            lines = 0;
            CHECK_INT(ploy_search_create(&def, &env, &search), fine ? PLOY_OK : PLOY_ERR_ARGUMENT);
            CHECK_INT(lines, fine ? 0 : 1);
            CHECK_INT(search != NULL, fine);
            ploy_search_destroy(search);
        }
    }
}

typedef struct fail_arg {
    few_space *few;
    const method_row *row;
} fail_arg;

static ploy_result searched(const ploy_env *env, void *arg) {
    const fail_arg *fail = arg;
    ploy_search_def def = ploy_search_def_default();
    def.method = fail->row->method;
    def.table = 5;
    def.capacity = 64;
    def.branching = 4;
    ploy_search *search = NULL;
    ploy_result result = ploy_search_create(&def, env, &search);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query =
        ploy_search_query_make(&fail->few->toy.space, &start, fail->few->toy.space.count - 1);
    ploy_space unknown = *query.space; // how many there are is not known beforehand
    unknown.count = 0;
    if (result == PLOY_OK) result = ploy_search_run(search, &query);
    query.space = &unknown;
    if (result == PLOY_OK) result = ploy_search_run(search, &query);
    if (result == PLOY_OK && fail->row->changes) result = ploy_search_changed(search, 0, 1);
    if (result == PLOY_OK && fail->row->moves) result = ploy_search_move(search, 1);
    if (result == PLOY_OK) result = ploy_search_step(search, NULL);
    ploy_search_destroy(search);
    return result;
}

TEST(any_moment_is_right_for_cancelling_and_for_running_out_of_memory) {
    few_space *few = malloc(sizeof *few);
    ploy_rng rng = ploy_rng_make(11);
    few_make(few, &rng);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query =
        ploy_search_query_make(&few->toy.space, &start, few->toy.space.count - 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        fail_arg arg = {few, &rows[i]};
        CHECK_FAIL_NTH(searched, &arg);
        ploy_search *search = made(t, &rows[i], 0, &env);
        CHECK_OK(ploy_search_run(search, &query));
        uint64_t whole = hash_of(search);
        int64_t calls = counts.calls;
        ploy_result result = PLOY_IN_PROGRESS;
        for (int64_t units = 0; result == PLOY_IN_PROGRESS; units++) {
            CHECK_OK(ploy_search_begin(search, &query));
            ploy_budget budget = ploy_budget_units(units);
            result = ploy_search_step(search, &budget);
            ploy_search_cancel(search);
            CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_IDLE);
            CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
        }
        CHECK_OK(result);
        CHECK_OK(ploy_search_run(search, &query)); // cancelling left nothing behind
        CHECK_UINT(hash_of(search), whole);
        CHECK_INT(counts.calls, calls); // warm: nothing is allocated
        int64_t bytes = 0;
        ploy_search_memory(search, test_sum_memory, &bytes);
        CHECK_INT(bytes, counts.bytes);
        ploy_search_destroy(search);
        CHECK_INT(counts.blocks, 0);
    }
    free(few);
}

TEST(methods_have_names) {
    ploy_search_method found = PLOY_SEARCH_METHOD_COUNT;
    CHECK_INT(COUNT_OF(rows), PLOY_SEARCH_METHOD_COUNT);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_TEXT(ploy_search_method_text(rows[i].method), rows[i].row);
        CHECK(ploy_search_method_find(rows[i].row, &found));
        CHECK_INT(found, rows[i].method);
    }
    CHECK(!ploy_search_method_find("a star", &found));
    CHECK(!ploy_search_method_find(NULL, &found));
    CHECK_TEXT(ploy_search_method_text(PLOY_SEARCH_METHOD_COUNT), "?");
}
