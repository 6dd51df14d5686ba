// A person, a car, a motorbike and a tank are all to go to a place beside and behind them. Prints
// the maneuvers of each and how long it took. Shows ploy_motor_control, ploy_speed_snap and
// ploy_steering_force.
#include <stdio.h>

#include "ploy/move/motor.h"

int main(void) {
    ploy_vec2 target = {-6.0f, 9.0f};
    for (int kind = PLOY_MOTOR_HUMAN; kind <= PLOY_MOTOR_TANK; kind++) {
        ploy_motor_def def = ploy_motor_def_of((ploy_motor_body)kind);
        ploy_kinematic body = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        int last = -1, tick = 0;
        printf("%s:", ploy_motor_body_text(def.body));
        for (; tick < 3600; tick++) {
            ploy_motor_output out = ploy_motor_control(&def, body, target);
            if ((int)out.maneuver != last) printf(" %s", ploy_motor_maneuver_text(out.maneuver));
            last = (int)out.maneuver;
            if (out.maneuver == PLOY_MOTOR_STAND) break;
            body = ploy_motor_drive(&def, body, out, 1.0f / 60.0f);
        }
        printf(", %.1f s\n", tick / 60.0);
    }
    // A physics engine needs forces: for a car of 1,200 kg and a drone of 2.
    ploy_steering request = ploy_steering_make(ploy_vec2_make(3.0f, -1.0f), 0.5f);
    ploy_force push = ploy_steering_force(request, 1200.0f, 1800.0f);
    printf("force %.0f %.0f N, torque %.0f N m\n", push.force.x, push.force.y, push.torque);
    ploy_steering3 climb =
        ploy_steering3_make(ploy_vec3_make(0.0f, 0.0f, 4.0f), ploy_vec3_make(0.0f, 0.0f, 1.0f));
    printf("lift %.0f N\n", ploy_steering3_force(climb, 2.0f, 0.1f).force.z);
    // Only some speeds have an animation.
    static const ploy_speed_band bands[2] = {{0.8f, 1.2f}, {2.0f, 4.0f}};
    int32_t band = -1;
    for (float speed = 0.3f; speed < 3.0f; speed += 0.6f) {
        float shown = ploy_speed_snap(bands, 2, speed, band, 0.1f, &band);
        printf("asked %.1f, animated %.1f\n", speed, shown);
    }
    return 0;
}
