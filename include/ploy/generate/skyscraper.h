/// @file ploy/generate/skyscraper.h
/// Skyscrapers: a building grown by a shape grammar, from its foundation to its windows.
///
///     1  foundation     -> ground floor (4 m) + top
///     2  top            -> floor (3 m) + top
///     3  top, if large  -> top | roof             two parts side by side
///     4  top            -> roof
///     5  floor          -> outer walls
///     6  outer wall     -> window spaces of 3 m
///     7  space, second on its wall          -> blank
///     8  space, neither second nor third    -> picture window
///     9  space, third on its wall           -> utility window
/// One of the rules that apply is drawn by weight; with equal weights of 2 and 4 and no splits the
/// number of upper floors has a mean of 1, so towers need a heavy rule 2. Without the conditions of
/// 7 to 9 the windows are drawn at random and floors do not match. Technique: Millington, "AI for
/// Games", 8.5.1, on the engine of ploy/generate/grammar.h.
///
/// Units: metres. Unit of budget: one firing. The parts form a tree: each stores the part that it
/// came from, so a click on a window leads back to the rule that made it.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/generate/grammar.h"

typedef struct ploy_skyscraper ploy_skyscraper;

typedef enum ploy_building_kind {
    PLOY_BUILDING_FOUNDATION,
    PLOY_BUILDING_GROUND_FLOOR,
    PLOY_BUILDING_TOP,
    PLOY_BUILDING_FLOOR,
    PLOY_BUILDING_ROOF,
    PLOY_BUILDING_WALL,
    PLOY_BUILDING_SPACE,
    PLOY_BUILDING_PICTURE,
    PLOY_BUILDING_BLANK,
    PLOY_BUILDING_UTILITY,
    PLOY_BUILDING_KINDS
} ploy_building_kind;

/// "foundation", "ground floor", ...
PLOY_API const char *ploy_building_kind_text(ploy_building_kind kind);

typedef struct ploy_building_part {
    int32_t kind;               ///< ploy_building_kind
    int32_t parent;             ///< part that it came from; -1: the foundation
    int32_t rule;               ///< 1 to 9 as above; 0: the foundation
    bool final;                 ///< no rule replaced it: part of the finished building
    int32_t floor;              ///< 0: the ground floor
    int32_t side;               ///< of walls and windows: 0 +x, 1 +y, 2 -y, 3 -x
    int32_t place;              ///< of windows: on the wall, from 0
    int32_t variant;            ///< of picture windows: the building's style
    float x, y, z;              ///< m, lower corner
    float width, depth, height; ///< m, along x, y and z; 0 across a wall
} ploy_building_part;

/// A building. Opaque.
typedef struct ploy_building ploy_building;

/// Its parts, in the order in which they were made. Borrowed.
PLOY_API const ploy_building_part *ploy_building_parts(const ploy_building *building,
                                                       int32_t *count);
/// Height of the highest part, m.
PLOY_API float ploy_building_height(const ploy_building *building);

/// Settings. Start from ploy_skyscraper_def_default().
typedef struct ploy_skyscraper_def {
    uint32_t cookie;
    float width, depth;        ///< m, footprint
    float floor_weight;        ///< of rule 2
    float split_weight;        ///< of rule 3
    float roof_weight;         ///< of rule 4
    float split_min;           ///< m, shortest side of a part that may be split
    float space_width;         ///< m, of a window space
    bool facade;               ///< rules 5 to 9
    bool positions;            ///< conditions of rules 7 to 9; otherwise windows are random
    bool utility_every_second; ///< utility windows on every second floor only
    int32_t variants;          ///< styles of picture windows; one is drawn for the building
    int32_t max_floors;        ///< floors above the ground floor
    int32_t max_firings;       ///< limit
} ploy_skyscraper_def;

PLOY_API ploy_skyscraper_def ploy_skyscraper_def_default(void);
PLOY_API ploy_fields ploy_skyscraper_fields(void);

/// Starts. @param trace  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_skyscraper_begin(const ploy_skyscraper_def *def, ploy_rng_key key,
                                           ploy_trace *trace, const ploy_env *env,
                                           ploy_skyscraper **out);
PLOY_API ploy_result ploy_skyscraper_step(ploy_skyscraper *self, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_skyscraper_outcome(const ploy_skyscraper *self);
PLOY_API const ploy_building *ploy_skyscraper_building(const ploy_skyscraper *self);
PLOY_API void ploy_skyscraper_cancel(ploy_skyscraper *self);

PLOY_API void ploy_skyscraper_describe(const ploy_skyscraper *self, ploy_describe *out);
/// Draws the facades unfolded: the four sides beside each other, z upward.
PLOY_API void ploy_skyscraper_draw(const ploy_skyscraper *self, ploy_draw *out);
PLOY_API void ploy_skyscraper_memory(const ploy_skyscraper *self, ploy_memory_fn fn, void *user);

/// "skyscraper": makes a shape.
PLOY_API const ploy_generator_type *ploy_skyscraper_generator(void);
