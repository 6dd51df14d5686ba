// What seek, flee and arrive have in common, each in every form and mode: single and batch give the
// same bits however the agents lie in memory, results are finite for every input, and scenes that
// are moved, turned or mirrored give moved, turned or mirrored results.
#include "move/move_internal.h"
#include "ploy/move/arrive.h"
#include "ploy/move/flee.h"
#include "ploy/move/seek.h"
#include "tests/move/scene.h"
#include "tests/test.h"

// More than a chunk of the batch forms, of those that work in place too, and no multiple of 8.
enum { SCENE_AGENTS = 1300 };

typedef enum approach_kind {
    APPROACH_SEEK,
    APPROACH_SEEK_FULL,
    APPROACH_FLEE,
    APPROACH_FLEE_FULL,
    APPROACH_FLEE_PANIC,
    APPROACH_ARRIVE,
    APPROACH_ARRIVE_DRIFT,
    APPROACH_KINDS
} approach_kind;

static const char *const approach_names[APPROACH_KINDS] = {
    "seek", "seek full", "flee", "flee full", "flee panic", "arrive", "arrive drift"};

typedef struct approach_defs {
    ploy_seek_def seek;
    ploy_flee_def flee;
    ploy_arrive_def arrive;
} approach_defs;

static approach_defs approach_make(approach_kind kind) {
    approach_defs defs = {ploy_seek_def_default(), ploy_flee_def_default(),
                          ploy_arrive_def_default()};
    if (kind == APPROACH_SEEK_FULL) defs.seek.mode = PLOY_PULL_FULL;
    if (kind == APPROACH_FLEE_FULL) defs.flee.mode = PLOY_PULL_FULL;
    if (kind == APPROACH_FLEE_PANIC) defs.flee.panic_distance = 3.0f;
    if (kind == APPROACH_ARRIVE_DRIFT) defs.arrive.stop_inside = false;
    return defs;
}

static bool approach_is_seek(approach_kind kind) {
    return kind == APPROACH_SEEK || kind == APPROACH_SEEK_FULL;
}

static bool approach_is_arrive(approach_kind kind) {
    return kind == APPROACH_ARRIVE || kind == APPROACH_ARRIVE_DRIFT;
}

static ploy_steering approach_one(approach_kind kind, const approach_defs *defs,
                                  ploy_kinematic agent, ploy_vec2 target) {
    if (approach_is_seek(kind)) return ploy_seek(&defs->seek, agent, target);
    if (approach_is_arrive(kind)) return ploy_arrive(&defs->arrive, agent, target);
    return ploy_flee(&defs->flee, agent, target);
}

static ploy_steering3 approach3_one(approach_kind kind, const approach_defs *defs,
                                    ploy_kinematic3 agent, ploy_vec3 target) {
    if (approach_is_seek(kind)) return ploy_seek3(&defs->seek, agent, target);
    if (approach_is_arrive(kind)) return ploy_arrive3(&defs->arrive, agent, target);
    return ploy_flee3(&defs->flee, agent, target);
}

static ploy_kinematic_output approach_velocity(approach_kind kind, const approach_defs *defs,
                                               ploy_vec2 position, ploy_vec2 target) {
    if (approach_is_seek(kind)) return ploy_seek_velocity(&defs->seek, position, target);
    if (approach_is_arrive(kind)) return ploy_arrive_velocity(&defs->arrive, position, target);
    return ploy_flee_velocity(&defs->flee, position, target);
}

static ploy_kinematic3_output approach3_velocity(approach_kind kind, const approach_defs *defs,
                                                 ploy_vec3 position, ploy_vec3 target) {
    if (approach_is_seek(kind)) return ploy_seek3_velocity(&defs->seek, position, target);
    if (approach_is_arrive(kind)) return ployi_arrive3_velocity(&defs->arrive, position, target);
    return ployi_flee3_velocity(&defs->flee, position, target);
}

