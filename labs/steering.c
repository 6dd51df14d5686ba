// The lab of single behaviors: one agent does what the parameter `behavior` says to a target that
// goes round, between obstacles, in a walled field. The pointer moves the target's round.
//
// All state is in the one block steering_lab and in the scene.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flow.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"
#include "ploy/move/intercept.h"
#include "ploy/move/match.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pursue.h"

enum { STEER_AGENT, STEER_TARGET, STEER_SECOND, STEER_MOVERS };
enum { STEER_OBSTACLES = 5, STEER_TRAIL = 240, STEER_PATH = 6, STEER_FLOW = 9 };

typedef enum steering_choice {
    STEER_PURSUE,
    STEER_EVADE,
    STEER_INTERCEPT,
    STEER_INTERPOSE,
    STEER_OFFSET_PURSUIT,
    STEER_FLY_BY,
    STEER_FOLLOW,
    STEER_FACE,
    STEER_MATCH,
    STEER_PATH_FOLLOW,
    STEER_WAYPOINTS,
    STEER_FLOW_FOLLOW,
    STEER_AVOID_OBSTACLES,
    STEER_AVOID_WALLS,
    STEER_WALL_FOLLOW,
    STEER_HIDE,
    STEER_AVOID_COLLISION,
    STEER_AVOID_CONE,
    STEER_CHOICES
} steering_choice;

static const char *const steering_names[STEER_CHOICES] = {
    "pursue",    "evade", "intercept",   "interpose",   "offset_pursuit",  "fly_by",
    "follow",    "face",  "match",       "path_follow", "waypoints",       "flow_follow",
    "obstacles", "walls", "wall_follow", "hide",        "avoid_collision", "avoid_cone",
};

typedef struct steering_lab_def {
    uint32_t cookie;
    steering_choice behavior;
    float target_speed;
    float target_radius;
    ploy_pursue_def pursue;
    ploy_evade_def evade;
    ploy_intercept_def intercept;
    ploy_interpose_def interpose;
    ploy_offset_pursuit_def offset_pursuit;
    ploy_fly_by_def fly_by;
    ploy_follow_def follow;
    ploy_align_def face;
    ploy_match_def match;
    ploy_path_follow_def path;
    ploy_waypoints_def waypoints;
    ploy_flow_def flow;
    ploy_obstacle_def obstacles;
    ploy_feelers_def walls;
    ploy_wall_follow_def wall_follow;
    ploy_hide_def hide;
    ploy_collision_def collision;
    ploy_cone_def cone;
    ploy_contain_def contain;
    ploy_seek_def seek;
} steering_lab_def;

