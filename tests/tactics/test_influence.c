// Influence maps.
#include "tactics_examples.h"

#include "tests/state.h"

static int32_t owner_differences(const ploy_influence *influence) {
    int32_t count = 0;
    for (int32_t i = 0; i < 256; i++) {
        int32_t want = example_owners[i / 16][i % 16] == 'W' ? 0 : 1;
        count += ploy_influence_owner(influence, i) != want;
    }
    return count;
}

TEST(the_figure_matches_in_all_cells) {
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = example_influence(t, &type);
    CHECK_INT(owner_differences(influence), 0);
    static const struct {
        int32_t x, y;
        double white, black;
    } cells[] = {{0, 0, 2.7230, 0.6456},  {15, 0, 1.4153, 1.2362}, {8, 8, 1.9235, 1.5208},
                 {12, 6, 1.7038, 3.3686}, {1, 2, 5.9131, 0.7327},  {2, 13, 1.2281, 2.6255},
                 {15, 15, 0.8650, 1.0038}};
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        int32_t place = cells[i].y * 16 + cells[i].x;
        CHECK_NEAR(ploy_influence_at(influence, 0, place), cells[i].white, 6e-5);
        CHECK_NEAR(ploy_influence_at(influence, 1, place), cells[i].black, 6e-5);
        CHECK_NEAR(ploy_influence_security(influence, place), fabs(cells[i].white - cells[i].black),
                   1.2e-4);
    }
    ploy_influence_destroy(influence);
}

TEST(other_metrics_and_falls_differ_in_known_cells) {
    static const struct {
        const char *row;
        ploy_influence_drop drop;
        ploy_influence_metric metric;
        int32_t cells;
    } rows[] = {{"manhattan", PLOY_INFLUENCE_INVERSE, PLOY_INFLUENCE_MANHATTAN, 16},
                {"chebyshev", PLOY_INFLUENCE_INVERSE, PLOY_INFLUENCE_CHEBYSHEV, 5},
                {"square", PLOY_INFLUENCE_SQUARE, PLOY_INFLUENCE_EUCLID, 26},
                {"root", PLOY_INFLUENCE_ROOT, PLOY_INFLUENCE_EUCLID, 100}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_influence_type type = ploy_influence_type_default();
        type.drop = rows[i].drop;
        type.metric = rows[i].metric;
        ploy_influence *influence = example_influence(t, &type);
        CHECK_INT(owner_differences(influence), rows[i].cells);
        ploy_influence_destroy(influence);
    }
}

static float half_step(void *user, float distance) {
    (void)user;
    return distance < 2.0f ? 3.0f : distance < 4.0f ? 0.5f : NAN;
}

TEST(every_fall_has_its_values) {
    static const struct {
        ploy_influence_drop drop;
        double at[4]; // of strength 4 at 0, 1, 3, 7
    } rows[] = {{PLOY_INFLUENCE_INVERSE, {4, 2, 1, 0.5}},
                {PLOY_INFLUENCE_ROOT, {4, 2.8284, 2, 1.4142}},
                {PLOY_INFLUENCE_SQUARE, {4, 1, 0.25, 0.0625}},
                {PLOY_INFLUENCE_RAMP, {4, 4, 3, 0}},
                {PLOY_INFLUENCE_CUSTOM, {4, 4, 2, 0}}};
    static const float distances[] = {0, 1, 3, 7};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_influence_type type = ploy_influence_type_default();
        type.drop = rows[i].drop;
        type.range = 6.0f;
        type.plateau = 2.0f;
        type.custom = half_step;
        for (int32_t k = 0; k < 4; k++) {
            CHECK_NEAR(4.0f * ploy_influence_type_share(&type, distances[k]), rows[i].at[k], 1e-4);
        }
    }
}

