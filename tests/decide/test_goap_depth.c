// IDA* within a depth, the transposition table, and the least value within a depth.
#include "decide/decide_internal.h"
#include "tests/decide/goap_test.h"

static double steps_left(void *user, const ploy_goap_type *type, const uint64_t *world) {
    (void)user;
    return 5.0 - (double)ploy_goap_world_get(type, world, ploy_goap_type_find(type, "stage"));
}

// GOB-10, the cooking chain: cut-offs 0 to 5 without a heuristic, one round with a perfect one, no
// plan within four steps.
TEST(ida_deepens_as_its_heuristic_is_blind_or_perfect) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 0, &type));
    ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
    static const struct {
        const char *row;
        bool perfect;
        int32_t max_depth, rounds, length;
        ploy_search_outcome outcome;
    } rows[] = {
        {"blind", false, 64, 6, 5, PLOY_SEARCH_FOUND},
        {"perfect", true, 64, 1, 5, PLOY_SEARCH_FOUND},
        {"just deep enough", false, 5, 6, 5, PLOY_SEARCH_FOUND},
        {"too shallow", false, 4, 5, -1, PLOY_SEARCH_PRUNED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_goap_def def = ploy_goap_def_default();
        def.method = PLOY_GOAP_IDA;
        def.heuristic = PLOY_GOAP_BLIND;
        def.max_depth = rows[i].max_depth;
        ploy_goap *goap = NULL;
        uint64_t world = 0;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        if (rows[i].perfect) ployi_goap_set_estimate(goap, steps_left, NULL);
        CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
        CHECK_INT(ploy_goap_outcome(goap), rows[i].outcome);
        CHECK_INT(ploy_goap_plan(goap, NULL, 0), rows[i].length);
        ploy_goap_stats stats = ploy_goap_stats_of(goap);
        CHECK_INT(stats.rounds, rows[i].rounds);
        if (rows[i].length >= 0) CHECK_NEAR(stats.limit, 5.0, 0.0);
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
}

// GOB-11: irrelevant actions multiply the paths; the table meets each world once a round.
TEST(the_table_saves_visits_and_changes_no_cost) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 3, &type));
    ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 5);
    int64_t taken[2] = {0, 0};
    for (int32_t with = 0; with < 2; with++) {
        ploy_goap_def def = ploy_goap_def_default();
        def.method = PLOY_GOAP_IDA;
        def.heuristic = PLOY_GOAP_BLIND;
        def.table = with != 0 ? 1024 : 0;
        def.max_depth = 6;
        ploy_goap *goap = NULL;
        uint64_t world = 0;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_run(goap, &world, &fed, 1));
        CHECK_NEAR(ploy_goap_cost(goap), 5.0, 0.0);
        taken[with] = ploy_goap_stats_of(goap).taken;
        CHECK_INT(ploy_goap_stats_of(goap).remembered > 0, with);
        ploy_goap_destroy(goap);
    }
    CHECK(taken[1] * 3 < taken[0]);
    ploy_goap_type_destroy(type);
}

// ERR-26 (e): a small table and a tight depth must lose no plan.
TEST(a_tiny_table_and_a_tight_depth_find_what_the_slow_planner_finds) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 77);
        ploy_goap_type *type = goap_make_random(t, &rng, false, false, &env);
        ploy_goap_need goal[2];
        int32_t count = goap_random_goal(&rng, type, false, goal), shortest = -1;
        uint64_t world = 0;
        ploy_goap_def def = ploy_goap_def_default();
        ploy_goap *goap = NULL;
        def.method = PLOY_GOAP_BREADTH; // the fewest actions
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_run(goap, &world, goal, count));
        shortest = ploy_goap_plan(goap, NULL, 0);
        ploy_goap_destroy(goap);
        if (shortest > 6) shortest = 6;
        def = ploy_goap_def_default();
        def.method = PLOY_GOAP_IDA;
        def.table = 3;
        def.max_depth = shortest >= 0 ? shortest : 4;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_run(goap, &world, goal, count));
        if (shortest >= 0 && shortest < 6) {
            CHECK_INT(ploy_goap_plan(goap, NULL, 0), shortest);
        } else if (shortest < 0) {
            CHECK(ploy_goap_outcome(goap) != PLOY_SEARCH_FOUND);
        }
        ploy_goap_destroy(goap);
        ploy_goap_type_destroy(type);
    }
}

