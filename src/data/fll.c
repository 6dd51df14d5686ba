// FLL, the FuzzyLite Language; described in the header.
#include <string.h>

#include "fuzzy_file.h"
#include "ploy/base/math.h"

// ---- reading ----

// One line: `key: value`.
typedef struct fll_line {
    ployi_fuzzy_span key, value;
} fll_line;

// The next line that holds something; false at the end. Comments begin with '#'.
static bool fll_next(ployi_fuzzy_file *file, size_t *at, fll_line *line) {
    while (*at < file->size) {
        ployi_fuzzy_span span = {*at, *at};
        while (span.end < file->size && file->text[span.end] != '\n') span.end++;
        *at = span.end < file->size ? span.end + 1 : span.end;
        for (size_t i = span.at; i < span.end; i++) {
            if (file->text[i] == '#') span.end = i;
        }
        span = ployi_fuzzy_trim(file, span);
        if (span.at == span.end) continue;
        line->key.at = line->key.end = span.at;
        while (line->key.end < span.end && file->text[line->key.end] != ':') line->key.end++;
        line->value.at = line->key.end < span.end ? line->key.end + 1 : span.end;
        line->value.end = span.end;
        line->value = ployi_fuzzy_trim(file, line->value);
        line->key = ployi_fuzzy_trim(file, line->key);
        return true;
    }
    return false;
}

enum { FLL_ENGINE, FLL_INPUT, FLL_OUTPUT, FLL_BLOCK, FLL_SECTIONS };
static const char *const fll_sections[FLL_SECTIONS] = {"Engine", "InputVariable", "OutputVariable",
                                                       "RuleBlock"};

static int32_t fll_section(const ployi_fuzzy_file *file, const fll_line *line) {
    for (int32_t i = 0; i < FLL_SECTIONS; i++) {
        if (ployi_fuzzy_span_is(file, line->key, fll_sections[i])) return i;
    }
    return -1;
}

static void fll_bool(ployi_fuzzy_file *file, ployi_fuzzy_span value, bool *out) {
    static const char *const words[] = {"false", "true"};
    int32_t chosen = ployi_fuzzy_choose(file, value, "expected true or false, found", words, 2);
    if (chosen >= 0) *out = chosen == 1;
}

static void fll_norm(ployi_fuzzy_file *file, ployi_fuzzy_span value, bool conjunctive,
                     ploy_fuzzy_norm *out) {
    const char *names[PLOY_FUZZY_NORM_COUNT];
    for (int32_t i = 0; i < PLOY_FUZZY_NORM_COUNT; i++) {
        ploy_fuzzy_norm norm = (ploy_fuzzy_norm)i;
        bool fits =
            i == 0 || (conjunctive ? ploy_fuzzy_norm_is_and(norm) : ploy_fuzzy_norm_is_or(norm));
        names[i] = fits ? ploy_fuzzy_norm_text(norm) : NULL;
    }
    if (value.at == value.end) return; // nothing behind the colon means none
    int32_t chosen = ployi_fuzzy_choose(file, value, "unknown norm", names, PLOY_FUZZY_NORM_COUNT);
    if (chosen >= 0) *out = (ploy_fuzzy_norm)chosen;
}

static void fll_count(ployi_fuzzy_file *file, ployi_fuzzy_span word, int32_t most, int32_t *out) {
    double number = 0.0;
    if (!ployi_fuzzy_number(file, word, &number)) return;
    if (!(number >= 0.0 && number <= most) || number != floor(number)) {
        ployi_fuzzy_wrong(file, word, PLOY_ERR_FORMAT, "invalid count", "a whole number", NULL);
        return;
    }
    *out = (int32_t)number;
}

static const char *const fll_points[] = {"mean", "smallest", "largest", "bisector", "centroid"};

