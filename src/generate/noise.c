// Noise: settings, octaves, warp and grids; the kernels are in noise_kernels.c.
//
// Samples are made in runs of up to NOISE_RUN, each in the same stages: positions in cells, cut to
// the period, warped, then one kernel for each octave. A single sample is a run of one with the
// kernels for one, so it has the same bits.
#include "ploy/generate/noise.h"

#include "ploy/base/math.h"
#include "ploy/generate/random.h"

#include "generate/noise_internal.h"

#include <math.h>
#include <string.h>

// Whether a single sample may be computed with AVX2: the condition of PLOYI_KERNEL.
#if NOISE_LANES && PLOYI_CHOOSES_AVX2
#define NOISE_CHOOSES_AVX2 1
#include <immintrin.h>
#else
#define NOISE_CHOOSES_AVX2 0
#endif

static const char *const noise_kinds[] = {"white", "value", "perlin", "simplex", "cellular"};
static const char *const noise_fractals[] = {"single", "fbm", "ridged", "billow"};
static const char *const noise_cellulars[] = {"first", "second", "difference", "value"};

static const ploy_field noise_fields[] = {
    PLOY_FIELD_ENUM(ploy_noise_def, kind, 2, noise_kinds, "kind of noise"),
    PLOY_FIELD_F32(ploy_noise_def, frequency, 1, 1e-6f, 1e6f, "1/m", "cells a metre"),
    PLOY_FIELD_ENUM(ploy_noise_def, fractal, 0, noise_fractals, "how octaves are summed"),
    PLOY_FIELD_I32(ploy_noise_def, octaves, 5, 1, PLOY_NOISE_OCTAVES, "", "octaves of a fractal"),
    PLOY_FIELD_F32(ploy_noise_def, lacunarity, 2, 1, 8, "",
                   "frequency of an octave over that of the one before"),
    PLOY_FIELD_F32(ploy_noise_def, gain, 0.5f, 0, 1, "",
                   "weight of an octave over that of the one before"),
    PLOY_FIELD_I32(ploy_noise_def, period_x, 0, 0, 1 << 16, "cells", "period along x; 0: none"),
    PLOY_FIELD_I32(ploy_noise_def, period_y, 0, 0, 1 << 16, "cells",
                   "period along y; 0: none; even for simplex in the plane"),
    PLOY_FIELD_I32(ploy_noise_def, period_z, 0, 0, 1 << 16, "cells", "period along z; 0: none"),
    PLOY_FIELD_ENUM(ploy_noise_def, cellular, 0, noise_cellulars, "what a cellular sample is"),
    PLOY_FIELD_F32(ploy_noise_def, jitter, 0.65f, 0, 1, "",
                   "how far feature points leave their cells' centres"),
    PLOY_FIELD_F32(ploy_noise_def, warp, 0, 0, 100, "cells",
                   "largest shift of a position by warp noise"),
    PLOY_FIELD_F32(ploy_noise_def, warp_frequency, 1, 1e-3f, 100, "",
                   "frequency of the warp noise over that of the noise"),
};

ploy_fields ploy_noise_fields(void) {
    return PLOY_FIELDS(ploy_noise_def, noise_fields);
}

ploy_noise_def ploy_noise_def_default(void) {
    ploy_noise_def def;
    ploy_fields_default(ploy_noise_fields(), &def);
    return def;
}

static bool noise_is_whole(float value) {
    return value == floorf(value) && value >= 1.0f;
}

