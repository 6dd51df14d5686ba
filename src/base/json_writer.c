// Writing JSON; the rules are in the header.
//
// Invariants while result is PLOY_OK:
//   (1) depth counts open containers; bit d of is_object and has_items speaks of the one at depth
//       d;
//   (2) after_key only inside an object; a value is legal there exactly when after_key is set;
//   (3) row_depth is the depth at which the outermost open row was begun, or -1.
#include "ploy/base/json_writer.h"

#include "base/base_internal.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/utf8.h"

static bool json_writer_bit(const uint64_t *bits, int32_t depth) {
    return (bits[depth / 64] >> (depth % 64) & 1) != 0;
}

static void json_writer_set_bit(uint64_t *bits, int32_t depth, bool value) {
    uint64_t mask = (uint64_t)1 << (depth % 64);
    bits[depth / 64] = value ? bits[depth / 64] | mask : bits[depth / 64] & ~mask;
}

void ploy_json_writer_init(ploy_json_writer *json, ploy_writer *writer, int32_t indent) {
    memset(json, 0, sizeof *json);
    json->writer = writer;
    json->indent = ploy_clampi(indent, 0, 8);
    json->row_depth = -1;
    json->result = PLOY_OK;
}

static bool json_writer_inside_object(const ploy_json_writer *json) {
    return json->depth > 0 && json_writer_bit(json->is_object, json->depth - 1);
}

static void json_writer_new_line(ploy_json_writer *json) {
    static const char blanks[] = "                                ";
    ploy_write_char(json->writer, '\n');
    int64_t left = (int64_t)json->depth * json->indent;
    while (left > 0) {
        size_t part = left < 32 ? (size_t)left : 32;
        ploy_write_bytes(json->writer, blanks, part);
        left -= (int64_t)part;
    }
}

// Separates the next item of the open container from the one before it.
static void json_writer_separate(ploy_json_writer *json) {
    if (json->depth == 0) return;
    bool first = !json_writer_bit(json->has_items, json->depth - 1);
    json_writer_set_bit(json->has_items, json->depth - 1, true);
    if (!first) ploy_write_char(json->writer, ',');
    if (json->indent == 0) return;
    if (json->row_depth < 0)
        json_writer_new_line(json);
    else if (!first)
        ploy_write_char(json->writer, ' ');
}

// Everything that comes before a value. False if no value may come here.
static bool json_writer_before_value(ploy_json_writer *json) {
    if (json->result != PLOY_OK) return false;
    bool legal =
        json->depth == 0 ? !json->started : json_writer_inside_object(json) == json->after_key;
    if (!legal) {
        json->result = PLOY_ERR_STATE;
        return false;
    }
    if (!json->after_key) json_writer_separate(json);
    json->after_key = false;
    json->started = true;
    return true;
}

static void json_writer_begin(ploy_json_writer *json, bool object) {
    if (!json_writer_before_value(json)) return;
    if (json->depth >= PLOY_JSON_WRITER_DEPTH) {
        json->result = PLOY_ERR_LIMIT;
        return;
    }
    ploy_write_char(json->writer, object ? '{' : '[');
    json_writer_set_bit(json->is_object, json->depth, object);
    json_writer_set_bit(json->has_items, json->depth, false);
    json->depth++;
}

static void json_writer_end(ploy_json_writer *json, bool object) {
    if (json->result != PLOY_OK) return;
    if (json->depth == 0 || json->after_key || json_writer_inside_object(json) != object) {
        json->result = PLOY_ERR_STATE;
        return;
    }
    json->depth--;
    bool empty = !json_writer_bit(json->has_items, json->depth);
    if (!empty && json->indent > 0 && json->row_depth < 0) json_writer_new_line(json);
    ploy_write_char(json->writer, object ? '}' : ']');
    if (json->row_depth == json->depth) json->row_depth = -1; // keeps (3)
}

void ploy_json_write_begin_object(ploy_json_writer *json) {
    json_writer_begin(json, true);
}

void ploy_json_write_end_object(ploy_json_writer *json) {
    json_writer_end(json, true);
}

void ploy_json_write_begin_array(ploy_json_writer *json) {
    json_writer_begin(json, false);
}

void ploy_json_write_end_array(ploy_json_writer *json) {
    json_writer_end(json, false);
}

void ploy_json_write_begin_row(ploy_json_writer *json) {
    json_writer_begin(json, false);
    if (json->result == PLOY_OK && json->row_depth < 0) json->row_depth = json->depth - 1;
}

void ploy_json_write_key(ploy_json_writer *json, const char *key) {
    ploy_json_write_key_bytes(json, key, key != NULL ? strlen(key) : 0);
}

void ploy_json_write_key_bytes(ploy_json_writer *json, const char *key, size_t size) {
    if (json->result != PLOY_OK) return;
    if (!json_writer_inside_object(json) || json->after_key) {
        json->result = PLOY_ERR_STATE;
        return;
    }
    json_writer_separate(json);
    ployi_json_write_quoted(json->writer, key, size);
    ploy_write_text(json->writer, json->indent > 0 ? ": " : ":");
    json->after_key = true;
}

void ploy_json_write_text(ploy_json_writer *json, const char *text) {
    ploy_json_write_text_bytes(json, text, text != NULL ? strlen(text) : 0);
}

