// What the tests of geom share: checks of vectors, random shapes, and the catalog's axes.
#pragma once

#include "tests/test.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/quat.h"
#include "ploy/geom/vec.h"

#define CHECK_VEC2(got, want_x, want_y, tolerance)       \
    do {                                                 \
        ploy_vec2 check_vec2_got = (got);                \
        CHECK_NEAR(check_vec2_got.x, want_x, tolerance); \
        CHECK_NEAR(check_vec2_got.y, want_y, tolerance); \
    } while (0)

#define CHECK_VEC3(got, want_x, want_y, want_z, tolerance) \
    do {                                                   \
        ploy_vec3 check_vec3_got = (got);                  \
        CHECK_NEAR(check_vec3_got.x, want_x, tolerance);   \
        CHECK_NEAR(check_vec3_got.y, want_y, tolerance);   \
        CHECK_NEAR(check_vec3_got.z, want_z, tolerance);   \
    } while (0)

#define CHECK_QUAT(got, want_w, want_x, want_y, want_z, tolerance) \
    do {                                                           \
        ploy_quat check_quat_got = (got);                          \
        CHECK_NEAR(check_quat_got.w, want_w, tolerance);           \
        CHECK_NEAR(check_quat_got.x, want_x, tolerance);           \
        CHECK_NEAR(check_quat_got.y, want_y, tolerance);           \
        CHECK_NEAR(check_quat_got.z, want_z, tolerance);           \
    } while (0)

static inline ploy_vec2 test_v2(double x, double y) {
    return ploy_vec2_make((float)x, (float)y);
}

static inline ploy_vec3 test_v3(double x, double y, double z) {
    return ploy_vec3_make((float)x, (float)y, (float)z);
}

static inline ploy_vec2 test_random_vec2(ploy_rng *rng, float size) {
    float x = ploy_rng_range(rng, -size, size);
    return ploy_vec2_make(x, ploy_rng_range(rng, -size, size));
}

static inline ploy_vec3 test_random_vec3(ploy_rng *rng, float size) {
    ploy_vec2 v = test_random_vec2(rng, size);
    return ploy_vec3_make(v.x, v.y, ploy_rng_range(rng, -size, size));
}

// Points on a small lattice: many coincide, touch and line up, and their sums are exact.
static inline ploy_vec2 test_lattice_vec2(ploy_rng *rng, int32_t size) {
    int32_t x = ploy_rng_int(rng, -size, size);
    return ploy_vec2_make((float)x, (float)ploy_rng_int(rng, -size, size));
}

static inline ploy_quat test_random_quat(ploy_rng *rng) {
    ploy_quat q = {ploy_rng_normal(rng), ploy_rng_normal(rng), ploy_rng_normal(rng),
                   ploy_rng_normal(rng)};
    return ploy_quat_normalise(q);
}

// Vectors whose text has y up, +z forward and +x left: ploy (x, y, z) = theirs (z, x, y), a proper
// rotation, so quaternion parts permute unchanged.
static inline ploy_vec3 test_from_y_up(double x, double y, double z) {
    return test_v3(z, x, y);
}

static inline ploy_quat test_quat_from_y_up(double r, double i, double j, double k) {
    ploy_quat q = {(float)r, (float)k, (float)i, (float)j};
    return q;
}
