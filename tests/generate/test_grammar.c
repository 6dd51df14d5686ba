// Shape grammars: the skyscraper, tokens, weights, and plans against exhaustive search.
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/generate/grammar.h"
#include "ploy/generate/skyscraper.h"

static ploy_skyscraper *build(test_context *t, const ploy_skyscraper_def *def, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_skyscraper *tower = NULL;
    CHECK_OK(ploy_skyscraper_begin(def, ploy_rng_key_make(seed), NULL, &env, &tower));
    CHECK_OK(ploy_skyscraper_step(tower, NULL));
    return tower;
}

static int32_t count_kind(const ploy_skyscraper *tower, int32_t kind) {
    int32_t count = 0, found = 0;
    const ploy_building_part *parts = ploy_building_parts(ploy_skyscraper_building(tower), &count);
    for (int32_t i = 0; i < count; i++) found += parts[i].kind == kind && parts[i].final;
    return found;
}

TEST(five_and_seven_spaces_have_the_windows_of_the_catalog) {
    static const int32_t seven[] = {
        PLOY_BUILDING_PICTURE, PLOY_BUILDING_BLANK,   PLOY_BUILDING_UTILITY, PLOY_BUILDING_PICTURE,
        PLOY_BUILDING_PICTURE, PLOY_BUILDING_PICTURE, PLOY_BUILDING_PICTURE};
    ploy_skyscraper_def def = ploy_skyscraper_def_default();
    def.width = 21.0f; // seven spaces along x, five along y
    def.depth = 15.0f;
    def.split_weight = 0.0f;
    for (uint64_t seed = 0; seed < 20; seed++) {
        TEST_SEED(seed);
        ploy_skyscraper *tower = build(t, &def, seed);
        int32_t count = 0, windows = 0;
        const ploy_building_part *parts =
            ploy_building_parts(ploy_skyscraper_building(tower), &count);
        for (int32_t i = 0; i < count; i++) {
            if (parts[i].kind < PLOY_BUILDING_PICTURE) continue;
            int32_t spaces = parts[i].side == 1 || parts[i].side == 2 ? 7 : 5;
            CHECK(parts[i].place < spaces);
            CHECK_INT(parts[i].kind, seven[parts[i].place]);
            CHECK_INT(parts[parts[i].parent].kind, PLOY_BUILDING_SPACE);
            windows++;
        }
        CHECK_INT(windows, 24 * (1 + count_kind(tower, PLOY_BUILDING_FLOOR)));
        CHECK_INT(count_kind(tower, PLOY_BUILDING_SPACE), 0);
        ploy_skyscraper_cancel(tower);
    }
}

TEST(utility_windows_can_skip_floors_and_one_style_fits_a_building) {
    ploy_skyscraper_def def = ploy_skyscraper_def_default();
    def.utility_every_second = true;
    def.variants = 50;
    ploy_skyscraper *tower = build(t, &def, 8);
    int32_t count = 0, variant = -1;
    const ploy_building_part *parts = ploy_building_parts(ploy_skyscraper_building(tower), &count);
    for (int32_t i = 0; i < count; i++) {
        if (parts[i].kind == PLOY_BUILDING_UTILITY) CHECK_INT(parts[i].floor % 2, 0);
        if (parts[i].kind != PLOY_BUILDING_PICTURE) continue;
        if (variant < 0) variant = parts[i].variant;
        CHECK_INT(parts[i].variant, variant);
    }
    CHECK(variant >= 0 && variant < 50);
    ploy_skyscraper_cancel(tower);
}

TEST(the_height_is_four_metres_and_three_for_each_floor) {
    double floors = 0.0;
    enum { SEEDS = 3000 };
    ploy_skyscraper_def def = ploy_skyscraper_def_default();
    def.width = def.depth = 9.0f; // too small for rule 3
    def.floor_weight = def.roof_weight = 1.0f;
    def.facade = false;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        TEST_SEED(seed);
        ploy_skyscraper *tower = build(t, &def, seed);
        int32_t upper = count_kind(tower, PLOY_BUILDING_FLOOR);
        CHECK_SAME(ploy_building_height(ploy_skyscraper_building(tower)),
                   4.0f + 3.0f * (float)upper);
        CHECK_INT(count_kind(tower, PLOY_BUILDING_ROOF), 1);
        floors += upper;
        ploy_skyscraper_cancel(tower);
    }
    CHECK_NEAR(floors / SEEDS, 1.0, 0.1); // geometric: the deviation of the mean is 0.026
}

