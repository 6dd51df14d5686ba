// Two groups of ten meet in a passage 6 m wide, with a guard in the middle of it. You will
// see all of them reach the other side without touching each other. Shows ploy_crowd: agents, walls,
// one step for all.
#include <stdio.h>

#include "ploy/move/crowd.h"

enum { WALKERS = 20 };

// How near any two come, from edge to edge.
static float gap(const ploy_crowd *crowd) {
    float least = 1e9f;
    ploy_orca_agent a, b;
    for (int32_t i = 0; i < ploy_crowd_places(crowd); i++) {
        for (int32_t k = 0; k < i; k++) {
            ploy_crowd_get(crowd, ploy_crowd_id_at(crowd, i), &a);
            ploy_crowd_get(crowd, ploy_crowd_id_at(crowd, k), &b);
            float d = ploy_vec2_distance(a.position, b.position) - a.radius - b.radius;
            least = d < least ? d : least;
        }
    }
    return least;
}

static int meet(ploy_crowd *crowd, const ploy_agent_id *ids, const ploy_vec2 *goals) {
    int step = 0, there = 0;
    float least = 1e9f;
    for (; there < WALKERS && step < 600; step++) {
        there = 0;
        for (int i = 0; i < WALKERS; i++) {
            ploy_orca_agent agent;
            ploy_crowd_get(crowd, ids[i], &agent);
            ploy_vec2 offset = ploy_vec2_sub(goals[i], agent.position);
            there += ploy_vec2_length(offset) < 0.5f;
            ploy_crowd_set_wanted(crowd, ids[i], ploy_vec2_limit(offset, agent.max_speed));
        }
        ploy_crowd_step(crowd, 0.1f, NULL);
        float now = gap(crowd);
        least = now < least ? now : least;
    }
    printf("%d are there after %.0f s; no agent %s\n", there, step * 0.1,
           least > -0.001f ? "was touched" : "got through without a push");
    return there;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = WALKERS + 1;
    ploy_crowd *crowd = NULL;
    if (ploy_crowd_create(&def, &env, &crowd) != PLOY_OK) return 1;
    ploy_vec2 south[4] = {{-30.0f, -4.0f}, {30.0f, -4.0f}, {30.0f, -3.0f}, {-30.0f, -3.0f}};
    ploy_vec2 north[4] = {{-30.0f, 3.0f}, {30.0f, 3.0f}, {30.0f, 4.0f}, {-30.0f, 4.0f}};
    ploy_crowd_add_walls(crowd, south, 4); // corners counter-clockwise: solid inside
    ploy_crowd_add_walls(crowd, north, 4);
    ploy_agent_id ids[WALKERS], guard;
    ploy_vec2 goals[WALKERS];
    for (int i = 0; i < WALKERS; i++) {
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        ploy_vec2 home = {-side * (8.0f + 1.5f * (float)(i / 4)), i % 4 < 2 ? 1.1f : -1.0f};
        goals[i] = ploy_vec2_make(-home.x, home.y);
        ploy_orca_agent agent = ploy_orca_agent_make(home, 0.3f, 1.4f, 0);
        ploy_crowd_add(crowd, &agent, &ids[i]);
    }
    // max_speed 0: it stays where it is, and all others walk around it.
    ploy_orca_agent stands = ploy_orca_agent_make(ploy_vec2_make(0.0f, 0.2f), 0.4f, 0.0f, 0);
    ploy_crowd_add(crowd, &stands, &guard);
    int there = meet(crowd, ids, goals);
    ploy_crowd_get(crowd, guard, &stands);
    printf("the guard is at %.1f %.1f\n", stands.position.x, stands.position.y);
    ploy_crowd_destroy(crowd);
    return there == WALKERS ? 0 : 1;
}
