// A batch over your own structs: sheep run from a wolf, each only while it is near. The views point
// into the game's own array; nothing is copied into structs of ploy's. Shows ploy_kinematics_make
// with a stride, ploy_flee_batch, ploy_integrate_batch, and what a bad range gives.
#include <stdio.h>

#include "ploy/move/flee.h"
#include "ploy/move/integrate.h"

typedef struct sheep {
    char name[8];
    float x, y, angle; // m, rad
    float vx, vy;      // m/s
    int wool;
} sheep;

int main(void) {
    sheep flock[] = {{"Ann", 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 3},
                     {"Bob", 0.0f, -4.0f, 0.0f, 0.0f, 0.0f, 5},
                     {"Cid", 30.0f, 0.0f, 0.0f, 0.0f, 0.0f, 7}};
    int32_t count = 3;
    ploy_kinematics agents =
        ploy_kinematics_make(count, &flock[0].x, &flock[0].y, &flock[0].angle, &flock[0].vx,
                             &flock[0].vy, NULL, sizeof flock[0]);
    ploy_steering steerings[3];
    ploy_steerings out = ploy_steerings_of(steerings, count);
    ploy_vec2 wolf = {0.0f, 0.0f};
    ploy_points threat = ploy_points_one(&wolf); // the same for all
    ploy_flee_def flee = ploy_flee_def_default();
    flee.panic_distance = 10.0f;
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.drag = 0.5f; // agents that request nothing come to rest
    for (int tick = 0; tick < 240; tick++) {
        ploy_flee_batch(&flee, &agents, 0, count, &threat, &out);
        ploy_integrate_batch(&motion, &agents, 0, count, &out, 1.0f / 60.0f);
    }
    for (int32_t i = 0; i < count; i++) {
        printf("%s is at %.1f %.1f, wool %d, %s\n", flock[i].name, flock[i].x, flock[i].y,
               flock[i].wool, steerings[i].requested ? "running" : "calm");
    }
    ploy_result result = ploy_flee_batch(&flee, &agents, 0, count + 1, &threat, &out);
    printf("one sheep too many: %s\n", ploy_result_text(result));
    return 0;
}
