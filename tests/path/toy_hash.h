// The state hash of whatever describes itself.
#pragma once

#include "ploy/base/describe.h"

// A function of the caller that describes one kind of object: TOY_HASH(ploy_graph) makes
// `hash_of(const ploy_graph *)`.
#define TOY_HASH(type)                                      \
    static uint64_t hash_of(const type *object) {           \
        ploy_hash_sink sink;                                \
        ploy_hash_sink_init(&sink);                         \
        ploy_describe out = ploy_hash_sink_describe(&sink); \
        type##_describe(object, &out);                      \
        return ploy_hash_sink_result(&sink);                \
    }