static ploy_result approach_batch(approach_kind kind, const approach_defs *defs,
                                  const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_points *targets, const ploy_steerings *out) {
    if (approach_is_seek(kind)) {
        return ploy_seek_batch(&defs->seek, agents, first, count, targets, out);
    }
    if (approach_is_arrive(kind)) {
        return ploy_arrive_batch(&defs->arrive, agents, first, count, targets, out);
    }
    return ploy_flee_batch(&defs->flee, agents, first, count, targets, out);
}

static ploy_result approach3_batch(approach_kind kind, const approach_defs *defs,
                                   const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                   const ploy_points3 *targets, const ploy_steerings3 *out) {
    if (approach_is_seek(kind)) {
        return ploy_seek3_batch(&defs->seek, agents, first, count, targets, out);
    }
    if (approach_is_arrive(kind)) {
        return ploy_arrive3_batch(&defs->arrive, agents, first, count, targets, out);
    }
    return ploy_flee3_batch(&defs->flee, agents, first, count, targets, out);
}

static ploy_result approach_velocity_batch(approach_kind kind, const approach_defs *defs,
                                           const ploy_kinematics *agents, int32_t first,
                                           int32_t count, const ploy_points *targets) {
    if (approach_is_seek(kind)) {
        return ployi_seek_velocity_batch(&defs->seek, agents, first, count, targets);
    }
    if (approach_is_arrive(kind)) {
        return ployi_arrive_velocity_batch(&defs->arrive, agents, first, count, targets);
    }
    return ployi_flee_velocity_batch(&defs->flee, agents, first, count, targets);
}

static ploy_result approach3_velocity_batch(approach_kind kind, const approach_defs *defs,
                                            const ploy_kinematics3 *agents, int32_t first,
                                            int32_t count, const ploy_points3 *targets) {
    if (approach_is_seek(kind)) {
        return ployi_seek3_velocity_batch(&defs->seek, agents, first, count, targets);
    }
    if (approach_is_arrive(kind)) {
        return ployi_arrive3_velocity_batch(&defs->arrive, agents, first, count, targets);
    }
    return ployi_flee3_velocity_batch(&defs->flee, agents, first, count, targets);
}

// Agents as arrays of each number, which is what the vectorised path reads in place.
typedef struct packed_agents {
    float x[SCENE_AGENTS], y[SCENE_AGENTS], orientation[SCENE_AGENTS];
    float vx[SCENE_AGENTS], vy[SCENE_AGENTS], rotation[SCENE_AGENTS];
    float tx[SCENE_AGENTS], ty[SCENE_AGENTS];
    float ox[SCENE_AGENTS], oy[SCENE_AGENTS], angular[SCENE_AGENTS];
    uint32_t requested[SCENE_AGENTS];
} packed_agents;

// Agents as a game may keep them, with strangers in between.
typedef struct game_agent {
    char name[8];
    ploy_vec2 place;
    double health;
    ploy_vec2 speed;
    float angle, spin;
    float push[2], twist;
    uint32_t pushed;
    ploy_vec2 goal;
} game_agent;

