// ploy learn list, train, test: learners over tables.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/learn/score.h"

// Whole numbers with at most this many values count as categories for learners that count.
enum { LEARN_VALUES_MAX = 16 };

int learn_list(const learn_options *o) {
    for (int32_t i = 0; ploy_learners_at(i) != NULL; i++) {
        const ploy_learner_type *type = ploy_learners_at(i);
        bool online = type->observe != NULL;
        if (o->json) {
            printf("{\"name\":\"%s\",\"help\":\"%s\",\"unit\":\"%s\",\"online\":%s}\n", type->name,
                   type->help, type->unit, online ? "true" : "false");
        } else {
            printf("%-14s %-8s %s\n", type->name, online ? "online" : "table", type->help);
        }
    }
    return CLI_OK;
}

static const ploy_learner_type *find_learner(const char *name) {
    const ploy_learner_type *type = ploy_learners_find(name);
    if (type != NULL) return type;
    if (name == NULL) {
        (void)cli_error("--learner is missing; see `ploy learn list`", NULL);
        return NULL;
    }
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; ploy_learners_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_learners_at(i)->name);
    }
    (void)cli_error_unknown("unknown learner", name, nearest.best, "learn list");
    return NULL;
}

// Settings from --set, and --seed where the learner has one. -1, or the exit status.
static int read_settings(const learn_options *o, const ploy_learner_type *type, void *def) {
    int status = cli_load_fields(type->fields(), def, NULL, &o->sets, &o->env);
    if (status >= 0 || !o->seeded || ploy_fields_find(type->fields(), "seed", NULL) == NULL) {
        return status;
    }
    ploy_value seed = ploy_value_u64(o->seed);
    ploy_result result = ploy_fields_set(type->fields(), def, "seed", &seed, NULL);
    return result == PLOY_OK ? -1 : cli_error_result("--seed", result);
}

// The table as the learner needs it.
static int prepare_table(const learn_options *o, const ploy_learner_type *type,
                         ploy_examples **table) {
    ploy_prepare_options options = ploy_prepare_options_default();
    options.occurring = true;
    bool estimates = (type->abilities & PLOY_LEARNER_ESTIMATES) != 0;
    bool classifies = (type->abilities & PLOY_LEARNER_CLASSIFIES) != 0;
    options.most_classes = !classifies ? 0 : !estimates ? PLOY_COLUMN_VALUES_MAX : LEARN_VALUES_MAX;
    if ((type->abilities & PLOY_LEARNER_COUNTS) != 0) options.most_values = LEARN_VALUES_MAX;
    ploy_examples *out = NULL;
    ploy_result result = ploy_examples_prepare(*table, &options, &o->env, &out);
    if (result != PLOY_OK) return cli_error_result("table", result);
    ploy_examples_destroy(*table);
    *table = out;
    return -1;
}

// What a run has counted.
typedef struct learn_counts {
    int64_t rows, correct, train_rows, train_correct, size;
    double squares; // of the errors, if the target is a number
    uint64_t train_ns;
} learn_counts;

static ploy_result train_slice(void *self, ploy_budget *budget) {
    return ploy_learner_train_step(*(ploy_learner *)self, budget);
}

static ploy_result train_one(const learn_options *o, const ploy_learner_type *type, const void *def,
                             const ploy_examples *train, learn_counts *counts, ploy_learner *out) {
    ploy_result result = ploy_learner_create(type, def, ploy_examples_schema(train), &o->env, out);
    if (result != PLOY_OK) return result;
    uint64_t start = ploy_env_clock(&o->env);
    cli_work work = {train_slice, out, NULL, 0};
    result = ploy_learner_train_begin(*out, train);
    work.total = (uint64_t)ploy_learner_train_total(*out);
    if (result == PLOY_OK) result = cli_work_run("training", &work, true);
    counts->train_ns += ploy_env_clock(&o->env) - start;
    counts->size = ploy_learner_size(*out);
    if (result != PLOY_OK) {
        ploy_learner_destroy(*out);
        out->type = NULL;
    }
    return result;
}

