// State machines: behaviors inside states and their errors, states put aside, the record of changes.
#include "decide/decide_internal.h"
#include "ploy/decide/fsm.h"

#include "tests/decide/nested_probe.h"

static const char *fsm_now(const ploy_fsm *fsm) {
    return ploy_fsm_type_id(ploy_fsm_type_of(fsm), ploy_fsm_current(fsm));
}

TEST(an_error_inside_a_state_is_a_failure_that_rules_see) {
    static const char *const calls[] = {"enter", "step", "commit", "message"};
    for (int32_t call = 0; call < 4; call++) {
        t->row = calls[call];
        nested_lines lines;
        ploy_env env = nested_lines_env(&lines);
        nested_probe probe = {.status = PLOY_STATUS_RUNNING};
        ploy_fsm_def def = ploy_fsm_def_default();
        ploy_fsm_type *type = NULL;
        CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
        ploy_fsm_state attack =
            ploy_fsm_type_state(type, "attack", NULL, nested_probe_maker(&probe));
        ploy_fsm_state flee = ploy_fsm_type_state(type, "flee", NULL, ploy_maker_none());
        ploy_conditions *set = ploy_fsm_type_conditions(type);
        ploy_fsm_rule failed = ploy_fsm_rule_make(
            "failed", attack, ploy_condition_status(set, PLOY_STATUS_FAILURE), flee);
        CHECK_OK(ploy_fsm_type_add(type, &failed));
        CHECK_OK(ploy_fsm_type_finish(type, attack));
        ploy_fsm *fsm = NULL;
        CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
        ploy_behavior behavior = ploy_fsm_behavior(fsm);
        ploy_step_context context = {.dt = 0.1f, .agent = ploy_agent_id_make(3, 1)};
        ploy_status status;
        if (call == 0) probe.enter = PLOY_ERR_LIMIT;
        CHECK_OK(ploy_behavior_enter(behavior, &context));
        if (call == 1) probe.step = PLOY_ERR_LIMIT;
        if (call > 0) {
            CHECK_OK(ploy_behavior_step(behavior, &context, &status));
            CHECK_TEXT(fsm_now(fsm), "attack");
        }
        if (call == 2) probe.commit = PLOY_ERR_LIMIT;
        CHECK_OK(ploy_behavior_commit(behavior, &context));
        if (call == 3) probe.message = PLOY_ERR_LIMIT;
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("hit"));
        bool handled = true;
        CHECK_OK(ploy_behavior_message(behavior, &context, &message, &handled));
        CHECK(!handled);
        CHECK_INT(probe.exits, 1);
        CHECK_INT(probe.reason, PLOY_EXIT_ERROR);
        CHECK_INT(lines.count, 1);
        CHECK_TEXT(lines.text, "agent 3: attack: a stated limit was reached");
        CHECK_OK(ploy_behavior_step(behavior, &context, &status));
        CHECK_TEXT(fsm_now(fsm), "flee");
        CHECK_INT(probe.exits, 1); // left once
        ploy_behavior_exit(behavior, &context, PLOY_EXIT_REMOVED);
        ploy_fsm_destroy(fsm);
        ploy_fsm_type_destroy(type);
    }
}

TEST(a_state_that_failed_stays_failed_until_it_is_left) {
    nested_lines lines;
    ploy_env env = nested_lines_env(&lines);
    nested_probe probe = {.step = PLOY_ERR_LIMIT};
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    ploy_fsm_state only = ploy_fsm_type_state(type, "only", NULL, nested_probe_maker(&probe));
    CHECK_OK(ploy_fsm_type_finish(type, only));
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 0.1f};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
        CHECK_INT(status, PLOY_STATUS_RUNNING);
    }
    CHECK_INT(probe.steps, 1);
    CHECK_INT(lines.count, 1); // once, not in every step
    CHECK_OK(ploy_fsm_change(fsm, &context, only));
    CHECK_INT(probe.enters, 2);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
}

static ploy_result fsm_hook_fails(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    (void)turn;
    return PLOY_ERR_CALLBACK;
}

