// What the files of the navigation mesh's queries share.
//
// A node of a search is, by method:
//   edges      0 .. edges-1: gone through that edge of the mesh; then 2 for each link: gone along
//              it (+ 1 backward); the last one is the goal
//   polygons   0 .. polygons-1: at the centre of that polygon
// `via` is how a node was reached: an edge, or edges + 2 * link (+ 1 backward); -1 for the goal.
#pragma once

#include "path/navmesh_internal.h"
#include "ploy/path/navmesh_query.h"

typedef struct ployi_nav_record {
    ploy_vec2 at;   // where the node is taken to be
    float cost;     // from the start
    int32_t parent; // a record; -1: the start
    int32_t via;
    int32_t place; // in the heap; -1: taken from it, -2: held beside it
    int32_t node;
} ployi_nav_record;

// Where the record of a node is. Slots of other rounds than the present one are free, so that no
// search has to clear them.
typedef struct ployi_nav_slot {
    uint32_t round;
    int32_t record;
} ployi_nav_slot;

typedef struct ployi_nav_open {
    float rank; // cost + estimate
    float cost;
    int32_t node;
    int32_t record; // -1: no entry
} ployi_nav_open;

typedef enum ployi_nav_phase { PLOYI_NAV_IDLE, PLOYI_NAV_RUNNING, PLOYI_NAV_DONE } ployi_nav_phase;

struct ploy_navmesh_query {
    ploy_env env;
    const ploy_navmesh *mesh;
    ploy_navmesh_filter filter;
    ploy_cost_hook costs;
    bool all;    // the filter allows every polygon
    bool prune;  // the goal can be reached for certain, so that dead ends need not be looked into
    float width; // m, clearance that the search requires of polygons
    float trim;  // m, that the search takes from portals
    float scale; // the estimate's, so that nothing costs less than it says
    float pull;  // the same of this search; 0 if it has no place to go to
    float least; // of the filter's costs
    ployi_nav_phase phase;
    ploy_navmesh_request request;
    ploy_navmesh_answer answer;
    ploy_navmesh_place goal; // request.to, or the nearest place of the start's island
    int32_t node_count;      // of the edges' graph: the largest
    int32_t nodes;           // room for records, one more being kept for the goal
    int32_t record_count;
    bool full; // a node was left out because there was no room
    int32_t open_count;
    ployi_nav_open held; // the best of the last expansion, not in the heap; record -1: none
    int32_t marked;      // polygon whose path out of its dead end is in marks; -1: none
    int32_t flood_count;
    bool flood_full; // a polygon was left out
    uint32_t round;  // of the present search, from 1
    uint32_t slot_mask;
    int32_t corridor_count;
    unsigned char *block;
    size_t size;
    // The arrays in the block.
    ployi_nav_record *records;
    ployi_nav_open *open;
    int32_t *corridor;     // polygons
    int32_t *vias;         // from each polygon of the corridor to the next
    ployi_nav_slot *slots; // of nodes: by their lowest bits, then the next free one
    int32_t *queue;        // of floods: polygons, as many as records
    uint64_t *marks;       // a bit for each polygon: the search may go into that dead end
    uint64_t *flooded;     // a bit for each polygon: the flood has reached it
};

// The record of a node; -1: none. There are more slots than records, so that one is free.
static inline int32_t ployi_nav_find(const ploy_navmesh_query *query, int32_t node,
                                     uint32_t *free_slot) {
    for (uint32_t slot = (uint32_t)node & query->slot_mask;; slot = (slot + 1) & query->slot_mask) {
        ployi_nav_slot entry = query->slots[slot];
        if (entry.round != query->round) {
            *free_slot = slot;
            return -1;
        }
        if (query->records[entry.record].node == node) return entry.record;
    }
}

static inline bool ployi_nav_marked(const ploy_navmesh_query *query, int32_t polygon) {
    return (query->marks[polygon / 64] >> (polygon % 64) & 1) != 0;
}