TEST(batch_gives_the_bits_of_single_wherever_the_agents_lie) {
    static packed_agents packed;
    static game_agent game[SCENE_AGENTS];
    static ploy_kinematic agents[SCENE_AGENTS];
    static ploy_vec2 targets[SCENE_AGENTS];
    static ploy_steering want[SCENE_AGENTS], got[SCENE_AGENTS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int32_t i = 0; i < SCENE_AGENTS; i++) {
            agents[i] = scene_agent(&rng);
            targets[i] = scene_target(&rng, agents[i].position);
            packed.x[i] = agents[i].position.x;
            packed.y[i] = agents[i].position.y;
            packed.vx[i] = agents[i].velocity.x;
            packed.vy[i] = agents[i].velocity.y;
            packed.tx[i] = targets[i].x;
            packed.ty[i] = targets[i].y;
            game[i].place = agents[i].position;
            game[i].speed = agents[i].velocity;
            game[i].goal = targets[i];
        }
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                want[i] = approach_one((approach_kind)kind, &defs, agents[i], targets[i]);
                CHECK(ploy_vec2_is_finite(want[i].linear));
            }
            // Arrays of our own structs.
            ploy_kinematics view = ploy_kinematics_of(agents, SCENE_AGENTS);
            ploy_points points = ploy_points_make(targets, SCENE_AGENTS);
            ploy_steerings out = ploy_steerings_of(got, SCENE_AGENTS);
            memset(got, 0xff, sizeof got);
            CHECK_OK(
                approach_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS, &points, &out));
            CHECK_BYTES(got, want, sizeof want);
            // Packed arrays, in ranges of odd lengths and in the wrong order.
            view = ploy_kinematics_make(SCENE_AGENTS, packed.x, packed.y, NULL, packed.vx,
                                        packed.vy, NULL, sizeof(float));
            ploy_points packed_points = {packed.tx, packed.ty, sizeof(float), SCENE_AGENTS};
            out = ploy_steerings_make(SCENE_AGENTS, packed.ox, packed.oy, packed.angular,
                                      packed.requested, sizeof(float));
            memset(packed.angular, 0xff, sizeof packed.angular);
            static const int32_t cuts[] = {0, 1, 6, 263, 264, 1291, SCENE_AGENTS};
            for (size_t c = COUNT_OF(cuts) - 1; c-- > 0;) {
                CHECK_OK(approach_batch((approach_kind)kind, &defs, &view, cuts[c],
                                        cuts[c + 1] - cuts[c], &packed_points, &out));
            }
            for (int32_t i = 0; i < SCENE_AGENTS; i++) got[i] = ploy_steerings_get(&out, i);
            CHECK_BYTES(got, want, sizeof want);
            // A game's own structs.
            view = ploy_kinematics_make(SCENE_AGENTS, &game[0].place.x, &game[0].place.y,
                                        &game[0].angle, &game[0].speed.x, &game[0].speed.y,
                                        &game[0].spin, sizeof game[0]);
            ploy_points game_points = {&game[0].goal.x, &game[0].goal.y, sizeof game[0],
                                       SCENE_AGENTS};
            out = ploy_steerings_make(SCENE_AGENTS, &game[0].push[0], &game[0].push[1],
                                      &game[0].twist, &game[0].pushed, sizeof game[0]);
            CHECK_OK(approach_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS,
                                    &game_points, &out));
            for (int32_t i = 0; i < SCENE_AGENTS; i++) got[i] = ploy_steerings_get(&out, i);
            CHECK_BYTES(got, want, sizeof want);
            // Nobody wants to know what was requested.
            view = ploy_kinematics_make(SCENE_AGENTS, packed.x, packed.y, NULL, packed.vx,
                                        packed.vy, NULL, sizeof(float));
            out =
                ploy_steerings_make(SCENE_AGENTS, packed.ox, packed.oy, NULL, NULL, sizeof(float));
            memset(packed.ox, 0xff, sizeof packed.ox);
            CHECK_OK(approach_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS,
                                    &packed_points, &out));
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                ploy_vec2 linear = {packed.ox[i], packed.oy[i]};
                CHECK_BYTES(&linear, &want[i].linear, sizeof linear);
            }
            // One target for all.
            points = ploy_points_one(&targets[1]);
            view = ploy_kinematics_of(agents, SCENE_AGENTS);
            out = ploy_steerings_of(got, SCENE_AGENTS);
            CHECK_OK(
                approach_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS, &points, &out));
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                ploy_steering one = approach_one((approach_kind)kind, &defs, agents[i], targets[1]);
                CHECK_BYTES(&got[i], &one, sizeof one);
            }
        }
    }
}

