// The calling side of describe, and the hash sink.
//
// The hash sink folds a stream of brackets and values, in the order in which the tree would be written:
// OPEN name, value, ..., CLOSE. A group is folded only when its first STATE value comes, so that
// groups for people alone leave no mark. Invariants of a sink:
//   (1) 0 <= folded <= depth; groups [0, folded) are in the hash, the others wait;
//   (2) path[i] is the hash of group i's name and owner for every waiting group i;
//   (3) no group deeper than PLOY_HASH_SINK_DEPTH waits.
#include "ploy/base/describe.h"

#include <string.h>

#include "ploy/base/hash.h"

// Any three different odd constants do; they keep brackets and values apart in the stream.
#define DESCRIBE_OPEN 0x9AE16A3B2F90404Fu
#define DESCRIBE_CLOSE 0xC949D7C7509E6557u
#define DESCRIBE_VALUE 0xFF51AFD7ED558CCDu

static const char *describe_text_of(const char *text) {
    return text != NULL ? text : "";
}

const char *ploy_mark_text(ploy_mark mark) {
    switch (mark) {
    case PLOY_STATE: return "state";
    case PLOY_DERIVED: return "derived";
    case PLOY_NOTE: return "note";
    case PLOY_SAVED: return "saved";
    }
    return "?";
}

static void describe_begin_owned(ploy_describe *out, const char *name, ploy_id owner) {
    if (out == NULL || out->begin == NULL) return;
    out->begin(out->user, describe_text_of(name), owner);
}

void ploy_describe_begin(ploy_describe *out, const char *name) {
    describe_begin_owned(out, name, ploy_id_none());
}

void ploy_describe_begin_agent(ploy_describe *out, const char *name, ploy_agent_id agent) {
    describe_begin_owned(out, name, agent.id);
}

void ploy_describe_begin_item(ploy_describe *out, int64_t index) {
    if (out == NULL) return;
    char name[24];
    ploy_value value = ploy_value_i64(index);
    ploy_value_print(&value, name, sizeof name);
    describe_begin_owned(out, name, ploy_id_none());
}

void ploy_describe_end(ploy_describe *out) {
    if (out == NULL || out->end == NULL) return;
    out->end(out->user);
}

void ploy_describe_value(ploy_describe *out, const char *name, ploy_mark mark,
                         const ploy_value *value) {
    if (out == NULL || out->value == NULL || value == NULL || mark == PLOY_SAVED) return;
    out->value(out->user, describe_text_of(name), mark, value);
}

