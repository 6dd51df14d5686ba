// Visitors: the values of each type.
//
// Every value goes through visit_value, which describes or saves it, or visit_read, which finds it
// in the file. What is read is checked before it is written.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base_internal.h"
#include "base/visit_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const char visit_digits[] = "0123456789abcdef";

// Describes or saves a value; in a load finds its node and returns true.
static bool visit_value(ploy_visit *v, const char *name, ploy_mark mark, const ploy_value *value,
                        ploy_json_node *node) {
    switch (v->mode) {
    case PLOY_VISIT_DESCRIBE: ploy_describe_value(v->describe, name, mark, value); break;
    case PLOY_VISIT_SAVE:
        if (ployi_visit_saves(mark)) {
            ployi_visit_write_key(v, name);
            ploy_json_write_value(v->json, value);
        }
        break;
    case PLOY_VISIT_LOAD:
        if (ployi_visit_saves(mark)) return ployi_visit_find(v, name, mark, node);
        break;
    case PLOY_VISIT_MEMORY:
    case PLOY_VISIT_COVER: break;
    }
    v->key = NULL;
    return false;
}

static void visit_seen(ploy_visit *v, const char *name, ploy_mark mark, ploy_visit_part part,
                       void *address, size_t size, ploy_value_type type, double min, double max) {
    if (v->mode != PLOY_VISIT_COVER) return;
    ploy_visit_seen seen = {part, name, mark, address, size, type, min, max};
    ployi_visit_report(v, &seen);
}

// "5 is out of range" with the range, or what else was expected.
static void visit_fault_range(ploy_visit *v, ploy_json_node node, const ploy_value *min,
                              const ploy_value *max) {
    char low[32], high[32], expected[96];
    ploy_value_print(min, low, sizeof low);
    ploy_value_print(max, high, sizeof high);
    ployi_text text;
    ployi_text_init(&text, expected, sizeof expected);
    ploy_writer writer = ployi_text_writer(&text);
    ploy_write_text(&writer, low);
    ploy_write_text(&writer, " to ");
    ploy_write_text(&writer, high);
    ployi_text_finish(&text);
    ployi_visit_fault(v, node, "value is out of range", expected);
}

void ploy_visit_bool(ploy_visit *v, const char *name, ploy_mark mark, bool *value) {
    ploy_json_node node;
    ploy_value now = ploy_value_bool(*value);
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_BOOL, 0, 1);
    if (!visit_value(v, name, mark, &now, &node)) return;
    bool read = false;
    if (ploy_json_bool(v->load->doc, node, &read) != PLOY_OK) {
        ployi_visit_fault(v, node, "wrong type", "true or false");
        return;
    }
    ploy_visit_write(v, value, &read, sizeof read);
}

// ---- integers

static bool visit_signed(ploy_visit *v, const char *name, ploy_mark mark, int64_t now, int64_t min,
                         int64_t max, int64_t *out) {
    ploy_json_node node;
    ploy_value value = ploy_value_i64(now);
    if (!visit_value(v, name, mark, &value, &node)) return false;
    int64_t read = 0;
    ploy_result result = ploy_json_i64(v->load->doc, node, &read);
    if (result == PLOY_OK && read >= min && read <= max) {
        *out = read;
        return true;
    }
    if (result == PLOY_ERR_ARGUMENT) {
        ployi_visit_fault(v, node, "wrong type", "a whole number");
    } else {
        ploy_value low = ploy_value_i64(min), high = ploy_value_i64(max);
        visit_fault_range(v, node, &low, &high);
    }
    return false;
}

