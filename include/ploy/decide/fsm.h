/// @file ploy/decide/fsm.h
/// Finite state machines: a character is in one state, executes it, and changes to other states by
/// rules.
///
/// A ploy_fsm_type is the definition: states with hooks or nested behaviors, and a table of rules.
/// It is built once, finished and shared; a ploy_fsm is one character's machine.
///
///     ploy_fsm_state dig = ploy_fsm_type_state(type, "dig", &dig_hooks, ploy_maker_none());
///     ploy_fsm_state rest = ploy_fsm_type_state(type, "rest", &rest_hooks, ploy_maker_none());
///     ploy_fsm_rule tire = ploy_fsm_rule_make("tired", dig, tired, rest);
///     ploy_fsm_type_add(type, &tire);
///     ploy_fsm_type_finish(type, dig);
///
/// One step: the global state executes; the rules that apply are tested, first those of every
/// state, then those of the current state, by priority and then in the order added; the first rule
/// whose condition holds fires: exit, the rule's action, enter; then the current state executes.
/// The order of these phases and the choice among rules are settings. Hooks may also change the
/// state themselves, at any time.
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 2 (state objects, global state,
/// blips); Millington, "AI for Games", 5.3 (tables, decision trees as transitions, alarms). Faults
/// are kept as in condition.h. Cost of a step: O(rules of the state). Nothing allocates after
/// create. Threads: a finished type may be used by many threads; a machine takes one caller at a
/// time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/decide/decision_tree.h"
#include "ploy/exec/maker.h"

/// Most state changes by hooks within one change; more count as an endless loop.
#define PLOY_FSM_CHANGES_MAX 64

/// The definition, and one character's machine. Opaque.
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

/// Passed to each hook.
typedef struct ploy_fsm_turn {
    ploy_fsm *fsm;
    ploy_step_context *context;
    void *owner; ///< as given to create
    void *data;  ///< the state's private bytes of this machine, or NULL
} ploy_fsm_turn;

/// The hooks of a state; each may be NULL. They are shared by all machines of the type, so keep
/// data that differs between characters in the owner, on the blackboard or in the state's private
/// bytes.
typedef struct ploy_fsm_hooks {
    ploy_result (*enter)(void *user, const ploy_fsm_turn *turn);
    ploy_result (*execute)(void *user, const ploy_fsm_turn *turn);
    void (*exit)(void *user, const ploy_fsm_turn *turn);
    ploy_result (*message)(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                           bool *handled);
    void (*describe)(void *user, const void *data, ploy_describe *out); ///< the private bytes
    void *user;
} ploy_fsm_hooks;

/// When the current state executes in a step.
typedef enum ploy_fsm_order {
    PLOY_FSM_RULES_FIRST,   ///< after the rules: the new state, if one fired
    PLOY_FSM_EXECUTE_FIRST, ///< before the rules
    PLOY_FSM_EITHER         ///< only if no rule fired
} ploy_fsm_order;

/// Which of the rules that hold fires.
typedef enum ploy_fsm_arbiter {
    PLOY_FSM_FIRST,         ///< the first one; the rest are not tested
    PLOY_FSM_LAST,          ///< the last one, as in a list of assignments
    PLOY_FSM_RANDOM,        ///< one at random
    PLOY_FSM_LEAST_RECENT,  ///< the one that fired longest ago, or never
    PLOY_FSM_MOST_SPECIFIC, ///< the one with the most single tests
    PLOY_FSM_SCORE          ///< the one with the largest score; a rule without a score has 0
} ploy_fsm_arbiter;

/// Settings of a type.
typedef struct ploy_fsm_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_fsm_order order;
    ploy_fsm_arbiter arbiter;
    bool deferred;      ///< changes requested by hooks wait until the hook has returned
    bool enter_initial; ///< the first state's enter is called at the start
    bool remember;      ///< when entered again, the machine continues in the state it was left in
    int32_t stack;      ///< most states on the stack at a time
    int32_t record;     ///< most changes that each machine records, see ploy_fsm_record_at
    float idle;         ///< s without a change until the idle state is entered; 0: never
} ploy_fsm_def;

PLOY_API ploy_fsm_def ploy_fsm_def_default(void);
PLOY_API ploy_fields ploy_fsm_fields(void);

/// Creates an empty type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_fsm_type_create(const ploy_fsm_def *def,
                                          const ploy_blackboard_layout *layout, const ploy_env *env,
                                          ploy_fsm_type **out);
/// NULL is allowed. Destroy its machines first.
PLOY_API void ploy_fsm_type_destroy(ploy_fsm_type *type);

