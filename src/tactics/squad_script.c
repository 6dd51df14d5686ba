// Squad scripts: reading the text; the format is described in the header.
//
// Each step that acts is one compound of the action book, named by its line, so that equal actions of
// different steps do not clash. The reader goes on after a fault; the object is published only if there
// was none.
#include "ploy/tactics/squad_script.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "squad_internal.h"

enum { SQUAD_WORDS_MAX = 40, SQUAD_BLOCKS_MAX = PLOY_ACTION_DEPTH_MAX - 2 };

typedef struct squad_word {
    char text[PLOY_SQUAD_NAME_MAX];
    int32_t column;
} squad_word;

typedef struct squad_reader {
    ploy_squad_scripts *scripts;
    const char *text;
    size_t size, at;
    ploy_diags *diags;
    ploy_result result; // the first fault
    int32_t line;
    int32_t word_count, word;
    squad_word words[SQUAD_WORDS_MAX];
    int32_t script; // present one; -1: none
    bool in_actor;
    // The compound that is open: its blocks, parts so far, and entries in each block.
    int32_t depth, parts, block_line;
    int32_t entries[SQUAD_BLOCKS_MAX];
} squad_reader;

const char *ploy_squad_step_text(ploy_squad_step_kind kind) {
    static const char *const texts[] = {"action", "signal", "wait", "joint"};
    return (uint32_t)kind <= PLOY_SQUAD_JOINT ? texts[kind] : "?";
}

static void squad_fault(squad_reader *reader, ploy_result code, int32_t line, int32_t column,
                        const char *message, const char *expected, const char *nearest) {
    if (reader->result == PLOY_OK) reader->result = code;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->scripts->file, line, column,
                   message, expected, nearest);
}

static int32_t squad_column(const squad_reader *reader) {
    if (reader->word < reader->word_count) return reader->words[reader->word].column;
    if (reader->word_count == 0) return 1;
    const squad_word *last = &reader->words[reader->word_count - 1];
    return last->column + (int32_t)strlen(last->text);
}

static void squad_fault_here(squad_reader *reader, const char *message, const char *expected) {
    squad_fault(reader, PLOY_ERR_FORMAT, reader->line, squad_column(reader), message, expected,
                NULL);
}

static void squad_memory(squad_reader *reader, ploy_result result) {
    if (result != PLOY_OK && reader->result != PLOY_ERR_MEMORY) reader->result = result;
}

// ---- words of a line

static bool squad_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Splits the next line into words; false at the end.
static bool squad_line(squad_reader *reader) {
    if (reader->at >= reader->size) return false;
    size_t end = reader->at, begin = reader->at;
    while (end < reader->size && reader->text[end] != '\n') end++;
    reader->line++;
    reader->word_count = reader->word = 0;
    for (size_t i = begin; i < end && reader->text[i] != '#';) {
        if (squad_blank(reader->text[i])) {
            i++;
            continue;
        }
        size_t from = i;
        while (i < end && !squad_blank(reader->text[i]) && reader->text[i] != '#') i++;
        int32_t column = (int32_t)(from - begin) + 1;
        if (i - from >= PLOY_SQUAD_NAME_MAX || reader->word_count == SQUAD_WORDS_MAX) {
            squad_fault(reader, PLOY_ERR_LIMIT, reader->line, column,
                        i - from >= PLOY_SQUAD_NAME_MAX ? "too long word" : "too many words",
                        i - from >= PLOY_SQUAD_NAME_MAX ? "at most 31 characters" : "at most 40",
                        NULL);
            break;
        }
        squad_word *word = &reader->words[reader->word_count++];
        memset(word, 0, sizeof *word);
        memcpy(word->text, reader->text + from, i - from);
        word->column = column;
    }
    reader->at = end < reader->size ? end + 1 : end;
    return true;
}

static const char *squad_peek(const squad_reader *reader) {
    return reader->word < reader->word_count ? reader->words[reader->word].text : "";
}