static bool visit_unsigned(ploy_visit *v, const char *name, ploy_mark mark, uint64_t now,
                           uint64_t min, uint64_t max, uint64_t *out) {
    ploy_json_node node;
    ploy_value value = ploy_value_u64(now);
    if (!visit_value(v, name, mark, &value, &node)) return false;
    uint64_t read = 0;
    ploy_result result = ploy_json_u64(v->load->doc, node, &read);
    if (result == PLOY_OK && read >= min && read <= max) {
        *out = read;
        return true;
    }
    if (result == PLOY_ERR_ARGUMENT) {
        ployi_visit_fault(v, node, "wrong type", "a whole number");
    } else {
        ploy_value low = ploy_value_u64(min), high = ploy_value_u64(max);
        visit_fault_range(v, node, &low, &high);
    }
    return false;
}

void ploy_visit_i32(ploy_visit *v, const char *name, ploy_mark mark, int32_t *value) {
    ploy_visit_i32_in(v, name, mark, value, INT32_MIN, INT32_MAX);
}

void ploy_visit_i32_in(ploy_visit *v, const char *name, ploy_mark mark, int32_t *value, int32_t min,
                       int32_t max) {
    int64_t read = 0;
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_I64, min, max);
    if (!visit_signed(v, name, mark, *value, min, max, &read)) return;
    int32_t small = (int32_t)read;
    ploy_visit_write(v, value, &small, sizeof small);
}

void ploy_visit_i64(ploy_visit *v, const char *name, ploy_mark mark, int64_t *value) {
    ploy_visit_i64_in(v, name, mark, value, INT64_MIN, INT64_MAX);
}

void ploy_visit_i64_in(ploy_visit *v, const char *name, ploy_mark mark, int64_t *value, int64_t min,
                       int64_t max) {
    int64_t read = 0;
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_I64, (double)min,
               (double)max);
    if (!visit_signed(v, name, mark, *value, min, max, &read)) return;
    ploy_visit_write(v, value, &read, sizeof read);
}

void ploy_visit_u8_in(ploy_visit *v, const char *name, ploy_mark mark, uint8_t *value, uint8_t min,
                      uint8_t max) {
    uint64_t read = 0;
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_U64, min, max);
    if (!visit_unsigned(v, name, mark, *value, min, max, &read)) return;
    uint8_t small = (uint8_t)read;
    ploy_visit_write(v, value, &small, sizeof small);
}

void ploy_visit_u32(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *value) {
    ploy_visit_u32_in(v, name, mark, value, 0, UINT32_MAX);
}

void ploy_visit_u32_in(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *value,
                       uint32_t min, uint32_t max) {
    uint64_t read = 0;
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_U64, min, max);
    if (!visit_unsigned(v, name, mark, *value, min, max, &read)) return;
    uint32_t small = (uint32_t)read;
    ploy_visit_write(v, value, &small, sizeof small);
}

void ploy_visit_u64(ploy_visit *v, const char *name, ploy_mark mark, uint64_t *value) {
    uint64_t read = 0;
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_U64, 0,
               18446744073709551615.0);
    if (!visit_unsigned(v, name, mark, *value, 0, UINT64_MAX, &read)) return;
    ploy_visit_write(v, value, &read, sizeof read);
}

// ---- floats

static bool visit_read_f32(ploy_visit *v, ploy_json_node node, float min, float max, float *out) {
    float read = 0.0f;
    if (ploy_json_f32(v->load->doc, node, &read) != PLOY_OK) {
        ployi_visit_fault(v, node, "wrong type", "a number");
        return false;
    }
    if (read >= min && read <= max) { // false for NaN
        *out = read;
        return true;
    }
    ploy_value low = ploy_value_f32(min), high = ploy_value_f32(max);
    visit_fault_range(v, node, &low, &high);
    return false;
}

void ploy_visit_f32(ploy_visit *v, const char *name, ploy_mark mark, float *value) {
    ploy_visit_f32_in(v, name, mark, value, -FLT_MAX, FLT_MAX);
}

