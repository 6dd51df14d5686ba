// Getting about on a waypoint network; see network.h.
#include <math.h>
#include <string.h>

#include "path/network_internal.h"

#include "path/path_internal.h"
#include "ploy/path/heuristic.h"

bool ployi_waypoint_arrived(const ploy_waypoint *waypoint, ploy_vec3 from, ploy_vec3 to) {
    // The point of the step that is nearest to the waypoint, in double, because steps are short
    // and worlds are wide.
    double step[3] = {(double)to.x - (double)from.x, (double)to.y - (double)from.y,
                      (double)to.z - (double)from.z};
    double away[3] = {(double)waypoint->position.x - (double)from.x,
                      (double)waypoint->position.y - (double)from.y,
                      (double)waypoint->position.z - (double)from.z};
    double length_sq = 0.0, along = 0.0, distance_sq = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        length_sq += step[i] * step[i];
        along += step[i] * away[i];
    }
    double t = length_sq > 0.0 ? along / length_sq : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    for (int32_t i = 0; i < 3; i++) {
        double gap = away[i] - step[i] * t;
        distance_sq += gap * gap;
    }
    return distance_sq <= (double)waypoint->radius * (double)waypoint->radius;
}

// Candidates for ploy_network_closest that are tested in one pass.
#define NETWORK_BATCH PLOY_CAPACITY(256)

// The nearest waypoints behind the last one that was tested, as a heap with the furthest on top.
typedef struct networkfind_batch {
    const ploy_network *network;
    ploy_vec3 point;
    bool within_radius;
    ploy_found last; // the rank is the distance, m
    int32_t count;
    ploy_found items[NETWORK_BATCH];
} networkfind_batch;

static bool networkfind_nearer(const ploy_found *a, const ploy_found *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

static void networkfind_sift(ploy_found *items, int32_t at, int32_t count) {
    ploy_found item = items[at];
    for (int32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && networkfind_nearer(&items[child], &items[child + 1])) child++;
        if (!networkfind_nearer(&item, &items[child])) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void networkfind_offer(networkfind_batch *batch, ploy_found found) {
    if (batch->count == NETWORK_BATCH) {
        if (!networkfind_nearer(&found, &batch->items[0])) return;
        batch->items[0] = found;
        networkfind_sift(batch->items, 0, batch->count);
        return;
    }
    int32_t at = batch->count++;
    for (; at > 0 && networkfind_nearer(&batch->items[(at - 1) / 2], &found); at = (at - 1) / 2) {
        batch->items[at] = batch->items[(at - 1) / 2];
    }
    batch->items[at] = found;
}

static bool networkfind_visit(void *user, int32_t slot, double *limit) {
    networkfind_batch *batch = user;
    const ployi_network_item *item = ploy_array_at(&batch->network->items, slot);
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    ploy_found found = {ploy_heuristic_between(&straight, batch->point, item->waypoint.position),
                        slot};
    if (batch->within_radius) found.rank -= (double)item->waypoint.radius;
    if (found.rank < 0.0) found.rank = 0.0;
    if (networkfind_nearer(&batch->last, &found)) networkfind_offer(batch, found);
    if (batch->count == NETWORK_BATCH) {
        // A box is never further than its waypoint; a little more for what squares lose.
        double furthest = batch->items[0].rank;
        *limit = furthest * furthest * (1.0 + 1e-9) + 1e-30;
    }
    return true;
}

uint64_t ploy_network_closest(const ploy_network *network, ploy_vec3 point, bool within_radius,
                              ploy_network_sees_fn sees, void *user) {
    if (!ploy_vec3_is_finite(point) || network->index == NULL) return PLOY_WAYPOINT_NONE;
    networkfind_batch batch;
    batch.network = network;
    batch.point = point;
    batch.within_radius = within_radius;
    batch.last.rank = -1.0;
    batch.last.id = -1;
    ploy_query3 query = ploy_query3_nearest(point, INFINITY);
    for (;;) {
        batch.count = 0;
        ploy_bvh3_visit(network->index, &query, networkfind_visit, &batch, NULL);
        int32_t count = batch.count;
        if (count == 0) return PLOY_WAYPOINT_NONE;
        for (int32_t i = count - 1; i > 0; i--) {
            ploy_found furthest = batch.items[0];
            batch.items[0] = batch.items[i];
            batch.items[i] = furthest;
            networkfind_sift(batch.items, 0, i);
        }
        for (int32_t i = 0; i < count; i++) {
            const ployi_network_item *item = ploy_array_at(&network->items, batch.items[i].id);
            if (sees == NULL || sees(user, point, item->waypoint.position)) {
                return item->waypoint.id;
            }
        }
        if (count < NETWORK_BATCH) return PLOY_WAYPOINT_NONE;
        batch.last = batch.items[count - 1];
    }
}

static ploy_result networkfind_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_network *network = user;
    ploy_space space = ploy_graph_space(network->graph);
    return space.expand(space.user, state, out);
}

static ploy_result networkfind_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_network *network = user;
    ploy_space space = ploy_graph_space(network->graph);
    return space.expand_back(space.user, state, out);
}