void ploy_describe_bool(ploy_describe *out, const char *name, ploy_mark mark, bool value) {
    ploy_value holder = ploy_value_bool(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_i64(ploy_describe *out, const char *name, ploy_mark mark, int64_t value) {
    ploy_value holder = ploy_value_i64(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_u64(ploy_describe *out, const char *name, ploy_mark mark, uint64_t value) {
    ploy_value holder = ploy_value_u64(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_f32(ploy_describe *out, const char *name, ploy_mark mark, float value) {
    ploy_value holder = ploy_value_f32(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_f64(ploy_describe *out, const char *name, ploy_mark mark, double value) {
    ploy_value holder = ploy_value_f64(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_vec2(ploy_describe *out, const char *name, ploy_mark mark, float x, float y) {
    ploy_value holder = ploy_value_vec2(x, y);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_vec3(ploy_describe *out, const char *name, ploy_mark mark, float x, float y,
                        float z) {
    ploy_value holder = ploy_value_vec3(x, y, z);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_id(ploy_describe *out, const char *name, ploy_mark mark, ploy_id value) {
    ploy_value holder = ploy_value_id(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_name(ploy_describe *out, const char *name, ploy_mark mark, ploy_name value) {
    ploy_value holder = ploy_value_name(value);
    ploy_describe_value(out, name, mark, &holder);
}

void ploy_describe_text(ploy_describe *out, const char *name, ploy_mark mark, const char *value) {
    ploy_value holder = ploy_value_text(value);
    ploy_describe_value(out, name, mark, &holder);
}

static void describe_hash_fold(ploy_hash_sink *sink, uint64_t value) {
    sink->hash = ploy_hash_combine(sink->hash, value);
}

// Folds the brackets of every waiting group.
static void describe_hash_open(ploy_hash_sink *sink) {
    // The sink is the caller's memory: only numbers that this file could have written are used as indices.
    if (sink->folded < 0 || sink->folded > PLOY_HASH_SINK_DEPTH) return;
    for (; sink->folded < sink->depth && sink->folded < PLOY_HASH_SINK_DEPTH; sink->folded++) {
        describe_hash_fold(sink, DESCRIBE_OPEN);
        describe_hash_fold(sink, sink->path[sink->folded]);
    }
}

static void describe_hash_begin(void *user, const char *name, ploy_id owner) {
    ploy_hash_sink *sink = user;
    uint64_t key = ploy_hash_combine(ploy_hash_text(name), ploy_id_to_u64(owner));
    if (sink->depth >= 0 && sink->depth < PLOY_HASH_SINK_DEPTH) {
        sink->path[sink->depth++] = key;
        return;
    }
    describe_hash_open(sink);
    describe_hash_fold(sink, DESCRIBE_OPEN);
    describe_hash_fold(sink, key);
    if (sink->depth < 0 || sink->depth == INT32_MAX || sink->folded == INT32_MAX) return;
    sink->depth++; // keeps (3)
    sink->folded++;
}

static void describe_hash_end(void *user) {
    ploy_hash_sink *sink = user;
    if (sink->depth <= 0) return; // one end too many closes nothing
    if (sink->folded == sink->depth) {
        describe_hash_fold(sink, DESCRIBE_CLOSE);
        sink->folded--;
    }
    sink->depth--;
}

static uint64_t describe_f32_bits(float value) {
    uint32_t bits = 0x7FC00000u; // the one NaN
    if (value == value) memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t describe_f64_bits(double value) {
    uint64_t bits = 0x7FF8000000000000u;
    if (value == value) memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void describe_hash_value(void *user, const char *name, ploy_mark mark,
                                const ploy_value *value) {
    ploy_hash_sink *sink = user;
    if (mark != PLOY_STATE) return;
    describe_hash_open(sink);
    describe_hash_fold(sink, DESCRIBE_VALUE + (uint64_t)value->type);
    describe_hash_fold(sink, ploy_hash_text(name));
    switch (value->type) {
    case PLOY_VALUE_NONE: break;
    case PLOY_VALUE_BOOL: describe_hash_fold(sink, value->as.b ? 1 : 0); break;
    case PLOY_VALUE_I64: describe_hash_fold(sink, (uint64_t)value->as.i64); break;
    case PLOY_VALUE_U64: describe_hash_fold(sink, value->as.u64); break;
    case PLOY_VALUE_F32: describe_hash_fold(sink, describe_f32_bits(value->as.f32)); break;
    case PLOY_VALUE_F64: describe_hash_fold(sink, describe_f64_bits(value->as.f64)); break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        int32_t count = 2 + (int32_t)value->type - (int32_t)PLOY_VALUE_VEC2;
        for (int32_t i = 0; i < count; i++) {
            describe_hash_fold(sink, describe_f32_bits(value->as.vec[i]));
        }
        break;
    }
    case PLOY_VALUE_ID: describe_hash_fold(sink, ploy_id_to_u64(value->as.id)); break;
    case PLOY_VALUE_NAME: describe_hash_fold(sink, value->as.name.hash); break;
    case PLOY_VALUE_TEXT:
        describe_hash_fold(sink, ploy_hash_text(describe_text_of(value->as.text)));
        break;
    }
}

void ploy_hash_sink_init(ploy_hash_sink *sink) {
    memset(sink, 0, sizeof *sink);
    sink->hash = DESCRIBE_VALUE; // not 0, which a fold of zeros might keep
}

ploy_describe ploy_hash_sink_describe(ploy_hash_sink *sink) {
    ploy_describe out = {describe_hash_begin, describe_hash_end, describe_hash_value, sink};
    return out;
}

uint64_t ploy_hash_sink_result(const ploy_hash_sink *sink) {
    return sink->hash;
}

#undef DESCRIBE_OPEN
#undef DESCRIBE_CLOSE
#undef DESCRIBE_VALUE
