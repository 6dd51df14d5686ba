#include "path/path_internal.h"
#include "ploy/path/graph.h"

#include "tests/path/toy_graph.h"
#include "tests/path/toy_hash.h"

TOY_HASH(ploy_graph)

TEST(the_shortest_way_through_four_nodes_is_found_in_both_directions) {
    static const toy_way ways[] = {{0, 1, 4}, {0, 3, 5}, {1, 3, 6}, {1, 2, 5}};
    ploy_graph *graph = toy_graph_make(t, false, 4, ways, COUNT_OF(ways));
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_space space = ploy_graph_space(graph);
    CHECK_SAME(toy_graph_search(t, search, &space, 0, 2), 9.0); // PTH-01: A-B-C
    ploy_edge path[4];
    CHECK_INT(ploy_search_path(search, 2, path, 4, NULL), 2);
    CHECK_INT(path[0].to, 1);
    CHECK_SAME(toy_graph_search(t, search, &space, 3, 2), 11.0); // PTH-01: D-B-C
    CHECK_SAME(toy_graph_search(t, search, &space, 2, 2), 0.0);  // empty, not "no path"
    CHECK_INT(ploy_search_path(search, 2, path, 4, NULL), 0);
    ploy_search_destroy(search);
    ploy_graph_destroy(graph);
}

TEST(removed_nodes_leave_gaps_and_come_back_without_edges) { // GRA-06
    static const toy_way ways[] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {0, 2, 7}};
    ploy_graph *graph = toy_graph_make(t, true, 3, ways, COUNT_OF(ways));
    CHECK_OK(ploy_graph_remove_node(graph, 1));
    CHECK_INT(ploy_graph_remove_node(graph, 1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_graph_node_slots(graph), 3);
    CHECK_INT(ploy_graph_node_count(graph), 2);
    CHECK_INT(ploy_graph_edge_count(graph), 2);
    CHECK(!ploy_graph_has_node(graph, 1));
    CHECK_INT(ploy_graph_next_node(graph, 1), 2);
    ploy_graph_edge edge;
    CHECK(ploy_graph_edge_at(graph, 2, &edge)); // numbers behind the gap stay
    CHECK_INT(edge.from, 2);
    CHECK(!ploy_graph_edge_at(graph, 0, &edge));
    CHECK_INT(ploy_graph_add_edge(graph, 0, 1, 1.0, 0, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_graph_put_node(graph, 4, ploy_vec3_zero()), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_put_node(graph, 2, ploy_vec3_zero()), PLOY_ERR_EXISTS);
    CHECK_OK(ploy_graph_put_node(graph, 1, ploy_vec3_make(1, 2, 3)));
    CHECK_INT(ploy_graph_first_out(graph, 1), PLOY_GRAPH_NONE);
    CHECK_INT(ploy_graph_first_in(graph, 1), PLOY_GRAPH_NONE);
    CHECK_OK(ploy_graph_put_node(graph, 3, ploy_vec3_zero()));
    ploy_graph_destroy(graph);
}

TEST(an_undirected_edge_and_its_twin_share_their_fate) {
    static const toy_way ways[] = {{0, 1, 4}, {1, 2, 5}};
    ploy_graph *graph = toy_graph_make(t, false, 3, ways, COUNT_OF(ways));
    CHECK_INT(ploy_graph_edge_count(graph), 4);
    int32_t there = ploy_graph_find_edge(graph, 0, 1), back = ploy_graph_find_edge(graph, 1, 0);
    ploy_graph_edge edge;
    CHECK_OK(ploy_graph_set_cost(graph, back, 9.0));
    CHECK_OK(ploy_graph_set_open(graph, back, false));
    CHECK(ploy_graph_edge_at(graph, there, &edge));
    CHECK_INT(edge.twin, back);
    CHECK_SAME(edge.cost, 9.0);
    CHECK_UINT(edge.flags, PLOY_GRAPH_CLOSED);
    CHECK_OK(ploy_graph_remove_edge(graph, there));
    CHECK_INT(ploy_graph_find_edge(graph, 1, 0), PLOY_GRAPH_NONE);
    CHECK_INT(ploy_graph_edge_count(graph), 2);
    CHECK_INT(ploy_graph_add_both(graph, 1, 1, 1.0, 0), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_graph_add_both(graph, 0, 2, 1.0, 0));
    CHECK_INT(ploy_graph_edge_count(graph), 4);
    ploy_graph_destroy(graph);
}

TEST(bad_nodes_and_edges_are_refused_and_change_nothing) {
    static const toy_way ways[] = {{0, 1, 4}};
    ploy_graph *graph = toy_graph_make(t, true, 2, ways, COUNT_OF(ways));
    uint64_t before = hash_of(graph);
    static const struct {
        const char *row;
        int32_t from, to;
        double cost;
        ploy_result want;
    } rows[] = {
        {"a negative cost", 0, 1, -1.0, PLOY_ERR_ARGUMENT},
        {"not a number", 0, 1, NAN, PLOY_ERR_ARGUMENT},
        {"an infinite cost", 0, 1, INFINITY, PLOY_ERR_ARGUMENT},
        {"a loop", 1, 1, 1.0, PLOY_ERR_ARGUMENT},
        {"no such first node", -1, 1, 1.0, PLOY_ERR_NOT_FOUND},
        {"no such second node", 0, 2, 1.0, PLOY_ERR_NOT_FOUND},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_result got =
            ploy_graph_add_edge(graph, rows[i].from, rows[i].to, rows[i].cost, 0, NULL);
        CHECK_INT(got, rows[i].want);
        CHECK_INT(ploy_graph_add_both(graph, rows[i].from, rows[i].to, rows[i].cost, 0),
                  rows[i].want);
    }
    t->row = NULL;
    CHECK_INT(ploy_graph_set_cost(graph, 0, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_set_cost(graph, 1, 1.0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_graph_add_node(graph, ploy_vec3_make(NAN, 0, 0), NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_reserve(graph, -1, 0), PLOY_ERR_ARGUMENT);
    CHECK_UINT(hash_of(graph), before);
    ploy_graph_destroy(graph);
}

TEST(parallel_edges_and_loops_are_options) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    def.parallel = false;
    def.loops = true;
    def.directed = false;
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_zero(), NULL));
    CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_zero(), NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 1.0, 0, NULL));
    CHECK_INT(ploy_graph_add_edge(graph, 1, 0, 2.0, 0, NULL), PLOY_ERR_EXISTS);
    CHECK_OK(ploy_graph_add_edge(graph, 0, 0, 1.0, 0, NULL));
    CHECK_INT(ploy_graph_edge_count(graph), 3); // a loop has no twin
    CHECK_OK(ploy_graph_remove_node(graph, 0));
    CHECK_INT(ploy_graph_edge_count(graph), 0);
    ploy_graph_destroy(graph);
    CHECK_OK(ploy_fields_check_table(ploy_graph_fields(), NULL));
    def.cookie = 0;
    CHECK_INT(ploy_graph_create(&def, &env, &graph), PLOY_ERR_ARGUMENT);
    CHECK(graph == NULL);
}

