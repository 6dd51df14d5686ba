/// @file ploy/data/plan.h
/// Generated levels as worlds to find paths in: a floor plan as tiles, as a navigation mesh or as a
/// network of waypoints; a height map as a navigation mesh.
///
/// Positions are those of the plan: cell (x, y) covers [x, x + 1] x [y, y + 1] metres. Plans with
/// thin walls become walls of half a metre. Locked doors are left open; close them in the result.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/heightmap.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/network.h"
#include "ploy/path/tiles.h"

/// Tiles whose kinds are PLOY_TILE_BLOCKED and the plan's ploy_plan_kind (rooms, corridors, doors), so
/// that ploy_tiles_set_cost makes doors or corridors expensive. Straight and diagonal steps.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                          ploy_tiles **out);
/// A mesh of the floor, less the radius of the settings along every wall.
/// @param diags  may be NULL. @return as ploy_navmesh_create_rings.
PLOY_API ploy_result ploy_navmesh_from_plan(const ploy_floor_plan *plan,
                                            const ploy_navmesh_def *def, const ploy_env *env,
                                            ploy_diags *diags, ploy_navmesh **out);

/// A mesh of two triangles for each square of samples, at their heights: the dry terrain that is not
/// too steep. Water deeper than 0.1 m (layer "water") is left out. The radius of the settings is not
/// used: cliffs are soft.
/// @param max_slope  rise over run of a triangle that can be walked, 0 to 100.
/// @return PLOY_ERR_ARGUMENT, also if nothing can be walked; PLOY_ERR_LIMIT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_from_heights(const ploy_heightmap *map, float max_slope,
                                               const ploy_navmesh_def *def, const ploy_env *env,
                                               ploy_diags *diags, ploy_navmesh **out);

/// Numbers of waypoints: a room is its number plus 1, a door its number plus this.
#define PLOY_PLAN_DOOR_WAYPOINT 1000000u

/// A waypoint in every room and in front of every door, joined where one leads to the other: rooms with
/// their doors, and the doors of one link with each other.
PLOY_API ploy_result ploy_network_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                            ploy_network **out);
