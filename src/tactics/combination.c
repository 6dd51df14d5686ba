// Combinations of layers: the plug-in and its text form; see ploy/tactics/analysis.h.
#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/decide/expression.h"
#include "tactics/analysis_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMBINATION_UNIT = 64, COMBINATION_LINE = 1024 };

// ---- the plug-in

static float combination_score(const analysis_combination *combination, int32_t place) {
    analysis_site site = {place};
    ploy_moment moment = ploy_moment_make(NULL);
    moment.asker = &site;
    float value = ploy_score_value(combination->server->words, combination->score, &moment);
    return isnan(value) ? NAN : value;
}

static float combination_mask(const ploy_analysis_server *server, int32_t mask, int32_t place) {
    const analysis_entry *entry = server->entries[mask];
    float value = entry->layers[0] == NULL
                      ? entry->analysis.type->value(entry->analysis.self, place)
                      : ploy_tactics_layer_at(ploy_analysis_server_layer(server, mask), place);
    return isnan(value) || value == 0.0f ? 0.0f : 1.0f;
}

static float combination_value(void *self, int32_t place) {
    const analysis_combination *combination = self;
    float value = combination_score(combination, place);
    for (int32_t i = 0; i < combination->filter_count; i++) {
        const analysis_filter *filter = &combination->filters[i];
        if (filter->kind == ANALYSIS_MASK &&
            combination_mask(combination->server, filter->mask, place) == 0.0f) {
            value = 0.0f;
        } else if (filter->kind == ANALYSIS_CLAMP && !isnan(value)) {
            value = value < filter->low ? filter->low : value > filter->high ? filter->high : value;
        }
    }
    return value;
}

static ploy_result combination_begin(void *self, ploy_tactics_layer *out) {
    analysis_combination *combination = self;
    combination->out = out;
    combination->next = 0;
    combination->filter = 0;
    combination->convolving = false;
    combination->cell = 0;
    combination->least = 1.0f;
    combination->most = 0.0f;
    return PLOY_OK;
}

static void combination_apply(analysis_combination *combination, const analysis_filter *filter,
                              int32_t place, float *number) {
    float value = *number;
    float span = combination->most - combination->least;
    if (filter->kind == ANALYSIS_MASK) {
        if (combination_mask(combination->server, filter->mask, place) == 0.0f) *number = 0.0f;
    } else if (isnan(value)) {
        return;
    } else if (filter->kind == ANALYSIS_CLAMP) {
        *number = value < filter->low ? filter->low : value > filter->high ? filter->high : value;
    } else {
        *number = span > 0.0f ? (value - combination->least) / span : 0.0f;
    }
}

static void combination_measure(analysis_combination *combination, float value) {
    if (!ploy_is_finite(value)) return;
    bool first = !(combination->least <= combination->most);
    if (first || value < combination->least) combination->least = value;
    if (first || value > combination->most) combination->most = value;
}

// Cell by cell; normalising measures all of them first.
static ploy_result combination_cells(analysis_combination *combination,
                                     const analysis_filter *filter, ploy_budget *budget) {
    float *numbers = ploy_tactics_layer_numbers(combination->out);
    int32_t count = combination->server->places.count;
    int32_t sweeps = filter->kind == ANALYSIS_NORMALISE ? 2 : 1;
    while (combination->cell < sweeps * count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        for (int32_t i = 0; i < COMBINATION_UNIT && combination->cell < sweeps * count; i++) {
            int32_t place = combination->cell % count;
            if (sweeps == 2 && combination->cell < count) {
                combination_measure(combination, numbers[place]);
            } else {
                combination_apply(combination, filter, place, &numbers[place]);
            }
            combination->cell++;
        }
    }
    return PLOY_OK;
}

static ploy_convolve_options combination_options(const analysis_filter *filter) {
    ploy_convolve_options options = ploy_convolve_options_default();
    options.times = filter->times;
    return options;
}

