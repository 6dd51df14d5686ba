/// @file ploy/tactics/squad_script.h
/// Squad scripts: what several characters do together, as text, with a linter that finds deadlocks.
///
/// Each actor has a list of steps. Signals and waits put the lists in step with each other:
///
///     script touchdown
///     actor runner
///         move run corner                      # an action: effect, name, style
///         signal in-position
///     actor passer
///         wait in-position idle play jog timeout 8
///         play throw
///
/// One step a line; `#` begins a comment; indentation is free. Steps:
///
/// | step | meaning |
/// |---|---|
/// | `move\|play\|change\|think\|show NAME [STYLE] [at X Y [within R]] [for S]` | an action of the body, with the effects of ploy/exec/action.h; `show` is a sound or a line |
/// | `signal ID` | sets ID and continues at once |
/// | `wait ID... [idle ACTION] [timeout S [continue]]` | waits until all are set and runs the idle action; at the timeout the run is aborted, or continues |
/// | `together` ... `end` | the actions inside at once |
/// | `sequence` ... `end` | one after the other, inside `together` |
/// | `joint ID ACTION [idle ACTION] [timeout S]` | begins when all actors with this joint have reached it, ends when all are done |
///
/// In front of the actors: `external ID...` are set by the game (an explosion); `shared ID...` are
/// the same for all squads, the others belong to one run; `keep ID...` stay set when a casualty
/// switches to the `fallback SCRIPT` for fewer members. A file holds any number of scripts. Give
/// each wait a timeout: the signal of a fallen partner never comes.
///
/// Signals are never unset within a run, so that the linter is exact: what can run in some order
/// runs in every order, and one pass finds the actors that block each other.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, 6.5.5; its Wait completes only when the
/// signal is set. The compounds are those of ploy_action_book. Units: metres, seconds. Cost:
/// reading O(text), linting O(steps x actors). Threads: a definition may be used by many at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/name.h"
#include "ploy/decide/actions.h"

/// Limits of a file: actors of a script, bytes of a name with its terminating zero, steps, ids of a
/// script.
#define PLOY_SQUAD_ACTORS_MAX 16
#define PLOY_SQUAD_NAME_MAX 32
#define PLOY_SQUAD_STEPS_MAX 4096
#define PLOY_SQUAD_SIGNALS_MAX 256
/// Longest timeout and duration in a file, s.
#define PLOY_SQUAD_SECONDS_MAX 86400.0f

typedef enum ploy_squad_step_kind {
    PLOY_SQUAD_ACTION,
    PLOY_SQUAD_SIGNAL,
    PLOY_SQUAD_WAIT,
    PLOY_SQUAD_JOINT
} ploy_squad_step_kind;

/// "action", "signal", "wait", "joint".
PLOY_API const char *ploy_squad_step_text(ploy_squad_step_kind kind);

/// The scripts of one file; immutable. Opaque.
typedef struct ploy_squad_scripts ploy_squad_scripts;

/// Reads a file; continues after the first fault and reports each with line and column.
/// @param name   of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_squad_scripts_load(const void *bytes, size_t size, const char *name,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_squad_scripts **out);
/// NULL is allowed. Its runs must be gone.
PLOY_API void ploy_squad_scripts_destroy(ploy_squad_scripts *scripts);

PLOY_API int32_t ploy_squad_scripts_count(const ploy_squad_scripts *scripts);
/// The script of that name, or -1.
PLOY_API int32_t ploy_squad_scripts_find(const ploy_squad_scripts *scripts, const char *name);
/// Its name; NULL out of range.
PLOY_API const char *ploy_squad_scripts_name(const ploy_squad_scripts *scripts, int32_t script);
/// The number of members that a script needs; 0 out of range.
PLOY_API int32_t ploy_squad_scripts_actors(const ploy_squad_scripts *scripts, int32_t script);
/// The name of an actor; NULL out of range.
PLOY_API const char *ploy_squad_scripts_actor(const ploy_squad_scripts *scripts, int32_t script,
                                              int32_t actor);
/// The name of a signal under `external`, which the game has to set; NULL past the last.
PLOY_API const char *ploy_squad_scripts_external(const ploy_squad_scripts *scripts, int32_t script,
                                                 int32_t index);
/// The text of a name in the file (an action's, a style's, a signal's), or NULL.
PLOY_API const char *ploy_squad_scripts_text(const ploy_squad_scripts *scripts, ploy_name name);

/// A step, for tools and pictures.
typedef struct ploy_squad_step {
    ploy_squad_step_kind kind;
    int32_t line;     ///< of the file, from 1
    const char *text; ///< the signal, the joint, the first awaited signal or the action's name
    float timeout;    ///< s; 0: none
    bool go_on;       ///< after the timeout
} ploy_squad_step;

/// Steps of an actor; 0 out of range. One of them. @return PLOY_ERR_ARGUMENT.
PLOY_API int32_t ploy_squad_scripts_steps(const ploy_squad_scripts *scripts, int32_t script,
                                          int32_t actor);
PLOY_API ploy_result ploy_squad_scripts_step_at(const ploy_squad_scripts *scripts, int32_t script,
                                                int32_t actor, int32_t step, ploy_squad_step *out);

/// Which actors of a script block each other forever, whatever the order in which they run,
/// provided that every action ends and every external signal is set. Bit i is actor i. A wait with
/// a timeout never blocks; if it is sure to abort the run, nothing blocks.
/// @return 0: none.
PLOY_API uint32_t ploy_squad_scripts_deadlock(const ploy_squad_scripts *scripts, int32_t script);

/// Errors: deadlocks, naming which actor waits for which. Warnings: waits that are sure to abort
/// the run, waits for the game without a timeout, signals that no wait uses, and fallbacks that do
/// not have fewer actors.
/// @param diags  may be NULL. @return how many errors.
PLOY_API int32_t ploy_squad_scripts_lint(const ploy_squad_scripts *scripts, ploy_diags *diags);
