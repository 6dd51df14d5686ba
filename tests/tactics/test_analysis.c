// The analysis server and combinations.
#include "ploy/tactics/analysis.h"

#include <math.h>
#include <string.h>

#include "tactics_examples.h"
#include "tests/state.h"

static void fill_x(void *user, int32_t first, int32_t count, float *out) {
    float *factor = user;
    for (int32_t i = 0; i < count; i++) out[i] = *factor * (float)((first + i) % 16);
}

static void fill_half(void *user, int32_t first, int32_t count, float *out) {
    (void)user;
    for (int32_t i = 0; i < count; i++) out[i] = (first + i) / 16 < 8 ? 1.0f : 0.0f;
}

typedef struct rig {
    ploy_env env;
    ploy_places places;
    ploy_analysis_server *server;
    float factor;
    ploy_analysis_fill x, half, fast;
} rig;

static void rig_make(test_context *t, rig *r, int32_t units) {
    memset(r, 0, sizeof *r);
    r->env = ploy_env_default();
    r->env.log = NULL;
    r->places = ploy_places_grid(16, 16, ploy_vec2_make(0, 0), 1.0f);
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    def.units = units;
    CHECK_OK(ploy_analysis_server_create(&def, &r->places, &r->env, &r->server));
    r->factor = 1.0f;
    ploy_analysis_fill x = {fill_x, &r->factor, NULL, 0}, half = {fill_half, NULL, NULL, 0};
    r->x = x;
    r->half = half;
    r->fast = x;
    CHECK_OK(ploy_analysis_server_add(r->server, "half", PLOY_ANALYSIS_STATIC,
                                      ploy_analysis_fill_make(&r->half), NULL));
    CHECK_OK(ploy_analysis_server_add(r->server, "x", PLOY_ANALYSIS_SLOW,
                                      ploy_analysis_fill_make(&r->x), NULL));
    CHECK_OK(ploy_analysis_server_add(r->server, "now", PLOY_ANALYSIS_FAST,
                                      ploy_analysis_fill_make(&r->fast), NULL));
}

static ploy_result rig_read(rig *r, const char *text, ploy_diags *diags) {
    return ploy_analysis_server_read(r->server, text, strlen(text), "maps.txt", diags);
}

static float rig_value(rig *r, const char *name, int32_t place) {
    return ploy_analysis_server_value(r->server, ploy_analysis_server_find(r->server, name), place);
}

TEST(readers_see_whole_passes) {
    rig r;
    rig_make(t, &r, 1); // a pass of 256 cells takes four frames
    int32_t x = ploy_analysis_server_find(r.server, "x");
    for (int32_t i = 0; i < 4; i++) CHECK_OK(ploy_analysis_server_step(r.server)); // class 1 first
    CHECK(ploy_analysis_server_layer(r.server, 0) != NULL);
    CHECK(ploy_analysis_server_layer(r.server, x) == NULL);
    CHECK(isnan(rig_value(&r, "x", 3)));
    for (int32_t frame = 0; frame < 40; frame++) {
        r.factor = (float)(frame + 1); // changes while a pass is at work
        CHECK_OK(ploy_analysis_server_step(r.server));
        const ploy_tactics_layer *front = ploy_analysis_server_layer(r.server, x);
        ploy_analysis_info info;
        CHECK(ploy_analysis_server_info(r.server, x, &info));
        CHECK(frame < 4 || info.age <= ploy_analysis_server_bound(r.server));
        if (front == NULL) continue;
        // Each quarter was filled in one frame of the pass, in order.
        float quarter = ploy_tactics_layer_at(front, 1);
        for (int32_t i = 1; i < 4; i++) {
            CHECK_SAME(ploy_tactics_layer_at(front, i * 64 + 1), quarter + (float)i);
        }
        CHECK_INT(info.cost, 4);
    }
    CHECK_SAME(rig_value(&r, "now", 3), 120.0); // class 3 is computed on request
    CHECK(ploy_analysis_server_layer(r.server, 2) == NULL);
    ploy_analysis_server_destroy(r.server);
}

