// SMA*: A* in a fixed number of states, which forgets the worst and remembers what they promised.
//
// A tree of slots. Each keeps, for every edge out of its state, the total that the child behind it
// promised last: NAN before it was made, INFINITY for a path that leads nowhere. `total` of a slot
// is the least of these once all were made, never less than it was.
//
// Invariants, while there is something to do:
//   (1) a slot is on `work` exactly if a child of it is not in memory that was never made or promises
//       less than INFINITY; until its edges are known it is there, too;
//   (2) a slot is on `leaves` exactly if it has no child in memory and is not the root;
//   (3) promises of children in memory equal their totals.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

typedef struct bounded_slot {
    double cost;  // so far
    double total; // least that a path through it can come to, as far as is known
    double edge;  // from the parent
    int32_t state;
    int32_t label;
    int32_t parent; // slot; -1 for the root
    int32_t index;  // of the edge in the parent
    int32_t depth;
    int32_t edges;    // how many there are; -1: not known yet
    int32_t children; // in memory
    int32_t next;     // free slot
} bounded_slot;

typedef struct bounded_search {
    ploy_search base;
    ploy_open_list *work;   // deepest of the best first
    ploy_open_list *leaves; // shallowest of the worst first
    bounded_slot *slots;
    double *promises;   // branching to a slot
    int32_t *in_memory; // slot of each child, or -1
    int32_t first_free;
    int32_t kept; // slots in use, which are the first ones: see bounded_take_slot
    int32_t root;
    int32_t found; // slot
    bool cut;      // a path was too long for the memory, or cost too much
} bounded_search;

static size_t bounded_children_size(const ploy_search_def *def, size_t item) {
    return (size_t)def->capacity * (size_t)def->branching * item;
}

static void bounded_clear(ploy_search *base) {
    bounded_search *search = (bounded_search *)base;
    ploy_open_list_clear(search->work);
    ploy_open_list_clear(search->leaves);
    for (int32_t i = 0; i < base->def.capacity; i++) search->slots[i].next = i + 1;
    search->first_free = 0;
    search->kept = 0;
    search->found = -1;
    search->cut = false;
}

static ploy_result bounded_create(ploy_search *base) {
    bounded_search *search = (bounded_search *)base;
    const ploy_env *env = &base->env;
    const ploy_search_def *def = &base->def;
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)def->capacity * def->branching, sizeof(double), &size)) {
        return PLOY_ERR_MEMORY;
    }
    search->slots = ploy_env_alloc(env, (size_t)def->capacity * sizeof *search->slots);
    search->promises = ploy_env_alloc(env, size);
    search->in_memory = ploy_env_alloc(env, bounded_children_size(def, sizeof(int32_t)));
    if (search->slots == NULL || search->promises == NULL || search->in_memory == NULL) {
        return PLOY_ERR_MEMORY;
    }
    // A region has the same bytes whatever was there before.
    memset(search->slots, 0, (size_t)def->capacity * sizeof *search->slots);
    memset(search->promises, 0, size);
    memset(search->in_memory, 0, bounded_children_size(def, sizeof(int32_t)));
    ploy_result result = ploy_open_list_create(PLOY_OPEN_HEAP, 0, env, &search->work);
    if (result == PLOY_OK) result = ploy_open_list_create(PLOY_OPEN_HEAP, 0, env, &search->leaves);
    if (result == PLOY_OK) result = ploy_open_list_reserve(search->work, def->capacity);
    if (result == PLOY_OK) result = ploy_open_list_reserve(search->leaves, def->capacity);
    if (result == PLOY_OK) bounded_clear(base);
    return result;
}

static void bounded_destroy(ploy_search *base) {
    bounded_search *search = (bounded_search *)base;
    const ploy_env *env = &base->env;
    const ploy_search_def *def = &base->def;
    ploy_open_list_destroy(search->work);
    ploy_open_list_destroy(search->leaves);
    ploy_env_free(env, search->slots, (size_t)def->capacity * sizeof *search->slots);
    ploy_env_free(env, search->promises, bounded_children_size(def, sizeof(double)));
    ploy_env_free(env, search->in_memory, bounded_children_size(def, sizeof(int32_t)));
}

