// Benchmarks of areas: the union of two outlines beside testing all pairs of their edges, and the
// visibility polygon beside a ray past all walls toward each of their ends. Also what is made of a
// triangulation: convex polygons and Voronoi cells.
#include "bench/bench.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/merge.h"
#include "ploy/geom/visibility.h"
#include "ploy/geom/voronoi.h"

#include <stdlib.h>

enum { AREAS_MOST = 4096 };

typedef struct areas_data {
    ploy_segment2 edges[AREAS_MOST];
    int32_t count;
    ploy_rings *a, *b, *out;
    ploy_arena *scratch;
    int64_t sum;
} areas_data;

static bool areas_open(areas_data *data) {
    ploy_env env = ploy_env_default();
    data->count = 0;
    data->sum = 0;
    data->a = data->b = data->out = NULL;
    data->scratch = NULL;
    return ploy_rings_create(&env, &data->a) == PLOY_OK &&
           ploy_rings_create(&env, &data->b) == PLOY_OK &&
           ploy_rings_create(&env, &data->out) == PLOY_OK &&
           ploy_arena_create(1 << 22, 0, &env, &data->scratch) == PLOY_OK;
}

static void areas_close(areas_data *data) {
    ploy_rings_destroy(data->a);
    ploy_rings_destroy(data->b);
    ploy_rings_destroy(data->out);
    ploy_arena_destroy(data->scratch);
}

static void areas_unite(void *self) {
    areas_data *data = self;
    ploy_result result = ploy_rings_boolean(data->a, data->b, PLOY_BOOLEAN_UNION,
                                            PLOY_FILL_NON_ZERO, data->scratch, data->out);
    ploy_arena_reset(data->scratch);
    data->sum += result == PLOY_OK ? ploy_rings_corners(data->out) : 0;
    bench_keep(&data->sum);
}

static void areas_all_pairs(void *self) {
    areas_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        for (int32_t k = i + 1; k < data->count; k++) {
            data->sum += ploy_segment2_crosses(data->edges[i], data->edges[k], NULL);
        }
    }
    bench_keep(&data->sum);
}

// Two jagged outlines of that many corners each, one beside the other.
void bench_geom_boolean(bench_run *run) {
    static areas_data data;
    int32_t corners = (int32_t)bench_size(run);
    ploy_rng rng = ploy_rng_make(3);
    bool open = areas_open(&data);
    for (int32_t side = 0; side < 2 && open; side++) {
        static ploy_vec2 points[AREAS_MOST];
        for (int32_t i = 0; i < corners; i++) {
            float sine, cosine, radius = ploy_rng_range(&rng, 10.0f, 13.0f);
            ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)corners, &sine, &cosine);
            points[i] = ploy_vec2_make(radius * cosine + 3.0f * (float)side, radius * sine);
        }
        open = ploy_rings_add(side == 0 ? data.a : data.b, points, corners) == PLOY_OK;
        for (int32_t i = 0; i < corners; i++) {
            data.edges[data.count++] = ploy_polygon_edge(ploy_polygon_make(points, corners), i);
        }
    }
    bench_measure(run, bench_call(areas_unite, &data, 1), bench_call(areas_all_pairs, &data, 1),
                  bench_nothing());
    if (!open || data.sum == 0) bench_fail(run, "nothing was united");
    areas_close(&data);
}

static void areas_look(void *self) {
    areas_data *data = self;
    ploy_visibility_def def = ploy_visibility_def_default();
    ploy_result result = ploy_visibility_find(&def, ploy_vec2_zero(), data->edges, data->count,
                                              data->scratch, data->out);
    ploy_arena_reset(data->scratch);
    data->sum += result == PLOY_OK ? ploy_rings_corners(data->out) : 0;
    bench_keep(&data->sum);
}

