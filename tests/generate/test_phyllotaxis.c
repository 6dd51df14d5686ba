// Golden-angle placement: the catalog's angles.
#include "ploy/base/math.h"
#include "ploy/generate/phyllotaxis.h"
#include "tests/test.h"

#include <math.h>

static double degrees(double radians) {
    return radians * 180.0 / PLOY_PI;
}

TEST(metallic_means_give_the_known_turns) {
    CHECK_NEAR(ploy_metallic_mean(1), 1.618033988749895, 1e-15);
    CHECK_NEAR(ploy_metallic_mean(2), 1.0 + sqrt(2.0), 1e-15);
    CHECK_NEAR(degrees(ploy_phyllotaxis_turn(ploy_metallic_mean(1))), 222.49224, 1e-5);
    CHECK_NEAR(ploy_phyllotaxis_turn(ploy_metallic_mean(1)), 3.8832221, 1e-7);
    CHECK_NEAR(degrees(ploy_phyllotaxis_turn(ploy_metallic_mean(2))), 149.11688, 1e-5);
    CHECK_NEAR(degrees(ploy_phyllotaxis_turn(ploy_metallic_mean(3))), 108.99923, 1e-5);
}

TEST(leaves_stand_at_the_catalogs_angles) {
    static const double want[] = {0, 222.492, 84.984, 307.477, 169.969, 32.461, 254.953, 117.446};
    ploy_env env = ploy_env_default();
    ploy_phyllotaxis_def def = ploy_phyllotaxis_def_default();
    def.count = 8;
    def.form = PLOY_PHYLLOTAXIS_WHORL;
    ploy_phyllotaxis *whorl = NULL;
    CHECK_OK(ploy_phyllotaxis_begin(&def, ploy_rng_key_make(1), NULL, &env, &whorl));
    CHECK_OK(ploy_phyllotaxis_step(whorl, NULL));
    int32_t count = 0;
    const ploy_placed *leaves = ploy_phyllotaxis_leaves(whorl, &count);
    CHECK_INT(count, 8);
    for (int32_t i = 0; i < count; i++) {
        double angle = degrees((double)leaves[i].angle);
        CHECK_NEAR(angle < 0.0 ? angle + 360.0 : angle, want[i], 1e-3);
        CHECK_NEAR(hypot((double)leaves[i].position.x, (double)leaves[i].position.y), 1.0, 1e-6);
    }
    ploy_phyllotaxis_cancel(whorl);
}

TEST(jitter_stays_within_its_bound) {
    ploy_env env = ploy_env_default();
    ploy_phyllotaxis_def def = ploy_phyllotaxis_def_default();
    def.count = 500;
    def.form = PLOY_PHYLLOTAXIS_WHORL;
    def.jitter = (float)(PLOY_PI / 12.0);
    ploy_phyllotaxis *whorl = NULL;
    CHECK_OK(ploy_phyllotaxis_begin(&def, ploy_rng_key_make(5), NULL, &env, &whorl));
    CHECK_OK(ploy_phyllotaxis_step(whorl, NULL));
    int32_t count = 0, moved = 0;
    const ploy_placed *leaves = ploy_phyllotaxis_leaves(whorl, &count);
    for (int32_t i = 0; i < count; i++) {
        double plain = (double)i * ploy_phyllotaxis_turn(ploy_metallic_mean(1));
        double off = remainder((double)leaves[i].angle - plain, 2.0 * PLOY_PI);
        CHECK(fabs(off) <= (double)def.jitter + 1e-5);
        moved += fabs(off) > 0.1;
    }
    CHECK(moved > 100);
    CHECK_UINT(ploy_phyllotaxis_outcome(whorl).draws, 500);
    ploy_phyllotaxis_cancel(whorl);
}

TEST(a_spiral_fills_its_disc_evenly) {
    ploy_env env = ploy_env_default();
    ploy_phyllotaxis_def def = ploy_phyllotaxis_def_default();
    def.count = 1000;
    ploy_phyllotaxis *whorl = NULL;
    CHECK_OK(ploy_phyllotaxis_begin(&def, ploy_rng_key_make(1), NULL, &env, &whorl));
    CHECK_OK(ploy_phyllotaxis_step(whorl, NULL));
    int32_t count = 0, inner = 0;
    const ploy_placed *leaves = ploy_phyllotaxis_leaves(whorl, &count);
    double half = sqrt(1000.0) / 2.0, nearest = 1e9;
    for (int32_t i = 0; i < count; i++) {
        inner += hypot((double)leaves[i].position.x, (double)leaves[i].position.y) < half;
        for (int32_t k = 0; k < i; k++) {
            double d = hypot((double)(leaves[i].position.x - leaves[k].position.x),
                             (double)(leaves[i].position.y - leaves[k].position.y));
            if (d < nearest) nearest = d;
        }
    }
    CHECK_INT(inner, 250); // a quarter of the area
    CHECK(nearest > 0.9);  // the first seed is at 0, the second at 1
    ploy_phyllotaxis_cancel(whorl);
}