static bool squad_take(squad_reader *reader, const char *word) {
    if (strcmp(squad_peek(reader), word) != 0) return false;
    reader->word++;
    return true;
}

static bool squad_is_name(const char *text) {
    if (text[0] == 0) return false;
    for (size_t i = 0; text[i] != 0; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool more = (c >= '0' && c <= '9') || c == '-' || c == '.';
        if (!letter && (i == 0 || !more)) return false;
    }
    return true;
}

static bool squad_is_keyword(const char *text) {
    static const char *const words[] = {"idle", "timeout", "continue", "at", "within", "for"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) return true;
    }
    return false;
}

// A name, which is added to the texts; NULL after a fault.
static const char *squad_name(squad_reader *reader, const char *expected) {
    const char *text = squad_peek(reader);
    if (!squad_is_name(text) || squad_is_keyword(text)) {
        squad_fault_here(reader, text[0] == 0 ? "missing word" : "invalid name", expected);
        return NULL;
    }
    squad_memory(reader, ploy_names_add(reader->scripts->names, text, NULL));
    reader->word++;
    return text;
}

static bool squad_number(squad_reader *reader, float min, float max, const char *expected,
                         float *out) {
    const char *text = squad_peek(reader);
    size_t used = 0, size = strlen(text);
    float value = 0.0f;
    bool ok = size > 0 && ploy_parse_f32(text, size, &used, &value) == PLOY_OK && used == size &&
              ploy_in_range(value, min, max);
    if (!ok) {
        squad_fault_here(reader, text[0] == 0 ? "missing number" : "invalid number", expected);
        return false;
    }
    reader->word++;
    *out = value;
    return true;
}

static void squad_end_of_line(squad_reader *reader) {
    if (reader->word >= reader->word_count) return;
    squad_fault_here(reader, "unexpected word", "the end of the line");
}

// ---- signals and joints

// The number of an id in the present script; -1 after a fault. Adds it if it is new.
static int32_t squad_id(squad_reader *reader, ploy_array *list, int32_t first, int32_t *count,
                        const char *text) {
    for (int32_t i = 0; i < *count; i++) {
        if (strcmp(PLOY_ARRAY_ITEMS(list, ployi_squad_signal)[first + i].name, text) == 0) {
            return i;
        }
    }
    if (*count == PLOY_SQUAD_SIGNALS_MAX) {
        squad_fault(reader, PLOY_ERR_LIMIT, reader->line, squad_column(reader), "too many ids",
                    "at most 256 in a script", NULL);
        return -1;
    }
    ployi_squad_signal signal;
    memset(&signal, 0, sizeof signal);
    memcpy(signal.name, text, strlen(text) + 1);
    signal.hash = ploy_name_of(text);
    signal.line = reader->line;
    ploy_result result = ploy_array_push(list, &signal);
    squad_memory(reader, result);
    return result == PLOY_OK ? (*count)++ : -1;
}

static ployi_squad_script *squad_script(const squad_reader *reader) {
    return &PLOY_ARRAY_ITEMS(&reader->scripts->scripts, ployi_squad_script)[reader->script];
}

static int32_t squad_signal(squad_reader *reader, const char *text) {
    ployi_squad_script *script = squad_script(reader);
    return squad_id(reader, &reader->scripts->signals, script->first_signal, &script->signal_count,
                    text);
}

static void squad_push_id(squad_reader *reader, ployi_squad_step *step, int32_t id) {
    if (id < 0) return;
    squad_memory(reader, ploy_array_push(&reader->scripts->ids, &id));
    step->id_count++;
}

// ---- actions

static bool squad_effect(const char *text, ploy_action_effect *out) {
    static const char *const words[] = {"move", "play", "change", "think", "show"};
    for (int32_t i = 0; i < PLOY_ACTION_EFFECT_COUNT; i++) {
        if (strcmp(text, words[i]) != 0) continue;
        *out = (ploy_action_effect)i;
        return true;
    }
    return false;
}