static const ploy_field steering_lab_fields[] = {
    PLOY_FIELD_ENUM(steering_lab_def, behavior, STEER_PURSUE, steering_names, "what it does"),
    PLOY_FIELD_F32(steering_lab_def, target_speed, 3, 0, 20, "m/s", "how fast the target goes"),
    PLOY_FIELD_F32(steering_lab_def, target_radius, 7, 0, 50, "m", "size of its round"),
    PLOY_FIELD_DEF(steering_lab_def, pursue, ploy_pursue_fields, "behavior pursue"),
    PLOY_FIELD_DEF(steering_lab_def, evade, ploy_evade_fields, "behavior evade"),
    PLOY_FIELD_DEF(steering_lab_def, intercept, ploy_intercept_fields, "behavior intercept"),
    PLOY_FIELD_DEF(steering_lab_def, interpose, ploy_interpose_fields, "behavior interpose"),
    PLOY_FIELD_DEF(steering_lab_def, offset_pursuit, ploy_offset_pursuit_fields,
                   "behavior offset pursuit"),
    PLOY_FIELD_DEF(steering_lab_def, fly_by, ploy_fly_by_fields, "behavior fly by"),
    PLOY_FIELD_DEF(steering_lab_def, follow, ploy_follow_fields, "behavior follow"),
    PLOY_FIELD_DEF(steering_lab_def, face, ploy_align_fields, "behavior face"),
    PLOY_FIELD_DEF(steering_lab_def, match, ploy_match_fields, "behavior match"),
    PLOY_FIELD_DEF(steering_lab_def, path, ploy_path_follow_fields, "behavior path follow"),
    PLOY_FIELD_DEF(steering_lab_def, waypoints, ploy_waypoints_fields, "behavior waypoints"),
    PLOY_FIELD_DEF(steering_lab_def, flow, ploy_flow_fields, "behavior flow follow"),
    PLOY_FIELD_DEF(steering_lab_def, obstacles, ploy_obstacle_fields, "behavior obstacles"),
    PLOY_FIELD_DEF(steering_lab_def, walls, ploy_feelers_fields, "behavior walls"),
    PLOY_FIELD_DEF(steering_lab_def, wall_follow, ploy_wall_follow_fields, "behavior wall follow"),
    PLOY_FIELD_DEF(steering_lab_def, hide, ploy_hide_fields, "behavior hide"),
    PLOY_FIELD_DEF(steering_lab_def, collision, ploy_collision_fields, "behavior avoid collision"),
    PLOY_FIELD_DEF(steering_lab_def, cone, ploy_cone_fields, "behavior avoid cone"),
    PLOY_FIELD_DEF(steering_lab_def, contain, ploy_contain_fields, "what keeps it in the field"),
    PLOY_FIELD_DEF(steering_lab_def, seek, ploy_seek_fields,
                   "towards the target while nothing is to be avoided"),
};

static ploy_fields steering_lab_get_fields(void) {
    return PLOY_FIELDS(steering_lab_def, steering_lab_fields);
}

typedef struct steering_lab {
    steering_lab_def def; // as of the last step: drawing needs it
    ploy_kinematic movers[STEER_MOVERS];
    ploy_vec2 round_centre;
    float round_phase; // rad
    float along;       // m, of the path
    int32_t next;      // waypoint
    ploy_feelers feelers;
    ploy_steering steering;       // of the last step, to be shown
    bool avoiding;                // it was the avoidance that asked for it
    ploy_vec2 trail[STEER_TRAIL]; // where it has been, a ring
    int32_t trail_count;
    ploy_plain_scene *scene;
} steering_lab;

static const ploy_box2 steering_field = {{-16.0f, -10.0f}, {16.0f, 10.0f}};
static const ploy_circle steering_obstacles[STEER_OBSTACLES] = {
    {{-8.0f, 4.0f}, 1.5f}, {{-5.0f, -5.0f}, 1.0f}, {{1.0f, 1.0f}, 1.3f},
    {{7.0f, -4.0f}, 1.6f}, {{10.0f, 5.0f}, 1.1f},
};
static const ploy_vec2 steering_path[STEER_PATH] = {
    {-12.0f, -7.0f}, {-3.0f, -2.0f}, {8.0f, -7.0f}, {12.0f, 1.0f}, {3.0f, 6.0f}, {-11.0f, 7.0f}};

static ploy_agent_id steering_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_polyline steering_way(void) {
    return ploy_polyline_make(steering_path, STEER_PATH, true);
}

// Round and round the middle, faster outside: a whirl.
static ploy_vec2 steering_flow_at(const void *user, ploy_vec2 point) {
    (void)user;
    ploy_vec2 inward = ploy_vec2_scale(point, -0.1f);
    return ploy_vec2_limit(ploy_vec2_add(ploy_vec2_scale(ploy_vec2_perp(point), 0.5f), inward),
                           4.0f);
}

static const ploy_flow_field steering_flow = {steering_flow_at, NULL};

static ploy_vec2 steering_round(const steering_lab *lab, float phase) {
    ploy_vec2 at = ploy_vec2_scale(ploy_angle_heading(phase), lab->def.target_radius);
    return ploy_vec2_add(lab->round_centre, at);
}

