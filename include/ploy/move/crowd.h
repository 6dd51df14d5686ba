/// @file ploy/move/crowd.h
/// Crowds: thousands of agents that move without running into each other.
///
/// A ploy_crowd keeps agents and walls. Each step sorts the agents into cells, computes each
/// agent's velocity with ploy/move/orca.h from its nearest neighbours, all from the same moment,
/// and then moves all agents. The game sets the preferred velocities with ploy_crowd_set_wanted,
/// for example toward the next corner of a path.
///
///     ploy_crowd_add(crowd, &agent, &id);
///     for (;;) {
///         ploy_crowd_set_wanted(crowd, id, toward_my_goal);
///         ploy_crowd_step(crowd, dt, jobs);
///         ploy_crowd_get(crowd, id, &agent);
///     }
///
/// With `moves` off, the game owns the positions: a step only finds velocities, and the game's
/// physics sets the new positions of all agents with ploy_crowd_set_bodies, or of one with
/// ploy_crowd_set.
///
/// Two crowds that meet exactly head-on in rows can block each other for a long time, as with any
/// local avoidance; add a little noise to the preferred velocities. Avoidance is local: it finds no
/// path around a wall. Agents see each other through walls. Technique: see ploy/move/orca.h.
/// Results are the same bits for any worker count and vector width, and the same as those of
/// ploy_orca_find.
///
/// Units: metres, seconds. Cost: O(agents times agents in nearby cells); 120 to 152 bytes for each
/// agent of the capacity. Allocates in create and when walls change, never in a step. Threads: one
/// caller at a time; a step runs on all workers of its jobs.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/jobs.h"
#include "ploy/base/visit.h"
#include "ploy/geom/rings.h"
#include "ploy/move/orca.h"
#include "ploy/move/source.h"

typedef struct ploy_crowd ploy_crowd;

/// Settings. Start from ploy_crowd_def_default() and change what you need.
typedef struct ploy_crowd_def {
    uint32_t cookie;     ///< set by the default; leave alone
    int32_t capacity;    ///< most agents, 1 to 2^20
    bool moves;          ///< step moves the agents; otherwise it only finds velocities
    ploy_orca_def avoid; ///< horizons, range, neighbours
} ploy_crowd_def;

PLOY_API ploy_crowd_def ploy_crowd_def_default(void);
PLOY_API ploy_fields ploy_crowd_fields(void);

/// Creates an empty crowd. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY with nothing left allocated.
PLOY_API ploy_result ploy_crowd_create(const ploy_crowd_def *def, const ploy_env *env,
                                       ploy_crowd **out);
PLOY_API void ploy_crowd_destroy(ploy_crowd *crowd);
/// Changes the settings from the next step on; the capacity does not change.
/// @return PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_crowd_set_def(ploy_crowd *crowd, const ploy_crowd_def *def);

/// Adds an agent; its number is set to its place in the crowd.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT if a value of the agent is out of range.
PLOY_API ploy_result ploy_crowd_add(ploy_crowd *crowd, const ploy_orca_agent *agent,
                                    ploy_agent_id *out);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_crowd_remove(ploy_crowd *crowd, ploy_agent_id id);
PLOY_API int32_t ploy_crowd_count(const ploy_crowd *crowd);
/// The number of places, for loops over all agents; a place holds one agent or none.
PLOY_API int32_t ploy_crowd_places(const ploy_crowd *crowd);
PLOY_API ploy_agent_id ploy_crowd_id_at(const ploy_crowd *crowd, int32_t place);

/// @return PLOY_ERR_NOT_FOUND, leaving out unchanged.
PLOY_API ploy_result ploy_crowd_get(const ploy_crowd *crowd, ploy_agent_id id,
                                    ploy_orca_agent *out);
/// Sets everything except the number. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT, changing
/// nothing.
PLOY_API ploy_result ploy_crowd_set(ploy_crowd *crowd, ploy_agent_id id,
                                    const ploy_orca_agent *agent);
/// Sets the preferred velocity, which the agent would have if it were alone, from the next step on.
/// Cut to max_speed.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT if it is not finite or above PLOY_SPEED_MAX_MPS.
PLOY_API ploy_result ploy_crowd_set_wanted(ploy_crowd *crowd, ploy_agent_id id, ploy_vec2 wanted);