TEST(an_error_of_a_hook_fails_the_state_that_holds_the_machine) {
    nested_lines lines;
    ploy_env env = nested_lines_env(&lines);
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *inner = NULL, *outer = NULL;
    ploy_fsm_hooks hooks = {.execute = fsm_hook_fails};
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &inner));
    ploy_fsm_state aim = ploy_fsm_type_state(inner, "aim", &hooks, ploy_maker_none());
    CHECK_OK(ploy_fsm_type_finish(inner, aim));
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &outer));
    ploy_fsm_state attack = ploy_fsm_type_state(outer, "attack", NULL, ploy_fsm_type_maker(inner));
    CHECK_OK(ploy_fsm_type_finish(outer, attack));
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_create(outer, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 0.1f};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    CHECK_TEXT(lines.text, "attack/aim: a callback of the caller reported failure");
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(outer);
    ploy_fsm_type_destroy(inner);
}

TEST(a_nested_definition_for_another_layout_is_refused_at_finish) {
    static const ploy_blackboard_key keys[] = {
        {"see", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
        {"near", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    nested_lines lines;
    ploy_env env = nested_lines_env(&lines);
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_blackboard_layout *both = NULL, *one = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "both", &env, NULL, &both));
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "one", &env, NULL, &one));
    for (int32_t deep = 0; deep < 2; deep++) {
        // inner is built for both keys; the machine around it for one of them. Between them may be a
        // machine that knows no layout.
        ploy_fsm_type *types[3] = {NULL, NULL, NULL};
        const ploy_blackboard_layout *layouts[3] = {both, NULL, one};
        ploy_maker maker = ploy_maker_none();
        ploy_result result = PLOY_OK;
        for (int32_t i = 0; i < 3; i++) {
            if (i == 1 && deep == 0) continue;
            CHECK_OK(ploy_fsm_type_create(&def, layouts[i], &env, &types[i]));
            ploy_fsm_state state = ploy_fsm_type_state(types[i], "state", NULL, maker);
            result = ploy_fsm_type_finish(types[i], state);
            if (i < 2) CHECK_OK(result);
            maker = ploy_fsm_type_maker(types[i]);
        }
        CHECK_INT(result, PLOY_ERR_NOT_FOUND);
        for (int32_t i = 2; i >= 0; i--) ploy_fsm_type_destroy(types[i]);
    }
    ploy_fsm_type *unfinished = NULL, *holder = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, one, &env, &unfinished));
    CHECK_OK(ploy_fsm_type_create(&def, one, &env, &holder));
    ploy_fsm_state state =
        ploy_fsm_type_state(holder, "state", NULL, ploy_fsm_type_maker(unfinished));
    CHECK_INT(ploy_fsm_type_finish(holder, state), PLOY_ERR_STATE);
    ploy_fsm_type_destroy(holder);
    ploy_fsm_type_destroy(unfinished);
    ploy_blackboard_layout_destroy(both);
    ploy_blackboard_layout_destroy(one);
}

// ---- states put aside (FSM-10)

typedef struct fsm_aside {
    ploy_env env;
    ploy_fsm_type *type;
    ploy_fsm *fsm;
    ploy_step_context context;
    ploy_fsm_state work, call, eat, home;
    ploy_result (*ask)(struct fsm_aside *it);
    ploy_result answers[2];
} fsm_aside;

static ploy_result fsm_aside_execute(void *user, const ploy_fsm_turn *turn) {
    fsm_aside *it = user;
    (void)turn;
    return it->ask != NULL ? it->ask(it) : PLOY_OK;
}

