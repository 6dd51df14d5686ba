// Shared inside exec: how the engine fits an outbox to its own memory and hears of messages at
// once, and how a running behavior is handed over.
#pragma once

#include "ploy/exec/behavior.h"
#include "ploy/exec/blackboard.h"
#include "ploy/exec/distribution.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/lod_schedule.h"
#include "ploy/exec/outbox.h"
#include "ploy/exec/phase.h"
#include "ploy/exec/population.h"

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
    bool *filled; // set when something is put in, for an engine that would not look; NULL: nobody
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

// Forgets the first so many of each, moving the rest to the front.
void ployi_outbox_drop(ploy_outbox *outbox, int32_t messages, int32_t actions);

// Forgets what came after so many of each.
void ployi_outbox_cut(ploy_outbox *outbox, int32_t messages, int32_t actions);

// The fields of a request, into the open group.
void ployi_action_request_visit(ploy_visit *v, ploy_action_request *request);

// A value of that type as ploy_json_write_value writes it. In blackboard_more.c.
ploy_result ployi_blackboard_read(const ploy_json *doc, ploy_json_node node, ploy_value_type type,
                                  ploy_value *out);

// @return PLOY_ERR_ARGUMENT for numbers that make no distribution.
ploy_result ployi_distribution_check(const ploy_distribution *distribution);

ploy_engine_id ployi_engine_next(const ploy_engine *engine, uint32_t index);

// Checks the def and its bands. @return PLOY_ERR_ARGUMENT; env's log says why.
ploy_result ployi_lod_schedule_check(const ploy_lod_schedule_def *def, const ploy_env *env);

// After how many ticks the pattern of turns repeats (the least common multiple of all periods), or
// 0 if that is more than `limit`.
uint64_t ployi_scheduler_cycle(const ploy_scheduler *scheduler, uint64_t limit);

const ploy_inhabitant *ployi_population_born(const ploy_population *population, int32_t index);
