// Collision avoidance by closest approach, and by a cone; described in the header.
#include "ploy/move/collision.h"

#include "move/move_internal.h"

#include "move/flock_internal.h"
#include "move/near_internal.h"
#include "move/predict_internal.h"
#include "move/steer_internal.h"
#include "ploy/geom/angle.h"

static const ploy_field collision_fields[] = {
    PLOY_FIELD_F32(ploy_collision_def, radius, 0.5, 0, 1e6, "m", "size of bodies"),
    PLOY_FIELD_F32(ploy_collision_def, horizon, 5, 0, PLOYI_TIME_MAX, "s",
                   "later meetings do not count"),
    PLOY_FIELD_F32(ploy_collision_def, range, 0, 0, PLOY_POSITION_MAX_M, "m",
                   "agents farther away are ignored; 0: none is"),
    PLOY_FIELD_F32(ploy_collision_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "strength"),
    PLOY_FIELD_BOOL(ploy_collision_def, sidestep, true, "step aside in a head-on meeting"),
};

static const ploy_field collision_cone_fields[] = {
    PLOY_FIELD_F32(ploy_cone_def, half_angle, 0.6, 0, 3.15, "rad", "to each side of the nose"),
    PLOY_FIELD_F32(ploy_cone_def, distance, 5, 0, PLOY_POSITION_MAX_M, "m",
                   "those farther away do not count"),
    PLOY_FIELD_F32(ploy_cone_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "strength"),
    PLOY_FIELD_F32(ploy_cone_def, max_prediction, 1, 0, PLOYI_TIME_MAX, "s",
                   "furthest look ahead; 0 means where they are now"),
    PLOY_FIELD_BOOL(ploy_cone_def, average, false, "flee from the middle of all in the cone"),
};

ploy_fields ploy_collision_fields(void) {
    return PLOY_FIELDS(ploy_collision_def, collision_fields);
}

ploy_collision_def ploy_collision_def_default(void) {
    ploy_collision_def def;
    ploy_fields_default(ploy_collision_fields(), &def);
    return def;
}

ploy_fields ploy_cone_fields(void) {
    return PLOY_FIELDS(ploy_cone_def, collision_cone_fields);
}

ploy_cone_def ploy_cone_def_default(void) {
    ploy_cone_def def;
    ploy_fields_default(ploy_cone_fields(), &def);
    return def;
}

static bool collision_ok(const ploy_collision_def *def) {
    return ployi_within(def->radius, 0, 1e6) && ployi_within(def->horizon, 0, PLOYI_TIME_MAX) &&
           ployi_distance_ok(def->range) && ployi_acceleration_ok(def->max_acceleration);
}

static bool collision_cone_ok(const ploy_cone_def *def) {
    return ployi_within(def->half_angle, 0, 3.15) && ployi_distance_ok(def->distance) &&
           ployi_within(def->max_prediction, 0, PLOYI_TIME_MAX) &&
           ployi_acceleration_ok(def->max_acceleration);
}

// The others, of plane or space, and which of them are asked.
typedef struct collision_crowd {
    const ploy_kinematics *planar;
    const ploy_kinematics3 *spatial; // if planar is NULL
    int32_t all;
    int32_t self;
    const ployi_near *near; // NULL: all agents
    int32_t count;          // of those asked
} collision_crowd;

static collision_crowd collision_planar(const ploy_kinematics *others, int32_t self) {
    int32_t count = others != NULL ? others->count : 0;
    collision_crowd crowd = {others, NULL, count, self, NULL, count};
    return crowd;
}

static collision_crowd collision_spatial(const ploy_kinematics3 *others, int32_t self) {
    int32_t count = others != NULL ? others->count : 0;
    collision_crowd crowd = {NULL, others, count, self, NULL, count};
    return crowd;
}

// The number of the k-th that is tested; -1: none that counts.
PLOYI_INLINE int32_t collision_number(const collision_crowd *crowd, int32_t k) {
    int32_t i = crowd->near != NULL ? ployi_near_id(crowd->near, k) : k;
    // An index may hold ids of no agent.
    return i != crowd->self && (uint32_t)i < (uint32_t)crowd->all ? i : -1;
}

