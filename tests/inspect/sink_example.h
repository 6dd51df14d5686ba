// What the tests of sinks share: a buffer to write to, and a small described thing.
#pragma once

#include "ploy/inspect/sinks.h"

typedef struct sink_out {
    ploy_buffer buffer;
    ploy_writer writer;
} sink_out;

static inline void sink_out_begin(sink_out *out) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(&out->buffer, 0, &env);
    out->writer = ploy_buffer_writer(&out->buffer);
}

static inline const char *sink_out_text(const sink_out *out) {
    return ploy_buffer_text(&out->buffer);
}

static inline void sink_out_end(sink_out *out) {
    ploy_buffer_fini(&out->buffer);
}

// Refuses everything, as a full disk does.
static inline ploy_result sink_refuse(void *user, const void *bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return PLOY_ERR_SYSTEM;
}

static inline void sink_describe_example(ploy_describe *out) {
    ploy_name name = {255};
    ploy_describe_i64(out, "tick", PLOY_STATE, 7);
    ploy_describe_begin_agent(out, "seeker", ploy_agent_id_make(2, 1));
    ploy_describe_vec2(out, "velocity", PLOY_STATE, 1.5f, 0.0f);
    ploy_describe_f32(out, "speed", PLOY_DERIVED, 1.5f);
    ploy_describe_text(out, "why", PLOY_NOTE, "line\nbreak \"quoted\"");
    ploy_describe_begin(out, "path");
    ploy_describe_begin_item(out, 0);
    ploy_describe_vec3(out, "at", PLOY_STATE, 1.0f, 2.0f, 3.0f);
    ploy_describe_end(out);
    ploy_describe_begin_item(out, 1);
    ploy_describe_bool(out, "last", PLOY_STATE, true);
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_u64(out, "seed", PLOY_STATE, UINT64_MAX);
    ploy_describe_id(out, "leader", PLOY_STATE, ploy_id_none());
    ploy_describe_name(out, "goal", PLOY_STATE, name);
}

// Everything a sink should never be told.
static inline void sink_describe_absurd(ploy_describe *out, int depth) {
    ploy_value none = ploy_value_none();
    for (int i = 0; i < depth; i++) {
        char name[16] = {'g', (char)('a' + i % 26), 0};
        ploy_describe_begin(out, name);
    }
    ploy_describe_value(out, "none", (ploy_mark)9, &none);
    ploy_describe_f32(out, "nan", PLOY_STATE, NAN);
    ploy_describe_f64(out, "inf", PLOY_STATE, -(double)INFINITY);
    ploy_describe_vec2(out, "v", PLOY_STATE, NAN, INFINITY);
    ploy_describe_text(out, NULL, PLOY_STATE, NULL);
    ploy_describe_text(out, "bytes \xFF\x01", PLOY_STATE, "\xC3(\x02");
    for (int i = 0; i < depth; i++) ploy_describe_end(out);
}