static void steering_scatter(steering_lab *lab, ploy_rng_key key, uint64_t tick) {
    for (uint32_t i = 0; i < STEER_MOVERS; i++) {
        ploy_vec2 place = {ploy_rng_range_at(key, i, tick, 0, -14.0f, 14.0f),
                           ploy_rng_range_at(key, i, tick, 1, -8.0f, 8.0f)};
        lab->movers[i] =
            ploy_kinematic_make(place, ploy_rng_range_at(key, i, tick, 2, -PLOY_PI_F, PLOY_PI_F));
        lab->movers[i].velocity = ploy_angle_heading(lab->movers[i].orientation);
    }
    lab->along = 0.0f;
    lab->next = 0;
    lab->trail_count = 0;
    memset(&lab->feelers, 0, sizeof lab->feelers);
}

static ploy_result steering_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    steering_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_plain_scene_def scene = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&scene, env, &lab->scene);
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    ploy_vec2 low = steering_field.min, high = steering_field.max;
    ploy_vec2 corners[4] = {low, {high.x, low.y}, high, {low.x, high.y}};
    result = ploy_plain_scene_add_outline(lab->scene, corners, 4, true, 0.0f, 1, NULL);
    for (int32_t i = 0; i < STEER_OBSTACLES && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_circle(lab->scene, steering_obstacles[i].centre,
                                             steering_obstacles[i].radius, 1, NULL);
    }
    if (result != PLOY_OK) return result;
    steering_scatter(lab, key, 0);
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static void steering_inputs(steering_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "target") == 0) {
            ploy_vec2 at = {input->value.as.vec[0], input->value.as.vec[1]};
            ploy_vec2 round =
                ploy_vec2_sub(steering_round(lab, lab->round_phase), lab->round_centre);
            lab->round_centre = ploy_vec2_sub(at, round);
        } else if (strcmp(input->name, "scatter") == 0) {
            steering_scatter(lab, context->key, context->tick + 1);
        }
    }
}

// The target goes round at its speed; the second one goes to and fro.
static void steering_move_target(steering_lab *lab, float dt) {
    float radius = lab->def.target_radius;
    float rate = radius > 0.1f ? lab->def.target_speed / radius : 0.0f;
    lab->round_phase = ploy_angle_wrap(lab->round_phase + rate * dt);
    ploy_kinematic *target = &lab->movers[STEER_TARGET];
    target->position = steering_round(lab, lab->round_phase);
    target->velocity =
        ploy_vec2_scale(ploy_vec2_perp(ploy_angle_heading(lab->round_phase)), radius * rate);
    if (rate > 0.0f) target->orientation = ploy_angle_of(target->velocity);
    ploy_kinematic *second = &lab->movers[STEER_SECOND];
    second->position = ploy_vec2_add_scaled(second->position, second->velocity, dt);
    if (fabsf(second->position.x) > 15.0f) {
        second->velocity.x = copysignf(second->velocity.x, -second->position.x);
    }
    if (fabsf(second->position.y) > 9.0f) {
        second->velocity.y = copysignf(second->velocity.y, -second->position.y);
    }
    second->orientation = ploy_angle_of(second->velocity);
}

