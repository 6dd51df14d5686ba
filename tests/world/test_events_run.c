// Runs: order, budgets, what is raised meanwhile, checkers, errors, no allocation.
#include "tests/world/events_test.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "tests/rewind.h"

TEST(the_queue_is_first_in_first_out_or_by_deadline) { // WLD-04
    static const struct {
        uint64_t code;
        double deadline;
        int32_t priority;
    } rows[] = {
        {1, PLOY_EVENT_ANY_TIME, 0}, {2, 5.0, 0},         {3, 5.0, 9},
        {4, PLOY_EVENT_ANY_TIME, 3}, {5, 1.0, -3},        {6, 5.0, 9},
        {7, 1.0, INT32_MIN},         {8, 1.0, INT32_MAX},
    };
    static const uint64_t by_deadline[] = {8, 5, 7, 3, 6, 2, 4, 1};
    for (int32_t order = 0; order < 2; order++) {
        ploy_events_def def = ploy_events_def_default();
        def.order = (ploy_events_order)order;
        ploy_events *events = events_of(t, &def);
        ear e;
        memset(&e, 0, sizeof e);
        ear_open(t, &e, events, 0, ploy_interest_any());
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            ploy_event event = event_of(rows[i].code);
            event.deadline = rows[i].deadline;
            event.priority = rows[i].priority;
            CHECK_OK(ploy_events_raise(events, &event));
        }
        CHECK_OK(ploy_events_step(events, 0, 0, NULL));
        CHECK_INT(e.count, 8);
        for (int32_t i = 0; i < 8; i++) {
            CHECK_UINT(e.heard[i], order == PLOY_EVENTS_FIFO ? (uint64_t)i + 1 : by_deadline[i]);
        }
        ploy_events_destroy(events);
    }
}

