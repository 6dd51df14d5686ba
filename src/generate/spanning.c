// Minimum spanning trees; see the header.
#include "ploy/generate/spanning.h"
#include "generate/generate_internal.h"

#include "ploy/base/heap.h"
#include "ploy/base/math.h"

static ploy_result spanning_check(const ploy_spanning_link *links, int32_t link_count,
                                  int32_t node_count, const ploy_env *env) {
    if (link_count < 0 || node_count < 0 || env == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < link_count; i++) {
        if (links[i].a < 0 || links[i].a >= node_count) return PLOY_ERR_ARGUMENT;
        if (links[i].b < 0 || links[i].b >= node_count) return PLOY_ERR_ARGUMENT;
        if (!ploy_is_finite(links[i].cost)) return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

// The links of each node: those of node n are at[first[n]] to at[first[n + 1] - 1].
static void spanning_index(const ploy_spanning_link *links, int32_t link_count, int32_t node_count,
                           int32_t *first, int32_t *at) {
    for (int32_t n = 0; n <= node_count; n++) first[n] = 0;
    for (int32_t i = 0; i < link_count; i++) {
        first[links[i].a]++;
        first[links[i].b]++;
    }
    for (int32_t n = 0, sum = 0; n <= node_count; n++) {
        sum += first[n];
        first[n] = sum;
    }
    for (int32_t i = link_count - 1; i >= 0; i--) { // backwards, so that each list ascends
        at[--first[links[i].a]] = i;
        at[--first[links[i].b]] = i;
    }
}

ploy_result ploy_spanning_prim(const ploy_spanning_link *links, int32_t link_count,
                               int32_t node_count, int32_t start, const ploy_env *env,
                               int32_t *chosen, int32_t *count) {
    *count = 0;
    ploy_result result = spanning_check(links, link_count, node_count, env);
    if (result != PLOY_OK || node_count == 0) return result;
    if (start < 0 || start >= node_count) return PLOY_ERR_ARGUMENT;
    // One block: first (nodes + 1), links by node (2 links), the best link of each node, and whether
    // it is in a tree.
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)3 * node_count + 1 + 2 * (int64_t)link_count,
                             sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t *first = ploy_env_alloc(env, size);
    if (first == NULL) return PLOY_ERR_MEMORY;
    int32_t *at = first + node_count + 1, *best = at + 2 * link_count, *done = best + node_count;
    spanning_index(links, link_count, node_count, first, at);
    for (int32_t n = 0; n < node_count; n++) {
        best[n] = -1;
        done[n] = 0;
    }
    ploy_indexed_heap open;
    ploy_indexed_heap_init(&open, 4, env);
    result = ploy_indexed_heap_reserve(&open, node_count);
    for (int32_t root = start, next = 0; result == PLOY_OK && root < node_count;) {
        if (!done[root]) ploy_indexed_heap_push(&open, root, 0.0);
        int32_t node;
        while (ploy_indexed_heap_pop(&open, &node, NULL)) {
            done[node] = 1;
            if (best[node] >= 0) chosen[(*count)++] = best[node];
            for (int32_t i = first[node]; i < first[node + 1]; i++) {
                const ploy_spanning_link *link = &links[at[i]];
                int32_t other = link->a == node ? link->b : link->a;
                if (done[other]) continue;
                if (best[other] < 0) {
                    best[other] = at[i];
                    ploy_indexed_heap_push(&open, other, (double)link->cost);
                } else if (link->cost < links[best[other]].cost) {
                    best[other] = at[i];
                    ploy_indexed_heap_update(&open, other, (double)link->cost);
                }
            }
        }
        root = next++;
    }
    ploy_indexed_heap_fini(&open);
    ploy_env_free(env, first, size);
    return result;
}

ploy_result ploy_spanning_kruskal(const ploy_spanning_link *links, int32_t link_count,
                                  int32_t node_count, const ploy_env *env, int32_t *chosen,
                                  int32_t *count) {
    *count = 0;
    ploy_result result = spanning_check(links, link_count, node_count, env);
    if (result != PLOY_OK || node_count == 0) return result;
    size_t size = (size_t)node_count * sizeof(int32_t);
    int32_t *parents = ploy_env_alloc(env, size);
    if (parents == NULL) return PLOY_ERR_MEMORY;
    for (int32_t n = 0; n < node_count; n++) parents[n] = n;
    ploy_heap order;
    ploy_heap_init(&order, 4, env);
    result = ploy_heap_reserve(&order, link_count);
    for (int32_t i = 0; result == PLOY_OK && i < link_count; i++) {
        result = ploy_heap_push(&order, (double)links[i].cost, (uint64_t)i);
    }
    uint64_t link;
    while (result == PLOY_OK && ploy_heap_pop(&order, NULL, &link)) {
        int32_t a = ployi_root(parents, links[link].a);
        int32_t b = ployi_root(parents, links[link].b);
        if (a == b) continue;
        parents[a] = b;
        chosen[(*count)++] = (int32_t)link;
    }
    ploy_heap_fini(&order);
    ploy_env_free(env, parents, size);
    return result;
}
