// Motor control; the technique is described in the header.
#include "ploy/move/motor.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

static const char *const motor_bodies[] = {"human", "car", "motorbike", "tank"};

static const ploy_field motor_fields[] = {
    PLOY_FIELD_ENUM(ploy_motor_def, body, PLOY_MOTOR_CAR, motor_bodies, "kind of body"),
    PLOY_FIELD_F32(ploy_motor_def, max_speed, 15, 0.01, 1e4, "m/s", "fastest forward"),
    PLOY_FIELD_F32(ploy_motor_def, max_reverse, 4, 0, 1e4, "m/s", "fastest backward"),
    PLOY_FIELD_F32(ploy_motor_def, acceleration, 5, 1e-3, 1e6, "m/s^2", "speeding up"),
    PLOY_FIELD_F32(ploy_motor_def, braking, 10, 1e-3, 1e6, "m/s^2", "slowing down"),
    PLOY_FIELD_F32(ploy_motor_def, max_turn, 1.5, 0, 1e3, "rad/s", "fastest turn"),
    PLOY_FIELD_F32(ploy_motor_def, turn_radius, 4, 0, 1e6, "m", "tightest turn on wheels"),
    PLOY_FIELD_F32(ploy_motor_def, grip, 8, 1e-3, 1e6, "m/s^2", "before it skids"),
    PLOY_FIELD_F32(ploy_motor_def, slow_speed, 3, 0, 1e4, "m/s", "what counts as slow"),
    PLOY_FIELD_F32(ploy_motor_def, arc_slow, 1.9, 0, 3.1415927, "rad", "forward arc when slow"),
    PLOY_FIELD_F32(ploy_motor_def, arc_fast, 0.5, 0, 3.1415927, "rad", "forward arc when fast"),
    PLOY_FIELD_F32(ploy_motor_def, rear_range, 8, 0, 1e6, "m", "within which it backs up"),
    PLOY_FIELD_F32(ploy_motor_def, sidestep_radius, 1.5, 0, 1e6, "m",
                   "within which it steps aside"),
    PLOY_FIELD_F32(ploy_motor_def, near_distance, 0.5, 0, 1e6, "m", "distance that is near enough"),
};

ploy_fields ploy_motor_fields(void) {
    return PLOY_FIELDS(ploy_motor_def, motor_fields);
}

ploy_motor_def ploy_motor_def_default(void) {
    ploy_motor_def def;
    ploy_fields_default(ploy_motor_fields(), &def);
    return def;
}

ploy_motor_def ploy_motor_def_of(ploy_motor_body body) {
    ploy_motor_def def = ploy_motor_def_default();
    def.body = body;
    switch (body) {
    case PLOY_MOTOR_CAR: break;
    case PLOY_MOTOR_MOTORBIKE:
        def.max_reverse = 0.0f;
        def.rear_range = 0.0f;
        def.acceleration = 8.0f;
        def.turn_radius = 3.0f;
        def.arc_slow = PLOY_PI_F; // no reverse: whatever is behind must be turned to
        break;
    case PLOY_MOTOR_TANK:
        def.max_speed = 8.0f;
        def.acceleration = 2.0f;
        def.turn_radius = 0.0f; // on the spot
        def.slow_speed = 0.5f;
        def.arc_slow = 1.6f;
        break;
    case PLOY_MOTOR_HUMAN:
        def.max_speed = 5.0f;
        def.max_reverse = 1.2f;
        def.acceleration = 8.0f;
        def.max_turn = 6.0f;
        def.turn_radius = 0.0f;
        def.slow_speed = 1.5f;
        def.arc_slow = 1.2f;
        def.rear_range = 0.0f;
        def.near_distance = 0.1f;
        break;
    }
    return def;
}

const char *ploy_motor_body_text(ploy_motor_body body) {
    return (uint32_t)body <= PLOY_MOTOR_TANK ? motor_bodies[body] : "?";
}

const char *ploy_motor_maneuver_text(ploy_motor_maneuver maneuver) {
    static const char *const texts[] = {"stand", "forward", "reverse",
                                        "brake", "pivot",   "sidestep"};
    return (uint32_t)maneuver <= PLOY_MOTOR_SIDESTEP ? texts[maneuver] : "?";
}