TEST(a_combination_has_the_highest_class_of_its_inputs) {
    rig r;
    rig_make(t, &r, 2000);
    CHECK_OK(rig_read(&r,
                      "# comment\n"
                      "a = half * 2 + 1\n"
                      "b = a * x\n"
                      "c = b + now\n",
                      NULL));
    static const struct {
        const char *name;
        ploy_analysis_class level;
    } rows[] = {{"a", PLOY_ANALYSIS_STATIC}, {"b", PLOY_ANALYSIS_SLOW}, {"c", PLOY_ANALYSIS_FAST}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_analysis_info info;
        t->row = rows[i].name;
        CHECK(ploy_analysis_server_info(r.server, ploy_analysis_server_find(r.server, rows[i].name),
                                        &info));
        CHECK_INT(info.level, rows[i].level);
        CHECK_TEXT(info.name, rows[i].name);
    }
    CHECK_OK(ploy_analysis_server_run(r.server));
    CHECK_SAME(rig_value(&r, "a", 5), 3.0);
    CHECK_SAME(rig_value(&r, "a", 200), 1.0);
    CHECK_SAME(rig_value(&r, "b", 5), 15.0);
    r.factor = 10.0f;
    CHECK_SAME(rig_value(&r, "c", 5), 15.0 + 50.0);
    CHECK_INT(ploy_analysis_server_count(r.server), 6);
    CHECK(!ploy_analysis_server_info(r.server, 6, NULL));
    ploy_analysis_server_destroy(r.server);
}

TEST(lines_below_a_combination_work_on_the_whole_layer) {
    for (int32_t units = 1; units <= 2000; units += 1999) { // any slicing gives the same
        rig r;
        rig_make(t, &r, units);
        CHECK_OK(rig_read(&r,
                          "masked = x + 1\n"
                          "  mask half\n"
                          "tight = x * 3 - 5\n"
                          "\tclamp 0 10\n"
                          "unit = x * 3 - 5\n"
                          "  normalise\n"
                          "soft = half\n"
                          "  blur 1\n"
                          "edge = half\n"
                          "  blur 2 times 2\n"
                          "  sharpen\n",
                          NULL));
        for (int32_t i = 0; i < 200; i++) CHECK_OK(ploy_analysis_server_step(r.server));
        CHECK_SAME(rig_value(&r, "masked", 3), 4.0);
        CHECK_SAME(rig_value(&r, "masked", 131), 0.0);
        CHECK_SAME(rig_value(&r, "tight", 0), 0.0);
        CHECK_SAME(rig_value(&r, "tight", 4), 7.0);
        CHECK_SAME(rig_value(&r, "tight", 9), 10.0);
        CHECK_SAME(rig_value(&r, "unit", 0), 0.0);
        CHECK_SAME(rig_value(&r, "unit", 15), 1.0);
        CHECK_SAME(rig_value(&r, "soft", 7 * 16 + 4), 0.75); // the last row of ones
        CHECK_SAME(rig_value(&r, "soft", 8 * 16 + 4), 0.25);
        CHECK_NEAR(rig_value(&r, "edge", 0), 1.0, 0.1);
        CHECK(rig_value(&r, "edge", 7 * 16) > 0.5f && rig_value(&r, "edge", 8 * 16) < 0.5f);
        ploy_analysis_server_destroy(r.server);
    }
}

TEST(faults_have_a_place_and_add_nothing) {
    static const struct {
        const char *text;
        int32_t line, column;
    } rows[] = {{"a = nowhere + 1\n", 1, 5},
                {"half = x\n", 1, 1},
                {"a = x\na = x\n", 2, 1},
                {"  blur 2\n", 1, 3},
                {"a = x\n  blurr 2\n", 2, 3},
                {"a = x\n  blur 9\n", 2, 3},
                {"a = x\n  mask none\n", 2, 8},
                {"a x\n", 1, 3},
                {"9a = x\n", 1, 1},
                {"a = x\n clamp 2 1\n", 2, 2},
                {"a = x +\n", 1, 8},
                {"a = x\n  blur 1 times 0\n", 2, 16},
                {"a = x\n  sharpen 0 1 1\n", 2, 11}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        rig r;
        rig_make(t, &r, 100);
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &r.env, &diags));
        CHECK_INT(rig_read(&r, rows[i].text, diags), PLOY_ERR_FORMAT);
        CHECK(ploy_diags_count(diags) >= 1);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        CHECK_INT(ploy_analysis_server_count(r.server), 3);
        CHECK_OK(rig_read(&r, "a = x\n", NULL)); // the server is as it was
        ploy_diags_destroy(diags);
        ploy_analysis_server_destroy(r.server);
    }
}

