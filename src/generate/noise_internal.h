// The bodies of the noise kernels, one sample each. noise_kernels.c runs them in loops that
// compilers vectorise, and once for single samples: the same arithmetic, so the same bits.
//
// Everything here is free of branches and tables, because both would stop the vectoriser.
#pragma once

#include "base/compiler.h"
#include "ploy/generate/noise.h"

#include <string.h>

// Whether one sample is computed in the four lanes of SSE2, which every x86-64 processor has.
#if PLOYI_GNU && defined(__x86_64__)
#define NOISE_LANES 1
#include <emmintrin.h>
#else
#define NOISE_LANES 0
#endif

// What a kernel needs beside the places: the octave's seed, its periods, the jitter of cells.
typedef struct ployi_noise_octave {
    uint32_t seed;
    int32_t period[3]; // cells; PLOYI_NOISE_ENDLESS if there is none
    int32_t first[3];  // cells below this wrap: 0, or INT32_MIN if there is no period
    float jitter;
} ployi_noise_octave;

// No period: larger than every cell number.
#define PLOYI_NOISE_ENDLESS INT32_MAX
// Places are cut to this, so that cell numbers fit; positions up to 1e9 are meant anyway.
#define PLOYI_NOISE_FAR 1.0e9f

// A row of samples at places that are cut. y and z are read for every sample; z may be NULL in two dimensions.
typedef void (*ployi_noise_kernel)(int32_t n, const float *x, const float *y, const float *z,
                                   const ployi_noise_octave *octave, float *out);

// The kernels of a kind, for many samples and for one.
ployi_noise_kernel ployi_noise_kernel_of(int32_t kind, int32_t cellular, int32_t dimensions);
ployi_noise_kernel ployi_noise_single_of(int32_t kind, int32_t cellular, int32_t dimensions);

// ---- numbers

PLOYI_INLINE uint32_t noise_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

PLOYI_INLINE float noise_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

PLOYI_INLINE float noise_flip(float value, uint32_t sign) {
    return noise_float(noise_bits(value) ^ (sign & 0x80000000u));
}

// All bits of the condition, and a choice by them: written with ?: on floats, gcc 12 keeps jumps in
// some of the loops and gives up vectorising them.
PLOYI_INLINE uint32_t noise_mask(bool condition) {
    return 0u - (uint32_t)condition;
}

PLOYI_INLINE float noise_choose(uint32_t mask, float yes, float no) {
    return noise_float((noise_bits(yes) & mask) | (noise_bits(no) & ~mask));
}

// Cuts to the range of cell numbers; NaN becomes the upper end. The kernels expect places that are
// cut: if they did it, compilers would follow the constants and jump.
PLOYI_INLINE float noise_cut(float x) {
    float below = x < PLOYI_NOISE_FAR ? x : PLOYI_NOISE_FAR;
    return below > -PLOYI_NOISE_FAR ? below : -PLOYI_NOISE_FAR;
}

PLOYI_INLINE float noise_one(float x) {
    float below = x < 1.0f ? x : 1.0f;
    return below > -1.0f ? below : -1.0f;
}

// floorf is a call without SSE4.1; this is a conversion and a comparison everywhere.
PLOYI_INLINE int32_t noise_floor(float x) {
    int32_t i = (int32_t)x;
    return i - (int32_t)(x < (float)i);
}

