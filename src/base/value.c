// The tagged value: making, comparing, converting, printing, reading.
#include "ploy/base/value.h"

#include <math.h>
#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/number.h"

// Bounds of int64 and uint64 as doubles; the upper ones lie just outside.
#define VALUE_TWO_63 9223372036854775808.0
#define VALUE_TWO_64 18446744073709551616.0

const char *ploy_value_type_text(ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_NONE: return "none";
    case PLOY_VALUE_BOOL: return "bool";
    case PLOY_VALUE_I64: return "i64";
    case PLOY_VALUE_U64: return "u64";
    case PLOY_VALUE_F32: return "f32";
    case PLOY_VALUE_F64: return "f64";
    case PLOY_VALUE_VEC2: return "vec2";
    case PLOY_VALUE_VEC3: return "vec3";
    case PLOY_VALUE_VEC4: return "vec4";
    case PLOY_VALUE_ID: return "id";
    case PLOY_VALUE_NAME: return "name";
    case PLOY_VALUE_TEXT: return "text";
    }
    return "?";
}

// All bytes are set, the unused ones to zero, because values are stored in snapshots.
static ploy_value value_make(ploy_value_type type) {
    ploy_value value;
    memset(&value, 0, sizeof value);
    value.type = type;
    return value;
}

ploy_value ploy_value_none(void) {
    return value_make(PLOY_VALUE_NONE);
}

ploy_value ploy_value_bool(bool value) {
    ploy_value made = value_make(PLOY_VALUE_BOOL);
    made.as.b = value;
    return made;
}

ploy_value ploy_value_i64(int64_t value) {
    ploy_value made = value_make(PLOY_VALUE_I64);
    made.as.i64 = value;
    return made;
}

ploy_value ploy_value_u64(uint64_t value) {
    ploy_value made = value_make(PLOY_VALUE_U64);
    made.as.u64 = value;
    return made;
}

ploy_value ploy_value_f32(float value) {
    ploy_value made = value_make(PLOY_VALUE_F32);
    made.as.f32 = value;
    return made;
}

ploy_value ploy_value_f64(double value) {
    ploy_value made = value_make(PLOY_VALUE_F64);
    made.as.f64 = value;
    return made;
}

ploy_value ploy_value_vec2(float x, float y) {
    ploy_value made = value_make(PLOY_VALUE_VEC2);
    made.as.vec[0] = x;
    made.as.vec[1] = y;
    return made;
}

ploy_value ploy_value_vec3(float x, float y, float z) {
    ploy_value made = value_make(PLOY_VALUE_VEC3);
    made.as.vec[0] = x;
    made.as.vec[1] = y;
    made.as.vec[2] = z;
    return made;
}

ploy_value ploy_value_vec4(float w, float x, float y, float z) {
    ploy_value made = value_make(PLOY_VALUE_VEC4);
    made.as.vec[0] = w;
    made.as.vec[1] = x;
    made.as.vec[2] = y;
    made.as.vec[3] = z;
    return made;
}

ploy_value ploy_value_id(ploy_id value) {
    ploy_value made = value_make(PLOY_VALUE_ID);
    made.as.id = value;
    return made;
}

ploy_value ploy_value_name(ploy_name value) {
    ploy_value made = value_make(PLOY_VALUE_NAME);
    made.as.name = value;
    return made;
}

ploy_value ploy_value_text(const char *value) {
    ploy_value made = value_make(PLOY_VALUE_TEXT);
    made.as.text = value != NULL ? value : "";
    return made;
}

// Components of a vector type, 0 for others.
static int32_t value_components(ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_VEC2: return 2;
    case PLOY_VALUE_VEC3: return 3;
    case PLOY_VALUE_VEC4: return 4;
    default: return 0;
    }
}

static const char *value_text_of(const ploy_value *value) {
    return value->as.text != NULL ? value->as.text : "";
}