// Why settings that are in range do not fit together; NULL: they do.
static const char *noise_conflict(const ploy_noise_def *def) {
    bool periodic = def->period_x > 0 || def->period_y > 0 || def->period_z > 0;
    if (!periodic) return NULL;
    bool fractal = def->fractal != PLOY_NOISE_SINGLE && def->octaves > 1;
    if (fractal && !noise_is_whole(def->lacunarity)) {
        return "noise: lacunarity must be a whole number if there is a period";
    }
    if (def->warp > 0.0f && !noise_is_whole(def->warp_frequency)) {
        return "noise: warp_frequency must be a whole number if there is a period";
    }
    if (def->kind == PLOY_NOISE_SIMPLEX && def->period_y % 2 != 0) {
        return "noise: period_y must be even for simplex noise";
    }
    // The finest octave's period has to be a cell number.
    double finest = fractal ? ploy_pow((double)def->lacunarity, def->octaves - 1) : 1.0;
    int32_t longest = def->period_x > def->period_y ? def->period_x : def->period_y;
    if (def->period_z > longest) longest = def->period_z;
    if (finest * longest > 1e9 || (double)def->warp_frequency * longest > 1e9) {
        return "noise: period times lacunarity to the power of octaves must be below 1e9";
    }
    return NULL;
}

ploy_result ploy_noise_init(ploy_noise *noise, const ploy_noise_def *def, ploy_rng_key key,
                            const ploy_env *env) {
    if (noise == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_noise_fields(), def, env);
    if (result != PLOY_OK) return result;
    const char *conflict = noise_conflict(def);
    if (conflict != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, conflict);
        return PLOY_ERR_ARGUMENT;
    }
    memset(noise, 0, sizeof *noise);
    noise->def = *def;
    noise->plain =
        def->warp == 0.0f && def->period_x == 0 && def->period_y == 0 && def->period_z == 0;
    noise->octaves = def->fractal == PLOY_NOISE_SINGLE ? 1 : def->octaves;
    float weight = 1.0f, sum = 0.0f;
    for (int32_t i = 0; i < noise->octaves; i++) {
        noise->seeds[i] = (uint32_t)ploy_mix(key.bits, 0, (uint64_t)i, 0);
        noise->weights[i] = weight;
        sum += weight;
        weight *= def->gain;
    }
    for (int32_t i = 0; i < noise->octaves; i++) noise->weights[i] /= sum;
    for (int32_t i = 0; i < 3; i++) {
        noise->warp_seeds[i] = (uint32_t)ploy_mix(key.bits, 1, (uint64_t)i, 0);
    }
    return PLOY_OK;
}

// ---- a run of samples

enum { NOISE_RUN = 256 };

typedef struct noise_run {
    int32_t n, dimensions;
    float at[3][NOISE_RUN]; // cells
} noise_run;

static int32_t noise_period(const ploy_noise *noise, int32_t axis) {
    const int32_t periods[3] = {noise->def.period_x, noise->def.period_y, noise->def.period_z};
    return periods[axis];
}

static ployi_noise_octave noise_octave_of(const ploy_noise *noise, uint32_t seed, float scale) {
    ployi_noise_octave octave;
    octave.seed = seed;
    octave.jitter = noise->def.jitter;
    for (int32_t i = 0; i < 3; i++) {
        int32_t period = noise_period(noise, i);
        octave.period[i] = period > 0 ? (int32_t)((float)period * scale) : PLOYI_NOISE_ENDLESS;
        octave.first[i] = period > 0 ? 0 : INT32_MIN;
    }
    return octave;
}

// Moves positions into [0, period). The quotient is a whole number and its product with the period
// is exact for positions below 2^24 cells, so positions a period apart become the same bits.
static void noise_reduce(noise_run *run, const ploy_noise *noise) {
    for (int32_t axis = 0; axis < run->dimensions; axis++) {
        if (noise_period(noise, axis) == 0) continue;
        float period = (float)noise_period(noise, axis);
        float *at = run->at[axis];
        for (int32_t i = 0; i < run->n; i++) {
            float rest = at[i] - period * floorf(at[i] / period);
            rest = rest < 0.0f ? rest + period : rest;
            at[i] = rest >= period ? rest - period : rest;
        }
    }
}

