// Condensation (TAC-16), grid candidates (TAC-15) and recorded play (TAC-14).
#include "ploy/tactics/condense.h"

#include "tests/state.h"
#include "tests/test.h"

static ploy_condense *condense_make(test_context *t, float weight, float radius) {
    ploy_env env = ploy_env_default();
    ploy_condense_def def = ploy_condense_def_default();
    def.weight = weight;
    def.radius = radius;
    ploy_condense *condense = NULL;
    CHECK_OK(ploy_condense_create(&def, &env, &condense));
    return condense;
}

TEST(the_strongest_goes_first) {
    // TAC-16: A@0 v1, B@4 v2.5, C@8 v4, w = 0.3. Radius 5: {A, C}; radius 10: {C}.
    const ploy_vec3 at[] = {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}};
    const float values[] = {1, 2.5f, 4};
    static const struct {
        const char *row;
        float radius;
        bool keep[3];
    } rows[] = {{"radius 5", 5, {true, false, true}}, {"radius 10", 10, {false, false, true}}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_condense *condense = condense_make(t, 0.3f, rows[i].radius);
        CHECK_INT(ploy_condense_step(condense, NULL), PLOY_ERR_STATE);
        CHECK_OK(ploy_condense_begin(condense, at, values, 3, NULL, NULL));
        CHECK_OK(ploy_condense_step(condense, NULL));
        for (int32_t j = 0; j < 3; j++)
            CHECK_INT(ploy_condense_result(condense, j), rows[i].keep[j]);
        CHECK_INT(ploy_condense_removed_by(condense, 1), 2);
        CHECK(!ploy_condense_result(condense, 3));
        ploy_condense_destroy(condense);
    }
}

TEST(only_the_strongest_of_three_neighbours_survives) {
    // Exercise 6.6: 1.7, 2.3, 1.1 within range of each other.
    const ploy_vec3 at[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const float values[] = {1.7f, 2.3f, 1.1f};
    ploy_condense *condense = condense_make(t, 0.3f, 5);
    CHECK_OK(ploy_condense_begin(condense, at, values, 3, NULL, NULL));
    CHECK_OK(ploy_condense_step(condense, NULL));
    CHECK(!ploy_condense_result(condense, 0) && ploy_condense_result(condense, 1) &&
          !ploy_condense_result(condense, 2));
    ploy_condense_destroy(condense);
}

typedef struct condense_world {
    const ploy_vec3 *at;
    bool walls;
} condense_world;

// Two rooms: a wall along x = 10.
static bool condense_move(void *user, int32_t a, int32_t b) {
    const condense_world *world = user;
    return !world->walls || (world->at[a].x < 10) == (world->at[b].x < 10);
}

enum { CONDENSE_COUNT = 120 };

static void condense_random(uint64_t seed, ploy_vec3 *at, float *values) {
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t i = 0; i < CONDENSE_COUNT; i++) {
        at[i].x = ploy_rng_range(&rng, 0, 20);
        at[i].y = ploy_rng_range(&rng, 0, 20);
        at[i].z = 0;
        values[i] = (float)ploy_rng_int(&rng, 0, 20) / 20; // with ties
    }
    values[7] = NAN;
}

// All pairs: for each living point, from the strongest on, every other one.
static void condense_all_pairs(const ploy_vec3 *at, const float *values, float weight, float radius,
                               condense_world *world, bool *alive) {
    bool done[CONDENSE_COUNT] = {false};
    for (int32_t i = 0; i < CONDENSE_COUNT; i++) alive[i] = !isnan(values[i]);
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < CONDENSE_COUNT; i++) {
            if (alive[i] && !done[i] && (best < 0 || values[i] > values[best])) best = i;
        }
        if (best < 0) return;
        done[best] = true;
        for (int32_t i = 0; i < CONDENSE_COUNT; i++) {
            float distance = ploy_vec3_distance(at[best], at[i]);
            float difference = values[best] - values[i];
            if (i == best || !alive[i] || difference < 0 || distance > radius) continue;
            if (!(difference * difference > (weight * distance) * (weight * distance))) continue;
            if (condense_move(world, best, i)) alive[i] = false;
        }
    }
}

