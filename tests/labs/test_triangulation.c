// The lab `triangulation`: clicks add points, polygons and walls and remove them; mesh, merged
// polygons and cells follow; it rewinds to the same bytes.
#include "tests/labs/lab_test.h"

TEST(clicks_build_a_triangulation) {
    static const char *const point[] = {"click=point", NULL};
    static const char *const polygon[] = {"click=polygon", NULL};
    static const char *const wall[] = {"click=wall", NULL};
    static const char *const removing[] = {"click=remove", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "triangulation", point, &env);
    CHECK_INT(lab_number(t, sim, "drawing/vertices"), 35);
    CHECK_INT(lab_number(t, sim, "drawing/walls"), 27);
    CHECK_INT(lab_number(t, sim, "dual/cells"), 35);
    lab_click(t, sim, -16, 8);
    lab_click(t, sim, -16.1f, 8); // the same one
    CHECK_INT(lab_number(t, sim, "drawing/vertices"), 36);
    lab_click(t, sim, 1e9f, -1e9f); // held within reach
    CHECK_INT(lab_number(t, sim, "drawing/vertices"), 37);
    ploy_sim_destroy(sim);

    sim = lab_start(t, "triangulation", polygon, &env);
    lab_command(t, sim, "clear", ploy_value_none());
    CHECK_INT(lab_number(t, sim, "drawing/vertices"), 0);
    CHECK(lab_drawn(sim) >= 0);
    static const float square[][2] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}, {0, 0}};
    for (int32_t i = 0; i < 5; i++) lab_click(t, sim, square[i][0], square[i][1]);
    CHECK_INT(lab_number(t, sim, "drawing/walls"), 4);
    CHECK_INT(lab_number(t, sim, "drawing/last"), -1); // closed
    CHECK_INT(lab_number(t, sim, "merged/polygons"), 1);
    CHECK_NEAR(lab_number(t, sim, "merged/area"), 64, 0);
    static const float hole[][2] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}};
    for (int32_t i = 0; i < 5; i++) lab_click(t, sim, hole[i][0], hole[i][1]);
    CHECK_NEAR(lab_number(t, sim, "merged/area"), 60, 0);
    // An edge across the hole is refused.
    lab_click(t, sim, 0, 0);
    lab_click(t, sim, 8, 8);
    CHECK_INT(lab_number(t, sim, "drawing/refused"), 0); // through the hole's corners: divided
    lab_click(t, sim, 1, 3);
    lab_click(t, sim, 5, 3);
    CHECK_INT(lab_number(t, sim, "drawing/refused"), 2); // across that wall, and across the hole
    ploy_sim_destroy(sim);

    sim = lab_start(t, "triangulation", wall, &env);
    double walls = lab_number(t, sim, "drawing/walls");
    lab_click(t, sim, -16, 7);
    lab_click(t, sim, -15, 5);
    CHECK_INT(lab_number(t, sim, "drawing/walls"), walls + 1);
    CHECK_INT(lab_number(t, sim, "drawing/last"), -1);
    ploy_sim_destroy(sim);

    sim = lab_start(t, "triangulation", removing, &env);
    for (int32_t i = 35; i > 0; i--) {
        lab_click(t, sim, 0, 0);
        CHECK_INT(lab_number(t, sim, "drawing/vertices"), i - 1);
        CHECK(lab_drawn(sim) >= 0);
    }
    lab_click(t, sim, 0, 0); // nobody there
    CHECK_INT(lab_number(t, sim, "drawing/walls"), 0);
    ploy_sim_destroy(sim);
}

TEST(every_view_draws) {
    static const char *const settings[][3] = {
        {"show=mesh", NULL}, {"show=merged", "max_corners=6", NULL}, {"show=dual", NULL}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        t->row = settings[i][0];
        ploy_sim *sim = lab_start(t, "triangulation", settings[i], &env);
        CHECK(lab_drawn(sim) > 60);
        lab_command(t, sim, "scatter", ploy_value_none());
        CHECK(lab_drawn(sim) > 60);
        ploy_sim_destroy(sim);
    }
}

TEST(triangulation_rewinds_to_the_same_bytes) {
    static const char *const settings[][3] = {
        {"click=point", NULL}, {"click=polygon", NULL}, {"click=remove", NULL}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        ploy_sim *sim = lab_start(t, "triangulation", settings[i], &env);
        lab_check_rewind_clicking(t, sim);
        ploy_sim_destroy(sim);
    }
}

static ploy_result triangulation_create(const ploy_env *env, void *arg) {
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    (void)arg;
    ploy_result result = ploy_sim_create(
        &def, ploy_sim_type_find(ploy_labs(), "triangulation", NULL), NULL, NULL, env, &sim);
    ploy_sim_destroy(sim);
    return result;
}

TEST(triangulation_create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(triangulation_create, NULL);
}
