// A navigation mesh of the floor within outlines: shrunk by the agent's radius, triangulated,
// merged into convex polygons.
#include "path/navmesh_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/merge.h"
#include "ploy/geom/offset.h"

// The rings' floor less the radius. Arcs of an offset lie within the true ones by up to the
// tolerance, so the floor is shrunk by that much more: nobody comes nearer than the radius.
static ploy_result navrings_shrink(const ploy_navmesh_def *def, const ploy_rings *rings,
                                   ploy_fill fill, ploy_arena *scratch, ploy_rings *out) {
    if (!(def->radius > 0.0f)) return ploy_rings_copy(out, rings);
    ploy_offset_style style = ploy_offset_style_default();
    style.tolerance = def->slack;
    return ploy_rings_offset(rings, fill, -(def->radius + def->slack), &style, scratch, out);
}

static ploy_result navrings_soup(const ploy_merge *merge, const ploy_cdt *cdt, ploy_arena *scratch,
                                 ploy_navmesh_soup *soup) {
    ploy_merge_view view = ploy_merge_get(merge);
    ploy_cdt_view mesh = ploy_cdt_get(cdt);
    ploy_vec3 *vertices = ploy_arena_alloc_array(scratch, mesh.point_count, sizeof *vertices);
    int32_t *sizes = ploy_arena_alloc_array(scratch, view.polygon_count, sizeof *sizes);
    uint8_t *closed = ploy_arena_alloc_array(scratch, view.corner_count, sizeof *closed);
    if (vertices == NULL || sizes == NULL || closed == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < mesh.point_count; i++) {
        vertices[i] = ploy_vec3_from_vec2(mesh.points[i], 0.0f);
    }
    for (int32_t i = 0; i < view.polygon_count; i++) sizes[i] = view.polygons[i].count;
    for (int32_t i = 0; i < view.corner_count; i++) closed[i] = view.neighbours[i] < 0;
    soup->vertices = vertices;
    soup->vertex_count = mesh.point_count;
    soup->sizes = sizes;
    soup->polygon_count = view.polygon_count;
    soup->corners = view.vertices; // polygons lie one after the other there too
    soup->corner_count = view.corner_count;
    soup->closed = closed;
    return PLOY_OK;
}

ploy_result ploy_navmesh_create_rings(const ploy_navmesh_def *def, const ploy_rings *rings,
                                      ploy_fill fill, const ploy_navmesh_link *links,
                                      int32_t link_count, const ploy_env *env, ploy_diags *diags,
                                      ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (rings == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_navmesh_soup soup = {NULL, 0, NULL, 0, NULL, 0, NULL, NULL, NULL, links, link_count};
    ploy_navmesh_def exact = *def;
    exact.weld =
        0.0f; // vertices of a triangulation differ; how near they lie is the level's affair
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def merge_def = ploy_merge_def_default();
    merge_def.max_corners = def->max_corners;
    ploy_arena *scratch = NULL;
    ploy_rings *floor_rings = NULL;
    ploy_cdt *cdt = NULL;
    ploy_merge *merge = NULL;
    result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_create(env, &floor_rings);
    if (result == PLOY_OK) result = navrings_shrink(def, rings, fill, scratch, floor_rings);
    if (result == PLOY_OK) result = ploy_cdt_create(&cdt_def, env, &cdt);
    if (result == PLOY_OK) result = ploy_cdt_build_rings(cdt, floor_rings, fill, diags);
    if (result == PLOY_OK) result = ploy_merge_create(&merge_def, env, &merge);
    if (result == PLOY_OK) result = ploy_merge_build(merge, cdt, scratch);
    if (result == PLOY_OK) result = navrings_soup(merge, cdt, scratch, &soup);
    if (result == PLOY_OK) result = ployi_nav_build(&exact, &soup, NULL, env, diags, out);
    ploy_merge_destroy(merge);
    ploy_cdt_destroy(cdt);
    ploy_rings_destroy(floor_rings);
    ploy_arena_destroy(scratch);
    return result;
}
