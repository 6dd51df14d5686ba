// Boolean operations on areas in scratch memory, for what is built on them.
#pragma once

#include "ploy/geom/boolean.h"

// Rings that lie anywhere. Nothing is owned.
typedef struct ployi_areas {
    const ploy_polygon *rings;
    int32_t count;
} ployi_areas;

// The rings of a set as an area; none for NULL.
ploy_result ployi_areas_of(const ploy_rings *rings, ploy_arena *scratch, ployi_areas *out);
// ploy_rings_boolean, each side under its own fill rule. Coordinates are finite. What comes out,
// and everything between, is left in scratch.
ploy_result ployi_areas_combine(ployi_areas a, ploy_fill a_fill, ployi_areas b, ploy_fill b_fill,
                                ploy_boolean operation, ploy_arena *scratch, ployi_areas *out);
// Replaces the rings by the areas, which may not lie in them. On failure out is unchanged.
ploy_result ployi_areas_publish(ployi_areas areas, ploy_rings *out);
