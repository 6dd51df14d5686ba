// Hello: an agent moves to a target, slows down and stops. Shows ploy_arrive and ploy_integrate.
#include <stdio.h>

#include "ploy/move/arrive.h"
#include "ploy/move/integrate.h"

int main(void) {
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_vec2 target = {8.0f, 6.0f};
    ploy_steering steering = ploy_arrive(&arrive, agent, target);
    int tick = 0;
    for (; steering.requested; tick++) { // until it needs no acceleration any more
        if (tick % 30 == 0) printf("%.2f %.2f\n", agent.position.x, agent.position.y);
        agent = ploy_integrate(&motion, agent, steering, 1.0f / 60.0f);
        steering = ploy_arrive(&arrive, agent, target);
    }
    printf("arrived at %.2f %.2f after %.1f s\n", agent.position.x, agent.position.y, tick / 60.0);
}
