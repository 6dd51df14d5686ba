// Levels as text; the lines are described in the header.
#include "ploy/data/level_text.h"

#include <string.h>

#include "level_line.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"

enum { LEVEL_TEXT_KINDS = 64 };

static const char *const level_text_items[] = {"health", "shotgun", "railgun", "rocket"};

typedef struct level_text_reader {
    ployi_level_line line;
    ploy_level_builder *builder;
    ploy_name kinds[LEVEL_TEXT_KINDS]; // declared by the level
    int32_t kind_count;
} level_text_reader;

static bool level_text_keep(level_text_reader *text, ploy_result result) {
    if (result == PLOY_OK) return true;
    ployi_level_line_fault(&text->line, result, 0,
                           result == PLOY_ERR_EXISTS ? "duplicate key" : "object cannot be added",
                           NULL, NULL);
    return false;
}

static bool level_text_add(level_text_reader *text, const char *name, const char *type,
                           const float *at) {
    return level_text_keep(
        text, ploy_level_builder_add(text->builder, name, type, ploy_vec3_make(at[0], at[1], 0)));
}

static bool level_text_set(level_text_reader *text, const char *key, ploy_value value) {
    return level_text_keep(text, ploy_level_builder_set(text->builder, key, value));
}

static ploy_value level_text_value(const char *text) {
    float number = 0.0f;
    return ployi_level_line_is_number(text, &number) ? ploy_value_f32(number)
                                                     : ploy_value_text(text);
}

// The words from `first` on as tags: key=value.
static bool level_text_tags(level_text_reader *text, int32_t first) {
    for (int32_t i = first; i < text->line.count; i++) {
        char *equals = strchr(text->line.copy + (text->line.words[i] - text->line.copy), '=');
        if (equals == NULL || equals == text->line.words[i]) {
            ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, i, "unexpected word", "key=value",
                                   NULL);
            return false;
        }
        *equals = 0;
        ploy_result result = ploy_level_builder_set(text->builder, text->line.words[i],
                                                    level_text_value(equals + 1));
        if (result == PLOY_OK) continue;
        ployi_level_line_fault(&text->line, result, i,
                               result == PLOY_ERR_EXISTS ? "duplicate key" : "tag cannot be added",
                               NULL, NULL);
        return false;
    }
    return true;
}

// True if the tag is among the words from `first` on; tags have not been split yet.
static int32_t level_text_find_tag(const level_text_reader *text, int32_t first, const char *key) {
    size_t length = strlen(key);
    for (int32_t i = first; i < text->line.count; i++) {
        if (strncmp(text->line.words[i], key, length) == 0 && text->line.words[i][length] == '=')
            return i;
    }
    return -1;
}

static bool level_text_needs_tag(level_text_reader *text, int32_t first, const char *key) {
    if (level_text_find_tag(text, first, key) >= 0) return true;
    char expected[16] = {0};
    memcpy(expected, key, strlen(key)); // "do" or "makes"
    memcpy(expected + strlen(key), "=value", 6);
    ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, text->line.count, "unexpected end of line",
                           expected, NULL);
    return false;
}

static void level_text_wall(level_text_reader *text) {
    float at[4];
    if (!ployi_level_line_numbers(&text->line, 1, 4, at)) return;
    (void)(level_text_add(text, "", "wall", at) &&
           level_text_set(text, "x1", ploy_value_f32(at[2])) &&
           level_text_set(text, "y1", ploy_value_f32(at[3])) && level_text_tags(text, 5));
}

static void level_text_spawn(level_text_reader *text) {
    float at[2];
    if (!ployi_level_line_numbers(&text->line, 1, 2, at)) return;
    (void)(level_text_add(text, "", "spawn", at) && level_text_tags(text, 3));
}

static void level_text_light(level_text_reader *text) {
    float at[3];
    if (!ployi_level_line_numbers(&text->line, 1, 3, at)) return;
    (void)(level_text_add(text, "", "light", at) &&
           level_text_set(text, "reach", ploy_value_f32(at[2])) && level_text_tags(text, 4));
}

