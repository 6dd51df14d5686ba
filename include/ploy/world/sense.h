/// @file ploy/world/sense.h
/// What a sense is: modalities, signals, sensors and percepts.
///
/// Something happens (a shot, a step, a smell): a signal. It spreads as its modality says, sight at
/// once, sound at its speed, smell slowly and with the wind. A character has a sensor with a
/// threshold for each modality. What arrives strong enough is a percept, and the character receives
/// it. A sense manager computes which signal reaches which sensor: ploy_senses does it in the open,
/// by distance; a sense graph by rooms and doors. Both share what is here, so that a game can start
/// with one and go on with the other.
///
/// The set of modalities is open. A game names its own: an aura is a kind of sight, telepathy a
/// kind of hearing, fear a kind of smell, and a spell is a signal whose victims are those notified.
///
/// Technique: Millington, "AI for Games", sense management, with one threshold
/// for each modality, intensity kept in the percept, and delivery of what is due exactly now.
///
/// Units: metres, seconds; intensity and strength have the game's own unit.
/// Threads: everything here is plain data or immutable; any thread.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/world/pose.h"

/// Most modalities of a table: sensors keep a threshold for each.
#define PLOY_MODALITIES_MAX 16
/// Bytes of free payload in a signal.
#define PLOY_SIGNAL_PAYLOAD 12

/// How a modality spreads, as far as managers treat them differently: a sense graph carries sight
/// one connection far, sound as a wave, smell from room to room. The open field treats all alike.
typedef enum ploy_sense_kind {
    PLOY_SENSE_SIGHT,
    PLOY_SENSE_SOUND,
    PLOY_SENSE_SMELL,
    PLOY_SENSE_TOUCH,
    PLOY_SENSE_OTHER, ///< spreads in the open like sound
    PLOY_SENSE_KINDS
} ploy_sense_kind;

/// What became of a signal at a sensor.
typedef enum ploy_sense_reason {
    PLOY_SENSE_SENSED,      ///< a percept was delivered
    PLOY_SENSE_PENDING,     ///< on its way
    PLOY_SENSE_NOT_MEANT,   ///< the sensor does not detect that modality
    PLOY_SENSE_OWN,         ///< the sensor's own signal
    PLOY_SENSE_NO_POSE,     ///< the position of the sensor is unknown
    PLOY_SENSE_FILTERED,    ///< the manager's filter refused: another room
    PLOY_SENSE_TOO_FAR,     ///< beyond the modality's range
    PLOY_SENSE_TOO_WEAK,    ///< below the sensor's threshold or the modality's minimum
    PLOY_SENSE_CHECKED,     ///< the modality's own check refused; detail says more
    PLOY_SENSE_NO_ROUTE,    ///< no connection leads there (sense graph)
    PLOY_SENSE_GONE,        ///< the sensor was removed before the signal arrived
    PLOY_SENSE_DROPPED,     ///< the queue was full
    PLOY_SENSE_REASON_COUNT ///< how many there are
} ploy_sense_reason;

// ---- signals

/// Something that can be sensed. Plain data; make one with ploy_signal_make.
typedef struct ploy_signal {
    int32_t modality; ///< index in the table
    float strength;   ///< at its origin, at least 0; its unit is the thresholds'
    ploy_vec3 position;
    uint32_t size;        ///< bytes used of payload
    ploy_agent_id source; ///< who made it; none: the world itself
    ploy_name cause;      ///< "footstep"; becomes the message's kind
    double emitted;       ///< s of the game's clock; set by the manager when it is added
    uint64_t order;       ///< set by the manager: distinguishes signals and breaks ties
    unsigned char payload[PLOY_SIGNAL_PAYLOAD];
    uint32_t room; ///< of the origin; 0: none. For filters; a sense graph finds its own
} ploy_signal;

/// A signal without source and payload. Every byte is set.
PLOY_API ploy_signal ploy_signal_make(int32_t modality, float strength, ploy_vec3 position,
                                      ploy_name cause);
