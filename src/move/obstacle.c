// Obstacle avoidance; described in the header.
#include "ploy/move/obstacle.h"

#include "move/steer_internal.h"
#include "ploy/geom/frame.h"

static const ploy_field obstacle_fields[] = {
    PLOY_FIELD_F32(ploy_obstacle_def, radius, 0.5, 0, 1e6, "m", "size of the body"),
    PLOY_FIELD_F32(ploy_obstacle_def, look_ahead, 4, 1e-3, 1e6, "m", "length of the box at rest"),
    PLOY_FIELD_F32(ploy_obstacle_def, max_speed, 5, 1e-3, PLOY_SPEED_MAX_MPS, "m/s",
                   "speed at which the box is twice as long"),
    PLOY_FIELD_F32(ploy_obstacle_def, strength, 8, 0, 1e6, "1/s^2",
                   "acceleration for each metre of push"),
    PLOY_FIELD_F32(ploy_obstacle_def, braking, 0.1, 0, 1e6, "1/s^2",
                   "deceleration for each metre between the obstacle's edge and the agent"),
    PLOY_FIELD_F32(ploy_obstacle_def, max_acceleration, 20, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_BOOL(ploy_obstacle_def, classic, false, "the push as it was printed"),
};

ploy_fields ploy_obstacle_fields(void) {
    return PLOY_FIELDS(ploy_obstacle_def, obstacle_fields);
}

ploy_obstacle_def ploy_obstacle_def_default(void) {
    ploy_obstacle_def def;
    ploy_fields_default(ploy_obstacle_fields(), &def);
    return def;
}

static bool obstacle_ok(const ploy_obstacle_def *def) {
    return ployi_within(def->radius, 0, 1e6) && ployi_within(def->look_ahead, 1e-3, 1e6) &&
           ployi_within(def->max_speed, 1e-3, PLOY_SPEED_MAX_MPS) &&
           ployi_within(def->strength, 0, 1e6) && ployi_within(def->braking, 0, 1e6) &&
           ployi_acceleration_ok(def->max_acceleration);
}

// The line of the box: where it goes, or looks, and how far.
typedef struct obstacle_box {
    ploy_vec3 heading; // unit
    float length;
} obstacle_box;

PLOYI_INLINE obstacle_box obstacle_look(const ploy_obstacle_def *def, const ployi_mover *agent,
                                        int n) {
    float speed = ployi_length(agent->velocity, n);
    obstacle_box box = {ployi_unit(agent->velocity, n),
                        def->look_ahead * (1.0f + ploy_minf(speed / def->max_speed, 1.0f))};
    if (!(ployi_square(box.heading, n) > 0.0f)) box.heading = agent->forward;
    return box;
}

// An obstacle as the agent sees it: ahead and across.
typedef struct obstacle_seen {
    float ahead;
    ploy_vec3 across;
} obstacle_seen;

PLOYI_INLINE obstacle_seen obstacle_see(const ployi_mover *agent, const obstacle_box *box,
                                        ploy_vec3 centre, int n) {
    ploy_vec3 offset = ployi_minus(centre, agent->position);
    obstacle_seen seen = {ployi_dot(offset, box->heading, n), {0.0f, 0.0f, 0.0f}};
    seen.across = ployi_plus_scaled(offset, box->heading, -seen.ahead);
    return seen;
}

// Where the two would touch; below 0 if the obstacle is not in the box.
PLOYI_INLINE float obstacle_touch(const ploy_obstacle_def *def, const obstacle_box *box,
                                  obstacle_seen seen, float radius, int n) {
    float reach = radius + def->radius;
    float side = ployi_square(seen.across, n);
    if (!(radius >= 0.0f) || seen.ahead < 0.0f || seen.ahead - radius > box->length ||
        !(side < reach * reach)) {
        return -1.0f;
    }
    float q = sqrtf(reach * reach - side);
    return seen.ahead - q > 0.0f ? seen.ahead - q : seen.ahead + q;
}

PLOYI_INLINE ployi_pull obstacle_push(const ploy_obstacle_def *def, const obstacle_box *box,
                                      obstacle_seen seen, float radius, int n) {
    float reach = radius + def->radius;
    float side = ployi_length(seen.across, n);
    float m = 1.0f + (box->length - seen.ahead) / box->length;
    ploy_vec3 left = ployi_across(box->heading, n);
    // What rounding leaves of the distance across when it is straight ahead is no side.
    bool beside = side > 1e-6f * reach;
    ploy_vec3 away = beside ? ployi_times(seen.across, -1.0f / side) : ployi_times(left, -1.0f);
    float push = (reach - side) * m;
    float brake = (radius - seen.ahead) * def->braking;
    if (def->classic) {
        away = left;
        push = (radius - ployi_dot(seen.across, left, n)) * m;
    } else if (brake > 0.0f) {
        brake = 0.0f; // printed, the brake turns into an engine inside the obstacle
    }
    ploy_vec3 sum = ployi_plus_scaled(ployi_times(box->heading, brake), away, push * def->strength);
    return ployi_pull_clipped(sum, true, def->max_acceleration, n);
}

// The search over either kind of obstacle.
typedef struct obstacle_list {
    const ploy_circle *circles;
    const ploy_sphere *spheres; // if circles is NULL
    int32_t count;
} obstacle_list;

PLOYI_INLINE ploy_sphere obstacle_get(const obstacle_list *list, int32_t i) {
    if (list->circles == NULL) return list->spheres[i];
    return ploy_sphere_make(ployi_plane(list->circles[i].centre), list->circles[i].radius);
}

PLOYI_INLINE ploy_obstacle_threat obstacle_find(const ploy_obstacle_def *def,
                                                const ployi_mover *agent, const obstacle_box *box,
                                                const obstacle_list *list, int n) {
    ploy_obstacle_threat out = {-1, 0.0f, box->length};
    for (int32_t i = 0; i < list->count; i++) {
        ploy_sphere obstacle = obstacle_get(list, i);
        obstacle_seen seen = obstacle_see(agent, box, obstacle.centre, n);
        float touch = obstacle_touch(def, box, seen, obstacle.radius, n);
        if (touch < 0.0f || (out.index >= 0 && touch >= out.distance)) continue;
        out.index = i;
        out.distance = touch;
    }
    return out;
}

PLOYI_INLINE ployi_pull obstacle_avoid(const ploy_obstacle_def *def, const ployi_mover *agent,
                                       const obstacle_list *list, int n) {
    if (!obstacle_ok(def)) return ployi_pull_invalid();
    obstacle_box box = obstacle_look(def, agent, n);
    int32_t nearest = obstacle_find(def, agent, &box, list, n).index;
    if (nearest < 0) return ployi_pull_none();
    ploy_sphere obstacle = obstacle_get(list, nearest);
    return obstacle_push(def, &box, obstacle_see(agent, &box, obstacle.centre, n), obstacle.radius,
                         n);
}

ploy_obstacle_threat ploy_obstacle_find(const ploy_obstacle_def *def, ploy_kinematic agent,
                                        const ploy_circle *obstacles, int32_t count) {
    ploy_obstacle_threat none = {-1, 0.0f, 0.0f};
    if (!obstacle_ok(def)) return none;
    ployi_mover self = ployi_mover_of(agent, true);
    obstacle_box box = obstacle_look(def, &self, 2);
    obstacle_list list = {obstacles, NULL, obstacles != NULL ? count : 0};
    return obstacle_find(def, &self, &box, &list, 2);
}

ploy_obstacle_threat ploy_obstacle3_find(const ploy_obstacle_def *def, ploy_kinematic3 agent,
                                         const ploy_sphere *obstacles, int32_t count) {
    ploy_obstacle_threat none = {-1, 0.0f, 0.0f};
    if (!obstacle_ok(def)) return none;
    ployi_mover self = ployi_mover3_of(agent);
    obstacle_box box = obstacle_look(def, &self, 3);
    obstacle_list list = {NULL, obstacles, obstacles != NULL ? count : 0};
    return obstacle_find(def, &self, &box, &list, 3);
}

ploy_steering ploy_avoid_obstacles(const ploy_obstacle_def *def, ploy_kinematic agent,
                                   const ploy_circle *obstacles, int32_t count) {
    ployi_mover self = ployi_mover_of(agent, ployi_at_rest(agent.velocity));
    obstacle_list list = {obstacles, NULL, obstacles != NULL ? count : 0};
    return ployi_pull_planar(obstacle_avoid(def, &self, &list, 2));
}

ploy_steering3 ploy_avoid_obstacles3(const ploy_obstacle_def *def, ploy_kinematic3 agent,
                                     const ploy_sphere *obstacles, int32_t count) {
    ployi_mover self = ployi_mover3_of(agent);
    obstacle_list list = {NULL, obstacles, obstacles != NULL ? count : 0};
    return ployi_pull_spatial(obstacle_avoid(def, &self, &list, 3));
}

typedef struct obstacle_rule {
    const ploy_obstacle_def *def;
    obstacle_list list;
} obstacle_rule;

static ploy_steering obstacle_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const obstacle_rule *r = rule;
    (void)i;
    return ploy_avoid_obstacles(r->def, agent, r->list.circles, r->list.count);
}

