/// @file ploy/decide/hsm.h
/// Hierarchical state machines (statecharts): states inside states, regions side by side, history.
///
/// The order of everything that happens is that of SCXML (W3C Recommendation, 2015, "Algorithm for
/// SCXML Interpretation"): an inner state's rules come before its ancestors', leaving goes from the
/// inside out, entering from the outside in, and events raised on the way are handled before those
/// from outside. The policy `keep_inner` is that of Millington, "AI for Games", 5.3.9, instead: an
/// outer state's rules come first, and a state that is left as a whole remembers its inner one
/// without leaving it.
///
/// States are added in the order of a document: the descendants of a state directly after it.
///
///     ploy_hsm_state work = ploy_hsm_type_state(type, "work", root, PLOY_HSM_STATE, ...);
///     ploy_hsm_state search = ploy_hsm_type_state(type, "search", work, PLOY_HSM_STATE, ...);
///
/// Faults stay as in condition.h. A step handles all events that wait, follows every rule without
/// an event that holds, then executes the active states, inner ones first. Cost: O(active states
/// and their rules) a change, plus O(states / 64). Nothing allocates after create.
/// Threads: a finished type may be used by many; a machine takes one caller at a time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

/// Most states of a type, and most parts of an event's name ("error.door.locked" has three).
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

/// What happened: a name whose parts, divided by dots, rules may match from the front, so that one
/// for "error" also answers "error.door".
typedef struct ploy_hsm_event {
    ploy_name names[PLOY_HSM_EVENT_PARTS]; ///< the whole name first, then shorter and shorter ones
    int32_t count;
    ploy_message message; ///< its kind is the whole name; conditions see it
} ploy_hsm_event;

/// An event of that name. Names of more than PLOY_HSM_EVENT_PARTS parts are matched by the whole
/// name and their longest parts.
PLOY_API ploy_hsm_event ploy_hsm_event_make(const char *name);

/// What hooks are called with.
typedef struct ploy_hsm_turn {
    ploy_hsm *hsm;
    ploy_step_context *context;
    void *owner;
    const ploy_hsm_event *event; ///< that is being handled, or NULL
} ploy_hsm_turn;

/// What a state does; any may be NULL.
typedef struct ploy_hsm_hooks {
    ploy_result (*enter)(void *user, const ploy_hsm_turn *turn);
    ploy_result (*execute)(void *user, const ploy_hsm_turn *turn);
    void (*exit)(void *user, const ploy_hsm_turn *turn);
    void *user;
} ploy_hsm_hooks;

typedef ploy_result (*ploy_hsm_action_fn)(void *user, const ploy_hsm_turn *turn);

/// What is done without a callback: a list of small steps, as SCXML's executable content. Belongs
/// to one type; all zero means none.
typedef struct ploy_hsm_content {
    uint32_t number;
} ploy_hsm_content;

