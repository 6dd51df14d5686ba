/// @file ploy/exec/engine.h
/// The engine: who thinks when, for how long, and how messages reach the others.
///
/// Behaviors are registered with an agent, a blackboard and a schedule; the game calls
/// ploy_engine_step once a frame. A step goes like this:
///
///     begin    new behaviors enter, in order of ids
///     think    those that are due step, each with its share of the budget
///     commit   their messages arrive, their actions are requested, their commit hooks run
///     end      those that finished or failed exit; actions advance, their reports arrive
///
/// A serial engine thinks and commits behavior by behavior, and messages arrive the moment they are
/// sent. A parallel engine thinks all at once, over `ploy_jobs` if there are any, with the world
/// read-only, and commits afterwards, one by one in order of ids. Which of the two is the def's
/// choice and part of the result; the number of workers never is.
///
/// A ploy_scheduler decides who is due, in what order and with how many units
/// (ploy/exec/scheduler.h has the rules, the policies and the longest possible wait). In a serial
/// engine the others get what one leaves unspent; in a parallel one the shares are fixed before
/// thinking begins. A turn costs what the behavior spends, at least 1. Turns that the budget puts
/// off come first in the next step. Behaviors that are not due cost nothing in a step.
///
/// An error stops the behavior that returned it (exit with PLOY_EXIT_ERROR) and is logged; the
/// others continue. Nothing is allocated in a step once the engine is warm.
///
/// Threads: one caller at a time; thinking behaviors must not call the engine, except that in a
/// serial engine, and in commit and message hooks, anything but step and destroy is allowed.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/base/visit.h"
#include "ploy/base/writer.h"
#include "ploy/exec/action.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/scheduler.h"
#include "ploy/exec/workload.h"

/// Longest step, in seconds.
#define PLOY_ENGINE_DT_MAX_S 60.0f

/// Most messages in a chain of answers to answers in a serial engine.
#define PLOY_ENGINE_MESSAGE_DEPTH 16

/// Opaque.
typedef struct ploy_engine ploy_engine;

/// A registered behavior.
typedef struct ploy_engine_id {
    ploy_id id;
} ploy_engine_id;

typedef struct ploy_engine_def {
    uint32_t cookie;
    bool parallel;    ///< think all, then commit; false: one by one, messages at once
    bool route_all;   ///< the route gets every message, not only those for later or for others
    int32_t capacity; ///< behaviors that fit before it grows; it grows outside step only
    int32_t outbox_messages;      ///< most messages one behavior sends in a step
    int32_t outbox_actions;       ///< most actions one behavior asks for in a step
    int32_t scratch_kib;          ///< KiB of scratch memory for a behavior's turn
    int32_t grain;                ///< behaviors that a worker takes at a time
    int32_t history;              ///< ticks whose load is remembered
    uint64_t seed;                ///< what the behaviors' random keys come from
    ploy_scheduler_def scheduler; ///< policy and its settings; the engine's capacity counts
} ploy_engine_def;

PLOY_API ploy_engine_def ploy_engine_def_default(void);
PLOY_API ploy_fields ploy_engine_fields(void);

/// Creates an engine without behaviors.
PLOY_API ploy_result ploy_engine_create(const ploy_engine_def *def, const ploy_env *env,
                                        ploy_engine **out);
/// Exits (PLOY_EXIT_REMOVED) and destroys every behavior in order of ids. NULL is allowed.
PLOY_API void ploy_engine_destroy(ploy_engine *engine);

/// What is registered. Start from ploy_engine_entry_default().
typedef struct ploy_engine_entry {
    uint32_t cookie;
    ploy_schedule schedule;      ///< how often, and which share of the budget
    bool once;                   ///< stays finished; false: restarts
    ploy_behavior behavior;      ///< owned by the engine from now on; destroyed when unregistered
    ploy_agent_id agent;         ///< whose behavior; several may belong to one agent
    ploy_blackboard *blackboard; ///< handed to the behavior; may be NULL; the caller's
} ploy_engine_entry;

PLOY_API ploy_engine_entry ploy_engine_entry_default(void);
/// The settings: schedule, once.
PLOY_API ploy_fields ploy_engine_entry_fields(void);

/// Registers a behavior; it enters in the next step.
/// @return PLOY_ERR_ARGUMENT for a bad entry, PLOY_ERR_CAPACITY from within a step if there is no
///         room left, PLOY_ERR_STATE while others think in parallel, PLOY_ERR_MEMORY. On failure
///         the behavior is still the caller's.
PLOY_API ploy_result ploy_engine_register(ploy_engine *engine, const ploy_engine_entry *entry,
                                          ploy_engine_id *out);

