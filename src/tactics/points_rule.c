// Compound qualities: rules as text over the values of one point and of the points around it.
//
// Rules are scores of one ploy_conditions without keys. A tag is a word without arguments; what it
// reads comes through ploy_moment.asker. The first argument of near, linked and seen names a tag and
// not a value: before the text is read, it is replaced by the number of the tag.
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "points_internal.h"

static const ployi_tactical_asker *points_rule_asker(const ploy_moment *moment) {
    return moment->asker;
}

static float points_rule_stored(const ploy_tactical_points *points, const ployi_tactical_item *item,
                                int32_t tag) {
    (void)points;
    return item->values[tag] >= 0.0f ? item->values[tag] : NAN;
}

static float points_rule_value(const ploy_tactical_points *points, const ployi_tactical_item *item,
                               ploy_tactical_id id, int32_t tag, double now) {
    const ployi_tactical_tag *of = &points->tags[tag];
    if (!of->ruled || of->computed == points->changes) return points_rule_stored(points, item, tag);
    ployi_tactical_asker asker = {points, item, id, now};
    ploy_moment moment = ploy_moment_make(NULL);
    moment.asker = &asker;
    float value = ploy_score_value(points->rules, of->rule, &moment);
    return value == value ? ploy_clampf(value, 0.0f, 1.0f) : value;
}

float ploy_tactical_points_value(const ploy_tactical_points *points, ploy_tactical_id id,
                                 int32_t tag, double now) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL || tag < 0 || tag >= points->tag_count) return NAN;
    return points_rule_value(points, item, id, tag, now);
}

// ---- the words

static float points_rule_word_tag(void *user, const ploy_moment *moment, const float *args) {
    const ployi_tactical_asker *asker = points_rule_asker(moment);
    const ployi_tactical_tag *tag = user;
    (void)args;
    if (asker == NULL || asker->item == NULL) return 0.0f;
    return points_rule_value(asker->points, asker->item, asker->id, tag->number, asker->now);
}

typedef enum points_rule_need {
    POINTS_RULE_NEAR,
    POINTS_RULE_LINKED,
    POINTS_RULE_SEEN
} points_rule_need;
static const points_rule_need points_rule_needs[] = {POINTS_RULE_NEAR, POINTS_RULE_LINKED,
                                                     POINTS_RULE_SEEN};

typedef struct points_rule_around {
    const ployi_tactical_asker *asker;
    int32_t tag;
    float radius, best;
    points_rule_need need;
} points_rule_around;

static bool points_rule_is_linked(const ployi_tactical_item *item, int32_t index) {
    for (int32_t i = 0; i < item->link_count; i++) {
        if (item->links[i] == index) return true;
    }
    return false;
}

static bool points_rule_visit(void *user, int32_t index, double *limit) {
    points_rule_around *around = user;
    const ploy_tactical_points *points = around->asker->points;
    const ployi_tactical_item *self = around->asker->item;
    ploy_tactical_id id = ploy_tactical_points_at(points, index);
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    (void)limit;
    if (item == self) return true;
    if (!(ploy_vec3_distance(item->point.position, self->point.position) <= around->radius)) {
        return true;
    }
    if (around->need == POINTS_RULE_LINKED && !points_rule_is_linked(self, index)) return true;
    float value = points_rule_value(points, item, id, around->tag, around->asker->now);
    if (!(value > around->best)) return true;
    if (around->need == POINTS_RULE_SEEN &&
        ploy_scene_ray(&points->scene, self->point.position, item->point.position, points->mask,
                       NULL)) {
        return true;
    }
    around->best = value;
    return around->best < 1.0f;
}

static float points_rule_word_near(void *user, const ploy_moment *moment, const float *args) {
    const ployi_tactical_asker *asker = points_rule_asker(moment);
    points_rule_around around = {asker, (int32_t)args[0], args[1], 0.0f,
                                 *(const points_rule_need *)user};
    if (asker == NULL || asker->item == NULL || !(args[1] >= 0.0f) ||
        !ploy_in_range(args[0], 0.0f, (float)(asker->points->tag_count - 1))) {
        return 0.0f;
    }
    ploy_query2 query =
        ploy_query2_radius(ploy_vec2_from_vec3(asker->item->point.position), args[1]);
    ploy_grid_visit(asker->points->grid, &query, points_rule_visit, &around, NULL);
    return around.best;
}

static float points_rule_word_exits(void *user, const ploy_moment *moment, const float *args) {
    const ployi_tactical_asker *asker = points_rule_asker(moment);
    (void)user, (void)args;
    return asker == NULL || asker->item == NULL ? 0.0f : (float)asker->item->link_count;
}

static float points_rule_word_compromised(void *user, const ploy_moment *moment,
                                          const float *args) {
    const ployi_tactical_asker *asker = points_rule_asker(moment);
    (void)user, (void)args;
    if (asker == NULL || asker->item == NULL) return 0.0f;
    return ploy_tactical_points_compromised(asker->points, asker->id, asker->now);
}

