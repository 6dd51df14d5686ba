/// @file ploy/move/crowd.h
/// Crowds: thousands of agents that move without running into each other.
///
/// A ploy_crowd keeps agents and walls. Each step sorts the agents into cells, gives every one the
/// velocity that ploy/move/orca.h finds for it among the nearest others, all from the same moment,
/// and then moves them all. The game sets the preferred velocities: a velocity toward the next
/// corner of a path, by ploy_crowd_set_wanted.
///
///     ploy_crowd_add(crowd, &agent, &id);
///     for (;;) {
///         ploy_crowd_set_wanted(crowd, id, toward_my_goal);
///         ploy_crowd_step(crowd, dt, jobs);
///         ploy_crowd_get(crowd, id, &agent);
///     }
///
/// With `moves` off, positions are the game's: step only finds velocities, and the game's physics
/// sets the new positions with ploy_crowd_set.
///
/// Two crowds that meet exactly head-on in rows can stand face to face for long, as any local
/// avoidance does; give desired velocities a little noise. Avoidance is local: it finds no path
/// around a wall. Agents see each other through walls.
/// Technique: see ploy/move/orca.h. The same bits for any worker count and vector width, and the
/// same as ploy_orca_find.
///
/// Units: metres, seconds. Cost: O(agents times those in the cells around); 120 to 152 bytes an
/// agent for the whole capacity. Allocates in create and when walls change, never in a step.
/// Threads: one caller at a time; a step runs on all workers of its jobs.
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
/// Other settings from the next step on; the capacity stays as it is.
/// @return PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_crowd_set_def(ploy_crowd *crowd, const ploy_crowd_def *def);

/// Adds an agent; its number is set to the place that it gets.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT if a value of the agent is out of range.
PLOY_API ploy_result ploy_crowd_add(ploy_crowd *crowd, const ploy_orca_agent *agent,
                                    ploy_agent_id *out);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_crowd_remove(ploy_crowd *crowd, ploy_agent_id id);
PLOY_API int32_t ploy_crowd_count(const ploy_crowd *crowd);
/// Places 0 to ploy_crowd_places - 1 hold an agent, or none: for loops over all.
PLOY_API int32_t ploy_crowd_places(const ploy_crowd *crowd);
PLOY_API ploy_agent_id ploy_crowd_id_at(const ploy_crowd *crowd, int32_t place);

/// @return PLOY_ERR_NOT_FOUND, leaving out alone.
PLOY_API ploy_result ploy_crowd_get(const ploy_crowd *crowd, ploy_agent_id id,
                                    ploy_orca_agent *out);
/// Everything but the number. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_crowd_set(ploy_crowd *crowd, ploy_agent_id id,
                                    const ploy_orca_agent *agent);
/// What the agent would do alone, from the next step on. Longer than max_speed is cut.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT if it is not finite or above PLOY_SPEED_MAX_MPS.
PLOY_API ploy_result ploy_crowd_set_wanted(ploy_crowd *crowd, ploy_agent_id id, ploy_vec2 wanted);

/// For all at once, by slot: positions and velocities (to be read; places without an
/// agent hold what was there last), valid until the crowd goes; and the preferred velocities.
PLOY_API ploy_kinematics ploy_crowd_agents(const ploy_crowd *crowd);
/// @param wanted  ploy_crowd_places velocities, or one for all with a stride of 0.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if the view is not right or one of them is not
///         finite or above PLOY_SPEED_MAX_MPS, at a place without an agent too.
PLOY_API ploy_result ploy_crowd_set_wanted_all(ploy_crowd *crowd, const ploy_points *wanted);

/// Adds a polygon of walls, as in ploy/move/orca.h.
/// @param corners  2 or more; two in a row must not be equal.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_crowd_add_walls(ploy_crowd *crowd, const ploy_vec2 *corners,
                                          int32_t count);
/// Adds every ring as walls: those of ploy_rings_from_tiles, of a mesh, of a Tiled map. Outer rings
/// are solid inside, holes are rooms.
/// @return as ploy_crowd_add_walls, changing nothing.
PLOY_API ploy_result ploy_crowd_add_rings(ploy_crowd *crowd, const ploy_rings *rings);
PLOY_API void ploy_crowd_clear_walls(ploy_crowd *crowd);
/// All edges so far; valid until walls change.
PLOY_API const ploy_orca_wall *ploy_crowd_walls(const ploy_crowd *crowd, int32_t *count);

/// One step: new velocities for all, then, with `moves`, new positions.
/// @param dt    s, 0 to PLOY_DT_MAX_S.
/// @param jobs  NULL: here and now.
/// @return PLOY_ERR_ARGUMENT if dt is out of range, changing nothing.
PLOY_API ploy_result ploy_crowd_step(ploy_crowd *crowd, float dt, const ploy_jobs *jobs);

/// How the last step went.
typedef struct ploy_crowd_report {
    uint64_t steps;     ///< so far
    int32_t infeasible; ///< agents whose half-planes could not all be kept
    float violation;    ///< m/s, of the worst of them
} ploy_crowd_report;

PLOY_API ploy_crowd_report ploy_crowd_last(const ploy_crowd *crowd);

/// What decides for an agent if the next step were now: to be drawn, or traced.
/// @param lines  as in ploy_orca_find; the index of an agent's line is its place, of a wall's its
///               number.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_crowd_find(const ploy_crowd *crowd, ploy_agent_id id, float dt,
                                     ploy_orca_line *lines, ploy_orca_result *out);

/// Visits a ploy_crowd (ploy/base/visit.h): agents keep their ids. A load needs a crowd of the same
/// capacity with the same walls.
PLOY_API void ploy_crowd_visit(ploy_visit *v, void *crowd);
/// Every agent as a separate group below 200, the rest as one hash.
PLOY_API void ploy_crowd_describe(const ploy_crowd *crowd, ploy_describe *out);
/// Walls, bodies and velocities.
PLOY_API void ploy_crowd_draw(const ploy_crowd *crowd, ploy_draw *out);
PLOY_API void ploy_crowd_memory(const ploy_crowd *crowd, ploy_memory_fn fn, void *user);

/// One agent of a crowd as a steering source: the acceleration to the velocity that avoidance
/// chooses for it, within this step. For a crowd with `moves` off, whose bodies the game moves.
/// @param crowd, id  borrowed. An expired id makes the request invalid.
/// @return PLOY_ERR_ARGUMENT if a pointer is NULL; out is none then.
PLOY_API ploy_result ploy_crowd_source(const ploy_crowd *crowd, const ploy_agent_id *id,
                                       ploy_steering_source *out);
