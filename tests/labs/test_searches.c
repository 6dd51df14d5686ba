// The lab `search`: optimal methods agree on the cost, LPA* repairs for less than a new search
// takes, a depth that is too small leaves no path, and it rewinds.
#include "tests/labs/lab_test.h"

// One method alone.
static ploy_sim *searches_start(test_context *t, const char *method, const char *problem,
                                const char *shape, const ploy_env *env) {
    char name[64];
    snprintf(name, sizeof name, "first=%s", method);
    const char *settings[] = {name,         problem,       shape,        "second=off", "third=off",
                              "fourth=off", "memory=2000", "units=1000", NULL};
    return lab_start(t, "search", settings, env);
}

// @return the cost of the path it finds, -1 without one
static double searches_cost(test_context *t, const char *method, const char *problem,
                            const char *shape) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = searches_start(t, method, problem, shape, &env);
    lab_run(t, sim, 200);
    CHECK(lab_drawn(sim) > 0);
    lab_asked cost = lab_ask(sim, "first/cost");
    ploy_sim_destroy(sim);
    return cost.found ? cost.number : -1.0;
}

typedef struct searches_row {
    const char *problem, *shape;
} searches_row;

static const searches_row searches_rows[] = {
    {"problem=grid", "walls=0.1"},     {"problem=grid", "walls=0.25"},
    {"problem=grid", "open=buckets"},  {"problem=grid", "open=sorted list"},
    {"problem=puzzle", "scramble=12"}, {"problem=puzzle", "scramble=20"},
};

TEST(search_optimal_methods_agree_on_the_cost) {
    static const char *const optimal[] = {"dijkstra", "breadth first", "deepening", "ida*",
                                          "sma*",     "bidirectional", "lpa*"};
    for (size_t r = 0; r < COUNT_OF(searches_rows); r++) {
        searches_row row = searches_rows[r];
        double best = searches_cost(t, "a*", row.problem, row.shape);
        CHECK(best > 5.0);
        for (size_t i = 0; i < COUNT_OF(optimal); i++) {
            double cost = searches_cost(t, optimal[i], row.problem, row.shape);
            t->row = optimal[i];
            CHECK_NEAR(cost, best, 0.0);
            t->row = NULL;
        }
    }
}

TEST(search_other_methods_find_paths_that_are_not_cheaper) {
    static const char *const others[] = {"greedy", "weighted a*", "depth first", "depth limited"};
    double best = searches_cost(t, "a*", "problem=grid", "walls=0.25"), sum = 0.0;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        double cost = searches_cost(t, others[i], "problem=grid", "walls=0.25");
        t->row = others[i];
        CHECK(cost >= best);
        t->row = NULL;
        sum += cost;
    }
    CHECK(sum > best * (double)COUNT_OF(others)); // some are dearer
    CHECK_NEAR(searches_cost(t, "depth limited", "problem=grid", "depth=5"), -1.0,
               0.0); // too short
}

// The same walls are toggled: LPA* takes fewer states than A* takes from the start, for paths of
// the same length.
TEST(search_lpa_repairs_what_a_click_changed) {
    ploy_env env = ploy_env_default();
    ploy_sim *repair = searches_start(t, "lpa*", "problem=grid", "walls=0.1", &env);
    ploy_sim *restart = searches_start(t, "a*", "problem=grid", "walls=0.1", &env);
    lab_run(t, repair, 1);
    double repaired = -lab_number(t, repair, "first/taken"), restarted = 0.0;
    for (int32_t i = 0; i < 12; i++) {
        float x = (float)(i % 4) * 3.0f + 0.5f, y = (float)(i / 4) * 2.0f + 0.5f;
        lab_click(t, repair, x, y);
        lab_click(t, restart, x, y);
        CHECK_NEAR(lab_number(t, repair, "first/steps"), lab_number(t, restart, "first/steps"),
                   0.0);
        restarted += lab_number(t, restart, "first/taken");
    }
    repaired += lab_number(t, repair, "first/taken");
    CHECK(repaired < restarted);
    ploy_sim_destroy(repair);
    ploy_sim_destroy(restart);
}

TEST(search_starts_again_when_a_parameter_changes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = searches_start(t, "a*", "problem=grid", "walls=0.25", &env);
    lab_run(t, sim, 1);
    double taken = lab_number(t, sim, "first/taken");
    lab_set(t, sim, "units", ploy_value_i64(1));
    CHECK_NEAR(lab_number(t, sim, "first/taken"), taken, 0.0); // does not
    lab_set(t, sim, "walls", ploy_value_f32(0.1f));
    CHECK_NEAR(lab_number(t, sim, "first/taken"), 1.0, 0.0);
    ploy_sim_destroy(sim);
}

TEST(search_rewinds_to_the_same_bytes) {
    static const char *const grid[] = {"fourth=lpa*", "third=sma*", NULL};
    static const char *const puzzle[] = {"problem=puzzle", "units=5", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "search", grid, &env);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
    sim = lab_start(t, "search", puzzle, &env);
    lab_check_rewind(t, sim, 60);
    ploy_sim_destroy(sim);
}

TEST(search_create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(lab_create, "search");
}