// Reads EFFECT NAME [STYLE] [at X Y [within R]] [for S]; false after a fault.
static bool squad_part(squad_reader *reader, ploy_action_part *out, const char **name) {
    ploy_action_effect effect = PLOY_ACTION_MOVE;
    if (!squad_effect(squad_peek(reader), &effect)) {
        squad_fault_here(reader, "unknown action", "move, play, change, think or show");
        return false;
    }
    reader->word++;
    *name = squad_name(reader, "the action's name");
    if (*name == NULL) return false;
    *out = ploy_action_part_make(*name, effect, 0);
    const char *style = squad_peek(reader);
    if (style[0] != 0 && !squad_is_keyword(style)) {
        out->style = squad_name(reader, "a style, 'at', 'for' or the end of the line");
        if (out->style == NULL) return false;
    }
    if (squad_take(reader, "at")) {
        out->placed = true;
        if (!squad_number(reader, -1e9f, 1e9f, "x in m", &out->position.x)) return false;
        if (!squad_number(reader, -1e9f, 1e9f, "y in m", &out->position.y)) return false;
        if (squad_take(reader, "within") &&
            !squad_number(reader, 0.0f, 1e9f, "a distance in m", &out->reach)) {
            return false;
        }
    }
    if (squad_take(reader, "for") &&
        !squad_number(reader, 1e-3f, PLOY_SQUAD_SECONDS_MAX, "0.001 to 86400 s", &out->seconds)) {
        return false;
    }
    return true;
}

// The name of a step's compound in the book: its line and a letter.
static void squad_book_name(char out[24], int32_t line, char letter) {
    size_t size = ploy_print_i64(line, out);
    out[size] = letter;
    out[size + 1] = 0;
}

// Adds one part as a compound of the book. @return its number, or -1 after a fault.
static int32_t squad_single(squad_reader *reader, const ploy_action_part *part, char letter) {
    ploy_action_book *book = reader->scripts->book;
    char name[24];
    if (reader->result != PLOY_OK) return -1; // the book would report the same fault again
    squad_book_name(name, reader->line, letter);
    ploy_result result = ploy_action_book_open(book, name, PLOY_ACTION_SEQUENCE);
    if (result == PLOY_OK) result = ploy_action_book_add(book, part);
    if (result == PLOY_OK) result = ploy_action_book_close(book);
    squad_memory(reader, result);
    if (reader->scripts->parts < 2) reader->scripts->parts = 2;
    return result == PLOY_OK ? ploy_action_book_find(book, ploy_name_of(name)) : -1;
}

// ---- steps

static void squad_push_step(squad_reader *reader, const ployi_squad_step *step) {
    if (reader->scripts->steps.count == PLOY_SQUAD_STEPS_MAX) {
        squad_fault(reader, PLOY_ERR_LIMIT, reader->line, 1, "too many steps", "at most 4096",
                    NULL);
        return;
    }
    squad_memory(reader, ploy_array_push(&reader->scripts->steps, step));
    ploy_array *actors = &reader->scripts->actors;
    PLOY_ARRAY_ITEMS(actors, ployi_squad_actor)
    [actors->count - 1].step_count =
        reader->scripts->steps.count -
        PLOY_ARRAY_ITEMS(actors, ployi_squad_actor)[actors->count - 1].first_step;
}

static ployi_squad_step squad_step_make(const squad_reader *reader, ploy_squad_step_kind kind) {
    ployi_squad_step step;
    memset(&step, 0, sizeof step);
    step.kind = kind;
    step.line = reader->line;
    step.action = step.idle = -1;
    step.first_id = reader->scripts->ids.count;
    return step;
}

