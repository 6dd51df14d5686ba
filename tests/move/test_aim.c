// Aiming by trial: PHY-07, PHY-08, PHY-09.
#include "move/move_internal.h"
#include "ploy/move/aim.h"

#include "ploy/base/math.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_aim_def fine_aim(void) {
    ploy_aim_def def = ploy_aim_def_default();
    def.speed = 20.0f;
    def.margin = 1e-3f;
    def.interval = 0.01f;
    return def;
}

TEST(elevations_with_drag_are_those_of_the_table) {
    // PHY-07, the corrected search: elevation in degrees and time of both arcs.
    static const struct {
        float drag, x, y;
        double low, low_time, high, high_time;
    } rows[] = {
        {0.1f, 20.0f, 0.0f, 15.9148689, 1.0979897, 70.8314297, 3.6320250},
        {0.5f, 15.0f, 0.0f, 15.1235499, 0.9835299, 60.5757050, 2.8821165},
        {0.1f, 10.0f, 8.0f, 47.1823329, 0.7641180, 79.6103537, 3.2469455},
        {0.1f, 20.0f, -5.0f, 0.7436115, 1.0536987, 72.1007826, 3.9358899},
        {0.5f, 20.5f, 0.0f, 30.7607011, 1.8147022, 40.3721747, 2.2337683},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_flight_def air = ploy_flight_def_default();
        air.drag = rows[i].drag;
        ploy_flight flight = ploy_flight_make(&air);
        ploy_aim_def def = fine_aim();
        ploy_vec3 to = {rows[i].x, 0.0f, rows[i].y};
        ploy_aim aim;
        CHECK_OK(ploy_aim_find(&def, &flight, ploy_vec3_zero(), to, &aim));
        CHECK_NEAR((double)aim.elevation * 180.0 / PLOY_PI, rows[i].low, 0.02);
        CHECK_NEAR(aim.time, rows[i].low_time, 1e-3);
        CHECK(aim.miss <= def.margin);
        CHECK(aim.trials <= ployi_aim_trials_max(&def));
        def.arc = PLOY_ARC_HIGH;
        CHECK_OK(ploy_aim_find(&def, &flight, ploy_vec3_zero(), to, &aim));
        CHECK_NEAR((double)aim.elevation * 180.0 / PLOY_PI, rows[i].high, 0.02);
        CHECK_NEAR(aim.time, rows[i].high_time, 2e-3);
    }
    ploy_flight_def air = ploy_flight_def_default();
    air.drag = 0.5f;
    ploy_flight flight = ploy_flight_make(&air);
    ploy_aim_def def = fine_aim();
    ploy_aim aim = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, -1.0f, 0.0f, 0};
    CHECK_INT(
        ploy_aim_find(&def, &flight, ploy_vec3_zero(), ploy_vec3_make(20.8f, 0.0f, 0.0f), &aim),
        PLOY_ERR_NOT_FOUND);
    CHECK_SAME(aim.time, -1.0f);
}

// Flies an answer again, in steps of its own, and says how near it comes.
static double fly_again(const ploy_flight *flight, ploy_vec3 from, ploy_vec3 to,
                        const ploy_aim *aim, float speed) {
    ploy_flyer ball = {from, ploy_vec3_scale(aim->direction, speed), 0.0f};
    double nearest = INFINITY;
    while (ball.time < aim->time + 0.2f) {
        nearest = fmin(nearest, (double)ploy_vec3_distance(ball.position, to));
        ball = ploy_flight_step(flight, ball, 0.001f);
    }
    return nearest;
}

