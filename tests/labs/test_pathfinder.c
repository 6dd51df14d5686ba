// The lab `pathfinder`: every search can be shown, ends as it does in one go and counts the same;
// it rewinds to the same bytes and survives every failing allocation.
#include "labs/lab_searches.h"
#include "path/path_internal.h"
#include "tests/labs/lab_test.h"

TEST(pathfinder_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "pathfinder", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 900);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(pathfinder_create_survives_every_failing_allocation) {
    static char name[] = "pathfinder";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(the_names_are_those_of_the_library) {
    CHECK_INT(COUNT_OF(lab_search_names), LAB_SEARCH_COUNT);
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        CHECK_TEXT(lab_search_names[i], ploy_grid_algorithm_text((ploy_grid_algorithm)i));
    }
    for (int32_t i = 0; i < PLOY_GRID_ANGLE_COUNT; i++) {
        CHECK_TEXT(lab_search_names[LAB_SEARCH_THETA + i],
                   ployi_grid_angle_text((ploy_grid_angle_algorithm)i));
    }
}

static double asked(test_context *t, ploy_sim *sim, const char *group, int32_t search,
                    const char *name) {
    char path[64];
    snprintf(path, sizeof path, "%s%s/%s", group, lab_search_names[search], name);
    return lab_number(t, sim, path);
}

TEST(every_search_can_be_shown_and_ends_in_slices_as_in_one_go) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    static const char *const settings[] = {"pause=0", "slice=50", "panes=2", NULL};
    ploy_sim *sim = lab_start(t, "pathfinder", settings, &env);
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        t->row = lab_search_names[i];
        lab_set(t, sim, "algorithm", ploy_value_i64(i));
        lab_set(t, sim, "second", ploy_value_i64((i + 5) % LAB_SEARCH_COUNT));
        lab_run(t, sim, 100); // 50 units in each are more than the map has cells
        CHECK(asked(t, sim, "shown/", i, "length") > 1.0);
        static const char *const names[] = {"length", "taken", "units"};
        for (size_t k = 0; k < COUNT_OF(names); k++) {
            CHECK_NEAR(asked(t, sim, "shown/", i, names[k]), asked(t, sim, "", i, names[k]), 0.0);
        }
    }
    // The optimal ones agree; a line is shorter than steps, and none than the shortest line.
    static const int32_t optimal[] = {PLOY_GRID_ASTAR, PLOY_GRID_JPS, PLOY_GRID_FAST,
                                      LAB_SEARCH_FLOW, LAB_SEARCH_GENERIC};
    double best = asked(t, sim, "", PLOY_GRID_DIJKSTRA, "length");
    for (size_t i = 0; i < COUNT_OF(optimal); i++) {
        CHECK_NEAR(asked(t, sim, "", optimal[i], "length"), best, 1e-9);
    }
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        t->row = lab_search_names[i];
        CHECK(asked(t, sim, "", i, "length") >=
              asked(t, sim, "", LAB_SEARCH_ANYA, "length") - 1e-9);
    }
    CHECK(asked(t, sim, "", LAB_SEARCH_LAZY, "length") <= best);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(a_click_in_any_pane_paints_the_same_cell) {
    // One pane is twice as large; of two each is half way up; four stand as one reads.
    static const struct {
        const char *row;
        int32_t panes;
        float x, y;
    } rows[] = {
        {"the only pane", 1, 2.0f * 20.5f, 2.0f * 10.5f},
        {"the right one of two", 2, 66.0f + 20.5f, 22.5f + 10.5f},
        {"the first of four", 4, 20.5f, 45.0f + 10.5f},
        {"the last of four", 4, 66.0f + 20.5f, 10.5f},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        static const char *const settings[] = {"brush=start", NULL};
        ploy_sim *sim = lab_start(t, "pathfinder", settings, &env);
        lab_set(t, sim, "panes", ploy_value_i64(rows[i].panes));
        lab_click(t, sim, rows[i].x, rows[i].y);
        CHECK_NEAR(lab_number(t, sim, "question/start"), 10.0 * 64.0 + 20.0, 0.0);
        lab_click(t, sim, 133.0f, 44.0f); // beside the maps: nothing
        CHECK_NEAR(lab_number(t, sim, "question/start"), 10.0 * 64.0 + 20.0, 0.0);
        ploy_sim_destroy(sim);
    }
}
