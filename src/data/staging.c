// Staging: triggers of a level and the orders that they give; see the header.
//
// Invariants: (1) cues are the level's triggers in their order, and a cue's orders a range of all
// orders; (2) texts holds every verb's target and words and does not move after create; (3) waiting
// orders are sorted by their time, equal times in the order of firing.
#include "ploy/data/staging.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"

enum { STAGING_GROUPS = 31, STAGING_DO_MAX = 1024, STAGING_WORD_MAX = 64 };

typedef struct staging_cue {
    const char *name;
    ploy_trigger_id id;
    ploy_condition when;
    float delay, again; // again below 0: once
    int32_t first, count;
    double ready; // may fire from then on
    int32_t fired;
} staging_cue;

typedef struct staging_order {
    ploy_stage_verb verb;
    const char *target, *words;
    ploy_vec2 place;
} staging_order;

typedef struct staging_waiting {
    double due;
    int32_t cue, order;
    ploy_agent_id agent;
} staging_waiting;

struct ploy_staging {
    ploy_env env;
    ploy_level level;
    ploy_conditions *words;
    ploy_triggers *triggers;
    ploy_array cues, orders, waiting;
    char *texts;
    size_t texts_size, texts_used;
    uint64_t groups[STAGING_GROUPS]; // hashes of names; bit i of a mask
    int32_t group_count;
    ploy_step_context *context; // during a step
    ploy_result result;         // of callbacks in a step
};

static const char *const staging_verbs[PLOY_STAGE_VERB_COUNT] = {
    "activate", "deactivate", "move_to", "patrol", "set_state", "send_event"};

const char *ploy_stage_verb_text(ploy_stage_verb verb) {
    return (int)verb >= 0 && verb < PLOY_STAGE_VERB_COUNT ? staging_verbs[verb] : "";
}

// ---- reading orders

// A reader of one trigger's `do`.
typedef struct staging_reader {
    const ploy_level *level;
    const char *trigger;
    ploy_diags *diags;
    ploy_result result;
} staging_reader;

static void staging_fault(staging_reader *reader, size_t column, const char *message,
                          const char *expected, const char *nearest) {
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->trigger, 0,
                   (int32_t)column + 1, message, expected, nearest);
    if (reader->result == PLOY_OK) reader->result = PLOY_ERR_FORMAT;
}

// Copies a word of `text` from *at on, skipping blanks; "" at the end.
static void staging_word(const char *text, size_t end, size_t *at, char *out) {
    size_t size = 0;
    while (*at < end && text[*at] == ' ') (*at)++;
    for (; *at < end && text[*at] != ' '; (*at)++) {
        if (size < STAGING_WORD_MAX - 1) out[size++] = text[*at];
    }
    out[size] = 0;
}

// A place: a name in the level, or two numbers.
static bool staging_place(staging_reader *reader, const char *text, size_t end, size_t *at,
                          ploy_vec2 *out) {
    char word[STAGING_WORD_MAX];
    size_t begin = *at;
    staging_word(text, end, at, word);
    ploy_level_object object;
    int32_t found = word[0] == 0 ? -1 : ploy_level_find(reader->level, word);
    if (found >= 0) {
        (void)ploy_level_at(reader->level, found, &object);
        *out = ploy_vec2_from_vec3(object.position);
        return true;
    }
    float number[2];
    for (int32_t i = 0; i < 2; i++) {
        size_t used = 0, size = strlen(word);
        if (size == 0 || ploy_parse_f32(word, size, &used, &number[i]) != PLOY_OK || used != size ||
            !ploy_in_range(number[i], -1e9f, 1e9f)) {
            ploy_nearest nearest = ploy_nearest_make(word);
            for (int32_t k = 0; k < reader->level->object_count; k++) {
                (void)ploy_level_at(reader->level, k, &object);
                if (object.name[0] != 0) ploy_nearest_offer(&nearest, object.name);
            }
            staging_fault(reader, begin, "unknown place", "a name in the level, or x y",
                          nearest.best);
            return false;
        }
        if (i == 0) staging_word(text, end, at, word);
    }
    *out = ploy_vec2_make(number[0], number[1]);
    return true;
}

