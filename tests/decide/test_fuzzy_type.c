// Definitions: what is refused, what the linter doubts, and that pictures are drawn.
#include "ploy/base/math.h"
#include "tests/decide/fuzzy_weapons.h"

TEST(faults_of_a_definition_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_set set = ploy_fuzzy_triangle(0, 1, 2);
    for (int32_t fault = 0; fault < 12; fault++) {
        ploy_fuzzy_type *type = NULL;
        ploy_fuzzy *fuzzy = NULL;
        CHECK_OK(ploy_fuzzy_type_create("faulty", &env, &type));
        ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
        ploy_fuzzy_block_def norms = ploy_fuzzy_block_def_default();
        def.min = 0;
        def.max = 2;
        if (fault == 1) def.max = -1;
        if (fault == 2) def.samples = 0;
        if (fault == 3) def.cookie = 0;
        if (fault == 4) def.min = (double)NAN;
        if (fault == 9) def.aggregation = PLOY_FUZZY_NONE;
        if (fault == 10) norms.implication = PLOY_FUZZY_NONE;
        if (fault == 11) norms.conjunction = PLOY_FUZZY_NONE;
        int32_t x = ploy_fuzzy_type_input(type, "x", &def);
        int32_t y = ploy_fuzzy_type_output(type, fault == 5 ? "x" : "y", &def);
        (void)ploy_fuzzy_type_term(type, x, "on", &set);
        if (fault == 6) (void)ploy_fuzzy_type_term(type, x, "on", &set);
        if (fault == 7) (void)ploy_fuzzy_type_term(type, 7, "on", &set);
        if (fault == 8) (void)ploy_fuzzy_type_input(type, "", &def);
        (void)ploy_fuzzy_type_term(type, y, "on", &set);
        int32_t block = ploy_fuzzy_type_block(type, "", &norms);
        (void)ploy_fuzzy_type_rule(type, block, "if x is on and x is on then y is on", NULL);
        ploy_result result = ploy_fuzzy_type_finish(type, NULL);
        CHECK_INT(result == PLOY_OK, fault == 0);
        CHECK_INT(ploy_fuzzy_create(type, &env, &fuzzy), fault == 0 ? PLOY_OK : PLOY_ERR_STATE);
        if (fault == 0) {
            CHECK_INT(ploy_fuzzy_type_input(type, "late", NULL), -1);
            CHECK_INT(ploy_fuzzy_type_finish(type, NULL), PLOY_ERR_STATE);
            CHECK_INT(ploy_fuzzy_type_find(type, "y"), PLOY_FUZZY_OUTPUT);
            CHECK_INT(ploy_fuzzy_type_find(type, "none"), -1);
            CHECK(ploy_fuzzy_type_variable(type, 99) == NULL);
            CHECK_TEXT(ploy_fuzzy_type_term_of(type, x, 5).name, "");
        }
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
    }
}

static bool mentions(const ploy_diags *diags, const char *text) {
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        if (strstr(ploy_diags_get(diags, i)->message, text) != NULL) return true;
    }
    return false;
}

// FUZ-06: the worked sets sum to 1 everywhere; the listing's medium (25, 50, 300) does not.
TEST(the_linter_finds_gaps_sums_and_rules_that_cannot_fire) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(weapon_build(&weapon_rocket, weapon_options_default(), &env, &type));
    CHECK_INT(ploy_fuzzy_type_lint(type, 400, 1e-6, diags), 0);
    ploy_fuzzy_type_destroy(type);

    CHECK_OK(ploy_fuzzy_type_create("doubtful", &env, &type));
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0;
    def.max = 400;
    int32_t x = ploy_fuzzy_type_input(type, "x", &def);
    static const char *const names[] = {"close", "medium", "far"};
    ploy_fuzzy_set sets[3] = {ploy_fuzzy_left_shoulder(0, 25, 150),
                              ploy_fuzzy_triangle(25, 50, 300),
                              ploy_fuzzy_right_shoulder(150, 300, 400)};
    for (int32_t i = 0; i < 3; i++) (void)ploy_fuzzy_type_term(type, x, names[i], &sets[i]);
    int32_t holes = ploy_fuzzy_type_input(type, "holes", &def);
    ploy_fuzzy_set one = ploy_fuzzy_triangle(0, 100, 150), two = ploy_fuzzy_triangle(200, 250, 400);
    (void)ploy_fuzzy_type_term(type, holes, "one", &one);
    (void)ploy_fuzzy_type_term(type, holes, "two", &two);
    int32_t y = ploy_fuzzy_type_output(type, "y", &def);
    (void)ploy_fuzzy_type_term(type, y, "one", &one);
    (void)ploy_fuzzy_type_term(type, y, "two", &two);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_output(type, "idle", &def), "one", &one);
    int32_t block = ploy_fuzzy_type_block(type, "", NULL);
    static const char *const rules[] = {
        "if holes is one and holes is two then y is one",
        "if x is close then y is one",
        "if x is close then y is two",
        "if x is close then y is one",
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        CHECK_OK(ploy_fuzzy_type_rule(type, block, rules[i], NULL));
    }
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    ploy_diags_clear(diags);
    CHECK(ploy_fuzzy_type_lint(type, 400, 0.01, diags) >= 7);
    CHECK(mentions(diags, "do not sum to 1"));
    CHECK(mentions(diags, "missing set at"));
    CHECK(mentions(diags, "can never fire"));
    CHECK(mentions(diags, "contradicts"));
    CHECK(mentions(diags, "duplicate rule"));
    CHECK(mentions(diags, "unused term 'far'"));
    CHECK(mentions(diags, "output has no rule: 'idle'"));
    ploy_fuzzy_type_destroy(type);
    ploy_diags_destroy(diags);
}