bool ploy_value_equal(const ploy_value *a, const ploy_value *b) {
    if (a == NULL || b == NULL) return a == b;
    if (a->type != b->type) return false;
    switch (a->type) {
    case PLOY_VALUE_NONE: return true;
    case PLOY_VALUE_BOOL: return a->as.b == b->as.b;
    case PLOY_VALUE_I64: return a->as.i64 == b->as.i64;
    case PLOY_VALUE_U64: return a->as.u64 == b->as.u64;
    case PLOY_VALUE_F32: return memcmp(&a->as.f32, &b->as.f32, sizeof a->as.f32) == 0;
    case PLOY_VALUE_F64: return memcmp(&a->as.f64, &b->as.f64, sizeof a->as.f64) == 0;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        size_t size = (size_t)value_components(a->type) * sizeof(float);
        return memcmp(a->as.vec, b->as.vec, size) == 0;
    }
    case PLOY_VALUE_ID: return ploy_id_equal(a->as.id, b->as.id);
    case PLOY_VALUE_NAME: return ploy_name_equal(a->as.name, b->as.name);
    case PLOY_VALUE_TEXT: return strcmp(value_text_of(a), value_text_of(b)) == 0;
    }
    return false;
}

bool ploy_value_number(const ploy_value *value, double *out) {
    if (value == NULL || out == NULL) return false;
    switch (value->type) {
    case PLOY_VALUE_BOOL: *out = value->as.b ? 1.0 : 0.0; return true;
    case PLOY_VALUE_I64: *out = (double)value->as.i64; return true;
    case PLOY_VALUE_U64: *out = (double)value->as.u64; return true;
    case PLOY_VALUE_F32: *out = (double)value->as.f32; return true;
    case PLOY_VALUE_F64: *out = value->as.f64; return true;
    default: return false;
    }
}

// A whole number apart from its sign, so that int64 and uint64 go one way. -0.0 is no whole number
// here: its sign would be lost.
static bool value_whole(const ploy_value *value, bool *negative, uint64_t *magnitude) {
    *negative = false;
    if (value->type == PLOY_VALUE_BOOL) {
        *magnitude = value->as.b ? 1 : 0;
        return true;
    }
    if (value->type == PLOY_VALUE_I64) {
        *negative = value->as.i64 < 0;
        *magnitude = *negative ? 0 - (uint64_t)value->as.i64 : (uint64_t)value->as.i64;
        return true;
    }
    if (value->type == PLOY_VALUE_U64) {
        *magnitude = value->as.u64;
        return true;
    }
    double number = 0.0;
    if (!ploy_value_number(value, &number)) return false;
    if (!(number > -VALUE_TWO_64 && number < VALUE_TWO_64) || floor(number) != number) return false;
    if (number == 0.0 && signbit(number)) return false;
    *negative = number < 0.0;
    *magnitude = (uint64_t)(*negative ? -number : number);
    return true;
}

// The number as a double, if a double holds it exactly. NaN counts: its payload means nothing.
static bool value_exact_double(const ploy_value *value, double *out) {
    if (!ploy_value_number(value, out)) return false;
    if (value->type == PLOY_VALUE_I64) {
        return *out < VALUE_TWO_63 && (int64_t)*out == value->as.i64;
    }
    if (value->type == PLOY_VALUE_U64) {
        return *out < VALUE_TWO_64 && (uint64_t)*out == value->as.u64;
    }
    return true;
}

