// The lab `offsetting`: clicks move, add, remove and look; each mode makes what it says; it rewinds
// to the same bytes.
#include "tests/labs/lab_test.h"

TEST(clicks_change_the_outlines_as_the_parameter_says) {
    static const char *const move[] = {"mode=boolean", NULL};
    static const char *const add[] = {"click=add", "shape=second", NULL};
    static const char *const removing[] = {"click=remove", NULL};
    static const char *const look[] = {"mode=visibility", "click=look", "radius=5", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "offsetting", move, &env);
    double area = lab_number(t, sim, "made/area");
    lab_click(t, sim, -15, 0);
    CHECK(lab_number(t, sim, "made/area") != area);
    CHECK_INT(lab_number(t, sim, "first/corners"), 10);
    lab_click(t, sim, -1e9f, 1e9f); // held within reach
    CHECK(lab_number(t, sim, "made/area") < 1e7);
    lab_command(t, sim, "scatter", ploy_value_none());
    CHECK(lab_number(t, sim, "made/area") < 300);
    ploy_sim_destroy(sim);

    sim = lab_start(t, "offsetting", add, &env);
    for (int32_t i = 0; i < 60; i++) lab_click(t, sim, (float)(i % 10), (float)(i / 10));
    CHECK_INT(lab_number(t, sim, "first/corners"), 10);
    CHECK_INT(lab_number(t, sim, "second/corners"), 48); // and no more
    CHECK(lab_drawn(sim) > 0);
    ploy_sim_destroy(sim);

    sim = lab_start(t, "offsetting", removing, &env);
    for (int32_t i = 0; i < 22; i++) {
        lab_click(t, sim, 0, 0);
        CHECK(lab_drawn(sim) >= 0);
    }
    CHECK_INT(lab_number(t, sim, "first/corners"), 0);
    CHECK_INT(lab_number(t, sim, "made/corners"), 0);
    ploy_sim_destroy(sim);

    sim = lab_start(t, "offsetting", look, &env);
    lab_click(t, sim, 500, 0);
    CHECK_NEAR(lab_number(t, sim, "made/area"), 25 * 3.14159, 0.5); // nothing in the way
    lab_click(t, sim, -3, 0);
    CHECK(lab_number(t, sim, "made/area") == 0); // inside
    ploy_sim_destroy(sim);
}

TEST(each_mode_makes_what_it_says) {
    static const struct {
        const char *row;
        const char *settings[5];
        double least, most; // area, over that of the union
    } rows[] = {
        {"grown", {"distance=1", NULL}, 1.2, 3},
        {"grown with miters", {"distance=1", "join=miter", NULL}, 1.2, 3},
        {"grown with bevels", {"distance=1", "join=bevel", NULL}, 1.2, 3},
        {"shrunk", {"distance=-0.5", NULL}, 0.2, 0.9},
        {"left alone", {"distance=0", NULL}, 0.9999, 1.0001},
        {"united", {"mode=boolean", "operation=union", NULL}, 0.9999, 1.0001},
        {"shared", {"mode=boolean", "operation=intersection", NULL}, 0.001, 0.5},
        {"cut", {"mode=boolean", "operation=difference", NULL}, 0.1, 0.9},
        {"either", {"mode=boolean", "operation=xor", "fill=even_odd", NULL}, 0.1, 0.999},
        {"looked past", {"mode=visibility", NULL}, 0.5, 10},
        {"in a cone", {"mode=visibility", "angle=0.5", NULL}, 0.001, 1},
    };
    static const char *const whole[] = {"mode=boolean", "operation=union", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "offsetting", whole, &env);
    double both = lab_number(t, sim, "made/area");
    ploy_sim_destroy(sim);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        sim = lab_start(t, "offsetting", rows[i].settings, &env);
        double share = lab_number(t, sim, "made/area") / both;
        t->row = rows[i].row;
        CHECK(share > rows[i].least && share < rows[i].most);
        CHECK(lab_drawn(sim) > 10);
        ploy_sim_destroy(sim);
    }
}

TEST(offsetting_rewinds_to_the_same_bytes) {
    static const char *const settings[][3] = {
        {"distance=1", NULL}, {"mode=boolean", "click=add", NULL}, {"mode=visibility", NULL}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        ploy_sim *sim = lab_start(t, "offsetting", settings[i], &env);
        lab_check_rewind_clicking(t, sim);
        ploy_sim_destroy(sim);
    }
}

static ploy_result offsetting_create(const ploy_env *env, void *arg) {
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    (void)arg;
    ploy_result result = ploy_sim_create(&def, ploy_sim_type_find(ploy_labs(), "offsetting", NULL),
                                         NULL, NULL, env, &sim);
    ploy_sim_destroy(sim);
    return result;
}

TEST(offsetting_create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(offsetting_create, NULL);
}
