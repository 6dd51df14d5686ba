/// @file ploy/decide/hsm.h
/// Hierarchical state machines (statecharts): states inside states, regions side by side, history.
///
/// Everything happens in the order that SCXML defines (W3C Recommendation, 2015, "Algorithm for
/// SCXML Interpretation"): an inner state's rules come before its ancestors', states are left from
/// the inside out and entered from the outside in, and events raised meanwhile are handled before
/// those from outside. The policy `keep_inner` follows Millington, "AI for Games", 5.3.9, instead:
/// an outer state's rules come first, and a state that is left as a whole remembers its inner state
/// without leaving it.
///
/// States are added in document order: the descendants of a state directly after it.
///
///     ploy_hsm_state work = ploy_hsm_type_state(type, "work", root, PLOY_HSM_STATE, ...);
///     ploy_hsm_state search = ploy_hsm_type_state(type, "search", work, PLOY_HSM_STATE, ...);
///
/// Faults are kept as in condition.h. A step handles all waiting events, follows every rule that
/// has no event and whose condition holds, then executes the active states, inner ones first. Cost:
/// O(active states and their rules) per change, plus O(states / 64). Nothing allocates after
/// create. Threads: many threads may use a finished type; a machine takes one caller at a time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

/// Maximum number of states in a type, and of parts of an event's name ("error.door.locked" has
/// three).
#define PLOY_HSM_STATES_MAX 4096
#define PLOY_HSM_EVENT_PARTS 8

typedef struct ploy_hsm_type ploy_hsm_type;
typedef struct ploy_hsm ploy_hsm;

/// A state of one type. All zero is the machine itself, which holds the outermost states.
typedef struct ploy_hsm_state {
    uint32_t number;
} ploy_hsm_state;

static inline ploy_hsm_state ploy_hsm_root(void) {
    ploy_hsm_state state = {0};
    return state;
}

/// What happened. Dots divide the name into parts, and rules match leading parts: a rule for
/// "error" also answers "error.door".
typedef struct ploy_hsm_event {
    ploy_name names[PLOY_HSM_EVENT_PARTS]; ///< the whole name first, then ever shorter prefixes
    int32_t count;
    ploy_message message; ///< its kind is the whole name; conditions see it
} ploy_hsm_event;

/// Makes an event with that name. Names of more than PLOY_HSM_EVENT_PARTS parts are matched by the
/// whole name and their longest prefixes.
PLOY_API ploy_hsm_event ploy_hsm_event_make(const char *name);

/// The argument of hooks and actions.
typedef struct ploy_hsm_turn {
    ploy_hsm *hsm;
    ploy_step_context *context;
    void *owner;
    const ploy_hsm_event *event; ///< the event being handled, or NULL
} ploy_hsm_turn;

/// The functions of a state; each may be NULL.
typedef struct ploy_hsm_hooks {
    ploy_result (*enter)(void *user, const ploy_hsm_turn *turn);
    ploy_result (*execute)(void *user, const ploy_hsm_turn *turn);
    void (*exit)(void *user, const ploy_hsm_turn *turn);
    void *user;
} ploy_hsm_hooks;

typedef ploy_result (*ploy_hsm_action_fn)(void *user, const ploy_hsm_turn *turn);

/// Work without a callback: a list of small steps, like SCXML's executable content. Belongs to one
/// type; all zero means none.
typedef struct ploy_hsm_content {
    uint32_t number;
} ploy_hsm_content;

typedef enum ploy_hsm_op_kind {
    PLOY_HSM_OP_RAISE,   ///< an event into the inner queue
    PLOY_HSM_OP_SEND,    ///< an event into the outer queue, after `delay`
    PLOY_HSM_OP_CANCEL,  ///< forgets the events sent under the id in `text` that are not due yet
    PLOY_HSM_OP_LOG,     ///< `text` to the env's log and the trace
    PLOY_HSM_OP_CALL,    ///< `action`
    PLOY_HSM_OP_FAIL,    ///< raises an event and skips the rest
    PLOY_HSM_OP_IF,      ///< runs the steps up to the next branch if `when` holds
    PLOY_HSM_OP_ELSE_IF, ///< the same if no earlier branch was taken
    PLOY_HSM_OP_ELSE,
    PLOY_HSM_OP_END ///< of an IF
} ploy_hsm_op_kind;

typedef struct ploy_hsm_op {
    ploy_hsm_op_kind kind;
    const char *text; ///< an event's name, a log's text, the id of a cancel; copied
    const char *id;   ///< of a send, or NULL
    double delay;     ///< s, of a send, by the clock of context.now
    ploy_condition when;
    ploy_hsm_action_fn action;
    void *user;
} ploy_hsm_op;

