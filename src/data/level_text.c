// Levels as text; the lines are described in the header.
#include "ploy/data/level_text.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"

enum { LEVEL_TEXT_WORDS = 40, LEVEL_TEXT_LINE = 1024, LEVEL_TEXT_KINDS = 64 };

static const char *const level_text_items[] = {"health", "shotgun", "railgun", "rocket"};

typedef struct level_text_reader {
    ploy_level_builder *builder;
    const char *file;
    ploy_diags *diags;
    ploy_result result;
    int32_t line;
    char copy[LEVEL_TEXT_LINE];
    const char *words[LEVEL_TEXT_WORDS];
    int32_t columns[LEVEL_TEXT_WORDS];
    int32_t count;
    ploy_name kinds[LEVEL_TEXT_KINDS]; // declared by the level
    int32_t kind_count;
} level_text_reader;

static void level_text_fault(level_text_reader *text, ploy_result code, int32_t word,
                             const char *message, const char *expected, const char *nearest) {
    int32_t column = word < text->count ? text->columns[word]
                     : text->count > 0  ? text->columns[text->count - 1] +
                                             (int32_t)strlen(text->words[text->count - 1])
                                       : 1;
    ploy_diags_add(text->diags, PLOY_SEVERITY_ERROR, code, text->file, text->line, column, message,
                   expected, nearest);
    if (text->result == PLOY_OK) text->result = code;
}

static bool level_text_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Ends the word that begins at *at and removes its quotes: what follows them moves to the front.
static bool level_text_word(level_text_reader *text, size_t size, size_t *at) {
    size_t to = *at, quote = 0;
    bool quoted = false;
    for (; *at < size; (*at)++) {
        char c = text->copy[*at];
        if (c == 0) {
            text->columns[text->count - 1] = (int32_t)*at + 1;
            level_text_fault(text, PLOY_ERR_FORMAT, text->count - 1, "unexpected zero byte", NULL,
                             NULL);
            return false;
        }
        if (c == '"') {
            quoted = !quoted;
            quote = *at;
        } else if (!quoted && (level_text_is_blank(c) || c == '#')) {
            break;
        } else {
            text->copy[to++] = c;
        }
    }
    if (quoted) {
        text->columns[text->count - 1] = (int32_t)quote + 1;
        level_text_fault(text, PLOY_ERR_FORMAT, text->count - 1, "unexpected end of line",
                         "a closing quote", NULL);
        return false;
    }
    bool comment = *at < size && text->copy[*at] == '#';
    text->copy[to] = 0; // at or before the blank, the comment or the end
    *at = comment ? size : *at + 1;
    return true;
}

static bool level_text_split(level_text_reader *text, const char *line, size_t size) {
    text->count = 0;
    if (size >= LEVEL_TEXT_LINE) {
        level_text_fault(text, PLOY_ERR_FORMAT, 0, "line is too long", NULL, NULL);
        return false;
    }
    memcpy(text->copy, line, size);
    text->copy[size] = 0;
    size_t i = 0;
    while (i < size && text->copy[i] != '#') {
        if (level_text_is_blank(text->copy[i])) {
            text->copy[i++] = 0;
            continue;
        }
        if (text->count == LEVEL_TEXT_WORDS) {
            text->columns[text->count - 1] = (int32_t)i + 1;
            level_text_fault(text, PLOY_ERR_FORMAT, text->count - 1, "too many words", NULL, NULL);
            return false;
        }
        text->words[text->count] = text->copy + i;
        text->columns[text->count++] = (int32_t)i + 1;
        if (!level_text_word(text, size, &i)) return false;
    }
    return true;
}

static bool level_text_is_number(const char *word, float *out) {
    size_t used = 0, size = strlen(word);
    float number = 0.0f;
    if (ploy_parse_f32(word, size, &used, &number) != PLOY_OK || used != size || size == 0 ||
        !ploy_in_range(number, -1e9f, 1e9f)) {
        return false;
    }
    *out = number;
    return true;
}

