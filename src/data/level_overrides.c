// Overrides of what is generated for a level; the lines are described in the header.
//
// Invariants: (1) texts holds the names and tags of all records, each ended by a zero, and begins
// with an empty text; (2) a record's name and tags are places in texts.
#include "ploy/data/level_overrides.h"

#include <string.h>

#include "level_line.h"
#include "ploy/base/array.h"
#include "ploy/base/name.h"
#include "ploy/base/writer.h"

typedef struct level_override {
    ploy_level_override record; // without texts
    size_t name, tags;          // places in the texts
} level_override;

struct ploy_level_overrides {
    ploy_env env;
    ploy_array records; // of level_override
    ploy_buffer texts;
};

static const char *const level_override_kinds[PLOY_LEVEL_OVERRIDE_KIND_COUNT] = {
    "add node", "remove node", "move node", "join", "cut", "point", "remove point", "tag"};

const char *ploy_level_override_kind_text(ploy_level_override_kind kind) {
    bool known = (int)kind >= 0 && kind < PLOY_LEVEL_OVERRIDE_KIND_COUNT;
    return known ? level_override_kinds[kind] : "";
}

static bool level_override_word(ployi_level_line *text, int32_t word, const char *expected) {
    if (word < text->count && strcmp(text->words[word], expected) == 0) return true;
    ployi_level_line_fault(text, PLOY_ERR_FORMAT, word,
                           word < text->count ? "unexpected word" : "unexpected end of line",
                           expected, word < text->count ? expected : NULL);
    return false;
}

static bool level_override_end(ployi_level_line *text, int32_t word) {
    if (text->count <= word) return true;
    ployi_level_line_fault(text, PLOY_ERR_FORMAT, word, "unexpected word", "the end of the line",
                           NULL);
    return false;
}

static bool level_override_place(ployi_level_line *text, int32_t word, ploy_vec2 *out) {
    float at[2];
    if (!ployi_level_line_numbers(text, word, 2, at)) return false;
    *out = ploy_vec2_make(at[0], at[1]);
    return true;
}

// Keeps a text and returns its place; 0, that of the empty text, out of memory.
static ploy_result level_override_keep(ploy_level_overrides *overrides, const char *text,
                                       size_t size) {
    return ploy_buffer_append(&overrides->texts, text, size);
}

static bool level_override_tags(ploy_level_overrides *overrides, ployi_level_line *text,
                                int32_t first, level_override *out) {
    ploy_result result = PLOY_OK;
    out->tags = overrides->texts.size;
    for (int32_t i = first; i < text->count && result == PLOY_OK; i++) {
        const char *equals = strchr(text->words[i], '=');
        if (equals == NULL || equals == text->words[i]) {
            ployi_level_line_fault(text, PLOY_ERR_FORMAT, i, "unexpected word", "key=value", NULL);
            return false;
        }
        result = level_override_keep(overrides, text->words[i], strlen(text->words[i]));
        if (result == PLOY_OK) result = level_override_keep(overrides, "\n", 1);
    }
    if (result == PLOY_OK) result = level_override_keep(overrides, "", 1);
    if (result == PLOY_OK) return true;
    ployi_level_line_fault(text, result, first, "tags cannot be stored", NULL, NULL);
    return false;
}

static bool level_override_name(ploy_level_overrides *overrides, ployi_level_line *text,
                                int32_t word, level_override *out) {
    if (!ployi_level_line_name(text, word)) return false;
    out->name = overrides->texts.size;
    ploy_result result =
        level_override_keep(overrides, text->words[word], strlen(text->words[word]) + 1);
    if (result == PLOY_OK) return true;
    ployi_level_line_fault(text, result, word, "name cannot be stored", NULL, NULL);
    return false;
}

// add node, remove node, move node, remove point
static bool level_override_thing(ployi_level_line *text, level_override *out) {
    const char *verb = text->words[0];
    bool point = text->count > 1 && strcmp(text->words[1], "point") == 0;
    if (point && strcmp(verb, "remove") == 0) {
        out->record.kind = PLOY_LEVEL_REMOVE_POINT;
    } else {
        if (!level_override_word(text, 1, "node")) return false;
        out->record.kind = strcmp(verb, "add") == 0      ? PLOY_LEVEL_ADD_NODE
                           : strcmp(verb, "remove") == 0 ? PLOY_LEVEL_REMOVE_NODE
                                                         : PLOY_LEVEL_MOVE_NODE;
    }
    if (!level_override_place(text, 2, &out->record.at)) return false;
    if (out->record.kind != PLOY_LEVEL_MOVE_NODE) return level_override_end(text, 4);
    return level_override_word(text, 4, "to") && level_override_place(text, 5, &out->record.to) &&
           level_override_end(text, 7);
}

