/// @file ploy/path/recast.h
/// A navigation mesh from the triangles of a level, through Recast.
///
/// The triangles are cut into columns of cells, what an agent can stand on is found there (flat
/// enough, high enough, not too near to walls and ledges), and the outlines of that floor become
/// convex polygons with heights, several floors over one another where the level has them.
/// Technique: Mononen, Recast, 2009, as the library librecast; everything after it is ours.
///
/// This is the component ploy::path_recast, built where librecast is found; the rest of ploy does
/// without it. Recast takes its memory from malloc, not from the env, and its floating point is
/// that of the machine: meshes of two machines may differ, so build once and ship the bytes of
/// ploy_navmesh_save. Units: metres, radians. Cost: grows with the level's volume in cells.
/// Threads: pure.
#pragma once

#include "ploy/path/navmesh.h"

/// How the floor is found. Start from ploy_recast_def_default(), which is for people.
typedef struct ploy_recast_def {
    uint32_t cookie;
    float cell;          ///< m, width of a cell; about half the radius
    float cell_height;   ///< m
    float radius;        ///< m, of the agent: so far from walls and ledges the floor ends
    float height;        ///< m, of the agent
    float climb;         ///< m, highest step
    float slope;         ///< rad, steepest ground
    float region_min;    ///< m^2; smaller pieces of floor that hang on nothing are left out
    float region_merge;  ///< m^2; smaller regions are merged with their neighbours
    float edge_max;      ///< m, longest edge along a wall; 0: any
    float edge_error;    ///< m, how far outlines may be off
    int32_t max_corners; ///< most of a polygon
    float detail_step;   ///< m between samples of the ground within polygons; 0: no detail
    float detail_error;  ///< m, how far the detail may be off the samples
    bool detail_exact;   ///< its vertices are as high as the triangles there, not as the cells
} ploy_recast_def;

PLOY_API ploy_recast_def ploy_recast_def_default(void);
PLOY_API ploy_fields ploy_recast_fields(void);

/// The triangles of a level, front faces counter-clockwise; borrowed.
typedef struct ploy_recast_level {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *triangles; ///< three vertices for each
    int32_t triangle_count;
    const uint8_t *areas;           ///< of triangles, 0 to PLOY_NAVMESH_AREAS - 1; NULL: 0
    const uint16_t *area_flags;     ///< of the PLOY_NAVMESH_AREAS areas: their polygons'; NULL: 1
    const ploy_navmesh_link *links; ///< may be NULL with count 0
    int32_t link_count;
} ploy_recast_level;

/// What came of a level on the way.
typedef struct ploy_recast_stats {
    int32_t width, height; ///< cells
    int32_t spans;         ///< places in columns where an agent can stand
} ploy_recast_stats;

/// Builds the mesh.
/// @param diags  hears what is wrong, and Recast's own warnings. May be NULL.
/// @param stats  may be NULL.
/// @return PLOY_ERR_ARGUMENT for settings or a level out of range, PLOY_ERR_LIMIT if the level has
///         too many cells for that cell size, PLOY_ERR_NOT_FOUND if there is no floor in it,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_recast_build(const ploy_recast_def *def, const ploy_recast_level *level,
                                       const ploy_env *env, ploy_diags *diags,
                                       ploy_recast_stats *stats, ploy_navmesh **out);
