// Wander in space.
#include "move/move_internal.h"
#include "ploy/move/integrate.h"
#include "ploy/move/wander.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static const char *const form_names[] = {"seek", "face", "jitter"};

static ploy_result wander3_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander3 *wander = NULL;
    ploy_result result = ploy_wander3_create(&def, 10, env, &wander);
    ploy_wander3_destroy(wander);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(wander3_make, NULL);
    ploy_env env = ploy_env_default();
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander3 *wander = NULL;
    CHECK_INT(ploy_wander3_create(&def, 0, &env, &wander), PLOY_ERR_ARGUMENT);
    def.jitter = NAN;
    CHECK_INT(ploy_wander3_create(&def, 1, &env, &wander), PLOY_ERR_ARGUMENT);
    CHECK(wander == NULL);
    CHECK_INT(ploy_wander3_create(&def, 1, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(the_point_is_on_the_flattened_sphere_ahead) {
    // M3D-08; ploy (x, y, z) is the book's (z, x, y), so its radii XZ and Y are ours of the plane
    // and along up.
    ploy_wander_def def = ploy_wander_def_default();
    def.circle_offset = 4.0f;
    def.circle_radius = 2.0f;
    def.circle_height = 0.5f;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic3 agent = scene_agent3(&rng);
        agent.position = ploy_vec3_make(1.0f, 2.0f, 3.0f);
        ploy_vec3 drift = ploy_vec3_normalise(scene_near3(&rng, 1.0f));
        ploy_vec3 local = ploy_quat_unrotate(
            agent.orientation,
            ploy_vec3_sub(ployi_wander3_point(&def, agent, drift), agent.position));
        CHECK_NEAR(local.x, 4.0f + 2.0f * drift.x, 1e-4);
        CHECK_NEAR(local.y, 2.0f * drift.y, 1e-4);
        CHECK_NEAR(local.z, 0.5f * drift.z, 1e-4);
    }
}

enum { MANY = 120 };

TEST(a_group_gives_the_bits_of_single_however_it_is_split) {
    static ploy_kinematic3 agents[MANY];
    static ploy_steering3 want[MANY], got[MANY];
    static ploy_vec3 drifts[MANY];
    ploy_env env = ploy_env_default();
    for (int form = 0; form < 3; form++) {
        t->row = form_names[form];
        ploy_rng rng = ploy_rng_make((uint64_t)form + 1);
        ploy_rng_key key = ploy_rng_key_make(99);
        ploy_wander_def def = ploy_wander_def_default();
        def.form = (ploy_wander_form)form;
        ploy_wander3 *wander = NULL;
        CHECK_OK(ploy_wander3_create(&def, MANY, &env, &wander));
        CHECK_SAME(ploy_wander3_drift(wander, 5).x, 1.0f);
        ployi_wander3_scatter(wander, key);
        for (int32_t i = 0; i < MANY; i++) {
            agents[i] = scene_agent3(&rng);
            drifts[i] = ploy_wander3_drift(wander, i);
        }
        ploy_kinematics3 view = ploy_kinematics3_of(agents, MANY);
        ploy_steerings3 out = ploy_steerings3_of(got, MANY);
        for (uint64_t tick = 0; tick < 5; tick++) {
            for (int32_t i = 0; i < MANY; i++) {
                want[i] =
                    ploy_wander3_steer(&def, agents[i], &drifts[i], 0.05f, key, (uint32_t)i, tick);
                CHECK_NEAR(ploy_vec3_length(drifts[i]), 1.0, 1e-5);
                CHECK(ploy_vec3_is_finite(want[i].linear));
                CHECK(ploy_vec3_is_finite(want[i].angular));
                CHECK(ploy_vec3_length(want[i].linear) <= def.max_acceleration * 1.00001f);
            }
            CHECK_OK(ploy_wander3_step(wander, &view, 50, MANY - 50, 0.05f, key, tick, &out));
            CHECK_OK(ploy_wander3_step(wander, &view, 0, 50, 0.05f, key, tick, &out));
            CHECK_BYTES(got, want, sizeof want);
        }
        CHECK_INT(ploy_wander3_step(wander, &view, 0, MANY + 1, 0.05f, key, 0, &out),
                  PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_wander3_step(wander, &view, 0, MANY, 2.0f, key, 0, &out), PLOY_ERR_ARGUMENT);
        CHECK_BYTES(got, want, sizeof want);
        ploy_wander3_destroy(wander);
    }
}

TEST(face_turns_the_nose_to_the_point) {
    ploy_wander_def def = ploy_wander_def_default();
    def.form = PLOY_WANDER_FACE;
    def.drift_rate = 0.0f;
    def.circle_offset = 0.0f;
    ploy_integrate_def law = ploy_integrate_def_default();
    law.facing = PLOY_FACING_FREE;
    law.max_speed = 2.0f;
    ploy_kinematic3 agent = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 0.0f));
    // Straight left to begin with: it must turn counter-clockwise, about up.
    ploy_vec3 drift = {0.0f, 1.0f, 0.0f};
    ploy_steering3 out = ploy_wander3_steer(&def, agent, &drift, 0.01f, ploy_rng_key_make(1), 0, 0);
    CHECK(out.angular.z > 1.0f);
    CHECK_NEAR(out.angular.x, 0.0, 1e-4);
    CHECK_NEAR(out.angular.y, 0.0, 1e-4);
    CHECK_NEAR(out.linear.x, def.max_acceleration, 1e-5);
    // Straight up: nose up is a turn about the right, minus left.
    drift = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    out = ploy_wander3_steer(&def, agent, &drift, 0.01f, ploy_rng_key_make(1), 0, 0);
    CHECK(out.angular.y < -1.0f);
    // Ahead: nothing to turn.
    drift = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    out = ploy_wander3_steer(&def, agent, &drift, 0.01f, ploy_rng_key_make(1), 0, 0);
    CHECK_NEAR(ploy_vec3_length(out.angular), 0.0, 1e-4);
    // Carried out, it never gets there: the point is always to its left, and it turns for good.
    drift = ploy_vec3_make(0.0f, 1.0f, 0.0f);
    for (uint64_t tick = 0; tick < 300; tick++) {
        out = ploy_wander3_steer(&def, agent, &drift, 0.01f, ploy_rng_key_make(1), 0, tick);
        agent = ploy_integrate3(&law, agent, out, 0.01f);
    }
    CHECK_NEAR(agent.rotation.z, def.max_rotation, 0.05);
}

