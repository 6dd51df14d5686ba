// Around a president on the move: a bodyguard between him and the crowd, a wing man in his slot,
// a dog at heel, a photographer who only passes by, and a car that keeps his pace. Prints how
// far each is from where it should be. Shows ploy_interpose, ploy_offset_pursuit, ploy_follow,
// ploy_fly_by and ploy_match_velocity.
#include <stdio.h>

#include "ploy/move/escort.h"
#include "ploy/move/integrate.h"
#include "ploy/move/match.h"

int main(void) {
    ploy_interpose_def between = ploy_interpose_def_default();
    ploy_offset_pursuit_def slot = ploy_offset_pursuit_def_default();
    ploy_follow_def heel = ploy_follow_def_default();
    ploy_fly_by_def pass = ploy_fly_by_def_default();
    ploy_match_def pace = ploy_match_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 5.0f;
    ploy_kinematic president = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    president.velocity = ploy_vec2_make(1.5f, 0.0f);
    ploy_kinematic crowd = ploy_kinematic_make(ploy_vec2_make(6.0f, 8.0f), 0.0f);
    ploy_kinematic guard = ploy_kinematic_make(ploy_vec2_make(-4.0f, 4.0f), 0.0f);
    ploy_kinematic wing = ploy_kinematic_make(ploy_vec2_make(-4.0f, 0.0f), 0.0f), dog = wing;
    ploy_kinematic photographer = ploy_kinematic_make(ploy_vec2_make(12.0f, -6.0f), 0.0f);
    ploy_kinematic car = ploy_kinematic_make(ploy_vec2_make(0.0f, -3.0f), 0.0f);
    ploy_vec2 right = {0.0f, -2.0f}; // in the president's own axes: x ahead, y left
    float nearest = 1e9f;
    for (int tick = 0; tick < 300; tick++) {
        const float dt = 1.0f / 60.0f;
        guard =
            ploy_integrate(&motion, guard, ploy_interpose(&between, guard, president, crowd), dt);
        wing =
            ploy_integrate(&motion, wing, ploy_offset_pursuit(&slot, wing, president, right), dt);
        dog = ploy_integrate(&motion, dog, ploy_follow(&heel, dog, president), dt);
        photographer =
            ploy_integrate(&motion, photographer, ploy_fly_by(&pass, photographer, president), dt);
        car = ploy_integrate(&motion, car, ploy_match_velocity(&pace, car, president.velocity), dt);
        president = ploy_integrate(&motion, president, ploy_steering_none(), dt);
        float apart = ploy_vec2_distance(photographer.position, president.position);
        nearest = apart < nearest ? apart : nearest;
    }
    ploy_vec2 middle = ploy_vec2_lerp(president.position, crowd.position, 0.5f);
    ploy_vec2 place = ploy_vec2_add(president.position, right);
    printf("guard %.1f m off the middle\n", ploy_vec2_distance(guard.position, middle));
    printf("wing man %.1f m off his slot\n", ploy_vec2_distance(wing.position, place));
    printf("dog %.1f m behind\n", president.position.x - dog.position.x);
    printf("the photographer came as near as %.1f m\n", nearest);
    printf("car at %.1f m/s\n", car.velocity.x);
    return 0;
}
