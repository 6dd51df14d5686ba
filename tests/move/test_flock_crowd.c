// The crowd sees whom the plain loop sees, in any number of workers, anywhere in the world.
#include "ploy/move/flock.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

enum { CROWD = 400 };

static void crowd_make(ploy_rng *rng, ploy_kinematic *agents, int32_t count, float reach) {
    for (int32_t i = 0; i < count; i++) {
        agents[i].position = scene_near2(rng, reach);
        agents[i].velocity = scene_near2(rng, 5.0f);
        agents[i].orientation = ploy_rng_range(rng, -3.1f, 3.1f);
        agents[i].rotation = 0.0f;
        if (i > 0 && ploy_rng_chance(rng, 0.05f)) agents[i].position = agents[i - 1].position;
        if (ploy_rng_chance(rng, 0.02f)) agents[i].position = scene_vec2(rng, 0.5e9f);
    }
}

// Settings of any kind: views, modes, and in half of the rounds a neighbourhood for each rule.
static ploy_flock_def crowd_def(ploy_rng *rng, int64_t round) {
    ploy_flock_def def = ploy_flock_def_default();
    def.view = (ploy_view_model)(round % 4);
    def.separation = (ploy_separation_mode)(round / 4 % 3);
    def.radius = ploy_rng_range(rng, 0.5f, 8.0f);
    if (round % 2 == 0) return def;
    def.separation_nearest = ploy_rng_chance(rng, 0.5f);
    def.alignment = ploy_rng_chance(rng, 0.5f) ? PLOY_ALIGNMENT_HEADING : PLOY_ALIGNMENT_VELOCITY;
    def.separation_radius = ploy_rng_range(rng, 0.2f, 8.0f);
    def.alignment_radius = ploy_rng_range(rng, 0.2f, 8.0f);
    def.cohesion_radius = ploy_rng_range(rng, 0.2f, 8.0f);
    def.separation_angle = ploy_rng_range(rng, 0.0f, PLOY_PI_F);
    def.alignment_angle = ploy_rng_chance(rng, 0.5f) ? PLOY_PI_F : ploy_rng_range(rng, 0.0f, 3.0f);
    def.cohesion_angle = ploy_rng_range(rng, 0.0f, PLOY_PI_F);
    return def;
}

TEST(the_crowd_sees_whom_the_plain_loop_sees) {
    int64_t total = 0;
    for (int64_t round = 0; round < test_rounds(24); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agents[CROWD];
        int32_t count = ploy_rng_int(&rng, 1, CROWD);
        crowd_make(&rng, agents, count, 15.0f);
        ploy_flock_def def = crowd_def(&rng, round);
        ploy_env env = ploy_env_default();
        ploy_flock *flock = NULL;
        CHECK_OK(ploy_flock_create(&def, CROWD, &env, &flock));
        ploy_kinematics view = ploy_kinematics_of(agents, count);
        CHECK_OK(ploy_flock_update(flock, &view));
        for (int32_t i = 0; i < count; i++) {
            ploy_neighbours want = ploy_neighbours_find(&def, agents[i], &view, i);
            ploy_neighbours got = ploy_flock_neighbours(flock, i);
            total += got.count;
            CHECK_INT(got.count, want.count);
            CHECK_INT(got.alignment_count, want.alignment_count);
            CHECK_INT(got.cohesion_count, want.cohesion_count);
            if (def.separation_nearest) CHECK_BYTES(&got.push, &want.push, sizeof got.push);
            CHECK_VEC2(got.middle, want.middle.x, want.middle.y, 1e-4);
            CHECK_VEC2(got.velocity, want.velocity.x, want.velocity.y, 1e-4);
            float size = 1e-4f * (1.0f + ploy_vec2_length(want.push));
            CHECK_VEC2(got.push, want.push.x, want.push.y, size);
        }
        ploy_flock_destroy(flock);
    }
    CHECK(total > 10000);
}

