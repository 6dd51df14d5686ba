/// @file ploy/decide/goal_script.h
/// Scripts of goals: scenes written as text and played by queueing goals on an actor.
///
///     # the genie of the lamp
///     say "You have freed me" 2
///     say "Follow me" 3
///     lead (6, 0) 2          # to a place, waiting when the player is more than 2 m behind
///     vanish
///
/// A line is a goal: a word and its arguments, which are numbers, places `(x, y)` and a text in
/// quotes. `repeat` before the word puts the goal at the rear again each time it is completed, as
/// in a patrol. A trigger of the game plays the script on any tree of goals, after the goals
/// already there; or a ploy_goals_type begins with it, so that an actor is created with its scene.
/// The game can add words with a separate table. Technique: Buckland, "Programming Game AI by
/// Example", chapter 9, scripted sequences.
///
/// Cost: O(lines). Threads: a script may be played by many threads.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/goal_moves.h"

/// The arguments of a line: its numbers in order, a place being two numbers, and its text, cut to
/// fit.
typedef struct ploy_goal_line {
    float numbers[6];
    char text[40];
} ploy_goal_line;

/// A word of scripts.
typedef struct ploy_goal_word {
    const char *name;           ///< one word
    const ploy_goal_type *type; ///< the goal that it adds; NULL: what `get` returns
    const ploy_goal_type *(*get)(void);
    const char *form; ///< the arguments: n a number, p a place, t a text; at most 6 numbers
    /// Makes the goal's parameters from a line. @return their size. NULL: the parameters are the
    /// line itself.
    size_t (*fill)(const ploy_goal_line *line, void *params);
} ploy_goal_word;

/// A script. Opaque.
typedef struct ploy_goal_script ploy_goal_script;

/// Reads a script. Reports every faulty line with its column, and the nearest word for an unknown
/// one.
/// @param words  words of the game, searched before the built-in ones; must outlive the script.
///               NULL with 0: none.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goal_script_load(const char *text, size_t size, const char *name,
                                           const ploy_goal_word *words, int32_t word_count,
                                           ploy_diags *diags, const ploy_env *env,
                                           ploy_goal_script **out);
/// NULL is allowed.
PLOY_API void ploy_goal_script_destroy(ploy_goal_script *script);
PLOY_API int32_t ploy_goal_script_count(const ploy_goal_script *script);
/// Makes every tree of a definition begin with the script.
PLOY_API ploy_result ploy_goal_script_fill(const ploy_goal_script *script, ploy_goals_type *type);
