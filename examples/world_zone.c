// The shapes of trigger regions: does a body of 0.5 m touch the region, and is its centre inside?
// Bare contact is not a touch. Shows ploy_zone_touches and ploy_zone_contains.
#include <stdio.h>

#include "ploy/world/zone.h"

static void test(const char *name, ploy_zone zone, float x, float z) {
    ploy_vec3 at = ploy_vec3_make(x, 0.0f, z);
    printf("%-9s at (%g, 0, %g): %s, centre %s\n", name, (double)x, (double)z,
           ploy_zone_touches(&zone, at, 0.5f) ? "touches" : "does not touch",
           ploy_zone_contains(&zone, at) ? "inside" : "outside");
}

int main(void) {
    static const ploy_vec2 wedge[] = {{0.0f, 0.0f}, {3.0f, -3.0f}, {3.0f, 3.0f}};
    ploy_zone circle = ploy_zone_circle(ploy_vec2_zero(), 2.0f);
    ploy_zone box = ploy_zone_box(ploy_vec2_make(-2.0f, -1.0f), ploy_vec2_make(2.0f, 1.0f));
    ploy_zone sphere = ploy_zone_sphere(ploy_vec3_zero(), 2.0f);
    ploy_zone cylinder = ploy_zone_cylinder(ploy_vec3_zero(), 2.0f, 3.0f);
    test("circle", circle, 1.0f, 0.0f);
    test("circle", circle, 2.25f, 0.0f);
    test("circle", circle, 2.5f, 0.0f);   // bare contact
    test("circle", circle, 1.0f, 100.0f); // shapes of the plane have no ceiling
    test("box", box, 2.25f, 0.0f);
    test("polygon", ploy_zone_polygon(wedge, 3), 1.0f, 0.0f);
    test("polygon", ploy_zone_polygon(wedge, 3), -0.25f, 0.0f);
    test("sphere", sphere, 1.0f, 2.0f);
    test("sphere", sphere, 2.0f, 2.0f);
    test("cylinder", cylinder, 2.0f, 2.0f);
    test("cylinder", cylinder, 1.0f, 4.0f);
    test("prism", ploy_zone_prism(wedge, 3, 0.0f, 2.0f), 1.0f, 1.0f);
    test("prism", ploy_zone_prism(wedge, 3, 0.0f, 2.0f), 1.0f, 3.0f);
    return 0;
}
