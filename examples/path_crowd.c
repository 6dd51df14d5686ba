// Sixteen agents cross a hall with a pillar from both sides: corridors say where to go, a crowd keeps
// them apart, and all searches share a budget. Shows ploy/path/corridors.h with ploy/move/crowd.h.
#include <stdio.h>

#include "ploy/move/crowd.h"
#include "ploy/path/corridors.h"

enum { AGENTS = 16 };

static ploy_result build(const ploy_env *env, ploy_navmesh **mesh) {
    static const ploy_vec2 yard[] = {{0, 0}, {30, 0}, {30, 14}, {0, 14}};
    static const ploy_vec2 pillar[] = {{13, 4}, {17, 4}, {17, 10}, {13, 10}};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    def.radius = 0.4f;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, yard, 4);
    if (result == PLOY_OK) result = ploy_rings_add_reversed(rings, pillar, 4);
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, mesh);
    }
    ploy_rings_destroy(rings);
    return result;
}

// Half of them on each side, each to the other side.
static ploy_result place(ploy_corridors *corridors, ploy_crowd *crowd, ploy_agent_id *ids) {
    for (int32_t i = 0; i < AGENTS; i++) {
        bool left = i % 2 == 0;
        float y = 1.0f + 1.6f * (float)(i / 2);
        ploy_vec2 at = {left ? 2.0f : 28.0f, y};
        ploy_orca_agent agent = ploy_orca_agent_make(at, 0.35f, 2.0f, (uint32_t)i);
        ploy_vec3 goal = {left ? 28.0f : 2.0f, 14.0f - y, 0};
        ploy_result result = ploy_crowd_add(crowd, &agent, &ids[i]);
        if (result == PLOY_OK) {
            result = ploy_corridors_add(corridors, ploy_vec3_from_vec2(agent.position, 0), NULL);
        }
        if (result == PLOY_OK) result = ploy_corridors_set_goal(corridors, i, goal);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result walk(ploy_corridors *corridors, ploy_crowd *crowd, const ploy_agent_id *ids) {
    int32_t arrived = 0;
    for (int32_t tick = 0; tick < 600 && arrived < AGENTS; tick++) {
        ploy_vec2 velocities[AGENTS], positions[AGENTS];
        ploy_budget budget = ploy_budget_units(20); // of all searches, in this tick
        ploy_result result = ploy_corridors_step(corridors, &budget);
        if (result < 0) return result;
        ploy_corridors_velocities(corridors, 2.0f, velocities);
        for (int32_t i = 0; i < AGENTS; i++) ploy_crowd_set_wanted(crowd, ids[i], velocities[i]);
        result = ploy_crowd_step(crowd, 0.1f, NULL);
        if (result != PLOY_OK) return result;
        ploy_orca_agent agent;
        for (int32_t i = 0; i < AGENTS; i++) {
            ploy_crowd_get(crowd, ids[i], &agent);
            positions[i] = agent.position;
        }
        result = ploy_corridors_follow(corridors, positions);
        if (result != PLOY_OK) return result;
        arrived = 0;
        for (int32_t i = 0; i < AGENTS; i++) {
            ploy_corridors_agent at = ploy_corridors_get(corridors, i);
            arrived += at.mode == PLOY_CORRIDORS_ARRIVED;
            ploy_crowd_get(crowd, ids[i], &agent); // walls have the last word
            agent.position = ploy_vec2_from_vec3(at.place.point);
            ploy_crowd_set(crowd, ids[i], &agent);
        }
        if (tick % 100 == 99 || arrived == AGENTS) {
            printf("%d of %d have arrived\n", (int)arrived, AGENTS);
        }
    }
    return PLOY_OK;
}

// The level is built again, as after an obstacle: all agents are located on the new mesh and request their paths again.
// One agent is ordered to stay.
static ploy_result rebuild(ploy_corridors *corridors, const ploy_env *env, ploy_navmesh **mesh) {
    int32_t waiting = 0;
    ploy_navmesh *again = NULL;
    ploy_result result = build(env, &again);
    if (result == PLOY_OK) result = ploy_corridors_set_mesh(corridors, again);
    if (result == PLOY_OK) result = ploy_corridors_stop(corridors, 0);
    if (result != PLOY_OK) {
        ploy_navmesh_destroy(again);
        return result;
    }
    ploy_navmesh_destroy(*mesh);
    *mesh = again;
    for (int32_t i = 0; i < AGENTS; i++) {
        waiting += ploy_corridors_get(corridors, i).mode == PLOY_CORRIDORS_WAITING;
    }
    printf("on the new mesh %d wait for a path\n", (int)waiting);
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_corridors_def def = ploy_corridors_def_default();
    ploy_crowd_def crowd_def = ploy_crowd_def_default();
    ploy_navmesh *mesh = NULL;
    ploy_corridors *corridors = NULL;
    ploy_crowd *crowd = NULL;
    ploy_agent_id ids[AGENTS];
    def.arrive = 0.6f;
    ploy_result result = build(&env, &mesh);
    if (result == PLOY_OK) result = ploy_corridors_create(&def, mesh, &env, &corridors);
    if (result == PLOY_OK) result = ploy_crowd_create(&crowd_def, &env, &crowd);
    if (result == PLOY_OK) result = place(corridors, crowd, ids);
    if (result == PLOY_OK) result = walk(corridors, crowd, ids);
    if (result == PLOY_OK) result = rebuild(corridors, &env, &mesh);
    ploy_crowd_destroy(crowd);
    ploy_corridors_destroy(corridors);
    ploy_navmesh_destroy(mesh);
    return result == PLOY_OK ? 0 : 1;
}