TEST(batch_in_space_gives_the_bits_of_single) {
    static ploy_kinematic3 agents[SCENE_AGENTS];
    static ploy_vec3 targets[SCENE_AGENTS];
    static ploy_steering3 want[SCENE_AGENTS], got[SCENE_AGENTS];
    static float lanes[12][SCENE_AGENTS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int32_t i = 0; i < SCENE_AGENTS; i++) {
            agents[i] = scene_agent3(&rng);
            targets[i] = scene_target3(&rng, agents[i].position);
            lanes[0][i] = agents[i].position.x;
            lanes[1][i] = agents[i].position.y;
            lanes[2][i] = agents[i].position.z;
            lanes[3][i] = agents[i].velocity.x;
            lanes[4][i] = agents[i].velocity.y;
            lanes[5][i] = agents[i].velocity.z;
            lanes[6][i] = targets[i].x;
            lanes[7][i] = targets[i].y;
            lanes[8][i] = targets[i].z;
        }
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                want[i] = approach3_one((approach_kind)kind, &defs, agents[i], targets[i]);
                CHECK(ploy_vec3_is_finite(want[i].linear));
            }
            ploy_kinematics3 view = ploy_kinematics3_of(agents, SCENE_AGENTS);
            ploy_points3 points = ploy_points3_make(targets, SCENE_AGENTS);
            ploy_steerings3 out = ploy_steerings3_of(got, SCENE_AGENTS);
            memset(got, 0xff, sizeof got);
            CHECK_OK(approach3_batch((approach_kind)kind, &defs, &view, 0, 301, &points, &out));
            CHECK_OK(approach3_batch((approach_kind)kind, &defs, &view, 301, SCENE_AGENTS - 301,
                                     &points, &out));
            CHECK_BYTES(got, want, sizeof want);
            memset(&view, 0, sizeof view);
            view.count = SCENE_AGENTS;
            view.x = lanes[0];
            view.y = lanes[1];
            view.z = lanes[2];
            view.vx = lanes[3];
            view.vy = lanes[4];
            view.vz = lanes[5];
            view.position_stride = view.velocity_stride = sizeof(float);
            ploy_points3 packed = {lanes[6], lanes[7], lanes[8], sizeof(float), SCENE_AGENTS};
            ploy_steerings3 packed_out;
            memset(&packed_out, 0, sizeof packed_out);
            packed_out.count = SCENE_AGENTS;
            packed_out.x = lanes[9];
            packed_out.y = lanes[10];
            packed_out.z = lanes[11];
            packed_out.stride = sizeof(float);
            CHECK_OK(approach3_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS, &packed,
                                     &packed_out));
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                ploy_vec3 linear = {lanes[9][i], lanes[10][i], lanes[11][i]};
                CHECK_BYTES(&linear, &want[i].linear, sizeof linear);
            }
        }
    }
}

TEST(kinematic_batches_give_the_bits_of_single_and_stand_still_without_a_request) {
    static ploy_kinematic agents[SCENE_AGENTS], moved[SCENE_AGENTS];
    static ploy_kinematic3 agents3[SCENE_AGENTS], moved3[SCENE_AGENTS];
    static ploy_vec2 targets[SCENE_AGENTS];
    static ploy_vec3 targets3[SCENE_AGENTS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int32_t i = 0; i < SCENE_AGENTS; i++) {
            agents[i] = scene_agent(&rng);
            targets[i] = scene_target(&rng, agents[i].position);
            agents3[i] = scene_agent3(&rng);
            targets3[i] = scene_target3(&rng, agents3[i].position);
        }
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            memcpy(moved, agents, sizeof moved);
            memcpy(moved3, agents3, sizeof moved3);
            ploy_kinematics view = ploy_kinematics_of(moved, SCENE_AGENTS);
            ploy_kinematics3 view3 = ploy_kinematics3_of(moved3, SCENE_AGENTS);
            ploy_points points = ploy_points_make(targets, SCENE_AGENTS);
            ploy_points3 points3 = ploy_points3_make(targets3, SCENE_AGENTS);
            CHECK_OK(approach_velocity_batch((approach_kind)kind, &defs, &view, 0, SCENE_AGENTS,
                                             &points));
            CHECK_OK(approach3_velocity_batch((approach_kind)kind, &defs, &view3, 0, SCENE_AGENTS,
                                              &points3));
            for (int32_t i = 0; i < SCENE_AGENTS; i++) {
                ploy_kinematic_output motion =
                    approach_velocity((approach_kind)kind, &defs, agents[i].position, targets[i]);
                ploy_kinematic want = ploy_kinematic_output_apply(motion, agents[i]);
                CHECK_BYTES(&moved[i], &want, sizeof want);
                if (!motion.requested) CHECK(ploy_vec2_is_zero(motion.velocity));
                CHECK(ploy_vec2_length(motion.velocity) <= 5.0f * 1.000001f);
                ploy_kinematic3_output motion3 = approach3_velocity(
                    (approach_kind)kind, &defs, agents3[i].position, targets3[i]);
                ploy_kinematic3 want3 = ploy_kinematic3_output_apply(motion3, agents3[i]);
                CHECK_BYTES(&moved3[i], &want3, sizeof want3);
            }
        }
    }
}

