// The fuzzy files of Raven: which weapon suits a distance (FUZ-18, FUZ-21) and how far shots stray
// (FUZ-20). The text's distances are pixels, 20 to a metre.
#include <stdlib.h>

#include "ploy/data/fuzzy_file.h"
#include "tests/test.h"

typedef struct rules {
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy;
} rules;

static void rules_load(test_context *t, rules *r, const char *name) {
    char path[512];
    snprintf(path, sizeof path, PLOY_SOURCE_DIR "/games/raven/fuzzy/%s.fll", name);
    size_t size = 0;
    char *bytes = test_read_file(path, &size);
    CHECK(bytes != NULL);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fll_load(bytes, size, name, &env, NULL, &r->type));
    CHECK_OK(ploy_fuzzy_create(r->type, &env, &r->fuzzy));
    CHECK_INT(ploy_fuzzy_type_lint(r->type, 200, 1e-6, NULL), 0);
    free(bytes);
}

static void rules_free(rules *r) {
    ploy_fuzzy_destroy(r->fuzzy);
    ploy_fuzzy_type_destroy(r->type);
}

static double rules_score(rules *r, double pixels, double rounds) {
    ploy_fuzzy_set_input(r->fuzzy, 0, pixels / 20.0);
    ploy_fuzzy_set_input(r->fuzzy, 1, rounds); // the blaster has no such input
    ploy_fuzzy_step(r->fuzzy, NULL);
    return ploy_fuzzy_output(r->fuzzy, 0);
}

TEST(the_rocket_launcher_s_file_gives_the_grid_of_the_text) {
    static const double distances[] = {25, 50, 100, 150, 200, 250, 300};
    static const double rounds[] = {0, 5, 8, 10, 20, 30};
    static const double want[7][6] = {
        {12.50, 12.50, 12.50, 12.50, 12.50, 12.50}, {20.00, 37.50, 31.25, 27.50, 33.93, 27.50},
        {35.00, 52.68, 56.25, 57.50, 54.17, 57.50}, {50.00, 68.75, 80.00, 87.50, 87.50, 87.50},
        {37.50, 54.69, 60.42, 62.50, 55.36, 75.00}, {25.00, 44.64, 39.58, 37.50, 45.31, 62.50},
        {12.50, 12.50, 12.50, 12.50, 31.25, 50.00}};
    rules rocket;
    rules_load(t, &rocket, "rocket");
    for (int32_t i = 0; i < 7; i++) {
        for (int32_t k = 0; k < 6; k++) {
            CHECK_NEAR(rules_score(&rocket, distances[i], rounds[k]), want[i][k], 0.0051);
        }
    }
    rules_free(&rocket);
}

TEST(the_choice_changes_at_109_and_above_225_pixels) {
    static const char *const names[] = {"blaster", "shotgun", "railgun", "rocket"};
    rules weapons[4];
    for (int32_t i = 0; i < 4; i++) rules_load(t, &weapons[i], names[i]);
    static const struct {
        double pixels, want[4];
    } rows[] = {
        {50, {42.5, 80, 20, 27.5}}, {150, {12.5, 50, 50, 87.5}}, {300, {12.5, 12.5, 87.5, 50}}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int32_t k = 0; k < 4; k++) {
            CHECK_NEAR(rules_score(&weapons[k], rows[i].pixels, 30), rows[i].want[k], 1e-4);
        }
    }
    for (int32_t d = 26; d < 400; d++) {
        int32_t best = 0;
        for (int32_t k = 1; k < 4; k++) {
            if (rules_score(&weapons[k], d, 30) > rules_score(&weapons[best], d, 30)) best = k;
        }
        t->row = names[best];
        if (d != 225) CHECK_INT(best, d < 109 ? 1 : d < 225 ? 3 : 2); // a tie at 225
    }
    for (int32_t k = 0; k < 4; k++) rules_free(&weapons[k]);
}

// Near, slow and long in view is nearly exact; each of the three makes it worse.
TEST(aim_is_worse_for_far_fast_and_new_targets) {
    rules aim;
    rules_load(t, &aim, "aim");
    static const struct {
        double distance, crossing, visible, want;
    } rows[] = {{2, 0, 3, 0.1},    {2, 0, 0.2, 0.35},  {2, 3, 3, 0.35},  {15, 0, 3, 0.35},
                {2, 3, 0.2, 0.65}, {15, 0, 0.2, 0.65}, {15, 3, 3, 0.65}, {15, 3, 0.2, 1.0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_fuzzy_set_input(aim.fuzzy, 0, rows[i].distance);
        ploy_fuzzy_set_input(aim.fuzzy, 1, rows[i].crossing);
        ploy_fuzzy_set_input(aim.fuzzy, 2, rows[i].visible);
        ploy_fuzzy_step(aim.fuzzy, NULL);
        CHECK_NEAR(ploy_fuzzy_output(aim.fuzzy, 0), rows[i].want, 1e-9);
    }
    for (double d = 0; d <= 25; d += 0.25) { // always a number from 0 to 1
        ploy_fuzzy_set_input(aim.fuzzy, 0, d);
        ploy_fuzzy_set_input(aim.fuzzy, 1, d / 8);
        ploy_fuzzy_set_input(aim.fuzzy, 2, d / 6);
        ploy_fuzzy_step(aim.fuzzy, NULL);
        double error = ploy_fuzzy_output(aim.fuzzy, 0);
        CHECK(error >= 0.1 && error <= 1.0);
    }
    rules_free(&aim);
}
