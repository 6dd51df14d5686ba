// Units of the planners: bounded work whatever the size of the domain, and slices that change
// nothing.
#include <stdio.h>

#include "ploy/decide/goap.h"
#include "ploy/decide/goap_policy.h"
#include "ploy/decide/htn.h"
#include "tests/decide/goap_test.h"

enum { UNITS_ACTIONS = 20000, UNITS_VARS = 2000, UNITS_WORDS_MAX = 1024, UNITS_PLAN = 16 };

// Work of a unit; one action (here at most UNITS_WORDS_MAX words and a few parts, or the ranges of
// UNITS_VARS variables) may go beyond it.
enum { UNITS_WORK = 4096, UNITS_BEYOND = UNITS_VARS + 64 };

static bool units_count(void *user, const ploy_goap_type *type, const uint64_t *world) {
    (void)type, (void)world;
    ++*(int64_t *)user;
    return true;
}

typedef struct units_domain {
    ploy_goap_type *type;
    ploy_goap_var *vars;
    uint64_t world[UNITS_WORDS_MAX];
    int64_t calls; // of an action's own condition
} units_domain;

// A chain v0 -> v1 -> v2 .. in which every link can be made by many actions.
static void units_make(test_context *t, units_domain *s, int32_t vars, int32_t actions,
                       bool counted, const ploy_env *env) {
    memset(s, 0, sizeof *s);
    CHECK_OK(ploy_goap_type_create(env, &s->type));
    s->vars = malloc((size_t)vars * sizeof *s->vars);
    for (int32_t i = 0; i < vars; i++) {
        char id[16];
        snprintf(id, sizeof id, "v%d", (int)i);
        s->vars[i] = ploy_goap_type_bool(s->type, id);
    }
    for (int32_t i = 0; i < actions; i++) {
        char id[16];
        snprintf(id, sizeof id, "a%d", (int)i);
        ploy_goap_action action = ploy_goap_action_make(id, 1.0 + i % 7);
        ploy_goap_need need = ploy_goap_is(s->vars[i % (vars - 1)], i % 5 == 4 ? 0 : 1);
        ploy_goap_gain gain = ploy_goap_set_to(s->vars[i % (vars - 1) + 1], 1);
        action.needs = &need;
        action.need_count = 1;
        action.gains = &gain;
        action.gain_count = 1;
        if (counted) action.allowed = units_count;
        action.user = &s->calls;
        CHECK_INT(ploy_goap_type_action(s->type, &action), i);
    }
    CHECK_OK(ploy_goap_type_finish(s->type));
    CHECK(ploy_goap_type_words(s->type) <= UNITS_WORDS_MAX);
    ploy_goap_world_clear(s->type, s->world);
    CHECK_OK(ploy_goap_world_set(s->type, s->world, s->vars[0], 1));
}

static void units_end(units_domain *s) {
    ploy_goap_type_destroy(s->type);
    free(s->vars);
}

typedef struct units_row {
    const char *row;
    int32_t vars, actions, steps; // the goal is so many links away
    ploy_goap_method method;
    ploy_goap_heuristic heuristic;
    bool backward, counted;
} units_row;

static void units_check(test_context *t, const units_row *row) {
    ploy_env env = ploy_env_default();
    units_domain s;
    units_make(t, &s, row->vars, row->actions, row->counted, &env);
    ploy_goap_def def = ploy_goap_def_default();
    def.method = row->method;
    def.heuristic = row->heuristic;
    def.backward = row->backward;
    def.max_depth = 8;
    ploy_goap *goap = NULL;
    CHECK_OK(ploy_goap_create(&def, s.type, &env, &goap));
    ploy_goap_need goal = ploy_goap_is(s.vars[row->steps], 1);
    CHECK_OK(ploy_goap_begin(goap, s.world, &goal, 1));
    int64_t units = 0, most = 0, most_calls = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS && units < 1000000) {
        int64_t work = ploy_goap_stats_of(goap).work, calls = s.calls;
        CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_OPEN);
        ploy_budget one = ploy_budget_units(1);
        result = ploy_goap_step(goap, &one);
        units++;
        CHECK_INT(one.spent, 1);
        work = ploy_goap_stats_of(goap).work - work;
        if (work > most) most = work;
        if (s.calls - calls > most_calls) most_calls = s.calls - calls;
    }
    CHECK_OK(result);
    CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_FOUND);
    CHECK(most <= UNITS_WORK + UNITS_BEYOND); // one unit tried every action before
    CHECK(most_calls <= UNITS_WORK);
    ploy_goap_stats sliced = ploy_goap_stats_of(goap);
    CHECK(units >= sliced.work / (UNITS_WORK + UNITS_BEYOND));
    int32_t plan[UNITS_PLAN], whole[UNITS_PLAN];
    int32_t count = ploy_goap_plan(goap, plan, UNITS_PLAN);
    CHECK(count > 0 && count <= UNITS_PLAN);
    CHECK_OK(ploy_goap_run(goap, s.world, &goal, 1)); // at once: the same
    ploy_goap_stats stats = ploy_goap_stats_of(goap);
    CHECK_INT(ploy_goap_plan(goap, whole, UNITS_PLAN), count);
    for (int32_t i = 0; i < count; i++) CHECK_INT(whole[i], plan[i]);
    CHECK_INT(stats.taken, sliced.taken);
    CHECK_INT(stats.edges, sliced.edges);
    CHECK_INT(stats.estimates, sliced.estimates);
    CHECK_INT(stats.states, sliced.states);
    CHECK_INT(stats.work, sliced.work);
    ploy_goap_destroy(goap);
    units_end(&s);
}

