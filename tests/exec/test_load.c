#include "exec/exec_internal.h"
#include "ploy/exec/workload.h"

#include "tests/test.h"

TEST(the_dearest_turns_are_kept_in_order) {
    ploy_workload load;
    memset(&load, 0, sizeof load);
    static const int64_t units[] = {3, 9, 3, 1, 7, 2, 9};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", NULL};
    for (int32_t i = 0; i < 7; i++) {
        ployi_workload_add(&load, names[i], ploy_agent_id_make((uint32_t)i, 1), units[i]);
    }
    CHECK_INT(load.top_count, PLOY_WORKLOAD_TOP);
    static const char *const want[] = {"b", "", "e", "a"}; // the first of equals stays first
    static const int64_t want_units[] = {9, 9, 7, 3};
    for (int32_t i = 0; i < PLOY_WORKLOAD_TOP; i++) {
        CHECK_TEXT(load.top[i].name, want[i]);
        CHECK_INT(load.top[i].units, want_units[i]);
    }
}
