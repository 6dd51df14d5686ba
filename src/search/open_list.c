// Open lists; see the header.
//
// Two bodies serve nine kinds. The packed ones (heaps, sorted array, unsorted) keep entries side
// by side; `place` of a state is its index there. The linked ones (buckets, sorted list, fringe,
// queue, stack) keep a node for each state, linked through states; `place` is the bucket.
//
// Invariants:
//   (1) place[s] >= 0 exactly for the states in the list;
//   (2) packed: entries[place[s]].state == s, except in a sorted array, where place[s] is 0;
//   (3) heap: no entry comes before its parent;
//   (4) sorted array: entries descend, so that the first to be taken is at the end;
//   (5) linked: the chain of a bucket holds its states once; buckets below `low` are empty;
//   (6) bucket b < last holds the keys of [(base + b) width, (base + b + 1) width), bucket 0 also
//       those below, the last all above;
//   (7) fringe: the present pass has left all states before `cursor`, whose least key is `left`.
#include "ploy/search/open_list.h"

#include "search/search_internal.h"

#include <math.h>
#include <string.h>

enum { OPEN_LIST_BUCKETS = 1024 };

typedef struct open_list_node {
    ploy_open_key key;
    int32_t next, previous; // -1: none
} open_list_node;

struct ploy_open_list {
    ploy_env env;
    ploy_open_kind kind;
    double width;
    int32_t shift;                    // of a heap: log2 of the arity
    int32_t count;                    // states in the list
    int32_t states;                   // states with a place
    int32_t *place;                   // by state; -1: not in the list
    void *body;                       // entries or nodes, `states` of them
    int32_t heads[OPEN_LIST_BUCKETS]; // first of each chain; -1: empty
    int32_t tails[OPEN_LIST_BUCKETS];
    int32_t buckets; // how many are in use: 1 for plain lists
    int32_t low;     // no bucket below it holds anything
    double base;     // in widths: where bucket 0 begins
    int32_t cursor;  // of a fringe: the state that the pass comes to next; -1: its end
    double limit;    // of the pass: larger keys are left
    double left;     // least key left by it
};

const char *ployi_open_kind_text(ploy_open_kind kind) {
    static const char *const texts[] = {"heap",         "binary heap", "buckets",
                                        "sorted array", "sorted list", "unsorted",
                                        "fringe",       "queue",       "stack"};
    return (unsigned)kind < sizeof texts / sizeof texts[0] ? texts[kind] : "?";
}

static inline bool open_list_before(const ploy_open_key *a, int32_t a_state, const ploy_open_key *b,
                                    int32_t b_state) {
    if (a->first != b->first) return a->first < b->first;
    if (a->second != b->second) return a->second < b->second;
    return a_state < b_state;
}

int32_t ployi_open_key_compare(ploy_open_key a, int32_t a_state, ploy_open_key b, int32_t b_state) {
    if (open_list_before(&a, a_state, &b, b_state)) return -1;
    return open_list_before(&b, b_state, &a, a_state) ? 1 : 0;
}

static inline bool open_list_entry_before(const ploy_open_entry *a, const ploy_open_entry *b) {
    return open_list_before(&a->key, a->state, &b->key, b->state);
}

static bool open_list_is_heap(const ploy_open_list *list) {
    return list->kind == PLOY_OPEN_HEAP || list->kind == PLOY_OPEN_BINARY_HEAP;
}

static bool open_list_is_packed(const ploy_open_list *list) {
    return open_list_is_heap(list) || list->kind == PLOY_OPEN_SORTED_ARRAY ||
           list->kind == PLOY_OPEN_UNSORTED;
}

static size_t open_list_item_size(const ploy_open_list *list) {
    return open_list_is_packed(list) ? sizeof(ploy_open_entry) : sizeof(open_list_node);
}

static ploy_open_entry *open_list_entries(const ploy_open_list *list) {
    return list->body;
}

static open_list_node *open_list_nodes(const ploy_open_list *list) {
    return list->body;
}