static void count_rows(ploy_learner learner, const ploy_examples *rows, ploy_confusion *confusion,
                       int64_t *all, int64_t *right, double *squares) {
    int32_t target = ploy_schema_target(ploy_examples_schema(rows));
    int32_t count = ploy_examples_count(rows);
    cli_progress progress = cli_progress_begin("testing rows", (uint64_t)count, true);
    for (int32_t i = 0; i < count; i++) {
        cli_progress_step(&progress, (uint64_t)i);
        const double *row = ploy_examples_at(rows, i);
        ploy_answer answer = ploy_learner_predict(learner, row, NULL);
        ++*all;
        if (ploy_is_missing(row[target])) continue;
        if (ploy_schema_classes(ploy_examples_schema(rows)) == 0) {
            double gap = answer.opinion ? answer.value - row[target] : row[target];
            *squares += gap * gap;
            continue;
        }
        *right += answer.opinion && answer.category == (int32_t)row[target];
        ploy_confusion_add(confusion, (int32_t)row[target], answer.category);
    }
    cli_progress_end(&progress);
}

static ploy_result run_folds(const learn_options *o, const ploy_learner_type *type, const void *def,
                             const ploy_examples *table, learn_counts *counts,
                             ploy_confusion *confusion) {
    for (int32_t fold = 0; fold < (int32_t)o->folds; fold++) {
        ploy_examples *train = NULL, *test = NULL;
        ploy_learner learner = {NULL, NULL};
        ploy_result result =
            ploy_examples_split(table, fold, (int32_t)o->folds, &o->env, &train, &test);
        if (result == PLOY_OK) result = train_one(o, type, def, train, counts, &learner);
        if (result == PLOY_OK) {
            double unused = 0.0;
            count_rows(learner, test, confusion, &counts->rows, &counts->correct, &counts->squares);
            count_rows(learner, train, NULL, &counts->train_rows, &counts->train_correct, &unused);
        }
        ploy_learner_destroy(learner);
        ploy_examples_destroy(train);
        ploy_examples_destroy(test);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static double share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static void print_counts(const learn_options *o, const learn_counts *c, const ploy_schema *schema,
                         const ploy_confusion *confusion) {
    double accuracy = share(c->correct, c->rows);
    bool number = ploy_schema_classes(schema) == 0;
    double mean = c->rows > 0 ? c->squares / (double)c->rows : 0.0; // square of the error
    ploy_overfit gap = ploy_overfit_of(share(c->train_correct, c->train_rows), accuracy, c->size,
                                       c->train_rows / (o->folds > 0 ? o->folds : 1));
    if (o->json) {
        printf("{\"rows\":%lld,\"correct\":%lld,\"accuracy\":%.6f,\"folds\":%lld,\"size\":%lld,"
               "\"train_ms\":%.3f",
               (long long)c->rows, (long long)c->correct, accuracy, (long long)o->folds,
               (long long)c->size, (double)c->train_ns * 1e-6);
        if (number && ploy_is_finite_d(mean)) printf(",\"mean_square\":%.9g", mean);
        if (number && !ploy_is_finite_d(mean)) printf(",\"mean_square\":null"); // JSON has no more
        if (o->folds > 0) {
            printf(",\"train_accuracy\":%.6f,\"gap\":%.6f,\"overfit\":%s", gap.train, gap.gap,
                   gap.warning ? "true" : "false");
        }
        printf("}\n");
        return;
    }
    if (number) {
        printf("%lld rows, mean squared error %.6g\n", (long long)c->rows, mean);
        return;
    }
    printf("%lld of %lld rows right (%.2f %%), size %lld, trained in %.1f ms\n",
           (long long)c->correct, (long long)c->rows, 100.0 * accuracy, (long long)c->size,
           (double)c->train_ns * 1e-6);
    if (o->folds > 0) {
        printf("training rows %.2f %%, gap %.2f points%s\n", 100.0 * gap.train, 100.0 * gap.gap,
               gap.warning ? ": it fits the training rows too closely" : "");
    }
    ploy_writer out = cli_stream_writer(stdout);
    ploy_confusion_print(confusion, schema, &out);
}

int learn_train(const learn_options *o, const char *path) {
    const ploy_learner_type *type = find_learner(o->learner);
    if (type == NULL) return CLI_USAGE;
    ploy_examples *table = NULL;
    void *def = calloc(1, type->fields().size);
    if (def == NULL) return cli_error_result("learn", PLOY_ERR_MEMORY);
    int status = read_settings(o, type, def);
    if (status < 0) status = learn_read_table(o, path, &table);
    if (status < 0) status = prepare_table(o, type, &table);
    int32_t rows = ploy_examples_count(table);
    if (status < 0 && (o->folds == 1 || o->folds > rows)) {
        status = cli_error("--folds expects 2 to the number of rows", NULL);
    }
    if (status < 0) {
        learn_counts counts;
        memset(&counts, 0, sizeof counts);
        ploy_confusion *confusion = NULL;
        ploy_learner learner = {NULL, NULL};
        const ploy_schema *schema = ploy_examples_schema(table);
        if (!ploy_learner_takes(type, schema, &o->env))
            status = CLI_USAGE; // the log gives the reason
        ploy_result result =
            ploy_confusion_create(ploy_schema_classes(schema), &o->env, &confusion);
        if (status < 0 && result == PLOY_OK && o->folds > 0) {
            result = run_folds(o, type, def, table, &counts, confusion);
        }
        if (status < 0 && result == PLOY_OK && (o->folds == 0 || o->save != NULL)) {
            result = train_one(o, type, def, table, &counts, &learner);
        }
        if (status < 0 && result == PLOY_OK && o->folds == 0) {
            count_rows(learner, table, confusion, &counts.rows, &counts.correct, &counts.squares);
        }
        if (result != PLOY_OK) status = cli_error_result(type->name, result);
        if (status < 0 && o->save != NULL) status = learn_save_model(o, o->save, learner);
        if (status < 0) {
            print_counts(o, &counts, schema, confusion);
            status = CLI_OK;
        }
        ploy_learner_destroy(learner);
        ploy_confusion_destroy(confusion);
    }
    ploy_examples_destroy(table);
    free(def);
    return status;
}

int learn_test(const learn_options *o, const char *model, const char *path) {
    ploy_learner learner = {NULL, NULL};
    ploy_examples *table = NULL, *fitted = NULL;
    ploy_confusion *confusion = NULL;
    int status = learn_read_model(o, model, &learner);
    if (status < 0) status = learn_read_table(o, path, &table);
    if (status < 0) {
        int32_t column = -1;
        const ploy_schema *schema = ploy_learner_schema(learner);
        ploy_result result = ploy_examples_fit(table, schema, &o->env, &fitted, &column);
        if (result == PLOY_ERR_NOT_FOUND) {
            ploy_nearest nearest = ploy_nearest_make(ploy_schema_name_at(schema, column));
            for (int32_t i = 0; i < ploy_schema_count(ploy_examples_schema(table)); i++) {
                ploy_nearest_offer(&nearest, ploy_schema_name_at(ploy_examples_schema(table), i));
            }
            status = cli_error_near("the table has no column", ploy_schema_name_at(schema, column),
                                    nearest.best);
        } else if (result != PLOY_OK) {
            status = cli_error_result(path, result);
        }
        if (status < 0) {
            result = ploy_confusion_create(ploy_schema_classes(schema), &o->env, &confusion);
            if (result != PLOY_OK) status = cli_error_result(path, result);
        }
    }
    if (status < 0) {
        learn_counts counts;
        memset(&counts, 0, sizeof counts);
        counts.size = ploy_learner_size(learner);
        count_rows(learner, fitted, confusion, &counts.rows, &counts.correct, &counts.squares);
        print_counts(o, &counts, ploy_learner_schema(learner), confusion);
        status = CLI_OK;
    }
    ploy_confusion_destroy(confusion);
    ploy_examples_destroy(fitted);
    ploy_examples_destroy(table);
    ploy_learner_destroy(learner);
    return status;
}