static float points_rule_word_claimed(void *user, const ploy_moment *moment, const float *args) {
    const ployi_tactical_asker *asker = points_rule_asker(moment);
    (void)user, (void)args;
    if (asker == NULL || asker->item == NULL) return 0.0f;
    ploy_agent_id owner = ploy_tactical_points_owner(asker->points, asker->id, asker->now);
    return ploy_id_is_none(owner.id) ? 0.0f : 1.0f;
}

static float points_rule_word_min(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment;
    if (!(args[0] == args[0]) || !(args[1] == args[1])) return NAN;
    return args[0] < args[1] ? args[0] : args[1];
}

static float points_rule_word_max(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment;
    if (!(args[0] == args[0]) || !(args[1] == args[1])) return NAN;
    return args[0] > args[1] ? args[0] : args[1];
}

// Words get a user that is never written.
#define POINTS_RULE_NEED(need) ((void *)(uintptr_t)&points_rule_needs[need])

static ploy_result points_rule_register(ploy_conditions *set) {
    const ploy_word words[] = {
        {"near", NULL, points_rule_word_near, POINTS_RULE_NEED(POINTS_RULE_NEAR), 2},
        {"linked", NULL, points_rule_word_near, POINTS_RULE_NEED(POINTS_RULE_LINKED), 2},
        {"seen", NULL, points_rule_word_near, POINTS_RULE_NEED(POINTS_RULE_SEEN), 2},
        {"exits", NULL, points_rule_word_exits, NULL, 0},
        {"compromised", NULL, points_rule_word_compromised, NULL, 0},
        {"claimed", NULL, points_rule_word_claimed, NULL, 0},
        {"min", NULL, points_rule_word_min, NULL, 2},
        {"max", NULL, points_rule_word_max, NULL, 2},
    };
    return ploy_conditions_register_words(set, words, (int32_t)(sizeof words / sizeof words[0]));
}

static ploy_result points_rule_register_tag(ploy_conditions *set, const ployi_tactical_tag *tag) {
    ploy_word word = {tag->name, NULL, points_rule_word_tag, (void *)(uintptr_t)tag, 0};
    return ploy_conditions_register_words(set, &word, 1);
}

ploy_result ployi_tactical_words(ploy_tactical_points *points) {
    return points_rule_register(points->rules);
}

ploy_result ployi_tactical_word_of_tag(ploy_tactical_points *points, int32_t tag) {
    return points_rule_register_tag(points->rules, &points->tags[tag]);
}

ploy_result ployi_tactical_words_for(const ploy_tactical_points *points, ploy_conditions *set) {
    ploy_result result = points_rule_register(set);
    for (int32_t i = 0; points != NULL && i < points->tag_count && result == PLOY_OK; i++) {
        result = points_rule_register_tag(set, &points->tags[i]);
    }
    return result;
}

// ---- the text

static bool points_rule_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static bool points_rule_is(const char *text, size_t size, const char *word) {
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

static int32_t points_rule_find(const ploy_tactical_points *points, const char *text, size_t size) {
    for (int32_t i = 0; i < points->tag_count; i++) {
        if (points_rule_is(text, size, points->tags[i].name)) return i;
    }
    return -1;
}

static ploy_result points_rule_unknown(const ploy_tactical_points *points, const char *text,
                                       size_t size, const char *file, int32_t line, int32_t column,
                                       ploy_diags *diags) {
    char name[PLOY_TACTICAL_NAME_MAX + 1];
    if (size > PLOY_TACTICAL_NAME_MAX) size = PLOY_TACTICAL_NAME_MAX;
    memcpy(name, text, size);
    name[size] = 0;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < points->tag_count; i++) {
        ploy_nearest_offer(&nearest, points->tags[i].name);
    }
    char message[PLOY_DIAG_TEXT_MAX] = "unknown quality '";
    memcpy(message + strlen(message), name, size + 1);
    memcpy(message + strlen(message), "'", 2);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, file, line, column, message,
                   "the name of a quality", nearest.best);
    return PLOY_ERR_NOT_FOUND;
}

