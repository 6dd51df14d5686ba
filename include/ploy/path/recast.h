/// @file ploy/path/recast.h
/// A navigation mesh from the triangles of a level, through Recast.
///
/// The triangles are rasterized into columns of cells, walkable cells are found (flat enough, high
/// enough, not too near to walls and ledges), and the outlines of that floor become convex polygons
/// with heights, with several floors above one another if the level has them.
///
/// Levels are baked in square tiles, each separately, and joined along their sides. A bake
/// (ploy_recast_bake) works in slices, and keeps the level: obstacles that are added or removed
/// mark the tiles that they touch, and only those are baked again. ploy_recast_build is a bake run
/// to its end. Technique: Mononen, Recast, 2009, as the library librecast; everything after that
/// step is ours.
///
/// This is the component ploy::path_recast, built if librecast is found; the rest of ploy does not
/// need it. Recast allocates with malloc, not from the env, and uses the machine's floating point:
/// meshes from two machines may differ, so build once and ship the bytes of ploy_navmesh_save.
/// Units: metres, radians. Cost: grows with the level's area in cells. Memory: one tile at a time,
/// and the polygons. Threads: one caller for each bake.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/path/navmesh.h"

/// How the floor is found. Start from ploy_recast_def_default(), which is for humans.
typedef struct ploy_recast_def {
    uint32_t cookie;
    float cell;          ///< m, width of a cell; about half the radius
    float cell_height;   ///< m
    float radius;        ///< m, of the agent: the floor ends this far from walls and ledges
    float height;        ///< m, of the agent
    float climb;         ///< m, highest step
    float slope;         ///< rad, steepest walkable slope
    float region_min;    ///< m^2; smaller unconnected pieces of floor are left out
    float region_merge;  ///< m^2; smaller regions are merged with their neighbours
    float edge_max;      ///< m, longest edge along a wall; 0: any
    float edge_error;    ///< m, largest error of outlines
    int32_t max_corners; ///< most corners of a polygon
    float detail_step;   ///< m between samples of the terrain within polygons; 0: no detail
    float detail_error;  ///< m, largest distance between the detail and the samples
    bool detail_exact;   ///< detail vertices take their height from the triangles, not the cells
    int32_t tile;        ///< cells, side of a tile; 0: the level is one piece
    int32_t max_columns; ///< most columns of cells of the level; PLOY_ERR_LIMIT beyond
    int32_t memory_mb;   ///< MB that baking a tile may take; PLOY_ERR_LIMIT beyond
    /// Called with the stages done so far, of all marked tiles and the joining; may be NULL.
    void (*progress)(void *user, int32_t done, int32_t total);
    void *progress_user;
} ploy_recast_def;

PLOY_API ploy_recast_def ploy_recast_def_default(void);
PLOY_API ploy_fields ploy_recast_fields(void);

/// The triangles of a level, front faces counter-clockwise; borrowed.
typedef struct ploy_recast_level {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *triangles; ///< three vertices for each
    int32_t triangle_count;
    const uint8_t *areas;       ///< of triangles, 0 to PLOY_NAVMESH_AREAS - 1; NULL: 0
    const uint16_t *area_flags; ///< polygon flags for each of the PLOY_NAVMESH_AREAS areas; NULL: 1
    const ploy_navmesh_link *links; ///< may be NULL with count 0
    int32_t link_count;
} ploy_recast_level;

/// Statistics of a bake.
typedef struct ploy_recast_stats {
    int32_t width, height; ///< cells
    int32_t spans;         ///< walkable spans in columns
    int32_t columns, rows; ///< of tiles
    int32_t obstacles;
    int32_t dirty; ///< tiles still to be baked
    int32_t baked; ///< tiles baked since the mesh before the current one
} ploy_recast_stats;

/// Builds the mesh.
/// @param diags  receives faults, and Recast's own warnings. May be NULL.
/// @param stats  may be NULL.
/// @return PLOY_ERR_ARGUMENT for settings or a level out of range, PLOY_ERR_LIMIT if the level has
///         more cells, or a tile needs more memory, than the settings allow (the message names both),
///         PLOY_ERR_NOT_FOUND if there is no walkable floor, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_recast_build(const ploy_recast_def *def, const ploy_recast_level *level,
                                       const ploy_env *env, ploy_diags *diags,
                                       ploy_recast_stats *stats, ploy_navmesh **out);

/// A level that is baked in slices, and again where obstacles are added or removed. Opaque.
typedef struct ploy_recast_bake ploy_recast_bake;

/// Most corners of an obstacle.
#define PLOY_RECAST_OBSTACLE_MAX 64

/// Copies the level. Bakes nothing yet. @return as ploy_recast_build.
PLOY_API ploy_result ploy_recast_bake_create(const ploy_recast_def *def,
                                             const ploy_recast_level *level, const ploy_env *env,
                                             ploy_diags *diags, ploy_recast_bake **out);
/// NULL is allowed.
PLOY_API void ploy_recast_bake_destroy(ploy_recast_bake *bake);

/// An obstacle or an area: everything over a simple polygon between two heights.
typedef struct ploy_recast_obstacle {
    const ploy_vec2 *corners; ///< borrowed by the call
    int32_t count;            ///< 3 to PLOY_RECAST_OBSTACLE_MAX
    float bottom, top;        ///< m; floors between them are marked
    int32_t area; ///< -1: blocked, with the agent's radius around it; otherwise the area
} ploy_recast_obstacle;

/// Adds an obstacle and marks its tiles. Where areas overlap, the one with the higher index in its
/// id counts. @param id  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_recast_bake_add(ploy_recast_bake *bake,
                                          const ploy_recast_obstacle *obstacle, ploy_id *id);
/// Removes an obstacle and marks its tiles. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_recast_bake_remove(ploy_recast_bake *bake, ploy_id id);

/// Bakes marked tiles, one unit of budget each; then joins all tiles into a new mesh, one unit
/// more.
/// @param budget  NULL: to the end. @param diags  may be NULL.
/// @return PLOY_IN_PROGRESS while tiles are left; PLOY_OK if the mesh is up to date; as
///         ploy_recast_build, with the old mesh kept and the failed tile still marked.
PLOY_API ploy_result ploy_recast_bake_step(ploy_recast_bake *bake, ploy_budget *budget,
                                           ploy_diags *diags);

/// Returns the mesh of the last step that returned PLOY_OK; NULL before. The bake owns it, and the
/// next such step destroys it.
PLOY_API const ploy_navmesh *ploy_recast_bake_mesh(const ploy_recast_bake *bake);
/// Identifies the current mesh: different after every step that made a new one. 0 before the first.
PLOY_API uint64_t ploy_recast_bake_generation(const ploy_recast_bake *bake);
PLOY_API ploy_recast_stats ploy_recast_bake_stats(const ploy_recast_bake *bake);
/// Reports the bytes of the level, the tiles and the mesh.
PLOY_API void ploy_recast_bake_memory(const ploy_recast_bake *bake, ploy_memory_fn fn, void *user);
