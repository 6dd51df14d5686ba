// What the files of `path` share and tests look at.
#pragma once

#include "ploy/path/conflicts.h"
#include "ploy/path/cooperative.h"
#include "ploy/path/corridor.h"
#include "ploy/path/costs.h"
#include "ploy/path/dependency.h"
#include "ploy/path/finders.h"
#include "ploy/path/graph.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/path/graph_instances.h"
#include "ploy/path/graph_tables.h"
#include "ploy/path/graph_views.h"
#include "ploy/path/grid_flow.h"
#include "ploy/path/grid_map.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/headings.h"
#include "ploy/path/heuristic_tables.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/lanes.h"
#include "ploy/path/motion_clips.h"
#include "ploy/path/navigator.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/network.h"
#include "ploy/path/planners.h"
#include "ploy/path/smooth.h"
#include "ploy/path/tiles.h"
#include "ploy/path/timed.h"
#include "ploy/path/turning.h"

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

// The cheapest path from any state of one group to any of another.
double ployi_clusters_between(const ploy_clusters *clusters, int32_t from, int32_t to);

// The settings it was made with.
ploy_graph_def ployi_graph_def_of(const ploy_graph *graph);

ploy_result ployi_graph_set_flags(ploy_graph *graph, int32_t edge, uint32_t flags);

// The edges out of a node, lent; 0 of them out of range.
int32_t ployi_frozen_graph_out(const ploy_frozen_graph *frozen, int32_t node,
                               const ploy_edge **out);

// The edges into a node, lent; each edge's `to` is the node that it comes from.
int32_t ployi_frozen_graph_in(const ploy_frozen_graph *frozen, int32_t node, const ploy_edge **out);

// A row number of an edge names it among all: row of its first node plus place in that row.
// The edge of a row number, or NULL; from, if not NULL, receives the node it leaves. O(log nodes).
const ploy_edge *ployi_frozen_graph_edge(const ploy_frozen_graph *frozen, int32_t row,
                                         int32_t *from);

// The row number of a node's first edge.
int32_t ployi_frozen_graph_row(const ploy_frozen_graph *frozen, int32_t node);

// A ploy_position_fn with the frozen graph as its user.
ploy_vec3 ployi_frozen_graph_position(const void *frozen, int32_t node);

// Names the contents: the same for graphs with the same nodes, edges and positions.
uint64_t ployi_frozen_graph_generation(const ploy_frozen_graph *frozen);

// The side of the largest square of free cells of which this is the least corner; 0 for a blocked
// cell. Kept right by every edit. Of hexagons and wrapped maps: 1 for a free cell.
int32_t ployi_tiles_clearance(const ploy_tiles *tiles, int32_t cell);

// Is the place free?
bool ployi_tiles_walker_fits(const ploy_tiles_walker *walker, int32_t cell);

// The states of an agent's path, one for each tick, its start first; afterwards it stays.
// @return how many, perhaps more than capacity; -1 without a solution.
int32_t ployi_conflicts_path(const ploy_conflicts *conflicts, int32_t agent, int32_t *out,
                             int32_t capacity);

// What has been done so far.
ploy_conflicts_stats ployi_conflicts_stats_of(const ploy_conflicts *conflicts);

// Edges from an agent to its goal without the others; -1: there is no path.
int32_t ployi_cooperative_distance(const ploy_cooperative *cooperative, int32_t agent);

// Can x be made at once with what is owned? False for what is out of range.
bool ployi_dependency_ready(const ploy_dependency *tree, int32_t x, const bool *owned);

// The polygons, from the agent's to the goal's; borrowed until something moves.
const int32_t *ployi_corridor_polygons(const ploy_corridor *corridor, int32_t *count);

// True if the jump tables are there and right.
bool ployi_grid_map_prepared(const ploy_grid_map *map);

// The reached cell that is nearest to the goal, as if no wall were there; of equals the cheapest,
// then the lowest. It is where to set out to while the search is open. Cost: O(cells).
// @return -1 if nothing was reached or there is no goal.
int32_t ployi_grid_search_nearest(const ploy_grid_search *search);

// The whole path as edges. @return how many there are, perhaps more than capacity, of which the
// last are left out; 0 for from == to; -1 if there is no path.
int32_t ployi_route_table_path(const ploy_route_table *table, int32_t from, int32_t to,
                               ploy_edge *out, int32_t capacity);

// The cell after the first step; PLOY_STATE_NONE at a goal and where no path leads.
int32_t ployi_grid_flow_next(const ploy_grid_flow *flow, int32_t cell);

// The vector of the cell of a point; zero outside of the map.
ploy_vec2 ployi_grid_flow_at(const ploy_grid_flow *flow, ploy_vec2 point);

// The heading nearest to an orientation in radians.
int32_t ployi_headings_quantise(const ploy_headings *headings, float orientation);

// An is_goal with the headings as its user: any heading at goal_cell.
bool ployi_headings_at_goal(void *headings, int32_t state);

