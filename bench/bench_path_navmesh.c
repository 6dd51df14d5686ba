// Benchmarks of navigation meshes: a path through a hall of pillars by both searches, where a point
// is, beside asking every polygon, and an edit of a floor in tiles, beside making all of it.
#include "bench/bench.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/path/navmesh_exact.h"
#include "ploy/path/navmesh_tiles.h"

#include <stdio.h>

enum { NAV_PAIRS = 256 };

typedef struct nav_data {
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_navmesh_exact *exact;
    ploy_path *path;
    ploy_navmesh_place from[NAV_PAIRS], to[NAV_PAIRS];
    ploy_navmesh_method method;
    double sum;
} nav_data;

// A pillar of three to six corners within 5 m of a place. @return how many.
static int32_t nav_pillar(ploy_rng *rng, float x, float y, ploy_vec2 corners[6]) {
    int32_t count = ploy_rng_int(rng, 3, 6);
    float turn = ploy_rng_range(rng, 0.0f, 6.28f), radius = ploy_rng_range(rng, 1.0f, 4.9f);
    for (int32_t k = 0; k < count; k++) {
        float sine, cosine;
        ploy_sincosf(turn + PLOY_TWO_PI_F * (float)k / (float)count, &sine, &cosine);
        corners[k] = ploy_vec2_make(x + radius * cosine, y + radius * sine);
    }
    return count;
}

// That many pillars a side, 10 m apart, and pairs of places between them.
static bool nav_open(nav_data *data, int32_t side) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_path_def path_def = ploy_path_def_default();
    ploy_navmesh_exact_def exact_def = ploy_navmesh_exact_def_default();
    ploy_rng rng = ploy_rng_make(5);
    ploy_rings *rings = NULL;
    float width = 10.0f * (float)side;
    ploy_vec2 hall[] = {{0, 0}, {width, 0}, {width, width}, {0, width}};
    path_def.capacity = 4096;
    data->mesh = NULL;
    data->query = NULL;
    data->exact = NULL;
    data->path = NULL;
    data->sum = 0.0;
    bool open =
        ploy_rings_create(&env, &rings) == PLOY_OK && ploy_rings_add(rings, hall, 4) == PLOY_OK;
    for (int32_t i = 0; i < side * side && open; i++) {
        ploy_vec2 corners[6];
        int32_t count = nav_pillar(&rng, 5.0f + 10.0f * (float)(i % side),
                                   5.0f + 10.0f * (float)(i / side), corners);
        open = ploy_rings_add_reversed(rings, corners, count) == PLOY_OK;
    }
    open = open &&
           ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL,
                                     &data->mesh) == PLOY_OK &&
           ploy_navmesh_query_create(data->mesh, &env, &data->query) == PLOY_OK &&
           ploy_navmesh_exact_create(&exact_def, data->mesh, &env, &data->exact) == PLOY_OK &&
           ploy_path_create(&path_def, &env, &data->path) == PLOY_OK;
    for (int32_t i = 0; i < NAV_PAIRS && open; i++) {
        open = ploy_navmesh_find_random(data->query, &rng, &data->from[i]) == PLOY_OK &&
               ploy_navmesh_find_random(data->query, &rng, &data->to[i]) == PLOY_OK;
    }
    ploy_rings_destroy(rings);
    return open;
}

static void nav_end(bench_run *run, nav_data *data, bool open) {
    if (!open || !(data->sum > 0.0)) bench_fail(run, "nothing was found");
    ploy_path_destroy(data->path);
    ploy_navmesh_exact_destroy(data->exact);
    ploy_navmesh_query_destroy(data->query);
    ploy_navmesh_destroy(data->mesh);
}

static void nav_find(void *self) {
    nav_data *data = self;
    for (int32_t i = 0; i < NAV_PAIRS; i++) {
        ploy_navmesh_request request = ploy_navmesh_request_make(data->from[i], data->to[i]);
        request.method = data->method;
        if (ploy_navmesh_find_path(data->query, &request, data->path, NULL) == PLOY_OK) {
            data->sum += (double)ploy_path_length(data->path);
        }
    }
    bench_keep(&data->sum);
}

static void nav_paths(bench_run *run, ploy_navmesh_method method) {
    static nav_data data;
    bool open = nav_open(&data, (int32_t)bench_size(run));
    data.method = method;
    if (open) {
        bench_measure(run, bench_call(nav_find, &data, NAV_PAIRS), bench_nothing(),
                      bench_nothing());
    }
    nav_end(run, &data, open);
}

void bench_path_navmesh(bench_run *run) {
    nav_paths(run, PLOY_NAVMESH_EDGES);
}

void bench_path_navmesh_polygons(bench_run *run) {
    nav_paths(run, PLOY_NAVMESH_POLYGONS);
}

static void nav_find_exact(void *self) {
    nav_data *data = self;
    for (int32_t i = 0; i < NAV_PAIRS; i++) {
        if (ploy_navmesh_exact_begin(data->exact, data->from[i], data->to[i]) == PLOY_OK &&
            ploy_navmesh_exact_step(data->exact, NULL) == PLOY_OK &&
            ploy_navmesh_exact_path(data->exact, data->path) == PLOY_OK) {
            data->sum += (double)ploy_path_length(data->path);
        }
    }
    bench_keep(&data->sum);
}

