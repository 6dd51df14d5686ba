// States with time.
#include "path/path_internal.h"
#include "ploy/path/graph.h"
#include "ploy/path/timed.h"
#include "ploy/search/search.h"
#include "tests/test.h"

// S 0, A 1 (a door on its way to G that opens after standing there for so long), G 2, B 3.
typedef struct door {
    double seconds;
} door;

static double door_arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    const door *self = user;
    return depart + edge->cost + (from == 1 && edge->to == 2 ? self->seconds : 0.0);
}

static double door_way(test_context *t, ploy_timed *timed, bool *through) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_timed_clear(timed, 2);
    ploy_space space = ploy_timed_space(timed);
    ploy_search_start start = {0, 0.0};
    CHECK_OK(ploy_timed_state(timed, 0, 0.0, &start.state));
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = ployi_timed_at_goal;
    query.user = timed;
    CHECK_OK(ploy_search_run(search, &query));
    CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_FOUND);
    ploy_edge edges[32];
    double cost = 0.0;
    int32_t count = ploy_search_path(search, ploy_search_goal(search), edges, 32, &cost);
    *through = false;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_timed_place(timed, edges[i].to) == 1) *through = true;
    }
    CHECK_NEAR(ploy_timed_time(timed, edges[count - 1].to), cost, 1e-9);
    ploy_search_destroy(search);
    return cost;
}

TEST(waiting_at_a_door_is_weighed_against_the_way_round) { // PTH-44
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_fields_check_table(ploy_timed_fields(), NULL));
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 4; i++) CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_zero(), NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 3, 0, NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 1, 2, 3, 0, NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 3, 5, 0, NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 3, 2, 5, 0, NULL));
    ploy_space places = ploy_graph_space(graph);
    static const struct {
        double door, want;
        bool through;
    } rows[] = {{1, 7, true}, {7, 10, false}, {3.9375, 9.9375, true}, {4.0625, 10, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        door self = {rows[i].door};
        ploy_timed_def timed_def = ploy_timed_def_default();
        timed_def.wait = i % 2 == 0 ? 0.0 : 1.0; // being allowed to wait changes nothing here
        timed_def.horizon = 30;
        ploy_timed *timed = NULL;
        bool through = false;
        CHECK_OK(ploy_timed_create(&timed_def, &places, door_arrive, &self, &env, &timed));
        CHECK_NEAR(door_way(t, timed, &through), rows[i].want, 1e-9);
        CHECK(through == rows[i].through);
        int32_t state = 0;
        CHECK_INT(ploy_timed_state(timed, 0, 31, &state), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_timed_place(timed, 12345), PLOY_STATE_NONE);
        ploy_timed_destroy(timed);
    }
    ploy_graph_destroy(graph);
}

// A gap in the traffic: the edge is open from 4 s to 6 s, so one must wait for it.
static double gap_arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    (void)user;
    (void)from;
    return depart >= 4.0 && depart <= 6.0 ? depart + edge->cost : (double)INFINITY;
}

TEST(who_may_wait_waits_for_the_gap) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_zero(), NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 2, 1, 0, NULL));
    ploy_space places = ploy_graph_space(graph);
    ploy_timed_def timed_def = ploy_timed_def_default();
    ploy_timed *timed = NULL;
    bool through = false;
    timed_def.wait = 0.5;
    timed_def.horizon = 20;
    CHECK_OK(ploy_timed_create(&timed_def, &places, gap_arrive, NULL, &env, &timed));
    CHECK_NEAR(door_way(t, timed, &through), 5, 1e-9);
    ploy_timed_destroy(timed);
    ploy_graph_destroy(graph);
}

static ploy_result make_timed(const ploy_env *env, void *arg) {
    ploy_timed_def def = ploy_timed_def_default();
    ploy_timed *timed = NULL;
    ploy_result result = ploy_timed_create(&def, arg, gap_arrive, NULL, env, &timed);
    int32_t state = 0;
    if (result == PLOY_OK) result = ploy_timed_state(timed, 1, 2, &state);
    TEST_REPORT(result, env, timed, ploy_timed_memory);
    ploy_timed_destroy(timed);
    return result;
}

TEST(timed_spaces_survive_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    ploy_space places = ploy_graph_space(graph);
    CHECK_FAIL_NTH(make_timed, &places);
    ploy_graph_destroy(graph);
}
