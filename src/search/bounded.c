// Memory-bounded search; see the header.
//
// A tree of slots. Each keeps, for every edge out of its state, the total that the child behind it
// promised last: NAN before it was made, INFINITY for a way that leads nowhere. `total` of a slot
// is the least of these once all were made, never less than it was.
//
// Invariants, while there is something to do:
//   (1) a slot is on `work` exactly if a child of it is not in memory that was never made or promises
//       less than INFINITY; until its edges are known it is there, too;
//   (2) a slot is on `leaves` exactly if it has no child in memory and is not the root;
//   (3) promises of children in memory equal their totals.
#include "ploy/search/bounded.h"

#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"

static const ploy_field bounded_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_bounded_def, capacity, 1024, 2, 1 << 22, "", "states kept at once"),
    PLOY_FIELD_I32_FIXED(ploy_bounded_def, branching, 8, 1, 4096, "", "most edges of a state"),
};

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

struct ploy_bounded {
    ploy_env env;
    ploy_bounded_def def;
    ploy_space space;
    ploy_edges edges;
    ploy_open_list *work;   // deepest of the best first
    ploy_open_list *leaves; // shallowest of the worst first
    bounded_slot *slots;
    double *promises;   // branching to a slot
    int32_t *in_memory; // slot of each child, or -1
    int32_t first_free;
    int32_t root;
    int32_t goal;  // state
    int32_t found; // slot
    ploy_search_outcome outcome;
    ploy_bounded_stats stats;
    bool cut; // a path was too long for the memory
};

ploy_fields ploy_bounded_fields(void) {
    return PLOY_FIELDS(ploy_bounded_def, bounded_fields);
}

ploy_bounded_def ploy_bounded_def_default(void) {
    ploy_bounded_def def;
    ploy_fields_default(ploy_bounded_fields(), &def);
    return def;
}

static size_t bounded_children_size(const ploy_bounded_def *def, size_t item) {
    return (size_t)def->capacity * (size_t)def->branching * item;
}

ploy_result ploy_bounded_create(const ploy_bounded_def *def, const ploy_env *env,
                                ploy_bounded **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_bounded_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)def->capacity * def->branching, sizeof(double), &size)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_bounded *bounded = ploy_env_alloc(env, sizeof *bounded);
    if (bounded == NULL) return PLOY_ERR_MEMORY;
    memset(bounded, 0, sizeof *bounded);
    bounded->env = *env;
    bounded->def = *def;
    ploy_edges_init(&bounded->edges, env);
    bounded->slots = ploy_env_alloc(env, (size_t)def->capacity * sizeof *bounded->slots);
    bounded->promises = ploy_env_alloc(env, size);
    bounded->in_memory = ploy_env_alloc(env, bounded_children_size(def, sizeof(int32_t)));
    bool made = bounded->slots != NULL && bounded->promises != NULL && bounded->in_memory != NULL;
    if (made) { // a region has the same bytes whatever lay there before
        memset(bounded->slots, 0, (size_t)def->capacity * sizeof *bounded->slots);
        memset(bounded->promises, 0, size);
        memset(bounded->in_memory, 0, bounded_children_size(def, sizeof(int32_t)));
    }
    result = made ? ploy_open_list_create(PLOY_OPEN_HEAP, 0, env, &bounded->work) : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        result = ploy_open_list_create(PLOY_OPEN_HEAP, 0, env, &bounded->leaves);
    }
    if (result == PLOY_OK) result = ploy_open_list_reserve(bounded->work, def->capacity);
    if (result == PLOY_OK) result = ploy_open_list_reserve(bounded->leaves, def->capacity);
    if (result != PLOY_OK) {
        ploy_bounded_destroy(bounded);
        return result;
    }
    *out = bounded;
    return PLOY_OK;
}

void ploy_bounded_destroy(ploy_bounded *bounded) {
    if (bounded == NULL) return;
    ploy_env env = bounded->env;
    const ploy_bounded_def *def = &bounded->def;
    ploy_open_list_destroy(bounded->work);
    ploy_open_list_destroy(bounded->leaves);
    ploy_edges_fini(&bounded->edges);
    ploy_env_free(&env, bounded->slots, (size_t)def->capacity * sizeof *bounded->slots);
    ploy_env_free(&env, bounded->promises, bounded_children_size(def, sizeof(double)));
    ploy_env_free(&env, bounded->in_memory, bounded_children_size(def, sizeof(int32_t)));
    ploy_env_free(&env, bounded, sizeof *bounded);
}

