// A floor with a pillar as a few convex polygons with doors between them, and which of three posts
// is the nearest. Shows ploy/geom/merge.h and ploy/geom/voronoi.h.
#include <stdio.h>

#include "ploy/geom/merge.h"
#include "ploy/geom/voronoi.h"

static ploy_result merge_floor(const ploy_rings *plan, ploy_cdt *cdt, ploy_merge *merge,
                               ploy_arena *scratch) {
    ploy_result result = ploy_cdt_build_rings(cdt, plan, PLOY_FILL_NON_ZERO, NULL);
    if (result == PLOY_OK) result = ploy_merge_build(merge, cdt, scratch);
    if (result != PLOY_OK) return result;
    ploy_merge_view view = ploy_merge_get(merge);
    printf("%d triangles, %d convex polygons\n", (int)ploy_cdt_triangle_count(cdt),
           (int)view.polygon_count);
    // Where does one come from the polygon that holds the point (1, 1)?
    ploy_cdt_location at = ploy_cdt_locate(cdt, ploy_vec2_make(1, 1), -1);
    int32_t here = view.polygon_of[at.triangle];
    for (int32_t i = 0; i < view.polygons[here].count; i++) {
        int32_t next = view.neighbours[view.polygons[here].first + i];
        ploy_segment2 portal;
        if (next < 0 || !ploy_merge_portal(merge, here, next, &portal)) continue;
        printf("a door of %.2f m leads to polygon %d\n", (double)ploy_segment2_length(portal),
               (int)next);
    }
    return PLOY_OK;
}

static ploy_result share_out(ploy_cdt *cdt, ploy_voronoi *voronoi, ploy_arena *scratch) {
    static const ploy_vec2 posts[] = {{1, 1}, {7, 2}, {4, 7}};
    ploy_box2 map = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(8, 8));
    ploy_result result = ploy_cdt_build(cdt, posts, 3, NULL, 0, NULL);
    if (result == PLOY_OK) result = ploy_voronoi_build(voronoi, cdt, map, scratch);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < 3; i++) {
        printf("post %d is the nearest to %.2f m^2\n", (int)i,
               (double)ploy_polygon_area(ploy_voronoi_cell_of(voronoi, i)));
    }
    printf("an alarm at (5, 4) goes to post %d\n",
           (int)ploy_voronoi_nearest(voronoi, ploy_vec2_make(5, 4), -1));
    return PLOY_OK;
}

int main(void) {
    static const ploy_vec2 outline[] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    static const ploy_vec2 pillar[] = {{3, 3}, {5, 3}, {5, 5}, {3, 5}};
    ploy_env env = ploy_env_default();
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def merge_def = ploy_merge_def_default();
    ploy_rings *plan = NULL;
    ploy_cdt *cdt = NULL;
    ploy_merge *merge = NULL;
    ploy_voronoi *voronoi = NULL;
    ploy_arena *scratch = NULL;
    if (ploy_rings_create(&env, &plan) != PLOY_OK || ploy_rings_add(plan, outline, 4) != PLOY_OK ||
        ploy_rings_add_reversed(plan, pillar, 4) != PLOY_OK ||
        ploy_cdt_create(&cdt_def, &env, &cdt) != PLOY_OK ||
        ploy_merge_create(&merge_def, &env, &merge) != PLOY_OK ||
        ploy_voronoi_create(&env, &voronoi) != PLOY_OK ||
        ploy_arena_create(65536, 0, &env, &scratch) != PLOY_OK) {
        return 1;
    }
    if (merge_floor(plan, cdt, merge, scratch) != PLOY_OK) return 1;
    if (share_out(cdt, voronoi, scratch) != PLOY_OK) return 1;
    ploy_rings_destroy(plan);
    ploy_cdt_destroy(cdt);
    ploy_merge_destroy(merge);
    ploy_voronoi_destroy(voronoi);
    ploy_arena_destroy(scratch);
    return 0;
}
