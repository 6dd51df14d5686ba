// A step of the system of triggers; the technique is described in the header.
//
// A step has two halves. The first finds, without changing or telling anything, which triggers each
// agent touches whose test is due, and takes all the memory that the second will need. The second
// updates the triggers and then the agents, one after the other, and calls back. So a step that
// fails has done nothing, and a callback may change whatever it likes: what was found is kept as
// ids with generations and requested again before its hook is called.
//
//     tests:    | agent, first, count | ...            one for each agent that is due
//     touches:  | trigger, trigger, ... | ...          by index, `count` from `first` on
//
// The invariants are those of trigger_system.c.
#include "world/trigger_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "world/world_internal.h"

// s; times that are nearer count as the same, since k / 60 is no round number.
#define TRIGGERS_SLACK_S 1e-6

// ---- what is reported ----

typedef struct triggers_teller {
    ploy_triggers *triggers;
    ploy_trigger_fn fn;
    void *user;
} triggers_teller;

// The trigger may be gone when this returns.
static void triggers_tell(const triggers_teller *teller, ploy_trigger_event_kind what, ploy_id id,
                          ploy_agent_id agent, int32_t visits) {
    ploy_triggers *triggers = teller->triggers;
    const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id);
    ploy_trigger_event event;
    memset(&event, 0, sizeof event);
    event.what = what;
    event.visits = visits;
    event.trigger.id = id;
    event.agent = agent;
    event.source = trigger->def.source;
    event.kind = trigger->def.kind;
    event.item = trigger->def.item;
    event.amount = trigger->def.amount;
    event.node = trigger->def.node;
    event.position = ploy_zone_centre(&trigger->def.zone);
    event.user = trigger->def.user;
    event.tick = triggers->tick;
    event.now = triggers->now;
    uint64_t number = 0;
    ploy_trigger_event *record = ployi_ring_push(&triggers->log, &number);
    if (record != NULL) *record = event;
    if (teller->fn != NULL) teller->fn(teller->user, &event);
}

static void triggers_fire(const triggers_teller *teller, ploy_id id, ploy_agent_id agent,
                          int32_t visits) {
    ploy_triggers *triggers = teller->triggers;
    ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id);
    ploy_trigger_after after = trigger->def.after;
    trigger->fired++;
    trigger->last_tick = triggers->tick;
    trigger->last_agent = agent;
    if (after != PLOY_TRIGGER_STAYS) {
        trigger->active = false;
        trigger->epoch++;
        trigger->resting = after == PLOY_TRIGGER_RESPAWNS;
        trigger->rest = trigger->def.respawn_ticks;
        trigger->rest_until = triggers->now + (double)trigger->def.respawn_s;
    }
    triggers_tell(teller, PLOY_TRIGGER_FIRED, id, agent, visits);
    if (after == PLOY_TRIGGER_ONCE) {
        ploy_trigger_id gone = {id};
        (void)ploy_triggers_remove(triggers, gone); // unless the callback did
    }
}

// An agent did what the trigger waits for: counts it and fires if that was often enough.
static bool triggers_occasion(const triggers_teller *teller, ploy_id id, ploy_agent_id agent) {
    ploy_triggers *triggers = teller->triggers;
    ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id);
    const ployi_triggers_agent *place = ployi_triggers_agent_of(triggers, agent, NULL);
    ployi_triggers_pair *pair = place != NULL ? ployi_triggers_pair_of(triggers, place, id) : NULL;
    if (trigger->def.visits_each && pair == NULL) return false; // the agent was added again
    int32_t *count = trigger->def.visits_each ? &pair->visits : &trigger->visits;
    if (*count < INT32_MAX) (*count)++;
    int32_t visits = *count;
    if (visits < trigger->def.visits) return false;
    if (trigger->def.visits_again) *count = 0;
    triggers_fire(teller, id, agent, visits);
    return true;
}

static bool triggers_tells(const ployi_triggers_trigger *trigger, ploy_trigger_event_kind what) {
    int32_t bit = what == PLOY_TRIGGER_ENTERED  ? PLOY_TRIGGER_TELLS_ENTER
                  : what == PLOY_TRIGGER_STAYED ? PLOY_TRIGGER_TELLS_STAY
                                                : PLOY_TRIGGER_TELLS_LEAVE;
    return (trigger->def.tells & bit) != 0;
}

