/// @file ploy/path/corridors.h
/// A crowd over corridors: many agents on one navigation mesh, each with its corridor, and
/// one budget for all searches.
///
/// Each agent has a goal. Agents without a corridor, with a stale one, or whose mesh was replaced
/// wait in a queue; a step serves the queue in order, in slices. Between searches, corridors stay
/// valid while agents are pushed around (ploy/path/corridor.h). Local avoidance is not included:
/// get the requested velocities, let a ploy_crowd (ploy/move/crowd.h) or the game's physics move
/// the agents, and report where each agent is.
///
///     ploy_corridors_step(crowd, &budget);                  searches
///     ploy_corridors_velocities(crowd, speed, velocities);  toward the next bend of each
///     ... avoidance ...
///     ploy_corridors_follow(crowd, positions);              slides along walls, repairs
///
/// After a mesh was replaced (ploy_navmesh_tiles_refresh, ploy_recast_bake_step) call
/// ploy_corridors_set_mesh: all agents are placed on the new mesh and request their paths again.
/// Technique: Mononen, the crowd of Detour, 2010, without its avoidance.
///
/// Units: metres, seconds. Memory: two queries, and a corridor for each agent of the capacity,
/// allocated at create; set_mesh allocates new queries. A step allocates nothing else once paths
/// have reached their largest size. Threads: one caller.
#pragma once

#include "ploy/path/corridor.h"

/// The crowd. Opaque.
typedef struct ploy_corridors ploy_corridors;

/// Settings. Start from ploy_corridors_def_default().
typedef struct ploy_corridors_def {
    uint32_t cookie;
    int32_t capacity; ///< most agents
    int32_t polygons; ///< most polygons of a corridor
    float arrive;     ///< m from its goal at which an agent has arrived
    float slow;       ///< m from its goal at which it begins to slow down
    int32_t shorten;  ///< steps between two attempts to shorten an agent's path; 0: never
} ploy_corridors_def;

PLOY_API ploy_corridors_def ploy_corridors_def_default(void);
PLOY_API ploy_fields ploy_corridors_fields(void);

/// Creates a crowd without agents. @param mesh  must outlive it, or be replaced.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridors_create(const ploy_corridors_def *def, const ploy_navmesh *mesh,
                                           const ploy_env *env, ploy_corridors **out);
/// NULL is allowed.
PLOY_API void ploy_corridors_destroy(ploy_corridors *crowd);

/// Replaces the mesh. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; the crowd keeps the old one then.
PLOY_API ploy_result ploy_corridors_set_mesh(ploy_corridors *crowd, const ploy_navmesh *mesh);

/// Adds an agent at the floor nearest to a point. Its index is the number of agents before it.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_NOT_FOUND if there is no floor, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_corridors_add(ploy_corridors *crowd, ploy_vec3 point, int32_t *index);
PLOY_API int32_t ploy_corridors_count(const ploy_corridors *crowd);

/// Sends an agent to the floor nearest to a point. A goal that moves a little moves the corridor's
/// end; one that jumps needs a new search.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND if there is no floor.
PLOY_API ploy_result ploy_corridors_set_goal(ploy_corridors *crowd, int32_t agent, ploy_vec3 goal);
/// Removes an agent's goal, so that its requested velocity is zero. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_corridors_stop(ploy_corridors *crowd, int32_t agent);

/// Serves the waiting agents, in the order requested. One unit is one node of a search.
/// @param budget  NULL: until none waits.
/// @return PLOY_IN_PROGRESS while agents wait, PLOY_OK; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridors_step(ploy_corridors *crowd, ploy_budget *budget);

/// Writes the requested velocity of each agent: toward its next bend, slower near its goal, zero if
/// it waits, has arrived or has no goal. @param out  room for one velocity for each agent.
PLOY_API void ploy_corridors_velocities(const ploy_corridors *crowd, float speed, ploy_vec2 *out);
/// Moves all agents toward their reported positions, as far as walls allow, and repairs their
/// corridors.
/// @param positions  one for each agent. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridors_follow(ploy_corridors *crowd, const ploy_vec2 *positions);

typedef enum ploy_corridors_mode {
    PLOY_CORRIDORS_IDLE,    ///< without a goal
    PLOY_CORRIDORS_WAITING, ///< in the queue
    PLOY_CORRIDORS_WALKING,
    PLOY_CORRIDORS_ARRIVED, ///< at its goal, or at the nearest reachable point
} ploy_corridors_mode;

/// One agent.
typedef struct ploy_corridors_agent {
    ploy_corridors_mode mode;
    ploy_navmesh_place place; ///< where it is
    ploy_vec3 goal;
    bool partial;     ///< its path ends at the nearest reachable point
    int32_t searches; ///< made for it so far
} ploy_corridors_agent;

/// @return mode idle and polygon -1 out of range.
PLOY_API ploy_corridors_agent ploy_corridors_get(const ploy_corridors *crowd, int32_t agent);

/// The crowd's state. A search under way is not saved: a loaded crowd begins it again.
PLOY_API void ploy_corridors_visit(ploy_visit *v, void *object);
PLOY_API void ploy_corridors_describe(const ploy_corridors *crowd, ploy_describe *out);
/// Draws all agents and their paths.
PLOY_API void ploy_corridors_draw(const ploy_corridors *crowd, ploy_draw *out);
PLOY_API void ploy_corridors_memory(const ploy_corridors *crowd, ploy_memory_fn fn, void *user);
