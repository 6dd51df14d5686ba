// The small problems: tables of outcomes, written as functions, and the pole on a cart.
//
// Grids number their cells row by row from the top left. Actions are up, right, down, left; king's moves add the
// four diagonals.
#include <math.h>
#include <string.h>

#include "ploy/base/diags.h"
#include "ploy/base/math.h"
#include "ploy/learn/problem.h"

static int32_t problems_one(ploy_problem_outcome *out, double reward, int64_t state,
                            bool terminated) {
    ploy_problem_outcome outcome = {1.0, reward, state, terminated};
    out[0] = outcome;
    return 1;
}

static const int32_t problems_dx[8] = {0, 1, 0, -1, 1, 1, -1, -1};
static const int32_t problems_dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

// The cell one step away; walls keep what would leave the grid.
static int64_t problems_move(int64_t state, int32_t action, int32_t columns, int32_t rows) {
    int32_t x = ploy_clampi((int32_t)state % columns + problems_dx[action], 0, columns - 1);
    int32_t y = ploy_clampi((int32_t)state / columns + problems_dy[action], 0, rows - 1);
    return (int64_t)y * columns + x;
}

// Twelve states in a row; 1 for the last step. Action 1 goes on, action 0 goes back.
static int32_t problems_chain(int64_t state, int32_t action, ploy_problem_outcome *out) {
    if (state == 11) return 0;
    int64_t next = action == 1 ? state + 1 : state > 0 ? state - 1 : 0;
    return problems_one(out, next == 11 ? 1.0 : 0.0, next, next == 11);
}

// Sutton and Barto, example 4.1: two opposite corners end it.
static int32_t problems_grid4(int64_t state, int32_t action, ploy_problem_outcome *out) {
    if (state == 0 || state == 15) return 0;
    int64_t next = problems_move(state, action, 4, 4);
    return problems_one(out, -1.0, next, next == 0 || next == 15);
}

// Example 3.5: A pays 10 and leads to A', B pays 5 and leads to B'; a bump costs 1. It never ends.
static int32_t problems_grid5(int64_t state, int32_t action, ploy_problem_outcome *out) {
    if (state == 1) return problems_one(out, 10.0, 21, false);
    if (state == 3) return problems_one(out, 5.0, 13, false);
    int64_t next = problems_move(state, action, 5, 5);
    return problems_one(out, next == state ? -1.0 : 0.0, next, false);
}

static int32_t problems_windy(int64_t state, int32_t action, ploy_problem_outcome *out) {
    static const int32_t wind[10] = {0, 0, 0, 1, 1, 1, 2, 2, 1, 0};
    if (state == 37) return 0;
    int32_t blown = (int32_t)state / 10 + problems_dy[action] - wind[state % 10];
    int32_t x = ploy_clampi((int32_t)state % 10 + problems_dx[action], 0, 9);
    int64_t next = (int64_t)ploy_clampi(blown, 0, 6) * 10 + x;
    return problems_one(out, -1.0, next, next == 37);
}

// 4 by 12; the bottom row between start and goal is the cliff: -100 and back to the start.
static int32_t problems_cliff(int64_t state, int32_t action, ploy_problem_outcome *out) {
    if (state == 47) return 0;
    int64_t next = problems_move(state, action, 12, 4);
    if (next > 36 && next < 47) return problems_one(out, -100.0, 36, false);
    return problems_one(out, -1.0, next, next == 47);
}

// Gymnasium's FrozenLake, 4 by 4, slippery: as meant or to either side, a third each.
static int32_t problems_lake(int64_t state, int32_t action, ploy_problem_outcome *out) {
    static const char map[] = "SFFFFHFHFFFHHFFG";
    if (map[state] == 'H' || map[state] == 'G') return 0;
    for (int32_t i = 0; i < 3; i++) {
        int64_t next = problems_move(state, (action + 3 + i) % 4, 4, 4);
        out[i].probability = 1.0 / 3.0;
        out[i].reward = map[next] == 'G' ? 1.0 : 0.0;
        out[i].state = next;
        out[i].terminated = map[next] == 'H' || map[next] == 'G';
    }
    return 3;
}

// Example 6.2: five states between two ends; the right one pays 1. One action, which leads to either side.
static int32_t problems_walk(int64_t state, int32_t action, ploy_problem_outcome *out) {
    (void)action;
    if (state == 0 || state == 6) return 0;
    for (int32_t i = 0; i < 2; i++) {
        int64_t next = state + (i == 0 ? -1 : 1);
        out[i].probability = 0.5;
        out[i].reward = next == 6 ? 1.0 : 0.0;
        out[i].state = next;
        out[i].terminated = next == 0 || next == 6;
    }
    return 2;
}

// The reward trap: B and C are states 0 and 1; going from B to C pays 0.1, each time. From C the direct route
// to the goal has `further` actions before the one that is rewarded. Action 0 loops, action 1 goes on.
static int32_t problems_trapped(int64_t state, int32_t action, int32_t further,
                                ploy_problem_outcome *out) {
    int64_t goal = 2 + further;
    if (state == goal) return 0;
    if (state == 0) return problems_one(out, 0.1, 1, false);
    if (state == 1 && action == 0) return problems_one(out, 0.0, 0, false);
    int64_t next = state + 1;
    return problems_one(out, next == goal ? 1.0 : 0.0, next, next == goal);
}

