// Whatever the numbers, finite ones come out: positions up to 1e9 m and speeds up to 1e6 m/s, nothing
// between two bodies, nothing moving, steps of no time and of a whole second.
#include "move/move_internal.h"
#include "ploy/base/math.h"
#include "ploy/move/aim.h"
#include "ploy/move/arrive.h"
#include "ploy/move/bounds.h"
#include "ploy/move/crowd.h"
#include "ploy/move/drive.h"
#include "ploy/move/emergent.h"
#include "ploy/move/flee.h"
#include "ploy/move/heading.h"
#include "ploy/move/incoming.h"
#include "ploy/move/overlap.h"
#include "ploy/move/reckon.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"
#include "tests/move/behaviors.h"
#include "tests/test.h"

static const float steps[] = {0.0f, 1e-4f, 1.0f / 60.0f, 1.0f};

// ---- requests ----

// Often one on the other, or with the same velocity.
static void odd_others(ploy_rng *rng, ploy_kinematic agent, ploy_kinematic3 agent3,
                       ploy_kinematic o[OTHERS], ploy_kinematic3 o3[OTHERS]) {
    for (int32_t i = 0; i < OTHERS; i++) {
        o[i] = scene_agent(rng);
        o3[i] = scene_agent3(rng);
        if (ploy_rng_chance(rng, 0.3f)) o[i].position = agent.position;
        if (ploy_rng_chance(rng, 0.3f)) o[i].velocity = agent.velocity;
        if (ploy_rng_chance(rng, 0.3f)) o3[i].position = agent3.position;
        if (ploy_rng_chance(rng, 0.3f)) o3[i].velocity = agent3.velocity;
    }
}

TEST(whatever_the_numbers_the_request_is_finite_and_not_too_long) {
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng), o[OTHERS];
        ploy_kinematic3 agent3 = scene_agent3(&rng), o3[OTHERS];
        odd_others(&rng, agent, agent3, o, o3);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            ploy_steering steering = behaviors[b].one(agent, o);
            CHECK(ploy_vec2_is_finite(steering.linear) && ploy_is_finite(steering.angular));
            CHECK(ploy_vec2_length(steering.linear) <= 20.001f &&
                  fabsf(steering.angular) <= 20.001f);
            if (steering.requested == 0) {
                CHECK(ploy_vec2_is_zero(steering.linear) && steering.angular == 0.0f);
            }
            if (behaviors[b].one3 == NULL) continue;
            ploy_steering3 steering3 = behaviors[b].one3(agent3, o3);
            CHECK(ploy_vec3_is_finite(steering3.linear) && ploy_vec3_is_finite(steering3.angular));
            CHECK(ploy_vec3_length(steering3.linear) <= 20.001f);
            CHECK(ploy_vec3_length(steering3.angular) <= 20.001f);
        }
    }
}

// ---- what carries requests out ----

// A body of one kind, for a step of dt.
typedef struct mover_row {
    const char *name;
    ploy_kinematic (*step)(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                           int32_t option, float dt);
    int32_t option;
} mover_row;

// Options: the integrator, three times the facing added.
static ploy_integrate_def motion_of(int32_t option) {
    ploy_integrate_def def = ploy_integrate_def_default();
    def.integrator = (ploy_integrator)(option % 3);
    def.facing = (ploy_facing)(option / 3);
    return def;
}
static ploy_kinematic integrate_step(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                                     int32_t option, float dt) {
    ploy_integrate_def def = motion_of(option);
    (void)target;
    return ploy_integrate(&def, agent, steering, dt);
}
static ploy_kinematic movers_step(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                                  int32_t option, float dt) {
    ploy_movers_def def = ploy_movers_def_default();
    (void)target, (void)option;
    return ploy_mover_step(&def, agent, steering, dt);
}
static ploy_kinematic craft_step(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                                 int32_t option, float dt) {
    ploy_craft_def def = ploy_craft_def_default();
    def.integrator = (ploy_integrator)option;
    ploy_craft_controls controls = {1.0f, ploy_craft_toward(agent, target, 1.0f)};
    (void)steering;
    return ploy_craft_step(&def, agent, controls, dt);
}
static ploy_kinematic drive_step(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                                 int32_t option, float dt) {
    ploy_motor_def def = ploy_motor_def_of((ploy_motor_body)option);
    (void)steering;
    return ploy_motor_drive(&def, agent, ploy_motor_control(&def, agent, target), dt);
}
// What the body's actuator makes of the way to the target.
static ploy_kinematic actuator_step(ploy_kinematic agent, ploy_steering steering, ploy_vec2 target,
                                    int32_t option, float dt) {
    ploy_motor_actuator motor = ploy_motor_actuator_of((ploy_motor_body)option);
    ploy_steering_goal goal = ploy_steering_goal_at(target);
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_motor_actuator_make(&motor));
    ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    ploy_steering_context context = scene_context(agent);
    (void)steering;
    return integrate_step(agent, ploy_pipeline_steer(&pipeline, &context, NULL), target, 0, dt);
}

