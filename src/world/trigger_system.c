// The system of triggers: what there is, and how it is described; what happens is in trigger_step.c.
//
//     pairs:    agent.first_pair -> pair -> pair       by trigger index: what it knows of triggers
//
// Invariants, outside a step:
//   (1) the index holds the bounds of every trigger under the index of its id, grown a little, so
//       that rounding never hides one;
//   (2) an agent's pairs are sorted by trigger index, one for each trigger at most; those whose
//       generation is not the trigger's any more are dead and go when the agent is tested next;
//   (3) an agent is inside a trigger if its pair says so and has the trigger's epoch, which rises
//       when the trigger is switched off: all agents are forgotten at once;
//   (4) places of pairs not in any agent's list are in the free list.
#include "world/trigger_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ploy/base/math.h"
#include "world/world_internal.h"

static const ploy_field triggers_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_triggers_def, triggers, 64, 1, 1 << 20, "",
                         "triggers that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_triggers_def, agents, 64, 1, 1 << 20, "",
                         "agents that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_triggers_def, touches, 0, 0, 1 << 20, "",
                         "agents in triggers, all at the same time, that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_triggers_def, log, 32, 0, 1 << 16, "", "events kept for looking"),
};

ploy_fields ploy_triggers_fields(void) {
    return PLOY_FIELDS(ploy_triggers_def, triggers_fields);
}

ploy_triggers_def ploy_triggers_def_default(void) {
    ploy_triggers_def def;
    ploy_fields_default(ploy_triggers_fields(), &def);
    return def;
}

ploy_result ployi_triggers_make_bvh(const ploy_env *env, int32_t capacity, ploy_bvh2 **out) {
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = capacity;
    return ploy_bvh2_create(&def, env, out);
}

ploy_result ploy_triggers_create(const ploy_triggers_def *def, const ploy_env *env,
                                 ploy_triggers **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_triggers_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_triggers *triggers = ploy_env_alloc_zero(env, sizeof *triggers);
    if (triggers == NULL) return PLOY_ERR_MEMORY;
    triggers->env = *env;
    triggers->free_pair = -1;
    ploy_map_init(&triggers->places, sizeof(uint64_t), env);
    ploy_array_init(&triggers->pairs, sizeof(ployi_triggers_pair), env);
    ploy_array_init(&triggers->tests, sizeof(ployi_triggers_test), env);
    ploy_array_init(&triggers->touches, sizeof(ploy_id), env);
    ploy_array_init(&triggers->found, sizeof(ploy_found), env);
    ploy_array_init(&triggers->outcomes, sizeof(ployi_triggers_outcome), env);
    int32_t count = PLOY_CAPACITY(def->triggers), agents = PLOY_CAPACITY(def->agents);
    result = ploy_pool_create(sizeof(ployi_triggers_trigger), 0, 0, env, &triggers->pool);
    if (result == PLOY_OK) result = ploy_pool_reserve(triggers->pool, count);
    if (result == PLOY_OK) {
        result = ploy_pool_create(sizeof(ployi_triggers_agent), 0, 0, env, &triggers->agents);
    }
    if (result == PLOY_OK) result = ploy_pool_reserve(triggers->agents, agents);
    if (result == PLOY_OK) result = ploy_map_reserve(&triggers->places, agents);
    if (result == PLOY_OK) result = ployi_triggers_make_bvh(env, count, &triggers->bvh);
    triggers->bvh_capacity = count;
    if (def->touches > 0) {
        if (result == PLOY_OK) result = ploy_array_reserve(&triggers->tests, agents);
        if (result == PLOY_OK) result = ploy_array_reserve(&triggers->touches, def->touches);
        if (result == PLOY_OK) result = ploy_array_reserve(&triggers->found, count);
        if (result == PLOY_OK) result = ploy_array_reserve(&triggers->pairs, def->touches);
        if (result == PLOY_OK) result = ploy_array_reserve(&triggers->outcomes, def->touches);
    }
    if (result == PLOY_OK) {
        result = ployi_ring_init(&triggers->log, sizeof(ploy_trigger_event), def->log, env);
    }
    if (result != PLOY_OK) {
        ploy_triggers_destroy(triggers);
        return result;
    }
    *out = triggers;
    return PLOY_OK;
}

static void triggers_free_corners(ploy_triggers *triggers, ployi_triggers_trigger *trigger) {
    ploy_env_free(&triggers->env, trigger->corners,
                  (size_t)trigger->corner_count * sizeof *trigger->corners);
    trigger->corners = NULL;
    trigger->corner_count = 0;
}