void ploy_visit_f32_in(ploy_visit *v, const char *name, ploy_mark mark, float *value, float min,
                       float max) {
    ploy_json_node node;
    ploy_value now = ploy_value_f32(*value);
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_F32, (double)min,
               (double)max);
    if (!visit_value(v, name, mark, &now, &node)) return;
    float read = 0.0f;
    if (visit_read_f32(v, node, min, max, &read)) ploy_visit_write(v, value, &read, sizeof read);
}

void ploy_visit_f64(ploy_visit *v, const char *name, ploy_mark mark, double *value) {
    ploy_visit_f64_in(v, name, mark, value, -DBL_MAX, DBL_MAX);
}

void ploy_visit_f64_in(ploy_visit *v, const char *name, ploy_mark mark, double *value, double min,
                       double max) {
    ploy_json_node node;
    ploy_value now = ploy_value_f64(*value);
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_F64, min, max);
    if (!visit_value(v, name, mark, &now, &node)) return;
    double read = 0.0;
    if (ploy_json_f64(v->load->doc, node, &read) != PLOY_OK) {
        ployi_visit_fault(v, node, "wrong type", "a number");
    } else if (read >= min && read <= max) { // false for NaN
        ploy_visit_write(v, value, &read, sizeof read);
    } else {
        ploy_value low = ploy_value_f64(min), high = ploy_value_f64(max);
        visit_fault_range(v, node, &low, &high);
    }
}

static void visit_vec(ploy_visit *v, const char *name, ploy_mark mark, float *const *parts,
                      int32_t count) {
    static const char *const expected[] = {"[x, y]", "[x, y, z]", "[w, x, y, z]"};
    ploy_json_node node;
    ploy_value now = ploy_value_vec2(0.0f, 0.0f);
    now.type = (ploy_value_type)(PLOY_VALUE_VEC2 + count - 2);
    for (int32_t i = 0; i < count; i++) {
        now.as.vec[i] = *parts[i];
        visit_seen(v, name, mark, PLOY_VISIT_VALUE, parts[i], sizeof(float), PLOY_VALUE_F32,
                   (double)-FLT_MAX, (double)FLT_MAX);
    }
    if (!visit_value(v, name, mark, &now, &node)) return;
    const ploy_json *doc = v->load->doc;
    if (ploy_json_type_of(doc, node) != PLOY_JSON_ARRAY || ploy_json_count(doc, node) != count) {
        ployi_visit_fault(v, node, "wrong type", expected[count - 2]);
        return;
    }
    float read[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < count; i++) {
        if (!visit_read_f32(v, ploy_json_at(doc, node, i), -FLT_MAX, FLT_MAX, &read[i])) return;
    }
    for (int32_t i = 0; i < count; i++) ploy_visit_write(v, parts[i], &read[i], sizeof read[i]);
}

void ploy_visit_vec2(ploy_visit *v, const char *name, ploy_mark mark, float *x, float *y) {
    float *parts[2] = {x, y};
    visit_vec(v, name, mark, parts, 2);
}

void ploy_visit_vec3(ploy_visit *v, const char *name, ploy_mark mark, float *x, float *y,
                     float *z) {
    float *parts[3] = {x, y, z};
    visit_vec(v, name, mark, parts, 3);
}

void ploy_visit_vec4(ploy_visit *v, const char *name, ploy_mark mark, float *w, float *x, float *y,
                     float *z) {
    float *parts[4] = {w, x, y, z};
    visit_vec(v, name, mark, parts, 4);
}

// ---- names and texts

void ploy_visit_id(ploy_visit *v, const char *name, ploy_mark mark, ploy_id *value) {
    ploy_json_node node;
    ploy_value now = ploy_value_id(*value), read = ploy_value_id(ploy_id_none());
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_ID, 0, 0);
    if (!visit_value(v, name, mark, &now, &node)) return;
    ploy_json_type type = ploy_json_type_of(v->load->doc, node);
    if (type != PLOY_JSON_NULL &&
        (type != PLOY_JSON_TEXT ||
         ploy_value_parse(PLOY_VALUE_ID, ploy_json_text(v->load->doc, node, NULL), &read) !=
             PLOY_OK)) {
        ployi_visit_fault(v, node, "wrong type", "an id such as \"3:1\", or null");
        return;
    }
    ploy_visit_write(v, value, &read.as.id, sizeof *value);
}

