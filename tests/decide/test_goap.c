// The action planner: every method and heuristic against a slow planner, plans that hold, slices
// that change nothing, and reasons when there is none.
#include <stdio.h>

#include "tests/decide/goap_test.h"

static ploy_goap *start_goap(test_context *t, const ploy_goap_type *type, ploy_goap_method method,
                             ploy_goap_heuristic heuristic, bool backward, const ploy_env *env) {
    ploy_goap_def def = ploy_goap_def_default();
    def.method = method;
    def.heuristic = heuristic;
    def.backward = backward;
    ploy_goap *goap = NULL;
    CHECK_OK(ploy_goap_create(&def, type, env, &goap));
    return goap;
}

// The plan is possible, leads to the goal and costs what the planner says.
static void check_plan(test_context *t, const ploy_goap *goap, const ploy_goap_type *type,
                       const uint64_t *world, const ploy_goap_need *goal, int32_t count) {
    int32_t plan[256];
    uint64_t scratch[32];
    double cost = -1.0;
    int32_t length = ploy_goap_plan(goap, plan, 256);
    CHECK(length >= 0 && length <= 256);
    CHECK_INT(ploy_goap_plan_check(type, world, goal, count, plan, length, scratch, &cost), -1);
    CHECK_NEAR(ploy_goap_cost(goap), cost, 1e-9);
}

// Properties of the issue: A*, IDA* and breadth-first agree with each other and with the obvious.
TEST(every_method_finds_what_the_slow_planner_finds) {
    static const struct {
        const char *row;
        ploy_goap_method method;
        ploy_goap_heuristic heuristic;
        bool backward, optimal;
    } rows[] = {
        {"A*, blind", PLOY_GOAP_ASTAR, PLOY_GOAP_BLIND, false, true},
        {"A*, count", PLOY_GOAP_ASTAR, PLOY_GOAP_COUNT, false, true},
        {"A*, max", PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, false, true},
        {"A*, landmarks", PLOY_GOAP_ASTAR, PLOY_GOAP_LANDMARKS, false, true},
        {"A*, add", PLOY_GOAP_ASTAR, PLOY_GOAP_ADD, false, false},
        {"greedy, ff", PLOY_GOAP_GREEDY, PLOY_GOAP_FF, false, false},
        {"breadth", PLOY_GOAP_BREADTH, PLOY_GOAP_BLIND, false, false},
        {"IDA*, max", PLOY_GOAP_IDA, PLOY_GOAP_MAX, false, true},
        {"IDA*, landmarks", PLOY_GOAP_IDA, PLOY_GOAP_LANDMARKS, false, true},
        {"backward A*, blind", PLOY_GOAP_ASTAR, PLOY_GOAP_BLIND, true, true},
        {"backward A*, count", PLOY_GOAP_ASTAR, PLOY_GOAP_COUNT, true, true},
        {"backward A*, max", PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, true, true},
        {"backward greedy, add", PLOY_GOAP_GREEDY, PLOY_GOAP_ADD, true, false},
    };
    ploy_env env = ploy_env_default();
    int32_t found = 0, none = 0;
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = goap_make_random(t, &rng, true, round % 3 == 0, &env);
        ploy_goap_need goal[2];
        int32_t count = goap_random_goal(&rng, type, true, goal);
        uint64_t world = 0;
        double want = goap_slow_cost(type, world, goal, count);
        if (want < (double)INFINITY) {
            found++;
        } else {
            none++;
        }
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i].row;
            ploy_goap_def def = ploy_goap_def_default();
            def.method = rows[i].method;
            def.heuristic = rows[i].heuristic;
            def.backward = rows[i].backward;
            // Proving that there is no plan is not what deepening is for.
            bool deepens = def.method == PLOY_GOAP_IDA;
            def.max_depth = want < (double)INFINITY ? 64 : 4;
            def.table = 4096;
            ploy_goap *goap = NULL;
            CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
            CHECK_OK(ploy_goap_run(goap, &world, goal, count));
            if (want < (double)INFINITY) {
                CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_FOUND);
                check_plan(t, goap, type, &world, goal, count);
                CHECK(ploy_goap_cost(goap) >= want - 1e-9);
                if (rows[i].optimal) CHECK_NEAR(ploy_goap_cost(goap), want, 1e-9);
            } else {
                if (!deepens) CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_NONE);
                CHECK_INT(ploy_goap_plan(goap, NULL, 0), -1);
            }
            ploy_goap_destroy(goap);
        }
        ploy_goap_type_destroy(type);
    }
    CHECK(found > 10 && none > 2);
}

