/// @file ploy/exec/blackboard.h
/// The blackboard: what one character knows, as named values that any technique reads and writes.
///
/// A layout lists the keys (name, type, first value, help). It is built and checked once,
/// immutable, and shared by a thousand characters; a board holds one character's values and a
/// change counter for each. Names are resolved to slots when a behavior is built, so that reading a
/// value while it runs is an index, not a search. Values are plain data: ids instead of pointers,
/// and names or short texts stored in place, so a board can be copied and rewound.
///
///     static const ploy_blackboard_key keys[] = {
///         {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 100}}, "points left"},
///         {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, "whom it fights, or nobody"},
///     };
///
/// Cost: find, get and set O(1); a board takes the bytes of its values and 4 for each key. Threads:
/// a layout may be read by many at once; a board takes one caller at a time, or any number of
/// readers while no thread writes.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/json.h"
#include "ploy/base/visit.h"
#include "ploy/geom/vec.h"

/// Most keys of a layout, and most characters of a key's name.
#define PLOY_BLACKBOARD_KEYS_MAX 65535
#define PLOY_BLACKBOARD_NAME_MAX 63
/// Most bytes of a text on a board, which takes one byte more. A name takes 8.
#define PLOY_BLACKBOARD_TEXT_MAX 63

/// One key of a layout.
typedef struct ploy_blackboard_key {
    const char *name;     ///< letters, digits, '_', '-', '.', ':'; begins with a letter or '_'
    ploy_value_type type; ///< any but none
    ploy_value initial;   ///< of that type, or convertible to it without loss; none: zero
    const char *help;     ///< a short phrase without a full stop, or NULL
} ploy_blackboard_key;

/// The keys, shared and immutable. Opaque.
typedef struct ploy_blackboard_layout ploy_blackboard_layout;

/// One character's values. Opaque.
typedef struct ploy_blackboard ploy_blackboard;

/// Where a key's value is on every blackboard of one layout. All zero means none.
typedef struct ploy_slot {
    uint32_t number; ///< from 1, in the order of the keys
} ploy_slot;

static inline ploy_slot ploy_slot_none(void) {
    ploy_slot slot = {0};
    return slot;
}

static inline bool ploy_slot_is_none(ploy_slot slot) {
    return slot.number == 0;
}

/// Builds a layout; texts are copied. Reports every fault, not only the first, under `name`.
/// @param diags  may be NULL.
/// @return PLOY_ERR_ARGUMENT for a bad key, PLOY_ERR_EXISTS for a name (or its hash) used twice,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_blackboard_layout_create(const ploy_blackboard_key *keys, int32_t count,
                                                   const char *name, const ploy_env *env,
                                                   ploy_diags *diags, ploy_blackboard_layout **out);
/// Frees it. Its boards, and the snapshots that hold them, must be gone. NULL is allowed.
PLOY_API void ploy_blackboard_layout_destroy(ploy_blackboard_layout *layout);

PLOY_API int32_t ploy_blackboard_layout_count(const ploy_blackboard_layout *layout);

/// The slot of a name, or none.
PLOY_API ploy_slot ploy_blackboard_layout_find(const ploy_blackboard_layout *layout,
                                               const char *name);

/// The slot of a name whose values have that type: what a loader calls for every key it meets.
/// @return PLOY_ERR_NOT_FOUND (diags get the nearest name) or PLOY_ERR_ARGUMENT for another type.
PLOY_API ploy_result ploy_blackboard_layout_resolve(const ploy_blackboard_layout *layout,
                                                    const char *name, ploy_value_type type,
                                                    ploy_diags *diags, ploy_slot *out);

/// Name, type and help of a slot; NULL and PLOY_VALUE_NONE if there is no such slot.
PLOY_API const char *ploy_blackboard_layout_name(const ploy_blackboard_layout *layout,
                                                 ploy_slot slot);
PLOY_API ploy_value_type ploy_blackboard_layout_type(const ploy_blackboard_layout *layout,
                                                     ploy_slot slot);

/// Hash of names, types and first values in order: equal layouts, equal hash.
PLOY_API uint64_t ploy_blackboard_layout_hash(const ploy_blackboard_layout *layout);

/// Bytes of one board of this layout.
PLOY_API size_t ploy_blackboard_size(const ploy_blackboard_layout *layout);

