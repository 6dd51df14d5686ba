// The relaxed domain: facts that are only ever added, and the estimates drawn from it.
//
// Every value of a variable is a fact; a need that several values meet is a separate fact, which
// each of them adds at no cost. An action becomes one operator, or, if it adds to a number, one for
// each value that the number may have; an action that adds to several numbers sets a mark, from
// which operators without cost count each up. Variables of more than GOAP_RELAX_VALUES values are
// left out: what is asked of them counts as had. All this only makes things easier than they are,
// so that MAX and LANDMARKS never say too much.
//
//     fact 0: true      facts 1..: values, needs, marks      last: the goal, set by its operator
//
// Invariants: (1) every operator needs at least one fact (fact 0 if nothing else), none twice; (2)
// what belongs to the goal follows what belongs to the domain, so that another goal cuts it
// off again.
//
// Techniques: Bonet and Geffner 2001 (max, add), Hoffmann and Nebel 2001 (FF); LM-cut lies in
// goap_cut.c. Costs come from Dijkstra's algorithm over facts.
#include <math.h>
#include <string.h>

#include "goap_relax.h"

enum { GOAP_RELAX_VALUES = 256, GOAP_RELAX_OPS_MAX = 1 << 22, GOAP_RELAX_BUCKETS_MAX = 1 << 16 };

static void goap_relax_arrays(ployi_goap_relax *relax, void (*visit)(ploy_array *, size_t, void *),
                              void *user) {
    const struct {
        ploy_array *array;
        size_t size;
    } all[] = {
        {&relax->firsts, sizeof(int32_t)},
        {&relax->ops, sizeof(ployi_goap_op)},
        {&relax->pres, sizeof(int32_t)},
        {&relax->adds, sizeof(int32_t)},
        {&relax->live_starts, sizeof(int32_t)},
        {&relax->live_adds, sizeof(int32_t)},
        {&relax->need_starts, sizeof(int32_t)},
        {&relax->need_ops, sizeof(int32_t)},
        {&relax->add_starts, sizeof(int32_t)},
        {&relax->add_ops, sizeof(int32_t)},
        {&relax->costs, sizeof(double)},
        {&relax->op_costs, sizeof(double)},
        {&relax->sums, sizeof(double)},
        {&relax->left, sizeof(int32_t)},
        {&relax->support, sizeof(int32_t)},
        {&relax->best, sizeof(int32_t)},
        {&relax->marks, 1},
        {&relax->used, 1},
        {&relax->stack, sizeof(int32_t)},
        {&relax->cut, sizeof(int32_t)},
        {&relax->given, sizeof(int32_t)},
        {&relax->held, sizeof(int32_t)},
        {&relax->held_nexts, sizeof(int32_t)},
        {&relax->held_befores, sizeof(int32_t)},
        {&relax->heads, sizeof(int32_t)},
        {&relax->nexts, sizeof(int32_t)},
        {&relax->befores, sizeof(int32_t)},
        {&relax->known_ops, sizeof(int32_t)},
        {&relax->known_ends, sizeof(int32_t)},
        {&relax->known_costs, sizeof(double)},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) visit(all[i].array, all[i].size, user);
}

static void goap_relax_init_array(ploy_array *array, size_t size, void *user) {
    ploy_array_init(array, size, user);
}

static void goap_relax_fini_array(ploy_array *array, size_t size, void *user) {
    (void)size, (void)user;
    ploy_array_fini(array);
}

static int32_t goap_relax_first(const ployi_goap_relax *relax, ploy_goap_var var) {
    return PLOY_ARRAY_ITEMS(&relax->firsts, int32_t)[var.number - 1];
}

// Starts an operator; its needs and what it adds follow.
static ploy_result goap_relax_op(ployi_goap_relax *relax, double cost, int32_t action) {
    if (relax->ops.count >= GOAP_RELAX_OPS_MAX) return PLOY_ERR_LIMIT;
    ployi_goap_op op;
    memset(&op, 0, sizeof op);
    op.first_pre = relax->pres.count;
    op.first_add = relax->adds.count;
    op.cost = cost;
    op.action = action;
    return ploy_array_push(&relax->ops, &op);
}

static ployi_goap_op *goap_relax_last(ployi_goap_relax *relax) {
    return &PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op)[relax->ops.count - 1];
}

