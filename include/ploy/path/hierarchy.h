/// @file ploy/path/hierarchy.h
/// Hierarchies: plan from room to room first, and in detail only as far as needed.
///
/// Nodes of a graph are put into groups (rooms), groups into larger ones (buildings), and each
/// level is a separate graph: two groups are joined if any of their nodes are. A search begins at
/// the highest level on which start and goal differ, where there are few nodes, and proceeds
/// down.
///
///     level 2      (north)-----(south)          what does it cost to cross a group? That depends
///     level 1    (a)--(b)      (c)--(d)         on where it is entered, which a level cannot know;
///     level 0   .-.-. .-.      .-.  .-.-.       so it is a policy, see ploy_hierarchy_def
///
/// Such paths are good but not optimal, because decisions on a level restrict the levels below. How
/// much is lost depends on the policy and on the level: minimum goes through the fewest rooms
/// however large they are; maximin avoids a room that has one distant door.
///
/// Technique: Millington, "AI for Games", chapter 4 (hierarchical pathfinding), with the faults of
/// its listing corrected: levels are left when start and goal share a group, and the goal is never
/// replaced by its group.
///
/// Cost: adding a level takes one search inside the group from every node with an edge into the
/// group. Memory: the frozen graphs of the levels and 4 bytes a node. Threads: a const hierarchy
/// may be read by many.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/draw.h"
#include "ploy/path/finder.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/path/representation.h"
#include "ploy/search/search.h"

/// Which node represents its group.
typedef enum ploy_hierarchy_centre {
    PLOY_HIERARCHY_CENTRE_MIDDLE,    ///< the one nearest to the mean of their positions
    PLOY_HIERARCHY_CENTRE_CONNECTED, ///< the one with the most edges out
    PLOY_HIERARCHY_CENTRE_LARGEST    ///< the one with the largest area (ploy_hierarchy_set_areas)
} ploy_hierarchy_centre;

/// The cost of going from group C to group D, blended from three weights, of which at least one is
/// above 0. Entries are the nodes of C with edges from groups other than D (the group's centre if
/// there are none); exits are those with edges to D.
typedef struct ploy_hierarchy_def {
    uint32_t cookie;
    float
        minimum; ///< weight of the cheapest path from C to D itself: as if C cost nothing to cross
    float maximin; ///< weight of the worst entry's cheapest crossing
    float average; ///< weight of the mean over entries of the cheapest crossing
    ploy_hierarchy_centre centre;
} ploy_hierarchy_def;

PLOY_API ploy_hierarchy_def ploy_hierarchy_def_default(void);
PLOY_API ploy_fields ploy_hierarchy_fields(void);

/// Opaque.
typedef struct ploy_hierarchy ploy_hierarchy;
/// Most levels, with level 0.
#define PLOY_HIERARCHY_LEVELS_MAX 16

/// Creates a hierarchy of one level.
/// @param graph  level 0; must outlive it. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hierarchy_create(const ploy_hierarchy_def *def,
                                           const ploy_frozen_graph *graph, const ploy_env *env,
                                           ploy_hierarchy **out);
/// Does the same for any space whose count is known and that can be searched backwards: instances
/// of buildings, tiles, editable graphs. The space is not copied; it must outlive the hierarchy and
/// must not change. @param position  where its states are; NULL: all at the origin.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hierarchy_create_space(const ploy_hierarchy_def *def,
                                                 const ploy_space *space, ploy_position_fn position,
                                                 const void *position_user, const ploy_env *env,
                                                 ploy_hierarchy **out);
/// NULL is allowed.
PLOY_API void ploy_hierarchy_destroy(ploy_hierarchy *hierarchy);

/// Sets the area of each node of level 0, m^2; a group's area is the sum. Without this call every
/// node counts as 1.
/// @param areas  one for each node, 0 or more, finite; copied.
/// @return PLOY_ERR_STATE if higher levels already exist, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hierarchy_set_areas(ploy_hierarchy *hierarchy, const float *areas);

/// Adds a level on top.
/// @param groups   of each node of the level below, 0 to count - 1; every group has a node, and its
///                 nodes reach each other without leaving it.
/// @param centres  the node that represents each group, or NULL: chosen as set in the def.
/// @return PLOY_ERR_ARGUMENT if this is violated (the log names the group), PLOY_ERR_LIMIT,
///         PLOY_ERR_MEMORY; nothing is added then.
PLOY_API ploy_result ploy_hierarchy_add_level(ploy_hierarchy *hierarchy, const int32_t *groups,
                                              int32_t count, const int32_t *centres);

/// Replaces the cost of going from a group to the next with an authored one. Levels above keep
/// their costs.
/// @param level  1 or more. @return PLOY_ERR_ARGUMENT for a cost below 0 or not finite;
///         PLOY_ERR_NOT_FOUND if the groups are not joined.
PLOY_API ploy_result ploy_hierarchy_set_cost(ploy_hierarchy *hierarchy, int32_t level, int32_t from,
                                             int32_t to, double cost);

/// Maps a node to another level: upward to the group that contains it, downward to the node that
/// represents it. PLOY_STATE_NONE for an invalid node or level.
PLOY_API int32_t ploy_hierarchy_node(const ploy_hierarchy *hierarchy, int32_t level, int32_t node,
                                     int32_t to_level);
/// Returns the cost of going from one group to the next; INFINITY if they are not joined.
PLOY_API double ploy_hierarchy_cost(const ploy_hierarchy *hierarchy, int32_t level, int32_t from,
                                    int32_t to);
