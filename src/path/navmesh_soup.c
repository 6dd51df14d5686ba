// A navigation mesh as polygons again, in a form that can be changed and built from.
#include "path/navmesh_internal.h"

#include <string.h>

// One block; the soup is its beginning, by which the caller holds it.
typedef struct navsoup {
    ploy_navmesh_soup soup;
    ploy_navmesh_detail detail;
    ploy_env env;
    size_t size;
} navsoup;

typedef struct navsoup_arrays {
    ploy_navmesh_link *links;
    ploy_vec3 *vertices, *detail_vertices;
    int32_t *sizes, *corners, *detail_sizes, *triangles;
    float *clearances;
    uint16_t *flags;
    uint8_t *areas, *closed;
} navsoup_arrays;

// Where the arrays begin; without a block it only measures.
static size_t navsoup_layout(const ploy_navmesh *mesh, unsigned char *block, navsoup_arrays *out) {
    const ploy_navmesh_stats *stats = &mesh->stats;
    size_t used = (sizeof(navsoup) + 15u) & ~(size_t)15u;
    int32_t detail_vertices = stats->details > 0 ? mesh->detail_vertex_count : 0;
    out->links = ployi_nav_part(block, &used, stats->links, sizeof *out->links);
    out->vertices = ployi_nav_part(block, &used, stats->vertices, sizeof *out->vertices);
    out->detail_vertices = ployi_nav_part(block, &used, detail_vertices, sizeof(ploy_vec3));
    out->sizes = ployi_nav_part(block, &used, stats->polygons, sizeof(int32_t));
    out->corners = ployi_nav_part(block, &used, stats->edges, sizeof(int32_t));
    out->detail_sizes = ployi_nav_part(block, &used, stats->polygons, sizeof(int32_t));
    out->triangles = ployi_nav_part(block, &used, 3 * (int64_t)stats->details, sizeof(int32_t));
    out->clearances = ployi_nav_part(block, &used, stats->polygons, sizeof(float));
    out->flags = ployi_nav_part(block, &used, stats->polygons, sizeof(uint16_t));
    out->areas = ployi_nav_part(block, &used, stats->polygons, 1);
    out->closed = ployi_nav_part(block, &used, stats->edges, 1);
    return used;
}

static void navsoup_fill(const ploy_navmesh *mesh, navsoup_arrays *out) {
    const ploy_navmesh_stats *stats = &mesh->stats;
    for (int32_t i = 0; i < stats->links; i++) out->links[i] = mesh->links[i];
    for (int32_t i = 0; i < stats->vertices; i++) out->vertices[i] = mesh->vertices[i];
    for (int32_t i = 0; i < stats->polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        out->sizes[i] = ployi_nav_count(p);
        out->detail_sizes[i] = p[1].first_detail - p->first_detail;
        out->clearances[i] = ployi_nav_fits(mesh, i);
        out->flags[i] = p->flags;
        out->areas[i] = (uint8_t)p->area;
    }
    for (int32_t e = 0; e < stats->edges; e++) {
        out->corners[e] = mesh->edges[e].vertex;
        out->closed[e] = mesh->closed != NULL ? mesh->closed[e] : 0;
    }
    for (int32_t i = 0; stats->details > 0 && i < mesh->detail_vertex_count; i++) {
        out->detail_vertices[i] = mesh->detail_vertices[i];
    }
    for (int32_t i = 0; i < 3 * stats->details; i++) {
        out->triangles[i] = (int32_t)(ployi_nav_detail(mesh, i) - mesh->detail_vertices);
    }
}

ploy_result ploy_navmesh_soup_create(const ploy_navmesh *mesh, const ploy_env *env,
                                     ploy_navmesh_soup **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_navmesh_stats *stats = &mesh->stats;
    navsoup_arrays arrays;
    size_t size = navsoup_layout(mesh, NULL, &arrays);
    navsoup *self = size != SIZE_MAX ? ploy_env_alloc_zero(env, size) : NULL;
    if (self == NULL) return PLOY_ERR_MEMORY;
    navsoup_layout(mesh, (unsigned char *)self, &arrays);
    navsoup_fill(mesh, &arrays);
    self->env = *env;
    self->size = size;
    ploy_navmesh_detail detail = {arrays.detail_vertices, mesh->detail_vertex_count,
                                  arrays.detail_sizes, arrays.triangles, stats->details};
    self->detail = detail;
    ploy_navmesh_soup soup = {arrays.vertices,
                              stats->vertices,
                              arrays.sizes,
                              stats->polygons,
                              arrays.corners,
                              stats->edges,
                              arrays.areas,
                              arrays.flags,
                              arrays.closed,
                              arrays.links,
                              stats->links,
                              NULL,
                              NULL};
    if (mesh->clearances != NULL) soup.clearances = arrays.clearances;
    if (stats->details > 0) soup.detail = &self->detail;
    self->soup = soup;
    *out = &self->soup;
    return PLOY_OK;
}

void ploy_navmesh_soup_destroy(ploy_navmesh_soup *soup) {
    if (soup == NULL) return;
    navsoup *self = (navsoup *)(void *)soup; // its first member
    ploy_env env = self->env;
    ploy_env_free(&env, self, self->size);
}
