// The lab `shapes`: known answers for a circle and a box, the same questions in space, and rewind.
#include "tests/labs/lab_test.h"

TEST(a_circle_answers_every_question) {
    static const char *const round[] = {"kind=round", "size=2", "radius=1", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "shapes", round, &env);
    lab_click(t, sim, -9, 0);
    lab_command(t, sim, "start", ploy_value_none()); // from (-9, 0) to (9, 0)
    CHECK_NEAR(lab_number(t, sim, "probe/distance"), 7, 1e-5);
    CHECK_NEAR(lab_number(t, sim, "ray/distance"), 7, 1e-5);   // meets the edge at x = -2
    CHECK_NEAR(lab_number(t, sim, "sweep/distance"), 6, 1e-5); // a radius earlier
    lab_click(t, sim, 1, 0);
    CHECK_NEAR(lab_number(t, sim, "probe/distance"), 0, 1e-6); // inside
    CHECK(lab_drawn(sim) > 0);
    ploy_sim_destroy(sim);
}

TEST(plane_and_space_agree_at_the_height_of_the_shape) {
    static const char *const kinds[] = {"kind=round", "kind=box", "kind=turned", "kind=capsule"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        t->row = kinds[i];
        const char *flat[] = {kinds[i], "radius=0.5", NULL};
        const char *solid[] = {kinds[i], "radius=0.5", "space=true", "height=0", NULL};
        ploy_env env = ploy_env_default();
        ploy_sim *a = lab_start(t, "shapes", flat, &env), *b = lab_start(t, "shapes", solid, &env);
        for (int32_t k = 0; k < 40; k++) {
            float x = (float)(k % 8) * 2.5f - 9.0f, y = (float)(k / 8) * 2.2f - 5.0f;
            lab_click(t, a, x, y);
            lab_click(t, b, x, y);
            CHECK_NEAR(lab_number(t, a, "probe/distance"), lab_number(t, b, "probe/distance"),
                       1e-4);
        }
        ploy_sim_destroy(a);
        ploy_sim_destroy(b);
    }
}

TEST(it_rewinds_to_the_same_bytes) {
    static const char *const settings[] = {"kind=polygon", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "shapes", settings, &env);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(lab_create, "shapes");
}
