// Decision trees.
#include "decide/decide_internal.h"
#include "ploy/decide/decision_tree.h"
#include "tests/decide/nested_probe.h"
#include "tests/test.h"

static const ploy_blackboard_key tree_keys[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"enemy", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"pack", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"alert", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
};

typedef struct tree_fixture {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_decision_tree *tree;
    ploy_conditions *set;
    ploy_decision *decision;
    ploy_step_context context;
    ploy_moment moment;
} tree_fixture;

static void tree_begin(test_context *t, tree_fixture *f) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(tree_keys, (int32_t)COUNT_OF(tree_keys), "t", &f->env,
                                           NULL, &f->layout));
    CHECK_OK(ploy_blackboard_create(f->layout, &f->env, &f->board));
    CHECK_OK(ploy_decision_tree_create(f->layout, &f->env, &f->tree));
    f->set = ploy_decision_tree_conditions(f->tree);
    f->context.blackboard = f->board;
    f->context.key = ploy_rng_key_make(11);
    f->moment = ploy_moment_make(&f->context);
}

static void tree_start(test_context *t, tree_fixture *f, ploy_decision_node root) {
    CHECK_OK(ploy_decision_tree_finish(f->tree, root));
    ploy_decision_def def = ploy_decision_def_default();
    def.count = true;
    CHECK_OK(ploy_decision_create(&def, f->tree, &f->env, &f->decision));
}

static void tree_end(tree_fixture *f) {
    ploy_decision_destroy(f->decision);
    ploy_decision_tree_destroy(f->tree);
    ploy_blackboard_destroy(f->board);
    ploy_blackboard_layout_destroy(f->layout);
}

static ploy_decision_node tree_leaf(tree_fixture *f, const char *id) {
    return ploy_decision_tree_leaf(f->tree, id, ploy_maker_none());
}

static const char *tree_answer(tree_fixture *f) {
    return ploy_decision_tree_id(f->tree, ploy_decision_evaluate(f->decision, &f->moment));
}

TEST(the_heal_or_attack_tree_gives_its_vectors) { // DTR-01, DTR-08, exercise X1
    tree_fixture f;
    tree_begin(t, &f);
    const double inf = (double)INFINITY;
    ploy_condition pack = ploy_condition_bool(f.set, "pack");
    ploy_condition above10 = ploy_condition_range(f.set, "health", 10, inf);
    ploy_condition above50 = ploy_condition_range(f.set, "health", 50, inf);
    ploy_condition near = ploy_condition_range(f.set, "enemy", 0, 20);
    ploy_decision_node heal = ploy_decision_tree_test(f.tree, "pack?", pack, tree_leaf(&f, "heal"),
                                                      tree_leaf(&f, "navigate"));
    // Both ways of low health merge in "pack?".
    ploy_decision_node mid =
        ploy_decision_tree_test(f.tree, "near?", near, tree_leaf(&f, "attack"), heal);
    ploy_decision_node low = ploy_decision_tree_test(f.tree, "10?", above10, mid, heal);
    ploy_decision_node root =
        ploy_decision_tree_test(f.tree, "50?", above50, ploy_decision_node_none(), low);
    tree_start(t, &f, root);
    static const struct {
        float health, enemy;
        bool pack;
        const char *want;
    } rows[] = {{5, 10, true, "heal"},    {5, 10, false, "navigate"},  {30, 10, true, "attack"},
                {30, 25, true, "heal"},   {30, 25, false, "navigate"}, {80, 1, true, ""},
                {10, 20, true, "attack"}, {50, 20, true, ""}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_slot health = {1}, enemy = {2}, has = {3};
        CHECK_OK(ploy_blackboard_set_f32(f.board, health, rows[i].health));
        CHECK_OK(ploy_blackboard_set_f32(f.board, enemy, rows[i].enemy));
        CHECK_OK(ploy_blackboard_set_bool(f.board, has, rows[i].pack));
        CHECK_TEXT(tree_answer(&f), rows[i].want);
    }
    CHECK_UINT(ployi_decision_visits(f.decision, root), COUNT_OF(rows));
    CHECK_UINT(ployi_decision_visits(f.decision, heal), 4);
    CHECK_INT(ploy_decision_tree_lint(f.tree, NULL), 0);
    tree_end(&f);
}

