#include "ploy/path/graph_check.h"

#include "tests/path/toy_graph.h"

// Four states in a ring; one edge of state 2 goes wrong in a way of its own.
typedef struct ring {
    ploy_edge wrong;      // replaces the edge of state 2
    ploy_edge wrong_back; // and the one into state 3
    int32_t asked;
    bool fickle;
} ring;

static ploy_result ring_expand(void *user, int32_t state, ploy_edges *out) {
    ring *self = user;
    if (state == 2) {
        double cost = self->wrong.cost + (self->fickle ? (double)self->asked++ : 0.0);
        return ploy_edges_add(out, self->wrong.to, cost, self->wrong.label);
    }
    return ploy_edges_add(out, (state + 1) % 4, 1.0, state);
}

static ploy_result ring_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ring *self = user;
    if (state == 3) {
        return ploy_edges_add(out, self->wrong_back.to, self->wrong_back.cost,
                              self->wrong_back.label);
    }
    return ploy_edges_add(out, (state + 3) % 4, 1.0, (state + 3) % 4);
}

TEST(the_faulty_edge_is_named) {
    static const struct {
        const char *row;
        ploy_edge wrong, wrong_back;
        bool fickle, backward;
        ploy_result want;
        int32_t state;
    } rows[] = {
        {"nothing wrong", {3, 2, 1.0}, {2, 2, 1.0}, false, false, PLOY_OK, 0},
        {"a negative cost", {3, 2, -1.0}, {2, 2, -1.0}, false, false, PLOY_ERR_CALLBACK, 2},
        {"not a number", {3, 2, NAN}, {2, 2, 1.0}, false, false, PLOY_ERR_CALLBACK, 2},
        {"unknown state", {4, 2, 1.0}, {2, 2, 1.0}, false, false, PLOY_ERR_CALLBACK, 2},
        {"another cost backwards", {3, 2, 1.0}, {2, 2, 2.0}, false, false, PLOY_ERR_CALLBACK, 2},
        {"another label backwards", {3, 2, 1.0}, {2, 9, 1.0}, false, false, PLOY_ERR_CALLBACK, 2},
        {"never the same", {3, 2, 1.0}, {2, 2, 1.0}, true, false, PLOY_ERR_CALLBACK, 2},
        {"closed, and unknown backwards",
         {3, 2, INFINITY},
         {2, 2, INFINITY},
         false,
         false,
         PLOY_OK,
         0},
        {"only backwards", {3, 2, INFINITY}, {2, 2, 1.0}, false, true, PLOY_ERR_CALLBACK, 3},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ring self = {rows[i].wrong, rows[i].wrong_back, 0, rows[i].fickle};
        ploy_space space = {4, ring_expand, ring_expand_back, NULL, &self};
        ploy_space_fault fault = {PLOY_STATE_NONE, false, 0, {0, 0, 0}, NULL};
        CHECK_INT(ploy_space_check(&space, &env, &fault), rows[i].want);
        if (rows[i].want == PLOY_OK) continue;
        CHECK_INT(fault.state, rows[i].state);
        CHECK_INT(fault.backward, rows[i].backward);
        CHECK_INT(fault.index, 0);
        CHECK_INT(fault.edge.label, rows[i].backward ? 2 : rows[i].wrong.label);
        CHECK(fault.what != NULL);
    }
    ploy_space none = {0, ring_expand, NULL, NULL, NULL};
    CHECK_INT(ploy_space_check(&none, &env, NULL), PLOY_ERR_ARGUMENT);
}

static ploy_result growing_expand(void *user, int32_t state, ploy_edges *out) {
    int32_t *asked = user;
    for (int32_t i = 0; i < *asked; i++) {
        ploy_result result = ploy_edges_add(out, state, 1.0, i);
        if (result != PLOY_OK) return result;
    }
    (*asked)++;
    return PLOY_OK;
}

TEST(a_space_that_has_more_edges_each_time_is_found_out) {
    ploy_env env = ploy_env_default();
    int32_t asked = 1;
    ploy_space space = {1, growing_expand, NULL, NULL, &asked};
    ploy_space_fault fault = {PLOY_STATE_NONE, false, 0, {0, 0, 0}, NULL};
    CHECK_INT(ploy_space_check(&space, &env, &fault), PLOY_ERR_CALLBACK);
    CHECK_INT(fault.state, 0);
    CHECK_INT(fault.index, 1);
}

static ploy_result check_body(const ploy_env *env, void *arg) {
    return ploy_space_check(arg, env, NULL);
}

TEST(checking_survives_a_failure_of_every_allocation) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space space = ploy_graph_space(graph);
    CHECK_FAIL_NTH(check_body, &space);
    ploy_graph_destroy(graph);
}
