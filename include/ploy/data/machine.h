/// @file ploy/data/machine.h
/// State machines as files: SCXML (W3C Recommendation, 2015) without a scripting data model, and
/// ploy's JSON format. A document becomes a chart (ploy_hsm_type) or, if it has no inner states, a
/// flat table of states and rules (ploy_fsm_type).
///
/// A ploy_machine is the document: it can be written in either form and built into types. Loaders
/// continue after a fault and report all faults of a file, each with line, column and the nearest
/// valid name.
///
/// SCXML: scxml, state, parallel, final, initial, history, transition, onentry, onexit, raise,
/// send, cancel, log, if, elseif, else. Two elements of any prefix connect to the game: `<call
/// name="x"/>` in executable content calls an action of the words, `<run name="x"/>` in a state
/// calls it in each step. A send that cannot be delivered raises error.execution or
/// error.communication, as SCXML specifies. Elements of other namespaces are skipped; data, script,
/// assign, foreach and invoke are faults.
///
/// JSON, in which comments and trailing commas are allowed:
///
///     {"name": "guard", "initial": "patrol", "states": [
///       {"id": "patrol", "run": "walk", "enter": [{"log": "all quiet"}], "rules": [
///         {"on": "noise", "if": "!In('asleep') && health > 10", "to": "search",
///          "do": [{"send": "bored", "delay": "3s", "id": "t"}]}]}, ...]}
///
/// A state has id, kind ("state", "parallel", "final", "history", "deep_history"), initial,
/// on_initial, enter, exit, run, rules, states; a rule has id, on, if, to, internal, do; a step of
/// executable content is one of raise, send (with id, delay, target, type), cancel, log (with
/// value), call, or {"if": ..., "then": [...], "else": [...]}.
///
/// Flat machines may have more: `rules` of the machine itself, which are checked in every state;
/// `run` of the machine, which runs in every state; `idle`, the state entered after a long time
/// without a change; in a rule `effect` ("go", "push", "pop", "revert", "stay") and `priority`; in
/// a final state `status` ("success" or "failure"). A chart refuses these, and a flat machine
/// refuses the features of charts: nested states, regions, history, executable content.
///
///     {"initial": "patrol", "states": [
///       {"id": "patrol", "run": "walk", "rules": [{"if": "sees", "to": "chase"}]},
///       {"id": "chase", "run": "hunt", "rules": [{"if": "!sees && after(2)", "to": "patrol"}]},
///       {"id": "flee", "run": "hurry"}],
///      "rules": [{"id": "hurt", "if": "health <= 10", "to": "flee", "priority": 1}]}
///
/// Conditions are texts of ploy/decide/condition.h: words of the game (`sees`, `near(20)`), keys
/// (`armed`, `health <= 10`, `mood == 'angry'`), joined by `! && ||` (or not, and, or) and
/// parentheses. Charts add `In('id')`, flat machines `after(2)` (seconds in the state). In machine
/// files `!` binds as loosely as `not`: `!health < 10` means `!(health < 10)`.
///
/// Cost: loading is linear in the file. So is building, but a statechart keeps three sets of states
/// for each rule, a bit for each of at most PLOY_HSM_STATES_MAX states.
/// Threads: a document may be built from many threads at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/hsm.h"

/// A document. Opaque.
typedef struct ploy_machine ploy_machine;

/// @param name   of the file, for messages; copied. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_ARGUMENT or PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_machine_load_scxml(const void *bytes, size_t size, const char *name,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_machine **out);
PLOY_API ploy_result ploy_machine_load_json(const void *bytes, size_t size, const char *name,
                                            const ploy_env *env, ploy_diags *diags,
                                            ploy_machine **out);
/// Frees the document. Types built from it stay valid. NULL is allowed.
PLOY_API void ploy_machine_destroy(ploy_machine *machine);

/// Writes the document. Reading it back gives an equal document. @return PLOY_ERR_UNSUPPORTED for
/// SCXML of a flat machine.
PLOY_API ploy_result ploy_machine_save_scxml(const ploy_machine *machine, ploy_writer *writer);
PLOY_API ploy_result ploy_machine_save_json(const ploy_machine *machine, ploy_writer *writer);