// ---- slots

static double *bounded_promises(const ploy_bounded *bounded, int32_t slot) {
    return bounded->promises + (size_t)slot * (size_t)bounded->def.branching;
}

static int32_t *bounded_children(const ploy_bounded *bounded, int32_t slot) {
    return bounded->in_memory + (size_t)slot * (size_t)bounded->def.branching;
}

// The edge to follow next: the first never made, else the best of those not in memory. -1: none.
static int32_t bounded_choice(const ploy_bounded *bounded, int32_t slot) {
    const double *promises = bounded_promises(bounded, slot);
    const int32_t *children = bounded_children(bounded, slot);
    int32_t best = -1;
    for (int32_t i = 0; i < bounded->slots[slot].edges; i++) {
        if (isnan(promises[i])) return i;
        if (children[i] >= 0 || promises[i] == INFINITY) continue;
        if (best < 0 || promises[i] < promises[best]) best = i;
    }
    return best;
}

// Puts a slot on the two lists or takes it off; keeps (1) and (2). Room is there, so nothing fails.
static void bounded_list(ploy_bounded *bounded, int32_t slot) {
    const bounded_slot *s = &bounded->slots[slot];
    ploy_open_key best = {s->total, -(double)s->depth}, worst = {-s->total, (double)s->depth};
    bool works = s->edges < 0 || bounded_choice(bounded, slot) >= 0;
    bool leaf = s->children == 0 && slot != bounded->root;
    ploy_open_list_remove(bounded->work, slot);
    ploy_open_list_remove(bounded->leaves, slot);
    if (works) (void)ploy_open_list_add(bounded->work, slot, best);
    if (leaf) (void)ploy_open_list_add(bounded->leaves, slot, worst);
}

// Hands a slot's total up, as far as it changes something.
static void bounded_back_up(ploy_bounded *bounded, int32_t slot) {
    while (slot >= 0) {
        bounded_slot *s = &bounded->slots[slot];
        double least = INFINITY;
        const double *promises = bounded_promises(bounded, slot);
        bool whole = s->edges >= 0;
        for (int32_t i = 0; i < s->edges; i++) {
            if (isnan(promises[i])) whole = false;
            if (promises[i] < least) least = promises[i];
        }
        if (!whole || !(least > s->total)) {
            bounded_list(bounded, slot);
            return;
        }
        s->total = least;
        bounded_list(bounded, slot);
        if (s->parent >= 0) bounded_promises(bounded, s->parent)[s->index] = s->total; // (3)
        slot = s->parent;
    }
}

// Forgets the worst leaf, but not `keep`. @return false if there is no other.
static bool bounded_forget(ploy_bounded *bounded, int32_t keep) {
    ploy_open_entry worst;
    bool kept = ploy_open_list_remove(bounded->leaves, keep);
    bool found = ploy_open_list_pop(bounded->leaves, &worst);
    if (kept) bounded_list(bounded, keep);
    if (!found) return false;
    bounded_slot *s = &bounded->slots[worst.state];
    ploy_open_list_remove(bounded->work, worst.state);
    bounded_slot *parent = &bounded->slots[s->parent];
    bounded_children(bounded, s->parent)[s->index] = -1;
    parent->children--;
    s->next = bounded->first_free;
    bounded->first_free = worst.state;
    bounded->stats.kept--;
    bounded->stats.forgotten++;
    bounded_list(bounded, s->parent);
    return true;
}

static int32_t bounded_take_slot(ploy_bounded *bounded) {
    int32_t slot = bounded->first_free;
    bounded->first_free = bounded->slots[slot].next;
    memset(&bounded->slots[slot], 0, sizeof bounded->slots[slot]);
    bounded->slots[slot].edges = -1;
    bounded->stats.made++;
    if (++bounded->stats.kept > bounded->stats.peak) bounded->stats.peak = bounded->stats.kept;
    return slot;
}

