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
/// What a factory points to is read by make, which copies settings; maps, meshes and graphs must
/// outlive the finders. Costs: steps and lines in cells, everything else in the unit of its edges.
/// Threads: as ploy/path/finder.h.
#pragma once

#include "ploy/path/finder.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/navmesh_tiles.h"
#include "ploy/path/representation.h"

/// The searches of ploy/path/grid_search.h: "dijkstra", "astar", "jps", "fast". They refuse a
/// radius wider than the map's body, and all requests while the map is behind its tiles.
/// @param map  must outlive the finders.
PLOY_API ploy_finder_factory ploy_grid_finder(const ploy_grid_map *map,
                                              ploy_grid_algorithm algorithm);
typedef enum ploy_grid_angle_algorithm {
    PLOY_GRID_ANGLE_THETA,
    PLOY_GRID_ANGLE_LAZY,
    PLOY_GRID_ANGLE_COUNT
} ploy_grid_angle_algorithm;

/// Lines at any angle between cells: "theta", "lazy". Their lines may touch corners, so a body needs
/// a map one cell wider than itself.
PLOY_API ploy_finder_factory ploy_grid_angle_finder(const ploy_grid_map *map,
                                                    ploy_grid_angle_algorithm algorithm);
/// The shortest lines at any angle: "anya". A radius as for ploy_grid_angle_finder.
PLOY_API ploy_finder_factory ploy_grid_anya_finder(const ploy_grid_map *map);

/// How a representation is searched.
typedef enum ploy_space_method {
    PLOY_SPACE_ASTAR,    ///< "generic": optimal
    PLOY_SPACE_WEIGHTED, ///< "weighted": estimates count three times; at most three times too long
    PLOY_SPACE_GREEDY,   ///< "greedy": by the estimate alone
    PLOY_SPACE_BREADTH,  ///< "breadth": fewest edges
    PLOY_SPACE_DEPTH,    ///< "depth": some path
    PLOY_SPACE_ANYTIME,  ///< "anytime": a path soon, which peek returns, then better ones: optimal
    PLOY_SPACE_BIDIRECTIONAL, ///< "bidirectional": from both ends: optimal; a place, no variety
    PLOY_SPACE_METHOD_COUNT
} ploy_space_method;

/// Any representation (tiles, graphs, networks), searched by ploy_search. Serves every request, but
/// for what the method says; bidirectional needs a space with expand_back.
/// @param representation  read by make; what it points to must outlive the finders.
PLOY_API ploy_finder_factory ploy_representation_finder(const ploy_representation *representation,
                                                        ploy_space_method method);

/// A mesh to search. Start from ploy_navmesh_finder_def_default(). One of mesh and tiles is set.
typedef struct ploy_navmesh_finder_def {
    const ploy_navmesh *mesh;        ///< must outlive the finders
    const ploy_navmesh_tiles *tiles; ///< or a floor in tiles: searches follow its refreshes
    ploy_navmesh_filter filter;
    ploy_navmesh_method method; ///< not of exact
    float reach;                ///< m, seen from above: how far from the floor a request may be
    float height;               ///< m, up and down likewise
    float radius;               ///< m, of exact: what the mesh was built for, or searched for if it
                                ///< is for several sizes; larger bodies are refused
    int32_t nodes;              ///< of exact: most nodes of one search
} ploy_navmesh_finder_def;

/// The default filter, crossings, a reach and a height of 2 m, a radius of 0. Requests are on the
/// nearest floor in space (PLOY_NAVMESH_CLOSEST); those further off the floor have no path.
PLOY_API ploy_navmesh_finder_def ploy_navmesh_finder_def_default(void);

/// A* over portals or polygons: "mesh". Serves every request; a request's radius trims portals or,
/// in a mesh for several sizes, needs that clearance; its mask is not used.
/// @param def  read by make. @return make refuses settings out of range.
PLOY_API ploy_finder_factory ploy_navmesh_finder(const ploy_navmesh_finder_def *def);
/// The shortest path over a mesh, seen from above: "exact". Areas, links and the filter do not
/// count.
PLOY_API ploy_finder_factory ploy_navmesh_exact_finder(const ploy_navmesh_finder_def *def);

/// Everything that can search one map of tiles, in the order in which programs list it.
/// @param map   NULL: the map's own finders are listed, and make refuses them.
/// @param tiles  a representation of the same tiles.
/// @param out   room for capacity of them; may be NULL with capacity 0.
/// @return how many there are, perhaps more than capacity.
PLOY_API int32_t ploy_tiles_finders(const ploy_grid_map *map, const ploy_representation *tiles,
                                    ploy_finder_factory *out, int32_t capacity);
