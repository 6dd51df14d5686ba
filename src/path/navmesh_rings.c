// A navigation mesh of the floor within outlines: shrunk by the agent's radius, triangulated,
// merged into convex polygons.
#include "path/navmesh_cut.h"
#include "path/navmesh_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/offset.h"

// The rings' floor less the radius. Arcs of an offset lie within the true ones by up to the
// tolerance, so the floor is shrunk by that much more: nothing comes nearer than the radius.
static ploy_result navrings_shrink(const ploy_navmesh_def *def, float radius,
                                   const ploy_rings *rings, ploy_fill fill, ploy_arena *scratch,
                                   ploy_rings *out) {
    if (!(radius > 0.0f)) return ploy_rings_copy(out, rings);
    ploy_offset_style style = ploy_offset_style_default();
    style.tolerance = def->slack;
    return ploy_rings_offset(rings, fill, -(radius + def->slack), &style, scratch, out);
}

// Vertices of triangulations differ or are equal; how near they lie is the level's affair.
static ploy_result navrings_build(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                                  const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    ploy_navmesh_def exact = *def;
    exact.weld = 0.0f;
    return ployi_nav_build(&exact, soup, NULL, NULL, env, diags, out);
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
    ployi_nav_cutter cutter;
    ployi_nav_cut cut;
    ploy_rings *floor_rings = NULL;
    ploy_arena *scratch = NULL;
    ployi_nav_cut_init(&cut, env);
    result = ployi_nav_cutter_init(&cutter, def->max_corners, env);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_create(env, &floor_rings);
    if (result == PLOY_OK) {
        result = navrings_shrink(def, def->radius, rings, fill, scratch, floor_rings);
    }
    if (result == PLOY_OK)
        result = ployi_nav_cut_add(&cutter, floor_rings, fill, INFINITY, diags, &cut);
    if (result == PLOY_OK) {
        ploy_navmesh_soup soup = ployi_nav_cut_soup(&cut, links, link_count);
        result = navrings_build(def, &soup, env, diags, out);
    }
    ploy_rings_destroy(floor_rings);
    ploy_arena_destroy(scratch);
    ployi_nav_cut_fini(&cut);
    ployi_nav_cutter_fini(&cutter);
    return result;
}

// ---- several sizes ----

static ploy_result navrings_check_sizes(const ploy_navmesh_def *def, const float *radii,
                                        int32_t count, ploy_diags *diags) {
    bool good = radii != NULL && count >= 1 && count <= PLOY_NAVMESH_SIZES_MAX;
    for (int32_t i = 0; i < count && good; i++) {
        good =
            ploy_in_range(radii[i], 0.0f, 1e4f) && (i == 0 || radii[i] - radii[i - 1] > def->slack);
    }
    if (good) return PLOY_OK;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "navmesh", 0, 0,
                   "radii do not rise by more than the slack, or are too many", NULL, NULL);
    return PLOY_ERR_ARGUMENT;
}

// The floor of one size without that of the next, which lies within it: their rims never meet, so
// the two outlines together are that band's.
static ploy_result navrings_band(ployi_nav_cutter *cutter, const ploy_rings *outer,
                                 const ploy_rings *inner, float clearance, ploy_rings *band,
                                 ploy_diags *diags, ployi_nav_cut *cut) {
    ploy_result result = ploy_rings_copy(band, outer);
    for (int32_t i = 0; inner != NULL && i < ploy_rings_count(inner) && result == PLOY_OK; i++) {
        ploy_polygon ring = ploy_rings_get(inner, i);
        result = ploy_rings_add(band, ring.points, ring.count);
    }
    if (result != PLOY_OK) return result;
    return ployi_nav_cut_add(cutter, band, PLOY_FILL_EVEN_ODD, clearance, diags, cut);
}

ploy_result ploy_navmesh_create_sizes(const ploy_navmesh_def *def, const ploy_rings *rings,
                                      ploy_fill fill, const float *radii, int32_t count,
                                      const ploy_navmesh_link *links, int32_t link_count,
                                      const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (rings == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_fields(), def, env);
    if (result == PLOY_OK) result = navrings_check_sizes(def, radii, count, diags);
    if (result != PLOY_OK) return result;
    ployi_nav_cutter cutter;
    ployi_nav_cut cut;
    ploy_rings *floors[PLOY_NAVMESH_SIZES_MAX] = {NULL}, *band = NULL, *nothing = NULL;
    ploy_arena *scratch = NULL;
    ployi_nav_cut_init(&cut, env);
    result = ployi_nav_cutter_init(&cutter, def->max_corners, env);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_create(env, &band);
    if (result == PLOY_OK) result = ploy_rings_create(env, &nothing);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_rings_create(env, &floors[i]);
        if (result != PLOY_OK) break;
        if (radii[i] > 0.0f) {
            result = navrings_shrink(def, radii[i], rings, fill, scratch, floors[i]);
        } else { // as it is, but so that even and odd decide what is floor
            result =
                ploy_rings_boolean(rings, nothing, PLOY_BOOLEAN_UNION, fill, scratch, floors[i]);
        }
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        const ploy_rings *inner = i + 1 < count ? floors[i + 1] : NULL;
        result = navrings_band(&cutter, floors[i], inner, radii[i], band, diags, &cut);
    }
    if (result == PLOY_OK) {
        ploy_navmesh_soup soup = ployi_nav_cut_soup(&cut, links, link_count);
        soup.clearances = PLOY_ARRAY_ITEMS(&cut.clearances, float);
        soup.closed = NULL; // each band knows only its own edges; all of them together meet
        result = navrings_build(def, &soup, env, diags, out);
    }
    ploy_rings_destroy(nothing);
    ploy_rings_destroy(band);
    for (int32_t i = 0; i < count; i++) ploy_rings_destroy(floors[i]);
    ploy_arena_destroy(scratch);
    ployi_nav_cut_fini(&cut);
    ployi_nav_cutter_fini(&cutter);
    return result;
}