void ploy_triggers_destroy(ploy_triggers *triggers) {
    if (triggers == NULL) return;
    ploy_env env = triggers->env;
    if (triggers->pool != NULL && triggers->bvh != NULL) ploy_triggers_clear(triggers);
    ploy_pool_destroy(triggers->pool);
    ploy_pool_destroy(triggers->agents);
    ploy_map_fini(&triggers->places);
    ploy_bvh2_destroy(triggers->bvh);
    ploy_array_fini(&triggers->pairs);
    ploy_array_fini(&triggers->tests);
    ploy_array_fini(&triggers->touches);
    ploy_array_fini(&triggers->found);
    ploy_array_fini(&triggers->outcomes);
    ployi_ring_fini(&triggers->log);
    ploy_env_free(&env, triggers, sizeof *triggers);
}

// ---- triggers come and go ----

// Member by member into memory that was zeroed: copies of whole structs may carry the gaps of the
// caller's along, and then equal systems would not have equal bytes.
static void triggers_write_zone(ploy_zone *to, const ploy_zone *from) {
    to->kind = from->kind;
    to->centre = from->centre;
    to->radius = from->radius;
    to->box = from->box;
    to->low = from->low;
    to->high = from->high;
    to->polygon.points = from->polygon.points;
    to->polygon.count = from->polygon.count;
}

static void triggers_write_def(ploy_trigger_def *to, const ploy_trigger_def *from) {
    memcpy(to, from, offsetof(ploy_trigger_def, mask)); // without gaps
    to->mask = from->mask;
    to->kind = from->kind;
    to->item = from->item;
    to->source = from->source;
    to->user = from->user;
}

// A copy of a zone whose corners are ours.
static ploy_result triggers_copy_zone(ploy_triggers *triggers, const ploy_zone *zone,
                                      ploy_zone *out, ploy_vec2 **corners) {
    *corners = NULL;
    *out = *zone;
    if (zone->kind != PLOY_ZONE_POLYGON) {
        out->polygon = ploy_polygon_make(NULL, 0); // no foreign pointer is kept
        return PLOY_OK;
    }
    size_t size = (size_t)zone->polygon.count * sizeof **corners;
    *corners = ploy_env_alloc(&triggers->env, size);
    if (*corners == NULL) return PLOY_ERR_MEMORY;
    memcpy(*corners, zone->polygon.points, size);
    out->polygon = ploy_polygon_make(*corners, zone->polygon.count);
    return PLOY_OK;
}

// Room in the index for one more than there are; a larger one is made and filled beside the old.
static ploy_result triggers_reserve_bvh(ploy_triggers *triggers) {
    // An index is never above the number of items there ever were at a time.
    if (ploy_pool_count(triggers->pool) < triggers->bvh_capacity) return PLOY_OK;
    int32_t capacity = triggers->bvh_capacity * 2;
    ploy_bvh2 *larger = NULL;
    ploy_result result = ployi_triggers_make_bvh(&triggers->env, capacity, &larger);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < triggers->bvh_capacity; i++) {
        ploy_box2 box;
        if (ploy_bvh2_get(triggers->bvh, i, &box)) (void)ploy_bvh2_insert(larger, i, box);
    }
    ploy_bvh2_destroy(triggers->bvh);
    triggers->bvh = larger;
    triggers->bvh_capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_triggers_add(ploy_triggers *triggers, const ploy_trigger_def *def,
                              ploy_trigger_id *out) {
    ploy_result result = ploy_fields_check(ploy_trigger_fields(), def, &triggers->env);
    if (result == PLOY_OK) result = ployi_zone_check(&def->zone);
    if (result == PLOY_OK) result = triggers_reserve_bvh(triggers);
    if (result != PLOY_OK) return result;
    ploy_zone zone;
    ploy_vec2 *corners = NULL;
    result = triggers_copy_zone(triggers, &def->zone, &zone, &corners);
    if (result != PLOY_OK) return result;
    ploy_id id;
    void *item = NULL;
    result = ploy_pool_add(triggers->pool, &id, &item);
    if (result != PLOY_OK) {
        ploy_env_free(&triggers->env, corners, (size_t)zone.polygon.count * sizeof *corners);
        return result;
    }
    ployi_triggers_trigger *trigger = item;
    triggers_write_def(&trigger->def, def);
    triggers_write_zone(&trigger->def.zone, &zone);
    trigger->corners = corners;
    trigger->corner_count = corners != NULL ? zone.polygon.count : 0;
    trigger->active = def->active;
    trigger->life = def->life_ticks;
    trigger->born = triggers->tick + (triggers->busy ? 1u : 0u);
    (void)ploy_bvh2_insert(triggers->bvh, (int32_t)id.index,
                           ployi_zone_slack_box(ploy_zone_bounds(&zone)));
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

ployi_triggers_trigger *ployi_triggers_of(const ploy_triggers *triggers, ploy_id id) {
    return ploy_pool_get(triggers->pool, id);
}

ploy_result ploy_triggers_remove(ploy_triggers *triggers, ploy_trigger_id id) {
    ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id.id);
    if (trigger == NULL) return PLOY_ERR_NOT_FOUND;
    triggers_free_corners(triggers, trigger);
    (void)ploy_bvh2_remove(triggers->bvh, (int32_t)id.id.index);
    ploy_pool_remove(triggers->pool, id.id);
    return PLOY_OK;
}

