/// @file ploy/base/visit.h
/// Visitors: each field of an object's state is listed once.
///
/// An object has one visitor, a function that names its fields in order. The same function
/// describes the object, hashes it, saves it, loads it and reports its memory:
///
///     void ploy_guard_visit(ploy_visit *v, void *object) {
///         ploy_guard *guard = object;
///         ploy_visit_object(v, "guard", guard, sizeof *guard);
///         PLOY_VISIT_SCRATCH(v, guard->env);
///         ploy_visit_f64_in(v, "since", PLOY_STATE, &guard->since, 0.0, 1e9);
///         ploy_visit_id(v, "target", PLOY_STATE, &guard->target.id);
///         ploy_visit_i64(v, "alarms", PLOY_NOTE, &guard->alarms);
///     }
///
///     ploy_visit_describe(ploy_guard_visit, guard, NULL, out);
///     ploy_visit_save(ploy_guard_visit, guard, NULL, &json);
///     result = ploy_visit_load(ploy_guard_visit, guard, NULL, doc, node, &env, diags);
///     ploy_visit_memory(ploy_guard_visit, guard, fn, user);
///
/// The mark of a field decides what happens to it:
///
/// | mark         | described and hashed | saved and loaded                           |
/// |--------------|----------------------|--------------------------------------------|
/// | PLOY_STATE   | as STATE             | yes; a load fails if it is missing         |
/// | PLOY_SAVED   | no                   | yes; another described value covers it     |
/// | PLOY_NOTE    | as NOTE              | yes; a load leaves it alone if missing     |
/// | PLOY_DERIVED | as DERIVED           | no                                         |
///
/// Values that are computed rather than stored are described directly with v->describe, which is
/// NULL in the other modes: ploy_describe_i64(v->describe, "count", PLOY_DERIVED, n).
///
/// A load is all or nothing: every write is recorded, and the first fault, including a lack of
/// memory, restores the object. Each fault is reported with its line and column. The visitor sees
/// the loaded values at once, so it can branch on counts and kinds that it has just visited.
/// Addresses are recorded, so never visit a local variable. Check every value that is used as an
/// index.
///
/// Describing, saving and reporting memory allocate nothing. A load allocates its record of writes.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields_json.h"
#include "ploy/base/heap.h"
#include "ploy/base/json.h"
#include "ploy/base/message.h"
#include "ploy/base/pool.h"
#include "ploy/base/rng.h"

/// Deepest nesting of groups and lists in one visitor. A nested object that is saved by its own
/// ploy_visit_save starts again at 0.
#define PLOY_VISIT_DEPTH 24

typedef enum ploy_visit_mode {
    PLOY_VISIT_DESCRIBE,
    PLOY_VISIT_SAVE,
    PLOY_VISIT_LOAD,
    PLOY_VISIT_MEMORY,
    PLOY_VISIT_COVER ///< for tests: reports which bytes are visited
} ploy_visit_mode;

/// What a visitor reports to a test.
typedef enum ploy_visit_part {
    PLOY_VISIT_VALUE,  ///< a field of the type in `type`
    PLOY_VISIT_ENUM,   ///< an integer with `max` - `min` + 1 texts
    PLOY_VISIT_COUNT,  ///< the length of a list; an int32_t
    PLOY_VISIT_BYTES,  ///< bytes of any value
    PLOY_VISIT_RNG,    ///< a ploy_rng
    PLOY_VISIT_FIELDS, ///< a def
    PLOY_VISIT_STRUCT, ///< memory of which every byte except padding must be visited
    PLOY_VISIT_UNUSED  ///< memory that is not state
} ploy_visit_part;

typedef struct ploy_visit_seen {
    ploy_visit_part part;
    const char *name;
    ploy_mark mark;
    void *address;
    size_t size;
    ploy_value_type type;
    double min, max; ///< of numbers
} ploy_visit_seen;

typedef void (*ploy_visit_cover_fn)(void *user, const ploy_visit_seen *seen);

