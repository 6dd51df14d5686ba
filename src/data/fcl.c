// FCL, the Fuzzy Control Language of IEC 61131-7; described in the header.
//
// Comments are blanked first, keeping every place. A statement ends at its semicolon or, as the
// files of fuzzylite and jFuzzyLogic leave some out, before a line that begins another.
#include <string.h>

#include "fcl_names.h"
#include "fuzzy_file.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

// ---- the text ----

// Blanks `(* *)`, `/* */` and `//` to the line's end.
static void fcl_blank_comments(char *text, size_t size) {
    for (size_t i = 0; i + 1 < size; i++) {
        char first = text[i], second = text[i + 1];
        if (first == '/' && second == '/') {
            while (i < size && text[i] != '\n') text[i++] = ' ';
        } else if ((first == '(' || first == '/') && second == '*') {
            char close = first == '(' ? ')' : '/';
            text[i++] = ' ';
            text[i++] = ' ';
            while (i < size && !(text[i] == '*' && i + 1 < size && text[i + 1] == close)) {
                if (text[i] != '\n') text[i] = ' ';
                i++;
            }
            if (i < size) text[i++] = ' ';
            if (i < size) text[i] = ' ';
        }
    }
}

static bool fcl_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

// The word at a place, after blanks.
static ployi_fuzzy_span fcl_word(const ployi_fuzzy_file *file, size_t at, size_t end) {
    ployi_fuzzy_span rest = {at, end};
    rest = ployi_fuzzy_trim(file, rest);
    ployi_fuzzy_span word = {rest.at, rest.at};
    while (word.end < rest.end && fcl_is_word(file->text[word.end])) word.end++;
    return word;
}

// Where the word's statement puts its value: behind ':=', ':' or '='. `at` if there is none.
static size_t fcl_behind_sign(const ployi_fuzzy_file *file, size_t at, size_t end) {
    ployi_fuzzy_span rest = {at, end};
    rest = ployi_fuzzy_trim(file, rest);
    size_t i = rest.at;
    if (i < rest.end && file->text[i] == ':') i++;
    if (i < rest.end && file->text[i] == '=') i++;
    return i > rest.at ? i : at;
}

enum {
    FCL_TERM,
    FCL_METHOD,
    FCL_DEFAULT,
    FCL_RANGE,
    FCL_ACCU,
    FCL_RULE,
    FCL_ACT,
    FCL_AND,
    FCL_OR,
    FCL_STATEMENTS
};
static const char *const fcl_statements[FCL_STATEMENTS] = {
    "TERM", "METHOD", "DEFAULT", "RANGE", "ACCU", "RULE", "ACT", "AND", "OR"};

enum { FCL_BLOCK, FCL_INPUTS, FCL_OUTPUTS, FCL_FUZZIFY, FCL_DEFUZZIFY, FCL_RULES, FCL_SECTIONS };
static const struct {
    const char *name, *end;
} fcl_sections[FCL_SECTIONS] = {
    {"FUNCTION_BLOCK", "END_FUNCTION_BLOCK"},
    {"VAR_INPUT", "END_VAR"},
    {"VAR_OUTPUT", "END_VAR"},
    {"FUZZIFY", "END_FUZZIFY"},
    {"DEFUZZIFY", "END_DEFUZZIFY"},
    {"RULEBLOCK", "END_RULEBLOCK"},
};

static int32_t fcl_section_of(const ployi_fuzzy_file *file, ployi_fuzzy_span word) {
    for (int32_t i = 0; i < FCL_SECTIONS; i++) {
        if (ployi_fuzzy_span_is(file, word, fcl_sections[i].name)) return i;
    }
    return -1;
}

