// Escort: a place among others that move, and seek's or arrive's law towards it. The behaviors are
// described in the header.
#include "ploy/move/escort.h"

#include "move/move_internal.h"

#include "move/predict_internal.h"
#include "ploy/geom/frame.h"

static const ploy_field escort_interpose_fields[] = {
    PLOY_FIELD_DEF(ploy_interpose_def, arrive, ploy_arrive_fields, "how it goes to the middle"),
    PLOY_FIELD_F32(ploy_interpose_def, max_time, 30, 0, PLOYI_TIME_MAX, "s", "furthest look ahead"),
};

static const ploy_field escort_offset_fields[] = {
    PLOY_FIELD_DEF(ploy_offset_pursuit_def, arrive, ploy_arrive_fields, "how it goes to the slot"),
    PLOY_FIELD_F32(ploy_offset_pursuit_def, max_time, 30, 0, PLOYI_TIME_MAX, "s",
                   "furthest look ahead"),
};

static const ploy_field escort_fly_by_fields[] = {
    PLOY_FIELD_DEF(ploy_fly_by_def, seek, ploy_seek_fields, "how it goes for the point"),
    PLOY_FIELD_DEF(ploy_fly_by_def, predict, ploy_predict_fields, "how far it looks ahead"),
    PLOY_FIELD_F32(ploy_fly_by_def, distance, 3, 0, PLOY_POSITION_MAX_M, "m",
                   "distance at which it means to pass"),
};

static const ploy_field escort_follow_fields[] = {
    PLOY_FIELD_DEF(ploy_follow_def, arrive, ploy_arrive_fields, "how it goes to its place"),
    PLOY_FIELD_F32(ploy_follow_def, behind, 2, 0, PLOY_POSITION_MAX_M, "m",
                   "distance behind the leader"),
    PLOY_FIELD_F32(ploy_follow_def, clear_length, 2, 0, PLOY_POSITION_MAX_M, "m",
                   "distance ahead of the leader that is kept clear"),
    PLOY_FIELD_F32(ploy_follow_def, clear_time, 0.5, 0, 1e3, "s",
                   "time of the leader's motion that is added to it"),
    PLOY_FIELD_F32(ploy_follow_def, clear_width, 1, 0, PLOY_POSITION_MAX_M, "m",
                   "distance to each side of the leader's line that is kept clear"),
};

ploy_fields ploy_interpose_fields(void) {
    return PLOY_FIELDS(ploy_interpose_def, escort_interpose_fields);
}
ploy_fields ploy_offset_pursuit_fields(void) {
    return PLOY_FIELDS(ploy_offset_pursuit_def, escort_offset_fields);
}
ploy_fields ploy_fly_by_fields(void) {
    return PLOY_FIELDS(ploy_fly_by_def, escort_fly_by_fields);
}
ploy_fields ploy_follow_fields(void) {
    return PLOY_FIELDS(ploy_follow_def, escort_follow_fields);
}

ploy_interpose_def ploy_interpose_def_default(void) {
    ploy_interpose_def def;
    ploy_fields_default(ploy_interpose_fields(), &def);
    return def;
}
ploy_offset_pursuit_def ploy_offset_pursuit_def_default(void) {
    ploy_offset_pursuit_def def;
    ploy_fields_default(ploy_offset_pursuit_fields(), &def);
    return def;
}
ploy_fly_by_def ploy_fly_by_def_default(void) {
    ploy_fly_by_def def;
    ploy_fields_default(ploy_fly_by_fields(), &def);
    return def;
}
ploy_follow_def ploy_follow_def_default(void) {
    ploy_follow_def def;
    ploy_fields_default(ploy_follow_fields(), &def);
    return def;
}

// Time for a distance at a speed, at most max.
PLOYI_INLINE float escort_time(float distance, float speed, float max) {
    return speed * max <= distance ? max : distance / speed;
}

// ---- the laws: false if a setting is out of range ----

PLOYI_INLINE bool escort_interpose_law(const ploy_interpose_def *def, ployi_approach_law *law) {
    return ployi_within(def->max_time, 0, PLOYI_TIME_MAX) && ployi_arrive_law(&def->arrive, law);
}