// One order: verb, target and words. target and words are places in the text.
typedef struct staging_parsed {
    ploy_stage_verb verb;
    size_t target, target_end, words, words_end;
    ploy_vec2 place;
} staging_parsed;

static bool staging_verb(staging_reader *reader, const char *word, size_t column,
                         ploy_stage_verb *out) {
    ploy_nearest nearest = ploy_nearest_make(word);
    for (int32_t i = 0; i < PLOY_STAGE_VERB_COUNT; i++) {
        *out = (ploy_stage_verb)i;
        if (strcmp(word, staging_verbs[i]) == 0) return true;
        ploy_nearest_offer(&nearest, staging_verbs[i]);
    }
    staging_fault(reader, column, "unknown verb", "activate, deactivate, move_to, patrol, ...",
                  nearest.best);
    return false;
}

static bool staging_parse(staging_reader *reader, const char *text, size_t begin, size_t end,
                          staging_parsed *out) {
    char word[STAGING_WORD_MAX];
    size_t at = begin;
    while (begin < end && text[begin] == ' ') begin++;
    staging_word(text, end, &at, word);
    if (!staging_verb(reader, word, begin, &out->verb)) return false;
    while (at < end && text[at] == ' ') at++;
    out->target = at;
    staging_word(text, end, &at, word);
    out->target_end = at;
    if (word[0] == 0) {
        staging_fault(reader, end, "unexpected end of the order", "a group, agent or trigger",
                      NULL);
        return false;
    }
    while (at < end && text[at] == ' ') at++;
    while (end > at && text[end - 1] == ' ') end--;
    out->words = at;
    out->words_end = end;
    out->place = ploy_vec2_make(0, 0);
    bool place = out->verb == PLOY_STAGE_MOVE_TO || out->verb == PLOY_STAGE_PATROL;
    if (!place && out->verb >= PLOY_STAGE_SET_STATE && at == end) {
        staging_fault(reader, end, "unexpected end of the order", "a state or an event", NULL);
        return false;
    }
    for (bool first = true; place && (first || at < end); first = false) {
        ploy_vec2 one;
        if (!staging_place(reader, text, end, &at, &one)) return false;
        if (first) out->place = one;
        while (at < end && text[at] == ' ') at++;
        if (out->verb == PLOY_STAGE_MOVE_TO && at < end) {
            staging_fault(reader, at, "unexpected word", "the end of the order", NULL);
            return false;
        }
    }
    return true;
}

// Calls fn for each order of a trigger. @return false if fn does.
static bool staging_each(staging_reader *reader, const char *text,
                         bool (*fn)(void *user, const char *text, const staging_parsed *order),
                         void *user) {
    size_t size = strlen(text);
    for (size_t at = 0; at <= size;) {
        const char *semicolon = memchr(text + at, ';', size - at);
        size_t end = semicolon == NULL ? size : (size_t)(semicolon - text);
        staging_parsed order;
        if (staging_parse(reader, text, at, end, &order) && !fn(user, text, &order)) return false;
        at = end + 1;
    }
    return true;
}

static bool staging_ignore(void *user, const char *text, const staging_parsed *order) {
    (void)user;
    (void)text;
    (void)order;
    return true;
}

static bool staging_on(staging_reader *reader, const char *word, ploy_trigger_when *out) {
    *out = strcmp(word, "leave") == 0 ? PLOY_TRIGGER_LEAVE
           : strcmp(word, "use") == 0 ? PLOY_TRIGGER_USE
                                      : PLOY_TRIGGER_TOUCH;
    if (*out != PLOY_TRIGGER_TOUCH || strcmp(word, "touch") == 0) return true;
    staging_fault(reader, 0, "unknown value of on", "touch, leave or use", NULL);
    return false;
}

ploy_result ploy_staging_check(const ploy_level *level, ploy_diags *diags) {
    if (level == NULL) return PLOY_ERR_ARGUMENT;
    ploy_level_object object;
    ploy_trigger_when when;
    for (int32_t i = ploy_level_next(level, -1, "trigger"); i >= 0;
         i = ploy_level_next(level, i, "trigger")) {
        (void)ploy_level_at(level, i, &object);
        staging_reader reader = {level, object.name, diags, PLOY_OK};
        (void)staging_on(&reader, ploy_level_word(level, i, "on", "touch"), &when);
        (void)staging_each(&reader, ploy_level_word(level, i, "do", ""), staging_ignore, NULL);
    }
    return PLOY_OK;
}

