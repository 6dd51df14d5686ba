// What the readers and writers of FLL and FCL have in common: places, words, numbers, terms.
#include <string.h>

#include "fuzzy_file.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

ployi_fuzzy_file ployi_fuzzy_open(const char *text, size_t size, const char *name,
                                  const ploy_env *env, ploy_diags *diags) {
    ployi_fuzzy_file file;
    memset(&file, 0, sizeof file);
    file.text = text;
    file.size = size;
    file.name = name != NULL ? name : "";
    file.env = *env;
    file.env.log = NULL; // faults go to the diags, with their places
    file.diags = diags;
    file.line = 1;
    return file;
}

ploy_fuzzy_source ployi_fuzzy_place(ployi_fuzzy_file *file, size_t at) {
    if (at < file->line_at) {
        file->line_at = 0;
        file->line = 1;
    }
    for (size_t i = file->line_at; i < at && i < file->size; i++) {
        if (file->text[i] != '\n') continue;
        file->line_at = i + 1;
        if (file->line < INT32_MAX) file->line++;
    }
    size_t column = at - file->line_at + 1;
    ploy_fuzzy_source source = {file->name, file->line,
                                column < INT32_MAX ? (int32_t)column : INT32_MAX, file->diags};
    return source;
}

const char *ployi_fuzzy_copy(const ployi_fuzzy_file *file, ployi_fuzzy_span span,
                             char text[PLOY_DIAG_TEXT_MAX]) {
    size_t size = span.end - span.at;
    if (size > PLOY_DIAG_TEXT_MAX - 1) size = PLOY_DIAG_TEXT_MAX - 1;
    memcpy(text, file->text + span.at, size);
    text[size] = '\0';
    return text;
}

static void fuzzy_file_report(ployi_fuzzy_file *file, ploy_severity severity, ployi_fuzzy_span word,
                              ploy_result code, const char *message, const char *expected,
                              const char *nearest) {
    char text[2 * PLOY_DIAG_TEXT_MAX], copy[PLOY_DIAG_TEXT_MAX];
    size_t used = strlen(message);
    memcpy(text, message, used + 1); // messages are our own, and short
    if (word.end > word.at) {
        (void)ployi_fuzzy_copy(file, word, copy);
        size_t size = strlen(copy);
        text[used++] = ' ';
        text[used++] = '\'';
        memcpy(text + used, copy, size);
        used += size;
        text[used++] = '\'';
        text[used] = '\0';
    }
    ploy_fuzzy_source place = ployi_fuzzy_place(file, word.at);
    ploy_diags_add(file->diags, severity, code, file->name, place.line, place.column, text,
                   expected, nearest);
}

void ployi_fuzzy_wrong(ployi_fuzzy_file *file, ployi_fuzzy_span word, ploy_result code,
                       const char *message, const char *expected, const char *nearest) {
    if (file->result == PLOY_OK) file->result = code;
    fuzzy_file_report(file, PLOY_SEVERITY_ERROR, word, code, message, expected, nearest);
}

void ployi_fuzzy_warn(ployi_fuzzy_file *file, ployi_fuzzy_span word, const char *message) {
    fuzzy_file_report(file, PLOY_SEVERITY_WARNING, word, PLOY_OK, message, NULL, NULL);
}

static bool fuzzy_file_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

ployi_fuzzy_span ployi_fuzzy_trim(const ployi_fuzzy_file *file, ployi_fuzzy_span span) {
    while (span.at < span.end && fuzzy_file_blank(file->text[span.at])) span.at++;
    while (span.end > span.at && fuzzy_file_blank(file->text[span.end - 1])) span.end--;
    return span;
}

ployi_fuzzy_span ployi_fuzzy_take(const ployi_fuzzy_file *file, ployi_fuzzy_span *span) {
    *span = ployi_fuzzy_trim(file, *span);
    ployi_fuzzy_span word = {span->at, span->at};
    while (word.end < span->end && !fuzzy_file_blank(file->text[word.end])) word.end++;
    span->at = word.end;
    *span = ployi_fuzzy_trim(file, *span);
    return word;
}

