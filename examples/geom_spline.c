// A patrol route drawn with five points, followed at an even pace. You will see places every ten
// metres along a closed Catmull-Rom curve, how fast a guard may take the bend there, and where a
// guard that was pushed off the route gets back to it. Shows ploy/geom/spline.h.
#include <stdio.h>

#include "ploy/geom/spline.h"

enum { POINTS = 5 };

static const ploy_vec2 route[POINTS] = {{0, 0}, {20, 0}, {24, 10}, {12, 16}, {0, 10}};

// The speed at which a bend asks for no more sideways acceleration than a guard has.
static float bend_speed(const ploy_spline2 *curve, float along, float accel, float max_speed) {
    float bend = fabsf(ploy_spline2_curvature_along(curve, along));
    float speed = bend > 0.0f ? sqrtf(accel / bend) : max_speed;
    return speed < max_speed ? speed : max_speed;
}

int main(void) {
    ploy_spline2 curve = ploy_spline2_make(route, POINTS, PLOY_SPLINE_CENTRIPETAL, true);
    // The table of lengths is yours: here on the stack. Without it the answers are the same,
    // slower.
    float table[POINTS * PLOY_SPLINE_CELLS + 1];
    ploy_spline2_measure(&curve, table);
    curve.along = table;

    float length = ploy_spline2_length(&curve);
    printf("%.2f m around\n", (double)length);
    for (float along = 0.0f; along < length; along += 10.0f) {
        ploy_vec2 at = ploy_spline2_point_along(&curve, along);
        ploy_vec2 ahead = ploy_spline2_direction_along(&curve, along);
        printf("%4.0f m: (%6.2f, %6.2f) heading (%5.2f, %5.2f) at %.1f m/s\n", (double)along,
               (double)at.x, (double)at.y, (double)ahead.x, (double)ahead.y,
               (double)bend_speed(&curve, along, 2.0f, 5.0f));
    }

    // Pushed off near the place 25 m along: the nearest point of the route within 8 m of it.
    ploy_spline_nearest2 back =
        ploy_spline2_find_near(&curve, ploy_vec2_make(26.0f, 6.0f), 25.0f, 8.0f);
    printf("back to the route at %.2f m, (%.2f, %.2f)\n", (double)back.along, (double)back.point.x,
           (double)back.point.y);

    ploy_vec2 points[64];
    int32_t count = ploy_spline2_flatten(&curve, 0.05f, points, 64);
    printf("%d points draw it within 5 cm\n", (int)count);
    return 0;
}
