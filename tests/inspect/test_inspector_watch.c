// What a client sees without asking again: pictures, trees, traces, live programs; and that it
// costs no more than it may.
#include <math.h>

#include "inspect/inspect_internal.h"
#include "tests/inspect/inspector_harness.h"

TEST(a_picture_is_laid_out_as_the_protocol_says) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":2}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":3");
    harness_step(&h, 0.1);
    const ploy_buffer *p = &h.picture;
    CHECK_INT(p->bytes[0], 1);
    CHECK_INT(p->bytes[1], 1);
    CHECK_INT(harness_u32(p, 0) >> 16, 32);
    CHECK_UINT(harness_u32(p, 4), 1);  // session
    CHECK_UINT(harness_u32(p, 8), 3);  // tick
    CHECK_UINT(harness_u32(p, 12), 0); // its upper half
    CHECK_UINT(harness_u32(p, 16), 6); // a target, two agents with an arrow each, a label
    CHECK_UINT(harness_u32(p, 20), p->size);
    CHECK_UINT(harness_u32(p, 24), (uint32_t)h.pictures);
    CHECK_UINT(harness_u32(p, 28), 0);
    size_t at = 32;
    // The target: a point of nobody's.
    CHECK_INT(p->bytes[at], PLOY_SHAPE_POINT);
    CHECK_INT(p->bytes[at + 1], PLOY_LAYER_WORLD);
    CHECK_INT(p->bytes[at + 2], PLOY_STYLE_TARGET);
    CHECK_UINT(harness_u32(p, at + 8), 0);
    CHECK_UINT(harness_u32(p, at + 12), 28);
    CHECK_SAME(harness_f32(p, at + 16), 0);
    at += 28;
    // The first agent, where its describe says it is.
    CHECK_INT(p->bytes[at], PLOY_SHAPE_AGENT);
    CHECK_INT(p->bytes[at + 1], PLOY_LAYER_AGENTS);
    CHECK_UINT((uint8_t)p->bytes[at + 3], 255);
    CHECK_UINT(harness_u32(p, at + 4), 1);
    CHECK_UINT(harness_u32(p, at + 8), 1);
    CHECK_UINT(harness_u32(p, at + 12), 36);
    CHECK_SAME(harness_f32(p, at + 28), 0.25f); // radius
    CHECK_SAME(harness_f32(p, at + 32), 0.5f);  // angle
    float x = harness_f32(p, at + 16), y = harness_f32(p, at + 20);
    CHECK_SAME(harness_f32(p, at + 24), 0);
    at += 36;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_ARROW);
    CHECK_UINT(harness_u32(p, at + 12), 40);
    CHECK_SAME(harness_f32(p, at + 16), x);
    CHECK_SAME(harness_f32(p, at + 28), 0);
    at += 40;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_TEXT);
    CHECK_UINT(harness_u32(p, at + 12), 40); // 16 + 12 + 4 + "first" in 8
    CHECK_UINT(harness_u32(p, at + 28), 5);
    CHECK_BYTES(p->bytes + at + 32, "first\0\0\0", 8);
    at += 40 + 36 + 40;
    CHECK_UINT(at, p->size);
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"1:1\"");
    CHECK_SAME((float)harness_number(h.answer, "tree.0.children.0.value.0"), x);
    CHECK_SAME((float)harness_number(h.answer, "tree.0.children.0.value.1"), y);
    harness_end(&h);
}

// Draws one of everything, and things that cannot be shown.
static void watch_draw_all(void *user, ploy_draw *out) {
    int32_t *calls = user;
    (*calls)++;
    ploy_agent_id none = ploy_agent_id_none();
    const ploy_vec2 points[3] = {{0, 0}, {1, 0}, {1, 1}};
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, points[0], points[1]);
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, points, 3);
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, none, points, 3, 0.5f);
    ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, none, points[2], 2);
    ploy_draw_disc(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, none, points[2], 3, 0);
    const ploy_vec2 far = {INFINITY, 0};
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, points[0], far);
    ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, none, points[2], NAN);
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, points, 0);
}

static void watch_describe(void *user, ploy_describe *out) {
    ploy_describe_begin(out, "game");
    ploy_describe_i64(out, "calls", PLOY_NOTE, *(int32_t *)user);
    ploy_describe_end(out);
}

