/// @file ploy/decide/action_stack.h
/// The complete action stack of a character as one behavior: alarm, decider, action manager.
///
///     each step:    the alarm runs first and may request emergency actions
///                   if no action is waiting, the decider is stepped until it requests something,
///                   gives up, or the budget is empty; in those cases nothing new begins
///     each commit:  the manager starts, continues and ends actions
///
/// Alarm and decider are behaviors of any technique. They request actions through the outbox of
/// their context, in the format of ploy/exec/action.h, by the names of the manager's book; the
/// messages they send are forwarded to the outbox of the character. A request that is not in the
/// book, or for which there is no room, is reported to the trace and dropped.
///
/// A loaded stack continues with the saved alarm, decider and actions of the manager; parts that
/// the body was carrying out are requested again. A ploy_action_stack_type creates stacks for many
/// characters. Without a decider, a stack is only an action manager, for actions that are requested
/// from outside.
///
/// Technique: Millington, "AI for Games", 3rd edition, 5.10.4. Budget unit: one call of the alarm
/// or the decider, in addition to the budget they spend themselves. Threads: as ploy_behavior.
#pragma once

#include "ploy/decide/actions.h"
#include "ploy/exec/maker.h"

/// Opaque.
typedef struct ploy_action_stack ploy_action_stack;

typedef struct ploy_action_stack_def {
    uint32_t cookie;
    int32_t tries;    ///< most calls of the decider in a step
    int32_t room;     ///< most actions, and most messages, that one step may request
    float urgency;    ///< added to the priority of the alarm's requests
    bool think_ahead; ///< also step the decider while an action runs, if none is waiting
    ploy_action_manager_def manager;
} ploy_action_stack_def;

PLOY_API ploy_action_stack_def ploy_action_stack_def_default(void);
PLOY_API ploy_fields ploy_action_stack_fields(void);

/// @param alarm    may make none: there is then no alarm.
/// @param decider  its behavior is entered when first needed, and again after it ended; may make
///                 none.
/// @param actions  the body; must outlive the stack. Touched only in commit and destroy.
/// @return as ploy_action_manager_create, and any error that a maker returned.
PLOY_API ploy_result ploy_action_stack_create(const ploy_action_stack_def *def,
                                              const ploy_action_book *book, ploy_agent_id agent,
                                              ploy_maker alarm, ploy_maker decider,
                                              ploy_actions *actions, const ploy_env *env,
                                              ploy_action_stack **out);
/// NULL is allowed.
PLOY_API void ploy_action_stack_destroy(ploy_action_stack *stack);

/// Returns the stack as a behavior, which runs forever. Its exit abandons all actions and exits
/// alarm and decider; a message goes to the alarm and then, if the alarm did not handle it, to the
/// decider.
PLOY_API ploy_behavior ploy_action_stack_behavior(ploy_action_stack *stack);

/// Returns the manager, for inspection or for requests from outside the decider.
PLOY_API void ploy_action_stack_describe(const ploy_action_stack *stack, ploy_describe *out);

/// ---- as a definition ----

/// The stack of characters of one kind. Opaque.
typedef struct ploy_action_stack_type ploy_action_stack_type;

/// @param book     finished; must outlive the type.
/// @param actions  the body of the whole game, likewise.
/// @return as ploy_action_stack_create, except for errors of a maker.
PLOY_API ploy_result ploy_action_stack_type_create(const ploy_action_stack_def *def,
                                                   const ploy_action_book *book, ploy_maker alarm,
                                                   ploy_maker decider, ploy_actions *actions,
                                                   const ploy_env *env,
                                                   ploy_action_stack_type **out);
/// NULL is allowed. Destroy its stacks first.
PLOY_API void ploy_action_stack_type_destroy(ploy_action_stack_type *type);
/// A maker that creates stacks of the type, which must outlive them. The agent that enters a stack
/// is the one that acts.
PLOY_API ploy_maker ploy_action_stack_type_maker(ploy_action_stack_type *type);
