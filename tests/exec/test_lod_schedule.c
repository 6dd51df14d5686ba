#include "exec/exec_internal.h"
#include "ploy/exec/lod_schedule.h"

#include "ploy/base/rng.h"
#include "ploy/exec/engine.h"
#include "tests/exec/trace_probe.h"
#include "tests/test.h"

// EXE-16: higher importance, smaller period; priority is a curve.
TEST(importance_gives_period_and_priority) {
    static const struct {
        const char *row;
        float importance;
        int32_t band, period, priority;
    } rows[] = {
        {"nobody", 0, 3, 64, 1},         {"below 0", -5, 3, 64, 1},
        {"not a number", NAN, 3, 64, 1}, {"a quarter", 0.25f, 2, 16, 7},
        {"half", 0.5f, 1, 4, 26},        {"three quarters", 0.75f, 0, 1, 57},
        {"all", 1, 0, 1, 100},           {"above 1", 7, 0, 1, 100},
    };
    ploy_env env = ploy_env_default();
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    CHECK_OK(ployi_lod_schedule_check(&def, &env));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_lod_schedule got = ploy_lod_schedule_find(&def, rows[i].importance, 5, -1);
        CHECK_INT(got.band, rows[i].band);
        CHECK_INT(got.period, rows[i].period);
        CHECK_INT(got.priority, rows[i].priority);
        CHECK_INT(got.phase, 5);
    }
}

TEST(a_band_is_kept_within_its_margin) {
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default(); // bands from 0.75, 0.5, 0.25, 0
    static const struct {
        float importance;
        int32_t want;
    } walk[] = {{0.6f, 1},  {0.74f, 1}, {0.76f, 1}, {0.79f, 1}, {0.81f, 0}, {0.74f, 0}, {0.71f, 0},
                {0.69f, 1}, {0.46f, 1}, {0.44f, 2}, {0.54f, 2}, {0.9f, 0},  {0, 3}};
    int32_t band = -1;
    for (size_t i = 0; i < COUNT_OF(walk); i++) {
        TEST_SEED(i);
        band = ploy_lod_schedule_find(&def, walk[i].importance, 0, band).band;
        CHECK_INT(band, walk[i].want);
    }
}

TEST(noise_smaller_than_the_margin_never_changes_a_band_twice) {
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float middle = ploy_rng_float(&rng);
        int32_t band = -1, changes = 0;
        for (int32_t i = 0; i < 200; i++) {
            float importance = middle + ploy_rng_range(&rng, -0.024f, 0.024f);
            int32_t next = ploy_lod_schedule_find(&def, importance, 0, band).band;
            changes += band >= 0 && next != band;
            band = next;
        }
        CHECK(changes <= 1);
    }
}

TEST(batches_count_what_changed_and_equal_single_calls) {
    enum { COUNT = 64 };
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    ploy_rng rng = ploy_rng_make(3);
    float importances[COUNT];
    ploy_lod_schedule schedules[COUNT];
    memset(schedules, 0, sizeof schedules);
    for (int32_t i = 0; i < COUNT; i++) {
        importances[i] = ploy_rng_float(&rng);
        schedules[i].band = -1;
    }
    int32_t changed = -1;
    CHECK_OK(ploy_lod_schedule_batch(&def, importances, 0, COUNT, schedules, &changed));
    CHECK_INT(changed, COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        ploy_lod_schedule one = ploy_lod_schedule_find(&def, importances[i], i, -1);
        CHECK_BYTES(&schedules[i], &one, sizeof one);
    }
    CHECK_OK(ploy_lod_schedule_batch(&def, importances, 0, COUNT, schedules, &changed));
    CHECK_INT(changed, 0);
    importances[7] = importances[7] > 0.5f ? 0.0f : 1.0f;
    CHECK_OK(ploy_lod_schedule_batch(&def, importances, 0, COUNT, schedules, &changed));
    CHECK_INT(changed, 1);
    CHECK_INT(ploy_lod_schedule_batch(&def, importances, -1, 2, schedules, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_lod_schedule_batch(&def, NULL, 0, 2, schedules, NULL), PLOY_ERR_ARGUMENT);
}

TEST(bands_that_make_no_sense_are_refused) {
    ploy_env env = ploy_env_default();
    for (int32_t fault = 0; fault < 7; fault++) {
        TEST_SEED(fault);
        ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
        if (fault == 0) def.bands[3].min = 0.1f; // nothing for 0
        if (fault == 1) def.bands[1].min = 0.9f; // not falling
        if (fault == 2) def.bands[2].period = 2; // shorter again
        if (fault == 3) def.bands[0].period = 0;
        if (fault == 4) def.bands[1].min = NAN;
        if (fault == 5) def.band_count = 9;
        if (fault == 6) def.priority_min = def.priority_max + 1;
        CHECK_INT(ployi_lod_schedule_check(&def, &env), PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ployi_lod_schedule_check(NULL, &env), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_lod_schedule_fields(), NULL));
}

static ploy_result count_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)context;
    ++*(int32_t *)self;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

TEST(the_engine_takes_the_schedule_as_it_is) {
    static const ploy_behavior_type type = {.name = "count", .step = count_step};
    ploy_env env = ploy_env_default();
    ploy_engine_def engine_def = ploy_engine_def_default();
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    static const float importances[] = {1.0f, 0.6f, 0.3f, 0.0f};
    static const int32_t turns[] = {64, 16, 4, 1}; // of 64 ticks
    int32_t counts[4] = {0, 0, 0, 0};
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&engine_def, &env, &engine));
    for (int32_t i = 0; i < 4; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        ploy_engine_id id;
        entry.behavior.type = &type;
        entry.behavior.self = &counts[i];
        entry.agent = ploy_agent_id_make((uint32_t)i, 1);
        CHECK_OK(ploy_engine_register(engine, &entry, &id));
        ploy_lod_schedule s = ploy_lod_schedule_find(&def, importances[i], i, -1);
        ploy_schedule schedule;
        CHECK_OK(ploy_engine_schedule(engine, id, &schedule));
        ploy_lod_schedule_apply(&s, &schedule);
        CHECK_OK(ploy_engine_set_schedule(engine, id, &schedule));
    }
    for (int32_t i = 0; i < 64; i++) CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    for (int32_t i = 0; i < 4; i++) CHECK_INT(counts[i], turns[i]);
    ploy_engine_destroy(engine);
}

TEST(the_trace_names_the_band) {
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    trace_why why;
    ploy_trace trace = trace_probe(&why);
    ploy_lod_schedule_trace(&def, 0.74f, 0, ploy_agent_id_none(), &trace); // kept by the margin
    CHECK_TEXT(why.winner, "every 1");
    ploy_lod_schedule_trace(&def, 0.74f, -1, ploy_agent_id_none(), &trace);
    CHECK_TEXT(why.winner, "every 4");
    CHECK_INT(why.options, 8);
    CHECK_INT(why.rejected, 6);
    CHECK_INT(why.depth, 0);
}
