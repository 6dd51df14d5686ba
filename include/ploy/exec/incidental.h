/// @file ploy/exec/incidental.h
/// Incidental characters: two behaviors, normal and alert, and what makes them change.
///
/// A character that exists for a minute needs no mind, but players notice at once if it does not
/// react: a guard who keeps chatting when his partner is shot. This template is that reaction.
/// Alarms are kinds of messages ("player_spotted", "ally_killed"); after a short reaction time the
/// character is alert, and after a while without another alarm it is calm again.
///
///     normal --alarm, reaction_time--> alert --calm_time without alarm--> normal
///
/// A definition is shared; each character is a separate ploy_behavior. It is made of a two-level
/// selector (ploy/exec/lod.h), so the states of both share one block and nothing is allocated
/// later.
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 2.
///
/// Units: seconds. Threads: a definition may be used by many; a character touches only itself.
#pragma once

#include "ploy/exec/lod.h"

#define PLOY_INCIDENTAL_ALARMS_MAX 16

typedef struct ploy_incidental_def {
    uint32_t cookie;
    float reaction_time; ///< s from alarm to alert
    float calm_time;     ///< s from the last alarm to normal; 0: alert forever
    /// The two behaviors: type and state_size, or make and user; their names and ranges are not
    /// read.
    ploy_lod_level normal, alert;
    ploy_name alarms[PLOY_INCIDENTAL_ALARMS_MAX]; ///< kinds of messages; none ends the list
    /// Notifies the alert behavior, which has just entered, of the alarm. May be NULL.
    void (*alarmed)(void *user, ploy_behavior alert, const ploy_message *alarm,
                    ploy_step_context *context);
    void *user; ///< of alarmed
} ploy_incidental_def;

PLOY_API ploy_incidental_def ploy_incidental_def_default(void);
/// reaction_time and calm_time.
PLOY_API ploy_fields ploy_incidental_fields(void);

/// The shared definition. Opaque; must outlive its characters.
typedef struct ploy_incidental ploy_incidental;

/// @return PLOY_ERR_ARGUMENT for a setting out of range or an invalid behavior;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_incidental_create(const ploy_incidental_def *def, const ploy_env *env,
                                            ploy_incidental **out);
PLOY_API void ploy_incidental_destroy(ploy_incidental *incidental);

/// One character, calm. Its status is that of the running behavior. The running behavior receives
/// all messages, alarms included.
PLOY_API ploy_result ploy_incidental_make(const ploy_incidental *incidental, ploy_agent_id agent,
                                          const ploy_env *env, ploy_behavior *out);

typedef struct ploy_incidental_info {
    bool alert;       ///< its alert behavior was chosen
    bool alarmed;     ///< an alarm arrived; it is alert or will be
    float since;      ///< s since the last alarm
    int64_t alarms;   ///< so far
    ploy_name reason; ///< kind of the last alarm, or none
} ploy_incidental_info;

/// Returns the state of a behavior made by ploy_incidental_make.
/// @return PLOY_ERR_ARGUMENT for any other.
PLOY_API ploy_result ploy_incidental_get(ploy_behavior behavior, ploy_incidental_info *out);