TEST(slices_find_the_same_plan_as_one_run) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1000);
        ploy_goap_type *type = goap_make_random(t, &rng, true, false, &env);
        ploy_goap_need goal[2];
        int32_t count = goap_random_goal(&rng, type, true, goal), once[64], sliced[64];
        uint64_t world = 0;
        for (int32_t method = 0; method < 4; method++) {
            ploy_goap *goap =
                start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_COUNT, false, &env);
            CHECK_OK(ploy_goap_run(goap, &world, goal, count));
            int32_t length = ploy_goap_plan(goap, once, 64);
            int64_t taken = ploy_goap_stats_of(goap).taken;
            CHECK_OK(ploy_goap_begin(goap, &world, goal, count));
            ploy_result result = PLOY_IN_PROGRESS;
            int64_t slices = 0;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(3);
                result = ploy_goap_step(goap, &budget);
                slices++;
            }
            CHECK_OK(result);
            CHECK_INT(ploy_goap_plan(goap, sliced, 64), length);
            for (int32_t i = 0; i < length; i++) CHECK_INT(sliced[i], once[i]);
            CHECK_INT(ploy_goap_stats_of(goap).taken, taken);
            CHECK(slices >= taken / 3);
            ploy_goap_destroy(goap);
        }
        ploy_goap_type_destroy(type);
    }
}

TEST(irrelevant_actions_never_change_the_cost) {
    ploy_env env = ploy_env_default();
    for (int32_t toggles = 0; toggles <= 4; toggles += 2) {
        ploy_goap_type *type = NULL;
        CHECK_OK(goap_make_kitchen(&env, toggles, &type));
        ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
        uint64_t world = 0;
        for (int32_t method = 0; method < 4; method++) {
            ploy_goap *goap =
                start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_MAX, false, &env);
            CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
            CHECK_INT(ploy_goap_plan(goap, NULL, 0), 5);
            CHECK_NEAR(ploy_goap_cost(goap), 5.0, 0.0);
            ploy_goap_destroy(goap);
        }
        ploy_goap_type_destroy(type);
    }
}

static bool allowed_when_dry(void *user, const ploy_goap_type *type, const uint64_t *world) {
    (void)type, (void)world;
    return *(const bool *)user;
}

static double price_by_load(void *user, const ploy_goap_type *type, const uint64_t *world) {
    ploy_goap_var load = ploy_goap_type_find(type, "load");
    (void)user;
    return 1.0 + (double)ploy_goap_world_get(type, world, load);
}

static double price_too_low(void *user, const ploy_goap_type *type, const uint64_t *world) {
    (void)user, (void)type, (void)world;
    return 0.5;
}

