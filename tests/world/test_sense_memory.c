// Sensory memory: the vectors, bounds, lives, and what each kind of news changes.
#include "ploy/world/sense_memory.h"
#include "world/world_internal.h"

#include "ploy/base/rng.h"
#include "tests/state.h"
#include "tests/world/sense_test.h"

static ploy_sense_memory *memory_make(test_context *t, int32_t capacity, float span) {
    ploy_env env = ploy_env_default();
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    def.capacity = capacity;
    def.span = span;
    ploy_sense_memory *memory = NULL;
    CHECK_OK(ploy_sense_memory_create(&def, crowd_agent(0), &env, &memory));
    return memory;
}

static void memory_see(ploy_sense_memory *memory, int32_t i, float x, double now) {
    ploy_sense_memory_look(memory, crowd_agent(i), ploy_vec3_make(x, 0, 0), true, true, 1, now);
}

static void memory_lose(ploy_sense_memory *memory, int32_t i, double now) {
    ploy_sense_memory_look(memory, crowd_agent(i), ploy_vec3_zero(), false, false, 0, now);
}

TEST(what_was_sensed_is_remembered_for_the_span) { // RAV-23
    ploy_sense_memory *memory = memory_make(t, 4, 5);
    memory_see(memory, 1, 3, 10);
    ploy_agent_id recent[4];
    CHECK_INT(ploy_sense_memory_recent(memory, 15.0, recent, 4), 1);
    CHECK(ploy_id_equal(recent[0].id, crowd_agent(1).id));
    CHECK_INT(ploy_sense_memory_recent(memory, 15.01, recent, 4), 0);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 15.0), 1, 0);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 15.01), 0, 0);
    CHECK_INT(ploy_sense_memory_count(memory), 1);
    ploy_sense_memory_forget(memory, 15.0);
    CHECK_INT(ploy_sense_memory_count(memory), 1);
    ploy_sense_memory_forget(memory, 15.01);
    CHECK_INT(ploy_sense_memory_count(memory), 0);
    ploy_sense_memory_destroy(memory);
    ploy_sense_memory_destroy(NULL);
}

TEST(times_in_and_out_of_view_are_kept) { // RAV-23
    ploy_sense_memory *memory = memory_make(t, 4, 5);
    ploy_agent_id other = crowd_agent(1);
    for (int32_t i = 0; i < 3; i++) memory_see(memory, 1, (float)i, 0.25 * i);
    CHECK_NEAR(ployi_sense_memory_time_visible(memory, other, 0.5), 0.5, 0);
    CHECK(ployi_sense_memory_visible(memory, other));
    CHECK(ployi_sense_memory_shootable(memory, other));
    memory_lose(memory, 1, 0.75);
    CHECK_NEAR(ployi_sense_memory_time_visible(memory, other, 0.75), 0, 0);
    CHECK_NEAR(ploy_sense_memory_time_out_of_view(memory, other, 1.0), 0.5, 0);
    CHECK_NEAR(ployi_sense_memory_time_since(memory, other, 1.0), 0.5, 0);
    CHECK(!ployi_sense_memory_visible(memory, other));
    CHECK(!ployi_sense_memory_shootable(memory, other));
    ploy_vec3 at;
    CHECK(ploy_sense_memory_position(memory, other, &at));
    CHECK_NEAR(at.x, 2, 0); // where it was last, not where it is
    memory_see(memory, 1, 9, 2);
    CHECK_NEAR(ployi_sense_memory_time_visible(memory, other, 3), 1, 0);
    CHECK(!isfinite(ploy_sense_memory_time_out_of_view(memory, crowd_agent(7), 3)));
    CHECK(!isfinite(ployi_sense_memory_time_since(memory, crowd_agent(7), 3)));
    CHECK(!ploy_sense_memory_position(memory, crowd_agent(7), &at));
    CHECK_NEAR(ployi_sense_memory_time_visible(memory, crowd_agent(7), 3), 0, 0);
    ploy_sense_memory_destroy(memory);
}