TEST(a_threshold_gives_a_radius) {
    ploy_influence_type type = ploy_influence_type_default();
    type.threshold = 0.5f;
    CHECK_SAME(ploy_influence_type_reach(&type, 4.0f), 7.0);
    type.drop = PLOY_INFLUENCE_ROOT;
    CHECK_SAME(ploy_influence_type_reach(&type, 4.0f), 63.0);
    type.drop = PLOY_INFLUENCE_SQUARE;
    CHECK_NEAR(ploy_influence_type_reach(&type, 4.0f), sqrt(8.0) - 1.0, 1e-6);
    type.drop = PLOY_INFLUENCE_RAMP;
    type.range = 8.0f;
    CHECK_NEAR(ploy_influence_type_reach(&type, 4.0f), 7.0, 1e-6);
    type.drop = PLOY_INFLUENCE_INVERSE;
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_places places = ploy_places_grid(21, 21, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence *influence = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &influence));
    CHECK_OK(ploy_influence_add_type(influence, &type, NULL));
    CHECK_OK(ploy_influence_add(influence, 0, 0, 10 * 21 + 10, 4.0f, NULL));
    for (int32_t i = 0; i < 441; i++) {
        double d = hypot(i % 21 - 10, i / 21 - 10); // NOLINT: a test's reference
        bool inside = d <= 7.0;
        CHECK_NEAR(ploy_influence_at(influence, 0, i), inside ? 4.0 / (1.0 + d) : 0.0, 1e-5);
        CHECK_INT(ploy_influence_owner(influence, i), inside ? 0 : PLOY_SIDE_NONE);
    }
    ploy_influence_destroy(influence);
}

TEST(the_border_has_a_weakest_place_on_each_side) {
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = example_influence(t, &type);
    CHECK_INT(ploy_influence_weakest(influence, 0), 7 * 16 + 10);
    CHECK_NEAR(ploy_influence_security(influence, 7 * 16 + 10), 0.0026, 6e-5);
    CHECK_INT(ploy_influence_weakest(influence, 1), 12 * 16 + 4);
    CHECK_NEAR(ploy_influence_security(influence, 12 * 16 + 4), 0.0163, 6e-5);
    int32_t border[64], count = ploy_influence_border(influence, 0, border, 64);
    CHECK(count > 0 && count <= 64);
    int32_t found = 0;
    for (int32_t i = 0; i < 256; i++) { // by the printed map
        bool edge = false;
        if (example_owners[i / 16][i % 16] != 'W') continue;
        if (i % 16 > 0) edge = edge || example_owners[i / 16][i % 16 - 1] == 'B';
        if (i % 16 < 15) edge = edge || example_owners[i / 16][i % 16 + 1] == 'B';
        if (i / 16 > 0) edge = edge || example_owners[i / 16 - 1][i % 16] == 'B';
        if (i / 16 < 15) edge = edge || example_owners[i / 16 + 1][i % 16] == 'B';
        if (edge) CHECK_INT(border[found++], i);
    }
    CHECK_INT(found, count);
    CHECK_INT(ploy_influence_border(influence, 0, NULL, 0), count);
    CHECK_INT(ploy_influence_border(influence, 2, NULL, 0), 0);
    CHECK_INT(ploy_influence_weakest(influence, -1), PLOY_PLACE_NONE);
    ploy_influence_destroy(influence);
}

TEST(weak_places_form_sectors) {
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = example_influence(t, &type);
    ploy_weak_sector all[64], best[1];
    int32_t count = ploy_influence_sectors(influence, 0, 0.2f, 1, all, 64);
    CHECK(count >= 1 && count <= 64);
    int32_t cells = 0, weak = 0, border[64];
    for (int32_t i = 0; i < count; i++) {
        cells += all[i].size;
        CHECK(all[i].security >= 0.0f && all[i].security < 0.2f);
        CHECK(i == 0 || all[i].size <= all[i - 1].size);
        CHECK_NEAR(ploy_vec2_length(all[i].outward), 1.0, 1e-5);
        CHECK(all[i].outward.y > 0.0f); // black is below in the figure, at larger y
    }
    int32_t edge = ploy_influence_border(influence, 0, border, 64);
    for (int32_t i = 0; i < edge; i++) weak += ploy_influence_security(influence, border[i]) < 0.2f;
    CHECK_INT(cells, weak);
    CHECK_INT(ploy_influence_sectors(influence, 0, 0.2f, 1, best, 1), count);
    CHECK_INT(best[0].first, all[0].first);
    CHECK_INT(ploy_influence_sectors(influence, 0, 0.2f, all[0].size + 1, best, 1), 0);
    CHECK_INT(ploy_influence_sectors(influence, 0, 0.0f, 1, NULL, 0), 0);
    ploy_influence_destroy(influence);
}