TEST(whatever_the_numbers_a_step_of_any_length_ends_finite) {
    static const mover_row rows[] = {
        {"semi-implicit, free", integrate_step, 0},
        {"newton-euler, free", integrate_step, 1},
        {"second order, free", integrate_step, 2},
        {"semi-implicit, snap", integrate_step, 3},
        {"newton-euler, snap", integrate_step, 4},
        {"second order, snap", integrate_step, 5},
        {"semi-implicit, smooth", integrate_step, 6},
        {"newton-euler, smooth", integrate_step, 7},
        {"second order, smooth", integrate_step, 8},
        {"movers", movers_step, 0},
        {"craft", craft_step, 0},
        {"craft, newton-euler", craft_step, 1},
        {"craft, second order", craft_step, 2},
        {"human", drive_step, PLOY_MOTOR_HUMAN},
        {"car", drive_step, PLOY_MOTOR_CAR},
        {"motorbike", drive_step, PLOY_MOTOR_MOTORBIKE},
        {"tank", drive_step, PLOY_MOTOR_TANK},
        {"actuated human", actuator_step, 0},
        {"actuated car", actuator_step, 1},
        {"actuated motorbike", actuator_step, 2},
        {"actuated tank", actuator_step, 3},
    };
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agent = scene_agent(&rng);
        ploy_vec2 target = scene_target(&rng, agent.position);
        ploy_steering steering =
            ploy_steering_make(scene_vec2(&rng, 1e6f), scene_number(&rng, 1e3f));
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            t->row = rows[r].name;
            for (size_t i = 0; i < COUNT_OF(steps); i++) {
                ploy_kinematic after =
                    rows[r].step(agent, steering, target, rows[r].option, steps[i]);
                CHECK(ploy_vec2_is_finite(after.position) && ploy_vec2_is_finite(after.velocity));
                CHECK(ploy_is_finite(after.orientation) && ploy_is_finite(after.rotation));
                if (steps[i] > 0.0f) continue;
                CHECK_BYTES(&after.position, &agent.position, sizeof after.position);
            }
        }
        ploy_kinematic3 flyer = scene_agent3(&rng);
        ploy_steering3 steering3 =
            ploy_steering3_make(scene_vec3(&rng, 1e6f), scene_near3(&rng, 1e3f));
        for (int32_t option = 0; option < 9; option++) {
            t->row = "in space";
            ploy_integrate_def def = motion_of(option);
            for (size_t i = 0; i < COUNT_OF(steps); i++) {
                ploy_kinematic3 after = ploy_integrate3(&def, flyer, steering3, steps[i]);
                ploy_quat q = after.orientation;
                CHECK(ploy_vec3_is_finite(after.position) && ploy_vec3_is_finite(after.velocity));
                CHECK(ploy_vec3_is_finite(after.rotation));
                CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-4);
            }
        }
    }
}

// ---- everything else that answers with numbers ----

typedef struct odd_scene {
    ploy_kinematic agent, o[OTHERS];
    ploy_kinematic3 agent3, o3[OTHERS];
    float number; // as odd as they come
    float dt;
    ploy_rng_key key;
} odd_scene;

typedef struct numbers {
    float values[128];
    int32_t count;
} numbers;

