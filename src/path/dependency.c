// What needs what; see the header.
//
// Invariants:
//   (1) needs lie in one array and are in two lists that run through it: the needs of a thing and
//       the needs for a thing, both in the order of adding;
//   (2) nothing needs itself, whether directly or through others.
#include "ploy/path/dependency.h"

#include "path/path_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path/path_flood.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/heap.h"
#include "ploy/search/states.h"

typedef struct dependency_need {
    int32_t thing, needed, group;
    int32_t choice; // which choice it belongs to, counted over all things; -1 for group 0
    int32_t next, next_for;
    double cost;
} dependency_need;

// Heads and tails of a thing's two lists.
typedef struct dependency_thing {
    int32_t first, last;
    int32_t first_for, last_for;
} dependency_thing;

struct ploy_dependency {
    ploy_env env;
    int32_t count;
    int32_t choices;
    ploy_array needs;         // dependency_need
    dependency_thing *things; // count of them
};

ploy_result ploy_dependency_create(int32_t count, const ploy_env *env, ploy_dependency **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || count < 1 || count > PLOY_DEPENDENCY_MAX) return PLOY_ERR_ARGUMENT;
    ploy_dependency *tree = ploy_env_alloc_zero(env, sizeof *tree);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    tree->env = *env;
    tree->count = count;
    ploy_array_init(&tree->needs, sizeof(dependency_need), env);
    tree->things = ploy_env_alloc(env, (size_t)count * sizeof *tree->things);
    if (tree->things == NULL) {
        ploy_dependency_destroy(tree);
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        dependency_thing empty = {-1, -1, -1, -1};
        tree->things[i] = empty;
    }
    *out = tree;
    return PLOY_OK;
}

void ploy_dependency_destroy(ploy_dependency *tree) {
    if (tree == NULL) return;
    ploy_env env = tree->env;
    ploy_array_fini(&tree->needs);
    ploy_env_free(&env, tree->things, (size_t)tree->count * sizeof *tree->things);
    ploy_env_free(&env, tree, sizeof *tree);
}

static bool dependency_has(const ploy_dependency *tree, int32_t thing) {
    return thing >= 0 && thing < tree->count;
}

static const dependency_need *dependency_needs(const ploy_dependency *tree) {
    return PLOY_ARRAY_ITEMS(&tree->needs, const dependency_need);
}

// Marks everything that x needs (forward: that needs x), directly or not, x itself left out.
static ploy_result dependency_mark(const ploy_dependency *tree, int32_t x, bool forward,
                                   bool *marked) {
    const dependency_need *needs = dependency_needs(tree);
    size_t size = (size_t)tree->count * sizeof(int32_t);
    int32_t *stack = ploy_env_alloc(&tree->env, size), top = 0;
    if (stack == NULL) return PLOY_ERR_MEMORY;
    memset(marked, 0, (size_t)tree->count * sizeof *marked);
    stack[top++] = x;
    while (top > 0) {
        const dependency_thing *thing = &tree->things[stack[--top]];
        int32_t n = forward ? thing->first_for : thing->first;
        while (n >= 0) {
            int32_t other = forward ? needs[n].thing : needs[n].needed;
            if (!marked[other] && other != x) {
                marked[other] = true;
                stack[top++] = other; // each once, so the stack is large enough
            }
            n = forward ? needs[n].next_for : needs[n].next;
        }
    }
    ploy_env_free(&tree->env, stack, size);
    return PLOY_OK;
}