bool ployi_fuzzy_span_is(const ployi_fuzzy_file *file, ployi_fuzzy_span span, const char *text) {
    size_t size = span.end - span.at;
    for (size_t i = 0; i < size; i++) {
        char a = file->text[span.at + i], b = text[i];
        if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
        if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
        if (b == '\0' || a != b) return false;
    }
    return text[size] == '\0';
}

bool ployi_fuzzy_number(ployi_fuzzy_file *file, ployi_fuzzy_span word, double *out) {
    const char *text = file->text + word.at;
    size_t size = word.end - word.at;
    if (ployi_fuzzy_span_is(file, word, "nan")) {
        *out = (double)NAN;
        return true;
    }
    ploy_result result = ploy_parse_f64(text, size, NULL, out);
    if (result == PLOY_OK) return true;
    ployi_fuzzy_wrong(file, word, result, size == 0 ? "missing number" : "invalid number",
                      "a number", NULL);
    return false;
}

// Small letters, cut to what a diagnostic holds.
static void fuzzy_file_lower(const char *from, char text[PLOY_DIAG_TEXT_MAX]) {
    size_t i = 0;
    for (; i + 1 < PLOY_DIAG_TEXT_MAX && from[i] != '\0'; i++) {
        text[i] = from[i] >= 'A' && from[i] <= 'Z' ? (char)(from[i] - 'A' + 'a') : from[i];
    }
    text[i] = '\0';
}

int32_t ployi_fuzzy_choose(ployi_fuzzy_file *file, ployi_fuzzy_span word, const char *what,
                           const char *const *texts, int32_t count) {
    char copy[PLOY_DIAG_TEXT_MAX], wanted[PLOY_DIAG_TEXT_MAX], offer[PLOY_DIAG_TEXT_MAX];
    fuzzy_file_lower(ployi_fuzzy_copy(file, word, copy), wanted);
    int32_t limit = ploy_nearest_make(wanted).distance;
    const char *nearest = NULL;
    for (int32_t i = 0; i < count; i++) {
        if (texts[i] == NULL) continue;
        if (ployi_fuzzy_span_is(file, word, texts[i])) return i;
        // Case does not count in these languages, so it does not in slips either.
        fuzzy_file_lower(texts[i], offer);
        int32_t distance = ploy_edit_distance(wanted, offer);
        if (distance >= limit) continue;
        limit = distance;
        nearest = texts[i];
    }
    ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, what, NULL, nearest);
    return -1;
}

// ---- terms ----

// jFuzzyLogic's names of shapes, and the order of their numbers as ours: place[i] is where its i-th
// number goes.
static const struct {
    const char *name;
    ploy_fuzzy_shape shape;
    int32_t place[4];
} fuzzy_file_aliases[] = {
    {"trian", PLOY_FUZZY_TRIANGLE, {0, 1, 2, 3}},
    {"trape", PLOY_FUZZY_TRAPEZOID, {0, 1, 2, 3}},
    {"gauss", PLOY_FUZZY_GAUSSIAN, {0, 1, 2, 3}},
    {"gauss2", PLOY_FUZZY_GAUSSIAN_PRODUCT, {0, 1, 2, 3}},
    {"gbell", PLOY_FUZZY_BELL, {1, 2, 0, 3}},
    {"sigm", PLOY_FUZZY_SIGMOID, {1, 0, 2, 3}},
    {"dsigm", PLOY_FUZZY_SIGMOID_DIFFERENCE, {1, 0, 2, 3}},
};

void ployi_fuzzy_add_set(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                         ployi_fuzzy_span name, const ploy_fuzzy_set *set) {
    char copy[PLOY_DIAG_TEXT_MAX];
    ploy_fuzzy_source place = ployi_fuzzy_place(file, name.at);
    const char *why = NULL;
    if (name.end - name.at >= PLOY_DIAG_TEXT_MAX) {
        ployi_fuzzy_wrong(file, name, PLOY_ERR_LIMIT, "name is too long:", NULL, NULL);
    } else if (ploy_fuzzy_set_check(set, &why) != PLOY_OK) {
        ployi_fuzzy_wrong(file, name, PLOY_ERR_FORMAT, why, NULL, NULL);
    } else if (variable >= 0) {
        (void)ploy_fuzzy_type_term_at(type, variable, ployi_fuzzy_copy(file, name, copy), set,
                                      &place);
    }
}

