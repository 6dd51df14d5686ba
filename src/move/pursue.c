// Pursue and evade: seek's and flee's law on a predicted point. Described in the header.
#include "ploy/move/pursue.h"

#include "move/move_internal.h"

#include "move/predict_internal.h"

static const ploy_field pursue_fields[] = {
    PLOY_FIELD_DEF(ploy_pursue_def, seek, ploy_seek_fields, "how it goes for the point"),
    PLOY_FIELD_DEF(ploy_pursue_def, predict, ploy_predict_fields, "how far it looks ahead"),
    PLOY_FIELD_BOOL(ploy_pursue_def, head_on, false,
                    "seek the target itself while it comes straight at the agent"),
};

static const ploy_field pursue_evade_fields[] = {
    PLOY_FIELD_DEF(ploy_evade_def, flee, ploy_flee_fields, "how it runs from the point"),
    PLOY_FIELD_DEF(ploy_evade_def, predict, ploy_predict_fields, "how far it looks ahead"),
    PLOY_FIELD_F32(ploy_evade_def, threat_range, 0, 0, PLOY_POSITION_MAX_M, "m",
                   "pursuers farther away are ignored; 0 means none are"),
};

ploy_fields ploy_pursue_fields(void) {
    return PLOY_FIELDS(ploy_pursue_def, pursue_fields);
}

ploy_pursue_def ploy_pursue_def_default(void) {
    ploy_pursue_def def;
    ploy_fields_default(ploy_pursue_fields(), &def);
    return def;
}

ploy_fields ploy_evade_fields(void) {
    return PLOY_FIELDS(ploy_evade_def, pursue_evade_fields);
}

ploy_evade_def ploy_evade_def_default(void) {
    ploy_evade_def def;
    ploy_fields_default(ploy_evade_fields(), &def);
    return def;
}

PLOYI_INLINE bool pursue_law(const ploy_pursue_def *def, ployi_approach_law *law) {
    return ployi_predict_ok(&def->predict) && ployi_seek_law(&def->seek, law);
}

PLOYI_INLINE bool pursue_evade_law(const ploy_evade_def *def, ployi_approach_law *law) {
    return ployi_predict_ok(&def->predict) && ployi_distance_ok(def->threat_range) &&
           ployi_flee_law(&def->flee, law);
}

// Within 18.19 degrees of straight at each other (Buckland).
PLOYI_INLINE bool pursue_is_head_on(const ployi_mover *agent, const ployi_mover *target, int n) {
    ploy_vec3 offset = ployi_minus(target->position, agent->position);
    return ployi_dot(offset, agent->forward, n) > 0.0f &&
           ployi_dot(agent->forward, target->forward, n) < -0.95f;
}

PLOYI_INLINE float pursue_time(const ploy_pursue_def *def, const ployi_mover *agent,
                               const ployi_mover *target, int n) {
    if (def->head_on && pursue_is_head_on(agent, target, n)) return 0.0f;
    return ployi_predict(&def->predict, def->seek.max_speed, agent, target, n);
}

PLOYI_INLINE ploy_vec3 pursue_point(const ploy_pursue_def *def, const ployi_mover *agent,
                                    const ployi_mover *target, int n) {
    return ployi_predict_at(&def->predict, target, pursue_time(def, agent, target, n), n);
}

PLOYI_INLINE ploy_vec3 pursue_evade_point(const ploy_evade_def *def, const ployi_mover *agent,
                                          const ployi_mover *pursuer, int n) {
    float time = ployi_predict(&def->predict, def->flee.max_speed, agent, pursuer, n);
    return ployi_predict_at(&def->predict, pursuer, time, n);
}

PLOYI_INLINE bool pursue_is_threat(const ploy_evade_def *def, const ployi_mover *agent,
                                   const ployi_mover *pursuer, int n) {
    if (def->threat_range <= 0.0f) return true;
    float square = ployi_square(ployi_minus(pursuer->position, agent->position), n);
    return square <= def->threat_range * def->threat_range;
}

PLOYI_INLINE ployi_pull pursue_evade(const ploy_evade_def *def, const ployi_approach_law *law,
                                     const ployi_mover *agent, const ployi_mover *pursuer, int n) {
    if (!pursue_is_threat(def, agent, pursuer, n)) return ployi_pull_none();
    return ployi_approach_point(law, agent, pursue_evade_point(def, agent, pursuer, n), n);
}