static void fll_defuzzifier(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                            ploy_fuzzy_variable_def *def) {
    const char *names[PLOY_FUZZY_DEFUZZIFIER_COUNT];
    for (int32_t i = 0; i < PLOY_FUZZY_DEFUZZIFIER_COUNT; i++) {
        names[i] = ploy_fuzzy_defuzzifier_text((ploy_fuzzy_defuzzifier)i);
    }
    ployi_fuzzy_span rest = value;
    int32_t chosen = ployi_fuzzy_choose(file, ployi_fuzzy_take(file, &rest), "unknown defuzzifier",
                                        names, PLOY_FUZZY_DEFUZZIFIER_COUNT);
    if (chosen < 0) return;
    def->defuzzifier = (ploy_fuzzy_defuzzifier)chosen;
    bool weighted = chosen == PLOY_FUZZY_WEIGHTED_AVERAGE || chosen == PLOY_FUZZY_WEIGHTED_SUM;
    bool pointed = chosen == PLOY_FUZZY_BLEND_OF_MAX || chosen == PLOY_FUZZY_HIGHEST_SET;
    while (rest.at < rest.end) {
        ployi_fuzzy_span word = ployi_fuzzy_take(file, &rest);
        if (weighted) {
            const char *const kinds[] = {ploy_fuzzy_weighting_text(PLOY_FUZZY_WEIGHTING_AUTOMATIC),
                                         ploy_fuzzy_weighting_text(PLOY_FUZZY_TAKAGI_SUGENO),
                                         ploy_fuzzy_weighting_text(PLOY_FUZZY_TSUKAMOTO)};
            chosen = ployi_fuzzy_choose(file, word, "unknown weighting", kinds, 3);
            if (chosen >= 0) def->weighting = (ploy_fuzzy_weighting)chosen;
        } else if (pointed) {
            chosen = ployi_fuzzy_choose(file, word, "unknown point of the set", fll_points, 5);
            if (chosen >= 0) def->point = (ploy_fuzzy_point)chosen;
        } else if (ployi_fuzzy_span_is(file, word, "right_ends")) {
            def->sampling = PLOY_FUZZY_RIGHT_ENDS;
        } else {
            fll_count(file, word, PLOY_FUZZY_SAMPLES_MAX, &def->samples);
        }
    }
}

static void fll_activation(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                           ploy_fuzzy_block_def *def) {
    const char *names[PLOY_FUZZY_ACTIVATION_COUNT], *signs[PLOY_FUZZY_COMPARISON_COUNT];
    for (int32_t i = 0; i < PLOY_FUZZY_ACTIVATION_COUNT; i++) {
        names[i] = ploy_fuzzy_activation_text((ploy_fuzzy_activation)i);
    }
    for (int32_t i = 0; i < PLOY_FUZZY_COMPARISON_COUNT; i++) {
        signs[i] = ploy_fuzzy_comparison_text((ploy_fuzzy_comparison)i);
    }
    ployi_fuzzy_span rest = value, word = ployi_fuzzy_take(file, &rest);
    if (word.at == word.end || ployi_fuzzy_span_is(file, word, "none")) return;
    int32_t chosen =
        ployi_fuzzy_choose(file, word, "unknown activation", names, PLOY_FUZZY_ACTIVATION_COUNT);
    if (chosen < 0) return;
    def->activation = (ploy_fuzzy_activation)chosen;
    bool counted = chosen >= PLOY_FUZZY_FIRST && chosen <= PLOY_FUZZY_LOWEST;
    if (counted && rest.at < rest.end) {
        fll_count(file, ployi_fuzzy_take(file, &rest), PLOY_FUZZY_COUNT_MAX, &def->count);
    }
    if (chosen == PLOY_FUZZY_THRESHOLD && rest.at < rest.end) {
        int32_t sign = ployi_fuzzy_choose(file, ployi_fuzzy_take(file, &rest), "unknown comparison",
                                          signs, PLOY_FUZZY_COMPARISON_COUNT);
        if (sign >= 0) def->comparison = (ploy_fuzzy_comparison)sign;
    }
    if (rest.at < rest.end && (chosen == PLOY_FUZZY_FIRST || chosen == PLOY_FUZZY_LAST ||
                               chosen == PLOY_FUZZY_THRESHOLD)) {
        ployi_fuzzy_span number = ployi_fuzzy_take(file, &rest);
        if (ployi_fuzzy_number(file, number, &def->threshold) && def->threshold != def->threshold) {
            ployi_fuzzy_wrong(file, number, PLOY_ERR_FORMAT, "invalid number", NULL, NULL);
            def->threshold = 0.0;
        }
    }
    if (rest.at < rest.end) {
        ployi_fuzzy_wrong(file, rest, PLOY_ERR_FORMAT, "unexpected text", NULL, NULL);
    }
}

static void fll_range(ployi_fuzzy_file *file, ployi_fuzzy_span value,
                      ploy_fuzzy_variable_def *def) {
    ployi_fuzzy_span rest = value;
    double min = 0.0, max = 0.0;
    ployi_fuzzy_span from = ployi_fuzzy_take(file, &rest), to = ployi_fuzzy_take(file, &rest);
    if (!ployi_fuzzy_number(file, from, &min) || !ployi_fuzzy_number(file, to, &max)) return;
    if (min != min || max != max || rest.at < rest.end) {
        ployi_fuzzy_wrong(file, value, PLOY_ERR_FORMAT, "invalid range", "two numbers", NULL);
        return;
    }
    def->min = min;
    def->max = max;
}

