/// @file ploy/exec/outbox.h
/// The outbox: what leaves a thinking character.
///
/// While characters think, perhaps in parallel, none may change another. So everything a character
/// requests goes into its outbox, which has room for a fixed number of items, and is delivered when
/// all have finished thinking, in the order of their ids. An engine owns one for each behavior; a
/// test, or a game with its own loop, makes one and reads it.
///
/// Threads: one caller at a time; different outboxes are independent.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/exec/action.h"

typedef struct ploy_outbox ploy_outbox;

/// Makes an empty outbox with room for that many of each, 0 to 65,535. All memory is taken here.
/// @param agent  its owner: the sender of messages, and the agent of actions, that name none.
PLOY_API ploy_result ploy_outbox_create(ploy_agent_id agent, int32_t messages, int32_t actions,
                                        const ploy_env *env, ploy_outbox **out);
PLOY_API void ploy_outbox_destroy(ploy_outbox *outbox);

/// Requests an action; a request that names no agent is for the outbox's own.
/// @return PLOY_ERR_CAPACITY if the outbox is full, PLOY_ERR_ARGUMENT for an invalid
///         request. Outbox NULL (messages are dropped): PLOY_OK, and nothing happens.
PLOY_API ploy_result ploy_outbox_action(ploy_outbox *outbox, const ploy_action_request *request);

/// Sends a message; one that names no sender is from the outbox's own agent. Delivered at commit;
/// in a serial engine at once.
/// @return as ploy_outbox_action; PLOY_ERR_ARGUMENT for a `due` that is not finite or a size past
///         the payload.
PLOY_API ploy_result ploy_outbox_message(ploy_outbox *outbox, const ploy_message *message);

PLOY_API int32_t ploy_outbox_message_count(const ploy_outbox *outbox);
PLOY_API int32_t ploy_outbox_action_count(const ploy_outbox *outbox);
/// In the order sent; NULL out of range.
PLOY_API const ploy_message *ploy_outbox_message_at(const ploy_outbox *outbox, int32_t index);
PLOY_API const ploy_action_request *ploy_outbox_action_at(const ploy_outbox *outbox, int32_t index);

/// Forgets everything in it.
PLOY_API void ploy_outbox_clear(ploy_outbox *outbox);
/// Visits a ploy_outbox (ploy/base/visit.h).
PLOY_API void ploy_outbox_visit(ploy_visit *v, void *outbox);
PLOY_API void ploy_outbox_describe(const ploy_outbox *outbox, ploy_describe *out);
