// A person, a car, a motorbike and a tank are all to go to a place beside and behind them. Prints
// the maneuvers of each and how long it took. Shows ploy_motor_control and ploy_speed_snap.
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
    // Only some speeds have an animation.
    static const ploy_speed_band bands[2] = {{0.8f, 1.2f}, {2.0f, 4.0f}};
    int32_t band = -1;
    for (float speed = 0.3f; speed < 3.0f; speed += 0.6f) {
        float shown = ploy_speed_snap(bands, 2, speed, band, 0.1f, &band);
        printf("asked %.1f, animated %.1f\n", speed, shown);
    }
    return 0;
}