PLOYI_INLINE bool escort_offset_law(const ploy_offset_pursuit_def *def, ployi_approach_law *law) {
    return ployi_within(def->max_time, 0, PLOYI_TIME_MAX) && ployi_arrive_law(&def->arrive, law);
}

PLOYI_INLINE bool escort_fly_by_law(const ploy_fly_by_def *def, ployi_approach_law *law) {
    return ployi_distance_ok(def->distance) && ployi_predict_ok(&def->predict) &&
           ployi_seek_law(&def->seek, law);
}

PLOYI_INLINE bool escort_follow_law(const ploy_follow_def *def, ployi_approach_law *law) {
    return ployi_distance_ok(def->behind) && ployi_distance_ok(def->clear_length) &&
           ployi_within(def->clear_time, 0, 1e3) && ployi_distance_ok(def->clear_width) &&
           ployi_arrive_law(&def->arrive, law);
}

// ---- the points ----

PLOYI_INLINE ploy_vec3 escort_middle(ploy_vec3 a, ploy_vec3 b) {
    return ployi_times(ployi_plus_scaled(a, b, 1.0f), 0.5f);
}

PLOYI_INLINE ploy_vec3 escort_between(const ploy_interpose_def *def, const ployi_mover *agent,
                                      const ployi_mover *a, const ployi_mover *b, int n) {
    ploy_vec3 middle = escort_middle(a->position, b->position);
    float distance = ployi_length(ployi_minus(middle, agent->position), n);
    float time = escort_time(distance, def->arrive.max_speed, def->max_time);
    return escort_middle(ployi_plus_scaled(a->position, a->velocity, time),
                         ployi_plus_scaled(b->position, b->velocity, time));
}

// slot is in the world.
PLOYI_INLINE ploy_vec3 escort_slot(const ploy_offset_pursuit_def *def, const ployi_mover *agent,
                                   const ployi_mover *leader, ploy_vec3 slot, int n) {
    float distance = ployi_length(ployi_minus(slot, agent->position), n);
    float speed = def->arrive.max_speed + ployi_length(leader->velocity, n);
    return ployi_plus_scaled(slot, leader->velocity, escort_time(distance, speed, def->max_time));
}

static ploy_vec3 escort_slot_planar(ploy_kinematic leader, ploy_vec2 offset) {
    ploy_frame2 frame = ploy_frame2_make(leader.position, leader.orientation);
    return ployi_plane(ploy_frame2_point_to_world(frame, offset));
}

static ploy_vec3 escort_slot_spatial(ploy_kinematic3 leader, ploy_vec3 offset) {
    return ploy_vec3_add(leader.position, ploy_quat_rotate(leader.orientation, offset));
}

PLOYI_INLINE ploy_vec3 escort_beside(const ploy_fly_by_def *def, const ployi_mover *agent,
                                     const ployi_mover *target, int n) {
    float time = ployi_predict(&def->predict, def->seek.max_speed, agent, target, n);
    ploy_vec3 point = ployi_predict_at(&def->predict, target, time, n);
    ploy_vec3 direction = ployi_unit(agent->velocity, n);
    if (!(ployi_square(direction, n) > 0.0f)) direction = agent->forward;
    ploy_vec3 offset = ployi_minus(point, agent->position);
    // The part of the offset across the course says on which side the target is passed anyhow. What
    // rounding leaves of it when the target is straight ahead is no side.
    ploy_vec3 across = ployi_plus_scaled(offset, direction, -ployi_dot(offset, direction, n));
    float square = ployi_square(across, n);
    bool clear = square > 1e-10f * ployi_square(offset, n) && square > PLOYI_TINY_SQUARED;
    ploy_vec3 side = clear ? ployi_times(ployi_unit(across, n), -1.0f) : ployi_across(direction, n);
    return ployi_plus_scaled(point, side, def->distance);
}

// The agent's offset from the leader: ahead along its nose, and the part across.
PLOYI_INLINE bool escort_blocks_leader(const ploy_follow_def *def, ploy_vec3 position,
                                       const ployi_mover *leader, int n, ploy_vec3 *across) {
    ploy_vec3 offset = ployi_minus(position, leader->position);
    float ahead = ployi_dot(offset, leader->forward, n);
    float length = def->clear_length + def->clear_time * ployi_length(leader->velocity, n);
    *across = ployi_plus_scaled(offset, leader->forward, -ahead);
    return ahead > 0.0f && ahead < length &&
           ployi_square(*across, n) < def->clear_width * def->clear_width;
}