// The chosen behavior's request, and its reasons on request.
static ploy_steering steering_choose(steering_lab *lab, float dt, ploy_trace *trace) {
    const steering_lab_def *def = &lab->def;
    ploy_kinematic agent = lab->movers[STEER_AGENT], target = lab->movers[STEER_TARGET];
    ploy_kinematic second = lab->movers[STEER_SECOND];
    ploy_kinematics others = ploy_kinematics_of(&lab->movers[STEER_TARGET], 2);
    ploy_polyline way = steering_way();
    ploy_scene scene = ploy_plain_scene_interface(lab->scene);
    ploy_vec2 slot = {-2.0f, 2.0f};
    ploy_agent_id id = steering_id(STEER_AGENT);
    switch (def->behavior) {
    case STEER_PURSUE:
        ploy_pursue_trace(&def->pursue, agent, target, id, trace);
        return ploy_pursue(&def->pursue, agent, target);
    case STEER_EVADE:
        ploy_evade_trace(&def->evade, agent, target, id, trace);
        return ploy_evade(&def->evade, agent, target);
    case STEER_INTERCEPT:
        ploy_intercept_trace(&def->intercept, agent, target, id, trace);
        return ploy_intercept(&def->intercept, agent, target);
    case STEER_INTERPOSE:
        ploy_interpose_trace(&def->interpose, agent, target, second, id, trace);
        return ploy_interpose(&def->interpose, agent, target, second);
    case STEER_OFFSET_PURSUIT:
        ploy_offset_pursuit_trace(&def->offset_pursuit, agent, target, slot, id, trace);
        return ploy_offset_pursuit(&def->offset_pursuit, agent, target, slot);
    case STEER_FLY_BY:
        ploy_fly_by_trace(&def->fly_by, agent, target, id, trace);
        return ploy_fly_by(&def->fly_by, agent, target);
    case STEER_FOLLOW:
        ploy_follow_trace(&def->follow, agent, target, id, trace);
        return ploy_follow(&def->follow, agent, target);
    case STEER_FACE:
        ploy_face_trace(&def->face, agent, target.position, id, trace);
        return ploy_face(&def->face, agent, target.position);
    case STEER_MATCH:
        ploy_match_velocity_trace(&def->match, agent, target.velocity, id, trace);
        return ploy_match_velocity(&def->match, agent, target.velocity);
    case STEER_PATH_FOLLOW:
        ploy_path_follow_trace(&def->path, agent, &way, lab->along, id, trace);
        return ploy_path_follow(&def->path, agent, &way, &lab->along);
    case STEER_WAYPOINTS: return ploy_waypoints(&def->waypoints, agent, &way, &lab->next);
    case STEER_FLOW_FOLLOW: return ploy_flow_follow(&def->flow, agent, &steering_flow);
    case STEER_AVOID_OBSTACLES:
        ploy_avoid_obstacles_trace(&def->obstacles, agent, steering_obstacles, STEER_OBSTACLES, id,
                                   trace);
        return ploy_avoid_obstacles(&def->obstacles, agent, steering_obstacles, STEER_OBSTACLES);
    case STEER_AVOID_WALLS:
        ploy_avoid_walls_trace(&def->walls, &lab->feelers, agent, &scene, id, trace);
        return ploy_avoid_walls(&def->walls, &lab->feelers, agent, &scene, dt);
    case STEER_WALL_FOLLOW: return ploy_wall_follow(&def->wall_follow, agent, &scene);
    case STEER_HIDE:
        ploy_hide_trace(&def->hide, agent, target, steering_obstacles, STEER_OBSTACLES, id, trace);
        return ploy_hide(&def->hide, agent, target, steering_obstacles, STEER_OBSTACLES);
    case STEER_AVOID_COLLISION:
        ploy_avoid_collision_trace(&def->collision, agent, &others, -1, id, trace);
        return ploy_avoid_collision(&def->collision, agent, &others, -1);
    case STEER_AVOID_CONE: return ploy_avoid_cone(&def->cone, agent, &others, -1);
    case STEER_CHOICES: break;
    }
    return ploy_steering_none();
}

static bool steering_avoids(steering_choice choice) {
    return choice == STEER_AVOID_OBSTACLES || choice == STEER_AVOID_WALLS ||
           choice == STEER_AVOID_COLLISION || choice == STEER_AVOID_CONE;
}

