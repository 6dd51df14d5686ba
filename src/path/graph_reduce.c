// Reducing a graph to few nodes that represent all, and the checks of domains and floors; see
// ploy/path/graph_tools.h.
#include <math.h>
#include <string.h>

#include "path/graph_internal.h"

#include "path/path_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/path/graph_tools.h"
#include "ploy/search/search.h"

// Nodes without which a part falls into two: Hopcroft and Tarjan 1973, without recursion. order and
// low are zero at first.
typedef struct reduce_cut {
    int32_t *order, *low, *parent, *edge; // for each slot
    bool *is_cut;
} reduce_cut;

static void reduce_cut_from(const ploy_graph *graph, int32_t root, int32_t *clock,
                            reduce_cut *cut) {
    int32_t at = root, children = 0;
    cut->parent[root] = -1;
    cut->order[root] = cut->low[root] = ++*clock;
    cut->edge[root] = ploy_graph_first_out(graph, root);
    for (;;) {
        int32_t e = cut->edge[at];
        ploy_graph_edge edge;
        if (e >= 0 && ploy_graph_edge_at(graph, e, &edge)) {
            cut->edge[at] = ploy_graph_next_out(graph, e);
            int32_t to = edge.to;
            if (cut->order[to] == 0) {
                children += at == root;
                cut->parent[to] = at;
                cut->order[to] = cut->low[to] = ++*clock;
                cut->edge[to] = ploy_graph_first_out(graph, to);
                at = to;
            } else if (to != cut->parent[at]) {
                cut->low[at] = ploy_mini(cut->low[at], cut->order[to]);
            }
            continue;
        }
        int32_t up = cut->parent[at];
        if (up < 0) break;
        cut->low[up] = ploy_mini(cut->low[up], cut->low[at]);
        if (up != root && cut->low[at] >= cut->order[up]) cut->is_cut[up] = true;
        at = up;
    }
    if (children > 1) cut->is_cut[root] = true;
}

typedef struct reduce_run {
    const ploy_graph *from;
    float radius;
    ploy_joins_fn sees;
    void *user;
    int32_t *owners;  // of each slot, a slot that represents it; -1
    int32_t *covered; // of each slot without an owner, how many others without one it covers
} reduce_run;

static bool reduce_covers(const reduce_run *run, int32_t a, int32_t b) {
    ploy_vec3 from = ploy_graph_position(run->from, a), to = ploy_graph_position(run->from, b);
    if (!(ploy_vec3_distance(from, to) <= run->radius)) return false;
    return a == b || run->sees == NULL || run->sees(run->user, from, to);
}

static void reduce_own(reduce_run *run, int32_t node, int32_t owner, bool counted) {
    if (run->owners[node] >= 0) return;
    run->owners[node] = owner;
    for (int32_t n = counted ? ploy_graph_next_node(run->from, 0) : -1; n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        if (run->owners[n] < 0 && reduce_covers(run, n, node)) run->covered[n]--;
    }
}

// A node takes what it covers and no node owns. Each node is taken once, so keeping the counts right takes O(nodes^2)
// in all; counting them for each choice took O(nodes^3).
static void reduce_take(reduce_run *run, int32_t node, bool counted) {
    for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        if (run->owners[n] < 0 && reduce_covers(run, node, n)) reduce_own(run, n, node, counted);
    }
    reduce_own(run, node, node, counted);
    run->owners[node] = node;
}

static void reduce_choose(reduce_run *run, const bool *kept) {
    for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        if (kept[n]) run->owners[n] = n; // before any node takes it
    }
    for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        if (kept[n]) reduce_take(run, n, false);
    }
    for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        for (int32_t k = run->owners[n] < 0 ? ploy_graph_next_node(run->from, 0) : -1; k >= 0;
             k = ploy_graph_next_node(run->from, k + 1)) {
            run->covered[n] += run->owners[k] < 0 && reduce_covers(run, n, k);
        }
    }
    for (;;) {
        int32_t best = -1, most = 0;
        for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
             n = ploy_graph_next_node(run->from, n + 1)) {
            if (run->owners[n] >= 0 || run->covered[n] <= most) continue;
            most = run->covered[n];
            best = n;
        }
        if (best < 0) return;
        reduce_take(run, best, true);
    }
}

