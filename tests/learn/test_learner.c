// The contract of learners, held against every one in the list: slices, saving in mid-training,
// frozen learners, masks, memory, goldens.
#include "learn_examples.h"

#include "ploy/base/alloc.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/learn/bayes.h"
#include "ploy/learn/experience.h"
#include "ploy/learn/tree.h"
#include "tests/state.h"

#define EACH_LEARNER(type)                                                                 \
    for (int32_t type##_index = 0; ploy_learners_at(type##_index) != NULL; type##_index++) \
        for (const ploy_learner_type *type = ploy_learners_at(type##_index);               \
             type != NULL && (t->row = type->name, true); type = NULL)

// Hash of each learner after 60 examples with seed 4.
static const struct golden_hash {
    const char *name;
    uint64_t hash;
} golden_hashes[] = {
    {"nearest", UINT64_C(0x7051B0F7C5CF4038)},      {"bayes", UINT64_C(0x9FC19259F30CACEE)},
    {"id3", UINT64_C(0x966A14E26673E8CA)},          {"gain_ratio", UINT64_C(0xF2186C40F9ED79F0)},
    {"id4", UINT64_C(0x12D5C0202F45497C)},          {"raw", UINT64_C(0x0649D505B0AA2F90)},
    {"string", UINT64_C(0xAE5DED19E2538926)},       {"ngram", UINT64_C(0x04B8E29CCE5C72DF)},
    {"hierarchical", UINT64_C(0x54BB7E509EE8C5CB)}, {"net", UINT64_C(0x83DE98F0A677488C)},
};

enum { ROWS = 60 };

// Examples that the learner can take, from a rule with noise.
static ploy_examples *fitting_examples(test_context *t, const ploy_learner_type *type,
                                       const ploy_env *env, uint64_t seed, int32_t count) {
    bool classes = (type->abilities & PLOY_LEARNER_CLASSIFIES) != 0;
    bool categories = (type->abilities & PLOY_LEARNER_CATEGORIES) != 0;
    bool numbers = (type->abilities & PLOY_LEARNER_NUMBERS) != 0;
    ploy_schema *schema = NULL;
    CHECK_OK(ploy_schema_create(env, &schema));
    static const char *const words[] = {"a", "b", "c"};
    if (categories) {
        CHECK_OK(ploy_schema_add(schema, "weapon", PLOY_COLUMN_CATEGORY));
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_schema_add_value(schema, 0, words[i]));
    }
    if (numbers) CHECK_OK(ploy_schema_add(schema, "range", PLOY_COLUMN_NUMBER));
    if (numbers) CHECK_OK(ploy_schema_add(schema, "health", PLOY_COLUMN_NUMBER));
    CHECK_OK(
        ploy_schema_add(schema, "action", classes ? PLOY_COLUMN_CATEGORY : PLOY_COLUMN_NUMBER));
    int32_t target = ploy_schema_count(schema) - 1;
    for (int32_t i = 0; i < 3 && classes; i++) {
        CHECK_OK(ploy_schema_add_value(schema, target, words[i]));
    }
    CHECK_OK(ploy_schema_set_target(schema, target));
    ploy_examples *examples = NULL;
    CHECK_OK(ploy_examples_create(schema, env, &examples));
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t i = 0; i < count; i++) {
        double row[8];
        int32_t weapon = ploy_rng_int(&rng, 0, 2);
        double range = ploy_rng_double(&rng) * 10.0, health = ploy_rng_double(&rng);
        int32_t noise = ploy_rng_int(&rng, 0, 9), hole = ploy_rng_int(&rng, 0, 7);
        int32_t k = 0;
        if (categories) row[k++] = weapon;
        if (numbers) row[k++] = range;
        if (numbers) row[k++] = health;
        if (hole < k && (type->abilities & PLOY_LEARNER_MISSING) != 0) row[hole] = PLOY_MISSING;
        int32_t rule = health < 0.3 ? 2 : weapon == 1 && range > 4.0 ? 1 : 0;
        if (noise == 0) rule = (rule + 1) % 3;
        row[k] = classes ? rule : rule + range;
        CHECK_OK(ploy_examples_add(examples, row));
    }
    ploy_schema_destroy(schema);
    return examples;
}

