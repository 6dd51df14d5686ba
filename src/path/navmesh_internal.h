// What the files of the navigation mesh share.
#pragma once

#include <math.h>

#include "ploy/geom/bvh.h"
#include "ploy/geom/predicates.h"
#include "ploy/path/navmesh.h"

// A corner and the edge from it to the next, together: 32 bytes, two to a cache line.
typedef struct ployi_nav_edge {
    ploy_vec2 at;      // the corner
    ploy_vec2 to;      // the next corner, where the edge ends
    int32_t vertex;    // of the corner
    int32_t neighbour; // polygon behind the edge, -1: a wall
    int32_t twin;      // the edge seen from there, -1
    int32_t next;      // of the polygon's portals out of dead ends, the one after this edge; -1
} ployi_nav_edge;

typedef struct ployi_nav_polygon {
    int32_t first, count;
    uint16_t flags;
    uint16_t area;
    int32_t island;
    int32_t first_link; // in link_ends; the next polygon's is the end
    float surface;
    ploy_vec3 centre;
    int32_t up;      // -1, or in a dead end: the neighbour through which all ways out of it lead
    float clearance; // m, largest radius of who may stand here; INFINITY: any
    int32_t first_ground; // of the four triangles at a time; the next polygon's is the end
} ployi_nav_polygon;

// Four triangles of the ground within a polygon, by corner and triangle, counter-clockwise; those
// that are not there, or have no area, are not numbers. What is over none of them is not in the box.
typedef struct ployi_nav_ground {
    ploy_box2 box;
    float x[3][4], y[3][4], z[3][4];
    float area[4]; // m^2, twice
} ployi_nav_ground;

struct ploy_navmesh {
    ploy_env env;
    ploy_navmesh_def def;
    size_t size; // of the block
    unsigned char *block;
    ploy_navmesh_stats stats;
    uint64_t hash;
    uint32_t flags_any, flags_all; // that some polygon has, and that every one has
    float clearance_least;         // of all polygons
    float link_scale;              // least cost of a link over the straight line, 1 at most
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
    float *clearances;
    uint8_t *closed;
    uint8_t *on_wall; // of vertices
    float *heights;   // of vertices: of the floor there, which the detail may have otherwise than z
    ploy_vec3 *detail_vertices;
    int32_t *detail_sizes;
    int32_t *detail_triangles;
    ployi_nav_ground *grounds;  // the triangles again, as heights want them
    ploy_navmesh_detail detail; // these three, as a soup has them
};

// The sign of the cross product of two differences of points; 0 if rounding leaves doubt. Shewchuk's
// bound.
static inline int32_t ployi_nav_sign(double ax, double ay, double bx, double by) {
    double left = ax * by, right = ay * bx;
    double turn = left - right, bound = (fabs(left) + fabs(right)) * 3.3306690738754716e-16;
    if (turn > bound) return 1;
    return -turn > bound ? -1 : 0;
}

// ploy_orient2, its first look inlined: questions are made of little else.
static inline int32_t ployi_nav_turn(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    int32_t sign = ployi_nav_sign((double)a.x - (double)c.x, (double)a.y - (double)c.y,
                                  (double)b.x - (double)c.x, (double)b.y - (double)c.y);
    return sign != 0 ? sign : ploy_orient2(a, b, c);
}

// ploy_orient2(a, b, c) where b and c are often the same: an exact test would only cost time then.
static inline int32_t ployi_nav_turn_exact(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    return ploy_vec2_equal(b, c) ? 0 : ploy_orient2(a, b, c);
}

static inline ploy_vec2 ployi_nav_end(const ploy_navmesh *mesh, int32_t edge) {
    return mesh->edges[edge].to;
}

// The vertex an edge leads to.
static inline int32_t ployi_nav_end_vertex(const ploy_navmesh *mesh,
                                           const ployi_nav_polygon *polygon, int32_t edge) {
    int32_t next = edge + 1 < polygon->first + polygon->count ? edge + 1 : polygon->first;
    return mesh->edges[next].vertex;
}

