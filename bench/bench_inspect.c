// What it costs a game to be watched: the same ticks with a page that streams it, and without.
//
// The page is another process. It gets 60 pictures a second of the clock and the state of one agent
// five times a second, as the studio does; the game steps the server once a tick, which is far more
// often than at 60 ticks a second. Every tick must pass on to the page what is due, so the row is
// worth something only if bytes came: that is checked.
#include "bench/bench.h"

#ifdef PLOY_HAS_INSPECT_HTTP
#include <stdio.h>
#include <string.h>

#include "games/games.h"
#include "labs/labs.h"
#include "ploy/base/os.h"
#include "ploy/inspect/http.h"

typedef struct stream_bench {
    int32_t ticks; // of a pass: some tenths of a second
    ploy_sim *watched, *alone;
    ploy_inspect_server *server;
    int64_t pictures;
    uint64_t watched_ns;
} stream_bench;

static void stream_draw(void *user, ploy_draw *out) {
    stream_bench *bench = user;
    bench->pictures++;
    ploy_sim_draw(bench->watched, out);
}

static void stream_describe(void *user, ploy_describe *out) {
    const stream_bench *bench = user;
    ploy_sim_describe(bench->watched, out);
}

static void stream_watched(void *self) {
    stream_bench *bench = self;
    uint64_t begun = ploy_os_clock_ns();
    for (int32_t i = 0; i < bench->ticks; i++) {
        ploy_sim_step(bench->watched, NULL, 0, NULL);
        ploy_inspect_server_step(bench->server, 0);
    }
    bench->watched_ns += ploy_os_clock_ns() - begun;
}

static void stream_alone(void *self) {
    stream_bench *bench = self;
    for (int32_t i = 0; i < bench->ticks; i++) ploy_sim_step(bench->alone, NULL, 0, NULL);
}

// A flock of that many; of none: a match of soccer, whose ticks are sixty times as short.
static ploy_result stream_start(stream_bench *bench, int64_t agents, const ploy_env *env) {
    const ploy_sim_type *type = agents > 0 ? ploy_sim_type_find(ploy_labs(), "flock", NULL)
                                           : ploy_sim_type_find(ploy_games(), "soccer", NULL);
    if (type == NULL) return PLOY_ERR_NOT_FOUND;
    bench->ticks = agents > 0 ? 200 : 12000;
    static unsigned char params[4096];
    ploy_fields fields = type->fields();
    if (fields.size > sizeof params) return PLOY_ERR_CAPACITY;
    ploy_fields_default(fields, params);
    char count[16];
    snprintf(count, sizeof count, "%d", (int)agents);
    ploy_result result =
        agents > 0 ? ploy_fields_set_text(fields, params, "count", count, NULL) : PLOY_OK;
    ploy_sim_def def = ploy_sim_def_default();
    if (result == PLOY_OK) result = ploy_sim_create(&def, type, params, NULL, env, &bench->watched);
    if (result == PLOY_OK) result = ploy_sim_create(&def, type, params, NULL, env, &bench->alone);
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = type->name;
    source.draw = stream_draw;
    source.describe = stream_describe;
    source.user = bench;
    ploy_inspect_server_def server = ploy_inspect_server_def_default();
    server.port = 0;
    if (result == PLOY_OK) {
        result = ploy_inspect_server_create(&server, NULL, NULL, env, &bench->server);
    }
    if (result == PLOY_OK) {
        result = ploy_inspector_add_source(ploy_inspect_server_inspector(bench->server), &source);
    }
    return result;
}

// Lets the page connect; true when the first pictures are on their way.
static bool stream_connect(bench_run *run, bench_side page, stream_bench *bench) {
    char word[64];
    double answer = 0.0;
    snprintf(word, sizeof word, "watch 127.0.0.1 %d", (int)ploy_inspect_server_port(bench->server));
    if (!bench_ask(run, page, word, &answer)) return false;
    for (int32_t i = 0; i < 500 && bench->pictures < 2; i++) {
        ploy_inspect_server_step(bench->server, 10);
    }
    return bench->pictures >= 2;
}

void bench_inspect_stream(bench_run *run) {
    stream_bench bench;
    memset(&bench, 0, sizeof bench);
    ploy_env env = ploy_env_default();
    env.log = NULL;
    bench_side page = bench_node(run, "page.mjs");
    int64_t agents = bench_size(run);
    if (stream_start(&bench, agents, &env) != PLOY_OK) {
        bench_fail(run, "the game cannot be created");
    } else if (!stream_connect(run, page, &bench)) {
        bench_fail(run, "the page does not connect");
    } else {
        bench.pictures = 0;
        bench_measure(run, bench_call(stream_watched, &bench, bench.ticks),
                      bench_call(stream_alone, &bench, bench.ticks), bench_nothing());
        double seconds = 1e-9 * (double)bench.watched_ns, bytes = 0.0;
        bool read = bench_ask(run, page, "bytes", &bytes);
        // Passes of the other side let pictures wait, so a few more than 60 may come.
        if ((double)bench.pictures < 30.0 * seconds) bench_fail(run, "too few pictures were made");
        if (!read || bytes < 10.0 * (double)(agents + 10) * (double)bench.pictures) {
            bench_fail(run, "the page did not read them");
        }
    }
    ploy_inspect_server_destroy(bench.server);
    ploy_sim_destroy(bench.alone);
    ploy_sim_destroy(bench.watched);
}

