/// @file ploy/base/stepper.h
/// Fixed steps from uneven frames: frames may have any length, and the simulation always advances
/// by the same dt.
///
/// Keep one stepper for each system with its own rate: physics at 60 Hz, thinking at 10 Hz, drawing
/// at the screen's rate. Each call returns how many whole steps are due. The remaining time is
/// kept; as a fraction of a step, it is the weight for interpolating between the last two states.
///
///     int32_t due = ploy_stepper_step(&physics, frame_seconds);
///     for (int32_t i = 0; i < due; i++) world_step(world, (float)physics.dt);
///     draw_between(world, ploy_stepper_alpha(&physics));
///
/// To use one update as the unit of time ("virtual seconds"), set dt = 1 and take one step per
/// frame; the frame rate must then be locked, or the game runs differently on every machine.
/// Caller-owned plain data; all of it is state. Units: seconds.
#pragma once

#include "ploy/base/result.h"

typedef struct ploy_stepper {
    double dt;         ///< s, length of a step
    double pending;    ///< s not yet stepped
    double dropped;    ///< s dropped because more than max_steps were due
    uint64_t ticks;    ///< steps returned so far
    int32_t max_steps; ///< most steps returned by one call
    int32_t reserved;
} ploy_stepper;

/// @param dt         s, 1e-6 to 3600.
/// @param max_steps  1 to 1,000,000. After a long pause the excess time is dropped, so that a
///                   machine that is too slow falls behind instead of stopping.
/// @return PLOY_ERR_ARGUMENT, with the stepper unchanged, if either is out of range.
PLOY_API ploy_result ploy_stepper_init(ploy_stepper *stepper, double dt, int32_t max_steps);

/// Adds the seconds since the last call. A frame that ends within a millionth of a step's end
/// counts as having reached it, so that 6 frames of 1/60 s always make one step of 0.1 s. Negative,
/// NaN and infinite times count as 0.
/// @return the number of steps due now.
PLOY_API int32_t ploy_stepper_step(ploy_stepper *stepper, double elapsed);

/// Returns the fraction of the next step that has passed, 0 to 1 (1 excluded).
PLOY_API float ploy_stepper_alpha(const ploy_stepper *stepper);
