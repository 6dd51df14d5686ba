// Wander on the plane: the circle and its properties, random draws, groups.
#include "move/move_internal.h"
#include "ploy/move/integrate.h"
#include "ploy/move/wander.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static const char *const form_names[] = {"seek", "face", "jitter"};

TEST(create_refuses_settings_out_of_range) {
    static const struct {
        const char *row;
        int32_t capacity;
        float radius;
        ploy_result want;
    } rows[] = {
        {"the default is fine", 64, 1.0f, PLOY_OK},
        {"room for nobody", 0, 1.0f, PLOY_ERR_ARGUMENT},
        {"room for too many", (1 << 24) + 1, 1.0f, PLOY_ERR_ARGUMENT},
        {"no circle", 64, 0.0f, PLOY_ERR_ARGUMENT},
        {"not a number", 64, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_wander_def def = ploy_wander_def_default();
        def.circle_radius = rows[i].radius;
        ploy_wander *wander = (ploy_wander *)&env; // must not survive a failure
        CHECK_INT(ploy_wander_create(&def, rows[i].capacity, &env, &wander), rows[i].want);
        CHECK((wander != NULL) == (rows[i].want == PLOY_OK));
        ploy_wander_destroy(wander);
    }
    ploy_wander_def zero;
    memset(&zero, 0, sizeof zero);
    ploy_wander *wander = NULL;
    CHECK_INT(ploy_wander_create(&zero, 4, &env, &wander), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_create(&zero, 4, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_create(NULL, 4, &env, &wander), PLOY_ERR_ARGUMENT);
}

static ploy_result wander_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander *wander = NULL;
    ploy_result result = ploy_wander_create(&def, 10, env, &wander);
    ploy_wander_destroy(wander);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(wander_make, NULL);
}

TEST(kinematic_wander_goes_ahead_and_turns_a_little) {
    // MOV-08.
    ploy_wander_def def = ploy_wander_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), PLOY_HALF_PI_F);
    double sum = 0.0, squares = 0.0, below_half = 0.0, below_tenth = 0.0;
    enum { DRAWS = 20000 };
    for (uint64_t tick = 0; tick < DRAWS; tick++) {
        ploy_kinematic_output motion =
            ploy_wander_velocity(&def, agent, ploy_rng_key_make(7), 3, tick);
        CHECK_UINT(motion.requested, 1);
        CHECK_NEAR(motion.velocity.y, def.max_speed, 1e-5);
        CHECK_NEAR(motion.velocity.x, 0.0, 1e-5);
        double part = (double)(motion.rotation / def.max_rotation);
        CHECK(part > -1.0 && part < 1.0);
        sum += part;
        squares += part * part;
        below_half += fabs(part) < 0.5;
        below_tenth += fabs(part) < 0.1;
    }
    CHECK_NEAR(sum / DRAWS, 0.0, 0.01);
    CHECK_NEAR(squares / DRAWS, 1.0 / 6.0, 0.005);
    CHECK_NEAR(below_half / DRAWS, 0.75, 0.01);
    CHECK_NEAR(below_tenth / DRAWS, 0.19, 0.01);
    def.max_rotation = NAN;
    CHECK_UINT(ploy_wander_velocity(&def, agent, ploy_rng_key_make(7), 3, 0).requested,
               PLOY_STEERING_INVALID);
}

TEST(the_point_is_on_the_circle_ahead) {
    // MOV-19: centre = p + offset vec(orientation),
    // point = centre + radius vec(drift + orientation).
    ploy_wander_def def = ploy_wander_def_default();
    def.circle_offset = 3.0f;
    def.circle_radius = 2.0f;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agent = ploy_kinematic_make(scene_near2(&rng, 9.0f), 0.0f);
        agent.orientation = ploy_rng_range(&rng, -3.0f, 3.0f);
        float drift = ploy_rng_range(&rng, -3.0f, 3.0f);
        ploy_vec2 point = ployi_wander_point(&def, agent, drift);
        ploy_vec2 ahead = ploy_angle_heading(agent.orientation);
        ploy_vec2 round = ploy_angle_heading(drift + agent.orientation);
        CHECK_NEAR(point.x, agent.position.x + 3.0f * ahead.x + 2.0f * round.x, 1e-5);
        CHECK_NEAR(point.y, agent.position.y + 3.0f * ahead.y + 2.0f * round.y, 1e-5);
    }
}

