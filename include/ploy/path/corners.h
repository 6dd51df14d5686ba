/// @file ploy/path/corners.h
/// Generated graphs: from points that see each other, from points that are neighbours, and from the
/// corners of obstacles (points of visibility).
///
/// The shortest path on the plane bends only at corners that point outwards. Obstacles are
/// therefore grown by the agent's radius, their outward corners become nodes, and nodes that see
/// each other are joined at the cost of their distance. Sliding along a grown outline is allowed.
///
/// Neighbours are points whose Dirichlet domains touch (ploy/path/domains.h): the edges of a
/// Delaunay triangulation. There are about three times as many edges as points, whereas visibility
/// alone joins nearly all pairs in open space.
///
/// Cost: visibility and corners take O(points^2) tests, neighbours O(points log points). For large
/// levels a navigation mesh is better. Units: metres.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/rings.h"
#include "ploy/path/graph.h"

/// Returns true if two nodes may be joined. Normally a ray cast.
typedef bool (*ploy_joins_fn)(void *user, ploy_vec3 from, ploy_vec3 to);

/// Joins nodes that see each other, with edges in both directions that cost their distance. Nodes
/// that are already joined are left alone.
/// @param max_distance  m; nodes further apart are not joined. INFINITY for no limit.
/// @param sees          returns true if the straight line is free; called once for each pair. NULL:
/// always.
/// @param added         how many pairs were joined; may be NULL.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY, with the pairs before it joined.
PLOY_API ploy_result ploy_graph_join_visible(ploy_graph *graph, double max_distance,
                                             ploy_joins_fn sees, void *user, int32_t *added);

/// Joins neighbours on the plane (z is ignored) in the same way. Nodes at the same point are joined
/// with the lowest of them, which represents all; points on one line are each joined with the next.
PLOY_API ploy_result ploy_graph_join_delaunay(ploy_graph *graph, double max_distance,
                                              ploy_joins_fn sees, void *user, int32_t *added);

/// Adds the points of visibility of obstacles to a graph and joins those that see each other.
/// @param obstacles  rings, counter-clockwise around obstacles; holes in them are
///                   rooms.
/// @param radius     m, above 0: how far the corners are moved out.
/// @param max_distance  m, between joined corners.
/// @param tangents   join only corners whose line touches both outlines without entering either
///                   (bitangents): shortest paths use no others, and there are far fewer.
/// @param first      the number of the first node added; may be NULL.
/// @param added      how many nodes were added; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, PLOY_ERR_LIMIT; nodes added so far are removed
///         again.
PLOY_API ploy_result ploy_graph_add_corners(ploy_graph *graph, const ploy_rings *obstacles,
                                            float radius, double max_distance, bool tangents,
                                            ploy_arena *scratch, int32_t *first, int32_t *added);
