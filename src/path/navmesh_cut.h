// Outlines cut into convex polygons, which tiles and bands of several sizes are made of.
#pragma once

#include "ploy/base/array.h"
#include "ploy/geom/merge.h"
#include "ploy/path/navmesh.h"

// Polygons that were cut, one after the other; the arrays are those of a soup.
typedef struct ployi_nav_cut {
    ploy_array vertices, sizes, corners, closed, clearances;
} ployi_nav_cut;

void ployi_nav_cut_init(ployi_nav_cut *cut, const ploy_env *env);
void ployi_nav_cut_fini(ployi_nav_cut *cut);
void ployi_nav_cut_clear(ployi_nav_cut *cut);
// Borrowed; without clearances.
ploy_navmesh_soup ployi_nav_cut_soup(const ployi_nav_cut *cut, const ploy_navmesh_link *links,
                                     int32_t link_count);

// What cuts: one triangulation after the other.
typedef struct ployi_nav_cutter {
    ploy_arena *scratch;
    ploy_cdt *cdt;
    ploy_merge *merge;
} ployi_nav_cutter;

ploy_result ployi_nav_cutter_init(ployi_nav_cutter *cutter, int32_t max_corners,
                                  const ploy_env *env);
void ployi_nav_cutter_fini(ployi_nav_cutter *cutter);
// Cuts an outline and adds its polygons.
ploy_result ployi_nav_cut_add(ployi_nav_cutter *cutter, const ploy_rings *rings, ploy_fill fill,
                              float clearance, ploy_diags *diags, ployi_nav_cut *cut);
