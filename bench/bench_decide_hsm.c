// Hierarchical machines: 1,000 cleaning robots of four states with a deep history, each sent an
// event a step, beside two nested switches that keep the same history by hand.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/decide/hsm.h"

enum { HSM_ROBOTS = 1000, HSM_EVENTS = 4 };
enum { HSM_TRASH, HSM_LOW, HSM_FULL, HSM_DISPOSED };
enum { HSM_SEARCH, HSM_PICK };

static const char *const hsm_events[HSM_EVENTS] = {"trash", "power.low", "power.full", "disposed"};

typedef struct hsm_data {
    ploy_hsm_type *type;
    ploy_hsm **robots;
    bool *refuels; // of the switches
    int32_t *inner;
} hsm_data;

static void hsm_check(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

// Robot i hears the events in turn, beginning with its own.
static int32_t hsm_event(int32_t robot, int32_t turn) {
    return (robot + turn) % HSM_EVENTS;
}

static void hsm_by_chart(void *self) {
    hsm_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    ploy_hsm_event events[HSM_EVENTS];
    for (int32_t i = 0; i < HSM_EVENTS; i++) events[i] = ploy_hsm_event_make(hsm_events[i]);
    for (int32_t turn = 0; turn < HSM_EVENTS; turn++) {
        for (int32_t i = 0; i < HSM_ROBOTS; i++) {
            ploy_status status;
            (void)ploy_hsm_send(data->robots[i], &events[hsm_event(i, turn)]);
            (void)ploy_behavior_step(ploy_hsm_behavior(data->robots[i]), &context, &status);
        }
    }
}

static void hsm_switch(hsm_data *data, int32_t robot, int32_t event) {
    if (data->refuels[robot]) {
        if (event == HSM_FULL) data->refuels[robot] = false;
        return;
    }
    if (event == HSM_LOW) {
        data->refuels[robot] = true; // inner stays: the history
        return;
    }
    switch (data->inner[robot]) {
    case HSM_SEARCH:
        if (event == HSM_TRASH) data->inner[robot] = HSM_PICK;
        break;
    default:
        if (event == HSM_DISPOSED) data->inner[robot] = HSM_SEARCH;
        break;
    }
}

static void hsm_by_switch(void *self) {
    hsm_data *data = self;
    for (int32_t turn = 0; turn < HSM_EVENTS; turn++) {
        for (int32_t i = 0; i < HSM_ROBOTS; i++) hsm_switch(data, i, hsm_event(i, turn));
    }
    bench_keep(data->inner);
}

static ploy_hsm_state hsm_state(hsm_data *data, const char *id, ploy_hsm_state parent,
                                ploy_hsm_kind kind) {
    return ploy_hsm_type_state(data->type, id, parent, kind, NULL, ploy_maker_none());
}

static void hsm_build(hsm_data *data, const ploy_env *env) {
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_check(ploy_hsm_type_create(&def, NULL, env, &data->type) == PLOY_OK);
    ploy_hsm_state clean = hsm_state(data, "clean", ploy_hsm_root(), PLOY_HSM_STATE);
    ploy_hsm_state search = hsm_state(data, "search", clean, PLOY_HSM_STATE);
    ploy_hsm_state pick = hsm_state(data, "pick", clean, PLOY_HSM_STATE);
    ploy_hsm_state last = hsm_state(data, "last", clean, PLOY_HSM_DEEP_HISTORY);
    ploy_hsm_state refuel = hsm_state(data, "refuel", ploy_hsm_root(), PLOY_HSM_STATE);
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("seen", search, hsm_events[HSM_TRASH], &pick),
        ploy_hsm_rule_make("done", pick, hsm_events[HSM_DISPOSED], &search),
        ploy_hsm_rule_make("low", clean, hsm_events[HSM_LOW], &refuel),
        ploy_hsm_rule_make("full", refuel, hsm_events[HSM_FULL], &last),
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        hsm_check(ploy_hsm_type_add(data->type, &rules[i]) == PLOY_OK);
    }
    hsm_check(ploy_hsm_type_finish(data->type) == PLOY_OK);
}

void bench_decide_hsm(bench_run *run) {
    ploy_env env = ploy_env_default();
    hsm_data data = {0};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    hsm_build(&data, &env);
    data.robots = calloc(HSM_ROBOTS, sizeof *data.robots);
    data.refuels = calloc(HSM_ROBOTS, sizeof *data.refuels);
    data.inner = calloc(HSM_ROBOTS, sizeof *data.inner);
    hsm_check(data.robots != NULL && data.refuels != NULL && data.inner != NULL);
    for (int32_t i = 0; i < HSM_ROBOTS; i++) {
        hsm_check(ploy_hsm_create(data.type, NULL, &env, &data.robots[i]) == PLOY_OK);
        hsm_check(ploy_behavior_enter(ploy_hsm_behavior(data.robots[i]), &context) == PLOY_OK);
    }
    double events = (double)HSM_ROBOTS * HSM_EVENTS;
    bench_measure(run, bench_call(hsm_by_chart, &data, events), bench_nothing(),
                  bench_call(hsm_by_switch, &data, events));
    for (int32_t i = 0; i < HSM_ROBOTS; i++) {
        const char *state = data.refuels[i]               ? "refuel"
                            : data.inner[i] == HSM_SEARCH ? "search"
                                                          : "pick";
        if (!ploy_hsm_is_in(data.robots[i], state)) {
            bench_fail(run, "the chart and the switches disagree");
        }
        ploy_behavior_exit(ploy_hsm_behavior(data.robots[i]), &context, PLOY_EXIT_REMOVED);
        ploy_hsm_destroy(data.robots[i]);
    }
    ploy_hsm_type_destroy(data.type);
    free(data.robots);
    free(data.refuels);
    free(data.inner);
}