// True if a statement, a section or its end begins with the word at `at`.
static bool fcl_begins(const ployi_fuzzy_file *file, size_t at, size_t end) {
    ployi_fuzzy_span word = fcl_word(file, at, end);
    if (word.at == word.end) return false;
    for (int32_t i = 0; i < FCL_STATEMENTS; i++) {
        if (!ployi_fuzzy_span_is(file, word, fcl_statements[i])) continue;
        // A line of a rule may begin with "and": the setting has a sign behind it.
        return i < FCL_ACT || fcl_behind_sign(file, word.end, end) != word.end;
    }
    for (int32_t i = 0; i < FCL_SECTIONS; i++) {
        if (ployi_fuzzy_span_is(file, word, fcl_sections[i].end)) return true;
    }
    return fcl_section_of(file, word) >= 0;
}

// The statement from `at` on, without its semicolon; *next is behind it.
static ployi_fuzzy_span fcl_statement(const ployi_fuzzy_file *file, size_t at, size_t end,
                                      size_t *next) {
    ployi_fuzzy_span span = {at, at};
    while (span.at < end && (file->text[span.at] == ';' || file->text[span.at] == ' ' ||
                             file->text[span.at] == '\t' || file->text[span.at] == '\r' ||
                             file->text[span.at] == '\n')) {
        span.at++;
    }
    span.end = span.at;
    while (span.end < end && file->text[span.end] != ';' &&
           !(file->text[span.end] == '\n' && fcl_begins(file, span.end, end))) {
        span.end++;
    }
    *next = span.end < end ? span.end + 1 : end;
    return ployi_fuzzy_trim(file, span);
}

// ---- sections ----

typedef struct fcl_section {
    int32_t kind;
    ployi_fuzzy_span name; // on the heading's line; may be empty
    ployi_fuzzy_span body;
} fcl_section;

// Where the section that began before `at` ends: before its closing word.
static bool fcl_find_end(const ployi_fuzzy_file *file, size_t at, int32_t kind,
                         ployi_fuzzy_span *body, size_t *next) {
    body->at = at;
    while (at < file->size) {
        while (at < file->size && !fcl_is_word(file->text[at])) at++;
        ployi_fuzzy_span word = {at, at};
        while (word.end < file->size && fcl_is_word(file->text[word.end])) word.end++;
        if (word.end > word.at && ployi_fuzzy_span_is(file, word, fcl_sections[kind].end)) {
            body->end = word.at;
            *next = word.end;
            return true;
        }
        at = word.end;
    }
    body->end = *next = file->size;
    return false;
}

// The rest of the heading's line.
static ployi_fuzzy_span fcl_heading(const ployi_fuzzy_file *file, size_t at, size_t end) {
    ployi_fuzzy_span line = {at, at};
    while (line.end < end && file->text[line.end] != '\n') line.end++;
    return fcl_word(file, line.at, line.end);
}

// All sections of the function block in `body`.
static void fcl_list_sections(ployi_fuzzy_file *file, ployi_fuzzy_span body, ploy_array *sections) {
    size_t at = body.at;
    while (at < body.end) {
        ployi_fuzzy_span word = fcl_word(file, at, body.end);
        if (word.at == word.end) {
            ployi_fuzzy_span rest = {at, body.end};
            rest = ployi_fuzzy_trim(file, rest);
            if (rest.at == rest.end) return;
            if (file->text[rest.at] != ';') {
                word.at = rest.at;
                word.end = rest.at + 1;
                ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "unexpected text", NULL, NULL);
            }
            at = rest.at + 1;
            continue;
        }
        fcl_section section;
        memset(&section, 0, sizeof section);
        section.kind = fcl_section_of(file, word);
        if (section.kind < FCL_INPUTS) {
            const char *names[FCL_SECTIONS];
            for (int32_t i = 0; i < FCL_SECTIONS; i++) {
                names[i] = i >= FCL_INPUTS ? fcl_sections[i].name : NULL;
            }
            (void)ployi_fuzzy_choose(file, word, "unknown section", names, FCL_SECTIONS);
            at = word.end;
            while (at < body.end && file->text[at] != '\n') at++;
            continue;
        }
        size_t start = word.end;
        if (section.kind >= FCL_FUZZIFY) {
            section.name = fcl_heading(file, word.end, body.end);
            if (section.name.end > section.name.at) start = section.name.end;
        }
        if (!fcl_find_end(file, start, section.kind, &section.body, &at) || at > body.end) {
            ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "unclosed section",
                              fcl_sections[section.kind].end, NULL);
            return;
        }
        if (ploy_array_push(sections, &section) != PLOY_OK) {
            file->result = PLOY_ERR_MEMORY;
            return;
        }
    }
}

