// Outboxes: one block each, so that a thousand of them stay apart and nothing grows while thinking.
//
//     struct | messages | actions
#include "ploy/exec/outbox.h"

#include <string.h>

#include "exec/exec_internal.h"
#include "ploy/base/math.h"

#define OUTBOX_ITEMS_MAX 65535

ploy_result ploy_outbox_create(ploy_agent_id agent, int32_t messages, int32_t actions,
                               const ploy_env *env, ploy_outbox **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || messages < 0 || messages > OUTBOX_ITEMS_MAX || actions < 0 ||
        actions > OUTBOX_ITEMS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t messages_at = (sizeof(ploy_outbox) + 7) / 8 * 8;
    size_t actions_at = messages_at + (size_t)messages * sizeof(ploy_message);
    size_t size = actions_at + (size_t)actions * sizeof(ploy_action_request);
    ploy_outbox *outbox = ploy_env_alloc_zero(env, size);
    if (outbox == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)outbox;
    outbox->env = *env;
    outbox->size = size;
    outbox->agent = agent;
    outbox->message_capacity = messages;
    outbox->action_capacity = actions;
    outbox->messages = (ploy_message *)(void *)(block + messages_at);
    outbox->actions = (ploy_action_request *)(void *)(block + actions_at);
    *out = outbox;
    return PLOY_OK;
}

void ploy_outbox_destroy(ploy_outbox *outbox) {
    if (outbox == NULL) return;
    ploy_env env = outbox->env;
    ploy_env_free(&env, outbox, outbox->size);
}

ploy_result ploy_outbox_action(ploy_outbox *outbox, const ploy_action_request *request) {
    if (outbox == NULL) return PLOY_OK;
    if (request == NULL) return PLOY_ERR_ARGUMENT;
    ploy_action_request copy = *request;
    if (ploy_id_is_none(copy.agent.id)) copy.agent = outbox->agent;
    ploy_result result = ploy_action_request_check(&copy);
    if (result != PLOY_OK) return result;
    if (outbox->action_count == outbox->action_capacity) return PLOY_ERR_CAPACITY;
    outbox->actions[outbox->action_count++] = copy;
    if (outbox->filled != NULL) *outbox->filled = true;
    return PLOY_OK;
}

