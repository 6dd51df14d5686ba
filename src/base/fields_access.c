// Field tables, the access side: one value by its path, and a whole def described.
#include "ploy/base/fields.h"

#include <math.h>
#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/math.h"

// Reads the bytes of a value. False for an enum without a choice and for a def.
bool ployi_fields_load(const ploy_field *field, const unsigned char *at, ploy_value *out) {
    float vec[3] = {0.0f, 0.0f, 0.0f};
    memcpy(vec, at, (size_t)ployi_fields_floats_of(field) * sizeof(float));
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: {
        unsigned char byte = 0;
        memcpy(&byte, at, sizeof byte);
        *out = ploy_value_bool(byte != 0);
        return true;
    }
    case PLOY_FIELD_TYPE_I32: {
        int32_t value = 0;
        memcpy(&value, at, sizeof value);
        *out = ploy_value_i64(value);
        return true;
    }
    case PLOY_FIELD_TYPE_U64: {
        uint64_t value = 0;
        memcpy(&value, at, sizeof value);
        *out = ploy_value_u64(value);
        return true;
    }
    case PLOY_FIELD_TYPE_F64: {
        double value = 0.0;
        memcpy(&value, at, sizeof value);
        *out = ploy_value_f64(value);
        return true;
    }
    case PLOY_FIELD_TYPE_ENUM: {
        int32_t value = 0;
        memcpy(&value, at, sizeof value);
        if (value < 0 || value >= field->choice_count) return false;
        *out = ploy_value_text(field->choices[value]);
        return true;
    }
    case PLOY_FIELD_TYPE_F32: *out = ploy_value_f32(vec[0]); return true;
    case PLOY_FIELD_TYPE_VEC2: *out = ploy_value_vec2(vec[0], vec[1]); return true;
    case PLOY_FIELD_TYPE_VEC3: *out = ploy_value_vec3(vec[0], vec[1], vec[2]); return true;
    case PLOY_FIELD_TYPE_DEF: return false;
    }
    return false;
}

