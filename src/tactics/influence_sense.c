// Maps of what a side knows.
#include "tactics/influence_internal.h"

// The unit of the view that represents a real one.
static ploy_influence_unit influence_known(const ploy_influence *view, ploy_id origin) {
    ploy_influence_unit unit = {{0, 0}};
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(view->units, &cursor, &id, &item)) {
        if (ploy_id_equal(((const influence_unit *)item)->origin, origin)) {
            unit.id = id;
            break;
        }
    }
    return unit;
}

static ploy_result influence_follow(ploy_influence *view, ploy_id origin,
                                    const influence_unit *real) {
    ploy_influence_unit unit = influence_known(view, origin);
    if (ploy_id_is_none(unit.id)) {
        ploy_result result =
            ploy_influence_add(view, real->side, real->type, real->place, real->strength, &unit);
        if (result != PLOY_OK) return result;
        influence_unit *item = ploy_pool_get(view->units, unit.id);
        item->origin = origin;
        return PLOY_OK;
    }
    ploy_result result = ploy_influence_move(view, unit, real->place);
    const influence_unit *item = ploy_pool_get(view->units, unit.id);
    if (result == PLOY_OK && item->strength != real->strength) {
        result = ploy_influence_set_strength(view, unit, real->strength);
    }
    return result;
}

// Forgets units that are gone from places that are seen, and own ones that no longer exist.
static void influence_forget(ploy_influence *view, const ploy_influence *real, int32_t side,
                             const uint8_t *seen) {
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(view->units, &cursor, &id, &item)) {
        const influence_unit *unit = item, *now = ploy_pool_get(real->units, unit->origin);
        bool own = unit->side == side, sees = seen == NULL || seen[unit->place] != 0;
        bool there = now != NULL && now->place == unit->place;
        ploy_influence_unit gone = {id};
        if ((own && now == NULL) || (!own && sees && !there)) ploy_influence_remove(view, gone);
    }
}

// seen NULL: every place.
static ploy_result influence_sense(ploy_influence *view, const ploy_influence *real, int32_t side,
                                   const uint8_t *seen) {
    if (view == NULL || real == NULL || view == real || side < 0 || side >= real->def.sides ||
        view->def.sides != real->def.sides || view->type_count != real->type_count ||
        view->places.count != real->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    influence_forget(view, real, side, seen);
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(real->units, &cursor, &id, &item)) {
        const influence_unit *unit = item;
        if (unit->side != side && seen != NULL && seen[unit->place] == 0) continue;
        ploy_result result = influence_follow(view, id, unit);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < view->places.count; i++) {
        ploy_influence_set_known(view, i, seen == NULL || seen[i] != 0);
    }
    return PLOY_OK;
}

ploy_result ploy_influence_sense(ploy_influence *view, const ploy_influence *real, int32_t side,
                                 const uint8_t *seen) {
    return seen == NULL ? PLOY_ERR_ARGUMENT : influence_sense(view, real, side, seen);
}

ploy_result ploy_influence_sense_all(ploy_influence *view, const ploy_influence *real,
                                     int32_t side) {
    return influence_sense(view, real, side, NULL);
}
