/// @file ploy/path/outlines.h
/// Outlines: the walls and the floor of a level as rings, from tiles or from a mesh.
///
/// A level is drawn once and used by four parts, which share its rings, one call each:
///
///     ploy_rings_from_tiles(tiles, &env, walls, floor);       // text, MovingAI, Tiled, generated
///     ploy_rings_from_navmesh(mesh, &env, walls, floor);      // OBJ, Recast
///     ploy_navmesh_create_rings(&def, floor, PLOY_FILL_NON_ZERO, NULL, 0, &env, NULL, &mesh);
///     ploy_plain_scene_add_rings(scene, walls, 0, 1, NULL);   // what sight and feelers hit
///     ploy_crowd_add_rings(crowd, walls);                     // what bodies keep away from
///
/// Outer rings go counter-clockwise, holes clockwise, corners on a straight line are left out. The
/// same level gives the same rings in the same order.
///
/// Cost: O(cells), O(edges). Threads: reads the level only.
#pragma once

#include "ploy/geom/rings.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/tiles.h"

/// Adds the outlines of the blocked cells to walls and those of the passable cells to floor. Cells
/// that touch only at a corner have separate rings. Space beyond the map is neither wall nor floor.
/// @param walls, floor  either may be NULL. Rings that are there already stay.
/// @return PLOY_ERR_UNSUPPORTED for hexagons; PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY, with the rings
///         added by then.
PLOY_API ploy_result ploy_rings_from_tiles(const ploy_tiles *tiles, const ploy_env *env,
                                           ploy_rings *walls, ploy_rings *floor);

/// Adds the rims of a mesh, seen from above: to floor with the floor inside, to walls the other way
/// round, as ploy_crowd_add_rings expects them: a floor's outer rim is a room.
/// @param walls, floor  either may be NULL. Rings that are there already stay.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY, with the rings added by then.
PLOY_API ploy_result ploy_rings_from_navmesh(const ploy_navmesh *mesh, const ploy_env *env,
                                             ploy_rings *walls, ploy_rings *floor);
