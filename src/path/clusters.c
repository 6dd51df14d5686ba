// Cluster tables; see heuristic_tables.h.
#include <math.h>
#include <string.h>

#include "path/path_flood.h"

#include "path/path_internal.h"
#include "ploy/base/array.h"
#include "ploy/path/heuristic_tables.h"

struct ploy_clusters {
    ploy_env env;
    int32_t states, count;
    int32_t *groups; // of each state
    double *table;   // count x count: from a group to a group
};

// Puts the neighbours that have no group yet into one, and behind the queue.
static ploy_result clusters_take(const ploy_edges *edges, int32_t group, int32_t count,
                                 int32_t *out, ploy_array *queue) {
    for (int32_t i = 0; i < edges->count; i++) {
        int32_t to = edges->view[i].to;
        if (to < 0 || to >= count) return PLOY_ERR_CALLBACK;
        if (out[to] >= 0 || !(edges->view[i].cost < INFINITY)) continue;
        ploy_result result = ploy_array_push(queue, &to);
        if (result != PLOY_OK) return result;
        out[to] = group;
    }
    return PLOY_OK;
}

// One ball: breadth first, ring by ring.
static ploy_result clusters_grow(const ploy_space *space, int32_t centre, int32_t radius,
                                 int32_t group, int32_t *out, ploy_array *queue,
                                 ploy_edges *edges) {
    ploy_array_clear(queue);
    ploy_result result = ploy_array_push(queue, &centre);
    if (result != PLOY_OK) return result;
    out[centre] = group;
    int32_t ring_end = 1;
    for (int32_t i = 0, depth = 0; i < queue->count && depth < radius; i++) {
        int32_t state = PLOY_ARRAY_ITEMS(queue, int32_t)[i];
        ploy_edges_clear(edges);
        result = space->expand(space->user, state, edges);
        if (result == PLOY_OK) result = clusters_take(edges, group, space->count, out, queue);
        if (result == PLOY_OK && space->expand_back != NULL) {
            ploy_edges_clear(edges);
            result = space->expand_back(space->user, state, edges);
            if (result == PLOY_OK) result = clusters_take(edges, group, space->count, out, queue);
        }
        if (result != PLOY_OK) return result;
        if (i + 1 == ring_end) {
            depth++;
            ring_end = queue->count;
        }
    }
    return PLOY_OK;
}