static void fsm_aside_open(test_context *t, fsm_aside *it, bool deferred) {
    memset(it, 0, sizeof *it);
    it->env = ploy_env_default();
    ploy_fsm_def def = ploy_fsm_def_default();
    def.deferred = deferred;
    def.stack = 2;
    ploy_fsm_hooks hooks = {.execute = fsm_aside_execute, .user = it};
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &it->env, &it->type));
    it->work = ploy_fsm_type_state(it->type, "work", &hooks, ploy_maker_none());
    it->call = ploy_fsm_type_state(it->type, "call", &hooks, ploy_maker_none());
    it->eat = ploy_fsm_type_state(it->type, "eat", &hooks, ploy_maker_none());
    it->home = ploy_fsm_type_state(it->type, "home", &hooks, ploy_maker_none());
    CHECK_OK(ploy_fsm_type_finish(it->type, it->work));
    CHECK_OK(ploy_fsm_create(it->type, NULL, &it->env, &it->fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(it->fsm), &it->context));
}

static void fsm_aside_step(test_context *t, fsm_aside *it, ploy_result (*ask)(fsm_aside *)) {
    ploy_status status;
    it->ask = ask;
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(it->fsm), &it->context, &status));
}

static void fsm_aside_close(fsm_aside *it) {
    ploy_fsm_destroy(it->fsm);
    ploy_fsm_type_destroy(it->type);
}

static ploy_result fsm_push_call(fsm_aside *it) {
    return ploy_fsm_push(it->fsm, &it->context, it->call);
}
static ploy_result fsm_push_eat(fsm_aside *it) {
    return ploy_fsm_push(it->fsm, &it->context, it->eat);
}
static ploy_result fsm_pop(fsm_aside *it) {
    return ploy_fsm_pop(it->fsm, &it->context);
}
static ploy_result fsm_push_then_change(fsm_aside *it) {
    it->answers[0] = ploy_fsm_push(it->fsm, &it->context, it->call);
    it->answers[1] = ploy_fsm_change(it->fsm, &it->context, it->home);
    return PLOY_OK;
}
static ploy_result fsm_pop_then_change(fsm_aside *it) {
    it->answers[0] = ploy_fsm_pop(it->fsm, &it->context);
    it->answers[1] = ploy_fsm_change(it->fsm, &it->context, it->home);
    return PLOY_OK;
}

TEST(states_put_aside_come_back_in_reverse_order) { // FSM-10
    for (int32_t deferred = 0; deferred < 2; deferred++) {
        fsm_aside it;
        fsm_aside_open(t, &it, deferred == 1);
        CHECK_INT(ploy_fsm_pop(it.fsm, &it.context), PLOY_ERR_STATE); // nothing is put aside
        fsm_aside_step(t, &it, fsm_push_call);
        CHECK_TEXT(fsm_now(it.fsm), "call");
        CHECK_INT(ployi_fsm_depth(it.fsm), 1);
        fsm_aside_step(t, &it, fsm_push_eat);
        CHECK_TEXT(fsm_now(it.fsm), "eat");
        CHECK_INT(ployi_fsm_depth(it.fsm), 2);
        CHECK_INT(ploy_fsm_push(it.fsm, &it.context, it.home), PLOY_ERR_CAPACITY);
        ploy_fsm_state none = {99};
        CHECK_INT(ploy_fsm_push(it.fsm, &it.context, none), PLOY_ERR_ARGUMENT);
        fsm_aside_step(t, &it, fsm_pop);
        CHECK_TEXT(fsm_now(it.fsm), "call");
        fsm_aside_step(t, &it, fsm_pop);
        CHECK_TEXT(fsm_now(it.fsm), "work");
        CHECK_INT(ployi_fsm_depth(it.fsm), 0);
        fsm_aside_close(&it);
    }
}

TEST(a_deferred_push_or_pop_that_a_change_overrides_leaves_the_stack_alone) { // FSM-10
    fsm_aside it;
    fsm_aside_open(t, &it, true);
    fsm_aside_step(t, &it, fsm_push_then_change);
    CHECK_OK(it.answers[0]);
    CHECK_OK(it.answers[1]);
    CHECK_TEXT(fsm_now(it.fsm), "home");
    CHECK_INT(ployi_fsm_depth(it.fsm), 0); // was 1: a state that was never put aside
    fsm_aside_step(t, &it, fsm_push_eat);
    fsm_aside_step(t, &it, fsm_pop_then_change);
    CHECK_OK(it.answers[0]);
    CHECK_TEXT(fsm_now(it.fsm), "home");
    CHECK_INT(ployi_fsm_depth(it.fsm), 1); // still aside
    fsm_aside_close(&it);
}