static ploy_inspect_source watch_source(int32_t *calls) {
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "game";
    source.view[2] = source.view[3] = 10;
    source.draw = watch_draw_all;
    source.describe = watch_describe;
    source.user = calls;
    return source;
}

TEST(every_shape_has_its_layout_and_what_is_not_finite_is_left_out) {
    harness h;
    harness_begin(&h, t);
    int32_t calls = 0;
    ploy_inspect_source source = watch_source(&calls);
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    const ploy_buffer *p = &h.picture;
    CHECK_UINT(harness_u32(p, 16), 5);
    CHECK(harness_u32(p, 28) >= 2);
    size_t at = 32;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_LINE);
    CHECK_UINT(harness_u32(p, at + 12), 16 + 4 + 24);
    CHECK_UINT(harness_u32(p, at + 16), 2);
    at += 44;
    CHECK_UINT(harness_u32(p, at + 16), 3);
    CHECK_SAME(harness_f32(p, at + 20 + 24), 1); // x of the third
    at += 56;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_POLYGON);
    CHECK_INT((uint8_t)p->bytes[at + 3], 128);
    at += 56;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_CIRCLE);
    CHECK_UINT(harness_u32(p, at + 12), 32);
    CHECK_SAME(harness_f32(p, at + 28), 2);
    at += 32;
    CHECK_INT(p->bytes[at], PLOY_SHAPE_DISC);
    CHECK_INT((uint8_t)p->bytes[at + 3], 0);
    at += 32;
    CHECK_UINT(at, p->size);
    // Only the layers that are wanted.
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"layers\":[\"regions\",\"agents\"]");
    CHECK_UINT(harness_u32(&h.picture, 16), 1);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"layers\":[]");
    CHECK_UINT(harness_u32(&h.picture, 16), 0);
    CHECK_UINT(h.picture.size, 32);
    harness_end(&h);
}

TEST(a_picture_that_is_full_leaves_items_out_and_counts_them) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_picture_kib = 1;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":1000}");
    CHECK(h.picture.size <= 1024);
    CHECK(h.picture.size > 900);
    CHECK_UINT(harness_u32(&h.picture, 16) + harness_u32(&h.picture, 28), 2002);
    harness_end(&h);
}

TEST(pictures_come_at_the_rate_asked_for_and_only_when_something_moved) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    CHECK_INT(h.pictures, 1);
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    CHECK_INT(h.pictures, 1); // paused
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"rate\":10");
    CHECK_INT(h.pictures, 2); // watch asks for a fresh one
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    CHECK(h.pictures >= 11 && h.pictures <= 13);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"rate\":0");
    int32_t before = h.pictures;
    for (int32_t i = 0; i < 20; i++) harness_step(&h, 0.01);
    CHECK_INT(h.pictures, before);
    harness_end(&h);
}

TEST(a_slow_client_gets_the_newest_picture_and_nothing_piles_up) {
    test_counts counts;
    memset(&counts, 0, sizeof counts);
    ploy_env env = test_counting_env(&counts);
    ploy_inspector_def def = ploy_inspector_def_default();
    harness h;
    harness_begin_def(&h, t, &def);
    ploy_inspector_destroy(h.inspector);
    CHECK_OK(ploy_inspector_create(&def, inspector_sim_types, &env, &h.inspector));
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_WRITE, &h.client));
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":200}");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe\":\"all\",\"why\":true");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1200");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":0"); // snapshots are all there
    ASK_OK(&h, "\"do\":\"play\",\"session\":1,\"speed\":2");
    harness_step(&h, 0.1);
    int64_t bytes = counts.bytes;
    // Nobody fetches for five seconds.
    for (int32_t i = 0; i < 500; i++) CHECK_OK(ploy_inspector_step(h.inspector, 0.01, NULL));
    CHECK(counts.bytes <= bytes + 4096);
    h.pictures = h.states = h.describes = h.whys = 0;
    harness_drain(&h);
    CHECK_INT(h.pictures, 1);
    CHECK_INT(h.states, 1);
    CHECK_INT(h.describes, 1);
    CHECK_INT(h.whys, 1);
    CHECK(harness_u32(&h.picture, 8) > 550); // of now
    harness_end(&h);
    CHECK_INT(counts.bytes, 0);
}