ploy_result ployi_clusters_balls(const ploy_space *space, int32_t radius, const ploy_env *env,
                                 int32_t *out, int32_t *count) {
    if (space == NULL || env == NULL || space->expand == NULL || space->count <= 0 || radius < 0 ||
        out == NULL || count == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_array queue;
    ploy_edges edges;
    ploy_array_init(&queue, sizeof(int32_t), env);
    ploy_edges_init(&edges, env);
    ploy_result result = PLOY_OK;
    int32_t groups = 0;
    for (int32_t i = 0; i < space->count; i++) out[i] = -1;
    for (int32_t i = 0; i < space->count && result == PLOY_OK; i++) {
        if (out[i] >= 0) continue;
        if (groups == PLOY_CLUSTERS_MAX)
            result = PLOY_ERR_LIMIT;
        else
            result = clusters_grow(space, i, radius, groups++, out, &queue, &edges);
    }
    ploy_array_fini(&queue);
    ploy_edges_fini(&edges);
    if (result == PLOY_OK) *count = groups;
    return result;
}

// The row of one group: all its states are starts, and of each other group the nearest state counts.
static ploy_result clusters_row(ploy_clusters *clusters, int32_t group, ploy_search *search,
                                const ploy_space *space, ploy_array *starts) {
    ploy_array_clear(starts);
    for (int32_t i = 0; i < clusters->states; i++) {
        ploy_search_start start = {i, 0.0};
        if (clusters->groups[i] != group) continue;
        ploy_result result = ploy_array_push(starts, &start);
        if (result != PLOY_OK) return result;
    }
    double *row = clusters->table + (size_t)group * (size_t)clusters->count;
    for (int32_t i = 0; i < clusters->count; i++) row[i] = INFINITY;
    if (starts->count == 0) return PLOY_OK;
    ploy_result result = ployi_flood_run(search, space, PLOY_ARRAY_ITEMS(starts, ploy_search_start),
                                         starts->count, false);
    for (int32_t i = 0; i < clusters->states && result == PLOY_OK; i++) {
        int32_t other = clusters->groups[i];
        row[other] = ployi_least(row[other], ployi_flood_cost(search, i));
    }
    return result;
}

ploy_result ploy_clusters_create(const ploy_space *space, const int32_t *groups, int32_t count,
                                 const ploy_env *env, ploy_clusters **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (space == NULL || env == NULL || space->expand == NULL || space->count <= 0 ||
        groups == NULL || count < 1 || count > PLOY_CLUSTERS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < space->count; i++) {
        if (groups[i] < 0 || groups[i] >= count) return PLOY_ERR_ARGUMENT;
    }
    ploy_clusters *clusters = ploy_env_alloc_zero(env, sizeof *clusters);
    if (clusters == NULL) return PLOY_ERR_MEMORY;
    clusters->env = *env;
    clusters->states = space->count;
    clusters->count = count;
    size_t table = (size_t)count * (size_t)count * sizeof(double); // at most 2^29 bytes
    clusters->groups = ploy_env_alloc(env, (size_t)space->count * sizeof *groups);
    clusters->table = ploy_env_alloc(env, table);
    ploy_search *search = NULL;
    ploy_array starts;
    ploy_array_init(&starts, sizeof(ploy_search_start), env);
    ploy_result result = PLOY_ERR_MEMORY;
    if (clusters->groups != NULL && clusters->table != NULL) {
        memcpy(clusters->groups, groups, (size_t)space->count * sizeof *groups);
        result = ployi_flood_create(env, &search);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = clusters_row(clusters, i, search, space, &starts);
    }
    ploy_search_destroy(search);
    ploy_array_fini(&starts);
    if (result != PLOY_OK) {
        ploy_clusters_destroy(clusters);
        return result;
    }
    *out = clusters;
    return PLOY_OK;
}

void ploy_clusters_destroy(ploy_clusters *clusters) {
    if (clusters == NULL) return;
    ploy_env env = clusters->env;
    size_t count = (size_t)clusters->count;
    ploy_env_free(&env, clusters->groups, (size_t)clusters->states * sizeof *clusters->groups);
    ploy_env_free(&env, clusters->table, count * count * sizeof *clusters->table);
    ploy_env_free(&env, clusters, sizeof *clusters);
}

double ployi_clusters_estimate(const ploy_clusters *clusters, int32_t state, int32_t goal,
                               double fallback) {
    if (state < 0 || state >= clusters->states || goal < 0 || goal >= clusters->states) {
        return fallback;
    }
    int32_t from = clusters->groups[state], to = clusters->groups[goal];
    return from == to ? fallback : ployi_clusters_between(clusters, from, to);
}

double ployi_clusters_between(const ploy_clusters *clusters, int32_t from, int32_t to) {
    if (from < 0 || from >= clusters->count || to < 0 || to >= clusters->count) return INFINITY;
    return clusters->table[(size_t)from * (size_t)clusters->count + (size_t)to];
}

int32_t ployi_clusters_count(const ploy_clusters *clusters) {
    return clusters->count;
}

void ploy_clusters_memory(const ploy_clusters *clusters, ploy_memory_fn fn, void *user) {
    size_t count = (size_t)clusters->count;
    ploy_memory_item item = {"clusters",
                             sizeof *clusters +
                                 (size_t)clusters->states * sizeof *clusters->groups +
                                 count * count * sizeof *clusters->table,
                             3};
    fn(user, &item);
}
