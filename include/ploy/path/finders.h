/// @file ploy/path/finders.h
/// Factories of finders (ploy/path/finder.h): each search of the library behind the one interface.
///
///     factory                     searches               optimal   refuses
///     ploy_grid_finder            a grid map, by steps   yes       hooks, predicates, variety
///     ploy_grid_angle_finder      a grid map, by lines   no        the same, and cell costs
///     ploy_grid_anya_finder       a grid map, by lines   yes       the same, and cell costs
///     ploy_representation_finder  any representation     by method nothing
///     ploy_navmesh_finder         a mesh, by portals     no        nothing
///     ploy_navmesh_exact_finder   a mesh, by sight       yes       hooks, predicates, variety
///
/// make reads what the factory points to and copies settings; maps, meshes and graphs must outlive
/// the finders. Costs of steps and lines are in cells, all others in the unit of their edges.
/// Threads: as ploy/path/finder.h.
#pragma once

#include "ploy/path/finder.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/navmesh_tiles.h"
#include "ploy/path/representation.h"

/// The searches of ploy/path/grid_search.h: "dijkstra", "astar", "jps", "fast". They refuse a
/// radius larger than the body the map was made for, and all requests while the map is out of date
/// with its tiles.
/// @param map  must outlive the finders.
PLOY_API ploy_finder_factory ploy_grid_finder(const ploy_grid_map *map,
                                              ploy_grid_algorithm algorithm);
typedef enum ploy_grid_angle_algorithm {
    PLOY_GRID_ANGLE_THETA,
    PLOY_GRID_ANGLE_LAZY,
    PLOY_GRID_ANGLE_COUNT
} ploy_grid_angle_algorithm;

/// Searches lines at any angle between cells: "theta", "lazy". The lines may touch corners, so a
/// body needs a map made for a body one cell wider.
PLOY_API ploy_finder_factory ploy_grid_angle_finder(const ploy_grid_map *map,
                                                    ploy_grid_angle_algorithm algorithm);
/// Searches the shortest lines at any angle: "anya". The radius is handled as by
/// ploy_grid_angle_finder.
PLOY_API ploy_finder_factory ploy_grid_anya_finder(const ploy_grid_map *map);

/// How a representation is searched.
typedef enum ploy_space_method {
    PLOY_SPACE_ASTAR,    ///< "generic": optimal
    PLOY_SPACE_WEIGHTED, ///< "weighted": estimates x 3; costs at most 3 x the optimum
    PLOY_SPACE_GREEDY,   ///< "greedy": by the estimate alone
    PLOY_SPACE_BREADTH,  ///< "breadth": fewest edges
    PLOY_SPACE_DEPTH,    ///< "depth": any path
    PLOY_SPACE_ANYTIME,  ///< "anytime": a first path soon (see peek), then better ones; optimal
    PLOY_SPACE_BIDIRECTIONAL, ///< "bidirectional": optimal; only to a place, no variety
    PLOY_SPACE_METHOD_COUNT
} ploy_space_method;

/// Any representation (tiles, graphs, networks), searched by ploy_search. Serves every request,
/// except as noted for the method; bidirectional needs a space with expand_back.
/// @param representation  read by make; what it points to must outlive the finders.
PLOY_API ploy_finder_factory ploy_representation_finder(const ploy_representation *representation,
                                                        ploy_space_method method);

/// A mesh to search. Start from ploy_navmesh_finder_def_default(), and set either mesh or tiles.
typedef struct ploy_navmesh_finder_def {
    const ploy_navmesh *mesh;        ///< must outlive the finders
    const ploy_navmesh_tiles *tiles; ///< or a floor in tiles: searches follow its refreshes
    ploy_navmesh_filter filter;
    ploy_navmesh_method method; ///< not used by exact
    float reach;                ///< m, seen from above: how far from the floor a request may be
    float height;               ///< m, the same up and down
    float radius;               ///< m, of exact: what the mesh was built for, or searched for if it
                                ///< is for several sizes; larger bodies are refused
    int32_t nodes;              ///< of exact: most nodes of one search
} ploy_navmesh_finder_def;

/// The default filter, crossings, a reach and a height of 2 m, a radius of 0. Requests are placed
/// on the nearest floor in space (PLOY_NAVMESH_CLOSEST); points out of reach have no path.
PLOY_API ploy_navmesh_finder_def ploy_navmesh_finder_def_default(void);

/// A* over portals or polygons: "mesh". Serves every request. A request's radius trims portals or,
/// in a mesh for several sizes, requires that clearance. The mask is not used.
/// @param def  read by make. @return make refuses settings out of range.
PLOY_API ploy_finder_factory ploy_navmesh_finder(const ploy_navmesh_finder_def *def);
/// The shortest path over a mesh, seen from above: "exact". Areas, links and the filter are
/// ignored.
PLOY_API ploy_finder_factory ploy_navmesh_exact_finder(const ploy_navmesh_finder_def *def);

/// Lists every finder that can search one tile map, in the order in which tools show them.
/// @param map   NULL: the map's own finders are listed, and make refuses them.
/// @param tiles  a representation of the same tiles.
/// @param out   room for capacity of them; may be NULL with capacity 0.
/// @return their number, which may exceed capacity.
PLOY_API int32_t ploy_tiles_finders(const ploy_grid_map *map, const ploy_representation *tiles,
                                    ploy_finder_factory *out, int32_t capacity);