// Whether coming in, staying or leaving is what the trigger waits for.
static bool triggers_waits_for(ploy_trigger_when when, ploy_trigger_event_kind what,
                               ployi_triggers_pair *pair) {
    if (when == PLOY_TRIGGER_TOUCH) return what != PLOY_TRIGGER_LEFT;
    if (when == PLOY_TRIGGER_ENTER) return what == PLOY_TRIGGER_ENTERED;
    if (when == PLOY_TRIGGER_LEAVE) return what == PLOY_TRIGGER_LEFT;
    if (when != PLOY_TRIGGER_EACH || what == PLOY_TRIGGER_LEFT) return false;
    if (pair == NULL || pair->told) return false;
    pair->told = true;
    return true;
}

// ---- the first half of a step: who touches what ----

static bool triggers_agent_is_due(const ployi_triggers_agent *agent, double now) {
    double next = agent->started ? agent->next : now + (double)agent->first_test_s;
    return now + TRIGGERS_SLACK_S >= next;
}

static ploy_result triggers_find_touches(ploy_triggers *triggers, const ployi_triggers_agent *agent,
                                         const ploy_pose *pose) {
    ploy_vec3 at = pose->frame.position;
    float radius = pose->radius > 0.0f ? pose->radius : 0.0f;
    ploy_circle body = ploy_circle_make(ploy_vec2_make(at.x, at.y), radius);
    ploy_query2 query = ploy_query2_box(ployi_zone_slack_box(ploy_box2_of_circle(body)));
    int32_t count = ploy_bvh2_find(triggers->bvh, &query, triggers->found.items,
                                   triggers->found.capacity, NULL);
    if (count > triggers->found.capacity) {
        ploy_result result = ploy_array_reserve(&triggers->found, count + count / 2);
        if (result != PLOY_OK) return result;
        count = ploy_bvh2_find(triggers->bvh, &query, triggers->found.items,
                               triggers->found.capacity, NULL);
    }
    const ploy_found *found = triggers->found.items;
    for (int32_t i = 0; i < count; i++) {
        ploy_id id = ploy_pool_id_at(triggers->pool, (uint32_t)found[i].id);
        const ploy_trigger_def *def = &ployi_triggers_of(triggers, id)->def;
        if ((def->mask & agent->mask) == 0) continue;
        if (def->skip_source && ploy_id_equal(def->source.id, agent->agent.id)) continue;
        if (!ploy_zone_touches(&def->zone, at, radius)) continue;
        ploy_result result = ploy_array_push(&triggers->touches, &id);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Room for that many more pairs, in the array and the free list. Keeps (4).
static ploy_result triggers_reserve_pairs(ploy_triggers *triggers, int32_t more) {
    int32_t missing = more - triggers->free_count, first = triggers->pairs.count;
    if (missing <= 0) return PLOY_OK;
    ploy_result result = ploy_array_resize(&triggers->pairs, first + missing);
    if (result != PLOY_OK) return result;
    for (int32_t i = first + missing - 1; i >= first; i--) {
        ployi_triggers_pair_at(triggers, i)->next = triggers->free_pair;
        triggers->free_pair = i;
    }
    triggers->free_count += missing;
    return PLOY_OK;
}

static ploy_result triggers_look(ploy_triggers *triggers, double now,
                                 const ploy_pose_source *poses) {
    ploy_array_clear(&triggers->tests);
    ploy_array_clear(&triggers->touches);
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(triggers->agents, &cursor, &id, &item)) {
        const ployi_triggers_agent *agent = item;
        if (!triggers_agent_is_due(agent, now)) continue;
        ployi_triggers_test test = {id, triggers->touches.count, 0};
        ploy_pose pose;
        ploy_result result = PLOY_OK;
        if (ploy_pose_source_get(poses, agent->agent, &pose)) {
            result = triggers_find_touches(triggers, agent, &pose);
        }
        test.count = triggers->touches.count - test.first;
        if (result == PLOY_OK) result = ploy_array_push(&triggers->tests, &test);
        if (result != PLOY_OK) return result;
    }
    ploy_result result = triggers_reserve_pairs(triggers, triggers->touches.count);
    // An agent has an outcome for each trigger that it touches and each that it was in.
    if (result == PLOY_OK) {
        result = ploy_array_reserve(&triggers->outcomes, triggers->pairs.count);
    }
    return result;
}

// ---- the second half: updating and telling ----

static void triggers_update(const triggers_teller *teller, ploy_id id,
                            ployi_triggers_trigger *trigger) {
    ploy_triggers *triggers = teller->triggers;
    double now = triggers->now;
    bool by_clock = trigger->def.life_s > 0.0f;
    if (by_clock && !trigger->started) {
        trigger->started = true;
        trigger->life_until = now + (double)trigger->def.life_s;
    }
    if (trigger->ending || (by_clock && now + TRIGGERS_SLACK_S >= trigger->life_until)) {
        ploy_trigger_id gone = {id};
        trigger->active = false;
        if ((trigger->def.tells & PLOY_TRIGGER_TELLS_END) != 0) {
            triggers_tell(teller, PLOY_TRIGGER_ENDED, id, ploy_agent_id_none(), 0);
        }
        (void)ploy_triggers_remove(triggers, gone);
        return;
    }
    // Flagged now and gone with the next update, so the last tick of its life is tried too.
    if (trigger->life > 0 && --trigger->life == 0) trigger->ending = true;
    if (!trigger->resting) return;
    if (trigger->rest > 0) trigger->rest--;
    bool over = trigger->def.respawn_s > 0.0f ? now + TRIGGERS_SLACK_S >= trigger->rest_until
                                              : trigger->rest == 0;
    if (!over) return;
    trigger->resting = false;
    trigger->active = true;
    if ((trigger->def.tells & PLOY_TRIGGER_TELLS_BACK) != 0) {
        triggers_tell(teller, PLOY_TRIGGER_BACK, id, ploy_agent_id_none(), 0);
    }
}

static void triggers_push_outcome(ploy_triggers *triggers, ploy_id trigger,
                                  ploy_trigger_event_kind what) {
    ployi_triggers_outcome outcome = {trigger, what};
    (void)ploy_array_push(&triggers->outcomes, &outcome); // reserved
}

// Goes over the agent's pairs and what it touches, both by trigger index, as one merges two lists;
// the pairs become what is true now, and the differences outcomes.
static void triggers_compare(ploy_triggers *triggers, ployi_triggers_agent *agent,
                             const ployi_triggers_test *test) {
    const ploy_id *touches =
        test->count > 0 ? PLOY_ARRAY_ITEMS(&triggers->touches, ploy_id) + test->first : NULL;
    ploy_array_clear(&triggers->outcomes);
    int32_t *link = &agent->first_pair, i = 0;
    while (*link >= 0 || i < test->count) {
        ployi_triggers_pair *pair = *link >= 0 ? ployi_triggers_pair_at(triggers, *link) : NULL;
        ployi_triggers_trigger *known =
            pair != NULL ? ployi_triggers_of(triggers, pair->trigger) : NULL;
        if (pair != NULL && known == NULL) {
            ployi_triggers_free_pair(triggers, link); // keeps (2)
            continue;
        }
        if (pair != NULL && (i >= test->count || pair->trigger.index < touches[i].index)) {
            if (ployi_triggers_pair_inside(pair, known) && known->active) {
                triggers_push_outcome(triggers, pair->trigger, PLOY_TRIGGER_LEFT);
            }
            pair->inside = false;
            if (ployi_triggers_pair_is_needed(pair, known)) {
                link = &pair->next;
            } else {
                ployi_triggers_free_pair(triggers, link);
            }
            continue;
        }
        ploy_id id = touches[i++];
        ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id);
        if (trigger == NULL || !trigger->active) {
            if (pair != NULL && ploy_id_equal(pair->trigger, id)) link = &pair->next;
            continue;
        }
        if (pair == NULL || !ploy_id_equal(pair->trigger, id)) {
            int32_t fresh = triggers->free_pair;
            pair = ployi_triggers_pair_at(triggers, fresh);
            triggers->free_pair = pair->next;
            triggers->free_count--;
            pair->trigger = id;
            pair->next = *link;
            *link = fresh;
        }
        bool stayed = ployi_triggers_pair_inside(pair, trigger);
        triggers_push_outcome(triggers, id, stayed ? PLOY_TRIGGER_STAYED : PLOY_TRIGGER_ENTERED);
        pair->inside = true;
        pair->epoch = trigger->epoch;
        link = &pair->next;
    }
}