PLOYI_INLINE ploy_vec3 escort_follow_point(const ploy_follow_def *def, const ployi_mover *agent,
                                           const ployi_mover *leader, int n) {
    ploy_vec3 across;
    if (!escort_blocks_leader(def, agent->position, leader, n, &across)) {
        return ployi_plus_scaled(leader->position, leader->forward, -def->behind);
    }
    ploy_vec3 side = ployi_unit(across, n);
    if (!(ployi_square(side, n) > 0.0f)) side = ployi_across(leader->forward, n);
    // So far to the side that it need not brake on the way out.
    return ployi_plus_scaled(agent->position, side, def->clear_width + def->arrive.slow_radius);
}

// ---- single forms ----

ploy_vec2 ploy_interpose_point(const ploy_interpose_def *def, ploy_kinematic agent,
                               ploy_kinematic a, ploy_kinematic b) {
    ployi_mover self = ployi_mover_of(agent, false);
    ployi_mover one = ployi_mover_of(a, false), two = ployi_mover_of(b, false);
    return ployi_planar(escort_between(def, &self, &one, &two, 2));
}

ploy_vec3 ploy_interpose3_point(const ploy_interpose_def *def, ploy_kinematic3 agent,
                                ploy_kinematic3 a, ploy_kinematic3 b) {
    ployi_mover self = ployi_mover3_of(agent);
    ployi_mover one = ployi_mover3_of(a), two = ployi_mover3_of(b);
    return escort_between(def, &self, &one, &two, 3);
}

ploy_steering ploy_interpose(const ploy_interpose_def *def, ploy_kinematic agent, ploy_kinematic a,
                             ploy_kinematic b) {
    ployi_approach_law law;
    if (!escort_interpose_law(def, &law)) return ploy_steering_invalid();
    ployi_mover self = ployi_mover_of(agent, false);
    ployi_mover one = ployi_mover_of(a, false), two = ployi_mover_of(b, false);
    return ployi_pull_planar(
        ployi_approach_point(&law, &self, escort_between(def, &self, &one, &two, 2), 2));
}

ploy_steering3 ploy_interpose3(const ploy_interpose_def *def, ploy_kinematic3 agent,
                               ploy_kinematic3 a, ploy_kinematic3 b) {
    ployi_approach_law law;
    if (!escort_interpose_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent, ploy_interpose3_point(def, agent, a, b));
}

ploy_vec2 ploy_offset_pursuit_point(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                                    ploy_kinematic leader, ploy_vec2 offset) {
    ployi_mover self = ployi_mover_of(agent, false), other = ployi_mover_of(leader, false);
    return ployi_planar(escort_slot(def, &self, &other, escort_slot_planar(leader, offset), 2));
}

ploy_vec3 ploy_offset_pursuit3_point(const ploy_offset_pursuit_def *def, ploy_kinematic3 agent,
                                     ploy_kinematic3 leader, ploy_vec3 offset) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(leader);
    return escort_slot(def, &self, &other, escort_slot_spatial(leader, offset), 3);
}

ploy_steering ploy_offset_pursuit(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                                  ploy_kinematic leader, ploy_vec2 offset) {
    ployi_approach_law law;
    if (!escort_offset_law(def, &law)) return ploy_steering_invalid();
    return ployi_approach_one(&law, &agent, ploy_offset_pursuit_point(def, agent, leader, offset));
}

ploy_steering3 ploy_offset_pursuit3(const ploy_offset_pursuit_def *def, ploy_kinematic3 agent,
                                    ploy_kinematic3 leader, ploy_vec3 offset) {
    ployi_approach_law law;
    if (!escort_offset_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent,
                               ploy_offset_pursuit3_point(def, agent, leader, offset));
}

