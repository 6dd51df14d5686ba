// A drone of 30 cm flies through a room: a ramp of two triangles, a pillar, a guard. You will see
// what it meets first in three directions, where they touch, and how far it gets. Shows
// ploy/geom/sphere.h, ploy/geom/capsule.h and ploy/geom/triangle.h.
#include <stdio.h>
#include <string.h>

#include "ploy/geom/capsule.h"
#include "ploy/geom/triangle.h"

typedef struct room {
    ploy_triangle3 ramp[2];
    ploy_box3 pillar;
    ploy_capsule guard;
} room;

// The nearest of all hits: each shape is asked in turn, and a nearer answer replaces the last.
static const char *first_hit(const room *r, ploy_sweep3 drone, ploy_hit3 *out) {
    const char *what = "nothing";
    ploy_hit3 hit;
    memset(out, 0, sizeof *out);
    out->distance = drone.ray.length;
    for (int i = 0; i < 2; i++) {
        if (ploy_sweep3_hit_triangle(drone, r->ramp[i], &hit) && hit.distance < out->distance) {
            *out = hit;
            what = "the ramp";
        }
    }
    if (ploy_sweep3_hit_box(drone, r->pillar, &hit) && hit.distance < out->distance) {
        *out = hit;
        what = "the pillar";
    }
    if (ploy_sweep3_hit_capsule(drone, r->guard, &hit) && hit.distance < out->distance) {
        *out = hit;
        what = "the guard";
    }
    return what;
}

int main(void) {
    ploy_vec3 a = {4, -2, 0}, b = {8, -2, 2}, c = {8, 2, 2}, d = {4, 2, 0};
    room r;
    r.ramp[0] = ploy_triangle3_make(a, b, c);
    r.ramp[1] = ploy_triangle3_make(a, c, d);
    r.pillar = ploy_box3_make(ploy_vec3_make(2, 3, 0), ploy_vec3_make(3, 4, 5));
    r.guard = ploy_capsule_upright(ploy_vec3_make(0, -5, 0), 1.8f, 0.4f);

    const ploy_vec3 goals[3] = {{10, 0, 1}, {4, 5.6f, 2}, {0, -10, 1}};
    for (int i = 0; i < 3; i++) {
        ploy_sweep3 drone = ploy_sweep3_between(ploy_vec3_make(0, 0, 1), goals[i], 0.3f);
        ploy_hit3 hit;
        const char *what = first_hit(&r, drone, &hit);
        printf("to (%g, %g, %g): %s after %.2f m", (double)goals[i].x, (double)goals[i].y,
               (double)goals[i].z, what, (double)hit.distance);
        if (hit.distance < drone.ray.length) {
            printf(", touching at (%.2f, %.2f, %.2f), normal (%.2f, %.2f, %.2f)",
                   (double)hit.point.x, (double)hit.point.y, (double)hit.point.z,
                   (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
        }
        printf("\n");
    }
    return 0;
}
