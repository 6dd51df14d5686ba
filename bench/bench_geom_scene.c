// The plain scene among ten thousand walls: rays, moving circles, and walls that move.
//
// Walls of one to three metres, a thousand square metres for each hundred of them, some of them
// thick. The peer asks every wall in turn, first its bounding box: what one would write, and what
// the scene did before it stood on a tree. Both must find the same.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/geom/box.h"
#include "ploy/geom/scene.h"

enum { SCENE_QUERIES = 1024, SCENE_ROUNDS = 4, SCENE_SLOW = 64 };
#define SCENE_WAY_M 30.0f
#define SCENE_RADIUS_M 0.5f

typedef struct scene_data {
    int32_t count;
    float radius; // of what goes
    ploy_plain_scene *plain;
    ploy_obstacle *walls;
    ploy_box2 *bounds;
    ploy_obstacle_id *ids;
    ploy_vec2 from[SCENE_QUERIES], to[SCENE_QUERIES];
    int32_t turns[2]; // of the walls that move, ours and the list's
    uint64_t sum, slow_sum;
} scene_data;

static void scene_need(bool good) {
    if (good) return;
    fprintf(stderr, "ploy: the scene cannot be made\n");
    exit(2);
}

// Numerical Recipes' 32-bit generator, in [0, 1).
static float scene_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / 16777216.0);
}

static scene_data *scene_make(bench_run *run, float radius) {
    scene_data *data = calloc(1, sizeof *data);
    scene_need(data != NULL);
    size_t n = (size_t)bench_size(run);
    data->count = (int32_t)n;
    data->radius = radius;
    data->walls = calloc(n, sizeof *data->walls);
    data->bounds = calloc(n, sizeof *data->bounds);
    data->ids = calloc(n, sizeof *data->ids);
    scene_need(data->walls != NULL && data->bounds != NULL && data->ids != NULL);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_env env = ploy_env_default();
    def.capacity = data->count;
    scene_need(ploy_plain_scene_create(&def, &env, &data->plain) == PLOY_OK);
    float side = sqrtf((float)data->count * 10.0f);
    uint32_t random = 7;
    for (size_t i = 0; i < n; i++) {
        ploy_vec2 at = {scene_random(&random) * side, scene_random(&random) * side};
        ploy_vec2 way = {scene_random(&random) * 4.0f - 2.0f, scene_random(&random) * 4.0f - 2.0f};
        ploy_obstacle wall = {{at, ploy_vec2_add(at, way)}, i % 4 == 0 ? 0.25f : 0.0f, 1};
        data->walls[i] = wall;
        ploy_box2 box = ploy_box2_of_segment(wall.segment);
        data->bounds[i] = ploy_box2_grow(box, wall.radius + 1e-3f);
        scene_need(ploy_plain_scene_add(data->plain, &wall, &data->ids[i]) == PLOY_OK);
    }
    ploy_plain_scene_tidy(data->plain);
    for (int32_t i = 0; i < SCENE_QUERIES; i++) {
        ploy_vec2 at = {scene_random(&random) * side, scene_random(&random) * side};
        ploy_vec2 way = {scene_random(&random) - 0.5f, scene_random(&random) - 0.5f};
        data->from[i] = at;
        data->to[i] = ploy_vec2_add(at, ploy_vec2_with_length(way, SCENE_WAY_M));
    }
    return data;
}

static void scene_free(scene_data *data) {
    ploy_plain_scene_destroy(data->plain);
    free(data->walls);
    free(data->bounds);
    free(data->ids);
    free(data);
}

static void scene_casts(void *self) {
    scene_data *data = self;
    ploy_scene scene = ploy_plain_scene_interface(data->plain);
    uint64_t sum = 0;
    for (int32_t round = 0; round < SCENE_ROUNDS; round++) {
        sum = 0;
        for (int32_t q = 0; q < SCENE_QUERIES; q++) {
            ploy_scene_hit hit;
            bool met = ploy_scene_sweep2(&scene, data->from[q], data->to[q], data->radius,
                                         PLOY_SCENE_ALL, &hit);
            if (met) sum = sum * 31 + hit.object.index;
            if (q + 1 == SCENE_SLOW) data->sum = sum;
        }
    }
    bench_keep(&sum);
}

