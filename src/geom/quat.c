// Quaternions; the conventions are described in the header.
#include "ploy/geom/quat.h"

#include "ploy/base/math.h"

static ploy_quat quat_negate(ploy_quat q) {
    return ploy_quat_make(-q.w, -q.x, -q.y, -q.z);
}

// q or -q, whichever is nearer to a: the same orientation, on a's side, so that turns are short.
static ploy_quat quat_near_side(ploy_quat q, ploy_quat a) {
    return ploy_quat_dot(q, a) < 0.0f ? quat_negate(q) : q;
}

ploy_quat ploy_quat_from_axis_angle(ploy_vec3 axis, float angle) {
    ploy_vec3 unit = ploy_vec3_normalise(axis);
    if (ploy_vec3_is_zero(unit)) return ploy_quat_identity();
    float sine, cosine;
    ploy_sincosf(angle * 0.5f, &sine, &cosine);
    return ploy_quat_make(cosine, unit.x * sine, unit.y * sine, unit.z * sine);
}

ploy_quat ploy_quat_from_rotation(ploy_vec3 rotation) {
    return ploy_quat_from_axis_angle(rotation, ploy_vec3_length(rotation));
}

ploy_vec3 ploy_quat_to_rotation(ploy_quat q) {
    if (q.w < 0.0f) q = quat_negate(q);
    ploy_vec3 axis = ploy_vec3_make(q.x, q.y, q.z);
    // atan2, not acos of w: near no turn at all acos knows only half the digits.
    float angle = 2.0f * ploy_atan2f(ploy_vec3_length(axis), q.w);
    return ploy_vec3_with_length(axis, angle);
}

ploy_quat ploy_quat_from_orientation(float orientation) {
    float sine, cosine;
    ploy_sincosf(orientation * 0.5f, &sine, &cosine);
    return ploy_quat_make(cosine, 0.0f, 0.0f, sine);
}

float ploy_quat_to_orientation(ploy_quat q) {
    ploy_vec3 forward = ploy_quat_forward(q);
    float flat = forward.x * forward.x + forward.y * forward.y;
    if (flat < 1e-12f) {
        // Looking up the top points backward, looking down it points forward.
        ploy_vec3 up = ploy_quat_up(q);
        forward = forward.z > 0.0f ? ploy_vec3_negate(up) : up;
    }
    float angle = ploy_atan2f(forward.y, forward.x);
    return angle >= PLOY_PI_F ? -PLOY_PI_F : angle;
}

// The middle direction h between unit vectors a and b gives the turn (a . h, a x h): no angle is
// computed. In double, because for nearly opposite directions h is the difference of almost equal
// numbers; where nothing is left of it the axis is the caller's.
static ploy_quat quat_between(ploy_vec3 from, ploy_vec3 to, ploy_vec3 axis) {
    double ax = (double)from.x, ay = (double)from.y, az = (double)from.z;
    double bx = (double)to.x, by = (double)to.y, bz = (double)to.z;
    double a = sqrt(ax * ax + ay * ay + az * az), b = sqrt(bx * bx + by * by + bz * bz);
    if (!(a > 0.0) || !(b > 0.0)) return ploy_quat_identity();
    ax /= a, ay /= a, az /= a;
    double hx = ax + bx / b, hy = ay + by / b, hz = az + bz / b;
    double h = sqrt(hx * hx + hy * hy + hz * hz);
    if (h < 1e-7) return ploy_quat_make(0.0f, axis.x, axis.y, axis.z);
    hx /= h, hy /= h, hz /= h;
    return ploy_quat_make((float)(ax * hx + ay * hy + az * hz), (float)(ay * hz - az * hy),
                          (float)(az * hx - ax * hz), (float)(ax * hy - ay * hx));
}

ploy_quat ploy_quat_between(ploy_vec3 from, ploy_vec3 to) {
    return ploy_quat_normalise(quat_between(from, to, ploy_vec3_perp(from)));
}

ploy_quat ploy_quat_from_forward(ploy_vec3 direction, ploy_quat base) {
    if (ploy_vec3_is_zero(direction)) return base;
    ploy_quat turn = quat_between(ploy_quat_forward(base), direction, ploy_quat_up(base));
    return ploy_quat_normalise(ploy_quat_multiply(turn, base));
}