static void noise_warp(noise_run *run, const ploy_noise *noise, bool single) {
    ployi_noise_kernel kernel = single
                                    ? ployi_noise_single_of(PLOY_NOISE_PERLIN, 0, run->dimensions)
                                    : ployi_noise_kernel_of(PLOY_NOISE_PERLIN, 0, run->dimensions);
    float scale = noise->def.warp_frequency, amount = noise->def.warp;
    float scaled[3][NOISE_RUN], shift[3][NOISE_RUN];
    for (int32_t axis = 0; axis < run->dimensions; axis++) {
        for (int32_t i = 0; i < run->n; i++) {
            scaled[axis][i] = noise_cut(run->at[axis][i] * scale);
        }
    }
    for (int32_t axis = 0; axis < run->dimensions; axis++) {
        ployi_noise_octave octave = noise_octave_of(noise, noise->warp_seeds[axis], scale);
        kernel(run->n, scaled[0], scaled[1], scaled[2], &octave, shift[axis]);
    }
    for (int32_t axis = 0; axis < run->dimensions; axis++) {
        for (int32_t i = 0; i < run->n; i++) {
            run->at[axis][i] = noise_cut(run->at[axis][i] + shift[axis][i] * amount);
        }
    }
}

static void noise_fold(int32_t fractal, int32_t n, float *samples) {
    if (fractal == PLOY_NOISE_RIDGED) {
        for (int32_t i = 0; i < n; i++) samples[i] = 1.0f - 2.0f * fabsf(samples[i]);
    } else if (fractal == PLOY_NOISE_BILLOW) {
        for (int32_t i = 0; i < n; i++) samples[i] = 2.0f * fabsf(samples[i]) - 1.0f;
    }
}

static void noise_sum(noise_run *run, const ploy_noise *noise, bool single, float *out) {
    const ploy_noise_def *def = &noise->def;
    ployi_noise_kernel kernel =
        single ? ployi_noise_single_of(def->kind, def->cellular, run->dimensions)
               : ployi_noise_kernel_of(def->kind, def->cellular, run->dimensions);
    float scale = 1.0f;
    float part[NOISE_RUN];
    for (int32_t octave = 0; octave < noise->octaves; octave++) {
        ployi_noise_octave settings = noise_octave_of(noise, noise->seeds[octave], scale);
        float *samples = octave == 0 ? out : part;
        kernel(run->n, run->at[0], run->at[1], run->at[2], &settings, samples);
        if (def->fractal == PLOY_NOISE_SINGLE) return;
        noise_fold(def->fractal, run->n, samples);
        float weight = noise->weights[octave];
        if (octave == 0) {
            for (int32_t i = 0; i < run->n; i++) out[i] *= weight;
        } else {
            for (int32_t i = 0; i < run->n; i++) out[i] += part[i] * weight;
        }
        scale *= def->lacunarity;
        for (int32_t axis = 0; axis < run->dimensions; axis++) {
            for (int32_t i = 0; i < run->n; i++) {
                run->at[axis][i] = noise_cut(run->at[axis][i] * def->lacunarity);
            }
        }
    }
    // The weights' sum may round above 1. Distances of cellular noise have no such range.
    if (def->kind != PLOY_NOISE_CELLULAR) {
        for (int32_t i = 0; i < run->n; i++) out[i] = noise_one(out[i]);
    }
}

// Positions are in metres.
static void noise_run_all(noise_run *run, const ploy_noise *noise, bool single, float *out) {
    for (int32_t axis = 0; axis < run->dimensions; axis++) {
        for (int32_t i = 0; i < run->n; i++) {
            run->at[axis][i] = noise_cut(run->at[axis][i] * noise->def.frequency);
        }
    }
    noise_reduce(run, noise);
    if (noise->def.warp > 0.0f) {
        noise_warp(run, noise, single);
        noise_reduce(run, noise);
    }
    noise_sum(run, noise, single, out);
}

