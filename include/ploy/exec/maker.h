/// @file ploy/exec/maker.h
/// Nesting: how a shared definition holds other behaviors.
///
/// A tree or a machine is one definition for a thousand characters, but a behavior inside it has
/// separate run-time state for each of them. So the definition stores a ploy_maker, and every
/// instance calls it once and keeps the result in a ploy_nested. Every technique provides a maker,
/// so any of them can hold any other. A plain function becomes one with ploy_function_maker.
///
/// Errors. A nested behavior that returns an error (from enter, step, commit or message) is exited
/// with PLOY_EXIT_ERROR and has failed: its status is PLOY_STATUS_FAILURE and `failed` is true. The
/// holder continues and treats it as any failure: a machine's rules on FAILURE fire, a statechart
/// receives error.execution, a tree's node fails, a choice tries the next option. The holder's own
/// call returns PLOY_OK. What the failed call put into the outbox is taken back. The trace gets the
/// error, and the env's log one line with the path to the behavior:
///
///     agent 7: guard/attack/plan: a callback of the caller reported failure
///
/// Each holder adds the name of the place (a state, a node, an option); a behavior may append the
/// part that failed with ploy_step_blame. Nothing else needs to log. Errors of a definition's own
/// callbacks (a state's hook, a tree's leaf) stay results of its step; where that definition is
/// nested, they become a failure of its behavior; where it is not, the engine reports them. An
/// error while loading a saved state is the result of the outermost load.
///
/// Saving. ploy_nested_save writes one value: {"type": ..., "state": ...} for a running behavior,
/// {"ended": "success"} for one that finished, with "failed": true after an error, or null if it
/// was not entered.
///
/// Threads: the log is called from the thread that steps the behavior.
#pragma once

#include "ploy/exec/behavior.h"

/// Makes one character's behavior. All zero means none.
typedef struct ploy_maker {
    /// Sets *out on PLOY_OK; the caller frees it with ploy_behavior_destroy.
    ploy_result (*make)(void *user, const ploy_env *env, ploy_behavior *out);
    void *user;       ///< immutable, as it is shared by all instances
    const char *name; ///< for messages and as the default name of a node; NULL: none
    /// Checks that the behaviors will run on blackboards of `layout`: keys exist and have the
    /// expected types. Called when the definition that holds the maker is finished. NULL: nothing
    /// to check.
    /// @param layout  NULL: not known.
    /// @param diags  never NULL.
    ploy_result (*check)(const void *user, const ploy_blackboard_layout *layout, ploy_diags *diags);
} ploy_maker;

/// The maker that makes nothing.
PLOY_API ploy_maker ploy_maker_none(void);

/// A maker without name and check.
PLOY_API ploy_maker ploy_maker_of(ploy_result (*make)(void *user, const ploy_env *env,
                                                      ploy_behavior *out),
                                  void *user);

static inline bool ploy_maker_is_none(ploy_maker maker) {
    return maker.make == NULL;
}

/// True if both make the same behavior: function and user are equal.
static inline bool ploy_maker_equal(ploy_maker a, ploy_maker b) {
    return a.make == b.make && a.user == b.user;
}

/// Calls the maker. None makes none.
/// @return PLOY_ERR_CALLBACK if it returned PLOY_OK without a behavior that can step.
PLOY_API ploy_result ploy_maker_make(ploy_maker maker, const ploy_env *env, ploy_behavior *out);

/// Calls its check. Definitions do so for every maker they hold when they are finished.
/// @param layout  of the blackboards that the holder will run with; NULL: not known.
/// @param diags   NULL: faults go to the env's log.
PLOY_API ploy_result ploy_maker_check(ploy_maker maker, const ploy_blackboard_layout *layout,
                                      const ploy_env *env, ploy_diags *diags);

/// For a check: whether a definition built for `inner` can run on boards of `outer`. Slots and
/// types are resolved when a definition is built, so both must be the same layout; NULL fits
/// everything.
/// @return PLOY_ERR_NOT_FOUND if `outer` lacks a key of `inner` (diags get the nearest name),
///         PLOY_ERR_ARGUMENT for a key of another type or an equal layout that is another object;
///         each fault is reported.
PLOY_API ploy_result ploy_maker_check_layout(const ploy_blackboard_layout *inner,
                                             const ploy_blackboard_layout *outer,
                                             ploy_diags *diags);

/// A behavior in one instance of the definition that holds it. All zero means none. Holders call
/// the functions below, which keep the rules of the header, and read the members.
typedef struct ploy_nested {
    ploy_behavior behavior; ///< type NULL: none
    ploy_status status;     ///< of its last step; RUNNING when entered; FAILURE after an error
    uint16_t run;           ///< counts enters, so that a step notices that it was exited meanwhile
    bool entered;           ///< it runs: enter was called and exit was not
    bool failed;            ///< it ended with an error
} ploy_nested;

