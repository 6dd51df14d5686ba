// The lab of combining: a course with posts, a wall with doors and other runners. Each runner has
// the same five sources: walls, posts, others, the errand through a door to the far side, and
// wander. How one request is made of five is a live parameter; the forces of each are drawn. Who
// still overlaps another is moved out.
//
// All state is in the one block obstacles_lab, and in the scene.
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/scene.h"
#include "ploy/move/collision.h"
#include "ploy/move/combine.h"
#include "ploy/move/errand.h"
#include "ploy/move/feelers.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/overlap.h"
#include "ploy/move/wander.h"

enum { RUNNERS_MAX = 40, POSTS = 12, WALLS = 5, SOURCES = 5 };

static const float body_radius = 0.3f; // m
static const ploy_circle posts[POSTS] = {{{-13, 5}, 0.9f}, {{-12, -2}, 1.1f}, {{-10, -8}, 0.8f},
                                         {{-8, 2}, 0.8f},  {{-7, 8}, 1.0f},   {{-5, -5}, 1.0f},
                                         {{5, 6}, 1.0f},   {{6, -1}, 1.2f},   {{7, -8}, 0.9f},
                                         {{10, 3}, 0.9f},  {{11, -5}, 1.1f},  {{13, 8}, 0.8f}};
// A wall across the middle, with two doors, and a corner trap behind it.
static const ploy_segment2 walls[WALLS] = {{{0, -12}, {0, -7}},
                                           {{0, -2.5f}, {0, 2.5f}},
                                           {{0, 7}, {0, 12}},
                                           {{12.5f, -2.5f}, {14.5f, -1}},
                                           {{12.5f, 0.5f}, {14.5f, -1}}};
static const float doors[2] = {-4.75f, 4.75f}; // m, along the wall

static const char *const source_names[SOURCES] = {"walls", "posts", "others", "errand", "wander"};

typedef struct obstacles_lab_def {
    uint32_t cookie;
    int32_t runners;
    float walls_weight, posts_weight, others_weight, errand_weight, wander_weight;
    float probability;
    float feeler_scale;
    bool overlap;
    ploy_combine_def combine;
    ploy_feelers_def feelers;
    ploy_obstacle_def posts;
    ploy_collision_def others;
    ploy_errand_def errand;
    ploy_wander_def wander;
    ploy_movers_def motion;
} obstacles_lab_def;

static const ploy_field obstacles_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(obstacles_lab_def, runners, 16, 1, RUNNERS_MAX, "", "how many"),
    PLOY_FIELD_F32(obstacles_lab_def, walls_weight, 1, 0, 100, "", "of walls; 0 switches them off"),
    PLOY_FIELD_F32(obstacles_lab_def, posts_weight, 1, 0, 100, "", "of posts"),
    PLOY_FIELD_F32(obstacles_lab_def, others_weight, 1, 0, 100, "", "of others"),
    PLOY_FIELD_F32(obstacles_lab_def, errand_weight, 1, 0, 100, "", "of the errand"),
    PLOY_FIELD_F32(obstacles_lab_def, wander_weight, 0.2, 0, 100, "", "of wander"),
    PLOY_FIELD_F32(obstacles_lab_def, probability, 0.8, 0.01, 1, "",
                   "of each avoidance, when dithering"),
    PLOY_FIELD_F32(obstacles_lab_def, feeler_scale, 0.4, 0.05, 5, "",
                   "of all lengths of the feelers: doors are narrow"),
    PLOY_FIELD_BOOL(obstacles_lab_def, overlap, true, "move runners out of each other"),
    PLOY_FIELD_DEF(obstacles_lab_def, combine, ploy_combine_fields, "one request out of five"),
    PLOY_FIELD_DEF(obstacles_lab_def, feelers, ploy_feelers_fields, "walls"),
    PLOY_FIELD_DEF(obstacles_lab_def, posts, ploy_obstacle_fields, "posts"),
    PLOY_FIELD_DEF(obstacles_lab_def, others, ploy_collision_fields, "others"),
    PLOY_FIELD_DEF(obstacles_lab_def, errand, ploy_errand_fields, "the errand"),
    PLOY_FIELD_DEF(obstacles_lab_def, wander, ploy_wander_fields, "wander"),
    PLOY_FIELD_DEF(obstacles_lab_def, motion, ploy_movers_fields, "how they move"),
};

static ploy_fields obstacles_lab_get_fields(void) {
    return PLOY_FIELDS(obstacles_lab_def, obstacles_lab_fields);
}