TEST(face_accelerates_ahead_and_turns_to_the_point) {
    ploy_wander_def def = ploy_wander_def_default();
    def.form = PLOY_WANDER_FACE;
    def.drift_rate = 0.0f;
    def.circle_offset = 0.0f; // around the agent: the drift is the turn
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(4.0f, 5.0f), 0.5f);
    static const struct {
        const char *row;
        float drift, rotation, want;
    } rows[] = {
        {"far left, at rest", 2.0f, 0.0f, 20.0f},          // (3 - 0) / 0.1 = 30, cut
        {"far right, at rest", -2.0f, 0.0f, -20.0f},       //
        {"far left, nearly as fast", 2.0f, 2.0f, 10.0f},   // (3 - 2) / 0.1
        {"near: slower in proportion", 0.25f, 1.0f, 5.0f}, // (3 * 0.25 / 0.5 - 1) / 0.1
        {"straight ahead, turning", 0.0f, 1.0f, -10.0f},   // brakes
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        float drift = rows[i].drift;
        agent.rotation = rows[i].rotation;
        ploy_steering out =
            ploy_wander_steer(&def, agent, &drift, 0.1f, ploy_rng_key_make(1), 0, 0);
        CHECK_NEAR(out.angular, rows[i].want, 1e-3);
        CHECK_NEAR(out.linear.x, def.max_acceleration * cosf(0.5f), 1e-5);
        CHECK_NEAR(out.linear.y, def.max_acceleration * sinf(0.5f), 1e-5);
    }
}

TEST(jitter_pulls_with_the_way_to_the_point) {
    // STE-10: the length is within [|distance - radius|, distance + radius].
    ploy_wander_def def = ploy_wander_def_default();
    def.form = PLOY_WANDER_JITTER;
    def.circle_radius = 1.2f;
    def.circle_offset = 2.0f;
    def.jitter = 80.0f;
    def.max_acceleration = 100.0f;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(50.0f, 50.0f), 1.0f);
    float drift = 0.0f, shortest = 1e9f, longest = 0.0f;
    for (uint64_t tick = 0; tick < 3000; tick++) {
        ploy_steering out =
            ploy_wander_steer(&def, agent, &drift, 1.0f / 60.0f, ploy_rng_key_make(1), 2, tick);
        float length = ploy_vec2_length(out.linear);
        CHECK(length >= 0.8f - 1e-5f && length <= 3.2f + 1e-5f);
        shortest = fminf(shortest, length);
        longest = fmaxf(longest, length);
        ploy_vec2 point = ployi_wander_point(&def, agent, drift);
        CHECK_NEAR(out.linear.x, point.x - agent.position.x, 1e-5);
        CHECK_NEAR(out.linear.y, point.y - agent.position.y, 1e-5);
    }
    CHECK(shortest < 0.9f && longest > 3.1f); // and it uses the whole range
    // Less than that is cut in the same direction.
    def.max_acceleration = 0.5f;
    ploy_steering out =
        ploy_wander_steer(&def, agent, &drift, 1.0f / 60.0f, ploy_rng_key_make(1), 2, 0);
    CHECK_NEAR(ploy_vec2_length(out.linear), 0.5, 1e-6);
}

