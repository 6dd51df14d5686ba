// Which neighbours a bird sees: the four view models asked about one ring of eight others, then the
// sum over those seen. Shows ploy_flock_sees and ploy_neighbours_find.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/flock.h"

int main(void) {
    static const char *const names[] = {"all", "wide", "limited", "narrow"};
    ploy_flock_def rules = ploy_flock_def_default(); // sees 4 m far
    ploy_kinematic bird = ploy_kinematic_make(ploy_vec2_zero(), 0.0f), ring[8];
    bird.velocity = ploy_vec2_make(1.0f, 0.0f);
    for (int i = 0; i < 8; i++) { // every 45 degrees, from straight ahead to the left
        ploy_vec2 heading = ploy_angle_heading(ploy_angle_from_degrees(45.0f * (float)i + 5.0f));
        ring[i] = ploy_kinematic_make(ploy_vec2_scale(heading, 3.0f), 0.0f);
    }
    ploy_kinematics others = ploy_kinematics_of(ring, 8);
    for (int view = PLOY_VIEW_ALL; view <= PLOY_VIEW_NARROW; view++) {
        rules.view = (ploy_view_model)view;
        printf("%-8s", names[view]);
        for (int i = 0; i < 8; i++) {
            printf(" %c", ploy_flock_sees(&rules, bird, ring[i].position) ? 'x' : '.');
        }
        ploy_neighbours seen = ploy_neighbours_find(&rules, bird, &others, -1);
        printf("  %d seen, their middle is %.1f m away\n", (int)seen.count,
               ploy_vec2_length(seen.middle));
    }
    rules.radius = 2.0f;
    rules.view = PLOY_VIEW_ALL;
    printf("2 m far: %d seen\n", (int)ploy_neighbours_find(&rules, bird, &others, -1).count);
    return 0;
}
