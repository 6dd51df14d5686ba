// A squad of three advances along cover points: the one at the back runs to the front. Then
// three geese find a V by themselves, and a runner of a football play moves by the clock. Shows
// ploy_overwatch_step, ploy_emergent_step and ploy_pattern_play.
#include <stdio.h>

#include "ploy/move/emergent.h"
#include "ploy/move/formation.h"
#include "ploy/move/overwatch.h"

static void advance(void) {
    static const ploy_vec2 cover[6] = {{0, 0}, {3, 1}, {6, -1}, {9, 1}, {12, -1}, {15, 0}};
    ploy_points points = ploy_points_make(cover, 6);
    ploy_env env = ploy_env_default();
    ploy_overwatch_def def = ploy_overwatch_def_default();
    def.slots = 3;
    ploy_overwatch *squad = NULL;
    if (ploy_overwatch_create(&def, &env, &squad) != PLOY_OK) return;
    for (float x = 3.0f; x < 12.0f; x += 3.0f) {
        int32_t moved = 0;
        ploy_overwatch_step(squad, ploy_vec2_make(x, 0.0f), &points, &moved);
        printf("anchor %2.0f: cover %d %d %d, %d ran\n", x, ploy_overwatch_cover(squad, 0),
               ploy_overwatch_cover(squad, 1), ploy_overwatch_cover(squad, 2), moved);
    }
    ploy_overwatch_destroy(squad);
}

static void fly(void) {
    ploy_kinematic geese[3] = {
        {{0, 0}, 0, {1, 0}, 0}, {{-4, 1}, 0, {1, 0}, 0}, {{-5, -2}, 0, {1, 0}, 0}};
    ploy_kinematics view = ploy_kinematics_of(geese, 3);
    ploy_emergent_claim claims[3];
    for (int i = 0; i < 3; i++) claims[i] = ploy_emergent_claim_none();
    ploy_emergent_def def = ploy_emergent_def_default();
    ploy_emergent_step(&def, &view, NULL, NULL, 0, 0.1f, claims);
    for (int i = 0; i < 3; i++) {
        ploy_vec2 spot = ploy_emergent_spot(&def, &view, claims, i);
        printf("goose %d follows %d, goes to %.1f %.1f\n", i, claims[i].leader, spot.x, spot.y);
    }
}

static void kick_off(void) {
    static const ploy_play_key keys[3] = {{0, 0.0f, {{0, 0}, 0}, false},
                                          {0, 2.0f, {{10, 4}, 0}, false},
                                          {1, 0.0f, {{0, -5}, 0}, false}};
    static const ploy_play play = {keys, 3, 2};
    ploy_pattern pattern = ploy_pattern_play("kick off", &play);
    for (float time = 0.0f; time <= 2.0f; time += 1.0f) {
        ploy_vec2 run = pattern.slot(pattern.user, 0, 2, time).position;
        printf("after %.0f s the runner is to be at %.0f %.0f\n", time, run.x, run.y);
    }
}

int main(void) {
    advance();
    fly();
    kick_off();
    return 0;
}