// ---- values ----

static void fcl_norm(ployi_fuzzy_file *file, ployi_fuzzy_span value, bool conjunctive,
                     ploy_fuzzy_norm *out) {
    const char *names[PLOYI_FCL_NORMS];
    for (int32_t i = 0; i < PLOYI_FCL_NORMS; i++) {
        ploy_fuzzy_norm norm = ployi_fcl_norms[i].norm;
        bool fits = norm == PLOY_FUZZY_NONE ||
                    (conjunctive ? ploy_fuzzy_norm_is_and(norm) : ploy_fuzzy_norm_is_or(norm));
        names[i] = fits ? ployi_fcl_norms[i].name : NULL;
    }
    int32_t chosen = ployi_fuzzy_choose(file, value, "unknown method", names, PLOYI_FCL_NORMS);
    if (chosen >= 0) *out = ployi_fcl_norms[chosen].norm;
}

static void fcl_method(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                       ploy_fuzzy_variable_def *def) {
    const char *names[PLOYI_FCL_METHODS];
    for (int32_t i = 0; i < PLOYI_FCL_METHODS; i++) names[i] = ployi_fcl_methods[i].name;
    int32_t chosen = ployi_fuzzy_choose(file, value, "unknown method", names, PLOYI_FCL_METHODS);
    if (chosen >= 0) def->defuzzifier = ployi_fcl_methods[chosen].defuzzifier;
}

// `(a .. b)`.
static void fcl_range(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                      ploy_fuzzy_variable_def *def) {
    size_t dots = value.at;
    while (dots + 1 < value.end && !(file->text[dots] == '.' && file->text[dots + 1] == '.'))
        dots++;
    bool bracketed =
        value.end - value.at > 1 && file->text[value.at] == '(' && file->text[value.end - 1] == ')';
    if (!bracketed || dots + 1 >= value.end) {
        ployi_fuzzy_wrong(file, value, PLOY_ERR_FORMAT, "invalid range", "(min .. max)", NULL);
        return;
    }
    ployi_fuzzy_span from = {value.at + 1, dots}, to = {dots + 2, value.end - 1};
    double min = 0.0, max = 0.0;
    if (!ployi_fuzzy_number(file, ployi_fuzzy_trim(file, from), &min) ||
        !ployi_fuzzy_number(file, ployi_fuzzy_trim(file, to), &max)) {
        return;
    }
    if (min != min || max != max) {
        ployi_fuzzy_wrong(file, value, PLOY_ERR_FORMAT, "invalid range", "two numbers", NULL);
        return;
    }
    def->min = min;
    def->max = max;
}

// `value`, `NC` or `value | NC`; NC keeps what was.
static void fcl_default(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                        ploy_fuzzy_variable_def *def) {
    ployi_fuzzy_span part = {value.at, value.at};
    while (part.at < value.end) {
        part.end = part.at;
        while (part.end < value.end && file->text[part.end] != '|') part.end++;
        ployi_fuzzy_span word = ployi_fuzzy_trim(file, part);
        double number = 0.0;
        if (ployi_fuzzy_span_is(file, word, "NC")) {
            def->lock_previous = true;
        } else if (ployi_fuzzy_number(file, word, &number)) {
            def->fall_back = number == number;
            def->fallback = number != number ? 0.0 : number;
        }
        part.at = part.end + 1;
    }
}

