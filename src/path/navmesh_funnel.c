// The funnel: the shortest path through a row of portals.
//
// From the last bend one looks through all portals so far; what is seen is a wedge between the
// nearest ends to the left and right. A portal that narrows the wedge becomes its side; one whose
// end crosses the other side makes that side's end the next bend, and everything begins again there.
// Sides are decided exactly, so the string never cuts a corner by a rounding error.
#include "path/navmesh_query_internal.h"

typedef struct navfunnel_end {
    ploy_vec2 at;
    float height;
} navfunnel_end;

typedef struct navfunnel {
    const ployi_nav_row *row;
    ploy_path *path;
    int32_t *marks;
    int32_t room;
    int32_t first, end; // portals of this stretch: vias first .. end - 1
    navfunnel_end goal; // where the stretch ends
} navfunnel;

typedef struct navfunnel_portal {
    ploy_vec2 left, right;
} navfunnel_portal;

// Portal `index` of the stretch; the one behind the last is the goal.
static inline navfunnel_portal navfunnel_at(const navfunnel *funnel, int32_t index) {
    const ployi_nav_row *row = funnel->row;
    navfunnel_portal portal = {funnel->goal.at, funnel->goal.at};
    if (index >= funnel->end) return portal;
    const ployi_nav_edge *edge = &row->mesh->edges[row->vias[index]];
    portal.right = edge->at; // the floor is to the left of an edge
    portal.left = ployi_nav_to(edge);
    if (row->trim > 0.0f) {
        ployi_nav_trim(row->mesh, row->vias[index], row->trim, &portal.left, &portal.right);
    }
    return portal;
}

// Adds a point that lies on polygon `mark` of the row.
static ploy_result navfunnel_add(const navfunnel *funnel, navfunnel_end end, int32_t mark,
                                 const ploy_path_edge *edge) {
    ploy_path *path = funnel->path;
    int32_t count = ploy_path_count(path);
    bool again =
        edge == NULL && count > 0 && ploy_vec2_equal(ploy_path_point(path, count - 1), end.at);
    if (again) count--;
    if (funnel->marks != NULL && count < funnel->room) funnel->marks[count] = mark;
    return again ? PLOY_OK : ploy_path_append(path, end.at, end.height, edge);
}

// A bend at an end of portal `index`, or the goal. Ends of whole portals are vertices, whose height
// is known.
static ploy_result navfunnel_bend(const navfunnel *funnel, ploy_vec2 point, bool left,
                                  int32_t index) {
    const ployi_nav_row *row = funnel->row;
    if (index >= funnel->end) return navfunnel_add(funnel, funnel->goal, funnel->end, NULL);
    const ployi_nav_edge *edge = &row->mesh->edges[row->vias[index]];
    if (left) edge = &row->mesh->edges[edge->twin];
    navfunnel_end end = {point, ployi_nav_vertex_height(row->mesh, edge->vertex)};
    if (row->trim > 0.0f) {
        end.height = ploy_navmesh_height(row->mesh, row->polygons[index], point);
    }
    return navfunnel_add(funnel, end, index, NULL);
}

// A side of the wedge: where it ends, and how it goes there from the bend.
typedef struct navfunnel_side {
    ploy_vec2 at;
    double x, y;
    int32_t index; // of the portal
} navfunnel_side;

static inline navfunnel_side navfunnel_toward(ploy_vec2 apex, ploy_vec2 at, int32_t index) {
    navfunnel_side side = {at, (double)at.x - (double)apex.x, (double)at.y - (double)apex.y, index};
    return side;
}

// ploy_orient2(apex, a, b), its first look from what is known.
static inline int32_t navfunnel_turn(ploy_vec2 apex, const navfunnel_side *a,
                                     const navfunnel_side *b) {
    int32_t sign = ployi_nav_sign(a->x, a->y, b->x, b->y);
    return sign != 0 ? sign : ployi_nav_turn_exact(apex, a->at, b->at);
}

// Pulls one side of the wedge in to a portal's end; `hand` is 1 for the right one, -1 for the left.
// @return false if the end lies beyond the other side, where the string bends then.
static inline bool navfunnel_narrow(ploy_vec2 apex, navfunnel_side *side,
                                    const navfunnel_side *other, const navfunnel_side *end,
                                    int32_t hand) {
    int32_t inward = hand * navfunnel_turn(apex, side, end);
    if (inward < 0) return true; // it is wider there
    bool same = inward == 0 && ploy_vec2_equal(side->at, end->at);
    if (!same && hand * navfunnel_turn(apex, other, end) >= 0) return false;
    *side = *end;
    return true;
}

