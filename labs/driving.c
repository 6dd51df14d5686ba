// The lab of motor control: a car, a motorbike, a tank and a person on foot go round a course of
// gates, each through a steering pipeline that keeps out of the posts, each by what its body can
// do. Click to send them all somewhere else.
//
// All state is in the one block driving_lab.
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/move/align.h"
#include "ploy/move/drive.h"
#include "ploy/move/heading.h"
#include "ploy/move/integrate.h"
#include "ploy/move/motor.h"
#include "ploy/move/overlap.h"
#include "ploy/move/pipeline.h"

enum { BODIES = 4, POSTS = 9, GATES = 8, SAMPLES = 10 };

static const float post_radius = 0.8f, body_radius = 0.45f; // m
static const ploy_vec2 posts[POSTS] = {{-12, 0}, {-6, 6},    {-5, -5}, {0, 1},   {1, -8},
                                       {6, 5},   {7.5f, -3}, {13, 1},  {-14, -7}};
static const ploy_vec2 gates[GATES] = {{-15, 4},   {-9, 9},  {0, 8},  {9, 8.5f},
                                       {16, 3.5f}, {11, -7}, {3, -4}, {-9, -8}};

static const char *const driving_lab_methods[] = {"control", "filter", "search"};

typedef enum driving_method { DRIVING_CONTROL, DRIVING_FILTER, DRIVING_SEARCH } driving_method;

typedef struct driving_lab_def {
    uint32_t cookie;
    bool course;
    driving_method method;
    float gate_radius;
    float margin;
    int32_t tries;
    float horizon;
    bool smooth;
    ploy_motor_def car;
} driving_lab_def;

static const ploy_field driving_lab_fields[] = {
    PLOY_FIELD_BOOL(driving_lab_def, course, true, "go round the course, not to the pointer"),
    PLOY_FIELD_ENUM(driving_lab_def, method, DRIVING_CONTROL, driving_lab_methods,
                    "controls by maneuver, a request filtered, or controls tried in the mind"),
    PLOY_FIELD_F32(driving_lab_def, gate_radius, 3, 0.1, 20, "m", "from a gate that counts"),
    PLOY_FIELD_F32(driving_lab_def, margin, 1.5, 1.01, 5, "", "radii to pass a post at"),
    PLOY_FIELD_I32(driving_lab_def, tries, 6, 1, 100, "", "of the pipeline"),
    PLOY_FIELD_F32(driving_lab_def, horizon, 1, 0.1, 10, "s", "of the search"),
    PLOY_FIELD_BOOL(driving_lab_def, smooth, false, "show the mean of the last headings"),
    PLOY_FIELD_DEF(driving_lab_def, car, ploy_motor_fields, "what the first one can do"),
};

static ploy_fields driving_lab_get_fields(void) {
    return PLOY_FIELDS(driving_lab_def, driving_lab_fields);
}

typedef struct driver {
    ploy_kinematic body;
    int32_t gate, passed, bumps;
    float shown;                 // rad, the heading to show
    float headings[2 * SAMPLES]; // of the last steps
    ploy_moving_mean mean;
    ploy_motor_output output;
    ploy_steering steering;
    ploy_pipeline_hold hold;
    ploy_pipeline_report report; // of the last step, to be shown
} driver;

typedef struct driving_lab {
    driving_lab_def def;
    ploy_vec2 goal; // the pointer's
    ploy_keep_out circles[POSTS];
    driver drivers[BODIES];
} driving_lab;

static ploy_agent_id driver_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_motor_def motor_of(const driving_lab *lab, int32_t i) {
    static const ploy_motor_body others[BODIES] = {PLOY_MOTOR_CAR, PLOY_MOTOR_HUMAN,
                                                   PLOY_MOTOR_MOTORBIKE, PLOY_MOTOR_TANK};
    return i == 0 ? lab->def.car : ploy_motor_def_of(others[i]);
}

static ploy_result driving_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    driving_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    for (int32_t i = 0; i < BODIES; i++) {
        driver *it = &lab->drivers[i];
        it->gate = (2 * i + 1) % GATES;
        ploy_vec2 at = gates[(2 * i) % GATES];
        it->body = ploy_kinematic_make(
            at, ploy_rng_range_at(key, (uint32_t)i, 0, 0, -PLOY_PI_F, PLOY_PI_F));
        it->shown = it->body.orientation;
        it->hold = ploy_pipeline_hold_default();
        it->mean = ploy_moving_mean_make(it->headings, 2, SAMPLES);
    }
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

// How bad it is to be there: the distance to the goal; out of the question within a post.
typedef struct search_user {
    ploy_vec2 goal;
} search_user;

static float search_score(void *user, ploy_kinematic body) {
    const search_user *search = user;
    for (int32_t i = 0; i < POSTS; i++) {
        float apart = ploy_vec2_distance(body.position, posts[i]);
        if (apart < post_radius + body_radius) return INFINITY;
    }
    return ploy_vec2_distance(body.position, search->goal);
}

