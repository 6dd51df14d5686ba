// Leaves on a river: they take on the current where they will be, and stay within the banks. The
// current is a grid of vectors, faster in the middle. Prints where three leaves are after ten
// seconds. Shows ploy_flow_follow_batch, ploy_flow_grid_field and ploy_contain.
#include <stdio.h>

#include "ploy/move/flow.h"
#include "ploy/move/integrate.h"

int main(void) {
    // Two columns 40 m apart, five rows 2 m apart: the same current all along the river.
    ploy_vec2 vectors[10];
    static const float speeds[5] = {0.2f, 1.0f, 2.0f, 1.0f, 0.2f};
    for (int i = 0; i < 10; i++) vectors[i] = ploy_vec2_make(speeds[i / 2], 0.0f);
    ploy_flow_grid grid = {{0.0f, -4.0f}, 2.0f, 2, 5, vectors};
    ploy_flow_field river = ploy_flow_grid_field(&grid);
    ploy_flow_def flow = ploy_flow_def_default();
    ploy_contain_def banks = ploy_contain_def_default();
    ploy_box2 water = ploy_box2_make(ploy_vec2_make(-5.0f, -4.0f), ploy_vec2_make(100.0f, 4.0f));
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematic leaves[3];
    ploy_steering steerings[3];
    for (int i = 0; i < 3; i++) {
        leaves[i] = ploy_kinematic_make(ploy_vec2_make(0.0f, 1.5f * (float)i), 0.0f);
    }
    leaves[2].velocity = ploy_vec2_make(0.0f, 3.0f); // blown toward the bank
    ploy_kinematics view = ploy_kinematics_of(leaves, 3);
    ploy_steerings out = ploy_steerings_of(steerings, 3);
    for (int tick = 0; tick < 600; tick++) {
        ploy_flow_follow_batch(&flow, &view, 0, 3, &river, &out);
        for (int i = 0; i < 3; i++) {
            ploy_steering back = ploy_contain(&banks, leaves[i], water);
            if (back.requested) steerings[i] = back; // the bank comes first
        }
        ploy_integrate_batch(&motion, &view, 0, 3, &out, 1.0f / 60.0f);
    }
    for (int i = 0; i < 3; i++) {
        printf("leaf %d: %.1f m down the river, %.1f m off its middle\n", i, leaves[i].position.x,
               leaves[i].position.y);
    }
    return 0;
}
