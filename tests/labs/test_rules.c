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