void ploy_triggers_clear(ploy_triggers *triggers) {
    uint32_t cursor = 0;
    ploy_trigger_id id;
    while (ploy_triggers_next(triggers, &cursor, &id)) (void)ploy_triggers_remove(triggers, id);
}

ploy_result ploy_triggers_set_active(ploy_triggers *triggers, ploy_trigger_id id, bool active) {
    ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id.id);
    if (trigger == NULL) return PLOY_ERR_NOT_FOUND;
    trigger->resting = false;
    if (trigger->active && !active) trigger->epoch++; // keeps (3)
    trigger->active = active;
    return PLOY_OK;
}

ploy_result ploy_triggers_set_zone(ploy_triggers *triggers, ploy_trigger_id id,
                                   const ploy_zone *zone) {
    ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id.id);
    if (trigger == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ployi_zone_check(zone);
    if (result != PLOY_OK) return result;
    ploy_zone copy;
    ploy_vec2 *corners = NULL;
    result = triggers_copy_zone(triggers, zone, &copy, &corners);
    if (result != PLOY_OK) return result;
    triggers_free_corners(triggers, trigger);
    triggers_write_zone(&trigger->def.zone, &copy);
    trigger->corners = corners;
    trigger->corner_count = corners != NULL ? copy.polygon.count : 0;
    (void)ploy_bvh2_move(triggers->bvh, (int32_t)id.id.index,
                         ployi_zone_slack_box(ploy_zone_bounds(&copy)));
    return PLOY_OK;
}

bool ploy_triggers_get(const ploy_triggers *triggers, ploy_trigger_id id, ploy_trigger_state *out) {
    const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id.id);
    if (trigger == NULL) return false;
    out->def = trigger->def;
    out->active = trigger->active;
    out->visits = trigger->visits;
    out->rest_ticks = trigger->resting && !(trigger->def.respawn_s > 0.0f) ? trigger->rest : 0;
    out->life_ticks = trigger->life;
    out->fired = trigger->fired;
    out->last_tick = trigger->last_tick;
    out->last_agent = trigger->last_agent;
    return true;
}

int32_t ploy_triggers_count(const ploy_triggers *triggers) {
    return ploy_pool_count(triggers->pool);
}

bool ploy_triggers_next(const ploy_triggers *triggers, uint32_t *cursor, ploy_trigger_id *id) {
    return ploy_pool_next(triggers->pool, cursor, &id->id, NULL);
}

bool ploy_triggers_find(const ploy_triggers *triggers, ploy_name item, ploy_vec3 from,
                        ploy_trigger_id *out) {
    uint32_t cursor = 0;
    ploy_id id;
    void *place = NULL;
    double best = INFINITY;
    while (ploy_pool_next(triggers->pool, &cursor, &id, &place)) {
        const ployi_triggers_trigger *trigger = place;
        if (!trigger->active || !ploy_name_equal(trigger->def.item, item)) continue;
        ploy_vec3 at = ploy_zone_centre(&trigger->def.zone);
        double x = (double)at.x - (double)from.x, y = (double)at.y - (double)from.y;
        double z = (double)at.z - (double)from.z, gap = x * x + y * y + z * z;
        if (!(gap < best)) continue;
        best = gap;
        out->id = id;
    }
    return best < INFINITY;
}

// ---- agents ----

ploy_result ploy_triggers_add_agent(ploy_triggers *triggers, ploy_agent_id agent,
                                    const ploy_trigger_agent_def *def) {
    ploy_trigger_agent_def usual = ploy_trigger_agent_def_default();
    if (def == NULL) def = &usual;
    ploy_result result = ploy_fields_check(ploy_trigger_agent_fields(), def, &triggers->env);
    if (result != PLOY_OK) return result;
    uint64_t key = ploy_id_to_u64(agent.id);
    if (ploy_id_is_none(agent.id)) return PLOY_ERR_ARGUMENT;
    if (ploy_map_has(&triggers->places, key)) return PLOY_ERR_EXISTS;
    ploy_id id;
    void *item = NULL;
    int32_t count = ploy_map_count(&triggers->places) + 1;
    if (triggers->places.capacity < count) {
        result = ploy_map_reserve(&triggers->places, count + count / 2);
    }
    if (result == PLOY_OK) result = ploy_pool_add(triggers->agents, &id, &item);
    if (result != PLOY_OK) return result;
    ployi_triggers_agent *place = item;
    place->agent = agent;
    place->mask = def->mask;
    place->first_test_s = def->first_test_s;
    place->first_pair = -1;
    place->period = def->tests_per_second > 0.0f ? 1.0 / (double)def->tests_per_second : 0.0;
    uint64_t bits = ploy_id_to_u64(id);
    return ploy_map_put(&triggers->places, key, &bits); // reserved, so it cannot fail
}

