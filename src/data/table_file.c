// Readers of tables; the formats are described in the header.
//
// Every format is first cut into cells with their positions. What differs is where the columns'
// kinds come from: declared in ARFF, found by looking at all cells of a column in the others.
#include "ploy/data/table_file.h"

#include "ploy/data/fann.h"

#include "ploy/base/name.h"
#include "ploy/base/number.h"

#include <stdio.h>
#include <string.h>

enum { TABLE_FAULTS = 20 }; // reading ends after that many

typedef struct table_cell {
    const char *text;
    int32_t size;
    int32_t line, column;
    bool quoted;
    bool last; // of its row
} table_cell;

typedef struct table_reader {
    const char *at, *end, *line_start;
    int32_t line;
    const char *name;
    ploy_diags *diags;
    const ploy_env *env;
    int32_t faults;
    ploy_array cells; // table_cell, of all rows
    ploy_schema *schema;
    ploy_examples *examples;
} table_reader;

static void table_fault(table_reader *r, int32_t line, int32_t column, const char *message,
                        const char *expected, const char *nearest) {
    r->faults++;
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, line, column, message,
                   expected, nearest);
}

static void table_fault_text(table_reader *r, const table_cell *cell, const char *what,
                             const char *expected, const char *nearest) {
    char text[160];
    snprintf(text, sizeof text, "%s '%.*s'", what, cell->size < 60 ? cell->size : 60, cell->text);
    table_fault(r, cell->line, cell->column, text, expected, nearest);
}

static bool table_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void table_skip_blanks(table_reader *r) {
    while (r->at < r->end && table_blank(*r->at)) r->at++;
}

static void table_next_line(table_reader *r) {
    while (r->at < r->end && *r->at != '\n') r->at++;
    if (r->at < r->end) r->at++;
    r->line++;
    r->line_start = r->at;
}

static int32_t table_column(const table_reader *r) {
    return (int32_t)(r->at - r->line_start) + 1;
}

static bool table_line_end(const table_reader *r) {
    return r->at >= r->end || *r->at == '\n';
}

// Copies a cell's text, zero-terminated. False if it is too long for a name.
static bool table_copy(const table_cell *cell, char text[PLOY_COLUMN_NAME_MAX]) {
    if (cell->size >= PLOY_COLUMN_NAME_MAX) return false;
    memcpy(text, cell->text, (size_t)cell->size);
    text[cell->size] = 0;
    return memchr(text, 0, (size_t)cell->size) == NULL;
}

// One cell up to one of the separators or the end of the line. Quotes may be ' or ".
static table_cell table_read_cell(table_reader *r, const char *separators) {
    table_skip_blanks(r);
    table_cell cell = {r->at, 0, r->line, table_column(r), false, false};
    if (r->at < r->end && (*r->at == '\'' || *r->at == '"')) {
        char quote = *r->at++;
        cell.text = r->at;
        cell.quoted = true;
        while (!table_line_end(r) && *r->at != quote) r->at++;
        cell.size = (int32_t)(r->at - cell.text);
        if (table_line_end(r)) {
            table_fault(r, cell.line, cell.column, "quote is not closed", NULL, NULL);
        } else {
            r->at++;
        }
        table_skip_blanks(r);
        return cell;
    }
    // A zero byte is text: strchr would find the end of the separators.
    while (!table_line_end(r) && (*r->at == 0 || strchr(separators, *r->at) == NULL)) r->at++;
    cell.size = (int32_t)(r->at - cell.text);
    while (cell.size > 0 && table_blank(cell.text[cell.size - 1])) cell.size--;
    return cell;
}

static bool table_missing(const table_cell *cell) {
    return !cell->quoted && (cell->size == 0 || (cell->size == 1 && cell->text[0] == '?'));
}

static bool table_number(const table_cell *cell, double *value) {
    size_t used = 0;
    const char *text = cell->text;
    size_t size = (size_t)cell->size;
    if (size > 1 && *text == '+') text++, size--;
    return size > 0 && ploy_parse_f64(text, size, &used, value) == PLOY_OK && used == size &&
           *value<PLOY_MISSING && * value> - PLOY_MISSING;
}