// As ploy_fields_check, but fast enough for every call: the same table, and no message.
bool ployi_motor_ok(const ploy_motor_def *def) {
    if ((uint32_t)def->body > PLOY_MOTOR_TANK) return false;
    for (size_t i = 1; i < sizeof motor_fields / sizeof motor_fields[0]; i++) {
        const char *at = (const char *)def + motor_fields[i].offset;
        float value = *(const float *)(const void *)at;
        if (!ployi_within(value, motor_fields[i].min, motor_fields[i].max)) return false;
    }
    return true;
}

float ploy_motor_turn_limit(const ploy_motor_def *def, float speed) {
    speed = fabsf(speed);
    float limit = def->max_turn;
    if (speed > 0.0f) limit = ploy_minf(limit, def->grip / speed);
    if (def->turn_radius > 0.0f) limit = ploy_minf(limit, speed / def->turn_radius);
    return limit;
}

// Speed along the heading; below 0 backward.
static float motor_speed(ploy_kinematic agent) {
    return ploy_vec2_dot(agent.velocity, ploy_angle_heading(agent.orientation));
}

// The settings that filtering uses.
static bool motor_filter_ok(const ploy_motor_def *def) {
    return (uint32_t)def->body <= PLOY_MOTOR_TANK && ploy_is_finite(def->max_turn) &&
           ploy_is_finite(def->turn_radius) && ploy_is_finite(def->grip) &&
           ploy_is_finite(def->max_reverse) && ploy_is_finite(def->slow_speed) &&
           ploy_is_finite(def->acceleration);
}

ploy_steering ploy_motor_filter(const ploy_motor_def *def, ploy_kinematic agent,
                                ploy_steering request, bool rescale, bool fallback) {
    if (!motor_filter_ok(def)) return ploy_steering_invalid();
    if ((request.requested & PLOY_STEERING_REQUESTED) == 0 || def->body == PLOY_MOTOR_HUMAN) {
        return request;
    }
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_vec2 local = ploy_vec2_resolve(request.linear, heading);
    float asked = ploy_vec2_length(request.linear), kept = local.x;
    float speed = motor_speed(agent), limit = ploy_motor_turn_limit(def, speed);
    // Turning in proportion to what the speed allows of the most it could ever turn.
    float part = def->max_turn > 0.0f ? limit / def->max_turn : 0.0f;
    float angular = request.angular * part;
    // Decided by the velocity that the request leads to soon, not by the request: that flips its sign
    // with every bit of speed, and a body that heeds it rolls and brakes in turn and never turns.
    const float soon = 0.25f; // s
    ploy_vec2 wanted = ploy_vec2_make(speed + local.x * soon, local.y * soon);
    // Backward faster than it goes is nothing it can do; to a motorbike that is all but a stop.
    if (kept < 0.0f && wanted.x < -def->max_reverse) kept = 0.0f;
    bool nothing = fabsf(kept) <= 1e-4f * asked;
    // Nor is it enough for wheels that hardly roll if less than half of it leads along them.
    bool aside = fabsf(speed) <= def->slow_speed && def->turn_radius > 0.0f &&
                 fabsf(wanted.x) < 0.5f * ploy_vec2_length(wanted);
    if (fallback && asked > 0.0f && (nothing || aside)) {
        const float turn_time = 0.1f; // s to reach the hardest turn
        bool back = wanted.x < 0.0f && wanted.x > -def->max_reverse;
        kept = back ? -def->acceleration : def->acceleration;
        angular = (copysignf(limit, local.y) - agent.rotation) / turn_time;
    } else if (nothing) {
        kept = 0.0f;
    } else if (rescale) {
        kept = copysignf(asked, kept);
    }
    return ploy_steering_make(ploy_vec2_scale(heading, kept), angular);
}

// Half of the forward arc at a speed: wide up to slow_speed, then narrowing to the fastest.
static float motor_arc(const ploy_motor_def *def, float speed) {
    float room = def->max_speed - def->slow_speed;
    float part = room > 0.0f ? (fabsf(speed) - def->slow_speed) / room : 1.0f;
    return ploy_lerpf(def->arc_slow, def->arc_fast, ploy_clampf(part, 0.0f, 1.0f));
}

static float motor_steer(const ploy_motor_def *def, float speed, float angle) {
    float limit = ploy_motor_turn_limit(def, speed);
    return ploy_clampf(angle * 4.0f, -limit, limit);
}

