// Who goes where and why, as a text that can be edited while the town lives:
//
//     miner: home -> dig when he is rested
//
// The functions of the states find out that something is the case; the text says what follows from it.
// A line that is left out means that the person stays. No person leaves the state it is in when the text
// changes. Fights are not in it: two who fight decide together.
#include "games/westworld/westworld.h"

#include <string.h>

#include "ploy/base/name.h"

static const struct {
    int32_t who;
    const char *from, *to, *why;
} ways_table[WEST_CAUSES] = {
    [WEST_CAUSE_RESTED] = {WEST_MINER, "home", "dig", "he is rested"},
    [WEST_CAUSE_STEW_READY] = {WEST_MINER, "home", "eat", "the stew is ready"},
    [WEST_CAUSE_FULL] = {WEST_MINER, "dig", "bank", "his pockets are full"},
    [WEST_CAUSE_THIRSTY] = {WEST_MINER, "dig", "drink", "he is thirsty"},
    [WEST_CAUSE_MORE] = {WEST_MINER, "bank", "dig", "he wants more"},
    [WEST_CAUSE_ENOUGH] = {WEST_MINER, "bank", "home", "he has enough for today"},
    [WEST_CAUSE_REFRESHED] = {WEST_MINER, "drink", "dig", "his thirst is gone"},
    [WEST_CAUSE_NATURE] = {WEST_WIFE, "any", "bathroom", "nature calls"},
    [WEST_CAUSE_HE_IS_HOME] = {WEST_WIFE, "any", "cook", "he is home"},
    [WEST_CAUSE_STEW_DONE] = {WEST_WIFE, "cook", "housework", "the stew is done"},
    [WEST_CAUSE_SOBER] = {WEST_FLY, "sleep", "drink", "it is sober"},
};

static const char *const ways_people[WEST_PEOPLE] = {"miner", "wife", "fly"};

const ploy_definition west_definitions[1] = {
    {"ways", "txt", "who goes from which state to which, and when; # begins a comment"},
};

const char *west_cause_text(west_cause cause) {
    return ways_table[cause].why;
}

// ---- reading

typedef struct ways_reader {
    const west_town *town;
    ploy_diags *diags;
    bool good;
    bool seen[WEST_CAUSES];
    char goes[WEST_CAUSES][WEST_STATE_ID];
    const char *line; // from here
    size_t length;
    int32_t number; // from 1
} ways_reader;

static void ways_fault(ways_reader *reader, const char *at, const char *message,
                       const char *nearest) {
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "ways.txt", reader->number,
                   (int32_t)(at - reader->line) + 1, message, NULL, nearest);
    reader->good = false;
}

static bool ways_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// A piece of a line without blanks around it.
typedef struct ways_piece {
    const char *text;
    size_t length;
} ways_piece;

static ways_piece ways_trim(const char *from, const char *to) {
    while (from < to && ways_blank(*from)) from++;
    while (to > from && ways_blank(to[-1])) to--;
    ways_piece piece = {from, (size_t)(to - from)};
    return piece;
}

static bool ways_is(ways_piece piece, const char *text) {
    return strlen(text) == piece.length && memcmp(piece.text, text, piece.length) == 0;
}

// The piece up to a word, and *from moves behind the word.
static bool ways_until(const char **from, const char *to, const char *word, ways_piece *out) {
    size_t length = strlen(word);
    for (const char *at = *from; at + length <= to; at++) {
        if (memcmp(at, word, length) != 0) continue;
        *out = ways_trim(*from, at);
        *from = at + length;
        return true;
    }
    return false;
}

// The state of that name; the nearest one if there is none, and none of fights.
static const char *ways_state(const west_person *person, ways_piece name, const char **nearest) {
    char text[WEST_STATE_ID * 2] = "";
    if (name.length < sizeof text) memcpy(text, name.text, name.length);
    ploy_nearest best = ploy_nearest_make(text);
    for (int32_t i = 1; i <= ploy_fsm_type_count(person->type); i++) {
        ploy_fsm_state state = {(uint32_t)i};
        const char *id = ploy_fsm_type_id(person->type, state);
        if (strcmp(id, "fight") == 0) continue;
        if (ways_is(name, id)) return id;
        ploy_nearest_offer(&best, id);
    }
    *nearest = best.best;
    return NULL;
}

