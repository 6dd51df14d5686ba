// Spatial indices: what one question costs among a thousand, ten thousand, a hundred thousand.
//
// One object for each square metre whatever their number, so that a question about a few metres has
// the same answer size everywhere; what grows is only the path to it. The peer is the loop that asks
// every object, written as one would write it, and both must give the same answers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/grid.h"
#include "ploy/geom/kdtree.h"
#include "ploy/geom/quadtree.h"

enum { INDEX_QUERIES = 1024, INDEX_ROUNDS = 16, INDEX_ROOM = 256, INDEX_NEAREST = 8 };
// Questions: about twelve points in a circle, and the first box on a path of thirty metres.
#define INDEX_RADIUS_M 2.0f
#define INDEX_RAY_M 30.0f

typedef struct index_data {
    int32_t count;
    int32_t slow_queries; // of a pass of the peer, which takes long
    ploy_vec2 *points;
    ploy_box2 *boxes;
    ploy_vec2 *centres;   // of the questions
    ploy_query2 *queries; // the same as queries
    int32_t *ids;         // what testing every object found
    ploy_found *found;
    ploy_index2 index; // one of these
    ploy_grid *grid;
    ploy_kdtree *kdtree;
    ploy_bvh2 *bvh;
    ploy_quadtree *quadtree;
    uint64_t sum; // of the answers of the last pass's first questions
    uint64_t slow_sum;
} index_data;

static void *index_alloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    return memory;
}

// Numerical Recipes' 32-bit generator, in [0, 1).
static float index_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / 16777216.0);
}

static void index_need(ploy_result result) {
    if (result == PLOY_OK) return;
    fprintf(stderr, "ploy: %s\n", ploy_result_text(result));
    exit(2);
}

static index_data index_make(bench_run *run, ploy_query_kind kind) {
    index_data data;
    memset(&data, 0, sizeof data);
    data.count = (int32_t)bench_size(run);
    data.slow_queries = 1024 * 1000 / data.count;
    if (data.slow_queries > INDEX_QUERIES) data.slow_queries = INDEX_QUERIES;
    size_t n = (size_t)data.count;
    data.points = index_alloc(n, sizeof *data.points);
    data.boxes = index_alloc(n, sizeof *data.boxes);
    data.ids = index_alloc(n, sizeof *data.ids);
    data.found = index_alloc(INDEX_ROOM, sizeof *data.found);
    data.centres = index_alloc(INDEX_QUERIES, sizeof *data.centres);
    data.queries = index_alloc(INDEX_QUERIES, sizeof *data.queries);
    float side = sqrtf((float)data.count);
    uint32_t random = 7;
    for (size_t i = 0; i < n; i++) {
        data.points[i].x = index_random(&random) * side;
        data.points[i].y = index_random(&random) * side;
        ploy_vec2 size = {index_random(&random), index_random(&random)};
        data.boxes[i] = ploy_box2_make(data.points[i], ploy_vec2_add(data.points[i], size));
    }
    for (int32_t i = 0; i < INDEX_QUERIES; i++) {
        ploy_vec2 at = {index_random(&random) * side, index_random(&random) * side};
        ploy_vec2 way = {index_random(&random) - 0.5f, index_random(&random) - 0.5f};
        ploy_ray2 ray = ploy_ray2_make(at, way);
        ray.length = INDEX_RAY_M;
        data.centres[i] = at;
        data.queries[i] = kind == PLOY_QUERY_RADIUS    ? ploy_query2_radius(at, INDEX_RADIUS_M)
                          : kind == PLOY_QUERY_NEAREST ? ploy_query2_nearest(at, INFINITY)
                                                       : ploy_query2_ray(ray);
    }
    return data;
}

static void index_free(index_data *data) {
    ploy_grid_destroy(data->grid);
    ploy_kdtree_destroy(data->kdtree);
    ploy_bvh2_destroy(data->bvh);
    ploy_quadtree_destroy(data->quadtree);
    free(data->points);
    free(data->boxes);
    free(data->ids);
    free(data->found);
    free(data->centres);
    free(data->queries);
}

