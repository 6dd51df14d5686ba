// Cutting outlines into convex polygons.
#include "path/navmesh_cut.h"

void ployi_nav_cut_init(ployi_nav_cut *cut, const ploy_env *env) {
    ploy_array_init(&cut->vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&cut->sizes, sizeof(int32_t), env);
    ploy_array_init(&cut->corners, sizeof(int32_t), env);
    ploy_array_init(&cut->closed, sizeof(uint8_t), env);
    ploy_array_init(&cut->clearances, sizeof(float), env);
}

void ployi_nav_cut_fini(ployi_nav_cut *cut) {
    ploy_array_fini(&cut->clearances);
    ploy_array_fini(&cut->closed);
    ploy_array_fini(&cut->corners);
    ploy_array_fini(&cut->sizes);
    ploy_array_fini(&cut->vertices);
}

void ployi_nav_cut_clear(ployi_nav_cut *cut) {
    ploy_array_clear(&cut->clearances);
    ploy_array_clear(&cut->closed);
    ploy_array_clear(&cut->corners);
    ploy_array_clear(&cut->sizes);
    ploy_array_clear(&cut->vertices);
}

// Adds corners as numbers of vertices that begin at `before`. @return PLOY_ERR_LIMIT,
// PLOY_ERR_MEMORY.
static ploy_result navcut_corners(ployi_nav_cut *cut, const int32_t *corners, int32_t count,
                                  int32_t before) {
    if (cut->vertices.count > PLOY_NAVMESH_CORNERS_MAX ||
        count > PLOY_NAVMESH_CORNERS_MAX - cut->corners.count) {
        return PLOY_ERR_LIMIT;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        int32_t corner = before + corners[i];
        result = ploy_array_push(&cut->corners, &corner);
    }
    return result;
}

ploy_navmesh_soup ployi_nav_cut_soup(const ployi_nav_cut *cut, const ploy_navmesh_link *links,
                                     int32_t link_count) {
    ploy_navmesh_soup soup = {PLOY_ARRAY_ITEMS(&cut->vertices, ploy_vec3),
                              cut->vertices.count,
                              PLOY_ARRAY_ITEMS(&cut->sizes, int32_t),
                              cut->sizes.count,
                              PLOY_ARRAY_ITEMS(&cut->corners, int32_t),
                              cut->corners.count,
                              NULL,
                              NULL,
                              PLOY_ARRAY_ITEMS(&cut->closed, uint8_t),
                              links,
                              link_count,
                              NULL,
                              NULL};
    return soup;
}

ploy_result ployi_nav_cutter_init(ployi_nav_cutter *cutter, int32_t max_corners,
                                  const ploy_env *env) {
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def merge_def = ploy_merge_def_default();
    merge_def.max_corners = max_corners;
    cutter->scratch = NULL;
    cutter->cdt = NULL;
    cutter->merge = NULL;
    ploy_result result = ploy_arena_create(0, 0, env, &cutter->scratch);
    if (result == PLOY_OK) result = ploy_cdt_create(&cdt_def, env, &cutter->cdt);
    if (result == PLOY_OK) result = ploy_merge_create(&merge_def, env, &cutter->merge);
    return result;
}

void ployi_nav_cutter_fini(ployi_nav_cutter *cutter) {
    ploy_merge_destroy(cutter->merge);
    ploy_cdt_destroy(cutter->cdt);
    ploy_arena_destroy(cutter->scratch);
}

ploy_result ployi_nav_cut_add(ployi_nav_cutter *cutter, const ploy_rings *rings, ploy_fill fill,
                              float clearance, ploy_diags *diags, ployi_nav_cut *cut) {
    ploy_arena_reset(cutter->scratch);
    ploy_result result = ploy_cdt_build_rings(cutter->cdt, rings, fill, diags);
    if (result == PLOY_OK) result = ploy_merge_build(cutter->merge, cutter->cdt, cutter->scratch);
    if (result != PLOY_OK) return result;
    ploy_merge_view view = ploy_merge_get(cutter->merge);
    ploy_cdt_view mesh = ploy_cdt_get(cutter->cdt);
    int32_t before = cut->vertices.count;
    if (mesh.point_count > PLOY_NAVMESH_CORNERS_MAX - before) return PLOY_ERR_LIMIT;
    for (int32_t i = 0; i < mesh.point_count && result == PLOY_OK; i++) {
        ploy_vec3 vertex = ploy_vec3_from_vec2(mesh.points[i], 0.0f);
        result = ploy_array_push(&cut->vertices, &vertex);
    }
    for (int32_t i = 0; i < view.polygon_count && result == PLOY_OK; i++) {
        result = ploy_array_push(&cut->sizes, &view.polygons[i].count);
        if (result == PLOY_OK) result = ploy_array_push(&cut->clearances, &clearance);
    }
    for (int32_t i = 0; i < view.corner_count && result == PLOY_OK; i++) {
        uint8_t closed = view.neighbours[i] < 0;
        result = ploy_array_push(&cut->closed, &closed);
    }
    // Polygons lie one after the other there too.
    return result == PLOY_OK ? navcut_corners(cut, view.vertices, view.corner_count, before)
                             : result;
}
