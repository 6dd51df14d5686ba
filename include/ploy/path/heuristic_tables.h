/// @file ploy/path/heuristic_tables.h
/// Precomputed heuristics: computed once for a level, looked up in every search.
///
/// Landmarks: for a few chosen states the true costs to and from every other state are stored. If
/// the goal is far beyond a landmark and the state is near it, the difference is an estimate that
/// accounts for every wall (Goldberg and Harrelson 2005, "ALT"). Never too large, and consistent.
/// In many cases it also proves that a goal cannot be reached. 16 bytes a state for each landmark,
/// O(landmarks) an estimate.
///
/// Clusters: states are grouped (rooms), and the cheapest path between any two groups is stored.
/// Small tables and one load an estimate, for mazes of rooms; useless in open space, where all
/// states of a group seem equally far. Never too large. 8 bytes for each pair of groups.
///
/// Both describe the space at the time of the build: an edge that becomes cheaper can make
/// estimates too large; one that becomes more expensive or closes cannot. Threads: immutable once
/// made.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/search/space.h"

/// Opaque.
typedef struct ploy_landmarks ploy_landmarks;
/// Most landmarks.
#define PLOY_LANDMARKS_MAX 64

/// Chooses landmarks: beginning with the state furthest from `seed`, each next one is the state
/// whose nearest landmark is furthest away (among equals the lowest). States that cannot be reached
/// from `seed` are never chosen.
/// @param out  room for count. @param found  how many there are, fewer in small spaces.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or what a search returned.
PLOY_API ploy_result ploy_landmarks_choose(const ploy_space *space, int32_t seed, int32_t count,
                                           const ploy_env *env, int32_t *out, int32_t *found);
/// Searches from and to each landmark. @param space  with a count and reverse edges; read only by
/// create.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or what a search returned.
PLOY_API ploy_result ploy_landmarks_create(const ploy_space *space, const int32_t *states,
                                           int32_t count, const ploy_env *env,
                                           ploy_landmarks **out);
/// NULL is allowed.
PLOY_API void ploy_landmarks_destroy(ploy_landmarks *landmarks);
/// Reports the bytes held.
PLOY_API void ploy_landmarks_memory(const ploy_landmarks *landmarks, ploy_memory_fn fn, void *user);

/// Opaque.
typedef struct ploy_clusters ploy_clusters;
/// Most clusters.
#define PLOY_CLUSTERS_MAX 8192

/// Searches from each group to all others.
/// @param groups  of each state of the space, 0 to count - 1; copied.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or what a search returned.
PLOY_API ploy_result ploy_clusters_create(const ploy_space *space, const int32_t *groups,
                                          int32_t count, const ploy_env *env, ploy_clusters **out);
/// NULL is allowed.
PLOY_API void ploy_clusters_destroy(ploy_clusters *clusters);
/// Reports the bytes held.
PLOY_API void ploy_clusters_memory(const ploy_clusters *clusters, ploy_memory_fn fn, void *user);
