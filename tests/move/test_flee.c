// Flee: the vectors of the books and the panic distance. What it shares with seek and arrive is in
// test_approach.c.
#include "move/move_internal.h"
#include "ploy/move/flee.h"
#include "tests/test.h"

TEST(kinematic_flee_runs_straight_away_at_full_speed) {
    // MOV-06, exercises 3.2 and 3.3; ploy (x, y) is the book's (z, x).
    ploy_flee_def def = ploy_flee_def_default();
    ploy_kinematic_output motion =
        ploy_flee_velocity(&def, ploy_vec2_make(6.0f, 5.0f), ploy_vec2_make(2.0f, 8.0f));
    CHECK_NEAR(motion.velocity.x, 4.0, 1e-6);
    CHECK_NEAR(motion.velocity.y, -3.0, 1e-6);
    motion = ploy_flee_velocity(&def, ploy_vec2_make(6.0f, 5.0f), ploy_vec2_make(6.0f, 5.0f));
    CHECK_UINT(motion.requested, 0);
}

TEST(full_acceleration_points_away) {
    // MOV-11, exercise 3.5.
    ploy_flee_def def = ploy_flee_def_default();
    def.mode = PLOY_PULL_FULL;
    def.max_acceleration = 4.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(6.0f, 5.0f), 0.0f);
    ploy_steering out = ploy_flee(&def, agent, ploy_vec2_make(2.0f, 8.0f));
    CHECK_NEAR(out.linear.x, 3.2, 1e-6);
    CHECK_NEAR(out.linear.y, -2.4, 1e-6);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f));
    ploy_steering3 up = ploy_flee3(&def, bird, ploy_vec3_make(0.0f, 0.0f, -9.0f));
    CHECK_SAME(up.linear.z, 4.0f);
}

TEST(the_default_is_desired_minus_present_velocity) {
    // STE-06.
    ploy_flee_def def = ploy_flee_def_default();
    def.max_speed = 2.0f;
    def.time_to_target = 1.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity = ploy_vec2_make(1.0f, 0.0f);
    ploy_steering out = ploy_flee(&def, agent, ploy_vec2_make(3.0f, 4.0f));
    CHECK_NEAR(out.linear.x, -2.2, 1e-6);
    CHECK_NEAR(out.linear.y, -1.6, 1e-6);
}

TEST(a_sideways_agent_first_gets_rid_of_its_sideways_speed) {
    // NTU-31.
    ploy_flee_def def = ploy_flee_def_default();
    def.max_speed = 5.0f;
    def.time_to_target = 1.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    agent.velocity = ploy_vec2_make(0.0f, 5.0f);
    ploy_steering out = ploy_flee(&def, agent, ploy_vec2_make(10.0f, 0.0f));
    CHECK_NEAR(out.linear.x, -5.0, 1e-6);
    CHECK_NEAR(out.linear.y, -5.0, 1e-6);
}

TEST(threats_beyond_the_panic_distance_are_ignored) {
    // STE-06.
    ploy_flee_def def = ploy_flee_def_default();
    def.max_speed = 150.0f;
    def.time_to_target = 1.0f;
    def.max_acceleration = 1e9f;
    def.panic_distance = 100.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_steering out = ploy_flee(&def, agent, ploy_vec2_make(60.0f, 80.0f));
    CHECK_UINT(out.requested, 1);
    CHECK_NEAR(out.linear.x, -90.0, 1e-4);
    CHECK_NEAR(out.linear.y, -120.0, 1e-4);
    out = ploy_flee(&def, agent, ploy_vec2_make(60.0f, 81.0f));
    CHECK_UINT(out.requested, 0);
    CHECK_SAME(out.linear.x, 0.0f);
    CHECK_SAME(out.linear.y, 0.0f);
    // Out of danger it does not even brake: nothing is asked for.
    agent.velocity = ploy_vec2_make(10.0f, 10.0f);
    out = ploy_flee(&def, agent, ploy_vec2_make(60.0f, 81.0f));
    CHECK_UINT(out.requested, 0);
    CHECK_SAME(out.linear.x, 0.0f);
    CHECK_UINT(ploy_flee_velocity(&def, agent.position, ploy_vec2_make(60.0f, 81.0f)).requested, 0);
    CHECK_UINT(ploy_flee_velocity(&def, agent.position, ploy_vec2_make(60.0f, 80.0f)).requested, 1);
    // 0 means that no threat is too far.
    def.panic_distance = 0.0f;
    CHECK_UINT(ploy_flee(&def, agent, ploy_vec2_make(1e9f, 0.0f)).requested, 1);
}

TEST(the_table_and_the_check_of_every_call_agree) {
    ploy_env env = ploy_env_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_vec2 threat = {1.0f, 1.0f};
    ploy_points points = ploy_points_one(&threat);
    ploy_steering out;
    ploy_steerings steerings = ploy_steerings_of(&out, 1);
    static const float distances[] = {0.0f, 1e9f, -1.0f, 2e9f, NAN, INFINITY};
    for (size_t i = 0; i < COUNT_OF(distances); i++) {
        ploy_flee_def def = ploy_flee_def_default();
        def.panic_distance = distances[i];
        ploy_result want = i < 2 ? PLOY_OK : PLOY_ERR_ARGUMENT;
        CHECK_INT(ploy_fields_check(ploy_flee_fields(), &def, &env), want);
        CHECK_INT(ploy_flee_batch(&def, &view, 0, 1, &points, &steerings), want);
        CHECK_INT(ployi_flee_velocity_batch(&def, &view, 0, 1, &points), want);
    }
}

static void count_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)score, (void)reason;
    if (outcome == PLOY_OUTCOME_WON) snprintf(user, 64, "%s", name);
}
static void ignore_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void ignore_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void ignore_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void ignore_end(void *user) {
    (void)user;
}

TEST(the_trace_says_when_nothing_is_near) {
    char winner[64] = "";
    ploy_trace trace = {ignore_begin, count_option, ignore_value, ignore_note, ignore_end, winner};
    ploy_flee_def def = ploy_flee_def_default();
    def.panic_distance = 2.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_flee_trace(&def, agent, ploy_vec2_make(3.0f, 0.0f), ploy_agent_id_make(1, 1), &trace);
    CHECK_TEXT(winner, "request nothing");
    ploy_flee_trace(&def, agent, ploy_vec2_make(1.0f, 0.0f), ploy_agent_id_make(1, 1), &trace);
    CHECK_TEXT(winner, "cut to the largest acceleration");
    def.mode = PLOY_PULL_FULL;
    ploy_flee3_trace(&def, ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f)),
                     ploy_vec3_make(1.0f, 0.0f, 0.0f), ploy_agent_id_make(1, 1), &trace);
    CHECK_TEXT(winner, "as desired");
}
