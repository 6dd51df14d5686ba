// The lab of movement in space, seen from above (left) and from the side (right): a leader flies a
// curve, wing men hold their slots, a flock keeps together within its box. Bodies bank into their
// turns, which is only shown: steering knows nothing of it.
//
// All state is in the one block flyers_lab. Each flyer takes the first of its requests that asks for
// something: not to meet another, to stay inside, and then its own.
#include <math.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/box.h"
#include "ploy/move/collision.h"
#include "ploy/move/escort.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/heading.h"
#include "ploy/move/integrate.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/wander.h"

enum { FLYERS_MAX = 48, WINGS = 2, CORNERS = 6, SAMPLES = 8, REQUESTS = 3 };

static const ploy_box3 sky = {{-9, -10, 0}, {9, 10, 9}};
static const ploy_vec2 panels[2] = {{-10.2f, 0}, {10.2f, -4}}; // m, middles of the two pictures
static const ploy_vec3 corners[CORNERS] = {{-7, -7, 2}, {7, -8, 5}, {8, 0, 7},
                                           {6, 8, 3},   {-6, 7, 6}, {-8, 0, 3}};
static const char *const flyer_requests[REQUESTS] = {"keep apart", "stay inside", "wander"};

typedef struct flyers_lab_def {
    uint32_t cookie;
    int32_t flyers;
    float wander_weight;
    bool smooth;
    ploy_flock_def flock;
    ploy_collision_def collision;
    ploy_contain_def contain;
    ploy_wander_def wander;
    ploy_path_follow_def path;
    ploy_offset_pursuit_def wing;
    ploy_bank_def bank;
} flyers_lab_def;

static const ploy_field flyers_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(flyers_lab_def, flyers, 21, 1, FLYERS_MAX, "", "how many"),
    PLOY_FIELD_F32(flyers_lab_def, wander_weight, 0.5, 0, 100, "", "of wandering"),
    PLOY_FIELD_BOOL(flyers_lab_def, smooth, true, "show the mean of the last headings"),
    PLOY_FIELD_DEF(flyers_lab_def, flock, ploy_flock_fields, "the flock"),
    PLOY_FIELD_DEF(flyers_lab_def, collision, ploy_collision_fields, "keeping apart"),
    PLOY_FIELD_DEF(flyers_lab_def, contain, ploy_contain_fields, "staying inside"),
    PLOY_FIELD_DEF(flyers_lab_def, wander, ploy_wander_fields, "wandering"),
    PLOY_FIELD_DEF(flyers_lab_def, path, ploy_path_follow_fields, "the leader on its curve"),
    PLOY_FIELD_DEF(flyers_lab_def, wing, ploy_offset_pursuit_fields, "the wing men"),
    PLOY_FIELD_DEF(flyers_lab_def, bank, ploy_bank_fields, "how bodies lean"),
};

static ploy_fields flyers_lab_get_fields(void) {
    return PLOY_FIELDS(flyers_lab_def, flyers_lab_fields);
}

typedef struct flyer {
    ploy_kinematic3 body;
    ploy_vec3 drift; // of the wander
    ploy_steering3 steering;
    int32_t wins;    // which of its requests
    float turning;   // rad/s about up, as it shows
    ploy_quat shown; // banked
    float headings[3 * SAMPLES];
    ploy_moving_mean mean;
} flyer;

typedef struct flyers_lab {
    flyers_lab_def def;
    float along;                        // m, of the leader on its curve
    ploy_vec3 curve[CORNERS];           // its corners
    ploy_kinematic3 bodies[FLYERS_MAX]; // as all see each other in a step
    flyer flyers[FLYERS_MAX];
} flyers_lab;