TEST(in_line_but_out_of_view_is_shootable_and_not_seen) {
    ploy_sense_memory *memory = memory_make(t, 4, 5);
    ploy_agent_id other = crowd_agent(1);
    ploy_vec3 at = ploy_vec3_make(1, 2, 3);
    ploy_sense_memory_look(memory, other, at, false, true, 0, 0);
    CHECK(ploy_sense_memory_get(memory, other) == NULL); // a stranger in the back
    memory_see(memory, 1, 5, 1);
    ploy_sense_memory_look(memory, other, at, false, true, 0, 2);
    CHECK(ployi_sense_memory_shootable(memory, other));
    CHECK(!ployi_sense_memory_visible(memory, other));
    CHECK(ploy_sense_memory_position(memory, other, &at));
    CHECK_NEAR(at.x, 5, 0);
    CHECK_NEAR(ployi_sense_memory_time_since(memory, other, 2), 1, 0);
    ploy_sense_memory_destroy(memory);
}

TEST(a_sound_tells_of_somebody_and_only_in_line_of_where) {
    for (int32_t heard = 0; heard < 2; heard++) {
        ploy_env env = ploy_env_default();
        ploy_sense_memory_def def = ploy_sense_memory_def_default();
        def.heard_position = heard == 1;
        ploy_sense_memory *memory = NULL;
        CHECK_OK(ploy_sense_memory_create(&def, crowd_agent(0), &env, &memory));
        ploy_vec3 at = ploy_vec3_make(4, 0, 0);
        ploy_sense_memory_hear(memory, crowd_agent(1), at, false, 1);
        CHECK(ploy_sense_memory_position(memory, crowd_agent(1), &at) == (heard == 1));
        CHECK_NEAR(ployi_sense_memory_time_since(memory, crowd_agent(1), 2), 1, 0);
        CHECK(!isfinite(ploy_sense_memory_time_out_of_view(memory, crowd_agent(1), 2)));
        CHECK(!ployi_sense_memory_shootable(memory, crowd_agent(1)));
        ploy_sense_memory_hear(memory, crowd_agent(1), at, true, 2);
        CHECK(ployi_sense_memory_shootable(memory, crowd_agent(1)));
        CHECK(ploy_sense_memory_position(memory, crowd_agent(1), &at));
        ploy_sense_memory_hear(memory, crowd_agent(0), at, true, 2); // itself
        ploy_sense_memory_hear(memory, ploy_agent_id_none(), at, true, 2);
        CHECK_INT(ploy_sense_memory_count(memory), 1);
        ploy_sense_memory_destroy(memory);
    }
}

TEST(nonsense_changes_nothing) {
    ploy_sense_memory *memory = memory_make(t, 4, 5);
    ploy_vec3 nowhere = ploy_vec3_make(NAN, 0, 0);
    ploy_sense_memory_look(memory, crowd_agent(1), nowhere, true, true, 1, 0);
    ploy_sense_memory_hear(memory, crowd_agent(1), nowhere, true, 0);
    ploy_sense_memory_hear(memory, crowd_agent(1), ploy_vec3_zero(), true, (double)NAN);
    memory_see(memory, 0, 1, 1); // the owner
    CHECK_INT(ploy_sense_memory_count(memory), 0);
    CHECK(!ployi_sense_memory_purge(memory, crowd_agent(1)));
    CHECK(ploy_sense_memory_at(memory, 0) == NULL);
    ploy_sense_memory_destroy(memory);
}

TEST(a_new_life_is_a_stranger) {
    ploy_sense_memory *memory = memory_make(t, 2, 5);
    memory_see(memory, 1, 1, 0);
    memory_see(memory, 2, 1, 0);
    ploy_agent_id reborn = ploy_agent_id_make(1, 2);
    CHECK(ploy_sense_memory_get(memory, reborn) == NULL);
    ploy_sense_memory_look(memory, reborn, ploy_vec3_zero(), true, true, 1, 1);
    CHECK(ploy_sense_memory_get(memory, crowd_agent(1)) == NULL);
    CHECK(ploy_sense_memory_get(memory, reborn) != NULL);
    CHECK(ploy_sense_memory_get(memory, crowd_agent(2)) != NULL); // nobody else gave way
    CHECK(ployi_sense_memory_purge(memory, crowd_agent(2)));
    CHECK_INT(ploy_sense_memory_count(memory), 1);
    ploy_sense_memory_destroy(memory);
}

TEST(certainty_halves) {
    ploy_env env = ploy_env_default();
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    def.half_life = 2;
    ploy_sense_memory *memory = NULL;
    CHECK_OK(ploy_sense_memory_create(&def, crowd_agent(0), &env, &memory));
    memory_see(memory, 1, 1, 10);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 10), 1, 0);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 12), 0.5, 1e-6);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 14), 0.25, 1e-6);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(1), 15.1), 0, 0);
    CHECK_NEAR(ploy_sense_memory_certainty(memory, crowd_agent(2), 10), 0, 0);
    ploy_sense_memory_destroy(memory);
}