// Where another is and how it moves; its heading does not matter.
PLOYI_INLINE ployi_mover collision_other(const collision_crowd *crowd, int32_t i, int n) {
    ployi_mover other = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (n == 2) {
        other.position = ployi_view_position(crowd->planar, i);
        other.velocity = ployi_view_velocity(crowd->planar, i);
        return other;
    }
    ploy_kinematic3 agent = ploy_kinematics3_get(crowd->spatial, i);
    other.position = agent.position;
    other.velocity = agent.velocity;
    return other;
}

// The time of the closest approach, not cut at 0; 0 for equal velocities. In double, because a
// relative position of 1e9 m times 1e6 m/s leaves a float no digit for the separation.
PLOYI_INLINE double collision_time(ploy_vec3 dp, ploy_vec3 dv, int n) {
    double along = (double)dp.x * (double)dv.x + (double)dp.y * (double)dv.y;
    double square = (double)dv.x * (double)dv.x + (double)dv.y * (double)dv.y;
    if (n == 3) {
        along += (double)dp.z * (double)dv.z;
        square += (double)dv.z * (double)dv.z;
    }
    return square > (double)PLOYI_TINY_SQUARED ? -along / square : 0.0;
}

PLOYI_INLINE ploy_approach collision_approach(const ployi_mover *a, const ployi_mover *b, int n) {
    ploy_vec3 dp = ployi_minus(b->position, a->position);
    ploy_vec3 dv = ployi_minus(b->velocity, a->velocity);
    double time = collision_time(dp, dv, n);
    if (!(time > 0.0)) time = 0.0;
    if (time > PLOYI_TIME_MAX) time = PLOYI_TIME_MAX;
    ploy_approach out = {0, (float)time, 0.0f};
    out.separation = ployi_length(ployi_plus_scaled(dp, dv, out.time), n);
    return out;
}

ploy_approach ploy_closest_approach(ploy_kinematic a, ploy_kinematic b) {
    ployi_mover one = ployi_mover_of(a, false), two = ployi_mover_of(b, false);
    return collision_approach(&one, &two, 2);
}

ploy_approach ploy_closest_approach3(ploy_kinematic3 a, ploy_kinematic3 b) {
    ployi_mover one = ployi_mover3_of(a), two = ployi_mover3_of(b);
    return collision_approach(&one, &two, 3);
}

// The radius of number i, which may be -1. Radii that are not in range count as 0.
PLOYI_INLINE float collision_radius(const ploy_collision_def *def, int32_t i) {
    if (def->radii == NULL || i < 0) return def->radius;
    return ployi_within(def->radii[i], 0, 1e6) ? def->radii[i] : 0.0f;
}

PLOYI_INLINE ploy_approach collision_find(const ploy_collision_def *def, const ployi_mover *agent,
                                          const collision_crowd *crowd, int n) {
    ploy_approach first = {-1, 0.0f, 0.0f};
    float own = collision_radius(def, crowd->self < crowd->all ? crowd->self : -1);
    for (int32_t k = 0; k < crowd->count; k++) {
        int32_t i = collision_number(crowd, k);
        if (i < 0) continue;
        ployi_mover other = collision_other(crowd, i, n);
        ploy_vec3 dp = ployi_minus(other.position, agent->position);
        float distance = ployi_length(dp, n), reach = own + collision_radius(def, i);
        if (def->range > 0.0f && !(distance <= def->range)) continue;
        ploy_approach meeting = collision_approach(agent, &other, n);
        // Overlapping bodies collide now, whatever their velocities; the printed loop forgets them.
        if (distance < reach) {
            meeting.time = 0.0f;
            meeting.separation = distance;
        } else if (!(meeting.time > 0.0f) || meeting.time > def->horizon ||
                   !(meeting.separation < reach)) {
            continue;
        }
        if (first.index >= 0 && !(meeting.time < first.time)) continue;
        first = meeting;
        first.index = i;
    }
    return first;
}

