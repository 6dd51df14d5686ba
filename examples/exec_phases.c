// A game loop with a scheduler and no engine: items of periods 2, 4 and 8 are added at the phase
// where the load is least, so that no tick has two turns. A fourth finds the one free place. Shows
// ploy_scheduler_pick_phase and the loop of begin, next, report and end.
#include <stdio.h>

#include "ploy/exec/phase.h"

int main(void) {
    static const int32_t periods[] = {2, 4, 8, 8};
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_scheduler *scheduler = NULL;
    def.look_ahead = 8;
    if (ploy_scheduler_create(&def, &env, &scheduler) != PLOY_OK) return 1;
    for (int32_t item = 0; item < 4; item++) {
        ploy_schedule schedule = ploy_schedule_default();
        schedule.period = periods[item];
        schedule.phase = ploy_scheduler_pick_phase(scheduler, schedule.period);
        if (ploy_scheduler_add(scheduler, item, &schedule) != PLOY_OK) return 1;
        int32_t first = 0;
        while (!ploy_schedule_due(&schedule, (uint64_t)first)) first++;
        printf("item %d, every %d ticks: first in tick %d\n", (int)item, (int)schedule.period,
               (int)first);
    }
    for (uint64_t tick = 0; tick < 8; tick++) {
        int32_t due = 0;
        ploy_turn turn;
        if (ploy_scheduler_begin(scheduler, tick, 10, &due) != PLOY_OK) return 1;
        printf("tick %d, %d due:", (int)tick, (int)due);
        while (ploy_scheduler_next(scheduler, &turn)) {
            printf(" item %d", (int)turn.item); // a game runs the item here
            ploy_scheduler_report(scheduler, turn.item, 1);
        }
        printf("\n");
        ploy_scheduler_end(scheduler);
    }
    ploy_scheduler_destroy(scheduler);
    return 0;
}