// A fact that is needed twice counts once: a cut must not take an operator twice.
static ploy_result goap_relax_needs(ployi_goap_relax *relax, int32_t fact) {
    for (int32_t i = goap_relax_last(relax)->first_pre; i < relax->pres.count; i++) {
        if (PLOY_ARRAY_ITEMS(&relax->pres, int32_t)[i] == fact) return PLOY_OK;
    }
    ploy_result result = ploy_array_push(&relax->pres, &fact);
    if (result == PLOY_OK) goap_relax_last(relax)->pre_count++;
    return result;
}

static ploy_result goap_relax_adds(ployi_goap_relax *relax, int32_t fact) {
    ploy_result result = ploy_array_push(&relax->adds, &fact);
    if (result == PLOY_OK) goap_relax_last(relax)->add_count++;
    return result;
}

// The operator `from` adds `to` at no cost.
static ploy_result goap_relax_link(ployi_goap_relax *relax, int32_t from, int32_t also,
                                   int32_t to) {
    ploy_result result = goap_relax_op(relax, 0.0, -1);
    if (result == PLOY_OK) result = goap_relax_needs(relax, from);
    if (result == PLOY_OK && also >= 0) result = goap_relax_needs(relax, also);
    if (result == PLOY_OK) result = goap_relax_adds(relax, to);
    return result;
}

// The fact that a need comes down to; -1 if it always holds. May add operators, so it comes before
// the operator that needs it.
static ploy_result goap_relax_fact(ployi_goap_relax *relax, const ploy_goap_need *need,
                                   int32_t *out) {
    const ployi_goap_var *var = ployi_goap_var_at(relax->type, need->var);
    int32_t first = goap_relax_first(relax, need->var), met = 0, only = -1;
    *out = -1;
    if (first < 0) return PLOY_OK;
    for (int32_t v = var->min; v <= var->max; v++) {
        if (!ployi_goap_meets(need->test, v, need->value)) continue;
        met++;
        only = first + (v - var->min);
    }
    if (met == var->max - var->min + 1) return PLOY_OK;
    if (met <= 1) {
        *out = met == 1 ? only : relax->never;
        return PLOY_OK;
    }
    uint64_t key = ((uint64_t)need->var.number << 20) | ((uint64_t)need->test << 18) |
                   (uint64_t)(need->value - var->min); // within the range, as values differ
    const int32_t *known = ploy_map_get(&relax->derived, key);
    if (known != NULL) {
        *out = *known;
        return PLOY_OK;
    }
    int32_t fact = relax->facts;
    ploy_result result = ploy_map_put(&relax->derived, key, &fact);
    relax->facts++;
    for (int32_t v = var->min; result == PLOY_OK && v <= var->max; v++) {
        if (!ployi_goap_meets(need->test, v, need->value)) continue;
        result = goap_relax_link(relax, first + (v - var->min), -1, fact);
    }
    *out = fact;
    return result;
}