// One sample without period and warp: the same stages, with the kernel's body in place.
PLOYI_INLINE float noise_one_of(int32_t kind, int32_t cellular, int32_t dimensions,
                                const ployi_noise_octave *octave, float x, float y, float z) {
    if (dimensions == 2) {
        if (kind == PLOY_NOISE_PERLIN) {
            return noise_perlin2_plain(ploy_vec2_make(x, y), 1.0f, octave->seed);
        }
        if (kind == PLOY_NOISE_SIMPLEX) return noise_simplex2(x, y, octave);
        if (kind == PLOY_NOISE_VALUE) return noise_value2(x, y, octave);
    }
    float out;
    ployi_noise_single_of(kind, cellular, dimensions)(1, &x, &y, &z, octave, &out);
    return out;
}

PLOYI_INLINE float noise_plain(const ploy_noise *noise, int32_t dimensions, float x, float y,
                               float z) {
    const ploy_noise_def *def = &noise->def;
    ployi_noise_octave octave = {
        noise->seeds[0],
        {PLOYI_NOISE_ENDLESS, PLOYI_NOISE_ENDLESS, PLOYI_NOISE_ENDLESS},
        {INT32_MIN, INT32_MIN, INT32_MIN},
        def->jitter,
    };
    x = noise_cut(x * def->frequency);
    y = noise_cut(y * def->frequency);
    z = noise_cut(z * def->frequency);
    float sum = noise_one_of(def->kind, def->cellular, dimensions, &octave, x, y, z);
    if (def->fractal == PLOY_NOISE_SINGLE) return sum;
    noise_fold(def->fractal, 1, &sum);
    sum *= noise->weights[0];
    for (int32_t i = 1; i < noise->octaves; i++) {
        x = noise_cut(x * def->lacunarity);
        y = noise_cut(y * def->lacunarity);
        z = noise_cut(z * def->lacunarity);
        octave.seed = noise->seeds[i];
        float part = noise_one_of(def->kind, def->cellular, dimensions, &octave, x, y, z);
        noise_fold(def->fractal, 1, &part);
        sum += part * noise->weights[i];
    }
    return def->kind == PLOY_NOISE_CELLULAR ? sum : noise_one(sum);
}

static float noise_single(const ploy_noise *noise, int32_t dimensions, float x, float y, float z) {
    noise_run run;
    float out;
    run.n = 1;
    run.dimensions = dimensions;
    run.at[0][0] = x;
    run.at[1][0] = y;
    run.at[2][0] = z;
    noise_run_all(&run, noise, true, &out);
    return out;
}

// Kept out of ploy_noise_at2, so that the position stays in its register there.
PLOYI_OUTLINE float noise_other2(const ploy_noise *noise, ploy_vec2 position) {
    return noise->plain ? noise_plain(noise, 2, position.x, position.y, 0.0f)
                        : noise_single(noise, 2, position.x, position.y, 0.0f);
}

#if NOISE_CHOOSES_AVX2
// The gradients by axis, for permutations of eight lanes.
static const float noise_gradients2_x[8] = {2.41421356f, 2.41421356f, -2.41421356f, -2.41421356f,
                                            1.0f,        -1.0f,       1.0f,         -1.0f};
static const float noise_gradients2_y[8] = {1.0f,        -1.0f,       1.0f,         -1.0f,
                                            2.41421356f, 2.41421356f, -2.41421356f, -2.41421356f};

PLOYI_OUTLINE float noise_perlin2_rare(ploy_vec2 position, float frequency, uint32_t seed) {
    return noise_perlin2_plain(position, frequency, seed);
}

