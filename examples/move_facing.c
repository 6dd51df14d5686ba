// Where to look: along the motion at once, smoothly, or somewhere else while walking. Then what is
// only shown: a trembling heading made steady, and a craft that leans into its turn. Shows the
// integrator's facing, ploy_face, ploy_heading_smooth and ploy_bank.
#include <stdio.h>

#include "ploy/base/math.h"
#include "ploy/move/align.h"
#include "ploy/move/heading.h"
#include "ploy/move/integrate.h"

static const float dt = 1.0f / 60.0f;

// The orientation after a second of walking to the north, in degrees.
static float walked(ploy_facing facing, ploy_vec2 looked_at) {
    ploy_align_def turn = ploy_align_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.facing = facing;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    agent.velocity = ploy_vec2_make(0.0f, 2.0f);
    for (int tick = 0; tick < 60; tick++) {
        ploy_steering steering = ploy_steering_none();
        if (facing == PLOY_FACING_FREE) steering = ploy_face(&turn, agent, looked_at);
        agent = ploy_integrate(&motion, agent, steering, dt);
    }
    return agent.orientation * 180.0f / PLOY_PI_F;
}

int main(void) {
    ploy_vec2 window = {-5.0f, 0.5f};
    printf("snap %.0f, smooth %.0f, looking at the window %.0f degrees\n",
           walked(PLOY_FACING_SNAP, window), walked(PLOY_FACING_SMOOTH, window),
           walked(PLOY_FACING_FREE, window));

    float samples[2 * 10]; // with the agent
    ploy_moving_mean mean = ploy_moving_mean_make(samples, 2, 10);
    float shown = 0.0f;
    for (int tick = 0; tick < 20; tick++) {
        shown = ploy_heading_smooth(&mean, tick % 2 == 0 ? 0.3f : -0.3f);
    }
    printf("a heading that trembles by 0.3 shows as %.2f\n", shown < 0.0f ? -shown : shown);

    ploy_bank_def bank = ploy_bank_def_default();
    for (int turn = -1; turn <= 1; turn++) {
        ploy_quat body = ploy_bank(&bank, 0.0f, (float)turn, ploy_vec3_make(10.0f, 0.0f, 0.0f));
        printf("turning at %2d rad/s its left wing points %.2f m up\n", turn,
               ploy_quat_left(body).z);
    }
    return 0;
}
