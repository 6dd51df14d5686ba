// Replanning: after every change the path costs what a new search finds, for less work.
#include "ploy/search/search.h"

#include <stdlib.h>

#include "tests/search/toy_space.h"
#include "tests/test.h"

static ploy_search *made(test_context *t, bool follow, ploy_open_kind open, const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    def.method = follow ? PLOY_SEARCH_METHOD_D_STAR_LITE : PLOY_SEARCH_METHOD_LPA_STAR;
    def.open = open;
    ploy_search *replanner = NULL;
    CHECK_OK(ploy_search_create(&def, env, &replanner));
    return replanner;
}

static ploy_result begun(ploy_search *replanner, const ploy_space *space, int32_t from,
                         int32_t goal) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, goal);
    return ploy_search_begin(replanner, &query);
}

// Steps to the end, in slices of a few states if `units` says so.
static void settle(test_context *t, ploy_search *replanner, int64_t units) {
    ploy_result result = PLOY_IN_PROGRESS;
    for (int32_t guard = 0; result == PLOY_IN_PROGRESS; guard++) {
        CHECK(guard < 100000);
        ploy_budget budget = ploy_budget_units(units);
        result = ploy_search_step(replanner, &budget);
    }
    CHECK_OK(result);
}

static void check_against(test_context *t, ploy_search *replanner, const toy_space *toy,
                          int32_t from, int32_t goal) {
    double costs[TOY_STATES], cost = -1.0;
    toy_costs(toy, from, false, costs);
    ploy_edge path[TOY_STATES + 1];
    int32_t count = ploy_search_path(replanner, goal, path, TOY_STATES + 1, &cost);
    CHECK_INT(ploy_search_outcome_of(replanner),
              costs[goal] < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
    CHECK_INT(count >= 0, costs[goal] < INFINITY);
    if (count < 0) return;
    CHECK_SAME(cost, costs[goal]);
    toy_check_path(t, toy, from, goal, path, count, cost);
}

// Changes one edge, in both lists.
static void change_edge(toy_space *toy, int32_t from, int32_t index, double cost) {
    ploy_edge *edge = &toy->out[from][index];
    edge->cost = cost;
    for (int32_t i = 0; i < toy->in_count[edge->to]; i++) {
        if (toy->in[edge->to][i].label == edge->label) toy->in[edge->to][i].cost = cost;
    }
}

// What an edge may cost: in every other space a quarter of them cost nothing, as doors do (PTH-34).
static double draw_cost(ploy_rng *rng, bool with_doors) {
    double cost = (double)ploy_rng_below(rng, 12);
    return with_doors && cost < 4.0 ? 0.0 : cost + (with_doors ? 0.0 : 1.0);
}

// A random graph; estimates of 0 are consistent whatever changes.
static void make_changeable(toy_space *toy, ploy_rng *rng, bool with_doors) {
    toy_random(toy, rng, TOY_ZERO, 30);
    for (int32_t s = 0; s < toy->space.count; s++) {
        for (int32_t i = 0; i < toy->out_count[s]; i++) {
            change_edge(toy, s, i, draw_cost(rng, with_doors));
        }
    }
}

TEST(after_every_change_and_move_the_path_is_the_best) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        bool follow = seed % 2 == 0, doors = seed / 2 % 2 == 0;
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        make_changeable(toy, &rng, doors);
        int32_t count = toy->space.count, at = 0, goal = 30;
        ploy_open_kind open = (ploy_open_kind)(seed / 4 % PLOY_OPEN_ORDERED);
        ploy_search *replanner = made(t, follow, open, &env);
        CHECK_OK(begun(replanner, &toy->space, at, goal));
        settle(t, replanner, PLOY_BUDGET_UNLIMITED);
        check_against(t, replanner, toy, at, goal);
        for (int32_t turn = 0; turn < 40; turn++) {
            int32_t changes = 1 + (int32_t)ploy_rng_below(&rng, 4);
            for (int32_t i = 0; i < changes; i++) {
                int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                if (toy->out_count[from] == 0) continue;
                int32_t edge = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->out_count[from]);
                bool closes = ploy_rng_below(&rng, 4) == 0;
                double cost = closes ? (double)INFINITY : draw_cost(&rng, doors);
                change_edge(toy, from, edge, cost);
                CHECK_OK(ploy_search_changed(replanner, from, toy->out[from][edge].to));
            }
            if (turn % 5 == 4) { // a change that arrives in the midst of the work
                ploy_budget two = ploy_budget_units(2);
                CHECK(ploy_search_step(replanner, &two) >= PLOY_OK);
                continue;
            }
            settle(t, replanner, turn % 3 == 0 ? 1 : PLOY_BUDGET_UNLIMITED);
            check_against(t, replanner, toy, at, goal);
            ploy_edge step;
            if (!follow || ploy_search_path(replanner, goal, &step, 1, NULL) < 1) continue;
            at = step.to; // walks on, or is pushed somewhere
            if (turn % 7 == 0) at = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            CHECK_OK(ploy_search_move(replanner, at));
        }
        ploy_search_destroy(replanner);
    }
    free(toy);
}