static ploy_result steering_lab_step(void *state, const ploy_sim_context *context) {
    steering_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    steering_inputs(lab, context);
    steering_move_target(lab, context->dt);
    ploy_kinematic *agent = &lab->movers[STEER_AGENT];
    lab->steering = steering_choose(lab, context->dt, context->trace);
    lab->avoiding = lab->steering.requested != 0 && steering_avoids(lab->def.behavior);
    // Those that only avoid need somewhere to go.
    if (lab->steering.requested == 0 && steering_avoids(lab->def.behavior)) {
        lab->steering = ploy_seek(&lab->def.seek, *agent, lab->movers[STEER_TARGET].position);
        ploy_seek_trace(&lab->def.seek, *agent, lab->movers[STEER_TARGET].position,
                        steering_id(STEER_AGENT), context->trace);
    }
    ploy_steering back = ploy_contain(&lab->def.contain, *agent, steering_field);
    if (back.requested != 0) lab->steering = back;
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 6.0f;
    if (lab->def.behavior == STEER_FACE) {
        motion.facing = PLOY_FACING_FREE;
        motion.drag = 1.0f;
    }
    *agent = ploy_integrate(&motion, *agent, lab->steering, context->dt);
    if (context->tick % 4 == 0) {
        lab->trail[lab->trail_count % STEER_TRAIL] = agent->position;
        lab->trail_count++;
        // Held below twice the ring, so that it never overflows and keeps its place.
        if (lab->trail_count >= 2 * STEER_TRAIL) lab->trail_count -= STEER_TRAIL;
    }
    return PLOY_OK;
}

// ---- sight ----

static void steering_draw_trail(const steering_lab *lab, ploy_draw *out) {
    ploy_vec2 points[STEER_TRAIL];
    int32_t count = ploy_mini(lab->trail_count, STEER_TRAIL);
    for (int32_t i = 0; i < count; i++) {
        points[i] = lab->trail[(lab->trail_count - count + i) % STEER_TRAIL];
    }
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, steering_id(STEER_AGENT), points,
                       count);
}

static void steering_draw_flow(ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) return;
    for (int32_t row = 0; row < STEER_FLOW; row++) {
        for (int32_t column = 0; column < 2 * STEER_FLOW; column++) {
            ploy_vec2 at = {-15.0f + 1.8f * (float)column, -9.0f + 2.2f * (float)row};
            ploy_vec2 tip = ploy_vec2_add_scaled(at, steering_flow_at(NULL, at), 0.25f);
            ploy_draw_arrow(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_GHOST, ploy_agent_id_none(), at,
                            tip);
        }
    }
}

// What the chosen behavior looks at.
static void steering_draw_choice(const steering_lab *lab, ploy_draw *out) {
    const steering_lab_def *def = &lab->def;
    ploy_kinematic agent = lab->movers[STEER_AGENT], target = lab->movers[STEER_TARGET];
    ploy_kinematic second = lab->movers[STEER_SECOND];
    ploy_agent_id id = steering_id(STEER_AGENT);
    ploy_vec2 point = agent.position;
    switch (def->behavior) {
    case STEER_PURSUE: point = ploy_pursue_point(&def->pursue, agent, target); break;
    case STEER_INTERCEPT: point = ploy_intercept_find(&def->intercept, agent, target).point; break;
    case STEER_INTERPOSE:
        point = ploy_interpose_point(&def->interpose, agent, target, second);
        break;
    case STEER_OFFSET_PURSUIT:
        point = ploy_offset_pursuit_point(&def->offset_pursuit, agent, target,
                                          ploy_vec2_make(-2.0f, 2.0f));
        break;
    case STEER_FLY_BY: point = ploy_fly_by_point(&def->fly_by, agent, target); break;
    case STEER_FOLLOW: ploy_follow_draw(&def->follow, target, id, out); return;
    case STEER_AVOID_OBSTACLES: ploy_avoid_obstacles_draw(&def->obstacles, agent, id, out); return;
    case STEER_AVOID_WALLS: ploy_feelers_draw(&def->walls, &lab->feelers, agent, id, out); return;
    case STEER_FLOW_FOLLOW: steering_draw_flow(out); return;
    case STEER_HIDE:
        for (int32_t i = 0; i < STEER_OBSTACLES; i++) {
            ploy_vec2 spot = ploy_hide_spot(&def->hide, steering_obstacles[i], target.position);
            ploy_draw_point(out, PLOY_LAYER_FORCES, PLOY_STYLE_TARGET, id, spot);
        }
        return;
    case STEER_PATH_FOLLOW:
    case STEER_WAYPOINTS: {
        ploy_vec2 round[STEER_PATH + 1];
        memcpy(round, steering_path, sizeof steering_path);
        round[STEER_PATH] = steering_path[0];
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, id, round, STEER_PATH + 1);
        return;
    }
    default: return;
    }
    ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, id, agent.position, point);
    ploy_draw_point(out, PLOY_LAYER_FORCES, PLOY_STYLE_TARGET, id, point);
}