typedef struct tree_probe {
    bool answer;
    int calls;
} tree_probe;

static bool tree_ask(void *user, const ploy_moment *moment, const float *args) {
    tree_probe *probe = user;
    (void)moment, (void)args;
    probe->calls++;
    return probe->answer;
}

TEST(wired_conditions_decide_as_the_condition_does) { // DTR-03
    tree_fixture f;
    tree_begin(t, &f);
    tree_probe probes[3] = {{0}};
    ploy_condition c[3];
    static const char *const names[] = {"A", "B", "C"};
    for (int i = 0; i < 3; i++) c[i] = ploy_condition_call(f.set, names[i], tree_ask, &probes[i]);
    // (A and not B) xor (B or C): every kind of joint.
    ploy_condition joined =
        ploy_condition_xor(f.set, ploy_condition_and(f.set, c[0], ploy_condition_not(f.set, c[1])),
                           ploy_condition_or(f.set, c[1], c[2]));
    ploy_decision_node one = tree_leaf(&f, "1"), two = tree_leaf(&f, "2");
    ploy_decision_node root = ploy_decision_tree_wire(f.tree, "x", joined, one, two);
    tree_start(t, &f, root);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) probes[k].answer = (i >> k & 1) != 0;
        bool a = probes[0].answer, b = probes[1].answer, d = probes[2].answer;
        CHECK_TEXT(tree_answer(&f), ((a && !b) != (b || d)) ? "1" : "2");
    }
    tree_end(&f);
    tree_begin(t, &f);
    for (int i = 0; i < 2; i++) c[i] = ploy_condition_call(f.set, names[i], tree_ask, &probes[i]);
    one = tree_leaf(&f, "1"), two = tree_leaf(&f, "2");
    root = ploy_decision_tree_wire(f.tree, "and", ploy_condition_and(f.set, c[0], c[1]), one, two);
    tree_start(t, &f, root);
    memset(probes, 0, sizeof probes);
    CHECK_TEXT(tree_answer(&f), "2");
    CHECK_INT(probes[1].calls, 0); // A false: B is never asked
    tree_end(&f);
}

TEST(a_switch_answers_as_its_chain_with_fewer_tests) { // DTR-04
    static const int64_t values[] = {30, -1, 7, 8};
    static const char *const ids[] = {"w", "x", "y", "z"};
    for (int chain = 0; chain < 2; chain++) {
        tree_fixture f;
        tree_begin(t, &f);
        ploy_decision_node leaves[4];
        for (int i = 0; i < 4; i++) leaves[i] = tree_leaf(&f, ids[i]);
        ploy_decision_node other = tree_leaf(&f, "other");
        ploy_decision_node root =
            chain ? ploy_decision_tree_chain(f.tree, "a", "alert", values, leaves, 4, other)
                  : ploy_decision_tree_switch(f.tree, "a", "alert", values, leaves, 4, other);
        tree_start(t, &f, root);
        ploy_slot alert = {4};
        for (int64_t v = -3; v < 40; v++) {
            CHECK_OK(ploy_blackboard_set_i64(f.board, alert, v));
            const char *want = "other";
            for (int i = 0; i < 4; i++) want = values[i] == v ? ids[i] : want;
            CHECK_TEXT(tree_answer(&f), want);
        }
        ploy_decision_report report;
        CHECK_OK(ploy_decision_tree_judge(f.tree, NULL, &report));
        CHECK_INT(report.max_depth, chain ? 4 : 1);
        tree_end(&f);
    }
}

// A tree of 2^depth leaves, or a chain of as many.
static ploy_decision_node tree_grow(tree_fixture *f, ploy_condition c, int depth, int *made) {
    char id[16];
    snprintf(id, sizeof id, "n%d", (*made)++);
    if (depth == 0) return tree_leaf(f, id);
    ploy_decision_node yes = tree_grow(f, c, depth - 1, made);
    ploy_decision_node no = tree_grow(f, c, depth - 1, made);
    return ploy_decision_tree_test(f->tree, id, c, yes, no);
}

