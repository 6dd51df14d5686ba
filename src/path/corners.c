// Graphs from points and from the corners of obstacles; see the header.
#include "ploy/path/corners.h"

#include <math.h>

#include "path/graph_internal.h"
#include "ploy/base/array.h"
#include "ploy/geom/cdt.h"
#include "ploy/geom/line_of_sight.h"
#include "ploy/geom/offset.h"
#include "ploy/geom/predicates.h"
#include "ploy/path/heuristic.h"

// Who decides whether two nodes may be joined.
typedef struct corners_rule {
    double max_distance;
    ploy_joins_fn sees;
    void *user;
    int32_t joined; // so far
    // Of nodes from `first` on: the points before and after each on its outline; NULL: any direction counts.
    const ploy_vec2 *beside;
    int32_t first;
} corners_rule;

// Does the line from one corner to another leave both neighbours of the first on one side? Otherwise
// a shortest path that comes along it would go on into the obstacle, or had no reason to bend.
static bool corners_touches(const corners_rule *rule, int32_t node, ploy_vec2 at, ploy_vec2 other) {
    const ploy_vec2 *beside = rule->beside + 2 * (node - rule->first);
    int32_t before = ploy_orient2(at, other, beside[0]), after = ploy_orient2(at, other, beside[1]);
    return before * after >= 0;
}

// Joins two nodes in both directions if the rule allows it and they are not joined.
static ploy_result corners_join(ploy_graph *graph, int32_t a, int32_t b, corners_rule *rule) {
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    ploy_vec3 from = ploy_graph_position(graph, a), to = ploy_graph_position(graph, b);
    double distance = ploy_heuristic_between(&straight, from, to);
    if (distance > rule->max_distance || ploy_graph_find_edge(graph, a, b) >= 0 ||
        ploy_graph_find_edge(graph, b, a) >= 0 ||
        (rule->sees != NULL && !rule->sees(rule->user, from, to))) {
        return PLOY_OK;
    }
    if (rule->beside != NULL) {
        ploy_vec2 p = ploy_vec2_from_vec3(from), q = ploy_vec2_from_vec3(to);
        if (!corners_touches(rule, a, p, q) || !corners_touches(rule, b, q, p)) return PLOY_OK;
    }
    ploy_result result = ploy_graph_add_both(graph, a, b, distance, 0);
    if (result == PLOY_OK) rule->joined++;
    return result;
}

