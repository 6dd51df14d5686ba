/// @file ploy/move/drive.h
/// Driving in the steering pipeline: an actuator that goes as a body really goes.
///
/// The plain actuator takes the straight line. That is wrong for a body that turns on a circle: the
/// constraints then pass a path that runs into a post, and suggest goals that are inside the circle
/// of the tightest turn. This one runs ploy_motor_control ahead for a few seconds and hands out the
/// path that comes of it, curves and backing up included, with the goal as its last point.
/// Technique: Millington, "AI for Games", 3.4 (the actuator's path) and 3.8 (motor control).
///
/// Units: metres, seconds, radians. Cost: O(PLOY_STEERING_PATH_POINTS) for each try, no allocation.
/// Threads: pure.
#pragma once

#include "ploy/move/motor.h"
#include "ploy/move/pipeline.h"

typedef struct ploy_motor_actuator {
    ploy_motor_def motor; ///< what the body can do
    float horizon;        ///< s driven ahead, 0.1 to 14
    float turn_time;      ///< s to reach a desired rotation, above 0
} ploy_motor_actuator;

/// What suits a body: 2.5 s ahead, a tenth of a second to turn.
PLOY_API ploy_motor_actuator ploy_motor_actuator_of(ploy_motor_body body);

/// A goal without a position is driven at as a point its velocity times the horizon away. The
/// output is what the controls that ploy_motor_control chooses do to the body in this step, without
/// slip: integrate it with facing `free`. A game that has pedals calls ploy_motor_control itself
/// for the goal of the report. With a setting out of range the path is straight and the output
/// invalid. Planar.
/// @param actuator  is only read, and must stay.
PLOY_API ploy_actuator ploy_motor_actuator_make(ploy_motor_actuator *actuator);