static void parts_give_the_same_bits(test_context *t, const ploy_flock_def *def) {
    ploy_rng rng = ploy_rng_make(5);
    static ploy_kinematic agents[5 * CROWD];
    static ploy_steering want[5 * CROWD], got[5 * CROWD];
    int32_t count = 5 * CROWD;
    crowd_make(&rng, agents, count, 40.0f);
    ploy_env env = ploy_env_default();
    ploy_flock *flock = NULL;
    CHECK_OK(ploy_flock_create(def, count, &env, &flock));
    ploy_kinematics view = ploy_kinematics_of(agents, count);
    CHECK_OK(ploy_flock_update(flock, &view));
    ploy_steerings out = ploy_steerings_of(want, count);
    CHECK_OK(ploy_flock_step_all(flock, NULL, &out));
    out = ploy_steerings_of(got, count);
    CHECK_OK(ploy_flock_step(flock, 0, 777, &out));
    CHECK_OK(ploy_flock_step(flock, 777, count - 777, &out));
    CHECK_BYTES(got, want, sizeof got);
    for (int32_t i = 0; i < count; i += 7) {
        ploy_neighbours seen = ploy_flock_neighbours(flock, i);
        ploy_steering one = ploy_flock_steer(def, agents[i], &seen);
        CHECK_BYTES(&one, &want[i], sizeof one);
    }
    for (int32_t workers = 1; workers <= 4; workers *= 2) {
        ploy_job_pool *pool = NULL;
        ploy_result result = ploy_job_pool_create(workers, &env, &pool);
        if (result == PLOY_ERR_UNSUPPORTED) break;
        CHECK_OK(result);
        memset(got, 0, sizeof got);
        CHECK_OK(ploy_flock_update_all(flock, &view, ploy_job_pool_jobs(pool)));
        CHECK_OK(ploy_flock_step_all(flock, ploy_job_pool_jobs(pool), &out));
        CHECK_BYTES(got, want, sizeof got);
        ploy_job_pool_destroy(pool);
    }
    ploy_flock_destroy(flock);
}

TEST(parts_and_workers_give_the_same_bits) {
    ploy_flock_def def = ploy_flock_def_default();
    parts_give_the_same_bits(t, &def);
    ploy_rng rng = ploy_rng_make(6);
    for (int64_t round = 1; round < 12; round += 2) {
        TEST_SEED(round);
        def = crowd_def(&rng, round);
        parts_give_the_same_bits(t, &def);
    }
}

// Agents are sorted in blocks of 1,024 or more, sixteen at most: around every edge of that the
// workers give the bits of nobody but oneself.
TEST(any_number_of_blocks_gives_the_same_bits) {
    static const int32_t counts[] = {1, 1023, 2047, 2048, 2049, 5 * 1024 - 1, 16 * 1024 + 1, 18000};
    enum { MOST = 18000 };
    static ploy_kinematic agents[MOST];
    static ploy_steering want[MOST], got[MOST];
    ploy_rng rng = ploy_rng_make(6);
    crowd_make(&rng, agents, MOST, 120.0f);
    ploy_flock_def def = ploy_flock_def_default();
    ploy_env env = ploy_env_default();
    ploy_flock *flock = NULL;
    ploy_job_pool *pool = NULL;
    ploy_result result = ploy_job_pool_create(3, &env, &pool);
    if (result == PLOY_ERR_UNSUPPORTED) return;
    CHECK_OK(result);
    CHECK_OK(ploy_flock_create(&def, MOST, &env, &flock));
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        size_t bytes = (size_t)counts[c] * sizeof *want;
        ploy_kinematics view = ploy_kinematics_of(agents, counts[c]);
        ploy_steerings out = ploy_steerings_of(want, counts[c]);
        CHECK_OK(ploy_flock_update(flock, &view));
        CHECK_OK(ploy_flock_step_all(flock, NULL, &out));
        out = ploy_steerings_of(got, counts[c]);
        memset(got, 0, bytes);
        CHECK_OK(ploy_flock_update_all(flock, &view, ploy_job_pool_jobs(pool)));
        CHECK_OK(ploy_flock_step(flock, 0, counts[c], &out));
        CHECK_BYTES(got, want, bytes);
    }
    ploy_flock_destroy(flock);
    ploy_job_pool_destroy(pool);
}

TEST(a_heap_of_more_agents_than_a_block_holds_is_summed_up_all_the_same) {
    // All within one cell: everybody sees everybody, in several blocks.
    static ploy_kinematic agents[3 * CROWD];
    int32_t count = 3 * CROWD;
    ploy_rng rng = ploy_rng_make(11);
    for (int32_t i = 0; i < count; i++) {
        agents[i] = mover(0.0f, 0.0f, 0.0f, 0.0f);
        agents[i].position = scene_near2(&rng, 0.5f);
        agents[i].velocity = scene_near2(&rng, 5.0f);
    }
    agents[7].velocity.x = NAN; // nobody's neighbour
    agents[9].position.y = INFINITY;
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    ploy_env env = ploy_env_default();
    ploy_flock *flock = NULL;
    CHECK_OK(ploy_flock_create(&def, count, &env, &flock));
    // Through a view that debug builds do not judge: they refuse numbers that are not finite.
    ploy_kinematics view = ploy_kinematics_of(agents, count);
    ploy_result result = ploy_flock_update(flock, &view);
    if (result == PLOY_OK) {
        for (int32_t i = 0; i < count; i += 13) {
            ploy_neighbours seen = ploy_flock_neighbours(flock, i);
            CHECK_INT(seen.count, count - 3);
            ploy_vec2 sum = ploy_vec2_zero();
            for (int32_t j = 0; j < count; j++) {
                if (j == i || j == 7 || j == 9) continue;
                sum = ploy_vec2_add(sum, agents[j].velocity);
            }
            CHECK_VEC2(seen.velocity, sum.x / (float)(count - 3), sum.y / (float)(count - 3), 1e-3);
        }
        CHECK_INT(ploy_flock_neighbours(flock, 7).count, 0);
        CHECK_INT(ploy_flock_neighbours(flock, 9).count, 0);
    }
    ploy_flock_destroy(flock);
}

