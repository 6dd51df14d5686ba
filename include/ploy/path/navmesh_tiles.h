/// @file ploy/path/navmesh_tiles.h
/// A floor in square tiles: obstacles come and go, tiles are loaded and unloaded, and only what
/// changed is cut again.
///
/// Cutting a floor into polygons is the expensive part of a navigation mesh. Here each tile keeps
/// its own polygons; an obstacle that is put down or taken away marks the tiles that it touches,
/// and ploy_navmesh_tiles_refresh cuts those, joins them to the tiles beside, where the edges along
/// the lines between them meet, and copies all into one mesh. The mesh depends on what there is,
/// not on how it came to be: after any edits it has the same bytes as one made at once.
/// Technique: tiled meshes as in Mononen's Recast, 2009, with joins that are exact.
///
/// Meshes do not change: a refresh makes a new one and destroys the old, so create queries again,
/// and find places in it again. Obstacles are grown, and the outline shrunk, by the agent's radius.
/// Units: metres. Threads: one caller; the mesh may be read by many between refreshes.
#pragma once

#include "ploy/path/navmesh.h"

/// The floor. Opaque.
typedef struct ploy_navmesh_tiles ploy_navmesh_tiles;

/// Most tiles of one floor, and most corners of an obstacle.
#define PLOY_NAVMESH_TILES_MAX (1 << 16)
#define PLOY_NAVMESH_OBSTACLE_MAX 256

/// Settings. Start from ploy_navmesh_tiles_def_default().
typedef struct ploy_navmesh_tiles_def {
    uint32_t cookie;
    float tile;          ///< m, side of a tile: some ten times the width of an obstacle
    float radius;        ///< m, of the agent
    float slack;         ///< m; round corners are off by no more than this
    int32_t max_corners; ///< of a polygon, before those along tile lines are added
} ploy_navmesh_tiles_def;

PLOY_API ploy_navmesh_tiles_def ploy_navmesh_tiles_def_default(void);
PLOY_API ploy_fields ploy_navmesh_tiles_fields(void);

/// Creates the floor that rings hold, all tiles loaded; there is no mesh before the first refresh.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT for more tiles than there may be, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_tiles_create(const ploy_navmesh_tiles_def *def,
                                               const ploy_rings *rings, ploy_fill fill,
                                               const ploy_env *env, ploy_navmesh_tiles **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_tiles_destroy(ploy_navmesh_tiles *tiles);

/// Puts an obstacle down: a polygon of at least three corners, in either direction, that does not
/// cross itself. Obstacles may overlap.
/// @param id  names it until it is removed. May be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_navmesh_tiles_add(ploy_navmesh_tiles *tiles, const ploy_vec2 *corners,
                                            int32_t count, ploy_id *id);
/// Takes it away. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_remove(ploy_navmesh_tiles *tiles, ploy_id id);

/// Loads or unloads a tile: its floor is there or not. A loaded tile is cut at the next refresh; an
/// unloaded one keeps no polygons. @return PLOY_ERR_ARGUMENT for no such tile.
PLOY_API ploy_result ploy_navmesh_tiles_set_loaded(ploy_navmesh_tiles *tiles, int32_t x, int32_t y,
                                                   bool loaded);

/// Adds a link between two points of the floor. While an end has no floor (an obstacle is on it, or
/// its tile is not loaded) the mesh does without the link.
/// @param id  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_navmesh_tiles_add_link(ploy_navmesh_tiles *tiles,
                                                 const ploy_navmesh_link *link, ploy_id *id);
/// Opens or closes a link: a door, a drawbridge. No tile is cut for it. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_set_link(ploy_navmesh_tiles *tiles, ploy_id id, bool open);
/// Removes a link. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_remove_link(ploy_navmesh_tiles *tiles, ploy_id id);

/// Cuts what changed and makes the mesh. Does nothing if nothing changed.
/// @param diags  may be NULL.
/// @return PLOY_ERR_MEMORY or PLOY_ERR_LIMIT; the old mesh stays then, and what was to be done is
///         still to be done.
PLOY_API ploy_result ploy_navmesh_tiles_refresh(ploy_navmesh_tiles *tiles, ploy_diags *diags);

/// The mesh of the last refresh, which owns it; NULL before the first.
PLOY_API const ploy_navmesh *ploy_navmesh_tiles_mesh(const ploy_navmesh_tiles *tiles);

/// Names the present mesh: different after every refresh that made a new one, also if the polygons
/// are the same again, because the old one is destroyed. 0 before the first.
PLOY_API uint64_t ploy_navmesh_tiles_generation(const ploy_navmesh_tiles *tiles);

/// What there is.
typedef struct ploy_navmesh_tiles_stats {
    int32_t columns, rows; ///< of tiles, x and y from 0
    ploy_vec2 origin;      ///< of tile 0, 0
    int32_t obstacles;
    int32_t links;   ///< open ones
    int32_t dirty;   ///< tiles that the next refresh will cut
    int32_t cut;     ///< by the last one
    int32_t joined;  ///< tiles that it joined to their neighbours: those cut and the ones beside
    int32_t touched; ///< polygons of those
} ploy_navmesh_tiles_stats;

PLOY_API ploy_navmesh_tiles_stats ploy_navmesh_tiles_stats_of(const ploy_navmesh_tiles *tiles);

/// Counts, obstacles and the mesh.
PLOY_API void ploy_navmesh_tiles_describe(const ploy_navmesh_tiles *tiles, ploy_describe *out);
/// The mesh, the lines between tiles and, as walls, the obstacles.
PLOY_API void ploy_navmesh_tiles_draw(const ploy_navmesh_tiles *tiles, ploy_draw *out);
