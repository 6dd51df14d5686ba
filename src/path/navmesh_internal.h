// What the files of the navigation mesh share.
#pragma once

#include "ploy/geom/bvh.h"
#include "ploy/path/navmesh.h"

// A corner and the edge from it to the next, together: 32 bytes, two to a cache line.
typedef struct ployi_nav_edge {
    ploy_vec2 at;      // the corner
    ploy_vec2 mid;     // of the edge
    int32_t vertex;    // of the corner
    int32_t neighbour; // polygon behind the edge, -1: a wall
    int32_t twin;      // the edge seen from there, -1
    float length;      // m, seen from above
} ployi_nav_edge;

typedef struct ployi_nav_polygon {
    int32_t first, count;
    uint16_t flags;
    uint16_t area;
    int32_t island;
    int32_t first_link; // in link_ends; the next polygon's is the end
    float surface;
    ploy_vec3 centre;
} ployi_nav_polygon;

struct ploy_navmesh {
    ploy_env env;
    ploy_navmesh_def def;
    size_t size; // of the block
    unsigned char *block;
    ploy_navmesh_stats stats;
    uint64_t hash;
    float link_scale; // least cost of a link over the straight line, 1 at most
    ploy_bvh2 *bvh;
    // The arrays in the block.
    ployi_nav_polygon *polygons; // one more than there are, for first_link
    ployi_nav_edge *edges;
    ploy_vec3 *vertices;
    ploy_navmesh_link *links;
    int32_t *link_polygons; // two for each link: from, to
    int32_t *link_ends;     // by polygon: 2 * link, + 1 to go it backward
    int32_t link_end_count;
    int32_t *sizes; // the three arrays of the soup that have no other home
    int32_t *corners;
    uint8_t *areas;
    uint16_t *flags;
    uint8_t *closed;
    uint8_t *on_wall; // of vertices
};

static inline ploy_vec2 ployi_nav_end(const ploy_navmesh *mesh, const ployi_nav_polygon *polygon,
                                      int32_t edge) {
    int32_t next = edge + 1 < polygon->first + polygon->count ? edge + 1 : polygon->first;
    return mesh->edges[next].at;
}

// The vertex an edge leads to.
static inline int32_t ployi_nav_end_vertex(const ploy_navmesh *mesh,
                                           const ployi_nav_polygon *polygon, int32_t edge) {
    int32_t next = edge + 1 < polygon->first + polygon->count ? edge + 1 : polygon->first;
    return mesh->edges[next].vertex;
}

// The polygon that has an edge: through its twin, or by halving.
int32_t ployi_nav_polygon_of(const ploy_navmesh *mesh, int32_t edge);

// The place of the polygon nearest to a point, seen from above; the point itself if it is held.
ploy_vec2 ployi_nav_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// The nearest polygon as ploy_navmesh_find_nearest has it without a hint; -1: none. With an island
// of 0 or more, polygons of others are not there.
int32_t ployi_nav_nearest(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                          int32_t island, ploy_vec3 *place);

// Trims a portal, left and right as who goes through sees them; false if nothing is left.
bool ployi_nav_trim(const ploy_navmesh *mesh, int32_t polygon, int32_t edge, float radius,
                    ploy_vec2 *left, ploy_vec2 *right);

// ploy_navmesh_create behind its checks of def. With link_polygons (two for each link) links are
// taken as they are, their ends known to be on those polygons.
ploy_result ployi_nav_build(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                            const int32_t *link_polygons, const ploy_env *env, ploy_diags *diags,
                            ploy_navmesh **out);

// The next array of a block of several: where it begins, `used` growing by its bytes (SIZE_MAX if
// that overflows). NULL without a block, to measure.
void *ployi_nav_part(unsigned char *block, size_t *used, int64_t count, size_t size);
