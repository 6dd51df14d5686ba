// The lab `tree`: it rewinds to the same bytes, survives every failing allocation, and can be edited.
#include "tests/labs/lab_test.h"

TEST(tree_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "tree", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 900);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(tree_create_survives_every_failing_allocation) {
    static char name[] = "tree";
    CHECK_FAIL_NTH(lab_create, name);
}

// The first level below the root is survive, fight, search, wait; leaves stand 3.5 m apart.
TEST(tree_is_edited_by_clicks) {
    static const char *const quiet[] = {"events_on=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "tree", quiet, &env);
    lab_run(t, sim, 1);
    int32_t before = lab_drawn(sim);
    lab_click(t, sim, -14.0f, -6.4f); // the action "hide": it will fail
    lab_run(t, sim, 1);
    CHECK_INT(lab_drawn(sim), before + 2); // a cross
    lab_click(t, sim, -14.0f, -3.2f);      // the branch "survive" changes places with "fight"
    lab_run(t, sim, 1);
    CHECK_NEAR(lab_number(t, sim, "guard/edits"), 1, 0);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
}

// What a click on a branch does is a parameter; what was taken out comes back.
TEST(tree_branches_become_others_and_are_taken_out) {
    static const char *const kind[] = {"events_on=false", "edit=kind", NULL};
    static const char *const cut[] = {"events_on=false", "edit=cut", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "tree", kind, &env);
    lab_run(t, sim, 1);
    lab_click(t, sim, -14.0f, -3.2f); // "survive", a sequence
    lab_run(t, sim, 1);
    CHECK_NEAR(lab_number(t, sim, "guard/edits"), 1, 0);
    lab_click(t, sim, 0.0f, 0.0f); // the root is one too
    for (int32_t i = 0; i < 3; i++) lab_click(t, sim, -14.0f, -3.2f);
    lab_run(t, sim, 1);
    CHECK_NEAR(lab_number(t, sim, "guard/edits"), 5, 0);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
    sim = lab_start(t, "tree", cut, &env);
    lab_run(t, sim, 1);
    int32_t before = lab_drawn(sim);
    lab_click(t, sim, -14.0f, -3.2f);
    lab_run(t, sim, 1);
    CHECK(lab_drawn(sim) < before);
    lab_check_rewind_clicking(t, sim);
    lab_command(t, sim, "whole", ploy_value_none());
    lab_run(t, sim, 1);
    CHECK_INT(lab_drawn(sim), before);
    ploy_sim_destroy(sim);
}