TEST(balanced_trees_cost_what_they_should) { // DTR-07, ERR-01, DTR-01's complete tree
    tree_fixture f;
    ploy_decision_report report;
    for (int depth = 3; depth <= 4; depth++) {
        tree_begin(t, &f);
        int made = 0;
        ploy_condition c = ploy_condition_bool(f.set, "pack");
        tree_start(t, &f, tree_grow(&f, c, depth, &made));
        CHECK_OK(ploy_decision_tree_judge(f.tree, NULL, &report));
        CHECK_INT(report.decisions, (1 << depth) - 1);
        CHECK_INT(report.leaves, 1 << depth);
        CHECK_INT(report.max_depth, depth);
        CHECK_NEAR(report.average_depth, depth, 1e-12);
        tree_end(&f);
    }
    tree_begin(t, &f); // the chain of 8 behaviors and 7 decisions
    ploy_decision_node node = tree_leaf(&f, "h");
    ploy_condition cheap = ploy_condition_bool(f.set, "pack");
    CHECK_OK(ployi_condition_set_cost(f.set, cheap, 2.0f));
    for (int i = 6; i >= 0; i--) {
        char id[2] = {(char)('a' + i), '\0'}, test[3] = {(char)('a' + i), '?', '\0'};
        node = ploy_decision_tree_test(f.tree, test, cheap, tree_leaf(&f, id), node);
    }
    tree_start(t, &f, node);
    CHECK_OK(ploy_decision_tree_judge(f.tree, NULL, &report));
    CHECK_NEAR(report.average_depth, 35.0 / 8.0, 1e-12);
    CHECK_NEAR(report.expected_cost, 2.0 * 35.0 / 8.0, 1e-12);
    CHECK_INT(report.max_depth, 7);
    double weights[32] = {0};
    weights[ploy_decision_tree_find(f.tree, "a").number - 1] = 3.0;
    weights[ploy_decision_tree_find(f.tree, "h").number - 1] = 1.0;
    CHECK_OK(ploy_decision_tree_judge(f.tree, weights, &report));
    CHECK_NEAR(report.average_depth, (3.0 * 1.0 + 7.0) / 4.0, 1e-12);
    memset(weights, 0, sizeof weights);
    CHECK_INT(ploy_decision_tree_judge(f.tree, weights, &report), PLOY_ERR_ARGUMENT);
    tree_end(&f);
}

TEST(loops_are_refused) { // DTR-08
    tree_fixture f;
    tree_begin(t, &f);
    ploy_condition c = ploy_condition_bool(f.set, "pack");
    ploy_decision_node leaf = tree_leaf(&f, "leaf");
    ploy_decision_node third = ploy_decision_tree_test(f.tree, "3", c, leaf, leaf);
    ploy_decision_node second = ploy_decision_tree_test(f.tree, "2", c, leaf, third);
    ploy_decision_node first = ploy_decision_tree_test(f.tree, "1", c, leaf, second);
    CHECK_OK(ploy_decision_tree_link(f.tree, third, 1, second));
    CHECK_INT(ploy_decision_tree_link(f.tree, third, 2, second), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_decision_tree_finish(f.tree, first), PLOY_ERR_FORMAT);
    ploy_decision_def def = ploy_decision_def_default();
    CHECK_INT(ploy_decision_create(&def, f.tree, &f.env, &f.decision), PLOY_ERR_STATE);
    tree_end(&f);
}

// Root: pack? yes: other, no: random(stand, patrol).
static void tree_random(test_context *t, tree_fixture *f, const ploy_decision_random *settings) {
    tree_begin(t, f);
    ploy_decision_node ways[2] = {tree_leaf(f, "stand"), tree_leaf(f, "patrol")};
    ploy_decision_node random =
        ploy_decision_tree_random(f->tree, "random", settings, ways, NULL, 2);
    ploy_condition c = ploy_condition_bool(f->set, "pack");
    tree_start(t, f, ploy_decision_tree_test(f->tree, "?", c, tree_leaf(f, "other"), random));
}