TEST(space_with_nothing_along_z_is_the_plane) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agent = scene_agent(&rng);
        ploy_vec2 target = scene_target(&rng, agent.position);
        ploy_kinematic3 agent3 =
            ploy_kinematic3_make(ploy_vec3_make(agent.position.x, agent.position.y, 0.0f));
        agent3.velocity = ploy_vec3_make(agent.velocity.x, agent.velocity.y, 0.0f);
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            ploy_steering plane = approach_one((approach_kind)kind, &defs, agent, target);
            ploy_steering3 space = approach3_one((approach_kind)kind, &defs, agent3,
                                                 ploy_vec3_make(target.x, target.y, 0.0f));
            CHECK_SAME(space.linear.x, plane.linear.x);
            CHECK_SAME(space.linear.y, plane.linear.y);
            CHECK_SAME(space.linear.z, 0.0f);
            CHECK_UINT(space.requested, plane.requested);
        }
    }
}

TEST(accelerations_are_finite_and_never_longer_than_allowed) {
    static const float limits[] = {0.0f, 1e-3f, 10.0f, 1e9f};
    static const float times[] = {1e-3f, 0.1f, 1.0f, 1e4f};
    static const float speeds[] = {0.0f, 5.0f, 1e6f};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            float limit = limits[ploy_rng_int(&rng, 0, 3)];
            float time = times[ploy_rng_int(&rng, 0, 3)];
            float speed = speeds[ploy_rng_int(&rng, 0, 2)];
            defs.seek.max_acceleration = limit;
            defs.flee.max_acceleration = limit;
            defs.arrive.max_acceleration = limit;
            defs.seek.time_to_target = defs.flee.time_to_target = time;
            defs.arrive.time_to_target = time;
            defs.seek.max_speed = defs.flee.max_speed = defs.arrive.max_speed = speed;
            defs.arrive.slow_radius = scene_number(&rng, 0.0f) == 0.0f ? 0.0f : 1e9f;
            for (int32_t i = 0; i < 50; i++) {
                ploy_kinematic agent = scene_agent(&rng);
                ploy_vec2 target = scene_target(&rng, agent.position);
                ploy_steering out = approach_one((approach_kind)kind, &defs, agent, target);
                CHECK(ploy_vec2_is_finite(out.linear));
                CHECK(ploy_vec2_length(out.linear) <= limit * 1.000001f + 1e-15f);
                CHECK(out.angular == 0.0f);
                if (!out.requested) CHECK(ploy_vec2_is_zero(out.linear));
                ploy_kinematic3 agent3 = scene_agent3(&rng);
                ploy_vec3 target3 = scene_target3(&rng, agent3.position);
                ploy_steering3 out3 = approach3_one((approach_kind)kind, &defs, agent3, target3);
                CHECK(ploy_vec3_is_finite(out3.linear));
                CHECK(ploy_vec3_length(out3.linear) <= limit * 1.000001f + 1e-15f);
            }
        }
    }
}

