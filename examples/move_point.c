// To a point, by three methods: seek runs through it, arrive stops on it, and the arcade form takes on
// its velocity at once. A fourth flees it, a fifth does the same in space. Prints where each is
// after a second and after four. Shows ploy_seek, ploy_arrive, ploy_flee, ploy_seek_velocity,
// ploy_arrive3.
#include <stdio.h>

#include "ploy/move/arrive.h"
#include "ploy/move/flee.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"

int main(void) {
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_flee_def flee = ploy_flee_def_default();
    flee.panic_distance = 6.0f; // farther away it does not care
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.drag = 0.2f; // agents that request nothing come to rest
    ploy_vec2 point = {8.0f, 0.0f};
    ploy_kinematic seeker = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_kinematic arriver = seeker, arcade = seeker;
    ploy_kinematic coward = ploy_kinematic_make(ploy_vec2_make(6.0f, 1.0f), 0.0f);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 3.0f));
    for (int tick = 1; tick <= 240; tick++) {
        const float dt = 1.0f / 60.0f;
        seeker = ploy_integrate(&motion, seeker, ploy_seek(&seek, seeker, point), dt);
        arriver = ploy_integrate(&motion, arriver, ploy_arrive(&arrive, arriver, point), dt);
        coward = ploy_integrate(&motion, coward, ploy_flee(&flee, coward, point), dt);
        arcade =
            ploy_kinematic_output_apply(ploy_seek_velocity(&seek, arcade.position, point), arcade);
        arcade = ploy_integrate(&motion, arcade, ploy_steering_none(), dt);
        ploy_vec3 perch = {8.0f, 0.0f, 1.0f};
        bird = ploy_integrate3(&motion, bird, ploy_arrive3(&arrive, bird, perch), dt);
        if (tick != 60 && tick != 240) continue;
        printf("%d s: seek %.1f, arrive %.1f at %.1f m/s, arcade %.1f, flee %.1f m away, "
               "bird %.1f %.1f\n",
               tick / 60, seeker.position.x, arriver.position.x, ploy_vec2_length(arriver.velocity),
               arcade.position.x, ploy_vec2_distance(coward.position, point), bird.position.x,
               bird.position.z);
    }
    return 0;
}
