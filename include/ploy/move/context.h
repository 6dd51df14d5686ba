/// @file ploy/move/context.h
/// Context steering: interests and dangers by direction, compared before a direction is chosen.
///
/// Added forces can cancel out, for example a target straight behind an obstacle and the push away
/// from the obstacle. Here every behavior writes into two maps over the directions around the
/// agent, interest and danger. Then one direction is chosen: the most interesting of those that
/// danger leaves open. Behaviors stay small and independent, and the choice is never a sum that no
/// source requested.
///
/// Writing keeps the larger value, so that ten small interests in one direction do not outweigh one
/// that matters. The choice is refined between the slots by a parabola through the winner and its
/// neighbours, so that even eight slots turn smoothly; hysteresis prevents alternating between two
/// equal directions. Technique: Fray, "Context Steering: Behavior-Driven Steering at the Macro
/// Scale", Game AI Pro 2.
///
/// Units: directions are unit vectors, interest and danger are plain numbers, 0 or more. Cost:
/// O(slots) for each call, no allocation. Threads: plain data; each agent has its own.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/move/seek.h"
#include "ploy/move/source.h"

#define PLOY_CONTEXT_SLOTS_MAX 64

/// How danger closes directions.
typedef enum ploy_context_mask {
    PLOY_CONTEXT_LEAST,   ///< only the least dangerous directions are open
    PLOY_CONTEXT_LIMIT,   ///< those up to danger_limit; if there are none, the least dangerous ones
    PLOY_CONTEXT_SUBTRACT ///< all are open; danger is subtracted from the interest
} ploy_context_mask;

/// Settings. Start from ploy_context_def_default() and change what you need.
typedef struct ploy_context_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t slots;   ///< directions around the agent, 4 to PLOY_CONTEXT_SLOTS_MAX
    ploy_context_mask mask;
    float danger_limit;    ///< of LIMIT
    float interest_spread; ///< rad to either side over which an interest falls to 0
    float danger_spread;   ///< rad, the same for a danger
    float hysteresis;      ///< added to the slot that was chosen last
    bool refine;           ///< choose between the slots
} ploy_context_def;

PLOY_API ploy_context_def ploy_context_def_default(void);
PLOY_API ploy_fields ploy_context_fields(void);

/// The two maps. Set up with ploy_context_init; read any member.
typedef struct ploy_context {
    int32_t slots; ///< 0 if the settings were out of range: then all calls do nothing
    float interest_cos, danger_cos;            ///< of the spreads
    ploy_vec2 heading[PLOY_CONTEXT_SLOTS_MAX]; ///< slot 0 is +x, then counter-clockwise
    float interest[PLOY_CONTEXT_SLOTS_MAX];
    float danger[PLOY_CONTEXT_SLOTS_MAX];
} ploy_context;

/// The decision.
typedef struct ploy_context_choice {
    int32_t slot;        ///< -1: no direction is both open and interesting
    ploy_vec2 direction; ///< unit, or zero
    float score;         ///< of the slot, hysteresis included
    float interest;      ///< of the slot: a game may use it as a speed, 0 to 1
} ploy_context_choice;

/// Makes empty maps with headings for these settings.
PLOY_API void ploy_context_init(ploy_context *context, const ploy_context_def *def);
/// Empties the maps, for the next step.
PLOY_API void ploy_context_clear(ploy_context *context);

/// Writes an interest or a danger around a direction, whose length is ignored. Writes nothing if
/// the direction is zero or not finite, or the strength is not finite and above 0.
PLOY_API void ploy_context_add_interest(ploy_context *context, ploy_vec2 direction, float strength);
PLOY_API void ploy_context_add_danger(ploy_context *context, ploy_vec2 direction, float strength);
/// Adds the danger of a body: 1 at contact, falling to 0 at `range` between the edges. It covers
/// the directions in which the body is seen, plus the spread.
/// @param from    m, the agent's position.
/// @param radius  m, of both bodies together.
PLOY_API void ploy_context_add_body(ploy_context *context, ploy_vec2 from, ploy_vec2 body,
                                    float radius, float range);

/// Chooses a direction. Of equal slots the first wins.
/// @param last  the slot chosen last, or -1.
PLOY_API ploy_context_choice ploy_context_decide(const ploy_context *context,
                                                 const ploy_context_def *def, int32_t last);

/// The same for maps [first, first + count), one of each agent, bit for bit.
/// @param lasts    number i of agent i: the slot chosen last, replaced by the one chosen now. NULL:
///                 none, and not kept.
/// @param choices  only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting or the range is invalid.
PLOY_API ploy_result ploy_context_decide_batch(const ploy_context *contexts, int32_t context_count,
                                               const ploy_context_def *def, int32_t first,
                                               int32_t count, int32_t *lasts,
                                               ploy_context_choice *choices);

/// Decides, then steers in the chosen direction as ploy/move/seek.h does, with the speed scaled by
/// the slot's interest, at most 1.
/// @param last  the slot chosen last, or -1; replaced by the one chosen now.
/// @return none without a direction, invalid if a setting is out of range.
PLOY_API ploy_steering ploy_context_steer(const ploy_context_def *def, const ploy_context *map,
                                          const ploy_seek_def *seek, ploy_kinematic agent,
                                          int32_t *last);
/// As a steering source (ploy/move/source.h); all pointers are borrowed. Fill the map before
/// each step.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (the log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_context_source(const ploy_context_def *def, const ploy_context *map,
                                         const ploy_seek_def *seek, int32_t *last,
                                         const ploy_env *env, ploy_steering_source *out);

/// Reports to a trace every slot with an interest: whether it won, lost or was closed by danger.
PLOY_API void ploy_context_trace(const ploy_context *context, const ploy_context_def *def,
                                 int32_t last, ploy_agent_id id, ploy_trace *trace);
/// Draws both maps as spokes around a point; a value of 1 is `scale` metres long.
PLOY_API void ploy_context_draw(const ploy_context *context, ploy_vec2 at, float scale,
                                ploy_agent_id id, ploy_draw *out);