/// When a state runs a content.
typedef enum ploy_hsm_when {
    PLOY_HSM_ON_ENTER,  ///< after its enter hook
    PLOY_HSM_ON_EXIT,   ///< after its exit hook
    PLOY_HSM_ON_INITIAL ///< when its initial states are entered, after ON_ENTER
} ploy_hsm_when;

typedef enum ploy_hsm_kind {
    PLOY_HSM_STATE,       ///< one of its children is active, if it has any
    PLOY_HSM_PARALLEL,    ///< all its children are active
    PLOY_HSM_FINAL,       ///< its parent is done: "done.state.<parent>" is raised
    PLOY_HSM_HISTORY,     ///< represents the child of its parent that was active last
    PLOY_HSM_DEEP_HISTORY ///< the same for all descendants
} ploy_hsm_kind;

typedef enum ploy_hsm_policy { PLOY_HSM_SCXML, PLOY_HSM_KEEP_INNER } ploy_hsm_policy;

/// Settings of a type.
typedef struct ploy_hsm_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_hsm_policy policy;
    int32_t queue;   ///< capacity of each queue: inner, outer and delayed events
    int32_t changes; ///< most changes in one step; more is PLOY_ERR_LIMIT
    bool same_level; ///< rules may only lead to siblings; finish refuses others
    bool eager; ///< keep_inner: a state that remembers no inner state enters its first one at once
    bool clear_inner; ///< keep_inner: nothing is remembered
    bool deep_exit;   ///< keep_inner: inner states are left and entered too, and remembered
} ploy_hsm_def;

PLOY_API ploy_hsm_def ploy_hsm_def_default(void);
PLOY_API ploy_fields ploy_hsm_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_hsm_type_create(const ploy_hsm_def *def,
                                          const ploy_blackboard_layout *layout, const ploy_env *env,
                                          ploy_hsm_type **out);
/// NULL is allowed. Destroy its machines first.
PLOY_API void ploy_hsm_type_destroy(ploy_hsm_type *type);
PLOY_API ploy_conditions *ploy_hsm_type_conditions(ploy_hsm_type *type);

/// Adds a state.
/// @param parent  the root, the state added last or one of its ancestors.
/// @param inside  a behavior that runs while the state is active. When it is done,
///                "done.invoke.<id>" is raised; after an error inside it (see maker.h)
///                "error.execution.<id>", which a rule for "error.execution" answers too.
///                Messages go to it first.
PLOY_API ploy_hsm_state ploy_hsm_type_state(ploy_hsm_type *type, const char *id,
                                            ploy_hsm_state parent, ploy_hsm_kind kind,
                                            const ploy_hsm_hooks *hooks, ploy_maker inside);

/// Sets the inner states that are entered with a state (with the machine, for the root). The
/// default is the first child. @param action  runs after the state's enter; may be NULL.
PLOY_API ploy_result ploy_hsm_type_set_initial(ploy_hsm_type *type, ploy_hsm_state state,
                                               const ploy_hsm_state *targets, int32_t count,
                                               ploy_hsm_action_fn action, void *user);

/// A rule. Start from ploy_hsm_rule_make().
typedef struct ploy_hsm_rule {
    const char *id;
    ploy_hsm_state from; ///< of a history state: where to go if there is no history yet
    const char *on; ///< events, separated by spaces; "*" matches any; NULL: checked in each step
    ploy_condition when;           ///< none: always
    const ploy_hsm_state *targets; ///< copied
    int32_t target_count;          ///< 0: nothing is left or entered
    bool internal;                 ///< to inner states without leaving `from`
    ploy_hsm_action_fn action;     ///< between leaving and entering
    void *user;
    ploy_hsm_content content; ///< the same, after the action
} ploy_hsm_rule;

PLOY_API ploy_hsm_rule ploy_hsm_rule_make(const char *id, ploy_hsm_state from, const char *on,
                                          const ploy_hsm_state *to);
PLOY_API ploy_result ploy_hsm_type_add(ploy_hsm_type *type, const ploy_hsm_rule *rule);

/// Makes a content from steps. Each IF needs an END. Returns none after a fault.
PLOY_API ploy_hsm_content ploy_hsm_type_content(ploy_hsm_type *type, const ploy_hsm_op *ops,
                                                int32_t count);
