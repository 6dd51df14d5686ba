#include "base/base_internal.h"
#include "ploy/inspect/recorder.h"

#include <stdlib.h>

#include "tests/exec/toy_sim.h"
#include "tests/test.h"

static ploy_recorder_def small_def(uint64_t seed) {
    ploy_recorder_def def = ploy_recorder_def_default();
    def.snapshot_every = 16;
    def.hash_every = 10;
    def.sim.region_mib = 4;
    def.sim.seed = seed;
    return def;
}

static ploy_recorder *start(test_context *t, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(seed);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    return recorder;
}

static void run(test_context *t, ploy_recorder *recorder, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_recorder_step(recorder));
}

static uint64_t hash_of(const ploy_recorder *recorder) {
    return ploy_sim_hash(ploy_recorder_sim(recorder));
}

// The region's used part, copied; to be freed.
typedef struct image {
    void *bytes;
    size_t size;
} image;

static const void *region_bytes(const ploy_recorder *recorder, size_t *size) {
    // Reading the region needs no right to change it; the getter is not const for its other users.
    union {
        const ploy_sim *fixed;
        ploy_sim *sim;
    } it = {ploy_recorder_sim(recorder)};
    return ployi_region_bytes(ploy_sim_region(it.sim), size);
}

static image image_of(const ploy_recorder *recorder) {
    image copy = {NULL, 0};
    const void *bytes = region_bytes(recorder, &copy.size);
    copy.bytes = malloc(copy.size);
    memcpy(copy.bytes, bytes, copy.size);
    return copy;
}

static void check_image(test_context *t, const ploy_recorder *recorder, const image *want) {
    size_t size = 0;
    const void *bytes = region_bytes(recorder, &size);
    CHECK_UINT(size, want->size);
    CHECK_BYTES(bytes, want->bytes, size);
}

static size_t snapshot_bytes;

static void find_snapshots(void *user, const ploy_memory_item *item) {
    (void)user;
    if (strcmp(item->name, "region.snapshots") == 0) snapshot_bytes = item->bytes;
}

TEST(rewinding_and_running_again_gives_the_same_hash_and_the_same_bytes) {
    ploy_recorder *recorder = start(t, 7);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 1000; i++) {
        if (ploy_rng_chance(&rng, 0.1f)) {
            ploy_input input = toy_random_input(&rng);
            CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
        }
        CHECK_OK(ploy_recorder_step(recorder));
    }
    uint64_t hash = hash_of(recorder);
    image last = image_of(recorder);
    CHECK_OK(ploy_recorder_seek(recorder, 300, NULL));
    CHECK_UINT(ploy_recorder_tick(recorder), 300);
    CHECK_UINT(ploy_recorder_end(recorder), 1000);
    CHECK(hash_of(recorder) != hash);
    run(t, recorder, 700);
    CHECK_UINT(ploy_recorder_tick(recorder), 1000);
    CHECK_UINT(hash_of(recorder), hash);
    check_image(t, recorder, &last);
    CHECK_OK(ploy_recorder_seek(recorder, 0, NULL));
    CHECK_OK(ploy_recorder_seek(recorder, UINT64_MAX, NULL)); // past the end is the end
    CHECK_UINT(ploy_recorder_tick(recorder), 1000);
    check_image(t, recorder, &last);
    free(last.bytes);
    ploy_recorder_destroy(recorder);
    ploy_recorder_destroy(NULL);
}

TEST(stepping_back_visits_every_tick_as_it_was) {
    ploy_recorder *recorder = start(t, 3);
    uint64_t hashes[201];
    for (int32_t i = 0; i <= 200; i++) {
        hashes[i] = hash_of(recorder);
        if (i < 200) CHECK_OK(ploy_recorder_step(recorder));
    }
    for (int32_t i = 199; i >= 0; i--) {
        CHECK_OK(ploy_recorder_seek(recorder, (uint64_t)i, NULL));
        CHECK_UINT(hash_of(recorder), hashes[i]);
    }
    ploy_recorder_destroy(recorder);
}

static void count_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}

