/// @file ploy/generate/roads.h
/// Roads: joins places on a landscape into a network, around steep terrain and water.
///
/// Each new road runs from the network so far to the nearest place that is not on it yet, along the
/// cheapest path over the cells; so roads share stretches and branch off where that is cheaper.
/// Then pairs of places whose path along the roads costs much more than the direct path get a
/// separate road. A step costs its length times 1 + slope_cost * slope^2; steps steeper than
/// max_slope are not taken, water costs `bridge` times as much.
///
/// The result is a copy of the map with the layer "road" (u8: 1 on a road), and the network: nodes
/// (places and junctions) and links between them as polylines.
///
/// Technique: Dijkstra's search over cells with all network cells as starts (ploy/search/search.h),
/// as in Galin et al., "Procedural generation of roads", 2010; the growing network is Prim's tree
/// with junctions.
///
/// Units: metres. A budget unit is 64 cells taken by a search. Cost: O(places * cells log cells).
/// Memory: the map and 80 bytes per cell while it works. Threads: one caller.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/generate/heightmap.h"

typedef struct ploy_roads_def {
    uint32_t cookie;
    int32_t places;   ///< random places if none are given to begin
    float max_slope;  ///< steepest step: rise over run
    float slope_cost; ///< how expensive slopes are
    float bridge;     ///< factor on the cost of a step into the layer "water"
    float detour; ///< a pair gets a separate road if the network costs more than this many times
    int32_t neighbours; ///< nearest places of each that are tried; 0: the network stays a tree
    int32_t max_states; ///< cells taken by all searches together
} ploy_roads_def;

PLOY_API ploy_roads_def ploy_roads_def_default(void);
PLOY_API ploy_fields ploy_roads_fields(void);

/// A place or a junction.
typedef struct ploy_road_node {
    ploy_vec3 position; ///< m
    int32_t cell;
    int32_t place; ///< index of the place; -1 for a junction
} ploy_road_node;

/// A stretch of road between two nodes.
typedef struct ploy_road_link {
    int32_t from, to;     ///< nodes; the same one for a loop
    int32_t first, count; ///< points, both ends included
    float length;         ///< m
} ploy_road_link;

/// A network that grows. Opaque.
typedef struct ploy_roads ploy_roads;

/// Starts.
/// @param places  read only by begin; NULL with count 0: random ones on dry and level terrain.
///                Places off the map are left out, and so are those that no path reaches:
///                outcome.rejected.
PLOY_API ploy_result ploy_roads_begin(const ploy_roads_def *def, ploy_rng_key key,
                                      const ploy_heightmap *map, const ploy_vec2 *places,
                                      int32_t count, ploy_trace *trace, const ploy_env *env,
                                      ploy_roads **out);
PLOY_API ploy_result ploy_roads_step(ploy_roads *roads, ploy_budget *budget);
/// count: links at the end, roads before that.
PLOY_API ploy_generate_outcome ploy_roads_outcome(const ploy_roads *roads);
/// The map with its layer "road".
PLOY_API const ploy_heightmap *ploy_roads_heights(const ploy_roads *roads);
/// Nodes, links and the points of all links; complete at the end, none before.
PLOY_API const ploy_road_node *ploy_roads_nodes(const ploy_roads *roads, int32_t *count);
PLOY_API const ploy_road_link *ploy_roads_links(const ploy_roads *roads, int32_t *count);
PLOY_API const ploy_vec3 *ploy_roads_points(const ploy_roads *roads);
PLOY_API void ploy_roads_cancel(ploy_roads *roads);
PLOY_API void ploy_roads_describe(const ploy_roads *roads, ploy_describe *out);
PLOY_API void ploy_roads_draw(const ploy_roads *roads, ploy_draw *out);
PLOY_API void ploy_roads_memory(const ploy_roads *roads, ploy_memory_fn fn, void *user);
/// "roads": takes heights, uses points as places, makes heights.
PLOY_API const ploy_generator_type *ploy_roads_generator(void);