// A graph as a list of edges in the order of adding: what the lists must agree with.
enum { MODEL_NODES = 12, MODEL_EDGES = 400 };
typedef struct model {
    bool nodes[MODEL_NODES];
    int32_t slots;
    struct {
        int32_t number, from, to, twin;
        double cost;
    } edges[MODEL_EDGES];
    int32_t count;
} model;

static void model_remove(model *m, int32_t number) {
    for (int32_t i = 0; i < m->count; i++) {
        if (m->edges[i].number != number) continue;
        memmove(&m->edges[i], &m->edges[i + 1], (size_t)(m->count - i - 1) * sizeof m->edges[0]);
        m->count--;
        return;
    }
}

static void model_check(test_context *t, const model *m, const ploy_graph *graph) {
    CHECK_INT(ploy_graph_edge_count(graph), m->count);
    CHECK_INT(ploy_graph_node_slots(graph), m->slots);
    for (int32_t n = 0; n < m->slots; n++) {
        CHECK_INT(ploy_graph_has_node(graph, n), m->nodes[n]);
        int32_t out = ploy_graph_first_out(graph, n), in = ploy_graph_first_in(graph, n);
        for (int32_t i = 0; i < m->count; i++) {
            if (m->edges[i].from == n) {
                ploy_graph_edge edge;
                CHECK_INT(out, m->edges[i].number);
                CHECK(ploy_graph_edge_at(graph, out, &edge));
                CHECK_INT(edge.to, m->edges[i].to);
                CHECK_INT(edge.twin, m->edges[i].twin);
                CHECK_SAME(edge.cost, m->edges[i].cost);
                out = ploy_graph_next_out(graph, out);
            }
            if (m->edges[i].to == n) {
                CHECK_INT(in, m->edges[i].number);
                in = ploy_graph_next_in(graph, in);
            }
        }
        CHECK_INT(out, PLOY_GRAPH_NONE);
        CHECK_INT(in, PLOY_GRAPH_NONE);
    }
}

