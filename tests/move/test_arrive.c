// Arrive: the vectors of the books, phases and braking. What it shares with seek and flee is in
// test_approach.c.
#include "ploy/move/arrive.h"
#include "ploy/move/integrate.h"
#include "tests/test.h"

TEST(the_wanted_speed_ramps_down_within_the_radius) {
    // NTU-32: 5 m/s at most, radius 10: 1 m/s at 2 m, 5 at 20.
    ploy_arrive_def def = ploy_arrive_def_default();
    def.max_speed = 5.0f;
    def.slow_radius = 10.0f;
    def.target_radius = 0.0f;
    ploy_vec2 target = {0.0f, 0.0f};
    CHECK_NEAR(ploy_arrive_velocity(&def, ploy_vec2_make(-2.0f, 0.0f), target).velocity.x, 1.0,
               1e-6);
    CHECK_NEAR(ploy_arrive_velocity(&def, ploy_vec2_make(-20.0f, 0.0f), target).velocity.x, 5.0,
               1e-6);
}

TEST(kinematic_arrive_slows_down_and_stops_asking) {
    // MOV-07: a time to target of 0.25 s at 5 m/s is a slow radius of 1.25 m.
    ploy_arrive_def def = ploy_arrive_def_default();
    def.max_speed = 5.0f;
    def.slow_radius = 1.25f;
    def.target_radius = 0.1f;
    ploy_vec2 origin = {0.0f, 0.0f};
    CHECK_NEAR(ploy_arrive_velocity(&def, origin, ploy_vec2_make(1.0f, 0.0f)).velocity.x, 4.0,
               1e-6);
    CHECK_NEAR(ploy_arrive_velocity(&def, origin, ploy_vec2_make(0.25f, 0.0f)).velocity.x, 1.0,
               1e-6);
    CHECK_NEAR(ploy_arrive_velocity(&def, origin, ploy_vec2_make(9.0f, 0.0f)).velocity.x, 5.0,
               1e-6);
    float p = 0.0f;
    for (int call = 0;; call++) {
        ploy_kinematic_output motion =
            ploy_arrive_velocity(&def, ploy_vec2_make(p, 0.0f), ploy_vec2_make(10.0f, 0.0f));
        if (!motion.requested) {
            CHECK_INT(call, 142);
            CHECK_NEAR(p, 9.9026646, 1e-5);
            break;
        }
        p += motion.velocity.x * (1.0f / 60.0f);
        CHECK(call < 1000);
    }
}

TEST(dynamic_arrive_follows_the_computed_run) {
    // MOV-12, in one dimension, Newton-Euler with a speed limit.
    ploy_arrive_def def = ploy_arrive_def_default();
    def.max_speed = 5.0f;
    def.max_acceleration = 10.0f;
    def.slow_radius = 4.0f;
    def.target_radius = 0.1f;
    def.time_to_target = 0.1f;
    def.stop_inside = false;
    ploy_integrate_def law = ploy_integrate_def_default();
    law.integrator = PLOY_INTEGRATOR_NEWTON_EULER;
    law.max_speed = 5.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    static const struct {
        int call;
        double p, v;
    } rows[] = {
        {30, 1.2001565, 4.6651020}, {60, 3.6668077, 4.9985892}, {120, 8.1318348, 2.7295431}};
    size_t row = 0;
    for (int call = 0;; call++) {
        if (row < COUNT_OF(rows) && call == rows[row].call) {
            CHECK_NEAR(agent.position.x, rows[row].p, 2e-5);
            CHECK_NEAR(agent.velocity.x, rows[row].v, 2e-5);
            row++;
        }
        ploy_steering out = ploy_arrive(&def, agent, ploy_vec2_make(10.0f, 0.0f));
        if (!out.requested) {
            CHECK_INT(call, 239);
            CHECK_NEAR(agent.position.x, 9.9012460, 2e-5);
            CHECK_NEAR(agent.velocity.x, 0.1446219, 2e-5);
            break;
        }
        agent = ploy_integrate(&law, agent, out, 1.0f / 60.0f);
        CHECK(call < 1000);
    }
    CHECK_INT(row, 3);
}