static ploy_motor_output choose_controls(const driving_lab *lab, const ploy_motor_def *motor,
                                         const driver *it, ploy_vec2 goal) {
    ploy_motor_output output = ploy_motor_control(motor, it->body, goal);
    search_user search = {goal};
    if (lab->def.method == DRIVING_SEARCH) {
        // Where nothing is possible the arcs decide, as before.
        ploy_motor_search(motor, it->body, lab->def.horizon, search_score, &search, &output);
    }
    return output;
}

// Posts are hard.
static void hit_posts(driver *it, float dt) {
    for (int32_t i = 0; i < POSTS; i++) {
        ploy_vec2 push =
            ploy_overlap_push(it->body.position, body_radius, posts[i], post_radius, i);
        if (ploy_vec2_is_zero(push)) continue;
        it->body.position = ploy_vec2_add(it->body.position, push);
        // What leads into the post is lost, what leads along it stays.
        ploy_vec2 out = ploy_vec2_normalise(push);
        float into = ploy_minf(ploy_vec2_dot(it->body.velocity, out), 0.0f);
        it->body.velocity = ploy_vec2_add_scaled(it->body.velocity, out, -into);
        // And the body swings round along it, or a body that cannot turn on the spot would never move.
        ploy_vec2 along = ploy_vec2_perp(out);
        if (ploy_vec2_dot(along, ploy_angle_heading(it->body.orientation)) < 0.0f) {
            along = ploy_vec2_negate(along);
        }
        it->body.orientation =
            ploy_angle_toward(it->body.orientation, ploy_angle_of(along), 3.0f * dt);
        it->bumps++;
    }
}

// The other way: whatever the body cannot do is dropped from the request, and the rest carried out.
static void filter_and_move(driver *it, const ploy_motor_def *motor, ploy_vec2 aim, float dt) {
    ploy_align_def face = ploy_align_def_default();
    face.max_rotation = ploy_motor_turn_limit(motor, ploy_vec2_length(it->body.velocity));
    it->steering.angular = ploy_face(&face, it->body, aim).angular;
    it->steering = ploy_motor_filter(motor, it->body, it->steering, false, true);
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = motor->max_speed;
    motion.facing = PLOY_FACING_FREE;
    motion.max_rotation = face.max_rotation;
    it->body = ploy_integrate(&motion, it->body, it->steering, dt);
    if (motor->body == PLOY_MOTOR_HUMAN) return;
    // Wheels and tracks do not slide.
    ploy_vec2 heading = ploy_angle_heading(it->body.orientation);
    it->body.velocity = ploy_vec2_scale(heading, ploy_vec2_dot(heading, it->body.velocity));
}

static void step_driver(driving_lab *lab, int32_t i, const ploy_sim_context *context) {
    driver *it = &lab->drivers[i];
    ploy_motor_def motor = motor_of(lab, i);
    ploy_vec2 wanted = lab->def.course ? gates[it->gate] : lab->goal;
    if (lab->def.course && ploy_vec2_distance(it->body.position, wanted) < lab->def.gate_radius) {
        it->passed++;
        it->gate = (it->gate + 1) % GATES;
        wanted = gates[it->gate];
    }
    ploy_steering_goal goal = ploy_steering_goal_at(wanted);
    // The path as it is driven holds for a body that then drives it so. A filter gets its requests
    // from a behavior that knows nothing of the body, and the search looks at the posts itself.
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    plain.arrive.max_speed = motor.max_speed;
    plain.arrive.max_acceleration = motor.acceleration;
    ploy_motor_actuator driven = ploy_motor_actuator_of(motor.body);
    driven.motor = motor;
    bool controls = lab->def.method == DRIVING_CONTROL;
    ploy_pipeline pipeline = ploy_pipeline_make(controls ? ploy_motor_actuator_make(&driven)
                                                         : ploy_plain_actuator_make(&plain));
    pipeline.tries = lab->def.tries;
    pipeline.hold = controls ? &it->hold : NULL;
    (void)ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    static const char *const names[POSTS] = {
        "keep out of post 1", "keep out of post 2", "keep out of post 3",
        "keep out of post 4", "keep out of post 5", "keep out of post 6",
        "keep out of post 7", "keep out of post 8", "keep out of post 9"};
    for (int32_t k = 0; k < POSTS; k++) {
        lab->circles[k] = ploy_keep_out_make(posts[k], post_radius + body_radius, lab->def.margin);
        ploy_constraint out = ploy_keep_out_constraint(&lab->circles[k]);
        out.name = names[k]; // which one, where reasons are read
        (void)ploy_pipeline_add_constraint(&pipeline, out);
    }
    ploy_steering_context steering = ploy_steering_context_make(it->body, driver_id(i), context->dt,
                                                                context->tick, context->key);
    steering.trace = context->trace;
    it->steering = ploy_pipeline_steer(&pipeline, &steering, &it->report);
    ploy_vec2 aim = (it->report.goal.has & PLOY_GOAL_POSITION) != 0
                        ? ploy_vec2_from_vec3(it->report.goal.position)
                        : wanted;
    if (lab->def.method == DRIVING_FILTER) {
        filter_and_move(it, &motor, aim, context->dt);
    } else {
        it->output = choose_controls(lab, &motor, it, aim);
        ploy_motor_trace(&motor, &it->output, driver_id(i), context->trace);
        it->body = ploy_motor_drive(&motor, it->body, it->output, context->dt);
    }
    hit_posts(it, context->dt);
    float mean = ploy_heading_smooth(&it->mean, it->body.orientation);
    it->shown = lab->def.smooth ? mean : it->body.orientation;
}

