// Plants by rules on branches: the catalog's counts and end points, orders, limits, ranges, stages.
#include "tests/test.h"

#include "ploy/base/math.h"
#include "ploy/generate/plant.h"

static ploy_growth *growth_test_run(test_context *t, const ploy_growth_def *def, uint64_t seed,
                                    const ploy_growth_rules *rules, const ploy_env *env) {
    ploy_growth *growth = NULL;
    CHECK_OK(ploy_growth_begin(def, ploy_rng_key_make(seed), rules, NULL, env, &growth));
    CHECK_OK(ploy_growth_step(growth, NULL));
    CHECK(ploy_growth_outcome(growth).done);
    return growth;
}

static ploy_growth_def growth_test_def(ploy_growth_preset preset) {
    ploy_growth_def def = ploy_growth_def_default();
    def.preset = preset;
    def.choice = PLOY_GROWTH_FIRST;
    return def;
}

TEST(published_rules_give_the_published_trees) {
    static const struct {
        const char *row;
        ploy_growth_preset preset;
        int32_t branches, tips, peak, levels[7];
        double length;
    } rows[] = {
        {"A", PLOY_GROWTH_EVEN, 127, 64, 64, {1, 2, 4, 8, 16, 32, 64}, 19.47462},
        {"B", PLOY_GROWTH_UNEVEN, 55, 28, 25, {1, 2, 4, 8, 16, 22, 2}, 8.82159},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_growth_def def = growth_test_def(rows[i].preset);
        ploy_growth *growth = growth_test_run(t, &def, 1, NULL, &env);
        int32_t count = 0, tips = 0, levels[64] = {0};
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
        double length = 0.0;
        for (int32_t k = 0; k < count; k++) {
            tips += branches[k].rule < 0;
            levels[branches[k].level]++;
            length += (double)branches[k].length;
        }
        CHECK_INT(count, rows[i].branches);
        CHECK_INT(tips, rows[i].tips);
        CHECK_NEAR(length, rows[i].length, 1e-5);
        CHECK_INT(ploy_growth_peak(growth), rows[i].peak);
        for (int32_t k = 0; k < 7; k++) CHECK_INT(levels[k], rows[i].levels[k]);
        CHECK(!ploy_growth_outcome(growth).partial);
        ploy_growth_cancel(growth);
    }
}

TEST(children_end_where_they_should) {
    static const struct {
        const char *row;
        float degrees, factor;
        double x, y;
    } rows[] = {
        {"A50 right", -50, 2.0f / 3.0f, 0.510696, 1.428525},
        {"A50 left", 50, 2.0f / 3.0f, -0.510696, 1.428525},
        {"A45 right", -45, 2.0f / 3.0f, 0.471405, 1.471405},
        {"A45 left", 45, 2.0f / 3.0f, -0.471405, 1.471405},
        {"B -25", -25, 2.0f / 3.0f, 0.281746, 1.604205},
        {"B +55", 55, 0.5f, -0.409576, 1.286788},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        float angle = rows[i].degrees * PLOY_PI_F / 180.0f;
        ploy_growth_child child = {angle, angle, 0, 0, rows[i].factor, rows[i].factor};
        ploy_growth_rule rule = ploy_growth_rule_make(&child, 1);
        ploy_growth_rules rules = {&rule, 1, NULL, NULL};
        ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
        def.max_level = 1;
        ploy_growth *growth = growth_test_run(t, &def, 1, &rules, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
        CHECK_INT(count, 2);
        CHECK_NEAR(ploy_plant_end(&branches[0]).x, 0.0, 1e-6);
        CHECK_NEAR(ploy_plant_end(&branches[0]).y, 1.0, 1e-6);
        CHECK_NEAR(ploy_plant_end(&branches[1]).x, rows[i].x, 1e-6);
        CHECK_NEAR(ploy_plant_end(&branches[1]).y, rows[i].y, 1e-6);
        CHECK_NEAR(ploy_plant_end(&branches[1]).z, 0.0, 1e-6);
        ploy_growth_cancel(growth);
    }
}

// Hash of a branch that does not depend on the order: where it is.
static double growth_test_sum(const ploy_plant *plant) {
    int32_t count = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(plant, &count);
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sum += (double)branches[i].position.x * 3.0 + (double)branches[i].position.y * 5.0 +
               (double)branches[i].position.z * 7.0 + (double)branches[i].length;
    }
    return sum;
}

