// All routes beforehand; see graph_tables.h.
//
// One search backwards from each goal: in its tree the edge that leads to a state is the next edge
// of the path from that state to the goal.
//
// Invariants:
//   (1) goals [0, done) are built: next[goal x nodes + from] is a row number of the frozen graph or
//       PLOY_GRAPH_NONE, and the costs of those paths are stored;
//   (2) what belongs to other goals says that there is no path.
#include <math.h>
#include <string.h>

#include "path/graph_internal.h"

#include "path/path_flood.h"
#include "path/path_internal.h"
#include "ploy/base/hash.h"
#include "ploy/path/graph_tables.h"

static const ploy_field routes_fields[] = {
    PLOY_FIELD_BOOL(ploy_route_table_def, routes, true, "store the next edge"),
    PLOY_FIELD_BOOL(ploy_route_table_def, costs, true, "store costs"),
    PLOY_FIELD_BOOL(ploy_route_table_def, symmetric, false, "store half of the costs"),
};

struct ploy_route_table {
    ploy_env env;
    ploy_route_table_def def;
    const ploy_frozen_graph *frozen;
    ploy_search *search;
    bool searching; // the goal `done` is begun
    int32_t nodes, done;
    int32_t *next;
    double *costs;
    int64_t entries; // of costs
};

ploy_fields ploy_route_table_fields(void) {
    return PLOY_FIELDS(ploy_route_table_def, routes_fields);
}

ploy_route_table_def ploy_route_table_def_default(void) {
    ploy_route_table_def def;
    ploy_fields_default(ploy_route_table_fields(), &def);
    return def;
}

// Has every edge one of equal cost that leads back?
static bool routes_symmetric(const ploy_frozen_graph *frozen) {
    for (int32_t n = 0; n < ploy_frozen_graph_node_count(frozen); n++) {
        const ploy_edge *out = NULL;
        int32_t count = ployi_frozen_graph_out(frozen, n, &out);
        for (int32_t e = 0; e < count; e++) {
            if (!ployi_frozen_find(frozen, out[e].to, n, out[e].cost).equal) return false;
        }
    }
    return true;
}

static size_t routes_next_size(const ploy_route_table *table) {
    return (size_t)table->nodes * (size_t)table->nodes * sizeof *table->next;
}

static ploy_result routes_alloc(ploy_route_table *table) {
    int64_t pairs = (int64_t)table->nodes * table->nodes;
    size_t size = 0;
    if (table->def.costs) {
        table->entries = table->def.symmetric ? (pairs - table->nodes) / 2 : pairs;
    }
    if (!ploy_size_add_array(0, pairs, sizeof(double), &size)) return PLOY_ERR_MEMORY;
    if (table->def.routes) {
        table->next = ploy_env_alloc(&table->env, routes_next_size(table));
        if (table->next == NULL) return PLOY_ERR_MEMORY;
        for (int64_t i = 0; i < pairs; i++) table->next[i] = PLOY_GRAPH_NONE;
    }
    if (table->entries > 0) {
        table->costs = ploy_env_alloc(&table->env, (size_t)table->entries * sizeof *table->costs);
        if (table->costs == NULL) return PLOY_ERR_MEMORY;
        for (int64_t i = 0; i < table->entries; i++) table->costs[i] = INFINITY;
    }
    return ployi_flood_create(&table->env, &table->search);
}

ploy_result ploy_route_table_create(const ploy_route_table_def *def,
                                    const ploy_frozen_graph *frozen, const ploy_env *env,
                                    ploy_route_table **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || frozen == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_route_table_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->symmetric && !routes_symmetric(frozen)) return PLOY_ERR_ARGUMENT;
    int32_t nodes = ploy_frozen_graph_node_count(frozen);
    if (nodes > PLOY_ROUTE_TABLE_MAX) return PLOY_ERR_LIMIT;
    ploy_route_table *table = ploy_env_alloc_zero(env, sizeof *table);
    if (table == NULL) return PLOY_ERR_MEMORY;
    table->env = *env;
    table->def = *def;
    table->frozen = frozen;
    table->nodes = nodes;
    result = nodes > 0 ? routes_alloc(table) : PLOY_OK;
    if (result != PLOY_OK) {
        ploy_route_table_destroy(table);
        return result;
    }
    *out = table;
    return PLOY_OK;
}

void ploy_route_table_destroy(ploy_route_table *table) {
    if (table == NULL) return;
    ploy_env env = table->env;
    ploy_search_destroy(table->search);
    ploy_env_free(&env, table->next, routes_next_size(table));
    ploy_env_free(&env, table->costs, (size_t)table->entries * sizeof *table->costs);
    ploy_env_free(&env, table, sizeof *table);
}

// Where the cost of a path is stored; of a symmetric table only paths from lower to higher nodes are:
// row by row, each one shorter than the last.
static int64_t routes_place(const ploy_route_table *table, int32_t from, int32_t to) {
    int64_t nodes = table->nodes;
    if (!table->def.symmetric) return to * nodes + from;
    int64_t low = from < to ? from : to, high = from < to ? to : from;
    return low * (2 * nodes - low - 1) / 2 + (high - low - 1);
}

