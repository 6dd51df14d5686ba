// Parameter search over field tables.
#include "ploy/base/math.h"
#include "ploy/learn/tune.h"

static bool tune_is_whole(const ploy_field *field) {
    return field->type == PLOY_FIELD_TYPE_I32 || field->type == PLOY_FIELD_TYPE_ENUM ||
           field->type == PLOY_FIELD_TYPE_BOOL;
}

ploy_result ploy_tune_range_of(ploy_fields fields, const void *def, const char *path,
                               ploy_tune_range *out) {
    const ploy_field *field = ploy_fields_find(fields, path, NULL);
    if (field == NULL) return PLOY_ERR_NOT_FOUND;
    if (out == NULL || (!tune_is_whole(field) && field->type != PLOY_FIELD_TYPE_F32 &&
                        field->type != PLOY_FIELD_TYPE_F64)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_value value;
    ploy_result result = ploy_fields_get(fields, def, path, &value);
    if (result != PLOY_OK) return result;
    ploy_tune_range range = {field->min, field->max, (field->max - field->min) / 20.0, 0.0};
    switch (value.type) {
    case PLOY_VALUE_BOOL: range.initial = value.as.b ? 1.0 : 0.0; break;
    case PLOY_VALUE_I64: range.initial = (double)value.as.i64; break;
    case PLOY_VALUE_F32: range.initial = (double)value.as.f32; break;
    case PLOY_VALUE_F64: range.initial = value.as.f64; break;
    default: // an enum, by its choice
        for (int32_t i = 0; i < field->choice_count; i++) {
            if (value.as.text == field->choices[i]) range.initial = i;
        }
    }
    if (tune_is_whole(field) && range.step < 1.0) range.step = 1.0;
    if (!(range.step > 0.0)) range.step = 1.0;
    *out = range;
    return PLOY_OK;
}

ploy_result ploy_tune_apply(ploy_fields fields, void *def, const char *path, double value) {
    const ploy_field *field = ploy_fields_find(fields, path, NULL);
    if (field == NULL) return PLOY_ERR_NOT_FOUND;
    if (!tune_is_whole(field)) {
        // The nearest float may be just outside of the range.
        ploy_value number = ploy_value_f64(value);
        return ploy_fields_set(fields, def, path, &number, NULL);
    }
    int64_t whole = (int64_t)(value < 0.0 ? value - 0.5 : value + 0.5);
    ploy_value number = ploy_value_i64(whole);
    return ploy_fields_set(fields, def, path, &number, NULL);
}