// `(x, y) (x, y) ...`
static void fcl_points(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                       ployi_fuzzy_span name, ployi_fuzzy_span value, bool weighted) {
    ploy_array values;
    ploy_array_init(&values, sizeof(double), &file->env);
    bool fine = true;
    for (size_t at = value.at; at < value.end && fine;) {
        static const char ends[2] = {',', ')'};
        fine = file->text[at] == '(';
        ployi_fuzzy_span place = {at, at + 1};
        if (!fine) {
            ployi_fuzzy_wrong(file, place, PLOY_ERR_FORMAT, "invalid point", "(x, degree)", NULL);
        }
        at++;
        for (int32_t i = 0; i < 2 && fine; i++) {
            ployi_fuzzy_span number = {at, at};
            while (number.end < value.end && file->text[number.end] != ends[i] &&
                   file->text[number.end] != '(') {
                number.end++;
            }
            double x = 0.0;
            fine = ployi_fuzzy_number(file, ployi_fuzzy_trim(file, number), &x);
            if (fine && (number.end >= value.end || file->text[number.end] != ends[i])) {
                ployi_fuzzy_wrong(file, number, PLOY_ERR_FORMAT, "unclosed point", "(x, degree)",
                                  NULL);
                fine = false;
            }
            at = number.end + 1;
            if (fine && ploy_array_push(&values, &x) != PLOY_OK) {
                file->result = PLOY_ERR_MEMORY;
                fine = false;
            }
        }
        ployi_fuzzy_span rest = {at < value.end ? at : value.end, value.end};
        at = ployi_fuzzy_trim(file, rest).at;
    }
    if (fine) {
        const double *numbers = PLOY_ARRAY_ITEMS(&values, double);
        // One point of a weighted output is a number.
        ploy_fuzzy_set set = values.count == 2 && weighted
                                 ? ploy_fuzzy_constant(numbers[0])
                                 : ploy_fuzzy_discrete(numbers, values.count / 2);
        ployi_fuzzy_add_set(file, type, variable, name, &set);
    }
    ploy_array_fini(&values);
}

// `TERM name := value`, with the word TERM taken off.
static void fcl_term(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable, bool weighted,
                     ployi_fuzzy_span statement) {
    ployi_fuzzy_span name = fcl_word(file, statement.at, statement.end);
    size_t behind = fcl_behind_sign(file, name.end, statement.end);
    ployi_fuzzy_span value = {behind, statement.end};
    value = ployi_fuzzy_trim(file, value);
    if (name.at == name.end || behind == name.end || value.at == value.end) {
        ployi_fuzzy_wrong(file, statement, PLOY_ERR_FORMAT, "invalid term", "name := shape", NULL);
        return;
    }
    char first = file->text[value.at];
    if (first == '(') {
        fcl_points(file, type, variable, name, value, weighted);
    } else if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.' ||
               ployi_fuzzy_span_is(file, value, "nan")) {
        double number = 0.0;
        if (!ployi_fuzzy_number(file, value, &number)) return;
        ploy_fuzzy_set set = ploy_fuzzy_constant(number);
        if (variable < PLOY_FUZZY_OUTPUT) set.shape = PLOY_FUZZY_SINGLETON;
        ployi_fuzzy_add_set(file, type, variable, name, &set);
    } else {
        ployi_fuzzy_add_term(file, type, variable, name, value);
    }
}

// The statement's word, and its value behind the sign.
static int32_t fcl_split(ployi_fuzzy_file *file, ployi_fuzzy_span statement, uint32_t allowed,
                         ployi_fuzzy_span *value) {
    const char *names[FCL_STATEMENTS];
    ployi_fuzzy_span word = fcl_word(file, statement.at, statement.end);
    if (word.at == word.end) word.end = statement.end;
    for (int32_t i = 0; i < FCL_STATEMENTS; i++) {
        names[i] = (allowed & (1u << i)) != 0 ? fcl_statements[i] : NULL;
    }
    value->at = fcl_behind_sign(file, word.end, statement.end);
    value->end = statement.end;
    *value = ployi_fuzzy_trim(file, *value);
    return ployi_fuzzy_choose(file, word, "unknown statement", names, FCL_STATEMENTS);
}

// ---- putting it together ----

typedef struct fcl_reader {
    ployi_fuzzy_file file;
    ploy_fuzzy_type *type;
    ploy_array sections;
    int32_t samples;
} fcl_reader;