// The siren may be late by a couple of seconds, "you have been shot" must be instantaneous.
TEST(an_empty_budget_stops_a_run_but_not_what_is_overdue) { // WLD-04
    ploy_events_def def = ploy_events_def_default();
    def.order = PLOY_EVENTS_DEADLINE;
    ploy_events *events = events_of(t, &def);
    ear e[2];
    memset(e, 0, sizeof e);
    ear_open(t, &e[0], events, 0, ploy_interest_any());
    ear_open(t, &e[1], events, 0, ploy_interest_any());
    for (uint64_t i = 0; i < 6; i++) {
        ploy_event event = event_of(i);
        event.deadline = (double)i; // 0: shot, now; 5: a siren
        CHECK_OK(ploy_events_raise(events, &event));
    }
    ploy_budget budget = ploy_budget_units(3); // two listeners an event: one event and a half
    CHECK_INT(ploy_events_step(events, 0, 0.0, &budget), PLOY_IN_PROGRESS);
    CHECK_INT(e[0].count, 2); // the last may overdraw
    budget = ploy_budget_units(0);
    CHECK_INT(ploy_events_step(events, 1, 1.5, &budget), PLOY_IN_PROGRESS);
    CHECK_INT(e[0].count, 2); // nothing is overdue, nothing goes
    CHECK_INT(ploy_events_step(events, 2, 4.0, &budget), PLOY_IN_PROGRESS);
    CHECK_INT(e[0].count, 5); // 2, 3 and 4 were
    CHECK_OK(ploy_events_step(events, 3, 4.0, NULL));
    CHECK_INT(e[1].count, 6);
    ploy_env env = ploy_env_default();
    ploy_budget clocked = ploy_budget_deadline(1, 1, 1, &env);
    CHECK_INT(ploy_events_step(events, 4, 4.0, &clocked), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(ploy_events_step(events, 4, 3.0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_events_step(events, 4, NAN, NULL), PLOY_ERR_ARGUMENT);
    ploy_events_destroy(events);
}

static void on_again(ear *self, const ploy_event *event) {
    ploy_event again = *event;
    again.deadline = 0; // would come first
    ploy_events_raise(self->events, &again);
}

TEST(what_is_raised_meanwhile_cannot_keep_a_run_from_ending) { // WLD-02
    for (int32_t same = 0; same < 2; same++) {
        for (int32_t order = 0; order < 2; order++) {
            ploy_events_def def = ploy_events_def_default();
            def.raised = (ploy_events_raised)same;
            def.order = (ploy_events_order)order;
            def.run_limit = 20;
            ploy_events *events = events_of(t, &def);
            ear e;
            memset(&e, 0, sizeof e);
            ear_open(t, &e, events, 0, ploy_interest_any());
            e.on = on_again;
            raise_code(t, events, 1);
            raise_code(t, events, 2);
            CHECK_INT(ploy_events_step(events, 0, 0, NULL), same == 1 ? PLOY_IN_PROGRESS : PLOY_OK);
            CHECK_INT(e.count, same == 1 ? 20 : 2);
            CHECK_INT(ployi_events_waiting(events), 2);
            CHECK_INT(ploy_events_step(events, 1, 0, NULL), same == 1 ? PLOY_IN_PROGRESS : PLOY_OK);
            CHECK_INT(e.count, same == 1 ? 40 : 4);
            ploy_events_destroy(events);
        }
    }
}

static void on_fire(ear *self, const ploy_event *event) {
    self->answer = ploy_events_fire(self->events, event, NULL);
    if (self->answer == PLOY_ERR_LIMIT) self->last = self->count;
}

static void on_step(ear *self, const ploy_event *event) {
    (void)event;
    self->answer = ploy_events_step(self->events, 9, 9, NULL);
}

TEST(fired_within_fired_ends_at_the_depth_and_runs_do_not_nest) {
    ploy_events_def def = ploy_events_def_default();
    def.depth = 4;
    ploy_events *events = events_of(t, &def);
    ear e;
    memset(&e, 0, sizeof e);
    ear_open(t, &e, events, 0, ploy_interest_any());
    e.on = on_fire;
    ploy_event event = event_of(1);
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(e.count, 4);
    CHECK_INT(e.last, 4);
    e.on = on_step;
    CHECK_OK(ploy_events_fire(events, &event, NULL));
    CHECK_INT(e.answer, PLOY_ERR_STATE);
    ploy_events_destroy(events);
}

TEST(an_error_of_one_listener_does_not_stop_the_others) {
    ploy_events *events = events_of(t, NULL);
    ear bad, good;
    memset(&bad, 0, sizeof bad);
    good = bad;
    bad.answer = PLOY_ERR_DENIED;
    ear_open(t, &bad, events, 1, ploy_interest_any());
    ear_open(t, &good, events, 2, ploy_interest_any());
    raise_code(t, events, 1);
    raise_code(t, events, 2);
    CHECK_OK(ploy_events_step(events, 0, 0, NULL));
    CHECK_INT(good.count, 2);
    CHECK_INT(ploy_events_counts_of(events).errors, 2);
    ploy_event_record record;
    CHECK_INT(ploy_events_history(events, ploy_agent_id_make(1, 1), &record, 1), 1);
    CHECK_INT(record.result, PLOY_ERR_DENIED);
    ploy_events_destroy(events);
}

typedef struct check_state {
    int32_t calls;
    ploy_result answer;
    bool leave;
    ploy_checker_id id;
} check_state;

static ploy_result check_world(void *user, ploy_events *events, uint64_t tick) {
    check_state *state = user;
    state->calls++;
    if (state->leave) ployi_events_remove_checker(events, state->id);
    ploy_event event = event_of(8);
    event.priority = (int32_t)tick;
    if (ploy_events_step(events, tick, 1e9, NULL) != PLOY_ERR_STATE) return PLOY_ERR_CALLBACK;
    ploy_events_raise(events, &event);
    return state->answer;
}

TEST(checkers_look_every_few_ticks_and_only_if_somebody_cares) { // WLD-06
    ploy_events *events = events_of(t, NULL);
    check_state cared = {0, PLOY_OK, false, {{0, 0}}}, always = cared, once = cared;
    ploy_checker checker = {check_world, &cared, 8, 3, 1};
    CHECK_OK(ploy_events_add_checker(events, &checker, &cared.id));
    checker.user = &always;
    checker.code = 0;
    CHECK_OK(ploy_events_add_checker(events, &checker, &always.id));
    checker.user = &once;
    checker.period = 1;
    once.leave = true;
    once.answer = PLOY_ERR_MEMORY;
    CHECK_OK(ploy_events_add_checker(events, &checker, &once.id));
    checker.period = 0;
    CHECK_INT(ploy_events_add_checker(events, &checker, NULL), PLOY_ERR_ARGUMENT);
    for (uint64_t tick = 0; tick < 9; tick++) CHECK_OK(ploy_events_step(events, tick, 0, NULL));
    CHECK_INT(cared.calls, 0); // nobody wants what it could find
    CHECK_INT(always.calls, 3);
    CHECK_INT(once.calls, 1);
    ear e;
    memset(&e, 0, sizeof e);
    ear_open(t, &e, events, 0, ploy_interest_mask(8));
    for (uint64_t tick = 9; tick < 18; tick++) CHECK_OK(ploy_events_step(events, tick, 0, NULL));
    CHECK_INT(cared.calls, 3);
    CHECK_INT(e.count, 6); // of both, in the same run
    ploy_events_counts counts = ploy_events_counts_of(events);
    CHECK_INT(counts.spared, 3);
    CHECK_INT(counts.checks, 10);
    CHECK_INT(counts.errors, 1);
    CHECK_INT(ployi_events_remove_checker(events, once.id), PLOY_ERR_NOT_FOUND);
    ploy_events_destroy(events);
}

TEST(a_warm_manager_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_events_def def = ploy_events_def_default();
    ploy_events *events = NULL;
    CHECK_OK(ploy_events_create(&def, &env, &events));
    CHECK_OK(ploy_events_reserve(events, 100, 50));
    int64_t calls = counts.calls;
    static ear ears[50];
    memset(ears, 0, sizeof ears);
    for (int32_t round = 0; round < 20; round++) {
        for (int32_t i = 0; i < 50; i++) {
            ear_open(t, &ears[i], events, i, ploy_interest_code((uint64_t)(i * 7 + round)));
        }
        for (uint64_t i = 0; i < 100; i++) raise_code(t, events, i);
        CHECK_OK(ploy_events_step(events, (uint64_t)round, round, NULL));
        for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_events_unregister(events, ears[i].ids[0]));
    }
    CHECK_INT(counts.calls, calls);
    ploy_events_destroy(events);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result deaf(void *user, const ploy_event *event) {
    (void)user, (void)event;
    return PLOY_OK;
}

// A time of events and of listeners that come and go, the same for the same number.
static void events_life(test_context *t, void *object, uint64_t number) {
    ploy_events *events = object;
    ploy_rng rng = ploy_rng_make(number);
    ploy_listener_id ids[8];
    int32_t count = 0;
    for (uint64_t i = 0; i < 150; i++) {
        ploy_event event = event_of(ploy_rng_below(&rng, 9));
        event.deadline = ploy_rng_chance(&rng, 0.5f)
                             ? PLOY_EVENT_ANY_TIME
                             : (double)(number * 1000 + ploy_rng_below(&rng, 150));
        event.priority = ploy_rng_int(&rng, -3, 3);
        CHECK_OK(ploy_events_raise(events, &event));
        ploy_listener listener = {ploy_agent_id_make(1 + (uint32_t)(i % 5), 1), deaf, NULL};
        if (count < 8) {
            CHECK_OK(ploy_events_register(events, &listener, ploy_interest_any(), &ids[count++]));
        } else {
            CHECK_OK(ploy_events_unregister(events, ids[--count]));
        }
        ploy_budget budget = ploy_budget_units(ploy_rng_int(&rng, 0, 12));
        uint64_t tick = number * 1000 + i;
        CHECK(ploy_events_step(events, tick, (double)tick, &budget) >= PLOY_OK);
    }
    while (count > 0) CHECK_OK(ploy_events_unregister(events, ids[--count]));
}

TEST(events_go_back_in_time_and_come_again_byte_by_byte) {
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_events_def def = ploy_events_def_default();
    def.order = PLOY_EVENTS_DEADLINE;
    ploy_events *events = NULL;
    CHECK_OK(ploy_events_create(&def, &inside, &events));
    test_rewind(t, region, events, events_life, NULL);
    ploy_events_destroy(events);
    ploy_region_destroy(region);
}
