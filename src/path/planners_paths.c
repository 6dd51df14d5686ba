// Planners: ways as paths, and ways that are remembered; see the headers.
#include <string.h>

#include "path/planners_internal.h"
#include "ploy/base/math.h"

typedef struct planners_sight {
    const ploy_representation *division;
    ploy_representation_body body;
} planners_sight;

static bool planners_clear(void *user, ploy_vec3 from, ploy_vec3 to) {
    const planners_sight *sight = user;
    return sight->division->clear(sight->division->user, from, to, &sight->body);
}

ploy_result ployi_planners_append(ploy_path *path, ploy_vec3 at, const ploy_path_edge *edge) {
    int32_t count = ploy_path_count(path);
    ploy_vec2 point = ploy_vec2_from_vec3(at);
    // Standing on a node already is no edge of its own.
    if (edge == NULL && count > 0 && ploy_vec2_equal(ploy_path_point(path, count - 1), point)) {
        return PLOY_OK;
    }
    return ploy_path_append(path, point, at.z, edge);
}

ploy_result ployi_planners_compose(ploy_planners *planners, const ployi_planners_slot *slot,
                                   const ploy_edge *edges, int32_t count, bool arrives,
                                   ploy_path *out) {
    const ploy_path_request *asked = &slot->request;
    const ployi_planners_ground *ground = ployi_planners_ground_of(planners, slot);
    planners_sight sight = {&ground->division, {asked->radius, asked->mask}};
    const ploy_representation *division = sight.division;
    ploy_path *raw = planners->raw;
    ploy_path_clear(raw);
    ploy_result result = ployi_planners_append(raw, asked->from, NULL);
    if (result == PLOY_OK) {
        result = ployi_planners_append(raw, division->localise(division->user, slot->start), NULL);
    }
    int32_t at = slot->start;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_path_edge way;
        memset(&way, 0, sizeof way);
        way.cost = (float)edges[i].cost;
        if (division->travel != NULL) division->travel(division->user, at, &edges[i], &way);
        result = ployi_planners_append(raw, division->localise(division->user, edges[i].to), &way);
        at = edges[i].to;
    }
    if (result == PLOY_OK && arrives) result = ployi_planners_append(raw, asked->to, NULL);
    ploy_smooth_rule rule = ploy_smooth_rule_make(planners->def.smooth, planners_clear, &sight);
    rule.turn_radius = planners->def.turn_radius;
    // Smoothing knows no prices: it would cut through what a hook avoids.
    bool plain = division->clear != NULL && ployi_planners_hook(planners, slot).fn == NULL;
    if (!plain) rule.kind = PLOY_SMOOTH_NONE;
    if (result == PLOY_OK) result = ploy_path_smooth(raw, &rule, &planners->env, out, NULL);
    if (result != PLOY_OK) ploy_path_clear(out);
    return result;
}

ploy_result ployi_planners_take_edges(ploy_planners *planners, const ploy_search *search,
                                      int32_t state) {
    int32_t count = ploy_search_path(search, state, NULL, 0, NULL);
    ploy_result result = ploy_array_resize(&planners->edges, ploy_maxi(count, 0));
    if (result == PLOY_OK && count > 0) {
        (void)ploy_search_path(search, state, planners->edges.items, count, NULL);
    }
    return result;
}

ploy_result ployi_planners_take_cells(ploy_planners *planners, const ployi_planners_slot *slot,
                                      const ploy_grid_search *grid, int32_t cell) {
    const ployi_planners_ground *ground = ployi_planners_ground_of(planners, slot);
    int32_t count = ploy_grid_search_path(grid, cell, NULL, 0), at = slot->start;
    ploy_result result = ploy_array_resize(&planners->cells, ploy_maxi(count, 0));
    if (result == PLOY_OK) result = ploy_array_resize(&planners->edges, ploy_maxi(count, 0));
    if (result != PLOY_OK) return result;
    int32_t *cells = PLOY_ARRAY_ITEMS(&planners->cells, int32_t);
    ploy_edge *edges = PLOY_ARRAY_ITEMS(&planners->edges, ploy_edge);
    ploy_grid_search_path(grid, cell, cells, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t way = 0;
        while (way < 8 && ploy_tiles_neighbour(ground->walker.tiles, at, way) != cells[i]) way++;
        edges[i].to = at = cells[i];
        edges[i].label = way;
    }
    at = slot->start;
    for (int32_t i = 0; i < count; i++) {
        edges[i].cost = ploy_tiles_walker_step(&ground->walker, at, edges[i].label);
        at = edges[i].to;
    }
    return PLOY_OK;
}

// ---- what is remembered ----

static uint64_t planners_generation(const ploy_planners *planners, int32_t ground) {
    const ploy_representation *division = &planners->grounds[ground].division;
    return division->generation != NULL ? division->generation(division->user) : 0;
}

const ployi_planners_way *ployi_planners_recall(ploy_planners *planners, int32_t ground,
                                                int32_t start, int32_t goal, int32_t *from) {
    uint64_t generation = planners_generation(planners, ground);
    for (int32_t i = 0; i < planners->def.cached; i++) {
        ployi_planners_way *way = &planners->ways[i];
        if (way->edges.count == 0 || way->goal != goal || way->ground != ground) continue;
        if (way->generation != generation) { // an edit may have put a wall across it
            ploy_array_clear(&way->edges);
            continue;
        }
        const ploy_edge *edges = PLOY_ARRAY_ITEMS(&way->edges, ploy_edge);
        for (int32_t k = 0; k < way->edges.count; k++) {
            if ((k == 0 ? way->start : edges[k - 1].to) != start) continue;
            way->used = ++planners->clock;
            *from = k;
            return way;
        }
    }
    return NULL;
}

void ployi_planners_remember(ploy_planners *planners, int32_t ground, int32_t start, int32_t goal) {
    if (planners->def.cached == 0 || planners->edges.count == 0) return;
    ployi_planners_way *oldest = &planners->ways[0];
    for (int32_t i = 1; i < planners->def.cached; i++) {
        ployi_planners_way *way = &planners->ways[i];
        bool empty = way->edges.count == 0 && oldest->edges.count > 0;
        if (empty || (way->used < oldest->used && (oldest->edges.count > 0))) oldest = way;
    }
    ploy_array_clear(&oldest->edges);
    if (ploy_array_push_many(&oldest->edges, planners->edges.items, planners->edges.count) !=
        PLOY_OK) {
        ploy_array_clear(&oldest->edges);
        return;
    }
    oldest->start = start;
    oldest->goal = goal;
    oldest->ground = ground;
    oldest->generation = planners_generation(planners, ground);
    oldest->used = ++planners->clock;
}