static void tell(numbers *out, float value) {
    if (out->count < 128) out->values[out->count++] = value;
}
static void tell2(numbers *out, ploy_vec2 v) {
    tell(out, v.x);
    tell(out, v.y);
}
static void tell3(numbers *out, ploy_vec3 v) {
    tell2(out, ploy_vec2_from_vec3(v));
    tell(out, v.z);
}
static void tell_request(numbers *out, ploy_steering steering) {
    tell2(out, steering.linear);
    tell(out, steering.angular);
}
static void tell_request3(numbers *out, ploy_steering3 steering) {
    tell3(out, steering.linear);
    tell3(out, steering.angular);
}

static void odd_velocities(const odd_scene *s, numbers *out) {
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_flee_def flee = ploy_flee_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_vec2 at = s->agent.position, to = s->o[0].position;
    ploy_vec3 at3 = s->agent3.position, to3 = s->o3[0].position;
    tell2(out, ploy_seek_velocity(&seek, at, to).velocity);
    tell2(out, ploy_flee_velocity(&flee, at, to).velocity);
    tell2(out, ploy_arrive_velocity(&arrive, at, to).velocity);
    tell3(out, ploy_seek3_velocity(&seek, at3, to3).velocity);
    tell3(out, ployi_flee3_velocity(&flee, at3, to3).velocity);
    tell3(out, ployi_arrive3_velocity(&arrive, at3, to3).velocity);
}

static void odd_wander(const odd_scene *s, numbers *out) {
    for (int32_t form = 0; form < 9; form++) {
        ploy_wander_def def = ploy_wander_def_default();
        def.form = (ploy_wander_form)(form % 3);
        def.pace = (ploy_wander_pace)(form / 3);
        float drift = 0.3f;
        ploy_vec3 drift3 = {1.0f, 0.0f, 0.0f};
        tell_request(out, ploy_wander_steer(&def, s->agent, &drift, s->dt, s->key, 1, 2));
        tell(out, drift);
        tell_request3(out, ploy_wander3_steer(&def, s->agent3, &drift3, s->dt, s->key, 1, 2));
        if (form > 0) continue;
        tell2(out, ployi_wander_point(&def, s->agent, drift));
        tell3(out, ployi_wander3_point(&def, s->agent3, drift3));
        tell2(out, ploy_wander_velocity(&def, s->agent, s->key, 1, 2).velocity);
        tell3(out, ploy_wander3_velocity(&def, s->agent3, s->key, 1, 2).velocity);
    }
}

static void odd_prediction(const odd_scene *s, numbers *out) {
    for (int32_t method = 0; method <= PLOY_PREDICTION_RELATIVE; method++) {
        ploy_pursue_def def = ploy_pursue_def_default();
        def.predict.method = (ploy_prediction)method;
        def.predict.turn_time = 0.5f;
        def.head_on = true;
        tell(out, ploy_predict_time(&def.predict, 5.0f, s->agent, s->o[0]));
        tell(out, ployi_predict_time3(&def.predict, 5.0f, s->agent3, s->o3[0]));
        tell2(out, ploy_pursue_point(&def, s->agent, s->o[0]));
        tell3(out, ploy_pursue3_point(&def, s->agent3, s->o3[0]));
        tell_request(out, ploy_pursue(&def, s->agent, s->o[0]));
    }
}

static void odd_points(const odd_scene *s, numbers *out) {
    ploy_interpose_def interpose = ploy_interpose_def_default();
    ploy_offset_pursuit_def offset = ploy_offset_pursuit_def_default();
    ploy_fly_by_def fly_by = ploy_fly_by_def_default();
    ploy_hide_def hide = ploy_hide_def_default();
    tell2(out, ploy_interpose_point(&interpose, s->agent, s->o[0], s->o[1]));
    tell3(out, ploy_interpose3_point(&interpose, s->agent3, s->o3[0], s->o3[1]));
    tell2(out, ploy_offset_pursuit_point(&offset, s->agent, s->o[0], ploy_vec2_from_vec3(slot)));
    tell3(out, ploy_offset_pursuit3_point(&offset, s->agent3, s->o3[0], slot));
    tell2(out, ploy_fly_by_point(&fly_by, s->agent, s->o[0]));
    tell3(out, ploy_fly_by3_point(&fly_by, s->agent3, s->o3[0]));
    ploy_circle circle = ploy_circle_make(s->o[1].position, 1.0f);
    ploy_sphere sphere = ploy_sphere_make(s->o3[1].position, 1.0f);
    tell2(out, ploy_hide_spot(&hide, circle, s->o[0].position));
    tell3(out, ploy_hide3_spot(&hide, sphere, s->o3[0].position));
}