static void count_items(void *user, const ploy_draw_item *item) {
    int32_t *counts = user;
    for (int32_t i = 0; i < item->count; i++) {
        if (!ploy_vec3_is_finite(item->points[i])) counts[PLOY_SHAPE_COUNT]++;
    }
    counts[item->shape]++;
}

TEST(variables_and_surfaces_are_drawn) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL, *scratch = NULL;
    CHECK_OK(weapon_build(&weapon_rocket, weapon_options_default(), &env, &type));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    CHECK_OK(ploy_fuzzy_create(type, &env, &scratch));
    ploy_fuzzy_set_input(fuzzy, 0, 200);
    ploy_fuzzy_set_input(fuzzy, 1, 8);
    ploy_fuzzy_step(fuzzy, NULL);
    int32_t counts[PLOY_SHAPE_COUNT + 1] = {0};
    ploy_draw draw = {count_items, counts, 0xffffffffu};
    static const float box[4] = {0, 0, 4, 3};
    ploy_fuzzy_draw_variable(fuzzy, 0, box, &draw);
    ploy_fuzzy_draw_variable(fuzzy, PLOY_FUZZY_OUTPUT, box, &draw);
    CHECK(counts[PLOY_SHAPE_LINE] >= 8); // two frames, six sets
    CHECK_INT(counts[PLOY_SHAPE_POLYGON], 1);
    ploy_fuzzy_draw_surface(fuzzy, scratch, 0, 1, 0, 8, box, &draw);
    CHECK_INT(counts[PLOY_SHAPE_POLYGON], 65);
    CHECK_INT(counts[PLOY_SHAPE_COUNT], 0);
    ploy_fuzzy_draw_surface(fuzzy, scratch, 0, 5, 0, 8, box, &draw); // no such input: nothing
    CHECK_INT(counts[PLOY_SHAPE_POLYGON], 65);
    ploy_fuzzy_destroy(scratch);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

TEST(equal_states_have_equal_hashes_and_other_inputs_other_ones) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy[2] = {NULL, NULL};
    uint64_t hash[3];
    CHECK_OK(weapon_build(&weapon_rocket, weapon_options_default(), &env, &type));
    for (int32_t i = 0; i < 3; i++) {
        int32_t which = i % 2;
        if (fuzzy[which] == NULL) CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy[which]));
        ploy_fuzzy_set_input(fuzzy[which], 0, i == 2 ? 201 : 200);
        ploy_fuzzy_set_input(fuzzy[which], 1, 8);
        ploy_fuzzy_step(fuzzy[which], NULL);
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        ploy_fuzzy_describe(fuzzy[which], &out);
        hash[i] = ploy_hash_sink_result(&sink);
    }
    CHECK_UINT(hash[0], hash[1]);
    CHECK(hash[0] != hash[2]);
    ploy_fuzzy_destroy(fuzzy[0]);
    ploy_fuzzy_destroy(fuzzy[1]);
    ploy_fuzzy_type_destroy(type);
}

TEST(names_that_differ_in_blanks_alone_are_the_same) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_fuzzy_type_create("blanks", &env, &type));
    int32_t input = ploy_fuzzy_type_input(type, "how  far", NULL);
    CHECK(input >= 0);
    CHECK_INT(ploy_fuzzy_type_find(type, "how far"), input);
    CHECK_INT(ploy_fuzzy_type_find(type, "  how \t far "), input);
    CHECK_INT(ploy_fuzzy_type_find(type, "how fa"), -1);
    CHECK_INT(ploy_fuzzy_type_find(type, "how fart"), -1);
    CHECK_INT(ploy_fuzzy_type_find(type, "howfar"), -1);
    CHECK_INT(ploy_fuzzy_type_find(type, "how far x"), -1);
    CHECK_INT(ploy_fuzzy_type_input(type, "how   far", NULL), -1);
    ploy_fuzzy_type_destroy(type);
}
