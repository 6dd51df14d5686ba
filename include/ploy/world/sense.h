/// @file ploy/world/sense.h
/// The parts of a sense: modalities, signals, sensors and percepts.
///
/// Something that happens (a shot, a step, a smell) emits a signal. Its modality defines how it
/// spreads: sight immediately, sound at its speed, smell slowly and with the wind. A character has
/// a sensor with a threshold for each modality. A signal that arrives strong enough becomes a
/// percept, which the character receives. A sense manager computes which signal reaches which
/// sensor: ploy_senses in open terrain, by distance; a sense graph by rooms and doors. Both share
/// the types in this header, so that a game can start with one and change to the other.
///
/// The set of modalities is open. A game defines its own: an aura as a kind of sight, telepathy as
/// a kind of hearing, fear as a kind of smell, and a spell as a signal that affects the agents it
/// notifies.
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

/// Maximum number of modalities in a table; sensors have a threshold for each.
#define PLOY_MODALITIES_MAX 16
/// Bytes of payload in a signal.
#define PLOY_SIGNAL_PAYLOAD 12

/// How a modality spreads, where managers distinguish: a sense graph carries sight over one
/// connection, sound as a wave, and smell from room to room. ploy_senses treats all kinds alike.
typedef enum ploy_sense_kind {
    PLOY_SENSE_SIGHT,
    PLOY_SENSE_SOUND,
    PLOY_SENSE_SMELL,
    PLOY_SENSE_TOUCH,
    PLOY_SENSE_OTHER, ///< spreads in the open like sound
    PLOY_SENSE_KINDS
} ploy_sense_kind;

/// The outcome of a signal at a sensor.
typedef enum ploy_sense_reason {
    PLOY_SENSE_SENSED,      ///< a percept was delivered
    PLOY_SENSE_PENDING,     ///< on its way
    PLOY_SENSE_NOT_MEANT,   ///< the sensor does not detect that modality
    PLOY_SENSE_OWN,         ///< the sensor's own signal
    PLOY_SENSE_NO_POSE,     ///< the position of the sensor is unknown
    PLOY_SENSE_FILTERED,    ///< the manager's filter refused: another room
    PLOY_SENSE_TOO_FAR,     ///< beyond the modality's range
    PLOY_SENSE_TOO_WEAK,    ///< below the sensor's threshold or the modality's minimum
    PLOY_SENSE_CHECKED,     ///< the modality's own check refused; detail has the reason
    PLOY_SENSE_NO_ROUTE,    ///< no connection leads there (sense graph)
    PLOY_SENSE_GONE,        ///< the sensor was removed before the signal arrived
    PLOY_SENSE_DROPPED,     ///< the queue was full
    PLOY_SENSE_REASON_COUNT ///< number of reasons
} ploy_sense_reason;

// ---- signals

/// Something that can be sensed. Plain data; make one with ploy_signal_make.
typedef struct ploy_signal {
    int32_t modality; ///< index in the table
    float strength;   ///< at its origin, at least 0; in the unit of the thresholds
    ploy_vec3 position;
    uint32_t size;        ///< bytes used of payload
    ploy_agent_id source; ///< the agent that made it; none: the world itself
    ploy_name cause;      ///< "footstep"; becomes the message's kind
    double emitted;       ///< s of the game's clock; set by the manager when it is added
    uint64_t order;       ///< set by the manager: distinguishes signals and breaks ties
    unsigned char payload[PLOY_SIGNAL_PAYLOAD];
    uint32_t room; ///< of the origin; 0: none. For filters; a sense graph finds its own
} ploy_signal;

/// Returns a signal without source and payload. Every byte is set.
PLOY_API ploy_signal ploy_signal_make(int32_t modality, float strength, ploy_vec3 position,
                                      ploy_name cause);
/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_signal(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_signal *signal);
/// Describes it as a group of that name.
PLOY_API void ploy_signal_describe(const ploy_signal *signal, const char *name, ploy_mark mark,
                                   ploy_describe *out);

// ---- sensors

/// A sensor's settings for one modality.
typedef struct ploy_sensor_channel {
    float threshold;   ///< minimum intensity that is noticed, at least 0
    float dulled;      ///< factor on intensities while dulled: 0 is deaf
    double dull_until; ///< s; not dulled from then on
} ploy_sensor_channel;

/// What one character can sense. Plain data; a ploy_pose_source provides the agent's pose.
typedef struct ploy_sensor {
    ploy_agent_id agent;
    uint32_t detects; ///< bit 1 << modality
    uint32_t room;    ///< where it is, for filters; 0: none
    ploy_sensor_channel channels[PLOY_MODALITIES_MAX];
} ploy_sensor;

/// Returns a sensor that detects nothing yet. Every byte is set.
PLOY_API ploy_sensor ploy_sensor_make(ploy_agent_id agent);
/// Makes the sensor detect a modality from that intensity on.
/// @return PLOY_ERR_ARGUMENT, changing nothing, for a modality out of range or a threshold that is
///         negative or not finite.
PLOY_API ploy_result ploy_sensor_set(ploy_sensor *sensor, int32_t modality, float threshold);
/// Makes the sensor ignore a modality.
PLOY_API void ploy_sensor_clear(ploy_sensor *sensor, int32_t modality);
/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_sensor(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_sensor *sensor);
PLOY_API void ploy_sensor_describe(const ploy_sensor *sensor, const char *name, ploy_mark mark,
                                   ploy_describe *out);