TEST(condensation_equals_all_pairs_in_any_slices) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_vec3 at[CONDENSE_COUNT];
        float values[CONDENSE_COUNT];
        bool alive[CONDENSE_COUNT];
        condense_random(seed, at, values);
        condense_world world = {at, seed % 2 == 0};
        float radius = seed % 3 == 0 ? 100.0f : 4.0f, weight = 0.02f * (float)(seed % 5);
        condense_all_pairs(at, values, weight, radius, &world, alive);
        ploy_condense *condense = condense_make(t, weight, radius);
        CHECK_OK(ploy_condense_begin(condense, at, values, CONDENSE_COUNT, condense_move, &world));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1 + (int64_t)(seed % 7));
            result = ploy_condense_step(condense, &budget);
        }
        CHECK_OK(result);
        for (int32_t i = 0; i < CONDENSE_COUNT; i++)
            CHECK_INT(ploy_condense_result(condense, i), alive[i]);
        ploy_condense_destroy(condense);
    }
}

TEST(a_larger_weight_keeps_more) {
    ploy_vec3 at[CONDENSE_COUNT];
    float values[CONDENSE_COUNT];
    condense_random(3, at, values);
    int32_t before = 0;
    for (int32_t step = 0; step < 6; step++) {
        ploy_condense *condense = condense_make(t, 0.03f * (float)step, 6);
        CHECK_OK(ploy_condense_begin(condense, at, values, CONDENSE_COUNT, NULL, NULL));
        CHECK_OK(ploy_condense_step(condense, NULL));
        int32_t count = 0;
        for (int32_t i = 0; i < CONDENSE_COUNT; i++) count += ploy_condense_result(condense, i);
        CHECK(count >= before);
        before = count;
        ploy_condense_destroy(condense);
    }
    CHECK(before > 20);
}

TEST(a_grid_leaves_out_what_is_too_near_a_wall) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    CHECK_OK(
        ploy_plain_scene_add_segment(plain, ploy_vec2_make(5, -1), ploy_vec2_make(5, 11), 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_vec3 out[200];
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(10, 10));
    CHECK_INT(ploy_candidates_grid(box, 1, 0.4f, NULL, 1, out, 200), 121);
    CHECK_INT(ploy_candidates_grid(box, 1, 0.4f, &scene, 1, out, 200), 110);
    CHECK_INT(ploy_candidates_grid(box, 1, 1.5f, &scene, 1, out, 3), 88);
    CHECK_SAME(out[2].x, 2);
    CHECK_INT(ploy_candidates_grid(box, 0, 1, &scene, 1, out, 3), -1);
    CHECK_INT(ploy_candidates_grid(box, 1e-6f, 1, &scene, 1, out, 3), -1);
    ploy_plain_scene_destroy(plain);
}

static void condense_walk(test_context *t, ploy_tracks *tracks) {
    // Agent 0 walks and waits at (10, 0); agents 1 and 2 cross (5, 5) again and again.
    for (int32_t step = 0; step < 200; step++) {
        double now = step * 0.5;
        float x = step < 20 ? (float)step * 0.5f : step < 60 ? 10.0f : 10.0f + (float)(step - 60);
        CHECK_OK(ploy_tracks_record(tracks, 0, ploy_vec3_make(x, 0, 0), now));
        float back = (float)(step % 20) - 10;
        CHECK_OK(ploy_tracks_record(tracks, 1, ploy_vec3_make(5, 5 + back * 2, 0), now));
        CHECK_OK(ploy_tracks_record(tracks, 2, ploy_vec3_make(5 + back * 2, 5, 0), now));
        CHECK_OK(ploy_tracks_record(tracks, 2, ploy_vec3_make(50, 50, 0), now + 0.1)); // too early
    }
}

