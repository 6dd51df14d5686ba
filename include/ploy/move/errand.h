/// @file ploy/move/errand.h
/// Errands: following stops as one of several blended requests, and groups of movers.
///
/// An errand follows a planned path (stops, each with the radius within which it counts as reached,
/// then a goal) as a steering source, so that it can be blended with others by weight
/// (ploy/move/combine.h). It brakes at the goal, counts the time since the last stop, and breaks
/// out of orbits (ploy/move/agitate.h). A whole group shares the settings; the state is a few
/// numbers for each member.
///
/// A group of movers consists of agents and combinations of weighted sources, one for each agent or
/// one for all. A step first computes all requests from the present positions, then moves all
/// agents: the change of velocity is limited and scaled by axis, and the speed approaches a
/// cruising speed unless the request is to brake. The registry (ploy/world/entity.h) stores which
/// agent belongs to which group. Technique: path following as one of several blended behaviors, as
/// squads on waypoint networks use it.
///
/// Units: metres, seconds. Cost: O(1) for an errand, O(sources) for a mover; no allocation.
/// Threads: disjoint ranges may think at the same time if the sources allow it, and may move at the
/// same time.
#pragma once

#include "ploy/move/agitate.h"
#include "ploy/move/combine.h"

/// Settings. Start from ploy_errand_def_default() and change what you need.
typedef struct ploy_errand_def {
    uint32_t cookie;          ///< set by the default; leave alone
    float pull;               ///< m/s^2 toward the next stop
    float goal_radius;        ///< m; the goal is reached within this distance
    ploy_agitate_def agitate; ///< when nothing is reached for too long
} ploy_errand_def;

PLOY_API ploy_errand_def ploy_errand_def_default(void);
PLOY_API ploy_fields ploy_errand_fields(void);

/// A stop on the path.
typedef struct ploy_errand_stop {
    ploy_vec2 position; ///< m
    float radius;       ///< m; the stop is reached within this distance
} ploy_errand_stop;

/// One mover's errand; plain data that the caller keeps, set by ploy_errand_begin.
typedef struct ploy_errand {
    const ploy_errand_def *def;    ///< borrowed, shared
    const ploy_errand_stop *stops; ///< borrowed
    int32_t stop_count;
    int32_t next;   ///< the next stop; stop_count: the goal
    ploy_vec2 goal; ///< m
    float waited;   ///< s since a stop was reached
    bool arrived;   ///< at the goal, in the last step
} ploy_errand;

/// Begins at the first stop; without stops, goes straight to the goal.
PLOY_API ploy_errand ploy_errand_begin(const ploy_errand_def *def, const ploy_errand_stop *stops,
                                       int32_t count, ploy_vec2 goal);
/// Returns the request of one step: toward the next stop with `pull`; braking within the goal's
/// radius; or, after waiting too long, a kick perpendicular to the motion. The kick is a large
/// change: leave room for it in max_acceleration. The request of earlier sources (COOPERATE) is
/// added first, so that the kick turns the whole request. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_errand_steer(ploy_errand *errand, const ploy_steering_context *context);
/// Makes a steering source; errand and settings are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it); then out is none.
PLOY_API ploy_result ploy_errand_source(ploy_errand *errand, const ploy_env *env,
                                        ploy_steering_source *out);
/// Visits a ploy_errand (ploy/base/visit.h): a load needs the same number of stops.
PLOY_API void ploy_errand_visit(ploy_visit *v, void *errand);
PLOY_API void ploy_errand_describe(const ploy_errand *errand, ploy_describe *out);
/// Draws the rest of the path.
PLOY_API void ploy_errand_draw(const ploy_errand *errand, ploy_vec2 position, ploy_agent_id owner,
                               ploy_draw *out);

/// Settings of a group of movers. Start from ploy_movers_def_default().
typedef struct ploy_movers_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float max_acceleration; ///< m/s^2, the largest change of velocity
    float max_speed;        ///< m/s
    float cruise_speed;     ///< m/s, approached without a request; 0: none
    float cruise_time;      ///< s to cover most of the distance; 0: at once
    ploy_vec2 scale;        ///< of the change along x and y; 0 keeps it on a rail
} ploy_movers_def;

PLOY_API ploy_movers_def ploy_movers_def_default(void);
PLOY_API ploy_fields ploy_movers_fields(void);

/// Returns one mover after dt seconds of a request. A request that, carried out in full, would stop
/// the mover in this step counts as braking: then the cruising speed is not applied. The mover
/// faces along its velocity. Unchanged if dt or a setting is out of range.
PLOY_API ploy_kinematic ploy_mover_step(const ploy_movers_def *def, ploy_kinematic agent,
                                        ploy_steering steering, float dt);

/// Computes the requests of agents [first, first + count) of a view, from the present positions.
/// @param minds       number i for agent i; if mind_count is 1, one for all.
/// @param context     dt, tick, key and trace; agent and id are filled in here (agent i is number
///                    i + 1).
/// @return PLOY_ERR_ARGUMENT if a view, the range or mind_count is invalid.
PLOY_API ploy_result ploy_movers_think(const ploy_kinematics *agents, int32_t first, int32_t count,
                                       const ploy_combination *minds, int32_t mind_count,
                                       const ploy_steering_context *context,
                                       const ploy_steerings *out);
/// Moves the agents by their requests, each as ploy_mover_step does.
/// @return PLOY_ERR_ARGUMENT, moving no agent.
PLOY_API ploy_result ploy_movers_move(const ploy_movers_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_steerings *steerings,
                                      float dt);
