// Pursue and evade: the vectors of the books.
#include "ploy/move/pursue.h"

#include "ploy/base/math.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

TEST(pursue_and_evade_of_the_first_book) {
    // MOV-15, MOV-16, exercises 3.7 and 3.8; ploy (x, y) is the book's (z, x).
    ploy_kinematic agent = mover(6.0f, 5.0f, 3.0f, 3.0f), target = mover(2.0f, 8.0f, 4.0f, 3.0f);
    ploy_pursue_def pursue = ploy_pursue_def_default();
    pursue.seek.mode = PLOY_PULL_FULL;
    pursue.seek.max_acceleration = 4.0f;
    pursue.predict.max_time = 0.5f;
    CHECK_VEC2(ploy_pursue_point(&pursue, agent, target), 4.0, 9.5, 1e-6);
    CHECK_VEC2(ploy_pursue(&pursue, agent, target).linear, -1.6245539, 3.6552462, 1e-5);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.flee.mode = PLOY_PULL_FULL;
    evade.flee.max_acceleration = 4.0f;
    evade.predict.max_time = 0.5f;
    CHECK_VEC2(ploy_evade(&evade, agent, target).linear, 1.6245539, -3.6552462, 1e-5);
}

TEST(pursue_and_evade_of_the_second_book) {
    // STE-08, STE-09.
    ploy_pursue_def def = ploy_pursue_def_default();
    def.seek = plain_seek(10.0f);
    def.predict.method = PLOY_PREDICTION_BOTH_SPEEDS;
    def.predict.max_time = 100.0f;
    def.head_on = true;
    ploy_kinematic agent = mover(0.0f, 0.0f, 5.0f, 0.0f), evader = mover(30.0f, 40.0f, 10.0f, 0.0f);
    CHECK_NEAR(ploy_predict_time(&def.predict, 10.0f, agent, evader), 2.5, 1e-6);
    CHECK_VEC2(ploy_pursue_point(&def, agent, evader), 55.0, 40.0, 1e-4);
    CHECK_VEC2(ploy_pursue(&def, agent, evader).linear, 3.08736, 5.88172, 1e-4);
    // Head on: it is sought where it is.
    evader = mover(50.0f, 0.0f, -10.0f, 0.0f);
    evader.orientation = -3.14159265f;
    CHECK_VEC2(ploy_pursue(&def, agent, evader).linear, 5.0, 0.0, 1e-5);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.flee.max_speed = 10.0f;
    evade.flee.time_to_target = 1.0f;
    evade.flee.max_acceleration = 1e6f;
    evade.predict = def.predict;
    agent.velocity = ploy_vec2_zero();
    evader = mover(30.0f, 40.0f, 10.0f, 0.0f);
    CHECK_VEC2(ploy_evade(&evade, agent, evader).linear, -8.08736, -5.88172, 1e-4);
    evade.threat_range = 50.0f;
    CHECK_UINT(ploy_evade(&evade, agent, evader).requested, 1);
    evade.threat_range = 49.9f;
    CHECK_UINT(ploy_evade(&evade, agent, evader).requested, 0);
}

TEST(pursue_catches_a_slower_target_sooner_than_seek) {
    float times[2] = {0.0f, 0.0f};
    for (int32_t form = 0; form < 2; form++) {
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        ploy_kinematic target = mover(20.0f, 0.0f, 0.0f, 4.0f);
        ploy_pursue_def def = ploy_pursue_def_default();
        def.predict.max_time = form == 0 ? 0.0f : 20.0f; // no look ahead is seek
        int32_t tick = 0;
        for (; tick < 6000 && ploy_vec2_distance(agent.position, target.position) > 0.3f; tick++) {
            ploy_vec2 a = ploy_pursue(&def, agent, target).linear;
            agent.velocity = ploy_vec2_add_scaled(agent.velocity, a, 0.01f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.01f);
            target.position = ploy_vec2_add_scaled(target.position, target.velocity, 0.01f);
        }
        times[form] = (float)tick * 0.01f;
    }
    CHECK(times[1] < 0.9f * times[0]);
}