void ploy_visit_name(ploy_visit *v, const char *name, ploy_mark mark, ploy_name *value) {
    ploy_json_node node;
    ploy_value now = ploy_value_name(*value), read = ploy_value_name(ploy_name_of(NULL));
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, value, sizeof *value, PLOY_VALUE_NAME, 0, 0);
    if (!visit_value(v, name, mark, &now, &node)) return;
    if (ploy_json_type_of(v->load->doc, node) != PLOY_JSON_TEXT ||
        ploy_value_parse(PLOY_VALUE_NAME, ploy_json_text(v->load->doc, node, NULL), &read) !=
            PLOY_OK) {
        ployi_visit_fault(v, node, "wrong type", "a name");
        return;
    }
    ploy_visit_write(v, value, &read.as.name, sizeof *value);
}

void ploy_visit_text(ploy_visit *v, const char *name, ploy_mark mark, char *text, size_t size) {
    ploy_json_node node;
    ploy_value now = ploy_value_text(text);
    visit_seen(v, name, mark, PLOY_VISIT_VALUE, text, size, PLOY_VALUE_TEXT, 0, (double)size);
    if (!visit_value(v, name, mark, &now, &node)) return;
    size_t length = 0;
    const char *read = ploy_json_text(v->load->doc, node, &length);
    if (ploy_json_type_of(v->load->doc, node) != PLOY_JSON_TEXT || length >= size ||
        strlen(read) != length) {
        ployi_visit_fault(v, node, length >= size ? "text is too long" : "wrong type", "a text");
        return;
    }
    ploy_visit_write(v, text, read, length + 1);
    static const char zeros[64] = {0};
    for (size_t at = length + 1; at < size; at += sizeof zeros) {
        size_t piece = size - at < sizeof zeros ? size - at : sizeof zeros;
        ploy_visit_write(v, text + at, zeros, piece);
    }
}

static void visit_hex(const unsigned char *bytes, size_t size, char *text) {
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = visit_digits[bytes[i] >> 4];
        text[2 * i + 1] = visit_digits[bytes[i] & 15];
    }
    text[2 * size] = '\0';
}

static int32_t visit_digit(char c) {
    const char *at = c != '\0' ? strchr(visit_digits, c) : NULL;
    return at != NULL ? (int32_t)(at - visit_digits) : -1;
}

// Reads hexadecimal text into at most `size` bytes; returns how many, or -1.
static int32_t visit_unhex(const char *text, size_t length, unsigned char *bytes, size_t size) {
    if (length % 2 != 0 || length / 2 > size) return -1;
    for (size_t i = 0; i < length; i += 2) {
        int32_t high = visit_digit(text[i]), low = visit_digit(text[i + 1]);
        if (high < 0 || low < 0) return -1;
        bytes[i / 2] = (unsigned char)(high * 16 + low);
    }
    return (int32_t)(length / 2);
}

// Pieces of 32 bytes, an array of short texts, so that nothing has to be allocated.
static bool visit_load_bytes(ploy_visit *v, ploy_json_node node, unsigned char *to, size_t size) {
    const ploy_json *doc = v->load->doc;
    for (int32_t pass = 0; pass < 2; pass++) { // checked as a whole before anything is written
        size_t used = 0;
        for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
            size_t length = 0;
            unsigned char piece[32];
            const char *text = ploy_json_text(doc, ploy_json_at(doc, node, i), &length);
            int32_t count = visit_unhex(text, length, piece, sizeof piece);
            if (count < 0 || (size_t)count > size - used) return false;
            if (pass == 1) ploy_visit_write(v, to + used, piece, (size_t)count);
            used += (size_t)count;
        }
        if (used != size) return false;
    }
    return true;
}

