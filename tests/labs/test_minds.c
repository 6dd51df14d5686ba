// The lab `minds`: a tree that holds a machine that holds a planner whose goal a fuzzy module chose
// goes on in the middle of its plan after its definitions were exchanged under it.
#include "tests/labs/lab_test.h"

TEST(minds_rewind_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "minds", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 20);
    lab_check_rewind(t, sim, 400);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

// Two runs: one is reloaded to the edited edition and back at once, which must change nothing but
// the count of reloads; the other never.
TEST(a_mind_that_was_reloaded_twice_lives_the_same_life) {
    static const char *const keys[] = {"settler/knows/hunger", "settler/knows/tired",
                                       "settler/knows/work", "settler/mind/cursor", NULL};
    ploy_env env = ploy_env_default();
    for (int32_t when = 1; when <= 400; when += 57) {
        ploy_sim *plain = lab_start(t, "minds", NULL, &env);
        ploy_sim *reloaded = lab_start(t, "minds", NULL, &env);
        for (int32_t tick = 0; tick < 500; tick++) {
            ploy_input inputs[2];
            memset(inputs, 0, sizeof inputs);
            for (int32_t i = 0; i < 2; i++) {
                inputs[i].kind = PLOY_INPUT_COMMAND;
                inputs[i].name = "reload"; // to the edited edition and back
            }
            lab_run(t, plain, 1);
            CHECK_OK(ploy_sim_step(reloaded, inputs, tick == when ? 2 : 0, NULL));
        }
        CHECK_SAME(lab_number(t, reloaded, "reloads"), 2);
        CHECK_SAME(lab_number(t, reloaded, "edition"), 0);
        CHECK_SAME(lab_number(t, plain, "reloads"), 0);
        for (size_t i = 0; keys[i] != NULL; i++) {
            t->row = keys[i];
            CHECK_SAME(lab_number(t, reloaded, keys[i]), lab_number(t, plain, keys[i]));
        }
        ploy_sim_destroy(plain);
        ploy_sim_destroy(reloaded);
    }
}

// In the edited edition they find the shorter way to bread, and live on through storms.
TEST(an_edited_definition_is_lived_by) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "minds", NULL, &env);
    lab_run(t, sim, 60);
    lab_command(t, sim, "reload", ploy_value_none());
    lab_command(t, sim, "storm", ploy_value_none());
    lab_run(t, sim, 2000);
    CHECK_SAME(lab_number(t, sim, "edition"), 1);
    CHECK(lab_number(t, sim, "settler/knows/hunger") < 1.0);
    ploy_sim_destroy(sim);
}

TEST(minds_create_survives_every_failing_allocation) {
    static char name[] = "minds";
    CHECK_FAIL_NTH(lab_create, name);
}
