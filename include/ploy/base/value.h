/// @file ploy/base/value.h
/// A small tagged value, used for settings, described state, inputs and blackboards.
///
/// Plain data, copied by value. Text is borrowed: a caller that keeps a value longer must copy the
/// text.
#pragma once

#include "ploy/base/id.h"
#include "ploy/base/name.h"
#include "ploy/base/result.h"

typedef enum ploy_value_type {
    PLOY_VALUE_NONE,
    PLOY_VALUE_BOOL,
    PLOY_VALUE_I64,
    PLOY_VALUE_U64,
    PLOY_VALUE_F32,
    PLOY_VALUE_F64,
    PLOY_VALUE_VEC2,
    PLOY_VALUE_VEC3,
    PLOY_VALUE_VEC4, ///< a quaternion as w, x, y, z
    PLOY_VALUE_ID,
    PLOY_VALUE_NAME,
    PLOY_VALUE_TEXT ///< UTF-8, zero-terminated, borrowed
} ploy_value_type;

typedef struct ploy_value {
    ploy_value_type type;
    union {
        bool b;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        float vec[4];
        ploy_id id;
        ploy_name name;
        const char *text;
    } as;
} ploy_value;

/// "none", "bool", "i64", "u64", "f32", "f64", "vec2", "vec3", "vec4", "id", "name", "text".
PLOY_API const char *ploy_value_type_text(ploy_value_type type);

/// Values of each type.
PLOY_API ploy_value ploy_value_none(void);
PLOY_API ploy_value ploy_value_bool(bool value);
PLOY_API ploy_value ploy_value_i64(int64_t value);
PLOY_API ploy_value ploy_value_u64(uint64_t value);
PLOY_API ploy_value ploy_value_f32(float value);
PLOY_API ploy_value ploy_value_f64(double value);
PLOY_API ploy_value ploy_value_vec2(float x, float y);
PLOY_API ploy_value ploy_value_vec3(float x, float y, float z);
PLOY_API ploy_value ploy_value_vec4(float w, float x, float y, float z);
PLOY_API ploy_value ploy_value_id(ploy_id value);
PLOY_API ploy_value ploy_value_name(ploy_name value);
/// NULL counts as "".
PLOY_API ploy_value ploy_value_text(const char *value);

/// Returns true for the same type and the same bits (text: the same characters). NaN equals itself;
/// 0 and -0 differ.
PLOY_API bool ploy_value_equal(const ploy_value *a, const ploy_value *b);

/// Gets the number in a bool, i64, u64, f32 or f64 as a double. Returns false, with out unchanged,
/// for other types.
PLOY_API bool ploy_value_number(const ploy_value *value, double *out);

/// Converts to another type without loss (i64 3 to f32 3, f64 3.0 to i64 3, but not text "3").
/// @return PLOY_ERR_ARGUMENT if something would be lost; out is then unchanged.
PLOY_API ploy_result ploy_value_convert(const ploy_value *value, ploy_value_type type,
                                        ploy_value *out);

/// Writes the value as short, exact text ("1.5", "(1, 2)", "3:1"), truncated between characters to
/// size, including the terminating zero. A name is printed as "#" and sixteen hexadecimal digits,
/// the id that means none as "none".
/// @return the length of the whole text, without the zero.
PLOY_API size_t ploy_value_print(const ploy_value *value, char *text, size_t size);

/// Reads text as a value of the given type: "true" or "1", "-3", "1.5", "(1, 2)" or "1,2" or "1 2",
/// "3:1" or "none"; surrounding blanks are skipped. Every printed value reads back to the same
/// bits. For type name, any other text is taken as the text of the name. A text value borrows
/// `text`.
/// @return PLOY_ERR_FORMAT if it is not a value of the type; out is then unchanged.
PLOY_API ploy_result ploy_value_parse(ploy_value_type type, const char *text, ploy_value *out);
