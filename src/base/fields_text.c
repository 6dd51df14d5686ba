// Parameter files: lines of `name value`.
//
// Loading goes over the text twice, as with JSON: the first time every value is checked, the second
// time, only if nothing was wrong, it is written.
#include "ploy/base/fields_text.h"

#include <string.h>

#include "base/base_internal.h"

enum { FIELDS_TEXT_VALUE_MAX = 256 };

// A part of a line.
typedef struct fields_text_part {
    const char *at;
    size_t size;
} fields_text_part;

static bool fields_text_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static fields_text_part fields_text_trim(const char *at, const char *end) {
    while (at < end && fields_text_blank(*at)) at++;
    while (end > at && fields_text_blank(end[-1])) end--;
    fields_text_part part = {at, (size_t)(end - at)};
    return part;
}

// The line without comment, semicolon and blanks around it.
static fields_text_part fields_text_line(const char *at, const char *end) {
    for (const char *c = at; c + 1 < end; c++) {
        if (c[0] == '/' && c[1] == '/') end = c;
    }
    fields_text_part part = fields_text_trim(at, end);
    if (part.size > 0 && part.at[part.size - 1] == ';') {
        part = fields_text_trim(part.at, part.at + part.size - 1);
    }
    return part;
}

// A copy with a zero at its end. False if it is too long or has a zero inside, which would hide
// what comes after it.
static bool fields_text_copy(fields_text_part part, char *out, size_t size) {
    if (part.size >= size || memchr(part.at, 0, part.size) != NULL) return false;
    memcpy(out, part.at, part.size);
    out[part.size] = '\0';
    return true;
}

static void fields_text_setting(ploy_fields fields, void *def, const char *start,
                                fields_text_part line, bool write, ployi_fields_report *report) {
    size_t length = 0;
    while (length < line.size && !fields_text_blank(line.at[length])) length++;
    fields_text_part word = {line.at, length};
    fields_text_part rest = fields_text_trim(line.at + length, line.at + line.size);
    char path[PLOY_FIELD_PATH_MAX], value[FIELDS_TEXT_VALUE_MAX];
    report->column = (int32_t)(line.at - start) + 1;
    if (!fields_text_copy(word, path, sizeof path)) {
        ployi_fields_fault(report, PLOY_ERR_FORMAT, "invalid name", "a setting's name", NULL);
        return;
    }
    const ploy_field *field = ploy_fields_find(fields, path, NULL);
    // What is wrong with a name that is known is its value.
    if (field != NULL) report->column = (int32_t)(rest.at - start) + 1;
    if (!fields_text_copy(rest, value, sizeof value)) {
        ployi_fields_fault(report, PLOY_ERR_FORMAT, "invalid value", NULL, NULL);
        return;
    }
    ployi_fields_set_text(fields, def, path, value, write, report);
}

// All lines, once.
static void fields_text_pass(ploy_fields fields, void *def, const char *text, size_t size,
                             bool write, ployi_fields_report *report) {
    const char *end = text + size;
    for (const char *at = text; at < end; at++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) stop = end;
        if (report->line < INT32_MAX) report->line++;
        fields_text_part line = fields_text_line(at, stop);
        if (line.size > 0) fields_text_setting(fields, def, at, line, write, report);
        at = stop;
        if (at == end) break;
    }
}

ploy_result ploy_fields_load_text(ploy_fields fields, void *def, const void *text, size_t size,
                                  const char *name, ploy_diags *diags) {
    if (def == NULL || (text == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ployi_fields_report report = {ployi_text_or_empty(name), diags, NULL, 0, 0, 0};
    if (!ployi_fields_cookie_fits(fields, def)) {
        ployi_fields_fault_cookie(&report, ployi_text_or_empty(fields.type_name));
        return PLOY_ERR_ARGUMENT;
    }
    if (size == 0) return PLOY_OK;
    fields_text_pass(fields, def, text, size, false, &report);
    if (report.faults > 0) return PLOY_ERR_FORMAT;
    report.line = 0;
    fields_text_pass(fields, def, text, size, true, &report);
    PLOY_ASSERT(report.faults == 0);
    return PLOY_OK;
}

typedef struct fields_text_save {
    const unsigned char *def;
    ploy_writer *out;
} fields_text_save;

static void fields_text_save_one(void *user, const char *path, const ploy_field *field,
                                 uint32_t offset) {
    const fields_text_save *save = user;
    ploy_value value = ploy_value_none();
    if (!ployi_fields_load(field, save->def + offset, &value)) return;
    char text[FIELDS_TEXT_VALUE_MAX];
    ploy_value_print(&value, text, sizeof text);
    const char *unit = ployi_text_or_empty(field->unit), *help = ployi_text_or_empty(field->help);
    ploy_write_text(save->out, path);
    ploy_write_char(save->out, ' ');
    ploy_write_text(save->out, text);
    if (unit[0] != '\0' || help[0] != '\0') ploy_write_text(save->out, " // ");
    ploy_write_text(save->out, unit);
    if (unit[0] != '\0' && help[0] != '\0') ploy_write_text(save->out, ", ");
    ploy_write_text(save->out, help);
    ploy_write_char(save->out, '\n');
}

void ploy_fields_save_text(ploy_fields fields, const void *def, ploy_writer *out) {
    if (def == NULL || out == NULL) return;
    fields_text_save save = {def, out};
    ploy_fields_each(fields, fields_text_save_one, &save);
}
