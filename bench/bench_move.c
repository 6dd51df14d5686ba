// Movement: ten thousand agents, each seeking its own point.
//
// The work of one agent and step is that of Yuka's Vehicle with a SeekBehavior: desired minus
// present velocity as the force, semi-implicit Euler with a speed limit, orientation along the
// velocity. Both sides start from the same numbers, take the same steps, and are compared at the
// end: a peer that does something else would prove nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"

enum { MOVE_AGENTS = 10000, MOVE_STEPS = 20, MOVE_SCENE_M = 200 };
#define MOVE_DT (1.0f / 60.0f)

typedef struct move_data {
    int32_t count;
    int32_t repeats; // of a pass
    ploy_seek_def seek;
    ploy_integrate_def integrate;
    float *lanes; // one block for all of these
    float *x, *y, *orientation, *vx, *vy, *tx, *ty, *ax, *ay;
    float *copies; // where the floor copies to
    ploy_kinematic *agents;
    ploy_vec2 *targets;
    ploy_steering *steerings;
} move_data;

enum { MOVE_LANES = 9 };

// The generator that the peers have too (Numerical Recipes' 32-bit one).
static float move_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / 16777216.0 * MOVE_SCENE_M - MOVE_SCENE_M / 2.0);
}

static void *move_alloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    return memory;
}

static move_data move_make(int32_t count, int32_t repeats) {
    move_data data;
    memset(&data, 0, sizeof data);
    size_t n = (size_t)count;
    data.count = count;
    data.repeats = repeats;
    data.lanes = move_alloc(n * MOVE_LANES, sizeof(float));
    data.copies = move_alloc(n * MOVE_LANES, sizeof(float));
    float **lane[MOVE_LANES] = {&data.x,  &data.y,  &data.orientation, &data.vx, &data.vy,
                                &data.tx, &data.ty, &data.ax,          &data.ay};
    for (size_t i = 0; i < MOVE_LANES; i++) *lane[i] = data.lanes + i * n;
    data.agents = move_alloc(n, sizeof *data.agents);
    data.targets = move_alloc(n, sizeof *data.targets);
    data.steerings = move_alloc(n, sizeof *data.steerings);
    uint32_t random = 1;
    for (size_t i = 0; i < n; i++) {
        data.x[i] = move_random(&random);
        data.y[i] = move_random(&random);
        data.tx[i] = move_random(&random);
        data.ty[i] = move_random(&random);
        data.agents[i] = ploy_kinematic_make(ploy_vec2_make(data.x[i], data.y[i]), 0.0f);
        data.targets[i] = ploy_vec2_make(data.tx[i], data.ty[i]);
    }
    data.seek = ploy_seek_def_default();
    data.seek.max_speed = 5.0f;
    data.seek.time_to_target = 1.0f; // Yuka's force is the error itself
    data.seek.max_acceleration = 100.0f;
    data.integrate = ploy_integrate_def_default();
    data.integrate.max_speed = 5.0f;
    return data;
}

static void move_free(move_data *data) {
    free(data->lanes);
    free(data->copies);
    free(data->agents);
    free(data->targets);
    free(data->steerings);
}

static ploy_kinematics move_view(const move_data *data) {
    return ploy_kinematics_make(data->count, data->x, data->y, data->orientation, data->vx,
                                data->vy, NULL, sizeof(float));
}

// Seek, integrate, look: every agent, `repeats` times.
static void move_steps(void *self) {
    move_data *data = self;
    ploy_kinematics agents = move_view(data);
    ploy_points targets = {data->tx, data->ty, sizeof(float), data->count};
    ploy_steerings steerings =
        ploy_steerings_make(data->count, data->ax, data->ay, NULL, NULL, sizeof(float));
    for (int32_t i = 0; i < data->repeats; i++) {
        ploy_seek_batch(&data->seek, &agents, 0, data->count, &targets, &steerings);
        ploy_integrate_batch(&data->integrate, &agents, 0, data->count, &steerings, MOVE_DT);
    }
    bench_keep(data->x);
}