static ploy_motor_output motor_human(const ploy_motor_def *def, ploy_motor_output out, float speed,
                                     float angle, ploy_vec2 offset) {
    float distance = ploy_vec2_length(offset);
    bool slow = fabsf(speed) <= def->slow_speed;
    out.rotation = motor_steer(def, 0.0f, angle);
    if (slow && distance <= def->sidestep_radius) {
        out.maneuver = PLOY_MOTOR_SIDESTEP;
        out.velocity = ploy_vec2_limit(ploy_vec2_scale(offset, 4.0f), def->max_reverse);
        out.rotation = 0.0f;
    } else if (fabsf(angle) <= out.arc) {
        out.maneuver = PLOY_MOTOR_FORWARD;
        out.rotation = motor_steer(def, speed, angle);
    } else {
        out.maneuver = slow ? PLOY_MOTOR_PIVOT : PLOY_MOTOR_BRAKE;
    }
    return out;
}

static ploy_motor_output motor_wheels(const ploy_motor_def *def, ploy_motor_output out, float speed,
                                      float rotation, float angle, float distance) {
    bool tank = def->body == PLOY_MOTOR_TANK, slow = fabsf(speed) <= def->slow_speed;
    float behind = PLOY_PI_F - fabsf(angle); // from straight back
    bool can_reverse = def->max_reverse > 0.0f && distance <= def->rear_range;
    // When slow the two arcs touch; faster, the rear one is as narrow as the forward one.
    float rear = slow ? PLOY_PI_F - out.arc : ploy_minf(out.arc, PLOY_PI_F - out.arc);
    // Wheels turn only while they roll, so one too slow to turn has to go on before it can.
    bool forward = fabsf(angle) <= out.arc || (slow && !can_reverse && !tank);
    out.rotation = motor_steer(def, speed, angle);
    if (forward) {
        out.maneuver = PLOY_MOTOR_FORWARD;
        // A target inside the circle of the tightest turn would be circled forever: straight on
        // until it is well outside, and then turn for good. On the same edge turns and
        // straights would alternate and cancel each other.
        float edge = fabsf(rotation) > 0.05f && speed >= 0.0f ? 2.0f : 2.5f;
        float circle = edge * def->turn_radius * fabsf(ploy_sinf(angle));
        if (distance < circle && slow && def->max_reverse > 0.0f) {
            // A vehicle that can reverse does so, the nose swinging to the target, until the turn suffices:
            // straight on may be just where it must not go.
            out.maneuver = PLOY_MOTOR_REVERSE;
        } else if (distance < circle) {
            out.rotation = 0.0f;
        }
    } else if (can_reverse && behind <= rear) {
        // Backward the tail leads: turned so that it comes to point at the target.
        float tail = angle > 0.0f ? angle - PLOY_PI_F : angle + PLOY_PI_F;
        out.maneuver = PLOY_MOTOR_REVERSE;
        out.rotation = motor_steer(def, speed, tail);
    } else {
        out.maneuver = tank && slow ? PLOY_MOTOR_PIVOT : PLOY_MOTOR_BRAKE;
        float limit = ploy_motor_turn_limit(def, speed);
        out.rotation = angle < 0.0f ? -limit : limit;
    }
    return out;
}

