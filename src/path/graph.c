// The editable graph; see the header.
//
// Edges lie in slots of one array. Each is in two lists that run through the slots: the edges
// out of its first node and the edges into its second. Lists keep the order of adding, so that
// searches meet edges in an order that depends on the history of the graph alone.
//
// Invariants:
//   (1) a slot with from >= 0 is an edge between present nodes and is once in the out list of
//       its first node and once in the in list of its second;
//   (2) a slot with from < 0 is in the list of free slots, which runs through next_out;
//   (3) costs are finite and 0 or more, positions finite;
//   (4) twins name each other, join the same nodes the other way round, and have equal cost and
//       flags; only undirected graphs have them, and there all edges but loops;
//   (5) an absent node has no edges.
#include "ploy/path/graph.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "path/graph_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"

static const ploy_field graph_fields[] = {
    PLOY_FIELD_BOOL(ploy_graph_def, directed, true, "edges lead one way; off: each has a twin"),
    PLOY_FIELD_BOOL(ploy_graph_def, parallel, true, "several edges from one node to another"),
    PLOY_FIELD_BOOL(ploy_graph_def, loops, false, "edges from a node to itself"),
};

typedef struct graph_node {
    ploy_vec3 position;
    int32_t present;
    uint64_t user;
    int32_t first_out, last_out;
    int32_t first_in, last_in;
} graph_node;

typedef struct graph_edge {
    double cost;
    int32_t from, to;
    int32_t next_out, prev_out;
    int32_t next_in, prev_in;
    int32_t twin;
    uint32_t flags;
} graph_edge;

struct ploy_graph {
    ploy_env env;
    ploy_graph_def def;
    ploy_array nodes; // graph_node
    ploy_array edges; // graph_edge
    int32_t node_count, edge_count;
    int32_t free_edge;   // the first free slot, or PLOY_GRAPH_NONE
    uint64_t generation; // the def and every edit since, folded in order
};

typedef enum graph_edit {
    GRAPH_EDIT_CLEAR,
    GRAPH_EDIT_ADD_NODE,
    GRAPH_EDIT_DROP_NODE,
    GRAPH_EDIT_SET_NODE,
    GRAPH_EDIT_ADD_EDGE,
    GRAPH_EDIT_DROP_EDGE,
    GRAPH_EDIT_COST,
    GRAPH_EDIT_FLAGS
} graph_edit;

static void graph_edited(ploy_graph *graph, graph_edit edit, int32_t number, uint64_t value) {
    uint64_t head = (uint64_t)edit << 32 | (uint32_t)number;
    graph->generation = ploy_hash_combine(ploy_hash_combine(graph->generation, head), value);
}

static uint64_t graph_cost_bits(double cost) {
    uint64_t bits = 0;
    memcpy(&bits, &cost, sizeof bits);
    return bits;
}

static graph_node *graph_nodes(const ploy_graph *graph) {
    return PLOY_ARRAY_ITEMS(&graph->nodes, graph_node);
}

static graph_edge *graph_edges(const ploy_graph *graph) {
    return PLOY_ARRAY_ITEMS(&graph->edges, graph_edge);
}

// The edge of a number, or NULL.
static graph_edge *graph_edge_at(const ploy_graph *graph, int32_t edge) {
    if (edge < 0 || edge >= graph->edges.count) return NULL;
    graph_edge *found = &graph_edges(graph)[edge];
    return found->from >= 0 ? found : NULL;
}

ploy_fields ploy_graph_fields(void) {
    return PLOY_FIELDS(ploy_graph_def, graph_fields);
}

ploy_graph_def ploy_graph_def_default(void) {
    ploy_graph_def def;
    ploy_fields_default(ploy_graph_fields(), &def);
    return def;
}

