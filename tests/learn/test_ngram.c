// Prediction against worked numbers.
#include "learn_examples.h"

#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/learn/ngram.h"

static const char book[] = "LRRLRLLLRRLRLRR";

static ploy_learner taught(test_context *t, const ploy_learner_type *type, const void *def,
                           const char *text, const ploy_env *env) {
    ploy_schema *schema = make_schema(t, env, "action:L,R");
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(type, def, schema, env, &learner));
    for (; *text != 0; text++) {
        double row = *text == 'R';
        CHECK_OK(ploy_learner_observe(learner, &row));
    }
    ploy_schema_destroy(schema);
    return learner;
}

TEST(raw_counts_predict_the_most_frequent) {
    ploy_env env = ploy_env_default();
    char text[101];
    for (int32_t i = 0; i < 100; i++) text[i] = i % 25 < 18 ? 'L' : 'R'; // 72 and 28
    text[100] = 0;
    ploy_learner learner = taught(t, ploy_ngram_raw_learner(), NULL, text, &env);
    double row = 0, p[2];
    ploy_answer answer = ploy_learner_predict(learner, &row, p);
    CHECK_INT(answer.category, 0);
    CHECK_NEAR(p[0], 0.72, 1e-12);
    ploy_learner_destroy(learner);
}

TEST(string_matching_finds_what_followed) {
    ploy_env env = ploy_env_default();
    ploy_learner learner = taught(t, ploy_string_learner(), NULL, book, &env);
    double row = 0, p[2];
    CHECK_INT(ploy_learner_predict(learner, &row, p).category, 0); // RR was followed by L twice
    CHECK_SAME(p[0], 1.0);
    ploy_learner_destroy(learner);
}

TEST(trigrams_have_the_shares_of_the_book) {
    // Predicted from the window at the end of the text. What is added to the book to get another window
    // there counts other windows only.
    static const struct {
        const char *row, *more;
        double left, right;
    } rows[] = {{"RR: followed by L twice", "", 1.0, 0.0},
                {"LL: one of each", "LL", 0.5, 0.5},
                {"LR: 2 by L, 3 by R", "LR", 0.4, 0.6},
                {"RL: 1 by L, 3 by R", "L", 0.25, 0.75}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[20];
        snprintf(text, sizeof text, "%s%s", book, rows[i].more);
        ploy_ngram_def def = ploy_ngram_def_default();
        for (int32_t dense = 0; dense < 2; dense++) {
            def.dense = dense == 1;
            ploy_learner learner = taught(t, ploy_ngram_learner(), &def, text, &env);
            double row = 0, p[2];
            CHECK(ploy_learner_predict(learner, &row, p).opinion);
            CHECK_NEAR(p[0], rows[i].left, 1e-12);
            CHECK_NEAR(p[1], rows[i].right, 1e-12);
            CHECK_INT(ploy_learner_size(learner), 4);
            ploy_learner_destroy(learner);
        }
    }
}

TEST(windows_of_every_length_have_the_counts_of_the_catalog) {
    // As above: what is added brings the window to the end of the text and counts other windows.
    static const struct {
        const char *row, *more;
        int32_t length;
        double left;
    } rows[] = {{"7 of 15", "", 1, 7.0 / 15.0},
                {"R: RL 4, RR 3", "", 2, 4.0 / 7.0},
                {"L: LL 2, LR 5", "L", 2, 2.0 / 7.0},
                {"LRR: LRRL 2", "", 4, 1.0},
                {"RLR: RLRL 2, RLRR 1", "LR", 4, 2.0 / 3.0},
                {"LRL: LRLL 1, LRLR 1", "LRL", 4, 0.5},
                {"LLL: LLLR 1", "LLL", 4, 0.0},
                {"LLR: LLRR 1", "LLR", 4, 0.0},
                {"RLL: RLLL 1", "LL", 4, 1.0},
                {"RRL: RRLR 2", "L", 4, 0.0}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[20];
        snprintf(text, sizeof text, "%s%s", book, rows[i].more);
        ploy_ngram_def def = ploy_ngram_def_default();
        def.length = rows[i].length;
        for (int32_t dense = 0; dense < 2; dense++) {
            def.dense = dense == 1;
            ploy_learner learner = taught(t, ploy_ngram_learner(), &def, text, &env);
            double row = 0, p[2];
            CHECK(ploy_learner_predict(learner, &row, p).opinion);
            CHECK_NEAR(p[0], rows[i].left, 1e-12);
            CHECK_NEAR(p[1], 1.0 - rows[i].left, 1e-12);
            ploy_learner_destroy(learner);
        }
    }
}