TEST(seek_settles_at_the_wanted_speed_and_bends_without_jumps) {
    ploy_wander_def def = ploy_wander_def_default();
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    float drift = 0.0f, farthest = 0.0f, least = 9.0f, most = -9.0f;
    for (uint64_t tick = 0; tick < 6000; tick++) {
        float before = agent.orientation;
        ploy_steering out =
            ploy_wander_steer(&def, agent, &drift, 1.0f / 60.0f, ploy_rng_key_make(5), 0, tick);
        agent = ploy_integrate(&law, agent, out, 1.0f / 60.0f);
        CHECK(ploy_vec2_length(agent.velocity) <= def.max_speed * 1.01f);
        if (tick > 120) {
            CHECK(ploy_vec2_length(agent.velocity) > 0.5f * def.max_speed);
            CHECK(fabsf(ploy_angle_difference(before, agent.orientation)) < 0.1f);
        }
        least = fminf(least, agent.orientation);
        most = fmaxf(most, agent.orientation);
        farthest = fmaxf(farthest, ploy_vec2_length(agent.position));
    }
    CHECK(most - least > PLOY_PI_F); // it has looked into most directions
    CHECK(farthest > 5.0f);
}

TEST(per_root_second_spreads_alike_at_any_frame_rate) {
    // The drift after one second, by its variance over many agents, at 30 and at 120 steps.
    double spread[3][2];
    for (int pace = 0; pace < 3; pace++) {
        for (int fast = 0; fast < 2; fast++) {
            ploy_wander_def def = ploy_wander_def_default();
            def.pace = (ploy_wander_pace)pace;
            def.drift_rate = 1.0f;
            int steps = fast ? 120 : 30;
            double sum = 0.0;
            enum { AGENTS = 800 };
            for (uint32_t id = 0; id < AGENTS; id++) {
                ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
                float drift = 0.0f, total = 0.0f;
                for (int i = 0; i < steps; i++) {
                    float before = drift;
                    ploy_wander_steer(&def, agent, &drift, 1.0f / (float)steps,
                                      ploy_rng_key_make(3), id, (uint64_t)i);
                    total += ploy_angle_difference(before, drift);
                }
                sum += (double)total * (double)total;
            }
            spread[pace][fast] = sum / AGENTS;
        }
    }
    CHECK_NEAR(spread[PLOY_WANDER_PER_ROOT_SECOND][0], 1.0 / 6.0, 0.03);
    CHECK_NEAR(spread[PLOY_WANDER_PER_ROOT_SECOND][1], 1.0 / 6.0, 0.03);
    CHECK_NEAR(spread[PLOY_WANDER_PER_SECOND][0] / spread[PLOY_WANDER_PER_SECOND][1], 4.0, 1.0);
    CHECK_NEAR(spread[PLOY_WANDER_PER_STEP][1] / spread[PLOY_WANDER_PER_STEP][0], 4.0, 1.0);
}

enum { MANY = 300 };

TEST(a_group_gives_the_bits_of_single_however_it_is_split) {
    static ploy_kinematic agents[MANY];
    static ploy_steering want[MANY], got[MANY];
    static float drifts[MANY];
    ploy_env env = ploy_env_default();
    for (int form = 0; form < 3; form++) {
        t->row = form_names[form];
        ploy_rng rng = ploy_rng_make((uint64_t)form + 1);
        ploy_rng_key key = ploy_rng_key_make(99);
        ploy_wander_def def = ploy_wander_def_default();
        def.form = (ploy_wander_form)form;
        ploy_wander *whole = NULL, *split = NULL;
        CHECK_OK(ploy_wander_create(&def, MANY, &env, &whole));
        CHECK_OK(ploy_wander_create(&def, MANY, &env, &split));
        ployi_wander_scatter(whole, key);
        ployi_wander_scatter(split, key);
        for (int32_t i = 0; i < MANY; i++) {
            agents[i] = scene_agent(&rng);
            drifts[i] = ploy_wander_drift(whole, i);
            CHECK(drifts[i] >= -PLOY_PI_F && drifts[i] < PLOY_PI_F);
        }
        CHECK(drifts[0] != drifts[1]);
        ploy_kinematics view = ploy_kinematics_of(agents, MANY);
        ploy_steerings out = ploy_steerings_of(got, MANY);
        for (uint64_t tick = 0; tick < 5; tick++) {
            for (int32_t i = 0; i < MANY; i++) {
                want[i] =
                    ploy_wander_steer(&def, agents[i], &drifts[i], 0.05f, key, (uint32_t)i, tick);
                CHECK(ploy_vec2_is_finite(want[i].linear));
                CHECK(want[i].angular - want[i].angular == 0.0f);
            }
            CHECK_OK(ploy_wander_step(whole, &view, 0, MANY, 0.05f, key, tick, &out));
            CHECK_BYTES(got, want, sizeof want);
            memset(got, 0xff, sizeof got);
            CHECK_OK(ploy_wander_step(split, &view, 250, MANY - 250, 0.05f, key, tick, &out));
            CHECK_OK(ploy_wander_step(split, &view, 0, 7, 0.05f, key, tick, &out));
            CHECK_OK(ploy_wander_step(split, &view, 7, 243, 0.05f, key, tick, &out));
            CHECK_BYTES(got, want, sizeof want);
        }
        for (int32_t i = 0; i < MANY; i++) CHECK_SAME(ploy_wander_drift(split, i), drifts[i]);
        ploy_wander_destroy(whole);
        ploy_wander_destroy(split);
    }
}

