// Exact reduction of any finite double to a quarter turn, shared by the float and double functions.
#pragma once

#include <stdint.h>

// x = (quadrant + 4 k) * pi/2 + high + low with |high| <= pi/4 (and a hair) and about 100 correct
// bits. Returns the quadrant, 0 to 3. NaN and infinities give NaN.
int32_t ployi_reduce_exact(double x, double *high, double *low);
