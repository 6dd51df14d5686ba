// What whole games cost: one tick beside the time that it stands for, so that the ratio is how many
// times faster than real time the game runs on one core.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "games/games.h"
#include "labs/labs.h"
#include "ploy/base/fields_text.h"
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

// A game with parameters as texts, ended by NULL; after `warm` ticks.
static void play_game(bench_run *run, const char *game, const char *const *paths,
                      const char *const *values, int32_t warm) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_games(), game, NULL);
    void *params = calloc(1, type->fields().size);
    if (params == NULL) {
        bench_fail(run, "not enough memory");
        return;
    }
    ploy_fields_default(type->fields(), params);
    for (int32_t i = 0; paths != NULL && paths[i] != NULL; i++) {
        (void)ploy_fields_set_text(type->fields(), params, paths[i], values[i], NULL);
    }
    if (ploy_sim_create(&def, type, params, NULL, &env, &sim) != PLOY_OK) {
        bench_fail(run, "the game cannot be created");
    } else {
        for (int32_t i = 0; i < warm; i++) ploy_sim_step(sim, NULL, 0, NULL);
        bench_measure(run, bench_call(play_ticks, sim, PLAY_BENCH_TICKS),
                      bench_call(play_clock, sim, 1), bench_nothing());
    }
    ploy_sim_destroy(sim);
    free(params);
}

void bench_play_soccer(bench_run *run) {
    play_game(run, "soccer", NULL, NULL, 0);
}

void bench_play_raven(bench_run *run) {
    play_game(run, "raven", NULL, NULL, 600);
}

void bench_play_raven_large(bench_run *run) {
    static const char *const paths[] = {"map", "bots", NULL}, *const values[] = {"large", "64"};
    play_game(run, "raven", paths, values, 600);
}

// ---- the village ----

enum { VILLAGE_BENCH_TICKS = 1800 };

// The units of the last tick, out of the description.
static void village_units_value(void *user, const char *name, ploy_mark mark,
                                const ploy_value *value) {
    int64_t *units = user;
    (void)mark;
    if (strcmp(name, "units") == 0 && value->type == PLOY_VALUE_I64) *units = value->as.i64;
}

static void village_units_group(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}

static void village_units_end(void *user) {
    (void)user;
}

static int64_t village_units(const ploy_sim *sim) {
    int64_t units = 0;
    ploy_describe describe = {village_units_group, village_units_end, village_units_value, &units};
    ploy_sim_describe(sim, &describe);
    return units;
}

// Half a minute of the village: every tick by the clock and by its units.
void bench_play_village(bench_run *run) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "village", NULL);
    if (ploy_sim_create(&def, type, NULL, NULL, &env, &sim) != PLOY_OK) {
        bench_fail(run, "the village cannot be created");
        return;
    }
    bench_measure(run, bench_call(play_ticks, sim, PLAY_BENCH_TICKS),
                  bench_call(play_clock, sim, 1), bench_nothing());
    uint64_t sum = 0, worst = 0;
    int64_t units = 0, most = 0;
    for (int32_t i = 0; i < VILLAGE_BENCH_TICKS; i++) {
        uint64_t begun = ploy_os_clock_ns();
        ploy_sim_step(sim, NULL, 0, NULL);
        uint64_t took = ploy_os_clock_ns() - begun;
        int64_t spent = village_units(sim);
        sum += took;
        units += spent;
        if (took > worst) worst = took;
        if (spent > most) most = spent;
    }
    char text[128];
    snprintf(text, sizeof text, "a tick: mean %.0f us and %.0f units, worst %.0f us and %lld units",
             (double)sum / 1e3 / VILLAGE_BENCH_TICKS, (double)units / VILLAGE_BENCH_TICKS,
             (double)worst / 1e3, (long long)most);
    bench_note(run, text);
    ploy_sim_destroy(sim);
}
