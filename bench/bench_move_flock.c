// Flocks.
//
// The work of one agent and step of a flock: sorting into cells, looking at about 20 neighbours,
// separation, alignment, cohesion, and the step itself. Agents creep, so that the scene stays as it
// began and both sides have the same neighbours, which is checked.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/base/jobs.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"

enum { FLOCK_NEIGHBOURS = 20, FLOCK_GRAIN = 4096 };
#define FLOCK_RADIUS 3.0
#define FLOCK_DT (1.0f / 60.0f)

typedef struct flock_bench {
    int32_t count, steps;
    ploy_flock *flock;
    float *lanes; // one block: x, y, orientation, vx, vy, ax, ay
    ploy_kinematics agents;
    ploy_steerings steerings;
    ploy_integrate_def motion;
    const ploy_jobs *jobs;
} flock_bench;

// The generator that the peer has too.
static double flock_bench_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0 - 0.5;
}

static flock_bench flock_bench_make(int32_t count, int32_t steps) {
    flock_bench data;
    data.count = count;
    data.steps = steps;
    data.jobs = NULL;
    data.flock = NULL;
    size_t n = (size_t)count;
    data.lanes = calloc(n * 7, sizeof(float));
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    def.radius = def.separation_radius = (float)FLOCK_RADIUS;
    ploy_env env = ploy_env_default();
    if (data.lanes == NULL || ploy_flock_create(&def, count, &env, &data.flock) != PLOY_OK) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    double side = sqrt(count * 3.14159265358979 * FLOCK_RADIUS * FLOCK_RADIUS / FLOCK_NEIGHBOURS);
    uint32_t random = 1;
    for (size_t i = 0; i < n; i++) {
        data.lanes[i] = (float)(flock_bench_random(&random) * side);
        data.lanes[n + i] = (float)(flock_bench_random(&random) * side);
    }
    float *l = data.lanes;
    data.agents =
        ploy_kinematics_make(count, l, l + n, l + 2 * n, l + 3 * n, l + 4 * n, NULL, sizeof(float));
    data.steerings = ploy_steerings_make(count, l + 5 * n, l + 6 * n, NULL, NULL, sizeof(float));
    data.motion = ploy_integrate_def_default();
    data.motion.max_speed = 1e-3f;
    return data;
}

static void flock_bench_free(flock_bench *data) {
    ploy_flock_destroy(data->flock);
    free(data->lanes);
}

static void flock_bench_move(void *self, int32_t first, int32_t count, int32_t worker) {
    const flock_bench *data = self;
    (void)worker;
    ploy_integrate_batch(&data->motion, &data->agents, first, count, &data->steerings, FLOCK_DT);
}

static void flock_bench_steps(void *self) {
    flock_bench *data = self;
    for (int32_t i = 0; i < data->steps; i++) {
        ploy_flock_update_all(data->flock, &data->agents, data->jobs);
        ploy_flock_step_all(data->flock, data->jobs, &data->steerings);
        ploy_jobs_run(data->jobs, flock_bench_move, data, data->count, FLOCK_GRAIN);
    }
    bench_keep(data->lanes);
}

void bench_move_flock(bench_run *run) {
    int32_t count = (int32_t)bench_size(run), steps = count < 10000 ? 20000 / count : 1;
    flock_bench data = flock_bench_make(count, steps);
    bench_side peer = count == 4000 ? bench_node(run, "yuka_flock.mjs") : bench_nothing();
    bench_measure(run, bench_call(flock_bench_steps, &data, (double)count * steps), peer,
                  bench_nothing());
    double theirs = 0.0, ours = 0.0;
    for (int32_t i = 0; i < count; i++) ours += ploy_flock_neighbours(data.flock, i).count;
    ours /= count;
    if (count == 4000 && bench_ask(run, peer, "neighbours", &theirs) &&
        !(fabs(ours - theirs) < 0.01 * ours)) {
        char why[128];
        snprintf(why, sizeof why, "the peer sees %.3f neighbours, we see %.3f", theirs, ours);
        bench_fail(run, why);
    }
    flock_bench_free(&data);
}

void bench_move_flock_parallel(bench_run *run) {
    int32_t count = (int32_t)bench_size(run);
    flock_bench alone = flock_bench_make(count, 1), shared = flock_bench_make(count, 1);
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    if (ploy_job_pool_create(2, &env, &pool) == PLOY_OK) shared.jobs = ploy_job_pool_jobs(pool);
    bench_measure(run, bench_call(flock_bench_steps, &shared, count),
                  bench_call(flock_bench_steps, &alone, count), bench_nothing());
    for (int32_t i = 0; i < 7 * count; i++) {
        if (alone.lanes[i] != shared.lanes[i]) {
            bench_fail(run, "one and two workers differ");
            break;
        }
    }
    ploy_job_pool_destroy(pool);
    flock_bench_free(&alone);
    flock_bench_free(&shared);
}
