// A program that links one module, and what that one needs, alone.
#include "ploy/geom/angle.h"

int main(void) {
    return ploy_angle_difference(1.0f, 1.0f) == 0.0f ? 0 : 1;
}