// ---- rows of CSV and MONK's

static ploy_result table_read_rows(table_reader *r, bool blanks) {
    while (r->at < r->end && r->faults < TABLE_FAULTS) {
        table_skip_blanks(r);
        if (table_line_end(r)) {
            table_next_line(r);
            continue;
        }
        for (;;) {
            table_cell cell = table_read_cell(r, blanks ? " \t" : ",;");
            if (blanks) table_skip_blanks(r);
            cell.last = table_line_end(r);
            if (!cell.last && !blanks && *r->at != ',' && *r->at != ';') {
                table_fault(r, r->line, table_column(r), "unexpected text behind a quote", NULL,
                            NULL);
                while (!table_line_end(r) && *r->at != ',' && *r->at != ';') r->at++;
                cell.last = table_line_end(r);
            }
            ploy_result result = ploy_array_push(&r->cells, &cell);
            if (result != PLOY_OK) return result;
            if (cell.last) break;
            if (!blanks) r->at++;
        }
        table_next_line(r);
    }
    return PLOY_OK;
}

static table_cell *table_at(const table_reader *r, int32_t index) {
    return PLOY_ARRAY_ITEMS(&r->cells, table_cell) + index;
}

static int32_t table_width(const table_reader *r, int32_t first) {
    for (int32_t i = first; i < r->cells.count; i++) {
        if (table_at(r, i)->last) return i - first + 1;
    }
    return 0;
}

static bool table_same(const table_cell *a, const table_cell *b) {
    return a->size == b->size && memcmp(a->text, b->text, (size_t)a->size) == 0;
}

static bool table_is_header(const table_reader *r, int32_t width) {
    double value;
    for (int32_t i = 0; i < width; i++) {
        const table_cell *cell = table_at(r, i);
        if (table_missing(cell) || table_number(cell, &value)) return false;
        for (int32_t k = width + i; k < r->cells.count; k += width) {
            if (table_same(cell, table_at(r, k))) return false;
        }
    }
    return r->cells.count > width;
}

// Adds a column of categories or numbers from the cells start, start + width, ...
static ploy_result table_add_column(table_reader *r, const char *name, int32_t start,
                                    int32_t width) {
    bool numbers = true;
    double value;
    for (int32_t i = start; i < r->cells.count && numbers; i += width) {
        numbers = table_missing(table_at(r, i)) || table_number(table_at(r, i), &value);
    }
    int32_t column = ploy_schema_count(r->schema);
    return ploy_schema_add(r->schema, name, numbers ? PLOY_COLUMN_NUMBER : PLOY_COLUMN_CATEGORY) ==
                   PLOY_ERR_ARGUMENT
               ? (table_fault(r, table_at(r, 0)->line, 0,
                              "name of a column is empty, too long or "
                              "not unique",
                              NULL, NULL),
                  PLOY_ERR_FORMAT)
           : ploy_schema_count(r->schema) == column ? PLOY_ERR_MEMORY
                                                    : PLOY_OK;
}

// The value of a cell; adds a category that is new, unless they are declared.
static ploy_result table_value(table_reader *r, int32_t column, const table_cell *cell,
                               bool declared, double *value) {
    *value = ploy_missing();
    if (table_missing(cell)) return PLOY_OK;
    const char *name = ploy_schema_name_at(r->schema, column);
    if (ploy_schema_kind_at(r->schema, column) == PLOY_COLUMN_NUMBER) {
        if (!table_number(cell, value)) {
            *value = PLOY_MISSING;
            table_fault_text(r, cell, "not a number:", name, NULL);
        } else if (!ploy_table_accepts(*value)) {
            *value = PLOY_MISSING;
            table_fault_text(r, cell, "number is out of range:", "-1e140 to 1e140", NULL);
        }
        return PLOY_OK;
    }
    char text[PLOY_COLUMN_NAME_MAX];
    if (!table_copy(cell, text) || text[0] == 0) {
        table_fault_text(r, cell, "category is empty or too long:", name, NULL);
        return PLOY_OK;
    }
    int32_t found = ploy_schema_find_value(r->schema, column, text);
    if (found < 0 && declared) {
        ploy_nearest nearest = ploy_nearest_make(text);
        for (int32_t i = 0; i < ploy_schema_value_count(r->schema, column); i++) {
            ploy_nearest_offer(&nearest, ploy_schema_value_at(r->schema, column, i));
        }
        char expected[PLOY_COLUMN_NAME_MAX + 24];
        snprintf(expected, sizeof expected, "a value of '%s'", name);
        table_fault_text(r, cell, "unknown value", expected, nearest.best);
        return PLOY_OK;
    }
    if (found < 0) {
        ploy_result result = ploy_schema_add_value(r->schema, column, text);
        if (result != PLOY_OK) return result;
        found = ploy_schema_value_count(r->schema, column) - 1;
    }
    *value = found;
    return PLOY_OK;
}