/// Exits the behavior (PLOY_EXIT_REMOVED, if it entered) and destroys it. From within a step, it
/// gets no further turns or messages, and is removed when the step ends.
/// @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE while others think in parallel.
PLOY_API ploy_result ploy_engine_unregister(ploy_engine *engine, ploy_engine_id id);

/// Puts another implementation in the place of a behavior: the old one exits (PLOY_EXIT_REPLACED)
/// and is destroyed, the new one enters in the next step; id, schedule and blackboard stay. So a
/// placeholder can be replaced by the real thing while the game runs. From within a step it happens
/// when the step ends. @return as ploy_engine_unregister; on failure `behavior` is still the
/// caller's.
PLOY_API ploy_result ploy_engine_replace(ploy_engine *engine, ploy_engine_id id,
                                         ploy_behavior behavior);

/// Restarts a behavior that failed or finished for good.
/// @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE if it did neither, or while others think in parallel.
PLOY_API ploy_result ploy_engine_restart(ploy_engine *engine, ploy_engine_id id);

/// Changes the schedule from the next step on.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND, PLOY_ERR_STATE while others think in parallel,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_engine_set_schedule(ploy_engine *engine, ploy_engine_id id,
                                              const ploy_schedule *schedule);
/// The current schedule, with the phase that was chosen for it, if any. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_engine_schedule(const ploy_engine *engine, ploy_engine_id id,
                                          ploy_schedule *out);

/// Changes how the budget is divided: ploy_scheduler_set_policy. @return PLOY_ERR_STATE from within
/// a step, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_engine_set_policy(ploy_engine *engine, ploy_policy policy,
                                            ploy_allocate_fn allocate, void *user);

/// Stops giving the behavior turns (a cut scene controls the character), or resumes. Messages still
/// arrive.
PLOY_API ploy_result ploy_engine_set_paused(ploy_engine *engine, ploy_engine_id id, bool paused);

#define PLOY_ENGINE_ACTION_DONE "ploy.action_done"

typedef struct ploy_engine_action_done {
    uint64_t token;    ///< of the request
    ploy_name kind;    ///< of the request
    ploy_action_id id; ///< gone after the next step
    int32_t state;     ///< ploy_action_state: SUCCEEDED, FAILED or CANCELLED
    int32_t result;    ///< ploy_result: the controller's error, if it had one
} ploy_engine_action_done;

/// Takes messages that the engine cannot deliver: due later than now, or for an agent without a
/// behavior here. With `route_all` it takes every message that a behavior sends, and hands back
/// what is due with ploy_engine_send; a dispatcher that keeps a log of all messages does that (see
/// ploy_telegrams_connect). Called one at a time, never while behaviors think in parallel.
/// @return an error to have it logged.
typedef ploy_result (*ploy_engine_route_fn)(void *user, const ploy_message *message);

/// Without a route, such messages are dropped and counted.
PLOY_API void ploy_engine_set_route(ploy_engine *engine, ploy_engine_route_fn fn, void *user);

/// What a step works with. All zero is fine.
typedef struct ploy_engine_frame {
    const ploy_jobs *jobs; ///< for thinking in parallel; NULL: in the calling thread
    ploy_arena *scratch;   ///< NULL: the engine's own; unchanged after the step
    ploy_trace *trace;     ///< why; thinking is serial then, with the same result
    const void *world;     ///< for the context: what thinking reads
    void *game;            ///< for the context of commit and message hooks: what they change
} ploy_engine_frame;

/// Advances by one tick.
/// @param dt  s, 0 to PLOY_ENGINE_DT_MAX_S.
/// @param budget  for all behaviors; NULL: no limit. A deadline is refused, because two machines
///                would do
///                different work: turn the time into units first (ploy/exec/pace.h), and log them
///                as an input.
/// @param frame   NULL counts as all zero.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED for a deadline, PLOY_ERR_STATE from within a
///         step, PLOY_ERR_MEMORY: nothing has happened then. Errors of behaviors are not returned.
PLOY_API ploy_result ploy_engine_step(ploy_engine *engine, float dt, ploy_budget *budget,
                                      const ploy_engine_frame *frame);

/// Replaces a behavior by one of the same type on an edited definition, which continues where the
/// old one was (ploy_behavior_reload); one that has not entered yet is only replaced. Outside a
/// step. Takes ownership of `behavior`, except on PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND and
/// PLOY_ERR_STATE.
/// @param frame  as for a step: what the hooks see. NULL: all zero.
/// @param diags  warnings about what restarts; may be NULL.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_STATE from within a step. On PLOY_ERR_MEMORY while the old
///         behavior is saved, it runs on and the new one is destroyed; an error of the new one
///         stops it, as one of its steps would.
PLOY_API ploy_result ploy_engine_reload(ploy_engine *engine, ploy_engine_id id,
                                        ploy_behavior behavior, const ploy_engine_frame *frame,
                                        ploy_diags *diags);

