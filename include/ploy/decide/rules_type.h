/// @file ploy/decide/rules_type.h
/// Rules as a behavior: many characters share a rule base, and each has a private working memory
/// connected to its blackboard.
///
/// Facts are bound to keys by name: an ordered relation with the same name as a key of the layout
/// represents that key. `(health 43)` is asserted when the key health is 43, and asserted again
/// when it changes; a rule that asserts `(target orc)` writes the key target. Bools are TRUE and
/// FALSE, names are symbols, texts strings, vectors two to four floats, ids two integers.
/// Retracting the fact of a bool key sets the key to false. The fact of any other key stays
/// retracted until the key changes.
///
///     (defrule flee (health ?h&:(< ?h 20)) => (assert (state flee)))
///
/// Enter empties the working memory and asserts the initial facts. Each step reads the changes of
/// the blackboard, fires rules as the budget allows (one unit is one firing), and writes the facts
/// that they asserted. A rule may also have a behavior, which runs when the rule fires; no other
/// rule fires until the behavior has ended. The status is SUCCESS when nothing is left to fire and
/// something fired since enter, FAILURE if nothing did, RUNNING while the budget was short or a
/// behavior runs; with def.loop RUNNING until a rule halts, which is SUCCESS. A message is offered
/// to the running behavior. If no behavior takes it, it becomes a fact `(message KIND)` in the next
/// step, if the base has such a relation. For saved state, see ploy_rules_save.
///
/// Threads: many threads may use a type; each of its behaviors takes one caller at a time.
#pragma once

#include "ploy/decide/rules.h"
#include "ploy/exec/maker.h"

/// Rules, their initial facts and the behaviors they start. Opaque.
typedef struct ploy_rules_type ploy_rules_type;

/// @param def     its user and functions are shared by all characters; an action finds its
///                character by ploy_rules_context. @param base  must outlive it and must not be
///                extended.
/// @param layout  of the boards; must outlive it. NULL: no keys.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rules_type_create(const ploy_rules_def *def, const ploy_rulebase *base,
                                            const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_rules_type **out);
/// NULL is allowed. Destroy its behaviors first.
PLOY_API void ploy_rules_type_destroy(ploy_rules_type *type);
/// Sets the behavior that runs when a rule fires.
/// @return PLOY_ERR_NOT_FOUND if there is no such rule.
PLOY_API ploy_result ploy_rules_type_set_behavior(ploy_rules_type *type, const char *rule,
                                                  ploy_maker maker);
/// Makes behaviors of the type, which must outlive them and must not be changed after this call.
PLOY_API ploy_maker ploy_rules_type_maker(ploy_rules_type *type);

/// The context of the step in which an action is called; NULL outside a behavior's step.
PLOY_API ploy_step_context *ploy_rules_context(const ploy_rules *rules);