ploy_result ploy_value_convert(const ploy_value *value, ploy_value_type type, ploy_value *out) {
    if (value == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (value->type == type) {
        *out = *value;
        return PLOY_OK;
    }
    bool negative = false;
    uint64_t magnitude = 0;
    double number = 0.0;
    switch (type) {
    case PLOY_VALUE_BOOL:
        if (!value_whole(value, &negative, &magnitude)) return PLOY_ERR_ARGUMENT;
        if (negative || magnitude > 1) return PLOY_ERR_ARGUMENT;
        *out = ploy_value_bool(magnitude == 1);
        return PLOY_OK;
    case PLOY_VALUE_I64:
        if (!value_whole(value, &negative, &magnitude)) return PLOY_ERR_ARGUMENT;
        if (magnitude > (uint64_t)INT64_MAX + (negative ? 1u : 0u)) return PLOY_ERR_ARGUMENT;
        // INT64_MIN has no positive twin, so the sign is put on one short of it.
        *out = ploy_value_i64(negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude);
        return PLOY_OK;
    case PLOY_VALUE_U64:
        if (!value_whole(value, &negative, &magnitude) || negative) return PLOY_ERR_ARGUMENT;
        *out = ploy_value_u64(magnitude);
        return PLOY_OK;
    case PLOY_VALUE_F32:
        if (!value_exact_double(value, &number)) return PLOY_ERR_ARGUMENT;
        if (isfinite(number) && !(fabs(number) <= (double)FLT_MAX)) return PLOY_ERR_ARGUMENT;
        if (number == number && (double)(float)number != number) return PLOY_ERR_ARGUMENT;
        *out = ploy_value_f32((float)number);
        return PLOY_OK;
    case PLOY_VALUE_F64:
        if (!value_exact_double(value, &number)) return PLOY_ERR_ARGUMENT;
        *out = ploy_value_f64(number);
        return PLOY_OK;
    default: return PLOY_ERR_ARGUMENT;
    }
}

size_t ploy_value_print(const ploy_value *value, char *text, size_t size) {
    ployi_text out;
    ployi_text_init(&out, text, size);
    if (value == NULL) return ployi_text_finish(&out);
    ploy_writer writer = ployi_text_writer(&out);
    switch (value->type) {
    case PLOY_VALUE_NONE: ploy_write_text(&writer, "none"); break;
    case PLOY_VALUE_BOOL: ploy_write_text(&writer, value->as.b ? "true" : "false"); break;
    case PLOY_VALUE_I64: ploy_write_i64(&writer, value->as.i64); break;
    case PLOY_VALUE_U64: ploy_write_u64(&writer, value->as.u64); break;
    case PLOY_VALUE_F32: ploy_write_f32(&writer, value->as.f32); break;
    case PLOY_VALUE_F64: ploy_write_f64(&writer, value->as.f64); break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        int32_t count = value_components(value->type);
        for (int32_t i = 0; i < count; i++) {
            ploy_write_text(&writer, i == 0 ? "(" : ", ");
            ploy_write_f32(&writer, value->as.vec[i]);
        }
        ploy_write_char(&writer, ')');
        break;
    }
    case PLOY_VALUE_ID:
        if (ploy_id_is_none(value->as.id)) {
            ploy_write_text(&writer, "none");
            break;
        }
        ploy_write_u64(&writer, value->as.id.index);
        ploy_write_char(&writer, ':');
        ploy_write_u64(&writer, value->as.id.generation);
        break;
    case PLOY_VALUE_NAME:
        ploy_write_char(&writer, '#');
        ploy_write_hex64(&writer, value->as.name.hash);
        break;
    case PLOY_VALUE_TEXT: ploy_write_text(&writer, value_text_of(value)); break;
    }
    return ployi_text_finish(&out);
}

// A stretch of text being read; the number functions need its length.
typedef struct value_reader {
    const char *at;
    const char *end;
} value_reader;

static void value_skip_blanks(value_reader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t')) reader->at++;
}

static bool value_take(value_reader *reader, char c) {
    if (reader->at == reader->end || *reader->at != c) return false;
    reader->at++;
    return true;
}

static bool value_is(const value_reader *reader, const char *word) {
    size_t size = (size_t)(reader->end - reader->at);
    return strlen(word) == size && memcmp(reader->at, word, size) == 0;
}

static bool value_read_f32(value_reader *reader, float *out) {
    size_t used = 0;
    if (ploy_parse_f32(reader->at, (size_t)(reader->end - reader->at), &used, out) != PLOY_OK) {
        return false;
    }
    reader->at += used;
    return true;
}

