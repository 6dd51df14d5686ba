// Shared by the tables of the module: one search to everything, its costs in an array.
#pragma once

#include "ploy/search/search.h"

// A search by cost alone, without a goal. Destroyed by the caller.
ploy_result ployi_flood_create(const ploy_env *env, ploy_search **out);
// Reaches all it can from some states (backward: to them).
ploy_result ployi_flood_run(ploy_search *search, const ploy_space *space,
                            const ploy_search_start *starts, int32_t count, bool backward);
// What a state costs after that; INFINITY if it was not reached.
double ployi_flood_cost(const ploy_search *search, int32_t state);

// fmin and fmax are calls in some libraries; none of the numbers here is NaN.
static inline double ployi_least(double a, double b) {
    return b < a ? b : a;
}

static inline double ployi_most(double a, double b) {
    return b > a ? b : a;
}