TEST(asking_why_traces_the_last_tick_and_changes_no_byte) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        TEST_SEED(seed);
        ploy_recorder *recorder = start(t, seed);
        ploy_rng rng = ploy_rng_make(seed);
        int32_t decisions = 0;
        ploy_trace trace = {count_begin, NULL, NULL, NULL, NULL, &decisions};
        CHECK_INT(ploy_recorder_why(recorder, &trace), PLOY_ERR_STATE); // nothing happened yet
        run(t, recorder, 60);
        for (int32_t i = 0; i < 12; i++) {
            uint64_t tick = 1 + ploy_rng_below(&rng, 60);
            if (i == 0) tick = 60;
            if (i == 1) tick = 1;
            CHECK_OK(ploy_recorder_seek(recorder, tick, NULL));
            image before = image_of(recorder);
            uint64_t hash = hash_of(recorder);
            decisions = 0;
            CHECK_OK(ploy_recorder_why(recorder, &trace));
            CHECK_INT(decisions, 5); // one for each agent, once
            CHECK_OK(ploy_recorder_why(recorder, NULL));
            CHECK_UINT(ploy_recorder_tick(recorder), tick);
            CHECK_UINT(ploy_recorder_end(recorder), 60);
            CHECK_UINT(hash_of(recorder), hash);
            check_image(t, recorder, &before);
            free(before.bytes);
        }
        ploy_recorder_destroy(recorder);
    }
}

TEST(a_listener_hears_every_tick_that_is_executed_and_changes_no_hash) {
    ploy_recorder *heard = start(t, 3), *plain = start(t, 3);
    int32_t decisions = 0;
    ploy_trace trace = {count_begin, NULL, NULL, NULL, NULL, &decisions};
    ploy_recorder_set_trace(heard, &trace);
    trace.begin = NULL; // it was copied
    run(t, heard, 40);
    run(t, plain, 40);
    CHECK_INT(decisions, 40 * 5);
    CHECK_UINT(hash_of(heard), hash_of(plain));
    decisions = 0;
    CHECK_OK(ploy_recorder_why(heard, NULL)); // for its own listener, and for nobody here
    CHECK_INT(decisions, 0);
    CHECK_OK(ploy_recorder_seek(heard, 0, NULL));
    CHECK_OK(ploy_recorder_seek(heard, 7, NULL));
    CHECK_INT(decisions % 5, 0);
    CHECK(decisions > 0 && decisions <= 7 * 5); // a snapshot may have shortened the way
    ploy_recorder_set_trace(heard, NULL);
    decisions = 0;
    run(t, heard, 1);
    CHECK_INT(decisions, 0);
    ploy_recorder_set_trace(NULL, NULL);
    ploy_recorder_destroy(heard);
    ploy_recorder_destroy(plain);
}

// What the recorder should be: a log, executed from the beginning each time.
typedef struct model {
    ploy_input inputs[512];
    uint64_t ticks[512];
    int32_t count;
    uint64_t tick, end;
} model;

static uint64_t model_hash(test_context *t, const model *m, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = small_def(seed).sim;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, &toy_sim, NULL, NULL, &env, &sim));
    int32_t at = 0;
    for (uint64_t tick = 0; tick < m->tick; tick++) {
        int32_t first = at;
        while (at < m->count && m->ticks[at] == tick) at++;
        CHECK_OK(ploy_sim_step(sim, &m->inputs[first], at - first, NULL));
    }
    uint64_t hash = ploy_sim_hash(sim);
    ploy_sim_destroy(sim);
    return hash;
}

static void model_input(model *m, ploy_input input) {
    if (m->tick < m->end) {
        while (m->count > 0 && m->ticks[m->count - 1] >= m->tick) m->count--;
        m->end = m->tick;
    }
    m->inputs[m->count] = input;
    m->ticks[m->count++] = m->tick;
}