TEST(unknown_places_have_no_owner) {
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = example_influence(t, &type);
    ploy_env env = ploy_env_default();
    ploy_tactics_layer *owners = NULL, *security = NULL;
    const ploy_places *places = ploy_influence_places(influence);
    CHECK_OK(ploy_tactics_layer_create(places, PLOY_TACTICS_CATEGORIES, &env, &owners));
    CHECK_OK(ploy_tactics_layer_create(places, PLOY_TACTICS_NUMBERS, &env, &security));
    CHECK_OK(ploy_influence_set_known(influence, 7 * 16 + 10, false));
    CHECK_INT(ploy_influence_owner(influence, 7 * 16 + 10), PLOY_SIDE_NONE);
    CHECK(isnan(ploy_influence_security(influence, 7 * 16 + 10)));
    CHECK(ploy_influence_weakest(influence, 0) != 7 * 16 + 10);
    CHECK_OK(ploy_influence_owners(influence, owners));
    CHECK(isnan(ploy_tactics_layer_at(owners, 7 * 16 + 10)));
    CHECK_SAME(ploy_tactics_layer_at(owners, 0), 1.0);
    CHECK_SAME(ploy_tactics_layer_at(owners, 255), 2.0);
    CHECK_OK(ploy_influence_read(influence, PLOY_INFLUENCE_CONTROL, 1, 0, 256, security));
    CHECK(isnan(ploy_tactics_layer_at(security, 7 * 16 + 10)));
    CHECK_NEAR(ploy_tactics_layer_at(security, 0), 0.6456 - 2.7230, 2e-4);
    CHECK_NEAR(ploy_tactics_layer_at(security, 255), 1.0038 - 0.8650, 2e-4);
    CHECK_OK(ploy_influence_read(influence, PLOY_INFLUENCE_HELD, 1, 0, 256, security));
    CHECK_SAME(ploy_tactics_layer_at(security, 0), 0.0);
    CHECK_NEAR(ploy_tactics_layer_at(security, 255), 1.0038 - 0.8650, 2e-4);
    CHECK_OK(ploy_influence_read(influence, PLOY_INFLUENCE_VALUE, 1, 255, 1, security));
    CHECK_NEAR(ploy_tactics_layer_at(security, 255), 1.0038, 6e-5);
    CHECK_INT(ploy_influence_read(influence, PLOY_INFLUENCE_VALUE, 1, 255, 2, security),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_read(influence, PLOY_INFLUENCE_VALUE, 1, 0, 2, owners),
              PLOY_ERR_ARGUMENT);
    ploy_influence_set_all_known(influence, false);
    CHECK_INT(ploy_influence_border(influence, 0, NULL, 0), 0);
    ploy_influence_set_all_known(influence, true);
    CHECK_INT(owner_differences(influence), 0);
    ploy_tactics_layer_destroy(owners);
    ploy_tactics_layer_destroy(security);
    ploy_influence_destroy(influence);
}

// ---- exact moves

static void check_same_sums(test_context *t, const ploy_influence *a, const ploy_influence *b,
                            int32_t sides) {
    int32_t count = ploy_influence_places(a)->count;
    for (int32_t side = 0; side < sides; side++) {
        for (int32_t i = 0; i < count; i++) {
            CHECK_SAME(ploy_influence_at(a, side, i), ploy_influence_at(b, side, i));
        }
    }
}

static void add_types(test_context *t, ploy_influence *influence) {
    for (int32_t i = 0; i < 6; i++) {
        ploy_influence_type type = ploy_influence_type_default();
        type.drop = (ploy_influence_drop)(i % 4);
        type.metric = (ploy_influence_metric)(i % 3);
        if (i < 3) type.radius = 3.0f * (float)i + 1.5f;
        if (i % 2 == 1) type.threshold = 0.3f;
        CHECK_OK(ploy_influence_add_type(influence, &type, NULL));
    }
}

