/// @file ploy/decide/rule_set.h
/// Rule sets: an ordered list of plain rules, an arbiter that picks one of the triggered rules, and
/// nested sets that can be switched on and off.
///
/// A small rule system, for a few dozen rules. Each rule has a condition (ploy/decide/
/// condition.h), a pattern over the set's items (ploy/decide/rule_tree.h), or both, and an effect:
/// a function, a change of the items, other sets to switch, or a behavior of any technique. For
/// patterns over many facts use ploy/decide/rules.h. Large systems are divided into sets: outer
/// sets mainly hold rules that switch inner sets, and only active sets are examined. Technique:
/// Millington, "AI for Games", rule-based systems, with his five arbiters.
///
/// A ploy_rule_set_type is the finished, shared definition; a ploy_rule_set belongs to one
/// character. As a behavior: enter restores the items and switches of the definition, each step
/// chooses a rule and fires it. The status is SUCCESS if a rule fired, FAILURE if none was
/// triggered. A rule's behavior runs until it ends, and its status is the set's; with the arbiters
/// FIRST, SPECIFIC and PRIORITY the choice is made again in every step, and another rule interrupts
/// the behavior. Messages go to the running behavior; conditions see the message being handled.
/// Saved state refers to rules and sets by name.
///
/// Cost: O(rules of active sets) per choice; FIRST stops at the first triggered rule. A step
/// allocates only where rules change items. Threads: many threads may use a finished type; a set
/// takes one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/rule_tree.h"
#include "ploy/exec/maker.h"

/// Rules and sets of them. Opaque.
typedef struct ploy_rule_set_type ploy_rule_set_type;
/// One character's rule set. Opaque.
typedef struct ploy_rule_set ploy_rule_set;

typedef enum ploy_rule_arbiter {
    PLOY_RULE_ARBITER_FIRST,        ///< the first triggered rule
    PLOY_RULE_ARBITER_LEAST_RECENT, ///< the first; after firing, it moves to the end of the list
    PLOY_RULE_ARBITER_RANDOM,       ///< any triggered rule, equally likely
    PLOY_RULE_ARBITER_SPECIFIC,     ///< the one with the most clauses
    PLOY_RULE_ARBITER_PRIORITY,     ///< the one whose priority is highest now
    PLOY_RULE_ARBITER_COUNT
} ploy_rule_arbiter;

/// Keeps a rule that fired from firing again for the same reason.
typedef enum ploy_suspension {
    PLOY_SUSPEND_NEVER,
    PLOY_SUSPEND_UNTIL_CHANGE, ///< until the blackboard or items change, or a change is reported
    PLOY_SUSPEND_UNTIL_MATCH,  ///< until the rule's match changes: its bindings, or its `matched`
    PLOY_SUSPENSION_COUNT
} ploy_suspension;

/// The argument of a rule's functions.
typedef struct ploy_set_turn {
    ploy_rule_set *set;                 ///< the outermost
    const ploy_moment *moment;          ///< context and message; the context is never NULL
    const ploy_rule_bindings *bindings; ///< of the rule's pattern; NULL without one
    void *user;                         ///< of the def
    void *data;                         ///< of the rule
} ploy_set_turn;

/// A rule. Start from ploy_set_rule_make(). Texts are copied.
typedef struct ploy_set_rule {
    const char *name;         ///< stable and unique within the set
    ploy_condition condition; ///< of the type's conditions; none: always holds
    const char *pattern;      ///< over the items, see rule_tree.h; NULL: none
    int32_t clauses; ///< how specific it is; 0: the condition's tests and the pattern's items
    /// Called when the rule fires; may be NULL.
    ploy_result (*fire)(const ploy_set_turn *turn);
    /// The rule's present importance; of the type's conditions. A score function's moment has the
    /// ploy_set_turn as its asker.
    ploy_score priority;
    /// Returns a number that changes when the rule's match changes; NULL: the pattern's bindings.
    uint64_t (*matched)(const ploy_set_turn *turn);
    const char *remove; ///< item to remove, with the pattern's ?variables; NULL: none
    const char *add;    ///< items to add, likewise; NULL: none
    const char *off;    ///< set to switch off, before `on`; NULL: none
    const char *on;     ///< set to switch on; NULL: none
    ploy_maker maker;   ///< behavior that runs after firing; none: done at once
    void *data;         ///< for its functions; shared by all characters
} ploy_set_rule;