// The numbers behind a shape's name into values; false after a fault.
static bool fuzzy_file_numbers(ployi_fuzzy_file *file, ployi_fuzzy_span rest, ploy_array *values) {
    while (rest.at < rest.end) {
        double value = 0.0;
        ployi_fuzzy_span word = ployi_fuzzy_take(file, &rest);
        if (!ployi_fuzzy_number(file, word, &value)) return false;
        if (ploy_array_push(values, &value) != PLOY_OK) {
            file->result = PLOY_ERR_MEMORY;
            return false;
        }
    }
    return true;
}

// The formula is read later, so its place goes with it.
static void fuzzy_file_add_formula(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                                   ployi_fuzzy_span name, ployi_fuzzy_span rest) {
    char copy[PLOY_DIAG_TEXT_MAX];
    size_t size = rest.end - rest.at;
    char *formula = ploy_env_alloc(&file->env, size + 1);
    if (formula == NULL) {
        file->result = PLOY_ERR_MEMORY;
        return;
    }
    memcpy(formula, file->text + rest.at, size);
    formula[size] = '\0';
    ploy_fuzzy_set set = ploy_fuzzy_formula(formula);
    ploy_fuzzy_source place = ployi_fuzzy_place(file, rest.at);
    if (variable >= 0) {
        (void)ploy_fuzzy_type_term_at(type, variable, ployi_fuzzy_copy(file, name, copy), &set,
                                      &place);
    }
    ploy_env_free(&file->env, formula, size + 1);
}

void ployi_fuzzy_add_term(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                          ployi_fuzzy_span name, ployi_fuzzy_span rest) {
    enum { FUZZY_FILE_ALIASES = sizeof fuzzy_file_aliases / sizeof fuzzy_file_aliases[0] };
    const char *names[PLOY_FUZZY_SHAPE_COUNT + FUZZY_FILE_ALIASES];
    for (int32_t i = 0; i < PLOY_FUZZY_SHAPE_COUNT; i++) {
        names[i] = ploy_fuzzy_shape_text((ploy_fuzzy_shape)i);
    }
    for (int32_t i = 0; i < FUZZY_FILE_ALIASES; i++) {
        names[PLOY_FUZZY_SHAPE_COUNT + i] = fuzzy_file_aliases[i].name;
    }
    ployi_fuzzy_span word = ployi_fuzzy_take(file, &rest);
    int32_t chosen = ployi_fuzzy_choose(file, word, "unknown shape", names,
                                        PLOY_FUZZY_SHAPE_COUNT + FUZZY_FILE_ALIASES);
    if (chosen < 0) return;
    if (chosen == PLOY_FUZZY_FUNCTION) {
        fuzzy_file_add_formula(file, type, variable, name, rest);
        return;
    }
    ploy_array values;
    ploy_array_init(&values, sizeof(double), &file->env);
    if (fuzzy_file_numbers(file, rest, &values)) {
        int32_t alias = chosen - PLOY_FUZZY_SHAPE_COUNT;
        ploy_fuzzy_shape shape =
            alias >= 0 ? fuzzy_file_aliases[alias].shape : (ploy_fuzzy_shape)chosen;
        int32_t params = ploy_fuzzy_shape_params(shape);
        const double *numbers = PLOY_ARRAY_ITEMS(&values, double);
        ploy_fuzzy_set set = ploy_fuzzy_set_make(shape, 0.0, 0.0, 0.0, 0.0);
        bool fine = true;
        if (shape == PLOY_FUZZY_LINEAR || shape == PLOY_FUZZY_DISCRETE) {
            set.values = numbers;
            set.count = values.count;
            if (shape == PLOY_FUZZY_DISCRETE && values.count % 2 == 1) {
                set.height = numbers[--set.count]; // the number left over
            }
        } else if (values.count == params || values.count == params + 1) {
            for (int32_t i = 0; i < params; i++) {
                set.param[alias >= 0 ? fuzzy_file_aliases[alias].place[i] : i] = numbers[i];
            }
            if (values.count > params) set.height = numbers[params];
            // jFuzzyLogic's COSINE, in capitals as all its words are, has half the width and then
            // the centre.
            if (shape == PLOY_FUZZY_COSINE && file->text[word.at + 1] == 'O') {
                set.param[0] = numbers[1];
                set.param[1] = 2.0 * numbers[0];
            }
        } else {
            ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "wrong number of values for", NULL,
                              NULL);
            fine = false;
        }
        if (fine) ployi_fuzzy_add_set(file, type, variable, name, &set);
    }
    ploy_array_fini(&values);
}

