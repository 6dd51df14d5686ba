// The text of L-systems; the format is described in lsystem.h.
#include <string.h>

#include "generate/lsystem_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

// Faults reported before the rest of a text is not looked at.
#define LSYSTEM_FAULTS 20

static const char *const lsystem_presets[PLOY_LSYSTEM_PRESETS] = {
    "axiom X\nangle 25\ngenerations 5\nrule X -> F+[[X]-X]-F[-FX]+X\nrule F -> FF\nlength 0.1\n"
    "width 0.05\n",
    "axiom F\nangle 25.7\ngenerations 4\nrule F -> F[+F]F[-F]F\nlength 0.1\nwidth 0.04\n",
    "axiom A\nspace\nangle 28\ngenerations 7\nlength 0.5\nwidth 0.08\nshrink 0.8\n"
    "rule A 2 -> F\"![+AL]////[+AL]////[+AL]\nrule A 1 -> F\"![+AL]/////[-AL]\n",
    "axiom 0\nangle 45\ngenerations 6\nrule 0 -> 1[+0]-0\nrule 1 -> 11\ndraw 01\nlength 0.1\n",
    "axiom F\nangle 90\ngenerations 4\nrule F -> F+F-F-F+F\nlength 0.1\n",
    "axiom F--F--F\nangle 60\ngenerations 4\nrule F -> F+F--F+F\nlength 0.1\n",
    "axiom FX\nangle 90\ngenerations 10\nrule X -> X+YF+\nrule Y -> -FX-Y\nlength 0.1\n",
    "axiom A\nangle 90\ngenerations 5\nrule A -> +BF-AFA-FB+\nrule B -> -AF+BFB+FA-\nlength 0.1\n",
    "axiom F-G-G\nangle 120\ngenerations 5\nrule F -> F-G+F+G-F\nrule G -> GG\nlength 0.1\n",
    "axiom A\nangle 60\ngenerations 4\nrule A -> A-B--B+A++AA+B-\nrule B -> +A-BB--B-A++A+B\n"
    "draw AB\nlength 0.1\n",
    "axiom A\nangle 90\ngenerations 8\nrule A -> AB\nrule B -> A\ndraw A\nlength 0.1\n",
    "axiom A\nangle 90\ngenerations 5\nrule A -> ABA\nrule B -> BBB\ndraw A\nlength 0.1\n",
};

const char *ploy_lsystem_preset_text(ploy_lsystem_preset preset) {
    return lsystem_presets[(uint32_t)preset < PLOY_LSYSTEM_PRESETS ? preset : PLOY_LSYSTEM_WEED];
}

typedef struct lsystem_rule_line {
    ployi_lsystem_rule rule;
    char letter;
} lsystem_rule_line;

typedef struct lsystem_reader {
    const char *at, *end, *line_start;
    int32_t line;
    const char *name;
    ploy_diags *diags;
    int32_t faults;
    ploy_result memory; // PLOY_OK, or why nothing can be kept any more
    ploy_array rules;   // lsystem_rule_line
    ploy_array text;    // char
    ploy_lsystem_rules out;
    bool has_axiom;
} lsystem_reader;

typedef struct lsystem_word {
    const char *at;
    int32_t size; // 0 at the end of the line
} lsystem_word;

static void lsystem_fault(lsystem_reader *reader, const char *at, const char *message,
                          const char *expected, const char *nearest) {
    reader->faults++;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->name, reader->line,
                   (int32_t)(at - reader->line_start) + 1, message, expected, nearest);
}

static bool lsystem_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// The next word of the line; `#` ends the line only where no letter is expected.
static lsystem_word lsystem_next(lsystem_reader *reader) {
    while (reader->at < reader->end && lsystem_blank(*reader->at)) reader->at++;
    lsystem_word word = {reader->at, 0};
    while (reader->at < reader->end && *reader->at != '\n' && !lsystem_blank(*reader->at)) {
        reader->at++;
    }
    word.size = (int32_t)(reader->at - word.at);
    return word;
}

static bool lsystem_is(lsystem_word word, const char *text) {
    return word.size == (int32_t)strlen(text) && memcmp(word.at, text, (size_t)word.size) == 0;
}

// Appends a word's letters to the text; returns where they begin.
static int32_t lsystem_letters(lsystem_reader *reader, lsystem_word word) {
    int32_t first = reader->text.count;
    for (int32_t i = 0; i < word.size; i++) {
        if (word.at[i] <= ' ' || word.at[i] > '~') {
            lsystem_fault(reader, word.at + i, "a letter is not printable", "ASCII", NULL);
            return first;
        }
    }
    if (word.size > 0 && reader->memory == PLOY_OK) {
        reader->memory = ploy_array_push_many(&reader->text, word.at, word.size);
    }
    return first;
}

