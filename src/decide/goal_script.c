// Scripts of goals; described in the header.
#include "ploy/decide/goal_script.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"

_Static_assert(sizeof(ploy_goal_line) == PLOY_GOAL_PARAMS_MAX, "a line is a goal's parameters");

// ---- the goals ----

static ploy_result script_say_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    *(double *)turn->data = turn->context->now;
    if (mover->say != NULL) mover->say(mover->user, ((const ploy_goal_line *)turn->params)->text);
    return PLOY_OK;
}

static ploy_result script_say_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    double since = turn->context->now - *(const double *)turn->data;
    if (since >= (double)((const ploy_goal_line *)turn->params)->numbers[0]) {
        *status = PLOY_GOAL_COMPLETED;
    }
    return PLOY_OK;
}

static void script_say_end(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    if (mover->say != NULL && turn->context != NULL) mover->say(mover->user, "");
}

const ploy_goal_type *ployi_goal_say(void) {
    static const ploy_goal_type type = {.name = "say",
                                        .needs_owner = true,
                                        .activate = script_say_activate,
                                        .process = script_say_process,
                                        .terminate = script_say_end};
    return &type;
}

static ploy_result script_lead_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_line *line = turn->params;
    ploy_vec2 at = mover->position(mover->user), to = {line->numbers[0], line->numbers[1]};
    ploy_vec2 follower = at;
    bool seen = mover->follower == NULL || mover->follower(mover->user, &follower);
    bool behind = !seen || ploy_vec2_distance(at, follower) > line->numbers[2];
    if (ploy_vec2_distance(at, to) < mover->tolerance) {
        *status = PLOY_GOAL_COMPLETED;
    } else if (mover->steer != NULL) {
        mover->steer(mover->user, behind ? PLOY_GOAL_STEER_NONE : PLOY_GOAL_STEER_ARRIVE, to, 0.0f);
    }
    return PLOY_OK;
}

static void script_lead_stop(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    if (mover->steer == NULL) return;
    mover->steer(mover->user, PLOY_GOAL_STEER_NONE, mover->position(mover->user), 0.0f);
}

const ploy_goal_type *ployi_goal_lead(void) {
    static const ploy_goal_type type = {.name = "lead",
                                        .needs_owner = true,
                                        .process = script_lead_process,
                                        .terminate = script_lead_stop,
                                        .suspend = script_lead_stop};
    return &type;
}

static ploy_result script_vanish_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    if (mover->vanish != NULL) mover->vanish(mover->user);
    *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

const ploy_goal_type *ployi_goal_vanish(void) {
    static const ploy_goal_type type = {
        .name = "vanish", .needs_owner = true, .process = script_vanish_process};
    return &type;
}

// ---- the words ----

static size_t script_fill_door(const ploy_goal_line *line, void *out) {
    ploy_goal_edge_params params;
    memset(&params, 0, sizeof params);
    params.from = ploy_vec2_make(line->numbers[0], line->numbers[1]);
    params.to = ploy_vec2_make(line->numbers[2], line->numbers[3]);
    params.link = ploy_id_make((uint32_t)line->numbers[4], 1);
    params.last = 1;
    memcpy(out, &params, sizeof params);
    return sizeof params;
}

static size_t script_fill_lift(const ploy_goal_line *line, void *out) {
    ploy_goal_mechanism_params params;
    memset(&params, 0, sizeof params);
    params.button = ploy_vec2_make(line->numbers[0], line->numbers[1]);
    params.embark = ploy_vec2_make(line->numbers[2], line->numbers[3]);
    params.mechanism = ploy_id_make((uint32_t)line->numbers[4], 1);
    params.patience = line->numbers[5];
    memcpy(out, &params, sizeof params);
    return sizeof params;
}

// Places and seconds are at the beginning of a line, as in the parameters of those goals.
static const ploy_goal_word script_words[] = {
    {"say", NULL, ployi_goal_say, "tn", NULL},
    {"pause", NULL, ploy_goal_pause, "n", NULL},
    {"seek", NULL, ploy_goal_seek, "p", NULL},
    {"move", NULL, ploy_goal_move_to, "p", NULL},
    {"explore", NULL, ploy_goal_explore, "", NULL},
    {"wander", NULL, ploy_goal_wander, "", NULL},
    {"lead", NULL, ployi_goal_lead, "pn", NULL},
    {"door", NULL, ploy_goal_negotiate_door, "ppn", script_fill_door},
    {"lift", NULL, ploy_goal_use_mechanism, "ppnn", script_fill_lift},
    {"vanish", NULL, ployi_goal_vanish, "", NULL},
};

