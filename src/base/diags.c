// Diagnostics, and the bounded text that they and other short prints are made with.
//
// Invariants, from create to destroy:
//   (1) items[0 .. count) are kept diagnostics in the order of adding, count <= limit;
//   (2) totals[s] counts every diagnostic of severity s that was added, kept or not;
//   (3) every text of a kept diagnostic ends with a zero, is one line and cuts no character in two.
#include "ploy/base/diags.h"

#include <string.h>

#include "base/base_internal.h"

#define DIAGS_LIMIT_MAX 10000

struct ploy_diags {
    ploy_env env;
    size_t size; // bytes of this block
    int32_t limit;
    int32_t count;
    int64_t totals[PLOY_SEVERITY_ERROR + 1];
    ploy_diag items[];
};

void ployi_text_init(ployi_text *out, char *text, size_t size) {
    out->text = text;
    out->size = text != NULL ? size : 0;
    out->length = 0;
    if (out->size > 0) out->text[0] = '\0';
}

static ploy_result diags_text_write(void *user, const void *bytes, size_t size) {
    ployi_text *out = user;
    size_t room = out->size > 0 ? out->size - 1 : 0;
    if (out->length < room) {
        size_t left = room - out->length;
        memcpy(out->text + out->length, bytes, size < left ? size : left);
    }
    out->length += size;
    return PLOY_OK;
}

ploy_writer ployi_text_writer(ployi_text *out) {
    return ploy_writer_make(diags_text_write, out);
}

size_t ployi_text_finish(ployi_text *out) {
    if (out->size == 0) return out->length;
    size_t end = out->length;
    if (end > out->size - 1) {
        end = out->size - 1;
        // The cut is inside a character only if the last start byte announces more bytes than
        // follow; then that character is removed too. At most three bytes are looked at.
        size_t start = end;
        while (start > 0 && end - start < 4 && ((unsigned char)out->text[start - 1] & 0xC0) == 0x80)
            start--;
        if (start > 0) {
            unsigned char lead = (unsigned char)out->text[start - 1];
            size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
            if (end - (start - 1) < want) end = start - 1;
        }
    }
    out->text[end] = '\0';
    return out->length;
}

size_t ployi_text_copy_line(char *out, size_t size, const char *text) {
    if (text == NULL) text = "";
    ployi_text line;
    ployi_text_init(&line, out, size);
    diags_text_write(&line, text, strlen(text));
    size_t length = ployi_text_finish(&line);
    for (char *c = out; size > 0 && *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7F) *c = ' ';
    }
    return length;
}

ploy_result ploy_diags_create(int32_t limit, const ploy_env *env, ploy_diags **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || limit < 1 || limit > DIAGS_LIMIT_MAX) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_diags), limit, sizeof(ploy_diag), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_diags *diags = ploy_env_alloc(env, size);
    if (diags == NULL) return PLOY_ERR_MEMORY;
    diags->env = *env;
    diags->size = size;
    diags->limit = limit;
    ploy_diags_clear(diags);
    *out = diags;
    return PLOY_OK;
}

void ploy_diags_destroy(ploy_diags *diags) {
    if (diags == NULL) return;
    ploy_env env = diags->env;
    ploy_env_free(&env, diags, diags->size);
}

void ploy_diags_clear(ploy_diags *diags) {
    if (diags == NULL) return;
    diags->count = 0;
    memset(diags->totals, 0, sizeof diags->totals);
}

void ploy_diags_add(ploy_diags *diags, ploy_severity severity, ploy_result code, const char *name,
                    int32_t line, int32_t column, const char *message, const char *expected,
                    const char *nearest) {
    if (diags == NULL) return;
    // A severity that is no enumerator can only come from a caller's cast; the worst is safest.
    if ((int)severity < PLOY_SEVERITY_DEBUG || severity > PLOY_SEVERITY_ERROR) {
        severity = PLOY_SEVERITY_ERROR;
    }
    diags->totals[severity]++;
    if (diags->count >= diags->limit) return;
    ploy_diag *diag = &diags->items[diags->count++];
    diag->severity = severity;
    diag->code = code;
    diag->line = line > 0 ? line : 0;
    diag->column = column > 0 ? column : 0;
    ployi_text_copy_line(diag->name, sizeof diag->name, name);
    ployi_text_copy_line(diag->message, sizeof diag->message, message);
    ployi_text_copy_line(diag->expected, sizeof diag->expected, expected);
    ployi_text_copy_line(diag->nearest, sizeof diag->nearest, nearest);
}

int32_t ploy_diags_count(const ploy_diags *diags) {
    return diags != NULL ? diags->count : 0;
}

int64_t ploy_diags_total(const ploy_diags *diags, ploy_severity at_least) {
    int64_t total = 0;
    if (diags == NULL) return 0;
    for (int severity = PLOY_SEVERITY_DEBUG; severity <= PLOY_SEVERITY_ERROR; severity++) {
        if (severity >= (int)at_least) total += diags->totals[severity];
    }
    return total;
}

const ploy_diag *ploy_diags_get(const ploy_diags *diags, int32_t index) {
    if (diags == NULL || index < 0 || index >= diags->count) return NULL;
    return &diags->items[index];
}

size_t ploy_diag_print(const ploy_diag *diag, char *text, size_t size) {
    ployi_text out;
    ployi_text_init(&out, text, size);
    if (diag == NULL) return ployi_text_finish(&out);
    ploy_writer writer = ployi_text_writer(&out);
    if (diag->name[0] != '\0') {
        ploy_write_text(&writer, diag->name);
        ploy_write_char(&writer, ':');
    }
    if (diag->line > 0) {
        ploy_write_i64(&writer, diag->line);
        ploy_write_char(&writer, ':');
        if (diag->column > 0) {
            ploy_write_i64(&writer, diag->column);
            ploy_write_char(&writer, ':');
        }
    }
    if (diag->name[0] != '\0' || diag->line > 0) ploy_write_char(&writer, ' ');
    ploy_write_text(&writer, ploy_severity_text(diag->severity));
    ploy_write_text(&writer, ": ");
    ploy_write_text(&writer, diag->message);
    if (diag->expected[0] != '\0') {
        ploy_write_text(&writer, "; expected ");
        ploy_write_text(&writer, diag->expected);
    }
    if (diag->nearest[0] != '\0') {
        ploy_write_text(&writer, " (did you mean '");
        ploy_write_text(&writer, diag->nearest);
        ploy_write_text(&writer, "'?)");
    }
    return ployi_text_finish(&out);
}

void ploy_diags_log(const ploy_diags *diags, const ploy_env *env) {
    if (diags == NULL) return;
    char text[4 * PLOY_DIAG_TEXT_MAX + 96]; // all four texts, numbers and the words between
    for (int32_t i = 0; i < diags->count; i++) {
        ploy_diag_print(&diags->items[i], text, sizeof text);
        ploy_env_log(env, diags->items[i].severity, text);
    }
    int64_t left_out = ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) - diags->count;
    if (left_out == 0) return;
    ployi_text out;
    ployi_text_init(&out, text, sizeof text);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_i64(&writer, left_out);
    ploy_write_text(&writer,
                    left_out == 1 ? " more message was left out" : " more messages were left out");
    ployi_text_finish(&out);
    ploy_env_log(env, PLOY_SEVERITY_WARNING, text);
}

#undef DIAGS_LIMIT_MAX
