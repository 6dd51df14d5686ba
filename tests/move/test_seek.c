// Seek: the vectors of the books, the two modes, the kinematic form and the trace. What it shares
// with flee and arrive is in test_approach.c.
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"
#include "tests/test.h"

// Seek as Reynolds and Buckland print it: the velocity error itself, without a limit.
static ploy_seek_def plain_seek(float max_speed) {
    ploy_seek_def def = ploy_seek_def_default();
    def.max_speed = max_speed;
    def.time_to_target = 1.0f;
    def.max_acceleration = 1e9f;
    return def;
}

TEST(a_sideways_agent_turns_by_the_error_of_its_velocity) {
    // NTU-31.
    ploy_seek_def def = ploy_seek_def_default();
    def.max_speed = 5.0f;
    def.time_to_target = 1.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity = ploy_vec2_make(0.0f, 5.0f);
    ploy_steering out = ploy_seek(&def, agent, ploy_vec2_make(10.0f, 0.0f));
    CHECK_NEAR(out.linear.x, 5.0, 1e-6);
    CHECK_NEAR(out.linear.y, -5.0, 1e-6);
}

TEST(kinematic_seek_goes_straight_for_the_target_at_full_speed) {
    // MOV-05, exercises 3.1 and 3.3. The book's (x, z) is ploy's (y, x); the numbers of this one
    // are the same either way round.
    ploy_seek_def def = ploy_seek_def_default();
    def.max_speed = 5.0f;
    ploy_kinematic_output motion =
        ploy_seek_velocity(&def, ploy_vec2_make(6.0f, 5.0f), ploy_vec2_make(2.0f, 8.0f));
    CHECK_UINT(motion.requested, 1);
    CHECK_NEAR(motion.velocity.x, -4.0, 1e-6);
    CHECK_NEAR(motion.velocity.y, 3.0, 1e-6);
    CHECK_SAME(motion.rotation, 0.0f);
    motion = ploy_seek_velocity(&def, ploy_vec2_make(6.0f, 5.0f), ploy_vec2_make(6.0f, 5.0f));
    CHECK_UINT(motion.requested, 0);
    ploy_kinematic3_output space = ploy_seek3_velocity(&def, ploy_vec3_make(1.0f, 2.0f, 3.0f),
                                                       ploy_vec3_make(2.0f, 4.0f, 5.0f));
    CHECK_NEAR(space.velocity.x, 5.0 / 3.0, 1e-6);
    CHECK_NEAR(space.velocity.y, 10.0 / 3.0, 1e-6);
    CHECK_NEAR(space.velocity.z, 10.0 / 3.0, 1e-6);
}

TEST(full_acceleration_disregards_the_velocity) {
    // MOV-10, exercise 3.5, axes as above.
    ploy_seek_def def = ploy_seek_def_default();
    def.mode = PLOY_PULL_FULL;
    def.max_acceleration = 4.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(6.0f, 5.0f), 0.0f);
    for (int i = 0; i < 2; i++) {
        ploy_steering out = ploy_seek(&def, agent, ploy_vec2_make(2.0f, 8.0f));
        CHECK_UINT(out.requested, 1);
        CHECK_NEAR(out.linear.x, -3.2, 1e-6);
        CHECK_NEAR(out.linear.y, 2.4, 1e-6);
        CHECK_SAME(out.angular, 0.0f);
        agent.velocity = ploy_vec2_make(3.0f, 3.0f);
    }
    CHECK_UINT(ploy_seek(&def, agent, agent.position).requested, 0);
}

