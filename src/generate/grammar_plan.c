// Plans over the rules of a grammar: a search over sequences of firings.
//
// Depth first, `nodes` is the stack: each node has the rules that it has not tried yet, so going back
// never derives them again. By cost, `nodes` keeps every node for the path back, and a heap orders those
// that are open; an object is freed once its node is expanded.
#include "ploy/generate/grammar.h"

#include "ploy/base/hash.h"
#include "ploy/base/heap.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include <string.h>

static const char *const grammar_plan_methods[] = {"depth_first", "dijkstra", "a_star"};

static const ploy_field grammar_plan_fields[] = {
    PLOY_FIELD_ENUM(ploy_grammar_plan_def, method, 0, grammar_plan_methods, "kind of search"),
    PLOY_FIELD_I32(ploy_grammar_plan_def, max_depth, 64, 1, 65536, "", "firings of one plan"),
    PLOY_FIELD_I32(ploy_grammar_plan_def, max_nodes, 100000, 1, 100000000, "", "firings tried"),
};

typedef struct grammar_plan_node {
    void *object;   // NULL once it is not needed
    int32_t parent; // -1: the start
    int32_t rule;   // that fired last
    int32_t top;    // that fired first; -1: none has
    int32_t depth;  // firings so far
    float cost;
    uint64_t untried; // bit i: rule i applies and was not tried
    uint64_t key;     // by cost: of the object and the first rule
    bool complete;
} grammar_plan_node;

struct ploy_grammar_plan {
    ploy_env env;
    ploy_grammar_plan_def def;
    const ploy_grammar_rule *rules;
    int32_t rule_count;
    ploy_grammar_object calls;
    ploy_rng rng;
    ploy_array nodes; // grammar_plan_node
    ploy_heap open;   // by cost: node numbers
    ploy_map best;    // by cost: key to the least cost (float)
    ploy_array fired; // int32_t: the plan
    void *object;     // the complete one
    int32_t current;  // by cost: node being expanded; -1: none
    ploy_grammar_plan_outcome outcome;
};

ploy_fields ploy_grammar_plan_fields(void) {
    return PLOY_FIELDS(ploy_grammar_plan_def, grammar_plan_fields);
}

ploy_grammar_plan_def ploy_grammar_plan_def_default(void) {
    ploy_grammar_plan_def def;
    ploy_fields_default(ploy_grammar_plan_fields(), &def);
    return def;
}

static grammar_plan_node *grammar_plan_at(const ploy_grammar_plan *plan, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&plan->nodes, grammar_plan_node)[node];
}

static uint64_t grammar_plan_applies(const ploy_grammar_plan *plan, const void *object) {
    uint64_t mask = 0;
    for (int32_t i = 0; i < plan->rule_count; i++) {
        if (plan->rules[i].importance(plan->rules[i].user, object) > 0.0f) mask |= (uint64_t)1 << i;
    }
    return mask;
}

static bool grammar_plan_by_cost(const ploy_grammar_plan *plan) {
    return plan->def.method != PLOY_GRAMMAR_DEPTH_FIRST;
}

static void grammar_plan_free_object(ploy_grammar_plan *plan, void *object) {
    if (object != NULL) plan->calls.destroy(plan->calls.user, object);
}

// Puts a node on the heap, by cost and what is estimated to come.
static ploy_result grammar_plan_open(ploy_grammar_plan *plan, int32_t number) {
    const grammar_plan_node *node = grammar_plan_at(plan, number);
    double key = (double)node->cost;
    if (plan->def.method == PLOY_GRAMMAR_A_STAR && plan->calls.remaining != NULL) {
        float rest = plan->calls.remaining(plan->calls.user, node->object);
        if (rest > 0.0f && ploy_is_finite(rest)) key += (double)rest;
    }
    return ploy_heap_push(&plan->open, key, (uint64_t)number);
}

