/// @file ploy/path/surface.h
/// A surface: a mesh without an up axis, for characters that walk on walls and ceilings.
///
/// A navigation mesh (ploy/path/navmesh.h) is a floor seen from above. A surface makes no such
/// assumption: its polygons may face any direction, as those of a tunnel, a tree trunk or a space
/// station do. States are the edges that two polygons share, at their middles. Two states are
/// connected if both belong to one polygon, so the straight line between them stays on that
/// polygon, and the whole path stays on the surface. Polygons have areas (kinds of surface: grip,
/// sound, ice), priced by the def; a price of INFINITY closes them.
///
///     ploy_surface_spot spot;
///     ploy_surface_nearest(surface, place, &spot);   // spot.normal is the character's up
///
/// Any finder for representations can plan on it (ploy_representation_finder), also in planners.
///
/// Technique: Millington, "AI for Games", navigation meshes on walls and ceilings; edges as nodes.
/// Units: metres. Cost: creating O(n log n), nearest O(log n). Memory: about 300 bytes a polygon of
/// four corners. Threads: immutable, so any number may read it.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/representation.h"

/// Opaque.
typedef struct ploy_surface ploy_surface;

typedef struct ploy_surface_def {
    uint32_t cookie;
    float weld;                       ///< m; vertices this close together are merged
    float reach;                      ///< m, largest distance from a place to the surface
    float bend;                       ///< m; maximum distance of a polygon's corners from its plane
    float prices[PLOY_NAVMESH_AREAS]; ///< cost of a metre, by area; above 0; INFINITY: closed
} ploy_surface_def;

/// Every area costs 1 a metre.
PLOY_API ploy_surface_def ploy_surface_def_default(void);
/// The field table, without the prices.
PLOY_API ploy_fields ploy_surface_fields(void);

/// Builds a surface. Only the vertices, polygons and areas of the soup are read.
/// @param diags  receives every fault with its polygon (as line, from 1): fewer than three corners,
///               no area, not flat, not convex, an edge of three polygons. May be NULL.
/// @return PLOY_ERR_ARGUMENT, also for faults; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_surface_create(const ploy_surface_def *def, const ploy_navmesh_soup *soup,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_surface **out);
/// NULL is allowed.
PLOY_API void ploy_surface_destroy(ploy_surface *surface);

/// The number of polygons, and of edges that two of them share: the states.
PLOY_API int32_t ploy_surface_polygon_count(const ploy_surface *surface);
PLOY_API int32_t ploy_surface_edge_count(const ploy_surface *surface);

/// A point of the surface.
typedef struct ploy_surface_spot {
    ploy_vec3 point;
    ploy_vec3 normal; ///< unit; by the right-hand rule from the order of the polygon's corners
    int32_t polygon;
    uint32_t area;
} ploy_surface_spot;

/// Finds the point of the surface nearest to a place; among equals that of the lowest polygon.
/// @return false, leaving out unchanged, if none is within reach.
PLOY_API bool ploy_surface_nearest(const ploy_surface *surface, ploy_vec3 place,
                                   ploy_surface_spot *out);

/// Returns the representation, valid as long as the surface exists. A straight line is free if both
/// ends are on one polygon. The agent's body is ignored.
PLOY_API ploy_representation ploy_surface_view(const ploy_surface *surface);
PLOY_API void ploy_surface_memory(const ploy_surface *surface, ploy_memory_fn fn, void *user);