enum { SCRIPT_WORDS = sizeof script_words / sizeof script_words[0] };

const ploy_goal_word *ployi_goal_words(int32_t *count) {
    if (count != NULL) *count = SCRIPT_WORDS;
    return script_words;
}

// ---- reading ----

typedef struct script_item {
    const ploy_goal_word *word;
    ploy_goal_line line;
    bool repeats;
} script_item;

struct ploy_goal_script {
    ploy_env env;
    ploy_array items; // script_item
};

typedef struct script_reader {
    const char *text, *name;
    size_t at, end; // of the line
    size_t line_at;
    int32_t line;
    ploy_diags *diags;
    ploy_result result;
} script_reader;

static void script_fault(script_reader *reader, const char *message, const char *expected,
                         const char *nearest) {
    if (reader->result != PLOY_ERR_MEMORY) reader->result = PLOY_ERR_FORMAT;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->name, reader->line,
                   (int32_t)(reader->at - reader->line_at) + 1, message, expected, nearest);
}

static char script_peek(script_reader *reader) {
    while (reader->at < reader->end && strchr(" \t\r", reader->text[reader->at]) != NULL) {
        reader->at++;
    }
    if (reader->at >= reader->end || reader->text[reader->at] == '#') return '\0';
    return reader->text[reader->at];
}

static bool script_number(script_reader *reader, float *out) {
    size_t used = 0;
    double value = 0.0;
    (void)script_peek(reader);
    if (ploy_parse_f64(reader->text + reader->at, reader->end - reader->at, &used, &value) !=
            PLOY_OK ||
        used == 0 || !(value > -1e9 && value < 1e9)) {
        return false;
    }
    reader->at += used;
    *out = (float)value;
    return true;
}

static bool script_char(script_reader *reader, char c) {
    if (script_peek(reader) != c) return false;
    reader->at++;
    return true;
}

static bool script_text(script_reader *reader, char out[40]) {
    if (!script_char(reader, '"')) return false;
    size_t used = 0;
    for (; reader->at < reader->end && reader->text[reader->at] != '"'; reader->at++) {
        if (used + 1 < 40) out[used++] = reader->text[reader->at];
    }
    out[used] = '\0';
    return script_char(reader, '"');
}

// What the word's form asks for.
static bool script_arguments(script_reader *reader, const ploy_goal_word *word,
                             ploy_goal_line *line) {
    int32_t number = 0;
    for (const char *form = word->form; *form != '\0'; form++) {
        bool fine = false;
        if (*form == 't') fine = script_text(reader, line->text);
        if (*form == 'n' && number < 6) fine = script_number(reader, &line->numbers[number++]);
        if (*form == 'p' && number < 5) {
            fine = script_char(reader, '(') && script_number(reader, &line->numbers[number++]) &&
                   script_char(reader, ',') && script_number(reader, &line->numbers[number++]) &&
                   script_char(reader, ')');
        }
        if (fine) continue;
        script_fault(reader, word->name,
                     *form == 't'   ? "a text in quotes"
                     : *form == 'n' ? "a number"
                                    : "a place (x, y)",
                     NULL);
        return false;
    }
    if (script_peek(reader) == '\0') return true;
    script_fault(reader, word->name, "the end of the line", NULL);
    return false;
}

static bool script_word_is(const ploy_goal_word *word, const char *text, size_t size) {
    return strlen(word->name) == size && memcmp(word->name, text, size) == 0;
}

static void script_line(script_reader *reader, ploy_goal_script *script,
                        const ploy_goal_word *words, int32_t count) {
    script_item item;
    memset(&item, 0, sizeof item);
    if (script_peek(reader) == '\0') return;
    for (int32_t pass = 0; pass < 2; pass++) {
        size_t from = reader->at;
        while (reader->at < reader->end && strchr(" \t\r(\"#", reader->text[reader->at]) == NULL) {
            reader->at++;
        }
        const char *text = reader->text + from;
        size_t size = reader->at - from;
        if (pass == 0 && size == 6 && memcmp(text, "repeat", 6) == 0) {
            item.repeats = true;
            (void)script_peek(reader);
            continue;
        }
        char found[64];
        size_t kept = size < sizeof found ? size : sizeof found - 1;
        memcpy(found, text, kept);
        found[kept] = '\0';
        ploy_nearest nearest = ploy_nearest_make(found);
        for (int32_t i = 0; i < count + SCRIPT_WORDS && item.word == NULL; i++) {
            const ploy_goal_word *word = i < count ? &words[i] : &script_words[i - count];
            if (script_word_is(word, text, size)) item.word = word;
            ploy_nearest_offer(&nearest, word->name);
        }
        if (item.word == NULL) {
            reader->at = from;
            script_fault(reader, "unknown word", NULL, nearest.best);
            return;
        }
        break;
    }
    if (item.word == NULL || !script_arguments(reader, item.word, &item.line)) return;
    if (ploy_array_push(&script->items, &item) != PLOY_OK) reader->result = PLOY_ERR_MEMORY;
}