TEST(any_walk_through_time_agrees_with_a_straight_run) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        TEST_SEED(seed);
        ploy_recorder *recorder = start(t, seed);
        model m = {.count = 0};
        ploy_rng rng = ploy_rng_make(seed);
        for (int32_t i = 0; i < 60; i++) {
            switch (ploy_rng_int(&rng, 0, 5)) {
            case 0:
            case 1: {
                int32_t steps = ploy_rng_int(&rng, 1, 25);
                run(t, recorder, steps);
                m.tick += (uint64_t)steps;
                if (m.tick > m.end) m.end = m.tick;
                break;
            }
            case 2: {
                uint64_t to = ploy_rng_below(&rng, m.end + 1);
                CHECK_OK(ploy_recorder_seek(recorder, to, NULL));
                m.tick = to;
                break;
            }
            case 3: {
                ploy_input input = toy_random_input(&rng);
                CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
                model_input(&m, input);
                break;
            }
            case 4: {
                // Going on in the fork; the first one is dropped.
                ploy_env env = ploy_env_default();
                ploy_recorder *fork = NULL;
                CHECK_OK(ploy_recorder_fork(recorder, &env, &fork));
                CHECK_UINT(hash_of(fork), hash_of(recorder));
                ploy_recorder_destroy(recorder);
                recorder = fork;
                while (m.count > 0 && m.ticks[m.count - 1] >= m.tick) m.count--;
                m.end = m.tick;
                break;
            }
            default:
                if (m.tick > 0) CHECK_OK(ploy_recorder_why(recorder, NULL));
                break;
            }
            CHECK_UINT(ploy_recorder_tick(recorder), m.tick);
            CHECK_UINT(ploy_recorder_end(recorder), m.end);
            CHECK_INT(ploy_recorder_input_count(recorder), m.count);
            if (i % 4 == 3) CHECK_UINT(hash_of(recorder), model_hash(t, &m, seed));
        }
        ploy_recorder_destroy(recorder);
    }
}

TEST(an_input_in_the_past_makes_another_future) {
    ploy_recorder *recorder = start(t, 2);
    run(t, recorder, 20);
    ploy_input speed = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(9));
    CHECK_OK(ploy_recorder_input(recorder, &speed, NULL));
    run(t, recorder, 40);
    uint64_t hash = hash_of(recorder);
    CHECK_OK(ploy_recorder_seek(recorder, 10, NULL));
    // A refused input forgets nothing.
    ploy_input bad = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(-9));
    CHECK_INT(ploy_recorder_input(recorder, &bad, NULL), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_recorder_end(recorder), 60);
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    CHECK_UINT(ploy_recorder_end(recorder), 10);
    CHECK_INT(ploy_recorder_input_count(recorder), 1); // the speed is forgotten
    run(t, recorder, 50);
    CHECK(hash_of(recorder) != hash);
    uint64_t tick = 0;
    const ploy_input *first = ploy_recorder_input_at(recorder, 0, &tick);
    CHECK_TEXT(first->name, "spawn");
    CHECK_UINT(tick, 10);
    CHECK(ploy_recorder_input_at(recorder, 1, NULL) == NULL);
    CHECK(ploy_recorder_input_at(recorder, -1, NULL) == NULL);
    ploy_recorder_destroy(recorder);
}

TEST(queued_inputs_wait_at_the_end_while_somebody_looks_back) {
    ploy_recorder *recorder = start(t, 2);
    run(t, recorder, 30);
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    CHECK_OK(ploy_recorder_seek(recorder, 5, NULL));
    CHECK_OK(ploy_recorder_seek(recorder, 30, NULL));
    CHECK_INT(ploy_recorder_input_count(recorder), 2);
    CHECK_OK(ploy_recorder_step(recorder));
    uint64_t tick = 0;
    CHECK(ploy_recorder_input_at(recorder, 1, &tick) != NULL);
    CHECK_UINT(tick, 30);
    ploy_recorder_destroy(recorder);
}

