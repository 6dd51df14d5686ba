// The register, interests, the tree of managers, and what raising refuses.
#include "tests/world/events_test.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/rng.h"

TEST(interests_are_codes_masks_or_any) { // WLD-05
    static const struct {
        const char *row;
        ploy_interest_match match;
        uint64_t interest, code;
        bool hears;
    } rows[] = {
        {"the code", PLOY_INTEREST_CODE, 4, 4, true},
        {"another code", PLOY_INTEREST_CODE, 4, 5, false},
        {"a bit of it is not the code", PLOY_INTEREST_CODE, 4, 12, false},
        {"code 0", PLOY_INTEREST_CODE, 0, 0, true},
        {"the bit", PLOY_INTEREST_MASK, 4, 4, true},
        {"the bit among others", PLOY_INTEREST_MASK, 4, 12, true},
        {"another bit", PLOY_INTEREST_MASK, 4, 8, false},
        {"one of several bits", PLOY_INTEREST_MASK, 12, 8, true},
        {"none of several bits", PLOY_INTEREST_MASK, 12, 3, false},
        {"the highest bit", PLOY_INTEREST_MASK, UINT64_C(1) << 63, UINT64_C(1) << 63, true},
        {"any", PLOY_INTEREST_ANY, 0, 77, true},
        {"any, of nothing", PLOY_INTEREST_ANY, 0, 0, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_events *events = events_of(t, NULL);
        ear e;
        memset(&e, 0, sizeof e);
        ploy_interest interest = ploy_interest_code(rows[i].interest);
        interest.match = rows[i].match;
        ear_open(t, &e, events, 0, interest);
        CHECK(ploy_events_wanted(events, rows[i].code) == rows[i].hears);
        ploy_event event = event_of(rows[i].code);
        int32_t told = -1;
        CHECK_OK(ploy_events_fire(events, &event, &told));
        CHECK_INT(told, rows[i].hears);
        CHECK_OK(ploy_events_unregister(events, e.ids[0]));
        CHECK(!ploy_events_wanted(events, rows[i].code));
        ploy_events_destroy(events);
    }
}

static bool wants_sender(void *user, const ploy_event *event) {
    (void)user;
    return event->sender.id.index == 5;
}

TEST(interests_have_a_radius_and_a_predicate) { // WLD-05: within 50 m of my current position
    ploy_env env = ploy_env_default();
    ploy_entities_def people = ploy_entities_def_default();
    ploy_entities *entities = NULL;
    CHECK_OK(ploy_entities_create(&people, &env, &entities));
    world_add(t, entities, "nobody");
    ploy_agent_id id = world_add_at(t, entities, "guard", 100, 0);
    ploy_events *events = events_of(t, NULL);
    ploy_events_set_source(events, ploy_entities_pose_source(entities));
    ear near_ear, picky;
    memset(&near_ear, 0, sizeof near_ear);
    memset(&picky, 0, sizeof picky);
    ploy_interest grenades = ploy_interest_code(ploy_event_code("grenade"));
    grenades.radius = 50;
    ear_open(t, &near_ear, events, 1, grenades);
    ploy_interest fifth = ploy_interest_any();
    fifth.wants = wants_sender;
    ear_open(t, &picky, events, 0, fifth);
    ploy_event event = ploy_event_make("grenade");
    event.placed = true;
    event.position = ploy_vec3_make(50, 0, 0);
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(near_ear.count, 1); // 50 m is within
    event.position.x = 49.9f;
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(near_ear.count, 1);
    ploy_pose pose = ploy_pose_make2(ploy_vec2_make(99, 0), 0, 0.5f); // it moves: its own pose
    CHECK_OK(ploy_entities_set_pose(entities, id, &pose));
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(near_ear.count, 2);
    event.placed = false; // everywhere
    event.sender = ploy_agent_id_make(5, 1);
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(near_ear.count, 3);
    CHECK_INT(picky.count, 1);
    ploy_events_destroy(events);
    ploy_entities_destroy(entities);
}

// Random registering, unregistering and firing against a list in order of registering.
TEST(listeners_hear_what_a_list_says_in_order_of_registering) {
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_events *events = events_of(t, NULL);
        static ear ears[200];
        struct {
            ploy_interest interest;
            ploy_listener_id id;
            bool there;
        } list[200];
        int32_t count = 0, clock = 0;
        memset(ears, 0, sizeof ears);
        for (int32_t step = 0; step < 300; step++) {
            uint64_t what = ploy_rng_below(&rng, 4);
            if (what < 2 && count < 200) {
                ploy_interest interest = ploy_interest_code(ploy_rng_below(&rng, 16));
                interest.match = (ploy_interest_match)ploy_rng_below(&rng, 3);
                if (interest.match == PLOY_INTEREST_MASK) interest.code++;
                ears[count].clock = &clock;
                list[count].interest = interest;
                list[count].id = ear_open(t, &ears[count], events, 0, interest);
                list[count++].there = true;
            } else if (what == 2 && count > 0) {
                int32_t at = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK_INT(ploy_events_unregister(events, list[at].id),
                          list[at].there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                list[at].there = false;
            } else {
                uint64_t code = ploy_rng_below(&rng, 16);
                ploy_event event = event_of(code);
                clock = 0;
                int32_t told = 0, want = 0;
                CHECK_OK(ploy_events_fire(events, &event, &told));
                for (int32_t i = 0; i < count; i++) {
                    const ploy_interest *interest = &list[i].interest;
                    bool fits =
                        interest->match == PLOY_INTEREST_ANY ||
                        (interest->match == PLOY_INTEREST_CODE && interest->code == code) ||
                        (interest->match == PLOY_INTEREST_MASK && (interest->code & code) != 0);
                    if (!list[i].there || !fits) continue;
                    CHECK_INT(ears[i].last, want);
                    want++;
                }
                CHECK_INT(told, want);
                CHECK(ploy_events_wanted(events, code) == (want > 0));
            }
        }
        ploy_events_destroy(events);
    }
}

static void on_leave(ear *self, const ploy_event *event) {
    (void)event;
    ploy_events_unregister(self->events, self->ids[0]); // itself
    if (self->other != NULL) ploy_events_unregister(self->events, self->other->ids[0]);
}

static void on_join(ear *self, const ploy_event *event) {
    ploy_listener listener = ear_listener(self->other, 0);
    ploy_events_register(self->events, &listener, ploy_interest_code(event->code), NULL);
}

TEST(listeners_may_come_and_go_while_they_are_told) { // WLD-02: safe unregister during dispatch
    ploy_events *events = events_of(t, NULL);
    ear a, b, c, late;
    memset(&a, 0, sizeof a);
    b = c = late = a;
    ear_open(t, &a, events, 1, ploy_interest_code(1));
    ear_open(t, &b, events, 2, ploy_interest_code(1));
    ear_open(t, &c, events, 3, ploy_interest_any());
    a.on = on_leave;
    a.other = &b;
    c.on = on_join;
    c.other = &late;
    raise_code(t, events, 1);
    CHECK_OK(ploy_events_step(events, 0, 0, NULL));
    CHECK_INT(a.count, 1);
    CHECK_INT(b.count, 0); // unregistered before its turn
    CHECK_INT(c.count, 1);
    CHECK_INT(late.count, 0); // registered during the event
    CHECK_INT(ployi_events_listener_count(events), 2);
    c.on = NULL;
    raise_code(t, events, 1);
    CHECK_OK(ploy_events_step(events, 1, 1, NULL));
    CHECK_INT(a.count, 1);
    CHECK_INT(late.count, 1);
    CHECK_INT(ploy_events_unregister_agent(events, ploy_agent_id_make(3, 1)), 1);
    CHECK_INT(ploy_events_unregister_agent(events, ploy_agent_id_make(3, 1)), 0);
    CHECK_INT(ploy_events_unregister_agent(events, ploy_agent_id_none()), 0);
    CHECK_INT(ployi_events_listener_count(events), 1);
    ploy_events_destroy(events);
}

// A side with two squads; one tells the side what happens, the other hears what the side says.
TEST(managers_forward_up_and_down_but_not_across) { // WLD-07
    ploy_events_def def = ploy_events_def_default();
    ploy_events *side = events_of(t, &def);
    def.tells_parent = true;
    ploy_events *scouts = events_of(t, &def);
    def.tells_parent = false;
    def.hears_parent = true;
    ploy_events *guards = events_of(t, &def);
    ploy_events *reserve = events_of(t, &def);
    CHECK_OK(ploy_events_set_parent(scouts, side));
    CHECK_OK(ploy_events_set_parent(guards, side));
    CHECK_OK(ploy_events_set_parent(reserve, guards));
    CHECK_INT(ploy_events_set_parent(side, reserve), PLOY_ERR_ARGUMENT); // a ring
    CHECK(ployi_events_parent(guards) == side);
    ploy_events *all[] = {side, scouts, guards, reserve};
    ear ears[4];
    memset(ears, 0, sizeof ears);
    for (int32_t i = 0; i < 4; i++) ear_open(t, &ears[i], all[i], i + 1, ploy_interest_code(9));
    static const struct {
        const char *row;
        int32_t from;
        int32_t hears[4];
    } rows[] = {
        {"in the side", 0, {1, 0, 1, 1}},
        {"in the scouts", 1, {1, 1, 0, 0}},
        {"in the guards", 2, {0, 0, 1, 1}},
        {"in the reserve", 3, {0, 0, 0, 1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int32_t queued = 0; queued < 2; queued++) {
            t->row = rows[i].row;
            ploy_event event = event_of(9);
            for (int32_t k = 0; k < 4; k++) ears[k].count = 0;
            if (queued == 0) CHECK_OK(ploy_events_fire(all[rows[i].from], &event, NULL));
            if (queued == 1) CHECK_OK(ploy_events_raise(all[rows[i].from], &event));
            for (int32_t k = 0; k < 4; k++) CHECK_OK(ploy_events_step(all[k], 0, 0, NULL));
            for (int32_t k = 0; k < 4; k++) CHECK_INT(ears[k].count, rows[i].hears[k]);
        }
    }
    CHECK_OK(ploy_events_unregister(side, ears[0].ids[0]));
    CHECK(ploy_events_wanted(side, 9)); // by the guards below
    CHECK(ploy_events_wanted(scouts, 9));
    CHECK_OK(ploy_events_unregister(scouts, ears[1].ids[0]));
    CHECK(!ploy_events_wanted(scouts, 9)); // the side itself has no listener any more
    // Changing teams (WLD-13: rooms): what is said in the old one is not heard any more.
    ploy_listener_id moved;
    CHECK_OK(ploy_events_move(guards, ears[2].ids[0], scouts, &moved));
    CHECK_INT(ploy_events_move(guards, ears[2].ids[0], scouts, NULL), PLOY_ERR_NOT_FOUND);
    ears[2].count = 0;
    ploy_event event = event_of(9);
    CHECK_OK(ploy_events_fire(guards, &event, NULL));
    CHECK_INT(ears[2].count, 0);
    CHECK_OK(ploy_events_fire(scouts, &event, NULL));
    CHECK_INT(ears[2].count, 1);
    ploy_events_destroy(side); // the others are orphans
    CHECK(ployi_events_parent(guards) == NULL);
    ploy_events_destroy(guards);
    ploy_events_destroy(reserve);
    ploy_events_destroy(scouts);
}

static void on_reparent(ear *self, const ploy_event *event) {
    (void)event;
    self->answer = ploy_events_set_parent(self->events, NULL);
}

TEST(the_tree_holds_still_while_an_event_is_fired) {
    ploy_events *side = events_of(t, NULL);
    ploy_events_def def = ploy_events_def_default();
    def.hears_parent = true;
    ploy_events *squad = events_of(t, &def);
    CHECK_OK(ploy_events_set_parent(squad, side));
    ear e;
    memset(&e, 0, sizeof e);
    ear_open(t, &e, squad, 0, ploy_interest_any());
    e.on = on_reparent;
    ploy_event event = event_of(1);
    CHECK_OK(ploy_events_fire(side, &event, NULL));
    CHECK_INT(e.answer, PLOY_ERR_STATE);
    CHECK(ployi_events_parent(squad) == side);
    ploy_events_destroy(squad);
    ploy_events_destroy(side);
}

TEST(bad_events_and_interests_are_refused) {
    ploy_events_def def = ploy_events_def_default();
    def.limit = 1;
    ploy_events *events = events_of(t, &def);
    ploy_event event = event_of(1);
    event.deadline = NAN;
    CHECK_INT(ploy_events_raise(events, &event), PLOY_ERR_ARGUMENT);
    event = event_of(1);
    event.placed = true;
    event.position.x = INFINITY;
    CHECK_INT(ploy_events_fire(events, &event, NULL), PLOY_ERR_ARGUMENT);
    event = event_of(1);
    unsigned char bytes[PLOY_EVENT_PAYLOAD + 1] = {7};
    CHECK_INT(ploy_event_set_payload(&event, bytes, sizeof bytes), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_event_set_payload(&event, bytes, 2));
    CHECK_INT(event.payload[0], 7);
    CHECK_OK(ploy_events_raise(events, &event));
    CHECK_INT(ploy_events_raise(events, &event), PLOY_ERR_CAPACITY);
    ear e;
    memset(&e, 0, sizeof e);
    ploy_listener listener = ear_listener(&e, 0);
    CHECK_INT(ploy_events_register(events, &listener, ploy_interest_mask(0), NULL),
              PLOY_ERR_ARGUMENT);
    ploy_interest interest = ploy_interest_any();
    interest.radius = NAN;
    CHECK_INT(ploy_events_register(events, &listener, interest, NULL), PLOY_ERR_ARGUMENT);
    listener.notify = NULL;
    CHECK_INT(ploy_events_register(events, &listener, ploy_interest_any(), NULL),
              PLOY_ERR_ARGUMENT);
    ploy_events_destroy(events);
    CHECK_OK(ploy_fields_check_table(ploy_events_fields(), NULL));
}

static ploy_result events_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_events_def def = ploy_events_def_default();
    def.capacity = 1;
    def.listeners = 1;
    ploy_events *one = NULL, *two = NULL;
    ploy_result result = ploy_events_create(&def, env, &one);
    def.tells_parent = true;
    if (result == PLOY_OK) result = ploy_events_create(&def, env, &two);
    if (result == PLOY_OK) result = ploy_events_set_parent(two, one);
    ear e;
    memset(&e, 0, sizeof e);
    ploy_listener listener = ear_listener(&e, 0);
    for (uint64_t i = 0; i < 80 && result == PLOY_OK; i++) {
        result = ploy_events_register(two, &listener, ploy_interest_code(i), NULL);
    }
    for (uint64_t i = 0; i < 30 && result == PLOY_OK; i++) {
        ploy_event event = event_of(i);
        result = ploy_events_raise(two, &event);
        // In both queues or in none.
        if (ployi_events_waiting(one) != ployi_events_waiting(two)) result = PLOY_ERR_STATE;
    }
    ploy_events_destroy(two);
    ploy_events_destroy(one);
    return result;
}

TEST(events_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(events_fill, NULL);
}
