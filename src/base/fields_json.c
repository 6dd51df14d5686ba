// Defs from JSON and back.
//
// Loading goes over the object twice: the first time every value is checked in scratch memory, the
// second time, only if nothing was wrong, it is written. So the def is never half set and nothing
// is allocated.
#include "ploy/base/fields_json.h"

#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/number.h"

// One load.
typedef struct fields_json_load {
    const ploy_json *doc;
    ployi_fields_report report;
    bool write; // the second time
} fields_json_load;

static void fields_json_join(const char *prefix, const char *name, char *path) {
    ployi_text out;
    ployi_text_init(&out, path, PLOY_FIELD_PATH_MAX);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, prefix);
    if (prefix[0] != '\0') ploy_write_char(&writer, '.');
    ploy_write_text(&writer, name);
    ployi_text_finish(&out);
}

static void fields_json_point_at(fields_json_load *load, ploy_json_position position) {
    load->report.line = position.line;
    load->report.column = position.column;
}

// "path is an array", for values of a kind that no setting of that type has.
static void fields_json_fault_kind(fields_json_load *load, const char *path, const char *is,
                                   const char *expected) {
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, path);
    ploy_write_text(&writer, is);
    ployi_text_finish(&out);
    ployi_fields_fault(&load->report, PLOY_ERR_FORMAT, message, expected, NULL);
}

static const char *fields_json_is(const ploy_json *doc, ploy_json_node node) {
    switch (ploy_json_type_of(doc, node)) {
    case PLOY_JSON_NULL: return " is null";
    case PLOY_JSON_ARRAY: return " is an array of another type";
    case PLOY_JSON_OBJECT: return " is an object";
    case PLOY_JSON_TEXT: return " is a text";
    default: return " is a single value";
    }
}

// The number under a node in the form that loses least: whole if it is, else real. A number past
// every double is given as its text, which no setting takes.
static ploy_value fields_json_number(const ploy_json *doc, ploy_json_node node) {
    int64_t i64 = 0;
    uint64_t u64 = 0;
    double f64 = 0.0;
    if (ploy_json_i64(doc, node, &i64) == PLOY_OK) return ploy_value_i64(i64);
    if (ploy_json_u64(doc, node, &u64) == PLOY_OK) return ploy_value_u64(u64);
    if (ploy_json_f64(doc, node, &f64) == PLOY_OK) return ploy_value_f64(f64);
    return ploy_value_text(ploy_json_text(doc, node, NULL));
}

// Reads an array of numbers as a vector. False if it is anything else.
static bool fields_json_vector(const ploy_json *doc, ploy_json_node node, int32_t count,
                               ploy_value *out) {
    float vec[3] = {0.0f, 0.0f, 0.0f};
    if (ploy_json_type_of(doc, node) != PLOY_JSON_ARRAY) return false;
    if (ploy_json_count(doc, node) != count) return false;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_json_f32(doc, ploy_json_at(doc, node, i), &vec[i]) != PLOY_OK) return false;
    }
    *out = count == 2 ? ploy_value_vec2(vec[0], vec[1]) : ploy_value_vec3(vec[0], vec[1], vec[2]);
    return true;
}

// The value under a node as the field needs it. False if its kind can never fit.
static bool fields_json_value(const ploy_field *field, const ploy_json *doc, ploy_json_node node,
                              ploy_value *out) {
    int32_t floats = ployi_fields_floats_of(field);
    if (floats > 1) return fields_json_vector(doc, node, floats, out);
    bool flag = false;
    float f32 = 0.0f;
    double f64 = 0.0;
    switch (ploy_json_type_of(doc, node)) {
    case PLOY_JSON_BOOL:
        if (ploy_json_bool(doc, node, &flag) == PLOY_OK) *out = ploy_value_bool(flag);
        return true;
    case PLOY_JSON_NUMBER:
        *out = fields_json_number(doc, node);
        // Straight to a float: through a double it could be rounded twice.
        if (floats == 1 && ploy_json_f32(doc, node, &f32) == PLOY_OK) *out = ploy_value_f32(f32);
        return true;
    case PLOY_JSON_TEXT: {
        size_t size = 0;
        const char *text = ploy_json_text(doc, node, &size);
        uint64_t u64 = 0;
        *out = ploy_value_text(text);
        if (field->type == PLOY_FIELD_TYPE_U64 &&
            ploy_parse_u64(text, size, NULL, &u64) == PLOY_OK) {
            *out = ploy_value_u64(u64);
        } else if ((floats == 1 || field->type == PLOY_FIELD_TYPE_F64) &&
                   ploy_json_f64(doc, node, &f64) == PLOY_OK) {
            *out = ploy_value_f64(f64); // "inf", if the range allows it
        }
        return strlen(text) == size; // a zero inside would hide the rest
    }
    default: return false;
    }
}

static void fields_json_object(fields_json_load *load, ploy_fields fields, unsigned char *def,
                               const char *prefix, ploy_json_node node, int32_t depth);