TEST(split_towers_keep_their_footprint) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        TEST_SEED(seed);
        ploy_skyscraper_def def = ploy_skyscraper_def_default();
        def.width = 60.0f;
        def.split_weight = 5.0f;
        ploy_skyscraper *tower = build(t, &def, seed);
        int32_t count = 0;
        float roof = 0.0f;
        const ploy_building_part *parts =
            ploy_building_parts(ploy_skyscraper_building(tower), &count);
        for (int32_t i = 0; i < count; i++) {
            if (parts[i].kind == PLOY_BUILDING_ROOF) roof += parts[i].width * parts[i].depth;
            CHECK(parts[i].x >= -1e-3f && parts[i].x + parts[i].width <= 60.0f + 1e-3f);
        }
        CHECK_NEAR(roof, 60.0f * def.depth, 0.05f); // roofs cover it exactly once
        ploy_skyscraper_cancel(tower);
    }
}

TEST(a_limit_of_firings_is_a_result) {
    ploy_skyscraper_def def = ploy_skyscraper_def_default();
    def.max_firings = 5;
    ploy_skyscraper *tower = build(t, &def, 1);
    CHECK(ploy_skyscraper_outcome(tower).partial);
    CHECK_TEXT(ploy_skyscraper_outcome(tower).limit, "max_firings");
    CHECK_INT(ploy_skyscraper_outcome(tower).attempts, 5);
    ploy_skyscraper_cancel(tower);
}

TEST(importances_are_drawn_by_cumulative_sums) {
    static const float importances[] = {1, 2, 7};
    static const struct {
        const char *row;
        float draw;
        int32_t want;
    } rows[] = {
        {"0.5", 0.5f, 0}, {"1.0", 1.0f, 1}, {"2.9", 2.9f, 1}, {"3.0", 3.0f, 2}, {"10", 10.0f, -1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_grammar_pick(importances, 3, rows[i].draw), rows[i].want);
    }
    int32_t counts[3] = {0};
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 100000; i++) {
        counts[ploy_grammar_pick(importances, 3, ploy_rng_float(&rng) * 10.0f)]++;
    }
    for (int32_t i = 0; i < 3; i++)
        CHECK_NEAR(counts[i] / 1e5, (double)importances[i] / 10.0, 0.005);
}

// ---- tokens

enum { FOUNDATION, GROUND_FLOOR, TOP, FLOOR, ROOF, DOOR, SHOPFRONT, AWNING, FACADE };

TEST(tokens_derive_the_catalogs_building) {
    ploy_token_rule tokens[] = {
        {"1", FOUNDATION, {GROUND_FLOOR, TOP}, 2, {0}, 0, 1, 1, 0},
        {"2", TOP, {FLOOR, TOP}, 2, {0}, 0, 1, 1, 0},
        {"4", TOP, {ROOF}, 1, {0}, 0, 1, 1, 0},
    };
    static const int32_t order[] = {0, 1, 1, 2}, want[] = {GROUND_FLOOR, FLOOR, FLOOR, ROOF};
    ploy_env env = ploy_env_default();
    ploy_grammar_rule rules[3];
    ploy_token_rules(tokens, 3, rules);
    ploy_tokens *object = NULL;
    CHECK_OK(ploy_tokens_create(FOUNDATION, &env, &object));
    ploy_rng rng = ploy_rng_make(1);
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        const ploy_grammar_rule *rule = &rules[order[i]];
        CHECK(rule->importance(rule->user, object) > 0.0f);
        CHECK_OK(rule->fire(rule->user, object, &rng));
    }
    int32_t count = 0;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    CHECK_INT(ploy_tokens_count(object), 4);
    for (int32_t i = 0; i < 4; i++) CHECK_INT(nodes[ploy_tokens_at(object, i)].symbol, want[i]);
    CHECK_INT(count, 1 + 2 + 2 + 2 + 1);
    CHECK(!nodes[0].present);
    for (int32_t i = 0; i < 3; i++) CHECK_SAME(rules[i].importance(rules[i].user, object), 0.0f);
    CHECK_INT(rules[2].fire(rules[2].user, object, &rng), PLOY_ERR_STATE);
    ploy_tokens_destroy(object);
    // By chance: the same rules to the end.
    ploy_grammar_work work;
    CHECK_OK(ploy_tokens_create(FOUNDATION, &env, &object));
    CHECK_OK(ploy_grammar_init(&work, rules, 3, object, ploy_rng_key_make(3), 1000, NULL, &env));
    CHECK_OK(ploy_grammar_step(&work, NULL));
    CHECK(work.done && !work.out_of_firings);
    nodes = ploy_tokens_derivation(object, &count);
    CHECK_INT(nodes[ploy_tokens_at(object, ploy_tokens_count(object) - 1)].symbol, ROOF);
    CHECK_INT(ploy_tokens_count(object), work.fired.count);
    ploy_grammar_fini(&work);
    ploy_tokens_destroy(object);
}