// GOB-11 vectors, with one place so that every world collides.
TEST(the_table_prefers_worlds_near_the_root) {
    ploy_env env = ploy_env_default();
    ploy_goap_table *table = NULL;
    const uint64_t a = 1, b = 2;
    int32_t depth = 0;
    double cost = 0.0;
    CHECK_OK(ploy_goap_table_create(1, 1, &env, &table));
    CHECK(!ploy_goap_table_has(table, &a, NULL, NULL));
    ploy_goap_table_add(table, &b, 3, 3.0);
    ploy_goap_table_add(table, &a, 1, 1.0); // replaces B
    CHECK(ploy_goap_table_has(table, &a, &depth, &cost));
    CHECK_INT(depth, 1);
    CHECK(!ploy_goap_table_has(table, &b, NULL, NULL));
    ploy_goap_table_add(table, &b, 3, 3.0); // A stays
    CHECK(ploy_goap_table_has(table, &a, NULL, NULL));
    ploy_goap_table_add(table, &a, 0, 0.5);
    CHECK(ploy_goap_table_has(table, &a, &depth, &cost));
    CHECK_INT(depth, 0);
    CHECK_NEAR(cost, 0.5, 0.0);
    ploy_goap_table_clear(table);
    CHECK(!ploy_goap_table_has(table, &a, NULL, NULL));
    ploy_goap_table_destroy(table);
    CHECK_INT(ploy_goap_table_create(0, 1, &env, &table), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_table_create(1, 0, &env, &table), PLOY_ERR_ARGUMENT);
}

// ---- the mage of GOB-08: 5 energy, Heal 4, Kill-Ogre 3

static ploy_goap_type *make_mage(test_context *t, const ploy_env *env) {
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(env, &type));
    ploy_goap_var energy = ploy_goap_type_int(type, "energy", 0, 5);
    ploy_goap_var heal = ploy_goap_type_int(type, "heal", 0, 5);
    ploy_goap_var ogre = ploy_goap_type_int(type, "ogre", 0, 5);
    const struct {
        const char *id;
        ploy_goap_var motive;
        int32_t relief, energy;
    } rows[] = {
        {"Fireball", ogre, 2, 3}, {"Lesser-Healing", heal, 2, 2}, {"Greater-Healing", heal, 4, 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_goap_need need = ploy_goap_need_make(energy, PLOY_GOAP_AT_LEAST, rows[i].energy);
        ploy_goap_gain gains[] = {ploy_goap_add_to(energy, -rows[i].energy),
                                  ploy_goap_add_to(rows[i].motive, -rows[i].relief)};
        ploy_goap_action action = ploy_goap_action_make(rows[i].id, (double)rows[i].energy);
        action.needs = &need;
        action.need_count = 1;
        action.gains = gains;
        action.gain_count = 2;
        CHECK_INT(ploy_goap_type_action(type, &action), (int32_t)i);
    }
    CHECK_OK(ploy_goap_type_finish(type));
    return type;
}

static double discontentment(void *user, const ploy_goap_type *type, const uint64_t *world) {
    double heal = (double)ploy_goap_world_get(type, world, ploy_goap_type_find(type, "heal"));
    double ogre = (double)ploy_goap_world_get(type, world, ploy_goap_type_find(type, "ogre"));
    if (user != NULL) ++*(int32_t *)user;
    return heal * heal + ogre * ogre;
}

