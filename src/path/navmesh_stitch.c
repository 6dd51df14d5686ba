// Mending T-junctions: vertices that lie exactly within a wall of another polygon become corners of
// it, so that the two share edges and are joined.
//
// Exactly, because a corner that is off the line by a rounding would make a polygon that is not
// convex; floors that were cut along axis-parallel lines meet exactly. The mesh is built twice,
// since only a whole one knows what is a wall.
#include <string.h>

#include "path/navmesh_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/geom/bvh.h"

// A vertex that belongs into a wall.
typedef struct navstitch_corner {
    int32_t edge, vertex;
    double along; // m^2, grows along the edge
} navstitch_corner;

typedef struct navstitch {
    const ploy_navmesh *mesh;
    const int32_t *walls; // edges
    ploy_array found;
    int32_t vertex;
    ploy_result result;
} navstitch;

static bool navstitch_visit(void *user, int32_t id, double *limit) {
    navstitch *stitch = user;
    const ploy_navmesh *mesh = stitch->mesh;
    int32_t edge = stitch->walls[id];
    const ployi_nav_edge *e = &mesh->edges[edge];
    ploy_vec3 vertex = mesh->vertices[stitch->vertex];
    ploy_vec2 at = ploy_vec2_from_vec3(vertex), e_to = ployi_nav_to(e);
    (void)limit;
    if (e->vertex == stitch->vertex || ployi_nav_turn(e->at, e_to, at) != 0) return true;
    double x = (double)e_to.x - (double)e->at.x, y = (double)e_to.y - (double)e->at.y;
    double along = x * ((double)at.x - (double)e->at.x) + y * ((double)at.y - (double)e->at.y);
    double whole = x * x + y * y;
    if (!(along > 0.0) || !(along < whole)) return true;
    float from = mesh->vertices[e->vertex].z;
    float to = mesh->vertices[ployi_nav_end_vertex(mesh, edge)].z;
    float height = from + (to - from) * (float)(along / whole);
    if (fabsf(height - vertex.z) > mesh->def.step_height) return true;
    navstitch_corner corner = {edge, stitch->vertex, along};
    stitch->result = ploy_array_push(&stitch->found, &corner);
    return stitch->result == PLOY_OK;
}

static bool navstitch_before(const navstitch_corner *a, const navstitch_corner *b) {
    if (a->edge != b->edge) return a->edge < b->edge;
    return a->along != b->along ? a->along < b->along : a->vertex < b->vertex;
}

// Sifts one entry down a heap; the largest comes to the top.
static void navstitch_sift(navstitch_corner *items, int32_t at, int32_t count) {
    navstitch_corner item = items[at];
    for (int32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && navstitch_before(&items[child], &items[child + 1])) child++;
        if (!navstitch_before(&item, &items[child])) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void navstitch_sort(navstitch_corner *items, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--) navstitch_sift(items, i, count);
    for (int32_t i = count - 1; i > 0; i--) {
        navstitch_corner last = items[i];
        items[i] = items[0];
        items[0] = last;
        navstitch_sift(items, 0, i);
    }
}

static ploy_result navstitch_find(navstitch *stitch, ploy_arena *scratch, const ploy_env *env) {
    const ploy_navmesh *mesh = stitch->mesh;
    int32_t count = mesh->stats.walls;
    int32_t *walls = ploy_arena_alloc_array(scratch, count, sizeof *walls);
    int32_t *owners = ploy_arena_alloc_array(scratch, count, sizeof *owners);
    ploy_box2 *boxes = ploy_arena_alloc_array(scratch, count, sizeof *boxes);
    if (walls == NULL || owners == NULL || boxes == NULL) return PLOY_ERR_MEMORY;
    ployi_nav_walls(mesh, walls, owners, boxes);
    stitch->walls = walls;
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = ploy_maxi(count, 1);
    ploy_bvh2 *bvh = NULL;
    ploy_result result = ploy_bvh2_create(&def, env, &bvh);
    if (result == PLOY_OK) result = ploy_bvh2_rebuild(bvh, boxes, count);
    for (int32_t i = 0; i < mesh->stats.vertices && result == PLOY_OK; i++) {
        if (!mesh->on_wall[i]) continue;
        stitch->vertex = i;
        ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(mesh->vertices[i]), 0.0f);
        ploy_bvh2_visit(bvh, &query, navstitch_visit, stitch, NULL);
        result = stitch->result;
    }
    ploy_bvh2_destroy(bvh);
    return result;
}

static uint8_t navstitch_closed(const ploy_navmesh *mesh, int32_t edge) {
    return mesh->closed != NULL ? mesh->closed[edge] : 0;
}

// The mesh's polygons with the new corners in them, built again.
static ploy_result navstitch_build(const navstitch *stitch, ploy_arena *scratch,
                                   const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    const ploy_navmesh *mesh = stitch->mesh;
    const navstitch_corner *found = PLOY_ARRAY_ITEMS(&stitch->found, navstitch_corner);
    int64_t room = (int64_t)mesh->stats.edges + stitch->found.count;
    int32_t *sizes = ploy_arena_alloc_array(scratch, mesh->stats.polygons, sizeof *sizes);
    int32_t *corners = ploy_arena_alloc_array(scratch, room, sizeof *corners);
    uint8_t *closed = ploy_arena_alloc_array(scratch, room, sizeof *closed);
    if (sizes == NULL || corners == NULL || closed == NULL) return PLOY_ERR_MEMORY;
    int32_t count = 0, next = 0;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        int32_t first = count;
        for (int32_t e = p->first; e < p[1].first; e++) {
            corners[count] = mesh->edges[e].vertex;
            closed[count++] = navstitch_closed(mesh, e);
            for (; next < stitch->found.count && found[next].edge == e; next++) {
                corners[count] = found[next].vertex;
                closed[count++] = navstitch_closed(mesh, e);
            }
        }
        sizes[i] = count - first;
    }
    ploy_navmesh_soup *copy = NULL;
    ploy_result result = ploy_navmesh_soup_create(mesh, env, &copy);
    if (result != PLOY_OK) return result;
    ploy_navmesh_soup soup = *copy;
    soup.sizes = sizes;
    soup.corners = corners;
    soup.corner_count = count;
    soup.closed = closed;
    ploy_navmesh_def def = mesh->def;
    def.stitch = false;
    result = ployi_nav_build(&def, &soup, mesh->link_polygons, NULL, env, diags, out);
    ploy_navmesh_soup_destroy(copy);
    return result;
}

ploy_result ployi_nav_stitch(const ploy_env *env, ploy_diags *diags, ploy_navmesh **mesh) {
    navstitch stitch;
    memset(&stitch, 0, sizeof stitch);
    stitch.mesh = *mesh;
    ploy_array_init(&stitch.found, sizeof(navstitch_corner), env);
    ploy_arena *scratch = NULL;
    ploy_navmesh *stitched = NULL;
    ploy_result result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = navstitch_find(&stitch, scratch, env);
    if (result == PLOY_OK && stitch.found.count > 0) {
        navstitch_sort(PLOY_ARRAY_ITEMS(&stitch.found, navstitch_corner), stitch.found.count);
        result = navstitch_build(&stitch, scratch, env, diags, &stitched);
    }
    ploy_arena_destroy(scratch);
    ploy_array_fini(&stitch.found);
    if (result == PLOY_OK && stitched != NULL) {
        stitched->def.stitch = true;
        stitched->stats.skipped += (*mesh)->stats.skipped;
        ploy_navmesh_destroy(*mesh);
        *mesh = stitched;
    }
    return result;
}