void ploy_visit_bytes(ploy_visit *v, const char *name, ploy_mark mark, void *bytes, size_t size) {
    visit_seen(v, name, mark, PLOY_VISIT_BYTES, bytes, size, PLOY_VALUE_NONE, 0, 0);
    if (v->mode == PLOY_VISIT_DESCRIBE) {
        ploy_describe_u64(v->describe, name, mark, ploy_hash_bytes(bytes, size, 0));
    } else if (v->mode == PLOY_VISIT_SAVE && ployi_visit_saves(mark)) {
        ployi_visit_write_key(v, name);
        ploy_json_write_begin_row(v->json);
        for (size_t at = 0; at < size; at += 32) {
            char text[65];
            visit_hex((const unsigned char *)bytes + at, size - at < 32 ? size - at : 32, text);
            ploy_json_write_text(v->json, text);
        }
        ploy_json_write_end_array(v->json);
    } else if (v->mode == PLOY_VISIT_LOAD && ployi_visit_saves(mark)) {
        ploy_json_node node;
        if (ployi_visit_find(v, name, mark, &node) &&
            (ploy_json_type_of(v->load->doc, node) != PLOY_JSON_ARRAY ||
             !visit_load_bytes(v, node, bytes, size))) {
            ployi_visit_fault(v, node, "wrong type or number of bytes", "hexadecimal texts");
        }
    }
    v->key = NULL;
}

void ploy_visit_rng(ploy_visit *v, const char *name, ploy_mark mark, ploy_rng *rng) {
    visit_seen(v, name, mark, PLOY_VISIT_RNG, rng, sizeof *rng, PLOY_VALUE_NONE, 0, 0);
    if (v->mode == PLOY_VISIT_DESCRIBE) {
        ploy_rng copy = *rng;
        ploy_describe_u64(v->describe, name, mark, ploy_rng_u64(&copy));
        return;
    }
    if ((v->mode != PLOY_VISIT_SAVE && v->mode != PLOY_VISIT_LOAD) || !ployi_visit_saves(mark)) {
        v->key = NULL;
        return;
    }
    ploy_visit_begin(v, name, PLOY_SAVED);
    ploy_visit_u64(v, "key", PLOY_SAVED, &rng->key);
    ploy_visit_u64(v, "counter", PLOY_SAVED, &rng->counter);
    ploy_visit_u64(v, "stream", PLOY_SAVED, &rng->stream);
    int32_t count = ploy_visit_fixed(v, "block", PLOY_SAVED, 4);
    for (int32_t i = 0; i < count; i++) ploy_visit_u32(v, "word", PLOY_SAVED, &rng->block[i]);
    ploy_visit_end(v);
    ploy_visit_u32_in(v, "left", PLOY_SAVED, &rng->left, 0, 4);
    ploy_visit_end(v);
}

// ---- values with their type