/// A visit in progress. mode, describe, memory, memory_user and context may be read; the rest is
/// private.
typedef struct ploy_visit {
    ploy_visit_mode mode;
    ploy_describe *describe; ///< NULL unless describing
    ploy_memory_fn memory;   ///< NULL unless reporting memory
    void *memory_user;
    void *context; ///< the pointer that the caller passed
    ploy_json_writer *json;
    struct ployi_visit_load *load;
    ploy_visit_cover_fn cover;
    void *cover_user;
    const char *key;
    int32_t depth;
    bool in_array;
    unsigned char levels[PLOY_VISIT_DEPTH];
} ploy_visit;

/// The visitor of an object. The object changes only while loading.
typedef void (*ploy_visitor)(ploy_visit *v, void *object);

// ---- running a visitor

/// Describes the object into the open group. The visitor finds context in v->context; it may be
/// NULL.
PLOY_API void ploy_visit_describe(ploy_visitor fn, const void *object, void *context,
                                  ploy_describe *out);
/// Returns the hash of the values marked STATE.
PLOY_API uint64_t ploy_visit_hash(ploy_visitor fn, const void *object, void *context);
/// Writes the object as one JSON object.
PLOY_API void ploy_visit_save(ploy_visitor fn, const void *object, void *context,
                              ploy_json_writer *out);
/// Loads what ploy_visit_save wrote for an object of the same kind with the same def. Missing,
/// unknown and invalid members are faults.
/// @param env    for the record of writes that restores the object; freed before the call returns.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY or the visitor's error; the object is then unchanged,
///         except that its arrays may have grown.
PLOY_API ploy_result ploy_visit_load(ploy_visitor fn, void *object, void *context,
                                     const ploy_json *doc, ploy_json_node node, const ploy_env *env,
                                     ploy_diags *diags);
/// Loads the members that both the node and the visitor have, for objects whose definition may have
/// been edited since the save. Invalid members are warnings and keep their value; missing and
/// unknown members are ignored.
/// @param env  may be NULL for a visitor that does not call ploy_visit_after or ploy_visit_replace.
/// @return PLOY_OK, or the visitor's error; nothing is undone then.
PLOY_API ploy_result ploy_visit_load_known(ploy_visitor fn, void *object, void *context,
                                           const ploy_json *doc, ploy_json_node node,
                                           const ploy_env *env, ploy_diags *diags);
PLOY_API void ploy_visit_memory(ploy_visitor fn, const void *object, ploy_memory_fn memory,
                                void *user);

// ---- memory

/// A block that the object owns and whose bytes are all visited. Used for the memory report and
/// coverage.
PLOY_API void ploy_visit_object(ploy_visit *v, const char *name, void *object, size_t size);
/// The same for memory with another owner: a plain struct, an item of an array.
PLOY_API void ploy_visit_struct(ploy_visit *v, const char *name, void *object, size_t size);
/// A block that the object owns and that is not state. Used for the memory report only. NULL is
/// allowed.
PLOY_API void ploy_visit_block(ploy_visit *v, const char *name, const void *block, size_t size);
/// Bytes that are not state: fixed at create, derived, or scratch.
PLOY_API void ploy_visit_scratch(ploy_visit *v, const void *address, size_t size);
#define PLOY_VISIT_SCRATCH(v, member) ploy_visit_scratch((v), &(member), sizeof(member))

// ---- groups and lists

/// Sets the JSON key of the next value, group or list if it differs from the described name.
PLOY_API void ploy_visit_key(ploy_visit *v, const char *key);
/// Opens a group; ploy_visit_end closes it. STATE: in descriptions and files. SAVED: in files only.
/// DERIVED and NOTE: in descriptions only; the group's members are then saved in the enclosing
/// group.
PLOY_API void ploy_visit_begin(ploy_visit *v, const char *name, ploy_mark mark);
/// A group that belongs to an agent.
PLOY_API void ploy_visit_begin_agent(ploy_visit *v, const char *name, ploy_mark mark,
                                     ploy_agent_id agent);
/// A group named by a number, for the items of a list.
PLOY_API void ploy_visit_begin_item(ploy_visit *v, int64_t index, ploy_mark mark);
/// Opens a list of *count items, a JSON array, with a mark as for groups. A load sets *count.
/// @param max  most items allowed; a longer list is a fault.
/// @return the number of values or groups to visit before ploy_visit_end.
PLOY_API int32_t ploy_visit_list(ploy_visit *v, const char *name, ploy_mark mark, int32_t *count,
                                 int32_t max);