// The facts of some needs, onto the stack.
static ploy_result goap_relax_collect(ployi_goap_relax *relax, const ploy_goap_need *needs,
                                      int32_t count) {
    ploy_array_clear(&relax->stack);
    for (int32_t i = 0; i < count; i++) {
        int32_t fact = -1;
        ploy_result result = goap_relax_fact(relax, &needs[i], &fact);
        if (result == PLOY_OK && fact >= 0) result = ploy_array_push(&relax->stack, &fact);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// An operator with the collected needs (and one more) and the action's settings (and one more).
static ploy_result goap_relax_case(ployi_goap_relax *relax, const ploy_goap_action *action,
                                   int32_t number, int32_t also_need, int32_t also_add) {
    ploy_result result = goap_relax_op(relax, action->cost, number);
    for (int32_t i = 0; result == PLOY_OK && i < relax->stack.count; i++) {
        result = goap_relax_needs(relax, PLOY_ARRAY_ITEMS(&relax->stack, int32_t)[i]);
    }
    if (result == PLOY_OK && also_need >= 0) result = goap_relax_needs(relax, also_need);
    if (result == PLOY_OK && goap_relax_last(relax)->pre_count == 0) { // keeps (1)
        result = goap_relax_needs(relax, 0);
    }
    for (int32_t i = 0; result == PLOY_OK && i < action->gain_count; i++) {
        const ploy_goap_gain *gain = &action->gains[i];
        int32_t first = goap_relax_first(relax, gain->var);
        if (gain->add || first < 0) continue;
        int32_t min = ployi_goap_var_at(relax->type, gain->var)->min;
        result = goap_relax_adds(relax, first + (gain->value - min));
    }
    if (result == PLOY_OK && also_add >= 0) result = goap_relax_adds(relax, also_add);
    return result;
}

static ploy_result goap_relax_action(ployi_goap_relax *relax, const ploy_goap_action *action,
                                     int32_t number) {
    ploy_result result = goap_relax_collect(relax, action->needs, action->need_count);
    int32_t adding = 0;
    const ploy_goap_gain *one = NULL;
    for (int32_t i = 0; i < action->gain_count; i++) {
        if (!action->gains[i].add || goap_relax_first(relax, action->gains[i].var) < 0) continue;
        adding++;
        one = &action->gains[i];
    }
    if (result != PLOY_OK) return result;
    if (adding == 0) return goap_relax_case(relax, action, number, -1, -1);
    if (adding > 1) {
        int32_t mark = relax->facts++;
        result = goap_relax_case(relax, action, number, -1, mark);
        for (int32_t i = 0; i < action->gain_count; i++) {
            const ploy_goap_gain *gain = &action->gains[i];
            int32_t first = goap_relax_first(relax, gain->var);
            if (!gain->add || first < 0) continue;
            const ployi_goap_var *var = ployi_goap_var_at(relax->type, gain->var);
            for (int32_t v = var->min; result == PLOY_OK && v <= var->max; v++) {
                result = goap_relax_link(relax, mark, first + (v - var->min),
                                         first + (ployi_goap_after(var, gain, v) - var->min));
            }
        }
        return result;
    }
    const ployi_goap_var *var = ployi_goap_var_at(relax->type, one->var);
    int32_t first = goap_relax_first(relax, one->var);
    for (int32_t v = var->min; result == PLOY_OK && v <= var->max; v++) {
        bool possible = true;
        for (int32_t i = 0; i < action->need_count; i++) {
            const ploy_goap_need *need = &action->needs[i];
            if (need->var.number == one->var.number &&
                !ployi_goap_meets(need->test, v, need->value)) {
                possible = false;
            }
        }
        if (!possible) continue;
        result = goap_relax_case(relax, action, number, first + (v - var->min),
                                 first + (ployi_goap_after(var, one, v) - var->min));
    }
    return result;
}

ploy_result ployi_goap_relax_create(const ploy_goap_type *type, const ploy_env *env,
                                    ployi_goap_relax **out) {
    ployi_goap_relax *relax = ploy_env_alloc_zero(env, sizeof *relax);
    if (relax == NULL) return PLOY_ERR_MEMORY;
    relax->env = *env;
    relax->type = type;
    ploy_env copy = *env;
    goap_relax_arrays(relax, goap_relax_init_array, &copy);
    ploy_map_init(&relax->derived, sizeof(int32_t), env);
    (void)ploy_heap_init(&relax->heap, 4, env);
    relax->never = 1;
    relax->facts = 2;
    ploy_result result = PLOY_OK;
    for (uint32_t i = 1; result == PLOY_OK && i <= (uint32_t)type->vars.count; i++) {
        ploy_goap_var number = {i};
        const ployi_goap_var *var = ployi_goap_var_at(type, number);
        int32_t values = var->max - var->min + 1, first = -1;
        if (values <= GOAP_RELAX_VALUES) {
            first = relax->facts;
            relax->facts += values;
        }
        result = ploy_array_push(&relax->firsts, &first);
    }
    for (int32_t i = 0; result == PLOY_OK && i < type->actions.count; i++) {
        ploy_goap_action action;
        (void)ploy_goap_type_action_at(type, i, &action);
        result = goap_relax_action(relax, &action, i);
    }
    if (result != PLOY_OK) {
        ployi_goap_relax_destroy(relax);
        return result;
    }
    relax->base_facts = relax->facts;
    relax->base_ops = relax->ops.count;
    relax->base_pres = relax->pres.count;
    relax->base_adds = relax->adds.count;
    *out = relax;
    return PLOY_OK;
}

void ployi_goap_relax_destroy(ployi_goap_relax *relax) {
    if (relax == NULL) return;
    ploy_env env = relax->env;
    goap_relax_arrays(relax, goap_relax_fini_array, NULL);
    ploy_map_fini(&relax->derived);
    ploy_heap_fini(&relax->heap);
    ploy_env_free(&env, relax, sizeof *relax);
}

// What no operator needs (that a bool is false, mostly) is not worth reaching.
static ploy_result goap_relax_live(ployi_goap_relax *relax, int32_t goal) {
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    const int32_t *needed = PLOY_ARRAY_ITEMS(&relax->need_starts, int32_t);
    const int32_t *adds = PLOY_ARRAY_ITEMS(&relax->adds, int32_t);
    ploy_result result = ploy_array_resize(&relax->live_starts, relax->ops.count + 1);
    if (result == PLOY_OK) result = ploy_array_reserve(&relax->live_adds, relax->adds.count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&relax->live_adds);
    for (int32_t o = 0; o < relax->ops.count; o++) {
        PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t)[o] = relax->live_adds.count;
        for (int32_t a = ops[o].first_add; a < ops[o].first_add + ops[o].add_count; a++) {
            if (adds[a] != goal && needed[adds[a]] == needed[adds[a] + 1]) continue;
            (void)ploy_array_push(&relax->live_adds, &adds[a]); // there is room
        }
    }
    PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t)[relax->ops.count] = relax->live_adds.count;
    return PLOY_OK;
}

