/// @file ploy/path/costs.h
/// External costs: danger, noise, crowds, cover; what a path costs an agent now.
///
/// A hook sits between a search and the map and returns the actual cost of an edge. Its signature
/// is the same everywhere, so one hook serves tiles, graphs, networks and meshes:
///
///     caller                                    from, to, label           base
///     a space (ploy_lazy_costs, planners)       states, the edge's label  the edge's cost
///     a mesh (ploy_navmesh_query_set_costs)     a polygon twice, -1       a metre of its area
///                                               polygons, 2 x link        a link's cost
///
/// A layer is the most common hook: a number for each state (cell, node, polygon), such as an
/// influence map, that makes paths through it more expensive. The grid's own search takes whole
/// numbers: ploy_grid_search_set_layer.
///
/// Estimates ignore hooks. A hook that never returns less than base keeps paths optimal; one that
/// does may lead to paths that cost more than the best.
///
/// Technique: Millington, "AI for Games", chapter 6 (tactical pathfinding): the cost of a
/// connection is its distance plus a weighted sum of its tactical qualities. Threads: a layer is
/// only read.
#pragma once

#include "ploy/base/env.h"

/// Returns the current cost of an edge, 0 or more; INFINITY closes it. Must not change for an edge
/// while a search runs.
typedef double (*ploy_cost_fn)(void *user, int32_t from, int32_t to, int32_t label, double base);

/// A hook; fn NULL: none. Plain data, copied by its users; the user pointer must stay valid.
typedef struct ploy_cost_hook {
    ploy_cost_fn fn;
    void *user;
} ploy_cost_hook;

/// No hook.
PLOY_API ploy_cost_hook ploy_cost_hook_none(void);

/// A number for each state.
typedef struct ploy_cost_layer {
    const float *values; ///< 0 or more each (less counts as 0); INFINITY closes. Borrowed
    int32_t count;       ///< of values; states beyond have 0
    float weight;        ///< 0 or more
} ploy_cost_layer;

/// Returns a hook over a layer, which must stay valid at its address; its values may change between
/// searches.
PLOY_API ploy_cost_hook ploy_cost_layer_hook(ploy_cost_layer *layer);
