/// @file ploy/exec/regulator.h
/// A regulator: limits how many times a second something happens, whatever the frame rate.
///
///     if (ploy_regulator_ready(&bot->vision, now)) look_around(bot);
///
/// In an engine, a period in ticks does the same and costs nothing in between; a regulator is for
/// parts inside a behavior and for loops of your own. Each starts after a random delay, so that a
/// hundred bots made at once do not all look in the same frame. Technique: Buckland, "Programming
/// Game AI by Example", 2005, chapter 7. With a clock that moves in ticks the comparison matters: a
/// strict one with a restart at `now` loses a tick in each round (4 a second at 60 Hz become 3.75).
/// The default does not; the other two are available by name.
///
/// Plain data of the caller, all of it state. Units: seconds. Cost: O(1).
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/visit.h"

typedef enum ploy_regulator_mode {
    PLOY_REGULATOR_RESTART, ///< ready at or after its time; next one period after now
    PLOY_REGULATOR_STEADY, ///< ready at or after its time; next one period after that time: keeps the rate
    PLOY_REGULATOR_CLASSIC ///< ready strictly after its time; next one period after now
} ploy_regulator_mode;

typedef struct ploy_regulator_def {
    uint32_t cookie;
    ploy_regulator_mode mode;
    float rate;   ///< times a second; 0: always ready; below 0: never
    float offset; ///< s, longest random delay of the start
    bool bounded; ///< the start is delayed by at most one period
    float jitter; ///< s, most by which each period is longer or shorter, at random
} ploy_regulator_def;

PLOY_API ploy_regulator_def ploy_regulator_def_default(void);
PLOY_API ploy_fields ploy_regulator_fields(void);

typedef struct ploy_regulator {
    double next;   ///< s, when it is ready again
    double period; ///< s; 0: always ready; below 0: never
    float jitter;  ///< s
    int32_t mode;  ///< ploy_regulator_mode
    ploy_rng rng;  ///< of start and jitter
} ploy_regulator;

/// @param now   s.
/// @param seed  of the random start and of the jitter.
/// @return PLOY_ERR_ARGUMENT for a bad def or time, leaving the regulator alone.
PLOY_API ploy_result ploy_regulator_init(ploy_regulator *regulator, const ploy_regulator_def *def,
                                         double now, uint64_t seed);

/// True if the time has come; the next time is set then. A steady regulator that is late by several
/// periods is ready several times.
PLOY_API bool ploy_regulator_ready(ploy_regulator *regulator, double now);

/// Visits a ploy_regulator: saves and loads it.
PLOY_API void ploy_regulator_visit(ploy_visit *v, void *regulator);
PLOY_API void ploy_regulator_describe(const ploy_regulator *regulator, ploy_describe *out);