// ---- flood: frames at 60 a second, in a recorder that is attached

#define FLOOD_FRAME_NS 16666667u

typedef struct flood_bench {
    ploy_recorder *flooded, *alone;
    ploy_inspect_server *server;
    int32_t frames;
    int64_t shown, late; // frames while flooded
    int64_t alone_shown,
        alone_late; // those of the same game beside it: what the machine costs anyway
} flood_bench;

// Waits for the end of the frame; a frame that is over already is lost, and the next one begins now.
// Returns when the next frame begins.
static uint64_t flood_pace(uint64_t begun, bool *late) {
    uint64_t end = begun + FLOOD_FRAME_NS, now = ploy_os_clock_ns();
    *late = now > end;
    while (now < end) now = ploy_os_clock_ns();
    return now;
}

static void flood_flooded(void *self) {
    flood_bench *bench = self;
    uint64_t begun = ploy_os_clock_ns();
    for (int32_t i = 0; i < bench->frames; i++) {
        if (!ploy_inspect_server_holds(bench->server, bench->flooded)) {
            ploy_recorder_step(bench->flooded);
        }
        ploy_inspect_server_step(bench->server, 0);
        bool late = false;
        begun = flood_pace(begun, &late);
        bench->shown++;
        bench->late += late;
    }
}

static void flood_alone(void *self) {
    flood_bench *bench = self;
    uint64_t begun = ploy_os_clock_ns();
    bool late = false;
    for (int32_t i = 0; i < bench->frames; i++) {
        ploy_recorder_step(bench->alone);
        begun = flood_pace(begun, &late);
        bench->alone_shown++;
        bench->alone_late += late;
    }
}

static ploy_result flood_start(flood_bench *bench, int64_t agents, const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "flock", NULL);
    if (type == NULL) return PLOY_ERR_NOT_FOUND;
    static unsigned char params[4096];
    ploy_fields fields = type->fields();
    if (fields.size > sizeof params) return PLOY_ERR_CAPACITY;
    ploy_fields_default(fields, params);
    ploy_value count = ploy_value_i64(agents);
    ploy_result result = ploy_fields_set(fields, params, "count", &count, NULL);
    ploy_recorder_def def = ploy_recorder_def_default();
    if (result == PLOY_OK) {
        result = ploy_recorder_create(&def, type, params, NULL, env, &bench->flooded);
    }
    if (result == PLOY_OK) {
        result = ploy_recorder_create(&def, type, params, NULL, env, &bench->alone);
    }
    if (result != PLOY_OK) return result;
    bench->frames = 60;
    ploy_inspect_server_def server = ploy_inspect_server_def_default();
    server.port = 0;
    result = ploy_inspect_server_create(&server, NULL, NULL, env, &bench->server);
    if (result != PLOY_OK) return result;
    return ploy_inspector_add_recorder(ploy_inspect_server_inspector(bench->server),
                                       bench->flooded);
}

void bench_inspect_flood(bench_run *run) {
    flood_bench bench;
    memset(&bench, 0, sizeof bench);
    ploy_env env = ploy_env_default();
    env.log = NULL;
    bench_side crowd = bench_node(run, "flood.mjs");
    char text[96];
    double answer = 0.0;
    if (flood_start(&bench, bench_size(run), &env) != PLOY_OK) {
        bench_fail(run, "the game cannot be created");
    } else {
        snprintf(text, sizeof text, "watch 127.0.0.1 %d",
                 (int)ploy_inspect_server_port(bench.server));
        if (!bench_ask(run, crowd, text, &answer)) bench_fail(run, "the clients do not connect");
        for (int32_t i = 0; i < 100; i++) ploy_inspect_server_step(bench.server, 10);
        bench_measure(run, bench_call(flood_flooded, &bench, bench.frames),
                      bench_call(flood_alone, &bench, bench.frames), bench_nothing());
        double bytes = 0.0;
        if (!bench_ask(run, crowd, "bytes", &bytes) || bytes < 1e5) {
            bench_fail(run, "the clients got no answers");
        }
        snprintf(text, sizeof text, "%lld of %lld frames were late, unwatched %lld of %lld",
                 (long long)bench.late, (long long)bench.shown, (long long)bench.alone_late,
                 (long long)bench.alone_shown);
        bench_note(run, text);
    }
    ploy_inspect_server_destroy(bench.server);
    ploy_recorder_destroy(bench.alone);
    ploy_recorder_destroy(bench.flooded);
}
#else
void bench_inspect_flood(bench_run *run) {
    bench_fail(run, "this ploy was built without the server");
}
void bench_inspect_stream(bench_run *run) {
    bench_fail(run, "this ploy was built without the server");
}
#endif
