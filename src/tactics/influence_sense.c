// Maps of what a side knows: from the places that it sees, or from what its members remember.
//
// A unit of a view stands for a real unit or an agent, its origin. While a view is updated, `known` is
// a table of its units by origin, with open addressing; it is rebuilt by each update.
#include "tactics/influence_internal.h"

#include "ploy/base/hash.h"

#include <string.h>

// The slot of an origin: its unit's, or the free one where it belongs.
static ploy_id *influence_slot(const ploy_influence *view, ploy_id origin) {
    size_t mask = view->known_size / sizeof *view->known - 1;
    size_t at = (size_t)ploy_hash_combine(0, ploy_id_to_u64(origin)) & mask;
    for (;; at = (at + 1) & mask) { // less than half of the slots are in use
        const influence_unit *unit = ploy_pool_get(view->units, view->known[at]);
        if (unit == NULL || ploy_id_equal(unit->origin, origin)) return &view->known[at];
    }
}

// Room for as many units as there can be, at the first update.
static ploy_result influence_reserve_known(ploy_influence *view) {
    if (view->known != NULL) return PLOY_OK;
    int64_t slots = 2;
    while (slots < 2 * (int64_t)view->def.capacity + 2) slots *= 2;
    size_t size = 0;
    if (!ploy_size_add_array(0, slots, sizeof *view->known, &size)) return PLOY_ERR_MEMORY;
    view->known = ploy_env_alloc(&view->env, size);
    if (view->known == NULL) return PLOY_ERR_MEMORY;
    view->known_size = size;
    return PLOY_OK;
}

static void influence_fill_known(ploy_influence *view) {
    memset(view->known, 0, view->known_size);
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(view->units, &cursor, &id, &item)) {
        const influence_unit *unit = item;
        if (!ploy_id_is_none(unit->origin)) *influence_slot(view, unit->origin) = id;
    }
}

// The unit of an origin takes the state; it is added if there is none.
static ploy_result influence_follow(ploy_influence *view, ploy_id origin,
                                    const influence_unit *real) {
    ploy_id *slot = influence_slot(view, origin);
    const influence_unit *item = ploy_pool_get(view->units, *slot);
    ploy_influence_unit unit = {*slot};
    if (item != NULL && (item->side != real->side || item->type != real->type)) {
        (void)ploy_influence_remove(view, unit); // its slot is filled again below
        item = NULL;
    }
    if (item == NULL) {
        ploy_result result =
            ploy_influence_add(view, real->side, real->type, real->place, real->strength, &unit);
        if (result != PLOY_OK) return result;
        influence_unit *added = ploy_pool_get(view->units, unit.id);
        added->origin = origin;
        *slot = unit.id;
        return PLOY_OK;
    }
    ploy_result result = ploy_influence_move(view, unit, real->place);
    if (result == PLOY_OK && item->strength != real->strength) {
        result = ploy_influence_set_strength(view, unit, real->strength);
    }
    return result;
}

// ---- from what it sees

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
    ploy_result result = influence_reserve_known(view);
    if (result != PLOY_OK) return result;
    influence_forget(view, real, side, seen);
    influence_fill_known(view);
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(real->units, &cursor, &id, &item)) {
        const influence_unit *unit = item;
        if (unit->side != side && seen != NULL && seen[unit->place] == 0) continue;
        result = influence_follow(view, id, unit);
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

// ---- from what its members remember

// The latest record that any member has of an agent's position; among equals, the first member's.
static const ploy_sense_record *influence_latest(const ploy_sense_memory *const *members,
                                                 int32_t count, ploy_agent_id agent,
                                                 int32_t *member) {
    const ploy_sense_record *latest = NULL;
    for (int32_t i = 0; i < count; i++) {
        const ploy_sense_record *record = ploy_sense_memory_get(members[i], agent);
        if (record == NULL || !record->has_position) continue;
        if (latest != NULL && record->last_sensed <= latest->last_sensed) continue;
        latest = record;
        *member = i;
    }
    return latest;
}

typedef struct influence_recall {
    const ploy_sense_memory *const *members;
    int32_t count;
    double now;
    ploy_influence_agent_fn agent;
    void *user;
} influence_recall;

// What the members take an agent for. @return false if it is no unit, or is forgotten.
static bool influence_recall_unit(const ploy_influence *view, const influence_recall *recall,
                                  ploy_agent_id agent, int32_t *member, influence_unit *out) {
    const ploy_sense_record *record =
        influence_latest(recall->members, recall->count, agent, member);
    if (record == NULL) return false;
    float certainty = ploy_sense_memory_certainty(recall->members[*member], agent, recall->now);
    ploy_influence_state state = {0, 0, view->places.nearest(&view->places, record->position),
                                  0.0f};
    if (!(certainty > 0.0f) || state.place == PLOY_PLACE_NONE) return false;
    if (!recall->agent(recall->user, agent, &state)) return false;
    out->side = state.side;
    out->type = state.type;
    out->place = state.place;
    out->strength = state.strength * certainty;
    return true;
}

// Removes units of agents that are forgotten.
static void influence_forget_agents(ploy_influence *view, const influence_recall *recall) {
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_id id;
    while (ploy_pool_next(view->units, &cursor, &id, &item)) {
        const ploy_agent_id agent = {((const influence_unit *)item)->origin};
        influence_unit unit;
        int32_t member = 0;
        ploy_influence_unit gone = {id};
        if (ploy_id_is_none(agent.id)) continue; // the game's
        if (!influence_recall_unit(view, recall, agent, &member, &unit)) {
            (void)ploy_influence_remove(view, gone);
        }
    }
}

ploy_result ploy_influence_remember(ploy_influence *view, const ploy_sense_memory *const *members,
                                    int32_t count, double now, ploy_influence_agent_fn agent,
                                    void *user) {
    if (view == NULL || count < 0 || (members == NULL && count > 0) || agent == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (members[i] == NULL) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = influence_reserve_known(view);
    if (result != PLOY_OK) return result;
    const influence_recall recall = {members, count, now, agent, user};
    influence_forget_agents(view, &recall);
    influence_fill_known(view);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < ploy_sense_memory_count(members[i]); k++) {
            ploy_agent_id other = ploy_sense_memory_at(members[i], k)->agent;
            influence_unit unit = {0, 0, 0, 0.0f, {0, 0}};
            int32_t member = 0;
            if (!influence_recall_unit(view, &recall, other, &member, &unit) || member != i) {
                continue; // or it is the turn of another member
            }
            result = influence_follow(view, other.id, &unit);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}