// Runs of operators by fact, from their needs or from what they add.
static ploy_result goap_relax_index(ployi_goap_relax *relax, bool needs, ploy_array *starts,
                                    ploy_array *items) {
    const ploy_array *list = needs ? &relax->pres : &relax->live_adds;
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    const int32_t *live = PLOY_ARRAY_ITEMS(&relax->live_starts, int32_t);
    ploy_array_clear(starts);
    ploy_result result = ploy_array_resize(starts, relax->facts + 1);
    if (result == PLOY_OK) result = ploy_array_resize(items, list->count);
    if (result != PLOY_OK) return result;
    int32_t *start = PLOY_ARRAY_ITEMS(starts, int32_t), *item = PLOY_ARRAY_ITEMS(items, int32_t);
    const int32_t *facts = PLOY_ARRAY_ITEMS(list, int32_t);
    for (int32_t i = 0; i < list->count; i++) start[facts[i]]++;
    int32_t sum = 0;
    for (int32_t f = 0; f <= relax->facts; f++) { // the ends of the runs, which filling moves down
        sum += start[f];
        start[f] = sum;
    }
    for (int32_t o = relax->ops.count - 1; o >= 0; o--) {
        int32_t first = needs ? ops[o].first_pre : live[o];
        int32_t count = needs ? ops[o].pre_count : live[o + 1] - live[o];
        for (int32_t i = first + count - 1; i >= first; i--) item[--start[facts[i]]] = o;
    }
    return PLOY_OK;
}

// Whole costs, as most are, sort facts into buckets. The path to a fact meets none twice, so that
// none costs more than all of them at the cost of the most expensive operator.
static ploy_result goap_relax_buckets(ployi_goap_relax *relax) {
    const ployi_goap_op *ops = PLOY_ARRAY_ITEMS(&relax->ops, ployi_goap_op);
    double most = 0.0;
    bool whole = true;
    for (int32_t o = 0; o < relax->ops.count && whole; o++) {
        whole = ops[o].cost <= GOAP_RELAX_BUCKETS_MAX && ops[o].cost == floor(ops[o].cost);
        if (ops[o].cost > most) most = ops[o].cost;
    }
    double bound = most * (double)relax->facts + 1.0;
    relax->buckets = whole && bound <= GOAP_RELAX_BUCKETS_MAX ? (int32_t)bound : 0;
    ploy_result result = ploy_array_resize(&relax->heads, relax->buckets);
    if (result == PLOY_OK) result = ploy_array_resize(&relax->nexts, relax->facts);
    if (result == PLOY_OK) result = ploy_array_resize(&relax->befores, relax->facts);
    for (int32_t i = 0; i < relax->heads.count && result == PLOY_OK; i++) {
        PLOY_ARRAY_ITEMS(&relax->heads, int32_t)[i] = -1;
    }
    for (int32_t f = 0; f < relax->facts && result == PLOY_OK; f++) {
        PLOY_ARRAY_ITEMS(&relax->nexts, int32_t)[f] = -2;
    }
    return result;
}

