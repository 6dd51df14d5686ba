// The lab `alarms`: the guard reaches an alarm whatever the method, and what a search takes depends on it.
#include "tests/labs/lab_test.h"

TEST(alarms_are_raised_by_every_method) {
    static const struct {
        const char *row, *method, *blocked;
        double least, most; // cells taken
        bool near;          // alarm A is raised
    } rows[] = {
        {"any, all open", "method=any", "blocked=false", 1, 40, true},
        {"any, A blocked", "method=any", "blocked=true", 150, 480, false},
        {"nearest, all open", "method=nearest", "blocked=false", 1, 40, true},
        {"nearest, A blocked", "method=nearest", "blocked=true", 450, 960, false},
        {"known, A blocked", "method=known", "blocked=true", 1, 120, false},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const char *const settings[] = {rows[i].method, rows[i].blocked, NULL};
        ploy_sim *sim = lab_start(t, "alarms", settings, &env);
        lab_run(t, sim, 3600);
        double near = lab_number(t, sim, "raised A"), far = lab_number(t, sim, "raised B");
        CHECK(rows[i].near ? near >= 2.0 && far == 0.0 : far >= 2.0 && near == 0.0);
        double taken = lab_number(t, sim, "taken");
        CHECK(taken >= rows[i].least && taken <= rows[i].most);
        CHECK(lab_drawn(sim) > 10);
        ploy_sim_destroy(sim);
    }
}

TEST(alarms_go_on_when_the_player_moves) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"method=known", "blocked=false", NULL};
    ploy_sim *sim = lab_start(t, "alarms", settings, &env);
    lab_run(t, sim, 1800);
    double near = lab_number(t, sim, "raised A");
    CHECK(near >= 1.0);
    CHECK(lab_number(t, sim, "raised B") == 0.0);
    lab_set(t, sim, "blocked", ploy_value_bool(true));
    lab_run(t, sim, 3600);
    CHECK(lab_number(t, sim, "raised B") >= 1.0);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
}

TEST(alarms_create_survives_every_failing_allocation) {
    static char name[] = "alarms";
    CHECK_FAIL_NTH(lab_create, name);
}