// ---- slots

static double *bounded_promises(const bounded_search *search, int32_t slot) {
    return search->promises + (size_t)slot * (size_t)search->base.def.branching;
}

static int32_t *bounded_children(const bounded_search *search, int32_t slot) {
    return search->in_memory + (size_t)slot * (size_t)search->base.def.branching;
}

// The edge to follow next: the first never made, else the best of those not in memory. -1: none.
static int32_t bounded_choice(const bounded_search *search, int32_t slot) {
    const double *promises = bounded_promises(search, slot);
    const int32_t *children = bounded_children(search, slot);
    int32_t best = -1;
    for (int32_t i = 0; i < search->slots[slot].edges; i++) {
        if (isnan(promises[i])) return i;
        if (children[i] >= 0 || promises[i] == INFINITY) continue;
        if (best < 0 || promises[i] < promises[best]) best = i;
    }
    return best;
}

// Puts a slot on the two lists or takes it off; keeps (1) and (2). Room is there, so nothing fails.
static void bounded_list(bounded_search *search, int32_t slot) {
    const bounded_slot *s = &search->slots[slot];
    ploy_open_key best = {s->total, -(double)s->depth}, worst = {-s->total, (double)s->depth};
    bool works = s->edges < 0 || bounded_choice(search, slot) >= 0;
    bool leaf = s->children == 0 && slot != search->root;
    ploy_open_list_remove(search->work, slot);
    ploy_open_list_remove(search->leaves, slot);
    if (works) (void)ploy_open_list_add(search->work, slot, best);
    if (leaf) (void)ploy_open_list_add(search->leaves, slot, worst);
}

// Hands a slot's total up, as far as it changes something.
static void bounded_back_up(bounded_search *search, int32_t slot) {
    while (slot >= 0) {
        bounded_slot *s = &search->slots[slot];
        double least = INFINITY;
        const double *promises = bounded_promises(search, slot);
        bool whole = s->edges >= 0;
        for (int32_t i = 0; i < s->edges; i++) {
            if (isnan(promises[i])) whole = false;
            if (promises[i] < least) least = promises[i];
        }
        if (!whole || !(least > s->total)) {
            bounded_list(search, slot);
            return;
        }
        s->total = least;
        bounded_list(search, slot);
        if (s->parent >= 0) bounded_promises(search, s->parent)[s->index] = s->total; // (3)
        slot = s->parent;
    }
}

// Forgets the worst leaf, but not `keep`. @return false if there is no other.
static bool bounded_forget(bounded_search *search, int32_t keep) {
    ploy_open_entry worst;
    bool kept = ploy_open_list_remove(search->leaves, keep);
    bool found = ploy_open_list_pop(search->leaves, &worst);
    if (kept) bounded_list(search, keep);
    if (!found) return false;
    bounded_slot *s = &search->slots[worst.state];
    ploy_open_list_remove(search->work, worst.state);
    bounded_slot *parent = &search->slots[s->parent];
    bounded_children(search, s->parent)[s->index] = -1;
    parent->children--;
    s->next = search->first_free;
    search->first_free = worst.state;
    search->kept--;
    search->base.stats.forgotten++;
    bounded_list(search, s->parent);
    return true;
}

// Slots are forgotten only when all are in use, and the free one is taken at once: those in use are
// always the first ones.
static int32_t bounded_take_slot(bounded_search *search) {
    ploy_search_stats *stats = &search->base.stats;
    int32_t slot = search->first_free;
    search->first_free = search->slots[slot].next;
    memset(&search->slots[slot], 0, sizeof search->slots[slot]);
    search->slots[slot].edges = -1;
    stats->opened++;
    if (++search->kept > stats->peak_open) stats->peak_open = search->kept;
    return slot;
}

// ---- the search

static ploy_result bounded_begin(ploy_search *base) {
    bounded_search *search = (bounded_search *)base;
    const ploy_search_start *start = ployi_search_first(base);
    double estimate = 0.0;
    ploy_result result = ployi_search_estimate(base, start->state, base->query.goal, &estimate);
    if (result != PLOY_OK) return result;
    search->root = bounded_take_slot(search);
    bounded_slot *root = &search->slots[search->root];
    root->state = start->state;
    root->parent = -1;
    root->label = -1;
    root->cost = root->edge = start->cost;
    root->total = start->cost + ployi_search_weighted(base->def.weight, estimate);
    bounded_list(search, search->root);
    return PLOY_OK;
}