typedef enum ploy_hsm_op_kind {
    PLOY_HSM_OP_RAISE,   ///< an event into the inner queue
    PLOY_HSM_OP_SEND,    ///< an event into the outer queue, after `delay`
    PLOY_HSM_OP_CANCEL,  ///< forgets the events sent under the id in `text` that are not due yet
    PLOY_HSM_OP_LOG,     ///< `text` to the env's log and the trace
    PLOY_HSM_OP_CALL,    ///< `action`
    PLOY_HSM_OP_FAIL,    ///< raises an event and leaves out the rest
    PLOY_HSM_OP_IF,      ///< up to the next branch if `when` holds
    PLOY_HSM_OP_ELSE_IF, ///< the same if none before did
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

/// When a state does a content.
typedef enum ploy_hsm_when {
    PLOY_HSM_ON_ENTER,  ///< after its enter hook
    PLOY_HSM_ON_EXIT,   ///< after its exit hook
    PLOY_HSM_ON_INITIAL ///< when its initial states are entered, after ON_ENTER
} ploy_hsm_when;

typedef enum ploy_hsm_kind {
    PLOY_HSM_STATE,       ///< one of its children is active, if it has any
    PLOY_HSM_PARALLEL,    ///< all its children are
    PLOY_HSM_FINAL,       ///< its parent is done: "done.state.<parent>" is raised
    PLOY_HSM_HISTORY,     ///< represents the child of its parent that was active last
    PLOY_HSM_DEEP_HISTORY ///< the same for all descendants
} ploy_hsm_kind;

typedef enum ploy_hsm_policy { PLOY_HSM_SCXML, PLOY_HSM_KEEP_INNER } ploy_hsm_policy;

/// Settings of a type.
typedef struct ploy_hsm_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_hsm_policy policy;
    int32_t queue;    ///< events that may wait: inside, outside and for later, each
    int32_t changes;  ///< most changes in one step; more is PLOY_ERR_LIMIT
    bool same_level;  ///< rules may only lead to siblings: finish refuses others
    bool eager;       ///< keep_inner: a state entered again enters its first inner one immediately
    bool clear_inner; ///< keep_inner: nothing is remembered
    bool deep_exit;   ///< keep_inner: inner states are left and entered too, and remembered
} ploy_hsm_def;

PLOY_API ploy_hsm_def ploy_hsm_def_default(void);
PLOY_API ploy_fields ploy_hsm_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_hsm_type_create(const ploy_hsm_def *def,
                                          const ploy_blackboard_layout *layout, const ploy_env *env,
                                          ploy_hsm_type **out);
/// NULL is allowed. Its machines must be gone.
PLOY_API void ploy_hsm_type_destroy(ploy_hsm_type *type);
PLOY_API ploy_conditions *ploy_hsm_type_conditions(ploy_hsm_type *type);

/// Adds a state.
/// @param parent  the root, the state added last or one that holds it.
/// @param inside  a behavior that runs while the state is active. When it is done,
///                "done.invoke.<id>" is raised; after an error inside it (see maker.h)
///                "error.execution.<id>", which a rule for "error.execution" answers too.
///                Messages go to it first.
PLOY_API ploy_hsm_state ploy_hsm_type_state(ploy_hsm_type *type, const char *id,
                                            ploy_hsm_state parent, ploy_hsm_kind kind,
                                            const ploy_hsm_hooks *hooks, ploy_maker inside);

/// Which inner states are entered when a state (or the machine, with the root) is: its first child
/// unless set. @param action  done after the state's enter; may be NULL.
PLOY_API ploy_result ploy_hsm_type_set_initial(ploy_hsm_type *type, ploy_hsm_state state,
                                               const ploy_hsm_state *targets, int32_t count,
                                               ploy_hsm_action_fn action, void *user);

