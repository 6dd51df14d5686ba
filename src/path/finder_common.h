// A finder that keeps its path as edges between states of a representation: what such finders share.
#pragma once

#include "path/finder_internal.h"

// The first member of such a finder. Edges that lead from a state to itself with the label -1 are
// waits: ticks or seconds in which the agent stays.
typedef struct ployi_common_finder {
    ploy_finder_state state;
    ploy_env env;
    ploy_representation level;
    ploy_array found; // ploy_edge, when the outcome is found or partial
} ployi_common_finder;

void ployi_common_finder_init(ployi_common_finder *self, const ploy_representation *level,
                              const ploy_env *env);
void ployi_common_finder_fini(ployi_common_finder *self);
// Appends a step to the path.
ploy_result ployi_common_finder_add(ployi_common_finder *self, int32_t to, double cost,
                                    int32_t label);
// The label and cost of the cheapest edge between two states. @return PLOY_ERR_CALLBACK without one.
ploy_result ployi_common_finder_edge(const ployi_common_finder *self, int32_t from, int32_t to,
                                     ploy_edges *scratch, ploy_edge *out);

// Callbacks of a ploy_finder_type.
ploy_result ployi_common_finder_path(void *self, ploy_path *path);
int32_t ployi_common_finder_states(const void *self, int32_t *out, int32_t capacity);
int32_t ployi_common_finder_locate(const void *self, ploy_vec3 place,
                                   const ploy_path_request *request);
bool ployi_common_finder_clear(const void *self, ploy_vec3 from, ploy_vec3 to,
                               const ploy_path_request *request);
// The path as lines.
void ployi_common_finder_draw(const void *self, ploy_draw *out);

// Writes the path; arrives: also the request's `to`.
ploy_result ployi_common_finder_write(ployi_common_finder *self, bool arrives, ploy_path *path);
void ployi_common_finder_memory(const ployi_common_finder *self, size_t size, ploy_memory_fn fn,
                                void *user);
// The generation of the level.
uint64_t ployi_common_finder_level(const ployi_common_finder *self);

static inline ploy_path_outcome ployi_common_outcome(ploy_search_outcome outcome) {
    return outcome == PLOY_SEARCH_FOUND  ? PLOY_PATH_FOUND
           : outcome == PLOY_SEARCH_OPEN ? PLOY_PATH_OPEN
                                         : PLOY_PATH_NONE;
}