static fcl_section *fcl_section_at(const fcl_reader *reader, int32_t i) {
    return PLOY_ARRAY_AT(&reader->sections, fcl_section, i);
}

// ACCU of the first rule block that has one, else MAX.
static ploy_fuzzy_norm fcl_common_accu(fcl_reader *reader) {
    ployi_fuzzy_file *file = &reader->file;
    ploy_fuzzy_norm norm = PLOY_FUZZY_MAXIMUM;
    for (int32_t i = 0; i < reader->sections.count; i++) {
        const fcl_section *section = fcl_section_at(reader, i);
        if (section->kind != FCL_RULES) continue;
        for (size_t at = section->body.at; at < section->body.end;) {
            ployi_fuzzy_span statement = fcl_statement(file, at, section->body.end, &at);
            ployi_fuzzy_span word = fcl_word(file, statement.at, statement.end);
            if (!ployi_fuzzy_span_is(file, word, "ACCU")) continue;
            ployi_fuzzy_span value = {fcl_behind_sign(file, word.end, statement.end),
                                      statement.end};
            fcl_norm(file, ployi_fuzzy_trim(file, value), false, &norm);
            return norm;
        }
    }
    return norm;
}

// One declared variable with all that its section says.
static void fcl_variable(fcl_reader *reader, bool output, ployi_fuzzy_span name,
                         ploy_fuzzy_norm accu) {
    ployi_fuzzy_file *file = &reader->file;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    char wanted[PLOY_DIAG_TEXT_MAX], found[PLOY_DIAG_TEXT_MAX];
    (void)ployi_fuzzy_copy(file, name, wanted);
    def.samples = reader->samples;
    def.aggregation = accu;
    uint32_t allowed = 1u << FCL_TERM | 1u << FCL_RANGE;
    if (output) allowed |= 1u << FCL_METHOD | 1u << FCL_DEFAULT | 1u << FCL_ACCU;
    const fcl_section *section = NULL;
    for (int32_t i = 0; i < reader->sections.count && section == NULL; i++) {
        const fcl_section *other = fcl_section_at(reader, i);
        if (other->kind != (output ? FCL_DEFUZZIFY : FCL_FUZZIFY)) continue;
        if (strcmp(ployi_fuzzy_copy(file, other->name, found), wanted) == 0) section = other;
    }
    for (int32_t pass = 0, variable = -1; pass < 2; pass++) {
        for (size_t at = section != NULL ? section->body.at : 0;
             section != NULL && at < section->body.end;) {
            ployi_fuzzy_span statement = fcl_statement(file, at, section->body.end, &at), value;
            if (statement.at == statement.end) continue;
            if (pass == 1) {
                ployi_fuzzy_span word = fcl_word(file, statement.at, statement.end);
                if (!ployi_fuzzy_span_is(file, word, "TERM")) continue;
                bool weighted = def.defuzzifier == PLOY_FUZZY_WEIGHTED_AVERAGE ||
                                def.defuzzifier == PLOY_FUZZY_WEIGHTED_SUM;
                ployi_fuzzy_span term = {word.end, statement.end};
                fcl_term(file, reader->type, variable, output && weighted, term);
                continue;
            }
            switch (fcl_split(file, statement, allowed, &value)) {
            case FCL_RANGE: fcl_range(file, value, &def); break;
            case FCL_METHOD: fcl_method(file, value, &def); break;
            case FCL_DEFAULT: fcl_default(file, value, &def); break;
            case FCL_ACCU: fcl_norm(file, value, false, &def.aggregation); break;
            default: break;
            }
        }
        if (pass == 0) {
            variable = ployi_fuzzy_add_variable(file, reader->type, output, name, &def);
            if (variable < 0) return;
        }
    }
}

