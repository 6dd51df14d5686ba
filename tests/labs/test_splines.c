// The lab `splines`: clicks move, add, remove and ask; it rewinds to the same bytes and allocates
// nothing in a step; every kind draws with any number of points.
#include "ploy/geom/draw.h"
#include "tests/labs/lab_test.h"

static const ploy_sim_type *splines_type(void) {
    return ploy_sim_type_find(ploy_labs(), "splines", NULL);
}

static ploy_sim *splines_start(test_context *t, const char *kind, const char *click,
                               const ploy_env *env) {
    const ploy_sim_type *type = splines_type();
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    if (kind != NULL) CHECK_OK(ploy_fields_set_text(type->fields(), params, "kind", kind, NULL));
    if (click != NULL) CHECK_OK(ploy_fields_set_text(type->fields(), params, "click", click, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static void splines_click_at(test_context *t, ploy_sim *sim, float x, float y) {
    lab_send_at(t, sim, "click", x, y);
}

// What is described, as far as the tests ask for it.
typedef struct splines_seen {
    int64_t points, spans;
    double length, nearest_sq, along;
    bool moved; // a point is at (3, 4)
} splines_seen;

static void splines_seen_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}
static void splines_seen_end(void *user) {
    (void)user;
}
static void splines_seen_value(void *user, const char *name, ploy_mark mark,
                               const ploy_value *value) {
    splines_seen *seen = user;
    (void)mark;
    char text[64];
    ploy_value_print(value, text, sizeof text);
    double number = 0;
    if (sscanf(text, "%lf", &number) != 1) number = 0;
    if (strcmp(name, "points") == 0) seen->points = (int64_t)number;
    if (strcmp(name, "spans") == 0) seen->spans = (int64_t)number;
    if (strcmp(name, "length") == 0) seen->length = number;
    if (strcmp(name, "distance squared") == 0) seen->nearest_sq = number;
    if (strcmp(name, "along") == 0) seen->along = number;
    if (strcmp(name, "point") == 0 && value->as.vec[0] == 3 && value->as.vec[1] == 4) {
        seen->moved = true;
    }
}

static splines_seen splines_look(const ploy_sim *sim) {
    splines_seen seen;
    memset(&seen, 0, sizeof seen);
    ploy_describe out = {splines_seen_begin, splines_seen_end, splines_seen_value, &seen};
    ploy_sim_describe(sim, &out);
    return seen;
}

TEST(clicks_do_what_the_parameter_says) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = splines_start(t, NULL, "move", &env);
    splines_seen before = splines_look(sim);
    CHECK_INT(before.points, 12);
    CHECK_INT(before.spans, 12);
    CHECK(before.length > 40);
    CHECK(!before.moved);
    splines_click_at(t, sim, 3, 4);
    CHECK(splines_look(sim).moved);
    CHECK_INT(splines_look(sim).points, 12);
    CHECK(splines_look(sim).length != before.length);
    ploy_sim_destroy(sim);

    sim = splines_start(t, NULL, "ask", &env);
    double from_middle = splines_look(sim).nearest_sq;
    splines_click_at(t, sim, 500, 0);
    CHECK(splines_look(sim).nearest_sq > 400.0 * 400.0 && from_middle < 400.0);
    splines_click_at(t, sim, 1e9f, -1e9f); // held within reach
    CHECK(splines_look(sim).nearest_sq < 1e7);
    ploy_sim_destroy(sim);

    sim = splines_start(t, NULL, "add", &env);
    for (int32_t i = 0; i < 100; i++) splines_click_at(t, sim, (float)(i % 10), (float)(i / 10));
    CHECK_INT(splines_look(sim).points, 64); // and no more
    CHECK(splines_look(sim).moved);          // (3, 4) was among them
    ploy_sim_destroy(sim);

    sim = splines_start(t, NULL, "remove", &env);
    for (int32_t i = 0; i < 20; i++) {
        splines_click_at(t, sim, 0, 0);
        CHECK_INT(splines_look(sim).points, i < 12 ? 11 - i : 0);
    }
    CHECK_INT(splines_look(sim).spans, 0);
    ploy_sim_destroy(sim);
}

TEST(the_runner_keeps_its_pace_all_around) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = splines_start(t, NULL, NULL, &env);
    double length = splines_look(sim).length;
    double steps = 0;
    for (int32_t i = 0; i < 5000; i++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        steps++;
        if (i > 10 && splines_look(sim).along < 0.1) break;
    }
    CHECK_NEAR(steps / 60 * 4, length, 0.2); // 4 m/s
    ploy_sim_destroy(sim);
}

static void splines_count_item(void *user, const ploy_draw_item *item) {
    int32_t *count = user;
    for (int32_t i = 0; i < item->count; i++) {
        if (!ploy_vec3_is_finite(item->points[i])) *count = -1000000;
    }
    ++*count;
}

TEST(every_kind_draws_with_any_number_of_points) {
    ploy_env env = ploy_env_default();
    static const char *const kinds[] = {"uniform", "centripetal", "chordal", "bezier", "hermite"};
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        t->row = kinds[k];
        ploy_sim *sim = splines_start(t, kinds[k], "remove", &env);
        for (int32_t i = 0; i < 13; i++) {
            int32_t items = 0;
            ploy_draw draw = {splines_count_item, &items, 0xffffffffu};
            ploy_sim_draw(sim, &draw);
            CHECK(items >= 12 - i);
            splines_click_at(t, sim, (float)i, -3);
        }
        ploy_sim_destroy(sim);
    }
}

TEST(splines_rewind_to_the_same_bytes_and_allocate_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = splines_start(t, NULL, "add", &env);
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    splines_click_at(t, sim, 0, 1); // the scratch arena grows to its size
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 50; i++) splines_click_at(t, sim, (float)i, 1);
    CHECK_INT(counts.calls, calls);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(splines_create_survives_every_failing_allocation) {
    static char name[] = "splines";
    CHECK_FAIL_NTH(lab_create, name);
}
