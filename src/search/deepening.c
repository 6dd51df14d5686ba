// Iterative deepening; see the header.
//
// The path is a stack of frames; each owns a run of branches, which lie behind those of the frame
// below it:
//
//     frames:    [start][    ][top]
//     branches:  | a b c | d e | f g h |      states of all of them, side by side
//                   ^ taken ^     ^ next
//
// Invariants, while there is something to do:
//   (1) frames[i] for i > 0 is the branch that frames[i - 1] took last;
//   (2) the branches of a frame begin where those of the frame below it end;
//   (3) every frame's cost and estimate are within the limit;
//   (4) a place of the table is of this round exactly if its round is, and holds the least cost at
//       which its state was visited in it.
#include "ploy/search/deepening.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/hash.h"

static const char *const deepening_cycles[] = {"path", "parent", "allowed"};

static const ploy_field deepening_fields[] = {
    PLOY_FIELD_BOOL(ploy_deepening_def, by_depth, false, "limit edges instead of cost"),
    PLOY_FIELD_F64(ploy_deepening_def, first_limit, 0, 0, 1e300, "", "of the first round"),
    PLOY_FIELD_F64(ploy_deepening_def, limit_step, 0, 0, 1e300, "", "least rise of the limit"),
    PLOY_FIELD_F64(ploy_deepening_def, max_limit, 1e300, 0, 1e300, "", "gives up beyond"),
    PLOY_FIELD_I32(ploy_deepening_def, max_depth, 1 << 20, 0, 1 << 24, "", "longest path"),
    PLOY_FIELD_ENUM(ploy_deepening_def, cycles, PLOY_CYCLES_PATH, deepening_cycles,
                    "which repeated states are left out"),
    PLOY_FIELD_I32_FIXED(ploy_deepening_def, table, 0, 0, 1 << 26, "",
                         "states remembered within a round"),
};

typedef struct deepening_branch {
    double cost;
    int32_t label;
} deepening_branch;

typedef struct deepening_frame {
    double cost; // so far
    int32_t first, next, end;
} deepening_frame;

typedef struct deepening_place {
    double cost;
    int32_t round; // 0: empty
} deepening_place;

struct ploy_branches {
    ploy_array items;  // deepening_branch
    ploy_array states; // bytes of each
};

struct ploy_deepening {
    ploy_env env;
    ploy_deepening_def def;
    ploy_tree tree;
    ploy_branches branches;
    ploy_array frames;  // deepening_frame
    ploy_array root;    // bytes of the start
    ploy_array current; // bytes of the state that is being expanded
    deepening_place *places;
    ploy_array table; // bytes of the places' states
    ploy_search_outcome outcome;
    ploy_deepening_stats stats;
    double next_limit; // least that was cut off in this round
    bool cut;          // by max_depth
};

ploy_fields ploy_deepening_fields(void) {
    return PLOY_FIELDS(ploy_deepening_def, deepening_fields);
}

ploy_deepening_def ploy_deepening_def_default(void) {
    ploy_deepening_def def;
    ploy_fields_default(ploy_deepening_fields(), &def);
    return def;
}

ploy_result ploy_branches_add(ploy_branches *branches, const void *state, double cost,
                              int32_t label) {
    if (!(cost >= 0.0)) return PLOY_ERR_CALLBACK;
    if (cost == INFINITY) return PLOY_OK;
    deepening_branch branch;
    memset(&branch, 0, sizeof branch);
    branch.cost = cost;
    branch.label = label;
    ploy_result result = ploy_array_push(&branches->states, state);
    if (result != PLOY_OK) return result;
    result = ploy_array_push(&branches->items, &branch);
    if (result != PLOY_OK) ploy_array_pop(&branches->states, NULL);
    return result;
}

ploy_result ploy_deepening_create(const ploy_deepening_def *def, const ploy_env *env,
                                  ploy_deepening **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_deepening_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = (size_t)def->table * sizeof(deepening_place);
    ploy_deepening *deepening = ploy_env_alloc(env, sizeof *deepening);
    deepening_place *places = size > 0 ? ploy_env_alloc(env, size) : NULL;
    if (deepening == NULL || (size > 0 && places == NULL)) {
        ploy_env_free(env, deepening, sizeof *deepening);
        ploy_env_free(env, places, size);
        return PLOY_ERR_MEMORY;
    }
    memset(deepening, 0, sizeof *deepening);
    if (size > 0) memset(places, 0, size);
    deepening->env = *env;
    deepening->def = *def;
    deepening->places = places;
    ploy_array_init(&deepening->frames, sizeof(deepening_frame), env);
    ploy_array_init(&deepening->branches.items, sizeof(deepening_branch), env);
    ploy_array_init(&deepening->branches.states, 1, env);
    ploy_array_init(&deepening->root, 1, env);
    ploy_array_init(&deepening->current, 1, env);
    ploy_array_init(&deepening->table, 1, env);
    *out = deepening;
    return PLOY_OK;
}

