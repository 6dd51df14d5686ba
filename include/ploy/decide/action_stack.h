/// @file ploy/decide/action_stack.h
/// The whole stack of a character as one behavior: alarm, decider, action manager.
///
///     each step:    the alarm looks first and may request emergency actions
///                   if nothing waits to be done, the decider is asked until it requests something,
///                   gives up, or the budget is empty; then nothing new is done this time
///     each commit:  the manager starts, goes on with and ends actions
///
/// Alarm and decider are behaviors of any technique. They request actions through the outbox of
/// their context, in the format of ploy/exec/action.h, by the names of the manager's book; what
/// they send as messages goes on to the outbox of the character. A request that the book does not
/// know, or for which there is no room, is reported to the trace and dropped.
///
/// A saved stack continues with alarm, decider and what the manager had; parts that the body was
/// carrying out are requested again. A ploy_action_stack_type makes stacks for a thousand
/// characters; without a decider a stack is an action manager alone, for actions that are requested
/// from outside.
///
/// Technique: Millington, "AI for Games", 3rd edition, 5.10.4. Budget unit: one call of the alarm
/// or the decider, besides what they spend themselves. Threads: as ploy_behavior.
#pragma once

#include "ploy/decide/actions.h"
#include "ploy/exec/maker.h"

/// Opaque.
typedef struct ploy_action_stack ploy_action_stack;

typedef struct ploy_action_stack_def {
    uint32_t cookie;
    int32_t tries;    ///< most calls of the decider in a step
    int32_t room;     ///< most actions, and most messages, that one step may ask for
    float urgency;    ///< added to the priority of what the alarm asks for
    bool think_ahead; ///< ask the decider also while something runs, if nothing waits
    ploy_action_manager_def manager;
} ploy_action_stack_def;

PLOY_API ploy_action_stack_def ploy_action_stack_def_default(void);
PLOY_API ploy_fields ploy_action_stack_fields(void);

/// @param alarm    may make none: there is no alarm then.
/// @param decider  whose behavior is entered when it is first asked, and again after it ended; may
///                 make none.
/// @param actions  the body; must outlive the stack. Touched only in commit and destroy.
/// @return as ploy_action_manager_create, and what a maker returned.
PLOY_API ploy_result ploy_action_stack_create(const ploy_action_stack_def *def,
                                              const ploy_action_book *book, ploy_agent_id agent,
                                              ploy_maker alarm, ploy_maker decider,
                                              ploy_actions *actions, const ploy_env *env,
                                              ploy_action_stack **out);
/// NULL is allowed.
PLOY_API void ploy_action_stack_destroy(ploy_action_stack *stack);

/// As a behavior: it runs forever. Its exit abandons what it does and leaves alarm and decider; a
/// message goes to the alarm and then, if that did not take it, to the decider.
PLOY_API ploy_behavior ploy_action_stack_behavior(ploy_action_stack *stack);

/// Its manager, to look at or to ask for actions beside the deciders.
PLOY_API void ploy_action_stack_describe(const ploy_action_stack *stack, ploy_describe *out);

/// ---- as a definition ----

/// What characters of one kind decide and do. Opaque.
typedef struct ploy_action_stack_type ploy_action_stack_type;

/// @param book     finished; must outlive it. @param actions  the body of the whole game, likewise.
/// @return as ploy_action_stack_create, but for what a maker returns.
PLOY_API ploy_result ploy_action_stack_type_create(const ploy_action_stack_def *def,
                                                   const ploy_action_book *book, ploy_maker alarm,
                                                   ploy_maker decider, ploy_actions *actions,
                                                   const ploy_env *env,
                                                   ploy_action_stack_type **out);
/// NULL is allowed. Its stacks must be gone.
PLOY_API void ploy_action_stack_type_destroy(ploy_action_stack_type *type);
/// Makes stacks of the type, which must outlive them. Who acts is the agent that enters one.
PLOY_API ploy_maker ploy_action_stack_type_maker(ploy_action_stack_type *type);