static bool has_awning(void *user, const void *object) {
    int32_t count = 0;
    (void)user;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    for (int32_t i = 0; i < ploy_tokens_count(object); i++) {
        if (nodes[ploy_tokens_at(object, i)].symbol == AWNING) return true;
    }
    return false;
}

TEST(a_plan_finds_the_awning_that_needs_a_door_and_a_shopfront) {
    ploy_token_rule tokens[] = {
        {"door only", FACADE, {DOOR, DOOR, TOP}, 3, {0}, 0, 1, 1, 0},
        {"shop", FACADE, {SHOPFRONT, DOOR, TOP}, 3, {0}, 0, 1, 1, 0},
        {"awning", TOP, {AWNING}, 1, {DOOR, SHOPFRONT}, 2, 1, 1, 0},
        {"bare", TOP, {ROOF}, 1, {0}, 0, 1, 1, 0},
    };
    ploy_env env = ploy_env_default();
    ploy_grammar_rule rules[4];
    ploy_token_rules(tokens, 4, rules);
    for (int32_t i = 0; i < 4; i++) rules[i].complete = has_awning;
    ploy_grammar_object calls = ploy_tokens_object();
    ploy_tokens *object = NULL;
    CHECK_OK(ploy_tokens_create(FACADE, &env, &object));
    for (int32_t method = 0; method < 3; method++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            TEST_SEED(seed);
            ploy_grammar_plan_def def = ploy_grammar_plan_def_default();
            def.method = method;
            ploy_grammar_plan *plan = NULL;
            CHECK_OK(ploy_grammar_plan_begin(&def, rules, 4, &calls, object,
                                             ploy_rng_key_make(seed), &env, &plan));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget one = ploy_budget_units(1);
                result = ploy_grammar_plan_step(plan, &one);
            }
            CHECK_OK(result);
            CHECK(ploy_grammar_plan_outcome_of(plan).found);
            CHECK_INT(ploy_grammar_plan_outcome_of(plan).length, 2);
            CHECK_INT(ploy_grammar_plan_rules(plan)[0], 1);
            CHECK_INT(ploy_grammar_plan_rules(plan)[1], 2);
            // The awning has three parents: the derivation is a graph and not a tree.
            int32_t count = 0;
            const ploy_token *nodes =
                ploy_tokens_derivation(ploy_grammar_plan_object(plan), &count);
            CHECK_INT(nodes[count - 1].symbol, AWNING);
            CHECK_INT(nodes[count - 1].parent_count, 3);
            ploy_grammar_plan_cancel(plan);
        }
    }
    CHECK_INT(ploy_tokens_count(object), 1); // the start is untouched
    ploy_tokens_destroy(object);
}

// ---- plans against exhaustive search

typedef struct random_grammar {
    ploy_token_rule tokens[6];
    ploy_grammar_rule rules[6];
    int32_t count, goal;
} random_grammar;

// Complete when no symbol but the goal is left.
static bool only_goal(void *user, const void *object) {
    const random_grammar *grammar = *(random_grammar **)user;
    int32_t count = 0;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    for (int32_t i = 0; i < ploy_tokens_count(object); i++) {
        if (nodes[ploy_tokens_at(object, i)].symbol != grammar->goal) return false;
    }
    return ploy_tokens_count(object) > 0;
}

static random_grammar *the_grammar; // of the loop below; complete has the token rule as user

static bool goal_reached(void *user, const void *object) {
    (void)user;
    return only_goal(&the_grammar, object);
}