/// A rule that always holds and does nothing.
PLOY_API ploy_set_rule ploy_set_rule_make(const char *name);

typedef struct ploy_rule_set_def {
    uint32_t cookie;
    int32_t arbiter;    ///< a ploy_rule_arbiter
    int32_t suspension; ///< a ploy_suspension
    uint64_t seed;      ///< of the random arbiter; each agent draws its own numbers
    void *user;         ///< passed to the rules; shared by all characters
} ploy_rule_set_def;

PLOY_API ploy_rule_set_def ploy_rule_set_def_default(void);
PLOY_API ploy_fields ploy_rule_set_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create; may be NULL.
PLOY_API ploy_result ploy_rule_set_type_create(const ploy_rule_set_def *def,
                                               const ploy_blackboard_layout *layout,
                                               const ploy_env *env, ploy_rule_set_type **out);
/// NULL is allowed. Destroy its sets first. Does not free the types inside it.
PLOY_API void ploy_rule_set_type_destroy(ploy_rule_set_type *type);
/// The conditions that its rules test; add to them while building.
PLOY_API ploy_conditions *ploy_rule_set_type_conditions(ploy_rule_set_type *type);
/// Adds a rule at the end. Faults are kept as in condition.h.
PLOY_API ploy_result ploy_rule_set_type_add(ploy_rule_set_type *type, const ploy_set_rule *rule);
/// Adds a set at the end, under a name for switching it.
/// @param inner  finished; must outlive this one. It uses the items of the outermost set.
PLOY_API ploy_result ploy_rule_set_type_add_set(ploy_rule_set_type *type, const char *name,
                                                const ploy_rule_set_type *inner, bool active);
/// Sets the items that each character begins with. Only those of the outermost set count.
PLOY_API ploy_result ploy_rule_set_type_items(ploy_rule_set_type *type, const char *text,
                                              ploy_diags *diags);
/// Ends the building. @return the first fault.
PLOY_API ploy_result ploy_rule_set_type_finish(ploy_rule_set_type *type);

/// @param type  finished; must outlive the set.
PLOY_API ploy_result ploy_rule_set_create(const ploy_rule_set_type *type, const ploy_env *env,
                                          ploy_rule_set **out);
/// NULL is allowed.
PLOY_API void ploy_rule_set_destroy(ploy_rule_set *set);

/// Switches an inner set, at any depth, on or off; NULL means this set. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_rule_set_activate(ploy_rule_set *set, const char *name, bool active);
/// Whether a set is active; false also if there is no such set.
PLOY_API bool ploy_rule_set_active(const ploy_rule_set *set, const char *name);
/// Reports a change of something that the rules test and that is neither on the blackboard nor an
/// item.
PLOY_API void ploy_rule_set_changed(ploy_rule_set *set);
/// The items, for the game to update; never NULL.
PLOY_API ploy_rule_tree *ploy_rule_set_items(ploy_rule_set *set);

/// Chooses one triggered rule and fires it, or continues the behavior of the one that fired.
/// @param context  may be NULL: no blackboard, no trace.
/// @param fired    its name, or NULL if none was triggered; may be NULL. @param status  may be
///         NULL.
/// @return what its `fire` returned, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rule_set_step(ploy_rule_set *set, ploy_step_context *context,
                                        const char **fired, ploy_status *status);

/// Returns the set as a behavior; destroying the behavior destroys the set.
PLOY_API ploy_behavior ploy_rule_set_behavior(ploy_rule_set *set);
/// Makes sets of a finished type, which must outlive them.
PLOY_API ploy_maker ploy_rule_set_type_maker(ploy_rule_set_type *type);
PLOY_API void ploy_rule_set_describe(const ploy_rule_set *set, ploy_describe *out);