static void model_add(model *m, const ploy_graph *graph, int32_t number) {
    ploy_graph_edge edge;
    (void)ploy_graph_edge_at(graph, number, &edge);
    for (int32_t i = 0; i < 2 && m->count < MODEL_EDGES; i++) {
        m->edges[m->count].number = i == 0 ? number : edge.twin;
        m->edges[m->count].from = i == 0 ? edge.from : edge.to;
        m->edges[m->count].to = i == 0 ? edge.to : edge.from;
        m->edges[m->count].twin = i == 0 ? edge.twin : number;
        m->edges[m->count++].cost = edge.cost;
        if (edge.twin < 0) break;
    }
}

TEST(random_edits_leave_what_a_plain_list_would) {
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_make(t, round % 2 == 0, 0, NULL, 0);
        model m;
        memset(&m, 0, sizeof m);
        for (int32_t step = 0; step < 150; step++) {
            int32_t n = ploy_rng_int(&rng, 0, MODEL_NODES - 1), number = PLOY_GRAPH_NONE;
            int32_t other = ploy_rng_int(&rng, 0, MODEL_NODES - 1);
            double cost = (double)ploy_rng_int(&rng, 0, 9);
            switch (ploy_rng_int(&rng, 0, 9)) {
            case 0:
                if (ploy_graph_put_node(graph, n, ploy_vec3_zero()) == PLOY_OK) {
                    CHECK(n <= m.slots && !m.nodes[n]);
                    m.nodes[n] = true;
                    if (n == m.slots) m.slots++;
                } else {
                    CHECK(n > m.slots || m.nodes[n]);
                }
                break;
            case 1:
                CHECK_INT(ploy_graph_remove_node(graph, n),
                          m.nodes[n] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                m.nodes[n] = false;
                for (int32_t i = m.count - 1; i >= 0; i--) {
                    if (m.edges[i].from == n || m.edges[i].to == n) {
                        model_remove(&m, m.edges[i].number);
                    }
                }
                break;
            case 2:
                number = ploy_rng_int(&rng, 0, 30);
                for (int32_t i = 0; i < m.count; i++) {
                    if (m.edges[i].number != number) continue;
                    int32_t twin = m.edges[i].twin;
                    CHECK_OK(ploy_graph_remove_edge(graph, number));
                    model_remove(&m, number);
                    model_remove(&m, twin);
                    break;
                }
                break;
            default:
                if (ploy_graph_add_edge(graph, n, other, cost, 0, &number) == PLOY_OK) {
                    CHECK(m.nodes[n] && m.nodes[other] && n != other);
                    model_add(&m, graph, number);
                }
                break;
            }
            model_check(t, &m, graph);
        }
        ploy_graph_destroy(graph);
    }
}

TEST(what_can_be_said_of_a_graph_is_said) {
    static const toy_way seven[] = {{0, 3, 1}, {0, 5, 1}, {1, 3, 1},
                                    {1, 4, 1}, {2, 3, 1}, {4, 6, 1}}; // GRA-02, nodes 1 to 7
    static const toy_way ring[] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
    static const toy_way dag[] = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 2}};
    static const toy_way two[] = {{0, 1, 1}, {2, 3, 1}};
    static const struct {
        const char *row;
        bool directed;
        int32_t nodes;
        const toy_way *ways;
        size_t count;
        int32_t weak, strong;
        bool connected, symmetric, acyclic, forest, tree;
        double density;
    } rows[] = {
        {"seven nodes: a tree", false, 7, seven, COUNT_OF(seven), 1, 1, true, true, false, true,
         true, 12.0 / 7.0},
        {"the same one way", true, 7, seven, COUNT_OF(seven), 1, 7, false, false, true, true, true,
         6.0 / 7.0},
        {"a ring", true, 3, ring, COUNT_OF(ring), 1, 1, true, false, false, false, false, 1.0},
        {"no way back", true, 4, dag, COUNT_OF(dag), 1, 4, false, false, true, false, false, 1.0},
        {"two trees", false, 4, two, COUNT_OF(two), 2, 2, false, true, false, true, false, 1.0},
        {"nothing at all", true, 0, NULL, 0, 0, 0, true, true, true, true, false, 0.0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_graph *graph =
            toy_graph_make(t, rows[i].directed, rows[i].nodes, rows[i].ways, rows[i].count);
        ploy_graph_report report;
        CHECK_OK(ploy_graph_report_of(graph, &report));
        CHECK_INT(report.weak_parts, rows[i].weak);
        CHECK_INT(report.strong_parts, rows[i].strong);
        CHECK_INT(report.connected, rows[i].connected);
        CHECK_INT(report.symmetric, rows[i].symmetric);
        CHECK_INT(report.acyclic, rows[i].acyclic);
        CHECK_INT(report.forest, rows[i].forest);
        CHECK_INT(report.tree, rows[i].tree);
        CHECK_NEAR(report.density, rows[i].density, 1e-12);
        ploy_graph_destroy(graph);
    }
}