// [idle ACTION] [timeout S [continue]] and the end of the line.
static void squad_wait_options(squad_reader *reader, ployi_squad_step *step) {
    ploy_action_part part;
    const char *name = NULL;
    if (squad_take(reader, "idle")) {
        if (!squad_part(reader, &part, &name)) return;
        step->idle = squad_single(reader, &part, 'i');
    }
    if (squad_take(reader, "timeout")) {
        if (!squad_number(reader, 1e-3f, PLOY_SQUAD_SECONDS_MAX, "0.001 to 86400 s",
                          &step->timeout)) {
            return;
        }
        step->go_on = squad_take(reader, "continue");
    }
    squad_end_of_line(reader);
}

static void squad_read_signal(squad_reader *reader) {
    ployi_squad_step step = squad_step_make(reader, PLOY_SQUAD_SIGNAL);
    const char *name = squad_name(reader, "a signal's name");
    if (name == NULL) return;
    memcpy(step.text, name, strlen(name) + 1);
    squad_push_id(reader, &step, squad_signal(reader, name));
    squad_end_of_line(reader);
    squad_push_step(reader, &step);
}

static void squad_read_wait(squad_reader *reader) {
    ployi_squad_step step = squad_step_make(reader, PLOY_SQUAD_WAIT);
    do {
        const char *name = squad_name(reader, "a signal's name");
        if (name == NULL) return;
        if (step.id_count == 0) memcpy(step.text, name, strlen(name) + 1);
        squad_push_id(reader, &step, squad_signal(reader, name));
    } while (squad_peek(reader)[0] != 0 && !squad_is_keyword(squad_peek(reader)));
    squad_wait_options(reader, &step);
    squad_push_step(reader, &step);
}

static void squad_read_joint(squad_reader *reader) {
    ployi_squad_step step = squad_step_make(reader, PLOY_SQUAD_JOINT);
    const char *name = squad_name(reader, "a joint action's id");
    if (name == NULL) return;
    memcpy(step.text, name, strlen(name) + 1);
    ployi_squad_script *script = squad_script(reader);
    squad_push_id(reader, &step,
                  squad_id(reader, &reader->scripts->joints, script->first_joint,
                           &script->joint_count, name));
    ploy_action_part part;
    if (!squad_part(reader, &part, &name)) return;
    step.action = squad_single(reader, &part, 'j');
    squad_wait_options(reader, &step);
    if (step.go_on) {
        // Its partners would wait for an actor that has left.
        squad_fault(reader, PLOY_ERR_FORMAT, reader->line,
                    reader->words[reader->word_count - 1].column,
                    "a joint action cannot continue without its partners", NULL, NULL);
    }
    squad_push_step(reader, &step);
}

static void squad_read_action(squad_reader *reader) {
    ployi_squad_step step = squad_step_make(reader, PLOY_SQUAD_ACTION);
    ploy_action_part part;
    const char *name = NULL;
    if (!squad_part(reader, &part, &name)) return;
    memcpy(step.text, name, strlen(name) + 1);
    squad_end_of_line(reader);
    if (reader->depth == 0) {
        step.action = squad_single(reader, &part, 'a');
        squad_push_step(reader, &step);
        return;
    }
    if (reader->result == PLOY_OK) {
        squad_memory(reader, ploy_action_book_add(reader->scripts->book, &part));
    }
    reader->entries[reader->depth - 1]++;
    reader->parts++;
}

static void squad_open(squad_reader *reader, ploy_action_join join) {
    squad_end_of_line(reader);
    if (reader->depth == SQUAD_BLOCKS_MAX) {
        squad_fault(reader, PLOY_ERR_LIMIT, reader->line, 1, "too deep nesting of blocks", NULL,
                    NULL);
        return;
    }
    char name[24];
    squad_book_name(name, reader->line, 'b');
    if (reader->depth == 0) {
        reader->parts = 0;
        reader->block_line = reader->line;
    } else {
        reader->entries[reader->depth - 1]++;
    }
    reader->parts++;
    if (reader->result == PLOY_OK) {
        squad_memory(reader, ploy_action_book_open(reader->scripts->book, name, join));
    }
    reader->entries[reader->depth++] = 0;
}

