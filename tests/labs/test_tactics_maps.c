// The labs of tactical maps.
#include "tests/labs/lab_test.h"

static const char *const names[] = {"influence", "radar", "frag", "routes", "automata"};

TEST(the_influence_lab_shows_the_figure_and_what_a_side_knows) {
    ploy_env env = ploy_env_default();
    static const char *const still[] = {"pause=0", NULL};
    ploy_sim *sim = lab_start(t, "influence", still, &env);
    lab_run(t, sim, 5);
    CHECK_INT((int64_t)lab_number(t, sim, "white"), 143);
    CHECK_INT((int64_t)lab_number(t, sim, "black"), 113);
    CHECK(lab_drawn(sim) > 256);
    ploy_sim_destroy(sim);
    static const char *const white[] = {"pause=0", "view=white", "sight=3", NULL};
    sim = lab_start(t, "influence", white, &env);
    lab_run(t, sim, 1);
    CHECK((int64_t)lab_number(t, sim, "white") > 0);
    CHECK((int64_t)lab_number(t, sim, "white") < 143); // the rest is unknown
    ploy_sim_destroy(sim);
    static const char *const hidden[] = {"pause=0", "hidden=true", NULL};
    sim = lab_start(t, "influence", hidden, &env);
    lab_run(t, sim, 1);
    CHECK((int64_t)lab_number(t, sim, "white") > 143);
    ploy_sim_destroy(sim);
}

TEST(radar_towers_keep_apart_on_own_land) {
    static const char *const formulas[] = {"formula=product", "formula=ratio", "formula=sum"};
    for (size_t i = 0; i < COUNT_OF(formulas); i++) {
        ploy_env env = ploy_env_default();
        const char *const settings[] = {formulas[i], "units=100", NULL};
        t->row = formulas[i];
        ploy_sim *sim = lab_start(t, "radar", settings, &env);
        lab_run(t, sim, 200);
        CHECK_INT((int64_t)lab_number(t, sim, "towers"), 5);
        lab_command(t, sim, "wall", ploy_value_vec2(3.5f, 3.5f));
        lab_run(t, sim, 20);
        CHECK_INT((int64_t)lab_number(t, sim, "server/visibility/passes"), 2);
        ploy_sim_destroy(sim);
    }
}

TEST(the_frag_lab_gives_up_a_bad_spot) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "frag", NULL, &env);
    lab_run(t, sim, 101);
    CHECK_INT((int64_t)lab_number(t, sim, "kills"), 10);
    int64_t left = (int64_t)lab_number(t, sim, "left");
    CHECK(left > 1 && left <= 10);
    ploy_sim_destroy(sim);
    static const char *const settings[] = {"rules.keep=1", NULL};
    sim = lab_start(t, "frag", settings, &env);
    lab_run(t, sim, 101);
    CHECK_INT((int64_t)lab_number(t, sim, "left"), 0);
    CHECK_NEAR(lab_number(t, sim, "A"), 10.0, 1e-5);
    ploy_sim_destroy(sim);
}

TEST(routes_differ_by_profile) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "routes", NULL, &env);
    lab_run(t, sim, 1);
    CHECK(lab_number(t, sim, "scout/cells") >= 24.0);
    CHECK(lab_number(t, sim, "artillery/enemies") <= lab_number(t, sim, "scout/enemies") + 8.0);
    double infantry = lab_number(t, sim, "infantry/enemies");
    ploy_sim_destroy(sim);
    static const char *const hurt[] = {"hurt=true", NULL};
    sim = lab_start(t, "routes", hurt, &env);
    lab_run(t, sim, 1);
    CHECK(lab_number(t, sim, "infantry/enemies") <= infantry); // it goes round
    ploy_sim_destroy(sim);
}

TEST(automata_settle_or_have_a_period) {
    ploy_env env = ploy_env_default();
    static const char *const secure[] = {"rule=secure", "pause=1", NULL};
    ploy_sim *sim = lab_start(t, "automata", secure, &env);
    lab_run(t, sim, 200);
    CHECK_INT((int64_t)lab_number(t, sim, "period"), 1);
    ploy_sim_destroy(sim);
    static const char *const base[] = {"rule=base", "pause=1", NULL};
    sim = lab_start(t, "automata", base, &env);
    lab_run(t, sim, 300);
    CHECK(lab_number(t, sim, "built") >= 10.0);
    ploy_sim_destroy(sim);
    static const char *const city[] = {"rule=city", "pause=1", NULL};
    sim = lab_start(t, "automata", city, &env);
    double empty = lab_number(t, sim, "empty");
    lab_run(t, sim, 30);
    CHECK(lab_number(t, sim, "empty") < empty);
    ploy_sim_destroy(sim);
}

TEST(labs_of_maps_rewind_to_the_same_bytes) {
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, names[i], NULL, &env);
        lab_run(t, sim, 10);
        lab_check_rewind(t, sim, 40);
        CHECK(lab_drawn(sim) > 5);
        ploy_sim_destroy(sim);
    }
}

TEST(labs_of_maps_survive_a_lack_of_memory) {
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char name[16];
        snprintf(name, sizeof name, "%s", names[i]);
        t->row = names[i];
        CHECK_FAIL_NTH(lab_create, name);
    }
}
