/// @file ploy/geom/solve.h
/// Equations that games solve all day: one unknown, degree one or two.
///
/// The same operation on both sides changes nothing but multiplying or dividing by zero; these know
/// about the zero. In double, as roots are differences of large numbers. Pure; any thread.
#pragma once

#include "ploy/base/api.h"

/// a x + b = 0.
/// @return how many roots: 1 with *x set, 0 if there is none, -1 if every x is one. Also 0 if a
///         number is not finite.
PLOY_API int32_t ploy_solve_linear(double a, double b, double *x);

/// a x^2 + b x + c = 0, for real x.
/// @return how many roots: 2 with x[0] < x[1], 1 (they coincide, or a is 0), 0, or -1 if every x is
///         one. Those not counted are not written.
PLOY_API int32_t ploy_solve_quadratic(double a, double b, double c, double x[2]);

/// The straight line y = m x + c through two points. @return false if it is upright (equal x).
PLOY_API bool ploy_line_through(double x1, double y1, double x2, double y2, double *m, double *c);
