/// @file ploy/path/navmesh_tiles.h
/// A floor in square tiles: obstacles can be added and removed, tiles loaded and unloaded, and only
/// changed tiles are rebuilt.
///
/// Cutting a floor into polygons is the expensive part of a navigation mesh. Here each tile keeps
/// its own polygons. Adding or removing an obstacle marks the tiles that it touches;
/// ploy_navmesh_tiles_refresh cuts those into polygons again, joins them to their neighbours along
/// the tile borders, and copies all into one mesh. The mesh depends on the contents, not on their
/// history: after any edits it has the same bytes as one built at once. Technique: tiled meshes as
/// in Mononen's Recast, 2009, with joins that are exact.
///
/// Meshes are immutable: a refresh makes a new one and destroys the old one, so create new queries
/// and locate places again. Obstacles are grown, and the outline shrunk, by the agent's radius.
/// Units: metres. Threads: one caller; the mesh may be read by many between refreshes.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/path/navmesh.h"

/// The floor. Opaque.
typedef struct ploy_navmesh_tiles ploy_navmesh_tiles;

/// Maximum number of tiles of a floor, and of corners of an obstacle.
#define PLOY_NAVMESH_TILES_MAX (1 << 16)
#define PLOY_NAVMESH_OBSTACLE_MAX 256

/// Settings. Start from ploy_navmesh_tiles_def_default().
typedef struct ploy_navmesh_tiles_def {
    uint32_t cookie;
    float tile;          ///< m, side of a tile: about ten times the width of an obstacle
    float radius;        ///< m, of the agent
    float slack;         ///< m; largest error of round corners
    int32_t max_corners; ///< of a polygon, before those along tile borders are added
} ploy_navmesh_tiles_def;

PLOY_API ploy_navmesh_tiles_def ploy_navmesh_tiles_def_default(void);
PLOY_API ploy_fields ploy_navmesh_tiles_fields(void);

/// Creates the floor that rings enclose, with all tiles loaded. There is no mesh before the first
/// refresh.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT for too many tiles, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_tiles_create(const ploy_navmesh_tiles_def *def,
                                               const ploy_rings *rings, ploy_fill fill,
                                               const ploy_env *env, ploy_navmesh_tiles **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_tiles_destroy(ploy_navmesh_tiles *tiles);

/// Adds an obstacle: a polygon of at least three corners, in either direction, that does not cross
/// itself. Obstacles may overlap.
/// @param id  identifies the obstacle until it is removed. May be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_navmesh_tiles_add(ploy_navmesh_tiles *tiles, const ploy_vec2 *corners,
                                            int32_t count, ploy_id *id);
/// Removes an obstacle. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_remove(ploy_navmesh_tiles *tiles, ploy_id id);

/// Loads or unloads a tile. A loaded tile is cut at the next refresh; an unloaded one keeps no
/// polygons. @return PLOY_ERR_ARGUMENT if there is no such tile.
PLOY_API ploy_result ploy_navmesh_tiles_set_loaded(ploy_navmesh_tiles *tiles, int32_t x, int32_t y,
                                                   bool loaded);

/// Adds a link between two points of the floor. While an end has no floor (an obstacle is on it, or
/// its tile is not loaded) the mesh leaves out the link.
/// @param id  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_navmesh_tiles_add_link(ploy_navmesh_tiles *tiles,
                                                 const ploy_navmesh_link *link, ploy_id *id);
/// Opens or closes a link: a door, a drawbridge. This cuts no tile. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_set_link(ploy_navmesh_tiles *tiles, ploy_id id, bool open);
/// Removes a link. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_navmesh_tiles_remove_link(ploy_navmesh_tiles *tiles, ploy_id id);

/// Cuts the changed tiles and makes the mesh. Does nothing if nothing changed.
/// @param diags  may be NULL.
/// @return PLOY_ERR_MEMORY or PLOY_ERR_LIMIT; the old mesh then stays, and the changes are
///         still pending.
PLOY_API ploy_result ploy_navmesh_tiles_refresh(ploy_navmesh_tiles *tiles, ploy_diags *diags);
/// The same in slices: one unit of the budget cuts one tile, and the last one makes the mesh. Until
/// then the old mesh stays in use. Changes made between two calls are included.
/// @param budget  NULL: no limit.
/// @return PLOY_IN_PROGRESS while work is left; otherwise as ploy_navmesh_tiles_refresh.
PLOY_API ploy_result ploy_navmesh_tiles_step(ploy_navmesh_tiles *tiles, ploy_budget *budget,
                                             ploy_diags *diags);

/// Returns the mesh of the last refresh, owned by the tiles; NULL before the first.
PLOY_API const ploy_navmesh *ploy_navmesh_tiles_mesh(const ploy_navmesh_tiles *tiles);

/// Identifies the current mesh: different after every refresh that made a new one, even if the
/// polygons are the same, because the old one is destroyed. 0 before the first.
PLOY_API uint64_t ploy_navmesh_tiles_generation(const ploy_navmesh_tiles *tiles);

/// Counts: what the floor contains, and what the last refresh did.
typedef struct ploy_navmesh_tiles_stats {
    int32_t columns, rows; ///< of tiles, x and y from 0
    ploy_vec2 origin;      ///< of tile 0, 0
    int32_t obstacles;
    int32_t links;   ///< open ones
    int32_t dirty;   ///< tiles that the next refresh will cut
    int32_t cut;     ///< by the last one
    int32_t joined;  ///< tiles that it joined to their neighbours: those cut and the adjacent ones
    int32_t touched; ///< polygons of those
} ploy_navmesh_tiles_stats;

PLOY_API ploy_navmesh_tiles_stats ploy_navmesh_tiles_stats_of(const ploy_navmesh_tiles *tiles);

/// Describes counts, obstacles and the mesh.
PLOY_API void ploy_navmesh_tiles_describe(const ploy_navmesh_tiles *tiles, ploy_describe *out);
/// Draws the mesh, the tile borders and, as walls, the obstacles.
PLOY_API void ploy_navmesh_tiles_draw(const ploy_navmesh_tiles *tiles, ploy_draw *out);
