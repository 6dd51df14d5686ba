// Divide one budget by each policy: equal shares of what really remains, shares by priority of the
// items that are due, or of all in every tick, what each requests, less for an item that overspends,
// and a function of the game's. Shows ploy_scheduler_set_policy and ploy_scheduler_service.
#include <stdio.h>

#include "ploy/exec/scheduler.h"

enum { ITEMS = 3 };

// One tick. Item i spends costs[i] units, or its allowance if that is 0.
static void run(ploy_scheduler *scheduler, int64_t units, const int64_t costs[ITEMS], bool print) {
    ploy_turn turn;
    if (ploy_scheduler_begin(scheduler, ploy_scheduler_tick(scheduler), units, NULL) != PLOY_OK) {
        return;
    }
    while (ploy_scheduler_next(scheduler, &turn)) {
        int64_t spent = costs[turn.item] > 0 ? costs[turn.item] : turn.allowed;
        ploy_scheduler_report(scheduler, turn.item, spent);
        if (print) printf(" %c may %d", 'A' + (int)turn.item, (int)turn.allowed);
        if (print && spent != turn.allowed) printf(" and spends %d", (int)spent);
        if (print) printf(";");
    }
    ploy_scheduler_end(scheduler);
    if (print) printf(" %d wait\n", (int)ploy_scheduler_waiting_count(scheduler));
}

static ploy_scheduler *start(ploy_policy policy, ploy_allocate_fn allocate) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_scheduler *scheduler = NULL;
    if (ploy_scheduler_create(&def, &env, &scheduler) != PLOY_OK) return NULL;
    static const int32_t requests[ITEMS] = {6, 6, 3}, priorities[ITEMS] = {3, 2, 1};
    for (int32_t i = 0; i < ITEMS; i++) {
        ploy_schedule schedule = ploy_schedule_default();
        schedule.priority = priorities[i];
        schedule.request = requests[i];
        if (policy == PLOY_POLICY_PRIORITY_ONLY && i == 2) schedule.period = 4;
        schedule.indivisible = policy == PLOY_POLICY_REQUEST && i == 1; // all 6 units or no turn
        ploy_scheduler_add(scheduler, i, &schedule);
    }
    ploy_scheduler_set_policy(scheduler, policy, allocate, NULL);
    printf("%s:", ploy_policy_text(policy));
    return scheduler;
}

// Everything to the item that waits longest.
static void to_one(void *user, const ploy_turn_ask *asks, int32_t count, int64_t units,
                   int64_t *allowances) {
    int32_t best = 0;
    (void)user;
    for (int32_t i = 1; i < count; i++) best = asks[i].waits > asks[best].waits ? i : best;
    for (int32_t i = 0; i < count; i++) allowances[i] = i == best ? units : 0;
}

int main(void) {
    static const int64_t uneven[ITEMS] = {6, 2, 0}, exact[ITEMS] = {0}, greedy[ITEMS] = {20, 0, 0};
    ploy_scheduler *s = start(PLOY_POLICY_EVEN, NULL);
    run(s, 12, uneven, true); // A's overrun is shared by those after it
    ploy_scheduler_destroy(s);
    s = start(PLOY_POLICY_PRIORITY, NULL);
    run(s, 12, exact, true);
    ploy_scheduler_destroy(s);
    s = start(PLOY_POLICY_PRIORITY_ONLY, NULL);
    run(s, 12, exact, false);
    run(s, 12, exact, true); // tick 1: C is not due, but periods do not count
    ploy_scheduler_destroy(s);
    s = start(PLOY_POLICY_REQUEST, NULL);
    run(s, 10, exact, true);
    ploy_scheduler_destroy(s);
    s = start(PLOY_POLICY_CUSTOM, to_one);
    run(s, 12, exact, false); // A had everything, so B and C have waited
    run(s, 12, exact, true);
    ploy_scheduler_destroy(s);
    s = start(PLOY_POLICY_ADAPTIVE, NULL);
    for (int i = 0; i < 50; i++) run(s, 30, greedy, false);
    ploy_service service;
    if (ploy_scheduler_service(s, 0, &service) != PLOY_OK) return 1;
    printf(" A overran %d of %d turns, full share: %s\n", (int)service.overruns, (int)service.turns,
           service.bias < 1.0f ? "no" : "yes");
    ploy_scheduler_destroy(s);
    return 0;
}