// Measures, then compares: the first questions of a pass are the same on both sides.
static void index_measure(bench_run *run, index_data *data, void (*ours)(void *),
                          void (*brute)(void *)) {
    bench_measure(run, bench_call(ours, data, INDEX_QUERIES * INDEX_ROUNDS),
                  bench_call(brute, data, data->slow_queries), bench_nothing());
    if (data->sum != data->slow_sum) bench_fail(run, "a test of all pairs gives another answer");
}

static void index_make_kdtree(index_data *data) {
    ploy_env env = ploy_env_default();
    ploy_kdtree_def def = ploy_kdtree_def_default();
    def.capacity = data->count;
    index_need(ploy_kdtree_create(&def, &env, &data->kdtree));
    ploy_points view = ploy_points_make(data->points, data->count);
    index_need(ploy_kdtree_rebuild(data->kdtree, &view));
    data->index = ploy_kdtree_index(data->kdtree);
}

static void index_make_bvh(index_data *data) {
    ploy_env env = ploy_env_default();
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = data->count;
    index_need(ploy_bvh2_create(&def, &env, &data->bvh));
    index_need(ploy_bvh2_rebuild(data->bvh, data->boxes, data->count));
    data->index = ploy_bvh2_index(data->bvh);
}

static void index_make_quadtree(index_data *data) {
    ploy_env env = ploy_env_default();
    ploy_quadtree_def def = ploy_quadtree_def_default();
    def.capacity = data->count;
    def.size = sqrtf((float)data->count);
    def.centre = ploy_vec2_make(def.size * 0.5f, def.size * 0.5f);
    index_need(ploy_quadtree_create(&def, &env, &data->quadtree));
    for (int32_t id = 0; id < data->count; id++) {
        index_need(ploy_quadtree_insert(data->quadtree, id, data->boxes[id]));
    }
    data->index = ploy_quadtree_index(data->quadtree);
}

static void index_make_grid(index_data *data) {
    ploy_env env = ploy_env_default();
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = data->count;
    def.cell_size = INDEX_RADIUS_M;
    index_need(ploy_grid_create(&def, &env, &data->grid));
    ploy_points view = ploy_points_make(data->points, data->count);
    index_need(ploy_grid_rebuild(data->grid, &view));
    data->index = ploy_grid_index(data->grid);
}

// Every point within the radius, in order of ids.
static void index_slow_radius(void *self) {
    index_data *data = self;
    uint64_t sum = 0;
    for (int32_t q = 0; q < data->slow_queries; q++) {
        double x = (double)data->centres[q].x, y = (double)data->centres[q].y;
        double limit = (double)INDEX_RADIUS_M * (double)INDEX_RADIUS_M;
        int32_t count = 0;
        for (int32_t i = 0; i < data->count; i++) {
            double dx = (double)data->points[i].x - x, dy = (double)data->points[i].y - y;
            if (dx * dx + dy * dy <= limit) data->ids[count++] = i;
        }
        for (int32_t i = 0; i < count; i++) sum = sum * 31 + (uint64_t)data->ids[i];
    }
    data->slow_sum = sum;
    bench_keep(data->ids);
}

// Asks whatever index was made. Over and over, as a game does from step to step: the peer's turn
// before has filled the caches with its own.
static void index_find(index_data *data, int32_t room) {
    uint64_t sum = 0;
    for (int32_t round = 0; round < INDEX_ROUNDS; round++) {
        sum = 0;
        for (int32_t q = 0; q < INDEX_QUERIES; q++) {
            int32_t count =
                ploy_index2_find(data->index, &data->queries[q], data->found, room, NULL);
            for (int32_t i = 0; i < count; i++) sum = sum * 31 + (uint64_t)data->found[i].id;
            if (q + 1 == data->slow_queries) data->sum = sum;
        }
    }
    bench_keep(&sum);
}

