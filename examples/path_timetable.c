// A ferry leaves every 10 s, the bridge takes 14 s: which is faster depends on the time of departure.
// Shows ploy/path/timed.h: states are places at times, and waiting is a step.
#include <math.h>
#include <stdio.h>

#include "ploy/path/graph.h"
#include "ploy/path/timed.h"
#include "ploy/search/search.h"

enum { HOME, PIER, BRIDGE, ISLAND, PLACES };
static const char *const names[PLACES] = {"home", "pier", "bridge", "island"};

// Returns when an agent arrives. The ferry leaves only at full tens of seconds, until 40 s.
static double arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    (void)user;
    if (from == PIER && edge->to == ISLAND && (fmod(depart, 10.0) != 0.0 || depart > 40.0)) {
        return INFINITY;
    }
    return depart + edge->cost;
}

typedef struct goal {
    const ploy_timed *timed;
} goal;

static bool on_island(void *user, int32_t state) {
    return ploy_timed_place(((const goal *)user)->timed, state) == ISLAND;
}

static void travel(ploy_timed *timed, ploy_search *search, double depart) {
    goal self = {timed};
    ploy_edge steps[64];
    double seconds = 0.0;
    ploy_search_start start = {0, 0.0};
    ploy_timed_clear(timed, ISLAND);
    if (ploy_timed_state(timed, HOME, depart, &start.state) != PLOY_OK) {
        printf("at %2.0f s: beyond the horizon\n", depart);
        return;
    }
    ploy_space space = ploy_timed_space(timed);
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = on_island;
    query.user = &self;
    if (ploy_search_run(search, &query) != PLOY_OK) return;
    int32_t count = ploy_search_path(search, ploy_search_goal(search), steps, 64, &seconds),
            waits = 0;
    printf("at %2.0f s: home", depart);
    for (int32_t i = 0; i < count && i < 64; i++) {
        waits += steps[i].label == -1;
        if (steps[i].label != -1) printf(" - %s", names[ploy_timed_place(timed, steps[i].to)]);
    }
    if (count < 0) printf(": no path before the horizon\n");
    if (count >= 0) {
        double arrival = ploy_timed_time(timed, ploy_search_goal(search));
        printf(", there at %.0f s: %.0f s, %d of them waiting\n", arrival, seconds, (int)waits);
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_timed_def def = ploy_timed_def_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_graph *graph = NULL;
    ploy_timed *timed = NULL;
    ploy_search *search = NULL;
    if (ploy_graph_create(&graph_def, &env, &graph) != PLOY_OK) return 1;
    for (int32_t i = 0; i < PLACES; i++) ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
    ploy_graph_add_edge(graph, HOME, PIER, 3, 0, NULL);
    ploy_graph_add_edge(graph, PIER, ISLAND, 4, 0, NULL);
    ploy_graph_add_edge(graph, HOME, BRIDGE, 7, 0, NULL);
    ploy_graph_add_edge(graph, BRIDGE, ISLAND, 7, 0, NULL);
    ploy_space places = ploy_graph_space(graph);
    def.tick = 1.0;
    def.wait = 1.0;
    def.horizon = 60.0;
    if (ploy_timed_create(&def, &places, arrive, NULL, &env, &timed) != PLOY_OK) return 1;
    if (ploy_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
    travel(timed, search, 5);  // the ferry at 10 s
    travel(timed, search, 8);  // it has left when the agent is there
    travel(timed, search, 39); // no more ferries
    travel(timed, search, 50); // and too late for the bridge
    travel(timed, search, 70);
    ploy_search_destroy(search);
    ploy_timed_destroy(timed);
    ploy_graph_destroy(graph);
    return 0;
}
