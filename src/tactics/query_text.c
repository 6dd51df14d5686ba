// Queries as text; the lines are described in ploy/tactics/query.h. Every option becomes a
// ploy_query_option, so that a text and a table are checked by the same code.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "query_internal.h"

enum { QUERY_TEXT_WORDS = 24, QUERY_TEXT_LINE = 512 };

typedef struct query_text_word {
    const char *text; // in the copy of the line, ended by a zero
    int32_t column;
    bool quoted;
} query_text_word;

typedef struct query_text {
    ploy_query_type *type;
    ploy_query_def def;
    ploy_tactical_points *points;
    const char *file;
    ploy_diags *diags;
    ploy_result result; // the first fault
    int32_t line;
    char copy[QUERY_TEXT_LINE];
    query_text_word words[QUERY_TEXT_WORDS];
    int32_t count, at;
    bool open; // a from line was read
    ploy_query_option option;
    ploy_query_row rows[PLOY_QUERY_ROWS_MAX];
    ployi_query_where where[PLOY_QUERY_ROWS_MAX + 1]; // of the generator, then of rows
    char texts[PLOY_QUERY_ROWS_MAX + 1][PLOY_TACTICAL_RULE_MAX + 1]; // of rows; the last: the tag
} query_text;

static bool query_text_fault(query_text *text, ploy_result code, int32_t column,
                             const char *message, const char *expected, const char *nearest) {
    int32_t line = text->line < 1 ? 1 : text->line; // an empty text
    ploy_diags_add(text->diags, PLOY_SEVERITY_ERROR, code, text->file, line, column, message,
                   expected, nearest);
    if (text->result == PLOY_OK) text->result = code;
    return false;
}

static int32_t query_text_column(const query_text *text) {
    if (text->at < text->count) return text->words[text->at].column;
    return text->count > 0 ? text->words[text->count - 1].column +
                                 (int32_t)strlen(text->words[text->count - 1].text)
                           : 1;
}

static bool query_text_expected(query_text *text, const char *what) {
    bool end = text->at >= text->count;
    return query_text_fault(text, PLOY_ERR_FORMAT, query_text_column(text),
                            end ? "unexpected end of line" : "unexpected word", what, NULL);
}

// Cuts a line into words; a text in double quotes is one.
static bool query_text_split(query_text *text, const char *line, size_t size) {
    text->count = 0;
    text->at = 0;
    if (size >= QUERY_TEXT_LINE) {
        return query_text_fault(text, PLOY_ERR_LIMIT, 1, "line is too long", NULL, NULL);
    }
    memcpy(text->copy, line, size);
    text->copy[size] = 0;
    for (size_t i = 0; i < size;) {
        char c = text->copy[i];
        if (c == ' ' || c == '\t' || c == '\r') {
            i++;
            continue;
        }
        if (c == '#') break;
        if (text->count == QUERY_TEXT_WORDS) {
            return query_text_fault(text, PLOY_ERR_LIMIT, (int32_t)i + 1, "too many words", NULL,
                                    NULL);
        }
        query_text_word *word = &text->words[text->count++];
        word->quoted = c == '"';
        if (word->quoted) i++;
        word->text = text->copy + i;
        word->column = (int32_t)i + 1;
        while (i < size && (word->quoted ? text->copy[i] != '"'
                                         : text->copy[i] != ' ' && text->copy[i] != '\t' &&
                                               text->copy[i] != '\r')) {
            i++;
        }
        if (word->quoted && i == size) {
            return query_text_fault(text, PLOY_ERR_FORMAT, word->column, "missing closing quote",
                                    NULL, NULL);
        }
        text->copy[i++] = 0;
    }
    return true;
}

static bool query_text_is(const query_text *text, const char *word) {
    return text->at < text->count && !text->words[text->at].quoted &&
           strcmp(text->words[text->at].text, word) == 0;
}

static bool query_text_take(query_text *text, const char *word) {
    if (!query_text_is(text, word)) return false;
    text->at++;
    return true;
}

static bool query_text_number(query_text *text, float *out) {
    if (text->at >= text->count) return query_text_expected(text, "a number");
    const char *word = text->words[text->at].text;
    size_t used = 0;
    double number = 0.0;
    if (ploy_parse_f64(word, strlen(word), &used, &number) != PLOY_OK || used != strlen(word) ||
        !(fabs(number) <= 1e9)) {
        return query_text_expected(text, "a number");
    }
    *out = (float)number;
    text->at++;
    return true;
}

// A number of the def, within its field's range.
static bool query_text_setting(query_text *text, const char *field, float *out) {
    int32_t column = query_text_column(text);
    if (!query_text_number(text, out)) return false;
    const ploy_field *range = ploy_fields_find(ploy_query_fields(), field, NULL);
    if (ploy_in_range(*out, (float)range->min, (float)range->max)) return true;
    char expected[64];
    (void)snprintf(expected, sizeof expected, "a number from %g to %g", range->min, range->max);
    return query_text_fault(text, PLOY_ERR_ARGUMENT, column, "number is out of range", expected,
                            NULL);
}

