// A patrol boat: it has an engine and a bow thruster, and nothing else. It plays a square of
// control instructions, then intercepts a smuggler by its rudder; tugs around it flock by
// theirs. Shows ploy_craft_step, ploy_maneuver_step, ploy_craft_toward and ploy_craft_flock.
#include <stdio.h>

#include "ploy/move/craft.h"
#include "ploy/move/intercept.h"
#include "ploy/move/moves.h"

static const float dt = 1.0f / 60.0f;

int main(void) {
    ploy_craft_def boat = ploy_craft_def_default();
    static const ploy_maneuver square[] = {{0, 1, 0, 8}, {1, 0.7f, 1.5707963f, 0}};
    ploy_maneuvers patrol = {square, 2, 4, 0.05f};
    ploy_kinematic craft = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_maneuver_state state = ploy_maneuver_begin(craft);
    ploy_maneuver_output output;
    int tick = 0;
    while (ploy_maneuver_step(&patrol, &state, craft, &output)) {
        ploy_craft_controls controls = {output.thrust, output.steer};
        craft = ploy_craft_step(&boat, craft, controls, dt);
        tick++;
    }
    printf("round in %.0f s, and %.0f m from where it began\n", (float)tick * dt,
           ploy_vec2_length(craft.position));

    ploy_intercept_def chase = ploy_intercept_def_default();
    ploy_kinematic smuggler = ploy_kinematic_make(ploy_vec2_make(-20.0f, 25.0f), 0.0f);
    smuggler.velocity = ploy_vec2_make(2.0f, 0.0f);
    for (tick = 0; ploy_vec2_distance(craft.position, smuggler.position) > 1.0f; tick++) {
        ploy_interception meeting = ploy_intercept_find(&chase, craft, smuggler);
        ploy_craft_controls controls = {1.0f, ploy_craft_toward(craft, meeting.point, 0.5f)};
        craft = ploy_craft_step(&boat, craft, controls, dt);
        smuggler.position = ploy_vec2_add_scaled(smuggler.position, smuggler.velocity, dt);
    }
    printf("caught after %.0f s at %.0f %.0f\n", (float)tick * dt, craft.position.x,
           craft.position.y);

    ploy_flock_def rules = ploy_flock_def_default();
    rules.view = PLOY_VIEW_ALL;
    rules.radius = 50.0f;
    ploy_kinematic tugs[6];
    for (int i = 0; i < 6; i++) {
        tugs[i] = ploy_kinematic_make(ploy_vec2_make(5.0f * (float)i, 0.0f), (float)i - 3.0f);
    }
    ploy_kinematics fleet = ploy_kinematics_of(tugs, 6);
    for (tick = 0; tick < 1800; tick++) {
        float steer[6];
        for (int i = 0; i < 6; i++) steer[i] = ploy_craft_flock(&rules, tugs[i], &fleet, i);
        for (int i = 0; i < 6; i++) {
            ploy_craft_controls controls = {0.5f, steer[i]};
            tugs[i] = ploy_craft_step(&boat, tugs[i], controls, dt);
        }
    }
    float widest = 0.0f;
    for (int i = 1; i < 6; i++) {
        float apart = ploy_vec2_distance(tugs[0].position, tugs[i].position);
        widest = apart > widest ? apart : widest;
    }
    printf("the tugs began 25 m apart and are within %.0f m\n", widest);
    return 0;
}
