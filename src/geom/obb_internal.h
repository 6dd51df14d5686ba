// Shared between the files about oriented boxes.
#pragma once

#include "geom/geom_internal.h"
#include "ploy/geom/obb.h"

// In obb.c: the point in the box's own frame, as ploy_obb2_contains compares it with the half
// sizes.
ployi_dvec2 ployi_obb2_within(ploy_obb2 box, ploy_vec2 point);
