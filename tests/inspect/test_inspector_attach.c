// The recorder of a running game, watched: keys, clicks and parameters arrive, the page pauses,
// rewinds, forks and asks why, and the game goes on when it may.
#include "tests/inspect/inspector_harness.h"

// A game that runs in a recorder and leaves it alone while the inspector holds it.
typedef struct attach_loop {
    harness h;
    ploy_recorder *recorder;
    int32_t frames; // that the game stepped
} attach_loop;

static void attach_start(attach_loop *loop, test_context *t) {
    harness_begin(&loop->h, t);
    loop->frames = 0;
    ploy_recorder_def def = ploy_recorder_def_default();
    def.snapshot_every = 10;
    CHECK_OK(ploy_recorder_create(&def, inspector_sim_types[0], NULL, NULL, &loop->h.env,
                                  &loop->recorder));
    CHECK_OK(ploy_inspector_add_recorder(loop->h.inspector, loop->recorder));
    CHECK_INT(ploy_inspector_add_recorder(loop->h.inspector, loop->recorder), PLOY_ERR_EXISTS);
    ASK_OK(&loop->h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    CHECK_JSON(loop->h.answer, "session.kind", "\"simulation\"");
    CHECK_JSON(loop->h.answer, "session.attached", "true");
    CHECK_JSON(loop->h.answer, "session.playing", "true");
}

static void attach_run(attach_loop *loop, int32_t frames) {
    test_context *t = loop->h.t;
    for (int32_t i = 0; i < frames; i++) {
        if (!ploy_inspector_holds(loop->h.inspector, loop->recorder)) {
            CHECK_OK(ploy_recorder_step(loop->recorder));
            loop->frames++;
        }
        harness_step(&loop->h, 1.0 / 60.0);
    }
}

static void attach_stop(attach_loop *loop) {
    harness_end(&loop->h);
    ploy_recorder_destroy(loop->recorder);
}

static const inspector_sim_state *attach_state(const attach_loop *loop) {
    return ploy_sim_state(ploy_recorder_sim(loop->recorder));
}

TEST(keys_clicks_and_parameters_reach_an_attached_game) {
    attach_loop loop;
    attach_start(&loop, t);
    attach_run(&loop, 5);
    CHECK_INT(loop.frames, 5);
    ASK_OK(&loop.h, "\"do\":\"command\",\"session\":1,\"name\":\"target\",\"value\":[3,4]");
    ASK_OK(&loop.h, "\"do\":\"command\",\"session\":1,\"name\":\"jump\",\"agent\":\"2:1\"");
    ASK_OK(&loop.h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":2.5}");
    attach_run(&loop, 1);
    CHECK_SAME(attach_state(&loop)->target.x, 3.0f);
    CHECK_SAME(attach_state(&loop)->target.y, 4.0f);
    CHECK_INT(attach_state(&loop)->jumper, 2);
    const inspector_sim_def *params = ploy_sim_params(ploy_recorder_sim(loop.recorder));
    CHECK_SAME(params->speed, 2.5f);
    attach_run(&loop, 20);
    CHECK(loop.h.mark_count > 0); // the inputs are on the timeline
    attach_stop(&loop);
}

TEST(an_attached_game_is_paused_rewound_and_played_on) {
    attach_loop loop;
    attach_start(&loop, t);
    attach_run(&loop, 60);
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(loop.recorder));
    ASK_OK(&loop.h, "\"do\":\"pause\",\"session\":1");
    attach_run(&loop, 5);
    CHECK_INT(loop.frames, 60);
    ASK_OK(&loop.h, "\"do\":\"seek\",\"session\":1,\"tick\":23");
    CHECK_UINT(ploy_recorder_tick(loop.recorder), 23);
    ASK_OK(&loop.h, "\"do\":\"step\",\"session\":1,\"ticks\":2");
    CHECK_UINT(ploy_recorder_tick(loop.recorder), 25);
    // Why works at any tick, and the game is where it was afterwards.
    ASK_OK(&loop.h, "\"do\":\"why\",\"session\":1,\"agent\":\"1:1\"");
    CHECK_JSON(loop.h.answer, "tick", "25");
    CHECK_JSON(loop.h.answer, "decisions.0.topic", "\"move\"");
    CHECK_UINT(ploy_recorder_tick(loop.recorder), 25);
    ASK_OK(&loop.h, "\"do\":\"fork\",\"session\":1");
    CHECK_JSON(loop.h.answer, "session.tick", "25");
    ASK_OK(&loop.h, "\"do\":\"play\",\"session\":1");
    attach_run(&loop, 35);
    CHECK_UINT(ploy_recorder_tick(loop.recorder), 60);
    CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(loop.recorder)), hash);
    attach_run(&loop, 1);
    CHECK_UINT(ploy_recorder_end(loop.recorder), 61);
    attach_stop(&loop);
}