// Beside the search over edges, whose paths are a little longer.
void bench_path_navmesh_exact(bench_run *run) {
    static nav_data data;
    bool open = nav_open(&data, (int32_t)bench_size(run));
    data.method = PLOY_NAVMESH_EDGES;
    if (open) {
        bench_measure(run, bench_call(nav_find_exact, &data, NAV_PAIRS),
                      bench_call(nav_find, &data, NAV_PAIRS), bench_nothing());
    }
    nav_end(run, &data, open);
}

static void nav_nearest(void *self) {
    nav_data *data = self;
    ploy_navmesh_place place;
    for (int32_t i = 0; i < NAV_PAIRS; i++) {
        ploy_navmesh_find_nearest(data->query, data->from[i].point, -1, NULL, &place);
        data->sum += (double)place.polygon;
    }
    bench_keep(&data->sum);
}

static void nav_every(void *self) {
    nav_data *data = self;
    int32_t count = ploy_navmesh_stats_of(data->mesh).polygons;
    for (int32_t i = 0; i < NAV_PAIRS; i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(data->from[i].point);
        for (int32_t k = 0; k < count; k++) {
            if (!ploy_navmesh_holds(data->mesh, k, at)) continue;
            data->sum += (double)k;
            break;
        }
    }
    bench_keep(&data->sum);
}

void bench_path_navmesh_nearest(bench_run *run) {
    static nav_data data;
    bool open = nav_open(&data, (int32_t)bench_size(run));
    if (open) {
        bench_measure(run, bench_call(nav_nearest, &data, NAV_PAIRS),
                      bench_call(nav_every, &data, NAV_PAIRS), bench_nothing());
    }
    nav_end(run, &data, open);
}

static void nav_ray(void *self) {
    nav_data *data = self;
    for (int32_t i = 0; i < NAV_PAIRS; i++) {
        ploy_navmesh_hit hit;
        ploy_navmesh_find_ray(data->query, data->from[i], ploy_vec2_from_vec3(data->to[i].point),
                              &hit);
        data->sum += (double)hit.share;
    }
    bench_keep(&data->sum);
}

void bench_path_navmesh_ray(bench_run *run) {
    static nav_data data;
    bool open = nav_open(&data, (int32_t)bench_size(run));
    if (open) {
        bench_measure(run, bench_call(nav_ray, &data, NAV_PAIRS), bench_nothing(), bench_nothing());
    }
    nav_end(run, &data, open);
}

// ---- tiles ----

typedef struct nav_yard {
    ploy_navmesh_tiles *tiles;
    int32_t side;
    ploy_result result;
} nav_yard;

// A yard of that many tiles of 10 m a side, with as many pillars, cut and joined.
static ploy_navmesh_tiles *nav_make_tiles(nav_yard *yard) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles_def def = ploy_navmesh_tiles_def_default();
    ploy_rng rng = ploy_rng_make(5);
    ploy_rings *rings = NULL;
    ploy_navmesh_tiles *tiles = NULL;
    float width = 10.0f * (float)yard->side;
    ploy_vec2 hall[] = {{0, 0}, {width, 0}, {width, width}, {0, width}};
    def.tile = 10.0f;
    def.radius = 0.4f;
    ploy_result result = ploy_rings_create(&env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, hall, 4);
    if (result == PLOY_OK) {
        result = ploy_navmesh_tiles_create(&def, rings, PLOY_FILL_NON_ZERO, &env, &tiles);
    }
    for (int32_t i = 0; i < yard->side * yard->side && result == PLOY_OK; i++) {
        ploy_vec2 corners[6];
        int32_t count = nav_pillar(&rng, ploy_rng_range(&rng, 0.0f, width),
                                   ploy_rng_range(&rng, 0.0f, width), corners);
        result = ploy_navmesh_tiles_add(tiles, corners, count, NULL);
    }
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result != PLOY_OK) yard->result = result;
    ploy_rings_destroy(rings);
    return tiles;
}

// A crate is put down within a tile in the middle, and taken away.
static void nav_edit(void *self) {
    nav_yard *yard = self;
    float at = 10.0f * (float)(yard->side / 2) + 4.0f;
    ploy_vec2 crate[4] = {{at, at}, {at + 2, at}, {at + 2, at + 2}, {at, at + 2}};
    ploy_id id;
    ploy_result result = ploy_navmesh_tiles_add(yard->tiles, crate, 4, &id);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(yard->tiles, NULL);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_remove(yard->tiles, id);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(yard->tiles, NULL);
    if (result != PLOY_OK) yard->result = result;
}

static void nav_make_all(void *self) {
    ploy_navmesh_tiles_destroy(nav_make_tiles(self));
}

void bench_path_navmesh_tiles(bench_run *run) {
    nav_yard yard = {NULL, (int32_t)bench_size(run), PLOY_OK};
    yard.tiles = nav_make_tiles(&yard);
    if (yard.result == PLOY_OK) {
        bench_measure(run, bench_call(nav_edit, &yard, 2), bench_call(nav_make_all, &yard, 1),
                      bench_nothing());
        char note[128];
        ploy_navmesh_tiles_stats stats = ploy_navmesh_tiles_stats_of(yard.tiles);
        int32_t all = ploy_navmesh_stats_of(ploy_navmesh_tiles_mesh(yard.tiles)).polygons;
        snprintf(note, sizeof note, "%d of %d polygons touched", (int)stats.touched, (int)all);
        bench_note(run, note);
    }
    if (yard.result != PLOY_OK) bench_fail(run, "an edit failed");
    ploy_navmesh_tiles_destroy(yard.tiles);
}