TEST(looking_ahead_serves_the_mage_better_than_greed) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = make_mage(t, &env);
    uint64_t world = 0;
    CHECK_OK(ploy_goap_world_set(type, &world, ploy_goap_type_find(type, "energy"), 5));
    CHECK_OK(ploy_goap_world_set(type, &world, ploy_goap_type_find(type, "heal"), 4));
    CHECK_OK(ploy_goap_world_set(type, &world, ploy_goap_type_find(type, "ogre"), 3));
    CHECK_NEAR(discontentment(NULL, type, &world), 25.0, 0.0);
    static const struct {
        const char *row;
        int32_t depth;
        bool anytime, prune;
        double value;
        int32_t length, first;
    } rows[] = {
        {"no step", 0, false, false, 25.0, 0, -1},
        {"greedy: Greater Healing, 9", 1, false, false, 9.0, 1, 2},
        {"two steps: 5", 2, false, false, 5.0, 2, 0},
        {"three: dead ends count", 3, false, false, 5.0, 2, 0},
        {"three, anytime", 3, true, false, 5.0, 2, 0},
        {"two, pruned: it is monotone", 2, false, true, 5.0, 2, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t plan[4] = {-1, -1, -1, -1};
        t->row = rows[i].row;
        ploy_goap_def def = ploy_goap_def_default();
        def.heuristic = PLOY_GOAP_BLIND;
        def.max_depth = rows[i].depth;
        def.anytime = rows[i].anytime;
        def.prune = rows[i].prune;
        ploy_goap *goap = NULL;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_begin_value(goap, &world, discontentment, NULL));
        CHECK_OK(ploy_goap_step(goap, NULL));
        CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_FOUND);
        CHECK_NEAR(ploy_goap_cost(goap), rows[i].value, 0.0);
        CHECK_INT(ploy_goap_plan(goap, plan, 4), rows[i].length);
        CHECK_INT(plan[0], rows[i].first);
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
}

static ploy_goap_type *make_swap(test_context *t, const ploy_env *env) {
    // A first step that makes things worse leads to the best end: what pruning gives up.
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(env, &type));
    ploy_goap_var heal = ploy_goap_type_int(type, "heal", 0, 9);
    ploy_goap_var ogre = ploy_goap_type_int(type, "ogre", 0, 9);
    ploy_goap_var ready = ploy_goap_type_bool(type, "ready");
    ploy_goap_need is_ready = ploy_goap_is(ready, 1);
    ploy_goap_gain worse[] = {ploy_goap_add_to(heal, 2), ploy_goap_set_to(ready, 1)};
    ploy_goap_gain better[] = {ploy_goap_set_to(heal, 0), ploy_goap_set_to(ogre, 0)};
    ploy_goap_action potion = ploy_goap_action_make("bitter potion", 1.0);
    potion.gains = worse;
    potion.gain_count = 2;
    ploy_goap_action cure = ploy_goap_action_make("cure", 1.0);
    cure.needs = &is_ready;
    cure.need_count = 1;
    cure.gains = better;
    cure.gain_count = 2;
    CHECK_INT(ploy_goap_type_action(type, &potion), 0);
    CHECK_INT(ploy_goap_type_action(type, &cure), 1);
    CHECK_OK(ploy_goap_type_finish(type));
    return type;
}

// GOB-09: pruning never goes through what is worse, and looks at less.
TEST(pruning_gives_up_short_term_pain_and_looks_at_less) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = make_swap(t, &env);
    uint64_t world = 0;
    CHECK_OK(ploy_goap_world_set(type, &world, ploy_goap_type_find(type, "heal"), 3));
    double values[2];
    int32_t looked[2] = {0, 0};
    for (int32_t prune = 0; prune < 2; prune++) {
        ploy_goap_def def = ploy_goap_def_default();
        def.heuristic = PLOY_GOAP_BLIND;
        def.max_depth = 2;
        def.prune = prune != 0;
        ploy_goap *goap = NULL;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_begin_value(goap, &world, discontentment, &looked[prune]));
        CHECK_OK(ploy_goap_step(goap, NULL));
        values[prune] = ploy_goap_cost(goap);
        ploy_goap_destroy(goap);
    }
    CHECK_NEAR(values[0], 0.0, 0.0);
    CHECK_NEAR(values[1], 9.0, 0.0);
    CHECK(looked[1] < looked[0]);
    ploy_goap_type_destroy(type);
}