// The declarations of a VAR section: `name : REAL;`
static void fcl_declarations(fcl_reader *reader, const fcl_section *section, ploy_fuzzy_norm accu) {
    ployi_fuzzy_file *file = &reader->file;
    for (size_t at = section->body.at; at < section->body.end;) {
        ployi_fuzzy_span statement = fcl_statement(file, at, section->body.end, &at);
        if (statement.at == statement.end) continue;
        ployi_fuzzy_span name = fcl_word(file, statement.at, statement.end);
        ployi_fuzzy_span type = {fcl_behind_sign(file, name.end, statement.end), statement.end};
        type = ployi_fuzzy_trim(file, type);
        if (name.at == name.end || type.at == name.end ||
            !(ployi_fuzzy_span_is(file, type, "REAL") || ployi_fuzzy_span_is(file, type, "INT"))) {
            ployi_fuzzy_wrong(file, statement, PLOY_ERR_FORMAT, "invalid declaration",
                              "name : REAL", NULL);
            continue;
        }
        fcl_variable(reader, section->kind == FCL_OUTPUTS, name, accu);
    }
}

static void fcl_rule_block(fcl_reader *reader, const fcl_section *section) {
    ployi_fuzzy_file *file = &reader->file;
    ploy_fuzzy_block_def def = ploy_fuzzy_block_def_default();
    bool has_and = false, has_or = false;
    uint32_t allowed =
        1u << FCL_RULE | 1u << FCL_ACT | 1u << FCL_AND | 1u << FCL_OR | 1u << FCL_ACCU;
    char name[PLOY_DIAG_TEXT_MAX];
    int32_t block = -1;
    for (int32_t pass = 0; pass < 2; pass++) {
        for (size_t at = section->body.at; at < section->body.end;) {
            ployi_fuzzy_span statement = fcl_statement(file, at, section->body.end, &at), value;
            if (statement.at == statement.end) continue;
            if (pass == 1) {
                ployi_fuzzy_span word = fcl_word(file, statement.at, statement.end);
                if (!ployi_fuzzy_span_is(file, word, "RULE")) continue;
                ployi_fuzzy_span rule = {word.end, statement.end};
                while (rule.at < rule.end && file->text[rule.at] != ':') rule.at++;
                if (rule.at == rule.end) {
                    ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "missing ':' in rule",
                                      "RULE number : if", NULL);
                    continue;
                }
                rule.at++;
                ployi_fuzzy_add_rule(file, reader->type, block, rule);
                continue;
            }
            switch (fcl_split(file, statement, allowed, &value)) {
            case FCL_ACT: fcl_norm(file, value, true, &def.implication); break;
            case FCL_AND:
                has_and = true;
                fcl_norm(file, value, true, &def.conjunction);
                break;
            case FCL_OR:
                has_or = true;
                fcl_norm(file, value, false, &def.disjunction);
                break;
            default: break;
            }
        }
        if (pass == 1) break;
        if (has_and && !has_or) def.disjunction = ploy_fuzzy_norm_dual(def.conjunction);
        if (has_or && !has_and) def.conjunction = ploy_fuzzy_norm_dual(def.disjunction);
        block =
            ploy_fuzzy_type_block(reader->type, ployi_fuzzy_copy(file, section->name, name), &def);
        if (block < 0) return;
    }
}

// Sections of variables without a declaration.
static void fcl_check_sections(fcl_reader *reader) {
    char name[PLOY_DIAG_TEXT_MAX];
    for (int32_t i = 0; i < reader->sections.count; i++) {
        const fcl_section *section = fcl_section_at(reader, i);
        if (section->kind != FCL_FUZZIFY && section->kind != FCL_DEFUZZIFY) continue;
        int32_t variable = ploy_fuzzy_type_find(
            reader->type, ployi_fuzzy_copy(&reader->file, section->name, name));
        bool output = section->kind == FCL_DEFUZZIFY;
        if (variable >= 0 && (variable >= PLOY_FUZZY_OUTPUT) == output) continue;
        ploy_nearest nearest = ploy_nearest_make(name);
        int32_t count =
            output ? ploy_fuzzy_type_outputs(reader->type) : ploy_fuzzy_type_inputs(reader->type);
        for (int32_t k = 0; k < count; k++) {
            ploy_nearest_offer(&nearest, ploy_fuzzy_type_variable_name(
                                             reader->type, k + (output ? PLOY_FUZZY_OUTPUT : 0)));
        }
        ployi_fuzzy_wrong(&reader->file, section->name, PLOY_ERR_NOT_FOUND,
                          output ? "undeclared output" : "undeclared input", NULL, nearest.best);
    }
}

