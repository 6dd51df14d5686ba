// A weapon's desirability by distance and ammunition, as the tests of fuzzy systems share it
// (FUZ-18, FUZ-21).
#pragma once

#include "ploy/decide/fuzzy_table.h"
#include "tests/test.h"

typedef struct weapon {
    const char *cells[9]; // close, medium, far, each with ammunition low, okay, loads
} weapon;

static const weapon weapon_rocket = {{"undesirable", "undesirable", "undesirable", "desirable",
                                      "very", "very", "undesirable", "undesirable", "desirable"}};

typedef struct weapon_options {
    double edge; // where ammunition begins to be okay
    ploy_fuzzy_defuzzifier defuzzifier;
    ploy_fuzzy_sampling sampling;
    ploy_fuzzy_norm aggregation;
    int32_t samples;
    bool combs;
} weapon_options;

static inline weapon_options weapon_options_default(void) {
    weapon_options options = {
        0, PLOY_FUZZY_BLEND_OF_MAX, PLOY_FUZZY_MIDPOINTS, PLOY_FUZZY_MAXIMUM, 100, false};
    return options;
}

static inline void weapon_terms(ploy_fuzzy_type *type, int32_t variable, const char *const *names,
                                double min, double low, double middle, double high, double max) {
    ploy_fuzzy_set sets[3] = {ploy_fuzzy_left_shoulder(min, low, middle),
                              ploy_fuzzy_triangle(low, middle, high),
                              ploy_fuzzy_right_shoulder(middle, high, max)};
    for (int32_t i = 0; i < 3; i++) (void)ploy_fuzzy_type_term(type, variable, names[i], &sets[i]);
}

// Builds the type; whoever calls destroys it, also after a failure.
static inline ploy_result weapon_build(const weapon *cells, weapon_options options,
                                       const ploy_env *env, ploy_fuzzy_type **out) {
    static const char *const distance_names[] = {"close", "medium", "far"};
    static const char *const ammo_names[] = {"low", "okay", "loads"};
    static const char *const want_names[] = {"undesirable", "desirable", "very"};
    static const char *const combs_distance[] = {"undesirable", "very", "undesirable"};
    static const char *const combs_ammo[] = {"undesirable", "desirable", "very"};
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fuzzy_type_create("weapon", env, &type);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0;
    def.max = 400;
    int32_t distance = ploy_fuzzy_type_input(type, "distance", &def);
    weapon_terms(type, distance, distance_names, 0, 25, 150, 300, 400);
    def.max = 40;
    int32_t ammo = ploy_fuzzy_type_input(type, "ammo", &def);
    weapon_terms(type, ammo, ammo_names, 0, options.edge, 10, 30, 40);
    def.max = 100;
    def.defuzzifier = options.defuzzifier;
    def.sampling = options.sampling;
    def.aggregation = options.aggregation;
    def.samples = options.samples;
    int32_t want = ploy_fuzzy_type_output(type, "desirability", &def);
    weapon_terms(type, want, want_names, 0, 25, 50, 75, 100);
    int32_t block = ploy_fuzzy_type_block(type, "rules", NULL);
    if (options.combs) {
        (void)ploy_fuzzy_type_combs(type, block, distance, want, combs_distance);
        (void)ploy_fuzzy_type_combs(type, block, ammo, want, combs_ammo);
    } else {
        (void)ploy_fuzzy_type_matrix(type, block, distance, ammo, want, cells->cells);
    }
    result = ploy_fuzzy_type_finish(type, NULL);
    if (result != PLOY_OK) {
        ploy_fuzzy_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

static inline double weapon_score(test_context *t, const weapon *cells, weapon_options options,
                                  double distance, double ammo) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(weapon_build(cells, options, &env, &type));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, distance);
    ploy_fuzzy_set_input(fuzzy, 1, ammo);
    ploy_fuzzy_step(fuzzy, NULL);
    double score = ploy_fuzzy_output(fuzzy, 0);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return score;
}
