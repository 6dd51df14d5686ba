// Smaller steps come nearer to the truth, by the order that each way of stepping has.
//
// First order means that half the step leaves half the error: semi-implicit and Newton-Euler steps
// take the acceleration of the step's start for all of it, and so does the second-order one, which
// is exact while that does not change and of first order where a behavior changes it. Flight in air
// steps by Runge and Kutta's method, of fourth order.
#include "ploy/move/arrive.h"
#include "ploy/move/flight.h"
#include "tests/move/behaviors.h"
#include "tests/test.h"

enum { RATE = 32, TRUTH = 512, HALVINGS = 3 };

// ---- bodies ----

// A body carried over a second in `rate` steps; where it ends.
typedef struct body_row {
    const char *name;
    ploy_vec3 (*run)(int32_t rate, int32_t option);
    int32_t option;
    int32_t order; // 0: exact
} body_row;

// Free of limits, so that no corner is cut.
static ploy_integrate_def free_def(int32_t integrator) {
    ploy_integrate_def def = ploy_integrate_def_default();
    def.integrator = (ploy_integrator)integrator;
    def.facing = PLOY_FACING_FREE;
    def.max_speed = PLOY_SPEED_MAX_MPS;
    return def;
}

static ploy_kinematic thrown(void) {
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(2.0f, -1.0f), 0.4f);
    agent.velocity = ploy_vec2_make(1.0f, 3.0f);
    agent.rotation = 0.8f;
    return agent;
}

