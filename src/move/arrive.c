// Arrive; the technique is described in the header, the law is in move_internal.h.
#include "ploy/move/arrive.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"

static const ploy_field arrive_fields[] = {
    PLOY_FIELD_F32(ploy_arrive_def, max_speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s", "speed far away"),
    PLOY_FIELD_F32(ploy_arrive_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_arrive_def, slow_radius, 4, 0, PLOY_POSITION_MAX_M, "m",
                   "distance at which braking begins"),
    PLOY_FIELD_F32(ploy_arrive_def, target_radius, 0.1, 0, PLOY_POSITION_MAX_M, "m",
                   "distance that is near enough"),
    PLOY_FIELD_F32(ploy_arrive_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired velocity is to be reached"),
    PLOY_FIELD_BOOL(ploy_arrive_def, stop_inside, true, "brake when near enough"),
};

ploy_fields ploy_arrive_fields(void) {
    return PLOY_FIELDS(ploy_arrive_def, arrive_fields);
}

ploy_arrive_def ploy_arrive_def_default(void) {
    ploy_arrive_def def;
    ploy_fields_default(ploy_arrive_fields(), &def);
    return def;
}

const char *ploy_arrive_phase_text(ploy_arrive_phase phase) {
    switch (phase) {
    case PLOY_ARRIVE_FULL_SPEED: return "full speed";
    case PLOY_ARRIVE_SLOWING: return "slowing";
    case PLOY_ARRIVE_THERE: return "there";
    }
    return "?";
}

static ploy_arrive_phase arrive_phase(const ploy_arrive_def *def, ploy_vec3 offset, int n) {
    ployi_approach_law law;
    float square = ployi_square(offset, n);
    if (!ployi_arrive_velocity_law(def, &law) || ployi_approach_inside(law, square)) {
        return PLOY_ARRIVE_THERE;
    }
    return square > law.slow_squared ? PLOY_ARRIVE_FULL_SPEED : PLOY_ARRIVE_SLOWING;
}

ploy_arrive_phase ploy_arrive_phase_of(const ploy_arrive_def *def, ploy_vec2 position,
                                       ploy_vec2 target) {
    ploy_vec3 offset = {target.x - position.x, target.y - position.y, 0.0f};
    return arrive_phase(def, offset, 2);
}

ploy_arrive_phase ploy_arrive3_phase_of(const ploy_arrive_def *def, ploy_vec3 position,
                                        ploy_vec3 target) {
    return arrive_phase(def, ployi_minus(target, position), 3);
}

ploy_steering ploy_arrive(const ploy_arrive_def *def, ploy_kinematic agent, ploy_vec2 target) {
    ployi_approach_law law;
    if (!ployi_arrive_law(def, &law)) return ploy_steering_invalid();
    return ployi_approach_one(&law, &agent, target);
}

ploy_steering3 ploy_arrive3(const ploy_arrive_def *def, ploy_kinematic3 agent, ploy_vec3 target) {
    ployi_approach_law law;
    if (!ployi_arrive_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent, target);
}

ploy_result ploy_arrive_batch(const ploy_arrive_def *def, const ploy_kinematics *agents,
                              int32_t first, int32_t count, const ploy_points *targets,
                              const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_arrive_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_batch(&law, agents, first, count, targets, out);
}

ploy_result ploy_arrive3_batch(const ploy_arrive_def *def, const ploy_kinematics3 *agents,
                               int32_t first, int32_t count, const ploy_points3 *targets,
                               const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_arrive_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_batch(&law, agents, first, count, targets, out);
}

ploy_kinematic_output ploy_arrive_velocity(const ploy_arrive_def *def, ploy_vec2 position,
                                           ploy_vec2 target) {
    ployi_approach_law law;
    ploy_kinematic_output none = {{0.0f, 0.0f}, 0.0f, PLOY_STEERING_INVALID};
    if (!ployi_arrive_velocity_law(def, &law)) return none;
    return ployi_approach_velocity_one(&law, position, target);
}

ploy_kinematic3_output ployi_arrive3_velocity(const ploy_arrive_def *def, ploy_vec3 position,
                                              ploy_vec3 target) {
    ployi_approach_law law;
    ploy_kinematic3_output none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, PLOY_STEERING_INVALID};
    if (!ployi_arrive_velocity_law(def, &law)) return none;
    return ployi_approach3_velocity_one(&law, position, target);
}

ploy_result ployi_arrive_velocity_batch(const ploy_arrive_def *def, const ploy_kinematics *agents,
                                        int32_t first, int32_t count, const ploy_points *targets) {
    ployi_approach_law law;
    if (def == NULL || !ployi_arrive_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_velocity_batch(&law, agents, first, count, targets);
}

ploy_result ployi_arrive3_velocity_batch(const ploy_arrive_def *def, const ploy_kinematics3 *agents,
                                         int32_t first, int32_t count,
                                         const ploy_points3 *targets) {
    ployi_approach_law law;
    if (def == NULL || !ployi_arrive_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_velocity_batch(&law, agents, first, count, targets);
}

// The phases as alternatives, each with the speed it would request; then the acceleration.
static void arrive_trace(const ploy_arrive_def *def, const ployi_approach_law *law,
                         ploy_vec3 offset, ploy_vec3 velocity, int n, ploy_agent_id id,
                         ploy_trace *trace) {
    static const char *const out_of_place[3] = {
        "the target is nearer than slow_radius",
        "the target is farther away than slow_radius",
        "the target is farther away than target_radius",
    };
    static const char *const in_place[3] = {
        "the target is farther away than slow_radius",
        "the target is nearer than slow_radius",
        "the target is nearer than target_radius",
    };
    ploy_arrive_phase phase = arrive_phase(def, offset, n);
    double speed[3];
    speed[PLOY_ARRIVE_FULL_SPEED] = (double)def->max_speed;
    speed[PLOY_ARRIVE_SLOWING] = (double)(law->slope * sqrtf(ployi_square(offset, n)));
    speed[PLOY_ARRIVE_THERE] = 0.0;
    ploy_trace_begin(trace, id, "steer", "arrive");
    for (int32_t i = 0; i < 3; i++) {
        bool won = i == (int32_t)phase;
        const char *reason = won ? in_place[i] : out_of_place[i];
        if (phase == PLOY_ARRIVE_THERE && !won) reason = "it is there";
        ploy_trace_option(trace, ploy_arrive_phase_text((ploy_arrive_phase)i),
                          won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, speed[i], reason);
    }
    if (phase == PLOY_ARRIVE_THERE && !def->stop_inside) {
        ploy_trace_note(trace,
                        "It is there and requests nothing; stop_inside would make it brake.");
    }
    ploy_trace_begin(trace, id, "acceleration", "velocity error");
    ployi_approach_trace(law, offset, velocity, n, trace);
    ploy_trace_end(trace);
    ploy_trace_end(trace);
}

void ploy_arrive_trace(const ploy_arrive_def *def, ploy_kinematic agent, ploy_vec2 target,
                       ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_arrive_law(def, &law)) return;
    ploy_vec3 offset = {target.x - agent.position.x, target.y - agent.position.y, 0.0f};
    arrive_trace(def, &law, offset, ployi_plane(agent.velocity), 2, id, trace);
}

void ploy_arrive3_trace(const ploy_arrive_def *def, ploy_kinematic3 agent, ploy_vec3 target,
                        ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_arrive_law(def, &law)) return;
    arrive_trace(def, &law, ployi_minus(target, agent.position), agent.velocity, 3, id, trace);
}

void ploy_arrive_draw(const ploy_arrive_def *def, ploy_vec2 target, ploy_agent_id owner,
                      ploy_draw *out) {
    ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, owner, target, def->slow_radius);
    ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, owner, target, def->target_radius);
}