// Writes the marked things in an order in which each comes behind those that it needs, of those
// that could come next the lowest (Kahn 1962). @return how many, or -1 if memory is short.
static int32_t dependency_emit(const ploy_dependency *tree, const bool *marked, int32_t *out,
                               int32_t capacity) {
    const dependency_need *needs = dependency_needs(tree);
    size_t size = (size_t)tree->count * sizeof(int32_t);
    int32_t *left = ploy_env_alloc(&tree->env, size), count = 0, thing = 0;
    if (left == NULL) return -1;
    ploy_indexed_heap ready;
    ploy_result result = ploy_indexed_heap_init(&ready, 4, &tree->env);
    if (result == PLOY_OK) result = ploy_indexed_heap_reserve(&ready, tree->count);
    for (int32_t i = 0; i < tree->count && result == PLOY_OK; i++) {
        left[i] = 0;
        for (int32_t n = tree->things[i].first; n >= 0; n = needs[n].next) {
            left[i] += marked[needs[n].needed];
        }
        if (marked[i] && left[i] == 0) result = ploy_indexed_heap_push(&ready, i, 0.0);
    }
    while (result == PLOY_OK && ploy_indexed_heap_pop(&ready, &thing, NULL)) {
        if (count < capacity) out[count] = thing;
        count++;
        for (int32_t n = tree->things[thing].first_for; n >= 0; n = needs[n].next_for) {
            int32_t next = needs[n].thing;
            if (--left[next] == 0 && marked[next] && result == PLOY_OK) {
                result = ploy_indexed_heap_push(&ready, next, 0.0);
            }
        }
    }
    ploy_indexed_heap_fini(&ready);
    ploy_env_free(&tree->env, left, size);
    return result == PLOY_OK ? count : -1;
}

// Are all needs of a thing met by what is there? Of a group one will do.
static bool dependency_met(const ploy_dependency *tree, int32_t thing, const bool *there) {
    const dependency_need *needs = dependency_needs(tree);
    for (int32_t n = tree->things[thing].first; n >= 0; n = needs[n].next) {
        if (there[needs[n].needed]) continue;
        if (needs[n].group == 0) return false;
        bool other = false;
        for (int32_t m = tree->things[thing].first; m >= 0 && !other; m = needs[m].next) {
            other = needs[m].group == needs[n].group && there[needs[m].needed];
        }
        if (!other) return false;
    }
    return true;
}