ploy_result ploy_graph_create(const ploy_graph_def *def, const ploy_env *env, ploy_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_graph_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_graph *graph = ploy_env_alloc_zero(env, sizeof *graph);
    if (graph == NULL) return PLOY_ERR_MEMORY;
    graph->env = *env;
    graph->def = *def;
    ploy_array_init(&graph->nodes, sizeof(graph_node), env);
    ploy_array_init(&graph->edges, sizeof(graph_edge), env);
    graph->free_edge = PLOY_GRAPH_NONE;
    graph_edited(graph, GRAPH_EDIT_CLEAR, def->directed, def->parallel);
    *out = graph;
    return PLOY_OK;
}

void ploy_graph_destroy(ploy_graph *graph) {
    if (graph == NULL) return;
    ploy_env env = graph->env;
    ploy_array_fini(&graph->nodes);
    ploy_array_fini(&graph->edges);
    ploy_env_free(&env, graph, sizeof *graph);
}

void ploy_graph_clear(ploy_graph *graph) {
    ploy_array_clear(&graph->nodes);
    ploy_array_clear(&graph->edges);
    graph->node_count = 0;
    graph->edge_count = 0;
    graph->free_edge = PLOY_GRAPH_NONE;
    graph_edited(graph, GRAPH_EDIT_CLEAR, 0, 0);
}

ploy_result ploy_graph_reserve(ploy_graph *graph, int32_t nodes, int32_t edges) {
    if (nodes < 0 || edges < 0) return PLOY_ERR_ARGUMENT;
    if (nodes > PLOY_GRAPH_MAX || edges > PLOY_GRAPH_MAX) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_array_reserve(&graph->nodes, nodes);
    if (result != PLOY_OK) return result;
    return ploy_array_reserve(&graph->edges, edges);
}

ploy_graph_def ployi_graph_def_of(const ploy_graph *graph) {
    return graph->def;
}

ploy_result ploy_graph_add_node(ploy_graph *graph, ploy_vec3 position, int32_t *out) {
    int32_t node = graph->nodes.count;
    ploy_result result = ploy_graph_put_node(graph, node, position);
    if (result == PLOY_OK && out != NULL) *out = node;
    return result;
}

static uint64_t graph_place_bits(ploy_vec3 at) {
    const float place[] = {at.x, at.y, at.z};
    return ploy_hash_bytes(place, sizeof place, 0);
}

ploy_result ploy_graph_put_node(ploy_graph *graph, int32_t node, ploy_vec3 position) {
    if (!ploy_vec3_is_finite(position)) return PLOY_ERR_ARGUMENT;
    if (node < 0 || node > graph->nodes.count) return PLOY_ERR_ARGUMENT;
    if (ploy_graph_has_node(graph, node)) return PLOY_ERR_EXISTS;
    if (node == graph->nodes.count) {
        if (node >= PLOY_GRAPH_MAX) return PLOY_ERR_LIMIT;
        ploy_result result = ploy_array_push(&graph->nodes, NULL);
        if (result != PLOY_OK) return result;
    }
    graph_node *added = &graph_nodes(graph)[node];
    added->position = position;
    added->present = 1;
    added->user = 0;
    added->first_out = added->last_out = PLOY_GRAPH_NONE; // keeps (5)
    added->first_in = added->last_in = PLOY_GRAPH_NONE;
    graph->node_count++;
    graph_edited(graph, GRAPH_EDIT_ADD_NODE, node, graph_place_bits(position));
    return PLOY_OK;
}

// Takes one slot out of its two lists and puts it on the list of free ones.
static void graph_drop(ploy_graph *graph, int32_t edge) {
    graph_edge *edges = graph_edges(graph), *gone = &edges[edge];
    graph_node *from = &graph_nodes(graph)[gone->from], *to = &graph_nodes(graph)[gone->to];
    if (gone->prev_out >= 0)
        edges[gone->prev_out].next_out = gone->next_out;
    else
        from->first_out = gone->next_out;
    if (gone->next_out >= 0)
        edges[gone->next_out].prev_out = gone->prev_out;
    else
        from->last_out = gone->prev_out;
    if (gone->prev_in >= 0)
        edges[gone->prev_in].next_in = gone->next_in;
    else
        to->first_in = gone->next_in;
    if (gone->next_in >= 0)
        edges[gone->next_in].prev_in = gone->prev_in;
    else
        to->last_in = gone->prev_in;
    gone->from = PLOY_GRAPH_NONE;
    gone->next_out = graph->free_edge; // keeps (2)
    graph->free_edge = edge;
    graph->edge_count--;
    graph_edited(graph, GRAPH_EDIT_DROP_EDGE, edge, 0);
}

