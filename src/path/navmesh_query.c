// Queries of a navigation mesh: their life, and searches from outside.
//
// Invariants, from create to destroy:
//   (1) one block holds all arrays; nothing is allocated afterwards but by set_nodes;
//   (2) each record of [0, record_count) has one slot of this round, before a free one;
//   (3) corridor[0] is the start's polygon, vias[i] leads from corridor[i] to corridor[i + 1].
#include "ploy/path/navmesh_query.h"

#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

#include <string.h>

ploy_navmesh_filter ploy_navmesh_filter_default(void) {
    ploy_navmesh_filter filter;
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) filter.cost[i] = 1.0f;
    filter.include = UINT32_MAX;
    filter.exclude = 0;
    filter.clearance = 0.0f;
    return filter;
}

const char *ploy_navmesh_method_text(ploy_navmesh_method method) {
    switch (method) {
    case PLOY_NAVMESH_EDGES: return "edges";
    case PLOY_NAVMESH_POLYGONS: return "polygons";
    case PLOY_NAVMESH_CROSSINGS: return "crossings";
    }
    return "unknown";
}

// Lays the arrays out in the block; with none it only measures.
static size_t navquery_layout(ploy_navmesh_query *query) {
    unsigned char *block = query->block;
    int64_t records = (int64_t)query->nodes + 1, polygons = query->mesh->stats.polygons;
    size_t used = 0;
    query->marks = ployi_nav_part(block, &used, polygons / 64 + 1, sizeof *query->marks);
    query->flooded = ployi_nav_part(block, &used, polygons / 64 + 1, sizeof *query->flooded);
    query->records = ployi_nav_part(block, &used, records, sizeof *query->records);
    query->open = ployi_nav_part(block, &used, records, sizeof *query->open);
    query->corridor = ployi_nav_part(block, &used, records + 1, sizeof *query->corridor);
    query->vias = ployi_nav_part(block, &used, records + 1, sizeof *query->vias);
    query->slots =
        ployi_nav_part(block, &used, (int64_t)query->slot_mask + 1, sizeof *query->slots);
    query->queue = ployi_nav_part(block, &used, records, sizeof *query->queue);
    return used;
}

// Takes memory for that many nodes; the query is unchanged if there is none.
static ploy_result navquery_take(ploy_navmesh_query *query, int32_t nodes) {
    const ploy_navmesh *mesh = query->mesh;
    ploy_navmesh_query wider = *query;
    // Walls are not nodes of a search; floods reach polygons.
    int64_t most = 2 * ((int64_t)mesh->stats.portals + mesh->stats.links) + 1;
    if (most < mesh->stats.polygons) most = mesh->stats.polygons;
    wider.nodes = most < nodes ? (int32_t)most : nodes;
    wider.slot_mask = 1;
    while (wider.slot_mask < 2 * (uint32_t)wider.nodes) wider.slot_mask = 2 * wider.slot_mask + 1;
    wider.block = NULL;
    wider.size = navquery_layout(&wider);
    if (wider.size != SIZE_MAX) wider.block = ploy_env_alloc_zero(&query->env, wider.size);
    if (wider.block == NULL) return PLOY_ERR_MEMORY;
    navquery_layout(&wider);
    wider.marked = -1;
    wider.record_count = 0;
    wider.round = 0;
    ploy_env_free(&query->env, query->block, query->size);
    *query = wider;
    return PLOY_OK;
}

ploy_result ploy_navmesh_query_create(const ploy_navmesh *mesh, const ploy_env *env,
                                      ploy_navmesh_query **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_navmesh_query *query = ploy_env_alloc_zero(env, sizeof *query);
    if (query == NULL) return PLOY_ERR_MEMORY;
    query->env = *env;
    query->mesh = mesh;
    query->node_count = mesh->stats.edges + 2 * mesh->stats.links + 1;
    ploy_result result = navquery_take(query, PLOY_NAVMESH_NODES);
    if (result != PLOY_OK) {
        ploy_env_free(env, query, sizeof *query);
        return result;
    }
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    ploy_navmesh_query_set_filter(query, &filter);
    *out = query;
    return PLOY_OK;
}

void ploy_navmesh_query_destroy(ploy_navmesh_query *query) {
    if (query == NULL) return;
    ploy_env env = query->env;
    ploy_env_free(&env, query->block, query->size);
    ploy_env_free(&env, query, sizeof *query);
}

