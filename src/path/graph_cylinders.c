// Generalised cylinders as a graph; see graph_tools.h.
//
// A capsule is convex, and all nodes of one capsule are inside it: so every edge is, too.
#include <math.h>

#include "path/graph_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/path/graph_tools.h"

// A node of a capsule, at its place along the axis.
typedef struct cylinder_stop {
    int32_t capsule, node;
    float t; // 0 to 1
} cylinder_stop;

static ploy_result cylinder_stop_at(ploy_graph *graph, ploy_array *stops, int32_t capsule, float t,
                                    ploy_vec3 at, int32_t *node) {
    ploy_result result = *node >= 0 ? PLOY_OK : ploy_graph_add_node(graph, at, node);
    cylinder_stop stop = {capsule, *node, t};
    return result == PLOY_OK ? ploy_array_push(stops, &stop) : result;
}

// Adds a node where two capsules overlap, between the nearest points of their axes. It is inside
// both, because the gap is divided in the proportion of the radii.
static ploy_result cylinder_cross(ploy_graph *graph, ploy_array *stops, const ploy_capsule *list,
                                  int32_t a, int32_t b, float body) {
    float s = 0.0f, t = 0.0f, one = list[a].radius - body, two = list[b].radius - body;
    float gap = sqrtf(ploy_segment3_gap_sq(list[a].segment, list[b].segment, &s, &t));
    if (one < 0.0f || two < 0.0f || gap > one + two) return PLOY_OK;
    ploy_vec3 from = ploy_vec3_lerp(list[a].segment.from, list[a].segment.to, s);
    ploy_vec3 to = ploy_vec3_lerp(list[b].segment.from, list[b].segment.to, t);
    float share = one + two > 0.0f ? one / (one + two) : 0.0f;
    ploy_vec3 at = ploy_vec3_lerp(from, to, share);
    int32_t node = -1;
    ploy_result result = cylinder_stop_at(graph, stops, a, s, at, &node);
    return result == PLOY_OK ? cylinder_stop_at(graph, stops, b, t, at, &node) : result;
}

// Adds the ends of an axis that are not stops already.
static ploy_result cylinder_ends(ploy_graph *graph, ploy_array *stops, const ploy_capsule *list,
                                 int32_t capsule, float body) {
    const ploy_segment3 axis = list[capsule].segment;
    float length = ploy_vec3_distance(axis.from, axis.to);
    bool has_from = false, has_to = length < 1e-4f; // a point has one end
    if (list[capsule].radius < body) return PLOY_OK;
    for (int32_t i = 0; i < stops->count; i++) {
        const cylinder_stop *stop = PLOY_ARRAY_AT(stops, cylinder_stop, i);
        if (stop->capsule != capsule) continue;
        has_from = has_from || stop->t * length < 1e-4f;
        has_to = has_to || (1.0f - stop->t) * length < 1e-4f;
    }
    ploy_result result = PLOY_OK;
    int32_t node = -1, last = -1;
    if (!has_from) result = cylinder_stop_at(graph, stops, capsule, 0.0f, axis.from, &node);
    if (!has_to && result == PLOY_OK) {
        result = cylinder_stop_at(graph, stops, capsule, 1.0f, axis.to, &last);
    }
    return result;
}

// Joins the stops of one capsule in their order along the axis; equal ones in the order added.
static ploy_result cylinder_join(ploy_graph *graph, const ploy_array *stops, int32_t capsule) {
    int32_t last = -1;
    for (;;) {
        const cylinder_stop *next = NULL;
        const cylinder_stop *before = last >= 0 ? PLOY_ARRAY_AT(stops, cylinder_stop, last) : NULL;
        int32_t index = -1;
        for (int32_t i = 0; i < stops->count; i++) {
            const cylinder_stop *stop = PLOY_ARRAY_AT(stops, cylinder_stop, i);
            bool later =
                before == NULL || stop->t > before->t || (stop->t == before->t && i > last);
            if (stop->capsule != capsule || !later || (next != NULL && stop->t >= next->t))
                continue;
            next = stop;
            index = i;
        }
        if (next == NULL) return PLOY_OK;
        if (before != NULL && before->node != next->node &&
            ploy_graph_find_edge(graph, before->node, next->node) < 0) {
            ploy_vec3 a = ploy_graph_position(graph, before->node);
            double cost = (double)ploy_vec3_distance(a, ploy_graph_position(graph, next->node));
            ploy_result result = ploy_graph_add_both(graph, before->node, next->node, cost, 0);
            if (result != PLOY_OK) return result;
        }
        last = index;
    }
}

ploy_result ploy_graph_add_cylinders(ploy_graph *graph, const ploy_capsule *cylinders,
                                     int32_t count, float body, int32_t *first, int32_t *added) {
    if (graph == NULL || cylinders == NULL || count < 1 || !ploy_in_range(body, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec3_is_finite(cylinders[i].segment.from) ||
            !ploy_vec3_is_finite(cylinders[i].segment.to) ||
            !ploy_in_range(cylinders[i].radius, 0.0f, 1e9f)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_env env = ployi_graph_env(graph);
    int32_t begin = ploy_graph_node_slots(graph);
    ploy_array stops;
    ploy_array_init(&stops, sizeof(cylinder_stop), &env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        for (int32_t k = i + 1; k < count && result == PLOY_OK; k++) {
            result = cylinder_cross(graph, &stops, cylinders, i, k, body);
        }
        if (result == PLOY_OK) result = cylinder_ends(graph, &stops, cylinders, i, body);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = cylinder_join(graph, &stops, i);
    }
    ploy_array_fini(&stops);
    if (result != PLOY_OK) return ployi_graph_undo(graph, begin, result);
    if (first != NULL) *first = begin;
    if (added != NULL) *added = ploy_graph_node_slots(graph) - begin;
    return PLOY_OK;
}