TEST(unknown_inputs_make_unknown_values) {
    rig r;
    rig_make(t, &r, 2000);
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = example_influence(t, &type);
    CHECK_OK(ploy_influence_set_known(influence, 7, false));
    ploy_influence_source source = {influence, PLOY_INFLUENCE_HELD, 0};
    ploy_analysis_fill fill = {ploy_influence_fill, &source, NULL, 0};
    CHECK_OK(ploy_analysis_server_add(r.server, "security", PLOY_ANALYSIS_SLOW,
                                      ploy_analysis_fill_make(&fill), NULL));
    CHECK_OK(rig_read(&r, "best = security * (1 + x)\n", NULL));
    CHECK_OK(ploy_analysis_server_run(r.server));
    CHECK(isnan(rig_value(&r, "best", 7)));
    CHECK_NEAR(rig_value(&r, "best", 0), 2.7230 - 0.6456, 2e-4);
    CHECK_SAME(rig_value(&r, "best", 255), 0.0); // not held by white
    ploy_influence_destroy(influence);
    ploy_analysis_server_destroy(r.server);
}

TEST(sight_is_an_analysis_and_walls_invalidate_it) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = def.height = 8;
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    ploy_places places = ploy_places_tiles(tiles);
    ploy_sight_map_def sight_def = ploy_sight_map_def_default();
    ploy_sight_map *sight = NULL;
    CHECK_OK(ploy_sight_map_create(&sight_def, &places, &env, &sight));
    ploy_analysis_server_def server_def = ploy_analysis_server_def_default();
    ploy_analysis_server *server = NULL;
    CHECK_OK(ploy_analysis_server_create(&server_def, &places, &env, &server));
    CHECK_OK(ploy_analysis_server_add(server, "sight", PLOY_ANALYSIS_STATIC,
                                      ploy_sight_map_analysis(sight), NULL));
    CHECK_OK(ploy_analysis_server_step(server));
    CHECK_SAME(ploy_analysis_server_value(server, 0, 0), 63.0);
    CHECK_OK(ploy_tiles_set(tiles, 20, PLOY_TILE_BLOCKED));
    CHECK_OK(ploy_analysis_server_step(server)); // class 1 is not computed again by itself
    CHECK_SAME(ploy_analysis_server_value(server, 0, 0), 63.0);
    ploy_analysis_server_invalidate(server, -1,
                                    ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(8, 8)));
    CHECK_OK(ploy_analysis_server_step(server));
    CHECK(ploy_analysis_server_value(server, 0, 0) < 63.0f);
    CHECK(isnan(ploy_analysis_server_value(server, 0, 20)));
    ploy_analysis_server_destroy(server);
    ploy_sight_map_destroy(sight);
    ploy_tiles_destroy(tiles);
}

