// What the files of `path` share and tests look at.
#pragma once

#include "ploy/path/cooperative.h"
#include "ploy/path/costs.h"
#include "ploy/path/graph_instances.h"
#include "ploy/path/graph_tables.h"
#include "ploy/path/graph_views.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/grid_map.h"
#include "ploy/path/headings.h"
#include "ploy/path/heuristic_tables.h"
#include "ploy/path/tiles.h"
#include "ploy/path/timed.h"

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

// All that was made, folded into one number: a map that followed edits equals one made anew.
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

// The state of a cell and heading, and back; PLOY_STATE_NONE for what is none.
int32_t ployi_headings_state(const ploy_headings *headings, int32_t cell, int32_t heading);

// The heading nearest to an orientation in radians.
int32_t ployi_headings_quantise(const ploy_headings *headings, float orientation);

// A heading as radians.
float ployi_headings_orientation(const ploy_headings *headings, int32_t heading);

// An is_goal with the headings as its user: any heading at goal_cell.
bool ployi_headings_at_goal(void *headings, int32_t state);

// The cheapest way from any state of one group to any of another.
double ployi_clusters_between(const ploy_clusters *clusters, int32_t from, int32_t to);

double ployi_timed_time(const ploy_timed *timed, int32_t state);

// An is_goal with the timed space as its user: the goal's place, whenever.
bool ployi_timed_at_goal(void *timed, int32_t state);