PLOYI_INLINE float noise_fade(float t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

PLOYI_INLINE float noise_mix(float a, float b, float t) {
    return a + t * (b - a);
}

// Cell numbers of places in [0, period): one past the end is the first again.
PLOYI_INLINE int32_t noise_wrap_up(int32_t i, int32_t period) {
    return i - (period & (int32_t)noise_mask(i >= period));
}

// ---- hashing
//
// Coordinates times odd numbers, xored, then two products: with one, neighbours along an axis
// correlate by 0.05. The best bits are the top ones.

#define NOISE_PRIME_X 0x9E3779B1u
#define NOISE_PRIME_Y 0x85EBCA77u
#define NOISE_PRIME_Z 0xC2B2AE3Du

// The upper 15 bits of the hash are complete here.
PLOYI_INLINE uint32_t noise_hash_upper(uint32_t h) {
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    return (h ^ (h >> 12)) * 0x297A2D39u;
}

PLOYI_INLINE uint32_t noise_hash(uint32_t h) {
    h = noise_hash_upper(h);
    return h ^ (h >> 15);
}

// [-1, 1).
PLOYI_INLINE float noise_signed(uint32_t h) {
    return (float)(int32_t)h * (1.0f / 2147483648.0f);
}

// ---- gradients

// Eight directions, 22.5 degrees from the axes and 45 apart; length 2.6131.
PLOYI_INLINE float noise_gradient2(uint32_t h, float x, float y) {
    uint32_t swap = noise_mask((int32_t)h < 0);
    float a = noise_choose(swap, y, x), b = noise_choose(swap, x, y);
    return noise_flip(a, h << 1) * 2.41421356f + noise_flip(b, h << 2);
}

// The twelve edges of a cube; length sqrt(2). One axis counts 0.
PLOYI_INLINE float noise_gradient3(uint32_t h, float x, float y, float z) {
    int32_t which = (int32_t)h;
    float a = noise_choose(noise_mask(which < -715827883), y, x); // a third without x,
    float b = noise_choose(noise_mask(which > 715827882), y, z);  // a third without z
    return noise_flip(a, h << 6) + noise_flip(b, h << 7);
}

// ---- white, value, Perlin

PLOYI_INLINE float noise_white2(float x, float y, const ployi_noise_octave *o) {
    int32_t i = noise_wrap_up(noise_floor(x), o->period[0]);
    int32_t j = noise_wrap_up(noise_floor(y), o->period[1]);
    return noise_signed(
        noise_hash(o->seed ^ ((uint32_t)i * NOISE_PRIME_X) ^ ((uint32_t)j * NOISE_PRIME_Y)));
}

PLOYI_INLINE float noise_white3(float x, float y, float z, const ployi_noise_octave *o) {
    int32_t i = noise_wrap_up(noise_floor(x), o->period[0]);
    int32_t j = noise_wrap_up(noise_floor(y), o->period[1]);
    int32_t k = noise_wrap_up(noise_floor(z), o->period[2]);
    return noise_signed(noise_hash(o->seed ^ ((uint32_t)i * NOISE_PRIME_X) ^
                                   ((uint32_t)j * NOISE_PRIME_Y) ^ ((uint32_t)k * NOISE_PRIME_Z)));
}

// One axis of a lattice: the two hashed cell numbers, the place between them.
typedef struct noise_axis {
    uint32_t near, far;
    float t, fade;
} noise_axis;

PLOYI_INLINE noise_axis noise_axis_of(float place, int32_t period, uint32_t prime) {
    int32_t floor = noise_floor(place);
    int32_t i = noise_wrap_up(floor, period);
    noise_axis axis;
    axis.t = place - (float)floor;
    axis.fade = noise_fade(axis.t);
    axis.near = (uint32_t)i * prime;
    axis.far = (uint32_t)noise_wrap_up(i + 1, period) * prime;
    return axis;
}

// Four corners: in the plane, or at one height of the third axis.
PLOYI_INLINE float noise_value_plane(uint32_t seed, noise_axis a, noise_axis b) {
    uint32_t low = seed ^ b.near, high = seed ^ b.far;
    float v00 = noise_signed(noise_hash(low ^ a.near)), v10 = noise_signed(noise_hash(low ^ a.far));
    float v01 = noise_signed(noise_hash(high ^ a.near));
    float v11 = noise_signed(noise_hash(high ^ a.far));
    return noise_mix(noise_mix(v00, v10, a.fade), noise_mix(v01, v11, a.fade), b.fade);
}

PLOYI_INLINE float noise_value2(float x, float y, const ployi_noise_octave *o) {
    return noise_value_plane(o->seed, noise_axis_of(x, o->period[0], NOISE_PRIME_X),
                             noise_axis_of(y, o->period[1], NOISE_PRIME_Y));
}

PLOYI_INLINE float noise_value3(float x, float y, float z, const ployi_noise_octave *o) {
    noise_axis a = noise_axis_of(x, o->period[0], NOISE_PRIME_X);
    noise_axis b = noise_axis_of(y, o->period[1], NOISE_PRIME_Y);
    noise_axis c = noise_axis_of(z, o->period[2], NOISE_PRIME_Z);
    return noise_mix(noise_value_plane(o->seed ^ c.near, a, b),
                     noise_value_plane(o->seed ^ c.far, a, b), c.fade);
}

// One over the largest sum that any gradients give, so likewise for simplex noise.
#define NOISE_PERLIN2_SCALE 0.57910f

PLOYI_INLINE float noise_perlin2_by(uint32_t seed, noise_axis a, noise_axis b,
                                    uint32_t (*hash)(uint32_t h),
                                    float (*gradient)(uint32_t h, float x, float y)) {
    uint32_t low = seed ^ b.near, high = seed ^ b.far;
    float s = a.t - 1.0f, t = b.t - 1.0f;
    float v00 = gradient(hash(low ^ a.near), a.t, b.t);
    float v10 = gradient(hash(low ^ a.far), s, b.t);
    float v01 = gradient(hash(high ^ a.near), a.t, t);
    float v11 = gradient(hash(high ^ a.far), s, t);
    float sum = noise_mix(noise_mix(v00, v10, a.fade), noise_mix(v01, v11, a.fade), b.fade);
    return noise_one(sum * NOISE_PERLIN2_SCALE);
}

PLOYI_INLINE float noise_perlin2(float x, float y, const ployi_noise_octave *o) {
    return noise_perlin2_by(o->seed, noise_axis_of(x, o->period[0], NOISE_PRIME_X),
                            noise_axis_of(y, o->period[1], NOISE_PRIME_Y), noise_hash,
                            noise_gradient2);
}

// The eight gradients once more: for one sample a table is faster than arithmetic, and the sum of
// the same two products has the same bits.
static const float noise_gradients2[8][2] = {
    {2.41421356f, 1.0f}, {2.41421356f, -1.0f}, {-2.41421356f, 1.0f}, {-2.41421356f, -1.0f},
    {1.0f, 2.41421356f}, {-1.0f, 2.41421356f}, {1.0f, -2.41421356f}, {-1.0f, -2.41421356f}};

// One sample without a period, at a position that is not cut yet.
#if NOISE_LANES
// The steps of noise_perlin2_by with an axis or a corner in each lane. Compilers do not find this
// form, which takes 40 instructions less. The hashes stay whole numbers of the processor: a chain of
// products is slower in lanes.
PLOYI_INLINE __m128 noise_gradient2_lanes(uint32_t h) {
    double both;
    memcpy(&both, noise_gradients2[h >> 29], sizeof both);
    return _mm_castpd_ps(_mm_set_sd(both));
}

PLOYI_INLINE float noise_perlin2_plain(ploy_vec2 position, float frequency, uint32_t seed) {
    double both;
    memcpy(&both, &position, sizeof both);
    __m128 place = _mm_mul_ps(_mm_castpd_ps(_mm_set_sd(both)), _mm_set1_ps(frequency));
    place =
        _mm_min_ps(place, _mm_set1_ps(PLOYI_NOISE_FAR)); // the second if one is NaN, as noise_cut
    place = _mm_max_ps(place, _mm_set1_ps(-PLOYI_NOISE_FAR));
    __m128i floor = _mm_cvttps_epi32(place);
    floor = _mm_add_epi32(floor, _mm_castps_si128(_mm_cmplt_ps(place, _mm_cvtepi32_ps(floor))));
    __m128 t = _mm_sub_ps(place, _mm_cvtepi32_ps(floor));
    __m128 fade = _mm_sub_ps(_mm_mul_ps(t, _mm_set1_ps(6.0f)), _mm_set1_ps(15.0f));
    fade = _mm_add_ps(_mm_mul_ps(t, fade), _mm_set1_ps(10.0f));
    fade = _mm_mul_ps(_mm_mul_ps(_mm_mul_ps(t, t), t), fade);

    uint64_t cell = (uint64_t)_mm_cvtsi128_si64(floor);
    uint32_t x = (uint32_t)cell * NOISE_PRIME_X, y = (uint32_t)(cell >> 32) * NOISE_PRIME_Y;
    uint32_t low = seed ^ y, high = seed ^ (y + NOISE_PRIME_Y);
    __m128 g00 = noise_gradient2_lanes(noise_hash_upper(low ^ x));
    __m128 g10 = noise_gradient2_lanes(noise_hash_upper(low ^ (x + NOISE_PRIME_X)));
    __m128 g01 = noise_gradient2_lanes(noise_hash_upper(high ^ x));
    __m128 g11 = noise_gradient2_lanes(noise_hash_upper(high ^ (x + NOISE_PRIME_X)));

    // Lanes of a row: x of the near and of the far corner, then their y.
    __m128 offsets = _mm_unpacklo_ps(t, _mm_sub_ps(t, _mm_set1_ps(1.0f))); // x, x - 1, y, y - 1
    __m128 row0 = _mm_mul_ps(_mm_unpacklo_ps(g00, g10),
                             _mm_shuffle_ps(offsets, offsets, _MM_SHUFFLE(2, 2, 1, 0)));
    __m128 row1 = _mm_mul_ps(_mm_unpacklo_ps(g01, g11),
                             _mm_shuffle_ps(offsets, offsets, _MM_SHUFFLE(3, 3, 1, 0)));
    __m128 corners = _mm_add_ps(_mm_movelh_ps(row0, row1), _mm_movehl_ps(row1, row0));
    __m128 near = _mm_shuffle_ps(corners, corners, _MM_SHUFFLE(2, 2, 2, 0));
    __m128 far = _mm_shuffle_ps(corners, corners, _MM_SHUFFLE(3, 3, 3, 1));
    __m128 rows = _mm_mul_ps(_mm_unpacklo_ps(fade, fade), _mm_sub_ps(far, near));
    rows = _mm_add_ps(near, rows);
    float first = _mm_cvtss_f32(rows);
    float second = _mm_cvtss_f32(_mm_shuffle_ps(rows, rows, _MM_SHUFFLE(1, 1, 1, 1)));
    float fade_y = _mm_cvtss_f32(_mm_shuffle_ps(fade, fade, _MM_SHUFFLE(1, 1, 1, 1)));
    return noise_one(noise_mix(first, second, fade_y) * NOISE_PERLIN2_SCALE);
}
#else
PLOYI_INLINE noise_axis noise_axis_endless(float place, uint32_t prime) {
    int32_t floor = noise_floor(place);
    noise_axis axis;
    axis.t = place - (float)floor;
    axis.fade = noise_fade(axis.t);
    axis.near = (uint32_t)floor * prime;
    axis.far = axis.near + prime;
    return axis;
}

PLOYI_INLINE float noise_gradient2_table(uint32_t h, float x, float y) {
    const float *gradient = noise_gradients2[h >> 29];
    return x * gradient[0] + y * gradient[1];
}

PLOYI_INLINE float noise_perlin2_plain(ploy_vec2 position, float frequency, uint32_t seed) {
    return noise_perlin2_by(seed,
                            noise_axis_endless(noise_cut(position.x * frequency), NOISE_PRIME_X),
                            noise_axis_endless(noise_cut(position.y * frequency), NOISE_PRIME_Y),
                            noise_hash_upper, noise_gradient2_table);
}
#endif

PLOYI_INLINE float noise_perlin_plane(uint32_t seed, noise_axis a, noise_axis b, float z) {
    uint32_t low = seed ^ b.near, high = seed ^ b.far;
    float s = a.t - 1.0f, t = b.t - 1.0f;
    float v00 = noise_gradient3(noise_hash(low ^ a.near), a.t, b.t, z);
    float v10 = noise_gradient3(noise_hash(low ^ a.far), s, b.t, z);
    float v01 = noise_gradient3(noise_hash(high ^ a.near), a.t, t, z);
    float v11 = noise_gradient3(noise_hash(high ^ a.far), s, t, z);
    return noise_mix(noise_mix(v00, v10, a.fade), noise_mix(v01, v11, a.fade), b.fade);
}

PLOYI_INLINE float noise_perlin3(float x, float y, float z, const ployi_noise_octave *o) {
    noise_axis a = noise_axis_of(x, o->period[0], NOISE_PRIME_X);
    noise_axis b = noise_axis_of(y, o->period[1], NOISE_PRIME_Y);
    noise_axis c = noise_axis_of(z, o->period[2], NOISE_PRIME_Z);
    return noise_one(noise_mix(noise_perlin_plane(o->seed ^ c.near, a, b, c.t),
                               noise_perlin_plane(o->seed ^ c.far, a, b, c.t - 1.0f), c.fade));
}

// ---- simplex
//
// The lattices of Gustavson and McEwan, "Tiling simplex noise and flow noise", 2022: their corners
// have whole and half coordinates, so that they can repeat along the axes. In the plane corners are
// (i - j / 2, j), in space those of a body-centred cubic lattice.

PLOYI_INLINE float noise_wrap_place(float place, int32_t first, int32_t period) {
    float width = (float)period;
    float up = place + noise_choose(noise_mask(place < (float)first), width, 0.0f);
    return up - noise_choose(noise_mask(up >= width), width, 0.0f);
}

PLOYI_INLINE float noise_corner2(float x, float y, float i, float j, const ployi_noise_octave *o) {
    // The corner (i, j) is at (i - j / 2, j).
    float cx = i - 0.5f * j;
    float dx = x - cx, dy = y - j;
    float w = 0.8f - dx * dx - dy * dy;
    w = w > 0.0f ? w : 0.0f;
    w = w * w;
    int32_t column = (int32_t)(2.0f * noise_wrap_place(cx, o->first[0], o->period[0]));
    int32_t row = (int32_t)noise_wrap_place(j, o->first[1], o->period[1]);
    uint32_t h =
        noise_hash(o->seed ^ ((uint32_t)column * NOISE_PRIME_X) ^ ((uint32_t)row * NOISE_PRIME_Y));
    return w * w * noise_gradient2(h, dx, dy);
}

#define NOISE_SIMPLEX2_SCALE 4.4259f

PLOYI_INLINE float noise_simplex2(float x, float y, const ployi_noise_octave *o) {
    float u = x + 0.5f * y;
    float i = (float)noise_floor(u), j = (float)noise_floor(y);
    // Which of the two triangles of the cell: the middle corner is one further along u or along y.
    float right = (float)(int32_t)(u - i > y - j);
    float sum = noise_corner2(x, y, i, j, o) + noise_corner2(x, y, i + right, j + 1.0f - right, o) +
                noise_corner2(x, y, i + 1.0f, j + 1.0f, o);
    return noise_one(sum * NOISE_SIMPLEX2_SCALE);
}

PLOYI_INLINE float noise_corner3(float x, float y, float z, float i, float j, float k,
                                 const ployi_noise_octave *o) {
    float cx = 0.5f * (j + k - i), cy = 0.5f * (i + k - j), cz = 0.5f * (i + j - k);
    float dx = x - cx, dy = y - cy, dz = z - cz;
    float w = 0.5f - dx * dx - dy * dy - dz * dz;
    w = w > 0.0f ? w : 0.0f;
    w = w * w;
    int32_t a = (int32_t)(2.0f * noise_wrap_place(cx, o->first[0], o->period[0]));
    int32_t b = (int32_t)(2.0f * noise_wrap_place(cy, o->first[1], o->period[1]));
    int32_t c = (int32_t)(2.0f * noise_wrap_place(cz, o->first[2], o->period[2]));
    uint32_t h = noise_hash(o->seed ^ ((uint32_t)a * NOISE_PRIME_X) ^
                            ((uint32_t)b * NOISE_PRIME_Y) ^ ((uint32_t)c * NOISE_PRIME_Z));
    return w * w * noise_gradient3(h, dx, dy, dz);
}

#define NOISE_SIMPLEX3_SCALE 76.89f

PLOYI_INLINE float noise_simplex3(float x, float y, float z, const ployi_noise_octave *o) {
    float u = y + z, v = x + z, w = x + y;
    float i = (float)noise_floor(u), j = (float)noise_floor(v), k = (float)noise_floor(w);
    float fu = u - i, fv = v - j, fw = w - k;
    // The order of the three fractions chooses one of six tetrahedra.
    float uv = (float)(int32_t)(fu >= fv), uw = (float)(int32_t)(fu >= fw),
          vw = (float)(int32_t)(fv >= fw);
    float rank_u = uv + uw, rank_v = 1.0f - uv + vw, rank_w = 2.0f - uw - vw;
    float i1 = (float)(int32_t)(rank_u > 1.5f), i2 = (float)(int32_t)(rank_u > 0.5f);
    float j1 = (float)(int32_t)(rank_v > 1.5f), j2 = (float)(int32_t)(rank_v > 0.5f);
    float k1 = (float)(int32_t)(rank_w > 1.5f), k2 = (float)(int32_t)(rank_w > 0.5f);
    float sum = noise_corner3(x, y, z, i, j, k, o) +
                noise_corner3(x, y, z, i + i1, j + j1, k + k1, o) +
                noise_corner3(x, y, z, i + i2, j + j2, k + k2, o) +
                noise_corner3(x, y, z, i + 1.0f, j + 1.0f, k + 1.0f, o);
    return noise_one(sum * NOISE_SIMPLEX3_SCALE);
}

// ---- cellular: one feature point in each cell, the nearest among the cell and its neighbours

typedef struct noise_nearest {
    float first, second; // squares of distances
    uint32_t hash;       // of the nearest point's cell
} noise_nearest;

PLOYI_INLINE noise_nearest noise_nearest_none(void) {
    noise_nearest none = {1e9f, 1e9f, 0u};
    return none;
}

PLOYI_INLINE noise_nearest noise_nearer(noise_nearest best, float square, uint32_t hash) {
    noise_nearest out;
    float larger = square > best.first ? square : best.first;
    out.second = larger < best.second ? larger : best.second;
    uint32_t nearer = noise_mask(square < best.first);
    out.hash = (hash & nearer) | (best.hash & ~nearer);
    out.first = square < best.first ? square : best.first;
    return out;
}

// Numbers of the cell before, the cell and the cell behind, hashed.
typedef struct noise_three {
    uint32_t hash[3];
    float t; // place in the middle cell, from its centre
} noise_three;

PLOYI_INLINE noise_three noise_three_of(float place, int32_t first, int32_t period,
                                        uint32_t prime) {
    int32_t floor = noise_floor(place);
    int32_t i = noise_wrap_up(floor, period);
    int32_t before = i - 1;
    noise_three three;
    three.t = place - (float)floor - 0.5f;
    three.hash[0] = (uint32_t)(before + (period & (int32_t)noise_mask(before < first))) * prime;
    three.hash[1] = (uint32_t)i * prime;
    three.hash[2] = (uint32_t)noise_wrap_up(i + 1, period) * prime;
    return three;
}

// Offsets of the feature point from its cell's centre: 16, or 10, bits of the hash each.
PLOYI_INLINE float noise_offset(uint32_t bits, float scale) {
    return (float)(int32_t)bits * scale;
}

PLOYI_INLINE noise_nearest noise_cell2(float x, float y, const ployi_noise_octave *o) {
    noise_three a = noise_three_of(x, o->first[0], o->period[0], NOISE_PRIME_X);
    noise_three b = noise_three_of(y, o->first[1], o->period[1], NOISE_PRIME_Y);
    float scale = o->jitter * (1.0f / 65536.0f);
    float half = o->jitter * 0.5f;
    noise_nearest best = noise_nearest_none();
    for (int32_t row = 0; row < 3; row++) {
        for (int32_t column = 0; column < 3; column++) {
            uint32_t h = noise_hash(o->seed ^ a.hash[column] ^ b.hash[row]);
            float dx = (float)(column - 1) - a.t - half + noise_offset(h & 0xFFFFu, scale);
            float dy = (float)(row - 1) - b.t - half + noise_offset(h >> 16, scale);
            best = noise_nearer(best, dx * dx + dy * dy, h);
        }
    }
    return best;
}

// Three cells of a row in space, then the nine of a layer. Written out, because gcc 12 does not
// unroll the nested loops completely and then gives up vectorising.
PLOYI_INLINE noise_nearest noise_cell3_one(noise_nearest best, uint32_t cell, float x, float y,
                                           float z, float scale) {
    uint32_t h = noise_hash(cell);
    float dx = x + noise_offset(h & 0x3FFu, scale);
    float dy = y + noise_offset(h >> 11 & 0x3FFu, scale);
    float dz = z + noise_offset(h >> 22, scale);
    return noise_nearer(best, dx * dx + dy * dy + dz * dz, h);
}

PLOYI_INLINE noise_nearest noise_cell3_row(noise_nearest best, noise_three a, uint32_t row, float x,
                                           float y, float z, float scale) {
    best = noise_cell3_one(best, row ^ a.hash[0], x - 1.0f, y, z, scale);
    best = noise_cell3_one(best, row ^ a.hash[1], x, y, z, scale);
    return noise_cell3_one(best, row ^ a.hash[2], x + 1.0f, y, z, scale);
}

PLOYI_INLINE noise_nearest noise_cell3_layer(noise_nearest best, noise_three a, noise_three b,
                                             uint32_t layer, float x, float y, float z,
                                             float scale) {
    best = noise_cell3_row(best, a, layer ^ b.hash[0], x, y - 1.0f, z, scale);
    best = noise_cell3_row(best, a, layer ^ b.hash[1], x, y, z, scale);
    return noise_cell3_row(best, a, layer ^ b.hash[2], x, y + 1.0f, z, scale);
}

PLOYI_INLINE noise_nearest noise_cell3(float x, float y, float z, const ployi_noise_octave *o) {
    noise_three a = noise_three_of(x, o->first[0], o->period[0], NOISE_PRIME_X);
    noise_three b = noise_three_of(y, o->first[1], o->period[1], NOISE_PRIME_Y);
    noise_three c = noise_three_of(z, o->first[2], o->period[2], NOISE_PRIME_Z);
    float scale = o->jitter * (1.0f / 1024.0f), half = o->jitter * 0.5f;
    float dx = -a.t - half, dy = -b.t - half, dz = -c.t - half;
    noise_nearest best = noise_nearest_none();
    best = noise_cell3_layer(best, a, b, o->seed ^ c.hash[0], dx, dy, dz - 1.0f, scale);
    best = noise_cell3_layer(best, a, b, o->seed ^ c.hash[1], dx, dy, dz, scale);
    return noise_cell3_layer(best, a, b, o->seed ^ c.hash[2], dx, dy, dz + 1.0f, scale);
}
