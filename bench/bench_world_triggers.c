// Triggers beside the double loop: every agent tries every trigger.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/world/trigger.h"

enum { TRIGGERS_AGENTS = 1000 };

typedef struct triggers_data {
    int32_t count;
    ploy_triggers *triggers;
    ploy_zone *zones;
    ploy_vec3 agents[TRIGGERS_AGENTS];
    double now;
    int64_t touched, slow_touched; // in the last pass
} triggers_data;

static bool triggers_bench_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const triggers_data *data = user;
    out->frame.position = data->agents[agent.id.index];
    out->frame.orientation = ploy_quat_identity();
    out->radius = 0.5f;
    return true;
}

static void triggers_bench_told(void *user, const ploy_trigger_event *event) {
    (void)event;
    triggers_data *data = user;
    data->touched++;
}

static void triggers_work(void *self) {
    triggers_data *data = self;
    ploy_pose_source poses = {triggers_bench_pose, data};
    data->touched = 0;
    data->now += 1.0;
    (void)ploy_triggers_step(data->triggers, data->now, &poses, triggers_bench_told, data);
}

static void triggers_slow_work(void *self) {
    triggers_data *data = self;
    data->slow_touched = 0;
    for (int32_t i = 0; i < TRIGGERS_AGENTS; i++) {
        for (int32_t k = 0; k < data->count; k++) {
            if (ploy_zone_touches(&data->zones[k], data->agents[i], 0.5f)) data->slow_touched++;
        }
    }
}

// Numerical Recipes' 32-bit generator, in [0, side).
static float triggers_random(uint32_t *state, float side) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / 16777216.0) * side;
}

void bench_world_triggers(bench_run *run) {
    triggers_data *data = calloc(1, sizeof *data);
    if (data == NULL) exit(2);
    data->count = (int32_t)bench_size(run);
    data->zones = calloc((size_t)data->count, sizeof *data->zones);
    ploy_env env = ploy_env_default();
    ploy_triggers_def def = ploy_triggers_def_default();
    bool fine = data->zones != NULL;
    fine = fine && ploy_triggers_create(&def, &env, &data->triggers) == PLOY_OK;
    uint32_t random = 7;
    for (int32_t i = 0; fine && i < data->count; i++) {
        float x = triggers_random(&random, 300.0f), y = triggers_random(&random, 300.0f);
        ploy_trigger_def trigger = ploy_trigger_def_default(); // fires at each test that touches
        trigger.zone = data->zones[i] = ploy_zone_circle(ploy_vec2_make(x, y), 2.0f);
        fine = ploy_triggers_add(data->triggers, &trigger, NULL) == PLOY_OK;
    }
    for (int32_t i = 0; fine && i < TRIGGERS_AGENTS; i++) {
        float x = triggers_random(&random, 300.0f), y = triggers_random(&random, 300.0f);
        data->agents[i] = ploy_vec3_make(x, y, 0.0f);
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i, 1);
        fine = ploy_triggers_add_agent(data->triggers, agent, NULL) == PLOY_OK;
    }
    if (!fine) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    bench_measure(run, bench_call(triggers_work, data, TRIGGERS_AGENTS),
                  bench_call(triggers_slow_work, data, TRIGGERS_AGENTS), bench_nothing());
    if (data->touched != data->slow_touched || data->touched == 0) {
        bench_fail(run, "trying everything gives another answer");
    }
    ploy_triggers_destroy(data->triggers);
    free(data->zones);
    free(data);
}