/// Makes a board in the caller's memory, with each key's first value and no parent.
/// @param memory  ploy_blackboard_size() bytes, aligned to 8. Nothing else is ever allocated, so
///                the board ends when the memory does.
/// @return PLOY_ERR_ARGUMENT if memory is NULL, not aligned or too small.
PLOY_API ploy_result ploy_blackboard_init(void *memory, size_t size,
                                          const ploy_blackboard_layout *layout,
                                          ploy_blackboard **out);

/// The same in memory from the env.
PLOY_API ploy_result ploy_blackboard_create(const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_blackboard **out);
/// Frees a created board. Does nothing to one in the caller's memory. NULL is allowed.
PLOY_API void ploy_blackboard_destroy(ploy_blackboard *board);

/// The layout that it was made from.
PLOY_API const ploy_blackboard_layout *ploy_blackboard_layout_of(const ploy_blackboard *board);

/// Where the value of a slot is in the values of every board of the layout, in bytes.
/// @return -1 if there is no such slot.
PLOY_API int32_t ploy_blackboard_layout_offset(const ploy_blackboard_layout *layout,
                                               ploy_slot slot);

/// The values of a board that was made from that layout; NULL for another board and for NULL.
/// Together with ploy_blackboard_layout_offset for code that reads the same keys of many boards.
PLOY_API const unsigned char *ploy_blackboard_values(const ploy_blackboard *board,
                                                     const ploy_blackboard_layout *layout);

/// Reads. An invalid slot, or one of another type, reads as zero: the mistake is reported when the
/// slot is resolved (above).
PLOY_API bool ploy_blackboard_get_bool(const ploy_blackboard *board, ploy_slot slot);
PLOY_API int64_t ploy_blackboard_get_i64(const ploy_blackboard *board, ploy_slot slot);
PLOY_API uint64_t ploy_blackboard_get_u64(const ploy_blackboard *board, ploy_slot slot);
PLOY_API float ploy_blackboard_get_f32(const ploy_blackboard *board, ploy_slot slot);
PLOY_API double ploy_blackboard_get_f64(const ploy_blackboard *board, ploy_slot slot);
PLOY_API ploy_id ploy_blackboard_get_id(const ploy_blackboard *board, ploy_slot slot);
PLOY_API ploy_name ploy_blackboard_get_name(const ploy_blackboard *board, ploy_slot slot);
/// Valid until the next write to it.
PLOY_API const char *ploy_blackboard_get_text(const ploy_blackboard *board, ploy_slot slot);
/// Copies a vector's two, three or four numbers to out; zeros as above.
PLOY_API void ploy_blackboard_get_vec(const ploy_blackboard *board, ploy_slot slot, float out[4]);
/// Reads the first two numbers of a vector; zeros as above.
PLOY_API ploy_vec2 ploy_blackboard_get_vec2(const ploy_blackboard *board, ploy_slot slot);
/// Reads a value of any type. @return PLOY_ERR_ARGUMENT if there is no such slot.
PLOY_API ploy_result ploy_blackboard_get(const ploy_blackboard *board, ploy_slot slot,
                                         ploy_value *out);

/// Writes. Writing a value that equals the old one bit for bit is not a change.
/// @return PLOY_ERR_ARGUMENT if there is no such slot, it has another type or the number is NaN,
///         PLOY_ERR_LIMIT for a text that is too long; the board is unchanged then.
PLOY_API ploy_result ploy_blackboard_set_bool(ploy_blackboard *board, ploy_slot slot, bool value);
PLOY_API ploy_result ploy_blackboard_set_i64(ploy_blackboard *board, ploy_slot slot, int64_t value);
PLOY_API ploy_result ploy_blackboard_set_u64(ploy_blackboard *board, ploy_slot slot,
                                             uint64_t value);
PLOY_API ploy_result ploy_blackboard_set_f32(ploy_blackboard *board, ploy_slot slot, float value);
PLOY_API ploy_result ploy_blackboard_set_f64(ploy_blackboard *board, ploy_slot slot, double value);
PLOY_API ploy_result ploy_blackboard_set_id(ploy_blackboard *board, ploy_slot slot, ploy_id value);
PLOY_API ploy_result ploy_blackboard_set_name(ploy_blackboard *board, ploy_slot slot,
                                              ploy_name value);
PLOY_API ploy_result ploy_blackboard_set_text(ploy_blackboard *board, ploy_slot slot,
                                              const char *value);
/// As many numbers as the slot's vector has.
PLOY_API ploy_result ploy_blackboard_set_vec(ploy_blackboard *board, ploy_slot slot,
                                             const float value[]);