enum {
    FLL_DESCRIPTION,
    FLL_ENABLED,
    FLL_RANGE,
    FLL_LOCK_RANGE,
    FLL_TERM,
    FLL_AGGREGATION,
    FLL_DEFUZZIFIER,
    FLL_DEFAULT,
    FLL_LOCK_PREVIOUS,
    FLL_CONJUNCTION,
    FLL_DISJUNCTION,
    FLL_IMPLICATION,
    FLL_ACTIVATION,
    FLL_RULE,
    FLL_KEYS
};
static const struct {
    const char *name;
    uint32_t sections; // bit 1 << section: where it belongs
} fll_keys[FLL_KEYS] = {
    {"description", 15},  {"enabled", 14},    {"range", 6},       {"lock-range", 6},
    {"term", 6},          {"aggregation", 4}, {"defuzzifier", 4}, {"default", 4},
    {"lock-previous", 4}, {"conjunction", 8}, {"disjunction", 8}, {"implication", 8},
    {"activation", 8},    {"rule", 8},
};

// What the settings of one section are; terms and rules are left for later.
typedef struct fll_settings {
    ploy_fuzzy_variable_def variable;
    ploy_fuzzy_block_def block;
    ployi_fuzzy_span description;
} fll_settings;

static void fll_setting(ployi_fuzzy_file *file, int32_t section, const fll_line *line,
                        fll_settings *out) {
    const char *names[FLL_KEYS];
    for (int32_t i = 0; i < FLL_KEYS; i++) {
        names[i] = (fll_keys[i].sections & (1u << section)) != 0 ? fll_keys[i].name : NULL;
    }
    switch (ployi_fuzzy_choose(file, line->key, "unknown key", names, FLL_KEYS)) {
    case FLL_DESCRIPTION: out->description = line->value; break;
    case FLL_ENABLED:
        fll_bool(file, line->value,
                 section == FLL_BLOCK ? &out->block.enabled : &out->variable.enabled);
        break;
    case FLL_RANGE: fll_range(file, line->value, &out->variable); break;
    case FLL_LOCK_RANGE: fll_bool(file, line->value, &out->variable.lock_range); break;
    case FLL_AGGREGATION: fll_norm(file, line->value, false, &out->variable.aggregation); break;
    case FLL_DEFUZZIFIER: fll_defuzzifier(file, line->value, &out->variable); break;
    case FLL_DEFAULT: {
        double value = 0.0;
        if (!ployi_fuzzy_number(file, line->value, &value)) break;
        out->variable.fall_back = value == value;
        out->variable.fallback = value != value ? 0.0 : value;
        break;
    }
    case FLL_LOCK_PREVIOUS: fll_bool(file, line->value, &out->variable.lock_previous); break;
    case FLL_CONJUNCTION: fll_norm(file, line->value, true, &out->block.conjunction); break;
    case FLL_DISJUNCTION: fll_norm(file, line->value, false, &out->block.disjunction); break;
    case FLL_IMPLICATION: fll_norm(file, line->value, true, &out->block.implication); break;
    case FLL_ACTIVATION: fll_activation(file, line->value, &out->block); break;
    default: break; // terms and rules come in the second pass; a fault was reported
    }
}

static void fll_describe(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                         ployi_fuzzy_span text) {
    size_t size = text.end - text.at;
    char *copy = size > 0 ? ploy_env_alloc(&file->env, size + 1) : NULL;
    if (size == 0) return;
    if (copy == NULL) {
        file->result = PLOY_ERR_MEMORY;
        return;
    }
    memcpy(copy, file->text + text.at, size);
    copy[size] = '\0';
    (void)ploy_fuzzy_type_describe_as(type, variable, copy);
    ploy_env_free(&file->env, copy, size + 1);
}