TEST(inputs_are_copied_and_may_come_from_the_log_itself) {
    ploy_recorder *recorder = start(t, 2);
    char name[] = "say", text[] = "hello", bytes[] = "abc";
    ploy_input say = toy_input(PLOY_INPUT_COMMAND, name, ploy_value_text(text));
    ploy_input reload = toy_input(PLOY_INPUT_RELOAD, "tree", ploy_value_none());
    reload.bytes = bytes;
    reload.size = 3;
    CHECK_OK(ploy_recorder_input(recorder, &say, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &reload, NULL));
    memset(name, 'x', 3);
    memset(text, 'x', 5);
    memset(bytes, 'x', 3);
    run(t, recorder, 1);
    for (int32_t i = 0; i < 200; i++) { // grows the log under its own input
        const ploy_input *own = ploy_recorder_input_at(recorder, i, NULL);
        CHECK_OK(ploy_recorder_input(recorder, own, NULL));
    }
    const ploy_input *last = ploy_recorder_input_at(recorder, 200, NULL);
    CHECK_TEXT(last->name, "say");
    CHECK_TEXT(last->value.as.text, "hello");
    CHECK_BYTES(ploy_recorder_input_at(recorder, 201, NULL)->bytes, "abc", 3);
    // In the past, the log's own input is about to be forgotten while it is given.
    run(t, recorder, 1);
    CHECK_OK(ploy_recorder_seek(recorder, 1, NULL));
    CHECK_OK(ploy_recorder_input(recorder, ploy_recorder_input_at(recorder, 100, NULL), NULL));
    CHECK_INT(ploy_recorder_input_count(recorder), 3);
    CHECK_TEXT(ploy_recorder_input_at(recorder, 2, NULL)->value.as.text, "hello");
    run(t, recorder, 5);
    ploy_recorder_destroy(recorder);
}

TEST(the_log_has_a_limit) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(1);
    def.max_inputs = 3;
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
        run(t, recorder, 1);
    }
    CHECK_INT(ploy_recorder_input(recorder, &spawn, NULL), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_recorder_seek(recorder, 1, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL)); // two are forgotten, so there is room
    CHECK_INT(ploy_recorder_input_count(recorder), 2);
    ploy_recorder_destroy(recorder);
}

TEST(texts_must_be_utf8_or_a_file_could_not_hold_them) {
    ploy_recorder *recorder = start(t, 2);
    ploy_input say = toy_input(PLOY_INPUT_COMMAND, "say", ploy_value_text("\xFF"));
    CHECK_INT(ploy_recorder_input(recorder, &say, NULL), PLOY_ERR_ARGUMENT);
    ploy_input units = toy_input(PLOY_INPUT_UNITS, "\xC3", ploy_value_u64(1));
    CHECK_INT(ploy_recorder_input(recorder, &units, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_recorder_input(recorder, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_recorder_destroy(recorder);
}

TEST(a_long_way_can_be_cut_into_slices) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(1);
    def.snapshot_every = 1000; // only the first
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    run(t, recorder, 100);
    uint64_t hash = hash_of(recorder);
    int32_t slices = 0;
    for (;; slices++) {
        ploy_budget budget = ploy_budget_units(7);
        ploy_result result = ploy_recorder_seek(recorder, 90, &budget);
        CHECK(budget.spent <= 7);
        if (result == PLOY_OK) break;
        CHECK_INT(result, PLOY_IN_PROGRESS);
        CHECK_UINT(ploy_recorder_tick(recorder), (uint64_t)(slices + 1) * 7);
    }
    CHECK_INT(slices, 12); // 90 = 12 * 7 + 6
    ploy_budget none = ploy_budget_units(0);
    CHECK_INT(ploy_recorder_seek(recorder, 5, &none), PLOY_IN_PROGRESS);
    CHECK_UINT(ploy_recorder_tick(recorder), 90); // not even begun
    CHECK_OK(ploy_recorder_seek(recorder, 90, &none));
    CHECK_OK(ploy_recorder_seek(recorder, 100, NULL));
    CHECK_UINT(hash_of(recorder), hash);
    ploy_recorder_destroy(recorder);
}

TEST(going_forth_through_a_known_past_takes_the_snapshots_too) {
    ploy_recorder *recorder = start(t, 1); // a snapshot every 16 ticks
    run(t, recorder, 500);
    CHECK_OK(ploy_recorder_seek(recorder, 3, NULL));
    ploy_budget budget = ploy_budget_unlimited();
    CHECK_OK(ploy_recorder_seek(recorder, 490, &budget));
    CHECK_INT(budget.spent, 490 % 16);
    ploy_recorder_destroy(recorder);
}

static ploy_result drifting_step(void *state, const ploy_sim_context *context) {
    static int32_t calls; // what must never be: state outside the region
    toy_state *toy = state;
    toy->units = (uint64_t)++calls;
    return toy_step(state, context);
}

typedef struct heard {
    int32_t errors;
    char last[256];
} heard;

static void hear(void *user, ploy_severity severity, const char *text) {
    heard *all = user;
    if (severity != PLOY_SEVERITY_ERROR) return;
    all->errors++;
    snprintf(all->last, sizeof all->last, "%s", text);
}

TEST(a_simulation_that_is_not_repeatable_is_found_out) {
    heard all = {0, ""};
    ploy_env env = ploy_env_default();
    env.log = hear;
    env.log_user = &all;
    ploy_sim_type type = toy_sim;
    type.name = "drift";
    type.step = drifting_step;
    ploy_recorder_def def = small_def(1);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &type, NULL, NULL, &env, &recorder));
    run(t, recorder, 55);
    uint64_t hash = hash_of(recorder);
    image before = image_of(recorder);
    CHECK_INT(ploy_recorder_why(recorder, NULL), PLOY_ERR_STATE);
    check_image(t, recorder, &before); // asking does no harm even here
    CHECK_UINT(hash_of(recorder), hash);
    ploy_recorder *fork = NULL;
    CHECK_INT(ploy_recorder_fork(recorder, &env, &fork), PLOY_ERR_STATE);
    CHECK(fork == NULL);
    CHECK_INT(ploy_recorder_seek(recorder, 3, NULL), PLOY_OK); // no hash on the way to tell
    all.errors = 0;
    run(t, recorder, 6);
    CHECK_INT(ploy_recorder_step(recorder), PLOY_ERR_STATE);
    CHECK_UINT(ploy_recorder_tick(recorder), 10);
    CHECK_INT(all.errors, 1);
    CHECK(strstr(all.last, "drift is not repeatable: at tick 10 ") != NULL);
    free(before.bytes);
    ploy_recorder_destroy(recorder);
}

