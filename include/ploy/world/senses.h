/// @file ploy/world/senses.h
/// The region sense manager: which agents hear, smell, feel or see what, in open terrain.
///
/// Signals spread in all directions and weaken with distance; walls count only if the modality's
/// check tests for them. That is adequate outdoors and wherever walls are thicker than the range of
/// signals; around corners and through doors, a sense graph is better.
///
/// Technique: Millington, "AI for Games", region sense manager, with one threshold for each
/// modality, delivery of what is due exactly now, a hash grid to find neighbours, and two policies
/// for listeners that move:
/// - at emission: all sensors are tested immediately and notified when the signal arrives, wherever
///   they are by then. Cheap, but wrong for slow signals.
/// - wave: the signal spreads, and agents are tested when its front passes them. Only this policy
///   lets signals linger, so that an agent that walks into a smell senses it.
///
/// Poses are requested once for each value of the clock, at the first add or step with it.
///
/// Units: metres, seconds. Cost of a signal: O(sensors nearby); of a wave, that in every step while
/// it lasts. Adding sensors and signals may allocate; a warmed-up step allocates nothing. Threads:
/// one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/draw.h"
#include "ploy/world/sense_log.h"

/// Opaque.
typedef struct ploy_senses ploy_senses;

typedef enum ploy_senses_policy {
    PLOY_SENSES_AT_EMISSION, ///< tested once, at the positions when the signal is made
    PLOY_SENSES_WAVE         ///< tested at the positions when the front passes
} ploy_senses_policy;

typedef struct ploy_senses_def {
    uint32_t cookie;
    int32_t capacity; ///< maximum number of sensors
    float cell_size;  ///< m, of the grid; about the typical signal range
    ploy_senses_policy policy;
    bool rooms; ///< a signal made in a room reaches only sensors in that room: very cheap
    const ploy_modalities *modalities; ///< immutable; must outlive the manager
    ploy_pose_source poses;            ///< where the sensors are
    /// Refuses pairs of signal and sensor before anything else; NULL refuses none.
    bool (*filter)(void *user, const ploy_signal *signal, const ploy_sensor *sensor);
    void *filter_user;
    ploy_sense_log *log; ///< receives every examination; may be NULL; must outlive the manager
} ploy_senses_def;

PLOY_API ploy_senses_def ploy_senses_def_default(void);
PLOY_API ploy_fields ploy_senses_fields(void);
/// @return PLOY_ERR_ARGUMENT, also if there are no modalities; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_create(const ploy_senses_def *def, const ploy_env *env,
                                        ploy_senses **out);
/// NULL is allowed. Do not call it from within a step.
PLOY_API void ploy_senses_destroy(ploy_senses *senses);

/// Adds a sensor, copied; at most one for each agent.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_EXISTS, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_add_sensor(ploy_senses *senses, const ploy_sensor *sensor);
/// Replaces the sensor of the same agent, to change thresholds or the room, or to make it deaf for
/// a while.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_senses_set_sensor(ploy_senses *senses, const ploy_sensor *sensor);
/// Removes a sensor and drops the percepts pending for it. Allowed while percepts are delivered.
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_senses_remove_sensor(ploy_senses *senses, ploy_agent_id agent);

/// Sets the wind in m/s, for modalities with a `wind`. @return PLOY_ERR_ARGUMENT if it is not
/// finite.
PLOY_API ploy_result ploy_senses_set_wind(ploy_senses *senses, ploy_vec3 wind);

/// Adds a signal, made now. If added in a percept callback, it spreads after the step's percepts
/// are delivered, so that two agents that answer each other cannot hang the game.
/// @param now  s; never earlier than before.
/// @return PLOY_ERR_ARGUMENT for a signal or a clock that is not finite, an unknown modality or a
///         clock that runs backwards; PLOY_ERR_MEMORY. Nothing changes then.
PLOY_API ploy_result ploy_senses_add_signal(ploy_senses *senses, const ploy_signal *signal,
                                            double now);
/// Adds a signal for a single sensor, such as a whisper or a touch found by collision detection. It
/// is tested like any other, but no other sensor is tested, the wave policy does not apply, and it
/// is queued immediately.
/// @return as above; PLOY_ERR_NOT_FOUND if the agent has no sensor.
PLOY_API ploy_result ploy_senses_add_signal_to(ploy_senses *senses, const ploy_signal *signal,
                                               ploy_agent_id agent, double now);

/// Delivers everything due by now, ordered by time, then signal, then sensor.
/// @param budget  one unit for each percept; NULL: no limit. @param fn  may be NULL.
/// @return PLOY_IN_PROGRESS if the budget ran out before all percepts were delivered;
/// PLOY_ERR_ARGUMENT
///         for a clock that is not finite or runs backwards; PLOY_ERR_STATE from within a callback;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_step(ploy_senses *senses, double now, ploy_budget *budget,
                                      ploy_percept_fn fn, void *user);

/// Tests what would happen to that signal at that sensor now, without adding it: "why not?".
/// Requests the sensor's pose.
/// @param out  intensity, distance and detail of the examination, its pose NULL; may be NULL.
/// @return PLOY_SENSE_SENSED if it would be sensed, PLOY_SENSE_GONE if there is no such sensor.
PLOY_API ploy_sense_reason ploy_senses_explain(const ploy_senses *senses, const ploy_signal *signal,
                                               ploy_agent_id agent, double now,
                                               ploy_sense_test *out);

/// Finds the strongest signal of a modality that lingers at a place, and where that signal was
/// made, so that a tracker can follow a scent from point to point. Among equals, the latest wins.
/// Wave policy only.
/// @param position  where it was made. @param intensity  at the place; may be NULL.
/// @return false, leaving both unchanged, if no signal lingers there.
PLOY_API bool ploy_senses_find_strongest(const ploy_senses *senses, int32_t modality, ploy_vec3 at,
                                         double now, ploy_vec3 *position, float *intensity);

/// Drops all signals and pending percepts; sensors stay.
PLOY_API void ploy_senses_clear(ploy_senses *senses);

/// Visits a ploy_senses (ploy/base/visit.h): sensors, lingering signals and waiting percepts. Do
/// not call it during a delivery.
PLOY_API void ploy_senses_visit(ploy_visit *v, void *senses);
PLOY_API void ploy_senses_describe(const ploy_senses *senses, ploy_describe *out);
/// Draws rings for wave fronts, discs for lingering signals, and lines to agents with pending
/// percepts.
PLOY_API void ploy_senses_draw(const ploy_senses *senses, ploy_draw *out);
PLOY_API void ploy_senses_memory(const ploy_senses *senses, ploy_memory_fn fn, void *user);
