// The contract of a space; see the header.
#include "ploy/path/graph_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct check_run {
    const ploy_space *space;
    ploy_edges here, again, there;
    ploy_space_fault fault;
} check_run;

static ploy_result check_ask(const ploy_space *space, int32_t state, bool backward,
                             ploy_edges *edges) {
    ploy_edges_clear(edges);
    return backward ? space->expand_back(space->user, state, edges)
                    : space->expand(space->user, state, edges);
}

static ploy_result check_say(check_run *run, int32_t state, bool backward, int32_t index,
                             const char *what) {
    run->fault.state = state;
    run->fault.backward = backward;
    run->fault.index = index;
    if (index >= 0 && index < run->here.count) run->fault.edge = run->here.view[index];
    run->fault.what = what;
    return PLOY_ERR_CALLBACK;
}

static bool check_equal(const ploy_edge *a, const ploy_edge *b) {
    return a->to == b->to && a->label == b->label && a->cost == b->cost;
}

// How often an edge occurs among others.
static int32_t check_occurs(const ploy_edges *edges, int32_t to, const ploy_edge *edge) {
    ploy_edge wanted = {to, edge->label, edge->cost};
    int32_t count = 0;
    for (int32_t i = 0; i < edges->count; i++) count += check_equal(&edges->view[i], &wanted);
    return count;
}

// One state's edges of one direction.
static ploy_result check_state(check_run *run, int32_t state, bool backward) {
    const ploy_space *space = run->space;
    ploy_result result = check_ask(space, state, backward, &run->here);
    if (result == PLOY_OK) result = check_ask(space, state, backward, &run->again);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < run->here.count; i++) {
        const ploy_edge *edge = &run->here.view[i];
        if (edge->cost != edge->cost)
            return check_say(run, state, backward, i, "cost is not a number");
        if (edge->cost < 0.0) return check_say(run, state, backward, i, "cost is negative");
        if (edge->to < 0 || edge->to >= space->count) {
            return check_say(run, state, backward, i, "the other state does not exist");
        }
        if (i >= run->again.count || !check_equal(edge, &run->again.view[i])) {
            return check_say(run, state, backward, i, "a second expansion gives other edges");
        }
        if (space->expand_back == NULL || edge->cost == INFINITY) continue;
        result = check_ask(space, edge->to, !backward, &run->there);
        if (result != PLOY_OK) return result;
        if (check_occurs(&run->here, edge->to, edge) != check_occurs(&run->there, state, edge)) {
            return check_say(run, state, backward, i, "the reverse direction lacks this edge");
        }
    }
    if (run->again.count != run->here.count) {
        return check_say(run, state, backward, run->here.count,
                         "a second expansion gives other edges");
    }
    return PLOY_OK;
}

ploy_result ploy_space_check(const ploy_space *space, const ploy_env *env, ploy_space_fault *out) {
    if (space == NULL || env == NULL || space->expand == NULL || space->count <= 0) {
        return PLOY_ERR_ARGUMENT;
    }
    check_run run;
    memset(&run, 0, sizeof run);
    run.space = space;
    ploy_edges_init(&run.here, env);
    ploy_edges_init(&run.again, env);
    ploy_edges_init(&run.there, env);
    run.fault.state = PLOY_STATE_NONE;
    ploy_result result = PLOY_OK;
    for (int32_t state = 0; state < space->count && result == PLOY_OK; state++) {
        result = check_state(&run, state, false);
        if (result == PLOY_OK && space->expand_back != NULL)
            result = check_state(&run, state, true);
    }
    if (result == PLOY_ERR_CALLBACK && run.fault.what != NULL) {
        char text[160];
        snprintf(text, sizeof text, "edge %ld %s state %ld, to %ld, label %ld: %s",
                 (long)run.fault.index, run.fault.backward ? "into" : "out of",
                 (long)run.fault.state, (long)run.fault.edge.to, (long)run.fault.edge.label,
                 run.fault.what);
        ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
        if (out != NULL) *out = run.fault;
    }
    ploy_edges_fini(&run.here);
    ploy_edges_fini(&run.again);
    ploy_edges_fini(&run.there);
    return result;
}
