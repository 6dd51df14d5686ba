// Sight for crowds: the answers of asking every pair, for any budget and any number of workers.
#include "ploy/world/sight_batch.h"
#include "world/world_internal.h"

#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/world/sense_test.h"

enum { ROUND_OBSERVERS = 60, ROUND_TARGETS = 90 };

typedef struct sight_round {
    ploy_sight_def eyes[2];
    ploy_sight_observer observers[ROUND_OBSERVERS];
    ploy_sight_target targets[ROUND_TARGETS];
    ploy_plain_scene *walls;
    ploy_scene scene;
    ploy_sight_world world;
} sight_round;

static void round_begin(test_context *t, sight_round *r, uint64_t seed, float side) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    memset(r, 0, sizeof *r);
    for (int32_t i = 0; i < 2; i++) r->eyes[i] = ploy_sight_def_default();
    r->eyes[1].range = 15;
    r->eyes[1].fov = 5;
    for (int32_t i = 0; i < ROUND_OBSERVERS; i++) {
        ploy_vec2 at = {ploy_rng_range(&rng, 0, side), ploy_rng_range(&rng, 0, side)};
        r->observers[i].agent = crowd_agent(i);
        r->observers[i].pose = ploy_pose_make2(at, ploy_rng_range(&rng, -3, 3), 0.5f);
        r->observers[i].def = &r->eyes[i % 2];
    }
    for (int32_t i = 0; i < ROUND_TARGETS; i++) {
        ploy_vec2 at = {ploy_rng_range(&rng, 0, side), ploy_rng_range(&rng, 0, side)};
        r->targets[i].agent = crowd_agent(i);
        r->targets[i].pose = ploy_pose_make2(at, 0, 0.5f);
        r->targets[i].clothing = -1;
        if (i < ROUND_OBSERVERS) r->targets[i].pose = r->observers[i].pose; // the same agents
    }
    r->targets[3].pose.frame.position.x = NAN;
    r->observers[4].pose.frame.position.y = INFINITY;
    ploy_plain_scene_def walls = ploy_plain_scene_def_default();
    CHECK_OK(ploy_plain_scene_create(&walls, &env, &r->walls));
    for (int32_t i = 0; i < 30; i++) {
        ploy_vec2 from = {ploy_rng_range(&rng, 0, side), ploy_rng_range(&rng, 0, side)};
        ploy_vec2 to = {from.x + ploy_rng_range(&rng, -5, 5), from.y + ploy_rng_range(&rng, -5, 5)};
        CHECK_OK(ploy_plain_scene_add_segment(r->walls, from, to, 1, NULL));
    }
    r->scene = ploy_plain_scene_interface(r->walls);
    r->world = ploy_sight_world_make(&r->scene);
}

static ploy_sight_batch *round_batch(test_context *t, int32_t seen) {
    ploy_env env = ploy_env_default();
    ploy_sight_batch_def def = ploy_sight_batch_def_default();
    def.observers = ROUND_OBSERVERS;
    def.targets = ROUND_TARGETS;
    def.seen = seen;
    def.grain = 7;
    ploy_sight_batch *batch = NULL;
    CHECK_OK(ploy_sight_batch_create(&def, &env, &batch));
    return batch;
}

static void round_start(test_context *t, ploy_sight_batch *batch, const sight_round *r) {
    CHECK_OK(ploy_sight_batch_begin(batch, r->observers, ROUND_OBSERVERS, r->targets, ROUND_TARGETS,
                                    &r->world));
}

static uint64_t round_hash(const ploy_sight_batch *batch) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_sight_batch_describe(batch, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(a_batch_answers_as_asking_every_pair) {
    int64_t seen = 0, pairs = 0;
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        sight_round r;
        round_begin(t, &r, (uint64_t)round, 60);
        ploy_sight_batch *batch = round_batch(t, ROUND_TARGETS);
        round_start(t, batch, &r);
        CHECK_OK(ploy_sight_batch_step(batch, NULL, NULL));
        for (int32_t i = 0; i < ROUND_OBSERVERS; i++) {
            int32_t count = 0, next = 0;
            const ploy_sight_pair *found = ploy_sight_batch_get(batch, i, &count);
            for (int32_t j = 0; j < ROUND_TARGETS; j++) {
                ploy_sight sight = ploy_sight_test(&r.observers[i], &r.targets[j], &r.world, NULL);
                const ploy_sight_pair *pair = ploy_sight_batch_find(batch, i, j);
                CHECK((pair != NULL) == (sight.reason == PLOY_SIGHT_SEEN));
                pairs++;
                if (pair == NULL) continue;
                seen++;
                CHECK(pair == &found[next++]); // sorted
                CHECK_SAME(pair->visibility, sight.visibility);
                CHECK_SAME(pair->distance, sight.distance);
                CHECK_SAME(pair->cover, sight.factors[PLOY_SIGHT_COVER]);
            }
            CHECK_INT(next, count);
        }
        CHECK_DRAWS(1, ploy_sight_batch_draw(batch, &drawing));
        ploy_sight_batch_destroy(batch);
        ploy_plain_scene_destroy(r.walls);
    }
    CHECK(seen > pairs / 100 && seen < pairs / 2);
}

