#include "tests/labs/lab_picture.h"

TEST(every_colour_of_a_lab_has_a_meaning) {
    for (const ploy_sim_type *const *type = ploy_labs(); *type != NULL; type++) {
        lab_check_keys(t, *type, 200);
    }
}
