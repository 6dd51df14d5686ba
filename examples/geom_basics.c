// The everyday sums of a game: who is in front and on which side, what a place is in a guard's own
// frame, how a ball bounces, what a wind does to a ship's course, when a ball thrown up comes down,
// how far a car needs to brake, and an even tick out of uneven frames. Shows vec.h, frame.h, solve.h,
// motion.h and stepper.h.
#include <stdio.h>

#include "ploy/base/math.h"
#include "ploy/base/stepper.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/frame.h"
#include "ploy/geom/motion.h"
#include "ploy/geom/solve.h"

int main(void) {
    ploy_vec2 here = {0.0f, 0.0f}, heading = {1.0f, 0.0f}, target = {4.0f, 5.0f};
    printf("the target is %s, on the %s, %.3f rad off\n",
           ploy_vec2_in_front(here, heading, target) ? "in front" : "behind",
           ploy_vec2_side(heading, target) > 0 ? "left" : "right",
           ploy_vec2_angle_between(heading, target));

    ploy_frame2 guard = ploy_frame2_make(ploy_vec2_make(100.0f, 0.0f), 0.0f);
    ploy_vec2 flank = ploy_frame2_point_to_world(guard, ploy_vec2_make(-20.0f, 15.0f));
    printf("behind the guard's left shoulder is (%g, %g)\n", flank.x, flank.y);

    ploy_vec2 velocity = ploy_vec2_limit(ploy_vec2_make(6.0f, -8.0f), 5.0f); // shortened to 5 m/s
    ploy_vec2 bounced = ploy_vec2_reflect(velocity, ploy_vec2_make(0.0f, 1.0f));
    ploy_vec2 left = ploy_vec2_perp(ploy_vec2_normalise(bounced));
    printf("the ball flies (%g, %g), bounces to (%g, %g), its left is (%.1f, %.1f)\n", velocity.x,
           velocity.y, bounced.x, bounced.y, left.x, left.y);
    ploy_vec2 course = ploy_vec2_normalise(ploy_vec2_make(3.0f, 4.0f)), wind = {10.0f, 0.0f};
    ploy_vec2 parts = ploy_vec2_resolve(wind, course);
    ploy_vec2 along = ploy_vec2_project(wind, course), across = ploy_vec2_reject(wind, course);
    printf("wind: %.1f along the course as (%.1f, %.1f), %.1f across as (%.1f, %.1f)\n", parts.x,
           along.x, along.y, parts.y, across.x, across.y);

    double times[2]; // height 1.5 m, 8 m/s upward: 1.5 + 8 t - 4.9 t^2 = 0
    int32_t count = ploy_solve_quadratic(-4.9, 8.0, 1.5, times);
    printf("the ball lands after %.3f s (%d solutions)\n", times[count - 1], (int)count);

    printf("from 20 m/s a car brakes in %.1f m\n", ploy_motion_stopping_distance(20.0f, 8.0f));
    printf("a slope of 30 degrees climbs %.3f m in 10\n",
           10.0f * ploy_tanf(ploy_angle_from_degrees(30.0f)));

    ploy_stepper stepper;
    if (ploy_stepper_init(&stepper, 1.0 / 30.0, 4) != PLOY_OK) return 1;
    static const double frames[] = {0.016, 0.016, 0.050, 0.005, 0.016};
    for (int i = 0; i < 5; i++) printf("%d ", (int)ploy_stepper_step(&stepper, frames[i]));
    printf("steps of 1/30 s in five frames, %.2f of the next\n", ploy_stepper_alpha(&stepper));
    return 0;
}