typedef struct runner {
    ploy_errand errand;
    ploy_errand_stop door[2]; // before and behind it
    ploy_feelers feelers;
    float drift;
    int32_t arrived;
    ploy_steering3 requests[SOURCES]; // of the last step, to be shown
} runner;

typedef struct obstacles_lab {
    obstacles_lab_def def;
    ploy_plain_scene *scene;
    ploy_vec2 goal; // of all
    int32_t bumps;  // into posts and walls
    ploy_kinematic bodies[RUNNERS_MAX];
    ploy_steering steerings[RUNNERS_MAX];
    runner runners[RUNNERS_MAX];
} obstacles_lab;

static ploy_agent_id runner_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

// Back to the left, through the door that is drawn.
static void send(obstacles_lab *lab, int32_t i, ploy_rng_key key, uint64_t tick) {
    uint32_t id = (uint32_t)i;
    runner *it = &lab->runners[i];
    float y = ploy_rng_range_at(key, id, tick, 1, -10.0f, 10.0f);
    lab->bodies[i] = ploy_kinematic_make(
        ploy_vec2_make(ploy_rng_range_at(key, id, tick, 0, -19.0f, -15.0f), y), 0.0f);
    lab->bodies[i].velocity = ploy_vec2_make(1.0f, 0.0f);
    float at = doors[ploy_rng_int_at(key, id, tick, 2, 0, 1)];
    for (int32_t k = 0; k < 2; k++) {
        it->door[k].position = ploy_vec2_make(k == 0 ? -1.8f : 1.8f, at);
        it->door[k].radius = 1.2f;
    }
    it->errand = ploy_errand_begin(&lab->def.errand, it->door, 2, lab->goal);
    memset(&it->feelers, 0, sizeof it->feelers);
    it->drift = 0.0f;
}

static ploy_result obstacles_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                        void **out) {
    obstacles_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->goal = ploy_vec2_make(18.0f, 0.0f);
    ploy_plain_scene_def scene = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&scene, env, &lab->scene);
    for (int32_t i = 0; i < WALLS && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_segment(lab->scene, walls[i].from, walls[i].to, 1, NULL);
    }
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    for (int32_t i = 0; i < lab->def.runners; i++) {
        send(lab, i, ploy_rng_key_split(key, (uint64_t)i + 1), 0);
    }
    *out = lab;
    return PLOY_OK;
}

// ---- sources ----

// What sliding along walls needs.
typedef struct slider {
    const obstacles_lab *lab;
    const ploy_scene *scene;
    const ploy_feelers_def *feelers;
} slider;

static ploy_feelers_def feelers_of(const obstacles_lab *lab) {
    ploy_feelers_def def = lab->def.feelers;
    def.length = ploy_maxf(def.length * lab->def.feeler_scale, 1e-3f);
    def.whisker_length = ploy_maxf(def.whisker_length * lab->def.feeler_scale, 1e-3f);
    def.avoid_distance *= lab->def.feeler_scale;
    return def;
}

// Where each part may replace the request of those before it, walls need not push: they remove only
// what leads into them.
static ploy_steering slide(const ploy_steering_source *source,
                           const ploy_steering_context *context) {
    const slider *self = source->state;
    ploy_vec2 at = context->agent.position, velocity = context->agent.velocity;
    float speed = ploy_vec2_length(velocity);
    ploy_vec2 ahead = ploy_vec2_add(at, ploy_vec2_with_length(velocity, self->feelers->length));
    ploy_scene_hit hit;
    if (!(speed > 0.0f) || !ploy_scene_ray2(self->scene, at, ahead, PLOY_SCENE_ALL, &hit)) {
        return ploy_steering_none();
    }
    ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
    if (ploy_vec2_dot(normal, velocity) > 0.0f) normal = ploy_vec2_negate(normal);
    ploy_vec2 toward = ploy_vec2_sub(self->lab->goal, at);
    ploy_vec2 along = ploy_slide(context->earlier.linear, normal, hit.distance / speed, 1.0f,
                                 self->lab->def.combine.max_acceleration, toward);
    return ploy_steering_make(along, 0.0f);
}

static const ploy_steering_type slide_type = {"slide", slide, NULL, NULL, 0, false, true};

static float weight_of(const obstacles_lab_def *def, int32_t source) {
    const float weights[SOURCES] = {def->walls_weight, def->posts_weight, def->others_weight,
                                    def->errand_weight, def->wander_weight};
    return weights[source];
}