static bool level_override_edge(ployi_level_line *text, level_override *out) {
    bool join = strcmp(text->words[0], "join") == 0;
    out->record.kind = join ? PLOY_LEVEL_JOIN : PLOY_LEVEL_CUT;
    if (!level_override_place(text, 1, &out->record.at) ||
        !level_override_place(text, 3, &out->record.to)) {
        return false;
    }
    if (!join || text->count == 5) return level_override_end(text, 5);
    if (!ployi_level_line_numbers(text, 5, 1, &out->record.cost)) return false;
    if (out->record.cost >= 0.0f) return level_override_end(text, 6);
    ployi_level_line_fault(text, PLOY_ERR_FORMAT, 5, "unexpected number", "a cost of 0 or more",
                           NULL);
    return false;
}

static bool level_override_read(ploy_level_overrides *overrides, ployi_level_line *text,
                                level_override *out) {
    static const char *const words[] = {"add", "remove", "move", "join", "cut", "point", "tag"};
    const char *word = text->words[0];
    ploy_nearest nearest = ploy_nearest_make(word);
    int32_t found = -1;
    for (int32_t i = 0; i < 7; i++) {
        if (strcmp(word, words[i]) == 0) found = i;
        ploy_nearest_offer(&nearest, words[i]);
    }
    if (found < 0) {
        ployi_level_line_fault(text, PLOY_ERR_FORMAT, 0, "unknown word",
                               "add, remove, move, join, cut, point or tag", nearest.best);
        return false;
    }
    if (found < 3) return level_override_thing(text, out);
    if (found < 5) return level_override_edge(text, out);
    out->record.kind = found == 5 ? PLOY_LEVEL_ADD_POINT : PLOY_LEVEL_TAG;
    if (!level_override_name(overrides, text, 1, out)) return false;
    if (found == 5) {
        return level_override_place(text, 2, &out->record.at) &&
               level_override_tags(overrides, text, 4, out);
    }
    if (text->count > 2) return level_override_tags(overrides, text, 2, out);
    ployi_level_line_fault(text, PLOY_ERR_FORMAT, 2, "unexpected end of line", "key=value", NULL);
    return false;
}

ploy_result ploy_level_overrides_load(const char *bytes, size_t size, const char *name,
                                      const ploy_env *env, ploy_diags *diags,
                                      ploy_level_overrides **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_level_overrides *overrides = ploy_env_alloc_zero(env, sizeof *overrides);
    if (overrides == NULL) return PLOY_ERR_MEMORY;
    overrides->env = *env;
    ploy_array_init(&overrides->records, sizeof(level_override), env);
    ploy_buffer_init(&overrides->texts, 0, env);
    ployi_level_line text;
    ployi_level_line_init(&text, bytes, size, name == NULL ? "overrides" : name, diags);
    ploy_result result = level_override_keep(overrides, "", 1); // keeps (1)
    while (result == PLOY_OK && ployi_level_line_next(&text)) {
        level_override record;
        memset(&record, 0, sizeof record);
        record.record.line = text.line;
        record.record.cost = -1.0f;
        if (level_override_read(overrides, &text, &record)) {
            result = ploy_array_push(&overrides->records, &record);
        }
    }
    if (result == PLOY_OK) result = text.result;
    if (result != PLOY_OK) {
        ploy_level_overrides_destroy(overrides);
        return result;
    }
    *out = overrides;
    return PLOY_OK;
}

void ploy_level_overrides_destroy(ploy_level_overrides *overrides) {
    if (overrides == NULL) return;
    ploy_env env = overrides->env;
    ploy_buffer_fini(&overrides->texts);
    ploy_array_fini(&overrides->records);
    ploy_env_free(&env, overrides, sizeof *overrides);
}

int32_t ploy_level_overrides_count(const ploy_level_overrides *overrides) {
    return overrides->records.count;
}

bool ploy_level_overrides_get(const ploy_level_overrides *overrides, int32_t index,
                              ploy_level_override *out) {
    const level_override *record = ploy_array_at(&overrides->records, index);
    if (record == NULL) return false;
    *out = record->record;
    out->name = (const char *)overrides->texts.bytes + record->name;
    out->tags = (const char *)overrides->texts.bytes + record->tags;
    return true;
}