TEST(the_last_state_is_compared_too) {
    ploy_env env = ploy_env_default();
    ploy_sim_type type = toy_sim;
    type.step = drifting_step;
    ploy_recorder_def def = small_def(1);
    def.hash_every = 1000; // only the end tells
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &type, NULL, NULL, &env, &recorder));
    run(t, recorder, 15);
    CHECK_OK(ploy_recorder_seek(recorder, 2, NULL));
    CHECK_INT(ploy_recorder_seek(recorder, 15, NULL), PLOY_ERR_STATE);
    ploy_recorder_destroy(recorder);
}

TEST(after_a_failed_step_the_recorder_stands_where_it_stood) {
    ploy_recorder *recorder = start(t, 4);
    run(t, recorder, 37);
    image before = image_of(recorder);
    ploy_input fail = toy_input(PLOY_INPUT_COMMAND, "fail", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &fail, NULL));
    for (int32_t i = 0; i < 3; i++) {
        CHECK_INT(ploy_recorder_step(recorder), PLOY_ERR_CALLBACK);
        CHECK_UINT(ploy_recorder_tick(recorder), 37);
        CHECK_UINT(ploy_recorder_end(recorder), 37);
        CHECK(!ploy_sim_stopped(ploy_recorder_sim(recorder)));
        check_image(t, recorder, &before);
    }
    // The record is whole and can be saved; another input one tick back makes a way around.
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_recorder_save(recorder, &writer));
    ploy_buffer_fini(&buffer);
    CHECK_OK(ploy_recorder_seek(recorder, 36, NULL));
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    run(t, recorder, 10);
    free(before.bytes);
    ploy_recorder_destroy(recorder);
}

TEST(a_fork_lives_its_own_life) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_recorder *recorder = start(t, 6);
    run(t, recorder, 50);
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    run(t, recorder, 50);
    uint64_t hash = hash_of(recorder);
    CHECK_OK(ploy_recorder_seek(recorder, 50, NULL));
    ploy_recorder *fork = NULL;
    CHECK_OK(ploy_recorder_fork(recorder, &env, &fork));
    CHECK_UINT(ploy_recorder_tick(fork), 50);
    CHECK_UINT(ploy_recorder_end(fork), 50);
    CHECK_INT(ploy_recorder_input_count(fork), 0); // that of tick 50 is the other's future
    CHECK_UINT(hash_of(fork), hash_of(recorder));
    run(t, fork, 50);
    CHECK(hash_of(fork) != hash);
    CHECK_OK(ploy_recorder_seek(recorder, 100, NULL));
    CHECK_UINT(hash_of(recorder), hash);
    ploy_recorder_destroy(fork);
    CHECK_INT(counts.blocks, 0);
    ploy_recorder_destroy(recorder);
}

