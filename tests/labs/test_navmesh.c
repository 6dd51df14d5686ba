// The lab `navmesh`: clicks draw and remove obstacles and send the walker; it rewinds to the same
// bytes.
#include "tests/labs/lab_test.h"

TEST(clicks_draw_and_remove_obstacles) {
    static const char *const drawing[] = {"click=polygon", "radius=0", NULL};
    static const float square[][2] = {{0, 0}, {0, 8}, {8, 8}, {8, 0}, {0.1f, 0}};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "navmesh", drawing, &env);
    lab_command(t, sim, "clear", ploy_value_none());
    CHECK_NEAR(lab_number(t, sim, "mesh/area"), 38.0 * 22.0, 0.1);
    CHECK_INT(lab_number(t, sim, "mesh/polygons"), 1);
    for (int32_t i = 0; i < 5; i++) lab_click(t, sim, square[i][0], square[i][1]);
    CHECK_INT(lab_number(t, sim, "drawing/corners"), 0); // closed
    CHECK_NEAR(lab_number(t, sim, "mesh/area"), 38.0 * 22.0 - 64.0, 0.1);
    CHECK(lab_drawn(sim) > 5);
    lab_set(t, sim, "click", ploy_value_i64(3));
    lab_click(t, sim, 4, 4);
    CHECK_INT(lab_number(t, sim, "mesh/polygons"), 1);
    ploy_sim_destroy(sim);
}

TEST(the_walker_gets_there_in_slices) {
    static const char *const slow[] = {"click=goal", "speed=20", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "navmesh", slow, &env);
    lab_click(t, sim, 1e9f, 1e9f); // held within the hall
    lab_run(t, sim, 5);
    CHECK_INT(lab_number(t, sim, "search/pops"), 6); // one a tick
    lab_run(t, sim, 600);
    CHECK(lab_number(t, sim, "walker/arrivals") >= 1);
    CHECK_INT(lab_number(t, sim, "walker/partial"), 0);
    CHECK(lab_drawn(sim) > 60);
    ploy_sim_destroy(sim);
}

TEST(navmesh_rewinds_to_the_same_bytes) {
    static const char *const settings[][2] = {{"click=goal", NULL},
                                              {"click=polygon", NULL},
                                              {"click=remove", NULL},
                                              {"follow=true", NULL}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        ploy_sim *sim = lab_start(t, "navmesh", settings[i], &env);
        lab_check_rewind(t, sim, 100);
        lab_check_rewind_clicking(t, sim);
        ploy_sim_destroy(sim);
    }
}

// Shoved about, its goal walking off: the row of polygons is mended many times over, and hardly ever
// searched for again.
TEST(a_follower_gets_there_though_it_is_shoved_and_its_goal_walks) {
    static const char *const following[] = {"follow=true", "method=crossings", "nodes=1000", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "navmesh", following, &env);
    double repaired = 0.0, before = 0.0;
    for (int32_t i = 0; i < 1500; i++) {
        lab_run(t, sim, 1);
        double repairs = lab_number(t, sim, "corridor/repairs");
        if (repairs > before) repaired += repairs - before;
        before = repairs;
    }
    CHECK(lab_number(t, sim, "walker/arrivals") >= 2);
    CHECK(repaired > 10.0);
    CHECK(lab_number(t, sim, "corridor/searched_again") < 0.1 * repaired);
    ploy_sim_destroy(sim);
}
