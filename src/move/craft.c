// Craft with bow thrusters; described in the header.
#include "ploy/move/craft.h"

#include "move/move_internal.h"

#include "move/flock_internal.h"
#include "ploy/geom/angle.h"

#define CRAFT_FORCE_MAX 1e9
#define CRAFT_MASS_MIN 1e-3
#define CRAFT_MASS_MAX 1e9

static const char *const craft_integrators[] = {"semi-implicit", "newton-euler", "second-order"};

static const ploy_field craft_fields[] = {
    PLOY_FIELD_ENUM(ploy_craft_def, integrator, PLOY_INTEGRATOR_SEMI_IMPLICIT, craft_integrators,
                    "order of the updates within a step"),
    PLOY_FIELD_F32(ploy_craft_def, mass, 10, CRAFT_MASS_MIN, CRAFT_MASS_MAX, "kg", "of the whole"),
    PLOY_FIELD_F32(ploy_craft_def, inertia, 4, CRAFT_MASS_MIN, CRAFT_MASS_MAX, "kg m^2",
                   "about its middle"),
    PLOY_FIELD_F32(ploy_craft_def, length, 1.5, 1e-3, 1e6, "m", "from stern to bow"),
    PLOY_FIELD_F32(ploy_craft_def, thrust, 40, 0, CRAFT_FORCE_MAX, "N", "of the engine in full"),
    PLOY_FIELD_F32(ploy_craft_def, thruster, 20, 0, CRAFT_FORCE_MAX, "N",
                   "of the bow thruster in full"),
    PLOY_FIELD_F32(ploy_craft_def, drag, 10, 0, CRAFT_FORCE_MAX, "kg/s", "against all motion"),
    PLOY_FIELD_F32(ploy_craft_def, side_drag, 40, 0, CRAFT_FORCE_MAX, "kg/s",
                   "more, against sliding sideways"),
    PLOY_FIELD_F32(ploy_craft_def, angular_drag, 10, 0, CRAFT_FORCE_MAX, "kg m^2/s",
                   "against turning"),
};

ploy_fields ploy_craft_fields(void) {
    return PLOY_FIELDS(ploy_craft_def, craft_fields);
}

ploy_craft_def ploy_craft_def_default(void) {
    ploy_craft_def def;
    ploy_fields_default(ploy_craft_fields(), &def);
    return def;
}

static bool craft_force_ok(float force) {
    return ployi_within(force, 0, CRAFT_FORCE_MAX);
}

static bool craft_ok(const ploy_craft_def *def) {
    return (size_t)def->integrator < 3 && ployi_within(def->mass, CRAFT_MASS_MIN, CRAFT_MASS_MAX) &&
           ployi_within(def->inertia, CRAFT_MASS_MIN, CRAFT_MASS_MAX) &&
           ployi_within(def->length, 1e-3, 1e6) && craft_force_ok(def->thrust) &&
           craft_force_ok(def->thruster) && craft_force_ok(def->drag) &&
           craft_force_ok(def->side_drag) && craft_force_ok(def->angular_drag);
}

// Within a range; 0 for NaN.
static float craft_hold(float value, float min, float max) {
    return value == value ? ploy_clampf(value, min, max) : 0.0f;
}

ploy_steering ploy_craft_forces(const ploy_craft_def *def, ploy_kinematic craft,
                                ploy_craft_controls controls) {
    if (!craft_ok(def)) return ploy_steering_invalid();
    float thrust = def->thrust * craft_hold(controls.thrust, 0.0f, 1.0f);
    float side = def->thruster * craft_hold(controls.steer, -1.0f, 1.0f);
    ploy_steering_parts parts = {thrust / def->mass, side / def->mass, 0.0f};
    ploy_steering forces = ploy_steering_join(parts, craft);
    forces.linear = ploy_vec2_limit(forces.linear, (float)PLOYI_ACCELERATION_MAX);
    forces.angular = 0.5f * def->length * side / def->inertia;
    forces.angular = ploy_clampf(forces.angular, -1e9f, 1e9f);
    return forces;
}