ploy_result ploy_dependency_add(ploy_dependency *tree, int32_t thing, int32_t needed, double cost,
                                int32_t group) {
    if (!dependency_has(tree, thing) || !dependency_has(tree, needed) || group < 0 ||
        !(cost >= 0.0 && cost < INFINITY)) {
        return PLOY_ERR_ARGUMENT;
    }
    const dependency_need *needs = dependency_needs(tree);
    int32_t choice = group > 0 ? tree->choices : -1;
    for (int32_t n = tree->things[thing].first; n >= 0; n = needs[n].next) {
        if (needs[n].needed == needed) return PLOY_ERR_EXISTS;
        if (group > 0 && needs[n].group == group) choice = needs[n].choice;
    }
    size_t size = (size_t)tree->count * sizeof(bool);
    bool *marked = ploy_env_alloc(&tree->env, size);
    if (marked == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = dependency_mark(tree, needed, false, marked);
    if (result == PLOY_OK && (marked[thing] || thing == needed)) {
        char text[96];
        snprintf(text, sizeof text, "dependency cycle: %ld already needs %ld", (long)needed,
                 (long)thing);
        ploy_env_log(&tree->env, PLOY_SEVERITY_ERROR, text);
        result = PLOY_ERR_STATE; // keeps (2)
    }
    ploy_env_free(&tree->env, marked, size);
    dependency_need need = {thing, needed, group, choice, -1, -1, cost};
    if (result == PLOY_OK) result = ploy_array_push(&tree->needs, &need);
    if (result != PLOY_OK) return result;
    dependency_need *all = PLOY_ARRAY_ITEMS(&tree->needs, dependency_need);
    int32_t number = tree->needs.count - 1;
    dependency_thing *owner = &tree->things[thing], *other = &tree->things[needed];
    if (owner->last >= 0)
        all[owner->last].next = number;
    else
        owner->first = number;
    owner->last = number;
    if (other->last_for >= 0)
        all[other->last_for].next_for = number;
    else
        other->first_for = number;
    other->last_for = number;
    if (choice == tree->choices) tree->choices++;
    return PLOY_OK;
}

int32_t ploy_dependency_before(const ploy_dependency *tree, int32_t x, int32_t *out,
                               int32_t capacity) {
    if (!dependency_has(tree, x)) return -1;
    size_t size = (size_t)tree->count * sizeof(bool);
    bool *marked = ploy_env_alloc(&tree->env, size);
    if (marked == NULL) return -1;
    int32_t count = -1;
    if (dependency_mark(tree, x, false, marked) == PLOY_OK) {
        count = dependency_emit(tree, marked, out, capacity);
    }
    ploy_env_free(&tree->env, marked, size);
    return count;
}

// Follows what is allowed along an order: what of it has all its needs met in the same way? Then
// says whether x could come next.
static bool dependency_holds(const ploy_dependency *tree, int32_t x, const int32_t *order,
                             int32_t count, const bool *allowed, int32_t without, bool *holds) {
    memset(holds, 0, (size_t)tree->count * sizeof *holds);
    for (int32_t i = 0; i < count; i++) {
        int32_t thing = order[i];
        holds[thing] = thing != without && (allowed == NULL || allowed[thing]) &&
                       dependency_met(tree, thing, holds);
    }
    return dependency_met(tree, x, holds);
}

// Things before x, among the allowed, without any one of which x cannot come about.
static int32_t dependency_without(const ploy_dependency *tree, int32_t x, const bool *allowed,
                                  int32_t *out, int32_t capacity) {
    if (!dependency_has(tree, x)) return -1;
    size_t order_size = (size_t)tree->count * sizeof(int32_t);
    size_t holds_size = 2 * (size_t)tree->count * sizeof(bool);
    int32_t *order = ploy_env_alloc(&tree->env, order_size), found = -1;
    bool *holds = ploy_env_alloc(&tree->env, holds_size);
    int32_t count =
        order != NULL && holds != NULL ? ploy_dependency_before(tree, x, order, tree->count) : -1;
    if (count >= 0) {
        bool *wanted = holds + tree->count;
        memset(wanted, 0, (size_t)tree->count * sizeof *wanted);
        bool now = dependency_holds(tree, x, order, count, allowed, -1, holds);
        for (int32_t i = 0; i < count && now; i++) {
            if (allowed != NULL && !allowed[order[i]]) continue;
            wanted[order[i]] = !dependency_holds(tree, x, order, count, allowed, order[i], holds);
        }
        if (allowed == NULL) {
            found = dependency_emit(tree, wanted, out, capacity);
        } else { // in the order of numbers
            found = 0;
            for (int32_t i = 0; i < tree->count; i++) {
                if (!wanted[i]) continue;
                if (found < capacity) out[found] = i;
                found++;
            }
        }
    }
    ploy_env_free(&tree->env, order, order_size);
    ploy_env_free(&tree->env, holds, holds_size);
    return found;
}

int32_t ploy_dependency_implies(const ploy_dependency *tree, int32_t x, int32_t *out,
                                int32_t capacity) {
    return dependency_without(tree, x, NULL, out, capacity);
}

bool ployi_dependency_ready(const ploy_dependency *tree, int32_t x, const bool *owned) {
    return dependency_has(tree, x) && dependency_met(tree, x, owned);
}

int32_t ploy_dependency_next(const ploy_dependency *tree, const bool *owned, int32_t *out,
                             int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < tree->count; i++) {
        if (owned[i] || !dependency_met(tree, i, owned)) continue;
        if (count < capacity) out[count] = i;
        count++;
    }
    return count;
}

int32_t ploy_dependency_unlocks(const ploy_dependency *tree, int32_t x, const bool *wanted,
                                bool direct) {
    if (!dependency_has(tree, x)) return -1;
    const dependency_need *needs = dependency_needs(tree);
    int32_t count = 0;
    if (direct) {
        for (int32_t n = tree->things[x].first_for; n >= 0; n = needs[n].next_for) {
            count += wanted == NULL || wanted[needs[n].thing];
        }
        return count;
    }
    size_t size = (size_t)tree->count * sizeof(bool);
    bool *marked = ploy_env_alloc(&tree->env, size);
    if (marked == NULL) return -1;
    bool done = dependency_mark(tree, x, true, marked) == PLOY_OK;
    for (int32_t i = 0; i < tree->count && done; i++) {
        count += marked[i] && (wanted == NULL || wanted[i]);
    }
    ploy_env_free(&tree->env, marked, size);
    return done ? count : -1;
}