/// The same for a length that the caller sets itself, for example after making room.
/// @return `now`, or in a load the length in the file; -1 if the list is missing or too long.
PLOY_API int32_t ploy_visit_count(ploy_visit *v, const char *name, ploy_mark mark, int32_t now,
                                  int32_t max);
/// A list whose length does not change; a load refuses any other length.
PLOY_API int32_t ploy_visit_fixed(ploy_visit *v, const char *name, ploy_mark mark, int32_t count);
/// A list of an array's items. A load sets the array's count; added items start as zeros.
PLOY_API int32_t ploy_visit_array(ploy_visit *v, const char *name, ploy_mark mark,
                                  ploy_array *array, int32_t max);
PLOY_API void ploy_visit_end(ploy_visit *v);
/// Reports the memory of an array that is derived or scratch, or whose items are visited
/// separately.
PLOY_API void ploy_visit_buffer(ploy_visit *v, const char *name, const ploy_array *array);
/// In a load: sets an array's count, as ploy_visit_array does. @return false if out of memory.
PLOY_API bool ploy_visit_resize(ploy_visit *v, ploy_array *array, int32_t count);
/// The pairs of a heap, and the order among equal keys. A load refuses a list that is not a heap.
PLOY_API void ploy_visit_heap(ploy_visit *v, const char *name, ploy_heap *heap, int32_t max);
/// The slots and generations of a pool, so that ids stay valid. A load makes the same items alive;
/// visit each of them afterwards with ploy_pool_next. Added items start as zeros.
/// @param max  most slots.
PLOY_API void ploy_visit_pool(ploy_visit *v, const char *name, ploy_pool *pool, int32_t max);
/// Returns whether to visit an optional member: `present`, or in a load whether the file has it.
PLOY_API bool ploy_visit_optional(ploy_visit *v, const char *key, bool present);

// ---- values

/// A value of each type. The mark decides whether it is described and saved.
PLOY_API void ploy_visit_bool(ploy_visit *v, const char *name, ploy_mark mark, bool *value);
/// Numbers. The plain forms accept every integer and every finite float; the `_in` forms accept min
/// to max. i32 and i64 are described as i64, u8, u32 and u64 as u64.
PLOY_API void ploy_visit_i32(ploy_visit *v, const char *name, ploy_mark mark, int32_t *value);
PLOY_API void ploy_visit_i32_in(ploy_visit *v, const char *name, ploy_mark mark, int32_t *value,
                                int32_t min, int32_t max);
PLOY_API void ploy_visit_i64(ploy_visit *v, const char *name, ploy_mark mark, int64_t *value);
PLOY_API void ploy_visit_i64_in(ploy_visit *v, const char *name, ploy_mark mark, int64_t *value,
                                int64_t min, int64_t max);
PLOY_API void ploy_visit_u8_in(ploy_visit *v, const char *name, ploy_mark mark, uint8_t *value,
                               uint8_t min, uint8_t max);
PLOY_API void ploy_visit_u32(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *value);
PLOY_API void ploy_visit_u32_in(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *value,
                                uint32_t min, uint32_t max);
PLOY_API void ploy_visit_u64(ploy_visit *v, const char *name, ploy_mark mark, uint64_t *value);
PLOY_API void ploy_visit_f32(ploy_visit *v, const char *name, ploy_mark mark, float *value);
/// min and max may be infinite. NaN is refused.
PLOY_API void ploy_visit_f32_in(ploy_visit *v, const char *name, ploy_mark mark, float *value,
                                float min, float max);
PLOY_API void ploy_visit_f64(ploy_visit *v, const char *name, ploy_mark mark, double *value);
PLOY_API void ploy_visit_f64_in(ploy_visit *v, const char *name, ploy_mark mark, double *value,
                                double min, double max);
/// Two or three finite floats, which need not be adjacent in memory.
PLOY_API void ploy_visit_vec2(ploy_visit *v, const char *name, ploy_mark mark, float *x, float *y);
PLOY_API void ploy_visit_vec3(ploy_visit *v, const char *name, ploy_mark mark, float *x, float *y,
                              float *z);