TEST(acknowledged_pictures_wait_for_the_client) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"acknowledge\":true");
    CHECK_INT(h.pictures, 2);
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    for (int32_t i = 0; i < 50; i++) harness_step(&h, 0.02);
    CHECK_INT(h.pictures, 2);
    static const uint8_t taken[8] = {3, 1, 0, 0, 1, 0, 0, 0};
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_inspector_receive(h.inspector, h.client, taken, sizeof taken, false));
        harness_step(&h, 0.02);
        CHECK_INT(h.pictures, 3 + i);
    }
    CHECK(harness_u32(&h.picture, 8) >= 60);
    // Of a session that is not watched: nothing happens.
    static const uint8_t other[8] = {3, 1, 0, 0, 9, 0, 0, 0};
    CHECK_OK(ploy_inspector_receive(h.inspector, h.client, other, sizeof other, false));
    harness_end(&h);
}

TEST(trees_are_whole_or_an_agents_own) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1");
    CHECK_JSON(h.answer, "agent", "null");
    CHECK_JSON(h.answer, "truncated", "false");
    CHECK_JSON(h.answer, "tick", "0");
    CHECK_JSON(h.answer, "tree.0.value", "\"0\"");
    CHECK_JSON(h.answer, "tree.0.type", "\"u64\"");
    CHECK_JSON(h.answer, "tree.1.name", "\"params\"");
    CHECK_JSON(h.answer, "tree.2.name", "\"state\"");
    CHECK_JSON(h.answer, "tree.2.children.0",
               "{\"name\":\"target\",\"value\":[0,0],\"type\":\"vec2\",\"mark\":\"state\"}");
    CHECK_JSON(h.answer, "tree.2.children.1.name", "\"agents\"");
    CHECK_JSON(h.answer, "tree.2.children.1.owner", "none");
    CHECK_JSON(h.answer, "tree.2.children.1.children.2.owner", "\"3:1\"");
    CHECK_JSON(h.answer, "tree.2.children.1.children.2.children.1",
               "{\"name\":\"number\",\"value\":\"2\",\"type\":\"i64\",\"mark\":\"derived\"}");
    CHECK_JSON(h.answer, "tree.2.children.1.children.2.children.2.mark", "\"note\"");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"2:1\"");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "tree")), 1);
    CHECK_JSON(h.answer, "tree.0.owner", "\"2:1\"");
    CHECK_JSON(h.answer, "tree.0.children.1.value", "\"1\"");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"9:1\"");
    CHECK_JSON(h.answer, "tree", "[]");
    ASK_FAILS(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"nobody\"", "argument");
    harness_end(&h);
}

TEST(trees_and_traces_too_large_are_cut_and_stay_whole_json) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_tree_kib = 2;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":500}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1");
    CHECK_JSON(h.answer, "truncated", "true");
    int32_t agents =
        ploy_json_count(h.answer, harness_find(h.answer, "tree.2.children.1.children"));
    CHECK(agents > 2 && agents < 20);
    ASK_OK(&h, "\"do\":\"why\",\"session\":1");
    CHECK_JSON(h.answer, "truncated", "true");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"499:1\"");
    CHECK_JSON(h.answer, "truncated", "false");
    CHECK_JSON(h.answer, "decisions.0.agent", "\"499:1\"");
    harness_end(&h);
}

TEST(why_tells_the_decisions_of_the_present_tick) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_FAILS(&h, "\"do\":\"why\",\"session\":1", "state");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":7");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"2:1\"");
    CHECK_JSON(h.answer, "tick", "7");
    CHECK_JSON(
        h.answer, "decisions",
        "[{\"agent\":\"2:1\",\"topic\":\"move\",\"technique\":\"drift\",\"children\":["
        "{\"option\":\"drift\",\"outcome\":\"won\",\"score\":1,\"reason\":\"nothing better "
        "to do\"},{\"option\":\"sit\",\"outcome\":\"rejected\",\"score\":null,\"reason\":"
        "\"\"},{\"value\":\"speed\",\"type\":\"f32\",\"is\":1},{\"agent\":\"2:1\",\"topic\":"
        "\"shout\",\"technique\":\"none\",\"children\":[{\"note\":\"It keeps quiet.\"}]}]}]");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "decisions")), 3);
    harness_end(&h);
}