TEST(it_hits_within_the_margin_or_says_it_cannot) {
    int64_t hits = 0, misses = 0, limits = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_flight_def air = ploy_flight_def_default();
        air.drag = ploy_rng_range(&rng, 0.0f, 0.4f);
        air.drag_squared = ploy_rng_chance(&rng, 0.5f) ? ploy_rng_range(&rng, 0.0f, 0.01f) : 0.0f;
        if (ploy_rng_chance(&rng, 0.5f)) {
            air.wind = scene_near3(&rng, 6.0f);
            air.wind.z = 0.0f;
        }
        air.step = 0.02f;
        ploy_flight flight = ploy_flight_make(&air);
        ploy_aim_def def = ploy_aim_def_default();
        def.arc = ploy_rng_chance(&rng, 0.5f) ? PLOY_ARC_LOW : PLOY_ARC_HIGH;
        def.interval = 0.02f;
        ploy_vec3 from = scene_near3(&rng, 5.0f), to = scene_near3(&rng, 22.0f);
        to.z *= 0.3f;
        ploy_aim aim;
        ploy_result result = ploy_aim_find(&def, &flight, from, to, &aim);
        if (result == PLOY_OK) {
            hits++;
            CHECK_NEAR(fly_again(&flight, from, to, &aim, def.speed), 0.0, 0.13);
        } else {
            CHECK(result == PLOY_ERR_NOT_FOUND || result == PLOY_ERR_LIMIT);
            misses += result == PLOY_ERR_NOT_FOUND;
            limits += result == PLOY_ERR_LIMIT;
        }
        // Without drag and wind it is the formula.
        air = ploy_flight_def_default();
        flight = ploy_flight_make(&air);
        ploy_shot shots[2];
        bool can = ploy_firing_find(from, to, def.speed, air.gravity, shots) == 2;
        result = ploy_aim_find(&def, &flight, from, to, &aim);
        if (can && shots[1].time - shots[0].time > 0.5f &&
            shots[def.arc].time < 0.9f * def.max_time) {
            CHECK_OK(result);
            CHECK_NEAR(aim.time, shots[def.arc].time, 0.05);
        } else if (!can) {
            CHECK(result == PLOY_ERR_NOT_FOUND || aim.miss <= def.margin);
        }
    }
    CHECK(hits > 20);
    CHECK(limits <= misses + 2);
}

// Flat shots fall at once and were taken for better than those that pass far below.
TEST(high_targets_nearby_are_hit) {
    static const float ranges[] = {0.5f, 1.0f, 2.0f, 3.7f, 6.0f, 10.0f};
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        for (int32_t height = -10; height < 18; height++) {
            ploy_flight_def air = ploy_flight_def_default();
            ploy_flight flight = ploy_flight_make(&air);
            ploy_aim_def def = ploy_aim_def_default();
            def.interval = 0.02f;
            ploy_vec3 to = {ranges[i], 0.0f, (float)height};
            ploy_shot shots[2];
            if (ploy_firing_find(ploy_vec3_zero(), to, def.speed, air.gravity, shots) < 2) continue;
            for (def.arc = PLOY_ARC_LOW; def.arc <= PLOY_ARC_HIGH; def.arc++) {
                ploy_aim aim;
                CHECK_OK(ploy_aim_find(&def, &flight, ploy_vec3_zero(), to, &aim));
                CHECK_NEAR(aim.time, shots[def.arc].time, 0.05);
            }
        }
    }
}

TEST(crosswind_turns_the_bearing_against_it) {
    // PHY-08.
    ploy_flight_def air = ploy_flight_def_default();
    air.drag = 0.3f;
    air.wind = ploy_vec3_make(0.0f, 8.0f, 0.0f);
    ploy_flight flight = ploy_flight_make(&air);
    ploy_aim_def def = ploy_aim_def_default();
    ploy_aim aim;
    ploy_vec3 to = {15.0f, 0.0f, 0.0f};
    CHECK_OK(ploy_aim_find(&def, &flight, ploy_vec3_zero(), to, &aim));
    CHECK(aim.bearing < -0.02f);
    CHECK_NEAR(fly_again(&flight, ploy_vec3_zero(), to, &aim, def.speed), 0.0, 0.12);
    def.rounds = 1; // no correction allowed
    CHECK_INT(ploy_aim_find(&def, &flight, ploy_vec3_zero(), to, &aim), PLOY_ERR_LIMIT);
}

// PHY-09: a small physics of its own, with a gravity well beside the way and a moving target.
typedef struct well_world {
    ploy_vec3 position, velocity, moved, target_velocity;
    int32_t begun;
} well_world;

static bool well_begin(void *user, ploy_vec3 from, ploy_vec3 velocity) {
    well_world *world = user;
    world->position = from;
    world->velocity = velocity;
    world->moved = ploy_vec3_zero();
    world->begun++;
    return true;
}

