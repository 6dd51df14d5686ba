// Files of `ploy tactics`; see the header.
#include "apps/ploy/tactics_read.h"

#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/movingai.h"

// One fault of a file; returns the exit status.
static int tactics_fault(const char *path, int32_t line, size_t column, const char *message,
                         const char *expected) {
    ploy_env env = cli_env();
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(1, &env, &diags);
    if (result != PLOY_OK) return cli_error_result(path, result);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, path, line, (int32_t)column + 1,
                   message, expected, NULL);
    int status = cli_error_diags(diags);
    ploy_diags_destroy(diags);
    return status;
}

int tactics_parse_number(const char *option, const char *text, float least, float *out) {
    float value = 0.0f;
    if (text == NULL) return -1;
    if (ploy_parse_f32(text, strlen(text), NULL, &value) != PLOY_OK || !(value >= least)) {
        fprintf(stderr, "ploy: %s '%s' is not a number of at least %g\n", option, text,
                (double)least);
        return CLI_USAGE;
    }
    *out = value;
    return -1;
}

int tactics_parse_word(const char *option, const char *text, const char *const *words,
                       int32_t count, int32_t *out) {
    if (text == NULL) return -1;
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return -1;
        }
    }
    fprintf(stderr, "ploy: %s '%s' is unknown (expected", option, text);
    for (int32_t i = 0; i < count; i++) fprintf(stderr, "%s %s", i > 0 ? "," : "", words[i]);
    fprintf(stderr, ")\n");
    return CLI_USAGE;
}

static int tactics_open_size(const char *text, const ploy_env *env, ploy_tiles **out) {
    ploy_tiles_def def = ploy_tiles_def_default();
    int64_t width = 0, height = 0;
    size_t used = 0, rest = 0, size = strlen(text);
    bool good = ploy_parse_i64(text, size, &used, &width) == PLOY_OK && text[used] == 'x' &&
                ploy_parse_i64(text + used + 1, size - used - 1, &rest, &height) == PLOY_OK &&
                used + 1 + rest == size && width >= 1 && height >= 1 && width <= 8192 &&
                height <= 8192;
    if (!good) return cli_error("--size expects WxH, each 1 to 8192, and not", text);
    def.width = (int32_t)width;
    def.height = (int32_t)height;
    ploy_result result = ploy_tiles_create(&def, env, out);
    return result == PLOY_OK ? -1 : cli_error_result("map", result);
}