TEST(recorded_play_gives_spots_where_characters_stay_or_meet) {
    ploy_env env = ploy_env_default();
    ploy_tracks_def def = ploy_tracks_def_default();
    def.min_visitors = 2;
    ploy_tracks *tracks = NULL;
    CHECK_OK(ploy_tracks_create(&def, &env, &tracks));
    condense_walk(t, tracks);
    ploy_vec3 out[16];
    int32_t count = ploy_tracks_candidates(tracks, out, 16);
    CHECK_INT(count, 2);
    CHECK_NEAR(out[0].x, 5, 1);
    CHECK_NEAR(out[0].y, 5, 1);
    CHECK_NEAR(out[1].x, 10, 1);
    CHECK_NEAR(out[1].y, 0, 1);
    CHECK_INT(ploy_tracks_record(tracks, 64, out[0], 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tracks_record(tracks, 0, ploy_vec3_make(NAN, 0, 0), 1e9), PLOY_ERR_ARGUMENT);
    ploy_tracks_destroy(tracks);
}

TEST(states_are_visited_completely) {
    ploy_vec3 at[CONDENSE_COUNT];
    float values[CONDENSE_COUNT];
    condense_random(3, at, values);
    ploy_condense *a = condense_make(t, 0.05f, 5), *b = condense_make(t, 0.05f, 5);
    CHECK_OK(ploy_condense_begin(a, at, values, 20, NULL, NULL));
    CHECK_OK(ploy_condense_begin(b, at, values, 20, NULL, NULL));
    ploy_budget budget = ploy_budget_units(9);
    CHECK_INT(ploy_condense_step(a, &budget), PLOY_IN_PROGRESS);
    state_check s = {ploy_condense_visit, a, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, b);
    ploy_condense_destroy(a);
    ploy_condense_destroy(b);
    ploy_env env = ploy_env_default();
    ploy_tracks_def def = ploy_tracks_def_default();
    def.agents = 4;
    ploy_tracks *tracks = NULL, *other = NULL;
    CHECK_OK(ploy_tracks_create(&def, &env, &tracks));
    CHECK_OK(ploy_tracks_create(&def, &env, &other));
    condense_walk(t, tracks);
    state_check of = {ploy_tracks_visit, tracks, NULL, NULL, NULL};
    state_check_all(t, &of);
    state_check_copy(t, &of, other);
    ploy_tracks_destroy(tracks);
    ploy_tracks_destroy(other);
}

static ploy_result condense_body(const ploy_env *env, void *arg) {
    ploy_condense_def def = ploy_condense_def_default();
    ploy_tracks_def tracks_def = ploy_tracks_def_default();
    ploy_condense *condense = NULL;
    ploy_tracks *tracks = NULL;
    const ploy_vec3 at[] = {{0, 0, 0}, {4, 0, 0}};
    const float values[] = {1, 2};
    (void)arg;
    ploy_result result = ploy_condense_create(&def, env, &condense);
    if (result == PLOY_OK) result = ploy_condense_begin(condense, at, values, 2, NULL, NULL);
    if (result == PLOY_OK) result = ploy_condense_step(condense, NULL);
    TEST_REPORT(result, env, condense, ploy_condense_memory);
    ploy_condense_destroy(condense);
    if (result == PLOY_OK) result = ploy_tracks_create(&tracks_def, env, &tracks);
    TEST_REPORT(result, env, tracks, ploy_tracks_memory);
    ploy_tracks_destroy(tracks);
    return result;
}

TEST(a_lack_of_memory_leaves_no_candidates_behind) {
    CHECK_FAIL_NTH(condense_body, NULL);
}

TEST(a_warm_condensation_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_condense_def def = ploy_condense_def_default();
    ploy_condense *condense = NULL;
    ploy_vec3 at[CONDENSE_COUNT];
    float values[CONDENSE_COUNT];
    CHECK_OK(ploy_condense_create(&def, &env, &condense));
    int64_t before = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        condense_random(seed, at, values);
        CHECK_OK(ploy_condense_begin(condense, at, values, CONDENSE_COUNT, NULL, NULL));
        CHECK_OK(ploy_condense_step(condense, NULL));
        if (seed == 1) before = counts.calls;
    }
    CHECK_INT(counts.calls, before);
    ploy_condense_destroy(condense);
    CHECK_INT(counts.bytes, 0);
}