int32_t ploy_dependency_critical(const ploy_dependency *tree, int32_t x, const bool *owned,
                                 int32_t *out, int32_t capacity) {
    return owned != NULL ? dependency_without(tree, x, owned, out, capacity) : 0;
}

// The plan is searched for. A state is a row of bits: the things to be made, then the choices that
// are made. Each edge makes the first open choice one way or another.
typedef struct dependency_planner {
    const ploy_dependency *tree;
    const bool *owned;
    ploy_states *states;
    unsigned char *bits; // of a state, changed while edges are made
    size_t size;         // of a state, bytes
    int32_t *stack;
} dependency_planner;

static bool dependency_bit(const unsigned char *bits, int32_t bit) {
    return (bits[bit / 8] >> (bit % 8) & 1) != 0;
}

static void dependency_set_bit(unsigned char *bits, int32_t bit) {
    bits[bit / 8] = (unsigned char)(bits[bit / 8] | 1 << bit % 8);
}

// Adds a thing and all that it needs in any case to the bits. @return what that costs.
static double dependency_close(const dependency_planner *planner, int32_t thing) {
    const ploy_dependency *tree = planner->tree;
    const dependency_need *needs = dependency_needs(tree);
    double cost = 0.0;
    int32_t top = 0;
    if ((planner->owned != NULL && planner->owned[thing]) || dependency_bit(planner->bits, thing)) {
        return 0.0;
    }
    dependency_set_bit(planner->bits, thing);
    planner->stack[top++] = thing;
    while (top > 0) {
        int32_t made = planner->stack[--top];
        for (int32_t n = tree->things[made].first; n >= 0; n = needs[n].next) {
            int32_t needed = needs[n].needed;
            if (needs[n].group > 0) continue;
            cost += needs[n].cost;
            if ((planner->owned != NULL && planner->owned[needed]) ||
                dependency_bit(planner->bits, needed)) {
                continue;
            }
            dependency_set_bit(planner->bits, needed);
            planner->stack[top++] = needed;
        }
    }
    return cost;
}

// The choice to be made next: one of a need whose thing is to be made; -1 if all are.
static int32_t dependency_open_choice(const dependency_planner *planner,
                                      const unsigned char *bits) {
    const ploy_dependency *tree = planner->tree;
    const dependency_need *needs = dependency_needs(tree);
    for (int32_t n = 0; n < tree->needs.count; n++) {
        if (needs[n].choice >= 0 && dependency_bit(bits, needs[n].thing) &&
            !dependency_bit(bits, tree->count + needs[n].choice)) {
            return needs[n].choice;
        }
    }
    return -1;
}