ploy_result ploy_graph_remove_node(ploy_graph *graph, int32_t node) {
    if (!ploy_graph_has_node(graph, node)) return PLOY_ERR_NOT_FOUND;
    graph_node *gone = &graph_nodes(graph)[node];
    // Twins of these edges end here too, so taking edge by edge leaves none half gone.
    while (gone->first_out >= 0) graph_drop(graph, gone->first_out);
    while (gone->first_in >= 0) graph_drop(graph, gone->first_in);
    gone->present = 0;
    graph->node_count--;
    graph_edited(graph, GRAPH_EDIT_DROP_NODE, node, 0);
    return PLOY_OK;
}

bool ploy_graph_has_node(const ploy_graph *graph, int32_t node) {
    return node >= 0 && node < graph->nodes.count && graph_nodes(graph)[node].present != 0;
}

bool ploy_graph_node_at(const ploy_graph *graph, int32_t node, ploy_graph_node *out) {
    if (!ploy_graph_has_node(graph, node)) return false;
    out->position = graph_nodes(graph)[node].position;
    out->user = graph_nodes(graph)[node].user;
    return true;
}

ploy_result ploy_graph_set_node(ploy_graph *graph, int32_t node, const ploy_graph_node *value) {
    if (!ploy_graph_has_node(graph, node)) return PLOY_ERR_NOT_FOUND;
    if (value == NULL || !ploy_vec3_is_finite(value->position)) return PLOY_ERR_ARGUMENT;
    graph_nodes(graph)[node].position = value->position;
    graph_nodes(graph)[node].user = value->user;
    graph_edited(graph, GRAPH_EDIT_SET_NODE, node,
                 ploy_hash_combine(graph_place_bits(value->position), value->user));
    return PLOY_OK;
}

// Room for that many more edges, so that adding cannot fail halfway.
static ploy_result graph_make_room(ploy_graph *graph, int32_t more) {
    int32_t wanted = graph->edge_count + more; // free slots are used up first
    if (wanted <= graph->edges.capacity) return PLOY_OK;
    if (wanted > PLOY_GRAPH_MAX) return PLOY_ERR_LIMIT;
    int32_t capacity = graph->edges.capacity + graph->edges.capacity / 2;
    if (capacity < PLOY_CAPACITY(16)) capacity = PLOY_CAPACITY(16);
    if (capacity > PLOY_GRAPH_MAX) capacity = PLOY_GRAPH_MAX;
    return ploy_array_reserve(&graph->edges, capacity > wanted ? capacity : wanted);
}

// Appends an edge to both lists; there is room.
static int32_t graph_link(ploy_graph *graph, int32_t from, int32_t to, double cost,
                          uint32_t flags) {
    int32_t edge = graph->free_edge;
    if (edge >= 0) {
        graph->free_edge = graph_edges(graph)[edge].next_out;
    } else {
        edge = graph->edges.count;
        (void)ploy_array_push(&graph->edges, NULL);
    }
    graph_edge *edges = graph_edges(graph), *added = &edges[edge];
    graph_node *source = &graph_nodes(graph)[from], *target = &graph_nodes(graph)[to];
    added->cost = cost;
    added->from = from;
    added->to = to;
    added->flags = flags;
    added->twin = PLOY_GRAPH_NONE;
    added->next_out = added->next_in = PLOY_GRAPH_NONE;
    added->prev_out = source->last_out;
    added->prev_in = target->last_in;
    if (source->last_out >= 0)
        edges[source->last_out].next_out = edge;
    else
        source->first_out = edge;
    source->last_out = edge;
    if (target->last_in >= 0)
        edges[target->last_in].next_in = edge;
    else
        target->first_in = edge;
    target->last_in = edge;
    graph->edge_count++;
    graph_edited(graph, GRAPH_EDIT_ADD_EDGE, from, (uint64_t)flags << 32 | (uint32_t)to);
    graph->generation = ploy_hash_combine(graph->generation, graph_cost_bits(cost));
    return edge;
}