// The same sample with AVX2: corners in lanes 0, 2, 4 and 6, so that the products of hashes are those of 64
// bits, which take half as long as those of 32. A single sample is bound by its longest chain; this one
// leaves out the cuts, which only positions of a billion cells need, and rounds at once, which loses the
// sign of -0: such positions take the form for every processor.
PLOYI_TARGET_AVX2 static float noise_perlin2_avx2(ploy_vec2 position, const float *frequency,
                                                  const uint32_t *seed) {
    const int prime_x = (int)NOISE_PRIME_X, prime_y = (int)NOISE_PRIME_Y;
    double both;
    memcpy(&both, &position, sizeof both);
    __m128 place = _mm_mul_ps(_mm_castpd_ps(_mm_set_sd(both)), _mm_broadcast_ss(frequency));
    __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), place);
    __m128 rare = _mm_cmpnlt_ps(size, _mm_set1_ps(PLOYI_NOISE_FAR)); // NaN too
    __m128i minus_zero = _mm_cmpeq_epi32(_mm_castps_si128(place), _mm_set1_epi32(INT32_MIN));
    rare = _mm_or_ps(rare, _mm_castsi128_ps(minus_zero));
    if (_mm_movemask_ps(rare) != 0) return noise_perlin2_rare(position, *frequency, *seed);

    __m128 whole = _mm_floor_ps(place), t = _mm_sub_ps(place, whole);
    __m128i cell = _mm_cvtepu32_epi64(_mm_cvttps_epi32(whole));
    cell = _mm_mul_epu32(cell, _mm_setr_epi32(prime_x, 0, prime_y, 0));
    __m256i x = _mm256_add_epi32(_mm256_broadcastq_epi64(cell),
                                 _mm256_setr_epi32(0, 0, prime_x, 0, 0, 0, prime_x, 0));
    __m256i y = _mm256_permute4x64_epi64(_mm256_castsi128_si256(cell), 0x55);
    y = _mm256_add_epi32(y, _mm256_setr_epi32(0, 0, 0, 0, prime_y, 0, prime_y, 0));
    __m256i h = _mm256_xor_si256(_mm256_xor_si256(x, _mm256_set1_epi32((int)*seed)), y);
    h = _mm256_xor_si256(h, _mm256_srli_epi32(h, 15));
    h = _mm256_mul_epu32(h, _mm256_set1_epi64x(0x2C1B3C6D));
    h = _mm256_xor_si256(h, _mm256_srli_epi32(h, 12));
    h = _mm256_srli_epi32(_mm256_mul_epu32(h, _mm256_set1_epi64x(0x297A2D39)), 29);
    __m256 gx = _mm256_permutevar8x32_ps(_mm256_loadu_ps(noise_gradients2_x), h);
    __m256 gy = _mm256_permutevar8x32_ps(_mm256_loadu_ps(noise_gradients2_y), h);

    __m128 fade = _mm_sub_ps(_mm_mul_ps(t, _mm_setr_ps(6, 6, 0, 0)), _mm_setr_ps(15, 15, 0, 0));
    fade = _mm_add_ps(_mm_mul_ps(t, fade), _mm_setr_ps(10, 10, 0, 0));
    fade = _mm_mul_ps(_mm_mul_ps(_mm_mul_ps(t, t), t), fade);
    __m128 less = _mm_sub_ps(t, _mm_setr_ps(1, 1, 0, 0));
    __m256 offsets = _mm256_castps128_ps256(_mm_unpacklo_ps(t, less)); // x, x - 1, y, y - 1
    __m256 dx = _mm256_permutevar8x32_ps(offsets, _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1));
    __m256 dy = _mm256_permutevar8x32_ps(offsets, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
    __m256 near = _mm256_add_ps(_mm256_mul_ps(dx, gx), _mm256_mul_ps(dy, gy));
    __m256 far = _mm256_castpd_ps(_mm256_permute_pd(_mm256_castps_pd(near), 5));
    __m256 rows = _mm256_mul_ps(_mm256_broadcastss_ps(fade), _mm256_sub_ps(far, near));
    rows = _mm256_add_ps(near, rows);
    __m128 first = _mm256_castps256_ps128(rows), second = _mm256_extractf128_ps(rows, 1);
    __m128 sum = _mm_mul_ss(_mm_movehdup_ps(fade), _mm_sub_ss(second, first));
    sum = _mm_mul_ss(_mm_add_ss(first, sum), _mm_set_ss(NOISE_PERLIN2_SCALE));
    return _mm_cvtss_f32(_mm_max_ss(_mm_min_ss(sum, _mm_set_ss(1.0f)), _mm_set_ss(-1.0f)));
}
#endif