void ploy_deepening_destroy(ploy_deepening *deepening) {
    if (deepening == NULL) return;
    ploy_env env = deepening->env;
    ploy_array_fini(&deepening->frames);
    ploy_array_fini(&deepening->branches.items);
    ploy_array_fini(&deepening->branches.states);
    ploy_array_fini(&deepening->root);
    ploy_array_fini(&deepening->current);
    ploy_array_fini(&deepening->table);
    ploy_env_free(&env, deepening->places,
                  (size_t)deepening->def.table * sizeof *deepening->places);
    ploy_env_free(&env, deepening, sizeof *deepening);
}

// An array of states of this tree's size, empty, with its memory if the size is the same.
static void deepening_reset_states(ploy_array *states, int32_t size, const ploy_env *env) {
    if (states->item_size != (size_t)size) {
        ploy_array_fini(states);
        ploy_array_init(states, (size_t)size, env);
    }
    ploy_array_clear(states);
}

ploy_result ploy_deepening_begin(ploy_deepening *deepening, const ploy_tree *tree,
                                 const void *start) {
    if (deepening == NULL) return PLOY_ERR_ARGUMENT;
    deepening->outcome = PLOY_SEARCH_IDLE;
    if (tree == NULL || start == NULL || tree->expand == NULL || tree->is_goal == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (tree->size < 1 || tree->size > 65536) return PLOY_ERR_ARGUMENT;
    deepening->tree = *tree;
    deepening_reset_states(&deepening->root, tree->size, &deepening->env);
    deepening_reset_states(&deepening->current, tree->size, &deepening->env);
    deepening_reset_states(&deepening->branches.states, tree->size, &deepening->env);
    deepening_reset_states(&deepening->table, tree->size, &deepening->env);
    ploy_array_clear(&deepening->branches.items);
    ploy_array_clear(&deepening->frames);
    memset(&deepening->stats, 0, sizeof deepening->stats);
    deepening->cut = false;
    for (int32_t i = 0; i < deepening->def.table; i++) deepening->places[i].round = 0;
    ploy_result result = ploy_array_push(&deepening->root, start);
    if (result == PLOY_OK) result = ploy_array_push(&deepening->current, start);
    if (result == PLOY_OK) result = ploy_array_resize(&deepening->table, deepening->def.table);
    if (result != PLOY_OK) return result;
    // Before the first round, so that the root's own cost sets the first limit.
    deepening->next_limit = deepening->def.first_limit;
    deepening->stats.limit = -INFINITY;
    deepening->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// ---- one state

static deepening_frame *deepening_top(const ploy_deepening *deepening) {
    return ploy_array_at(&deepening->frames, deepening->frames.count - 1);
}

const void *ploy_deepening_state(const ploy_deepening *deepening, int32_t index) {
    if (index < 0 || index >= deepening->frames.count) return NULL;
    if (index == 0) return deepening->root.items;
    const deepening_frame *below = ploy_array_at(&deepening->frames, index - 1);
    return ploy_array_at(&deepening->branches.states, below->next - 1);
}

// Does the state stand on the path already?
static bool deepening_repeats(const ploy_deepening *deepening, const void *state) {
    int32_t last = deepening->frames.count - 1, first = 0;
    if (deepening->def.cycles == PLOY_CYCLES_ALLOWED) return false;
    if (deepening->def.cycles == PLOY_CYCLES_PARENT) first = last > 0 ? last - 1 : 0;
    for (int32_t i = last; i >= first; i--) {
        const void *other = ploy_deepening_state(deepening, i);
        if (memcmp(other, state, (size_t)deepening->tree.size) == 0) return true;
    }
    return false;
}

// Was the state visited in this round for no more? Otherwise notes that it is now.
static bool deepening_remembers(ploy_deepening *deepening, const void *state, double cost) {
    if (deepening->def.table == 0) return false;
    size_t size = (size_t)deepening->tree.size;
    uint64_t hash = ploy_hash_bytes(state, size, 0);
    int32_t index = (int32_t)(hash % (uint64_t)deepening->def.table);
    deepening_place *place = &deepening->places[index];
    void *bytes = ploy_array_at(&deepening->table, index);
    bool known = place->round == deepening->stats.rounds && memcmp(bytes, state, size) == 0;
    if (known && place->cost <= cost) return true;
    memcpy(bytes, state, size);
    place->round = deepening->stats.rounds;
    place->cost = cost;
    return false;
}

// Is a state within the limit? If not, the limit of the next round may be its own.
static ploy_result deepening_within(ploy_deepening *deepening, const void *state, double cost,
                                    bool *within) {
    double total = (double)deepening->frames.count; // edges on the way to it
    if (!deepening->def.by_depth) {
        double estimate = 0.0;
        const ploy_tree *tree = &deepening->tree;
        if (tree->estimate != NULL) estimate = tree->estimate(tree->user, state);
        if (!(estimate >= 0.0)) {
            ploy_env_log(&deepening->env, PLOY_SEVERITY_ERROR,
                         "an estimate is below 0 or not a number");
            return PLOY_ERR_CALLBACK;
        }
        total = cost + estimate;
    }
    *within = total <= deepening->stats.limit;
    if (!*within && total < deepening->next_limit) deepening->next_limit = total;
    return PLOY_OK;
}

// Puts a state, which is the branch taken last, on the path and finds its branches.
static ploy_result deepening_visit(ploy_deepening *deepening, const void *state, double cost) {
    const ploy_tree *tree = &deepening->tree;
    deepening_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.cost = cost;
    frame.first = frame.next = frame.end = deepening->branches.items.count;
    deepening->stats.visited++;
    ploy_result result = ploy_array_push(&deepening->frames, &frame);
    if (result != PLOY_OK) return result;
    if (tree->is_goal(tree->user, state)) {
        deepening->outcome = PLOY_SEARCH_FOUND;
        return PLOY_OK;
    }
    if (deepening->frames.count > deepening->def.max_depth) {
        deepening->cut = true;
        return PLOY_OK;
    }
    // From a copy: the states move when they need more room while branches are added.
    memcpy(deepening->current.items, state, (size_t)tree->size);
    result = tree->expand(tree->user, deepening->current.items, &deepening->branches);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    deepening_top(deepening)->end = deepening->branches.items.count;
    return PLOY_OK;
}

static void deepening_leave(ploy_deepening *deepening) {
    const deepening_frame *top = deepening_top(deepening);
    // Cutting down cannot fail.
    (void)ploy_array_resize(&deepening->branches.items, top->first);
    (void)ploy_array_resize(&deepening->branches.states, top->first);
    ploy_array_pop(&deepening->frames, NULL);
}

// ---- rounds

static ploy_result deepening_start_round(ploy_deepening *deepening) {
    double limit = deepening->next_limit, old = deepening->stats.limit;
    if (limit == INFINITY || limit > deepening->def.max_limit) {
        bool cut = deepening->cut || limit < INFINITY;
        deepening->outcome = cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    if (old > -INFINITY && limit < old + deepening->def.limit_step) {
        limit = old + deepening->def.limit_step;
        if (limit > deepening->def.max_limit) limit = deepening->def.max_limit;
    }
    deepening->stats.limit = limit;
    deepening->next_limit = INFINITY;
    bool within = false;
    const void *root = deepening->root.items;
    ploy_result result = deepening_within(deepening, root, 0.0, &within);
    if (result != PLOY_OK) return result;
    if (!within && deepening->stats.rounds == 0) return PLOY_OK; // the root sets the first limit
    deepening->stats.rounds++;
    if (!within) return PLOY_OK;
    deepening_remembers(deepening, root, 0.0);
    return deepening_visit(deepening, root, 0.0);
}

// Visits one state, or finds out that there is none left in this round.
static ploy_result deepening_advance(ploy_deepening *deepening) {
    while (deepening->frames.count > 0) {
        deepening_frame *top = deepening_top(deepening);
        if (top->next == top->end) {
            deepening_leave(deepening);
            continue;
        }
        int32_t index = top->next++;
        const deepening_branch *branch = ploy_array_at(&deepening->branches.items, index);
        const void *state = ploy_array_at(&deepening->branches.states, index);
        double cost = top->cost + branch->cost;
        deepening->stats.edges++;
        if (deepening_repeats(deepening, state)) continue;
        bool within = false;
        ploy_result result = deepening_within(deepening, state, cost, &within);
        if (result != PLOY_OK) return result;
        if (!within) continue;
        double known = deepening->def.by_depth ? (double)deepening->frames.count : cost;
        if (deepening_remembers(deepening, state, known)) {
            deepening->stats.remembered++;
            continue;
        }
        return deepening_visit(deepening, state, cost);
    }
    return deepening_start_round(deepening);
}

ploy_result ploy_deepening_step(ploy_deepening *deepening, ploy_budget *budget) {
    if (deepening == NULL || deepening->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (deepening->outcome == PLOY_SEARCH_OPEN) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = deepening_advance(deepening);
        if (result != PLOY_OK) {
            deepening->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_deepening_cancel(ploy_deepening *deepening) {
    deepening->outcome = PLOY_SEARCH_IDLE;
}

static ploy_result deepening_task_step(void *self, ploy_budget *budget) {
    return ploy_deepening_step(self, budget);
}

static void deepening_task_cancel(void *self) {
    ploy_deepening_cancel(self);
}

static void deepening_task_describe(const void *self, ploy_describe *out) {
    ploy_deepening_describe(self, out);
}

static const ploy_task_type deepening_task_type = {"deepening", deepening_task_step,
                                                   deepening_task_cancel, deepening_task_describe};

ploy_task ploy_deepening_task(ploy_deepening *deepening) {
    ploy_task task = {&deepening_task_type, deepening};
    return task;
}

// ---- what came of it

ploy_search_outcome ploy_deepening_outcome(const ploy_deepening *deepening) {
    return deepening->outcome;
}

int32_t ploy_deepening_path(const ploy_deepening *deepening, ploy_edge *out, int32_t capacity,
                            double *cost) {
    if (deepening->outcome != PLOY_SEARCH_FOUND) return -1;
    int32_t count = deepening->frames.count - 1;
    for (int32_t i = 0; i < count && i < capacity; i++) {
        const deepening_frame *frame = ploy_array_at(&deepening->frames, i);
        const deepening_branch *branch = ploy_array_at(&deepening->branches.items, frame->next - 1);
        out[i].to = PLOY_STATE_NONE;
        out[i].label = branch->label;
        out[i].cost = branch->cost;
    }
    if (cost != NULL) *cost = deepening_top(deepening)->cost;
    return count;
}

ploy_deepening_stats ploy_deepening_stats_of(const ploy_deepening *deepening) {
    return deepening->stats;
}

void ploy_deepening_describe(const ploy_deepening *deepening, ploy_describe *out) {
    uint64_t path = 0, known = 0;
    size_t size = (size_t)deepening->tree.size;
    for (int32_t i = 0; i < deepening->frames.count; i++) {
        const deepening_frame *frame = ploy_array_at(&deepening->frames, i);
        const void *state = ploy_deepening_state(deepening, i);
        path = ploy_hash_combine(path, ploy_hash_bytes(state, size, 0));
        path = ploy_hash_combine(path, (uint64_t)(uint32_t)frame->next);
    }
    for (int32_t i = 0; i < deepening->def.table; i++) {
        if (deepening->places[i].round != deepening->stats.rounds) continue;
        uint64_t bits = 0;
        memcpy(&bits, &deepening->places[i].cost, sizeof bits);
        known = ploy_hash_combine(known, bits ^ (uint64_t)(uint32_t)i);
    }
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(deepening->outcome));
    ploy_describe_f64(out, "limit", PLOY_STATE, deepening->stats.limit);
    ploy_describe_f64(out, "next limit", PLOY_STATE, deepening->next_limit);
    ploy_describe_i64(out, "rounds", PLOY_STATE, deepening->stats.rounds);
    ploy_describe_i64(out, "depth", PLOY_DERIVED, deepening->frames.count);
    ploy_describe_u64(out, "path", PLOY_STATE, path);
    ploy_describe_u64(out, "table", PLOY_STATE, known);
    ploy_describe_i64(out, "visited", PLOY_STATE, deepening->stats.visited);
    ploy_describe_i64(out, "edges", PLOY_STATE, deepening->stats.edges);
    ploy_describe_i64(out, "remembered", PLOY_STATE, deepening->stats.remembered);
    ploy_describe_bool(out, "cut", PLOY_STATE, deepening->cut);
}

void ploy_deepening_memory(const ploy_deepening *deepening, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {
        "deepening", sizeof *deepening + (size_t)deepening->def.table * sizeof *deepening->places,
        deepening->def.table > 0 ? 2 : 1};
    fn(user, &self);
    ploy_array_memory(&deepening->frames, fn, user);
    ploy_array_memory(&deepening->branches.items, fn, user);
    ploy_array_memory(&deepening->branches.states, fn, user);
    ploy_array_memory(&deepening->table, fn, user);
}