// ---- the record of changes (SMC-16, FSM-21)

TEST(the_last_changes_are_kept_in_a_ring) { // SMC-16, FSM-21
    ploy_env env = ploy_env_default();
    ploy_fsm_def def = ploy_fsm_def_default();
    def.record = 3;
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    ploy_fsm_state a = ploy_fsm_type_state(type, "a", NULL, ploy_maker_none());
    ploy_fsm_state b = ploy_fsm_type_state(type, "b", NULL, ploy_maker_none());
    ploy_fsm_rule there = ploy_fsm_rule_make("there", a, ploy_condition_none(), b);
    CHECK_OK(ploy_fsm_type_add(type, &there));
    CHECK_OK(ploy_fsm_type_finish(type, a));
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 0.5f};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    ploy_fsm_record info;
    CHECK_INT(ploy_fsm_record_count(fsm), 0);
    CHECK_INT(ploy_fsm_record_at(fsm, 0, &info), PLOY_ERR_ARGUMENT);
    for (int32_t i = 1; i <= 5; i++) {
        context.tick = (uint64_t)i;
        context.now = 0.5 * i;
        if (i % 2 == 1) {
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
        } else {
            CHECK_OK(ploy_fsm_change(fsm, &context, a));
        }
        CHECK_INT(ploy_fsm_record_count(fsm), i < 3 ? i : 3);
    }
    for (int32_t k = 0; k < 3; k++) { // the latest first
        CHECK_OK(ploy_fsm_record_at(fsm, k, &info));
        bool ruled = k % 2 == 0;
        CHECK_UINT(info.tick, (uint64_t)(5 - k));
        CHECK_NEAR(info.now, 0.5 * (5 - k), 0.0);
        CHECK_TEXT(ploy_fsm_type_id(type, info.from), ruled ? "a" : "b");
        CHECK_TEXT(ploy_fsm_type_id(type, info.to), ruled ? "b" : "a");
        CHECK_TEXT(info.rule, ruled ? "there" : "");
    }
    CHECK_INT(ploy_fsm_record_at(fsm, 3, &info), PLOY_ERR_ARGUMENT);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
}

// ---- private bytes (FSM-06)

typedef struct fsm_bytes {
    int64_t seen[2]; // what each state found in its bytes when it was entered
} fsm_bytes;

static ploy_result fsm_bytes_enter(void *user, const ploy_fsm_turn *turn) {
    *(int64_t *)user = *(int64_t *)turn->data;
    return PLOY_OK;
}

static ploy_result fsm_bytes_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    ++*(int64_t *)turn->data;
    return PLOY_OK;
}

TEST(private_bytes_are_zeroed_on_each_enter_unless_kept) { // FSM-06
    ploy_env env = ploy_env_default();
    fsm_bytes bytes = {{-1, -1}};
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_fsm_state states[2];
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    for (int32_t i = 0; i < 2; i++) {
        ploy_fsm_hooks hooks = {
            .enter = fsm_bytes_enter, .execute = fsm_bytes_execute, .user = &bytes.seen[i]};
        states[i] =
            ploy_fsm_type_state(type, i == 0 ? "zeroed" : "kept", &hooks, ploy_maker_none());
        CHECK_OK(ploy_fsm_type_set_data(type, states[i], sizeof(int64_t), i == 1));
    }
    CHECK_OK(ploy_fsm_type_finish(type, states[0]));
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 0.5f};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    for (int32_t visit = 0; visit < 3; visit++) {
        CHECK_INT(bytes.seen[0], 0);
        if (visit > 0) CHECK_INT(bytes.seen[1], 2 * (visit - 1));
        for (int32_t i = 0; i < 2; i++) {
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
            CHECK_OK(ploy_fsm_change(fsm, &context, states[1 - i]));
        }
    }
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
}

// ---- a tree's leaves with actions (SMC-13)

