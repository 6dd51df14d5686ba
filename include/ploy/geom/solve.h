/// @file ploy/geom/solve.h
/// Solvers for linear and quadratic equations in one unknown.
///
/// Zero coefficients are handled. Computed in double, because roots are differences of large
/// numbers. Pure; any thread.
#pragma once

#include "ploy/base/api.h"

/// Solves a x + b = 0.
/// @return the number of roots: 1 with *x set, 0 if there is none or a number is not finite, -1 if
///         every x is a root.
PLOY_API int32_t ploy_solve_linear(double a, double b, double *x);

/// Solves a x^2 + b x + c = 0 for real x.
/// @return the number of roots: 2 with x[0] < x[1], 1 (they coincide, or a is 0), 0, or -1 if every
///         x is a root. No others are written.
PLOY_API int32_t ploy_solve_quadratic(double a, double b, double c, double x[2]);