static bool level_text_numbers(level_text_reader *text, int32_t first, int32_t count, float *out) {
    for (int32_t i = 0; i < count; i++) {
        if (first + i < text->count && level_text_is_number(text->words[first + i], &out[i]))
            continue;
        level_text_fault(text, PLOY_ERR_FORMAT, first + i,
                         first + i < text->count ? "unexpected word" : "unexpected end of line",
                         "a number", NULL);
        return false;
    }
    return true;
}

static bool level_text_keep(level_text_reader *text, ploy_result result) {
    if (result == PLOY_OK) return true;
    level_text_fault(text, result, 0,
                     result == PLOY_ERR_EXISTS ? "duplicate key" : "object cannot be added", NULL,
                     NULL);
    return false;
}

static bool level_text_add(level_text_reader *text, const char *name, const char *type,
                           const float *at) {
    return level_text_keep(
        text, ploy_level_builder_add(text->builder, name, type, ploy_vec3_make(at[0], at[1], 0)));
}

// A name: any word that is there and not a tag.
static bool level_text_name(level_text_reader *text, int32_t word) {
    if (word < text->count && text->words[word][0] != 0 && strchr(text->words[word], '=') == NULL) {
        return true;
    }
    level_text_fault(text, PLOY_ERR_FORMAT, word,
                     word < text->count ? "unexpected word" : "unexpected end of line", "a name",
                     NULL);
    return false;
}

static bool level_text_set(level_text_reader *text, const char *key, ploy_value value) {
    return level_text_keep(text, ploy_level_builder_set(text->builder, key, value));
}

static ploy_value level_text_value(const char *text) {
    float number = 0.0f;
    return level_text_is_number(text, &number) ? ploy_value_f32(number) : ploy_value_text(text);
}

// The words from `first` on as tags: key=value.
static bool level_text_tags(level_text_reader *text, int32_t first) {
    for (int32_t i = first; i < text->count; i++) {
        char *equals = strchr(text->copy + (text->words[i] - text->copy), '=');
        if (equals == NULL || equals == text->words[i]) {
            level_text_fault(text, PLOY_ERR_FORMAT, i, "unexpected word", "key=value", NULL);
            return false;
        }
        *equals = 0;
        ploy_result result =
            ploy_level_builder_set(text->builder, text->words[i], level_text_value(equals + 1));
        if (result == PLOY_OK) continue;
        level_text_fault(text, result, i,
                         result == PLOY_ERR_EXISTS ? "duplicate key" : "tag cannot be added", NULL,
                         NULL);
        return false;
    }
    return true;
}

// True if the tag is among the words from `first` on; tags have not been split yet.
static int32_t level_text_find_tag(const level_text_reader *text, int32_t first, const char *key) {
    size_t length = strlen(key);
    for (int32_t i = first; i < text->count; i++) {
        if (strncmp(text->words[i], key, length) == 0 && text->words[i][length] == '=') return i;
    }
    return -1;
}

static bool level_text_needs_tag(level_text_reader *text, int32_t first, const char *key) {
    if (level_text_find_tag(text, first, key) >= 0) return true;
    char expected[16] = {0};
    memcpy(expected, key, strlen(key)); // "do" or "makes"
    memcpy(expected + strlen(key), "=value", 6);
    level_text_fault(text, PLOY_ERR_FORMAT, text->count, "unexpected end of line", expected, NULL);
    return false;
}

static void level_text_wall(level_text_reader *text) {
    float at[4];
    if (!level_text_numbers(text, 1, 4, at)) return;
    (void)(level_text_add(text, "", "wall", at) &&
           level_text_set(text, "x1", ploy_value_f32(at[2])) &&
           level_text_set(text, "y1", ploy_value_f32(at[3])) && level_text_tags(text, 5));
}