ploy_result ployi_goap_relax_goal(ployi_goap_relax *relax, const ploy_goap_need *goal,
                                  int32_t count) {
    relax->facts = relax->base_facts; // (2)
    (void)ploy_array_resize(&relax->ops, relax->base_ops);
    (void)ploy_array_resize(&relax->pres, relax->base_pres);
    (void)ploy_array_resize(&relax->adds, relax->base_adds);
    relax->goal = -1;
    relax->job.stage = PLOYI_GOAP_DONE;
    int32_t cursor = 0;
    uint64_t key = 0;
    void *known = NULL;
    while (ploy_map_next(&relax->derived, &cursor, &key, &known)) {
        if (*(const int32_t *)known >= relax->base_facts)
            (void)ploy_map_remove(&relax->derived, key);
    }
    ploy_result result = goap_relax_collect(relax, goal, count);
    if (result != PLOY_OK) return result;
    ploy_goap_action reach = ploy_goap_action_make("", 0.0);
    int32_t fact = relax->facts++;
    result = goap_relax_case(relax, &reach, -1, -1, fact);
    if (result == PLOY_OK) {
        result = goap_relax_index(relax, true, &relax->need_starts, &relax->need_ops);
    }
    if (result == PLOY_OK) result = goap_relax_live(relax, fact);
    if (result == PLOY_OK) {
        result = goap_relax_index(relax, false, &relax->add_starts, &relax->add_ops);
    }
    ploy_array *by_fact[] = {&relax->costs, &relax->best, &relax->marks, &relax->held};
    ploy_array *by_op[] = {&relax->op_costs,    &relax->sums, &relax->left,
                           &relax->support,     &relax->used, &relax->held_nexts,
                           &relax->held_befores};
    for (size_t i = 0; result == PLOY_OK && i < sizeof by_fact / sizeof by_fact[0]; i++) {
        result = ploy_array_resize(by_fact[i], relax->facts);
    }
    for (size_t i = 0; result == PLOY_OK && i < sizeof by_op / sizeof by_op[0]; i++) {
        result = ploy_array_resize(by_op[i], relax->ops.count);
    }
    // The stack and the cut hold each fact or operator once.
    if (result == PLOY_OK) result = ploy_array_reserve(&relax->stack, relax->facts);
    if (result == PLOY_OK) result = ploy_array_reserve(&relax->cut, relax->ops.count);
    // A fact is lowered at most once by each operator that adds it, and once by the world.
    if (result == PLOY_OK) {
        result = ploy_heap_reserve(&relax->heap, relax->adds.count + relax->firsts.count + 1);
    }
    if (result == PLOY_OK) result = ploy_array_reserve(&relax->given, relax->firsts.count + 1);
    if (result == PLOY_OK) result = goap_relax_buckets(relax);
    if (result == PLOY_OK) relax->goal = fact;
    return result;
}

double ployi_goap_relax_cost(const ployi_goap_relax *relax, ploy_goap_var var, int32_t low,
                             int32_t high) {
    int32_t first = goap_relax_first(relax, var);
    const ployi_goap_var *item = ployi_goap_var_at(relax->type, var);
    if (low < item->min) low = item->min;
    if (high > item->max) high = item->max;
    double least = (double)INFINITY;
    if (first < 0) return low <= high ? 0.0 : least;
    for (int32_t v = low; v <= high; v++) {
        double cost = PLOY_ARRAY_ITEMS(&relax->costs, double)[first + (v - item->min)];
        if (cost < least) least = cost;
    }
    return least;
}

typedef struct goap_relax_report {
    ploy_memory_fn fn;
    void *user;
} goap_relax_report;

static void goap_relax_report_array(ploy_array *array, size_t size, void *user) {
    const goap_relax_report *report = user;
    (void)size;
    ploy_array_memory(array, report->fn, report->user);
}

void ployi_goap_relax_memory(const ployi_goap_relax *relax, ploy_memory_fn fn, void *user) {
    goap_relax_report report = {fn, user};
    ployi_goap_relax copy = *relax; // the arrays are only looked at
    goap_relax_arrays(&copy, goap_relax_report_array, &report);
    ploy_map_memory(&relax->derived, fn, user);
    ploy_heap_memory(&relax->heap, fn, user);
    ploy_memory_item own = {"relaxed domain", sizeof *relax, 1};
    fn(user, &own);
}
