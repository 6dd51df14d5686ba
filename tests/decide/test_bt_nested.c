// Behavior trees: behaviors inside nodes and their errors, trees inside others, groups.
#include "ploy/decide/bt_builder.h"
#include "ploy/decide/bt_library.h"
#include "ploy/decide/fsm.h"
#include "tests/decide/bt_script.h"
#include "tests/decide/nested_probe.h"
#include "tests/decide/saved.h"

TEST(an_error_inside_a_behavior_fails_its_node) {
    static const char *const calls[] = {"enter", "step", "commit", "message"};
    for (int32_t keep = 0; keep < 2; keep++) {
        for (int32_t call = 0; call < 4; call++) {
            t->row = calls[call];
            nested_lines lines;
            bt_bench bench;
            bt_script flee = {.letters = "R"};
            nested_probe probe = {.status = PLOY_STATUS_RUNNING};
            bt_bench_begin(t, &bench, NULL);
            bench.env = nested_lines_env(&lines);
            // A decorator takes it as it takes any leaf.
            ploy_bt_builder_open(bench.builder, PLOY_BT_FALLBACK, NULL);
            ploy_bt_builder_open(bench.builder, PLOY_BT_INVERTER, NULL);
            ploy_bt_builder_open(bench.builder, PLOY_BT_INVERTER, NULL);
            ploy_bt_builder_add_behavior(bench.builder, "attack", nested_probe_maker(&probe),
                                         keep == 1);
            ploy_bt_builder_close(bench.builder);
            ploy_bt_builder_close(bench.builder);
            bt_bench_script(&bench, &flee);
            ploy_bt_builder_close(bench.builder);
            bt_bench_build(t, &bench);
            ploy_behavior behavior = ploy_bt_instance_behavior(bench.instance);
            if (call == 0) probe.enter = PLOY_ERR_LIMIT;
            if (call == 1) probe.step = PLOY_ERR_LIMIT;
            bt_bench_expect(t, &bench, "R");
            CHECK_INT(flee.steps, call < 2 ? 1 : 0);
            if (call == 2) probe.commit = PLOY_ERR_LIMIT;
            CHECK_OK(ploy_behavior_commit(behavior, &bench.context));
            if (call == 3) probe.message = PLOY_ERR_LIMIT;
            ploy_message message =
                ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("hit"));
            bool handled = true;
            CHECK_OK(ploy_behavior_message(behavior, &bench.context, &message, &handled));
            CHECK(!handled);
            bt_bench_expect(t, &bench, "R");
            CHECK(flee.steps >= 1); // the fallback went on
            CHECK_INT(probe.enters, 1);
            CHECK_INT(probe.exits, 1);
            CHECK_INT(probe.reason, PLOY_EXIT_ERROR);
            CHECK_INT(lines.count, 1);
            CHECK_TEXT(lines.text, "attack: a stated limit was reached");
            bt_bench_end(&bench);
        }
    }
}

TEST(an_error_of_a_leaf_stays_a_result_and_fails_what_holds_the_tree) {
    nested_lines lines;
    bt_bench inner, outer;
    bt_script broken = {.letters = "RE"}, flee = {.letters = "S"};
    bt_bench_begin(t, &inner, NULL);
    bt_bench_script(&inner, &broken);
    bt_bench_build(t, &inner);
    bt_bench_expect(t, &inner, "RE"); // alone, it is an error of the step
    bt_bench_begin(t, &outer, NULL);
    outer.env = nested_lines_env(&lines);
    ploy_bt_builder_open(outer.builder, PLOY_BT_FALLBACK, NULL);
    ploy_bt_builder_add_behavior(outer.builder, "plan", ploy_bt_maker(inner.bt), true);
    bt_bench_script(&outer, &flee);
    ploy_bt_builder_close(outer.builder);
    bt_bench_build(t, &outer);
    bt_bench_expect(t, &outer, "RS");
    CHECK_INT(lines.count, 1);
    CHECK_TEXT(lines.text, "plan/script: not possible in the present state");
    CHECK_INT(flee.steps, 1);
    bt_bench_end(&outer);
    bt_bench_end(&inner);
}

