// Two kinds of wandering: a guard strolls with velocities that change at once, a fish swims through
// space with accelerations. Prints where they are every two seconds. Shows ploy_wander_velocity,
// ploy_wander3_steer and ploy_integrate3.
#include <stdio.h>

#include "ploy/move/integrate.h"
#include "ploy/move/wander.h"

int main(void) {
    const float dt = 1.0f / 60.0f;
    ploy_rng_key key = ploy_rng_key_make(7);
    ploy_wander_def wander = ploy_wander_def_default();
    ploy_integrate_def loose = ploy_integrate_def_default(); // the guard turns as wander says
    loose.facing = PLOY_FACING_FREE;
    ploy_integrate_def ahead = ploy_integrate_def_default(); // the fish looks where it swims
    ploy_kinematic guard = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_kinematic3 fish = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, -5.0f));
    ploy_vec3 drift = {1.0f, 0.0f, 0.0f};
    for (uint64_t tick = 0; tick <= 360; tick++) {
        if (tick % 120 == 0) {
            printf("%d s: guard (%.2f, %.2f), fish (%.2f, %.2f, %.2f)\n", (int)(tick / 60),
                   guard.position.x, guard.position.y, fish.position.x, fish.position.y,
                   fish.position.z);
        }
        guard =
            ploy_kinematic_output_apply(ploy_wander_velocity(&wander, guard, key, 1, tick), guard);
        guard = ploy_integrate(&loose, guard, ploy_steering_none(), dt);
        ploy_steering3 steering = ploy_wander3_steer(&wander, fish, &drift, dt, key, 2, tick);
        fish = ploy_integrate3(&ahead, fish, steering, dt);
    }
    return 0;
}