/// Makes the behavior. @return as ploy_maker_make; nested is none on failure.
PLOY_API ploy_result ploy_nested_make(ploy_nested *nested, ploy_maker maker, const ploy_env *env);
/// Frees the behavior without an exit; the holder exits it first. Afterwards nested is none.
PLOY_API void ploy_nested_destroy(ploy_nested *nested);

/// Enters it. An error is handled as described above. @param env    the holder's, for the log.
/// @param place  the name of the place that holds it; must live as long as the definition.
/// @return its status: RUNNING, or FAILURE after an error. RUNNING for none.
PLOY_API ploy_status ploy_nested_enter(ploy_nested *nested, const ploy_env *env, const char *place,
                                       ploy_step_context *context);
/// Steps it and exits it when it is no longer RUNNING; no commit follows then. If it is not entered,
/// nothing happens. If the holder exits it during the step (and perhaps enters it again), the step's
/// result is ignored.
/// @return its status.
PLOY_API ploy_status ploy_nested_step(ploy_nested *nested, const ploy_env *env, const char *place,
                                      ploy_step_context *context);
/// Exits it if it is entered. Its status stays.
PLOY_API void ploy_nested_exit(ploy_nested *nested, ploy_step_context *context,
                               ploy_exit_reason reason);
/// Only while it is entered; otherwise nothing happens.
PLOY_API void ploy_nested_commit(ploy_nested *nested, const ploy_env *env, const char *place,
                                 ploy_step_context *context);
/// Offers the message if it is entered. @return whether it was handled; false after an error.
PLOY_API bool ploy_nested_message(ploy_nested *nested, const ploy_env *env, const char *place,
                                  ploy_step_context *context, const ploy_message *message);
/// Writes "runs", "failed" if so, and what the behavior describes.
PLOY_API void ploy_nested_describe(const ploy_nested *nested, ploy_describe *out);
/// Only while it is entered.
PLOY_API void ploy_nested_draw(const ploy_nested *nested, ploy_draw *out);

/// Writes it as one JSON value, in the form given above.
PLOY_API void ploy_nested_save(const ploy_nested *nested, ploy_json_writer *out);
/// Instead of enter: continues what was saved. If the value is missing, it is entered; null leaves
/// it as it is.
/// @return what its load returned. On an error it counts as entered: the holder's exit exits it.
PLOY_API ploy_result ploy_nested_load(ploy_nested *nested, const ploy_env *env, const char *place,
                                      ploy_step_context *context, const ploy_json *doc,
                                      ploy_json_node saved, ploy_diags *diags);
/// Continues in `fresh` what runs in `old`, on an edited definition. Between equal makers the
/// behaviors are exchanged; otherwise the old one is saved and exited with PLOY_EXIT_REPLACED, and
/// the new one loaded. Neither is destroyed.
/// @return PLOY_ERR_MEMORY, with the old one still running. An error of the load makes it fail.
PLOY_API ploy_result ploy_nested_hand_over(ploy_nested *old, ploy_nested *fresh, bool same_maker,
                                           const ploy_env *env, const char *place,
                                           ploy_step_context *context, ploy_diags *diags);

/// A plain function as a behavior. Only `step` is required. The state is one struct for each
/// character, zeroed on enter or, if there is a field table, set to its defaults. The table also
/// describes, saves and loads it. A state without a table is not saved: it restarts on load.
typedef struct ploy_function {
    const char *name;
    ploy_result (*step)(void *user, void *state, ploy_step_context *context, ploy_status *status);
    ploy_result (*enter)(void *user, void *state, ploy_step_context *context);
    void (*exit)(void *user, void *state, ploy_step_context *context, ploy_exit_reason reason);
    ploy_result (*message)(void *user, void *state, ploy_step_context *context,
                           const ploy_message *message, bool *handled);
    void *user;                  ///< shared by all characters
    size_t state_size;           ///< bytes, at most 1 MiB; 0 with a table: the table's
    ploy_fields (*fields)(void); ///< of the state, which begins with `uint32_t cookie`; or NULL
} ploy_function;

/// Makes the behavior of one character.
/// @param function  must outlive it.
/// @return PLOY_ERR_ARGUMENT without a name or step, or for a size that differs from the table's;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_function_behavior(const ploy_function *function, const ploy_env *env,
                                            ploy_behavior *out);
/// Makes such behaviors. @param function  must outlive the definition that holds the maker.
PLOY_API ploy_maker ploy_function_maker(const ploy_function *function);
