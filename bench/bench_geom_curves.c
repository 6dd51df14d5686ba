// Benchmarks of curves and ground: what a follower asks of a spline each step, the nearest point
// beside that of the flattened curve, and rays over a height field.
#include "bench/bench.h"

#include "ploy/base/rng.h"
#include "ploy/geom/heightfield.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/spline.h"

enum { CURVES_POINTS = 16, CURVES_QUERIES = 1000, CURVES_FLAT_MAX = 4096 };

typedef struct curves_data {
    ploy_vec2 points[CURVES_POINTS], queries[CURVES_QUERIES], flat[CURVES_FLAT_MAX];
    float table[CURVES_POINTS * PLOY_SPLINE_CELLS + 1], flat_table[CURVES_FLAT_MAX + 1];
    float along[CURVES_QUERIES], sum;
    ploy_spline2 spline;
    ploy_polyline line;
} curves_data;

static void curves_make(curves_data *data) {
    ploy_rng rng = ploy_rng_make(5);
    for (int32_t i = 0; i < CURVES_POINTS; i++) {
        data->points[i].x = ploy_rng_range(&rng, -50.0f, 50.0f);
        data->points[i].y = ploy_rng_range(&rng, -50.0f, 50.0f);
    }
    data->spline = ploy_spline2_make(data->points, CURVES_POINTS, PLOY_SPLINE_CENTRIPETAL, true);
    ploy_spline2_measure(&data->spline, data->table);
    data->spline.along = data->table;
    float length = ploy_spline2_length(&data->spline);
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->queries[i].x = ploy_rng_range(&rng, -60.0f, 60.0f);
        data->queries[i].y = ploy_rng_range(&rng, -60.0f, 60.0f);
        data->along[i] = ploy_rng_range(&rng, 0.0f, length);
    }
    int32_t count = ploy_spline2_flatten(&data->spline, 0.01f, data->flat, CURVES_FLAT_MAX);
    data->line = ploy_polyline_make(data->flat, count, true);
    ploy_polyline_measure(&data->line, data->flat_table);
    data->line.along = data->flat_table;
    data->sum = 0.0f;
}

static void curves_find(void *self) {
    curves_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->sum += ploy_spline2_find(&data->spline, data->queries[i]).along;
    }
    bench_keep(&data->sum);
}

static void curves_find_flat(void *self) {
    curves_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->sum += ploy_polyline_find(&data->line, data->queries[i]).along;
    }
    bench_keep(&data->sum);
}

static void curves_along(void *self) {
    curves_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->sum += ploy_spline2_point_along(&data->spline, data->along[i]).x;
    }
    bench_keep(&data->sum);
}

static void curves_at(void *self) {
    curves_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->sum += ploy_spline2_at(&data->spline, data->along[i]).x;
    }
    bench_keep(&data->sum);
}

static void curves_near(void *self) {
    curves_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        data->sum +=
            ploy_spline2_find_near(&data->spline, data->queries[i], data->along[i], 5.0f).along;
    }
    bench_keep(&data->sum);
}

void bench_geom_spline_at(bench_run *run) {
    curves_data data;
    curves_make(&data);
    bench_measure(run, bench_call(curves_at, &data, CURVES_QUERIES), bench_nothing(),
                  bench_nothing());
}

void bench_geom_spline_along(bench_run *run) {
    curves_data data;
    curves_make(&data);
    bench_measure(run, bench_call(curves_along, &data, CURVES_QUERIES), bench_nothing(),
                  bench_nothing());
}

void bench_geom_spline_find(bench_run *run) {
    curves_data data;
    curves_make(&data);
    bench_measure(run, bench_call(curves_find, &data, CURVES_QUERIES),
                  bench_call(curves_find_flat, &data, CURVES_QUERIES), bench_nothing());
}

void bench_geom_spline_near(bench_run *run) {
    curves_data data;
    curves_make(&data);
    bench_measure(run, bench_call(curves_near, &data, CURVES_QUERIES), bench_nothing(),
                  bench_nothing());
}

enum { GROUND_SIZE = 256 };

typedef struct ground_data {
    float heights[GROUND_SIZE * GROUND_SIZE];
    ploy_ray3 rays[CURVES_QUERIES];
    ploy_heightfield field;
    float sum;
} ground_data;

static void ground_make(ground_data *data) {
    ploy_rng rng = ploy_rng_make(6);
    for (int32_t i = 0; i < GROUND_SIZE * GROUND_SIZE; i++) {
        data->heights[i] = ploy_rng_range(&rng, 0.0f, 2.0f);
    }
    ploy_vec2 origin = {0.0f, 0.0f};
    data->field = ploy_heightfield_make(data->heights, GROUND_SIZE, GROUND_SIZE, origin, 1.0f);
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        // From 5 m up to the ground 50 m away.
        ploy_vec3 from = {ploy_rng_range(&rng, 60.0f, 190.0f), ploy_rng_range(&rng, 60.0f, 190.0f),
                          5.0f};
        ploy_vec3 way = {ploy_rng_range(&rng, -1.0f, 1.0f), ploy_rng_range(&rng, -1.0f, 1.0f),
                         0.0f};
        way = ploy_vec3_with_length(way, 50.0f);
        way.z = -5.0f;
        data->rays[i] = ploy_ray3_between(from, ploy_vec3_add(from, way));
    }
    data->sum = 0.0f;
}

static void ground_rays(void *self) {
    ground_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        ploy_hit3 hit;
        if (ploy_ray3_hit_heightfield(data->rays[i], &data->field, &hit)) data->sum += hit.distance;
    }
    bench_keep(&data->sum);
}

static void ground_heights(void *self) {
    ground_data *data = self;
    for (int32_t i = 0; i < CURVES_QUERIES; i++) {
        float height;
        ploy_vec2 at = ploy_vec2_from_vec3(data->rays[i].origin);
        if (ploy_heightfield_height(&data->field, at, &height)) data->sum += height;
    }
    bench_keep(&data->sum);
}

void bench_geom_heightfield_height(bench_run *run) {
    ground_data data;
    ground_make(&data);
    bench_measure(run, bench_call(ground_heights, &data, CURVES_QUERIES), bench_nothing(),
                  bench_nothing());
}

void bench_geom_heightfield_ray(bench_run *run) {
    ground_data data;
    ground_make(&data);
    bench_measure(run, bench_call(ground_rays, &data, CURVES_QUERIES), bench_nothing(),
                  bench_nothing());
}
