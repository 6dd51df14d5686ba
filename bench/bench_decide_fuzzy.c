// Fuzzy systems: two inputs of three triangles, nine rules, the centroid of 100 samples. fuzzylite
// evaluates the same inputs of the same system (bench/peers/fuzzylite_mamdani.cpp), and both must
// come to the same sum of outputs. A pass goes five times over the inputs, the fastest counts: on
// both sides the first time finds the caches of another program.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/decide/fuzzy_table.h"

enum { FUZZY_STEPS = 1000, FUZZY_SLICES = 5 };

typedef struct fuzzy_data {
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy;
    double sum;
} fuzzy_data;

static void fuzzy_check(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

// The same inputs on both sides: two steps of different length around the square.
static void fuzzy_steps(void *self) {
    fuzzy_data *data = self;
    data->sum = 0.0;
    for (int32_t i = 0; i < FUZZY_STEPS; i++) {
        ploy_fuzzy_set_input(data->fuzzy, 0, (double)(i * 37 % 1000) / 100.0);
        ploy_fuzzy_set_input(data->fuzzy, 1, (double)(i * 71 % 1000) / 100.0);
        ploy_fuzzy_step(data->fuzzy, NULL);
        data->sum += ploy_fuzzy_output(data->fuzzy, 0);
    }
}

static void fuzzy_build(fuzzy_data *data, const ploy_env *env) {
    static const char *const names[] = {"low", "middle", "high"};
    static const char *const cells[] = {"low",  "low",    "middle", "low", "middle",
                                        "high", "middle", "high",   "high"};
    fuzzy_check(ploy_fuzzy_type_create("bench", env, &data->type) == PLOY_OK);
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0.0;
    def.max = 10.0;
    for (int32_t v = 0; v < 3; v++) {
        int32_t variable = v == 2 ? ploy_fuzzy_type_output(data->type, "y", &def)
                                  : ploy_fuzzy_type_input(data->type, v == 0 ? "a" : "b", &def);
        for (int32_t k = 0; k < 3; k++) {
            ploy_fuzzy_set set = ploy_fuzzy_triangle(5.0 * (k - 1), 5.0 * k, 5.0 * (k + 1));
            fuzzy_check(ploy_fuzzy_type_term(data->type, variable, names[k], &set) == k);
        }
    }
    int32_t block = ploy_fuzzy_type_block(data->type, "", NULL);
    fuzzy_check(ploy_fuzzy_type_matrix(data->type, block, 0, 1, PLOY_FUZZY_OUTPUT, cells) ==
                PLOY_OK);
    fuzzy_check(ploy_fuzzy_type_finish(data->type, NULL) == PLOY_OK);
    fuzzy_check(ploy_fuzzy_create(data->type, env, &data->fuzzy) == PLOY_OK);
}

void bench_decide_fuzzy(bench_run *run) {
    ploy_env env = ploy_env_default();
    fuzzy_data data = {0};
    fuzzy_build(&data, &env);
    bench_side peer = bench_program(run, "fuzzylite_mamdani", "1000");
    bench_measure(run, bench_call_sliced(fuzzy_steps, &data, FUZZY_STEPS, FUZZY_SLICES), peer,
                  bench_nothing());
    double theirs = 0.0;
    if (bench_ask(run, peer, "sum", &theirs) && !(fabs(theirs - data.sum) < 1e-6 * FUZZY_STEPS)) {
        bench_fail(run, "fuzzylite comes to other outputs");
    }
    ploy_fuzzy_destroy(data.fuzzy);
    ploy_fuzzy_type_destroy(data.type);
}
