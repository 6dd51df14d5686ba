#include "ploy/exec/incidental.h"

#include "tests/exec/lod_probe.h"
#include "tests/test.h"

typedef struct alley {
    lod_log log;
    lod_probe pattern;
    int32_t told;          // alarms handed to the alert behavior
    ploy_name last_reason; // of them
    ploy_incidental *incidental;
    ploy_behavior guard;
    ploy_step_context context;
} alley;

static void alley_alarmed(void *user, ploy_behavior alert, const ploy_message *alarm,
                          ploy_step_context *context) {
    alley *a = user;
    (void)context;
    ((lod_probe *)alert.self)->payload = 1;
    a->told++;
    a->last_reason = alarm->kind;
}

static ploy_incidental_def alley_def(alley *a) {
    ploy_incidental_def def = ploy_incidental_def_default();
    def.normal.type = lod_probe_type();
    def.normal.state_size = (int32_t)sizeof(lod_probe);
    def.alert = def.normal;
    def.alarms[0] = ploy_name_of("player_spotted");
    def.alarms[1] = ploy_name_of("ally_killed");
    def.alarmed = alley_alarmed;
    def.user = a;
    def.reaction_time = 0.2f;
    def.calm_time = 1;
    return def;
}

static void alley_start(test_context *t, alley *a) {
    memset(a, 0, sizeof *a);
    a->pattern.log = &a->log;
    a->context = lod_context(&a->pattern); // steps of 0.1 s
    ploy_env env = ploy_env_default();
    ploy_incidental_def def = alley_def(a);
    CHECK_OK(ploy_incidental_create(&def, &env, &a->incidental));
    CHECK_OK(ploy_incidental_make(a->incidental, ploy_agent_id_make(1, 1), &env, &a->guard));
    CHECK_OK(ploy_behavior_enter(a->guard, &a->context));
}

static void alley_end(alley *a) {
    ploy_behavior_exit(a->guard, &a->context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(a->guard);
    ploy_incidental_destroy(a->incidental);
}

static bool alley_step(test_context *t, alley *a) {
    ploy_status status;
    ploy_incidental_info info;
    CHECK_OK(ploy_behavior_step(a->guard, &a->context, &status));
    CHECK_OK(ploy_incidental_get(a->guard, &info));
    return info.alert;
}

static bool alley_send(test_context *t, alley *a, const char *kind) {
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_make(1, 1), ploy_name_of(kind));
    bool handled = false;
    CHECK_OK(ploy_behavior_message(a->guard, &a->context, &message, &handled));
    return handled;
}

// ENG-14: exactly two behaviors, with events that change between them.
TEST(an_alarm_changes_the_behavior_and_quiet_changes_it_back) {
    alley a;
    alley_start(t, &a);
    for (int32_t i = 0; i < 5; i++) CHECK(!alley_step(t, &a));
    CHECK_TEXT(a.log.text, "ESSSSS");
    CHECK(alley_send(t, &a, "player_spotted"));
    CHECK(!alley_step(t, &a)); // 0.1 s: has not reacted yet
    lod_log_clear(&a.log);
    CHECK(alley_step(t, &a)); // 0.2 s
    CHECK_TEXT(a.log.text, "XES");
    CHECK_INT(a.told, 1);
    CHECK(ploy_name_equal(a.last_reason, ploy_name_of("player_spotted")));
    for (int32_t i = 0; i < 7; i++) CHECK(alley_step(t, &a));
    CHECK(alley_send(t, &a, "ally_killed")); // still alert: the quiet begins anew
    CHECK_INT(a.told, 1);
    for (int32_t i = 0; i < 9; i++) CHECK(alley_step(t, &a));
    int32_t more = 0;
    while (alley_step(t, &a)) CHECK(++more < 3); // about a second after the second alarm
    for (int32_t i = 0; i < 5; i++) CHECK(!alley_step(t, &a));
    CHECK(alley_send(t, &a, "ally_killed"));
    CHECK(!alley_step(t, &a));
    CHECK(alley_step(t, &a));
    CHECK_INT(a.told, 2);
    ploy_incidental_info info;
    CHECK_OK(ploy_incidental_get(a.guard, &info));
    CHECK_INT(info.alarms, 3);
    CHECK(ploy_name_equal(info.reason, ploy_name_of("ally_killed")));
    CHECK_INT(a.log.most_alive, 1);
    alley_end(&a);
    CHECK_INT(a.log.alive, 0);
}

TEST(more_alarms_do_not_put_off_the_reaction) {
    alley a;
    alley_start(t, &a);
    int32_t steps = 0;
    bool alert = false;
    while (!alert && steps < 10) {
        alley_send(t, &a, "player_spotted");
        alert = alley_step(t, &a);
        steps++;
    }
    CHECK_INT(steps, 2);
    alley_end(&a);
}

TEST(messages_that_are_no_alarm_reach_the_behavior_and_change_nothing) {
    alley a;
    alley_start(t, &a);
    CHECK(!alley_send(t, &a, "hello")); // nothing runs before the first step
    alley_step(t, &a);
    lod_log_clear(&a.log);
    CHECK(alley_send(t, &a, "hello"));
    CHECK_TEXT(a.log.text, "M");
    for (int32_t i = 0; i < 10; i++) CHECK(!alley_step(t, &a));
    CHECK_INT(a.told, 0);
    alley_end(&a);
}

TEST(a_calm_time_of_zero_stays_alert) {
    alley a;
    memset(&a, 0, sizeof a);
    alley_start(t, &a);
    alley_end(&a);
    ploy_env env = ploy_env_default();
    ploy_incidental_def def = alley_def(&a);
    def.calm_time = 0;
    def.reaction_time = 0;
    CHECK_OK(ploy_incidental_create(&def, &env, &a.incidental));
    CHECK_OK(ploy_incidental_make(a.incidental, ploy_agent_id_make(1, 1), &env, &a.guard));
    alley_step(t, &a);
    alley_send(t, &a, "ally_killed");
    for (int32_t i = 0; i < 100; i++) CHECK(alley_step(t, &a));
    alley_end(&a);
}

static ploy_result alley_body(const ploy_env *env, void *arg) {
    ploy_incidental_def def = alley_def(arg);
    ploy_incidental *incidental = NULL;
    ploy_behavior guard = {NULL, NULL};
    ploy_result result = ploy_incidental_create(&def, env, &incidental);
    if (result == PLOY_OK) {
        result = ploy_incidental_make(incidental, ploy_agent_id_none(), env, &guard);
    }
    ploy_behavior_destroy(guard);
    ploy_incidental_destroy(incidental);
    return result;
}

TEST(incidental_refuses_bad_defs_and_survives_failing_allocations) {
    alley a;
    memset(&a, 0, sizeof a);
    ploy_env env = ploy_env_default();
    ploy_incidental_def def = alley_def(&a);
    ploy_incidental *incidental = NULL;
    def.alert.type = NULL;
    CHECK_INT(ploy_incidental_create(&def, &env, &incidental), PLOY_ERR_ARGUMENT);
    def = alley_def(&a);
    def.calm_time = NAN;
    CHECK_INT(ploy_incidental_create(&def, &env, &incidental), PLOY_ERR_ARGUMENT);
    CHECK(incidental == NULL);
    ploy_incidental_info info;
    CHECK_INT(ploy_incidental_get(lod_probe_behavior(&a.pattern), &info), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_incidental_fields(), NULL));
    CHECK_FAIL_NTH(alley_body, &a);
}