// Cheapest sequence of at most `depth` firings by trying all; INFINITY if there is none.
static float exhaustive(const random_grammar *grammar, const ploy_tokens *object, int32_t depth,
                        test_context *t) {
    float best = INFINITY;
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(0);
    for (int32_t i = 0; i < grammar->count && depth > 0; i++) {
        const ploy_grammar_rule *rule = &grammar->rules[i];
        if (!(rule->importance(rule->user, object) > 0.0f)) continue;
        ploy_tokens *next = NULL;
        CHECK_OK(ploy_tokens_copy(object, &env, &next));
        CHECK_OK(rule->fire(rule->user, next, &rng));
        float cost = goal_reached(NULL, next) ? 0.0f : exhaustive(grammar, next, depth - 1, t);
        if (rule->cost + cost < best) best = rule->cost + cost;
        ploy_tokens_destroy(next);
    }
    return best;
}

static void make_random_grammar(random_grammar *grammar, ploy_rng *rng) {
    memset(grammar, 0, sizeof *grammar);
    grammar->count = ploy_rng_int(rng, 2, 6);
    grammar->goal = 3;
    for (int32_t i = 0; i < grammar->count; i++) {
        ploy_token_rule *rule = &grammar->tokens[i];
        rule->name = "rule";
        rule->target = ploy_rng_int(rng, 0, 2);
        rule->result_count = ploy_rng_int(rng, 1, 2);
        for (int32_t k = 0; k < rule->result_count; k++) rule->results[k] = ploy_rng_int(rng, 0, 3);
        if (ploy_rng_int(rng, 0, 3) == 0) {
            rule->need_count = 1;
            rule->needs[0] = ploy_rng_int(rng, 0, 3);
        }
        rule->weight = 1.0f;
        rule->cost = (float)ploy_rng_int(rng, 1, 5);
    }
    ploy_token_rules(grammar->tokens, grammar->count, grammar->rules);
    for (int32_t i = 0; i < grammar->count; i++) grammar->rules[i].complete = goal_reached;
}

// Tokens that are not the goal need a firing each, at the least cost of any rule.
static float least_rest(void *user, const void *object) {
    const random_grammar *grammar = user;
    int32_t count = 0, left = 0;
    float least = INFINITY;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    for (int32_t i = 0; i < ploy_tokens_count(object); i++) {
        left += nodes[ploy_tokens_at(object, i)].symbol != grammar->goal;
    }
    for (int32_t i = 0; i < grammar->count; i++) {
        if (grammar->tokens[i].cost < least) least = grammar->tokens[i].cost;
    }
    return least * (float)left;
}

TEST(plans_equal_exhaustive_search_on_random_grammars) {
    enum { DEPTH = 6 };
    ploy_env env = ploy_env_default();
    int32_t solved = 0, unsolved = 0;
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        random_grammar grammar;
        make_random_grammar(&grammar, &rng);
        the_grammar = &grammar;
        ploy_tokens *object = NULL;
        CHECK_OK(ploy_tokens_create(0, &env, &object));
        float want = exhaustive(&grammar, object, DEPTH, t);
        for (int32_t method = 0; method < 3; method++) {
            ploy_grammar_object calls = ploy_tokens_object();
            calls.remaining = least_rest;
            calls.user = &grammar;
            // Equal objects may be merged only if the depth that is left does not matter.
            if (method != PLOY_GRAMMAR_DEPTH_FIRST) calls.hash = NULL;
            ploy_grammar_plan_def def = ploy_grammar_plan_def_default();
            def.method = method;
            def.max_depth = DEPTH;
            ploy_grammar_plan *plan = NULL;
            CHECK_OK(ploy_grammar_plan_begin(&def, grammar.rules, grammar.count, &calls, object,
                                             ploy_rng_key_make((uint64_t)seed), &env, &plan));
            CHECK_OK(ploy_grammar_plan_step(plan, NULL));
            ploy_grammar_plan_outcome outcome = ploy_grammar_plan_outcome_of(plan);
            CHECK(!outcome.nodes_reached);
            CHECK(outcome.found == (want < INFINITY));
            if (outcome.found && method != PLOY_GRAMMAR_DEPTH_FIRST) CHECK_SAME(outcome.cost, want);
            if (outcome.found) { // firing the plan again gives a complete object
                ploy_tokens *again = NULL;
                CHECK_OK(ploy_tokens_copy(object, &env, &again));
                for (int32_t i = 0; i < outcome.length; i++) {
                    const ploy_grammar_rule *rule =
                        &grammar.rules[ploy_grammar_plan_rules(plan)[i]];
                    CHECK_OK(rule->fire(rule->user, again, &rng));
                }
                CHECK(goal_reached(NULL, again));
                ploy_tokens_destroy(again);
            }
            ploy_grammar_plan_cancel(plan);
        }
        solved += want < INFINITY;
        unsolved += !(want < INFINITY);
        ploy_tokens_destroy(object);
    }
    CHECK(solved > 30 && unsolved > 30);
}

