// Smoothed headings and faked banking; described in the header.
#include "ploy/move/heading.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"
#include "ploy/geom/angle.h"

static const char *const heading_bodies[] = {"craft", "car"};

static const ploy_field heading_bank_fields[] = {
    PLOY_FIELD_ENUM(ploy_bank_def, body, PLOY_BANK_CRAFT, heading_bodies, "how it leans"),
    PLOY_FIELD_F32(ploy_bank_def, full_speed, 2, 0, PLOY_SPEED_MAX_MPS, "m/s",
                   "from which on it banks in full"),
    PLOY_FIELD_F32(ploy_bank_def, stiffness, 1, 1e-3, PLOYI_ROTATION_MAX, "rad/s",
                   "turning at which it leans by an eighth of a circle"),
};

ploy_fields ploy_bank_fields(void) {
    return PLOY_FIELDS(ploy_bank_def, heading_bank_fields);
}

ploy_bank_def ploy_bank_def_default(void) {
    ploy_bank_def def;
    ploy_fields_default(ploy_bank_fields(), &def);
    return def;
}

ploy_moving_mean ploy_moving_mean_make(float *values, int32_t width, int32_t capacity) {
    bool some = values != NULL && width > 0 && capacity > 0;
    // The width is kept without memory too: that many zeros are the mean of nothing.
    ploy_moving_mean mean = {values, ploy_maxi(width, 0), some ? capacity : 0, 0, 0};
    return mean;
}

void ploy_moving_mean_add(ploy_moving_mean *mean, const float *value, float *out) {
    int32_t width = mean->width;
    if (mean->capacity < 1) {
        for (int32_t k = 0; k < width && out != NULL; k++) out[k] = 0.0f;
        return;
    }
    float *at = mean->values + (ptrdiff_t)mean->next * width;
    for (int32_t k = 0; k < width; k++) at[k] = value[k];
    mean->next = mean->next + 1 < mean->capacity ? mean->next + 1 : 0;
    if (mean->count < mean->capacity) mean->count++;
    for (int32_t k = 0; k < width && out != NULL; k++) {
        double sum = 0.0;
        for (int32_t i = 0; i < mean->count; i++) {
            sum += (double)mean->values[(ptrdiff_t)i * width + k];
        }
        out[k] = (float)(sum / (double)mean->count);
    }
}

// Directions that nearly cancel have a mean that is all noise.
static bool heading_has_direction(const float *mean, int32_t width) {
    float square = 0.0f;
    for (int32_t k = 0; k < width; k++) square += mean[k] * mean[k];
    return square > 1e-8f;
}

float ploy_heading_smooth(ploy_moving_mean *mean, float orientation) {
    if (mean->width != 2) return orientation;
    ploy_vec2 heading = ploy_angle_heading(orientation);
    float value[2] = {heading.x, heading.y}, out[2] = {0.0f, 0.0f};
    ploy_moving_mean_add(mean, value, out);
    return heading_has_direction(out, 2) ? ploy_atan2f(out[1], out[0]) : orientation;
}

ploy_vec3 ploy_heading_smooth3(ploy_moving_mean *mean, ploy_vec3 direction) {
    if (mean->width != 3) return direction;
    float value[3] = {direction.x, direction.y, direction.z}, out[3] = {0.0f, 0.0f, 0.0f};
    ploy_moving_mean_add(mean, value, out);
    if (!heading_has_direction(out, 3)) return direction;
    return ploy_vec3_normalise(ploy_vec3_make(out[0], out[1], out[2]));
}

ploy_result ploy_heading_smooth_batch(ploy_moving_mean *means, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, float *shown) {
    if (means == NULL || shown == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        shown[i] = ploy_heading_smooth(&means[i], ploy_kinematics_get(agents, i).orientation);
    }
    return result;
}

ploy_result ploy_heading_smooth3_batch(ploy_moving_mean *means, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, ploy_vec3 *shown) {
    if (means == NULL || shown == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        ploy_kinematic3 agent = ploy_kinematics3_get(agents, i);
        shown[i] = ploy_heading_smooth3(&means[i], ploy_quat_forward(agent.orientation));
    }
    return result;
}

static bool heading_bank_ok(const ploy_bank_def *def) {
    return (size_t)def->body < 2 && ployi_speed_ok(def->full_speed) &&
           ployi_within(def->stiffness, 1e-3, PLOYI_ROTATION_MAX);
}

ploy_quat ploy_bank(const ploy_bank_def *def, float orientation, float rotation,
                    ploy_vec3 velocity) {
    ploy_quat upright = ploy_quat_from_orientation(orientation);
    if (!heading_bank_ok(def)) return upright;
    float speed = ployi_length(velocity, 3);
    if (!(speed > 0.0f)) return upright;
    float roll = ploy_atan2f(rotation, def->stiffness), pitch = 0.0f;
    if (def->body == PLOY_BANK_CAR) {
        roll = -roll;
    } else {
        // The sine of the climb is vz / speed; this form is exact near the vertical as well.
        pitch = ploy_atan2f(velocity.z, ployi_length(velocity, 2));
    }
    // About +y (left) a positive angle lowers the nose, about +x (ahead) it lowers the right side.
    ploy_quat lift = ploy_quat_from_axis_angle(ploy_vec3_make(0.0f, 1.0f, 0.0f), -pitch);
    ploy_quat lean = ploy_quat_from_axis_angle(ploy_vec3_make(1.0f, 0.0f, 0.0f), -roll);
    ploy_quat full = ploy_quat_multiply(ploy_quat_multiply(upright, lift), lean);
    if (speed >= def->full_speed) return ploy_quat_normalise(full);
    return ploy_quat_nlerp(upright, full, speed / def->full_speed);
}

ploy_result ploy_bank_batch(const ploy_bank_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, const float *climbs, ploy_quat *shown) {
    if (def == NULL || shown == NULL || !heading_bank_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    for (int32_t i = first; result == PLOY_OK && i < first + count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        ploy_vec3 velocity = ploy_vec3_from_vec2(agent.velocity, climbs != NULL ? climbs[i] : 0.0f);
        shown[i] = ploy_bank(def, agent.orientation, agent.rotation, velocity);
    }
    return result;
}