static ploy_learner fitting_learner(test_context *t, const ploy_learner_type *type,
                                    const ploy_examples *examples, const ploy_env *env) {
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(type, NULL, ploy_examples_schema(examples), env, &learner));
    return learner;
}

static char *saved_text(test_context *t, ploy_learner *learner) {
    state_check s = {ploy_learner_visit, learner, NULL, NULL, NULL};
    return state_save(t, &s);
}

TEST(every_learner_has_names_and_valid_settings) {
    EACH_LEARNER(type) {
        CHECK(type->name[0] != 0 && type->help[0] != 0 && type->unit[0] != 0);
        CHECK(ploy_learners_find(type->name) == type);
        CHECK_OK(ploy_fields_check_table(type->fields(), NULL));
    }
    CHECK(ploy_learners_find("none") == NULL);
}

TEST(slices_train_to_the_same_bits) {
    ploy_env env = ploy_env_default();
    bool same = true;
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 4, ROWS);
        static const int64_t slices[] = {PLOY_BUDGET_UNLIMITED, 1, 7};
        uint64_t hashes[COUNT_OF(slices)];
        int64_t units[COUNT_OF(slices)];
        for (size_t i = 0; i < COUNT_OF(slices); i++) {
            ploy_learner learner = fitting_learner(t, type, examples, &env);
            CHECK_OK(ploy_learner_train_begin(learner, examples));
            CHECK(ploy_learner_trains(learner));
            int64_t total = ploy_learner_train_total(learner);
            ploy_result result = PLOY_IN_PROGRESS;
            units[i] = 0;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slices[i]);
                result = ploy_learner_train_step(learner, &budget);
                CHECK(budget.spent > 0 || result == PLOY_OK); // no step without progress
                units[i] += budget.spent;
            }
            CHECK_OK(result);
            CHECK(!ploy_learner_trains(learner));
            CHECK_INT(ploy_learner_train_total(learner), 0);
            if (type->total == NULL || strcmp(type->name, "net") == 0) CHECK_INT(total, units[i]);
            CHECK(total > 0);
            CHECK(ploy_learner_size(learner) > 0);
            CHECK(ploy_learner_observed(learner) >= ROWS);
            hashes[i] = ploy_learner_hash(learner);
            ploy_learner_destroy(learner);
        }
        for (size_t i = 1; i < COUNT_OF(slices); i++) {
            CHECK_UINT(hashes[i], hashes[0]);
            CHECK_INT(units[i], units[0]);
        }
        const struct golden_hash *row = NULL;
        for (size_t i = 0; i < COUNT_OF(golden_hashes); i++) {
            if (strcmp(golden_hashes[i].name, type->name) == 0) row = &golden_hashes[i];
        }
        if (row == NULL || row->hash != hashes[0]) {
            fprintf(stderr, "    {\"%s\", UINT64_C(0x%016llX)},\n", type->name,
                    (unsigned long long)hashes[0]);
        }
        same = same && row != NULL && row->hash == hashes[0];
        ploy_examples_destroy(examples);
    }
    CHECK(same); // printed above, as rows of the table
}

TEST(a_save_in_mid_training_goes_on_to_the_same_bits) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 5, ROWS);
        ploy_learner whole = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(whole, examples));
        for (int64_t units = 0; units < 2000; units = units * 3 / 2 + 1) {
            ploy_learner a = fitting_learner(t, type, examples, &env);
            CHECK_OK(ploy_learner_train_begin(a, examples));
            ploy_budget budget = ploy_budget_units(units);
            ploy_result result = ploy_learner_train_step(a, &budget);
            ploy_learner b = fitting_learner(t, type, examples, &env);
            if (result == PLOY_IN_PROGRESS) CHECK_OK(ploy_learner_train_begin(b, examples));
            char *text = saved_text(t, &a);
            state_check s = {ploy_learner_visit, &b, NULL, NULL, NULL};
            state_expect_load(t, &s, text);
            free(text);
            CHECK_UINT(ploy_learner_hash(a), ploy_learner_hash(b));
            CHECK_OK(ploy_learner_train_step(b, NULL));
            CHECK_UINT(ploy_learner_hash(b), ploy_learner_hash(whole));
            ploy_learner_destroy(a);
            ploy_learner_destroy(b);
            if (result == PLOY_OK) break;
        }
        ploy_learner_destroy(whole);
        ploy_examples_destroy(examples);
    }
}

