/// @file ploy/decide/fsm.h
/// Finite state machines: a character is in one state, does what the state does, and rules lead to
/// others.
///
/// A ploy_fsm_type is the definition: states with hooks or nested behaviors, and a table of rules.
/// It is built once, finished and shared; a ploy_fsm is one character in it.
///
///     ploy_fsm_state dig = ploy_fsm_type_state(type, "dig", &dig_hooks, ploy_maker_none());
///     ploy_fsm_state rest = ploy_fsm_type_state(type, "rest", &rest_hooks, ploy_maker_none());
///     ploy_fsm_rule tire = ploy_fsm_rule_make("tired", dig, tired, rest);
///     ploy_fsm_type_add(type, &tire);
///     ploy_fsm_type_finish(type, dig);
///
/// One step: the global state executes; the rules that apply are looked at, those of every state
/// first, then the present one's, in the order of priority and then of adding; the first whose
/// condition holds fires: exit, the rule's action, enter; then the present state executes. The
/// order and the choice among rules are settings. Hooks may also change the state themselves, at
/// any time.
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 2 (state objects, global state,
/// blips); Millington, "AI for Games", 5.3 (tables, decision trees as transitions, alarms).
/// Faults stay as in condition.h. Cost of a step: O(rules of the state). Nothing allocates after
/// create. Threads: a finished type may be used by many; a machine takes one caller at a time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/decide/decision_tree.h"
#include "ploy/exec/maker.h"

/// How often hooks may change the state within one change before it counts as endless.
#define PLOY_FSM_CHANGES_MAX 64

/// The definition, and one character in it. Opaque.
typedef struct ploy_fsm_type ploy_fsm_type;
typedef struct ploy_fsm ploy_fsm;

/// A state of one type. All zero means none; as the source of a rule, every state.
typedef struct ploy_fsm_state {
    uint32_t number;
} ploy_fsm_state;

static inline ploy_fsm_state ploy_fsm_state_none(void) {
    ploy_fsm_state state = {0};
    return state;
}

static inline bool ploy_fsm_state_equal(ploy_fsm_state a, ploy_fsm_state b) {
    return a.number == b.number;
}

/// What a hook is called with.
typedef struct ploy_fsm_turn {
    ploy_fsm *fsm;
    ploy_step_context *context;
    void *owner; ///< as given to create
    void *data;  ///< the state's private bytes of this machine, or NULL
} ploy_fsm_turn;

/// What a state does; any may be NULL. Shared by all machines of the type, so that what differs
/// between characters is in the owner, on the blackboard or in the state's private bytes.
typedef struct ploy_fsm_hooks {
    ploy_result (*enter)(void *user, const ploy_fsm_turn *turn);
    ploy_result (*execute)(void *user, const ploy_fsm_turn *turn);
    void (*exit)(void *user, const ploy_fsm_turn *turn);
    ploy_result (*message)(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                           bool *handled);
    void (*describe)(void *user, const void *data, ploy_describe *out); ///< the private bytes
    void *user;
} ploy_fsm_hooks;

/// When the present state executes in a step.
typedef enum ploy_fsm_order {
    PLOY_FSM_RULES_FIRST,   ///< after the rules: the new state, if one fired
    PLOY_FSM_EXECUTE_FIRST, ///< before the rules
    PLOY_FSM_EITHER         ///< only if no rule fired
} ploy_fsm_order;

/// Which of the rules that hold fires.
typedef enum ploy_fsm_arbiter {
    PLOY_FSM_FIRST,         ///< the rest is not looked at
    PLOY_FSM_LAST,          ///< as a list of assignments, the last of which counts
    PLOY_FSM_RANDOM,        ///< any of them
    PLOY_FSM_LEAST_RECENT,  ///< the one that fired longest ago, or never
    PLOY_FSM_MOST_SPECIFIC, ///< the one with the most single tests
    PLOY_FSM_SCORE          ///< the largest score, asked from the rule; without one it scores 0
} ploy_fsm_arbiter;

/// Settings of a type.
typedef struct ploy_fsm_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_fsm_order order;
    ploy_fsm_arbiter arbiter;
    bool deferred;      ///< changes asked for by hooks wait until the hook has returned
    bool enter_initial; ///< the first state's enter is called at the start
    bool remember;      ///< entered again, the machine goes on in the state in which it was left
    int32_t stack;      ///< states that may be put aside at a time
    int32_t record;     ///< changes that each machine remembers, see ploy_fsm_record_at
    float idle;         ///< s without a change until the idle state is entered; 0: never
} ploy_fsm_def;

PLOY_API ploy_fsm_def ploy_fsm_def_default(void);
PLOY_API ploy_fields ploy_fsm_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_fsm_type_create(const ploy_fsm_def *def,
                                          const ploy_blackboard_layout *layout, const ploy_env *env,
                                          ploy_fsm_type **out);
/// NULL is allowed. Its machines must be gone.
PLOY_API void ploy_fsm_type_destroy(ploy_fsm_type *type);