/// A read-only view of all positions and velocities, by place, valid until the crowd is destroyed.
/// Places without an agent keep their last values.
PLOY_API ploy_kinematics ploy_crowd_agents(const ploy_crowd *crowd);
/// @param wanted  ploy_crowd_places preferred velocities, or one for all with a stride of 0.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if the view is invalid or a velocity is not finite
///         or above PLOY_SPEED_MAX_MPS, even at a place without an agent.
PLOY_API ploy_result ploy_crowd_set_wanted_all(ploy_crowd *crowd, const ploy_points *wanted);
/// Sets the positions of all agents at once, in the order of ploy_crowd_agents: for a game that
/// moves the bodies itself (`moves` off).
/// @param positions   ploy_crowd_places points.
/// @param velocities  as many velocities, if the physics changed them; NULL: unchanged.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if a view is invalid, or a value is not finite,
///         beyond PLOY_POSITION_MAX_M or above PLOY_SPEED_MAX_MPS, even at a place without an agent.
PLOY_API ploy_result ploy_crowd_set_bodies(ploy_crowd *crowd, const ploy_points *positions,
                                           const ploy_points *velocities);

/// Adds a polygon of walls, as in ploy/move/orca.h.
/// @param corners  2 or more; two in a row must not be equal.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_crowd_add_walls(ploy_crowd *crowd, const ploy_vec2 *corners,
                                          int32_t count);
/// Adds every ring as walls: rings from ploy_rings_from_tiles, a mesh or a Tiled map. Outer rings
/// are solid inside; holes are rooms.
/// @return as ploy_crowd_add_walls, changing nothing.
PLOY_API ploy_result ploy_crowd_add_rings(ploy_crowd *crowd, const ploy_rings *rings);
PLOY_API void ploy_crowd_clear_walls(ploy_crowd *crowd);
/// Returns all edges added so far; valid until the walls change.
PLOY_API const ploy_orca_wall *ploy_crowd_walls(const ploy_crowd *crowd, int32_t *count);

/// Runs one step: computes new velocities for all agents, then, with `moves`, new positions.
/// @param dt    s, 0 to PLOY_DT_MAX_S.
/// @param jobs  NULL: on the calling thread.
/// @return PLOY_ERR_ARGUMENT if dt is out of range, changing nothing.
PLOY_API ploy_result ploy_crowd_step(ploy_crowd *crowd, float dt, const ploy_jobs *jobs);

/// Statistics of the last step.
typedef struct ploy_crowd_report {
    uint64_t steps;     ///< so far
    int32_t infeasible; ///< agents whose half-planes could not all be kept
    float violation;    ///< m/s, of the worst of them
} ploy_crowd_report;

PLOY_API ploy_crowd_report ploy_crowd_last(const ploy_crowd *crowd);

/// Finds an agent's constraints and velocity as if the next step ran now, for drawing or tracing.
/// @param lines  as in ploy_orca_find; the index of an agent's line is its place, of a wall's its
///               number.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_crowd_find(const ploy_crowd *crowd, ploy_agent_id id, float dt,
                                     ploy_orca_line *lines, ploy_orca_result *out);

/// Visits a ploy_crowd (ploy/base/visit.h): agents keep their ids. A load needs a crowd of the same
/// capacity with the same walls.
PLOY_API void ploy_crowd_visit(ploy_visit *v, void *crowd);
/// Writes the agents at places 0 to 199 as separate groups, the rest as one hash.
PLOY_API void ploy_crowd_describe(const ploy_crowd *crowd, ploy_describe *out);
/// Draws walls, bodies and velocities.
PLOY_API void ploy_crowd_draw(const ploy_crowd *crowd, ploy_draw *out);
PLOY_API void ploy_crowd_memory(const ploy_crowd *crowd, ploy_memory_fn fn, void *user);

/// Makes a steering source of one agent of a crowd: the acceleration that reaches, within this
/// step, the velocity that avoidance chose. For a crowd with `moves` off, whose bodies the game
/// moves.
/// @param crowd, id  borrowed. An expired id makes the request invalid.
/// @return PLOY_ERR_ARGUMENT if a pointer is NULL; then out is none.
PLOY_API ploy_result ploy_crowd_source(const ploy_crowd *crowd, const ploy_agent_id *id,
                                       ploy_steering_source *out);