// Looks up the edges of a slot's state; they are not kept, only how many there are.
static ploy_result bounded_expand(bounded_search *search, int32_t slot) {
    ploy_search *base = &search->base;
    bounded_slot *s = &search->slots[slot];
    ploy_result result = ployi_search_expand(base, s->state, false, &base->edges);
    if (result != PLOY_OK) return result;
    int32_t count = base->edges.count;
    if (count > base->def.branching) {
        char text[120];
        snprintf(text, sizeof text, "search 'sma*': state %d has %d edges, more than branching %d",
                 (int)s->state, (int)count, (int)base->def.branching);
        ploy_env_log(&base->env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_LIMIT;
    }
    if (s->edges >= 0) return s->edges == count ? PLOY_OK : PLOY_ERR_CALLBACK;
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *edge = &base->edges.view[i];
        result = ployi_search_check_edge(base, s->state, edge);
        if (result != PLOY_OK) return result;
        bounded_promises(search, slot)[i] = edge->cost < INFINITY ? NAN : INFINITY;
        bounded_children(search, slot)[i] = -1;
    }
    base->stats.edges += count;
    s->edges = count;
    return PLOY_OK;
}

static bool bounded_on_path(const bounded_search *search, int32_t slot, int32_t state) {
    for (; slot >= 0; slot = search->slots[slot].parent) {
        if (search->slots[slot].state == state) return true;
    }
    return false;
}

// Makes one child of a slot, forgetting another slot if there is no room.
static ploy_result bounded_make_child(bounded_search *search, int32_t slot, int32_t index) {
    ploy_search *base = &search->base;
    const ploy_edge edge = base->edges.view[index];
    double *promise = &bounded_promises(search, slot)[index];
    double known = *promise, cost = search->slots[slot].cost + edge.cost, estimate = 0.0;
    bool repeats = bounded_on_path(search, slot, edge.to);
    if (repeats || cost > base->def.max_cost || !ployi_search_allows(base, edge.to)) {
        if (!repeats && cost > base->def.max_cost) search->cut = true;
        *promise = INFINITY;
        return PLOY_OK;
    }
    ploy_result result = ployi_search_estimate(base, edge.to, base->query.goal, &estimate);
    if (result != PLOY_OK) return result;
    if (search->first_free == base->def.capacity && !bounded_forget(search, slot)) {
        *promise = INFINITY; // the path itself fills the memory
        search->cut = true;
        return PLOY_OK;
    }
    int32_t child = bounded_take_slot(search);
    bounded_slot *s = &search->slots[slot], *c = &search->slots[child];
    c->state = edge.to;
    c->label = edge.label;
    c->edge = edge.cost;
    c->cost = cost;
    c->parent = slot;
    c->index = index;
    c->depth = s->depth + 1;
    c->total = c->cost + ployi_search_weighted(base->def.weight, estimate);
    if (s->total > c->total) c->total = s->total;
    if (known > c->total) c->total = known; // NAN is not; what it promised before it was forgotten
    base->stats.reopened += !isnan(known);
    *promise = c->total;
    bounded_children(search, slot)[index] = child;
    s->children++;
    bounded_list(search, child);
    return PLOY_OK;
}