static bool lsystem_number(lsystem_reader *reader, lsystem_word word, float min, float max,
                           const char *expected, float *out) {
    double value = 0.0;
    if (word.size > 0 && ploy_parse_f64(word.at, (size_t)word.size, NULL, &value) == PLOY_OK &&
        value >= (double)min && value <= (double)max) {
        *out = (float)value;
        return true;
    }
    lsystem_fault(reader, word.at, "the number is missing or out of range", expected, NULL);
    return false;
}

static void lsystem_rule(lsystem_reader *reader) {
    lsystem_word letter = lsystem_next(reader), word = lsystem_next(reader);
    lsystem_rule_line line;
    memset(&line, 0, sizeof line);
    line.rule.weight = 1.0f;
    line.rule.next = -1;
    if (letter.size != 1) {
        lsystem_fault(reader, letter.at, "too many letters before the arrow", "one letter", NULL);
        return;
    }
    if (!lsystem_is(word, "->")) {
        if (!lsystem_number(reader, word, 0.0f, 1e6f, "'->' or a weight from 0 to 1000000",
                            &line.rule.weight)) {
            return;
        }
        word = lsystem_next(reader);
        if (!lsystem_is(word, "->")) {
            lsystem_fault(reader, word.at, "the arrow is missing", "'->'", NULL);
            return;
        }
    }
    // The successor may be empty: the letter vanishes. Blanks between its letters are allowed.
    line.letter = letter.at[0];
    line.rule.first = reader->text.count;
    lsystem_letters(reader, letter); // only checked
    if (reader->memory == PLOY_OK)
        reader->memory = ploy_array_resize(&reader->text, line.rule.first);
    for (word = lsystem_next(reader); word.size > 0; word = lsystem_next(reader)) {
        lsystem_letters(reader, word);
    }
    line.rule.count = reader->text.count - line.rule.first;
    if (reader->memory == PLOY_OK) reader->memory = ploy_array_push(&reader->rules, &line);
}

static void lsystem_draw(lsystem_reader *reader) {
    lsystem_word word = lsystem_next(reader);
    memset(reader->out.draws, 0, sizeof reader->out.draws);
    for (int32_t i = 0; i < word.size; i++) reader->out.draws[(unsigned char)word.at[i]] = true;
}

static void lsystem_axiom(lsystem_reader *reader) {
    if (reader->has_axiom) {
        lsystem_fault(reader, reader->line_start, "more than one axiom", NULL, NULL);
    }
    reader->has_axiom = true;
    reader->out.axiom = reader->text.count;
    for (lsystem_word word = lsystem_next(reader); word.size > 0; word = lsystem_next(reader)) {
        lsystem_letters(reader, word);
    }
    reader->out.axiom_count = reader->text.count - reader->out.axiom;
}

static const char *const lsystem_words[] = {"axiom",  "angle", "generations", "rule", "draw",
                                            "length", "width", "shrink",      "space"};

// Letters that two words share at the same places, less the difference of their lengths.
static const char *lsystem_nearest(lsystem_word word) {
    const char *best = NULL;
    int32_t most = 1;
    for (size_t i = 0; i < sizeof lsystem_words / sizeof lsystem_words[0]; i++) {
        int32_t size = (int32_t)strlen(lsystem_words[i]), same = 0;
        for (int32_t k = 0; k < size && k < word.size; k++)
            same += lsystem_words[i][k] == word.at[k];
        same -= size > word.size ? size - word.size : word.size - size;
        if (same > most) {
            most = same;
            best = lsystem_words[i];
        }
    }
    return best;
}

