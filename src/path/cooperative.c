// Windowed hierarchical cooperative A*; see the header.
//
// Invariants between two steps:
//   (1) no two agents are in the same state;
//   (2) plan[0] of an agent is its state; plan holds window + 1 states, one for each tick from now;
//   (3) the table holds what agents have reserved, from now on: (state, tick) -> agent. An agent has
//       reserved plan[i] if owned[i] is 1; nothing else is in the table. Where two plans meet, the
//       state belongs to the agent that reserved it first.
#include "ploy/path/cooperative.h"

#include "path/path_internal.h"

#include <string.h>

#include "path/cooperative_internal.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

static const ploy_field cooperative_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_cooperative_def, capacity, 32, 1, 4096, "", "most agents"),
    PLOY_FIELD_I32_FIXED(ploy_cooperative_def, window, 16, 1, 256, "", "ticks planned ahead"),
    PLOY_FIELD_I32(ploy_cooperative_def, renew, 8, 1, 256, "", "ticks until an agent plans again"),
};

typedef struct coop_agent {
    int32_t *distances; // of every state to the goal; -1: none
    int32_t *plan;
    uint8_t *owned;
    int32_t state, goal;
    int32_t age;    // ticks since its plan was made
    int32_t broken; // 1: it has no plan, or could not follow it
} coop_agent;

struct ploy_cooperative {
    ploy_env env;
    ploy_cooperative_def def;
    ploy_space space; // in which they move
    ploy_space timed; // state x (window + 1) + tick: what one agent's plan is searched in
    ploy_search *search, *flood;
    ploy_edges edges; // scratch of the timed space
    ploy_map table;   // int32_t agents
    ploy_cooperative_stats stats;
    int32_t count, planning, next_first, reserved;
    int32_t *next; // scratch: where each wants to be
    size_t size;
    coop_agent agents[];
};

ploy_fields ploy_cooperative_fields(void) {
    return PLOY_FIELDS(ploy_cooperative_def, cooperative_fields);
}

ploy_cooperative_def ploy_cooperative_def_default(void) {
    ploy_cooperative_def def;
    ploy_fields_default(ploy_cooperative_fields(), &def);
    return def;
}

// ---- the table ----

static uint64_t coop_key(const ploy_cooperative *self, int32_t state, int64_t tick) {
    return (uint64_t)(self->stats.ticks + tick) * (uint64_t)self->space.count + (uint64_t)state;
}

static int32_t coop_reserved(const ploy_cooperative *self, int32_t state, int64_t tick) {
    const int32_t *agent = ploy_map_get(&self->table, coop_key(self, state, tick));
    return agent != NULL ? *agent : -1;
}

static void coop_release(ploy_cooperative *self, int32_t agent) {
    coop_agent *owner = &self->agents[agent];
    for (int32_t i = 0; i <= self->def.window; i++) {
        if (owner->owned[i] == 0) continue;
        (void)ploy_map_remove(&self->table, coop_key(self, owner->plan[i], i));
        owner->owned[i] = 0;
    }
}

static ploy_result coop_reserve(ploy_cooperative *self, int32_t agent) {
    for (int32_t i = 0; i <= self->def.window; i++) {
        uint64_t key = coop_key(self, self->agents[agent].plan[i], i);
        if (ploy_map_has(&self->table, key)) continue; // a plan that failed may cross another one
        ploy_result result = ploy_map_put(&self->table, key, &agent);
        if (result != PLOY_OK) return result;
        self->agents[agent].owned[i] = 1;
    }
    return PLOY_OK;
}

// ---- the space of one plan ----

static ploy_result coop_go(ploy_cooperative *self, int32_t from, int32_t to, int32_t tick,
                           ploy_edges *out) {
    const coop_agent *agent = &self->agents[self->planning];
    if (to < 0 || to >= self->space.count) return PLOY_ERR_STATE; // the space has grown
    if (agent->distances[to] < 0 || coop_reserved(self, to, tick + 1) >= 0) return PLOY_OK;
    int32_t other = coop_reserved(self, to, tick);
    if (from != to && other >= 0 && coop_reserved(self, from, tick + 1) == other) return PLOY_OK;
    double cost = from == to && to == agent->goal ? 0.0 : 1.0; // resting at the goal is free
    return ploy_edges_add(out, to * (self->def.window + 1) + tick + 1, cost, to);
}

