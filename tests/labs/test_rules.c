// The lab `rules`: it rewinds to the same bytes and survives every failing allocation.
#include "tests/labs/lab_edit.h"

TEST(rules_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "rules", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 900);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(rules_create_survives_every_failing_allocation) {
    static char name[] = "rules";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(rules_goes_on_with_an_edited_definition) {
    static const lab_edit edit = {"gatherer", "(salience 20)", "(salience 40)", "(salience", 0};
    lab_check_edited(t, "rules", &edit);
}

// A text from outside must not stop the simulation: while it is loaded, or in its rules.
TEST(rules_that_never_end_are_stopped) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "rules", NULL, &env);
    char *text = lab_definition(t, sim, "gatherer");
    static const struct {
        const char *row, *added;
        ploy_result want;
    } rows[] = {
        {"while it is loaded", "(defglobal ?*a* = (progn (while TRUE do (bind ?x 1))))",
         PLOY_ERR_LIMIT},
        {"in a rule",
         "(defrule endless (declare (salience 9000)) => "
         "(while TRUE do (bind ?x 1)))",
         PLOY_OK},
        {"facts without end",
         "(deffacts n (n 0)) (defrule more (declare (salience 9000)) "
         "(n ?x) => (assert (n (+ ?x 1))))",
         PLOY_OK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char *edited = malloc(strlen(text) + strlen(rows[i].added) + 2);
        CHECK(edited != NULL);
        sprintf(edited, "%s\n%s", text, rows[i].added);
        ploy_input input = lab_reload_input("gatherer", edited);
        ploy_result result = ploy_sim_check_input(sim, &input, NULL);
        CHECK(rows[i].want == PLOY_OK ? result == PLOY_OK : result < PLOY_OK);
        if (result == PLOY_OK) (void)ploy_sim_step(sim, &input, 1, NULL); // ends, that is all
        free(edited);
        for (int32_t k = 0; k < 12; k++) (void)ploy_sim_step(sim, NULL, 0, NULL);
    }
    free(text);
    ploy_sim_destroy(sim);
}
