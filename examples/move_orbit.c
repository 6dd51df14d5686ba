// A boat that turns slowly circles a buoy forever; agitation kicks it out of the orbit.
// Shows ploy/move/agitate.h: no kick, the classic one to the right, and one toward the point.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/agitate.h"

static void sail(const char *title, const ploy_agitate_def *def) {
    const float dt = 0.1f, max_turn = 1.0f; // s, rad/s: at 2 m/s a circle of 2 m
    ploy_vec2 at = {2, 0}, velocity = {0, 2}, buoy = {0, 0};
    float waited = 0.0f, nearest = 2.0f;
    int32_t kicks = 0;
    for (int32_t step = 0; step < 1200; step++) {
        ploy_vec2 toward = ploy_vec2_sub(buoy, at);
        float distance = ploy_vec2_length(toward);
        if (distance < nearest) nearest = distance;
        if (distance < 0.5f) {
            printf("%s: reached after %.1f s, kicks: %d\n", title, (double)(dt * (float)step),
                   (int)kicks);
            return;
        }
        float turn = ploy_vec2_angle_to(velocity, toward), most = max_turn * dt;
        turn = turn > most ? most : turn < -most ? -most : turn;
        ploy_vec2 motion = ploy_vec2_rotate(velocity, turn);
        velocity = ploy_agitate(def, &waited, motion, ploy_vec2_cross(velocity, toward), dt);
        kicks += !ploy_vec2_equal(velocity, motion);
        at = ploy_vec2_add_scaled(at, velocity, dt);
    }
    printf("%s: not reached in 120 s, at best %.1f m away, kicks: %d\n", title, (double)nearest,
           (int)kicks);
}

int main(void) {
    ploy_agitate_def def = ploy_agitate_def_default();
    def.patience = 0.0f;
    sail("never agitated", &def);
    def.patience = 5.0f;
    def.inwards = false;
    sail("kicked to the right", &def);
    def.inwards = true;
    sail("kicked toward the buoy", &def);
    return 0;
}