ploy_result ploy_navmesh_query_set_nodes(ploy_navmesh_query *query, int32_t nodes) {
    if (nodes < PLOY_NAVMESH_NODES_MIN || nodes > PLOY_NAVMESH_NODES_MAX) return PLOY_ERR_ARGUMENT;
    ploy_navmesh_query_cancel(query);
    return navquery_take(query, nodes);
}

ploy_result ploy_navmesh_query_set_filter(ploy_navmesh_query *query,
                                          const ploy_navmesh_filter *filter) {
    if (filter == NULL) return PLOY_ERR_ARGUMENT;
    float least = INFINITY;
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        if (!ploy_in_range(filter->cost[i], 1e-3f, 1e6f)) return PLOY_ERR_ARGUMENT;
        least = ploy_minf(least, filter->cost[i]);
    }
    if (!ploy_in_range(filter->clearance, 0.0f, 1e9f)) return PLOY_ERR_ARGUMENT;
    const ploy_navmesh *mesh = query->mesh;
    query->filter = *filter;
    query->all = (mesh->flags_all & filter->include) != 0 &&
                 (mesh->flags_any & filter->exclude) == 0 &&
                 mesh->clearance_least >= filter->clearance;
    query->least = least;
    // A hair less than the truth, so that rounding never makes the estimate too high.
    query->scale = least * query->mesh->link_scale * 0.99999f;
    ploy_navmesh_query_cancel(query);
    return PLOY_OK;
}

void ploy_navmesh_query_set_costs(ploy_navmesh_query *query, const ploy_cost_hook *costs) {
    query->costs = costs != NULL ? *costs : ploy_cost_hook_none();
    ploy_navmesh_query_cancel(query);
}

ploy_navmesh_request ploy_navmesh_request_make(ploy_navmesh_place from, ploy_navmesh_place to) {
    ploy_navmesh_request request = {from, to, PLOY_NAVMESH_CROSSINGS, 0.0f, NULL, NULL};
    return request;
}

ploy_navmesh_place ployi_nav_place(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    ploy_navmesh_place place;
    place.polygon = polygon;
    place.point = ploy_navmesh_closest(mesh, polygon, point);
    place.distance = ploy_vec2_distance(ploy_vec2_from_vec3(place.point), point);
    return place;
}

ploy_result ploy_navmesh_query_begin(ploy_navmesh_query *query,
                                     const ploy_navmesh_request *request) {
    if (request == NULL || !ployi_nav_place_ok(query, &request->from) ||
        (request->is_goal == NULL && !ployi_nav_place_ok(query, &request->to)) ||
        !ploy_in_range(request->radius, 0.0f, 1e9f) ||
        (request->method != PLOY_NAVMESH_EDGES && request->method != PLOY_NAVMESH_POLYGONS &&
         request->method != PLOY_NAVMESH_CROSSINGS)) {
        return PLOY_ERR_ARGUMENT;
    }
    bool sized = query->mesh->clearance_least < INFINITY;
    float width = sized ? request->radius : 0.0f;
    if (!ployi_nav_may_enter(query, request->from.polygon) ||
        ployi_nav_fits(query->mesh, request->from.polygon) < width) {
        return PLOY_ERR_DENIED;
    }
    query->request = *request;
    if (request->is_goal != NULL) {
        query->request.to = request->from; // where one looks from while there is no goal
        if (request->method == PLOY_NAVMESH_CROSSINGS) query->request.method = PLOY_NAVMESH_EDGES;
    }
    query->width = width;
    query->trim = sized ? 0.0f : request->radius;
    query->phase = PLOYI_NAV_RUNNING;
    memset(&query->answer, 0, sizeof query->answer);
    query->answer.outcome = PLOY_PATH_OPEN;
    query->answer.end = request->from;
    query->corridor_count = 0;
    ployi_nav_search_begin(query);
    return PLOY_OK;
}

ploy_result ploy_navmesh_query_step(ploy_navmesh_query *query, ploy_budget *budget) {
    if (query->phase == PLOYI_NAV_IDLE) return PLOY_ERR_STATE;
    if (query->phase == PLOYI_NAV_DONE) return PLOY_OK;
    return ployi_nav_search_step(query, budget);
}

