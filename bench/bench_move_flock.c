// Flocks, and what one call of each single behavior costs.
//
// The work of one agent and step of a flock: sorting into cells, looking at about 20 neighbours,
// separation, alignment, cohesion, and the step itself. Agents creep, so that the scene stays as it
// began and both sides have the same neighbours, which is checked.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/base/jobs.h"
#include "ploy/move/align.h"
#include "ploy/move/collision.h"
#include "ploy/move/escort.h"
#include "ploy/move/flock.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"
#include "ploy/move/intercept.h"
#include "ploy/move/match.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pursue.h"

enum { FLOCK_NEIGHBOURS = 20, FLOCK_GRAIN = 4096 };
#define FLOCK_RADIUS 3.0
#define FLOCK_DT (1.0f / 60.0f)

typedef struct flock_bench {
    int32_t count, steps;
    ploy_flock *flock;
    float *lanes; // one block: x, y, orientation, vx, vy, ax, ay
    ploy_kinematics agents;
    ploy_steerings wishes;
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
    data.wishes = ploy_steerings_make(count, l + 5 * n, l + 6 * n, NULL, NULL, sizeof(float));
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
    ploy_integrate_batch(&data->motion, &data->agents, first, count, &data->wishes, FLOCK_DT);
}

static void flock_bench_steps(void *self) {
    flock_bench *data = self;
    for (int32_t i = 0; i < data->steps; i++) {
        ploy_flock_update_all(data->flock, &data->agents, data->jobs);
        ploy_flock_step_all(data->flock, data->jobs, &data->wishes);
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

// ---- single behaviors ----

enum { SINGLE_AGENTS = 256, SINGLE_REPEATS = 20 };

typedef struct single_bench {
    int64_t which;
    ploy_kinematic agents[SINGLE_AGENTS + 2];
    ploy_steering wishes[SINGLE_AGENTS];
    ploy_circle circles[8];
    ploy_vec2 path[8];
    ploy_pursue_def pursue;
    ploy_intercept_def intercept;
    ploy_interpose_def interpose;
    ploy_offset_pursuit_def offset_pursuit;
    ploy_align_def align;
    ploy_match_def match;
    ploy_path_follow_def path_follow;
    ploy_obstacle_def obstacle;
    ploy_collision_def collision;
    ploy_hide_def hide;
} single_bench;

static ploy_steering single_bench_one(single_bench *data, int32_t i) {
    ploy_kinematic agent = data->agents[i], a = data->agents[i + 1], b = data->agents[i + 2];
    ploy_polyline path = ploy_polyline_make(data->path, 8, true);
    ploy_kinematics eight = ploy_kinematics_of(&data->agents[i & ~7], 8);
    float along = 0.0f;
    switch (data->which) {
    case 0: return ploy_pursue(&data->pursue, agent, a);

    case 1: return ploy_intercept(&data->intercept, agent, a);

    case 2: return ploy_interpose(&data->interpose, agent, a, b);

    case 3: return ploy_offset_pursuit(&data->offset_pursuit, agent, a, b.position);

    case 4: return ploy_face(&data->align, agent, a.position);

    case 5: return ploy_match_velocity(&data->match, agent, a.velocity);

    case 6: return ploy_path_follow(&data->path_follow, agent, &path, &along);

    case 7: return ploy_avoid_obstacles(&data->obstacle, agent, data->circles, 8);

    case 8: return ploy_avoid_collision(&data->collision, agent, &eight, i & 7);

    default: return ploy_hide(&data->hide, agent, a, data->circles, 8);
    }
}

static void single_bench_calls(void *self) {
    single_bench *data = self;
    for (int32_t repeat = 0; repeat < SINGLE_REPEATS; repeat++) {
        for (int32_t i = 0; i < SINGLE_AGENTS; i++) data->wishes[i] = single_bench_one(data, i);
        bench_keep(data->wishes);
    }
}

void bench_move_single(bench_run *run) {
    single_bench data;
    data.which = bench_size(run);
    data.pursue = ploy_pursue_def_default();
    data.intercept = ploy_intercept_def_default();
    data.interpose = ploy_interpose_def_default();
    data.offset_pursuit = ploy_offset_pursuit_def_default();
    data.align = ploy_align_def_default();
    data.match = ploy_match_def_default();
    data.path_follow = ploy_path_follow_def_default();
    data.obstacle = ploy_obstacle_def_default();
    data.collision = ploy_collision_def_default();
    data.hide = ploy_hide_def_default();
    uint32_t random = 1;
    for (int32_t i = 0; i < SINGLE_AGENTS + 2; i++) {
        float n[5];
        for (int32_t k = 0; k < 5; k++) n[k] = (float)flock_bench_random(&random);
        data.agents[i] = ploy_kinematic_make(ploy_vec2_make(40.0f * n[0], 40.0f * n[1]), n[2]);
        data.agents[i].velocity = ploy_vec2_make(10.0f * n[3], 10.0f * n[4]);
    }
    for (int32_t i = 0; i < 8; i++) {
        data.circles[i] = ploy_circle_make(data.agents[i].position, 1.0f);
        data.path[i] = data.agents[i].position;
    }
    bench_measure(run,
                  bench_call(single_bench_calls, &data, (double)SINGLE_AGENTS * SINGLE_REPEATS),
                  bench_nothing(), bench_nothing());
}