// ---- create

static const char *staging_keep(ploy_staging *staging, const char *text, size_t size) {
    char *to = staging->texts + staging->texts_used;
    memcpy(to, text, size);
    to[size] = 0;
    staging->texts_used += size + 1;
    return to;
}

static bool staging_add_order(void *user, const char *text, const staging_parsed *parsed) {
    ploy_staging *staging = user;
    staging_order order = {
        parsed->verb,
        staging_keep(staging, text + parsed->target, parsed->target_end - parsed->target),
        staging_keep(staging, text + parsed->words, parsed->words_end - parsed->words),
        parsed->place};
    return ploy_array_push(&staging->orders, &order) == PLOY_OK;
}

// The bit of a group; a new one if the name is new. -1 if there are too many.
static int32_t staging_group(ploy_staging *staging, const char *name, size_t size, bool add) {
    uint64_t hash = ploy_name_of_bytes(name, size).hash;
    for (int32_t i = 0; i < staging->group_count; i++) {
        if (staging->groups[i] == hash) return i;
    }
    if (!add || staging->group_count == STAGING_GROUPS) return -1;
    staging->groups[staging->group_count] = hash;
    return staging->group_count++;
}

static ploy_result staging_add_cue(ploy_staging *staging, int32_t object, ploy_diags *diags) {
    const ploy_level *level = &staging->level;
    ploy_level_object found;
    (void)ploy_level_at(level, object, &found);
    staging_reader reader = {level, found.name, diags, PLOY_OK};
    const char *by = ploy_level_word(level, object, "by", NULL);
    const char *when = ploy_level_word(level, object, "when", NULL);
    staging_cue cue = {0};
    cue.name = found.name;
    cue.delay = ploy_maxf(0.0f, ploy_level_number(level, object, "delay", 0.0f));
    cue.again = ploy_level_number(level, object, "again", -1.0f);
    cue.first = staging->orders.count;
    ploy_trigger_def def = ploy_trigger_def_default();
    if (!staging_on(&reader, ploy_level_word(level, object, "on", "touch"), &def.when)) {
        return reader.result;
    }
    if (!staging_each(&reader, ploy_level_word(level, object, "do", ""), staging_add_order,
                      staging)) {
        return PLOY_ERR_MEMORY;
    }
    cue.count = staging->orders.count - cue.first;
    if (by != NULL) {
        int32_t bit = staging_group(staging, by, strlen(by), true);
        if (bit < 0) return PLOY_ERR_LIMIT;
        def.mask = 1u << bit;
    }
    if (when != NULL && staging->words == NULL) {
        staging_fault(&reader, 0, "unexpected condition", "words in ploy_staging_create", NULL);
    } else if (when != NULL) {
        ploy_result result =
            ploy_condition_read(staging->words, when, found.name, 0, 1, diags, &cue.when);
        if (result != PLOY_OK) return result;
    }
    if (reader.result != PLOY_OK) return reader.result;
    def.zone = ploy_zone_circle(ploy_vec2_from_vec3(found.position),
                                ploy_level_number(level, object, "radius", 1.0f));
    def.kind = ploy_name_of(found.name);
    def.user = (uint64_t)staging->cues.count;
    ploy_result result = ploy_triggers_add(staging->triggers, &def, &cue.id);
    return result == PLOY_OK ? ploy_array_push(&staging->cues, &cue) : result;
}

// Bytes for all targets and words: those of every `do`, and two zeros for each order.
static size_t staging_texts_needed(const ploy_level *level) {
    size_t size = 1;
    for (int32_t i = ploy_level_next(level, -1, "trigger"); i >= 0;
         i = ploy_level_next(level, i, "trigger")) {
        const char *text = ploy_level_word(level, i, "do", "");
        size += strlen(text) + 2;
        for (; *text != 0; text++) size += *text == ';' ? 2u : 0u;
    }
    return size;
}

