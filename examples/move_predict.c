// Predictions: a goalkeeper's bat, a remote player between two messages, a grenade that a soldier
// sees coming, and a chasm on the way. Shows ploy_reckon_bounce, ploy_reckoning,
// ploy_incoming_find, ploy_jump_edge and ploy_jump_detect.
#include <stdio.h>
#include <string.h>

#include "ploy/move/incoming.h"
#include "ploy/move/integrate.h"
#include "ploy/move/jump.h"
#include "ploy/move/reckon.h"

static void chasm(void) {
    ploy_env env = ploy_env_default();
    ploy_jump_def jumper = ploy_jump_def_default();
    ploy_jump_point point = {{6, 0, 0}, {10, 0, 0}, PLOY_JUMP_AT_LEAST, 20.0f, {0, 0}};
    ploy_path_edge edge = ploy_jump_edge(&jumper, &point, ploy_id_make(1, 1));
    printf("a planner counts %.1f for the jump\n", edge.cost);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    if (ploy_plain_scene_create(&def, &env, &plain) != PLOY_OK) return;
    ploy_obstacle filler = {{{8, -9}, {8, 9}}, 2.0f, 2}; // layer 2: what can be jumped
    ploy_plain_scene_add(plain, &filler, NULL);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_kinematic runner = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_integrate_def motion = ploy_integrate_def_default();
    bool now = false;
    for (int tick = 0; tick < 600 && !now; tick++) {
        ploy_steering steering =
            ploy_jump_detect(&jumper, &scene, 2, runner, 9.0f, 0.4f, 4.0f, &now);
        runner = ploy_integrate(&motion, runner, steering, 1.0f / 60.0f);
    }
    printf("jumps at %.1f with %.1f m/s\n", runner.position.x, runner.velocity.x);
    ploy_plain_scene_destroy(plain);
}

int main(void) {
    float y = 0.0f, time = 0.0f;
    ploy_reckon_bounce(ploy_vec2_make(0, 5), ploy_vec2_make(4, 7), 20.0f, 0.0f, 10.0f, &y, &time);
    printf("the ball comes at %.1f in %.1f s\n", y, time);

    ploy_reckoning remote;
    memset(&remote, 0, sizeof remote);
    ploy_reckoning_correct(&remote, ploy_vec2_zero(), ploy_vec2_make(3, 0), 0.0f);
    ploy_reckoning_step(&remote, 1.0f);
    ploy_reckoning_correct(&remote, ploy_vec2_make(2, 0), ploy_vec2_zero(), 0.4f);
    for (int i = 0; i < 3; i++, ploy_reckoning_step(&remote, 0.2f)) {
        printf("shown at %.1f\n", ploy_reckoning_position(&remote).x);
    }

    ploy_incoming_def def = ploy_incoming_def_default();
    ploy_projectile grenade =
        ploy_projectile_make(ploy_vec3_make(-12, 0, 1.5f), ploy_vec3_make(6, 0, 8));
    static const float fuses[2] = {4.0f, 1.9f};
    for (int i = 0; i < 2; i++) {
        ploy_incoming in;
        if (ploy_incoming_find(&def, &grenade, fuses[i], ploy_vec3_zero(), &in) != PLOY_OK)
            return 1;
        printf("fuse %.1f s: %s, go to %.1f\n", fuses[i], ploy_incoming_reaction_text(in.reaction),
               in.go_to.x);
    }
    chasm();
    return 0;
}