/// An action of the game, by name.
typedef struct ploy_machine_action {
    const char *name;
    ploy_hsm_action_fn fn;
    void *user;
} ploy_machine_action;

/// What a state may run: hooks (flat machines only), and an inner behavior (both kinds).
typedef struct ploy_machine_work {
    const char *name;
    ploy_fsm_hooks hooks;
    ploy_maker inside; ///< all zero: none
} ploy_machine_work;

/// The vocabulary of a game. All zero: none.
typedef struct ploy_machine_words {
    const ploy_blackboard_layout *layout; ///< must outlive the type; NULL: no keys
    const ploy_word *tests;               ///< words of its conditions
    int32_t test_count;
    const ploy_machine_action *actions; ///< of charts: called by executable content, run by states
    int32_t action_count;
    const ploy_machine_work *works;
    int32_t work_count;
} ploy_machine_words;

/// A word that a document uses, for tools that provide stand-ins.
typedef enum ploy_machine_use {
    PLOY_MACHINE_USES_ACTION, ///< called by executable content or run by states
    PLOY_MACHINE_USES_CALL,   ///< a function of conditions: `near(20)`
    PLOY_MACHINE_USES_NAME,   ///< a key or a function without arguments: `sees`, `health < 10`
    PLOY_MACHINE_USES_TEXT    ///< a key that is compared with a quoted text
} ploy_machine_use;

/// @param count  number of arguments of a call, otherwise 0. A word is reported each time it is
/// used.
typedef ploy_result (*ploy_machine_use_fn)(void *user, ploy_machine_use use, const char *name,
                                           int32_t count);
/// Reports every word that the game has to provide; `In`, `after`, `on` and `status` are built in.
/// @return PLOY_ERR_MEMORY, or the result of fn.
PLOY_API ploy_result ploy_machine_uses(const ploy_machine *machine, ploy_machine_use_fn fn,
                                       void *user);

/// Builds a finished type. Rules without an id are named after their state and index: "patrol#0".
/// @param def    NULL for the default. @param words  NULL for none.
/// @return PLOY_ERR_NOT_FOUND for an unknown word (diags give its name and position),
///         PLOY_ERR_FORMAT for anything that the type refuses, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_machine_build(const ploy_machine *machine, const ploy_hsm_def *def,
                                        const ploy_machine_words *words, const ploy_env *env,
                                        ploy_diags *diags, ploy_hsm_type **out);

/// Builds a flat machine. It begins in its initial state or, without one, in its first.
PLOY_API ploy_result ploy_machine_build_fsm(const ploy_machine *machine, const ploy_fsm_def *def,
                                            const ploy_machine_words *words, const ploy_env *env,
                                            ploy_diags *diags, ploy_fsm_type **out);
/// True if the document uses a feature of flat machines only.
PLOY_API bool ploy_machine_is_flat(const ploy_machine *machine);

/// The comparison of a machine with a script of expected states.
typedef struct ploy_machine_report {
    int32_t checks; ///< configurations compared
    bool same;      ///< all of them were equal
    int32_t event;  ///< the first difference: after this event, from 0; -1: at the start
    char want[512]; ///< innermost active states at that point, in order of their ids; truncated
    char got[512];
} ploy_machine_report;

/// Runs a new machine through a script, the JSON form of the SCION tests:
///
///     {"initialConfiguration": ["a"], "events": [
///       {"event": {"name": "t"}, "after": 100, "nextConfiguration": ["b"]}]}
///
/// A configuration names the active states that have no inner states; `after` waits that many
/// milliseconds before the event. Without events, the machine first runs until no delayed event is
/// left (at most `patience` seconds of its clock), as the W3C's tests require.
/// @return PLOY_ERR_FORMAT for an invalid script, the machine's error, or PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_machine_compare(const ploy_hsm_type *type, const void *bytes, size_t size,
                                          const char *name, double patience, const ploy_env *env,
                                          ploy_diags *diags, ploy_machine_report *out);

/// Writes the active states that have no inner states, in order of their ids, separated by blanks.
PLOY_API ploy_result ploy_machine_write_active(const ploy_hsm *hsm, const ploy_env *env,
                                               ploy_writer *writer);
