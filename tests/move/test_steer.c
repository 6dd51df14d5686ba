// What all behaviors have in common, each in every form: scenes that are moved, turned or mirrored
// give moved, turned or mirrored wishes; whatever the numbers, the wish is finite and no longer than
// it may be; single and batch give the same bits; the plane is space at z = 0.
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/combine.h"
#include "ploy/move/craft.h"
#include "ploy/move/errand.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/formation.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"
#include "ploy/move/intercept.h"
#include "ploy/move/jump.h"
#include "ploy/move/match.h"
#include "ploy/move/motor.h"
#include "ploy/move/moves.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/pursue.h"
#include "tests/move/behaviors.h"
#include "tests/move/scene.h"
#include "tests/test.h"

// An ordinary scene: within 20 m, up to 5 m/s, nothing at rest.
static ploy_kinematic ordinary(ploy_rng *rng) {
    ploy_kinematic agent;
    agent.position = scene_near2(rng, 20.0f);
    agent.orientation = ploy_rng_range(rng, -3.1f, 3.1f);
    agent.velocity = scene_near2(rng, 5.0f);
    agent.rotation = ploy_rng_range(rng, -2.0f, 2.0f);
    return agent;
}

static ploy_kinematic3 raise(ploy_kinematic agent) {
    ploy_kinematic3 out;
    out.position = ploy_vec3_from_vec2(agent.position, 0.0f);
    out.orientation = ploy_quat_from_orientation(agent.orientation);
    out.velocity = ploy_vec3_from_vec2(agent.velocity, 0.0f);
    out.rotation = ploy_vec3_make(0.0f, 0.0f, agent.rotation);
    return out;
}

typedef enum change { MOVED, TURNED, MIRRORED, CHANGES } change;
static const ploy_vec2 shift = {128.0f, -64.0f};

static ploy_kinematic change_agent(change how, ploy_kinematic agent) {
    if (how == TURNED) return scene_turn_agent(agent);
    if (how == MIRRORED) return scene_mirror_agent(agent);
    agent.position = ploy_vec2_add(agent.position, shift);
    return agent;
}

static ploy_steering change_wish(change how, ploy_steering wish) {
    if (how == TURNED) wish.linear = scene_turn(wish.linear);
    if (how == MIRRORED) {
        wish.linear = scene_mirror(wish.linear);
        wish.angular = -wish.angular;
    }
    return wish;
}

static ploy_kinematic turn_by(float angle, ploy_kinematic agent) {
    agent.position = ploy_vec2_rotate(agent.position, angle);
    agent.velocity = ploy_vec2_rotate(agent.velocity, angle);
    agent.orientation = ploy_angle_wrap(agent.orientation + angle);
    return agent;
}

TEST(scenes_that_are_moved_turned_or_mirrored_give_such_wishes) {
    int64_t asked[COUNT_OF(behaviors)] = {0};
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS], changed[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) o[i] = ordinary(&rng);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering plain = behaviors[b].one(agent, o);
            asked[b] += plain.requested;
            for (change how = MOVED; how < CHANGES; how++) {
                for (int32_t i = 0; i < OTHERS; i++) changed[i] = change_agent(how, o[i]);
                ploy_steering want = change_wish(how, plain);
                bool hand = how == MIRRORED && behaviors[b].mirrored != NULL;
                ploy_steering got = (hand ? behaviors[b].mirrored
                                          : behaviors[b].one)(change_agent(how, agent), changed);
                CHECK_UINT(got.requested, want.requested);
                CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
                CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
                CHECK_NEAR(got.angular, want.angular, 5e-3);
            }
        }
    }
    // A behavior that never asks for anything would pass all of that.
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        CHECK(asked[b] > 20);
    }
}

