// A* over the edges or the polygons of a navigation mesh, on flat records.
//
// The open list is a heap of four children a node; each entry carries what it is compared by, so
// that sifting touches the records only to note places. Of equal ranks the larger cost goes first,
// as it is nearer to its end, then the lower node.
#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

#include <string.h>

int32_t ployi_nav_via_to(const ploy_navmesh *mesh, int32_t via) {
    if (via < mesh->stats.edges) return mesh->edges[via].neighbour;
    return mesh->link_polygons[(via - mesh->stats.edges) ^ 1];
}

// ---- the open list ----

static bool navsearch_before(const ployi_nav_open *a, const ployi_nav_open *b) {
    if (a->rank != b->rank) return a->rank < b->rank;
    if (a->cost != b->cost) return a->cost > b->cost;
    return a->node < b->node;
}

static void navsearch_put(ploy_navmesh_query *query, int32_t at, ployi_nav_open entry) {
    query->open[at] = entry;
    query->records[entry.record].place = at;
}

static void navsearch_up(ploy_navmesh_query *query, int32_t at, ployi_nav_open entry) {
    while (at > 0) {
        int32_t parent = (at - 1) / 4;
        if (!navsearch_before(&entry, &query->open[parent])) break;
        navsearch_put(query, at, query->open[parent]);
        at = parent;
    }
    navsearch_put(query, at, entry);
}

// Puts an entry in the place of the first, which is gone.
static void navsearch_down(ploy_navmesh_query *query, ployi_nav_open entry) {
    int32_t count = query->open_count, at = 0;
    for (;;) {
        int32_t child = 4 * at + 1, end = ploy_mini(child + 4, count), best = child;
        if (child >= count) break;
        for (int32_t i = child + 1; i < end; i++) {
            if (navsearch_before(&query->open[i], &query->open[best])) best = i;
        }
        if (!navsearch_before(&query->open[best], &entry)) break;
        navsearch_put(query, at, query->open[best]);
        at = best;
    }
    navsearch_put(query, at, entry);
}

// The best entry. On the way straight to the goal that is nearly always the one held, and the heap
// is not touched.
static ployi_nav_open navsearch_pop(ploy_navmesh_query *query) {
    ployi_nav_open first = query->held;
    query->held.record = -1;
    if (first.record < 0) {
        first = query->open[0];
        ployi_nav_open last = query->open[--query->open_count];
        if (query->open_count > 0) navsearch_down(query, last);
    } else if (query->open_count > 0 && navsearch_before(&query->open[0], &first)) {
        ployi_nav_open held = first;
        first = query->open[0];
        navsearch_down(query, held);
    }
    query->records[first.record].place = -1;
    return first;
}

// ---- costs ----

