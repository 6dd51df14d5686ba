// Learners: ID3 beside npm's decision-tree; Bayes, N-grams and Q-learning beside the bare counting that
// is in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "ploy/base/os.h"
#include "ploy/data/table_file.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/bayes.h"
#include "ploy/learn/ngram.h"
#include "ploy/learn/tree.h"

enum { LEARN_ROWS = 1000, LEARN_COLUMNS = 6, LEARN_VALUES = 4, LEARN_CLASSES = 4 };
enum { LEARN_ACTIONS = 5, LEARN_LENGTH = 4, LEARN_WINDOWS = 5 * 5 * 5, LEARN_STEPS = 10000 };

static void learn_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: a learner of the benchmark failed\n");
    exit(2);
}

// ---- learn.tree

typedef struct learn_tree {
    ploy_examples *table;
    ploy_learner learner;
} learn_tree;

static void learn_tree_train(void *self) {
    learn_tree *data = self;
    ploy_env env = ploy_env_default();
    ploy_learner_destroy(data->learner);
    learn_need(ploy_learner_create(ploy_tree_learner(), NULL, ploy_examples_schema(data->table),
                                   &env, &data->learner) == PLOY_OK);
    learn_need(ploy_learner_train(data->learner, data->table) == PLOY_OK);
}

void bench_learn_tree(bench_run *run) {
    const char *named = getenv("PLOY_DATA");
    char path[1024];
    snprintf(path, sizeof path, "%s/ml/car.arff",
             named != NULL ? named : PLOY_SOURCE_DIR "/../shared/data");
    ploy_env env = ploy_env_default();
    ploy_buffer bytes;
    learn_tree data = {NULL, {NULL, NULL}};
    if (ploy_os_read_file(path, 1 << 24, &env, &bytes) != PLOY_OK) {
        bench_measure(run, bench_nothing(), bench_nothing(), bench_nothing());
        bench_fail(run, "ml/car.arff is missing; PLOY_DATA names the folder");
        return;
    }
    learn_need(ploy_table_load(bytes.bytes, bytes.size, path, PLOY_TABLE_ARFF, &env, NULL,
                               &data.table) == PLOY_OK);
    ploy_buffer_fini(&bytes);
    bench_side peer = bench_node_with(run, "decision_tree.mjs", path);
    bench_measure(run, bench_call(learn_tree_train, &data, 1), peer, bench_nothing());
    int32_t rows = ploy_examples_count(data.table), right = 0;
    int32_t target = ploy_schema_target(ploy_examples_schema(data.table));
    for (int32_t i = 0; i < rows; i++) {
        const double *row = ploy_examples_at(data.table, i);
        right += ploy_learner_predict(data.learner, row, NULL).category == (int32_t)row[target];
    }
    double theirs = 0.0;
    if (bench_ask(run, peer, "right", &theirs)) {
        char text[96];
        snprintf(text, sizeof text, "rows right: %d of %d, the peer %.0f", (int)right, (int)rows,
                 theirs);
        bench_note(run, text);
        if (right < theirs) bench_fail(run, "fewer rows right than the peer");
    }
    ploy_learner_destroy(data.learner);
    ploy_examples_destroy(data.table);
}

// ---- learn.bayes

typedef struct learn_bayes {
    ploy_learner learner;
    double rows[LEARN_ROWS][LEARN_COLUMNS + 1];
    float logs[LEARN_COLUMNS][LEARN_VALUES][LEARN_CLASSES], priors[LEARN_CLASSES];
    int32_t sum;
} learn_bayes;

static void learn_bayes_predict(void *self) {
    learn_bayes *data = self;
    for (int32_t i = 0; i < LEARN_ROWS; i++) {
        data->sum += ploy_learner_predict(data->learner, data->rows[i], NULL).category;
    }
    bench_keep(&data->sum);
}

