// What came of a search: path, fill, statistics.
#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

const char *ploy_search_outcome_text(ploy_search_outcome outcome) {
    static const char *const texts[] = {"idle", "open", "found", "none", "pruned"};
    return (unsigned)outcome < sizeof texts / sizeof texts[0] ? texts[outcome] : "?";
}

ploy_search_outcome ploy_search_outcome_of(const ploy_search *search) {
    return search->outcome;
}

int32_t ploy_search_goal(const ploy_search *search) {
    return search->goal;
}

int32_t ploy_search_version(const ploy_search *search) {
    return search->version;
}

double ploy_search_bound(const ploy_search *search) {
    return search->bound;
}

int32_t ploy_search_nearest(const ploy_search *search) {
    return search->nearest;
}

int32_t ploy_search_path(const ploy_search *search, int32_t state, ploy_edge *out, int32_t capacity,
                         double *cost) {
    const ployi_search_record *record = state >= 0 ? ployi_search_at(search, state) : NULL;
    if (record == NULL) return -1;
    int32_t count = 0;
    for (const ployi_search_record *at = record; at->parent != PLOY_STATE_NONE; count++) {
        at = ployi_search_at(search, at->parent);
    }
    if (cost != NULL) *cost = record->cost;
    int32_t to = state;
    for (int32_t index = count - 1; index >= 0; index--) {
        // Backwards the search went against the edges: the path is turned round again.
        int32_t place = search->query.backward ? count - 1 - index : index;
        if (place < capacity) {
            out[place].to = search->query.backward ? record->parent : to;
            out[place].label = record->label;
            out[place].cost = record->edge;
        }
        to = record->parent;
        record = ployi_search_at(search, to);
    }
    return count;
}

bool ploy_search_get(const ploy_search *search, int32_t state, ploy_search_node *out) {
    const ployi_search_record *record = state >= 0 ? ployi_search_at(search, state) : NULL;
    if (record == NULL) return false;
    out->status = (ploy_search_status)record->status;
    out->parent = record->parent;
    out->label = record->label;
    out->cost = record->cost;
    out->estimate = record->estimate;
    out->start = state;
    while (record->parent != PLOY_STATE_NONE) {
        out->start = record->parent;
        record = ployi_search_at(search, record->parent);
    }
    return true;
}

int32_t ploy_search_reached(const ploy_search *search) {
    return search->reached.count;
}

int32_t ploy_search_reached_at(const ploy_search *search, int32_t index) {
    const int32_t *state = ploy_array_at(&search->reached, index);
    return state != NULL ? *state : PLOY_STATE_NONE;
}

const ploy_open_list *ploy_search_open_list(const ploy_search *search) {
    return search->open;
}

ploy_search_stats ploy_search_stats_of(const ploy_search *search) {
    return search->stats;
}

void ploy_search_describe(const ploy_search *search, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < search->reached.count; i++) {
        int32_t state = ploy_search_reached_at(search, i);
        const ployi_search_record *record = ployi_search_at(search, state);
        uint64_t bits[2];
        memcpy(bits, &record->cost, sizeof bits[0]);
        memcpy(bits + 1, &record->estimate, sizeof bits[1]);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)state);
        hash = ploy_hash_combine(hash, bits[0]);
        hash = ploy_hash_combine(hash, bits[1]);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->parent);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->label);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)(record->status + 4 * record->later));
    }
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(search->outcome));
    ploy_describe_i64(out, "goal", PLOY_STATE, search->goal);
    ploy_describe_i64(out, "version", PLOY_STATE, search->version);
    ploy_describe_f64(out, "weight", PLOY_STATE, search->weight);
    ploy_describe_i64(out, "frontier", PLOY_STATE, search->frontier);
    ploy_describe_u64(out, "records", PLOY_STATE, hash);
    ploy_describe_i64(out, "reached", PLOY_DERIVED, search->reached.count);
    ploy_describe_i64(out, "open", PLOY_DERIVED, ploy_open_list_count(search->open));
    ploy_describe_i64(out, "taken", PLOY_STATE, search->stats.taken);
    ploy_describe_i64(out, "opened", PLOY_STATE, search->stats.opened);
    ploy_describe_i64(out, "reopened", PLOY_STATE, search->stats.reopened);
    ploy_describe_i64(out, "edges", PLOY_STATE, search->stats.edges);
    ploy_describe_i64(out, "estimates", PLOY_STATE, search->stats.estimates);
    ploy_describe_i64(out, "forgotten", PLOY_STATE, search->stats.forgotten);
    ploy_describe_i64(out, "peak open", PLOY_STATE, search->stats.peak_open);
}

void ploy_search_memory(const ploy_search *search, ploy_memory_fn fn, void *user) {
    size_t bytes = (size_t)search->flat_count * sizeof *search->flat +
                   (size_t)search->page_count * sizeof *search->pages +
                   (size_t)search->pages_made * PLOYI_SEARCH_PAGE * sizeof *search->flat;
    ploy_memory_item records = {"search records", bytes, search->pages_made + 1};
    ploy_memory_item self = {
        "search", sizeof *search + (size_t)search->edges.capacity * sizeof(ploy_edge), 2};
    fn(user, &self);
    fn(user, &records);
    ploy_array_memory(&search->reached, fn, user);
    ploy_array_memory(&search->later, fn, user);
    ploy_array_memory(&search->starts, fn, user);
    ploy_open_list_memory(search->open, fn, user);
}