static float navsearch_gap(ploy_vec2 a, ploy_vec2 b) {
    float x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

// Takes a path to a node if it is the first or cheaper. The goal has a record that is kept for it.
static inline void navsearch_relax(ploy_navmesh_query *query, int32_t node, int32_t parent,
                                   int32_t via, float cost, ploy_vec2 at) {
    uint32_t slot = 0;
    int32_t place = -1, number = ployi_nav_find(query, node, &slot);
    if (number >= 0) {
        if (!(cost < query->records[number].cost)) return;
        place = query->records[number].place;
    } else {
        if (query->record_count >= query->nodes && node != query->node_count - 1) {
            query->full = true;
            return;
        }
        number = query->record_count++;
        query->slots[slot].round = query->round;
        query->slots[slot].record = number;
    }
    float estimate = query->pull * navsearch_gap(at, ploy_vec2_from_vec3(query->goal.point));
    ployi_nav_open entry = {cost + estimate, cost, node, number};
    ployi_nav_record *record = &query->records[number];
    record->at = at;
    record->cost = cost;
    record->parent = parent;
    record->via = via;
    record->node = node;
    if (place >= 0) {
        navsearch_up(query, place, entry);
        return;
    }
    bool empty = query->held.record < 0;
    if (empty || place == -2 || navsearch_before(&entry, &query->held)) {
        ployi_nav_open worse = query->held;
        query->held = entry;
        record->place = -2;
        if (!empty && place != -2) navsearch_up(query, query->open_count++, worse);
    } else {
        navsearch_up(query, query->open_count++, entry);
    }
}

static bool navsearch_passes(const ploy_navmesh_query *query, int32_t edge) {
    const ployi_nav_edge *e = &query->mesh->edges[edge];
    if (!ployi_nav_may_search(query, e->neighbour)) return false;
    if (!(query->trim > 0.0f)) return true;
    ploy_vec2 left, right;
    return ployi_nav_trim(query->mesh, edge, query->trim, &left, &right);
}

// Where the straight line to the goal crosses a portal, or the end that it passes nearest to: what
// a string would do if nothing else were between. Which of the three it is cannot be foreseen, a
// processor least, so one formula without branches serves them all: the share of the ends' distances
// from the line, each counted (twice) if the end is on its own side and 0 if not.
static inline ploy_vec2 navsearch_crossing(ploy_vec2 at, ploy_vec2 goal, ploy_vec2 left,
                                           ploy_vec2 right) {
    float x = goal.x - at.x, y = goal.y - at.y;
    float to_right = y * (right.x - at.x) - x * (right.y - at.y);
    float to_left = x * (left.y - at.y) - y * (left.x - at.x);
    to_right += fabsf(to_right);
    to_left += fabsf(to_left);
    float whole = to_right + to_left;
    if (whole > 0.0f) {
        float t = to_right / whole;
        return ploy_vec2_make(right.x + t * (left.x - right.x), right.y + t * (left.y - right.y));
    }
    // Behind, or along the line.
    float by_left = navsearch_gap(at, left) + navsearch_gap(left, goal);
    return by_left < navsearch_gap(at, right) + navsearch_gap(right, goal) ? left : right;
}

// A link as it is gone: `end` is 2 * link, + 1 backward.
static ploy_vec2 navsearch_link_from(const ploy_navmesh *mesh, int32_t end) {
    const ploy_navmesh_link *link = &mesh->links[end / 2];
    return ploy_vec2_from_vec3((end & 1) == 0 ? link->from : link->to);
}

static bool navsearch_link_allows(const ploy_navmesh_query *query, int32_t end) {
    return ployi_nav_allows(query, query->mesh->links[end / 2].flags) &&
           ployi_nav_may_search(query, query->mesh->link_polygons[end ^ 1]);
}

// What the hook makes of a cost. What is not a cost closes the edge: going round and round below 0
// would never end.
static float navsearch_hooked(const ploy_navmesh_query *query, int32_t from, int32_t to,
                              int32_t label, float base) {
    double cost = query->costs.fn(query->costs.user, from, to, label, (double)base);
    return cost >= 0.0 ? (float)cost : INFINITY;
}

// What a metre of a polygon costs.
static inline float navsearch_metre(const ploy_navmesh_query *query, int32_t polygon) {
    float metre = query->filter.cost[query->mesh->polygons[polygon].area];
    if (query->costs.fn == NULL) return metre;
    return navsearch_hooked(query, polygon, polygon, -1, metre);
}

static float navsearch_link_cost(const ploy_navmesh_query *query, int32_t end) {
    const ploy_navmesh *mesh = query->mesh;
    const ploy_navmesh_link *link = &mesh->links[end / 2];
    float cost = link->cost * query->filter.cost[link->area];
    if (query->costs.fn == NULL) return cost;
    return navsearch_hooked(query, mesh->link_polygons[end], mesh->link_polygons[end ^ 1], end,
                            cost);
}

// ---- nodes ----

// From a place in a polygon on, if that leads nowhere but to other polygons: from one portal out of
// dead ends to the next, past the one that was entered by. Nothing else has to be looked at.
static inline void navsearch_expand_on(ploy_navmesh_query *query, int32_t record,
                                       const ployi_nav_polygon *p, int32_t entered, ploy_vec2 at,
                                       float cost) {
    const ployi_nav_edge *edges = query->mesh->edges;
    float metre = query->filter.cost[p->area];
    ploy_vec2 goal = ploy_vec2_from_vec3(query->goal.point);
    int32_t first = ployi_nav_next(query->mesh, entered >= 0 ? entered : p->first);
    for (int32_t e = first; e >= 0 && e != entered;) {
        ploy_vec2 crossing = navsearch_crossing(at, goal, ployi_nav_to(&edges[e]), edges[e].at);
        navsearch_relax(query, e, record, e, cost + metre * navsearch_gap(at, crossing), crossing);
        e = ployi_nav_next(query->mesh, e);
        if (e == first) break;
    }
}

// From a place in a polygon to its edges, its links and, if it is there, the goal.
static void navsearch_expand_edges(ploy_navmesh_query *query, int32_t record, int32_t polygon,
                                   int32_t entered, ploy_vec2 at, float cost) {
    const ploy_navmesh *mesh = query->mesh;
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    float metre = query->filter.cost[p->area];
    if (query->costs.fn != NULL) {
        metre = navsearch_metre(query, polygon);
        if (metre == INFINITY) return; // the hook has closed it
    }
    bool middles = query->request.method == PLOY_NAVMESH_EDGES;
    ploy_vec2 goal = ploy_vec2_from_vec3(query->goal.point);
    const ployi_nav_edge *edges = mesh->edges;
    if (query->prune && !ployi_nav_marked(query, polygon)) {
        navsearch_expand_on(query, record, p, entered, at, cost);
        return;
    }
    if (polygon == query->goal.polygon) {
        navsearch_relax(query, query->node_count - 1, record, -1,
                        cost + metre * navsearch_gap(at, goal), goal);
        // Nothing is cheaper than straight on over the cheapest ground.
        if (query->prune && metre == query->least) return;
    }
    for (int32_t e = p->first, last = p[1].first; e < last; e++) {
        const ployi_nav_edge *edge = &edges[e];
        if (edge->neighbour < 0 || e == entered) continue;
        if (query->prune) {
            // A dead end that the search did not come out of, and that the goal is not in.
            if (mesh->polygons[edge->neighbour].up >= 0 && p->up != edge->neighbour &&
                !ployi_nav_marked(query, edge->neighbour)) {
                continue;
            }
        } else if (!ployi_nav_may_search(query, edge->neighbour)) {
            continue;
        }
        ploy_vec2 right = edge->at, left = ployi_nav_to(edge);
        if (query->trim > 0.0f && !ployi_nav_trim(mesh, e, query->trim, &left, &right)) {
            continue;
        }
        ploy_vec2 crossing = middles ? ploy_vec2_lerp(edge->at, ployi_nav_to(edge), 0.5f)
                                     : navsearch_crossing(at, goal, left, right);
        navsearch_relax(query, e, record, e, cost + metre * navsearch_gap(at, crossing), crossing);
    }
    int32_t link_end, first_link = ployi_nav_links(mesh, polygon, &link_end);
    for (int32_t i = first_link; i < link_end; i++) {
        int32_t end = mesh->link_ends[i], via = mesh->stats.edges + end;
        if (!navsearch_link_allows(query, end)) continue;
        float approach = metre * navsearch_gap(at, navsearch_link_from(mesh, end));
        float price = navsearch_link_cost(query, end);
        if (price == INFINITY) continue;
        navsearch_relax(query, via, record, via, cost + approach + price,
                        navsearch_link_from(mesh, end ^ 1));
    }
}

static ploy_vec2 navsearch_centre(const ploy_navmesh_query *query, int32_t polygon) {
    if (polygon == query->goal.polygon) return ploy_vec2_from_vec3(query->goal.point);
    if (polygon == query->request.from.polygon) {
        return ploy_vec2_from_vec3(query->request.from.point);
    }
    return ploy_vec2_from_vec3(ployi_nav_centre(query->mesh, polygon));
}

// From a polygon's centre to its neighbours' and those behind links.
static void navsearch_expand_polygon(ploy_navmesh_query *query, int32_t record, int32_t polygon,
                                     float cost) {
    const ploy_navmesh *mesh = query->mesh;
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    ploy_vec2 at = navsearch_centre(query, polygon);
    float metre = navsearch_metre(query, polygon);
    for (int32_t e = p->first; e < p[1].first; e++) {
        int32_t next = mesh->edges[e].neighbour;
        if (!navsearch_passes(query, e)) continue;
        ploy_vec2 there = navsearch_centre(query, next);
        float mean = 0.5f * (metre + navsearch_metre(query, next));
        if (mean == INFINITY) continue;
        navsearch_relax(query, next, record, e, cost + mean * navsearch_gap(at, there), there);
    }
    int32_t link_end, first_link = ployi_nav_links(mesh, polygon, &link_end);
    for (int32_t i = first_link; i < link_end; i++) {
        int32_t end = mesh->link_ends[i], next = mesh->link_polygons[end ^ 1];
        if (!navsearch_link_allows(query, end)) continue;
        ploy_vec2 there = navsearch_centre(query, next);
        float to = metre * navsearch_gap(at, navsearch_link_from(mesh, end));
        float from =
            navsearch_metre(query, next) * navsearch_gap(navsearch_link_from(mesh, end ^ 1), there);
        float sum = cost + to + navsearch_link_cost(query, end) + from;
        if (!(sum < INFINITY)) continue;
        navsearch_relax(query, next, record, mesh->stats.edges + end, sum, there);
    }
}

// ---- the whole ----

void ployi_nav_search_begin(ploy_navmesh_query *query) {
    const ploy_navmesh *mesh = query->mesh;
    query->open_count = 0;
    query->record_count = 0;
    query->full = false;
    if (++query->round == 0) { // once in four thousand million searches
        memset(query->slots, 0, ((size_t)query->slot_mask + 1) * sizeof *query->slots);
        query->round = 1;
    }
    query->held.record = -1;
    // Without filters and links an island is one piece, and the goal will be in the start's.
    query->prune = query->request.method == PLOY_NAVMESH_CROSSINGS && query->all &&
                   mesh->clearance_least >= query->width && !(query->trim > 0.0f) &&
                   mesh->stats.links == 0 && query->costs.fn == NULL;
    query->goal = query->request.to;
    query->pull = query->request.is_goal != NULL ? 0.0f : query->scale;
    // Another island is never reached: go to the nearest place of this one, without a flood.
    int32_t island = mesh->polygons[query->request.from.polygon].island;
    if (mesh->polygons[query->goal.polygon].island != island) {
        ploy_vec3 place = query->goal.point;
        int32_t near =
            ployi_nav_nearest(mesh, place, INFINITY, INFINITY, island, query->width, &place);
        if (near < 0) near = query->request.from.polygon; // nothing else is wide enough
        query->goal = ployi_nav_place(mesh, near, ploy_vec2_from_vec3(place));
    }
    if (query->request.is_goal != NULL) query->goal.polygon = -1; // it is none
    for (int32_t p = query->marked; p >= 0; p = mesh->polygons[p].up) query->marks[p / 64] = 0;
    query->marked = query->prune ? query->goal.polygon : -1;
    for (int32_t p = query->marked; p >= 0; p = mesh->polygons[p].up) {
        query->marks[p / 64] |= (uint64_t)1 << (p % 64);
    }
    ploy_vec2 from = ploy_vec2_from_vec3(query->request.from.point);
    if (query->request.method == PLOY_NAVMESH_POLYGONS) {
        navsearch_relax(query, query->request.from.polygon, -1, -1, 0.0f, from);
    } else {
        navsearch_expand_edges(query, -1, query->request.from.polygon, -1, from, 0.0f);
    }
}

// Writes the corridor that leads to a record, -1 being the start.
static void navsearch_corridor(ploy_navmesh_query *query, int32_t record) {
    const ployi_nav_record *records = query->records;
    // Places without a via, the goal and the first polygon, lie where the one before led.
    while (record >= 0 && records[record].via < 0) record = records[record].parent;
    int32_t count = 0;
    for (int32_t n = record; n >= 0; n = records[n].parent) count += records[n].via >= 0;
    query->corridor[0] = query->request.from.polygon; // keeps (3)
    for (int32_t n = record, i = count; i > 0; n = records[n].parent, i--) {
        int32_t via = records[n].via;
        query->vias[i - 1] = via;
        query->corridor[i] = ployi_nav_via_to(query->mesh, via);
    }
    query->corridor_count = count + 1;
}

static void navsearch_end(ploy_navmesh_query *query, int32_t record, float cost,
                          ploy_navmesh_place end, ploy_path_outcome outcome) {
    navsearch_corridor(query, record);
    query->answer.limited = query->full;
    query->answer.outcome = outcome;
    query->answer.cost = cost;
    query->answer.end = end;
    query->phase = PLOYI_NAV_DONE;
}

static void navsearch_found(ploy_navmesh_query *query, int32_t record) {
    bool whole = query->goal.polygon == query->request.to.polygon;
    navsearch_end(query, record, query->records[record].cost, query->goal,
                  whole ? PLOY_PATH_FOUND : PLOY_PATH_PARTIAL);
}

// The polygon that a node leads into; -1: the goal, which is in one that was counted before.
static int32_t navsearch_polygon(const ploy_navmesh_query *query, int32_t node) {
    if (query->request.method == PLOY_NAVMESH_POLYGONS) return node;
    return node < query->node_count - 1 ? ployi_nav_via_to(query->mesh, node) : -1;
}

// The place nearest to the goal of all polygons that were reached, and the record that reached it,
// -1 being the start. Of equal ones the cheaper, then the lower node.
static ploy_navmesh_place navsearch_nearest(const ploy_navmesh_query *query, int32_t *record,
                                            float *reached) {
    const ploy_navmesh *mesh = query->mesh;
    ploy_vec2 goal = ploy_vec2_from_vec3(query->request.to.point);
    int32_t best = query->request.from.polygon, best_node = -1, best_record = -1;
    float best_gap = ploy_vec2_distance_sq(ployi_nav_closest(mesh, best, goal), goal);
    float best_cost = 0.0f;
    for (int32_t i = 0; i < query->record_count; i++) {
        const ployi_nav_record *r = &query->records[i];
        int32_t polygon = navsearch_polygon(query, r->node);
        if (polygon < 0) continue;
        float gap = ploy_vec2_distance_sq(ployi_nav_closest(mesh, polygon, goal), goal);
        bool better = gap < best_gap;
        if (gap == best_gap && r->cost <= best_cost) {
            better = r->cost < best_cost || r->node < best_node;
        }
        if (!better) continue;
        best = polygon;
        best_node = r->node;
        best_record = i;
        best_gap = gap;
        best_cost = r->cost;
    }
    *record = best_record;
    *reached = best_cost;
    return ployi_nav_place(mesh, best, goal);
}

// Everything that can be reached was.
static void navsearch_give_up(ploy_navmesh_query *query) {
    int32_t record;
    float cost;
    ploy_navmesh_place end = navsearch_nearest(query, &record, &cost);
    bool place = query->request.is_goal == NULL;
    navsearch_end(query, record, cost, end, place ? PLOY_PATH_PARTIAL : PLOY_PATH_NONE);
    if (!place) query->corridor_count = 0;
}

// Is the polygon that a record leads into, -1 being the start, what was requested? Then it ends there,
// as soon as it is inside.
static bool navsearch_satisfies(ploy_navmesh_query *query, int32_t record) {
    const ploy_navmesh_request *request = &query->request;
    int32_t polygon = request->from.polygon;
    if (record >= 0) polygon = navsearch_polygon(query, query->records[record].node);
    // What a hook has closed is never a goal.
    bool closed = query->costs.fn != NULL && navsearch_metre(query, polygon) == INFINITY;
    if (closed || !request->is_goal(request->user, polygon)) return false;
    ploy_navmesh_place end = request->from;
    float cost = 0.0f;
    if (polygon != request->from.polygon) {
        end = ployi_nav_place(query->mesh, polygon, query->records[record].at);
        cost = query->records[record].cost;
    }
    navsearch_end(query, record, cost, end, PLOY_PATH_FOUND);
    return true;
}

ploy_navmesh_place ployi_nav_search_peek(ploy_navmesh_query *query) {
    int32_t record;
    float cost;
    ploy_navmesh_place end = navsearch_nearest(query, &record, &cost);
    navsearch_corridor(query, record);
    return end;
}

ploy_result ployi_nav_search_step(ploy_navmesh_query *query, ploy_budget *budget) {
    const ploy_navmesh *mesh = query->mesh;
    bool polygons = query->request.method == PLOY_NAVMESH_POLYGONS;
    int32_t goal = polygons ? query->goal.polygon : query->node_count - 1;
    bool kind = query->request.is_goal != NULL;
    if (kind && query->answer.pops == 0 && navsearch_satisfies(query, -1)) return PLOY_OK;
    while (query->phase == PLOYI_NAV_RUNNING) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        if (query->open_count == 0 &&
            query->held.record < 0) { // the looking round at the end counts as one node
            navsearch_give_up(query);
            break;
        }
        ployi_nav_open open = navsearch_pop(query);
        query->answer.pops++;
        if (kind && navsearch_satisfies(query, open.record)) break;
        if (open.node == goal) {
            navsearch_found(query, open.record);
        } else if (polygons) {
            navsearch_expand_polygon(query, open.record, open.node, open.cost);
        } else if (open.node < mesh->stats.edges) {
            const ployi_nav_edge *edge = &mesh->edges[open.node];
            navsearch_expand_edges(query, open.record, edge->neighbour, edge->twin,
                                   query->records[open.record].at, open.cost);
        } else {
            int32_t end = open.node - mesh->stats.edges;
            navsearch_expand_edges(query, open.record, mesh->link_polygons[end ^ 1], -1,
                                   navsearch_link_from(mesh, end ^ 1), open.cost);
        }
    }
    return PLOY_OK;
}
