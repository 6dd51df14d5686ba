// What all behaviors have in common: scenes that are moved, turned or mirrored give moved, turned or
// mirrored requests; one velocity added to everybody changes nothing where only relative motion counts;
// the plane is space at z = 0. That smaller steps come nearer to the truth is in test_order.c, that
// any numbers give finite ones in test_extremes.c, that batches give the bits of single forms in
// test_batch.c.
#include "tests/move/behaviors.h"
#include "tests/test.h"

typedef enum change { MOVED, TURNED, MIRRORED, CHANGES } change;
static const ploy_vec2 shift = {128.0f, -64.0f};

static ploy_kinematic change_agent(change how, ploy_kinematic agent) {
    if (how == TURNED) return scene_turn_agent(agent);
    if (how == MIRRORED) return scene_mirror_agent(agent);
    agent.position = ploy_vec2_add(agent.position, shift);
    return agent;
}

static ploy_steering change_request(change how, ploy_steering steering) {
    if (how == TURNED) steering.linear = scene_turn(steering.linear);
    if (how == MIRRORED) {
        steering.linear = scene_mirror(steering.linear);
        steering.angular = -steering.angular;
    }
    return steering;
}

static ploy_kinematic turn_by(float angle, ploy_kinematic agent) {
    agent.position = ploy_vec2_rotate(agent.position, angle);
    agent.velocity = ploy_vec2_rotate(agent.velocity, angle);
    agent.orientation = ploy_angle_wrap(agent.orientation + angle);
    return agent;
}

// How much the request changes if the agent is moved a little: INFINITY if it comes or goes. Where a
// behavior jumps (the target straight ahead, a head-on meeting, the edge of a range) two computations
// need not agree, and where it is steep they agree only so far. Asked only where they do not, which the
// tests allow in one of some 10,000 cases.
static float slack(const behavior *b, ploy_kinematic agent, const ploy_kinematic *o) {
    static const ploy_vec2 nudges[8] = {{4e-5f, 0}, {-4e-5f, 0}, {0, 4e-5f}, {0, -4e-5f},
                                        {2e-2f, 0}, {-2e-2f, 0}, {0, 2e-2f}, {0, -2e-2f}};
    ploy_steering plain = b->one(agent, o);
    float most = 0.0f;
    for (size_t i = 0; i < COUNT_OF(nudges); i++) {
        ploy_kinematic near = agent;
        near.position = ploy_vec2_add(agent.position, nudges[i]);
        ploy_steering other = b->one(near, o);
        if (other.requested != plain.requested) return INFINITY;
        most = fmaxf(most, ploy_vec2_distance(other.linear, plain.linear));
        most = fmaxf(most, fabsf(other.angular - plain.angular));
    }
    return most;
}

static float slack3(const behavior *b, ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_steering3 plain = b->one3(agent, o);
    float most = 0.0f;
    for (int32_t i = 0; i < 6; i++) {
        ploy_kinematic3 near = agent;
        float nudge = i % 2 == 0 ? 4e-5f : -4e-5f;
        ploy_vec3 way = {i / 2 == 0 ? nudge : 0.0f, i / 2 == 1 ? nudge : 0.0f,
                         i / 2 == 2 ? nudge : 0.0f};
        near.position = ploy_vec3_add(agent.position, way);
        ploy_steering3 other = b->one3(near, o);
        if (other.requested != plain.requested) return INFINITY;
        most = fmaxf(most, ploy_vec3_distance(other.linear, plain.linear));
    }
    return most;
}

TEST(scenes_that_are_moved_turned_or_mirrored_give_such_requests) {
    int64_t asked[COUNT_OF(behaviors)] = {0}, jumps = 0;
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_ordinary(&rng), o[OTHERS], changed[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) o[i] = scene_ordinary(&rng);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering plain = behaviors[b].one(agent, o);
            asked[b] += plain.requested;
            for (change how = MOVED; how < CHANGES; how++) {
                for (int32_t i = 0; i < OTHERS; i++) changed[i] = change_agent(how, o[i]);
                ploy_steering want = change_request(how, plain);
                bool hand = how == MIRRORED && behaviors[b].mirrored != NULL;
                ploy_steering got = (hand ? behaviors[b].mirrored
                                          : behaviors[b].one)(change_agent(how, agent), changed);
                bool same = got.requested == want.requested &&
                            ploy_vec2_distance(got.linear, want.linear) <= 5e-3f &&
                            fabsf(got.angular - want.angular) <= 5e-3f;
                if (!same && ploy_vec2_distance(got.linear, want.linear) <=
                                 5e-3f + 1.1f * slack(&behaviors[b], agent, o)) {
                    jumps++;
                    continue;
                }
                CHECK_UINT(got.requested, want.requested);
                CHECK_NEAR(got.linear.x, want.linear.x, 5e-3);
                CHECK_NEAR(got.linear.y, want.linear.y, 5e-3);
                CHECK_NEAR(got.angular, want.angular, 5e-3);
            }
        }
    }
    CHECK(jumps <= test_rounds(300) / 300);
    // A behavior that never asks for anything would pass all of that.
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        CHECK(asked[b] > 20);
    }
}