TEST(why_tells_the_last_decision_and_the_one_before) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"salt\":\"10\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":9");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"2:1\""); // none was made yet
    CHECK_JSON(h.answer, "decisions", "[]");
    CHECK(ploy_json_is_none(harness_find(h.answer, "last")));
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"2:1\""); // the first one
    CHECK_JSON(h.answer, "decisions.0.topic", "\"move\"");
    CHECK(ploy_json_is_none(harness_find(h.answer, "last")));
    CHECK_JSON(h.answer, "before.tick", "null");
    CHECK_JSON(h.answer, "before.decisions", "[]");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":17");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"2:1\"");
    CHECK_JSON(h.answer, "tick", "27");
    CHECK_JSON(h.answer, "decisions", "[]");
    CHECK_JSON(h.answer, "last_tick", "20");
    CHECK_JSON(h.answer, "last.tick", "20");
    CHECK_JSON(h.answer, "last.decisions.0.agent", "\"2:1\"");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "last.decisions")), 1);
    CHECK_JSON(h.answer, "before.tick", "10");
    CHECK_JSON(h.answer, "before.decisions.0.topic", "\"move\"");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1"); // of everybody: the last, and nothing before it
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "last.decisions")), 3);
    CHECK(ploy_json_is_none(harness_find(h.answer, "before")));
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":0");
    CHECK_JSON(h.answer, "tick", "27"); // where it was
    harness_end(&h);
}

TEST(while_it_runs_why_looks_back_once_for_each_agent) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"salt\":\"1000\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1002");
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"agent\":\"2:1\",\"why\":true");
    for (int32_t i = 0; i < 30 && h.whys == 0; i++) harness_step(&h, 0.02);
    CHECK_JSON(h.why, "last.tick", "1000");
    h.whys = 0;
    for (int32_t i = 0; i < 30 && h.whys == 0; i++) harness_step(&h, 0.02);
    CHECK_INT(h.whys, 1);
    CHECK(ploy_json_is_none(harness_find(h.why, "last")));
    h.whys = 0;
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"agent\":\"3:1\"");
    for (int32_t i = 0; i < 30 && h.whys == 0; i++) harness_step(&h, 0.02);
    CHECK_JSON(h.why, "last.decisions.0.agent", "\"3:1\"");
    harness_end(&h);
}

TEST(a_why_event_under_way_gives_way_to_a_request_and_to_another_agent) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"salt\":\"1000\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1002");
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    static const char *const asks[] = {
        "\"do\":\"why\",\"session\":1,\"agent\":\"3:1\"",
        "\"do\":\"watch\",\"session\":1,\"agent\":\"3:1\"",
    };
    for (size_t i = 0; i < COUNT_OF(asks); i++) {
        t->row = asks[i];
        harness_send(&h, "\"do\":\"watch\",\"session\":1,\"agent\":\"2:1\",\"why\":true");
        h.whys = 0;
        ploy_result result = PLOY_OK;
        for (int32_t k = 0; k < 20 && result == PLOY_OK; k++) { // a tick of those looked through
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_inspector_send(h.inspector, h.client, &budget, &bytes, &size, &is_text);
        }
        CHECK_INT(result, PLOY_IN_PROGRESS);
        CHECK(!ploy_inspector_waits(h.inspector, h.client)); // it is no request
        ASK_OK(&h, asks[i]);
        for (int32_t k = 0; k < 30 && h.whys == 0; k++) harness_step(&h, 0.02);
        CHECK_INT(h.whys, 1);
        CHECK_JSON(h.why, "last.tick", "1000");
        CHECK_JSON(h.why, "agent", i == 0 ? "\"2:1\"" : "\"3:1\""); // the selected one
    }
    harness_end(&h);
}

TEST(a_selected_agents_tree_and_trace_follow_it) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe\":\"agent\",\"why\":true");
    CHECK_INT(h.describes, 0); // nobody is selected
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"agent\":\"2:1\"");
    CHECK_INT(h.describes, 1);
    CHECK_INT(h.whys, 0); // tick 0
    CHECK_JSON(h.describe, "tree.0.owner", "\"2:1\"");
    harness_step(&h, 1);
    CHECK_INT(h.describes, 1); // nothing changed
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    CHECK_INT(h.describes, 2); // at once, because it stands still
    CHECK_INT(h.whys, 1);
    CHECK_JSON(h.why, "agent", "\"2:1\"");
    CHECK_JSON(h.why, "tick", "1");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":-1");
    CHECK_INT(h.describes, 3);
    CHECK_INT(h.whys, 1);
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    CHECK(h.describes >= 7 && h.describes <= 9); // five a second
    CHECK(h.whys >= 5 && h.whys <= 7);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe_rate\":20");
    int32_t before = h.describes;
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    CHECK(h.describes - before >= 17 && h.describes - before <= 21);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"agent\":null");
    before = h.describes;
    harness_step(&h, 0.5);
    CHECK_INT(h.describes, before);
    harness_end(&h);
}

