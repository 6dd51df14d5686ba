// Who sees whom in a crowd, beside asking every pair with the same test.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/geom/bvh.h"
#include "ploy/world/sight_batch.h"

enum { SIGHT_HOUSES = 200 };

typedef struct sight_data {
    int32_t count; // of observers, and of targets
    float side;    // m, of the square they are in
    ploy_sight_def eyes;
    ploy_sight_observer *observers;
    ploy_sight_target *targets;
    ploy_bvh2 *houses;
    ploy_scene scene;
    ploy_sight_world world;
    ploy_sight_batch *batch;
    uint64_t sum; // of the answers
    uint64_t slow_sum;
} sight_data;

static void sight_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: cannot set up the benchmark of sight\n");
    exit(2);
}

// A game's own scene: houses in a hierarchy of boxes.
static bool sight_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                      ploy_scene_hit *hit) {
    ploy_vec2 start = ploy_vec2_from_vec3(from);
    ploy_vec2 way = ploy_vec2_sub(ploy_vec2_from_vec3(to), start);
    ploy_ray2 ray = ploy_ray2_make(start, way);
    ray.length = ploy_vec2_length(way);
    ploy_query2 query = ploy_query2_ray(ray);
    ploy_found found;
    (void)mask;
    if (ploy_bvh2_find(user, &query, &found, 1, NULL) == 0) return false;
    memset(hit, 0, sizeof *hit);
    hit->distance = (float)found.rank;
    return true;
}

static uint64_t sight_fold(uint64_t sum, int32_t observer, int32_t target, float visibility) {
    return sum * 31u + (uint64_t)observer * 7919u + (uint64_t)target * 104729u +
           (uint64_t)(visibility * 1e6f);
}

static void sight_batched(void *self) {
    sight_data *data = self;
    data->sum = 0;
    sight_need(ploy_sight_batch_begin(data->batch, data->observers, data->count, data->targets,
                                      data->count, &data->world) == PLOY_OK);
    sight_need(ploy_sight_batch_step(data->batch, NULL, NULL) == PLOY_OK);
    for (int32_t i = 0; i < data->count; i++) {
        int32_t seen = 0;
        const ploy_sight_pair *pairs = ploy_sight_batch_get(data->batch, i, &seen);
        for (int32_t j = 0; j < seen; j++) {
            data->sum = sight_fold(data->sum, i, pairs[j].target, pairs[j].visibility);
        }
    }
}

static void sight_all_pairs(void *self) {
    sight_data *data = self;
    data->slow_sum = 0;
    for (int32_t i = 0; i < data->count; i++) {
        for (int32_t j = 0; j < data->count; j++) {
            ploy_sight sight =
                ploy_sight_test(&data->observers[i], &data->targets[j], &data->world, NULL);
            if (sight.reason != PLOY_SIGHT_SEEN) continue;
            data->slow_sum = sight_fold(data->slow_sum, i, j, sight.visibility);
        }
    }
}

static ploy_pose sight_pose(ploy_rng *rng, float side) {
    ploy_vec2 at = {ploy_rng_range(rng, 0, side), ploy_rng_range(rng, 0, side)};
    return ploy_pose_make2(at, ploy_rng_range(rng, -3, 3), 0.5f);
}

void bench_world_sight(bench_run *run) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(7);
    sight_data data;
    memset(&data, 0, sizeof data);
    data.count = (int32_t)bench_size(run);
    data.side = 700.0f;
    data.eyes = ploy_sight_def_default();
    data.eyes.range = 20.0f;
    size_t n = (size_t)data.count;
    data.observers = calloc(n, sizeof *data.observers);
    data.targets = calloc(n, sizeof *data.targets);
    sight_need(data.observers != NULL && data.targets != NULL);
    for (size_t i = 0; i < n; i++) {
        data.observers[i].agent = ploy_agent_id_make((uint32_t)i, 1);
        data.observers[i].pose = sight_pose(&rng, data.side);
        data.observers[i].def = &data.eyes;
        data.targets[i].agent = ploy_agent_id_make((uint32_t)i, 2);
        data.targets[i].pose = sight_pose(&rng, data.side);
        data.targets[i].clothing = -1;
    }
    ploy_box2 houses[SIGHT_HOUSES];
    for (int32_t i = 0; i < SIGHT_HOUSES; i++) {
        ploy_vec2 corner = ploy_vec2_from_vec3(sight_pose(&rng, data.side).frame.position);
        ploy_vec2 size = {ploy_rng_range(&rng, 1, 12), ploy_rng_range(&rng, 1, 12)};
        houses[i] = ploy_box2_make(corner, ploy_vec2_add(corner, size));
    }
    ploy_bvh_def boxes = ploy_bvh_def_default();
    boxes.capacity = SIGHT_HOUSES;
    sight_need(ploy_bvh2_create(&boxes, &env, &data.houses) == PLOY_OK);
    sight_need(ploy_bvh2_rebuild(data.houses, houses, SIGHT_HOUSES) == PLOY_OK);
    data.scene.ray = sight_ray;
    data.scene.user = data.houses;
    data.world = ploy_sight_world_make(&data.scene);
    ploy_sight_batch_def def = ploy_sight_batch_def_default();
    def.observers = def.targets = data.count;
    def.seen = 64;
    def.cell_size = data.eyes.range;
    sight_need(ploy_sight_batch_create(&def, &env, &data.batch) == PLOY_OK);
    bench_measure(run, bench_call(sight_batched, &data, data.count),
                  bench_call(sight_all_pairs, &data, data.count), bench_nothing());
    if (data.sum != data.slow_sum) bench_fail(run, "asking every pair gives another answer");
    ploy_sight_batch_destroy(data.batch);
    ploy_bvh2_destroy(data.houses);
    free(data.observers);
    free(data.targets);
}