// One section from behind its heading; returns where the next begins.
static size_t fll_read_section(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t section,
                               ployi_fuzzy_span name, size_t at) {
    fll_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.variable = ploy_fuzzy_variable_def_default();
    settings.variable.aggregation = PLOY_FUZZY_NONE; // what a file does not say is not there
    settings.block = ploy_fuzzy_block_def_default();
    settings.block.carry_hedges = true; // as fuzzylite computes
    settings.block.conjunction = settings.block.disjunction = PLOY_FUZZY_NONE;
    settings.block.implication = PLOY_FUZZY_NONE;
    size_t start = at, end = at;
    fll_line line;
    while (fll_next(file, &at, &line) && fll_section(file, &line) < 0) {
        fll_setting(file, section, &line, &settings);
        end = at;
    }
    char copy[PLOY_DIAG_TEXT_MAX];
    int32_t owner = -1;
    if (section == FLL_BLOCK) {
        owner = ploy_fuzzy_type_block(type, ployi_fuzzy_copy(file, name, copy), &settings.block);
    } else if (section != FLL_ENGINE) {
        owner =
            ployi_fuzzy_add_variable(file, type, section == FLL_OUTPUT, name, &settings.variable);
    }
    if (section == FLL_ENGINE || (owner >= 0 && section != FLL_BLOCK)) {
        fll_describe(file, type, owner, settings.description);
    }
    for (at = start; at < end && fll_next(file, &at, &line);) {
        if (section == FLL_BLOCK && ployi_fuzzy_span_is(file, line.key, "rule")) {
            if (owner >= 0) ployi_fuzzy_add_rule(file, type, owner, line.value);
        } else if (ployi_fuzzy_span_is(file, line.key, "term") && section != FLL_BLOCK) {
            ployi_fuzzy_span rest = line.value, term = ployi_fuzzy_take(file, &rest);
            if (owner >= 0 &&
                ploy_fuzzy_type_find_term(type, owner, ployi_fuzzy_copy(file, term, copy)) >= 0) {
                // fuzzylite accepts a name twice, and its rules find the first.
                ployi_fuzzy_warn(file, term, "ignored the second term named");
            } else {
                ployi_fuzzy_add_term(file, type, owner, term, rest);
            }
        }
    }
    return end;
}

