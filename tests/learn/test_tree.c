// Trees against worked numbers, and ID4 against ID3.
#include "learn_examples.h"

#include "ploy/base/rng.h"
#include "ploy/learn/entropy.h"
#include "ploy/learn/tree.h"

TEST(entropy_is_in_bits) {
    static const struct {
        int32_t counts[3];
        double want;
    } rows[] = {{{2, 3, 0}, 0.970951}, {{1, 2, 0}, 0.918296}, {{4, 4, 0}, 1.0},
                {{5, 0, 0}, 0.0},      {{1, 3, 0}, 0.811278}, {{1, 2, 2}, 1.521928},
                {{1, 2, 3}, 1.459148}, {{2, 2, 3}, 1.556657}, {{0, 0, 0}, 0.0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(ploy_entropy(rows[i].counts, 3), rows[i].want, 1e-6);
    }
}

static const char fight_columns[] =
    "health:healthy,hurt cover:cover,exposed ammo:ammo,empty action:attack,defend,run";
static const char *const fight[] = {"healthy cover ammo attack",  "hurt cover ammo attack",
                                    "healthy cover empty defend", "hurt cover empty defend",
                                    "hurt exposed ammo defend",   NULL};

static ploy_learner learned(test_context *t, const ploy_learner_type *type,
                            const ploy_examples *examples, const ploy_env *env) {
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(type, NULL, ploy_examples_schema(examples), env, &learner));
    CHECK_OK(ploy_learner_train(learner, examples));
    return learner;
}

static int32_t answer_for(test_context *t, ploy_learner learner, const char *text) {
    double row[16];
    read_row(t, ploy_learner_schema(learner), text, row);
    return ploy_learner_predict(learner, row, NULL).category;
}

// Gains of all columns of `fight_columns` in a part of a tree.
static void check_gains(test_context *t, const char *const *rows, double health, double cover,
                        double ammo) {
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, fight_columns, rows);
    ploy_gain gains[4];
    CHECK_OK(ploy_examples_gains(examples, &env, gains));
    CHECK_NEAR(gains[0].gain, health, 6e-5);
    CHECK_NEAR(gains[1].gain, cover, 6e-5);
    CHECK_NEAR(gains[2].gain, ammo, 6e-5);
    ploy_examples_destroy(examples);
}