typedef struct fsm_leaves {
    bool see, near;
    int32_t looks, shouts, draws, rules;
} fsm_leaves;

static bool fsm_leaves_see(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    (void)args;
    ((fsm_leaves *)user)->looks++;
    return ((fsm_leaves *)user)->see;
}
static bool fsm_leaves_near(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    (void)args;
    return ((fsm_leaves *)user)->near;
}
static ploy_result fsm_leaves_count(void *user, const ploy_fsm_turn *turn) {
    (void)turn;
    ++*(int32_t *)user;
    return PLOY_OK;
}

TEST(each_leaf_of_a_transition_tree_has_its_action) { // SMC-13
    static const struct {
        const char *row;
        bool see, near;
        const char *state;
        int32_t shouts, draws, rules;
    } rows[] = {
        {"nobody", false, false, "alert", 0, 0, 0},
        {"near", true, true, "defend", 0, 1, 0},
        {"far", true, false, "defend", 1, 0, 0},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        fsm_leaves it = {.see = rows[i].see, .near = rows[i].near};
        ploy_decision_tree *tree = NULL;
        CHECK_OK(ploy_decision_tree_create(NULL, &env, &tree));
        ploy_conditions *set = ploy_decision_tree_conditions(tree);
        ploy_decision_node raise = ploy_decision_tree_leaf(tree, "raise", ploy_maker_none());
        ploy_decision_node close = ploy_decision_tree_leaf(tree, "close", ploy_maker_none());
        ploy_decision_node near = ploy_decision_tree_test(
            tree, "near", ploy_condition_call(set, "near", fsm_leaves_near, &it), close, raise);
        ploy_decision_node see = ploy_decision_tree_test(
            tree, "see", ploy_condition_call(set, "see", fsm_leaves_see, &it), near,
            ploy_decision_node_none());
        CHECK_OK(ploy_decision_tree_finish(tree, see));
        ploy_fsm_def def = ploy_fsm_def_default();
        ploy_fsm_type *type = NULL;
        CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
        ploy_fsm_state alert = ploy_fsm_type_state(type, "alert", NULL, ploy_maker_none());
        ploy_fsm_state defend = ploy_fsm_type_state(type, "defend", NULL, ploy_maker_none());
        const ploy_fsm_leaf leaves[] = {
            {"raise", defend, fsm_leaves_count, &it.shouts},
            {"close", defend, fsm_leaves_count, &it.draws},
        };
        ploy_fsm_rule rule =
            ploy_fsm_rule_make("look", alert, ploy_condition_none(), ploy_fsm_state_none());
        rule.tree = tree;
        rule.leaves = leaves;
        rule.leaf_count = 1;
        rule.action = fsm_leaves_count;
        rule.user = &it.rules;
        CHECK_INT(ploy_fsm_type_add(type, &rule), PLOY_ERR_NOT_FOUND); // "close" is no state
        ploy_fsm_type_destroy(type);
        CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
        (void)ploy_fsm_type_state(type, "alert", NULL, ploy_maker_none());
        (void)ploy_fsm_type_state(type, "defend", NULL, ploy_maker_none());
        rule.leaf_count = 2;
        CHECK_OK(ploy_fsm_type_add(type, &rule));
        CHECK_OK(ploy_fsm_type_finish(type, alert));
        ploy_fsm *fsm = NULL;
        CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
        ploy_step_context context = {.dt = 0.1f};
        ploy_status status;
        CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
        CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
        CHECK_TEXT(fsm_now(fsm), rows[i].state);
        CHECK_INT(it.looks, 1); // one look, however many transitions depend on it
        CHECK_INT(it.shouts, rows[i].shouts);
        CHECK_INT(it.draws, rows[i].draws);
        CHECK_INT(it.rules, rows[i].rules);
        ploy_fsm_destroy(fsm);
        ploy_fsm_type_destroy(type);
        ploy_decision_tree_destroy(tree);
    }
}