/// Gives a content to a state, or (ON_INITIAL) to the root; replaces the previous one.
PLOY_API ploy_result ploy_hsm_type_set_content(ploy_hsm_type *type, ploy_hsm_state state,
                                               ploy_hsm_when when, ploy_hsm_content content);
/// Adds a condition to the type's conditions: the machine is in the state, which must have been
/// added before.
PLOY_API ploy_condition ploy_hsm_type_in(ploy_hsm_type *type, ploy_hsm_state state);

/// Ends the building. @return the first fault.
PLOY_API ploy_result ploy_hsm_type_finish(ploy_hsm_type *type);

PLOY_API int32_t ploy_hsm_type_count(const ploy_hsm_type *type);
PLOY_API ploy_hsm_state ploy_hsm_type_find(const ploy_hsm_type *type, const char *id);
PLOY_API const char *ploy_hsm_type_id(const ploy_hsm_type *type, ploy_hsm_state state);

/// The parent of a state (the root for the outermost), and whether a state has no children.
PLOY_API ploy_hsm_state ploy_hsm_type_parent(const ploy_hsm_type *type, ploy_hsm_state state);
PLOY_API bool ploy_hsm_type_is_atomic(const ploy_hsm_type *type, ploy_hsm_state state);

/// Reports suspicious parts of a finished type: states that cannot be reached, rules that are never
/// taken because an earlier one always is, states that can never be left. Assumes that every
/// condition may be true or false.
/// @return how many; a negative result if the type is not finished or memory runs out. diags may be
///         NULL.
PLOY_API int32_t ploy_hsm_type_lint(const ploy_hsm_type *type, ploy_diags *diags);

/// How far a rule's target is above (more than 0) or below (less than 0) its source: 0 for
/// siblings. For a rule that goes up and then down, how far it goes up.
/// @return PLOY_ERR_NOT_FOUND if there is no such rule or it has no target.
PLOY_API ploy_result ploy_hsm_type_level(const ploy_hsm_type *type, const char *rule, int32_t *out);

/// @param type  finished; must outlive the machine.
PLOY_API ploy_result ploy_hsm_create(const ploy_hsm_type *type, void *owner, const ploy_env *env,
                                     ploy_hsm **out);
/// NULL is allowed. Calls no hook.
PLOY_API void ploy_hsm_destroy(ploy_hsm *hsm);

/// As a behavior: done with SUCCESS when an outermost final state is reached. A message is offered
/// to the active behaviors, inner ones first. If none takes the message, it is queued as an event
/// named after its kind.
PLOY_API ploy_behavior ploy_hsm_behavior(ploy_hsm *hsm);
PLOY_API ploy_maker ploy_hsm_type_maker(ploy_hsm_type *type);

/// Puts an event into the outer queue. @return PLOY_ERR_CAPACITY if the queue is full.
PLOY_API ploy_result ploy_hsm_send(ploy_hsm *hsm, const ploy_hsm_event *event);

/// True if the state is active.
PLOY_API bool ploy_hsm_is_in(const ploy_hsm *hsm, const char *id);
/// The active states in document order. With keep_inner: from the outermost inward.
/// @return how many there are; at most `capacity` are written.
PLOY_API int32_t ploy_hsm_active(const ploy_hsm *hsm, ploy_hsm_state *out, int32_t capacity);
/// When the next delayed event is due, by context.now. @return false if there is none.
PLOY_API bool ploy_hsm_next_due(const ploy_hsm *hsm, double *out);
PLOY_API const ploy_hsm_type *ploy_hsm_type_of(const ploy_hsm *hsm);

/// Replaces the definition at run time, for instance by an edited one. Active states whose ids are
/// active in the new type too, from the outermost inward, continue without exit and enter, with
/// their behaviors (moved or saved and loaded, see ploy_nested_hand_over; if memory for that runs
/// out, they restart) and their history. The others are left, and the states that the new type
/// needs in addition are entered. Waiting events stay. States are kept only if both types have the
/// policy `scxml`; otherwise the machine is left and restarted.
/// @param kept  how many active states continued; may be NULL.
/// @return PLOY_ERR_STATE if the type is not finished or this is called from a hook,
///         PLOY_ERR_CAPACITY if more events wait than the new queues hold, PLOY_ERR_MEMORY: nothing
///         is changed then. What a hook returned, with the new type in place.
PLOY_API ploy_result ploy_hsm_swap(ploy_hsm *hsm, ploy_step_context *context,
                                   const ploy_hsm_type *type, int32_t *kept);

PLOY_API void ploy_hsm_describe(const ploy_hsm *hsm, ploy_describe *out);