// The quaternion of three perpendicular unit axes: the largest of w, x, y, z is found first and
// divides, so that nothing small does (Shepperd, "Quaternion from Rotation Matrix", 1978).
static ploy_quat quat_from_axes(ploy_vec3 f, ploy_vec3 l, ploy_vec3 u) {
    float trace = f.x + l.y + u.z;
    ploy_quat q;
    if (trace >= f.x && trace >= l.y && trace >= u.z) {
        q = ploy_quat_make(1.0f + trace, l.z - u.y, u.x - f.z, f.y - l.x);
    } else if (f.x >= l.y && f.x >= u.z) {
        q = ploy_quat_make(l.z - u.y, 1.0f + f.x - l.y - u.z, f.y + l.x, u.x + f.z);
    } else if (l.y >= u.z) {
        q = ploy_quat_make(u.x - f.z, f.y + l.x, 1.0f + l.y - f.x - u.z, l.z + u.y);
    } else {
        q = ploy_quat_make(f.y - l.x, u.x + f.z, l.z + u.y, 1.0f + u.z - f.x - l.y);
    }
    q = ploy_quat_normalise(q);
    return q.w < 0.0f ? quat_negate(q) : q;
}

ploy_quat ploy_quat_look(ploy_vec3 direction, ploy_vec3 up) {
    ploy_vec3 forward = ploy_vec3_normalise(direction);
    if (ploy_vec3_is_zero(forward)) return ploy_quat_identity();
    ploy_vec3 top = ploy_vec3_reject(ploy_vec3_normalise(up), forward);
    if (ploy_vec3_length_sq(top) < 1e-12f) top = ploy_vec3_perp(forward);
    top = ploy_vec3_normalise(top);
    top = ploy_vec3_normalise(ploy_vec3_reject(top, forward)); // what cancellation left over
    return quat_from_axes(forward, ploy_vec3_cross(top, forward), top);
}

float ploy_quat_angle_between(ploy_quat a, ploy_quat b) {
    ploy_quat turn = ploy_quat_multiply(b, ploy_quat_conjugate(a));
    ploy_vec3 axis = ploy_vec3_make(turn.x, turn.y, turn.z);
    return 2.0f * ploy_atan2f(ploy_vec3_length(axis), fabsf(turn.w));
}

ploy_quat ploy_quat_nlerp(ploy_quat a, ploy_quat b, float t) {
    b = quat_near_side(b, a);
    float u = 1.0f - t;
    return ploy_quat_normalise(
        ploy_quat_make(a.w * u + b.w * t, a.x * u + b.x * t, a.y * u + b.y * t, a.z * u + b.z * t));
}

ploy_quat ploy_quat_slerp(ploy_quat a, ploy_quat b, float t) {
    b = quat_near_side(b, a);
    // Half the angle of the turn, from the lengths of difference and sum: no digits are lost at
    // either end, as they are in acos of the dot.
    ploy_quat d = ploy_quat_make(b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z);
    ploy_quat s = ploy_quat_make(b.w + a.w, b.x + a.x, b.y + a.y, b.z + a.z);
    float angle = 2.0f * ploy_atan2f(sqrtf(ploy_quat_dot(d, d)), sqrtf(ploy_quat_dot(s, s)));
    float sine = ploy_sinf(angle);
    // At small angles sine and straight line are the same to the last digit, and 1 / sine is not.
    if (!(sine > 1e-3f)) return ploy_quat_nlerp(a, b, t);
    float p = ploy_sinf(angle * (1.0f - t)) / sine, r = ploy_sinf(angle * t) / sine;
    return ploy_quat_normalise(
        ploy_quat_make(a.w * p + b.w * r, a.x * p + b.x * r, a.y * p + b.y * r, a.z * p + b.z * r));
}

ploy_quat ploy_quat_toward(ploy_quat a, ploy_quat b, float step) {
    float limit = step > 0.0f ? step : 0.0f;
    float angle = ploy_quat_angle_between(a, b);
    if (angle <= limit) return b;
    return ploy_quat_slerp(a, b, limit / angle);
}

ploy_quat ploy_quat_integrate(ploy_quat q, ploy_vec3 rotation, float dt) {
    ploy_quat turn = ploy_quat_from_rotation(ploy_vec3_scale(rotation, dt));
    return ploy_quat_normalise(ploy_quat_multiply(turn, q));
}