static void squad_close(squad_reader *reader) {
    squad_end_of_line(reader);
    if (reader->depth == 0) {
        squad_fault(reader, PLOY_ERR_FORMAT, reader->line, 1, "'end' without a block", NULL, NULL);
        return;
    }
    reader->depth--;
    if (reader->entries[reader->depth] == 0) {
        // The book would refuse the empty compound; this says where it is.
        squad_fault(reader, PLOY_ERR_FORMAT, reader->line, 1, "the block is empty", "an action",
                    NULL);
        return;
    }
    if (reader->result != PLOY_OK) return;
    squad_memory(reader, ploy_action_book_close(reader->scripts->book));
    if (reader->depth > 0) return;
    char name[24];
    squad_book_name(name, reader->block_line, 'b');
    ployi_squad_step step = squad_step_make(reader, PLOY_SQUAD_ACTION);
    step.line = reader->block_line;
    memcpy(step.text, "together", sizeof "together");
    step.action = ploy_action_book_find(reader->scripts->book, ploy_name_of(name));
    if (reader->parts > reader->scripts->parts) reader->scripts->parts = reader->parts;
    squad_push_step(reader, &step);
}

// ---- scripts and actors

static void squad_finish_block(squad_reader *reader) {
    if (reader->depth == 0) return;
    squad_fault(reader, PLOY_ERR_FORMAT, reader->block_line, 1, "the block is not closed", "'end'",
                NULL);
    reader->depth = 0;
}

static void squad_finish_script(squad_reader *reader) {
    squad_finish_block(reader);
    if (reader->script < 0) return;
    const ployi_squad_script *script = squad_script(reader);
    if (script->actor_count == 0) {
        squad_fault(reader, PLOY_ERR_FORMAT, script->line, 1, "the script has no actors", "'actor'",
                    NULL);
    }
}

static void squad_read_script(squad_reader *reader) {
    squad_finish_script(reader);
    reader->in_actor = false;
    ploy_squad_scripts *scripts = reader->scripts;
    ployi_squad_script script;
    memset(&script, 0, sizeof script);
    script.line = reader->line;
    script.fallback = -1;
    script.first_actor = scripts->actors.count;
    script.first_signal = scripts->signals.count;
    script.first_joint = scripts->joints.count;
    int32_t column = squad_column(reader);
    const char *name = squad_name(reader, "the script's name");
    if (name != NULL) {
        if (ploy_squad_scripts_find(scripts, name) >= 0) {
            squad_fault(reader, PLOY_ERR_EXISTS, reader->line, column, "duplicate script", NULL,
                        NULL);
        }
        memcpy(script.name, name, strlen(name) + 1);
        squad_end_of_line(reader);
    }
    ploy_result result = ploy_array_push(&scripts->scripts, &script);
    squad_memory(reader, result);
    if (result == PLOY_OK) reader->script = scripts->scripts.count - 1;
}

static void squad_read_actor(squad_reader *reader) {
    squad_finish_block(reader);
    ploy_squad_scripts *scripts = reader->scripts;
    ployi_squad_script *script = squad_script(reader);
    ployi_squad_actor actor;
    memset(&actor, 0, sizeof actor);
    int32_t column = squad_column(reader);
    const char *name = squad_name(reader, "the actor's name");
    if (name == NULL) return;
    for (int32_t i = 0; i < script->actor_count; i++) {
        if (strcmp(ployi_squad_actor_at(scripts, script, i)->name, name) != 0) continue;
        squad_fault(reader, PLOY_ERR_EXISTS, reader->line, column, "duplicate actor", NULL, NULL);
    }
    if (script->actor_count == PLOY_SQUAD_ACTORS_MAX) {
        squad_fault(reader, PLOY_ERR_LIMIT, reader->line, 1, "too many actors", "at most 16", NULL);
        return;
    }
    memcpy(actor.name, name, strlen(name) + 1);
    actor.line = reader->line;
    actor.first_step = scripts->steps.count;
    squad_end_of_line(reader);
    ploy_result result = ploy_array_push(&scripts->actors, &actor);
    squad_memory(reader, result);
    if (result != PLOY_OK) return;
    script->actor_count++;
    reader->in_actor = true;
}

