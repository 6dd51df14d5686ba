// Costs computed when they are requested; see the header.
//
// Invariant: kept[l] is an edge with label l; its cost is that of the tick in its stamp.
#include <string.h>

#include "ploy/path/graph_views.h"

#include "path/path_internal.h"

static const ploy_field lazy_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_lazy_costs_def, labels, 4096, 0, 1 << 28, "",
                         "edges whose answers are kept"),
};

typedef struct lazy_edge {
    double cost;
    int32_t from, to;
    uint32_t stamp; // 0: none
} lazy_edge;

struct ploy_lazy_costs {
    ploy_env env;
    ploy_lazy_costs_def def;
    ploy_space inner;
    ploy_cost_fn cost;
    void *user;
    ploy_edges edges; // of the space behind
    lazy_edge *kept;  // by label
    uint32_t tick;    // from 1
    int64_t asked;
};

ploy_fields ploy_lazy_costs_fields(void) {
    return PLOY_FIELDS(ploy_lazy_costs_def, lazy_fields);
}

ploy_lazy_costs_def ploy_lazy_costs_def_default(void) {
    ploy_lazy_costs_def def;
    ploy_fields_default(ploy_lazy_costs_fields(), &def);
    return def;
}

ploy_result ploy_lazy_costs_create(const ploy_lazy_costs_def *def, const ploy_space *inner,
                                   ploy_cost_fn cost, void *user, const ploy_env *env,
                                   ploy_lazy_costs **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || inner == NULL || inner->expand == NULL || cost == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_lazy_costs_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t kept = 0;
    if (!ploy_size_add_array(0, def->labels, sizeof(lazy_edge), &kept)) return PLOY_ERR_MEMORY;
    ploy_lazy_costs *lazy = ploy_env_alloc_zero(env, sizeof *lazy);
    if (lazy == NULL) return PLOY_ERR_MEMORY;
    lazy->env = *env;
    lazy->def = *def;
    lazy->inner = *inner;
    lazy->cost = cost;
    lazy->user = user;
    lazy->tick = 1;
    ploy_edges_init(&lazy->edges, env);
    if (def->labels > 0) {
        lazy->kept = ploy_env_alloc_zero(env, kept);
        if (lazy->kept == NULL) {
            ploy_lazy_costs_destroy(lazy);
            return PLOY_ERR_MEMORY;
        }
    }
    *out = lazy;
    return PLOY_OK;
}

void ploy_lazy_costs_destroy(ploy_lazy_costs *lazy) {
    if (lazy == NULL) return;
    ploy_env env = lazy->env;
    ploy_edges_fini(&lazy->edges);
    ploy_env_free(&env, lazy->kept, (size_t)lazy->def.labels * sizeof *lazy->kept);
    ploy_env_free(&env, lazy, sizeof *lazy);
}

void ploy_lazy_costs_tick(ploy_lazy_costs *lazy) {
    if (++lazy->tick != 0) return;
    // After 2^32 ticks old stamps would look new.
    for (int32_t i = 0; i < lazy->def.labels; i++) lazy->kept[i].stamp = 0;
    lazy->tick = 1;
}

int64_t ployi_lazy_costs_asked(const ploy_lazy_costs *lazy) {
    return lazy->asked;
}

static double lazy_cost(ploy_lazy_costs *lazy, int32_t from, int32_t to, const ploy_edge *edge) {
    int32_t label = edge->label;
    lazy_edge *kept = label >= 0 && label < lazy->def.labels ? &lazy->kept[label] : NULL;
    if (kept != NULL && kept->stamp == lazy->tick && kept->from == from && kept->to == to) {
        return kept->cost;
    }
    double cost = lazy->cost(lazy->user, from, to, label, edge->cost);
    lazy->asked++;
    if (kept != NULL) *kept = (lazy_edge){cost, from, to, lazy->tick};
    return cost;
}

static ploy_result lazy_edges(ploy_lazy_costs *lazy, int32_t state, bool backward,
                              ploy_edges *out) {
    ploy_edges_clear(&lazy->edges);
    ploy_result result = backward ? lazy->inner.expand_back(lazy->inner.user, state, &lazy->edges)
                                  : lazy->inner.expand(lazy->inner.user, state, &lazy->edges);
    for (int32_t i = 0; i < lazy->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &lazy->edges.view[i];
        double cost = backward ? lazy_cost(lazy, edge->to, state, edge)
                               : lazy_cost(lazy, state, edge->to, edge);
        result = ploy_edges_add(out, edge->to, cost, edge->label);
    }
    return result;
}

static ploy_result lazy_expand(void *user, int32_t state, ploy_edges *out) {
    return lazy_edges(user, state, false, out);
}

static ploy_result lazy_expand_back(void *user, int32_t state, ploy_edges *out) {
    return lazy_edges(user, state, true, out);
}

static double lazy_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_lazy_costs *lazy = user;
    return lazy->inner.estimate(lazy->inner.user, state, goal);
}

ploy_space ploy_lazy_costs_space(ploy_lazy_costs *lazy) {
    ploy_space space = {lazy->inner.count, lazy_expand, NULL, NULL, lazy};
    if (lazy->inner.expand_back != NULL) space.expand_back = lazy_expand_back;
    if (lazy->inner.estimate != NULL) space.estimate = lazy_estimate;
    return space;
}

void ploy_lazy_costs_memory(const ploy_lazy_costs *lazy, ploy_memory_fn fn, void *user) {
    size_t edges = (size_t)lazy->edges.capacity * sizeof *lazy->edges.items;
    ploy_memory_item item = {"lazy costs",
                             sizeof *lazy + (size_t)lazy->def.labels * sizeof *lazy->kept + edges,
                             1 + (lazy->kept != NULL) + (edges > 0)};
    fn(user, &item);
}