static void fields_json_set(fields_json_load *load, const ploy_field *field, unsigned char *def,
                            const char *path, ploy_json_node node, int32_t depth) {
    if (field->type == PLOY_FIELD_TYPE_DEF) {
        fields_json_object(load, ployi_fields_nested(field), def + field->offset, path, node,
                           depth + 1);
        return;
    }
    ploy_value value = ploy_value_none();
    if (!fields_json_value(field, load->doc, node, &value)) {
        char expected[PLOY_DIAG_TEXT_MAX];
        ployi_fields_print_expected(field, true, expected, sizeof expected);
        fields_json_fault_kind(load, path, fields_json_is(load->doc, node), expected);
        return;
    }
    unsigned char scratch[16];
    unsigned char *at = load->write ? def + field->offset : scratch;
    ployi_fields_set_found(field, 0, at, path, &value, &value, &load->report);
}

static void fields_json_unknown(fields_json_load *load, ploy_fields fields, const char *path,
                                const char *key, bool plain) {
    char nearest[PLOY_FIELD_PATH_MAX] = "";
    if (plain) ploy_fields_nearest(fields, key, nearest);
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, "unknown setting '");
    ploy_write_text(&writer, path);
    ploy_write_char(&writer, '\'');
    ployi_text_finish(&out);
    ployi_fields_fault(&load->report, PLOY_ERR_FORMAT, message,
                       plain ? NULL : "a name without dots; groups are objects", nearest);
}

static void fields_json_object(fields_json_load *load, ploy_fields fields, unsigned char *def,
                               const char *prefix, ploy_json_node node, int32_t depth) {
    const ploy_json *doc = load->doc;
    fields_json_point_at(load, ploy_json_position_of(doc, node));
    const char *what = prefix[0] != '\0' ? prefix : ployi_text_or_empty(fields.type_name);
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT || depth > PLOY_FIELD_DEPTH_MAX) {
        fields_json_fault_kind(load, what, " has the wrong type", "an object of settings");
        return;
    }
    if (!ployi_fields_cookie_fits(fields, def)) {
        ployi_fields_fault_cookie(&load->report, what);
        return;
    }
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        ploy_json_node member = ploy_json_at(doc, node, i);
        size_t size = 0;
        const char *key = ploy_json_key(doc, member, &size);
        char path[PLOY_FIELD_PATH_MAX];
        fields_json_join(prefix, key, path);
        // A point in a key would find a nested value, and a zero the start of a name: neither is
        // one.
        bool plain = strlen(key) == size && strchr(key, '.') == NULL;
        const ploy_field *field = plain ? ploy_fields_find(fields, key, NULL) : NULL;
        if (field == NULL) {
            fields_json_point_at(load, ploy_json_key_position(doc, member));
            fields_json_unknown(load, fields, path, key, plain);
        } else {
            fields_json_point_at(load, ploy_json_position_of(doc, member));
            fields_json_set(load, field, def, path, member, depth);
        }
    }
}

ploy_result ploy_fields_load_json(ploy_fields fields, void *def, const ploy_json *doc,
                                  ploy_json_node node, ploy_diags *diags) {
    if (def == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    ployi_fields_report report = {ploy_json_name(doc), diags, NULL, 0, 0, 0};
    if (!ployi_fields_cookie_fits(fields, def)) {
        ployi_fields_fault_cookie(&report, ployi_text_or_empty(fields.type_name));
        return PLOY_ERR_ARGUMENT;
    }
    fields_json_load load = {doc, report, false};
    fields_json_object(&load, fields, def, "", node, 0);
    if (load.report.faults > 0) return PLOY_ERR_FORMAT;
    load.write = true;
    fields_json_object(&load, fields, def, "", node, 0);
    PLOY_ASSERT(load.report.faults == 0);
    return PLOY_OK;
}

static void fields_json_save_value(const ploy_field *field, const unsigned char *at,
                                   ploy_json_writer *json) {
    ploy_value value = ploy_value_none();
    if (!ployi_fields_load(field, at, &value)) {
        int32_t number = 0;
        memcpy(&number, at, sizeof number);
        value = ploy_value_i64(number);
    }
    ploy_json_write_value(json, &value);
}

static void fields_json_save(ploy_fields fields, const unsigned char *def, int32_t depth,
                             ploy_json_writer *json) {
    ploy_json_write_begin_object(json);
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        if (field->type == PLOY_FIELD_TYPE_DEF && depth >= PLOY_FIELD_DEPTH_MAX) continue;
        ploy_json_write_key(json, field->name);
        if (field->type == PLOY_FIELD_TYPE_DEF) {
            fields_json_save(ployi_fields_nested(field), def + field->offset, depth + 1, json);
        } else {
            fields_json_save_value(field, def + field->offset, json);
        }
    }
    ploy_json_write_end_object(json);
}

void ploy_fields_save_json(ploy_fields fields, const void *def, ploy_json_writer *json) {
    if (def == NULL) {
        ploy_json_write_null(json);
        return;
    }
    fields_json_save(fields, def, 0, json);
}