static bool query_text_count(query_text *text, int32_t max, int32_t *out) {
    float number = 0.0f;
    if (!query_text_number(text, &number)) return false;
    if (number < 1.0f || number > (float)max || number != floorf(number)) {
        text->at--;
        return query_text_expected(text, "a whole number in range");
    }
    *out = (int32_t)number;
    return true;
}

// MIN..MAX, either of which may be left out.
static bool query_text_range(query_text *text, ploy_query_row *row) {
    row->require = true;
    row->min = -INFINITY;
    row->max = INFINITY;
    if (text->at >= text->count) return query_text_expected(text, "a range such as 0.5..1");
    const char *word = text->words[text->at].text;
    const char *dots = strstr(word, "..");
    if (dots == NULL) return query_text_expected(text, "a range such as 0.5..1");
    size_t used = 0, left = (size_t)(dots - word), right = strlen(dots + 2);
    double number = 0.0;
    if (left > 0) {
        if (ploy_parse_f64(word, left, &used, &number) != PLOY_OK || used != left) {
            return query_text_expected(text, "a range such as 0.5..1");
        }
        row->min = (float)number;
    }
    if (right > 0) {
        if (ploy_parse_f64(dots + 2, right, &used, &number) != PLOY_OK || used != right) {
            return query_text_expected(text, "a range such as 0.5..1");
        }
        row->max = (float)number;
    }
    text->at++;
    return true;
}

static bool query_text_choose(query_text *text, const char *const *names, int32_t count,
                              int32_t *out) {
    char list[96] = "";
    size_t length = 0;
    for (int32_t i = 0; i < count; i++) { // "a, b or c"
        const char *after = i + 2 < count ? ", " : i + 2 == count ? " or " : "";
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", names[i], after);
        PLOY_ASSERT(length < sizeof list);
    }
    if (text->at >= text->count) return query_text_expected(text, list);
    const char *word = text->words[text->at].text;
    ploy_nearest nearest = ploy_nearest_make(word);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            *out = i;
            text->at++;
            return true;
        }
        ploy_nearest_offer(&nearest, names[i]);
    }
    return query_text_fault(text, PLOY_ERR_FORMAT, query_text_column(text), "unknown word", list,
                            nearest.best);
}

static bool query_text_keep(query_text *text, int32_t row) {
    if (text->at >= text->count) return query_text_expected(text, "a name");
    const char *word = text->words[text->at].text;
    if (strlen(word) > PLOY_TACTICAL_RULE_MAX) {
        return query_text_fault(text, PLOY_ERR_LIMIT, query_text_column(text), "text is too long",
                                NULL, NULL);
    }
    memcpy(text->texts[row], word, strlen(word) + 1);
    text->at++;
    return true;
}

static bool query_text_curve(query_text *text, ploy_curve *out) {
    static const char *const kinds[] = {"linear", "power", "inverse", "logistic", "table"};
    int32_t kind = 0;
    float a = 0.0f, b = 0.0f;
    if (!query_text_choose(text, kinds, 5, &kind)) return false;
    if (kind == PLOY_CURVE_TABLE) { // pairs of numbers to the end of the line
        float x[PLOY_CURVE_POINTS_MAX], y[PLOY_CURVE_POINTS_MAX];
        int32_t count = 0, column = query_text_column(text);
        while (text->at < text->count && count < PLOY_CURVE_POINTS_MAX) {
            if (!query_text_number(text, &x[count]) || !query_text_number(text, &y[count])) {
                return false;
            }
            count++;
        }
        if (ploy_curve_table(x, y, count, out) == PLOY_OK) return true;
        return query_text_fault(text, PLOY_ERR_FORMAT, column, "invalid curve",
                                "pairs of numbers with rising x", NULL);
    }
    if (!query_text_number(text, &a)) return false;
    if (kind == PLOY_CURVE_POWER) {
        *out = ploy_curve_power(a);
        return true;
    }
    if (!query_text_number(text, &b)) return false;
    *out = kind == PLOY_CURVE_LINEAR    ? ploy_curve_linear(a, b)
           : kind == PLOY_CURVE_INVERSE ? ploy_curve_inverse(a, b)
                                        : ploy_curve_logistic(a, b);
    return true;
}

