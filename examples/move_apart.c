// The three rules of flocking one by one: what an agent sees of four others, and what each rule
// makes of it. Shows ploy_neighbours_find, ploy_separate, ploy_conform and ploy_cohere.
#include <stdio.h>

#include "ploy/move/flock.h"

static void print_request(const char *rule, ploy_steering steering) {
    printf("%-8s %5.1f %5.1f\n", rule, steering.linear.x, steering.linear.y);
}

int main(void) {
    ploy_flock_def rules = ploy_flock_def_default(); // sees 4 m around, but not straight behind
    ploy_kinematic birds[5];
    static const ploy_vec2 places[5] = {{0, 0}, {1, 0}, {2, 2}, {-3, 0}, {9, 9}};
    for (int i = 0; i < 5; i++) {
        birds[i] = ploy_kinematic_make(places[i], 0.0f);
        birds[i].velocity = ploy_vec2_make(0.0f, 1.0f);
    }
    birds[0].velocity = ploy_vec2_make(2.0f, 0.0f);
    ploy_kinematics flock = ploy_kinematics_of(birds, 5);
    ploy_neighbours seen = ploy_neighbours_find(&rules, birds[0], &flock, 0);
    printf("the first sees %d of four\n", (int)seen.count);
    print_request("separate", ploy_separate(&rules, &seen));
    print_request("conform", ploy_conform(&rules, birds[0], &seen));
    print_request("cohere", ploy_cohere(&rules, birds[0], &seen));
    print_request("all", ploy_flock_steer(&rules, birds[0], &seen));
    return 0;
}
