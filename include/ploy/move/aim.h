/// @file ploy/move/aim.h
/// Aim: finds the shot that hits a point by simulation, where there is no formula.
///
/// A trial simulates a shot and measures the height at which it passes the target. From straight
/// down to straight up, that height rises up to a best elevation and falls after it. The best
/// elevation is found first (golden section) and shows whether the target can be reached at all.
/// The low arc is below it and the high arc above it; each is found by bisection. If wind carries
/// the shot sideways, the bearing is corrected by the miss and the elevation is searched again.
///
///     height over the target
///         |        .-'-.                 best elevation
///       0 |----x-'-------'-x------       low and high arc
///         | .'               '.
///
/// The simulation is a ploy_flight, or the game's own physics behind ploy_shot_world (an isolated
/// copy, with coarse steps), in which the target may move too. Technique: Millington, "AI for
/// Games", 3.5. The book takes 45 degrees as the best elevation, which with drag rejects targets
/// that can be hit; here the best elevation is searched.
///
/// Units: metres, seconds; z is up. Cost: at most ployi_aim_trials_max(def) trials of at most
/// max_time / interval steps each; typically 40 trials; no allocation. Threads: pure functions if
/// the callbacks are pure.
#pragma once

#include "ploy/move/flight.h"

/// Settings. Start from ploy_aim_def_default() and change what you need.
typedef struct ploy_aim_def {
    uint32_t cookie;  ///< set by the default; leave alone
    float speed;      ///< m/s, initial speed of the shot
    ploy_arc arc;     ///< which of the two arcs
    float margin;     ///< m, a miss that counts as a hit
    float interval;   ///< s between the samples of a trial, joined by straight lines
    float max_time;   ///< s, the longest simulated flight
    int32_t halvings; ///< most trials to find one elevation
    int32_t rounds;   ///< most corrections of the bearing
} ploy_aim_def;

PLOY_API ploy_aim_def ploy_aim_def_default(void);
PLOY_API ploy_fields ploy_aim_fields(void);

/// The game's physics, isolated: trials must not affect the game.
typedef struct ploy_shot_world {
    /// Begins a trial. @return false if the shot is not possible.
    bool (*begin)(void *user, ploy_vec3 from, ploy_vec3 velocity);
    /// Advances by dt. Writes the shot's position, and how far the target has moved since the start
    /// (initially zero). @return false if the shot has ended (it hit something, went out).
    bool (*step)(void *user, float dt, ploy_vec3 *position, ploy_vec3 *target_moved);
    void *user;
} ploy_shot_world;

/// The shot that was found, and its accuracy.
typedef struct ploy_aim {
    ploy_vec3 direction; ///< unit
    float elevation;     ///< rad above the horizon
    float bearing;       ///< rad
    float time;          ///< s until the shot is nearest to the target
    float miss;          ///< m, at most the margin
    int32_t trials;      ///< number of simulated shots
} ploy_aim;

/// Finds a shot that hits `to`. For targets straight above or below (and only those) the wind is
/// not corrected for.
/// @param out  set only on PLOY_OK; then a shot in that direction passes within the margin.
/// @return PLOY_ERR_NOT_FOUND if the target cannot be hit; PLOY_ERR_LIMIT if it should be within
///         reach, but no trial got within the margin (use a smaller interval or more halvings);
///         PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_aim_find(const ploy_aim_def *def, const ploy_flight *flight,
                                   ploy_vec3 from, ploy_vec3 to, ploy_aim *out);
/// The same with the game's own physics.
PLOY_API ploy_result ploy_aim_find_in(const ploy_aim_def *def, const ploy_shot_world *world,
                                      ploy_vec3 from, ploy_vec3 to, ploy_aim *out);
/// Reports to a trace the result of ploy_aim_find.
PLOY_API void ploy_aim_trace(const ploy_aim_def *def, ploy_result result, const ploy_aim *aim,
                             ploy_agent_id id, ploy_trace *trace);
