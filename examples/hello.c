// Hello: an agent goes to a target and stops there. Prints where it is twice a second, when it has
// arrived, and what it wants next: nothing. Shows ploy_arrive and ploy_integrate.
#include <stdio.h>

#include "ploy/move/arrive.h"
#include "ploy/move/integrate.h"

int main(void) {
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(0.0f, 0.0f), 0.0f);
    ploy_vec2 target = {8.0f, 6.0f};
    int tick = 0;
    ploy_steering steering = ploy_arrive(&arrive, agent, target);
    for (; steering.requested; tick++) {
        if (tick % 30 == 0)
            printf("%.1f s: %.2f %.2f\n", tick / 60.0, agent.position.x, agent.position.y);
        agent = ploy_integrate(&motion, agent, steering, 1.0f / 60.0f);
        steering = ploy_arrive(&arrive, agent, target);
    }
    printf("arrived at %.2f %.2f after %.1f s\n", agent.position.x, agent.position.y, tick / 60.0);
    steering = ploy_arrive(&arrive, agent, target); // it is there already
    printf("and now it asks for %s\n", steering.requested ? "more" : "nothing");
    return 0;
}