// The row number of the edge by which the search came to a state, backwards.
static int32_t routes_row(const ploy_route_table *table, int32_t from, const ploy_search_node *node,
                          double after) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_out(table->frozen, from, &edges), found = PLOY_GRAPH_NONE;
    for (int32_t e = 0; e < count; e++) {
        if (edges[e].to != node->parent || edges[e].label != node->label) continue;
        if (after + edges[e].cost != node->cost && found >= 0) continue;
        found = e;
        if (after + edges[e].cost == node->cost) break; // labels may be shared, costs then differ
    }
    return found >= 0 ? ployi_frozen_graph_row(table->frozen, from) + found : PLOY_GRAPH_NONE;
}

// Stores what the search for a goal has found.
static void routes_store(ploy_route_table *table, int32_t goal) {
    for (int32_t from = 0; from < table->nodes; from++) {
        ploy_search_node node, after;
        if (from == goal || !ploy_search_get(table->search, from, &node)) continue;
        (void)ploy_search_get(table->search, node.parent, &after);
        if (table->next != NULL) {
            table->next[(int64_t)goal * table->nodes + from] =
                routes_row(table, from, &node, after.cost);
        }
        if (table->costs == NULL) continue;
        if (!table->def.symmetric || from < goal) {
            table->costs[routes_place(table, from, goal)] = node.cost;
        }
    }
    if (table->costs != NULL && !table->def.symmetric) {
        table->costs[routes_place(table, goal, goal)] = 0.0;
    }
}

ploy_result ploy_route_table_step(ploy_route_table *table, ploy_budget *budget) {
    while (table->done < table->nodes) {
        if (!table->searching) {
            ploy_space space = ploy_frozen_graph_space(table->frozen);
            ploy_search_start start = {table->done, 0.0};
            ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
            query.backward = true;
            ploy_result result = ploy_search_begin(table->search, &query);
            if (result != PLOY_OK) return result;
            table->searching = true;
        }
        ploy_result result = ploy_search_step(table->search, budget);
        if (result == PLOY_IN_PROGRESS) return result;
        table->searching = false; // after a failure the goal is begun again
        if (result != PLOY_OK) return result;
        routes_store(table, table->done);
        table->done++;
    }
    return PLOY_OK;
}

int32_t ployi_route_table_done(const ploy_route_table *table) {
    return table->done;
}

static bool routes_has(const ploy_route_table *table, int32_t from, int32_t to) {
    return from >= 0 && from < table->nodes && to >= 0 && to < table->nodes;
}

int32_t ployi_route_table_next(const ploy_route_table *table, int32_t from, int32_t to) {
    if (!routes_has(table, from, to) || table->next == NULL) return PLOY_GRAPH_NONE;
    return table->next[(int64_t)to * table->nodes + from];
}

int32_t ploy_route_table_next_node(const ploy_route_table *table, int32_t from, int32_t to) {
    if (from == to && routes_has(table, from, to)) return from;
    int32_t row = ployi_route_table_next(table, from, to);
    return row >= 0 ? ployi_frozen_graph_edge(table->frozen, row, NULL)->to : PLOY_GRAPH_NONE;
}

double ploy_route_table_cost(const ploy_route_table *table, int32_t from, int32_t to) {
    if (!routes_has(table, from, to) || !table->def.costs) return INFINITY;
    if (from == to) return 0.0;
    return table->costs[routes_place(table, from, to)];
}

int32_t ployi_route_table_path(const ploy_route_table *table, int32_t from, int32_t to,
                               ploy_edge *out, int32_t capacity) {
    if (!routes_has(table, from, to)) return -1;
    int32_t count = 0;
    while (from != to) {
        int32_t row = ployi_route_table_next(table, from, to);
        if (row < 0) return -1; // only the first can: the rest of a path is a path
        const ploy_edge *edge = ployi_frozen_graph_edge(table->frozen, row, NULL);
        if (count < capacity) out[count] = *edge;
        count++;
        from = edge->to;
    }
    return count;
}

int64_t ployi_route_table_entries(const ploy_route_table *table) {
    return table->entries;
}

void ploy_route_table_describe(const ploy_route_table *table, ploy_describe *out) {
    uint64_t next = 0, costs = 0;
    if (table->next != NULL) next = ploy_hash_bytes(table->next, routes_next_size(table), 0);
    if (table->costs != NULL) {
        costs = ploy_hash_bytes(table->costs, (size_t)table->entries * sizeof *table->costs, 0);
    }
    ploy_describe_i64(out, "nodes", PLOY_STATE, table->nodes);
    ploy_describe_i64(out, "done", PLOY_STATE, table->done);
    ploy_describe_u64(out, "next", PLOY_STATE, next);
    ploy_describe_u64(out, "costs", PLOY_STATE, costs);
    if (table->searching) {
        ploy_describe_begin(out, "search");
        ploy_search_describe(table->search, out);
        ploy_describe_end(out);
    }
}

void ploy_route_table_memory(const ploy_route_table *table, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"route table",
                             sizeof *table + (table->next != NULL ? routes_next_size(table) : 0) +
                                 (size_t)table->entries * sizeof *table->costs,
                             1 + (table->next != NULL) + (table->costs != NULL)};
    fn(user, &item);
    if (table->search != NULL) ploy_search_memory(table->search, fn, user);
}
