// Lists of edges; see the header.
#include "ploy/search/space.h"

#include <string.h>

void ploy_edges_init(ploy_edges *edges, const ploy_env *env) {
    memset(edges, 0, sizeof *edges);
    edges->env = *env;
}

void ploy_edges_fini(ploy_edges *edges) {
    ploy_env_free(&edges->env, edges->items, (size_t)edges->capacity * sizeof *edges->items);
    edges->items = NULL;
    edges->capacity = 0;
    ploy_edges_clear(edges);
}

void ploy_edges_clear(ploy_edges *edges) {
    edges->view = edges->items;
    edges->count = 0;
}

static ploy_result space_grow(ploy_edges *edges) {
    if (edges->capacity > INT32_MAX / 2) return PLOY_ERR_MEMORY;
    int32_t capacity = edges->capacity == 0 ? PLOY_CAPACITY(16) : edges->capacity * 2;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, sizeof *edges->items, &size)) return PLOY_ERR_MEMORY;
    ploy_edge *items = ploy_env_resize(&edges->env, edges->items,
                                       (size_t)edges->capacity * sizeof *edges->items, size);
    if (items == NULL) return PLOY_ERR_MEMORY;
    // Zeroed, so that a region has the same bytes whatever lay there before.
    memset(items + edges->capacity, 0, (size_t)(capacity - edges->capacity) * sizeof *edges->items);
    edges->items = items;
    edges->view = items;
    edges->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_edges_add(ploy_edges *edges, int32_t to, double cost, int32_t label) {
    if (edges->view != edges->items) return PLOY_ERR_STATE;
    if (edges->count == edges->capacity) {
        ploy_result result = space_grow(edges);
        if (result != PLOY_OK) return result;
    }
    ploy_edge *edge = &edges->items[edges->count++];
    edge->to = to;
    edge->label = label;
    edge->cost = cost;
    return PLOY_OK;
}

void ploy_edges_lend(ploy_edges *edges, const ploy_edge *view, int32_t count) {
    edges->view = view;
    edges->count = count;
}
