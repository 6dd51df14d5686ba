// Holes and scraps of a navigation mesh.
//
// Walls have floor to their left, so round a hole they go clockwise. From a wall's end the next one
// is found by turning about the vertex through the polygons that are joined there.
#include "ploy/path/navmesh_check.h"

#include <string.h>

#include "path/navmesh_internal.h"

// The edge of a polygon behind another.
static int32_t navcheck_after(const ployi_nav_polygon *p, int32_t edge) {
    return edge + 1 < p[1].first ? edge + 1 : p->first;
}

// The wall that goes on where one ends; *polygon is the one it belongs to.
static int32_t navcheck_next(const ploy_navmesh *mesh, int32_t edge, int32_t *polygon) {
    int32_t next = navcheck_after(&mesh->polygons[*polygon], edge);
    for (int32_t guard = 0; guard < mesh->stats.edges && mesh->edges[next].twin >= 0; guard++) {
        *polygon = mesh->edges[next].neighbour;
        next = navcheck_after(&mesh->polygons[*polygon], mesh->edges[next].twin);
    }
    return next;
}

static void navcheck_tell(ploy_navmesh_spot spot, int32_t index, ploy_navmesh_spot *out,
                          int32_t capacity) {
    if (out != NULL && index < capacity) out[index] = spot;
}

// Walks round the walls from one on, marking them. @return twice the area, below 0 for a hole.
static double navcheck_loop(const ploy_navmesh *mesh, int32_t first, int32_t polygon, uint8_t *seen,
                            ploy_navmesh_spot *spot) {
    double twice = 0.0, x = 0.0, y = 0.0, z = 0.0;
    int32_t edge = first, count = 0;
    ploy_vec2 origin = mesh->edges[first].at; // near numbers lose less
    spot->polygon = polygon;
    do {
        const ployi_nav_edge *e = &mesh->edges[edge];
        ploy_vec2 to = ployi_nav_to(e);
        double ax = (double)e->at.x - (double)origin.x, ay = (double)e->at.y - (double)origin.y;
        double bx = (double)to.x - (double)origin.x, by = (double)to.y - (double)origin.y;
        twice += ax * by - ay * bx;
        x += (double)e->at.x;
        y += (double)e->at.y;
        z += (double)mesh->vertices[e->vertex].z;
        count++;
        seen[edge] = 1;
        edge = navcheck_next(mesh, edge, &polygon);
    } while (edge != first && !seen[edge]);
    spot->centre = ploy_vec3_make((float)(x / count), (float)(y / count), (float)(z / count));
    spot->area = (float)(twice < 0.0 ? -0.5 * twice : 0.5 * twice);
    return twice;
}

int32_t ploy_navmesh_find_holes(const ploy_navmesh *mesh, float max_area, const ploy_env *env,
                                ploy_navmesh_spot *out, int32_t capacity) {
    size_t size = (size_t)mesh->stats.edges;
    if (size == 0) return 0;
    uint8_t *seen = ploy_env_alloc_zero(env, size);
    if (seen == NULL) return PLOY_ERR_MEMORY;
    int32_t count = 0;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p[1].first; e++) {
            ploy_navmesh_spot spot;
            if (mesh->edges[e].twin >= 0 || seen[e]) continue;
            bool hole = navcheck_loop(mesh, e, i, seen, &spot) < 0.0;
            if (hole && spot.area <= max_area) navcheck_tell(spot, count++, out, capacity);
        }
    }
    ploy_env_free(env, seen, size);
    return count;
}

// What is added up of an island.
typedef struct navcheck_island {
    double area, x, y, z;
    int32_t polygon, count;
} navcheck_island;

int32_t ploy_navmesh_find_scraps(const ploy_navmesh *mesh, float max_area, const ploy_env *env,
                                 ploy_navmesh_spot *out, int32_t capacity) {
    size_t size = (size_t)mesh->stats.islands * sizeof(navcheck_island);
    if (size == 0) return 0;
    navcheck_island *islands = ploy_env_alloc_zero(env, size);
    if (islands == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = mesh->stats.polygons - 1; i >= 0; i--) { // so that the first stays
        const ployi_nav_polygon *p = &mesh->polygons[i];
        ploy_vec3 centre = ployi_nav_centre(mesh, i);
        navcheck_island *island = &islands[p->island];
        island->area += (double)p->surface;
        island->x += (double)centre.x;
        island->y += (double)centre.y;
        island->z += (double)centre.z;
        island->polygon = i;
        island->count++;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < mesh->stats.islands; i++) {
        const navcheck_island *s = &islands[i];
        if (!(s->area <= (double)max_area)) continue;
        ploy_navmesh_spot spot = {
            (float)s->area,
            {(float)(s->x / s->count), (float)(s->y / s->count), (float)(s->z / s->count)},
            s->polygon};
        navcheck_tell(spot, count++, out, capacity);
    }
    ploy_env_free(env, islands, size);
    return count;
}
