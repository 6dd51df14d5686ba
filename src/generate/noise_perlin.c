// Reference forms of Perlin noise: the improved one of 2002, and one octave over stored gradients.
#include "ploy/generate/noise.h"

#include "ploy/base/math.h"

#include <math.h>

// ---- 2002

// Perlin's permutation.
static const uint8_t perlin_permutation[256] = {
    151, 160, 137, 91,  90,  15,  131, 13,  201, 95,  96,  53,  194, 233, 7,   225, 140, 36,  103,
    30,  69,  142, 8,   99,  37,  240, 21,  10,  23,  190, 6,   148, 247, 120, 234, 75,  0,   26,
    197, 62,  94,  252, 219, 203, 117, 35,  11,  32,  57,  177, 33,  88,  237, 149, 56,  87,  174,
    20,  125, 136, 171, 168, 68,  175, 74,  165, 71,  134, 139, 48,  27,  166, 77,  146, 158, 231,
    83,  111, 229, 122, 60,  211, 133, 230, 220, 105, 92,  41,  55,  46,  245, 40,  244, 102, 143,
    54,  65,  25,  63,  161, 1,   216, 80,  73,  209, 76,  132, 187, 208, 89,  18,  169, 200, 196,
    135, 130, 116, 188, 159, 86,  164, 100, 109, 198, 173, 186, 3,   64,  52,  217, 226, 250, 124,
    123, 5,   202, 38,  147, 118, 126, 255, 82,  85,  212, 207, 206, 59,  227, 47,  16,  58,  17,
    182, 189, 28,  42,  223, 183, 170, 213, 119, 248, 152, 2,   44,  154, 163, 70,  221, 153, 101,
    155, 167, 43,  172, 9,   129, 22,  39,  253, 19,  98,  108, 110, 79,  113, 224, 232, 178, 185,
    112, 104, 218, 246, 97,  228, 251, 34,  242, 193, 238, 210, 144, 12,  191, 179, 162, 241, 81,
    51,  145, 235, 249, 14,  239, 107, 49,  192, 214, 31,  181, 199, 106, 157, 184, 84,  204, 176,
    115, 121, 50,  45,  127, 4,   150, 254, 138, 236, 205, 93,  222, 114, 67,  29,  24,  72,  243,
    141, 128, 195, 78,  66,  215, 61,  156, 180};

static int32_t perlin_at(int32_t index) {
    return perlin_permutation[index & 255];
}

static double perlin_fade(double t) {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

static double perlin_mix(double t, double a, double b) {
    return a + t * (b - a);
}

// One of twelve directions; four of them have two numbers.
static double perlin_gradient(int32_t hash, double x, double y, double z) {
    int32_t h = hash & 15;
    double u = h < 8 ? x : y;
    double v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return ((h & 1) == 0 ? u : -u) + ((h & 2) == 0 ? v : -v);
}

// Cell number modulo 256, from a place of any size.
static int32_t perlin_cell(double place) {
    double whole = floor(place);
    return (int32_t)(whole - 256.0 * floor(whole / 256.0));
}

double ploy_perlin_2002(double x, double y, double z) {
    if (!ploy_is_finite_d(x) || !ploy_is_finite_d(y) || !ploy_is_finite_d(z)) return 0.0;
    int32_t i = perlin_cell(x), j = perlin_cell(y), k = perlin_cell(z);
    x -= floor(x);
    y -= floor(y);
    z -= floor(z);
    double u = perlin_fade(x), v = perlin_fade(y), w = perlin_fade(z);
    int32_t a = perlin_at(i) + j, aa = perlin_at(a) + k, ab = perlin_at(a + 1) + k;
    int32_t b = perlin_at(i + 1) + j, ba = perlin_at(b) + k, bb = perlin_at(b + 1) + k;
    double low = perlin_mix(v,
                            perlin_mix(u, perlin_gradient(perlin_at(aa), x, y, z),
                                       perlin_gradient(perlin_at(ba), x - 1.0, y, z)),
                            perlin_mix(u, perlin_gradient(perlin_at(ab), x, y - 1.0, z),
                                       perlin_gradient(perlin_at(bb), x - 1.0, y - 1.0, z)));
    double high =
        perlin_mix(v,
                   perlin_mix(u, perlin_gradient(perlin_at(aa + 1), x, y, z - 1.0),
                              perlin_gradient(perlin_at(ba + 1), x - 1.0, y, z - 1.0)),
                   perlin_mix(u, perlin_gradient(perlin_at(ab + 1), x, y - 1.0, z - 1.0),
                              perlin_gradient(perlin_at(bb + 1), x - 1.0, y - 1.0, z - 1.0)));
    return perlin_mix(w, low, high);
}

// ---- one octave over stored gradients

void ploy_perlin_gradients(ploy_rng_key key, int32_t size, bool unit, ploy_vec2 *out) {
    ploy_rng rng = ploy_rng_from_key(key, 0);
    for (int64_t i = 0; i < ((int64_t)size + 1) * ((int64_t)size + 1); i++) {
        if (unit) {
            float sine, cosine;
            ploy_sincosf(ploy_rng_float(&rng) * PLOY_TWO_PI_F, &sine, &cosine);
            out[i] = ploy_vec2_make(cosine, sine);
        } else {
            float x = ploy_rng_range(&rng, -1.0f, 1.0f);
            out[i] = ploy_vec2_make(x, ploy_rng_range(&rng, -1.0f, 1.0f));
        }
    }
}

static float perlin_fade_by(ploy_fade fade, float t) {
    switch (fade) {
    case PLOY_FADE_CUBIC: return t * t * (3.0f - 2.0f * t);
    case PLOY_FADE_QUINTIC: return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
    case PLOY_FADE_LINEAR: break;
    }
    return t;
}

// The last cell takes the far edge, so that no gradient beyond the lattice is read.
static int32_t perlin_octave_cell(float place, int32_t size) {
    if (!(place > 0.0f)) return 0;
    return place >= (float)(size - 1) ? size - 1 : (int32_t)place;
}

float ploy_perlin_octave(const ploy_vec2 *gradients, int32_t size, ploy_fade fade, float u,
                         float v) {
    int32_t i = perlin_octave_cell(u, size), j = perlin_octave_cell(v, size);
    float fx = u - (float)i, fy = v - (float)j;
    const ploy_vec2 *low = &gradients[(size_t)j * ((size_t)size + 1) + (size_t)i];
    const ploy_vec2 *high = low + size + 1;
    float v00 = fx * low[0].x + fy * low[0].y;
    float v10 = (fx - 1.0f) * low[1].x + fy * low[1].y;
    float v01 = fx * high[0].x + (fy - 1.0f) * high[0].y;
    float v11 = (fx - 1.0f) * high[1].x + (fy - 1.0f) * high[1].y;
    float s = perlin_fade_by(fade, fx), t = perlin_fade_by(fade, fy);
    float bottom = v00 + s * (v10 - v00), top = v01 + s * (v11 - v01);
    return bottom + t * (top - bottom);
}
