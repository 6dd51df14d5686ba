// A game that has 2 ms a frame for thinking: a pace turns the time into units, the engine shares
// them out, and the session replays from the units that were noted, without a clock.
// Shows ploy_schedule, ploy_budget_units, ploy_pace and ploy_engine_workload.
#include <stdio.h>

#include "ploy/exec/engine.h"
#include "ploy/exec/pace.h"

enum { MINDS = 8, FRAMES = 6 };

// So that this prints the same everywhere: a clock that a unit of work moves by 4 microseconds.
static uint64_t clock_ns(void *user) {
    return *(uint64_t *)user;
}

// Thinks for as long as it may, and remembers how far it came.
static ploy_result think(void *self, ploy_step_context *context, ploy_status *status) {
    int64_t *thought = self;
    while (ploy_budget_spend(context->budget, 1)) *thought += 1;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_behavior_type mind = {.name = "mind", .step = think};

// Plays the session: with a pace, which notes its units, or with the units noted before.
static int64_t play(int64_t units[FRAMES], ploy_pace *pace, uint64_t *now) {
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    int64_t thoughts[MINDS] = {0}, sum = 0;
    if (ploy_engine_create(&def, &env, &engine) != PLOY_OK) return -1;
    for (uint32_t i = 0; i < MINDS; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &mind;
        entry.behavior.self = &thoughts[i];
        entry.agent = ploy_agent_id_make(i, 1);
        entry.schedule.period = i < 2 ? 1 : 3; // two heroes think in every frame
        entry.schedule.auto_phase = true;      // the others take turns
        entry.schedule.priority = i < 2 ? 3 : 1;
        if (ploy_engine_register(engine, &entry, NULL) != PLOY_OK) return -1;
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        if (pace != NULL) units[frame] = ploy_pace_begin(pace, 2000000);
        ploy_budget budget = ploy_budget_units(units[frame]);
        if (ploy_engine_step(engine, 1.0f / 60.0f, &budget, NULL) != PLOY_OK) return -1;
        if (pace == NULL) continue;
        *now += (uint64_t)budget.spent * 4000;
        ploy_pace_end(pace, budget.spent);
        ploy_workload load;
        if (ploy_engine_workload(engine, 0, &load) != PLOY_OK) return -1;
        printf("frame %d: %d units for %d minds, %d us\n", frame, (int)units[frame], (int)load.ran,
               (int)(budget.spent * 4));
    }
    ploy_engine_destroy(engine);
    for (int i = 0; i < MINDS; i++) sum = sum * 31 + thoughts[i];
    return sum;
}

int main(void) {
    uint64_t now = 0;
    ploy_env env = ploy_env_default();
    env.clock = clock_ns; // leave this out in a game
    env.clock_user = &now;
    ploy_pace pace;
    if (ploy_pace_init(&pace, 2000.0, 20, 100000, &env) != PLOY_OK) return 1;
    int64_t units[FRAMES] = {0}; // in a simulation: PLOY_INPUT_UNITS
    int64_t live = play(units, &pace, &now), again = play(units, NULL, NULL);
    printf("replayed by count: %s\n", live == again ? "the same" : "different");
    return live == again ? 0 : 1;
}