static void odd_meetings(const odd_scene *s, numbers *out) {
    ploy_approach near = ploy_closest_approach(s->agent, s->o[0]);
    ploy_approach near3 = ploy_closest_approach3(s->agent3, s->o3[0]);
    tell(out, near.time);
    tell(out, near.separation);
    tell(out, near3.time);
    tell(out, near3.separation);
    for (int32_t method = 0; method < 2; method++) {
        ploy_intercept_def def = ploy_intercept_def_default();
        def.method = (ploy_intercept_method)method;
        ploy_interception met = ploy_intercept_find(&def, s->agent, s->o[0]);
        ploy_interception3 met3 = ploy_intercept3_find(&def, s->agent3, s->o3[0]);
        tell(out, met.time);
        tell2(out, met.meeting);
        tell2(out, met.point);
        tell(out, met3.time);
        tell3(out, met3.meeting);
        tell3(out, met3.point);
    }
}

static void odd_bounds(const odd_scene *s, numbers *out) {
    for (int32_t edge = 0; edge < 3; edge++) {
        ploy_bounds_def def = ploy_bounds_def_default();
        def.edge = (ploy_bounds_edge)edge;
        def.max = ploy_vec3_make(30.0f, 20.0f, 10.0f);
        ploy_kinematic after = ploy_bounds_apply(&def, s->agent);
        ploy_kinematic3 after3 = ploy_bounds_apply3(&def, s->agent3);
        tell2(out, after.position);
        tell2(out, after.velocity);
        tell3(out, after3.position);
        tell3(out, after3.velocity);
        tell2(out, ploy_bounds_offset(&def, s->agent.position, s->o[0].position));
        tell3(out, ploy_bounds_offset3(&def, s->agent3.position, s->o3[0].position));
    }
}

static void odd_overlap(const odd_scene *s, numbers *out) {
    float radius = fabsf(s->number), radii[OTHERS] = {radius, 1.0f, 0.0f};
    ploy_overlap_def def = ploy_overlap_def_default();
    ploy_kinematic bodies[OTHERS];
    ploy_kinematic3 bodies3[OTHERS];
    memcpy(bodies, s->o, sizeof bodies);
    memcpy(bodies3, s->o3, sizeof bodies3);
    ploy_kinematics view = ploy_kinematics_of(bodies, OTHERS);
    ploy_kinematics3 view3 = ploy_kinematics3_of(bodies3, OTHERS);
    ploy_vec2 pushes[OTHERS] = {{0.0f, 0.0f}};
    ploy_vec3 pushes3[OTHERS] = {{0.0f, 0.0f, 0.0f}};
    ploy_overlap_find(&def, &view, radii, 0, OTHERS, NULL, pushes);
    ploy_overlap_find3(&def, &view3, radii, 0, OTHERS, NULL, pushes3);
    ploy_overlap_leave(&view, radii, 1);
    ploy_overlap_leave3(&view3, radii, 1);
    for (int32_t i = 0; i < OTHERS; i++) {
        tell2(out, pushes[i]);
        tell3(out, pushes3[i]);
        tell2(out, bodies[i].position);
        tell3(out, bodies3[i].position);
    }
}

