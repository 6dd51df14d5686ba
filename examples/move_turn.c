// A rudder with three positions: a torpedo boat turns left, right or not at all until its nose is at
// a point. The tolerance keeps the rudder from chattering. Shows ploy_intercept_turn.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/intercept.h"

static const char *const names[] = {"right", "straight", "left"};

int main(void) {
    static const ploy_vec2 points[] = {{10, 0}, {10, 0.2f}, {5, 5}, {5, -5}, {-10, 0}};
    ploy_kinematic boat = ploy_kinematic_make(ploy_vec2_zero(), 0.0f); // heads along x
    for (int i = 0; i < 5; i++) {
        ploy_turn_side side = ploy_intercept_turn(boat, points[i], 0.05f);
        printf("point (%g, %g): %s\n", points[i].x, points[i].y, names[side + 1]);
    }
    int turned = 0;
    for (int tick = 0; tick < 120; tick++) { // 2 s at up to 1 rad/s, point at 45 degrees
        ploy_turn_side side = ploy_intercept_turn(boat, points[2], 0.05f);
        boat.orientation += (float)side / 60.0f;
        turned += side != PLOY_TURN_NONE;
    }
    printf("%d ticks of turning, then straight at %.0f degrees\n", turned,
           ploy_angle_to_degrees(boat.orientation));
    return 0;
}
