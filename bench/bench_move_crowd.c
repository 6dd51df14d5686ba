// Crowds: ploy_crowd beside the plain version of the same technique, and DetourCrowd.
//
// Two scenes, agents of radius 1.5 m that walk at 2 m/s to the opposite side, horizon 10 s, ten
// neighbours within 15 m, steps of 0.25 s. 1,000 on a circle of radius 800 m, 5 m apart: steps
// 3,000 to 3,200, when the crowd that jammed in the middle comes apart again. 10,000 in a disc, as
// near to each other: the first 200 steps, in which it is compressed. One operation is one agent's
// step, its request included. Every pass starts from the same moment.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/orca_plain.h"
#include "ploy/base/math.h"
#include "ploy/move/crowd.h"

enum { CROWD_STEPS = 200, CROWD_SHORT = 20, CROWD_SHORTEST = 2, CROWD_WARM = 3000 };
#define CROWD_DT 0.25f
#define CROWD_SPEED 2.0f
#define CROWD_CIRCLE 800.0f

typedef struct crowd_bench {
    int32_t count, steps;
    ploy_crowd *crowd;
    orca_plain plain;
    ploy_orca_agent *start; // of every pass
    ploy_vec2 *goal, *wanted;
    ploy_agent_id *id;
    int64_t infeasible, plain_infeasible; // of the last pass
} crowd_bench;

static void *crowd_bench_alloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    return memory;
}

static ploy_vec2 crowd_bench_wanted(const crowd_bench *data, int32_t i, ploy_vec2 at) {
    return ploy_vec2_limit(ploy_vec2_sub(data->goal[i], at), CROWD_SPEED);
}

static void crowd_bench_step(crowd_bench *data) {
    ploy_kinematics agents = ploy_crowd_agents(data->crowd);
    for (int32_t i = 0; i < data->count; i++) {
        data->wanted[i] = crowd_bench_wanted(data, i, ploy_vec2_make(agents.x[i], agents.y[i]));
    }
    ploy_points wanted = ploy_points_make(data->wanted, data->count);
    ploy_crowd_set_wanted_all(data->crowd, &wanted);
    ploy_crowd_step(data->crowd, CROWD_DT, NULL);
}

static ploy_vec2 crowd_bench_place(int32_t i, int32_t count) {
    double turn = 6.283185307179586;
    if (count <= 1000) {
        double angle = turn * i / count;
        return ploy_vec2_scale(ploy_vec2_make((float)ploy_cos(angle), (float)ploy_sin(angle)),
                               CROWD_CIRCLE);
    }
    // A sunflower: even, without rows. As many square metres each as neighbours on the circle are
    // metres apart, squared.
    double angle = 2.399963229728653 * i;
    double apart = turn * (double)CROWD_CIRCLE / 1000.0;
    double radius = apart * sqrt((i + 0.5) * 2.0 / turn);
    return ploy_vec2_scale(ploy_vec2_make((float)ploy_cos(angle), (float)ploy_sin(angle)),
                           (float)radius);
}

static crowd_bench crowd_bench_make(int32_t count, int32_t steps) {
    crowd_bench data;
    memset(&data, 0, sizeof data);
    size_t n = (size_t)count;
    data.count = count;
    data.steps = steps;
    data.start = crowd_bench_alloc(n, sizeof *data.start);
    data.goal = crowd_bench_alloc(n, sizeof *data.goal);
    data.wanted = crowd_bench_alloc(n, sizeof *data.wanted);
    data.id = crowd_bench_alloc(n, sizeof *data.id);
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = count;
    def.avoid.horizon = 10.0f;
    def.avoid.range = 15.0f;
    def.avoid.max_neighbours = 10;
    ploy_env env = ploy_env_default();
    if (ploy_crowd_create(&def, &env, &data.crowd) != PLOY_OK) exit(2);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 at = crowd_bench_place(i, count);
        ploy_orca_agent agent = ploy_orca_agent_make(at, 1.5f, CROWD_SPEED, 0);
        data.goal[i] = ploy_vec2_negate(at);
        if (ploy_crowd_add(data.crowd, &agent, &data.id[i]) != PLOY_OK) exit(2);
    }
    for (int32_t i = 0; i < CROWD_WARM && count <= 1000; i++) crowd_bench_step(&data);
    for (int32_t i = 0; i < count; i++) ploy_crowd_get(data.crowd, data.id[i], &data.start[i]);
    data.plain.agents = crowd_bench_alloc(n, sizeof *data.plain.agents);
    data.plain.order = crowd_bench_alloc(n, sizeof *data.plain.order);
    data.plain.nodes = crowd_bench_alloc(2 * n, sizeof *data.plain.nodes);
    data.plain.count = count;
    data.plain.horizon = def.avoid.horizon;
    data.plain.range = def.avoid.range;
    data.plain.max_neighbours = def.avoid.max_neighbours;
    return data;
}