ploy_result ployi_tactical_number_tags(const ploy_tactical_points *points, const char *text,
                                       char *out, size_t size, uint32_t *uses, bool *changing,
                                       const char *file, int32_t line, int32_t column,
                                       ploy_diags *diags) {
    size_t length = strlen(text), to = 0;
    bool around = false; // behind "near ("
    char quote = 0;
    *uses = 0;
    *changing = false;
    for (size_t at = 0; at < length;) {
        char c = text[at];
        if (quote != 0 || !points_rule_letter(c) || (c >= '0' && c <= '9')) {
            // A number is copied whole, so that its exponent is not taken for a name.
            size_t end = at + 1;
            if (quote == 0 && c >= '0' && c <= '9') {
                while (end < length && (points_rule_letter(text[end]) || text[end] == '.')) end++;
            }
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            }
            if (c != ' ' && c != '(' && c != '\t' && c != '\n') around = false;
            if (to + (end - at) >= size) return PLOY_ERR_LIMIT;
            memcpy(out + to, text + at, end - at);
            to += end - at;
            at = end;
            continue;
        }
        size_t end = at;
        while (end < length && points_rule_letter(text[end])) end++;
        int32_t tag = points_rule_find(points, text + at, end - at);
        if (tag >= 0) {
            *uses |= 1u << tag | points->tags[tag].uses;
            *changing = *changing || points->tags[tag].changing;
        }
        char number[PLOY_PRINT_I64_SIZE];
        size_t count = end - at;
        const char *from = text + at;
        if (around) {
            if (tag < 0) {
                return points_rule_unknown(points, from, count, file, line, column + (int32_t)at,
                                           diags);
            }
            count = ploy_print_i64(tag, number);
            from = number;
            around = false;
        } else {
            around = points_rule_is(from, count, "near") || points_rule_is(from, count, "linked") ||
                     points_rule_is(from, count, "seen");
            *changing = *changing || points_rule_is(from, count, "compromised") ||
                        points_rule_is(from, count, "claimed");
        }
        size_t width = count > end - at ? count : end - at;
        if (to + width >= size) return PLOY_ERR_LIMIT;
        memcpy(out + to, from, count);
        memset(out + to + count, ' ', width - count);
        to += width;
        at = end;
    }
    out[to] = 0;
    return PLOY_OK;
}

ploy_result ploy_tactical_points_define(ploy_tactical_points *points, const char *name,
                                        const char *rule, const char *file, int32_t line,
                                        int32_t column, ploy_diags *diags) {
    if (points == NULL || name == NULL || rule == NULL) return PLOY_ERR_ARGUMENT;
    if (strlen(rule) > PLOY_TACTICAL_RULE_MAX) return PLOY_ERR_LIMIT;
    char text[PLOY_TACTICAL_RULE_MAX * 2 + 1];
    uint32_t uses = 0;
    bool changing = false;
    ploy_result result = ployi_tactical_number_tags(points, rule, text, sizeof text, &uses,
                                                    &changing, file, line, column, diags);
    ploy_score score = ploy_score_none();
    int32_t tag = ploy_tactical_points_tag(points, name);
    if (result == PLOY_OK && tag >= 0 && (uses >> tag & 1u) != 0) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, file, line, column,
                       "the rule uses its own quality", "a rule over other qualities", NULL);
        result = PLOY_ERR_ARGUMENT;
    }
    if (result == PLOY_OK) {
        result = ploy_score_read(points->rules, text, file == NULL ? name : file, line, column,
                                 diags, &score);
    }
    if (result == PLOY_OK && tag < 0) {
        result = ploy_tactical_points_add_tag(points, name, false, &tag);
    }
    if (result != PLOY_OK) return result;
    ployi_tactical_tag *of = &points->tags[tag];
    of->ruled = true;
    of->uses = uses;
    of->changing = changing;
    of->rule = score;
    of->computed = 0;
    memset(of->text, 0, sizeof of->text);
    memcpy(of->text, rule, strlen(rule));
    // Rules that read this one read what it reads; bits are closed again in the order of the tags
    // until nothing changes, which takes no more rounds than there are tags.
    for (bool grew = true; grew;) {
        grew = false;
        for (int32_t i = 0; i < points->tag_count; i++) {
            ployi_tactical_tag *other = &points->tags[i];
            if ((other->uses >> tag & 1u) == 0) continue;
            uint32_t all = other->uses | uses;
            grew = grew || all != other->uses || (changing && !other->changing);
            other->uses = all;
            other->changing = other->changing || changing;
        }
    }
    points->changes++;
    return PLOY_OK;
}

ploy_result ploy_tactical_points_compute(ploy_tactical_points *points, int32_t tag) {
    if (points == NULL || tag < 0 || tag >= points->tag_count || !points->tags[tag].ruled) {
        return PLOY_ERR_ARGUMENT;
    }
    if (points->tags[tag].changing) return PLOY_ERR_STATE;
    points->tags[tag].computed = 0; // so that the rule is asked
    uint32_t cursor = 0;
    ploy_tactical_id id;
    while (ploy_tactical_points_next(points, &cursor, &id)) {
        ployi_tactical_item *item = ployi_tactical_item_of(points, id);
        float value = points_rule_value(points, item, id, tag, 0.0);
        item->values[tag] = value == value ? value : -1.0f;
    }
    points->tags[tag].computed = points->changes;
    return PLOY_OK;
}

#undef POINTS_RULE_NEED