ploy_motor_output ploy_motor_control(const ploy_motor_def *def, ploy_kinematic agent,
                                     ploy_vec2 target) {
    ploy_motor_output out = {PLOY_MOTOR_STAND, 0.0f, 1.0f, 0.0f, {0.0f, 0.0f}, 0.0f};
    ploy_vec2 offset = ploy_vec2_sub(target, agent.position);
    float distance = ploy_vec2_length(offset), speed = motor_speed(agent);
    if (!ployi_motor_ok(def) || !ploy_vec2_is_finite(offset)) return out;
    out.arc = motor_arc(def, speed);
    if (distance <= def->near_distance) return out;
    out.brake = 0.0f;
    float angle = ploy_angle_difference(agent.orientation, ploy_angle_of(offset));
    out = def->body == PLOY_MOTOR_HUMAN
              ? motor_human(def, out, speed, angle, offset)
              : motor_wheels(def, out, speed, agent.rotation, angle, distance);
    // The speed from which it can still stop there, and bend its course there: the circle through
    // here and there, along the heading, has the radius distance / (2 sin angle).
    float wanted = sqrtf(2.0f * def->braking * distance);
    float bend = fabsf(ploy_sinf(angle));
    if (bend > 0.05f) {
        float radius = ploy_maxf(0.9f * distance / (2.0f * bend), def->turn_radius);
        wanted = ploy_minf(wanted, sqrtf(def->grip * radius));
        wanted = ploy_minf(wanted, ploy_maxf(def->max_turn * radius, 0.1f));
    }
    switch (out.maneuver) {
    case PLOY_MOTOR_FORWARD:
        wanted = ploy_minf(wanted, def->max_speed);
        if (speed < wanted) out.throttle = ploy_clampf((wanted - speed) * 2.0f, 0.0f, 1.0f);
        if (speed > wanted) out.brake = ploy_clampf((speed - wanted) * 2.0f, 0.0f, 1.0f);
        break;
    case PLOY_MOTOR_REVERSE:
        wanted = ploy_minf(wanted, def->max_reverse);
        if (-speed < wanted) out.throttle = -ploy_clampf((wanted + speed) * 2.0f, 0.0f, 1.0f);
        if (-speed > wanted) out.brake = ploy_clampf((-speed - wanted) * 2.0f, 0.0f, 1.0f);
        break;
    case PLOY_MOTOR_BRAKE:
    case PLOY_MOTOR_PIVOT: out.brake = 1.0f; break;
    case PLOY_MOTOR_STAND:
    case PLOY_MOTOR_SIDESTEP: break;
    }
    return out;
}

ploy_kinematic ploy_motor_drive(const ploy_motor_def *def, ploy_kinematic agent,
                                ploy_motor_output output, float dt) {
    if (!ployi_within(dt, 0, PLOY_DT_MAX_S) || !ployi_motor_ok(def)) return agent;
    if (output.maneuver == PLOY_MOTOR_SIDESTEP) {
        agent.velocity = ploy_vec2_limit(output.velocity, def->max_reverse);
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, dt);
        agent.rotation = 0.0f;
        return agent;
    }
    float speed = motor_speed(agent) + output.throttle * def->acceleration * dt;
    float slower = ploy_clampf(output.brake, 0.0f, 1.0f) * def->braking * dt;
    speed = speed > 0.0f ? ploy_maxf(speed - slower, 0.0f) : ploy_minf(speed + slower, 0.0f);
    speed = ploy_clampf(speed, -def->max_reverse, def->max_speed);
    float limit = ploy_motor_turn_limit(def, speed);
    agent.rotation = ploy_clampf(output.rotation, -limit, limit);
    agent.orientation = ploy_angle_wrap(agent.orientation + agent.rotation * dt);
    agent.velocity = ploy_vec2_scale(ploy_angle_heading(agent.orientation), speed);
    agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, dt);
    return agent;
}

