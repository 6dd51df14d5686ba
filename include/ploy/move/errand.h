/// @file ploy/move/errand.h
/// Errands: a path from stop to stop as one of several requests, and groups of movers that blend
/// them.
///
/// An errand follows a planned path (stops, each with the radius that counts as there, then a goal)
/// as a steering source, so that it can be blended with others by weight (ploy/move/combine.h). It
/// brakes at the goal, keeps count of the time since the last stop, and breaks out of an orbit that
/// gets it nowhere (ploy/move/agitate.h). The settings are shared by a whole group, the state is a
/// few numbers of each member.
///
/// A group of movers is agents and, for each or for all, a combination of sources with gains. A
/// step first computes all requests from the present positions, then moves all agents: the change
/// of velocity is limited, scaled by axis, and the speed goes to a cruising speed unless the
/// request is to brake. Who belongs to which group is the registry's business
/// (ploy/world/entity.h).
/// Technique: path following as one of several blended behaviors, as squads on waypoint networks
/// use it.
///
/// Units: metres, seconds. Cost: O(1) an errand, O(sources) a mover; no allocation.
/// Threads: thinking may run for disjoint ranges at the same time, if the sources may; moving too.
#pragma once

#include "ploy/move/agitate.h"
#include "ploy/move/combine.h"

/// Settings. Start from ploy_errand_def_default() and change what you need.
typedef struct ploy_errand_def {
    uint32_t cookie;          ///< set by the default; leave alone
    float pull;               ///< m/s^2 toward the next stop
    float goal_radius;        ///< m from the goal that is there
    ploy_agitate_def agitate; ///< when nothing is reached for too long
} ploy_errand_def;

PLOY_API ploy_errand_def ploy_errand_def_default(void);
PLOY_API ploy_fields ploy_errand_fields(void);

/// A stop on the way.
typedef struct ploy_errand_stop {
    ploy_vec2 position; ///< m
    float radius;       ///< m from it that counts as there
} ploy_errand_stop;

/// One mover's errand; plain data that the caller keeps, set by ploy_errand_begin.
typedef struct ploy_errand {
    const ploy_errand_def *def;    ///< borrowed, shared
    const ploy_errand_stop *stops; ///< borrowed
    int32_t stop_count;
    int32_t next;   ///< the stop it goes for; stop_count: the goal
    ploy_vec2 goal; ///< m
    float waited;   ///< s since something was reached
    bool arrived;   ///< at the goal, in the last step
} ploy_errand;

/// Begins at the first stop. No stops: straight to the goal.
PLOY_API ploy_errand ploy_errand_begin(const ploy_errand_def *def, const ploy_errand_stop *stops,
                                       int32_t count, ploy_vec2 goal);
/// The request of one step: toward the next stop with `pull`; the brake within the goal's radius;
/// across the motion it would have when it has been too long, which requests a large change: leave
/// it room in max_acceleration. A request of sources before it (COOPERATE) is added to first, so
/// that the kick turns the whole of it. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_errand_steer(ploy_errand *errand, const ploy_steering_context *context);
/// As a steering source; errand and settings are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it); then out is none.
PLOY_API ploy_result ploy_errand_source(ploy_errand *errand, const ploy_env *env,
                                        ploy_steering_source *out);
/// Visits a ploy_errand (ploy/base/visit.h): a load needs as many stops.
PLOY_API void ploy_errand_visit(ploy_visit *v, void *errand);
PLOY_API void ploy_errand_describe(const ploy_errand *errand, ploy_describe *out);
/// Draws what is left of the path.
PLOY_API void ploy_errand_draw(const ploy_errand *errand, ploy_vec2 position, ploy_agent_id owner,
                               ploy_draw *out);

/// Settings of a group of movers. Start from ploy_movers_def_default().
typedef struct ploy_movers_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float max_acceleration; ///< m/s^2, the largest change of velocity
    float max_speed;        ///< m/s
    float cruise_speed;     ///< m/s, where the speed goes by itself; 0: nowhere
    float cruise_time;      ///< s to cover most of the distance; 0: at once
    ploy_vec2 scale;        ///< of the change along x and y; 0 keeps it on a rail
} ploy_movers_def;

PLOY_API ploy_movers_def ploy_movers_def_default(void);
PLOY_API ploy_fields ploy_movers_fields(void);

/// One mover after dt seconds of a request. A request that would, carried out in full, stop it
/// in this step is the brake: then the speed is not drawn to the cruising speed. Looks where it
/// goes. As it was if dt or a setting is out of range.
PLOY_API ploy_kinematic ploy_mover_step(const ploy_movers_def *def, ploy_kinematic agent,
                                        ploy_steering steering, float dt);

/// What agents [first, first + count) of a view request, from where all are now.
/// @param minds       number i for agent i; with a mind_count of 1 one for all.
/// @param context     dt, tick, key and trace; agent and id are filled in here (agent i is number
///                    i + 1).
/// @return PLOY_ERR_ARGUMENT if a view, the range or the number of minds is not right.
PLOY_API ploy_result ploy_movers_think(const ploy_kinematics *agents, int32_t first, int32_t count,
                                       const ploy_combination *minds, int32_t mind_count,
                                       const ploy_steering_context *context,
                                       const ploy_steerings *out);
/// Moves them by their requests, each as ploy_mover_step does.
/// @return PLOY_ERR_ARGUMENT, moving no agent.
PLOY_API ploy_result ploy_movers_move(const ploy_movers_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_steerings *steerings,
                                      float dt);