TEST(lint_knows_where_the_leaves_of_a_tree_lead) { // SMC-13
    ploy_env env = ploy_env_default();
    static const char *const names[] = {"alert", "defend", "flee", "hide", "idle"};
    enum { STATES = (int)COUNT_OF(names) };
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_decision_tree *tree = NULL;
    ploy_diags *diags = NULL;
    ploy_fsm_state states[STATES];
    fsm_leaves it = {.see = true};
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_decision_tree_create(NULL, &env, &tree));
    ploy_conditions *set = ploy_decision_tree_conditions(tree);
    ploy_condition see = ploy_condition_call(set, "see", fsm_leaves_see, &it);
    ploy_decision_node root = ploy_decision_tree_leaf(tree, names[1], ploy_maker_none());
    for (int32_t i = 2; i < STATES - 1; i++) { // no leaf leads to the last state
        char id[8];
        snprintf(id, sizeof id, "see %d", i);
        ploy_decision_node leaf = ploy_decision_tree_leaf(tree, names[i], ploy_maker_none());
        root = ploy_decision_tree_test(tree, id, see, leaf, root);
    }
    CHECK_OK(ploy_decision_tree_finish(tree, root));
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    for (int32_t i = 0; i < STATES; i++) {
        states[i] = ploy_fsm_type_state(type, names[i], NULL, ploy_maker_none());
        ploy_fsm_rule back =
            ploy_fsm_rule_make(names[i], states[i], ploy_condition_none(), states[0]);
        if (i > 0) CHECK_OK(ploy_fsm_type_add(type, &back));
    }
    ploy_fsm_rule rule =
        ploy_fsm_rule_make("look", states[0], ploy_condition_none(), ploy_fsm_state_none());
    rule.tree = tree;
    CHECK_OK(ploy_fsm_type_add(type, &rule));
    CHECK_OK(ploy_fsm_type_finish(type, states[0]));
    CHECK_INT(ploy_fsm_type_lint(type, diags), 1);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "unreachable state 'idle'");
    ploy_fsm_type_destroy(type);
    ploy_decision_tree_destroy(tree);
    ploy_diags_destroy(diags);
}

// ---- arbiters (SMC-14)

TEST(a_random_arbiter_takes_each_rule_that_holds_about_equally_often) { // SMC-14
    ploy_env env = ploy_env_default();
    ploy_fsm_def def = ploy_fsm_def_default();
    def.arbiter = PLOY_FSM_RANDOM;
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    ploy_fsm_state hub = ploy_fsm_type_state(type, "hub", NULL, ploy_maker_none());
    static const char *const ids[] = {"x", "y", "z"};
    ploy_conditions *set = ploy_fsm_type_conditions(type);
    ploy_condition never = ploy_condition_elapsed(set, 1e9);
    for (int32_t i = 0; i < 3; i++) {
        ploy_fsm_state state = ploy_fsm_type_state(type, ids[i], NULL, ploy_maker_none());
        ploy_fsm_rule rule = ploy_fsm_rule_make(ids[i], hub, ploy_condition_none(), state);
        if (i == 2) rule.when = never;
        CHECK_OK(ploy_fsm_type_add(type, &rule));
        char back[8] = "back ";
        strcat(back, ids[i]);
        ploy_fsm_rule home = ploy_fsm_rule_make(back, state, ploy_condition_none(), hub);
        CHECK_OK(ploy_fsm_type_add(type, &home));
    }
    CHECK_OK(ploy_fsm_type_finish(type, hub));
    int32_t took[2][3] = {{0, 0, 0}, {0, 0, 0}};
    char order[2][401];
    for (int32_t agent = 0; agent < 2; agent++) {
        for (int32_t again = 0; again < 2; again++) { // the same agent draws the same again
            ploy_fsm *fsm = NULL;
            CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
            ploy_step_context context = {.dt = 0.1f,
                                         .key = ploy_rng_key_make(11),
                                         .agent = ploy_agent_id_make((uint32_t)agent + 1, 1)};
            ploy_status status;
            CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
            char seen[401] = "";
            for (int32_t i = 0; i < 800; i++) {
                context.tick = (uint64_t)i;
                CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
                if (i % 2 == 0) strcat(seen, fsm_now(fsm));
            }
            if (again == 1) CHECK_TEXT(seen, order[agent]);
            memcpy(order[agent], seen, sizeof seen);
            ploy_fsm_destroy(fsm);
        }
        for (const char *c = order[agent]; *c != '\0'; c++) took[agent][*c - 'x']++;
        CHECK_INT(took[agent][2], 0);
        CHECK(took[agent][0] > 150 && took[agent][0] < 250); // 200, five deviations of 10
        CHECK_INT(took[agent][0] + took[agent][1], 400);
    }
    CHECK(strcmp(order[0], order[1]) != 0); // agents draw apart
    ploy_fsm_type_destroy(type);
}

