// The funnel: the shortest way through a row of portals.
//
// From the last bend one looks through all portals so far; what is seen is a wedge between the
// nearest ends to the left and right. A portal that narrows the wedge becomes its side; one whose
// end crosses the other side makes that side's end the next bend, and everything begins anew there.
// Sides are decided exactly, so the string never cuts a corner by a rounding error.
#include "path/navmesh_query_internal.h"
#include "ploy/geom/predicates.h"

typedef struct navfunnel {
    const ploy_navmesh_query *query;
    ploy_path *path;
    int32_t first, end; // portals of this stretch: vias first .. end - 1
    ploy_vec2 goal;     // where the stretch ends
    int32_t goal_polygon;
} navfunnel;

typedef struct navfunnel_portal {
    ploy_vec2 left, right;
} navfunnel_portal;

// Portal `index` of the stretch; the one behind the last is the goal.
static navfunnel_portal navfunnel_at(const navfunnel *funnel, int32_t index) {
    const ploy_navmesh_query *query = funnel->query;
    navfunnel_portal portal = {funnel->goal, funnel->goal};
    if (index < funnel->end) {
        ployi_nav_trim(query->mesh, query->corridor[index], query->vias[index],
                       query->request.radius, &portal.left, &portal.right);
    }
    return portal;
}

static ploy_result navfunnel_add(ploy_path *path, const ploy_navmesh *mesh, int32_t polygon,
                                 ploy_vec2 point, const ploy_path_edge *edge) {
    int32_t count = ploy_path_count(path);
    if (edge == NULL && count > 0 && ploy_vec2_equal(ploy_path_point(path, count - 1), point)) {
        return PLOY_OK;
    }
    return ploy_path_append(path, point, ploy_navmesh_height(mesh, polygon, point), edge);
}

static ploy_result navfunnel_bend(const navfunnel *funnel, ploy_vec2 point, int32_t index) {
    int32_t polygon = index < funnel->end ? funnel->query->corridor[index] : funnel->goal_polygon;
    return navfunnel_add(funnel->path, funnel->query->mesh, polygon, point, NULL);
}

static ploy_result navfunnel_pull(const navfunnel *funnel, ploy_vec2 start) {
    ploy_vec2 apex = start, left = start, right = start;
    int32_t left_at = funnel->first, right_at = funnel->first;
    for (int32_t i = funnel->first; i <= funnel->end; i++) {
        navfunnel_portal portal = navfunnel_at(funnel, i);
        if (ploy_orient2(apex, right, portal.right) >= 0) {
            if (ploy_vec2_equal(apex, right) || ploy_orient2(apex, left, portal.right) < 0) {
                right = portal.right;
                right_at = i;
            } else { // over the left side: bend there
                ploy_result result = navfunnel_bend(funnel, left, left_at);
                if (result != PLOY_OK) return result;
                apex = right = left;
                i = right_at = left_at;
                continue;
            }
        }
        if (ploy_orient2(apex, left, portal.left) <= 0) {
            if (ploy_vec2_equal(apex, left) || ploy_orient2(apex, right, portal.left) > 0) {
                left = portal.left;
                left_at = i;
            } else {
                ploy_result result = navfunnel_bend(funnel, right, right_at);
                if (result != PLOY_OK) return result;
                apex = left = right;
                i = left_at = right_at;
                continue;
            }
        }
    }
    return navfunnel_bend(funnel, funnel->goal, funnel->end);
}

// The corridor is cut at links; each stretch between them is pulled by itself.
static ploy_result navfunnel_write(const ploy_navmesh_query *query, ploy_path *path) {
    const ploy_navmesh *mesh = query->mesh;
    ploy_vec2 start = ploy_vec2_from_vec3(query->request.from.point);
    ploy_result result = navfunnel_add(path, mesh, query->corridor[0], start, NULL);
    int32_t first = 0, count = query->corridor_count - 1;
    while (result == PLOY_OK) {
        int32_t end = first;
        while (end < count && query->vias[end] < mesh->stats.edges) end++;
        navfunnel funnel = {query,
                            path,
                            first,
                            end,
                            ploy_vec2_from_vec3(query->answer.end.point),
                            query->corridor[end]};
        if (end == count) return navfunnel_pull(&funnel, start);
        int32_t gone = query->vias[end] - mesh->stats.edges;
        const ploy_navmesh_link *link = &mesh->links[gone / 2];
        bool forward = (gone & 1) == 0;
        funnel.goal = ploy_vec2_from_vec3(forward ? link->from : link->to);
        result = navfunnel_pull(&funnel, start);
        if (result != PLOY_OK) break;
        ploy_path_edge edge = {link->kind, link->cost * query->filter.cost[link->area], 0.0f,
                               link->id};
        start = ploy_vec2_from_vec3(forward ? link->to : link->from);
        result = navfunnel_add(path, mesh, query->corridor[end + 1], start, &edge);
        first = end + 1;
    }
    return result;
}

ploy_result ploy_navmesh_query_path(ploy_navmesh_query *query, ploy_path *path) {
    if (path == NULL) return PLOY_ERR_ARGUMENT;
    if (query->phase != PLOYI_NAV_DONE) return PLOY_ERR_STATE;
    ploy_path_clear(path);
    ploy_result result = navfunnel_write(query, path);
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}