TEST(snapshots_stay_within_their_memory_and_the_near_past_stays_dense) {
    // 24 KiB change each tick, so 1 MiB holds some 35 snapshots of the 750 that 3000 ticks make.
    static const uint64_t distances[] = {1, 3, 10, 30, 100, 300, 500, 1000, 1500, 2000, 2900};
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(1);
    def.snapshot_every = 4;
    def.snapshot_mib = 1;
    def.hash_every = 1000;
    toy_def params;
    ploy_fields_default(toy_fields(), &params);
    params.ballast_kib = 24;
    params.noisy = false;
    for (size_t i = 0; i < COUNT_OF(distances); i++) {
        ploy_recorder *recorder = NULL;
        CHECK_OK(ploy_recorder_create(&def, &toy_sim, &params, NULL, &env, &recorder));
        size_t most = 0;
        for (int32_t tick = 0; tick < 3000; tick++) {
            CHECK_OK(ploy_recorder_step(recorder));
            if (tick % 4 != 3) continue;
            ploy_recorder_memory(recorder, find_snapshots, NULL);
            CHECK(snapshot_bytes < (size_t)1 << 20);
            if (snapshot_bytes > most) most = snapshot_bytes;
        }
        CHECK(most > (size_t)3 << 18); // and they use what they have
        uint64_t distance = distances[i];
        ploy_budget budget = ploy_budget_unlimited();
        CHECK_OK(ploy_recorder_seek(recorder, 3000 - distance, &budget));
        // Even in the logarithm of 1 to 750 they would leave gaps of a fifth of the distance; the
        // greedy choice may lose a factor of two, and the nearest ones are 4 ticks apart.
        CHECK((uint64_t)budget.spent <= distance * 2 / 5 + 4);
        ploy_recorder_memory(recorder, find_snapshots, NULL);
        CHECK(snapshot_bytes < (size_t)1 << 20);
        ploy_recorder_destroy(recorder);
    }
}

TEST(memory_for_one_snapshot_only_still_works) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(1);
    def.snapshot_every = 4;
    def.snapshot_mib = 1;
    toy_def params;
    ploy_fields_default(toy_fields(), &params);
    params.ballast_kib = 2000; // one alone is more than the memory for all
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, &params, NULL, &env, &recorder));
    run(t, recorder, 20);
    uint64_t hash = hash_of(recorder);
    CHECK_OK(ploy_recorder_seek(recorder, 3, NULL));
    CHECK_OK(ploy_recorder_seek(recorder, 20, NULL));
    CHECK_UINT(hash_of(recorder), hash);
    ploy_recorder_destroy(recorder);
}

TEST(create_refuses_bad_settings) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(1);
    ploy_recorder *recorder = (ploy_recorder *)&env;
    CHECK_INT(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_recorder_create(NULL, &toy_sim, NULL, NULL, &env, &recorder), PLOY_ERR_ARGUMENT);
    CHECK(recorder == NULL);
    CHECK_INT(ploy_recorder_create(&def, NULL, NULL, NULL, &env, &recorder), PLOY_ERR_ARGUMENT);
    def.hash_every = 0;
    CHECK_INT(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder), PLOY_ERR_ARGUMENT);
    def = small_def(1);
    def.sim.region_mib = 0; // the nested def is checked too
    CHECK_INT(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder), PLOY_ERR_ARGUMENT);
    CHECK(recorder == NULL);
}

