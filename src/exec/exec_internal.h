// Shared inside exec: how the engine fits an outbox to its own memory and hears of messages at
// once, and how a running behavior is handed over.
#pragma once

#include "ploy/exec/action.h"
#include "ploy/exec/anytime.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/blackboard.h"
#include "ploy/exec/distribution.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/lod_schedule.h"
#include "ploy/exec/outbox.h"
#include "ploy/exec/phase.h"
#include "ploy/exec/population.h"
#include "ploy/exec/schedule.h"
#include "ploy/exec/scheduler.h"
#include "ploy/exec/workload.h"

// As ploy_behavior_hand_over. @param left  set to true once the old behavior was exited.
ploy_result ployi_behavior_hand_over(ploy_behavior old, ploy_step_context *from,
                                     ploy_behavior fresh, ploy_step_context *to,
                                     const ploy_env *env, ploy_diags *diags, bool *left);

// Takes a message the moment it is sent. Its result is what ploy_outbox_message returns.
typedef ploy_result (*ployi_outbox_send_fn)(void *user, const ploy_message *message);

// Sends messages to fn instead of keeping them; NULL keeps them again.
void ployi_outbox_set_send(ploy_outbox *outbox, ployi_outbox_send_fn fn, void *user);

// Open to the engine, which looks at the counts in every turn.
struct ploy_outbox {
    ploy_env env;
    size_t size; // of this block
    ploy_agent_id agent;
    ployi_outbox_send_fn send; // NULL: messages are kept
    void *send_user;
    bool *filled; // set when something is put in, for an engine that would not look; NULL: none
    int32_t message_count, message_capacity;
    int32_t action_count, action_capacity;
    ploy_message *messages;
    ploy_action_request *actions;
};

static inline bool ployi_outbox_is_empty(const ploy_outbox *outbox) {
    return outbox->message_count == 0 && outbox->action_count == 0;
}

// Where to note that something was put in; NULL: nowhere.
void ployi_outbox_set_filled(ploy_outbox *outbox, bool *filled);

// Gives an outbox to another agent, emptying it.
void ployi_outbox_assign(ploy_outbox *outbox, ploy_agent_id agent);

// Forgets the first ones of each, moving the rest to the front.
void ployi_outbox_drop(ploy_outbox *outbox, int32_t messages, int32_t actions);

// Forgets what came after that many of each.
void ployi_outbox_cut(ploy_outbox *outbox, int32_t messages, int32_t actions);

// The fields of a request, into the open group.
void ployi_action_request_visit(ploy_visit *v, ploy_action_request *request);

// A value of that type as ploy_json_write_value writes it. In blackboard_more.c.
ploy_result ployi_blackboard_read(const ploy_json *doc, ploy_json_node node, ploy_value_type type,
                                  ploy_value *out);

// @return PLOY_ERR_ARGUMENT for numbers that make no distribution.
ploy_result ployi_distribution_check(const ploy_distribution *distribution);

ploy_engine_id ployi_engine_next(const ploy_engine *engine, uint32_t index);

// Checks the def and its bands. @return PLOY_ERR_ARGUMENT; env's log gives the reason.
ploy_result ployi_lod_schedule_check(const ploy_lod_schedule_def *def, const ploy_env *env);

// After how many ticks the pattern of turns repeats (the least common multiple of all periods), or
// 0 if that is more than `limit`.
uint64_t ployi_scheduler_cycle(const ploy_scheduler *scheduler, uint64_t limit);

const ploy_inhabitant *ployi_population_born(const ploy_population *population, int32_t index);

// Stops everything an agent does or has waiting. @return how many that were.
int32_t ployi_actions_cancel_agent(ploy_actions *actions, ploy_agent_id agent);

const char *ployi_blackboard_layout_help(const ploy_blackboard_layout *layout, ploy_slot slot);

ploy_blackboard *ployi_blackboard_parent(const ploy_blackboard *board);

// The slot on `outer` for each key of `inner`, in order: as remapped, or by the same name.
// @param out  room for ploy_blackboard_layout_count(inner) slots; set only on PLOY_OK.
// @return PLOY_ERR_NOT_FOUND for a name that there is not (diags have the nearest),
//         PLOY_ERR_ARGUMENT for a key of another type; all faults are reported.
ploy_result ployi_blackboard_layout_remap(const ploy_blackboard_layout *inner,
                                          const ploy_blackboard_layout *outer,
                                          const ploy_blackboard_remap *remaps, int32_t count,
                                          ploy_diags *diags, ploy_slot *out);

// The value below which a part u of all lie, 0 < u < 1. Of a histogram the category.
float ployi_distribution_quantile(const ploy_distribution *distribution, float u);

// Checks the fields, and that max_slice is not below min_slice, nor max_interval below period.
// @return PLOY_ERR_ARGUMENT; the env's log gives the reason.
ploy_result ployi_schedule_check(const ploy_schedule *schedule, const ploy_env *env);

// Those put off, the longest waiting first; -1 out of range. Between ticks.
int32_t ployi_scheduler_waiting(const ploy_scheduler *scheduler, int32_t index);

bool ployi_scheduler_contains(const ploy_scheduler *scheduler, int32_t item);

// Changes what an item asks for, at once; 1 to 2^30 units. @return PLOY_ERR_ARGUMENT,
// PLOY_ERR_NOT_FOUND.
ploy_result ployi_scheduler_set_request(ploy_scheduler *scheduler, int32_t item, int32_t units);

// Adds a turn to the most expensive ones if it belongs there; among equals the first stays.
void ployi_workload_add(ploy_workload *load, const char *name, ploy_agent_id agent, int64_t units);

// Messages without a receiver, so far.
int64_t ployi_engine_lost_messages(const ploy_engine *engine);

// Where action requests go, or NULL: they fail with PLOY_ERR_UNSUPPORTED then. Kept; the engine
// steps it. Each report comes back to the agent's behaviors as a message of kind
// PLOY_ENGINE_ACTION_DONE whose payload is a ploy_engine_action_done.
void ployi_engine_set_actions(ploy_engine *engine, ploy_actions *actions);

// Changes what it requests under PLOY_POLICY_REQUEST, at once; 1 to 2^30 units.
// @return as ploy_engine_set_schedule.
ploy_result ployi_engine_set_request(ploy_engine *engine, ploy_engine_id id, int32_t units);

// Turns that are due in a tick, or their cost, by the schedules alone (no budget, nothing
// postponed).
// Cost: O(different periods), and O(items) of those beyond PLOY_SCHEDULER_DIRECT_MAX.
double ployi_scheduler_workload(const ploy_scheduler *scheduler, uint64_t tick, bool weighed);

// Adds a character of the story, who is not scaled and has no double. @return PLOY_ERR_ARGUMENT,
// PLOY_ERR_CAPACITY if there are as many as fit at once.
ploy_result ployi_population_add_named(ploy_population *population, int32_t region, uint64_t token,
                                       ploy_person *out);

// Sends it to another district. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
ploy_result ployi_population_move_named(ploy_population *population, uint64_t token,
                                        int32_t region);

// "normal", "power", "histogram".
const char *ployi_distribution_kind_text(ploy_distribution_kind kind);

// "new", "ran", "not due", "waits", "paused", "done", "failed".
const char *ployi_engine_turn_text(ploy_engine_turn turn);

// ---- of ploy/exec/population.h, for its sources and tests

// The number of people the table has for a district at a time; 0 out of range.
float ployi_population_flow(const ploy_population *population, int32_t region, double now);