static ploy_result bounded_estimate(const ploy_bounded *bounded, int32_t state, double *out) {
    const ploy_space *space = &bounded->space;
    *out = space->estimate == NULL ? 0.0 : space->estimate(space->user, state, bounded->goal);
    if (*out >= 0.0) return PLOY_OK;
    ploy_env_log(&bounded->env, PLOY_SEVERITY_ERROR, "an estimate is below 0 or not a number");
    return PLOY_ERR_CALLBACK;
}

// ---- the search

ploy_result ploy_bounded_begin(ploy_bounded *bounded, const ploy_space *space, int32_t start,
                               int32_t goal) {
    if (bounded == NULL) return PLOY_ERR_ARGUMENT;
    bounded->outcome = PLOY_SEARCH_IDLE;
    if (space == NULL || space->expand == NULL || start < 0 || goal < 0 || space->count < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    if (space->count > 0 && (start >= space->count || goal >= space->count)) {
        return PLOY_ERR_ARGUMENT;
    }
    bounded->space = *space;
    bounded->goal = goal;
    bounded->found = -1;
    bounded->cut = false;
    memset(&bounded->stats, 0, sizeof bounded->stats);
    ploy_open_list_clear(bounded->work);
    ploy_open_list_clear(bounded->leaves);
    for (int32_t i = 0; i < bounded->def.capacity; i++) bounded->slots[i].next = i + 1;
    bounded->first_free = 0;
    double estimate = 0.0;
    ploy_result result = bounded_estimate(bounded, start, &estimate);
    if (result != PLOY_OK) return result;
    bounded->root = bounded_take_slot(bounded);
    bounded_slot *root = &bounded->slots[bounded->root];
    root->state = start;
    root->parent = -1;
    root->label = -1;
    root->total = estimate;
    bounded_list(bounded, bounded->root);
    bounded->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// Looks up the edges of a slot's state; they are not kept, only how many there are.
static ploy_result bounded_expand(ploy_bounded *bounded, int32_t slot) {
    const ploy_space *space = &bounded->space;
    bounded_slot *s = &bounded->slots[slot];
    ploy_edges_clear(&bounded->edges);
    ploy_result result = space->expand(space->user, s->state, &bounded->edges);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    int32_t count = bounded->edges.count;
    if (count > bounded->def.branching) return PLOY_ERR_LIMIT;
    if (s->edges >= 0) return s->edges == count ? PLOY_OK : PLOY_ERR_CALLBACK;
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *edge = &bounded->edges.view[i];
        bool within = edge->to >= 0 && (space->count == 0 || edge->to < space->count);
        if (!within || !(edge->cost >= 0.0)) {
            ploy_env_log(&bounded->env, PLOY_SEVERITY_ERROR,
                         "an edge leads out of the space, costs less than 0 or is not a number");
            return PLOY_ERR_CALLBACK;
        }
        bounded_promises(bounded, slot)[i] = edge->cost < INFINITY ? NAN : INFINITY;
        bounded_children(bounded, slot)[i] = -1;
    }
    s->edges = count;
    return PLOY_OK;
}

static bool bounded_on_path(const ploy_bounded *bounded, int32_t slot, int32_t state) {
    for (; slot >= 0; slot = bounded->slots[slot].parent) {
        if (bounded->slots[slot].state == state) return true;
    }
    return false;
}

// Makes one child of a slot, forgetting somebody if there is no room.
static ploy_result bounded_make_child(ploy_bounded *bounded, int32_t slot, int32_t index) {
    const ploy_edge edge = bounded->edges.view[index];
    double *promise = &bounded_promises(bounded, slot)[index];
    double known = *promise;
    if (bounded_on_path(bounded, slot, edge.to)) {
        *promise = INFINITY;
        return PLOY_OK;
    }
    if (bounded->first_free == bounded->def.capacity && !bounded_forget(bounded, slot)) {
        *promise = INFINITY; // the path itself fills the memory
        bounded->cut = true;
        return PLOY_OK;
    }
    double estimate = 0.0;
    ploy_result result = bounded_estimate(bounded, edge.to, &estimate);
    if (result != PLOY_OK) return result;
    int32_t child = bounded_take_slot(bounded);
    bounded_slot *s = &bounded->slots[slot], *c = &bounded->slots[child];
    c->state = edge.to;
    c->label = edge.label;
    c->edge = edge.cost;
    c->cost = s->cost + edge.cost;
    c->parent = slot;
    c->index = index;
    c->depth = s->depth + 1;
    c->total = c->cost + estimate;
    if (s->total > c->total) c->total = s->total;
    if (known > c->total) c->total = known; // NAN is not; what it promised before it was forgotten
    bounded->stats.again += !isnan(known);
    *promise = c->total;
    bounded_children(bounded, slot)[index] = child;
    s->children++;
    bounded_list(bounded, child);
    return PLOY_OK;
}

static ploy_result bounded_advance(ploy_bounded *bounded) {
    ploy_open_entry best;
    if (!ploy_open_list_peek(bounded->work, &best) || best.key.first == INFINITY) {
        bounded->outcome = bounded->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    int32_t slot = best.state;
    if (bounded->slots[slot].state == bounded->goal) {
        bounded->found = slot;
        bounded->outcome = PLOY_SEARCH_FOUND;
        return PLOY_OK;
    }
    ploy_result result = bounded_expand(bounded, slot);
    if (result != PLOY_OK) return result;
    int32_t index = bounded_choice(bounded, slot);
    if (index >= 0) result = bounded_make_child(bounded, slot, index);
    if (result != PLOY_OK) return result;
    bounded_back_up(bounded, slot);
    return PLOY_OK;
}

ploy_result ploy_bounded_step(ploy_bounded *bounded, ploy_budget *budget) {
    if (bounded == NULL || bounded->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (bounded->outcome == PLOY_SEARCH_OPEN) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = bounded_advance(bounded);
        if (result != PLOY_OK) {
            bounded->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_bounded_cancel(ploy_bounded *bounded) {
    bounded->outcome = PLOY_SEARCH_IDLE;
}

ploy_search_outcome ploy_bounded_outcome(const ploy_bounded *bounded) {
    return bounded->outcome;
}

int32_t ploy_bounded_path(const ploy_bounded *bounded, ploy_edge *out, int32_t capacity,
                          double *cost) {
    if (bounded->outcome != PLOY_SEARCH_FOUND) return -1;
    const bounded_slot *s = &bounded->slots[bounded->found];
    int32_t count = s->depth;
    if (cost != NULL) *cost = s->cost;
    for (int32_t i = count - 1; i >= 0; i--) {
        if (i < capacity) {
            out[i].to = s->state;
            out[i].label = s->label;
            out[i].cost = s->edge;
        }
        s = &bounded->slots[s->parent];
    }
    return count;
}

ploy_bounded_stats ploy_bounded_stats_of(const ploy_bounded *bounded) {
    return bounded->stats;
}

void ploy_bounded_describe(const ploy_bounded *bounded, ploy_describe *out) {
    uint64_t hash = 0;
    ploy_open_entry entry;
    for (int32_t cursor = 0; ploy_open_list_next(bounded->work, &cursor, &entry);) {
        uint64_t bits = 0;
        memcpy(&bits, &entry.key.first, sizeof bits);
        hash = ploy_hash_combine(ploy_hash_combine(hash, (uint64_t)(uint32_t)entry.state), bits);
    }
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(bounded->outcome));
    ploy_describe_i64(out, "made", PLOY_STATE, bounded->stats.made);
    ploy_describe_i64(out, "again", PLOY_STATE, bounded->stats.again);
    ploy_describe_i64(out, "forgotten", PLOY_STATE, bounded->stats.forgotten);
    ploy_describe_i64(out, "kept", PLOY_STATE, bounded->stats.kept);
    ploy_describe_u64(out, "work", PLOY_STATE, hash);
}

void ploy_bounded_memory(const ploy_bounded *bounded, ploy_memory_fn fn, void *user) {
    const ploy_bounded_def *def = &bounded->def;
    ploy_memory_item item = {"bounded search",
                             sizeof *bounded + (size_t)def->capacity * sizeof *bounded->slots +
                                 bounded_children_size(def, sizeof(double) + sizeof(int32_t)),
                             4};
    fn(user, &item);
    ploy_open_list_memory(bounded->work, fn, user);
    ploy_open_list_memory(bounded->leaves, fn, user);
}
