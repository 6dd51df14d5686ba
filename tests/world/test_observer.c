// Observers: a state hears of what can change it, and of nothing else.
#include "ploy/world/observer.h"
#include "world/world_internal.h"

#include "tests/world/events_test.h"

enum { HUNTER_GATHER, HUNTER_FLEE, HUNTER_FIGHT };
enum { SEES = 1, LOST = 2, CORNERED = 4 };

// The treasure hunter: gathers until it sees a monster, flees until it is lost or cornered, fights.
typedef struct hunter {
    ploy_observer *observer;
    int32_t notices, entries;
    bool monster_near; // holds already when gathering begins
} hunter;

static ploy_result hunter_notify(void *user, const ploy_event *event) {
    hunter *self = user;
    self->notices++;
    if (event->code == SEES) return ploy_observer_set_state(self->observer, HUNTER_FLEE);
    if (event->code == CORNERED) return ploy_observer_set_state(self->observer, HUNTER_FIGHT);
    return ploy_observer_set_state(self->observer, HUNTER_GATHER);
}

static void hunter_entered(void *user, int32_t state) {
    hunter *self = user;
    self->entries++;
    if (state == HUNTER_GATHER && self->monster_near) {
        ploy_observer_set_state(self->observer, HUNTER_FLEE);
    }
}

static ploy_result hunter_make(hunter *self, ploy_events *events, const ploy_env *env) {
    ploy_observer_rule rules[] = {
        {HUNTER_GATHER, ploy_interest_code(SEES)},
        {HUNTER_FLEE, ploy_interest_code(LOST)},
        {HUNTER_FLEE, ploy_interest_code(CORNERED)},
        {HUNTER_FIGHT, ploy_interest_code(LOST)},
    };
    memset(self, 0, sizeof *self);
    ploy_listener listener = {ploy_agent_id_make(1, 1), hunter_notify, self};
    return ploy_observer_create(events, &listener, rules, 4, hunter_entered, env, &self->observer);
}

TEST(subscriptions_follow_the_state) { // NTU-24
    ploy_events *events = events_of(t, NULL);
    ploy_env env = ploy_env_default();
    hunter h;
    CHECK_OK(hunter_make(&h, events, &env));
    CHECK_INT(ployi_observer_state(h.observer), PLOY_OBSERVER_NO_STATE);
    CHECK_INT(ployi_events_listener_count(events), 0);
    CHECK_OK(ploy_observer_set_state(h.observer, HUNTER_GATHER));
    static const struct {
        const char *row;
        uint64_t code;
        int32_t state, notices, subscriptions;
    } rows[] = {
        {"gathering, cornered means nothing", CORNERED, HUNTER_GATHER, 0, 1},
        {"gathering, lost means nothing", LOST, HUNTER_GATHER, 0, 1},
        {"it sees a monster", SEES, HUNTER_FLEE, 1, 2},
        {"it knows that", SEES, HUNTER_FLEE, 1, 2},
        {"cornered", CORNERED, HUNTER_FIGHT, 2, 1},
        {"still cornered", CORNERED, HUNTER_FIGHT, 2, 1},
        {"the monster is gone", LOST, HUNTER_GATHER, 3, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        raise_code(t, events, rows[i].code);
        CHECK_OK(ploy_events_step(events, i, 0, NULL));
        CHECK_INT(ployi_observer_state(h.observer), rows[i].state);
        CHECK_INT(h.notices, rows[i].notices);
        CHECK_INT(ployi_observer_subscriptions(h.observer), rows[i].subscriptions);
        CHECK_INT(ployi_events_listener_count(events), rows[i].subscriptions);
    }
    h.monster_near = true; // what already holds is found on entry
    CHECK_OK(ploy_observer_set_state(h.observer, HUNTER_FIGHT));
    CHECK_OK(ploy_observer_set_state(h.observer, HUNTER_GATHER));
    CHECK_INT(ployi_observer_state(h.observer), HUNTER_FLEE);
    CHECK_INT(ployi_observer_subscriptions(h.observer), 2);
    int32_t entries = h.entries;
    CHECK_OK(ploy_observer_set_state(h.observer, HUNTER_FLEE));
    CHECK_INT(h.entries, entries); // the same again
    ploy_observer_destroy(h.observer);
    CHECK_INT(ployi_events_listener_count(events), 0); // unsubscribed
    ploy_events_destroy(events);
}

TEST(bad_rules_are_refused) {
    ploy_events *events = events_of(t, NULL);
    ploy_env env = ploy_env_default();
    hunter h;
    memset(&h, 0, sizeof h);
    ploy_listener listener = {ploy_agent_id_none(), hunter_notify, &h};
    ploy_observer_rule rule = {0, ploy_interest_mask(0)};
    CHECK_INT(ploy_observer_create(events, &listener, &rule, 1, NULL, &env, &h.observer),
              PLOY_ERR_ARGUMENT);
    rule.interest = ploy_interest_any();
    rule.state = PLOY_OBSERVER_NO_STATE;
    CHECK_INT(ploy_observer_create(events, &listener, &rule, 1, NULL, &env, &h.observer),
              PLOY_ERR_ARGUMENT);
    CHECK(h.observer == NULL);
    CHECK_INT(ployi_events_listener_count(events), 0);
    ploy_events_destroy(events);
}

static ploy_result observer_run(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_events_def def = ploy_events_def_default();
    def.listeners = 0;
    ploy_events *events = NULL;
    hunter h;
    memset(&h, 0, sizeof h);
    ploy_result result = ploy_events_create(&def, env, &events);
    if (result == PLOY_OK) result = hunter_make(&h, events, env);
    for (int32_t i = 0; i < 6 && result == PLOY_OK; i++) {
        int32_t before = ployi_observer_state(h.observer);
        int32_t had = ployi_observer_subscriptions(h.observer);
        result = ploy_observer_set_state(h.observer, i % 3);
        bool same = ployi_observer_state(h.observer) == before &&
                    ployi_observer_subscriptions(h.observer) == had;
        if (result != PLOY_OK && !same) result = PLOY_ERR_STATE;
    }
    ploy_observer_destroy(h.observer);
    ploy_events_destroy(events);
    return result;
}

TEST(observers_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(observer_run, NULL);
}