/// A rule. Start from ploy_hsm_rule_make().
typedef struct ploy_hsm_rule {
    const char *id;
    ploy_hsm_state from; ///< of a history state: where to go if there is none yet
    const char *on;      ///< events, divided by blanks; "*" is any; NULL: looked at in each step
    ploy_condition when; ///< none: always
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

/// Makes a content of steps. Each IF has its END. None after a fault.
PLOY_API ploy_hsm_content ploy_hsm_type_content(ploy_hsm_type *type, const ploy_hsm_op *ops,
                                                int32_t count);
/// Gives it to a state, or (ON_INITIAL) to the root; replaces the one before.
PLOY_API ploy_result ploy_hsm_type_set_content(ploy_hsm_type *type, ploy_hsm_state state,
                                               ploy_hsm_when when, ploy_hsm_content content);
/// A condition of the type's own: the machine is in the state, which was added before.
PLOY_API ploy_condition ploy_hsm_type_in(ploy_hsm_type *type, ploy_hsm_state state);

/// Ends the building. @return the first fault.
PLOY_API ploy_result ploy_hsm_type_finish(ploy_hsm_type *type);

PLOY_API int32_t ploy_hsm_type_count(const ploy_hsm_type *type);
PLOY_API ploy_hsm_state ploy_hsm_type_find(const ploy_hsm_type *type, const char *id);
PLOY_API const char *ploy_hsm_type_id(const ploy_hsm_type *type, ploy_hsm_state state);

/// The state that holds it, the root for the outermost; its kind; whether it holds states.
PLOY_API ploy_hsm_state ploy_hsm_type_parent(const ploy_hsm_type *type, ploy_hsm_state state);
PLOY_API bool ploy_hsm_type_is_atomic(const ploy_hsm_type *type, ploy_hsm_state state);

/// Doubts about a finished type: states that cannot be reached, rules that are never taken because
/// one before them always is, states that can never be left. Conditions are taken for open.
/// @return how many; less than 0, a result, if it is not finished or without memory. diags may be
///         NULL.
PLOY_API int32_t ploy_hsm_type_lint(const ploy_hsm_type *type, ploy_diags *diags);

/// How far a rule's target is above (more than 0) or below (less than 0) its source: 0 for
/// siblings, for a rule that goes up and down again how far it goes up.
/// @return PLOY_ERR_NOT_FOUND if there is no such rule or it has no target.
PLOY_API ploy_result ploy_hsm_type_level(const ploy_hsm_type *type, const char *rule, int32_t *out);

/// @param type  finished; must outlive the machine.
PLOY_API ploy_result ploy_hsm_create(const ploy_hsm_type *type, void *owner, const ploy_env *env,
                                     ploy_hsm **out);
/// NULL is allowed. Calls no hook.
PLOY_API void ploy_hsm_destroy(ploy_hsm *hsm);

/// As a behavior: done with SUCCESS when an outermost final state is reached. A message is handed
/// to the active behaviors, inner ones first, and if none took it waits as an event of its kind.
PLOY_API ploy_behavior ploy_hsm_behavior(ploy_hsm *hsm);
PLOY_API ploy_maker ploy_hsm_type_maker(ploy_hsm_type *type);

/// Puts an event into the queue from outside. @return PLOY_ERR_CAPACITY if it is full.
PLOY_API ploy_result ploy_hsm_send(ploy_hsm *hsm, const ploy_hsm_event *event);
/// Puts an event into the inner queue, which is handled first: for hooks and actions.
PLOY_API ploy_result ploy_hsm_raise(ploy_hsm *hsm, const ploy_hsm_event *event);

/// True if the state is active.
PLOY_API bool ploy_hsm_is_in(const ploy_hsm *hsm, const char *id);
/// The active states in the order of the document. With keep_inner: from the outermost inward.
/// @return how many there are; at most `capacity` are written.
PLOY_API int32_t ploy_hsm_active(const ploy_hsm *hsm, ploy_hsm_state *out, int32_t capacity);
/// When the next event that was sent for later is due, by context.now. @return false if none is.
PLOY_API bool ploy_hsm_next_due(const ploy_hsm *hsm, double *out);
PLOY_API const ploy_hsm_type *ploy_hsm_type_of(const ploy_hsm *hsm);

/// Exchanges the definition at run time: an edited one. Active states whose ids are active in the
/// new type too, from the outermost inward, go on without exit and enter, with their behaviors
/// (moved or saved and loaded, see ploy_nested_hand_over; without memory for that they restart) and
/// with what history remembers. The others are left, and what the new type needs beside those that
/// stay is entered. Events that wait stay. Only under the policy `scxml` on both sides are states
/// kept; otherwise the machine is left and restarted.
/// @param kept  how many active states went on; may be NULL.
/// @return PLOY_ERR_STATE if the type is not finished or this is called from a hook,
///         PLOY_ERR_CAPACITY if more events wait than the new queues hold, PLOY_ERR_MEMORY: nothing
///         is changed then. What a hook returned, with the new type in place.
PLOY_API ploy_result ploy_hsm_swap(ploy_hsm *hsm, ploy_step_context *context,
                                   const ploy_hsm_type *type, int32_t *kept);

PLOY_API void ploy_hsm_describe(const ploy_hsm *hsm, ploy_describe *out);
