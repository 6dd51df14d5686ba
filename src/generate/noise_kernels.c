// The noise kernels: bodies of noise_internal.h in loops that compilers vectorise, and once.
#include "generate/noise_internal.h"

#include <math.h>
#include <stddef.h>

// NAME2 and NAME3 from an expression over x, y (and z) and the octave o.
#define NOISE_KERNEL2(name, expression)                                                           \
    PLOYI_INLINE void noise_##name##_many_body(int32_t n, const float *restrict xs,               \
                                               const float *restrict ys,                          \
                                               ployi_noise_octave octave, float *restrict out) {  \
        const ployi_noise_octave *o = &octave;                                                    \
        for (int32_t s = 0; s < n; s++) {                                                         \
            float x = xs[s], y = ys[s];                                                           \
            out[s] = (expression);                                                                \
        }                                                                                         \
    }                                                                                             \
    PLOYI_KERNEL(noise_##name##_many,                                                             \
                 (int32_t n, const float *restrict xs, const float *restrict ys,                  \
                  ployi_noise_octave octave, float *restrict out),                                \
                 (n, xs, ys, octave, out))                                                        \
    static void noise_##name##_kernel(int32_t n, const float *xs, const float *ys,                \
                                      const float *zs, const ployi_noise_octave *octave,          \
                                      float *out) {                                               \
        (void)zs;                                                                                 \
        noise_##name##_many(n, xs, ys, *octave, out);                                             \
    }                                                                                             \
    static void noise_##name##_single(int32_t n, const float *xs, const float *ys,                \
                                      const float *zs, const ployi_noise_octave *o, float *out) { \
        (void)n, (void)zs;                                                                        \
        float x = xs[0], y = ys[0];                                                               \
        out[0] = (expression);                                                                    \
    }

#define NOISE_KERNEL3(name, expression)                                                            \
    PLOYI_INLINE void noise_##name##_many_body(int32_t n, const float *restrict xs,                \
                                               const float *restrict ys, const float *restrict zs, \
                                               ployi_noise_octave octave, float *restrict out) {   \
        const ployi_noise_octave *o = &octave;                                                     \
        for (int32_t s = 0; s < n; s++) {                                                          \
            float x = xs[s], y = ys[s], z = zs[s];                                                 \
            out[s] = (expression);                                                                 \
        }                                                                                          \
    }                                                                                              \
    PLOYI_KERNEL(noise_##name##_many,                                                              \
                 (int32_t n, const float *restrict xs, const float *restrict ys,                   \
                  const float *restrict zs, ployi_noise_octave octave, float *restrict out),       \
                 (n, xs, ys, zs, octave, out))                                                     \
    static void noise_##name##_kernel(int32_t n, const float *xs, const float *ys,                 \
                                      const float *zs, const ployi_noise_octave *octave,           \
                                      float *out) {                                                \
        noise_##name##_many(n, xs, ys, zs, *octave, out);                                          \
    }                                                                                              \
    static void noise_##name##_single(int32_t n, const float *xs, const float *ys,                 \
                                      const float *zs, const ployi_noise_octave *o, float *out) {  \
        (void)n;                                                                                   \
        float x = xs[0], y = ys[0], z = zs[0];                                                     \
        out[0] = (expression);                                                                     \
    }

// A new number from the hash of a cell, whose bits placed its feature point.
PLOYI_INLINE float noise_cell_value(uint32_t hash) {
    return noise_signed(noise_hash(hash * NOISE_PRIME_X));
}

PLOYI_INLINE float noise_cell_difference(noise_nearest nearest) {
    return sqrtf(nearest.second) - sqrtf(nearest.first);
}

NOISE_KERNEL2(white2, noise_white2(x, y, o))
NOISE_KERNEL2(value2, noise_value2(x, y, o))
NOISE_KERNEL2(perlin2, noise_perlin2(x, y, o))
NOISE_KERNEL2(simplex2, noise_simplex2(x, y, o))
NOISE_KERNEL2(first2, sqrtf(noise_cell2(x, y, o).first))
NOISE_KERNEL2(second2, sqrtf(noise_cell2(x, y, o).second))
NOISE_KERNEL2(difference2, noise_cell_difference(noise_cell2(x, y, o)))
NOISE_KERNEL2(owner2, noise_cell_value(noise_cell2(x, y, o).hash))
NOISE_KERNEL3(white3, noise_white3(x, y, z, o))
NOISE_KERNEL3(value3, noise_value3(x, y, z, o))
NOISE_KERNEL3(perlin3, noise_perlin3(x, y, z, o))
NOISE_KERNEL3(simplex3, noise_simplex3(x, y, z, o))
NOISE_KERNEL3(first3, sqrtf(noise_cell3(x, y, z, o).first))
NOISE_KERNEL3(second3, sqrtf(noise_cell3(x, y, z, o).second))
NOISE_KERNEL3(difference3, noise_cell_difference(noise_cell3(x, y, z, o)))
NOISE_KERNEL3(owner3, noise_cell_value(noise_cell3(x, y, z, o).hash))

// Kinds in the order of ploy_noise_kind, the last one in that of ploy_noise_cellular.
#define NOISE_KERNELS(suffix)                                                           \
    {                                                                                   \
        {noise_white2_##suffix,      noise_value2_##suffix, noise_perlin2_##suffix,     \
         noise_simplex2_##suffix,    noise_first2_##suffix, noise_second2_##suffix,     \
         noise_difference2_##suffix, noise_owner2_##suffix},                            \
        {                                                                               \
            noise_white3_##suffix, noise_value3_##suffix, noise_perlin3_##suffix,       \
                noise_simplex3_##suffix, noise_first3_##suffix, noise_second3_##suffix, \
                noise_difference3_##suffix, noise_owner3_##suffix                       \
        }                                                                               \
    }

enum { NOISE_KERNEL_COUNT = 8 };
static const ployi_noise_kernel noise_kernels[2][NOISE_KERNEL_COUNT] = NOISE_KERNELS(kernel);
static const ployi_noise_kernel noise_singles[2][NOISE_KERNEL_COUNT] = NOISE_KERNELS(single);

static int32_t noise_kernel_index(int32_t kind, int32_t cellular) {
    return kind == PLOY_NOISE_CELLULAR ? kind + cellular : kind;
}

ployi_noise_kernel ployi_noise_kernel_of(int32_t kind, int32_t cellular, int32_t dimensions) {
    return noise_kernels[dimensions - 2][noise_kernel_index(kind, cellular)];
}

ployi_noise_kernel ployi_noise_single_of(int32_t kind, int32_t cellular, int32_t dimensions) {
    return noise_singles[dimensions - 2][noise_kernel_index(kind, cellular)];
}
