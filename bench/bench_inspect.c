// What it costs a game to be watched: its ticks with a client that takes sixty pictures a second of
// the wall clock, acknowledges each and has one agent described, beside the same ticks unwatched.
#include <string.h>

#include "bench/bench.h"
#include "labs/labs.h"
#include "ploy/base/os.h"
#include "ploy/inspect/inspector.h"

enum { INSPECT_BENCH_TICKS = 200, INSPECT_BENCH_AGENTS = 1000 };

typedef struct inspect_bench {
    ploy_sim *watched, *unwatched;
    ploy_inspector *inspector;
    ploy_id client;
    uint64_t clock;
    int64_t pictures;
} inspect_bench;

static void inspect_draw(void *user, ploy_draw *out) {
    ploy_sim_draw(user, out);
}

static void inspect_describe(void *user, ploy_describe *out) {
    ploy_sim_describe(user, out);
}

// One frame of the inspector: time passes, everything that is due is made and taken.
static void inspect_frame(inspect_bench *bench) {
    static const unsigned char acknowledge[8] = {3, PLOY_INSPECTOR_PROTOCOL, 0, 0, 1, 0, 0, 0};
    uint64_t now = ploy_os_clock_ns();
    double seconds = bench->clock != 0 ? 1e-9 * (double)(now - bench->clock) : 0.0;
    bench->clock = now;
    ploy_inspector_step(bench->inspector, seconds, NULL);
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    while (ploy_inspector_send(bench->inspector, bench->client, &bytes, &size, &is_text) ==
           PLOY_OK) {
        bench_keep(bytes);
        if (is_text) continue;
        bench->pictures++;
        ploy_inspector_receive(bench->inspector, bench->client, acknowledge, sizeof acknowledge,
                               false);
    }
}

static void inspect_watched(void *self) {
    inspect_bench *bench = self;
    for (int32_t i = 0; i < INSPECT_BENCH_TICKS; i++) {
        ploy_sim_step(bench->watched, NULL, 0, NULL);
        inspect_frame(bench);
    }
}

static void inspect_unwatched(void *self) {
    inspect_bench *bench = self;
    for (int32_t i = 0; i < INSPECT_BENCH_TICKS; i++) {
        ploy_sim_step(bench->unwatched, NULL, 0, NULL);
    }
    bench->clock = 0; // the time that went by here was not the watched game's
}

static ploy_sim *inspect_game(const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "flock", NULL);
    ploy_fields fields = type->fields();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_value count = ploy_value_i64(INSPECT_BENCH_AGENTS);
    ploy_sim *sim = NULL;
    void *params = ploy_env_alloc(env, fields.size);
    if (params == NULL) return NULL;
    ploy_fields_default(fields, params);
    if (ploy_fields_set(fields, params, "count", &count, NULL) == PLOY_OK) {
        (void)ploy_sim_create(&def, type, params, NULL, env, &sim);
    }
    ploy_env_free(env, params, fields.size);
    return sim;
}

static bool inspect_begin(inspect_bench *bench, const ploy_env *env) {
    static const char *const messages[] = {
        "{\"id\":1,\"do\":\"hello\",\"protocol\":1}",
        "{\"id\":2,\"do\":\"watch\",\"session\":1,\"rate\":60,\"acknowledge\":true,"
        "\"agent\":\"2:1\",\"describe\":\"agent\"}",
    };
    bench->watched = inspect_game(env);
    bench->unwatched = inspect_game(env);
    ploy_inspector_def def = ploy_inspector_def_default();
    if (bench->watched == NULL || bench->unwatched == NULL ||
        ploy_inspector_create(&def, NULL, env, &bench->inspector) != PLOY_OK) {
        return false;
    }
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "flock";
    source.draw = inspect_draw;
    source.describe = inspect_describe;
    source.user = bench->watched;
    if (ploy_inspector_add_source(bench->inspector, &source) != PLOY_OK ||
        ploy_inspector_connect(bench->inspector, PLOY_INSPECT_LOOK, &bench->client) != PLOY_OK) {
        return false;
    }
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        ploy_inspector_receive(bench->inspector, bench->client, messages[i], strlen(messages[i]),
                               true);
    }
    inspect_frame(bench);
    return bench->pictures > 0;
}

void bench_inspect_stream(bench_run *run) {
    ploy_env env = ploy_env_default();
    inspect_bench bench;
    memset(&bench, 0, sizeof bench);
    if (inspect_begin(&bench, &env)) {
        bench_measure(run, bench_call(inspect_watched, &bench, INSPECT_BENCH_TICKS),
                      bench_call(inspect_unwatched, &bench, INSPECT_BENCH_TICKS), bench_nothing());
        if (bench.pictures < 2) bench_fail(run, "no pictures were taken");
    } else {
        bench_fail(run, "the game cannot be watched");
    }
    ploy_inspector_destroy(bench.inspector);
    ploy_sim_destroy(bench.watched);
    ploy_sim_destroy(bench.unwatched);
}