static ploy_result driving_lab_step(void *state, const ploy_sim_context *context) {
    driving_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        if (lab_input_is(&context->inputs[i], "goal")) {
            lab->goal = lab_input_point_within(&context->inputs[i], 19.0f, 11.0f);
        }
    }
    for (int32_t i = 0; i < BODIES; i++) step_driver(lab, i, context);
    return PLOY_OK;
}

// ---- sight ----

static void driving_lab_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[BODIES] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                              PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
    const driving_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "car");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "walker");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "motorbike");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "tank");
    ploy_draw_key(out, PLOY_STYLE_WALL, "posts");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "gates of the course");
    ploy_draw_key(out, PLOY_STYLE_BAD, "planned path with a deadlock");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "point to steer to");
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < POSTS; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, posts[i], post_radius,
                       0.35f);
    }
    for (int32_t i = 0; i < GATES && lab->def.course; i++) {
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody, gates[i],
                         lab->def.gate_radius);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, nobody, gates[i],
                       gates[(i + 1) % GATES]);
    }
    if (!lab->def.course) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, lab->goal, 0.25f, 1.0f);
    }
    for (int32_t i = 0; i < BODIES; i++) {
        const driver *it = &lab->drivers[i];
        ploy_motor_def motor = motor_of(lab, i);
        ploy_kinematic shown = it->body;
        shown.orientation = it->shown;
        ploy_motor_draw(&motor, it->body, driver_id(i), out);
        ploy_pipeline_report_draw(&it->report, driver_id(i), out);
        ploy_kinematic_draw(&shown, body_radius, styles[i], driver_id(i), out);
        ploy_steering_draw(&it->steering, it->body.position, 0.2f, driver_id(i), out);
        // Above and below in turns: two that meet can still be told apart.
        float above = i % 2 == 0 ? 0.9f : -1.3f;
        ploy_draw_text(out, driver_id(i),
                       ploy_vec2_make(it->body.position.x, it->body.position.y + above),
                       ploy_motor_body_text(motor.body));
    }
}

static void driving_lab_describe(const void *state, ploy_describe *out) {
    const driving_lab *lab = state;
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.x, lab->goal.y);
    for (int32_t i = 0; i < BODIES; i++) {
        const driver *it = &lab->drivers[i];
        ploy_motor_def motor = motor_of(lab, i);
        ploy_describe_begin_agent(out, ploy_motor_body_text(motor.body), driver_id(i));
        ploy_kinematic_describe(&it->body, PLOY_STATE, out);
        ploy_describe_i64(out, "gate", PLOY_STATE, it->gate);
        ploy_describe_i64(out, "passed", PLOY_STATE, it->passed);
        ploy_describe_i64(out, "bumps", PLOY_STATE, it->bumps);
        ploy_describe_f32(out, "holds on", PLOY_STATE, it->hold.left);
        ploy_describe_vec2(out, "held", PLOY_STATE, it->hold.held.x, it->hold.held.y);
        ploy_describe_vec2(out, "instead of", PLOY_STATE, it->hold.wanted.x, it->hold.wanted.y);
        ploy_describe_f32(out, "shown heading", PLOY_STATE, it->shown);
        ploy_describe_text(out, "maneuver", PLOY_DERIVED,
                           ploy_motor_maneuver_text(it->output.maneuver));
        ploy_steering_parts parts = ploy_steering_split(it->steering, it->body);
        ploy_vec2 goal = lab->def.course ? gates[it->gate] : lab->goal;
        ploy_describe_f32(out, "from its goal", PLOY_DERIVED,
                          ploy_vec2_distance(it->body.position, goal));
        ploy_describe_f32(out, "steering ahead", PLOY_DERIVED, parts.forward);
        ploy_describe_f32(out, "steering aside", PLOY_DERIVED, parts.side);
        ploy_describe_end(out);
    }
}

static const ploy_command driving_lab_commands[] = {
    {"goal", "send them there (with course off)", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_driving; // in labs.c
const ploy_sim_type ploy_lab_driving = {
    .name = "driving",
    .title = "Driving",
    .help =
        "A car, a motorbike, a tank and a pedestrian on one course, each by what its body can do. "
        "The pipeline keeps them out of the posts. Compare the methods, or switch the setting "
        "course off "
        "and click.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = driving_lab_get_fields,
    .commands = driving_lab_commands,
    .command_count = sizeof driving_lab_commands / sizeof driving_lab_commands[0],
    .create = driving_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = driving_lab_step,
    .draw = driving_lab_draw,
    .describe = driving_lab_describe,
};
