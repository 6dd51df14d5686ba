// Links between tactical points: exits, escapes, and points from waypoint networks.
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "points_internal.h"

static bool points_link_has(const ployi_tactical_item *item, int32_t index) {
    for (int32_t i = 0; i < item->link_count; i++) {
        if (item->links[i] == index) return true;
    }
    return false;
}

ploy_result ploy_tactical_points_link(ploy_tactical_points *points, ploy_tactical_id a,
                                      ploy_tactical_id b, bool both) {
    ployi_tactical_item *from = ployi_tactical_item_of(points, a);
    ployi_tactical_item *to = ployi_tactical_item_of(points, b);
    if (from == NULL || to == NULL) return PLOY_ERR_NOT_FOUND;
    if (from == to) return PLOY_ERR_ARGUMENT;
    bool there = !points_link_has(from, (int32_t)b.id.index);
    bool back = both && !points_link_has(to, (int32_t)a.id.index);
    if ((there && from->link_count == PLOY_TACTICAL_LINKS_MAX) ||
        (back && to->link_count == PLOY_TACTICAL_LINKS_MAX)) {
        return PLOY_ERR_CAPACITY;
    }
    if (there) from->links[from->link_count++] = (int32_t)b.id.index;
    if (back) to->links[to->link_count++] = (int32_t)a.id.index;
    if (there || back) points->changes++;
    return PLOY_OK;
}

int32_t ploy_tactical_points_links(const ploy_tactical_points *points, ploy_tactical_id id,
                                   ploy_tactical_id *out, int32_t capacity) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return 0;
    for (int32_t i = 0; i < item->link_count && i < capacity; i++) {
        out[i] = ploy_tactical_points_at(points, item->links[i]);
    }
    return item->link_count;
}

// ---- exits

static ployi_tactical_item *points_link_at(const ploy_tactical_points *points, int32_t index) {
    return ployi_tactical_item_of(points, ploy_tactical_points_at(points, index));
}

// Marks everything that can be reached from a point without those that carry a stamp already.
static void points_link_flood(ploy_tactical_points *points, int32_t start, int32_t stamp) {
    int32_t *stack = PLOY_ARRAY_ITEMS(&points->stack, int32_t);
    int32_t count = 0;
    points_link_at(points, start)->stamp = stamp;
    stack[count++] = start;
    while (count > 0) {
        const ployi_tactical_item *item = points_link_at(points, stack[--count]);
        for (int32_t i = 0; i < item->link_count; i++) {
            ployi_tactical_item *next = points_link_at(points, item->links[i]);
            if (next->stamp != 0) continue;
            next->stamp = stamp;
            stack[count++] = item->links[i]; // each point at most once
        }
    }
}

ploy_result ploy_tactical_points_exits(ploy_tactical_points *points, ploy_tactical_id id,
                                       bool (*engaged)(void *user, ploy_tactical_id id), void *user,
                                       ploy_tactical_exits *out) {
    ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_array_reserve(&points->stack, ploy_tactical_points_count(points));
    if (result != PLOY_OK) return result;
    uint32_t cursor = 0;
    ploy_tactical_id other;
    while (ploy_tactical_points_next(points, &cursor, &other)) {
        ployi_tactical_item *at = ployi_tactical_item_of(points, other);
        at->stamp = engaged != NULL && engaged(user, other) ? -1 : 0;
    }
    item->stamp = -1;
    out->exits = item->link_count;
    out->escapes = 0;
    for (int32_t i = 0; i < item->link_count; i++) {
        if (points_link_at(points, item->links[i])->stamp != 0) continue;
        points_link_flood(points, item->links[i], ++out->escapes);
    }
    return PLOY_OK;
}

typedef struct points_link_region {
    const ploy_tactical_points *points;
    int32_t region;
} points_link_region;

static bool points_link_in_region(void *user, ploy_tactical_id id) {
    const points_link_region *of = user;
    return ployi_tactical_item_of(of->points, id)->point.region == of->region;
}

float ploy_tactical_points_hit_and_run(ploy_tactical_points *points, ploy_tactical_id id,
                                       int32_t region, double now) {
    points_link_region of = {points, region};
    ploy_tactical_exits exits;
    if (ploy_tactical_points_exits(points, id, points_link_in_region, &of, &exits) != PLOY_OK) {
        return NAN;
    }
    return (float)exits.escapes * ploy_tactical_points_value(points, id, PLOY_TACTICAL_RECON, now);
}

// ---- from a network