// Reads a value of that type as ploy_json_write_value writes it.
static bool visit_read_value(const ploy_json *doc, ploy_json_node node, ploy_value_type type,
                             ploy_value *out) {
    ploy_value value = ploy_value_none();
    value.type = type;
    ploy_json_type kind = ploy_json_type_of(doc, node);
    switch (type) {
    case PLOY_VALUE_NONE: return kind == PLOY_JSON_NULL;
    case PLOY_VALUE_BOOL:
        if (ploy_json_bool(doc, node, &value.as.b) != PLOY_OK) return false;
        break;
    case PLOY_VALUE_I64:
        if (ploy_json_i64(doc, node, &value.as.i64) != PLOY_OK) return false;
        break;
    case PLOY_VALUE_U64:
        if (ploy_json_u64(doc, node, &value.as.u64) != PLOY_OK) return false;
        break;
    case PLOY_VALUE_F32:
        if (ploy_json_f32(doc, node, &value.as.f32) != PLOY_OK) return false;
        break;
    case PLOY_VALUE_F64:
        if (ploy_json_f64(doc, node, &value.as.f64) != PLOY_OK) return false;
        break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        int32_t count = 2 + (int32_t)type - (int32_t)PLOY_VALUE_VEC2;
        if (kind != PLOY_JSON_ARRAY || ploy_json_count(doc, node) != count) return false;
        for (int32_t i = 0; i < count; i++) {
            ploy_json_node part = ploy_json_at(doc, node, i);
            if (ploy_json_f32(doc, part, &value.as.vec[i]) != PLOY_OK) return false;
        }
        break;
    }
    case PLOY_VALUE_ID:
        if (kind == PLOY_JSON_NULL) {
            value = ploy_value_id(ploy_id_none());
            break;
        } // falls through
    case PLOY_VALUE_NAME:
        if (kind != PLOY_JSON_TEXT) return false;
        if (ploy_value_parse(type, ploy_json_text(doc, node, NULL), &value) != PLOY_OK)
            return false;
        break;
    case PLOY_VALUE_TEXT:
        if (kind != PLOY_JSON_TEXT) return false;
        value.as.text = ploy_json_text(doc, node, NULL);
        break;
    }
    *out = value;
    return true;
}

// The type of that name, or PLOY_VALUE_TEXT, which values cannot have here.
static ploy_value_type visit_type_of(const char *text) {
    int32_t type = PLOY_VALUE_NONE;
    while (type < PLOY_VALUE_TEXT &&
           strcmp(text, ploy_value_type_text((ploy_value_type)type)) != 0) {
        type++;
    }
    return (ploy_value_type)type;
}

void ploy_visit_value(ploy_visit *v, const char *name, ploy_mark mark, ploy_value *value) {
    visit_seen(v, name, mark, PLOY_VISIT_BYTES, value, sizeof *value, PLOY_VALUE_NONE, 0, 0);
    if (v->mode == PLOY_VISIT_DESCRIBE) ploy_describe_value(v->describe, name, mark, value);
    bool in_file = v->mode == PLOY_VISIT_SAVE || v->mode == PLOY_VISIT_LOAD;
    if (!in_file || !ployi_visit_saves(mark)) {
        v->key = NULL;
        return;
    }
    ploy_json_node node;
    ploy_value type = ploy_value_text(ploy_value_type_text(value->type)), read = *value;
    ploy_visit_begin(v, name, PLOY_SAVED);
    if (visit_value(v, "type", PLOY_SAVED, &type, &node)) {
        read.type = visit_type_of(ploy_json_text(v->load->doc, node, NULL));
        if (read.type == PLOY_VALUE_TEXT) ployi_visit_fault(v, node, "unknown type", NULL);
    }
    if (visit_value(v, "value", PLOY_SAVED, value, &node) && read.type != PLOY_VALUE_TEXT) {
        if (visit_read_value(v->load->doc, node, read.type, &read)) {
            ploy_visit_write(v, value, &read, sizeof read);
        } else {
            ployi_visit_fault(v, node, "wrong type", ploy_value_type_text(read.type));
        }
    }
    ploy_visit_end(v);
}

void ploy_visit_same(ploy_visit *v, const char *name, ploy_mark mark, const ploy_value *value) {
    ploy_json_node node;
    if (!visit_value(v, name, mark, value, &node)) return;
    ploy_value read = ploy_value_none();
    if (visit_read_value(v->load->doc, node, value->type, &read) &&
        ploy_value_equal(&read, value)) {
        return;
    }
    char expected[PLOY_DIAG_TEXT_MAX];
    ploy_value_print(value, expected, sizeof expected);
    ployi_visit_fault(v, node, "state was saved from another setup", expected);
}

// ---- messages