static void lsystem_line(lsystem_reader *reader) {
    ploy_lsystem_rules *out = &reader->out;
    lsystem_word word = lsystem_next(reader);
    if (word.size == 0 || word.at[0] == '#') return;
    float number = 0.0f;
    if (lsystem_is(word, "axiom")) {
        lsystem_axiom(reader);
        return;
    }
    if (lsystem_is(word, "rule")) {
        lsystem_rule(reader);
        return;
    }
    if (lsystem_is(word, "draw")) {
        lsystem_draw(reader);
    } else if (lsystem_is(word, "space")) {
        out->space = true;
    } else if (lsystem_is(word, "angle")) {
        if (lsystem_number(reader, lsystem_next(reader), -360, 360, "degrees", &number)) {
            out->angle = number * (PLOY_PI_F / 180.0f);
        }
    } else if (lsystem_is(word, "generations")) {
        if (lsystem_number(reader, lsystem_next(reader), 0, 100, "0 to 100", &number)) {
            out->generations = (int32_t)number;
        }
    } else if (lsystem_is(word, "length")) {
        lsystem_number(reader, lsystem_next(reader), 1e-4f, 1e4f, "metres", &out->length);
    } else if (lsystem_is(word, "width")) {
        lsystem_number(reader, lsystem_next(reader), 1e-4f, 1e4f, "metres", &out->width);
    } else if (lsystem_is(word, "shrink")) {
        lsystem_number(reader, lsystem_next(reader), 0.01f, 10, "a factor", &out->shrink);
    } else {
        lsystem_fault(reader, word.at, "unknown word", NULL, lsystem_nearest(word));
        return;
    }
    lsystem_word rest = lsystem_next(reader);
    if (rest.size > 0 && rest.at[0] != '#') {
        lsystem_fault(reader, rest.at, "too many values on the line", "one value", NULL);
    }
}

// One block: the struct, the rules, the text.
static ploy_result lsystem_pack(lsystem_reader *reader, const ploy_env *env,
                                ploy_lsystem_rules **out) {
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_lsystem_rules), reader->rules.count,
                             sizeof(ployi_lsystem_rule), &size) ||
        !ploy_size_add_array(size, reader->text.count, 1, &size)) {
        return PLOY_ERR_LIMIT;
    }
    ploy_lsystem_rules *rules = ploy_env_alloc(env, size);
    if (rules == NULL) return PLOY_ERR_MEMORY;
    *rules = reader->out;
    rules->env = *env;
    rules->size = size;
    rules->rule_count = reader->rules.count;
    ployi_lsystem_rule *items = (ployi_lsystem_rule *)(void *)(rules + 1);
    char *text = (char *)(items + reader->rules.count);
    if (reader->text.count > 0) memcpy(text, reader->text.items, (size_t)reader->text.count);
    const lsystem_rule_line *lines = reader->rules.items;
    for (int32_t i = 0; i < 256; i++) rules->heads[i] = -1;
    // Backwards, so that the rules of a letter are in the order of the text.
    for (int32_t i = reader->rules.count - 1; i >= 0; i--) {
        int32_t *head = &rules->heads[(unsigned char)lines[i].letter];
        items[i] = lines[i].rule;
        items[i].next = *head;
        *head = i;
    }
    rules->rules = items;
    rules->text = text;
    *out = rules;
    return PLOY_OK;
}

ploy_result ploy_lsystem_rules_load(const char *text, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags,
                                    ploy_lsystem_rules **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((text == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    lsystem_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.name = name != NULL ? name : "";
    reader.diags = diags;
    if (size > PLOY_LSYSTEM_TEXT) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, reader.name, 0, 0,
                       "the text is longer than 65536 bytes", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    if (size == 0) text = "";
    reader.at = reader.line_start = text;
    reader.end = text + size;
    reader.line = 1;
    reader.out.angle = PLOY_PI_F / 6.0f;
    reader.out.length = 1.0f;
    reader.out.width = 0.02f;
    reader.out.shrink = 0.8f;
    reader.out.generations = 3;
    reader.out.draws['F'] = reader.out.draws['G'] = true;
    ploy_array_init(&reader.rules, sizeof(lsystem_rule_line), env);
    ploy_array_init(&reader.text, 1, env);
    while (reader.at < reader.end && reader.faults < LSYSTEM_FAULTS && reader.memory == PLOY_OK) {
        lsystem_line(&reader);
        while (reader.at < reader.end && *reader.at != '\n') reader.at++; // after a fault
        if (reader.at < reader.end) reader.at++;
        reader.line++;
        reader.line_start = reader.at;
    }
    ploy_result result = reader.memory;
    if (result == PLOY_OK && reader.faults == 0 && reader.out.axiom_count == 0) {
        reader.line = 0;
        lsystem_fault(&reader, reader.line_start - 1, "the text has no axiom", "'axiom LETTERS'",
                      NULL);
    }
    if (result == PLOY_OK && reader.faults > 0) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) result = lsystem_pack(&reader, env, out);
    ploy_array_fini(&reader.rules);
    ploy_array_fini(&reader.text);
    return result;
}

void ploy_lsystem_rules_destroy(ploy_lsystem_rules *rules) {
    if (rules == NULL) return;
    ploy_env env = rules->env;
    ploy_env_free(&env, rules, rules->size);
}
