// Shared by the files of the search: the common part of every search, the table of functions that a
// method provides, and the records of best-first search, which bidirectional search reads too.
#pragma once

#include "ploy/base/array.h"
#include "ploy/search/open_list.h"
#include "ploy/search/search.h"

// What a method supports, beyond one start and one goal.
enum {
    PLOYI_SEARCH_STARTS = 1,   // several starts
    PLOYI_SEARCH_PAID = 2,     // a start with a cost above 0
    PLOYI_SEARCH_BACKWARD = 4, // along edges into states
    PLOYI_SEARCH_IS_GOAL = 8,  // a goal by predicate
    PLOYI_SEARCH_NO_GOAL = 16, // reaches everything
    PLOYI_SEARCH_ALLOW = 32,
    PLOYI_SEARCH_NEEDS_BACK = 64 // the space must have expand_back
};

// A method. Its search begins with a ploy_search, which the front fills and owns.
typedef struct ployi_search_method {
    size_t size; // of the method's search
    uint32_t flags;
    // What is wrong with a def whose fields are in range, or NULL. May be NULL.
    const char *(*fault)(const ploy_search_def *def);
    // All bytes behind the common part are 0. After an error destroy is called.
    ploy_result (*create)(ploy_search *search);
    void (*destroy)(ploy_search *search);
    // Forgets the last search and keeps the memory.
    void (*clear)(ploy_search *search);
    // Query, space and starts are set and supported; clear was called.
    ploy_result (*begin)(ploy_search *search);
    // Makes room for a search in a space of that many states. May be NULL.
    ploy_result (*reserve)(ploy_search *search, int32_t states);
    // Sets the outcome if nothing is left to do, before a unit is spent. May be NULL.
    ploy_result (*settle)(ploy_search *search);
    // Spends one unit; sets the outcome when finished.
    ploy_result (*take)(ploy_search *search);
    int32_t (*path)(const ploy_search *search, int32_t state, ploy_edge *out, int32_t capacity,
                    double *cost);
    bool (*get)(const ploy_search *search, int32_t state, ploy_search_node *out);
    int32_t (*reached)(const ploy_search *search);
    int32_t (*reached_at)(const ploy_search *search, int32_t index);  // within reached
    void (*stats)(const ploy_search *search, ploy_search_stats *out); // adds to it; may be NULL
    void (*describe)(const ploy_search *search, ploy_describe *out);  // what is the method's alone
    void (*memory)(const ploy_search *search, ploy_memory_fn fn, void *user);
    ploy_result (*changed)(ploy_search *search, int32_t from, int32_t to); // NULL: unsupported
    ploy_result (*move)(ploy_search *search, int32_t start);               // NULL: unsupported
} ployi_search_method;

extern const ployi_search_method ployi_search_best_first;
extern const ployi_search_method ployi_search_deepening; // depth limited, deepening, ida*
extern const ployi_search_method ployi_search_bounded;
extern const ployi_search_method ployi_search_bidirectional;
extern const ployi_search_method ployi_search_lpa_star;
extern const ployi_search_method ployi_search_d_star_lite;

// The common part.
struct ploy_search {
    ploy_env env;
    const ployi_search_method *method;
    ploy_search_def def;
    ploy_search_query query; // without starts and space
    ploy_space space;
    ploy_edges edges;
    ploy_array starts; // ploy_search_start; at least one while there is something to do
    ploy_search_outcome outcome;
    ploy_search_stats stats;
    int32_t goal;    // that was reached
    int32_t nearest; // to a goal
    int32_t version;
    double bound;
};

// ---- for methods (search.c)

// Log what is wrong with an edge or an estimate. @return PLOY_ERR_CALLBACK.
ploy_result ployi_search_bad_edge(const ploy_search *search, int32_t state, const ploy_edge *edge);
ploy_result ployi_search_bad_estimate(const ploy_search *search, int32_t state);
// Room for at least `least` records after `count`: twice as many, or more.
int32_t ployi_search_grown(int32_t count, int64_t least);

// Fills out with the edges out of a state (back: into it), or with the next part of them
// (PLOY_IN_PROGRESS).
static inline ploy_result ployi_search_expand_part(ploy_search *search, int32_t state, bool back,
                                                   ploy_edges *out) {
    const ploy_space *space = &search->space;
    ploy_edges_clear(out);
    ploy_result result =
        back ? space->expand_back(space->user, state, out) : space->expand(space->user, state, out);
    return result > PLOY_OK && result != PLOY_IN_PROGRESS ? PLOY_ERR_CALLBACK : result;
}

