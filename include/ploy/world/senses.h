/// @file ploy/world/senses.h
/// The region sense manager: who hears, smells, feels or sees what, in the open.
///
/// Signals spread in all directions and weaken with distance; walls count only as far as a
/// modality's check looks for them. That is right out of doors and wherever walls are thicker than
/// signals reach; round corners and through doors a sense graph does better.
///
/// Technique: Millington, "AI for Games", region sense manager, with one threshold for each
/// modality, delivery of what is due exactly now, a hash grid to find neighbours, and two methods
/// to treat listeners that move:
/// - at emission: all are tested immediately, and notified when the signal arrives, wherever they
///   are then. Cheap, and wrong for slow signals.
/// - wave: the signal spreads, and agents are tested when its front passes them. Only this lets
///   signals linger, and one that walks into a smell smells it.
///
/// Poses are requested once for each value of the clock, at the first add or step with it.
///
/// Units: metres, seconds. Cost of a signal: O(sensors near), of a wave that much in every step
/// while it lasts. Adding sensors and signals may allocate; a warmed-up step allocates nothing.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/draw.h"
#include "ploy/world/sense_log.h"

/// Opaque.
typedef struct ploy_senses ploy_senses;

typedef enum ploy_senses_policy {
    PLOY_SENSES_AT_EMISSION, ///< tested once, at the positions when the signal is made
    PLOY_SENSES_WAVE         ///< tested where they are when the front passes
} ploy_senses_policy;

typedef struct ploy_senses_def {
    uint32_t cookie;
    int32_t capacity; ///< most sensors
    float cell_size;  ///< m, of the grid; about the usual range
    ploy_senses_policy policy;
    bool rooms; ///< a signal made in a room is for sensors in the same one: senses at no cost
    const ploy_modalities *modalities; ///< immutable; must outlive the manager
    ploy_pose_source poses;            ///< where the sensors are
    /// Refuses pairs of signal and sensor before anything else; NULL refuses none.
    bool (*filter)(void *user, const ploy_signal *signal, const ploy_sensor *sensor);
    void *filter_user;
    ploy_sense_log *log; ///< receives every examination; may be NULL; must outlive the manager
} ploy_senses_def;

PLOY_API ploy_senses_def ploy_senses_def_default(void);
PLOY_API ploy_fields ploy_senses_fields(void);
/// @return PLOY_ERR_ARGUMENT also without modalities; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_create(const ploy_senses_def *def, const ploy_env *env,
                                        ploy_senses **out);
/// NULL is allowed. Not from within a step.
PLOY_API void ploy_senses_destroy(ploy_senses *senses);

/// Adds a sensor, copied; one for each agent.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_EXISTS, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_add_sensor(ploy_senses *senses, const ploy_sensor *sensor);
/// Replaces the sensor of the same agent: other thresholds, deaf for a while, another room.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_senses_set_sensor(ploy_senses *senses, const ploy_sensor *sensor);
/// What is on its way to it is lost. Allowed while percepts are delivered.
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_senses_remove_sensor(ploy_senses *senses, ploy_agent_id agent);

/// m/s, for modalities with a `wind`. @return PLOY_ERR_ARGUMENT if it is not finite.
PLOY_API ploy_result ploy_senses_set_wind(ploy_senses *senses, ploy_vec3 wind);

/// Adds a signal, made now. From within a percept callback it spreads when the step's percepts are
/// delivered, so that two who answer each other cannot hang the game.
/// @param now  s; never earlier than before.
/// @return PLOY_ERR_ARGUMENT for a signal or a clock that is not finite, an unknown modality or a
///         clock that runs backwards; PLOY_ERR_MEMORY. Nothing changes then.
PLOY_API ploy_result ploy_senses_add_signal(ploy_senses *senses, const ploy_signal *signal,
                                            double now);
/// A signal for one sensor alone: touch as a game's collision detection found it, a whisper. Tested
/// as any other, but no other sensor is asked, the wave policy does not apply and it is queued at
/// once.
/// @return as above; PLOY_ERR_NOT_FOUND if the agent has no sensor.
PLOY_API ploy_result ploy_senses_add_signal_to(ploy_senses *senses, const ploy_signal *signal,
                                               ploy_agent_id agent, double now);

/// Delivers everything due up to now, by time, then signal, then sensor.
/// @param budget  one unit for each percept; NULL: no limit. @param fn  may be NULL.
/// @return PLOY_IN_PROGRESS if percepts are left that the budget did not pay for; PLOY_ERR_ARGUMENT
///         for a clock that is not finite or runs backwards; PLOY_ERR_STATE from within a callback;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_senses_step(ploy_senses *senses, double now, ploy_budget *budget,
                                      ploy_percept_fn fn, void *user);

/// What would become of that signal at that sensor now, without adding it: "why not?". Asks for the
/// sensor's pose.
/// @param out  intensity, distance and detail of the examination, its pose NULL; may be NULL.
/// @return PLOY_SENSE_SENSED if it would be sensed, PLOY_SENSE_GONE without such a sensor.
PLOY_API ploy_sense_reason ploy_senses_explain(const ploy_senses *senses, const ploy_signal *signal,
                                               ploy_agent_id agent, double now,
                                               ploy_sense_test *out);

/// The strongest of the signals of a modality that linger at a place: where it was made, so that a
/// tracker follows a scent from spot to spot. Among equals the one made last. Wave policy only.
/// @param position  where it was made. @param intensity  at the place; may be NULL.
/// @return false, leaving both alone, if nothing is there.
PLOY_API bool ploy_senses_find_strongest(const ploy_senses *senses, int32_t modality, ploy_vec3 at,
                                         double now, ploy_vec3 *position, float *intensity);

/// Forgets all signals and percepts on their way; sensors stay.
PLOY_API void ploy_senses_clear(ploy_senses *senses);

/// Visits a ploy_senses (ploy/base/visit.h): sensors, lingering signals and waiting percepts. Not
/// from within a delivery.
PLOY_API void ploy_senses_visit(ploy_visit *v, void *senses);
PLOY_API void ploy_senses_describe(const ploy_senses *senses, ploy_describe *out);
/// Rings where fronts are, discs where something lingers, lines to whom a percept is on its way.
PLOY_API void ploy_senses_draw(const ploy_senses *senses, ploy_draw *out);
PLOY_API void ploy_senses_memory(const ploy_senses *senses, ploy_memory_fn fn, void *user);