PLOYI_INLINE ployi_pull collision_avoid(const ploy_collision_def *def, const ployi_mover *agent,
                                        const collision_crowd *crowd, int n) {
    if (!collision_ok(def)) return ployi_pull_invalid();
    ploy_approach meeting = collision_find(def, agent, crowd, n);
    if (meeting.index < 0) return ployi_pull_none();
    ployi_mover other = collision_other(crowd, meeting.index, n);
    ploy_vec3 dp = ployi_minus(other.position, agent->position);
    ploy_vec3 dv = ployi_minus(other.velocity, agent->velocity);
    ploy_vec3 from = ployi_plus_scaled(dp, dv, meeting.time);
    // A meeting centre to centre, but for rounding, has no direction.
    bool central = meeting.separation <= 1e-4f * ployi_length(dp, n) || meeting.separation < 1e-6f;
    if (meeting.time == 0.0f || central) from = dp;
    ploy_vec3 away = ployi_times(ployi_unit(from, n), -1.0f);
    if (!(ployi_square(away, n) > 0.0f)) {
        // On the very same point every agent goes in a direction of its number: backward, two that
        // look the same way would stay together forever.
        away = crowd->self >= 0 ? ployi_plane(ployi_flock_scatter(crowd->self))
                                : ployi_times(agent->forward, -1.0f);
    } else if (def->sidestep && central && meeting.time > 0.0f) {
        away = ployi_times(ployi_across(ployi_unit(dp, n), n), -1.0f);
    }
    return ployi_pull_clipped(ployi_times(away, def->max_acceleration), true, def->max_acceleration,
                              n);
}

ploy_approach ploy_collision_find(const ploy_collision_def *def, ploy_kinematic agent,
                                  const ploy_kinematics *others, int32_t self) {
    ploy_approach none = {-1, 0.0f, 0.0f};
    if (!collision_ok(def)) return none;
    ployi_mover mover = ployi_mover_of(agent, false);
    collision_crowd crowd = collision_planar(others, self);
    return collision_find(def, &mover, &crowd, 2);
}

ploy_approach ploy_collision3_find(const ploy_collision_def *def, ploy_kinematic3 agent,
                                   const ploy_kinematics3 *others, int32_t self) {
    ploy_approach none = {-1, 0.0f, 0.0f};
    if (!collision_ok(def)) return none;
    ployi_mover mover = ployi_mover3_of(agent);
    collision_crowd crowd = collision_spatial(others, self);
    return collision_find(def, &mover, &crowd, 3);
}

ploy_steering ploy_avoid_collision(const ploy_collision_def *def, ploy_kinematic agent,
                                   const ploy_kinematics *others, int32_t self) {
    ployi_mover mover = ployi_mover_of(agent, true);
    collision_crowd crowd = collision_planar(others, self);
    return ployi_pull_planar(collision_avoid(def, &mover, &crowd, 2));
}

ploy_steering3 ploy_avoid_collision3(const ploy_collision_def *def, ploy_kinematic3 agent,
                                     const ploy_kinematics3 *others, int32_t self) {
    ployi_mover mover = ployi_mover3_of(agent);
    collision_crowd crowd = collision_spatial(others, self);
    return ployi_pull_spatial(collision_avoid(def, &mover, &crowd, 3));
}

void ploy_avoid_collision_trace(const ploy_collision_def *def, ploy_kinematic agent,
                                const ploy_kinematics *others, int32_t self, ploy_agent_id id,
                                ploy_trace *trace) {
    if (trace == NULL || !collision_ok(def)) return;
    ploy_approach meeting = ploy_collision_find(def, agent, others, self);
    ploy_value index = ploy_value_i64(meeting.index);
    bool any = meeting.index >= 0;
    ploy_trace_begin(trace, id, "steer", "avoid collision");
    if (any) {
        ploy_trace_value(trace, "other", &index);
        ploy_trace_f32(trace, "meets in", meeting.time);
        ploy_trace_f32(trace, "separation then", meeting.separation);
    }
    ploy_trace_option(trace, "step away", any ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN,
                      any ? "it is the earliest meeting" : "no agent comes too near in time");
    ploy_trace_end(trace);
}

// ---- the cone ----