TEST(both_orders_grow_the_same_plant) {
    ploy_env env = ploy_env_default();
    for (int32_t preset = 0; preset < PLOY_GROWTH_PRESETS; preset++) {
        TEST_SEED(preset);
        ploy_growth_def def = growth_test_def((ploy_growth_preset)preset);
        def.choice = PLOY_GROWTH_WEIGHTED;
        ploy_growth *wide = growth_test_run(t, &def, 5, NULL, &env);
        def.order = PLOY_GROWTH_DEPTH;
        ploy_growth *deep = growth_test_run(t, &def, 5, NULL, &env);
        int32_t count = 0, other = 0;
        ploy_plant_branches(ploy_growth_plant(wide), &count);
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(deep), &other);
        CHECK_INT(count, other);
        CHECK_NEAR(growth_test_sum(ploy_growth_plant(wide)),
                   growth_test_sum(ploy_growth_plant(deep)), 1e-9 * count);
        CHECK(ploy_growth_peak(deep) < ploy_growth_peak(wide));
        for (int32_t i = 1; i < other; i++) CHECK(branches[i].parent < i);
        ploy_growth_cancel(wide);
        ploy_growth_cancel(deep);
    }
}

TEST(ten_splits_wait_1024_in_a_queue_and_11_on_a_stack) {
    ploy_env env = ploy_env_default();
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
    def.min_length = 0.0f;
    def.max_level = 10;
    ploy_growth *wide = growth_test_run(t, &def, 1, NULL, &env);
    def.order = PLOY_GROWTH_DEPTH;
    ploy_growth *deep = growth_test_run(t, &def, 1, NULL, &env);
    CHECK_INT(ploy_growth_peak(wide), 1024);
    CHECK_INT(ploy_growth_peak(deep), 11);
    CHECK_INT(ploy_growth_outcome(wide).count, 2047);
    ploy_growth_cancel(wide);
    ploy_growth_cancel(deep);
}

TEST(chains_approach_their_limit) {
    ploy_env env = ploy_env_default();
    static const double factors[] = {0.5, 2.0 / 3.0};
    for (size_t i = 0; i < 2; i++) {
        float factor = (float)factors[i];
        ploy_growth_child child = {0, 0, 0, 0, factor, factor};
        ploy_growth_rule rule = ploy_growth_rule_make(&child, 1);
        ploy_growth_rules rules = {&rule, 1, NULL, NULL};
        ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
        def.min_length = 0.0f;
        def.max_level = 60;
        ploy_growth *growth = growth_test_run(t, &def, 1, &rules, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
        CHECK_NEAR(ploy_plant_end(&branches[count - 1]).y, 1.0 / (1.0 - factors[i]), 1e-5);
        ploy_growth_cancel(growth);
    }
}

TEST(the_limit_on_branches_is_a_partial_result) {
    ploy_env env = ploy_env_default();
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
    def.max_branches = 50;
    ploy_growth *growth = growth_test_run(t, &def, 1, NULL, &env);
    ploy_generate_outcome outcome = ploy_growth_outcome(growth);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, "max_branches");
    CHECK_INT(outcome.count, 50);
    // Breadth first cuts evenly: five levels are complete.
    int32_t count = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
    CHECK_INT(branches[30].level, 4);
    CHECK_INT(branches[49].level, 5);
    ploy_growth_cancel(growth);
}

static ploy_growth_check growth_test_wall(void *user, const ploy_plant *plant,
                                          const ploy_plant_branch *next) {
    (void)plant;
    (void)user;
    return ploy_plant_end(next).x > 0.3f ? PLOY_GROWTH_PRUNE : PLOY_GROWTH_GO_ON;
}

static ploy_growth_check growth_test_height(void *user, const ploy_plant *plant,
                                            const ploy_plant_branch *next) {
    int32_t count = 0;
    ploy_plant_branches(plant, &count);
    *(int32_t *)user = count;
    return ploy_plant_end(next).y > 1.8f ? PLOY_GROWTH_STOP : PLOY_GROWTH_GO_ON;
}