static bool graph_cost_fits(double cost) {
    return cost >= 0.0 && cost < INFINITY;
}

// What speaks against an edge, whatever memory says.
static ploy_result graph_may_add(const ploy_graph *graph, int32_t from, int32_t to, double cost) {
    if (!ploy_graph_has_node(graph, from) || !ploy_graph_has_node(graph, to)) {
        return PLOY_ERR_NOT_FOUND;
    }
    if (!graph_cost_fits(cost)) return PLOY_ERR_ARGUMENT;
    if (from == to && !graph->def.loops) return PLOY_ERR_ARGUMENT;
    if (!graph->def.parallel && ploy_graph_find_edge(graph, from, to) >= 0) return PLOY_ERR_EXISTS;
    return PLOY_OK;
}

ploy_result ploy_graph_add_edge(ploy_graph *graph, int32_t from, int32_t to, double cost,
                                uint32_t flags, int32_t *out) {
    ploy_result result = graph_may_add(graph, from, to, cost);
    if (result != PLOY_OK) return result;
    bool twin = !graph->def.directed && from != to;
    result = graph_make_room(graph, twin ? 2 : 1);
    if (result != PLOY_OK) return result;
    int32_t edge = graph_link(graph, from, to, cost, flags);
    if (twin) {
        int32_t back = graph_link(graph, to, from, cost, flags);
        graph_edges(graph)[edge].twin = back; // keeps (4)
        graph_edges(graph)[back].twin = edge;
    }
    if (out != NULL) *out = edge;
    return PLOY_OK;
}

ploy_result ploy_graph_add_both(ploy_graph *graph, int32_t a, int32_t b, double cost,
                                uint32_t flags) {
    if (a == b) return PLOY_ERR_ARGUMENT;
    if (!graph->def.directed) return ploy_graph_add_edge(graph, a, b, cost, flags, NULL);
    ploy_result result = graph_may_add(graph, a, b, cost);
    if (result == PLOY_OK) result = graph_may_add(graph, b, a, cost);
    if (result == PLOY_OK) result = graph_make_room(graph, 2);
    if (result != PLOY_OK) return result;
    (void)graph_link(graph, a, b, cost, flags);
    (void)graph_link(graph, b, a, cost, flags);
    return PLOY_OK;
}

ploy_result ploy_graph_remove_edge(ploy_graph *graph, int32_t edge) {
    const graph_edge *gone = graph_edge_at(graph, edge);
    if (gone == NULL) return PLOY_ERR_NOT_FOUND;
    int32_t twin = gone->twin;
    graph_drop(graph, edge);
    if (twin >= 0) graph_drop(graph, twin);
    return PLOY_OK;
}

bool ploy_graph_edge_at(const ploy_graph *graph, int32_t edge, ploy_graph_edge *out) {
    const graph_edge *found = graph_edge_at(graph, edge);
    if (found == NULL) return false;
    out->from = found->from;
    out->to = found->to;
    out->cost = found->cost;
    out->flags = found->flags;
    out->twin = found->twin;
    return true;
}

ploy_result ploy_graph_set_cost(ploy_graph *graph, int32_t edge, double cost) {
    graph_edge *found = graph_edge_at(graph, edge);
    if (found == NULL) return PLOY_ERR_NOT_FOUND;
    if (!graph_cost_fits(cost)) return PLOY_ERR_ARGUMENT;
    found->cost = cost;
    graph_edited(graph, GRAPH_EDIT_COST, edge, graph_cost_bits(cost));
    if (found->twin >= 0) graph_edges(graph)[found->twin].cost = cost;
    return PLOY_OK;
}

