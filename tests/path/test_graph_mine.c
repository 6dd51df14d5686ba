// Mining movement logs.
#include "ploy/base/rng.h"
#include "ploy/path/graph_mine.h"
#include "tests/test.h"

enum { LOG_MAX = 4000 };

// Walkers go between four places of a ring and linger there; one way is only ever walked down.
static int32_t write_log(ploy_log_entry *out, uint64_t seed) {
    static const ploy_vec3 places[] = {{0, 0, 0}, {20, 0, 0}, {20, 20, 0}, {0, 20, 0}};
    ploy_rng rng = ploy_rng_make(seed);
    int32_t count = 0, at = 0;
    double time = 0.0;
    memset(out, 0, LOG_MAX * sizeof *out);
    while (count + 40 < LOG_MAX) {
        int32_t next = at == 3 ? 0 : ploy_rng_chance(&rng, 0.6f) ? at + 1 : (at + 3) % 4;
        if (at == 0 && next == 3) next = 1; // nobody climbs from 0 to 3
        for (int32_t i = 0; i < 30; i++, count++, time += 0.1) {
            float share = i < 10 ? 0.0f : (float)(i - 10) / 20.0f;
            out[count].time = time;
            out[count].position.x = places[at].x + (places[next].x - places[at].x) * share +
                                    ploy_rng_range(&rng, -0.3f, 0.3f);
            out[count].position.y = places[at].y + (places[next].y - places[at].y) * share +
                                    ploy_rng_range(&rng, -0.3f, 0.3f);
            out[count].flags = at == 3 && next == 0 ? 1 : 0;
        }
        at = next;
        if (ploy_rng_chance(&rng, 0.05f)) { // a new start elsewhere
            at = ploy_rng_int(&rng, 0, 3);
            out[count] = out[count - 1];
            out[count].position = places[at];
            out[count].time = time;
            out[count++].jumped = true;
        }
    }
    return count;
}

static int32_t near_place(const ploy_graph *graph, float x, float y) {
    for (int32_t n = 0; n < ploy_graph_node_slots(graph); n++) {
        ploy_vec3 at = ploy_graph_position(graph, n);
        if (fabsf(at.x - x) < 1.5f && fabsf(at.y - y) < 1.5f) return n;
    }
    return -1;
}

TEST(places_and_ways_come_out_of_a_log_with_their_directions) { // TLS-09
    static ploy_log_entry log[LOG_MAX];
    CHECK_OK(ploy_fields_check_table(ploy_graph_mine_fields(), NULL));
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_graph_def graph_def = ploy_graph_def_default();
        ploy_graph *graph = NULL;
        graph_def.directed = true;
        CHECK_OK(ploy_graph_create(&graph_def, &env, &graph));
        ploy_graph_mine_def def = ploy_graph_mine_def_default();
        def.apart = 12;
        int32_t count = write_log(log, (uint64_t)seed);
        ploy_graph_mine_report report;
        CHECK_OK(ploy_graph_mine(graph, &def, log, count, &env, &report));
        CHECK_INT(report.nodes, 4);
        int32_t jumps = 0;
        for (int32_t i = 0; i < count; i++) jumps += log[i].jumped;
        CHECK(report.cells > 50 && report.once < report.cells);
        CHECK_INT(report.ignored > 0, jumps > 0);
        int32_t a = near_place(graph, 0, 0), b = near_place(graph, 20, 0);
        int32_t c = near_place(graph, 20, 20), d = near_place(graph, 0, 20);
        CHECK(a >= 0 && b >= 0 && c >= 0 && d >= 0);
        CHECK(ploy_graph_find_edge(graph, a, b) >= 0 && ploy_graph_find_edge(graph, b, a) >= 0);
        CHECK(ploy_graph_find_edge(graph, b, c) >= 0 && ploy_graph_find_edge(graph, c, d) >= 0);
        int32_t drop = ploy_graph_find_edge(graph, d, a);
        CHECK(drop >= 0);
        CHECK_INT(ploy_graph_find_edge(graph, a, d), PLOY_GRAPH_NONE);
        CHECK_INT(ploy_graph_find_edge(graph, a, c), PLOY_GRAPH_NONE); // new starts are no steps
        ploy_graph_edge edge;
        CHECK(ploy_graph_edge_at(graph, drop, &edge));
        CHECK_UINT(edge.flags & 1u, 1);
        CHECK_NEAR(edge.cost, 3, 1.5);
        CHECK_INT(ploy_graph_mine(graph, &def, log, count, &env, NULL), PLOY_ERR_ARGUMENT);
        ploy_graph_clear(graph);
        log[5].position.x = NAN;
        CHECK_INT(ploy_graph_mine(graph, &def, log, count, &env, NULL), PLOY_ERR_ARGUMENT);
        CHECK_OK(ploy_graph_mine(graph, &def, log, 0, &env, &report));
        CHECK_INT(report.nodes, 0);
        ploy_graph_destroy(graph);
    }
}

static ploy_result mine_small(const ploy_env *env, void *arg) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph_mine_def mine = ploy_graph_mine_def_default();
    ploy_graph *graph = NULL;
    def.directed = true;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) result = ploy_graph_mine(graph, &mine, arg, 200, env, NULL);
    ploy_graph_destroy(graph);
    return result;
}

TEST(mining_survives_every_failing_allocation) {
    static ploy_log_entry log[LOG_MAX];
    (void)write_log(log, 1);
    CHECK_FAIL_NTH(mine_small, log);
}