static void odd_shown(const odd_scene *s, numbers *out) {
    float values[6] = {0.0f}, values3[9] = {0.0f};
    ploy_moving_mean mean = ploy_moving_mean_make(values, 2, 3);
    ploy_moving_mean mean3 = ploy_moving_mean_make(values3, 3, 3);
    for (int32_t i = 0; i < OTHERS; i++) {
        tell(out, ploy_heading_smooth(&mean, s->o[i].orientation));
        tell3(out, ploy_heading_smooth3(&mean3, ploy_quat_forward(s->o3[i].orientation)));
    }
    for (int32_t body = 0; body < 2; body++) {
        ploy_bank_def def = ploy_bank_def_default();
        def.body = (ploy_bank_body)body;
        ploy_quat q = ploy_bank(&def, s->agent.orientation, s->number, s->agent3.velocity);
        tell3(out, ploy_vec3_make(q.x, q.y, q.z));
        tell(out, q.w);
    }
    tell(out, ploy_smooth_fraction(0.9f, 0.2f, s->dt));
}

static void odd_context(const odd_scene *s, numbers *out) {
    for (int32_t mask = 0; mask < 3; mask++) {
        ploy_context_def def = ploy_context_def_default();
        def.mask = (ploy_context_mask)mask;
        ploy_context context;
        ploy_context_init(&context, &def);
        ploy_context_add_interest(&context, s->agent.velocity, fabsf(s->number));
        ploy_context_add_danger(&context, s->o[0].velocity, fabsf(s->number));
        ploy_context_add_body(&context, s->agent.position, s->o[1].position, 1.0f, s->number);
        ploy_context_choice choice = ploy_context_decide(&context, &def, 2);
        tell2(out, choice.direction);
        tell(out, choice.score);
        tell(out, choice.interest);
    }
}

// A formation of every shape, anchored among the others.
static void odd_formation(const odd_scene *s, numbers *out) {
    ploy_env env = ploy_env_default();
    ploy_kinematics view = ploy_kinematics_of((ploy_kinematic *)s->o, OTHERS);
    for (int32_t shape = 0; shape <= PLOY_FORMATION_RINGS; shape++) {
        ploy_formation_shape_def pattern = ploy_formation_shape_def_default();
        ploy_formation_def def = ploy_formation_def_default();
        pattern.shape = (ploy_formation_shape)shape;
        def.capacity = OTHERS;
        ploy_pattern over = ploy_pattern_shape(&pattern);
        ploy_formation *formation = NULL;
        if (ploy_formation_create(&def, &over, &env, &formation) != PLOY_OK) return;
        for (int32_t i = 0; i < OTHERS; i++) {
            ploy_formation_add(formation, ploy_agent_id_make((uint32_t)i, 1), i);
        }
        ploy_formation_moderate(formation, &view);
        ploy_formation_step(formation, s->dt);
        tell2(out, ploy_formation_anchor(formation).position);
        tell2(out, ploy_formation_anchor(formation).velocity);
        tell2(out, ployi_formation_drift(formation).position);
        for (int32_t i = 0; i < OTHERS; i++) {
            tell2(out, ploy_formation_place(formation, i).position);
            tell(out, ploy_formation_place(formation, i).orientation);
        }
        ploy_formation_destroy(formation);
    }
}

static void odd_emergent(const odd_scene *s, numbers *out) {
    ploy_emergent_def def = ploy_emergent_def_default();
    ploy_kinematics view = ploy_kinematics_of((ploy_kinematic *)s->o, OTHERS);
    ploy_emergent_claim claims[OTHERS];
    for (int32_t i = 0; i < OTHERS; i++) claims[i] = ploy_emergent_claim_none();
    ploy_emergent_step(&def, &view, NULL, NULL, 0, s->dt, claims);
    for (int32_t i = 0; i < OTHERS; i++) {
        tell2(out, ploy_emergent_spot(&def, &view, claims, i));
        tell(out, claims[i].blocked);
    }
}

// A crowd of all four for three steps.
static void odd_crowd(const odd_scene *s, numbers *out) {
    ploy_crowd_def def = ploy_crowd_def_default();
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = NULL;
    def.capacity = OTHERS;
    if (ploy_crowd_create(&def, &env, &crowd) != PLOY_OK) return;
    for (int32_t i = 0; i < OTHERS; i++) {
        ploy_orca_agent agent = ploy_orca_agent_make(s->o[i].position, 0.5f, 1e6f, 0);
        ploy_agent_id id;
        agent.velocity = agent.wanted = s->o[i].velocity;
        ploy_crowd_add(crowd, &agent, &id);
    }
    for (int32_t k = 0; k < 3; k++) ploy_crowd_step(crowd, s->dt, NULL);
    ploy_kinematics view = ploy_crowd_agents(crowd);
    for (int32_t i = 0; i < ploy_crowd_places(crowd); i++) {
        tell2(out, ploy_kinematics_get(&view, i).position);
        tell2(out, ploy_kinematics_get(&view, i).velocity);
    }
    tell(out, ploy_crowd_last(crowd).violation);
    ploy_crowd_destroy(crowd);
}

