/// @file ploy/geom/predicates.h
/// Exact predicates: side of a line and inside a circle, the two tests that triangulations, hulls
/// and polygons are built on.
///
/// A single rounding error in a test can make a hull bulge inward or a triangulation run forever.
/// So each test is first computed in double with an error bound; only if the bound does not decide
/// is the sum computed without any rounding, as an expansion of doubles. Technique: Shewchuk,
/// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997. This
/// version is simpler where floats allow it: the product of two floats is exact in double, so the
/// exact orientation is a sum of six numbers, and nothing overflows or underflows.
///
/// Exact for all finite floats, from the smallest to the largest; 0 if a coordinate is not finite.
/// Bit-identical on all platforms. Cost: a few nanoseconds if the first computation decides, up to
/// microseconds if it does not. Pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

/// The turn at b on the path a, b, c: +1 to the left (counter-clockwise, with y up), -1 to the
/// right, 0 if the three are on one line.
PLOY_API int32_t ploy_orient2(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c);

/// +1 if d is inside the circle through a, b and c, -1 outside, 0 on it, if a, b, c go
/// counter-clockwise; if clockwise, the sign is reversed. Three points on one line, with b between
/// a and c, count as a circle of infinite radius: +1 means that d is to the left of a -> c.
PLOY_API int32_t ploy_in_circle(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d);
