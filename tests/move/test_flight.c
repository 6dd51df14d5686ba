// Flight through air: PHY-05, PHY-06.
#include "move/move_internal.h"
#include "ploy/move/flight.h"

#include "ploy/base/math.h"
#include "tests/draw_count.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_vec3 flight_push(void *user, ploy_vec3 position, ploy_vec3 velocity, float time) {
    (void)position, (void)velocity, (void)time;
    return *(ploy_vec3 *)user;
}

TEST(linear_drag_follows_the_corrected_formula) {
    // PHY-05: k = 0.5, v0 = (10, 10, 0), p0 = (0, 2, 0), y up.
    ploy_flight_def def = ploy_flight_def_default();
    def.drag = 0.5f;
    ploy_flight flight = ploy_flight_make(&def);
    ploy_flyer ball = {{0.0f, 0.0f, 2.0f}, {10.0f, 0.0f, 10.0f}, 0.0f};
    CHECK(ployi_flight_is_exact(&flight));
    ploy_flyer after = ploy_flight_step(&flight, ball, 1.0f);
    CHECK_NEAR(after.position.x, 7.8693868, 2e-6);
    CHECK_NEAR(after.position.z, 5.6891237, 2e-6);
    CHECK_SAME(ploy_flight_step(&flight, ball, 0.0f).position.z, 2.0f);
}

TEST(without_drag_it_is_free_fall_and_small_drag_nearly_so) {
    static const float drags[] = {0.0f, 1e-7f, 1e-5f};
    for (size_t i = 0; i < COUNT_OF(drags); i++) {
        ploy_flight_def def = ploy_flight_def_default();
        def.drag = drags[i];
        ploy_flight flight = ploy_flight_make(&def);
        ploy_flyer ball = {{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}, 0.0f};
        ploy_projectile fall = ploy_projectile_make(ball.position, ball.velocity);
        ploy_vec3 want = ploy_projectile_at(&fall, 2.0f);
        CHECK_NEAR(ploy_vec3_distance(ploy_flight_step(&flight, ball, 2.0f).position, want), 0.0,
                   3e-4);
    }
}

TEST(one_long_step_is_many_short_ones) {
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_flight_def def = ploy_flight_def_default();
        def.drag = ploy_rng_range(&rng, 0.0f, 2.0f);
        def.wind = scene_near3(&rng, 10.0f);
        ploy_flight flight = ploy_flight_make(&def);
        ploy_flyer one = {scene_near3(&rng, 10.0f), scene_near3(&rng, 30.0f), 0.0f}, many = one;
        // The numeric way, forced by a callback that adds nothing, agrees with the formula too.
        ploy_vec3 nothing = {0.0f, 0.0f, 0.0f};
        ploy_flight numeric = flight;
        numeric.force = flight_push;
        numeric.user = &nothing;
        ploy_flyer walked = ploy_flight_step(&numeric, one, 2.0f);
        one = ploy_flight_step(&flight, one, 2.0f);
        for (int i = 0; i < 16; i++) many = ploy_flight_step(&flight, many, 0.125f);
        CHECK_NEAR(ploy_vec3_distance(one.position, many.position), 0.0, 1e-4);
        CHECK_NEAR(ploy_vec3_distance(one.position, walked.position), 0.0, 1e-3);
        CHECK_NEAR(one.time, many.time, 1e-6);
    }
}