// By any angle, not only by right ones, which lose no digit. The tolerance is for the digits that
// turning loses (20 m and 5 m/s in float, over times down to a tenth of a second); where rounding
// decides between two sides, wishes may differ wholly, so one scene in 300 may; of the first 300
// none does.
TEST(scenes_that_are_turned_by_any_angle_give_wishes_turned_by_it) {
    int64_t rounds = test_rounds(300), off[COUNT_OF(behaviors)] = {0};
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS], turned[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) o[i] = ordinary(&rng);
        float angle = ploy_rng_range(&rng, -3.1f, 3.1f);
        for (int32_t i = 0; i < OTHERS; i++) turned[i] = turn_by(angle, o[i]);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (behaviors[b].boxed) continue;
            ploy_steering plain = behaviors[b].one(agent, o);
            ploy_steering got = behaviors[b].one(turn_by(angle, agent), turned);
            ploy_vec2 want = ploy_vec2_rotate(plain.linear, angle);
            float tolerance = 1e-3f * (1.0f + ploy_vec2_length(want));
            bool same = got.requested == plain.requested &&
                        ploy_vec2_distance(got.linear, want) <= tolerance &&
                        fabsf(got.angular - plain.angular) <= 1e-3f * (1.0f + fabsf(got.angular));
            off[b] += !same;
        }
    }
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        CHECK_NEAR((double)off[b], 0.0, (double)rounds / 300.0);
    }
}

TEST(one_velocity_added_to_everybody_changes_nothing_where_motion_is_relative) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS], drifting[OTHERS], self = agent;
        ploy_vec2 drift = scene_whole2(&rng, 16);
        self.velocity = ploy_vec2_add(self.velocity, drift);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = drifting[i] = ordinary(&rng);
            drifting[i].velocity = ploy_vec2_add(o[i].velocity, drift);
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (!behaviors[b].relative) continue;
            t->row = behaviors[b].name;
            ploy_steering want = behaviors[b].one(agent, o);
            ploy_steering got = behaviors[b].one(self, drifting);
            CHECK_UINT(got.requested, want.requested);
            CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
            CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
        }
    }
}

// Where an agent is after two seconds in steps of 1 / rate, the others keeping their velocities.
static ploy_vec2 carried_out(const behavior *b, ploy_kinematic agent, const ploy_kinematic *start,
                             int32_t rate) {
    ploy_kinematic o[OTHERS];
    ploy_integrate_def motion = ploy_integrate_def_default();
    memcpy(o, start, sizeof o);
    for (int32_t tick = 0; tick < 2 * rate; tick++) {
        agent = ploy_integrate(&motion, agent, b->one(agent, o), 1.0f / (float)rate);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i].position = ploy_vec2_add_scaled(o[i].position, o[i].velocity, 1.0f / (float)rate);
        }
    }
    return agent.position;
}

TEST(halving_the_step_halves_the_error_of_what_has_no_corners) {
    // Semi-implicit steps are of first order. Behaviors that switch (avoidance, hiding, arcs) have
    // no order, nor has anything at the moment at which it is cut: so means over many scenes.
    static const char *const smooth[] = {"pursue",          "evade",          "interpose",
                                         "offset pursuit",  "match velocity", "flow",
                                         "pursue relative", "formation slot"};
    for (size_t s = 0; s < COUNT_OF(smooth); s++) {
        const behavior *b = NULL;
        for (size_t i = 0; i < COUNT_OF(behaviors); i++) {
            if (strcmp(behaviors[i].name, smooth[s]) == 0) b = &behaviors[i];
        }
        t->row = smooth[s];
        CHECK(b != NULL);
        double errors[3] = {0.0, 0.0, 0.0};
        for (int64_t round = 0; round < test_rounds(24); round++) {
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            ploy_kinematic agent = ordinary(&rng), o[OTHERS];
            for (int32_t i = 0; i < OTHERS; i++) o[i] = ordinary(&rng);
            ploy_vec2 truth = carried_out(b, agent, o, 2048);
            for (int32_t k = 0; k < 3; k++) {
                ploy_vec2 at = carried_out(b, agent, o, 32 << k);
                errors[k] += (double)ploy_vec2_distance(at, truth);
            }
        }
        CHECK(errors[1] < 0.65 * errors[0] && errors[1] > 0.35 * errors[0]);
        CHECK(errors[2] < 0.65 * errors[1] && errors[2] > 0.35 * errors[1]);
    }
}