TEST(wander_commutes_with_moving_and_turning_the_scene) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_wander_def def = ploy_wander_def_default();
        def.form = (ploy_wander_form)(seed % 3);
        ploy_kinematic agent = ploy_kinematic_make(scene_whole2(&rng, 50), 0.0f);
        agent.orientation = ploy_rng_range(&rng, -3.0f, 1.5f);
        agent.velocity = ploy_vec2_make(ploy_rng_range(&rng, -3.0f, 3.0f), 1.0f);
        float drift[3] = {0.3f, 0.3f, 0.3f};
        ploy_rng_key key = ploy_rng_key_make(seed);
        ploy_kinematic moved = agent;
        moved.position = ploy_vec2_add(agent.position, ploy_vec2_make(1e6f, -3e6f));
        ploy_steering out = ploy_wander_steer(&def, agent, &drift[0], 0.1f, key, 1, 2);
        ploy_steering far_away = ploy_wander_steer(&def, moved, &drift[1], 0.1f, key, 1, 2);
        CHECK_BYTES(&far_away, &out, sizeof out); // it does not depend on where the agent is
        ploy_steering turned =
            ploy_wander_steer(&def, scene_turn_agent(agent), &drift[2], 0.1f, key, 1, 2);
        CHECK_NEAR(turned.linear.x, -out.linear.y, 1e-4);
        CHECK_NEAR(turned.linear.y, out.linear.x, 1e-4);
        CHECK_NEAR(turned.angular, out.angular, 1e-4);
        CHECK_SAME(drift[0], drift[2]);
    }
}