ploy_result ploy_motor_control_batch(const ploy_motor_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_points *targets,
                                     ploy_motor_output *outputs) {
    if (def == NULL || outputs == NULL || !ployi_motor_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_points_check(targets, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        outputs[i] = ploy_motor_control(def, agent, ploy_points_get(targets, i));
    }
    return result;
}

ploy_result ploy_motor_drive_batch(const ploy_motor_def *def, const ploy_kinematics *agents,
                                   int32_t first, int32_t count, const ploy_motor_output *outputs,
                                   float dt) {
    if (def == NULL || outputs == NULL || !ployi_motor_ok(def) ||
        !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ployi_kinematics_check(agents, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        ploy_kinematics_set(agents, i, ploy_motor_drive(def, agent, outputs[i], dt));
    }
    return result;
}

bool ploy_motor_search(const ploy_motor_def *def, ploy_kinematic agent, float horizon,
                       ploy_motor_score_fn score, void *user, ploy_motor_output *out) {
    static const struct {
        ploy_motor_maneuver maneuver;
        float throttle, brake;
    } pedals[4] = {{PLOY_MOTOR_FORWARD, 1.0f, 0.0f},
                   {PLOY_MOTOR_FORWARD, 0.0f, 0.0f},
                   {PLOY_MOTOR_BRAKE, 0.0f, 1.0f},
                   {PLOY_MOTOR_REVERSE, -1.0f, 0.0f}};
    enum { STEPS = 20 };
    float best = INFINITY;
    ploy_motor_output chosen = {PLOY_MOTOR_STAND, 0.0f, 1.0f, 0.0f, {0.0f, 0.0f}, 0.0f};
    if (!ployi_within(horizon, 0.01, 100) || score == NULL || !ployi_motor_ok(def)) return false;
    // Steps longer than an integrator takes are cut; then the look ahead is shorter.
    float dt = ploy_minf(horizon / STEPS, PLOY_DT_MAX_S);
    for (int pedal = 0; pedal < 4; pedal++) {
        for (int turn = 0; turn < 3; turn++) { // straight first, then left, then right
            float rotation = turn == 0 ? 0.0f : turn == 1 ? def->max_turn : -def->max_turn;
            ploy_motor_output tried = {pedals[pedal].maneuver, pedals[pedal].throttle,
                                       pedals[pedal].brake,    rotation,
                                       {0.0f, 0.0f},           motor_arc(def, motor_speed(agent))};
            ploy_kinematic body = agent;
            float worst = 0.0f;
            for (int i = 0; i < STEPS && worst < INFINITY; i++) {
                body = ploy_motor_drive(def, body, tried, dt);
                worst = score(user, body);
            }
            if (worst < best) {
                best = worst;
                chosen = tried;
            }
        }
    }
    // Who would have to go away first in order to come nearer later finds that standing is best,
    // and would stay there forever: that is not an answer.
    if (!(best < score(user, agent))) return false;
    *out = chosen;
    return true;
}

void ploy_motor_trace(const ploy_motor_def *def, const ploy_motor_output *output, ploy_agent_id id,
                      ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "drive", ploy_motor_body_text(def->body));
    for (int32_t i = 0; i <= PLOY_MOTOR_SIDESTEP; i++) {
        bool won = (int32_t)output->maneuver == i;
        ploy_trace_option(trace, ploy_motor_maneuver_text((ploy_motor_maneuver)i),
                          won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, NAN,
                          won ? "where the target is, at this speed" : "not from here");
    }
    ploy_trace_f32(trace, "throttle", output->throttle);
    ploy_trace_f32(trace, "brake", output->brake);
    ploy_trace_f32(trace, "rotation", output->rotation);
    ploy_trace_f32(trace, "forward arc", output->arc);
    ploy_trace_end(trace);
}

void ploy_motor_draw(const ploy_motor_def *def, ploy_kinematic agent, ploy_agent_id owner,
                     ploy_draw *out) {
    float arc = motor_arc(def, motor_speed(agent));
    for (int side = -1; side <= 1; side += 2) {
        ploy_vec2 edge = ploy_angle_heading(agent.orientation + (float)side * arc);
        ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, owner, agent.position,
                       ploy_vec2_add_scaled(agent.position, edge, 2.0f));
    }
}

static bool motor_pushes(uint32_t requested, float mass, float inertia) {
    return requested == PLOY_STEERING_REQUESTED && mass > 0.0f && mass <= FLT_MAX &&
           inertia > 0.0f && inertia <= FLT_MAX;
}

ploy_force ploy_steering_force(ploy_steering request, float mass, float inertia) {
    ploy_force out = {{0.0f, 0.0f}, 0.0f};
    if (!motor_pushes(request.requested, mass, inertia)) return out;
    out.force = ploy_vec2_scale(request.linear, mass);
    out.torque = request.angular * inertia;
    return out;
}

ploy_force3 ploy_steering3_force(ploy_steering3 request, float mass, float inertia) {
    ploy_force3 out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!motor_pushes(request.requested, mass, inertia)) return out;
    out.force = ploy_vec3_scale(request.linear, mass);
    out.torque = ploy_vec3_scale(request.angular, inertia);
    return out;
}

float ploy_speed_snap(const ploy_speed_band *bands, int32_t count, float speed, int32_t current,
                      float hysteresis, int32_t *band) {
    int32_t best = -1;
    float snapped = 0.0f, off = fabsf(speed); // standing
    if (current == -1) off -= hysteresis;
    for (int32_t i = 0; i < count; i++) {
        float here = ploy_clampf(speed, bands[i].min, bands[i].max);
        float distance = fabsf(speed - here);
        if (i == current && distance > 0.0f) distance -= hysteresis;
        if (distance < off || (distance == off && i == current)) {
            off = distance;
            best = i;
            snapped = here;
        }
    }
    if (band != NULL) *band = best;
    return snapped;
}