TEST(the_plane_is_space_at_height_zero) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = ordinary(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = raise(agent), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = ordinary(&rng);
            o3[i] = raise(o[i]);
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (behaviors[b].one3 == NULL || strcmp(behaviors[b].name, "contain") == 0) continue;
            t->row = behaviors[b].name;
            ploy_steering plane = behaviors[b].one(agent, o);
            ploy_steering3 space = behaviors[b].one3(agent3, o3);
            CHECK_UINT(space.requested, plane.requested);
            CHECK_NEAR(space.linear.x, plane.linear.x, 5e-3);
            CHECK_NEAR(space.linear.y, plane.linear.y, 5e-3);
            CHECK_NEAR(space.linear.z, 0.0, 1e-5);
            CHECK_NEAR(space.angular.z, plane.angular, 5e-3);
        }
    }
}

TEST(whatever_the_numbers_the_wish_is_finite_and_not_too_long) {
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = scene_agent3(&rng), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = scene_agent(&rng);
            o3[i] = scene_agent3(&rng);
            // Often one on the other, or with the same velocity.
            if (ploy_rng_chance(&rng, 0.3f)) o[i].position = agent.position;
            if (ploy_rng_chance(&rng, 0.3f)) o[i].velocity = agent.velocity;
            if (ploy_rng_chance(&rng, 0.3f)) o3[i].position = agent3.position;
            if (ploy_rng_chance(&rng, 0.3f)) o3[i].velocity = agent3.velocity;
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering wish = behaviors[b].one(agent, o);
            CHECK(ploy_vec2_is_finite(wish.linear) && ploy_is_finite(wish.angular));
            CHECK(ploy_vec2_length(wish.linear) <= 20.001f && fabsf(wish.angular) <= 20.001f);
            if (wish.requested == 0) {
                CHECK(ploy_vec2_is_zero(wish.linear) && wish.angular == 0.0f);
            }
            if (behaviors[b].one3 == NULL) continue;
            ploy_steering3 wish3 = behaviors[b].one3(agent3, o3);
            CHECK(ploy_vec3_is_finite(wish3.linear) && ploy_vec3_is_finite(wish3.angular));
            CHECK(ploy_vec3_length(wish3.linear) <= 20.001f);
            CHECK(ploy_vec3_length(wish3.angular) <= 20.001f);
        }
    }
}

// What carries wishes out: each by its own body, for a step of dt.
typedef struct mover_row {
    const char *name;
    ploy_kinematic (*step)(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target, float dt);
} mover_row;

static ploy_kinematic integrate_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                     float dt) {
    ploy_integrate_def def = ploy_integrate_def_default();
    (void)target;
    return ploy_integrate(&def, agent, wish, dt);
}
static ploy_kinematic movers_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                  float dt) {
    ploy_movers_def def = ploy_movers_def_default();
    (void)target;
    return ploy_mover_step(&def, agent, wish, dt);
}
static ploy_kinematic craft_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                 float dt) {
    ploy_craft_def def = ploy_craft_def_default();
    ploy_craft_controls controls = {1.0f, ploy_craft_toward(agent, target, 1.0f)};
    (void)wish;
    return ploy_craft_step(&def, agent, controls, dt);
}
static ploy_kinematic drive_step(ploy_motor_body body, ploy_kinematic agent, ploy_vec2 target,
                                 float dt) {
    ploy_motor_def def = ploy_motor_def_of(body);
    return ploy_motor_drive(&def, agent, ploy_motor_control(&def, agent, target), dt);
}
static ploy_kinematic human_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                 float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_HUMAN, agent, target, dt);
}
static ploy_kinematic car_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                               float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_CAR, agent, target, dt);
}
static ploy_kinematic bike_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_MOTORBIKE, agent, target, dt);
}
static ploy_kinematic tank_step(ploy_kinematic agent, ploy_steering wish, ploy_vec2 target,
                                float dt) {
    (void)wish;
    return drive_step(PLOY_MOTOR_TANK, agent, target, dt);
}

