/// @file ploy/base/describe.h
/// Describe: an object's state as a tree of named values, reported to a sink.
///
/// Every object with state has `void ploy_x_describe(const ploy_x *x, ploy_describe *out)`. The
/// same call feeds the inspector, text and JSON, and the state hash; each value is marked:
/// - STATE: values that the future depends on. Hashed; a rewind test detects a forgotten one.
/// - DERIVED: computed from STATE; shown, not hashed.
/// - NOTE: for human readers only, such as a reason or a statistic.
/// - SAVED: for visitors (ploy/base/visit.h) only: saved and loaded, not described. Describing
///   never changes the object and never allocates on the object's side. Every call below does
///   nothing if `out` is NULL. A NULL name or text counts as "".
#pragma once

#include "ploy/base/value.h"

typedef enum ploy_mark { PLOY_STATE, PLOY_DERIVED, PLOY_NOTE, PLOY_SAVED } ploy_mark;

/// "state", "derived", "note", "saved".
PLOY_API const char *ploy_mark_text(ploy_mark mark);

/// The receiving side. Groups nest; in a list, the children's names are their indices as text. A
/// sink stores its failures and reports them from its finishing call.
typedef struct ploy_describe {
    /// Opens a group of named values. `owner` is the agent that the group belongs to, or none.
    void (*begin)(void *user, const char *name, ploy_id owner);
    void (*end)(void *user);
    void (*value)(void *user, const char *name, ploy_mark mark, const ploy_value *value);
    void *user;
} ploy_describe;

PLOY_API void ploy_describe_begin(ploy_describe *out, const char *name);
/// A group that belongs to an agent, so that a click on the agent finds it.
PLOY_API void ploy_describe_begin_agent(ploy_describe *out, const char *name, ploy_agent_id agent);
/// A group named by a number, for the items of a list.
PLOY_API void ploy_describe_begin_item(ploy_describe *out, int64_t index);
PLOY_API void ploy_describe_end(ploy_describe *out);

/// One named value, of each type.
PLOY_API void ploy_describe_value(ploy_describe *out, const char *name, ploy_mark mark,
                                  const ploy_value *value);
PLOY_API void ploy_describe_bool(ploy_describe *out, const char *name, ploy_mark mark, bool value);
PLOY_API void ploy_describe_i64(ploy_describe *out, const char *name, ploy_mark mark,
                                int64_t value);
PLOY_API void ploy_describe_u64(ploy_describe *out, const char *name, ploy_mark mark,
                                uint64_t value);
PLOY_API void ploy_describe_f32(ploy_describe *out, const char *name, ploy_mark mark, float value);
PLOY_API void ploy_describe_f64(ploy_describe *out, const char *name, ploy_mark mark, double value);
PLOY_API void ploy_describe_vec2(ploy_describe *out, const char *name, ploy_mark mark, float x,
                                 float y);
PLOY_API void ploy_describe_vec3(ploy_describe *out, const char *name, ploy_mark mark, float x,
                                 float y, float z);
PLOY_API void ploy_describe_id(ploy_describe *out, const char *name, ploy_mark mark, ploy_id value);
PLOY_API void ploy_describe_name(ploy_describe *out, const char *name, ploy_mark mark,
                                 ploy_name value);
PLOY_API void ploy_describe_text(ploy_describe *out, const char *name, ploy_mark mark,
                                 const char *value);

/// The sink that hashes the values marked STATE into 64 bits: structure, names, types and bits, so
/// that different states get different hashes (collisions aside). Groups without STATE add nothing
/// (except below PLOY_HASH_SINK_DEPTH levels, where names are hashed immediately because there is
/// no room). 0 and -0 differ; all NaNs count as equal, because their bits differ between
/// processors.
typedef struct ploy_hash_sink ploy_hash_sink;

/// Levels of groups whose names wait until they contain a STATE value.
#define PLOY_HASH_SINK_DEPTH 32

/// Caller-owned memory of a hash sink; its contents are private.
struct ploy_hash_sink {
    uint64_t hash;
    uint64_t path[PLOY_HASH_SINK_DEPTH]; ///< name and owner of each open group, hashed
    int32_t depth;                       ///< open groups
    int32_t folded; ///< how many of them, counted from the outermost, are in the hash
};

PLOY_API void ploy_hash_sink_init(ploy_hash_sink *sink);
PLOY_API ploy_describe ploy_hash_sink_describe(ploy_hash_sink *sink);
/// Returns the hash so far. Open groups count with their contents up to now.
PLOY_API uint64_t ploy_hash_sink_result(const ploy_hash_sink *sink);