// test MEASURE [in MIN..MAX] [weight W] [from LOW to HIGH] [curve KIND ...]
static bool query_text_test(query_text *text) {
    static const char *const measures[] = {"quality", "against", "distance", "hidden",
                                           "sees",    "sight",   "path"};
    static const char *const whoms[] = {"self", "target", "enemy"};
    if (!text->open) {
        return query_text_fault(text, PLOY_ERR_FORMAT, 1, "missing generator of a test",
                                "a line 'from' above it", NULL);
    }
    int32_t index = text->option.row_count, choice = 0;
    if (index == PLOY_QUERY_ROWS_MAX) {
        return query_text_fault(text, PLOY_ERR_LIMIT, 1, "too many tests", NULL, NULL);
    }
    ploy_query_row *row = &text->rows[index];
    memset(row, 0, sizeof *row);
    ployi_query_where where = {text->line, query_text_column(text)};
    if (text->at < text->count && text->words[text->at].quoted) {
        row->measure = PLOY_QUERY_TEXT;
        if (!query_text_keep(text, index)) return false;
        row->of = text->texts[index];
    } else {
        if (!query_text_choose(text, measures, 7, &choice)) return false;
        row->measure = (ploy_query_measure)(choice + PLOY_QUERY_QUALITY);
        if (row->measure <= PLOY_QUERY_AGAINST) {
            where.column = query_text_column(text);
            if (!query_text_keep(text, index)) return false;
            row->of = text->texts[index];
        } else if (row->measure == PLOY_QUERY_DISTANCE) {
            if (!query_text_choose(text, whoms, 3, &choice)) return false;
            row->whom = (ploy_query_whom)choice;
        }
    }
    bool good = true;
    while (good && text->at < text->count) {
        if (query_text_take(text, "in")) {
            good = query_text_range(text, row);
        } else if (query_text_take(text, "weight")) {
            good = query_text_number(text, &row->weight);
        } else if (query_text_take(text, "from")) {
            good = query_text_number(text, &row->low) &&
                   (query_text_take(text, "to") || query_text_expected(text, "'to'")) &&
                   query_text_number(text, &row->high);
        } else if (query_text_take(text, "curve")) {
            good = query_text_curve(text, &row->curve);
        } else {
            good = query_text_expected(text, "'in', 'weight', 'from' or 'curve'");
        }
    }
    if (!good) return false;
    text->where[++text->option.row_count] = where;
    return true;
}

// from GENERATOR ...
static bool query_text_from(query_text *text) {
    static const char *const names[] = {"points", "ring", "grid", "cone", "path", "places", "list"};
    int32_t from = 0;
    if (text->open) {
        return query_text_fault(text, PLOY_ERR_FORMAT, 1, "duplicate generator of one option",
                                "'else' above it", NULL);
    }
    if (!query_text_choose(text, names, 7, &from)) return false;
    memset(&text->option, 0, sizeof text->option);
    text->option.from = (ploy_query_generator)from;
    text->option.radius = INFINITY;
    text->option.spacing = 1.0f;
    text->option.count = 16;
    text->where[0] = (ployi_query_where){text->line, text->words[0].column};
    text->open = true;
    bool round = from >= PLOY_QUERY_FROM_RING && from <= PLOY_QUERY_FROM_CONE;
    bool good = !round || query_text_number(text, &text->option.radius);
    if (from == PLOY_QUERY_FROM_POINTS && text->at < text->count &&
        !query_text_is(text, "within")) {
        text->where[0].column = query_text_column(text);
        good = query_text_keep(text, PLOY_QUERY_ROWS_MAX);
        text->option.tag = text->texts[PLOY_QUERY_ROWS_MAX];
    }
    while (good && text->at < text->count) {
        if (!round && query_text_take(text, "within")) {
            good = query_text_number(text, &text->option.radius);
        } else if (query_text_take(text, "spacing")) {
            good = query_text_number(text, &text->option.spacing);
        } else if (from == PLOY_QUERY_FROM_RING && query_text_take(text, "count")) {
            good = query_text_count(text, 1 << 16, &text->option.count);
        } else if (from == PLOY_QUERY_FROM_CONE && query_text_take(text, "arc")) {
            good = query_text_number(text, &text->option.arc);
        } else {
            good = query_text_expected(text, round ? "'spacing', 'count' or 'arc'"
                                                   : "'within' or 'spacing'");
        }
    }
    return good;
}

static bool query_text_pick(query_text *text) {
    static const char *const picks[] = {"best", "random", "apart", "shortest"};
    ploy_query_def *def = &text->def;
    if (!query_text_choose(text, picks, 4, &def->pick)) return false;
    if (def->pick == PLOY_QUERY_RANDOM) {
        return query_text_count(text, PLOY_QUERY_SPOTS_MAX, &def->best_of);
    }
    if (def->pick != PLOY_QUERY_APART) return true;
    return query_text_count(text, PLOY_QUERY_SPOTS_MAX, &def->spots) &&
           query_text_setting(text, "apart", &def->apart);
}

