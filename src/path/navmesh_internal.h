// What the files of the navigation mesh share.
#pragma once

#include <math.h>

#include "ploy/geom/predicates.h"
#include "ploy/path/navmesh.h"

// A corner and the edge from it to the next: 24 bytes.
typedef struct ployi_nav_edge {
    ploy_vec2 at;      // the corner
    int32_t vertex;    // of the corner
    int32_t neighbour; // polygon behind the edge, -1: a wall
    int32_t twin;      // the edge seen from there, -1
    int16_t after;     // to the polygon's next edge, relative: 1, or back to the first
    int16_t next;      // to the next of the polygon's portals out of dead ends, relative; or none
} ployi_nav_edge;

#define PLOYI_NAV_NO_NEXT INT16_MIN

// The edges of a polygon are [first, p[1].first): the array has one more polygon than there are.
typedef struct ployi_nav_polygon {
    int32_t first;
    int32_t up; // -1, or in a dead end: the neighbour through which all paths out of it lead
    int32_t island;
    int32_t first_detail; // of the triangles of the detail; the next polygon's is the end
    float surface;        // m^2, seen from above
    uint16_t flags;
    uint16_t area;
} ployi_nav_polygon;

// A node of the hierarchy of boxes: up to four children, side by side so that compilers test them
// at once. Absent ones have an empty box.
typedef struct ployi_nav_boxes {
    float min_x[4], min_y[4], max_x[4], max_y[4];
    int32_t child[4]; // a node, or ~polygon
} ployi_nav_boxes;

// Triangles of the detail that share a box.
enum { PLOYI_NAV_DETAIL_BOX = 8, PLOYI_NAV_BOXES_DEPTH = 16 };

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
    // The arrays in the block. Those that this mesh does not need are NULL.
    ployi_nav_polygon *polygons; // one more than there are
    ployi_nav_edge *edges;
    ployi_nav_boxes *boxes; // the root first
    ploy_vec3 *vertices;
    ploy_navmesh_link *links;
    int32_t *link_polygons; // two for each link: from, to
    int32_t *link_ends;     // by polygon: 2 * link, + 1 to go it backward
    int32_t
        *first_links;  // of polygons, in link_ends; the next polygon's is the end. NULL: no links
    float *clearances; // m, of polygons; NULL: any radius fits everywhere
    uint8_t *closed;   // of edges: a wall by force; NULL: none
    uint8_t *on_wall;  // of vertices
    float *heights;    // of vertices: of the floor there, if the detail may differ from z
    ploy_vec3 *detail_vertices; // no two equal
    uint16_t *detail_short;     // three vertices for each triangle; NULL: too many for 16 bits
    int32_t *detail_long;       // the same; NULL if the short ones are there
    ploy_box2 *detail_boxes;    // around each PLOYI_NAV_DETAIL_BOX triangles, a hair wider
    int32_t detail_vertex_count;
};

// The largest radius that fits on a polygon.
static inline float ployi_nav_fits(const ploy_navmesh *mesh, int32_t polygon) {
    return mesh->clearances != NULL ? mesh->clearances[polygon] : INFINITY;
}

static inline int32_t ployi_nav_count(const ployi_nav_polygon *p) {
    return p[1].first - p->first;
}

// Where an edge ends.
static inline ploy_vec2 ployi_nav_to(const ployi_nav_edge *edge) {
    return edge[edge->after].at;
}

static inline int32_t ployi_nav_after(const ploy_navmesh *mesh, int32_t edge) {
    return edge + mesh->edges[edge].after;
}

// The next portal out of dead ends after an edge; -1: there is none.
static inline int32_t ployi_nav_next(const ploy_navmesh *mesh, int32_t edge) {
    int32_t next = mesh->edges[edge].next;
    return next != PLOYI_NAV_NO_NEXT ? edge + next : -1;
}

// The links that leave a polygon: link_ends[first .. end).
static inline int32_t ployi_nav_links(const ploy_navmesh *mesh, int32_t polygon, int32_t *end) {
    *end = mesh->first_links != NULL ? mesh->first_links[polygon + 1] : 0;
    return mesh->first_links != NULL ? mesh->first_links[polygon] : 0;
}

// The height of the floor at a vertex.
static inline float ployi_nav_vertex_height(const ploy_navmesh *mesh, int32_t vertex) {
    return mesh->heights != NULL ? mesh->heights[vertex] : mesh->vertices[vertex].z;
}

// A corner of a triangle of the detail.
static inline const ploy_vec3 *ployi_nav_detail(const ploy_navmesh *mesh, int32_t corner) {
    int32_t vertex =
        mesh->detail_short != NULL ? mesh->detail_short[corner] : mesh->detail_long[corner];
    return &mesh->detail_vertices[vertex];
}

// The mean of a polygon's corners.
ploy_vec3 ployi_nav_centre(const ploy_navmesh *mesh, int32_t polygon);

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
    return ployi_nav_to(&mesh->edges[edge]);
}

// The vertex an edge leads to.
static inline int32_t ployi_nav_end_vertex(const ploy_navmesh *mesh, int32_t edge) {
    return mesh->edges[ployi_nav_after(mesh, edge)].vertex;
}

