// Shared between the files of splines: a view without dimensions, and the cubic of one span.
#pragma once

#include "ploy/geom/spline.h"

// The plane and space as one: points are `dims` floats each, side by side.
typedef struct ployi_spline {
    const float *points;
    const float *along; // or NULL
    int32_t dims, count, spans;
    ploy_spline_kind kind;
    bool closed;
} ployi_spline;

// p(u) = start + c[0] u + c[1] u^2 + c[2] u^3 for u from 0 to 1; parts beyond dims are 0.
typedef struct ployi_cubic {
    double start[3], c[3][3], end[3];
} ployi_cubic;

// A place: within a span, 0 <= u <= 1.
typedef struct ployi_spline_place {
    int32_t span;
    double u;
} ployi_spline_place;

// In spline.c.
ployi_spline ployi_spline_of2(const ploy_spline2 *spline);
ployi_spline ployi_spline_of3(const ploy_spline3 *spline);
ployi_cubic ployi_spline_cubic(const ployi_spline *spline, int32_t span);
// From the span's start, so that digits are left where the start is far from the origin.
void ployi_cubic_from_start(const ployi_cubic *cubic, double u, double out[3]);
void ployi_cubic_derivative(const ployi_cubic *cubic, double u, double out[3]);

// In spline_length.c.
float ployi_spline_length(const ployi_spline *spline);
// `along` held or wrapped into the spline of that length.
float ployi_spline_wrap_along(const ployi_spline *spline, float along, float length);
// The place at that many metres along, which lies within [0, length].
ployi_spline_place ployi_spline_place_at(const ployi_spline *spline, float along);
// The span that holds it, by the table, which there must be.
int32_t ployi_spline_span_at(const ployi_spline *spline, float along);
float ployi_spline_along_of(const ployi_spline *spline, ployi_spline_place place);

static inline double ployi_dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
