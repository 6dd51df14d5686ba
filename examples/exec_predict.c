// Schedule by what turns cost before: after some ticks with room for all, the scheduler knows each
// item's mean cost and puts off a turn that would not fit, instead of overdrawing the budget. Shows
// ploy_scheduler_def.predict, ploy_scheduler_report and ploy_scheduler_service.
#include <stdio.h>

#include "ploy/exec/scheduler.h"

enum { ITEMS = 3 };

static const int64_t costs[ITEMS] = {7, 5, 2}; // what a turn of each item takes

// One tick. Returns the units spent.
static int64_t run(ploy_scheduler *scheduler, int64_t units, bool print) {
    ploy_turn turn;
    int64_t sum = 0;
    if (ploy_scheduler_begin(scheduler, ploy_scheduler_tick(scheduler), units, NULL) != PLOY_OK) {
        return -1;
    }
    while (ploy_scheduler_next(scheduler, &turn)) {
        if (print) printf(" %c", 'A' + (int)turn.item); // a game runs the item here
        ploy_scheduler_report(scheduler, turn.item, costs[turn.item]);
        sum += costs[turn.item];
    }
    ploy_scheduler_end(scheduler);
    return sum;
}

int main(void) {
    ploy_env env = ploy_env_default();
    for (int predict = 0; predict < 2; predict++) {
        ploy_scheduler_def def = ploy_scheduler_def_default();
        ploy_schedule schedule = ploy_schedule_default();
        ploy_scheduler *scheduler = NULL;
        def.predict = predict == 1;
        if (ploy_scheduler_create(&def, &env, &scheduler) != PLOY_OK) return 1;
        for (int32_t i = 0; i < ITEMS; i++) ploy_scheduler_add(scheduler, i, &schedule);
        for (int i = 0; i < 4; i++) run(scheduler, 100, false); // measures
        ploy_service service;
        if (ploy_scheduler_service(scheduler, 0, &service) != PLOY_OK) return 1;
        printf("%s; a turn of A costs %.0f:\n", predict ? "predicting" : "not predicting",
               service.mean);
        for (int i = 0; i < 4; i++) {
            printf("  10 units:");
            printf(", %d spent\n", (int)run(scheduler, 10, true));
        }
        ploy_scheduler_destroy(scheduler);
    }
    return 0;
}
