/// @file ploy/decide/routine.h
/// Routines: state machines whose states are functions that stop in the middle and go on there in
/// the next step.
///
/// What a state does over many frames reads from top to bottom, loops and all, where an update that
/// is called again each frame would have to find out how far it is:
///
///     static ploy_result patrol(ploy_routine *routine, void *self) {
///         guard *owner = self;                  // what must survive lives here, not in locals
///         PLOY_ROUTINE_BEGIN(routine);
///         for (owner->post = 0; owner->post < 4; owner->post++) {
///             walk_to(owner, owner->post);
///             PLOY_ROUTINE_UNTIL(routine, owner->arrived);
///             PLOY_ROUTINE_WAIT(routine, 2.0);  // s
///             if (owner->tired) PLOY_ROUTINE_GO(routine, SLEEP);
///         }
///         PLOY_ROUTINE_END(routine);            // the whole routine is done
///     }
///
/// A table names the states; a watch looks before each step whether something else is more
/// important, and changes the state from outside: the one that ran is left, and restarts when it
/// is gone to again. A state that is gone to begins in the same step.
///
/// Technique: states as coroutines (Millington, "AI for Games", 5.3), by the protothreads of
/// ploy/exec/resume.h: no locals survive a stop, no switch of your own around one, and one stop in
/// a line. Cost: a call for each state that a step is in. No allocation, but for the behavior.
/// Threads: a definition may be used by many at once; a routine takes one caller at a time.
///
/// As a behavior, enter begins the first state and exit leaves the present one. By its maker each
/// character gets `memory` private bytes as the owner. A saved routine continues in its state by
/// the state's name: at the same line if the definition's version is the one that was saved, else
/// from the beginning of the state, because lines move when the source is edited.
#pragma once

#include "ploy/exec/maker.h"
#include "ploy/exec/resume.h"

/// Changes in one step before it counts as endless.
#define PLOY_ROUTINE_CHANGES_MAX 64
/// Most bytes of a made routine's owner.
#define PLOY_ROUTINE_MEMORY_MAX 65536

/// Where a routine is. Plain data: start with ploy_routine_make().
typedef struct ploy_routine {
    int32_t state; ///< of the definition's; -1 before the first step and after the end
    int32_t next;  ///< where to go when the function has returned, or -1
    ploy_resume resume;
    uint32_t changes; ///< of states so far, modulo 2^32
    double now;       ///< s, of this step
    double until;     ///< s: when a wait is over
    /// Of this step, for the blackboard, the outbox and the world; NULL outside a step. Not state.
    ploy_step_context *context;
} ploy_routine;

/// A state's function. PLOY_IN_PROGRESS: it goes on in the next step. PLOY_OK: it is done, and the
/// routine with it, unless it has gone to another state. An error ends the step.
typedef ploy_result (*ploy_routine_fn)(ploy_routine *routine, void *owner);

typedef struct ploy_routine_state {
    const char *name;
    ploy_routine_fn run;
    /// After it, exactly once for each beginning, whether it ended, went on or was cut off. May be
    /// NULL.
    void (*leave)(void *owner, ploy_exit_reason reason);
} ploy_routine_state;

/// A routine's definition; must outlive those that run it.
typedef struct ploy_routine_def {
    const char *name;
    const ploy_routine_state *states; ///< the first begins
    int32_t state_count;
    /// Before each step; may call ploy_routine_go. May be NULL.
    void (*watch)(ploy_routine *routine, void *owner);
    /// Bytes of each behavior that the maker makes, its states' owner: zero when it enters, saved
    /// as they are, so without pointers. At most PLOY_ROUTINE_MEMORY_MAX.
    int32_t memory;
    /// Change it with every edit that moves a stop, and saved routines continue at their line; 0:
    /// they begin their state again.
    uint32_t version;
} ploy_routine_def;

PLOY_API ploy_routine ploy_routine_make(void);

/// One step: the state goes on where it stopped. SUCCESS when the routine is done; the next step
/// restarts it.
/// @return PLOY_ERR_ARGUMENT for a definition without states or a state that it does not have,
///         PLOY_ERR_LIMIT if states kept going to each other, what a state returned. After an error
///         the state is left with PLOY_EXIT_ERROR, and the next step restarts.
PLOY_API ploy_result ploy_routine_step(ploy_routine *routine, const ploy_routine_def *def,
                                       void *owner, ploy_step_context *context,
                                       ploy_status *status);

/// Requests another state, or restarts the present one; of several the last counts. In a state
/// return after it, as PLOY_ROUTINE_GO does.
PLOY_API void ploy_routine_go(ploy_routine *routine, int32_t state);
/// Begins a wait. @return PLOY_IN_PROGRESS, for a hand-written switch.
PLOY_API ploy_result ploy_routine_wait(ploy_routine *routine, double seconds);
/// True when the wait is over.
PLOY_API bool ploy_routine_waited(const ploy_routine *routine);

PLOY_API void ploy_routine_describe(const ploy_routine *routine, const ploy_routine_def *def,
                                    ploy_describe *out);

/// A routine as a behavior, made in the env.
/// @param owner  for the states; must outlive it and is not saved. NULL: def.memory private bytes.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_routine_behavior(const ploy_routine_def *def, void *owner,
                                           const ploy_env *env, ploy_behavior *out);
/// Makes routines whose owner is their own memory. @param def  must outlive them.
PLOY_API ploy_maker ploy_routine_maker(const ploy_routine_def *def);

/// Opens the body of a state's function.
#define PLOY_ROUTINE_BEGIN(routine) PLOY_RESUME_BEGIN(&(routine)->resume)
/// Stops; the next step goes on behind it.
#define PLOY_ROUTINE_YIELD(routine) PLOY_RESUME_STOP(&(routine)->resume)
/// Stops for as long as it does not hold.
#define PLOY_ROUTINE_UNTIL(routine, holds)                     \
    while (!(holds)) {                                         \
        return ploy_resume_stop(&(routine)->resume, __LINE__); \
    case __LINE__:;                                            \
    }
/// Stops for this many seconds.
#define PLOY_ROUTINE_WAIT(routine, seconds)                                           \
    for (ploy_routine_wait((routine), (seconds)); !ploy_routine_waited((routine));) { \
        return ploy_resume_stop(&(routine)->resume, __LINE__);                        \
    case __LINE__:;                                                                   \
    }
/// Goes to another state, now.
#define PLOY_ROUTINE_GO(routine, state)      \
    do {                                     \
        ploy_routine_go((routine), (state)); \
        return PLOY_OK;                      \
    } while (0)
/// Closes the body: the routine is done.
#define PLOY_ROUTINE_END(routine) PLOY_RESUME_END(&(routine)->resume)
