// Layers of values.
#include <math.h>

#include "ploy/tactics/layer.h"
#include "tests/state.h"

static ploy_tactics_layer *make_layer(test_context *t, int32_t width, int32_t height,
                                      ploy_tactics_kind kind) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(width, height, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, kind, &env, &layer));
    return layer;
}

TEST(unknown_is_not_zero) {
    for (int32_t kind = 0; kind < PLOY_TACTICS_KINDS; kind++) {
        ploy_tactics_layer *layer = make_layer(t, 4, 3, (ploy_tactics_kind)kind);
        CHECK_INT(ploy_tactics_layer_kind(layer), kind);
        CHECK_SAME(ploy_tactics_layer_at(layer, 5), 0.0);
        CHECK_OK(ploy_tactics_layer_set(layer, 5, NAN));
        CHECK(isnan(ploy_tactics_layer_at(layer, 5)));
        CHECK(isnan(ploy_tactics_layer_value(layer, ploy_vec3_make(1.5f, 1.5f, 0))));
        CHECK(isnan(ploy_tactics_layer_at(layer, 12)));
        CHECK(isnan(ploy_tactics_layer_at(layer, -1)));
        CHECK_OK(ploy_tactics_layer_set(layer, 0, 3.0f));
        CHECK_SAME(ploy_tactics_layer_value(layer, ploy_vec3_make(0.1f, 0.9f, 7)), 3.0);
        ploy_tactics_range range = ploy_tactics_layer_range(layer);
        CHECK_INT(range.known, 11);
        CHECK_INT(range.most_at, 0);
        CHECK_INT(range.least_at, 1);
        CHECK_OK(ploy_tactics_layer_fill(layer, NAN));
        CHECK_INT(ploy_tactics_layer_range(layer).known, 0);
        CHECK_INT(ploy_tactics_layer_range(layer).most_at, PLOY_PLACE_NONE);
        ploy_tactics_layer_destroy(layer);
    }
}