/// A quaternion or another four finite floats.
PLOY_API void ploy_visit_vec4(ploy_visit *v, const char *name, ploy_mark mark, float *w, float *x,
                              float *y, float *z);
PLOY_API void ploy_visit_id(ploy_visit *v, const char *name, ploy_mark mark, ploy_id *value);
PLOY_API void ploy_visit_name(ploy_visit *v, const char *name, ploy_mark mark, ploy_name *value);
/// Zero-terminated text in a buffer of the given size. The buffer is zeroed after the text.
PLOY_API void ploy_visit_text(ploy_visit *v, const char *name, ploy_mark mark, char *text,
                              size_t size);
/// Opaque bytes: described as their hash, saved as hexadecimal text.
/// @return false if in a load they are missing or their number differs.
PLOY_API bool ploy_visit_bytes(ploy_visit *v, const char *name, ploy_mark mark, void *bytes,
                               size_t size);
/// The same, but the file leaves out trailing zeros.
PLOY_API bool ploy_visit_trimmed(ploy_visit *v, const char *name, ploy_mark mark, void *bytes,
                                 size_t size);
/// A random stream: described as its next u64.
PLOY_API void ploy_visit_rng(ploy_visit *v, const char *name, ploy_mark mark, ploy_rng *rng);
/// A value of any type except text, with its type.
PLOY_API void ploy_visit_value(ploy_visit *v, const char *name, ploy_mark mark, ploy_value *value);
/// A value that a load compares but does not set: a capacity, or something that only the caller can
/// recreate, such as a callback's registration. A file with a different value is refused.
/// @return false if it differs.
PLOY_API bool ploy_visit_same(ploy_visit *v, const char *name, ploy_mark mark,
                              const ploy_value *value);
/// A number described as a number and saved as sixteen hexadecimal digits, such as a hash.
PLOY_API void ploy_visit_hex64(ploy_visit *v, const char *name, ploy_mark mark, uint64_t *value);
/// An integer that is not stored as a separate field, such as some bits of a word. @return true in
/// a load that has it; *loaded is then the value, and the caller stores it (ploy_visit_write
/// records the word).
PLOY_API bool ploy_visit_packed(ploy_visit *v, const char *name, ploy_mark mark, int64_t now,
                                int64_t min, int64_t max, int64_t *loaded);
/// A message: a group that includes its payload.
PLOY_API void ploy_visit_message(ploy_visit *v, const char *name, ploy_mark mark,
                                 ploy_message *message);
/// Settings that change at run time: every value of the table, under its name there. A load refuses
/// a different value for a field that is fixed at create.
PLOY_API void ploy_visit_fields(ploy_visit *v, const char *name, ploy_mark mark, ploy_fields fields,
                                void *def);
/// A struct that is state and has a field table: every value, under its name in the table.
/// @return false if in a load it is missing or refused; the struct is then unchanged.
PLOY_API bool ploy_visit_record(ploy_visit *v, const char *name, ploy_mark mark, ploy_fields fields,
                                void *record);

/// A result, described as its text and saved as its name.
PLOY_API void ploy_visit_code(ploy_visit *v, const char *name, ploy_mark mark, ploy_result *code);

/// Returns the text of a number, or of a position in a definition.
typedef const char *(*ploy_visit_text_fn)(int32_t value);

/// An enum, described and saved as its text.
/// @param size   of the field in bytes: 1, 4 or 8.
/// @param text   of each value from 0 to count - 1.
PLOY_API void ploy_visit_enum(ploy_visit *v, const char *name, ploy_mark mark, void *value,
                              size_t size, ploy_visit_text_fn text, int32_t count);
#define PLOY_VISIT_ENUM(v, name, mark, member, text, count) \
    ploy_visit_enum((v), (name), (mark), &(member), sizeof(member), (text), (count))

/// Numbers that refer to part of a definition and are described and saved by its stable id.
typedef struct ploy_visit_table {
    const char *(*text)(const void *user, uint32_t number); ///< "" for none
    /// NULL: the text is compared with that of each number, and of UINT32_MAX, which can represent
    /// none.
    bool (*find)(const void *user, const char *text, uint32_t *number);
    const void *user;
    uint32_t count;   ///< numbers are below this
    const char *what; ///< "state", for messages
    const char *lost; ///< text after the name if it is gone; NULL: "no longer exists"
} ploy_visit_table;

