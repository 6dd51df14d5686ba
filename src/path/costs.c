// Costs from outside; see the header.
#include "ploy/path/costs.h"

#include "path/path_internal.h"

#include <math.h>

ploy_cost_hook ploy_cost_hook_none(void) {
    ploy_cost_hook hook = {NULL, NULL};
    return hook;
}

double ployi_cost_layer_cost(void *user, int32_t from, int32_t to, int32_t label, double base) {
    const ploy_cost_layer *layer = user;
    (void)from;
    (void)label;
    if (to < 0 || to >= layer->count || !(layer->values[to] > 0.0f)) return base;
    if (layer->values[to] == INFINITY) return (double)INFINITY; // also with a weight or base of 0
    return base * (1.0 + (double)layer->weight * (double)layer->values[to]);
}

ploy_cost_hook ploy_cost_layer_hook(ploy_cost_layer *layer) {
    ploy_cost_hook hook = {ployi_cost_layer_cost, layer};
    return hook;
}
