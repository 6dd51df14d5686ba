/// @file ploy/move/drive.h
/// Driving in the steering pipeline: an actuator that goes as a body really goes.
///
/// The plain actuator says "straight there". That is a lie for whoever turns on a circle: the
/// constraints then pass a way that runs into a post, and suggest goals that lie inside the circle
/// of the tightest turn. This one drives ploy_motor_control in the mind for a few seconds and hands
/// out the way that comes of it, bends and backing up included, with the goal as its last point.
/// Technique: Millington, "AI for Games", 3.4 (the actuator's path) and 3.8 (motor control).
///
/// Units: metres, seconds, radians. Cost: O(PLOY_STEERING_WAY_POINTS) for each try, no allocation.
/// Threads: pure.
#pragma once

#include "ploy/move/motor.h"
#include "ploy/move/pipeline.h"

typedef struct ploy_motor_actuator {
    ploy_motor_def motor; ///< what the body can do
    float horizon;        ///< s driven in the mind, 0.1 to 14
    float turn_time;      ///< s to reach a wanted rotation, above 0
} ploy_motor_actuator;

/// What suits a body: 2.5 s ahead, a tenth of a second to turn.
PLOY_API ploy_motor_actuator ploy_motor_actuator_of(ploy_motor_body body);

/// A goal without a position is driven at as a point its velocity times the horizon away. The
/// output is the acceleration of the controls that ploy_motor_control chooses for the goal; a game
/// that has pedals calls that itself for the goal of the report. With a setting out of range the
/// way is straight and the output brakes.
/// @param actuator  is only read, and must stay.
PLOY_API ploy_actuator ploy_motor_actuator_make(ploy_motor_actuator *actuator);
