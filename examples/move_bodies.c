// Six walkers cross a floor with ice, and the game's own physics moves them: on the ice a body gets
// only half of the velocity that the crowd found. You will see how far each of them comes in 4 s.
// Shows ploy_crowd with `moves` off and ploy_crowd_set_bodies.
#include <stdio.h>

#include "ploy/move/crowd.h"

enum { WALKERS = 6 };

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = WALKERS;
    def.moves = false; // positions belong to the game
    ploy_crowd *crowd = NULL;
    if (ploy_crowd_create(&def, &env, &crowd) != PLOY_OK) return 1;
    ploy_vec2 places[WALKERS], speeds[WALKERS];
    for (int i = 0; i < WALKERS; i++) {
        ploy_agent_id id;
        places[i] = ploy_vec2_make(0.0f, 2.0f * (float)i);
        ploy_orca_agent agent = ploy_orca_agent_make(places[i], 0.4f, 2.0f, (uint32_t)i);
        agent.wanted = ploy_vec2_make(2.0f, 0.0f);
        if (ploy_crowd_add(crowd, &agent, &id) != PLOY_OK) return 1;
    }
    for (int step = 0; step < 40; step++) {
        if (ploy_crowd_step(crowd, 0.1f, NULL) != PLOY_OK) return 1;
        ploy_kinematics agents = ploy_crowd_agents(crowd);
        for (int i = 0; i < WALKERS; i++) { // the physics of the game
            ploy_vec2 velocity = ploy_kinematics_get(&agents, i).velocity;
            speeds[i] = ploy_vec2_scale(velocity, places[i].y < 5.0f ? 0.5f : 1.0f);
            places[i] = ploy_vec2_add_scaled(places[i], speeds[i], 0.1f);
        }
        ploy_points bodies = ploy_points_make(places, WALKERS);
        ploy_points moving = ploy_points_make(speeds, WALKERS);
        if (ploy_crowd_set_bodies(crowd, &bodies, &moving) != PLOY_OK) return 1;
    }
    for (int i = 0; i < WALKERS; i++) {
        printf("walker %d: %.1f m%s\n", i, (double)places[i].x,
               places[i].y < 5.0f ? " on ice" : "");
    }
    ploy_crowd_destroy(crowd);
    return 0;
}
