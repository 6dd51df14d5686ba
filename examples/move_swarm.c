// A swarm of drones in space flies round a tower, and no two of them touch. You will see where its
// middle is and how near any two came. Shows ploy_flock3_batch and ploy_overlap_find3 over an
// index, and path following in space.
#include <stdio.h>

#include "ploy/ploy.h"

enum { DRONES = 40 };

static const ploy_vec3 round_the_tower[] = {{20, 0, 5},   {14, 14, 8}, {0, 20, 10},
                                            {-14, 14, 8}, {-20, 0, 5}, {0, -20, 4}};

// Between the centres of the two nearest, and where the middle of all is.
static float nearest(const ploy_kinematic3 *drones, ploy_vec3 *middle) {
    float least = 1e9f;
    *middle = ploy_vec3_zero();
    for (int i = 0; i < DRONES; i++) {
        *middle = ploy_vec3_add_scaled(*middle, drones[i].position, 1.0f / DRONES);
        for (int k = 0; k < i; k++) {
            float apart = ploy_vec3_distance(drones[i].position, drones[k].position);
            least = apart < least ? apart : least;
        }
    }
    return least;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_bvh_def tree = ploy_bvh_def_default();
    tree.capacity = DRONES;
    ploy_bvh3 *bvh = NULL;
    if (ploy_bvh3_create(&tree, &env, &bvh) != PLOY_OK) return 1;
    ploy_kinematic3 drones[DRONES];
    ploy_steering3 flock[DRONES], route[DRONES];
    ploy_box3 boxes[DRONES];
    ploy_vec3 pushes[DRONES], middle;
    float alongs[DRONES] = {0.0f}, radii[DRONES], least = 1e9f;
    ploy_rng rng = ploy_rng_make(5);
    for (int i = 0; i < DRONES; i++) {
        float y = ploy_rng_range(&rng, -4.0f, 4.0f), z = ploy_rng_range(&rng, 1.0f, 9.0f);
        drones[i] = ploy_kinematic3_make(ploy_vec3_make(20.0f + y * 0.5f, y, z));
        radii[i] = 0.25f;
    }
    ploy_kinematics3 view = ploy_kinematics3_of(drones, DRONES);
    ploy_steerings3 to_flock = ploy_steerings3_of(flock, DRONES);
    ploy_steerings3 to_route = ploy_steerings3_of(route, DRONES);
    ploy_flock_def rules = ploy_flock_def_default();
    ploy_path_follow_def follow = ploy_path_follow_def_default();
    follow.ahead = 5.0f;
    ploy_overlap_def apart = ploy_overlap_def_default();
    apart.max_radius = 0.25f;
    ploy_integrate_def motion = ploy_integrate_def_default();
    for (int tick = 0; tick < 1200; tick++) {
        for (int i = 0; i < DRONES; i++) {
            boxes[i] = ploy_box3_make(drones[i].position, drones[i].position);
        }
        ploy_bvh3_rebuild(bvh, boxes, DRONES);
        ploy_index3 index = ploy_bvh3_index(bvh);
        ploy_flock3_batch(&rules, &view, 0, DRONES, &index, &to_flock);
        ploy_path_follow3_batch(&follow, &view, 0, DRONES, round_the_tower, 6, true, alongs,
                                &to_route);
        for (int i = 0; i < DRONES; i++) flock[i] = ploy_steering3_add(flock[i], route[i]);
        ploy_integrate3_batch(&motion, &view, 0, DRONES, &to_flock, 1.0f / 60.0f);
        // Twice, because a push may end in a third.
        for (int pass = 0; pass < 2; pass++) {
            ploy_overlap_find3(&apart, &view, radii, 0, DRONES, NULL, pushes);
            ploy_overlap_apply3(&view, 0, DRONES, pushes);
        }
        float now = nearest(drones, &middle);
        if (tick > 60 && now < least) least = now;
        if (tick % 300 == 299) {
            printf("%2d s: %.0f %.0f %.0f\n", (tick + 1) / 60, middle.x, middle.y, middle.z);
        }
    }
    printf("no two nearer than %.1f m, %.1f m is touching\n", least, 2.0f * radii[0]);
    ploy_bvh3_destroy(bvh);
    return 0;
}