TEST(slices_and_workers_change_nothing) {
    ploy_env env = ploy_env_default();
    sight_round r;
    round_begin(t, &r, 5, 40);
    ploy_sight_batch *batch = round_batch(t, 16);
    round_start(t, batch, &r);
    CHECK_OK(ploy_sight_batch_step(batch, NULL, NULL));
    uint64_t want = round_hash(batch);
    for (int32_t workers = 1; workers <= 4; workers *= 2) {
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers, &env, &pool));
        for (int64_t units = 1; units < 100; units = units * 3 + 1) {
            round_start(t, batch, &r);
            int64_t steps = 0;
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(units);
                result = ploy_sight_batch_step(batch, &budget, ploy_job_pool_jobs(pool));
                CHECK(budget.spent <= units);
                steps++;
            }
            CHECK_OK(result);
            CHECK_INT(steps, (ROUND_OBSERVERS + units - 1) / units);
            CHECK_UINT(round_hash(batch), want);
        }
        ploy_job_pool_destroy(pool);
    }
    ploy_sight_batch_destroy(batch);
    ploy_plain_scene_destroy(r.walls);
}

TEST(of_too_many_the_most_visible_stay) {
    sight_round r;
    round_begin(t, &r, 9, 12); // everybody close together
    // Thirds of bodies alone make the difference, so that there are many ties.
    for (int32_t i = 0; i < 2; i++) r.eyes[i].peripheral = 1;
    ploy_sight_batch *all = round_batch(t, ROUND_TARGETS), *few = round_batch(t, 3);
    round_start(t, all, &r);
    round_start(t, few, &r);
    CHECK_OK(ploy_sight_batch_step(all, NULL, NULL));
    CHECK_OK(ploy_sight_batch_step(few, NULL, NULL));
    int32_t cut = 0;
    for (int32_t i = 0; i < ROUND_OBSERVERS; i++) {
        int32_t count = 0, kept = 0;
        const ploy_sight_pair *pairs = ploy_sight_batch_get(all, i, &count);
        ploy_sight_batch_get(few, i, &kept);
        CHECK_INT(kept, count < 3 ? count : 3);
        cut += count > 3;
        for (int32_t j = 0; j < count; j++) {
            int32_t better = 0; // more visible, or as visible with a lower index
            for (int32_t k = 0; k < count; k++) {
                better += pairs[k].visibility > pairs[j].visibility ||
                          (pairs[k].visibility == pairs[j].visibility && k < j);
            }
            CHECK((ploy_sight_batch_find(few, i, pairs[j].target) != NULL) == (better < 3));
        }
    }
    CHECK(cut > 0);
    ploy_sight_batch_destroy(all);
    ploy_sight_batch_destroy(few);
    ploy_plain_scene_destroy(r.walls);
}

TEST(a_crowd_denser_than_the_stack_is_still_right) {
    enum { DENSE = 600 };
    ploy_env env = ploy_env_default();
    static ploy_sight_target targets[DENSE];
    ploy_sight_def eyes = ploy_sight_def_default();
    eyes.fov = 2.0943951f; // so that many are seen
    ploy_sight_world world = ploy_sight_world_make(NULL);
    ploy_sight_observer observer = {crowd_agent(1), ploy_pose_make2(ploy_vec2_zero(), 0, 0), &eyes,
                                    false};
    int32_t want = 0;
    for (int32_t i = 0; i < DENSE; i++) {
        ploy_vec2 at = {(float)(i % 25) - 12, (float)(i / 25) - 12};
        targets[i].pose = ploy_pose_make2(at, 0, 0.3f);
        targets[i].clothing = -1;
        want += ploy_sight_test(&observer, &targets[i], &world, NULL).reason == PLOY_SIGHT_SEEN;
    }
    ploy_sight_batch_def def = ploy_sight_batch_def_default();
    def.targets = def.seen = DENSE;
    ploy_sight_batch *batch = NULL;
    CHECK_OK(ploy_sight_batch_create(&def, &env, &batch));
    CHECK_OK(ploy_sight_batch_begin(batch, &observer, 1, targets, DENSE, &world));
    CHECK_OK(ploy_sight_batch_step(batch, NULL, NULL));
    int32_t count = 0;
    ploy_sight_batch_get(batch, 0, &count);
    CHECK_INT(count, want);
    CHECK(want > 100);
    ploy_sight_batch_destroy(batch);
}

static ploy_result batch_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_sight_batch_def def = ploy_sight_batch_def_default();
    ploy_sight_batch *batch = NULL;
    ploy_result result = ploy_sight_batch_create(&def, env, &batch);
    TEST_REPORT(result, env, batch, ploy_sight_batch_memory);
    ploy_sight_batch_destroy(batch);
    return result;
}

TEST(a_batch_survives_failing_allocations_and_bad_input) {
    CHECK_FAIL_NTH(batch_make, NULL);
    CHECK_OK(ploy_fields_check_table(ploy_sight_batch_fields(), NULL));
    sight_round r;
    round_begin(t, &r, 1, 30);
    ploy_sight_batch *batch = round_batch(t, 4);
    int32_t count = 7;
    CHECK_INT(ploy_sight_batch_step(batch, NULL, NULL), PLOY_ERR_STATE);
    CHECK(ploy_sight_batch_get(batch, 0, &count) == NULL);
    CHECK_INT(count, 0);
    CHECK_INT(
        ploy_sight_batch_begin(batch, r.observers, ROUND_OBSERVERS + 1, r.targets, 1, &r.world),
        PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_sight_batch_begin(batch, r.observers, 1, r.targets, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sight_batch_begin(batch, NULL, 1, r.targets, 1, &r.world), PLOY_ERR_ARGUMENT);
    r.observers[0].def = NULL;
    CHECK_INT(ploy_sight_batch_begin(batch, r.observers, 1, r.targets, 1, &r.world),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_sight_batch_begin(batch, NULL, 0, NULL, 0, &r.world));
    CHECK_OK(ploy_sight_batch_step(batch, NULL, NULL));
    CHECK_INT(ployi_sight_batch_done(batch), 0);
    ploy_sight_batch_destroy(batch);
    ploy_plain_scene_destroy(r.walls);
}
