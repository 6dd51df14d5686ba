/// @file ploy/data/plan.h
/// Generated levels as worlds for pathfinding: a floor plan as tiles, a navigation mesh or a
/// network of waypoints; a height map as a navigation mesh.
///
/// Positions are those of the plan: cell (x, y) covers [x, x + 1] x [y, y + 1] metres. Thin walls
/// become half a metre thick. Locked doors are open; close them in the result.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/heightmap.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/network.h"
#include "ploy/path/tiles.h"

/// Creates tiles with the kinds PLOY_TILE_BLOCKED and the plan's ploy_plan_kind (rooms, corridors,
/// doors), so that ploy_tiles_set_cost can make doors or corridors expensive. Steps are straight
/// and diagonal.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                          ploy_tiles **out);
/// Creates a mesh of the floor, shrunk by the settings' radius along every wall.
/// @param diags  may be NULL. @return as ploy_navmesh_create_rings.
PLOY_API ploy_result ploy_navmesh_from_plan(const ploy_floor_plan *plan,
                                            const ploy_navmesh_def *def, const ploy_env *env,
                                            ploy_diags *diags, ploy_navmesh **out);

/// Creates a mesh of the dry terrain that is not too steep, with two triangles for each square of
/// samples, at their heights. Water deeper than 0.1 m (layer "water") is excluded. The settings'
/// radius is not used, because the edges of cliffs are not walls.
/// @param max_slope  rise over run of the steepest walkable triangle, 0 to 100.
/// @return PLOY_ERR_ARGUMENT, also if nothing is walkable; PLOY_ERR_LIMIT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_from_heights(const ploy_heightmap *map, float max_slope,
                                               const ploy_navmesh_def *def, const ploy_env *env,
                                               ploy_diags *diags, ploy_navmesh **out);

/// Numbers of waypoints: a room is its number plus 1, a door its number plus this.
#define PLOY_PLAN_DOOR_WAYPOINT 1000000u

/// Creates a waypoint in every room and in front of every door, and connects rooms with their doors
/// and the doors of one link with each other.
PLOY_API ploy_result ploy_network_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                            ploy_network **out);