static ploy_agent_id flyer_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_result flyers_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    flyers_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    memcpy(lab->curve, corners, sizeof corners);
    for (int32_t i = 0; i < lab->def.flyers; i++) {
        uint32_t id = (uint32_t)i;
        flyer *it = &lab->flyers[i];
        ploy_vec3 at = {ploy_rng_range_at(key, id, 0, 0, -6.0f, 6.0f),
                        ploy_rng_range_at(key, id, 0, 1, -7.0f, 7.0f),
                        ploy_rng_range_at(key, id, 0, 2, 2.0f, 7.0f)};
        if (i <= WINGS) at = ploy_vec3_make(corners[0].x - (float)i, corners[0].y, corners[0].z);
        float way = ploy_rng_range_at(key, id, 0, 3, -PLOY_PI_F, PLOY_PI_F);
        it->body = ploy_kinematic3_make(at);
        it->body.orientation = ploy_quat_from_orientation(way);
        it->body.velocity = ploy_vec3_scale(ploy_quat_forward(it->body.orientation), 2.0f);
        it->drift = ploy_vec3_make(1.0f, 0.0f, 0.0f);
        it->shown = it->body.orientation;
        it->mean = ploy_moving_mean_make(it->headings, 3, SAMPLES);
    }
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static ploy_steering3 own_way(flyers_lab *lab, int32_t i, const ploy_kinematics3 *all,
                              const ploy_sim_context *context) {
    flyer *it = &lab->flyers[i];
    if (i == 0) {
        ploy_spline3 spline = ploy_spline3_make(lab->curve, CORNERS, PLOY_SPLINE_CENTRIPETAL, true);
        return ploy_spline_follow3(&lab->def.path, it->body, &spline, &lab->along);
    }
    if (i <= WINGS) {
        ploy_vec3 slot = {-1.5f, i == 1 ? 1.5f : -1.5f, 0.3f};
        return ploy_offset_pursuit3(&lab->def.wing, it->body, lab->bodies[0], slot);
    }
    ploy_neighbours3 seen = ploy_neighbours3_find(&lab->def.flock, it->body, all, i);
    ploy_steering3 together = ploy_flock3_steer(&lab->def.flock, it->body, &seen);
    ploy_steering3 roam = ploy_wander3_steer(&lab->def.wander, it->body, &it->drift, context->dt,
                                             context->key, (uint32_t)i, context->tick);
    return ploy_steering3_add(together, ploy_steering3_scale(roam, lab->def.wander_weight));
}

static void think(flyers_lab *lab, int32_t i, const ploy_kinematics3 *all,
                  const ploy_sim_context *context) {
    flyer *it = &lab->flyers[i];
    ploy_steering3 requests[REQUESTS];
    // The group of the leader flies close by intent.
    requests[0] = i <= WINGS ? ploy_steering3_none()
                             : ploy_avoid_collision3(&lab->def.collision, it->body, all, i);
    requests[1] = ploy_contain3(&lab->def.contain, it->body, sky);
    requests[2] = own_way(lab, i, all, context);
    it->wins = REQUESTS - 1;
    for (int32_t k = REQUESTS - 1; k >= 0; k--) {
        if (requests[k].requested != 0) it->wins = k;
    }
    it->steering = requests[it->wins];
    ploy_trace_begin(context->trace, flyer_id(i), "steer", "the first that asks");
    for (int32_t k = 0; k < REQUESTS; k++) {
        bool asks = requests[k].requested != 0;
        ploy_trace_option(context->trace, flyer_requests[k],
                          k == it->wins ? PLOY_OUTCOME_WON
                          : asks        ? PLOY_OUTCOME_LOST
                                        : PLOY_OUTCOME_REJECTED,
                          (double)ploy_vec3_length(requests[k].linear),
                          k == it->wins ? "the first that asks for something"
                          : asks        ? "one before it is more urgent"
                                        : "requests nothing");
    }
    ploy_trace_end(context->trace);
}

static void move(flyers_lab *lab, int32_t i, float dt) {
    flyer *it = &lab->flyers[i];
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = lab->def.flock.max_speed;
    float before = ploy_quat_to_orientation(it->body.orientation);
    it->body = ploy_integrate3(&motion, it->body, it->steering, dt);
    float after = ploy_quat_to_orientation(it->body.orientation);
    // How fast it turns, a little smoothed, because a request may change from step to step.
    float turning = dt > 0.0f ? ploy_angle_difference(before, after) / dt : 0.0f;
    it->turning += (turning - it->turning) * ploy_smooth_fraction(0.5f, 0.1f, dt);
    ploy_vec3 heading = ploy_vec3_normalise(it->body.velocity);
    ploy_vec3 mean = ploy_heading_smooth3(&it->mean, heading);
    ploy_vec3 shown = lab->def.smooth ? mean : heading;
    float facing = ploy_atan2f(shown.y, shown.x);
    ploy_vec3 flown = ploy_vec3_scale(shown, ploy_vec3_length(it->body.velocity));
    it->shown = ploy_bank(&lab->def.bank, facing, it->turning, flown);
}