TEST(saved_learners_are_complete_and_faults_are_refused) {
    EACH_LEARNER(type) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_env plain = ploy_env_default();
        ploy_examples *examples = fitting_examples(t, type, &plain, 6, 12);
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(learner, examples));
        state_check s = {ploy_learner_visit, &learner, NULL, NULL, NULL};
        state_check_memory(t, &s, &counts);
        char *text = saved_text(t, &learner);
        ploy_learner other = fitting_learner(t, type, examples, &env);
        state_check o = {ploy_learner_visit, &other, NULL, NULL, NULL};
        state_expect_load(t, &o, text);
        for (int32_t i = 0; i < 12; i++) { // both answer alike
            const double *row = ploy_examples_at(examples, i);
            double p[8] = {0}, q[8] = {0};
            ploy_answer a = ploy_learner_predict(learner, row, p);
            ploy_answer b = ploy_learner_predict(other, row, q);
            CHECK_INT(a.category, b.category);
            CHECK_SAME(a.value, b.value);
            for (int32_t k = 0; k < 8; k++) CHECK_SAME(p[k], q[k]);
        }
        // A character less, or another one, is refused or gives a learner that still answers.
        size_t size = strlen(text);
        for (size_t i = 0; i < size; i += 1 + size / 150) {
            char kept = text[i];
            text[i] = kept == '9' ? '0' : '9';
            if (state_load(&o, text, &env, NULL) == PLOY_OK) {
                for (int32_t k = 0; k < 12; k++) {
                    double p[8];
                    (void)ploy_learner_predict(other, ploy_examples_at(examples, k), p);
                }
            }
            text[i] = kept;
        }
        state_expect_load(t, &o, text);
        CHECK_UINT(ploy_learner_hash(other), ploy_learner_hash(learner));
        free(text);
        ploy_learner_destroy(other);
        ploy_learner_destroy(learner);
        CHECK_INT(counts.bytes, 0);
        ploy_examples_destroy(examples);
    }
}

// Squares of such numbers stay finite, so what was learned can be saved and loaded.
TEST(the_largest_numbers_are_learned_saved_and_loaded) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    static const char *const columns[] = {"x kind:a,b y:p,q", "x kind:a,b y"};
    EACH_LEARNER(type) {
        for (int32_t number = 0; number < 2; number++) {
            ploy_schema *schema = make_schema(t, &env, columns[number]);
            ploy_examples *examples = NULL;
            CHECK_OK(ploy_examples_create(schema, &env, &examples));
            for (int32_t i = 0; i < 24; i++) {
                double x = (i % 2 == 0 ? 1.0 : -1.0) * PLOY_TABLE_NUMBER_MAX / (1 + i % 3);
                double row[3] = {x, i / 2 % 2, number == 1 ? -x : i % 2};
                CHECK_OK(ploy_examples_add(examples, row));
            }
            if (ploy_learner_takes(type, schema, &env)) {
                ploy_learner a = fitting_learner(t, type, examples, &env);
                ploy_learner b = fitting_learner(t, type, examples, &env);
                CHECK_OK(ploy_learner_train(a, examples));
                char *text = saved_text(t, &a);
                state_check s = {ploy_learner_visit, &b, NULL, NULL, NULL};
                state_expect_load(t, &s, text);
                free(text);
                CHECK_UINT(ploy_learner_hash(b), ploy_learner_hash(a));
                int32_t right = 0;
                for (int32_t i = 0; i < 24; i++) {
                    const double *row = ploy_examples_at(examples, i);
                    ploy_answer answer = ploy_learner_predict(a, row, NULL);
                    CHECK(!answer.opinion || ploy_is_finite_d(answer.value));
                    right += number == 1 ? fabs(answer.value - row[2]) < 1e139
                                         : answer.category == (int32_t)row[2];
                }
                if ((type->abilities & PLOY_LEARNER_SEQUENCE) == 0) CHECK(right >= 20);
                ploy_learner_destroy(a);
                ploy_learner_destroy(b);
            }
            ploy_schema_destroy(schema);
            ploy_examples_destroy(examples);
        }
    }
}

static void trace_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}
static void trace_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)outcome, (void)score;
    if (name != NULL && reason != NULL) (*(int32_t *)user)++;
}
static void trace_value(void *user, const char *name, const ploy_value *value) {
    (void)name, (void)value;
    (*(int32_t *)user)++;
}
static void trace_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void trace_end(void *user) {
    (void)user;
}

