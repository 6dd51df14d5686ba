/// @file ploy/exec/behavior.h
/// The one interface of everything that thinks.
///
/// Every decision technique (tree, machine, plan, rules, a hand-written function) is a
/// ploy_behavior, so any of them can hold any other: a tree's leaf may be a planner, whose goal was
/// a fuzzy choice. The type is shared and immutable, `self` is one character's run-time state.
///
/// The life of a behavior, as its holder runs it (an engine, a tree's node):
///
///     enter --> step, step, ... --> exit --> enter ... --> destroy
///              (commit after a step, message at any time between enter and exit)
///
/// Each enter is followed by exactly one exit, even if the enter failed, so that one place cleans
/// up.
///
/// A running behavior can be saved with everything it holds and continued by another of the same
/// kind: after a restart of the game, or on a definition that was edited in between. States, nodes
/// and keys are saved under stable ids, and whatever an edited definition no longer contains
/// restarts and is reported.
///
/// Threads: while thinking (enter, step), a behavior touches only itself, its blackboard and what
/// the context hands it, so that different behaviors may think at the same time.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/base/json.h"
#include "ploy/base/message.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/base/visit.h"
#include "ploy/exec/blackboard.h"
#include "ploy/exec/outbox.h"
#include "ploy/exec/status.h"
#include "ploy/geom/draw.h"

typedef enum ploy_exit_reason {
    PLOY_EXIT_FINISHED,    ///< the last step did not return RUNNING
    PLOY_EXIT_INTERRUPTED, ///< something more important runs instead
    PLOY_EXIT_REPLACED,    ///< the implementation is swapped at run time
    PLOY_EXIT_REMOVED,     ///< unregistered, or its owner is destroyed
    PLOY_EXIT_ERROR        ///< one of its functions returned an error
} ploy_exit_reason;

/// "finished", "interrupted", "replaced", "removed", "error".
PLOY_API const char *ploy_exit_reason_text(ploy_exit_reason reason);

/// One step on the path from the engine to the behavior that runs; see maker.h. Lives in the frame
/// of the holder's call.
typedef struct ploy_step_path {
    struct ploy_step_path *outer; ///< NULL: the outermost holder
    const char *name;             ///< of the place in the holder: a state, a node, an option
    const char *fault; ///< which part of the behavior failed, or NULL; see ploy_step_blame
} ploy_step_path;

/// What every step gets. Pointers are valid during the call only.
typedef struct ploy_step_context {
    uint64_t tick;
    double now; ///< s since the engine started
    float dt;   ///< s since this behavior's last step
    ploy_agent_id agent;
    ploy_blackboard *blackboard; ///< the agent's own, or NULL
    ploy_budget *budget;         ///< NULL: no limit
    ploy_trace *trace;           ///< NULL in production
    ploy_arena *scratch;         ///< reset after the step; never state
    ploy_outbox *outbox;         ///< NULL: messages are dropped
    ploy_rng_key key;            ///< for stateless draws: (key, agent, tick, draw)
    const void *world;           ///< the game's own, read-only while thinking
    void *game;                  ///< the same, writable: set in commit and message, otherwise NULL
    ploy_step_path *path;        ///< the places that hold this behavior; NULL: it is the outermost
} ploy_step_context;

/// A context for a caller that steps a behavior itself, without an engine: tick 0, time 0, and
/// every other member is none. Set what the behavior needs (trace, budget, outbox, world).
/// @param blackboard  the agent's; may be NULL.
/// @param dt  s between two steps.
PLOY_API ploy_step_context ploy_step_context_make(ploy_agent_id agent, ploy_blackboard *blackboard,
                                                  float dt);
/// Moves a context on to the next step: tick + 1, now + dt.
PLOY_API void ploy_step_context_next(ploy_step_context *context);

/// Names the part (a leaf, a state) whose callback returned the error that the behavior is about to
/// return. Its holder appends the name to the path that it logs. The first name of a call counts.
/// @param part  must live as long as the definition. NULL does nothing.
PLOY_API void ploy_step_blame(ploy_step_context *context, const char *part);