TEST(id3_learns_when_to_attack) {
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, fight_columns, fight);
    ploy_gain gains[4];
    CHECK_OK(ploy_examples_gains(examples, &env, gains));
    CHECK_NEAR(gains[0].gain, 0.020, 5e-4);
    CHECK_NEAR(gains[1].gain, 0.171, 5e-4);
    CHECK_NEAR(gains[2].gain, 0.420, 5e-4);
    ploy_learner learner = learned(t, ploy_tree_learner(), examples, &env);
    CHECK_INT(ploy_learner_size(learner), 5);
    CHECK_INT(ploy_tree_node_at(learner, 0)->column, 2); // ammo; health is not used
    CHECK_NEAR(ploy_tree_node_at(learner, 0)->gain, 0.4199731, 1e-6);
    for (int32_t i = 0; i < ploy_tree_count(learner); i++) {
        CHECK(ploy_tree_node_at(learner, i)->column != 0);
    }
    // The second level, below "ammo".
    check_gains(t, (const char *const[]){fight[0], fight[1], fight[4], NULL}, 0.2516, 0.9183, 0);
    CHECK_INT(answer_for(t, learner, "healthy cover ammo ?"), 0);
    CHECK_INT(answer_for(t, learner, "healthy exposed ammo ?"), 1);
    CHECK_INT(answer_for(t, learner, "hurt exposed empty ?"), 1);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(id3_solves_the_exercise) {
    static const char *const rows[] = {"he ex am gr close a",
                                       "he co am gr close a",
                                       "he co am alone far a",
                                       "he co am alone close d",
                                       "he co em alone close d",
                                       "he ex am alone close d",
                                       NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(
        t, &env, "health:he,hu cover:co,ex ammo:am,em group:gr,alone distance:close,far do:a,d",
        rows);
    ploy_gain gains[6];
    CHECK_OK(ploy_examples_gains(examples, &env, gains));
    static const double want[] = {0, 0, 0.1909, 0.4591, 0.1909};
    for (int32_t i = 0; i < 5; i++) CHECK_NEAR(gains[i].gain, want[i], 1e-4);
    ploy_learner learner = learned(t, ploy_tree_learner(), examples, &env);
    CHECK_INT(ploy_tree_node_at(learner, 0)->column, 3);
    CHECK_INT(ploy_learner_size(learner), 5); // attack if in a group or far away
    CHECK_INT(answer_for(t, learner, "hu ex em gr far ?"), 0);
    CHECK_INT(answer_for(t, learner, "hu ex em alone far ?"), 0);
    CHECK_INT(answer_for(t, learner, "he co am alone close ?"), 1);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(numbers_are_split_at_thresholds_more_than_once) {
    static const char *const rows[] = {"50 defend", "25 defend", "39 attack", "17 defend", NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, "health do:attack,defend", rows);
    ploy_gain gains[2];
    CHECK_OK(ploy_examples_gains(examples, &env, gains));
    CHECK_NEAR(gains[0].gain, 0.31128, 1e-5);
    CHECK_SAME(gains[0].threshold, 32.0);
    ploy_learner learner = learned(t, ploy_tree_learner(), examples, &env);
    CHECK_SAME(ploy_tree_node_at(learner, 0)->threshold, 32.0);
    CHECK_INT(ploy_learner_size(learner), 5);
    CHECK_INT(ploy_tree_node_at(learner, 2)->column, 0);
    CHECK_SAME(ploy_tree_node_at(learner, 2)->threshold, 44.5);
    CHECK_INT(answer_for(t, learner, "31 ?"), 1);
    CHECK_INT(answer_for(t, learner, "32 ?"), 0); // equality goes up
    CHECK_INT(answer_for(t, learner, "44.5 ?"), 1);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(contradictions_and_new_values_get_the_majority) {
    static const char *const rows[] = {"a x", "a x", "a y", "b y", NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, "kind:a,b,c class:x,y", rows);
    ploy_learner learner = learned(t, ploy_tree_learner(), examples, &env);
    CHECK_INT(answer_for(t, learner, "a ?"), 0);
    CHECK_INT(answer_for(t, learner, "b ?"), 1);
    CHECK_INT(answer_for(t, learner, "c ?"), 0); // a tie at the root: the first class
    double row[2] = {0, 0}, p[2];
    CHECK_NEAR(ploy_learner_predict(learner, row, p).confidence, 2.0 / 3.0, 1e-12);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(gain_ratio_does_not_favour_many_values) {
    // `id` separates all examples, so its gain is the largest; its ratio is not.
    static const char *const rows[] = {"1 a yes", "2 a yes", "3 a yes", "4 a no", "5 b no",
                                       "6 b no",  "7 b no",  "8 b no",  NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples =
        make_examples(t, &env, "id:1,2,3,4,5,6,7,8 kind:a,b class:no,yes", rows);
    ploy_learner gain = learned(t, ploy_tree_learner(), examples, &env);
    CHECK_INT(ploy_tree_node_at(gain, 0)->column, 0);
    ploy_tree_def def;
    ploy_fields_default(ploy_tree_ratio_fields(), &def);
    def.min_examples = 2;
    def.prune = 0.0;
    ploy_learner ratio;
    CHECK_OK(ploy_learner_create(ploy_tree_ratio_learner(), &def, ploy_examples_schema(examples),
                                 &env, &ratio));
    ploy_gain gains[3];
    CHECK_OK(ploy_examples_gains(examples, &env, gains));
    CHECK_NEAR(gains[0].ratio, gains[0].gain / 3.0, 1e-9); // split information of 8 values
    ploy_learner_destroy(gain);
    ploy_learner_destroy(ratio);
    ploy_examples_destroy(examples);
}

TEST(pruning_cuts_off_noise) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "x noise class:low,high");
    ploy_examples *examples = NULL;
    CHECK_OK(ploy_examples_create(schema, &env, &examples));
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < 300; i++) {
        double x = ploy_rng_double(&rng), noise = ploy_rng_double(&rng);
        bool wrong = ploy_rng_chance(&rng, 0.1f);
        double row[3] = {x, noise, (x > 0.5) != wrong};
        CHECK_OK(ploy_examples_add(examples, row));
    }
    ploy_learner whole = learned(t, ploy_tree_learner(), examples, &env);
    ploy_tree_def def = ploy_tree_def_default();
    int64_t sizes[3];
    ploy_learner pruned = {NULL, NULL};
    for (int32_t i = 0; i < 3; i++) {
        def.prune = i * 1.5;
        ploy_learner_destroy(pruned);
        CHECK_OK(ploy_learner_create(ploy_tree_learner(), &def, schema, &env, &pruned));
        CHECK_OK(ploy_learner_train(pruned, examples));
        sizes[i] = ploy_learner_size(pruned);
    }
    CHECK_INT(sizes[0], ploy_learner_size(whole));
    CHECK(sizes[1] < sizes[0]);
    CHECK(sizes[2] < sizes[0] / 4);
    for (int32_t i = 0; i < ploy_tree_count(pruned); i++) { // compact: every node is reached
        const ploy_tree_node *node = ploy_tree_node_at(pruned, i);
        if (i == 0) continue;
        const ploy_tree_node *parent = ploy_tree_node_at(pruned, node->parent);
        CHECK(i >= parent->child && i < parent->child + parent->child_count);
    }
    ploy_learner_destroy(whole);
    ploy_learner_destroy(pruned);
    ploy_examples_destroy(examples);
    ploy_schema_destroy(schema);
}

TEST(id4_walks_through_the_example) {
    static const char *const base[] = {"healthy exposed empty run", "healthy cover ammo attack",
                                       "hurt cover ammo attack",    "healthy cover empty defend",
                                       "hurt cover empty defend",   NULL};
    static const char sixth[] = "hurt exposed ammo defend", seventh[] = "healthy exposed ammo run";
    check_gains(t, base, 0.1710, 0.7219, 0.9710);
    check_gains(t, (const char *const[]){base[0], base[1], base[2], base[3], base[4], sixth, NULL},
                0.2075, 0.4591, 0.5409);
    check_gains(
        t, (const char *const[]){base[0], base[1], base[2], base[3], base[4], sixth, seventh, NULL},
        0.3060, 0.5917, 0.3060);
    check_gains(t, (const char *const[]){base[0], sixth, seventh, NULL}, 0.9183, 0, 0.2516);
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, fight_columns, base);
    ploy_learner learner = learned(t, ploy_id4_learner(), examples, &env);
    CHECK_INT(ploy_tree_node_at(learner, 0)->column, 2);
    CHECK_NEAR(ploy_tree_node_at(learner, 0)->gain, 0.9710, 1e-4);
    CHECK_INT(ploy_learner_size(learner), 5);
    double row[4];
    read_row(t, ploy_learner_schema(learner), sixth, row);
    CHECK_OK(ploy_learner_observe(learner, row));
    CHECK_INT(ploy_tree_node_at(learner, 0)->column, 2); // only the attack leaf was split
    CHECK_NEAR(ploy_tree_node_at(learner, 0)->gain, 0.5409, 1e-4);
    CHECK_INT(ploy_id4_statistics_of(learner).rebuilt, ploy_tree_node_at(learner, 0)->child);
    int64_t rebuilds = ploy_id4_statistics_of(learner).rebuilds;
    read_row(t, ploy_learner_schema(learner), seventh, row);
    CHECK_OK(ploy_learner_observe(learner, row));
    CHECK_INT(ploy_id4_statistics_of(learner).rebuilds, rebuilds + 1);
    CHECK_INT(ploy_id4_statistics_of(learner).rebuilt, 0);
    CHECK_INT(ploy_tree_node_at(learner, 0)->column, 1); // cover
    CHECK_NEAR(ploy_tree_node_at(learner, 0)->gain, 0.5917, 1e-4);
    CHECK_INT(answer_for(t, learner, "hurt exposed empty ?"), 1);
    CHECK_INT(answer_for(t, learner, "healthy exposed empty ?"), 2);
    CHECK_INT(answer_for(t, learner, "healthy cover empty ?"), 1);
    CHECK_INT(ploy_learner_size(learner), 7);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

static bool same_trees(ploy_learner a, ploy_learner b) {
    if (ploy_tree_count(a) != ploy_tree_count(b)) return false;
    for (int32_t i = 0; i < ploy_tree_count(a); i++) {
        const ploy_tree_node *p = ploy_tree_node_at(a, i), *q = ploy_tree_node_at(b, i);
        if (p->column != q->column || p->threshold != q->threshold || p->child != q->child ||
            p->examples != q->examples || (p->examples > 0 && p->category != q->category)) {
            return false;
        }
    }
    return true;
}

// Whether some node has two columns of equal gain, so that trees may differ.
static bool has_ties(test_context *t, ploy_learner learner, const ploy_examples *examples,
                     const ploy_env *env) {
    for (int32_t i = 0; i < ploy_tree_count(learner); i++) {
        const ploy_tree_node *node = ploy_tree_node_at(learner, i);
        if (node->column < 0) continue;
        ploy_examples *part = NULL;
        CHECK_OK(ploy_examples_create(ploy_examples_schema(examples), env, &part));
        for (int32_t k = 0; k < ploy_examples_count(examples); k++) {
            const double *row = ploy_examples_at(examples, k);
            int32_t leaf = ploy_tree_leaf(learner, row);
            while (leaf > i) leaf = ploy_tree_node_at(learner, leaf)->parent;
            if (leaf == i) CHECK_OK(ploy_examples_add(part, row));
        }
        ploy_gain gains[8];
        CHECK_OK(ploy_examples_gains(part, env, gains));
        ploy_examples_destroy(part);
        for (int32_t c = 0; c < ploy_schema_count(ploy_examples_schema(examples)); c++) {
            if (c != node->column && fabs(gains[c].gain - gains[node->column].gain) < 1e-9) {
                return true;
            }
        }
    }
    return false;
}

// Examples at which some node has a tie are left out of the count. Shallow trees have few of them:
// in small nodes many columns split equally well.
TEST(id4_equals_id3_after_each_of_10000_examples_with_unique_gains) {
    enum { STREAM = 250, DEPTHS = 3 };
    static const int32_t depths[DEPTHS] = {2, 3, 64};
    static const char *const columns[2] = {"a:p,q,r b:p,q,r,s c:p,q d class:x,y,z",
                                           "a:p,q,r b:p,q,r,s c:p,q e:p,q,r,s,t class:x,y,z"};
    ploy_env env = ploy_env_default();
    int64_t unique = 0, shown = 0, deep = 0;
    for (int64_t seed = 1; unique < test_rounds(10000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_schema *schema = make_schema(t, &env, columns[seed % 2]);
        ploy_examples *examples = NULL;
        ploy_tree_def whole = ploy_tree_def_default();
        ploy_id4_def def = ploy_id4_def_default();
        whole.max_depth = def.max_depth = depths[seed % DEPTHS];
        ploy_learner id4;
        CHECK_OK(ploy_examples_create(schema, &env, &examples));
        CHECK_OK(ploy_learner_create(ploy_id4_learner(), &def, schema, &env, &id4));
        for (int32_t i = 0; i < STREAM; i++) {
            double row[5];
            for (int32_t k = 0; k < 5; k++) {
                int32_t values = ploy_schema_value_count(schema, k);
                row[k] = values > 0 ? ploy_rng_int(&rng, 0, values - 1)
                                    : ploy_rng_int(&rng, 0, 999) / 10.0;
            }
            bool noise = ploy_rng_chance(&rng, 0.15f);
            if (!noise) row[4] = row[0] == 1 ? (row[3] > 2 ? 0 : 1) : row[1] > 1 ? 2 : 1;
            CHECK_OK(ploy_examples_add(examples, row));
            CHECK_OK(ploy_learner_observe(id4, row));
            ploy_learner id3;
            CHECK_OK(ploy_learner_create(ploy_tree_learner(), &whole, schema, &env, &id3));
            CHECK_OK(ploy_learner_train(id3, examples));
            shown++;
            if (!has_ties(t, id3, examples, &env)) {
                CHECK(same_trees(id3, id4));
                unique++;
                deep += whole.max_depth > 3;
            }
            ploy_learner_destroy(id3);
        }
        ploy_learner_destroy(id4);
        ploy_examples_destroy(examples);
        ploy_schema_destroy(schema);
    }
    printf(
        "id4: equal to id3 after %d of %d examples with unique gains, %d of them in deep trees\n",
        (int)unique, (int)shown, (int)deep);
    CHECK(deep > 500);
}

TEST(appending_only_splits_leaves) {
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, fight_columns, fight);
    ploy_id4_def def = ploy_id4_def_default();
    def.rebuild = PLOY_ID4_NEVER;
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_id4_learner(), &def, ploy_examples_schema(examples), &env,
                                 &learner));
    CHECK_OK(ploy_learner_train(learner, examples));
    CHECK_INT(ploy_id4_statistics_of(learner).rebuilds, 0);
    CHECK(ploy_id4_statistics_of(learner).splits > 0);
    for (int32_t i = 0; i < ploy_examples_count(examples); i++) {
        const double *row = ploy_examples_at(examples, i);
        CHECK_INT(ploy_learner_predict(learner, row, NULL).category, (int32_t)row[3]);
    }
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(throttled_rebuilds_are_counted) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "a:p,q b:p,q c:p,q class:x,y");
    int64_t rebuilds[2], throttled[2];
    for (int32_t pass = 0; pass < 2; pass++) {
        ploy_id4_def def = ploy_id4_def_default();
        def.throttle = pass == 0 ? 0.0 : 0.5;
        def.max_examples = 300;
        ploy_learner learner;
        CHECK_OK(ploy_learner_create(ploy_id4_learner(), &def, schema, &env, &learner));
        ploy_rng rng = ploy_rng_make(5);
        for (int32_t i = 0; i < 310; i++) {
            double row[4];
            for (int32_t k = 0; k < 4; k++) row[k] = ploy_rng_int(&rng, 0, 1);
            CHECK_OK(ploy_learner_observe(learner, row));
        }
        rebuilds[pass] = ploy_id4_statistics_of(learner).rebuilds;
        throttled[pass] = ploy_id4_statistics_of(learner).throttled;
        CHECK_INT(ploy_id4_statistics_of(learner).ignored, 10);
        ploy_learner_destroy(learner);
    }
    CHECK(rebuilds[1] < rebuilds[0]);
    CHECK_INT(throttled[0], 0);
    CHECK(throttled[1] > 0);
    ploy_schema_destroy(schema);
}
