/// @file ploy/move/aim.h
/// Aim: hit a point when no formula says how, by trying shots in the mind.
///
/// A trial flies a shot in a simulation and looks how high it passes where the target is.
/// Elevations between straight down and straight up pass ever higher up to a best one and lower
/// after it; the best one is found first (golden section), and says whether the target can be
/// reached at all. Below it lies the low arc, above it the high one, each found by halving. Where
/// wind carries the shot sideways, the bearing is corrected by the miss and the elevation found
/// again.
///
///     height over the target
///         |        .-'-.                 best elevation
///       0 |----x-'-------'-x------       low and high arc
///         | .'               '.
///
/// The simulation is a ploy_flight, or the game's own physics behind ploy_shot_world (an isolated
/// copy of it, with coarse steps), in which the target may move too.
/// Technique: Millington, "AI for Games", 3.5. He takes 45 degrees for the best elevation, which
/// with drag refuses targets that can be hit; the search for the best replaces it.
///
/// Units: metres, seconds; z is up. Cost: at most ployi_aim_trials_max(def) trials of at most
/// max_time / interval steps each; typically 40 trials; no allocation. Threads: pure functions, if
/// the callbacks are.
#pragma once

#include "ploy/move/flight.h"

/// Settings. Start from ploy_aim_def_default() and change what you need.
typedef struct ploy_aim_def {
    uint32_t cookie;  ///< set by the default; leave alone
    float speed;      ///< m/s, of the shot when it leaves
    ploy_arc arc;     ///< which of two
    float margin;     ///< m, a miss that counts as a hit
    float interval;   ///< s between the samples of a trial, which straight lines join
    float max_time;   ///< s, the longest flight that is tried
    int32_t halvings; ///< most trials to find one elevation
    int32_t rounds;   ///< most corrections of the bearing
} ploy_aim_def;

PLOY_API ploy_aim_def ploy_aim_def_default(void);
PLOY_API ploy_fields ploy_aim_fields(void);

/// The game's physics, isolated: what is tried here must not happen.
typedef struct ploy_shot_world {
    /// Begins a trial. @return false if the shot is not possible.
    bool (*begin)(void *user, ploy_vec3 from, ploy_vec3 velocity);
    /// Goes on by dt. Writes where the shot is, and how far the target has moved since the start
    /// (zero to begin with). @return false if the shot has ended (it hit something, went out).
    bool (*step)(void *user, float dt, ploy_vec3 *position, ploy_vec3 *target_moved);
    void *user;
} ploy_shot_world;

/// How to shoot, and how sure that is.
typedef struct ploy_aim {
    ploy_vec3 direction; ///< unit
    float elevation;     ///< rad above the horizon
    float bearing;       ///< rad
    float time;          ///< s until it is nearest
    float miss;          ///< m, at most the margin
    int32_t trials;      ///< how many shots it took
} ploy_aim;

/// Finds how to hit `to`. Straight above or below (and only there) the wind is not corrected for.
/// @param out  set only on PLOY_OK; then a shot in that direction passes within the margin.
/// @return PLOY_ERR_NOT_FOUND if it cannot be hit; PLOY_ERR_LIMIT if it should be within reach, but
///         the trials did not get within the margin (take a smaller interval or more of them);
///         PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_aim_find(const ploy_aim_def *def, const ploy_flight *flight,
                                   ploy_vec3 from, ploy_vec3 to, ploy_aim *out);
/// The same with the game's own physics.
PLOY_API ploy_result ploy_aim_find_in(const ploy_aim_def *def, const ploy_shot_world *world,
                                      ploy_vec3 from, ploy_vec3 to, ploy_aim *out);
/// Reports to a trace what ploy_aim_find made of it.
PLOY_API void ploy_aim_trace(const ploy_aim_def *def, ploy_result result, const ploy_aim *aim,
                             ploy_agent_id id, ploy_trace *trace);
