/// @file ploy/base/message.h
/// A message from one character to another: plain data of a fixed size, so that it can be queued,
/// logged and rewound. `exec` and `world` decide when to deliver it; decision techniques only
/// handle it.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/value.h"

/// Bytes of free payload in a message.
#define PLOY_MESSAGE_PAYLOAD 32

typedef struct ploy_message {
    ploy_agent_id sender;   ///< none: the game itself
    ploy_agent_id receiver; ///< none: all listeners
    ploy_name kind;         ///< "ball_kicked"
    double due;             ///< s of the engine's clock at which to deliver it
    uint64_t order;         ///< set by the dispatcher; breaks ties of due
    uint32_t size;          ///< bytes used of payload
    uint32_t reserved;
    unsigned char payload[PLOY_MESSAGE_PAYLOAD];
} ploy_message;

/// Returns a message without payload, due at once. Every byte is initialised.
PLOY_API ploy_message ploy_message_make(ploy_agent_id sender, ploy_agent_id receiver,
                                        ploy_name kind);
/// Copies bytes into the payload and zeroes the rest.
/// @return PLOY_ERR_CAPACITY if they do not fit; the message is then unchanged.
PLOY_API ploy_result ploy_message_set_payload(ploy_message *message, const void *bytes,
                                              size_t size);
/// Describes the message as a group of the given name, with the payload as hexadecimal text.
PLOY_API void ploy_message_describe(const ploy_message *message, const char *name, ploy_mark mark,
                                    ploy_describe *out);
