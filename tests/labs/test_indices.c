// The lab `indices`: whatever index is asked, the same things are found; what a question looks at is
// drawn; it rewinds to the same bytes and allocates nothing in a step.
#include "ploy/geom/draw.h"
#include "tests/labs/lab_test.h"

static const ploy_sim_type *indices_type(void) {
    return ploy_sim_type_find(ploy_labs(), "indices", NULL);
}

static ploy_sim *indices_start(test_context *t, const char *index, const char *query,
                               const ploy_env *env) {
    const ploy_sim_type *type = indices_type();
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "index", index, NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "query", query, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static void indices_ask_at(test_context *t, ploy_sim *sim, float x, float y) {
    lab_send_at(t, sim, "ask", x, y);
}

// What is described of the five questions, in their order.
typedef struct indices_seen {
    int32_t questions;
    int64_t parts, asked;
    int64_t found[5], first[5];
} indices_seen;

static void indices_seen_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}
static void indices_seen_end(void *user) {
    (void)user;
}
static void indices_seen_value(void *user, const char *name, ploy_mark mark,
                               const ploy_value *value) {
    indices_seen *seen = user;
    (void)mark;
    if (strcmp(name, "parts looked at") == 0) seen->parts += value->as.i64;
    if (strcmp(name, "things asked") == 0) seen->asked += value->as.i64;
    if (strcmp(name, "things found") == 0) seen->found[seen->questions++] = value->as.i64;
    if (strcmp(name, "first") == 0) seen->first[seen->questions - 1] = value->as.i64;
}

static indices_seen indices_look(const ploy_sim *sim) {
    indices_seen seen;
    memset(&seen, 0, sizeof seen);
    ploy_describe out = {indices_seen_begin, indices_seen_end, indices_seen_value, &seen};
    ploy_sim_describe(sim, &out);
    return seen;
}

TEST(whatever_index_is_asked_the_same_things_are_found) {
    static const char *const pairs[2][2] = {{"grid", "kdtree"}, {"hierarchy", "quadtree"}};
    ploy_env env = ploy_env_default();
    for (int32_t p = 0; p < 2; p++) {
        t->row = pairs[p][0];
        ploy_sim *one = indices_start(t, pairs[p][0], "all", &env);
        ploy_sim *two = indices_start(t, pairs[p][1], "all", &env);
        int64_t sum = 0;
        for (int32_t i = 0; i < 60; i++) {
            float x = (float)(i * 7 % 40 - 20), y = (float)(i * 11 % 24 - 12);
            indices_ask_at(t, one, x, y);
            indices_ask_at(t, two, x, y);
            indices_seen a = indices_look(one), b = indices_look(two);
            CHECK_INT(a.questions, 5);
            CHECK_BYTES(a.found, b.found, sizeof a.found);
            CHECK_BYTES(a.first, b.first, sizeof a.first);
            for (int32_t k = 0; k < 5; k++) sum += a.found[k];
            CHECK(a.parts > 0 && b.parts > 0);
            CHECK(a.asked < 5 * 400 && b.asked < 5 * 400); // fewer than everybody
        }
        CHECK(sum > 60 * 5);
        ploy_sim_destroy(one);
        ploy_sim_destroy(two);
    }
}

// Counts what is drawn on each layer.
static void indices_count_item(void *user, const ploy_draw_item *item) {
    int64_t *count = user;
    for (int32_t i = 0; i < item->count; i++) {
        if (!ploy_vec3_is_finite(item->points[i])) count[item->layer] = -1000000;
    }
    count[item->layer]++;
}

TEST(all_that_a_question_looks_at_is_drawn) {
    static const char *const names[] = {"grid", "kdtree", "hierarchy", "quadtree"};
    static const char *const kinds[] = {"radius", "box", "nearest", "ray", "sweep"};
    ploy_env env = ploy_env_default();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        for (size_t k = 0; k < COUNT_OF(kinds); k++) {
            t->row = kinds[k];
            ploy_sim *sim = indices_start(t, names[n], kinds[k], &env);
            indices_ask_at(t, sim, 2, 1);
            indices_seen seen = indices_look(sim);
            CHECK_INT(seen.questions, 1);
            int64_t count[PLOY_LAYER_COUNT] = {0};
            ploy_draw draw = {indices_count_item, count, 0xffffffffu};
            ploy_sim_draw(sim, &draw);
            CHECK_INT(count[PLOY_LAYER_REGIONS], seen.parts);
            CHECK_INT(count[PLOY_LAYER_PATHS], seen.asked);
            CHECK_INT(count[PLOY_LAYER_AGENTS], seen.found[0]);
            CHECK_INT(count[PLOY_LAYER_WORLD], 400);
            CHECK(count[PLOY_LAYER_SENSES] > 0);
            ploy_sim_destroy(sim);
        }
    }
}

TEST(indices_rewind_to_the_same_bytes_and_allocate_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = indices_start(t, "hierarchy", "all", &env);
    indices_ask_at(t, sim, 1e9f, -1e9f); // held within reach
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 50; i++) indices_ask_at(t, sim, (float)i, 1);
    CHECK_INT(counts.calls, calls);
    lab_check_rewind(t, sim, 100);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(indices_create_survives_every_failing_allocation) {
    static char name[] = "indices";
    CHECK_FAIL_NTH(lab_create, name);
}
