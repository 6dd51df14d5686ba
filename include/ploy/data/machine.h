/// @file ploy/data/machine.h
/// State machines as files: SCXML (W3C Recommendation, 2015) without a scripting data model, and
/// our JSON. A document becomes a chart (ploy_hsm_type) or, if it has no inner states, a flat table
/// of states and rules (ploy_fsm_type).
///
/// A ploy_machine is the document: it can be written in either form and built into types. Loaders
/// go on after a fault and report all of a file, each with line, column and the nearest valid name.
///
/// SCXML: scxml, state, parallel, final, initial, history, transition, onentry, onexit, raise,
/// send, cancel, log, if, elseif, else. What a game adds are two elements of any prefix: `<call
/// name="x"/>` in a content calls an action of the words, `<run name="x"/>` in a state calls it in
/// each step. A send that SCXML cannot deliver raises error.execution or error.communication, as it
/// says. Elements of other namespaces are passed over; data, script, assign, foreach and invoke are
/// faults.
///
/// JSON, in which comments and trailing commas are allowed:
///
///     {"name": "guard", "initial": "patrol", "states": [
///       {"id": "patrol", "run": "walk", "enter": [{"log": "all quiet"}], "rules": [
///         {"on": "noise", "if": "!In('asleep') && health > 10", "to": "search",
///          "do": [{"send": "bored", "delay": "3s", "id": "t"}]}]}, ...]}
///
/// A state has id, kind ("state", "parallel", "final", "history", "deep_history"), initial,
/// on_initial, enter, exit, run, rules, states; a rule id, on, if, to, internal, do; a step of a
/// content is one of raise, send (with id, delay, target, type), cancel, log (with value), call, or
/// {"if": ..., "then": [...], "else": [...]}.
///
/// Flat machines may have more: `rules` of the machine itself, which are looked at in every state;
/// `run` of the machine, done in every state; `idle`, the state entered when nothing changed for
/// long; in a rule `effect` ("go", "push", "pop", "revert", "stay") and `priority`; in a final
/// state `status` ("success" or "failure"). A chart refuses these, and a flat machine refuses what
/// belongs to charts: states in states, regions, history, contents.
///
///     {"initial": "patrol", "states": [
///       {"id": "patrol", "run": "walk", "rules": [{"if": "sees", "to": "chase"}]},
///       {"id": "chase", "run": "hunt", "rules": [{"if": "!sees && after(2)", "to": "patrol"}]},
///       {"id": "flee", "run": "hurry"}],
///      "rules": [{"id": "hurt", "if": "health <= 10", "to": "flee", "priority": 1}]}
///
/// Conditions are texts of ploy/decide/condition.h: words of the game (`sees`, `near(20)`), keys
/// (`armed`, `health <= 10`, `mood == 'angry'`), joined by `! && ||` (or not, and, or) and
/// parentheses. Charts add `In('id')`, flat machines have `after(2)` (seconds in the state). In
/// machine files `!` is as loose as `not`: `!health < 10` means `!(health < 10)`.
///
/// Cost: linear in the file, but for ids, of which there are at most PLOY_HSM_STATES_MAX.
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
/// NULL is allowed. Types built from it live on.
PLOY_API void ploy_machine_destroy(ploy_machine *machine);

/// Writes it. What is read back equals it. @return PLOY_ERR_UNSUPPORTED for SCXML of a flat
/// machine.
PLOY_API ploy_result ploy_machine_save_scxml(const ploy_machine *machine, ploy_writer *writer);
PLOY_API ploy_result ploy_machine_save_json(const ploy_machine *machine, ploy_writer *writer);

/// The scxml's name, or "".
PLOY_API const char *ploy_machine_name(const ploy_machine *machine);

/// An action of the game, by name.
typedef struct ploy_machine_action {
    const char *name;
    ploy_hsm_action_fn fn;
    void *user;
} ploy_machine_action;