TEST(a_check_prunes_or_stops) {
    ploy_env env = ploy_env_default();
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
    ploy_growth_rules rules = ploy_growth_preset_rules(PLOY_GROWTH_EVEN);
    rules.check = growth_test_wall;
    ploy_growth *growth = growth_test_run(t, &def, 1, &rules, &env);
    int32_t count = 0, seen = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
    CHECK(count > 20 && count < 127);
    for (int32_t i = 0; i < count; i++) CHECK(ploy_plant_end(&branches[i]).x <= 0.3f);
    CHECK(ploy_growth_outcome(growth).rejected > 0 && !ploy_growth_outcome(growth).partial);
    ploy_growth_cancel(growth);
    rules.check = growth_test_height;
    rules.user = &seen;
    growth = growth_test_run(t, &def, 1, &rules, &env);
    CHECK(ploy_growth_outcome(growth).partial);
    CHECK_TEXT(ploy_growth_outcome(growth).limit, "check");
    CHECK_INT(ploy_growth_outcome(growth).count, seen);
    ploy_growth_cancel(growth);
}

TEST(random_rules_stay_in_their_ranges_and_repeat) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        TEST_SEED(seed);
        ploy_growth_def def = growth_test_def(PLOY_GROWTH_RANDOM);
        ploy_growth *growth = growth_test_run(t, &def, seed, NULL, &env);
        ploy_growth *again = growth_test_run(t, &def, seed, NULL, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
        for (int32_t i = 1; i < count; i++) {
            const ploy_plant_branch *parent = &branches[branches[i].parent];
            float factor = branches[i].length / parent->length;
            CHECK(factor > 0.3999f && factor < 0.8001f);
            float angle = ploy_quat_angle_between(branches[i].orientation, parent->orientation);
            CHECK(angle > 24.9f * PLOY_PI_F / 180.0f && angle < 55.1f * PLOY_PI_F / 180.0f);
        }
        CHECK_SAME(growth_test_sum(ploy_growth_plant(growth)),
                   growth_test_sum(ploy_growth_plant(again)));
        ploy_growth_cancel(growth);
        ploy_growth_cancel(again);
    }
}

TEST(weights_choose_among_rules) {
    ploy_env env = ploy_env_default();
    ploy_growth_child one = {0, 0, 0, 0, 1, 1};
    ploy_growth_child two[2] = {{0.1f, 0.1f, 0, 0, 1, 1}, {-0.1f, -0.1f, 0, 0, 1, 1}};
    ploy_growth_rule items[3] = {ploy_growth_rule_make(&one, 1), ploy_growth_rule_make(two, 2),
                                 ploy_growth_rule_make(NULL, 0)};
    items[0].weight = 7.0f;
    items[1].weight = 2.0f;
    items[2].weight = 1.0f;
    ploy_growth_rules rules = {items, 3, NULL, NULL};
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
    def.choice = PLOY_GROWTH_WEIGHTED;
    def.max_level = 64;
    def.leaves = 0;
    def.max_branches = 4000;
    int32_t used[3] = {0}, total = 0;
    for (uint64_t seed = 1; total < 20000; seed++) {
        ploy_growth *growth = growth_test_run(t, &def, seed, &rules, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
        for (int32_t i = 0; i < count; i++) {
            if (branches[i].level >= 64) continue;
            used[branches[i].rule < 0 ? 2 : branches[i].rule]++;
            total++;
        }
        ploy_growth_cancel(growth);
    }
    CHECK_NEAR((double)used[0] / total, 0.7, 0.015);
    CHECK_NEAR((double)used[1] / total, 0.2, 0.015);
    CHECK_NEAR((double)used[2] / total, 0.1, 0.015);
}

TEST(stages_have_their_own_rules_and_end_after_the_last) {
    ploy_env env = ploy_env_default();
    ploy_growth_child thirds[3] = {
        {0.5f, 0.5f, 0, 0, 1, 1}, {0.5f, 0.5f, 2.1f, 2.1f, 1, 1}, {0.5f, 0.5f, 4.2f, 4.2f, 1, 1}};
    ploy_growth_rule items[3] = {ploy_growth_rule_make(thirds, 3), ploy_growth_rule_make(thirds, 2),
                                 ploy_growth_rule_make(thirds, 1)};
    for (int32_t i = 0; i < 3; i++) items[i].level_min = items[i].level_max = i;
    ploy_growth_rules rules = {items, 3, NULL, NULL};
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_EVEN);
    def.space = true;
    ploy_growth *growth = growth_test_run(t, &def, 1, &rules, &env);
    CHECK_INT(ploy_growth_outcome(growth).count, 1 + 3 + 6 + 6);
    CHECK(!ploy_plant_flat(ploy_growth_plant(growth)));
    ploy_growth_cancel(growth);
}