static void move_copies(void *self) {
    move_data *data = self;
    for (int32_t i = 0; i < data->repeats; i++) {
        memcpy(data->copies, data->lanes, (size_t)data->count * MOVE_LANES * sizeof(float));
        bench_keep(data->copies);
    }
}

static void move_seek_batch(void *self) {
    move_data *data = self;
    ploy_kinematics agents = move_view(data);
    ploy_points targets = {data->tx, data->ty, sizeof(float), data->count};
    ploy_steerings steerings =
        ploy_steerings_make(data->count, data->ax, data->ay, NULL, NULL, sizeof(float));
    for (int32_t i = 0; i < data->repeats; i++) {
        ploy_seek_batch(&data->seek, &agents, 0, data->count, &targets, &steerings);
        bench_keep(data->ax);
    }
}

static void move_seek_single(void *self) {
    move_data *data = self;
    for (int32_t i = 0; i < data->repeats; i++) {
        for (int32_t k = 0; k < data->count; k++) {
            data->steerings[k] = ploy_seek(&data->seek, data->agents[k], data->targets[k]);
        }
        bench_keep(data->steerings);
    }
}

void bench_move_seek(bench_run *run) {
    move_data data = move_make(MOVE_AGENTS, MOVE_STEPS);
    double operations = (double)MOVE_AGENTS * MOVE_STEPS;
    bench_side peer = bench_node(run, "yuka_seek.mjs");
    bench_measure(run, bench_call(move_steps, &data, operations), peer,
                  bench_call(move_copies, &data, operations));
    // Both have taken the same number of steps: the agents must be in the same places.
    double theirs = 0.0, ours = 0.0;
    for (int32_t i = 0; i < data.count; i++) {
        double x = (double)data.x[i], y = (double)data.y[i];
        ours += fabs(x) + fabs(y) + fabs((double)data.orientation[i]);
    }
    ours /= data.count;
    if (bench_ask(run, peer, "place", &theirs) && !(fabs(ours - theirs) < 1e-3 * theirs)) {
        char why[128];
        snprintf(why, sizeof why, "the peer's agents are elsewhere: %.6g, ours %.6g", theirs, ours);
        bench_fail(run, why);
    }
    move_free(&data);
}

void bench_move_seek_batch(bench_run *run) {
    move_data data = move_make(MOVE_AGENTS, MOVE_STEPS);
    double operations = (double)MOVE_AGENTS * MOVE_STEPS;
    bench_measure(run, bench_call(move_seek_batch, &data, operations),
                  bench_call(move_seek_single, &data, operations), bench_nothing());
    for (int32_t i = 0; i < data.count; i++) {
        ploy_vec2 single = data.steerings[i].linear;
        if (single.x != data.ax[i] || single.y != data.ay[i]) {
            bench_fail(run, "single and batch differ");
            break;
        }
    }
    move_free(&data);
}

static void move_steps_single(void *self) {
    move_data *data = self;
    for (int32_t i = 0; i < data->repeats; i++) {
        for (int32_t k = 0; k < data->count; k++) {
            ploy_kinematic agent = data->agents[k];
            ploy_steering steering = ploy_seek(&data->seek, agent, data->targets[k]);
            data->agents[k] = ploy_integrate(&data->integrate, agent, steering, MOVE_DT);
        }
        bench_keep(data->agents);
    }
}

void bench_move_step_single(bench_run *run) {
    move_data data = move_make(MOVE_AGENTS, MOVE_STEPS);
    bench_measure(run, bench_call(move_steps_single, &data, (double)MOVE_AGENTS * MOVE_STEPS),
                  bench_nothing(), bench_nothing());
    move_free(&data);
}

void bench_move_step(bench_run *run) {
    int32_t count = (int32_t)bench_size(run);
    int32_t repeats = MOVE_AGENTS * MOVE_STEPS / count;
    move_data data = move_make(count, repeats);
    bench_measure(run, bench_call(move_steps, &data, (double)count * repeats), bench_nothing(),
                  bench_nothing());
    move_free(&data);
}
