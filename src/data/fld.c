// FLD, tables of fuzzylite; described in the header.
#include <string.h>

#include "data/data_internal.h"
#include "fuzzy_file.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"

struct ploy_fld {
    ploy_env env;
    ploy_array names;  // of int32_t: where each name begins in texts
    ploy_array texts;  // of char
    ploy_array values; // of double, row by row
};

void ploy_fld_destroy(ploy_fld *fld) {
    if (fld == NULL) return;
    ploy_env env = fld->env;
    ploy_array_fini(&fld->names);
    ploy_array_fini(&fld->texts);
    ploy_array_fini(&fld->values);
    ploy_env_free(&env, fld, sizeof *fld);
}

// The header line: names apart by blanks.
static ploy_result fld_read_names(ploy_fld *fld, const ployi_fuzzy_file *file,
                                  ployi_fuzzy_span line) {
    while (line.at < line.end) {
        ployi_fuzzy_span word = ployi_fuzzy_take(file, &line);
        int32_t start = fld->texts.count;
        ploy_result result = ploy_array_push(&fld->names, &start);
        if (result == PLOY_OK) {
            result = ploy_array_push_many(&fld->texts, file->text + word.at,
                                          (int32_t)(word.end - word.at));
        }
        if (result == PLOY_OK) result = ploy_array_push(&fld->texts, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result fld_read_row(ploy_fld *fld, ployi_fuzzy_file *file, ployi_fuzzy_span line) {
    ployi_fuzzy_span whole = line;
    int32_t count = 0;
    for (; line.at < line.end; count++) {
        double value = 0.0;
        ployi_fuzzy_span word = ployi_fuzzy_take(file, &line);
        (void)ployi_fuzzy_number(file, word, &value);
        ploy_result result = ploy_array_push(&fld->values, &value);
        if (result != PLOY_OK) return result;
    }
    if (count != fld->names.count) {
        whole.end = whole.at;
        ployi_fuzzy_wrong(file, whole, PLOY_ERR_FORMAT, "wrong number of values in the row", NULL,
                          NULL);
    }
    return PLOY_OK;
}

ploy_result ploy_fld_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_fld **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    if (size > INT32_MAX / 2) return PLOY_ERR_LIMIT;
    ployi_fuzzy_file file = ployi_fuzzy_open(bytes, size, name, env, diags);
    ploy_fld *fld = ploy_env_alloc_zero(env, sizeof *fld);
    if (fld == NULL) return PLOY_ERR_MEMORY;
    fld->env = *env;
    ploy_array_init(&fld->names, sizeof(int32_t), env);
    ploy_array_init(&fld->texts, sizeof(char), env);
    ploy_array_init(&fld->values, sizeof(double), env);
    ploy_result result = PLOY_OK;
    for (size_t at = 0; at < size && result == PLOY_OK;) {
        ployi_fuzzy_span line = {at, at};
        while (line.end < size && file.text[line.end] != '\n') line.end++;
        at = line.end + 1;
        line = ployi_fuzzy_trim(&file, line);
        if (line.at == line.end) continue;
        // Comments may stand before the rows.
        if (file.text[line.at] == '#' || file.text[line.at] == '@') continue;
        result = fld->names.count == 0 ? fld_read_names(fld, &file, line)
                                       : fld_read_row(fld, &file, line);
    }
    if (result == PLOY_OK && fld->names.count == 0) {
        ployi_fuzzy_span nothing = {0, 0};
        ployi_fuzzy_wrong(&file, nothing, PLOY_ERR_FORMAT, "empty table", "names", NULL);
    }
    if (result == PLOY_OK) result = file.result;
    if (result != PLOY_OK) {
        ploy_fld_destroy(fld);
        return result;
    }
    *out = fld;
    return PLOY_OK;
}

int32_t ployi_fld_columns(const ploy_fld *fld) {
    return fld->names.count;
}

int32_t ployi_fld_rows(const ploy_fld *fld) {
    return fld->values.count / fld->names.count;
}

const char *ployi_fld_column_name(const ploy_fld *fld, int32_t column) {
    const int32_t *start = ploy_array_at(&fld->names, column);
    return start != NULL ? PLOY_ARRAY_ITEMS(&fld->texts, char) + *start : "";
}

double ploy_fld_get(const ploy_fld *fld, int32_t row, int32_t column) {
    if (row < 0 || row >= ployi_fld_rows(fld) || column < 0 || column >= fld->names.count) {
        return (double)NAN;
    }
    return PLOY_ARRAY_ITEMS(&fld->values, double)[row * fld->names.count + column];
}

// The column of a name, or -1 and a fault.
static int32_t fld_find(const ploy_fld *fld, const char *name, ploy_diags *diags) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < fld->names.count; i++) {
        if (strcmp(ployi_fld_column_name(fld, i), name) == 0) return i;
        ploy_nearest_offer(&nearest, ployi_fld_column_name(fld, i));
    }
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, name, 0, 0,
                   "missing column for the variable", NULL, nearest.best);
    return -1;
}

ploy_result ploy_fld_compare(const ploy_fld *fld, const ploy_fuzzy_type *type, const ploy_env *env,
                             ploy_diags *diags, ploy_fld_report *out) {
    if (fld == NULL || type == NULL || env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    int32_t inputs = ploy_fuzzy_type_inputs(type), outputs = ploy_fuzzy_type_outputs(type);
    ploy_fuzzy *fuzzy = NULL;
    ploy_array columns;
    ploy_array_init(&columns, sizeof(int32_t), env);
    ploy_result result = ploy_fuzzy_create(type, env, &fuzzy);
    if (result == PLOY_OK) result = ploy_array_resize(&columns, inputs + outputs);
    int32_t *column = PLOY_ARRAY_ITEMS(&columns, int32_t);
    for (int32_t i = 0; result == PLOY_OK && i < inputs + outputs; i++) {
        int32_t variable = i < inputs ? i : PLOY_FUZZY_OUTPUT + i - inputs;
        column[i] = fld_find(fld, ploy_fuzzy_type_variable_name(type, variable), diags);
        if (column[i] < 0) result = PLOY_ERR_NOT_FOUND;
    }
    if (result == PLOY_OK) {
        ploy_fld_report report;
        memset(&report, 0, sizeof report);
        report.rows = ployi_fld_rows(fld);
        for (int32_t row = 0; row < report.rows; row++) {
            for (int32_t i = 0; i < inputs; i++) {
                ploy_fuzzy_set_input(fuzzy, i, ploy_fld_get(fld, row, column[i]));
            }
            ploy_fuzzy_step(fuzzy, NULL);
            for (int32_t o = 0; o < outputs; o++) {
                double ours = ploy_fuzzy_output(fuzzy, o);
                double wanted = ploy_fld_get(fld, row, column[inputs + o]);
                double error = ours == wanted || (ours != ours && wanted != wanted) ? 0.0
                               : ours != ours || wanted != wanted ? (double)INFINITY
                                                                  : fabs(ours - wanted);
                if (!(error > report.worst)) continue;
                report.worst = error;
                report.worst_row = row;
                report.worst_output = o;
                report.ours = ours;
                report.wanted = wanted;
            }
        }
        *out = report;
    }
    ploy_array_fini(&columns);
    ploy_fuzzy_destroy(fuzzy);
    return result;
}
