/// @file ploy/tactics/squad_run.h
/// Runs a squad script: several characters carry out their lists of steps together.
///
///     ploy_squad_run_create(scripts, signals, squad_id, &env, &run);
///     ploy_squad_run_begin(run, script, members, 4, now);
///     every tick:
///         ploy_squad_run_step(run, actions, now, dt, trace);
///         ploy_actions_step(actions, dt);              // the body of all characters
///         if (ploy_squad_run_outcome_of(run) != PLOY_SQUAD_RUNNING) ...
///
/// Rules of a step: within one actor, a signal never delays the next step by a tick, and a wait
/// holds back everything after it. Actors continue until none can, so that their order does not
/// matter. A wait runs its idle action in the meantime. A joint action begins for all its actors in
/// one tick and ends for all when the last is done.
///
/// An abort (a timeout, an action that failed, a casualty without fallback, the caller) cancels
/// what the bodies do for the script and clears every signal that the script may have set,
/// including the game's in this scope. A casualty switches to the fallback with the remaining
/// members in their order; signals under `keep` stay set.
///
/// Cost: O(steps passed x ids + actors) per step. begin allocates, a step does not. Threads: one
/// caller.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/tactics/signals.h"
#include "ploy/tactics/squad_script.h"

typedef enum ploy_squad_outcome {
    PLOY_SQUAD_IDLE, ///< not begun
    PLOY_SQUAD_RUNNING,
    PLOY_SQUAD_DONE,
    PLOY_SQUAD_ABORTED,
    PLOY_SQUAD_OUTCOMES
} ploy_squad_outcome;

/// "idle", "running", "done", "aborted".
PLOY_API const char *ploy_squad_outcome_text(ploy_squad_outcome outcome);

typedef enum ploy_squad_reason {
    PLOY_SQUAD_NO_REASON,
    PLOY_SQUAD_TIMED_OUT, ///< a wait or a joint action
    PLOY_SQUAD_FAILED,    ///< an action
    PLOY_SQUAD_CASUALTY,  ///< and no fallback
    PLOY_SQUAD_CALLED_OFF,
    PLOY_SQUAD_REASONS
} ploy_squad_reason;

/// "", "timed out", "failed", "casualty", "called off".
PLOY_API const char *ploy_squad_reason_text(ploy_squad_reason reason);

/// Opaque.
typedef struct ploy_squad_run ploy_squad_run;

/// @param scripts, signals  must outlive the run. @param scope  the squad's, not 0.
PLOY_API ploy_result ploy_squad_run_create(const ploy_squad_scripts *scripts, ploy_signals *signals,
                                           uint64_t scope, const ploy_env *env,
                                           ploy_squad_run **out);
/// Running actions continue and signals stay set, so abort first. NULL is allowed.
PLOY_API void ploy_squad_run_destroy(ploy_squad_run *run);

/// Begins a script from its first steps. Signals of the script in this scope are cleared first.
/// @param agents  as many as the script has actors, in their order; each carries out one list.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE while a script runs, PLOY_ERR_MEMORY; an error changes
///         nothing.
PLOY_API ploy_result ploy_squad_run_begin(ploy_squad_run *run, int32_t script,
                                          const ploy_agent_id *agents, int32_t count, double now);
/// Continues as far as possible. Call it before ploy_actions_step.
/// @param actions  the body of all agents. @param dt  s since the last call. @param
///                 trace  may be NULL.
/// @return PLOY_IN_PROGRESS while it runs, PLOY_OK when it is done or aborted,
///         PLOY_ERR_STATE before
///         begin, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_squad_run_step(ploy_squad_run *run, ploy_actions *actions, double now,
                                         float dt, ploy_trace *trace);
/// Aborts the run and clears its signals. Has no effect if it is not running.
PLOY_API void ploy_squad_run_abort(ploy_squad_run *run, ploy_actions *actions, double now);
/// Removes a fallen member: switches to the fallback, or aborts.
/// @return PLOY_ERR_NOT_FOUND if the agent is not in the run, PLOY_ERR_MEMORY with the run aborted.
PLOY_API ploy_result ploy_squad_run_lose(ploy_squad_run *run, ploy_actions *actions,
                                         ploy_agent_id agent, double now);
/// Continues on an edited file: actors keep their places if the script still has the same actors
/// and their steps up to there are unchanged; their current actions restart. Otherwise the script
/// restarts, or is aborted if it is gone, and diags receives a warning.
/// @param fresh  must outlive the run from now on. @param diags  may be NULL.
/// @return PLOY_ERR_MEMORY, with the old file still in use.
PLOY_API ploy_result ploy_squad_run_reload(ploy_squad_run *run, const ploy_squad_scripts *fresh,
                                           ploy_actions *actions, double now, ploy_diags *diags);

/// Whether it runs, or how it ended.
PLOY_API ploy_squad_outcome ploy_squad_run_outcome_of(const ploy_squad_run *run);
/// Why it was aborted, and at which line of the file.
PLOY_API ploy_squad_reason ploy_squad_run_reason_of(const ploy_squad_run *run);
PLOY_API int32_t ploy_squad_run_line(const ploy_squad_run *run);
/// The script that runs or ran last; -1: none.
PLOY_API int32_t ploy_squad_run_script(const ploy_squad_run *run);

/// The present step of an actor.
typedef struct ploy_squad_actor_info {
    ploy_agent_id agent;
    int32_t step; ///< of its list; the list's length at its end
    int32_t line; ///< of the file; 0 at its end
    bool waiting; ///< for a signal or for partners
    double since; ///< s, when this step began
} ploy_squad_actor_info;

/// @return PLOY_ERR_ARGUMENT out of range.
PLOY_API ploy_result ploy_squad_run_actor(const ploy_squad_run *run, int32_t actor,
                                          ploy_squad_actor_info *out);

/// Visits a ploy_squad_run (ploy/base/visit.h). A load needs a run of the same file in which the
/// same script has begun; actions under way restart. The bodies' ploy_actions and the signals are
/// visited by their owner.
PLOY_API void ploy_squad_run_visit(ploy_visit *v, void *run);
PLOY_API void ploy_squad_run_describe(const ploy_squad_run *run, ploy_describe *out);
/// Draws the script as lanes: one row for each actor, a mark for each step, the present one filled,
/// and lines from each signal to its waits.
/// @param at  m, of the upper left corner. @param pitch  m between steps and between rows.
PLOY_API void ploy_squad_run_draw(const ploy_squad_run *run, ploy_vec2 at, float pitch,
                                  ploy_draw *out);
PLOY_API void ploy_squad_run_memory(const ploy_squad_run *run, ploy_memory_fn fn, void *user);