/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_signal(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_signal *signal);
/// Describes it as a group of that name.
PLOY_API void ploy_signal_describe(const ploy_signal *signal, const char *name, ploy_mark mark,
                                   ploy_describe *out);

// ---- sensors

/// A sensor's ear for one modality.
typedef struct ploy_sensor_channel {
    float threshold;   ///< least intensity that is noticed, at least 0
    float dulled;      ///< factor on what arrives while dulled: 0 is deaf
    double dull_until; ///< s; not dulled from then on
} ploy_sensor_channel;

/// What one character can sense. Plain data; its pose comes from a ploy_pose_source by the agent.
typedef struct ploy_sensor {
    ploy_agent_id agent;
    uint32_t detects; ///< bit 1 << modality
    uint32_t room;    ///< where it is, for filters; 0: none
    ploy_sensor_channel channels[PLOY_MODALITIES_MAX];
} ploy_sensor;

/// A sensor that detects nothing yet. Every byte is set.
PLOY_API ploy_sensor ploy_sensor_make(ploy_agent_id agent);
/// Lets it detect a modality from that intensity on.
/// @return PLOY_ERR_ARGUMENT, changing nothing, for a modality out of range or a threshold that is
///         negative or not finite.
PLOY_API ploy_result ploy_sensor_set(ploy_sensor *sensor, int32_t modality, float threshold);
/// No longer detects it.
PLOY_API void ploy_sensor_clear(ploy_sensor *sensor, int32_t modality);
/// Dulls a modality for a while: deaf after a blast, blinded by a flash.
/// @param factor  on every intensity, 0 to 1. @param until  s of the game's clock.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if one is out of range.
PLOY_API ploy_result ploy_sensor_dull(ploy_sensor *sensor, int32_t modality, float factor,
                                      double until);
/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_sensor(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_sensor *sensor);
PLOY_API void ploy_sensor_describe(const ploy_sensor *sensor, const char *name, ploy_mark mark,
                                   ploy_describe *out);

// ---- modalities

/// One signal at one sensor, under examination. The manager fills it; a check may lower or raise
/// the intensity and leave a number that explains a refusal.
typedef struct ploy_sense_test {
    const ploy_signal *signal;
    const ploy_sensor *sensor;
    const ploy_pose *pose; ///< of the sensor
    double now;            ///< s
    float distance;        ///< m, along the path of the signal
    float intensity;       ///< what is left of the strength
    int32_t detail;        ///< of the check; ploy_sight_reason for ployi_sight_check
} ploy_sense_test;

/// A modality's own test, for what distance alone does not decide: a cone, a line of sight, magic.
/// Answers the same for the same world. @return false if nothing is sensed.
typedef bool (*ploy_sense_check_fn)(void *user, ploy_sense_test *test);

/// How one sense works. Start from ploy_modality_default() or ploy_modality_of().
typedef struct ploy_modality {
    uint32_t cookie;
    ploy_sense_kind kind;
    float attenuation;   ///< factor for each metre, 0 to 1; 1 does not weaken
    float max_range;     ///< m; sensors farther away are ignored
    float inverse_speed; ///< s/m; 0 arrives at once
    float min_intensity; ///< weaker signals are dropped
    float check_gain;    ///< most by which the check raises an intensity; lets managers skip it
    float wind;          ///< s/m, how much wind of 1 m/s shortens distances downwind
    float linger;        ///< s that it stays where it was made, in the open field
    float dissipation;   ///< share lost in each second of lingering, 0 to 1
    const char *name;    ///< "footsteps"; copied by the table
    ploy_sense_check_fn check; ///< NULL: distance and threshold decide
    void *check_user;
} ploy_modality;

/// Kind other: spreads 100 m without weakening, at once. Without a name.
PLOY_API ploy_modality ploy_modality_default(void);
/// A starting point for each kind, named after it: sight 100 m at once; sound 0.95 a metre, 60 m,
/// 345 m/s; smell 0.8 a metre, 10 m, 1 m/s, lingering 20 s and losing a tenth each second; touch
/// 0.25 m.
PLOY_API ploy_modality ploy_modality_of(ploy_sense_kind kind);
/// The numbers of a modality.
PLOY_API ploy_fields ploy_modality_fields(void);