ploy_vec2 ploy_fly_by_point(const ploy_fly_by_def *def, ploy_kinematic agent,
                            ploy_kinematic target) {
    ployi_mover self = ployi_mover_of(agent, true), other = ployi_mover_of(target, false);
    return ployi_planar(escort_beside(def, &self, &other, 2));
}

ploy_vec3 ploy_fly_by3_point(const ploy_fly_by_def *def, ploy_kinematic3 agent,
                             ploy_kinematic3 target) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(target);
    return escort_beside(def, &self, &other, 3);
}

ploy_steering ploy_fly_by(const ploy_fly_by_def *def, ploy_kinematic agent, ploy_kinematic target) {
    ployi_approach_law law;
    if (!escort_fly_by_law(def, &law)) return ploy_steering_invalid();
    bool nose = ployi_at_rest(agent.velocity) || def->predict.turn_time > 0.0f;
    ployi_mover self = ployi_mover_of(agent, nose), other = ployi_mover_of(target, false);
    return ployi_pull_planar(
        ployi_approach_point(&law, &self, escort_beside(def, &self, &other, 2), 2));
}

ploy_steering3 ploy_fly_by3(const ploy_fly_by_def *def, ploy_kinematic3 agent,
                            ploy_kinematic3 target) {
    ployi_approach_law law;
    if (!escort_fly_by_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent, ploy_fly_by3_point(def, agent, target));
}

bool ployi_follow_blocks(const ploy_follow_def *def, ploy_vec2 position, ploy_kinematic leader) {
    ployi_mover front = ployi_mover_of(leader, true);
    ploy_vec3 across;
    return escort_blocks_leader(def, ployi_plane(position), &front, 2, &across);
}

ploy_steering ploy_follow(const ploy_follow_def *def, ploy_kinematic agent, ploy_kinematic leader) {
    ployi_approach_law law;
    if (!escort_follow_law(def, &law)) return ploy_steering_invalid();
    ployi_mover self = ployi_mover_of(agent, false), front = ployi_mover_of(leader, true);
    return ployi_pull_planar(
        ployi_approach_point(&law, &self, escort_follow_point(def, &self, &front, 2), 2));
}

ploy_steering3 ploy_follow3(const ploy_follow_def *def, ploy_kinematic3 agent,
                            ploy_kinematic3 leader) {
    ployi_approach_law law;
    if (!escort_follow_law(def, &law)) return ploy_steering3_invalid();
    ployi_mover self = ployi_mover3_of(agent), front = ployi_mover3_of(leader);
    return ployi_pull_spatial(
        ployi_approach_point(&law, &self, escort_follow_point(def, &self, &front, 3), 3));
}

// ---- batch forms ----

typedef struct escort_rule {
    const void *def;
    const ploy_kinematics *a, *b;
    const ploy_points *offsets;
} escort_rule;

typedef struct escort_rule3 {
    const void *def;
    const ploy_kinematics3 *a, *b;
    const ploy_points3 *offsets;
} escort_rule3;

static ploy_steering escort_interpose_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const escort_rule *r = rule;
    return ploy_interpose(r->def, agent, ployi_other(r->a, i), ployi_other(r->b, i));
}
static ploy_steering escort_offset_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const escort_rule *r = rule;
    return ploy_offset_pursuit(r->def, agent, ployi_other(r->a, i), ploy_points_get(r->offsets, i));
}
static ploy_steering escort_fly_by_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const escort_rule *r = rule;
    return ploy_fly_by(r->def, agent, ployi_other(r->a, i));
}
static ploy_steering escort_follow_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const escort_rule *r = rule;
    return ploy_follow(r->def, agent, ployi_other(r->a, i));
}
static ploy_steering3 escort_interpose_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const escort_rule3 *r = rule;
    return ploy_interpose3(r->def, agent, ployi_other3(r->a, i), ployi_other3(r->b, i));
}
static ploy_steering3 escort_offset_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const escort_rule3 *r = rule;
    return ploy_offset_pursuit3(r->def, agent, ployi_other3(r->a, i), ployi_point3(r->offsets, i));
}
static ploy_steering3 escort_fly_by_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const escort_rule3 *r = rule;
    return ploy_fly_by3(r->def, agent, ployi_other3(r->a, i));
}
static ploy_steering3 escort_follow_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const escort_rule3 *r = rule;
    return ploy_follow3(r->def, agent, ployi_other3(r->a, i));
}