TEST(a_random_choice_stays_until_it_is_passed_by) { // DTR-09, ERR-02
    tree_fixture f;
    tree_random(t, &f, NULL);
    ploy_slot pack = {3};
    static const int draws[] = {1, 1, 1, 1, 2, 2};
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        CHECK_OK(ploy_blackboard_set_bool(f.board, pack, i == 3));
        (void)tree_answer(&f);
        CHECK_UINT(ployi_decision_draws(f.decision), (uint64_t)draws[i]);
    }
    tree_end(&f);
}

TEST(a_random_choice_times_out_and_may_alternate) { // DTR-10
    for (int alternate = 0; alternate < 2; alternate++) {
        tree_fixture f;
        ploy_decision_random settings = ploy_decision_random_default();
        settings.evaluations = 3;
        settings.alternate = alternate == 1;
        tree_random(t, &f, &settings);
        char last[16] = "";
        for (int i = 0; i < 30; i++) {
            const char *now = tree_answer(&f);
            CHECK_UINT(ployi_decision_draws(f.decision), (uint64_t)(i / 3 + 1));
            bool due = i % 3 == 0 && i > 0;
            if (alternate == 1 && i > 0) CHECK_INT(strcmp(now, last) != 0, due);
            snprintf(last, sizeof last, "%s", now);
        }
        tree_end(&f);
    }
    tree_fixture f;
    ploy_decision_random settings = ploy_decision_random_default();
    settings.seconds = 1.0f;
    tree_random(t, &f, &settings);
    for (int i = 0; i < 10; i++) {
        f.context.now = 0.25 * i;
        (void)tree_answer(&f);
        CHECK_UINT(ployi_decision_draws(f.decision), (uint64_t)(i / 4 + 1));
    }
    tree_end(&f);
}

TEST(weights_are_kept_over_many_agents) {
    tree_fixture f;
    tree_begin(t, &f);
    ploy_decision_node ways[3] = {tree_leaf(&f, "a"), tree_leaf(&f, "b"), tree_leaf(&f, "c")};
    static const float weights[] = {1.0f, 0.0f, 3.0f};
    ploy_decision_random settings = ploy_decision_random_default();
    settings.stable = false;
    tree_start(t, &f, ploy_decision_tree_random(f.tree, "r", &settings, ways, weights, 3));
    for (uint32_t i = 0; i < 4000; i++) {
        f.context.agent = ploy_agent_id_make(i, 1);
        (void)tree_answer(&f);
    }
    CHECK_NEAR((double)ployi_decision_visits(f.decision, ways[0]), 1000.0, 150.0);
    CHECK_UINT(ployi_decision_visits(f.decision, ways[1]), 0);
    tree_end(&f);
}