static void points_link_values(ployi_tactical_item *item, const ploy_network *network,
                               uint64_t waypoint) {
    uint32_t value = 0;
    if (ploy_network_tag(network, waypoint, PLOY_WAYPOINT_COVER, &value) && value != 0) {
        item->values[PLOY_TACTICAL_COVER] = 1.0f;
    }
    if (ploy_network_tag(network, waypoint, PLOY_WAYPOINT_DEFEND, &value) && value != 0) {
        item->values[PLOY_TACTICAL_FIRE] = 1.0f;
    }
    if (ploy_network_tag(network, waypoint, PLOY_WAYPOINT_DANGER, &value)) {
        item->values[PLOY_TACTICAL_BAD_GROUND] = value < 100 ? (float)value / 100.0f : 1.0f;
    }
}

// Adds the points; made gets the id of each, in the order of the network's slots.
static ploy_result points_link_add(ploy_tactical_points *points, const ploy_network *network,
                                   ploy_array *made) {
    int32_t cursor = 0;
    ploy_waypoint waypoint;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && ploy_network_next(network, &cursor, &waypoint)) {
        ploy_tactical_point point = ploy_tactical_point_make(waypoint.position);
        ploy_vec3 forward = ploy_quat_rotate(waypoint.orientation, ploy_vec3_make(1, 0, 0));
        ploy_tactical_id id;
        point.radius = waypoint.radius;
        point.node = ploy_network_state(network, waypoint.id);
        point.data = waypoint.id;
        point.faces = true;
        point.facing = ploy_atan2f(forward.y, forward.x);
        result = ploy_tactical_points_add(points, &point, &id);
        if (result != PLOY_OK) return result;
        result = ploy_array_push(made, &id);
        if (result != PLOY_OK) {
            (void)ploy_tactical_points_remove(points, id);
            return result;
        }
        points_link_values(ployi_tactical_item_of(points, id), network, waypoint.id);
    }
    return result;
}

// Links a point along the open edges of its waypoint, in the order of the network's slots.
// @param places  of each slot: which of ids it became, -1 for none.
static ploy_result points_link_edges(ploy_tactical_points *points, const ploy_network *network,
                                     const ploy_tactical_id *ids, const int32_t *places,
                                     int32_t from, ploy_edges *edges) {
    int32_t targets[PLOY_TACTICAL_LINKS_MAX], count = 0;
    const ploy_space space = ploy_network_space(network);
    const ploy_tactical_point *point = &ployi_tactical_item_of(points, ids[from])->point;
    ploy_edges_clear(edges);
    ploy_result result = space.expand(space.user, point->node, edges);
    for (int32_t e = 0; e < edges->count && result == PLOY_OK; e++) {
        int32_t to = places[edges->view[e].to];
        ploy_waypoint_edge edge;
        if (to < 0 || to == from ||
            !ploy_network_edge_at(network, point->data,
                                  ployi_tactical_item_of(points, ids[to])->point.data, &edge) ||
            !edge.open) {
            continue;
        }
        if (count == PLOY_TACTICAL_LINKS_MAX) return PLOY_ERR_CAPACITY;
        int32_t at = count++;
        for (; at > 0 && targets[at - 1] > to; at--) targets[at] = targets[at - 1];
        targets[at] = to;
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_tactical_points_link(points, ids[from], ids[targets[i]], false);
    }
    return result;
}

ploy_result ploy_tactical_points_add_network(ploy_tactical_points *points,
                                             const ploy_network *network) {
    if (points == NULL || network == NULL) return PLOY_ERR_ARGUMENT;
    ploy_array made, places;
    ploy_edges edges;
    ploy_array_init(&made, sizeof(ploy_tactical_id), &points->env);
    ploy_array_init(&places, sizeof(int32_t), &points->env);
    ploy_edges_init(&edges, &points->env);
    ploy_result result = points_link_add(points, network, &made);
    int32_t slots = ploy_network_space(network).count;
    if (result == PLOY_OK) result = ploy_array_resize(&places, slots);
    const ploy_tactical_id *ids = PLOY_ARRAY_ITEMS(&made, ploy_tactical_id);
    int32_t *place_of = PLOY_ARRAY_ITEMS(&places, int32_t);
    for (int32_t i = 0; i < slots && result == PLOY_OK; i++) place_of[i] = -1;
    for (int32_t i = 0; i < made.count && result == PLOY_OK; i++) {
        place_of[ployi_tactical_item_of(points, ids[i])->point.node] = i;
    }
    for (int32_t i = 0; i < made.count && result == PLOY_OK; i++) {
        result = points_link_edges(points, network, ids, place_of, i, &edges);
    }
    for (int32_t i = 0; i < made.count && result != PLOY_OK; i++) {
        (void)ploy_tactical_points_remove(points, ids[i]);
    }
    ploy_edges_fini(&edges);
    ploy_array_fini(&places);
    ploy_array_fini(&made);
    return result;
}