ploy_kinematic ploy_craft_step(const ploy_craft_def *def, ploy_kinematic craft,
                               ploy_craft_controls controls, float dt) {
    if (!craft_ok(def) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) return craft;
    ploy_steering forces = ploy_craft_forces(def, craft, controls);
    // Written out: the default walks over the table of fields, which costs more than the step.
    ploy_integrate_def motion = {0,
                                 def->integrator,
                                 PLOY_SPEED_MAX_MPS,
                                 (float)PLOYI_ROTATION_MAX,
                                 0.0f,
                                 0.0f,
                                 PLOY_FACING_FREE,
                                 0.5f,
                                 1.0f,
                                 1e-3f,
                                 false,
                                 0.0f};
    motion.drag = ploy_minf(def->drag / def->mass, 1e4f);
    motion.angular_drag = ploy_minf(def->angular_drag / def->inertia, 1e4f);
    // The keel takes from the sliding part alone.
    ploy_vec2 left = ploy_vec2_perp(ploy_angle_heading(craft.orientation));
    float slide = ploy_vec2_dot(left, craft.velocity);
    float lost = 1.0f - ploy_expf(-dt * def->side_drag / def->mass);
    craft.velocity = ploy_vec2_add_scaled(craft.velocity, left, -slide * lost);
    return ploy_integrate(&motion, craft, forces, dt);
}

ploy_result ploy_craft_step_batch(const ploy_craft_def *def, const ploy_kinematics *craft,
                                  int32_t first, int32_t count, const ploy_craft_controls *controls,
                                  float dt) {
    ploy_result result = ployi_kinematics_check(craft, first, count);
    if (result != PLOY_OK) return result;
    if (!craft_ok(def) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) return PLOY_ERR_ARGUMENT;
    if (controls == NULL && count > 0) return PLOY_ERR_ARGUMENT;
    for (int32_t i = first; i < first + count; i++) {
        ploy_kinematic one = ploy_kinematics_get(craft, i);
        ploy_kinematics_set(craft, i, ploy_craft_step(def, one, controls[i], dt));
    }
    return PLOY_OK;
}

// The angle from the bow to a direction, in [-pi, pi], left above 0; 0 without a direction.
static float craft_angle(ploy_vec2 heading, ploy_vec2 direction) {
    if (!(ploy_vec2_length_sq(direction) > PLOYI_TINY_SQUARED)) return 0.0f;
    return ploy_atan2f(ploy_vec2_cross(heading, direction), ploy_vec2_dot(heading, direction));
}

float ploy_craft_toward(ploy_kinematic craft, ploy_vec2 point, float full_angle) {
    if (!(full_angle > 0.0f)) return 0.0f;
    ploy_vec2 heading = ploy_angle_heading(craft.orientation);
    float angle = craft_angle(heading, ploy_vec2_sub(point, craft.position));
    return ploy_clampf(angle / full_angle, -1.0f, 1.0f);
}

float ploy_craft_flock(const ploy_flock_def *def, ploy_kinematic craft,
                       const ploy_kinematics *others, int32_t self) {
    ploy_neighbours seen = ploy_neighbours_find(def, craft, others, self);
    if (seen.count == 0) return 0.0f;
    ploy_vec2 heading = ploy_angle_heading(craft.orientation);
    float steer = def->cohesion_weight * craft_angle(heading, seen.middle) +
                  def->alignment_weight * craft_angle(heading, seen.velocity);
    steer /= PLOY_PI_F;
    float within = ploy_minf(def->separation_radius, def->radius + def->body_radius);
    for (int32_t i = 0; i < others->count; i++) {
        if (i == self) continue;
        ploy_vec2 other = ploy_kinematics_get(others, i).position;
        ploy_vec2 offset = ploy_vec2_sub(other, craft.position);
        float distance = ploy_vec2_length(offset);
        if (!(distance < within) || !ploy_flock_sees(def, craft, other)) continue;
        // To the right of who is on the left, and the other way round. Straight ahead counts as
        // left: two who meet head on both keep to their right, and pass.
        float side = ploy_vec2_cross(heading, offset);
        float push = def->separation_weight * within / ploy_maxf(distance, PLOYI_FLOCK_NEAR);
        steer += side >= 0.0f ? -push : push;
    }
    return craft_hold(steer, -1.0f, 1.0f);
}

ploy_result ploy_craft_flock_batch(const ploy_flock_def *def, const ploy_kinematics *craft,
                                   int32_t first, int32_t count, float *steers) {
    if (def == NULL || craft == NULL || steers == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(craft, 0, craft->count);
    if (result == PLOY_OK) result = ployi_kinematics_check(craft, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        steers[i] = ploy_craft_flock(def, ploy_kinematics_get(craft, i), craft, i);
    }
    return result;
}

#undef CRAFT_FORCE_MAX
#undef CRAFT_MASS_MIN
#undef CRAFT_MASS_MAX