static ploy_result table_add_rows(table_reader *r, int32_t first, int32_t width, int32_t columns) {
    // Categories first: a table's schema is fixed when it is made. Column by column, so that each
    // is added at the end.
    double value;
    ploy_result result = PLOY_OK;
    for (int32_t k = 0; k < columns; k++) {
        for (int32_t i = first + k; i < r->cells.count && result == PLOY_OK; i += width) {
            result = table_value(r, k, table_at(r, i), false, &value);
        }
    }
    if (result == PLOY_OK) result = ploy_examples_create(r->schema, r->env, &r->examples);
    int32_t rows = width > 0 ? (r->cells.count - first) / width : 0;
    if (result == PLOY_OK) result = ploy_examples_reserve(r->examples, rows);
    double *row = result == PLOY_OK ? ploy_env_alloc(r->env, (size_t)columns * sizeof *row) : NULL;
    if (result == PLOY_OK && row == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < rows && result == PLOY_OK; i++) {
        for (int32_t k = 0; k < columns && result == PLOY_OK; k++) {
            result = table_value(r, k, table_at(r, first + i * width + k), false, &row[k]);
        }
        if (result == PLOY_OK) result = ploy_examples_add(r->examples, row);
    }
    ploy_env_free(r->env, row, (size_t)columns * sizeof *row);
    return result;
}

static bool table_check_widths(table_reader *r, int32_t first, int32_t width) {
    for (int32_t i = first; i < r->cells.count && r->faults < TABLE_FAULTS;) {
        int32_t here = table_width(r, i);
        if (here != width) {
            char text[96], expected[32];
            snprintf(text, sizeof text, "row has %d values", here);
            snprintf(expected, sizeof expected, "%d", width);
            const table_cell *cell = table_at(r, i + (here < width ? here - 1 : width));
            table_fault(r, cell->line, cell->column, text, expected, NULL);
        }
        i += here;
    }
    return r->faults == 0;
}

// scikit-learn: "150,4,setosa,versicolor,virginica", then rows of numbers with the class's index.
static int32_t table_sklearn(const table_reader *r) {
    double rows, columns, other;
    int32_t width = table_width(r, 0), body = table_width(r, width);
    if (width < 3 || body < 2 || !table_number(table_at(r, 0), &rows) ||
        !table_number(table_at(r, 1), &columns) || columns != body - 1) {
        return 0;
    }
    for (int32_t i = 2; i < width; i++) {
        if (table_number(table_at(r, i), &other)) return 0;
    }
    return width;
}

