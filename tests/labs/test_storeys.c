// The lab `storeys`: walkers change storeys over the slopes, explain it, and the level is reloaded.
#include <string.h>

#include "ploy/base/trace.h"
#include "tests/labs/lab_test.h"

typedef struct storeys_seen {
    int32_t decisions, won[9];
} storeys_seen;

static void storeys_trace_begin(void *user, ploy_id agent, const char *topic,
                                const char *technique) {
    storeys_seen *seen = user;
    (void)agent;
    (void)topic;
    (void)technique;
    seen->decisions++;
}

static void storeys_trace_option(void *user, const char *name, ploy_outcome outcome, double score,
                                 const char *reason) {
    storeys_seen *seen = user;
    (void)score;
    (void)reason;
    if (outcome != PLOY_OUTCOME_WON) return;
    seen->won[strcmp(name, "on this storey") == 0 ? 0 : name[6] - '0']++;
}

TEST(walkers_use_every_slope_and_say_so) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "storeys", NULL, &env);
    storeys_seen seen = {0, {0}};
    ploy_trace trace = {
        .begin = storeys_trace_begin, .option = storeys_trace_option, .user = &seen};
    double highest = 0.0, lowest = 9.0;
    for (int32_t i = 0; i < 6000; i++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, &trace));
        double height = lab_number(t, sim, "walker/height");
        highest = height > highest ? height : highest;
        lowest = height < lowest ? height : lowest;
    }
    CHECK_NEAR(lowest, 0.0, 1e-6);
    CHECK_NEAR(highest, 3.0, 1e-6);
    CHECK(seen.decisions > 20);
    for (int32_t i = 0; i < 3; i++) CHECK(seen.won[i] > 0);
    lab_check_rewind(t, sim, 50);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(an_edited_level_of_storeys_is_taken_over_and_a_broken_one_is_not) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "storeys", NULL, &env);
    lab_run(t, sim, 10);
    CHECK_INT((int32_t)lab_number(t, sim, "mesh/polygons"), 21);
    static const char flat[] = "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3 4\n";
    static const char broken[] = "v 0 0 0\nv 9 0 0\nf 1 2 7\n";
    ploy_input reload = {PLOY_INPUT_RELOAD, "level", ploy_agent_id_none(), {0}, broken,
                         sizeof broken - 1};
    CHECK_INT(ploy_sim_check_input(sim, &reload, NULL), PLOY_ERR_FORMAT);
    reload.bytes = flat;
    reload.size = sizeof flat - 1;
    CHECK_OK(ploy_sim_check_input(sim, &reload, NULL));
    CHECK_OK(ploy_sim_step(sim, &reload, 1, NULL));
    lab_run(t, sim, 600);
    CHECK_INT((int32_t)lab_number(t, sim, "mesh/polygons"), 1);
    CHECK_NEAR(lab_number(t, sim, "walker/height"), 0.0, 1e-6);
    CHECK_INT((int32_t)lab_number(t, sim, "walker/slope"), 0);
    ploy_sim_destroy(sim);
}