void ploy_json_write_text_bytes(ploy_json_writer *json, const char *text, size_t size) {
    if (!json_writer_before_value(json)) return;
    ployi_json_write_quoted(json->writer, text, size);
}

void ploy_json_write_f64(ploy_json_writer *json, double value) {
    if (!json_writer_before_value(json)) return;
    bool finite = ploy_is_finite_d(value);
    if (!finite) ploy_write_char(json->writer, '"');
    ploy_write_f64(json->writer, value);
    if (!finite) ploy_write_char(json->writer, '"');
}

void ploy_json_write_f32(ploy_json_writer *json, float value) {
    if (!json_writer_before_value(json)) return;
    bool finite = ploy_is_finite(value);
    if (!finite) ploy_write_char(json->writer, '"');
    ploy_write_f32(json->writer, value);
    if (!finite) ploy_write_char(json->writer, '"');
}

void ploy_json_write_i64(ploy_json_writer *json, int64_t value) {
    if (json_writer_before_value(json)) ploy_write_i64(json->writer, value);
}

void ploy_json_write_u64(ploy_json_writer *json, uint64_t value) {
    if (json_writer_before_value(json)) ploy_write_u64(json->writer, value);
}

void ploy_json_write_bool(ploy_json_writer *json, bool value) {
    if (json_writer_before_value(json)) ploy_write_text(json->writer, value ? "true" : "false");
}

void ploy_json_write_null(ploy_json_writer *json) {
    if (json_writer_before_value(json)) ploy_write_text(json->writer, "null");
}

void ploy_json_write_raw(ploy_json_writer *json, const char *text) {
    ploy_json_write_raw_bytes(json, text, text != NULL ? strlen(text) : 0);
}

void ploy_json_write_raw_bytes(ploy_json_writer *json, const char *text, size_t size) {
    if (json_writer_before_value(json)) ploy_write_bytes(json->writer, text, size);
}

void ploy_json_write_value(ploy_json_writer *json, const ploy_value *value) {
    char text[32]; // an id or a name
    switch (value != NULL ? value->type : PLOY_VALUE_NONE) {
    case PLOY_VALUE_NONE: ploy_json_write_null(json); break;
    case PLOY_VALUE_BOOL: ploy_json_write_bool(json, value->as.b); break;
    case PLOY_VALUE_I64: ploy_json_write_i64(json, value->as.i64); break;
    case PLOY_VALUE_U64: ploy_json_write_u64(json, value->as.u64); break;
    case PLOY_VALUE_F32: ploy_json_write_f32(json, value->as.f32); break;
    case PLOY_VALUE_F64: ploy_json_write_f64(json, value->as.f64); break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        int32_t count = 2 + (int32_t)value->type - (int32_t)PLOY_VALUE_VEC2;
        ploy_json_write_begin_row(json);
        for (int32_t i = 0; i < count; i++) ploy_json_write_f32(json, value->as.vec[i]);
        ploy_json_write_end_array(json);
        break;
    }
    case PLOY_VALUE_ID:
        if (ploy_id_is_none(value->as.id)) {
            ploy_json_write_null(json);
            break;
        }
        ploy_value_print(value, text, sizeof text);
        ploy_json_write_text(json, text);
        break;
    case PLOY_VALUE_NAME:
        ploy_value_print(value, text, sizeof text);
        ploy_json_write_text(json, text);
        break;
    case PLOY_VALUE_TEXT: ploy_json_write_text(json, value->as.text); break;
    }
}

ploy_result ploy_json_writer_finish(ploy_json_writer *json) {
    if (json->result == PLOY_OK && (json->depth > 0 || !json->started)) {
        json->result = PLOY_ERR_STATE;
    }
    if (json->result != PLOY_OK) return json->result;
    if (json->indent > 0) ploy_write_char(json->writer, '\n');
    return ploy_writer_result(json->writer);
}

void ployi_json_write_quoted(ploy_writer *writer, const char *text, size_t size) {
    static const char digits[] = "0123456789abcdef";
    ploy_write_char(writer, '"');
    size_t done = 0; // bytes before it are written
    size_t at = 0;
    while (at < size) {
        unsigned char c = (unsigned char)text[at];
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            at++; // runs of plain characters go out in one piece
            continue;
        }
        size_t next = at;
        int32_t code = ploy_utf8_next(text, size, &next);
        if (code >= 0x80) {
            at = next;
            continue;
        }
        ploy_write_bytes(writer, text + done, at - done);
        if (code == PLOY_UTF8_BAD) {
            ploy_write_text(writer, "\xEF\xBF\xBD"); // U+FFFD
        } else if (code == '"' || code == '\\') {
            ploy_write_char(writer, '\\');
            ploy_write_char(writer, (char)code);
        } else {
            const char *brief = code == '\b'   ? "\\b"
                                : code == '\f' ? "\\f"
                                : code == '\n' ? "\\n"
                                : code == '\r' ? "\\r"
                                : code == '\t' ? "\\t"
                                               : NULL;
            if (brief != NULL) {
                ploy_write_text(writer, brief);
            } else {
                ploy_write_text(writer, "\\u00");
                ploy_write_char(writer, digits[code >> 4]);
                ploy_write_char(writer, digits[code & 15]);
            }
        }
        done = at = next;
    }
    if (size > done) ploy_write_bytes(writer, text + done, size - done);
    ploy_write_char(writer, '"');
}