// The guess; INFINITY if there is surely no path; 0 for a state out of range.
double ployi_landmarks_estimate(const ploy_landmarks *landmarks, int32_t state, int32_t goal);

// The guess: `fallback` within one group, otherwise the table's; INFINITY if there is no path.
double ployi_clusters_estimate(const ploy_clusters *clusters, int32_t state, int32_t goal,
                               double fallback);

// How many levels there are, level 0 among them.
int32_t ployi_hierarchy_levels(const ploy_hierarchy *hierarchy);

// The graph of a level; NULL if there is none, and of a level 0 that is any space.
const ploy_frozen_graph *ployi_hierarchy_graph(const ploy_hierarchy *hierarchy, int32_t level);

// How it ended: found, none; open while it works; idle if there is nothing to do.
ploy_search_outcome ployi_hierarchy_search_outcome(const ploy_hierarchy_search *search);

ploy_search_outcome ployi_lanes_outcome(const ploy_lanes *lanes);

// Where a clip leads. The velocity after it is that of the clip, along the new orientation.
ploy_clip_pose ployi_clip_apply(const ploy_clip *clip, ploy_clip_choice choice,
                                ploy_clip_pose pose);

// Removes all finders of a profile, so that others can be added: before a map or mesh that they
// search is destroyed. Searches under way begin again. @return PLOY_ERR_NOT_FOUND.
ploy_result ployi_planners_remove_finders(ploy_planners *planners, ploy_name profile);

// What has been done so far.
ploy_navigator_stats ployi_navigator_stats_of(const ploy_navigator *planner);

// "theta", "lazy".
const char *ployi_grid_angle_text(ploy_grid_angle_algorithm algorithm);

// "none", "quick", "precise", "shortest".
const char *ployi_smooth_kind_text(ploy_smooth_kind kind);

// "idle", "waiting", "following", "arrived", "failed".
const char *ployi_navigator_state_text(ploy_navigator_state state);

// How many buildings there are.
int32_t ployi_graph_instances_count(const ploy_graph_instances *instances);

// How many nodes and edges there are.
int32_t ployi_matrix_graph_node_count(const ploy_matrix_graph *matrix);

// How many there are.
int32_t ployi_landmarks_count(const ploy_landmarks *landmarks);

// The cheapest path from any state of one group to any of another.
int32_t ployi_clusters_count(const ploy_clusters *clusters);

// ---- of ploy/path/heuristic_tables.h, for its sources and tests

// Groups states into balls: repeatedly, the lowest state without a group forms a new group with
// all states within this many edges (either direction, over states without a group).
// @param space   with a count; if it has reverse edges, incoming edges count too.
// @param radius  edges, 0 or more.
// @param out     a group for each state. @param count  how many groups.
// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, PLOY_ERR_LIMIT beyond PLOY_CLUSTERS_MAX groups.
ploy_result ployi_clusters_balls(const ploy_space *space, int32_t radius, const ploy_env *env,
                                 int32_t *out, int32_t *count);

// ---- of ploy/path/hierarchy.h, for its sources and tests

// Returns the plan of a level: its nodes, beginning with the one that contains the start. Empty on
// levels where start and goal are in the same node.
// @return their number, which may exceed capacity.
int32_t ployi_hierarchy_search_plan(const ploy_hierarchy_search *search, int32_t level,
                                    int32_t *out, int32_t capacity);

// ---- of ploy/path/lanes.h, for its sources and tests

// @param gap   m to the intended position behind it. @param lead  m/s, its speed.
// @return false if a collision cannot be avoided.
bool ployi_lane_follow(double gap, double speed, double lead, double max_speed, double accel,
                       double brake, ploy_lane_profile *out);

// ---- of ploy/path/navmesh.h, for its sources and tests

// Returns how wide a portal is for an agent: its length less the radius at each end that touches a
// wall; below 0 for a wall or if nothing is left. The agent fits through if the result is above 0.
float ployi_navmesh_clearance(const ploy_navmesh *mesh, int32_t edge, float radius);

// ---- of ploy/path/network.h, for its sources and tests

// Returns the box around all waypoints with their radii; empty if there are none.
ploy_box3 ployi_network_extents(const ploy_network *network);

// Returns true if an agent that moved from one point to another was within the waypoint's radius.
// A swept test: the step may be longer than the circle's diameter.
bool ployi_waypoint_arrived(const ploy_waypoint *waypoint, ploy_vec3 from, ploy_vec3 to);

// Returns the position of a state: a ploy_position_fn (ploy/path/heuristic.h) with the network as
// its user.
ploy_vec3 ployi_network_position(const void *network, int32_t state);

// ---- of ploy/path/graph_tables.h, for its sources and tests

// Returns the next edge on the path: its row number in the frozen graph; PLOY_GRAPH_NONE at the
// goal, where there is no path, and for goals not yet built.
int32_t ployi_route_table_next(const ploy_route_table *table, int32_t from, int32_t to);

// ---- of ploy/path/timed.h, for its sources and tests

// An is_goal function with the timed space as its user: true at the goal's place at any time.
bool ployi_timed_at_goal(void *timed, int32_t state);