static const char *const steering_mover_names[STEER_MOVERS] = {"agent", "target", "second"};

static void steering_lab_draw(const void *state, ploy_draw *out) {
    const steering_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "agent with the chosen behavior");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "target");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "second agent");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "point it steers to");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "its trail, and pillars it ignores");
    static const ploy_style styles[STEER_MOVERS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                    PLOY_STYLE_AGENT_C};
    // Pillars that the behavior does not look at are faint: it goes through them.
    if (lab->def.behavior >= STEER_AVOID_OBSTACLES && lab->def.behavior <= STEER_HIDE) {
        ploy_plain_scene_draw(lab->scene, out);
    } else {
        for (int32_t i = 0; i < STEER_OBSTACLES; i++) {
            ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, ploy_agent_id_none(),
                             steering_obstacles[i].centre, steering_obstacles[i].radius);
        }
    }
    steering_draw_choice(lab, out);
    steering_draw_trail(lab, out);
    for (int32_t i = 0; i < STEER_MOVERS; i++) {
        ploy_kinematic_draw(&lab->movers[i], 0.4f, styles[i], steering_id(i), out);
        // The agent's below, so that it can be read where the agent meets the target.
        float above = i == STEER_AGENT ? -1.1f : 0.7f;
        ploy_vec2 label = {lab->movers[i].position.x, lab->movers[i].position.y + above};
        ploy_draw_text(out, steering_id(i), label,
                       i == STEER_AGENT ? steering_names[lab->def.behavior]
                                        : steering_mover_names[i]);
    }
    ploy_steering_draw(&lab->steering, lab->movers[STEER_AGENT].position, 0.2f,
                       steering_id(STEER_AGENT), out);
}

static void steering_lab_describe(const void *state, ploy_describe *out) {
    const steering_lab *lab = state;
    for (int32_t i = 0; i < STEER_MOVERS; i++) {
        ploy_describe_begin_agent(out, steering_mover_names[i], steering_id(i));
        ploy_kinematic_describe(&lab->movers[i], PLOY_STATE, out);
        if (i == STEER_AGENT) {
            ploy_describe_text(out, "behavior", PLOY_DERIVED, steering_names[lab->def.behavior]);
            ploy_describe_bool(out, "avoiding", PLOY_DERIVED, lab->avoiding);
            ploy_describe_begin(out, "steering");
            ploy_steering_describe(&lab->steering, PLOY_DERIVED, out);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "round");
    ploy_describe_vec2(out, "centre", PLOY_STATE, lab->round_centre.x, lab->round_centre.y);
    ploy_describe_f32(out, "phase", PLOY_STATE, lab->round_phase);
    ploy_describe_end(out);
    ploy_describe_f32(out, "along", PLOY_STATE, lab->along);
    ploy_describe_i64(out, "next waypoint", PLOY_STATE, lab->next);
    ploy_describe_begin(out, "feelers");
    ploy_feelers_describe(&lab->feelers, out);
    ploy_describe_end(out);
}

static const ploy_command steering_lab_commands[] = {
    {"target", "bring the target there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "move all agents to random places", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_steering; // in labs.c
const ploy_sim_type ploy_lab_steering = {
    .name = "steering",
    .title = "Steering: one behavior at a time",
    .help = "One agent does what the setting behavior says to a target that goes round. Click to "
            "move the "
            "target's round. Pillars and walls are solid for the behaviors that look at them.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-17.0f, -11.0f, 17.0f, 11.0f},
    .fields = steering_lab_get_fields,
    .commands = steering_lab_commands,
    .command_count = sizeof steering_lab_commands / sizeof steering_lab_commands[0],
    .create = steering_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = steering_lab_step,
    .draw = steering_lab_draw,
    .describe = steering_lab_describe,
};