TEST(a_game_goes_on_when_no_page_watches_it) {
    attach_loop loop;
    attach_start(&loop, t);
    attach_run(&loop, 3);
    ASK_OK(&loop.h, "\"do\":\"pause\",\"session\":1");
    CHECK(ploy_inspector_holds(loop.h.inspector, loop.recorder));
    ASK_OK(&loop.h, "\"do\":\"unwatch\",\"session\":1");
    CHECK(!ploy_inspector_holds(loop.h.inspector, loop.recorder));
    attach_run(&loop, 3);
    CHECK_INT(loop.frames, 6);
    // Not closed after a while either, as simulations are that nobody watches.
    harness_step(&loop.h, 1e5);
    CHECK_INT(ploy_inspector_session_count(loop.h.inspector), 1);
    ASK_FAILS(&loop.h, "\"do\":\"close\",\"session\":1", "unsupported");
    ASK_FAILS(&loop.h, "\"do\":\"speed\",\"session\":1,\"speed\":2", "unsupported");
    attach_stop(&loop);
}

static ploy_result attach_try(const ploy_env *env, void *user) {
    ploy_recorder *recorder = user;
    ploy_inspector *inspector = NULL;
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_clients = 1;
    ploy_result result = ploy_inspector_create(&def, NULL, env, &inspector);
    if (result != PLOY_OK) return result;
    result = ploy_inspector_add_recorder(inspector, recorder);
    ploy_inspector_destroy(inspector);
    return result;
}

TEST(attaching_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, inspector_sim_types[0], NULL, NULL, &env, &recorder));
    CHECK_FAIL_NTH(attach_try, recorder);
    CHECK_OK(ploy_recorder_step(recorder));
    ploy_recorder_destroy(recorder);
}

// ---- why in slices

TEST(why_is_answered_in_slices_while_the_game_goes_on) {
    attach_loop loop;
    attach_start(&loop, t);
    attach_run(&loop, 58);
    harness_drain(&loop.h);
    harness_send(&loop.h, "\"do\":\"why\",\"session\":1,\"agent\":\"1:1\"");
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    int32_t slices = 0;
    // One tick a slice; the game steps between them and is not disturbed.
    for (;;) {
        ploy_budget budget = ploy_budget_units(1);
        uint64_t hash = ploy_sim_hash(ploy_recorder_sim(loop.recorder));
        ploy_result result =
            ploy_inspector_send(loop.h.inspector, loop.h.client, &budget, &bytes, &size, &is_text);
        CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(loop.recorder)), hash);
        if (result == PLOY_OK && is_text && strstr(bytes, "\"do\":\"why\"") != NULL) break;
        if (result == PLOY_OK) continue;
        CHECK_INT(result, PLOY_IN_PROGRESS);
        CHECK(ploy_inspector_waits(loop.h.inspector, loop.h.client));
        CHECK_OK(ploy_recorder_step(loop.recorder));
        slices++;
        CHECK(slices < 100);
    }
    CHECK(slices >= 5);
    CHECK(strstr(bytes, "\"tick\":58") != NULL); // the tick that was asked about
    CHECK(strstr(bytes, "\"ok\":true") != NULL);
    CHECK(!ploy_inspector_waits(loop.h.inspector, loop.h.client));
    attach_stop(&loop);
}

TEST(a_client_has_one_why_at_a_time) {
    attach_loop loop;
    attach_start(&loop, t);
    attach_run(&loop, 8);
    harness_drain(&loop.h);
    harness_send(&loop.h, "\"do\":\"why\",\"session\":1");
    harness_send(&loop.h, "\"do\":\"why\",\"session\":1");
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    ploy_budget none = ploy_budget_units(0);
    CHECK_OK(ploy_inspector_send(loop.h.inspector, loop.h.client, &none, &bytes, &size, &is_text));
    CHECK(strstr(bytes, "\"state\"") != NULL); // the error
    attach_stop(&loop);
}
