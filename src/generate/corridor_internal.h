// Corridors between rooms with thick walls, shared by dungeons and subdivisions.
#pragma once

#include "generate/plan_internal.h"

// Digs a corridor with at most one corner between two rooms, straight where they face each other. Tries
// a few places and takes the cheapest. Adds the link and the doors.
// @param corner  the cell of its corner, or one in its middle; -1 if the rooms touch. May be NULL.
// @return PLOY_ERR_MEMORY.
ploy_result ployi_corridor_dig(ploy_floor_plan *plan, int32_t from, int32_t to, bool loop,
                               ploy_rng *rng, int32_t *corner);
