// Agitation: the orbits that it ends.
#include "ploy/move/agitate.h"
#include "tests/move/vectors.h"

TEST(the_kick_is_across_the_request) {
    // WAY-14: (1, 0, 0) x up = (0, -1, 0).
    ploy_agitate_def def = ploy_agitate_def_default();
    float waited = 5.0f;
    ploy_vec2 steering = {1.0f, 0.0f};
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 0.0f, 0.1f), 0.0, -1.0, 0.0);
    CHECK_SAME(waited, 0.0f);
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 0.0f, 0.1f), 1.0, 0.0, 0.0);
    waited = 5.0f;
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 1.0f, 0.1f), 0.0, 1.0, 0.0);
    def.inwards = false;
    waited = 5.0f;
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 1.0f, 0.1f), 0.0, -1.0, 0.0);
    waited = 5.0f;
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 1.0f, 0.0f), 1.0, 0.0, 0.0);
    def.patience = 0.0f;
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 1.0f, 0.5f), 1.0, 0.0, 0.0);
    def.patience = NAN;
    CHECK_VEC2(ploy_agitate(&def, &waited, steering, 1.0f, 0.5f), 1.0, 0.0, 0.0);
}

TEST(in_space_the_kick_is_across_the_request_toward_the_point) {
    ploy_agitate_def def = ploy_agitate_def_default();
    ploy_vec3 steering = {0.0f, 3.0f, 0.0f}, above = {0.0f, 5.0f, 9.0f};
    static const struct {
        const char *row;
        bool inwards;
        ploy_vec3 steering, toward, want;
    } rows[] = {
        {"up to the point", true, {0, 3, 0}, {0, 5, 9}, {0, 0, 3}},
        {"level to the right", false, {0, 3, 0}, {0, 5, 9}, {3, 0, 0}},
        {"straight ahead: to the right", true, {0, 3, 0}, {0, 5, 0}, {3, 0, 0}},
        {"straight up", false, {0, 0, 2}, {1, 1, 1}, {2, 0, 0}},
        {"no steering", true, {0, 0, 0}, {0, 5, 9}, {0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        def.inwards = rows[i].inwards;
        float waited = 5.0f;
        ploy_vec3 kick = ploy_agitate3(&def, &waited, rows[i].steering, rows[i].toward, 0.1f);
        CHECK(ploy_vec3_distance(kick, rows[i].want) < 1e-5f);
        CHECK_SAME(waited, 0.0f);
    }
    float waited = 0.0f;
    CHECK(ploy_vec3_equal(ploy_agitate3(&def, &waited, steering, above, 0.1f), steering));
    CHECK_SAME(waited, 0.1f);
}

// Seconds until a mover of constant speed that turns by 0.2 a tick is within radius of the centre
// of its own turning circle; above 60 if it is not. side 1 is a target on the left.
static double orbit_time(const ploy_agitate_def *def, float speed, float radius, float side,
                         int32_t *kicks) {
    const float dt = 0.033f;
    ploy_vec2 target = {0.0f, side * speed * speed * dt / 0.2f};
    ploy_vec2 position = {0.0f, 0.0f}, velocity = {speed, 0.0f};
    float waited = 0.0f;
    *kicks = 0;
    for (int32_t tick = 0; tick < 1819; tick++) {
        ploy_vec2 to = ploy_vec2_sub(target, position);
        if (ploy_vec2_length(to) < radius) return (double)tick * (double)dt;
        ploy_vec2 steering = ploy_vec2_add_scaled(velocity, ploy_vec2_normalise(to), 0.2f);
        ploy_vec2 move = ploy_agitate(def, &waited, steering, ploy_vec2_cross(velocity, to), dt);
        if (!ploy_vec2_equal(move, steering)) (*kicks)++;
        velocity = ploy_vec2_with_length(move, speed);
        position = ploy_vec2_add_scaled(position, velocity, dt);
    }
    return 99.0;
}

TEST(without_agitation_it_orbits_for_ever) {
    // WAY-14.
    static const struct {
        const char *row;
        float speed, radius, side;
        double want; // with the classic kick
        int32_t kicks;
    } rows[] = {
        {"fast, left", 5.0f, 1.0f, 1.0f, 19.6, 3},
        {"fast, right", 5.0f, 1.0f, -1.0f, 5.6, 1},
        {"slow, left", 2.0f, 0.5f, 1.0f, 9.3, 1},
        {"slow, right", 2.0f, 0.5f, -1.0f, 5.1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_agitate_def def = ploy_agitate_def_default();
        int32_t kicks = 0;
        def.patience = 0.0f;
        CHECK_NEAR(orbit_time(&def, rows[i].speed, rows[i].radius, rows[i].side, &kicks), 99.0, 0);
        def.patience = 5.0f;
        def.inwards = false;
        CHECK_NEAR(orbit_time(&def, rows[i].speed, rows[i].radius, rows[i].side, &kicks),
                   rows[i].want, 0.2);
        CHECK_INT(kicks, rows[i].kicks);
        // Inwards it is never slower than the right-hand kick is at its best.
        def.inwards = true;
        CHECK(orbit_time(&def, rows[i].speed, rows[i].radius, rows[i].side, &kicks) < 5.8);
        CHECK_INT(kicks, 1);
    }
}
