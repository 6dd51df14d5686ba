// CBOR; the format is in the header.
#include "ploy/data/cbor.h"

#include "ploy/base/math.h"

#include <string.h>

enum {
    CBOR_DEPTH_MAX = 128,
    CBOR_UNSIGNED = 0, // major types
    CBOR_NEGATIVE = 1,
    CBOR_TEXT = 3,
    CBOR_ARRAY = 4,
    CBOR_MAP = 5,
    CBOR_TAG = 6,
    CBOR_OTHER = 7
};

static const uint8_t cbor_tag[3] = {0xd9, 0xd9, 0xf7};

bool ploy_cbor_is(const void *bytes, size_t size) {
    return bytes != NULL && size >= sizeof cbor_tag &&
           memcmp(bytes, cbor_tag, sizeof cbor_tag) == 0;
}

// ---- writing

static void cbor_put(ploy_writer *w, uint8_t major, uint64_t value) {
    uint8_t bytes[9];
    int32_t size = value < 24             ? 0
                   : value <= 0xff        ? 1
                   : value <= 0xffff      ? 2
                   : value <= 0xffffffffu ? 4
                                          : 8;
    static const uint8_t lengths[9] = {0, 24, 25, 0, 26, 0, 0, 0, 27};
    bytes[0] = (uint8_t)(major << 5 | (size == 0 ? (uint8_t)value : lengths[size]));
    for (int32_t i = 0; i < size; i++) bytes[1 + i] = (uint8_t)(value >> (8 * (size - 1 - i)));
    ploy_write_bytes(w, bytes, (size_t)size + 1);
}

static void cbor_put_float(ploy_writer *w, double value) {
    float narrow = (float)value;
    bool exact = (double)narrow == value;
    uint64_t bits = 0;
    uint32_t half = 0;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&half, &narrow, sizeof half);
    if (exact) bits = half;
    uint8_t bytes[9] = {(uint8_t)(exact ? 0xfa : 0xfb)};
    int32_t size = exact ? 4 : 8;
    for (int32_t i = 0; i < size; i++) bytes[1 + i] = (uint8_t)(bits >> (8 * (size - 1 - i)));
    ploy_write_bytes(w, bytes, (size_t)size + 1);
}

static void cbor_put_number(const ploy_json *doc, ploy_json_node node, ploy_writer *w) {
    int64_t whole = 0;
    uint64_t natural = 0;
    double real = 0.0;
    bool negative = ploy_json_text(doc, node, NULL)[0] == '-';
    if (!negative && ploy_json_u64(doc, node, &natural) == PLOY_OK) {
        cbor_put(w, CBOR_UNSIGNED, natural);
    } else if (ploy_json_i64(doc, node, &whole) == PLOY_OK && whole < 0) {
        cbor_put(w, CBOR_NEGATIVE, (uint64_t)(-(whole + 1)));
    } else {
        (void)ploy_json_f64(doc, node, &real); // -0 too
        cbor_put_float(w, real);
    }
}

static void cbor_put_text(ploy_writer *w, const char *text, size_t size) {
    cbor_put(w, CBOR_TEXT, size);
    if (size > 0) ploy_write_bytes(w, text, size);
}

// Documents are no deeper than ploy_json_load allows.
static void cbor_put_node(const ploy_json *doc, ploy_json_node node, ploy_writer *w) {
    size_t size = 0;
    bool value = false;
    int32_t count = ploy_json_count(doc, node);
    ploy_json_type type = ploy_json_type_of(doc, node);
    switch (type) {
    case PLOY_JSON_BOOL:
        (void)ploy_json_bool(doc, node, &value);
        cbor_put(w, CBOR_OTHER, value ? 21 : 20);
        return;
    case PLOY_JSON_NUMBER: cbor_put_number(doc, node, w); return;
    case PLOY_JSON_TEXT: {
        const char *text = ploy_json_text(doc, node, &size);
        cbor_put_text(w, text, size);
        return;
    }
    case PLOY_JSON_ARRAY:
    case PLOY_JSON_OBJECT:
        cbor_put(w, type == PLOY_JSON_ARRAY ? CBOR_ARRAY : CBOR_MAP, (uint64_t)count);
        for (int32_t i = 0; i < count; i++) {
            ploy_json_node item = ploy_json_at(doc, node, i);
            if (type == PLOY_JSON_OBJECT) {
                const char *key = ploy_json_key(doc, item, &size);
                cbor_put_text(w, key, size);
            }
            cbor_put_node(doc, item, w);
        }
        return;
    default: cbor_put(w, CBOR_OTHER, 22);
    }
}

ploy_result ploy_cbor_save(const ploy_json *doc, ploy_json_node node, ploy_writer *writer) {
    if (doc == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_write_bytes(writer, cbor_tag, sizeof cbor_tag);
    cbor_put_node(doc, node, writer);
    return ploy_writer_result(writer);
}

// ---- reading

typedef struct cbor_reader {
    const uint8_t *bytes;
    size_t size, at;
    const char *name;
    ploy_diags *diags;
    ploy_json_writer json;
} cbor_reader;

static ploy_result cbor_fault(const cbor_reader *r, size_t at, ploy_result code,
                              const char *message) {
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, code, r->name, 1, (int32_t)at + 1, message, NULL,
                   NULL);
    return code;
}

