// Frag maps.
#include "ploy/tactics/frag_map.h"

#include <math.h>

#include "tests/test.h"

enum { A, B, C };

static ploy_tactics_layer *make_arena(test_context *t, float a) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(4, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &layer));
    CHECK_OK(ploy_tactics_layer_set(layer, A, a));
    return layer;
}

TEST(ten_deaths_teach_a_map_that_fades) {
    static const struct {
        float keep;
        double a, b, c;
    } rows[] = {{1.0f, 10.0, 5.0, 5.0}, {0.9f, 0.4604, 3.0852, 3.4280}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_frag_def def = ploy_frag_def_default();
        def.keep = rows[i].keep;
        ploy_tactics_layer *map = make_arena(t, 20.0f);
        for (int32_t k = 0; k < 10; k++) {
            CHECK_OK(ploy_frag_map_hit(&def, map, k % 2 == 0 ? B : C, A, true, 0.0f));
        }
        CHECK_NEAR(ploy_tactics_layer_at(map, A), rows[i].a, 1e-4);
        CHECK_NEAR(ploy_tactics_layer_at(map, B), rows[i].b, 1e-4);
        CHECK_NEAR(ploy_tactics_layer_at(map, C), rows[i].c, 1e-4);
        static const int32_t spots[] = {A, B, C};
        CHECK_INT(ploy_frag_map_best(map, spots, 3), rows[i].keep < 1.0f ? C : A);
        ploy_tactics_layer_destroy(map);
    }
}

TEST(the_limit_of_deaths_is_ten) {
    ploy_frag_def def = ploy_frag_def_default();
    ploy_tactics_layer *map = make_arena(t, 18.68f);
    for (int32_t k = 0; k < 10; k++) {
        CHECK_OK(ploy_frag_map_hit(&def, map, PLOY_PLACE_NONE, A, true, 0.0f));
    }
    CHECK_NEAR(ploy_tactics_layer_at(map, A), 0.0, 1e-3);
    for (int32_t k = 0; k < 300; k++) {
        CHECK_OK(ploy_frag_map_hit(&def, map, PLOY_PLACE_NONE, A, true, 0.0f));
    }
    CHECK_NEAR(ploy_tactics_layer_at(map, A), -10.0, 1e-4);
    ploy_tactics_layer_destroy(map);
}

TEST(wounds_count_less_and_frozen_maps_do_not_learn) {
    ploy_frag_def def = ploy_frag_def_default();
    def.keep = 1.0f;
    def.wound = 0.5f;
    ploy_tactics_layer *map = make_arena(t, 0.0f);
    CHECK_OK(ploy_frag_map_hit(&def, map, B, A, false, 0.4f));
    CHECK_SAME(ploy_tactics_layer_at(map, B), 0.5);
    def.by_damage = true;
    CHECK_OK(ploy_frag_map_hit(&def, map, B, A, false, 0.4f));
    CHECK_NEAR(ploy_tactics_layer_at(map, B), 0.7, 1e-6);
    def.half_life = 2.0f;
    CHECK_OK(ploy_frag_map_fade(&def, map, 4.0f));
    CHECK_NEAR(ploy_tactics_layer_at(map, B), 0.175, 1e-6);
    def.frozen = true;
    CHECK_OK(ploy_frag_map_fade(&def, map, 4.0f));
    CHECK_OK(ploy_frag_map_hit(&def, map, B, A, true, 1.0f));
    CHECK_NEAR(ploy_tactics_layer_at(map, B), 0.175, 1e-6);
    def.frozen = false;
    CHECK_OK(ploy_tactics_layer_set(map, 3, NAN)); // becomes known by a hit there
    CHECK_OK(ploy_frag_map_hit(&def, map, B, 3, true, 1.0f));
    CHECK_SAME(ploy_tactics_layer_at(map, 3), -1.0);
    CHECK_INT(ploy_frag_map_hit(&def, map, B, 4, true, 0.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_frag_map_hit(&def, map, -2, A, true, 0.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_frag_map_hit(&def, map, B, A, true, 2.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_frag_map_fade(&def, map, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_frag_map_best(map, NULL, 0), -1);
    ploy_tactics_layer_destroy(map);
}
