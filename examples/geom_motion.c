// Motion at constant acceleration, answered without simulating: can the car stop before the
// crossing, how long does it need to reach full speed, and does the jump clear the wall. The last
// question has no answer, and the call says so. Shows ploy/geom/motion.h.
#include <stdio.h>

#include "ploy/geom/motion.h"

int main(void) {
    const float engine = ploy_motion_acceleration(6000.0f, 1200.0f); // N, kg
    const float brakes = 8.0f;                                       // m/s^2
    float t = 0.0f, v = 0.0f;

    printf("braking from 20 m/s takes %.1f m\n", ploy_motion_stopping_distance(20.0f, brakes));
    printf("16 m before the crossing at most %.1f m/s are safe\n",
           ploy_motion_stopping_speed(16.0f, brakes));

    if (ploy_motion_time_to_speed(0.0f, engine, 25.0f, &t)) {
        printf("full speed after %.1f s and %.1f m\n", t, ploy_motion_distance(0.0f, engine, t));
    }
    if (ploy_motion_time_to_distance(5.0f, engine, 30.0f, &t)) {
        printf("30 m from a rolling start take %.2f s, at %.1f m/s in the end\n", t,
               ploy_motion_speed(5.0f, engine, t));
    }

    // A jump at 6 m/s under gravity passes 1 m, and never reaches 2 m.
    static const float walls[] = {1.0f, 2.0f};
    for (int i = 0; i < 2; i++) {
        if (ploy_motion_speed_after(6.0f, -9.81f, walls[i], &v)) {
            printf("the jump passes %.0f m with %.2f m/s left\n", walls[i], v);
        } else {
            printf("the jump does not reach %.0f m\n", walls[i]);
        }
    }
    return 0;
}
