/// @file ploy/base/fields.h
/// Field tables: a def's settings declared once.
///
/// The table drives the default, the checks and their messages, `--set`, the page's sliders, file
/// loading, documentation and ploy_api.json. Every def begins with `uint32_t cookie`, which the
/// default sets; a zeroed or outdated def is refused.
///
///     static const ploy_field seek_fields[] = {
///         PLOY_FIELD_F32(ploy_seek_def, max_speed, 5, 0, 1e6f, "m/s", "largest speed"),
///         PLOY_FIELD_ENUM(ploy_seek_def, mode, 0, mode_names, "how the velocity is reached"),
///         PLOY_FIELD_DEF(my_lab_def, seek, ploy_seek_fields, "the seeker's settings"),
///     };
///     ploy_fields ploy_seek_fields(void) { return PLOY_FIELDS(ploy_seek_def, seek_fields); }
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/hash.h"

typedef enum ploy_field_type {
    PLOY_FIELD_TYPE_BOOL, ///< bool
    PLOY_FIELD_TYPE_I32,  ///< int32_t
    PLOY_FIELD_TYPE_U64,  ///< uint64_t, such as a seed; no range
    PLOY_FIELD_TYPE_F32,  ///< float
    PLOY_FIELD_TYPE_F64,  ///< double
    PLOY_FIELD_TYPE_ENUM, ///< an enum of values 0 to count - 1, int32_t in size
    PLOY_FIELD_TYPE_VEC2, ///< two floats, each within the range
    PLOY_FIELD_TYPE_VEC3, ///< three floats
    PLOY_FIELD_TYPE_DEF   ///< another def by value, with a separate table
} ploy_field_type;

typedef struct ploy_fields ploy_fields;

typedef struct ploy_field {
    const char *name;
    ploy_field_type type;
    bool live; ///< may change at run time (a slider), not only at create
    uint32_t offset;
    double initial[3]; ///< the default; vectors use one element per component, a u64 is [0] + [1]
    double min;        ///< inclusive
    double max;        ///< inclusive
    const char *unit;  ///< "m", "m/s", "rad", "" ...
    const char *help;  ///< a short phrase without a full stop
    const char *const *choices; ///< enum: the names of its values
    int32_t choice_count;
    ploy_fields (*def)(void); ///< nested def: its table
} ploy_field;

struct ploy_fields {
    const char *type_name; ///< "ploy_seek_def"
    const ploy_field *items;
    int32_t count;
    uint32_t size; ///< sizeof the def
};

/// A member's name as text.
#define PLOY_FIELD_NAME(member) #member

#define PLOY_FIELD_BOOL(def_type, member, initial_value, help_text)                                \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_BOOL, true, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, 0, 1, "", help_text, NULL, 0, NULL                              \
    }
#define PLOY_FIELD_I32(def_type, member, initial_value, min_value, max_value, unit_text,          \
                       help_text)                                                                 \
    {                                                                                             \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_I32, true, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, min_value, max_value, unit_text, help_text, NULL, 0, NULL      \
    }
/// An int32_t that is fixed at create, such as a capacity.
#define PLOY_FIELD_I32_FIXED(def_type, member, initial_value, min_value, max_value, unit_text,     \
                             help_text)                                                            \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_I32, false, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, min_value, max_value, unit_text, help_text, NULL, 0, NULL       \
    }
/// The default is stored as two halves, each exact in a double, so that all 64 bits are kept.
#define PLOY_FIELD_U64(def_type, member, initial_value, help_text)                                 \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_U64, false, (uint32_t)offsetof(def_type, member), \
            {(double)((uint64_t)(initial_value) >> 32) * 4294967296.0,                             \
             (double)((uint64_t)(initial_value)&0xFFFFFFFFu), 0},                                  \
            0, 18446744073709551615.0, "", help_text, NULL, 0, NULL                                \
    }
#define PLOY_FIELD_F32(def_type, member, initial_value, min_value, max_value, unit_text,          \
                       help_text)                                                                 \
    {                                                                                             \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_F32, true, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, min_value, max_value, unit_text, help_text, NULL, 0, NULL      \
    }
#define PLOY_FIELD_F64(def_type, member, initial_value, min_value, max_value, unit_text,          \
                       help_text)                                                                 \
    {                                                                                             \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_F64, true, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, min_value, max_value, unit_text, help_text, NULL, 0, NULL      \
    }
#define PLOY_FIELD_ENUM(def_type, member, initial_value, names, help_text)                         \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_ENUM, true, (uint32_t)offsetof(def_type, member), \
            {initial_value, 0, 0}, 0, (double)(sizeof(names) / sizeof((names)[0])) - 1, "",        \
            help_text, names, (int32_t)(sizeof(names) / sizeof((names)[0])), NULL                  \
    }
/// An enum that is fixed at create.
#define PLOY_FIELD_ENUM_FIXED(def_type, member, initial_value, names, help_text)    \
    {                                                                               \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_ENUM, false,                       \
            (uint32_t)offsetof(def_type, member), {initial_value, 0, 0}, 0,         \
            (double)(sizeof(names) / sizeof((names)[0])) - 1, "", help_text, names, \
            (int32_t)(sizeof(names) / sizeof((names)[0])), NULL                     \
    }
#define PLOY_FIELD_VEC2(def_type, member, x, y, min_value, max_value, unit_text, help_text)        \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_VEC2, true, (uint32_t)offsetof(def_type, member), \
            {x, y, 0}, min_value, max_value, unit_text, help_text, NULL, 0, NULL                   \
    }