TEST(dense_and_sparse_answer_alike) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "stance:up,down action:a,b,c");
    ploy_ngram_def def = ploy_ngram_def_default();
    def.levels = true;
    def.length = 4;
    ploy_learner sparse, dense;
    CHECK_OK(ploy_learner_create(ploy_ngram_learner(), &def, schema, &env, &sparse));
    def.dense = true;
    CHECK_OK(ploy_learner_create(ploy_ngram_learner(), &def, schema, &env, &dense));
    ploy_rng rng = ploy_rng_make(2);
    for (int32_t i = 0; i < 500; i++) {
        double row[2], p[3], q[3];
        row[0] = ploy_rng_int(&rng, 0, 1);
        row[1] = ploy_rng_int(&rng, 0, 2);
        ploy_answer a = ploy_learner_predict(sparse, row, p);
        ploy_answer b = ploy_learner_predict(dense, row, q);
        CHECK_INT(a.opinion, b.opinion);
        CHECK_INT(a.category, b.category);
        CHECK_OK(ploy_learner_observe(sparse, row));
        CHECK_OK(ploy_learner_observe(dense, row));
    }
    CHECK_INT(ploy_learner_size(sparse), ploy_learner_size(dense));
    def.length = 16;
    ploy_learner large;
    CHECK_INT(ploy_learner_create(ploy_ngram_learner(), &def, schema, &env, &large),
              PLOY_ERR_LIMIT);
    ploy_learner_destroy(sparse);
    ploy_learner_destroy(dense);
    ploy_schema_destroy(schema);
}

TEST(the_hierarchical_one_falls_back) {
    static const struct {
        const char *row, *more;
        int32_t threshold;
        int32_t want; // -1: no opinion
        double share;
    } rows[] = {{"RR has 2 samples, R has 7", "", 3, 0, 4.0 / 7.0},
                {"LR has 5 samples", "LR", 3, 1, 3.0 / 5.0},
                {"RL has 4 samples", "L", 3, 1, 3.0 / 4.0},
                {"LL has 2 samples, L 8: the book's 7 and one added", "LL", 3, 1, 5.0 / 8.0},
                {"7 is not above 7: the 1-gram answers", "", 7, 1, 8.0 / 15.0},
                {"15 is not above 15", "", 15, -1, 0.0}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[20];
        snprintf(text, sizeof text, "%s%s", book, rows[i].more);
        ploy_ngram_def def;
        ploy_fields_default(ploy_ngram_hierarchical_fields(), &def);
        def.length = 3;
        def.threshold = rows[i].threshold;
        ploy_learner learner = taught(t, ploy_ngram_hierarchical_learner(), &def, text, &env);
        double row = 0;
        ploy_answer answer = ploy_learner_predict(learner, &row, NULL);
        CHECK_INT(answer.category, rows[i].want);
        if (answer.opinion) CHECK_NEAR(answer.confidence, rows[i].share, 1e-12);
        ploy_learner_destroy(learner);
    }
}

TEST(opinions_can_be_gated) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row, *text;
        double share;
        bool certain, want;
    } rows[] = {{"4 of 4 is a clear share", "LLLL", 0.9, false, true},
                {"4 of 4 is not certain", "LLLL", 0.9, true, false},
                {"2 of 4 is nothing", "LRLR", 0.6, false, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_ngram_def def;
        ploy_fields_default(ploy_ngram_raw_fields(), &def);
        def.min_share = rows[i].share;
        def.certain = rows[i].certain;
        ploy_learner learner = taught(t, ploy_ngram_raw_learner(), &def, rows[i].text, &env);
        double row = 0;
        CHECK_INT(ploy_learner_predict(learner, &row, NULL).opinion, rows[i].want);
        ploy_learner_destroy(learner);
    }
    ploy_rng rng = ploy_rng_make(1);
    ploy_handicap_def handicap = ploy_handicap_def_default();
    handicap.use = 0.25f;
    int32_t used = 0;
    ploy_answer answer = {true, 0, 0.0, 0.9};
    for (int32_t i = 0; i < 10000; i++) {
        used += ploy_handicap_apply(&handicap, answer, &rng).opinion;
    }
    CHECK_NEAR(used / 10000.0, 0.25, 0.02);
    handicap.min_confidence = 0.95f;
    CHECK(!ploy_handicap_apply(&handicap, answer, &rng).opinion);
}

