// Patterns: FRM-01, FRM-02, FRM-08, FRM-10, FRM-13. The book's (x, z) is ploy's (y, x).
#include "ploy/base/math.h"
#include "ploy/move/formation.h"
#include "tests/test.h"

TEST(a_slot_turns_with_its_leader) {
    // FRM-01: leader (10, 10) at pi / 2, slot (2, -3) and 0.1: (7, 8) and 1.6708.
    ploy_place leader = {{10.0f, 10.0f}, PLOY_HALF_PI_F}, slot = {{-3.0f, 2.0f}, 0.1f};
    ploy_place place = ploy_place_in(slot, leader);
    CHECK_NEAR(place.position.x, 8.0, 1e-5);
    CHECK_NEAR(place.position.y, 7.0, 1e-5);
    CHECK_NEAR(place.orientation, 1.6707963, 1e-6);
}

TEST(the_defensive_circle_grows_with_its_number) {
    // FRM-08: characters of radius 1.
    static const struct {
        int32_t n;
        double radius;
    } rows[] = {{1, 0.0}, {2, 1.0},       {3, 1.1547005}, {4, 1.4142136},
                {6, 2.0}, {8, 2.6131259}, {20, 6.3924532}};
    ploy_formation_shape_def def = ploy_formation_shape_def_default();
    def.shape = PLOY_FORMATION_CIRCLE;
    ploy_pattern pattern = ploy_pattern_shape(&def);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int32_t slot = 0; slot < rows[i].n; slot++) {
            ploy_place place = pattern.slot(pattern.user, slot, rows[i].n, 0.0f);
            CHECK_NEAR(ploy_vec2_length(place.position), rows[i].radius, 1e-5);
            if (rows[i].n == 1) continue;
            // Looks outward, and its neighbour is two radii away.
            ploy_vec2 out = {ploy_cosf(place.orientation), ploy_sinf(place.orientation)};
            CHECK_NEAR(ploy_vec2_dot(out, place.position), rows[i].radius, 1e-5);
            ploy_place next = pattern.slot(pattern.user, (slot + 1) % rows[i].n, rows[i].n, 0.0f);
            CHECK_NEAR(ploy_vec2_distance(place.position, next.position), 2.0, 1e-4);
        }
    }
}

TEST(no_two_slots_of_any_shape_are_close) {
    // FRM-02.
    for (int shape = 0; shape <= PLOY_FORMATION_RINGS; shape++) {
        ploy_formation_shape_def def = ploy_formation_shape_def_default();
        def.shape = (ploy_formation_shape)shape;
        def.ring_capacity = 20;
        ploy_pattern pattern = ploy_pattern_shape(&def);
        t->row = pattern.name;
        for (int32_t n = 1; n <= 100; n++) {
            for (int32_t i = 0; i < n; i++) {
                ploy_vec2 a = pattern.slot(pattern.user, i, n, 0.0f).position;
                CHECK(ploy_vec2_is_finite(a));
                for (int32_t j = 0; j < i; j++) {
                    ploy_vec2 b = pattern.slot(pattern.user, j, n, 0.0f).position;
                    CHECK(ploy_vec2_distance(a, b) > 0.8f * def.spacing);
                }
            }
        }
    }
}

TEST(the_named_shapes_look_like_their_names) {
    ploy_formation_shape_def def = ploy_formation_shape_def_default();
    static const struct {
        ploy_formation_shape shape;
        int32_t n, slot;
        double x, y;
    } rows[] = {
        {PLOY_FORMATION_LINE, 3, 0, 0, 2},
        {PLOY_FORMATION_LINE, 3, 2, 0, -2},
        {PLOY_FORMATION_COLUMN, 3, 2, -4, 0},
        {PLOY_FORMATION_V, 5, 1, -1.4142136, 1.4142136},
        {PLOY_FORMATION_V, 5, 4, -2.8284271, -2.8284271},
        {PLOY_FORMATION_FINGERS, 4, 1, -1.4142136, 1.4142136},
        {PLOY_FORMATION_FINGERS, 4, 2, -1.4142136, -1.4142136},
        {PLOY_FORMATION_FINGERS, 4, 3, -2.8284271, -2.8284271},
        {PLOY_FORMATION_WEDGE, 6, 5, -3.4641016, -2},
        {PLOY_FORMATION_BLOCK, 5, 4, -2, -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        def.shape = rows[i].shape;
        ploy_pattern pattern = ploy_pattern_shape(&def);
        t->row = pattern.name;
        ploy_place place = pattern.slot(pattern.user, rows[i].slot, rows[i].n, 0.0f);
        CHECK_NEAR(place.position.x, rows[i].x, 1e-5);
        CHECK_NEAR(place.position.y, rows[i].y, 1e-5);
    }
}

TEST(a_play_walks_waits_and_jumps) {
    // FRM-13.
    static const ploy_play_key keys[] = {{0, 1.0f, {{0, 0}, 0}, false},
                                         {0, 3.0f, {{4, 2}, 1.0f}, false},
                                         {1, 0.0f, {{1, 1}, 0}, false},
                                         {1, 2.0f, {{9, 9}, 0}, true}};
    static const ploy_play play = {keys, 4, 2};
    ploy_pattern pattern = ploy_pattern_play("double play", &play);
    static const struct {
        int32_t slot;
        float time;
        double x, y;
    } rows[] = {{0, 0.0f, 0, 0}, {0, 2.0f, 2, 1}, {0, 9.0f, 4, 2},
                {1, 1.9f, 1, 1}, {1, 2.0f, 9, 9}, {5, 1.0f, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_place place = pattern.slot(pattern.user, rows[i].slot, 2, rows[i].time);
        CHECK_NEAR(place.position.x, rows[i].x, 1e-6);
        CHECK_NEAR(place.position.y, rows[i].y, 1e-6);
    }
    CHECK(pattern.supports(pattern.user, 2) && !pattern.supports(pattern.user, 3));
}

TEST(roles_out_of_range_are_impossible) {
    static const float costs[4] = {0, 5, 7, 0};
    static const int32_t slots[3] = {1, 0, 9};
    ploy_roles roles = {costs, 2, 2, slots, 3};
    CHECK_SAME(ploy_roles_cost(&roles, 0, 0), 5.0f);
    CHECK_SAME(ploy_roles_cost(&roles, 1, 1), 7.0f);
    CHECK(ploy_roles_cost(&roles, 0, 2) == INFINITY);
    CHECK(ploy_roles_cost(&roles, 2, 0) == INFINITY);
    CHECK(ploy_roles_cost(&roles, 0, -1) == INFINITY);
}
