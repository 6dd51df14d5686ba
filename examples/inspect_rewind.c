// A simulation with its past: run it, go back, ask why, fork it and run another future beside it.
// You will see that the same past gives the same hash, and why the walker turned at tick 6.
#include <stdio.h>

#include "ploy/inspect/recorder.h"
#include "ploy/inspect/sinks.h"

typedef struct walk_def {
    uint32_t cookie;
    float speed;
} walk_def;

typedef struct walk {
    float x; // m; the walker turns at 1 and at -1
    float direction;
} walk;

static const ploy_field walk_fields[] = {
    PLOY_FIELD_F32(walk_def, speed, 2, 0, 10, "m/s", "how fast the walker goes"),
};

static ploy_fields walk_table(void) {
    return PLOY_FIELDS(walk_def, walk_fields);
}

static ploy_result walk_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params;
    walk *w = ploy_env_alloc_zero(env, sizeof *w); // in the simulation's region: this is state
    if (w == NULL) return PLOY_ERR_MEMORY;
    w->direction = ploy_rng_u32_at(key, 1, 0, 0) % 2 == 0 ? 1.0f : -1.0f;
    *out = w;
    return PLOY_OK;
}

static ploy_result walk_step(void *self, const ploy_sim_context *context) {
    walk *w = self;
    const walk_def *def = context->params;
    ploy_trace_begin(context->trace, ploy_agent_id_make(1, 1), "turn", "two walls");
    bool turn = w->x * w->direction >= 1.0f;
    ploy_trace_f32(context->trace, "x", w->x);
    ploy_trace_option(context->trace, "turn", turn ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, turn ? "there is the wall" : "the wall is further on");
    ploy_trace_end(context->trace);
    if (turn) w->direction = -w->direction;
    w->x += w->direction * def->speed * context->dt;
    return PLOY_OK;
}

static void walk_draw(const void *self, ploy_draw *out) {
    const walk *w = self;
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1), ploy_vec2_make(w->x, 0),
                    w->direction > 0 ? 0.0f : 3.1415927f, 0.2f);
}

static void walk_describe(const void *self, ploy_describe *out) {
    const walk *w = self;
    ploy_describe_f32(out, "x", PLOY_STATE, w->x);
    ploy_describe_f32(out, "direction", PLOY_STATE, w->direction);
}

static const ploy_sim_type walk_type = {
    .name = "walk",
    .title = "To and fro",
    .help = "One walker, two walls.",
    .version = 1,
    .dt = 0.1f,
    .view = {-2, -1, 2, 1},
    .fields = walk_table,
    .create = walk_create,
    .step = walk_step,
    .draw = walk_draw,
    .describe = walk_describe,
};

static ploy_result print_out(void *user, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, user) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static void show(const ploy_recorder *recorder, const char *what) {
    printf("%-22s tick %2llu of %2llu, hash %016llx\n", what,
           (unsigned long long)ploy_recorder_tick(recorder),
           (unsigned long long)ploy_recorder_end(recorder),
           (unsigned long long)ploy_sim_hash(ploy_recorder_sim(recorder)));
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    def.sim.seed = 7;
    ploy_recorder *recorder = NULL;
    if (ploy_recorder_create(&def, &walk_type, NULL, NULL, &env, &recorder) != PLOY_OK) return 1;

    for (int i = 0; i < 20; i++) ploy_recorder_step(recorder);
    show(recorder, "ran twenty ticks:");
    ploy_recorder_seek(recorder, 6, NULL);
    show(recorder, "went back to six:");

    ploy_writer out = ploy_writer_make(print_out, stdout);
    ploy_trace_text_sink words;
    ploy_trace_text_sink_init(&words, &out, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&words);
    ploy_recorder_why(recorder, &trace); // executes the tick again and comes back
    ploy_trace_text_sink_finish(&words);

    ploy_recorder_seek(recorder, 20, NULL);
    show(recorder, "the same future:");

    ploy_recorder_seek(recorder, 6, NULL);
    ploy_recorder *other = NULL; // what if? The same past, in a second simulation
    if (ploy_recorder_fork(recorder, &env, &other) != PLOY_OK) return 1;
    ploy_input faster = {PLOY_INPUT_PARAMETER, "speed", {{0, 0}}, ploy_value_f32(5), NULL, 0};
    ploy_recorder_input(other, &faster, NULL);
    while (ploy_recorder_tick(other) < 20) ploy_recorder_step(other);
    show(other, "another one, faster:");
    show(recorder, "the first one waits:");
    ploy_recorder_destroy(other);
    ploy_recorder_destroy(recorder);
    return 0;
}
