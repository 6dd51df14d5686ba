// Triangulations: what a point costs in a build, in a change and in a search.
//
// A fifth as many constraints as points: each lies in a separate cell, so that none cross; the
// other points lie anywhere. bench/peers/cgal_cdt.cpp makes the same ones. Both must come to the
// same triangles: as many of them, as many constraints, and the same length of all edges together.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/geom/cdt.h"

enum { CDT_EXTRA = 1000 };

typedef struct cdt_data {
    int32_t count, edge_count;
    float size; // m, of the square they lie in
    ploy_vec2 *points;
    ploy_cdt_edge *edges;
    ploy_vec2 extra[CDT_EXTRA];
    ploy_cdt *cdt;
    int64_t sum; // of the last pass's answers
} cdt_data;

static void cdt_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: triangulation failed\n");
    exit(2);
}

// Numerical Recipes' 32-bit generator.
static ploy_vec2 cdt_random(uint32_t *state, float x, float y, float size) {
    float share[2];
    for (int32_t i = 0; i < 2; i++) {
        *state = *state * 1664525u + 1013904223u;
        share[i] = (float)((double)(*state >> 8) / 16777216.0);
    }
    return ploy_vec2_make(x + share[0] * size, y + share[1] * size);
}

static void cdt_build(void *self) {
    cdt_data *data = self;
    cdt_need(ploy_cdt_build(data->cdt, data->points, data->count, data->edges, data->edge_count,
                            NULL) == PLOY_OK);
    bench_keep(data->cdt);
}

static cdt_data cdt_make(const bench_run *run) {
    cdt_data data = {0};
    uint32_t state = 1;
    data.count = (int32_t)bench_size(run);
    data.edge_count = data.count / 5;
    int32_t columns = (int32_t)ceil(sqrt((double)data.edge_count));
    data.size = (float)columns;
    data.points = calloc((size_t)data.count, sizeof *data.points);
    data.edges = calloc((size_t)data.edge_count, sizeof *data.edges);
    cdt_need(data.points != NULL && data.edges != NULL);
    for (int32_t i = 0; i < data.edge_count; i++) {
        ploy_cdt_edge edge = {2 * i, 2 * i + 1};
        float x = (float)(i % columns), y = (float)(i / columns);
        data.points[2 * i] = cdt_random(&state, x, y, 0.96875f);
        data.points[2 * i + 1] = cdt_random(&state, x, y, 0.96875f);
        data.edges[i] = edge;
    }
    for (int32_t i = 2 * data.edge_count; i < data.count; i++) {
        data.points[i] = cdt_random(&state, 0.0f, 0.0f, data.size);
    }
    for (int32_t i = 0; i < CDT_EXTRA; i++) {
        data.extra[i] = cdt_random(&state, 0.0f, 0.0f, data.size);
    }
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_env env = ploy_env_default();
    def.capacity = data.count;
    cdt_need(ploy_cdt_create(&def, &env, &data.cdt) == PLOY_OK);
    cdt_build(&data);
    return data;
}

static void cdt_free(cdt_data *data) {
    ploy_cdt_destroy(data->cdt);
    free(data->points);
    free(data->edges);
}

// Both built the same mesh.
static void cdt_compare(bench_run *run, bench_side peer, const cdt_data *data) {
    double triangles, constraints, length;
    if (!bench_ask(run, peer, "triangles", &triangles) ||
        !bench_ask(run, peer, "constraints", &constraints) ||
        !bench_ask(run, peer, "length", &length)) {
        return; // no peer: the row says so
    }
    ploy_cdt_view view = ploy_cdt_get(data->cdt);
    double own_length = 0.0;
    int32_t own_constraints = 0;
    for (int32_t t = 0; t < view.triangle_count; t++) {
        for (int32_t i = 0; i < 3; i++) {
            const ploy_cdt_triangle *triangle = &view.triangles[t];
            if (triangle->neighbour[i] > t) continue;
            ploy_vec2 a = view.points[triangle->corner[(i + 1) % 3]];
            ploy_vec2 b = view.points[triangle->corner[(i + 2) % 3]];
            double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
            own_length += sqrt(x * x + y * y);
            own_constraints += (triangle->flags >> i & 1u) != 0;
        }
    }
    if ((double)view.triangle_count != triangles || (double)own_constraints != constraints ||
        fabs(own_length - length) > 1e-9 * length) {
        bench_fail(run, "the two triangulations differ");
    }
}

void bench_geom_cdt(bench_run *run) {
    cdt_data data = cdt_make(run);
    char size[32];
    snprintf(size, sizeof size, "%d", (int)data.count);
    bench_side peer = bench_program(run, "cgal_cdt", size);
    bench_measure(run, bench_call(cdt_build, &data, data.count), peer, bench_nothing());
    cdt_compare(run, peer, &data);
    cdt_free(&data);
}

static void cdt_edit(void *self) {
    cdt_data *data = self;
    for (int32_t i = 0; i < CDT_EXTRA; i++) {
        int32_t before = ploy_cdt_vertex_count(data->cdt), vertex = -1;
        cdt_need(ploy_cdt_insert_point(data->cdt, data->extra[i], &vertex) == PLOY_OK);
        if (ploy_cdt_vertex_count(data->cdt) == before) continue;
        cdt_need(ploy_cdt_remove_point(data->cdt, vertex) == PLOY_OK);
    }
}

void bench_geom_cdt_edit(bench_run *run) {
    cdt_data data = cdt_make(run);
    bench_measure(run, bench_call(cdt_edit, &data, CDT_EXTRA), bench_nothing(), bench_nothing());
    cdt_free(&data);
}

static void cdt_locate_from(cdt_data *data, int32_t hint) {
    data->sum = 0;
    for (int32_t i = 0; i < CDT_EXTRA; i++) {
        ploy_cdt_location at = ploy_cdt_locate(data->cdt, data->extra[i], hint);
        data->sum += at.place == PLOY_CDT_OUTSIDE ? 0 : at.triangle;
    }
    bench_keep(&data->sum);
}

static void cdt_locate(void *self) {
    cdt_locate_from(self, -1);
}

static void cdt_locate_far(void *self) {
    cdt_locate_from(self, 0);
}

void bench_geom_cdt_locate(bench_run *run) {
    cdt_data data = cdt_make(run), far = cdt_make(run);
    bench_measure(run, bench_call(cdt_locate, &data, CDT_EXTRA),
                  bench_call(cdt_locate_far, &far, CDT_EXTRA), bench_nothing());
    if (data.sum != far.sum) bench_fail(run, "the two searches differ");
    cdt_free(&data);
    cdt_free(&far);
}
