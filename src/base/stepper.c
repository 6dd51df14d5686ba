// A fixed step out of uneven frames (the accumulator that Gaffer's "Fix Your Timestep!", 2004, made
// known).
//
// Invariants, after every call:
//   (1) -1e-6 dt <= pending < (1 - 1e-6) dt, so no whole step waits;
//   (2) the sum of all times added = ticks * dt + pending + dropped, but for rounding.
#include "ploy/base/stepper.h"

#include "base/base_internal.h"

#include <math.h>

ploy_result ploy_stepper_init(ploy_stepper *stepper, double dt, int32_t max_steps) {
    if (stepper == NULL || !(dt >= 1e-6 && dt <= 3600.0)) return PLOY_ERR_ARGUMENT;
    if (max_steps < 1 || max_steps > 1000000) return PLOY_ERR_ARGUMENT;
    stepper->dt = dt;
    stepper->pending = 0.0;
    stepper->dropped = 0.0;
    stepper->ticks = 0;
    stepper->max_steps = max_steps;
    stepper->reserved = 0;
    return PLOY_OK;
}

int32_t ploy_stepper_step(ploy_stepper *stepper, double elapsed) {
    if (elapsed > 0.0 && elapsed <= DBL_MAX) stepper->pending += elapsed;
    double due = floor(stepper->pending / stepper->dt + 1e-6);
    if (!(due >= 1.0)) return 0;
    int32_t steps = stepper->max_steps;
    double left;
    if (due <= (double)stepper->max_steps) {
        steps = (int32_t)due;
        left = stepper->pending - due * stepper->dt;
    } else {
        // Whole steps are given up, the part of a step is kept: drawing does not jump.
        left = stepper->pending - due * stepper->dt;
        // After centuries of waiting the difference is nothing but rounding.
        if (!(left >= 0.0 && left < stepper->dt * (1.0 - 1e-6))) left = 0.0;
        stepper->dropped += stepper->pending - left - (double)steps * stepper->dt;
    }
    stepper->pending = left; // keeps (1)
    stepper->ticks += (uint64_t)steps;
    return steps;
}

float ploy_stepper_alpha(const ploy_stepper *stepper) {
    double alpha = stepper->pending / stepper->dt;
    // Just below 1 a float would round up to it.
    return alpha > 0.0 ? (alpha < 0.9999999 ? (float)alpha : 0.9999999f) : 0.0f;
}

double ployi_stepper_now(const ploy_stepper *stepper) {
    return (double)stepper->ticks * stepper->dt;
}