TEST(whatever_the_numbers_a_step_of_any_length_ends_finite) {
    static const mover_row rows[] = {
        {"integrate", integrate_step}, {"movers", movers_step}, {"craft", craft_step},
        {"human", human_step},         {"car", car_step},       {"motorbike", bike_step},
        {"tank", tank_step},
    };
    static const float steps[] = {0.0f, 1e-4f, 1.0f / 60.0f, 1.0f};
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng);
        ploy_vec2 target = scene_target(&rng, agent.position);
        ploy_steering wish = ploy_steering_make(scene_vec2(&rng, 1e6f), scene_number(&rng, 1e3f));
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            t->row = rows[r].name;
            for (size_t i = 0; i < COUNT_OF(steps); i++) {
                ploy_kinematic after = rows[r].step(agent, wish, target, steps[i]);
                CHECK(ploy_vec2_is_finite(after.position) && ploy_vec2_is_finite(after.velocity));
                CHECK(ploy_is_finite(after.orientation) && ploy_is_finite(after.rotation));
                if (steps[i] > 0.0f) continue;
                CHECK_BYTES(&after.position, &agent.position, sizeof after.position);
            }
        }
    }
}

TEST(single_and_batch_give_the_same_bits) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agents[BATCH], o[OTHERS];
        ploy_kinematic3 agents3[BATCH], o3[OTHERS];
        ploy_steering got[BATCH];
        ploy_steering3 got3[BATCH];
        for (int32_t i = 0; i < BATCH; i++) {
            agents[i] = i % 2 == 0 ? ordinary(&rng) : scene_agent(&rng);
            agents3[i] = i % 2 == 0 ? raise(ordinary(&rng)) : scene_agent3(&rng);
        }
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = ordinary(&rng);
            o3[i] = raise(ordinary(&rng));
        }
        ploy_kinematics view = ploy_kinematics_of(agents, BATCH);
        ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, BATCH);
        ploy_steerings out = ploy_steerings_of(got, BATCH);
        ploy_steerings3 out3 = ploy_steerings3_of(got3, BATCH);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            if (behaviors[b].batch != NULL) {
                memset(got, 0x55, sizeof got);
                CHECK_OK(behaviors[b].batch(&view, 3, BATCH - 5, o, &out));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering want;
                    memset(&want, 0x55, sizeof want);
                    if (i >= 3 && i < BATCH - 2) want = behaviors[b].one(agents[i], o);
                    CHECK_BYTES(&got[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch(&view, 0, BATCH + 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, -1, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(NULL, 0, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, 0, 1, o, NULL), PLOY_ERR_ARGUMENT);
            }
            if (behaviors[b].batch3 != NULL) {
                CHECK_OK(behaviors[b].batch3(&view3, 0, BATCH, o3, &out3));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering3 want = behaviors[b].one3(agents3[i], o3);
                    CHECK_BYTES(&got3[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch3(&view3, 0, BATCH + 1, o3, &out3), PLOY_ERR_ARGUMENT);
            }
        }
    }
}

TEST(every_table_is_sound_and_its_default_passes_its_own_check) {
    ploy_fields tables[] = {
        ploy_pursue_fields(),    ploy_evade_fields(),       ploy_predict_fields(),
        ploy_intercept_fields(), ploy_interpose_fields(),   ploy_offset_pursuit_fields(),
        ploy_fly_by_fields(),    ploy_follow_fields(),      ploy_align_fields(),
        ploy_match_fields(),     ploy_path_follow_fields(), ploy_waypoints_fields(),
        ploy_flow_fields(),      ploy_contain_fields(),     ploy_obstacle_fields(),
        ploy_hide_fields(),      ploy_collision_fields(),   ploy_cone_fields(),
        ploy_flock_fields(),     ploy_motor_fields(),       ploy_jump_fields(),
        ploy_feelers_fields(),   ploy_wall_follow_fields(), ploy_combine_fields(),
        ploy_formation_fields(), ploy_route_fields(),
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        t->row = tables[i].type_name;
        double def[256];
        CHECK(tables[i].size <= sizeof def);
        CHECK_OK(ploy_fields_check_table(tables[i], NULL));
        ploy_fields_default(tables[i], def);
        CHECK_OK(ploy_fields_check(tables[i], def, &env));
    }
}