// True if a search that is on one polygon need not look into its neighbour: a dead end that it did
// not come out of, and that the goal does not lie in. `marks` has the round for the goal's polygon
// and those through which the ways out of there lead.
static inline bool ployi_nav_dead(const ploy_navmesh *mesh, const uint32_t *marks, uint32_t round,
                                  int32_t polygon, int32_t neighbour) {
    return mesh->polygons[neighbour].up >= 0 && marks[neighbour] != round &&
           mesh->polygons[polygon].up != neighbour;
}

// Marks them.
static inline void ployi_nav_mark_way_out(const ploy_navmesh *mesh, uint32_t *marks, uint32_t round,
                                          int32_t goal) {
    for (int32_t p = goal; p >= 0; p = mesh->polygons[p].up) marks[p] = round;
}

// The polygon that has an edge: through its twin, or by halving.
int32_t ployi_nav_polygon_of(const ploy_navmesh *mesh, int32_t edge);

// The place of the polygon nearest to a point, seen from above; the point itself if it is held.
ploy_vec2 ployi_nav_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// What is wrong with the ground within so many polygons, and of which of them (from 1; 0: of all);
// NULL: nothing.
const char *ployi_nav_detail_check(const ploy_navmesh_detail *detail, int32_t polygons,
                                   int32_t *line);
// How many fours of triangles polygons need; polygon i is the detail's source[i], ascending.
int64_t ployi_nav_detail_grounds(const ploy_navmesh_detail *detail, const int32_t *source,
                                 int32_t polygons);
// Copies it for the polygons that the mesh has already. @return PLOY_ERR_MEMORY.
ploy_result ployi_nav_detail_fill(ploy_navmesh *mesh, const ploy_navmesh_detail *detail,
                                  const int32_t *source, ploy_arena *scratch);

// How high the floor is at each vertex: on the lowest polygon that has it.
void ployi_nav_detail_heights(ploy_navmesh *mesh);

// The height of a polygon's floor at a point that it holds, or nearly.
float ployi_nav_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// The nearest polygon as ploy_navmesh_find_nearest has it without a hint; -1: none. With an island
// of 0 or more, polygons of others are not there; nor are those of less clearance.
int32_t ployi_nav_nearest(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                          int32_t island, float clearance, ploy_vec3 *place);

// The nearest polygon in space, as PLOY_NAVMESH_CLOSEST has it; -1: none.
int32_t ployi_nav_closest_in_space(const ploy_navmesh *mesh, ploy_vec3 point, float radius,
                                   float height, float clearance, ploy_vec3 *place);

// Trims a portal, left and right as who goes through sees them; false if nothing is left.
bool ployi_nav_trim(const ploy_navmesh *mesh, int32_t polygon, int32_t edge, float radius,
                    ploy_vec2 *left, ploy_vec2 *right);

// ploy_navmesh_create behind its checks of def. With link_polygons (two for each link) links are
// taken as they are, their ends known to be on those polygons. With twins (of corners, -1: a wall)
// polygons are too: all is known to be right, and nothing is left to be mended.
ploy_result ployi_nav_build(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                            const int32_t *link_polygons, const int32_t *twins, const ploy_env *env,
                            ploy_diags *diags, ploy_navmesh **out);

// What follows from the joins. Polygons' `up` is how many portals they have before the first.
ploy_result ployi_nav_dead_ends(ploy_navmesh *mesh, ploy_arena *scratch);
void ployi_nav_ways_on(ploy_navmesh *mesh);
ploy_result ployi_nav_islands(ploy_navmesh *mesh, ploy_arena *scratch);

// Mends the T-junctions of a mesh that was just built; on failure it is as it was.
ploy_result ployi_nav_stitch(const ploy_env *env, ploy_diags *diags, ploy_navmesh **mesh);

// The walls of a mesh, stats.walls of them: edges, their polygons, their boxes.
void ployi_nav_walls(const ploy_navmesh *mesh, int32_t *walls, int32_t *owners, ploy_box2 *boxes);

// The next array of a block of several: where it begins, `used` growing by its bytes (SIZE_MAX if
// that overflows). NULL without a block, to measure.
void *ployi_nav_part(unsigned char *block, size_t *used, int64_t count, size_t size);
