// Action planning: a settler's domain of 30 actions, planned to its end by A* with each heuristic.
// The floor is what the answer itself costs: the plan checked action by action.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/decide/goap.h"

enum { GOAP_CHAINS = 5, GOAP_STEPS = 5 };

typedef struct goap_data {
    ploy_goap_type *type;
    ploy_goap *goap;
    ploy_goap_need goal[2];
    uint64_t world[4], scratch[8];
    int32_t plan[64], length;
} goap_data;

static void goap_check_set_up(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

static void goap_work(void *self) {
    goap_data *data = self;
    goap_check_set_up(ploy_goap_run(data->goap, data->world, data->goal, 2) == PLOY_OK);
}

static void goap_floor(void *self) {
    goap_data *data = self;
    goap_check_set_up(ploy_goap_plan_check(data->type, data->world, data->goal, 2, data->plan,
                                           data->length, data->scratch, NULL) == -1);
}

// Five chains of five stages, each stage a step with its own cost, and a switch for each chain that
// leads nowhere; two chains are needed.
static void goap_build(goap_data *data, const ploy_env *env) {
    goap_check_set_up(ploy_goap_type_create(env, &data->type) == PLOY_OK);
    ploy_goap_var chains[GOAP_CHAINS], lights[GOAP_CHAINS];
    char name[32];
    for (int32_t c = 0; c < GOAP_CHAINS; c++) {
        snprintf(name, sizeof name, "chain %d", (int)c);
        chains[c] = ploy_goap_type_int(data->type, name, 0, GOAP_STEPS);
        snprintf(name, sizeof name, "light %d", (int)c);
        lights[c] = ploy_goap_type_bool(data->type, name);
    }
    for (int32_t c = 0; c < GOAP_CHAINS; c++) {
        for (int32_t s = 0; s <= GOAP_STEPS; s++) {
            ploy_goap_need need = ploy_goap_is(chains[c], s);
            ploy_goap_gain gain = s < GOAP_STEPS ? ploy_goap_set_to(chains[c], s + 1)
                                                 : ploy_goap_set_to(lights[c], 1);
            snprintf(name, sizeof name, "do %d of %d", (int)s, (int)c);
            ploy_goap_action action = ploy_goap_action_make(name, 1.0 + (double)(s % 3));
            action.needs = &need;
            action.need_count = s < GOAP_STEPS ? 1 : 0;
            action.gains = &gain;
            action.gain_count = 1;
            goap_check_set_up(ploy_goap_type_action(data->type, &action) >= 0);
        }
    }
    goap_check_set_up(ploy_goap_type_finish(data->type) == PLOY_OK);
    data->goal[0] = ploy_goap_is(chains[1], GOAP_STEPS);
    data->goal[1] = ploy_goap_is(chains[3], GOAP_STEPS);
    goap_check_set_up(ploy_goap_type_words(data->type) <= 4);
}

void bench_decide_goap(bench_run *run) {
    static const ploy_goap_heuristic heuristics[] = {PLOY_GOAP_MAX, PLOY_GOAP_LANDMARKS,
                                                     PLOY_GOAP_FF};
    ploy_env env = ploy_env_default();
    goap_data data = {0};
    ploy_goap_def def = ploy_goap_def_default();
    goap_build(&data, &env);
    def.heuristic = heuristics[bench_size(run)];
    if (def.heuristic == PLOY_GOAP_FF) def.method = PLOY_GOAP_GREEDY;
    goap_check_set_up(ploy_goap_create(&def, data.type, &env, &data.goap) == PLOY_OK);
    goap_work(&data);
    data.length = ploy_goap_plan(data.goap, data.plan, 64);
    bench_measure(run, bench_call(goap_work, &data, 1), bench_nothing(),
                  bench_call(goap_floor, &data, 1));
    // Ten actions: 1, 2, 3, 1 and 2, twice.
    if (data.length != 10 || ploy_goap_cost(data.goap) != 18.0) {
        bench_fail(run, "the plan is not the cheapest");
    }
    ploy_goap_destroy(data.goap);
    ploy_goap_type_destroy(data.type);
}
