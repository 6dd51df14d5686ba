/// @file ploy/decide/goal_script.h
/// Scripts of goals: scenes that are played by queueing goals on an actor, written as text.
///
///     # the genie of the lamp
///     say "You have freed me" 2
///     say "Follow me" 3
///     lead (6, 0) 2          # to a place, waiting when the player is more than 2 m behind
///     vanish
///
/// A line is a goal: a word and what the word needs, which is numbers, places `(x, y)` and a text
/// in quotes. `repeat` before the word puts the goal at the rear again each time it is completed,
/// as a patrol does. A trigger of the game plays the script on any tree of goals, behind what it
/// has; or a ploy_goals_type begins with it, so that an actor is created with its scene. Words of
/// the game's own are a table beside the ones here. Technique: Buckland, "Programming Game AI by
/// Example", chapter 9, scripted sequences.
///
/// Cost: O(lines). Threads: a script may be played by many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/goal_moves.h"

/// What a line says: its numbers in order, places as two of them, and its text, cut to fit.
typedef struct ploy_goal_line {
    float numbers[6];
    char text[40];
} ploy_goal_line;

/// A word of scripts.
typedef struct ploy_goal_word {
    const char *name;           ///< one word
    const ploy_goal_type *type; ///< the goal that it adds; NULL: what `get` returns
    const ploy_goal_type *(*get)(void);
    const char *form; ///< what follows: n a number, p a place, t a text; at most 6 numbers
    /// Makes the goal's parameters of a line. @return their size. NULL: the line as it is.
    size_t (*fill)(const ploy_goal_line *line, void *params);
} ploy_goal_word;

/// A script. Opaque.
typedef struct ploy_goal_script ploy_goal_script;

/// Reads one. Reports every faulty line with its column, the nearest word for an unknown one.
/// @param words  of the game, searched before those of movement; must outlive it. NULL with 0:
///         none.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goal_script_load(const char *text, size_t size, const char *name,
                                           const ploy_goal_word *words, int32_t word_count,
                                           ploy_diags *diags, const ploy_env *env,
                                           ploy_goal_script **out);
/// NULL is allowed.
PLOY_API void ploy_goal_script_destroy(ploy_goal_script *script);
PLOY_API int32_t ploy_goal_script_count(const ploy_goal_script *script);
/// Queues its goals below a goal (ploy_goals_root), behind those that are there.
/// @return PLOY_ERR_CAPACITY if not all have room: none is added then.
PLOY_API ploy_result ploy_goal_script_play(const ploy_goal_script *script, ploy_goals *goals,
                                           ploy_step_context *context, ploy_goal parent);
/// Lets every tree of a definition begin with it.
PLOY_API ploy_result ploy_goal_script_fill(const ploy_goal_script *script, ploy_goals_type *type);
