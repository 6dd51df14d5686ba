// Offers of a level's objects; see the header.
#include "ploy/data/level_offers.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"

typedef struct level_offer_name {
    char text[PLOY_LEVEL_OFFER_MAX + 1];
} level_offer_name;

bool ploy_level_next_offer(const ploy_level *level, int32_t *cursor, ploy_level_offer *out) {
    ploy_level_offer offer;
    ploy_level_object object, by;
    offer.object = *cursor < 0 ? -1 : ploy_level_next(level, *cursor - 1, "offers");
    if (offer.object < 0) return false;
    *cursor = offer.object + 1;
    (void)ploy_level_at(level, offer.object, &object);
    offer.name = object.name;
    offer.by = -1;
    offer.position = ploy_vec2_from_vec3(object.position);
    for (int32_t i = 0; i < level->object_count && offer.by < 0; i++) {
        (void)ploy_level_at(level, i, &by);
        if (strcmp(by.name, object.name) != 0 || strcmp(by.type, "offers") == 0) continue;
        offer.by = i;
        offer.position = ploy_vec2_from_vec3(by.position);
    }
    offer.action = ploy_level_word(level, offer.object, "action", "");
    offer.needs = ploy_level_word(level, offer.object, "needs", NULL);
    offer.makes = ploy_level_word(level, offer.object, "makes", "");
    offer.cost = ploy_level_number(level, offer.object, "costs", 1.0f);
    *out = offer;
    return true;
}

bool ploy_level_offers_action(const ploy_level *level, const char *name, const char *action) {
    ploy_level_offer offer;
    for (int32_t at = 0; ploy_level_next_offer(level, &at, &offer);) {
        if (strcmp(offer.name, name) == 0 && strcmp(offer.action, action) == 0) return true;
    }
    return false;
}

// "push table"
static level_offer_name level_offer_named(const ploy_level_offer *offer) {
    level_offer_name name;
    size_t at = 0;
    for (const char *c = offer->action; *c != 0 && at < PLOY_LEVEL_OFFER_MAX; c++) {
        name.text[at++] = *c;
    }
    if (at < PLOY_LEVEL_OFFER_MAX) name.text[at++] = ' ';
    for (const char *c = offer->name; *c != 0 && at < PLOY_LEVEL_OFFER_MAX; c++) {
        name.text[at++] = *c;
    }
    name.text[at] = 0;
    return name;
}

static ploy_result level_offers_ranges(const ploy_level *level, ploy_array *ranges) {
    ploy_level_object object;
    for (int32_t i = ploy_level_next(level, -1, "range"); i >= 0;
         i = ploy_level_next(level, i, "range")) {
        (void)ploy_level_at(level, i, &object);
        ploy_goap_range range = {
            object.name, (int32_t)ploy_clampf(ploy_level_number(level, i, "min", 0), -1e9f, 1e9f),
            (int32_t)ploy_clampf(ploy_level_number(level, i, "max", 1), -1e9f, 1e9f)};
        ploy_result result = ploy_array_push(ranges, &range);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result level_offers_collect(const ploy_level *level, ploy_diags *diags,
                                        ploy_array *names, ploy_array *rows) {
    ploy_level_offer offer;
    ploy_result missing = PLOY_OK, result = PLOY_OK;
    for (int32_t at = 0; result == PLOY_OK && ploy_level_next_offer(level, &at, &offer);) {
        level_offer_name name = level_offer_named(&offer);
        ploy_goap_row row = {NULL, (double)offer.cost, offer.needs, offer.makes};
        if (offer.by < 0) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, name.text, 0, 0,
                           "unknown object in an offer", "the name of an object", NULL);
            missing = PLOY_ERR_NOT_FOUND;
        }
        result = ploy_array_push(names, &name);
        if (result == PLOY_OK) result = ploy_array_push(rows, &row);
    }
    for (int32_t i = 0; result == PLOY_OK && i < rows->count; i++) { // names no longer move
        PLOY_ARRAY_AT(rows, ploy_goap_row, i)->action =
            PLOY_ARRAY_AT(names, level_offer_name, i)->text;
    }
    return result == PLOY_OK ? missing : result;
}

ploy_result ploy_level_offers_domain(const ploy_level *level, const ploy_env *env,
                                     ploy_diags *diags, ploy_goap_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_array names, rows, ranges;
    ploy_array_init(&names, sizeof(level_offer_name), env);
    ploy_array_init(&rows, sizeof(ploy_goap_row), env);
    ploy_array_init(&ranges, sizeof(ploy_goap_range), env);
    ploy_result result = level_offers_ranges(level, &ranges);
    if (result == PLOY_OK) result = level_offers_collect(level, diags, &names, &rows);
    if (result == PLOY_OK) {
        result = ploy_goap_type_from(PLOY_ARRAY_ITEMS(&ranges, ploy_goap_range), ranges.count,
                                     PLOY_ARRAY_ITEMS(&rows, ploy_goap_row), rows.count, env, diags,
                                     out);
    }
    ploy_array_fini(&ranges);
    ploy_array_fini(&rows);
    ploy_array_fini(&names);
    return result;
}