// Checks what the rule looks at, then asks for each agent.
static ploy_result escort_each(bool ok, const escort_rule *rule, bool two, bool slots,
                               ployi_one_fn fn, const ploy_kinematics *agents, int32_t first,
                               int32_t count, const ploy_steerings *out) {
    ploy_result result = ok ? ployi_others_check(rule->a, first, count) : PLOY_ERR_ARGUMENT;
    if (result == PLOY_OK && two) result = ployi_others_check(rule->b, first, count);
    if (result == PLOY_OK && slots) result = ployi_points_check(rule->offsets, first, count);
    return result != PLOY_OK ? result : ployi_each(agents, first, count, fn, rule, out);
}

static ploy_result escort_each3(bool ok, const escort_rule3 *rule, bool two, bool slots,
                                ployi_one3_fn fn, const ploy_kinematics3 *agents, int32_t first,
                                int32_t count, const ploy_steerings3 *out) {
    ploy_result result = ok ? ployi_others3_check(rule->a, first, count) : PLOY_ERR_ARGUMENT;
    if (result == PLOY_OK && two) result = ployi_others3_check(rule->b, first, count);
    if (result == PLOY_OK && slots) result = ployi_points3_check(rule->offsets, first, count);
    return result != PLOY_OK ? result : ployi_each3(agents, first, count, fn, rule, out);
}

ploy_result ploy_interpose_batch(const ploy_interpose_def *def, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_kinematics *a,
                                 const ploy_kinematics *b, const ploy_steerings *out) {
    ployi_approach_law law;
    escort_rule rule = {def, a, b, NULL};
    return escort_each(def != NULL && escort_interpose_law(def, &law), &rule, true, false,
                       escort_interpose_one, agents, first, count, out);
}

ploy_result ploy_interpose3_batch(const ploy_interpose_def *def, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_kinematics3 *a,
                                  const ploy_kinematics3 *b, const ploy_steerings3 *out) {
    ployi_approach_law law;
    escort_rule3 rule = {def, a, b, NULL};
    return escort_each3(def != NULL && escort_interpose_law(def, &law), &rule, true, false,
                        escort_interpose_one3, agents, first, count, out);
}

ploy_result ploy_offset_pursuit_batch(const ploy_offset_pursuit_def *def,
                                      const ploy_kinematics *agents, int32_t first, int32_t count,
                                      const ploy_kinematics *leaders, const ploy_points *offsets,
                                      const ploy_steerings *out) {
    ployi_approach_law law;
    escort_rule rule = {def, leaders, NULL, offsets};
    return escort_each(def != NULL && escort_offset_law(def, &law), &rule, false, true,
                       escort_offset_one, agents, first, count, out);
}

ploy_result ploy_offset_pursuit3_batch(const ploy_offset_pursuit_def *def,
                                       const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                       const ploy_kinematics3 *leaders, const ploy_points3 *offsets,
                                       const ploy_steerings3 *out) {
    ployi_approach_law law;
    escort_rule3 rule = {def, leaders, NULL, offsets};
    return escort_each3(def != NULL && escort_offset_law(def, &law), &rule, false, true,
                        escort_offset_one3, agents, first, count, out);
}

ploy_result ploy_fly_by_batch(const ploy_fly_by_def *def, const ploy_kinematics *agents,
                              int32_t first, int32_t count, const ploy_kinematics *targets,
                              const ploy_steerings *out) {
    ployi_approach_law law;
    escort_rule rule = {def, targets, NULL, NULL};
    return escort_each(def != NULL && escort_fly_by_law(def, &law), &rule, false, false,
                       escort_fly_by_one, agents, first, count, out);
}

ploy_result ploy_fly_by3_batch(const ploy_fly_by_def *def, const ploy_kinematics3 *agents,
                               int32_t first, int32_t count, const ploy_kinematics3 *targets,
                               const ploy_steerings3 *out) {
    ployi_approach_law law;
    escort_rule3 rule = {def, targets, NULL, NULL};
    return escort_each3(def != NULL && escort_fly_by_law(def, &law), &rule, false, false,
                        escort_fly_by_one3, agents, first, count, out);
}

