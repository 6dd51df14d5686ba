// Which rooms may be linked, shared by dungeons and subdivisions.
#pragma once

#include "generate/plan_internal.h"
#include "ploy/generate/spanning.h"

typedef enum ployi_room_rule { // as ploy_dungeon_links
    PLOYI_ROOMS_DELAUNAY,
    PLOYI_ROOMS_GABRIEL,
    PLOYI_ROOMS_DISTANCE
} ployi_room_rule;

// Cells between two rooms' rectangles, straight along both axes; 0 if they touch.
int32_t ployi_rooms_apart(const ploy_plan_room *a, const ploy_plan_room *b);

// Adds the possible links to `out` (ploy_spanning_link), the lower room first, so that all rooms hang
// together. Costs are the distances between the middles, times `bias` between two rooms of value 1.
ploy_result ployi_room_links(const ploy_floor_plan *plan, ployi_room_rule rule, int32_t reach,
                             float bias, const ploy_env *env, ploy_array *out);