// A game may ask about any row; only rows that the schema accepts are learned.
TEST(rows_of_any_values_are_answered_or_not) {
    static const double wild[] = {-1,           3,   99,  1e9,      -1e9,      1e300, -1e300, 1e308,
                                  2147483648.0, NAN, 0.5, INFINITY, -INFINITY, 0,     1,      2,
                                  -2147483649.0};
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 8, ROWS);
        const ploy_schema *schema = ploy_examples_schema(examples);
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(learner, examples));
        ploy_rng rng = ploy_rng_make(3);
        int32_t calls = 0, classes = ploy_schema_classes(schema);
        ploy_trace trace = {trace_begin, trace_option, trace_value, trace_note, trace_end, &calls};
        for (int32_t i = 0; i < 1000; i++) {
            double row[8], p[8], sum = 0.0;
            for (int32_t k = 0; k < 8; k++) {
                row[k] = wild[ploy_rng_int(&rng, 0, COUNT_OF(wild) - 1)];
            }
            ploy_answer answer = ploy_learner_predict(learner, row, p);
            for (int32_t k = 0; k < classes && answer.opinion; k++) sum += p[k];
            if (answer.opinion && classes > 0) CHECK_NEAR(sum, 1.0, 1e-5);
            if (answer.opinion) CHECK(answer.confidence >= 0.0 && answer.confidence <= 1.0);
            ploy_learner_explain(learner, row, ploy_agent_id_none(), &trace);
            if (type->observe == NULL || ploy_schema_accepts(schema, row)) continue;
            CHECK_INT(ploy_learner_observe(learner, row), PLOY_ERR_ARGUMENT);
        }
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
}

TEST(frozen_learners_change_no_byte) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 7, ROWS);
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(learner, examples));
        ploy_learner_freeze(learner, true);
        CHECK(ploy_learner_frozen(learner));
        uint64_t hash = ploy_learner_hash(learner);
        for (int32_t i = 0; i < ROWS; i++) {
            const double *row = ploy_examples_at(examples, i);
            CHECK_OK(ploy_learner_observe(learner, row));
            (void)ploy_learner_predict(learner, row, NULL);
        }
        CHECK_INT(ploy_learner_train_begin(learner, examples), PLOY_ERR_STATE);
        ploy_learner_reset(learner);
        CHECK_UINT(ploy_learner_hash(learner), hash);
        ploy_learner_freeze(learner, false);
        ploy_learner_reset(learner);
        ploy_learner fresh = fitting_learner(t, type, examples, &env);
        CHECK_UINT(ploy_learner_hash(learner), ploy_learner_hash(fresh));
        CHECK(!ploy_learner_predict(learner, ploy_examples_at(examples, 0), NULL).opinion);
        ploy_learner_destroy(fresh);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
}

TEST(posteriors_add_up_and_masks_are_kept) {
    EACH_LEARNER(type) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_examples *examples = fitting_examples(t, type, &env, 8, ROWS);
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(learner, examples));
        int32_t classes = ploy_schema_classes(ploy_examples_schema(examples)), right = 0;
        int64_t calls = counts.calls;
        for (int32_t i = 0; i < ROWS; i++) {
            const double *row = ploy_examples_at(examples, i);
            double p[8];
            ploy_answer answer = ploy_learner_predict(learner, row, p);
            bool sequence = (type->abilities & PLOY_LEARNER_SEQUENCE) != 0;
            CHECK(answer.opinion || sequence); // a window may be new
            if (!answer.opinion) continue;
            if (classes == 0) {
                CHECK(isfinite(answer.value));
                continue;
            }
            double sum = 0.0;
            for (int32_t k = 0; k < classes; k++) {
                CHECK(p[k] >= 0.0 && p[k] <= 1.0 + 1e-9);
                CHECK(p[answer.category] >= p[k] - 1e-9);
                sum += p[k];
            }
            CHECK_NEAR(sum, 1.0, 1e-6);
            CHECK_NEAR(answer.confidence, p[answer.category], 1e-9);
            right += answer.category ==
                     (int32_t)row[ploy_schema_count(ploy_learner_schema(learner)) - 1];
            bool allowed[3] = {true, true, true};
            allowed[answer.category] = false;
            ploy_answer other = ploy_learner_choose(learner, row, allowed, p);
            CHECK(!other.opinion || other.category != answer.category);
            bool none[3] = {false, false, false};
            CHECK(!ploy_learner_choose(learner, row, none, p).opinion);
        }
        CHECK_INT(counts.calls, calls); // no allocation in predict
        // Better than the most frequent class alone, unless it predicts a sequence that is random.
        if (classes > 0 && (type->abilities & PLOY_LEARNER_SEQUENCE) == 0)
            CHECK(right > ROWS * 6 / 10);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
}

