// Tools that lay out, join, thin and price graphs; see the header.
#include "ploy/path/graph_tools.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "path/graph_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"

ploy_result ployi_graph_undo(ploy_graph *graph, int32_t first, ploy_result result) {
    for (int32_t i = ploy_graph_node_slots(graph) - 1; i >= first; i--) {
        (void)ploy_graph_remove_node(graph, i);
    }
    return result;
}

static double tools_distance(const ploy_graph *graph, int32_t a, int32_t b) {
    return (double)ploy_vec3_distance(ploy_graph_position(graph, a), ploy_graph_position(graph, b));
}

// ---- flood ----

static uint64_t tools_lattice(int32_t x, int32_t y) {
    return (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
}

typedef struct tools_flood {
    ploy_graph *graph;
    ploy_vec3 seed;
    float spacing;
    int32_t limit, first;
    ploy_walks_fn walks;
    void *user;
    ploy_map known; // int32_t nodes by lattice
} tools_flood;

// The node at a place of the lattice, new if it is not there; -1 if there are too many.
static ploy_result tools_flood_node(tools_flood *flood, uint64_t key, ploy_vec3 at, int32_t *out) {
    const int32_t *known = ploy_map_get(&flood->known, key);
    if (known != NULL) {
        *out = *known;
        return PLOY_OK;
    }
    if (flood->known.count == flood->limit) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_graph_add_node(flood->graph, at, out);
    return result == PLOY_OK ? ploy_map_put(&flood->known, key, out) : result;
}

static ploy_result tools_flood_from(tools_flood *flood, int32_t x, int32_t y, int32_t node,
                                    int32_t stride) {
    static const int32_t dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    ploy_vec3 from = ploy_graph_position(flood->graph, node);
    for (int32_t direction = 0; direction < 8; direction += stride) {
        int32_t nx = x + dx[direction], ny = y + dy[direction], to = -1;
        ploy_vec3 at = flood->seed;
        at.x += (float)nx * flood->spacing;
        at.y += (float)ny * flood->spacing;
        if (!flood->walks(flood->user, at, at) || !flood->walks(flood->user, from, at)) continue;
        ploy_result result = tools_flood_node(flood, tools_lattice(nx, ny), at, &to);
        if (result == PLOY_OK && ploy_graph_find_edge(flood->graph, node, to) < 0 &&
            ploy_graph_find_edge(flood->graph, to, node) < 0) {
            double cost = tools_distance(flood->graph, node, to);
            result = ploy_graph_add_both(flood->graph, node, to, cost, 0);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_graph_add_flood(ploy_graph *graph, ploy_vec3 seed, float spacing, bool diagonal,
                                 int32_t limit, ploy_walks_fn walks, void *user, int32_t *first,
                                 int32_t *added) {
    if (walks == NULL || !ploy_vec3_is_finite(seed) || !ploy_in_range(spacing, 1e-6f, 1e9f) ||
        limit < 1 || !walks(user, seed, seed)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_env env = ployi_graph_env(graph);
    tools_flood flood;
    memset(&flood, 0, sizeof flood);
    flood.graph = graph;
    flood.seed = seed;
    flood.spacing = spacing;
    flood.limit = limit;
    flood.first = ploy_graph_node_slots(graph);
    flood.walks = walks;
    flood.user = user;
    ploy_map_init(&flood.known, sizeof(int32_t), &env);
    int32_t node = -1;
    ploy_result result = tools_flood_node(&flood, tools_lattice(0, 0), seed, &node);
    // The map is walked in the order of adding: what is added behind the cursor comes up later.
    int32_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (result == PLOY_OK && ploy_map_next(&flood.known, &cursor, &key, &value)) {
        int32_t at = *(const int32_t *)value;
        result = tools_flood_from(&flood, (int32_t)(uint32_t)(key >> 32), (int32_t)(uint32_t)key,
                                  at, diagonal ? 1 : 2);
    }
    int32_t count = flood.known.count;
    ploy_map_fini(&flood.known);
    if (result != PLOY_OK) return ployi_graph_undo(graph, flood.first, result);
    if (first != NULL) *first = flood.first;
    if (added != NULL) *added = count;
    return PLOY_OK;
}

// ---- regions ----

// A point of a region: its middle, its corners, then drawn ones.
static ploy_vec3 tools_region_point(const ploy_obb2 *region, int32_t index, ploy_rng *rng) {
    float x = 0.0f, y = 0.0f;
    if (index >= 1 && index <= 4) {
        x = index % 2 == 0 ? 1.0f : -1.0f;
        y = index > 2 ? 1.0f : -1.0f;
    } else if (index > 4) {
        x = ploy_rng_range(rng, -1.0f, 1.0f);
        y = ploy_rng_range(rng, -1.0f, 1.0f);
    }
    ploy_vec2 local = ploy_vec2_make(x * region->half.x, y * region->half.y);
    return ploy_vec3_from_vec2(
        ploy_vec2_add(region->centre, ploy_vec2_rotate_by(local, region->axis)), 0.0f);
}

static bool tools_regions_see(const ploy_obb2 *a, const ploy_obb2 *b, int32_t samples, float share,
                              ploy_rng *rng, ploy_joins_fn sees, void *user) {
    int32_t passed = 0;
    for (int32_t i = 0; i < samples; i++) {
        int32_t ia = i < 25 ? i % 5 : i, ib = i < 25 ? i / 5 : i;
        ploy_vec3 from = tools_region_point(a, ia, rng), to = tools_region_point(b, ib, rng);
        passed += sees == NULL || sees(user, from, to);
        if (share == 0.0f && passed > 0) return true;
    }
    return passed > 0 && (float)passed >= share * (float)samples;
}

ploy_result ploy_graph_join_regions(ploy_graph *graph, const ploy_obb2 *regions, int32_t count,
                                    int32_t samples, float share, uint64_t seed, ploy_joins_fn sees,
                                    void *user, int32_t *first, int32_t *joined) {
    if (count < 0 || (regions == NULL && count > 0) || samples < 1 ||
        !ploy_in_range(share, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_rng rng = ploy_rng_make(seed);
    int32_t start = ploy_graph_node_slots(graph), pairs = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_graph_add_node(graph, ploy_vec3_from_vec2(regions[i].centre, 0.0f), NULL);
    }
    for (int32_t a = 0; a < count && result == PLOY_OK; a++) {
        for (int32_t b = a + 1; b < count && result == PLOY_OK; b++) {
            if (!tools_regions_see(&regions[a], &regions[b], samples, share, &rng, sees, user)) {
                continue;
            }
            double cost = tools_distance(graph, start + a, start + b);
            result = ploy_graph_add_both(graph, start + a, start + b, cost, 0);
            pairs++;
        }
    }
    if (result != PLOY_OK) return ployi_graph_undo(graph, start, result);
    if (first != NULL) *first = start;
    if (joined != NULL) *joined = pairs;
    return PLOY_OK;
}

// ---- prune ----

typedef struct tools_edge {
    int32_t edge, a, b;
    float length;
} tools_edge;

static int32_t tools_root(int32_t *up, int32_t node) {
    while (up[node] != node) node = up[node] = up[up[node]];
    return node;
}

static bool tools_is_owned(const ploy_graph *graph, int32_t a, int32_t b) {
    ploy_vec3 pa = ploy_graph_position(graph, a), pb = ploy_graph_position(graph, b);
    ploy_vec3 middle = ploy_vec3_scale(ploy_vec3_add(pa, pb), 0.5f);
    float mine = ploy_vec3_distance_sq(middle, pa);
    for (int32_t c = ploy_graph_next_node(graph, 0); c >= 0;
         c = ploy_graph_next_node(graph, c + 1)) {
        if (c == a || c == b) continue;
        if (ploy_vec3_distance_sq(middle, ploy_graph_position(graph, c)) < mine * 0.9999f) {
            return true; // a hair: of equals none owns it
        }
    }
    return false;
}

// Sorts the removed: the shortest first, of equals the lowest edge. Insertion into place is enough
// for what an editor does, and keeps equal ones in order.
static void tools_sort(tools_edge *edges, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        tools_edge moved = edges[i];
        int32_t k = i;
        for (; k > 0 && edges[k - 1].length > moved.length; k--) edges[k] = edges[k - 1];
        edges[k] = moved;
    }
}

ploy_result ploy_graph_prune(ploy_graph *graph, int32_t *removed) {
    ploy_env env = ployi_graph_env(graph);
    ploy_array gone, up;
    ploy_array_init(&gone, sizeof(tools_edge), &env);
    ploy_array_init(&up, sizeof(int32_t), &env);
    ploy_result result = ploy_array_resize(&up, ploy_graph_node_slots(graph));
    int32_t *parents = PLOY_ARRAY_ITEMS(&up, int32_t);
    for (int32_t i = 0; i < up.count; i++) parents[i] = i;
    for (int32_t e = 0; e < ploy_graph_edge_slots(graph) && result == PLOY_OK; e++) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(graph, e, &edge) || edge.from == edge.to) continue;
        if (!tools_is_owned(graph, edge.from, edge.to)) {
            parents[tools_root(parents, edge.from)] = tools_root(parents, edge.to);
            continue;
        }
        tools_edge item = {e, edge.from, edge.to, (float)tools_distance(graph, edge.from, edge.to)};
        result = ploy_array_push(&gone, &item);
    }
    int32_t pairs = 0;
    if (result == PLOY_OK) {
        tools_edge *edges = PLOY_ARRAY_ITEMS(&gone, tools_edge);
        tools_sort(edges, gone.count);
        // Spanning: what joins two parts stays, with the edge that leads back; nothing fails below.
        for (int32_t i = 0; i < gone.count; i++) {
            int32_t a = tools_root(parents, edges[i].a), b = tools_root(parents, edges[i].b);
            if (a == b) continue;
            parents[a] = b;
            for (int32_t k = 0; k < gone.count; k++) {
                bool same = (edges[k].a == edges[i].a && edges[k].b == edges[i].b) ||
                            (edges[k].a == edges[i].b && edges[k].b == edges[i].a);
                if (same) edges[k].edge = -1;
            }
        }
        for (int32_t i = 0; i < gone.count; i++) {
            if (edges[i].edge < 0) continue;
            if (ploy_graph_remove_edge(graph, edges[i].edge) != PLOY_OK) continue; // a twin's
            pairs += ploy_graph_find_edge(graph, edges[i].b, edges[i].a) < 0;
        }
    }
    ploy_array_fini(&gone);
    ploy_array_fini(&up);
    if (result == PLOY_OK && removed != NULL) *removed = pairs;
    return result;
}

// ---- prices ----

ploy_result ploy_graph_price(ploy_graph *graph, const ploy_graph_prices *prices) {
    if (prices == NULL || !(prices->per_m >= 0.0) || !(prices->uphill >= 0.0) ||
        !(prices->downhill >= 0.0) || !ploy_is_finite_d(prices->per_m + prices->uphill) ||
        !ploy_is_finite_d(prices->downhill)) {
        return PLOY_ERR_ARGUMENT;
    }
    bool directed = ployi_graph_def_of(graph).directed;
    for (int32_t e = 0; e < ploy_graph_edge_slots(graph); e++) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(graph, e, &edge)) continue;
        ploy_vec3 a = ploy_graph_position(graph, edge.from),
                  b = ploy_graph_position(graph, edge.to);
        double length = (double)ploy_vec3_distance(a, b), rise = (double)b.z - (double)a.z;
        double run = (double)ploy_vec2_distance(ploy_vec2_from_vec3(a), ploy_vec2_from_vec3(b));
        double slope = run > 0.0 ? fabs(rise) / run : 0.0;
        double share = rise > 0.0 ? prices->uphill : prices->downhill;
        if (!directed)
            share = prices->uphill > prices->downhill ? prices->uphill : prices->downhill;
        (void)ploy_graph_set_cost(graph, e, length * (prices->per_m + share * slope));
    }
    return PLOY_OK;
}