// Toward the origin, braked: an acceleration that changes with place and speed.
static ploy_vec3 run_spring(int32_t rate, int32_t integrator) {
    ploy_integrate_def def = free_def(integrator);
    ploy_kinematic agent = thrown();
    for (int32_t i = 0; i < rate; i++) {
        ploy_vec2 pull = ploy_vec2_scale(agent.position, -4.0f);
        pull = ploy_vec2_add_scaled(pull, agent.velocity, -0.5f);
        agent = ploy_integrate(&def, agent, ploy_steering_make(pull, -agent.orientation),
                               1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(agent.position, agent.orientation);
}

static ploy_vec3 run_spring3(int32_t rate, int32_t integrator) {
    ploy_integrate_def def = free_def(integrator);
    ploy_kinematic3 agent = scene_raise(thrown());
    agent.velocity.z = -2.0f;
    for (int32_t i = 0; i < rate; i++) {
        ploy_vec3 pull = ploy_vec3_scale(agent.position, -4.0f);
        agent = ploy_integrate3(&def, agent, ploy_steering3_make(pull, ploy_vec3_zero()),
                                1.0f / (float)rate);
    }
    return agent.position;
}

static ploy_vec3 run_constant(int32_t rate, int32_t integrator) {
    ploy_integrate_def def = free_def(integrator);
    ploy_kinematic agent = thrown();
    ploy_steering push = ploy_steering_make(ploy_vec2_make(2.0f, -3.0f), 0.5f);
    for (int32_t i = 0; i < rate; i++) {
        agent = ploy_integrate(&def, agent, push, 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(agent.position, agent.orientation);
}

// Drag alone: the velocity, which is exact, and the way, which is not.
static ploy_vec3 run_drag(int32_t rate, int32_t way) {
    ploy_integrate_def def = free_def(PLOY_INTEGRATOR_SEMI_IMPLICIT);
    def.drag = 2.0f;
    ploy_kinematic agent = thrown();
    for (int32_t i = 0; i < rate; i++) {
        agent = ploy_integrate(&def, agent, ploy_steering_none(), 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(way != 0 ? agent.position : agent.velocity, 0.0f);
}

static ploy_vec3 run_craft(int32_t rate, int32_t integrator) {
    ploy_craft_def def = ploy_craft_def_default();
    def.integrator = (ploy_integrator)integrator;
    ploy_craft_controls controls = {0.8f, 0.3f};
    ploy_kinematic craft = thrown();
    for (int32_t i = 0; i < rate; i++) {
        craft = ploy_craft_step(&def, craft, controls, 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(craft.position, craft.orientation);
}

static ploy_vec3 run_mover(int32_t rate, int32_t option) {
    ploy_movers_def def = ploy_movers_def_default();
    def.max_speed = def.max_acceleration = 100.0f;
    ploy_kinematic agent = thrown();
    (void)option;
    for (int32_t i = 0; i < rate; i++) {
        ploy_vec2 pull = ploy_vec2_scale(agent.position, -4.0f);
        agent = ploy_mover_step(&def, agent, ploy_steering_make(pull, 0.0f), 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(agent.position, 0.0f);
}

static ploy_vec3 run_motor(int32_t rate, int32_t body) {
    ploy_motor_def def = ploy_motor_def_of((ploy_motor_body)body);
    ploy_motor_output output = {PLOY_MOTOR_FORWARD, 0.5f, 0.0f, 0.3f, {0.0f, 0.0f}, 0.0f};
    ploy_kinematic agent = thrown();
    agent.velocity = ploy_vec2_scale(ploy_angle_heading(agent.orientation), 4.0f);
    for (int32_t i = 0; i < rate; i++) {
        agent = ploy_motor_drive(&def, agent, output, 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(agent.position, 0.0f);
}

// A mover without inertia that slows down where it arrives.
static ploy_vec3 run_kinematic(int32_t rate, int32_t option) {
    ploy_arrive_def def = ploy_arrive_def_default();
    def.slow_radius = 10.0f;
    def.target_radius = 0.0f;
    ploy_integrate_def motion = free_def(PLOY_INTEGRATOR_SEMI_IMPLICIT);
    ploy_kinematic agent = thrown();
    (void)option;
    for (int32_t i = 0; i < rate; i++) {
        ploy_vec2 to = ploy_vec2_make(5.0f, 1.0f);
        agent = ploy_kinematic_output_apply(ploy_arrive_velocity(&def, agent.position, to), agent);
        agent = ploy_integrate(&motion, agent, ploy_steering_none(), 1.0f / (float)rate);
    }
    return ploy_vec3_from_vec2(agent.position, 0.0f);
}

// Through air: by the formula, or by steps of one rate-th.
static ploy_vec3 run_flight(int32_t rate, int32_t squared) {
    ploy_flight_def def = ploy_flight_def_default();
    def.drag = squared != 0 ? 0.0f : 0.7f;
    def.drag_squared = squared != 0 ? 0.05f : 0.0f;
    def.wind = ploy_vec3_make(3.0f, 0.0f, 0.0f);
    def.step = 1.0f / (float)rate;
    ploy_flight flight = ploy_flight_make(&def);
    ploy_flyer flyer = {{0.0f, 0.0f, 0.0f}, {-5.0f, 20.0f, 15.0f}, 0.0f};
    for (int32_t i = 0; i < rate; i++) flyer = ploy_flight_step(&flight, flyer, def.step);
    return flyer.position;
}

static void check_order(test_context *t, const body_row *row, int32_t rate) {
    t->row = row->name;
    ploy_vec3 truth = row->run(32 * rate, row->option);
    double errors[HALVINGS];
    for (int32_t k = 0; k < HALVINGS; k++) {
        errors[k] = (double)ploy_vec3_distance(row->run(rate << k, row->option), truth);
    }
    if (row->order == 0) {
        CHECK_NEAR(errors[0], 0.0, 1e-4);
        return;
    }
    // Half the step leaves 1 / 2^order of the error. The truth is itself off by a thirty-second of
    // the first, and of the last errors in high orders only rounding is left.
    double share = 1.0 / (double)(1 << row->order);
    CHECK(errors[0] > 1e-4);
    CHECK(errors[1] > 0.75 * share * errors[0] && errors[1] < 1.25 * share * errors[0]);
    if (row->order > 1) return;
    CHECK(errors[2] > 0.75 * share * errors[1] && errors[2] < 1.25 * share * errors[1]);
}

TEST(bodies_come_nearer_to_the_truth_by_their_order) {
    static const body_row rows[] = {
        {"semi-implicit", run_spring, PLOY_INTEGRATOR_SEMI_IMPLICIT, 1},
        {"newton-euler", run_spring, PLOY_INTEGRATOR_NEWTON_EULER, 1},
        {"second order", run_spring, PLOY_INTEGRATOR_SECOND_ORDER, 1},
        {"semi-implicit in space", run_spring3, PLOY_INTEGRATOR_SEMI_IMPLICIT, 1},
        {"newton-euler in space", run_spring3, PLOY_INTEGRATOR_NEWTON_EULER, 1},
        {"second order in space", run_spring3, PLOY_INTEGRATOR_SECOND_ORDER, 1},
        {"semi-implicit, constant", run_constant, PLOY_INTEGRATOR_SEMI_IMPLICIT, 1},
        {"newton-euler, constant", run_constant, PLOY_INTEGRATOR_NEWTON_EULER, 1},
        {"second order, constant", run_constant, PLOY_INTEGRATOR_SECOND_ORDER, 0},
        {"drag on the velocity", run_drag, 0, 0},
        {"drag on the way", run_drag, 1, 1},
        {"craft, semi-implicit", run_craft, PLOY_INTEGRATOR_SEMI_IMPLICIT, 1},
        {"craft, newton-euler", run_craft, PLOY_INTEGRATOR_NEWTON_EULER, 1},
        {"craft, second order", run_craft, PLOY_INTEGRATOR_SECOND_ORDER, 1},
        {"mover", run_mover, 0, 1},
        {"human", run_motor, PLOY_MOTOR_HUMAN, 1},
        {"car", run_motor, PLOY_MOTOR_CAR, 1},
        {"motorbike", run_motor, PLOY_MOTOR_MOTORBIKE, 1},
        {"tank", run_motor, PLOY_MOTOR_TANK, 1},
        {"kinematic", run_kinematic, 0, 1},
        {"flight by the formula", run_flight, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_order(t, &rows[i], RATE);
    static const body_row air = {"flight by steps", run_flight, 1, 4};
    check_order(t, &air, 4);
}

// ---- behaviors ----

// Where an agent is, and how it looks, after half a second in steps of 1 / rate, the others keeping
// their velocities. Later most who turn are there, and ask for nothing from one moment to the next.
static ploy_vec3 carried_out(const behavior *b, ploy_kinematic agent, const ploy_kinematic *start,
                             int32_t rate) {
    ploy_kinematic o[OTHERS];
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.facing = PLOY_FACING_FREE;
    memcpy(o, start, sizeof o);
    for (int32_t tick = 0; tick < rate / 2; tick++) {
        agent = ploy_integrate(&motion, agent, b->one(agent, o), 1.0f / (float)rate);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i].position = ploy_vec2_add_scaled(o[i].position, o[i].velocity, 1.0f / (float)rate);
        }
    }
    return ploy_vec3_from_vec2(agent.position, agent.orientation);
}

static ploy_kinematic3 carried_out3(const behavior *b, ploy_kinematic3 agent,
                                    const ploy_kinematic3 *start, int32_t rate) {
    ploy_kinematic3 o[OTHERS];
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.facing = PLOY_FACING_FREE;
    memcpy(o, start, sizeof o);
    for (int32_t tick = 0; tick < rate / 2; tick++) {
        agent = ploy_integrate3(&motion, agent, b->one3(agent, o), 1.0f / (float)rate);
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i].position = ploy_vec3_add_scaled(o[i].position, o[i].velocity, 1.0f / (float)rate);
        }
    }
    return agent;
}

static ploy_kinematic3 ordinary3(ploy_rng *rng) {
    ploy_kinematic3 agent;
    agent.position = scene_near3(rng, 15.0f);
    ploy_vec3 axis = scene_near3(rng, 1.0f);
    agent.orientation = ploy_quat_from_axis_angle(axis, ploy_rng_range(rng, -2.5f, 2.5f));
    agent.velocity = scene_near3(rng, 4.0f);
    agent.rotation = scene_near3(rng, 1.0f);
    return agent;
}

// Errors at RATE, twice and four times that, summed over scenes: at the moments at which a request
// begins or ends to be cut there is a corner, so single scenes may stray. Scenes whose ways part,
// such as a turn to what is right behind, left about or right about, have no order: they are
// counted. A request of 10 m/s^2 over half a second leaves 0.02 m in the smallest steps, far below.
static int64_t behavior_errors(const behavior *b, bool space, int64_t rounds,
                               double errors[HALVINGS]) {
    const double part = 0.5;
    int64_t parted = 0;
    for (int64_t round = 0; round < rounds; round++) {
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_ordinary(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = ordinary3(&rng), o3[OTHERS];
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = scene_ordinary(&rng);
            o3[i] = ordinary3(&rng);
        }
        double here[HALVINGS];
        ploy_vec3 truth = ploy_vec3_zero();
        ploy_kinematic3 truth3 = agent3;
        if (space) {
            truth3 = carried_out3(b, agent3, o3, TRUTH);
        } else {
            truth = carried_out(b, agent, o, TRUTH);
        }
        for (int32_t k = 0; k < HALVINGS; k++) {
            if (space) {
                ploy_kinematic3 at = carried_out3(b, agent3, o3, RATE << k);
                ploy_vec3 nose = ploy_quat_forward(at.orientation);
                here[k] = (double)ploy_vec3_distance(at.position, truth3.position) +
                          (double)ploy_vec3_distance(nose, ploy_quat_forward(truth3.orientation));
            } else {
                ploy_vec3 at = carried_out(b, agent, o, RATE << k);
                double turn = (double)ploy_angle_wrap(at.z - truth.z);
                at.z = truth.z;
                here[k] = (double)ploy_vec3_distance(at, truth) + fabs(turn);
            }
        }
        if (here[HALVINGS - 1] > part) {
            parted++;
            continue;
        }
        for (int32_t k = 0; k < HALVINGS; k++) errors[k] += here[k];
    }
    return parted;
}

TEST(halving_the_step_halves_the_error_of_what_has_no_corners) {
    for (size_t i = 0; i < COUNT_OF(behaviors); i++) {
        const behavior *b = &behaviors[i];
        for (int32_t space = 0; space < (b->one3 != NULL ? 2 : 1); space++) {
            t->row = b->name;
            if (!b->smooth) continue;
            double errors[HALVINGS] = {0.0};
            int64_t rounds = test_rounds(10);
            int64_t parted = behavior_errors(b, space == 1, rounds, errors);
            CHECK(parted * 100 <= rounds);
            CHECK(errors[1] < 0.65 * errors[0] && errors[1] > 0.35 * errors[0]);
            CHECK(errors[2] < 0.65 * errors[1] && errors[2] > 0.35 * errors[1]);
        }
    }
}
