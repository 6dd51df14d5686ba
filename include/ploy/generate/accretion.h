/// @file ploy/generate/accretion.h
/// Accretion: a level grows room by room, each attached to a wall of the existing level.
///
/// A room of random shape (rectangle, cross, round) slides along the walls of the level until it
/// fits: its cells and a ring around them are rock. It is joined by a door, or by a short corridor.
/// At the end, walls between two rooms are opened where the route around is long, so that a player
/// does not have to walk back. Technique: as in Brogue (Brian Walker).
///
/// Thick walls. Unit of budget: one try for a room, or one wall tested for a loop. Room.value is
/// the shape: 0 rectangle, 1 cross, 2 round.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_accretion ploy_accretion;

/// Settings. Start from ploy_accretion_def_default().
typedef struct ploy_accretion_def {
    uint32_t cookie;
    int32_t width, height;      ///< cells
    int32_t rooms;              ///< stop at this number; 0: as many as the tries give
    int32_t room_min, room_max; ///< cells, sides of a room
    float cross;                ///< share of crosses
    float round;                ///< share of round rooms
    float corridor;             ///< probability of a corridor in front of a room
    int32_t corridor_max;       ///< cells
    int32_t loop_detour;        ///< steps; shorter detours are kept
    int32_t loops;              ///< maximum number of loops
    int32_t max_attempts;       ///< limit of tries for rooms
    ploy_plan_roles_def roles;
} ploy_accretion_def;

PLOY_API ploy_accretion_def ploy_accretion_def_default(void);
PLOY_API ploy_fields ploy_accretion_fields(void);

/// Starts. @param trace  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_accretion_begin(const ploy_accretion_def *def, ploy_rng_key key,
                                          ploy_trace *trace, const ploy_env *env,
                                          ploy_accretion **out);
PLOY_API ploy_result ploy_accretion_step(ploy_accretion *self, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_accretion_outcome(const ploy_accretion *self);
PLOY_API const ploy_floor_plan *ploy_accretion_plan(const ploy_accretion *self);
PLOY_API void ploy_accretion_cancel(ploy_accretion *self);

PLOY_API void ploy_accretion_describe(const ploy_accretion *self, ploy_describe *out);
PLOY_API void ploy_accretion_draw(const ploy_accretion *self, ploy_draw *out);
PLOY_API void ploy_accretion_memory(const ploy_accretion *self, ploy_memory_fn fn, void *user);

/// "accretion": makes a plan.
PLOY_API const ploy_generator_type *ploy_accretion_generator(void);