static ploy_steering3 obstacle_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const obstacle_rule *r = rule;
    (void)i;
    return ploy_avoid_obstacles3(r->def, agent, r->list.spheres, r->list.count);
}

ploy_result ploy_avoid_obstacles_batch(const ploy_obstacle_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_circle *obstacles,
                                       int32_t obstacle_count, const ploy_steerings *out) {
    if (def == NULL || !obstacle_ok(def) || obstacle_count < 0 ||
        (obstacles == NULL && obstacle_count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    obstacle_rule rule = {def, {obstacles, NULL, obstacle_count}};
    return ployi_each(agents, first, count, obstacle_one, &rule, out);
}

ploy_result ploy_avoid_obstacles3_batch(const ploy_obstacle_def *def,
                                        const ploy_kinematics3 *agents, int32_t first,
                                        int32_t count, const ploy_sphere *obstacles,
                                        int32_t obstacle_count, const ploy_steerings3 *out) {
    if (def == NULL || !obstacle_ok(def) || obstacle_count < 0 ||
        (obstacles == NULL && obstacle_count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    obstacle_rule rule = {def, {NULL, obstacles, obstacle_count}};
    return ployi_each3(agents, first, count, obstacle_one3, &rule, out);
}

void ploy_avoid_obstacles_trace(const ploy_obstacle_def *def, ploy_kinematic agent,
                                const ploy_circle *obstacles, int32_t count, ploy_agent_id id,
                                ploy_trace *trace) {
    if (trace == NULL || !obstacle_ok(def)) return;
    ploy_obstacle_threat threat = ploy_obstacle_find(def, agent, obstacles, count);
    ploy_steering steering = ploy_avoid_obstacles(def, agent, obstacles, count);
    ploy_value index = ploy_value_i64(threat.index);
    ploy_trace_begin(trace, id, "steer", "avoid obstacles");
    ploy_trace_f32(trace, "looks ahead", threat.length);
    if (threat.index >= 0) {
        ploy_trace_value(trace, "obstacle", &index);
        ploy_trace_f32(trace, "touches in", threat.distance);
        ploy_trace_vec2(trace, "push", steering.linear.x, steering.linear.y);
    }
    ploy_trace_option(trace, "push away",
                      threat.index >= 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      threat.index >= 0 ? "it is the nearest in the box" : "the box is empty");
    ploy_trace_end(trace);
}

void ploy_avoid_obstacles_draw(const ploy_obstacle_def *def, ploy_kinematic agent,
                               ploy_agent_id owner, ploy_draw *out) {
    if (!obstacle_ok(def)) return;
    ployi_mover self = ployi_mover_of(agent, true);
    obstacle_box box = obstacle_look(def, &self, 2);
    ploy_frame2 frame = {agent.position, ployi_planar(box.heading)};
    ploy_vec2 corners[5] = {{0.0f, -def->radius},
                            {box.length, -def->radius},
                            {box.length, def->radius},
                            {0.0f, def->radius},
                            {0.0f, -def->radius}};
    for (int32_t i = 0; i < 5; i++) corners[i] = ploy_frame2_point_to_world(frame, corners[i]);
    ploy_draw_polyline(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, owner, corners, 5);
}