static ploy_result combination_filter(analysis_combination *combination, ploy_budget *budget) {
    const analysis_filter *filter = &combination->filters[combination->filter];
    ploy_convolve *convolve = combination->convolve;
    if (filter->kind != ANALYSIS_CONVOLVE) return combination_cells(combination, filter, budget);
    if (!combination->convolving) {
        ploy_convolve_options options = combination_options(filter);
        ploy_result result = ploy_convolve_begin(convolve, &filter->kernel, &options,
                                                 combination->out, combination->out);
        if (result != PLOY_OK) return result;
        combination->convolving = true;
    }
    ploy_result result = ploy_convolve_step(convolve, budget);
    if (result == PLOY_OK) combination->convolving = false;
    return result;
}

static ploy_result combination_step(void *self, ploy_budget *budget) {
    analysis_combination *combination = self;
    float *numbers = ploy_tactics_layer_numbers(combination->out);
    int32_t count = combination->server->places.count;
    while (combination->next < count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        for (int32_t i = 0; i < COMBINATION_UNIT && combination->next < count; i++) {
            numbers[combination->next] = combination_score(combination, combination->next);
            combination->next++;
        }
    }
    while (combination->filter < combination->filter_count) {
        ploy_result result = combination_filter(combination, budget);
        if (result != PLOY_OK) return result;
        combination->filter++;
        combination->cell = 0;
        combination->least = 1.0f; // above most: nothing is measured yet
        combination->most = 0.0f;
    }
    return PLOY_OK;
}

static void combination_visit(ploy_visit *v, void *self) {
    analysis_combination *combination = self;
    int32_t count = combination->server->places.count;
    ploy_visit_object(v, "combination", combination, sizeof *combination);
    PLOY_VISIT_SCRATCH(v, combination->server);
    PLOY_VISIT_SCRATCH(v, combination->score);
    PLOY_VISIT_SCRATCH(v, combination->filters);
    PLOY_VISIT_SCRATCH(v, combination->filter_count);
    PLOY_VISIT_SCRATCH(v, combination->out);
    PLOY_VISIT_SCRATCH(v, combination->convolve);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &combination->next, 0, count);
    ploy_visit_i32_in(v, "filter", PLOY_STATE, &combination->filter, 0, combination->filter_count);
    ploy_visit_i32_in(v, "cell", PLOY_STATE, &combination->cell, 0, 2 * count);
    ploy_visit_f32(v, "least", PLOY_STATE, &combination->least);
    ploy_visit_f32(v, "most", PLOY_STATE, &combination->most);
    ploy_visit_bool(v, "convolving", PLOY_STATE, &combination->convolving);
    if (combination->convolve == NULL) return;
    ploy_visit_begin(v, "kernel", PLOY_STATE);
    ploy_convolve_visit(v, combination->convolve);
    ploy_visit_end(v);
}

static void combination_resume(void *self, ploy_tactics_layer *out) {
    analysis_combination *combination = self;
    combination->out = out;
    bool filters = combination->filter < combination->filter_count;
    const analysis_filter *filter = &combination->filters[filters ? combination->filter : 0];
    // A file cannot make a filter convolve that is of another kind.
    combination->convolving =
        combination->convolving && filters && filter->kind == ANALYSIS_CONVOLVE;
    if (!combination->convolving) return;
    ploy_convolve_options options = combination_options(filter);
    ployi_convolve_resume(combination->convolve, &filter->kernel, &options, out);
}

const ploy_analysis_type ployi_combination_type = {
    "combination", combination_begin, combination_step,  combination_value,
    NULL,          combination_visit, combination_resume};

// ---- the text

typedef struct combination_reader {
    ploy_analysis_server *server;
    ploy_conditions *words; // of a trial run, or the server's own
    bool trial;
    const char *name;
    ploy_diags *diags;
    int32_t line;
    analysis_combination *present; // the definition that indented lines belong to
    analysis_combination scratch;  // in a trial run
    char names[PLOY_ANALYSES_MAX][PLOY_ANALYSIS_NAME]; // of the file
    ploy_analysis_class levels[PLOY_ANALYSES_MAX];
    int32_t count;
} combination_reader;