static ploy_result flyers_lab_step(void *state, const ploy_sim_context *context) {
    flyers_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (!lab_input_is(input, "bend")) continue;
        // The corner of the curve that is next for the leader goes there, seen from above.
        ploy_vec2 at = ploy_vec2_sub(lab_input_point(input), panels[0]);
        ploy_spline3 spline = ploy_spline3_make(lab->curve, CORNERS, PLOY_SPLINE_CENTRIPETAL, true);
        int32_t next = ((int32_t)ploy_spline3_t_at(&spline, lab->along) + 1) % CORNERS;
        lab->curve[next].x = ploy_clampf(at.x, -8.0f, 8.0f);
        lab->curve[next].y = ploy_clampf(at.y, -9.0f, 9.0f);
    }
    for (int32_t i = 0; i < lab->def.flyers; i++) lab->bodies[i] = lab->flyers[i].body;
    ploy_kinematics3 all = ploy_kinematics3_of(lab->bodies, lab->def.flyers);
    for (int32_t i = 0; i < lab->def.flyers; i++) think(lab, i, &all, context);
    for (int32_t i = 0; i < lab->def.flyers; i++) move(lab, i, context->dt);
    return PLOY_OK;
}

// ---- sight ----

// A point of space in one of the two pictures: from above x and y, from the side y and z.
static ploy_vec2 seen(int32_t panel, ploy_vec3 at) {
    ploy_vec2 flat = panel == 0 ? ploy_vec2_make(at.x, at.y) : ploy_vec2_make(0.95f * at.y, at.z);
    return ploy_vec2_add(panels[panel], flat);
}

static void draw_line3(int32_t panel, ploy_layer layer, ploy_style style, ploy_agent_id id,
                       ploy_vec3 from, ploy_vec3 to, ploy_draw *out) {
    ploy_draw_line(out, layer, style, id, seen(panel, from), seen(panel, to));
}

static ploy_style flyer_style(int32_t i) {
    return i == 0 ? PLOY_STYLE_AGENT_B : i <= WINGS ? PLOY_STYLE_AGENT_C : PLOY_STYLE_AGENT_A;
}

static void draw_flyer(const flyer *it, int32_t i, int32_t panel, ploy_draw *out) {
    ploy_style style = flyer_style(i);
    ploy_vec3 at = it->body.position, ahead = ploy_quat_forward(it->shown);
    ploy_vec3 left = ploy_quat_left(it->shown), up = ploy_quat_up(it->shown);
    float size = i <= WINGS ? 0.8f : 0.55f;
    ploy_vec3 tail = ploy_vec3_add_scaled(at, ahead, -size);
    ploy_vec2 wings[3] = {seen(panel, ploy_vec3_add_scaled(at, ahead, size)),
                          seen(panel, ploy_vec3_add_scaled(tail, left, size)),
                          seen(panel, ploy_vec3_add_scaled(tail, left, -size))};
    ploy_draw_polygon(out, PLOY_LAYER_AGENTS, style, flyer_id(i), wings, 3, 0.7f);
    // The fin shows which side is up.
    draw_line3(panel, PLOY_LAYER_AGENTS, PLOY_STYLE_TEXT, flyer_id(i), tail,
               ploy_vec3_add_scaled(tail, up, 0.6f * size), out);
    draw_line3(panel, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, flyer_id(i), at,
               ploy_vec3_add_scaled(at, it->steering.linear, 0.1f), out);
}

// The box of the sky, the curve and all flyers, in space.
static void draw_space(const flyers_lab *lab, const ploy_spline3 *spline, ploy_draw *out) {
    enum { POINTS = 97 };
    ploy_vec3 a = sky.min, b = sky.max, curve[POINTS];
    for (int32_t k = 0; k < 2; k++) {
        float z = k == 0 ? a.z : b.z;
        ploy_vec3 frame[5] = {
            {a.x, a.y, z}, {b.x, a.y, z}, {b.x, b.y, z}, {a.x, b.y, z}, {a.x, a.y, z}};
        ploy_draw_line3(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(), frame, 5);
        for (int32_t i = 0; i < 4 && k == 0; i++) {
            ploy_vec3 post[2] = {frame[i], {frame[i].x, frame[i].y, b.z}};
            ploy_draw_line3(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, ploy_agent_id_none(), post, 2);
        }
    }
    for (int32_t i = 0; i < POINTS; i++) {
        curve[i] = ploy_spline3_at(spline, (float)CORNERS * (float)i / (POINTS - 1));
    }
    ploy_draw_line3(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, flyer_id(0), curve, POINTS);
    for (int32_t i = 0; i < lab->def.flyers; i++) {
        const flyer *it = &lab->flyers[i];
        ploy_vec3 at = it->body.position, ahead = ploy_quat_forward(it->shown);
        ploy_vec3 left = ploy_quat_left(it->shown), up = ploy_quat_up(it->shown);
        float size = i <= WINGS ? 0.8f : 0.55f;
        ploy_vec3 tail = ploy_vec3_add_scaled(at, ahead, -size);
        ploy_vec3 wings[3] = {ploy_vec3_add_scaled(at, ahead, size),
                              ploy_vec3_add_scaled(tail, left, size),
                              ploy_vec3_add_scaled(tail, left, -size)};
        ploy_vec3 fin[3] = {at, tail, ploy_vec3_add_scaled(tail, up, 0.6f * size)};
        ploy_vec3 push[2] = {at, ploy_vec3_add_scaled(at, it->steering.linear, 0.1f)};
        ploy_draw_polygon3(out, PLOY_LAYER_AGENTS, flyer_style(i), flyer_id(i), wings, 3, 1.0f);
        ploy_draw_polygon3(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TEXT, flyer_id(i), fin, 3, 1.0f);
        ploy_draw_line3(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, flyer_id(i), push, 2);
    }
}