static void open_list_empty_buckets(ploy_open_list *list) {
    for (int32_t i = 0; i < list->buckets; i++) list->heads[i] = list->tails[i] = -1;
    list->low = 0;
    list->base = 0.0;
    list->cursor = -1;
    list->limit = -INFINITY;
    list->left = INFINITY;
}

ploy_result ploy_open_list_create(ploy_open_kind kind, double bucket_width, const ploy_env *env,
                                  ploy_open_list **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (unsigned)kind > (unsigned)PLOY_OPEN_STACK) return PLOY_ERR_ARGUMENT;
    if (kind == PLOY_OPEN_BUCKETS && !(bucket_width > 0.0 && bucket_width <= 1e300)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_open_list *list = ploy_env_alloc(env, sizeof *list);
    if (list == NULL) return PLOY_ERR_MEMORY;
    memset(list, 0, sizeof *list);
    list->env = *env;
    list->kind = kind;
    list->width = bucket_width;
    list->shift = kind == PLOY_OPEN_BINARY_HEAP ? 1 : 2;
    list->buckets = kind == PLOY_OPEN_BUCKETS ? OPEN_LIST_BUCKETS : 1;
    open_list_empty_buckets(list);
    *out = list;
    return PLOY_OK;
}

void ploy_open_list_destroy(ploy_open_list *list) {
    if (list == NULL) return;
    ploy_env env = list->env;
    size_t states = (size_t)list->states;
    ploy_env_free(&env, list->place, states * sizeof *list->place);
    ploy_env_free(&env, list->body, states * open_list_item_size(list));
    ploy_env_free(&env, list, sizeof *list);
}

ploy_result ploy_open_list_reserve(ploy_open_list *list, int32_t count) {
    if (list == NULL || count < 0) return PLOY_ERR_ARGUMENT;
    if (count <= list->states) return PLOY_OK;
    size_t item = open_list_item_size(list), place_size = 0, body_size = 0;
    if (!ploy_size_add_array(0, count, sizeof *list->place, &place_size) ||
        !ploy_size_add_array(0, count, item, &body_size)) {
        return PLOY_ERR_MEMORY;
    }
    int32_t *place = ploy_env_alloc(&list->env, place_size);
    void *body = ploy_env_alloc(&list->env, body_size);
    if (place == NULL || body == NULL) {
        ploy_env_free(&list->env, place, place_size);
        ploy_env_free(&list->env, body, body_size);
        return PLOY_ERR_MEMORY;
    }
    size_t old = (size_t)list->states;
    if (old > 0) {
        memcpy(place, list->place, old * sizeof *place);
        memcpy(body, list->body, old * item);
    }
    // Zeroed, so that a region has the same bytes whatever lay there before.
    memset((unsigned char *)body + old * item, 0, body_size - old * item);
    for (int32_t i = list->states; i < count; i++) place[i] = -1;
    ploy_env_free(&list->env, list->place, old * sizeof *place);
    ploy_env_free(&list->env, list->body, old * item);
    list->place = place;
    list->body = body;
    list->states = count;
    return PLOY_OK;
}

void ploy_open_list_clear(ploy_open_list *list) {
    ploy_open_entry entry;
    // Places are reset one by one, so that clearing costs what is in the list and not all states.
    for (int32_t cursor = 0; list->count > 0 && ployi_open_list_next(list, &cursor, &entry);) {
        list->place[entry.state] = -1;
    }
    list->count = 0;
    open_list_empty_buckets(list);
}

// ---- heaps

static void open_list_rise(ploy_open_list *list, int32_t hole, ploy_open_entry entry) {
    ploy_open_entry *entries = open_list_entries(list);
    while (hole > 0) {
        int32_t parent = (hole - 1) >> list->shift;
        if (!open_list_entry_before(&entry, &entries[parent])) break;
        entries[hole] = entries[parent];
        list->place[entries[hole].state] = hole;
        hole = parent;
    }
    entries[hole] = entry;
    list->place[entry.state] = hole;
}