static void index_find_many(void *self) {
    index_find(self, INDEX_ROOM);
}

static void index_find_nearest(void *self) {
    index_find(self, INDEX_NEAREST);
}

static void index_find_first(void *self) {
    index_find(self, 1);
}

// The nearest few by insertion: what fits, in order.
static void index_slow_nearest(void *self) {
    index_data *data = self;
    uint64_t sum = 0;
    for (int32_t q = 0; q < data->slow_queries; q++) {
        double x = (double)data->centres[q].x, y = (double)data->centres[q].y;
        ploy_found best[INDEX_NEAREST + 1];
        int32_t count = 0;
        for (int32_t i = 0; i < data->count; i++) {
            double dx = (double)data->points[i].x - x, dy = (double)data->points[i].y - y;
            double rank = dx * dx + dy * dy;
            if (count == INDEX_NEAREST && rank >= best[count - 1].rank) continue;
            int32_t at = count;
            for (; at > 0 && best[at - 1].rank > rank; at--) best[at] = best[at - 1];
            best[at].rank = rank;
            best[at].id = i;
            if (count < INDEX_NEAREST) count++;
        }
        for (int32_t i = 0; i < count; i++) sum = sum * 31 + (uint64_t)best[i].id;
    }
    data->slow_sum = sum;
    bench_keep(&data->slow_sum);
}

static void index_slow_boxes(void *self) {
    index_data *data = self;
    uint64_t sum = 0;
    for (int32_t q = 0; q < data->slow_queries; q++) {
        ploy_circle circle = ploy_circle_make(data->centres[q], INDEX_RADIUS_M);
        int32_t count = 0;
        for (int32_t i = 0; i < data->count; i++) {
            if (ploy_box2_overlaps_circle(data->boxes[i], circle)) data->ids[count++] = i;
        }
        for (int32_t i = 0; i < count; i++) sum = sum * 31 + (uint64_t)data->ids[i];
    }
    data->slow_sum = sum;
    bench_keep(data->ids);
}

static void index_slow_ray(void *self) {
    index_data *data = self;
    uint64_t sum = 0;
    for (int32_t q = 0; q < data->slow_queries; q++) {
        ploy_ray2 ray = data->queries[q].ray;
        int32_t best = -1;
        float distance = 0.0f;
        for (int32_t i = 0; i < data->count; i++) {
            ploy_hit2 hit;
            if (!ploy_ray2_hit_box(ray, data->boxes[i], &hit)) continue;
            if (best >= 0 && hit.distance >= distance) continue;
            best = i;
            distance = hit.distance;
        }
        if (best >= 0) sum = sum * 31 + (uint64_t)best;
    }
    data->slow_sum = sum;
    bench_keep(&data->slow_sum);
}

void bench_geom_grid(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_RADIUS);
    index_make_grid(&data);
    index_measure(run, &data, index_find_many, index_slow_radius);
    index_free(&data);
}

void bench_geom_kdtree(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_RADIUS);
    index_make_kdtree(&data);
    index_measure(run, &data, index_find_many, index_slow_radius);
    index_free(&data);
}

void bench_geom_kdtree_nearest(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_NEAREST);
    index_make_kdtree(&data);
    index_measure(run, &data, index_find_nearest, index_slow_nearest);
    index_free(&data);
}

void bench_geom_bvh(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_RADIUS);
    index_make_bvh(&data);
    index_measure(run, &data, index_find_many, index_slow_boxes);
    index_free(&data);
}

void bench_geom_bvh_ray(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_RAY);
    index_make_bvh(&data);
    index_measure(run, &data, index_find_first, index_slow_ray);
    index_free(&data);
}

void bench_geom_quadtree(bench_run *run) {
    index_data data = index_make(run, PLOY_QUERY_RADIUS);
    index_make_quadtree(&data);
    index_measure(run, &data, index_find_many, index_slow_boxes);
    index_free(&data);
}
