/// @file ploy/move/heading.h
/// Heading: the displayed orientation of a body, separate from its motion.
///
/// Two values for display, which steering never reads:
/// - A smoothed heading. Behaviors that alternate (an obstacle ahead, the target, the obstacle
///   again) make an agent that faces along its velocity tremble. The smoothed heading is the mean
///   of the last few headings; ten samples at 60 steps a second are enough; a hundred lag visibly.
/// - Faked banking. A craft is steered on the plane, with a height; its displayed body leans into
///   turns and lifts its nose when it climbs. Below `full_speed` the effect fades to upright. A
///   car's body leans out of the turn and keeps its nose level.
/// Techniques: Buckland, "Programming Game AI by Example", 3 (after R. Green); Millington, "AI for
/// Games", 3.9, whose listing multiplies the three turns in the wrong order.
///
/// Units: metres, seconds, radians. Cost: O(samples), O(1) for banking; no allocation.
/// Threads: pure functions on the caller's memory; disjoint ranges of one batch may run at the same
/// time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

/// The mean of the last values, each of `width` floats, in the caller's memory; keep it with the
/// agent. Also useful for frame times.
typedef struct ploy_moving_mean {
    float *values; ///< width * capacity
    int32_t width, capacity;
    int32_t count; ///< values so far, at most capacity
    int32_t next;  ///< index of the next value
} ploy_moving_mean;

/// Makes a mean without values. With a width or capacity below 1, or values NULL, it stays empty.
PLOY_API ploy_moving_mean ploy_moving_mean_make(float *values, int32_t width, int32_t capacity);
/// Adds a value, replacing the oldest when full, and writes the mean. Sums are recomputed each
/// time, so they do not drift.
/// @param out  width floats; may be NULL. Zero if the mean is empty.
PLOY_API void ploy_moving_mean_add(ploy_moving_mean *mean, const float *value, float *out);

/// Adds this orientation and returns the heading to show: the mean, or this orientation if opposite
/// ones cancel. @param mean  of width 2, or of width 3 in space; with any other width the heading
/// is returned unchanged.
PLOY_API float ploy_heading_smooth(ploy_moving_mean *mean, float orientation);
/// In space the heading is a unit direction; ploy_quat_look converts it to an orientation.
PLOY_API ploy_vec3 ploy_heading_smooth3(ploy_moving_mean *mean, ploy_vec3 direction);

/// The same for agents [first, first + count) of a view, bit for bit: adds the orientation of each.
/// @param means  one for each agent of the view, each with separate memory.
/// @param shown  one for each agent of the view; only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if the view or the range is invalid.
PLOY_API ploy_result ploy_heading_smooth_batch(ploy_moving_mean *means,
                                               const ploy_kinematics *agents, int32_t first,
                                               int32_t count, float *shown);
PLOY_API ploy_result ploy_heading_smooth3_batch(ploy_moving_mean *means,
                                                const ploy_kinematics3 *agents, int32_t first,
                                                int32_t count, ploy_vec3 *shown);

typedef enum ploy_bank_body {
    PLOY_BANK_CRAFT, ///< leans into the turn, nose along the climb
    PLOY_BANK_CAR    ///< leans out of the turn, nose level
} ploy_bank_body;

/// Settings of banking. Start from ploy_bank_def_default().
typedef struct ploy_bank_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_bank_body body;
    float full_speed; ///< m/s at which it banks fully; 0: always
    float stiffness;  ///< rad/s of turn that gives a lean of an eighth of a circle; above 0
} ploy_bank_def;

PLOY_API ploy_bank_def ploy_bank_def_default(void);
PLOY_API ploy_fields ploy_bank_fields(void);

/// Returns the orientation to show: yaw, then pitch by the climb, then roll by atan2(rotation,
/// stiffness), which never reaches a quarter of a circle. Upright if a setting is out of range.
/// @param orientation  rad, on the plane. @param rotation  rad/s. @param velocity  m/s; z is up.
PLOY_API ploy_quat ploy_bank(const ploy_bank_def *def, float orientation, float rotation,
                             ploy_vec3 velocity);
/// The same for agents [first, first + count) of a view, bit for bit.
/// @param climbs  m/s upward, one for each agent of the view; NULL: no agent climbs.
/// @param shown   as in ploy_heading_smooth_batch.
/// @return PLOY_ERR_ARGUMENT if a setting, the view or the range is invalid.
PLOY_API ploy_result ploy_bank_batch(const ploy_bank_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const float *climbs,
                                     ploy_quat *shown);