static void odd_flock(const odd_scene *s, numbers *out) {
    ploy_flock_def def = ploy_flock_def_default();
    def.radius = 1e6f;
    ploy_env env = ploy_env_default();
    ploy_flock *flock = NULL;
    ploy_steering steerings[OTHERS];
    memset(steerings, 0, sizeof steerings);
    ploy_kinematics view = ploy_kinematics_of((ploy_kinematic *)s->o, OTHERS);
    ploy_steerings to = ploy_steerings_of(steerings, OTHERS);
    if (ploy_flock_create(&def, OTHERS, &env, &flock) != PLOY_OK) return;
    if (ploy_flock_update(flock, &view) == PLOY_OK) {
        ploy_flock_step(flock, 0, OTHERS, &to);
    }
    for (int32_t i = 0; i < OTHERS; i++) tell_request(out, steerings[i]);
    ploy_flock_destroy(flock);
}

static void odd_motor(const odd_scene *s, numbers *out) {
    for (int32_t body = 0; body < 4; body++) {
        ploy_motor_def def = ploy_motor_def_of((ploy_motor_body)body);
        ploy_motor_output control = ploy_motor_control(&def, s->agent, s->o[0].position);
        tell(out, control.throttle);
        tell(out, control.brake);
        tell(out, control.rotation);
        tell2(out, control.velocity);
        ploy_steering steering = ploy_steering_make(s->o[1].velocity, s->number);
        tell_request(out, ploy_motor_filter(&def, s->agent, steering, true, true));
        tell(out, ploy_motor_turn_limit(&def, fabsf(s->number)));
    }
}

static void odd_reckoning(const odd_scene *s, numbers *out) {
    ploy_reckoning reckoning;
    memset(&reckoning, 0, sizeof reckoning);
    ploy_reckoning_correct(&reckoning, s->o[0].position, s->o[0].velocity, 0.5f);
    ploy_reckoning_step(&reckoning, s->dt);
    tell2(out, ploy_reckoning_position(&reckoning));
    ploy_scene scene = posts_of(s->o);
    tell2(out, ployi_reckon_walled(&scene, PLOY_SCENE_ALL, s->agent.position, s->agent.velocity,
                                   0.5f, s->dt));
    float y = 0.0f, time = 0.0f;
    ploy_reckon_bounce(s->agent.position, s->agent.velocity, s->o[0].position.x, -10.0f, 10.0f, &y,
                       &time);
    tell(out, y);
    tell(out, time);
}

