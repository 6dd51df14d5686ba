// A state machine that sleeps until something concerns it: a treasure hunter gathers, flees and
// fights, and in each state hears only of what can change it. A checker looks for the monster every
// second tick, and only while a listener is registered. Shows ploy_observer and checkers.
#include <stdio.h>

#include "ploy/world/observer.h"

enum { GATHER, FLEE, FIGHT };
enum { SEES_MONSTER = 1, MONSTER_GONE = 2, CORNERED = 4 };

typedef struct hunter {
    ploy_observer *observer;
    int processed; // how often it had to think
} hunter;

static ploy_result hunter_hears(void *user, const ploy_event *event) {
    hunter *self = user;
    self->processed++;
    int state = event->code == SEES_MONSTER ? FLEE : event->code == CORNERED ? FIGHT : GATHER;
    return ploy_observer_set_state(self->observer, state);
}

// Called after each change: the place to look at what already holds.
static void hunter_entered(void *user, int32_t state) {
    static const char *const texts[] = {"gathers", "flees", "fights"};
    (void)user;
    printf("  the hunter %s\n", texts[state]);
}

// The monster is near in ticks 4 to 9, the hunter is cornered in tick 6.
static ploy_result look_around(void *user, ploy_events *events, uint64_t tick) {
    int *looks = user;
    ++*looks;
    ploy_event event = ploy_event_make("monster");
    event.code = tick >= 4 && tick <= 9 ? SEES_MONSTER : MONSTER_GONE;
    if (tick == 6) event.code = CORNERED;
    return ploy_events_raise(events, &event);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_events_def def = ploy_events_def_default();
    ploy_events *events = NULL;
    hunter h = {NULL, 0};
    int looks = 0;
    const ploy_observer_rule rules[] = {
        {GATHER, ploy_interest_mask(SEES_MONSTER)},
        {FLEE, ploy_interest_mask(MONSTER_GONE | CORNERED)},
        {FIGHT, ploy_interest_mask(MONSTER_GONE)},
    };
    ploy_listener listener = {{{1, 1}}, hunter_hears, &h};
    ploy_checker checker = {look_around, &looks, SEES_MONSTER | MONSTER_GONE | CORNERED, 2, 0};
    ploy_result result = ploy_events_create(&def, &env, &events);
    if (result == PLOY_OK) result = ploy_events_add_checker(events, &checker, NULL);
    if (result == PLOY_OK) {
        result =
            ploy_observer_create(events, &listener, rules, 3, hunter_entered, &env, &h.observer);
    }
    for (uint64_t tick = 0; tick < 14 && result == PLOY_OK; tick++) {
        printf("tick %d\n", (int)tick);
        if (tick == 2) result = ploy_observer_set_state(h.observer, GATHER); // it wakes up
        if (result == PLOY_OK) result = ploy_events_step(events, tick, (double)tick, NULL);
    }
    ploy_events_counts counts = ploy_events_counts_of(events);
    printf("looked %d times, spared %d times; the hunter thought %d times\n", looks,
           (int)counts.spared, h.processed);
    ploy_observer_destroy(h.observer);
    ploy_events_destroy(events);
    return result == PLOY_OK ? 0 : 1;
}