// An id's half: a decimal number below 2^32.
static bool value_read_u32(value_reader *reader, uint32_t *out) {
    size_t used = 0;
    uint64_t number = 0;
    if (ploy_parse_u64(reader->at, (size_t)(reader->end - reader->at), &used, &number) != PLOY_OK) {
        return false;
    }
    if (number > UINT32_MAX) return false;
    reader->at += used;
    *out = (uint32_t)number;
    return true;
}

// "(1, 2)", "1,2" or "1 2".
static bool value_read_vec(value_reader *reader, int32_t count, float *out) {
    bool open = value_take(reader, '(');
    for (int32_t i = 0; i < count; i++) {
        value_skip_blanks(reader);
        if (i > 0 && value_take(reader, ',')) value_skip_blanks(reader);
        if (!value_read_f32(reader, &out[i])) return false;
    }
    value_skip_blanks(reader);
    return !open || value_take(reader, ')');
}

ploy_result ploy_value_parse(ploy_value_type type, const char *text, ploy_value *out) {
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (type == PLOY_VALUE_TEXT) {
        *out = ploy_value_text(text);
        return PLOY_OK;
    }
    value_reader reader = {text, text + strlen(text)};
    value_skip_blanks(&reader);
    while (reader.end > reader.at && (reader.end[-1] == ' ' || reader.end[-1] == '\t')) {
        reader.end--;
    }
    size_t size = (size_t)(reader.end - reader.at);
    size_t used = 0;
    ploy_value value = value_make(type);
    bool read = false;
    switch (type) {
    case PLOY_VALUE_NONE:
        read = value_is(&reader, "none");
        reader.at = reader.end;
        break;
    case PLOY_VALUE_BOOL:
        value.as.b = value_is(&reader, "true") || value_is(&reader, "1");
        read = value.as.b || value_is(&reader, "false") || value_is(&reader, "0");
        reader.at = reader.end;
        break;
    case PLOY_VALUE_I64:
        read = ploy_parse_i64(reader.at, size, &used, &value.as.i64) == PLOY_OK;
        reader.at += used;
        break;
    case PLOY_VALUE_U64:
        read = ploy_parse_u64(reader.at, size, &used, &value.as.u64) == PLOY_OK;
        reader.at += used;
        break;
    case PLOY_VALUE_F32: read = value_read_f32(&reader, &value.as.f32); break;
    case PLOY_VALUE_F64:
        read = ploy_parse_f64(reader.at, size, &used, &value.as.f64) == PLOY_OK;
        reader.at += used;
        break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4:
        read = value_read_vec(&reader, value_components(type), value.as.vec);
        break;
    case PLOY_VALUE_ID:
        if (value_is(&reader, "none")) {
            read = true;
            reader.at = reader.end;
            break;
        }
        read = value_read_u32(&reader, &value.as.id.index) && value_take(&reader, ':') &&
               value_read_u32(&reader, &value.as.id.generation);
        // Generation 0 belongs to the id that means none, and that one is all zero.
        if (read && value.as.id.generation == 0 && value.as.id.index != 0) read = false;
        break;
    case PLOY_VALUE_NAME:
        // "#" and sixteen digits is how a name prints; any other text is the name itself.
        if (size == 17 && value_take(&reader, '#')) {
            read = ploy_parse_hex64(reader.at, 16, NULL, &value.as.name.hash) == PLOY_OK;
            reader.at = reader.end;
        } else {
            value.as.name = ploy_name_of_bytes(reader.at, size);
            read = size > 0;
            reader.at = reader.end;
        }
        break;
    case PLOY_VALUE_TEXT: break; // returned above
    }
    if (!read || reader.at != reader.end) return PLOY_ERR_FORMAT;
    *out = value;
    return PLOY_OK;
}

#undef VALUE_TWO_63
#undef VALUE_TWO_64
