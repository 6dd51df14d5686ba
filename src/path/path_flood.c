// One search to everything; see the header.
#include "path/path_flood.h"

#include <math.h>

ploy_result ployi_flood_create(const ploy_env *env, ploy_search **out) {
    ploy_search_def def = ploy_search_def_default();
    def.weight = 0.0;
    return ploy_search_create(&def, env, out);
}

ploy_result ployi_flood_run(ploy_search *search, const ploy_space *space,
                            const ploy_search_start *starts, int32_t count, bool backward) {
    ploy_space blind = *space;
    blind.estimate = NULL;
    ploy_search_query query = ploy_search_query_make(&blind, starts, PLOY_STATE_NONE);
    query.start_count = count;
    query.backward = backward;
    return ploy_search_run(search, &query); // the space is copied by begin
}

double ployi_flood_cost(const ploy_search *search, int32_t state) {
    ploy_search_node node;
    return ploy_search_get(search, state, &node) ? node.cost : INFINITY;
}