typedef struct ploy_behavior_type {
    const char *name;
    /// Begins. May be NULL. An error ends the behavior at once: exit with PLOY_EXIT_ERROR follows.
    ploy_result (*enter)(void *self, ploy_step_context *context);
    /// Thinks. Sets *status on PLOY_OK. Required. May stop when the budget is empty and continue in
    /// the next step.
    ploy_result (*step)(void *self, ploy_step_context *context, ploy_status *status);
    /// Ends, whatever the reason; called exactly once for each enter. May be NULL.
    void (*exit)(void *self, ploy_step_context *context, ploy_exit_reason reason);
    /// Applies what thinking decided to shared state; serial, in id order. May be NULL. An engine
    /// calls it after every step. A behavior inside another one is exited in the step that ends it,
    /// and then gets no commit: it returns RUNNING until everything is applied, or uses the outbox.
    ploy_result (*commit)(void *self, ploy_step_context *context);
    /// A message arrived; *handled: whether the behavior used it. May be NULL.
    ploy_result (*message)(void *self, ploy_step_context *context, const ploy_message *message,
                           bool *handled);
    /// Frees self. May be NULL if nothing is owned.
    void (*destroy)(void *self);
    void (*draw)(const void *self, ploy_draw *out); ///< may be NULL
    /// Names each field of the state once; describe, hash, save, load and memory all use it
    /// (ploy/base/visit.h). NULL: nothing is shown, and a load restarts the behavior. A load takes
    /// the place of enter, with the step context in v->context (otherwise NULL). It continues where
    /// the saved state was, as far as its ids are still known. What is gone is reported with
    /// ploy_visit_ref or ploy_visit_lost and restarts; ploy_visit_restart enters the whole behavior
    /// again. An error ends the behavior, as an error of enter does.
    ploy_visitor visit;
} ploy_behavior_type;

typedef struct ploy_behavior {
    const ploy_behavior_type *type; ///< NULL means none
    void *self;
} ploy_behavior;

/// The calls below skip functions that the type leaves NULL. For none (type NULL) they do nothing,
/// and step returns PLOY_ERR_ARGUMENT. A callback's result above PLOY_OK counts as
/// PLOY_ERR_CALLBACK.

PLOY_API ploy_result ploy_behavior_enter(ploy_behavior behavior, ploy_step_context *context);
/// @return PLOY_ERR_CALLBACK if step returned PLOY_OK and set an invalid status.
PLOY_API ploy_result ploy_behavior_step(ploy_behavior behavior, ploy_step_context *context,
                                        ploy_status *status);
PLOY_API void ploy_behavior_exit(ploy_behavior behavior, ploy_step_context *context,
                                 ploy_exit_reason reason);
PLOY_API ploy_result ploy_behavior_commit(ploy_behavior behavior, ploy_step_context *context);
/// *handled is false if there is no message hook.
PLOY_API ploy_result ploy_behavior_message(ploy_behavior behavior, ploy_step_context *context,
                                           const ploy_message *message, bool *handled);
PLOY_API void ploy_behavior_destroy(ploy_behavior behavior);
PLOY_API void ploy_behavior_describe(ploy_behavior behavior, ploy_describe *out);
/// The blocks that it owns, including those of everything it holds.
PLOY_API void ploy_behavior_memory(ploy_behavior behavior, ploy_memory_fn fn, void *user);
PLOY_API void ploy_behavior_draw(ploy_behavior behavior, ploy_draw *out);

/// Writes a running behavior as one JSON value: its type's name and its state.
PLOY_API void ploy_behavior_save(ploy_behavior behavior, ploy_json_writer *out);
/// Continues from a saved state instead of entering; exactly one exit follows, as after an enter.
/// If the value belongs to another type, or the type cannot load, the behavior is entered instead,
/// and diags say so.
/// @param diags  warnings about everything that restarts, with line and column; may be NULL.
PLOY_API ploy_result ploy_behavior_load(ploy_behavior behavior, ploy_step_context *context,
                                        const ploy_json *doc, ploy_json_node saved,
                                        ploy_diags *diags);
/// Hands a running mind over to a behavior of the same type on an edited definition: saves the old
/// one, exits it with PLOY_EXIT_REPLACED (its hooks may keep what the new one needs) and loads the
/// new one, which must not have been entered. Neither is destroyed.
/// @return as load; PLOY_ERR_MEMORY, with the old one still running.
PLOY_API ploy_result ploy_behavior_reload(ploy_behavior old, ploy_behavior fresh,
                                          ploy_step_context *context, const ploy_env *env,
                                          ploy_diags *diags);
/// The same for an edited definition with another blackboard: the old behavior exits with the
/// context `from`, the new one is loaded with `to`. The caller copies what both boards share
/// beforehand.
PLOY_API ploy_result ploy_behavior_hand_over(ploy_behavior old, ploy_step_context *from,
                                             ploy_behavior fresh, ploy_step_context *to,
                                             const ploy_env *env, ploy_diags *diags);
/// Warns that something in the save no longer exists: "state 'doze' is gone".
PLOY_API void ploy_behavior_lost(const ploy_json *doc, ploy_json_node node, ploy_diags *diags,
                                 const char *what, const char *name, const char *why);
