// Ground from a grid of heights. You will see a hill of 9 by 9 samples, how high and how steep it
// is on the way across, and who can see whom over it. Shows ploy/geom/heightfield.h.
#include <stdio.h>

#include "ploy/geom/heightfield.h"

enum { SIZE = 9 };

static float heights[SIZE * SIZE];

// Eye to eye, 1.7 m above the ground at both ends.
static bool sees(const ploy_heightfield *ground, ploy_vec2 from, ploy_vec2 to) {
    float low, high;
    if (!ploy_heightfield_height(ground, from, &low)) return false;
    if (!ploy_heightfield_height(ground, to, &high)) return false;
    ploy_ray3 sight = ploy_ray3_between(ploy_vec3_from_vec2(from, low + 1.7f),
                                        ploy_vec3_from_vec2(to, high + 1.7f));
    return !ploy_ray3_hit_heightfield(sight, ground, NULL);
}

int main(void) {
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            int x = column - 4, y = row - 4;
            int hill = 16 - x * x - y * y;
            heights[row * SIZE + column] = hill > 0 ? (float)hill * 0.5f : 0.0f;
        }
    }
    ploy_heightfield ground =
        ploy_heightfield_make(heights, SIZE, SIZE, ploy_vec2_make(-20.0f, -20.0f), 5.0f);
    for (float x = -18.0f; x <= 18.0f; x += 6.0f) {
        float height = 0.0f, slope = 0.0f;
        ploy_heightfield_height(&ground, ploy_vec2_make(x, 2.0f), &height);
        ploy_heightfield_slope(&ground, ploy_vec2_make(x, 2.0f), &slope);
        printf("x %3.0f: %.2f m high, slope %.2f\n", (double)x, (double)height, (double)slope);
    }
    ploy_vec2 west = {-18, 0}, east = {18, 0}, top = {0, 0};
    printf("west sees east: %s\n", sees(&ground, west, east) ? "yes" : "no");
    printf("west sees the top: %s\n", sees(&ground, west, top) ? "yes" : "no");

    ploy_hit3 hit;
    ploy_ray3 shot = ploy_ray3_make(ploy_vec3_make(-18.0f, 0.0f, 4.0f), ploy_vec3_make(1, 0, 0));
    if (ploy_ray3_hit_heightfield(shot, &ground, &hit)) {
        printf("a level shot lands after %.2f m, %.2f m high\n", (double)hit.distance,
               (double)hit.point.z);
    }
    return 0;
}