// ---- modalities

/// The test of one signal at one sensor. The manager fills it; a check may lower or raise the
/// intensity and set `detail` to explain a refusal.
typedef struct ploy_sense_test {
    const ploy_signal *signal;
    const ploy_sensor *sensor;
    const ploy_pose *pose; ///< of the sensor
    double now;            ///< s
    float distance;        ///< m, along the path of the signal
    float intensity;       ///< remaining strength
    int32_t detail;        ///< of the check; ploy_sight_reason for ployi_sight_check
} ploy_sense_test;

/// A modality's own test, for what distance alone does not decide: a cone, a line of sight, magic.
/// Must return the same result for the same world. @return false if nothing is sensed.
typedef bool (*ploy_sense_check_fn)(void *user, ploy_sense_test *test);

/// How one sense works. Start from ploy_modality_default() or ploy_modality_of().
typedef struct ploy_modality {
    uint32_t cookie;
    ploy_sense_kind kind;
    float attenuation;         ///< factor for each metre, 0 to 1; 1: no attenuation
    float max_range;           ///< m; sensors farther away are ignored
    float inverse_speed;       ///< s/m; 0: arrives immediately
    float min_intensity;       ///< weaker signals are dropped
    float check_gain;          ///< the check's largest gain, as a factor; lets managers skip it
    float wind;                ///< s/m, how much wind of 1 m/s shortens distances downwind
    float linger;              ///< s that a signal stays where it was made, in ploy_senses
    float dissipation;         ///< share lost in each second of lingering, 0 to 1
    const char *name;          ///< "footsteps"; copied by the table
    ploy_sense_check_fn check; ///< NULL: distance and threshold decide
    void *check_user;
} ploy_modality;

/// Returns a modality of kind other, without a name: spreads 100 m immediately, without
/// attenuation.
PLOY_API ploy_modality ploy_modality_default(void);
/// Returns a starting point for each kind, named after the kind: sight 100 m, immediate; sound 0.95
/// per metre, 60 m, 345 m/s; smell 0.8 per metre, 10 m, 1 m/s, lingering 20 s and losing a tenth
/// each second; touch 0.25 m.
PLOY_API ploy_modality ploy_modality_of(ploy_sense_kind kind);
/// The numeric settings of a modality.
PLOY_API ploy_fields ploy_modality_fields(void);

/// Returns the distance between two points, lengthened or shortened by wind: distance / (1 +
/// modality's wind * speed of the wind along the line), with the divisor clamped to 0.1 to 10.
PLOY_API float ploy_modality_distance(const ploy_modality *modality, ploy_vec3 from, ploy_vec3 to,
                                      ploy_vec3 wind);

/// An immutable table of modalities, numbered from 0. Opaque. May be outside a simulation's memory
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

/// The test that every manager makes, cheapest conditions first: detected at all, not its own,
/// within range, strong enough if the check gave its largest gain, the check, dullness, threshold
/// and minimum.
/// @param test  filled except detail; receives the resulting intensity and detail.
/// @return PLOY_SENSE_SENSED, or the reason why not.
PLOY_API ploy_sense_reason ploy_modalities_test(const ploy_modalities *modalities,
                                                ploy_sense_test *test);

// ---- percepts

/// How a signal reached the sensor.
typedef enum ploy_sense_method {
    PLOY_SENSE_DIRECT,     ///< straight from where it was made
    PLOY_SENSE_CONNECTION, ///< through a door, a duct, a camera: see `through`
    PLOY_SENSE_LINGERING   ///< it lingered in the air
} ploy_sense_method;

/// A signal that an agent has sensed. Plain data.
typedef struct ploy_percept {
    ploy_agent_id sensor;
    ploy_signal signal;
    float intensity; ///< at the sensor, including dullness
    float distance;  ///< m, along its path
    double time;     ///< s at which it arrives
    ploy_vec3 from;  ///< where it seems to come from: the origin, or the last door on its path
    ploy_sense_method method;
    int32_t through; ///< of a connection: its index in the graph; otherwise -1
    int32_t detail;  ///< set by the modality's check
} ploy_percept;

/// Receives percepts in order of time, then of signals, then of sensors. May add signals to the
/// calling manager and add or remove its sensors, including the one notified.
typedef void (*ploy_percept_fn)(void *user, const ploy_percept *percept);

/// Visits it as a group of that name (ploy/base/visit.h).
PLOY_API void ploy_visit_percept(ploy_visit *v, const char *name, ploy_mark mark,
                                 ploy_percept *percept);
PLOY_API void ploy_percept_describe(const ploy_percept *percept, const char *name, ploy_mark mark,
                                    ploy_describe *out);

/// The payload of a message made from a percept.
typedef struct ploy_percept_note {
    int32_t modality;
    float intensity;
    ploy_vec3 position; ///< where it seems to come from
    unsigned char payload[PLOY_SIGNAL_PAYLOAD];
} ploy_percept_note;

/// Returns the percept as a message to the sensor's agent: from the source, with the cause as its
/// kind (the modality's name if there is no cause), due at its time, with a ploy_percept_note. In
/// this way senses reach a mind like any other message.
PLOY_API ploy_message ploy_percept_message(const ploy_percept *percept,
                                           const ploy_modalities *modalities);
