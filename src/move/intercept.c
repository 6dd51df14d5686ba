// Intercept; the technique is described in the header.
#include "ploy/move/intercept.h"

#include "move/predict_internal.h"
#include "ploy/geom/angle.h"

static const char *const intercept_methods[] = {"closing", "exact"};
static const char *const intercept_statuses[] = {"ok", "behind", "none", "too late"};

static const ploy_field intercept_fields[] = {
    PLOY_FIELD_DEF(ploy_intercept_def, seek, ploy_seek_fields, "how it goes for the point"),
    PLOY_FIELD_ENUM(ploy_intercept_def, method, PLOY_INTERCEPT_CLOSING, intercept_methods,
                    "how the meeting is found"),
    PLOY_FIELD_F32(ploy_intercept_def, max_time, 60, 0, PLOYI_TIME_MAX, "s",
                   "later meetings do not count"),
    PLOY_FIELD_BOOL(ploy_intercept_def, check_behind, true,
                    "head for the prey itself while it is behind"),
};

ploy_fields ploy_intercept_fields(void) {
    return PLOY_FIELDS(ploy_intercept_def, intercept_fields);
}

ploy_intercept_def ploy_intercept_def_default(void) {
    ploy_intercept_def def;
    ploy_fields_default(ploy_intercept_fields(), &def);
    return def;
}

const char *ploy_intercept_status_text(ploy_intercept_status status) {
    size_t i = (size_t)status;
    return i < sizeof intercept_statuses / sizeof intercept_statuses[0] ? intercept_statuses[i]
                                                                        : "?";
}

PLOYI_INLINE bool intercept_law(const ploy_intercept_def *def, ployi_approach_law *law) {
    if (def->method != PLOY_INTERCEPT_CLOSING && def->method != PLOY_INTERCEPT_EXACT) return false;
    return ployi_within(def->max_time, 0, PLOYI_TIME_MAX) && ployi_seek_law(&def->seek, law);
}

// The time to the meeting; false if there is none.
PLOYI_INLINE bool intercept_time(const ploy_intercept_def *def, ploy_vec3 offset,
                                 const ployi_mover *agent, const ployi_mover *prey, int n,
                                 double *time) {
    if (def->method == PLOY_INTERCEPT_EXACT) {
        return ployi_predict_exact(offset, prey->velocity, def->seek.max_speed, n, time);
    }
    float range = ployi_length(offset, n);
    float speed = ployi_length(ployi_minus(prey->velocity, agent->velocity), n);
    if (!(speed * speed > PLOYI_TINY_SQUARED)) return false; // the same velocity: range stays
    *time = (double)range / (double)speed;
    return true;
}

PLOYI_INLINE ploy_interception3 intercept_body(const ploy_intercept_def *def,
                                               const ployi_mover *agent, const ployi_mover *prey,
                                               int n) {
    ploy_interception3 out = {PLOY_INTERCEPT_NONE, 0.0f, prey->position, prey->position};
    ploy_vec3 offset = ployi_minus(prey->position, agent->position);
    double time = 0.0;
    if (!intercept_time(def, offset, agent, prey, n, &time)) return out;
    // A meeting in a thousand years is reported as one at the limit, so that all stays finite.
    out.time = time < PLOYI_TIME_MAX ? (float)time : (float)PLOYI_TIME_MAX;
    out.meeting = ployi_plus_scaled(prey->position, prey->velocity, out.time);
    if (def->check_behind && ployi_dot(offset, agent->forward, n) < 0.0f) {
        out.status = PLOY_INTERCEPT_BEHIND;
    } else if (time > (double)def->max_time) {
        out.status = PLOY_INTERCEPT_TOO_LATE;
    } else {
        out.status = PLOY_INTERCEPT_OK;
        out.point = out.meeting;
    }
    return out;
}

ploy_interception ploy_intercept_find(const ploy_intercept_def *def, ploy_kinematic agent,
                                      ploy_kinematic prey) {
    ploy_interception out = {PLOY_INTERCEPT_NONE, 0.0f, prey.position, prey.position};
    ployi_approach_law law;
    if (!intercept_law(def, &law)) return out;
    ployi_mover self = ployi_mover_of(agent, def->check_behind);
    ployi_mover other = ployi_mover_of(prey, false);
    ploy_interception3 found = intercept_body(def, &self, &other, 2);
    out.status = found.status;
    out.time = found.time;
    out.meeting = ployi_planar(found.meeting);
    out.point = ployi_planar(found.point);
    return out;
}