// Procedural preconditions and dynamic costs: a heavy load makes the bridge dear, rain closes it.
TEST(tests_and_prices_of_the_game_decide_which_way_is_taken) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    bool dry = true;
    CHECK_OK(ploy_goap_type_create(&env, &type));
    ploy_goap_var load = ploy_goap_type_int(type, "load", 0, 9);
    ploy_goap_var over = ploy_goap_type_bool(type, "over");
    ploy_goap_gain crossed = ploy_goap_set_to(over, 1), emptied = ploy_goap_set_to(load, 0);
    ploy_goap_action bridge = ploy_goap_action_make("bridge", 1.0);
    bridge.gains = &crossed;
    bridge.gain_count = 1;
    bridge.allowed = allowed_when_dry;
    bridge.price = price_by_load;
    bridge.user = &dry;
    ploy_goap_action ferry = ploy_goap_action_make("ferry", 6.0);
    ferry.gains = &crossed;
    ferry.gain_count = 1;
    ploy_goap_action drop = ploy_goap_action_make("drop", 2.0);
    drop.gains = &emptied;
    drop.gain_count = 1;
    CHECK_INT(ploy_goap_type_action(type, &bridge), 0);
    CHECK_INT(ploy_goap_type_action(type, &ferry), 1);
    CHECK_INT(ploy_goap_type_action(type, &drop), 2);
    CHECK_OK(ploy_goap_type_finish(type));
    ploy_goap_need goal = ploy_goap_is(over, 1);
    static const struct {
        const char *row;
        int32_t load;
        bool dry;
        double cost;
        int32_t first;
    } rows[] = {
        {"light: over the bridge", 1, true, 2.0, 0},
        {"heavy: drop it first", 9, true, 3.0, 2},
        {"rain: by ferry", 0, false, 6.0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t world = 0;
        int32_t plan[4] = {-1, -1, -1, -1};
        t->row = rows[i].row;
        dry = rows[i].dry;
        CHECK_OK(ploy_goap_world_set(type, &world, load, rows[i].load));
        for (int32_t method = 0; method < 4; method += 3) {
            ploy_goap *goap =
                start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_LANDMARKS, false, &env);
            CHECK_OK(ploy_goap_run(goap, &world, &goal, 1));
            CHECK_NEAR(ploy_goap_cost(goap), rows[i].cost, 0.0);
            CHECK(ploy_goap_plan(goap, plan, 4) > 0);
            CHECK_INT(plan[0], rows[i].first);
            ploy_goap_destroy(goap);
        }
    }
    ploy_goap_type_destroy(type);
    // A price below the stated least would make estimates say too much: it is refused.
    CHECK_OK(ploy_goap_type_create(&env, &type));
    over = ploy_goap_type_bool(type, "over");
    bridge.gains = &crossed;
    crossed = ploy_goap_set_to(over, 1);
    bridge.allowed = NULL;
    bridge.price = price_too_low;
    CHECK_INT(ploy_goap_type_action(type, &bridge), 0);
    CHECK_OK(ploy_goap_type_finish(type));
    for (int32_t method = 0; method < 4; method += 3) {
        ploy_goap *goap = start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_MAX, false, &env);
        uint64_t world = 0;
        goal = ploy_goap_is(over, 1);
        CHECK_INT(ploy_goap_run(goap, &world, &goal, 1), PLOY_ERR_CALLBACK);
        CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_IDLE);
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
}

TEST(a_goal_that_holds_needs_no_action) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 0, &type));
    uint64_t world = 0;
    ploy_goap_need here = ploy_goap_is(ploy_goap_type_find(type, "stage"), 0);
    for (int32_t method = 0; method < 4; method++) {
        for (int32_t goals = 0; goals < 2; goals++) {
            ploy_goap *goap =
                start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_MAX, false, &env);
            CHECK_OK(ploy_goap_run(goap, &world, &here, goals));
            CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_FOUND);
            CHECK_INT(ploy_goap_plan(goap, NULL, 0), 0);
            ploy_goap_destroy(goap);
        }
    }
    ploy_goap_type_destroy(type);
}

static void explain(test_context *t, ploy_goap *goap, int32_t want, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_INT(ploy_goap_explain(goap, &writer), want);
    CHECK_TEXT(ploy_buffer_text(&buffer), text);
    ploy_buffer_fini(&buffer);
}

TEST(without_a_plan_it_says_why) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(&env, &type));
    ploy_goap_var key = ploy_goap_type_bool(type, "key");
    ploy_goap_var open = ploy_goap_type_bool(type, "door open");
    ploy_goap_var inside = ploy_goap_type_bool(type, "inside");
    ploy_goap_var rich = ploy_goap_type_bool(type, "rich");
    const struct {
        const char *id;
        ploy_goap_need need;
        ploy_goap_gain gain;
    } rows[] = {
        {"unlock", ploy_goap_is(key, 1), ploy_goap_set_to(open, 1)},
        {"enter", ploy_goap_is(open, 1), ploy_goap_set_to(inside, 1)},
        {"sell key", ploy_goap_is(key, 1), ploy_goap_set_to(rich, 1)},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_goap_action action = ploy_goap_action_make(rows[i].id, 1.0);
        ploy_goap_gain gains[2] = {rows[i].gain, ploy_goap_set_to(key, 0)};
        action.needs = &rows[i].need;
        action.need_count = 1;
        action.gains = gains;
        action.gain_count = i == 1 ? 1 : 2;
        CHECK_INT(ploy_goap_type_action(type, &action), (int32_t)i);
    }
    CHECK_OK(ploy_goap_type_finish(type));
    ploy_goap *goap = start_goap(t, type, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, false, &env);
    uint64_t world = 0;
    ploy_goap_need goal[] = {ploy_goap_is(inside, 1), ploy_goap_is(rich, 1)};
    CHECK_OK(ploy_goap_run(goap, &world, goal, 1));
    CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_NONE);
    explain(t, goap, 1,
            "'inside' cannot be had:\n"
            "  enter would give it, but\n"
            "    'door open' cannot be had:\n"
            "      unlock would give it, but\n"
            "        'key' is given by no action\n");
    // With the key each can be had, but it can be used only once.
    CHECK_OK(ploy_goap_world_set(type, &world, key, 1));
    CHECK_OK(ploy_goap_run(goap, &world, goal, 2));
    CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_NONE);
    explain(t, goap, 0, "each condition can be had, but not all of them together\n");
    ploy_goap_destroy(goap);
    ploy_goap_type_destroy(type);
}