TEST(the_default_is_desired_minus_present_velocity) {
    // STE-05.
    ploy_seek_def def = plain_seek(2.0f);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity = ploy_vec2_make(1.0f, 0.0f);
    ploy_steering out = ploy_seek(&def, agent, ploy_vec2_make(3.0f, 4.0f));
    CHECK_NEAR(out.linear.x, 0.2, 1e-6);
    CHECK_NEAR(out.linear.y, 1.6, 1e-6);
    def = plain_seek(10.0f);
    agent.velocity = ploy_vec2_make(0.0f, 0.0f);
    out = ploy_seek(&def, agent, ploy_vec2_make(3.0f, 4.0f));
    CHECK_NEAR(out.linear.x, 6.0, 1e-6);
    CHECK_NEAR(out.linear.y, 8.0, 1e-6);
    // Over a tenth of a second it takes ten times as much, and no more than allowed.
    def.time_to_target = 0.1f;
    out = ploy_seek(&def, agent, ploy_vec2_make(3.0f, 4.0f));
    CHECK_NEAR(out.linear.x, 60.0, 1e-4);
    def.max_acceleration = 10.0f;
    out = ploy_seek(&def, agent, ploy_vec2_make(3.0f, 4.0f));
    CHECK_NEAR(out.linear.x, 6.0, 1e-5);
    CHECK_NEAR(out.linear.y, 8.0, 1e-5);
}

TEST(on_the_target_the_default_brakes) {
    ploy_seek_def def = plain_seek(2.0f);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(7.0f, -7.0f), 0.0f);
    CHECK_SAME(ploy_seek(&def, agent, agent.position).linear.x, 0.0f);
    agent.velocity = ploy_vec2_make(1.0f, -3.0f);
    ploy_steering out = ploy_seek(&def, agent, agent.position);
    CHECK_UINT(out.requested, 1);
    CHECK_SAME(out.linear.x, -1.0f);
    CHECK_SAME(out.linear.y, 3.0f);
}

TEST(an_agent_overshoots_more_the_faster_it_is_for_its_strength) {
    // STE-05: the overshoot grows with max_speed over max_force.
    float overshoot[2] = {0.0f, 0.0f};
    static const float speeds[2] = {4.0f, 12.0f};
    for (int i = 0; i < 2; i++) {
        ploy_seek_def def = ploy_seek_def_default();
        def.max_speed = speeds[i];
        ploy_integrate_def law = ploy_integrate_def_default();
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
        for (int step = 0; step < 1200; step++) {
            ploy_steering out = ploy_seek(&def, agent, ploy_vec2_make(30.0f, 0.0f));
            agent = ploy_integrate(&law, agent, out, 1.0f / 60.0f);
            overshoot[i] = fmaxf(overshoot[i], agent.position.x - 30.0f);
        }
    }
    CHECK(overshoot[0] > 0.5f);
    CHECK(overshoot[1] > 3.0f * overshoot[0]);
}

TEST(drag_turns_the_orbit_of_a_full_seeker_into_a_spiral) {
    // MOV-03 and MOV-10: without drag a seeker that starts sideways keeps its distance.
    float nearest[2] = {1e9f, 1e9f};
    for (int i = 0; i < 2; i++) {
        ploy_seek_def def = ploy_seek_def_default();
        def.mode = PLOY_PULL_FULL;
        def.max_acceleration = 4.0f;
        ploy_integrate_def law = ploy_integrate_def_default();
        law.drag = i == 0 ? 0.0f : 0.5f;
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 0.0f), 0.0f);
        agent.velocity = ploy_vec2_make(0.0f, 2.0f); // v^2 / r = a: a circle
        for (int step = 0; step < 600; step++) {
            ploy_steering out = ploy_seek(&def, agent, ploy_vec2_make(0.0f, 0.0f));
            agent = ploy_integrate(&law, agent, out, 1.0f / 60.0f);
            nearest[i] = fminf(nearest[i], ploy_vec2_length(agent.position));
        }
    }
    CHECK(nearest[0] > 0.8f);
    CHECK(nearest[1] < 0.3f);
}