static ploy_result think(obstacles_lab *lab, int32_t i, const ploy_kinematics *all,
                         const ploy_scene *scene, const ploy_sim_context *context) {
    runner *it = &lab->runners[i];
    bool cooperate = lab->def.combine.mode == PLOY_COMBINE_COOPERATE;
    ploy_feelers_def feelers = feelers_of(lab);
    slider walls_slider = {lab, scene, &feelers};
    ploy_steering_source sources[SOURCES];
    ploy_result results[SOURCES] = {
        ploy_avoid_walls_source(&feelers, scene, &it->feelers, NULL, &sources[0]),
        ploy_avoid_obstacles_source(&lab->def.posts, posts, POSTS, NULL, &sources[1]),
        ploy_avoid_collision_source(&lab->def.others, all, i, NULL, &sources[2]),
        ploy_errand_source(&it->errand, NULL, &sources[3]),
        ploy_wander_source(&lab->def.wander, &it->drift, NULL, &sources[4])};
    if (cooperate) sources[0] = ploy_steering_source_make(&slide_type, &walls_slider);
    ploy_combination mind;
    ploy_result result = ploy_combination_init(&mind, &lab->def.combine, NULL);
    // The most urgent comes first; but where each may replace what those before it request, last.
    for (int32_t k = 0; k < SOURCES && result == PLOY_OK; k++) {
        int32_t at = cooperate ? SOURCES - 1 - k : k;
        result = results[at];
        if (result == PLOY_OK) {
            result = ploy_combination_add(&mind, source_names[at], sources[at],
                                          weight_of(&lab->def, at));
        }
    }
    if (result != PLOY_OK) return result;
    for (int32_t k = 0; k < SOURCES; k++) {
        ploy_combine_part *part = ploy_combination_part(&mind, source_names[k]);
        part->probability = k < 3 ? lab->def.probability : 1.0f;
        part->group = k < 2 ? 0 : k - 1;
    }
    ploy_steering3 requests[PLOY_COMBINE_PARTS_MAX];
    mind.requests = requests;
    ploy_steering_context steering = ploy_steering_context_make(
        lab->bodies[i], runner_id(i), context->dt, context->tick, context->key);
    steering.trace = context->trace;
    lab->steerings[i] = ploy_combine(&mind, &steering);
    for (int32_t k = 0; k < SOURCES; k++) {
        it->requests[k] = requests[cooperate ? SOURCES - 1 - k : k];
    }
    return PLOY_OK;
}

// ---- step ----

// Posts and walls are hard.
static void hit_things(obstacles_lab *lab, int32_t i) {
    ploy_kinematic *body = &lab->bodies[i];
    ploy_vec2 before = body->position;
    for (int32_t k = 0; k < POSTS; k++) {
        body->position =
            ploy_vec2_add(body->position, ploy_overlap_push(body->position, body_radius,
                                                            posts[k].centre, posts[k].radius, i));
    }
    for (int32_t k = 0; k < WALLS; k++) {
        ploy_vec2 nearest = ploy_segment2_closest(walls[k], body->position, NULL);
        body->position = ploy_vec2_add(
            body->position, ploy_overlap_push(body->position, body_radius, nearest, 0.0f, i));
    }
    if (!ploy_vec2_equal(before, body->position)) lab->bumps++;
    body->position.y = ploy_clampf(body->position.y, -11.5f, 11.5f);
    body->position.x = ploy_clampf(body->position.x, -19.8f, 19.8f);
}

static ploy_result obstacles_lab_step(void *state, const ploy_sim_context *context) {
    obstacles_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "goal")) continue;
        lab->goal = lab_input_point_within(&context->inputs[i], 19.0f, 11.0f);
        for (int32_t k = 0; k < lab->def.runners; k++) lab->runners[k].errand.goal = lab->goal;
    }
    int32_t count = lab->def.runners;
    ploy_kinematics all = ploy_kinematics_of(lab->bodies, count);
    ploy_steerings steerings = ploy_steerings_of(lab->steerings, count);
    ploy_scene scene = ploy_plain_scene_interface(lab->scene);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = think(lab, i, &all, &scene, context);
    }
    if (result == PLOY_OK) {
        result = ploy_movers_move(&lab->def.motion, &all, 0, count, &steerings, context->dt);
    }
    if (result == PLOY_OK && lab->def.overlap) {
        ploy_overlap_def def = ploy_overlap_def_default();
        float radii[RUNNERS_MAX];
        ploy_vec2 pushes[RUNNERS_MAX];
        for (int32_t i = 0; i < count; i++) radii[i] = body_radius;
        result = ploy_overlap_find(&def, &all, radii, 0, count, NULL, pushes);
        if (result == PLOY_OK) result = ploy_overlap_apply(&all, 0, count, pushes);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        hit_things(lab, i);
        if (!lab->runners[i].errand.arrived) continue;
        lab->runners[i].arrived++;
        send(lab, i, context->key, context->tick + 1);
    }
    return result;
}