static void count_item(void *user, const ploy_draw_item *item) {
    bool finite = isfinite(item->radius) && isfinite(item->angle);
    for (int32_t i = 0; i < item->count; i++) {
        finite = finite && isfinite(item->points[i].x) && isfinite(item->points[i].y);
    }
    *(int64_t *)user += finite ? 1 : 1 << 20;
}

TEST(answers_are_explained_and_drawn) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 9, ROWS);
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        CHECK_OK(ploy_learner_train(learner, examples));
        uint64_t hash = ploy_learner_hash(learner);
        int32_t calls = 0;
        ploy_trace trace = {trace_begin, trace_option, trace_value, trace_note, trace_end, &calls};
        ploy_learner_explain(learner, ploy_examples_at(examples, 0), ploy_agent_id_none(), &trace);
        CHECK(calls > ((type->abilities & PLOY_LEARNER_SEQUENCE) != 0 ? 0 : 1));
        int64_t items = 0;
        ploy_draw draw = {count_item, &items, UINT32_MAX};
        ploy_learner_draw(learner, &draw);
        CHECK(items > 0 && items < 1 << 20);
        CHECK_UINT(ploy_learner_hash(learner), hash);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
}

// What is reported, as one text: "name score; " for options, "name = number; " for values.
typedef struct told {
    char text[1024];
    char largest[64]; // option with the largest score, up or down
    double score;
} told;

static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    told *s = user;
    size_t size = strlen(s->text);
    (void)reason;
    snprintf(s->text + size, sizeof s->text - size, "%s%s %.4f; ", name,
             outcome == PLOY_OUTCOME_WON ? "" : " (lost)", score);
    if (fabs(score) <= fabs(s->score)) return;
    snprintf(s->largest, sizeof s->largest, "%s", name);
    s->score = score;
}
static void told_value(void *user, const char *name, const ploy_value *value) {
    told *s = user;
    size_t size = strlen(s->text);
    if (value->type != PLOY_VALUE_F32) return;
    snprintf(s->text + size, sizeof s->text - size, "%s = %.4f; ", name, (double)value->as.f32);
}
static void told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void told_end(void *user) {
    (void)user;
}

static told explained(test_context *t, const ploy_learner_type *type, const void *def,
                      const ploy_examples *examples, const char *input, const ploy_env *env) {
    ploy_learner learner;
    double row[8];
    CHECK_OK(ploy_learner_create(type, def, ploy_examples_schema(examples), env, &learner));
    CHECK_OK(ploy_learner_train(learner, examples));
    read_row(t, ploy_examples_schema(examples), input, row);
    told s = {{0}, {0}, 0.0};
    ploy_trace trace = {told_begin, told_option, told_value, trace_note, told_end, &s};
    // The last part of the decision only: the front reports the classes first.
    learner.type->explain(learner.self, row, &trace);
    ploy_learner_destroy(learner);
    return s;
}