TEST(kinematic_wander_pitches_and_yaws_but_never_rolls) {
    ploy_wander_def def = ploy_wander_def_default();
    for (uint64_t tick = 0; tick < 300; tick++) {
        ploy_rng rng = ploy_rng_make(tick + 1);
        ploy_kinematic3 agent = scene_agent3(&rng);
        ploy_kinematic3_output motion =
            ploy_wander3_velocity(&def, agent, ploy_rng_key_make(2), 1, tick);
        CHECK_UINT(motion.requested, 1);
        CHECK_NEAR(ploy_vec3_length(motion.velocity), def.max_speed, 1e-4);
        CHECK_NEAR(ploy_vec3_dot(motion.rotation, motion.velocity), 0.0, 1e-4);
        CHECK(ploy_vec3_length(motion.rotation) <= def.max_rotation * 1.00001f);
    }
    def.max_speed = -1.0f;
    CHECK_UINT(ploy_wander3_velocity(&def, ploy_kinematic3_make(ploy_vec3_zero()),
                                     ploy_rng_key_make(2), 1, 0)
                   .requested,
               PLOY_STEERING_INVALID);
}

static uint64_t wander3_hash(const ploy_wander3 *wander) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_wander3_describe(wander, &out);
    return ploy_hash_sink_result(&sink);
}

static void memory_item(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(drifts_are_kept_described_and_counted) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander3 *wander = NULL;
    CHECK_OK(ploy_wander3_create(&def, 2, &env, &wander));
    size_t bytes = 0;
    ploy_wander3_memory(wander, memory_item, &bytes);
    CHECK_INT(bytes, counts.bytes);
    uint64_t hash = wander3_hash(wander);
    CHECK_OK(ployi_wander3_set_drift(wander, 1, ploy_vec3_make(0.0f, 3.0f, 4.0f)));
    CHECK_NEAR(ploy_wander3_drift(wander, 1).z, 0.8, 1e-6);
    CHECK(wander3_hash(wander) != hash);
    CHECK_INT(ployi_wander3_set_drift(wander, 2, ploy_vec3_make(0.0f, 3.0f, 4.0f)),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_wander3_set_drift(wander, 0, ploy_vec3_zero()), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_wander3_set_drift(wander, 0, ploy_vec3_make(NAN, 0.0f, 0.0f)),
              PLOY_ERR_ARGUMENT);
    CHECK_SAME(ploy_wander3_drift(wander, -1).x, 1.0f);
    CHECK_INT(ployi_wander3_capacity(wander), 2);
    def.circle_height = 0.25f;
    CHECK_OK(ploy_wander3_set_def(wander, &def));
    def.circle_height = -1.0f;
    CHECK_INT(ploy_wander3_set_def(wander, &def), PLOY_ERR_ARGUMENT);
    ploy_wander3_destroy(wander);
    ploy_wander3_destroy(NULL);
    CHECK_INT(counts.bytes, 0);
}