TEST(decelerations_of_the_other_book_are_slow_radii) {
    // STE-07: slow_radius = max_speed * factor * 0.3.
    static const struct {
        const char *row;
        float factor;
        double at_30, radius;
    } rows[] = {
        {"fast", 1.0f, 100.0, 45.0}, {"normal", 2.0f, 50.0, 90.0}, {"slow", 3.0f, 33.333, 135.0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_arrive_def def = ploy_arrive_def_default();
        def.max_speed = 150.0f;
        def.slow_radius = 150.0f * rows[i].factor * 0.3f;
        def.target_radius = 0.0f;
        def.time_to_target = 1.0f;
        def.max_acceleration = 1e9f;
        CHECK_NEAR(def.slow_radius, rows[i].radius, 1e-4);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(5.0f, 5.0f), 0.0f);
        ploy_steering out = ploy_arrive(&def, agent, ploy_vec2_make(23.0f, 29.0f));
        CHECK_NEAR(ploy_vec2_length(out.linear), rows[i].at_30, 1e-3);
        CHECK_NEAR(out.linear.x / out.linear.y, 18.0 / 24.0, 1e-6);
        out = ploy_arrive(&def, agent, ploy_vec2_make(305.0f, 5.0f));
        CHECK_NEAR(ploy_vec2_length(out.linear), 150.0, 1e-3);
        // The same as seek until the braking radius.
        CHECK_INT(ploy_arrive_phase_of(&def, ploy_vec2_make(0.0f, 0.0f),
                                       ploy_vec2_make((float)rows[i].radius + 0.1f, 0.0f)),
                  PLOY_ARRIVE_FULL_SPEED);
        CHECK_INT(ploy_arrive_phase_of(&def, ploy_vec2_make(0.0f, 0.0f),
                                       ploy_vec2_make((float)rows[i].radius - 0.1f, 0.0f)),
                  PLOY_ARRIVE_SLOWING);
        out = ploy_arrive(&def, agent, agent.position);
        CHECK_UINT(out.requested, 0);
    }
}

TEST(inside_it_brakes_to_a_stand_or_drifts_on_as_asked) {
    static const bool stops[2] = {true, false};
    for (int i = 0; i < 2; i++) {
        t->row = stops[i] ? "brakes" : "drifts on";
        ploy_arrive_def def = ploy_arrive_def_default();
        def.stop_inside = stops[i];
        ploy_integrate_def law = ploy_integrate_def_default();
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
        ploy_vec2 target = {6.0f, 8.0f};
        int32_t quiet = -1;
        for (int step = 0; step < 1200 && quiet < 0; step++) {
            ploy_steering out = ploy_arrive(&def, agent, target);
            if (!out.requested) quiet = step;
            agent = ploy_integrate(&law, agent, out, 1.0f / 60.0f);
        }
        ploy_vec2 offset = ploy_vec2_sub(target, agent.position);
        CHECK(quiet > 0);
        if (stops[i]) {
            CHECK(ploy_vec2_length(agent.velocity) <= 1e-6f); // stands, and only then is quiet
        } else {
            CHECK(ploy_vec2_length(agent.velocity) > 0.05f);
        }
        CHECK(ploy_vec2_length(offset) < 0.1f);
        CHECK_INT(ploy_arrive_phase_of(&def, agent.position, target), PLOY_ARRIVE_THERE);
    }
    // At rest and there from the start: nothing is asked for, in every form.
    ploy_arrive_def def = ploy_arrive_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(3.0f, 3.0f), 0.0f);
    CHECK_UINT(ploy_arrive(&def, agent, ploy_vec2_make(3.05f, 3.0f)).requested, 0);
    CHECK_UINT(ploy_arrive_velocity(&def, agent.position, ploy_vec2_make(3.05f, 3.0f)).requested,
               0);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_make(3.0f, 3.0f, 3.0f));
    CHECK_UINT(ploy_arrive3(&def, bird, ploy_vec3_make(3.0f, 3.0f, 3.05f)).requested, 0);
    CHECK_INT(ploy_arrive3_phase_of(&def, bird.position, ploy_vec3_make(3.0f, 3.0f, 3.05f)),
              PLOY_ARRIVE_THERE);
}