// On the plane headings are worth computing only where they are looked at.
static ployi_mover pursue_self(const ploy_predict_def *predict, bool head_on,
                               ploy_kinematic agent) {
    return ployi_mover_of(agent, head_on || predict->turn_time > 0.0f);
}

ploy_vec2 ploy_pursue_point(const ploy_pursue_def *def, ploy_kinematic agent,
                            ploy_kinematic target) {
    ployi_approach_law law;
    if (!pursue_law(def, &law)) return target.position;
    ployi_mover self = pursue_self(&def->predict, def->head_on, agent);
    ployi_mover other = ployi_mover_of(target, def->head_on);
    ployi_predict_frame(&def->predict, &self, &other);
    return ployi_planar(pursue_point(def, &self, &other, 2));
}

ploy_vec3 ploy_pursue3_point(const ploy_pursue_def *def, ploy_kinematic3 agent,
                             ploy_kinematic3 target) {
    ployi_approach_law law;
    if (!pursue_law(def, &law)) return target.position;
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(target);
    ployi_predict_frame(&def->predict, &self, &other);
    return pursue_point(def, &self, &other, 3);
}

ploy_steering ploy_pursue(const ploy_pursue_def *def, ploy_kinematic agent, ploy_kinematic target) {
    ployi_approach_law law;
    if (!pursue_law(def, &law)) return ploy_steering_invalid();
    ployi_mover self = pursue_self(&def->predict, def->head_on, agent);
    ployi_mover other = ployi_mover_of(target, def->head_on);
    ployi_predict_frame(&def->predict, &self, &other);
    return ployi_pull_planar(
        ployi_approach_point(&law, &self, pursue_point(def, &self, &other, 2), 2));
}

ploy_steering3 ploy_pursue3(const ploy_pursue_def *def, ploy_kinematic3 agent,
                            ploy_kinematic3 target) {
    ployi_approach_law law;
    if (!pursue_law(def, &law)) return ploy_steering3_invalid();
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(target);
    ployi_predict_frame(&def->predict, &self, &other);
    return ployi_pull_spatial(
        ployi_approach_point(&law, &self, pursue_point(def, &self, &other, 3), 3));
}

ploy_steering ploy_evade(const ploy_evade_def *def, ploy_kinematic agent, ploy_kinematic pursuer) {
    ployi_approach_law law;
    if (!pursue_evade_law(def, &law)) return ploy_steering_invalid();
    ployi_mover self = pursue_self(&def->predict, false, agent);
    ployi_mover other = ployi_mover_of(pursuer, false);
    ployi_predict_frame(&def->predict, &self, &other);
    return ployi_pull_planar(pursue_evade(def, &law, &self, &other, 2));
}

ploy_steering3 ploy_evade3(const ploy_evade_def *def, ploy_kinematic3 agent,
                           ploy_kinematic3 pursuer) {
    ployi_approach_law law;
    if (!pursue_evade_law(def, &law)) return ploy_steering3_invalid();
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(pursuer);
    ployi_predict_frame(&def->predict, &self, &other);
    return ployi_pull_spatial(pursue_evade(def, &law, &self, &other, 3));
}

typedef struct pursue_rule {
    const ploy_pursue_def *pursue;
    const ploy_evade_def *evade;
    const ploy_kinematics *others;
    const ploy_kinematics3 *others3;
} pursue_rule;

static ploy_steering pursue_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const pursue_rule *r = rule;
    return ploy_pursue(r->pursue, agent, ployi_other(r->others, i));
}

static ploy_steering3 pursue_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const pursue_rule *r = rule;
    return ploy_pursue3(r->pursue, agent, ployi_other3(r->others3, i));
}

static ploy_steering pursue_evade_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const pursue_rule *r = rule;
    return ploy_evade(r->evade, agent, ployi_other(r->others, i));
}

static ploy_steering3 pursue_evade_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const pursue_rule *r = rule;
    return ploy_evade3(r->evade, agent, ployi_other3(r->others3, i));
}

ploy_result ploy_pursue_batch(const ploy_pursue_def *def, const ploy_kinematics *agents,
                              int32_t first, int32_t count, const ploy_kinematics *targets,
                              const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !pursue_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others_check(targets, first, count);
    pursue_rule rule = {def, NULL, targets, NULL};
    return result != PLOY_OK ? result : ployi_each(agents, first, count, pursue_one, &rule, out);
}