// Kinds that a level declares are remembered by hash; their texts are objects of the level.
static void level_text_kind(level_text_reader *text) {
    static const float nowhere[2] = {0, 0};
    if (!ployi_level_line_name(&text->line, 1)) return;
    if (text->kind_count == LEVEL_TEXT_KINDS) {
        ployi_level_line_fault(&text->line, PLOY_ERR_LIMIT, 0, "too many kinds", NULL, NULL);
        return;
    }
    if (!level_text_add(text, text->line.words[1], "kind", nowhere) || !level_text_tags(text, 2))
        return;
    text->kinds[text->kind_count++] = ploy_name_of(text->line.words[1]);
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
    if (!ployi_level_line_name(&text->line, 1)) return;
    if (!level_text_is_kind(text, text->line.words[1])) {
        ploy_nearest nearest = ploy_nearest_make(text->line.words[1]);
        for (size_t i = 0; i < sizeof level_text_items / sizeof level_text_items[0]; i++) {
            ploy_nearest_offer(&nearest, level_text_items[i]);
        }
        ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, 1, "unknown kind of item",
                               "health, shotgun, railgun, rocket or a kind declared above",
                               nearest.best);
        return;
    }
    if (!ployi_level_line_numbers(&text->line, 2, 2, at)) return;
    int32_t tags = 4;
    if (text->line.count > 4 && strchr(text->line.words[4], '=') == NULL) {
        if (!ployi_level_line_numbers(&text->line, 4, 1, &amount)) return;
        tags = 5;
    }
    (void)(level_text_add(text, "", "item", at) &&
           level_text_set(text, "kind", ploy_value_text(text->line.words[1])) &&
           level_text_set(text, "amount", ploy_value_f32(amount)) && level_text_tags(text, tags));
}

static void level_text_object(level_text_reader *text) {
    float at[2];
    if (!ployi_level_line_name(&text->line, 1) || !ployi_level_line_name(&text->line, 2) ||
        !ployi_level_line_numbers(&text->line, 3, 2, at)) {
        return;
    }
    (void)(level_text_add(text, text->line.words[1], text->line.words[2], at) &&
           level_text_tags(text, 5));
}

static void level_text_door(level_text_reader *text) {
    static const char *const keys[PLOY_LEVEL_BUTTONS_MAX] = {"button0", "button1", "button2",
                                                             "button3"};
    float at[4], button[PLOY_LEVEL_BUTTONS_MAX][2];
    int32_t count = 0, word = 6;
    if (!ployi_level_line_name(&text->line, 1) || !ployi_level_line_numbers(&text->line, 2, 4, at))
        return;
    for (; word < text->line.count && strcmp(text->line.words[word], "button") == 0; word += 3) {
        if (count == PLOY_LEVEL_BUTTONS_MAX) {
            ployi_level_line_fault(&text->line, PLOY_ERR_LIMIT, word, "too many buttons",
                                   "at most 4", NULL);
            return;
        }
        if (!ployi_level_line_numbers(&text->line, word + 1, 2, button[count++])) return;
    }
    if (!level_text_add(text, text->line.words[1], "door", at) ||
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
    if (!ployi_level_line_name(&text->line, 1)) return;
    if (text->line.count < 3 || strcmp(text->line.words[2], "circle") != 0) {
        ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, 2,
                               text->line.count < 3 ? "unexpected end of line" : "unknown shape",
                               "circle", text->line.count < 3 ? NULL : "circle");
        return;
    }
    if (!ployi_level_line_numbers(&text->line, 3, 3, at)) return;
    if (!(at[2] > 0.0f)) {
        ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, 5, "unexpected number",
                               "a radius above 0", NULL);
        return;
    }
    if (!level_text_needs_tag(text, 6, "do")) return;
    (void)(level_text_add(text, text->line.words[1], "trigger", at) &&
           level_text_set(text, "radius", ploy_value_f32(at[2])) && level_text_tags(text, 6));
}