TEST(static_layers_are_saved_with_a_checksum) {
    rig r, other;
    rig_make(t, &r, 2000);
    rig_make(t, &other, 2000);
    CHECK_OK(rig_read(&r, "more = half * 7\n", NULL));
    CHECK_OK(ploy_analysis_server_run(r.server));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 1 << 20, &r.env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_analysis_server_save(r.server, &writer));
    CHECK_INT(buffer.size, 16 + 2 * (8 + 4 * 256) + 8);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &r.env, &diags));
    CHECK_OK(ploy_analysis_server_load(other.server, buffer.bytes, buffer.size, "f", diags));
    CHECK_INT(ploy_diags_count(diags), 1); // the layer `more` is not there
    CHECK_SAME(rig_value(&other, "half", 3), 1.0);
    CHECK_SAME(rig_value(&other, "half", 200), 0.0);
    // Every flipped byte, and every cut, is refused.
    for (size_t i = 0; i < buffer.size; i += 7) {
        unsigned char *bytes = (unsigned char *)buffer.bytes;
        bytes[i] ^= 0x10;
        CHECK_INT(ploy_analysis_server_load(other.server, bytes, buffer.size, "f", NULL),
                  PLOY_ERR_FORMAT);
        bytes[i] ^= 0x10;
        CHECK_INT(ploy_analysis_server_load(other.server, bytes, i, "f", NULL), PLOY_ERR_FORMAT);
    }
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&buffer);
    ploy_analysis_server_destroy(r.server);
    ploy_analysis_server_destroy(other.server);
}

static ploy_result failing_begin(void *self, ploy_tactics_layer *out) {
    (void)self;
    (void)out;
    return PLOY_ERR_CALLBACK;
}

static ploy_result failing_step(void *self, ploy_budget *budget) {
    (void)self;
    (void)budget;
    return PLOY_ERR_CALLBACK;
}

// A server with plug-ins of all kinds and a chain of filters.
static const char whole_text[] = "both = x * half + sight\n  blur 2 times 2\n  mask half\n"
                                 "  clamp 0 9\n  normalise\n";

static void rig_whole(test_context *t, rig *r, ploy_sight_map **sight) {
    rig_make(t, r, 1);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    CHECK_OK(ploy_sight_map_create(&def, &r->places, &r->env, sight));
    CHECK_OK(ploy_analysis_server_add(r->server, "sight", PLOY_ANALYSIS_SLOW,
                                      ploy_sight_map_analysis(*sight), NULL));
    CHECK_OK(rig_read(r, whole_text, NULL));
}

// Saved in the middle of passes of every kind, and loaded into a server that has done nothing or other work.
TEST(a_loaded_server_equals_one_that_was_not_interrupted) {
    for (int32_t frames = 0; frames < 150; frames += 1) {
        TEST_SEED(frames);
        rig a, b;
        ploy_sight_map *sights[2] = {NULL, NULL};
        rig_whole(t, &a, &sights[0]);
        rig_whole(t, &b, &sights[1]);
        for (int32_t i = 0; i < frames; i++) CHECK_OK(ploy_analysis_server_step(a.server));
        for (int32_t i = 0; i < frames % 7; i++) CHECK_OK(ploy_analysis_server_step(b.server));
        state_check from = {ploy_analysis_server_visit, a.server, NULL, NULL, NULL};
        state_check to = {ploy_analysis_server_visit, b.server, NULL, NULL, NULL};
        char *text = state_save(t, &from);
        CHECK_OK(state_load(&to, text, &b.env, NULL));
        for (int32_t i = 0; i < 40; i++) {
            CHECK_OK(ploy_analysis_server_step(a.server));
            CHECK_OK(ploy_analysis_server_step(b.server));
            CHECK_UINT(state_hash(&to), state_hash(&from));
            float one = rig_value(&a, "both", 77), two = rig_value(&b, "both", 77);
            CHECK(memcmp(&one, &two, sizeof one) == 0);
        }
        free(text);
        ploy_analysis_server_destroy(a.server);
        ploy_analysis_server_destroy(b.server);
        ploy_sight_map_destroy(sights[0]);
        ploy_sight_map_destroy(sights[1]);
    }
}

TEST(states_of_the_server_and_the_sight_map_are_visited_completely) {
    rig r;
    ploy_sight_map *sight = NULL;
    rig_whole(t, &r, &sight);
    for (int32_t i = 0; i < 17; i++) CHECK_OK(ploy_analysis_server_step(r.server));
    static const char *const refused[] = {"class", "kind", "places", "bytes", NULL};
    static const char *const skip[] = {"cells", NULL}; // a load clears bits beyond the edge
    state_check of_sight = {ploy_sight_map_visit, sight, NULL, skip, refused};
    state_check_all(t, &of_sight);
    // In the middle of passes of every kind.
    for (int32_t i = 0; i < 40; i++) {
        TEST_SEED(i);
        state_check s = {ploy_analysis_server_visit, r.server, NULL, NULL, refused};
        state_check_all(t, &s);
        CHECK_OK(ploy_analysis_server_step(r.server));
    }
    ploy_analysis_server_destroy(r.server);
    ploy_sight_map_destroy(sight);
}

