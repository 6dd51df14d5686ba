// Training data of FANN as tables.
#include <stdio.h>
#include <string.h>

#include "data/fann_scan.h"
#include "ploy/data/fann.h"

static ploy_result fann_data_schema(int32_t inputs, int32_t outputs, const ploy_env *env,
                                    ploy_schema **out) {
    ploy_result result = ploy_schema_create(env, out);
    char name[32];
    for (int32_t i = 0; i < inputs && result == PLOY_OK; i++) {
        snprintf(name, sizeof name, "in%d", (int)i + 1);
        result = ploy_schema_add(*out, name, PLOY_COLUMN_NUMBER);
    }
    if (result == PLOY_OK) {
        result =
            ploy_schema_add(*out, "out", outputs == 1 ? PLOY_COLUMN_NUMBER : PLOY_COLUMN_CATEGORY);
    }
    for (int32_t i = 0; i < outputs && outputs > 1 && result == PLOY_OK; i++) {
        snprintf(name, sizeof name, "%d", (int)i);
        result = ploy_schema_add_value(*out, inputs, name);
    }
    if (result == PLOY_OK) result = ploy_schema_set_target(*out, inputs);
    return result;
}

static ploy_result fann_data_number(ployi_fann_scan *s, double *out) {
    ploy_result result = ployi_fann_number(s, out);
    if (result != PLOY_OK || ploy_table_accepts(*out)) {
        return result;
    }
    return ployi_fann_fault(s, PLOY_ERR_FORMAT, "number is out of range", "-1e140 to 1e140");
}

static ploy_result fann_data_row(ployi_fann_scan *s, int32_t inputs, int32_t outputs, double *row) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < inputs && result == PLOY_OK; i++) {
        result = fann_data_number(s, &row[i]);
    }
    double best = 0.0;
    for (int32_t i = 0; i < outputs && result == PLOY_OK; i++) {
        double value = 0.0;
        result = fann_data_number(s, &value);
        if (outputs == 1) row[inputs] = value;
        if (outputs > 1 && (i == 0 || value > best)) {
            best = value;
            row[inputs] = i;
        }
    }
    return result;
}

ploy_result ploy_fann_data_load(const void *bytes, size_t size, const char *name,
                                const ploy_env *env, ploy_diags *diags, ploy_examples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    ployi_fann_scan s = ployi_fann_scan_make(bytes, size, name, diags);
    int64_t rows = 0, inputs = 0, outputs = 0;
    ploy_result result = ployi_fann_whole(&s, 1, INT32_MAX, &rows);
    if (result == PLOY_OK) result = ployi_fann_whole(&s, 1, PLOY_SCHEMA_COLUMNS_MAX - 1, &inputs);
    if (result == PLOY_OK) result = ployi_fann_whole(&s, 1, PLOY_COLUMN_VALUES_MAX, &outputs);
    if (result != PLOY_OK) return result;
    if ((double)rows * (double)(inputs + outputs) > (double)size / 2.0 + 1.0) {
        return ployi_fann_fault(&s, PLOY_ERR_FORMAT, "file ends before its rows do", NULL);
    }
    ploy_schema *schema = NULL;
    ploy_examples *table = NULL;
    size_t row_size = (size_t)(inputs + 1) * sizeof(double);
    double *row = ploy_env_alloc(env, row_size);
    if (row == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        result = fann_data_schema((int32_t)inputs, (int32_t)outputs, env, &schema);
    }
    if (result == PLOY_OK) result = ploy_examples_create(schema, env, &table);
    if (result == PLOY_OK) result = ploy_examples_reserve(table, (int32_t)rows);
    for (int64_t i = 0; i < rows && result == PLOY_OK; i++) {
        result = fann_data_row(&s, (int32_t)inputs, (int32_t)outputs, row);
        if (result == PLOY_OK) result = ploy_examples_add(table, row);
    }
    ployi_fann_skip(&s);
    if (result == PLOY_OK && s.at < s.size) {
        result = ployi_fann_fault(&s, PLOY_ERR_FORMAT, "unexpected number after the last row",
                                  "the end of the file");
    }
    if (row != NULL) ploy_env_free(env, row, row_size);
    ploy_schema_destroy(schema);
    if (result != PLOY_OK) {
        ploy_examples_destroy(table);
        return result;
    }
    *out = table;
    return PLOY_OK;
}

ploy_result ploy_fann_data_save(const ploy_examples *examples, ploy_writer *writer) {
    if (examples == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_schema *schema = ploy_examples_schema(examples);
    int32_t columns = ploy_schema_count(schema), target = ploy_schema_target(schema);
    int32_t rows = ploy_examples_count(examples);
    bool classes = ploy_schema_kind_at(schema, target) == PLOY_COLUMN_CATEGORY;
    int32_t outputs = classes ? ploy_schema_classes(schema) : 1;
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t c = 0; c < columns; c++) {
            if (ploy_is_missing(ploy_examples_at(examples, i)[c])) return PLOY_ERR_UNSUPPORTED;
        }
    }
    ploy_write_i64(writer, rows);
    ploy_write_text(writer, " ");
    ploy_write_i64(writer, columns - 1);
    ploy_write_text(writer, " ");
    ploy_write_i64(writer, outputs);
    ploy_write_text(writer, "\n");
    for (int32_t i = 0; i < rows; i++) {
        const double *row = ploy_examples_at(examples, i);
        const char *between = "";
        for (int32_t c = 0; c < columns; c++) {
            if (c == target) continue;
            ploy_write_text(writer, between);
            ploy_write_f64(writer, row[c]);
            between = " ";
        }
        ploy_write_text(writer, "\n");
        for (int32_t k = 0; k < outputs; k++) {
            if (k > 0) ploy_write_text(writer, " ");
            ploy_write_f64(writer, !classes ? row[target] : row[target] == k ? 1.0 : 0.0);
        }
        ploy_write_text(writer, "\n");
    }
    return ploy_writer_result(writer);
}