static void squad_read_flags(squad_reader *reader, uint32_t flag) {
    do {
        const char *name = squad_name(reader, "a signal's name");
        if (name == NULL) return;
        int32_t id = squad_signal(reader, name);
        if (id < 0) return;
        PLOY_ARRAY_ITEMS(&reader->scripts->signals, ployi_squad_signal)
        [squad_script(reader)->first_signal + id].flags |= flag;
    } while (reader->word < reader->word_count);
}

static void squad_read_fallback(squad_reader *reader) {
    ployi_squad_script *script = squad_script(reader);
    int32_t column = squad_column(reader);
    const char *name = squad_name(reader, "a script's name");
    if (name == NULL) return;
    memcpy(script->fallback_name, name, strlen(name) + 1);
    script->fallback_line = reader->line;
    script->fallback_column = column;
    squad_end_of_line(reader);
}

static void squad_unknown(squad_reader *reader) {
    static const char *const words[] = {
        "script",   "actor",    "external", "shared", "keep", "fallback", "signal", "wait", "joint",
        "together", "sequence", "end",      "move",   "play", "change",   "think",  "show"};
    reader->word--;
    ploy_nearest nearest = ploy_nearest_make(squad_peek(reader));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ploy_nearest_offer(&nearest, words[i]);
    }
    char message[64] = "unknown word '";
    size_t at = strlen(message), size = strlen(squad_peek(reader));
    memcpy(message + at, squad_peek(reader), size);
    message[at + size] = '\'';
    message[at + size + 1] = 0;
    squad_fault(reader, PLOY_ERR_FORMAT, reader->line, squad_column(reader), message, NULL,
                nearest.best);
}

// Steps of an actor. True if the word was one.
static bool squad_read_step(squad_reader *reader, const char *first) {
    bool action = false;
    ploy_action_effect effect;
    action = squad_effect(first, &effect);
    bool block = strcmp(first, "together") == 0 || strcmp(first, "sequence") == 0 ||
                 strcmp(first, "end") == 0;
    bool sync =
        strcmp(first, "signal") == 0 || strcmp(first, "wait") == 0 || strcmp(first, "joint") == 0;
    if (!action && !block && !sync) return false;
    if (!reader->in_actor) {
        reader->word--;
        squad_fault_here(reader, "unexpected step outside an actor", "'actor'");
        return true;
    }
    if (sync && reader->depth > 0) {
        reader->word--;
        squad_fault_here(reader, "only actions may be inside a block", "an action or 'end'");
        return true;
    }
    if (action) {
        reader->word--;
        squad_read_action(reader);
    } else if (strcmp(first, "signal") == 0) {
        squad_read_signal(reader);
    } else if (strcmp(first, "wait") == 0) {
        squad_read_wait(reader);
    } else if (strcmp(first, "joint") == 0) {
        squad_read_joint(reader);
    } else if (strcmp(first, "end") == 0) {
        squad_close(reader);
    } else {
        squad_open(reader,
                   strcmp(first, "together") == 0 ? PLOY_ACTION_TOGETHER : PLOY_ACTION_SEQUENCE);
    }
    return true;
}

