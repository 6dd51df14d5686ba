/// @file ploy/generate/lsystem.h
/// String L-systems: rules replace all letters of a string at once, and a turtle draws the result.
///
/// Rules come as text, one statement to a line:
///
///     # a weed
///     axiom X
///     angle 25                 degrees of a turn
///     generations 5
///     rule X -> F+[[X]-X]-F[-FX]+X
///     rule F -> FF
///     rule L 0.3 -> LL         one of several rules for a letter, by weight
///     draw FG                  letters that draw; the default
///     length 0.5               metres of a drawn letter; width 0.02, shrink 0.8, space: see below
///
/// Letters are all printable characters but blanks. Those without a rule stay. The turtle reads:
///
///     letters of `draw`   a branch of `length`       f   the same without drawing
///     + -                 turn left, right           & ^   pitch down, up (in space)
///     \ /                 roll left, right (in space)   |  turn around
///     [ ]                 keep and return to the place, direction, length and width
///     ! "                 width, length times `shrink`   L  a leaf
///
/// It ignores all other letters. With `space`, it starts upward along z instead of y.
///
/// Technique: Lindenmayer 1968; turtle by Szilard and Quinton 1979; Prusinkiewicz and Lindenmayer,
/// "The Algorithmic Beauty of Plants", 1990.
///
/// A budget unit is one letter, read or drawn. Memory: two strings; the longer has at most
/// max_symbols bytes. A generation that would be longer is not made: the outcome is partial.
/// Threads: one caller.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/generate/plant.h"

/// A loaded text. Opaque, immutable.
typedef struct ploy_lsystem_rules ploy_lsystem_rules;

/// Reads rules.
/// @param name  of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with every fault (up to twenty) in diags, by line and column;
///         PLOY_ERR_LIMIT for more than PLOY_LSYSTEM_TEXT bytes; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lsystem_rules_load(const char *text, size_t size, const char *name,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_lsystem_rules **out);
/// NULL is allowed.
PLOY_API void ploy_lsystem_rules_destroy(ploy_lsystem_rules *rules);

/// Maximum number of bytes of a text.
#define PLOY_LSYSTEM_TEXT 65536

/// Texts of the library.
typedef enum ploy_lsystem_preset {
    PLOY_LSYSTEM_WEED,
    PLOY_LSYSTEM_BUSH,
    PLOY_LSYSTEM_TREE, ///< in space, by weights
    PLOY_LSYSTEM_BINARY,
    PLOY_LSYSTEM_KOCH,
    PLOY_LSYSTEM_SNOWFLAKE,
    PLOY_LSYSTEM_DRAGON,
    PLOY_LSYSTEM_HILBERT,
    PLOY_LSYSTEM_SIERPINSKI,
    PLOY_LSYSTEM_GOSPER,
    PLOY_LSYSTEM_ALGAE,
    PLOY_LSYSTEM_CANTOR,
    PLOY_LSYSTEM_PRESETS
} ploy_lsystem_preset;

/// The text of a preset.
PLOY_API const char *ploy_lsystem_preset_text(ploy_lsystem_preset preset);

typedef struct ploy_lsystem_def {
    uint32_t cookie;
    ploy_lsystem_preset preset; ///< rules if none are given to begin
    int32_t generations;        ///< -1: as in the text
    int32_t max_symbols;        ///< longest string
    int32_t max_branches;       ///< of the drawing
    float jitter;               ///< share by which turns vary at random
} ploy_lsystem_def;

PLOY_API ploy_lsystem_def ploy_lsystem_def_default(void);
PLOY_API ploy_fields ploy_lsystem_fields(void);

/// A string that grows. Opaque.
typedef struct ploy_lsystem ploy_lsystem;

/// @param rules  NULL: those of the preset. Borrowed until cancel.
PLOY_API ploy_result ploy_lsystem_begin(const ploy_lsystem_def *def, ploy_rng_key key,
                                        const ploy_lsystem_rules *rules, ploy_trace *trace,
                                        const ploy_env *env, ploy_lsystem **out);
PLOY_API ploy_result ploy_lsystem_step(ploy_lsystem *lsystem, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_lsystem_outcome(const ploy_lsystem *lsystem);
/// The string of the last complete generation, ended by a zero, and its length.
PLOY_API const char *ploy_lsystem_string(const ploy_lsystem *lsystem, int32_t *length);
/// What the turtle has drawn; complete at the end.
PLOY_API const ploy_plant *ploy_lsystem_plant(const ploy_lsystem *lsystem);
PLOY_API void ploy_lsystem_cancel(ploy_lsystem *lsystem);
PLOY_API void ploy_lsystem_describe(const ploy_lsystem *lsystem, ploy_describe *out);
PLOY_API void ploy_lsystem_draw(const ploy_lsystem *lsystem, ploy_draw *out);
PLOY_API void ploy_lsystem_memory(const ploy_lsystem *lsystem, ploy_memory_fn fn, void *user);
/// "lsystem": makes a plant.
PLOY_API const ploy_generator_type *ploy_lsystem_generator(void);