// The head of a value: its major type, the bits beside it and its number.
static ploy_result cbor_head(cbor_reader *r, uint8_t *major, uint8_t *info, uint64_t *value) {
    if (r->at >= r->size) {
        return cbor_fault(r, r->at, PLOY_ERR_FORMAT, "the file ends inside a value");
    }
    size_t start = r->at;
    uint8_t first = r->bytes[r->at++];
    *major = first >> 5;
    *info = first & 31;
    *value = *info;
    if (*info < 24) return PLOY_OK;
    if (*info > 27) return cbor_fault(r, start, PLOY_ERR_UNSUPPORTED, "length is not fixed");
    size_t size = (size_t)1 << (*info - 24);
    if (r->size - r->at < size) {
        return cbor_fault(r, start, PLOY_ERR_FORMAT, "the file ends inside a value");
    }
    *value = 0;
    for (size_t i = 0; i < size; i++) *value = *value << 8 | r->bytes[r->at++];
    return PLOY_OK;
}

static double cbor_float(uint8_t info, uint64_t bits) {
    if (info == 27) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (info == 26) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    // Half precision.
    int32_t exponent = (int32_t)(bits >> 10 & 31), mantissa = (int32_t)(bits & 1023);
    double value = exponent == 0 ? mantissa / 16777216.0
                                 : (1024 + mantissa) * ploy_pow(2.0, (double)exponent - 25.0);
    if (exponent == 31) value = mantissa == 0 ? (double)INFINITY : (double)NAN;
    return (bits >> 15 & 1) != 0 ? -value : value;
}

static ploy_result cbor_text(cbor_reader *r, size_t start, uint64_t length, bool key) {
    if (length > r->size - r->at) {
        return cbor_fault(r, start, PLOY_ERR_FORMAT, "the file ends inside a text");
    }
    const char *text = (const char *)r->bytes + r->at;
    if (key) {
        ploy_json_write_key_bytes(&r->json, text, (size_t)length);
    } else {
        ploy_json_write_text_bytes(&r->json, text, (size_t)length);
    }
    r->at += (size_t)length;
    return PLOY_OK;
}

static ploy_result cbor_value(cbor_reader *r, int32_t depth);

static ploy_result cbor_items(cbor_reader *r, size_t start, uint64_t count, bool map,
                              int32_t depth) {
    if (count > r->size - r->at) { // a byte each at least
        return cbor_fault(r, start, PLOY_ERR_FORMAT, "the file ends inside an array");
    }
    if (map) {
        ploy_json_write_begin_object(&r->json);
    } else {
        ploy_json_write_begin_array(&r->json);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (map) {
            uint8_t major = 0, info = 0;
            uint64_t length = 0;
            size_t at = r->at;
            ploy_result result = cbor_head(r, &major, &info, &length);
            if (result == PLOY_OK && major != CBOR_TEXT) {
                result = cbor_fault(r, at, PLOY_ERR_UNSUPPORTED, "key is not a text");
            }
            if (result == PLOY_OK) result = cbor_text(r, at, length, true);
            if (result != PLOY_OK) return result;
        }
        ploy_result result = cbor_value(r, depth + 1);
        if (result != PLOY_OK) return result;
    }
    if (map) {
        ploy_json_write_end_object(&r->json);
    } else {
        ploy_json_write_end_array(&r->json);
    }
    return PLOY_OK;
}

static ploy_result cbor_value(cbor_reader *r, int32_t depth) {
    uint8_t major = 0, info = 0;
    uint64_t value = 0;
    size_t start = r->at;
    if (depth > CBOR_DEPTH_MAX) return cbor_fault(r, start, PLOY_ERR_LIMIT, "too deep nesting");
    ploy_result result = cbor_head(r, &major, &info, &value);
    if (result != PLOY_OK) return result;
    switch (major) {
    case CBOR_UNSIGNED: ploy_json_write_u64(&r->json, value); return PLOY_OK;
    case CBOR_NEGATIVE:
        if (value > INT64_MAX) {
            return cbor_fault(r, start, PLOY_ERR_UNSUPPORTED, "number needs more than 64 bits");
        }
        ploy_json_write_i64(&r->json, -(int64_t)value - 1);
        return PLOY_OK;
    case CBOR_TEXT: return cbor_text(r, start, value, false);
    case CBOR_ARRAY: return cbor_items(r, start, value, false, depth);
    case CBOR_MAP: return cbor_items(r, start, value, true, depth);
    case CBOR_OTHER:
        if (info == 20 || info == 21) {
            ploy_json_write_bool(&r->json, info == 21);
        } else if (info == 22) {
            ploy_json_write_null(&r->json);
        } else if (info >= 25 && info <= 27) {
            ploy_json_write_f64(&r->json, cbor_float(info, value));
        } else {
            return cbor_fault(r, start, PLOY_ERR_UNSUPPORTED, "unsupported value");
        }
        return PLOY_OK;
    default: return cbor_fault(r, start, PLOY_ERR_UNSUPPORTED, "unsupported bytes or tag");
    }
}

ploy_result ploy_cbor_load(const void *bytes, size_t size, const char *name, ploy_diags *diags,
                           ploy_writer *writer) {
    if ((bytes == NULL && size > 0) || writer == NULL) return PLOY_ERR_ARGUMENT;
    if (size > INT32_MAX) return PLOY_ERR_LIMIT;
    cbor_reader r;
    memset(&r, 0, sizeof r);
    r.bytes = bytes;
    r.size = size;
    r.name = name;
    r.diags = diags;
    if (ploy_cbor_is(bytes, size)) r.at = sizeof cbor_tag;
    ploy_json_writer_init(&r.json, writer, 0);
    ploy_result result = cbor_value(&r, 0);
    if (result != PLOY_OK) return result;
    if (r.at < r.size)
        return cbor_fault(&r, r.at, PLOY_ERR_FORMAT, "unexpected bytes after the value");
    return ploy_json_writer_finish(&r.json);
}