// The sums of logarithms alone.
static void learn_bayes_floor(void *self) {
    learn_bayes *data = self;
    for (int32_t i = 0; i < LEARN_ROWS; i++) {
        int32_t best = 0;
        float sums[LEARN_CLASSES];
        for (int32_t k = 0; k < LEARN_CLASSES; k++) {
            sums[k] = data->priors[k];
            for (int32_t c = 0; c < LEARN_COLUMNS; c++) {
                sums[k] += data->logs[c][(int32_t)data->rows[i][c]][k];
            }
            if (sums[k] > sums[best]) best = k;
        }
        data->sum += best;
    }
    bench_keep(&data->sum);
}

static ploy_schema *learn_schema(int32_t columns, int32_t values, int32_t classes) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    learn_need(ploy_schema_create(&env, &schema) == PLOY_OK);
    char name[16];
    for (int32_t c = 0; c <= columns; c++) {
        snprintf(name, sizeof name, "c%d", (int)c);
        learn_need(ploy_schema_add(schema, name, PLOY_COLUMN_CATEGORY) == PLOY_OK);
        for (int32_t v = 0; v < (c < columns ? values : classes); v++) {
            snprintf(name, sizeof name, "v%d", (int)v);
            learn_need(ploy_schema_add_value(schema, c, name) == PLOY_OK);
        }
    }
    learn_need(ploy_schema_set_target(schema, columns) == PLOY_OK);
    return schema;
}

void bench_learn_bayes(bench_run *run) {
    learn_bayes *data = calloc(1, sizeof *data);
    learn_need(data != NULL);
    ploy_env env = ploy_env_default();
    ploy_schema *schema = learn_schema(LEARN_COLUMNS, LEARN_VALUES, LEARN_CLASSES);
    learn_need(ploy_learner_create(ploy_bayes_learner(), NULL, schema, &env, &data->learner) ==
               PLOY_OK);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < LEARN_ROWS; i++) {
        for (int32_t c = 0; c <= LEARN_COLUMNS; c++) {
            data->rows[i][c] = ploy_rng_int(&rng, 0, LEARN_VALUES - 1);
        }
        learn_need(ploy_learner_observe(data->learner, data->rows[i]) == PLOY_OK);
    }
    float *logs = &data->logs[0][0][0];
    for (int32_t i = 0; i < LEARN_COLUMNS * LEARN_VALUES * LEARN_CLASSES; i++) {
        logs[i] = -ploy_rng_float(&rng);
    }
    bench_measure(run, bench_call(learn_bayes_predict, data, LEARN_ROWS), bench_nothing(),
                  bench_call(learn_bayes_floor, data, LEARN_ROWS));
    ploy_learner_destroy(data->learner);
    ploy_schema_destroy(schema);
    free(data);
}

// ---- learn.ngram

typedef struct learn_ngram {
    ploy_learner learner;
    uint8_t actions[LEARN_STEPS];
    int32_t counts[LEARN_WINDOWS][LEARN_ACTIONS];
    int32_t hits;
} learn_ngram;

static void learn_ngram_play(void *self) {
    learn_ngram *data = self;
    ploy_learner_reset(data->learner);
    for (int32_t i = 0; i < LEARN_STEPS; i++) {
        double row[1] = {PLOY_MISSING};
        data->hits += ploy_learner_predict(data->learner, row, NULL).category == data->actions[i];
        row[0] = data->actions[i];
        learn_need(ploy_learner_observe(data->learner, row) == PLOY_OK);
    }
    bench_keep(&data->hits);
}

// An array of counts, by hand.
static void learn_ngram_floor(void *self) {
    learn_ngram *data = self;
    memset(data->counts, 0, sizeof data->counts);
    int32_t window = 0;
    for (int32_t i = 0; i < LEARN_STEPS; i++) {
        int32_t *counts = data->counts[window], best = 0;
        for (int32_t k = 1; k < LEARN_ACTIONS; k++) best = counts[k] > counts[best] ? k : best;
        data->hits += best == data->actions[i];
        counts[data->actions[i]]++;
        window = (window * LEARN_ACTIONS + data->actions[i]) % LEARN_WINDOWS;
    }
    bench_keep(&data->hits);
}