ploy_result ploy_goal_script_load(const char *text, size_t size, const char *name,
                                  const ploy_goal_word *words, int32_t word_count,
                                  ploy_diags *diags, const ploy_env *env, ploy_goal_script **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (size > 0 && text == NULL) || word_count < 0 ||
        (word_count > 0 && words == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < word_count; i++) {
        if (words[i].name == NULL || words[i].form == NULL ||
            (words[i].type == NULL && words[i].get == NULL)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_goal_script *script = ploy_env_alloc_zero(env, sizeof *script);
    if (script == NULL) return PLOY_ERR_MEMORY;
    script->env = *env;
    ploy_array_init(&script->items, sizeof(script_item), env);
    script_reader reader = {text, name, 0, 0, 0, 0, diags, PLOY_OK};
    while (reader.end < size && reader.result != PLOY_ERR_MEMORY) {
        reader.at = reader.line_at = reader.line == 0 ? 0 : reader.end + 1;
        reader.line++;
        reader.end = reader.at;
        while (reader.end < size && text[reader.end] != '\n') reader.end++;
        script_line(&reader, script, words, word_count);
    }
    if (reader.result != PLOY_OK) {
        ploy_goal_script_destroy(script);
        return reader.result;
    }
    *out = script;
    return PLOY_OK;
}

void ploy_goal_script_destroy(ploy_goal_script *script) {
    if (script == NULL) return;
    ploy_env env = script->env;
    ploy_array_fini(&script->items);
    ploy_env_free(&env, script, sizeof *script);
}

int32_t ploy_goal_script_count(const ploy_goal_script *script) {
    return script->items.count;
}

// ---- playing ----

static const ploy_goal_type *script_type(const script_item *item) {
    return item->word->type != NULL ? item->word->type : item->word->get();
}

static size_t script_params(const script_item *item, uint64_t params[PLOY_GOAL_PARAMS_MAX / 8]) {
    memset(params, 0, PLOY_GOAL_PARAMS_MAX);
    if (item->word->fill != NULL) return item->word->fill(&item->line, params);
    memcpy(params, &item->line, sizeof item->line);
    return sizeof item->line;
}

ploy_result ployi_goal_script_play(const ploy_goal_script *script, ploy_goals *goals,
                                   ploy_step_context *context, ploy_goal parent) {
    ploy_array added;
    ploy_array_init(&added, sizeof(ploy_goal), &script->env);
    ploy_result result = ploy_array_reserve(&added, script->items.count);
    for (int32_t i = 0; i < script->items.count && result == PLOY_OK; i++) {
        const script_item *item = PLOY_ARRAY_AT(&script->items, script_item, i);
        uint64_t params[PLOY_GOAL_PARAMS_MAX / 8];
        size_t size = script_params(item, params);
        ploy_goal goal;
        result = ploy_goals_add(goals, context, parent,
                                item->repeats ? PLOY_GOAL_REPEAT : PLOY_GOAL_REAR,
                                script_type(item), params, size, &goal);
        if (result == PLOY_OK) (void)ploy_array_push(&added, &goal); // there is room
    }
    for (int32_t i = added.count - 1; i >= 0 && result != PLOY_OK; i--) {
        (void)ploy_goals_remove(goals, context, PLOY_ARRAY_ITEMS(&added, ploy_goal)[i]);
    }
    ploy_array_fini(&added);
    return result;
}

ploy_result ploy_goal_script_fill(const ploy_goal_script *script, ploy_goals_type *type) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < script->items.count && result == PLOY_OK; i++) {
        const script_item *item = PLOY_ARRAY_AT(&script->items, script_item, i);
        uint64_t params[PLOY_GOAL_PARAMS_MAX / 8];
        size_t size = script_params(item, params);
        result = ploy_goals_type_add(type, item->repeats ? PLOY_GOAL_REPEAT : PLOY_GOAL_REAR,
                                     script_type(item), params, size);
    }
    return result;
}