ploy_result ployi_graph_set_flags(ploy_graph *graph, int32_t edge, uint32_t flags) {
    graph_edge *found = graph_edge_at(graph, edge);
    if (found == NULL) return PLOY_ERR_NOT_FOUND;
    found->flags = flags;
    graph_edited(graph, GRAPH_EDIT_FLAGS, edge, flags);
    if (found->twin >= 0) graph_edges(graph)[found->twin].flags = flags;
    return PLOY_OK;
}

ploy_result ploy_graph_set_open(ploy_graph *graph, int32_t edge, bool open) {
    const graph_edge *found = graph_edge_at(graph, edge);
    if (found == NULL) return PLOY_ERR_NOT_FOUND;
    uint32_t flags = found->flags & ~PLOY_GRAPH_CLOSED;
    return ployi_graph_set_flags(graph, edge, open ? flags : flags | PLOY_GRAPH_CLOSED);
}

uint64_t ploy_graph_generation(const ploy_graph *graph) {
    return graph->generation;
}

int32_t ploy_graph_find_edge(const ploy_graph *graph, int32_t from, int32_t to) {
    int32_t edge = ploy_graph_first_out(graph, from);
    while (edge >= 0 && graph_edges(graph)[edge].to != to) edge = graph_edges(graph)[edge].next_out;
    return edge;
}

int32_t ploy_graph_node_slots(const ploy_graph *graph) {
    return graph->nodes.count;
}

int32_t ploy_graph_edge_slots(const ploy_graph *graph) {
    return graph->edges.count;
}

int32_t ploy_graph_node_count(const ploy_graph *graph) {
    return graph->node_count;
}

int32_t ploy_graph_edge_count(const ploy_graph *graph) {
    return graph->edge_count;
}

int32_t ploy_graph_next_node(const ploy_graph *graph, int32_t node) {
    for (int32_t i = node < 0 ? 0 : node; i < graph->nodes.count; i++) {
        if (graph_nodes(graph)[i].present != 0) return i;
    }
    return PLOY_GRAPH_NONE;
}

int32_t ploy_graph_first_out(const ploy_graph *graph, int32_t node) {
    if (!ploy_graph_has_node(graph, node)) return PLOY_GRAPH_NONE;
    return graph_nodes(graph)[node].first_out;
}

int32_t ploy_graph_next_out(const ploy_graph *graph, int32_t edge) {
    const graph_edge *found = graph_edge_at(graph, edge);
    return found != NULL ? found->next_out : PLOY_GRAPH_NONE;
}

int32_t ploy_graph_first_in(const ploy_graph *graph, int32_t node) {
    if (!ploy_graph_has_node(graph, node)) return PLOY_GRAPH_NONE;
    return graph_nodes(graph)[node].first_in;
}

int32_t ploy_graph_next_in(const ploy_graph *graph, int32_t edge) {
    const graph_edge *found = graph_edge_at(graph, edge);
    return found != NULL ? found->next_in : PLOY_GRAPH_NONE;
}

// The open edges out of a node, or into it.
static ploy_result graph_list(const ploy_graph *graph, int32_t node, bool inward, ploy_edges *out) {
    int32_t edge = inward ? ploy_graph_first_in(graph, node) : ploy_graph_first_out(graph, node);
    while (edge >= 0) {
        const graph_edge *item = &graph_edges(graph)[edge];
        if ((item->flags & PLOY_GRAPH_CLOSED) == 0) {
            ploy_result result =
                ploy_edges_add(out, inward ? item->from : item->to, item->cost, edge);
            if (result != PLOY_OK) return result;
        }
        edge = inward ? item->next_in : item->next_out;
    }
    return PLOY_OK;
}

static ploy_result graph_expand(void *user, int32_t state, ploy_edges *out) {
    return graph_list(user, state, false, out);
}