static void squad_read_line(squad_reader *reader) {
    if (reader->word_count == 0) return;
    const char *first = reader->words[reader->word++].text;
    if (strcmp(first, "script") == 0) {
        squad_read_script(reader);
        return;
    }
    if (reader->script < 0) {
        reader->word--;
        squad_fault_here(reader, "unexpected text before the first script", "'script'");
        return;
    }
    bool head = strcmp(first, "external") == 0 || strcmp(first, "shared") == 0 ||
                strcmp(first, "keep") == 0 || strcmp(first, "fallback") == 0;
    if (head && reader->in_actor) {
        reader->word--;
        squad_fault_here(reader, "declaration must be in front of the actors", NULL);
    } else if (strcmp(first, "actor") == 0) {
        squad_read_actor(reader);
    } else if (strcmp(first, "fallback") == 0) {
        squad_read_fallback(reader);
    } else if (head) {
        squad_read_flags(reader, first[0] == 'e'   ? PLOYI_SQUAD_EXTERNAL
                                 : first[0] == 's' ? PLOYI_SQUAD_SHARED
                                                   : PLOYI_SQUAD_KEEP);
    } else if (!squad_read_step(reader, first)) {
        squad_unknown(reader);
    }
}

// Fallbacks name scripts that may come later in the file.
static void squad_link(squad_reader *reader) {
    ploy_squad_scripts *scripts = reader->scripts;
    for (int32_t i = 0; i < scripts->scripts.count; i++) {
        ployi_squad_script *script = &PLOY_ARRAY_ITEMS(&scripts->scripts, ployi_squad_script)[i];
        if (script->fallback_name[0] == 0) continue;
        script->fallback = ploy_squad_scripts_find(scripts, script->fallback_name);
        if (script->fallback >= 0) continue;
        ploy_nearest nearest = ploy_nearest_make(script->fallback_name);
        for (int32_t k = 0; k < scripts->scripts.count; k++) {
            ploy_nearest_offer(&nearest, ploy_squad_scripts_name(scripts, k));
        }
        squad_fault(reader, PLOY_ERR_NOT_FOUND, script->fallback_line, script->fallback_column,
                    "no such script", NULL, nearest.best);
    }
}

ploy_result ploy_squad_scripts_load(const void *bytes, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags,
                                    ploy_squad_scripts **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0) || name == NULL) return PLOY_ERR_ARGUMENT;
    ploy_squad_scripts *scripts = ploy_env_alloc_zero(env, sizeof *scripts);
    if (scripts == NULL) return PLOY_ERR_MEMORY;
    scripts->env = *env;
    size_t length =
        strlen(name) < sizeof scripts->file - 1 ? strlen(name) : sizeof scripts->file - 1;
    memcpy(scripts->file, name, length);
    ploy_array_init(&scripts->scripts, sizeof(ployi_squad_script), env);
    ploy_array_init(&scripts->actors, sizeof(ployi_squad_actor), env);
    ploy_array_init(&scripts->steps, sizeof(ployi_squad_step), env);
    ploy_array_init(&scripts->signals, sizeof(ployi_squad_signal), env);
    ploy_array_init(&scripts->joints, sizeof(ployi_squad_signal), env);
    ploy_array_init(&scripts->ids, sizeof(int32_t), env);
    ploy_result result = ploy_names_create(env, &scripts->names);
    if (result == PLOY_OK) result = ploy_action_book_create(env, &scripts->book);
    squad_reader *reader = result == PLOY_OK ? ploy_env_alloc_zero(env, sizeof *reader) : NULL;
    if (result == PLOY_OK && reader == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        reader->scripts = scripts;
        reader->text = bytes;
        reader->size = size;
        reader->diags = diags;
        reader->script = -1;
        while (squad_line(reader) && reader->result != PLOY_ERR_MEMORY) squad_read_line(reader);
        squad_finish_script(reader);
        squad_link(reader);
        if (scripts->scripts.count == 0 && reader->result == PLOY_OK) {
            squad_fault(reader, PLOY_ERR_FORMAT, 1, 1, "the file has no script", "'script'", NULL);
        }
        if (reader->result == PLOY_OK) squad_memory(reader, ploy_action_book_finish(scripts->book));
        result = reader->result;
        if (result == PLOY_ERR_EXISTS || result == PLOY_ERR_NOT_FOUND) result = PLOY_ERR_FORMAT;
        ploy_env_free(env, reader, sizeof *reader);
    }
    if (result != PLOY_OK) {
        ploy_squad_scripts_destroy(scripts);
        return result;
    }
    *out = scripts;
    return PLOY_OK;
}

