// Getting about on a waypoint network; see network.h.
#include <math.h>
#include <string.h>

#include "path/network_internal.h"
#include "ploy/path/heuristic.h"

bool ploy_waypoint_arrived(const ploy_waypoint *waypoint, ploy_vec3 from, ploy_vec3 to) {
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

uint64_t ploy_network_closest(const ploy_network *network, ploy_vec3 point, bool within_radius,
                              ploy_network_sees_fn sees, void *user) {
    if (!ploy_vec3_is_finite(point)) return PLOY_WAYPOINT_NONE;
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    // Candidates in the order of distance, without a list of them: the nearest behind the last one.
    // Ray casts are dear and the first nearly always succeeds, so this is one walk as a rule.
    double last = -1.0;
    int32_t last_slot = -1;
    for (;;) {
        double best = INFINITY;
        int32_t best_slot = -1;
        ploy_waypoint waypoint, found;
        memset(&found, 0, sizeof found);
        for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
            double distance = ploy_heuristic_between(&straight, point, waypoint.position);
            if (within_radius) distance -= (double)waypoint.radius;
            if (distance < 0.0) distance = 0.0;
            bool behind = distance > last || (distance == last && cursor - 1 > last_slot);
            if (!behind || !(distance < best)) continue;
            best = distance;
            best_slot = cursor - 1;
            found = waypoint;
        }
        if (best_slot < 0) return PLOY_WAYPOINT_NONE;
        if (sees == NULL || sees(user, point, found.position)) return found.id;
        last = best;
        last_slot = best_slot;
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
    return ploy_heuristic_between(&straight, ploy_network_position(network, state),
                                  ploy_network_position(network, goal));
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

ploy_vec3 ploy_network_position(const void *network, int32_t state) {
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

// Drops first waypoints as long as the next one is seen from the start.
static void networkfind_trim(const ploy_network *network, ploy_vec3 from, ploy_network_sees_fn sees,
                             void *user, uint64_t *path, int32_t *count) {
    int32_t first = 0;
    ploy_waypoint next;
    while (first + 1 < *count && ploy_network_get(network, path[first + 1], &next) &&
           (sees == NULL || sees(user, from, next.position))) {
        first++;
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
    if (on == off && (sees == NULL || sees(user, from, to))) {
        *count = 0; // the same waypoint and nothing between: walk straight
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