TEST(categories_have_a_range) {
    ploy_tactics_layer *layer = make_layer(t, 2, 2, PLOY_TACTICS_CATEGORIES);
    CHECK_OK(ploy_tactics_layer_set(layer, 0, 254.0f));
    CHECK_INT(ploy_tactics_layer_set(layer, 0, 255.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_set(layer, 0, -1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_set(layer, 4, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_fill(layer, INFINITY), PLOY_ERR_ARGUMENT);
    CHECK_SAME(ploy_tactics_layer_at(layer, 0), 254.0);
    CHECK(ploy_tactics_layer_numbers(layer) == NULL);
    CHECK(ploy_tactics_layer_categories(layer) != NULL);
    ploy_tactics_layer_destroy(layer);
}

TEST(numbers_become_categories_and_numbers_again) {
    static const float slopes[] = {0.0f, 0.1f, 0.5f, 0.99f, 1.0f, 7.0f};
    static const float thresholds[] = {0.1f, 0.5f, 1.0f}, values[] = {10, 20, 30};
    static const int32_t want[] = {0, 1, 2, 2, 3, 3};
    ploy_tactics_layer *numbers = make_layer(t, 7, 1, PLOY_TACTICS_NUMBERS);
    ploy_tactics_layer *kinds = make_layer(t, 7, 1, PLOY_TACTICS_CATEGORIES);
    for (int32_t i = 0; i < 6; i++) CHECK_OK(ploy_tactics_layer_set(numbers, i, slopes[i]));
    CHECK_OK(ploy_tactics_layer_set(numbers, 6, NAN));
    CHECK_OK(ploy_tactics_layer_classify(numbers, thresholds, 3, kinds));
    for (int32_t i = 0; i < 6; i++) CHECK_SAME(ploy_tactics_layer_at(kinds, i), want[i]);
    CHECK(isnan(ploy_tactics_layer_at(kinds, 6)));
    CHECK_OK(ploy_tactics_layer_unclassify(kinds, values, 3, numbers));
    CHECK_SAME(ploy_tactics_layer_at(numbers, 0), 10.0);
    CHECK_SAME(ploy_tactics_layer_at(numbers, 2), 30.0);
    CHECK(isnan(ploy_tactics_layer_at(numbers, 5))); // there is no fourth value
    CHECK(isnan(ploy_tactics_layer_at(numbers, 6)));
    static const float falling[] = {2, 1};
    CHECK_INT(ploy_tactics_layer_classify(numbers, falling, 2, kinds), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_classify(kinds, thresholds, 3, numbers), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_copy(numbers, kinds), PLOY_ERR_ARGUMENT);
    ploy_tactics_layer_destroy(numbers);
    ploy_tactics_layer_destroy(kinds);
}

TEST(a_layer_prints_as_a_picture) {
    ploy_env env = ploy_env_default();
    ploy_tactics_layer *layer = make_layer(t, 3, 2, PLOY_TACTICS_NUMBERS);
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_tactics_layer_set(layer, i, (float)i));
    CHECK_OK(ploy_tactics_layer_set(layer, 5, NAN));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 4096, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_tactics_layer_print(layer, &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer), "P2\n3 2\n255\n192 255 0\n1 65 128\n");
    ploy_buffer_fini(&buffer);
    ploy_tactics_layer_destroy(layer);
}

static void count_items(void *user, const ploy_draw_item *item) {
    if (item->shape != PLOY_SHAPE_COUNT) ++*(int32_t *)user;
}

TEST(a_drawing_joins_cells_of_one_shade) {
    ploy_tactics_layer *layer = make_layer(t, 8, 2, PLOY_TACTICS_NUMBERS);
    int32_t items = 0;
    ploy_draw out = {count_items, &items, ~0u};
    ploy_tactics_layer_draw(layer, NULL, &out);
    CHECK_INT(items, 0); // zeros are empty
    for (int32_t i = 0; i < 4; i++) CHECK_OK(ploy_tactics_layer_set(layer, i, 1.0f));
    for (int32_t i = 4; i < 8; i++) CHECK_OK(ploy_tactics_layer_set(layer, i, -1.0f));
    CHECK_OK(ploy_tactics_layer_set(layer, 15, NAN));
    ploy_tactics_layer_draw(layer, "control", &out);
    CHECK_INT(items, 4); // two runs, an unknown cell, the legend
    ploy_tactics_layer_destroy(layer);
}

static void keep_map(void *user, const ploy_draw_item *item) {
    float *values = user;
    if (item->shape != PLOY_SHAPE_MAP) return;
    values[0] += 1.0f;
    values[1] = item->map->value(item->map->user, 3);
    values[2] = item->map->value(item->map->user, 4);
    values[3] = (float)(item->map->columns * 10 + item->map->rows);
}

TEST(a_receiver_that_takes_maps_gets_the_values) {
    ploy_tactics_layer *layer = make_layer(t, 3, 2, PLOY_TACTICS_NUMBERS);
    CHECK_OK(ploy_tactics_layer_set(layer, 3, 2.5f));
    CHECK_OK(ploy_tactics_layer_set(layer, 4, NAN));
    float seen[4] = {0};
    ploy_draw out = {keep_map, seen, PLOY_DRAW_MAPS | 1u << PLOY_LAYER_INFLUENCE};
    ploy_tactics_layer_draw(layer, "control", &out);
    CHECK_SAME(seen[0], 1.0f);
    CHECK_SAME(seen[1], 2.5f);
    CHECK(isnan(seen[2])); // unknown stays unknown
    CHECK_SAME(seen[3], 32.0f);
    out.layers = ~0u;
    ploy_tactics_layer_draw(layer, "control", &out);
    CHECK_SAME(seen[0], 1.0f); // shaded cells instead
    ploy_tactics_layer_destroy(layer);
}

TEST(the_state_of_a_layer_is_its_values) {
    for (int32_t kind = 0; kind < PLOY_TACTICS_KINDS; kind++) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
        ploy_tactics_layer *layer = NULL, *other = make_layer(t, 5, 4, (ploy_tactics_kind)kind);
        CHECK_OK(ploy_tactics_layer_create(&places, (ploy_tactics_kind)kind, &env, &layer));
        for (int32_t i = 0; i < 19; i++) CHECK_OK(ploy_tactics_layer_set(layer, i, (float)i));
        CHECK_OK(ploy_tactics_layer_set(layer, 19, NAN));
        static const char *const refused[] = {"kind", "places", NULL};
        state_check s = {ploy_tactics_layer_visit, layer, NULL, NULL, refused};
        state_check_all(t, &s);
        state_check_copy(t, &s, other);
        state_check_memory(t, &s, &counts);
        CHECK(isnan(ploy_tactics_layer_at(other, 19)));
        ploy_tactics_layer_destroy(layer);
        ploy_tactics_layer_destroy(other);
    }
}

static ploy_result layer_body(const ploy_env *env, void *arg) {
    const ploy_places *places = arg;
    ploy_tactics_layer *layer = NULL;
    ploy_result result = ploy_tactics_layer_create(places, PLOY_TACTICS_NUMBERS, env, &layer);
    ploy_tactics_layer_destroy(layer);
    return result;
}

TEST(creating_a_layer_survives_failing_allocations) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(layer_body, &places);
    ploy_places none = ploy_places_grid(0, 4, ploy_vec2_make(0, 0), 1.0f);
    ploy_env env = ploy_env_default();
    ploy_tactics_layer *layer = NULL;
    CHECK_INT(ploy_tactics_layer_create(&none, PLOY_TACTICS_NUMBERS, &env, &layer),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_tactics_layer_create(&places, PLOY_TACTICS_KINDS, &env, &layer),
              PLOY_ERR_ARGUMENT);
}
