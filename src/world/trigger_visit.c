// A system of triggers described, saved and loaded: triggers with their zones, agents, and who is in
// what. What is derived (the index over zones, the agents' places) is rebuilt.
#include <float.h>
#include <math.h>
#include <string.h>

#include "world/trigger_internal.h"
#include "world/world_internal.h"

static const char *trigger_visit_kind_text(int32_t kind) {
    return ployi_zone_kind_text((ploy_zone_kind)kind);
}

// The corners of a polygon are a block of the trigger's.
static void trigger_visit_corners(ploy_visit *v, ploy_triggers *triggers,
                                  ployi_triggers_trigger *trigger) {
    int32_t count =
        ploy_visit_count(v, "corners", PLOY_SAVED, trigger->corner_count, PLOY_ZONE_CORNERS_MAX);
    if (ploy_visit_loads(v)) {
        // The old corners were put aside when the load began.
        size_t size = count > 0 ? (size_t)count * sizeof *trigger->corners : 0;
        bool made = count > 0 && ploy_visit_replace(v, &triggers->env, &trigger->corners, 0, size);
        if (!made) {
            ploy_visit_check(v, false, "polygon has no corners", NULL);
            count = 0;
        } else {
            ploy_polygon polygon = ploy_polygon_make(trigger->corners, count);
            ploy_visit_write(v, &trigger->corner_count, &count, sizeof count);
            ploy_visit_write(v, &trigger->def.zone.polygon, &polygon, sizeof polygon);
        }
    }
    ploy_visit_object(v, "triggers.corners", trigger->corners,
                      (size_t)trigger->corner_count * sizeof *trigger->corners);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_vec2(v, "corner", PLOY_STATE, &trigger->corners[i].x, &trigger->corners[i].y);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void trigger_visit_zone(ploy_visit *v, ploy_triggers *triggers,
                               ployi_triggers_trigger *trigger) {
    ploy_zone *zone = &trigger->def.zone;
    ploy_visit_begin(v, "zone", PLOY_STATE);
    PLOY_VISIT_ENUM(v, "kind", PLOY_STATE, zone->kind, trigger_visit_kind_text,
                    PLOY_ZONE_KIND_COUNT);
    if (zone->kind == PLOY_ZONE_BOX) {
        ploy_visit_vec2(v, "min", PLOY_STATE, &zone->box.min.x, &zone->box.min.y);
        ploy_visit_vec2(v, "max", PLOY_STATE, &zone->box.max.x, &zone->box.max.y);
    } else if (zone->kind == PLOY_ZONE_POLYGON) {
        trigger_visit_corners(v, triggers, trigger);
    } else {
        ploy_visit_vec3(v, "centre", PLOY_STATE, &zone->centre.x, &zone->centre.y, &zone->centre.z);
        ploy_visit_f32_in(v, "radius", PLOY_STATE, &zone->radius, 0.0f, FLT_MAX);
    }
    if (zone->kind != PLOY_ZONE_SPHERE) {
        ploy_visit_f32_in(v, "low", PLOY_STATE, &zone->low, -INFINITY, INFINITY);
        ploy_visit_f32_in(v, "high", PLOY_STATE, &zone->high, -INFINITY, INFINITY);
    }
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, ployi_zone_check(zone) == PLOY_OK, "invalid zone", NULL);
    }
    ploy_visit_end(v);
}