static int32_t problems_trap(int64_t state, int32_t action, ploy_problem_outcome *out) {
    return problems_trapped(state, action, 7, out);
}

static int32_t problems_trap_short(int64_t state, int32_t action, ploy_problem_outcome *out) {
    return problems_trapped(state, action, 6, out);
}

// ---- what runs a table

typedef struct problems_table {
    ploy_env env;
    const ploy_problem_type *type;
    int64_t state;
} problems_table;

static ploy_result problems_create(const ploy_problem_type *type, const ploy_env *env, void **out) {
    problems_table *table = ploy_env_alloc_zero(env, sizeof *table);
    if (table == NULL) return PLOY_ERR_MEMORY;
    table->env = *env;
    table->type = type;
    *out = table;
    return PLOY_OK;
}

static void problems_destroy(void *self) {
    problems_table *table = self;
    ploy_env env = table->env;
    ploy_env_free(&env, table, sizeof *table);
}

static bool problems_is_end(const problems_table *table, int64_t state) {
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    return table->type->model(state, 0, outcomes) == 0;
}

// The fixed starts: the lower left corner of the cliff, the left end of the windy grid, the middle of the walk.
static int64_t problems_start(const ploy_problem_type *type) {
    static const struct {
        const char *name;
        int64_t state;
    } starts[] = {{"cliff", 36}, {"windy", 30}, {"windy_king", 30}, {"walk", 3},
                  {"lake", 0},   {"chain", 0},  {"trap", 1},        {"trap_short", 1}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strcmp(starts[i].name, type->name) == 0) return starts[i].state;
    }
    return -1;
}

static void problems_reset(void *self, ploy_rng *rng, int64_t state) {
    problems_table *table = self;
    if (state < 0 || state >= table->type->space.states || problems_is_end(table, state)) {
        state = problems_start(table->type);
    }
    while (state < 0 || problems_is_end(table, state)) {
        state = (int64_t)ploy_rng_below(rng, (uint64_t)table->type->space.states);
    }
    table->state = state;
}

static ploy_problem_result problems_step(void *self, ploy_rng *rng, int32_t action) {
    problems_table *table = self;
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    int32_t count = table->type->model(table->state, action, outcomes), pick = 0;
    ploy_problem_result result = {0.0f, true, false};
    if (count == 0) return result;
    double draw = count > 1 ? ploy_rng_double(rng) : 0.0;
    while (pick < count - 1 && draw >= outcomes[pick].probability)
        draw -= outcomes[pick++].probability;
    table->state = outcomes[pick].state;
    result.reward = (float)outcomes[pick].reward;
    result.terminated = outcomes[pick].terminated;
    return result;
}

static int64_t problems_state(const void *self) {
    return ((const problems_table *)self)->state;
}

static void problems_visit(ploy_visit *v, void *self) {
    problems_table *table = self;
    ploy_visit_object(v, "problem.table", table, sizeof *table);
    PLOY_VISIT_SCRATCH(v, table->env);
    PLOY_VISIT_SCRATCH(v, table->type);
    ploy_visit_i64_in(v, "state", PLOY_STATE, &table->state, 0, table->type->space.states - 1);
}

static void problems_draw(const void *self, ploy_draw *out) {
    const problems_table *table = self;
    int32_t columns =
        table->type->columns > 0 ? table->type->columns : (int32_t)table->type->space.states;
    int32_t x = (int32_t)table->state % columns, y = (int32_t)table->state / columns;
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(),
                     ploy_vec2_make((float)x + 0.5f, -(float)y - 0.5f), 0.3f);
}

// ---- the pole

typedef struct problems_cart {
    ploy_env env;
    double x, speed, angle, turn;
} problems_cart;

static ploy_result problems_cart_create(const ploy_problem_type *type, const ploy_env *env,
                                        void **out) {
    (void)type;
    problems_cart *cart = ploy_env_alloc_zero(env, sizeof *cart);
    if (cart == NULL) return PLOY_ERR_MEMORY;
    cart->env = *env;
    *out = cart;
    return PLOY_OK;
}

static void problems_cart_destroy(void *self) {
    problems_cart *cart = self;
    ploy_env env = cart->env;
    ploy_env_free(&env, cart, sizeof *cart);
}

static void problems_cart_reset(void *self, ploy_rng *rng, int64_t state) {
    problems_cart *cart = self;
    (void)state;
    double *values[4] = {&cart->x, &cart->speed, &cart->angle, &cart->turn};
    for (int32_t i = 0; i < 4; i++) *values[i] = ploy_rng_double(rng) * 0.1 - 0.05;
}