// By any angle, not only by right ones, which lose no digit. The tolerance is for the digits that
// turning loses (20 m and 5 m/s in float, over times down to a tenth of a second); where rounding
// decides between two sides, requests may differ wholly, so one scene in 300 may; of the first 300
// none does.
TEST(scenes_that_are_turned_by_any_angle_give_requests_turned_by_it) {
    int64_t rounds = test_rounds(300), off[COUNT_OF(behaviors)] = {0};
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_ordinary(&rng), o[OTHERS], turned[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) o[i] = scene_ordinary(&rng);
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

// x to y to z to x: a turn by a third of a circle about (1, 1, 1) that loses no digit.
static ploy_vec3 cycle(ploy_vec3 v) {
    return ploy_vec3_make(v.z, v.x, v.y);
}

// A rotation in a mirror at height zero.
static ploy_vec3 flip(ploy_vec3 v) {
    return ploy_vec3_make(-v.x, -v.y, v.z);
}

static ploy_kinematic3 change_agent3(change how, ploy_kinematic3 agent) {
    if (how == MOVED) {
        agent.position = ploy_vec3_add(agent.position, ploy_vec3_make(128.0f, -64.0f, 32.0f));
        return agent;
    }
    if (how == MIRRORED) { // in the plane of x and y; turns about an axis in it change their sense
        agent.position.z = -agent.position.z;
        agent.velocity.z = -agent.velocity.z;
        agent.rotation = flip(agent.rotation);
        agent.orientation.x = -agent.orientation.x;
        agent.orientation.y = -agent.orientation.y;
        return agent;
    }
    ploy_quat third = {0.5f, 0.5f, 0.5f, 0.5f};
    agent.position = cycle(agent.position);
    agent.velocity = cycle(agent.velocity);
    agent.rotation = cycle(agent.rotation);
    agent.orientation = ploy_quat_multiply(third, agent.orientation);
    return agent;
}

TEST(scenes_in_space_that_are_moved_turned_or_mirrored_give_such_requests) {
    int64_t asked[COUNT_OF(behaviors)] = {0}, jumps = 0;
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic3 agents[1 + OTHERS], changed[1 + OTHERS];
        for (int32_t i = 0; i <= OTHERS; i++) {
            agents[i] = scene_agent3(&rng);
            agents[i].position = scene_near3(&rng, 8.0f);
            agents[i].velocity = scene_near3(&rng, 5.0f);
        }
        for (change how = MOVED; how < CHANGES; how++) {
            for (int32_t i = 0; i <= OTHERS; i++) changed[i] = change_agent3(how, agents[i]);
            for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
                if (behaviors[b].one3 == NULL) continue;
                t->row = behaviors[b].name;
                // Facing keeps the head up, and up stays where it is.
                bool upright = behaviors[b].one3 == face_one3 || behaviors[b].one3 == look_one3;
                if (upright && how != MOVED) continue;
                ploy_steering3 want = behaviors[b].one3(agents[0], agents + 1);
                ploy_steering3 got = behaviors[b].one3(changed[0], changed + 1);
                asked[b] += want.requested;
                if (how == TURNED) {
                    want.linear = cycle(want.linear);
                    want.angular = cycle(want.angular);
                } else if (how == MIRRORED) {
                    want.linear.z = -want.linear.z;
                    want.angular = flip(want.angular);
                }
                bool same = got.requested == want.requested &&
                            ploy_vec3_distance(got.linear, want.linear) <= 5e-3f;
                if (!same && ploy_vec3_distance(got.linear, want.linear) <=
                                 5e-3f + 1.1f * slack3(&behaviors[b], agents[0], agents + 1)) {
                    jumps++;
                    continue;
                }
                CHECK_UINT(got.requested, want.requested);
                CHECK(ploy_vec3_distance(got.linear, want.linear) <= 5e-3f);
                CHECK(ploy_vec3_distance(got.angular, want.angular) <= 5e-3f);
            }
        }
    }
    CHECK(jumps <= test_rounds(200) / 200);
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        CHECK(behaviors[b].one3 == NULL || asked[b] > 20);
    }
}

TEST(one_velocity_added_to_everybody_changes_nothing_where_motion_is_relative) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_ordinary(&rng), o[OTHERS], drifting[OTHERS], self = agent;
        ploy_vec2 drift = scene_whole2(&rng, 16);
        self.velocity = ploy_vec2_add(self.velocity, drift);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = drifting[i] = scene_ordinary(&rng);
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

TEST(every_behavior_has_every_form_or_says_why_not) {
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        bool all =
            behaviors[b].one3 != NULL && behaviors[b].batch != NULL && behaviors[b].batch3 != NULL;
        CHECK(all == (behaviors[b].lacks == NULL));
    }
}

TEST(the_plane_is_space_at_height_zero) {
    int64_t jumps = 0;
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_ordinary(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = scene_raise(agent), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = scene_ordinary(&rng);
            o3[i] = scene_raise(o[i]);
        }
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            if (behaviors[b].one3 == NULL || strcmp(behaviors[b].name, "contain") == 0) continue;
            t->row = behaviors[b].name;
            ploy_steering plane = behaviors[b].one(agent, o);
            ploy_steering3 space = behaviors[b].one3(agent3, o3);
            ploy_vec2 flat = ploy_vec2_from_vec3(space.linear);
            float apart = ploy_vec2_distance(flat, plane.linear);
            if (apart > 5e-3f && apart <= 5e-3f + 1.1f * slack(&behaviors[b], agent, o)) {
                jumps++;
                continue;
            }
            CHECK_UINT(space.requested, plane.requested);
            CHECK_NEAR(space.linear.x, plane.linear.x, 5e-3);
            CHECK_NEAR(space.linear.y, plane.linear.y, 5e-3);
            CHECK_NEAR(space.linear.z, 0.0, 1e-5);
            CHECK_NEAR(space.angular.z, plane.angular, 5e-3);
        }
    }
    CHECK(jumps <= test_rounds(300) / 300);
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