ploy_result ploy_outbox_message(ploy_outbox *outbox, const ploy_message *message) {
    if (outbox == NULL) return PLOY_OK;
    if (message == NULL || message->size > PLOY_MESSAGE_PAYLOAD ||
        !ploy_is_finite_d(message->due)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_message copy = *message;
    if (ploy_id_is_none(copy.sender.id)) copy.sender = outbox->agent;
    if (outbox->send != NULL) return outbox->send(outbox->send_user, &copy);
    if (outbox->message_count == outbox->message_capacity) return PLOY_ERR_CAPACITY;
    outbox->messages[outbox->message_count++] = copy;
    if (outbox->filled != NULL) *outbox->filled = true;
    return PLOY_OK;
}

int32_t ploy_outbox_message_count(const ploy_outbox *outbox) {
    return outbox != NULL ? outbox->message_count : 0;
}

int32_t ploy_outbox_action_count(const ploy_outbox *outbox) {
    return outbox != NULL ? outbox->action_count : 0;
}

const ploy_message *ploy_outbox_message_at(const ploy_outbox *outbox, int32_t index) {
    if (outbox == NULL || index < 0 || index >= outbox->message_count) return NULL;
    return &outbox->messages[index];
}

const ploy_action_request *ploy_outbox_action_at(const ploy_outbox *outbox, int32_t index) {
    if (outbox == NULL || index < 0 || index >= outbox->action_count) return NULL;
    return &outbox->actions[index];
}

void ploy_outbox_clear(ploy_outbox *outbox) {
    if (outbox != NULL) ployi_outbox_cut(outbox, 0, 0);
}

void ploy_outbox_visit(ploy_visit *v, void *object) {
    ploy_outbox *outbox = object;
    ploy_visit_object(v, "outbox", outbox, outbox->size);
    PLOY_VISIT_SCRATCH(v, outbox->env);
    PLOY_VISIT_SCRATCH(v, outbox->size);
    PLOY_VISIT_SCRATCH(v, outbox->agent);
    PLOY_VISIT_SCRATCH(v, outbox->send);
    PLOY_VISIT_SCRATCH(v, outbox->send_user);
    PLOY_VISIT_SCRATCH(v, outbox->filled);
    // A load may fill it: its watcher looks again.
    if (ploy_visit_loads(v) && outbox->filled != NULL) *outbox->filled = true;
    PLOY_VISIT_SCRATCH(v, outbox->message_capacity);
    PLOY_VISIT_SCRATCH(v, outbox->action_capacity);
    PLOY_VISIT_SCRATCH(v, outbox->messages);
    PLOY_VISIT_SCRATCH(v, outbox->actions);
    int32_t messages = outbox->message_count, actions = outbox->action_count;
    int32_t count = ploy_visit_list(v, "messages", PLOY_SAVED, &outbox->message_count,
                                    outbox->message_capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_message(v, "message", PLOY_STATE, &outbox->messages[i]);
    }
    ploy_visit_end(v);
    ploy_message no_message;
    memset(&no_message, 0, sizeof no_message); // what is forgotten is wiped
    for (int32_t i = count; i < messages && ploy_visit_loads(v); i++) {
        ploy_visit_write(v, &outbox->messages[i], &no_message, sizeof no_message);
    }
    count =
        ploy_visit_list(v, "actions", PLOY_SAVED, &outbox->action_count, outbox->action_capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_agent(v, "action", PLOY_STATE, outbox->actions[i].agent);
        ployi_action_request_visit(v, &outbox->actions[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_action_request no_action;
    memset(&no_action, 0, sizeof no_action);
    for (int32_t i = count; i < actions && ploy_visit_loads(v); i++) {
        ploy_visit_write(v, &outbox->actions[i], &no_action, sizeof no_action);
    }
    ploy_visit_scratch(v, outbox->messages + outbox->message_count,
                       (size_t)(outbox->message_capacity - outbox->message_count) *
                           sizeof no_message);
    ploy_visit_scratch(v, outbox->actions + outbox->action_count,
                       (size_t)(outbox->action_capacity - outbox->action_count) * sizeof no_action);
}

void ploy_outbox_describe(const ploy_outbox *outbox, ploy_describe *out) {
    ploy_visit_describe(ploy_outbox_visit, outbox, NULL, out);
}

void ployi_outbox_set_send(ploy_outbox *outbox, ployi_outbox_send_fn fn, void *user) {
    outbox->send = fn;
    outbox->send_user = user;
}

void ployi_outbox_set_filled(ploy_outbox *outbox, bool *filled) {
    outbox->filled = filled;
}

void ployi_outbox_assign(ploy_outbox *outbox, ploy_agent_id agent) {
    ployi_outbox_cut(outbox, 0, 0);
    outbox->agent = agent;
}

void ployi_outbox_drop(ploy_outbox *outbox, int32_t messages, int32_t actions) {
    int32_t messages_left = outbox->message_count - messages;
    int32_t actions_left = outbox->action_count - actions;
    PLOY_ASSERT(messages >= 0 && messages_left >= 0 && actions >= 0 && actions_left >= 0);
    memmove(outbox->messages, outbox->messages + messages,
            (size_t)messages_left * sizeof outbox->messages[0]);
    memmove(outbox->actions, outbox->actions + actions,
            (size_t)actions_left * sizeof outbox->actions[0]);
    ployi_outbox_cut(outbox, messages_left, actions_left);
}

void ployi_outbox_cut(ploy_outbox *outbox, int32_t messages, int32_t actions) {
    PLOY_ASSERT(messages <= outbox->message_count && actions <= outbox->action_count);
    // What is forgotten is wiped: equal states have equal bytes.
    memset(outbox->messages + messages, 0,
           (size_t)(outbox->message_count - messages) * sizeof outbox->messages[0]);
    memset(outbox->actions + actions, 0,
           (size_t)(outbox->action_count - actions) * sizeof outbox->actions[0]);
    outbox->message_count = messages;
    outbox->action_count = actions;
}

#undef OUTBOX_ITEMS_MAX