static void level_text_spawn(level_text_reader *text) {
    float at[2];
    if (!level_text_numbers(text, 1, 2, at)) return;
    (void)(level_text_add(text, "", "spawn", at) && level_text_tags(text, 3));
}

static void level_text_light(level_text_reader *text) {
    float at[3];
    if (!level_text_numbers(text, 1, 3, at)) return;
    (void)(level_text_add(text, "", "light", at) &&
           level_text_set(text, "reach", ploy_value_f32(at[2])) && level_text_tags(text, 4));
}

// Kinds that a level declares are remembered by hash; their texts are objects of the level.
static void level_text_kind(level_text_reader *text) {
    static const float nowhere[2] = {0, 0};
    if (!level_text_name(text, 1)) return;
    if (text->kind_count == LEVEL_TEXT_KINDS) {
        level_text_fault(text, PLOY_ERR_LIMIT, 0, "too many kinds", NULL, NULL);
        return;
    }
    if (!level_text_add(text, text->words[1], "kind", nowhere) || !level_text_tags(text, 2)) return;
    text->kinds[text->kind_count++] = ploy_name_of(text->words[1]);
}

static bool level_text_is_kind(level_text_reader *text, const char *word) {
    for (size_t i = 0; i < sizeof level_text_items / sizeof level_text_items[0]; i++) {
        if (strcmp(word, level_text_items[i]) == 0) return true;
    }
    for (int32_t i = 0; i < text->kind_count; i++) {
        if (text->kinds[i].hash == ploy_name_of(word).hash) return true;
    }
    return false;
}

static void level_text_item(level_text_reader *text) {
    float at[2], amount = 1.0f;
    if (!level_text_name(text, 1)) return;
    if (!level_text_is_kind(text, text->words[1])) {
        ploy_nearest nearest = ploy_nearest_make(text->words[1]);
        for (size_t i = 0; i < sizeof level_text_items / sizeof level_text_items[0]; i++) {
            ploy_nearest_offer(&nearest, level_text_items[i]);
        }
        level_text_fault(text, PLOY_ERR_FORMAT, 1, "unknown kind of item",
                         "health, shotgun, railgun, rocket or a kind declared above", nearest.best);
        return;
    }
    if (!level_text_numbers(text, 2, 2, at)) return;
    int32_t tags = 4;
    if (text->count > 4 && strchr(text->words[4], '=') == NULL) {
        if (!level_text_numbers(text, 4, 1, &amount)) return;
        tags = 5;
    }
    (void)(level_text_add(text, "", "item", at) &&
           level_text_set(text, "kind", ploy_value_text(text->words[1])) &&
           level_text_set(text, "amount", ploy_value_f32(amount)) && level_text_tags(text, tags));
}

static void level_text_object(level_text_reader *text) {
    float at[2];
    if (!level_text_name(text, 1) || !level_text_name(text, 2) ||
        !level_text_numbers(text, 3, 2, at)) {
        return;
    }
    (void)(level_text_add(text, text->words[1], text->words[2], at) && level_text_tags(text, 5));
}

static void level_text_door(level_text_reader *text) {
    static const char *const keys[PLOY_LEVEL_BUTTONS_MAX] = {"button0", "button1", "button2",
                                                             "button3"};
    float at[4], button[PLOY_LEVEL_BUTTONS_MAX][2];
    int32_t count = 0, word = 6;
    if (!level_text_name(text, 1) || !level_text_numbers(text, 2, 4, at)) return;
    for (; word < text->count && strcmp(text->words[word], "button") == 0; word += 3) {
        if (count == PLOY_LEVEL_BUTTONS_MAX) {
            level_text_fault(text, PLOY_ERR_LIMIT, word, "too many buttons", "at most 4", NULL);
            return;
        }
        if (!level_text_numbers(text, word + 1, 2, button[count++])) return;
    }
    if (!level_text_add(text, text->words[1], "door", at) ||
        !level_text_set(text, "x1", ploy_value_f32(at[2])) ||
        !level_text_set(text, "y1", ploy_value_f32(at[3]))) {
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!level_text_set(text, keys[i], ploy_value_vec2(button[i][0], button[i][1]))) return;
    }
    (void)level_text_tags(text, word);
}