TEST(the_longer_child_of_an_upright_plant_is_more_upright) {
    ploy_env env = ploy_env_default();
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_UPRIGHT);
    ploy_growth *growth = growth_test_run(t, &def, 1, NULL, &env);
    int32_t count = 0, pairs = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
    for (int32_t i = 1; i + 1 < count; i++) {
        if (branches[i].parent != branches[i + 1].parent) continue;
        bool first = branches[i].length > branches[i + 1].length;
        const ploy_plant_branch *longer = &branches[first ? i : i + 1];
        const ploy_plant_branch *other = &branches[first ? i + 1 : i];
        CHECK(ploy_quat_forward(longer->orientation).y > ploy_quat_forward(other->orientation).y);
        pairs++;
    }
    CHECK(pairs > 20);
    ploy_growth_cancel(growth);
}

TEST(thickness_adds_up_and_curves_keep_their_ends) {
    ploy_env env = ploy_env_default();
    ploy_growth_def def = growth_test_def(PLOY_GROWTH_TREE);
    def.thickening = 2.0f;
    def.curve = 1.0f;
    def.choice = PLOY_GROWTH_WEIGHTED;
    ploy_growth *growth = growth_test_run(t, &def, 3, NULL, &env);
    const ploy_plant *plant = ploy_growth_plant(growth);
    int32_t count = 0, tips = 0, leaves = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(plant, &count);
    for (int32_t i = 0; i < count; i++) {
        tips += branches[i].rule < 0;
        ploy_vec3 end = ploy_plant_curve(plant, i, 1.0f), want = ploy_plant_end(&branches[i]);
        CHECK_NEAR(ploy_vec3_length(ploy_vec3_sub(end, want)), 0.0, 1e-5);
        CHECK(branches[i].radius > 0.0f && branches[i].tip_radius <= branches[i].radius * 1.001f);
        // A branch that is not upright bows below the straight line at its middle.
        ploy_vec3 middle = ploy_plant_curve(plant, i, 0.5f);
        float straight = 0.5f * (branches[i].position.z + want.z);
        CHECK(middle.z <= straight + 1e-6f);
    }
    CHECK(count > 200);
    // With exponent 2 the trunk's cross-section is that of all tips together.
    CHECK_NEAR(branches[0].radius * branches[0].radius,
               (double)tips * def.twig_radius * def.twig_radius, 1e-5);
    const ploy_plant_leaf *leaf = ploy_plant_leaves(plant, &leaves);
    CHECK_INT(leaves, tips * def.leaves);
    for (int32_t i = 0; i < leaves; i++) {
        CHECK_INT(branches[leaf[i].branch].rule, -1);
        CHECK_NEAR(ploy_vec3_length(leaf[i].direction), 1.0, 1e-5);
        float cosine = ploy_vec3_dot(leaf[i].direction,
                                     ploy_quat_forward(branches[leaf[i].branch].orientation));
        CHECK_NEAR(cosine, ploy_cosf(def.leaf_angle), 1e-4);
    }
    ploy_growth_cancel(growth);
}

TEST(begin_refuses_bad_rules) {
    ploy_env env = ploy_env_default();
    ploy_growth_child child = {0.5f, 0.1f, 0, 0, 1, 1};
    ploy_growth_rule rule = ploy_growth_rule_make(&child, 1);
    ploy_growth_rules rules = {&rule, 1, NULL, NULL};
    ploy_growth_def def = ploy_growth_def_default();
    ploy_growth *growth = NULL;
    CHECK_INT(ploy_growth_begin(&def, ploy_rng_key_make(1), &rules, NULL, &env, &growth),
              PLOY_ERR_ARGUMENT);
    child.angle_max = NAN;
    CHECK_INT(ploy_growth_begin(&def, ploy_rng_key_make(1), &rules, NULL, &env, &growth),
              PLOY_ERR_ARGUMENT);
    def.length = -1.0f;
    CHECK_INT(ploy_growth_begin(&def, ploy_rng_key_make(1), NULL, NULL, &env, &growth),
              PLOY_ERR_ARGUMENT);
    CHECK(growth == NULL);
}

static ploy_result growth_test_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_growth_def def = ploy_growth_def_default();
    ploy_growth *growth = NULL;
    ploy_result result = ploy_growth_begin(&def, ploy_rng_key_make(1), NULL, NULL, env, &growth);
    if (result == PLOY_OK) result = ploy_growth_step(growth, NULL);
    ploy_growth_cancel(growth);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    CHECK_FAIL_NTH(growth_test_make, NULL);
}