// What a visibility polygon takes at least if it is made of rays: one to each end.
static void areas_cast(void *self) {
    areas_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_ray2 ray = ploy_ray2_between(ploy_vec2_zero(), data->edges[i].from);
        for (int32_t k = 0; k < data->count; k++) {
            data->sum += ploy_ray2_hit_segment(ray, data->edges[k], NULL);
        }
    }
    bench_keep(&data->sum);
}

void bench_geom_visibility(bench_run *run) {
    static areas_data data;
    ploy_rng rng = ploy_rng_make(4);
    bool open = areas_open(&data);
    for (data.count = 0; data.count < (int32_t)bench_size(run); data.count++) {
        ploy_vec2 at = {ploy_rng_range(&rng, -70.0f, 70.0f), ploy_rng_range(&rng, -70.0f, 70.0f)};
        ploy_vec2 by = {ploy_rng_range(&rng, -5.0f, 5.0f), ploy_rng_range(&rng, -5.0f, 5.0f)};
        data.edges[data.count] = ploy_segment2_make(at, ploy_vec2_add(at, by));
    }
    bench_measure(run, bench_call(areas_look, &data, 1), bench_call(areas_cast, &data, 1),
                  bench_nothing());
    if (!open || data.sum == 0) bench_fail(run, "nothing was seen");
    areas_close(&data);
}

typedef struct mesh_data {
    ploy_cdt *cdt;
    ploy_merge *merge;
    ploy_voronoi *voronoi;
    ploy_arena *scratch;
    int64_t sum;
} mesh_data;

static void mesh_merge(void *self) {
    mesh_data *data = self;
    if (ploy_merge_build(data->merge, data->cdt, data->scratch) == PLOY_OK) {
        data->sum += ploy_merge_get(data->merge).polygon_count;
    }
    ploy_arena_reset(data->scratch);
    bench_keep(&data->sum);
}

static void mesh_cells(void *self) {
    mesh_data *data = self;
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(-100, -100), ploy_vec2_make(100, 100));
    if (ploy_voronoi_build(data->voronoi, data->cdt, box, data->scratch) == PLOY_OK) {
        data->sum += ploy_voronoi_get(data->voronoi).corner_count;
    }
    ploy_arena_reset(data->scratch);
    bench_keep(&data->sum);
}

// Scattered points; an operation is one point's share.
static void mesh_measure(bench_run *run, void (*work)(void *self)) {
    mesh_data data = {NULL, NULL, NULL, NULL, 0};
    int32_t count = (int32_t)bench_size(run);
    ploy_env env = ploy_env_default();
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def merge_def = ploy_merge_def_default();
    ploy_rng rng = ploy_rng_make(6);
    ploy_vec2 *points = malloc((size_t)count * sizeof *points);
    for (int32_t i = 0; i < count && points != NULL; i++) {
        points[i].x = ploy_rng_range(&rng, -100.0f, 100.0f);
        points[i].y = ploy_rng_range(&rng, -100.0f, 100.0f);
    }
    bool open = points != NULL && ploy_cdt_create(&cdt_def, &env, &data.cdt) == PLOY_OK &&
                ploy_merge_create(&merge_def, &env, &data.merge) == PLOY_OK &&
                ploy_voronoi_create(&env, &data.voronoi) == PLOY_OK &&
                ploy_arena_create(1 << 22, 0, &env, &data.scratch) == PLOY_OK &&
                ploy_cdt_build(data.cdt, points, count, NULL, 0, NULL) == PLOY_OK;
    if (open) {
        bench_measure(run, bench_call(work, &data, count), bench_nothing(), bench_nothing());
    }
    if (!open || data.sum == 0) bench_fail(run, "nothing was made");
    ploy_cdt_destroy(data.cdt);
    ploy_merge_destroy(data.merge);
    ploy_voronoi_destroy(data.voronoi);
    ploy_arena_destroy(data.scratch);
    free(points);
}

void bench_geom_merge(bench_run *run) {
    mesh_measure(run, mesh_merge);
}

void bench_geom_voronoi(bench_run *run) {
    mesh_measure(run, mesh_cells);
}