static ploy_result coop_expand(void *user, int32_t timed, ploy_edges *out) {
    ploy_cooperative *self = user;
    int32_t layers = self->def.window + 1, state = timed / layers, tick = timed % layers;
    if (tick == self->def.window) return PLOY_OK;
    ploy_edges_clear(&self->edges);
    ploy_result result = self->space.expand(self->space.user, state, &self->edges);
    if (result == PLOY_OK) result = coop_go(self, state, state, tick, out);
    for (int32_t i = 0; i < self->edges.count && result == PLOY_OK; i++) {
        result = coop_go(self, state, self->edges.view[i].to, tick, out);
    }
    return result;
}

static double coop_estimate(void *user, int32_t timed, int32_t goal) {
    const ploy_cooperative *self = user;
    (void)goal;
    return (double)self->agents[self->planning].distances[timed / (self->def.window + 1)];
}

static bool coop_is_goal(void *user, int32_t timed) {
    const ploy_cooperative *self = user;
    return timed % (self->def.window + 1) == self->def.window;
}

// ---- create ----

static ploy_result coop_parts(ploy_cooperative *self) {
    ploy_search_def flood = ploy_search_def_default(), search = ploy_search_def_default();
    flood.order = PLOY_SEARCH_BREADTH;
    search.storage = PLOY_SEARCH_PAGES;
    ploy_result result = ploy_search_create(&search, &self->env, &self->search);
    if (result == PLOY_OK) result = ploy_search_create(&flood, &self->env, &self->flood);
    if (result != PLOY_OK) return result;
    self->next = ploy_env_alloc_zero(&self->env, (size_t)self->def.capacity * sizeof(int32_t));
    return self->next != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
}

