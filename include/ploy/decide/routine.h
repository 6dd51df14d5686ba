/// @file ploy/decide/routine.h
/// Routines: state machines whose states are functions that can stop in the middle and continue
/// there in the next step.
///
/// The work of a state over many frames reads from top to bottom, including loops. An update
/// function that is called each frame would have to keep track of its progress itself:
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
/// A table names the states; a watch function checks before each step whether something else is
/// more important, and can change the state from outside. The state that ran is left, and starts
/// from the beginning when it is entered again. A new state begins in the same step.
///
/// Technique: states as coroutines (Millington, "AI for Games", 5.3), by the protothreads of
/// ploy/exec/resume.h: local variables do not survive a stop, a stop must not be inside a switch of
/// your own, and a line holds at most one stop. Cost: one call for each state that a step runs.
/// Only creating the behavior allocates. Threads: many threads may use a definition; a routine
/// takes one caller at a time.
///
/// As a behavior, enter begins the first state and exit leaves the current one. With the maker,
/// each character gets `memory` private bytes as the owner. A saved routine continues in the state
/// with the saved name: at the same line if the definition's version equals the saved version,
/// otherwise from the beginning of the state, because lines move when the source is edited.
#pragma once

#include "ploy/exec/maker.h"
#include "ploy/exec/resume.h"

/// State changes in one step above which the step counts as an endless loop.
#define PLOY_ROUTINE_CHANGES_MAX 64
/// Maximum size, in bytes, of the owner that a maker creates.
#define PLOY_ROUTINE_MEMORY_MAX 65536

/// The state of a running routine. Plain data; start with ploy_routine_make().
typedef struct ploy_routine {
    int32_t state; ///< index in the definition; -1 before the first step and after the end
    int32_t next;  ///< where to go when the function has returned, or -1
    ploy_resume resume;
    uint32_t changes; ///< state changes so far, modulo 2^32
    double now;       ///< s, of this step
    double until;     ///< s: when a wait is over
    /// The context of this step, for the blackboard, the outbox and the world; NULL outside a step.
    /// Not part of the state.
    ploy_step_context *context;
} ploy_routine;

/// A state's function. PLOY_IN_PROGRESS: it continues in the next step. PLOY_OK: the state is done,
/// and the routine too, unless the state has requested another one. An error ends the step.
typedef ploy_result (*ploy_routine_fn)(ploy_routine *routine, void *owner);

typedef struct ploy_routine_state {
    const char *name;
    ploy_routine_fn run;
    /// Called exactly once each time the state has begun, whether it ended, changed to another
    /// state or was interrupted. May be NULL.
    void (*leave)(void *owner, ploy_exit_reason reason);
} ploy_routine_state;

/// A routine's definition; must outlive the routines that use it.
typedef struct ploy_routine_def {
    const char *name;
    const ploy_routine_state *states; ///< the first one is the initial state
    int32_t state_count;
    /// Called before each step; may call ploy_routine_go. May be NULL.
    void (*watch)(ploy_routine *routine, void *owner);
    /// Size in bytes of the owner of each behavior that the maker creates. Zeroed on enter and
    /// saved as raw bytes, so it must not hold pointers. At most PLOY_ROUTINE_MEMORY_MAX.
    int32_t memory;
    /// Change it with every edit that moves a stop; saved routines of the same version continue at
    /// their line. 0: saved routines restart their state.
    uint32_t version;
} ploy_routine_def;

PLOY_API ploy_routine ploy_routine_make(void);

/// Runs one step: the state continues where it stopped. SUCCESS when the routine is done; the next
/// step restarts it.
/// @return PLOY_ERR_ARGUMENT for a definition without states or an unknown state,
///         PLOY_ERR_LIMIT after too many state changes, or a state's error. After an error
///         the state is left with PLOY_EXIT_ERROR, and the next step restarts.
PLOY_API ploy_result ploy_routine_step(ploy_routine *routine, const ploy_routine_def *def,
                                       void *owner, ploy_step_context *context,
                                       ploy_status *status);

/// Requests another state, or restarts the current one; the last request counts. Inside a state,
/// return after this call, as PLOY_ROUTINE_GO does.
PLOY_API void ploy_routine_go(ploy_routine *routine, int32_t state);
/// Begins a wait. @return PLOY_IN_PROGRESS, for a hand-written switch.
PLOY_API ploy_result ploy_routine_wait(ploy_routine *routine, double seconds);
/// True when the wait is over.
PLOY_API bool ploy_routine_waited(const ploy_routine *routine);

PLOY_API void ploy_routine_describe(const ploy_routine *routine, const ploy_routine_def *def,
                                    ploy_describe *out);

/// Creates a routine as a behavior, allocated from the env.
/// @param owner  passed to the states; must outlive the behavior; not saved. NULL: def.memory
///               private bytes.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_routine_behavior(const ploy_routine_def *def, void *owner,
                                           const ploy_env *env, ploy_behavior *out);
/// Makes routines whose owner is private memory of def.memory bytes. @param def  must outlive them.
PLOY_API ploy_maker ploy_routine_maker(const ploy_routine_def *def);

/// Opens the body of a state's function.
#define PLOY_ROUTINE_BEGIN(routine) PLOY_RESUME_BEGIN(&(routine)->resume)
/// Stops; the next step continues after it.
#define PLOY_ROUTINE_YIELD(routine) PLOY_RESUME_STOP(&(routine)->resume)
/// Stops until the condition holds.
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
/// Changes to another state now.
#define PLOY_ROUTINE_GO(routine, state)      \
    do {                                     \
        ploy_routine_go((routine), (state)); \
        return PLOY_OK;                      \
    } while (0)
/// Closes the body: the routine is done.
#define PLOY_ROUTINE_END(routine) PLOY_RESUME_END(&(routine)->resume)
