// Around a pillar to a goal that cannot be seen: the steering pipeline asks a path service over a
// navigation mesh, goes straight on until the answer is there, and then from corner to corner.
// Shows ploy_route_create, ploy_route_decomposer and ploy_pipeline_steer.
#include <stdio.h>

#include "ploy/move/integrate.h"
#include "ploy/move/pipeline.h"
#include "ploy/path/finders.h"
#include "ploy/path/planners.h"

static ploy_result build(const ploy_env *env, ploy_navmesh **mesh) {
    static const ploy_vec2 hall[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
    static const ploy_vec2 pillar[] = {{8, 2}, {12, 2}, {12, 11}, {8, 11}};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, hall, 4);
    if (result == PLOY_OK) result = ploy_rings_add_reversed(rings, pillar, 4); // a hole
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, mesh);
    }
    ploy_rings_destroy(rings);
    return result;
}

static void walk(const ploy_path_service *service, ploy_route *route) {
    ploy_steering_goal goal = ploy_steering_goal_at(ploy_vec2_make(17.0f, 8.0f));
    ploy_plain_actuator legs = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&legs));
    ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    ploy_pipeline_add_decomposer(&pipeline, ploy_route_decomposer(route));
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_steering_context context =
        ploy_steering_context_make(ploy_kinematic_make(ploy_vec2_make(3.0f, 8.0f), 0.0f),
                                   ploy_agent_id_make(0, 1), 1.0f / 60.0f, 0, ploy_rng_key_make(1));
    for (int tick = 0; tick <= 480; tick++) {
        ploy_budget budget = ploy_budget_units(1); // one node of the search a frame
        if (ploy_path_service_step(service, &budget) < PLOY_OK) return;
        ploy_steering steering = ploy_pipeline_steer(&pipeline, &context, NULL);
        ploy_vec2 at = context.agent.position;
        if (tick % 120 == 0) printf("%d s: %.1f %.1f\n", tick / 60, at.x, at.y);
        context.agent = ploy_integrate(&motion, context.agent, steering, context.dt);
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_navmesh *mesh = NULL;
    ploy_planners *paths = NULL;
    ploy_route *route = NULL;
    ploy_planners_def paths_def = ploy_planners_def_default();
    ploy_route_def def = ploy_route_def_default();
    ploy_result result = build(&env, &mesh);
    ploy_navmesh_finder_def floor = ploy_navmesh_finder_def_default();
    floor.mesh = mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&floor);
    if (result == PLOY_OK) result = ploy_planners_create(&paths_def, &env, &paths);
    if (result == PLOY_OK) result = ploy_planners_add_finder(paths, (ploy_name){0}, &finder);
    ploy_path_service service = {0};
    if (result == PLOY_OK) service = ploy_planners_service(paths);
    if (result == PLOY_OK) result = ploy_route_create(&def, &service, &env, &route);
    if (result == PLOY_OK) walk(&service, route);
    ploy_route_destroy(route);
    ploy_planners_destroy(paths);
    ploy_navmesh_destroy(mesh);
    return result == PLOY_OK ? 0 : 1;
}