// quality NAME = RULE, the rule as it is written.
static bool query_text_quality(query_text *text, const char *line, size_t size) {
    char rule[PLOY_TACTICAL_RULE_MAX + 1];
    const char *equals = memchr(line, '=', size);
    if (text->count < 4 || equals == NULL || strcmp(text->words[2].text, "=") != 0) {
        return query_text_fault(text, PLOY_ERR_FORMAT, 1, "incomplete quality",
                                "quality NAME = RULE", NULL);
    }
    size_t at = (size_t)(equals + 1 - line), end = size;
    const char *comment = memchr(line + at, '#', size - at);
    if (comment != NULL) end = (size_t)(comment - line);
    while (at < end && (line[at] == ' ' || line[at] == '\t')) at++;
    if (end - at > PLOY_TACTICAL_RULE_MAX) {
        return query_text_fault(text, PLOY_ERR_LIMIT, 1, "rule is too long", NULL, NULL);
    }
    memcpy(rule, line + at, end - at);
    rule[end - at] = 0;
    if (text->points == NULL) {
        return query_text_fault(text, PLOY_ERR_ARGUMENT, 1, "missing tactical points of a quality",
                                NULL, NULL);
    }
    int64_t before = text->diags == NULL ? 0 : ploy_diags_total(text->diags, PLOY_SEVERITY_ERROR);
    ploy_result result =
        ploy_tactical_points_define(text->points, text->words[1].text, rule, text->file, text->line,
                                    (int32_t)at + 1, text->diags);
    if (result == PLOY_OK) return true;
    if (text->diags != NULL && ploy_diags_total(text->diags, PLOY_SEVERITY_ERROR) == before) {
        return query_text_fault(text, result, 1, "invalid quality", NULL, NULL);
    }
    if (text->result == PLOY_OK) text->result = result;
    return false;
}

static void query_text_end_option(query_text *text) {
    if (!text->open) {
        (void)query_text_fault(text, PLOY_ERR_FORMAT, 1, "missing generator of an option",
                               "a line 'from'", NULL);
        return;
    }
    text->open = false;
    text->option.rows = text->rows;
    ploy_result result =
        ployi_query_add(text->type, &text->option, text->file, text->where, text->diags);
    if (result != PLOY_OK && text->result == PLOY_OK) text->result = result;
    text->option.row_count = 0;
}

// The first reading takes settings and qualities, because the words of expressions are those of the
// set when the type is made; the second one takes the options.
static void query_text_line(query_text *text, const char *line, size_t size, bool settings) {
    if (!query_text_split(text, line, size) || text->count == 0) return;
    bool done = true;
    if (query_text_is(text, "quality")) {
        if (settings) (void)query_text_quality(text, line, size);
        return;
    }
    bool setting = query_text_is(text, "pick") || query_text_is(text, "margin");
    if (settings != setting) return;
    if (query_text_take(text, "from")) {
        done = query_text_from(text);
    } else if (query_text_take(text, "test")) {
        done = query_text_test(text);
    } else if (query_text_take(text, "else")) {
        query_text_end_option(text);
    } else if (query_text_take(text, "pick")) {
        done = query_text_pick(text);
    } else if (query_text_take(text, "margin")) {
        done = query_text_setting(text, "margin", &text->def.margin);
    } else {
        static const char *const words[] = {"from", "test", "else", "pick", "margin", "quality"};
        int32_t which = 0;
        done = query_text_choose(text, words, 6, &which);
    }
    if (done && text->at < text->count) (void)query_text_expected(text, "the end of the line");
}

static void query_text_read(query_text *text, const char *bytes, size_t size, bool settings) {
    text->line = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - (bytes + at));
        text->line++;
        query_text_line(text, bytes + at, length, settings);
        at += length + 1;
    }
}

ploy_result ploy_query_type_load(const char *bytes, size_t size, const char *name,
                                 const ploy_query_def *def, ploy_tactical_points *points,
                                 const ploy_blackboard_layout *layout, const ploy_env *env,
                                 ploy_diags *diags, ploy_query_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_query_def usual = ploy_query_def_default();
    query_text *text = ploy_env_alloc_zero(env, sizeof *text);
    if (text == NULL) return PLOY_ERR_MEMORY;
    text->points = points;
    text->file = name == NULL ? "query" : name;
    text->diags = diags;
    text->def = def == NULL ? usual : *def;
    query_text_read(text, bytes, size, true);
    ploy_result begun = ployi_query_type_begin(text->result == PLOY_OK ? &text->def : &usual,
                                               points, layout, env, &text->type);
    if (begun == PLOY_OK) {
        query_text_read(text, bytes, size, false);
        query_text_end_option(text);
    }
    ploy_result result = text->result != PLOY_OK ? text->result : begun;
    if (result == PLOY_OK) {
        *out = text->type;
    } else {
        ploy_query_type_destroy(text->type);
    }
    ploy_env_free(env, text, sizeof *text);
    return result;
}