/// Distance between two points as wind lengthens or shortens it: distance / (1 + modality's
/// wind * speed of the wind along the line), the divisor held within 0.1 and 10.
PLOY_API float ploy_modality_distance(const ploy_modality *modality, ploy_vec3 from, ploy_vec3 to,
                                      ploy_vec3 wind);

/// An immutable table of modalities, numbered from 0. Opaque. May lie outside a simulation's
/// region; must outlive the managers that use it.
typedef struct ploy_modalities ploy_modalities;

/// @param items  copied, names too. @param count  1 to PLOY_MODALITIES_MAX.
/// @return PLOY_ERR_ARGUMENT for a modality without a name or out of range (the log names it),
///         PLOY_ERR_EXISTS if two share a name, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_modalities_create(const ploy_modality *items, int32_t count,
                                            const ploy_env *env, ploy_modalities **out);
/// NULL is allowed.
PLOY_API void ploy_modalities_destroy(ploy_modalities *modalities);
/// NULL out of range. Its name is zero-terminated and lives as long as the table.
PLOY_API const ploy_modality *ploy_modalities_get(const ploy_modalities *modalities, int32_t index);
/// The index of a name, or -1.
PLOY_API int32_t ploy_modalities_find(const ploy_modalities *modalities, const char *name);
PLOY_API void ploy_modalities_describe(const ploy_modalities *modalities, ploy_describe *out);
PLOY_API void ploy_modalities_memory(const ploy_modalities *modalities, ploy_memory_fn fn,
                                     void *user);

/// The test that every manager makes, cheap things first: detected at all, not its own, within
/// range, strong enough before the check at its best, the check, dullness, threshold and minimum.
/// @param test  filled except detail; its intensity and detail are the answer's.
/// @return PLOY_SENSE_SENSED, or why not.
PLOY_API ploy_sense_reason ploy_modalities_test(const ploy_modalities *modalities,
                                                ploy_sense_test *test);

// ---- percepts

/// How a signal came to the sensor.
typedef enum ploy_sense_method {
    PLOY_SENSE_DIRECT,     ///< straight from where it was made
    PLOY_SENSE_CONNECTION, ///< through a door, a duct, a camera: `through` says which
    PLOY_SENSE_LINGERING   ///< it hung in the air
} ploy_sense_method;

/// A signal that an agent has sensed. Plain data.
typedef struct ploy_percept {
    ploy_agent_id sensor;
    ploy_signal signal;
    float intensity; ///< as the sensor has it, dullness included
    float distance;  ///< m, along its path
    double time;     ///< s at which it arrives
    ploy_vec3 from;  ///< where it seems to come from: the origin, or the last door on its path
    ploy_sense_method method;
    int32_t through; ///< of a connection: its index in the graph; otherwise -1
    int32_t detail;  ///< what the modality's check left
} ploy_percept;

/// Receives percepts in order of time, then of signals, then of sensors. May add signals and add or
/// remove sensors of the manager that calls, its own included.
typedef void (*ploy_percept_fn)(void *user, const ploy_percept *percept);

/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_percept(ploy_visit *v, const char *name, ploy_mark mark,
                                 ploy_percept *percept);
PLOY_API void ploy_percept_describe(const ploy_percept *percept, const char *name, ploy_mark mark,
                                    ploy_describe *out);

/// What a percept says within a message's payload.
typedef struct ploy_percept_note {
    int32_t modality;
    float intensity;
    ploy_vec3 position; ///< where it seems to come from
    unsigned char payload[PLOY_SIGNAL_PAYLOAD];
} ploy_percept_note;

/// The percept as a message to the sensor's agent: from the source, of the cause's kind (the
/// modality's name where there is none), due at its time, with a ploy_percept_note. So senses reach
/// a mind on the same way as everything else.
PLOY_API ploy_message ploy_percept_message(const ploy_percept *percept,
                                           const ploy_modalities *modalities);