// Floods remember polygons from begin to end; reach returns true for one that was not reached
// before. The queue stays until the next begins.
static inline void ployi_nav_flood_begin(ploy_navmesh_query *query) {
    query->flood_count = 0;
    query->flood_full = false;
}

static inline bool ployi_nav_flood_reach(ploy_navmesh_query *query, int32_t polygon) {
    uint64_t *word = &query->flooded[polygon / 64], bit = (uint64_t)1 << (polygon % 64);
    if ((*word & bit) != 0) return false;
    if (query->flood_count > query->nodes) {
        query->flood_full = true;
        return false;
    }
    *word |= bit;
    query->queue[query->flood_count++] = polygon;
    return true;
}

static inline void ployi_nav_flood_end(ploy_navmesh_query *query) {
    for (int32_t i = 0; i < query->flood_count; i++) query->flooded[query->queue[i] / 64] = 0;
}

static inline bool ployi_nav_allows(const ploy_navmesh_query *query, uint32_t flags) {
    return (flags & query->filter.include) != 0 && (flags & query->filter.exclude) == 0;
}

static inline bool ployi_nav_may_enter(const ploy_navmesh_query *query, int32_t polygon) {
    if (polygon < 0 || query->all) return polygon >= 0;
    const ployi_nav_polygon *p = &query->mesh->polygons[polygon];
    return ployi_nav_allows(query, p->flags) &&
           ployi_nav_fits(query->mesh, polygon) >= query->filter.clearance;
}

// The same for the search, whose agent may be wider than the filter's.
static inline bool ployi_nav_may_search(const ploy_navmesh_query *query, int32_t polygon) {
    return ployi_nav_may_enter(query, polygon) &&
           ployi_nav_fits(query->mesh, polygon) >= query->width;
}

// True if the place's polygon is one and its point finite.
static inline bool ployi_nav_place_ok(const ploy_navmesh_query *query,
                                      const ploy_navmesh_place *place) {
    // Infinity times 0 is not a number, nor is a sum with one: cheaper than three calls.
    float none = place->point.x * 0.0f + place->point.y * 0.0f + place->point.z * 0.0f;
    return place->polygon >= 0 && place->polygon < query->mesh->stats.polygons && none == 0.0f;
}

// A place on a polygon, at the point or as near to it as the polygon goes.
ploy_navmesh_place ployi_nav_place(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// The search itself: sets up, and takes nodes until the budget or the list is empty.
void ployi_nav_search_begin(ploy_navmesh_query *query);
// The corridor of the path to the place nearest to the goal that was reached, which it returns; the
// search goes on.
ploy_navmesh_place ployi_nav_search_peek(ploy_navmesh_query *query);
ploy_result ployi_nav_search_step(ploy_navmesh_query *query, ploy_budget *budget);

// A polygon on the layer of paths.
void ployi_nav_draw_polygon(const ploy_navmesh *mesh, int32_t polygon, ploy_style style,
                            ploy_draw *out);

// A row of polygons, and the path through it that is to be pulled tight.
typedef struct ployi_nav_row {
    const ploy_navmesh *mesh;
    const int32_t *polygons;
    const int32_t *vias; // from each polygon to the next, as in a query
    int32_t count;       // of polygons
    ploy_vec3 from, to;
    float trim;         // m, taken from portals that touch walls
    const float *price; // of links' areas
} ployi_nav_row;

// Writes the string after what the path holds. `marks`, if not NULL, gets for each point that is
// added the number of a polygon of the row that it lies on; there is room for `room` of them, which
// count + 1 and two for each link always are.
ploy_result ployi_nav_pull(const ployi_nav_row *row, ploy_path *path, int32_t *marks, int32_t room);

// The polygon that a via leads to.
int32_t ployi_nav_via_to(const ploy_navmesh *mesh, int32_t via);