TEST(a_unit_is_bounded_work_whatever_the_domain) {
    static const units_row rows[] = {
        {"many actions", 200, UNITS_ACTIONS, 3, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, false, true},
        {"blind", 200, UNITS_ACTIONS, 2, PLOY_GOAP_ASTAR, PLOY_GOAP_BLIND, false, true},
        {"conditions counted", 200, 5000, 2, PLOY_GOAP_ASTAR, PLOY_GOAP_COUNT, false, true},
        {"breadth", 200, 5000, 2, PLOY_GOAP_BREADTH, PLOY_GOAP_MAX, false, true},
        {"sums", 200, 5000, 3, PLOY_GOAP_GREEDY, PLOY_GOAP_ADD, false, false},
        {"relaxed plans", 200, 5000, 3, PLOY_GOAP_GREEDY, PLOY_GOAP_FF, false, false},
        {"landmarks", 100, 2000, 3, PLOY_GOAP_ASTAR, PLOY_GOAP_LANDMARKS, false, false},
        {"backward", 200, UNITS_ACTIONS, 3, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, true, true},
        {"backward, sums", 200, 5000, 3, PLOY_GOAP_GREEDY, PLOY_GOAP_ADD, true, false},
        {"deepening", 200, UNITS_ACTIONS, 2, PLOY_GOAP_IDA, PLOY_GOAP_MAX, false, true},
        {"a large world", UNITS_VARS, 3000, 2, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, false, true},
        {"a large world, back", UNITS_VARS, 3000, 2, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, true, true},
        {"a large world, deep", UNITS_VARS, 3000, 2, PLOY_GOAP_IDA, PLOY_GOAP_MAX, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        units_check(t, &rows[i]);
    }
}

// How much is on is the value: the planner looks at every world within the depth.
static double units_value(void *user, const ploy_goap_type *type, const uint64_t *world) {
    const units_domain *s = user;
    double value = 0.0;
    for (int32_t i = 0; i < 8; i++) value -= ploy_goap_world_get(type, world, s->vars[i]);
    return value;
}

TEST(a_value_search_stops_between_actions) {
    ploy_env env = ploy_env_default();
    units_domain s;
    units_make(t, &s, 200, UNITS_ACTIONS, true, &env);
    ploy_goap_def def = ploy_goap_def_default();
    def.max_depth = 1;
    ploy_goap *goap = NULL;
    CHECK_OK(ploy_goap_create(&def, s.type, &env, &goap));
    double costs[2] = {0.0, 0.0};
    for (int32_t k = 0; k < 2; k++) {
        CHECK_OK(ploy_goap_begin_value(goap, s.world, units_value, &s));
        int64_t most = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            int64_t calls = s.calls;
            ploy_budget one = ploy_budget_units(1);
            result = ploy_goap_step(goap, k == 0 ? &one : NULL);
            if (s.calls - calls > most) most = s.calls - calls;
        }
        CHECK_OK(result);
        if (k == 0) CHECK(most <= UNITS_WORK);
        costs[k] = ploy_goap_cost(goap);
    }
    CHECK_SAME(costs[0], costs[1]);
    CHECK_SAME(costs[0], -2.0);
    ploy_goap_destroy(goap);
    units_end(&s);
}

// An explanation in the middle of a search leaves the search as it is.
TEST(an_explanation_does_not_disturb_a_search) {
    ploy_env env = ploy_env_default();
    units_domain s;
    units_make(t, &s, 50, 500, false, &env);
    for (int32_t k = 0; k < 2; k++) {
        ploy_goap_def def = ploy_goap_def_default();
        def.heuristic = PLOY_GOAP_ADD;
        def.backward = true;
        ploy_goap *goap = NULL;
        CHECK_OK(ploy_goap_create(&def, s.type, &env, &goap));
        ploy_goap_need goal[] = {ploy_goap_is(s.vars[6], 1), ploy_goap_is(s.vars[9], 1)};
        int64_t taken[2] = {0, 0};
        for (int32_t i = 0; i < 2; i++) {
            CHECK_OK(ploy_goap_begin(goap, s.world, goal, 2));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget one = ploy_budget_units(1);
                result = ploy_goap_step(goap, &one);
                ploy_buffer text;
                ploy_buffer_init(&text, 4096, &env);
                ploy_writer writer = ploy_buffer_writer(&text);
                if (i == 1) (void)ploy_goap_explain(goap, &writer);
                ploy_buffer_fini(&text);
            }
            CHECK_OK(result);
            taken[i] = ploy_goap_stats_of(goap).taken;
        }
        CHECK_INT(taken[0], taken[1]);
        ploy_goap_destroy(goap);
    }
    units_end(&s);
}