TEST(a_stance_is_part_of_the_window) {
    // Standing, B is followed by A; crouching, B is followed by C.
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "stance:stand,crouch press:A,B,C");
    ploy_ngram_def def = ploy_ngram_def_default();
    def.length = 2;
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_ngram_learner(), &def, schema, &env, &learner));
    for (int32_t i = 0; i < 20; i++) {
        double rows[4][2] = {{0, 1}, {0, 0}, {1, 1}, {1, 2}};
        for (int32_t k = 0; k < 4; k++) CHECK_OK(ploy_learner_observe(learner, rows[k]));
    }
    double stand[2] = {0, 1}, crouch[2] = {1, 1};
    CHECK_OK(ploy_learner_observe(learner, stand));
    CHECK_INT(ploy_learner_predict(learner, stand, NULL).category, 0);
    CHECK_INT(ploy_learner_predict(learner, crouch, NULL).category, 2);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
}

// The synthetic player: an answer table on the last k actions, random with probability e.
static void play(uint64_t seed, int32_t classes, int32_t k, double e, int32_t *actions,
                 int32_t count) {
    ploy_rng rng = ploy_rng_make(seed);
    int32_t table[625], windows = 1, window = 0;
    for (int32_t i = 0; i < k; i++) windows *= classes;
    for (int32_t i = 0; i < windows; i++) table[i] = ploy_rng_int(&rng, 0, classes - 1);
    for (int32_t i = 0; i < count; i++) {
        bool free_will = ploy_rng_double(&rng) < e;
        int32_t any = ploy_rng_int(&rng, 0, classes - 1);
        actions[i] = free_will ? any : table[window];
        window = (window * classes + actions[i]) % windows;
    }
}

TEST(curves_have_the_shape_of_the_catalog) {
    static const struct {
        const char *row, *schema;
        int32_t classes, k, max;
        double e, want[15];
    } rows[] = {{"two choices",
                 "action:a,b",
                 2,
                 4,
                 15,
                 0.4,
                 {.564, .606, .654, .690, .783, .763, .732, .689, .634, .573, .507, .437, .371,
                  .307, .250}},
                {"five choices",
                 "action:a,b,c,d,e",
                 5,
                 2,
                 10,
                 0.3,
                 {.313, .443, .729, .655, .560, .461, .367, .283, .212, .155}}};
    enum { ACTIONS = 1000, SEEDS = 120 };
    ploy_env env = ploy_env_default();
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_schema *schema = make_schema(t, &env, rows[r].schema);
        double mean[15] = {0}, hierarchical = 0.0, best = 0.0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            int32_t actions[ACTIONS], right = 0;
            play(seed, rows[r].classes, rows[r].k, rows[r].e, actions, ACTIONS);
            double shares[15];
            CHECK_OK(ploy_ngram_curve(schema, actions, ACTIONS, rows[r].max, &env, shares));
            for (int32_t i = 0; i < rows[r].max; i++) mean[i] += shares[i] / SEEDS;
            ploy_learner learner;
            CHECK_OK(ploy_learner_create(ploy_ngram_hierarchical_learner(), NULL, schema, &env,
                                         &learner));
            CHECK_OK(ploy_ngram_score(learner, actions, ACTIONS, &right));
            hierarchical += (double)right / ACTIONS / SEEDS;
            ploy_learner_destroy(learner);
        }
        for (int32_t i = 0; i < rows[r].max; i++) {
            CHECK_NEAR(mean[i], rows[r].want[i], 0.03);
            if (mean[i] > best) best = mean[i];
        }
        CHECK_NEAR(hierarchical, best, 0.05);
        ploy_schema_destroy(schema);
    }
}
