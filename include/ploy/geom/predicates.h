/// @file ploy/geom/predicates.h
/// On which side, and in which circle: the two questions that triangulations, hulls and polygons
/// rest on, answered exactly.
///
/// An answer that is off by a rounding error once makes a hull bulge inward or a triangulation run
/// forever. So each question is first asked in double with a bound on its error; only where the
/// bound does not decide is the sum made without any rounding, as an expansion of doubles.
/// Technique: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates",
/// 1997. Ours is simpler where floats allow it: the product of two floats is exact in double, so
/// that the exact orientation is a sum of six numbers, and nothing over- or underflows.
///
/// Exact for all finite floats, from the smallest to the largest; 0 if a coordinate is not finite.
/// The same bits everywhere. Cost: a few nanoseconds where the first look can tell, up to
/// microseconds where it cannot. Pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

/// The turn at b on the way a, b, c: +1 to the left (counter-clockwise, with y up), -1 to the
/// right, 0 if the three lie on one line.
PLOY_API int32_t ploy_orient2(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c);

/// +1 if d is inside the circle through a, b and c, -1 outside, 0 on it, where a, b, c go
/// counter-clockwise; the other way round the sign changes. Three on one line, b
/// between a and c, are a circle without end: then +1 means that d lies to the left of a -> c.
PLOY_API int32_t ploy_in_circle(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d);
