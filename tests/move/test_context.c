// Context steering: maps are written as told, danger closes, the choice is refined and kept.
#include "ploy/move/context.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

static ploy_vec2 toward(float degrees) {
    return ploy_angle_heading(degrees * PLOY_PI_F / 180.0f);
}

static float degrees_of(ploy_vec2 v) {
    return ploy_vec2_angle_to(ploy_vec2_make(1.0f, 0.0f), v) * 180.0f / PLOY_PI_F;
}

TEST(maps_keep_the_larger_value_and_fall_to_nothing_at_the_spread) {
    ploy_context_def def = ploy_context_def_default();
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_context_add_interest(&context, ploy_vec2_make(7.0f, 0.0f), 1.0f);
    CHECK_NEAR(context.interest[0], 1.0f, 1e-6);
    CHECK_NEAR(context.interest[1], cosf(PLOY_PI_F / 8.0f), 1e-5); // a spread of a quarter turn
    CHECK_NEAR(context.interest[4], 0.0f, 1e-5);
    CHECK_SAME(context.interest[8], 0.0f);
    ploy_context_add_interest(&context, toward(45.0f), 0.5f);
    CHECK_NEAR(context.interest[2], cosf(PLOY_PI_F / 4.0f), 1e-5); // what was there is larger
    CHECK_NEAR(context.interest[4], 0.5f * cosf(PLOY_PI_F / 4.0f), 1e-5);
    ploy_context_add_danger(&context, toward(90.0f), 2.0f);
    CHECK_NEAR(context.danger[4], 2.0f, 1e-5);
    CHECK_NEAR(context.danger[6], 0.0f, 1e-5);
    static const struct {
        const char *row;
        ploy_vec2 direction;
        float strength;
    } rows[] = {
        {"no direction", {0.0f, 0.0f}, 9.0f},         {"no number", {NAN, 0.0f}, 9.0f},
        {"no strength", {1.0f, 0.0f}, 0.0f},          {"strength no number", {1.0f, 0.0f}, NAN},
        {"endless strength", {1.0f, 0.0f}, INFINITY},
    };
    ploy_context before = context;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_context_add_interest(&context, rows[i].direction, rows[i].strength);
        ploy_context_add_danger(&context, rows[i].direction, rows[i].strength);
        CHECK_BYTES(&context, &before, sizeof context);
    }
    ploy_context_clear(&context);
    CHECK_SAME(context.interest[0] + context.danger[4], 0.0f);
    CHECK_INT(ploy_context_decide(&context, &def, -1).slot, -1);
}

