// Along a path, in three forms: after a rabbit on a road, from waypoint to waypoint, and on an
// errand that breaks out of an orbit by itself. Prints when each is there. Shows
// ploy_path_follow, ploy_waypoints, ploy_errand_steer and ploy_mover_step.
#include <stdio.h>

#include "ploy/move/errand.h"
#include "ploy/move/integrate.h"
#include "ploy/move/path_follow.h"

static const float dt = 1.0f / 60.0f;
static const ploy_vec2 corners[] = {{0, 0}, {10, 0}, {10, 8}, {20, 8}};

// Seconds until a follower stops at the end.
static float follow_road(bool by_waypoints) {
    ploy_path_follow_def road = ploy_path_follow_def_default();
    ploy_waypoints_def points = ploy_waypoints_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_polyline path = ploy_polyline_make(corners, 4, false);
    ploy_kinematic agent = ploy_kinematic_make(corners[0], 0.0f);
    float along = 0.0f; // where it is on the road; kept from step to step
    int32_t next = 0;
    int tick = 0;
    while (tick < 3000 && ploy_vec2_distance(agent.position, corners[3]) > 0.3f) {
        ploy_steering steering = by_waypoints ? ploy_waypoints(&points, agent, &path, &next)
                                              : ploy_path_follow(&road, agent, &path, &along);
        agent = ploy_integrate(&motion, agent, steering, dt);
        tick++;
    }
    return (float)tick * dt;
}

// An errand to a stop that lies inside its turning circle. @param patience  s; 0: forever.
static float run_errand(float patience) {
    ploy_errand_def def = ploy_errand_def_default();
    ploy_movers_def movers = ploy_movers_def_default();
    def.pull = 6.0f;
    def.agitate.patience = patience;
    movers.cruise_speed = 5.0f;
    movers.cruise_time = 0.0f;
    movers.max_acceleration = 1000.0f;
    ploy_errand_stop stop = {{0.0f, 25.0f / 6.0f}, 1.0f};
    ploy_errand errand = ploy_errand_begin(&def, &stop, 1, ploy_vec2_make(50.0f, 0.0f));
    ploy_steering_context context = {0};
    context.agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    context.agent.velocity = ploy_vec2_make(5.0f, 0.0f);
    context.dt = dt;
    int tick = 0;
    for (; tick < 3600 && errand.next == 0; tick++) {
        ploy_steering steering = ploy_errand_steer(&errand, &context);
        context.agent = ploy_mover_step(&movers, context.agent, steering, dt);
    }
    return (float)tick * dt;
}

// Three agents on one errand at once: their minds request, then all of them move.
static float run_squad(void) {
    enum { SQUAD = 3 };
    ploy_errand_def def = ploy_errand_def_default();
    ploy_movers_def movers = ploy_movers_def_default();
    ploy_combine_def combine = ploy_combine_def_default();
    ploy_kinematic agents[SQUAD];
    ploy_steering requests[SQUAD];
    ploy_errand errands[SQUAD];
    ploy_combination minds[SQUAD];
    ploy_errand_stop stop = {{12.0f, 0.0f}, 1.0f};
    for (int i = 0; i < SQUAD; i++) {
        ploy_steering_source going;
        agents[i] = ploy_kinematic_make(ploy_vec2_make(0.0f, 3.0f * (float)i), 0.0f);
        errands[i] = ploy_errand_begin(&def, &stop, 1, ploy_vec2_make(20.0f, 3.0f * (float)i));
        if (ploy_errand_source(&errands[i], NULL, &going) != PLOY_OK ||
            ploy_combination_init(&minds[i], &combine, NULL) != PLOY_OK ||
            ploy_combination_add(&minds[i], "errand", going, 1.0f) != PLOY_OK) {
            return -1.0f;
        }
    }
    ploy_kinematics view = ploy_kinematics_of(agents, SQUAD);
    ploy_steerings out = ploy_steerings_of(requests, SQUAD);
    ploy_steering_context context = {0};
    context.dt = dt;
    int tick = 0, arrived = 0;
    for (; tick < 3600 && arrived < SQUAD; tick++) {
        if (ploy_movers_think(&view, 0, SQUAD, minds, SQUAD, &context, &out) != PLOY_OK) break;
        if (ploy_movers_move(&movers, &view, 0, SQUAD, &out, dt) != PLOY_OK) break;
        arrived = 0;
        for (int i = 0; i < SQUAD; i++) arrived += errands[i].arrived;
    }
    return (float)tick * dt;
}

int main(void) {
    printf("behind the rabbit %.1f s, by waypoints %.1f s\n", follow_road(false),
           follow_road(true));
    printf("an orbit: %.0f s and not there without agitation, ", run_errand(0.0f));
    printf("%.1f s with it\n", run_errand(3.0f));
    printf("a squad of three is there after %.1f s\n", run_squad());
    return 0;
}