/// @return false if the loaded name is not in the table: a fault, or under ploy_visit_load_known a
///         warning. The number is then unchanged.
PLOY_API bool ploy_visit_ref(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *number,
                             const ploy_visit_table *table);

/// For a group whose members are named by the table; call it before the group's end. Reports each
/// member in the file that is not in the table, as ploy_visit_ref does. Does nothing in a strict
/// load, which refuses unknown members anyway, and in the other modes.
PLOY_API void ploy_visit_gone(ploy_visit *v, const ploy_visit_table *table);

// ---- loading by hand

/// Returns true in a load.
static inline bool ploy_visit_loads(const ploy_visit *v) {
    return v->mode == PLOY_VISIT_LOAD;
}
/// In a load: from now on, invalid members are warnings, and missing and unknown members are
/// ignored, as under ploy_visit_load_known; but everything is still undone if the load fails. For a
/// part whose definition may have been edited: switch it on after ploy_visit_begin and off after
/// ploy_visit_end. @return the previous setting.
PLOY_API bool ploy_visit_tolerate(ploy_visit *v, bool tolerate);
/// Returns true in a load in which invalid members are warnings.
PLOY_API bool ploy_visit_tolerates(const ploy_visit *v);
/// In a load: reports, at the current group or list, that something saved is no longer in the
/// definition: "state 'doze' no longer exists". A fault, or under ploy_visit_load_known a warning.
PLOY_API void ploy_visit_lost(ploy_visit *v, const char *what, const char *name, const char *why);
/// Returns the text of a member in a load, without visiting it; "" if there is none or this is not
/// a load.
PLOY_API const char *ploy_visit_peek(const ploy_visit *v, const char *key);
/// Returns the key of a member of the open group, in the order of the file; NULL after the last
/// member, and if this is not a load.
PLOY_API const char *ploy_visit_member(const ploy_visit *v, int32_t index);
/// Returns true as long as a load has had no fault.
PLOY_API bool ploy_visit_is_ok(const ploy_visit *v);
/// In a load: reports a fault at the current group or list unless `ok`. @return ok; true in other
/// modes.
PLOY_API bool ploy_visit_check(ploy_visit *v, bool ok, const char *message, const char *expected);
/// In a load: fails with the result if it is an error. @return true if it is not.
PLOY_API bool ploy_visit_result(ploy_visit *v, ploy_result result);
/// In a load: copies bytes to an object so that a failed load restores them.
PLOY_API void ploy_visit_write(ploy_visit *v, void *to, const void *from, size_t size);
#define PLOY_VISIT_WRITE(v, member, from) ploy_visit_write((v), &(member), &(from), sizeof(member))
/// In a load: replaces a block that the object owns with a new zeroed block, or with NULL for size
/// 0. The old block is freed when the load has succeeded, the new one if it fails.
/// @param block  the address of the pointer to the block.
/// @return false if out of memory; the block is then unchanged.
PLOY_API bool ploy_visit_replace(ploy_visit *v, const ploy_env *env, void *block, size_t old_size,
                                 size_t new_size);
/// In a load: calls fn(object) when the load has ended, whether it succeeded or the object was
/// restored, to rebuild derived values. Several functions run in the order of these calls. Call it
/// before anything that needs the rebuild: if it fails for lack of memory, fn is not called.
PLOY_API void ploy_visit_after(ploy_visit *v, void (*fn)(void *object), void *object);
/// For a member with its own save and load. In a save: writes the key and returns the writer, for
/// one value. Otherwise returns NULL.
PLOY_API ploy_json_writer *ploy_visit_writer(ploy_visit *v, const char *name);
/// In a load: finds the member; the outputs may be NULL.
/// @return false if this is not a load or the member is missing (a fault).
PLOY_API bool ploy_visit_reader(ploy_visit *v, const char *name, const ploy_json **doc,
                                ploy_json_node *node, ploy_diags **diags);