TEST(equal_objects_are_searched_once) {
    // Two counters that may be raised in any order: 2^n sequences, n^2 objects.
    ploy_token_rule tokens[] = {{"a", 0, {0, 1}, 2, {0}, 0, 1, 1, 0},
                                {"b", 0, {1, 0}, 2, {0}, 0, 1, 1, 0}};
    ploy_env env = ploy_env_default();
    ploy_grammar_rule rules[2];
    ploy_token_rules(tokens, 2, rules);
    the_grammar = NULL;
    ploy_grammar_object calls = ploy_tokens_object();
    ploy_tokens *object = NULL;
    CHECK_OK(ploy_tokens_create(0, &env, &object));
    ploy_grammar_plan_def def = ploy_grammar_plan_def_default();
    def.method = PLOY_GRAMMAR_DIJKSTRA;
    def.max_depth = 12;
    ploy_grammar_plan *plan = NULL;
    CHECK_OK(
        ploy_grammar_plan_begin(&def, rules, 2, &calls, object, ploy_rng_key_make(1), &env, &plan));
    CHECK_OK(ploy_grammar_plan_step(plan, NULL));
    ploy_grammar_plan_outcome outcome = ploy_grammar_plan_outcome_of(plan);
    CHECK(outcome.done && !outcome.found && outcome.depth_reached);
    CHECK(outcome.repeated > 50);
    CHECK(outcome.nodes < 500);
    CHECK(ploy_grammar_plan_rules(plan) == NULL && ploy_grammar_plan_object(plan) == NULL);
    ploy_grammar_plan_cancel(plan);
    def.method = PLOY_GRAMMAR_DEPTH_FIRST;
    def.max_nodes = 100;
    CHECK_OK(
        ploy_grammar_plan_begin(&def, rules, 2, &calls, object, ploy_rng_key_make(1), &env, &plan));
    CHECK_OK(ploy_grammar_plan_step(plan, NULL));
    CHECK(ploy_grammar_plan_outcome_of(plan).nodes_reached);
    ploy_grammar_plan_cancel(plan);
    ploy_tokens_destroy(object);
}

typedef struct fail_plan {
    random_grammar *grammar;
    int32_t method;
} fail_plan;

static ploy_result plan_once(const ploy_env *env, void *arg) {
    fail_plan *it = arg;
    ploy_tokens *object = NULL;
    ploy_result result = ploy_tokens_create(0, env, &object);
    ploy_grammar_object calls = ploy_tokens_object();
    ploy_grammar_plan_def def = ploy_grammar_plan_def_default();
    def.method = it->method;
    def.max_depth = 4;
    ploy_grammar_plan *plan = NULL;
    if (result == PLOY_OK) {
        result = ploy_grammar_plan_begin(&def, it->grammar->rules, it->grammar->count, &calls,
                                         object, ploy_rng_key_make(1), env, &plan);
    }
    if (result == PLOY_OK) result = ploy_grammar_plan_step(plan, NULL);
    ploy_grammar_plan_cancel(plan);
    ploy_grammar_work work;
    if (result == PLOY_OK) {
        result = ploy_grammar_init(&work, it->grammar->rules, it->grammar->count, object,
                                   ploy_rng_key_make(1), 8, NULL, env);
        if (result == PLOY_OK) result = ploy_grammar_step(&work, NULL);
        ploy_grammar_fini(&work);
    }
    ploy_tokens_destroy(object);
    return result;
}

static ploy_result tower_once(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_skyscraper_def def = ploy_skyscraper_def_default();
    def.max_floors = 2;
    ploy_skyscraper *tower = NULL;
    ploy_result result = ploy_skyscraper_begin(&def, ploy_rng_key_make(1), NULL, env, &tower);
    if (result == PLOY_OK) result = ploy_skyscraper_step(tower, NULL);
    ploy_skyscraper_cancel(tower);
    return result;
}

TEST(grammars_and_plans_survive_failed_allocations) {
    ploy_rng rng = ploy_rng_make(5);
    random_grammar grammar;
    make_random_grammar(&grammar, &rng);
    the_grammar = &grammar;
    for (int32_t method = 0; method < 3; method++) {
        fail_plan it = {&grammar, method};
        CHECK_FAIL_NTH(plan_once, &it);
    }
    CHECK_FAIL_NTH(tower_once, NULL);
}
