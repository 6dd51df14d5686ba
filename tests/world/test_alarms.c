// Alarms: times of day, repeats that do not drift, jumps of the clock.
#include "ploy/world/alarms.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "tests/state.h"
#include "tests/world/events_test.h"

typedef struct tower {
    ploy_events *events;
    ploy_alarms *alarms;
    ear e;
} tower;

static void tower_open(test_context *t, tower *self, double start) {
    memset(self, 0, sizeof *self);
    self->events = events_of(t, NULL);
    ear_open(t, &self->e, self->events, 0, ploy_interest_any());
    ploy_env env = ploy_env_default();
    ploy_alarms_def def = ploy_alarms_def_default();
    def.start = start;
    CHECK_OK(ploy_alarms_create(&def, self->events, &env, &self->alarms));
}

static void tower_close(tower *self) {
    ploy_alarms_destroy(self->alarms);
    ploy_events_destroy(self->events);
}

// Rings what is due; how many were heard.
static int32_t tower_ring(test_context *t, tower *self) {
    self->e.count = 0;
    CHECK_OK(ploy_events_step(self->events, 0, 0, NULL));
    return self->e.count;
}

static int32_t tower_run(test_context *t, tower *self, double now) {
    int32_t fired = -1;
    CHECK_OK(ploy_alarms_step(self->alarms, now, &fired));
    CHECK_INT(tower_ring(t, self), fired);
    return fired;
}

TEST(the_shop_closes_at_five_every_day) { // WLD-08
    tower w;
    tower_open(t, &w, 8 * 3600.0);
    double five = ploy_alarms_time(w.alarms, 17, 0, 0);
    CHECK_NEAR(five, 61200, 0);
    ploy_event close = event_of(5), once = event_of(6);
    ploy_alarm_id daily;
    CHECK_OK(ploy_alarms_set_daily(w.alarms, five, true, &close, &daily));
    CHECK_OK(ploy_alarms_set_daily(w.alarms, ploy_alarms_time(w.alarms, 7, 0, 0), false, &once,
                                   NULL)); // already past: tomorrow
    CHECK_INT(tower_run(t, &w, five - 1), 0);
    CHECK_INT(tower_run(t, &w, five), 1);
    CHECK_INT(tower_run(t, &w, five), 0);
    double next = 0;
    CHECK(ployi_alarms_next(w.alarms, daily, &next));
    CHECK_NEAR(next, five + 86400, 0);
    CHECK_INT(tower_run(t, &w, 86400 + 7 * 3600.0), 1);
    CHECK_UINT(w.e.heard[0], 6);
    CHECK_INT(ploy_alarms_count(w.alarms), 1);   // the single one is gone
    CHECK_INT(tower_run(t, &w, 86400 * 4.0), 3); // the clock ran three days: each evening
    CHECK_INT(ploy_alarms_day(w.alarms), 4);
    CHECK_NEAR(ploy_alarms_time_of_day(w.alarms), 0, 0);
    CHECK_OK(ploy_alarms_cancel(w.alarms, daily));
    CHECK_INT(ploy_alarms_cancel(w.alarms, daily), PLOY_ERR_NOT_FOUND);
    CHECK_INT(tower_run(t, &w, 86400 * 9.0), 0);
    tower_close(&w);
}

