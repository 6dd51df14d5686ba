// EPD files; the format is in the header.
//
// All texts of a file are copied into one block, ended by zeros; operations and operands are ranges of
// three arrays, so a file costs a handful of allocations.
#include "ploy/data/epd.h"

#include <string.h>

#include "ploy/base/array.h"

struct ploy_epd {
    ploy_env env;
    char *texts;
    size_t text_size, text_capacity;
    ploy_array records;    // ploy_epd_record
    ploy_array operations; // ploy_epd_operation
    ploy_array operands;   // const char *
};

enum { EPD_FAULTS_MAX = 20 };

typedef struct epd_reader {
    ploy_epd *epd;
    const char *line;
    size_t size, at; // of the line
    int32_t number;
    const char *name;
    ploy_diags *diags;
    int32_t faults;
} epd_reader;

static ploy_result epd_fault(epd_reader *r, size_t at, const char *message, const char *expected) {
    r->faults++;
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, r->number,
                   at < INT32_MAX ? (int32_t)at + 1 : INT32_MAX, message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

// The block is as long as the file and a zero for each text, which its separator pays for.
static const char *epd_keep(ploy_epd *epd, const char *bytes, size_t size) {
    PLOY_ASSERT(size < epd->text_capacity - epd->text_size);
    char *text = epd->texts + epd->text_size;
    if (size > 0) memcpy(text, bytes, size);
    text[size] = 0;
    epd->text_size += size + 1;
    return text;
}

static bool epd_blank(char c) {
    return c == ' ' || c == '\t';
}

static void epd_skip(epd_reader *r) {
    while (r->at < r->size && epd_blank(r->line[r->at])) r->at++;
}

// A word up to a blank or a semicolon; 0 at the end of an operation.
static size_t epd_word(epd_reader *r) {
    epd_skip(r);
    size_t from = r->at;
    while (r->at < r->size && !epd_blank(r->line[r->at]) && r->line[r->at] != ';') r->at++;
    return r->at - from;
}

static bool epd_is_number(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
    }
    return size > 0;
}

static ploy_result epd_read_position(epd_reader *r, const char **out) {
    epd_skip(r);
    size_t from = r->at, end = r->at;
    for (int32_t field = 0; field < 4; field++) {
        if (epd_word(r) == 0)
            return epd_fault(r, r->at, "missing field of the position",
                             "pieces, side, castling, en passant");
        end = r->at;
    }
    for (int32_t counter = 0; counter < 2; counter++) {
        size_t back = r->at, size = epd_word(r);
        if (!epd_is_number(r->line + r->at - size, size)) {
            r->at = back;
            break;
        }
        end = r->at;
    }
    *out = epd_keep(r->epd, r->line + from, end - from);
    return PLOY_OK;
}

static ploy_result epd_read_operand(epd_reader *r) {
    const char *text = NULL;
    if (r->line[r->at] == '"') {
        size_t from = ++r->at;
        while (r->at < r->size && r->line[r->at] != '"') r->at++;
        if (r->at == r->size) return epd_fault(r, from - 1, "missing closing quote", "\"");
        text = epd_keep(r->epd, r->line + from, r->at++ - from);
    } else {
        size_t size = epd_word(r);
        text = epd_keep(r->epd, r->line + r->at - size, size);
    }
    return ploy_array_push(&r->epd->operands, &text);
}

static ploy_result epd_read_operation(epd_reader *r, ploy_epd_record *record) {
    ploy_epd_operation operation = {NULL, r->epd->operands.count, 0, (int32_t)r->at + 1};
    if (r->line[r->at] == '"')
        return epd_fault(r, r->at, "unexpected text before an operation",
                         "an operation such as bm");
    size_t size = epd_word(r);
    operation.code = epd_keep(r->epd, r->line + r->at - size, size);
    for (epd_skip(r); r->at < r->size && r->line[r->at] != ';'; epd_skip(r)) {
        ploy_result result = epd_read_operand(r);
        if (result != PLOY_OK) return result;
        operation.count++;
    }
    record->count++;
    return ploy_array_push(&r->epd->operations, &operation);
}

static ploy_result epd_read_line(epd_reader *r) {
    epd_skip(r);
    if (r->at == r->size || r->line[r->at] == '#') return PLOY_OK;
    ploy_epd_record record = {NULL, r->number, r->epd->operations.count, 0};
    ploy_result result = epd_read_position(r, &record.position);
    if (result != PLOY_OK) return result;
    for (epd_skip(r); r->at < r->size; epd_skip(r)) {
        if (r->line[r->at] == ';') {
            r->at++;
            continue;
        }
        result = epd_read_operation(r, &record);
        if (result != PLOY_OK) return result;
    }
    return ploy_array_push(&r->epd->records, &record);
}

