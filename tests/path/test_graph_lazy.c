#include "path/path_internal.h"
#include "ploy/path/graph_check.h"
#include "ploy/path/graph_views.h"
#include "tests/path/toy_graph.h"

// Danger: what an edge costs depends on where it leads, and on the hour.
typedef struct danger {
    double add[EX_NODES];
} danger;

static double danger_cost(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)from;
    (void)label;
    const danger *self = user;
    return base + self->add[to];
}

TEST(costs_are_asked_for_once_a_tick_and_follow_the_world) { // PTH-02 d
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_env env = ploy_env_default();
    ploy_space inner = ploy_graph_space(graph);
    danger now = {{0}};
    ploy_lazy_costs_def def = ploy_lazy_costs_def_default();
    ploy_lazy_costs *lazy = NULL;
    def.labels = 7; // the last edge's answer is not kept
    CHECK_OK(ploy_lazy_costs_create(&def, &inner, danger_cost, &now, &env, &lazy));
    ploy_space space = ploy_lazy_costs_space(lazy);
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&search_def, &env, &search));
    CHECK_SAME(toy_graph_search(t, search, &space, EX_S, EX_G), 24.0);
    int64_t asked = ployi_lazy_costs_asked(lazy);
    CHECK(asked <= 8);
    now.add[EX_A] = 10.0; // not heard of before the next tick
    CHECK_SAME(toy_graph_search(t, search, &space, EX_S, EX_G), 24.0);
    CHECK_INT(ployi_lazy_costs_asked(lazy), asked + 1);
    ploy_lazy_costs_tick(lazy);
    CHECK_SAME(toy_graph_search(t, search, &space, EX_S, EX_G), 24.0); // by B now
    ploy_edge path[4];
    CHECK_INT(ploy_search_path(search, EX_G, path, 4, NULL), 3);
    CHECK_INT(path[0].to, EX_B);
    now.add[EX_D] = INFINITY;
    ploy_lazy_costs_tick(lazy);
    CHECK_SAME(toy_graph_search(t, search, &space, EX_S, EX_G), 30.0);
    ploy_lazy_costs_tick(lazy);
    now.add[EX_D] = 1.0;
    CHECK_OK(ploy_space_check(&space, &env, NULL)); // both directions ask about the same edge
    ploy_search_destroy(search);
    ploy_lazy_costs_destroy(lazy);
    ploy_graph_destroy(graph);
}

static ploy_result lazy_body(const ploy_env *env, void *arg) {
    ploy_lazy_costs_def def = ploy_lazy_costs_def_default();
    danger now = {{0}};
    ploy_lazy_costs *lazy = NULL;
    ploy_result result = ploy_lazy_costs_create(&def, arg, danger_cost, &now, env, &lazy);
    if (result == PLOY_OK) {
        ploy_space space = ploy_lazy_costs_space(lazy);
        result = ploy_space_check(&space, env, NULL);
    }
    TEST_REPORT(result, env, lazy, ploy_lazy_costs_memory);
    ploy_lazy_costs_destroy(lazy);
    return result;
}

TEST(lazy_costs_survive_a_failure_of_every_allocation_and_refuse_bad_settings) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space inner = ploy_graph_space(graph);
    CHECK_FAIL_NTH(lazy_body, &inner);
    ploy_lazy_costs_def def = ploy_lazy_costs_def_default();
    ploy_env env = ploy_env_default();
    ploy_lazy_costs *lazy = NULL;
    CHECK_INT(ploy_lazy_costs_create(&def, &inner, NULL, NULL, &env, &lazy), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_lazy_costs_fields(), NULL));
    def.labels = -1;
    CHECK_INT(ploy_lazy_costs_create(&def, &inner, danger_cost, NULL, &env, &lazy),
              PLOY_ERR_ARGUMENT);
    CHECK(lazy == NULL);
    ploy_graph_destroy(graph);
}