TEST(a_policy_stops_between_gambles) {
    ploy_env env = ploy_env_default();
    units_domain s;
    units_make(t, &s, 200, UNITS_ACTIONS, true, &env);
    enum { GAMBLES = 10000 };
    ploy_goap_branch *branches = malloc(2 * GAMBLES * sizeof *branches);
    ploy_goap_gamble *gambles = malloc(GAMBLES * sizeof *gambles);
    for (int32_t i = 0; i < GAMBLES; i++) {
        branches[2 * i].action = i;
        branches[2 * i + 1].action = i + 9950; // the same change at another price
        branches[2 * i].chance = branches[2 * i + 1].chance = 0.5;
        gambles[i].branches = &branches[2 * i];
        gambles[i].count = 2;
    }
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    def.max_worlds = 40;
    ploy_goap_policy *policy = NULL;
    CHECK_OK(ploy_goap_policy_create(&def, s.type, gambles, GAMBLES, &env, &policy));
    ploy_goap_need goal = ploy_goap_is(s.vars[1], 1);
    double costs[2] = {0.0, 0.0};
    int32_t choices[2] = {0, 0};
    for (int32_t k = 0; k < 2; k++) {
        CHECK_OK(ploy_goap_policy_begin(policy, s.world, &goal, 1));
        int64_t most = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            int64_t calls = s.calls;
            ploy_budget one = ploy_budget_units(1);
            result = ploy_goap_policy_step(policy, k == 0 ? &one : NULL);
            if (s.calls - calls > most) most = s.calls - calls;
        }
        CHECK_OK(result);
        if (k == 0) CHECK(most <= UNITS_WORK);
        costs[k] = ploy_goap_policy_cost(policy, s.world);
        choices[k] = ploy_goap_policy_choice(policy, s.world);
    }
    CHECK_SAME(costs[0], costs[1]);
    CHECK_INT(choices[0], choices[1]);
    CHECK(choices[0] >= 0);
    ploy_goap_policy_destroy(policy);
    free(branches);
    free(gambles);
    units_end(&s);
}

// The last of 20,000 methods is the one whose condition holds, in each of three tasks; behind them
// is one that fails, so that all are tried once more on the way back.
TEST(a_task_network_stops_between_methods) {
    ploy_env env = ploy_env_default();
    units_domain s;
    units_make(t, &s, 200, 400, false, &env);
    ploy_htn_type *type = NULL;
    CHECK_OK(ploy_htn_type_create(s.type, &env, &type));
    ploy_htn_task root = ploy_htn_type_task(type, "root"), parts[4];
    ploy_htn_task done = ploy_htn_type_action(type, "a0");
    ploy_htn_task fails = ploy_htn_type_action(type, "a150");
    for (int32_t k = 0; k < 3; k++) {
        char id[16];
        snprintf(id, sizeof id, "part%d", (int)k);
        parts[k] = ploy_htn_type_task(type, id);
        for (int32_t i = 0; i < UNITS_ACTIONS; i++) {
            snprintf(id, sizeof id, "m%d", (int)i);
            ploy_goap_need need = ploy_goap_is(s.vars[i % 190 + 5], i == UNITS_ACTIONS / 2 ? 0 : 1);
            CHECK_OK(ploy_htn_type_method(type, parts[k], id, &need, 1, &done, 1));
        }
    }
    parts[3] = fails;
    CHECK_OK(ploy_htn_type_method(type, root, "long", NULL, 0, parts, 4));
    CHECK_OK(ploy_htn_type_method(type, root, "short", NULL, 0, parts, 3));
    CHECK_OK(ploy_htn_type_finish(type));
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    CHECK_OK(ploy_htn_create(&def, type, &env, &htn));
    int32_t records[2][8], counts[2] = {0, 0};
    int64_t units = 0;
    for (int32_t k = 0; k < 2; k++) {
        CHECK_OK(ploy_htn_begin(htn, s.world, root, NULL, 0));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget one = ploy_budget_units(1);
            result = ploy_htn_step(htn, k == 0 ? &one : NULL);
            units += k == 0;
        }
        CHECK_OK(result);
        CHECK_INT(ploy_htn_outcome(htn), PLOY_SEARCH_FOUND);
        counts[k] = ploy_htn_record(htn, records[k], 8);
    }
    // Methods with their condition count 2 each: three times to the middle, back to the end, and
    // three times to the middle again. (It took 8 units before.)
    int64_t work = (int64_t)UNITS_ACTIONS * 2 * (3 + 3) / 2 + (int64_t)UNITS_ACTIONS * 2 * 3 / 2;
    CHECK(units >= work / (UNITS_WORK + UNITS_BEYOND));
    CHECK_INT(counts[0], 4);
    CHECK_INT(counts[1], 4);
    for (int32_t i = 0; i < 4; i++) CHECK_INT(records[0][i], records[1][i]);
    CHECK_INT(records[0][0], 1);
    ploy_htn_destroy(htn);
    ploy_htn_type_destroy(type);
    units_end(&s);
}