TEST(bad_steps_change_nothing) {
    ploy_env env = ploy_env_default();
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander *wander = NULL;
    CHECK_OK(ploy_wander_create(&def, 2, &env, &wander));
    static ploy_kinematic agents[3];
    static ploy_steering steerings[3], before[3];
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    ploy_steerings out = ploy_steerings_of(steerings, 3);
    ploy_rng_key key = ploy_rng_key_make(1);
    CHECK_OK(ployi_wander_set_drift(wander, 1, 1.0f));
    CHECK_INT(ploy_wander_step(wander, &view, 0, 3, 0.1f, key, 0, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_step(wander, &view, -1, 1, 0.1f, key, 0, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_step(wander, &view, 0, 2, -0.1f, key, 0, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_step(wander, &view, 0, 2, NAN, key, 0, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_step(wander, NULL, 0, 2, 0.1f, key, 0, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_wander_step(wander, &view, 0, 2, 0.1f, key, 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(steerings, before, sizeof before);
    CHECK_SAME(ploy_wander_drift(wander, 1), 1.0f);
    CHECK_SAME(ploy_wander_drift(wander, 2), 0.0f);
    CHECK_INT(ployi_wander_set_drift(wander, 2, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_wander_set_drift(wander, 0, NAN), PLOY_ERR_ARGUMENT);
    CHECK_OK(ployi_wander_set_drift(wander, 0, 7.0f));
    CHECK_NEAR(ploy_wander_drift(wander, 0), 7.0 - 2.0 * PLOY_PI, 1e-6);
    CHECK_INT(ployi_wander_capacity(wander), 2);
    ploy_wander_def bad = def;
    bad.slow_angle = 0.0f;
    CHECK_INT(ploy_wander_set_def(wander, &bad), PLOY_ERR_ARGUMENT);
    float drift = 0.5f;
    CHECK_UINT(ploy_wander_steer(&bad, agents[0], &drift, 0.1f, key, 0, 0).requested,
               PLOY_STEERING_INVALID);
    CHECK_SAME(drift, 0.5f);
    def.max_speed = 9.0f;
    CHECK_OK(ploy_wander_set_def(wander, &def));
    ploy_wander_destroy(wander);
    ploy_wander_destroy(NULL);
}

static uint64_t wander_hash(const ploy_wander *wander) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_wander_describe(wander, &out);
    return ploy_hash_sink_result(&sink);
}

static void memory_item(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(every_drift_and_setting_is_described_and_no_step_allocates) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander *wander = NULL;
    CHECK_OK(ploy_wander_create(&def, 3, &env, &wander));
    size_t bytes = 0;
    ploy_wander_memory(wander, memory_item, &bytes);
    CHECK_INT(bytes, counts.bytes);
    uint64_t hash = wander_hash(wander);
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ployi_wander_set_drift(wander, i, 0.1f));
        CHECK(wander_hash(wander) != hash);
        CHECK_OK(ployi_wander_set_drift(wander, i, 0.0f));
        CHECK(wander_hash(wander) == hash);
    }
    def.drift_rate = 1.0f;
    CHECK_OK(ploy_wander_set_def(wander, &def));
    CHECK(wander_hash(wander) != hash);
    static ploy_kinematic agents[3];
    static ploy_steering steerings[3];
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    ploy_steerings out = ploy_steerings_of(steerings, 3);
    int64_t calls = counts.calls;
    for (uint64_t tick = 0; tick < 10; tick++) {
        CHECK_OK(ploy_wander_step(wander, &view, 0, 3, 0.1f, ploy_rng_key_make(1), tick, &out));
    }
    CHECK_INT(counts.calls, calls);
    ploy_wander_destroy(wander);
    CHECK_INT(counts.bytes, 0);
}

typedef struct turn_seen {
    int depth, won, items;
    char winner[32];
} turn_seen;

static void turn_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    ((turn_seen *)user)->depth++;
}
static void turn_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    turn_seen *seen = user;
    (void)score, (void)reason;
    if (outcome != PLOY_OUTCOME_WON) return;
    seen->won++;
    snprintf(seen->winner, sizeof seen->winner, "%s", name);
}
static void turn_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void turn_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void turn_end(void *user) {
    ((turn_seen *)user)->depth--;
}
static void turn_item(void *user, const ploy_draw_item *item) {
    (void)item;
    ((turn_seen *)user)->items++;
}

TEST(trace_and_drawing_show_where_the_point_is) {
    turn_seen seen;
    memset(&seen, 0, sizeof seen);
    ploy_trace trace = {turn_begin, turn_option, turn_value, turn_note, turn_end, &seen};
    ploy_wander_def def = ploy_wander_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1.0f, 1.0f), 2.0f);
    ploy_agent_id id = ploy_agent_id_make(3, 1);
    ploy_wander_trace(&def, agent, 0.5f, id, &trace);
    CHECK_TEXT(seen.winner, "bend left");
    ploy_wander_trace(&def, agent, -0.5f, id, &trace);
    CHECK_TEXT(seen.winner, "bend right");
    ploy_wander_trace(&def, agent, 0.0f, id, &trace);
    CHECK_INT(seen.won, 2); // straight ahead is neither
    CHECK_INT(seen.depth, 0);
    ploy_draw out = {turn_item, &seen, UINT32_MAX};
    ploy_wander_draw(&def, agent, 0.5f, id, &out);
    CHECK_INT(seen.items, 3);
}
