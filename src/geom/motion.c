// Motion at constant acceleration. In double where squares are subtracted.
#include "ploy/geom/motion.h"
#include "geom/geom_internal.h"

#include "ploy/geom/solve.h"

float ployi_motion_rate(float change, float t) {
    return t == 0.0f ? 0.0f : change / t;
}

float ploy_motion_acceleration(float force, float mass) {
    return mass > 0.0f ? force / mass : 0.0f;
}

bool ploy_motion_speed_after(float u, float a, float s, float *v) {
    double square = (double)u * (double)u + 2.0 * (double)a * (double)s;
    float t;
    if (!(square >= 0.0) || !ploy_motion_time_to_distance(u, a, s, &t)) return false;
    *v = (float)sqrt(square);
    return true;
}

bool ploy_motion_time_to_speed(float u, float a, float v, float *t) {
    if (u == v) {
        *t = 0.0f;
        return true;
    }
    double time;
    if (ploy_solve_linear((double)a, (double)u - (double)v, &time) != 1) return false;
    if (!(time >= 0.0) || time > (double)FLT_MAX) return false;
    *t = (float)time;
    return true;
}

bool ploy_motion_time_to_distance(float u, float a, float s, float *t) {
    if (s == 0.0f) {
        *t = 0.0f;
        return true;
    }
    double times[2];
    int32_t count = ploy_solve_quadratic(0.5 * (double)a, (double)u, -(double)s, times);
    for (int32_t i = 0; i < count; i++) { // the smaller comes first
        if (!(times[i] >= 0.0) || times[i] > (double)FLT_MAX) continue;
        *t = (float)times[i];
        return true;
    }
    return false;
}

float ploy_motion_stopping_distance(float speed, float deceleration) {
    if (speed == 0.0f) return 0.0f;
    if (!(deceleration > 0.0f)) return INFINITY;
    return (float)((double)speed * (double)speed / (2.0 * (double)deceleration));
}

float ploy_motion_stopping_speed(float distance, float deceleration) {
    if (!(distance > 0.0f) || !(deceleration > 0.0f)) return 0.0f;
    return (float)sqrt(2.0 * (double)distance * (double)deceleration);
}
