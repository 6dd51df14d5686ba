// What the files of `path` share and tests look at.
#pragma once

#include "ploy/path/cooperative.h"
#include "ploy/path/costs.h"
#include "ploy/path/graph_instances.h"
#include "ploy/path/graph_tables.h"
#include "ploy/path/graph_views.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/grid_map.h"
#include "ploy/path/heuristic_tables.h"
#include "ploy/path/tiles.h"

// The fields of a request; a load checks them together.
void ployi_path_request_visit(ploy_visit *v, ploy_mark mark, ploy_path_request *request);

// A ploy_cost_fn: entering a state costs base x (1 + weight x its value). user is the layer.
double ployi_cost_layer_cost(void *user, int32_t from, int32_t to, int32_t label, double base);

// False until the first refresh, and from an edit that may have cut something off until the next.
bool ployi_tiles_labelled(const ploy_tiles *tiles);

// Are all at their goals?
bool ployi_cooperative_is_done(const ploy_cooperative *cooperative);

// What it was made from.
const ploy_tiles *ployi_grid_map_tiles(const ploy_grid_map *map);

// Do cells differ in cost? Then jumps are refused.
bool ployi_grid_map_weighted(const ploy_grid_map *map);

// All that was made, folded into one number: an edited map equals one built from scratch.
// Labels count by what they say, not by how they are kept.
uint64_t ployi_grid_map_hash(const ploy_grid_map *map);

// Which building a node belongs to, and its number there; -1 and the node itself in the world.
int32_t ployi_graph_instances_locate(const ploy_graph_instances *instances, int32_t node,
                                     int32_t *local);

// How many goals are done; all if this is the number of nodes.
int32_t ployi_route_table_done(const ploy_route_table *table);

// How many costs are stored.
int64_t ployi_route_table_entries(const ploy_route_table *table);

// How often the callback was called since create.
int64_t ployi_lazy_costs_asked(const ploy_lazy_costs *lazy);

// True if nothing is left to do.
bool ployi_grid_flow_ready(const ploy_grid_flow *flow);

// The cheapest way from any state of one group to any of another.
double ployi_clusters_between(const ploy_clusters *clusters, int32_t from, int32_t to);
