// Shared by the searches for many agents.
#pragma once

#include "ploy/search/search.h"

// How many edges it is to a goal from each state; -1: there is no path. `flood` is a breadth-first
// search that is used for it.
ploy_result ployi_cooperative_hops(ploy_search *flood, const ploy_space *space, int32_t goal,
                                   int32_t *out);
