// A mortar at a target: without air there is a formula with two answers, with drag and wind the
// gunner tries shots in his mind. Then a jump is measured up. Shows ploy_firing_find,
// ploy_aim_find and ploy_jump_find.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/aim.h"
#include "ploy/move/jump.h"

static void shoot(const char *name, const ploy_aim_def *aim_def, const ploy_flight_def *air) {
    ploy_vec3 muzzle = {0.0f, 0.0f, 0.0f}, target = {20.0f, 0.0f, 0.0f};
    ploy_flight flight = ploy_flight_make(air);
    ploy_aim aim;
    ploy_result result = ploy_aim_find(aim_def, &flight, muzzle, target, &aim);
    if (result != PLOY_OK) {
        printf("%s: %s\n", name, result == PLOY_ERR_NOT_FOUND ? "out of reach" : "no luck");
        return;
    }
    printf("%s: %.1f degrees up, %.1f to the left, %.2f s\n", name,
           ploy_angle_to_degrees(aim.elevation), ploy_angle_to_degrees(aim.bearing), aim.time);
}

int main(void) {
    ploy_vec3 from = {0.0f, 0.0f, 0.0f}, to = {20.0f, 0.0f, 0.0f};
    ploy_vec3 gravity = {0.0f, 0.0f, -PLOY_GRAVITY_MPS2};
    ploy_shot shots[2];
    int count = ploy_firing_find(from, to, 20.0f, gravity, shots);
    for (int i = 0; i < count; i++) {
        printf("%s arc: %.2f s, up %.3f\n", ploy_arc_text((ploy_arc)i), shots[i].time,
               shots[i].direction.z);
    }
    ploy_aim_def aim = ploy_aim_def_default();
    aim.margin = 0.01f;
    aim.interval = 0.02f;
    ploy_flight_def air = ploy_flight_def_default();
    air.drag = 0.1f;
    shoot("drag", &aim, &air);
    air.wind.y = -8.0f; // from the left
    shoot("drag and wind", &aim, &air);
    aim.speed = 14.0f;
    shoot("a weaker charge", &aim, &air);

    ploy_jump_def jumper = ploy_jump_def_default();
    ploy_jump_need need;
    for (float gap = 2.0f; gap <= 8.0f; gap += 2.0f) {
        bool can = ploy_jump_find(&jumper, from, ploy_vec3_make(gap, 0.0f, 0.5f), &need);
        if (can) printf("gap of %.0f m: run at %.1f m/s\n", gap, ploy_vec2_length(need.velocity));
        if (!can) printf("gap of %.0f m: too wide\n", gap);
    }
    return 0;
}