ploy_result ploy_fll_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_fuzzy_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ployi_fuzzy_file file = ployi_fuzzy_open(bytes, size, name, env, diags);
    size_t at = 0, first = 0;
    fll_line line;
    char engine[PLOY_DIAG_TEXT_MAX] = "";
    if (!fll_next(&file, &first, &line) || fll_section(&file, &line) != FLL_ENGINE) {
        ployi_fuzzy_span nothing = {0, 0};
        ployi_fuzzy_wrong(&file, nothing, PLOY_ERR_FORMAT, "invalid FLL file", "Engine:", NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_fuzzy_type *type = NULL;
    ploy_result result =
        ploy_fuzzy_type_create(ployi_fuzzy_copy(&file, line.value, engine), env, &type);
    if (result != PLOY_OK) return result;
    // Variables first, so that rules may stand before them.
    for (int32_t pass = 0; pass < 2; pass++) {
        for (at = 0; fll_next(&file, &at, &line);) {
            int32_t section = fll_section(&file, &line);
            if (section >= 0 && (section == FLL_BLOCK) == (pass == 1)) {
                at = fll_read_section(&file, type, section, line.value, at);
            }
        }
    }
    return ployi_fuzzy_close(&file, type, out);
}

// ---- writing ----

static void fll_write(ploy_writer *writer, const char *key, const char *value) {
    ploy_write_text(writer, "  ");
    ploy_write_text(writer, key);
    ploy_write_text(writer, ": ");
    ploy_write_text(writer, value);
    ploy_write_char(writer, '\n');
}

static void fll_write_numbers(ploy_writer *writer, const char *key, const double *numbers,
                              int32_t count) {
    ploy_write_text(writer, "  ");
    ploy_write_text(writer, key);
    ploy_write_char(writer, ':');
    for (int32_t i = 0; i < count; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_f64(writer, numbers[i]);
    }
    ploy_write_char(writer, '\n');
}

static void fll_write_defuzzifier(const ploy_fuzzy_variable_def *def, ploy_writer *writer) {
    ploy_write_text(writer, "  defuzzifier: ");
    ploy_write_text(writer, ploy_fuzzy_defuzzifier_text(def->defuzzifier));
    ploy_write_char(writer, ' ');
    switch (def->defuzzifier) {
    case PLOY_FUZZY_WEIGHTED_AVERAGE:
    case PLOY_FUZZY_WEIGHTED_SUM:
        ploy_write_text(writer, ploy_fuzzy_weighting_text(def->weighting));
        break;
    case PLOY_FUZZY_BLEND_OF_MAX:
    case PLOY_FUZZY_HIGHEST_SET: ploy_write_text(writer, fll_points[def->point]); break;
    default:
        ploy_write_i64(writer, def->samples);
        if (def->sampling == PLOY_FUZZY_RIGHT_ENDS) ploy_write_text(writer, " right_ends");
        break;
    }
    ploy_write_char(writer, '\n');
}

static void fll_write_variable(const ploy_fuzzy_type *type, int32_t variable, ploy_writer *writer) {
    const ploy_fuzzy_variable_def *def = ploy_fuzzy_type_variable(type, variable);
    bool output = variable >= PLOY_FUZZY_OUTPUT;
    ploy_write_text(writer, output ? "OutputVariable: " : "InputVariable: ");
    ploy_write_text(writer, ploy_fuzzy_type_variable_name(type, variable));
    ploy_write_char(writer, '\n');
    const char *description = ploy_fuzzy_type_description(type, variable);
    if (description[0] != '\0') fll_write(writer, "description", description);
    fll_write(writer, "enabled", def->enabled ? "true" : "false");
    fll_write_numbers(writer, "range", (const double[2]){def->min, def->max}, 2);
    fll_write(writer, "lock-range", def->lock_range ? "true" : "false");
    if (output) {
        double fallback = def->fall_back ? def->fallback : (double)NAN;
        fll_write(writer, "aggregation", ploy_fuzzy_norm_text(def->aggregation));
        fll_write_defuzzifier(def, writer);
        fll_write_numbers(writer, "default", &fallback, 1);
        fll_write(writer, "lock-previous", def->lock_previous ? "true" : "false");
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_terms(type, variable); i++) {
        ploy_fuzzy_term term = ploy_fuzzy_type_term_of(type, variable, i);
        ploy_write_text(writer, "  term: ");
        ploy_write_text(writer, term.name);
        ploy_write_char(writer, ' ');
        ployi_fuzzy_write_set(&term.set, writer);
        ploy_write_char(writer, '\n');
    }
}

static void fll_write_activation(const ploy_fuzzy_block_def *def, ploy_writer *writer) {
    ploy_write_text(writer, "  activation: ");
    ploy_write_text(writer, ploy_fuzzy_activation_text(def->activation));
    if (def->activation >= PLOY_FUZZY_FIRST && def->activation <= PLOY_FUZZY_LOWEST) {
        ploy_write_char(writer, ' ');
        ploy_write_i64(writer, def->count);
    }
    if (def->activation == PLOY_FUZZY_THRESHOLD) {
        ploy_write_char(writer, ' ');
        ploy_write_text(writer, ploy_fuzzy_comparison_text(def->comparison));
    }
    if (def->activation == PLOY_FUZZY_FIRST || def->activation == PLOY_FUZZY_LAST ||
        def->activation == PLOY_FUZZY_THRESHOLD) {
        ploy_write_char(writer, ' ');
        ploy_write_f64(writer, def->threshold);
    }
    ploy_write_char(writer, '\n');
}

ploy_result ploy_fll_save(const ploy_fuzzy_type *type, ploy_writer *writer) {
    if (type == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_write_text(writer, "Engine: ");
    ploy_write_text(writer, ploy_fuzzy_type_name(type));
    ploy_write_char(writer, '\n');
    const char *description = ploy_fuzzy_type_description(type, -1);
    if (description[0] != '\0') fll_write(writer, "description", description);
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(type); i++) fll_write_variable(type, i, writer);
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(type); i++) {
        fll_write_variable(type, PLOY_FUZZY_OUTPUT + i, writer);
    }
    for (int32_t b = 0; b < ploy_fuzzy_type_blocks(type); b++) {
        const ploy_fuzzy_block_def *def = ploy_fuzzy_type_block_at(type, b);
        ploy_write_text(writer, "RuleBlock: ");
        ploy_write_text(writer, ploy_fuzzy_type_block_name(type, b));
        ploy_write_char(writer, '\n');
        fll_write(writer, "enabled", def->enabled ? "true" : "false");
        fll_write(writer, "conjunction", ploy_fuzzy_norm_text(def->conjunction));
        fll_write(writer, "disjunction", ploy_fuzzy_norm_text(def->disjunction));
        fll_write(writer, "implication", ploy_fuzzy_norm_text(def->implication));
        fll_write_activation(def, writer);
        for (int32_t r = 0; r < ploy_fuzzy_type_rules(type, b); r++) {
            fll_write(writer, "rule", ploy_fuzzy_type_rule_text(type, b, r));
        }
    }
    return ploy_writer_result(writer);
}