static ploy_result dependency_expand(void *user, int32_t state, ploy_edges *out) {
    const dependency_planner *planner = user;
    const ploy_dependency *tree = planner->tree;
    const dependency_need *needs = dependency_needs(tree);
    const unsigned char *bits = ploy_states_get(planner->states, state);
    int32_t choice = dependency_open_choice(planner, bits), to = 0;
    for (int32_t n = 0; n < tree->needs.count && choice >= 0; n++) {
        if (needs[n].choice != choice) continue;
        memcpy(planner->bits, bits, planner->size);
        dependency_set_bit(planner->bits, tree->count + choice);
        double cost = needs[n].cost + dependency_close(planner, needs[n].needed);
        ploy_result result = ploy_states_find(planner->states, planner->bits, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, cost, n);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool dependency_is_done(void *user, int32_t state) {
    const dependency_planner *planner = user;
    return dependency_open_choice(planner, ploy_states_get(planner->states, state)) < 0;
}

// Runs the search from the things that x needs in any case.
static ploy_result dependency_search(dependency_planner *planner, int32_t x, ploy_search *search,
                                     double *cost) {
    int32_t first = 0;
    memset(planner->bits, 0, planner->size);
    ploy_search_start start = {0, dependency_close(planner, x)};
    ploy_result result = ploy_states_find(planner->states, planner->bits, &first);
    if (result != PLOY_OK) return result;
    start.state = first;
    ploy_space space = {0, dependency_expand, NULL, NULL, planner};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = dependency_is_done;
    query.user = planner;
    result = ploy_search_run(search, &query);
    if (result != PLOY_OK) return result;
    if (ploy_search_outcome_of(search) != PLOY_SEARCH_FOUND) return PLOY_ERR_LIMIT;
    (void)ploy_search_path(search, ploy_search_goal(search), NULL, 0, cost);
    return PLOY_OK;
}

ploy_result ploy_dependency_plan(const ploy_dependency *tree, int32_t x, const bool *owned,
                                 int32_t limit, int32_t *out, int32_t capacity, int32_t *count,
                                 double *cost) {
    if (!dependency_has(tree, x) || limit < 1 || count == NULL || capacity < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    if (owned != NULL && owned[x]) {
        *count = 0;
        if (cost != NULL) *cost = 0.0;
        return PLOY_OK;
    }
    dependency_planner planner = {tree, owned, NULL, NULL, 0, NULL};
    planner.size = ((size_t)tree->count + (size_t)tree->choices + 7) / 8;
    size_t stack_size = (size_t)tree->count * sizeof(int32_t), marked_size = (size_t)tree->count;
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = (int32_t)planner.size;
    states_def.capacity = limit;
    ploy_search_def search_def = ploy_search_def_default();
    search_def.weight = 0.0;
    search_def.storage = PLOY_SEARCH_PAGES;
    ploy_search *search = NULL;
    double sum = 0.0;
    planner.bits = ploy_env_alloc(&tree->env, planner.size);
    planner.stack = ploy_env_alloc(&tree->env, stack_size);
    bool *marked = ploy_env_alloc(&tree->env, marked_size * sizeof *marked);
    ploy_result result =
        planner.bits == NULL || planner.stack == NULL || marked == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) result = ploy_states_create(&states_def, &tree->env, &planner.states);
    if (result == PLOY_OK) result = ploy_search_create(&search_def, &tree->env, &search);
    if (result == PLOY_OK) result = dependency_search(&planner, x, search, &sum);
    if (result == PLOY_OK) {
        const unsigned char *bits = ploy_states_get(planner.states, ploy_search_goal(search));
        for (int32_t i = 0; i < tree->count; i++) marked[i] = dependency_bit(bits, i);
        int32_t things = dependency_emit(tree, marked, out, capacity);
        if (things < 0)
            result = PLOY_ERR_MEMORY;
        else
            *count = things;
    }
    if (result == PLOY_OK && cost != NULL) *cost = sum;
    ploy_search_destroy(search);
    ploy_states_destroy(planner.states);
    ploy_env_free(&tree->env, planner.bits, planner.size);
    ploy_env_free(&tree->env, planner.stack, stack_size);
    ploy_env_free(&tree->env, marked, marked_size * sizeof *marked);
    return result;
}

void ploy_dependency_describe(const ploy_dependency *tree, ploy_describe *out) {
    const dependency_need *needs = dependency_needs(tree);
    uint64_t hash = 0;
    for (int32_t n = 0; n < tree->needs.count; n++) {
        uint64_t bits = 0;
        memcpy(&bits, &needs[n].cost, sizeof bits);
        hash = ploy_hash_combine(hash, (uint64_t)needs[n].thing << 32 | (uint32_t)needs[n].needed);
        hash = ploy_hash_combine(hash, (uint64_t)needs[n].group);
        hash = ploy_hash_combine(hash, bits);
    }
    ploy_describe_i64(out, "things", PLOY_STATE, tree->count);
    ploy_describe_i64(out, "needs", PLOY_STATE, tree->needs.count);
    ploy_describe_u64(out, "all", PLOY_STATE, hash);
}

void ploy_dependency_memory(const ploy_dependency *tree, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"dependency",
                             sizeof *tree + (size_t)tree->count * sizeof *tree->things, 2};
    fn(user, &item);
    ploy_array_memory(&tree->needs, fn, user);
}