static ploy_result combination_fault(combination_reader *r, int32_t column, const char *message,
                                     const char *expected) {
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, r->line, column + 1,
                   message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

// The class of a name of the server or, in a trial run, of the file; 0 if it is unknown.
static int32_t combination_level(const combination_reader *r, const char *name) {
    int32_t index = ploy_analysis_server_find(r->server, name);
    if (index >= 0) return (int32_t)r->server->entries[index]->level;
    for (int32_t i = 0; i < r->count; i++) {
        if (strcmp(r->names[i], name) == 0) return (int32_t)r->levels[i];
    }
    return 0;
}

// The highest class of the names in an expression.
static ploy_result combination_level_of(const combination_reader *r, const char *text,
                                        ploy_analysis_class *out) {
    ploy_expression *expression = NULL;
    ploy_result result = ploy_expression_create(text, r->name, r->line, 1, NULL, 0, &r->server->env,
                                                NULL, &expression);
    if (result != PLOY_OK) return result;
    int32_t level = PLOY_ANALYSIS_STATIC;
    for (int32_t i = 0; i < ploy_expression_name_count(expression); i++) {
        ploy_expression_use use;
        if (!ploy_expression_name(expression, i, &use)) break;
        int32_t found = combination_level(r, use.name);
        level = found > level ? found : level;
    }
    ploy_expression_destroy(expression);
    *out = (ploy_analysis_class)level;
    return PLOY_OK;
}

// Words of a line, cut at blanks. @return how many; the line is changed.
static int32_t combination_words(char *line, char *words[8], int32_t columns[8]) {
    int32_t count = 0;
    for (char *at = line; *at != 0;) {
        while (*at == ' ' || *at == '\t') *at++ = 0;
        if (*at == 0 || count == 8) break;
        columns[count] = (int32_t)(at - line);
        words[count++] = at;
        while (*at != 0 && *at != ' ' && *at != '\t') at++;
    }
    return count;
}

static bool combination_number(const char *word, float *out) {
    return ploy_parse_f32(word, strlen(word), NULL, out) == PLOY_OK && ploy_is_finite(*out);
}

static ploy_result combination_read_filter(combination_reader *r, char *line) {
    char *words[8];
    int32_t columns[8];
    float numbers[3] = {0, 0, 0};
    int32_t count = combination_words(line, words, columns);
    if (r->present == NULL) {
        return combination_fault(r, columns[0], "missing combination above this line",
                                 "name = expression");
    }
    if (r->present->filter_count == ANALYSIS_FILTERS) {
        return combination_fault(r, columns[0], "too many lines", "at most 8 for a combination");
    }
    analysis_filter *filter = &r->present->filters[r->present->filter_count];
    memset(filter, 0, sizeof *filter);
    int32_t given = 0;
    while (given < 3 && given + 1 < count &&
           combination_number(words[given + 1], &numbers[given])) {
        given++;
    }
    const char *verb = words[0];
    if (strcmp(verb, "mask") == 0 && count == 2) {
        filter->kind = ANALYSIS_MASK;
        filter->mask = ploy_analysis_server_find(r->server, words[1]);
        if (combination_level(r, words[1]) == 0) {
            return combination_fault(r, columns[1], "unknown layer", "the name of a layer");
        }
    } else if (strcmp(verb, "blur") == 0 && given >= 1 && numbers[0] >= 1.0f &&
               numbers[0] <= (float)PLOY_CONVOLVE_SIZE && floorf(numbers[0]) == numbers[0] &&
               (count == 2 || (count == 4 && strcmp(words[2], "times") == 0))) {
        float times = 1.0f;
        if (count == 4 &&
            (!combination_number(words[3], &times) || !(times >= 1.0f) || !(times <= 1000.0f))) {
            return combination_fault(r, columns[3], "invalid number of passes", "1 to 1000");
        }
        filter->kind = ANALYSIS_CONVOLVE;
        filter->kernel = ploy_convolve_kernel_gaussian((int32_t)numbers[0]);
        filter->times = (int32_t)times;
    } else if (strcmp(verb, "sharpen") == 0 && (count == 1 || (count == 4 && given == 3))) {
        if (count == 1) numbers[0] = 2.0f, numbers[1] = numbers[2] = 1.0f;
        filter->kind = ANALYSIS_CONVOLVE;
        filter->times = 1;
        if (ploy_convolve_kernel_sharpen(numbers[0], numbers[1], numbers[2], false,
                                         &filter->kernel) != PLOY_OK) {
            return combination_fault(r, columns[1], "invalid kernel", "three numbers above 0");
        }
    } else if (strcmp(verb, "clamp") == 0 && count == 3 && given == 2 && numbers[0] <= numbers[1]) {
        filter->kind = ANALYSIS_CLAMP;
        filter->low = numbers[0];
        filter->high = numbers[1];
    } else if (strcmp(verb, "normalise") == 0 && count == 1) {
        filter->kind = ANALYSIS_NORMALISE;
    } else {
        return combination_fault(r, columns[0], "unknown line",
                                 "mask LAYER, blur SIZE [times N], sharpen [A B C], "
                                 "clamp LOW HIGH or normalise");
    }
    if (filter->kind == ANALYSIS_CONVOLVE && r->server->places.width == 0) {
        return combination_fault(r, columns[0], "places are not a grid", "mask or clamp");
    }
    r->present->filter_count++;
    if (!r->trial && filter->kind == ANALYSIS_CONVOLVE && r->present->convolve == NULL) {
        return ploy_convolve_create(&r->server->places, &r->server->env, &r->present->convolve);
    }
    return PLOY_OK;
}

static float combination_nothing(void *user, const ploy_moment *moment, const float *args) {
    (void)user;
    (void)moment;
    (void)args;
    return 0.0f;
}

// Notes a name of the file and, in a trial run, makes it a word.
static ploy_result combination_note(combination_reader *r, const char *name,
                                    ploy_analysis_class level) {
    if (r->server->count + r->count >= PLOY_ANALYSES_MAX && r->trial) return PLOY_ERR_CAPACITY;
    if (r->trial) {
        ploy_word word = {name, NULL, combination_nothing, NULL, 0};
        ploy_result result = ploy_conditions_register_words(r->words, &word, 1);
        if (result != PLOY_OK) return result;
        snprintf(r->names[r->count], PLOY_ANALYSIS_NAME, "%s", name);
        r->levels[r->count++] = level;
    }
    return PLOY_OK;
}

static ploy_result combination_read_head(combination_reader *r, char *line) {
    size_t size = strcspn(line, "= \t");
    size_t equals = size + strspn(line + size, " \t");
    r->present = NULL;
    if (line[equals] != '=' || line[equals + 1] == '=') {
        return combination_fault(r, (int32_t)equals, "expected '=' after a name",
                                 "name = expression");
    }
    char name[PLOY_ANALYSIS_NAME];
    bool word = size > 0 && size < sizeof name && !(line[0] >= '0' && line[0] <= '9');
    for (size_t i = 0; i < size && word; i++) {
        word = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", line[i]) !=
               NULL;
    }
    if (!word) {
        return combination_fault(r, 0, "invalid name", "up to 31 letters, digits and _");
    }
    memcpy(name, line, size);
    name[size] = 0;
    if (combination_level(r, name) != 0) {
        return combination_fault(r, 0, "name is already in use", "another name");
    }
    int32_t column = (int32_t)equals + 1;
    column += (int32_t)strspn(line + column, " \t");
    ploy_score score;
    ploy_result result =
        ploy_score_read(r->words, line + column, r->name, r->line, column + 1, r->diags, &score);
    if (result != PLOY_OK) return result == PLOY_ERR_MEMORY ? result : PLOY_ERR_FORMAT;
    ploy_analysis_class level = PLOY_ANALYSIS_STATIC;
    result = combination_level_of(r, line + column, &level);
    if (result != PLOY_OK) return result;
    result = combination_note(r, name, level);
    if (result != PLOY_OK) return result;
    r->present = &r->scratch;
    r->scratch.filter_count = 0;
    if (r->trial) return PLOY_OK;
    analysis_combination *combination = ploy_env_alloc_zero(&r->server->env, sizeof *combination);
    if (combination == NULL) return PLOY_ERR_MEMORY;
    combination->server = r->server;
    combination->score = score;
    ploy_analysis analysis = {&ployi_combination_type, combination};
    result = ployi_analysis_add(r->server, name, level, analysis, combination, NULL);
    if (result != PLOY_OK) {
        ploy_env_free(&r->server->env, combination, sizeof *combination);
        return result;
    }
    r->present = combination;
    return PLOY_OK;
}

// Reads all lines. @return the first error; faults of the text do not end it.
static ploy_result combination_read_all(combination_reader *r, const char *text, size_t size) {
    ploy_result first = PLOY_OK;
    char line[COMBINATION_LINE];
    r->line = 0;
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && text[end] != '\n') end++;
        size_t length = end - at;
        if (length > 0 && text[at + length - 1] == '\r') length--;
        r->line++;
        ploy_result result = PLOY_OK;
        if (length >= sizeof line || memchr(text + at, 0, length) != NULL) {
            result = combination_fault(r, 0, "line is too long or has a zero byte",
                                       "text of at most 1023 bytes");
        } else {
            memcpy(line, text + at, length);
            line[length] = 0;
            size_t blank = strspn(line, " \t");
            if (line[blank] != 0 && line[blank] != '#') {
                result =
                    blank > 0 ? combination_read_filter(r, line) : combination_read_head(r, line);
            }
        }
        if (result != PLOY_OK && first == PLOY_OK) first = result;
        if (result != PLOY_OK && result != PLOY_ERR_FORMAT) return result;
        at = end + 1;
    }
    return first;
}

