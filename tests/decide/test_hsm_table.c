// Hierarchical machines from tables.
#include "ploy/decide/hsm_table.h"

#include "tests/decide/nested_probe.h"

static ploy_result chart_count(void *user, const ploy_hsm_turn *turn) {
    (void)turn;
    ++*(int32_t *)user;
    return PLOY_OK;
}

static const ploy_blackboard_key chart_keys[] = {
    {"power", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
};

TEST(a_table_gives_the_chart_that_the_calls_give) {
    ploy_env env = ploy_env_default();
    nested_probe probe = {.status = PLOY_STATUS_RUNNING};
    ploy_maker maker = nested_probe_maker(&probe);
    int32_t entered = 0, acted = 0;
    const ploy_hsm_state_row states[] = {
        {"clean", .hooks = {.enter = chart_count, .user = &entered}},
        {"search", "clean", .inside = &maker},
        {"pick", "clean", .hooks = {.enter = chart_count, .user = &entered}},
        {"last", "clean", .kind = PLOY_HSM_HISTORY},
        {.id = "refuel"},
    };
    const ploy_hsm_rule_row rules[] = {
        {"seen", "search", .on = "trash", .to = "pick", .action = chart_count, .user = &acted},
        {"low", "clean", .when = "power < 10", .to = "refuel"},
        {"full", "refuel", .on = "full", .when = "power >= 10", .to = "last"},
    };
    const ploy_hsm_table table = {states, 5, .rules = rules, .rule_count = 3};
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_hsm_type *type = NULL;
    ploy_hsm *hsm = NULL;
    CHECK_OK(ploy_blackboard_layout_create(chart_keys, 1, "robot", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    CHECK_OK(ploy_hsm_type_from_table(NULL, &table, layout, &env, &type));
    CHECK_OK(ploy_hsm_create(type, NULL, &env, &hsm));
    ploy_step_context context = {.dt = 1.0f, .blackboard = board};
    ploy_slot power = {1};
    CHECK_OK(ploy_blackboard_set_i64(board, power, 50));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
    CHECK(ploy_hsm_is_in(hsm, "search"));
    ploy_hsm_event trash = ploy_hsm_event_make("trash"), full = ploy_hsm_event_make("full");
    ploy_status status;
    CHECK_OK(ploy_hsm_send(hsm, &trash));
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
    CHECK(ploy_hsm_is_in(hsm, "pick"));
    CHECK_INT(acted, 1);
    CHECK_INT(entered, 2);
    CHECK_INT(probe.exits, 1);
    CHECK_OK(ploy_blackboard_set_i64(board, power, 5));
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
    CHECK(ploy_hsm_is_in(hsm, "refuel"));
    CHECK_OK(ploy_blackboard_set_i64(board, power, 80));
    CHECK_OK(ploy_hsm_send(hsm, &full));
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
    CHECK(ploy_hsm_is_in(hsm, "pick")); // the history
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(hsm);
    ploy_hsm_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(a_bad_chart_is_refused_as_bad_calls_are) {
    static const struct {
        const char *row;
        ploy_hsm_state_row second;
        ploy_hsm_rule_row rule;
        ploy_result want;
        const char *said;
    } rows[] = {
        {"fine", {.id = "b", .parent = "a"}, {.id = "r", "a", "e", NULL, "b"}, PLOY_OK, ""},
        {"no such parent",
         {.id = "b", .parent = "c"},
         {.id = "r", "a", "e", NULL, "a"},
         PLOY_ERR_NOT_FOUND,
         "unknown state 'c' in row 'b'"},
        {"no such target",
         {.id = "b"},
         {.id = "r", "a", "e", NULL, "c"},
         PLOY_ERR_NOT_FOUND,
         "unknown state 'c' in row 'r'"},
        {"no text", {.id = "b"}, {.id = "r", "a", "e", "1 +", "b"}, PLOY_ERR_FORMAT, ""},
        {"two of one id", {.id = "a"}, {.id = "r", "a", "e", NULL, "a"}, PLOY_ERR_ARGUMENT, "'a'"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        nested_lines lines;
        ploy_env env = nested_lines_env(&lines);
        const ploy_hsm_state_row states[] = {{.id = "a"}, rows[i].second};
        const ploy_hsm_table table = {states, 2, .rules = &rows[i].rule, .rule_count = 1};
        ploy_hsm_type *type = NULL;
        CHECK_INT(ploy_hsm_type_from_table(NULL, &table, NULL, &env, &type), rows[i].want);
        CHECK((type != NULL) == (rows[i].want == PLOY_OK));
        CHECK(strstr(lines.text, rows[i].said) != NULL);
        ploy_hsm_type_destroy(type);
    }
}

static ploy_result chart_build_all(const ploy_env *env, void *arg) {
    static const ploy_hsm_state_row states[] = {
        {.id = "a"},
        {.id = "b", .parent = "a"},
        {.id = "h", .parent = "a", .kind = PLOY_HSM_HISTORY}};
    static const ploy_hsm_rule_row rules[] = {{"r", "b", "e", .to = "a"}};
    static const ploy_hsm_table table = {states, 3, .rules = rules, .rule_count = 1};
    ploy_hsm_type *type = NULL;
    (void)arg;
    ploy_result result = ploy_hsm_type_from_table(NULL, &table, NULL, env, &type);
    ploy_hsm_type_destroy(type);
    return result;
}

TEST(a_chart_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(chart_build_all, NULL);
}
