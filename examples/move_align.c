// Turn a turret to an orientation by the short direction, a ship in space by quaternion, and a runner
// into its direction of motion. Shows ploy_align, ploy_align3, ploy_look and ploy_look3.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/align.h"
#include "ploy/move/integrate.h"

static const float dt = 1.0f / 60.0f;

int main(void) {
    ploy_align_def align = ploy_align_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.facing = PLOY_FACING_FREE; // the turn is steered, not taken from the velocity

    ploy_kinematic turret = ploy_kinematic_make(ploy_vec2_zero(), ploy_angle_from_degrees(170.0f));
    float goal = ploy_angle_from_degrees(-170.0f); // 20 degrees to the left, 340 to the right
    ploy_steering steering = ploy_align(&align, turret, goal);
    printf("the turret turns %s\n", steering.angular > 0.0f ? "left" : "right");
    for (int i = 0; i < 600 && steering.requested; i++) {
        turret = ploy_integrate(&motion, turret, steering, dt);
        steering = ploy_align(&align, turret, goal);
    }
    float off = ploy_angle_wrap(turret.orientation - goal);
    printf("and stops within tolerance: %s\n",
           off < align.target_angle && off > -align.target_angle ? "yes" : "no");

    ploy_kinematic runner = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    printf("a runner at rest turns: %s\n", ploy_look(&align, runner).requested ? "yes" : "no");
    runner.velocity = ploy_vec2_make(0.0f, -3.0f);
    printf("running down the screen: %s\n",
           ploy_look(&align, runner).angular > 0.0f ? "left" : "right");

    ploy_kinematic3 ship = ploy_kinematic3_make(ploy_vec3_zero());
    ploy_quat rolled = ploy_quat_from_axis_angle(ploy_vec3_make(1.0f, 0.0f, 0.0f), 1.0f);
    ploy_vec3 roll = ploy_align3(&align, ship, rolled).angular;
    printf("the ship rolls about (%.0f, %.0f, %.0f)\n", ploy_vec3_normalise(roll).x,
           ploy_vec3_normalise(roll).y, ploy_vec3_normalise(roll).z);
    ship.velocity = ploy_vec3_make(0.0f, 5.0f, 0.0f);
    ploy_vec3 yaw = ploy_look3(&align, ship).angular;
    printf("and turns into its motion about (%.0f, %.0f, %.0f)\n", ploy_vec3_normalise(yaw).x,
           ploy_vec3_normalise(yaw).y, ploy_vec3_normalise(yaw).z);
    return 0;
}