TEST(relative_pursuit_catches_and_stays_in_any_current) {
    // No top speed: in its own eyes it stands, and the request brakes as it comes near.
    ploy_pursue_def def = ploy_pursue_def_default();
    def.predict.method = PLOY_PREDICTION_RELATIVE;
    def.predict.max_time = 2.0f;
    for (int current = 0; current <= 20; current += 10) {
        ploy_kinematic agent = mover(0, 0, (float)current, 0);
        ploy_kinematic target = mover(15, 10, 1.0f + (float)current, -2);
        float nearest = 1e9f;
        for (int tick = 0; tick < 1500; tick++) {
            ploy_steering steering = ploy_pursue(&def, agent, target);
            agent.velocity = ploy_vec2_add_scaled(agent.velocity, steering.linear, 0.01f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.01f);
            target.position = ploy_vec2_add_scaled(target.position, target.velocity, 0.01f);
            nearest = ploy_minf(nearest, ploy_vec2_distance(agent.position, target.position));
        }
        CHECK(nearest < 0.5f);
    }
}

// But for the digits that a larger velocity loses.
static bool same_request(ploy_steering a, ploy_steering b) {
    return ploy_vec2_distance(a.linear, b.linear) <= 5e-3f && a.requested == b.requested;
}

// One velocity added to everybody changes nothing in the agent's own eyes. Which formulas see with
// those eyes: how far they look ahead, and, of RELATIVE alone, where they then go. All others need the
// velocities over ground for that: their chaser wants to be fast over ground, toward a point that
// moves over ground.
TEST(one_velocity_added_to_everybody_changes_no_relative_pursuit) {
    static const struct {
        const char *row;
        ploy_prediction method;
        bool time, steering; // unchanged
    } rows[] = {
        {"own speed", PLOY_PREDICTION_OWN_SPEED, false, false},
        {"max speed", PLOY_PREDICTION_MAX_SPEED, true, false},
        {"both speeds", PLOY_PREDICTION_BOTH_SPEEDS, false, false},
        {"scaled", PLOY_PREDICTION_SCALED, true, false},
        {"closing", PLOY_PREDICTION_CLOSING, true, false},
        {"exact", PLOY_PREDICTION_EXACT, false, false},
        {"relative", PLOY_PREDICTION_RELATIVE, true, true},
    };
    CHECK_INT(COUNT_OF(rows), PLOY_PREDICTION_RELATIVE + 1); // all of them
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int64_t times = 0, steerings[4] = {0}, rounds = test_rounds(200);
        for (int64_t round = 0; round < rounds; round++) {
            TEST_SEED(round);
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            ploy_kinematic a = scene_ordinary(&rng), b = scene_ordinary(&rng), a2 = a, b2 = b;
            ploy_vec2 drift = ploy_vec2_add(scene_whole2(&rng, 8), ploy_vec2_make(9.0f, 0.0f));
            a2.velocity = ploy_vec2_add(a.velocity, drift);
            b2.velocity = ploy_vec2_add(b.velocity, drift);
            ploy_pursue_def pursue = ploy_pursue_def_default();
            ploy_evade_def evade = ploy_evade_def_default();
            pursue.predict.method = evade.predict.method = rows[i].method;
            pursue.predict.max_time = evade.predict.max_time = 100.0f;
            float time = ploy_predict_time(&pursue.predict, 5.0f, a, b);
            float time2 = ploy_predict_time(&pursue.predict, 5.0f, a2, b2);
            times += fabsf(time - time2) <= 1e-3f * (1.0f + time);
            for (int32_t mode = 0; mode < 2; mode++) {
                pursue.seek.mode = evade.flee.mode = (ploy_pull_mode)mode;
                steerings[mode] +=
                    same_request(ploy_pursue(&pursue, a, b), ploy_pursue(&pursue, a2, b2));
                steerings[2 + mode] +=
                    same_request(ploy_evade(&evade, a, b), ploy_evade(&evade, a2, b2));
            }
        }
        // Those that do not hold, hold by chance at most.
        if (rows[i].time) CHECK_INT(times, rounds);
        if (!rows[i].time) CHECK(times < rounds / 5);
        for (int32_t k = 0; k < 4; k++) {
            if (rows[i].steering) CHECK_INT(steerings[k], rounds);
            if (!rows[i].steering) CHECK(steerings[k] < rounds / 5);
        }
    }
}

