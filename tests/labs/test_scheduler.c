// The lab `scheduler`: phases that are spread even out the load, a click moves a mind's turns, the
// budget and the policy change while it runs, and it rewinds to the same bytes.
#include "base/base_internal.h"
#include "labs/labs.h"
#include "ploy/geom/draw.h"
#include "tests/labs/lab_test.h"

static ploy_sim *scheduler_start(test_context *t, const char *minds, const char *auto_phase,
                                 const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "scheduler", NULL);
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "minds", minds, NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "auto_phase", auto_phase, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

// Most turns that fell due in one of so many ticks.
static int32_t scheduler_most(test_context *t, ploy_sim *sim, int32_t ticks) {
    int32_t most = 0;
    for (int32_t i = 0; i < ticks; i++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        ploy_workload load;
        CHECK_OK(ploy_sim_workload(sim, &load));
        CHECK_UINT(load.tick, ploy_sim_tick(sim) - 1);
        CHECK_INT(load.due, load.ran + load.put_off);
        if (load.due > most) most = load.due;
    }
    return most;
}

static void scheduler_set(test_context *t, ploy_sim *sim, const char *name, ploy_value value) {
    ploy_input input = {.kind = PLOY_INPUT_PARAMETER, .name = name, .value = value};
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
}

TEST(automatic_phases_even_out_the_load) {
    ploy_env env = ploy_env_default();
    ploy_sim *clumped = scheduler_start(t, "24", "false", &env);
    ploy_sim *spread = scheduler_start(t, "24", "true", &env);
    int32_t most = scheduler_most(t, clumped, 96);
    CHECK_INT(most, 24); // all of them in tick 0
    CHECK(scheduler_most(t, spread, 96) <= 8);
    // Switched on while it runs.
    scheduler_set(t, clumped, "auto_phase", ploy_value_bool(true));
    scheduler_set(t, clumped, "budget", ploy_value_i64(200));
    scheduler_most(t, clumped, 10); // what was put off before
    CHECK(scheduler_most(t, clumped, 96) <= 8);
    ploy_sim_destroy(clumped);
    ploy_sim_destroy(spread);
}

TEST(a_click_in_a_row_moves_that_minds_turns) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = scheduler_start(t, "1", "false", &env); // one mind, every second tick
    ploy_workload load;
    for (uint64_t tick = 0; tick < 6; tick++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        CHECK_OK(ploy_sim_workload(sim, &load));
        CHECK_INT(load.due, tick % 2 == 0 ? 1 : 0);
    }
    ploy_input input = {.kind = PLOY_INPUT_COMMAND, .name = "click"};
    input.value = ploy_value_vec2(-30.0f + 3.5f, -2.2f); // the fourth tick from now: an odd one
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    for (uint64_t tick = 7; tick < 13; tick++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        CHECK_OK(ploy_sim_workload(sim, &load));
        CHECK_INT(load.due, tick % 2 == 1 ? 1 : 0);
    }
    static const float beside[][2] = {{-29.5f, 5}, {-29.5f, -3}, {-40, -2.2f}, {40, -2.2f}};
    for (size_t i = 0; i < COUNT_OF(beside); i++) {
        input.value = ploy_value_vec2(beside[i][0], beside[i][1]);
        CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    }
    input.value = ploy_value_vec2(1e30f, -1e30f);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    CHECK_OK(ploy_sim_workload(sim, &load)); // tick 17
    CHECK_INT(load.due, 1);
    ploy_sim_destroy(sim);
}

static void scheduler_count_item(void *user, const ploy_draw_item *item) {
    (*(int32_t *)user)++;
    for (int32_t i = 0; i < item->count; i++) {
        if (!isfinite(item->points[i].x) || !isfinite(item->points[i].y)) *(int32_t *)user = -10000;
    }
}

TEST(every_policy_runs_rewinds_to_the_same_bytes_and_draws) {
    static const char *const policies[] = {"priority", "even", "priority_only", "request",
                                           "adaptive"};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = scheduler_start(t, "40", "true", &env);
    int32_t drawn = 0;
    ploy_draw out = {scheduler_count_item, &drawn, ~0u};
    ploy_sim_draw(sim, &out); // before the first tick
    for (size_t i = 0; i < COUNT_OF(policies); i++) {
        t->row = policies[i];
        scheduler_set(t, sim, "policy", ploy_value_text(policies[i]));
        ploy_snapshot *before = NULL, *first = NULL, *second = NULL;
        CHECK_OK(ploy_sim_snapshot(sim, &before));
        scheduler_most(t, sim, 50);
        CHECK_OK(ploy_sim_snapshot(sim, &first));
        uint64_t hash = ploy_sim_hash(sim);
        CHECK_OK(ploy_sim_restore(sim, before));
        scheduler_most(t, sim, 50);
        CHECK_OK(ploy_sim_snapshot(sim, &second));
        CHECK_UINT(ploy_sim_hash(sim), hash);
        CHECK_INT(ployi_snapshot_difference(first, second), -1);
        ploy_snapshot_destroy(before);
        ploy_snapshot_destroy(first);
        ploy_snapshot_destroy(second);
        drawn = 0;
        ploy_sim_draw(sim, &out);
        CHECK(drawn > 100);
    }
    ploy_sim_destroy(sim);
}

TEST(automatic_phases_make_the_clumping_smaller) { // EXE-05
    static const char *const off[] = {"auto_phase=false", NULL}, *const on[] = {"auto_phase=true",
                                                                                NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *together = lab_start(t, "scheduler", off, &env);
    ploy_sim *apart = lab_start(t, "scheduler", on, &env);
    lab_run(t, together, 1);
    lab_run(t, apart, 1);
    // 24 minds, four of each period: sum of 4 / period.
    double mean = 4.0 * (1.0 / 2 + 1.0 / 4 + 1.0 / 6 + 1.0 / 8 + 1.0 / 12 + 1.0 / 24);
    CHECK_NEAR(lab_number(t, together, "clumping/mean"), mean, 1e-9);
    CHECK_NEAR(lab_number(t, apart, "clumping/mean"), mean, 1e-9);
    CHECK_NEAR(lab_number(t, together, "clumping/min"), 0, 0);  // odd ticks are idle
    CHECK_NEAR(lab_number(t, together, "clumping/max"), 24, 0); // and once all are due
    CHECK(lab_number(t, apart, "clumping/max") <= 6);
    CHECK(lab_number(t, apart, "clumping/min") >= 3);
    CHECK(lab_number(t, apart, "clumping/deviation") <
          0.2 * lab_number(t, together, "clumping/deviation"));
    ploy_sim_destroy(apart);
    ploy_sim_destroy(together);
}
