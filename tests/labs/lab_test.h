// What the tests of labs share.
#pragma once

#include "labs/labs.h"
#include "tests/test.h"

static inline void lab_run(test_context *t, ploy_sim *sim, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
}

// From here, so many ticks; back, and the same again: equal hashes, and equal bytes of the whole
// region, which finds state that describe forgot.
static inline void lab_check_rewind(test_context *t, ploy_sim *sim, int32_t ticks) {
    ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    lab_run(t, sim, ticks);
    CHECK_OK(ploy_sim_snapshot(sim, &late));
    uint64_t hash = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, early));
    lab_run(t, sim, ticks);
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_OK(ploy_sim_snapshot(sim, &again));
    CHECK_INT(ploy_snapshot_difference(late, again), -1);
    ploy_snapshot_destroy(again);
    ploy_snapshot_destroy(late);
    ploy_snapshot_destroy(early);
}

// For CHECK_FAIL_NTH; arg is the name of the lab.
static inline ploy_result lab_create(const ploy_env *env, void *arg) {
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), arg, NULL);
    ploy_result result = ploy_sim_create(&def, type, NULL, NULL, env, &sim);
    ploy_sim_destroy(sim);
    return result;
}

// A command with a place.
static inline void lab_send_at(test_context *t, ploy_sim *sim, const char *command, float x,
                               float y) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = command;
    input.value = ploy_value_vec2(x, y);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
}