static ploy_result table_load_csv(table_reader *r) {
    ploy_result result = table_read_rows(r, false);
    if (result != PLOY_OK) return result;
    if (r->cells.count == 0) {
        table_fault(r, 1, 1, "table has no rows", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    int32_t names = table_sklearn(r), first = names, width = table_width(r, first);
    if (!table_check_widths(r, first, width)) return PLOY_ERR_FORMAT;
    bool header = names == 0 && table_is_header(r, width);
    for (int32_t i = 0; i < width; i++) {
        char name[PLOY_COLUMN_NAME_MAX] = "";
        snprintf(name, sizeof name, "c%d", i + 1);
        if (header && !table_copy(table_at(r, i), name)) name[0] = 0;
        result = table_add_column(r, name, first + (header ? width : 0) + i, width);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = first + width - 1; i < r->cells.count && names > 0; i += width) {
        double value; // the class's index becomes its name
        table_cell *cell = table_at(r, i);
        if (!table_number(cell, &value) || value < 0 || value >= names - 2) {
            table_fault_text(r, cell, "not the index of a class:", NULL, NULL);
            return PLOY_ERR_FORMAT;
        }
        bool last = cell->last;
        *cell = *table_at(r, 2 + (int32_t)value);
        cell->last = last;
    }
    if (names > 0) { // again, with names as classes
        ploy_schema_destroy(r->schema);
        r->schema = NULL;
        result = ploy_schema_create(r->env, &r->schema);
        for (int32_t i = 0; i < width && result == PLOY_OK; i++) {
            char name[PLOY_COLUMN_NAME_MAX];
            snprintf(name, sizeof name, "%s%d", i + 1 < width ? "c" : "class", i + 1);
            if (i + 1 == width) snprintf(name, sizeof name, "class");
            result = table_add_column(r, name, first + i, width);
        }
        if (result != PLOY_OK) return result;
    }
    (void)ploy_schema_set_target(r->schema, width - 1);
    return table_add_rows(r, first + (header ? width : 0), width, width);
}

static ploy_result table_load_monks(table_reader *r) {
    ploy_result result = table_read_rows(r, true);
    if (result != PLOY_OK) return result;
    if (r->cells.count == 0) {
        table_fault(r, 1, 1, "table has no rows", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    int32_t width = table_width(r, 0);
    if (width < 3) {
        table_fault(r, 1, 1, "row is too short", "class, values and an id", NULL);
        return PLOY_ERR_FORMAT;
    }
    if (!table_check_widths(r, 0, width)) return PLOY_ERR_FORMAT;
    for (int32_t i = 0; i + 1 < width; i++) {
        char name[PLOY_COLUMN_NAME_MAX] = "class";
        if (i > 0) snprintf(name, sizeof name, "a%d", i);
        result = table_add_column(r, name, i, width);
        if (result != PLOY_OK) return result;
    }
    return table_add_rows(r, 0, width, width - 1);
}

// ---- ARFF

static bool table_word_is(const table_cell *cell, const char *word) {
    if ((size_t)cell->size != strlen(word)) return false;
    for (int32_t i = 0; i < cell->size; i++) {
        char c = cell->text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != word[i]) return false;
    }
    return true;
}

static ploy_result table_arff_values(table_reader *r, int32_t column) {
    r->at++; // the brace
    for (;;) {
        table_cell cell = table_read_cell(r, ",}");
        if (table_line_end(r)) {
            table_fault(r, r->line, table_column(r), "list of values is not closed", "'}'", NULL);
            return PLOY_OK;
        }
        char text[PLOY_COLUMN_NAME_MAX];
        bool closed = *r->at == '}';
        r->at++;
        if (cell.size == 0 && closed) return PLOY_OK;
        if (!table_copy(&cell, text) || text[0] == 0) {
            table_fault_text(r, &cell, "category is empty or too long:", NULL, NULL);
        } else {
            ploy_result result = ploy_schema_add_value(r->schema, column, text);
            if (result == PLOY_ERR_ARGUMENT) {
                table_fault_text(r, &cell, "value is named twice:", NULL, NULL);
            } else if (result != PLOY_OK) {
                return result;
            }
        }
        if (closed) return PLOY_OK;
    }
}

// strings[column] is set for attributes whose values are not declared.
static ploy_result table_arff_attribute(table_reader *r, bool *strings) {
    table_cell name = table_read_cell(r, " \t{");
    table_skip_blanks(r);
    char text[PLOY_COLUMN_NAME_MAX];
    if (!table_copy(&name, text) || text[0] == 0 || ploy_schema_find(r->schema, text) >= 0) {
        table_fault_text(r, &name, "attribute's name is empty, too long or not unique:", NULL,
                         NULL);
        return PLOY_OK;
    }
    int32_t column = ploy_schema_count(r->schema);
    if (column >= PLOY_SCHEMA_COLUMNS_MAX) return PLOY_ERR_LIMIT;
    strings[column] = false;
    if (r->at < r->end && *r->at == '{') {
        ploy_result result = ploy_schema_add(r->schema, text, PLOY_COLUMN_CATEGORY);
        return result == PLOY_OK ? table_arff_values(r, column) : result;
    }
    table_cell kind = table_read_cell(r, " \t[");
    static const char *const kinds[] = {"numeric", "real", "integer", "string"};
    for (int32_t i = 0; i < 4; i++) {
        if (!table_word_is(&kind, kinds[i])) continue;
        strings[column] = i == 3;
        return ploy_schema_add(r->schema, text, i == 3 ? PLOY_COLUMN_CATEGORY : PLOY_COLUMN_NUMBER);
    }
    char word[PLOY_COLUMN_NAME_MAX] = "";
    (void)table_copy(&kind, word);
    ploy_nearest nearest = ploy_nearest_make(word);
    for (int32_t i = 0; i < 4; i++) ploy_nearest_offer(&nearest, kinds[i]);
    table_fault_text(r, &kind, "unknown type of attribute",
                     "numeric, real, integer, string or {..}", nearest.best);
    return PLOY_OK;
}

static ploy_result table_arff_header(table_reader *r, bool *strings) {
    static const char *const words[] = {"@relation", "@attribute", "@data"};
    for (; r->at < r->end && r->faults < TABLE_FAULTS; table_next_line(r)) {
        table_skip_blanks(r);
        if (table_line_end(r) || *r->at == '%') continue;
        table_cell word = table_read_cell(r, " \t");
        if (table_word_is(&word, words[0])) continue;
        if (table_word_is(&word, words[1])) {
            ploy_result result = table_arff_attribute(r, strings);
            if (result != PLOY_OK) return result;
        } else if (table_word_is(&word, words[2])) {
            table_next_line(r);
            return PLOY_OK;
        } else {
            char text[PLOY_COLUMN_NAME_MAX] = "";
            (void)table_copy(&word, text);
            ploy_nearest nearest = ploy_nearest_make(text);
            for (int32_t i = 0; i < 3; i++) ploy_nearest_offer(&nearest, words[i]);
            table_fault_text(r, &word, "unknown keyword", NULL, nearest.best);
        }
    }
    table_fault(r, r->line, 1, "file has no @data", NULL, NULL);
    return PLOY_OK;
}

// One row, "a,b,c" or "{1 b, 2 c}". Values of strings may still be unknown in the first pass.
static ploy_result table_arff_row(table_reader *r, const bool *strings, double *row) {
    int32_t columns = ploy_schema_count(r->schema);
    bool sparse = *r->at == '{';
    for (int32_t i = 0; i < columns; i++) row[i] = sparse ? 0.0 : PLOY_MISSING;
    if (sparse) r->at++;
    for (int32_t i = 0;; i++) {
        int32_t column = i;
        if (sparse) {
            table_skip_blanks(r);
            if (!table_line_end(r) && *r->at == '}') return PLOY_OK;
            table_cell index = table_read_cell(r, " \t,}");
            double value = -1.0;
            column = table_number(&index, &value) && value >= 0 && value < columns &&
                             (double)(int32_t)value == value
                         ? (int32_t)value
                         : columns;
        }
        table_cell cell = table_read_cell(r, sparse ? ",}" : ",");
        if (column >= columns) {
            table_fault_text(r, &cell, "there is no attribute for", NULL, NULL);
            return PLOY_OK;
        }
        ploy_result result = table_value(r, column, &cell, !strings[column], &row[column]);
        if (result != PLOY_OK) return result;
        if (table_line_end(r)) {
            if (sparse || i + 1 < columns) {
                table_fault(r, cell.line, cell.column,
                            sparse ? "sparse row is not closed" : "row is too short", NULL, NULL);
            }
            return PLOY_OK;
        }
        if (sparse && *r->at == '}') return PLOY_OK;
        if (*r->at != ',') {
            table_fault(r, r->line, table_column(r), "unexpected text behind a value", "','", NULL);
            return PLOY_OK;
        }
        r->at++;
    }
}

static ploy_result table_arff_rows(table_reader *r, const bool *strings, double *row) {
    // Twice: once to learn the values of strings, and to report every fault, then to store rows.
    table_reader start = *r;
    for (int32_t pass = 0; pass < 2; pass++) {
        r->at = start.at;
        r->line = start.line;
        r->line_start = start.line_start;
        for (; r->at < r->end && r->faults < TABLE_FAULTS; table_next_line(r)) {
            table_skip_blanks(r);
            if (table_line_end(r) || *r->at == '%') continue;
            ploy_result result = table_arff_row(r, strings, row);
            if (result == PLOY_OK && pass == 1) result = ploy_examples_add(r->examples, row);
            if (result != PLOY_OK) return result;
        }
        if (r->faults > 0) return PLOY_ERR_FORMAT;
        ploy_result result =
            pass == 0 ? ploy_examples_create(r->schema, r->env, &r->examples) : PLOY_OK;
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result table_load_arff(table_reader *r) {
    bool *strings = ploy_env_alloc_zero(r->env, PLOY_SCHEMA_COLUMNS_MAX * sizeof *strings);
    if (strings == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = table_arff_header(r, strings);
    int32_t columns = ploy_schema_count(r->schema);
    if (result == PLOY_OK && columns == 0 && r->faults == 0) {
        table_fault(r, r->line, 1, "file has no attributes", "@attribute", NULL);
    }
    if (result == PLOY_OK && r->faults > 0) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) {
        (void)ploy_schema_set_target(r->schema, columns - 1);
        double *row = ploy_env_alloc(r->env, (size_t)columns * sizeof *row);
        result = row == NULL ? PLOY_ERR_MEMORY : table_arff_rows(r, strings, row);
        ploy_env_free(r->env, row, (size_t)columns * sizeof *row);
    }
    ploy_env_free(r->env, strings, PLOY_SCHEMA_COLUMNS_MAX * sizeof *strings);
    return result;
}

// ---- entry

static ploy_table_format table_guess(const char *bytes, size_t size, const char *name) {
    size_t length = strlen(name);
    if (length >= 5 && strcmp(name + length - 5, ".arff") == 0) return PLOY_TABLE_ARFF;
    if (length >= 4 && strcmp(name + length - 4, ".csv") == 0) return PLOY_TABLE_CSV;
    bool fann = length >= 5 && strcmp(name + length - 5, ".data") == 0;
    const char *newline = size > 0 ? memchr(bytes, '\n', size) : NULL;
    size_t first = newline == NULL ? size : (size_t)(newline - bytes);
    if (first > 0 && memchr(bytes, ',', first) != NULL) return PLOY_TABLE_CSV;
    return fann ? PLOY_TABLE_FANN : PLOY_TABLE_MONKS;
}

ploy_result ploy_table_load(const void *bytes, size_t size, const char *name,
                            ploy_table_format format, const ploy_env *env, ploy_diags *diags,
                            ploy_examples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    if (size > INT32_MAX) return PLOY_ERR_LIMIT;
    if (name == NULL) name = "";
    if (format == PLOY_TABLE_ANY) format = table_guess(bytes != NULL ? bytes : "", size, name);
    if (format == PLOY_TABLE_FANN) return ploy_fann_data_load(bytes, size, name, env, diags, out);
    table_reader r;
    memset(&r, 0, sizeof r);
    r.at = r.line_start = bytes != NULL ? bytes : "";
    r.end = r.at + size;
    r.line = 1;
    r.name = name;
    r.diags = diags;
    r.env = env;
    ploy_array_init(&r.cells, sizeof(table_cell), env);
    ploy_result result = ploy_schema_create(env, &r.schema);
    if (result == PLOY_OK) {
        result = format == PLOY_TABLE_ARFF  ? table_load_arff(&r)
                 : format == PLOY_TABLE_CSV ? table_load_csv(&r)
                                            : table_load_monks(&r);
    }
    if (result == PLOY_OK && r.faults > 0) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) {
        *out = r.examples;
    } else {
        ploy_examples_destroy(r.examples);
    }
    ploy_schema_destroy(r.schema);
    ploy_array_fini(&r.cells);
    return result;
}