static void trigger_visit_trigger(ploy_visit *v, ploy_triggers *triggers, ploy_id id,
                                  ployi_triggers_trigger *trigger) {
    ploy_visit_begin_item(v, id.index, PLOY_STATE);
    ploy_value number = ploy_value_id(id);
    ploy_visit_same(v, "id", PLOY_STATE, &number);
    ploy_visit_bool(v, "active", PLOY_STATE, &trigger->active);
    ploy_visit_bool(v, "resting", PLOY_STATE, &trigger->resting);
    ploy_visit_bool(v, "ending", PLOY_STATE, &trigger->ending);
    ploy_visit_i32(v, "rest", PLOY_STATE, &trigger->rest);
    ploy_visit_f64(v, "rest until", PLOY_STATE, &trigger->rest_until);
    ploy_visit_i32(v, "life", PLOY_STATE, &trigger->life);
    ploy_visit_f64(v, "life until", PLOY_STATE, &trigger->life_until);
    ploy_visit_i32_in(v, "visits", PLOY_STATE, &trigger->visits, 0, INT32_MAX - 1);
    ploy_visit_u64(v, "fired", PLOY_STATE, &trigger->fired);
    ploy_visit_u64(v, "last tick", PLOY_STATE, &trigger->last_tick);
    ploy_visit_id(v, "last agent", PLOY_STATE, &trigger->last_agent.id);
    ploy_visit_bool(v, "started", PLOY_SAVED, &trigger->started);
    ploy_visit_u32(v, "epoch", PLOY_SAVED, &trigger->epoch);
    ploy_visit_u64(v, "born", PLOY_SAVED, &trigger->born);
    ploy_visit_name(v, "kind", PLOY_STATE, &trigger->def.kind);
    ploy_visit_name(v, "item", PLOY_STATE, &trigger->def.item);
    ploy_visit_id(v, "source", PLOY_STATE, &trigger->def.source.id);
    ploy_visit_u32(v, "mask", PLOY_STATE, &trigger->def.mask);
    ploy_visit_u64(v, "user", PLOY_STATE, &trigger->def.user);
    trigger_visit_zone(v, triggers, trigger);
    ploy_visit_begin(v, "def", PLOY_DERIVED);
    ploy_visit_fields(v, "def", PLOY_STATE, ploy_trigger_fields(), &trigger->def);
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, trigger->corners);
    PLOY_VISIT_SCRATCH(v, trigger->corner_count);
    ploy_visit_end(v);
}

// Puts the corners of all triggers aside: freed if the load succeeds. Also makes the defs of
// triggers that come to life loadable.
static void trigger_visit_put_aside(ploy_visit *v, ploy_triggers *triggers) {
    uint32_t cursor = 0;
    void *item = NULL;
    int32_t none = 0;
    while (ploy_pool_next(triggers->pool, &cursor, NULL, &item)) {
        ployi_triggers_trigger *trigger = item;
        if (trigger->corners == NULL) continue;
        size_t size = (size_t)trigger->corner_count * sizeof *trigger->corners;
        if (!ploy_visit_replace(v, &triggers->env, &trigger->corners, size, 0)) return;
        ploy_visit_write(v, &trigger->corner_count, &none, sizeof none);
    }
}

static void trigger_visit_all(ploy_visit *v, ploy_triggers *triggers) {
    if (ploy_visit_loads(v)) trigger_visit_put_aside(v, triggers);
    ploy_visit_pool(v, "trigger places", triggers->pool, 1 << 20);
    int32_t left = ploy_visit_fixed(v, "triggers", PLOY_STATE, ploy_pool_count(triggers->pool));
    ploy_trigger_def usual = ploy_trigger_def_default();
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (left-- > 0 && ploy_pool_next(triggers->pool, &cursor, &id, &item)) {
        ployi_triggers_trigger *trigger = item;
        if (ploy_visit_loads(v)) {
            ploy_visit_write(v, &trigger->def, &usual, sizeof usual); // with its cookie
        }
        trigger_visit_trigger(v, triggers, id, trigger);
    }
    ploy_visit_end(v);
}

// Who is in what, for the description: pairs that are worth keeping.
static void trigger_describe_pairs(const ploy_triggers *triggers, const ployi_triggers_agent *agent,
                                   ploy_describe *out) {
    for (int32_t i = agent->first_pair; i >= 0; i = ployi_triggers_pair_at(triggers, i)->next) {
        const ployi_triggers_pair *pair = ployi_triggers_pair_at(triggers, i);
        const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, pair->trigger);
        if (trigger == NULL || !ployi_triggers_pair_is_needed(pair, trigger)) continue;
        ploy_describe_begin_item(out, pair->trigger.index);
        ploy_describe_bool(out, "inside", PLOY_STATE, ployi_triggers_pair_inside(pair, trigger));
        ploy_describe_bool(out, "told", PLOY_STATE, pair->told);
        ploy_describe_i64(out, "visits", PLOY_STATE, pair->visits);
        ploy_describe_end(out);
    }
}