static ploy_result epd_read(epd_reader *r, const char *bytes, size_t size) {
    for (size_t at = 0; at < size && r->faults < EPD_FAULTS_MAX; r->number++) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        r->line = bytes + at;
        r->at = 0;
        at += length + 1;
        const char *zero = memchr(r->line, 0, length);
        if (length > 0 && r->line[length - 1] == '\r') length--;
        r->size = length;
        if (zero != NULL) {
            epd_fault(r, (size_t)(zero - r->line), "unexpected zero byte", "text");
            continue;
        }
        ploy_result result = epd_read_line(r);
        if (result != PLOY_OK && result != PLOY_ERR_FORMAT) return result;
    }
    return r->faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

ploy_result ploy_epd_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_epd **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0) || size > SIZE_MAX / 4) return PLOY_ERR_ARGUMENT;
    ploy_epd *epd = ploy_env_alloc_zero(env, sizeof *epd);
    if (epd == NULL) return PLOY_ERR_MEMORY;
    epd->env = *env;
    ploy_array_init(&epd->records, sizeof(ploy_epd_record), env);
    ploy_array_init(&epd->operations, sizeof(ploy_epd_operation), env);
    ploy_array_init(&epd->operands, sizeof(const char *), env);
    epd->text_capacity = 2 * size + 2; // a word of one byte needs two
    epd->texts = ploy_env_alloc(env, epd->text_capacity);
    ploy_result result = epd->texts != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        epd_reader reader = {epd, NULL, 0, 0, 1, name != NULL ? name : "", diags, 0};
        result = epd_read(&reader, bytes, size);
    }
    if (result != PLOY_OK) {
        ploy_epd_destroy(epd);
        return result;
    }
    *out = epd;
    return PLOY_OK;
}

void ploy_epd_destroy(ploy_epd *epd) {
    if (epd == NULL) return;
    ploy_array_fini(&epd->records);
    ploy_array_fini(&epd->operations);
    ploy_array_fini(&epd->operands);
    ploy_env_free(&epd->env, epd->texts, epd->text_capacity);
    ploy_env env = epd->env;
    ploy_env_free(&env, epd, sizeof *epd);
}

int32_t ploy_epd_count(const ploy_epd *epd) {
    return epd->records.count;
}

const ploy_epd_record *ploy_epd_at(const ploy_epd *epd, int32_t index) {
    return PLOY_ARRAY_AT(&epd->records, ploy_epd_record, index);
}

const ploy_epd_operation *ploy_epd_operation_at(const ploy_epd *epd, int32_t index) {
    return PLOY_ARRAY_AT(&epd->operations, ploy_epd_operation, index);
}

const char *ploy_epd_operand(const ploy_epd *epd, int32_t index) {
    const char *const *operand = PLOY_ARRAY_AT(&epd->operands, const char *, index);
    return operand != NULL ? *operand : NULL;
}

const ploy_epd_operation *ploy_epd_find(const ploy_epd *epd, const ploy_epd_record *record,
                                        const char *code) {
    if (!ploy_range_within(record->first, record->count, epd->operations.count)) return NULL;
    for (int32_t i = 0; i < record->count; i++) {
        const ploy_epd_operation *operation = ploy_epd_operation_at(epd, record->first + i);
        if (strcmp(operation->code, code) == 0) return operation;
    }
    return NULL;
}

ploy_result ploy_epd_position(const ploy_epd_record *record, const ploy_board_chess_def *rules,
                              const char *name, void *position, ploy_diags *diags) {
    ploy_result result = ploy_board_chess()->parse(rules, record->position, name, position, NULL);
    if (result == PLOY_OK || diags == NULL) return result;
    // Once more to learn the reason; the reader counts lines from its own text.
    ploy_env env = ploy_env_default();
    ploy_diags *own = NULL;
    if (ploy_diags_create(1, &env, &own) != PLOY_OK) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, name, record->line, 0,
                       "invalid position", NULL, NULL);
        return result;
    }
    ploy_board_chess()->parse(rules, record->position, name, position, own);
    const ploy_diag *why = ploy_diags_get(own, 0);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, name, record->line, why->column,
                   why->message, why->expected, NULL);
    ploy_diags_destroy(own);
    return result;
}

ploy_result ploy_epd_save(const ploy_epd *epd, const ploy_epd_record *record, ploy_writer *writer) {
    ploy_write_text(writer, record->position);
    for (int32_t i = 0; i < record->count; i++) {
        const ploy_epd_operation *operation =
            record->first > INT32_MAX - i ? NULL : ploy_epd_operation_at(epd, record->first + i);
        if (operation == NULL) return PLOY_ERR_ARGUMENT; // a record of another file
        ploy_write_char(writer, ' ');
        ploy_write_text(writer, operation->code);
        for (int32_t k = 0; k < operation->count; k++) {
            const char *text = ploy_epd_operand(epd, operation->first + k);
            bool quoted = text[0] == 0 || strpbrk(text, " \t;") != NULL;
            ploy_write_char(writer, ' ');
            if (quoted) ploy_write_char(writer, '"');
            ploy_write_text(writer, text);
            if (quoted) ploy_write_char(writer, '"');
        }
        ploy_write_char(writer, ';');
    }
    ploy_write_char(writer, '\n');
    return ploy_writer_result(writer);
}