static ploy_result create_once(const ploy_env *env, void *arg) {
    ploy_flock *flock = NULL;
    ploy_flock_def def = ploy_flock_def_default();
    (void)arg;
    ploy_result result = ploy_flock_create(&def, 10, env, &flock);
    TEST_REPORT(result, env, flock, ploy_flock_memory);
    ploy_flock_destroy(flock);
    return result;
}

TEST(create_and_update_refuse_what_is_wrong) {
    CHECK_FAIL_NTH(create_once, NULL);
    ploy_env env = ploy_env_default();
    ploy_flock_def def = ploy_flock_def_default();
    ploy_flock *flock = NULL;
    CHECK_INT(ploy_flock_create(&def, 0, &env, &flock), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_flock_create(&def, 1 << 25, &env, &flock), PLOY_ERR_ARGUMENT);
    def.radius = NAN;
    CHECK_INT(ploy_flock_create(&def, 4, &env, &flock), PLOY_ERR_ARGUMENT);
    CHECK(flock == NULL);
    def = ploy_flock_def_default();
    CHECK_OK(ploy_flock_create(&def, 4, &env, &flock));
    def.radius = -1.0f;
    CHECK_INT(ploy_flock_set_def(flock, &def), PLOY_ERR_ARGUMENT);
    ploy_kinematic agents[5];
    ploy_rng rng = ploy_rng_make(1);
    crowd_make(&rng, agents, 5, 2.0f);
    ploy_kinematics view = ploy_kinematics_of(agents, 5);
    CHECK_INT(ploy_flock_update(flock, &view), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_flock_update(flock, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_flock_neighbours(flock, 0).count, 0);
    ploy_steering got[4];
    ploy_steerings out = ploy_steerings_of(got, 4);
    CHECK_INT(ploy_flock_step(flock, 0, 1, &out), PLOY_ERR_ARGUMENT);
    view.count = 4;
    CHECK_OK(ploy_flock_update(flock, &view));
    CHECK_OK(ploy_flock_step(flock, 0, 4, &out));
    CHECK_INT(ploy_flock_step(flock, 0, 5, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_flock_step(flock, 0, 4, NULL), PLOY_ERR_ARGUMENT);
    ploy_flock_destroy(flock);
    ploy_flock_destroy(NULL);
}

TEST(a_scattered_flock_comes_to_move_as_one) {
    ploy_rng rng = ploy_rng_make(3);
    ploy_kinematic agents[60];
    ploy_steering steerings[60];
    for (int32_t i = 0; i < 60; i++) {
        agents[i] = mover(0.0f, 0.0f, 0.0f, 0.0f);
        agents[i].position = scene_near2(&rng, 8.0f);
        agents[i].velocity = scene_near2(&rng, 3.0f);
    }
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    ploy_env env = ploy_env_default();
    ploy_flock *flock = NULL;
    CHECK_OK(ploy_flock_create(&def, 60, &env, &flock));
    ploy_kinematics view = ploy_kinematics_of(agents, 60);
    ploy_steerings out = ploy_steerings_of(steerings, 60);
    for (int32_t tick = 0; tick < 600; tick++) {
        CHECK_OK(ploy_flock_update(flock, &view));
        CHECK_OK(ploy_flock_step_all(flock, NULL, &out));
        for (int32_t i = 0; i < 60; i++) {
            ploy_vec2 v = ploy_vec2_add_scaled(agents[i].velocity, steerings[i].linear, 0.02f);
            agents[i].velocity = ploy_vec2_with_length(v, 3.0f); // birds do not stand still
            agents[i].position =
                ploy_vec2_add_scaled(agents[i].position, agents[i].velocity, 0.02f);
        }
    }
    // Everybody goes the way of its neighbours.
    float agree = 0.0f;
    int32_t seeing = 0;
    for (int32_t i = 0; i < 60; i++) {
        ploy_neighbours seen = ploy_flock_neighbours(flock, i);
        if (seen.count == 0) continue;
        seeing++;
        agree += ploy_vec2_dot(ploy_vec2_normalise(agents[i].velocity),
                               ploy_vec2_normalise(seen.velocity));
    }
    CHECK(seeing > 50);
    CHECK(agree > 0.95f * (float)seeing);
    ploy_flock_destroy(flock);
}