static void odd_shots(const odd_scene *s, numbers *out) {
    ploy_projectile ball = ploy_projectile_make(s->agent3.position, s->agent3.velocity);
    ploy_landing landing = {0.0f, {0.0f, 0.0f, 0.0f}};
    tell3(out, ploy_projectile_at(&ball, s->dt));
    tell3(out, ployi_projectile_velocity(&ball, s->dt));
    ploy_projectile_landing(&ball, s->o3[0].position.z, &landing);
    tell(out, landing.time);
    tell3(out, landing.point);
    ploy_shot shots[2];
    float speed = fabsf(s->number) + 1.0f;
    memset(shots, 0, sizeof shots);
    ploy_firing_find(ball.position, s->o3[0].position, speed, ball.gravity, shots);
    ploy_firing_lead(ball.position, s->o3[1].position, s->o3[1].velocity, speed, ball.gravity,
                     PLOY_ARC_LOW, 0.1f, &shots[1]);
    for (int32_t i = 0; i < 2; i++) {
        tell3(out, shots[i].direction);
        tell(out, shots[i].time);
    }
    ploy_flight_def flight_def = ploy_flight_def_default();
    for (int32_t squared = 0; squared < 2; squared++) {
        flight_def.drag = squared != 0 ? 0.0f : 0.5f;
        flight_def.drag_squared = squared != 0 ? 0.01f : 0.0f;
        ploy_flight flight = ploy_flight_make(&flight_def);
        ploy_flyer flyer = {ball.position, ball.velocity, 0.0f};
        flyer = ploy_flight_step(&flight, flyer, s->dt);
        tell3(out, flyer.position);
        tell3(out, flyer.velocity);
    }
    ploy_incoming_def react = ploy_incoming_def_default();
    ploy_incoming incoming;
    memset(&incoming, 0, sizeof incoming);
    ploy_incoming_find(&react, &ball, INFINITY, s->o3[2].position, &incoming);
    tell(out, incoming.hit_time);
    tell(out, incoming.nearest);
    tell3(out, incoming.landing.point);
    tell2(out, incoming.go_to);
    ploy_jump_def jump_def = ploy_jump_def_default();
    ploy_jump_need need = {{0.0f, 0.0f}, 0.0f, 0.0f};
    ploy_jump_find(&jump_def, s->o3[0].position, s->o3[1].position, &need);
    tell2(out, need.velocity);
    tell(out, need.time);
    tell(out, need.run_up);
}

static void odd_requests(const odd_scene *s, numbers *out) {
    ploy_steering steering = ploy_steering_make(s->o[1].velocity, s->number);
    ploy_steering_parts parts = ploy_steering_split(steering, s->agent);
    tell(out, parts.forward);
    tell(out, parts.side);
    tell_request(out, ploy_steering_join(parts, s->agent));
    tell_request(out, ploy_steering_from_force(s->o[2].velocity, 3.0f));
    ploy_vec2 normal = ploy_angle_heading(s->agent.orientation);
    tell2(out, ploy_slide(s->agent.velocity, normal, s->dt, 0.5f, 10.0f, s->o[0].velocity));
    ploy_vec2 vectors[4] = {s->o[0].velocity, s->o[1].velocity, s->o[2].velocity, {0.0f, 0.0f}};
    ploy_flow_grid grid = {{0.0f, 0.0f}, 2.0f, 2, 2, vectors};
    tell2(out, ploy_flow_grid_at(&grid, s->agent.position));
}

TEST(whatever_the_numbers_every_answer_is_finite) {
    static const struct {
        const char *name;
        void (*ask)(const odd_scene *s, numbers *out);
        int64_t rounds;
    } rows[] = {
        {"kinematic forms", odd_velocities, 1000},
        {"wander", odd_wander, 500},
        {"prediction", odd_prediction, 1000},
        {"points", odd_points, 1000},
        {"meetings", odd_meetings, 1000},
        {"bounds", odd_bounds, 1000},
        {"overlap", odd_overlap, 1000},
        {"what is shown", odd_shown, 500},
        {"context", odd_context, 500},
        {"formation", odd_formation, 100},
        {"emergent", odd_emergent, 500},
        {"crowd", odd_crowd, 300},
        {"flock", odd_flock, 300},
        {"motor", odd_motor, 1000},
        {"reckoning", odd_reckoning, 1000},
        {"shots", odd_shots, 500},
        {"requests", odd_requests, 1000},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].name;
        for (int64_t round = 0; round < test_rounds(rows[r].rounds); round++) {
            TEST_SEED(round);
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            odd_scene s;
            memset(&s, 0, sizeof s);
            s.agent = scene_agent(&rng);
            s.agent3 = scene_agent3(&rng);
            odd_others(&rng, s.agent, s.agent3, s.o, s.o3);
            s.number = scene_number(&rng, 1e5f);
            s.dt = steps[ploy_rng_int(&rng, 0, (int32_t)COUNT_OF(steps) - 1)];
            s.key = ploy_rng_key_make((uint64_t)round);
            numbers out = {{0.0f}, 0};
            rows[r].ask(&s, &out);
            CHECK(out.count > 0 && out.count < 128);
            for (int32_t i = 0; i < out.count; i++) CHECK(ploy_is_finite(out.values[i]));
        }
    }
}