ploy_result ploy_fields_get(ploy_fields fields, const void *def, const char *path,
                            ploy_value *out) {
    if (def == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    uint32_t offset = 0;
    const ploy_field *field = ploy_fields_find(fields, path, &offset);
    if (field == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_value value = ploy_value_none();
    if (!ployi_fields_load(field, (const unsigned char *)def + offset, &value))
        return PLOY_ERR_ARGUMENT;
    *out = value;
    return PLOY_OK;
}

// The number of a choice, or -1; nearest gets the choice most like the text, or "".
static int32_t access_choice(const ploy_field *field, const char *text, const char **nearest) {
    ploy_nearest found = ploy_nearest_make(text);
    for (int32_t i = 0; i < field->choice_count; i++) {
        if (strcmp(text, field->choices[i]) == 0) return i;
        ploy_nearest_offer(&found, field->choices[i]);
    }
    *nearest = found.best != NULL ? found.best : "";
    return -1;
}

// Turns a value into the field's bytes, without looking at the range. False if it is of the wrong
// kind; nearest may then name a choice.
static bool access_store(const ploy_field *field, const ploy_value *value, unsigned char *bytes,
                         const char **nearest) {
    *nearest = "";
    if (field->type == PLOY_FIELD_TYPE_ENUM && value->type == PLOY_VALUE_TEXT) {
        int32_t choice = access_choice(field, ployi_text_or_empty(value->as.text), nearest);
        memcpy(bytes, &choice, sizeof choice);
        return choice >= 0;
    }
    ploy_value converted = ploy_value_none();
    bool is_bool = value->type == PLOY_VALUE_BOOL; // true is not a number here, 1 is a bool
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL:
        if (ploy_value_convert(value, PLOY_VALUE_BOOL, &converted) != PLOY_OK) return false;
        memcpy(bytes, &converted.as.b, sizeof(bool));
        return true;
    case PLOY_FIELD_TYPE_ENUM:
    case PLOY_FIELD_TYPE_I32: {
        if (is_bool || ploy_value_convert(value, PLOY_VALUE_I64, &converted) != PLOY_OK) {
            return false;
        }
        if (converted.as.i64 < INT32_MIN || converted.as.i64 > INT32_MAX) return false;
        int32_t number = (int32_t)converted.as.i64;
        memcpy(bytes, &number, sizeof number);
        return true;
    }
    case PLOY_FIELD_TYPE_U64:
        if (is_bool || ploy_value_convert(value, PLOY_VALUE_U64, &converted) != PLOY_OK) {
            return false;
        }
        memcpy(bytes, &converted.as.u64, sizeof(uint64_t));
        return true;
    case PLOY_FIELD_TYPE_F32: {
        double number = 0.0;
        if (is_bool || !ploy_value_number(value, &number)) return false;
        float rounded = value->type == PLOY_VALUE_F32 ? value->as.f32 : ployi_fields_f32_of(number);
        // Past the largest float is out of any range; rounding it down would hide that.
        if (isfinite(number) && fabs(number) > (double)FLT_MAX) return false;
        memcpy(bytes, &rounded, sizeof rounded);
        return true;
    }
    case PLOY_FIELD_TYPE_F64: {
        double number = 0.0;
        if (is_bool || !ploy_value_number(value, &number)) return false;
        memcpy(bytes, &number, sizeof number);
        return true;
    }
    case PLOY_FIELD_TYPE_VEC2:
        if (value->type != PLOY_VALUE_VEC2) return false;
        memcpy(bytes, value->as.vec, 2 * sizeof(float));
        return true;
    case PLOY_FIELD_TYPE_VEC3:
        if (value->type != PLOY_VALUE_VEC3) return false;
        memcpy(bytes, value->as.vec, 3 * sizeof(float));
        return true;
    case PLOY_FIELD_TYPE_DEF: return false;
    }
    return false;
}

// Finds the field to set, or says why there is none.
static ploy_result access_find_to_set(ploy_fields fields, const void *def, const char *path,
                                      ployi_fields_report *report, const ploy_field **field,
                                      uint32_t *offset) {
    if (def == NULL || path == NULL) {
        ployi_fields_fault(report, PLOY_ERR_ARGUMENT, "def or path is NULL", NULL, NULL);
        return PLOY_ERR_ARGUMENT;
    }
    if (!ployi_fields_cookie_fits(fields, def)) {
        ployi_fields_fault_cookie(report, ployi_text_or_empty(fields.type_name));
        return PLOY_ERR_ARGUMENT;
    }
    *field = ploy_fields_find(fields, path, offset);
    if (*field == NULL) {
        char nearest[PLOY_FIELD_PATH_MAX];
        ploy_fields_nearest(fields, path, nearest);
        char message[PLOY_DIAG_TEXT_MAX];
        ployi_text out;
        ployi_text_init(&out, message, sizeof message);
        ploy_writer writer = ployi_text_writer(&out);
        ploy_write_text(&writer, "unknown setting '");
        ploy_write_text(&writer, path);
        ploy_write_char(&writer, '\'');
        ployi_text_finish(&out);
        ployi_fields_fault(report, PLOY_ERR_NOT_FOUND, message, NULL, nearest);
        return PLOY_ERR_NOT_FOUND;
    }
    return PLOY_OK;
}

// Sets a field that was found; `shown` is what the message calls the value.
ploy_result ployi_fields_set_found(const ploy_field *field, uint32_t offset, void *def,
                                   const char *path, const ploy_value *value,
                                   const ploy_value *shown, ployi_fields_report *report) {
    unsigned char bytes[16] = {0};
    const char *nearest = "";
    if (!access_store(field, value, bytes, &nearest)) {
        ployi_fields_fault_value(report, field, path, "", shown, true, nearest);
        return PLOY_ERR_ARGUMENT;
    }
    if (!ployi_fields_judge(field, bytes, path, report)) return PLOY_ERR_ARGUMENT;
    memcpy((unsigned char *)def + offset, bytes, ployi_fields_size_of(field));
    return PLOY_OK;
}

ploy_result ploy_fields_set(ploy_fields fields, void *def, const char *path,
                            const ploy_value *value, ploy_diags *diags) {
    ployi_fields_report report = {"", diags, NULL, 0, 0, 0};
    const ploy_field *field = NULL;
    uint32_t offset = 0;
    ploy_result result = access_find_to_set(fields, def, path, &report, &field, &offset);
    if (result != PLOY_OK) return result;
    if (value == NULL) return PLOY_ERR_ARGUMENT;
    return ployi_fields_set_found(field, offset, def, path, value, value, &report);
}

// Reads text as the kind of value that a field takes. Whole numbers may be written as 1e3 or 5.0.
static bool access_parse(const ploy_field *field, const char *text, ploy_value *out) {
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: return ploy_value_parse(PLOY_VALUE_BOOL, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_U64:
        if (ploy_value_parse(PLOY_VALUE_U64, text, out) == PLOY_OK) return true;
        return ploy_value_parse(PLOY_VALUE_F64, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_ENUM:
    case PLOY_FIELD_TYPE_I32:
        if (ploy_value_parse(PLOY_VALUE_I64, text, out) == PLOY_OK) return true;
        if (field->type == PLOY_FIELD_TYPE_ENUM) {
            *out = ploy_value_text(text);
            return true;
        }
        return ploy_value_parse(PLOY_VALUE_F64, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_F32:
        // As a float at once: through a double it could be rounded twice.
        if (ploy_value_parse(PLOY_VALUE_F32, text, out) == PLOY_OK) return true;
        return ploy_value_parse(PLOY_VALUE_F64, text, out) == PLOY_OK; // too large: refused later
    case PLOY_FIELD_TYPE_F64: return ploy_value_parse(PLOY_VALUE_F64, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_VEC2: return ploy_value_parse(PLOY_VALUE_VEC2, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_VEC3: return ploy_value_parse(PLOY_VALUE_VEC3, text, out) == PLOY_OK;
    case PLOY_FIELD_TYPE_DEF: return false;
    }
    return false;
}

ploy_result ployi_fields_set_text(ploy_fields fields, void *def, const char *path, const char *text,
                                  bool write, ployi_fields_report *report) {
    const ploy_field *field = NULL;
    uint32_t offset = 0;
    ploy_result result = access_find_to_set(fields, def, path, report, &field, &offset);
    if (result != PLOY_OK) return result;
    ploy_value shown = ploy_value_text(text);
    ploy_value value = ploy_value_none();
    if (text == NULL || !access_parse(field, text, &value)) {
        ployi_fields_fault_value(report, field, path, "", &shown, true, NULL);
        return PLOY_ERR_FORMAT;
    }
    unsigned char scratch[16];
    return ployi_fields_set_found(field, write ? offset : 0, write ? def : scratch, path, &value,
                                  &shown, report);
}

ploy_result ploy_fields_set_text(ploy_fields fields, void *def, const char *path, const char *text,
                                 ploy_diags *diags) {
    ployi_fields_report report = {"", diags, NULL, 0, 0, 0};
    return ployi_fields_set_text(fields, def, path, text, true, &report);
}

static void access_describe_each(ploy_fields fields, const unsigned char *def, int32_t depth,
                                 ploy_mark mark, ploy_describe *out) {
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        const unsigned char *at = def + field->offset;
        ploy_value value = ploy_value_none();
        if (field->type == PLOY_FIELD_TYPE_DEF) {
            if (depth >= PLOY_FIELD_DEPTH_MAX) continue;
            ploy_describe_begin(out, field->name);
            access_describe_each(ployi_fields_nested(field), at, depth + 1, mark, out);
            ploy_describe_end(out);
        } else {
            // An enum without a choice shows as none: describing checks nothing.
            ployi_fields_load(field, at, &value);
            ploy_describe_value(out, field->name, mark, &value);
        }
    }
}

void ploy_fields_describe(ploy_fields fields, const void *def, ploy_mark mark, ploy_describe *out) {
    if (def == NULL || out == NULL) return;
    access_describe_each(fields, def, 0, mark, out);
}
