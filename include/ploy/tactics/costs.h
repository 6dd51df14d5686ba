/// @file ploy/tactics/costs.h
/// Tactical pathfinding: edge costs that include danger, cover and sight.
///
/// The cost of an edge is its base cost and a weighted sum of tactical qualities, which are layers.
/// A positive weight avoids, a negative one seeks. The result is a ploy_cost_hook, so that every
/// finder that accepts one finds tactical paths.
///
///     cost = base_weight x base + sum of weight x quality of the edge
///
/// The quality of an edge is the mean of its two ends: half the time is spent in each. That misses
/// an exposed stretch between two good places, so an edge can be sampled along its line instead and
/// the worst sample counts.
///
/// A total below 0 would break every search. It is raised to 0 and counted, and the first such edge
/// is kept for a report. If that happens, choose smaller negative weights. Estimates of a search
/// ignore the hook: scale them by ploy_tactical_costs_scale to keep paths optimal.
///
/// Technique: Millington, "AI for Games", 6.3. Cost: O(concerns x samples) per edge. With `cached`
/// the weighted sum of each place is computed once by refresh, for layers that rarely change.
/// Threads: a hook may be used by one search at a time, because it counts.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/scene.h"
#include "ploy/path/costs.h"
#include "ploy/path/graph.h"
#include "ploy/search/space.h"
#include "ploy/tactics/layer.h"

/// Maximum number of concerns of a character.
#define PLOY_CONCERNS_MAX 16

/// The weights of a character or a squad: one for each concern, in the caller's order.
typedef struct ploy_tactical_profile {
    float weights[PLOY_CONCERNS_MAX];
    int32_t count;
} ploy_tactical_profile;

/// For each concern, takes the largest weight of any member: the squad goes where its weakest
/// member can go. Suits preferences, not hard limits. Weights that a profile lacks count as 0.
PLOY_API ploy_tactical_profile ploy_tactical_blend(const ploy_tactical_profile *members,
                                                   int32_t count);
/// Three examples over the concerns terrain, enemies near, visibility.
PLOY_API ploy_tactical_profile ploy_tactical_profile_scout(void);
PLOY_API ploy_tactical_profile ploy_tactical_profile_infantry(void);
PLOY_API ploy_tactical_profile ploy_tactical_profile_artillery(void);

typedef enum ploy_tactical_edge {
    PLOY_TACTICAL_MEAN, ///< of both ends
    PLOY_TACTICAL_WORST ///< of samples along the line: the most, or with a negative weight the least
} ploy_tactical_edge;

typedef struct ploy_tactical_costs_def {
    uint32_t cookie;
    ploy_tactical_edge edge;
    int32_t samples;   ///< on an edge, its ends included
    float base_weight; ///< of the base cost; 0.5 is the same as doubling all other weights
    bool by_length;    ///< qualities count for each unit of base cost instead of once per edge
    bool cached;
    float unknown; ///< quality of an unknown place
} ploy_tactical_costs_def;

PLOY_API ploy_tactical_costs_def ploy_tactical_costs_def_default(void);
PLOY_API ploy_fields ploy_tactical_costs_fields(void);

/// Opaque.
typedef struct ploy_tactical_costs ploy_tactical_costs;

/// @param places  place numbers are the states of the searches. @return PLOY_ERR_ARGUMENT,
///                PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tactical_costs_create(const ploy_tactical_costs_def *def,
                                                const ploy_places *places, const ploy_env *env,
                                                ploy_tactical_costs **out);
/// NULL is allowed.
PLOY_API void ploy_tactical_costs_destroy(ploy_tactical_costs *costs);

/// Adds a concern; it is numbered in the order of adding and its weight is 0.
/// @param layer  over the same places; must stay valid.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_tactical_costs_add(ploy_tactical_costs *costs,
                                             const ploy_tactics_layer *layer);
/// Changes the weights, such as when a character is hurt. @return PLOY_ERR_ARGUMENT if the numbers
/// of weights and concerns differ, or a weight is not finite.
PLOY_API ploy_result ploy_tactical_costs_set(ploy_tactical_costs *costs,
                                             const ploy_tactical_profile *profile);
/// Recomputes the cache after weights or layers have changed, and clears the statistics.
PLOY_API void ploy_tactical_costs_refresh(ploy_tactical_costs *costs);

/// The hook, valid until the object is destroyed.
PLOY_API ploy_cost_hook ploy_tactical_costs_hook(ploy_tactical_costs *costs);
/// The cost of an edge, as the hook returns it.
PLOY_API double ploy_tactical_costs_edge(ploy_tactical_costs *costs, int32_t from, int32_t to,
                                         double base);
/// The weighted sum of a place, without base cost.
PLOY_API float ploy_tactical_costs_at(const ploy_tactical_costs *costs, int32_t place);

typedef struct ploy_tactical_stats {
    int64_t edges;    ///< requested since refresh
    int64_t clamped;  ///< of them below 0
    int32_t from, to; ///< of the first clamped one; PLOY_PLACE_NONE
    double cost;      ///< that it would have had
} ploy_tactical_stats;

/// Counts since refresh.
PLOY_API ploy_tactical_stats ploy_tactical_costs_stats(const ploy_tactical_costs *costs);

/// The largest factor by which estimates of the base cost stay below every real cost: the least
/// cost / base over all edges of a space, at most 1. Use it as the weight of a search.
/// @return the error of expand; PLOY_ERR_ARGUMENT for a space without count.
PLOY_API ploy_result ploy_tactical_costs_scale(ploy_tactical_costs *costs, const ploy_space *space,
                                               double *out);

// ---- graphs for tactical paths

/// Adds points to a graph of waypoints: one node per point, joined in both directions with the
/// visible nodes in reach. The cost is the distance. Points are not joined with one another.
/// @param scene  NULL: nothing is in the way.
/// @param nodes  receives the node of each point; may be NULL.
/// @param joined receives the number of edges for each; 0 shows a point that needs a plain waypoint
///               nearby. May be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, PLOY_ERR_LIMIT; the points before the error stay
///         added.
PLOY_API ploy_result ploy_tactics_link_points(ploy_graph *graph, const ploy_vec3 *points,
                                              int32_t count, float reach, const ploy_scene *scene,
                                              uint32_t mask, int32_t *nodes, int32_t *joined);
/// Builds a graph of the open places of a view: edges to neighbours, except those that rise or fall
/// too steeply. Node numbers are place numbers.
/// @param graph    empty. @param heights  NULL: level.
/// @param max_slope  rise over run.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_tactics_place_graph(const ploy_places *places,
                                              const ploy_heightfield *heights, float max_slope,
                                              ploy_graph *graph);

/// Visits a ploy_tactical_costs (ploy/base/visit.h): weights, cache and counts. The layers are the
/// caller's: a load needs an object with as many concerns.
PLOY_API void ploy_tactical_costs_visit(ploy_visit *v, void *costs);
PLOY_API void ploy_tactical_costs_describe(const ploy_tactical_costs *costs, ploy_describe *out);
PLOY_API void ploy_tactical_costs_memory(const ploy_tactical_costs *costs, ploy_memory_fn fn,
                                         void *user);
