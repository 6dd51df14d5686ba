// Hierarchical machines: errors of behaviors inside states.
#include "ploy/decide/hsm.h"

#include "tests/decide/nested_probe.h"

typedef struct hsm_guard {
    ploy_env env;
    nested_lines lines;
    nested_probe probe;
    ploy_hsm_type *type;
    ploy_hsm *hsm;
    ploy_step_context context;
} hsm_guard;

// Attack holds the probe; done leads to rest, an error to flee.
static void hsm_guard_open(test_context *t, hsm_guard *it, ploy_hsm_policy policy,
                           const char *on_error) {
    memset(it, 0, sizeof *it);
    it->env = nested_lines_env(&it->lines);
    ploy_hsm_def def = ploy_hsm_def_default();
    def.policy = policy;
    def.eager = true;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, &it->env, &it->type));
    ploy_hsm_state root = ploy_hsm_root();
    ploy_maker none = ploy_maker_none();
    ploy_hsm_state idle = ploy_hsm_type_state(it->type, "idle", root, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state attack = ploy_hsm_type_state(it->type, "attack", root, PLOY_HSM_STATE, NULL,
                                                nested_probe_maker(&it->probe));
    ploy_hsm_state rest = ploy_hsm_type_state(it->type, "rest", root, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state flee = ploy_hsm_type_state(it->type, "flee", root, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("go", idle, "go", &attack),
        ploy_hsm_rule_make("done", attack, "done.invoke.attack", &rest),
        ploy_hsm_rule_make("error", attack, on_error, &flee),
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) CHECK_OK(ploy_hsm_type_add(it->type, &rules[i]));
    CHECK_OK(ploy_hsm_type_finish(it->type));
    CHECK_OK(ploy_hsm_create(it->type, NULL, &it->env, &it->hsm));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(it->hsm), &it->context));
}

static void hsm_guard_close(hsm_guard *it) {
    ploy_behavior_exit(ploy_hsm_behavior(it->hsm), &it->context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(it->hsm);
    ploy_hsm_type_destroy(it->type);
}

static void hsm_guard_step(test_context *t, hsm_guard *it) {
    ploy_status status;
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(it->hsm), &it->context, &status));
}

TEST(a_chart_receives_error_execution_when_a_behavior_inside_it_fails) {
    static const char *const names[] = {"error", "error.execution", "error.execution.attack"};
    for (int32_t call = 0; call < 3; call++) {
        for (size_t name = 0; name < COUNT_OF(names); name++) {
            for (int32_t policy = 0; policy < 2; policy++) {
                hsm_guard it;
                hsm_guard_open(t, &it, (ploy_hsm_policy)policy, names[name]);
                ploy_hsm_event go = ploy_hsm_event_make("go");
                CHECK_OK(ploy_hsm_send(it.hsm, &go));
                if (call == 0) it.probe.enter = PLOY_ERR_LIMIT;
                if (call == 1) it.probe.step = PLOY_ERR_LIMIT;
                hsm_guard_step(t, &it);
                hsm_guard_step(t, &it);
                if (call == 2) {
                    CHECK(ploy_hsm_is_in(it.hsm, "attack"));
                    it.probe.message = PLOY_ERR_LIMIT;
                    ploy_message hit = ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(),
                                                         ploy_name_of("hit"));
                    bool handled = true;
                    CHECK_OK(ploy_behavior_message(ploy_hsm_behavior(it.hsm), &it.context, &hit,
                                                   &handled));
                    CHECK(!handled);
                }
                hsm_guard_step(t, &it);
                hsm_guard_step(t, &it);
                CHECK(ploy_hsm_is_in(it.hsm, "flee"));
                CHECK_INT(it.probe.enters, 1);
                CHECK_INT(it.probe.exits, 1);
                CHECK_INT(it.probe.reason, PLOY_EXIT_ERROR);
                CHECK_INT(it.lines.count, 1);
                CHECK_TEXT(it.lines.text, "attack: a stated limit was reached");
                hsm_guard_close(&it);
            }
        }
    }
}

TEST(a_chart_receives_done_invoke_when_a_behavior_inside_it_finishes) {
    for (int32_t policy = 0; policy < 2; policy++) {
        for (int32_t failed = 0; failed < 2; failed++) {
            hsm_guard it;
            hsm_guard_open(t, &it, (ploy_hsm_policy)policy, "error");
            ploy_hsm_event go = ploy_hsm_event_make("go");
            CHECK_OK(ploy_hsm_send(it.hsm, &go));
            // A FAILURE that the behavior answers is an answer and no error.
            it.probe.status = failed == 1 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
            for (int32_t i = 0; i < 4; i++) hsm_guard_step(t, &it);
            CHECK(ploy_hsm_is_in(it.hsm, "rest"));
            CHECK_INT(it.probe.exits, 1);
            CHECK_INT(it.probe.reason, PLOY_EXIT_FINISHED);
            CHECK_INT(it.lines.count, 0);
            hsm_guard_close(&it);
        }
    }
}

TEST(a_chart_refuses_a_behavior_for_another_layout) {
    static const ploy_blackboard_key keys[] = {
        {"see", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *first = NULL, *second = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "a", &env, NULL, &first));
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "b", &env, NULL, &second));
    ploy_hsm_def def = ploy_hsm_def_default();
    for (int32_t same = 0; same < 2; same++) {
        ploy_hsm_type *inner = NULL, *outer = NULL;
        CHECK_OK(ploy_hsm_type_create(&def, first, &env, &inner));
        (void)ploy_hsm_type_state(inner, "in", ploy_hsm_root(), PLOY_HSM_STATE, NULL,
                                  ploy_maker_none());
        CHECK_OK(ploy_hsm_type_finish(inner));
        CHECK_OK(ploy_hsm_type_create(&def, same == 1 ? first : second, &env, &outer));
        (void)ploy_hsm_type_state(outer, "out", ploy_hsm_root(), PLOY_HSM_STATE, NULL,
                                  ploy_hsm_type_maker(inner));
        CHECK_INT(ploy_hsm_type_finish(outer), same == 1 ? PLOY_OK : PLOY_ERR_ARGUMENT);
        ploy_hsm_type_destroy(outer);
        ploy_hsm_type_destroy(inner);
    }
    ploy_blackboard_layout_destroy(first);
    ploy_blackboard_layout_destroy(second);
}
