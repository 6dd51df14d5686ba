// Emergent formations: FRM-03.
#include "ploy/move/arrive.h"
#include "ploy/move/emergent.h"
#include "ploy/move/integrate.h"

#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/test.h"

enum { BAND = 9 };

static void scatter_band(ploy_rng *rng, ploy_kinematic *band, ploy_emergent_claim *claims) {
    for (int32_t i = 0; i < BAND; i++) {
        ploy_vec2 at;
        at.x = ploy_rng_range(rng, -10.0f, 10.0f);
        at.y = ploy_rng_range(rng, -10.0f, 10.0f);
        band[i] = ploy_kinematic_make(at, ploy_rng_range(rng, -0.5f, 0.5f));
        claims[i] = ploy_emergent_claim_none();
    }
}

static void check_claims(test_context *t, const ploy_emergent_claim *claims) {
    for (int32_t i = 0; i < BAND; i++) {
        int32_t at = i, hops = 0;
        while (claims[at].leader >= 0) {
            at = claims[at].leader;
            CHECK(++hops <= BAND); // chains end
        }
        for (int32_t j = 0; j < i; j++) {
            bool same = claims[i].leader >= 0 && claims[i].leader == claims[j].leader &&
                        claims[i].side == claims[j].side;
            CHECK(!same);
        }
    }
}

TEST(everybody_but_the_first_follows_somebody_and_nobody_in_a_circle) {
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_emergent_def def = ploy_emergent_def_default();
        ploy_kinematic band[BAND];
        ploy_emergent_claim claims[BAND];
        scatter_band(&rng, band, claims);
        ploy_kinematics view = ploy_kinematics_of(band, BAND);
        bool present[BAND];
        for (int32_t i = 0; i < BAND; i++) present[i] = true;
        CHECK_OK(ploy_emergent_step(&def, &view, present, NULL, 0, 0.1f, claims));
        check_claims(t, claims);
        int32_t followers = 0;
        for (int32_t i = 0; i < BAND; i++) followers += claims[i].leader >= 0;
        CHECK(followers >= BAND / 2);
        CHECK_DRAWS(followers, ploy_emergent_draw(&def, &view, claims, &drawing));
        // Kept, until the one followed is gone.
        ploy_emergent_claim before[BAND];
        memcpy(before, claims, sizeof claims);
        CHECK_OK(ploy_emergent_step(&def, &view, present, NULL, 0, 0.1f, claims));
        for (int32_t i = 0; i < BAND; i++) {
            if (before[i].leader >= 0) CHECK_INT(claims[i].leader, before[i].leader);
        }
        int32_t gone = ploy_rng_int(&rng, 0, BAND - 1);
        present[gone] = false;
        CHECK_OK(ploy_emergent_step(&def, &view, present, NULL, 0, 0.1f, claims));
        check_claims(t, claims);
        for (int32_t i = 0; i < BAND; i++) CHECK(claims[i].leader != gone);
        CHECK_INT(claims[gone].leader, -1);
    }
}

TEST(spots_that_stay_blocked_are_given_up) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &plain));
    ploy_emergent_def def = ploy_emergent_def_default();
    ploy_kinematic pair[2] = {{{0, 0}, 0, {0, 0}, 0}, {{-5, 0}, 0, {0, 0}, 0}};
    ploy_kinematics view = ploy_kinematics_of(pair, 2);
    ploy_emergent_claim claims[2] = {ploy_emergent_claim_none(), ploy_emergent_claim_none()};
    ploy_scene scene = ploy_plain_scene_interface(plain);
    CHECK_OK(ploy_emergent_step(&def, &view, NULL, &scene, 1, 0.5f, claims));
    CHECK_INT(claims[1].leader, 0);
    CHECK_INT(claims[1].side, 1);
    ploy_vec2 spot = ploy_emergent_spot(&def, &view, claims, 1);
    CHECK_NEAR(spot.x, -2.0, 1e-6);
    CHECK_NEAR(spot.y, 1.5, 1e-6);
    CHECK_OK(ploy_plain_scene_add_circle(plain, spot, 0.5f, 1, NULL));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ploy_emergent_step(&def, &view, NULL, &scene, 1, 0.5f, claims));
        CHECK_INT(claims[1].side, 1); // patient for a second
    }
    CHECK_OK(ploy_emergent_step(&def, &view, NULL, &scene, 1, 0.5f, claims));
    CHECK_INT(claims[1].leader, 0);
    CHECK_INT(claims[1].side, -1);
    ploy_plain_scene_destroy(plain);
    CHECK_INT(ploy_emergent_step(&def, &view, NULL, NULL, 1, NAN, claims), PLOY_ERR_ARGUMENT);
    def.back = NAN;
    CHECK_INT(ploy_emergent_step(&def, &view, NULL, NULL, 1, 0.1f, claims), PLOY_ERR_ARGUMENT);
}

TEST(nine_geese_form_a_v) {
    // FRM-03: both arms are four long, and everybody is on its line.
    for (int64_t seed = 1; seed <= test_rounds(10); seed++) {
        TEST_SEED(seed);
        enum { GEESE = 9 };
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_kinematic geese[GEESE];
        ploy_emergent_claim claims[GEESE];
        ploy_emergent_def def = ploy_emergent_def_default();
        ploy_arrive_def arrive = ploy_arrive_def_default();
        arrive.max_speed = 8.0f;
        arrive.max_acceleration = 20.0f;
        for (int32_t i = 0; i < GEESE; i++) {
            float x = i == 0 ? 0.0f : ploy_rng_range(&rng, -20.0f, -4.0f);
            float y = i == 0 ? 0.0f : ploy_rng_range(&rng, -10.0f, 10.0f);
            geese[i] = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
            geese[i].velocity = ploy_vec2_make(2.0f, 0.0f);
            claims[i] = ploy_emergent_claim_none();
        }
        ploy_kinematics view = ploy_kinematics_of(geese, GEESE);
        ploy_integrate_def law = ploy_integrate_def_default();
        law.facing = PLOY_FACING_FREE; // they look ahead, whatever they do
        for (int tick = 0; tick < 60 * 60; tick++) {
            float dt = 1.0f / 60.0f;
            CHECK_OK(ploy_emergent_step(&def, &view, NULL, NULL, 0, dt, claims));
            ploy_steering steerings[GEESE];
            for (int32_t i = 0; i < GEESE; i++) {
                ploy_vec2 spot = ploy_emergent_spot(&def, &view, claims, i);
                // The spot flies on, so it is led by as much as arriving lags behind.
                spot.x += 2.0f * arrive.slow_radius / arrive.max_speed;
                steerings[i] = ploy_arrive(&arrive, geese[i], spot);
                if (claims[i].leader < 0) steerings[i] = ploy_steering_none();
            }
            for (int32_t i = 0; i < GEESE; i++) {
                geese[i] = ploy_integrate(&law, geese[i], steerings[i], dt);
            }
        }
        int32_t left = 0, right = 0, tips = 0;
        for (int32_t i = 0; i < GEESE; i++) {
            if (claims[i].leader < 0) {
                tips++;
                continue;
            }
            left += claims[i].side > 0;
            right += claims[i].side < 0;
            // On the line of its arm: k places back and k to the side of the tip.
            ploy_vec2 offset = ploy_vec2_sub(geese[i].position, geese[0].position);
            float k = -offset.x / def.back;
            CHECK_NEAR(fabsf(offset.y), (double)(k * def.side), 0.3);
        }
        CHECK_INT(tips, 1);
        CHECK_INT(left, 4);
        CHECK_INT(right, 4);
    }
}