// The same for methods that need all edges at once.
static inline ploy_result ployi_search_expand(ploy_search *search, int32_t state, bool back,
                                              ploy_edges *out) {
    ploy_result result = ployi_search_expand_part(search, state, back, out);
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

static inline ploy_result ployi_search_check_edge(const ploy_search *search, int32_t state,
                                                  const ploy_edge *edge) {
    bool within = edge->to >= 0 && (search->space.count == 0 || edge->to < search->space.count);
    return within && edge->cost >= 0.0 ? PLOY_OK : ployi_search_bad_edge(search, state, edge);
}

// The space's estimate, counted and checked; 0 without one.
static inline ploy_result ployi_search_estimate(ploy_search *search, int32_t from, int32_t to,
                                                double *out) {
    *out = 0.0;
    if (search->space.estimate == NULL) return PLOY_OK;
    search->stats.estimates++;
    *out = search->space.estimate(search->space.user, from, to);
    return *out >= 0.0 ? PLOY_OK : ployi_search_bad_estimate(search, from);
}

static inline bool ployi_search_is_goal(const ploy_search *search, int32_t state) {
    if (state == search->query.goal) return true;
    return search->query.is_goal != NULL && search->query.is_goal(search->query.user, state);
}

static inline bool ployi_search_allows(const ploy_search *search, int32_t state) {
    return search->query.allow == NULL || search->query.allow(search->query.user, state);
}

static inline const ploy_search_start *ployi_search_first(const ploy_search *search) {
    return PLOY_ARRAY_ITEMS(&search->starts, ploy_search_start);
}

// Weight x estimate; an infinite estimate without weight does not count at all.
static inline double ployi_search_weighted(double weight, double estimate) {
    return weight > 0.0 ? weight * estimate : 0.0;
}

// ---- states (states.c)

// Removes all but the first `count` states.
void ployi_states_cut(ploy_states *states, int32_t count);
bool ployi_states_same(const ploy_states *states, int32_t a, int32_t b);
int32_t ployi_states_size(const ploy_states *states);

// ---- best-first search

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

typedef struct ployi_best_first {
    ploy_search base;
    ploy_open_list *open;
    ployi_search_record *flat; // records of states 0 to flat_count - 1
    int32_t flat_count;
    ployi_search_record **pages;
    int32_t page_count; // places for pages
    int32_t pages_made;
    ploy_array reached; // int32_t
    ploy_array later;   // int32_t: states whose record says so
    uint32_t stamp;
    uint32_t round;
    double goal_cost; // INFINITY while none is known
    double weight;
    int32_t frontier;
    int32_t expanding; // state whose edges are not all followed yet, PLOY_STATE_NONE for none
    bool pruned;
} ployi_best_first;

// The record of a state, or NULL if this search did not reach it.
static inline ployi_search_record *ployi_search_at(const ployi_best_first *search, int32_t state) {
    ployi_search_record *record = NULL;
    if (search->base.def.storage == PLOY_SEARCH_FLAT) {
        if (state < search->flat_count) record = &search->flat[state];
    } else if (state / PLOYI_SEARCH_PAGE < search->page_count &&
               search->pages[state / PLOYI_SEARCH_PAGE] != NULL) {
        record = &search->pages[state / PLOYI_SEARCH_PAGE][state % PLOYI_SEARCH_PAGE];
    }
    return record != NULL && record->stamp == search->stamp ? record : NULL; // (1)
}

// Checks the list's own order: for tests.
bool ployi_open_list_valid(const ploy_open_list *list);

// Below 0 if a state with key a comes before another with key b.
int32_t ployi_open_key_compare(ploy_open_key a, int32_t a_state, ploy_open_key b, int32_t b_state);

// The one that pop would take, left where it is. Buckets and fringe remember what they found.
bool ployi_open_list_peek(ploy_open_list *list, ploy_open_entry *out);

// The one that would come last: O(1) in a sorted array, O(n) in the others.
bool ployi_open_list_worst(const ploy_open_list *list, ploy_open_entry *out);

bool ployi_open_list_has(const ploy_open_list *list, int32_t state);

// The states in the list in an order without meaning: start with a cursor of 0 and call until it
// returns false. The list may not change meanwhile.
bool ployi_open_list_next(const ploy_open_list *list, int32_t *cursor, ploy_open_entry *out);

// Counts the answers: 1 when the first path is there, more as an anytime or replanning search
// improves or updates it.
int32_t ployi_search_version(const ploy_search *search);

// The path at hand costs at most this many times the least; 1 if it is optimal, INFINITY if
// nothing is known. Relies on estimates that are never too large.
double ployi_search_bound(const ploy_search *search);

// "heap", "binary heap", "buckets", "sorted array", "sorted list", "unsorted", "fringe",
// "queue", "stack".
const char *ployi_open_kind_text(ploy_open_kind kind);