PLOY_API void ploy_hierarchy_describe(const ploy_hierarchy *hierarchy, ploy_describe *out);
PLOY_API void ploy_hierarchy_memory(const ploy_hierarchy *hierarchy, ploy_memory_fn fn, void *user);

// ---- searching ----

typedef enum ploy_hierarchy_mode {
    /// Refines only the first steps of each level's plan: a path for the near future. Search again
    /// from its end.
    PLOY_HIERARCHY_REFINE,
    /// Searches every level from start to goal, entering only groups on the plan above: the whole
    /// path. If the highest level has a path, there always is one, because groups are connected.
    PLOY_HIERARCHY_EXCLUDE
} ploy_hierarchy_mode;

/// Where in a group a refined plan leads, unless the group contains the goal.
typedef enum ploy_hierarchy_aim {
    PLOY_HIERARCHY_AIM_DOOR,  ///< its first node that can be reached
    PLOY_HIERARCHY_AIM_CENTRE ///< the node that represents it
} ploy_hierarchy_aim;

typedef struct ploy_hierarchy_search_def {
    uint32_t cookie;
    ploy_hierarchy_mode mode;
    ploy_hierarchy_aim aim; ///< of refine
    int32_t refine_steps;   ///< of refine: how many steps of a plan the level below is to cover
    int32_t widen; ///< of exclude: groups up to this many steps from the plan may also be entered
    bool keep;     ///< of refine: reuse plans of higher levels while they lead to the goal
    float least_cost; ///< least cost of a metre on level 0, for estimates; 0: no estimates
} ploy_hierarchy_search_def;

PLOY_API ploy_hierarchy_search_def ploy_hierarchy_search_def_default(void);
PLOY_API ploy_fields ploy_hierarchy_search_fields(void);

/// Opaque.
typedef struct ploy_hierarchy_search ploy_hierarchy_search;

/// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hierarchy_search_create(const ploy_hierarchy_search_def *def,
                                                  const ploy_env *env, ploy_hierarchy_search **out);
/// NULL is allowed.
PLOY_API void ploy_hierarchy_search_destroy(ploy_hierarchy_search *search);

/// Drops the last search and begins another. The hierarchy must not change until the search is
/// done.
/// @return PLOY_ERR_ARGUMENT for an invalid node; PLOY_ERR_MEMORY. There is nothing to do then.
PLOY_API ploy_result ploy_hierarchy_search_begin(ploy_hierarchy_search *search,
                                                 const ploy_hierarchy *hierarchy, int32_t start,
                                                 int32_t goal);
/// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). One unit is one
/// node taken, on any level. NULL: until it is finished.
/// @return PLOY_ERR_STATE if there is nothing to do; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hierarchy_search_step(ploy_hierarchy_search *search, ploy_budget *budget);
/// Stops the search.
PLOY_API void ploy_hierarchy_search_cancel(ploy_hierarchy_search *search);
/// Begins a search and steps it to the end.
PLOY_API ploy_result ploy_hierarchy_search_run(ploy_hierarchy_search *search,
                                               const ploy_hierarchy *hierarchy, int32_t start,
                                               int32_t goal);
/// Returns the search as a task for schedulers of long work.
PLOY_API ploy_task ploy_hierarchy_search_task(ploy_hierarchy_search *search);

/// Returns the edges of level 0 that were found.
/// @param out   room for capacity of them; may be NULL with capacity 0.
/// @param cost  of all of them; may be NULL.
/// @return their number, which may exceed capacity (the last are then left out); -1
///         without a path.
PLOY_API int32_t ploy_hierarchy_search_path(const ploy_hierarchy_search *search, ploy_edge *out,
                                            int32_t capacity, double *cost);
/// Returns the node that the path leads to: the goal, or where to search again.
PLOY_API int32_t ploy_hierarchy_search_end(const ploy_hierarchy_search *search);
/// Returns the highest level that was searched; -1 if none was.
PLOY_API int32_t ploy_hierarchy_search_first_level(const ploy_hierarchy_search *search);
/// Returns the number of nodes taken on a level since begin.
PLOY_API int64_t ploy_hierarchy_search_taken(const ploy_hierarchy_search *search, int32_t level);

/// Draws the plan of every level as lines between its nodes.
PLOY_API void ploy_hierarchy_search_draw(const ploy_hierarchy_search *search, ploy_draw *out);
PLOY_API void ploy_hierarchy_search_describe(const ploy_hierarchy_search *search,
                                             ploy_describe *out);
PLOY_API void ploy_hierarchy_search_memory(const ploy_hierarchy_search *search, ploy_memory_fn fn,
                                           void *user);

/// A hierarchy to search, and where its nodes are. Start from ploy_hierarchy_finder_def_default().
typedef struct ploy_hierarchy_finder_def {
    const ploy_hierarchy *hierarchy; ///< must outlive the finders
    /// A representation whose states are the nodes of level 0. Read by make; what it points to must
    /// outlive the finders.
    const ploy_representation *level;
    ploy_hierarchy_search_def search; ///< its mode must be exclude, which finds whole paths
    /// Generation of the level when the graph was frozen; 0: that when a finder is made.
    uint64_t generation;
} ploy_hierarchy_finder_def;

PLOY_API ploy_hierarchy_finder_def ploy_hierarchy_finder_def_default(void);
/// Finders over a hierarchy: "hierarchy". Not optimal. They refuse cost hooks, goals by predicate
/// and variety, and refuse all requests once the level has changed; rebuild the hierarchy then.
/// @param def  must stay valid as long as the factory is used.
PLOY_API ploy_finder_factory ploy_hierarchy_finder(const ploy_hierarchy_finder_def *def);