PLOYI_INLINE ployi_pull collision_cone(const ploy_cone_def *def, const ployi_mover *agent,
                                       const collision_crowd *crowd, int n) {
    if (!collision_cone_ok(def)) return ployi_pull_invalid();
    float cosine = ploy_cosf(def->half_angle);
    float best = def->distance * def->distance;
    ploy_vec3 from = {0.0f, 0.0f, 0.0f}, velocity = from;
    int32_t found = 0;
    for (int32_t k = 0; k < crowd->count; k++) {
        int32_t i = collision_number(crowd, k);
        if (i < 0) continue;
        ployi_mover other = collision_other(crowd, i, n);
        ploy_vec3 offset = ployi_minus(other.position, agent->position);
        float square = ployi_square(offset, n);
        if (!(square < best) || !(square > PLOYI_TINY_SQUARED)) continue;
        if (!(ployi_dot(agent->forward, ployi_unit(offset, n), n) > cosine)) continue;
        found++;
        from = def->average ? ployi_plus_scaled(from, offset, 1.0f) : offset;
        velocity =
            def->average ? ployi_plus_scaled(velocity, other.velocity, 1.0f) : other.velocity;
        if (!def->average) best = square;
    }
    if (found == 0) return ployi_pull_none();
    if (def->average) {
        from = ployi_times(from, 1.0f / (float)found);
        velocity = ployi_times(velocity, 1.0f / (float)found);
    }
    // As ploy_evade: from where it will be when the agent could be there.
    float time = ployi_predict_quotient(ployi_length(from, n), ployi_length(agent->velocity, n),
                                        def->max_prediction);
    ploy_vec3 then = ployi_plus_scaled(from, velocity, time);
    if (ployi_square(then, n) > PLOYI_TINY_SQUARED) from = then;
    ploy_vec3 away = ployi_times(ployi_unit(from, n), -def->max_acceleration);
    return ployi_pull_clipped(away, true, def->max_acceleration, n);
}

ploy_steering ploy_avoid_cone(const ploy_cone_def *def, ploy_kinematic agent,
                              const ploy_kinematics *others, int32_t self) {
    ployi_mover mover = ployi_mover_of(agent, true);
    collision_crowd crowd = collision_planar(others, self);
    return ployi_pull_planar(collision_cone(def, &mover, &crowd, 2));
}

ploy_steering3 ploy_avoid_cone3(const ploy_cone_def *def, ploy_kinematic3 agent,
                                const ploy_kinematics3 *others, int32_t self) {
    ployi_mover mover = ployi_mover3_of(agent);
    collision_crowd crowd = collision_spatial(others, self);
    return ployi_pull_spatial(collision_cone(def, &mover, &crowd, 3));
}

// ---- batch forms ----

// Settings of the one or the other, and an index of all or none.
typedef struct collision_rule {
    const ploy_collision_def *def;
    const ploy_cone_def *cone;
    const ploy_kinematics *all;
    const ploy_kinematics3 *all3;
    const ploy_index2 *index;
    const ploy_index3 *index3;
    float reach; // m, for which the index is asked
} collision_rule;

// Asks the one or the other of an agent's mover, among those around it.
static ployi_pull collision_among(const collision_rule *r, const ployi_mover *mover,
                                  collision_crowd crowd, const ployi_near *near, int n) {
    crowd.near = near;
    crowd.count = near->count;
    if (r->cone != NULL) return collision_cone(r->cone, mover, &crowd, n);
    return collision_avoid(r->def, mover, &crowd, n);
}

static ploy_steering collision_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const collision_rule *r = rule;
    ployi_near near;
    ployi_near_find(&near, r->index, agent.position, r->reach, r->all->count);
    ployi_mover mover = ployi_mover_of(agent, true);
    return ployi_pull_planar(collision_among(r, &mover, collision_planar(r->all, i), &near, 2));
}

static ploy_steering3 collision_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const collision_rule *r = rule;
    ployi_near near;
    ployi_near_find3(&near, r->index3, agent.position, r->reach, r->all3->count);
    ployi_mover mover = ployi_mover3_of(agent);
    return ployi_pull_spatial(collision_among(r, &mover, collision_spatial(r->all3, i), &near, 3));
}