static void level_text_offers(level_text_reader *text) {
    static const float nowhere[2] = {0, 0};
    float cost = 0.0f;
    if (!ployi_level_line_name(&text->line, 1) || !ployi_level_line_name(&text->line, 2)) return;
    if (!level_text_needs_tag(text, 3, "makes")) return;
    int32_t costs = level_text_find_tag(text, 3, "costs");
    if (costs >= 0 &&
        (!ployi_level_line_is_number(text->line.words[costs] + 6, &cost) || cost < 0.0f)) {
        ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, costs, "unexpected word",
                               "costs= and a number", NULL);
        return;
    }
    (void)(level_text_add(text, text->line.words[1], "offers", nowhere) &&
           level_text_set(text, "action", ploy_value_text(text->line.words[2])) &&
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
    const char *word = text->line.words[0];
    ploy_nearest nearest = ploy_nearest_make(word);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(word, lines[i].word) == 0) {
            lines[i].read(text);
            return;
        }
        ploy_nearest_offer(&nearest, lines[i].word);
    }
    ployi_level_line_fault(&text->line, PLOY_ERR_FORMAT, 0, "unknown word",
                           "wall, door, spawn, item, kind, light, object, trigger or offers",
                           nearest.best);
}

ploy_result ploy_level_text_load(const char *bytes, size_t size, const char *name,
                                 ploy_diags *diags, ploy_level_builder *builder) {
    if (builder == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    level_text_reader text;
    memset(&text, 0, sizeof text);
    text.builder = builder;
    ployi_level_line_init(&text.line, bytes, size, name == NULL ? "level" : name, diags);
    while (ployi_level_line_next(&text.line)) level_text_line(&text);
    return text.line.result;
}

int32_t ploy_level_text_line(const char *bytes, size_t size, int32_t object) {
    ployi_level_line line; // each line with words is one object
    ployi_level_line_init(&line, bytes, size, "", NULL);
    for (int32_t i = 0; ployi_level_line_next(&line); i++) {
        if (i == object) return line.line;
    }
    return 0;
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

// The text that points came from, for messages.
typedef struct level_text_source {
    const char *bytes; // NULL: none
    size_t size;
    const char *name;
    ploy_diags *diags;
} level_text_source;

// Reports a fault at the slot `key` of an object, or at its line's first word.
static ploy_result level_text_point_fault(const level_text_source *source, int32_t object,
                                          const char *key, ploy_result code, const char *message,
                                          const char *expected, const char *nearest) {
    ployi_level_line line;
    ployi_level_line_init(&line, source->bytes, source->size, source->name, NULL);
    int32_t word = 0, at = -1;
    while (at < object && ployi_level_line_next(&line)) at++;
    if (at < object) line.count = line.line = 0; // not from this text
    size_t length = strlen(key);
    for (int32_t i = 0; i < line.count && length > 0; i++) {
        if (strncmp(line.words[i], key, length) == 0 && line.words[i][length] == '=') word = i;
    }
    line.diags = source->diags;
    ployi_level_line_fault(&line, code, word, message, expected, nearest);
    return code;
}

static ploy_result level_text_point(const ploy_level *level, int32_t index,
                                    const level_text_source *source, ploy_tactical_points *points) {
    ploy_level_object object;
    (void)ploy_level_at(level, index, &object);
    ploy_tactical_point point = ploy_tactical_point_make(object.position);
    size_t length = strlen(object.name);
    if (length > PLOY_TACTICAL_NAME_MAX) {
        return level_text_point_fault(source, index, "", PLOY_ERR_ARGUMENT,
                                      "name of a point is too long", NULL, NULL);
    }
    memcpy(point.name, object.name, length);
    ploy_value value;
    point.faces = ploy_level_get(level, index, "facing", &value);
    point.facing = level_text_slot(level, index, "facing", 0.0f);
    point.radius = level_text_slot(level, index, "radius", point.radius);
    point.region = (int32_t)ploy_clampf(level_text_slot(level, index, "region", -1), -1, 1e6f);
    ploy_tactical_id id;
    ploy_result result = ploy_tactical_points_add(points, &point, &id);
    if (result == PLOY_ERR_ARGUMENT || result == PLOY_ERR_CAPACITY) {
        return level_text_point_fault(
            source, index, "", result,
            result == PLOY_ERR_CAPACITY ? "too many points" : "invalid point", NULL, NULL);
    }
    for (int32_t i = 0; i < object.slot_count && result == PLOY_OK; i++) {
        const char *key = NULL;
        (void)ploy_level_slot(level, index, i, &key, &value);
        if (level_text_is_setting(key)) continue;
        int32_t tag = ploy_tactical_points_tag(points, key);
        if (tag < 0) result = ploy_tactical_points_add_tag(points, key, false, &tag);
        if (result == PLOY_ERR_MEMORY) return result;
        if (result != PLOY_OK) {
            return level_text_point_fault(source, index, key, result, "invalid quality",
                                          result == PLOY_ERR_CAPACITY ? "at most 32 qualities"
                                                                      : "letters, digits and '_'",
                                          NULL);
        }
        if (value.type == PLOY_VALUE_F32) {
            result = ploy_tactical_points_set_value(points, id, tag, value.as.f32);
        }
        if (value.type != PLOY_VALUE_F32 || result == PLOY_ERR_ARGUMENT) {
            return level_text_point_fault(source, index, key, PLOY_ERR_ARGUMENT,
                                          "invalid value of a quality", "a number from 0 to 1",
                                          NULL);
        }
    }
    return result;
}

static ploy_result level_text_no_link(const ploy_level *level, int32_t index,
                                      const level_text_source *source, const char *name) {
    ploy_level_object object;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = ploy_level_next(level, -1, "point"); i >= 0;
         i = ploy_level_next(level, i, "point")) {
        (void)ploy_level_at(level, i, &object);
        ploy_nearest_offer(&nearest, object.name);
    }
    return level_text_point_fault(source, index, "links", PLOY_ERR_NOT_FOUND, "unknown point",
                                  "names of points", nearest.best);
}

static ploy_result level_text_links(const ploy_level *level, int32_t index,
                                    const level_text_source *source, ploy_tactical_points *points) {
    ploy_value value;
    ploy_level_object object;
    if (!ploy_level_get(level, index, "links", &value)) return PLOY_OK;
    if (value.type != PLOY_VALUE_TEXT) {
        return level_text_point_fault(source, index, "links", PLOY_ERR_ARGUMENT,
                                      "invalid links of a point", "names of points", NULL);
    }
    (void)ploy_level_at(level, index, &object);
    ploy_tactical_id from = ploy_tactical_points_find(points, object.name);
    for (const char *at = value.as.text; *at != 0;) {
        const char *end = strchr(at, ',');
        size_t size = end == NULL ? strlen(at) : (size_t)(end - at);
        char name[PLOY_TACTICAL_NAME_MAX + 1];
        if (size > PLOY_TACTICAL_NAME_MAX) return level_text_no_link(level, index, source, at);
        memcpy(name, at, size);
        name[size] = 0;
        ploy_tactical_id to = ploy_tactical_points_find(points, name);
        ploy_result result = ploy_tactical_points_link(points, from, to, true);
        if (result == PLOY_ERR_NOT_FOUND) return level_text_no_link(level, index, source, name);
        if (result == PLOY_ERR_MEMORY) return result;
        if (result != PLOY_OK) {
            return level_text_point_fault(
                source, index, "links", result, "invalid links of a point",
                result == PLOY_ERR_CAPACITY ? "at most 12 links" : "names of other points", NULL);
        }
        at += size + (end == NULL ? 0 : 1);
    }
    return PLOY_OK;
}

ploy_result ploy_level_text_points(const ploy_level *level, const char *text, size_t size,
                                   const char *name, ploy_diags *diags,
                                   ploy_tactical_points *points) {
    if (level == NULL || points == NULL) return PLOY_ERR_ARGUMENT;
    const level_text_source source = {text, text == NULL ? 0 : size, name == NULL ? "level" : name,
                                      diags};
    ploy_result result = PLOY_OK;
    for (int32_t i = ploy_level_next(level, -1, "point"); i >= 0 && result == PLOY_OK;
         i = ploy_level_next(level, i, "point")) {
        result = level_text_point(level, i, &source, points);
    }
    for (int32_t i = ploy_level_next(level, -1, "point"); i >= 0 && result == PLOY_OK;
         i = ploy_level_next(level, i, "point")) {
        result = level_text_links(level, i, &source, points);
    }
    return result;
}