// Whole positions and eighths of speeds, so that moving a scene by up to 2^20 m loses no digit.
static ploy_kinematic whole_agent(ploy_rng *rng) {
    ploy_kinematic agent = ploy_kinematic_make(scene_whole2(rng, 30), 0.0f);
    agent.velocity = ploy_vec2_scale(scene_whole2(rng, 40), 0.125f);
    return agent;
}

TEST(moved_turned_and_mirrored_scenes_give_moved_turned_and_mirrored_results) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agent = whole_agent(&rng);
        ploy_vec2 target = whole_agent(&rng).position;
        ploy_vec2 shift = scene_whole2(&rng, 1 << 20);
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            ploy_steering out = approach_one((approach_kind)kind, &defs, agent, target);
            ploy_kinematic moved = agent;
            moved.position = ploy_vec2_add(agent.position, shift);
            ploy_steering got =
                approach_one((approach_kind)kind, &defs, moved, ploy_vec2_add(target, shift));
            CHECK_SAME(got.linear.x, out.linear.x);
            CHECK_SAME(got.linear.y, out.linear.y);
            got = approach_one((approach_kind)kind, &defs, scene_turn_agent(agent),
                               scene_turn(target));
            CHECK_SAME(got.linear.x, -out.linear.y);
            CHECK_SAME(got.linear.y, out.linear.x);
            got = approach_one((approach_kind)kind, &defs, scene_mirror_agent(agent),
                               scene_mirror(target));
            CHECK_SAME(got.linear.x, out.linear.x);
            CHECK_SAME(got.linear.y, -out.linear.y);
            // Any other angle, but for rounding. Boundaries of radii may fall either way then.
            if (approach_is_arrive((approach_kind)kind) || kind == APPROACH_FLEE_PANIC) continue;
            float angle = ploy_rng_range(&rng, -3.0f, 3.0f);
            ploy_kinematic turned = agent;
            turned.position = ploy_vec2_rotate(agent.position, angle);
            turned.velocity = ploy_vec2_rotate(agent.velocity, angle);
            got = approach_one((approach_kind)kind, &defs, turned, ploy_vec2_rotate(target, angle));
            ploy_vec2 want = ploy_vec2_rotate(out.linear, angle);
            if (ploy_vec2_equal(agent.position, target)) continue; // no direction to be turned
            CHECK_NEAR(got.linear.x, want.x, 2e-3);
            CHECK_NEAR(got.linear.y, want.y, 2e-3);
        }
    }
}

TEST(mirroring_space_along_any_axis_mirrors_the_result) {
    for (uint64_t seed = 1; seed <= 100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic3 agent = scene_agent3(&rng);
        ploy_vec3 target = scene_target3(&rng, agent.position);
        for (int kind = 0; kind < APPROACH_KINDS; kind++) {
            t->row = approach_names[kind];
            approach_defs defs = approach_make((approach_kind)kind);
            ploy_steering3 out = approach3_one((approach_kind)kind, &defs, agent, target);
            ploy_kinematic3 up = agent;
            up.position.z = -agent.position.z;
            up.velocity.z = -agent.velocity.z;
            ploy_steering3 got = approach3_one((approach_kind)kind, &defs, up,
                                               ploy_vec3_make(target.x, target.y, -target.z));
            CHECK_SAME(got.linear.x, out.linear.x);
            CHECK_SAME(got.linear.z, -out.linear.z);
            // A quarter turn about up.
            ploy_kinematic3 turned = agent;
            turned.position = ploy_vec3_make(-agent.position.y, agent.position.x, agent.position.z);
            turned.velocity = ploy_vec3_make(-agent.velocity.y, agent.velocity.x, agent.velocity.z);
            got = approach3_one((approach_kind)kind, &defs, turned,
                                ploy_vec3_make(-target.y, target.x, target.z));
            CHECK_SAME(got.linear.x, -out.linear.y);
            CHECK_SAME(got.linear.y, out.linear.x);
            CHECK_SAME(got.linear.z, out.linear.z);
        }
    }
}

