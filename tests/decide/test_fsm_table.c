// State machines from tables.
#include "decide/decide_internal.h"
#include "ploy/decide/fsm_table.h"

#include "tests/decide/nested_probe.h"

static const ploy_blackboard_key table_keys[] = {
    {"a", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"n", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_result table_count(void *user, const ploy_fsm_turn *turn) {
    ++*(int32_t *)user;
    if (turn->data != NULL) ++*(int32_t *)turn->data;
    return PLOY_OK;
}

static bool table_ready(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    return *(int32_t *)user >= (int32_t)args[0];
}

TEST(a_table_gives_the_machine_that_the_calls_give) {
    ploy_env env = ploy_env_default();
    nested_probe probe = {.status = PLOY_STATUS_RUNNING};
    ploy_maker maker = nested_probe_maker(&probe);
    int32_t executed = 0, acted = 0, global = 0, ready = 0;
    const ploy_fsm_state_row states[] = {
        {"rest", .hooks = {.execute = table_count, .user = &executed}, .data_size = 4},
        {"work", .inside = &maker},
        {"done", .final = PLOY_STATUS_SUCCESS},
        {"yawn", .hooks = {.execute = table_count, .user = &executed}},
    };
    const ploy_fsm_rule_row rules[] = {
        {"go", .from = "rest", .when = "a && n > 1", .to = "work", .action = table_count,
         .user = &acted},
        {"failed", .from = "work", .when = "status('failure')", .to = "rest"},
        {"called", .from = "work", .on = "call", .to = "rest", .effect = PLOY_FSM_PUSH},
        {"back", .from = "rest", .on = "end", .effect = PLOY_FSM_POP},
        {"ready", .from = "work", .when = "ready(2)", .to = "done", .priority = 1},
    };
    const ploy_word words[] = {{.name = "ready", .test = table_ready, .user = &ready, .arity = 1}};
    const ploy_fsm_hooks hooks = {.execute = table_count, .user = &global};
    const ploy_fsm_table table = {states,
                                  4,
                                  rules,
                                  5,
                                  .initial = "rest",
                                  .idle = "yawn",
                                  .global = &hooks,
                                  .words = words,
                                  .word_count = 1,
                                  .keys = table_keys,
                                  .key_count = 2};
    ploy_fsm_def def = ploy_fsm_def_default();
    def.idle = 100.0f;
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_from_table(&def, &table, NULL, &env, &type));
    CHECK_INT(ploy_fsm_type_count(type), 4);
    CHECK_INT(ploy_fsm_type_rule_count(type), 5);
    ploy_fsm *fsm = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(ploy_fsm_type_layout(type), &env, &board));
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 1.0f, .blackboard = board};
    ploy_behavior behavior = ploy_fsm_behavior(fsm);
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(behavior, &context));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(executed, 1);
    CHECK_INT(global, 1);
    ploy_slot a = {1}, n = {2};
    CHECK_OK(ploy_blackboard_set_bool(board, a, true));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK(ploy_fsm_is_in(fsm, "rest")); // n is still 0
    CHECK_OK(ploy_blackboard_set_i64(board, n, 2));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK(ploy_fsm_is_in(fsm, "work"));
    CHECK_INT(acted, 1);
    CHECK_INT(probe.steps, 1);
    bool handled = false;
    ploy_message call =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("call"));
    probe.message = PLOY_ERR_LIMIT; // so that the rule gets it
    CHECK_OK(ploy_behavior_message(behavior, &context, &call, &handled));
    CHECK(handled && ploy_fsm_is_in(fsm, "rest"));
    CHECK_INT(ployi_fsm_depth(fsm), 1);
    ploy_message end =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("end"));
    CHECK_OK(ploy_behavior_message(behavior, &context, &end, &handled));
    CHECK(ploy_fsm_is_in(fsm, "work"));
    ready = 2;
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
    ploy_fsm_destroy(fsm);
    ploy_blackboard_destroy(board);
    ploy_fsm_type_destroy(type);
}

