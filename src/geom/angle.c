// Angles; the conventions are described in the header.
#include "ploy/geom/angle.h"

// 2 pi in two parts, the first of 33 bits: its multiple by an integer below 2^20 is exact in double
// (Cody and Waite's reduction).
static const double angle_two_pi_a = 0x1.921fb544p+2;
static const double angle_two_pi_b = 0x1.0b4611a626331p-32;

// Reduces a finite double to [-pi, pi) and gives the float nearest to it.
static float angle_reduce(double angle) {
    double reduced;
    if (fabs(angle) < 6.0e6) { // fewer than 2^20 turns
        double turns = floor(angle / (2.0 * PLOY_PI) + 0.5);
        reduced = (angle - turns * angle_two_pi_a) - turns * angle_two_pi_b;
    } else {
        // Hundreds of thousands of turns: rare, so let the exact reduction of sin and cos do it.
        double sine, cosine;
        ploy_sincos(angle, &sine, &cosine);
        reduced = ploy_atan2(sine, cosine);
    }
    float wrapped = (float)reduced;
    if (wrapped >= PLOY_PI_F) return -PLOY_PI_F; // half a digit below pi rounds up to it
    return wrapped;
}

float ploy_angle_wrap(float angle) {
    // Within a turn this leaves alone what is in the range already, -PLOY_PI_F too, although that
    // lies a hair below the true -pi: wrapping twice changes nothing.
    if (fabsf(angle) <= 9.42f) return ploy_angle_wrap_turn(angle);
    if (!(fabsf(angle) <= FLT_MAX)) return NAN;
    return angle_reduce((double)angle);
}

float ploy_angle_difference(float from, float to) {
    double difference = (double)to - (double)from;
    if (!(fabs(difference) <= DBL_MAX)) return NAN;
    if (difference >= -(double)PLOY_PI_F && difference < (double)PLOY_PI_F) {
        float rounded = (float)difference;
        return rounded >= PLOY_PI_F ? -PLOY_PI_F : rounded;
    }
    return angle_reduce(difference);
}

float ploy_angle_toward(float from, float to, float step) {
    float limit = step > 0.0f ? step : 0.0f;
    float turn = ploy_angle_difference(from, to);
    if (fabsf(turn) <= limit) return ploy_angle_wrap(to);
    return ploy_angle_wrap((float)((double)from + (double)(turn < 0.0f ? -limit : limit)));
}

float ploy_angle_lerp(float from, float to, float t) {
    if (t == 0.0f) return ploy_angle_wrap(from);
    if (t == 1.0f) return ploy_angle_wrap(to);
    float angle = from + ploy_angle_difference(from, to) * t;
    return ploy_angle_wrap(angle);
}

ploy_vec2 ploy_angle_heading(float angle) {
    ploy_vec2 heading;
    ploy_sincosf(angle, &heading.y, &heading.x);
    return heading;
}

float ploy_angle_of(ploy_vec2 v) {
    if (ploy_vec2_is_zero(v)) return 0.0f; // atan2 would give pi for (-0, 0)
    float angle = ploy_atan2f(v.y, v.x);
    return angle >= PLOY_PI_F ? -PLOY_PI_F : angle;
}

float ploy_angle_from_degrees(float degrees) {
    return (float)((double)degrees * (PLOY_PI / 180.0));
}

float ploy_angle_to_degrees(float angle) {
    return (float)((double)angle * (180.0 / PLOY_PI));
}