/// What a state may run: hooks, which flat machines call, and a behavior inside, which both have.
typedef struct ploy_machine_work {
    const char *name;
    ploy_fsm_hooks hooks;
    ploy_maker inside; ///< all zero: none
} ploy_machine_work;

/// The vocabulary of a game. All zero is none.
typedef struct ploy_machine_words {
    const ploy_blackboard_layout *layout; ///< must outlive the type; NULL: no keys
    const ploy_word *tests;               ///< words of its conditions
    int32_t test_count;
    const ploy_machine_action *actions; ///< of charts: contents call them, states run them
    int32_t action_count;
    const ploy_machine_work *works;
    int32_t work_count;
} ploy_machine_words;

/// A word that a document uses, for tools that bring stand-ins.
typedef enum ploy_machine_use {
    PLOY_MACHINE_USES_ACTION, ///< of contents, and what states run
    PLOY_MACHINE_USES_CALL,   ///< a function of conditions: `near(20)`
    PLOY_MACHINE_USES_NAME,   ///< a key or a function without arguments: `sees`, `health < 10`
    PLOY_MACHINE_USES_TEXT    ///< a key that is compared with a quoted text
} ploy_machine_use;

/// @param count  arguments of a call, else 0. Words come as often as they are used.
typedef ploy_result (*ploy_machine_use_fn)(void *user, ploy_machine_use use, const char *name,
                                           int32_t count);
/// Reports every word that the game has to bring; `In`, `after`, `on` and `status` are not.
/// @return PLOY_ERR_MEMORY, or what fn returned.
PLOY_API ploy_result ploy_machine_uses(const ploy_machine *machine, ploy_machine_use_fn fn,
                                       void *user);

/// Makes a finished type. Rules without an id are named after their state and place: "patrol#0".
/// @param def    NULL for the default. @param words  NULL for none.
/// @return PLOY_ERR_NOT_FOUND for a word that is not there (the diags give name and place),
///         PLOY_ERR_FORMAT for what the type refuses, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_machine_build(const ploy_machine *machine, const ploy_hsm_def *def,
                                        const ploy_machine_words *words, const ploy_env *env,
                                        ploy_diags *diags, ploy_hsm_type **out);

/// The same for a flat machine. The machine begins in its initial state, or in its first.
PLOY_API ploy_result ploy_machine_build_fsm(const ploy_machine *machine, const ploy_fsm_def *def,
                                            const ploy_machine_words *words, const ploy_env *env,
                                            ploy_diags *diags, ploy_fsm_type **out);
/// True if something in it is for flat machines alone.
PLOY_API bool ploy_machine_is_flat(const ploy_machine *machine);

/// How a machine compares with a script of what it should do.
typedef struct ploy_machine_report {
    int32_t checks; ///< configurations compared
    bool same;      ///< all of them were equal
    int32_t event;  ///< the first difference: after this event, from 0; -1: at the start
    char want[512]; ///< there, the innermost active states in order of their ids; cut
    char got[512];
} ploy_machine_report;

/// Runs a new machine through a script, the JSON form of the SCION tests:
///
///     {"initialConfiguration": ["a"], "events": [
///       {"event": {"name": "t"}, "after": 100, "nextConfiguration": ["b"]}]}
///
/// A configuration names the active states without inner ones; `after` waits that many milliseconds
/// before the event. Without events the machine first runs until nothing is sent for later any more
/// (at most `patience` seconds of its clock), as the W3C's tests require.
/// @return PLOY_ERR_FORMAT if it is no script, what the machine returned, or PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_machine_compare(const ploy_hsm_type *type, const void *bytes, size_t size,
                                          const char *name, double patience, const ploy_env *env,
                                          ploy_diags *diags, ploy_machine_report *out);

/// Writes the active states without inner ones, in order of their ids, divided by blanks.
PLOY_API ploy_result ploy_machine_write_active(const ploy_hsm *hsm, const ploy_env *env,
                                               ploy_writer *writer);