// Joins the pairs of nodes from `first` on.
static ploy_result corners_join_all(ploy_graph *graph, int32_t first, corners_rule *rule) {
    for (int32_t a = ploy_graph_next_node(graph, first); a >= 0;
         a = ploy_graph_next_node(graph, a + 1)) {
        for (int32_t b = ploy_graph_next_node(graph, a + 1); b >= 0;
             b = ploy_graph_next_node(graph, b + 1)) {
            ploy_result result = corners_join(graph, a, b, rule);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_graph_join_visible(ploy_graph *graph, double max_distance, ploy_joins_fn sees,
                                    void *user, int32_t *added) {
    if (!(max_distance >= 0.0)) return PLOY_ERR_ARGUMENT; // NaN too
    corners_rule rule = {max_distance, sees, user, 0, NULL, 0};
    ploy_result result = corners_join_all(graph, 0, &rule);
    if (result == PLOY_OK && added != NULL) *added = rule.joined;
    return result;
}

// The node that represents a vertex: the lowest of those at its point.
typedef struct corners_points {
    ploy_array nodes;  // int32_t: the node of each input point
    ploy_array points; // ploy_vec2
    ploy_array owners; // int32_t: the node of each vertex
} corners_points;

static ploy_result corners_collect(const ploy_graph *graph, corners_points *all) {
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_graph_position(graph, n));
        ploy_result result = ploy_array_push(&all->nodes, &n);
        if (result == PLOY_OK) result = ploy_array_push(&all->points, &at);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Joins nodes at one point with each other and finds whom each vertex represents.
static ploy_result corners_own(ploy_graph *graph, const ploy_cdt *cdt, corners_points *all,
                               corners_rule *rule) {
    ploy_result result = ploy_array_resize(&all->owners, ploy_cdt_get(cdt).point_count);
    if (result != PLOY_OK) return result;
    int32_t *owners = PLOY_ARRAY_ITEMS(&all->owners, int32_t);
    const int32_t *nodes = PLOY_ARRAY_ITEMS(&all->nodes, int32_t);
    for (int32_t i = 0; i < all->owners.count; i++) owners[i] = PLOY_GRAPH_NONE;
    for (int32_t i = 0; i < all->nodes.count && result == PLOY_OK; i++) {
        int32_t vertex = ploy_cdt_input_vertex(cdt, i);
        if (owners[vertex] < 0)
            owners[vertex] = nodes[i];
        else
            result = corners_join(graph, owners[vertex], nodes[i], rule);
    }
    return result;
}

// Points on one line have no triangles: each is joined with the next along it.
static ploy_result corners_chain(ploy_graph *graph, const ploy_cdt *cdt, const int32_t *owners,
                                 corners_rule *rule) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    for (int32_t a = 0; a < view.point_count; a++) {
        int32_t next = -1;
        for (int32_t b = 0; b < view.point_count; b++) {
            ploy_vec2 p = view.points[b], from = view.points[a];
            bool behind = p.x > from.x || (p.x == from.x && p.y > from.y);
            if (!behind) continue;
            bool nearer = next < 0 || p.x < view.points[next].x ||
                          (p.x == view.points[next].x && p.y < view.points[next].y);
            if (nearer) next = b;
        }
        if (next < 0) continue;
        ploy_result result = corners_join(graph, owners[a], owners[next], rule);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result corners_delaunay(ploy_graph *graph, const ploy_cdt *cdt, const int32_t *owners,
                                    corners_rule *rule) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    for (int32_t t = 0; t < view.triangle_count; t++) {
        const ploy_cdt_triangle *triangle = &view.triangles[t];
        for (int32_t i = 0; i < 3; i++) {
            if (triangle->neighbour[i] > t) continue; // the other triangle's turn
            int32_t a = owners[triangle->corner[(i + 1) % 3]];
            int32_t b = owners[triangle->corner[(i + 2) % 3]];
            ploy_result result = corners_join(graph, a, b, rule);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_graph_join_delaunay(ploy_graph *graph, double max_distance, ploy_joins_fn sees,
                                     void *user, int32_t *added) {
    if (!(max_distance >= 0.0)) return PLOY_ERR_ARGUMENT;
    ploy_env env = ployi_graph_env(graph);
    corners_rule rule = {max_distance, sees, user, 0, NULL, 0};
    corners_points all;
    ploy_array_init(&all.nodes, sizeof(int32_t), &env);
    ploy_array_init(&all.points, sizeof(ploy_vec2), &env);
    ploy_array_init(&all.owners, sizeof(int32_t), &env);
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    ploy_result result = corners_collect(graph, &all);
    if (result == PLOY_OK) result = ploy_cdt_create(&def, &env, &cdt);
    if (result == PLOY_OK && all.points.count > 0) {
        result = ploy_cdt_build(cdt, PLOY_ARRAY_ITEMS(&all.points, ploy_vec2), all.points.count,
                                NULL, 0, NULL);
        if (result == PLOY_OK) result = corners_own(graph, cdt, &all, &rule);
        const int32_t *owners = PLOY_ARRAY_ITEMS(&all.owners, int32_t);
        if (result == PLOY_OK && ploy_cdt_triangle_count(cdt) > 0) {
            result = corners_delaunay(graph, cdt, owners, &rule);
        } else if (result == PLOY_OK) {
            result = corners_chain(graph, cdt, owners, &rule);
        }
    }
    ploy_cdt_destroy(cdt);
    ploy_array_fini(&all.nodes);
    ploy_array_fini(&all.points);
    ploy_array_fini(&all.owners);
    if (result == PLOY_OK && added != NULL) *added = rule.joined;
    return result;
}

static bool corners_see(void *user, ploy_vec3 from, ploy_vec3 to) {
    return ploy_rings_sees(user, PLOY_SOLID_INSIDE, ploy_vec2_from_vec3(from),
                           ploy_vec2_from_vec3(to));
}

// The points before and after a corner on its outline.
static void corners_beside(const ploy_rings *grown, ploy_vec2 corner, ploy_vec2 out[2]) {
    out[0] = out[1] = corner;
    for (int32_t i = 0; i < ploy_rings_count(grown); i++) {
        ploy_polygon ring = ploy_rings_get(grown, i);
        for (int32_t k = 0; k < ring.count; k++) {
            if (!ploy_vec2_equal(ring.points[k], corner)) continue;
            out[0] = ring.points[(k + ring.count - 1) % ring.count];
            out[1] = ring.points[(k + 1) % ring.count];
            return;
        }
    }
}

// Adds the corners where a shortest path may bend. @param beside  two points for each of them.
static ploy_result corners_add(ploy_graph *graph, const ploy_rings *grown, ploy_array *beside,
                               const ploy_env *env) {
    int32_t count = ploy_rings_bends(grown, PLOY_SOLID_INSIDE, NULL, 0);
    size_t size = ((size_t)count + 1) * sizeof(ploy_vec2);
    ploy_vec2 *bends = ploy_env_alloc(env, size);
    if (bends == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = PLOY_OK;
    (void)ploy_rings_bends(grown, PLOY_SOLID_INSIDE, bends, count);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_vec2 points[2];
        corners_beside(grown, bends[i], points);
        result = ploy_graph_add_node(graph, ploy_vec3_from_vec2(bends[i], 0.0f), NULL);
        if (result == PLOY_OK) result = ploy_array_push_many(beside, points, 2);
    }
    ploy_env_free(env, bends, size);
    return result;
}

ploy_result ploy_graph_add_corners(ploy_graph *graph, const ploy_rings *obstacles, float radius,
                                   double max_distance, bool tangents, ploy_arena *scratch,
                                   int32_t *first, int32_t *added) {
    if (!(radius > 0.0f) || !(max_distance >= 0.0)) return PLOY_ERR_ARGUMENT;
    ploy_env env = ployi_graph_env(graph);
    ploy_rings *grown = NULL;
    ploy_offset_style style = ploy_offset_style_default();
    style.join = PLOY_JOIN_MITER;
    int32_t start = ploy_graph_node_slots(graph);
    ploy_array beside;
    ploy_array_init(&beside, sizeof(ploy_vec2), &env);
    ploy_result result = ploy_rings_create(&env, &grown);
    if (result == PLOY_OK) {
        result = ploy_rings_offset(obstacles, PLOY_FILL_NON_ZERO, radius, &style, scratch, grown);
    }
    if (result == PLOY_OK) result = corners_add(graph, grown, &beside, &env);
    if (result == PLOY_OK) {
        corners_rule rule = {max_distance, corners_see, grown, 0, NULL, start};
        if (tangents) rule.beside = PLOY_ARRAY_ITEMS(&beside, ploy_vec2);
        result = corners_join_all(graph, start, &rule);
    }
    ploy_array_fini(&beside);
    ploy_rings_destroy(grown);
    int32_t count = ploy_graph_node_slots(graph) - start;
    if (result != PLOY_OK) {
        for (int32_t i = 0; i < count; i++) (void)ploy_graph_remove_node(graph, start + i);
        return result;
    }
    if (first != NULL) *first = start;
    if (added != NULL) *added = count;
    return PLOY_OK;
}