void ploy_navmesh_query_cancel(ploy_navmesh_query *query) {
    query->phase = PLOYI_NAV_IDLE;
    memset(&query->answer, 0, sizeof query->answer);
    query->answer.outcome = PLOY_PATH_NONE;
    query->answer.end.polygon = -1;
    query->corridor_count = 0;
    query->open_count = 0;
    query->record_count = 0;
    query->held.record = -1;
}

ploy_navmesh_answer ploy_navmesh_query_answer(const ploy_navmesh_query *query) {
    ploy_navmesh_answer answer = query->answer;
    answer.open = query->open_count + (query->held.record >= 0);
    return answer;
}

const int32_t *ploy_navmesh_query_corridor(const ploy_navmesh_query *query, int32_t *count) {
    *count = query->corridor_count;
    return query->corridor;
}

ploy_result ploy_navmesh_find_path(ploy_navmesh_query *query, const ploy_navmesh_request *request,
                                   ploy_path *path, ploy_navmesh_answer *answer) {
    ploy_result result = ploy_navmesh_query_begin(query, request);
    if (result == PLOY_OK) result = ploy_navmesh_query_step(query, NULL);
    if (result == PLOY_OK && path != NULL) {
        ploy_path_clear(path);
        if (query->corridor_count > 0) result = ploy_navmesh_query_path(query, path);
    }
    if (result == PLOY_OK && answer != NULL) *answer = ploy_navmesh_query_answer(query);
    return result;
}

void ploy_navmesh_query_describe(const ploy_navmesh_query *query, ploy_describe *out) {
    ploy_navmesh_answer answer = ploy_navmesh_query_answer(query);
    ploy_describe_text(out, "method", PLOY_STATE, ploy_navmesh_method_text(query->request.method));
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_path_outcome_text(answer.outcome));
    ploy_describe_f32(out, "cost", PLOY_STATE, answer.cost);
    ploy_describe_i64(out, "pops", PLOY_STATE, answer.pops);
    ploy_describe_i64(out, "open", PLOY_STATE, answer.open);
    ploy_describe_i64(out, "corridor", PLOY_STATE, query->corridor_count);
    ploy_describe_vec3(out, "end", PLOY_STATE, answer.end.point.x, answer.end.point.y,
                       answer.end.point.z);
}

void ployi_nav_draw_polygon(const ploy_navmesh *mesh, int32_t polygon, ploy_style style,
                            ploy_draw *out) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    ploy_vec2 points[PLOY_DRAW_POINTS];
    int32_t count = ploy_mini(ployi_nav_count(p), PLOY_DRAW_POINTS);
    for (int32_t i = 0; i < count; i++) points[i] = mesh->edges[p->first + i].at;
    ploy_draw_polygon(out, PLOY_LAYER_PATHS, style, ploy_agent_id_none(), points, count, 0.3f);
}

// The polygon that a record's node represents; -1: none.
static int32_t navquery_node_polygon(const ploy_navmesh_query *query, int32_t node) {
    if (query->request.method == PLOY_NAVMESH_POLYGONS) {
        return node < query->mesh->stats.polygons ? node : -1;
    }
    return node < query->node_count - 1 ? ployi_nav_via_to(query->mesh, node) : -1;
}

void ploy_navmesh_query_draw(const ploy_navmesh_query *query, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS) || query->phase == PLOYI_NAV_IDLE) return;
    for (int32_t i = 0; i < query->record_count && query->phase == PLOYI_NAV_RUNNING; i++) {
        const ployi_nav_record *record = &query->records[i];
        int32_t polygon = navquery_node_polygon(query, record->node);
        ploy_style style = record->place != -1 ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED;
        if (polygon >= 0) ployi_nav_draw_polygon(query->mesh, polygon, style, out);
    }
    for (int32_t i = 0; i < query->corridor_count; i++) {
        ployi_nav_draw_polygon(query->mesh, query->corridor[i], PLOY_STYLE_GOOD, out);
    }
    for (int32_t i = 0; i + 1 < query->corridor_count; i++) {
        if (query->vias[i] >= query->mesh->stats.edges) continue;
        ploy_vec2 left, right;
        if (ployi_nav_trim(query->mesh, query->vias[i], query->trim, &left, &right)) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, ploy_agent_id_none(), left,
                           right);
        }
    }
}

void ploy_navmesh_query_memory(const ploy_navmesh_query *query, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"navmesh query", sizeof *query + query->size, 2};
    fn(user, &item);
}