/// The conditions that its rules test; add to it while building.
PLOY_API ploy_conditions *ploy_fsm_type_conditions(ploy_fsm_type *type);
/// The layout of the blackboards that it runs with; NULL: none.
PLOY_API const ploy_blackboard_layout *ploy_fsm_type_layout(const ploy_fsm_type *type);

/// Adds a state.
/// @param id      stable, different from the others'.
/// @param hooks   copied; NULL: none.
/// @param inside  makes a behavior that runs while the machine is in the state, after execute; a
///                condition on its status reports when it is done. An error inside it is FAILURE, see
///                maker.h. Messages go to it first.
PLOY_API ploy_fsm_state ploy_fsm_type_state(ploy_fsm_type *type, const char *id,
                                            const ploy_fsm_hooks *hooks, ploy_maker inside);

/// Gives the state private bytes in every machine, aligned to 16, at most 1 MiB.
/// @param keep  they stay from visit to visit; otherwise they are zeroed before each enter.
PLOY_API ploy_result ploy_fsm_type_set_data(ploy_fsm_type *type, ploy_fsm_state state, size_t size,
                                            bool keep);
/// In this state the machine is done: its step returns the status, SUCCESS or FAILURE.
PLOY_API ploy_result ploy_fsm_type_set_final(ploy_fsm_type *type, ploy_fsm_state state,
                                             ploy_status status);
/// What is done in every state, before it; messages come here last.
PLOY_API ploy_result ploy_fsm_type_set_global(ploy_fsm_type *type, const ploy_fsm_hooks *hooks);
/// The state entered after def.idle seconds without a change.
PLOY_API ploy_result ploy_fsm_type_set_idle(ploy_fsm_type *type, ploy_fsm_state state);

/// What a rule does when it fires.
typedef enum ploy_fsm_effect {
    PLOY_FSM_GO,     ///< to its target; from a state to itself it leaves and enters
    PLOY_FSM_PUSH,   ///< to its target; the present state is put aside
    PLOY_FSM_POP,    ///< to the state put aside last
    PLOY_FSM_REVERT, ///< to the state before this one
    PLOY_FSM_STAY    ///< nowhere: only its action is done
} ploy_fsm_effect;

/// What a leaf of a rule's decision tree leads to.
typedef struct ploy_fsm_leaf {
    const char *id; ///< of the leaf
    ploy_fsm_state to;
    ploy_result (*action)(void *user, const ploy_fsm_turn *turn); ///< NULL: the rule's
    void *user;
} ploy_fsm_leaf;

/// A rule. Start from ploy_fsm_rule_make().
typedef struct ploy_fsm_rule {
    const char *id;
    ploy_fsm_state from; ///< none: every state but the target
    ploy_fsm_state to;   ///< of GO and PUSH
    ploy_condition when; ///< none: always
    const char *on;      ///< the kind of message that it answers; NULL: looked at in each step
    /// Finished. The leaf that it comes to names the target: as `leaves` say, or the state of the
    /// leaf's id. No leaf: the machine stays.
    const ploy_decision_tree *tree;
    const ploy_fsm_leaf *leaves; ///< copied; may be NULL
    int32_t leaf_count;
    int32_t priority; ///< larger first
    ploy_fsm_effect effect;
    ploy_result (*action)(void *user, const ploy_fsm_turn *turn); ///< between exit and enter
    ploy_score score; ///< of the type's conditions, for PLOY_FSM_SCORE
    void *user;
} ploy_fsm_rule;

PLOY_API ploy_fsm_rule ploy_fsm_rule_make(const char *id, ploy_fsm_state from, ploy_condition when,
                                          ploy_fsm_state to);
/// Adds a rule; copied. @return the fault, if there was one, as finish will.
PLOY_API ploy_result ploy_fsm_type_add(ploy_fsm_type *type, const ploy_fsm_rule *rule);

/// Adds an alarm: from every state of a lower level to `state`, which gets this level, when
/// `raised` holds; back to what was interrupted when `over` holds. Needs room on the stack for each
/// level. The highest level wins.
/// @param level  1 or more; ordinary states have 0.
/// @return PLOY_ERR_LIMIT if the alarms have more levels than def.stack has places.
PLOY_API ploy_result ploy_fsm_type_alarm(ploy_fsm_type *type, const char *id, int32_t level,
                                         ploy_condition raised, ploy_fsm_state state,
                                         ploy_condition over);

/// Ends the building. Checks that the behaviors inside its states fit the layout, see maker.h.
/// @return the first fault.
PLOY_API ploy_result ploy_fsm_type_finish(ploy_fsm_type *type, ploy_fsm_state initial);

PLOY_API int32_t ploy_fsm_type_count(const ploy_fsm_type *type);
/// The state with that id, or none; and the id's text, "" for none.
PLOY_API ploy_fsm_state ploy_fsm_type_find(const ploy_fsm_type *type, const char *id);
PLOY_API const char *ploy_fsm_type_id(const ploy_fsm_type *type, ploy_fsm_state state);