TEST(the_default_is_valid_and_its_ranges_are_kept) {
    static const struct {
        const char *row;
        float max_speed, max_acceleration, time_to_target;
        int32_t mode;
        ploy_result want;
    } rows[] = {
        {"the default is fine", 5.0f, 10.0f, 0.1f, 0, PLOY_OK},
        {"standing still is fine", 0.0f, 0.0f, 0.1f, 1, PLOY_OK},
        {"negative speed", -1.0f, 10.0f, 0.1f, 0, PLOY_ERR_ARGUMENT},
        {"too fast", 2e6f, 10.0f, 0.1f, 0, PLOY_ERR_ARGUMENT},
        {"not a number", 5.0f, NAN, 0.1f, 0, PLOY_ERR_ARGUMENT},
        {"no time", 5.0f, 10.0f, 0.0f, 0, PLOY_ERR_ARGUMENT},
        {"no such mode", 5.0f, 10.0f, 0.1f, 2, PLOY_ERR_ARGUMENT},
    };
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_vec2 target = {1.0f, 1.0f};
    ploy_points points = ploy_points_one(&target);
    ploy_steering out;
    ploy_steerings steerings = ploy_steerings_of(&out, 1);
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_seek_def def = ploy_seek_def_default();
        def.max_speed = rows[i].max_speed;
        def.max_acceleration = rows[i].max_acceleration;
        def.time_to_target = rows[i].time_to_target;
        memcpy(&def.mode, &rows[i].mode, sizeof def.mode);
        // The table and the quick check of every call agree.
        CHECK_INT(ploy_fields_check(ploy_seek_fields(), &def, &env), rows[i].want);
        CHECK_INT(ploy_seek_batch(&def, &view, 0, 1, &points, &steerings), rows[i].want);
    }
    CHECK_INT(ploy_seek_batch(NULL, &view, 0, 1, &points, &steerings), PLOY_ERR_ARGUMENT);
    ploy_seek_def zero;
    memset(&zero, 0, sizeof zero);
    CHECK_INT(ploy_seek_batch(&zero, &view, 0, 1, &points, &steerings), PLOY_ERR_ARGUMENT);
}

// Counts what a trace is told.
typedef struct trace_seen {
    int begins, ends, won, values, notes;
    char winner[64];
} trace_seen;

static void seen_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    trace_seen *seen = user;
    (void)agent, (void)topic, (void)technique;
    seen->begins++;
}
static void seen_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    trace_seen *seen = user;
    (void)score, (void)reason;
    if (outcome != PLOY_OUTCOME_WON) return;
    seen->won++;
    snprintf(seen->winner, sizeof seen->winner, "%s", name);
}
static void seen_value(void *user, const char *name, const ploy_value *value) {
    trace_seen *seen = user;
    (void)name, (void)value;
    seen->values++;
}
static void seen_note(void *user, const char *text) {
    trace_seen *seen = user;
    (void)text;
    seen->notes++;
}
static void seen_end(void *user) {
    trace_seen *seen = user;
    seen->ends++;
}

TEST(the_trace_says_whether_the_acceleration_was_cut) {
    ploy_seek_def def = ploy_seek_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    static const struct {
        const char *row;
        float max_acceleration;
        const char *winner;
    } rows[] = {
        {"weak", 10.0f, "cut to the largest acceleration"},
        {"strong", 1000.0f, "as desired"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        trace_seen seen = {0, 0, 0, 0, 0, ""};
        ploy_trace trace = {seen_begin, seen_option, seen_value, seen_note, seen_end, &seen};
        def.max_acceleration = rows[i].max_acceleration;
        ploy_seek_trace(&def, agent, ploy_vec2_make(3.0f, 4.0f), ploy_agent_id_make(1, 1), &trace);
        CHECK_INT(seen.begins, 1);
        CHECK_INT(seen.ends, 1);
        CHECK_INT(seen.won, 1);
        CHECK_TEXT(seen.winner, rows[i].winner);
        CHECK(seen.values >= 3);
    }
    trace_seen seen = {0, 0, 0, 0, 0, ""};
    ploy_trace trace = {seen_begin, seen_option, seen_value, seen_note, seen_end, &seen};
    ploy_seek3_trace(&def, ploy_kinematic3_make(ploy_vec3_make(1.0f, 1.0f, 1.0f)),
                     ploy_vec3_make(1.0f, 1.0f, 1.0f), ploy_agent_id_make(1, 1), &trace);
    CHECK_INT(seen.notes, 1); // on the very point
    ploy_seek_trace(&def, agent, ploy_vec2_make(3.0f, 4.0f), ploy_agent_id_make(1, 1), NULL);
}
