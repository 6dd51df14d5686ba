#include "ploy/path/domains.h"

#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/test.h"

// The first point counts distances double beyond 4 m.
static double steep_beyond_four(void *user, int32_t point, double distance) {
    (void)user;
    return point == 0 && distance > 4.0 ? 2.0 * distance - 4.0 : distance;
}

TEST(each_point_may_have_a_falloff) { // PTH-17
    static const ploy_vec3 points[] = {{0, 0, 0}, {12, 0, 0}};
    ploy_domains falloff = {PLOY_DOMAIN_FALLOFF, points, NULL, 2, steep_beyond_four, NULL};
    CHECK_INT(ploy_domains_find(&falloff, ploy_vec3_make(5.2f, 0, 0)), 0); // 6.4 and 6.8
    CHECK_INT(ploy_domains_find(&falloff, ploy_vec3_make(5.5f, 0, 0)), 1); // 7 and 6.5
    falloff.falloff = NULL;                                                // as plain ones
    CHECK_INT(ploy_domains_find(&falloff, ploy_vec3_make(5.9f, 0, 0)), 0);
}

TEST(a_strong_point_comes_up_again_behind_a_weak_one) { // PTH-17
    static const ploy_vec3 points[] = {{0, 0, 0}, {10, 0, 0}};
    static const float weights[] = {3, 1};
    ploy_domains divided = {PLOY_DOMAIN_DIVIDED, points, weights, 2, NULL, NULL};
    ploy_domains shifted = {PLOY_DOMAIN_SHIFTED, points, weights, 2, NULL, NULL};
    ploy_domains plain = {PLOY_DOMAIN_PLAIN, points, NULL, 2, NULL, NULL};
    static const struct {
        const char *row;
        float x;
        int32_t divided, shifted, plain;
    } rows[] = {{"near the first", 4.9f, 0, 0, 0},    {"beyond the middle", 5.1f, 0, 0, 1},
                {"shifted ends at 6", 6.1f, 0, 1, 1}, {"divided ends at 7.5", 7.6f, 1, 1, 1},
                {"still the second", 14.9f, 1, 1, 1}, {"and the first again", 15.1f, 0, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_vec3 at = {rows[i].x, 0, 0};
        CHECK_INT(ploy_domains_find(&divided, at), rows[i].divided);
        CHECK_INT(ploy_domains_find(&shifted, at), rows[i].shifted);
        CHECK_INT(ploy_domains_find(&plain, at), rows[i].plain);
    }
    t->row = NULL;
    CHECK_INT(ploy_domains_find(&plain, ploy_vec3_make(5, 0, 0)), 0); // of equals the lower
    CHECK_INT(ploy_domains_find(&plain, ploy_vec3_make(NAN, 0, 0)), -1);
    // On a line the divided domain is in two pieces, and it is told.
    ploy_env env = ploy_env_default();
    ploy_box2 line = {{-5, -0.5f}, {25, 0.5f}};
    int32_t pieces[2];
    CHECK_OK(ploy_domains_split(&divided, line, 300, 1, &env, pieces));
    CHECK_INT(pieces[0], 2);
    CHECK_INT(pieces[1], 1);
    CHECK_OK(ploy_domains_split(&shifted, line, 300, 1, &env, pieces));
    CHECK_INT(pieces[0], 1);
    CHECK_INT(pieces[1], 1);
    CHECK_INT(ploy_domains_split(&plain, line, 0, 1, &env, pieces), PLOY_ERR_ARGUMENT);
    static const float bad[] = {1, 0};
    divided.weights = bad;
    CHECK_INT(ploy_domains_split(&divided, line, 9, 1, &env, pieces), PLOY_ERR_ARGUMENT);
}

TEST(plain_domains_are_the_nearest_point_and_hang_together) { // PTH-16
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_vec3 points[8];
        for (int32_t i = 0; i < 8; i++) {
            points[i] = ploy_vec3_make(ploy_rng_range(&rng, 0, 10), ploy_rng_range(&rng, 0, 10), 0);
        }
        ploy_domains domains = {PLOY_DOMAIN_PLAIN, points, NULL, 8, NULL, NULL};
        for (int32_t k = 0; k < 50; k++) {
            ploy_vec3 at = {ploy_rng_range(&rng, 0, 10), ploy_rng_range(&rng, 0, 10), 0};
            int32_t found = ploy_domains_find(&domains, at);
            for (int32_t i = 0; i < 8; i++) {
                CHECK(ploy_vec3_distance(at, points[found]) <=
                      ploy_vec3_distance(at, points[i]) + 1e-5f);
            }
        }
        int32_t pieces[8];
        ploy_box2 box = {{0, 0}, {10, 10}};
        CHECK_OK(ploy_domains_split(&domains, box, 200, 200, &env, pieces));
        for (int32_t i = 0; i < 8; i++) CHECK(pieces[i] >= 1);
    }
}

static ploy_result split_body(const ploy_env *env, void *arg) {
    ploy_box2 box = {{0, 0}, {10, 10}};
    int32_t pieces[1];
    return ploy_domains_split(arg, box, 4, 4, env, pieces);
}

TEST(splitting_survives_a_failure_of_every_allocation) {
    static const ploy_vec3 points[] = {{0, 0, 0}};
    ploy_domains domains = {PLOY_DOMAIN_PLAIN, points, NULL, 1, NULL, NULL};
    CHECK_FAIL_NTH(split_body, &domains);
}

TEST(borders_and_points_are_drawn) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {5, 8, 0}};
    ploy_domains domains = {PLOY_DOMAIN_PLAIN, points, NULL, 3, NULL, NULL};
    ploy_box2 box = {{-5, -5}, {15, 15}};
    draw_count fine, coarse;
    ploy_draw out = draw_count_sink(&coarse);
    ploy_domains_draw(&domains, box, 8, 8, &out);
    CHECK(coarse.items > 3 && !coarse.broken);
    out = draw_count_sink(&fine);
    ploy_domains_draw(&domains, box, 32, 32, &out);
    CHECK(fine.items > coarse.items && !fine.broken); // a longer border in smaller pieces
    ploy_domains_draw(&domains, box, 8, 8, NULL);
}