// A square grid with walls, cost 1 a step, and the distance in steps as estimate.
enum { SIDE = 40 };

typedef struct grid_world {
    ploy_space space;
    bool wall[SIDE * SIDE];
} grid_world;

static ploy_result grid_expand(void *user, int32_t state, ploy_edges *out) {
    const grid_world *grid = user;
    static const int32_t dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = state % SIDE + dx[i], y = state / SIDE + dy[i];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) continue;
        bool closed = grid->wall[state] || grid->wall[y * SIDE + x];
        ploy_result result = ploy_edges_add(out, y * SIDE + x, closed ? INFINITY : 1.0, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static double grid_estimate(void *user, int32_t state, int32_t goal) {
    (void)user;
    return abs(state % SIDE - goal % SIDE) + abs(state / SIDE - goal / SIDE);
}

static void toggle(test_context *t, grid_world *grid, ploy_search *replanner, int32_t cell) {
    grid->wall[cell] = !grid->wall[cell];
    ploy_env env = ploy_env_default();
    ploy_edges edges;
    ploy_edges_init(&edges, &env);
    CHECK_OK(grid_expand(grid, cell, &edges));
    for (int32_t i = 0; i < edges.count; i++) {
        CHECK_OK(ploy_search_changed(replanner, cell, edges.view[i].to));
        CHECK_OK(ploy_search_changed(replanner, edges.view[i].to, cell));
    }
    ploy_edges_fini(&edges);
}

TEST(on_a_grid_with_closing_doors_it_equals_a_new_search_and_works_less) {
    ploy_env env = ploy_env_default();
    grid_world *grid = calloc(1, sizeof *grid);
    grid->space.count = SIDE * SIDE;
    grid->space.expand = grid->space.expand_back = grid_expand;
    grid->space.estimate = grid_estimate;
    grid->space.user = grid;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    int64_t ours = 0, anew = 0;
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        bool follow = seed % 3 != 0;
        int32_t at = 0, goal = SIDE * SIDE - 1;
        for (int32_t i = 0; i < SIDE * SIDE; i++) grid->wall[i] = ploy_rng_below(&rng, 4) == 0;
        grid->wall[at] = grid->wall[goal] = false;
        ploy_search *replanner = made(t, follow, PLOY_OPEN_HEAP, &env);
        CHECK_OK(begun(replanner, &grid->space, at, goal));
        for (int32_t turn = 0; turn < 60; turn++) {
            settle(t, replanner, PLOY_BUDGET_UNLIMITED);
            ploy_search_start start = {at, 0.0};
            ploy_search_query query = ploy_search_query_make(&grid->space, &start, goal);
            CHECK_OK(ploy_search_run(search, &query));
            CHECK_INT(ploy_search_outcome_of(replanner), ploy_search_outcome_of(search));
            if (turn > 0) anew += ploy_search_stats_of(search).taken;
            double want = -1.0, got = -1.0;
            int32_t count = ploy_search_path(search, goal, NULL, 0, &want);
            ploy_edge step;
            CHECK_INT(ploy_search_path(replanner, goal, &step, 1, &got), count);
            CHECK_SAME(got, want);
            int64_t before = ploy_search_stats_of(replanner).taken;
            if (turn == 0) ours -= before;
            if (follow && count > 0) {
                at = step.to;
                CHECK_OK(ploy_search_move(replanner, at));
            }
            int32_t cell = (int32_t)ploy_rng_below(&rng, SIDE * SIDE);
            if (cell != at && cell != goal) toggle(t, grid, replanner, cell);
        }
        settle(t, replanner, PLOY_BUDGET_UNLIMITED);
        ours += ploy_search_stats_of(replanner).taken;
        ploy_search_destroy(replanner);
    }
    CHECK(ours * 5 < anew); // a fifth at most; in fact far less
    ploy_search_destroy(search);
    free(grid);
}