static bool scene_wall_meets(const ploy_obstacle *wall, const ploy_sweep *sweep, ploy_segment2 way,
                             float *distance) {
    if (sweep->radius > 0.0f || wall->radius > 0.0f) {
        ploy_hit2 hit;
        if (!ploy_sweep_hit_capsule(*sweep, wall->segment, wall->radius, &hit)) return false;
        *distance = hit.distance;
        return true;
    }
    ploy_crossing2 crossing;
    if (!ploy_segment2_touches(way, wall->segment, &crossing)) return false;
    *distance = crossing.distance;
    return true;
}

static void scene_slow_casts(void *self) {
    scene_data *data = self;
    uint64_t sum = 0;
    for (int32_t q = 0; q < SCENE_SLOW; q++) {
        ploy_segment2 way = {data->from[q], data->to[q]};
        ploy_sweep sweep = ploy_sweep_between(way.from, way.to, data->radius);
        ploy_box2 box = ploy_box2_grow(ploy_box2_of_segment(way), data->radius + 1e-3f);
        int32_t best = -1;
        float nearest = 0.0f;
        for (int32_t i = 0; i < data->count; i++) {
            const ploy_box2 *other = &data->bounds[i];
            bool apart = other->min.x > box.max.x || other->max.x < box.min.x ||
                         other->min.y > box.max.y || other->max.y < box.min.y;
            float distance;
            if (apart || !scene_wall_meets(&data->walls[i], &sweep, way, &distance)) continue;
            if (best >= 0 && distance >= nearest) continue;
            best = i;
            nearest = distance;
        }
        if (best >= 0) sum = sum * 31 + (uint64_t)best;
    }
    data->slow_sum = sum;
    bench_keep(&data->slow_sum);
}

static void scene_cast_bench(bench_run *run, float radius) {
    scene_data *data = scene_make(run, radius);
    bench_measure(run, bench_call(scene_casts, data, SCENE_QUERIES * SCENE_ROUNDS),
                  bench_call(scene_slow_casts, data, SCENE_SLOW), bench_nothing());
    if (data->sum != data->slow_sum) bench_fail(run, "asking every wall gives another answer");
    scene_free(data);
}

void bench_geom_scene_ray(bench_run *run) {
    scene_cast_bench(run, 0.0f);
}

void bench_geom_scene_sweep(bench_run *run) {
    scene_cast_bench(run, SCENE_RADIUS_M);
}

// Every wall goes 5 cm to and fro.
static ploy_obstacle scene_moved(const scene_data *data, int32_t i, int32_t turn) {
    ploy_obstacle wall = data->walls[i];
    float shift = turn % 2 == 0 ? 0.025f : -0.025f;
    wall.segment.from.x += shift;
    wall.segment.to.x += shift;
    return wall;
}

static void scene_moves(void *self) {
    scene_data *data = self;
    int32_t turn = data->turns[0]++;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_obstacle wall = scene_moved(data, i, turn);
        scene_need(ploy_plain_scene_set(data->plain, data->ids[i], &wall) == PLOY_OK);
    }
}

// A list without an index: the new wall and its bounds written down.
static void scene_slow_moves(void *self) {
    scene_data *data = self;
    int32_t turn = data->turns[1]++;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_obstacle wall = scene_moved(data, i, turn);
        ploy_box2 box = ploy_box2_of_segment(wall.segment);
        data->bounds[i] = ploy_box2_grow(box, wall.radius + 1e-3f);
    }
    bench_keep(data->bounds);
}

void bench_geom_scene_move(bench_run *run) {
    scene_data *data = scene_make(run, 0.0f);
    bench_measure(run, bench_call(scene_moves, data, data->count),
                  bench_call(scene_slow_moves, data, data->count), bench_nothing());
    scene_free(data);
}