static void ways_read_line(ways_reader *reader) {
    const char *at = reader->line, *end = at + reader->length;
    const char *comment = memchr(at, '#', reader->length);
    if (comment != NULL) end = comment;
    ways_piece who, from, to, why = ways_trim(at, end);
    if (why.length == 0) return;
    if (!ways_until(&at, end, ":", &who) || !ways_until(&at, end, "->", &from) ||
        !ways_until(&at, end, " when ", &to)) {
        ways_fault(reader, at, "expected a line 'who: state -> state when reason'", NULL);
        return;
    }
    why = ways_trim(at, end);
    int32_t person = 0;
    while (person < WEST_PEOPLE && !ways_is(who, ways_people[person])) person++;
    if (person == WEST_PEOPLE) {
        ways_fault(reader, who.text, "people are miner, wife and fly", NULL);
        return;
    }
    int32_t cause = 0;
    char text[64] = "";
    if (why.length < sizeof text) memcpy(text, why.text, why.length);
    ploy_nearest best = ploy_nearest_make(text);
    for (; cause < WEST_CAUSES; cause++) {
        if (ways_table[cause].who != person) continue;
        if (ways_is(why, ways_table[cause].why)) break;
        ploy_nearest_offer(&best, ways_table[cause].why);
    }
    if (cause == WEST_CAUSES) {
        ways_fault(reader, why.text, "unknown reason", best.best);
        return;
    }
    const char *nearest = NULL;
    const char *state = ways_state(&reader->town->people[person], to, &nearest);
    if (!ways_is(from, ways_table[cause].from)) {
        ways_fault(reader, from.text, "reason belongs to another state", ways_table[cause].from);
    } else if (state == NULL) {
        ways_fault(reader, to.text, "unknown target state", nearest);
    } else if (reader->seen[cause]) {
        ways_fault(reader, who.text, "duplicate line", NULL);
    } else {
        reader->seen[cause] = true;
        memcpy(reader->goes[cause], state, strlen(state));
    }
}

static ploy_result ways_read(const west_town *town, const char *text, size_t size,
                             ways_reader *reader, ploy_diags *diags) {
    memset(reader, 0, sizeof *reader);
    reader->town = town;
    reader->diags = diags;
    reader->good = true;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        reader->line = text + at;
        reader->length = newline != NULL ? (size_t)(newline - reader->line) : size - at;
        reader->number++;
        ways_read_line(reader);
        at += reader->length + 1;
    }
    return reader->good ? PLOY_OK : PLOY_ERR_FORMAT;
}

// ---- the town's own, and a new one

static void ways_write_default(ploy_writer *out) {
    for (int32_t i = 0; i < WEST_CAUSES; i++) {
        const char *const pieces[] = {ways_people[ways_table[i].who],
                                      ": ",
                                      ways_table[i].from,
                                      " -> ",
                                      ways_table[i].to,
                                      " when ",
                                      ways_table[i].why,
                                      "\n"};
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
            ploy_write_text(out, pieces[k]);
        }
    }
}

ploy_result west_take_ways(west_town *town, const void *bytes, size_t size, const ploy_env *env) {
    ploy_buffer own;
    ploy_buffer_init(&own, 0, env);
    ploy_result result = PLOY_OK;
    if (bytes == NULL) {
        ploy_writer out = ploy_buffer_writer(&own);
        ways_write_default(&out);
        result = ploy_writer_result(&out);
        bytes = own.bytes;
        size = own.size;
    }
    ways_reader reader;
    if (result == PLOY_OK) result = ways_read(town, bytes, size, &reader, NULL);
    if (result == PLOY_OK) result = ploy_definition_text_set(&town->ways, bytes, size, env);
    if (result == PLOY_OK) memcpy(town->goes, reader.goes, sizeof town->goes);
    ploy_buffer_fini(&own);
    return result;
}

ploy_result west_write_ways(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const west_town *)state)->ways, out);
}

ploy_result west_check_ways(const void *state, int32_t definition, const void *bytes, size_t size,
                            const ploy_env *env, ploy_diags *diags) {
    (void)definition, (void)env;
    ways_reader reader;
    return ways_read(state, bytes, size, &reader, diags);
}