// Euler steps of 0.02 s, as in Gymnasium: cart 1 kg, pole 0.1 kg and 1 m long, force 10 N.
static ploy_problem_result problems_cart_step(void *self, ploy_rng *rng, int32_t action) {
    problems_cart *cart = self;
    (void)rng;
    double sine, cosine, dt = 0.02, force = action == 1 ? 10.0 : -10.0;
    ploy_sincos(cart->angle, &sine, &cosine);
    double push = (force + 0.05 * cart->turn * cart->turn * sine) / 1.1;
    double bend = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1));
    double accel = push - 0.05 * bend * cosine / 1.1;
    cart->x += dt * cart->speed;
    cart->speed += dt * accel;
    cart->angle += dt * cart->turn;
    cart->turn += dt * bend;
    double most = 12.0 * 2.0 * PLOY_PI / 360.0;
    bool fell = fabs(cart->x) > 2.4 || fabs(cart->angle) > most;
    ploy_problem_result result = {1.0f, fell, false};
    return result;
}

static void problems_cart_observe(const void *self, float *out) {
    const problems_cart *cart = self;
    out[0] = (float)cart->x;
    out[1] = (float)cart->speed;
    out[2] = (float)cart->angle;
    out[3] = (float)cart->turn;
}

static void problems_cart_visit(ploy_visit *v, void *self) {
    problems_cart *cart = self;
    ploy_visit_object(v, "problem.cart", cart, sizeof *cart);
    PLOY_VISIT_SCRATCH(v, cart->env);
    ploy_visit_f64(v, "x", PLOY_STATE, &cart->x);
    ploy_visit_f64(v, "speed", PLOY_STATE, &cart->speed);
    ploy_visit_f64(v, "angle", PLOY_STATE, &cart->angle);
    ploy_visit_f64(v, "turn", PLOY_STATE, &cart->turn);
}

static void problems_cart_draw(const void *self, ploy_draw *out) {
    const problems_cart *cart = self;
    float sine, cosine, x = (float)cart->x;
    ploy_sincosf((float)cart->angle, &sine, &cosine);
    ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_PLAIN, ploy_agent_id_none(),
                   ploy_vec2_make(-2.4f, 0), ploy_vec2_make(2.4f, 0));
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(),
                     ploy_vec2_make(x, 0), 0.1f);
    ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_PLAIN, ploy_agent_id_none(),
                   ploy_vec2_make(x, 0), ploy_vec2_make(x + sine, cosine));
}

#define PROBLEMS_TABLE(name, help, states, actions, limit, discount, columns, model)            \
    {                                                                                           \
        name, help, {states, actions, 0, limit, discount, {0}, {0}}, columns, problems_create,  \
            problems_destroy, problems_reset, problems_step, problems_state, NULL, NULL, model, \
            problems_visit, problems_draw                                                       \
    }

static const ploy_problem_type problems_all[] = {
    PROBLEMS_TABLE("chain", "12 states in a row, 1 at the end", 12, 2, 200, 0.75f, 12,
                   problems_chain),
    PROBLEMS_TABLE("grid4", "4 by 4 cells, -1 a step to either corner", 16, 4, 200, 1.0f, 4,
                   problems_grid4),
    PROBLEMS_TABLE("grid5", "5 by 5 cells with two jumps that pay, endless", 25, 4, 100, 0.9f, 5,
                   problems_grid5),
    PROBLEMS_TABLE("windy", "10 by 7 cells with wind, four moves", 70, 4, 1000, 1.0f, 10,
                   problems_windy),
    PROBLEMS_TABLE("windy_king", "the same with king's moves", 70, 8, 1000, 1.0f, 10,
                   problems_windy),
    PROBLEMS_TABLE("cliff", "12 by 4 cells along a cliff that costs 100", 48, 4, 1000, 1.0f, 12,
                   problems_cliff),
    PROBLEMS_TABLE("lake", "4 by 4 cells of slippery ice with holes", 16, 4, 100, 0.99f, 4,
                   problems_lake),
    PROBLEMS_TABLE("walk", "5 states of a random walk", 7, 1, 1000, 1.0f, 7, problems_walk),
    PROBLEMS_TABLE("trap", "a small reward that repeats beats the goal", 10, 2, 100, 0.75f, 10,
                   problems_trap),
    PROBLEMS_TABLE("trap_short", "the same with a goal one step nearer", 9, 2, 100, 0.75f, 9,
                   problems_trap_short),
    {"cartpole",
     "balance a pole on a cart for 500 steps",
     {0, 2, 4, 500, 0.99f, {-2.4f, -3, -0.21f, -3.5f}, {2.4f, 3, 0.21f, 3.5f}},
     0,
     problems_cart_create,
     problems_cart_destroy,
     problems_cart_reset,
     problems_cart_step,
     NULL,
     problems_cart_observe,
     NULL,
     NULL,
     problems_cart_visit,
     problems_cart_draw},
};

const ploy_problem_type *ploy_problems_at(int32_t index) {
    int32_t count = (int32_t)(sizeof problems_all / sizeof *problems_all);
    return index < 0 || index >= count ? NULL : &problems_all[index];
}

const ploy_problem_type *ploy_problems_find(const char *name) {
    for (int32_t i = 0; name != NULL && ploy_problems_at(i) != NULL; i++) {
        if (strcmp(problems_all[i].name, name) == 0) return &problems_all[i];
    }
    return NULL;
}