ployi_triggers_pair *ployi_triggers_pair_at(const ploy_triggers *triggers, int32_t index) {
    return PLOY_ARRAY_ITEMS(&triggers->pairs, ployi_triggers_pair) + index;
}

// Gives the pair at *link back and closes the list. Keeps (4).
void ployi_triggers_free_pair(ploy_triggers *triggers, int32_t *link) {
    int32_t index = *link;
    ployi_triggers_pair *pair = ployi_triggers_pair_at(triggers, index);
    *link = pair->next;
    memset(pair, 0, sizeof *pair);
    pair->next = triggers->free_pair;
    triggers->free_pair = index;
    triggers->free_count++;
}

ployi_triggers_agent *ployi_triggers_agent_of(const ploy_triggers *triggers, ploy_agent_id agent,
                                              ploy_id *id) {
    const uint64_t *bits = ploy_map_get(&triggers->places, ploy_id_to_u64(agent.id));
    if (bits == NULL) return NULL;
    if (id != NULL) *id = ploy_id_from_u64(*bits);
    return ploy_pool_get(triggers->agents, ploy_id_from_u64(*bits));
}

ploy_result ploy_triggers_remove_agent(ploy_triggers *triggers, ploy_agent_id agent) {
    ploy_id id;
    ployi_triggers_agent *place = ployi_triggers_agent_of(triggers, agent, &id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    while (place->first_pair >= 0) ployi_triggers_free_pair(triggers, &place->first_pair);
    ploy_map_remove(&triggers->places, ploy_id_to_u64(agent.id));
    ploy_pool_remove(triggers->agents, id);
    return PLOY_OK;
}

int32_t ployi_triggers_agent_count(const ploy_triggers *triggers) {
    return ploy_pool_count(triggers->agents);
}

bool ployi_triggers_pair_inside(const ployi_triggers_pair *pair,
                                const ployi_triggers_trigger *trigger) {
    return pair->inside && trigger != NULL && pair->epoch == trigger->epoch;
}

// The pair of an agent and a trigger, or NULL.
ployi_triggers_pair *ployi_triggers_pair_of(const ploy_triggers *triggers,
                                            const ployi_triggers_agent *agent, ploy_id trigger) {
    for (int32_t i = agent->first_pair; i >= 0; i = ployi_triggers_pair_at(triggers, i)->next) {
        ployi_triggers_pair *pair = ployi_triggers_pair_at(triggers, i);
        if (ploy_id_equal(pair->trigger, trigger)) return pair;
    }
    return NULL;
}

bool ployi_triggers_is_inside(const ploy_triggers *triggers, ploy_trigger_id id,
                              ploy_agent_id agent) {
    const ployi_triggers_agent *place = ployi_triggers_agent_of(triggers, agent, NULL);
    if (place == NULL) return false;
    const ployi_triggers_pair *pair = ployi_triggers_pair_of(triggers, place, id.id);
    return pair != NULL && ployi_triggers_pair_inside(pair, ployi_triggers_of(triggers, id.id));
}

// What is worth keeping of a pair when the agent is outside.
bool ployi_triggers_pair_is_needed(const ployi_triggers_pair *pair,
                                   const ployi_triggers_trigger *trigger) {
    return ployi_triggers_pair_inside(pair, trigger) || pair->told || pair->visits > 0 ||
           trigger->def.visits_each;
}

// ---- sight ----

bool ployi_triggers_log(const ploy_triggers *triggers, int32_t back, ploy_trigger_event *out) {
    const ploy_trigger_event *event = ployi_ring_newest(&triggers->log, back);
    if (event == NULL) return false;
    *out = *event;
    return true;
}

void ploy_triggers_draw(const ploy_triggers *triggers, ploy_draw *out) {
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(triggers->pool, &cursor, &id, &item)) {
        const ployi_triggers_trigger *trigger = item;
        const ploy_trigger_def *def = &trigger->def;
        bool fades = def->life_ticks > 0 || def->life_s > 0.0f;
        ploy_style style = !trigger->active                ? PLOY_STYLE_GHOST
                           : fades                         ? PLOY_STYLE_WARNING
                           : !ploy_name_is_none(def->item) ? PLOY_STYLE_GOOD
                                                           : PLOY_STYLE_TARGET;
        ploy_zone_draw(&def->zone, fades ? PLOY_LAYER_SENSES : PLOY_LAYER_REGIONS, style,
                       def->source, trigger->active ? 0.25f : 0.05f, out);
    }
}