// Reads the text without adding anything: only then is it known to be sound.
static ploy_result combination_try(combination_reader *r, const char *text, size_t size) {
    ploy_analysis_server *server = r->server;
    ploy_result result = ploy_conditions_create(NULL, &server->env, &r->words);
    for (int32_t i = 0; i < server->count && result == PLOY_OK; i++) {
        ploy_word word = {server->entries[i]->name, NULL, combination_nothing, NULL, 0};
        result = ploy_conditions_register_words(r->words, &word, 1);
    }
    if (result == PLOY_OK) result = combination_read_all(r, text, size);
    ploy_conditions_destroy(r->words);
    return result;
}

ploy_result ploy_analysis_server_read(ploy_analysis_server *server, const char *text, size_t size,
                                      const char *name, ploy_diags *diags) {
    if (server == NULL || (text == NULL && size > 0) || name == NULL) return PLOY_ERR_ARGUMENT;
    combination_reader *r = ploy_env_alloc_zero(&server->env, sizeof *r);
    if (r == NULL) return PLOY_ERR_MEMORY;
    r->server = server;
    r->name = name;
    r->diags = diags;
    r->trial = true;
    int32_t before = server->count;
    ploy_result result = combination_try(r, text, size);
    if (result == PLOY_OK) {
        r->trial = false;
        r->words = server->words;
        r->present = NULL;
        r->count = 0;
        result = combination_read_all(r, text, size);
        if (result != PLOY_OK) ployi_analysis_cut(server, before);
    }
    ploy_env_free(&server->env, r, sizeof *r);
    return result;
}