/// Returns the set of conditions that the rules test; add to it while building.
PLOY_API ploy_conditions *ploy_fsm_type_conditions(ploy_fsm_type *type);
/// Returns the layout of the blackboards that its machines run with; NULL: none.
PLOY_API const ploy_blackboard_layout *ploy_fsm_type_layout(const ploy_fsm_type *type);

/// Adds a state.
/// @param id      stable, unique in the type.
/// @param hooks   copied; NULL: none.
/// @param inside  makes a behavior that runs after execute while the machine is in the state; test
///                its status with a condition to see when it is done. An error inside the behavior
///                counts as FAILURE, see maker.h. Messages go to the behavior first.
PLOY_API ploy_fsm_state ploy_fsm_type_state(ploy_fsm_type *type, const char *id,
                                            const ploy_fsm_hooks *hooks, ploy_maker inside);

/// Gives the state private bytes in every machine, aligned to 16, at most 1 MiB.
/// @param keep  true: the bytes are kept between visits; false: they are zeroed before each enter.
PLOY_API ploy_result ploy_fsm_type_set_data(ploy_fsm_type *type, ploy_fsm_state state, size_t size,
                                            bool keep);
/// Makes the state final: in it the machine is done, and its step returns the status, SUCCESS or
/// FAILURE.
PLOY_API ploy_result ploy_fsm_type_set_final(ploy_fsm_type *type, ploy_fsm_state state,
                                             ploy_status status);
/// Sets hooks that execute before every state; messages reach them last.
PLOY_API ploy_result ploy_fsm_type_set_global(ploy_fsm_type *type, const ploy_fsm_hooks *hooks);
/// Sets the state entered after def.idle seconds without a change.
PLOY_API ploy_result ploy_fsm_type_set_idle(ploy_fsm_type *type, ploy_fsm_state state);

/// What a rule does when it fires.
typedef enum ploy_fsm_effect {
    PLOY_FSM_GO,     ///< to its target; from a state to itself: exit and enter
    PLOY_FSM_PUSH,   ///< to its target; the current state is pushed on the stack
    PLOY_FSM_POP,    ///< to the state on top of the stack
    PLOY_FSM_REVERT, ///< to the state before this one
    PLOY_FSM_STAY    ///< no change: only its action runs
} ploy_fsm_effect;

/// The target of a leaf of a rule's decision tree.
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
    const char *on;      ///< the kind of message that it answers; NULL: tested in each step
    /// Finished; NULL: none. The leaf that the tree reaches names the target: the entry in
    /// `leaves`, or the state with the leaf's id. No leaf: the machine stays.
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
/// Adds a rule; copied. @return the first fault, as finish does.
PLOY_API ploy_result ploy_fsm_type_add(ploy_fsm_type *type, const ploy_fsm_rule *rule);

/// Adds an alarm: from every state of a lower level to `state`, which gets this level, when
/// `raised` holds; back to the interrupted state when `over` holds. Each level needs one place on
/// the stack. The highest level wins.
/// @param level  1 or more; ordinary states have 0.
/// @return PLOY_ERR_LIMIT if the alarms have more levels than def.stack has places.
PLOY_API ploy_result ploy_fsm_type_alarm(ploy_fsm_type *type, const char *id, int32_t level,
                                         ploy_condition raised, ploy_fsm_state state,
                                         ploy_condition over);

/// Finishes the type. Checks that the behaviors inside its states fit the layout, see maker.h.
/// @return the first fault.
PLOY_API ploy_result ploy_fsm_type_finish(ploy_fsm_type *type, ploy_fsm_state initial);

PLOY_API int32_t ploy_fsm_type_count(const ploy_fsm_type *type);
/// The state with that id, or none; and the id of a state, "" for none.
PLOY_API ploy_fsm_state ploy_fsm_type_find(const ploy_fsm_type *type, const char *id);
PLOY_API const char *ploy_fsm_type_id(const ploy_fsm_type *type, ploy_fsm_state state);

/// One rule, for tools and pictures.
typedef struct ploy_fsm_rule_info {
    const char *id;
    ploy_fsm_state from; ///< none: every state but the target
    ploy_fsm_state to;   ///< none for effects without one, and where a decision tree names it
    ploy_fsm_effect effect;
} ploy_fsm_rule_info;

/// Rules in the order added; an alarm counts as two. @return PLOY_ERR_ARGUMENT if there is no such
/// rule.
PLOY_API int32_t ploy_fsm_type_rule_count(const ploy_fsm_type *type);
PLOY_API ploy_result ploy_fsm_type_rule_at(const ploy_fsm_type *type, int32_t index,
                                           ploy_fsm_rule_info *out);