// From a bend, or the start, looks through the portals from `*next` on until the string must bend.
// @return 1 or -1: bend at the right or left end of portal `*next`; 0: the goal is seen.
static int32_t navfunnel_look(const navfunnel *funnel, ploy_vec2 apex, int32_t *next) {
    int32_t i = *next;
    navfunnel_portal portal = navfunnel_at(funnel, i);
    navfunnel_side left = navfunnel_toward(apex, portal.left, i);
    navfunnel_side right = navfunnel_toward(apex, portal.right, i);
    while (i < funnel->end) {
        portal = navfunnel_at(funnel, ++i);
        navfunnel_side to_right = navfunnel_toward(apex, portal.right, i);
        navfunnel_side to_left = navfunnel_toward(apex, portal.left, i);
        if (!navfunnel_narrow(apex, &right, &left, &to_right, 1)) {
            *next = left.index;
            return -1;
        }
        if (!navfunnel_narrow(apex, &left, &right, &to_left, -1)) {
            *next = right.index;
            return 1;
        }
    }
    return 0;
}

static ploy_result navfunnel_pull(const navfunnel *funnel, ploy_vec2 start) {
    ploy_vec2 apex = start;
    for (int32_t i = funnel->first; i < funnel->end;) {
        // Portals that end in the bend are gone through there.
        navfunnel_portal portal = navfunnel_at(funnel, i);
        if (ploy_vec2_equal(portal.left, apex) || ploy_vec2_equal(portal.right, apex)) {
            i++;
            continue;
        }
        int32_t bend = navfunnel_look(funnel, apex, &i);
        if (bend == 0) break;
        portal = navfunnel_at(funnel, i);
        apex = bend < 0 ? portal.left : portal.right;
        ploy_result result = navfunnel_bend(funnel, apex, bend < 0, i);
        if (result != PLOY_OK) return result;
    }
    return navfunnel_add(funnel, funnel->goal, funnel->end, NULL);
}

static navfunnel_end navfunnel_place(ploy_vec3 point) {
    navfunnel_end end = {ploy_vec2_from_vec3(point), point.z};
    return end;
}

// The row is cut at links; each stretch between them is pulled by itself.
ploy_result ployi_nav_pull(const ployi_nav_row *row, ploy_path *path, int32_t *marks,
                           int32_t room) {
    const ploy_navmesh *mesh = row->mesh;
    navfunnel funnel = {row, path, marks, room, 0, 0, navfunnel_place(row->from)};
    ploy_vec2 start = funnel.goal.at;
    ploy_result result = navfunnel_add(&funnel, funnel.goal, 0, NULL);
    int32_t count = row->count - 1;
    while (result == PLOY_OK) {
        int32_t end = mesh->stats.links > 0 ? funnel.first : count;
        while (end < count && row->vias[end] < mesh->stats.edges) end++;
        funnel.end = end;
        funnel.goal = navfunnel_place(row->to);
        if (end == count) return navfunnel_pull(&funnel, start);
        int32_t gone = row->vias[end] - mesh->stats.edges;
        const ploy_navmesh_link *link = &mesh->links[gone / 2];
        bool forward = (gone & 1) == 0;
        funnel.goal = navfunnel_place(forward ? link->from : link->to);
        result = navfunnel_pull(&funnel, start);
        if (result != PLOY_OK) break;
        ploy_path_edge edge = {link->kind, link->cost * row->price[link->area], 0.0f, link->id};
        navfunnel_end landing = navfunnel_place(forward ? link->to : link->from);
        start = landing.at;
        result = navfunnel_add(&funnel, landing, end + 1, &edge);
        funnel.first = end + 1;
    }
    return result;
}

// The corridor's path to a place.
static ploy_result navfunnel_write(const ploy_navmesh_query *query, ploy_vec3 end,
                                   ploy_path *path) {
    ploy_path_clear(path);
    ployi_nav_row row = {query->mesh,           query->corridor,           query->vias,
                         query->corridor_count, query->request.from.point, end,
                         query->trim,           query->filter.cost};
    ploy_result result = ployi_nav_pull(&row, path, NULL, 0);
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}

ploy_result ploy_navmesh_query_path(ploy_navmesh_query *query, ploy_path *path) {
    if (path == NULL) return PLOY_ERR_ARGUMENT;
    if (query->phase != PLOYI_NAV_DONE || query->corridor_count == 0) return PLOY_ERR_STATE;
    return navfunnel_write(query, query->answer.end.point, path);
}

ploy_result ploy_navmesh_query_peek(ploy_navmesh_query *query, ploy_path *path) {
    if (path == NULL || query->phase != PLOYI_NAV_RUNNING) {
        return ploy_navmesh_query_path(query, path);
    }
    ploy_navmesh_place end = ployi_nav_search_peek(query);
    ploy_result result = navfunnel_write(query, end.point, path);
    query->corridor_count = 0; // a search that is open has none
    return result;
}