static ploy_result reduce_write(const reduce_run *run, ploy_graph *out, int32_t *names) {
    for (int32_t n = ploy_graph_next_node(run->from, 0); n >= 0;
         n = ploy_graph_next_node(run->from, n + 1)) {
        if (run->owners[n] != n) continue;
        ploy_result result = ploy_graph_add_node(out, ploy_graph_position(run->from, n), &names[n]);
        if (result != PLOY_OK) return result;
    }
    for (int32_t e = 0; e < ploy_graph_edge_slots(run->from); e++) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(run->from, e, &edge)) continue;
        int32_t a = run->owners[edge.from], b = run->owners[edge.to];
        if (a == b || ploy_graph_find_edge(out, names[a], names[b]) >= 0) continue;
        double cost = (double)ploy_vec3_distance(ploy_graph_position(run->from, a),
                                                 ploy_graph_position(run->from, b));
        ploy_result result = ploy_graph_add_edge(out, names[a], names[b], cost, 0, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_graph_reduce(const ploy_graph *from, float radius, ploy_joins_fn sees, void *user,
                              ploy_graph *out, int32_t *owners) {
    if (from == NULL || out == NULL || from == out || ploy_graph_node_slots(out) != 0 ||
        !ploy_in_range(radius, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_env env = ployi_graph_env(from);
    int32_t slots = ploy_graph_node_slots(from);
    size_t words = (size_t)slots + 1;
    size_t size = words * (7 * sizeof(int32_t) + sizeof(bool));
    int32_t *room = ploy_env_alloc_zero(&env, size);
    if (room == NULL) return PLOY_ERR_MEMORY;
    reduce_cut cut = {room, room + words, room + 2 * words, room + 3 * words,
                      (bool *)(room + 7 * words)};
    reduce_run run = {from, radius, sees, user, room + 4 * words, room + 6 * words};
    int32_t *names = room + 5 * words, clock = 0;
    for (int32_t i = 0; i < slots; i++) run.owners[i] = names[i] = -1;
    for (int32_t n = ploy_graph_next_node(from, 0); n >= 0; n = ploy_graph_next_node(from, n + 1)) {
        if (cut.order[n] == 0) reduce_cut_from(from, n, &clock, &cut);
    }
    reduce_choose(&run, cut.is_cut);
    ploy_result result = reduce_write(&run, out, names);
    if (result != PLOY_OK) ploy_graph_clear(out);
    for (int32_t i = 0; i < slots && result == PLOY_OK && owners != NULL; i++) {
        owners[i] = run.owners[i] < 0 ? PLOY_GRAPH_NONE : names[run.owners[i]];
    }
    ploy_env_free(&env, room, size);
    return result;
}

// ---- domains ----

// For each cell the point that is the shortest walk away, and how far that is.
static ploy_result reduce_walks(const ploy_domains *domains, const ploy_tiles_walker *walker,
                                ploy_search *search, int32_t *points) {
    int32_t cells = ploy_tiles_width(walker->tiles) * ploy_tiles_height(walker->tiles);
    ploy_space space = ploy_tiles_space(walker);
    ploy_search_start starts[256];
    int32_t count = 0;
    for (int32_t i = 0; i < domains->count && count < 256; i++) {
        int32_t cell = ploy_tiles_quantise(walker->tiles, ploy_vec2_from_vec3(domains->points[i]));
        if (cell < 0 || !ployi_tiles_walker_fits(walker, cell)) continue;
        starts[count].state = cell;
        starts[count++].cost = 0.0;
    }
    for (int32_t i = 0; i < cells; i++) points[i] = -1;
    if (count == 0) return PLOY_OK;
    ploy_search_query query = ploy_search_query_make(&space, starts, PLOY_STATE_NONE);
    query.start_count = count;
    query.backward = true; // from the cells to the points
    ploy_result result = ploy_search_run(search, &query);
    for (int32_t i = 0; i < cells && result == PLOY_OK; i++) {
        ploy_search_node node;
        if (!ploy_search_get(search, i, &node)) continue;
        for (int32_t k = domains->count - 1; k >= 0; k--) {
            ploy_vec2 at = ploy_vec2_from_vec3(domains->points[k]);
            if (ploy_tiles_quantise(walker->tiles, at) == node.start) points[i] = k;
        }
    }
    return result;
}

// Does the straight line pass only free cells? Four samples a cell.
static bool reduce_sees(const ploy_tiles_walker *walker, ploy_vec2 a, ploy_vec2 b) {
    float size = ploy_tiles_def_of(walker->tiles).size;
    // Both ends first: the line of a point far outside would have more samples than a number counts.
    if (ploy_tiles_quantise(walker->tiles, a) < 0 || ploy_tiles_quantise(walker->tiles, b) < 0) {
        return false;
    }
    int32_t steps = (int32_t)ceilf(ploy_vec2_distance(a, b) / size * 4.0f);
    for (int32_t i = 0; i <= steps; i++) {
        ploy_vec2 at = ploy_vec2_lerp(a, b, steps > 0 ? (float)i / (float)steps : 0.0f);
        int32_t cell = ploy_tiles_quantise(walker->tiles, at);
        if (cell < 0 || !ployi_tiles_walker_fits(walker, cell)) return false;
    }
    return true;
}

static bool reduce_is_above(const ploy_tiles_walker *walker, int32_t cell, ploy_vec3 point,
                            float step) {
    if (walker->heights == NULL) return false;
    int32_t width = ploy_tiles_width(walker->tiles);
    float height = ploy_heightfield_sample(walker->heights, cell % width, cell / width);
    return fabsf(height - point.z) > step;
}

ploy_result ploy_domains_check(const ploy_domains *domains, const ploy_tiles_walker *walker,
                               float step, const ploy_env *env, ploy_domains_issue *out,
                               int32_t capacity, int32_t *count) {
    if (domains == NULL || walker == NULL || count == NULL || capacity < 0 || env == NULL ||
        (out == NULL && capacity > 0) || domains->count > 256 || !(step >= 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t cells = ploy_tiles_width(walker->tiles) * ploy_tiles_height(walker->tiles), issues = 0;
    size_t size = (size_t)cells * sizeof(int32_t);
    int32_t *nearest = ploy_env_alloc(env, size);
    if (nearest == NULL) return PLOY_ERR_MEMORY;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_result result = ploy_search_create(&def, env, &search);
    if (result == PLOY_OK) result = reduce_walks(domains, walker, search, nearest);
    for (int32_t cell = 0; cell < cells && result == PLOY_OK; cell++) {
        if (!ployi_tiles_walker_fits(walker, cell)) continue;
        ploy_vec2 at = ploy_tiles_localise(walker->tiles, cell);
        ploy_domains_issue issue = {PLOY_DOMAINS_UNCOVERED, cell, -1, nearest[cell]};
        issue.owner = ploy_domains_find(domains, ploy_vec3_from_vec2(at, 0.0f));
        if (issue.owner >= 0 && nearest[cell] >= 0) {
            ploy_vec3 point = domains->points[issue.owner];
            if (reduce_is_above(walker, cell, point, step)) {
                issue.kind = PLOY_DOMAINS_VERTICAL;
            } else if (nearest[cell] != issue.owner &&
                       !reduce_sees(walker, at, ploy_vec2_from_vec3(point))) {
                issue.kind = PLOY_DOMAINS_MISCLASSIFIED;
            } else {
                continue;
            }
        }
        if (issues < capacity) out[issues] = issue;
        issues++;
    }
    ploy_search_destroy(search);
    ploy_env_free(env, nearest, size);
    if (result == PLOY_OK) *count = issues;
    return result;
}

// ---- floors ----

static uint64_t reduce_side(const ploy_floor *floor, int32_t triangle, int32_t side) {
    uint32_t a = (uint32_t)floor->corners[3 * triangle + side];
    uint32_t b = (uint32_t)floor->corners[3 * triangle + (side + 1) % 3];
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool reduce_floor_is(const ploy_floor *floor) {
    bool is = floor != NULL && floor->count >= 0;
    if (is && floor->count > 0) is = floor->corners != NULL && floor->is_floor != NULL;
    for (int32_t i = 0; is && i < 3 * floor->count; i++) is = floor->corners[i] >= 0;
    return is;
}

// The two triangles of each side; -1 for none.
typedef struct reduce_pair {
    int32_t a, b;
} reduce_pair;

static ploy_result reduce_sides(const ploy_floor *floor, ploy_map *sides) {
    for (int32_t i = 0; i < 3 * floor->count; i++) {
        void *value = NULL;
        bool added = false;
        ploy_result result =
            ploy_map_ensure(sides, reduce_side(floor, i / 3, i % 3), &value, &added);
        if (result != PLOY_OK) return result;
        reduce_pair *pair = value;
        if (added) pair->a = pair->b = -1;
        if (pair->a < 0) {
            pair->a = i / 3;
        } else {
            pair->b = i / 3;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_floor_check(const ploy_floor *floor, const ploy_env *env, int32_t *out,
                             int32_t capacity, int32_t *count) {
    if (!reduce_floor_is(floor) || env == NULL || count == NULL || capacity < 0 ||
        (out == NULL && capacity > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_map sides;
    ploy_array patch, seen;
    ploy_map_init(&sides, sizeof(reduce_pair), env);
    ploy_array_init(&patch, sizeof(int32_t), env);
    ploy_array_init(&seen, sizeof(uint8_t), env);
    ploy_result result = reduce_sides(floor, &sides);
    if (result == PLOY_OK) result = ploy_array_resize(&seen, floor->count);
    uint8_t *flags = PLOY_ARRAY_ITEMS(&seen, uint8_t);
    if (result == PLOY_OK && floor->count > 0) memset(flags, 0, (size_t)floor->count);
    int32_t patches = 0;
    for (int32_t i = 0; i < floor->count && result == PLOY_OK; i++) {
        if (floor->is_floor[i] || flags[i]) continue;
        bool inside = true; // until a side is found with nothing behind it
        ploy_array_clear(&patch);
        flags[i] = 1;
        result = ploy_array_push(&patch, &i);
        for (int32_t k = 0; k < patch.count && result == PLOY_OK; k++) {
            int32_t triangle = PLOY_ARRAY_ITEMS(&patch, int32_t)[k];
            for (int32_t side = 0; side < 3 && result == PLOY_OK; side++) {
                const reduce_pair *pair = ploy_map_get(&sides, reduce_side(floor, triangle, side));
                int32_t other = pair->a == triangle ? pair->b : pair->a;
                if (other < 0) inside = false;
                if (other < 0 || floor->is_floor[other] || flags[other]) continue;
                flags[other] = 1;
                result = ploy_array_push(&patch, &other);
            }
        }
        if (!inside) continue;
        if (patches < capacity) out[patches] = i;
        patches++;
    }
    ploy_map_fini(&sides);
    ploy_array_fini(&patch);
    ploy_array_fini(&seen);
    if (result == PLOY_OK) *count = patches;
    return result;
}

static int32_t reduce_shared(const ploy_floor *floor, int32_t a, int32_t b) {
    int32_t shared = 0;
    for (int32_t i = 0; i < 9; i++) {
        shared += floor->corners[3 * a + i / 3] == floor->corners[3 * b + i % 3];
    }
    return shared;
}

ploy_result ploy_graph_add_floor(ploy_graph *graph, const ploy_floor *floor,
                                 const ploy_vec3 *points, bool share_one, int32_t *first,
                                 int32_t *added) {
    if (!reduce_floor_is(floor) || points == NULL) return PLOY_ERR_ARGUMENT;
    ploy_env env = ployi_graph_env(graph);
    ploy_array triangles; // of the nodes
    ploy_array_init(&triangles, sizeof(int32_t), &env);
    int32_t start = ploy_graph_node_slots(graph);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < floor->count && result == PLOY_OK; i++) {
        const int32_t *corners = &floor->corners[3 * i];
        if (!floor->is_floor[i]) continue;
        ploy_vec3 middle =
            ploy_vec3_scale(ploy_vec3_add(ploy_vec3_add(points[corners[0]], points[corners[1]]),
                                          points[corners[2]]),
                            1.0f / 3.0f);
        result = ploy_graph_add_node(graph, middle, NULL);
        if (result == PLOY_OK) result = ploy_array_push(&triangles, &i);
    }
    const int32_t *items = PLOY_ARRAY_ITEMS(&triangles, int32_t);
    for (int32_t a = 0; a < triangles.count && result == PLOY_OK; a++) {
        for (int32_t b = a + 1; b < triangles.count && result == PLOY_OK; b++) {
            if (reduce_shared(floor, items[a], items[b]) < (share_one ? 1 : 2)) continue;
            double cost = (double)ploy_vec3_distance(ploy_graph_position(graph, start + a),
                                                     ploy_graph_position(graph, start + b));
            result = ploy_graph_add_both(graph, start + a, start + b, cost, 0);
        }
    }
    if (result == PLOY_OK && first != NULL) *first = start;
    if (result == PLOY_OK && added != NULL) *added = triangles.count;
    for (int32_t i = 0; result != PLOY_OK && i < triangles.count; i++) {
        (void)ploy_graph_remove_node(graph, start + i);
    }
    ploy_array_fini(&triangles);
    return result;
}
