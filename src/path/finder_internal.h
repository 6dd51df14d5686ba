// What the finders share.
#pragma once

#include "ploy/base/array.h"
#include "ploy/path/finders.h"

// Begins a request and spends units, all of them again after a load. open: it has not ended.
ploy_result ployi_finder_replay(ploy_finder finder, const ploy_finder_request *request,
                                const ploy_cost_hook *costs, int64_t units, bool open);

// Appends a point, unless it is where the path ends already and no separate edge leads there.
ploy_result ployi_finder_append(ploy_path *path, ploy_vec3 at, const ploy_path_edge *edge);

// Writes from, the places of the states and, if it arrives, to. Sets the state's lead.
ploy_result ployi_finder_compose(const ploy_representation *level, ploy_finder_state *state,
                                 const ploy_edge *edges, int32_t count, bool arrives,
                                 ploy_path *out);

// Finds the states of a request's ends. True if that answers it: an end is nowhere, or both are one.
bool ployi_finder_ends(const ploy_representation *level, ploy_finder_state *state);

// The states of a path: its start and what its edges lead to.
int32_t ployi_finder_list(int32_t start, const ploy_edge *edges, int32_t count, int32_t *out,
                          int32_t capacity);
