// What the tests of the shapes of space share: a slow sweep against anything whose distance can be
// told, and rigid motions.
#pragma once

#include "tests/geom/geom_test.h"

#include "ploy/geom/sphere.h"

// The distance from a point to a solid, 0 within; in double, told the slow way.
typedef double (*test_distance_fn)(const void *shape, const double at[3]);

typedef enum test_slow_answer { TEST_SLOW_MISS, TEST_SLOW_HIT, TEST_SLOW_GRAZE } test_slow_answer;

static inline double test_slow_gap(test_distance_fn distance, const void *shape, ploy_ray3 ray,
                                   double radius, double along) {
    double at[3] = {(double)ray.origin.x + (double)ray.direction.x * along,
                    (double)ray.origin.y + (double)ray.direction.y * along,
                    (double)ray.origin.z + (double)ray.direction.z * along};
    return distance(shape, at) - radius;
}

// Sphere tracing: goes on by the gap again and again, which never passes through anything, until
// the gap is next to nothing. What comes very near without touching, slides along, or touches
// without going in is not decided.
static inline test_slow_answer test_slow_sweep(test_distance_fn distance, const void *shape,
                                               ploy_ray3 ray, double radius, double *out) {
    double along = 0.0, least = INFINITY, length = (double)ray.length;
    for (int32_t i = 0; i < 4000 && along <= length && along < 1e4; i++) {
        double gap = test_slow_gap(distance, shape, ray, radius, along);
        if (gap < 1e-7) {
            *out = along;
            double deeper = test_slow_gap(distance, shape, ray, radius, along + 1e-3);
            bool goes_in = deeper < -1e-9 || (radius == 0.0 && deeper == 0.0) || gap < -1e-6;
            bool at_end = fabs(along - length) < 1e-4;
            return goes_in && !at_end ? TEST_SLOW_HIT : TEST_SLOW_GRAZE;
        }
        least = fmin(least, gap);
        along += gap;
    }
    return least < 1e-3 ? TEST_SLOW_GRAZE : TEST_SLOW_MISS;
}

// Compares a hit with the slow sweep: the same answer, the same distance, a point on the solid and
// a unit normal against the ray.
#define CHECK_SLOW_SWEEP(got, hit, distance_fn, shape, ray, radius)                          \
    do {                                                                                     \
        double slow_at = 0;                                                                  \
        test_slow_answer slow = test_slow_sweep(distance_fn, shape, ray, radius, &slow_at);  \
        if (slow != TEST_SLOW_GRAZE) CHECK_INT(got, slow == TEST_SLOW_HIT);                  \
        if ((got) && slow == TEST_SLOW_HIT) {                                                \
            CHECK_NEAR((hit).distance, slow_at, 2e-3);                                       \
            double slow_point[3] = {(double)(hit).point.x, (double)(hit).point.y,            \
                                    (double)(hit).point.z};                                  \
            CHECK_NEAR(distance_fn(shape, slow_point), 0, 1e-4);                             \
            CHECK_NEAR(ploy_vec3_length((hit).normal), 1, 1e-5);                             \
            if (!(hit).inside) CHECK(ploy_vec3_dot((hit).normal, (ray).direction) <= 1e-3f); \
            if (!(hit).inside) {                                                             \
                ploy_vec3 touch_at = ploy_ray3_at(ray, (hit).distance);                      \
                CHECK_NEAR(ploy_vec3_distance(touch_at, (hit).point), radius, 2e-4);         \
            }                                                                                \
        }                                                                                    \
    } while (0)

static inline double test_distance3(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// The least of a convex function on [0, 1], by cutting into thirds.
#define TEST_LEAST(out, u, expression)              \
    do {                                            \
        double low_ = 0, high_ = 1;                 \
        for (int32_t i_ = 0; i_ < 80; i_++) {       \
            double a_ = low_ + (high_ - low_) / 3;  \
            double b_ = high_ - (high_ - low_) / 3; \
            u = a_;                                 \
            double at_a_ = (expression);            \
            u = b_;                                 \
            double at_b_ = (expression);            \
            if (at_a_ < at_b_) {                    \
                high_ = b_;                         \
            } else {                                \
                low_ = a_;                          \
            }                                       \
        }                                           \
        u = 0.5 * (low_ + high_);                   \
        out = (expression);                         \
    } while (0)

// A lattice point of space, so that things touch and line up.
static inline ploy_vec3 test_lattice_vec3(ploy_rng *rng, int32_t size) {
    ploy_vec2 v = test_lattice_vec2(rng, size);
    return ploy_vec3_make(v.x, v.y, (float)ploy_rng_int(rng, -size, size));
}

// A rigid motion.
typedef struct test_motion {
    ploy_quat turn;
    ploy_vec3 move;
} test_motion;

static inline test_motion test_random_motion(ploy_rng *rng) {
    test_motion motion;
    motion.turn = test_random_quat(rng);
    motion.move = test_random_vec3(rng, 5);
    return motion;
}

static inline ploy_vec3 test_moved(const test_motion *motion, ploy_vec3 point) {
    return ploy_vec3_add(ploy_quat_rotate(motion->turn, point), motion->move);
}