static void triggers_deliver(const triggers_teller *teller, ploy_agent_id agent,
                             ploy_id agent_place, ployi_triggers_outcome outcome) {
    ploy_triggers *triggers = teller->triggers;
    for (int32_t turn = 0; turn < 2; turn++) { // first its hook is called, then it may fire
        const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, outcome.trigger);
        const ployi_triggers_agent *place = ploy_pool_get(triggers->agents, agent_place);
        if (trigger == NULL || !trigger->active || place == NULL) return;
        if (turn == 0 && triggers_tells(trigger, outcome.what)) {
            triggers_tell(teller, outcome.what, outcome.trigger, agent, trigger->visits);
        } else if (turn == 1 &&
                   triggers_waits_for(trigger->def.when, outcome.what,
                                      ployi_triggers_pair_of(triggers, place, outcome.trigger))) {
            (void)triggers_occasion(teller, outcome.trigger, agent);
        }
    }
}

ploy_result ploy_triggers_step(ploy_triggers *triggers, double now, const ploy_pose_source *poses,
                               ploy_trigger_fn fn, void *user) {
    if (triggers->busy) return PLOY_ERR_STATE;
    if (!ploy_is_finite_d(now) || (triggers->stepped && now < triggers->now)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = triggers_look(triggers, now, poses);
    if (result != PLOY_OK) return result;
    triggers_teller teller = {triggers, fn, user};
    triggers->busy = true;
    triggers->now = now;
    triggers->stepped = true;
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(triggers->pool, &cursor, &id, &item)) {
        ployi_triggers_trigger *trigger = item;
        if (trigger->born <= triggers->tick) triggers_update(&teller, id, trigger);
    }
    for (int32_t i = 0; i < triggers->tests.count; i++) {
        ployi_triggers_test test = PLOY_ARRAY_ITEMS(&triggers->tests, ployi_triggers_test)[i];
        ployi_triggers_agent *agent = ploy_pool_get(triggers->agents, test.agent);
        if (agent == NULL) continue; // a callback removed it
        ploy_agent_id who = agent->agent;
        agent->started = true;
        agent->next = now + agent->period;
        triggers_compare(triggers, agent, &test);
        for (int32_t o = 0; o < triggers->outcomes.count; o++) {
            triggers_deliver(&teller, who, test.agent,
                             PLOY_ARRAY_ITEMS(&triggers->outcomes, ployi_triggers_outcome)[o]);
        }
    }
    // Those whose first test is still to come know now when it is.
    cursor = 0;
    while (ploy_pool_next(triggers->agents, &cursor, &id, &item)) {
        ployi_triggers_agent *agent = item;
        if (agent->started || triggers_agent_is_due(agent, now)) continue;
        agent->started = true;
        agent->next = now + (double)agent->first_test_s;
    }
    triggers->tick++;
    triggers->busy = false;
    return PLOY_OK;
}

