// Prediction times; described in the header.
#include "ploy/move/predict.h"

#include "move/move_internal.h"

#include "move/predict_internal.h"

static const char *const predict_names[] = {"own speed", "max speed", "both speeds", "scaled",
                                            "closing",   "exact",     "relative"};

static const ploy_field predict_fields[] = {
    PLOY_FIELD_ENUM(ploy_predict_def, method, PLOY_PREDICTION_OWN_SPEED, predict_names,
                    "how the time is found"),
    PLOY_FIELD_F32(ploy_predict_def, max_time, 2, 0, PLOYI_TIME_MAX, "s", "furthest look ahead"),
    PLOY_FIELD_F32(ploy_predict_def, scale, 0.1, 0, 1e3, "s/m",
                   "look ahead for each metre of distance, of method scaled"),
    PLOY_FIELD_F32(ploy_predict_def, turn_time, 0, 0, PLOYI_TIME_MAX, "s",
                   "time added for a target at the side, twice that behind"),
};

ploy_fields ploy_predict_fields(void) {
    return PLOY_FIELDS(ploy_predict_def, predict_fields);
}

ploy_predict_def ploy_predict_def_default(void) {
    ploy_predict_def def;
    ploy_fields_default(ploy_predict_fields(), &def);
    return def;
}

const char *ployi_prediction_text(ploy_prediction prediction) {
    size_t i = (size_t)prediction;
    return i < sizeof predict_names / sizeof predict_names[0] ? predict_names[i] : "?";
}

bool ployi_predict_exact(ploy_vec3 offset, ploy_vec3 velocity, float speed, int n, double *time) {
    // |offset + velocity t| = speed t, squared: a t^2 + 2 b t + c = 0. In double: squares of 1e9 m
    // beside products of 1e6 m/s leave a float no digit.
    double x = (double)offset.x, y = (double)offset.y, z = n == 3 ? (double)offset.z : 0.0;
    double u = (double)velocity.x, v = (double)velocity.y, w = n == 3 ? (double)velocity.z : 0.0;
    double a = u * u + v * v + w * w - (double)speed * (double)speed;
    double b = x * u + y * v + z * w;
    double c = x * x + y * y + z * z;
    if (c <= (double)PLOYI_TINY_SQUARED) {
        *time = 0.0;
        return true;
    }
    // Equal speeds: the parabola is a line. So near to it that a / b drowns in rounding counts too.
    if (fabs(a) <= 1e-12 * (u * u + v * v + w * w + (double)speed * (double)speed)) {
        if (b >= 0.0) return false;
        *time = -0.5 * c / b;
        return true;
    }
    double d = b * b - a * c;
    if (d < 0.0) return false;
    double root = sqrt(d);
    // Of the two roots' forms the one that does not subtract nearly equal numbers.
    double q = b > 0.0 ? -(b + root) : root - b;
    double one = q / a, other = q != 0.0 ? c / q : -1.0;
    double first = one < other ? one : other, last = one < other ? other : one;
    if (last < 0.0) return false;
    *time = first >= 0.0 ? first : last;
    return true;
}

float ploy_predict_time(const ploy_predict_def *def, float max_speed, ploy_kinematic agent,
                        ploy_kinematic target) {
    if (!ployi_predict_ok(def) || !ployi_speed_ok(max_speed)) return 0.0f;
    ployi_mover self = ployi_mover_of(agent, def->turn_time > 0.0f);
    ployi_mover other = ployi_mover_of(target, false);
    return ployi_predict(def, max_speed, &self, &other, 2);
}

float ployi_predict_time3(const ploy_predict_def *def, float max_speed, ploy_kinematic3 agent,
                          ploy_kinematic3 target) {
    if (!ployi_predict_ok(def) || !ployi_speed_ok(max_speed)) return 0.0f;
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(target);
    return ployi_predict(def, max_speed, &self, &other, 3);
}

ploy_vec2 ploy_predict_position(ploy_kinematic target, float time) {
    return ploy_vec2_add_scaled(target.position, target.velocity, time);
}

ploy_vec3 ployi_predict_position3(ploy_kinematic3 target, float time) {
    return ploy_vec3_add_scaled(target.position, target.velocity, time);
}
