// What whole games cost: one tick beside the time that it stands for, so that the ratio is how many
// times faster than real time the game runs on one core.
#include "bench/bench.h"
#include "games/games.h"
#include "ploy/base/os.h"

enum { PLAY_BENCH_TICKS = 600 };

static void play_ticks(void *self) {
    ploy_sim *sim = self;
    for (int32_t i = 0; i < PLAY_BENCH_TICKS; i++) ploy_sim_step(sim, NULL, 0, NULL);
    bench_keep(sim);
}

static void play_clock(void *self) {
    const ploy_sim *sim = self;
    uint64_t tick = (uint64_t)(1e9 * (double)ploy_sim_type_of(sim)->dt);
    uint64_t begun = ploy_os_clock_ns();
    while (ploy_os_clock_ns() - begun < tick) {
    }
}

void bench_play_soccer(bench_run *run) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_games(), "soccer", NULL);
    if (ploy_sim_create(&def, type, NULL, NULL, &env, &sim) != PLOY_OK) {
        bench_fail(run, "the game cannot be created");
        return;
    }
    bench_measure(run, bench_call(play_ticks, sim, PLAY_BENCH_TICKS),
                  bench_call(play_clock, sim, 1), bench_nothing());
    ploy_sim_destroy(sim);
}