// A slow memory that keeps the last time for every index, and evicts the same way.
TEST(whom_it_sensed_longest_ago_gives_way) {
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        int32_t capacity = ploy_rng_int(&rng, 1, 6);
        ploy_sense_memory *memory = memory_make(t, capacity, 5);
        double last[16];
        int32_t count = 0;
        for (int32_t i = 0; i < 16; i++) last[i] = -1;
        for (int32_t step = 0; step < 60; step++) {
            int32_t who = ploy_rng_int(&rng, 1, 12);
            double now = step / 3; // several at one time
            if (last[who] < 0 && count == capacity) {
                int32_t oldest = 0;
                for (int32_t i = 1; i < 16; i++) {
                    if (last[i] >= 0 && (oldest == 0 || last[i] < last[oldest])) oldest = i;
                }
                last[oldest] = -1;
                count--;
            }
            count += last[who] < 0;
            last[who] = now;
            memory_see(memory, who, 1, now);
            CHECK_INT(ploy_sense_memory_count(memory), count);
            int32_t place = 0;
            for (int32_t i = 0; i < 16; i++) {
                const ploy_sense_record *record = ploy_sense_memory_get(memory, crowd_agent(i));
                CHECK((record != NULL) == (last[i] >= 0));
                if (record == NULL) continue;
                CHECK_SAME(record->last_sensed, last[i]);
                CHECK(record == ploy_sense_memory_at(memory, place++)); // by rising id
            }
        }
        ploy_sense_memory_destroy(memory);
    }
}

TEST(sight_percepts_and_batches_update_it) {
    ploy_env env = ploy_env_default();
    ploy_sense_memory *memory = memory_make(t, 8, 5);
    ploy_sight_def eyes = ploy_sight_def_default();
    ploy_sight_observer me = {crowd_agent(0), ploy_pose_make2(ploy_vec2_zero(), 0, 0.5f), &eyes,
                              false};
    ploy_sight_target targets[3];
    memset(targets, 0, sizeof targets);
    for (int32_t i = 0; i < 3; i++) {
        targets[i].agent = crowd_agent(i + 1);
        targets[i].pose = ploy_pose_make2(ploy_vec2_make(i == 2 ? -5.0f : 5.0f, (float)i), 0, 0.5f);
    }
    ploy_sight_world world = ploy_sight_world_make(NULL);
    ploy_sight sight = ploy_sight_test(&me, &targets[0], &world, NULL);
    ploy_vec3 at = targets[0].pose.frame.position;
    ploy_sense_memory_sight(memory, crowd_agent(1), at, &sight, 0);
    CHECK(ployi_sense_memory_visible(memory, crowd_agent(1)));
    sight.reason = PLOY_SIGHT_OUTSIDE; // turned away: nothing is known of the line
    ploy_sense_memory_sight(memory, crowd_agent(1), at, &sight, 0.5);
    CHECK(!ployi_sense_memory_visible(memory, crowd_agent(1)));
    CHECK(ployi_sense_memory_shootable(memory, crowd_agent(1)));
    sight.reason = PLOY_SIGHT_BLOCKED;
    ploy_sense_memory_sight(memory, crowd_agent(1), at, &sight, 0.7);
    CHECK(!ployi_sense_memory_shootable(memory, crowd_agent(1)));

    memory_see(memory, 3, 1, 0.8); // seen before, but behind now
    ploy_sight_batch_def def = ploy_sight_batch_def_default();
    ploy_sight_batch *batch = NULL;
    CHECK_OK(ploy_sight_batch_create(&def, &env, &batch));
    CHECK_OK(ploy_sight_batch_begin(batch, &me, 1, targets, 3, &world));
    CHECK_OK(ploy_sight_batch_step(batch, NULL, NULL));
    ployi_sense_memory_batch(memory, batch, 0, targets, 1);
    CHECK(ployi_sense_memory_visible(memory, crowd_agent(1)));
    CHECK(ployi_sense_memory_visible(memory, crowd_agent(2)));
    CHECK(!ployi_sense_memory_visible(memory, crowd_agent(3)));
    CHECK_NEAR(ploy_sense_memory_time_out_of_view(memory, crowd_agent(3), 1), 0.2, 1e-9);
    ploy_sight_batch_destroy(batch);

    ploy_modality items[2] = {ploy_modality_of(PLOY_SENSE_SIGHT),
                              ploy_modality_of(PLOY_SENSE_SOUND)};
    ploy_modalities *table = sense_table(t, items, 2);
    ploy_percept percept;
    memset(&percept, 0, sizeof percept);
    percept.signal = sense_signal(0, 1, 2, 0);
    percept.signal.source = crowd_agent(4);
    percept.intensity = 0.5f;
    percept.time = 2;
    ploy_sense_memory_percept(memory, &percept, table);
    CHECK(ployi_sense_memory_visible(memory, crowd_agent(4)));
    CHECK_NEAR(ploy_sense_memory_get(memory, crowd_agent(4))->visibility, 0.5, 0);
    percept.signal.modality = 1;
    percept.signal.source = crowd_agent(5);
    ploy_sense_memory_percept(memory, &percept, table);
    CHECK(!ployi_sense_memory_visible(memory, crowd_agent(5)));
    CHECK_NEAR(ployi_sense_memory_time_since(memory, crowd_agent(5), 2), 0, 0);
    ploy_modalities_destroy(table);
    ploy_sense_memory_clear(memory);
    CHECK_INT(ploy_sense_memory_count(memory), 0);
    ploy_sense_memory_destroy(memory);
}

