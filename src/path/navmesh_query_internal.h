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
    float cost; // from the start
    int32_t parent;
    int32_t via;
    int32_t place;  // in the heap; -1: taken from it
    uint32_t round; // of the search that wrote the record; others' are not there
} ployi_nav_record;

typedef struct ployi_nav_open {
    float rank; // cost + estimate
    float cost;
    int32_t node;
} ployi_nav_open;

typedef enum ployi_nav_phase { PLOYI_NAV_IDLE, PLOYI_NAV_RUNNING, PLOYI_NAV_DONE } ployi_nav_phase;

struct ploy_navmesh_query {
    ploy_env env;
    const ploy_navmesh *mesh;
    ploy_navmesh_filter filter;
    float scale; // the estimate's, so that nothing costs less than it says
    ployi_nav_phase phase;
    ploy_navmesh_request request;
    ploy_navmesh_answer answer;
    ploy_navmesh_place goal; // request.to, or the nearest place of the start's island
    uint32_t round, flood_round;
    int32_t node_count; // of the edges' graph: the largest
    int32_t open_count;
    int32_t corridor_count;
    unsigned char *block;
    size_t size;
    // The arrays in the block.
    ployi_nav_record *records;
    ployi_nav_open *open;
    int32_t *corridor; // polygons
    int32_t *vias;     // from each polygon of the corridor to the next
    int32_t *queue;    // of floods: polygons
    uint32_t *flooded; // of polygons: the round that reached them
};

static inline bool ployi_nav_allows(const ploy_navmesh_query *query, uint32_t flags) {
    return (flags & query->filter.include) != 0 && (flags & query->filter.exclude) == 0;
}

static inline bool ployi_nav_may_enter(const ploy_navmesh_query *query, int32_t polygon) {
    return polygon >= 0 && ployi_nav_allows(query, query->mesh->polygons[polygon].flags);
}

// True if the place's polygon is one and its point finite.
bool ployi_nav_place_ok(const ploy_navmesh_query *query, const ploy_navmesh_place *place);

// A place on a polygon, at the point or as near to it as the polygon goes.
ploy_navmesh_place ployi_nav_place(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// Begins the next round of flooding.
void ployi_nav_flood_begin(ploy_navmesh_query *query);

// The search itself: sets up, and takes nodes until the budget or the list is empty.
void ployi_nav_search_begin(ploy_navmesh_query *query);
ploy_result ployi_nav_search_step(ploy_navmesh_query *query, ploy_budget *budget);

// The polygon that a via leads to.
int32_t ployi_nav_via_to(const ploy_navmesh *mesh, int32_t via);