TEST(bad_arguments_are_refused_and_nothing_runs_before_begin) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 3);
    toy_add(toy, 0, 1, 1.0);
    toy_add(toy, 1, 2, 1.0);
    ploy_search *replanner = made(t, false, PLOY_OPEN_HEAP, &env);
    CHECK_INT(ploy_search_step(replanner, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_search_changed(replanner, 0, 1), PLOY_ERR_STATE);
    CHECK_INT(begun(replanner, &toy->space, 0, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(begun(replanner, &toy->space, -1, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(begun(replanner, NULL, 0, 2), PLOY_ERR_ARGUMENT);
    CHECK_OK(begun(replanner, &toy->space, 0, 2));
    CHECK_INT(ploy_search_path(replanner, 2, NULL, 0, NULL), -1);
    CHECK_INT(ploy_search_changed(replanner, 0, 7), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_search_move(replanner, 1), PLOY_ERR_UNSUPPORTED); // lpa*
    CHECK_OK(ploy_search_step(replanner, NULL));
    CHECK_INT(ploy_search_path(replanner, 2, NULL, 0, NULL), 2);
    change_edge(toy, 1, 0, -1.0);
    CHECK_INT(ploy_search_changed(replanner, 1, 2), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_search_step(replanner, NULL), PLOY_ERR_STATE);
    ploy_search_destroy(replanner);
    free(toy);
}

TEST(a_loop_of_free_doors_does_not_keep_a_lost_path_alive) {
    // PTH-34, PTH-37: 0 -5- 1, then a loop of free doors 1 <-> 2, and 2 -1- 3. With 0 - 1 closed
    // the two states behind the free doors must not hold each other's old cost.
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int32_t follow = 0; follow < 2; follow++) {
        toy_init(toy, 4);
        toy_add(toy, 0, 1, 5.0);
        toy_add(toy, 1, 2, 0.0);
        toy_add(toy, 2, 1, 0.0);
        toy_add(toy, 2, 3, 1.0);
        toy_add(toy, 3, 2, 1.0);
        toy_add(toy, 1, 0, 5.0);
        int32_t from = follow ? 3 : 0, goal = follow ? 0 : 3;
        ploy_search *replanner = made(t, follow == 1, PLOY_OPEN_HEAP, &env);
        CHECK_OK(begun(replanner, &toy->space, from, goal));
        settle(t, replanner, PLOY_BUDGET_UNLIMITED);
        check_against(t, replanner, toy, from, goal);
        int32_t a = follow ? 1 : 0, b = follow ? 0 : 1, index = follow ? 1 : 0;
        change_edge(toy, a, index, INFINITY);
        CHECK_OK(ploy_search_changed(replanner, a, b));
        settle(t, replanner, PLOY_BUDGET_UNLIMITED);
        CHECK_INT(ploy_search_outcome_of(replanner), PLOY_SEARCH_NONE);
        change_edge(toy, a, index, 0.0);
        CHECK_OK(ploy_search_changed(replanner, a, b));
        settle(t, replanner, 1);
        check_against(t, replanner, toy, from, goal);
        ploy_search_destroy(replanner);
    }
    free(toy);
}

static ploy_result replanned(const ploy_env *env, void *arg) {
    toy_space *toy = arg;
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_D_STAR_LITE;
    ploy_search *replanner = NULL;
    ploy_result result = ploy_search_create(&def, env, &replanner);
    if (result == PLOY_OK) result = begun(replanner, &toy->space, 0, 30);
    if (result == PLOY_OK) result = ploy_search_step(replanner, NULL);
    if (result == PLOY_OK) result = ploy_search_changed(replanner, 3, 5);
    if (result == PLOY_OK) result = ploy_search_step(replanner, NULL);
    ploy_search_destroy(replanner);
    return result;
}

TEST(memory_may_run_out_while_it_replans) {
    toy_space *toy = malloc(sizeof *toy);
    ploy_rng rng = ploy_rng_make(5);
    make_changeable(toy, &rng, true);
    CHECK_FAIL_NTH(replanned, toy);
    toy->space.count = 0; // states come up as it goes
    CHECK_FAIL_NTH(replanned, toy);
    free(toy);
}