TEST(bad_arguments_are_refused_and_nothing_is_written) {
    static ploy_kinematic agents[4];
    static ploy_steering out[4], untouched[4];
    ploy_vec2 target = {1.0f, 2.0f};
    ploy_kinematics good = ploy_kinematics_of(agents, 4);
    ploy_points points = ploy_points_one(&target);
    ploy_steerings steerings = ploy_steerings_of(out, 4);
    memset(out, 0x55, sizeof out);
    memcpy(untouched, out, sizeof out);
    for (int kind = 0; kind < APPROACH_KINDS; kind++) {
        t->row = approach_names[kind];
        approach_kind k = (approach_kind)kind;
        approach_defs defs = approach_make(k);
        approach_defs bad = defs;
        bad.seek.max_speed = bad.flee.max_speed = bad.arrive.max_speed = NAN;
        ploy_kinematics missing = good;
        missing.vx = NULL;
        ploy_kinematics crooked = good;
        crooked.position_stride = 6;
        ploy_kinematics heap = good; // all agents in one place
        heap.velocity_stride = 0;
        ploy_points nowhere = points;
        nowhere.y = NULL;
        ploy_points few = ploy_points_make(&target, 1);
        ploy_steerings lost = steerings;
        lost.x = NULL;
        CHECK_INT(approach_batch(k, &defs, &good, 0, 5, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, -1, 2, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 4, 1, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &bad, &good, 0, 4, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, NULL, 0, 4, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &missing, 0, 4, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &crooked, 0, 4, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &heap, 0, 4, &points, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 0, 4, &nowhere, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 0, 4, &few, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 0, 4, NULL, &steerings), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 0, 4, &points, &lost), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_batch(k, &defs, &good, 0, 4, &points, NULL), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_velocity_batch(k, &bad, &good, 0, 4, &points), PLOY_ERR_ARGUMENT);
        CHECK_INT(approach_velocity_batch(k, &defs, &good, 1, 4, &points), PLOY_ERR_ARGUMENT);
        CHECK_BYTES(out, untouched, sizeof out);
        CHECK_OK(approach_batch(k, &defs, &good, 4, 0, &points, &steerings)); // nobody is fine
        CHECK_BYTES(out, untouched, sizeof out);
        CHECK_UINT(approach_one(k, &bad, agents[0], target).requested, PLOY_STEERING_INVALID);
        CHECK_UINT(approach_velocity(k, &bad, agents[0].position, target).requested,
                   PLOY_STEERING_INVALID);
    }
}

#if PLOY_DEBUG_CHECKS
TEST(debug_builds_refuse_numbers_that_are_none) {
    static ploy_kinematic agents[3];
    static ploy_steering out[3];
    ploy_vec2 target = {1.0f, 2.0f};
    ploy_seek_def def = ploy_seek_def_default();
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    ploy_points points = ploy_points_one(&target);
    ploy_steerings steerings = ploy_steerings_of(out, 3);
    CHECK_OK(ploy_seek_batch(&def, &view, 0, 3, &points, &steerings));
    agents[2].velocity.y = NAN;
    CHECK_INT(ploy_seek_batch(&def, &view, 0, 3, &points, &steerings), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_seek_batch(&def, &view, 0, 2, &points, &steerings)); // not in the range
    agents[2].velocity.y = 2e6f;
    CHECK_INT(ploy_seek_batch(&def, &view, 0, 3, &points, &steerings), PLOY_ERR_ARGUMENT);
    agents[2].velocity.y = 0.0f;
    target.x = 2e9f;
    CHECK_INT(ploy_seek_batch(&def, &view, 0, 3, &points, &steerings), PLOY_ERR_ARGUMENT);
}
#endif
