// The log of events, the history of one agent, and what the hash sees.
#include "ploy/base/hash.h"
#include "tests/draw_count.h"
#include "tests/state.h"
#include "tests/world/events_test.h"
#include "world/world_internal.h"

TEST(the_log_tells_who_heard_what) { // WLD-10
    ploy_events *events = events_of(t, NULL);
    ear a, b;
    memset(&a, 0, sizeof a);
    b = a;
    ear_open(t, &a, events, 1, ploy_interest_code(1));
    ear_open(t, &b, events, 2, ploy_interest_any());
    raise_code(t, events, 1);
    CHECK_OK(ploy_events_step(events, 0, 2.5, NULL));
    ploy_event event = event_of(7);
    CHECK_OK(ploy_events_fire(events, &event, NULL)); // by hand
    CHECK_OK(ploy_events_unregister(events, b.ids[0]));
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    static const struct {
        ploy_event_stage stage;
        uint64_t code;
        uint32_t listener;
    } want[] = {
        {PLOY_EVENT_UNHEARD, 7, 0}, {PLOY_EVENT_FIRED, 7, 0},    {PLOY_EVENT_NOTIFIED, 7, 2},
        {PLOY_EVENT_FIRED, 7, 0},   {PLOY_EVENT_NOTIFIED, 1, 2}, {PLOY_EVENT_NOTIFIED, 1, 1},
        {PLOY_EVENT_RAISED, 1, 0},
    };
    CHECK_INT(ployi_events_record_count(events), COUNT_OF(want));
    ploy_event_record record;
    for (int32_t i = 0; i < (int32_t)COUNT_OF(want); i++) {
        CHECK(ploy_events_record(events, i, &record));
        CHECK_INT(record.stage, want[i].stage);
        CHECK_UINT(record.code, want[i].code);
        CHECK_UINT(record.listener.id.index, want[i].listener);
        CHECK_NEAR(record.time, i < 6 ? 2.5 : 0, 0);
        CHECK(strcmp(ployi_event_stage_text(record.stage), "?") != 0);
    }
    CHECK(!ploy_events_record(events, 7, &record));
    ploy_event_record history[4];
    CHECK_INT(ploy_events_history(events, ploy_agent_id_make(2, 1), history, 4), 2);
    CHECK_UINT(history[0].code, 7);
    CHECK_UINT(history[1].code, 1);
    CHECK_INT(ploy_events_history(events, ploy_agent_id_make(9, 1), history, 4), 0);
    CHECK_DRAWS(0, ploy_events_draw(events, &drawing));
    CHECK_INT(ploy_events_counts_of(events).unheard, 1);
    ploy_events_destroy(events);
}

static uint64_t events_hash(const ploy_events *events) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_events_describe(events, NULL, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_hash_sees_listeners_and_every_field_of_what_waits) {
    ploy_events *plain = events_of(t, NULL);
    raise_code(t, plain, 1);
    uint64_t before = events_hash(plain);
    for (int32_t row = 0; row < 7; row++) {
        ploy_events *events = events_of(t, NULL);
        ploy_event event = event_of(1);
        if (row == 1) event.priority = 1;
        if (row == 2) event.deadline = 5;
        if (row == 3) event.placed = true;
        if (row == 4) CHECK_OK(ploy_event_set_payload(&event, "x", 1));
        if (row == 5) event.sender = ploy_agent_id_make(1, 1);
        if (row == 6) {
            ear e;
            memset(&e, 0, sizeof e);
            ear_open(t, &e, events, 1, ploy_interest_any());
        }
        CHECK_OK(ploy_events_raise(events, &event));
        CHECK((events_hash(events) == before) == (row == 0));
        ploy_events_destroy(events);
    }
    ploy_events_destroy(plain);
}

static const char *const events_skip[] = {"generation", "link",  "first_free", "records",
                                          "listener",   "stage", "code",       NULL};

static ploy_events *events_full(test_context *t, const ploy_env *env, ear *ears) {
    ploy_events_def def = ploy_events_def_default();
    def.order = PLOY_EVENTS_DEADLINE;
    def.capacity = 1;
    ploy_events *events = NULL;
    CHECK_OK(ploy_events_create(&def, env, &events));
    ear_open(t, &ears[0], events, 3, ploy_interest_code(7));
    ear_open(t, &ears[1], events, 4, ploy_interest_mask(6));
    for (int32_t i = 0; i < 6; i++) {
        ploy_event event = event_of((uint64_t)i + 3);
        event.deadline = 10.0 - i;
        event.priority = i;
        event.placed = i % 2 == 0;
        event.position.x = (float)i;
        CHECK_OK(ploy_event_set_payload(&event, &i, sizeof i));
        CHECK_OK(ploy_events_raise(events, &event));
    }
    ploy_budget budget = ploy_budget_units(2);
    (void)ploy_events_step(events, 1, 1.0, &budget);
    return events;
}

TEST(events_save_and_load_what_waits) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ear ears[2], others[2];
    memset(ears, 0, sizeof ears);
    memset(others, 0, sizeof others);
    ploy_events *events = events_full(t, &env, ears);
    CHECK(ployi_events_waiting(events) > 1);
    state_check s = {ploy_events_visit, events, NULL, events_skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_events *other = events_full(t, &env, others);
    CHECK_OK(ploy_events_step(other, 2, 2.0, NULL));
    memset(others, 0, sizeof others);
    memset(ears, 0, sizeof ears);
    state_check_copy(t, &s, other);
    CHECK_OK(ploy_events_step(events, 3, 3.0, NULL));
    CHECK_OK(ploy_events_step(other, 3, 3.0, NULL));
    CHECK_INT(ears[0].count + ears[1].count, others[0].count + others[1].count);
    CHECK_UINT(ploy_visit_hash(ploy_events_visit, other, NULL), state_hash(&s));
    ploy_events_destroy(events);
    ploy_events_destroy(other);
}

TEST(events_refuse_a_file_with_other_listeners) {
    ploy_env env = ploy_env_default();
    ear ears[3];
    memset(ears, 0, sizeof ears);
    ploy_events *events = events_full(t, &env, ears);
    state_check s = {ploy_events_visit, events, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    ear_open(t, &ears[2], events, 5, ploy_interest_any());
    int64_t faults = 0;
    CHECK_INT(state_load(&s, text, &env, &faults), PLOY_ERR_FORMAT);
    CHECK(faults > 0);
    free(text);
    ploy_events_destroy(events);
}