int tactics_read_tiles(const char *map, const char *size, const ploy_env *env, ploy_tiles **out) {
    if ((map == NULL) == (size == NULL)) {
        return cli_error("expected one of --map and --size", NULL);
    }
    if (size != NULL) return tactics_open_size(size, env, out);
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(map, TACTICS_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(map, result);
    ploy_diags *diags = NULL;
    int status = -1;
    result = ploy_diags_create(16, env, &diags);
    if (result == PLOY_OK) {
        result = ploy_movingai_load_map(bytes.bytes, bytes.size, map, env, diags, out);
    }
    if (result != PLOY_OK) {
        status =
            ploy_diags_count(diags) > 0 ? cli_error_diags(diags) : cli_error_result(map, result);
    }
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}

// A line of a file, without its end.
typedef struct tactics_lines {
    const char *text;
    size_t size, at;
    int32_t line;
    const char *begin;
    size_t length;
} tactics_lines;

static bool tactics_next_line(tactics_lines *lines) {
    while (lines->at < lines->size) {
        lines->begin = lines->text + lines->at;
        const char *end = memchr(lines->begin, '\n', lines->size - lines->at);
        lines->length = end != NULL ? (size_t)(end - lines->begin) : lines->size - lines->at;
        lines->at += lines->length + 1;
        lines->line++;
        if (lines->length > 0 && lines->begin[lines->length - 1] == '\r') lines->length--;
        if (lines->length > 0) return true;
    }
    return false;
}

// The bounds of a field without blanks around it. @return false behind the last.
static bool tactics_field(const tactics_lines *lines, size_t *at, size_t *begin, size_t *size) {
    if (*at > lines->length) return false;
    const char *text = lines->begin;
    size_t end = *at;
    while (end < lines->length && text[end] != ',') end++;
    size_t from = *at, to = end;
    while (from < to && (text[from] == ' ' || text[from] == '\t')) from++;
    while (to > from && (text[to - 1] == ' ' || text[to - 1] == '\t')) to--;
    *begin = from;
    *size = to - from;
    *at = end + 1;
    return true;
}

static bool tactics_number(const tactics_lines *lines, size_t begin, size_t size, double *out) {
    return size > 0 && ploy_parse_f64(lines->begin + begin, size, NULL, out) == PLOY_OK &&
           ploy_is_finite_d(*out);
}

// A header is a first line without any number: a row with one mistake is not taken for one.
static bool tactics_is_header(const tactics_lines *lines) {
    size_t at = 0, begin = 0, size = 0;
    double number = 0.0;
    if (lines->line != 1) return false;
    while (tactics_field(lines, &at, &begin, &size)) {
        if (tactics_number(lines, begin, size, &number)) return false;
    }
    return true;
}

static int tactics_read_row(const char *path, const char *columns, const tactics_lines *lines,
                            int32_t width, int32_t height, bool *header, tactics_row *row) {
    size_t at = 0, begin = 0, size = 0;
    double numbers[3];
    memset(row, 0, sizeof *row);
    if (!tactics_field(lines, &at, &begin, &size) || size == 0 || size >= TACTICS_NAME) {
        return tactics_fault(path, lines->line, begin, "invalid name", "1 to 63 letters");
    }
    memcpy(row->name, lines->begin + begin, size);
    for (int32_t i = 0; i < 3; i++) {
        bool field = tactics_field(lines, &at, &begin, &size);
        if (!field || !tactics_number(lines, begin, size, &numbers[i])) {
            *header = field && tactics_is_header(lines);
            if (*header) return -1;
            return tactics_fault(path, lines->line, field ? begin : lines->length, "invalid row",
                                 columns);
        }
        double most = i == 0 ? width - 1 : i == 1 ? height - 1 : 1e9;
        if (numbers[i] < 0.0 || numbers[i] > most ||
            (i < 2 && numbers[i] != (double)(int32_t)numbers[i])) {
            return tactics_fault(path, lines->line, begin,
                                 i < 2 ? "cell is outside the map" : "invalid strength",
                                 i < 2 ? "a whole number inside it" : "0 or more");
        }
    }
    if (tactics_field(lines, &at, &begin, &size)) {
        return tactics_fault(path, lines->line, begin, "too many fields", columns);
    }
    row->x = (int32_t)numbers[0];
    row->y = (int32_t)numbers[1];
    row->strength = (float)numbers[2];
    row->line = lines->line;
    return -1;
}

int tactics_read_rows(const char *path, const char *columns, int32_t width, int32_t height,
                      const ploy_env *env, ploy_array *out) {
    ploy_buffer bytes;
    ploy_array_init(out, sizeof(tactics_row), env);
    ploy_result result = ploy_os_read_file(path, TACTICS_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    tactics_lines lines = {(const char *)bytes.bytes, bytes.size, 0, 0, NULL, 0};
    int status = -1;
    while (status < 0 && tactics_next_line(&lines)) {
        tactics_row row;
        bool header = false;
        status = tactics_read_row(path, columns, &lines, width, height, &header, &row);
        if (status >= 0 || header) continue;
        result = ploy_array_push(out, &row);
        if (result != PLOY_OK) status = cli_error_result(path, result);
    }
    if (status < 0 && out->count == 0) {
        status = tactics_fault(path, 1, 0, "file has no rows", columns);
    }
    ploy_buffer_fini(&bytes);
    return status;
}

static int tactics_compare_names(const void *a, const void *b) {
    const tactics_row *const *x = a, *const *y = b;
    int by_name = strcmp((*x)->name, (*y)->name);
    return by_name != 0 ? by_name : (*x)->line < (*y)->line ? -1 : 1;
}

int tactics_check_names(const char *path, const ploy_array *rows) {
    size_t count = (size_t)rows->count;
    const tactics_row **sorted = malloc(count * sizeof *sorted), *fault = NULL;
    if (sorted == NULL) return cli_error_result(path, PLOY_ERR_MEMORY);
    for (int32_t i = 0; i < rows->count; i++) sorted[i] = PLOY_ARRAY_AT(rows, tactics_row, i);
    qsort(sorted, count, sizeof *sorted, tactics_compare_names);
    for (size_t i = 1; i < count; i++) { // the first line that repeats a name
        bool again = strcmp(sorted[i - 1]->name, sorted[i]->name) == 0;
        if (again && (fault == NULL || sorted[i]->line < fault->line)) fault = sorted[i];
    }
    free(sorted);
    if (fault == NULL) return -1;
    return tactics_fault(path, fault->line, 0, "duplicate name", "a name for each row");
}

int tactics_read_numbers(const char *path, const ploy_env *env, ploy_array *out, int32_t *width,
                         int32_t *height) {
    ploy_buffer bytes;
    ploy_array_init(out, sizeof(float), env);
    *width = *height = 0;
    ploy_result result = ploy_os_read_file(path, TACTICS_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    tactics_lines lines = {(const char *)bytes.bytes, bytes.size, 0, 0, NULL, 0};
    int status = -1;
    while (status < 0 && tactics_next_line(&lines)) {
        size_t at = 0, begin = 0, size = 0;
        int32_t count = 0;
        bool header = false;
        while (status < 0 && tactics_field(&lines, &at, &begin, &size)) {
            double value = 0.0;
            if (!tactics_number(&lines, begin, size, &value)) {
                header = tactics_is_header(&lines);
                if (header) break;
                status = tactics_fault(path, lines.line, begin, "invalid number", "a number");
                break;
            }
            float number = (float)value;
            result = ploy_array_push(out, &number);
            if (result != PLOY_OK) status = cli_error_result(path, result);
            count++;
        }
        if (status >= 0 || header) continue;
        if (*height == 0) *width = count;
        if (count != *width) {
            status = tactics_fault(path, lines.line, lines.length, "rows have different lengths",
                                   "as many numbers as in the first row");
        }
        ++*height;
    }
    if (status < 0 && *height == 0)
        status = tactics_fault(path, 1, 0, "file has no rows", "numbers");
    ploy_buffer_fini(&bytes);
    return status;
}

int tactics_read_cells(const char *path, const ploy_env *env, ploy_array *out, int32_t *width,
                       int32_t *height) {
    ploy_buffer bytes;
    ploy_array_init(out, 1, env);
    *width = *height = 0;
    ploy_result result = ploy_os_read_file(path, TACTICS_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    tactics_lines lines = {(const char *)bytes.bytes, bytes.size, 0, 0, NULL, 0};
    int status = -1;
    while (status < 0 && tactics_next_line(&lines)) {
        for (size_t i = 0; i < lines.length && status < 0; i++) {
            char c = lines.begin[i];
            uint8_t state = c == '#' ? 1 : c == '.' ? 0 : (uint8_t)(c - '0');
            if (c != '#' && c != '.' && (c < '0' || c > '9')) {
                status = tactics_fault(path, lines.line, i, "unknown cell", ". # or a digit");
            } else {
                result = ploy_array_push(out, &state);
                if (result != PLOY_OK) status = cli_error_result(path, result);
            }
        }
        if (*height == 0) *width = (int32_t)lines.length;
        if (status < 0 && lines.length != (size_t)*width) {
            status = tactics_fault(path, lines.line, lines.length, "rows have different lengths",
                                   "as many cells as in the first row");
        }
        ++*height;
    }
    if (status < 0 && (*height == 0 || *width > 16384 || *height > 16384)) {
        status = tactics_fault(path, 1, 0, "file is not a grid", "1 to 16384 rows of . and #");
    }
    ploy_buffer_fini(&bytes);
    return status;
}