static void flyers_lab_draw(const void *state, ploy_draw *out) {
    enum { POINTS = 97 };
    const flyers_lab *lab = state;
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_spline3 spline = ploy_spline3_make(lab->curve, CORNERS, PLOY_SPLINE_CENTRIPETAL, true);
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "leader");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "wing men");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "flock");
    ploy_draw_key(out, PLOY_STYLE_PATH, "the leader's curve");
    if (ploy_draw_space(out)) {
        draw_space(lab, &spline, out);
        return;
    }
    for (int32_t panel = 0; panel < 2; panel++) {
        ploy_vec2 low = seen(panel, sky.min), high = seen(panel, sky.max);
        ploy_vec2 frame[5] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, frame, 5);
        ploy_draw_text(out, nobody, ploy_vec2_make(0.5f * (low.x + high.x), high.y + 0.6f),
                       panel == 0 ? "from above" : "from the side");
        ploy_vec2 curve[POINTS];
        for (int32_t i = 0; i < POINTS; i++) {
            float t = (float)CORNERS * (float)i / (POINTS - 1);
            curve[i] = seen(panel, ploy_spline3_at(&spline, t));
        }
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, flyer_id(0), curve, POINTS);
        for (int32_t i = lab->def.flyers - 1; i >= 0; i--) {
            draw_flyer(&lab->flyers[i], i, panel, out);
        }
    }
}

static void flyers_lab_describe(const void *state, ploy_describe *out) {
    const flyers_lab *lab = state;
    ploy_describe_f32(out, "along", PLOY_STATE, lab->along);
    for (int32_t i = 0; i < CORNERS; i++) {
        ploy_describe_vec3(out, "corner", PLOY_STATE, lab->curve[i].x, lab->curve[i].y,
                           lab->curve[i].z);
    }
    float outside = 0.0f;
    for (int32_t i = 0; i < lab->def.flyers; i++) {
        const flyer *it = &lab->flyers[i];
        lab_begin_numbered(out, "flyer", i, flyer_id(i));
        ploy_kinematic3_describe(&it->body, PLOY_STATE, out);
        ploy_describe_vec3(out, "drift", PLOY_STATE, it->drift.x, it->drift.y, it->drift.z);
        ploy_describe_f32(out, "turning", PLOY_STATE, it->turning);
        ploy_describe_f32(out, "shown w", PLOY_STATE, it->shown.w);
        ploy_describe_text(out, "does", PLOY_DERIVED, flyer_requests[it->wins]);
        ploy_describe_f32(out, "lean", PLOY_DERIVED,
                          ploy_acosf(ploy_clampf(ploy_quat_up(it->shown).z, -1.0f, 1.0f)));
        ploy_describe_end(out);
        outside = ploy_maxf(outside, sqrtf(ploy_box3_distance_sq(sky, it->body.position)));
    }
    ploy_describe_f32(out, "farthest outside", PLOY_DERIVED, outside);
}

static const ploy_command flyers_lab_commands[] = {
    {"bend", "bend the leader's curve (in the left picture)", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_flyers; // in labs.c
const ploy_sim_type ploy_lab_flyers = {
    .name = "flyers",
    .title = "Flyers in space",
    .help = "A leader on a curve with two wing men, and a flock in a box, from above and from the "
            "side. Bodies bank into their turns. Click in the left picture to bend the curve.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_SPATIAL,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = flyers_lab_get_fields,
    .commands = flyers_lab_commands,
    .command_count = sizeof flyers_lab_commands / sizeof flyers_lab_commands[0],
    .create = flyers_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = flyers_lab_step,
    .draw = flyers_lab_draw,
    .describe = flyers_lab_describe,
};