void ploy_squad_scripts_destroy(ploy_squad_scripts *scripts) {
    if (scripts == NULL) return;
    ploy_env env = scripts->env;
    ploy_array_fini(&scripts->scripts);
    ploy_array_fini(&scripts->actors);
    ploy_array_fini(&scripts->steps);
    ploy_array_fini(&scripts->signals);
    ploy_array_fini(&scripts->joints);
    ploy_array_fini(&scripts->ids);
    ploy_names_destroy(scripts->names);
    ploy_action_book_destroy(scripts->book);
    ploy_env_free(&env, scripts, sizeof *scripts);
}

// ---- reading it

int32_t ploy_squad_scripts_count(const ploy_squad_scripts *scripts) {
    return scripts != NULL ? scripts->scripts.count : 0;
}

int32_t ploy_squad_scripts_find(const ploy_squad_scripts *scripts, const char *name) {
    for (int32_t i = 0; i < ploy_squad_scripts_count(scripts); i++) {
        if (strcmp(ployi_squad_script_at(scripts, i)->name, name) == 0) return i;
    }
    return -1;
}

const char *ploy_squad_scripts_name(const ploy_squad_scripts *scripts, int32_t index) {
    const ployi_squad_script *script = ployi_squad_script_at(scripts, index);
    return script != NULL ? script->name : NULL;
}

int32_t ploy_squad_scripts_actors(const ploy_squad_scripts *scripts, int32_t index) {
    const ployi_squad_script *script = ployi_squad_script_at(scripts, index);
    return script != NULL ? script->actor_count : 0;
}

const char *ploy_squad_scripts_actor(const ploy_squad_scripts *scripts, int32_t script,
                                     int32_t index) {
    const ployi_squad_actor *actor =
        ployi_squad_actor_at(scripts, ployi_squad_script_at(scripts, script), index);
    return actor != NULL ? actor->name : NULL;
}

const char *ploy_squad_scripts_external(const ploy_squad_scripts *scripts, int32_t index,
                                        int32_t number) {
    const ployi_squad_script *script = ployi_squad_script_at(scripts, index);
    for (int32_t i = 0; script != NULL && i < script->signal_count && number >= 0; i++) {
        const ployi_squad_signal *signal = ployi_squad_signal_at(scripts, script, i);
        if ((signal->flags & PLOYI_SQUAD_EXTERNAL) != 0 && number-- == 0) return signal->name;
    }
    return NULL;
}

const char *ploy_squad_scripts_text(const ploy_squad_scripts *scripts, ploy_name name) {
    return scripts != NULL ? ploy_names_text(scripts->names, name) : NULL;
}

int32_t ploy_squad_scripts_steps(const ploy_squad_scripts *scripts, int32_t script, int32_t index) {
    const ployi_squad_actor *actor =
        ployi_squad_actor_at(scripts, ployi_squad_script_at(scripts, script), index);
    return actor != NULL ? actor->step_count : 0;
}

ploy_result ploy_squad_scripts_step_at(const ploy_squad_scripts *scripts, int32_t script,
                                       int32_t index, int32_t at, ploy_squad_step *out) {
    const ployi_squad_actor *actor =
        ployi_squad_actor_at(scripts, ployi_squad_script_at(scripts, script), index);
    const ployi_squad_step *step = ployi_squad_step_at(scripts, actor, at);
    if (step == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    out->kind = step->kind;
    out->line = step->line;
    out->text = step->text;
    out->timeout = step->timeout;
    out->go_on = step->go_on;
    return PLOY_OK;
}
