#include "ploy/exec/importance.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/exec/trace_probe.h"
#include "tests/test.h"

static ploy_importance_def at_once(void) {
    ploy_importance_def def = ploy_importance_def_default();
    def.rise_time = 0;
    def.fall_time = 0;
    return def;
}

// EXE-15: I = clamp(story + w_d (1 - d / d_max) + w_v on_screen + w_r recently_watched, 0, 1).
TEST(the_sum_is_the_formula) {
    static const struct {
        const char *row;
        float distance, story, attention, fixed;
        bool on_screen;
        double want;
    } rows[] = {
        {"nobody", 1e9f, 0, 0, -1, false, 0},
        {"far end of the distance", 100, 0, 0, -1, false, 0},
        {"half way", 50, 0, 0, -1, false, 0.3},
        {"beside the viewer", 0, 0, 0, -1, false, 0.6},
        {"on screen counts as watched too", 50, 0, 0, -1, true, 0.7},
        {"a leading part", 1e9f, 1, 0, -1, false, 1},
        {"held at 1", 0, 1, 1, -1, true, 1},
        {"attention", 1e9f, 0, 0.5f, -1, false, 0.25},
        {"overruled", 0, 1, 1, 0.125f, true, 0.125},
        {"overruled to nothing", 0, 1, 1, 0, true, 0},
        {"beyond the range", -50, -3, 9, -1, false, 1},
        {"not numbers", NAN, NAN, NAN, NAN, false, 0},
        {"no end", INFINITY, 0, 0, -INFINITY, false, 0},
    };
    ploy_importance_def def = at_once();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_importance_input input = {rows[i].distance, rows[i].story, rows[i].attention,
                                       rows[i].fixed, rows[i].on_screen};
        ploy_importance state = {0, 0, 0, 1};
        CHECK_OK(ploy_importance_step(&def, &input, 0.1f, &state));
        CHECK_NEAR(state.value, rows[i].want, 1e-6);
    }
}

TEST(it_is_smoothed_but_begins_and_is_overruled_at_once) {
    ploy_importance_def def = ploy_importance_def_default();
    ploy_importance_input input = ploy_importance_input_make();
    ploy_importance state = {0, 0, 0, 0};
    input.story = 0.8f;
    CHECK_OK(ploy_importance_step(&def, &input, 0.1f, &state));
    CHECK_NEAR(state.value, 0.8, 1e-6);
    input.story = 0;
    CHECK_OK(ploy_importance_step(&def, &input, 1.0f, &state)); // one time constant of falling
    CHECK_NEAR(state.value, 0.8 * exp(-1.0), 1e-5);
    input.story = 1;
    CHECK_OK(ploy_importance_step(&def, &input, 0.25f, &state)); // one of rising
    CHECK_NEAR(state.value, 1 - (1 - 0.8 * exp(-1.0)) * exp(-1.0), 1e-5);
    input.fixed = 0.1f;
    CHECK_OK(ploy_importance_step(&def, &input, 0.0f, &state));
    CHECK_NEAR(state.value, 0.1, 1e-6);
}

TEST(having_been_watched_fades_by_half_lives) {
    ploy_importance_def def = at_once();
    def.watched_half_life = 2;
    ploy_importance_input input = ploy_importance_input_make();
    ploy_importance state = {0, 0, 0, 0};
    input.on_screen = true;
    CHECK_OK(ploy_importance_step(&def, &input, 1, &state));
    CHECK_NEAR(state.value, 0.4, 1e-6);
    input.on_screen = false;
    for (int32_t i = 1; i <= 8; i++) {
        CHECK_OK(ploy_importance_step(&def, &input, 1, &state));
        CHECK_NEAR(state.value, 0.2 * pow(0.5, i / 2.0), 1e-6);
    }
}

TEST(batches_in_any_split_have_the_bits_of_single_steps) {
    enum { COUNT = 50 };
    ploy_importance_def def = ploy_importance_def_default();
    for (int64_t seed = 0; seed < test_rounds(50); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_importance_input inputs[COUNT];
        ploy_importance one[COUNT], batch[COUNT];
        memset(one, 0, sizeof one);
        memset(batch, 0, sizeof batch);
        for (int32_t tick = 0; tick < 5; tick++) {
            for (int32_t i = 0; i < COUNT; i++) {
                inputs[i] = ploy_importance_input_make();
                inputs[i].distance = ploy_rng_range(&rng, 0, 200);
                inputs[i].story = ploy_rng_range(&rng, -1, 1);
                inputs[i].on_screen = ploy_rng_chance(&rng, 0.3f);
                inputs[i].fixed = ploy_rng_range(&rng, -3, 1);
                CHECK_OK(ploy_importance_step(&def, &inputs[i], 0.1f, &one[i]));
            }
            int32_t cut = ploy_rng_int(&rng, 0, COUNT);
            CHECK_OK(ploy_importance_step_batch(&def, inputs, cut, COUNT - cut, 0.1f, batch));
            CHECK_OK(ploy_importance_step_batch(&def, inputs, 0, cut, 0.1f, batch));
            CHECK_BYTES(batch, one, sizeof one);
            for (int32_t i = 0; i < COUNT; i++) CHECK(ploy_in_range(one[i].value, 0, 1));
        }
    }
}

TEST(importance_refuses_bad_settings_and_times) {
    ploy_importance_def def = ploy_importance_def_default();
    ploy_importance_input input = ploy_importance_input_make();
    ploy_importance state = {0.5f, 0, 0, 1};
    CHECK_OK(ploy_fields_check_table(ploy_importance_fields(), NULL));
    CHECK_INT(ploy_importance_step(NULL, &input, 0, &state), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_importance_step(&def, NULL, 0, &state), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_importance_step(&def, &input, -1, &state), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_importance_step(&def, &input, NAN, &state), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_importance_step_batch(&def, &input, -1, 1, 0, &state), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_importance_step_batch(&def, &input, INT32_MAX, 1, 0, &state), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_importance_step_batch(&def, NULL, 0, 0, 0, NULL));
    def.max_distance = 0;
    CHECK_INT(ploy_importance_step(&def, &input, 0, &state), PLOY_ERR_ARGUMENT);
    CHECK_NEAR(state.value, 0.5, 0);
}

TEST(the_trace_tells_each_part_of_the_sum) {
    ploy_importance_def def = at_once();
    ploy_importance_input input = ploy_importance_input_make();
    ploy_importance state = {0, 0, 0, 0};
    trace_why w;
    ploy_trace trace = trace_probe(&w);
    input.distance = 50;
    input.on_screen = true;
    CHECK_OK(ploy_importance_step(&def, &input, 0.1f, &state));
    ploy_importance_trace(&def, &input, &state, ploy_agent_id_make(1, 1), &trace);
    CHECK_INT(w.options, 5);
    CHECK_INT(w.won, 3); // distance, screen, watched
    CHECK_NEAR(w.sum, state.value, 1e-6);
    CHECK_INT(w.depth, 0);
    input.fixed = 0.25f;
    CHECK_OK(ploy_importance_step(&def, &input, 0.1f, &state));
    memset(&w, 0, sizeof w);
    ploy_importance_trace(&def, &input, &state, ploy_agent_id_make(1, 1), &trace);
    CHECK_INT(w.skipped, 5);
    CHECK_NEAR(w.sum, 0.25, 1e-6);
    ploy_importance_trace(&def, &input, &state, ploy_agent_id_make(1, 1), NULL);
}