// True if a search that is on one polygon need not look into its neighbour: a dead end that it did
// not come out of, and that the goal does not lie in. `marks` has the round for the goal's polygon
// and those through which the exits from there lead.
static inline bool ployi_nav_dead(const ploy_navmesh *mesh, const uint32_t *marks, uint32_t round,
                                  int32_t polygon, int32_t neighbour) {
    return mesh->polygons[neighbour].up >= 0 && marks[neighbour] != round &&
           mesh->polygons[polygon].up != neighbour;
}

// Marks them.
static inline void ployi_nav_mark_exit(const ploy_navmesh *mesh, uint32_t *marks, uint32_t round,
                                       int32_t goal) {
    for (int32_t p = goal; p >= 0; p = mesh->polygons[p].up) marks[p] = round;
}

// The polygon that has an edge: through its twin, or by halving.
int32_t ployi_nav_polygon_of(const ploy_navmesh *mesh, int32_t edge);

// True if a point lies over a polygon or its outline, exactly.
static inline bool ployi_nav_holds(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    const ployi_nav_edge *first = &mesh->edges[mesh->polygons[polygon].first];
    const ployi_nav_edge *end = &mesh->edges[mesh->polygons[polygon + 1].first];
    ploy_vec2 a = end[-1].at;
    for (const ployi_nav_edge *edge = first; edge < end; edge++) {
        if (ployi_nav_turn(a, edge->at, point) < 0) return false;
        a = edge->at;
    }
    return true;
}

// The nearest place of its outline.
ploy_vec2 ployi_nav_closest_edge(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// The place of the polygon nearest to a point, seen from above; the point itself if it is held.
ploy_vec2 ployi_nav_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// Merges vertices: *lowest of each is the lowest vertex within the distance that represents itself.
// @param next  room for count numbers, scratch. @return PLOY_ERR_MEMORY.
ploy_result ployi_nav_weld(const ploy_vec3 *vertices, int32_t count, float weld, int32_t *next,
                           const ploy_env *env, int32_t *lowest);

// What is wrong with the ground within that many polygons, and of which of them (from 1; 0: of all);
// NULL: nothing.
const char *ployi_nav_detail_check(const ploy_navmesh_detail *detail, int32_t polygons,
                                   int32_t *line);
// The detail's vertices without repetitions. @param number  of each of the detail's vertices: its
// place among those. @return how many there are, -1: no memory.
int32_t ployi_nav_detail_weld(const ploy_navmesh_detail *detail, int32_t *number,
                              const ploy_env *env);
// Copies it for the polygons that the mesh has already; polygon i is the detail's source[i],
// ascending. @return PLOY_ERR_MEMORY.
ploy_result ployi_nav_detail_fill(ploy_navmesh *mesh, const ploy_navmesh_detail *detail,
                                  const int32_t *source, const int32_t *number,
                                  ploy_arena *scratch);

// How high the floor is at each vertex: on the lowest polygon that has it.
void ployi_nav_detail_heights(ploy_navmesh *mesh);

// The height of a polygon's floor at a point that it holds, or nearly.
float ployi_nav_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

// How many nodes the hierarchy of boxes has.
int32_t ployi_nav_boxes_count(int32_t polygons);
// Fills it. @return PLOY_ERR_MEMORY.
ploy_result ployi_nav_boxes_build(ploy_navmesh *mesh, const ploy_box2 *boxes, ploy_arena *scratch);

// The nearest polygon as ploy_navmesh_find_nearest has it without a hint; -1: none. With an island
// of 0 or more, polygons of others are not there; nor are those of less clearance.
int32_t ployi_nav_nearest(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                          int32_t island, float clearance, ploy_vec3 *place);

// The nearest polygon in space, as PLOY_NAVMESH_CLOSEST has it; -1: none.
int32_t ployi_nav_closest_in_space(const ploy_navmesh *mesh, ploy_vec3 point, float radius,
                                   float height, float clearance, ploy_vec3 *place);

// Trims a portal, left and right as who goes through sees them; false if nothing is left.
bool ployi_nav_trim(const ploy_navmesh *mesh, int32_t edge, float radius, ploy_vec2 *left,
                    ploy_vec2 *right);

// ploy_navmesh_create behind its checks of def. With link_polygons (two for each link) links are
// taken as they are, their ends known to be on those polygons. With twins (of corners, -1: a wall)
// polygons are too: all is known to be right, and nothing is left to be mended.
ploy_result ployi_nav_build(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                            const int32_t *link_polygons, const int32_t *twins, const ploy_env *env,
                            ploy_diags *diags, ploy_navmesh **out);

// What follows from the joins. Polygons' `up` is how many portals they have before the first.
ploy_result ployi_nav_dead_ends(ploy_navmesh *mesh, ploy_arena *scratch);
void ployi_nav_exits(ploy_navmesh *mesh);
ploy_result ployi_nav_islands(ploy_navmesh *mesh, ploy_arena *scratch);

// Mends the T-junctions of a mesh that was just built; on failure it is as it was.
ploy_result ployi_nav_stitch(const ploy_env *env, ploy_diags *diags, ploy_navmesh **mesh);

// The walls of a mesh, stats.walls of them: edges, their polygons, their boxes.
void ployi_nav_walls(const ploy_navmesh *mesh, int32_t *walls, int32_t *owners, ploy_box2 *boxes);

// The next array of a block of several: where it begins, `used` growing by its bytes (SIZE_MAX if
// that overflows). NULL without a block, to measure.
void *ployi_nav_part(unsigned char *block, size_t *used, int64_t count, size_t size);