TEST(bad_settings_ask_for_nothing) {
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f), other = mover(9.0f, 0.0f, 1.0f, 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1), others = ploy_kinematics_of(&other, 1);
    ploy_steering out;
    ploy_steerings steerings = ploy_steerings_of(&out, 1);
    ploy_pursue_def pursue = ploy_pursue_def_default();
    pursue.predict.scale = NAN;
    CHECK_UINT(ploy_pursue(&pursue, agent, other).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_pursue_batch(&pursue, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pursue_batch(NULL, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
    pursue = ploy_pursue_def_default();
    CHECK_INT(ploy_pursue_batch(&pursue, &view, 0, 1, NULL, &steerings), PLOY_ERR_ARGUMENT);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.threat_range = -1.0f;
    CHECK_UINT(ploy_evade(&evade, agent, other).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_evade_batch(&evade, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
}

TEST(the_trace_tells_what_evade_does) {
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    ploy_evade_def def = ploy_evade_def_default();
    def.threat_range = 5.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_evade_trace(&def, agent, mover(9.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "request nothing");
    ploy_evade_trace(&def, agent, mover(3.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "cut to the largest acceleration");
    ploy_pursue_def pursue = ploy_pursue_def_default();
    ploy_pursue_trace(&pursue, agent, mover(3.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.technique, "pursue");
    ploy_pursue3_trace(&pursue, ploy_kinematic3_make(ploy_vec3_zero()),
                       ploy_kinematic3_make(ploy_vec3_zero()), somebody(), trace);
    CHECK_INT(w.depth, 0);
    ploy_pursue_trace(&pursue, agent, agent, somebody(), NULL);
}

// A wall at x = 10: an agent that runs at it turns left there.
static ploy_vec3 swerves(void *user, ploy_kinematic3 target, float time) {
    float wall = *(const float *)user, reach = target.position.x + target.velocity.x * time;
    ploy_vec3 at = {fminf(reach, wall), target.position.y + fmaxf(reach - wall, 0.0f), 0.0f};
    return at;
}

static ploy_vec3 nowhere(void *user, ploy_kinematic3 target, float time) {
    (void)user, (void)target, (void)time;
    return ploy_vec3_make(NAN, 0.0f, 0.0f);
}

TEST(a_predictor_of_the_game_s_own_is_used) {
    // MOV-15: "target about to hit a wall will swerve" as a pluggable predictor.
    float wall = 10.0f;
    ploy_pursue_def def = ploy_pursue_def_default();
    def.predict.max_time = 2.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f), target = mover(8.0f, 0.0f, 3.0f, 0.0f);
    CHECK_VEC2(ploy_pursue_point(&def, agent, target), 14.0, 0.0, 1e-5);
    ploy_vec2 straight = ploy_pursue(&def, agent, target).linear;
    def.predict.position = swerves;
    def.predict.user = &wall;
    CHECK_VEC2(ploy_pursue_point(&def, agent, target), 10.0, 4.0, 1e-5);
    ploy_vec2 bent = ploy_pursue(&def, agent, target).linear;
    CHECK(bent.y > straight.y + 0.1f);
    ploy_kinematic3 eagle = ploy_kinematic3_make(ploy_vec3_zero());
    ploy_kinematic3 hare = ploy_kinematic3_make(ploy_vec3_make(8.0f, 0.0f, 0.0f));
    hare.velocity = ploy_vec3_make(3.0f, 0.0f, 0.0f);
    CHECK_NEAR(ploy_pursue3_point(&def, eagle, hare).y, 4.0, 1e-5);
    // Batches use it too.
    ploy_kinematics one = ploy_kinematics_of(&agent, 1), other = ploy_kinematics_of(&target, 1);
    ploy_steering got;
    ploy_steerings out = ploy_steerings_of(&got, 1);
    CHECK_OK(ploy_pursue_batch(&def, &one, 0, 1, &other, &out));
    CHECK_BYTES(&got.linear, &bent, sizeof bent);
    // Evade: from there.
    ploy_evade_def evade = ploy_evade_def_default();
    evade.predict = def.predict;
    ploy_vec2 away = ploy_evade(&evade, agent, target).linear;
    CHECK(away.x < 0.0f && away.y < -0.1f);
    def.predict.position = nowhere;
    CHECK_VEC2(ploy_pursue_point(&def, agent, target), 14.0, 0.0, 1e-5);
}