TEST(danger_closes_directions_as_the_mask_says) {
    static const struct {
        const char *row;
        ploy_context_mask mask;
        float limit, danger; // ahead
        int32_t slot;        // of 8; the target is ahead, a second interest at 90 degrees
    } rows[] = {
        {"nothing in the way", PLOY_CONTEXT_LEAST, 0.5f, 0.0f, 0},
        {"only the least dangerous are open", PLOY_CONTEXT_LEAST, 0.5f, 0.2f, 2},
        {"up to the limit it is open", PLOY_CONTEXT_LIMIT, 0.5f, 0.4f, 0},
        {"beyond the limit it is not", PLOY_CONTEXT_LIMIT, 0.5f, 0.6f, 2},
        {"little is taken from much", PLOY_CONTEXT_SUBTRACT, 0.5f, 0.2f, 0},
        {"more is taken than there is", PLOY_CONTEXT_SUBTRACT, 0.5f, 0.9f, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_context_def def = ploy_context_def_default();
        def.slots = 8;
        def.mask = rows[i].mask;
        def.danger_limit = rows[i].limit;
        def.interest_spread = def.danger_spread = 0.5f; // narrower than a slot
        ploy_context context;
        ploy_context_init(&context, &def);
        ploy_context_add_interest(&context, toward(0.0f), 1.0f);
        ploy_context_add_interest(&context, toward(90.0f), 0.6f);
        ploy_context_add_danger(&context, toward(0.0f), rows[i].danger);
        ploy_context_choice got = ploy_context_decide(&context, &def, -1);
        CHECK_INT(got.slot, rows[i].slot);
        CHECK_NEAR(got.interest, rows[i].slot == 0 ? 1.0f : 0.6f, 1e-6);
        scene_told told;
        ploy_trace trace = scene_trace(&told);
        ploy_context_trace(&context, &def, -1, ploy_agent_id_make(1, 1), &trace);
        CHECK_INT(told.depth, 0);
        CHECK_INT(told.options, 2);
        CHECK_TEXT(told.winner, rows[i].slot == 0 ? "slot 0" : "slot 2");
    }
}

TEST(the_choice_is_refined_between_slots) {
    for (int32_t slots = 8; slots <= 32; slots *= 2) {
        float worst = 0.0f, coarse = 0.0f;
        for (float degrees = -179.0f; degrees < 180.0f; degrees += 0.7f) {
            ploy_context_def def = ploy_context_def_default();
            def.slots = slots;
            ploy_context context;
            ploy_context_init(&context, &def);
            ploy_context_add_interest(&context, toward(degrees), 1.0f);
            ploy_vec2 got = ploy_context_decide(&context, &def, -1).direction;
            CHECK_NEAR(ploy_vec2_length(got), 1.0f, 1e-5);
            worst =
                ploy_maxf(worst, fabsf(degrees_of(ploy_vec2_rotate_by(
                                     got, ploy_vec2_make(toward(degrees).x, -toward(degrees).y)))));
            def.refine = false;
            got = ploy_context_decide(&context, &def, -1).direction;
            coarse = ploy_maxf(coarse,
                               fabsf(degrees_of(ploy_vec2_rotate_by(
                                   got, ploy_vec2_make(toward(degrees).x, -toward(degrees).y)))));
        }
        CHECK(coarse > 0.45f * 360.0f / (float)slots); // half a slot without
        CHECK(worst < 0.05f * 360.0f / (float)slots);  // a twentieth with it
    }
}

TEST(hysteresis_keeps_the_last_choice) {
    ploy_context_def def = ploy_context_def_default();
    def.slots = 8;
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_context_add_interest(&context, toward(0.0f), 1.0f);
    ploy_context_add_interest(&context, toward(180.0f), 0.95f);
    CHECK_INT(ploy_context_decide(&context, &def, 4).slot, 0);
    def.hysteresis = 0.1f;
    ploy_context_choice got = ploy_context_decide(&context, &def, 4);
    CHECK_INT(got.slot, 4);
    CHECK_NEAR(fabsf(degrees_of(got.direction)), 180.0f, 1e-3); // the bonus turns nothing
    ploy_context_add_danger(&context, toward(180.0f), 0.1f);
    CHECK_INT(ploy_context_decide(&context, &def, 4).slot, 0); // danger wins
    CHECK_INT(ploy_context_decide(&context, &def, 2).slot, 0); // an interest of 0 gets no bonus
    CHECK_INT(ploy_context_decide(&context, &def, 99).slot, 0);
}

TEST(turning_by_slots_and_mirroring_turns_and_mirrors_the_choice) {
    for (int64_t round = 0; round < test_rounds(500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_context_def def = ploy_context_def_default();
        def.mask = (ploy_context_mask)(round % 3);
        ploy_context plain, turned, mirrored;
        ploy_context_init(&plain, &def);
        ploy_context_init(&turned, &def);
        ploy_context_init(&mirrored, &def);
        for (int32_t i = 0; i < 6; i++) {
            ploy_vec2 way = scene_near2(&rng, 1.0f);
            float strength = ploy_rng_range(&rng, 0.1f, 1.0f);
            void (*add)(ploy_context *, ploy_vec2, float) =
                i < 3 ? ploy_context_add_interest : ploy_context_add_danger;
            add(&plain, way, strength);
            add(&turned, scene_turn(way), strength);
            add(&mirrored, scene_mirror(way), strength);
        }
        ploy_vec2 want = ploy_context_decide(&plain, &def, -1).direction;
        ploy_vec2 left = ploy_context_decide(&turned, &def, -1).direction;
        ploy_vec2 over = ploy_context_decide(&mirrored, &def, -1).direction;
        if (def.mask == PLOY_CONTEXT_LEAST) continue; // which of many zeros is least, a hair says
        CHECK_VEC2(left, -want.y, want.x, 2e-3);
        CHECK_VEC2(over, want.x, -want.y, 2e-3);
    }
}

TEST(a_body_is_as_dangerous_as_it_is_near_and_wide) {
    ploy_context_def def = ploy_context_def_default();
    def.danger_spread = 0.2f;
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_vec2 me = {10.0f, 20.0f};
    ploy_context_add_body(&context, me, ploy_vec2_make(14.0f, 20.0f), 1.0f, 3.0f);
    CHECK_SAME(context.danger[0], 0.0f); // just out of range
    ploy_context_add_body(&context, me, ploy_vec2_make(12.5f, 20.0f), 1.0f, 3.0f);
    CHECK_NEAR(context.danger[0], 0.5f, 1e-5);
    CHECK_NEAR(context.danger[1], 0.5f, 1e-5); // 22.5 degrees, the body covers 23.6
    CHECK_SAME(context.danger[2], 0.0f);       // 45, beyond 23.6 and the spread of 11.5
    ploy_context_add_body(&context, me, ploy_vec2_make(10.5f, 20.0f), 1.0f, 3.0f);
    CHECK_NEAR(context.danger[0], 1.0f, 1e-5); // overlapping: the whole half circle
    CHECK_NEAR(context.danger[3], 1.0f, 1e-5);
    CHECK_SAME(context.danger[8], 0.0f);
    ploy_context before = context;
    ploy_context_add_body(&context, me, me, 1.0f, 3.0f); // no direction
    ploy_context_add_body(&context, me, ploy_vec2_make(NAN, 0.0f), 1.0f, 3.0f);
    ploy_context_add_body(&context, me, ploy_vec2_make(11.0f, 0.0f), 1.0f, 0.0f);
    CHECK_BYTES(&context, &before, sizeof context);
}

TEST(bad_settings_give_maps_without_slots) {
    ploy_context_def def = ploy_context_def_default();
    ploy_context context;
    def.slots = PLOY_CONTEXT_SLOTS_MAX + 1;
    ploy_context_init(&context, &def);
    ploy_context_add_interest(&context, toward(0.0f), 1.0f);
    CHECK_INT(context.slots, 0);
    CHECK_INT(ploy_context_decide(&context, &def, -1).slot, -1);
    def = ploy_context_def_default();
    CHECK_INT(ploy_context_decide(&context, &def, -1).slot, -1);
    ploy_context_init(&context, &def);
    def.hysteresis = NAN;
    CHECK_INT(ploy_context_decide(&context, &def, -1).slot, -1);
    scene_told told;
    ploy_draw draw = scene_draw(&told);
    ploy_context_draw(&context, ploy_vec2_zero(), 1.0f, ploy_agent_id_make(1, 1), &draw);
    CHECK_INT(told.items, 32);
}

TEST(a_target_behind_a_body_is_reached_where_forces_cancel_out) {
    // The target lies straight behind a body: seek and a push away would meet head-on.
    ploy_context_def def = ploy_context_def_default();
    def.mask = PLOY_CONTEXT_LIMIT;
    def.danger_limit = 0.3f;
    def.hysteresis = 0.3f; // both ways round are equal: it keeps to one
    ploy_vec2 at = {0.0f, 0.0f}, body = {5.0f, 0.0f}, target = {10.0f, 0.0f};
    int32_t last = -1, ticks = 0;
    float nearest = 1e9f;
    for (; ticks < 600 && ploy_vec2_distance(at, target) > 0.3f; ticks++) {
        ploy_context context;
        ploy_context_init(&context, &def);
        ploy_context_add_interest(&context, ploy_vec2_sub(target, at), 1.0f);
        ploy_context_add_body(&context, at, body, 1.0f, 1.5f);
        ploy_context_choice choice = ploy_context_decide(&context, &def, last);
        last = choice.slot;
        at = ploy_vec2_add_scaled(at, choice.direction, 0.05f);
        nearest = ploy_minf(nearest, ploy_vec2_distance(at, body));
    }
    CHECK(ticks < 400);
    CHECK(nearest > 1.0f);
}