static ploy_result graph_expand_back(void *user, int32_t state, ploy_edges *out) {
    return graph_list(user, state, true, out);
}

ploy_space ploy_graph_space(const ploy_graph *graph) {
    // Expanding only reads; the space's user is not const because others make states there.
    ploy_space space = {graph->nodes.count, graph_expand, graph_expand_back, NULL,
                        (void *)(uintptr_t)graph};
    return space;
}

ploy_vec3 ploy_graph_position(const void *graph, int32_t node) {
    const ploy_graph *self = graph;
    return ploy_graph_has_node(self, node) ? graph_nodes(self)[node].position : ploy_vec3_zero();
}

static uint64_t graph_fold(uint64_t hash, double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return ploy_hash_combine(hash, bits);
}

void ploy_graph_describe(const ploy_graph *graph, ploy_describe *out) {
    uint64_t nodes = 0, edges = 0;
    for (int32_t i = 0; i < graph->nodes.count; i++) {
        const graph_node *node = &graph_nodes(graph)[i];
        nodes = ploy_hash_combine(nodes, (uint64_t)node->present);
        if (node->present == 0) continue;
        nodes = graph_fold(nodes, (double)node->position.x);
        nodes = graph_fold(nodes, (double)node->position.y);
        nodes = graph_fold(nodes, (double)node->position.z);
        nodes = ploy_hash_combine(nodes, node->user);
        // In the order of the list: searches see that order, so it is state.
        for (int32_t e = node->first_out; e >= 0; e = graph_edges(graph)[e].next_out) {
            const graph_edge *edge = &graph_edges(graph)[e];
            edges = ploy_hash_combine(edges, (uint64_t)(uint32_t)e << 32 | (uint32_t)edge->to);
            edges = ploy_hash_combine(edges, (uint64_t)edge->flags << 32 | (uint32_t)edge->twin);
            edges = graph_fold(edges, edge->cost);
        }
        for (int32_t e = node->first_in; e >= 0; e = graph_edges(graph)[e].next_in) {
            edges = ploy_hash_combine(edges, (uint64_t)e);
        }
    }
    for (int32_t e = graph->free_edge; e >= 0; e = graph_edges(graph)[e].next_out) {
        edges = ploy_hash_combine(edges, (uint64_t)e); // says which number comes next
    }
    ploy_describe_i64(out, "nodes", PLOY_STATE, graph->node_count);
    ploy_describe_i64(out, "edges", PLOY_STATE, graph->edge_count);
    ploy_describe_i64(out, "node slots", PLOY_STATE, graph->nodes.count);
    ploy_describe_i64(out, "edge slots", PLOY_STATE, graph->edges.count);
    ploy_describe_u64(out, "all nodes", PLOY_STATE, nodes);
    ploy_describe_u64(out, "all edges", PLOY_STATE, edges);
}

void ploy_graph_draw(const ploy_graph *graph, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t e = 0; e < graph->edges.count; e++) {
        const graph_edge *edge = graph_edge_at(graph, e);
        if (edge == NULL || (edge->twin >= 0 && edge->twin < e)) continue;
        bool closed = (edge->flags & PLOY_GRAPH_CLOSED) != 0;
        ploy_draw_line(out, PLOY_LAYER_WORLD, closed ? PLOY_STYLE_GHOST : PLOY_STYLE_PLAIN, none,
                       ploy_vec2_from_vec3(ploy_graph_position(graph, edge->from)),
                       ploy_vec2_from_vec3(ploy_graph_position(graph, edge->to)));
    }
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_draw_point(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none,
                        ploy_vec2_from_vec3(graph_nodes(graph)[n].position));
    }
}

void ploy_graph_memory(const ploy_graph *graph, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"graph", sizeof *graph, 1};
    fn(user, &self);
    ploy_array_memory(&graph->nodes, fn, user);
    ploy_array_memory(&graph->edges, fn, user);
}

ploy_env ployi_graph_env(const ploy_graph *graph) {
    return graph->env;
}