static void level_text_trigger(level_text_reader *text) {
    float at[3];
    if (!level_text_name(text, 1)) return;
    if (text->count < 3 || strcmp(text->words[2], "circle") != 0) {
        level_text_fault(text, PLOY_ERR_FORMAT, 2,
                         text->count < 3 ? "unexpected end of line" : "unknown shape", "circle",
                         text->count < 3 ? NULL : "circle");
        return;
    }
    if (!level_text_numbers(text, 3, 3, at)) return;
    if (!(at[2] > 0.0f)) {
        level_text_fault(text, PLOY_ERR_FORMAT, 5, "unexpected number", "a radius above 0", NULL);
        return;
    }
    if (!level_text_needs_tag(text, 6, "do")) return;
    (void)(level_text_add(text, text->words[1], "trigger", at) &&
           level_text_set(text, "radius", ploy_value_f32(at[2])) && level_text_tags(text, 6));
}

static void level_text_offers(level_text_reader *text) {
    static const float nowhere[2] = {0, 0};
    float cost = 0.0f;
    if (!level_text_name(text, 1) || !level_text_name(text, 2)) return;
    if (!level_text_needs_tag(text, 3, "makes")) return;
    int32_t costs = level_text_find_tag(text, 3, "costs");
    if (costs >= 0 && (!level_text_is_number(text->words[costs] + 6, &cost) || cost < 0.0f)) {
        level_text_fault(text, PLOY_ERR_FORMAT, costs, "unexpected word", "costs= and a number",
                         NULL);
        return;
    }
    (void)(level_text_add(text, text->words[1], "offers", nowhere) &&
           level_text_set(text, "action", ploy_value_text(text->words[2])) &&
           level_text_tags(text, 3));
}

static void level_text_line(level_text_reader *text) {
    static const struct {
        const char *word;
        void (*read)(level_text_reader *text);
    } lines[] = {
        {"wall", level_text_wall}, {"spawn", level_text_spawn},     {"light", level_text_light},
        {"item", level_text_item}, {"kind", level_text_kind},       {"object", level_text_object},
        {"door", level_text_door}, {"trigger", level_text_trigger}, {"offers", level_text_offers}};
    const char *word = text->words[0];
    ploy_nearest nearest = ploy_nearest_make(word);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(word, lines[i].word) == 0) {
            lines[i].read(text);
            return;
        }
        ploy_nearest_offer(&nearest, lines[i].word);
    }
    level_text_fault(text, PLOY_ERR_FORMAT, 0, "unknown word",
                     "wall, door, spawn, item, kind, light, object, trigger or offers",
                     nearest.best);
}

ploy_result ploy_level_text_load(const char *bytes, size_t size, const char *name,
                                 ploy_diags *diags, ploy_level_builder *builder) {
    if (builder == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    level_text_reader text;
    memset(&text, 0, sizeof text);
    text.builder = builder;
    text.file = name == NULL ? "level" : name;
    text.diags = diags;
    for (size_t at = 0; at < size && text.result != PLOY_ERR_MEMORY;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - (bytes + at));
        text.line++;
        if (level_text_split(&text, bytes + at, length) && text.count > 0) level_text_line(&text);
        at += length + 1;
    }
    return text.result;
}

// ---- what levels are used for

static float level_text_slot(const ploy_level *level, int32_t object, const char *key,
                             float usual) {
    ploy_value value;
    if (!ploy_level_get(level, object, key, &value) || value.type != PLOY_VALUE_F32) return usual;
    return value.as.f32;
}

