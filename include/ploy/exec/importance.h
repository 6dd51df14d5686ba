/// @file ploy/exec/importance.h
/// Importance: one number for each character, which sets how much thinking it is worth.
///
/// As in graphics, detail is spent where it is noticed. Distance is only a start: being on screen,
/// having been watched a moment ago, a part in the story and the player's attention count too, and
/// a designer can override them all. The sum is clamped to 0..1 and smoothed, so that decisions
/// based on it do not flicker:
///
///     target     = story_weight story + distance_weight (1 - distance / max_distance)
///                  + screen_weight on_screen + watched_weight watched
///                  + attention_weight attention                              held in [0, 1]
///     watched    = 1 on screen, then halved every watched_half_life
///     value     += (target - value) (1 - exp(-dt / time))     time = rise_time or fall_time
///
/// Level of detail (ploy/exec/lod.h) and schedules (ploy/exec/lod_schedule.h) are chosen by it.
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 10.
///
/// Units: metres, seconds. Cost: O(count), no allocation. Threads: disjoint ranges at the same
/// time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"

/// Longest step, in seconds.
#define PLOY_IMPORTANCE_DT_MAX_S 3600.0f

typedef struct ploy_importance_def {
    uint32_t cookie;
    float max_distance;      ///< m; from here on distance adds nothing
    float distance_weight;   ///< added right beside the viewer
    float screen_weight;     ///< added while on screen
    float watched_weight;    ///< added while watched, fading afterwards
    float watched_half_life; ///< s
    float attention_weight;  ///< added at full attention
    float story_weight;      ///< added for a leading part
    float rise_time;         ///< s, time constant of becoming important; 0: at once
    float fall_time;         ///< s, time constant of becoming unimportant; 0: at once
} ploy_importance_def;

PLOY_API ploy_importance_def ploy_importance_def_default(void);
PLOY_API ploy_fields ploy_importance_fields(void);

/// What is known about a character in this step. Numbers out of range are clamped; NaN counts as 0.
typedef struct ploy_importance_input {
    float distance;  ///< m to the nearest viewer
    float story;     ///< 0 to 1
    float attention; ///< 0 to 1: how likely the player checks on it
    float fixed;     ///< 0 to 1: the designer's own value, taken at once; below 0: none
    bool on_screen;
} ploy_importance_input;

/// An input with no effect: infinitely far, no part in the story, no override.
PLOY_API ploy_importance_input ploy_importance_input_make(void);

/// One character's state. Plain data; all of it is state; zero it to begin.
typedef struct ploy_importance {
    float value;     ///< 0 to 1
    float target;    ///< where it goes
    float watched;   ///< 0 to 1, fading
    int32_t started; ///< 0: the first step sets the value at once
} ploy_importance;

/// Steps one character. @param dt s, 0 to PLOY_IMPORTANCE_DT_MAX_S.
/// @return PLOY_ERR_ARGUMENT for a bad dt or def (only the members used here are checked).
PLOY_API ploy_result ploy_importance_step(const ploy_importance_def *def,
                                          const ploy_importance_input *input, float dt,
                                          ploy_importance *state);

/// Steps characters [first, first + count) of two arrays, with the same bits.
PLOY_API ploy_result ploy_importance_step_batch(const ploy_importance_def *def,
                                                const ploy_importance_input *inputs, int32_t first,
                                                int32_t count, float dt, ploy_importance *states);

/// Why: each part of the sum, after the step.
PLOY_API void ploy_importance_trace(const ploy_importance_def *def,
                                    const ploy_importance_input *input,
                                    const ploy_importance *state, ploy_agent_id agent,
                                    ploy_trace *trace);
PLOY_API void ploy_importance_describe(const ploy_importance *state, ploy_mark mark,
                                       ploy_describe *out);