static ploy_result memory_create(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    ploy_sense_memory *memory = NULL;
    ploy_result result = ploy_sense_memory_create(&def, crowd_agent(1), env, &memory);
    ploy_sense_memory_destroy(memory);
    return result;
}

TEST(memory_survives_failing_allocations_and_bad_defs) {
    CHECK_FAIL_NTH(memory_create, NULL);
    CHECK_OK(ploy_fields_check_table(ploy_sense_memory_fields(), NULL));
    ploy_env env = ploy_env_default();
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    ploy_sense_memory *memory = NULL;
    def.span = NAN;
    CHECK_INT(ploy_sense_memory_create(&def, crowd_agent(1), &env, &memory), PLOY_ERR_ARGUMENT);
    CHECK(memory == NULL);
}

static ploy_sense_memory *memory_full(test_context *t, const ploy_env *env) {
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    def.capacity = 6;
    ploy_sense_memory *memory = NULL;
    CHECK_OK(ploy_sense_memory_create(&def, ploy_agent_id_make(1, 1), env, &memory));
    for (uint32_t i = 2; i < 7; i++) {
        ploy_vec3 at = ploy_vec3_make((float)i, 2.0f, 3.0f);
        ploy_agent_id other = ploy_agent_id_make(i * 2, i);
        if (i % 2 == 0) ploy_sense_memory_look(memory, other, at, true, true, 0.5f, 1.0 + i);
        if (i % 2 != 0) ploy_sense_memory_hear(memory, other, at, i == 3, 2.0 + i);
    }
    return memory;
}

TEST(a_memory_saves_and_loads_all_it_knows) {
    static const char *const refused[] = {"visible", "shootable", "became visible", "last visible",
                                          NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sense_memory *memory = memory_full(t, &env);
    state_check s = {ploy_sense_memory_visit, memory, NULL, refused, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_sense_memory *other = memory_full(t, &env);
    ploy_sense_memory_clear(other);
    state_check_copy(t, &s, other);
    CHECK_INT(ploy_sense_memory_count(other), 5);
    ploy_sense_memory_forget(memory, 1e9);
    state_check_copy(t, &s, other); // the other forgets too
    CHECK_INT(ploy_sense_memory_count(other), 0);
    ploy_sense_memory_destroy(memory);
    ploy_sense_memory_destroy(other);
}

TEST(a_memory_refuses_records_out_of_order) {
    ploy_env env = ploy_env_default();
    ploy_sense_memory *memory = memory_full(t, &env);
    state_check s = {ploy_sense_memory_visit, memory, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    char *at = strstr(text, "\"4:2\"");
    CHECK(at != NULL);
    at[1] = '9'; // behind 6:3
    int64_t faults = 0;
    uint64_t hash = state_hash(&s);
    CHECK_INT(state_load(&s, text, &env, &faults), PLOY_ERR_FORMAT);
    CHECK_INT(faults, 1);
    CHECK_UINT(state_hash(&s), hash);
    free(text);
    ploy_sense_memory_destroy(memory);
}