static double networkfind_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_network *network = user;
    if (goal == PLOY_STATE_NONE) return 0.0;
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    straight.scale = (double)network->least;
    return ploy_heuristic_between(&straight, ployi_network_position(network, state),
                                  ployi_network_position(network, goal));
}

ploy_space ploy_network_space(const ploy_network *network) {
    ploy_space space = {ploy_graph_node_slots(network->graph), networkfind_expand,
                        networkfind_expand_back, networkfind_estimate, (void *)(uintptr_t)network};
    return space;
}

uint64_t ploy_network_id(const ploy_network *network, int32_t state) {
    const ployi_network_item *item = ploy_array_at(&network->items, state);
    return item != NULL ? item->waypoint.id : PLOY_WAYPOINT_NONE;
}

ploy_vec3 ployi_network_position(const void *network, int32_t state) {
    const ploy_network *self = network;
    return ploy_graph_position(self->graph, state);
}

ploy_result ploy_network_begin(const ploy_network *network, ploy_search *search, uint64_t from,
                               uint64_t to) {
    ploy_search_start start = {ploy_network_state(network, from), 0.0};
    int32_t goal = ploy_network_state(network, to);
    if (start.state < 0 || goal < 0) return PLOY_ERR_NOT_FOUND;
    ploy_space space = ploy_network_space(network);
    ploy_search_query query = ploy_search_query_make(&space, &start, goal);
    return ploy_search_begin(search, &query);
}

int32_t ploy_network_path(const ploy_network *network, const ploy_search *search, uint64_t *out,
                          int32_t capacity) {
    int32_t goal = ploy_search_goal(search);
    int32_t edges = goal >= 0 ? ploy_search_path(search, goal, NULL, 0, NULL) : -1;
    if (edges < 0) return -1;
    // From the goal back along the parents; what does not fit is left out.
    int32_t state = goal;
    for (int32_t i = edges; i >= 0 && state >= 0; i--) {
        ploy_search_node node;
        if (i < capacity) out[i] = ploy_network_id(network, state);
        if (!ploy_search_get(search, state, &node)) break;
        state = node.parent;
    }
    return edges + 1;
}

// Drops waypoints before the last one that is seen from the start.
static void networkfind_trim(const ploy_network *network, ploy_vec3 from, ploy_network_sees_fn sees,
                             void *user, uint64_t *path, int32_t *count) {
    int32_t first = *count - 1;
    ploy_waypoint next;
    while (first > 0 && sees != NULL && ploy_network_get(network, path[first], &next) &&
           !sees(user, from, next.position)) {
        first--;
    }
    memmove(path, path + first, (size_t)(*count - first) * sizeof *path);
    *count -= first;
}

ploy_result ploy_network_find(const ploy_network *network, ploy_search *search, ploy_vec3 from,
                              ploy_vec3 to, bool trim, ploy_network_sees_fn sees, void *user,
                              uint64_t *out, int32_t capacity, int32_t *count) {
    if (search == NULL || count == NULL || capacity < 0) return PLOY_ERR_ARGUMENT;
    uint64_t on = ploy_network_closest(network, from, false, sees, user);
    uint64_t off = ploy_network_closest(network, to, false, sees, user);
    if (on == PLOY_WAYPOINT_NONE || off == PLOY_WAYPOINT_NONE) return PLOY_ERR_NOT_FOUND;
    if ((on == off || trim) && (sees == NULL || sees(user, from, to))) {
        *count = 0; // nothing between: walk straight
        return PLOY_OK;
    }
    ploy_result result = ploy_network_begin(network, search, on, off);
    if (result == PLOY_OK) result = ploy_search_step(search, NULL);
    if (result != PLOY_OK) return result;
    if (ploy_search_outcome_of(search) != PLOY_SEARCH_FOUND) return PLOY_ERR_NOT_FOUND;
    int32_t found = ploy_network_path(network, search, out, capacity);
    if (trim && found <= capacity) networkfind_trim(network, from, sees, user, out, &found);
    *count = found;
    return PLOY_OK;
}