void bench_learn_ngram(bench_run *run) {
    learn_ngram *data = calloc(1, sizeof *data);
    learn_need(data != NULL);
    ploy_env env = ploy_env_default();
    ploy_schema *schema = learn_schema(0, 0, LEARN_ACTIONS);
    ploy_ngram_def def = ploy_ngram_def_default();
    def.length = LEARN_LENGTH;
    def.dense = true;
    learn_need(ploy_learner_create(ploy_ngram_learner(), &def, schema, &env, &data->learner) ==
               PLOY_OK);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < LEARN_STEPS; i++) {
        bool habit = ploy_rng_chance(&rng, 0.7f);
        int32_t other = ploy_rng_int(&rng, 0, LEARN_ACTIONS - 1);
        data->actions[i] = (uint8_t)(habit ? i * i % LEARN_ACTIONS : other);
    }
    bench_measure(run, bench_call(learn_ngram_play, data, LEARN_STEPS), bench_nothing(),
                  bench_call(learn_ngram_floor, data, LEARN_STEPS));
    ploy_learner_destroy(data->learner);
    ploy_schema_destroy(schema);
    free(data);
}

// ---- learn.q

typedef struct learn_q {
    ploy_problem *problem;
    ploy_actor actor;
    double q[70][4];
} learn_q;

static void learn_q_play(void *self) {
    learn_q *data = self;
    ploy_env env = ploy_env_default();
    ploy_play_task *task = NULL;
    learn_need(ploy_play_begin(data->problem, data->actor, LEARN_STEPS, 0.0f, 1, &env, &task) ==
               PLOY_OK);
    learn_need(ploy_play_step(task, NULL) == PLOY_OK);
    ploy_play_cancel(task);
}

// The same steps with an array by hand; the problem is the library's.
static void learn_q_floor(void *self) {
    learn_q *data = self;
    ploy_rng rng = ploy_rng_make(1);
    ploy_problem_reset(data->problem, 1);
    for (int32_t i = 0; i < LEARN_STEPS; i++) {
        int64_t state = ploy_problem_state(data->problem);
        double *values = data->q[state];
        int32_t best = 0;
        for (int32_t a = 1; a < 4; a++) best = values[a] > values[best] ? a : best;
        int32_t random = (int32_t)ploy_rng_below(&rng, 4);
        int32_t action = ploy_rng_float(&rng) < 0.5f ? random : best;
        ploy_problem_result step = ploy_problem_step(data->problem, action);
        const double *next = data->q[ploy_problem_state(data->problem)];
        double most = next[0];
        for (int32_t a = 1; a < 4; a++) most = next[a] > most ? next[a] : most;
        values[action] = ploy_q_update(values[action], 0.1, (double)step.reward, 0.9,
                                       step.terminated ? 0.0 : most);
        if (step.terminated || step.truncated) ploy_problem_restart(data->problem, -1);
    }
    bench_keep(data->q);
}

void bench_learn_q(bench_run *run) {
    learn_q *data = calloc(1, sizeof *data);
    learn_need(data != NULL);
    ploy_env env = ploy_env_default();
    const ploy_problem_type *type = ploy_problems_find("windy");
    learn_need(type != NULL && type->space.states == 70 && type->space.actions == 4);
    learn_need(ploy_problem_create(type, &env, &data->problem) == PLOY_OK);
    learn_need(ploy_actor_create(ploy_actors_find("q"), NULL, &type->space, 1, &env,
                                 &data->actor) == PLOY_OK);
    bench_measure(run, bench_call(learn_q_play, data, LEARN_STEPS), bench_nothing(),
                  bench_call(learn_q_floor, data, LEARN_STEPS));
    ploy_actor_destroy(data->actor);
    ploy_problem_destroy(data->problem);
    free(data);
}