TEST(a_bad_table_is_refused_as_bad_calls_are) {
    static const struct {
        const char *row;
        ploy_fsm_state_row second;
        ploy_fsm_rule_row rule;
        const char *initial;
        ploy_result want;
        const char *said;
    } rows[] = {
        {"fine", {.id = "b"}, {.id = "r", "a", "n > 1", "b"}, NULL, PLOY_OK, ""},
        {"two of one id", {.id = "a"}, {.id = "r", "a", NULL, "a"}, NULL, PLOY_ERR_EXISTS, "'a'"},
        {"no id", {.id = NULL}, {.id = "r", "a", NULL, "a"}, NULL, PLOY_ERR_ARGUMENT, "id"},
        {"no such source",
         {.id = "b"},
         {.id = "r", "c", NULL, "b"},
         NULL,
         PLOY_ERR_NOT_FOUND,
         "unknown state 'c' in row 'r'"},
        {"no such target",
         {.id = "b"},
         {.id = "r", "a", NULL, "c"},
         NULL,
         PLOY_ERR_NOT_FOUND,
         "unknown state 'c' in row 'r'"},
        {"no target", {.id = "b"}, {.id = "r", "a", NULL, NULL}, NULL, PLOY_ERR_ARGUMENT, "'r'"},
        {"no such initial",
         {.id = "b"},
         {.id = "r", "a", NULL, "b"},
         "c",
         PLOY_ERR_NOT_FOUND,
         "unknown state 'c' in row 'initial'"},
        {"no such key", {.id = "b"}, {.id = "r", "a", "m > 1", "b"}, NULL, PLOY_ERR_NOT_FOUND, "m"},
        {"no text", {.id = "b"}, {.id = "r", "a", "n >", "b"}, NULL, PLOY_ERR_FORMAT, ""},
        {"no end",
         {.id = "b", .final = PLOY_STATUS_SKIPPED},
         {.id = "r", "a", NULL, "b"},
         NULL,
         PLOY_ERR_ARGUMENT,
         "success or failure"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        nested_lines lines;
        ploy_env env = nested_lines_env(&lines);
        const ploy_fsm_state_row states[] = {{.id = "a"}, rows[i].second};
        const ploy_fsm_table table = {
            states, 2, &rows[i].rule, 1, rows[i].initial, .keys = table_keys, .key_count = 2};
        ploy_fsm_type *type = NULL;
        CHECK_INT(ploy_fsm_type_from_table(NULL, &table, NULL, &env, &type), rows[i].want);
        CHECK((type != NULL) == (rows[i].want == PLOY_OK));
        CHECK((lines.count > 0) == (rows[i].want != PLOY_OK));
        CHECK(strstr(lines.text, rows[i].said) != NULL);
        ploy_fsm_type_destroy(type);
    }
    ploy_env env = ploy_env_default();
    ploy_fsm_table none = {.states = NULL};
    ploy_fsm_type *type = NULL;
    CHECK_INT(ploy_fsm_type_from_table(NULL, &none, NULL, &env, &type), PLOY_ERR_ARGUMENT);
}

static ploy_result table_build_all(const ploy_env *env, void *arg) {
    static const ploy_fsm_state_row states[] = {{.id = "x", .data_size = 8}, {.id = "y"}};
    static const ploy_fsm_rule_row rules[] = {{"r", "x", "a && n > 1", "y", .priority = 1}};
    static const ploy_fsm_table table = {states, 2, rules, 1, .keys = table_keys, .key_count = 2};
    ploy_fsm_type *type = NULL;
    (void)arg;
    ploy_result result = ploy_fsm_type_from_table(NULL, &table, NULL, env, &type);
    ploy_fsm_type_destroy(type);
    return result;
}

TEST(a_table_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(table_build_all, NULL);
}