ploy_result ploy_staging_create(const ploy_level *level, ploy_conditions *words,
                                const ploy_env *env, ploy_diags *diags, ploy_staging **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_staging *staging = ploy_env_alloc_zero(env, sizeof *staging);
    if (staging == NULL) return PLOY_ERR_MEMORY;
    ploy_triggers_def def = ploy_triggers_def_default();
    staging->env = *env;
    staging->level = *level;
    staging->words = words;
    ploy_array_init(&staging->cues, sizeof(staging_cue), env);
    ploy_array_init(&staging->orders, sizeof(staging_order), env);
    ploy_array_init(&staging->waiting, sizeof(staging_waiting), env);
    staging->texts_size = staging_texts_needed(level);
    staging->texts = ploy_env_alloc_zero(env, staging->texts_size);
    ploy_result result = staging->texts == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) result = ploy_triggers_create(&def, env, &staging->triggers);
    ploy_result fault = PLOY_OK;
    for (int32_t i = ploy_level_next(level, -1, "trigger"); i >= 0 && result != PLOY_ERR_MEMORY;
         i = ploy_level_next(level, i, "trigger")) {
        result = staging_add_cue(staging, i, diags); // goes on after faults and reports several
        if (fault == PLOY_OK) fault = result;
    }
    if (result == PLOY_OK) result = fault;
    if (result == PLOY_OK) {
        result = ploy_array_reserve(&staging->waiting, 2 * staging->orders.count);
    }
    if (result != PLOY_OK) {
        ploy_staging_destroy(staging);
        return result;
    }
    *out = staging;
    return PLOY_OK;
}

void ploy_staging_destroy(ploy_staging *staging) {
    if (staging == NULL) return;
    ploy_env env = staging->env;
    ploy_triggers_destroy(staging->triggers);
    if (staging->texts != NULL) ploy_env_free(&env, staging->texts, staging->texts_size);
    ploy_array_fini(&staging->waiting);
    ploy_array_fini(&staging->orders);
    ploy_array_fini(&staging->cues);
    ploy_env_free(&env, staging, sizeof *staging);
}

ploy_result ploy_staging_add_agent(ploy_staging *staging, ploy_agent_id agent, const char *groups) {
    ploy_trigger_agent_def def = ploy_trigger_agent_def_default();
    def.mask = 1u << STAGING_GROUPS; // triggers for all have this bit, too
    for (const char *at = groups; *at != 0;) {
        size_t size = strcspn(at, " ");
        int32_t bit = size == 0 ? -1 : staging_group(staging, at, size, false);
        if (bit >= 0) def.mask |= 1u << bit;
        at += size + (at[size] == ' ' ? 1 : 0);
    }
    return ploy_triggers_add_agent(staging->triggers, agent, &def);
}

// ---- running

static void staging_wait(ploy_staging *staging, const staging_waiting *one) {
    int32_t at = staging->waiting.count;
    while (at > 0 && PLOY_ARRAY_AT(&staging->waiting, staging_waiting, at - 1)->due > one->due) {
        at--; // keeps (3)
    }
    ploy_result result = ploy_array_insert(&staging->waiting, at, one);
    if (staging->result == PLOY_OK) staging->result = result;
}

static void staging_fired(void *user, const ploy_trigger_event *event) {
    ploy_staging *staging = user;
    if (event->what != PLOY_TRIGGER_FIRED) return;
    staging_cue *cue = PLOY_ARRAY_AT(&staging->cues, staging_cue, (int32_t)event->user);
    if (event->now < cue->ready || (cue->again < 0.0f && cue->fired > 0)) return;
    if (!ploy_condition_is_none(cue->when)) {
        ploy_step_context none = ploy_step_context_make(event->agent, NULL, 0.0f);
        ploy_moment moment = ploy_moment_make(staging->context != NULL ? staging->context : &none);
        if (!ploy_condition_test(staging->words, cue->when, &moment)) return;
    }
    cue->fired++;
    cue->ready = event->now + (double)ploy_maxf(cue->again, 0.0f);
    if (cue->again < 0.0f) (void)ploy_triggers_set_active(staging->triggers, cue->id, false);
    for (int32_t i = 0; i < cue->count; i++) {
        staging_waiting one = {event->now + (double)cue->delay, (int32_t)event->user,
                               cue->first + i, event->agent};
        staging_wait(staging, &one);
    }
}