ploy_result ploy_level_text_walls(const ploy_level *level, uint32_t layers,
                                  ploy_plain_scene *scene) {
    ploy_level_object object;
    for (int32_t i = ploy_level_next(level, -1, "wall"); i >= 0;
         i = ploy_level_next(level, i, "wall")) {
        (void)ploy_level_at(level, i, &object);
        ploy_vec2 to = {level_text_slot(level, i, "x1", object.position.x),
                        level_text_slot(level, i, "y1", object.position.y)};
        ploy_result result = ploy_plain_scene_add_segment(
            scene, ploy_vec2_from_vec3(object.position), to, layers, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool level_text_is_setting(const char *key) {
    return strcmp(key, "facing") == 0 || strcmp(key, "radius") == 0 || strcmp(key, "region") == 0 ||
           strcmp(key, "links") == 0;
}

static ploy_result level_text_point(const ploy_level *level, int32_t index,
                                    ploy_tactical_points *points) {
    ploy_level_object object;
    (void)ploy_level_at(level, index, &object);
    ploy_tactical_point point = ploy_tactical_point_make(object.position);
    size_t length = strlen(object.name);
    if (length > PLOY_TACTICAL_NAME_MAX) return PLOY_ERR_ARGUMENT;
    memcpy(point.name, object.name, length);
    ploy_value value;
    point.faces = ploy_level_get(level, index, "facing", &value);
    point.facing = level_text_slot(level, index, "facing", 0.0f);
    point.radius = level_text_slot(level, index, "radius", point.radius);
    point.region = (int32_t)ploy_clampf(level_text_slot(level, index, "region", -1), -1, 1e6f);
    ploy_tactical_id id;
    ploy_result result = ploy_tactical_points_add(points, &point, &id);
    for (int32_t i = 0; i < object.slot_count && result == PLOY_OK; i++) {
        const char *key = NULL;
        (void)ploy_level_slot(level, index, i, &key, &value);
        if (level_text_is_setting(key)) continue;
        int32_t tag = ploy_tactical_points_tag(points, key);
        if (tag < 0) result = ploy_tactical_points_add_tag(points, key, false, &tag);
        if (result != PLOY_OK) return result;
        if (value.type != PLOY_VALUE_F32) return PLOY_ERR_ARGUMENT;
        result = ploy_tactical_points_set_value(points, id, tag, value.as.f32);
    }
    return result;
}

static ploy_result level_text_links(const ploy_level *level, int32_t index,
                                    ploy_tactical_points *points) {
    ploy_value value;
    ploy_level_object object;
    if (!ploy_level_get(level, index, "links", &value)) return PLOY_OK;
    if (value.type != PLOY_VALUE_TEXT) return PLOY_ERR_ARGUMENT;
    (void)ploy_level_at(level, index, &object);
    ploy_tactical_id from = ploy_tactical_points_find(points, object.name);
    for (const char *at = value.as.text; *at != 0;) {
        const char *end = strchr(at, ',');
        size_t size = end == NULL ? strlen(at) : (size_t)(end - at);
        char name[PLOY_TACTICAL_NAME_MAX + 1];
        if (size > PLOY_TACTICAL_NAME_MAX) return PLOY_ERR_NOT_FOUND;
        memcpy(name, at, size);
        name[size] = 0;
        ploy_tactical_id to = ploy_tactical_points_find(points, name);
        ploy_result result = ploy_tactical_points_link(points, from, to, true);
        if (result != PLOY_OK) return result;
        at += size + (end == NULL ? 0 : 1);
    }
    return PLOY_OK;
}

ploy_result ploy_level_text_points(const ploy_level *level, ploy_tactical_points *points) {
    ploy_result result = PLOY_OK;
    for (int32_t i = ploy_level_next(level, -1, "point"); i >= 0 && result == PLOY_OK;
         i = ploy_level_next(level, i, "point")) {
        result = level_text_point(level, i, points);
    }
    for (int32_t i = ploy_level_next(level, -1, "point"); i >= 0 && result == PLOY_OK;
         i = ploy_level_next(level, i, "point")) {
        result = level_text_links(level, i, points);
    }
    return result;
}