static ploy_result bounded_take(ploy_search *base) {
    bounded_search *search = (bounded_search *)base;
    ploy_open_entry best;
    if (!ployi_open_list_peek(search->work, &best) || best.key.first == INFINITY) {
        base->outcome = search->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    base->stats.taken++;
    int32_t slot = best.state;
    if (ployi_search_is_goal(base, search->slots[slot].state)) {
        search->found = slot;
        base->outcome = PLOY_SEARCH_FOUND;
        base->goal = search->slots[slot].state;
        base->version = 1;
        // What was cut off may have been the cheapest path.
        base->bound = search->cut ? INFINITY : base->def.weight > 1.0 ? base->def.weight : 1.0;
        return PLOY_OK;
    }
    ploy_result result = bounded_expand(search, slot);
    if (result != PLOY_OK) return result;
    int32_t index = bounded_choice(search, slot);
    if (index >= 0) result = bounded_make_child(search, slot, index);
    if (result != PLOY_OK) return result;
    bounded_back_up(search, slot);
    return PLOY_OK;
}

// ---- results

// The slot of a state: that of the path found, else the cheapest in memory; -1 if there is none.
static int32_t bounded_find(const bounded_search *search, int32_t state) {
    if (search->found >= 0 && search->slots[search->found].state == state) return search->found;
    int32_t best = -1;
    for (int32_t i = 0; i < search->kept; i++) {
        if (search->slots[i].state != state) continue;
        if (best < 0 || search->slots[i].cost < search->slots[best].cost) best = i;
    }
    return best;
}

static int32_t bounded_path(const ploy_search *base, int32_t state, ploy_edge *out,
                            int32_t capacity, double *cost) {
    const bounded_search *search = (const bounded_search *)base;
    int32_t slot = bounded_find(search, state);
    if (slot < 0) return -1;
    const bounded_slot *s = &search->slots[slot];
    int32_t count = s->depth;
    if (cost != NULL) *cost = s->cost;
    for (int32_t i = count - 1; i >= 0; i--) {
        if (i < capacity) {
            out[i].to = s->state;
            out[i].label = s->label;
            out[i].cost = s->edge;
        }
        s = &search->slots[s->parent];
    }
    return count;
}

static bool bounded_get(const ploy_search *base, int32_t state, ploy_search_node *out) {
    const bounded_search *search = (const bounded_search *)base;
    int32_t slot = bounded_find(search, state);
    if (slot < 0) return false;
    const bounded_slot *s = &search->slots[slot];
    out->status = ployi_open_list_has(search->work, slot) ? PLOY_SEARCH_SEEN : PLOY_SEARCH_CLOSED;
    out->parent = s->parent >= 0 ? search->slots[s->parent].state : PLOY_STATE_NONE;
    out->label = s->label;
    out->start = search->slots[search->root].state;
    out->cost = s->cost;
    out->estimate = s->total - s->cost;
    return true;
}

static int32_t bounded_reached(const ploy_search *base) {
    return ((const bounded_search *)base)->kept;
}

static int32_t bounded_reached_at(const ploy_search *base, int32_t index) {
    return ((const bounded_search *)base)->slots[index].state;
}

static void bounded_describe(const ploy_search *base, ploy_describe *out) {
    const bounded_search *search = (const bounded_search *)base;
    uint64_t hash = 0;
    for (int32_t i = 0; i < search->kept; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &search->slots[i].total, sizeof bits);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)search->slots[i].state);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)search->slots[i].parent);
        hash = ploy_hash_combine(hash, bits);
    }
    ploy_describe_i64(out, "kept", PLOY_DERIVED, search->kept);
    ploy_describe_u64(out, "tree", PLOY_STATE, hash);
    ploy_describe_bool(out, "cut", PLOY_STATE, search->cut);
}

static void bounded_memory(const ploy_search *base, ploy_memory_fn fn, void *user) {
    const bounded_search *search = (const bounded_search *)base;
    const ploy_search_def *def = &base->def;
    ploy_memory_item item = {"search slots",
                             (size_t)def->capacity * sizeof *search->slots +
                                 bounded_children_size(def, sizeof(double) + sizeof(int32_t)),
                             3};
    fn(user, &item);
    ploy_open_list_memory(search->work, fn, user);
    ploy_open_list_memory(search->leaves, fn, user);
}

const ployi_search_method ployi_search_bounded = {
    .size = sizeof(bounded_search),
    .flags = PLOYI_SEARCH_PAID | PLOYI_SEARCH_IS_GOAL | PLOYI_SEARCH_ALLOW,
    .create = bounded_create,
    .destroy = bounded_destroy,
    .clear = bounded_clear,
    .begin = bounded_begin,
    .take = bounded_take,
    .path = bounded_path,
    .get = bounded_get,
    .reached = bounded_reached,
    .reached_at = bounded_reached_at,
    .describe = bounded_describe,
    .memory = bounded_memory,
};
