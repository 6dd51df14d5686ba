/// @file ploy/move/drive.h
/// Driving in the steering pipeline: an actuator that predicts a body's real path.
///
/// The plain actuator assumes a straight line. That is wrong for a body that turns on a circle: the
/// constraints then accept a path that runs into a post, and suggest goals inside the circle of the
/// tightest turn. This actuator runs ploy_motor_control ahead for a few seconds and returns the
/// resulting path, curves and backing up included, with the goal as its last point. Technique:
/// Millington, "AI for Games", 3.4 (the actuator's path) and 3.8 (motor control).
///
/// Units: metres, seconds, radians. Cost: O(PLOY_STEERING_PATH_POINTS) for each try, no allocation.
/// Threads: pure.
#pragma once

#include "ploy/move/motor.h"
#include "ploy/move/pipeline.h"

typedef struct ploy_motor_actuator {
    ploy_motor_def motor; ///< the abilities of the body
    float horizon;        ///< s simulated ahead, 0.1 to 14
    float turn_time;      ///< s to reach a desired rotation, above 0
} ploy_motor_actuator;

/// Returns settings that suit a body: 2.5 s ahead, a tenth of a second to turn.
PLOY_API ploy_motor_actuator ploy_motor_actuator_of(ploy_motor_body body);

/// Makes the actuator. A goal without a position counts as a point at its velocity times the
/// horizon away. The output is the effect of ploy_motor_control's controls on the body in this
/// step, without slip: integrate it with facing `free`. A game with its own vehicle controls calls
/// ploy_motor_control itself for the goal of the report. With a setting out of range the path is
/// straight and the output invalid. Only on the plane.
/// @param actuator  is only read, and must stay valid.
PLOY_API ploy_actuator ploy_motor_actuator_make(ploy_motor_actuator *actuator);