ploy_result ploy_grammar_plan_begin(const ploy_grammar_plan_def *def,
                                    const ploy_grammar_rule *rules, int32_t rule_count,
                                    const ploy_grammar_object *calls, const void *object,
                                    ploy_rng_key key, const ploy_env *env,
                                    ploy_grammar_plan **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_grammar_plan_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (rules == NULL || rule_count < 1 || rule_count > 64) return PLOY_ERR_ARGUMENT;
    if (calls == NULL || calls->clone == NULL || calls->destroy == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < rule_count; i++) {
        if (!(rules[i].cost >= 0.0f) || !ploy_is_finite(rules[i].cost)) return PLOY_ERR_ARGUMENT;
    }
    ploy_grammar_plan *plan = ploy_env_alloc_zero(env, sizeof *plan);
    if (plan == NULL) return PLOY_ERR_MEMORY;
    plan->env = *env;
    plan->def = *def;
    plan->rules = rules;
    plan->rule_count = rule_count;
    plan->calls = *calls;
    plan->rng = ploy_rng_from_key(key, 0);
    plan->current = -1;
    ploy_array_init(&plan->nodes, sizeof(grammar_plan_node), env);
    ploy_heap_init(&plan->open, 4, env);
    ploy_map_init(&plan->best, sizeof(float), env);
    ploy_array_init(&plan->fired, sizeof(int32_t), env);
    grammar_plan_node start = {NULL, -1, -1, -1, 0, 0.0f, 0, 0, false};
    result = calls->clone(calls->user, object, env, &start.object);
    if (result == PLOY_OK) {
        start.untried = grammar_plan_applies(plan, start.object);
        result = ploy_array_push(&plan->nodes, &start);
        if (result != PLOY_OK) grammar_plan_free_object(plan, start.object);
    }
    if (result == PLOY_OK && grammar_plan_by_cost(plan)) result = grammar_plan_open(plan, 0);
    if (result != PLOY_OK) {
        ploy_grammar_plan_cancel(plan);
        return result;
    }
    *out = plan;
    return PLOY_OK;
}

void ploy_grammar_plan_cancel(ploy_grammar_plan *plan) {
    if (plan == NULL) return;
    for (int32_t i = 0; i < plan->nodes.count; i++) {
        grammar_plan_free_object(plan, grammar_plan_at(plan, i)->object);
    }
    grammar_plan_free_object(plan, plan->object);
    ploy_env env = plan->env;
    ploy_array_fini(&plan->nodes);
    ploy_heap_fini(&plan->open);
    ploy_map_fini(&plan->best);
    ploy_array_fini(&plan->fired);
    ploy_env_free(&env, plan, sizeof *plan);
}

// Fires a rule on a clone of a node's object. The new node is not kept anywhere yet.
static ploy_result grammar_plan_fire(ploy_grammar_plan *plan, int32_t number, int32_t rule,
                                     grammar_plan_node *out) {
    const grammar_plan_node *node = grammar_plan_at(plan, number);
    const ploy_grammar_rule *it = &plan->rules[rule];
    void *object = NULL;
    ploy_result result = plan->calls.clone(plan->calls.user, node->object, &plan->env, &object);
    if (result != PLOY_OK) return result;
    result = it->fire(it->user, object, &plan->rng);
    if (result != PLOY_OK) {
        grammar_plan_free_object(plan, object);
        return result;
    }
    plan->outcome.nodes++;
    out->object = object;
    out->parent = number;
    out->rule = rule;
    out->top = node->top < 0 ? rule : node->top; // follows the choice at the root
    out->depth = node->depth + 1;
    out->cost = node->cost + it->cost;
    out->untried = grammar_plan_applies(plan, object);
    out->key = 0;
    const ploy_grammar_rule *top = &plan->rules[out->top];
    out->complete = top->complete != NULL ? top->complete(top->user, object) : out->untried == 0;
    return PLOY_OK;
}

// Writes down the rules from the start to a node whose last rule is given.
static ploy_result grammar_plan_succeed(ploy_grammar_plan *plan, const grammar_plan_node *last) {
    ploy_result result = ploy_array_resize(&plan->fired, last->depth);
    if (result != PLOY_OK) return result;
    int32_t *fired = PLOY_ARRAY_ITEMS(&plan->fired, int32_t);
    const grammar_plan_node *node = last;
    for (int32_t i = last->depth - 1; i >= 0; i--) {
        fired[i] = node->rule;
        if (i > 0) node = grammar_plan_at(plan, node->parent);
    }
    plan->outcome.found = plan->outcome.done = true;
    plan->outcome.length = last->depth;
    plan->outcome.cost = last->cost;
    plan->object = last->object;
    return PLOY_OK;
}

// The rule in place n of those in a mask.
static int32_t grammar_plan_nth(uint64_t mask, int32_t n) {
    for (int32_t i = 0; i < 64; i++) {
        if ((mask >> i & 1u) != 0 && n-- == 0) return i;
    }
    return -1;
}

static ploy_result grammar_plan_deeper(ploy_grammar_plan *plan) {
    int32_t top = plan->nodes.count - 1;
    grammar_plan_node *node = grammar_plan_at(plan, top);
    int32_t count = 0;
    for (uint64_t mask = node->untried; mask != 0; mask &= mask - 1) count++;
    int32_t rule = grammar_plan_nth(node->untried, ploy_rng_int(&plan->rng, 0, count - 1));
    node->untried &= ~((uint64_t)1 << rule);
    grammar_plan_node next;
    ploy_result result = grammar_plan_fire(plan, top, rule, &next);
    if (result != PLOY_OK) return result;
    if (next.complete) {
        result = grammar_plan_succeed(plan, &next);
        if (result != PLOY_OK) grammar_plan_free_object(plan, next.object);
        return result;
    }
    if (next.depth >= plan->def.max_depth) {
        plan->outcome.depth_reached |= next.untried != 0;
        grammar_plan_free_object(plan, next.object);
        return PLOY_OK;
    }
    result = ploy_array_push(&plan->nodes, &next);
    if (result != PLOY_OK) grammar_plan_free_object(plan, next.object);
    return result;
}