// Everything a recorder does, each failure passed on; what must hold after a failure is checked.
static ploy_result do_everything(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_recorder_def def = small_def(1);
    def.sim.region_mib = 1;
    def.snapshot_every = 3;
    def.hash_every = 2;
    ploy_recorder *recorder = NULL, *fork = NULL;
    ploy_result result = ploy_recorder_create(&def, &toy_sim, NULL, NULL, env, &recorder);
    if (result != PLOY_OK) return recorder == NULL ? result : PLOY_ERR_STATE;
    ploy_input say = toy_input(PLOY_INPUT_COMMAND, "say", ploy_value_text("hello"));
    for (int32_t i = 0; i < 8 && result == PLOY_OK; i++) {
        result = ploy_recorder_input(recorder, &say, NULL);
        uint64_t hash = hash_of(recorder);
        if (result == PLOY_OK) result = ploy_recorder_step(recorder);
        if (result != PLOY_OK && hash_of(recorder) != hash) result = PLOY_ERR_STATE;
    }
    if (result == PLOY_OK) result = ploy_recorder_seek(recorder, 4, NULL);
    uint64_t hash = hash_of(recorder);
    if (result == PLOY_OK) result = ploy_recorder_why(recorder, NULL);
    if (result == PLOY_OK) result = ploy_recorder_fork(recorder, env, &fork);
    if (result == PLOY_OK) {
        result = ploy_recorder_input(recorder, &say, NULL);
        if (result != PLOY_OK && ploy_recorder_end(recorder) != 8) result = PLOY_ERR_STATE;
    }
    if (hash_of(recorder) != hash) result = PLOY_ERR_STATE;
    ploy_recorder_destroy(fork);
    ploy_recorder_destroy(recorder);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(do_everything, NULL);
}

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_recorder_fields(), NULL));
}

// The toy, in which agent 90 decides something in every sixteenth tick and agent 91 only in the fifth.
static ploy_result seldom_step(void *state, const ploy_sim_context *context) {
    ploy_sim_context quiet = *context;
    quiet.trace = NULL;
    uint64_t tick = context->tick + 1;
    if (tick % 16 == 0) {
        ploy_trace_begin(context->trace, ploy_agent_id_make(90, 1), "seldom", "by the tick");
        ploy_trace_end(context->trace);
    }
    if (tick == 5) {
        ploy_trace_begin(context->trace, ploy_agent_id_make(91, 1), "once", "by the tick");
        ploy_trace_end(context->trace);
    }
    return toy_sim.step(state, &quiet);
}

TEST(the_last_decision_is_found_and_no_byte_changes) {
    static const struct {
        const char *row;
        uint64_t tick, most;
        uint32_t agent; // 0: any
        ploy_result result;
        uint64_t want;
    } rows[] = {{"in this tick", 48, 100, 90, PLOY_OK, 48},
                {"some ticks ago", 63, 100, 90, PLOY_OK, 48},
                {"just out of sight", 63, 15, 90, PLOY_ERR_NOT_FOUND, 0},
                {"just in sight", 63, 16, 90, PLOY_OK, 48},
                {"long ago", 200, 200, 91, PLOY_OK, 5},
                {"anybody's", 200, 200, 0, PLOY_OK, 192},
                {"before the first", 4, 100, 91, PLOY_ERR_NOT_FOUND, 0},
                {"nobody's", 100, 100, 7, PLOY_ERR_NOT_FOUND, 0}};
    ploy_env env = ploy_env_default();
    ploy_sim_type type = toy_sim;
    type.name = "seldom";
    type.step = seldom_step;
    ploy_recorder_def def = small_def(3);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &type, NULL, NULL, &env, &recorder));
    uint64_t found = 77;
    CHECK_INT(ploy_recorder_last_decision(recorder, ploy_agent_id_none(), 10, &found),
              PLOY_ERR_STATE); // nothing happened yet
    run(t, recorder, 200);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_OK(ploy_recorder_seek(recorder, rows[i].tick, NULL));
        image before = image_of(recorder);
        ploy_agent_id agent = ploy_agent_id_none();
        if (rows[i].agent != 0) agent = ploy_agent_id_make(rows[i].agent, 1);
        found = 77;
        CHECK_INT(ploy_recorder_last_decision(recorder, agent, rows[i].most, &found),
                  rows[i].result);
        CHECK_UINT(found, rows[i].result == PLOY_OK ? rows[i].want : 77);
        CHECK_UINT(ploy_recorder_tick(recorder), rows[i].tick);
        check_image(t, recorder, &before);
        free(before.bytes);
    }
    t->row = NULL;
    ploy_recorder_destroy(recorder);
}