TEST(a_behavior_that_failed_before_a_save_has_failed_after_it) {
    ploy_env env = ploy_env_default();
    bt_bench bench;
    nested_probe probe = {.status = PLOY_STATUS_RUNNING};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_add_behavior(bench.builder, "attack", nested_probe_maker(&probe), true);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "R");
    probe.commit = PLOY_ERR_LIMIT;
    ploy_behavior old = ploy_bt_instance_behavior(bench.instance);
    CHECK_OK(ploy_behavior_commit(old, &bench.context));
    ploy_bt_instance *fresh = NULL;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    CHECK_OK(ploy_bt_instance_create(&def, bench.bt, NULL, &env, &fresh));
    ploy_json *doc = saved_take(t, old, &env);
    CHECK_INT(saved_give(t, ploy_bt_instance_behavior(fresh), &bench.context, doc, &env), 0);
    CHECK(saved_hash(old) == saved_hash(ploy_bt_instance_behavior(fresh)));
    ploy_status status = PLOY_STATUS_RUNNING;
    CHECK_OK(ploy_bt_instance_step(fresh, &bench.context, &status));
    CHECK_INT(status, PLOY_STATUS_FAILURE);
    CHECK_INT(probe.enters, 1);
    ploy_bt_instance_destroy(fresh);
    bt_bench_end(&bench);
}

TEST(a_tree_refuses_a_behavior_for_another_layout) {
    static const ploy_blackboard_key keys[] = {
        {"see", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *own = NULL, *other = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "own", &env, NULL, &own));
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "other", &env, NULL, &other));
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *machine = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, own, &env, &machine));
    ploy_fsm_state only = ploy_fsm_type_state(machine, "only", NULL, ploy_maker_none());
    CHECK_OK(ploy_fsm_type_finish(machine, only));
    static const struct {
        const char *row;
        bool same, scoped;
        ploy_result want;
    } rows[] = {
        {"the same", true, false, PLOY_OK},
        {"another", false, false, PLOY_ERR_ARGUMENT},
        {"below a scope with other keys", true, true, PLOY_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_bt_builder *builder = NULL;
        ploy_bt *bt = NULL;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_OK(ploy_bt_builder_create("tree", rows[i].same ? own : other, &env, &builder));
        ploy_bt_node_def scope = ploy_bt_node_make(PLOY_BT_BLACKBOARD_SCOPE, "scope");
        scope.layout = other;
        if (rows[i].scoped) ploy_bt_builder_open_node(builder, &scope);
        ploy_bt_builder_add_behavior(builder, "machine", ploy_fsm_type_maker(machine), true);
        if (rows[i].scoped) ploy_bt_builder_close(builder);
        CHECK_INT(ploy_bt_builder_build(builder, diags, &bt), rows[i].want);
        CHECK((ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0) == (rows[i].want != PLOY_OK));
        ploy_bt_destroy(bt);
        ploy_bt_builder_destroy(builder);
        ploy_diags_destroy(diags);
    }
    ploy_fsm_type_destroy(machine);
    ploy_blackboard_layout_destroy(own);
    ploy_blackboard_layout_destroy(other);
}

TEST(a_tree_with_guards_nests_only_with_semaphores) {
    bt_bench inner, outer;
    bt_script script = {.letters = "RS"};
    bt_bench_begin(t, &inner, NULL);
    ploy_bt_node_def guard = ploy_bt_node_make(PLOY_BT_SEMAPHORE_GUARD, "guard");
    guard.text = "door";
    ploy_bt_builder_open_node(inner.builder, &guard);
    bt_bench_script(&inner, &script);
    ploy_bt_builder_close(inner.builder);
    bt_bench_build(t, &inner);
    for (int32_t given = 0; given < 2; given++) {
        if (given == 1) ploy_bt_set_semaphores(inner.bt, inner.semaphores);
        bt_bench_begin(t, &outer, NULL);
        ploy_bt_builder_add_behavior(outer.builder, NULL, ploy_bt_maker(inner.bt), true);
        if (given == 0) {
            CHECK_INT(ploy_bt_builder_build(outer.builder, NULL, &outer.bt), PLOY_ERR_ARGUMENT);
        } else {
            bt_bench_build(t, &outer);
            CHECK(ploy_bt_find_node(outer.bt, "test") == 0); // named as the tree
            bt_bench_expect(t, &outer, "RS");
        }
        bt_bench_end(&outer);
    }
    bt_bench_end(&inner);
}

// ---- hybrids (BHT-26)