/// One rule, for tools and pictures.
typedef struct ploy_fsm_rule_info {
    const char *id;
    ploy_fsm_state from; ///< none: every state but the target
    ploy_fsm_state to;   ///< none for effects without one, and where a decision tree names it
    ploy_fsm_effect effect;
} ploy_fsm_rule_info;

/// Rules in the order of adding, an alarm being two. @return PLOY_ERR_ARGUMENT if there is none
/// such.
PLOY_API int32_t ploy_fsm_type_rule_count(const ploy_fsm_type *type);
PLOY_API ploy_result ploy_fsm_type_rule_at(const ploy_fsm_type *type, int32_t index,
                                           ploy_fsm_rule_info *out);

/// Doubts about a finished type: states that no rule leads to, rules that never get their turn
/// because one before them always fires, states that neither do anything nor can be left.
/// @return how many. diags may be NULL.
PLOY_API int32_t ploy_fsm_type_lint(const ploy_fsm_type *type, ploy_diags *diags);

/// Writes the states and rules as a Graphviz graph.
PLOY_API void ploy_fsm_type_print(const ploy_fsm_type *type, ploy_writer *writer);

/// @param type   finished; must outlive the machine.
/// @param owner  handed to the hooks; may be NULL.
PLOY_API ploy_result ploy_fsm_create(const ploy_fsm_type *type, void *owner, const ploy_env *env,
                                     ploy_fsm **out);
/// NULL is allowed. Calls no hook.
PLOY_API void ploy_fsm_destroy(ploy_fsm *fsm);

/// As a behavior. Enter starts it, exit leaves the present state.
PLOY_API ploy_behavior ploy_fsm_behavior(ploy_fsm *fsm);
/// Makes machines without an owner. @param type  finished, and must outlive what holds the maker.
PLOY_API ploy_maker ploy_fsm_type_maker(ploy_fsm_type *type);

/// Leaves the present state and enters another: at once, also from inside a hook, whose remaining
/// code still runs. Asked for in an exit hook it happens after the change under way.
/// @return PLOY_ERR_STATE if the machine is not started, PLOY_ERR_ARGUMENT if there is no such
///         state, PLOY_ERR_LIMIT after PLOY_FSM_CHANGES_MAX changes in one; what enter returned.
PLOY_API ploy_result ploy_fsm_change(ploy_fsm *fsm, ploy_step_context *context,
                                     ploy_fsm_state state);
/// Back to the state before this one. @return PLOY_ERR_STATE if there is none; as change.
PLOY_API ploy_result ploy_fsm_revert(ploy_fsm *fsm, ploy_step_context *context);
/// Puts the present state aside and changes. Where the change waits (see change), the state is put
/// aside when it happens. @return PLOY_ERR_CAPACITY; as change.
PLOY_API ploy_result ploy_fsm_push(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state);
/// Back to the state put aside last. @return PLOY_ERR_STATE if there is none; as change.
PLOY_API ploy_result ploy_fsm_pop(ploy_fsm *fsm, ploy_step_context *context);

/// The present state, or none while not started; the one before it; states put aside.
PLOY_API ploy_fsm_state ploy_fsm_current(const ploy_fsm *fsm);
PLOY_API ploy_fsm_state ploy_fsm_previous(const ploy_fsm *fsm);
PLOY_API bool ploy_fsm_is_in(const ploy_fsm *fsm, const char *id);
/// s in the present state, and changes so far.
PLOY_API double ploy_fsm_elapsed(const ploy_fsm *fsm);
/// The id of the rule that led here; "" if none did.
PLOY_API const char *ploy_fsm_last_rule(const ploy_fsm *fsm);
PLOY_API const ploy_fsm_type *ploy_fsm_type_of(const ploy_fsm *fsm);

/// One change of state in the past.
typedef struct ploy_fsm_record {
    ploy_fsm_state from, to;
    const char *rule; ///< the id of the rule that led there; "" if none did
    uint64_t tick;
    double now; ///< s
} ploy_fsm_record;

/// The last changes, at most def.record, for looking back when something went wrong. They are no
/// part of the state: a loaded or swapped machine begins without.
/// @param index  0 is the latest. @return PLOY_ERR_ARGUMENT if there is none such.
PLOY_API int32_t ploy_fsm_record_count(const ploy_fsm *fsm);
PLOY_API ploy_result ploy_fsm_record_at(const ploy_fsm *fsm, int32_t index, ploy_fsm_record *out);

/// Exchanges the whole machine at run time. With `keep`, a state of the same id goes on without
/// exit and enter, with its private bytes (if of equal size) and its behavior (which is moved or
/// saved and loaded, see ploy_nested_hand_over): a definition edited while the game runs. Otherwise
/// the present state is left and the new machine starts.
/// @param kept  whether the state went on; may be NULL.
/// @return PLOY_ERR_STATE if the type is not finished, PLOY_ERR_MEMORY; unchanged then. What enter
///         returned, with the new machine started.
PLOY_API ploy_result ploy_fsm_swap(ploy_fsm *fsm, ploy_step_context *context,
                                   const ploy_fsm_type *type, bool keep, bool *kept);

PLOY_API void ploy_fsm_describe(const ploy_fsm *fsm, ploy_describe *out);