ploy_result ploy_cooperative_create(const ploy_cooperative_def *def, const ploy_space *space,
                                    const ploy_env *env, ploy_cooperative **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_cooperative_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (space == NULL || space->expand == NULL || space->expand_back == NULL || space->count < 1 ||
        (int64_t)space->count * (def->window + 1) > INT32_MAX || def->renew > def->window) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_cooperative), def->capacity, sizeof(coop_agent), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_cooperative *self = ploy_env_alloc_zero(env, size);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->def = *def;
    self->space = *space;
    self->size = size;
    ploy_edges_init(&self->edges, env);
    ploy_map_init(&self->table, sizeof(int32_t), env);
    self->timed.count = space->count * (def->window + 1);
    self->timed.expand = coop_expand;
    self->timed.estimate = coop_estimate;
    self->timed.user = self;
    result = coop_parts(self);
    if (result != PLOY_OK) {
        ploy_cooperative_destroy(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

static size_t coop_plan_size(const ploy_cooperative *self) {
    return (size_t)(self->def.window + 1) * sizeof(int32_t);
}

static void coop_free_agent(ploy_cooperative *self, coop_agent *agent) {
    ploy_env_free(&self->env, agent->distances, (size_t)self->space.count * sizeof(int32_t));
    ploy_env_free(&self->env, agent->plan, coop_plan_size(self));
    ploy_env_free(&self->env, agent->owned, (size_t)self->def.window + 1);
    memset(agent, 0, sizeof *agent);
}

void ploy_cooperative_destroy(ploy_cooperative *self) {
    if (self == NULL) return;
    ploy_env env = self->env;
    for (int32_t i = 0; i < self->count; i++) coop_free_agent(self, &self->agents[i]);
    ploy_search_destroy(self->search);
    ploy_search_destroy(self->flood);
    ploy_edges_fini(&self->edges);
    ploy_map_fini(&self->table);
    ploy_env_free(&env, self->next, (size_t)self->def.capacity * sizeof(int32_t));
    ploy_env_free(&env, self, self->size);
}

ploy_result ployi_cooperative_hops(ploy_search *flood, const ploy_space *space, int32_t goal,
                                   int32_t *out) {
    ploy_search_start start = {goal, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, PLOY_STATE_NONE);
    query.backward = true;
    ploy_result result = ploy_search_run(flood, &query);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < space->count; i++) out[i] = -1;
    out[goal] = 0;
    for (int32_t i = 0; i < ploy_search_reached(flood); i++) { // parents come before
        int32_t state = ploy_search_reached_at(flood, i);
        ploy_search_node node;
        if (!ploy_search_get(flood, state, &node) || node.parent < 0) continue;
        out[state] = out[node.parent] + 1;
    }
    return PLOY_OK;
}

ploy_result ploy_cooperative_add(ploy_cooperative *self, int32_t start, int32_t goal,
                                 int32_t *out) {
    if (start < 0 || start >= self->space.count || goal < 0 || goal >= self->space.count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (self->count == self->def.capacity) return PLOY_ERR_CAPACITY;
    for (int32_t i = 0; i < self->count; i++) {
        if (self->agents[i].state == start) return PLOY_ERR_EXISTS;
    }
    coop_agent agent;
    memset(&agent, 0, sizeof agent);
    agent.distances = ploy_env_alloc(&self->env, (size_t)self->space.count * sizeof(int32_t));
    agent.plan = ploy_env_alloc(&self->env, coop_plan_size(self));
    agent.owned = ploy_env_alloc_zero(&self->env, (size_t)self->def.window + 1);
    bool made = agent.distances != NULL && agent.plan != NULL && agent.owned != NULL;
    ploy_result result = made ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK)
        result = ployi_cooperative_hops(self->flood, &self->space, goal, agent.distances);
    if (result != PLOY_OK) {
        coop_free_agent(self, &agent);
        return result;
    }
    for (int32_t i = 0; i <= self->def.window; i++) agent.plan[i] = start; // keeps (2)
    agent.state = start;
    agent.goal = goal;
    agent.broken = 1;
    if (out != NULL) *out = self->count;
    self->agents[self->count++] = agent;
    return PLOY_OK;
}

ploy_result ploy_cooperative_set_goal(ploy_cooperative *self, int32_t agent, int32_t goal) {
    if (agent < 0 || agent >= self->count || goal < 0 || goal >= self->space.count) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result =
        ployi_cooperative_hops(self->flood, &self->space, goal, self->agents[agent].distances);
    if (result != PLOY_OK) return result;
    self->agents[agent].goal = goal;
    self->agents[agent].broken = 1;
    return PLOY_OK;
}

ploy_result ploy_cooperative_changed(ploy_cooperative *self) {
    for (int32_t i = 0; i < self->count; i++) {
        ploy_result result = ploy_cooperative_set_goal(self, i, self->agents[i].goal);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- step ----

static ploy_result coop_plan(ploy_cooperative *self, int32_t index) {
    coop_agent *agent = &self->agents[index];
    coop_release(self, index);
    self->planning = index;
    agent->broken = 1;
    agent->age = 0;
    for (int32_t i = 0; i <= self->def.window; i++) agent->plan[i] = agent->state;
    if (agent->distances[agent->state] < 0) return coop_reserve(self, index); // shut in
    ploy_search_start start = {agent->state * (self->def.window + 1), 0.0};
    ploy_search_query query = ploy_search_query_make(&self->timed, &start, PLOY_STATE_NONE);
    query.is_goal = coop_is_goal;
    query.user = self;
    ploy_result result = ploy_search_run(self->search, &query);
    if (result != PLOY_OK) return result;
    self->stats.plans++;
    self->stats.taken += ploy_search_stats_of(self->search).taken;
    if (ploy_search_outcome_of(self->search) == PLOY_SEARCH_FOUND) {
        ploy_edge edges[256];
        int32_t count = ploy_search_path(self->search, ploy_search_goal(self->search), edges,
                                         self->def.window, NULL);
        for (int32_t i = 0; i < count; i++) agent->plan[i + 1] = edges[i].label;
        agent->broken = 0;
    } else {
        self->stats.failed++;
    }
    return coop_reserve(self, index);
}

// Agents that must wait: those whose next state belongs to one that stays or goes first, and both of two
// who would change places. Waiting makes others wait, until no agent is left that would collide.
static void coop_hold(ploy_cooperative *self) {
    bool again = true;
    while (again) {
        again = false;
        for (int32_t i = 0; i < self->count; i++) {
            if (self->next[i] == self->agents[i].state) continue;
            for (int32_t k = 0; k < self->count; k++) {
                if (k == i) continue;
                bool stays = self->next[k] == self->agents[k].state;
                bool same = self->next[k] == self->next[i] && (stays || k < i);
                bool swap = self->next[k] == self->agents[i].state &&
                            self->next[i] == self->agents[k].state;
                if (!same && !swap) continue;
                self->next[i] = self->agents[i].state;
                self->agents[i].broken = 1;
                self->stats.held++;
                again = true;
                break;
            }
        }
    }
}

static bool coop_wants_plan(const ploy_cooperative *self, int32_t agent) {
    return self->agents[agent].broken || self->agents[agent].age >= self->def.renew;
}

ploy_result ploy_cooperative_step(ploy_cooperative *self) {
    // Those without a plan first, then the others, beginning with another one each time.
    for (int32_t turn = 0; turn < 2; turn++) {
        for (int32_t i = 0; i < self->count; i++) {
            int32_t agent = (self->next_first + i) % self->count;
            if ((self->agents[agent].broken != 0) != (turn == 0)) continue;
            if (!coop_wants_plan(self, agent)) continue;
            // In the second turn no agent is planned again.
            if (turn == 1 && self->agents[agent].age == 0) continue;
            ploy_result result = coop_plan(self, agent);
            if (result != PLOY_OK) return result;
        }
    }
    for (int32_t i = 0; i < self->count; i++) self->next[i] = self->agents[i].plan[1];
    coop_hold(self);
    for (int32_t i = 0; i < self->count; i++) {
        coop_agent *agent = &self->agents[i];
        if (agent->broken) coop_release(self, i);
        if (agent->owned[0] != 0) {
            (void)ploy_map_remove(&self->table, coop_key(self, agent->plan[0], 0));
        }
        agent->state = self->next[i]; // keeps (1)
        memmove(agent->plan, agent->plan + 1, (size_t)self->def.window * sizeof(int32_t));
        memmove(agent->owned, agent->owned + 1, (size_t)self->def.window);
        agent->owned[self->def.window] = 0;
        for (int32_t k = 0; agent->broken && k <= self->def.window; k++) {
            agent->plan[k] = agent->state;
        }
        agent->age++;
    }
    self->stats.ticks++;
    // What was planned one tick further than any table knows: they stay where they end.
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < self->count && result == PLOY_OK; i++) {
        result = coop_reserve(self, i); // keeps (3)
    }
    if (self->count > 0) self->next_first = (self->next_first + 1) % self->count;
    return result;
}

// ---- answers ----

int32_t ploy_cooperative_count(const ploy_cooperative *self) {
    return self->count;
}

static bool coop_has(const ploy_cooperative *self, int32_t agent) {
    return agent >= 0 && agent < self->count;
}

int32_t ploy_cooperative_state(const ploy_cooperative *self, int32_t agent) {
    return coop_has(self, agent) ? self->agents[agent].state : PLOY_STATE_NONE;
}

int32_t ploy_cooperative_goal(const ploy_cooperative *self, int32_t agent) {
    return coop_has(self, agent) ? self->agents[agent].goal : PLOY_STATE_NONE;
}

int32_t ploy_cooperative_planned(const ploy_cooperative *self, int32_t agent, int32_t ticks) {
    if (!coop_has(self, agent) || ticks < 0 || ticks > self->def.window) return PLOY_STATE_NONE;
    return self->agents[agent].plan[ticks];
}

int32_t ployi_cooperative_distance(const ploy_cooperative *self, int32_t agent) {
    if (!coop_has(self, agent)) return -1;
    return self->agents[agent].distances[self->agents[agent].state];
}

bool ployi_cooperative_is_done(const ploy_cooperative *self) {
    for (int32_t i = 0; i < self->count; i++) {
        if (self->agents[i].state != self->agents[i].goal) return false;
    }
    return true;
}

ploy_cooperative_stats ploy_cooperative_stats_of(const ploy_cooperative *self) {
    return self->stats;
}

// ---- state ----

static void coop_rebuild_table(void *object) {
    ploy_cooperative *self = object;
    ploy_map_clear(&self->table);
    for (int32_t agent = 0; agent < self->count; agent++) {
        coop_agent *owner = &self->agents[agent];
        for (int32_t i = 0; owner->owned != NULL && i <= self->def.window; i++) {
            uint64_t key = coop_key(self, owner->plan[i], i);
            if (owner->owned[i] == 0) continue;
            owner->owned[i] = !ploy_map_has(&self->table, key) &&
                              ploy_map_put(&self->table, key, &agent) == PLOY_OK;
        }
    }
}

// In a load: memory for the agent, also if it is new; NULL for one that the file does not have.
static bool coop_visit_room(ploy_visit *v, ploy_cooperative *self, coop_agent *agent, bool there) {
    size_t distances = (size_t)self->space.count * sizeof(int32_t);
    size_t plan = coop_plan_size(self), owned = (size_t)self->def.window + 1;
    bool had = agent->plan != NULL;
    return ploy_visit_replace(v, &self->env, &agent->distances, had ? distances : 0,
                              there ? distances : 0) &&
           ploy_visit_replace(v, &self->env, &agent->plan, had ? plan : 0, there ? plan : 0) &&
           ploy_visit_replace(v, &self->env, &agent->owned, had ? owned : 0, there ? owned : 0);
}

static void coop_visit_agent(ploy_visit *v, ploy_cooperative *self, coop_agent *agent) {
    int32_t last = self->space.count - 1;
    if (ploy_visit_loads(v) && !coop_visit_room(v, self, agent, true)) return;
    ploy_visit_struct(v, "agent", agent, sizeof *agent);
    ploy_visit_struct(v, "plan", agent->plan, coop_plan_size(self));
    ploy_visit_block(v, "distances", agent->distances, (size_t)self->space.count * sizeof(int32_t));
    ploy_visit_block(v, "plan", agent->plan, coop_plan_size(self));
    ploy_visit_block(v, "owned", agent->owned, (size_t)self->def.window + 1);
    PLOY_VISIT_SCRATCH(v, agent->distances);
    PLOY_VISIT_SCRATCH(v, agent->plan);
    PLOY_VISIT_SCRATCH(v, agent->owned);
    ploy_visit_i32_in(v, "state", PLOY_STATE, &agent->state, 0, last);
    ploy_visit_i32_in(v, "goal", PLOY_STATE, &agent->goal, 0, last);
    ploy_visit_i32_in(v, "age", PLOY_STATE, &agent->age, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "broken", PLOY_STATE, &agent->broken, 0, 1);
    int32_t ticks = ploy_visit_fixed(v, "plan", PLOY_STATE, self->def.window + 1);
    for (int32_t i = 0; i < ticks; i++) {
        ploy_visit_i32_in(v, "at", PLOY_STATE, &agent->plan[i], 0, last);
    }
    ploy_visit_end(v);
    (void)ploy_visit_bytes(v, "owned", PLOY_STATE, agent->owned, (size_t)self->def.window + 1);
    (void)ploy_visit_check(v, agent->plan[0] == agent->state, "the plan begins elsewhere",
                           "the agent's state");
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    (void)ploy_visit_result(
        v, ployi_cooperative_hops(self->flood, &self->space, agent->goal, agent->distances));
}

static void coop_visit_memory(ploy_visit *v, ploy_cooperative *self) {
    ploy_visit_object(v, "cooperative", self,
                      sizeof *self + (size_t)self->count * sizeof(coop_agent));
    size_t rest = (size_t)(self->def.capacity - self->count) * sizeof(coop_agent);
    if (v->memory == NULL) return;
    ploy_memory_item item = {"cooperative", rest, 0};
    v->memory(v->memory_user, &item);
    ploy_visit_block(v, "next", self->next, (size_t)self->def.capacity * sizeof(int32_t));
    if (self->edges.capacity > 0) {
        ploy_visit_block(v, "edges", self->edges.items,
                         (size_t)self->edges.capacity * sizeof *self->edges.items);
    }
    ploy_map_memory(&self->table, v->memory, v->memory_user);
    ploy_search_memory(self->search, v->memory, v->memory_user);
    ploy_search_memory(self->flood, v->memory, v->memory_user);
}

static bool coop_visit_distinct(const ploy_cooperative *self) {
    for (int32_t i = 0; i < self->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            if (self->agents[i].state == self->agents[k].state) return false;
        }
    }
    return true;
}

void ploy_cooperative_visit(ploy_visit *v, void *object) {
    ploy_cooperative *self = object;
    ploy_value states = ploy_value_i64(self->space.count);
    coop_visit_memory(v, self);
    PLOY_VISIT_SCRATCH(v, self->env);
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->space);
    PLOY_VISIT_SCRATCH(v, self->timed);
    PLOY_VISIT_SCRATCH(v, self->search);
    PLOY_VISIT_SCRATCH(v, self->flood);
    PLOY_VISIT_SCRATCH(v, self->edges);
    PLOY_VISIT_SCRATCH(v, self->table);
    PLOY_VISIT_SCRATCH(v, self->planning);
    PLOY_VISIT_SCRATCH(v, self->reserved);
    PLOY_VISIT_SCRATCH(v, self->next);
    PLOY_VISIT_SCRATCH(v, self->size);
    ploy_visit_after(v, coop_rebuild_table, self);
    (void)ploy_visit_same(v, "states", PLOY_SAVED, &states);
    ploy_visit_i64_in(v, "ticks", PLOY_STATE, &self->stats.ticks, 0, (int64_t)1 << 31);
    ploy_visit_i64(v, "plans", PLOY_STATE, &self->stats.plans);
    ploy_visit_i64(v, "taken", PLOY_STATE, &self->stats.taken);
    ploy_visit_i64(v, "failed", PLOY_STATE, &self->stats.failed);
    ploy_visit_i64(v, "held", PLOY_STATE, &self->stats.held);
    ploy_visit_i32_in(v, "first", PLOY_STATE, &self->next_first, 0, self->def.capacity - 1);
    int32_t before = self->count;
    int32_t count = ploy_visit_list(v, "agents", PLOY_STATE, &self->count, self->def.capacity);
    ploy_result room = PLOY_OK;
    if (ploy_visit_loads(v)) {
        room = ploy_map_reserve(&self->table, self->count * (self->def.window + 1));
    }
    for (int32_t i = 0; i < count && ploy_visit_result(v, room) && ploy_visit_is_ok(v); i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        coop_visit_agent(v, self, &self->agents[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    for (int32_t i = self->count; ploy_visit_loads(v) && i < before; i++) {
        if (!coop_visit_room(v, self, &self->agents[i], false)) return;
    }
    (void)ploy_visit_check(v, coop_visit_distinct(self), "two agents are in the same state", NULL);
}

void ploy_cooperative_describe(const ploy_cooperative *self, ploy_describe *out) {
    ploy_visit_describe(ploy_cooperative_visit, self, NULL, out);
}

void ploy_cooperative_memory(const ploy_cooperative *self, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_cooperative_visit, self, fn, user);
}