TEST(a_report_leaves_gaps_and_closed_edges_out_and_knows_distances) {
    ploy_graph *graph = toy_graph_make(t, true, 0, NULL, 0);
    ploy_graph_report report;
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)i * 3, (float)i * 4, 0), NULL));
    }
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 5.0, 0, NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 1, 0, 9.0, PLOY_GRAPH_CLOSED, NULL));
    CHECK_OK(ploy_graph_remove_node(graph, 2));
    CHECK_OK(ploy_graph_report_of(graph, &report));
    CHECK_INT(report.nodes, 2);
    CHECK_INT(report.edges, 1);
    CHECK_INT(report.weak_parts, 1);
    CHECK(report.euclidean && report.tree && report.acyclic);
    CHECK_SAME(report.branching, 1.0);
    CHECK_SAME(report.fullness, 0.5);
    CHECK_OK(ploy_graph_set_open(graph, 1, true));
    CHECK_OK(ploy_graph_report_of(graph, &report));
    CHECK(!report.euclidean && !report.acyclic && !report.symmetric && report.connected);
    ploy_graph_destroy(graph);
}

TEST(the_hash_sees_every_change_and_that_it_was_taken_back) {
    static const toy_way ways[] = {{0, 1, 4}, {1, 2, 5}, {2, 0, 1}};
    ploy_graph *graph = toy_graph_make(t, true, 3, ways, COUNT_OF(ways));
    uint64_t hash = hash_of(graph), seen = hash;
    CHECK_OK(ploy_graph_set_cost(graph, 1, 6.0));
    CHECK(hash_of(graph) != seen);
    CHECK_OK(ploy_graph_set_cost(graph, 1, 5.0));
    CHECK_UINT(hash_of(graph), hash);
    CHECK_OK(ployi_graph_set_flags(graph, 1, 1));
    CHECK(hash_of(graph) != hash);
    CHECK_OK(ployi_graph_set_flags(graph, 1, 0));
    ploy_graph_node node = {ploy_vec3_zero(), 5};
    CHECK_OK(ploy_graph_set_node(graph, 0, &node));
    CHECK(hash_of(graph) != hash);
    node.user = 0;
    CHECK_OK(ploy_graph_set_node(graph, 0, &node));
    CHECK_UINT(hash_of(graph), hash);
    CHECK_OK(ploy_graph_remove_edge(graph, 0));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 4.0, 0, NULL)); // now last in its lists
    ploy_graph_clear(graph);
    CHECK_INT(ploy_graph_node_slots(graph), 0);
    CHECK_INT(ploy_graph_edge_slots(graph), 0);
    ploy_graph_destroy(graph);
}

static ploy_result build_and_report(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_graph_def def = ploy_graph_def_default();
    def.directed = false;
    ploy_graph *graph = NULL;
    ploy_graph_report report;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) result = ploy_graph_reserve(graph, 2, 2);
    for (int32_t i = 0; i < 4 && result == PLOY_OK; i++) {
        result = ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
        if (result == PLOY_OK && i > 0) result = ploy_graph_add_edge(graph, i - 1, i, 1, 0, NULL);
    }
    if (result == PLOY_OK) result = ploy_graph_report_of(graph, &report);
    ploy_graph_destroy(graph);
    return result;
}

TEST(building_and_reporting_survive_a_failure_of_every_allocation) {
    CHECK_FAIL_NTH(build_and_report, NULL);
}

TEST(edits_within_the_reserved_room_allocate_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    CHECK_OK(ploy_graph_reserve(graph, 8, 16));
    int64_t calls = counts.calls;
    for (int32_t turn = 0; turn < 3; turn++) {
        for (int32_t i = 0; i < 8; i++) CHECK_OK(ploy_graph_put_node(graph, i, ploy_vec3_zero()));
        for (int32_t i = 0; i < 16; i++) {
            CHECK_OK(ploy_graph_add_edge(graph, i % 8, (i + 1) % 8, 1.0, 0, NULL));
        }
        for (int32_t i = 0; i < 8; i++) CHECK_OK(ploy_graph_remove_node(graph, i));
    }
    CHECK_INT(counts.calls, calls);
    ploy_graph_destroy(graph);
    CHECK_INT(counts.bytes, 0);
}