static void trigger_visit_agents(ploy_visit *v, ploy_triggers *triggers) {
    ploy_visit_pool(v, "agent places", triggers->agents, 1 << 20);
    int32_t left = ploy_visit_fixed(v, "agents", PLOY_STATE, ploy_pool_count(triggers->agents));
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (left-- > 0 && ploy_pool_next(triggers->agents, &cursor, &id, &item)) {
        ployi_triggers_agent *agent = item;
        ploy_visit_begin_item(v, id.index, PLOY_STATE);
        ploy_visit_id(v, "agent", PLOY_STATE, &agent->agent.id);
        ploy_visit_u32(v, "mask", PLOY_STATE, &agent->mask);
        ploy_visit_f64_in(v, "period", PLOY_STATE, &agent->period, 0.0, DBL_MAX);
        ploy_visit_bool(v, "started", PLOY_STATE, &agent->started);
        ploy_visit_f32(v, "first test", PLOY_STATE, &agent->first_test_s);
        ploy_visit_f64(v, "next", PLOY_STATE, &agent->next);
        ploy_visit_i32_in(v, "first pair", PLOY_SAVED, &agent->first_pair, -1, INT32_MAX - 1);
        if (v->describe != NULL) trigger_describe_pairs(triggers, agent, v->describe);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void trigger_visit_pairs(ploy_visit *v, ploy_triggers *triggers) {
    int32_t count = ploy_visit_array(v, "pairs", PLOY_SAVED, &triggers->pairs, 1 << 24);
    for (int32_t i = 0; i < count; i++) {
        ployi_triggers_pair *pair = ployi_triggers_pair_at(triggers, i);
        ploy_visit_begin(v, "pair", PLOY_SAVED);
        ploy_visit_id(v, "trigger", PLOY_SAVED, &pair->trigger);
        ploy_visit_u32(v, "epoch", PLOY_SAVED, &pair->epoch);
        ploy_visit_i32_in(v, "next pair", PLOY_SAVED, &pair->next, -1, count - 1);
        ploy_visit_i32_in(v, "pair visits", PLOY_SAVED, &pair->visits, 0, INT32_MAX - 1);
        ploy_visit_bool(v, "inside", PLOY_SAVED, &pair->inside);
        ploy_visit_bool(v, "told", PLOY_SAVED, &pair->told);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "free_pair", PLOY_SAVED, &triggers->free_pair, -1, INT32_MAX - 1);
    ploy_visit_i32_in(v, "free_count", PLOY_SAVED, &triggers->free_count, 0, INT32_MAX - 1);
}

// Steps along a list of pairs, at most `most`; -1 if it leaves the array or does not end.
static int64_t trigger_chain_length(const ploy_triggers *triggers, int32_t first, int64_t most) {
    int64_t steps = 0;
    for (int32_t i = first; i >= 0; i = ployi_triggers_pair_at(triggers, i)->next) {
        if (i >= triggers->pairs.count || ++steps > most) return -1;
    }
    return steps;
}

// Whether every pair is in exactly one list: lists that met would need more steps than pairs.
static bool trigger_pairs_are_sound(const ploy_triggers *triggers) {
    int64_t left = triggers->pairs.count;
    int64_t steps = trigger_chain_length(triggers, triggers->free_pair, left);
    if (steps != triggers->free_count) return false;
    left -= steps;
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(triggers->agents, &cursor, NULL, &item)) {
        const ployi_triggers_agent *agent = item;
        steps = trigger_chain_length(triggers, agent->first_pair, left);
        if (steps < 0) return false;
        left -= steps;
    }
    return left == 0;
}

static const char *trigger_visit_event_text(int32_t what) {
    return ploy_trigger_event_kind_text((ploy_trigger_event_kind)what);
}

static void trigger_visit_log(ploy_visit *v, ploy_triggers *triggers) {
    int32_t records = ployi_ring_visit(v, "log", &triggers->log);
    for (int32_t i = 0; i < records; i++) {
        ploy_trigger_event *event = ployi_ring_record(&triggers->log, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_u64(v, "tick", PLOY_NOTE, &event->tick);
        PLOY_VISIT_ENUM(v, "what", PLOY_NOTE, event->what, trigger_visit_event_text,
                        PLOY_TRIGGER_ENDED + 1);
        ploy_visit_id(v, "trigger", PLOY_NOTE, &event->trigger.id);
        ploy_visit_id(v, "agent", PLOY_NOTE, &event->agent.id);
        ploy_visit_name(v, "kind", PLOY_NOTE, &event->kind);
        ploy_visit_f32(v, "amount", PLOY_NOTE, &event->amount);
        ploy_visit_i32(v, "visits", PLOY_NOTE, &event->visits);
        ploy_visit_id(v, "log source", PLOY_SAVED, &event->source.id);
        ploy_visit_name(v, "log item", PLOY_SAVED, &event->item);
        ploy_visit_i32(v, "log node", PLOY_SAVED, &event->node);
        ploy_visit_vec3(v, "log position", PLOY_SAVED, &event->position.x, &event->position.y,
                        &event->position.z);
        ploy_visit_u64(v, "log user", PLOY_SAVED, &event->user);
        ploy_visit_f64(v, "log now", PLOY_SAVED, &event->now);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

// The index over the zones and the agents' places again. A load has made room.
static void trigger_visit_rebuild(void *object) {
    ploy_triggers *triggers = object;
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    ploy_bvh2_clear(triggers->bvh);
    while (ploy_pool_next(triggers->pool, &cursor, &id, &item)) {
        const ployi_triggers_trigger *trigger = item;
        (void)ploy_bvh2_insert(triggers->bvh, (int32_t)id.index,
                               ployi_zone_slack_box(ploy_zone_bounds(&trigger->def.zone)));
    }
    ploy_map_clear(&triggers->places);
    cursor = 0;
    while (ploy_pool_next(triggers->agents, &cursor, &id, &item)) {
        const ployi_triggers_agent *agent = item;
        uint64_t bits = ploy_id_to_u64(id);
        ploy_result result =
            ploy_map_put(&triggers->places, ploy_id_to_u64(agent->agent.id), &bits);
        PLOY_ASSERT(result == PLOY_OK);
        (void)result;
    }
}

// Room for what the rebuild makes, and whether the loaded parts fit together.
static void trigger_visit_finish(ploy_visit *v, ploy_triggers *triggers) {
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    int32_t agents = ploy_pool_count(triggers->agents), highest = 0;
    uint32_t cursor = 0;
    ploy_id id;
    while (ploy_pool_next(triggers->pool, &cursor, &id, NULL)) highest = (int32_t)id.index + 1;
    ploy_bvh2 *larger = NULL;
    if (highest > triggers->bvh_capacity) {
        if (!ploy_visit_result(v, ployi_triggers_make_bvh(&triggers->env, highest, &larger))) {
            return;
        }
        ploy_bvh2_destroy(triggers->bvh);
        triggers->bvh = larger;
        triggers->bvh_capacity = highest;
    }
    if (!ploy_visit_result(v, ploy_map_reserve(&triggers->places, agents))) return;
    trigger_visit_rebuild(triggers); // an agent that is there twice takes one place
    ploy_visit_check(v, ploy_map_count(&triggers->places) == agents, "duplicate agent", NULL);
    ploy_visit_check(v, trigger_pairs_are_sound(triggers), "inconsistent lists of pairs", NULL);
}

void ploy_triggers_visit(ploy_visit *v, void *object) {
    ploy_triggers *triggers = object;
    ploy_visit_object(v, "triggers", triggers, sizeof *triggers);
    PLOY_VISIT_SCRATCH(v, triggers->env);
    PLOY_VISIT_SCRATCH(v, triggers->pool);
    PLOY_VISIT_SCRATCH(v, triggers->agents);
    PLOY_VISIT_SCRATCH(v, triggers->places);
    PLOY_VISIT_SCRATCH(v, triggers->bvh);
    PLOY_VISIT_SCRATCH(v, triggers->bvh_capacity);
    PLOY_VISIT_SCRATCH(v, triggers->busy);
    ploy_visit_buffer(v, "triggers.tests", &triggers->tests);
    ploy_visit_buffer(v, "triggers.touches", &triggers->touches);
    ploy_visit_buffer(v, "triggers.found", &triggers->found);
    ploy_visit_buffer(v, "triggers.outcomes", &triggers->outcomes);
    if (v->memory != NULL) {
        ploy_map_memory(&triggers->places, v->memory, v->memory_user);
        ploy_bvh2_memory(triggers->bvh, v->memory, v->memory_user);
    }
    if (!ploy_visit_check(v, !triggers->busy, "cannot load during a step", NULL)) return;
    ploy_visit_after(v, trigger_visit_rebuild, triggers);
    ploy_visit_u64(v, "tick", PLOY_STATE, &triggers->tick);
    ploy_visit_f64(v, "now", PLOY_STATE, &triggers->now);
    ploy_visit_bool(v, "stepped", PLOY_SAVED, &triggers->stepped);
    trigger_visit_all(v, triggers);
    trigger_visit_agents(v, triggers);
    trigger_visit_pairs(v, triggers);
    trigger_visit_log(v, triggers);
    trigger_visit_finish(v, triggers);
}

void ploy_triggers_describe(const ploy_triggers *triggers, ploy_describe *out) {
    ploy_visit_describe(ploy_triggers_visit, triggers, NULL, out);
}

void ploy_triggers_memory(const ploy_triggers *triggers, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_triggers_visit, triggers, fn, user);
}