static bool well_step(void *user, float dt, ploy_vec3 *position, ploy_vec3 *target_moved) {
    well_world *world = user;
    ploy_vec3 pull = ploy_vec3_sub(ploy_vec3_make(8.0f, -6.0f, 0.0f), world->position);
    float square = ploy_vec3_length_sq(pull) + 4.0f;
    ploy_vec3 a = ploy_vec3_scale(pull, 60.0f / (square * sqrtf(square)));
    a.z -= 9.81f;
    world->velocity = ploy_vec3_add_scaled(world->velocity, a, dt);
    world->position = ploy_vec3_add_scaled(world->position, world->velocity, dt);
    world->moved = ploy_vec3_add_scaled(world->moved, world->target_velocity, dt);
    *position = world->position;
    *target_moved = world->moved;
    return true;
}

TEST(any_physics_can_stand_behind_it) {
    well_world world = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1.0f, -1.5f, 0.0f}, 0};
    ploy_shot_world interface = {well_begin, well_step, &world};
    ploy_aim_def def = ploy_aim_def_default();
    def.interval = 0.02f;
    ploy_aim aim;
    ploy_vec3 to = {16.0f, 2.0f, 1.0f};
    CHECK_OK(ploy_aim_find_in(&def, &interface, ploy_vec3_zero(), to, &aim));
    CHECK_INT(world.begun, aim.trials);
    double nearest = INFINITY;
    well_begin(&world, ploy_vec3_zero(), ploy_vec3_scale(aim.direction, def.speed));
    for (int i = 0; i < 200; i++) {
        ploy_vec3 at, moved;
        well_step(&world, 0.02f, &at, &moved);
        nearest = fmin(nearest, (double)ploy_vec3_distance(at, ploy_vec3_add(to, moved)));
    }
    CHECK(nearest < 0.35); // samples are 0.4 m apart
}

TEST(upright_targets_and_bad_arguments_are_defined) {
    ploy_flight_def air = ploy_flight_def_default();
    ploy_flight flight = ploy_flight_make(&air);
    ploy_aim_def def = ploy_aim_def_default();
    ploy_aim aim;
    ploy_vec3 zero = ploy_vec3_zero();
    CHECK_OK(ploy_aim_find(&def, &flight, zero, ploy_vec3_make(0.0f, 0.0f, 10.0f), &aim));
    CHECK_SAME(aim.direction.z, 1.0f);
    CHECK_INT(ploy_aim_find(&def, &flight, zero, ploy_vec3_make(0.0f, 0.0f, 30.0f), &aim),
              PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_aim_find(&def, &flight, zero, ploy_vec3_make(0.0f, 0.0f, -30.0f), &aim));
    CHECK_SAME(aim.direction.z, -1.0f);
    CHECK_INT(ploy_aim_find(&def, &flight, zero, ploy_vec3_make(NAN, 0.0f, 0.0f), &aim),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_aim_find(&def, NULL, zero, zero, &aim), PLOY_ERR_ARGUMENT);
    def.margin = NAN;
    CHECK_INT(ploy_aim_find(&def, &flight, zero, zero, &aim), PLOY_ERR_ARGUMENT);
    def = ploy_aim_def_default();
    flight.def.drag = -1.0f;
    CHECK_INT(ploy_aim_find(&def, &flight, zero, zero, &aim), PLOY_ERR_ARGUMENT);
}

TEST(the_trace_says_which_arc_and_why_not) {
    ploy_aim_def def = ploy_aim_def_default();
    ploy_flight_def air = ploy_flight_def_default();
    ploy_flight flight = ploy_flight_make(&air);
    static const float ways[2] = {20.0f, 80.0f};
    static const char *const winners[2] = {"low", ""};
    for (int i = 0; i < 2; i++) {
        ploy_aim aim;
        ploy_result result = ploy_aim_find(&def, &flight, ploy_vec3_zero(),
                                           ploy_vec3_make(ways[i], 0.0f, 0.0f), &aim);
        scene_told told;
        ploy_trace trace = scene_trace(&told);
        ploy_aim_trace(&def, result, &aim, ploy_agent_id_make(1, 1), &trace);
        CHECK_INT(told.depth, 0);
        CHECK_INT(told.options, 2);
        CHECK_TEXT(told.winner, winners[i]);
    }
}
