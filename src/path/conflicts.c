// Conflict-based search; see the header.
//
//     root: each agent's own path         a node forbids one agent one thing (its rule), all that its
//      |  \                              parents forbid too, and holds the one way that was planned
//     a    b                             again; the other paths are its parents'
//
// Invariants while there is something to do:
//   (1) nodes are numbered in the order of making; a parent's number is lower;
//   (2) a node in the heap has all its paths; the heap is keyed by cost, then number;
//   (3) `current` is the node whose agent `planning` is being planned; -1: none.
#include "ploy/path/conflicts.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "path/cooperative_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"

static const ploy_field conflicts_fields[] = {
    PLOY_FIELD_I32(ploy_conflicts_def, max_nodes, 100000, 1, 1 << 28, "", "sides of splits"),
    PLOY_FIELD_I32(ploy_conflicts_def, max_ticks, 4096, 1, 1 << 20, "", "of the longest path"),
};

// What an agent must not do: be in `state` at `tick`, or arrive there then from `from`.
typedef struct conflicts_rule {
    int32_t agent, state, from, tick; // from below 0: wherever it comes from
} conflicts_rule;

typedef struct conflicts_node {
    int64_t cost;
    int64_t first; // where the planned path begins in `states`; the root's are one behind the other
    int32_t parent, length;
    conflicts_rule rule;
} conflicts_node;

// Two that collide.
typedef struct conflicts_pair {
    int32_t a, b, tick, state, from; // of a; from below 0: both are in state
} conflicts_pair;

struct ploy_conflicts {
    ploy_env env;
    ploy_conflicts_def def;
    ploy_space space, timed;
    ploy_search *search, *flood;
    ploy_edges edges;
    ploy_array agents;    // ploy_conflicts_agent
    ploy_array distances; // int32_t, agent x states
    ploy_array nodes;     // conflicts_node
    ploy_array states;    // int32_t, the paths
    ploy_array root;      // int32_t pairs: begin and length of the root's paths
    ploy_array rules;     // conflicts_rule of the agent being planned
    ploy_heap heap;
    ploy_conflicts_stats stats;
    ploy_search_outcome outcome;
    int32_t current, planning, split, last_tick, best;
    int32_t begun; // 1: the search of `planning` is under way
    int32_t cut;   // 1: a path was too long
    conflicts_pair pair;
};

ploy_fields ploy_conflicts_fields(void) {
    return PLOY_FIELDS(ploy_conflicts_def, conflicts_fields);
}

ploy_conflicts_def ploy_conflicts_def_default(void) {
    ploy_conflicts_def def;
    ploy_fields_default(ploy_conflicts_fields(), &def);
    return def;
}

// ---- the space of one plan: states at ticks, and beyond the last rule all ticks are one ----

static bool conflicts_forbids(const ploy_conflicts *self, int32_t from, int32_t to, int32_t tick) {
    const conflicts_rule *rules = PLOY_ARRAY_ITEMS(&self->rules, conflicts_rule);
    for (int32_t i = 0; i < self->rules.count; i++) {
        if (rules[i].tick == tick && rules[i].state == to &&
            (rules[i].from < 0 || rules[i].from == from)) {
            return true;
        }
    }
    return false;
}

static const int32_t *conflicts_distances(const ploy_conflicts *self) {
    return PLOY_ARRAY_ITEMS(&self->distances, int32_t) +
           (size_t)self->planning * (size_t)self->space.count;
}

static ploy_result conflicts_expand(void *user, int32_t timed, ploy_edges *out) {
    ploy_conflicts *self = user;
    int32_t count = self->space.count, state = timed % count, tick = timed / count;
    int32_t next = ploy_mini(tick + 1, self->last_tick + 1);
    const int32_t *distances = conflicts_distances(self);
    ploy_edges_clear(&self->edges);
    ploy_result result = self->space.expand(self->space.user, state, &self->edges);
    for (int32_t i = -1; i < self->edges.count && result == PLOY_OK; i++) {
        int32_t to = i < 0 ? state : self->edges.view[i].to;
        if (distances[to] < 0 || conflicts_forbids(self, state, to, tick + 1)) continue;
        result = ploy_edges_add(out, next * count + to, 1.0, to);
    }
    return result;
}

