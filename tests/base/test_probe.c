// Numbers read out of descriptions.
#include "ploy/base/probe.h"
#include "tests/test.h"

static void thing_describe(ploy_describe *out) {
    ploy_describe_i64(out, "lives", PLOY_STATE, 3);
    ploy_describe_begin(out, "summary");
    ploy_describe_vec2(out, "score", PLOY_STATE, 2.0f, 5.0f);
    ploy_describe_bool(out, "over", PLOY_DERIVED, true);
    ploy_describe_begin(out, "deep");
    ploy_describe_u64(out, "count", PLOY_NOTE, 7);
    ploy_describe_end(out);
    ploy_describe_f32(out, "late", PLOY_STATE, 0.5f);
    ploy_describe_end(out);
    ploy_describe_begin_item(out, 4);
    ploy_describe_vec3(out, "at", PLOY_STATE, 1.0f, 2.0f, -3.0f);
    ploy_describe_text(out, "name", PLOY_STATE, "guard");
    ploy_describe_end(out);
    ploy_describe_f64(out, "lives", PLOY_STATE, 9.0);
}

TEST(paths_name_values_in_groups) {
    static const struct {
        const char *path;
        bool found;
        double value;
    } rows[] = {
        {"lives", true, 3.0}, // the first of that name
        {"summary.score.x", true, 2.0},
        {"summary.score.y", true, 5.0},
        {"summary.score.z", false, 0.0},
        {"summary.score", false, 0.0},
        {"summary.over", true, 1.0},
        {"summary.deep.count", true, 7.0},
        {"summary.late", true, 0.5},
        {"4.at.z", true, -3.0},
        {"4.at.zz", false, 0.0},
        {"4.name", false, 0.0},
        {"late", false, 0.0},
        {"liv", false, 0.0},
        {"", false, 0.0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].path;
        double out[2] = {-1.0, -1.0};
        const char *paths[2] = {rows[i].path, "summary.late"};
        ploy_probe probe;
        ploy_probe_init(&probe, paths, 2, out);
        ploy_describe sink = ploy_probe_describe(&probe);
        thing_describe(&sink);
        CHECK_SAME(out[0], rows[i].value);
        CHECK_SAME(out[1], 0.5);
        CHECK_INT(ploy_probe_missing(&probe), rows[i].found ? -1 : 0);
    }
}

TEST(deep_and_long_groups_are_passed_over) {
    char name[PLOY_PROBE_PATH_MAX];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    const char *paths[2] = {"after.value", "g.g.value"};
    double out[2];
    ploy_probe probe;
    ploy_probe_init(&probe, paths, 2, out);
    ploy_describe sink = ploy_probe_describe(&probe);
    ploy_describe_begin(&sink, name);
    ploy_describe_f64(&sink, "value", PLOY_STATE, 1.0);
    ploy_describe_end(&sink);
    for (int32_t i = 0; i < 2 * PLOY_PROBE_DEPTH_MAX; i++) {
        if (i == 2) ploy_describe_f64(&sink, "value", PLOY_STATE, 2.0);
        ploy_describe_begin(&sink, "g");
    }
    ploy_describe_f64(&sink, "value", PLOY_STATE, 3.0);
    for (int32_t i = 0; i < 2 * PLOY_PROBE_DEPTH_MAX; i++) ploy_describe_end(&sink);
    ploy_describe_begin(&sink, "after");
    ploy_describe_f64(&sink, "value", PLOY_STATE, 4.0);
    ploy_describe_end(&sink);
    CHECK_INT(ploy_probe_missing(&probe), -1);
    CHECK_SAME(out[0], 4.0);
    CHECK_SAME(out[1], 2.0);
}