TEST(the_clock_may_be_set_forward_and_back) {
    static const struct {
        const char *row;
        ploy_alarms_jump_rule rule;
        int32_t fired; // by a jump from 1,000 to 3,550 over repeats each 1,000 and one at 2,500
    } rows[] = {
        {"skip", PLOY_ALARMS_SKIP, 0},
        {"once", PLOY_ALARMS_ONCE, 2},
        {"each", PLOY_ALARMS_EACH, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        tower w;
        tower_open(t, &w, 1000);
        ploy_event hour = event_of(1), meal = event_of(2);
        ploy_alarm_id id;
        CHECK_OK(ploy_alarms_set(w.alarms, 2000, 1000, &hour, &id));
        CHECK_OK(ploy_alarms_set(w.alarms, 2500, 0, &meal, NULL));
        int32_t fired = -1;
        CHECK_OK(ploy_alarms_jump(w.alarms, 3550, rows[i].rule, &fired));
        CHECK_INT(fired, rows[i].fired);
        CHECK_INT(tower_ring(t, &w), fired);
        CHECK_INT(ploy_alarms_count(w.alarms), 1);
        double next = 0;
        CHECK(ployi_alarms_next(w.alarms, id, &next));
        CHECK_NEAR(next, 4000, 0); // in step with 2,000, whatever the jump
        CHECK_OK(ploy_alarms_jump(w.alarms, 500, rows[i].rule, &fired)); // back
        CHECK_INT(fired, 0);
        CHECK(ployi_alarms_next(w.alarms, id, &next));
        CHECK_NEAR(next, 1000, 0);
        CHECK_INT(tower_run(t, &w, 2100), 2); // again; the meal stays eaten
        CHECK_INT(ploy_alarms_jump(w.alarms, NAN, rows[i].rule, NULL), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_alarms_step(w.alarms, 2000, NULL), PLOY_ERR_ARGUMENT);
        tower_close(&w);
    }
}

TEST(repeats_do_not_drift) {
    tower w;
    tower_open(t, &w, 0);
    ploy_event event = event_of(1);
    ploy_alarm_id id;
    CHECK_OK(ploy_alarms_set(w.alarms, 0.1, 0.1, &event, &id));
    int32_t heard = 0;
    for (int32_t i = 1; i <= 1000; i++) heard += tower_run(t, &w, i * 1.0 + 0.05);
    CHECK_INT(heard, 10000);
    double next = 0;
    CHECK(ployi_alarms_next(w.alarms, id, &next));
    CHECK_NEAR(next, 1000.1, 1e-9);
    tower_close(&w);
}

TEST(alarms_ring_by_time_then_in_order_of_setting) {
    tower w;
    tower_open(t, &w, 0);
    static const double times[] = {3, 1, 2, 1, 3};
    static const uint64_t want[] = {1, 3, 2, 0, 4};
    for (uint64_t i = 0; i < 5; i++) {
        ploy_event event = event_of(i);
        CHECK_OK(ploy_alarms_set(w.alarms, times[i], 0, &event, NULL));
    }
    CHECK_INT(tower_run(t, &w, 3), 5);
    for (int32_t i = 0; i < 5; i++) CHECK_UINT(w.e.heard[i], want[i]);
    tower_close(&w);
}

TEST(a_long_jump_is_raised_in_parts) {
    tower w;
    tower_open(t, &w, 0);
    ploy_event event = event_of(1);
    ploy_alarm_id id;
    CHECK_OK(ploy_alarms_set(w.alarms, 1, 1, &event, &id));
    int32_t fired = 0, all = 0;
    double end = 2.5 * PLOY_ALARMS_RAISED_MAX;
    for (int32_t part = 0; part < 2; part++) {
        CHECK_INT(ploy_alarms_step(w.alarms, end, &fired), PLOY_IN_PROGRESS);
        CHECK_INT(fired, PLOY_ALARMS_RAISED_MAX);
        CHECK_NEAR(ploy_alarms_now(w.alarms), (part + 1.0) * PLOY_ALARMS_RAISED_MAX + 1.0, 0);
        all += fired;
        CHECK_OK(ploy_events_step(w.events, 0, 0, NULL));
    }
    CHECK_OK(ploy_alarms_step(w.alarms, end, &fired));
    CHECK_INT(all + fired, (int32_t)end);
    CHECK_OK(ploy_events_step(w.events, 0, 0, NULL));
    // Where a second is less than the smallest step of the clock, every call still ends.
    static const ploy_alarms_jump_rule rules[] = {PLOY_ALARMS_SKIP, PLOY_ALARMS_ONCE,
                                                  PLOY_ALARMS_EACH};
    double now = 1e30;
    for (size_t i = 0; i < COUNT_OF(rules); i++, now *= 1e30) {
        ploy_result result = ploy_alarms_jump(w.alarms, now, rules[i], &fired);
        CHECK_INT(result, rules[i] == PLOY_ALARMS_EACH ? PLOY_IN_PROGRESS : PLOY_OK);
        CHECK_OK(ploy_events_step(w.events, 0, 0, NULL));
        double next = 0;
        CHECK(ployi_alarms_next(w.alarms, id, &next));
        CHECK(next > ploy_alarms_now(w.alarms) || result == PLOY_IN_PROGRESS);
    }
    tower_close(&w);
}

TEST(an_event_that_cannot_be_raised_is_tried_again) {
    ploy_events_def few = ploy_events_def_default();
    few.limit = 1;
    ploy_events *events = events_of(t, &few);
    ploy_env env = ploy_env_default();
    ploy_alarms_def def = ploy_alarms_def_default();
    ploy_alarms *alarms = NULL;
    CHECK_OK(ploy_alarms_create(&def, events, &env, &alarms));
    ploy_event event = event_of(1);
    CHECK_OK(ploy_alarms_set(alarms, 1, 0, &event, NULL));
    CHECK_OK(ploy_alarms_set(alarms, 2, 0, &event, NULL));
    int32_t fired = 0;
    CHECK_INT(ploy_alarms_step(alarms, 5, &fired), PLOY_ERR_CAPACITY);
    CHECK_INT(fired, 1);
    CHECK_NEAR(ploy_alarms_now(alarms), 2, 0);
    CHECK_OK(ploy_events_step(events, 0, 0, NULL));
    CHECK_OK(ploy_alarms_step(alarms, 5, &fired));
    CHECK_INT(fired, 1);
    CHECK_INT(ploy_alarms_count(alarms), 0);
    CHECK_INT(ploy_alarms_set(alarms, NAN, 0, &event, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_alarms_set(alarms, 0, -1, &event, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_alarms_set(alarms, 0, 1e-9, &event, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_alarms_set_daily(alarms, 1e9, true, &event, NULL), PLOY_ERR_ARGUMENT);
    ploy_alarms_destroy(alarms);
    ploy_events_destroy(events);
    CHECK_OK(ploy_fields_check_table(ploy_alarms_fields(), NULL));
}

static ploy_result alarms_fill(const ploy_env *env, void *arg) {
    ploy_alarms_def def = ploy_alarms_def_default();
    def.capacity = 0;
    ploy_alarms *alarms = NULL;
    ploy_result result = ploy_alarms_create(&def, arg, env, &alarms);
    ploy_event event = event_of(1);
    for (int32_t i = 0; i < 80 && result == PLOY_OK; i++) {
        result = ploy_alarms_set(alarms, i, 10, &event, NULL);
        int32_t want = result == PLOY_OK ? i + 1 : i;
        if (ploy_alarms_count(alarms) != want) result = PLOY_ERR_STATE;
    }
    TEST_REPORT(result, env, alarms, ploy_alarms_memory);
    ploy_alarms_destroy(alarms);
    return result;
}

TEST(alarms_survive_every_failing_allocation) {
    ploy_events *events = events_of(t, NULL);
    CHECK_FAIL_NTH(alarms_fill, events);
    ploy_events_destroy(events);
}

// The events of alarms are told by their name; the rest of them is not in the hash.
static const char *const alarm_skip[] = {
    "generation", "link",    "first_free", "code",  "sender", "priority", "deadline", "raised",
    "size",       "payload", "name",       "order", "repeat", "position", NULL};

TEST(alarms_save_and_load_with_their_ids) {
    tower self, other;
    tower_open(t, &self, 100.0);
    tower_open(t, &other, 0.0);
    ploy_alarm_id gone, kept;
    for (int32_t i = 0; i < 5; i++) {
        ploy_event event = event_of((uint64_t)i + 1);
        if (i == 2) event.placed = true;
        CHECK_OK(ploy_event_set_payload(&event, &i, sizeof i));
        CHECK_OK(ploy_alarms_set(self.alarms, 110.0 + 7.0 * i, i % 2 == 0 ? 10.0 : 0.0, &event,
                                 i == 1 ? &gone : &kept));
    }
    CHECK_OK(ploy_alarms_cancel(self.alarms, gone));
    CHECK_OK(ploy_alarms_step(self.alarms, 118.0, NULL));
    state_check s = {ploy_alarms_visit, self.alarms, NULL, alarm_skip, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other.alarms);
    double a = 0.0, b = 0.0;
    CHECK(ployi_alarms_next(self.alarms, kept, &a) && ployi_alarms_next(other.alarms, kept, &b));
    CHECK_SAME(a, b);
    for (double now = 120.0; now < 200.0; now += 5.0) {
        int32_t rang = 0, rang_too = 0;
        CHECK_OK(ploy_alarms_step(self.alarms, now, &rang));
        CHECK_OK(ploy_alarms_step(other.alarms, now, &rang_too));
        CHECK_INT(rang, rang_too);
    }
    CHECK_UINT(ploy_visit_hash(ploy_alarms_visit, other.alarms, NULL), state_hash(&s));
    tower_close(&self);
    tower_close(&other);
}

static ploy_result load_alarms(const ploy_env *env, void *arg) {
    ploy_events_def events_def = ploy_events_def_default();
    ploy_alarms_def def = ploy_alarms_def_default();
    def.capacity = 0;
    ploy_events *events = NULL;
    ploy_alarms *alarms = NULL;
    ploy_result result = ploy_events_create(&events_def, env, &events);
    if (result == PLOY_OK) result = ploy_alarms_create(&def, events, env, &alarms);
    if (result == PLOY_OK) {
        state_check s = {ploy_alarms_visit, alarms, NULL, NULL, NULL};
        uint64_t before = state_hash(&s);
        result = state_load(&s, arg, env, NULL);
        if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
    }
    ploy_alarms_destroy(alarms);
    ploy_events_destroy(events);
    return result;
}

TEST(alarms_load_without_memory) {
    tower self;
    tower_open(t, &self, 0.0);
    for (int32_t i = 0; i < 4; i++) {
        ploy_event event = event_of(1);
        CHECK_OK(ploy_alarms_set(self.alarms, 1.0 + i, 2.0, &event, NULL));
    }
    state_check s = {ploy_alarms_visit, self.alarms, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_alarms, text);
    free(text);
    tower_close(&self);
}
