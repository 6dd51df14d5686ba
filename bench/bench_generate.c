// Noise and placement: what a sample and a disc cost.
//
// Noise is sampled over 512 by 512 places, 16 to a cell, by ours in one call and by the peers one
// by one, as their users do. Scatter fills 200 by 200 m with discs; the peer's points and ours must
// come to about the same number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/generate/noise.h"
#include "ploy/generate/scatter.h"

enum { GENERATE_SIDE = 512 };

typedef enum generate_what {
    GENERATE_PERLIN2,
    GENERATE_FBM5,
    GENERATE_SIMPLEX2,
    GENERATE_PERLIN3,
    GENERATE_CELLULAR2
} generate_what;

typedef struct generate_noise {
    ploy_noise noise;
    ploy_noise_grid grid;
    bool space;
    float *out;
} generate_noise;

static void generate_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: generating failed\n");
    exit(2);
}

static generate_noise generate_noise_make(generate_what what) {
    static const int32_t kinds[] = {PLOY_NOISE_PERLIN, PLOY_NOISE_PERLIN, PLOY_NOISE_SIMPLEX,
                                    PLOY_NOISE_PERLIN, PLOY_NOISE_CELLULAR};
    ploy_env env = ploy_env_default();
    ploy_noise_def def = ploy_noise_def_default();
    def.kind = kinds[what];
    def.fractal = what == GENERATE_FBM5 ? PLOY_NOISE_FBM : PLOY_NOISE_SINGLE;
    generate_noise data;
    generate_need(ploy_noise_init(&data.noise, &def, ploy_rng_key_make(1), &env) == PLOY_OK);
    data.grid =
        ploy_noise_grid_make(ploy_vec2_make(0, 0), 1.0f / 16.0f, GENERATE_SIDE, GENERATE_SIDE);
    data.grid.origin.z = 0.375f;
    data.space = what == GENERATE_PERLIN3;
    data.out = calloc((size_t)GENERATE_SIDE * GENERATE_SIDE, sizeof *data.out);
    generate_need(data.out != NULL);
    return data;
}

static void generate_fill(void *self) {
    generate_noise *data = self;
    generate_need((data->space
                       ? ploy_noise_fill3(&data->noise, &data->grid, data->out, GENERATE_SIDE)
                       : ploy_noise_fill2(&data->noise, &data->grid, data->out, GENERATE_SIDE)) ==
                  PLOY_OK);
    bench_keep(data->out);
}

static void generate_single(void *self) {
    generate_noise *data = self;
    for (int32_t y = 0; y < GENERATE_SIDE; y++) {
        for (int32_t x = 0; x < GENERATE_SIDE; x++) {
            ploy_vec2 at = ploy_vec2_make((float)x / 16.0f, (float)y / 16.0f);
            data->out[y * GENERATE_SIDE + x] = ploy_noise_at2(&data->noise, at);
        }
    }
    bench_keep(data->out);
}

// Both sides must have sampled noise, not zeros.
static void generate_compare(bench_run *run, bench_side peer, const generate_noise *data) {
    double range, own = 0.0;
    if (!bench_ask(run, peer, "range", &range)) return;
    for (int32_t i = 0; i < GENERATE_SIDE * GENERATE_SIDE; i++) {
        own = fmax(own, fabs((double)data->out[i]));
    }
    if (!(own > 0.3 && fabs(range) > 0.01)) bench_fail(run, "a side has no noise");
}

void bench_generate_noise(bench_run *run) {
    static const char *const arguments[] = {"perlin2", "fbm5", "simplex2", "perlin3", "cellular2"};
    generate_what what = (generate_what)bench_size(run);
    generate_noise data = generate_noise_make(what);
    bench_side peer = what == GENERATE_CELLULAR2 ? bench_node(run, "fastnoise_cellular.mjs")
                      : what == GENERATE_PERLIN3
                          ? bench_program(run, "libnoise_perlin", "")
                          : bench_program(run, "libtcod_noise", arguments[what]);
    bench_measure(run, bench_call(generate_fill, &data, GENERATE_SIDE * GENERATE_SIDE), peer,
                  bench_nothing());
    generate_compare(run, peer, &data);
    free(data.out);
}

void bench_generate_noise_single(bench_run *run) {
    generate_noise data = generate_noise_make(GENERATE_PERLIN2);
    bench_side peer = bench_program(run, "libtcod_noise", "perlin2");
    bench_measure(run, bench_call(generate_single, &data, GENERATE_SIDE * GENERATE_SIDE), peer,
                  bench_nothing());
    generate_compare(run, peer, &data);
    free(data.out);
}

typedef struct generate_discs {
    ploy_scatter_def def;
    int32_t count;
} generate_discs;

static void generate_scatter(void *self) {
    generate_discs *data = self;
    ploy_env env = ploy_env_default();
    ploy_scatter *scatter = NULL;
    generate_need(ploy_scatter_begin(&data->def, ploy_rng_key_make(1), NULL, NULL, &env,
                                     &scatter) == PLOY_OK);
    generate_need(ploy_scatter_step(scatter, NULL) == PLOY_OK);
    ploy_scatter_points(scatter, &data->count);
    ploy_scatter_cancel(scatter);
}

void bench_generate_scatter(bench_run *run) {
    generate_discs data = {ploy_scatter_def_default(), 0};
    data.def.width = data.def.height = 200.0f;
    data.def.separation = 2.0f; // from twice to four times the radius, as the peer
    data.def.tries = 30;
    generate_scatter(&data);
    bench_side peer = bench_node(run, "poisson_disk.mjs");
    bench_measure(run, bench_call(generate_scatter, &data, data.count), peer, bench_nothing());
    double points;
    if (!bench_ask(run, peer, "points", &points)) return;
    if (fabs(points - data.count) > 0.15 * data.count) {
        bench_fail(run, "the two fills differ in density");
    }
}
