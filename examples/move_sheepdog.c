// Twenty sheep that flock, and a dog that walks at them from behind: they evade it and go together.
// You will see the herd's middle and its size. Shows ploy/move/flock.h and pursue.h.
#include <stdio.h>

#include "ploy/ploy.h"

enum { SHEEP = 20 };

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_flock_def rules = ploy_flock_def_default();
    rules.radius = 8.0f;
    ploy_flock *herd = NULL;
    if (ploy_flock_create(&rules, SHEEP, &env, &herd) != PLOY_OK) return 1;
    ploy_kinematic sheep[SHEEP];
    ploy_steering steerings[SHEEP];
    ploy_rng rng = ploy_rng_make(7);
    for (int i = 0; i < SHEEP; i++) {
        float x = ploy_rng_range(&rng, -6.0f, 6.0f), y = ploy_rng_range(&rng, -6.0f, 6.0f);
        sheep[i] = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
    }
    ploy_kinematic dog = ploy_kinematic_make(ploy_vec2_make(-12.0f, 0.0f), 0.0f);
    dog.velocity = ploy_vec2_make(1.0f, 0.0f);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.threat_range = 7.0f;
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 3.0f;
    motion.drag = 0.8f; // undisturbed sheep come to rest
    ploy_kinematics view = ploy_kinematics_of(sheep, SHEEP);
    ploy_steerings out = ploy_steerings_of(steerings, SHEEP);
    for (int tick = 0; tick <= 900; tick++) {
        ploy_flock_update(herd, &view);
        ploy_flock_step_all(herd, NULL, &out);
        ploy_vec2 middle = {0.0f, 0.0f};
        for (int i = 0; i < SHEEP; i++) {
            steerings[i] = ploy_steering_add(steerings[i], ploy_evade(&evade, sheep[i], dog));
            sheep[i] = ploy_integrate(&motion, sheep[i], steerings[i], 1.0f / 60.0f);
            middle = ploy_vec2_add_scaled(middle, sheep[i].position, 1.0f / SHEEP);
        }
        dog.position = ploy_vec2_add_scaled(dog.position, dog.velocity, 1.0f / 60.0f);
        if (tick % 300 == 299) printf("%2d s: the herd is at %.1f m\n", (tick + 1) / 60, middle.x);
    }
    ploy_flock_destroy(herd);
    return 0;
}