int32_t ployi_fuzzy_add_variable(ployi_fuzzy_file *file, ploy_fuzzy_type *type, bool output,
                                 ployi_fuzzy_span name, const ploy_fuzzy_variable_def *def) {
    char copy[PLOY_DIAG_TEXT_MAX];
    const char *why = NULL;
    (void)ployi_fuzzy_copy(file, name, copy);
    if (name.at == name.end || copy[0] == '\0') { // or a name that begins with a zero byte
        why = "missing name of the variable";
    } else if (name.end - name.at >= PLOY_DIAG_TEXT_MAX) {
        why = "name is too long:";
    } else if (ploy_fuzzy_type_find(type, copy) >= 0) {
        why = "duplicate variable";
    } else if (!(def->min <= def->max)) {
        why = "range minimum exceeds its maximum in variable";
    } else if (def->samples < 1 || def->samples > PLOY_FUZZY_SAMPLES_MAX) {
        why = "number of samples is out of range in variable";
    }
    if (why != NULL) {
        ployi_fuzzy_wrong(file, name, PLOY_ERR_FORMAT, why, NULL, NULL);
        return -1;
    }
    return output ? ploy_fuzzy_type_output(type, copy, def)
                  : ploy_fuzzy_type_input(type, copy, def);
}

void ployi_fuzzy_add_rule(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t block,
                          ployi_fuzzy_span rule) {
    rule = ployi_fuzzy_trim(file, rule);
    size_t size = rule.end - rule.at;
    char *text = ploy_env_alloc(&file->env, size + 1);
    if (text == NULL) {
        file->result = PLOY_ERR_MEMORY;
        return;
    }
    // A zero byte would end the text early and hide what follows.
    for (size_t i = 0; i < size; i++) {
        text[i] = file->text[rule.at + i] != '\0' ? file->text[rule.at + i] : '?';
    }
    text[size] = '\0';
    ploy_fuzzy_source place = ployi_fuzzy_place(file, rule.at);
    ploy_result result = ploy_fuzzy_type_rule(type, block, text, &place);
    if (result != PLOY_OK && file->result == PLOY_OK) file->result = result;
    ploy_env_free(&file->env, text, size + 1);
}

ploy_result ployi_fuzzy_close(ployi_fuzzy_file *file, ploy_fuzzy_type *type,
                              ploy_fuzzy_type **out) {
    ploy_result result = ploy_fuzzy_type_finish(type, file->diags);
    // Memory that is short makes names unknown: that is not the file's fault.
    if (file->result != PLOY_OK && result != PLOY_ERR_MEMORY) result = file->result;
    if (result != PLOY_OK) {
        ploy_fuzzy_type_destroy(type);
        return result == PLOY_ERR_ARGUMENT || result == PLOY_ERR_EXISTS ? PLOY_ERR_FORMAT : result;
    }
    *out = type;
    return PLOY_OK;
}

void ployi_fuzzy_write_set(const ploy_fuzzy_set *set, ploy_writer *writer) {
    ploy_write_text(writer, ploy_fuzzy_shape_text(set->shape));
    if (set->shape == PLOY_FUZZY_FUNCTION) {
        ploy_write_char(writer, ' ');
        ploy_write_text(writer, set->formula);
        return;
    }
    int32_t params = ploy_fuzzy_shape_params(set->shape);
    for (int32_t i = 0; i < params + set->count; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_f64(writer, i < params ? set->param[i] : set->values[i - params]);
    }
    if (set->height != 1.0 && set->shape != PLOY_FUZZY_LINEAR) {
        ploy_write_char(writer, ' ');
        ploy_write_f64(writer, set->height);
    }
}