ploy_result ploy_triggers_use(ploy_triggers *triggers, ploy_agent_id agent, ploy_trigger_fn fn,
                              void *user, int32_t *used) {
    if (triggers->busy) return PLOY_ERR_STATE;
    ploy_id place_id;
    const ployi_triggers_agent *place = ployi_triggers_agent_of(triggers, agent, &place_id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_array_reserve(&triggers->outcomes, triggers->pairs.count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&triggers->outcomes);
    for (int32_t i = place->first_pair; i >= 0; i = ployi_triggers_pair_at(triggers, i)->next) {
        const ployi_triggers_pair *pair = ployi_triggers_pair_at(triggers, i);
        const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, pair->trigger);
        if (!ployi_triggers_pair_inside(pair, trigger) || trigger->def.when != PLOY_TRIGGER_USE)
            continue;
        triggers_push_outcome(triggers, pair->trigger, PLOY_TRIGGER_FIRED);
    }
    triggers_teller teller = {triggers, fn, user};
    int32_t fired = 0;
    triggers->busy = true;
    for (int32_t o = 0; o < triggers->outcomes.count; o++) {
        ploy_id id = PLOY_ARRAY_ITEMS(&triggers->outcomes, ployi_triggers_outcome)[o].trigger;
        const ployi_triggers_trigger *trigger = ployi_triggers_of(triggers, id);
        if (trigger == NULL || !trigger->active) continue;
        if (ploy_pool_get(triggers->agents, place_id) == NULL) break;
        if (triggers_occasion(&teller, id, agent)) fired++;
    }
    triggers->busy = false;
    if (used != NULL) *used = fired;
    return PLOY_OK;
}

#undef TRIGGERS_SLACK_S