/// Delivers a message at once: to the behaviors of its receiver, to all but the sender's if it has
/// none, in order of ids. Due times are ignored here.
/// @param frame  as for a step; ignored from within one, whose own is used. NULL: all zero.
/// @param handled  whether any behavior used it; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if the receiver has no behavior, PLOY_ERR_STATE while others think in
///         parallel, PLOY_ERR_LIMIT past PLOY_ENGINE_MESSAGE_DEPTH.
PLOY_API ploy_result ploy_engine_send(ploy_engine *engine, const ploy_message *message,
                                      const ploy_engine_frame *frame, bool *handled);

/// Steps done, and their time in seconds.
PLOY_API uint64_t ploy_engine_tick(const ploy_engine *engine);
PLOY_API double ploy_engine_now(const ploy_engine *engine);

/// What came of a behavior in the last step.
typedef enum ploy_engine_turn {
    PLOY_ENGINE_TURN_NEW,     ///< it has not been through a step
    PLOY_ENGINE_TURN_RAN,     ///< it thought
    PLOY_ENGINE_TURN_NOT_DUE, ///< its period says later
    PLOY_ENGINE_TURN_WAITS,   ///< it was due, but the budget was empty
    PLOY_ENGINE_TURN_PAUSED,
    PLOY_ENGINE_TURN_DONE,  ///< finished for good
    PLOY_ENGINE_TURN_FAILED ///< stopped by an error
} ploy_engine_turn;

/// How a behavior fares.
typedef struct ploy_engine_info {
    ploy_behavior behavior;
    ploy_agent_id agent;
    ploy_engine_turn turn;
    ploy_status status;   ///< of its last turn
    ploy_result result;   ///< the error that stopped it
    ploy_service service; ///< turns, units, waits, overruns
} ploy_engine_info;

/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_engine_get(const ploy_engine *engine, ploy_engine_id id,
                                     ploy_engine_info *out);

/// Result of the first behavior that an error stopped, or PLOY_OK. Call it after a step if the game
/// cannot go on without each of its behaviors.
/// @param out  the behavior; may be NULL; not changed on PLOY_OK.
PLOY_API ploy_result ploy_engine_failure(const ploy_engine *engine, ploy_engine_id *out);

/// Registered behaviors, and the first at or after a place: start at 0, go on at its index + 1.
/// None if there is no more.
PLOY_API int32_t ploy_engine_count(const ploy_engine *engine);

/// The load of a tick: 0 steps ago is the last one.
/// @return PLOY_ERR_NOT_FOUND if it is not remembered (any more).
PLOY_API ploy_result ploy_engine_workload(const ploy_engine *engine, int32_t ago,
                                          ploy_workload *out);

/// The scheduler, to look at: who waits, how turns clump (ploy/exec/phase.h).
PLOY_API const ploy_scheduler *ploy_engine_scheduler(const ploy_engine *engine);

/// A table of all behaviors and how they fare, and one of the ticks that are remembered, as CSV
/// with a line of names first. What goes wrong the writer remembers.
PLOY_API void ploy_engine_write_services(const ploy_engine *engine, ploy_writer *writer);
PLOY_API void ploy_engine_write_workloads(const ploy_engine *engine, ploy_writer *writer);

/// Visits a ploy_engine (ploy/base/visit.h): saves clocks, schedules, outboxes, blackboards and
/// what each running behavior saves of itself. To load, use ploy_engine_load.
PLOY_API void ploy_engine_visit(ploy_visit *v, void *engine);
/// Loads what ploy_visit_save wrote with ploy_engine_visit, into an engine that has the same
/// behaviors registered for the same agents in the same slots, none of them entered yet. Behaviors
/// that were running continue with ploy_behavior_load; one whose load fails is stopped as by a
/// failed enter. Keys that a blackboard does not have any more are ignored.
/// @param frame  for the contexts of the loads, as for a step; may be NULL.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY, and PLOY_ERR_STATE if a behavior is entered or a step
///         is under way; nothing has changed then.
PLOY_API ploy_result ploy_engine_load(ploy_engine *engine, const ploy_engine_frame *frame,
                                      const ploy_json *doc, ploy_json_node node, ploy_diags *diags);
/// Every behavior in a group of its agent: its schedule, its last turn, why it had none, its own
/// description and its blackboard's.
PLOY_API void ploy_engine_describe(const ploy_engine *engine, ploy_describe *out);
PLOY_API void ploy_engine_draw(const ploy_engine *engine, ploy_draw *out);
PLOY_API void ploy_engine_memory(const ploy_engine *engine, ploy_memory_fn fn, void *user);