static void open_list_sink(ploy_open_list *list, int32_t hole, ploy_open_entry entry) {
    ploy_open_entry *entries = open_list_entries(list);
    for (;;) {
        int64_t first = ((int64_t)hole << list->shift) + 1; // may pass 2^31
        if (first >= list->count) break;
        int64_t end = first + (1 << list->shift);
        if (end > list->count) end = list->count;
        int32_t best = (int32_t)first;
        for (int32_t i = best + 1; i < end; i++) {
            if (open_list_entry_before(&entries[i], &entries[best])) best = i;
        }
        if (!open_list_entry_before(&entries[best], &entry)) break;
        entries[hole] = entries[best];
        list->place[entries[hole].state] = hole;
        hole = best;
    }
    entries[hole] = entry;
    list->place[entry.state] = hole;
}

static void open_list_settle(ploy_open_list *list, int32_t hole, ploy_open_entry entry) {
    const ploy_open_entry *entries = open_list_entries(list);
    if (hole > 0 && open_list_entry_before(&entry, &entries[(hole - 1) >> list->shift])) {
        open_list_rise(list, hole, entry);
    } else {
        open_list_sink(list, hole, entry);
    }
}

// ---- packed: the place of an entry

// How many entries of a sorted array come after the given one: where it is or belongs.
static int32_t open_list_search(const ploy_open_list *list, const ploy_open_entry *entry) {
    const ploy_open_entry *entries = open_list_entries(list);
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (open_list_entry_before(entry, &entries[middle])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int32_t open_list_index(const ploy_open_list *list, int32_t state) {
    if (list->kind != PLOY_OPEN_SORTED_ARRAY) return list->place[state];
    const ploy_open_entry *entries = open_list_entries(list);
    int32_t i = list->count - 1;
    while (entries[i].state != state) i--; // moving the others takes as long anyway
    return i;
}

static void open_list_put(ploy_open_list *list, ploy_open_entry entry) {
    ploy_open_entry *entries = open_list_entries(list);
    if (open_list_is_heap(list)) {
        list->count++;
        open_list_rise(list, list->count - 1, entry);
        return;
    }
    int32_t at = list->count;
    if (list->kind == PLOY_OPEN_SORTED_ARRAY) {
        at = open_list_search(list, &entry);
        memmove(&entries[at + 1], &entries[at], (size_t)(list->count - at) * sizeof *entries);
    }
    entries[at] = entry;
    list->place[entry.state] = list->kind == PLOY_OPEN_SORTED_ARRAY ? 0 : at;
    list->count++;
}

static void open_list_take(ploy_open_list *list, int32_t index) {
    ploy_open_entry *entries = open_list_entries(list);
    list->place[entries[index].state] = -1;
    int32_t last = --list->count;
    if (list->kind == PLOY_OPEN_SORTED_ARRAY) {
        memmove(&entries[index], &entries[index + 1], (size_t)(last - index) * sizeof *entries);
    } else if (index < last) {
        ploy_open_entry moved = entries[last];
        if (open_list_is_heap(list)) {
            open_list_settle(list, index, moved);
        } else {
            entries[index] = moved;
            list->place[moved.state] = index;
        }
    }
}

// ---- linked

static int32_t open_list_bucket(const ploy_open_list *list, double key) {
    if (list->kind != PLOY_OPEN_BUCKETS) return 0;
    double bucket = floor(key / list->width) - list->base;
    if (!(bucket > 0.0)) return 0;
    return bucket < OPEN_LIST_BUCKETS - 1 ? (int32_t)bucket : OPEN_LIST_BUCKETS - 1;
}

// Links a state into its chain behind `previous`, -1 for the front.
static void open_list_link(ploy_open_list *list, int32_t state, int32_t bucket, int32_t previous) {
    open_list_node *nodes = open_list_nodes(list);
    int32_t next = previous < 0 ? list->heads[bucket] : nodes[previous].next;
    nodes[state].previous = previous;
    nodes[state].next = next;
    if (previous < 0) {
        list->heads[bucket] = state;
    } else {
        nodes[previous].next = state;
    }
    if (next < 0) {
        list->tails[bucket] = state;
    } else {
        nodes[next].previous = state;
    }
    list->place[state] = bucket;
}

static void open_list_unlink(ploy_open_list *list, int32_t state) {
    const open_list_node *nodes = open_list_nodes(list);
    int32_t bucket = list->place[state], next = nodes[state].next, previous = nodes[state].previous;
    if (list->cursor == state) list->cursor = next;
    if (previous < 0) {
        list->heads[bucket] = next;
    } else {
        open_list_nodes(list)[previous].next = next;
    }
    if (next < 0) {
        list->tails[bucket] = previous;
    } else {
        open_list_nodes(list)[next].previous = previous;
    }
    list->place[state] = -1;
}

static void open_list_insert(ploy_open_list *list, int32_t state, ploy_open_key key) {
    open_list_node *nodes = open_list_nodes(list);
    nodes[state].key = key;
    if (list->kind == PLOY_OPEN_BUCKETS && list->count == 0) {
        // An empty list may begin anywhere: at its first key.
        double base = floor(key.first / list->width);
        list->base = base > -1e300 && base < 1e300 ? base : 0.0;
        list->low = 0;
    }
    int32_t bucket = open_list_bucket(list, key.first);
    int32_t previous = -1; // buckets and stack: at the front
    if (list->kind == PLOY_OPEN_QUEUE) previous = list->tails[0];
    if (list->kind == PLOY_OPEN_FRINGE) {
        // Just before what came next, in its stead.
        previous = list->cursor >= 0 ? nodes[list->cursor].previous : list->tails[0];
    }
    if (list->kind == PLOY_OPEN_SORTED_LIST) {
        // Most new states belong far back, so the scan begins there.
        previous = list->tails[0];
        while (previous >= 0 && open_list_before(&key, state, &nodes[previous].key, previous)) {
            previous = nodes[previous].previous;
        }
    }
    open_list_link(list, state, bucket, previous);
    if (list->kind == PLOY_OPEN_FRINGE) list->cursor = state;
    if (bucket < list->low) list->low = bucket;
    list->count++;
}

// When only the last bucket, which takes everything beyond the others, is left: begins again from
// its smallest key, so that its states spread out.
static void open_list_spread(ploy_open_list *list) {
    const open_list_node *nodes = open_list_nodes(list);
    int32_t last = OPEN_LIST_BUCKETS - 1;
    double least = INFINITY;
    for (int32_t s = list->heads[last]; s >= 0; s = nodes[s].next) {
        if (nodes[s].key.first < least) least = nodes[s].key.first;
    }
    double base = floor(least / list->width);
    if (!(base > list->base && base < 1e300)) return; // infinite keys stay where they are
    int32_t state = list->heads[last];
    list->heads[last] = list->tails[last] = -1;
    list->base = base;
    list->low = 0;
    while (state >= 0) {
        int32_t next = nodes[state].next;
        open_list_link(list, state, open_list_bucket(list, nodes[state].key.first), -1);
        state = next;
    }
}

// Goes on with the pass to a state within its limit, with the next pass if there is none.
static int32_t open_list_first_fringe(ploy_open_list *list) {
    const open_list_node *nodes = open_list_nodes(list);
    for (;;) {
        for (; list->cursor >= 0; list->cursor = nodes[list->cursor].next) {
            double key = nodes[list->cursor].key.first;
            if (key <= list->limit) return list->cursor;
            if (key < list->left) list->left = key;
        }
        list->limit = list->left; // some state has it, or a smaller one that went meanwhile
        list->left = INFINITY;
        list->cursor = list->heads[0];
    }
}

static int32_t open_list_first_linked(ploy_open_list *list) {
    if (list->kind == PLOY_OPEN_FRINGE) return open_list_first_fringe(list);
    if (list->kind != PLOY_OPEN_BUCKETS) return list->heads[0];
    const open_list_node *nodes = open_list_nodes(list);
    while (list->heads[list->low] < 0) list->low++;
    if (list->low == OPEN_LIST_BUCKETS - 1) {
        open_list_spread(list);
        while (list->heads[list->low] < 0) list->low++;
    }
    int32_t best = list->heads[list->low];
    for (int32_t s = nodes[best].next; s >= 0; s = nodes[s].next) {
        if (open_list_before(&nodes[s].key, s, &nodes[best].key, best)) best = s;
    }
    return best;
}

// ---- the interface

static bool open_list_key_ok(ploy_open_key key) {
    return !isnan(key.first) && !isnan(key.second);
}

ploy_result ploy_open_list_add(ploy_open_list *list, int32_t state, ploy_open_key key) {
    if (state < 0 || !open_list_key_ok(key)) return PLOY_ERR_ARGUMENT;
    if (state >= list->states) {
        int64_t want = (int64_t)list->states * 2;
        if (want <= state) want = (int64_t)state + 1;
        if (want < PLOY_CAPACITY(64)) want = PLOY_CAPACITY(64);
        if (want > INT32_MAX) want = INT32_MAX;
        ploy_result result = ploy_open_list_reserve(list, (int32_t)want);
        if (result != PLOY_OK) return result;
        if (state >= list->states) return PLOY_ERR_ARGUMENT; // 2^31 - 1 has no place
    }
    if (list->place[state] >= 0) return PLOY_ERR_EXISTS;
    if (open_list_is_packed(list)) {
        ploy_open_entry entry = {key, state, 0};
        open_list_put(list, entry);
    } else {
        open_list_insert(list, state, key);
    }
    return PLOY_OK;
}

bool ployi_open_list_has(const ploy_open_list *list, int32_t state) {
    return state >= 0 && state < list->states && list->place[state] >= 0;
}

ploy_result ploy_open_list_update(ploy_open_list *list, int32_t state, ploy_open_key key) {
    if (!open_list_key_ok(key)) return PLOY_ERR_ARGUMENT;
    if (!ployi_open_list_has(list, state)) return PLOY_ERR_NOT_FOUND;
    if (open_list_is_heap(list)) {
        ploy_open_entry entry = {key, state, 0};
        open_list_settle(list, list->place[state], entry);
    } else if (list->kind == PLOY_OPEN_UNSORTED) {
        open_list_entries(list)[list->place[state]].key = key;
    } else if (list->kind == PLOY_OPEN_QUEUE) {
        open_list_nodes(list)[state].key = key;
    } else {
        ploy_open_list_remove(list, state);
        return ploy_open_list_add(list, state, key);
    }
    return PLOY_OK;
}

bool ploy_open_list_remove(ploy_open_list *list, int32_t state) {
    if (!ployi_open_list_has(list, state)) return false;
    if (open_list_is_packed(list)) {
        open_list_take(list, open_list_index(list, state));
    } else {
        open_list_unlink(list, state);
        list->count--;
    }
    return true;
}

static int32_t open_list_first_packed(const ploy_open_list *list) {
    if (list->kind == PLOY_OPEN_SORTED_ARRAY) return list->count - 1;
    int32_t best = 0;
    if (list->kind != PLOY_OPEN_UNSORTED) return best;
    const ploy_open_entry *entries = open_list_entries(list);
    for (int32_t i = 1; i < list->count; i++) {
        if (open_list_entry_before(&entries[i], &entries[best])) best = i;
    }
    return best;
}

bool ployi_open_list_peek(ploy_open_list *list, ploy_open_entry *out) {
    if (list->count == 0) return false;
    if (open_list_is_packed(list)) {
        *out = open_list_entries(list)[open_list_first_packed(list)];
    } else {
        out->state = open_list_first_linked(list);
        out->key = open_list_nodes(list)[out->state].key;
    }
    return true;
}

bool ploy_open_list_pop(ploy_open_list *list, ploy_open_entry *out) {
    if (list->count == 0) return false;
    if (open_list_is_packed(list)) {
        int32_t index = open_list_first_packed(list);
        if (out != NULL) *out = open_list_entries(list)[index];
        open_list_take(list, index);
        return true;
    }
    int32_t state = open_list_first_linked(list);
    if (out != NULL) {
        out->state = state;
        out->key = open_list_nodes(list)[state].key;
    }
    open_list_unlink(list, state);
    list->count--;
    return true;
}

bool ployi_open_list_worst(const ploy_open_list *list, ploy_open_entry *out) {
    if (list->count == 0) return false;
    if (list->kind == PLOY_OPEN_SORTED_ARRAY) {
        *out = open_list_entries(list)[0];
        return true;
    }
    ploy_open_entry entry;
    int32_t cursor = 0;
    ployi_open_list_next(list, &cursor, out);
    while (ployi_open_list_next(list, &cursor, &entry)) {
        if (open_list_entry_before(out, &entry)) *out = entry;
    }
    return true;
}

int32_t ploy_open_list_count(const ploy_open_list *list) {
    return list->count;
}

// The cursor of linked kinds is the next state plus one, and past the end of a bucket's chain the
// next bucket is negative, minus one.
bool ployi_open_list_next(const ploy_open_list *list, int32_t *cursor, ploy_open_entry *out) {
    if (open_list_is_packed(list)) {
        if (*cursor >= list->count) return false;
        *out = open_list_entries(list)[(*cursor)++];
        return true;
    }
    int32_t bucket = *cursor < 0 ? -1 - *cursor : 0;
    int32_t state = *cursor > 0 ? *cursor - 1 : -1;
    if (state < 0) {
        while (bucket < list->buckets && list->heads[bucket] < 0) bucket++;
        if (bucket == list->buckets) return false;
        state = list->heads[bucket];
    } else {
        bucket = list->place[state];
    }
    const open_list_node *node = &open_list_nodes(list)[state];
    out->key = node->key;
    out->state = state;
    *cursor = node->next >= 0 ? node->next + 1 : -2 - bucket;
    return true;
}

bool ployi_open_list_valid(const ploy_open_list *list) {
    const ploy_open_entry *entries = open_list_entries(list);
    int32_t seen = 0;
    ploy_open_entry entry;
    for (int32_t cursor = 0; ployi_open_list_next(list, &cursor, &entry); seen++) {
        if (seen >= list->count || list->place[entry.state] < 0) return false;
        if (open_list_is_packed(list)) {
            bool sorted = list->kind == PLOY_OPEN_SORTED_ARRAY;
            if (!sorted && list->place[entry.state] != seen) return false;
            if (sorted && seen > 0 && !open_list_entry_before(&entry, &entries[seen - 1])) {
                return false;
            }
            if (open_list_is_heap(list) && seen > 0 &&
                open_list_entry_before(&entry, &entries[(seen - 1) >> list->shift])) {
                return false;
            }
        } else if (list->kind == PLOY_OPEN_BUCKETS &&
                   (list->place[entry.state] < list->low ||
                    list->place[entry.state] != open_list_bucket(list, entry.key.first))) {
            return false;
        } else if (list->kind == PLOY_OPEN_SORTED_LIST) {
            const open_list_node *nodes = open_list_nodes(list);
            int32_t previous = nodes[entry.state].previous;
            if (previous >= 0 &&
                !open_list_before(&nodes[previous].key, previous, &entry.key, entry.state)) {
                return false;
            }
        }
    }
    int32_t placed = 0;
    for (int32_t i = 0; i < list->states; i++) placed += list->place[i] >= 0;
    return seen == list->count && placed == list->count;
}

void ploy_open_list_memory(const ploy_open_list *list, ploy_memory_fn fn, void *user) {
    size_t states = (size_t)list->states;
    ploy_memory_item item = {
        "open list", sizeof *list + states * (sizeof *list->place + open_list_item_size(list)),
        states > 0 ? 3 : 1};
    fn(user, &item);
}
