// A walker crosses a field of pillars: it follows its path, and pillars in the way come first. You
// will see where it is every two seconds, and how near it came. Shows ploy/move/obstacle.h and
// path_follow.h.
#include <stdio.h>

#include "ploy/ploy.h"

int main(void) {
    ploy_circle pillars[] = {{{8.0f, 0.2f}, 1.0f}, {{14.0f, 3.0f}, 1.5f}, {{20.0f, 6.2f}, 1.0f}};
    ploy_vec2 points[] = {{0.0f, 0.0f}, {12.0f, 0.0f}, {24.0f, 8.0f}};
    ploy_polyline path = ploy_polyline_make(points, 3, false);
    ploy_path_follow_def follow = ploy_path_follow_def_default();
    ploy_obstacle_def avoid = ploy_obstacle_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 5.0f;
    ploy_kinematic walker = ploy_kinematic_make(points[0], 0.0f);
    float along = 0.0f, gap = 1e9f;
    int tick = 0;
    for (; tick < 1200 && !ploy_path_follow_done(&follow, walker, &path, along); tick++) {
        if (tick % 120 == 0) {
            printf("%2d s: %.1f %.1f\n", tick / 60, walker.position.x, walker.position.y);
        }
        ploy_steering steering = ploy_path_follow(&follow, walker, &path, &along);
        ploy_steering away = ploy_avoid_obstacles(&avoid, walker, pillars, 3);
        if (away.requested) steering = away;
        walker = ploy_integrate(&motion, walker, steering, 1.0f / 60.0f);
        for (int i = 0; i < 3; i++) {
            float edge = ploy_vec2_distance(walker.position, pillars[i].centre) - pillars[i].radius;
            if (edge < gap) gap = edge;
        }
    }
    printf("there after %.1f s, %s\n", tick / 60.0,
           gap > 0.0f ? "without touching a pillar" : "with a bruise");
    return 0;
}