// ---- sight ----

static void obstacles_lab_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[SOURCES] = {
        PLOY_STYLE_BAD, PLOY_STYLE_WARNING, PLOY_STYLE_AGENT_D, PLOY_STYLE_GOOD, PLOY_STYLE_GHOST};
    const obstacles_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "runners");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "runner whose feelers are shown");
    ploy_draw_key(out, PLOY_STYLE_BAD, "steering away from walls");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "steering away from posts");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "steering away from others");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "steering to the goal");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "wandering");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal");
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < POSTS; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, posts[i].centre,
                       posts[i].radius, 0.35f);
    }
    for (int32_t i = 0; i < WALLS; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, walls[i].from, walls[i].to);
    }
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, lab->goal, 0.3f, 1.0f);
    for (int32_t i = 0; i < lab->def.runners; i++) {
        const runner *it = &lab->runners[i];
        ploy_vec2 at = lab->bodies[i].position;
        if (i == 0) {
            ploy_feelers_def feelers = feelers_of(lab);
            ploy_feelers_draw(&feelers, &it->feelers, lab->bodies[i], runner_id(i), out);
            ploy_errand_draw(&it->errand, at, runner_id(i), out);
        }
        for (int32_t k = 0; k < SOURCES; k++) {
            if (it->requests[k].requested == 0) continue;
            ploy_vec2 force = ploy_vec2_scale(ploy_vec2_from_vec3(it->requests[k].linear),
                                              weight_of(&lab->def, k));
            ploy_draw_arrow(out, PLOY_LAYER_FORCES, styles[k], runner_id(i), at,
                            ploy_vec2_add_scaled(at, force, 0.12f));
        }
        ploy_draw_agent(out, i == 0 ? PLOY_STYLE_AGENT_C : PLOY_STYLE_AGENT_A, runner_id(i), at,
                        lab->bodies[i].orientation, body_radius);
    }
}

static void obstacles_lab_describe(const void *state, ploy_describe *out) {
    const obstacles_lab *lab = state;
    int64_t arrived = 0;
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.x, lab->goal.y);
    ploy_describe_i64(out, "bumps", PLOY_STATE, lab->bumps);
    for (int32_t i = 0; i < lab->def.runners; i++) {
        const runner *it = &lab->runners[i];
        lab_begin_numbered(out, "runner", i, runner_id(i));
        ploy_kinematic_describe(&lab->bodies[i], PLOY_STATE, out);
        ploy_errand_describe(&it->errand, out);
        ploy_describe_f32(out, "drift", PLOY_STATE, it->drift);
        ploy_describe_i64(out, "feelers held", PLOY_STATE, it->feelers.held);
        ploy_describe_f32(out, "feelers hold left", PLOY_STATE, it->feelers.hold_left);
        ploy_describe_f32(out, "feelers spread", PLOY_STATE, it->feelers.spread);
        ploy_steering_describe(&lab->steerings[i], PLOY_DERIVED, out);
        ploy_describe_end(out);
        arrived += it->arrived;
    }
    ploy_describe_i64(out, "arrived", PLOY_STATE, arrived);
}

static const ploy_command obstacles_lab_commands[] = {
    {"goal", "all agents go there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_obstacles; // in labs.c
const ploy_sim_type ploy_lab_obstacles = {
    .name = "obstacles",
    .title = "An obstacle course",
    .help = "Posts, a wall with doors, others in the way. Change how one request is made of five, "
            "and see who gets stuck. Click to move the goal.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = obstacles_lab_get_fields,
    .commands = obstacles_lab_commands,
    .command_count = sizeof obstacles_lab_commands / sizeof obstacles_lab_commands[0],
    .create = obstacles_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = obstacles_lab_step,
    .draw = obstacles_lab_draw,
    .describe = obstacles_lab_describe,
};
