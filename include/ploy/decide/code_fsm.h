/// @file ploy/decide/code_fsm.h
/// State machines written as code: one function with a branch for each state, and helper macros.
///
/// For machines of a few states that are not edited in files. The machine is one function that is
/// called with an event (enter, update, exit, message) and branches on the state:
///
///     PLOY_CODE_FSM(hunter_states, hunter) {          // hunter: the owner's type
///         PLOY_CODE_STATE(GATHER)
///             PLOY_ON_UPDATE { if (owner->sees) PLOY_SET_STATE(FLEE); }
///         PLOY_CODE_STATE(FLEE)
///             PLOY_ON_ENTER { owner->shouts++; }
///             PLOY_ON_UPDATE { if (!owner->sees) PLOY_SET_STATE(GATHER); }
///     }
///     PLOY_CODE_FSM_END
///
/// A change takes effect when the handler has returned; exit and enter are called automatically,
/// and of several changes in one handler only the last counts. Without the macros, write the
/// function with switch and ploy_code_fsm_set. Technique: the macro-assisted language of Rabin, "AI
/// Game Programming Wisdom", 2002, with enter, exit and messages added. Cost: one call for an
/// update. No allocation.
#pragma once

#include "ploy/exec/maker.h"

typedef enum ploy_code_event {
    PLOY_CODE_ENTER,
    PLOY_CODE_UPDATE,
    PLOY_CODE_EXIT,
    PLOY_CODE_MESSAGE
} ploy_code_event;

/// The state of a machine. Plain data: start with ploy_code_fsm_make().
typedef struct ploy_code_fsm {
    int32_t state;
    int32_t next;   ///< the state to enter when the handler has returned
    bool changing;  ///< next is set
    bool started;   ///< the first state was entered
    bool handled;   ///< the current message was handled
    uint8_t status; ///< a ploy_status: RUNNING until a handler finishes the machine
    uint64_t changes;
    ploy_step_context *context; ///< of the current call if it runs as a behavior, otherwise NULL
} ploy_code_fsm;

/// The machine's function.
typedef void (*ploy_code_fsm_fn)(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                                 const ploy_message *message);

PLOY_API ploy_code_fsm ploy_code_fsm_make(int32_t initial);

/// Requests another state; called by PLOY_SET_STATE.
PLOY_API void ploy_code_fsm_set(ploy_code_fsm *machine, int32_t state);

/// Ends the machine; as a behavior, its step returns the status. Called by PLOY_FINISH.
PLOY_API void ploy_code_fsm_finish(ploy_code_fsm *machine, ploy_status status);

/// Most changes made by one call; more count as an endless loop.
#define PLOY_CODE_FSM_CHANGES_MAX 64

/// Runs one update: enters the first state if this is the first update, updates, and makes a
/// requested change.
/// @param trace  receives each change, by the numbers of the states; may be NULL.
/// @return PLOY_ERR_LIMIT if enter and exit handlers kept requesting changes.
PLOY_API ploy_result ploy_code_fsm_step(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                        ploy_trace *trace);
/// Offers a message. @param handled  set to whether a handler handled it; may be NULL.
PLOY_API ploy_result ploy_code_fsm_message(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                           const ploy_message *message, ploy_trace *trace,
                                           bool *handled);

PLOY_API void ploy_code_fsm_describe(const ploy_code_fsm *machine, ploy_describe *out);

/// A machine written as code, as a definition that characters share. Each character has a separate
/// owner, a struct that is zeroed on enter or, with a field table, set to its defaults. The table
/// also describes, saves and loads the owner. An owner without a table is not saved: the machine
/// restarts on load. Handlers find the blackboard in machine->context.
typedef struct ploy_code_machine {
    const char *name;
    ploy_code_fsm_fn fn;
    int32_t initial;
    size_t owner_size; ///< bytes, at most 1 MiB; 0 with a table: the table's
    ploy_fields (*owner_fields)(
        void);                 ///< of the owner, which begins with `uint32_t cookie`; or NULL
    const char *const *states; ///< names of the states, by number, for files; NULL: the numbers
    int32_t state_count;
} ploy_code_machine;

/// Creates the behavior of one character. @param machine  must outlive the behavior.
/// @return PLOY_ERR_ARGUMENT if name or fn is missing, sizes differ or the initial state has no
///         name; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_code_machine_behavior(const ploy_code_machine *machine,
                                                const ploy_env *env, ploy_behavior *out);
/// A maker that creates such behaviors. @param machine  must outlive the definition that holds the
/// maker.
PLOY_API ploy_maker ploy_code_machine_maker(const ploy_code_machine *machine);

/// Opens the function `name` of a machine whose owner is a `type`.
#define PLOY_CODE_FSM(name, type)                                                 \
    static void name(void *owner_, ploy_code_fsm *machine, ploy_code_event event, \
                     const ploy_message *message) {                               \
        type *owner = (type *)owner_;                                             \
        (void)owner, (void)event, (void)message;                                  \
        if (0)
/// Opens a state. Its handlers follow.
#define PLOY_CODE_STATE(number) \
    }                           \
    if (machine->state == (number)) {
/// Handlers: each is followed by a block.
#define PLOY_ON_ENTER if (event == PLOY_CODE_ENTER)
#define PLOY_ON_UPDATE if (event == PLOY_CODE_UPDATE)
#define PLOY_ON_EXIT if (event == PLOY_CODE_EXIT)
#define PLOY_ON_MESSAGE(name) \
    if (event == PLOY_CODE_MESSAGE && ploy_code_fsm_is(machine, message, (name)))
/// Requests another state.
#define PLOY_SET_STATE(number) ploy_code_fsm_set(machine, (number))
/// Ends the machine with PLOY_STATUS_SUCCESS or PLOY_STATUS_FAILURE.
#define PLOY_FINISH(result) ploy_code_fsm_finish(machine, (result))
/// Closes the function.
#define PLOY_CODE_FSM_END }

/// Returns true, and marks the message as handled, if it is of that kind. Called by
/// PLOY_ON_MESSAGE.
PLOY_API bool ploy_code_fsm_is(ploy_code_fsm *machine, const ploy_message *message,
                               const char *kind);