static double conflicts_estimate(void *user, int32_t timed, int32_t goal) {
    const ploy_conflicts *self = user;
    (void)goal;
    int32_t distance = conflicts_distances(self)[timed % self->space.count];
    return distance < 0 ? (double)INFINITY : (double)distance;
}

// At the goal for good: no rule says that it must not be there later.
static bool conflicts_is_goal(void *user, int32_t timed) {
    const ploy_conflicts *self = user;
    const ploy_conflicts_agent *agents = PLOY_ARRAY_ITEMS(&self->agents, ploy_conflicts_agent);
    int32_t state = timed % self->space.count, tick = timed / self->space.count;
    if (state != agents[self->planning].goal) return false;
    const conflicts_rule *rules = PLOY_ARRAY_ITEMS(&self->rules, conflicts_rule);
    for (int32_t i = 0; i < self->rules.count; i++) {
        if (rules[i].state == state && rules[i].from < 0 && rules[i].tick > tick) return false;
    }
    return true;
}

// ---- create ----

ploy_result ploy_conflicts_create(const ploy_conflicts_def *def, const ploy_env *env,
                                  ploy_conflicts **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_conflicts_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_conflicts *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->def = *def;
    self->current = self->best = -1;
    ploy_edges_init(&self->edges, env);
    ploy_array_init(&self->agents, sizeof(ploy_conflicts_agent), env);
    ploy_array_init(&self->distances, sizeof(int32_t), env);
    ploy_array_init(&self->nodes, sizeof(conflicts_node), env);
    ploy_array_init(&self->states, sizeof(int32_t), env);
    ploy_array_init(&self->root, sizeof(int32_t), env);
    ploy_array_init(&self->rules, sizeof(conflicts_rule), env);
    ploy_search_def plan = ploy_search_def_default(), flood = ploy_search_def_default();
    plan.storage = PLOY_SEARCH_PAGES;
    flood.order = PLOY_SEARCH_BREADTH;
    result = ploy_heap_init(&self->heap, 2, env);
    if (result == PLOY_OK) result = ploy_search_create(&plan, env, &self->search);
    if (result == PLOY_OK) result = ploy_search_create(&flood, env, &self->flood);
    if (result != PLOY_OK) {
        ploy_conflicts_destroy(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

void ploy_conflicts_destroy(ploy_conflicts *self) {
    if (self == NULL) return;
    ploy_env env = self->env;
    ploy_search_destroy(self->search);
    ploy_search_destroy(self->flood);
    ploy_edges_fini(&self->edges);
    ploy_array_fini(&self->agents);
    ploy_array_fini(&self->distances);
    ploy_array_fini(&self->nodes);
    ploy_array_fini(&self->states);
    ploy_array_fini(&self->root);
    ploy_array_fini(&self->rules);
    ploy_heap_fini(&self->heap);
    ploy_env_free(&env, self, sizeof *self);
}

// ---- paths of a node ----

// An agent's path in a node: of the nearest ancestor that planned it.
static const int32_t *conflicts_path(const ploy_conflicts *self, int32_t node, int32_t agent,
                                     int32_t *length) {
    const conflicts_node *nodes = PLOY_ARRAY_ITEMS(&self->nodes, conflicts_node);
    const int32_t *states = PLOY_ARRAY_ITEMS(&self->states, int32_t);
    for (int32_t at = node; at > 0; at = nodes[at].parent) {
        if (nodes[at].rule.agent != agent) continue;
        *length = nodes[at].length;
        return states + nodes[at].first;
    }
    const int32_t *root = PLOY_ARRAY_ITEMS(&self->root, int32_t);
    *length = root[2 * agent + 1];
    return states + root[2 * agent];
}

static int32_t conflicts_at(const int32_t *direction, int32_t length, int32_t tick) {
    return direction[ploy_mini(tick, length - 1)];
}

// The first collision in a node; of one tick the lowest pair.
static bool conflicts_find(const ploy_conflicts *self, int32_t node, conflicts_pair *out) {
    int32_t count = self->agents.count, longest = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t length = 0;
        (void)conflicts_path(self, node, i, &length);
        longest = ploy_maxi(longest, length);
    }
    for (int32_t tick = 0; tick < longest; tick++) {
        for (int32_t a = 0; a < count; a++) {
            for (int32_t b = a + 1; b < count; b++) {
                int32_t la = 0, lb = 0;
                const int32_t *wa = conflicts_path(self, node, a, &la);
                const int32_t *wb = conflicts_path(self, node, b, &lb);
                int32_t sa = conflicts_at(wa, la, tick), sb = conflicts_at(wb, lb, tick);
                conflicts_pair met = {a, b, tick, sa, -1};
                *out = met;
                if (sa == sb) return true;
                if (tick == 0) continue;
                int32_t pa = conflicts_at(wa, la, tick - 1), pb = conflicts_at(wb, lb, tick - 1);
                if (sa != pb || sb != pa) continue;
                out->from = pa;
                return true;
            }
        }
    }
    return false;
}

// ---- begin ----

static void conflicts_reset(ploy_conflicts *self) {
    ploy_array_clear(&self->agents);
    ploy_array_clear(&self->distances);
    ploy_array_clear(&self->nodes);
    ploy_array_clear(&self->states);
    ploy_array_clear(&self->root);
    ploy_array_clear(&self->rules);
    ploy_heap_clear(&self->heap);
    memset(&self->stats, 0, sizeof self->stats);
    self->outcome = PLOY_SEARCH_IDLE;
    self->current = self->best = -1;
    self->planning = self->split = self->begun = self->cut = 0;
}

static ploy_result conflicts_measure(ploy_conflicts *self, int32_t agent) {
    int32_t goal = PLOY_ARRAY_ITEMS(&self->agents, ploy_conflicts_agent)[agent].goal;
    int32_t first = self->distances.count;
    ploy_result result = ploy_array_resize(&self->distances, first + self->space.count);
    if (result != PLOY_OK) return result;
    return ployi_cooperative_hops(self->flood, &self->space, goal,
                                  PLOY_ARRAY_ITEMS(&self->distances, int32_t) + first);
}

ploy_result ploy_conflicts_begin(ploy_conflicts *self, const ploy_space *space,
                                 const ploy_conflicts_agent *agents, int32_t count) {
    conflicts_reset(self);
    if (space == NULL || space->expand == NULL || space->expand_back == NULL || agents == NULL ||
        count < 1 || space->count < 1 || (int64_t)count * space->count > INT32_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        bool is = agents[i].start >= 0 && agents[i].start < space->count && agents[i].goal >= 0 &&
                  agents[i].goal < space->count;
        for (int32_t k = 0; k < i; k++) {
            if (agents[k].start == agents[i].start || agents[k].goal == agents[i].goal) is = false;
        }
        if (!is) return PLOY_ERR_ARGUMENT;
    }
    self->space = *space;
    conflicts_node root;
    memset(&root, 0, sizeof root);
    root.parent = -1;
    root.rule.agent = -1;
    ploy_result result = ploy_array_push_many(&self->agents, agents, count);
    if (result == PLOY_OK) result = ploy_array_resize(&self->root, 2 * count);
    if (result == PLOY_OK) result = ploy_array_push(&self->nodes, &root);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) result = conflicts_measure(self, i);
    if (result != PLOY_OK) {
        conflicts_reset(self);
        return result;
    }
    self->stats.nodes = 1;
    self->current = 0;
    self->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// ---- step ----

static ploy_result conflicts_begin_plan(ploy_conflicts *self) {
    const conflicts_node *nodes = PLOY_ARRAY_ITEMS(&self->nodes, conflicts_node);
    const ploy_conflicts_agent *agents = PLOY_ARRAY_ITEMS(&self->agents, ploy_conflicts_agent);
    ploy_array_clear(&self->rules);
    self->last_tick = 0;
    for (int32_t at = self->current; at > 0; at = nodes[at].parent) {
        if (nodes[at].rule.agent != self->planning) continue;
        ploy_result result = ploy_array_push(&self->rules, &nodes[at].rule);
        if (result != PLOY_OK) return result;
        self->last_tick = ploy_maxi(self->last_tick, nodes[at].rule.tick);
    }
    if ((int64_t)(self->last_tick + 2) * self->space.count > INT32_MAX) return PLOY_ERR_LIMIT;
    memset(&self->timed, 0, sizeof self->timed);
    self->timed.count = (self->last_tick + 2) * self->space.count;
    self->timed.expand = conflicts_expand;
    self->timed.estimate = conflicts_estimate;
    self->timed.user = self;
    ploy_search_start start = {agents[self->planning].start, 0.0};
    ploy_search_query query = ploy_search_query_make(&self->timed, &start, PLOY_STATE_NONE);
    query.is_goal = conflicts_is_goal;
    query.user = self;
    self->begun = 1;
    self->stats.plans++;
    return ploy_search_begin(self->search, &query);
}

// Keeps the path that was found. @return its ticks, or -1: none; below that an error.
static ploy_result conflicts_keep(ploy_conflicts *self, int32_t *ticks) {
    *ticks = -1;
    if (ploy_search_outcome_of(self->search) != PLOY_SEARCH_FOUND) return PLOY_OK;
    int32_t goal = ploy_search_goal(self->search);
    int32_t count = ploy_search_path(self->search, goal, NULL, 0, NULL);
    if (count > self->def.max_ticks) {
        self->cut = 1;
        return PLOY_OK;
    }
    int32_t first = self->states.count;
    if (first > INT32_MAX - count - 1) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_array_resize(&self->states, first + count + 1);
    if (result != PLOY_OK) return result;
    int32_t *states = PLOY_ARRAY_ITEMS(&self->states, int32_t) + first;
    // Backwards from the goal: parents are times one less.
    int32_t at = goal;
    for (int32_t i = count; i >= 0; i--) {
        ploy_search_node node;
        states[i] = at % self->space.count;
        (void)ploy_search_get(self->search, at, &node);
        at = node.parent;
    }
    *ticks = count;
    return PLOY_OK;
}

static ploy_result conflicts_push(ploy_conflicts *self, int32_t node) {
    int64_t cost = PLOY_ARRAY_ITEMS(&self->nodes, conflicts_node)[node].cost;
    return ploy_heap_push(&self->heap, (double)cost, (uint64_t)node);
}

// One plan is done: of the root the next agent's turn comes, of a side it goes into the heap.
static ploy_result conflicts_planned(ploy_conflicts *self) {
    int32_t ticks = -1, first = self->states.count;
    ploy_result result = conflicts_keep(self, &ticks);
    if (result != PLOY_OK) return result;
    self->begun = 0;
    int32_t node = self->current;
    conflicts_node *nodes = PLOY_ARRAY_ITEMS(&self->nodes, conflicts_node);
    if (node == 0) {
        if (ticks < 0) {
            self->outcome = self->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
            return PLOY_OK;
        }
        int32_t *root = PLOY_ARRAY_ITEMS(&self->root, int32_t);
        root[2 * self->planning] = first;
        root[2 * self->planning + 1] = ticks + 1;
        nodes[0].cost += ticks;
        if (++self->planning < self->agents.count) return PLOY_OK;
    } else if (ticks >= 0) {
        int32_t before = 0;
        (void)conflicts_path(self, nodes[node].parent, self->planning, &before);
        nodes[node].first = first;
        nodes[node].length = ticks + 1;
        nodes[node].cost = nodes[nodes[node].parent].cost - (before - 1) + ticks;
    }
    self->current = -1;
    return ticks >= 0 ? conflicts_push(self, node) : PLOY_OK;
}

// Makes the side of the last collision in which one of the two gives way.
static ploy_result conflicts_split(ploy_conflicts *self) {
    conflicts_pair pair = self->pair;
    conflicts_node node;
    memset(&node, 0, sizeof node);
    node.parent = self->best;
    bool first = self->split == 2;
    node.rule.agent = first ? pair.a : pair.b;
    node.rule.tick = pair.tick;
    // Of two that change places, the other goes the other way round.
    node.rule.state = first || pair.from < 0 ? pair.state : pair.from;
    node.rule.from = pair.from < 0 ? -1 : first ? pair.from : pair.state;
    ploy_result result = ploy_array_push(&self->nodes, &node);
    if (result != PLOY_OK) return result;
    self->split--;
    self->stats.nodes++;
    self->current = self->nodes.count - 1;
    self->planning = node.rule.agent;
    return PLOY_OK;
}

// The cheapest node: done if nothing collides in it.
static ploy_result conflicts_choose(ploy_conflicts *self) {
    double cost = 0.0;
    uint64_t node = 0;
    if (!ploy_heap_pop(&self->heap, &cost, &node)) {
        self->outcome = self->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    self->best = (int32_t)node;
    if (!conflicts_find(self, self->best, &self->pair)) {
        self->outcome = PLOY_SEARCH_FOUND;
    } else if (self->nodes.count >= self->def.max_nodes) {
        self->outcome = PLOY_SEARCH_PRUNED;
    } else {
        self->split = 2;
    }
    return PLOY_OK;
}

static ploy_result conflicts_advance(ploy_conflicts *self, ploy_budget *budget) {
    if (self->current < 0) return self->split > 0 ? conflicts_split(self) : conflicts_choose(self);
    if (!self->begun) return conflicts_begin_plan(self);
    int64_t before = ploy_search_stats_of(self->search).taken;
    ploy_result result = ploy_search_step(self->search, budget);
    self->stats.taken += ploy_search_stats_of(self->search).taken - before;
    return result == PLOY_OK ? conflicts_planned(self) : result;
}

ploy_result ploy_conflicts_step(ploy_conflicts *self, ploy_budget *budget) {
    if (self->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (self->outcome == PLOY_SEARCH_OPEN) {
        if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
        ploy_result result = conflicts_advance(self, budget);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result != PLOY_OK) {
            conflicts_reset(self);
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_conflicts_cancel(ploy_conflicts *self) {
    conflicts_reset(self);
}

ploy_result ploy_conflicts_run(ploy_conflicts *self, const ploy_space *space,
                               const ploy_conflicts_agent *agents, int32_t count) {
    ploy_result result = ploy_conflicts_begin(self, space, agents, count);
    return result == PLOY_OK ? ploy_conflicts_step(self, NULL) : result;
}

ploy_search_outcome ploy_conflicts_outcome(const ploy_conflicts *self) {
    return self->outcome;
}

int64_t ploy_conflicts_cost(const ploy_conflicts *self) {
    if (self->outcome != PLOY_SEARCH_FOUND) return -1;
    return PLOY_ARRAY_ITEMS(&self->nodes, conflicts_node)[self->best].cost;
}

int32_t ployi_conflicts_path(const ploy_conflicts *self, int32_t agent, int32_t *out,
                             int32_t capacity) {
    if (self->outcome != PLOY_SEARCH_FOUND || agent < 0 || agent >= self->agents.count) return -1;
    int32_t length = 0;
    const int32_t *direction = conflicts_path(self, self->best, agent, &length);
    for (int32_t i = 0; i < length && i < capacity; i++) out[i] = direction[i];
    return length;
}

ploy_conflicts_stats ployi_conflicts_stats_of(const ploy_conflicts *self) {
    return self->stats;
}

void ploy_conflicts_describe(const ploy_conflicts *self, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(self->outcome));
    ploy_describe_i64(out, "agents", PLOY_STATE, self->agents.count);
    ploy_describe_i64(out, "cost", PLOY_STATE, ploy_conflicts_cost(self));
    ploy_describe_i64(out, "nodes", PLOY_STATE, self->stats.nodes);
    ploy_describe_i64(out, "plans", PLOY_STATE, self->stats.plans);
    ploy_describe_i64(out, "taken", PLOY_STATE, self->stats.taken);
}

void ploy_conflicts_memory(const ploy_conflicts *self, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {
        "conflicts", sizeof *self + (size_t)self->edges.capacity * sizeof *self->edges.items,
        self->edges.capacity > 0 ? 2 : 1};
    fn(user, &item);
    ploy_array_memory(&self->agents, fn, user);
    ploy_array_memory(&self->distances, fn, user);
    ploy_array_memory(&self->nodes, fn, user);
    ploy_array_memory(&self->states, fn, user);
    ploy_array_memory(&self->root, fn, user);
    ploy_array_memory(&self->rules, fn, user);
    ploy_heap_memory(&self->heap, fn, user);
    ploy_search_memory(self->search, fn, user);
    ploy_search_memory(self->flood, fn, user);
}