#define PLOY_FIELD_VEC3(def_type, member, x, y, z, min_value, max_value, unit_text, help_text)     \
    {                                                                                              \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_VEC3, true, (uint32_t)offsetof(def_type, member), \
            {x, y, z}, min_value, max_value, unit_text, help_text, NULL, 0, NULL                   \
    }
#define PLOY_FIELD_DEF(def_type, member, table, help_text)                                        \
    {                                                                                             \
        PLOY_FIELD_NAME(member), PLOY_FIELD_TYPE_DEF, true, (uint32_t)offsetof(def_type, member), \
            {0, 0, 0}, 0, 0, "", help_text, NULL, 0, table                                        \
    }

/// Makes the table of a def type, for the body of its `ploy_x_fields`. C only; other languages fill
/// the four members of ploy_fields themselves, or call ploy_fields_make.
#define PLOY_FIELDS(def_type, array)                                                  \
    ploy_fields_make(#def_type, array, (int32_t)(sizeof(array) / sizeof((array)[0])), \
                     (uint32_t)sizeof(def_type))
/// PLOY_FIELDS as a function.
PLOY_API ploy_fields ploy_fields_make(const char *type_name, const ploy_field *items, int32_t count,
                                      uint32_t size);

/// Longest path of a value, including the terminating zero, and deepest nesting of defs.
#define PLOY_FIELD_PATH_MAX 256
#define PLOY_FIELD_DEPTH_MAX 8

/// "bool", "i32", "u64", "f32", "f64", "enum", "vec2", "vec3", "def".
PLOY_API const char *ploy_field_type_text(ploy_field_type type);

/// Zeroes the def, then sets the cookie and every default, nested defs included.
PLOY_API void ploy_fields_default(ploy_fields fields, void *def);

/// Checks cookie and ranges, nested defs included; each fault is written to the env's log.
/// @return PLOY_ERR_ARGUMENT if def is NULL, did not start from the default, or a value is out of
///         range or not a number.
PLOY_API ploy_result ploy_fields_check(ploy_fields fields, const void *def, const ploy_env *env);

/// Like ploy_fields_check, but adds each fault to diags under the given name. diags may be NULL.
PLOY_API ploy_result ploy_fields_check_diags(ploy_fields fields, const void *def, const char *name,
                                             ploy_diags *diags);

/// Checks the table itself: names are present and unique, offsets are inside the def, defaults are
/// within their ranges and enums have choices. Checks nested tables too. Meant for a test of each
/// table.
PLOY_API ploy_result ploy_fields_check_table(ploy_fields fields, ploy_diags *diags);

/// Finds a field by its path ("seek.max_speed"; "seek" for the nested def itself), and the byte
/// offset of its value in the def. offset may be NULL.
/// @return NULL if there is none.
PLOY_API const ploy_field *ploy_fields_find(ploy_fields fields, const char *path, uint32_t *offset);

/// Returns the number of values in the table, including nested values but not the nested defs
/// themselves.
PLOY_API int32_t ploy_fields_leaf_count(ploy_fields fields);

/// Called for each value, in the order of the table, with its full path.
typedef void (*ploy_field_fn)(void *user, const char *path, const ploy_field *field,
                              uint32_t offset);
PLOY_API void ploy_fields_each(ploy_fields fields, ploy_field_fn fn, void *user);

/// Finds the path most similar to the given one, also by its last part ("max_sped" finds
/// "seek.max_speed"), for "did you mean ...?". @return false, and "" in nearest, if none is similar
/// enough.
PLOY_API bool ploy_fields_nearest(ploy_fields fields, const char *path,
                                  char nearest[PLOY_FIELD_PATH_MAX]);

/// Reads one value: an i32 as i64, an enum as text (the name of its choice).
/// @return PLOY_ERR_NOT_FOUND if there is no such value; PLOY_ERR_ARGUMENT for a nested def or an
///         enum that holds no choice.
PLOY_API ploy_result ploy_fields_get(ploy_fields fields, const void *def, const char *path,
                                     ploy_value *out);

/// Checks and sets one value. On failure the def is unchanged. Numbers are converted if nothing is
/// lost, except that a real number is rounded to the nearest float for an f32 (a page sends 0.1).
/// An enum accepts the name or the number of a choice, a bool also 0 and 1. diags may be NULL.
/// @return PLOY_ERR_NOT_FOUND for an unknown path, with the nearest path in diags;
///         PLOY_ERR_ARGUMENT for a value of the wrong kind or out of range, or a def that did not
///         start from its default.
PLOY_API ploy_result ploy_fields_set(ploy_fields fields, void *def, const char *path,
                                     const ploy_value *value, ploy_diags *diags);

/// Sets one value from text, as in `--set seek.max_speed=5`: "5", "true", "(1, 2)", "fast".
/// @return as ploy_fields_set; PLOY_ERR_FORMAT if the text is not a value of the field's type.
PLOY_API ploy_result ploy_fields_set_text(ploy_fields fields, void *def, const char *path,
                                          const char *text, ploy_diags *diags);

/// Describes every value under its name, and nested defs as groups.
PLOY_API void ploy_fields_describe(ploy_fields fields, const void *def, ploy_mark mark,
                                   ploy_describe *out);

/// Folds the table itself (names, types, ranges, not values) into 64 bits: the definition hash
/// that recordings carry.
PLOY_API uint64_t ploy_fields_hash(ploy_fields fields);