TEST(a_failing_analysis_does_not_stop_the_others) {
    static const ploy_analysis_type type = {"failing", failing_begin, failing_step, NULL,
                                            NULL,      NULL,          NULL};
    rig r;
    rig_make(t, &r, 2000);
    ploy_analysis failing = {&type, NULL};
    CHECK_INT(ploy_analysis_server_add(r.server, "bad", PLOY_ANALYSIS_FAST, failing, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_analysis_server_add(r.server, "1bad", PLOY_ANALYSIS_SLOW, failing, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_analysis_server_add(r.server, "x", PLOY_ANALYSIS_SLOW, failing, NULL),
              PLOY_ERR_EXISTS);
    CHECK_OK(ploy_analysis_server_add(r.server, "bad", PLOY_ANALYSIS_SLOW, failing, NULL));
    for (int32_t i = 0; i < 5; i++) {
        CHECK_INT(ploy_analysis_server_step(r.server), PLOY_ERR_CALLBACK);
    }
    CHECK_SAME(rig_value(&r, "x", 3), 3.0);
    ploy_analysis_server_destroy(r.server);
}

TEST(a_frame_never_spends_more_than_its_budget_and_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    rig r;
    rig_make(t, &r, 3);
    ploy_analysis_server_destroy(r.server);
    r.env = test_counting_env(&counts);
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    def.units = 3;
    CHECK_OK(ploy_analysis_server_create(&def, &r.places, &r.env, &r.server));
    CHECK_OK(ploy_analysis_server_add(r.server, "x", PLOY_ANALYSIS_SLOW,
                                      ploy_analysis_fill_make(&r.x), NULL));
    CHECK_OK(rig_read(&r, "a = x * 2\n  blur 2\nb = a + x\n", NULL));
    int64_t calls = counts.calls, before = 0;
    for (int32_t frame = 0; frame < 300; frame++) {
        CHECK_OK(ploy_analysis_server_step(r.server));
        CHECK_INT(ploy_analysis_server_spent(r.server), 3);
        int64_t passes = 0;
        for (int32_t i = 0; i < 3; i++) {
            ploy_analysis_info info;
            CHECK(ploy_analysis_server_info(r.server, i, &info));
            passes += info.passes * info.cost;
            if (frame > 60) CHECK(info.age <= ploy_analysis_server_bound(r.server));
        }
        // Units of completed passes never outrun the frames' budgets.
        CHECK(passes <= 3 * (frame + 1));
        CHECK(passes >= before);
        before = passes;
    }
    CHECK_INT(counts.calls, calls);
    CHECK(before > 3 * 250); // and the budget is used
    ploy_analysis_server_destroy(r.server);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result server_body(const ploy_env *env, void *arg) {
    static const char text[] = "a = x * 2\n  blur 1\n  mask x\nb = a + x\n";
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    ploy_analysis_server *server = NULL;
    rig *r = arg;
    ploy_result result = ploy_analysis_server_create(&def, &r->places, env, &server);
    if (result == PLOY_OK) {
        result = ploy_analysis_server_add(server, "x", PLOY_ANALYSIS_SLOW,
                                          ploy_analysis_fill_make(&r->x), NULL);
    }
    if (result == PLOY_OK) {
        result = ploy_analysis_server_read(server, text, sizeof text - 1, "f", NULL);
    }
    if (result == PLOY_OK) result = ploy_analysis_server_run(server);
    TEST_REPORT(result, env, server, ploy_analysis_server_memory);
    ploy_analysis_server_destroy(server);
    return result;
}

TEST(the_server_survives_failing_allocations) {
    rig r;
    rig_make(t, &r, 10);
    CHECK_FAIL_NTH(server_body, &r);
    ploy_analysis_server_destroy(r.server);
}