float ploy_noise_at2(const ploy_noise *noise, ploy_vec2 position) {
    const ploy_noise_def *def = &noise->def;
    if (!noise->plain || def->kind != PLOY_NOISE_PERLIN || def->fractal != PLOY_NOISE_SINGLE) {
        return noise_other2(noise, position);
    }
#if NOISE_CHOOSES_AVX2
    if (PLOYI_HAS_AVX2()) {
        return noise_perlin2_avx2(position, &def->frequency, &noise->seeds[0]);
    }
#endif
    return noise_perlin2_plain(position, def->frequency, noise->seeds[0]);
}

float ploy_noise_at3(const ploy_noise *noise, ploy_vec3 position) {
    if (noise->plain) return noise_plain(noise, 3, position.x, position.y, position.z);
    return noise_single(noise, 3, position.x, position.y, position.z);
}

// ---- grids

ploy_noise_grid ploy_noise_grid_make(ploy_vec2 origin, float step, int32_t columns, int32_t rows) {
    ploy_noise_grid grid;
    memset(&grid, 0, sizeof grid);
    grid.origin = ploy_vec3_make(origin.x, origin.y, 0.0f);
    grid.step = ploy_vec3_make(step, step, step);
    grid.columns = columns;
    grid.rows = rows;
    grid.layers = 1;
    return grid;
}

static ploy_result noise_fill(const ploy_noise *noise, const ploy_noise_grid *grid,
                              int32_t dimensions, float *out, int32_t row_stride) {
    int32_t layers = dimensions == 3 ? grid->layers : 1;
    if (grid->columns < 0 || grid->rows < 0 || layers < 0 || row_stride < grid->columns ||
        (out == NULL && grid->columns > 0 && grid->rows > 0 && layers > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    noise_run run;
    run.dimensions = dimensions;
    for (int32_t layer = 0; layer < layers; layer++) {
        float z = grid->origin.z + grid->step.z * (float)(grid->first_layer + layer);
        for (int32_t row = 0; row < grid->rows; row++) {
            float y = grid->origin.y + grid->step.y * (float)(grid->first_row + row);
            float *line =
                out + ((size_t)layer * (size_t)grid->rows + (size_t)row) * (size_t)row_stride;
            for (int32_t begin = 0; begin < grid->columns; begin += NOISE_RUN) {
                int32_t left = grid->columns - begin;
                run.n = left < NOISE_RUN ? left : NOISE_RUN;
                int32_t first = grid->first_column + begin;
                for (int32_t i = 0; i < run.n; i++) {
                    run.at[0][i] = grid->origin.x + grid->step.x * (float)(first + i);
                    run.at[1][i] = y;
                }
                if (dimensions == 3) {
                    for (int32_t i = 0; i < run.n; i++) run.at[2][i] = z;
                }
                noise_run_all(&run, noise, false, line + begin);
            }
        }
    }
    return PLOY_OK;
}

ploy_result ploy_noise_fill2(const ploy_noise *noise, const ploy_noise_grid *grid, float *out,
                             int32_t row_stride) {
    return noise_fill(noise, grid, 2, out, row_stride);
}

ploy_result ploy_noise_fill3(const ploy_noise *noise, const ploy_noise_grid *grid, float *out,
                             int32_t row_stride) {
    return noise_fill(noise, grid, 3, out, row_stride);
}