typedef struct walk {
    ploy_influence_unit units[64];
    int32_t count;
} walk;

static void walk_step(test_context *t, ploy_influence *influence, walk *w, ploy_rng *rng) {
    int32_t places = ploy_influence_places(influence)->count;
    int32_t what = ploy_rng_int(rng, 0, 9), who = ploy_rng_int(rng, 0, 63);
    int32_t place = ploy_rng_int(rng, 0, places - 1), side = ploy_rng_int(rng, 0, 2);
    int32_t type = ploy_rng_int(rng, 0, 5);
    float strength = ploy_rng_range(rng, 0.0f, 9.0f);
    if (what < 3 && w->count < 64) {
        CHECK_OK(ploy_influence_add(influence, side, type, place, strength, &w->units[w->count++]));
    } else if (w->count == 0) {
        return;
    } else if (what < 7) {
        CHECK_OK(ploy_influence_move(influence, w->units[who % w->count], place));
    } else if (what < 8) {
        CHECK_OK(ploy_influence_set_strength(influence, w->units[who % w->count], strength));
    } else {
        CHECK_OK(ploy_influence_remove(influence, w->units[who % w->count]));
        w->units[who % w->count] = w->units[w->count - 1];
        w->count--;
    }
}

static void check_walk(test_context *t, const ploy_places *places, uint64_t seed, int32_t steps) {
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    def.sides = 3;
    ploy_influence *influence = NULL, *fresh = NULL;
    CHECK_OK(ploy_influence_create(&def, places, &env, &influence));
    CHECK_OK(ploy_influence_create(&def, places, &env, &fresh));
    add_types(t, influence);
    add_types(t, fresh);
    walk w = {.count = 0};
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t i = 0; i < steps; i++) walk_step(t, influence, &w, &rng);
    for (int32_t i = w.count - 1; i >= 0; i--) { // in another order
        ploy_influence_state state;
        CHECK(ploy_influence_unit_of(influence, w.units[i], &state));
        CHECK_OK(
            ploy_influence_add(fresh, state.side, state.type, state.place, state.strength, NULL));
    }
    check_same_sums(t, influence, fresh, 3);
    ploy_influence_clear(influence);
    for (int32_t i = 0; i < places->count; i++) CHECK_SAME(ploy_influence_at(influence, 1, i), 0.0);
    ploy_influence_destroy(influence);
    ploy_influence_destroy(fresh);
}

TEST(after_ten_thousand_changes_a_map_equals_a_new_one) {
    for (int64_t round = 0; round < test_rounds(3); round++) {
        TEST_SEED(round + 1);
        ploy_places places = ploy_places_grid(37, 23, ploy_vec2_make(0, 0), 1.0f);
        places.wrap_x = round % 3 == 1;
        places.wrap_y = round % 3 == 2;
        check_walk(t, &places, (uint64_t)round + 1, 10000);
    }
}

TEST(a_graph_has_influence_by_position) {
    ploy_env env = ploy_env_default();
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&graph_def, &env, &graph));
    for (int32_t i = 0; i < 40; i++) {
        CHECK_OK(
            ploy_graph_add_node(graph, ploy_vec3_make((float)(i % 8), (float)(i / 8), 0.0f), NULL));
        if (i % 8 > 0) CHECK_OK(ploy_graph_add_both(graph, i - 1, i, 1.0, 0));
        if (i / 8 > 0) CHECK_OK(ploy_graph_add_both(graph, i - 8, i, 1.0, 0));
    }
    ploy_places nodes = ploy_places_graph(graph);
    ploy_places cells = ploy_places_grid(8, 5, ploy_vec2_make(0, 0), 1.0f);
    check_walk(t, &nodes, 5, 2000);
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence *a = NULL, *b = NULL;
    CHECK_OK(ploy_influence_create(&def, &nodes, &env, &a));
    CHECK_OK(ploy_influence_create(&def, &cells, &env, &b));
    add_types(t, a);
    add_types(t, b);
    for (int32_t i = 0; i < 6; i++) {
        CHECK_OK(ploy_influence_add(a, i % 2, i, 3 * i + 4, 2.5f, NULL));
        CHECK_OK(ploy_influence_add(b, i % 2, i, 3 * i + 4, 2.5f, NULL));
    }
    check_same_sums(t, a, b, 2);
    CHECK_INT(ploy_influence_weakest(a, 0), ploy_influence_weakest(b, 0));
    ploy_influence_destroy(a);
    ploy_influence_destroy(b);
    ploy_graph_destroy(graph);
}