TEST(odd_settings_of_watch_are_refused_and_change_nothing) {
    static const struct {
        const char *members, *path;
    } rows[] = {
        {"\"rate\":61", "\"rate\""},
        {"\"rate\":-1", "\"rate\""},
        {"\"rate\":\"nan\"", "\"rate\""},
        {"\"layers\":\"agents\"", "\"layers\""},
        {"\"layers\":[\"agent\"]", "\"layers\""},
        {"\"layers\":[1]", "\"layers\""},
        {"\"describe\":\"some\"", "\"describe\""},
        {"\"describe\":1", "\"describe\""},
        {"\"describe_rate\":0", "\"describe_rate\""},
        {"\"describe_rate\":31", "\"describe_rate\""},
        {"\"why\":1", "\"why\""},
        {"\"acknowledge\":null", "\"acknowledge\""},
        {"\"agent\":\"2\"", "\"agent\""},
        {"\"agent\":{}", "\"agent\""},
    };
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":1");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].members;
        char text[128];
        snprintf(text, sizeof text, "\"do\":\"watch\",\"session\":1,\"rate\":5,%s",
                 strncmp(rows[i].members, "\"rate", 5) == 0 ? "\"x\":1" : rows[i].members);
        if (strncmp(rows[i].members, "\"rate", 5) == 0) {
            snprintf(text, sizeof text, "\"do\":\"watch\",\"session\":1,%s", rows[i].members);
        }
        ASK_FAILS(&h, text, "argument");
        CHECK_JSON(h.answer, "error.path", rows[i].path);
        ASK_OK(&h, "\"do\":\"list\"");
        CHECK_JSON(h.answer, "sessions.0.watchers", "0");
    }
    harness_end(&h);
}

TEST(a_client_watches_only_so_many_sessions) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_watches = 2;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    int32_t calls = 0;
    ploy_inspect_source source = watch_source(&calls);
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_FAILS(&h, "\"do\":\"open\",\"simulation\":\"drift\"", "capacity");
    ASK_FAILS(&h, "\"do\":\"fork\",\"session\":2", "capacity");
    ASK_FAILS(&h, "\"do\":\"watch\",\"session\":1", "capacity");
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":2");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    harness_end(&h);
}

// ---- live programs

typedef struct watch_settings {
    uint32_t cookie;
    float gravity;
    int32_t lives;
} watch_settings;

static const ploy_field watch_settings_fields[] = {
    PLOY_FIELD_F32(watch_settings, gravity, 9.81f, 0, 100, "m/s^2", "how things fall"),
    PLOY_FIELD_I32_FIXED(watch_settings, lives, 3, 1, 9, "", "how often"),
};

