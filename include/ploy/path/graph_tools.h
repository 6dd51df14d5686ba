/// @file ploy/path/graph_tools.h
/// Level editor tools: lay out, connect, thin and price graphs automatically.
///
///     ploy_graph_add_flood       a lattice of nodes wherever an agent can walk from a seed
///     ploy_graph_add_cylinders   free corridors, joined where they overlap
///     ploy_graph_join_regions    regions (boxes) joined where enough lines of sight pass
///     ploy_graph_prune           drops edges that lead through a third node's domain
///     ploy_graph_reduce          keeps few nodes that represent all
///     ploy_graph_price           costs from distance and slope, by kind of unit
///     ploy_domains_check         cells whose nearest waypoint is behind a wall
///     ploy_floor_check           holes in a floor of triangles that were not marked
///
/// Joining by sight and by neighbourhood is in ploy/path/corners.h; ploy/path/graph_mine.h builds
/// graphs from recorded movement; ploy_representation_check reports edges that cannot be walked.
/// The results are drafts for a designer: two nodes that see each other are not always connected by
/// walkable floor.
///
/// Technique: Millington, "AI for Games", knowledge representation tools; Buckland, flood fill.
/// Units: metres. Not for every frame: these functions make many tests and allocate.
#pragma once

#include "ploy/geom/capsule.h"
#include "ploy/geom/obb.h"
#include "ploy/path/corners.h"
#include "ploy/path/domains.h"
#include "ploy/path/tiles.h"

/// Returns true if a straight line is free for the agent's body. From a point to itself: true if
/// the place is free.
typedef bool (*ploy_walks_fn)(void *user, ploy_vec3 from, ploy_vec3 to);

/// Fills the floor around a seed with nodes, `spacing` apart on a lattice through it, and joins
/// neighbours if the straight line between them is walkable. Costs are distances.
/// @param diagonal  eight neighbours, otherwise four.
/// @param limit     most nodes. @param first, added  as ploy_graph_add_corners.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_LIMIT with more nodes than the limit, PLOY_ERR_MEMORY: what
///         was added until then is removed again.
PLOY_API ploy_result ploy_graph_add_flood(ploy_graph *graph, ploy_vec3 seed, float spacing,
                                          bool diagonal, int32_t limit, ploy_walks_fn walks,
                                          void *user, int32_t *first, int32_t *added);

/// Adds the graph of generalised cylinders: free space described as corridors, each an axis with
/// the radius that is free around it. Nodes are the ends of the axes and the places where two
/// corridors overlap; edges follow the axes. Every edge is inside one corridor, so it can be
/// walked.
/// @param body   m, radius of the agent. Corridors narrower than the agent are skipped.
/// @param first, added  as ploy_graph_add_corners. Cost: O(count^2).
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; everything added so far is removed.
PLOY_API ploy_result ploy_graph_add_cylinders(ploy_graph *graph, const ploy_capsule *cylinders,
                                              int32_t count, float body, int32_t *first,
                                              int32_t *added);

/// Adds a node at the middle of each region and joins two if a share of the lines between points of
/// both is free: the corners and centres first, then random points.
/// @param samples  lines for each pair, 1 or more.
/// @param share    share of them that must be free, 0 to 1; 0: one is enough, and testing stops
/// there.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; everything added so far is removed.
PLOY_API ploy_result ploy_graph_join_regions(ploy_graph *graph, const ploy_obb2 *regions,
                                             int32_t count, int32_t samples, float share,
                                             uint64_t seed, ploy_joins_fn sees, void *user,
                                             int32_t *first, int32_t *joined);

/// Removes edges whose middle is nearer to a third node than to their ends: with equal weights they
/// lead through its domain. Connected parts stay connected: where a removal would split a part, the
/// shortest of the removed edges comes back.
/// @param removed  pairs of nodes that are no longer joined; may be NULL.
/// @return PLOY_ERR_MEMORY, with the graph unchanged.
PLOY_API ploy_result ploy_graph_prune(ploy_graph *graph, int32_t *removed);

/// Makes a smaller graph that represents a larger one. It repeatedly takes the node that covers the
/// most uncovered nodes, within a radius and in sight, and joins nodes whose groups touch; the cost
/// is the distance. Articulation points (such as doorways) are always kept. Cost: O(nodes^2), so it
/// is for editors.
/// @param from    not changed. @param out  another graph, empty.
/// @param owners  for each slot of `from` the node of `out` that represents it, or
///                PLOY_GRAPH_NONE; room for ploy_graph_node_slots. May be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY with out empty.
PLOY_API ploy_result ploy_graph_reduce(const ploy_graph *from, float radius, ploy_joins_fn sees,
                                       void *user, ploy_graph *out, int32_t *owners);

/// What a metre costs a kind of unit.
typedef struct ploy_graph_prices {
    double per_m;    ///< on a level floor
    double uphill;   ///< added for a metre at a slope of 1 up
    double downhill; ///< the same for a slope down
} ploy_graph_prices;

/// Sets each edge's cost to its length times a factor for its slope. In an undirected graph both
/// directions have the larger cost. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_graph_price(ploy_graph *graph, const ploy_graph_prices *prices);

typedef enum ploy_domains_issue_kind {
    PLOY_DOMAINS_MISCLASSIFIED, ///< its point is behind a wall, and another is a shorter walk
    PLOY_DOMAINS_UNCOVERED,     ///< no point can be walked to
    PLOY_DOMAINS_VERTICAL       ///< its point is on another floor
} ploy_domains_issue_kind;

typedef struct ploy_domains_issue {
    ploy_domains_issue_kind kind;
    int32_t cell;
    int32_t owner;  ///< the point that it belongs to by distance
    int32_t nearer; ///< the one that is the shortest walk, or -1
} ploy_domains_issue;

/// Checks for every free cell of a map whether the point that it belongs to can be reached from
/// there.
/// @param walker  the map and its agent; with heights, floors further than `step` apart are
///         reported.
/// @param out     room for capacity issues, in the order of cells. @param count  how many.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_domains_check(const ploy_domains *domains,
                                        const ploy_tiles_walker *walker, float step,
                                        const ploy_env *env, ploy_domains_issue *out,
                                        int32_t capacity, int32_t *count);

/// A floor as triangles of a level's mesh, some of which are marked as floor.
typedef struct ploy_floor {
    const int32_t *corners; ///< three for each triangle
    const bool *is_floor;   ///< for each triangle
    int32_t count;
} ploy_floor;

/// Finds patches that are not floor but are surrounded by floor: mostly a decoration that an artist
/// forgot to mark and that makes a room unwalkable.
/// @param out    room for capacity: a triangle of each patch, the lowest.
/// @param count  how many patches. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_floor_check(const ploy_floor *floor, const ploy_env *env, int32_t *out,
                                      int32_t capacity, int32_t *count);
/// Adds a node for each floor triangle (at its middle) and joins those that share two corners, or,
/// optionally, one: less wiggling in dense meshes, at the risk of cutting corners.
/// @param points  of all corners. @return as ploy_graph_add_flood.
PLOY_API ploy_result ploy_graph_add_floor(ploy_graph *graph, const ploy_floor *floor,
                                          const ploy_vec3 *points, bool share_one, int32_t *first,
                                          int32_t *added);