TEST(the_target_radius_itself_is_not_yet_inside) {
    // MOV-12: nothing is asked for when the distance is below the radius.
    ploy_arrive_def def = ploy_arrive_def_default();
    def.target_radius = 2.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    static const struct {
        float distance;
        uint32_t requested;
    } rows[] = {{2.0f, 1}, {1.9999f, 0}, {2.0001f, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_vec2 target = {0.0f, rows[i].distance};
        CHECK_UINT(ploy_arrive(&def, agent, target).requested, rows[i].requested);
        CHECK_UINT(ploy_arrive_velocity(&def, agent.position, target).requested, rows[i].requested);
    }
}

TEST(the_wanted_speed_is_continuous_at_the_slow_radius) {
    ploy_arrive_def def = ploy_arrive_def_default();
    ploy_vec2 origin = {0.0f, 0.0f};
    float below = ploy_arrive_velocity(&def, origin, ploy_vec2_make(3.9999f, 0.0f)).velocity.x;
    float above = ploy_arrive_velocity(&def, origin, ploy_vec2_make(4.0001f, 0.0f)).velocity.x;
    CHECK_NEAR(below, 5.0, 1e-3);
    CHECK_NEAR(above, 5.0, 1e-3);
    // Without radii it is seek.
    def.slow_radius = 0.0f;
    def.target_radius = 0.0f;
    CHECK_NEAR(ploy_arrive_velocity(&def, origin, ploy_vec2_make(1e-3f, 0.0f)).velocity.x, 5.0,
               1e-5);
}

TEST(the_table_and_the_check_of_every_call_agree) {
    ploy_env env = ploy_env_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_vec2 target = {1.0f, 1.0f};
    ploy_points points = ploy_points_one(&target);
    ploy_steering out;
    ploy_steerings steerings = ploy_steerings_of(&out, 1);
    static const struct {
        const char *row;
        float slow, near, time;
        ploy_result want;
    } rows[] = {
        {"fine", 4.0f, 0.1f, 0.1f, PLOY_OK},
        {"no radii", 0.0f, 0.0f, 0.1f, PLOY_OK},
        {"negative", -1.0f, 0.0f, 0.1f, PLOY_ERR_ARGUMENT},
        {"too wide", 4.0f, 2e9f, 0.1f, PLOY_ERR_ARGUMENT},
        {"not a number", 4.0f, NAN, 0.1f, PLOY_ERR_ARGUMENT},
        {"at once", 4.0f, 0.1f, 0.0f, PLOY_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_arrive_def def = ploy_arrive_def_default();
        def.slow_radius = rows[i].slow;
        def.target_radius = rows[i].near;
        def.time_to_target = rows[i].time;
        CHECK_INT(ploy_fields_check(ploy_arrive_fields(), &def, &env), rows[i].want);
        CHECK_INT(ploy_arrive_batch(&def, &view, 0, 1, &points, &steerings), rows[i].want);
        CHECK_UINT(ploy_arrive(&def, agent, target).requested,
                   rows[i].want == PLOY_OK ? PLOY_STEERING_REQUESTED : PLOY_STEERING_INVALID);
    }
}

typedef struct phases_seen {
    int depth, deepest;
    char winner[64];
} phases_seen;

static void phase_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    phases_seen *seen = user;
    (void)agent, (void)topic, (void)technique;
    seen->depth++;
    if (seen->depth > seen->deepest) seen->deepest = seen->depth;
}
static void phase_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    phases_seen *seen = user;
    (void)score, (void)reason;
    if (outcome == PLOY_OUTCOME_WON && seen->depth == 1) {
        snprintf(seen->winner, sizeof seen->winner, "%s", name);
    }
}
static void phase_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void phase_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void phase_end(void *user) {
    phases_seen *seen = user;
    seen->depth--;
}

TEST(the_trace_names_the_phase) {
    ploy_arrive_def def = ploy_arrive_def_default();
    static const struct {
        float x;
        const char *winner;
    } rows[] = {{9.0f, "full speed"}, {2.0f, "slowing"}, {0.05f, "there"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        phases_seen seen = {0, 0, ""};
        ploy_trace trace = {phase_begin, phase_option, phase_value, phase_note, phase_end, &seen};
        ploy_arrive_trace(&def, ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f),
                          ploy_vec2_make(rows[i].x, 0.0f), ploy_agent_id_make(2, 1), &trace);
        CHECK_TEXT(seen.winner, rows[i].winner);
        CHECK_INT(seen.depth, 0);
        CHECK_INT(seen.deepest, 2); // the acceleration stands inside the phase
        ploy_arrive3_trace(&def, ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f)),
                           ploy_vec3_make(0.0f, 0.0f, rows[i].x), ploy_agent_id_make(2, 1), &trace);
        CHECK_TEXT(seen.winner, rows[i].winner);
    }
    CHECK_TEXT(ploy_arrive_phase_text(PLOY_ARRIVE_SLOWING), "slowing");
}
