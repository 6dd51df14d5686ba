// Shared by the files of the search: what it remembers of each state, and of itself.
#pragma once

#include "ploy/base/array.h"
#include "ploy/search/search.h"

// Records of a page.
#define PLOYI_SEARCH_PAGE PLOY_CAPACITY(256)

typedef struct ployi_search_record {
    double cost; // so far
    double edge; // of that, from the parent; of a start: all
    double estimate;
    int32_t parent;
    int32_t label;
    uint32_t stamp;
    int32_t status; // ploy_search_status
    uint32_t round; // of an anytime search in which it was closed
    int32_t later;  // improved after it was closed in this round
} ployi_search_record;

struct ploy_search {
    ploy_env env;
    ploy_search_def def;
    ploy_search_query query;
    ploy_space space;
    ploy_open_list *open;
    ploy_edges edges;
    ployi_search_record *flat; // records of states 0 to flat_count - 1
    int32_t flat_count;
    ployi_search_record **pages;
    int32_t page_count; // places for pages
    int32_t pages_made;
    ploy_array reached; // int32_t
    ploy_array later;   // int32_t: states whose record says so
    ploy_array starts;  // ploy_search_start, for beginning again
    uint32_t stamp;
    uint32_t round;
    ploy_search_outcome outcome;
    ploy_search_stats stats;
    int32_t goal;
    double goal_cost; // INFINITY while none is known
    int32_t nearest;
    int32_t version;
    double bound;
    double weight;
    int32_t frontier;
    bool pruned;
};

// The record of a state, or NULL if this search did not reach it.
static inline ployi_search_record *ployi_search_at(const ploy_search *search, int32_t state) {
    ployi_search_record *record = NULL;
    if (search->def.storage == PLOY_SEARCH_FLAT) {
        if (state < search->flat_count) record = &search->flat[state];
    } else if (state / PLOYI_SEARCH_PAGE < search->page_count &&
               search->pages[state / PLOYI_SEARCH_PAGE] != NULL) {
        record = &search->pages[state / PLOYI_SEARCH_PAGE][state % PLOYI_SEARCH_PAGE];
    }
    return record != NULL && record->stamp == search->stamp ? record : NULL; // (1)
}
