// The lab `tree`: it rewinds to the same bytes, survives every failing allocation, and can be edited.
#include "tests/labs/lab_edit.h"

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
    CHECK_NEAR(lab_number(t, sim, "definition/reloads"), 1, 0);
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
    CHECK_NEAR(lab_number(t, sim, "definition/reloads"), 1, 0);
    lab_click(t, sim, 0.0f, 0.0f); // the root is one too
    for (int32_t i = 0; i < 3; i++) lab_click(t, sim, -14.0f, -3.2f);
    lab_run(t, sim, 1);
    CHECK_NEAR(lab_number(t, sim, "definition/reloads"), 5, 0);
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

TEST(tree_goes_on_with_an_edited_definition) {
    static const lab_edit edit = {"guard", "name=\"walk\" seconds=\"2.5\"",
                                  "name=\"stroll\" seconds=\"4\"", "name=\"walk\" secs=\"4\"", 24};
    lab_check_edited(t, "tree", &edit);
}

// The action that runs, number 17, goes on where it was in the same text with a remark in it; under
// another name it begins anew.
TEST(tree_keeps_its_mind_when_the_text_is_exchanged) {
    static const char *const quiet[] = {"events_on=false", NULL};
    static const struct {
        const char *from, *to;
        bool kept;
    } rows[] = {{"<Act name=\"rest\"", "<!-- sits --><Act name=\"rest\"", true},
                {"<Act name=\"rest\"", "<Act name=\"sit\"", false}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_sim *sim = lab_start(t, "tree", quiet, &env),
                 *other = lab_start(t, "tree", quiet, &env);
        lab_run(t, sim, 20);
        lab_run(t, other, 21);
        char *text = lab_definition(t, sim, "guard");
        char *edited = lab_replace(t, text, rows[i].from, rows[i].to);
        ploy_input input = lab_reload_input("guard", edited);
        CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
        for (int32_t tick = 0; tick < 4; tick++) {
            lab_asked mine = lab_ask(sim, "17/own state");
            bool same = mine.found && mine.number == lab_ask(other, "17/own state").number;
            CHECK_INT(same, rows[i].kept);
            lab_run(t, sim, 1);
            lab_run(t, other, 1);
        }
        free(edited);
        free(text);
        ploy_sim_destroy(other);
        ploy_sim_destroy(sim);
    }
}

TEST(tree_takes_single_values_of_its_blackboard) {
    static const char *const quiet[] = {"events_on=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "tree", quiet, &env);
    lab_run(t, sim, 20);
    char *before = lab_definition(t, sim, "board");
    CHECK(strstr(before, "\"hurt\": false") != NULL);
    CHECK(strstr(before, "\"ammo\": true") != NULL);
    // What does not fit its key is refused and changes nothing.
    uint64_t hash = ploy_sim_hash(sim);
    ploy_input input = lab_reload_input("board", "{\"hurt\": \"badly\"}");
    CHECK(ploy_sim_check_input(sim, &input, NULL) < PLOY_OK);
    CHECK_UINT(ploy_sim_hash(sim), hash);
    input = lab_reload_input("board", "{\"hurt\": true}");
    CHECK_OK(ploy_sim_check_input(sim, &input, NULL));
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    char *after = lab_definition(t, sim, "board");
    CHECK(strstr(after, "\"hurt\": true") != NULL);
    CHECK(strstr(after, "\"ammo\": true") != NULL); // the others stay as they are
    // The tree is another definition: it stays as it was.
    CHECK(!lab_ask(sim, "definition/reloads").found);
    free(before);
    free(after);
    ploy_sim_destroy(sim);
}