static void visit_payload(ploy_visit *v, ploy_mark mark, ploy_message *message) {
    char text[2 * PLOY_MESSAGE_PAYLOAD + 1];
    size_t size = message->size < PLOY_MESSAGE_PAYLOAD ? message->size : PLOY_MESSAGE_PAYLOAD;
    visit_hex(message->payload, size, text);
    ploy_json_node node;
    ploy_value now = ploy_value_text(text);
    visit_seen(v, "payload", mark, PLOY_VISIT_BYTES, message->payload, size, PLOY_VALUE_NONE, 0, 0);
    if (v->mode == PLOY_VISIT_COVER) {
        ploy_visit_scratch(v, message->payload + size, PLOY_MESSAGE_PAYLOAD - size);
        PLOY_VISIT_SCRATCH(v, message->size); // the length of the payload's text
    }
    if (!visit_value(v, "payload", mark, &now, &node)) return;
    unsigned char bytes[PLOY_MESSAGE_PAYLOAD] = {0};
    size_t length = 0;
    const char *read = ploy_json_text(v->load->doc, node, &length);
    int32_t count = visit_unhex(read, length, bytes, sizeof bytes);
    if (ploy_json_type_of(v->load->doc, node) != PLOY_JSON_TEXT || count < 0) {
        ployi_visit_fault(v, node, "invalid payload", "up to 64 hexadecimal digits");
        return;
    }
    uint32_t fresh = (uint32_t)count;
    ploy_visit_write(v, &message->size, &fresh, sizeof fresh);
    ploy_visit_write(v, message->payload, bytes, sizeof bytes);
}

void ploy_visit_message(ploy_visit *v, const char *name, ploy_mark mark, ploy_message *message) {
    ploy_visit_struct(v, "message", message, sizeof *message);
    ploy_visit_begin(v, name, mark == PLOY_NOTE ? PLOY_STATE : mark);
    ploy_visit_id(v, "sender", mark, &message->sender.id);
    ploy_visit_id(v, "receiver", mark, &message->receiver.id);
    ploy_visit_name(v, "kind", mark, &message->kind);
    ploy_visit_f64(v, "due", mark, &message->due);
    ploy_visit_u64(v, "order", mark, &message->order);
    visit_payload(v, mark, message);
    PLOY_VISIT_SCRATCH(v, message->reserved);
    ploy_visit_end(v);
}

// ---- enums and references

static int32_t visit_enum_get(const void *value, size_t size) {
    uint8_t small = 0;
    uint32_t middle = 0;
    uint64_t large = 0;
    if (size == 1) memcpy(&small, value, 1);
    if (size == 4) memcpy(&middle, value, 4);
    if (size == 8) memcpy(&large, value, 8);
    return (int32_t)(small + middle + (uint32_t)large);
}

static void visit_enum_set(ploy_visit *v, void *value, size_t size, int32_t number) {
    uint8_t small = (uint8_t)number;
    uint32_t middle = (uint32_t)number;
    uint64_t large = (uint64_t)number;
    const void *from = size == 1   ? (const void *)&small
                       : size == 4 ? (const void *)&middle
                                   : &large;
    ploy_visit_write(v, value, from, size);
}

void ploy_visit_enum(ploy_visit *v, const char *name, ploy_mark mark, void *value, size_t size,
                     ploy_visit_text_fn text, int32_t count) {
    PLOY_ASSERT(size == 1 || size == 4 || size == 8);
    ploy_json_node node;
    ploy_value now = ploy_value_text(text(visit_enum_get(value, size)));
    visit_seen(v, name, mark, PLOY_VISIT_ENUM, value, size, PLOY_VALUE_TEXT, 0, (double)count - 1);
    if (!visit_value(v, name, mark, &now, &node)) return;
    const char *read = ploy_json_text(v->load->doc, node, NULL);
    ploy_nearest nearest = ploy_nearest_make(read);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(read, text(i)) == 0 && ploy_json_type_of(v->load->doc, node) == PLOY_JSON_TEXT) {
            visit_enum_set(v, value, size, i);
            return;
        }
        ploy_nearest_offer(&nearest, text(i));
    }
    ployi_visit_fault(v, node, "unknown choice", nearest.best != NULL ? nearest.best : text(0));
}