/// Writes a vector of two numbers; PLOY_ERR_ARGUMENT for a slot of more.
PLOY_API ploy_result ploy_blackboard_set_vec2(ploy_blackboard *board, ploy_slot slot,
                                              ploy_vec2 value);
/// Writes a value of any type; converted to the slot's where nothing is lost.
PLOY_API ploy_result ploy_blackboard_set(ploy_blackboard *board, ploy_slot slot,
                                         const ploy_value *value);

/// Resets every value to its key's first value. Those that differ count as changed.
PLOY_API void ploy_blackboard_reset(ploy_blackboard *board);

/// Writes all values of a board of the same layout onto this one. Those that differ count as
/// changed; the parent stays.
/// @return PLOY_ERR_ARGUMENT for another layout.
PLOY_API ploy_result ploy_blackboard_copy(ploy_blackboard *board, const ploy_blackboard *from);

/// Changes so far, of the whole board: 0 when new. A watcher keeps the number and compares.
PLOY_API uint64_t ploy_blackboard_changes(const ploy_blackboard *board);
/// Changes so far of one slot, counted modulo 2^32; 0 if there is no such slot.
PLOY_API uint32_t ploy_blackboard_slot_changes(const ploy_blackboard *board, ploy_slot slot);

/// Sets the scope outside this one, or NULL for none: ploy_blackboard_lookup goes on there. The
/// parent must live as long as it is set. Boards are isolated unless this is called.
/// @return PLOY_ERR_ARGUMENT if the board would become its own ancestor.
PLOY_API ploy_result ploy_blackboard_set_parent(ploy_blackboard *board, ploy_blackboard *parent);

/// A key found somewhere along the scopes.
typedef struct ploy_blackboard_ref {
    ploy_blackboard *board; ///< NULL means none
    ploy_slot slot;
} ploy_blackboard_ref;

/// Finds a name of that type on the board or, failing that, on the nearest ancestor that has it.
/// @return PLOY_ERR_NOT_FOUND; PLOY_ERR_ARGUMENT if the nearest key of that name has another type.
PLOY_API ploy_result ploy_blackboard_lookup(ploy_blackboard *board, const char *name,
                                            ploy_value_type type, ploy_blackboard_ref *out);

/// A list of watched keys, and which of them have changed since the last look. It changes nothing
/// on the board, so any number of them may watch one board. Plain data of the caller.
typedef struct ploy_blackboard_watch {
    const ploy_slot *slots; ///< borrowed; must stay
    int32_t count;
    uint32_t *seen; ///< room for count counters, the caller's
} ploy_blackboard_watch;

/// Begins to watch: what is on the board now counts as seen.
/// @return PLOY_ERR_ARGUMENT if a slot does not belong to the board.
PLOY_API ploy_result ploy_blackboard_watch_init(ploy_blackboard_watch *watch,
                                                const ploy_blackboard *board,
                                                const ploy_slot *slots, int32_t count,
                                                uint32_t *seen);
/// Looks: the first of the watched keys, in the list's order from place `from` on, that changed
/// since it was last returned, or -1. Called until it returns -1, it reports every change once.
PLOY_API int32_t ploy_blackboard_watch_next(ploy_blackboard_watch *watch,
                                            const ploy_blackboard *board, int32_t from);

/// Which key of one layout corresponds to which of another: a part that was written for its own
/// keys runs on any blackboard with similar keys.
typedef struct ploy_blackboard_remap {
    const char *inner; ///< what the part calls it
    const char *outer; ///< what the board calls it
} ploy_blackboard_remap;

/// Writes every value under its name, as one JSON object.
PLOY_API void ploy_blackboard_save(const ploy_blackboard *board, ploy_json_writer *out);
/// Reads what save wrote, by name. Keys that the layout no longer has give a warning; keys missing
/// from the file keep their values. On an error nothing changes.
/// @return PLOY_ERR_FORMAT if it is not an object or a value has the wrong type for its key.
PLOY_API ploy_result ploy_blackboard_load(ploy_blackboard *board, const ploy_json *doc,
                                          ploy_json_node node, ploy_diags *diags);

/// Every value under its name, and the number of changes as "#changes". Not the parent. Visits a
/// ploy_blackboard (ploy/base/visit.h): values by name, and the change counters, so that watchers
/// continue. Its parent is not visited.
PLOY_API void ploy_blackboard_visit(ploy_visit *v, void *board);
PLOY_API void ploy_blackboard_describe(const ploy_blackboard *board, ploy_describe *out);
