// The lab `fuzzy`: it rewinds to the same bytes, sets can be dragged, and it survives every failing
// allocation.
#include "tests/labs/lab_edit.h"

TEST(fuzzy_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "fuzzy", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 100);
    lab_check_rewind(t, sim, 300);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(fuzzy_sets_are_dragged_and_the_target_is_moved) {
    ploy_env env = ploy_env_default();
    static const char *const still[] = {"stroll=0", "defuzzifier=blend_of_max", NULL};
    ploy_sim *sim = lab_start(t, "fuzzy", still, &env);
    lab_click(t, sim, 12.7f, 5.28f); // the middle of the surface, a fifth up
    CHECK_NEAR(lab_number(t, sim, "distance"), 200, 0.1);
    CHECK_NEAR(lab_number(t, sim, "ammo"), 8, 0.1);
    CHECK_NEAR(lab_number(t, sim, "desirability/value"), 60.4, 0.2);
    double builds = lab_number(t, sim, "builds");
    lab_click(t, sim, 0.5f + 8.5f * 0.5f, 8.0f); // medium is wanted at 200 now
    CHECK_NEAR(lab_number(t, sim, "peaks/medium"), 200, 0.1);
    CHECK_NEAR(lab_number(t, sim, "builds"), builds + 1, 0);
    CHECK(lab_number(t, sim, "desirability/value") > 75);
    lab_click(t, sim, 0.5f + 8.5f * 0.5f, 8.0f); // again, where it is: nothing to build
    CHECK_NEAR(lab_number(t, sim, "builds"), builds + 1, 0);
    ploy_sim_destroy(sim);
}

TEST(fuzzy_create_survives_every_failing_allocation) {
    static char name[] = "fuzzy";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(fuzzy_goes_on_with_an_edited_definition) {
    static const lab_edit edit = {"launcher", "Triangle 25", "Triangle 60", "Tirangle 25", 0};
    lab_check_edited(t, "fuzzy", &edit);
}

TEST(fuzzy_says_what_its_text_lacks) {
    static const struct {
        const char *row, *from, *to;
    } rows[] = {{"no distance", "InputVariable: distance", "InputVariable: far"},
                {"a rule about nobody", "if distance is", "if speed is"}};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "fuzzy", NULL, &env);
    char *text = lab_definition(t, sim, "launcher");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char *edited = lab_replace(t, text, rows[i].from, rows[i].to);
        ploy_input input = lab_reload_input("launcher", edited);
        CHECK(ploy_sim_check_input(sim, &input, NULL) < PLOY_OK);
        free(edited);
    }
    free(text);
    ploy_sim_destroy(sim);
}
