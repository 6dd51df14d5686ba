// An agent is in the way: the direction is turned just enough to pass, to the side that needs the
// smaller turn. Shows ploy_pass_by and ploy_pass_by3 of ploy/move/collision.h.
#include <stdio.h>

#include "ploy/geom/angle.h"
#include "ploy/move/collision.h"

static void ask(const char *title, ploy_vec2 requested, float distance) {
    ploy_vec2 here = {0, 0}, other = {distance, 0};
    ploy_vec2 out = ploy_pass_by(here, requested, other, 0.75f, 5.0f);
    printf("%s: %.1f degrees at %.1f m/s\n", title,
           (double)ploy_angle_to_degrees(ploy_angle_of(out)), (double)ploy_vec2_length(out));
}

int main(void) {
    ask("close, a little to the left", ploy_vec2_make(2, 0.1f), 1.5f);
    ask("farther", ploy_vec2_make(2, 0.1f), 3.0f);
    ask("a little to the right", ploy_vec2_make(2, -0.1f), 3.0f);
    ask("out of range: unchanged", ploy_vec2_make(2, -0.1f), 6.0f);
    ask("at the same place: unchanged", ploy_vec2_make(2, -0.1f), 0.0f);
    ploy_vec3 up = ploy_pass_by3(ploy_vec3_zero(), ploy_vec3_make(2, 0, 0.1f),
                                 ploy_vec3_make(3, 0, 0), 0.75f, 5.0f);
    printf("in space, a little upward: (%.2f, %.2f, %.2f)\n", (double)up.x, (double)up.y,
           (double)up.z);
    return 0;
}
