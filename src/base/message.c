#include "ploy/base/message.h"

#include "base/base_internal.h"

#include <string.h>

ploy_message ploy_message_make(ploy_agent_id sender, ploy_agent_id receiver, ploy_name kind) {
    ploy_message message;
    memset(&message, 0, sizeof message); // padding too: messages are compared and hashed as bytes
    message.sender = sender;
    message.receiver = receiver;
    message.kind = kind;
    return message;
}

ploy_result ploy_message_set_payload(ploy_message *message, const void *bytes, size_t size) {
    if (size > PLOY_MESSAGE_PAYLOAD) return PLOY_ERR_CAPACITY;
    if (bytes == NULL && size != 0) return PLOY_ERR_ARGUMENT;
    unsigned char payload[PLOY_MESSAGE_PAYLOAD] = {0}; // a shorter one leaves nothing of the last
    if (size != 0) memcpy(payload, bytes, size);
    memcpy(message->payload, payload, sizeof payload);
    message->size = (uint32_t)size;
    return PLOY_OK;
}

int32_t ployi_message_compare(const ploy_message *a, const ploy_message *b) {
    if (a->due < b->due) return -1;
    if (a->due > b->due) return 1;
    if (a->order < b->order) return -1;
    return a->order > b->order ? 1 : 0;
}

void ploy_message_describe(const ploy_message *message, const char *name, ploy_mark mark,
                           ploy_describe *out) {
    static const char digits[] = "0123456789abcdef";
    char payload[2 * PLOY_MESSAGE_PAYLOAD + 1];
    size_t size = message->size < PLOY_MESSAGE_PAYLOAD ? message->size : PLOY_MESSAGE_PAYLOAD;
    for (size_t i = 0; i < size; i++) {
        payload[2 * i] = digits[message->payload[i] >> 4];
        payload[2 * i + 1] = digits[message->payload[i] & 15];
    }
    payload[2 * size] = 0;
    ploy_describe_begin(out, name);
    ploy_describe_id(out, "sender", mark, message->sender.id);
    ploy_describe_id(out, "receiver", mark, message->receiver.id);
    ploy_describe_name(out, "kind", mark, message->kind);
    ploy_describe_f64(out, "due", mark, message->due);
    ploy_describe_u64(out, "order", mark, message->order);
    ploy_describe_text(out, "payload", mark, payload);
    ploy_describe_end(out);
}