TEST(wrapped_maps_measure_across_the_edge) {
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_places places = ploy_places_grid(6, 5, ploy_vec2_make(0, 0), 1.0f);
    places.wrap_x = places.wrap_y = true;
    ploy_influence *influence = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &influence));
    ploy_influence_type type = ploy_influence_type_default();
    CHECK_OK(ploy_influence_add_type(influence, &type, NULL));
    CHECK_OK(ploy_influence_add(influence, 0, 0, 0, 4.0f, NULL));
    for (int32_t i = 0; i < 30; i++) {
        int32_t x = i % 6, y = i / 6;
        x = x > 3 ? 6 - x : x;
        y = y > 2 ? 5 - y : y;
        CHECK_NEAR(ploy_influence_at(influence, 0, i), 4.0 / (1.0 + hypot(x, y)), 1e-5);
    }
    ploy_influence_destroy(influence);
}

TEST(a_map_refuses_what_does_not_fit) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_influence_def def = ploy_influence_def_default();
    def.capacity = 2;
    def.most = 10.0f;
    ploy_places places = ploy_places_grid(4, 4, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence *influence = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &influence));
    ploy_influence_type type = ploy_influence_type_default();
    type.drop = PLOY_INFLUENCE_CUSTOM;
    CHECK_INT(ploy_influence_add_type(influence, &type, NULL), PLOY_ERR_ARGUMENT);
    type = ploy_influence_type_default();
    type.plateau = 9.0f;
    CHECK_INT(ploy_influence_add_type(influence, &type, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_add(influence, 0, 0, 0, 1.0f, NULL), PLOY_ERR_ARGUMENT); // no type
    type = ploy_influence_type_default();
    CHECK_OK(ploy_influence_add_type(influence, &type, NULL));
    ploy_influence_unit a, b;
    CHECK_INT(ploy_influence_add(influence, 2, 0, 0, 1.0f, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_add(influence, 0, 0, 16, 1.0f, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_add(influence, 0, 0, 0, -1.0f, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_add(influence, 0, 0, 0, NAN, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_add(influence, 0, 0, 0, 11.0f, NULL), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_influence_add(influence, 0, 0, 0, 6.0f, &a));
    CHECK_INT(ploy_influence_add(influence, 0, 0, 0, 6.0f, NULL), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_influence_add(influence, 1, 0, 0, 6.0f, &b));
    CHECK_INT(ploy_influence_add(influence, 1, 0, 0, 1.0f, NULL), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_influence_set_strength(influence, a, 10.5f), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_influence_set_strength(influence, a, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_move(influence, a, -1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_influence_remove(influence, a));
    CHECK_INT(ploy_influence_move(influence, a, 1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_influence_remove(influence, a), PLOY_ERR_NOT_FOUND);
    ploy_influence_destroy(influence);
}

// ---- state and memory

TEST(the_state_of_influence_is_its_units) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_influence_def def = ploy_influence_def_default();
    def.sides = 3;
    def.capacity = 64;
    ploy_places places = ploy_places_grid(9, 7, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence *influence = NULL, *other = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &influence));
    add_types(t, influence);
    walk w = {.count = 0};
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < 40; i++) walk_step(t, influence, &w, &rng);
    CHECK_OK(ploy_influence_set_known(influence, 5, false));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 400; i++) walk_step(t, influence, &w, &rng);
    CHECK_INT(counts.calls, calls); // nothing is allocated once it is warm
    ploy_env plain = ploy_env_default();
    CHECK_OK(ploy_influence_create(&def, &places, &plain, &other));
    add_types(t, other);
    static const char *const refused[] = {"places", NULL};
    state_check s = {ploy_influence_visit, influence, NULL, NULL, refused};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    check_same_sums(t, influence, other, 3);
    CHECK_INT(ploy_influence_owner(other, 5), PLOY_SIDE_NONE);
    state_check_memory(t, &s, &counts);
    ploy_influence_destroy(influence);
    ploy_influence_destroy(other);
}

static ploy_result influence_body(const ploy_env *env, void *arg) {
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *influence = NULL, *view = NULL;
    def.capacity = 8;
    ploy_result result = ploy_influence_create(&def, arg, env, &influence);
    if (result == PLOY_OK) result = ploy_influence_add_type(influence, &type, NULL);
    if (result == PLOY_OK) result = ploy_influence_add(influence, 0, 0, 3, 1.0f, NULL);
    if (result == PLOY_OK) result = ploy_influence_create(&def, arg, env, &view);
    if (result == PLOY_OK) result = ploy_influence_add_type(view, &type, NULL);
    if (result == PLOY_OK) result = ploy_influence_sense_all(view, influence, 0);
    ploy_influence_destroy(view);
    ploy_influence_destroy(influence);
    return result;
}

TEST(creating_influence_survives_failing_allocations) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(influence_body, &places);
}

TEST(a_side_knows_what_it_sees_and_remembers_the_rest) {
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_places places = ploy_places_grid(10, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *real = NULL, *view = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &real));
    CHECK_OK(ploy_influence_create(&def, &places, &env, &view));
    CHECK_OK(ploy_influence_add_type(real, &type, NULL));
    CHECK_OK(ploy_influence_add_type(view, &type, NULL));
    ploy_influence_unit own, foe;
    CHECK_OK(ploy_influence_add(real, 0, 0, 0, 2.0f, &own));
    CHECK_OK(ploy_influence_add(real, 1, 0, 4, 3.0f, &foe));
    uint8_t near[10] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0}, far[10] = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
    CHECK_OK(ploy_influence_sense(view, real, 0, near));
    CHECK_SAME(ploy_influence_at(view, 1, 4), 0.0); // the enemy is underestimated
    CHECK(isnan(ploy_influence_security(view, 4))); // and its place is not known to be free
    CHECK_INT(ploy_influence_owner(view, 1), 0);
    CHECK_OK(ploy_influence_sense(view, real, 0, far));
    CHECK_SAME(ploy_influence_at(view, 1, 4), 3.0);
    CHECK_OK(ploy_influence_move(real, foe, 8));
    CHECK_OK(ploy_influence_sense(view, real, 0, near));
    CHECK_SAME(ploy_influence_at(view, 1, 4), 3.0); // where it was seen last
    CHECK_OK(ploy_influence_sense(view, real, 0, far));
    CHECK_SAME(ploy_influence_at(view, 1, 4), 0.0); // its place is empty now
    CHECK_OK(ploy_influence_sense_all(view, real, 0));
    check_same_sums(t, view, real, 2); // omniscient
    CHECK_INT(ploy_influence_owner(view, 9), 1);
    CHECK_OK(ploy_influence_set_strength(real, foe, 1.0f));
    CHECK_OK(ploy_influence_remove(real, own));
    CHECK_OK(ploy_influence_sense_all(view, real, 0));
    check_same_sums(t, view, real, 2);
    CHECK_INT(ploy_influence_sense_all(view, view, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_sense_all(view, real, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_sense(view, real, 0, NULL), PLOY_ERR_ARGUMENT);
    ploy_influence_destroy(real);
    ploy_influence_destroy(view);
}

// Believed units as a plain list, against the map that finds them by origin: with few places, many units
// are added, moved, removed and replaced by others in the same slot.
TEST(what_a_side_believes_equals_a_plain_list) {
    enum { UNITS = 40, PLACES = 60 };
    for (int64_t seed = 1; seed <= test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_influence_def def = ploy_influence_def_default();
        def.sides = 3;
        def.capacity = 2 * UNITS; // of the view: those that are gone may still be believed
        ploy_places places = ploy_places_grid(PLACES / 4, 4, ploy_vec2_make(0, 0), 1.0f);
        ploy_influence *real = NULL, *view = NULL;
        CHECK_OK(ploy_influence_create(&def, &places, &env, &real));
        CHECK_OK(ploy_influence_create(&def, &places, &env, &view));
        add_types(t, real);
        add_types(t, view);
        struct belief {
            ploy_influence_unit unit; // the real one
            ploy_influence_state state;
            bool used;
        } beliefs[2 * UNITS];
        memset(beliefs, 0, sizeof beliefs);
        walk w = {.count = 0};
        uint8_t seen[PLACES];
        for (int32_t tick = 0; tick < 60; tick++) {
            for (int32_t i = 0; i < 12; i++) {
                if (w.count < UNITS || ploy_rng_int(&rng, 0, 1) == 0) {
                    walk_step(t, real, &w, &rng);
                }
                if (w.count == UNITS + 1) {
                    CHECK_OK(ploy_influence_remove(real, w.units[--w.count]));
                }
            }
            for (int32_t i = 0; i < PLACES; i++) seen[i] = ploy_rng_int(&rng, 0, 2) == 0;
            CHECK_OK(ploy_influence_sense(view, real, 1, seen));
            ploy_influence *fresh = NULL;
            CHECK_OK(ploy_influence_create(&def, &places, &env, &fresh));
            add_types(t, fresh);
            for (int32_t i = 0; i < 2 * UNITS; i++) { // what is seen to be gone
                struct belief *b = &beliefs[i];
                ploy_influence_state now;
                bool lives = ploy_influence_unit_of(real, b->unit, &now);
                bool there = lives && now.place == b->state.place;
                bool own = b->state.side == 1;
                if (own ? !lives : seen[b->state.place] != 0 && !there) b->used = false;
            }
            for (int32_t i = 0; i < w.count; i++) { // what is seen, and what is its own
                ploy_influence_state now;
                CHECK(ploy_influence_unit_of(real, w.units[i], &now));
                if (now.side != 1 && seen[now.place] == 0) continue;
                int32_t slot = -1, room = -1;
                for (int32_t k = 0; k < 2 * UNITS; k++) {
                    if (!beliefs[k].used) room = k;
                    if (beliefs[k].used && ploy_id_equal(beliefs[k].unit.id, w.units[i].id))
                        slot = k;
                }
                if (slot < 0) slot = room;
                CHECK(slot >= 0);
                beliefs[slot] = (struct belief){w.units[i], now, true};
            }
            for (int32_t i = 0; i < 2 * UNITS; i++) {
                const ploy_influence_state *s = &beliefs[i].state;
                if (!beliefs[i].used) continue;
                CHECK_OK(ploy_influence_add(fresh, s->side, s->type, s->place, s->strength, NULL));
            }
            check_same_sums(t, view, fresh, 3);
            ploy_influence_destroy(fresh);
        }
        ploy_influence_destroy(real);
        ploy_influence_destroy(view);
    }
}

// ---- memories

typedef struct remembered {
    int32_t asked;
} remembered;

// Agents below 10 are of the own side; those from 20 on are strong.
static bool remembered_agent(void *user, ploy_agent_id agent, ploy_influence_state *out) {
    ((remembered *)user)->asked++;
    if (agent.id.index < 10) return false;
    out->side = 1;
    out->type = agent.id.index >= 20;
    out->strength = agent.id.index >= 20 ? 8.0f : 4.0f;
    return true;
}

static ploy_sense_memory *memory_make(test_context *t, uint32_t owner, const ploy_env *env) {
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    ploy_sense_memory *memory = NULL;
    def.span = 10.0f;
    def.half_life = 5.0f;
    CHECK_OK(ploy_sense_memory_create(&def, ploy_agent_id_make(owner, 1), env, &memory));
    return memory;
}

TEST(a_side_remembers_what_its_members_sensed) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_influence_def def = ploy_influence_def_default();
    def.capacity = 8;
    ploy_places places = ploy_places_grid(20, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *view = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &view));
    CHECK_OK(ploy_influence_add_type(view, &type, NULL));
    type.drop = PLOY_INFLUENCE_SQUARE;
    CHECK_OK(ploy_influence_add_type(view, &type, NULL));
    CHECK_OK(ploy_influence_add(view, 0, 0, 0, 2.0f, NULL)); // the side's own, by the game
    ploy_sense_memory *const members[] = {memory_make(t, 1, &env), memory_make(t, 2, &env)};
    const ploy_sense_memory *const all[] = {members[0], members[1]};
    remembered user = {0};
    ploy_agent_id foe = ploy_agent_id_make(10, 1), strong = ploy_agent_id_make(20, 1);
    CHECK_OK(ploy_influence_remember(view, all, 2, 0.0, remembered_agent, &user));
    CHECK_INT(user.asked, 0);
    int64_t calls = counts.calls;
    // The first member saw the foe at 4, later the second at 7; a friend is no unit.
    ploy_sense_memory_look(members[0], foe, ploy_vec3_make(4.5f, 0.5f, 0), true, true, 1, 1.0);
    ploy_sense_memory_look(members[0], ploy_agent_id_make(2, 1), ploy_vec3_make(1.5f, 0.5f, 0),
                           true, true, 1, 1.0);
    CHECK_OK(ploy_influence_remember(view, all, 2, 1.0, remembered_agent, &user));
    CHECK_NEAR(ploy_influence_at(view, 1, 4), 4.0, 1e-4);
    ploy_sense_memory_look(members[1], foe, ploy_vec3_make(7.5f, 0.5f, 0), true, true, 1, 2.0);
    ploy_sense_memory_look(members[1], strong, ploy_vec3_make(15.5f, 0.5f, 0), true, true, 1, 2.0);
    CHECK_OK(ploy_influence_remember(view, all, 2, 2.0, remembered_agent, &user));
    CHECK_NEAR(ploy_influence_at(view, 1, 7), 4.0 + 8.0 / 81.0, 1e-4);
    CHECK_NEAR(ploy_influence_at(view, 1, 15), 8.0 + 4.0 / 9.0, 1e-4);
    CHECK_NEAR(ploy_influence_at(view, 0, 0), 2.0, 1e-4);
    // After a half-life of 5 s each counts half, after the span nothing, and the own unit stays.
    CHECK_OK(ploy_influence_remember(view, all, 2, 7.0, remembered_agent, &user));
    CHECK_NEAR(ploy_influence_at(view, 1, 7), 2.0 + 4.0 / 81.0, 1e-4);
    CHECK_OK(ploy_influence_remember(view, all, 2, 12.5, remembered_agent, &user));
    for (int32_t i = 0; i < 20; i++) CHECK_SAME(ploy_influence_at(view, 1, i), 0.0);
    CHECK_NEAR(ploy_influence_at(view, 0, 0), 2.0, 1e-4);
    CHECK_INT(counts.calls, calls); // warm since the first call
    // Somewhere outside, nobody is anywhere.
    ploy_sense_memory_look(members[0], foe, ploy_vec3_make(-4, 0.5f, 0), true, true, 1, 13.0);
    CHECK_OK(ploy_influence_remember(view, all, 2, 13.0, remembered_agent, &user));
    CHECK_SAME(ploy_influence_at(view, 1, 0), 0.0);
    const ploy_sense_memory *const none[] = {members[0], NULL};
    CHECK_INT(ploy_influence_remember(view, none, 2, 13.0, remembered_agent, &user),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_remember(view, NULL, 1, 13.0, remembered_agent, &user),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_influence_remember(view, all, 2, 13.0, NULL, NULL), PLOY_ERR_ARGUMENT);
    int64_t bytes = 0;
    ploy_sense_memory_destroy(members[0]);
    ploy_sense_memory_destroy(members[1]);
    ploy_influence_memory(view, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_influence_destroy(view);
    CHECK_INT(counts.bytes, 0);
}
