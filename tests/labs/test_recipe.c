// The lab `recipe`: edits keep unchanged stages, every picture is drawn, the agent reaches the exit, and a rewind
// gives the same bytes.
#include "tests/labs/lab_edit.h"

static const char *const wide[] = {"units=1000000", NULL};

TEST(an_edit_keeps_the_stages_before_it) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "recipe", wide, &env);
    lab_run(t, sim, 3);
    CHECK_INT((int64_t)lab_number(t, sim, "stages"), 2);
    double rooms = lab_number(t, sim, "0/0/statistics/rooms");
    char *old = lab_definition(t, sim, "recipe");
    char *edited = lab_replace(t, old, "\"count\": 60", "\"count\": 50");
    ploy_input input = lab_reload_input("recipe", edited);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 2);
    CHECK_INT((int64_t)lab_number(t, sim, "kept"), 1);
    CHECK_NEAR(lab_number(t, sim, "0/0/statistics/rooms"), rooms, 0);
    free(old);
    free(edited);
    lab_edit edit = {"recipe", "\"count\": 50", "\"count\": 40", "\"coun\": 40", 0};
    lab_check_edit(t, sim, &edit);
    ploy_sim_destroy(sim);
}

TEST(stages_and_seeds_are_drawn_side_by_side) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "recipe", wide, &env);
    lab_run(t, sim, 3);
    int32_t one = lab_drawn(sim);
    lab_set(t, sim, "show", ploy_value_text("stages"));
    lab_run(t, sim, 2);
    CHECK(lab_drawn(sim) > one);
    lab_set(t, sim, "show", ploy_value_text("seeds"));
    lab_set(t, sim, "seeds", ploy_value_i64(4));
    lab_run(t, sim, 5);
    CHECK_INT((int64_t)lab_number(t, sim, "runs"), 4);
    CHECK_INT((int64_t)lab_number(t, sim, "3/done"), 1);
    CHECK(lab_drawn(sim) > 3 * one);
    // The lower right picture of four is seed 3, which becomes the first.
    lab_command(t, sim, "click", ploy_value_vec2(90.0f, 5.0f));
    CHECK_INT((int64_t)lab_number(t, sim, "seed"), 3);
    lab_set(t, sim, "show", ploy_value_text("result"));
    lab_run(t, sim, 2);
    CHECK_INT((int64_t)lab_number(t, sim, "runs"), 1);
    ploy_sim_destroy(sim);
}

TEST(the_agent_walks_to_the_key_and_to_the_exit) {
    ploy_env env = ploy_env_default();
    const char *const settings[] = {"units=1000000", "show=walk", "speed=100", NULL};
    ploy_sim *sim = lab_start(t, "recipe", settings, &env);
    lab_run(t, sim, 400);
    CHECK_INT((int64_t)lab_number(t, sim, "walker/on_mesh"), 1);
    CHECK(lab_number(t, sim, "walker/tour") >= 3); // a key at least, the exit, the entrance
    CHECK(lab_number(t, sim, "walker/length") > 0);
    lab_command(t, sim, "click", ploy_value_vec2(50.0f, 40.0f));
    lab_check_rewind(t, sim, 30);
    ploy_sim_destroy(sim);
}

TEST(the_agent_walks_over_a_landscape) {
    ploy_env env = ploy_env_default();
    const char *const settings[] = {"units=1000000", "show=walk", "speed=100", NULL};
    ploy_sim *sim = lab_start(t, "recipe", settings, &env);
    ploy_input input = lab_reload_input("recipe", "[ { \"generator\": \"hills\" } ]");
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 60);
    CHECK_INT((int64_t)lab_number(t, sim, "walker/on_mesh"), 1);
    CHECK(lab_number(t, sim, "walker/paths") >= 1);
    // Points alone have no floor.
    input = lab_reload_input("recipe", "[ { \"generator\": \"halton\" } ]");
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 5);
    CHECK_INT((int64_t)lab_number(t, sim, "walker/on_mesh"), 0);
    CHECK(lab_drawn(sim) > 0);
    ploy_sim_destroy(sim);
}

TEST(recipe_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    const char *const settings[] = {"units=300", "show=seeds", "seeds=3", NULL};
    ploy_sim *sim = lab_start(t, "recipe", settings, &env);
    lab_run(t, sim, 4);
    lab_check_rewind(t, sim, 20);
    lab_command(t, sim, "seed", ploy_value_none());
    lab_check_rewind(t, sim, 20);
    ploy_sim_destroy(sim);
}

TEST(recipe_survives_a_lack_of_memory) {
    char name[] = "recipe";
    CHECK_FAIL_NTH(lab_create, name);
}