TEST(reasons_name_what_determined_the_answer) {
    static const char *const drives[] = {
        "near slow yes", "near fast yes", "far fast no",   "far fast yes",
        "near slow no",  "far slow yes",  "near fast yes", NULL};
    static const char *const fights[] = {"healthy cover ammo attack",  "hurt cover ammo attack",
                                         "healthy cover empty defend", "hurt cover empty defend",
                                         "hurt exposed ammo defend",   NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *brakes =
        make_examples(t, &env, "distance:near,far speed:slow,fast brake:no,yes", drives);
    ploy_examples *fight = make_examples(
        t, &env, "health:healthy,hurt cover:cover,exposed ammo:ammo,empty action:attack,defend",
        fights);
    // Log-odds of each attribute: 2/5 against 1/2.
    ploy_bayes_def bayes = ploy_bayes_def_default();
    bayes.smoothing = 0.0;
    told s = explained(t, ploy_bayes_learner(), &bayes, brakes, "far slow ?", &env);
    CHECK_TEXT(s.text, "no (lost) -2.6391; yes -2.1691; distance = -0.2231; speed = -0.2231; ");
    // The path through the tree, with gains, and the shares at its leaf.
    s = explained(t, ploy_tree_learner(), NULL, fight, "healthy exposed ammo ?", &env);
    CHECK_TEXT(s.text, "ammo = ammo 0.4200; cover = exposed 0.9183; defend 1.0000; ");
    // The input that moves the answer of a net most: health alone makes it here.
    ploy_schema *schema = make_schema(t, &env, "noise health range action:stay,flee");
    ploy_examples *rows = NULL;
    CHECK_OK(ploy_examples_create(schema, &env, &rows));
    ploy_rng rng = ploy_rng_make(4);
    for (int32_t i = 0; i < 200; i++) {
        double row[4];
        for (int32_t k = 0; k < 3; k++) row[k] = ploy_rng_double(&rng);
        row[3] = row[1] < 0.5;
        CHECK_OK(ploy_examples_add(rows, row));
    }
    s = explained(t, ploy_learners_find("net"), NULL, rows, "0.5 0.45 0.5 ?", &env);
    CHECK_TEXT(s.largest, "health");
    CHECK(s.score < -0.01); // more health makes fleeing less likely
    ploy_schema_destroy(schema);
    ploy_examples_destroy(rows);
    ploy_examples_destroy(brakes);
    ploy_examples_destroy(fight);
}

typedef struct memory_case {
    const ploy_learner_type *type;
    const ploy_examples *examples;
} memory_case;

static ploy_result learn_once(const ploy_env *env, void *arg) {
    const memory_case *c = arg;
    ploy_learner learner;
    ploy_result result =
        ploy_learner_create(c->type, NULL, ploy_examples_schema(c->examples), env, &learner);
    if (result != PLOY_OK) return result;
    result = ploy_learner_train(learner, c->examples);
    if (c->type->observe != NULL && result == PLOY_OK) {
        for (int32_t i = 0; i < 4 && result == PLOY_OK; i++) {
            uint64_t hash = ploy_learner_hash(learner);
            result = ploy_learner_observe(learner, ploy_examples_at(c->examples, i));
            if (result != PLOY_OK && ploy_learner_hash(learner) != hash) result = PLOY_ERR_STATE;
        }
    }
    ploy_learner_destroy(learner);
    return result;
}

TEST(every_allocation_may_fail) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 10, 24);
        memory_case c = {type, examples};
        CHECK_FAIL_NTH(learn_once, &c);
        ploy_examples_destroy(examples);
    }
}

TEST(cancelled_training_leaves_a_learner_that_works) {
    EACH_LEARNER(type) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_examples *examples = fitting_examples(t, type, &env, 11, ROWS);
        for (int64_t units = 0; units < 40; units += 3) {
            ploy_learner learner = fitting_learner(t, type, examples, &env);
            CHECK_OK(ploy_learner_train_begin(learner, examples));
            ploy_budget budget = ploy_budget_units(units);
            ploy_result result = ploy_learner_train_step(learner, &budget);
            CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
            if (result == PLOY_IN_PROGRESS && type->observe != NULL) {
                CHECK_INT(ploy_learner_observe(learner, ploy_examples_at(examples, 0)),
                          PLOY_ERR_STATE);
            }
            ploy_learner_train_cancel(learner);
            (void)ploy_learner_predict(learner, ploy_examples_at(examples, 0), NULL);
            CHECK_OK(ploy_learner_train(learner, examples));
            bool sequence = (type->abilities & PLOY_LEARNER_SEQUENCE) != 0;
            CHECK(ploy_learner_predict(learner, ploy_examples_at(examples, 0), NULL).opinion ||
                  sequence);
            ploy_learner_destroy(learner);
        }
        ploy_examples_destroy(examples);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(bad_arguments_are_refused) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 12, 4);
        const ploy_schema *schema = ploy_examples_schema(examples);
        unsigned char *def = ploy_env_alloc_zero(&env, type->fields().size);
        ploy_learner learner;
        CHECK_INT(ploy_learner_create(type, def, schema, &env, &learner), PLOY_ERR_ARGUMENT);
        CHECK(learner.type == NULL); // without a cookie
        ploy_env_free(&env, def, type->fields().size);
        learner = fitting_learner(t, type, examples, &env);
        ploy_schema *other = make_schema(t, &env, "strange:no,yes odd:no,yes");
        ploy_examples *odd = NULL;
        CHECK_OK(ploy_examples_create(other, &env, &odd));
        CHECK_INT(ploy_learner_train_begin(learner, odd), PLOY_ERR_ARGUMENT);
        double row[8] = {NAN, NAN, NAN, NAN};
        CHECK_INT(ploy_learner_observe(learner, row), PLOY_ERR_ARGUMENT);
        ploy_examples_destroy(odd);
        ploy_schema_destroy(other);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
    ploy_learner none = {NULL, NULL};
    ploy_learner_destroy(none);
    CHECK(!ploy_learner_predict(none, NULL, NULL).opinion);
    CHECK_INT(ploy_learner_size(none), 0);
}