/// Reports likely mistakes in a finished type: states that no rule leads to, rules that never fire
/// because an earlier one always does, states that do nothing and cannot be left. @return how many.
/// diags may be NULL.
PLOY_API int32_t ploy_fsm_type_lint(const ploy_fsm_type *type, ploy_diags *diags);

/// Writes the states and rules as a Graphviz graph.
PLOY_API void ploy_fsm_type_print(const ploy_fsm_type *type, ploy_writer *writer);

/// @param type   finished; must outlive the machine.
/// @param owner  passed to the hooks; may be NULL.
PLOY_API ploy_result ploy_fsm_create(const ploy_fsm_type *type, void *owner, const ploy_env *env,
                                     ploy_fsm **out);
/// NULL is allowed. Calls no hook.
PLOY_API void ploy_fsm_destroy(ploy_fsm *fsm);

/// Returns the machine as a behavior. Enter starts the machine, exit leaves the current state.
PLOY_API ploy_behavior ploy_fsm_behavior(ploy_fsm *fsm);
/// A maker that creates machines without an owner. @param type  finished, and must outlive what
/// holds the maker.
PLOY_API ploy_maker ploy_fsm_type_maker(ploy_fsm_type *type);

/// Leaves the current state and enters another at once, even when called from a hook, whose
/// remaining code still runs. A change requested in an exit hook happens after the change in
/// progress.
/// @return PLOY_ERR_STATE if the machine is not started, PLOY_ERR_ARGUMENT if there is no such
///         state, PLOY_ERR_LIMIT after PLOY_FSM_CHANGES_MAX changes in one change; any error that
///         enter returned.
PLOY_API ploy_result ploy_fsm_change(ploy_fsm *fsm, ploy_step_context *context,
                                     ploy_fsm_state state);
/// Changes back to the previous state. @return PLOY_ERR_STATE if there is none; as change.
PLOY_API ploy_result ploy_fsm_revert(ploy_fsm *fsm, ploy_step_context *context);
/// Pushes the current state on the stack and changes. If the change is delayed (see
/// ploy_fsm_change), the push happens with the change. @return PLOY_ERR_CAPACITY; as change.
PLOY_API ploy_result ploy_fsm_push(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state);
/// Changes back to the state on top of the stack. @return PLOY_ERR_STATE if there is none; as
/// change.
PLOY_API ploy_result ploy_fsm_pop(ploy_fsm *fsm, ploy_step_context *context);

/// The current state, or none while not started; the previous state; the number of states on the
/// stack.
PLOY_API ploy_fsm_state ploy_fsm_current(const ploy_fsm *fsm);
PLOY_API ploy_fsm_state ploy_fsm_previous(const ploy_fsm *fsm);
PLOY_API bool ploy_fsm_is_in(const ploy_fsm *fsm, const char *id);
/// s in the current state, and the number of changes so far.
PLOY_API double ploy_fsm_elapsed(const ploy_fsm *fsm);
/// The id of the rule that led to the current state; "" if none did.
PLOY_API const char *ploy_fsm_last_rule(const ploy_fsm *fsm);
PLOY_API const ploy_fsm_type *ploy_fsm_type_of(const ploy_fsm *fsm);

/// One recorded change of state.
typedef struct ploy_fsm_record {
    ploy_fsm_state from, to;
    const char *rule; ///< the id of the rule that led there; "" if none did
    uint64_t tick;
    double now; ///< s
} ploy_fsm_record;

/// The last changes, at most def.record, for debugging. They are not part of the saved state: a
/// loaded or swapped machine begins without records.
/// @param index  0 is the latest. @return PLOY_ERR_ARGUMENT if there is no such record.
PLOY_API int32_t ploy_fsm_record_count(const ploy_fsm *fsm);
PLOY_API ploy_result ploy_fsm_record_at(const ploy_fsm *fsm, int32_t index, ploy_fsm_record *out);

/// Replaces the whole type of a machine at run time, for example after an edit while the game runs.
/// With `keep`, a state of the same id continues without exit and enter, with its private bytes (if
/// of equal size) and its behavior (which is moved or saved and loaded, see ploy_nested_hand_over).
/// Otherwise the current state is left and the new machine starts.
/// @param kept  set to whether the state continued; may be NULL.
/// @return PLOY_ERR_STATE if the type is not finished, PLOY_ERR_MEMORY; the machine is then
///         unchanged. Any error that enter returned; the new machine has then started.
PLOY_API ploy_result ploy_fsm_swap(ploy_fsm *fsm, ploy_step_context *context,
                                   const ploy_fsm_type *type, bool keep, bool *kept);

PLOY_API void ploy_fsm_describe(const ploy_fsm *fsm, ploy_describe *out);