TEST(air_brakes_wind_carries_and_spin_lifts) {
    ploy_flyer ball = {{0.0f, 0.0f, 1.0f}, {30.0f, 0.0f, 10.0f}, 0.0f};
    ploy_landing plain, other;
    ploy_flight_def def = ploy_flight_def_default();
    ploy_flight flight = ploy_flight_make(&def);
    CHECK(ploy_flight_landing(&flight, ball, 0.0f, 20.0f, &plain));
    ploy_projectile fall = ploy_projectile_make(ball.position, ball.velocity);
    CHECK(ploy_projectile_landing(&fall, 0.0f, &other));
    CHECK_NEAR(plain.time, other.time, 1e-4);
    CHECK_NEAR(plain.point.x, other.point.x, 5e-3);
    flight.def.drag_squared = 0.02f;
    CHECK(!ployi_flight_is_exact(&flight));
    CHECK(ploy_flight_landing(&flight, ball, 0.0f, 20.0f, &other));
    CHECK(other.point.x < 0.8f * plain.point.x);
    // Rolling backward about the left axis lifts: the golf ball.
    flight.def = def;
    flight.def.spin = ploy_vec3_make(0.0f, -100.0f, 0.0f);
    flight.def.lift = 0.001f;
    CHECK(ploy_flight_landing(&flight, ball, 0.0f, 20.0f, &other));
    CHECK(other.time > 1.2f * plain.time);
    flight.def = def;
    flight.def.drag = 0.2f;
    flight.def.wind = ploy_vec3_make(0.0f, 8.0f, 0.0f);
    CHECK(ploy_flight_landing(&flight, ball, 0.0f, 20.0f, &other));
    CHECK(other.point.y > 1.0f);
    // A callback stronger than gravity: it never comes down.
    ploy_vec3 up = {0.0f, 0.0f, 20.0f};
    flight.force = flight_push;
    flight.user = &up;
    CHECK(!ploy_flight_landing(&flight, ball, 0.0f, 5.0f, &other));
}

TEST(settings_out_of_range_leave_the_flyer_alone) {
    ploy_flight_def def = ploy_flight_def_default();
    ploy_flight flight = ploy_flight_make(&def);
    ploy_flyer ball = {{0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}, 0.0f};
    flight.def.drag = NAN;
    CHECK_SAME(ploy_flight_step(&flight, ball, 1.0f).position.x, 0.0f);
    flight.def.drag = 0.0f;
    CHECK_SAME(ploy_flight_step(&flight, ball, NAN).position.x, 0.0f);
    CHECK_SAME(ploy_flight_step(&flight, ball, -1.0f).position.x, 0.0f);
    // Drag far too stiff for the step: still numbers.
    flight.def.drag_squared = 10.0f;
    flight.def.step = 1.0f;
    ball.velocity.x = 1e6f;
    ploy_flyer after = ploy_flight_step(&flight, ball, 10.0f);
    CHECK(ploy_vec3_is_finite(after.position) && ploy_vec3_is_finite(after.velocity));
}

TEST(a_flight_and_a_throw_are_drawn_to_where_they_end) {
    ploy_flight_def def = ploy_flight_def_default();
    def.drag = 0.0f;
    ploy_flight flight = ploy_flight_make(&def);
    ploy_flyer ball = {{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}, 0.0f};
    ploy_projectile fall = ploy_projectile_make(ball.position, ball.velocity);
    ploy_vec3 want = ploy_projectile_at(&fall, 2.0f);
    draw_count drawn;
    ploy_draw out = draw_count_sink(&drawn);
    ploy_projectile_draw(&fall, 2.0f, PLOY_STYLE_PLAIN, ploy_agent_id_none(), &out);
    CHECK(drawn.items >= 1 && !drawn.broken);
    CHECK_NEAR(ploy_vec3_distance(drawn.last, want), 0.0, 1e-4);
    out = draw_count_sink(&drawn);
    ploy_flight_draw(&flight, ball, 2.0f, PLOY_STYLE_PLAIN, ploy_agent_id_none(), &out);
    CHECK(drawn.items >= 1 && !drawn.broken);
    CHECK_NEAR(ploy_vec3_distance(drawn.last, want), 0.0, 1e-3);
    out.layers = 0; // nothing is to be drawn
    drawn.items = 0;
    ploy_projectile_draw(&fall, 2.0f, PLOY_STYLE_PLAIN, ploy_agent_id_none(), &out);
    ploy_flight_draw(&flight, ball, 2.0f, PLOY_STYLE_PLAIN, ploy_agent_id_none(), &out);
    CHECK_INT(drawn.items, 0);
}