TEST(a_live_program_is_watched_and_tuned_but_not_driven) {
    harness h;
    harness_begin(&h, t);
    int32_t calls = 0;
    watch_settings settings;
    ploy_inspect_source source = watch_source(&calls);
    source.title = "My game";
    source.fields = PLOY_FIELDS(watch_settings, watch_settings_fields);
    ploy_fields_default(source.fields, &settings);
    source.params = &settings;
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"list\"");
    CHECK_JSON(h.answer, "sessions",
               "[{\"session\":1,\"kind\":\"live\",\"name\":\"game\",\"title\":\"My game\","
               "\"watchers\":0}]");
    CHECK_INT(calls, 0); // nobody watches: nothing is drawn
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe\":\"all\"");
    CHECK_JSON(h.answer, "session.params", "{\"gravity\":9.81,\"lives\":3}");
    CHECK_JSON(h.answer, "session.view", "[0,0,10,10]");
    CHECK_JSON(h.answer, "session.tick", "none");
    CHECK_INT(calls, 1);
    CHECK_INT(h.pictures, 1);
    CHECK_JSON(h.describe, "tree.0.children.0.value", "\"1\"");
    for (int32_t i = 0; i < 120; i++) harness_step(&h, 1.0 / 120);
    CHECK(h.pictures >= 58 && h.pictures <= 62);
    CHECK_INT(calls, h.pictures);
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"gravity\":1.62}");
    CHECK_SAME(settings.gravity, 1.62f); // at once
    CHECK_JSON(h.state, "params", "{\"gravity\":1.62,\"lives\":3}");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"gravity\":-1}", "argument");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"lives\":4}", "state");
    CHECK_SAME(settings.gravity, 1.62f);
    ASK_OK(&h, "\"do\":\"reset\",\"session\":1");
    CHECK_SAME(settings.gravity, 9.81f);
    static const char *const rows[] = {
        "\"do\":\"play\",\"session\":1",  "\"do\":\"pause\",\"session\":1",
        "\"do\":\"step\",\"session\":1",  "\"do\":\"seek\",\"session\":1,\"tick\":0",
        "\"do\":\"why\",\"session\":1",   "\"do\":\"fork\",\"session\":1",
        "\"do\":\"save\",\"session\":1",  "\"do\":\"log\",\"session\":1",
        "\"do\":\"close\",\"session\":1", "\"do\":\"command\",\"session\":1,\"name\":\"x\"",
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i];
        ASK_FAILS(&h, rows[i], "unsupported");
    }
    harness_end(&h);
}

static ploy_result watch_command(void *user, const ploy_input *input) {
    int32_t *calls = user;
    if (input->kind != PLOY_INPUT_COMMAND) return PLOY_ERR_ARGUMENT;
    if (strcmp(input->name, "fail") == 0) return PLOY_ERR_STATE;
    if (strcmp(input->name, "odd") == 0) return PLOY_IN_PROGRESS;
    *calls =
        input->name[0] == 'a' ? (int32_t)input->value.as.vec[1] : (int32_t)input->agent.id.index;
    return PLOY_OK;
}

TEST(a_live_program_takes_the_commands_that_it_offers) { // TLS-18
    static const ploy_command commands[] = {
        {"at", "go there", PLOY_VALUE_VEC2, false, "Pointer"},
        {"wake", "wake somebody up", PLOY_VALUE_NONE, true, "w"},
        {"fail", "cannot be done", PLOY_VALUE_NONE, false, NULL},
        {"odd", "answers oddly", PLOY_VALUE_NONE, false, NULL},
    };
    harness h;
    harness_begin(&h, t);
    int32_t calls = 0;
    ploy_inspect_source source = watch_source(&calls);
    source.commands = commands;
    source.command_count = 4;
    CHECK_INT(ploy_inspector_add_source(h.inspector, &source),
              PLOY_ERR_ARGUMENT); // nobody takes them
    source.command = watch_command;
    source.command_count = -1;
    CHECK_INT(ploy_inspector_add_source(h.inspector, &source), PLOY_ERR_ARGUMENT);
    source.command_count = 4;
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"rate\":0");
    CHECK_JSON(h.answer, "session.commands.1",
               "{\"name\":\"wake\",\"help\":\"wake somebody up\",\"value\":\"none\","
               "\"needs_agent\":true,\"key\":\"w\"}");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"at\",\"value\":[1,42]");
    CHECK_INT(calls, 42);
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"wake\",\"agent\":\"7:1\"");
    CHECK_INT(calls, 7);
#define WATCH_COMMAND "\"do\":\"command\",\"session\":1,\"name\":"
    ASK_FAILS(&h, WATCH_COMMAND "\"nothing\"", "not_found");
    ASK_FAILS(&h, WATCH_COMMAND "\"at\",\"value\":true", "argument");
    ASK_FAILS(&h, WATCH_COMMAND "\"wake\"", "argument"); // whom?
    ASK_FAILS(&h, WATCH_COMMAND "\"fail\"", "state");
    ASK_FAILS(&h, WATCH_COMMAND "\"odd\"", "callback");
#undef WATCH_COMMAND
    CHECK_INT(calls, 7);
    harness_end(&h);
}

static float watch_value(const void *user, int32_t cell) {
    (void)user;
    return cell == 2 ? NAN : 0.5f * (float)cell;
}

static void watch_draw_map(void *user, ploy_draw *out) {
    static const char *const names[] = {"low", "high"};
    ploy_draw_map map = {.name = "danger",
                         .unit = "m",
                         .origin = {3, 4},
                         .size = 2,
                         .columns = 2,
                         .rows = 2,
                         .categories = names,
                         .category_count = 2,
                         .value = watch_value};
    (void)user;
    ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
}