static ploy_result fcl_read(fcl_reader *reader, ployi_fuzzy_span name, ployi_fuzzy_span body,
                            const ploy_env *env, ploy_fuzzy_type **out) {
    char copy[PLOY_DIAG_TEXT_MAX];
    ploy_result result =
        ploy_fuzzy_type_create(ployi_fuzzy_copy(&reader->file, name, copy), env, &reader->type);
    if (result != PLOY_OK) return result;
    fcl_list_sections(&reader->file, body, &reader->sections);
    ploy_fuzzy_norm accu = fcl_common_accu(reader);
    for (int32_t i = 0; i < reader->sections.count; i++) {
        const fcl_section *section = fcl_section_at(reader, i);
        if (section->kind == FCL_INPUTS || section->kind == FCL_OUTPUTS) {
            fcl_declarations(reader, section, accu);
        }
    }
    fcl_check_sections(reader);
    for (int32_t i = 0; i < reader->sections.count; i++) {
        const fcl_section *section = fcl_section_at(reader, i);
        if (section->kind == FCL_RULES) fcl_rule_block(reader, section);
    }
    return ployi_fuzzy_close(&reader->file, reader->type, out);
}

// Finds the function block of that name, or the first.
static bool fcl_find_block(ployi_fuzzy_file *file, const char *block, ployi_fuzzy_span *name,
                           ployi_fuzzy_span *body) {
    char copy[PLOY_DIAG_TEXT_MAX];
    ploy_nearest nearest = ploy_nearest_make(block != NULL ? block : "");
    for (size_t at = 0; at < file->size;) {
        ployi_fuzzy_span word = fcl_word(file, at, file->size);
        if (word.at == word.end) {
            at = word.at + 1;
            continue;
        }
        at = word.end;
        if (fcl_section_of(file, word) != FCL_BLOCK) continue;
        *name = fcl_heading(file, word.end, file->size);
        if (!fcl_find_end(file, name->end, FCL_BLOCK, body, &at)) {
            ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "unclosed block", "END_FUNCTION_BLOCK",
                              NULL);
            return false;
        }
        if (block == NULL || strcmp(ployi_fuzzy_copy(file, *name, copy), block) == 0) return true;
    }
    ployi_fuzzy_span nothing = {0, 0};
    ployi_fuzzy_wrong(file, nothing, PLOY_ERR_FORMAT,
                      block == NULL ? "invalid FCL file" : "unknown function block",
                      "FUNCTION_BLOCK", nearest.best);
    return false;
}

ploy_result ploy_fcl_load(const void *bytes, size_t size, const char *name, const char *block,
                          int32_t samples, const ploy_env *env, ploy_diags *diags,
                          ploy_fuzzy_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0) || samples < 0 ||
        samples > PLOY_FUZZY_SAMPLES_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    char *text = ploy_env_alloc(env, size + 1);
    if (text == NULL) return PLOY_ERR_MEMORY;
    if (size > 0) memcpy(text, bytes, size);
    text[size] = '\0';
    fcl_blank_comments(text, size);
    fcl_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.file = ployi_fuzzy_open(text, size, name, env, diags);
    reader.samples = samples > 0 ? samples : 100;
    ploy_array_init(&reader.sections, sizeof(fcl_section), env);
    ployi_fuzzy_span heading, body;
    ploy_result result = fcl_find_block(&reader.file, block, &heading, &body)
                             ? fcl_read(&reader, heading, body, env, out)
                             : reader.file.result;
    ploy_array_fini(&reader.sections);
    ploy_env_free(env, text, size + 1);
    return result;
}
