// Why in slices: the same reasons as at once, and the recorder untouched between two slices.
#include "ploy/inspect/recorder.h"
#include "tests/inspect/inspector_sim.h"
#include "tests/test.h"

typedef struct why_count {
    int32_t decisions;
} why_count;

static void why_count_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    ((why_count *)user)->decisions++;
}

static ploy_recorder *why_recorder(test_context *t, int32_t ticks) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    def.snapshot_every = 16;
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, inspector_sim_types[0], NULL, NULL, &env, &recorder));
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_recorder_step(recorder));
    return recorder;
}

TEST(slices_give_the_reasons_of_one_call) {
    ploy_env env = ploy_env_default();
    ploy_recorder *recorder = why_recorder(t, 45);
    why_count at_once = {0}, sliced = {0};
    ploy_trace trace = {why_count_begin, NULL, NULL, NULL, NULL, &at_once};
    CHECK_OK(ploy_recorder_why(recorder, &trace));
    CHECK(at_once.decisions > 0);
    trace.user = &sliced;
    ploy_why *why = NULL;
    CHECK_OK(ploy_why_create(recorder, ploy_agent_id_none(), 0, &trace, &env, &why));
    int32_t slices = 0;
    ploy_result result;
    do {
        ploy_budget budget = ploy_budget_units(2);
        result = ploy_why_step(why, &budget);
        CHECK_UINT(ploy_recorder_tick(recorder), 45 + (uint64_t)slices);
        if (result == PLOY_IN_PROGRESS) CHECK_OK(ploy_recorder_step(recorder));
        slices++;
    } while (result == PLOY_IN_PROGRESS && slices < 100);
    CHECK_OK(result);
    CHECK(slices > 3);
    CHECK_INT(sliced.decisions, at_once.decisions);
    CHECK_UINT(ploy_why_last_tick(why), 45);
    CHECK_OK(ploy_why_step(why, NULL)); // done stays done
    ploy_why_destroy(why);
    ploy_recorder_destroy(recorder);
}

TEST(an_earlier_tick_is_asked_without_going_there) {
    ploy_env env = ploy_env_default();
    ploy_recorder *recorder = why_recorder(t, 45);
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    why_count here = {0}, there = {0};
    ploy_trace trace = {why_count_begin, NULL, NULL, NULL, NULL, &here};
    ploy_why *why = NULL;
    CHECK_OK(ploy_why_create_at(recorder, 7, ploy_agent_id_none(), 0, &trace, &env, &why));
    CHECK_OK(ploy_why_step(why, NULL));
    CHECK_UINT(ploy_why_last_tick(why), 7);
    ploy_why_destroy(why);
    CHECK_UINT(ploy_recorder_tick(recorder), 45);
    CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(recorder)), hash);
    CHECK_OK(ploy_recorder_seek(recorder, 7, NULL));
    trace.user = &there;
    CHECK_OK(ploy_recorder_why(recorder, &trace));
    CHECK_INT(here.decisions, there.decisions);
    CHECK_INT(ploy_why_create_at(recorder, 8, ploy_agent_id_none(), 0, NULL, &env, &why),
              PLOY_ERR_ARGUMENT); // after the present tick
    CHECK_INT(ploy_why_create_at(recorder, 0, ploy_agent_id_none(), 0, NULL, &env, &why),
              PLOY_ERR_ARGUMENT);
    CHECK(why == NULL);
    ploy_recorder_destroy(recorder);
}

TEST(a_past_that_is_forgotten_cancels_the_question) {
    ploy_env env = ploy_env_default();
    ploy_recorder *recorder = why_recorder(t, 40);
    ploy_why *why = NULL;
    CHECK_OK(ploy_why_create(recorder, ploy_agent_id_none(), 0, NULL, &env, &why));
    ploy_budget budget = ploy_budget_units(1);
    CHECK_INT(ploy_why_step(why, &budget), PLOY_IN_PROGRESS);
    CHECK_OK(ploy_recorder_seek(recorder, 20, NULL));
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_PARAMETER;
    input.name = "speed";
    input.value = ploy_value_f32(3);
    CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
    CHECK_INT(ploy_why_step(why, NULL), PLOY_ERR_CANCELLED);
    ploy_why_destroy(why);
    ploy_recorder_destroy(recorder);
}

static ploy_result why_try(const ploy_env *env, void *user) {
    ploy_recorder *recorder = user;
    ploy_why *why = NULL;
    ploy_result result = ploy_why_create(recorder, ploy_agent_id_none(), 8, NULL, env, &why);
    if (result != PLOY_OK) return result;
    result = ploy_why_step(why, NULL);
    ploy_why_destroy(why);
    return result;
}

TEST(asking_survives_every_failing_allocation) {
    ploy_recorder *recorder = why_recorder(t, 20);
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    CHECK_FAIL_NTH(why_try, recorder);
    CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(recorder)), hash);
    ploy_recorder_destroy(recorder);
}