static void crowd_bench_free(crowd_bench *data) {
    ploy_crowd_destroy(data->crowd);
    free(data->plain.nodes);
    free(data->plain.order);
    free(data->plain.agents);
    free(data->id);
    free(data->wanted);
    free(data->goal);
    free(data->start);
}

static void crowd_bench_ours(void *self) {
    crowd_bench *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_crowd_set(data->crowd, data->id[i], &data->start[i]);
    }
    data->infeasible = 0;
    for (int32_t step = 0; step < data->steps; step++) {
        crowd_bench_step(data);
        data->infeasible += ploy_crowd_last(data->crowd).infeasible;
    }
    bench_keep(data->crowd);
}

static void crowd_bench_plain(void *self) {
    crowd_bench *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        const ploy_orca_agent *from = &data->start[i];
        orca_plain_agent agent = {from->position, from->velocity,  from->wanted, from->velocity,
                                  from->radius,   from->max_speed, true};
        data->plain.agents[i] = agent;
    }
    data->plain_infeasible = 0;
    for (int32_t step = 0; step < data->steps; step++) {
        for (int32_t i = 0; i < data->count; i++) {
            orca_plain_agent *agent = &data->plain.agents[i];
            agent->wanted = crowd_bench_wanted(data, i, agent->position);
        }
        orca_plain_step(&data->plain, CROWD_DT);
        for (int32_t i = 0; i < data->count; i++) {
            data->plain_infeasible += !data->plain.agents[i].feasible;
        }
    }
    bench_keep(data->plain.agents);
}

void bench_move_crowd(bench_run *run) {
    int32_t count = (int32_t)bench_size(run);
    crowd_bench data = crowd_bench_make(count, CROWD_STEPS);
    double operations = (double)count * CROWD_STEPS;
    bench_measure(run, bench_call(crowd_bench_ours, &data, operations),
                  bench_call(crowd_bench_plain, &data, operations), bench_nothing());
    // Both must have had the same difficulties: the same law, but for rounding and luck.
    if ((double)data.infeasible > 1.1 * (double)data.plain_infeasible) {
        char why[128];
        snprintf(why, sizeof why, "%lld programs were not feasible, %lld of the plain version",
                 (long long)data.infeasible, (long long)data.plain_infeasible);
        bench_fail(run, why);
    }
    crowd_bench_free(&data);
}

// The same scenes in DetourCrowd, on a flat mesh without walls: another technique (it tries
// velocities and scores them) with a path corridor for every agent, so only the order of magnitude
// compares. Every pass begins with a new crowd whose paths are found, which of 10,000 takes it longer
// than the steps that count: two must do, so that the row ends in a few seconds.
void bench_move_crowd_detour(bench_run *run) {
    int32_t count = (int32_t)bench_size(run);
    int32_t steps = count > 1000 ? CROWD_SHORTEST : CROWD_SHORT;
    crowd_bench data = crowd_bench_make(count, steps);
    char text[128];
    snprintf(text, sizeof text, "%d:%d", (int)count, (int)steps);
    bench_side peer = bench_program(run, "detour_crowd", text);
    double done = 1.0;
    for (int32_t i = 0; i < count && done == 1.0; i++) {
        const ploy_orca_agent *agent = &data.start[i];
        snprintf(text, sizeof text, "%.9g:%.9g:%.9g:%.9g:%.9g:%.9g", (double)agent->position.x,
                 (double)agent->position.y, (double)agent->velocity.x, (double)agent->velocity.y,
                 (double)data.goal[i].x, (double)data.goal[i].y);
        if (!bench_ask(run, peer, text, &done)) done = 0.0;
    }
    bench_measure(run, bench_call(crowd_bench_ours, &data, (double)count * steps), peer,
                  bench_nothing());
    crowd_bench_free(&data);
}