static ploy_result collision_each(const collision_rule *rule, int32_t first, int32_t count,
                                  const ploy_steerings *out) {
    if (rule->all == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(rule->all, 0, rule->all->count);
    if (result != PLOY_OK) return result;
    return ployi_each(rule->all, first, count, collision_one, rule, out);
}

static ploy_result collision_each3(const collision_rule *rule, int32_t first, int32_t count,
                                   const ploy_steerings3 *out) {
    if (rule->all3 == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(rule->all3, 0, rule->all3->count);
    if (result != PLOY_OK) return result;
    return ployi_each3(rule->all3, first, count, collision_one3, rule, out);
}

ploy_result ploy_avoid_collision_batch(const ploy_collision_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_index2 *index,
                                       const ploy_steerings *out) {
    if (def == NULL || !collision_ok(def)) return PLOY_ERR_ARGUMENT;
    collision_rule rule = {def,  NULL,      agents, NULL, def->range > 0.0f ? index : NULL,
                           NULL, def->range};
    return collision_each(&rule, first, count, out);
}

ploy_result ploy_avoid_collision3_batch(const ploy_collision_def *def,
                                        const ploy_kinematics3 *agents, int32_t first,
                                        int32_t count, const ploy_index3 *index,
                                        const ploy_steerings3 *out) {
    if (def == NULL || !collision_ok(def)) return PLOY_ERR_ARGUMENT;
    collision_rule rule = {def,       NULL, NULL, agents, NULL, def->range > 0.0f ? index : NULL,
                           def->range};
    return collision_each3(&rule, first, count, out);
}

ploy_result ploy_avoid_cone_batch(const ploy_cone_def *def, const ploy_kinematics *agents,
                                  int32_t first, int32_t count, const ploy_index2 *index,
                                  const ploy_steerings *out) {
    if (def == NULL || !collision_cone_ok(def)) return PLOY_ERR_ARGUMENT;
    collision_rule rule = {NULL, def, agents, NULL, index, NULL, def->distance};
    return collision_each(&rule, first, count, out);
}

ploy_result ploy_avoid_cone3_batch(const ploy_cone_def *def, const ploy_kinematics3 *agents,
                                   int32_t first, int32_t count, const ploy_index3 *index,
                                   const ploy_steerings3 *out) {
    if (def == NULL || !collision_cone_ok(def)) return PLOY_ERR_ARGUMENT;
    collision_rule rule = {NULL, def, NULL, agents, NULL, index, def->distance};
    return collision_each3(&rule, first, count, out);
}

// ---- passing by ----

ploy_vec2 ploy_pass_by(ploy_vec2 position, ploy_vec2 requested, ploy_vec2 other, float radius,
                       float within) {
    ploy_vec2 to = ploy_vec2_sub(other, position);
    float distance = ploy_vec2_length(to);
    if (!(distance <= within) || !(distance > 0.0f) || !(radius >= 0.0f)) return requested;
    float angle = ploy_atan2f(2.0f * radius, distance);
    // Of the two tangents the one that needs the smaller turn; straight at it, the right one.
    float side = ploy_vec2_cross(to, requested);
    ploy_vec2 direction = ploy_vec2_rotate(ploy_vec2_normalise(to), side > 0.0f ? angle : -angle);
    return ploy_vec2_scale(direction, ploy_vec2_length(requested));
}

ploy_vec3 ploy_pass_by3(ploy_vec3 position, ploy_vec3 requested, ploy_vec3 other, float radius,
                        float within) {
    ploy_vec3 to = ployi_minus(other, position);
    float distance = ployi_length(to, 3);
    bool counts = distance <= within && distance * distance > PLOYI_TINY_SQUARED && radius >= 0.0f;
    if (!counts) return requested;
    ploy_vec3 ahead = ployi_unit(to, 3);
    // What of the request leads past it. Next to nothing beside the request is rounding.
    ploy_vec3 past = ployi_plus_scaled(requested, ahead, -ployi_dot(requested, ahead, 3));
    float length = ployi_length(requested, 3);
    if (!(ployi_length(past, 3) > 1e-6f * length)) {
        past = ploy_vec3_cross(ahead, ploy_vec3_make(0.0f, 0.0f, 1.0f));
        if (!(ployi_square(past, 3) > 1e-12f)) past = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    }
    ploy_vec2 turn = ploy_angle_heading(ploy_atan2f(2.0f * radius, distance));
    ploy_vec3 direction =
        ployi_plus_scaled(ployi_times(ahead, turn.x), ployi_unit(past, 3), turn.y);
    return ployi_times(direction, length);
}
