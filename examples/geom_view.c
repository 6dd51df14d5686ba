// Who is in sight? A guard's view cone and a camera's frustum are asked about three bodies and a
// crate. You will see what each makes of them. Shows ploy/geom/frustum.h and ploy/geom/obb3.h.
#include <stdio.h>

#include "ploy/geom/frustum.h"
#include "ploy/geom/obb3.h"

static const char *word(ploy_visibility seen) {
    static const char *const words[] = {"outside", "crossing", "inside"};
    return words[seen];
}

int main(void) {
    ploy_vec3 eye = {0, 0, 1.7f};
    ploy_quat ahead = ploy_quat_from_orientation(0.0f);
    // 100 degrees wide for 12 m, as eyes are; the camera sees 90 by 60 degrees from 0.5 to 30 m.
    ploy_cone guard = ploy_cone_make(eye, ploy_quat_forward(ahead), 0.8727f, 12.0f);
    ploy_frustum camera = ploy_frustum_make(eye, ahead, 1.5708f, 1.0472f, 0.5f, 30.0f);

    const ploy_vec3 bodies[3] = {{8, 3, 1}, {4, 4.9f, 1}, {20, 0, 1}};
    for (int i = 0; i < 3; i++) {
        ploy_sphere body = ploy_sphere_make(bodies[i], 0.5f);
        printf("body %d: guard %s, camera %s\n", i,
               ploy_cone_overlaps_sphere(guard, body) ? "sees it" : "does not",
               word(ploy_frustum_see_sphere(&camera, body)));
    }

    // A rotated crate: does it hide body 0 from the guard?
    ploy_obb3 crate =
        ploy_obb3_make(ploy_vec3_make(5.0f, 2.0f, 1.0f), ploy_vec3_make(1.0f, 0.5f, 1.0f),
                       ploy_quat_from_orientation(0.5f));
    ploy_hit3 hit;
    if (ploy_ray3_hit_obb3(ploy_ray3_between(eye, bodies[0]), crate, &hit)) {
        printf("the crate is in the way after %.2f m\n", (double)hit.distance);
    }
    printf("camera: the crate is %s\n",
           word(ploy_frustum_see_box(&camera, ploy_box3_of_obb3(crate))));
    return 0;
}