TEST(a_replayed_log_rebuilds_the_bytes) {
    ploy_env env = ploy_env_default();
    EACH_LEARNER(type) {
        ploy_examples *examples = fitting_examples(t, type, &env, 13, ROWS);
        if (type->observe == NULL) {
            ploy_examples_destroy(examples);
            continue;
        }
        ploy_learner learner = fitting_learner(t, type, examples, &env);
        ploy_learner again = fitting_learner(t, type, examples, &env);
        ploy_experience *log = NULL;
        CHECK_OK(ploy_experience_create(learner, 1 << 20, &env, &log));
        for (int32_t i = 0; i < ROWS; i++) {
            if (i == 10) CHECK_OK(ploy_experience_reset(log));
            if (i == 20) CHECK_OK(ploy_experience_freeze(log, true));
            if (i == 30) CHECK_OK(ploy_experience_freeze(log, false));
            CHECK_OK(ploy_experience_observe(log, ploy_examples_at(examples, i)));
        }
        size_t size = 0;
        const unsigned char *bytes = ploy_experience_bytes(log, &size);
        CHECK_OK(ploy_experience_replay(again, bytes, size));
        char *one = saved_text(t, &learner), *two = saved_text(t, &again);
        CHECK_TEXT(two, one);
        free(one);
        free(two);
        ploy_learner_destroy(again);
        again = fitting_learner(t, type, examples, &env);
        uint64_t empty = ploy_learner_hash(again);
        CHECK_INT(ploy_experience_replay(again, bytes, size - 1), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_experience_replay(again, bytes, 5), PLOY_ERR_FORMAT);
        CHECK_UINT(ploy_learner_hash(again), empty); // a broken log changes nothing
        ploy_learner_destroy(again);
        ploy_experience_destroy(log);
        CHECK_OK(ploy_experience_create(learner, 20, &env, &log));
        uint64_t hash = ploy_learner_hash(learner);
        CHECK_INT(ploy_experience_observe(log, ploy_examples_at(examples, 0)), PLOY_ERR_LIMIT);
        CHECK_UINT(ploy_learner_hash(learner), hash);
        ploy_experience_destroy(log);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(examples);
    }
}

