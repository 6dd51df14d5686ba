/// @file ploy/tactics/intent.h
/// The intent interpreter: what the player seems to be doing, for a squad that the player leads.
///
/// The level is a list of areas: corridors, junctions and rooms. From the player's position and
/// velocity the interpreter finds the present area and, along the direction of movement, the next
/// one: in a corridor, near a junction, or in a room. A new reading counts only when it has held
/// for a dwell, so that the squad does not react to every step. Explicit orders
/// (ploy/tactics/tiers.h) are more reliable; offer both.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, 6.5.2. Units: metres, seconds. Cost:
/// O(areas x look_ahead / 0.25 m) per step, no allocation. Threads: plain data.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/box.h"

typedef enum ploy_area_kind {
    PLOY_AREA_CORRIDOR,
    PLOY_AREA_JUNCTION,
    PLOY_AREA_ROOM
} ploy_area_kind;

typedef struct ploy_intent_area {
    ploy_area_kind kind;
    ploy_box2 box; ///< m
} ploy_intent_area;

typedef enum ploy_intent_kind {
    PLOY_INTENT_UNKNOWN,  ///< in none of the areas
    PLOY_INTENT_CORRIDOR, ///< moves or rests in a corridor
    PLOY_INTENT_JUNCTION, ///< in a junction, or about to reach one
    PLOY_INTENT_ROOM,
    PLOY_INTENT_KINDS
} ploy_intent_kind;

/// "unknown", "corridor", "junction", "room".
PLOY_API const char *ploy_intent_kind_text(ploy_intent_kind kind);

typedef struct ploy_intent_def {
    uint32_t cookie;
    float look_ahead; ///< m, how far a junction may be to count as near
    float walk;       ///< m/s, at which the direction is certain
    float dwell;      ///< s that a new reading must hold
} ploy_intent_def;

PLOY_API ploy_intent_def ploy_intent_def_default(void);
PLOY_API ploy_fields ploy_intent_fields(void);

/// The interpretation. Plain data, all of it state; all zero is the initial state.
typedef struct ploy_intent {
    ploy_intent_kind kind;
    int32_t area;             ///< the present one; -1: none
    int32_t next;             ///< the area that the player moves to; -1: none in sight
    float heading;            ///< rad, of the last movement
    float confidence;         ///< 0 to 1: slow players and fresh readings are less certain
    ploy_intent_kind reading; ///< of the last step; becomes `kind` when it has held
    double since;             ///< s, when that reading began
    bool known;               ///< stepped at least once
    uint8_t reserved[7];
} ploy_intent;

/// Updates the intent from the player's movement.
/// @param areas  where areas overlap, the first counts. @param velocity  m/s.
/// @param now    s.
/// @return true if the intent changed.
PLOY_API bool ploy_intent_step(const ploy_intent_def *def, ploy_intent *intent,
                               const ploy_intent_area *areas, int32_t count, ploy_vec2 position,
                               ploy_vec2 velocity, double now);
/// Visits a ploy_intent.
PLOY_API void ploy_intent_visit(ploy_visit *v, void *intent);
PLOY_API void ploy_intent_describe(const ploy_intent *intent, ploy_describe *out);