ploy_result ploy_pursue3_batch(const ploy_pursue_def *def, const ploy_kinematics3 *agents,
                               int32_t first, int32_t count, const ploy_kinematics3 *targets,
                               const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !pursue_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others3_check(targets, first, count);
    pursue_rule rule = {def, NULL, NULL, targets};
    return result != PLOY_OK ? result : ployi_each3(agents, first, count, pursue_one3, &rule, out);
}

ploy_result ploy_evade_batch(const ploy_evade_def *def, const ploy_kinematics *agents,
                             int32_t first, int32_t count, const ploy_kinematics *pursuers,
                             const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !pursue_evade_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others_check(pursuers, first, count);
    pursue_rule rule = {NULL, def, pursuers, NULL};
    return result != PLOY_OK ? result
                             : ployi_each(agents, first, count, pursue_evade_one, &rule, out);
}

ploy_result ploy_evade3_batch(const ploy_evade_def *def, const ploy_kinematics3 *agents,
                              int32_t first, int32_t count, const ploy_kinematics3 *pursuers,
                              const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !pursue_evade_law(def, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_others3_check(pursuers, first, count);
    pursue_rule rule = {NULL, def, NULL, pursuers};
    return result != PLOY_OK ? result
                             : ployi_each3(agents, first, count, pursue_evade_one3, &rule, out);
}

// ---- why ----

static void pursue_trace(const ploy_pursue_def *def, const ployi_mover *agent,
                         const ployi_mover *target, int n, ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !pursue_law(def, &law)) return;
    ploy_trace_begin(trace, id, "steer", "pursue");
    ploy_trace_text(trace, "prediction", ployi_prediction_text(def->predict.method));
    ploy_trace_f32(trace, "looks ahead", pursue_time(def, agent, target, n));
    if (def->head_on && pursue_is_head_on(agent, target, n)) {
        ploy_trace_note(trace, "The target comes straight at it, so it is sought where it is.");
    }
    ployi_approach_point_trace(&law, agent, pursue_point(def, agent, target, n), n, trace);
    ploy_trace_end(trace);
}

static void pursue_evade_trace(const ploy_evade_def *def, const ployi_mover *agent,
                               const ployi_mover *pursuer, int n, ploy_agent_id id,
                               ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !pursue_evade_law(def, &law)) return;
    ploy_trace_begin(trace, id, "steer", "evade");
    if (pursue_is_threat(def, agent, pursuer, n)) {
        ploy_trace_text(trace, "prediction", ployi_prediction_text(def->predict.method));
        ployi_approach_point_trace(&law, agent, pursue_evade_point(def, agent, pursuer, n), n,
                                   trace);
    } else {
        ploy_trace_option(trace, "request nothing", PLOY_OUTCOME_WON, (double)NAN,
                          "the pursuer is farther away than threat_range");
    }
    ploy_trace_end(trace);
}

void ploy_pursue_trace(const ploy_pursue_def *def, ploy_kinematic agent, ploy_kinematic target,
                       ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover_of(agent, true), other = ployi_mover_of(target, true);
    ployi_predict_frame(&def->predict, &self, &other);
    pursue_trace(def, &self, &other, 2, id, trace);
}

void ploy_pursue3_trace(const ploy_pursue_def *def, ploy_kinematic3 agent, ploy_kinematic3 target,
                        ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(target);
    ployi_predict_frame(&def->predict, &self, &other);
    pursue_trace(def, &self, &other, 3, id, trace);
}

void ploy_evade_trace(const ploy_evade_def *def, ploy_kinematic agent, ploy_kinematic pursuer,
                      ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover_of(agent, true), other = ployi_mover_of(pursuer, true);
    ployi_predict_frame(&def->predict, &self, &other);
    pursue_evade_trace(def, &self, &other, 2, id, trace);
}

void ploy_evade3_trace(const ploy_evade_def *def, ploy_kinematic3 agent, ploy_kinematic3 pursuer,
                       ploy_agent_id id, ploy_trace *trace) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(pursuer);
    ployi_predict_frame(&def->predict, &self, &other);
    pursue_evade_trace(def, &self, &other, 3, id, trace);
}