TEST(bad_trees_are_refused_and_lint_tells_doubts) {
    for (int i = 0; i < 6; i++) {
        tree_fixture f;
        tree_begin(t, &f);
        ploy_condition c = ploy_condition_bool(f.set, "pack");
        ploy_decision_node a = tree_leaf(&f, "a"), nowhere = {99};
        static const int64_t twice[] = {1, 1};
        ploy_decision_node both[2] = {a, a};
        static const float bad[] = {-1.0f, 1.0f};
        if (i == 0) (void)tree_leaf(&f, "a");
        if (i == 1) (void)ploy_decision_tree_test(f.tree, "t", ploy_condition_none(), a, a);
        if (i == 2) (void)ploy_decision_tree_test(f.tree, "t", c, a, nowhere);
        if (i == 3) (void)ploy_decision_tree_switch(f.tree, "s", "alert", twice, both, 2, a);
        if (i == 4) (void)ploy_decision_tree_random(f.tree, "r", NULL, both, bad, 2);
        if (i == 5) (void)ploy_decision_tree_switch(f.tree, "s", "pack", twice, both, 1, a);
        CHECK(ploy_decision_tree_finish(f.tree, a) < PLOY_OK);
        tree_end(&f);
    }
    tree_fixture f;
    tree_begin(t, &f);
    ploy_condition c = ploy_condition_bool(f.set, "pack");
    ploy_decision_node a = tree_leaf(&f, "a"), b = tree_leaf(&f, "b");
    (void)tree_leaf(&f, "lost");
    ploy_decision_node again = ploy_decision_tree_test(f.tree, "again", c, a, b);
    ploy_decision_node same =
        ploy_decision_tree_test(f.tree, "same", ploy_condition_range(f.set, "health", 0, 1), a, a);
    tree_start(t, &f, ploy_decision_tree_test(f.tree, "top", c, again, same));
    CHECK_INT(ploy_decision_tree_lint(f.tree, NULL), 3);
    ploy_buffer buffer; // DTR-11: readable text
    ploy_buffer_init(&buffer, 1 << 12, &f.env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_decision_tree_print(f.tree, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "top: pack\n  again: pack\n    a\n    b\n  same: health in [0, 1]\n    a\n    a\n");
    ploy_buffer_fini(&buffer);
    tree_end(&f);
}

static ploy_result tree_build_all(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_decision_tree *tree = NULL;
    ploy_decision *decision = NULL;
    ploy_result result = ploy_decision_tree_create(NULL, env, &tree);
    if (result != PLOY_OK) return result;
    ploy_decision_node ways[2];
    ways[0] = ploy_decision_tree_leaf(tree, "a", ploy_maker_none());
    ways[1] = ploy_decision_tree_leaf(tree, "b", ploy_maker_none());
    ploy_decision_node root = ploy_decision_tree_random(tree, "r", NULL, ways, NULL, 2);
    result = ploy_decision_tree_finish(tree, root);
    ploy_decision_report report;
    if (result == PLOY_OK) result = ploy_decision_tree_judge(tree, NULL, &report);
    ploy_decision_def def = ploy_decision_def_default();
    def.count = true;
    if (result == PLOY_OK) result = ploy_decision_create(&def, tree, env, &decision);
    ploy_decision_destroy(decision);
    ploy_decision_tree_destroy(tree);
    return result;
}

TEST(trees_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(tree_build_all, NULL);
}

TEST(an_error_inside_a_leaf_is_a_failure) {
    for (int32_t call = 0; call < 4; call++) {
        nested_lines lines;
        ploy_env env = nested_lines_env(&lines);
        nested_probe probe = {.status = PLOY_STATUS_RUNNING};
        ploy_decision_tree *tree = NULL;
        CHECK_OK(ploy_decision_tree_create(NULL, &env, &tree));
        ploy_decision_node leaf =
            ploy_decision_tree_leaf(tree, "attack", nested_probe_maker(&probe));
        CHECK_OK(ploy_decision_tree_finish(tree, leaf));
        ploy_decision_def def = ploy_decision_def_default();
        ploy_decision *decision = NULL;
        CHECK_OK(ploy_decision_create(&def, tree, &env, &decision));
        ploy_behavior behavior = ploy_decision_behavior(decision);
        ploy_step_context context = {.dt = 0.1f};
        ploy_status status = PLOY_STATUS_SUCCESS;
        if (call == 0) probe.enter = PLOY_ERR_LIMIT;
        if (call == 1) probe.step = PLOY_ERR_LIMIT;
        CHECK_OK(ploy_behavior_enter(behavior, &context));
        CHECK_OK(ploy_behavior_step(behavior, &context, &status));
        CHECK_INT(status, call < 2 ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING);
        if (call == 2) probe.commit = PLOY_ERR_LIMIT;
        CHECK_OK(ploy_behavior_commit(behavior, &context));
        if (call == 3) probe.message = PLOY_ERR_LIMIT;
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("hit"));
        bool handled = true;
        CHECK_OK(ploy_behavior_message(behavior, &context, &message, &handled));
        CHECK(!handled);
        CHECK_INT(probe.exits, 1);
        CHECK_INT(lines.count, 1);
        CHECK_TEXT(lines.text, "attack: a stated limit was reached");
        probe.enter = probe.step = PLOY_OK; // the next step tries again
        CHECK_OK(ploy_behavior_step(behavior, &context, &status));
        CHECK_INT(status, PLOY_STATUS_RUNNING);
        CHECK_INT(probe.enters, 2);
        ploy_behavior_exit(behavior, &context, PLOY_EXIT_REMOVED);
        CHECK_INT(probe.exits, 2);
        ploy_decision_destroy(decision);
        ploy_decision_tree_destroy(tree);
    }
}
