// A hound after a hare that runs past: it is chased where it is, where it will be, and headed off at
// the meeting point. You will see how long each takes. Shows ploy/move/pursue.h and intercept.h.
#include <stdio.h>

#include "ploy/ploy.h"

// Seconds until the hound is within half a metre, by method 0, 1 or 2.
static double chase(int method) {
    ploy_kinematic hound = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematic hare = ploy_kinematic_make(ploy_vec2_make(30.0f, 0.0f), 0.0f);
    hare.velocity = ploy_vec2_make(0.0f, 4.0f);
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_seek_def seek = ploy_seek_def_default(); // 5 m/s
    ploy_pursue_def pursue = ploy_pursue_def_default();
    ploy_intercept_def intercept = ploy_intercept_def_default();
    intercept.method = PLOY_INTERCEPT_EXACT;
    int tick = 0;
    while (ploy_vec2_distance(hound.position, hare.position) > 0.5f && tick < 6000) {
        ploy_steering steering = method == 0   ? ploy_seek(&seek, hound, hare.position)
                                 : method == 1 ? ploy_pursue(&pursue, hound, hare)
                                               : ploy_intercept(&intercept, hound, hare);
        hound = ploy_integrate(&motion, hound, steering, 1.0f / 60.0f);
        hare = ploy_integrate(&motion, hare, ploy_steering_none(), 1.0f / 60.0f);
        tick++;
    }
    return tick / 60.0;
}

int main(void) {
    printf("seek       %.1f s\n", chase(0));
    printf("pursue     %.1f s\n", chase(1));
    printf("intercept  %.1f s\n", chase(2));
    ploy_intercept_def def = ploy_intercept_def_default();
    def.method = PLOY_INTERCEPT_EXACT;
    ploy_kinematic hound = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematic hare = ploy_kinematic_make(ploy_vec2_make(9.0f, 0.0f), 0.0f);
    hare.velocity = ploy_vec2_make(6.0f, 0.0f);
    ploy_interception found = ploy_intercept_find(&def, hound, hare);
    printf("a faster hare that runs away: %s\n", ploy_intercept_status_text(found.status));
    ploy_pursue_def pursue = ploy_pursue_def_default();
    float ahead = ploy_predict_time(&pursue.predict, pursue.seek.max_speed, hound, hare);
    ploy_vec2 aim = ploy_predict_position(hare, ahead);
    printf("pursue looks %.1f s ahead, to %.1f m\n", ahead, aim.x);
    return 0;
}