TEST(a_machine_selects_the_tree_that_runs) { // BHT-26
    static const ploy_blackboard_key keys[] = {
        {"alarm", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "guard", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    static const char *const names[] = {"patrol", "hide"};
    bt_script scripts[2][2] = {{{.letters = "S"}, {.letters = "R"}},
                               {{.letters = "S"}, {.letters = "RRS"}}};
    ploy_bt_library *library = NULL;
    CHECK_OK(ploy_bt_library_create(&env, &library));
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, layout, &env, &type));
    ploy_fsm_state states[2];
    for (int32_t i = 0; i < 2; i++) { // each: look, then act for long
        ploy_bt_builder *builder = NULL;
        ploy_bt *bt = NULL;
        CHECK_OK(ploy_bt_builder_create(names[i], layout, &env, &builder));
        ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL);
        for (int32_t k = 0; k < 2; k++) {
            ploy_bt_builder_add_leaf(builder, &bt_script_leaf, NULL, &scripts[i][k], NULL, 0);
        }
        ploy_bt_builder_close(builder);
        CHECK_OK(ploy_bt_builder_build(builder, NULL, &bt));
        ploy_bt_builder_destroy(builder);
        CHECK_OK(ploy_bt_library_add(library, bt));
        states[i] = ploy_fsm_type_state(type, names[i], NULL,
                                        ploy_bt_maker(ploy_bt_library_find(library, names[i])));
    }
    ploy_conditions *set = ploy_fsm_type_conditions(type);
    ploy_condition alarm = ploy_condition_bool(set, "alarm");
    ploy_fsm_rule rules[] = {
        ploy_fsm_rule_make("alarm", states[0], alarm, states[1]),
        ploy_fsm_rule_make("hidden", states[1], ploy_condition_status(set, PLOY_STATUS_SUCCESS),
                           states[0]),
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) CHECK_OK(ploy_fsm_type_add(type, &rules[i]));
    CHECK_OK(ploy_fsm_type_finish(type, states[0]));
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &fsm));
    ploy_step_context context = {.dt = 0.1f, .blackboard = board};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    }
    CHECK_INT(scripts[0][0].steps, 1); // the tree goes on at its running leaf
    CHECK_INT(scripts[0][1].steps, 3);
    ploy_slot slot = {1};
    CHECK_OK(ploy_blackboard_set_bool(board, slot, true));
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    CHECK_INT(scripts[0][1].halts, 1); // cut off, and it cleans up
    CHECK_INT(scripts[0][1].reason, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(scripts[1][0].steps, 1); // the new tree begins at its root
    CHECK_INT(scripts[1][1].steps, 1);
    CHECK_OK(ploy_blackboard_set_bool(board, slot, false));
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    }
    CHECK(ploy_fsm_is_in(fsm, "patrol")); // hidden: back, and from the root again
    CHECK_INT(scripts[0][0].steps, 2);
    ploy_behavior_exit(ploy_fsm_behavior(fsm), &context, PLOY_EXIT_REMOVED);
    CHECK_INT(scripts[0][1].halts, 2);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
    ploy_bt_library_destroy(library);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

// ---- groups (BHT-25)

TEST(a_group_tries_the_next_strategy_if_a_member_cannot_play_its_role) { // BHT-25
    // Two members: flank wants one to hold and one to go round; retreat wants both to run.
    static const struct {
        const char *row;
        const char *hold, *round; // the roles' scripts
        const char *want;
        int32_t round_steps, hold_halts, retreats;
    } rows[] = {
        {"both can", "RRS", "RRRS", "RRRS", 4, 0, 0},
        {"one fails at once", "R", "F", "RS", 1, 1, 2},
        {"one fails on the way", "R", "RRF", "RRRS", 3, 1, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bt_bench group;
        bt_script hold = {.letters = rows[i].hold}, round = {.letters = rows[i].round};
        bt_script runs[2] = {{.letters = "RS"}, {.letters = "RS"}};
        // The role of each member is a tree of its own.
        bt_bench roles[2];
        for (int32_t k = 0; k < 2; k++) {
            bt_bench_begin(t, &roles[k], NULL);
            bt_bench_script(&roles[k], k == 0 ? &hold : &round);
            bt_bench_build(t, &roles[k]);
        }
        bt_bench_begin(t, &group, NULL);
        ploy_bt_builder_open(group.builder, PLOY_BT_FALLBACK, "strategies");
        ploy_bt_builder_open(group.builder, PLOY_BT_PARALLEL, "flank");
        ploy_bt_builder_add_behavior(group.builder, "holds", ploy_bt_maker(roles[0].bt), true);
        ploy_bt_builder_add_behavior(group.builder, "goes round", ploy_bt_maker(roles[1].bt), true);
        ploy_bt_builder_close(group.builder);
        ploy_bt_builder_open(group.builder, PLOY_BT_PARALLEL, "retreat");
        bt_bench_script(&group, &runs[0]);
        bt_bench_script(&group, &runs[1]);
        ploy_bt_builder_close(group.builder);
        ploy_bt_builder_close(group.builder);
        bt_bench_build(t, &group);
        bt_bench_expect(t, &group, rows[i].want);
        CHECK_INT(round.steps, rows[i].round_steps);
        CHECK_INT(hold.halts, rows[i].hold_halts); // the other one's role ends with it
        CHECK_INT(runs[0].steps, rows[i].retreats);
        CHECK_INT(runs[1].steps, rows[i].retreats);
        bt_bench_end(&group);
        for (int32_t k = 0; k < 2; k++) bt_bench_end(&roles[k]);
    }
}