TEST(a_saved_log_goes_on_where_it_was) {
    EACH_LEARNER(type) {
        ploy_env plain = ploy_env_default();
        ploy_examples *examples = fitting_examples(t, type, &plain, 14, ROWS);
        if (type->observe == NULL) {
            ploy_examples_destroy(examples);
            continue;
        }
        ploy_learner learner = fitting_learner(t, type, examples, &plain);
        ploy_learner other = fitting_learner(t, type, examples, &plain);
        test_counts counts = {0};
        ploy_env env = test_counting_env(&counts);
        ploy_experience *log = NULL, *second = NULL;
        CHECK_OK(ploy_experience_create(learner, 1 << 20, &env, &log));
        for (int32_t i = 0; i < 6; i++) {
            if (i == 2) CHECK_OK(ploy_experience_freeze(log, true));
            if (i == 3) CHECK_OK(ploy_experience_freeze(log, false));
            CHECK_OK(ploy_experience_observe(log, ploy_examples_at(examples, i)));
        }
        // The first byte of the records is a kind; a changed one makes the log invalid.
        static const char *const refused[] = {"records", NULL};
        state_check s = {ploy_experience_visit, log, NULL, NULL, refused};
        state_check_memory(t, &s, &counts);
        state_check_all(t, &s);
        CHECK_OK(ploy_experience_create(other, 1 << 20, &plain, &second));
        for (int32_t i = 0; i < 20; i++) { // a longer log, which the load replaces
            CHECK_OK(ploy_experience_observe(second, ploy_examples_at(examples, i)));
        }
        state_check_copy(t, &s, second);
        state_check copied = {ploy_learner_visit, &learner, NULL, NULL, NULL};
        state_check_copy(t, &copied, &other);
        for (int32_t i = 6; i < ROWS; i++) { // both go on to the same bytes
            CHECK_OK(ploy_experience_observe(log, ploy_examples_at(examples, i)));
            CHECK_OK(ploy_experience_observe(second, ploy_examples_at(examples, i)));
        }
        size_t size = 0, size2 = 0;
        const void *bytes = ploy_experience_bytes(log, &size);
        const void *bytes2 = ploy_experience_bytes(second, &size2);
        CHECK_INT(size2, size);
        CHECK(memcmp(bytes, bytes2, size) == 0);
        ploy_learner again = fitting_learner(t, type, examples, &plain);
        CHECK_OK(ploy_experience_replay(again, bytes2, size2));
        CHECK_UINT(ploy_learner_hash(again), ploy_learner_hash(learner));
        ploy_learner_destroy(again);
        ploy_learner_destroy(learner); // a log outlives its learner
        ploy_learner_destroy(other);
        ploy_experience_destroy(log);
        ploy_experience_destroy(second);
        ploy_examples_destroy(examples);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(a_log_of_invalid_records_is_refused) {
    ploy_env env = ploy_env_default();
    const ploy_learner_type *type = ploy_learners_find("bayes");
    ploy_examples *examples = fitting_examples(t, type, &env, 15, 4);
    ploy_learner learner = fitting_learner(t, type, examples, &env);
    ploy_experience *log = NULL;
    CHECK_OK(ploy_experience_create(learner, 1 << 10, &env, &log));
    CHECK_OK(ploy_experience_observe(log, ploy_examples_at(examples, 0)));
    state_check s = {ploy_experience_visit, log, NULL, NULL, NULL};
    char *good = state_save(t, &s);
    uint64_t hash = state_hash(&s);
    // The schema and the settings decide which logs fit, so the file begins with their hash.
    size_t length = (size_t)(strstr(good, "\"records\"") - good);
    static const struct {
        const char *row, *records;
        ploy_result want;
    } rows[] = {
        {"empty", "[]", PLOY_OK},
        {"a reset, a freeze", "[\"0203\"]", PLOY_OK},
        {"an unknown kind", "[\"05\"]", PLOY_ERR_FORMAT},
        {"kind 0", "[\"00\"]", PLOY_ERR_FORMAT},
        {"an example cut off", "[\"0100\"]", PLOY_ERR_FORMAT},
        {"category 2^-1022 of 3",
         "[\"01000000000000100000000000000000000000000000000000\","
         "\"00000000000000\"]",
         PLOY_ERR_FORMAT},
        {"odd digits", "[\"020\"]", PLOY_ERR_FORMAT},
        {"no text", "[2]", PLOY_ERR_FORMAT},
        {"no list", "7", PLOY_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[512];
        snprintf(text, sizeof text, "%.*s\"records\":%s}", (int)length, good, rows[i].records);
        CHECK_INT(state_load(&s, text, &env, NULL), rows[i].want);
        if (rows[i].want != PLOY_OK) CHECK_UINT(state_hash(&s), hash);
        state_expect_load(t, &s, good);
    }
    // More than the log may hold.
    char large[8192];
    int used = snprintf(large, sizeof large, "%.*s\"records\":[\"02\"", (int)length, good);
    for (int32_t i = 0; i < 1100; i++) {
        used += snprintf(large + used, sizeof large - (size_t)used, ",\"02\"");
    }
    snprintf(large + used, sizeof large - (size_t)used, "]}");
    CHECK_INT(state_load(&s, large, &env, NULL), PLOY_ERR_LIMIT);
    CHECK_UINT(state_hash(&s), hash);
    free(good);
    ploy_experience_destroy(log);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}