ploy_result ploy_follow_batch(const ploy_follow_def *def, const ploy_kinematics *agents,
                              int32_t first, int32_t count, const ploy_kinematics *leaders,
                              const ploy_steerings *out) {
    ployi_approach_law law;
    escort_rule rule = {def, leaders, NULL, NULL};
    return escort_each(def != NULL && escort_follow_law(def, &law), &rule, false, false,
                       escort_follow_one, agents, first, count, out);
}

ploy_result ploy_follow3_batch(const ploy_follow_def *def, const ploy_kinematics3 *agents,
                               int32_t first, int32_t count, const ploy_kinematics3 *leaders,
                               const ploy_steerings3 *out) {
    ployi_approach_law law;
    escort_rule3 rule = {def, leaders, NULL, NULL};
    return escort_each3(def != NULL && escort_follow_law(def, &law), &rule, false, false,
                        escort_follow_one3, agents, first, count, out);
}

// ---- sight ----

static void escort_trace(const char *technique, bool ok, const ployi_approach_law *law,
                         ploy_kinematic agent, ploy_vec2 point, const char *note, ploy_agent_id id,
                         ploy_trace *trace) {
    if (trace == NULL || !ok) return;
    ployi_mover self = ployi_mover_of(agent, false);
    ploy_trace_begin(trace, id, "steer", technique);
    if (note != NULL) ploy_trace_note(trace, note);
    ployi_approach_point_trace(law, &self, ployi_plane(point), 2, trace);
    ploy_trace_end(trace);
}

void ploy_interpose_trace(const ploy_interpose_def *def, ploy_kinematic agent, ploy_kinematic a,
                          ploy_kinematic b, ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    bool ok = escort_interpose_law(def, &law);
    escort_trace("interpose", ok, &law, agent, ploy_interpose_point(def, agent, a, b), NULL, id,
                 trace);
}

void ploy_offset_pursuit_trace(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                               ploy_kinematic leader, ploy_vec2 offset, ploy_agent_id id,
                               ploy_trace *trace) {
    ployi_approach_law law;
    bool ok = escort_offset_law(def, &law);
    escort_trace("offset pursuit", ok, &law, agent,
                 ploy_offset_pursuit_point(def, agent, leader, offset), NULL, id, trace);
}

void ploy_fly_by_trace(const ploy_fly_by_def *def, ploy_kinematic agent, ploy_kinematic target,
                       ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    bool ok = escort_fly_by_law(def, &law);
    escort_trace("fly by", ok, &law, agent, ploy_fly_by_point(def, agent, target), NULL, id, trace);
}

void ploy_follow_trace(const ploy_follow_def *def, ploy_kinematic agent, ploy_kinematic leader,
                       ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    bool ok = escort_follow_law(def, &law);
    ployi_mover self = ployi_mover_of(agent, false), front = ployi_mover_of(leader, true);
    bool blocks_leader = ployi_follow_blocks(def, agent.position, leader);
    escort_trace("follow", ok, &law, agent,
                 ployi_planar(escort_follow_point(def, &self, &front, 2)),
                 blocks_leader ? "It is in the leader's way and steps aside."
                               : "It goes to its place behind the leader.",
                 id, trace);
}

void ploy_follow_draw(const ploy_follow_def *def, ploy_kinematic leader, ploy_agent_id owner,
                      ploy_draw *out) {
    ploy_frame2 frame = ploy_frame2_make(leader.position, leader.orientation);
    float length = def->clear_length + def->clear_time * ploy_vec2_length(leader.velocity);
    ploy_vec2 area[4] = {{0.0f, -def->clear_width},
                         {length, -def->clear_width},
                         {length, def->clear_width},
                         {0.0f, def->clear_width}};
    for (int32_t i = 0; i < 4; i++) area[i] = ploy_frame2_point_to_world(frame, area[i]);
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, owner, area, 4, 0.15f);
    ploy_draw_point(out, PLOY_LAYER_FORCES, PLOY_STYLE_TARGET, owner,
                    ploy_frame2_point_to_world(frame, ploy_vec2_make(-def->behind, 0.0f)));
}