TEST(a_limit_ends_as_pruned_and_a_contradiction_as_none) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 4, &type));
    ploy_goap_var stage = ploy_goap_type_find(type, "stage");
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap *goap = NULL;
    uint64_t world = 0;
    ploy_goap_need fed = ploy_goap_is(stage, 5);
    def.max_states = 3;
    def.heuristic = PLOY_GOAP_BLIND;
    CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
    CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
    CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_PRUNED);
    explain(t, goap, 0, "a limit of the planner cut the search off\n");
    ploy_goap_destroy(goap);
    ploy_goap_need both[] = {ploy_goap_is(stage, 1), ploy_goap_is(stage, 2)};
    for (int32_t back = 0; back < 2; back++) {
        goap = start_goap(t, type, PLOY_GOAP_ASTAR, PLOY_GOAP_BLIND, back != 0, &env);
        CHECK_OK(ploy_goap_run(goap, &world, both, 2));
        CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_NONE);
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
}

TEST(bad_questions_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 0, &type));
    ploy_goap *goap = start_goap(t, type, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, true, &env);
    uint64_t world = 0;
    ploy_goap_var none = {0}, beyond = {99}, stage = ploy_goap_type_find(type, "stage");
    ploy_goap_need goal = ploy_goap_is(none, 1);
    CHECK_INT(ploy_goap_step(goap, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_goap_begin(goap, &world, &goal, 1), PLOY_ERR_ARGUMENT);
    goal = ploy_goap_is(beyond, 1);
    CHECK_INT(ploy_goap_begin(goap, &world, &goal, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_begin(goap, NULL, &goal, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_begin(goap, &world, &goal, -1), PLOY_ERR_ARGUMENT);
    goal = ploy_goap_need_make(stage, PLOY_GOAP_DIFFERENT, 2);
    CHECK_INT(ploy_goap_begin(goap, &world, &goal, 1), PLOY_ERR_UNSUPPORTED);
    ploy_goap_destroy(goap);
    ploy_goap_def def = ploy_goap_def_default();
    def.weight = (double)NAN;
    CHECK_INT(ploy_goap_create(&def, type, &env, &goap), PLOY_ERR_ARGUMENT);
    CHECK(goap == NULL);
    ploy_goap_type_destroy(type);
}

static ploy_result plan_once(const ploy_env *env, void *arg) {
    const ploy_goap_def *def = arg;
    ploy_goap_type *type = NULL;
    ploy_goap *goap = NULL;
    ploy_result result = goap_make_kitchen(env, 2, &type);
    if (result == PLOY_OK) result = ploy_goap_create(def, type, env, &goap);
    if (result == PLOY_OK) {
        uint64_t world = 0;
        ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
        result = ploy_goap_run(goap, &world, &fed, 1);
    }
    ploy_goap_destroy(goap);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(planning_survives_every_failing_allocation) {
    ploy_goap_def def = ploy_goap_def_default();
    def.heuristic = PLOY_GOAP_LANDMARKS;
    CHECK_FAIL_NTH(plan_once, &def);
    def.method = PLOY_GOAP_IDA;
    def.table = 64;
    CHECK_FAIL_NTH(plan_once, &def);
    def = ploy_goap_def_default();
    def.backward = true;
    CHECK_FAIL_NTH(plan_once, &def);
}

TEST(a_warm_planner_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 3, &type));
    int64_t domain = counts.bytes;
    ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
    for (int32_t method = 0; method < 4; method++) {
        ploy_goap *goap =
            start_goap(t, type, (ploy_goap_method)method, PLOY_GOAP_LANDMARKS, false, &env);
        uint64_t world = 0;
        CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
        int64_t calls = counts.calls, reported = 0;
        ploy_goap_memory(goap, test_sum_memory, &reported);
        CHECK_INT(reported, counts.bytes - domain);
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
        CHECK_INT(counts.calls, calls);
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
    CHECK_INT(counts.bytes, 0);
}