TEST(a_map_is_laid_out_as_the_protocol_says) {
    harness h;
    harness_begin(&h, t);
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "map";
    source.draw = watch_draw_map;
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_UINT(h.picture.size, 32); // nobody asked for maps
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"maps\":true");
    const ploy_buffer *p = &h.picture;
    CHECK_UINT(harness_u32(p, 16), 1);
    CHECK_INT(p->bytes[32], PLOY_SHAPE_MAP);
    CHECK_UINT(harness_u32(p, 32 + 12), 16 + 32 + 20 + 16);
    CHECK_SAME(harness_f32(p, 32 + 16), 3);
    CHECK_SAME(harness_f32(p, 32 + 28), 2); // side of a cell
    CHECK_UINT(harness_u32(p, 32 + 32), 2);
    CHECK_UINT(harness_u32(p, 32 + 40), 2); // categories
    CHECK_UINT(harness_u32(p, 32 + 44), 17);
    CHECK(memcmp(p->bytes + 32 + 48, "danger\tm\tlow\thigh\0\0\0", 20) == 0);
    CHECK_SAME(harness_f32(p, 32 + 68 + 4), 0.5f);
    CHECK(isnan(harness_f32(p, 32 + 68 + 8)));
    harness_end(&h);
}

TEST(a_live_program_with_nothing_to_show_is_fine) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_sources = 1;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    CHECK_INT(ploy_inspector_add_source(h.inspector, &source), PLOY_ERR_ARGUMENT);
    source.name = "bare";
    source.fields = PLOY_FIELDS(watch_settings, watch_settings_fields);
    CHECK_INT(ploy_inspector_add_source(h.inspector, &source), PLOY_ERR_ARGUMENT); // no params
    memset(&source.fields, 0, sizeof source.fields);
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    CHECK_INT(ploy_inspector_add_source(h.inspector, &source), PLOY_ERR_CAPACITY);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe\":\"all\",\"why\":true");
    CHECK_UINT(h.picture.size, 32);
    CHECK_JSON(h.describe, "tree", "[]");
    CHECK_INT(h.whys, 0);
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{}", "unsupported");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1");
    harness_end(&h);
}

TEST(watching_a_live_program_allocates_nothing_after_the_first_picture) {
    test_counts counts;
    memset(&counts, 0, sizeof counts);
    ploy_env env = test_counting_env(&counts);
    ploy_inspector_def def = ploy_inspector_def_default();
    harness h;
    harness_begin_def(&h, t, &def);
    ploy_inspector_destroy(h.inspector);
    CHECK_OK(ploy_inspector_create(&def, inspector_sim_types, &env, &h.inspector));
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_WRITE, &h.client));
    int32_t drawn = 0;
    ploy_inspect_source source = watch_source(&drawn);
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"describe\":\"all\"");
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 60; i++) harness_step(&h, 1.0 / 60);
    CHECK_INT(counts.calls, calls);
    CHECK(h.pictures > 50);
    harness_end(&h);
}

TEST(the_server_may_sleep_until_something_is_due) {
    harness h;
    harness_begin(&h, t);
    CHECK_NEAR(ploy_inspector_due_s(h.inspector), 1, 0);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    CHECK_NEAR(ploy_inspector_due_s(h.inspector), 1, 0);
    CHECK(!ployi_inspector_busy(h.inspector));
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    CHECK(ployi_inspector_busy(h.inspector));
    CHECK_NEAR(ploy_inspector_due_s(h.inspector), 1.0 / 60, 1e-6);
    harness_step(&h, 0.01);
    CHECK_NEAR(ploy_inspector_due_s(h.inspector), 1.0 / 60 - 0.01, 1e-6);
    // A picture that nobody takes does not keep it awake all the time.
    CHECK_OK(ploy_inspector_step(h.inspector, 0.01, NULL));
    ASK_OK(&h, "\"do\":\"pause\",\"session\":1");
    CHECK_OK(ploy_inspector_step(h.inspector, NAN, NULL));
    CHECK_OK(ploy_inspector_step(h.inspector, -1, NULL));
    CHECK_NEAR(ploy_inspector_due_s(h.inspector), 1, 0);
    harness_end(&h);
}