// Keeps a new node unless an equal object was reached at no more cost.
static ploy_result grammar_plan_keep(ploy_grammar_plan *plan, grammar_plan_node *next) {
    ploy_result result = PLOY_OK;
    if (plan->calls.hash != NULL) {
        uint64_t hash = plan->calls.hash(plan->calls.user, next->object);
        next->key = ploy_hash_combine(hash, (uint64_t)(int64_t)next->top);
        const float *best = ploy_map_get(&plan->best, next->key);
        if (best != NULL && *best <= next->cost) {
            plan->outcome.repeated++;
            grammar_plan_free_object(plan, next->object);
            return PLOY_OK;
        }
        result = ploy_map_put(&plan->best, next->key, &next->cost);
    }
    if (result == PLOY_OK) result = ploy_array_push(&plan->nodes, next);
    if (result != PLOY_OK) {
        grammar_plan_free_object(plan, next->object);
        return result;
    }
    return grammar_plan_open(plan, plan->nodes.count - 1);
}

// Takes the cheapest open node. Sets current, or ends the search.
static ploy_result grammar_plan_take(ploy_grammar_plan *plan) {
    uint64_t number = 0;
    if (!ploy_heap_pop(&plan->open, NULL, &number)) {
        plan->outcome.done = true;
        return PLOY_OK;
    }
    grammar_plan_node *node = grammar_plan_at(plan, (int32_t)number);
    const float *best = node->key != 0 ? ploy_map_get(&plan->best, node->key) : NULL;
    if (best != NULL && *best < node->cost) node->untried = 0; // reached more cheaply since
    if (node->complete) {
        grammar_plan_node last = *node;
        ploy_result result = grammar_plan_succeed(plan, &last);
        if (result == PLOY_OK) node->object = NULL; // the plan's now
        return result;
    }
    if (node->depth >= plan->def.max_depth) {
        plan->outcome.depth_reached |= node->untried != 0;
        node->untried = 0;
    }
    plan->current = (int32_t)number;
    return PLOY_OK;
}

static ploy_result grammar_plan_expand(ploy_grammar_plan *plan) {
    grammar_plan_node *node = grammar_plan_at(plan, plan->current);
    int32_t rule = grammar_plan_nth(node->untried, 0);
    node->untried &= node->untried - 1;
    grammar_plan_node next;
    ploy_result result = grammar_plan_fire(plan, plan->current, rule, &next);
    return result == PLOY_OK ? grammar_plan_keep(plan, &next) : result;
}

ploy_result ploy_grammar_plan_step(ploy_grammar_plan *plan, ploy_budget *budget) {
    while (!plan->outcome.done) {
        ploy_result result = PLOY_OK;
        int32_t number = grammar_plan_by_cost(plan) ? plan->current : plan->nodes.count - 1;
        if (number < 0) { // nothing under way: by cost the next open node, depth first the end
            if (grammar_plan_by_cost(plan)) {
                result = grammar_plan_take(plan);
            } else {
                plan->outcome.done = true;
            }
            if (result != PLOY_OK) return result;
            continue;
        }
        grammar_plan_node *node = grammar_plan_at(plan, number);
        if (node->untried == 0) { // everything was tried from here
            grammar_plan_free_object(plan, node->object);
            node->object = NULL;
            plan->current = -1;
            if (!grammar_plan_by_cost(plan)) plan->nodes.count--;
            continue;
        }
        if (plan->outcome.nodes >= plan->def.max_nodes) {
            plan->outcome.nodes_reached = plan->outcome.done = true;
            break;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        result = grammar_plan_by_cost(plan) ? grammar_plan_expand(plan) : grammar_plan_deeper(plan);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_grammar_plan_outcome ploy_grammar_plan_outcome_of(const ploy_grammar_plan *plan) {
    return plan->outcome;
}

const int32_t *ploy_grammar_plan_rules(const ploy_grammar_plan *plan) {
    return plan->outcome.found ? PLOY_ARRAY_ITEMS(&plan->fired, int32_t) : NULL;
}

const void *ploy_grammar_plan_object(const ploy_grammar_plan *plan) {
    return plan->object;
}