// ---- an edited definition

typedef struct fsm_walk {
    uint32_t cookie;
    int32_t steps;
} fsm_walk;

static const ploy_field fsm_walk_table[] = {
    PLOY_FIELD_I32(fsm_walk, steps, 0, 0, 1000, "", "steps so far"),
};

static ploy_fields fsm_walk_fields(void) {
    return PLOY_FIELDS(fsm_walk, fsm_walk_table);
}

static ploy_result fsm_walk_enter(void *user, void *state, ploy_step_context *context) {
    (void)state;
    (void)context;
    ++*(int32_t *)user;
    return PLOY_OK;
}

static ploy_result fsm_walk_step(void *user, void *state, ploy_step_context *context,
                                 ploy_status *status) {
    (void)user;
    (void)context;
    *status = ++((fsm_walk *)state)->steps == 5 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_fsm_type *fsm_walk_type(test_context *t, const ploy_function *function,
                                    const ploy_env *env) {
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, NULL, env, &type));
    ploy_fsm_state walk = ploy_fsm_type_state(type, "walk", NULL, ploy_function_maker(function));
    ploy_fsm_state rest = ploy_fsm_type_state(type, "rest", NULL, ploy_maker_none());
    ploy_conditions *set = ploy_fsm_type_conditions(type);
    ploy_fsm_rule there =
        ploy_fsm_rule_make("there", walk, ploy_condition_status(set, PLOY_STATUS_SUCCESS), rest);
    CHECK_OK(ploy_fsm_type_add(type, &there));
    CHECK_OK(ploy_fsm_type_finish(type, walk));
    return type;
}

TEST(a_behavior_of_an_edited_definition_goes_on_where_it_was) {
    ploy_env env = ploy_env_default();
    static const char *const names[] = {"walk", "run"};
    for (int32_t other = 0; other < 2; other++) { // another function restarts
        int32_t enters = 0;
        ploy_function functions[2];
        for (int32_t i = 0; i < 2; i++) {
            ploy_function function = {.name = names[i == 1 ? other : 0],
                                      .step = fsm_walk_step,
                                      .enter = fsm_walk_enter,
                                      .user = &enters,
                                      .fields = fsm_walk_fields};
            functions[i] = function;
        }
        ploy_fsm_type *types[2];
        for (int32_t i = 0; i < 2; i++) types[i] = fsm_walk_type(t, &functions[i], &env);
        ploy_fsm *fsm = NULL;
        CHECK_OK(ploy_fsm_create(types[0], NULL, &env, &fsm));
        ploy_step_context context = {.dt = 0.1f};
        ploy_status status;
        CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
        for (int32_t i = 0; i < 3; i++) {
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
        }
        bool kept = false;
        CHECK_OK(ploy_fsm_swap(fsm, &context, types[1], true, &kept));
        CHECK(kept);
        CHECK_INT(enters, other == 0 ? 1 : 2);
        int32_t left = 0;
        while (ploy_fsm_is_in(fsm, "walk") && left < 20) {
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
            left++;
        }
        CHECK_INT(left, other == 0 ? 3 : 6); // steps that were left, and the rule
        ploy_fsm_destroy(fsm);
        for (int32_t i = 0; i < 2; i++) ploy_fsm_type_destroy(types[i]);
    }
}
