// What the interface of sources costs: every behavior requested through its source, beside the plain
// calls of the same behaviors.
#include <string.h>

#include "bench/bench.h"
#include "tests/move/source_stage.h"

enum { SOURCE_MOST = 64, SOURCE_REPEATS = 100 };

typedef struct source_bench {
    source_stage stage;
    ploy_steering_context context;
    ploy_steering_source sources[SOURCE_MOST];
    int32_t count;
    ploy_steering steerings[SOURCE_MOST];
    ploy_steering3 steerings3[SOURCE_MOST];
} source_bench;

static ploy_vec2 source_bench_flow(const void *user, ploy_vec2 point) {
    (void)user;
    return ploy_vec2_make(-point.y, point.x);
}

static ploy_vec3 source_bench_flow3(const void *user, ploy_vec3 point) {
    (void)user;
    return ploy_vec3_make(-point.y, point.x, 1.0f);
}

static void source_bench_init(source_bench *data) {
    source_stage *s = &data->stage;
    memset(data, 0, sizeof *data);
    source_stage_defaults(s);
    for (int32_t i = 0; i < SOURCE_OTHERS; i++) {
        float x = 3.0f + 4.0f * (float)i, y = 2.0f - (float)i;
        s->points[i] = ploy_vec2_make(x, y);
        s->points3[i] = ploy_vec3_make(x, y, 1.0f);
        s->others[i] = ploy_kinematic_make(s->points[i], 0.5f);
        s->others[i].velocity = ploy_vec2_make(1.0f, 0.5f);
        s->others3[i] = ploy_kinematic3_make(s->points3[i]);
        s->others3[i].velocity = ploy_vec3_make(1.0f, 0.5f, 0.1f);
        s->circles[i] = ploy_circle_make(s->points[i], 1.0f);
        s->spheres[i] = ploy_sphere_make(s->points3[i], 1.0f);
    }
    s->view = ploy_kinematics_of(s->others, SOURCE_OTHERS);
    s->view3 = ploy_kinematics3_of(s->others3, SOURCE_OTHERS);
    s->point = ploy_vec2_make(9.0f, -2.0f);
    s->point3 = ploy_vec3_make(9.0f, -2.0f, 3.0f);
    s->facing = ploy_quat_from_orientation(1.0f);
    s->path = ploy_polyline_make(s->points, SOURCE_OTHERS, false);
    s->spline = ploy_spline2_make(s->points, SOURCE_OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    s->spline3 = ploy_spline3_make(s->points3, SOURCE_OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    s->field.at = source_bench_flow;
    s->field3.at = source_bench_flow3;
    s->box = ploy_box2_make(ploy_vec2_make(-5, -5), ploy_vec2_make(5, 5));
    s->box3 = ploy_box3_make(ploy_vec3_make(-5, -5, 0), ploy_vec3_make(5, 5, 5));
    s->drift3 = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    ploy_jump_point point = {{5, 0, 0}, {8, 0, 0}, PLOY_JUMP_AT_LEAST, 1.0f, {0, 0}};
    s->leap = ploy_jump_begin(&s->jump, &point, ploy_vec2_zero());
    source_stage_finish(s);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.1f);
    agent.velocity = ploy_vec2_make(2.0f, 0.3f);
    ploy_rng_key key = ploy_rng_key_make(1);
    data->context = ploy_steering_context_make(agent, ploy_agent_id_make(1, 1), 0.02f, 0, key);
    data->context.agent3.velocity = ploy_vec3_make(2.0f, 0.3f, 0.1f);
}

// clang-format off
#define PLANE(name, set, args, draws, ...)                                                       \
    static ploy_result source_bench_##name(source_stage *s, ploy_steering_source *out) {          \
        return ploy_##name##_source args;                                                         \
    }                                                                                             \
    static inline ploy_steering source_plain_##name(source_stage *s,                              \
                                                    const ploy_steering_context *c) {             \
        (void)c;                                                                                  \
        __VA_ARGS__                                                                                      \
    }
#define SPACE(name, set, args, draws, ...)                                                       \
    static ploy_result source_bench_##name(source_stage *s, ploy_steering_source *out) {          \
        return ploy_##name##_source args;                                                         \
    }                                                                                             \
    static inline ploy_steering3 source_plain_##name(source_stage *s,                             \
                                                     const ploy_steering_context *c) {            \
        (void)c;                                                                                  \
        __VA_ARGS__                                                                                      \
    }
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE

static int32_t source_bench_plane(source_bench *data) {
    int32_t n = 0;
#define PLANE(name, set, args, draws, ...) \
    if (source_bench_##name(&data->stage, &data->sources[n]) == PLOY_OK) n++;
#define SPACE(name, set, args, draws, ...)
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE
    return n;
}

static int32_t source_bench_space(source_bench *data) {
    int32_t n = 0;
#define PLANE(name, set, args, draws, ...)
#define SPACE(name, set, args, draws, ...) \
    if (source_bench_##name(&data->stage, &data->sources[n]) == PLOY_OK) n++;
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE
    return n;
}

static void source_bench_plain(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        int32_t n = 0;
#define PLANE(name, set, args, draws, ...) \
    data->steerings[n++] = source_plain_##name(&data->stage, &data->context);
#define SPACE(name, set, args, draws, ...)
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE
        bench_keep(data->steerings);
    }
}

static void source_bench_plain3(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        int32_t n = 0;
#define PLANE(name, set, args, draws, ...)
#define SPACE(name, set, args, draws, ...) \
    data->steerings3[n++] = source_plain_##name(&data->stage, &data->context);
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE
        bench_keep(data->steerings3);
    }
}
// clang-format on

static void source_bench_run(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        for (int32_t i = 0; i < data->count; i++) {
            data->steerings[i] = ploy_steering_source_steer(&data->sources[i], &data->context);
        }
        bench_keep(data->steerings);
    }
}

static void source_bench_run3(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        for (int32_t i = 0; i < data->count; i++) {
            data->steerings3[i] = ploy_steering_source_steer3(&data->sources[i], &data->context);
        }
        bench_keep(data->steerings3);
    }
}

void bench_move_sources(bench_run *run) {
    static source_bench ours, plain;
    bool space = bench_size(run) == 3;
    source_bench_init(&ours);
    source_bench_init(&plain);
    ours.context.spatial = plain.context.spatial = space;
    ours.count = space ? source_bench_space(&ours) : source_bench_plane(&ours);
    double calls = (double)ours.count * SOURCE_REPEATS;
    bench_measure(run, bench_call(space ? source_bench_run3 : source_bench_run, &ours, calls),
                  bench_nothing(),
                  bench_call(space ? source_bench_plain3 : source_bench_plain, &plain, calls));
}