// An order for a trigger of the level switches it; one that fired may then fire again.
static void staging_switch(ploy_staging *staging, const staging_order *order) {
    for (int32_t i = 0; i < staging->cues.count; i++) {
        staging_cue *cue = PLOY_ARRAY_AT(&staging->cues, staging_cue, i);
        if (strcmp(cue->name, order->target) != 0) continue;
        bool on = order->verb == PLOY_STAGE_ACTIVATE;
        if (on) cue->fired = 0;
        (void)ploy_triggers_set_active(staging->triggers, cue->id, on);
    }
}

ploy_result ploy_staging_step(ploy_staging *staging, double now, const ploy_pose_source *poses,
                              ploy_step_context *context, ploy_stage_fn fn, void *user) {
    staging->context = context;
    staging->result = PLOY_OK;
    ploy_result result = ploy_triggers_step(staging->triggers, now, poses, staging_fired, staging);
    staging->context = NULL;
    if (result == PLOY_OK) result = staging->result;
    while (result == PLOY_OK && staging->waiting.count > 0) {
        staging_waiting one = *PLOY_ARRAY_AT(&staging->waiting, staging_waiting, 0);
        if (one.due > now) break;
        (void)ploy_array_remove(&staging->waiting, 0);
        const staging_order *order = PLOY_ARRAY_AT(&staging->orders, staging_order, one.order);
        const staging_cue *cue = PLOY_ARRAY_AT(&staging->cues, staging_cue, one.cue);
        if (order->verb <= PLOY_STAGE_DEACTIVATE) staging_switch(staging, order);
        ploy_stage_order out = {order->verb, cue->name, order->target, order->words, order->place,
                                one.agent,   now};
        if (fn != NULL) fn(user, &out);
    }
    return result;
}

ploy_triggers *ploy_staging_triggers(ploy_staging *staging) {
    return staging->triggers;
}

// ---- sight

void ploy_staging_visit(ploy_visit *v, void *object) {
    ploy_staging *staging = object;
    ploy_visit_object(v, "staging", staging, sizeof *staging);
    PLOY_VISIT_SCRATCH(v, staging->env);
    PLOY_VISIT_SCRATCH(v, staging->level);
    PLOY_VISIT_SCRATCH(v, staging->words);
    PLOY_VISIT_SCRATCH(v, staging->triggers);
    PLOY_VISIT_SCRATCH(v, staging->orders);
    PLOY_VISIT_SCRATCH(v, staging->texts);
    PLOY_VISIT_SCRATCH(v, staging->texts_size);
    PLOY_VISIT_SCRATCH(v, staging->texts_used);
    PLOY_VISIT_SCRATCH(v, staging->groups);
    PLOY_VISIT_SCRATCH(v, staging->group_count);
    PLOY_VISIT_SCRATCH(v, staging->context);
    PLOY_VISIT_SCRATCH(v, staging->result);
    ploy_visit_block(v, "staging.texts", staging->texts, staging->texts_size);
    ploy_visit_buffer(v, "staging.orders", &staging->orders);
    int32_t count = ploy_visit_fixed(v, "cues", PLOY_STATE, staging->cues.count);
    for (int32_t i = 0; i < count; i++) {
        staging_cue *cue = PLOY_ARRAY_AT(&staging->cues, staging_cue, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i32_in(v, "fired", PLOY_STATE, &cue->fired, 0, INT32_MAX);
        ploy_visit_f64(v, "ready", PLOY_STATE, &cue->ready);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, staging->cues);
    count = ploy_visit_array(v, "waiting", PLOY_STATE, &staging->waiting, 1 << 24);
    for (int32_t i = 0; i < count; i++) {
        staging_waiting *one = PLOY_ARRAY_AT(&staging->waiting, staging_waiting, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f64(v, "due", PLOY_STATE, &one->due);
        ploy_visit_i32_in(v, "cue", PLOY_STATE, &one->cue, 0, staging->cues.count - 1);
        ploy_visit_i32_in(v, "order", PLOY_STATE, &one->order, 0, staging->orders.count - 1);
        ploy_visit_id(v, "agent", PLOY_STATE, &one->agent.id);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_begin(v, "triggers", PLOY_STATE);
    ploy_triggers_visit(v, staging->triggers);
    ploy_visit_end(v);
}

void ploy_staging_describe(const ploy_staging *staging, ploy_describe *out) {
    ploy_visit_describe(ploy_staging_visit, staging, NULL, out);
}