ploy_interception3 ploy_intercept3_find(const ploy_intercept_def *def, ploy_kinematic3 agent,
                                        ploy_kinematic3 prey) {
    ploy_interception3 out = {PLOY_INTERCEPT_NONE, 0.0f, prey.position, prey.position};
    ployi_approach_law law;
    if (!intercept_law(def, &law)) return out;
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(prey);
    return intercept_body(def, &self, &other, 3);
}

PLOYI_INLINE ployi_pull intercept_pull(const ploy_intercept_def *def, const ployi_mover *agent,
                                       const ployi_mover *prey, int n) {
    ployi_approach_law law;
    if (!intercept_law(def, &law)) return ployi_pull_invalid();
    return ployi_approach_point(&law, agent, intercept_body(def, agent, prey, n).point, n);
}

ploy_steering ploy_intercept(const ploy_intercept_def *def, ploy_kinematic agent,
                             ploy_kinematic prey) {
    ployi_mover self = ployi_mover_of(agent, def->check_behind);
    ployi_mover other = ployi_mover_of(prey, false);
    return ployi_pull_planar(intercept_pull(def, &self, &other, 2));
}

ploy_steering3 ploy_intercept3(const ploy_intercept_def *def, ploy_kinematic3 agent,
                               ploy_kinematic3 prey) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(prey);
    return ployi_pull_spatial(intercept_pull(def, &self, &other, 3));
}

typedef struct intercept_rule {
    const ploy_intercept_def *def;
    const ploy_kinematics *prey;
    const ploy_kinematics3 *prey3;
} intercept_rule;

static ploy_steering intercept_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const intercept_rule *r = rule;
    return ploy_intercept(r->def, agent, ployi_other(r->prey, i));
}

static ploy_steering3 intercept_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const intercept_rule *r = rule;
    return ploy_intercept3(r->def, agent, ployi_other3(r->prey3, i));
}

ploy_result ploy_intercept_batch(const ploy_intercept_def *def, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_kinematics *prey,
                                 const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !intercept_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others_check(prey, first, count);
    intercept_rule rule = {def, prey, NULL};
    return result != PLOY_OK ? result : ployi_each(agents, first, count, intercept_one, &rule, out);
}

ploy_result ploy_intercept3_batch(const ploy_intercept_def *def, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_kinematics3 *prey,
                                  const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !intercept_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others3_check(prey, first, count);
    intercept_rule rule = {def, NULL, prey};
    return result != PLOY_OK ? result
                             : ployi_each3(agents, first, count, intercept_one3, &rule, out);
}

static void intercept_trace(const ploy_intercept_def *def, const ployi_mover *agent,
                            const ployi_mover *prey, int n, ploy_agent_id id, ploy_trace *trace) {
    static const char *const reasons[] = {
        "the two can meet", "the prey is behind and the meeting would recede", "the two never meet",
        "the meeting is later than max_time"};
    ployi_approach_law law;
    if (trace == NULL || !intercept_law(def, &law)) return;
    ploy_interception3 found = intercept_body(def, agent, prey, n);
    bool ok = found.status == PLOY_INTERCEPT_OK;
    ploy_trace_begin(trace, id, "steer", "intercept");
    ploy_trace_f32(trace, "time", found.time);
    ployi_trace_vec(trace, "meeting", found.meeting, n);
    ploy_trace_option(trace, "head for the meeting", ok ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, reasons[found.status]);
    ploy_trace_option(trace, "head for the prey", ok ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON,
                      (double)NAN, ok ? "the meeting is better" : "there is nothing better");
    ployi_approach_point_trace(&law, agent, found.point, n, trace);
    ploy_trace_end(trace);
}

void ploy_intercept_trace(const ploy_intercept_def *def, ploy_kinematic agent, ploy_kinematic prey,
                          ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover_of(agent, true), other = ployi_mover_of(prey, false);
    intercept_trace(def, &self, &other, 2, id, trace);
}

void ploy_intercept3_trace(const ploy_intercept_def *def, ploy_kinematic3 agent,
                           ploy_kinematic3 prey, ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(prey);
    intercept_trace(def, &self, &other, 3, id, trace);
}

ploy_turn_side ploy_intercept_turn(ploy_kinematic agent, ploy_vec2 point, float tolerance) {
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_vec2 to = ploy_vec2_normalise(ploy_vec2_sub(point, agent.position));
    float side = ploy_vec2_cross(heading, to);
    if (side > tolerance) return PLOY_TURN_LEFT;
    if (side < -tolerance) return PLOY_TURN_RIGHT;
    return ploy_vec2_dot(heading, to) < 0.0f ? PLOY_TURN_LEFT : PLOY_TURN_NONE;
}
