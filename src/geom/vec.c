// Vectors: the few functions that are too large, or need too much, to be inline.
#include "ploy/geom/vec.h"

#include "ploy/base/math.h"

ploy_points ploy_points_make(const ploy_vec2 *points, int32_t count) {
    ploy_points view = {NULL, NULL, sizeof(ploy_vec2), count};
    if (points != NULL) {
        view.x = &points->x;
        view.y = &points->y;
    }
    return view;
}

ploy_vec2 ploy_vec2_rotate(ploy_vec2 v, float angle) {
    ploy_vec2 heading;
    ploy_sincosf(angle, &heading.y, &heading.x);
    return ploy_vec2_rotate_by(v, heading);
}

// atan2 of cross and dot instead of acos of the dot of unit vectors: acos loses half its digits
// near 0 and pi, needs its argument clamped, and needs the vectors normalised. Products of floats
// are exact in double and cannot overflow there.
float ploy_vec2_angle_to(ploy_vec2 a, ploy_vec2 b) {
    double cross = (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y;
    if (cross == 0.0 && dot == 0.0) return 0.0f; // not -0, nor pi for a zero with signs
    return (float)ploy_atan2(cross == 0.0 ? 0.0 : cross, dot);
}

float ploy_vec2_angle_between(ploy_vec2 a, ploy_vec2 b) {
    return fabsf(ploy_vec2_angle_to(a, b));
}

ploy_vec3 ploy_vec3_perp(ploy_vec3 v) {
    ploy_vec3 axis = ploy_vec3_normalise(v);
    ploy_vec3 up = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    ploy_vec3 left = ploy_vec3_make(0.0f, 1.0f, 0.0f);
    // Within a hundredth of a radian of z what is left of up is mostly rounding error.
    ploy_vec3 start = fabsf(axis.z) > 0.99995f ? left : up;
    ploy_vec3 perp = ploy_vec3_normalise(ploy_vec3_reject(start, axis));
    // Once more: the first subtraction cancels digits when axis is near start.
    return ploy_vec3_normalise(ploy_vec3_reject(perp, axis));
}

float ploy_vec3_angle_between(ploy_vec3 a, ploy_vec3 b) {
    double x = (double)a.y * (double)b.z - (double)a.z * (double)b.y;
    double y = (double)a.z * (double)b.x - (double)a.x * (double)b.z;
    double z = (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
    double cross = sqrt(x * x + y * y + z * z);
    if (cross == 0.0 && dot == 0.0) return 0.0f;
    return (float)ploy_atan2(cross, dot);
}