void ploy_visit_code(ploy_visit *v, const char *name, ploy_mark mark, ploy_result *code) {
    static const ploy_result codes[] = {
#define VISIT_CODE(code, value, text) code,
        PLOY_RESULTS(VISIT_CODE)
#undef VISIT_CODE
    };
    ploy_json_node node;
    bool saves = v->mode == PLOY_VISIT_SAVE;
    ploy_value now = ploy_value_text(saves ? ploy_result_name(*code) : ploy_result_text(*code));
    visit_seen(v, name, mark, PLOY_VISIT_BYTES, code, sizeof *code, PLOY_VALUE_NONE, 0, 0);
    if (!visit_value(v, name, mark, &now, &node)) return;
    const char *read = ploy_json_text(v->load->doc, node, NULL);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(read, ploy_result_name(codes[i])) != 0) continue;
        ploy_visit_write(v, code, &codes[i], sizeof codes[i]);
        return;
    }
    ployi_visit_fault(v, node, "unknown result", "a name such as PLOY_OK");
}

bool ploy_visit_ref(ploy_visit *v, const char *name, ploy_mark mark, uint32_t *number,
                    const ploy_visit_table *table) {
    ploy_json_node node;
    ploy_value now = ploy_value_text(table->text(table->user, *number));
    visit_seen(v, name, mark, PLOY_VISIT_ENUM, number, sizeof *number, PLOY_VALUE_TEXT, 0,
               (double)table->count - 1);
    if (!visit_value(v, name, mark, &now, &node)) return true;
    const char *read = ploy_json_text(v->load->doc, node, NULL);
    uint32_t found = 0;
    if (ploy_json_type_of(v->load->doc, node) == PLOY_JSON_TEXT &&
        table->find(table->user, read, &found)) {
        ploy_visit_write(v, number, &found, sizeof found);
        return true;
    }
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text text;
    ployi_text_init(&text, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&text);
    ploy_write_text(&writer, table->what);
    ploy_write_text(&writer, " '");
    ploy_write_text(&writer, read);
    ploy_write_text(&writer, "' no longer exists");
    ployi_text_finish(&text);
    ployi_visit_fault(v, node, message, NULL);
    return false;
}

// ---- settings

void ploy_visit_fields(ploy_visit *v, const char *name, ploy_mark mark, ploy_fields fields,
                       void *def) {
    if (v->mode == PLOY_VISIT_DESCRIBE) {
        if (ployi_visit_shows(mark)) ploy_fields_describe(fields, def, mark, v->describe);
    } else if (v->mode == PLOY_VISIT_SAVE && ployi_visit_saves(mark)) {
        ployi_visit_write_key(v, name);
        ploy_fields_save_json(fields, def, v->json);
    } else if (v->mode == PLOY_VISIT_LOAD && ployi_visit_saves(mark)) {
        ploy_json_node node;
        unsigned char before[256];
        if (!ployi_visit_find(v, name, mark, &node)) return;
        // The old settings are noted, then the table itself loads all or nothing.
        if (fields.size > sizeof before) {
            ploy_visit_result(v, PLOY_ERR_LIMIT);
            return;
        }
        memcpy(before, def, fields.size);
        ploy_visit_write(v, def, before, fields.size);
        if (v->load->result != PLOY_OK) return;
        ploy_result result = ploy_fields_load_json(fields, def, v->load->doc, node, v->load->diags);
        if (!v->load->known) ploy_visit_result(v, result);
    } else if (v->mode == PLOY_VISIT_COVER) {
        visit_seen(v, name, mark, PLOY_VISIT_FIELDS, def, fields.size, PLOY_VALUE_NONE, 0, 0);
    }
    v->key = NULL;
}
